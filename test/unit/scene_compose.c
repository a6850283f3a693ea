// Scenes made of several files, and variables: what comes out, and where messages point.
#include <sys/stat.h>

#include "check.h"
#include "scene/schema_scene.h"

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (CHECK(file)) {
        fputs(text, file);
        CHECK(fclose(file) == 0);
    }
}

static plait_scene *read_text(const char *text, int count, const char *const *set, plait_error *error)
{
    return plait_scene_parse(text, strlen(text), "top.yaml", "", count, set, error);
}

// The text must be refused, and the message must begin with `place` and have `words`.
static void refused(const char *text, const char *set, const char *place, const char *words)
{
    plait_error error = {0};
    plait_scene *s = read_text(text, set != NULL, &set, &error);
    if (!CHECK(!s) || !CHECK(strncmp(error.text, place, strlen(place)) == 0) || !CHECK(strstr(error.text, words)))
        printf("%s\nexpected '%s ... %s', found:\n%s\n", text, place, words, s ? "no error" : error.text);
    plait_scene_free(s);
}

#define BASE                                                                                                           \
    "name: base\ntitle: the base\nmaterials: {hair: {radius: 40 um, young: 1 GPa}, skin: }\n"                          \
    "friction: {default: 0.4}\nstep: {dt: 3 ms}\n"                                                                     \
    "fibres: {a: {material: hair, line: {length: 10 cm, count: 2}}}\n"

CASE(include)
{
    plait_error error = {0};
    mkdir("parts", 0777);
    write_text("parts/base.yaml", BASE);
    write_text("parts/more.yaml",
               "include: base.yaml\nstep: {dt: 5 ms, adaptive: true}\nwind: {velocity: [1, 0, 0]}\n");
    const char *text =
        "include: parts/more.yaml\nmaterials: {hair: {radius: 50 um}}\nfibres: {a: {line: {count: 5}}, b: "
        "{material: skin, line: {length: 1 cm}}}\n";
    plait_scene *s = read_text(text, 0, NULL, &error);
    if (!CHECK(s)) {
        puts(error.text);
        return;
    }
    CHECK_STR(s->name, "top"); // not the name of a part
    CHECK_STR(s->title, "the base");
    CHECK(s->materials == 2 && s->material[0].rod.radius[0] == 50e-6 && s->material[0].rod.young == 1e9);
    CHECK_STR(s->material[0].name, "hair"); // in the order of the base
    CHECK(s->fibres == 6 && s->groups == 2 && s->stepping.dt == 5e-3 && s->stepping.adaptive);
    CHECK(s->mu[0] == 0.4 && s->wind[0] == 1);
    // what is kept is whole: it says the same without the other files
    CHECK(!strstr(s->text, "include"));
    plait_scene *again = plait_scene_parse(s->text, strlen(s->text), "other.yaml", "elsewhere", 0, NULL, &error);
    CHECK(again && again->fibres == 6 && strcmp(again->text, s->text) == 0);
    plait_scene_free(again);
    plait_scene_free(s);
    // several: later ones on top; --set goes through what is merged; lists are replaced
    const char *set = "fibres.a.line.count=7";
    s = read_text("include: [parts/base.yaml, parts/more.yaml]\nstep: {dt: 1 ms}\n", 1, &set, &error);
    CHECK(s && s->fibres == 7 && s->stepping.dt == 1e-3 && s->stepping.adaptive);
    plait_scene_free(s);
    s = read_text("include: parts/base.yaml\nfibres: [{material: hair, line: }]\n", 0, NULL, &error);
    CHECK(s && s->fibres == 1);
    plait_scene_free(s);
}

// Every message is about the file that is wrong; file names are relative to the file that has them.
CASE(folders)
{
    CHECK_INT(plait_yaml_folder("a.yaml"), 0);
    CHECK_INT(plait_yaml_folder("parts/a.yaml"), 5);
    CHECK_INT(plait_yaml_folder("/parts/b/a.yaml"), 8);
    CHECK_INT(plait_yaml_folder("/a.yaml"), 1);
}

CASE(include_places)
{
    plait_error error = {0};
    mkdir("places", 0777);
    write_text("places/bad.yaml", "name: x\n\nstep: {dtt: 1 ms}\n");
    refused("include: places/bad.yaml\n", NULL,
            "places/bad.yaml:3:8: error: ", "unknown key 'dtt'; did you mean 'dt'?");
    refused("title: a\ninclude: places/none.yaml\n", NULL, "top.yaml:2:10: error: ", "places/none.yaml: cannot open");
    refused("include: places\n", NULL, "top.yaml:1:10: error: ", "expected a file");
    refused("include: {a: b}\n", NULL, "top.yaml:1:10: error: ", "expected a file name, found a map");
    refused("include: [places/bad.yaml, ]\nstep: {dtt: }\n", NULL, "top.yaml:2:8: error: ", "unknown key 'dtt'");
    refused("title: a\n", "include=places/bad.yaml", "--set include=places/bad.yaml:1:1: error: ", "cannot be set");
    write_text("places/list.yaml", "- a\n");
    refused("include: places/list.yaml\n", NULL,
            "places/list.yaml:1:1: error: ", "expected a map of keys, found a list");
    write_text("places/one.yaml", "title: a\ninclude: two.yaml\n");
    write_text("places/two.yaml", "include:\n- one.yaml\n");
    refused("include: places/one.yaml\n", NULL,
            "places/two.yaml:2:3: error: ", "'places/one.yaml' includes itself through 'places/two.yaml'");
    write_text("places/self.yaml", "include: ../places/self.yaml\n");
    CHECK(!plait_scene_read("places/self.yaml", 0, NULL, &error));
    CHECK(strstr(error.text, "places/self.yaml:1:10: error: 'places/self.yaml' includes itself") != NULL);
    write_text("places/m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_text("places/mesh.yaml", "colliders: {m: {shape: mesh, file: m.obj}}\n");
    plait_scene *s = read_text("include: places/mesh.yaml\n", 0, NULL, &error);
    CHECK(s && s->collider[0].shape.points == 3);
    plait_scene_free(s);
}

#define VARIABLES "variables: {r: 40 um, n: 3, dir: up, at: [0, 0, 1 cm], both: \"$(dir)-$(n)\"}\n"

CASE(variables)
{
    plait_error error = {0};
    const char *text = VARIABLES "title: \"$(both) costs $5, not $$(n)\"\nmaterials: {hair: {radius: '$(r)'}}\n"
                                 "fibres: [{line: {from: '$(at)', count: $(n)}}]\nsmall: {variables.n: 2}\n";
    plait_scene *s = read_text(text, 0, NULL, &error);
    if (!CHECK(s)) {
        puts(error.text);
        return;
    }
    CHECK_STR(s->title, "up-3 costs $5, not $(n)");
    CHECK(s->fibres == 3 && s->material[0].rod.radius[0] == 40e-6 && s->fibre[0].point[2] == 0.01);
    CHECK(!strstr(s->text, "variables"));
    plait_scene *again = plait_scene_parse(s->text, strlen(s->text), "other.yaml", "", 0, NULL, &error);
    CHECK(again && again->fibres == 3 && strcmp(again->title, s->title) == 0 && strcmp(again->text, s->text) == 0);
    plait_scene_free(again);
    plait_scene_free(s);
    const char *const set[] = {"variables.n=5", "materials.hair.density=$(r)0 kg/m^3", "variables.r=20 um"};
    s = read_text(text, 1, set, &error);
    CHECK(s && s->fibres == 5 && strcmp(s->title, "up-5 costs $5, not $(n)") == 0);
    plait_scene_free(s);
    s = read_text(text, 1, set + 2, &error);
    CHECK(s && s->material[0].rod.radius[0] == 20e-6);
    plait_scene_free(s);
    const char *small = "small=true";
    s = read_text(text, 1, &small, &error);
    CHECK(s && s->fibres == 2 && strcmp(s->name, "top-small") == 0);
    plait_scene_free(s);
    const char *value = "fibres.0.line.count=$(n)";
    s = read_text(VARIABLES "fibres: [{line: }]\n", 1, &value, &error);
    CHECK(s && s->fibres == 3);
    plait_scene_free(s);
    // those of an included file have other values here
    write_text("with.yaml", VARIABLES "fibres: [{line: {count: $(n)}}]\n");
    s = read_text("include: with.yaml\nvariables: {n: 6}\n", 0, NULL, &error);
    CHECK(s && s->fibres == 6);
    plait_scene_free(s);
}

CASE(variable_mistakes)
{
    refused("title: a $(b)\n", NULL, "top.yaml:1:10: error: ", "there is no variable 'b'");
    refused("variables: {radius: 1}\ntitle: $(raduis)\n", NULL, "top.yaml:2:8: error: ", "did you mean 'radius'?");
    refused("variables: {t: 1 mm}\nstep: {dt: $(t)}\n", NULL, "top.yaml:1:16: error: ",
            "expected a time [s], found a length [mm]"); // where the value stands
    refused("variables: {a: $(b), b: '$(a)'}\n", NULL, "top.yaml:1:", "needs itself");
    refused("variables: {l: [1, 2]}\ntitle: \"a $(l)\"\n", NULL,
            "top.yaml:2:11: error: ", "is a list: it can only stand alone");
    refused("title: \"a $( b\"\n", NULL, "top.yaml:1:11: error: ", "expected $(name); a plain $( is written $$(");
    refused("variables: [a]\n", NULL, "top.yaml:1:12: error: ", "expected a map of names and values, found a list");
    refused("variables: {a b: 1}\n", NULL, "top.yaml:1:13: error: ", "expected a name of letters");
    refused("variables: {unused: '$(none)'}\n", NULL, "top.yaml:1:21: error: ", "there is no variable 'none'");
    refused("variables: {n: 1}\n", "variables.m=2",
            "--set variables.m=2:1:11: error: ", "there is no variable 'm'; there is only");
    refused("variables: {n: 1}\n", "variables=2", "--set variables=2:1:1: error: ", "cannot be set, but one of them");
    refused("title: a\n", "variables.m=2", "--set variables.m=2:1:11: error: ", "there is no variable 'm'");
    refused("small: {variables.n: 1}\n", NULL, "top.yaml:1:19: error: ", "there is no variable 'n'");
}

// A few lines must not stand for a billion values.
CASE(variables_that_grow)
{
    char text[4000] = "variables:\n  a0: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n";
    char texts[4000] = "variables:\n  a0: xxxxxxxxxxxxxxxxxxxx\n";
    for (int i = 1; i < 20; i++) {
        char line[200];
        snprintf(line, sizeof line, "  a%d: ['$(a%d)', '$(a%d)', '$(a%d)', '$(a%d)']\n", i, i - 1, i - 1, i - 1, i - 1);
        strcat(text, line);
        snprintf(line, sizeof line, "  a%d: $(a%d)$(a%d)$(a%d)$(a%d)\n", i, i - 1, i - 1, i - 1, i - 1);
        strcat(texts, line);
    }
    refused(text, NULL, "top.yaml:", "make this too large");
    refused(texts, NULL, "top.yaml:", "make this too large");
}
