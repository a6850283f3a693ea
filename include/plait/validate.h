// validate.h: the physics suite: rods and friction against closed forms and independent solutions.
//
// A case builds rods, contacts or whole scenes through the public headers like any user, in any rod model that can take
// part, and compares what they do with a number that comes from elsewhere: a closed form, or the same equations solved
// by other means. Rows are handed out as they are found; so are the curves behind them.
//
// Cases without rods (one contact, rigid bodies) are run once, with PLAIT_ROD_MODEL_COUNT in place of a model.
#ifndef PLAIT_VALIDATE_H
#define PLAIT_VALIDATE_H

#include "plait/rod.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plait_validation_row {
    const char *name; // of the case, "A1"
    plait_rod_model model;
    const char *subject;  // what was put to the test: name of the model, "one contact", "rigid box" ...
    const char *quantity; // what was measured, "H/W, Gamma = 100"
    int resolution;       // segments; time steps where there are no rods
    double reference, measured;
    double error;       // relative to the reference; absolute where the reference is zero
    double tolerance;   // the row passes if |error| <= tolerance
    bool beyond;        // or if |error| > tolerance: what an approximation is known to miss
    bool pass;          // false as well if it could not be measured (measured is then NaN)
    const char *reason; // NULL, or why it could not
} plait_validation_row;

typedef struct plait_validation_curve {
    const char *name; // of the case
    plait_rod_model model;
    const char *subject;
    const char *series; // name in the legend
    bool reference;     // where it should be: drawn as a line; else what was measured
    int count;
    const double *x, *y;
} plait_validation_curve;

// Where rows and curves go; both may be NULL. `stop` is asked between measurements; NULL: never.
typedef struct plait_validation_sink {
    void (*row)(const plait_validation_row *row, void *data);
    void (*curve)(const plait_validation_curve *curve, void *data);
    bool (*stop)(void *data);
    void *data;
} plait_validation_sink;

// What a case is called and what its picture shows.
typedef struct plait_validation_info {
    const char *suite; // "rods", "friction", "steps", "still", "soft"
    const char *name, *title;
    const char *x_label, *y_label;
    bool log_x, log_y;
} plait_validation_info;

PLAIT_API int plait_validation_count(void);
PLAIT_API plait_validation_info plait_validation_get(int index);
// Whether it can be run in this model; with PLAIT_ROD_MODEL_COUNT: whether it is a case without rods.
PLAIT_API bool plait_validation_applies(int index, plait_rod_model model);
// Runs one case in one model. Rows that fail are no error.
PLAIT_API plait_status plait_validation_run(int index, plait_rod_model model, const plait_validation_sink *sink,
                                            plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
