// sink.c: buffered writing under a temporary name, and short decimals.
//
// A float x has a shortest decimal: the one with the fewest digits that lies nearer to x than half of the distance to
// its neighbours, so that reading it gives x again. The n digits nearest to x are llround(x 10^k); all products here
// are doubles, with an error of 2^-52, and the half distance is at least 2^-25 of x. A candidate is taken only if it is
// inside by a part in 10^6: so the error of the doubles never decides, and at most one digit is wasted.
#include "io/sink.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/trouble.h"

enum { ROOM = 1 << 16, PRINTED = 1024 };

// ---- the file ----------------------------------------------------------------------------------------------------

static void forget(plait_sink *s)
{
    free(s->path);
    free(s->temporary);
    free(s->buffer);
    *s = (plait_sink){0};
}

plait_status plait_sink_open(plait_sink *s, const char *path, plait_error *error)
{
    size_t size = strlen(path) + 32;
    *s = (plait_sink){.path = malloc(size), .temporary = malloc(size), .buffer = malloc(ROOM)};
    if (!s->path || !s->temporary || !s->buffer) {
        forget(s);
        return plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
    }
    snprintf(s->path, size, "%s", path);
    snprintf(s->temporary, size, "%s.tmp%ld", path, (long)getpid());
    FILE *file = fopen(s->temporary, "wb");
    if (!file) {
        plait_status status =
            plait_error_set(error, plait_trouble(errno), "%s: cannot be written: %s", path, strerror(errno));
        forget(s);
        return status;
    }
    setvbuf(file, NULL, _IONBF, 0); // the sink has a buffer of its own
    s->file = file;
    return PLAIT_OK;
}

static void flush(plait_sink *s)
{
    errno = 0;
    if (s->count > 0 && fwrite(s->buffer, 1, s->count, s->file) != s->count && !s->trouble)
        s->trouble = errno ? errno : EIO;
    s->count = 0;
}

plait_status plait_sink_close(plait_sink *s, plait_error *error)
{
    flush(s);
    errno = 0;
    if (fclose(s->file) != 0 && !s->trouble)
        s->trouble = errno ? errno : EIO;
    s->file = NULL;
    if (!s->trouble && !s->infinite && rename(s->temporary, s->path) != 0)
        s->trouble = errno;
    plait_status status = PLAIT_OK;
    if (s->trouble)
        status = plait_error_set(error, plait_trouble(s->trouble), "%s: cannot be written: %s", s->path,
                                 strerror(s->trouble));
    else if (s->infinite)
        status = plait_error_set(error, PLAIT_BAD_INPUT, "%s: finite numbers are expected, found others", s->path);
    if (status != PLAIT_OK)
        remove(s->temporary);
    forget(s);
    return status;
}

void plait_sink_drop(plait_sink *s)
{
    if (s->file) {
        fclose(s->file);
        remove(s->temporary);
    }
    forget(s);
}

// ---- texts -------------------------------------------------------------------------------------------------------

void plait_sink_bytes(plait_sink *s, const void *bytes, size_t count)
{
    const char *from = bytes;
    s->bytes += (int64_t)count;
    if (count >= ROOM) { // no need to go through the buffer
        flush(s);
        errno = 0;
        if (fwrite(from, 1, count, s->file) != count && !s->trouble)
            s->trouble = errno ? errno : EIO;
        return;
    }
    while (count > 0) {
        if (s->count == ROOM)
            flush(s);
        size_t part = count < ROOM - s->count ? count : ROOM - s->count;
        memcpy(s->buffer + s->count, from, part);
        s->count += part;
        from += part;
        count -= part;
    }
}

void plait_sink_patch(plait_sink *s, int64_t at, const void *bytes, size_t count)
{
    flush(s);
    errno = 0;
    if (!s->trouble && (fseeko(s->file, (off_t)at, SEEK_SET) != 0 || fwrite(bytes, 1, count, s->file) != count ||
                        fseeko(s->file, 0, SEEK_END) != 0))
        s->trouble = errno ? errno : EIO;
}

void plait_sink_text(plait_sink *s, const char *text)
{
    plait_sink_bytes(s, text, strlen(text));
}

void plait_sink_print(plait_sink *s, const char *format, ...)
{
    char text[PRINTED];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length > 0)
        plait_sink_bytes(s, text, length < PRINTED ? (size_t)length : PRINTED - 1);
}

void plait_sink_int(plait_sink *s, int64_t value)
{
    char digits[24], *at = digits + sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    plait_sink_bytes(s, at, (size_t)(digits + sizeof digits - at));
}

void plait_sink_real(plait_sink *s, double value)
{
    char text[40];
    if (!isfinite(value)) {
        s->infinite = true;
        value = 0;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    plait_sink_text(s, text);
}

// value 10^power, exactly rounded twice at most.
static double scale(double value, int power)
{
    static const double table[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    for (; power > 22; power -= 22)
        value *= 1e22;
    for (; power < -22; power += 22)
        value /= 1e22;
    return power >= 0 ? value * table[power] : value / table[-power];
}

// Digits `q` (not zero, no zeros at its end), whose last stands for 10^last.
static int lay_out(bool negative, uint64_t q, int last, char *out)
{
    char digits[24], *to = out;
    int count = 0;
    for (; q; q /= 10)
        digits[count++] = (char)('0' + q % 10); // last digit first
    int point = count + last;                   // digits before the point
    if (negative)
        *to++ = '-';
    if (point > 9 || point < -4) {
        *to++ = digits[count - 1];
        if (count > 1)
            *to++ = '.';
        for (int i = count - 2; i >= 0; i--)
            *to++ = digits[i];
        return (int)(to - out) + sprintf(to, "e%d", point - 1);
    }
    if (point <= 0) {
        *to++ = '0', *to++ = '.';
        for (int i = point; i < 0; i++)
            *to++ = '0';
    }
    for (int i = count - 1; i >= 0; i--) {
        *to++ = digits[i];
        if (point > 0 && --point == 0 && i > 0)
            *to++ = '.';
    }
    while (point-- > 0)
        *to++ = '0';
    *to = 0;
    return (int)(to - out);
}

int plait_format_float(float value, char out[24])
{
    if (value == 0) {
        out[0] = '0', out[1] = 0;
        return 1;
    }
    float size = fabsf(value);
    double x = (double)size, half = 0.5 * (x - (double)nextafterf(size, 0)) * (1 - 1e-6);
    if (size < 1.2e-38f) // their neighbours are too far apart for few digits to be enough, or for the bound above
        return snprintf(out, 24, "%.9g", (double)value);
    int exponent = (int)floor(log10(x)), power = 8 - exponent;
    uint64_t q = (uint64_t)llround(scale(x, power));
    for (int shorter = power - 1; shorter >= power - 8; shorter--) {
        uint64_t candidate = (uint64_t)llround(scale(x, shorter));
        if (candidate == 0 || fabs(scale((double)candidate, -shorter) - x) >= half)
            break;
        q = candidate;
        power = shorter;
    }
    for (; q % 10 == 0; q /= 10)
        power--;
    return lay_out(value < 0, q, -power, out);
}

void plait_sink_float(plait_sink *s, double value)
{
    char text[24];
    float narrow = (float)value;
    if (!isfinite(narrow)) {
        s->infinite = true;
        narrow = 0;
    }
    plait_sink_bytes(s, text, (size_t)plait_format_float(narrow, text));
}

void plait_sink_vector(plait_sink *s, const double x[3], const char *between, bool single)
{
    for (int c = 0; c < 3; c++) {
        if (c > 0)
            plait_sink_text(s, between);
        if (single)
            plait_sink_float(s, x[c]);
        else
            plait_sink_real(s, x[c]);
    }
}

// ---- bytes -------------------------------------------------------------------------------------------------------

static void put(plait_sink *s, uint64_t bits, int bytes)
{
    unsigned char b[8];
    for (int i = 0; i < bytes; i++)
        b[i] = (unsigned char)(bits >> 8 * i);
    plait_sink_bytes(s, b, (size_t)bytes);
}

void plait_sink_i32(plait_sink *s, int32_t value)
{
    put(s, (uint32_t)value, 4);
}

void plait_sink_u64(plait_sink *s, uint64_t value)
{
    put(s, value, 8);
}

void plait_sink_f32(plait_sink *s, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    s->infinite = s->infinite || !isfinite(narrow);
    memcpy(&bits, &narrow, sizeof bits);
    put(s, bits, 4);
}

void plait_sink_f64(plait_sink *s, double value)
{
    uint64_t bits;
    s->infinite = s->infinite || !isfinite(value);
    memcpy(&bits, &value, sizeof bits);
    put(s, bits, 8);
}
