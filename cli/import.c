// import.c: `plait import`: other programs' curves as a scene that runs, or in another format.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "run.h"

// ---- what is in the file -------------------------------------------------------------------------------------------

typedef struct groom {
    int strands, points;    // that are used
    int longest;            // segments of the longest strand
    double scale;           // [m] of a unit
    double radius;          // [m] half the thickness; 0: not known
    double length;          // [m] mean
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

static void measure(const plait_hair *h, int every, groom *g)
{
    *g = (groom){.scale = h->unit > 0 ? h->unit : 0.01};
    for (int s = 0; s < h->strands; s += every) {
        int points = h->first[s + 1] - h->first[s];
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

// A text in quotes, as YAML has it.
static void write_quoted(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', f);
        if ((unsigned char)*text >= 0x20)
            fputc(*text, f);
    }
    fputc('"', f);
}

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

static void write_scene(FILE *f, const char *scene, const char *file, const groom *g, int every)
{
    char *path = path_from(scene, file);
    fprintf(f, "# %d strands with %d points, %.3g m long on average.\ntitle: ", g->strands, g->points, g->length);
    write_quoted(f, plait_cli_base_name(file));
    fprintf(f, "\nmaterials:\n");
    // What is drawn is what touches; a lock's thickness is no hair's stiffness.
    bool hair = g->radius > 1e-5 && g->radius < 1e-4;
    fprintf(f, "  hair: {radius: %.6g, density: 1.32 g/cm^3, young: 3.9 GPa, damping: 5 ms, drag: 1",
            hair ? g->radius : 37e-6);
    if (!hair && g->radius > 0)
        fprintf(f, ", contact_radius: %.6g", g->radius);
    fprintf(f, "}\n");
    if (g->head > 0)
        fprintf(f, "  skin:\n");
    fprintf(f, "friction: {default: 0.3}\n");
    if (g->head > 0)
        fprintf(f, "colliders:\n  head: {material: skin, shape: sphere, radius: %.6g, position: [%.6g, %.6g, %.6g]}\n",
                g->head, g->centre[0], g->centre[1], g->centre[2]);
    fprintf(f, "fibres:\n  groom:\n    material: hair\n    segments: %d\n    natural: {shape: drawn}\n",
            g->longest < 20 ? g->longest : 20);
    fprintf(f, "    ends: {root: clamped%s}\n    file: {path: ", g->head > 0 ? ", attach: head" : "");
    write_quoted(f, path);
    fprintf(f, ", every: %d, scale: %.9g}\n", every, g->scale);
    fprintf(f, "gravity: [0, 0, -9.81]\nstep: {dt: 2 ms}\noutput: {duration: 1 s, fps: 25}\n");
    free(path);
}

static int make_scene(const char *output, const char *file, const groom *g, int every)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return plait_cli_fail("no memory");
    write_scene(f, output, file, g, every);
    fclose(f);
    const char *base = plait_cli_base_name(output);
    char *folder = plait_cli_alloc(strlen(output) + 2, 1);
    memcpy(folder, output, (size_t)(base - output));
    if (!*folder)
        strcpy(folder, ".");
    bool ok = plait_run_write_text(folder, base, text);
    free(folder);
    free(text);
    if (!ok)
        return PLAIT_EXIT_BAD;
    printf("%s: %s strands, %s points; to run it: plait run %s\n", output, plait_cli_count(g->strands),
           plait_cli_count(g->points), output);
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

// ---- another format ------------------------------------------------------------------------------------------------

// Keeps every n-th strand, in place.
static void thin(plait_hair *h, int every)
{
    int kept = 0, points = 0;
    for (int s = 0; s < h->strands; s += every) {
        int first = h->first[s], count = h->first[s + 1] - first;
        memmove(h->point + 3 * (size_t)points, h->point + 3 * (size_t)first, 3 * (size_t)count * sizeof *h->point);
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

static int import_file(const char *file, const char *output, int every, bool head)
{
    plait_error error = {0};
    bool scene = ends_with(output, ".yaml") || ends_with(output, ".yml");
    plait_hair *h = plait_curves_read(file, &error);
    if (!h)
        return plait_cli_fail("%s", error.text);
    groom g;
    measure(h, every, &g);
    int code;
    if (!scene)
        code = convert(output, h, every);
    else if (head && !fit_head(h, every, &g))
        code = plait_cli_fail("%s: --head needs at least four roots that lie about a ball, not in a plane", file);
    else
        code = make_scene(output, file, &g, every);
    plait_hair_free(h);
    return code;
}

int plait_cli_import(int argc, char **argv)
{
    const char *output = NULL;
    int every = 1;
    bool force = false, head = false;
    const plait_option options[] = {
        {"--output", 'o', PLAIT_OPTION_TEXT, &output, 0, 0, "OUT",
         "NAME.yaml: a scene (default: NAME.yaml here); .hair, .usda, .obj, .ply, .vtp or .csv: the same curves in "
         "that "
         "format"},
        {"--every", 0, PLAIT_OPTION_INT, &every, 1, 1e9, "N", "one strand in N (1)"},
        {"--head", 0, PLAIT_OPTION_FLAG, &head, 0, 0, NULL, "a scene with a sphere below the roots that carries them"},
        {"--force", 'f', PLAIT_OPTION_FLAG, &force, 0, 0, NULL, "write over a file that is there"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "import",
        .usage = "FILE [options]",
        .summary = "Makes a scene of other programs' curves, or converts them.",
        .details = "FILE has strands (.hair), BasisCurves (.usda) or lines (.obj). The scene names it: its fibres are "
                   "the file's curves, at rest as they are drawn, clamped at their first points, under gravity. It is "
                   "meant to be changed by hand.",
        .options = options,
        .min_words = 1,
        .max_words = 1,
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    char *own = output ? NULL : default_output(argv[1]);
    const char *to = output ? output : own;
    if (strcmp(to, argv[1]) == 0)
        code = plait_cli_fail("%s is what is read; another name is needed to write", to);
    else
        code = plait_cli_may_write(to, force) ? import_file(argv[1], to, every, head) : PLAIT_EXIT_BAD;
    free(own);
    return code;
}
