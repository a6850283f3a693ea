// run_stats.c: stats.csv: one row per step, and what can be said of all of them.
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

const char *const plait_run_ledger_title[PLAIT_RUN_LEDGER] = {
    "given",         "work_ends",   "work_colliders", "work_air",      "work_loads", "work_bonds", "recovery",
    "lost_friction", "lost_impact", "lost_damping",   "lost_numerical"};
static const double LITTLE = 1e-7; // of the energy of bodies: where less changes hands, it is rounding that does not add up

// ---- writing -----------------------------------------------------------------------------------------------------

void plait_run_write_header(FILE *file)
{
    fputs("step,time,dt,failed,rejections,reason,contacts,groups,largest_group,nu,solver,iterations,converged,"
          "residual_rel,residual_fb_inf,worst_contact,cone_violation,penetration,dissipation,smallest_gap,dissipated,"
          "kinetic,elastic,potential,max_stretch,max_speed,newton,newton_mean,relinearised,sticking,sliding,creep,"
          "balance,overlap,error,bonds,ties,bonded_area,bond_energy,debonded,given,work_ends,work_colliders,work_air,"
          "work_loads,work_bonds,recovery,lost_friction,lost_impact,lost_damping,lost_numerical,ledger_error,"
          "ledger_scale,script,lowest,memory,seconds",
          file);
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        fprintf(file, ",seconds_%s", plait_stage_name((plait_stage)i));
    fputs(",cpu", file);
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        fprintf(file, ",cpu_%s", plait_stage_name((plait_stage)i));
    fputc('\n', file);
}

// Bytes of memory that the program has now; 0: not known.
static double memory_now(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*s %ld", &pages) != 1)
        pages = 0;
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

// What is not finite (the smallest gap without contacts) is left empty.
static void write_real(FILE *file, double value)
{
    if (isfinite(value))
        fprintf(file, ",%.17g", value);
    else
        fputc(',', file);
}

static void write_text(FILE *file, const char *text)
{
    fputc(',', file);
    plait_cli_csv_cell(file, text ? text : "");
}

void plait_run_write_row(FILE *file, const plait_sim_report *r, double seconds)
{
    const plait_certificate *c = &r->certificate;
    fprintf(file, "%" PRId64, r->step);
    write_real(file, r->time);
    write_real(file, r->dt);
    fprintf(file, ",%d,%d", r->failed, r->rejections);
    write_text(file, r->reason);
    fprintf(file, ",%d,%d,%d", r->contacts, r->groups, r->largest_group);
    write_real(file, r->nu);
    write_text(file, r->solver);
    fprintf(file, ",%d,%d", r->iterations, r->converged);
    write_real(file, c->residual_rel);
    write_real(file, c->residual_fb_inf);
    fprintf(file, ",%d", c->worst_contact);
    const double rest[] = {c->cone_violation, c->penetration, c->dissipation, r->smallest_gap, r->dissipated,
                           r->kinetic,        r->elastic,     r->potential,   r->max_stretch,  r->max_speed};
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        write_real(file, rest[i]);
    fprintf(file, ",%d", r->newton);
    write_real(file, r->newton_mean);
    fprintf(file, ",%d,%d,%d", r->relinearised, r->sticking, r->sliding);
    write_real(file, r->creep);
    write_real(file, r->balance);
    write_real(file, r->overlap);
    write_real(file, r->error);
    fprintf(file, ",%d,%d", r->bonds, r->ties);
    write_real(file, r->bonded_area), write_real(file, r->bond_energy), write_real(file, r->debonded);
    const plait_ledger *l = &r->ledger;
    const double ledger[] = {l->given, l->ends,     l->colliders, l->air,     l->loads,     l->bonds, l->recovery,
                             l->friction, l->impact, l->damping,   l->numerical, l->error, l->scale};
    for (size_t i = 0; i < sizeof ledger / sizeof *ledger; i++)
        write_real(file, ledger[i]);
    double cpu = 0;
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        cpu += r->cpu[i];
    write_real(file, r->script), write_real(file, r->lowest);
    fprintf(file, ",%.0f", memory_now());
    write_real(file, seconds);
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        write_real(file, r->seconds[i]);
    write_real(file, cpu);
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        write_real(file, r->cpu[i]);
    fputc('\n', file);
}

// ---- reading -----------------------------------------------------------------------------------------------------

enum { COLUMNS = 8192 };
typedef enum column {
    DT,
    FAILED,
    REJECTIONS,
    CONTACTS,
    NU,
    ITERATIONS,
    CONVERGED,
    RESIDUAL,
    SECONDS,
    STRETCH,
    KINETIC,
    ELASTIC,
    NEWTON,
    NEWTON_MEAN,
    BALANCE,
    OVERLAP,
    BONDS,
    TIES,
    AREA,
    STORED,
    DEBONDED,
    MEMORY,
    STICKING,
    SLIDING,
    CREEP,
    LOWEST,
    CPU,
    POTENTIAL,
    LEDGER,
    ERROR = LEDGER + PLAIT_RUN_LEDGER,
    SCALE,
    STAGES,
    NEEDED = STAGES + PLAIT_STAGE_COUNT
} column;

int plait_csv_split(char *line, char **cell, int most)
{
    int count = 0;
    for (char *c = line; count < most;) {
        cell[count++] = c;
        char *to = c;
        bool quoted = false;
        for (; *c && (quoted || *c != ','); c++) {
            if (*c != '"')
                *to++ = *c;
            else if (quoted && c[1] == '"')
                *to++ = *c++;
            else
                quoted = !quoted;
        }
        bool last = !*c++;
        *to = 0;
        if (last)
            return count;
    }
    return count;
}

static bool find_columns(char *header, int at[NEEDED], const char **missing)
{
    static const char *const names[] = {"dt",         "failed",      "rejections",   "contacts", "nu",
                                        "iterations", "converged",   "residual_rel", "seconds",  "max_stretch",
                                        "kinetic",    "elastic",
                                        "newton",     "newton_mean", "balance",      "overlap",  "bonds",
                                        "ties",       "bonded_area", "bond_energy",  "debonded", "memory",
                                        "sticking",   "sliding",     "creep",       "lowest",   "cpu",
                                        "potential"};
    static const char *const checks[] = {"ledger_error", "ledger_scale"};
    char *cell[COLUMNS];
    int count = plait_csv_split(header, cell, COLUMNS);
    for (int i = 0; i < NEEDED; i++) {
        char name[64];
        const char *title = i < LEDGER   ? names[i]
                            : i < ERROR  ? plait_run_ledger_title[i - LEDGER]
                            : i < STAGES ? checks[i - ERROR]
                                         : plait_stage_name((plait_stage)(i - STAGES));
        snprintf(name, sizeof name, "%s%s", i < STAGES ? "" : "seconds_", title);
        at[i] = 0;
        while (at[i] < count && strcmp(cell[at[i]], name) != 0)
            at[i]++;
        if (at[i] == count && i >= NEWTON && i < STAGES) {
            at[i] = -1; // files of earlier versions do without
        } else if (at[i] == count) {
            *missing = title;
            return false;
        }
    }
    return true;
}

static void add_row(plait_run_summary *s, const double x[NEEDED])
{
    if (x[FAILED] != 0) {
        s->failures++;
        return;
    }
    s->steps++;
    s->rejections += (int64_t)x[REJECTIONS];
    s->contacts += x[CONTACTS];
    s->contacts_max = x[CONTACTS] > s->contacts_max ? (int)x[CONTACTS] : s->contacts_max;
    if (x[CONTACTS] > 0) {
        s->steps_with_contacts++;
        s->iterations += x[ITERATIONS];
        s->over_tolerance += x[CONVERGED] == 0;
        s->residual_max = fmax(s->residual_max, x[RESIDUAL]);
        s->nu_max = fmax(s->nu_max, x[NU]);
        s->newton += x[NEWTON_MEAN];
        s->newton_max = x[NEWTON] > s->newton_max ? (int)x[NEWTON] : s->newton_max;
        s->balance_max = fmax(s->balance_max, x[BALANCE]);
        s->overlap_max = fmax(s->overlap_max, x[OVERLAP]);
    }
    s->bonds_max = fmax(s->bonds_max, x[BONDS]), s->ties_max = fmax(s->ties_max, x[TIES]);
    s->area_max = fmax(s->area_max, x[AREA]), s->stored_max = fmax(s->stored_max, x[STORED]);
    s->debonded += x[DEBONDED];
    s->stretch_max = fmax(s->stretch_max, x[STRETCH]);
    s->sticking += x[STICKING], s->sliding += x[SLIDING];
    s->creep_max = fmax(s->creep_max, x[CREEP]);
    s->creep_last = x[CREEP];
    if (x[LOWEST] != 0) { // empty: nobody asked
        s->lowest_least = s->eigenvalues++ ? fmin(s->lowest_least, x[LOWEST]) : x[LOWEST];
        s->lowest_last = x[LOWEST], s->unstable += x[LOWEST] < 0;
    }
    for (int i = 0; i < PLAIT_RUN_LEDGER; i++)
        s->ledger[i] += x[LEDGER + i];
    double size = x[SCALE] + LITTLE * (x[KINETIC] + x[ELASTIC] + fabs(x[POTENTIAL]));
    if (size > 0)
        s->ledger_error = fmax(s->ledger_error, fabs(x[ERROR]) / size);
    s->memory_max = fmax(s->memory_max, x[MEMORY]);
    s->simulated += x[DT];
    s->seconds += x[SECONDS], s->cpu += x[CPU];
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        s->stage[i] += x[STAGES + i];
}

static bool read_rows(FILE *file, const char *path, plait_run_summary *s, plait_error *error)
{
    char *line = NULL, *cell[COLUMNS];
    const char *missing = NULL;
    size_t room = 0;
    int at[NEEDED];
    int64_t number = 0;
    bool ok = true;
    for (ssize_t length; ok && (length = getline(&line, &room, file)) > 0;) {
        if (line[length - 1] != '\n')
            break; // a row that is being written
        line[length - 1] = 0;
        if (number++ == 0) {
            ok = find_columns(line, at, &missing);
            if (!ok)
                plait_error_set(error, PLAIT_BAD_FILE, "%s:1: expected a column '%s', found none", path, missing);
            continue;
        }
        int count = plait_csv_split(line, cell, COLUMNS);
        double x[NEEDED];
        for (int i = 0; i < NEEDED && ok; i++) {
            char *end = NULL;
            x[i] = 0;
            if (at[i] < 0)
                continue;
            ok = at[i] < count;
            x[i] = ok ? strtod(cell[at[i]], &end) : 0;
            if (ok && end == cell[at[i]])
                x[i] = 0; // empty: there is no such number in this step
            if (!ok || *end)
                ok =
                    plait_error_set(error, PLAIT_BAD_FILE, "%s:%" PRId64 ": expected a number in column %d, found '%s'",
                                    path, number, at[i] + 1, ok ? cell[at[i]] : "nothing") == PLAIT_OK;
        }
        if (ok)
            add_row(s, x);
    }
    free(line);
    if (ok && number == 0)
        ok = plait_error_set(error, PLAIT_BAD_FILE, "%s: expected a row of titles, found an empty file", path) ==
             PLAIT_OK;
    return ok;
}

bool plait_run_summarise(const char *path, plait_run_summary *summary, plait_error *error)
{
    memset(summary, 0, sizeof *summary);
    FILE *file = fopen(path, "r");
    if (!file)
        return plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be read: %s", path, strerror(errno)) == PLAIT_OK;
    bool ok = read_rows(file, path, summary, error);
    fclose(file);
    if (summary->steps > 0)
        summary->contacts /= (double)summary->steps, summary->sticking /= (double)summary->steps,
            summary->sliding /= (double)summary->steps;
    if (summary->steps_with_contacts > 0)
        summary->iterations /= (double)summary->steps_with_contacts,
            summary->newton /= (double)summary->steps_with_contacts;
    return ok;
}

// ---- columns -----------------------------------------------------------------------------------------------------

static bool find_titles(char *header, int count, const char *const *titles, int *at, const char *path,
                        plait_error *error)
{
    char *cell[COLUMNS];
    int cells = plait_csv_split(header, cell, COLUMNS);
    for (int c = 0; c < count; c++) {
        at[c] = 0;
        while (at[c] < cells && strcmp(cell[at[c]], titles[c]) != 0)
            at[c]++;
        if (at[c] == cells) {
            plait_error_set(error, PLAIT_BAD_FILE, "%s:1: expected a column '%s', found none", path, titles[c]);
            return false;
        }
    }
    return true;
}

static bool read_cells(char *line, int number, int count, const int *at, double *out, const char *path,
                       plait_error *error)
{
    char *cell[COLUMNS], *end = NULL;
    int cells = plait_csv_split(line, cell, COLUMNS);
    for (int c = 0; c < count; c++) {
        const char *text = at[c] < cells ? cell[at[c]] : "nothing";
        out[c] = *text ? strtod(text, &end) : NAN;
        if (*text && (*end || end == text)) {
            plait_error_set(error, PLAIT_BAD_FILE, "%s:%d: expected a number in column %d, found '%s'", path, number,
                            at[c] + 1, text);
            return false;
        }
    }
    return true;
}

double *plait_run_read_columns(const char *path, int count, const char *const *titles, int *rows, plait_error *error)
{
    int at[COLUMNS], number = 0;
    size_t room = 0, line_room = 0;
    double *table = NULL; // row by row at first
    char *line = NULL;
    bool ok = true;
    FILE *file = fopen(path, "r");
    *rows = 0;
    if (!file) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    for (ssize_t length; ok && (length = getline(&line, &line_room, file)) > 0 && line[length - 1] == '\n';) {
        line[length - 1] = 0;
        if (number++ == 0) {
            ok = find_titles(line, count, titles, at, path, error);
            continue;
        }
        if ((size_t)(*rows + 1) * (size_t)count > room) {
            room = 2 * room + 1024 * (size_t)count;
            table = plait_cli_grow(table, room, sizeof *table);
        }
        ok = read_cells(line, number, count, at, table + (size_t)*rows * (size_t)count, path, error);
        *rows += ok;
    }
    fclose(file);
    free(line);
    if (ok && *rows == 0) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: expected a row per step, found none yet", path);
        ok = false;
    }
    double *columns = ok ? plait_cli_alloc((size_t)*rows * (size_t)count, sizeof *columns) : NULL;
    for (int i = 0; ok && i < *rows; i++)
        for (int c = 0; c < count; c++)
            columns[(size_t)c * (size_t)*rows + (size_t)i] = table[(size_t)i * (size_t)count + (size_t)c];
    free(table);
    return columns;
}

void plait_run_summary_json(plait_json *json, const plait_run_summary *s)
{
    double steps = (double)s->steps;
    plait_json_int(json, "steps", s->steps);
    plait_json_int(json, "steps_with_contacts", s->steps_with_contacts);
    plait_json_real(json, "contacts_mean", s->contacts);
    plait_json_int(json, "contacts_max", s->contacts_max);
    plait_json_int(json, "bonds_max", (int64_t)s->bonds_max);
    plait_json_int(json, "ties_max", (int64_t)s->ties_max);
    plait_json_real(json, "bonded_area_max", s->area_max);
    plait_json_real(json, "bond_energy_max", s->stored_max);
    plait_json_real(json, "debonded", s->debonded);
    plait_json_begin_flat(json, "ledger", '{');
    for (int i = 0; i < PLAIT_RUN_LEDGER; i++)
        plait_json_real(json, plait_run_ledger_title[i], s->ledger[i]);
    plait_json_end(json, '}');
    plait_json_real(json, "ledger_error_max", s->ledger_error);
    plait_json_real(json, "nu_max", s->nu_max);
    plait_json_int(json, "over_tolerance", s->over_tolerance);
    plait_json_real(json, "over_tolerance_percent", 100 * (double)s->over_tolerance / steps);
    plait_json_real(json, "residual_max", s->residual_max);
    plait_json_real(json, "iterations_mean", s->iterations);
    plait_json_real(json, "newton_mean", s->newton);
    plait_json_int(json, "newton_max", s->newton_max);
    plait_json_real(json, "balance_max", s->balance_max);
    plait_json_real(json, "overlap_max", s->overlap_max);
    plait_json_real(json, "stretch_max", s->stretch_max);
    plait_json_real(json, "sticking_mean", s->sticking);
    plait_json_real(json, "sliding_mean", s->sliding);
    plait_json_real(json, "creep_max", s->creep_max);
    plait_json_real(json, "creep_last", s->creep_last);
    plait_json_real(json, "eigenvalue_least", s->eigenvalues > 0 ? s->lowest_least : NAN);
    plait_json_real(json, "eigenvalue_last", s->eigenvalues > 0 ? s->lowest_last : NAN);
    plait_json_real(json, "memory_max", s->memory_max);
    plait_json_int(json, "rejections", s->rejections);
    plait_json_int(json, "failures", s->failures);
    plait_json_real(json, "simulated_seconds", s->simulated);
    plait_json_real(json, "seconds_per_step", s->seconds / steps);
    plait_json_real(json, "cpu_per_step", s->cpu > 0 ? s->cpu / steps : NAN);
    plait_json_real(json, "seconds_per_frame", 0.04 * s->seconds / s->simulated);
    double all = 0;
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        all += s->stage[i];
    plait_json_begin_flat(json, "seconds_per_step_of", '{');
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        plait_json_real(json, plait_stage_name((plait_stage)i), s->stage[i] / steps);
    plait_json_end(json, '}');
    plait_json_begin_flat(json, "percent_of", '{');
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        plait_json_real(json, plait_stage_name((plait_stage)i), 100 * s->stage[i] / all);
    plait_json_end(json, '}');
}
