// Files that are being written: short decimals, little-endian bytes, all or nothing.
#include <locale.h>
#include <unistd.h>

#include "base/rng.h"
#include "io/sink.h"

#include "check.h"

static const char *written(float value)
{
    static char text[24];
    int length = plait_format_float(value, text);
    CHECK_INT(length, (int)strlen(text));
    return text;
}

CASE(simple_numbers)
{
    CHECK_STR(written(0), "0");
    CHECK_STR(written(-0.0f), "0");
    CHECK_STR(written(1), "1");
    CHECK_STR(written(-1), "-1");
    CHECK_STR(written(10), "10");
    CHECK_STR(written(0.1f), "0.1");
    CHECK_STR(written(0.3f), "0.3");
    CHECK_STR(written(-2.5e-4f), "-0.00025");
    CHECK_STR(written(123456.5f), "123456.5");
    CHECK_STR(written(16777216), "16777216");
    CHECK_STR(written(1e9f), "1e9");
    CHECK_STR(written(1e-5f), "0.00001");
    CHECK_STR(written(1.5e-7f), "1.5e-7");
    CHECK_STR(written(3.4028235e38f), "3.4028235e38");
    CHECK_STR(written(1.0f / 3), "0.33333334");
}

// Any float comes back, in no more digits than nine, and never more than the shortest of printf's.
CASE(there_and_back)
{
    plait_rng rng = plait_rng_new(7, 0);
    int wrong = 0, longer = 0;
    for (int i = 0; i < 300000; i++) {
        uint32_t bits = (uint32_t)plait_rng_next(&rng);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (i % 2) // of the size of things
            value = (float)(plait_rng_uniform(&rng) - 0.5);
        if (!isfinite(value))
            continue;
        char text[24], least[40];
        plait_format_float(value, text);
        wrong += strtof(text, NULL) != value;
        int digits = 1, own = 0;
        for (; digits < 9; digits++) {
            snprintf(least, sizeof least, "%.*e", digits - 1, (double)value);
            if (strtof(least, NULL) == value)
                break;
        }
        const char *end = text + strcspn(text, "e"), *c = text + strspn(text, "-0.");
        for (; c < end; c++)
            own += *c != '.';
        longer += own > digits && fabsf(value) >= 1.2e-38f && strchr(text, '.') != NULL;
    }
    CHECK_INT(wrong, 0);
    CHECK(longer < 30); // a digit may be wasted where the bound on rounding is too careful: hardly ever
}

static size_t slurp(const char *path, char *out, size_t room)
{
    FILE *f = fopen(path, "rb");
    size_t n = f ? fread(out, 1, room, f) : 0;
    if (f)
        fclose(f);
    return n;
}

CASE(files)
{
    plait_sink s;
    plait_error error = {0};
    char text[300];
    remove("sink.txt");
    CHECK_INT(plait_sink_open(&s, "sink.txt", &error), PLAIT_OK);
    plait_sink_int(&s, -9223372036854775807 - 1);
    plait_sink_text(&s, " ");
    plait_sink_real(&s, 0.1);
    plait_sink_text(&s, " ");
    plait_sink_real(&s, 1.0 / 3);
    plait_sink_print(&s, " %d\n", 7);
    plait_sink_vector(&s, (double[3]){1, 2.5, -3}, ", ", true);
    plait_sink_i32(&s, -2);
    plait_sink_u64(&s, 0x0102030405060708);
    plait_sink_f32(&s, -0.5);
    plait_sink_f64(&s, 1);
    CHECK(access("sink.txt", F_OK) != 0); // not before it is closed
    CHECK_INT(plait_sink_close(&s, &error), PLAIT_OK);
    static const char want[] = "-9223372036854775808 0.1 0.3333333333333333 7\n1, 2.5, -3"
                               "\xfe\xff\xff\xff\x08\x07\x06\x05\x04\x03\x02\x01\0\0\0\xbf\0\0\0\0\0\0\xf0\x3f";
    CHECK_INT((int)slurp("sink.txt", text, sizeof text), (int)sizeof want - 1);
    CHECK(memcmp(text, want, sizeof want - 1) == 0);
    remove("sink.txt");
}

CASE(nothing_is_left)
{
    plait_sink s;
    plait_error error = {0};
    char name[64];
    snprintf(name, sizeof name, "none.txt.tmp%ld", (long)getpid());
    const double bad[] = {NAN, INFINITY, -INFINITY, 1e300}; // the last is not finite as a float
    for (int i = 0; i < 8; i++) {
        CHECK_INT(plait_sink_open(&s, "none.txt", &error), PLAIT_OK);
        CHECK(access(name, F_OK) == 0);
        if (i < 4)
            plait_sink_float(&s, bad[i]);
        else
            plait_sink_f32(&s, bad[i - 4]);
        CHECK_INT(plait_sink_close(&s, &error), PLAIT_BAD_INPUT);
        CHECK(access("none.txt", F_OK) != 0 && access(name, F_OK) != 0);
    }
    CHECK_INT(plait_sink_open(&s, "none.txt", &error), PLAIT_OK);
    plait_sink_drop(&s);
    plait_sink_drop(&s);
    CHECK(access(name, F_OK) != 0);
    CHECK_INT(plait_sink_open(&s, "no/folder/x", &error), PLAIT_BAD_FILE);
    CHECK_STR(error.text, "no/folder/x: cannot be written: No such file or directory");
    if (access("/dev/full", W_OK) == 0) {
        symlink("/dev/full", name); // the temporary file is there already and always full
        CHECK_INT(plait_sink_open(&s, "none.txt", &error), PLAIT_OK);
        plait_sink_text(&s, "words");
        CHECK_INT(plait_sink_close(&s, &error), PLAIT_BAD_FILE);
        CHECK_STR(error.text, "none.txt: cannot be written: No space left on device");
        CHECK(access(name, F_OK) != 0);
    }
}
