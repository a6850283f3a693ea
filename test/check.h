// check.h: a small test frame. One test program is one file:
//
//     #include "check.h"
//     CASE(adds) { CHECK(1 + 1 == 2); CHECK_NEAR(0.1 + 0.2, 0.3, 1e-15); }
//
// main() is here. Without arguments it runs all cases in the order of the file, else the named ones (--list names
// them). A failed check is printed with 17 digits and the case goes on. A case without any check fails. SKIP leaves
// the case; a program in which nothing failed and every case was skipped exits with 77. Cases run in an empty temporary
// folder, which is removed in the end: what they write is nowhere else, wherever the program was started.
#ifndef PLAIT_TEST_CHECK_H
#define PLAIT_TEST_CHECK_H

#include <ftw.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef CHECK_SHARED_DEFAULT
#define CHECK_SHARED_DEFAULT "../shared"
#endif

typedef struct check_case {
    const char *name;
    void (*run)(void);
    struct check_case *next;
} check_case;

static check_case *check_first, **check_last = &check_first;
static long check_count, check_failures;
static bool check_skipped;

// Registration happens before main, in the order of the file.
#define CASE(id)                                                                                                       \
    static void case_##id(void);                                                                                       \
    __attribute__((constructor)) static void register_##id(void)                                                       \
    {                                                                                                                  \
        static check_case self = {#id, case_##id, NULL};                                                               \
        *check_last = &self;                                                                                           \
        check_last = &self.next;                                                                                       \
    }                                                                                                                  \
    static void case_##id(void)

enum { CHECK_PRINTED = 20 }; // failures of one case that are printed in full

// Counts; returns whether the caller should print why it failed.
static inline bool check_fails(bool ok)
{
    check_count++;
    return !ok && check_failures++ < CHECK_PRINTED;
}

static inline bool check_true(bool ok, const char *text, const char *file, int line)
{
    if (check_fails(ok))
        printf("%s:%d: false: %s\n", file, line, text);
    return ok;
}

static inline bool check_near(double a, double b, double allowed, const char *text, const char *file, int line)
{
    bool ok = a == b || (isfinite(a) && isfinite(b) && fabs(a - b) <= allowed); // equal infinities are near, NaNs never
    if (check_fails(ok))
        printf("%s:%d: %s: %.17g and %.17g differ by %.3g, allowed %.3g\n", file, line, text, a, b, fabs(a - b),
               allowed);
    return ok;
}

static inline bool check_rel(double a, double b, double tol, const char *text, const char *file, int line)
{
    return check_near(a, b, tol * fmax(fabs(a), fabs(b)), text, file, line);
}

static inline bool check_integer(long long a, long long b, const char *text, const char *file, int line)
{
    if (check_fails(a == b))
        printf("%s:%d: %s: %lld is not %lld\n", file, line, text, a, b);
    return a == b;
}

static inline bool check_string(const char *a, const char *b, const char *text, const char *file, int line)
{
    bool ok = a && b && strcmp(a, b) == 0;
    if (check_fails(ok))
        printf("%s:%d: %s: \"%s\" is not \"%s\"\n", file, line, text, a ? a : "(null)", b ? b : "(null)");
    return ok;
}

// The value of each is whether it held, so that `if (!CHECK(p)) return;` guards what follows.
#define CHECK(condition) check_true((condition), #condition, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tol) check_near((a), (b), (tol), #a " near " #b, __FILE__, __LINE__)
#define CHECK_REL(a, b, tol) check_rel((a), (b), (tol), #a " near " #b, __FILE__, __LINE__)
#define CHECK_INT(a, b) check_integer((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK_STR(a, b) check_string((a), (b), #a " == " #b, __FILE__, __LINE__)
#define SKIP(...)                                                                                                      \
    do {                                                                                                               \
        printf("skip: " __VA_ARGS__);                                                                                  \
        putchar('\n');                                                                                                 \
        check_skipped = true;                                                                                          \
        return;                                                                                                        \
    } while (0)

// Whether a sanitizer looks on: everything takes ten to twenty times as long, and a part of it is enough.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CHECK_SANITIZED = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { CHECK_SANITIZED = 1 };
#else
enum { CHECK_SANITIZED = 0 };
#endif
#else
enum { CHECK_SANITIZED = 0 };
#endif

// Path of a file of the shared test data (folder PLAIT_SHARED); NULL if it is not there. Overwritten by the next call.
static inline const char *check_shared(const char *name)
{
    static char path[4096];
    const char *folder = getenv("PLAIT_SHARED");
    snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : CHECK_SHARED_DEFAULT, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fclose(file);
    return path;
}

enum { CHECK_PASSED, CHECK_FAILED, CHECK_SKIPPED };

static inline int check_run(const check_case *c)
{
    check_count = check_failures = 0;
    check_skipped = false;
    c->run();
    if (check_failures) {
        printf("FAILED %s: %ld of %ld checks\n", c->name, check_failures, check_count);
        return CHECK_FAILED;
    }
    if (check_skipped)
        return printf("skipped %s\n", c->name), CHECK_SKIPPED;
    if (!check_count)
        return printf("FAILED %s: it checks nothing\n", c->name), CHECK_FAILED;
    printf("passed %s: %ld checks\n", c->name, check_count);
    return CHECK_PASSED;
}

static inline const check_case *check_find(const char *name)
{
    const check_case *c = check_first;
    while (c && strcmp(c->name, name) != 0)
        c = c->next;
    return c;
}

// ---- a folder of its own ---------------------------------------------------------------------------------------------

static char check_folder[4096];

static inline int check_remove(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static inline void check_leave(void)
{
    if (chdir("/") == 0 && *check_folder)
        nftw(check_folder, check_remove, 16, FTW_DEPTH | FTW_PHYS);
}

static inline bool check_enter(void)
{
    const char *shared = getenv("PLAIT_SHARED"), *where = getenv("TMPDIR");
    char *whole = shared && *shared ? realpath(shared, NULL) : NULL; // it may be told from where we are now
    if (whole)
        setenv("PLAIT_SHARED", whole, 1);
    free(whole);
    snprintf(check_folder, sizeof check_folder, "%s/plait-test-XXXXXX", where && *where ? where : "/tmp");
    if (!mkdtemp(check_folder) || chdir(check_folder) != 0)
        return perror(check_folder), false;
    return atexit(check_leave) == 0;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0); // so that a crash does not swallow what was said before it
    int results[3] = {0};
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (const check_case *c = check_first; c; c = c->next)
            puts(c->name);
        return 0;
    }
    if (!check_enter())
        return 1;
    for (int i = 1; i < argc; i++) {
        const check_case *c = check_find(argv[i]);
        if (!c)
            return fprintf(stderr, "%s: there is no case %s\n", argv[0], argv[i]), 2;
        results[check_run(c)]++;
    }
    if (argc < 2)
        for (const check_case *c = check_first; c; c = c->next)
            results[check_run(c)]++;
    if (results[CHECK_FAILED])
        return 1;
    if (results[CHECK_PASSED])
        return 0;
    return results[CHECK_SKIPPED] ? 77 : 1;
}

#endif
