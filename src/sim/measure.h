// measure.h: what a scene asks to be measured (plait_measure), seen from inside.
#ifndef PLAIT_SIM_MEASURE_H
#define PLAIT_SIM_MEASURE_H

#include "sim/sim.h"

enum { PLAIT_MEASURE_TITLE = 96 };

// A column: a number of one measurement.
typedef struct plait_measure_column {
    int measure, part;
    char title[PLAIT_MEASURE_TITLE];
} plait_measure_column;

struct plait_measures {
    int columns, fibres;
    plait_measure_column *column; // [columns]
    int *first;                   // [measures + 1] columns of each
    int *chain;                   // [fibres] those of the scene at its start; -1: it is gone
    int *group;                   // [fibres]
    double *reaction;             // [fibres][2][6] of the last step; what is not asked for is NAN
    unsigned char *held;          // [fibres][2] asked for
    double *room;                 // scratch of one fibre
    double eigenvalue[3];
};

plait_status plait_sim_measures_find(plait_sim *sim, const plait_scene *scene, plait_error *error);
// What holds ends in the step that is about to be accepted.
void plait_sim_measures_hold(const plait_model *m, plait_work *w, double dt);
void plait_sim_measures_renumber(plait_measures *all, const int *chain);
void plait_sim_measures_free(plait_measures *all);

// measure_fibre.c: numbers of one measurement, as many as it has columns. NAN: there is none.
// along: tension, curvature, twist, moment. link: Gauss' integral of two polylines; of one with itself if both are one.
void plait_measure_along(const plait_sim *sim, const plait_measure *q, int chain, int count, double *out);
double plait_measure_link(const double *x, int n, const double *y, int m, bool same);
// Nodes of a rod between two places: first and how many. Segments, if `segments`.
void plait_measure_span(const plait_sim *sim, const plait_measure *q, int chain, bool segments, int *first, int *count);

#endif
