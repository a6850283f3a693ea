// Curves of other programs: .usda, .obj and .hair are read as they are meant, go through each other unchanged, and
// whatever is wrong in them is told with its line.
#include <locale.h>

#include "base/rng.h"
#include "plait/export.h"

#include "check.h"

static plait_error error;

static plait_hair *read_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    if (CHECK(f != NULL)) {
        fputs(text, f);
        fclose(f);
    }
    error = (plait_error){0};
    plait_hair *h = plait_curves_read(path, &error);
    remove(path);
    return h;
}

static plait_hair *must_read(const char *path, const char *text)
{
    plait_hair *h = read_text(path, text);
    if (!CHECK(h != NULL))
        puts(error.text);
    return h;
}

static void check_points(const plait_hair *h, int from, int count, const double *want)
{
    for (int i = 0; i < 3 * count; i++)
        CHECK_NEAR(h->point[3 * from + i], want[i], 1e-12);
}

// ---- obj ---------------------------------------------------------------------------------------------------------

CASE(obj_lines)
{
    plait_hair *h =
        must_read("lines.obj", "# a comment\nmtllib x.mtl\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\r\nvn 0 0 1\n"
                               "l 1/1 2/2 3\no more\nv 5 5 5\nv 6 6 6\nl -2 \\\n -1\nf 1 2 3\nl 1 2 # no\n");
    if (!h)
        return;
    CHECK_INT(h->strands, 3);
    CHECK(h->first[1] == 3 && h->first[2] == 5 && h->first[3] == 7);
    check_points(h, 0, 7, (double[]){0, 0, 0, 1, 0, 0, 1, 1, 0, 5, 5, 5, 6, 6, 6, 0, 0, 0, 1, 0, 0});
    CHECK(h->unit == 1 && !h->y_up && h->thickness == 0);
    plait_hair_free(h);
}

// Every edge alone: those that meet are one strand.
CASE(obj_edges)
{
    plait_hair *h = must_read("edges.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nl 1 2\nl 2 3\nl 4 1\n");
    if (!h)
        return;
    CHECK_INT(h->strands, 2);
    CHECK(h->first[1] == 3 && h->first[2] == 5);
    plait_hair_free(h);
}

// ---- usda --------------------------------------------------------------------------------------------------------

#define CURVES(inside) "#usda 1.0\ndef BasisCurves \"a\"\n{\n" inside "\n}\n"
#define LINEAR "uniform token type = \"linear\"\n"

CASE(usda_plain)
{
    plait_hair *h = must_read(
        "plain.usda",
        "#usda 1.0\n(\n  \"\"\"words ( of\n any kind\"\"\"\n  customLayerData = { string a = \"}\" }\n"
        "  defaultPrim = \"root\"; metersPerUnit = 0.5\n  upAxis = \"Z\"\n  subLayers = [@./x.usda@]\n)\n"
        "def Xform \"root\" (\n  kind = \"group\"\n  prepend references = @y.usda@</a>\n)\n{\n"
        "  rel material:binding = </root/m>\n  custom string note = 'it is {'\n"
        "  def Mesh \"m\" { point3f[] points = [(9, 9, 9)]\n int[] faceVertexCounts = [] }\n"
        "  def BasisCurves \"c\"\n  {\n    uniform token type = \"linear\" # yes\n"
        "    int[] curveVertexCounts = [2, 1, 3]\n"
        "    point3f[] points = [(0, 0, 0), (1, 0, 0), (7, 7, 7), (0, 1e0, -.5), (0, 2, +0.5), (0, 3, 0),]\n"
        "    float[] widths = [0.1, 0.2] (\n      interpolation = \"vertex\"\n    )\n"
        "    float[] widths.connect = </root.w>\n    point3f[] rest\n  }\n"
        "  variantSet \"v\" = {\n    \"x\" { def BasisCurves \"no\" { } }\n  }\n}\n"
        "class BasisCurves \"none\"\n{\n  int[] curveVertexCounts = [2]\n  point3f[] points = [(0,0,0),(1,1,1)]\n}\n");
    if (!h)
        return;
    CHECK_INT(h->strands, 2); // the one with a single point is none
    check_points(h, 0, 5, (double[]){0, 0, 0, 1, 0, 0, 0, 1, -0.5, 0, 2, 0.5, 0, 3, 0});
    CHECK(h->unit == 0.5 && !h->y_up);
    CHECK_NEAR(h->thickness, 0.15, 1e-15);
    plait_hair_free(h);
    h = must_read("bare.usda", CURVES(LINEAR "int[] curveVertexCounts=[2]\npoint3f[] points=[(0,0,0),(1,2,3)]"));
    CHECK(h && h->unit == 0.01 && h->y_up && h->thickness == 0); // what USD says where a file does not
    plait_hair_free(h);
}

CASE(usda_samples)
{
    plait_hair *h =
        must_read("samples.usda", CURVES("uniform token basis = \"catmullRom\"\nuniform token wrap = \"pinned\"\n"
                                         "int[] curveVertexCounts = [2]\npoint3f[] points = [(8, 8, 8), (9, 9, 9)]\n"
                                         "point3f[] points.timeSamples = {\n 3: [(3, 0, 0), (4, 0, 0)],\n"
                                         " -1.5: [(1, 0, 0), (2, 0, 0)],\n 7: None,\n}\n"
                                         "float[] widths.timeSamples = { 0: [2], 1: [3] }"));
    if (!h)
        return;
    check_points(h, 0, 2, (double[]){1, 0, 0, 2, 0, 0});
    CHECK(h->thickness == 2);
    plait_hair_free(h);
}

// Operations of the prim and of those around it, also where they stand behind the children.
CASE(usda_places)
{
    plait_hair *h = must_read(
        "places.usda",
        "#usda 1.0\ndef Xform \"a\"\n{\n  def \"b\"\n  {\n    def BasisCurves \"c\"\n    {\n" LINEAR
        "      int[] curveVertexCounts = [2]\n      point3f[] points = [(1, 0, 0), (0, 1, 0)]\n      float[] widths = "
        "[1]\n"
        "      double3 xformOp:translate = (1, 2, 3)\n      float3 xformOp:scale = (2, 2, 2)\n"
        "      uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:scale\"]\n    }\n"
        "    float xformOp:rotateZ.timeSamples = { 0: 90, 1: 45 }\n    float3 xformOp:rotateXYZ:unused = (1, 2, 3)\n"
        "    uniform token[] xformOpOrder = [\"xformOp:rotateZ\"]\n  }\n"
        "  matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (10, 0, 0, 1) )\n"
        "  double3 xformOp:translate:pivot = (5, 0, 0)\n"
        "  uniform token[] xformOpOrder = [\"xformOp:translate:pivot\", \"xformOp:transform\", "
        "\"!invert!xformOp:translate:pivot\"]\n}\n");
    if (!h)
        return;
    // (1, 0, 0) -> (3, 2, 3) -> (-2, 3, 3) -> (-7, 3, 3) -> (3, -3, 3) -> (8, -3, 3)
    // (0, 1, 0) -> (1, 4, 3) -> (-4, 1, 3) -> (-9, 1, 3) -> (1, -3, 1) -> (6, -3, 1)
    check_points(h, 0, 2, (double[]){8, -3, 3, 6, -3, 1});
    CHECK_NEAR(h->thickness, 2, 1e-12);
    plait_hair_free(h);
    h = must_read("turns.usda",
                  CURVES(LINEAR "int[] curveVertexCounts = [2]\npoint3f[] points = [(0, 0, 0), (0, 1, 0)]\n"
                                "float3 xformOp:rotateXYZ = (90, 90, 0)\nquatf xformOp:orient = (0.5, 0.5, 0.5, 0.5)\n"
                                "uniform token[] xformOpOrder = [\"xformOp:orient\", \"xformOp:rotateXYZ\"]"));
    if (!h)
        return;
    // about x: (0, 0, 1); about y: (1, 0, 0); the quaternion takes x to y
    check_points(h, 0, 2, (double[]){0, 0, 0, 0, 1, 0});
    plait_hair_free(h);
    // Sheared: widths grow as the cube root of the volume does, here of 7.1875. A row is where an axis goes.
    h = must_read("sheared.usda",
                  CURVES(LINEAR "int[] curveVertexCounts = [2]\npoint3f[] points = [(1, 0, 0), (1, 2, 3)]\n"
                                "float[] widths = [0.5]\n"
                                "matrix4d xformOp:transform = ( (2, 1, 0.5, 0), (0.25, 3, 1, 0), (1, 0.5, 1.5, 0), (0, 0, 0, 1) )\n"
                                "uniform token[] xformOpOrder = [\"xformOp:transform\"]"));
    if (!h)
        return;
    check_points(h, 0, 2, (double[]){2, 1, 0.5, 5.5, 8.5, 7});
    CHECK_NEAR(h->thickness, 0.5 * cbrt(7.1875), 1e-12);
    plait_hair_free(h);
}

CASE(usda_bases)
{
    static const char *const points = "int[] curveVertexCounts = [4]\npoint3f[] points = [(0, 0, 0), (3, 0, 0), (6, 3, "
                                      "0), (9, 9, 0)]\n";
    static const struct {
        const char *basis, *wrap;
        int count;
        double x[15];
    } list[] = {
        {"catmullRom", "pinned", 4, {0, 0, 0, 3, 0, 0, 6, 3, 0, 9, 9, 0}},
        {"catmullRom", "nonperiodic", 2, {3, 0, 0, 6, 3, 0}},
        {"catmullRom", "periodic", 5, {0, 0, 0, 3, 0, 0, 6, 3, 0, 9, 9, 0, 0, 0, 0}},
        {"bspline", "pinned", 4, {0, 0, 0, 3, 0.5, 0, 6, 3.5, 0, 9, 9, 0}},
        {"bspline", "nonperiodic", 2, {3, 0.5, 0, 6, 3.5, 0}},
        {"bezier", "nonperiodic", 4, {0, 0, 0, 3, 1, 0, 6, 4, 0, 9, 9, 0}},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[600];
        snprintf(
            text, sizeof text,
            "#usda 1.0\ndef BasisCurves \"a\"\n{\nuniform token basis = \"%s\"\nuniform token wrap = \"%s\"\n%s}\n",
            list[i].basis, list[i].wrap, points);
        plait_hair *h = must_read("basis.usda", text);
        if (h && CHECK_INT(h->first[h->strands], list[i].count))
            check_points(h, 0, list[i].count, list[i].x);
        plait_hair_free(h);
    }
}

CASE(mistakes)
{
    static const struct {
        const char *path, *text, *says;
    } list[] = {
        {"x.usda", "#usda 1.0\ndef X\n",
         "x.usda: line 3: expected the name of a prim in quotes, found the end of the file"},
        {"x.usda", "#usda 1.0\n(\n", "line 3: expected ')', found the end"},
        {"x.usda", "#usda 1.0\n(\n metersPerUnit = -1\n)\n",
         "line 3: expected a positive number of metres, found '-1'"},
        {"x.usda", "#usda 1.0\n(\n upAxis = \"X\"\n)\n", "line 3: expected \"Y\" or \"Z\", found 'X'"},
        {"x.usda", "#usda 1.0\n\nhello\n", "line 3: expected def, over or class, found 'hello'"},
        {"x.usda", CURVES("int[] curveVertexCounts = [2"), "line 5: expected ',' or ']', found '}'"},
        {"x.usda", CURVES("int[] curveVertexCounts = [2.5]\npoint3f[] points = []"),
         "line 4: expected numbers of vertices, found 2.5"},
        {"x.usda", CURVES("int[] curveVertexCounts = [-2]\npoint3f[] points = []"),
         "expected numbers of vertices, found -2"},
        {"x.usda", CURVES("int[] curveVertexCounts = [1e30]\npoint3f[] points = []"),
         "expected numbers of vertices, found 1e+30"},
        {"x.usda", CURVES("point3f[] points = [(0, 0, 0)]"), "line 2: BasisCurves without curveVertexCounts"},
        {"x.usda", CURVES("int[] curveVertexCounts = [2]"), "BasisCurves without points"},
        {"x.usda", CURVES("int[] curveVertexCounts = [2]\nfloat2[] points = [(0, 0), (1, 1), (2, 2)]"),
         "line 5: expected points (x, y, z), found 2 numbers"},
        {"x.usda", CURVES("int[] curveVertexCounts = [2]\npoint3f[] points = [(0, 0, 0), (1, 1)]"),
         "line 5: expected 3 numbers in brackets, as before, found 2"},
        {"x.usda", CURVES("int[] curveVertexCounts = [2]\npoint3f[] points = [(0, 0, 0), 4]"),
         "line 5: expected '(', found '4'"},
        {"x.usda", CURVES("point3f[] points = [(0, 0, 1e400)]"), "line 4: expected a finite number, found '1e400'"},
        {"x.usda", CURVES("point3f[] points.timeSamples = [1]"), "line 4: expected '{', found '['"},
        {"x.usda", CURVES("uniform token basis = \"hermite\"\nint[] curveVertexCounts = []\npoint3f[] points = []"),
         "line 2: expected the basis catmullRom"},
        {"x.usda", CURVES("uniform token[] xformOpOrder = [\"xformOp:scale\"]"),
         "line 2: xformOpOrder names 'xformOp:scale', but"},
        {"x.usda", CURVES("float xformOp:scale = 2\nuniform token[] xformOpOrder = [\"xformOp:scale\"]"),
         "found 'xformOp:scale' with 1"},
        {"x.usda", CURVES("uniform token[] xformOpOrder = [\"!resetXformStack!\"]"),
         "line 4: !resetXformStack! is not supported"},
        {"x.usda", CURVES("string a = \"b"), "line 4: expected a string with quotes at its end"},
        {"x.usda", CURVES("int a = (1, ]"), "line 4: expected ')', found ']'"},
        {"x.usda", CURVES("int a = \x01"), "line 4: expected a word, a number or a sign, found '?'"},
        {"x.usda", "#usda 1.0\n", "expected BasisCurves with at least one curve"},
        {"x.usda", "nothing\n", "line 1: expected '#usda 1.0' at the beginning"},
        {"x.obj", "v 0 0 0\nv 1 0 0\nl 1 x\n",
         "x.obj: line 3: expected an index of a vertex, from 1 or negative, found 'x'"},
        {"x.obj", "v 0 0 0\nv 1 0 0\nl 0 1\n", "line 3: expected an index of a vertex, from 1 or negative, found '0'"},
        {"x.obj", "v 0 0 0\nv 1 0 0\nl 1 -3\n", "line 3: expected an index of one of the 2 vertices so far, found -3"},
        {"x.obj", "v 0 0 0\nl 1\n", "line 2: expected at least 2 vertices of a line, found 1"},
        {"x.obj", "v 0 0 nan\n", "line 1: expected 3 finite coordinates after 'v', found 2: 'nan'"},
        {"x.obj", "words\n", "found 0 vertices and none"},
        {"x.hair", "HAIR but no more", "x.hair: a .hair file begins with HAIR"},
        {"x.hair", "no HAIR", "x.hair: a .hair file begins with HAIR"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        plait_hair *h = read_text(list[i].path, list[i].text);
        if (!CHECK(!h && error.status == PLAIT_BAD_FILE && strstr(error.text, list[i].says)))
            printf("of %s: %s\n", list[i].says, error.text);
        plait_hair_free(h);
    }
    CHECK(!plait_curves_read("there-is-none.usda", &error) && !plait_curves_read("there-is-none.obj", NULL));
    // prims inside each other without end
    static char deep[20000] = "#usda 1.0\n";
    for (int i = 0; i < 500; i++)
        strcat(deep, "def \"a\" {\n");
    CHECK(!read_text("deep.usda", deep) && strstr(error.text, "at most 100 prims inside each other"));
    static char brackets[3000] = "#usda 1.0\ndef \"a\" { int x = ";
    for (int i = 0; i < 1000; i++)
        strcat(brackets, "[");
    CHECK(!read_text("brackets.usda", brackets) && strstr(error.text, "at most 256 brackets"));
}

// ---- there and back ------------------------------------------------------------------------------------------------

CASE(every_format)
{
    enum { STRANDS = 50, POINTS = 7 };
    int first[STRANDS + 1];
    double *point = malloc(3 * STRANDS * POINTS * sizeof *point);
    plait_rng rng = plait_rng_new(3, 0);
    for (int i = 0; i <= STRANDS; i++)
        first[i] = i * POINTS;
    for (int i = 0; i < 3 * STRANDS * POINTS; i++)
        point[i] = (double)(float)((plait_rng_uniform(&rng) - 0.5) * pow(10, 6 * plait_rng_uniform(&rng) - 4));
    static const char *const names[] = {"a.usda", "a.hair", "a.obj"};
    for (int n = 0; n < 3; n++) {
        for (int y_up = 0; y_up < 2; y_up++) {
            plait_hair hair = {.strands = STRANDS, .first = first, .point = point, .thickness = 0.25, .unit = 0.125};
            hair.y_up = y_up == 1;
            error = (plait_error){0};
            CHECK_INT(plait_curves_write(names[n], &hair, &error), PLAIT_OK);
            plait_hair *h = plait_curves_read(names[n], &error);
            if (!CHECK(h && h->strands == STRANDS)) {
                puts(error.text);
                continue;
            }
            CHECK(memcmp(h->first, first, sizeof first) == 0);
            int different = 0; // texts have the shortest decimal of a float
            for (int i = 0; i < 3 * STRANDS * POINTS; i++)
                different += (float)h->point[i] != (float)point[i];
            CHECK_INT(different, 0);
            CHECK(n == 2 || (h->unit == 0.125 && h->y_up == hair.y_up && h->thickness == 0.25));
            plait_hair_free(h);
            remove(names[n]);
        }
    }
    plait_hair none = {.strands = STRANDS, .first = first, .point = point};
    CHECK_INT(plait_curves_write("a.xyz", &none, &error), PLAIT_BAD_INPUT);
    point[5] = NAN;
    for (int n = 0; n < 3; n++)
        CHECK_INT(plait_curves_write(names[n], &none, &error), PLAIT_BAD_INPUT);
    none.strands = 0;
    CHECK_INT(plait_curves_write("a.usda", &none, &error), PLAIT_BAD_INPUT);
    free(point);
}

// Numbers have a point in files, whatever the locale of the program says.
CASE(locale)
{
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8") && !setlocale(LC_NUMERIC, "fr_FR.UTF-8"))
        SKIP("no locale with a comma is installed");
    plait_hair *h = must_read("locale.obj", "v 0.5 0 0\nv 1.5 0 0\nl 1 2\n");
    if (h) {
        CHECK(h->point[0] == 0.5);
        CHECK_INT(plait_curves_write("locale.usda", h, &error), PLAIT_OK);
        plait_hair *again = plait_curves_read("locale.usda", &error);
        CHECK(again && again->point[0] == 0.5 && again->point[3] == 1.5);
        plait_hair_free(again);
        remove("locale.usda");
    }
    plait_hair_free(h);
    setlocale(LC_NUMERIC, "C");
}
