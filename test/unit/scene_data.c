// Scenes that a program makes itself, and what plait_scene_check says of them.
#include "check.h"
#include "plait/scene.h"

static plait_scene *make(void)
{
    plait_scene *s = plait_scene_new();
    const double line[6] = {0, 0, 1, 0.1, 0, 1};
    plait_scene_add_material(s, "hair", NULL, 0.3);
    plait_scene_add_material(s, "skin", NULL, 0.5);
    plait_scene_add_group(s, "rods");
    plait_scene_add_fibre(s, PLAIT_ROD_DER, 0, 2, line);
    int c = plait_scene_add_collider(s, "head", PLAIT_SHAPE_SPHERE);
    s->collider[c].shape.size[0] = 0.1;
    int r = plait_scene_add_rigid(s, "ball", PLAIT_SHAPE_BOX);
    s->rigid[r].density = 1000;
    for (int k = 0; k < 3; k++)
        s->rigid[r].shape.size[k] = 0.01;
    return s;
}

CASE(defaults)
{
    plait_scene *s = plait_scene_new();
    plait_error error = {0};
    CHECK(s->gravity[0] == 0 && s->gravity[2] == -9.81 && s->materials == 0 && s->fibres == 0);
    CHECK(s->stepping.dt > 0 && s->stepping.dt_min > 0 && s->stepping.dt_min <= s->stepping.dt);
    CHECK(s->stepping.solve.solver == PLAIT_SOLVER_AUTO && s->stepping.solve.tol == 1e-6);
    CHECK(s->stepping.solve.max_time == 0);            // results must not depend on the clock
    CHECK_INT(plait_scene_check(s, &error), PLAIT_OK); // an empty scene can be simulated
    plait_scene_free(s);
    plait_scene_free(NULL);
}

CASE(growing)
{
    plait_scene *s = plait_scene_new();
    char name[100];
    for (int i = 0; i < 20; i++) {
        snprintf(name, sizeof name, "material-%d", i);
        CHECK_INT(plait_scene_add_material(s, name, NULL, 0.01 * i), i);
    }
    for (int a = 0; a < 20; a++)
        for (int b = 0; b < 20; b++) // the later one of the two set the friction
            CHECK(s->mu[a * 20 + b] == 0.01 * (a > b ? a : b) && s->restitution[a * 20 + b] == 0);
    plait_scene_set_friction(s, 3, 7, 0.9, 0.25);
    CHECK(s->mu[3 * 20 + 7] == 0.9 && s->mu[7 * 20 + 3] == 0.9 && s->restitution[7 * 20 + 3] == 0.25);
    CHECK(s->mu[7 * 20 + 7] == 0.07);
    double point[30];
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < 30; k++)
            point[k] = i + k;
        if (i % 100 == 0)
            CHECK_INT(plait_scene_add_group(s, "g"), i / 100);
        CHECK_INT(plait_scene_add_fibre(s, PLAIT_ROD_DER, 1, 10, point), i);
    }
    CHECK(s->fibre[17].point[29] == 46 && s->fibre[250].group == 2 && s->fibre[250].attach[0] == -1);
    CHECK(s->fibre[5].end[0] == PLAIT_END_FREE && s->fibre[5].attach[1] == -1);
    // names that are too long are cut, not overrun
    memset(name, 'x', sizeof name);
    name[99] = 0;
    int c = plait_scene_add_collider(s, name, PLAIT_SHAPE_PLANE);
    CHECK_INT((int)strlen(s->collider[c].name), PLAIT_NAME - 1);
    CHECK_INT(plait_scene_add_rigid(s, NULL, PLAIT_SHAPE_SPHERE), 0);
    CHECK_STR(s->rigid[0].name, "");
    plait_scene_free(s);
}

// Each change makes a scene that cannot be simulated; the message names the part and the value.
static void spoil_fibre(plait_scene *s, int which)
{
    switch (which) {
    case 0:
        s->fibre[0].point[4] = NAN;
        break;
    case 1:
        s->fibre[0].points = 1;
        break;
    case 2:
        s->fibre[0].material = 2;
        break;
    case 3:
        s->fibre[0].attach[1] = 1;
        break;
    case 4:
        s->fibre[0].attach[0] = 0;
        break;
    case 5:
        s->fibre[0].model = PLAIT_ROD_MODEL_COUNT;
        break;
    case 6:
        s->fibre[0].model = PLAIT_ROD_SUPERHELIX, s->fibre[0].end[1] = PLAIT_END_EDGE;
        break;
    case 7:
        s->fibre[0].curvature[0] = INFINITY;
        break;
    case 8:
        s->fibre[0].segments = -1;
        break;
    default:
        s->fibre[0].velocity[0] = INFINITY;
    }
}

static void spoil(plait_scene *s, int which)
{
    static plait_key keys[2] = {{1, {0}, {0}}, {1, {0}, {0}}};
    static plait_drive drive = {.kind = PLAIT_DRIVE_RAMP, .stop = INFINITY};
    switch (which) {
    case 9:
        s->collider[0].shape.size[0] = 0;
        break;
    case 10:
        s->collider[0].position[1] = NAN;
        break;
    case 11:
        s->collider[0].material = -1;
        break;
    case 12:
        s->collider[0].shape.kind = PLAIT_SHAPE_MESH;
        break;
    case 13:
        s->rigid[0].shape.kind = PLAIT_SHAPE_CYLINDER;
        break;
    case 14:
        s->rigid[0].density = 0;
        break;
    case 15:
        s->mu[1] = -1;
        break;
    case 16:
        s->mu[1] = 0.7;
        break; // not symmetric
    case 17:
        s->restitution[0] = 1.5;
        break;
    case 18:
        s->material[1].rod.young = 0;
        break;
    case 19:
        s->gravity[1] = NAN;
        break;
    case 20:
        s->stepping.dt = 0;
        break;
    case 21:
        s->stepping.dt_min = 1;
        break;
    case 22:
        s->stepping.solve.tol = NAN;
        break;
    case 23:
        s->detecting.mode = (plait_detection)4;
        break;
    case 24:
        s->output.frame_time = 0;
        break;
    case 25:
        s->collider[0].motion.keys = 2, s->collider[0].motion.key = keys;
        break;
    case 26:
        s->collider[0].motion.drives = 1, s->collider[0].motion.drive = &drive;
        break;
    default:
        spoil_fibre(s, which);
    }
}

CASE(refused)
{
    const char *const words[] = {"fibre 0 (rods): point 1 is not finite",
                                 "fibre 0 (rods): at least 2 points",
                                 "fibre 0 (rods): its material must be between 0 and 1, but is 2",
                                 "fibre 0 (rods): its tip is attached to collider 1 of 1",
                                 "fibre 0 (rods): its root is attached to 'head', but free",
                                 "fibre 0 (rods): there is no rod model",
                                 "fibre 0 (rods): model superhelix cannot hold",
                                 "fibre 0 (rods): its natural shape",
                                 "fibre 0 (rods): segments must be between",
                                 "collider 0 (head): sizes of a sphere must be positive",
                                 "collider 0 (head): the position must be finite",
                                 "collider 0 (head): its material must be between",
                                 "collider 0 (head): a mesh needs at least 3 points",
                                 "body 0 (ball): a rigid body is a plane, a sphere",
                                 "body 0 (ball): the density must be between",
                                 "friction: friction of 'hair' and 'skin'",
                                 "friction: friction of 'hair' and 'skin' must be the same both ways",
                                 "friction: restitution of 'hair' and 'hair'",
                                 "material 1 (skin): material: the Young's modulus",
                                 "scene: gravity must be finite",
                                 "step: dt must be between",
                                 "step: dt_min must be between",
                                 "solver: tol must be between",
                                 "contact: the detection must be between",
                                 "output: the time between frames",
                                 "collider 0 (head): the times of its keys must ascend",
                                 "collider 0 (head): drive 0 of its motion must stop",
                                 "fibre 0 (rods): the velocity must be finite"};
    int count = (int)(sizeof words / sizeof *words);
    for (int i = 0; i < count; i++) {
        plait_scene *s = make();
        plait_error error = {0};
        CHECK_INT(plait_scene_check(s, &error), PLAIT_OK);
        int keys = s->collider[0].motion.keys;
        spoil(s, i);
        CHECK_INT(plait_scene_check(s, &error), PLAIT_BAD_INPUT);
        if (!CHECK(strstr(error.text, words[i]) == error.text))
            printf("expected '%s', found '%s'\n", words[i], error.text);
        s->collider[0].motion.keys = keys;
        s->collider[0].motion.key = NULL; // not malloc'ed
        s->collider[0].motion.drive = NULL;
        plait_scene_free(s);
    }
}
