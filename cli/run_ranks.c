// run_ranks.c: what the ranks of a run by plait-mpi have done: ranks.csv.
#include <stdlib.h>

#include "run.h"

enum { BODIES, CONTACTS, CUT, PRODUCTS, SOLVES, MESSAGES, BYTES, WAIT, CPU, MEMORY, COLUMNS };

static const char *const columns[COLUMNS] = {"bodies",   "contacts", "cut",  "products", "solves",
                                             "messages", "bytes",    "wait", "cpu",      "memory"};

// The largest over the mean; 1 if there is nothing.
static double imbalance(const double *value, int rows)
{
    double sum = 0, most = 0;
    for (int i = 0; i < rows; i++)
        sum += value[i], most = value[i] > most ? value[i] : most;
    return sum > 0 ? most * rows / sum : 1;
}

void plait_run_print_ranks(const char *folder, const char *name)
{
    static const char *const titles[] = {"<ranks of", "bodies", "contacts", "cut",      "cut [%]", "messages", "MB sent",
                                         "/product",  "wait [s]",   "CPU [s]", "memory [MB]", NULL};
    plait_error error = {0};
    int rows = 0;
    if (!plait_run_exists(folder, "ranks.csv"))
        return;
    char *path = plait_run_path(folder, "ranks.csv");
    double *value = plait_run_read_columns(path, COLUMNS, columns, &rows, &error);
    free(path);
    if (!value) {
        plait_cli_message("%s", error.text);
        return;
    }
    plait_table *table = plait_table_new(titles);
#define AT(column) value[(column)*rows + i]
    for (int i = 0; i < rows; i++) {
        plait_table_cell(table, "%s %d", name, i);
        plait_table_cell(table, "%s", plait_cli_count((int64_t)AT(BODIES)));
        plait_table_cell(table, "%s", plait_cli_count((int64_t)AT(CONTACTS)));
        plait_table_cell(table, "%s", plait_cli_count((int64_t)AT(CUT)));
        plait_table_cell(table, "%s", plait_cli_number(AT(CONTACTS) > 0 ? 100 * AT(CUT) / AT(CONTACTS) : 0));
        plait_table_cell(table, "%s", plait_cli_count((int64_t)AT(MESSAGES)));
        plait_table_cell(table, "%s", plait_cli_number(1e-6 * AT(BYTES)));
        plait_table_cell(table, "%s", plait_cli_number(AT(PRODUCTS) > 0 ? 1e-6 * AT(BYTES) / AT(PRODUCTS) : 0));
        plait_table_cell(table, "%s", plait_cli_number(AT(WAIT)));
        plait_table_cell(table, "%s", plait_cli_number(AT(CPU)));
        plait_table_cell(table, "%s", plait_cli_number(1e-6 * AT(MEMORY)));
    }
#undef AT
    fputc('\n', stdout);
    plait_table_print(table, stdout);
    printf("imbalance (largest / mean): bodies %.2f, contacts %.2f, CPU %.2f, memory %.2f\n",
           imbalance(value + BODIES * rows, rows), imbalance(value + CONTACTS * rows, rows),
           imbalance(value + CPU * rows, rows), imbalance(value + MEMORY * rows, rows));
    plait_table_free(table);
    free(value);
}
