// apart.c: the proof that things stay apart: what passes is never proved, what stays apart is.
#include "validate/apart.h"

#include "check.h"
#include "plait/plait.h"
#include "base/rng.h"

// A triangle and a node, or two edges, as the only parts; nodes 0 .. 3.
static int one(int edges, const double *x0, const double *x1)
{
    plait_apart all = {0};
    int node[4] = {0, 1, 2, 3};
    plait_apart_add(&all, 0, edges ? 2 : 1, node);
    plait_apart_add(&all, 1, edges ? 2 : 3, node + (edges ? 2 : 1));
    int open = plait_apart_count(&all, x0, x1);
    plait_apart_free(&all);
    return open;
}

CASE(a_node_and_a_triangle)
{
    const double base[12] = {0.2, 0.2, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0};
    double to[12];
    memcpy(to, base, sizeof to);
    CHECK_INT(one(0, base, to), 0);
    to[2] = -1; // through it
    CHECK_INT(one(0, base, to), 1);
    to[2] = 1e-9; // near
    CHECK_INT(one(0, base, to), 0);
    to[0] = 2, to[1] = 2, to[2] = -1; // beside it
    CHECK_INT(one(0, base, to), 0);
    memcpy(to, base, sizeof to);
    to[0] = 0.6, to[1] = 0.6, to[2] = -0.02; // it is beyond the edge when it gets there
    CHECK_INT(one(0, base, to), 0);
}

CASE(edges)
{
    const double base[12] = {-1, 0, 0.5, 1, 0, 0.5, 0, -1, 0, 0, 1, 0};
    double to[12];
    memcpy(to, base, sizeof to);
    to[2] = to[5] = -0.5;
    CHECK_INT(one(1, base, to), 1);
    to[2] = to[5] = 1e-6;
    CHECK_INT(one(1, base, to), 0);
    to[2] = to[5] = -0.5, to[0] = -4, to[3] = -2; // away before it is down
    CHECK_INT(one(1, base, to), 0);
}

// There and back again within a step: both ends are on one side.
CASE(twice_in_a_step)
{
    double x0[12] = {0.25, 0.25, 0.1, 0, 0, 0, 1, 0, 0, 0, 1, 0}, x1[12];
    for (int i = 0; i < 12; i++)
        x1[i] = x0[i];
    for (int k = 1; k < 4; k++) // the triangle turns over about its middle while the node stays beside it
        x1[3 * k] = 0.5 - x0[3 * k], x1[3 * k + 1] = 0.5 - x0[3 * k + 1];
    CHECK_INT(one(0, x0, x1), 0);
    x0[2] = x1[2] = 0;
    CHECK_INT(one(0, x0, x1), 1); // it lies in it
}

// Any position and turn: something that goes through the middle is found, something that stops before it is not.
CASE(anywhere)
{
    plait_rng rng = plait_rng_new(7, 1);
    int missed = 0, wrong = 0;
    for (int n = 0; n < 2000; n++) {
        double x0[12], x1[12], stop[12], middle[3] = {0}, dir[3];
        int edges = n % 2;
        for (int i = 0; i < 12; i++)
            x0[i] = plait_rng_between(&rng, -1, 1);
        double w[3] = {0.2, 0.3, 0.5};
        for (int k = 0; k < 3; k++)
            for (int i = edges ? 2 : 1; i < 4; i++)
                middle[k] += edges ? 0.5 * x0[3 * i + k] : w[i - 1] * x0[3 * i + k];
        memcpy(x1, x0, sizeof x1), memcpy(stop, x0, sizeof stop);
        for (int k = 0; k < 3; k++) { // twice the way there, or nine tenths of it
            double start = edges ? 0.5 * (x0[k] + x0[3 + k]) : x0[k];
            dir[k] = middle[k] - start;
            for (int i = 0; i < (edges ? 2 : 1); i++)
                x1[3 * i + k] += 2 * dir[k], stop[3 * i + k] += 0.5 * dir[k];
        }
        missed += one(edges, x0, x1) != 1;
        wrong += one(edges, x0, stop) != 0 && !edges;
    }
    CHECK_INT(missed, 0);
    CHECK_INT(wrong, 0);
}

CASE(parts_of_triangles)
{
    const int two[6] = {0, 1, 2, 0, 2, 3};
    plait_apart all = {0};
    plait_apart_add_triangles(&all, 0, 2, two, 0, 5); // node 4 is in no triangle
    CHECK_INT(all.count, 2 + 5 + 4);
    plait_apart_free(&all);
}
