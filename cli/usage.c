// usage.c: what a command says of itself: its help, and its table for those who print it otherwise.
#include <string.h>

#include "cli.h"

// ---- describing --------------------------------------------------------------------------------------------------

static plait_cli_sink sink_now;
static void *sink_data;

void plait_cli_describe(const plait_cli_entry *entry, plait_cli_sink sink, void *data)
{
    char name[32], ask[] = "--help", *words[] = {name, ask, NULL};
    snprintf(name, sizeof name, "%s", entry->name);
    sink_now = sink;
    sink_data = data;
    entry->run(2, words);
    sink_now = NULL;
}

int plait_cli_show_usage(const plait_command *command)
{
    if (sink_now) {
        sink_now(command, sink_data);
        return PLAIT_EXIT_OK;
    }
    plait_cli_print_help(command, stdout);
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

bool plait_cli_next_example(const char **at, plait_cli_example *example)
{
    if (!*at || !**at)
        return false;
    size_t length = strcspn(*at, "\n"), tab = strcspn(*at, "\t\n");
    example->heading = tab == length;
    snprintf(example->line, sizeof example->line, "%.*s", (int)tab, *at);
    snprintf(example->meaning, sizeof example->meaning, "%.*s", example->heading ? 0 : (int)(length - tab - 1),
             *at + tab + !example->heading);
    *at += length + ((*at)[length] != 0);
    return true;
}

// ---- help --------------------------------------------------------------------------------------------------------

static int option_left(const plait_option *o, char *text, size_t size)
{
    char letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    return snprintf(text, size, "  %s%s%s%s", letter, o->name, o->argument ? " " : "", o->argument ? o->argument : "");
}

// Prints words in lines of at most LINE columns, the first line starting at column `at`, the others at `indent`. A line
// end in the text is a space, an empty line stays one.
static void print_wrapped(FILE *file, const char *text, int at, int indent)
{
    enum { LINE = 88 };
    bool first = true;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (!first && at + 1 + (int)length > LINE) {
            fprintf(file, "\n%*s", indent, "");
            at = indent;
        } else if (!first && at > indent) {
            fputc(' ', file);
            at++;
        }
        fwrite(text, 1, length, file);
        at += (int)length;
        text += length;
        first = false;
        if (text[0] == '\n' && text[1] == '\n') {
            fprintf(file, "\n\n%*s", indent, "");
            at = indent;
            text++;
        }
        text += *text != 0;
    }
    fputc('\n', file);
}

static void print_options(const plait_option *options, FILE *file)
{
    static const plait_option help = {"--help", 'h', PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, "this text"};
    char left[128];
    int width = option_left(&help, left, sizeof left);
    for (const plait_option *o = options; o->name; o++) {
        int w = option_left(o, left, sizeof left);
        width = w > width ? w : width;
    }
    fprintf(file, "\nOptions:\n");
    for (const plait_option *o = options;; o++) {
        const plait_option *shown = o->name ? o : &help;
        option_left(shown, left, sizeof left);
        fprintf(file, "%-*s   ", width, left);
        print_wrapped(file, shown->help, width + 3, width + 3);
        if (!o->name)
            break;
    }
}

static void print_examples(const char *examples, FILE *file)
{
    plait_cli_example e;
    bool headings = false;
    for (const char *at = examples; plait_cli_next_example(&at, &e);)
        headings = headings || e.heading;
    if (!headings)
        fprintf(file, "\nExamples:\n");
    for (const char *at = examples; plait_cli_next_example(&at, &e);) {
        if (e.heading)
            fprintf(file, "\n%s:\n", e.line);
        else
            fprintf(file, "  plait %s\n      %s\n", e.line, e.meaning);
    }
}

void plait_cli_print_help(const plait_command *command, FILE *file)
{
    fprintf(file, "Usage: plait %s%s%s\n\n", command->name, *command->name ? " " : "", command->usage);
    print_wrapped(file, command->summary, 0, 0);
    if (command->details) {
        fputc('\n', file);
        print_wrapped(file, command->details, 0, 0);
    }
    if (command->entries) {
        fprintf(file, "\n%s:\n", *command->name ? "Benchmarks" : "Commands");
        for (const plait_cli_entry *e = command->entries; e->name; e++)
            fprintf(file, "  %-10s %s\n", e->name, e->summary);
    }
    if (command->options)
        print_options(command->options, file);
    if (command->examples)
        print_examples(command->examples, file);
    if (command->entries)
        fprintf(file, "\n'plait %s%s%s --help' tells more.\n", command->name, *command->name ? " " : "",
                *command->name ? "BENCHMARK" : "COMMAND");
}
