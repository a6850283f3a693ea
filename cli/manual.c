// manual.c: `plait manual`: manual pages, from the tables that also print the help (usage.c).
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "plait/scene.h"

enum { NAME = 64 };

// ---- roff --------------------------------------------------------------------------------------------------------

// One character, protected from roff. Backquotes are Markdown's.
static void put_character(FILE *file, char c)
{
    if (c == '\\')
        fputs("\\e", file);
    else if (c == '-')
        fputs("\\-", file);
    else if (c != '`')
        fputc(c, file);
}

// What belongs on one line of the source: an argument of a request.
static void put_line(FILE *file, const char *text)
{
    for (; *text; text++)
        put_character(file, *text);
    fputc('\n', file);
}

// Paragraphs: sentences begin lines, as manual pages want it, and no line is long. An empty line in the text is a new
// paragraph.
static void put_text_from(FILE *file, const char *text, int column)
{
    enum { LINE = 72 };
    for (const char *c = text; *c; c++, column++) {
        bool blank = *c == ' ' || *c == '\n';
        if (c[0] == '\n' && c[1] == '\n') {
            fputs("\n.PP\n", file);
            column = -1;
            c++;
        } else if (blank && c > text &&
                   (column + (int)strcspn(c + 1, " \n") > LINE ||
                    (strchr(".?!", c[-1]) && isupper((unsigned char)c[1])))) {
            fputc('\n', file);
            column = -1;
        } else {
            if (column == 0 && (*c == '.' || *c == '\''))
                fputs("\\&", file);
            put_character(file, blank ? ' ' : *c);
            column += *c == '-';
        }
    }
    fputc('\n', file);
}

static void put_text(FILE *file, const char *text)
{
    put_text_from(file, text, 0);
}

static void put_option(FILE *file, const plait_option *o)
{
    fputs(".TP\n.B ", file);
    if (o->letter)
        fprintf(file, "\\-%c, ", o->letter);
    fputs("\\-", file);
    for (const char *c = o->name + 1; *c; c++)
        fprintf(file, *c == '-' ? "\\-" : "%c", *c);
    if (o->argument)
        fprintf(file, " %s", o->argument);
    fputc('\n', file);
    put_text(file, o->help);
}

static void put_examples(FILE *file, const char *examples)
{
    plait_cli_example e;
    fputs(".SH EXAMPLES\n", file);
    for (const char *at = examples; plait_cli_next_example(&at, &e);) {
        if (e.heading) {
            fputs(".SS ", file);
            put_line(file, e.line);
            continue;
        }
        fputs(".TP\n.B plait ", file);
        put_line(file, e.line);
        put_text(file, e.meaning);
    }
}

// "plait-bench-solvers"
static const char *page_name(const plait_command *command, char name[NAME])
{
    snprintf(name, NAME, "plait%s%s", *command->name ? "-" : "", command->name);
    for (char *c = name; *c; c++)
        if (*c == ' ')
            *c = '-';
    return name;
}

static void put_head(FILE *file, const char *name, int section)
{
    fputs(".TH ", file);
    for (const char *c = name; *c; c++)
        fputc(toupper((unsigned char)*c), file);
    fprintf(file, " %d 2026-11-16 \"Plait %s\" \"Plait manual\"\n.SH NAME\n", section, plait_version());
    for (const char *c = name; *c; c++)
        fprintf(file, *c == '-' ? "\\-" : "%c", *c);
}

static void put_page(const plait_command *command, FILE *file)
{
    static const plait_option help = {"--help", 'h', PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, "A short form of this page."};
    char name[NAME], summary[200];
    put_head(file, page_name(command, name), 1);
    snprintf(summary, sizeof summary, "%s", command->summary);
    summary[0] = (char)tolower((unsigned char)summary[0]);
    summary[strlen(summary) - (summary[strlen(summary) - 1] == '.')] = 0;
    fputs(" \\- ", file);
    put_text_from(file, summary, (int)strlen(name) + 8);
    fprintf(file, ".SH SYNOPSIS\n.B plait%s%s\n", *command->name ? " " : "", command->name);
    put_text(file, command->usage);
    fputs(".SH DESCRIPTION\n", file);
    put_text(file, command->summary);
    if (command->details) {
        fputs(".PP\n", file);
        put_text(file, command->details);
    }
    if (command->entries) {
        fprintf(file, ".SH %s\n", *command->name ? "BENCHMARKS" : "COMMANDS");
        for (const plait_cli_entry *e = command->entries; e->name; e++) {
            fprintf(file, ".TP\n.B %s\n", e->name);
            put_text(file, e->summary);
        }
    }
    fputs(".SH OPTIONS\n", file);
    for (const plait_option *o = command->options; o && o->name; o++)
        put_option(file, o);
    put_option(file, &help);
    if (command->examples)
        put_examples(file, command->examples);
    fputs(".SH EXIT STATUS\n", file);
    put_text(file,
             "0 done; 1 done, but the answer is no (not converged, not equal); 2 bad input or usage; 130 stopped by "
             "Ctrl-C.");
    fputs(".SH SEE ALSO\n.BR plait (1),\n.BR plait\\-scene (5)\n", file);
}

// The reference of scene files is Markdown: headings, paragraphs and tables of five columns.
static void put_row(FILE *file, char *row)
{
    char *cell[5] = {"", "", "", "", ""};
    int count = 0;
    for (char *c = strtok(row, "|"); c && count < 5; c = strtok(NULL, "|")) {
        c += strspn(c, " ");
        for (size_t n = strlen(c); n > 0 && c[n - 1] == ' '; n--)
            c[n - 1] = 0;
        cell[count++] = c;
    }
    if (count < 4 || strcmp(cell[0], "key") == 0 || cell[0][0] == '-')
        return;
    bool unit = count == 5 && *cell[2];
    const char *standard = cell[3], *meaning = cell[4];
    char text[2000];
    fprintf(file, ".TP\n.B ");
    snprintf(text, sizeof text, "%.*s", (int)(strlen(cell[0]) > 2 ? strlen(cell[0]) - 2 : 0), cell[0] + 1);
    put_line(file, text);
    snprintf(text, sizeof text, "%s%s%s%s; %s. Default: %s.", cell[1], unit ? " [" : "", unit ? cell[2] : "",
             unit ? "]" : "", meaning, standard);
    put_text(file, text);
}

static bool put_scene_page(FILE *file)
{
    char *text = plait_scene_reference();
    if (!text)
        return false;
    put_head(file, "plait-scene", 5);
    fputs(" \\- scene files of plait\n.SH DESCRIPTION\n", file);
    put_text(file,
             "Scene files are YAML. Values may carry units (2 ms, 37 um, 1.3 g/cm^3); without one they are in SI. A "
             "value is changed by its path: --set step.dt=1ms.");
    for (char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end ? (*end = 0, 1) : 0;
        if (strncmp(line, "### ", 4) == 0)
            fprintf(file, ".SH %s\n", line + 4);
        else if (line[0] == '|')
            put_row(file, line);
        else if (line[0])
            put_text(file, line);
    }
    fputs(".SH SEE ALSO\n.BR plait\\-run (1),\n.BR plait\\-schema (1)\n", file);
    free(text);
    return true;
}

// ---- the command -------------------------------------------------------------------------------------------------

typedef struct job {
    const char *folder; // NULL: stdout
    bool ok;
} job;

static bool write_file(const char *folder, const char *name, int section, const plait_command *command)
{
    size_t size = strlen(folder) + strlen(name) + 16;
    char *path = plait_cli_alloc(size, 1), *temporary = plait_cli_alloc(size, 1);
    snprintf(path, size, "%s/%s.%d", folder, name, section);
    snprintf(temporary, size, "%s/.%s.new", folder, name);
    FILE *file = fopen(temporary, "w");
    bool ok = file != NULL;
    if (ok) {
        if (command)
            put_page(command, file);
        else
            ok = put_scene_page(file);
        ok = plait_cli_flush(file, path) && ok;
        ok = fclose(file) == 0 && ok;
    }
    ok = ok && rename(temporary, path) == 0;
    if (!ok)
        plait_cli_message("%s: cannot write: %s", path, strerror(errno));
    free(path);
    free(temporary);
    return ok;
}

static void take(const plait_command *command, void *data)
{
    job *j = data;
    char name[NAME];
    if (j->folder)
        j->ok = write_file(j->folder, page_name(command, name), 1, command) && j->ok;
    else
        put_page(command, stdout);
}

static const plait_cli_entry *find(const plait_cli_entry *entries, const char *name)
{
    for (; entries->name; entries++)
        if (strcmp(entries->name, name) == 0)
            return entries;
    return NULL;
}

static int write_pages(const char *folder)
{
    job j = {folder, true};
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return plait_cli_fail("%s: cannot make this folder: %s", folder, strerror(errno));
    take(&plait_cli_overview, &j);
    for (const plait_cli_entry *e = plait_cli_commands; e->name; e++)
        if (e->run != plait_cli_help)
            plait_cli_describe(e, take, &j);
    for (const plait_cli_entry *e = plait_cli_benchmarks; e->name; e++)
        plait_cli_describe(e, take, &j);
    j.ok = write_file(folder, "plait-scene", 5, NULL) && j.ok;
    return j.ok ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_cli_manual(int argc, char **argv)
{
    const char *folder = NULL;
    const plait_option options[] = {
        {"--output", 'o', PLAIT_OPTION_TEXT, &folder, 0, 0, "DIR",
         "write all pages into this folder: plait.1, plait-run.1 ..."},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "manual",
        .usage = "[COMMAND] [options]",
        .summary = "Writes manual pages.",
        .details =
            "Prints the page of a command, of 'plait' itself without one, or of scene files ('plait manual scene'), "
            "in the language of man(1). 'make install' installs them all.",
        .options = options,
        .max_words = 2,
        .examples = "manual run\tthe page of 'plait run'; 'plait manual run | man -l -' shows it\n"
                    "manual bench solvers\tthe page of a benchmark\n"
                    "manual -o man1\tall pages",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if (folder)
        return words == 0 ? write_pages(folder)
                          : plait_cli_fail("manual: --output writes all pages: no COMMAND with it");
    job j = {NULL, true};
    if (words == 0) {
        take(&plait_cli_overview, &j);
    } else if (words == 1 && strcmp(argv[1], "scene") == 0) {
        if (!put_scene_page(stdout))
            return plait_cli_fail("no memory for the reference of scene files");
    } else {
        const plait_cli_entry *e = find(plait_cli_commands, argv[1]);
        if (e && words == 2)
            e = e->run == plait_cli_bench ? find(plait_cli_benchmarks, argv[2]) : NULL;
        if (!e || e->run == plait_cli_help)
            return plait_cli_fail("manual: there is no page '%s'; 'plait help' lists the commands", argv[words]);
        plait_cli_describe(e, take, &j);
    }
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}
