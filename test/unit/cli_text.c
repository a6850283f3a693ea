// cli_text.c: options, numbers, tables and JSON of the command-line program.
#include "cli.h"

#include "check.h"

// What a writer put into a temporary file.
static const char *text_of(FILE *file)
{
    static char text[4096];
    rewind(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = 0;
    fclose(file);
    return text;
}

static const char *json_of(const char *string)
{
    FILE *file = tmpfile();
    plait_json json;
    if (!file)
        return "";
    plait_json_open(&json, file);
    plait_json_string(&json, NULL, string);
    return text_of(file);
}

// Messages to stderr are expected here; keep them out of the test's output.
static void hide_messages(void)
{
    CHECK(freopen("messages.txt", "w", stderr) != NULL);
}

CASE(numbers_as_people_write_them)
{
    CHECK_STR(plait_cli_number(0), "0");
    CHECK_STR(plait_cli_number(12.345), "12.3");
    CHECK_STR(plait_cli_number(9.9951), "10.0");
    CHECK_STR(plait_cli_number(0.0123456), "0.0123");
    CHECK_STR(plait_cli_number(123456), "123456");
    CHECK_STR(plait_cli_number(1.5e-9), "1.50e-09");
    CHECK_STR(plait_cli_number(-2.5), "-2.50");
    CHECK_STR(plait_cli_number(NAN), "-");
    CHECK_STR(plait_cli_number(INFINITY), "-");
    CHECK_STR(plait_cli_residual(3.14e-7), "3.1e-07");
    CHECK_STR(plait_cli_residual(INFINITY), "-");
    CHECK_STR(plait_cli_count(0), "0");
    CHECK_STR(plait_cli_count(999), "999");
    CHECK_STR(plait_cli_count(1234567), "1 234 567");
    CHECK_STR(plait_cli_count(-1234), "-1 234");
    CHECK_STR(plait_cli_seconds(0.0123), "12.3 ms");
    CHECK_STR(plait_cli_seconds(125), "2 min 05 s");
}

CASE(tables_are_aligned)
{
    static const char *const titles[] = {"<name", "n", NULL};
    plait_table *table = plait_table_new(titles);
    plait_table_cell(table, "a");
    plait_table_cell(table, "%d", 12345);
    plait_table_rule(table);
    plait_table_cell(table, "Mor\xc3\xa9\n");
    plait_table_cell(table, "7");
    FILE *file = tmpfile();
    if (!CHECK(file))
        return;
    plait_table_print(table, file);
    CHECK_STR(text_of(file), "name       n\n"
                             "------------\n"
                             "a      12345\n"
                             "------------\n"
                             "Mor\xc3\xa9?      7\n");
    plait_table_free(table);
}

CASE(json_is_strict)
{
    FILE *file = tmpfile();
    plait_json json;
    if (!CHECK(file))
        return;
    plait_json_open(&json, file);
    plait_json_begin_flat(&json, NULL, '{');
    plait_json_string(&json, "a\"b", "q\\\x01\xff\xc3\xa9");
    plait_json_string(&json, "none", NULL);
    plait_json_real(&json, "nan", NAN);
    plait_json_real(&json, "tenth", 0.1);
    plait_json_real(&json, "third", 1.0 / 3);
    plait_json_int(&json, "big", INT64_MAX);
    plait_json_bool(&json, "yes", true);
    plait_json_begin(&json, "list", '[');
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
    CHECK_STR(text_of(file), "{\"a\\\"b\": \"q\\\\\\u0001\\ufffd\xc3\xa9\", \"none\": null, "
                             "\"nan\": null, \"tenth\": 0.1, "
                             "\"third\": 0.3333333333333333, \"big\": 9223372036854775807, "
                             "\"yes\": true, \"list\": []}\n");
}

CASE(json_lines)
{
    FILE *file = tmpfile();
    plait_json json;
    if (!CHECK(file))
        return;
    plait_json_open(&json, file);
    plait_json_begin(&json, NULL, '[');
    plait_json_int(&json, NULL, 1);
    plait_json_begin(&json, NULL, '{');
    plait_json_int(&json, "x", 2);
    plait_json_end(&json, '}');
    plait_json_end(&json, ']');
    CHECK_STR(text_of(file), "[\n  1,\n  {\n    \"x\": 2\n  }\n]\n");
}

CASE(json_refuses_bad_utf8)
{
    static const char *const bad[] = {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                                      "\xf8", "\xe2\x82"};
    static const char *const good[] = {"a", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x99\x82"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(strstr(json_of(bad[i]), "\\ufffd") && !strstr(json_of(bad[i]), bad[i]));
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        CHECK(strstr(json_of(good[i]), good[i]) && !strstr(json_of(good[i]), "\\ufffd"));
}

CASE(numbers_are_read_whole)
{
    double x;
    int i;
    CHECK(plait_cli_read_real("1e-6", &x) && x == 1e-6);
    CHECK(!plait_cli_read_real("1e-6x", &x));
    CHECK(!plait_cli_read_real("", &x));
    CHECK(!plait_cli_read_real(" 1", &x));
    CHECK(!plait_cli_read_real("inf", &x));
    CHECK(!plait_cli_read_real("nan", &x));
    CHECK(plait_cli_read_int("-12", &i) && i == -12);
    CHECK(!plait_cli_read_int("99999999999", &i));
    CHECK(!plait_cli_read_int("1.0", &i));
    hide_messages();
    double list[3];
    CHECK_INT(plait_cli_read_reals("--x", "0.3,1,2", 0, 10, list, 3), 3);
    CHECK(list[0] == 0.3 && list[1] == 1 && list[2] == 2);
    CHECK_INT(plait_cli_read_reals("--x", "1,2,3,4", 0, 10, list, 3), -1);
    CHECK_INT(plait_cli_read_reals("--x", "1,,2", 0, 10, list, 3), -1);
    CHECK_INT(plait_cli_read_reals("--x", "11", 0, 10, list, 3), -1);
    CHECK_INT(plait_cli_read_reals("--x", "", 0, 10, list, 3), -1);
}

CASE(nearest_word)
{
    static const char *const list[] = {"solve", "bench", "generate", "gs", NULL};
    CHECK_STR(plait_cli_nearest("slove", list), "solve");
    CHECK_STR(plait_cli_nearest("gen", list), "generate");
    CHECK_STR(plait_cli_nearest("gz", list), "gs");
    CHECK(plait_cli_nearest("xyzzy", list) == NULL);
    CHECK(plait_cli_nearest("a word that is much longer than any of the list, much longer", list) == NULL);
}

CASE(local_solvers_with_a_fail_safe)
{
    plait_local local;
    bool failsafe;
    CHECK(plait_cli_read_local("mfb+enum", &local, &failsafe) && local == PLAIT_LOCAL_MFB && failsafe);
    CHECK(plait_cli_read_local("pac", &local, &failsafe) && local == PLAIT_LOCAL_PAC && !failsafe);
    hide_messages();
    CHECK(!plait_cli_read_local("pac+", &local, &failsafe));
    CHECK(!plait_cli_read_local("+enum", &local, &failsafe));
    CHECK(!plait_cli_read_local("", &local, &failsafe));
}

// Parses a line of words, NULL-ended; the other words are left in argv[1..].
static int parse(char **argv, double *tol, int *threads, bool *json, const char **output, int *code)
{
    const plait_option options[] = {
        {"--tol", 't', PLAIT_OPTION_REAL, tol, 0, 1, "T", "tolerance"},
        {"--threads", 0, PLAIT_OPTION_INT, threads, 0, 8, "N", "threads"},
        {"--json", 0, PLAIT_OPTION_FLAG, json, 0, 0, NULL, "JSON"},
        {"--output", 'o', PLAIT_OPTION_TEXT, output, 0, 0, "FILE", "output"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {"test", "WORD... [options]", "A test.", NULL, options, 1, 3, NULL, NULL};
    int argc = 0;
    while (argv[argc])
        argc++;
    return plait_cli_parse(&command, argc, argv, code);
}

CASE(options_in_all_spellings)
{
    double tol = 0.5;
    int threads = 1, code;
    bool json = false;
    const char *output = NULL;
    char *line[] = {"test", "one", "--tol=0.25", "--threads", "3", "two", "-ofile", "--json", "--", "--three", NULL};
    CHECK_INT(parse(line, &tol, &threads, &json, &output, &code), 3);
    CHECK(tol == 0.25 && threads == 3 && json);
    CHECK_STR(output, "file");
    CHECK_STR(line[1], "one");
    CHECK_STR(line[2], "two");
    CHECK_STR(line[3], "--three");
    char *second[] = {"test", "-o", "-", "-t", "1", "-", NULL};
    CHECK_INT(parse(second, &tol, &threads, &json, &output, &code), 1);
    CHECK_STR(output, "-");
    CHECK_STR(second[1], "-");
}

CASE(options_that_are_wrong)
{
    double tol = 0.5;
    int threads = 1, code = 0;
    bool json = false;
    const char *output = NULL;
    hide_messages();
    char *lines[][4] = {
        {"test", "x", "--tol=2", NULL},   {"test", "x", "--tol", NULL},       {"test", "x", "-q", NULL},
        {"test", "x", "--json=1", NULL},  {"test", "x", "--threads=x", NULL}, {"test", NULL},
        {"test", "x", "--output=", NULL}, {"test", "x", "--to=1", NULL},      {"test", "x", "--tolx=1", NULL}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        code = 0;
        CHECK_INT(parse(lines[i], &tol, &threads, &json, &output, &code), -1);
        CHECK_INT(code, PLAIT_EXIT_BAD);
    }
    CHECK(tol == 0.5 && threads == 1 && !json);
    char *many[] = {"test", "a", "b", "c", "d", NULL};
    CHECK_INT(parse(many, &tol, &threads, &json, &output, &code), -1);
}
