// Sweeps: which runs a file gives, and what is refused.
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "plait/sweep.h"

static plait_sweep *read_text(const char *text, plait_error *error)
{
    FILE *file = fopen("sweep.yaml", "w");
    if (CHECK(file)) {
        fputs(text, file);
        CHECK(fclose(file) == 0);
    }
    return plait_sweep_read("sweep.yaml", true, error);
}

static plait_sweep *good(const char *text)
{
    plait_error error = {0};
    plait_sweep *s = read_text(text, &error);
    if (!CHECK(s))
        puts(error.text);
    return s;
}

static const char *value(const plait_sweep *s, int run, int key)
{
    return s->value[run * s->keys + key];
}

CASE(grid)
{
    plait_sweep *s = good("scene: knot-small\nkeys:\n  friction.default: [0.1, 0.3]\n"
                          "  step.dt: {from: 1 ms, to: 4 ms, count: 3, spacing: log}\n  gravity: [[0, 0, 0]]\n");
    if (!s)
        return;
    CHECK(s->built_in && s->runs == 6 && s->keys == 3);
    static const char *const mu[] = {"0.1", "0.1", "0.1", "0.3", "0.3", "0.3"}, *const dt[] = {"1 ms", "2 ms", "4 ms"};
    for (int i = 0; i < 6; i++) {
        CHECK_STR(value(s, i, 0), mu[i]);
        CHECK_STR(value(s, i, 1), dt[i % 3]); // the last key changes fastest
        CHECK_STR(value(s, i, 2), "[0, 0, 0]");
    }
    plait_sweep_free(s);
}

CASE(list)
{
    plait_sweep *s = good("scene: knot-small\ndesign: list\nruns: [{friction.default: 0.1}, {step.dt: 3 ms}]\n");
    if (!s)
        return;
    CHECK(s->runs == 2 && s->keys == 2);
    CHECK_STR(value(s, 0, 0), "0.1");
    CHECK_STR(value(s, 0, 1), "");
    CHECK_STR(value(s, 1, 0), "");
    CHECK_STR(value(s, 1, 1), "3 ms");
    plait_sweep_free(s);
}

// Every one of `count` equal parts of the range is used once, and not in order.
CASE(latin)
{
    plait_sweep *s = good("scene: knot-small\ndesign: latin\ncount: 40\nseed: 7\nkeys:\n"
                          "  friction.default: {from: 0.2, to: 1}\n  step.dt: {from: 1 ms, to: 5 ms}\n"
                          "  contact.detection: [both, proximity]\n");
    if (!s)
        return;
    int seen[40] = {0}, in_order = 0, both = 0;
    for (int i = 0; i < 40; i++) {
        double t = (atof(value(s, i, 0)) - 0.2) / 0.8 * 40;
        CHECK(t >= 0 && t < 40);
        seen[(int)t]++;
        in_order += (int)t == i;
        CHECK(strstr(value(s, i, 1), " ms"));
        both += strcmp(value(s, i, 2), "both") == 0;
    }
    for (int i = 0; i < 40; i++)
        CHECK(seen[i] == 1);
    CHECK(in_order < 10);
    CHECK(both == 20); // a list is cut like a range
    plait_sweep_free(s);
}

CASE(random_is_repeatable)
{
    const char *text = "scene: knot-small\ndesign: random\ncount: 30\nseed: 3\nkeys:\n"
                       "  friction.default: {from: 0, to: 1}\n  fibres.cord.segments: {from: 20, to: 90, whole: true}\n";
    plait_sweep *a = good(text), *b = good(text);
    if (!a || !b)
        return;
    double mean = 0;
    for (int i = 0; i < 30; i++) {
        CHECK_STR(value(a, i, 0), value(b, i, 0));
        CHECK_STR(value(a, i, 1), value(b, i, 1));
        double n = atof(value(a, i, 1));
        CHECK(n == floor(n) && n >= 20 && n <= 90);
        mean += atof(value(a, i, 0)) / 30;
    }
    CHECK(mean > 0.2 && mean < 0.8);
    plait_sweep_free(a);
    plait_sweep_free(b);
}

static void refused(const char *text, const char *words)
{
    plait_error error = {0};
    plait_sweep *s = read_text(text, &error);
    if (!CHECK(!s) || !CHECK(strstr(error.text, words)))
        printf("%s\nexpected '%s', found:\n%s\n", text, words, s ? "no error" : error.text);
    plait_sweep_free(s);
}

CASE(mistakes)
{
    refused("keys: {step.dt: [1 ms]}\n", "scene");
    refused("scene: knot-small\n", "keys");
    refused("scene: knot-small\nkeys: {}\n", "keys");
    refused("scene: knot-small\nkey: {step.dt: [1 ms]}\n", "did you mean 'keys'");
    refused("scene: knot-small\ndesign: gird\nkeys: {step.dt: [1 ms]}\n", "grid");
    refused("scene: knot-small\ndesign: latin\nkeys: {step.dt: [1 ms]}\n", "count");
    refused("scene: knot-small\ndesign: list\nkeys: {step.dt: [1 ms]}\n", "no 'keys'");
    refused("scene: knot-small\nruns: [{step.dt: 1 ms}]\n", "no 'runs'");
    refused("scene: knot-small\nkeys: {step.dt: 1 ms}\n", "list of values");
    refused("scene: knot-small\nkeys: {step.dt: {from: 1 ms, to: 2 s}}\n", "same unit");
    refused("scene: knot-small\nkeys: {step.dt: {from: 0 ms, to: 2 ms, spacing: log}}\n", "positive");
    refused("scene: knot-small\nkeys: {step.dt: {from: a, to: b}}\n", "number");
    refused("scene: knot-small\nkeys: {step.td: [1 ms]}\n", "unknown key 'td'");
    refused("scene: knot-small\nkeys: {step.dt: [1 ms, 2 ms, 3 kg]}\n", "run 2:"); // the third value
    refused("scene: nowhere.yaml\nkeys: {step.dt: [1 ms]}\n", "nowhere.yaml");
    refused("scene: knot-small\nkeys: {a: {from: 0, to: 1, count: 5000}, b: {from: 0, to: 1, count: 5000}}\n",
            "25000000");
}
