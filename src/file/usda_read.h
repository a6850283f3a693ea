// usda_read.h: what the parts of the reader of .usda share: words and numbers (usda_token.c), where prims stand
// (usda_xform.c), curves (usda_curves.c), prims and attributes (usda_read.c).
#ifndef PLAIT_FILE_USDA_READ_H
#define PLAIT_FILE_USDA_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "file/curves.h"

// ---- words (usda_token.c) ----------------------------------------------------------------------------------------

typedef enum plait_usda_kind {
    PLAIT_USDA_END,
    PLAIT_USDA_WORD,   // def, point3f[], xformOp:translate.timeSamples, None
    PLAIT_USDA_NUMBER, // value
    PLAIT_USDA_STRING, // in quotes; text is what is between them, as it stands
    PLAIT_USDA_OTHER,  // @asset@ and <path>
    PLAIT_USDA_SIGN,   // one of ( ) [ ] { } = , ; :
    PLAIT_USDA_BAD     // neither; an error was set
} plait_usda_kind;

typedef struct plait_usda_reader {
    const char *name; // of the file, for messages
    plait_error *error;
    const char *at, *end;
    long line;
    // the present token
    plait_usda_kind kind;
    char sign;
    double value;
    const char *text;
    size_t length;
} plait_usda_reader;

bool plait_usda_fail(plait_usda_reader *r, const char *format, ...) PLAIT_PRINTF(2, 3); // always false
bool plait_usda_expected(plait_usda_reader *r, const char *what);                       // "expected WHAT, found ..."
void plait_usda_next(plait_usda_reader *r);
bool plait_usda_is(const plait_usda_reader *r, const char *word); // the present token is this word
bool plait_usda_take(plait_usda_reader *r, char sign);            // and moves on; else false, with a message
bool plait_usda_skip_brackets(plait_usda_reader *r);              // from ( [ or { to behind its other half
bool plait_usda_skip_value(plait_usda_reader *r);

// ---- values ------------------------------------------------------------------------------------------------------

// Numbers of a value, however they are nested, and how many the innermost tuple has (0: there is none).
typedef struct plait_usda_numbers {
    double *x;
    size_t count, room;
    int tuple;
    long line;
    bool there;
} plait_usda_numbers;

// A number, a tuple, or a list of such, at the present token. None is nothing.
bool plait_usda_read_numbers(plait_usda_reader *r, plait_usda_numbers *n);

enum { PLAIT_USDA_OPS = 16, PLAIT_USDA_WORD_LENGTH = 64 };

typedef struct plait_usda_op {
    char name[PLAIT_USDA_WORD_LENGTH]; // xformOp:translate:pivot
    double x[16];
    int count;
} plait_usda_op;

typedef struct plait_usda_prim {
    bool curves; // BasisCurves
    long line;
    plait_usda_numbers counts, points, widths;
    char type[16], basis[16], wrap[16];
    plait_usda_op op[PLAIT_USDA_OPS];
    int ops;
    char order[PLAIT_USDA_OPS][PLAIT_USDA_WORD_LENGTH];
    int orders;
} plait_usda_prim;

// ---- where prims stand (usda_xform.c) ------------------------------------------------------------------------------

typedef struct plait_usda_affine {
    double A[9], t[3]; // x -> A x + t
} plait_usda_affine;
// The prim's own transformation, after xformOpOrder.
bool plait_usda_local(plait_usda_reader *r, const plait_usda_prim *prim, plait_usda_affine *out);

// ---- curves (usda_curves.c) --------------------------------------------------------------------------------------

// Adds the prim's curves, as they stand in it. sum and weight of widths grow.
bool plait_usda_add_curves(plait_usda_reader *r, const plait_usda_prim *prim, plait_curves_builder *builder,
                           double *sum, double *weight);

#endif
