#include "contact/colour.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/operator_parts.h"

// The smallest colour that is set in none of the masks' words.
static int first_free(const uint64_t *used, int words)
{
    for (int k = 0; k < words; k++)
        if (~used[k])
            return 64 * k + __builtin_ctzll(~used[k]);
    return 64 * words;
}

// Greedy in the order of contacts; each body remembers the colours of its contacts.
static bool colour_by_bodies(const plait_compliance *c, int *colour)
{
    int most = 0;
    for (int b = 0; b < c->bodies; b++) {
        int count = c->body[b + 1].first_limb - c->body[b].first_limb;
        most = count > most ? count : most;
    }
    int limbs = 1;
    for (int i = 0; i < c->n; i++)
        limbs = c->contact_ptr[i + 1] - c->contact_ptr[i] > limbs ? c->contact_ptr[i + 1] - c->contact_ptr[i] : limbs;
    int words = (int)(((int64_t)limbs * most + 64) / 64);
    uint64_t *used = plait_calloc(((size_t)c->bodies + 1) * (size_t)words, sizeof *used);
    if (!used)
        return false;
    uint64_t *mine = used + (size_t)c->bodies * (size_t)words;
    for (int i = 0; i < c->n; i++) {
        memset(mine, 0, (size_t)words * sizeof *mine);
        for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
            const uint64_t *body = used + (size_t)c->limb_body[c->contact_limb[k]] * (size_t)words;
            for (int w = 0; w < words; w++)
                mine[w] |= body[w];
        }
        int free_colour = colour[i] = first_free(mine, words);
        for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++)
            used[(size_t)c->limb_body[c->contact_limb[k]] * (size_t)words + (size_t)(free_colour / 64)] |=
                (uint64_t)1 << (free_colour % 64);
    }
    plait_free(used);
    return true;
}

static bool colour_by_blocks(const plait_block_matrix *W, int *colour)
{
    int *seen = plait_malloc(((size_t)W->n + 2) * sizeof *seen); // seen[c] = i: colour c is taken by a neighbour of i
    if (!seen)
        return false;
    memset(seen, -1, ((size_t)W->n + 2) * sizeof *seen);
    memset(colour, -1, (size_t)W->n * sizeof *colour);
    for (int i = 0; i < W->n; i++) {
        for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++)
            if (W->col[k] != i && colour[W->col[k]] >= 0)
                seen[colour[W->col[k]]] = i;
        int c = 0;
        while (seen[c] == i)
            c++;
        colour[i] = c;
    }
    plait_free(seen);
    return true;
}

plait_colouring *plait_colouring_new(const plait_operator *op)
{
    plait_colouring *c = plait_calloc(1, sizeof *c);
    int *colour = plait_malloc(((size_t)op->n + 1) * sizeof *colour);
    bool ok =
        c && colour && (op->compliance ? colour_by_bodies(op->compliance, colour) : colour_by_blocks(op->W, colour));
    if (ok) {
        for (int i = 0; i < op->n; i++)
            c->colours = colour[i] + 1 > c->colours ? colour[i] + 1 : c->colours;
        c->ptr = plait_calloc((size_t)c->colours + 2, sizeof *c->ptr);
        c->contact = plait_malloc(((size_t)op->n + 1) * sizeof *c->contact);
        ok = c->ptr && c->contact;
    }
    if (ok) {
        for (int i = 0; i < op->n; i++)
            c->ptr[colour[i] + 2]++;
        for (int k = 0; k < c->colours; k++)
            c->ptr[k + 2] += c->ptr[k + 1];
        for (int i = 0; i < op->n; i++)
            c->contact[c->ptr[colour[i] + 1]++] = i;
        plait_free(colour);
        return c;
    }
    plait_free(colour), plait_colouring_free(c);
    return NULL;
}

void plait_colouring_free(plait_colouring *c)
{
    if (!c)
        return;
    plait_free(c->ptr), plait_free(c->contact), plait_free(c);
}
