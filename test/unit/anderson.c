#include "contact/anderson.h"

#include "base/rng.h"
#include "check.h"

enum { SIZE = 30, LARGE = 20000 };

static double distance(const double *x, const double *y, int size)
{
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

// G(x) = A x + c with a symmetric A of spectral radius 0.99.
typedef struct linear_map {
    double A[SIZE][SIZE], c[SIZE], fixed[SIZE];
} linear_map;

static void apply(const linear_map *m, const double *x, double *g)
{
    for (int i = 0; i < SIZE; i++) {
        g[i] = m->c[i];
        for (int j = 0; j < SIZE; j++)
            g[i] += m->A[i][j] * x[j];
    }
}

// Eigenvectors by two reflections of the axes.
static linear_map *linear_new(uint64_t seed)
{
    static linear_map m;
    plait_rng rng = plait_rng_new(seed, 0);
    double Q[SIZE][SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            Q[i][j] = i == j;
    for (int turn = 0; turn < 2; turn++) {
        double v[SIZE], norm = 0;
        for (int i = 0; i < SIZE; i++)
            v[i] = plait_rng_normal(&rng), norm += v[i] * v[i];
        for (int i = 0; i < SIZE; i++) {
            double along = 0;
            for (int j = 0; j < SIZE; j++)
                along += Q[i][j] * v[j];
            for (int j = 0; j < SIZE; j++)
                Q[i][j] -= 2 * along * v[j] / norm;
        }
    }
    for (int i = 0; i < SIZE; i++)
        m.fixed[i] = plait_rng_normal(&rng);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            m.A[i][j] = 0;
            for (int k = 0; k < SIZE; k++)
                m.A[i][j] += Q[i][k] * (0.99 * k / (SIZE - 1.0)) * Q[j][k];
        }
    double image[SIZE];
    memset(m.c, 0, sizeof m.c);
    apply(&m, m.fixed, image);
    for (int i = 0; i < SIZE; i++)
        m.c[i] = m.fixed[i] - image[i];
    return &m;
}

// Steps until the fixed point is found to 1e-8, at most 2000.
static int steps_needed(const linear_map *m, int window, const double *weight)
{
    double x[SIZE] = {0}, g[SIZE];
    plait_anderson *a = plait_anderson_new(SIZE, window, PLAIT_ALONE);
    int k = 0;
    if (!CHECK(a != NULL))
        return 0;
    while (k < 2000 && distance(x, m->fixed, SIZE) > 1e-8) {
        apply(m, x, g);
        plait_anderson_step(a, x, g, weight, x);
        k++;
    }
    plait_anderson_free(a);
    return k;
}

CASE(plain_iteration)
{
    const linear_map *m = linear_new(1);
    double x[SIZE] = {0}, g[SIZE], next[SIZE];
    plait_anderson *a = plait_anderson_new(SIZE, 0, PLAIT_ALONE);
    for (int k = 0; k < 5; k++) {
        apply(m, x, g);
        CHECK(!plait_anderson_step(a, x, g, NULL, next));
        CHECK_NEAR(plait_anderson_residual(a), distance(x, g, SIZE), 1e-12);
        CHECK_NEAR(distance(next, g, SIZE), 0, 0);
        memcpy(x, next, sizeof x);
    }
    plait_anderson_free(a);
}

CASE(fewer_steps_the_larger_the_window)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        const linear_map *m = linear_new(seed);
        int plain = steps_needed(m, 0, NULL), five = steps_needed(m, 5, NULL), many = steps_needed(m, 32, NULL);
        CHECK(plain > 1000);
        CHECK(five < plain / 5);
        CHECK(many <= five);
        CHECK(many <= SIZE + 15); // in exact arithmetic SIZE + 1
    }
}

CASE(weights)
{
    const linear_map *m = linear_new(3);
    double ones[SIZE], uneven[SIZE];
    for (int i = 0; i < SIZE; i++)
        ones[i] = 1, uneven[i] = i % 2 ? 100 : 0.01;
    CHECK_INT(steps_needed(m, 8, ones), steps_needed(m, 8, NULL));
    CHECK(steps_needed(m, 8, uneven) < 400);
}

// The combination minimises the residual in the metric: on a linear map, f at the combined x is what was minimised.
CASE(minimises_in_the_metric)
{
    const linear_map *m = linear_new(4);
    double x[SIZE] = {0}, g[SIZE], first[SIZE], image[SIZE], weight[SIZE];
    for (int i = 0; i < SIZE; i++)
        weight[i] = 1 + i;
    plait_anderson *a = plait_anderson_new(SIZE, 1, PLAIT_ALONE);
    apply(m, x, first);
    plait_anderson_step(a, x, first, weight, x);
    apply(m, x, g);
    // All combinations of the two residuals, by brute force.
    double best = INFINITY, best_t = 0;
    for (double t = -200; t <= 200; t += 1e-3) {
        double sum = 0;
        for (int i = 0; i < SIZE; i++) {
            double f0 = first[i], f1 = g[i] - x[i], f = f1 - t * (f1 - f0);
            sum += weight[i] * f * f;
        }
        if (sum < best)
            best = sum, best_t = t;
    }
    double expected[SIZE];
    for (int i = 0; i < SIZE; i++)
        expected[i] = g[i] - best_t * (g[i] - first[i]);
    CHECK(plait_anderson_step(a, x, g, weight, image));
    CHECK_NEAR(distance(image, expected, SIZE), 0, 2e-3 * distance(g, first, SIZE));
    plait_anderson_free(a);
}

CASE(growth_forgets_the_past)
{
    const linear_map *m = linear_new(5);
    double x[SIZE] = {0}, g[SIZE];
    plait_anderson *a = plait_anderson_new(SIZE, 5, PLAIT_ALONE);
    bool accelerated = false;
    for (int k = 0; k < 4; k++) {
        apply(m, x, g);
        accelerated = plait_anderson_step(a, x, g, NULL, x);
    }
    CHECK(accelerated);
    for (int i = 0; i < SIZE; i++)
        x[i] += 100;
    apply(m, x, g);
    CHECK(!plait_anderson_step(a, x, g, NULL, x));
    CHECK_NEAR(distance(x, g, SIZE), 0, 0);
    apply(m, x, g);
    CHECK(plait_anderson_step(a, x, g, NULL, x)); // from the two steps after the jump
    plait_anderson_reset(a);
    apply(m, x, g);
    CHECK(!plait_anderson_step(a, x, g, NULL, x));
    plait_anderson_free(a);
}

// A map that repeats itself gives a singular Gram matrix: plain steps, no NaN.
CASE(nothing_new)
{
    double x[SIZE], g[SIZE];
    plait_anderson *a = plait_anderson_new(SIZE, 5, PLAIT_ALONE);
    for (int i = 0; i < SIZE; i++)
        x[i] = 1, g[i] = 2;
    for (int k = 0; k < 12; k++) {
        double out[SIZE];
        plait_anderson_step(a, x, g, NULL, out);
        for (int i = 0; i < SIZE; i++)
            CHECK_NEAR(out[i], 2, 0);
    }
    plait_anderson_free(a);
}

// A contraction with a kink, many entries: the bits do not depend on threads, and the answer is found.
CASE(any_number_of_threads)
{
    static double x[2][LARGE], g[LARGE];
    for (int run = 0; run < 2; run++) {
        plait_anderson *a = plait_anderson_new(LARGE, 6, (plait_team){.threads = run == 0 ? 1 : 3});
        if (!CHECK(a != NULL))
            return;
        memset(x[run], 0, sizeof x[run]);
        for (int k = 0; k < 100; k++) {
            for (int i = 0; i < LARGE; i++)
                g[i] = fmax(0, (0.9 - 0.1 * (i % 9)) * x[run][i] + (i % 7 - 2) * 0.1);
            plait_anderson_step(a, x[run], g, NULL, x[run]);
        }
        plait_anderson_free(a);
    }
    CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
    double worst = 0;
    for (int i = 0; i < LARGE; i++)
        worst = fmax(worst, fabs(x[0][i] - fmax(0, (i % 7 - 2) * 0.1 / (0.1 + 0.1 * (i % 9)))));
    CHECK_NEAR(worst, 0, 1e-8);
}
