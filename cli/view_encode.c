// view_encode.c: frames as bytes for the page: 8 per node, little-endian. docs/commands/view.md has the layout.
//
// A position is three 16-bit numbers in the bounding box of the frame, so its error is at most the box's size / 131070.
// Beside it goes one value to colour by, a 16-bit number between the frame's smallest and largest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

enum { HEADER = 80, CONTACT = 44 };
static const uint32_t magic = 0x31465650; // "PVF1"

static const char *const colour_names[PLAIT_VIEW_COLOURS] = {"rod", "stretch", "speed", "force"};

bool plait_view_colour_find(const char *name, plait_view_colour *colour)
{
    for (int i = 0; i < PLAIT_VIEW_COLOURS; i++)
        if (strcmp(name, colour_names[i]) == 0) {
            *colour = (plait_view_colour)i;
            return true;
        }
    return false;
}

// ---- numbers -----------------------------------------------------------------------------------------------------

static unsigned char *reserve(plait_view_bytes *bytes, size_t size)
{
    if (bytes->room < size) {
        bytes->data = plait_cli_grow(bytes->data, size, 1);
        bytes->room = size;
    }
    bytes->size = size;
    return bytes->data;
}

static unsigned char *put16(unsigned char *at, unsigned value)
{
    at[0] = (unsigned char)value;
    at[1] = (unsigned char)(value >> 8);
    return at + 2;
}

static unsigned char *put32(unsigned char *at, uint32_t value)
{
    return put16(put16(at, value & 0xffff), value >> 16);
}

static unsigned char *put_float(unsigned char *at, double value)
{
    float small = (float)value;
    uint32_t bits;
    memcpy(&bits, &small, 4);
    return put32(at, bits);
}

static unsigned char *put_double(unsigned char *at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, 8);
    return put32(put32(at, (uint32_t)bits), (uint32_t)(bits >> 32));
}

static unsigned char *put_floats(unsigned char *at, const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        at = put_float(at, value[i]);
    return at;
}

// 0 .. 65535 between lo and hi
static unsigned quantise(double value, double lo, double scale)
{
    double q = (value - lo) * scale + 0.5;
    return q <= 0 ? 0 : q >= 65535 ? 65535 : (unsigned)q;
}

static double scale_of(double lo, double hi)
{
    return hi > lo ? 65535 / (hi - lo) : 0;
}

// ---- values to colour by -----------------------------------------------------------------------------------------

double *plait_view_rest_lengths(const plait_trajectory_info *info, const double *x)
{
    double *rest = plait_cli_alloc((size_t)info->nodes, sizeof *rest);
    for (int i = 0; i + 1 < info->nodes; i++)
        rest[i] = sqrt(pow(x[3 * i + 3] - x[3 * i], 2) + pow(x[3 * i + 4] - x[3 * i + 1], 2) +
                       pow(x[3 * i + 5] - x[3 * i + 2], 2));
    return rest;
}

// A node has the stretch of its worse edge.
static void fill_stretch(const plait_view_shot *s, float *value)
{
    const double *x = s->frame->position;
    for (int f = 0; f < s->info->fibres; f++) {
        double last = 0;
        for (int i = s->info->first[f]; i < s->info->first[f + 1]; i++) {
            double next = 0;
            if (i + 1 < s->info->first[f + 1] && s->rest[i] > 0) {
                const double *a = x + 3 * (size_t)i, *b = a + 3;
                next = sqrt(pow(b[0] - a[0], 2) + pow(b[1] - a[1], 2) + pow(b[2] - a[2], 2)) / s->rest[i] - 1;
            }
            value[i] = (float)(fabs(last) > fabs(next) ? last : next);
            last = next;
        }
    }
}

static void fill_speed(const plait_view_shot *s, float *value)
{
    double between = s->other ? fabs(s->other->time - s->frame->time) : 0;
    for (size_t i = 0; i < (size_t)s->info->nodes; i++) {
        double sum = 0;
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            double v = s->frame->velocity ? s->frame->velocity[k]
                       : between > 0      ? (s->other->position[k] - s->frame->position[k]) / between
                                          : 0;
            sum += v * v;
        }
        value[i] = (float)sqrt(sum);
    }
}

// The force of a contact goes to the two nodes beside it.
static void fill_force(const plait_view_shot *s, float *value)
{
    double per = s->dt > 0 ? 1 / s->dt : 1;
    for (int c = 0; c < s->frame->contacts; c++) {
        const plait_sim_contact *p = s->frame->contact + c;
        double force =
            per * sqrt(p->impulse[0] * p->impulse[0] + p->impulse[1] * p->impulse[1] + p->impulse[2] * p->impulse[2]);
        for (int side = 0; side < 2; side++) {
            if (p->kind[side] != PLAIT_PARTNER_FIBRE || p->index[side] < 0 || p->index[side] >= s->info->fibres)
                continue;
            int i = s->info->first[p->index[side]], last = s->info->first[p->index[side] + 1] - 1;
            double arc = p->arc[side];
            for (; i < last - 1 && arc > s->rest[i]; i++)
                arc -= s->rest[i];
            double t = i < last && s->rest[i] > 0 ? fmin(fmax(arc / s->rest[i], 0), 1) : 0;
            value[i] += (float)((1 - t) * force);
            if (i < last)
                value[i + 1] += (float)(t * force);
        }
    }
}

// ---- a frame -----------------------------------------------------------------------------------------------------

static unsigned char *put_nodes(unsigned char *at, const plait_view_shot *s, const double lo[3], const double hi[3],
                                const float *value, double value_lo, double value_hi)
{
    double scale[3], value_scale = scale_of(value_lo, value_hi);
    for (int k = 0; k < 3; k++)
        scale[k] = scale_of(lo[k], hi[k]);
    const double *x = s->frame->position;
    for (size_t i = 0; i < (size_t)s->info->nodes; i++) {
        for (size_t k = 0; k < 3; k++)
            at = put16(at, quantise(x[3 * i + k], lo[k], scale[k]));
        at = put16(at, value ? quantise(value[i], value_lo, value_scale) : 0);
    }
    return at;
}

// Where it acts, its force on the first partner, and 0 open, 1 sticking, 2 sliding; the other point of a bond and its beta, a
// tie's is 2; else 0.
static unsigned char *put_contact(unsigned char *at, const plait_sim_contact *c, double per)
{
    at = put_floats(at, c->position, 3);
    for (int k = 0; k < 3; k++)
        at = put_float(at, per * c->impulse[k]);
    at = put_floats(put_float(at, c->state), c->law ? c->other : c->position, 3);
    return put_float(at, c->law == 2 && c->beta > 0 ? 2 : c->beta);
}

static size_t animated_points(const plait_trajectory_info *info)
{
    size_t count = 0;
    for (int i = 0; i < info->colliders; i++)
        if (info->collider[i].animated)
            count += (size_t)info->collider[i].shape.points;
    for (int i = 0; i < info->softs; i++)
        count += (size_t)info->soft[i].shape.points;
    return count;
}

static void bounds(const double *x, size_t nodes, double lo[3], double hi[3])
{
    for (size_t k = 0; k < 3; k++) {
        lo[k] = nodes > 0 ? INFINITY : 0;
        hi[k] = nodes > 0 ? -INFINITY : 0;
        for (size_t i = k; i < 3 * nodes; i += 3) {
            lo[k] = fmin(lo[k], x[i]);
            hi[k] = fmax(hi[k], x[i]);
        }
        // as the page will read them
        lo[k] = (double)(float)lo[k];
        hi[k] = (double)(float)hi[k];
    }
}

void plait_view_encode(const plait_view_shot *s, plait_view_bytes *bytes)
{
    const plait_trajectory_info *info = s->info;
    const plait_trajectory_frame *frame = s->frame;
    size_t nodes = (size_t)info->nodes, contacts = s->contacts ? (size_t)frame->contacts : 0;
    size_t poses = 7 * ((size_t)info->colliders + (size_t)info->rigids);
    float *value = s->colour == PLAIT_VIEW_ROD ? NULL : plait_cli_alloc(nodes, sizeof *value);
    if (s->colour == PLAIT_VIEW_STRETCH)
        fill_stretch(s, value);
    else if (s->colour == PLAIT_VIEW_SPEED)
        fill_speed(s, value);
    else if (s->colour == PLAIT_VIEW_FORCE)
        fill_force(s, value);
    double lo[3], hi[3], value_lo = 0, value_hi = 0;
    bounds(frame->position, nodes, lo, hi);
    for (size_t i = 0; value && i < nodes; i++) {
        value_lo = fmin(value_lo, value[i]);
        value_hi = fmax(value_hi, value[i]);
    }
    unsigned char *at =
        reserve(bytes, HEADER + 8 * nodes + 4 * poses + CONTACT * contacts + 12 * animated_points(info));
    at = put32(put32(at, magic), (uint32_t)s->index);
    at = put32(put32(at, (uint32_t)nodes), (uint32_t)contacts);
    at = put_double(put_double(at, frame->time), (double)frame->step);
    at = put_floats(put_floats(at, lo, 3), hi, 3);
    at = put_float(put_float(at, value_lo), value_hi);
    at = put32(put32(at, (uint32_t)s->colour), (uint32_t)info->colliders);
    at = put32(put32(at, (uint32_t)info->rigids), (uint32_t)frame->contacts);
    at = put_nodes(at, s, lo, hi, value, value_lo, value_hi);
    at = put_floats(at, frame->collider_pose, 7 * (size_t)info->colliders);
    at = put_floats(at, frame->rigid_pose, 7 * (size_t)info->rigids);
    for (size_t i = 0; i < contacts; i++)
        at = put_contact(at, frame->contact + i, s->dt > 0 ? 1 / s->dt : 1);
    for (int i = 0; i < info->colliders; i++)
        if (info->collider[i].animated)
            at = put_floats(at, frame->vertex[i], 3 * (size_t)info->collider[i].shape.points);
    for (int i = 0; i < info->softs; i++)
        at = put_floats(at, frame->soft[i], 3 * (size_t)info->soft[i].shape.points);
    free(value);
}

// ---- what does not change ----------------------------------------------------------------------------------------

void plait_view_encode_rods(const plait_trajectory_info *info, plait_view_bytes *bytes)
{
    size_t fibres = (size_t)info->fibres;
    unsigned char *at = reserve(bytes, 8 + 4 * (fibres + 1) + 8 * fibres);
    at = put32(put32(at, (uint32_t)info->fibres), (uint32_t)info->nodes);
    for (size_t i = 0; i <= fibres; i++)
        at = put32(at, (uint32_t)info->first[i]);
    at = put_floats(at, info->radius, fibres);
    for (size_t i = 0; i < fibres; i++)
        at = put32(at, (uint32_t)info->group[i]);
}

void plait_view_encode_shape(const plait_shape *shape, plait_view_bytes *bytes)
{
    size_t points = (size_t)shape->points, triangles = (size_t)shape->triangles;
    unsigned char *at = reserve(bytes, 8 + 12 * points + 12 * triangles);
    at = put32(put32(at, (uint32_t)points), (uint32_t)triangles);
    at = put_floats(at, shape->point, 3 * points);
    for (size_t i = 0; i < 3 * triangles; i++)
        at = put32(at, (uint32_t)shape->triangle[i]);
}
