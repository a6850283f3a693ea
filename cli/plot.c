// plot.c: line plots as SVG; PNG through rsvg-convert.
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"

extern char **environ;

// Geometry [px]. The legend stands to the right of the frame, so that it never hides a line.
enum { LEFT = 78, TOP = 46, FRAME_WIDTH = 560, FRAME_HEIGHT = 400, BOTTOM = 62, LEGEND_GAP = 18, LEGEND_LINE = 21 };

// Colours that stay apart for colour-blind eyes too; each round through them has another dash.
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
                                      "#56b4e9", "#7a4f9a", "#8c6d1f", "#333333"};
enum { COLOURS = (int)(sizeof colours / sizeof *colours) };
static const char *const dashes[] = {"", "7 3", "2 3", "9 3 2 3"};

typedef struct axis {
    bool log;
    double min, max; // of the data's own numbers
    int pixels;
} axis;

static bool usable(const axis *a, double value)
{
    return isfinite(value) && (!a->log || value > 0);
}

// Position along the axis, 0 to 1 inside the frame.
static double place(const axis *a, double value)
{
    return a->log ? log10(value / a->min) / log10(a->max / a->min) : (value - a->min) / (a->max - a->min);
}

static double pixel_x(const axis *a, double value)
{
    return LEFT + a->pixels * place(a, value);
}

static double pixel_y(const axis *a, double value)
{
    return TOP + a->pixels * (1 - place(a, value));
}

// ---- ranges ------------------------------------------------------------------------------------------------------

static double nice_step(double range, int parts)
{
    double raw = range / parts, power = pow(10, floor(log10(raw))), ratio = raw / power;
    return power * (ratio <= 1.0001 ? 1 : ratio <= 2.0001 ? 2 : ratio <= 5.0001 ? 5 : 10);
}

static void widen(axis *a)
{
    if (a->log) {
        if (a->max / a->min < 1e-9 + 10) {
            double middle = sqrt(a->min * a->max);
            a->min = fmin(a->min, middle / sqrt(10)), a->max = fmax(a->max, middle * sqrt(10));
        }
        double margin = pow(a->max / a->min, 0.03);
        a->min /= margin, a->max *= margin;
    } else {
        if (a->max - a->min <= 1e-12 * fmax(fabs(a->max), 1e-300))
            a->min -= 0.5 + 0.1 * fabs(a->min), a->max += 0.5 + 0.1 * fabs(a->max);
        double step = nice_step(a->max - a->min, 6);
        a->min = step * floor(a->min / step + 1e-9), a->max = step * ceil(a->max / step - 1e-9);
    }
}

static axis find_axis(const plait_plot *plot, bool is_x)
{
    axis a = {is_x ? plot->log_x : plot->log_y, INFINITY, -INFINITY, is_x ? FRAME_WIDTH : FRAME_HEIGHT};
    double min = is_x ? plot->x_min : plot->y_min, max = is_x ? plot->x_max : plot->y_max;
    if (min < max) {
        a.min = min, a.max = max;
        return a;
    }
    for (int s = 0; s < plot->count; s++) {
        const double *v = is_x ? plot->series[s].x : plot->series[s].y;
        for (int i = 0; i < plot->series[s].count; i++) {
            if (usable(&a, v[i]))
                a.min = fmin(a.min, v[i]), a.max = fmax(a.max, v[i]);
            const double *base = is_x ? NULL : plot->series[s].base;
            if (base && usable(&a, base[i]))
                a.min = fmin(a.min, base[i]);
        }
    }
    if (a.min > a.max)
        a.min = 1, a.max = 10;
    widen(&a);
    return a;
}

// ---- drawing -----------------------------------------------------------------------------------------------------

static void write_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else if ((unsigned char)*text >= 0x20)
            fputc(*text, file);
    }
}

static void draw_tick(FILE *file, const axis *a, bool is_x, double value, bool label)
{
    double at = place(a, value);
    if (at < -1e-6 || at > 1 + 1e-6)
        return;
    const char *shade = label ? "#d8d8d8" : "#efefef";
    if (is_x) {
        double x = pixel_x(a, value);
        fprintf(file, "<path d='M%.2f %d v%d' stroke='%s'/>\n", x, TOP, FRAME_HEIGHT, shade);
        fprintf(file, "<path d='M%.2f %d v%d' stroke='#333'/>\n", x, TOP + FRAME_HEIGHT, label ? 6 : 3);
        if (label)
            fprintf(file, "<text x='%.2f' y='%d' text-anchor='middle'>", x, TOP + FRAME_HEIGHT + 20);
    } else {
        double y = pixel_y(a, value);
        fprintf(file, "<path d='M%d %.2f h%d' stroke='%s'/>\n", LEFT, y, FRAME_WIDTH, shade);
        fprintf(file, "<path d='M%d %.2f h%d' stroke='#333'/>\n", LEFT, y, label ? -6 : -3);
        if (label)
            fprintf(file, "<text x='%d' y='%.2f' text-anchor='end'>", LEFT - 9, y + 4.5);
    }
    if (label) {
        int power = a->log ? (int)lround(log10(value)) : 0;
        if (a->log && (power < -3 || power > 5) && fabs(value / pow(10, power) - 1) < 1e-9)
            fprintf(file, "10<tspan dy='-5' font-size='10'>%d</tspan>", power);
        else
            fprintf(file, "%.6g", fabs(value) < 1e-12 ? 0 : value);
        fputs("</text>\n", file);
    }
}

static void draw_ticks(FILE *file, const axis *a, bool is_x)
{
    if (!a->log) {
        double step = nice_step(a->max - a->min, 6);
        for (double k = ceil(a->min / step - 1e-9); k * step <= a->max + 1e-9 * step; k++)
            draw_tick(file, a, is_x, k * step, true);
        return;
    }
    double decades = log10(a->max / a->min);
    int every = 1 + (int)(decades / 9);
    for (int pass = 0; pass < 2; pass++) { // faint lines first
        for (int power = (int)floor(log10(a->min)); power <= (int)ceil(log10(a->max)); power++) {
            for (int digit = 1; digit < 10; digit++) {
                bool label = digit == 1 ? power % every == 0 : decades < 1.7 && (digit == 2 || digit == 5);
                if ((digit == 1 || decades < 5) && label == (pass == 1))
                    draw_tick(file, a, is_x, digit * pow(10, power), label);
            }
        }
    }
}

static void draw_marker(FILE *file, int shape, double x, double y, const char *colour, bool hollow)
{
    static const char *const paths[] = {"m-4 0 a4 4 0 1 0 8 0 a4 4 0 1 0 -8 0", "m-3.6 -3.6 h7.2 v7.2 h-7.2 z",
                                        "m0 -4.6 l4.4 7.8 h-8.8 z", "m0 -5 l4.6 5 l-4.6 5 l-4.6 -5 z"};
    fprintf(file, "<path d='M%.2f %.2f %s' fill='%s' stroke='%s' stroke-width='%s'/>\n", x, y, paths[shape % 4],
            hollow ? "#fff" : colour, hollow ? colour : "#fff", hollow ? "1.8" : "0.8");
}

static const char *series_dash(const plait_series *s, int index)
{
    const char *dash = dashes[(index / COLOURS) % 4];
    return s->dashed && !*dash ? "7 3" : dash;
}

// What lies between base and y, up to the first gap.
static void draw_area(FILE *file, const plait_series *s, const char *colour, const axis *ax, const axis *ay)
{
    int count = 0;
    while (count < s->count && usable(ax, s->x[count]) && usable(ay, s->y[count]) && usable(ay, s->base[count]))
        count++;
    fprintf(file, "<path fill='%s' fill-opacity='0.85' stroke='none' d='", colour);
    for (int i = 0; i < count; i++)
        fprintf(file, "%c%.2f %.2f ", i ? 'L' : 'M', pixel_x(ax, s->x[i]), pixel_y(ay, s->y[i]));
    for (int i = count - 1; i >= 0; i--)
        fprintf(file, "L%.2f %.2f ", pixel_x(ax, s->x[i]), pixel_y(ay, s->base[i]));
    fputs(count ? "Z'/>\n" : "'/>\n", file);
}

static void draw_series(FILE *file, const plait_plot *plot, int index, const axis *ax, const axis *ay)
{
    const plait_series *s = &plot->series[index];
    const char *colour = colours[index % COLOURS];
    double last_y = 0;
    bool open = false;
    if (s->base) {
        draw_area(file, s, colour, ax, ay);
        return;
    }
    // A dense line is thinner, so that it does not become a blot. Round ends show points that stand alone.
    fprintf(file,
            "<path fill='none' stroke='%s' stroke-width='%s' stroke-linejoin='round' stroke-linecap='round' "
            "stroke-dasharray='%s' d='",
            colour, s->count > FRAME_WIDTH ? "1.3" : "2.2", *series_dash(s, index) ? series_dash(s, index) : "none");
    for (int i = 0; i < s->count; i++) {
        if (!usable(ax, s->x[i]) || !usable(ay, s->y[i])) {
            open = false;
            continue;
        }
        double x = pixel_x(ax, s->x[i]), y = pixel_y(ay, s->y[i]);
        if (open && s->steps)
            fprintf(file, "L%.2f %.2f ", x, last_y);
        fprintf(file, open ? "L%.2f %.2f " : "M%.2f %.2fh0 ", x, y);
        last_y = y;
        open = true;
    }
    fputs("'/>\n", file);
    for (int i = 0; s->markers && i < s->count; i++) {
        if (usable(ax, s->x[i]) && usable(ay, s->y[i]))
            draw_marker(file, index, pixel_x(ax, s->x[i]), pixel_y(ay, s->y[i]), colour, s->hollow && s->hollow[i]);
    }
}

static void draw_legend(FILE *file, const plait_plot *plot)
{
    int x = LEFT + FRAME_WIDTH + LEGEND_GAP;
    for (int i = 0; i < plot->count; i++) {
        double y = TOP + 10 + i * LEGEND_LINE;
        if (!*plot->series[i].name)
            continue;
        const char *colour = colours[i % COLOURS], *dash = series_dash(&plot->series[i], i);
        fprintf(file, "<path d='M%d %.1f h28' stroke='%s' stroke-width='%s' stroke-dasharray='%s'/>\n", x, y, colour,
                plot->series[i].base ? "12" : "2.6", *dash ? dash : "none");
        if (plot->series[i].markers)
            draw_marker(file, i, x + 14, y, colour, false);
        fprintf(file, "<text x='%d' y='%.1f'>", x + 36, y + 4.5);
        write_text(file, plot->series[i].name);
        fputs("</text>\n", file);
    }
}

static void find_size(const plait_plot *plot, int *width, int *height)
{
    size_t longest = 0;
    for (int i = 0; i < plot->count; i++)
        longest = strlen(plot->series[i].name) > longest ? strlen(plot->series[i].name) : longest;
    *width = LEFT + FRAME_WIDTH + LEGEND_GAP + (longest ? 54 + (int)(7.4 * (double)longest) : 0);
    int legend = TOP + 10 + plot->count * LEGEND_LINE + 10;
    *height = TOP + FRAME_HEIGHT + BOTTOM;
    *height = legend > *height ? legend : *height;
}

// number: tells the plots of a sheet apart.
static void draw_plot(FILE *file, const plait_plot *plot, int number)
{
    axis ax = find_axis(plot, true), ay = find_axis(plot, false);
    fprintf(file, "<text x='%d' y='27' font-size='16' font-weight='bold'>", LEFT);
    write_text(file, plot->title);
    fputs("</text>\n", file);
    draw_ticks(file, &ax, true);
    draw_ticks(file, &ay, false);
    fprintf(file, "<clipPath id='frame%d'><rect x='%d' y='%d' width='%d' height='%d'/></clipPath>\n", number, LEFT - 5,
            TOP - 5, FRAME_WIDTH + 10, FRAME_HEIGHT + 10);
    fprintf(file, "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#333'/>\n", LEFT, TOP, FRAME_WIDTH,
            FRAME_HEIGHT);
    fprintf(file, "<g clip-path='url(#frame%d)'>\n", number);
    for (int i = plot->count - 1; i >= 0; i--) // the first one on top
        draw_series(file, plot, i, &ax, &ay);
    fputs("</g>\n", file);
    fprintf(file, "<text x='%d' y='%d' text-anchor='middle'>", LEFT + FRAME_WIDTH / 2, TOP + FRAME_HEIGHT + 46);
    write_text(file, plot->x_label);
    fprintf(file, "</text>\n<text transform='translate(20 %d) rotate(-90)' text-anchor='middle'>",
            TOP + FRAME_HEIGHT / 2);
    write_text(file, plot->y_label);
    fputs("</text>\n", file);
    draw_legend(file, plot);
}

static void write_svg(FILE *file, int count, const plait_plot *plots, int columns)
{
    int width = 0, height = 0, rows = (count + columns - 1) / columns;
    for (int i = 0; i < count; i++) {
        int w, h;
        find_size(&plots[i], &w, &h);
        width = w > width ? w : width;
        height = h > height ? h : height;
    }
    columns = columns < count ? columns : count;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
            "font-family='DejaVu Sans, Helvetica, Arial, sans-serif' font-size='13' fill='#222'>\n"
            "<rect width='100%%' height='100%%' fill='#fff'/>\n",
            columns * width, rows * height, columns * width, rows * height);
    for (int i = 0; i < count; i++) {
        fprintf(file, "<g transform='translate(%d %d)'>\n", i % columns * width, i / columns * height);
        draw_plot(file, &plots[i], i);
        fputs("</g>\n", file);
    }
    fputs("</svg>\n", file);
}

// ---- files -------------------------------------------------------------------------------------------------------

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static bool convert(const char *svg, const char *png)
{
    char *argv[] = {"rsvg-convert", "--zoom=2", "--format=png", "--output", (char *)png, (char *)svg, NULL};
    pid_t child;
    int status = posix_spawnp(&child, argv[0], NULL, NULL, argv, environ);
    if (status != 0) {
        plait_cli_message("a .png needs the program rsvg-convert (%s); a name ending in .svg needs nothing",
                          strerror(status));
        return false;
    }
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR)
            return false;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    plait_cli_message("rsvg-convert could not make %s", png);
    return false;
}

bool plait_cli_plot(const char *path, const plait_plot *plot)
{
    return plait_cli_plot_sheet(path, 1, plot, 1);
}

bool plait_cli_plot_sheet(const char *path, int count, const plait_plot *plots, int columns)
{
    size_t size = strlen(path) + 32;
    char *svg = plait_cli_alloc(size, 1), *png = plait_cli_alloc(size, 1);
    snprintf(svg, size, "%s.%ld.svg", path, (long)getpid());
    snprintf(png, size, "%s.%ld.png", path, (long)getpid());
    bool is_png = ends_with(path, ".png"), ok = false;
    FILE *file = fopen(svg, "w");
    if (!file) {
        plait_cli_message("%s: cannot write: %s", path, strerror(errno));
    } else {
        write_svg(file, count, plots, columns);
        ok = plait_cli_flush(file, path);
        ok = fclose(file) == 0 && ok;
        ok = ok && (!is_png || convert(svg, png));
        if (ok && rename(is_png ? png : svg, path) != 0) {
            plait_cli_message("%s: cannot write: %s", path, strerror(errno));
            ok = false;
        }
        remove(svg);
        remove(png);
    }
    free(svg);
    free(png);
    return ok;
}
