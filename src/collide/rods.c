// rods.c: narrow phase of strand against strand: pairs of links that touch at the start or come to touch on the way.
//
// Points of one chain that are nearer along it than self_arc do not touch. What passes through must first come near:
// a pair that is apart at the start gets a hit when the surfaces meet; one that overlaps already, when the centrelines
// have come to half their distance (its contact at the start may have been left out in favour of a neighbour).
// Passing through is coming nearer than a twentieth of the radii.
#include <math.h>

#include "base/clock.h"
#include "collide/detector.h"
#include "collide/sweep.h"
#include "shape/closest.h"

static plait_hit *add_hit(plait_chunk *chunk)
{
    if (!plait_grow(&chunk->hit, &chunk->hit_room, chunk->hits + 1, sizeof *chunk->hit)) {
        chunk->failed = true;
        return NULL;
    }
    return &chunk->hit[chunk->hits++];
}

// Whether points of these strands touch at all.
static bool may_touch(const plait_detector *d, const plait_strand *s, const plait_strand *r)
{
    if (s == r)
        return s->chain >= 0 && s->self_arc < INFINITY;
    if (r->image) // each pair of neighbours once (image.h)
        return d->scenery->chains_touch &&
               (s->chain < r->chain || (s->chain == r->chain && plait_image_between(s, r) > 0));
    if (s->chain >= 0 && r->chain >= 0)
        return d->scenery->chains_touch;
    return s->chain >= 0 || r->chain >= 0;
}

static bool apart_along(const plait_detector *d, double self_arc, int i, double a, int j, double b)
{
    return fabs(plait_link_arc(d, j, b) - plait_link_arc(d, i, a)) >= self_arc;
}

// Whether the straight lines through two segments are farther apart than `bound`: then so are the segments. Cheap, and
// most pairs of thin links go no further.
static bool lines_apart(const double *p, const double *q, double bound)
{
    double u[3], v[3], w[3], n[3];
    plait_vec3_sub(p + 3, p, u), plait_vec3_sub(q + 3, q, v), plait_vec3_sub(p, q, w);
    plait_vec3_cross(u, v, n);
    double nn = plait_vec3_dot(n, n), h = plait_vec3_dot(n, w);
    return h * h > 1.000001 * bound * bound * nn && nn > 1e-10 * plait_vec3_dot(u, u) * plait_vec3_dot(v, v);
}

// How far two links can come nearer to each other in the motion: the farthest that an end of one goes as seen from an
// end of the other.
static double closing_of(const plait_detector *d, int i, int j)
{
    const double *p0 = d->x0 + 3 * (int64_t)d->link[i].node, *p1 = d->x1 + 3 * (int64_t)d->link[i].node;
    const double *q0 = d->x0 + 3 * (int64_t)d->link[j].node, *q1 = d->x1 + 3 * (int64_t)d->link[j].node;
    double way[2][2] = {{0, 0}, {0, 0}};
    for (int k = 0; k < 3; k++) {
        double u[2] = {p1[k] - p0[k], p1[3 + k] - p0[3 + k]}, v[2] = {q1[k] - q0[k], q1[3 + k] - q0[3 + k]};
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++)
                way[a][b] += (u[a] - v[b]) * (u[a] - v[b]);
    }
    return sqrt(plait_larger(plait_larger(way[0][0], way[0][1]), plait_larger(way[1][0], way[1][1])));
}

static void test_pair(plait_detector *d, plait_chunk *chunk, int i, int j)
{
    const plait_link *li = &d->link[i], *lj = &d->link[j];
    const plait_strand *si = &d->strand[li->strand], *sj = &d->strand[lj->strand];
    if (!may_touch(d, si, sj) || !(plait_strand_wanted(d, si) || plait_strand_wanted(d, sj)))
        return;
    double self_arc = si == sj ? si->self_arc : 0;
    if (si == sj && !(fabs(d->arc[lj->node + 1] - d->arc[li->node]) >= self_arc))
        return;
    const double *p0 = d->x0 + 3 * (int64_t)li->node, *q0 = d->x0 + 3 * (int64_t)lj->node;
    double radii = si->radius + sj->radius, limit = radii + 2 * d->reach, a, b;
    double closing = d->continuous ? closing_of(d, i, j) : 0, moving = d->continuous ? 1.002 * radii + closing : 0;
    if (lines_apart(p0, q0, plait_larger(limit, moving)))
        return;
    double distance2 = plait_closest_segments(p0, p0 + 3, q0, q0 + 3, &a, &b);
    if (!d->crossing && distance2 < limit * limit && (si != sj || apart_along(d, self_arc, i, a, j, b))) {
        plait_hit *hit = add_hit(chunk);
        if (hit)
            *hit = (plait_hit){i, j, a, b, sqrt(distance2), {0, 0, 0}, -1};
    }
    if (!d->continuous)
        return;
    double distance = sqrt(distance2), wanted = distance > radii * 1.001 ? radii : 0.5 * distance;
    if (d->crossing)
        wanted = plait_larger(fmin(d->near * radii, 0.97 * distance), PLAIT_CROSSING * radii);
    if (distance <= 1e-3 * radii || distance <= wanted * 1.01 || distance - closing > 1.002 * wanted)
        return;
    const double *p1 = d->x1 + 3 * (int64_t)li->node, *q1 = d->x1 + 3 * (int64_t)lj->node;
    plait_sweep sweep = {.a = a, .b = b, .distance = distance};
    if (plait_sweep_segments_from(p0, p1, q0, q1, wanted, &sweep) &&
        (si != sj || apart_along(d, self_arc, i, sweep.a, j, sweep.b))) {
        plait_hit *hit = add_hit(chunk);
        if (hit) {
            *hit = (plait_hit){i, j, sweep.a, sweep.b, sweep.distance, {0, 0, 0}, sweep.time};
            plait_vec3_copy(sweep.normal, hit->normal);
        }
    }
}

static void test_links(plait_detector *d, int c, int thread, int64_t begin, int64_t end)
{
    (void)thread;
    plait_chunk *chunk = &d->chunk[c];
    const plait_near *near = &d->kept;
    for (int64_t i = begin; i < end; i++)
        for (int64_t k = near->first[i]; k < near->first[i + 1]; k++)
            if (plait_box_overlap(&d->box[i], &d->box[near->other[k]])) {
                chunk->candidates++;
                test_pair(d, chunk, (int)i, near->other[k]);
            }
}

static bool needed(const plait_detector *d)
{
    const plait_scenery *s = d->scenery;
    if (d->strands > s->chains || (s->chains_touch && s->chains > 1))
        return true;
    for (int i = 0; i < s->chains; i++)
        if (s->chain[i].self_arc < INFINITY)
            return true;
    return false;
}

plait_status plait_rods_hits(plait_detector *d, plait_error *error)
{
    d->hits = 0;
    if (!plait_grow(&d->first_hit, &d->first_hit_room, d->strands + 1, sizeof *d->first_hit))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d strands", d->strands);
    memset(d->first_hit, 0, ((size_t)d->strands + 1) * sizeof *d->first_hit);
    d->stats.candidates = 0;
    d->stats.seconds_broad = 0;
    if (!needed(d)) {
        d->stats.broad = d->forced;
        return PLAIT_OK;
    }
    double start = plait_clock_wall();
    plait_status status = plait_near_find(d, error);
    if (status || plait_stop_now(d->scenery->stop))
        return status;
    d->stats.seconds_broad = plait_clock_wall() - start;
    int chunks = plait_detector_search(d, d->links, 512, test_links);
    int64_t hits = 0;
    bool failed = false;
    for (int c = 0; c < chunks; c++) {
        hits += d->chunk[c].hits;
        d->stats.candidates += d->chunk[c].candidates;
        failed |= d->chunk[c].failed;
    }
    if (failed || !plait_grow(&d->hit, &d->hit_room, hits, sizeof *d->hit))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the contacts of %d links", d->links);
    for (int c = 0; c < chunks; c++) {
        if (d->chunk[c].hits)
            memcpy(d->hit + d->hits, d->chunk[c].hit, (size_t)d->chunk[c].hits * sizeof *d->hit);
        d->hits += d->chunk[c].hits;
    }
    for (int64_t h = 0; h < d->hits; h++)
        d->first_hit[d->link[d->hit[h].i].strand + 1]++;
    for (int s = 0; s < d->strands; s++)
        d->first_hit[s + 1] += d->first_hit[s];
    return PLAIT_OK;
}
