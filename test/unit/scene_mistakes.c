// Scenes with one mistake each: the message must have line, column and the words that help, and the caret must be below
// the column.
#include "check.h"
#include "scene/schema_scene.h"

typedef struct mistake {
    const char *text;
    int line, column; // 0: the message has no place
    const char *words;
    const char *suggests; // NULL: nothing
} mistake;

#define HAIR "materials: {hair: , skin: }\n"
#define BALL HAIR "colliders: {ball: {material: skin, shape: sphere, radius: 1 cm}}\n"
#define FIBRE HAIR "fibres:\n- material: hair\n  "

static const mistake mistakes[] = {
    // syntax
    {"", 1, 1, "there is nothing in it", NULL},
    {"# only words\n", 1, 1, "there is nothing in it", NULL},
    {"a: [1, 2\n", 2, 1, "that begins in line 1", NULL},
    {"step: {dt: 1 ms\ngravity: 3\n", 2, 0, "", NULL},
    {"gravity: [0, 0, -9.81] m/s^2\n", 1, 24, "needs quotes", NULL},
    {"step:\n\tdt: 1\n", 2, 1, "a tab", NULL},
    {"title: \"a\n", 2, 1, "unexpected end of stream", NULL},
    {"- a\n- b\n", 1, 1, "expected a map of keys, found a list", NULL},
    {"hello\n", 1, 1, "expected a map of keys, found 'hello'", NULL},
    {"name: a\n---\nname: b\n", 2, 1, "a second document", NULL},
    {"name: &x a\ntitle: *x\n", 1, 7, "anchors", NULL},
    {"title: *x\n", 1, 8, "aliases", NULL},
    {"title: !!str a\n", 1, 8, "tags", NULL},
    {"title: \"\\0\"\n", 1, 8, "code 0", NULL},
    {"title: a\x01\n", 1, 9, "control characters are not allowed", NULL},
    {"title: \xff\n", 1, 8, "invalid leading UTF-8 octet", NULL},
    {"? [a, b]\n: c\n", 1, 3, "expected a word as key", NULL},
    // keys
    {"gravty: [0, 0, 0]\n", 1, 1, "unknown key 'gravty'", "gravity"},
    {"name: a\nname: b\n", 2, 1, "the key 'name' is given twice, first in line 1", NULL},
    {"step:\n  dt: 1 ms\n  dt: 2 ms\n", 3, 3, "the key 'dt' is given twice, first in line 2", NULL},
    {"step: {dtt: 1 ms}\n", 1, 8, "unknown key 'dtt'", "dt"},
    {"step: {rod: {tolerence: 1}}\n", 1, 14, "unknown key 'tolerence'", "tolerance"},
    {"xyzzy: 1\n", 1, 1, "unknown key 'xyzzy'", NULL},
    {"materials: {hair: {colour: red}}\n", 1, 20, "unknown key 'colour'", NULL},
    {FIBRE "line: {lenght: 1}\n", 4, 10, "unknown key 'lenght'", "length"},
    {"wind: {speed: 1}\n", 1, 8, "unknown key 'speed'; there are 'velocity', 'gust', 'frequency', 'turbulence', 'turbulence_size' and 'shelter'", NULL},
    // types
    {"step: 3\n", 1, 7, "expected a map of keys, found '3'", NULL},
    {"step: [1]\n", 1, 7, "expected a map of keys, found a list", NULL},
    {"gravity: 9.81\n", 1, 10, "expected a list of 3 numbers [m/s^2], found '9.81'", NULL},
    {"gravity: [0, -9.81]\n", 1, 10, "expected a list of 3 numbers, found 2", NULL},
    {"gravity: [0, 0, down]\n", 1, 17, "expected an acceleration [m/s^2], found 'down'", NULL},
    {"gravity: [0, 0, [1]]\n", 1, 17, "expected an acceleration [m/s^2], found a list", NULL},
    {"step: {adaptive: maybe}\n", 1, 18, "expected true or false, found 'maybe'", NULL},
    {"step: {dt: }\n", 1, 12, "expected a time [s], found nothing", NULL},
    {"step: {rod: {max_iterations: 2.5}}\n", 1, 30, "expected a whole number, found '2.5'", NULL},
    {"step: {rod: {max_iterations: 99999999999}}\n", 1, 30, "too large", NULL},
    {"title: [a]\n", 1, 8, "expected a text, found a list", NULL},
    {"title: |\n  a\n  b\n", 1, 8, "expected one line of text", NULL},
    {"materials: [hair]\n", 1, 12, "expected a map of names, found a list", NULL},
    {"fibres: 3\n", 1, 9, "expected a list or a map of names, found '3'", NULL},
    {"solver: {solver: newton}\n", 1, 18, "unknown solver 'newton'", "newton-ac"},
    {"solver: {solver: newton-acc}\n", 1, 18, "unknown solver 'newton-acc'", "newton-ac"},
    {"contact: {detection: proximty}\n", 1, 22, "unknown detection 'proximty'", "proximity"},
    {FIBRE "seed: -1\n  line: \n", 4, 9, "expected a whole number from 0", NULL},
    {FIBRE "model: superhelx\n  line: \n", 4, 10, "unknown model 'superhelx'", "superhelix"},
    // units and ranges
    {"step: {dt: 1 mm}\n", 1, 12, "expected a time [s], found a length [mm]", NULL},
    {"step: {dt: 0}\n", 1, 12, "'dt' must be between 1e-09 and 10 s, found 0 s", NULL},
    {"step: {dt: 1 ms, dt_min: 2 ms}\n", 1, 26, "'dt_min' must not be above 'dt'", NULL},
    {"step: {dt: 1 mz}\n", 1, 12, "unknown unit 'mz'", NULL},
    {"materials: {hair: {radius: -1 mm}}\n", 1, 28, "'radius' must be between", NULL},
    {"materials: {hair: {radius: [1 um, 2 um, 3 um]}}\n", 1, 28, "expected a list of 2 numbers, found 3", NULL},
    {"materials: {hair: {density: 1.3 g/cm^2}}\n", 1, 29, "expected a density [kg/m^3]", NULL},
    {"friction: {default: -0.1}\n", 1, 21, "'default' must be between 0 and 1000", NULL},
    {"restitution: {default: 2}\n", 1, 24, "'default' must be between 0 and 1, found 2", NULL},
    {"gravity: \"[0, 0, -9.81] m/s\"\n", 1, 10, "expected an acceleration [m/s^2], found a speed [m/s]", NULL},
    {"output: {fps: 25, frame_time: 40 ms}\n", 1, 10, "only one may be given", NULL},
    // names and references
    {"name: two words\n", 1, 7, "expected a name of letters", NULL},
    {"materials: {2: }\n", 1, 13, "expected a name of letters", NULL},
    {"materials: {a.b: }\n", 1, 13, "expected a name of letters", NULL},
    {HAIR "fibres:\n- {material: hiar, line: }\n", 3, 14, "there is no material 'hiar'", "hair"},
    {HAIR "fibres:\n- line:\n", 3, 3, "the key 'material' is missing here: there are 2 materials", NULL},
    {HAIR "fibres:\n- {name: a, material: hair, line: }\n- {name: a, material: hair, line: }\n", 4, 10,
     "the name 'a' is given twice", NULL},
    {HAIR "colliders:\n- {name: a, shape: plane, material: skin}\n- {name: a, shape: plane, material: skin}\n", 4, 10,
     "the name 'a' is given twice", NULL},
    {HAIR "colliders: {a: {name: b, shape: plane, material: skin}}\n", 2, 17, "its name is 'a' already", NULL},
    {HAIR "friction: {pairs: [[hair, skni, 0.5]]}\n", 2, 27, "there is no material 'skni'", "skin"},
    {HAIR "friction: {pairs: [[hair, skin]]}\n", 2, 20, "expected [material, material, number]", NULL},
    {HAIR "friction: {pairs: {hair: 1}}\n", 2, 19, "expected a list [[material, material, number], ...]", NULL},
    {HAIR "friction: {pairs: [[hair, skin, 1], [skin, hair, 2]]}\n", 2, 37, "is given twice", NULL},
    {BALL "fibres: [{material: hair, ends: {root: clamped, attach: bal}, line: }]\n", 3, 57,
     "there is no collider 'bal'", "ball"},
    {BALL "fibres: [{material: hair, ends: {attach: ball}, line: }]\n", 3, 42, "both ends are free", NULL},
    {BALL "fibres: [{material: hair, ends: {root: pinned, attach_tip: ball}, line: }]\n", 3, 60, "this end is free",
     NULL},
    // fibres
    {FIBRE "segments: 3\n", 3, 3, "a generator is missing here", NULL},
    {FIBRE "line: \n  helix:\n", 5, 3, "expected exactly one generator, found 'line' and 'helix'", NULL},
    {FIBRE "polyline: {smooth: true}\n", 4, 3, "the key 'points' is missing here", NULL},
    {FIBRE "polyline: {points: [[0, 0, 0]]}\n", 4, 3, "", NULL},
    {FIBRE "polyline: {points: [[0, 0, 0], [0, 1]]}\n", 4, 34, "expected a list of 3 numbers, found 2", NULL},
    {FIBRE "natural: {radius: 1 mm}\n  line: \n", 4, 3, "the key 'shape' is missing here", NULL},
    {FIBRE "scalp: {count: 3}\n", 4, 3, "'scalp' needs a collider to grow on", NULL},
    {FIBRE "line: {direction: [0, 0, 0]}\n", 4, 3, "direction", NULL},
    {FIBRE "model: superhelix\n  ends: {root: clamped, tip: edge}\n  line: \n", 0, 0,
     "fibre 0 (fibres-0): model superhelix cannot hold", NULL},
    // colliders and bodies
    {HAIR "colliders: [{material: skin}]\n", 2, 13, "the key 'shape' is missing here", NULL},
    {HAIR "colliders: [{material: skin, shape: shpere, radius: 1}]\n", 2, 37, "unknown shape 'shpere'", "sphere"},
    {HAIR "colliders: [{material: skin, shape: sphere}]\n", 2, 37, "the shape 'sphere' needs the key 'radius'", NULL},
    {HAIR "colliders: [{material: skin, shape: sphere, radius: 1, length: 1}]\n", 2, 56,
     "the shape 'sphere' has no 'length'", NULL},
    {HAIR "colliders: [{material: skin, shape: curve, radius: 1, points: [[0, 0, 0]]}]\n", 2, 63,
     "a curve needs at least 2 points, found 1", NULL},
    {HAIR "colliders: [{material: skin, shape: mesh, file: /there/is/none.obj}]\n", 2, 49,
     "/there/is/none.obj: cannot open", NULL},
    {HAIR "bodies: [{material: skin, shape: cylinder}]\n", 2, 34,
     "unknown shape 'cylinder'; there are 'plane', 'sphere', 'capsule', 'box' and 'mesh'", NULL},
    {HAIR "colliders:\n- material: skin\n  shape: none\n  motion: {keys: [{time: 1}, {time: 0.5}]}\n", 5, 37,
     "times must ascend", NULL},
    {HAIR "colliders:\n- material: skin\n  shape: none\n  motion: {keys: [{position: [0, 0, 0]}]}\n", 5, 19,
     "the key 'time' is missing here", NULL},
    {HAIR "colliders:\n- material: skin\n  shape: none\n  motion: {drives: [{kind: sine, move: [0, 0, 1]}]}\n", 5, 28,
     "a sine drive needs a 'frequency'", NULL},
    {HAIR "colliders:\n- material: skin\n  shape: none\n  motion: {drives: [{kind: sine, spin: [0, 0, 1]}]}\n", 5, 34,
     "a sine drive has 'move' or 'turn'", NULL},
    {HAIR "colliders:\n- material: skin\n  shape: none\n  motion: {drives: [{kind: ramp, move: [0, 0, 1]}]}\n", 5, 28,
     "a ramp needs 'stop'", NULL},
    {HAIR "colliders:\n- material: skin\n  shape: none\n  motion: {drives: [{kind: linear}]}\n", 5, 28,
     "a linear drive needs 'velocity' or 'spin'", NULL},
    {HAIR "colliders:\n- material: skin\n  shape: none\n  motion: {drives: [{kind: linear, spin: [0, 0, 2 Hz]}]}\n", 5,
     49, "expected an angular speed [rad/s], found a frequency [Hz]", NULL},
    // the small variant is looked at even if it is not asked for
    {"small: {step.dtt: 1 ms}\n", 1, 14, "unknown key 'dtt'", "dt"},
    {"small: {fibres.hair.segments: 1}\n", 1, 16, "there is nothing in 'fibres'", NULL},
    {"small: [step]\n", 1, 8, "expected a map of paths and values, found a list", NULL},
    {"small: {gravity.x: 1}\n", 1, 9, "it is set as a whole", NULL},
};

// The line that the message quotes, and the column its caret is below (with what was cut off before it).
static bool caret_fits(const char *message, int column)
{
    const char *line = strchr(message, '\n');
    const char *caret = line ? strchr(line + 1, '\n') : NULL;
    if (!caret)
        return false;
    size_t before = strspn(caret + 1, " ");
    return caret[1 + before] == '^' && (strncmp(line + 1, "...", 3) == 0 || (int)before == column - 1);
}

CASE(messages)
{
    CHECK(sizeof mistakes / sizeof *mistakes >= 90);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const mistake *m = &mistakes[i];
        plait_error error = {0};
        plait_scene *scene = plait_scene_parse(m->text, strlen(m->text), "dir/scene.yaml", "dir", 0, NULL, &error);
        char start[64], hint[64];
        bool ok = CHECK(!scene) && CHECK(error.status == PLAIT_BAD_INPUT || error.status == PLAIT_BAD_FILE);
        if (m->column > 0)
            snprintf(start, sizeof start, "dir/scene.yaml:%d:%d: error: ", m->line, m->column);
        else if (m->line > 0)
            snprintf(start, sizeof start, "dir/scene.yaml:%d:", m->line);
        else
            snprintf(start, sizeof start, "dir/scene.yaml: error: ");
        snprintf(hint, sizeof hint, "; did you mean '%s'?", m->suggests ? m->suggests : "");
        ok = ok && CHECK(strncmp(error.text, start, strlen(start)) == 0) && CHECK(strstr(error.text, m->words));
        ok = ok && CHECK(m->suggests ? strstr(error.text, hint) != NULL : strstr(error.text, "did you mean") == NULL);
        ok = ok && CHECK(m->column == 0 || m->text[0] == 0 || caret_fits(error.text, m->column));
        if (!ok)
            printf("scene:\n%sexpected '%s%s', found:\n%s\n", m->text, start, m->words,
                   scene ? "no error" : error.text);
        plait_scene_free(scene);
    }
}

// For those who look for the same mistakes with other means (test/cli/schema.sh): each text as a file, and
// words of its message as another.
CASE(written)
{
    const char *folder = getenv("PLAIT_MISTAKES");
    if (!folder)
        SKIP("only with PLAIT_MISTAKES, a folder");
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%03zu.yaml", folder, i);
        FILE *file = fopen(path, "w");
        if (!CHECK(file))
            return;
        fputs(mistakes[i].text, file);
        CHECK(fclose(file) == 0);
        snprintf(path, sizeof path, "%s/%03zu.words", folder, i);
        file = fopen(path, "w");
        if (!CHECK(file))
            return;
        fputs(mistakes[i].words, file);
        CHECK(fclose(file) == 0);
    }
}

CASE(no_error_wanted)
{
    const char *text = "gravty: 1\n";
    CHECK(!plait_scene_parse(text, strlen(text), "a", "", 0, NULL, NULL));
    CHECK(!plait_scene_read("there/is/none.yaml", 0, NULL, NULL));
}

CASE(files)
{
    plait_error error = {0};
    CHECK(!plait_scene_read("there/is/none.yaml", 0, NULL, &error));
    CHECK_INT(error.status, PLAIT_BAD_FILE);
    CHECK(strstr(error.text, "there/is/none.yaml: cannot open: No such file") != NULL);
    CHECK(!plait_scene_read(".", 0, NULL, &error));
    CHECK(strstr(error.text, ".: cannot read: ") != NULL);
}

// Long lines are shown around the column, long names lose their beginning, and all fits.
CASE(long_lines)
{
    char text[3000], name[600];
    memset(name, 'd', sizeof name);
    memcpy(name + sizeof name - 12, "/scene.yaml", 12);
    for (int before = 0; before < 2000; before += 37) {
        for (int after = 0; after < 400; after += 99) {
            int n = snprintf(text, sizeof text, "output: {%*sduratoin: 1%*s}\n", before, "", after, "");
            plait_error error = {0};
            CHECK(!plait_scene_parse(text, (size_t)n, name, "", 0, NULL, &error));
            CHECK(strlen(error.text) < sizeof error.text - 1);
            CHECK(strstr(error.text, "/scene.yaml:1:") && strstr(error.text, "did you mean 'duration'?"));
            const char *line = strchr(error.text, '\n'), *caret = line ? strrchr(error.text, '^') : NULL;
            if (!CHECK(caret != NULL))
                continue;
            const char *below = strrchr(error.text, '\n');
            CHECK(strncmp(line + 1 + (caret - below - 1), "duratoin", 8) == 0); // the caret is below the word
            CHECK(strcmp(caret, "^~~~~~~~") == 0);
        }
    }
}

// Columns count characters, not bytes.
CASE(wide_characters)
{
    const char *text = "title: \"\xc3\xa4\xc3\xb6\xc3\xbc\xe2\x82\xac\", gravty: 1\n";
    char flow[128];
    plait_error error = {0};
    snprintf(flow, sizeof flow, "{%.*s}", (int)strlen(text) - 1, text);
    CHECK(!plait_scene_parse(flow, strlen(flow), "a.yaml", "", 0, NULL, &error));
    CHECK(strncmp(error.text, "a.yaml:1:17: error: unknown key 'gravty'", 40) == 0);
    const char *caret = strrchr(error.text, '\n');
    CHECK(caret && strspn(caret + 1, " ") == 16);
    // 700 characters of three bytes: the message is still whole characters that fit
    char wide[3000] = "title: [\"";
    for (int i = 0; i < 700; i++)
        strcat(wide, "\xe2\x82\xac");
    strcat(wide, "\", 1]\n");
    CHECK(!plait_scene_parse(wide, strlen(wide), "a.yaml", "", 0, NULL, &error));
    CHECK(strstr(error.text, "expected a text, found a list") && strlen(error.text) < sizeof error.text);
}

// What a file says does not steer the terminal.
CASE(control_characters)
{
    const char *text = "\"ti\\e[31mtle\": 1\n";
    plait_error error = {0};
    CHECK(!plait_scene_parse(text, strlen(text), "a.yaml", "", 0, NULL, &error));
    CHECK(strchr(error.text, '\x1b') == NULL && strstr(error.text, "ti?[31mtle"));
}

CASE(nesting)
{
    char text[4000] = "title: ";
    plait_error error = {0};
    for (int i = 0; i < 900; i++)
        strcat(text, "[");
    CHECK(!plait_scene_parse(text, strlen(text), "a.yaml", "", 0, NULL, &error));
    CHECK(strstr(error.text, "nested more than") != NULL);
}
