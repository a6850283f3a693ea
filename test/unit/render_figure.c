// Drawn figures: heads and shoulders of any size are found again, and hair lies outside of the skin that is drawn.
#include "base/rng.h"
#include "check.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "render/figure.h"

enum { STRANDS = 400, NODES = 24 };

typedef struct person {
    plait_trajectory_body body[2];
    plait_trajectory_info info;
    double pose[14];
    plait_figure *figure;
} person;

static bool person_new(person *p, double size, double turn)
{
    *p = (person){.pose = {0.3, -0.2, 1.5, 0, 0, sin(turn / 2), cos(turn / 2), 0.3, -0.2, 1.5, 0, 0, 0, 1}};
    plait_gen_head_options head = plait_gen_default_head();
    plait_gen_shoulders_options shoulders = plait_gen_default_shoulders();
    head.width *= size, head.depth *= size, head.height *= 1.03 * size, head.neck_radius *= size;
    head.neck_length *= size, shoulders.width *= size, shoulders.depth *= size, shoulders.height *= size;
    shoulders.drop *= size, shoulders.back *= size, shoulders.neck_radius *= size;
    plait_error error = {0};
    bool ok = plait_gen_head_mesh(&p->body[0].shape, &head, &error) == PLAIT_OK &&
              plait_gen_shoulders_mesh(&p->body[1].shape, &shoulders, &error) == PLAIT_OK;
    p->info = (plait_trajectory_info){.colliders = 2, .collider = p->body};
    return ok && plait_figure_find(&p->figure, &p->info) && p->figure;
}

static void person_free(person *p)
{
    plait_figure_free(p->figure);
    for (int i = 0; i < 2; i++)
        free(p->body[i].shape.point), free(p->body[i].shape.triangle);
}

// Strands that hang down beside the head, from above the ears to the chest: near the skin, inside and outside.
static bool hang(plait_strands *s, const person *p, double size, double far, uint64_t seed)
{
    plait_rng rng = plait_rng_new(seed, 0);
    if (!plait_strands_grow(s, STRANDS, NODES))
        return false;
    for (int i = 0; i < STRANDS; i++) {
        double side = i % 2 ? 1 : -1, x = size * (far + plait_rng_between(&rng, 0.066, 0.084));
        double y = size * plait_rng_between(&rng, -0.04, 0.03);
        float xyzr[4 * NODES];
        for (int n = 0; n < NODES; n++) {
            double local[3] = {side * x, y, size * (0.04 - 0.30 * n / (NODES - 1))}, world[3];
            plait_figure_out_of(p->pose, local, world);
            for (int k = 0; k < 3; k++)
                xyzr[4 * n + k] = (float)world[k];
            xyzr[4 * n + 3] = 5e-5f;
        }
        plait_strands_put(s, NODES, xyzr, f3_grey(0.1f), (uint32_t)i);
    }
    return true;
}

// The smaller of both distances to the drawn skins, [m].
static double outside(const person *p, const float *xyz)
{
    double world[3] = {xyz[0], xyz[1], xyz[2]}, q[3];
    plait_figure_into(p->pose, world, q);
    double head = plait_face_distance(&p->figure->of_head, q);
    plait_figure_into(p->pose + 7, world, q);
    return fmin(head, plait_bust_distance(&p->figure->of_shoulders, q));
}

CASE(hair_lies_on_the_skin_that_is_drawn)
{
    for (int trial = 0; trial < 2; trial++) {
        double size = 0.85 + 0.3 * trial, turn = 0.5 * trial - 0.2;
        person p;
        if (!CHECK(person_new(&p, size, turn)))
            return;
        CHECK(plait_figure_has(p.figure, 0) && plait_figure_has(p.figure, 1));
        plait_strands s = {0};
        CHECK(hang(&s, &p, size, 0, 11 + (uint64_t)trial));
        int before = 0, after = 0;
        bool *near = calloc(STRANDS * NODES, sizeof *near);
        for (int i = 0; i < STRANDS * NODES; i++) {
            double d = outside(&p, s.xyzr + 4 * ((size_t)s.strand[i / NODES].first + 1 + (size_t)(i % NODES)));
            near[i] = d > -0.010 * size; // deeper hair is not seen
            before += near[i] && d < -0.001 * size;
        }
        CHECK(plait_figure_lift(p.figure, &s, p.pose));
        for (int i = 0; i < STRANDS * NODES; i++) {
            const float *x = s.xyzr + 4 * ((size_t)s.strand[i / NODES].first + 1 + (size_t)(i % NODES));
            after += near[i] && outside(&p, x) < -0.001 * size;
        }
        CHECK(before > 300);
        CHECK(after == 0);
        free(near);
        plait_strands_free(&s);
        person_free(&p);
    }
}

CASE(hair_that_is_far_away_stays)
{
    person p;
    if (!CHECK(person_new(&p, 1, 0.3)))
        return;
    plait_strands s = {0};
    CHECK(hang(&s, &p, 1, 0.22, 5));
    float *old = malloc(4 * (size_t)s.points * sizeof *old);
    memcpy(old, s.xyzr, 4 * (size_t)s.points * sizeof *old);
    CHECK(plait_figure_lift(p.figure, &s, p.pose));
    double most = 0;
    for (int i = 0; i < s.points; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(s.xyzr[4 * i + k] - old[4 * i + k]));
    CHECK_NEAR(most, 0, 1e-6);
    free(old);
    plait_strands_free(&s);
    person_free(&p);
}

// One strand of a default head that looks ahead, from a to b in its frame.
static bool one_strand(plait_strands *s, const person *p, const double a[3], const double b[3])
{
    float xyzr[4 * NODES];
    for (int n = 0; n < NODES; n++) {
        double local[3], world[3];
        for (int k = 0; k < 3; k++)
            local[k] = a[k] + (b[k] - a[k]) * n / (NODES - 1);
        plait_figure_out_of(p->pose, local, world);
        for (int k = 0; k < 3; k++)
            xyzr[4 * n + k] = (float)world[k];
        xyzr[4 * n + 3] = 5e-5f;
    }
    if (!plait_strands_grow(s, 1, NODES))
        return false;
    plait_strands_put(s, NODES, xyzr, f3_grey(0.1f), 1);
    return true;
}

CASE(no_hair_grows_on_an_ear)
{
    person p;
    if (!CHECK(person_new(&p, 1, 0)))
        return;
    plait_strands s = {0};
    const double under_ear[3] = {0.062, -0.010, -0.032}, out[3] = {0.30, -0.010, -0.10};
    const double crown[3] = {0.020, -0.010, 0.118}, up[3] = {0.10, -0.010, 0.30};
    CHECK(one_strand(&s, &p, under_ear, out) && one_strand(&s, &p, crown, up));
    CHECK(plait_figure_lift(p.figure, &s, p.pose));
    for (int n = 0; n < NODES; n++)
        CHECK(outside(&p, s.xyzr + 4 * ((size_t)s.strand[0].first + 1 + (size_t)n)) < -0.001); // where nothing is seen
    CHECK(outside(&p, s.xyzr + 4 * ((size_t)s.strand[1].first + NODES)) > 0.15);
    plait_strands_free(&s);
    person_free(&p);
}

CASE(hair_hangs_down_from_an_ear)
{
    person p;
    if (!CHECK(person_new(&p, 1, 0)))
        return;
    plait_strands s = {0};
    const double above[3] = {0.074, -0.010, 0.030}, below[3] = {0.074, -0.010, -0.130};
    double most = 0, last = 0;
    CHECK(one_strand(&s, &p, above, below) && plait_figure_lift(p.figure, &s, p.pose));
    for (int n = 0; n < NODES; n++) {
        const float *x = s.xyzr + 4 * ((size_t)s.strand[0].first + 1 + (size_t)n);
        double world[3] = {x[0], x[1], x[2]}, q[3];
        plait_figure_into(p.pose, world, q);
        last = q[0] - 0.074;
        most = fmax(most, last);
    }
    CHECK(most > 0.006); // the ear is in the way
    CHECK(last > 0.06 * most && last < 0.6 * most); // 5 cm below it
    plait_strands_free(&s);
    person_free(&p);
}

// Guides on the crown alone: strands from the hairline join them; none where most of the head is bald.
CASE(a_fringe_begins_at_the_hairline)
{
    static const double up[3] = {0, 0, 1}, back[3] = {0, -1, 0};
    enum { GUIDES = 150 };
    person p;
    if (!CHECK(person_new(&p, 1.1, 0.4)))
        return;
    for (int few = 0; few < 2; few++) {
        double x[3 * 3 * GUIDES], radius[GUIDES];
        int first[GUIDES + 1] = {0};
        plait_look look[GUIDES];
        for (int i = 0; i < GUIDES; i++) { // a cap of 75 degrees; few: one of 10
            double angle = (few ? 10 : 75) * M_PI / 180 * sqrt((i + 0.5) / GUIDES), phi = 2.4 * i;
            double d[3] = {sin(angle) * cos(phi), sin(angle) * sin(phi), cos(angle)};
            for (int n = 0; n < 3; n++) {
                double local[3] = {0.1 * d[0], 0.1 * d[1], 0.1 * d[2] - 0.1 * n};
                plait_figure_out_of(p.pose, local, x + 9 * i + 3 * n);
            }
            first[i + 1] = 3 * (i + 1), radius[i] = 1e-4, look[i] = (plait_look){.hair = true};
        }
        plait_trajectory_info info = p.info;
        info.fibres = GUIDES, info.nodes = 3 * GUIDES, info.first = first, info.radius = radius;
        plait_trajectory_frame frame = {.position = x, .collider_pose = p.pose};
        plait_fringe fringe = {0};
        CHECK(plait_fringe_find(&fringe, p.figure, &info, look, &frame, 4000));
        if (few)
            CHECK_INT(fringe.strands, 0);
        else
            CHECK(fringe.strands > 200);
        plait_strands s = {0};
        CHECK(plait_fringe_add(&s, &fringe, p.figure, &info, look, &frame, 1e-4));
        CHECK_INT(s.count, fringe.strands);
        for (int i = 0; i < s.count; i++) {
            const float *root = s.xyzr + 4 * ((size_t)s.strand[i].first + 1), *tip = root + 8;
            double world[3] = {root[0], root[1], root[2]}, q[3];
            plait_figure_into(p.pose, world, q);
            CHECK_NEAR(plait_face_distance(&p.figure->of_head, q), 0, 2e-4); // on the skin
            q[2] -= 0.013 * p.figure->of_head.height / 0.23;
            plait_vec3_normalise(q);
            CHECK(plait_cap_above(up, back, q, -0.01));
            const double *end = x + 9 * fringe.strand[i].fibre + 6; // as long as the guide or up to a quarter shorter
            CHECK(hypot(hypot(tip[0] - end[0], tip[1] - end[1]), tip[2] - end[2]) < 0.06);
        }
        plait_strands_free(&s);
        plait_fringe_free(&fringe);
    }
    person_free(&p);
}
