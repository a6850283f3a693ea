// columns.h: tables of numbers in text files: CSV.
#ifndef PLAIT_FILE_COLUMNS_H
#define PLAIT_FILE_COLUMNS_H

#include "plait/status.h"

// Rows of `columns` numbers with commas, semicolons or blanks between them; lines that begin with # and a first line of
// titles are passed over. value[rows * columns], malloc'ed; NULL with a message that names file and line.
double *plait_columns_read(const char *path, int columns, int *rows, plait_error *error);

#endif
