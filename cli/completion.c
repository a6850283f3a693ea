// completion.c: `plait completion`: what bash, zsh and fish need to complete commands, options and values.
//
// Everything comes from the tables that also print the help (usage.c): the words of an option's value from its argument
// ("svg|png") or from the library, the words of a command from its usage ("SCENE", "FILE...", "bash|zsh|fish").
#include <ctype.h>
#include <string.h>

#include "cli.h"
#include "plait/scene.h"

enum { LIST = 4096, PATH = 64 };

typedef struct offer {
    bool files;
    char words[LIST]; // with blanks between them
} offer;

typedef struct writer {
    FILE *file;
    char at[PATH]; // "bench solvers"
    void (*write)(struct writer *w, const plait_command *command);
} writer;

// ---- what can be offered -----------------------------------------------------------------------------------------

static void add_word(offer *o, const char *word, size_t length)
{
    size_t count = strlen(o->words);
    snprintf(o->words + count, sizeof o->words - count, "%s%.*s", count ? " " : "", (int)length, word);
}

static void add_choices(offer *o, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "|");
        add_word(o, text, length);
        text += length + (text[length] != 0);
    }
}

static void add_entries(offer *o, const plait_cli_entry *entries)
{
    for (; entries->name; entries++)
        add_word(o, entries->name, strlen(entries->name));
}

static void add_scenes(offer *o)
{
    for (int i = 0; i < plait_scene_count(); i++)
        add_word(o, plait_scene_name(i), strlen(plait_scene_name(i)));
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

static void offer_value(const plait_option *option, offer *o)
{
    *o = (offer){false, ""};
    if (strcmp(option->name, "--solver") == 0)
        for (int i = 0; i < PLAIT_SOLVER_COUNT; i++)
            add_word(o, plait_solver_name((plait_solver)i), strlen(plait_solver_name((plait_solver)i)));
    else if (strcmp(option->name, "--local") == 0 && strcmp(option->argument, "NAME") == 0)
        for (int i = 0; i < PLAIT_LOCAL_COUNT; i++)
            add_word(o, plait_local_name((plait_local)i), strlen(plait_local_name((plait_local)i)));
    else if (strcmp(option->name, "--model") == 0)
        for (int i = 0; i < PLAIT_ROD_MODEL_COUNT; i++)
            add_word(o, plait_rod_model_name((plait_rod_model)i), strlen(plait_rod_model_name((plait_rod_model)i)));
    else if (islower((unsigned char)option->argument[0]))
        add_choices(o, option->argument);
    else
        o->files = has(option->argument, "FILE") || has(option->argument, "DIR") || has(option->argument, "OUT") ||
                   has(option->argument, "FOLDER") || has(option->argument, "PROGRAM");
}

static void offer_command(const plait_command *command, offer *o)
{
    const char *u = command->usage;
    *o = (offer){has(u, "FILE") || has(u, "DIR") || has(u, "SCENE"), ""};
    if (has(u, "SCENE"))
        add_scenes(o);
    if (command->entries)
        add_entries(o, command->entries);
    else if (has(u, "COMMAND"))
        add_entries(o, plait_cli_commands);
    else if (islower((unsigned char)u[0])) { // "fibres -o FILE", "bash|zsh|fish"
        char first[PATH];
        snprintf(first, sizeof first, "%.*s", (int)strcspn(u, " "), u);
        add_choices(o, first);
    }
}

// The first part of a help text, without what a shell would take for syntax.
static const char *brief(const char *help, char out[80])
{
    size_t n = 0;
    for (const char *c = help; *c && n < 79; c++) {
        if (*c == ';' || (*c == '(' && n > 12) || (*c == '.' && c[1] == ' ') || (*c == ':' && c[1] == ' ' && n > 20))
            break;
        if (!strchr("'\"[]():`$\\\n", *c))
            out[n++] = *c;
        else if (*c == '\n' || *c == ':')
            out[n++] = ' ';
    }
    while (n > 0 && out[n - 1] == ' ')
        n--;
    out[n] = 0;
    return out;
}

// ---- bash --------------------------------------------------------------------------------------------------------

static void bash_head(FILE *file)
{
    fputs("# bash completion for plait; made by 'plait completion bash'\n"
          "_plait_offer() { # WORDS FILES: what may stand here\n"
          "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
          "    if [ -n \"$2\" ]; then\n"
          "        local names\n"
          "        mapfile -t names < <(compgen -f -- \"$cur\")\n"
          "        COMPREPLY+=(\"${names[@]}\")\n"
          "        compopt -o filenames 2>/dev/null || true\n"
          "    fi\n"
          "}\n\n"
          "_plait() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev= command=${COMP_WORDS[1]} options= words= files=\n"
          "    COMPREPLY=()\n"
          "    [ \"$COMP_CWORD\" -lt 1 ] || prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
          "    # bash splits --solver=gs at the sign\n"
          "    if [ \"$cur\" = = ]; then\n"
          "        cur=\n"
          "    elif [ \"$prev\" = = ]; then\n"
          "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    fi\n"
          "    [ \"$COMP_CWORD\" -gt 1 ] || command=\n"
          "    [ \"$command\" != bench ] || [ \"$COMP_CWORD\" -lt 3 ] || command=\"bench ${COMP_WORDS[2]}\"\n"
          "    case $command in\n",
          file);
}

static void bash_values(FILE *file, const plait_option *options)
{
    fprintf(file, "        case $prev in\n");
    for (const plait_option *o = options; o->name; o++) {
        offer value;
        if (o->kind == PLAIT_OPTION_FLAG)
            continue;
        offer_value(o, &value);
        fprintf(file, "        %s", o->name);
        if (o->letter)
            fprintf(file, " | -%c", o->letter);
        fprintf(file, ") _plait_offer '%s' '%s'; return ;;\n", value.words, value.files ? "yes" : "");
    }
    fprintf(file, "        esac\n");
}

static void bash_command(writer *w, const plait_command *command)
{
    offer words;
    offer_command(command, &words);
    fprintf(w->file, "    '%s')\n        options='--help", w->at);
    for (const plait_option *o = command->options; o && o->name; o++)
        fprintf(w->file, " %s", o->name);
    fprintf(w->file, "'\n        words='%s' files='%s'\n", words.words, words.files ? "yes" : "");
    if (command->options)
        bash_values(w->file, command->options);
    fprintf(w->file, "        ;;\n");
}

static void bash_tail(FILE *file)
{
    fputs("    esac\n"
          "    case $cur in\n"
          "    -*) _plait_offer \"$options\" '' ;;\n"
          "    *) _plait_offer \"$words\" \"$files\" ;;\n"
          "    esac\n"
          "}\n"
          "complete -F _plait plait\n",
          file);
}

// ---- zsh ---------------------------------------------------------------------------------------------------------

static void zsh_head(FILE *file)
{
    fputs("#compdef plait\n# zsh completion for plait; made by 'plait completion zsh'\n\n"
          "_plait() {\n"
          "    local at=${words[2]}\n"
          "    (( CURRENT > 2 )) || at=\n"
          "    [[ $at != bench ]] || (( CURRENT < 4 )) || at=\"bench ${words[3]}\"\n"
          "    case $at in\n",
          file);
}

static void zsh_entries(FILE *file, const plait_cli_entry *entries)
{
    char text[80];
    fprintf(file, "        local -a names=(");
    for (; entries->name; entries++)
        fprintf(file, " '%s:%s'", entries->name, brief(entries->summary, text));
    fprintf(file, " )\n        _describe word names\n");
}

static void zsh_option(FILE *file, const plait_option *o)
{
    char text[80];
    offer value;
    fprintf(file, " \\\n            ");
    if (o->letter)
        fprintf(file, "'(-%c %s)'{-%c,%s}", o->letter, o->name, o->letter, o->name);
    else
        fprintf(file, "'%s%s'", strcmp(o->name, "--set") == 0 ? "*" : "", o->name);
    fprintf(file, "'[%s]", brief(o->help, text));
    if (o->kind != PLAIT_OPTION_FLAG) {
        offer_value(o, &value);
        char argument[80];
        brief(o->argument, argument);
        if (value.files)
            fprintf(file, ":%s:_files", argument);
        else
            fprintf(file, ":value:(%s)", value.words);
    }
    fputc('\'', file);
}

static void zsh_command(writer *w, const plait_command *command)
{
    offer words;
    offer_command(command, &words);
    fprintf(w->file, "    '%s')\n", w->at);
    if (command->entries) {
        zsh_entries(w->file, command->entries);
    } else {
        fprintf(w->file, "        _arguments '1: :' '--help[this text]'");
        for (const plait_option *o = command->options; o && o->name; o++)
            zsh_option(w->file, o);
        if (words.words[0])
            fprintf(w->file, " \\\n            '*:word:{ compadd -- %s%s }'", words.words,
                    words.files ? "; _files" : "");
        else if (words.files)
            fprintf(w->file, " \\\n            '*:file:_files'");
        fputc('\n', w->file);
    }
    fprintf(w->file, "        ;;\n");
}

static void zsh_tail(FILE *file)
{
    fputs("    esac\n}\n\n[[ $funcstack[1] != _plait ]] || _plait \"$@\"\n"
          "[[ $funcstack[1] == _plait ]] || compdef _plait plait\n",
          file);
}

// ---- fish --------------------------------------------------------------------------------------------------------

static void fish_head(FILE *file)
{
    fputs("# fish completion for plait; made by 'plait completion fish'\n"
          "function __plait_at # WORDS...: the line begins with plait WORDS\n"
          "    set -l words (commandline -opc)\n"
          "    set -e words[1]\n"
          "    test (count $words) -ge (count $argv); or return 1\n"
          "    for i in (seq (count $argv))\n"
          "        test \"$words[$i]\" = \"$argv[$i]\"; or return 1\n"
          "    end\n"
          "end\n"
          "function __plait_after # N: exactly so many words are there\n"
          "    test (count (commandline -opc)) -eq (math $argv[1] + 1)\n"
          "end\n"
          "complete -c plait -f\n",
          file);
}

static void fish_command(writer *w, const plait_command *command)
{
    char text[80];
    offer words;
    offer_command(command, &words);
    if (command->entries) {
        int depth = w->at[0] != 0;
        for (const plait_cli_entry *e = command->entries; e->name; e++)
            fprintf(w->file, "complete -c plait -n '__plait_at %s; and __plait_after %d' -a %s -d '%s'\n", w->at, depth,
                    e->name, brief(e->summary, text));
        return;
    }
    for (const plait_option *o = command->options; o && o->name; o++) {
        fprintf(w->file, "complete -c plait -n '__plait_at %s' -l %s", w->at, o->name + 2);
        if (o->letter)
            fprintf(w->file, " -s %c", o->letter);
        if (o->kind != PLAIT_OPTION_FLAG) {
            offer value;
            offer_value(o, &value);
            fprintf(w->file, value.files ? " -r -F" : " -x -a '%s'", value.words);
        }
        fprintf(w->file, " -d '%s'\n", brief(o->help, text));
    }
    if (words.words[0])
        fprintf(w->file, "complete -c plait -n '__plait_at %s' -a '%s'\n", w->at, words.words);
    if (words.files)
        fprintf(w->file, "complete -c plait -n '__plait_at %s' -F\n", w->at);
}

static void fish_tail(FILE *file)
{
    (void)file;
}

// ---- the command -------------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    void (*head)(FILE *file), (*tail)(FILE *file);
    void (*command)(writer *w, const plait_command *command);
} shells[] = {
    {"bash", bash_head, bash_tail, bash_command},
    {"zsh", zsh_head, zsh_tail, zsh_command},
    {"fish", fish_head, fish_tail, fish_command},
};

static void take(const plait_command *command, void *data)
{
    writer *w = data;
    snprintf(w->at, sizeof w->at, "%s", command->name);
    w->write(w, command);
}

static void write_all(writer *w, const plait_cli_entry *entries)
{
    for (; entries->name; entries++)
        if (entries->run != plait_cli_help)
            plait_cli_describe(entries, take, w);
}

int plait_cli_completion(int argc, char **argv)
{
    static const plait_option options[] = {{NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
    static const plait_command help = {.name = "help", .usage = "[COMMAND]", .max_words = -1};
    const plait_command command = {
        .name = "completion",
        .usage = "bash|zsh|fish",
        .summary = "Writes what a shell needs to complete commands, options and scenes.",
        .details =
            "'make install' puts it where shells look for it. For one user: bash: 'plait completion bash' into "
            "~/.local/share/bash-completion/completions/plait, or 'source <(plait completion bash)' in ~/.bashrc; "
            "zsh: into a folder of $fpath as _plait; fish: into ~/.config/fish/completions/plait.fish.",
        .options = options,
        .min_words = 1,
        .max_words = 1,
        .examples = "completion bash >plait.bash\tthen: source plait.bash\n"
                    "completion zsh >_plait\tin a folder of $fpath\n"
                    "completion fish >plait.fish\tin ~/.config/fish/completions",
    };
    int code;
    if (plait_cli_parse(&command, argc, argv, &code) < 0)
        return code;
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(argv[1], shells[i].name) != 0)
            continue;
        writer w = {stdout, "", shells[i].command};
        shells[i].head(stdout);
        take(&plait_cli_overview, &w);
        write_all(&w, plait_cli_commands);
        write_all(&w, plait_cli_benchmarks);
        take(&help, &w);
        shells[i].tail(stdout);
        return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
    }
    return plait_cli_fail("completion: expected bash, zsh or fish, found '%s'", argv[1]);
}
