// usda_read.c: curves from USD's text form.
//
// What is read: metersPerUnit and upAxis of the stage; of every prim its xformOps; of BasisCurves the attributes type,
// basis, wrap, curveVertexCounts, points and widths. A time sample, the earliest, comes before the value without time.
// Everything else is passed over: other prims and attributes, metadata, variants. References to other files are not
// followed. Curves are moved by the prims around them when these end, since a prim's operations may stand behind its
// children.
#include "file/usda_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"

enum { MAX_DEPTH = 100 };
static const size_t MAX_NUMBERS = (size_t)1 << 28;

typedef struct stage {
    plait_usda_reader reader;
    plait_curves_builder builder;
    double sum, weight; // of widths
    double unit;
    char up;
    int depth;
} stage;

// ---- values ------------------------------------------------------------------------------------------------------

static bool add_number(plait_usda_reader *r, plait_usda_numbers *n, double x)
{
    if (n->count == n->room) {
        size_t room = n->room ? 2 * n->room : 64;
        double *grown = room <= MAX_NUMBERS ? realloc(n->x, room * sizeof *grown) : NULL;
        if (!grown) {
            plait_error_set(r->error, PLAIT_NO_MEMORY, "%s: not enough memory", r->name);
            r->kind = PLAIT_USDA_BAD;
            return false;
        }
        n->x = grown;
        n->room = room;
    }
    n->x[n->count++] = x;
    return true;
}

// Behind an element of a list: a comma, which is taken, or the end of the list.
static bool between(plait_usda_reader *r, char end)
{
    char what[] = "',' or ' '";
    what[sizeof what - 3] = end;
    if (r->kind == PLAIT_USDA_SIGN && r->sign == ',')
        plait_usda_next(r);
    else if (r->kind != PLAIT_USDA_SIGN || r->sign != end)
        return plait_usda_expected(r, what);
    return true;
}

// ( ... ) of numbers, or of tuples of numbers; all of them as long as the first.
static bool read_tuple(plait_usda_reader *r, plait_usda_numbers *n, int depth)
{
    size_t before = n->count;
    bool inner = false;
    plait_usda_next(r);
    while (r->kind != PLAIT_USDA_SIGN || r->sign != ')') {
        if (r->kind == PLAIT_USDA_SIGN && r->sign == '(' && depth < 2) {
            inner = true;
            if (!read_tuple(r, n, depth + 1))
                return false;
        } else if (r->kind == PLAIT_USDA_NUMBER) {
            if (!add_number(r, n, r->value))
                return false;
            plait_usda_next(r);
        } else {
            return plait_usda_expected(r, "a number or ')'");
        }
        if (!between(r, ')'))
            return false;
    }
    int count = (int)(n->count - before);
    if (!inner && n->tuple != 0 && n->tuple != count)
        return plait_usda_fail(r, "expected %d numbers in brackets, as before, found %d", n->tuple, count);
    if (!inner)
        n->tuple = count;
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

// A number, a tuple, or a list of such. None is nothing.
bool plait_usda_read_numbers(plait_usda_reader *r, plait_usda_numbers *n)
{
    n->count = 0;
    n->tuple = 0;
    n->line = r->line;
    n->there = true;
    if (r->kind == PLAIT_USDA_NUMBER) {
        bool ok = add_number(r, n, r->value);
        plait_usda_next(r);
        return ok && r->kind != PLAIT_USDA_BAD;
    }
    if (plait_usda_is(r, "None")) {
        n->there = false;
        plait_usda_next(r);
        return true;
    }
    if (r->kind != PLAIT_USDA_SIGN || (r->sign != '(' && r->sign != '['))
        return plait_usda_expected(r, "a number, '(' or '['");
    if (r->sign == '(')
        return read_tuple(r, n, 0);
    plait_usda_next(r);
    while (r->kind != PLAIT_USDA_SIGN || r->sign != ']') {
        bool tuple = r->kind == PLAIT_USDA_SIGN && r->sign == '(', before = n->tuple > 0;
        if (!tuple && r->kind != PLAIT_USDA_NUMBER)
            return plait_usda_expected(r, "a number, '(' or ']'");
        if (n->count > 0 && tuple != before)
            return plait_usda_expected(r, before ? "'('" : "a number");
        if (tuple ? !read_tuple(r, n, 0) : !add_number(r, n, r->value))
            return false;
        if (!tuple)
            plait_usda_next(r);
        if (!between(r, ']'))
            return false;
    }
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

// { time: value, ... }: the value with the earliest time.
static bool read_samples(plait_usda_reader *r, plait_usda_numbers *n)
{
    double earliest = INFINITY;
    if (!plait_usda_take(r, '{'))
        return false;
    while (r->kind != PLAIT_USDA_SIGN || r->sign != '}') {
        if (r->kind != PLAIT_USDA_NUMBER)
            return plait_usda_expected(r, "a time or '}'");
        double time = r->value;
        plait_usda_next(r);
        if (!plait_usda_take(r, ':'))
            return false;
        bool first = time < earliest;
        if (first ? !plait_usda_read_numbers(r, n) : !plait_usda_skip_value(r))
            return false;
        earliest = first ? time : earliest;
        if (!between(r, '}'))
            return false;
    }
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

static bool read_word(plait_usda_reader *r, char *out, size_t room)
{
    if (r->kind != PLAIT_USDA_STRING || r->length >= room)
        return plait_usda_expected(r, "a short word in quotes");
    memcpy(out, r->text, r->length);
    out[r->length] = 0;
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

static bool read_order(plait_usda_reader *r, plait_usda_prim *p)
{
    p->orders = 0;
    if (!plait_usda_take(r, '['))
        return false;
    while (r->kind != PLAIT_USDA_SIGN || r->sign != ']') {
        if (p->orders == PLAIT_USDA_OPS)
            return plait_usda_fail(r, "expected at most %d operations, found more", PLAIT_USDA_OPS);
        if (!read_word(r, p->order[p->orders], PLAIT_USDA_WORD_LENGTH))
            return false;
        if (strcmp(p->order[p->orders], "!resetXformStack!") == 0)
            return plait_usda_fail(r, "!resetXformStack! is not supported: expected operations");
        p->orders++;
        if (!between(r, ']'))
            return false;
    }
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

// ---- attributes --------------------------------------------------------------------------------------------------

static bool read_op(plait_usda_reader *r, plait_usda_prim *p, const char *name, bool samples)
{
    plait_usda_numbers n = {0};
    bool ok = samples ? read_samples(r, &n) : plait_usda_read_numbers(r, &n);
    int k = 0;
    while (k < p->ops && strcmp(p->op[k].name, name) != 0)
        k++;
    if (ok && k == PLAIT_USDA_OPS)
        ok = plait_usda_fail(r, "expected at most %d operations, found more", PLAIT_USDA_OPS);
    if (ok && n.count > 16)
        ok = plait_usda_fail(r, "expected at most 16 numbers for '%s', found %zu", name, n.count);
    if (ok && (k == p->ops || samples)) {
        plait_usda_op *op = &p->op[k];
        memcpy(op->name, name, PLAIT_USDA_WORD_LENGTH);
        op->count = (int)n.count;
        if (n.count > 0)
            memcpy(op->x, n.x, n.count * sizeof *n.x);
        p->ops += k == p->ops;
    }
    free(n.x);
    return ok;
}

// The value of attribute `name`, behind the =.
static bool read_value(plait_usda_reader *r, plait_usda_prim *p, const char *name, bool samples)
{
    plait_usda_numbers *numbers = strcmp(name, "points") == 0              ? &p->points
                                  : strcmp(name, "curveVertexCounts") == 0 ? &p->counts
                                  : strcmp(name, "widths") == 0            ? &p->widths
                                                                           : NULL;
    if (strncmp(name, "xformOp:", 8) == 0)
        return read_op(r, p, name, samples);
    if (strcmp(name, "xformOpOrder") == 0 && !samples)
        return read_order(r, p);
    if (!p->curves)
        return plait_usda_skip_value(r);
    if (numbers && samples)
        return read_samples(r, numbers);
    if (numbers && !numbers->there) // else there are samples
        return plait_usda_read_numbers(r, numbers);
    if (strcmp(name, "type") == 0)
        return read_word(r, p->type, sizeof p->type);
    if (strcmp(name, "basis") == 0)
        return read_word(r, p->basis, sizeof p->basis);
    if (strcmp(name, "wrap") == 0)
        return read_word(r, p->wrap, sizeof p->wrap);
    return plait_usda_skip_value(r);
}

// [custom] [uniform] TYPE NAME[.timeSamples] [= VALUE] [(METADATA)]; also rel, and prepend or append before them.
static bool read_attribute(plait_usda_reader *r, plait_usda_prim *p)
{
    char name[PLAIT_USDA_WORD_LENGTH] = "";
    int words = 0;
    while (r->kind == PLAIT_USDA_WORD) {
        size_t length = r->length < sizeof name - 1 ? r->length : sizeof name - 1;
        memcpy(name, r->text, length);
        name[length] = 0;
        plait_usda_next(r);
        words++;
    }
    if (words < 2)
        return plait_usda_expected(r, "the name of an attribute");
    if (r->kind == PLAIT_USDA_SIGN && r->sign == '=') {
        plait_usda_next(r);
        char *dot = strrchr(name, '.');
        bool samples = dot && strcmp(dot, ".timeSamples") == 0;
        bool other = dot && !samples; // .connect
        if (samples)
            *dot = 0;
        if (other ? !plait_usda_skip_value(r) : !read_value(r, p, name, samples))
            return false;
    }
    if (r->kind == PLAIT_USDA_SIGN && r->sign == '(' && !plait_usda_skip_brackets(r))
        return false;
    return r->kind != PLAIT_USDA_BAD;
}

// ---- prims -------------------------------------------------------------------------------------------------------

static void free_prim(plait_usda_prim *p)
{
    free(p->counts.x);
    free(p->points.x);
    free(p->widths.x);
    free(p);
}

// Moves what was added since the prim began.
static bool move(stage *s, const plait_usda_prim *p, int first, double sum)
{
    plait_usda_affine m;
    if (p->orders == 0)
        return true;
    if (!plait_usda_local(&s->reader, p, &m))
        return false;
    plait_hair *h = s->builder.hair;
    for (size_t i = (size_t)h->first[first]; i < (size_t)h->first[h->strands]; i++) {
        double *x = h->point + 3 * i;
        plait_mat3_apply(m.A, x, x);
        for (int c = 0; c < 3; c++)
            x[c] += m.t[c];
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return plait_usda_fail(&s->reader, "expected finite points behind xformOps, found others");
    }
    double det = m.A[0] * (m.A[4] * m.A[8] - m.A[5] * m.A[7]) - m.A[1] * (m.A[3] * m.A[8] - m.A[5] * m.A[6]) +
                 m.A[2] * (m.A[3] * m.A[7] - m.A[4] * m.A[6]);
    s->sum = sum + (s->sum - sum) * cbrt(fabs(det));
    return true;
}

static bool read_prim(stage *s, bool ignored);

static bool read_body(stage *s, plait_usda_prim *p, bool ignored)
{
    plait_usda_reader *r = &s->reader;
    if (!plait_usda_take(r, '{'))
        return false;
    while (r->kind != PLAIT_USDA_SIGN || r->sign != '}') {
        bool ok;
        if (r->kind == PLAIT_USDA_SIGN && r->sign == ';') {
            plait_usda_next(r);
            continue;
        }
        if (r->kind != PLAIT_USDA_WORD)
            return plait_usda_expected(r, "an attribute, a prim or '}'");
        if (plait_usda_is(r, "def") || plait_usda_is(r, "over") || plait_usda_is(r, "class")) {
            ok = read_prim(s, ignored);
        } else if (plait_usda_is(r, "variantSet")) {
            while (r->kind == PLAIT_USDA_WORD || r->kind == PLAIT_USDA_STRING ||
                   (r->kind == PLAIT_USDA_SIGN && r->sign == '='))
                plait_usda_next(r);
            ok = r->kind == PLAIT_USDA_SIGN && r->sign == '{' ? plait_usda_skip_brackets(r)
                                                              : plait_usda_expected(r, "'{'");
        } else {
            ok = read_attribute(r, p);
        }
        if (!ok)
            return false;
    }
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

// def TYPE "name" (metadata) { ... }. What a class holds is not there by itself.
static bool read_prim(stage *s, bool ignored)
{
    plait_usda_reader *r = &s->reader;
    plait_usda_prim *p = calloc(1, sizeof *p);
    if (!p) {
        plait_error_set(r->error, PLAIT_NO_MEMORY, "%s: not enough memory", r->name);
        return false;
    }
    bool class = plait_usda_is(r, "class"), ok = true;
    int first = s->builder.hair->strands;
    double sum = s->sum;
    memcpy(p->type, "cubic", 6);
    p->line = r->line;
    if (++s->depth > MAX_DEPTH)
        ok = plait_usda_fail(r, "expected at most %d prims inside each other, found more", MAX_DEPTH);
    plait_usda_next(r);
    if (ok && r->kind == PLAIT_USDA_WORD) {
        p->curves = plait_usda_is(r, "BasisCurves");
        plait_usda_next(r);
    }
    if (ok && r->kind != PLAIT_USDA_STRING)
        ok = plait_usda_expected(r, "the name of a prim in quotes");
    if (ok)
        plait_usda_next(r);
    if (ok && r->kind == PLAIT_USDA_SIGN && r->sign == '(')
        ok = plait_usda_skip_brackets(r);
    ok = ok && read_body(s, p, ignored || class);
    long line = r->line;
    if (ok && p->curves && !ignored && !class && (p->counts.there || p->points.there))
        ok = plait_usda_add_curves(r, p, &s->builder, &s->sum, &s->weight);
    ok = ok && move(s, p, first, sum);
    if (ok)
        r->line = line;
    s->depth--;
    free_prim(p);
    return ok;
}

// ( metersPerUnit = 1 upAxis = "Z" ... )
static bool read_stage_metadata(stage *s)
{
    plait_usda_reader *r = &s->reader;
    plait_usda_next(r);
    while (r->kind != PLAIT_USDA_SIGN || r->sign != ')') {
        bool unit = plait_usda_is(r, "metersPerUnit"), up = plait_usda_is(r, "upAxis");
        if (r->kind == PLAIT_USDA_END || r->kind == PLAIT_USDA_BAD)
            return plait_usda_expected(r, "')'");
        if (!unit && !up) {
            if (r->kind == PLAIT_USDA_SIGN && strchr("([{", r->sign)) {
                if (!plait_usda_skip_brackets(r))
                    return false;
            } else {
                plait_usda_next(r);
            }
            continue;
        }
        plait_usda_next(r);
        if (!plait_usda_take(r, '='))
            return false;
        if (unit && (r->kind != PLAIT_USDA_NUMBER || !(r->value > 1e-12 && r->value < 1e12)))
            return plait_usda_expected(r, "a positive number of metres");
        if (up && (r->kind != PLAIT_USDA_STRING || r->length != 1 || !strchr("YZ", r->text[0])))
            return plait_usda_expected(r, "\"Y\" or \"Z\"");
        s->unit = unit ? r->value : s->unit;
        s->up = up ? r->text[0] : s->up;
        plait_usda_next(r);
    }
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

static bool read_stage(stage *s)
{
    plait_usda_reader *r = &s->reader;
    if (r->end - r->at < 5 || memcmp(r->at, "#usda", 5) != 0)
        return plait_usda_fail(r, "expected '#usda 1.0' at the beginning, found another text");
    if (memchr(r->at, 0, (size_t)(r->end - r->at)))
        return plait_usda_fail(r, "expected a text, found zero bytes in it");
    plait_usda_next(r);
    if (r->kind == PLAIT_USDA_SIGN && r->sign == '(' && !read_stage_metadata(s))
        return false;
    while (r->kind != PLAIT_USDA_END) {
        if (plait_usda_is(r, "reorder")) { // reorder rootPrims = [...]
            while (r->kind == PLAIT_USDA_WORD || (r->kind == PLAIT_USDA_SIGN && r->sign == '='))
                plait_usda_next(r);
            if (!plait_usda_skip_value(r))
                return false;
        } else if (!plait_usda_is(r, "def") && !plait_usda_is(r, "over") && !plait_usda_is(r, "class")) {
            return plait_usda_expected(r, "def, over or class");
        } else if (!read_prim(s, false)) {
            return false;
        }
    }
    return true;
}

plait_hair *plait_curves_parse_usda(const char *name, const char *text, size_t size, plait_error *error)
{
    plait_error own = {0};
    stage s = {.reader = {.name = name, .error = error ? error : &own, .at = text, .end = text + size, .line = 1},
               .unit = 0.01, // what USD says where the file does not
               .up = 'Y'};
    if (!plait_curves_begin(&s.builder, name, s.reader.error))
        return NULL;
    bool ok = read_stage(&s);
    plait_hair *h = s.builder.hair;
    if (ok && h->strands == 0) {
        plait_error_set(s.reader.error, PLAIT_BAD_FILE,
                        "%s: expected BasisCurves with at least one curve of two points, found none (references are "
                        "not followed)",
                        name);
        ok = false;
    }
    if (!ok) {
        plait_hair_free(h);
        return NULL;
    }
    h->thickness = s.weight > 0 && isfinite(s.sum) ? s.sum / s.weight : 0;
    h->unit = s.unit;
    h->y_up = s.up == 'Y';
    return h;
}
