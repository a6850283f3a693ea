// run_measure.c: measure.csv and measure.h5: what the scene measures, a row per step.
//
// The CSV file grows with every step. At checkpoints and at the end the HDF5 file is written whole from it, so both
// have the same numbers, and the same bytes whether a run was interrupted or not.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

static bool trouble(plait_run *run)
{
    plait_error_set(&run->error, PLAIT_BAD_FILE, "%s/measure.csv: %s", run->folder, strerror(errno));
    return false;
}

static void write_header(plait_run *run)
{
    fputs("step,time,dt", run->series);
    for (int i = 0; i < plait_sim_measures(run->sim); i++)
        fprintf(run->series, ",%s", plait_sim_measure_title(run->sim, i));
    fputc('\n', run->series);
}

// Cuts the file behind the row of `step`. False: it has no such row.
static bool cut_behind(plait_run *run, int64_t step)
{
    char *line = NULL;
    size_t room = 0;
    int64_t last = 0, end = 0;
    for (ssize_t length; (length = getline(&line, &room, run->series)) > 0 && line[length - 1] == '\n';) {
        int64_t number = end > 0 ? strtoll(line, NULL, 10) : 0;
        if (number > step)
            break;
        last = number, end += length;
    }
    free(line);
    return end > 0 && last == step && ftruncate(fileno(run->series), (off_t)end) == 0 &&
           fseeko(run->series, (off_t)end, SEEK_SET) == 0;
}

bool plait_run_open_series(plait_run *run, int64_t step)
{
    char *path = plait_run_path(run->folder, "measure.csv");
    bool ok = true;
    if (plait_sim_measures(run->sim) > 0) {
        run->series = step > 0 ? fopen(path, "r+") : NULL;
        if (run->series && !cut_behind(run, step)) {
            fclose(run->series);
            run->series = NULL;
        }
        if (!run->series && step > 0) {
            plait_cli_message("%s: measure.csv of before step %" PRId64 " not there: begun anew", run->folder, step);
            plait_run_note(run, "measure.csv of before step %" PRId64 " not there: begun anew", step);
        }
        if (!run->series && (run->series = fopen(path, "w")))
            write_header(run);
        ok = run->series || trouble(run);
    }
    free(path);
    return ok;
}

void plait_run_write_series(plait_run *run, const plait_sim_report *r)
{
    if (!run->series)
        return;
    int count = plait_sim_measures(run->sim);
    double *value = plait_cli_alloc((size_t)count + 1, sizeof *value);
    plait_sim_measure(run->sim, value);
    fprintf(run->series, "%" PRId64 ",%.17g,%.17g", r->step, r->time, r->dt);
    for (int i = 0; i < count; i++)
        fprintf(run->series, isfinite(value[i]) ? ",%.17g" : ",", value[i]);
    fputc('\n', run->series);
    free(value);
}

static bool write_hdf5(plait_run *run)
{
    int columns = plait_sim_measures(run->sim) + 3, rows = 0;
    const char **title = plait_cli_alloc((size_t)columns, sizeof *title);
    title[0] = "step", title[1] = "time", title[2] = "dt";
    for (int i = 3; i < columns; i++)
        title[i] = plait_sim_measure_title(run->sim, i - 3);
    char *csv = plait_run_path(run->folder, "measure.csv"), *h5 = plait_run_path(run->folder, "measure.h5");
    bool ok = true;
    if (plait_sim_steps(run->sim) > 0) {
        double *value = plait_run_read_columns(csv, columns, title, &rows, &run->error);
        ok = value && plait_series_write(h5, columns, title, rows, value, &run->error) == PLAIT_OK;
        free(value);
    }
    free(title), free(csv), free(h5);
    return ok;
}

bool plait_run_settle_series(plait_run *run)
{
    if (!run->series)
        return true;
    if (fflush(run->series) != 0 || ferror(run->series) || fsync(fileno(run->series)) != 0)
        return trouble(run);
    return write_hdf5(run);
}
