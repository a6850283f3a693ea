// usda_write.h: what usda_write.c (the stage, fibres) and usda_bodies.c share.
#ifndef PLAIT_IO_USDA_WRITE_H
#define PLAIT_IO_USDA_WRITE_H

#include <stdarg.h>
#include <stdio.h>

#include "io/export.h"

enum { PLAIT_USDA_NAME = PLAIT_NAME + 16 };

typedef struct plait_usda {
    plait_exporter *e;
    plait_sink sink;
    int depth;
    double rate;            // time codes per second
    int bodies;             // colliders, then rigid bodies
    double *pose;           // [frames][bodies][7]
    float *box;             // [frames][groups][6]
    int *fibres;            // [groups] how many can be shown
    double low[3], high[3]; // of all fibres in the first frame
} plait_usda;

void plait_usda_name(const char *text, int count, char (*taken)[PLAIT_USDA_NAME], char out[PLAIT_USDA_NAME]);
void plait_usda_indent(plait_usda *u);
void plait_usda_line(plait_usda *u, const char *format, ...) PLAIT_PRINTF(2, 3);
void plait_usda_open(plait_usda *u, const char *type, const char *name);
void plait_usda_end(plait_usda *u);
void plait_usda_begin_samples(plait_usda *u, const char *declaration, bool many);
void plait_usda_sample(plait_usda *u, int k, bool many);
void plait_usda_end_sample(plait_usda *u, bool many);
void plait_usda_end_samples(plait_usda *u, bool many);
void plait_usda_points(plait_usda *u, int count, const double *x); // "[(x, y, z), ...]"
void plait_usda_palette(int index, bool body, double colour[3]);
void plait_usda_colour(plait_usda *u, int index, bool body);

plait_status plait_usda_write_bodies(plait_usda *u);

#endif
