// usda_write.c: a trajectory as Pixar's USD, in its text form.
//
// USD wants all time samples of one attribute together. So the frames are read once for what is small (poses, boxes:
// kept for all frames), then once for the points of each group, and for their velocities, and for the vertices of each
// animated mesh: one frame is in memory at a time. Time codes are times divided by the time between frames.
//
//     Xform "name"                       the stage's default prim
//         BasisCurves "group"            points, velocities, extent, widths, displayColor, the fibres' numbers
//         Scope "colliders", "bodies"    Sphere, Capsule, Cylinder, Cube or Mesh, moved by
//                                        xformOp:translate, :orient, :scale
//         Scope "soft"                   cloth and solids: Mesh, points over time
#include "io/usda_write.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- small things ------------------------------------------------------------------------------------------------

// Names of prims are words of letters, digits and _; `taken` tells whether a name is in use among the first `count`.
void plait_usda_name(const char *text, int count, char (*taken)[PLAIT_USDA_NAME], char out[PLAIT_USDA_NAME])
{
    char base[PLAIT_NAME + 4];
    size_t n = 0;
    if (!isalpha((unsigned char)text[0]))
        base[n++] = '_';
    for (; *text && n < PLAIT_NAME; text++)
        base[n++] = isalnum((unsigned char)*text) ? *text : '_';
    base[n] = 0;
    snprintf(out, PLAIT_USDA_NAME, "%s", base);
    for (int k = 2, i = 0; i < count; i++) {
        if (strcmp(taken[i], out) == 0) {
            snprintf(out, PLAIT_USDA_NAME, "%s_%d", base, k++);
            i = -1;
        }
    }
}

void plait_usda_indent(plait_usda *u)
{
    for (int i = 0; i < u->depth; i++)
        plait_sink_text(&u->sink, "    ");
}

void plait_usda_line(plait_usda *u, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    plait_usda_indent(u);
    plait_sink_text(&u->sink, text);
    plait_sink_text(&u->sink, "\n");
}

void plait_usda_open(plait_usda *u, const char *type, const char *name)
{
    plait_usda_line(u, "def %s \"%s\"", type, name);
    plait_usda_line(u, "{");
    u->depth++;
}

void plait_usda_end(plait_usda *u)
{
    u->depth--;
    plait_usda_line(u, "}");
}

// "TYPE NAME = " if there is one sample, else "TYPE NAME.timeSamples = {"; then the samples, each with its value after
// it, then _end.
void plait_usda_begin_samples(plait_usda *u, const char *declaration, bool many)
{
    plait_usda_indent(u);
    plait_sink_print(&u->sink, "%s%s", declaration, many ? ".timeSamples = {\n" : " = ");
}

void plait_usda_sample(plait_usda *u, int k, bool many)
{
    if (!many)
        return;
    plait_usda_indent(u);
    plait_sink_text(&u->sink, "    ");
    plait_sink_real(&u->sink, plait_export_code(u->e, k));
    plait_sink_text(&u->sink, ": ");
}

void plait_usda_end_sample(plait_usda *u, bool many)
{
    plait_sink_text(&u->sink, many ? ",\n" : "\n");
}

void plait_usda_end_samples(plait_usda *u, bool many)
{
    if (many)
        plait_usda_line(u, "}");
}

void plait_usda_points(plait_usda *u, int count, const double *x)
{
    plait_sink_text(&u->sink, "[");
    for (int i = 0; i < count; i++) {
        plait_sink_text(&u->sink, i ? ", (" : "(");
        plait_sink_vector(&u->sink, x + 3 * (size_t)i, ", ", true);
        plait_sink_text(&u->sink, ")");
    }
    plait_sink_text(&u->sink, "]");
}

// Colours that stay apart; hair first.
void plait_usda_palette(int index, bool body, double colour[3])
{
    static const double fibres[][3] = {{0.32, 0.19, 0.1},  {0.72, 0.5, 0.27}, {0.12, 0.28, 0.5},
                                       {0.55, 0.13, 0.12}, {0.15, 0.4, 0.22}, {0.45, 0.3, 0.55}};
    static const double bodies[][3] = {{0.75, 0.68, 0.62}, {0.55, 0.6, 0.66}, {0.66, 0.66, 0.55}};
    memcpy(colour, body ? bodies[index % 3] : fibres[index % 6], 3 * sizeof *colour);
}

void plait_usda_colour(plait_usda *u, int index, bool body)
{
    double c[3];
    plait_usda_palette(index, body, c);
    plait_usda_line(u, "color3f[] primvars:displayColor = [(%g, %g, %g)] (", c[0], c[1], c[2]);
    plait_usda_line(u, "    interpolation = \"constant\"");
    plait_usda_line(u, ")");
}

// ---- what is small: poses and boxes of all frames ------------------------------------------------------------------

static void widen(float box[6], const double x[3], double radius)
{
    for (int c = 0; c < 3; c++) {
        box[c] = fminf(box[c], (float)(x[c] - radius));
        box[3 + c] = fmaxf(box[3 + c], (float)(x[c] + radius));
    }
}

static void keep_boxes(plait_usda *u, int k)
{
    const plait_trajectory_info *info = u->e->info;
    float *box = u->box + 6 * (size_t)k * (size_t)info->groups;
    for (int g = 0; g < info->groups; g++)
        for (int c = 0; c < 6; c++)
            box[6 * g + c] = c < 3 ? INFINITY : -INFINITY;
    for (int f = 0; f < info->fibres; f++)
        for (int i = info->first[f]; i < info->first[f + 1]; i++)
            widen(box + 6 * info->group[f], u->e->frame->position + 3 * (size_t)i, info->radius[f]);
}

static plait_status first_pass(plait_usda *u)
{
    plait_exporter *e = u->e;
    const plait_trajectory_info *info = e->info;
    size_t frames = (size_t)e->count, bodies = (size_t)(info->colliders + info->rigids + info->softs);
    u->bodies = (int)bodies;
    u->pose = malloc(7 * frames * bodies * sizeof *u->pose + 1);
    u->box = malloc(6 * frames * (size_t)info->groups * sizeof *u->box + 1);
    u->fibres = calloc((size_t)info->groups + 1, sizeof *u->fibres);
    if (!u->pose || !u->box || !u->fibres)
        return plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    for (int f = 0; f < info->fibres; f++) {
        u->fibres[info->group[f]] += plait_export_shows(info, f);
    }
    plait_status status = PLAIT_OK;
    for (int k = 0; k < e->count && status == PLAIT_OK; k++) {
        status = plait_export_frame(e, k);
        if (status != PLAIT_OK)
            break;
        for (int i = 0; i < u->bodies; i++) {
            int index;
            plait_export_kind kind = plait_export_find(info, i, &index);
            memcpy(u->pose + 7 * ((size_t)k * bodies + (size_t)i), plait_export_pose(e, kind, index),
                   7 * sizeof *u->pose);
        }
        keep_boxes(u, k);
        if (k == 0)
            plait_export_box(e, u->low, u->high);
    }
    return status;
}

// ---- fibres ------------------------------------------------------------------------------------------------------

static bool is_in(const plait_trajectory_info *info, int fibre, int group)
{
    return info->group[fibre] == group && plait_export_shows(info, fibre);
}

static void write_counts(plait_usda *u, int group)
{
    const plait_trajectory_info *info = u->e->info;
    plait_usda_indent(u);
    plait_sink_text(&u->sink, "int[] curveVertexCounts = [");
    for (int f = 0, n = 0; f < info->fibres; f++) {
        if (!is_in(info, f, group))
            continue;
        plait_sink_text(&u->sink, n++ ? ", " : "");
        plait_sink_int(&u->sink, info->first[f + 1] - info->first[f]);
    }
    plait_sink_text(&u->sink, "]\n");
}

// A list of numbers, or of tuples of `each`, with its interpolation.
static void write_list(plait_usda *u, const char *declaration, const float *x, size_t count, int each,
                       const char *interpolation)
{
    plait_usda_indent(u);
    plait_sink_print(&u->sink, "%s = [", declaration);
    for (size_t i = 0; i < count; i++) {
        plait_sink_text(&u->sink, i ? ", " : "");
        plait_sink_text(&u->sink, each > 1 ? "(" : "");
        for (int c = 0; c < each; c++) {
            plait_sink_text(&u->sink, c ? ", " : "");
            plait_sink_float(&u->sink, (double)x[i * (size_t)each + (size_t)c]);
        }
        plait_sink_text(&u->sink, each > 1 ? ")" : "");
    }
    plait_sink_text(&u->sink, "] (\n");
    plait_usda_line(u, "    interpolation = \"%s\"", interpolation);
    plait_usda_line(u, ")");
}

static void write_numbers(plait_usda *u, const char *name, const plait_export_group *g, const int *list)
{
    plait_usda_indent(u);
    plait_sink_print(&u->sink, "int[] primvars:%s = [", name);
    for (int n = 0; n < g->fibres; n++) {
        plait_sink_text(&u->sink, n ? ", " : "");
        plait_sink_int(&u->sink, list ? list[g->fibre[n]] : g->fibre[n]);
    }
    plait_sink_text(&u->sink, "] (\n");
    plait_usda_line(u, "    interpolation = \"uniform\"");
    plait_usda_line(u, ")");
}

// Widths, colours, numbers and where roots are: what does not change.
static plait_status write_strands(plait_usda *u, int group)
{
    static const char *const spread_name[] = {"constant", "uniform", "vertex"};
    const plait_exporter *e = u->e;
    plait_export_group g;
    plait_export_spread spread;
    plait_status status = plait_export_group_make(u->e, group, &g);
    if (status != PLAIT_OK)
        return status;
    size_t count;
    double widest;
    const float *width = plait_export_group_widths(e, &g, &spread, &count, &widest);
    if (width)
        write_list(u, "float[] widths", width, count, 1, spread_name[spread]);
    if (e->strands.colour)
        write_list(u, "color3f[] primvars:displayColor", plait_export_group_nodes(e, &g, e->strands.colour, 3),
                   (size_t)g.points, 3, "vertex");
    else
        plait_usda_colour(u, group, false);
    write_numbers(u, "fibre", &g, NULL);
    if (e->strands.id)
        write_numbers(u, "id", &g, e->strands.id);
    if (e->strands.guide)
        write_numbers(u, "guide", &g, e->strands.guide);
    if (e->strands.uv)
        write_list(u, "texCoord2f[] primvars:st", plait_export_group_pairs(&g, e->strands.uv), (size_t)g.fibres, 2,
                   "uniform");
    plait_export_group_free(&g);
    return PLAIT_OK;
}

static void write_extents(plait_usda *u, int group)
{
    const plait_exporter *e = u->e;
    bool many = e->count > 1;
    plait_usda_begin_samples(u, "float3[] extent", many);
    for (int k = 0; k < e->count; k++) {
        const float *box = u->box + 6 * ((size_t)k * (size_t)e->info->groups + (size_t)group);
        double x[6];
        for (int c = 0; c < 6; c++)
            x[c] = (double)box[c];
        plait_usda_sample(u, k, many);
        plait_usda_points(u, 2, x);
        plait_usda_end_sample(u, many);
    }
    plait_usda_end_samples(u, many);
}

// One value per node of the group, in all frames: reads them once.
static plait_status write_nodes(plait_usda *u, int group, const char *declaration, bool velocity)
{
    plait_exporter *e = u->e;
    bool many = e->count > 1;
    plait_usda_begin_samples(u, declaration, many);
    for (int k = 0; k < e->count; k++) {
        plait_status status = plait_export_frame(e, k);
        if (status != PLAIT_OK)
            return status;
        const double *x = velocity ? e->frame->velocity : e->frame->position;
        plait_usda_sample(u, k, many);
        plait_sink_text(&u->sink, "[");
        for (int f = 0, n = 0; f < e->info->fibres; f++) {
            for (int i = e->info->first[f]; is_in(e->info, f, group) && i < e->info->first[f + 1]; i++) {
                plait_sink_text(&u->sink, n++ ? ", (" : "(");
                plait_sink_vector(&u->sink, x + 3 * (size_t)i, ", ", true);
                plait_sink_text(&u->sink, ")");
            }
        }
        plait_sink_text(&u->sink, "]");
        plait_usda_end_sample(u, many);
    }
    plait_usda_end_samples(u, many);
    return PLAIT_OK;
}

static plait_status write_group(plait_usda *u, int group, const char *name)
{
    if (u->fibres[group] == 0) { // plait_export_usda_passes counts with it all the same
        u->e->done += (int64_t)u->e->count * (u->e->frame->velocity ? 2 : 1);
        return PLAIT_OK;
    }
    plait_usda_open(u, "BasisCurves", name);
    plait_usda_line(u, "uniform token type = \"%s\"", u->e->linear ? "linear" : "cubic");
    if (!u->e->linear)
        plait_usda_line(u, "uniform token basis = \"catmullRom\"");
    plait_usda_line(u, "uniform token wrap = \"%s\"", u->e->linear ? "nonperiodic" : "pinned");
    write_counts(u, group);
    write_extents(u, group);
    plait_status status = write_strands(u, group);
    if (status == PLAIT_OK)
        status = write_nodes(u, group, "point3f[] points", false);
    if (status == PLAIT_OK && u->e->frame->velocity)
        status = write_nodes(u, group, "vector3f[] velocities", true);
    plait_usda_end(u);
    return status;
}

// ---- the stage ---------------------------------------------------------------------------------------------------

int plait_export_usda_passes(const plait_trajectory_info *info)
{
    int passes = 1 + info->groups * (info->stored.velocities ? 2 : 1);
    for (int i = 0; i < info->colliders; i++)
        passes += info->collider[i].animated;
    return passes + info->softs;
}

static void write_head(plait_usda *u, const char *name)
{
    const plait_exporter *e = u->e;
    plait_sink *s = &u->sink;
    plait_sink_print(s, "#usda 1.0\n(\n    defaultPrim = \"%s\"\n", name);
    if (e->unit > 0) {
        plait_sink_text(s, "    metersPerUnit = ");
        plait_sink_real(s, e->unit);
        plait_sink_text(s, "\n");
    }
    plait_sink_print(s, "    upAxis = \"%c\"\n", e->y_up ? 'Y' : 'Z');
    if (e->trajectory) {
        plait_sink_text(s, "    startTimeCode = ");
        plait_sink_real(s, plait_export_code(u->e, 0));
        plait_sink_text(s, "\n    endTimeCode = ");
        plait_sink_real(s, plait_export_code(u->e, e->count - 1));
        plait_sink_text(s, "\n    timeCodesPerSecond = ");
        plait_sink_real(s, u->rate);
        plait_sink_text(s, "\n    framesPerSecond = ");
        plait_sink_real(s, u->rate);
        plait_sink_text(s, "\n");
    }
    plait_sink_text(s, ")\n\n");
}

static plait_status write_stage(plait_usda *u)
{
    const plait_trajectory_info *info = u->e->info;
    char root[PLAIT_USDA_NAME], name[PLAIT_USDA_NAME];
    char(*taken)[PLAIT_USDA_NAME] = calloc((size_t)info->groups + 4, sizeof *taken);
    if (!taken)
        return plait_error_set(u->e->error, PLAIT_NO_MEMORY, "%s: not enough memory", u->e->name);
    int count = 0;
    plait_usda_name(info->name[0] ? info->name : "plait", 0, NULL, root);
    write_head(u, root);
    plait_usda_open(u, "Xform", root);
    snprintf(taken[count++], PLAIT_USDA_NAME, "colliders");
    snprintf(taken[count++], PLAIT_USDA_NAME, "bodies");
    snprintf(taken[count++], PLAIT_USDA_NAME, "soft");
    plait_status status = PLAIT_OK;
    for (int g = 0; g < info->groups && status == PLAIT_OK; g++) {
        plait_usda_name(info->group_name[g], count, taken, name);
        memcpy(taken[count++], name, sizeof name);
        status = write_group(u, g, name);
    }
    free(taken);
    if (status == PLAIT_OK)
        status = plait_usda_write_bodies(u);
    plait_usda_end(u);
    return status;
}

plait_status plait_export_usda(plait_exporter *e)
{
    plait_usda u = {.e = e, .rate = plait_export_rate(e)};
    plait_status status = first_pass(&u);
    if (status == PLAIT_OK)
        status = plait_export_open(e, e->name, -1, "usda", &u.sink);
    if (status == PLAIT_OK) {
        status = write_stage(&u);
        if (status == PLAIT_OK)
            status = plait_export_close(e, &u.sink);
        else
            plait_sink_drop(&u.sink);
    }
    free(u.pose);
    free(u.box);
    free(u.fibres);
    return status;
}
