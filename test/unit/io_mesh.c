// OBJ and PLY: the same tetrahedron in every spelling, and what is refused.
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "file/mesh.h"

static plait_status parse(const char *bytes, size_t size, plait_shape *shape, plait_error *error)
{
    // An exact copy, so that the address sanitizer sees every step too far; the 0 behind it is promised.
    char *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    copy[size] = 0;
    *shape = (plait_shape){.kind = PLAIT_SHAPE_NONE};
    plait_status status = plait_mesh_parse("m.obj", copy, size, shape, error);
    free(copy);
    return status;
}

static void free_mesh(plait_shape *shape)
{
    free(shape->point);
    free(shape->triangle);
}

static double volume(const plait_shape *s)
{
    double sum = 0;
    for (int i = 0; i < s->triangles; i++) {
        const double *a = s->point + 3 * s->triangle[3 * i], *b = s->point + 3 * s->triangle[3 * i + 1],
                     *c = s->point + 3 * s->triangle[3 * i + 2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

// The corner of the unit cube, closed, of volume 1/6, facing outwards.
static void check_corner(const char *bytes, size_t size)
{
    plait_shape shape;
    plait_error error = {0};
    if (!CHECK(parse(bytes, size, &shape, &error) == PLAIT_OK)) {
        printf("%.60s...: %s\n", bytes, error.text);
        return;
    }
    CHECK(shape.kind == PLAIT_SHAPE_MESH && shape.points == 4 && shape.triangles == 4 && shape.closed);
    CHECK_NEAR(volume(&shape), 1.0 / 6, 1e-15);
    free_mesh(&shape);
}

static const char *const plain = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

CASE(obj)
{
    const char *const spellings[] = {
        plain,
        // turned inside out
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n",
        // everything else that a file may have
        "# corner\r\nmtllib a.mtl\r\no corner\r\nv 0 0 0 1\r\nv 1.0 0.0 0.0 0.5 0.5 0.5\r\nv 0 1e0 0\r\nv 0 0 +1\r\n"
        "vt 0 0\r\nvn 0 0 1\r\ng x\r\nusemtl m\r\ns off\r\nf 1/1/1 3/1/1 2/1/1\r\nf 1//1 2//1 4//1\r\nf 2/1 3/1 4/1\r\n"
        "f 3 1 4 # last\r\nl 1 2\r\n",
        // indices from the end, a line that goes on, faces before vertices, no line end at the end
        "f 1 3 2\nv 0 0 0\nv 1 0 0\nv 0 \\\n1 0\nv 0 0 1\nf -4 -3 -1\nf 2 \\\r\n3 4\n  f\t3\t1\t4",
        // a degenerate face is left out
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nf 1 1 2\n",
    };
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        check_corner(spellings[i], strlen(spellings[i]));
    // a polygon is a fan; open
    const char *square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";
    plait_shape shape;
    plait_error error = {0};
    CHECK_INT(parse(square, strlen(square), &shape, &error), PLAIT_OK);
    CHECK(shape.triangles == 2 && !shape.closed && shape.triangle[3] == 0 && shape.triangle[5] == 3);
    free_mesh(&shape);
    // three triangles at an edge, and two that run the same way, are not closed
    const char *fin = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\nv 2 2 2\nf 1 2 5\n";
    CHECK_INT(parse(fin, strlen(fin), &shape, &error), PLAIT_OK);
    CHECK(!shape.closed);
    free_mesh(&shape);
    const char *turned = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    CHECK_INT(parse(turned, strlen(turned), &shape, &error), PLAIT_OK);
    CHECK(!shape.closed);
    free_mesh(&shape);
}

// ---- PLY ---------------------------------------------------------------------------------------------------------

static void put(char *bytes, size_t *at, const void *value, size_t size, bool big)
{
    const char *from = value; // this machine is little-endian
    for (size_t i = 0; i < size; i++)
        bytes[(*at)++] = from[big ? size - 1 - i : i];
}

static size_t binary(char *bytes, bool big, bool wide)
{
    const double point[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    size_t at = (size_t)sprintf(bytes,
                                "ply\nformat binary_%s_endian 1.0\ncomment a corner\nelement vertex 4\nproperty %s x\n"
                                "property %s y\nproperty %s z\nproperty uchar red\nelement other 2\n"
                                "property list ushort short junk\nelement face 4\nproperty float quality\n"
                                "property list %s %s vertex_ind%s\nend_header\n",
                                big ? "big" : "little", wide ? "double" : "float32", wide ? "float64" : "float",
                                wide ? "double" : "float", wide ? "int" : "uint8", wide ? "uint32" : "int16",
                                wide ? "ices" : "ex");
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            float narrow = (float)point[i][k];
            put(bytes, &at, wide ? (const void *)&point[i][k] : &narrow, wide ? 8 : 4, big);
        }
        bytes[at++] = (char)200;
    }
    for (int i = 0; i < 2; i++) {
        uint16_t count = (uint16_t)i;
        int16_t junk = -7;
        put(bytes, &at, &count, 2, big);
        if (i)
            put(bytes, &at, &junk, 2, big);
    }
    for (int i = 0; i < 4; i++) {
        float quality = 0.5F;
        int32_t three = 3;
        put(bytes, &at, &quality, 4, big);
        put(bytes, &at, &three, wide ? 4 : 1, big && wide);
        for (int k = 0; k < 3; k++) {
            int16_t narrow = (int16_t)face[i][k];
            put(bytes, &at, wide ? (const void *)&face[i][k] : &narrow, wide ? 4 : 2, big);
        }
    }
    return at;
}

CASE(ply)
{
    const char *text =
        "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement vertex 4\r\nproperty float z\r\nproperty float x\r\n"
        "property float y\r\nelement face 4\r\nproperty list uchar int vertex_indices\r\nend_header\r\n"
        "0 0 0\r\n0 1 0\r\n0 0 1\r\n1 0 0\r\n3 0 2 1\r\n3 0 1 3\r\n3 1 2 3\r\n3 2 0 3\r\n";
    check_corner(text, strlen(text));
    char bytes[4096];
    for (int i = 0; i < 4; i++)
        check_corner(bytes, binary(bytes, i & 1, i & 2));
}

// A file that ends too early is told, wherever it ends; nothing is read beyond.
CASE(cut_off)
{
    char bytes[4096];
    for (int kind = 0; kind < 3; kind++) {
        size_t size = kind < 2 ? binary(bytes, kind, true) : strlen(plain);
        if (kind == 2)
            memcpy(bytes, plain, size);
        for (size_t n = 0; n < size; n++) {
            plait_shape shape;
            plait_error error = {0};
            plait_status status = parse(bytes, n, &shape, &error);
            if (status == PLAIT_OK) {
                CHECK(kind == 2 && n > 30 && shape.points >= 3); // a text may well end there
                free_mesh(&shape);
            } else {
                CHECK(error.text[0] && strncmp(error.text, "m.obj: ", 7) == 0 && !shape.point && !shape.triangle);
            }
        }
    }
}

CASE(refused)
{
#define PLY "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
    const struct {
        const char *text, *words;
    } cases[] = {
        {"", "found an empty file"},
        {"hello world\n", "no vertices found"},
        {"v 0 0 0\n", "1 vertices, but no triangles"},
        {"v 0 0\n", "line 1: expected 3 finite coordinates after 'v', found 2"},
        {"v 0 0 0\nv 0 nan 0\n", "line 2: expected 3 finite coordinates after 'v', found 1: 'nan'"},
        {"v 0 0 1e999\n", "line 1: expected 3 finite"},
        {"v 0 0 x\n", "found 2: 'x'"},
        {"v 0 0 0\nf 1 2\n", "line 2: expected at least 3 corners of a face, found 2"},
        {"v 0 0 0\nf 1 2 3\n", "a face names vertex 2, but there are 1"},
        {"v 0 0 0\nf 0 1 2\n", "line 2: expected an index of a vertex, from 1 or negative, found '0'"},
        {"v 0 0 0\nf -2 1 1\n", "line 2: a face names vertex -2, but there are 1"},
        {"v 0 0 0\nf 1 a 1\n", "found 'a'"},
        {"v 0 0 0\nf 1 1.5 1\n", "found '1.5'"},
        {"v 0 0 0\nf 1 99999999999999999999 1\n", "names vertex"},
        {"ply\nend_header\n", "line 2: the header names no format"},
        {"ply\nformat ascii 2.0\n", "line 2: expected 'format ascii 1.0'"},
        {"ply\nformat morse 1.0\n", "expected 'format ascii 1.0'"},
        {PLY "hello\n", "line 3: unknown word 'hello'"},
        {PLY, "the header does not end"},
        {PLY "property float x\n", "a property before any element"},
        {PLY "element vertex many\n", "expected 'element NAME COUNT'"},
        {PLY "element vertex -1\n", "expected 'element NAME COUNT'"},
        {PLY "element vertex 1\nproperty half x\n", "expected a type (float, int, uchar ...), found 'half'"},
        {PLY "element vertex 1\nproperty float\n", "expected 'property TYPE NAME'"},
        {PLY "element vertex 1\nproperty float x\nend_header\n1\n", "expected finite x, y and z of vertex 0"},
        {PLY "element vertex 1\n" XYZ "end_header\n1 2\n", "ends or is damaged within the vertices"},
        {PLY "element vertex 1\n" XYZ "end_header\n1 2 x\n", "line 8: the file ends or is damaged within the vertices"},
        {PLY "element vertex 1\n" XYZ "end_header\n1 2 3\n", "no triangles"},
        {PLY "element vertex 1\n" XYZ
             "element face 1\nproperty list uchar int vertex_index\nend_header\n1 2 3\n3 0 1 2\n",
         "a face names vertex 2, but there are 1"},
        {PLY "element face 1\nproperty list uchar int vertex_index\nend_header\n3 0 -1 2\n",
         "expected an index of a vertex"},
        {PLY "element face 1\nproperty list uchar int vertex_index\nend_header\n-3\n",
         "expected the length of a list, found -3"},
        {PLY "element face 1\nproperty list uchar int vertex_index\nend_header\n1e9\n",
         "expected the length of a list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plait_shape shape;
        plait_error error = {0};
        CHECK_INT(parse(cases[i].text, strlen(cases[i].text), &shape, &error), PLAIT_BAD_FILE);
        if (!CHECK(strstr(error.text, cases[i].words)))
            printf("%s\nexpected '%s', found '%s'\n", cases[i].text, cases[i].words, error.text);
        CHECK(!shape.point && !shape.triangle);
    }
    plait_shape shape = {0};
    plait_error error = {0};
    CHECK_INT(plait_mesh_read("there/is/none.obj", &shape, &error), PLAIT_BAD_FILE);
    CHECK(strstr(error.text, "there/is/none.obj: cannot open: No such file"));
    CHECK_INT(plait_mesh_read(".", &shape, &error), PLAIT_BAD_FILE);
    CHECK_INT(plait_mesh_parse("a", "x", 1, &shape, NULL), PLAIT_BAD_FILE);
    CHECK_INT(parse("a\0b", 3, &shape, &error), PLAIT_BAD_FILE);
    CHECK(strstr(error.text, "neither a text nor a PLY file"));
}

CASE(file)
{
    plait_shape shape = {0};
    plait_error error = {0};
    FILE *file = fopen("corner.obj", "w");
    if (!CHECK(file))
        return;
    for (int i = 0; i < 9000; i++) // larger than the first piece that is read
        fprintf(file, "# line %d\n", i);
    fputs(plain, file);
    fclose(file);
    CHECK_INT(plait_mesh_read("corner.obj", &shape, &error), PLAIT_OK);
    CHECK(shape.points == 4 && shape.triangles == 4 && shape.closed);
    free_mesh(&shape);
}
