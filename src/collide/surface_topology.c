// surface_topology.c: edges of a surface, what lies across them, and which cell looks after which feature.
#include "collide/surface_detector.h"

void plait_topology_free(plait_topology *t)
{
    free(t->cell), free(t->edge), free(t->cell_edge), free(t->node_owner), free(t->edge_owner), free(t->around);
    free(t->first), free(t->opposite), free(t->edge_cell);
    *t = (plait_topology){0};
}

static bool same(const plait_topology *t, const plait_surface *s)
{
    if (!t->cell || t->nodes != s->nodes || t->cells != s->cells || t->dimension != s->dimension)
        return false;
    size_t bytes = (size_t)s->cells * (size_t)(s->dimension + 1) * sizeof *s->cell;
    return s->dimension == 0 || memcmp(t->cell, s->cell, bytes) == 0;
}

// Edges by a hash of their ends; of a triangle from corner k to k + 1.
static bool find_edges(plait_topology *t)
{
    int per = t->dimension == 2 ? 3 : t->dimension, corners = t->dimension + 1;
    int64_t room = 16;
    while (room < 4 * (int64_t)per * t->cells)
        room *= 2;
    int *table = malloc((size_t)room * sizeof *table);
    if (!table)
        return false;
    for (int64_t i = 0; i < room; i++)
        table[i] = -1;
    for (int c = 0; c < t->cells; c++)
        for (int k = 0; k < per; k++) {
            const int *corner = plait_surface_cell(t, c);
            int a = corner[k], b = corner[(k + 1) % corners], low = a < b ? a : b, high = a < b ? b : a;
            uint64_t slot = ((uint64_t)low * 0x9e3779b97f4a7c15u) ^ ((uint64_t)high * 0xc2b2ae3d27d4eb4fu);
            slot = (slot ^ slot >> 29) & (uint64_t)(room - 1);
            while (table[slot] >= 0 && (t->edge[2 * table[slot]] != low || t->edge[2 * table[slot] + 1] != high))
                slot = (slot + 1) & (uint64_t)(room - 1);
            int e = table[slot];
            if (e < 0) {
                e = table[slot] = t->edges++;
                t->edge[2 * e] = low, t->edge[2 * e + 1] = high;
                t->edge_owner[e] = c;
                t->opposite[2 * e] = t->opposite[2 * e + 1] = -1;
                t->edge_cell[2 * e] = t->edge_cell[2 * e + 1] = -1;
            }
            t->cell_edge[per * (int64_t)c + k] = e;
            if (t->dimension == 2) {
                int beside = t->opposite[2 * e] >= 0;
                t->opposite[2 * e + beside] = corner[(k + 2) % 3], t->edge_cell[2 * e + beside] = c;
            }
        }
    free(table);
    return true;
}

static void find_neighbours(plait_topology *t)
{
    for (int n = 0; n <= t->nodes; n++)
        t->first[n] = 0;
    for (int64_t k = 0; k < 2 * (int64_t)t->edges; k++)
        t->first[t->edge[k] + 1]++;
    for (int n = 0; n < t->nodes; n++)
        t->first[n + 1] += t->first[n];
    for (int e = 0; e < t->edges; e++) // shifts first by one, put right below
        for (int k = 0; k < 2; k++)
            t->around[t->first[t->edge[2 * e + k]]++] = e;
    for (int n = t->nodes; n > 0; n--)
        t->first[n] = t->first[n - 1];
    t->first[0] = 0;
}

bool plait_topology_set(plait_topology *t, const plait_surface *s)
{
    if (same(t, s))
        return true;
    plait_topology_free(t);
    *t = (plait_topology){.nodes = s->nodes, .cells = s->cells, .dimension = s->dimension};
    size_t cells = (size_t)s->cells + 1, nodes = (size_t)s->nodes + 1, corners = (size_t)(s->dimension + 1);
    t->cell = malloc(corners * cells * sizeof *t->cell);
    t->edge = malloc(6 * cells * sizeof *t->edge);
    t->cell_edge = malloc(3 * cells * sizeof *t->cell_edge);
    t->opposite = malloc(6 * cells * sizeof *t->opposite);
    t->edge_cell = malloc(6 * cells * sizeof *t->edge_cell);
    t->edge_owner = malloc(3 * cells * sizeof *t->edge_owner);
    t->node_owner = malloc(nodes * sizeof *t->node_owner);
    t->around = malloc(6 * cells * sizeof *t->around);
    t->first = malloc((nodes + 1) * sizeof *t->first);
    bool ok = t->cell && t->edge && t->cell_edge && t->opposite && t->edge_cell && t->edge_owner && t->node_owner &&
              t->around && t->first;
    for (size_t k = 0; ok && k < corners * (size_t)s->cells; k++)
        t->cell[k] = s->dimension == 0 ? (int)k : s->cell[k];
    ok = ok && find_edges(t);
    if (!ok) {
        plait_topology_free(t);
        return false;
    }
    for (int n = 0; n < t->nodes; n++)
        t->node_owner[n] = -1;
    for (int64_t k = (int64_t)corners * t->cells; k-- > 0;)
        t->node_owner[t->cell[k]] = (int)(k / (int64_t)corners);
    find_neighbours(t);
    return true;
}

int plait_topology_edge(const plait_topology *t, int a, int b)
{
    for (int k = t->first[a]; k < t->first[a + 1]; k++) {
        int e = t->around[k];
        if (t->edge[2 * e] == b || t->edge[2 * e + 1] == b)
            return e;
    }
    return -1;
}
