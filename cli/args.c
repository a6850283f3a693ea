// args.c: options of the subcommands, read from a table that also gives their help.
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

bool plait_cli_read_real(const char *text, double *value)
{
    char *end;
    if (!*text || isspace((unsigned char)*text))
        return false;
    double x = strtod(text, &end);
    if (*end || !isfinite(x))
        return false;
    *value = x;
    return true;
}

bool plait_cli_read_int(const char *text, int *value)
{
    char *end;
    if (!*text || isspace((unsigned char)*text))
        return false;
    errno = 0;
    long x = strtol(text, &end, 10);
    if (*end || errno || x < INT_MIN || x > INT_MAX)
        return false;
    *value = (int)x;
    return true;
}

static bool read_seed(const char *text, uint64_t *value)
{
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    errno = 0;
    unsigned long long x = strtoull(text, &end, 0);
    if (*end || errno)
        return false;
    *value = x;
    return true;
}

int plait_cli_read_reals(const char *option, const char *text, double min, double max_value, double *values, int max)
{
    int count = 0;
    while (true) {
        size_t length = strcspn(text, ",");
        char word[64];
        if (length < sizeof word) {
            memcpy(word, text, length);
            word[length] = 0;
        }
        double x;
        if (length >= sizeof word || !plait_cli_read_real(word, &x) || x < min || x > max_value) {
            plait_cli_message("%s: expected numbers from %g to %g with commas between them, found '%.*s'", option, min,
                              max_value, (int)(length < 60 ? length : 60), text);
            return -1;
        }
        if (count == max) {
            plait_cli_message("%s: at most %d numbers", option, max);
            return -1;
        }
        values[count++] = x;
        if (!text[length])
            return count;
        text += length + 1;
    }
}

// Edit distance where a swap of neighbours counts one, as typing mistakes go. Words longer than the buffer are far.
static int distance(const char *a, const char *b)
{
    enum { LENGTH = 32 };
    int n = (int)strlen(a), m = (int)strlen(b), d[LENGTH + 1][LENGTH + 1];
    if (n > LENGTH || m > LENGTH)
        return INT_MAX;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            int best = d[i - 1][j - 1] + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
            best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

const char *plait_cli_nearest(const char *text, const char *const *list)
{
    const char *nearest = NULL;
    int best = INT_MAX, length = (int)strlen(text);
    for (; *list; list++) {
        int d = distance(text, *list);
        // The beginning of a word is as good as a typing mistake.
        if (length >= 2 && strncmp(text, *list, (size_t)length) == 0 && d > 1)
            d = 1;
        if (d < best) {
            best = d;
            nearest = *list;
        }
    }
    return best <= (length < 4 ? 1 : 2 + length / 8) ? nearest : NULL;
}

const char *plait_cli_solver_list(void)
{
    static char text[256];
    text[0] = 0;
    for (int i = 0; i < PLAIT_SOLVER_COUNT; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%s", i ? ", " : "",
                 plait_solver_name((plait_solver)i), i == PLAIT_SOLVER_AUTO ? " (default)" : "");
    return text;
}

static bool name_unknown(const char *what, const char *text, const char *const *list)
{
    char all[512] = "";
    for (int i = 0; list[i]; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", list[i]);
    const char *near = plait_cli_nearest(text, list);
    if (near)
        plait_cli_message("there is no %s '%s'; did you mean '%s'? (%s)", what, text, near, all);
    else
        plait_cli_message("there is no %s '%s'; there are: %s", what, text, all);
    return false;
}

bool plait_cli_read_solver(const char *text, plait_solver *solver)
{
    *solver = plait_solver_find(text);
    if (*solver != PLAIT_SOLVER_COUNT)
        return true;
    const char *list[PLAIT_SOLVER_COUNT + 1] = {NULL};
    for (int i = 0; i < PLAIT_SOLVER_COUNT; i++)
        list[i] = plait_solver_name((plait_solver)i);
    return name_unknown("solver", text, list);
}

bool plait_cli_read_local(const char *text, plait_local *local, bool *enum_failsafe)
{
    char name[64];
    snprintf(name, sizeof name, "%s", text);
    char *plus = strchr(name, '+');
    *enum_failsafe = false;
    if (plus && strcmp(plus, "+enum") == 0) {
        *plus = 0;
        *enum_failsafe = true;
    } else if (plus) {
        plait_cli_message("local solver '%s': only '+enum' can follow a name, as in 'mfb+enum'", text);
        return false;
    }
    *local = plait_local_find(name);
    if (*local != PLAIT_LOCAL_COUNT)
        return true;
    const char *list[PLAIT_LOCAL_COUNT + 1] = {NULL};
    for (int i = 0; i < PLAIT_LOCAL_COUNT; i++)
        list[i] = plait_local_name((plait_local)i);
    return name_unknown("local solver", name, list);
}

// ---- the option table --------------------------------------------------------------------------------------------

static bool in_range(const plait_option *option, double value)
{
    return option->min == option->max || (value >= option->min && value <= option->max);
}

static bool set_value(const plait_option *option, const char *text)
{
    switch (option->kind) {
    case PLAIT_OPTION_FLAG:
        *(bool *)option->value = true;
        return true;
    case PLAIT_OPTION_TEXT:
        *(const char **)option->value = text;
        if (*text)
            return true;
        plait_cli_message("%s: expected %s, found nothing", option->name, option->argument);
        return false;
    case PLAIT_OPTION_INT: {
        int value;
        if (plait_cli_read_int(text, &value) && in_range(option, value)) {
            *(int *)option->value = value;
            return true;
        }
        break;
    }
    case PLAIT_OPTION_REAL: {
        double value;
        if (plait_cli_read_real(text, &value) && in_range(option, value)) {
            *(double *)option->value = value;
            return true;
        }
        break;
    }
    case PLAIT_OPTION_SEED:
        if (read_seed(text, option->value))
            return true;
        break;
    }
    const char *what = option->kind == PLAIT_OPTION_REAL ? "a number" : "a whole number";
    if (option->min == option->max)
        plait_cli_message("%s: expected %s, found '%s'", option->name, what, text);
    else if (option->max >= INT_MAX)
        plait_cli_message("%s: expected %s of at least %g, found '%s'", option->name, what, option->min, text);
    else
        plait_cli_message("%s: expected %s from %g to %g, found '%s'", option->name, what, option->min, option->max,
                          text);
    return false;
}

static const plait_option *find_long(const plait_command *command, const char *word, size_t length)
{
    for (const plait_option *o = command->options; o->name; o++)
        if (strncmp(o->name, word, length) == 0 && !o->name[length])
            return o;
    return NULL;
}

static const plait_option *find_letter(const plait_command *command, char letter)
{
    for (const plait_option *o = command->options; o->name; o++)
        if (o->letter == letter)
            return o;
    return NULL;
}

static void option_unknown(const plait_command *command, const char *word)
{
    const char *list[64];
    int count = 0;
    for (const plait_option *o = command->options; o->name && count < 62; o++)
        list[count++] = o->name;
    list[count++] = "--help";
    list[count] = NULL;
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = strlen(name) > 2 ? plait_cli_nearest(name, list) : NULL;
    if (near)
        plait_cli_message("%s has no option '%s'; did you mean '%s'?", command->name, name, near);
    else
        plait_cli_message("%s has no option '%s'; see 'plait %s --help'", command->name, name, command->name);
}

// Reads the option at argv[at]; returns how many words it took, 0 if it is bad.
static int read_option(const plait_command *command, int argc, char **argv, int at)
{
    const char *word = argv[at], *value = NULL;
    const plait_option *option;
    if (word[1] == '-') {
        size_t length = strcspn(word, "=");
        option = find_long(command, word, length);
        value = word[length] ? word + length + 1 : NULL;
    } else {
        option = find_letter(command, word[1]);
        if (option && option->kind == PLAIT_OPTION_FLAG && word[2])
            option = NULL;
        value = word[2] ? word + 2 : NULL;
    }
    if (!option) {
        option_unknown(command, word);
        return 0;
    }
    if (option->kind == PLAIT_OPTION_FLAG && value) {
        plait_cli_message("%s takes no value, found '%s'", option->name, value);
        return 0;
    }
    int took = 1;
    if (option->kind != PLAIT_OPTION_FLAG && !value) {
        if (at + 1 == argc) {
            plait_cli_message("%s needs %s after it", option->name, option->argument);
            return 0;
        }
        value = argv[at + 1];
        took = 2;
    }
    return set_value(option, value) ? took : 0;
}

int plait_cli_parse(const plait_command *command, int argc, char **argv, int *exit_code)
{
    int words = 0;
    *exit_code = PLAIT_EXIT_BAD;
    // Help wins over whatever else is on the line, right or wrong.
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            *exit_code = plait_cli_show_usage(command);
            return -1;
        }
    }
    bool options = true;
    for (int i = 1; i < argc;) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
            i++;
        } else if (options && argv[i][0] == '-' && argv[i][1]) {
            int took = read_option(command, argc, argv, i);
            if (!took)
                return -1;
            i += took;
        } else {
            argv[++words] = argv[i++];
        }
    }
    if (words < command->min_words || (command->max_words >= 0 && words > command->max_words)) {
        if (words < command->min_words)
            plait_cli_message("%s: too few words; usage: plait %s %s", command->name, command->name, command->usage);
        else
            plait_cli_message("%s: '%s' is one word too many; usage: plait %s %s", command->name,
                              argv[command->max_words + 1], command->name, command->usage);
        return -1;
    }
    // --threads N is for everything that a command does, whether it has an option for it or not.
    for (const plait_option *o = command->options; o && o->name; o++)
        if (o->kind == PLAIT_OPTION_INT && strcmp(o->name, "--threads") == 0)
            plait_set_default_threads(*(const int *)o->value);
    *exit_code = PLAIT_EXIT_OK;
    return words;
}
