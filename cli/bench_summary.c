// bench_summary.c: means, and performance profiles, over many runs.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bench.h"

const char *plait_bench_outcome_text(const plait_bench_result *result)
{
    static char text[64];
    switch (result->outcome) {
    case PLAIT_BENCH_SOLVED:
        return "solved";
    case PLAIT_BENCH_UNSOLVED:
        return "not solved";
    case PLAIT_BENCH_CRASHED:
        if (!result->signal)
            return "crashed";
        snprintf(text, sizeof text, "signal %d", result->signal);
        return text;
    case PLAIT_BENCH_HUNG:
        return "hung";
    case PLAIT_BENCH_BAD:
        return "error";
    case PLAIT_BENCH_STOPPED:
        return "stopped";
    }
    return "";
}

double plait_bench_mean_geometric(const double *values, int count)
{
    double sum = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        if (isfinite(values[i]) && values[i] > 0) {
            sum += log(values[i]);
            used++;
        }
    }
    return used ? exp(sum / used) : NAN;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

plait_bench_row plait_bench_over_seeds(const plait_bench_result *results, int count)
{
    plait_bench_row s = {0};
    double *seconds = plait_cli_alloc((size_t)count, sizeof *seconds);
    for (const plait_bench_result *r = results; r < results + count; r++) {
        if (r->outcome > PLAIT_BENCH_UNSOLVED)
            continue;
        seconds[s.ran++] = r->seconds;
        s.solved += r->outcome == PLAIT_BENCH_SOLVED;
        s.residual = fmax(s.residual, r->report.certificate.residual_rel);
        s.contacts = r->info.contacts, s.dofs = r->info.dofs, s.nu = r->info.nu, s.iterations = r->report.iterations;
    }
    qsort(seconds, (size_t)s.ran, sizeof *seconds, compare);
    s.median = s.ran ? 0.5 * (seconds[(s.ran - 1) / 2] + seconds[s.ran / 2]) : NAN;
    s.worst = s.ran ? seconds[s.ran - 1] : NAN;
    free(seconds);
    return s;
}

double plait_bench_memory(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : NAN;
}

plait_bench_summary plait_bench_summarise(const plait_bench_result *results, int count)
{
    plait_bench_summary s;
    memset(&s, 0, sizeof s);
    double *solved = plait_cli_alloc((size_t)count, sizeof *solved), seconds = 0;
    double calls = 0, alt = 0, fail = 0;
    for (int i = 0; i < count; i++) {
        const plait_bench_result *r = &results[i];
        if (r->outcome == PLAIT_BENCH_STOPPED)
            continue;
        s.problems++;
        calls += (double)r->report.local_calls;
        alt += (double)r->report.local_alt;
        fail += (double)r->report.local_fail;
        s.iterations += r->report.iterations;
        seconds += isfinite(r->seconds) ? r->seconds : 0;
        s.worst = fmax(s.worst, r->report.certificate.residual_rel);
        if (r->outcome == PLAIT_BENCH_SOLVED)
            solved[s.solved++] = r->seconds;
    }
    s.alt = calls > 0 ? 100 * alt / calls : NAN;
    s.fail = calls > 0 ? 100 * fail / calls : NAN;
    s.over = s.problems ? 100.0 * (s.problems - s.solved) / s.problems : NAN;
    s.iterations = s.problems ? s.iterations / s.problems : NAN;
    s.milliseconds = s.problems ? 1e3 * seconds / s.problems : NAN;
    s.geometric = 1e3 * plait_bench_mean_geometric(solved, s.solved);
    free(solved);
    return s;
}

void plait_bench_json_summary(plait_json *json, const char *name, const plait_bench_summary *s)
{
    plait_json_begin(json, NULL, '{');
    plait_json_string(json, "solver", name);
    plait_json_int(json, "problems", s->problems);
    plait_json_int(json, "solved", s->solved);
    plait_json_real(json, "percent_alternate", s->alt);
    plait_json_real(json, "percent_local_fail", s->fail);
    plait_json_real(json, "percent_over_tol", s->over);
    plait_json_real(json, "mean_iterations", s->iterations);
    plait_json_real(json, "mean_ms", s->milliseconds);
    plait_json_real(json, "geometric_mean_ms_solved", s->geometric);
    plait_json_real(json, "largest_residual_rel", s->worst);
    plait_json_end(json, '}');
}

void plait_bench_json_run(plait_json *json, const char *problem, const char *config, const plait_bench_result *r)
{
    if (r->outcome == PLAIT_BENCH_STOPPED)
        return;
    plait_json_begin_flat(json, NULL, '{');
    plait_json_string(json, "problem", problem);
    plait_json_string(json, "solver", config);
    plait_json_string(json, "outcome", plait_bench_outcome_text(r));
    plait_json_int(json, "contacts", r->info.contacts);
    plait_json_real(json, "nu", r->info.dofs > 0 ? r->info.nu : NAN);
    plait_json_string(json, "answered_by", r->solver);
    plait_json_real(json, "residual_rel", r->report.certificate.residual_rel);
    plait_json_real(json, "residual_fb_inf", r->report.certificate.residual_fb_inf);
    plait_json_int(json, "iterations", r->report.iterations);
    plait_json_real(json, "seconds", r->seconds);
    plait_json_real(json, "seconds_assemble", r->report.seconds_assemble);
    plait_json_int(json, "local_calls", r->report.local_calls);
    plait_json_int(json, "local_alt", r->report.local_alt);
    plait_json_int(json, "local_fail", r->report.local_fail);
    if (*r->message)
        plait_json_string(json, "message", r->message);
    plait_json_end(json, '}');
}

void plait_bench_json_options(plait_json *json, const char *benchmark, const plait_solve_options *o)
{
    plait_json_string(json, "benchmark", benchmark);
    plait_json_string(json, "version", plait_version());
    plait_json_real(json, "tol", o->tol);
    plait_json_real(json, "max_time", o->max_time);
    plait_json_int(json, "max_iterations", o->max_iterations);
    plait_json_int(json, "threads", o->threads);
    plait_json_string(json, "clock", o->threads == 1 ? "cpu" : "wall");
}

// ---- performance profiles ----------------------------------------------------------------------------------------

// Times nearer than this to the best count as the best: less than clocks can tell.
static const double clock_noise = 1.02;

plait_profile plait_profile_new(const double *seconds, int configs, int problems)
{
    plait_profile profile = {configs, problems, plait_cli_alloc((size_t)configs * (size_t)problems, sizeof(double))};
    for (int p = 0; p < problems; p++) {
        double best = INFINITY;
        for (int c = 0; c < configs; c++)
            best = fmin(best, seconds[c * problems + p]);
        for (int c = 0; c < configs; c++) {
            double t = seconds[c * problems + p], ratio = best > 0 ? t / best : 1;
            profile.ratio[c * problems + p] = !isfinite(t) ? INFINITY : ratio < clock_noise ? 1 : ratio;
        }
    }
    for (int c = 0; c < configs; c++)
        qsort(profile.ratio + c * problems, (size_t)problems, sizeof(double), compare);
    return profile;
}

double plait_profile_at(const plait_profile *profile, int config, double tau)
{
    int within = 0;
    for (int p = 0; p < profile->problems; p++)
        within += profile->ratio[config * profile->problems + p] <= tau;
    return profile->problems ? (double)within / profile->problems : 0;
}

static const double taus[] = {1, 1.5, 2, 3, 5, 10, 30, 100, INFINITY};
enum { TAUS = (int)(sizeof taus / sizeof *taus) };

void plait_profile_print(const plait_profile *profile, const char *const *names, FILE *file)
{
    char title[TAUS][16];
    const char *titles[TAUS + 2] = {"<solver"};
    for (int t = 0; t < TAUS; t++) {
        snprintf(title[t], sizeof title[t], isfinite(taus[t]) ? "%gx" : "ever", taus[t]);
        titles[t + 1] = title[t];
    }
    plait_table *table = plait_table_new(titles);
    for (int c = 0; c < profile->configs; c++) {
        plait_table_cell(table, "%s", names[c]);
        for (int t = 0; t < TAUS; t++) {
            double tau = isfinite(taus[t]) ? taus[t] : 1e300;
            plait_table_cell(table, "%.0f %%", 100 * plait_profile_at(profile, c, tau));
        }
    }
    plait_table_print(table, file);
    plait_table_free(table);
}

void plait_profile_json(const plait_profile *profile, const char *const *names, plait_json *json)
{
    plait_json_begin(json, "profile", '[');
    for (int c = 0; c < profile->configs; c++) {
        plait_json_begin_flat(json, NULL, '{');
        plait_json_string(json, "solver", names[c]);
        plait_json_begin_flat(json, "time_over_best", '[');
        for (int p = 0; p < profile->problems; p++)
            plait_json_real(json, NULL, profile->ratio[c * profile->problems + p]);
        plait_json_end(json, ']');
        plait_json_end(json, '}');
    }
    plait_json_end(json, ']');
}

bool plait_profile_plot(const plait_profile *profile, const char *const *names, const char *title, const char *path)
{
    int configs = profile->configs, problems = profile->problems, points = problems + 2;
    plait_series *series = plait_cli_alloc((size_t)configs, sizeof *series);
    double *x = plait_cli_alloc((size_t)configs * (size_t)points, sizeof *x);
    double *y = plait_cli_alloc((size_t)configs * (size_t)points, sizeof *y), largest = 10;
    for (int i = 0; i < configs * problems; i++)
        largest = isfinite(profile->ratio[i]) ? fmax(largest, 1.1 * profile->ratio[i]) : largest;
    largest = fmin(largest, 1e4);
    for (int c = 0; c < configs; c++) {
        double *sx = x + c * points, *sy = y + c * points;
        int count = 0;
        sx[count] = 1, sy[count++] = plait_profile_at(profile, c, 1);
        for (int p = 0; p < problems; p++) {
            double ratio = profile->ratio[c * problems + p];
            if (ratio > 1 && ratio <= largest)
                sx[count] = ratio, sy[count] = (double)(p + 1) / problems, count++;
        }
        sx[count] = largest, sy[count] = sy[count - 1], count++;
        series[c] = (plait_series){.name = names[c], .count = count, .x = sx, .y = sy, .steps = true};
    }
    plait_plot plot = {.title = title,
                       .x_label = "time / time of the quickest solver on the problem",
                       .y_label = "part of the problems solved",
                       .log_x = true,
                       .x_min = 1,
                       .x_max = largest,
                       .y_min = 0,
                       .y_max = 1.02,
                       .count = configs,
                       .series = series};
    bool ok = plait_cli_plot(path, &plot);
    free(series);
    free(x);
    free(y);
    return ok;
}

void plait_profile_free(plait_profile *profile)
{
    free(profile->ratio);
    profile->ratio = NULL;
}
