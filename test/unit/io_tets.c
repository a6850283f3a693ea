// io_tets.c: readers of tetrahedra, and what is made of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "file/mesh.h"
#include "file/tets.h"
#include "math/vec3.h"
#include "scene/gen_soft.h"

static const char msh2[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"a $Nodes in a name\"\n$EndPhysicalNames\n"
                           "$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n40 0 0 1\n7 9 9 9\n$EndNodes\n"
                           "$Elements\n2\n1 2 2 0 1 10 20 30\n2 4 2 0 1 10 20 30 40\n$EndElements\n";
static const char msh4[] = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
                           "$Nodes\n2 4 1 4\n2 1 1 3\n1\n2\n3\n0 0 0 .5 .5\n1 0 0 .1 .2\n0 1 0 0 0\n3 1 0 1\n4\n0 0 1\n$EndNodes\n"
                           "$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n$EndElements\n";
static const char vtk3[] = "# vtk DataFile Version 3.0\nPOINTS is only a title\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0\n0 1 0\n"
                           "0 0 1\nCELLS 2 9\n3 0 1 2\n4 0 1 2 3\nCELL_TYPES 2\n5\n10\n";
static const char vtk5[] = "# vtk DataFile Version 5.1\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0 0 1 0 0 0 1\n"
                           "CELLS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\nCELL_TYPES 1\n10\n";
static const char node[] = "# by TetGen\n4 3 0 1\n1 0 0 0 5\n2 1 0 0 5\n3 0 1 0 5 # right\n4 0 0 1 5\n";
static const char ele[] = "1 4 0\n1 1 2 3 4\n";

static void is_the_one(const char *bytes, const char *elements)
{
    plait_tets t;
    plait_error error = {0};
    CHECK(plait_tets_parse("it", bytes, strlen(bytes), elements, elements ? strlen(elements) : 0, &t, &error) == PLAIT_OK);
    if (error.status != PLAIT_OK)
        printf("%s\n", error.text);
    CHECK_INT(t.points, 4), CHECK_INT(t.tetrahedra, 1);
    for (int i = 0; i < 12 && t.point; i++)
        CHECK_NEAR(t.point[i], i == 3 || i == 7 || i == 11, 0);
    for (int i = 0; i < 4 && t.tetrahedron; i++)
        CHECK_INT(t.tetrahedron[i], i);
    free(t.point), free(t.tetrahedron);
}

CASE(reads_all_formats)
{
    is_the_one(msh2, NULL), is_the_one(msh4, NULL), is_the_one(vtk3, NULL), is_the_one(vtk5, NULL);
    is_the_one(node, ele);
}

static void refused(const char *bytes, const char *elements, const char *says)
{
    plait_tets t;
    plait_error error = {0};
    CHECK(plait_tets_parse("it", bytes, strlen(bytes), elements, elements ? strlen(elements) : 0, &t, &error) == PLAIT_BAD_FILE);
    CHECK(!t.point && !t.tetrahedron);
    if (!CHECK(strstr(error.text, says) != NULL))
        printf("  '%s' has no '%s'\n", error.text, says);
}

CASE(mistakes_are_told)
{
    refused("hello", NULL, "expected $MeshFormat");
    refused("$MeshFormat\n2.2 1 8\n", NULL, "binary");
    refused("$MeshFormat\n3.1 0 8\n", NULL, "version 2.x or 4.1");
    refused("$MeshFormat\n2.2 0 8\n$Nodes\n1\n1 0 nan 0\n", NULL, "line 5: expected y, a finite number, found 'nan'");
    refused("$MeshFormat\n2.2 0 8\n$Nodes\n1\n1 0 0 0\n$EndNodes\n", NULL, "no tetrahedra found (1 nodes)");
    refused("$MeshFormat\n2.2 0 8\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 4\n", NULL, "names node 2");
    refused("# vtk DataFile Version 3.0\nt\nBINARY\n", NULL, "binary files must be written as text");
    refused("# vtk DataFile Version 3.0\nt\nASCII\nPOINTS 1 float\n0 0 0\nCELLS 1 5\n4 0 0 0 0\nCELL_TYPES 1\n10\n", NULL, "has node 0 twice");
    refused("# vtk DataFile Version 3.0\nt\nASCII\nCELLS 99999 5\n", NULL, "more than the rest of the file holds");
    refused("4 2 0 0\n", ele, "expected the dimension");
    refused(node, "1 4 0\n1 1 2 3\n", "found the end of the file");
}

// The lattice in a ball of triangles: nearly its volume, skin on the surface, nothing inverted.
CASE(fills_a_closed_mesh)
{
    plait_shape ball = {.kind = PLAIT_SHAPE_SPHERE, .size = {0.1}}, mesh = {0};
    plait_shape_detail detail = {.sides = 24};
    plait_soft solid = plait_default_solid();
    plait_error error = {0};
    CHECK(plait_shape_to_mesh(&ball, &detail, &mesh));
    mesh.closed = true;
    const double centre[3] = {0.31, -0.12, 0.45};
    for (int i = 0; i < 3 * mesh.points; i++)
        mesh.point[i] += centre[i % 3];
    CHECK(plait_gen_solid_fill(&mesh, 0.02, &solid, &error) == PLAIT_OK);
    CHECK(plait_soft_check(&solid, 0, &error) == PLAIT_OK);
    double volume = 0, off = 0;
    for (int i = 0; i < solid.tetrahedra; i++) {
        const int *t = solid.tetrahedron + 4 * i;
        double d[3][3], n[3];
        for (int k = 0; k < 3; k++)
            plait_vec3_sub(solid.point + 3 * t[k + 1], solid.point + 3 * t[0], d[k]);
        plait_vec3_cross(d[0], d[1], n);
        volume += plait_vec3_dot(n, d[2]) / 6;
    }
    for (int i = 0; i < 3 * solid.triangles; i++) {
        double arm[3];
        plait_vec3_sub(solid.point + 3 * solid.triangle[i], centre, arm);
        off += fabs(plait_vec3_norm(arm) - 0.1) / (3 * solid.triangles);
    }
    CHECK_NEAR(volume / (4.0 / 3 * M_PI * 1e-3), 1, 0.1);
    CHECK(off < 0.003);
    mesh.closed = false;
    plait_soft other = plait_default_solid();
    CHECK(plait_gen_solid_fill(&mesh, 0.02, &other, &error) == PLAIT_BAD_INPUT);
    free(mesh.point), free(mesh.triangle), plait_soft_free(&solid);
}

// Balls and cylinders of cubes: volumes, and nothing flat.
CASE(bent_blocks_are_sound)
{
    for (int k = 0; k < 3; k++) {
        plait_gen_solid o = {.block = (plait_gen_block)k, .size = {0.2, 0.2, 0.3}, .cells = {8, 8, 6}};
        plait_soft solid = plait_default_solid();
        double volume = 0, want = k == 0 ? 0.012 : k == 1 ? 4.0 / 3 * M_PI * 0.1 * 0.1 * 0.15 : M_PI * 0.01 * 0.3;
        CHECK(plait_gen_solid_block(&o, &solid, NULL) == PLAIT_OK);
        CHECK(plait_soft_check(&solid, 0, NULL) == PLAIT_OK);
        for (int i = 0; i < solid.triangles; i++) { // of what the skin encloses
            double n[3];
            plait_vec3_cross(solid.point + 3 * solid.triangle[3 * i], solid.point + 3 * solid.triangle[3 * i + 1], n);
            volume += plait_vec3_dot(n, solid.point + 3 * solid.triangle[3 * i + 2]) / 6;
        }
        CHECK_NEAR(volume / want, 1, k ? 0.08 : 1e-12);
        plait_soft_free(&solid);
    }
}
