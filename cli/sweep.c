// sweep.c: `plait sweep`: a scene, many times, with other values.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "sweep.h"

typedef struct sweep_options {
    const char *output, *slurm, *snakefile;
    int workers, threads, only;
    bool list, json, force, again;
} sweep_options;

// ---- the folder --------------------------------------------------------------------------------------------------

// runs/NAME of runs/NAME.yaml; the caller frees it.
static char *default_folder(const char *path)
{
    const char *base = plait_cli_base_name(path), *dot = strrchr(base, '.');
    int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    size_t size = (size_t)length + 8;
    char *folder = plait_cli_alloc(size, 1);
    snprintf(folder, size, "runs/%.*s", length, base);
    return folder;
}

// Runs of another sweep are not mixed with these.
static bool claim(const plait_sweep *sweep, const char *folder, bool force)
{
    if (!plait_run_make_folder(folder))
        return false;
    char *there = plait_run_read_text(folder, "sweep.yaml");
    bool same = there && strcmp(there, sweep->text) == 0, other = there && !same;
    free(there);
    if (same)
        return true;
    if (other && !force) {
        plait_cli_message("%s holds another sweep; --force forgets it, its runs are deleted", folder);
        return false;
    }
    return plait_run_write_text(folder, "sweep.yaml", sweep->text);
}

static void forget(const char *folder, int run)
{
    static const char *const names[] = {"outcome.txt", "output.json", "messages.txt"};
    char *where = plait_sweep_run_folder(folder, run);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = plait_run_path(where, names[i]);
        unlink(path);
        free(path);
    }
    plait_run_remove(where);
    rmdir(where);
    free(where);
}

// One sweep at a time in a folder; parts of it (--only) may go side by side. Returns the open file, -1 with a message.
static int lock(const char *folder, bool alone)
{
    char *path = plait_run_path(folder, "sweep.lock");
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        plait_cli_message("%s: cannot be written: %s", path, strerror(errno));
    free(path);
    if (file >= 0 && flock(file, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) {
        plait_cli_message("%s: another sweep is running in this folder", folder);
        close(file);
        return -1;
    }
    return file;
}

// ---- what it says ------------------------------------------------------------------------------------------------

static void list_table(const plait_sweep *sweep, const char *folder)
{
    const char **titles = plait_cli_alloc((size_t)sweep->keys + 3, sizeof *titles);
    titles[0] = "run", titles[1] = "<outcome";
    for (int k = 0; k < sweep->keys; k++)
        titles[k + 2] = sweep->key[k];
    plait_table *table = plait_table_new(titles);
    for (int i = 0; i < sweep->runs; i++) {
        plait_table_cell(table, "%d", i);
        plait_table_cell(table, "%s", plait_outcome_word(plait_sweep_outcome(folder, i)));
        for (int k = 0; k < sweep->keys; k++)
            plait_table_cell(table, "%s", sweep->value[(size_t)i * (size_t)sweep->keys + (size_t)k]);
    }
    plait_table_end(table);
    free(titles);
}

static void list_json(const plait_sweep *sweep, const char *folder)
{
    plait_json json;
    plait_json_open(&json, stdout);
    plait_json_begin(&json, NULL, '[');
    for (int i = 0; i < sweep->runs; i++) {
        plait_json_begin(&json, NULL, '{');
        plait_json_int(&json, "run", i);
        plait_json_string(&json, "outcome", plait_outcome_word(plait_sweep_outcome(folder, i)));
        plait_json_begin_flat(&json, "values", '{');
        for (int k = 0; k < sweep->keys; k++)
            plait_json_string(&json, sweep->key[k], sweep->value[(size_t)i * (size_t)sweep->keys + (size_t)k]);
        plait_json_end(&json, '}');
        plait_json_end(&json, '}');
    }
    plait_json_end(&json, ']');
}

// ---- scripts for clusters ----------------------------------------------------------------------------------------

// In single quotes, as shells take them.
static void print_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, file);
    fputc('\'', file);
}

static void print_call(FILE *file, const char *path, const char *folder, const char *index)
{
    fputs("plait sweep ", file);
    print_quoted(file, path);
    fputs(" -o ", file);
    print_quoted(file, folder);
    fprintf(file, " --only %s", index);
}

void plait_sweep_slurm(FILE *file, const plait_sweep *sweep, const char *path, const char *folder)
{
    fprintf(file,
            "#!/bin/bash\n"
            "# sbatch this file; a task that was killed goes on when it is submitted again.\n"
            "# Afterwards: plait sweep collect ");
    print_quoted(file, folder);
    fprintf(file,
            "\n#SBATCH --job-name=plait-sweep\n"
            "#SBATCH --array=0-%d\n"
            "#SBATCH --cpus-per-task=1\n"
            "#SBATCH --requeue\n",
            sweep->runs - 1);
    print_call(file, path, folder, "\"$SLURM_ARRAY_TASK_ID\"");
    fputs(" --threads \"${SLURM_CPUS_PER_TASK:-1}\"\n", file);
}

static void print_python(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

void plait_sweep_snakefile(FILE *file, const plait_sweep *sweep, const char *path, const char *folder)
{
    fputs("# snakemake --cores N; a run that failed has an outcome too, and is listed in the table.\nFOLDER = ", file);
    print_python(file, folder);
    fputs("\nSWEEP = ", file);
    print_python(file, path);
    fprintf(file,
            "\nRUNS = [f\"{i:04d}\" for i in range(%d)]\n\n"
            "rule table:\n"
            "    input: expand(FOLDER + \"/{run}/outcome.txt\", run=RUNS)\n"
            "    output: FOLDER + \"/table.csv\"\n"
            "    shell: \"plait sweep collect {FOLDER:q} --force\"\n\n"
            "rule run:\n"
            "    output: FOLDER + \"/{run}/outcome.txt\"\n"
            "    threads: 1\n"
            "    params: index=lambda w: int(w.run)\n"
            "    shell: \"plait sweep {SWEEP:q} -o {FOLDER:q} --only {params.index} --threads {threads} || "
            "test -f {output:q}\"\n",
            sweep->runs);
}

static bool write_script(void (*print)(FILE *, const plait_sweep *, const char *, const char *), const char *to,
                         const plait_sweep *sweep, const char *path, const char *folder, bool force)
{
    if (strcmp(to, "-") == 0) {
        print(stdout, sweep, path, folder);
        return true;
    }
    if (!plait_cli_may_write(to, force))
        return false;
    FILE *file = fopen(to, "w");
    if (!file) {
        plait_cli_message("%s: cannot be written: %s", to, strerror(errno));
        return false;
    }
    print(file, sweep, path, folder);
    bool ok = plait_cli_flush(file, to);
    fclose(file);
    return ok;
}

// ---- the command -------------------------------------------------------------------------------------------------

static int work(const plait_sweep *sweep, const char *folder, const sweep_options *o)
{
    plait_sweep_job job = {sweep, folder, 0, sweep->runs - 1, o->workers, o->threads};
    if (o->only >= 0) {
        if (o->only >= sweep->runs)
            return plait_cli_fail("--only: the sweep has runs 0 to %d, found %d", sweep->runs - 1, o->only);
        job.first = job.last = o->only;
    }
    if (!plait_run_make_folder(folder))
        return PLAIT_EXIT_BAD;
    int locked = lock(folder, o->only < 0);
    if (locked < 0)
        return PLAIT_EXIT_BAD;
    int code = PLAIT_EXIT_BAD;
    if (claim(sweep, folder, o->force)) {
        for (int i = job.first; i <= job.last; i++)
            if (o->force || (o->again && plait_sweep_outcome(folder, i) > PLAIT_OUTCOME_FINISHED))
                forget(folder, i);
        code = plait_sweep_work(&job);
    }
    close(locked);
    return code;
}

static int sweep_file(const char *path, const sweep_options *o)
{
    plait_error error = {0};
    plait_sweep *sweep = plait_sweep_read(path, true, &error);
    if (!sweep)
        return plait_cli_fail("%s", error.text);
    char *own = o->output ? NULL : default_folder(path);
    const char *folder = o->output ? o->output : own;
    int code = PLAIT_EXIT_OK;
    if (o->slurm || o->snakefile) {
        bool ok = !o->slurm || write_script(plait_sweep_slurm, o->slurm, sweep, path, folder, o->force);
        ok = ok && (!o->snakefile || write_script(plait_sweep_snakefile, o->snakefile, sweep, path, folder, o->force));
        code = ok ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
    } else if (o->list) {
        (o->json ? list_json : list_table)(sweep, folder);
    } else {
        code = work(sweep, folder, o);
    }
    plait_sweep_free(sweep);
    free(own);
    return plait_cli_flush(stdout, "standard output") ? code : PLAIT_EXIT_BAD;
}

int plait_cli_sweep(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "collect") == 0)
        return plait_cli_sweep_collect(argc - 1, argv + 1);
    sweep_options o = {.workers = 1, .threads = 1, .only = -1};
    const plait_option options[] = {
        {"--output", 'o', PLAIT_OPTION_TEXT, &o.output, 0, 0, "DIR", "folder of the sweep (default: runs/NAME)"},
        {"--workers", 'j', PLAIT_OPTION_INT, &o.workers, 1, 1024, "N", "runs side by side (default 1)"},
        {"--threads", 0, PLAIT_OPTION_INT, &o.threads, 1, 1024, "N", "threads of each run (default 1)"},
        {"--list", 'l', PLAIT_OPTION_FLAG, &o.list, 0, 0, NULL, "say which runs there are, and how they stand"},
        {"--json", 0, PLAIT_OPTION_FLAG, &o.json, 0, 0, NULL, "with --list: as JSON"},
        {"--only", 0, PLAIT_OPTION_INT, &o.only, 0, 1e9, "I", "this run alone, as a task of a cluster does"},
        {"--again", 0, PLAIT_OPTION_FLAG, &o.again, 0, 0, NULL, "runs that did not finish are done again"},
        {"--slurm", 0, PLAIT_OPTION_TEXT, &o.slurm, 0, 0, "FILE", "write an array job for Slurm instead (-: stdout)"},
        {"--snakefile", 0, PLAIT_OPTION_TEXT, &o.snakefile, 0, 0, "FILE", "write rules for Snakemake instead"},
        {"--force", 'f', PLAIT_OPTION_FLAG, &o.force, 0, 0, NULL, "forget what is in DIR, write over files"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "sweep",
        .usage = "SWEEP.yaml [options]  |  collect DIR [options]",
        .summary = "Runs a scene many times with other values, and collects what came out.",
        .details =
            "SWEEP.yaml names a scene, the keys that change and how: 'design' grid, list, random or latin (docs/"
            "commands/sweep.md). Every run is a folder as 'plait run' makes it. What was stopped or killed goes on when "
            "the command is given again; runs that did not finish are kept and listed.\n\n"
            "'plait sweep collect DIR' makes one table of values and results.\n\n"
            "Exit code: 0 all finished, 1 some did not, 2 bad input, 130 stopped.",
        .options = options,
        .min_words = 1,
        .max_words = 1,
        .examples = "sweep friction.yaml -j 4\tall runs, four at a time\n"
                    "sweep friction.yaml --list\twhat would be run\n"
                    "sweep collect runs/friction\tone table: runs/friction/table.csv\n"
                    "sweep friction.yaml --slurm job.sh\tan array job for a cluster",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    plait_cli_catch_interrupt();
    return sweep_file(argv[1], &o);
}
