#include "contact/colour.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/operator_parts.h"

enum { SELDOM = 1024 }; // contacts from one look at the stop to the next

// The colours of a body's contacts: one bit each. Most bodies have few of them, one that all others lie on has many.
typedef struct palette {
    uint64_t *used; // [words]
    int words;
    int full; // words from the first on whose colours are all taken
} palette;

static bool take(palette *p, int colour)
{
    if (colour / 64 >= p->words) {
        int words = colour / 32 + 1;
        uint64_t *more = plait_realloc(p->used, (size_t)words * sizeof *more);
        if (!more)
            return false;
        memset(more + p->words, 0, (size_t)(words - p->words) * sizeof *more);
        p->used = more, p->words = words;
    }
    p->used[colour / 64] |= (uint64_t)1 << (colour % 64);
    while (p->full < p->words && !~p->used[p->full])
        p->full++;
    return true;
}

// The smallest colour that none of the bodies of contact i has.
static int first_free(const plait_compliance *c, const palette *body, int i)
{
    int word = 0;
    for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
        int full = body[c->limb_body[c->contact_limb[k]]].full;
        word = full > word ? full : word;
    }
    for (;; word++) {
        uint64_t taken = 0;
        for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
            const palette *p = &body[c->limb_body[c->contact_limb[k]]];
            taken |= word < p->words ? p->used[word] : 0;
        }
        if (~taken)
            return 64 * word + __builtin_ctzll(~taken);
    }
}

// Greedy in the order of contacts; each body remembers the colours of its contacts.
static bool colour_by_bodies(const plait_compliance *c, plait_stop *stop, int *colour)
{
    palette *body = plait_calloc((size_t)c->bodies + 1, sizeof *body);
    bool ok = body != NULL;
    for (int i = 0; ok && i < c->n; i++) {
        ok = i % SELDOM != 0 || !plait_stop_now(stop);
        colour[i] = first_free(c, body, i);
        for (int k = c->contact_ptr[i]; ok && k < c->contact_ptr[i + 1]; k++)
            ok = take(&body[c->limb_body[c->contact_limb[k]]], colour[i]);
    }
    for (int b = 0; body && b < c->bodies; b++)
        plait_free(body[b].used);
    plait_free(body);
    return ok;
}

static bool colour_by_blocks(const plait_block_matrix *W, plait_stop *stop, int *colour)
{
    int *seen = plait_malloc(((size_t)W->n + 2) * sizeof *seen); // seen[c] = i: colour c is taken by a neighbour of i
    if (!seen)
        return false;
    memset(seen, -1, ((size_t)W->n + 2) * sizeof *seen);
    memset(colour, -1, (size_t)W->n * sizeof *colour);
    bool stopped = false;
    for (int i = 0; i < W->n && !stopped; i++) {
        stopped = i % SELDOM == 0 && plait_stop_now(stop);
        for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++)
            if (W->col[k] != i && colour[W->col[k]] >= 0)
                seen[colour[W->col[k]]] = i;
        int c = 0;
        while (seen[c] == i)
            c++;
        colour[i] = c;
    }
    plait_free(seen);
    return !stopped;
}

plait_colouring *plait_colouring_new(const plait_operator *op, plait_stop *stop)
{
    plait_colouring *c = plait_calloc(1, sizeof *c);
    int *colour = plait_malloc(((size_t)op->n + 1) * sizeof *colour);
    bool ok = c && colour &&
              (op->compliance ? colour_by_bodies(op->compliance, stop, colour) : colour_by_blocks(op->W, stop, colour));
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
