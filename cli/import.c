// import.c: `plait import`: other programs' curves as a scene that runs, or in another format.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "run.h"

// ---- what is in the file -------------------------------------------------------------------------------------------

typedef struct import_options {
    int every, segments; // segments 0: by the file
    double scale;        // [m] of the file's unit; 0: what the file says, or cm
    bool y_up, head;
    const char *mesh; // of the head
} import_options;

typedef struct groom {
    int strands, points;    // that are used
    int longest;            // segments of the longest strand
    double scale;           // [m] of a unit
    double radius;          // [m] half the thickness; 0: not known
    double length;          // [m] mean
    double width[3];        // [m] of the box around the roots
    bool guessed;           // the unit: the file does not say
    bool y_up;              // of the file: (x, y, z) is (-x, z, y) here, half a turn about (0, 1, 1)
    double centre[3], head; // [m] a sphere below the roots
} groom;

// A point in the scene.
static void place(const plait_hair *h, const groom *g, int i, double x[3])
{
    const double *p = h->point + 3 * (size_t)i;
    x[0] = g->scale * (h->y_up ? -p[0] : p[0]);
    x[1] = g->scale * (h->y_up ? p[2] : p[1]);
    x[2] = g->scale * (h->y_up ? p[1] : p[2]);
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static void measure(const plait_hair *h, const import_options *o, groom *g)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, root[3];
    *g = (groom){.scale = o->scale > 0 ? o->scale : h->unit > 0 ? h->unit : 0.01};
    g->y_up = h->y_up;
    g->guessed = !(o->scale > 0) && !(h->unit > 0);
    for (int s = 0; s < h->strands; s += o->every) {
        int points = h->first[s + 1] - h->first[s];
        place(h, g, h->first[s], root);
        for (int k = 0; k < 3; k++)
            low[k] = fmin(low[k], root[k]), high[k] = fmax(high[k], root[k]);
        g->strands++;
        g->points += points;
        g->longest = points - 1 > g->longest ? points - 1 : g->longest;
        for (int i = h->first[s]; i + 1 < h->first[s + 1]; i++) {
            double a[3], b[3];
            place(h, g, i, a);
            place(h, g, i + 1, b);
            g->length += distance(a, b);
        }
    }
    g->length /= g->strands;
    for (int k = 0; k < 3; k++)
        g->width[k] = high[k] - low[k];
    g->radius = h->thickness > 0 && isfinite(h->thickness) ? 0.5 * g->scale * h->thickness : 0;
}

// Solves A x = b, 4 x 4, by elimination with pivots. False if it is singular.
static bool solve4(double A[4][5], double x[4])
{
    for (int k = 0; k < 4; k++) {
        int p = k;
        for (int i = k + 1; i < 4; i++)
            p = fabs(A[i][k]) > fabs(A[p][k]) ? i : p;
        if (!(fabs(A[p][k]) > 1e-12))
            return false;
        for (int j = 0; j < 5; j++) {
            double swap = A[k][j];
            A[k][j] = A[p][j], A[p][j] = swap;
        }
        for (int i = 0; i < 4; i++) {
            double f = i == k ? 0 : A[i][k] / A[k][k];
            for (int j = k; j < 5; j++)
                A[i][j] -= f * A[k][j];
        }
    }
    for (int k = 0; k < 4; k++)
        x[k] = A[k][4] / A[k][k];
    return true;
}

// The sphere nearest to all roots: |x|^2 = 2 c x + d, by least squares in units of the roots' spread about their mean;
// then as small as is needed for all points to be outside.
static bool fit_head(const plait_hair *h, int every, groom *g)
{
    double mean[3] = {0}, spread = 0, A[4][5] = {{0}}, c[4];
    for (int s = 0; s < h->strands; s += every) {
        double x[3];
        place(h, g, h->first[s], x);
        for (int k = 0; k < 3; k++)
            mean[k] += x[k] / g->strands;
    }
    for (int s = 0; s < h->strands; s += every) {
        double x[3];
        place(h, g, h->first[s], x);
        spread = fmax(spread, distance(x, mean));
    }
    for (int s = 0; s < h->strands && spread > 0; s += every) {
        double x[3], row[5];
        place(h, g, h->first[s], x);
        for (int k = 0; k < 3; k++)
            row[k] = (x[k] - mean[k]) / spread;
        row[3] = 1;
        row[4] = row[0] * row[0] + row[1] * row[1] + row[2] * row[2];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 5; j++)
                A[i][j] += row[i] * row[j] / g->strands;
    }
    if (!(spread > 0) || !solve4(A, c))
        return false;
    double nearest = INFINITY;
    for (int k = 0; k < 3; k++)
        g->centre[k] = mean[k] + 0.5 * c[k] * spread;
    for (int s = 0; s < h->strands; s += every) {
        for (int i = h->first[s]; i < h->first[s + 1]; i++) {
            double x[3];
            place(h, g, i, x);
            nearest = fmin(nearest, distance(x, g->centre));
        }
    }
    g->head = 0.98 * nearest;
    return g->head > 0 && g->head < 20 * spread; // more: the roots are in a plane
}

// ---- the scene ---------------------------------------------------------------------------------------------------

// How the scene calls the file: by its base name if both are in one folder. The caller frees it.
static char *path_from(const char *scene, const char *file)
{
    size_t folder = (size_t)(plait_cli_base_name(scene) - scene), own = (size_t)(plait_cli_base_name(file) - file);
    char *out = plait_cli_alloc(strlen(file) + PATH_MAX + 2, 1), *real;
    if (folder == own && strncmp(scene, file, folder) == 0)
        strcpy(out, plait_cli_base_name(file));
    else if ((real = realpath(file, NULL))) {
        snprintf(out, PATH_MAX, "%s", real);
        free(real);
    } else {
        strcpy(out, file);
    }
    return out;
}

static void write_head(FILE *f, const char *scene, const groom *g, const import_options *o)
{
    if (o->mesh) {
        char *path = path_from(scene, o->mesh);
        fprintf(f, "colliders:\n  head: {material: skin, shape: mesh, file: ");
        plait_cli_write_quoted(f, path);
        fprintf(f, ", scale: %.9g%s}\n", g->scale,
                g->y_up ? ", rotation: [0, 2.22144146907918, 2.22144146907918]" : "");
        free(path);
    } else if (g->head > 0) {
        fprintf(f, "colliders:\n  head: {material: skin, shape: sphere, radius: %.6g, position: [%.6g, %.6g, %.6g]}\n",
                g->head, g->centre[0], g->centre[1], g->centre[2]);
    }
}

static void write_scene(FILE *f, const char *scene, const char *file, const groom *g, const import_options *o)
{
    char *path = path_from(scene, file);
    fprintf(f, "# %d strands with %d points, %.3g m long on average.\ntitle: ", g->strands, g->points, g->length);
    plait_cli_write_quoted(f, plait_cli_base_name(file));
    fprintf(f, "\nmaterials:\n");
    // What is drawn is what touches; a lock's thickness is no hair's stiffness.
    bool hair = g->radius > 1e-5 && g->radius < 1e-4;
    fprintf(f, "  hair: {radius: %.6g, density: 1.32 g/cm^3, young: 3.9 GPa, damping: 5 ms, drag: 1",
            hair ? g->radius : 37e-6);
    if (!hair && g->radius > 0)
        fprintf(f, ", contact_radius: %.6g", g->radius);
    fprintf(f, "}\n");
    bool head = o->mesh || g->head > 0;
    if (head)
        fprintf(f, "  skin:\n");
    fprintf(f, "friction: {default: 0.3}\n");
    write_head(f, scene, g, o);
    fprintf(f,
            "fibres:\n  groom:\n    material: hair\n    segments: %d\n"
            "    natural: {shape: drawn}\n    start: held\n",
            o->segments > 0   ? o->segments
            : g->longest < 20 ? g->longest
                              : 20);
    fprintf(f, "    ends: {root: clamped%s}\n    file: {path: ", head ? ", attach: head" : "");
    plait_cli_write_quoted(f, path);
    fprintf(f, ", every: %d, scale: %.9g%s}\n", o->every, g->scale, o->y_up ? ", y_up: true" : "");
    fprintf(f, "gravity: [0, 0, -9.81]\nstep: {dt: 2 ms}\noutput: {duration: 1 s, fps: 25}\n");
    free(path);
}

// A length as a person says it.
static const char *spoken(double metres, char text[32])
{
    if (metres >= 1 || !(metres > 0))
        snprintf(text, 32, "%.3g m", metres);
    else if (metres >= 0.01)
        snprintf(text, 32, "%.3g cm", 100 * metres);
    else
        snprintf(text, 32, "%.3g mm", 1000 * metres);
    return text;
}

// So that a wrong unit is seen at once: heads are 10 to 30 cm wide, hair is 1 mm to 2 m long.
static void tell_sizes(const groom *g)
{
    char text[4][32];
    printf("the roots are on %s x %s x %s, strands are %s long on average (1 unit = %.6g m%s)\n",
           spoken(g->width[0], text[0]), spoken(g->width[1], text[1]), spoken(g->width[2], text[2]),
           spoken(g->length, text[3]), g->scale, g->guessed ? ", a guess: the file does not say" : "");
    double widest = fmax(g->width[0], fmax(g->width[1], g->width[2]));
    if (g->length > 2 || g->length < 1e-3 || widest > 0.35)
        plait_cli_message(
            "warning: is that a head? It is %s wide, and its hair %s long; --unit and --scale set the unit",
            spoken(widest, text[0]), spoken(g->length, text[1]));
}

static int make_scene(const char *output, const char *file, const groom *g, const import_options *o)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return plait_cli_fail("no memory");
    write_scene(f, output, file, g, o);
    fclose(f);
    // It is read before it is written: what is wrong with the mesh, or with what strands become, is told now.
    plait_error error = {0};
    char *folder = plait_cli_folder(output);
    plait_scene *scene = plait_scene_from_text(text, folder, 0, NULL, 0, NULL, &error);
    bool ok = scene ? plait_run_write_text(folder, plait_cli_base_name(output), text)
                    : plait_cli_fail("%s", error.text[0] ? error.text : "not enough memory") == PLAIT_EXIT_OK;
    plait_scene_free(scene);
    free(folder);
    free(text);
    if (!ok)
        return PLAIT_EXIT_BAD;
    printf("%s: %s strands, %s points; to run it: plait run %s\n", output, plait_cli_count(g->strands),
           plait_cli_count(g->points), output);
    tell_sizes(g);
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

// ---- another format ------------------------------------------------------------------------------------------------

static void keep(float *x, int each, int to, int from, int count)
{
    size_t n = (size_t)each;
    if (x)
        memmove(x + n * (size_t)to, x + n * (size_t)from, n * (size_t)count * sizeof *x);
}

// Keeps every n-th strand, in place.
static void thin(plait_hair *h, int every)
{
    int kept = 0, points = 0;
    for (int s = 0; s < h->strands; s += every) {
        int first = h->first[s], count = h->first[s + 1] - first;
        memmove(h->point + 3 * (size_t)points, h->point + 3 * (size_t)first, 3 * (size_t)count * sizeof *h->point);
        keep(h->width, 1, points, first, count);
        keep(h->transparency, 1, points, first, count);
        keep(h->colour, 3, points, first, count);
        keep(h->uv, 2, kept, s, 1);
        int *list[] = {h->id, h->group, h->guide};
        for (size_t k = 0; k < sizeof list / sizeof *list; k++)
            if (list[k])
                list[k][kept] = list[k][s];
        h->first[kept++] = points; // never behind what is still to be read
        points += count;
    }
    h->first[kept] = points;
    h->strands = kept;
}

static int convert(const char *output, plait_hair *h, int every)
{
    plait_error error = {0};
    thin(h, every);
    if (plait_curves_write(output, h, &error) != PLAIT_OK)
        return plait_cli_fail("%s", error.text);
    printf("%s: %s strands, %s points\n", output, plait_cli_count(h->strands), plait_cli_count(h->first[h->strands]));
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

// ---- the command -------------------------------------------------------------------------------------------------

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

// groom.yaml in the working folder. The caller frees it.
static char *default_output(const char *file)
{
    const char *base = plait_cli_base_name(file), *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    char *out = plait_cli_alloc(length + 6, 1);
    snprintf(out, length + 6, "%.*s.yaml", (int)length, base);
    return out;
}

double plait_cli_unit(const char *name)
{
    static const struct {
        const char *name;
        double metres;
    } unit[] = {{"m", 1},     {"dm", 0.1},    {"cm", 0.01},   {"mm", 1e-3},
                {"um", 1e-6}, {"in", 0.0254}, {"ft", 0.3048}, {"inch", 0.0254}};
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (strcmp(name, unit[i].name) == 0)
            return unit[i].metres;
    return 0;
}

static int import_file(const char *file, const char *output, const import_options *o)
{
    plait_error error = {0};
    bool scene = ends_with(output, ".yaml") || ends_with(output, ".yml");
    plait_hair *h = plait_curves_read(file, &error);
    if (!h)
        return plait_cli_fail("%s", error.text);
    groom g;
    h->y_up = h->y_up || o->y_up;
    h->unit = o->scale > 0 ? o->scale : h->unit;
    measure(h, o, &g);
    int code;
    if (!scene)
        code = convert(output, h, o->every);
    else if (o->head && !o->mesh && !fit_head(h, o->every, &g))
        code = plait_cli_fail("%s: --head needs at least four roots that lie about a ball, not in a plane", file);
    else
        code = make_scene(output, file, &g, o);
    plait_hair_free(h);
    return code;
}

int plait_cli_import(int argc, char **argv)
{
    const char *output = NULL, *unit = NULL;
    import_options o = {.every = 1};
    bool force = false;
    const plait_option options[] = {
        {"--output", 'o', PLAIT_OPTION_TEXT, &output, 0, 0, "OUT",
         "NAME.yaml: a scene (default: NAME.yaml here); .hair, .abc, .usda, .usdc, .obj, .ply, .vtp or .csv: the same "
         "curves "
         "in "
         "that "
         "format"},
        {"--every", 0, PLAIT_OPTION_INT, &o.every, 1, 1e9, "N", "one strand in N (1)"},
        {"--head", 0, PLAIT_OPTION_FLAG, &o.head, 0, 0, NULL,
         "a scene with a sphere below the roots that carries them"},
        {"--mesh", 0, PLAIT_OPTION_TEXT, &o.mesh, 0, 0, "HEAD",
         "a scene with this mesh (.obj, .ply, .abc, .usdc, .glb ...) below the roots, in FILE's unit; it carries them"},
        {"--unit", 0, PLAIT_OPTION_TEXT, &unit, 0, 0, "UNIT", "of FILE: m, dm, cm, mm, um, in, ft (as FILE says; cm)"},
        {"--scale", 0, PLAIT_OPTION_REAL, &o.scale, 1e-12, 1e6, "S", "one unit of FILE in metres, instead of --unit"},
        {"--y-up", 0, PLAIT_OPTION_FLAG, &o.y_up, 0, 0, NULL, "FILE has y up and z to the front (as FILE says; z up)"},
        {"--segments", 0, PLAIT_OPTION_INT, &o.segments, 1, 1e6, "N", "of each fibre (as in FILE, 20 at most)"},
        {"--force", 'f', PLAIT_OPTION_FLAG, &force, 0, 0, NULL, "write over a file that is there"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "import",
        .usage = "FILE [options]",
        .summary = "Makes a scene of other programs' curves, or converts them.",
        .details = "FILE has strands (.hair), curves (.abc), BasisCurves (.usda, .usdc) or lines (.obj). The scene "
                   "names it: its fibres are "
                   "the file's curves, at rest as they are drawn, clamped at their first points, under gravity. It is "
                   "meant to be changed by hand.",
        .options = options,
        .min_words = 1,
        .max_words = 1,
        .examples = "import groom.hair --head -o groom.yaml\ta scene with a head that carries the roots\n"
                    "import groom.usda --every 10\tone strand in ten: groom.yaml\n"
                    "import groom.hair -o groom.obj\tthe same curves for another program",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if (unit && o.scale > 0)
        return plait_cli_fail("--unit and --scale say the same thing: one of them is expected");
    if (unit && !((o.scale = plait_cli_unit(unit)) > 0))
        return plait_cli_fail("--unit: expected m, dm, cm, mm, um, in or ft, found '%s'", unit);
    if (o.mesh && o.head)
        return plait_cli_fail("--head and --mesh both put something below the roots: one of them is expected");
    char *own = output ? NULL : default_output(argv[1]);
    const char *to = output ? output : own;
    if (plait_cli_same_place(to, argv[1]))
        code = plait_cli_fail("%s is what is read; another name is needed to write", to);
    else
        code = plait_cli_may_write(to, force) ? import_file(argv[1], to, &o) : PLAIT_EXIT_BAD;
    free(own);
    return code;
}
