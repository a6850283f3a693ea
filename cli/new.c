// new.c: `plait new`: a scene with comments, for a groom and the body that it grows on.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "run.h"

enum { GUIDES = 500 }; // that are simulated if nothing is said

typedef struct new_options {
    const char *output, *preset, *unit;
    int guides;
    bool force, y_up;
    double lasts; // [s] of a mesh that moves, from time 0; 0: it does not
} new_options;

// A path from the folder of the scene: as it is if it is absolute or the scene is in the working folder.
static char *from_scene(const char *path, const char *scene)
{
    char *real = strchr(scene, '/') && path[0] != '/' ? realpath(path, NULL) : NULL;
    char *copy = plait_cli_alloc(strlen(real ? real : path) + 1, 1);
    strcpy(copy, real ? real : path);
    free(real);
    return copy;
}

static void write_head(FILE *f, const char *mesh, const new_options *o)
{
    fprintf(f,
            "# What is simulated, for 'plait run'. docs/scenes.md has all keys; 'plait check' looks at the result.\n"
            "title: a groom of your own\n\n"
            "materials:\n"
            "  # fine, coarse, curly, coily, fur, wet, gel; any number can be given besides: young: 3 GPa\n"
            "  # contact_radius: a guide stands for a lock, which is thicker than a hair\n"
            "  hair: {preset: %s, contact_radius: 0.5 mm}\n"
            "  skin:\n"
            "friction: {default: 0.3, pairs: [[hair, skin, 0.5]]}\n\n",
            o->preset ? o->preset : "coarse");
    fprintf(f,
            "colliders:\n"
            "%s"
            "  # a head that turns: motion: {ease: smooth, keys: [{time: 0}, {time: 1 s, rotation: [0, 0, 60 deg]}]}\n"
            "  head: {material: skin, shape: mesh, file: ",
            o->lasts > 0 ? "  # the file's own motion moves the skin\n"
                         : "  # skin that deforms: frames: [walk.0001.obj, walk.0002.obj], frame_time: 0.0416667\n");
    plait_cli_write_quoted(f, mesh);
    fprintf(f, "%s%s%s}\n\n", o->unit ? ", scale: 1 " : "", o->unit ? o->unit : "",
            o->y_up ? ", rotation: [0, 127.279220614 deg, 127.279220614 deg]" : "");
}

static void write_fibres(FILE *f, const char *groom, int strands, int every, const new_options *o)
{
    fprintf(f,
            "fibres:\n"
            "  groom:\n"
            "    material: hair\n"
            "    segments: 12          # of a guide: more for curls, fewer for speed\n"
            "    start: held           # in equilibrium as it is drawn; or drawn, relaxed (docs/simulation.md)\n"
            "    # goal: 0.3           # follow the drawn pose by 30 %%\n"
            "    ends: {root: clamped, attach: head}\n"
            "    # %d strands in the file; one in %d is simulated\n"
            "    file: {path: ",
            strands, every);
    plait_cli_write_quoted(f, groom);
    fprintf(f,
            ", every: %d, project: true%s%s%s}\n"
            "    # the others are carried along: by 'plait render', 'plait export', 'plait view --strands all'\n"
            "    carry: {guides: 3, clump: 0, frizz: 0, taper: 0.3}\n\n",
            every, o->unit ? ", scale: 1 " : "", o->unit ? o->unit : "",
            o->y_up ? ", y_up: true" : "");
    fprintf(f,
            "# wind: {velocity: [3, 0, 0], turbulence: 1, turbulence_size: 20 cm, shelter: 0.7}\n\n"
            "step:\n"
            "  dt: 2 ms\n"
            "  # settle: 1 s           # comes to rest before the start\n"
            "output: {duration: %.6g s, fps: 24}\n\n"
            "# a quick try: plait run THIS.yaml --set small=true\n"
            "small: {fibres.groom.file.every: %d, output.duration: 0.25 s}\n",
            o->lasts > 0 ? o->lasts : 2, 10 * every);
}

// The scene as text, to be freed; NULL after a message.
static char *make_text(const char *path, const char *groom, const char *mesh, int strands, const new_options *o)
{
    size_t size = 0;
    char *text = NULL;
    FILE *f = open_memstream(&text, &size);
    char *groom_path = from_scene(groom, path), *mesh_path = from_scene(mesh, path);
    int every = strands / (o->guides > 0 ? o->guides : GUIDES);
    if (f) {
        write_head(f, mesh_path, o);
        write_fibres(f, groom_path, strands, every > 1 ? every : 1, o);
    }
    free(groom_path);
    free(mesh_path);
    if (f && fclose(f) == 0)
        return text;
    free(text);
    plait_cli_fail("not enough memory");
    return NULL;
}

// What the scene makes of the mesh: its size, by which a wrong unit is seen, and how long it moves.
static void look_at(const plait_shape *mesh, char *words, size_t size, double *lasts)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * mesh->points; i++)
        low[i % 3] = fmin(low[i % 3], mesh->point[i]), high[i % 3] = fmax(high[i % 3], mesh->point[i]);
    double end = mesh->frame_start + (mesh->frames - 1) * mesh->frame_time;
    *lasts = mesh->frames > 1 && end > 0 ? end : 0;
    int n = snprintf(words, size, "it grows on %.3g cm x %.3g cm x %.3g cm", 100 * (high[0] - low[0]),
                     100 * (high[1] - low[1]), 100 * (high[2] - low[2]));
    if (*lasts > 0)
        snprintf(words + n, size - (size_t)n, " that move for %.3g s (%d frames)", *lasts, mesh->frames);
}

static bool write_scene(const char *path, const char *groom, const char *mesh, int strands, new_options *o, char *words,
                        size_t size)
{
    char *text = make_text(path, groom, mesh, strands, o);
    // It is read before it is written: what is wrong with the mesh, say, is told now.
    plait_error error = {0};
    static const char *const small = "small=true";
    plait_scene *scene = text ? plait_scene_from_text(text, "", 1, &small, 0, NULL, &error) : NULL;
    if (text && !scene)
        plait_cli_fail("%s", error.text[0] ? error.text : "not enough memory");
    if (scene)
        look_at(&scene->collider[0].shape, words, size, &o->lasts);
    if (scene && o->lasts > 0) {
        free(text);
        text = make_text(path, groom, mesh, strands, o);
    }
    char *folder = plait_cli_folder(path);
    bool ok = scene && text && plait_run_write_text(folder, plait_cli_base_name(path), text);
    plait_scene_free(scene);
    free(folder), free(text);
    return ok;
}

int plait_cli_new(int argc, char **argv)
{
    new_options o = {.output = "scene.yaml"};
    const plait_option options[] = {
        {"--output", 'o', PLAIT_OPTION_TEXT, &o.output, 0, 0, "FILE", "the scene to write (default: scene.yaml)"},
        {"--preset", 0, PLAIT_OPTION_TEXT, &o.preset, 0, 0, "NAME",
         "kind of hair: fine, coarse (default), curly, coily, fur, wet, gel"},
        {"--guides", 0, PLAIT_OPTION_INT, &o.guides, 1, 1e6, "N", "so many strands are simulated, about (default 500)"},
        {"--unit", 0, PLAIT_OPTION_TEXT, &o.unit, 0, 0, "U",
         "unit of both files: mm, cm, m, in ...; default: as they say"},
        {"--y-up", 0, PLAIT_OPTION_FLAG, &o.y_up, 0, 0, NULL, "both files have y up"},
        {"--force", 'f', PLAIT_OPTION_FLAG, &o.force, 0, 0, NULL, "write over a file that is there"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "new",
        .usage = "GROOM MESH [options]",
        .summary = "Writes a scene with comments, for a groom and the body that it grows on.",
        .details =
            "GROOM has curves (.hair, .abc, .usda, .usdc, .obj), MESH the head or body (.obj, .ply; .abc, .usda, .usdc, "
            ".gltf or .glb, with their motion). The scene is read before it is written: what cannot be is told at once. Then: 'plait check', 'plait run'.",
        .options = options,
        .min_words = 2,
        .max_words = 2,
        .examples = "new groom.hair head.obj -o shot.yaml\ta scene to begin with\n"
                    "new fur.usda cat.obj --preset fur --guides 2000\tmore guides, of another kind",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if (!plait_cli_may_write(o.output, o.force))
        return PLAIT_EXIT_BAD;
    plait_error error = {0};
    plait_hair *hair = plait_curves_read(argv[1], &error);
    if (!hair)
        return plait_cli_fail("%s", error.text);
    int strands = hair->strands;
    plait_hair_free(hair);
    char size[160];
    if (!write_scene(o.output, argv[1], argv[2], strands, &o, size, sizeof size))
        return PLAIT_EXIT_BAD;
    int guides = o.guides > 0 ? o.guides : GUIDES;
    printf("%s: %s strands, about %s are simulated; %s\na quick try: plait run %s --set small=true\n", o.output,
           plait_cli_count(strands), plait_cli_count(strands < guides ? strands : guides), size, o.output);
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}
