// bench_peers.c: `plait bench peers`: Plait beside Siconos, one table.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

typedef struct job {
    plait_bench_set set; // the first solver is compared with the peers
    plait_peers peers;
    plait_solve_options base;
    bool json;
} job;

static double our_seconds(const job *j, int config, int problem)
{
    const plait_bench_result *r = &j->set.results[config * j->set.problem_count + problem];
    return r->outcome == PLAIT_BENCH_SOLVED ? r->seconds : INFINITY;
}

static const plait_peer_result *peer_result(const job *j, int peer, int problem)
{
    return &j->peers.result[peer * j->set.problem_count + problem];
}

static double peer_seconds(const job *j, int peer, int problem)
{
    const plait_peer_result *r = peer_result(j, peer, problem);
    return plait_peer_solved(r) ? r->seconds : INFINITY;
}

// The quickest peer on a problem; -1 if none solved it.
static int best_peer(const job *j, int problem)
{
    int best = -1;
    for (int i = 0; i < j->peers.count; i++)
        if (isfinite(peer_seconds(j, i, problem)) &&
            (best < 0 || peer_seconds(j, i, problem) < peer_seconds(j, best, problem)))
            best = i;
    return best;
}

// Geometric mean of ours / theirs over the problems that both solve; theirs is one peer, or the best of all if -1.
typedef struct comparison {
    int ours, theirs, both;
    double ratio, our_mean, their_mean; // means: geometric, over what both solve [s]
} comparison;

static comparison compare(const job *j, int peer)
{
    comparison c = {0};
    int n = j->set.problem_count;
    double *ours = plait_cli_alloc((size_t)n, sizeof *ours), *theirs = plait_cli_alloc((size_t)n, sizeof *theirs);
    for (int p = 0; p < n; p++) {
        int which = peer >= 0 ? peer : best_peer(j, p);
        double a = our_seconds(j, 0, p), b = which >= 0 ? peer_seconds(j, which, p) : INFINITY;
        c.ours += isfinite(a);
        c.theirs += isfinite(b);
        if (isfinite(a) && isfinite(b))
            ours[c.both] = fmax(a, 1e-9), theirs[c.both++] = fmax(b, 1e-9);
    }
    c.our_mean = plait_bench_mean_geometric(ours, c.both);
    c.their_mean = plait_bench_mean_geometric(theirs, c.both);
    c.ratio = c.our_mean / c.their_mean;
    free(ours);
    free(theirs);
    return c;
}

// ---- tables ------------------------------------------------------------------------------------------------------

static void add_our_cell(plait_table *table, const plait_bench_result *r)
{
    if (r->outcome == PLAIT_BENCH_SOLVED)
        plait_table_cell(table, "%s", plait_cli_number(r->seconds));
    else if (r->outcome == PLAIT_BENCH_UNSOLVED)
        plait_table_cell(table, "(%s)", plait_cli_residual(r->report.certificate.residual_rel));
    else
        plait_table_cell(table, "%s", plait_bench_outcome_text(r));
}

static void add_peer_cell(plait_table *table, const plait_peer_result *r, double tol)
{
    if (plait_peer_solved(r))
        plait_table_cell(table, "%s", plait_cli_number(r->seconds));
    else if (isfinite(r->residual) && *r->outcome && r->residual > tol)
        plait_table_cell(table, "(%s)", plait_cli_residual(r->residual));
    else
        plait_table_cell(table, "%s", *r->outcome ? r->outcome : "-");
}

static void print_runs(const job *j)
{
    const char **titles = plait_cli_alloc((size_t)(j->set.config_count + j->peers.count) + 7, sizeof *titles);
    int at = 0;
    titles[at++] = "<problem", titles[at++] = "contacts", titles[at++] = "nu";
    for (int c = 0; c < j->set.config_count; c++)
        titles[at++] = j->set.configs[c].name;
    for (int i = 0; i < j->peers.count; i++)
        titles[at++] = j->peers.name[i];
    if (j->peers.count)
        titles[at++] = "<best peer", titles[at++] = "ours / best";
    plait_table *table = plait_table_new(titles);
    for (int p = 0; p < j->set.problem_count; p++) {
        const plait_problem_info *info = &j->set.results[p].info;
        plait_table_cell(table, "%s", j->set.problems[p].name);
        plait_table_cell(table, "%s", plait_cli_count(info->contacts));
        plait_table_cell(table, "%s", info->dofs > 0 ? plait_cli_number(info->nu) : "-");
        for (int c = 0; c < j->set.config_count; c++)
            add_our_cell(table, &j->set.results[c * j->set.problem_count + p]);
        for (int i = 0; i < j->peers.count; i++)
            add_peer_cell(table, peer_result(j, i, p), j->base.tol);
        if (!j->peers.count)
            continue;
        int best = best_peer(j, p);
        double ours = our_seconds(j, 0, p);
        plait_table_cell(table, "%s", best >= 0 ? j->peers.name[best] : "none");
        if (best >= 0 && isfinite(ours))
            plait_table_cell(table, "%s", plait_cli_number(ours / peer_seconds(j, best, p)));
        else
            plait_table_cell(table, best >= 0 ? "lost" : isfinite(ours) ? "only ours" : "-");
    }
    plait_table_end(table);
    free(titles);
}

static void print_summary(const job *j)
{
    static const char *const titles[] = {"<peer",       "solved",        "both solve", "ours, geo. mean [ms]",
                                         "theirs [ms]", "ours / theirs", NULL};
    plait_table *table = plait_table_new(titles);
    for (int i = 0; i <= j->peers.count; i++) {
        comparison c = compare(j, i < j->peers.count ? i : -1);
        if (i == j->peers.count)
            plait_table_rule(table);
        plait_table_cell(table, "%s", i < j->peers.count ? j->peers.name[i] : "best of them, each time");
        plait_table_cell(table, "%d of %d", c.theirs, j->set.problem_count);
        plait_table_cell(table, "%d", c.both);
        plait_table_cell(table, "%s", plait_cli_number(1e3 * c.our_mean));
        plait_table_cell(table, "%s", plait_cli_number(1e3 * c.their_mean));
        plait_table_cell(table, "%s", plait_cli_number(c.ratio));
    }
    plait_table_end(table);
    printf("\n%s solves %d of %d.\n", j->set.configs[0].name, compare(j, -1).ours, j->set.problem_count);
}

// ---- JSON --------------------------------------------------------------------------------------------------------

static void json_comparison(plait_json *json, const char *name, const comparison *c)
{
    plait_json_begin_flat(json, NULL, '{');
    plait_json_string(json, "peer", name);
    plait_json_int(json, "solved", c->theirs);
    plait_json_int(json, "ours_solved", c->ours);
    plait_json_int(json, "both", c->both);
    plait_json_real(json, "ours_geometric_mean_seconds", c->our_mean);
    plait_json_real(json, "geometric_mean_seconds", c->their_mean);
    plait_json_real(json, "ratio", c->ratio);
    plait_json_end(json, '}');
}

static void json_peer_runs(const job *j, plait_json *json)
{
    plait_json_begin(json, "peer_runs", '[');
    for (int p = 0; p < j->set.problem_count; p++) {
        for (int i = 0; i < j->peers.count; i++) {
            const plait_peer_result *r = peer_result(j, i, p);
            if (!*r->outcome)
                continue;
            plait_json_begin_flat(json, NULL, '{');
            plait_json_string(json, "problem", j->set.problems[p].name);
            plait_json_string(json, "solver", j->peers.name[i]);
            plait_json_string(json, "outcome", r->outcome);
            plait_json_real(json, "seconds", r->seconds);
            plait_json_int(json, "iterations", r->iterations);
            plait_json_real(json, "residual_rel", r->residual);
            plait_json_end(json, '}');
        }
    }
    plait_json_end(json, ']');
}

static void print_json(const job *j)
{
    plait_json json;
    plait_json_start(&json);
    plait_bench_json_options(&json, "peers", &j->base);
    plait_json_begin(&json, "runs", '[');
    for (int p = 0; p < j->set.problem_count; p++)
        for (int c = 0; c < j->set.config_count; c++)
            plait_bench_json_run(&json, j->set.problems[p].name, j->set.configs[c].name,
                                 &j->set.results[c * j->set.problem_count + p]);
    plait_json_end(&json, ']');
    json_peer_runs(j, &json);
    plait_json_begin(&json, "best", '[');
    for (int p = 0; p < j->set.problem_count && j->peers.count; p++) {
        int best = best_peer(j, p);
        double ours = our_seconds(j, 0, p), theirs = best >= 0 ? peer_seconds(j, best, p) : INFINITY;
        plait_json_begin_flat(&json, NULL, '{');
        plait_json_string(&json, "problem", j->set.problems[p].name);
        plait_json_real(&json, "ours_seconds", ours);
        plait_json_string(&json, "best_peer", best >= 0 ? j->peers.name[best] : NULL);
        plait_json_real(&json, "best_peer_seconds", theirs);
        plait_json_real(&json, "ratio", isfinite(ours) && isfinite(theirs) ? ours / theirs : NAN);
        plait_json_end(&json, '}');
    }
    plait_json_end(&json, ']');
    plait_json_begin(&json, "summary", '[');
    for (int i = 0; i <= j->peers.count && j->peers.count; i++) {
        comparison c = compare(j, i < j->peers.count ? i : -1);
        json_comparison(&json, i < j->peers.count ? j->peers.name[i] : "best", &c);
    }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

// ---- runs --------------------------------------------------------------------------------------------------------

static bool run(job *j, const char *peer, const char *peer_solvers, bool verbose)
{
    char *program = plait_peer_find(peer);
    if (!program && peer) {
        plait_cli_message("--peer %s: there is no such program", peer);
        return false;
    }
    if (!program)
        plait_cli_message("plait-peer-siconos is not there (it is built where libsiconos-numerics-dev is installed); "
                          "only Plait's own solvers are run");
    bool ok = true;
    plait_cli_progress progress = plait_cli_progress_start("bench", verbose);
    for (int p = 0; p < j->set.problem_count && ok && !plait_cli_interrupted(); p++) {
        for (int c = 0; c < j->set.config_count && !plait_cli_interrupted(); c++) {
            plait_cli_progress_note(&progress, "%d/%d: %s, %s", p + 1, j->set.problem_count, j->set.problems[p].name,
                                    j->set.configs[c].name);
            j->set.results[c * j->set.problem_count + p] = plait_bench_run(&j->set.problems[p], &j->set.configs[c]);
        }
        plait_cli_progress_note(&progress, "%d/%d: %s, peers", p + 1, j->set.problem_count, j->set.problems[p].name);
        if (program && !plait_cli_interrupted())
            ok = plait_peer_run(program, peer_solvers, &j->set.problems[p], j->base.tol, j->base.max_time, p,
                                &j->peers);
    }
    plait_cli_progress_clear(&progress);
    free(program);
    if (!ok)
        return false;
    if (j->json) {
        print_json(j);
    } else {
        printf("CPU seconds to a residual of %g, at most %g s, one thread (in brackets: the residual that was left).\n"
               "Ours include assembly where the problem comes as M and H; the peers are given the assembled W.\n\n",
               j->base.tol, j->base.max_time);
        print_runs(j);
        if (j->peers.count) {
            printf("\n");
            print_summary(j);
        }
    }
    return plait_cli_flush(stdout, "standard output");
}

int plait_bench_peers(int argc, char **argv)
{
    job j = {.base = plait_default_solve_options()};
    j.base.tol = 1e-6, j.base.max_time = 10, j.base.threads = 1;
    const char *solvers = "auto", *peer = NULL, *peer_solvers = NULL;
    int repeats = 5;
    bool verbose = false;
    const plait_option options[] = {
        {"--solvers", 's', PLAIT_OPTION_TEXT, &solvers, 0, 0, "A,B",
         "of Plait (default auto); the first is compared with the peers"},
        {"--peer-solvers", 0, PLAIT_OPTION_TEXT, &peer_solvers, 0, 0, "A,B",
         "of the peers ('plait-peer-siconos --list' names them; 'all')"},
        {"--peer", 0, PLAIT_OPTION_TEXT, &peer, 0, 0, "PROGRAM", "the peers' program (default: plait-peer-siconos)"},
        {"--tol", 't', PLAIT_OPTION_REAL, &j.base.tol, 1e-14, 1, "T", "residual to reach (default 1e-6)"},
        {"--max-time", 0, PLAIT_OPTION_REAL, &j.base.max_time, 1e-3, 1e6, "S", "CPU seconds for each run (default 10)"},
        {"--repeat", 0, PLAIT_OPTION_INT, &repeats, 1, 1000, "N",
         "most runs of a short solve; the quickest counts (default 5)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &j.json, 0, 0, NULL, "JSON instead of tables"},
        {"--verbose", 'v', PLAIT_OPTION_FLAG, &verbose, 0, 0, NULL, "tell how it goes, line by line, on stderr"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench peers",
        .usage = "[FILE or folder]... [options]",
        .summary = "Plait's solver beside those of Siconos, on the same problems.",
        .details = "All are judged by the same residual, recomputed by Plait; its computation is not counted. Without "
                   "files, a few small fibre problems are generated. Siconos is run by a separate program, "
                   "plait-peer-siconos, built only where libsiconos-numerics-dev is installed. 'ours / best' compares "
                   "with the quickest peer of each problem.",
        .options = options,
        .min_words = 0,
        .max_words = -1,
        .examples = "bench peers --max-time 2\tgenerated problems, beside Siconos\n"
                    "bench peers problems --solvers auto,gs\ta folder of files",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    code = plait_bench_set_read(solvers, &j.base, repeats, words, argv + 1, &j.set);
    if (code != PLAIT_EXIT_OK)
        return code;
    j.peers.problems = j.set.problem_count;
    j.peers.result = plait_cli_alloc(PLAIT_PEERS_MAX * (size_t)j.set.problem_count, sizeof *j.peers.result);
    code = run(&j, peer, peer_solvers, verbose) ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
    free(j.peers.result);
    return plait_bench_set_end(&j.set, code);
}
