// render.c: a picture from beginning to end.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "math/vec3.h"
#include "render/render.h"

enum { TILE = 16, MOST_PIXELS = 1 << 28, FRINGE_MOST = 100000 };
enum { TIMES = 16 }; // of things while the shutter is open

struct plait_render {
    const plait_trajectory_info *info;
    plait_render_options options;
    plait_view view;
    plait_look *look; // [fibres]
    plait_wisps wisps;
    plait_cap cap;
    plait_fringe fringe;
    plait_figure *figure;
    plait_environment *environment;
    int main_body; // collider that fibres are rooted on, or -1
    plait_tracer *tracer;
    bool looked;
};

plait_render_options plait_default_render(void)
{
    return (plait_render_options){.width = 1280,
                                  .height = 720,
                                  .samples = 32,
                                  .thickness = 1,
                                  .colour = {-1, -1, -1},
                                  .azimuth = NAN,
                                  .elevation = NAN,
                                  .zoom = 1,
                                  .fov = 28 * M_PI / 180,
                                  .ground = true,
                                  .cap = true,
                                  .figure = true,
                                  .exposure = 1};
}

static plait_status check_options(const plait_render_options *o, plait_error *error)
{
    if (o->width < 1 || o->height < 1 || (int64_t)o->width * o->height > MOST_PIXELS || o->width > 65535 ||
        o->height > 65535)
        return plait_error_set(error, PLAIT_BAD_INPUT, "render: a picture of %d x %d pixels", o->width, o->height);
    if (o->samples < 1 || o->samples > 65536)
        return plait_error_set(error, PLAIT_BAD_INPUT, "render: expected 1 to 65536 samples per pixel, found %d",
                               o->samples);
    const struct {
        double value;
        const char *name;
    } positive[] = {{o->thickness, "thickness"}, {o->zoom, "zoom"}, {o->fov, "fov"}, {o->exposure, "exposure"}};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(positive[i].value > 0) || !isfinite(positive[i].value))
            return plait_error_set(error, PLAIT_BAD_INPUT, "render: expected %s > 0, found %g", positive[i].name,
                                   positive[i].value);
    if (o->fov > 2.8 || o->camera.fov > 2.8)
        return plait_error_set(error, PLAIT_BAD_INPUT, "render: a field of view of %g degrees",
                               fmax(o->fov, o->camera.fov) * 180 / M_PI);
    if (o->children < 0 || o->children > 100000 || !(o->wisp >= 0) || !isfinite(o->wisp))
        return plait_error_set(error, PLAIT_BAD_INPUT, "render: %d children in a wisp of %g m", o->children, o->wisp);
    if (!plait_vec3_finite(o->colour) || !plait_vec3_finite(o->up) || plait_vec3_largest(o->colour) > 1 ||
        isinf(o->azimuth) || isinf(o->elevation) || !isfinite(o->environment_azimuth))
        return plait_error_set(error, PLAIT_BAD_INPUT, "render: a colour, direction or angle out of range");
    if (!(o->aperture >= 0) || !(o->focus >= 0) || !isfinite(o->aperture) || !isfinite(o->focus) ||
        !(o->shutter >= 0) || !(o->shutter <= 1))
        return plait_error_set(error, PLAIT_BAD_INPUT, "render: an aperture, focus or shutter out of range");
    double sight[3];
    plait_vec3_sub(o->camera.target, o->camera.eye, sight);
    if (o->camera.fov > 0 && (!plait_vec3_finite(sight) || !(plait_vec3_norm(sight) > 0)))
        return plait_error_set(error, PLAIT_BAD_INPUT, "render: the camera's eye and target are one point");
    return PLAIT_OK;
}

static plait_status no_memory(plait_error *error)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "render: not enough memory");
}

plait_render *plait_render_new(const plait_trajectory_info *info, const plait_render_options *options,
                               plait_error *error)
{
    if (check_options(options, error) != PLAIT_OK)
        return NULL;
    plait_render *r = calloc(1, sizeof *r);
    if (r)
        r->look = malloc(((size_t)info->fibres + 1) * sizeof *r->look);
    if (!r || !r->look) {
        plait_render_free(r);
        no_memory(error);
        return NULL;
    }
    r->info = info;
    r->options = *options;
    r->tracer = plait_tracer_new(error);
    if (r->tracer && options->environment)
        r->environment = plait_environment_read(options->environment, options->environment_azimuth, error);
    if (!r->tracer || (options->environment && !r->environment)) {
        plait_render_free(r);
        return NULL;
    }
    if (options->style == PLAIT_RENDER_CONTACTS)
        r->options.thickness *= 0.4; // to see what is between them
    for (int i = 0; i < info->fibres; i++) {
        r->look[i] = plait_look_fibre(info, i, options);
        r->view.radius = fmax(r->view.radius, info->radius[i]);
    }
    plait_vec3_copy(options->up, r->view.up);
    if (!(plait_vec3_normalise(r->view.up) > 0))
        plait_look_up(info->scene, r->view.up);
    return r;
}

void plait_render_free(plait_render *r)
{
    if (!r)
        return;
    plait_tracer_free(r->tracer);
    plait_cap_free(&r->cap);
    plait_fringe_free(&r->fringe);
    plait_figure_free(r->figure);
    plait_environment_free(r->environment);
    free(r->wisps.tangent);
    free(r->look);
    free(r);
}

// ---- what there is to see ----------------------------------------------------------------------------------------

static plait_status check_finite(const double *x, int64_t count, const char *what, plait_error *error)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i]) || fabs(x[i]) > 1e15)
            return plait_error_set(error, PLAIT_BAD_INPUT, "render: number %lld of %s is %g", (long long)i, what, x[i]);
    return PLAIT_OK;
}

static plait_status check_frame(const plait_trajectory_info *info, const plait_trajectory_frame *f, plait_error *error)
{
    plait_status status = check_finite(f->position, 3 * (int64_t)info->nodes, "the positions", error);
    if (status == PLAIT_OK)
        status = check_finite(f->collider_pose, 7 * (int64_t)info->colliders, "the colliders' poses", error);
    if (status == PLAIT_OK)
        status = check_finite(f->rigid_pose, 7 * (int64_t)info->rigids, "the rigid bodies' poses", error);
    for (int i = 0; i < info->colliders && status == PLAIT_OK; i++)
        if (f->vertex && f->vertex[i])
            status = check_finite(f->vertex[i], 3 * (int64_t)info->collider[i].shape.points, "a mesh", error);
    for (int i = 0; i < info->softs && status == PLAIT_OK; i++)
        status = check_finite(f->soft[i], 3 * (int64_t)info->soft[i].shape.points, "a soft body", error);
    for (int i = 0; i < f->contacts && status == PLAIT_OK; i++)
        if (!plait_vec3_finite(f->contact[i].position) || !plait_vec3_finite(f->contact[i].impulse))
            status = plait_error_set(error, PLAIT_BAD_INPUT, "render: contact %d is not finite", i);
    return status;
}

typedef struct body_extent {
    plait_hull *hull;
    double count, sum[3];
} body_extent;

static void add_body_point(const double point[3], void *data)
{
    body_extent *e = data;
    if (e->hull)
        plait_hull_add(e->hull, point);
    e->count++;
    plait_vec3_axpy(1, point, e->sum);
}

// The collider whose middle is nearest to the roots of fibres, if it is no farther than they are long.
static int find_main_body(const plait_trajectory_info *info, const plait_trajectory_frame *frame)
{
    double root[3] = {0}, length = 0, best = INFINITY;
    int found = -1;
    for (int i = 0; i < info->fibres; i++) {
        const double *x = frame->position + 3 * (size_t)info->first[i];
        double d[3];
        plait_vec3_axpy(1.0 / info->fibres, x, root);
        for (int k = 1; k < info->first[i + 1] - info->first[i]; k++) {
            plait_vec3_sub(x + 3 * k, x + 3 * k - 3, d);
            length += plait_vec3_norm(d) / info->fibres;
        }
    }
    for (int i = 0; i < info->colliders; i++) {
        body_extent e = {0};
        double d[3];
        plait_solid_extent(&info->collider[i], frame->collider_pose + 7 * (size_t)i,
                           frame->vertex ? frame->vertex[i] : NULL, add_body_point, &e);
        for (int k = 0; k < 3 && e.count > 0; k++)
            d[k] = e.sum[k] / e.count - root[k];
        if (e.count > 0 && plait_vec3_norm(d) < best && plait_vec3_norm(d) < length) {
            best = plait_vec3_norm(d);
            found = i;
        }
    }
    return found;
}

static void add_subject_point(const double point[3], void *view)
{
    plait_view_add_fibre(view, point);
}

static void look_at_body(plait_render *r, const plait_trajectory_body *body, const double *pose, const double *vertex,
                         bool is_main)
{
    if (r->info->nodes + r->info->softs == 0) // then bodies are what the picture is of
        plait_solid_extent(body, pose, vertex, add_subject_point, &r->view);
    body_extent extent = {.hull = is_main ? &r->view.main : &r->view.bodies};
    plait_solid_extent(body, pose, vertex, add_body_point, &extent);
    if (extent.count > 0 && (is_main || r->main_body < 0)) {
        r->view.body_count++;
        plait_vec3_axpy(1 / extent.count, extent.sum, r->view.body_sum);
    }
    double height;
    if (plait_solid_is_ground(body, pose, r->view.up, &height)) {
        r->view.plane = r->view.has_plane ? fmax(r->view.plane, height) : height;
        r->view.has_plane = true;
    }
}

static plait_f3 hair_colour(const plait_render *r)
{
    plait_f3 colour = {0.12f, 0.06f, 0.03f};
    for (int i = r->info->fibres - 1; i >= 0; i--)
        colour = r->look[i].hair ? r->look[i].colour : colour;
    return colour;
}

// As dense as the hair that there is, which covers half of a ball or more.
static bool find_fringe(plait_render *r, const plait_trajectory_frame *frame)
{
    int hairs = 0;
    for (int i = 0; i < r->info->fibres; i++)
        hairs += r->look[i].hair;
    int64_t wanted = 2 * (int64_t)hairs * r->wisps.children;
    bool any = r->options.cap && r->cap.strands == 0;
    return !any || plait_fringe_find(&r->fringe, r->figure, r->info, r->look, frame,
                                     (int)(wanted < FRINGE_MOST ? wanted : FRINGE_MOST));
}

static bool colour_scalp(plait_render *r, const plait_trajectory_frame *frame)
{
    double *root = malloc((3 * (size_t)r->info->fibres + 1) * sizeof *root);
    int count = 0;
    for (int i = 0; root && i < r->info->fibres; i++)
        if (r->look[i].hair)
            plait_vec3_copy(frame->position + 3 * (size_t)r->info->first[i], root + 3 * (size_t)count++);
    bool tied = r->cap.strands > 0;
    int step = sizeof(plait_fringe_strand) / sizeof(float);
    bool ok =
        root && (tied ? plait_figure_root(r->figure, frame->collider_pose, 0, root, r->cap.strands, r->cap.x,
                                          PLAIT_CAP_NODES * 3, hair_colour(r))
                      : plait_figure_root(r->figure, frame->collider_pose, count, root, r->fringe.strands,
                                          r->fringe.strands ? r->fringe.strand->root : NULL, step, hair_colour(r)));
    free(root);
    return ok;
}

plait_status plait_render_look(plait_render *r, const plait_trajectory_frame *frame, plait_error *error)
{
    const plait_trajectory_info *info = r->info;
    plait_status status = check_frame(info, frame, error);
    if (status != PLAIT_OK)
        return status;
    if (info->nodes + info->softs + info->rigids < 1)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "render: there are no fibres, cloth, solids or bodies that move");
    if (!r->looked) {
        r->main_body = find_main_body(info, frame);
        if (!plait_wisps_find(&r->wisps, info, r->look, frame, &r->options) ||
            (r->options.cap && !plait_cap_find(&r->cap, info, r->look, frame, r->view.up, r->main_body)))
            return no_memory(error);
        bool drawn = r->options.figure && r->options.style != PLAIT_RENDER_CONTACTS;
        if (drawn && !(plait_figure_find(&r->figure, info) && find_fringe(r, frame) && colour_scalp(r, frame)))
            return no_memory(error);
        r->looked = true;
    }
    for (int i = 0; i < info->nodes; i++)
        plait_view_add_fibre(&r->view, frame->position + 3 * (size_t)i);
    for (int b = 0; b < info->softs; b++) // they are what the picture is of, as fibres are
        for (int i = 0; i < info->soft[b].shape.points; i++)
            plait_view_add_fibre(&r->view, frame->soft[b] + 3 * (size_t)i);
    for (int i = 0; i < info->colliders; i++)
        look_at_body(r, &info->collider[i], frame->collider_pose + 7 * (size_t)i,
                     frame->vertex ? frame->vertex[i] : NULL, i == r->main_body);
    for (int i = 0; i < info->rigids; i++)
        look_at_body(r, &info->rigid[i], frame->rigid_pose + 7 * (size_t)i, NULL, false);
    return PLAIT_OK;
}

plait_camera plait_render_camera(const plait_render *r)
{
    return plait_view_camera(&r->view, &r->options);
}

// ---- the scene of a frame ------------------------------------------------------------------------------------------

typedef struct stage {
    plait_strands hair, cords;
    plait_parts parts;
    plait_grid grid;
    plait_camera camera;
    double pixel; // [m] size of one in the middle of the scene
    double scale; // [m] from the camera to there
} stage;

static void stage_free(stage *s)
{
    plait_strands_free(&s->hair);
    plait_strands_free(&s->cords);
    plait_parts_free(&s->parts);
    plait_grid_free(&s->grid);
}

static bool add_strands(plait_render *r, stage *s, const plait_strands *strands, bool hair)
{
    if (strands->count == 0)
        return true;
    // A ribbon looks like a tube where it is hardly wider than a pixel, and costs less.
    plait_curve_kind kind = hair && strands->radius < s->pixel ? PLAIT_CURVE_FLAT : PLAIT_CURVE_ROUND;
    int geometry = plait_tracer_add_curves(r->tracer, kind, strands->points, strands->xyzr, strands->segments,
                                           strands->index, hair);
    plait_part part = {.kind = hair ? PLAIT_PART_HAIR : PLAIT_PART_CORD, .strands = strands};
    return plait_parts_add(&s->parts, geometry, part);
}

// Tubes are open at their ends; a rod ends in half a ball, as its contacts feel it.
static bool add_ends(plait_render *r, stage *s)
{
    const plait_strands *c = &s->cords;
    if (c->count == 0)
        return true;
    float *ball = malloc(8 * (size_t)c->count * sizeof *ball);
    plait_f3 *colour = malloc(2 * (size_t)c->count * sizeof *colour);
    if (!ball || !colour) {
        free(ball);
        free(colour);
        return false;
    }
    for (int i = 0; i < c->count; i++) {
        const float *root = c->xyzr + 4 * ((size_t)c->strand[i].first + 1);
        memcpy(ball + 8 * (size_t)i, root, 4 * sizeof *ball);
        memcpy(ball + 8 * (size_t)i + 4, root + 4 * (size_t)c->strand[i].segments, 4 * sizeof *ball);
        colour[2 * (size_t)i] = colour[2 * (size_t)i + 1] = c->strand[i].colour;
    }
    int geometry = plait_tracer_add_spheres(r->tracer, 2 * c->count, ball);
    free(ball);
    return plait_parts_add(&s->parts, geometry, (plait_part){.kind = PLAIT_PART_MARK, .colours = colour});
}

static bool add_bodies(plait_render *r, stage *s, const plait_trajectory_frame *frame)
{
    const plait_trajectory_info *info = r->info;
    double height;
    for (int i = 0; i < info->colliders + info->rigids; i++) {
        bool rigid = i >= info->colliders;
        const plait_trajectory_body *body = rigid ? &info->rigid[i - info->colliders] : &info->collider[i];
        const double *pose =
            rigid ? frame->rigid_pose + 7 * (size_t)(i - info->colliders) : frame->collider_pose + 7 * (size_t)i;
        const double *vertex = !rigid && frame->vertex ? frame->vertex[i] : NULL;
        // The ground is drawn for itself.
        if (r->options.ground && plait_solid_is_ground(body, pose, r->view.up, &height))
            continue;
        if (plait_solid_hides(body, pose, s->camera.eye) || (!rigid && plait_figure_has(r->figure, i)))
            continue;
        plait_f3 colour = plait_look_body(info, body, i - info->colliders);
        if (!plait_solid_add(r->tracer, &s->parts, colour, body, pose, vertex, s->scale))
            return false;
    }
    return plait_figure_add(r->figure, r->tracer, &s->parts, frame->collider_pose);
}

static bool add_softs(plait_render *r, stage *s, const plait_trajectory_frame *frame)
{
    bool ok = true;
    for (int i = 0; ok && i < r->info->softs; i++)
        ok = plait_soft_add(r->tracer, &s->parts, r->info, i, frame->soft[i]);
    return ok;
}

// What is drawn of hair although it is not simulated.
static bool add_cap(const plait_render *r, stage *s, const plait_trajectory_frame *frame)
{
    plait_f3 colour = hair_colour(r);
    const double *pose = frame->collider_pose;
    return plait_cap_add(&s->hair, &r->cap, pose + 7 * (size_t)r->cap.body, 1.3 * s->hair.radius, colour) &&
           plait_fringe_add(&s->hair, &r->fringe, r->figure, r->info, r->look, frame, s->hair.radius) &&
           plait_figure_lift(r->figure, &s->hair, pose) && plait_figure_hair(r->figure, &s->hair, pose, colour);
}

static plait_status build_stage(plait_render *r, stage *s, const plait_trajectory_frame *frame,
                                plait_render_report *report, plait_error *error)
{
    const plait_render_options *o = &r->options;
    double sight[3];
    s->camera = plait_render_camera(r);
    plait_vec3_sub(s->camera.target, s->camera.eye, sight);
    s->scale = plait_vec3_norm(sight);
    s->pixel = 2 * s->scale * tan(s->camera.fov / 2) / o->height;
    plait_tracer_clear(r->tracer);
    bool ok = plait_strands_build(&s->hair, true, r->info, r->look, &r->wisps, frame, o, s->pixel) &&
              add_cap(r, s, frame) &&
              plait_strands_build(&s->cords, false, r->info, r->look, &r->wisps, frame, o, s->pixel) &&
              add_strands(r, s, &s->hair, true) && add_strands(r, s, &s->cords, false) && add_ends(r, s) &&
              add_bodies(r, s, frame) && add_softs(r, s, frame);
    if (ok && o->style == PLAIT_RENDER_CONTACTS)
        ok = plait_marks_add(r->tracer, &s->parts, frame, fmax(0.55 * r->view.radius, 2.5 * s->pixel), report);
    report->strands = s->hair.count + s->cords.count;
    return ok ? plait_tracer_commit(r->tracer, error) : no_memory(error);
}

// ---- pixels -------------------------------------------------------------------------------------------------------

static plait_f3 mean_through(const plait_render *r)
{
    plait_f3 sum = {0};
    float count = 0;
    for (int i = 0; i < r->info->fibres; i++)
        if (r->look[i].hair) {
            sum = f3_add(sum, plait_hair_through(r->look[i].colour));
            count++;
        }
    return count > 0 ? f3_scale(1 / count, sum) : sum;
}

// Tiles in any order by any thread; each pixel depends on its place alone. Samples first, first + step ... False:
// stopped.
static bool draw(const plait_render *r, const plait_shader *shader, int first, int step, plait_pixel *pixel)
{
    const plait_render_options *o = &r->options;
    int across = (o->width + TILE - 1) / TILE, tiles = across * ((o->height + TILE - 1) / TILE), done = 0, stop = 0;
    plait_team team = plait_team_of(o->threads);
#pragma omp parallel for schedule(dynamic, 1) num_threads(team.threads) if (team.threads > 1)
    for (int tile = 0; tile < tiles; tile++) {
        int over, count;
#pragma omp atomic read
        over = stop;
        if (over)
            continue;
        int x0 = tile % across * TILE, y0 = tile / across * TILE;
        for (int y = y0; y < y0 + TILE && y < o->height; y++)
            for (int x = x0; x < x0 + TILE && x < o->width; x++)
                plait_shade_pixel(shader, x, y, o->samples, first, step,
                                  &pixel[(size_t)y * (size_t)o->width + (size_t)x]);
#pragma omp atomic capture
        count = ++done;
        if (o->progress && omp_get_thread_num() == 0 && !o->progress((first + (double)count / tiles) / step, o->data)) {
#pragma omp atomic write
            stop = 1;
        }
    }
    return !stop;
}

static plait_status shade_stage(plait_render *r, stage *s, int first, int step, plait_pixel *pixel,
                                plait_render_report *report, plait_error *error)
{
    const plait_render_options *o = &r->options;
    plait_shader shader = {.tracer = r->tracer,
                           .part = s->parts.part,
                           .lights = plait_lights_new(&s->camera, r->view.up, r->environment),
                           .lens = plait_lens_new(&s->camera, o->width, o->height),
                           .through = mean_through(r),
                           .ground = o->ground,
                           .height = (float)plait_view_ground(&r->view),
                           .scale = (float)s->scale,
                           .exposure = (float)o->exposure};
    shader.lens.aperture = (float)o->aperture;
    shader.lens.focus = (float)(o->focus > 0 ? o->focus : s->scale);
    if (s->hair.count > 0) {
        if (!plait_grid_build(&s->grid, &s->hair, shader.through, r->tracer, &shader.lights, plait_team_of(o->threads)))
            return no_memory(error);
        shader.grid = &s->grid;
    }
    report->stopped = !draw(r, &shader, first, step, pixel);
    return PLAIT_OK;
}

static plait_status draw_once(plait_render *r, const plait_trajectory_frame *frame, int first, int step,
                              plait_pixel *pixel, plait_render_report *report, plait_error *error)
{
    stage s = {0};
    plait_status status = build_stage(r, &s, frame, report, error);
    if (status == PLAIT_OK)
        status = shade_stage(r, &s, first, step, pixel, report, error);
    stage_free(&s);
    return status;
}

// While the shutter is open things are where they are at some times, each with its part of the samples.
static plait_status draw_moving(plait_render *r, const plait_trajectory_frame *frame,
                                const plait_trajectory_frame *next, plait_pixel *pixel, plait_render_report *report,
                                plait_error *error)
{
    int times = r->options.samples < TIMES ? r->options.samples : TIMES;
    plait_trajectory_frame *between = plait_trajectory_frame_new(r->info);
    plait_status status = between ? PLAIT_OK : no_memory(error);
    for (int k = 0; k < times && status == PLAIT_OK && !report->stopped; k++) {
        plait_frame_between(r->info, frame, next, r->options.shutter * (k + 0.5) / times, between);
        status = draw_once(r, between, k, times, pixel, report, error);
    }
    plait_trajectory_frame_free(between, r->info);
    return status;
}

static unsigned char byte_of(float x)
{
    return (unsigned char)(255 * f3_clamp(x, 0, 1) + 0.5f);
}

static void put_pixel(const plait_pixel *p, size_t i, const plait_render_picture *out)
{
    plait_f3 all = f3_add(p->light, p->back);
    if (out->linear)
        memcpy(out->linear + 3 * i, &all, sizeof all);
    if (out->rgb)
        plait_tone_map(&all.x, 1, 1, out->rgb + 3 * i);
    if (out->rgba) {
        memcpy(out->rgba + 4 * i, &p->light, sizeof p->light);
        out->rgba[4 * i + 3] = p->cover;
    }
    if (out->rgba_bytes) {
        plait_f3 c = p->cover > 0 ? f3_scale(1 / p->cover, p->light) : f3_grey(0);
        plait_tone_map(&c.x, 1, 1, out->rgba_bytes + 4 * i);
        out->rgba_bytes[4 * i + 3] = byte_of(p->cover);
    }
}

static plait_status develop(const plait_render *r, plait_pixel *pixel, const plait_render_picture *out,
                            plait_error *error)
{
    const plait_render_options *o = &r->options;
    size_t pixels = (size_t)o->width * (size_t)o->height;
    if (o->denoise && !plait_denoise(pixel, o->width, o->height, plait_team_of(o->threads)))
        return no_memory(error);
    for (size_t i = 0; i < pixels; i++) {
        plait_pixel *p = &pixel[i];
        float k = 1 / p->count;
        p->light = f3_scale(k, p->light);
        p->back = f3_scale(k, p->back);
        p->cover = f3_clamp(k * p->cover, 0, 1);
        put_pixel(p, i, out);
    }
    return PLAIT_OK;
}

plait_status plait_render_draw(plait_render *r, const plait_trajectory_frame *frame, const plait_trajectory_frame *next,
                               const plait_render_picture *picture, plait_render_report *report, plait_error *error)
{
    plait_render_report own = {0};
    report = report ? report : &own;
    *report = own;
    if (!r->looked)
        return plait_error_set(error, PLAIT_BAD_INPUT, "render: no frame was looked at, so there is no camera");
    if (r->options.style == PLAIT_RENDER_CONTACTS && !r->info->stored.contacts)
        return plait_error_set(error, PLAIT_BAD_INPUT, "render: the trajectory has no contacts");
    plait_status status = check_frame(r->info, frame, error);
    if (status == PLAIT_OK && next)
        status = check_frame(r->info, next, error);
    if (status != PLAIT_OK)
        return status;
    plait_pixel *pixel = calloc((size_t)r->options.width * (size_t)r->options.height, sizeof *pixel);
    if (!pixel)
        return no_memory(error);
    bool moving = next && r->options.shutter > 0 && r->options.style != PLAIT_RENDER_CONTACTS;
    status =
        moving ? draw_moving(r, frame, next, pixel, report, error) : draw_once(r, frame, 0, 1, pixel, report, error);
    if (status == PLAIT_OK && !report->stopped)
        status = develop(r, pixel, picture, error);
    free(pixel);
    return status;
}

plait_status plait_render_frame(plait_render *r, const plait_trajectory_frame *frame, float *linear, unsigned char *rgb,
                                plait_render_report *report, plait_error *error)
{
    plait_render_picture out = {.linear = linear, .rgb = rgb};
    return plait_render_draw(r, frame, NULL, &out, report, error);
}
