// fibre_problem.c: made-up contact problems of a bundle of hairs.
//
// A rod of V vertices is wavy, hangs down and is held by its first two vertices. In units of one vertex's mass
//
//     M = 1 + CLAMP on the two held vertices + kb D^T D + ks sum over edges t t^T,
//     ks = dt^2 E / (rho l^2)      stretching of an edge of length l along its direction t
//     kb = ks r^2 / (4 l^2)        bending, D the second difference: M has a half-bandwidth of 6
//
// and f = M v for a velocity field v that is zero at the root: three random modes in each direction, and a fall. A
// contact joins a point on an edge of one rod with a point at about the same height on a neighbour, under a random
// normal, which four times out of five is turned so that the two approach.
//
// At rest: f = M v REST_SPEED - H^T r for impulses r well inside their cones. With v = 0 these are an answer, and
// nothing moves; the little that is left of v makes some contacts slide.
//
// Only + - * / and square roots are used: a seed gives the same problem on every machine with IEEE arithmetic.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "math/sparse.h"
#include "plait/generate.h"

#define YOUNG 3.9e9      // [Pa] of hair
#define DENSITY 1300.0   // [kg/m^3]
#define RADIUS 40e-6     // [m]
#define LENGTH 0.232     // [m] of a rod; 30 vertices make edges of 8 mm
#define CLAMP 1e4        // stiffness that holds the root, in vertex masses
#define MODE_SPEED 0.25  // [m/s] of the first mode; the k-th has a k-th of it
#define FALL (20 * 9.81) // [m/s^2] the tip falls with this times dt
#define LEAN 0.35        // slope of the tip
#define CURL_MIN 0.6e-3  // [m] radius of the waves
#define CURL_MAX 4.5e-3
#define WAVE_MIN 0.05 // [m] length of the waves
#define WAVE_MAX 0.15
#define SLACK 0.012     // [m] difference of height of the two points of a contact
#define APPROACH 0.8    // share of contacts whose points approach
#define REST_SPEED 1e-3 // of the velocities, for a bundle at rest
#define REST_LOAD 0.1   // impulses of contacts at rest, of what stops a vertex that falls
#define REST_INSIDE 0.9 // of the cone's width, at most

enum { MODES = 3 };

typedef struct bundle {
    const plait_fibre_options *o;
    int n, dofs, side; // side: of the grid the rods stand on
    double edge;       // [m]
    double *v;         // [dofs]
    double *t;         // [3 (V - 1)] edge directions of one rod
    plait_sparse M, H;
    double *f, *w, *mu;
} bundle;

plait_fibre_options plait_default_fibre_options(void)
{
    return (plait_fibre_options){
        .rods = 100, .vertices = 30, .nu = 1, .mu = 0.3, .dt = 3e-3, .heavy = false, .local = 1.3, .seed = 1};
}

// ---- numbers that are the same everywhere -----------------------------------------------------------------------

// Nearly normal, mean 0 and variance 1: a sum of twelve uniform numbers.
static double bell(plait_rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += plait_rng_uniform(rng);
    return sum;
}

// Cosine and sine of a number of turns, by their series around the nearest quarter.
static void turn(double turns, double *c, double *s)
{
    double part = turns - floor(turns);
    int quarter = (int)(4 * part + 0.5);
    double x = (part - 0.25 * quarter) * 6.283185307179586, x2 = x * x, cosine = 1, sine = x, term = 1;
    for (int k = 1; k <= 10; k++) {
        term *= -x2 / ((2 * k - 1) * (2 * k));
        cosine += term;
        sine += term * x / (2 * k + 1);
    }
    double table[4][2] = {{cosine, sine}, {-sine, cosine}, {-cosine, -sine}, {sine, -cosine}};
    *c = table[quarter % 4][0], *s = table[quarter % 4][1];
}

static void unit_vector(plait_rng *rng, double n[3])
{
    double q;
    do {
        for (int a = 0; a < 3; a++)
            n[a] = plait_rng_between(rng, -1, 1);
        q = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    } while (q > 1 || q < 1e-4);
    for (int a = 0; a < 3; a++)
        n[a] /= sqrt(q);
}

// ---- rods -------------------------------------------------------------------------------------------------------

// Directions of the edges of a wavy rod that leans.
static void shape_rod(bundle *b, plait_rng *rng)
{
    int V = b->o->vertices;
    double lean[2] = {LEAN * bell(rng), LEAN * bell(rng)};
    double curl = plait_rng_between(rng, CURL_MIN, CURL_MAX), wave = plait_rng_between(rng, WAVE_MIN, WAVE_MAX);
    double phase = plait_rng_uniform(rng), last[3] = {0};
    for (int i = 0; i < V; i++) {
        double s = (double)i / (V - 1), here[3];
        turn(phase + s * LENGTH / wave, &here[0], &here[1]);
        for (int a = 0; a < 2; a++)
            here[a] = curl * here[a] + 0.5 * LENGTH * lean[a] * s * s;
        here[2] = -LENGTH * s;
        if (i > 0) {
            double *t = b->t + 3 * (size_t)(i - 1), q = 0;
            for (int a = 0; a < 3; a++)
                t[a] = here[a] - last[a], q += t[a] * t[a];
            for (int a = 0; a < 3; a++)
                t[a] /= sqrt(q);
        }
        memcpy(last, here, sizeof last);
    }
}

static void move_rod(bundle *b, int rod, plait_rng *rng)
{
    int V = b->o->vertices;
    double amplitude[MODES][3], *v = b->v + 3 * (size_t)rod * (size_t)V;
    for (int k = 0; k < MODES; k++)
        for (int a = 0; a < 3; a++)
            amplitude[k][a] = MODE_SPEED / (k + 1) * bell(rng);
    for (int i = 0; i < V; i++) {
        double s = (double)i / (V - 1), c, wave;
        v[3 * i] = v[3 * i + 1] = 0;
        v[3 * i + 2] = -FALL * b->o->dt * s;
        for (int k = 0; k < MODES; k++) {
            turn((2 * k + 1) * s / 4, &c, &wave);
            for (int a = 0; a < 3; a++)
                v[3 * i + a] += amplitude[k][a] * wave;
        }
    }
}

// The entry of D^T D for vertices i and i + k: which second differences do both take part in?
static double bending(int V, int i, int k)
{
    static const double weight[3] = {1, -2, 1};
    double sum = 0;
    for (int middle = i - 1; middle <= i + 1; middle++) {
        int p = i - middle + 1, q = i + k - middle + 1;
        if (middle >= 1 && middle <= V - 2 && q >= 0 && q <= 2)
            sum += weight[p] * weight[q];
    }
    return sum;
}

// Row a of the 3x3 block of vertices i and i + k; the blocks two apart are diagonal.
static void add_block_row(bundle *b, int rod, int i, int k, int a, int64_t *count)
{
    int V = b->o->vertices;
    double ks = b->o->dt * b->o->dt * YOUNG / (DENSITY * b->edge * b->edge);
    double kb = ks * RADIUS * RADIUS / (4 * b->edge * b->edge), same = kb * bending(V, i, k);
    if (k == 0)
        same += 1 + (i < 2 ? CLAMP : 0);
    for (int c = 0; c < 3; c++) {
        double value = c == a ? same : 0;
        // Edges i - 1 and i meet in vertex i; one of them leads to vertex i + 1 or i - 1.
        for (int edge = i > 0 ? i - 1 : 0; edge <= i && edge < V - 1; edge++) {
            const double *t = b->t + 3 * (size_t)edge;
            if (k == 0)
                value += ks * (t[a] * t[c]);
            else if ((k == 1 && edge == i) || (k == -1 && edge == i - 1))
                value -= ks * (t[a] * t[c]);
        }
        if (k * k < 4 || c == a) {
            b->M.col[*count] = 3 * (rod * V + i + k) + c;
            b->M.val[(*count)++] = value;
        }
    }
}

static void make_rods(bundle *b)
{
    int V = b->o->vertices;
    int64_t count = 0;
    for (int rod = 0; rod < b->o->rods; rod++) {
        plait_rng rng = plait_rng_new(b->o->seed, 1 + (uint64_t)rod);
        shape_rod(b, &rng);
        move_rod(b, rod, &rng);
        for (int i = 0; i < V; i++) {
            for (int a = 0; a < 3; a++) {
                for (int k = -2; k <= 2; k++)
                    if (i + k >= 0 && i + k < V)
                        add_block_row(b, rod, i, k, a, &count);
                b->M.ptr[3 * (rod * V + i) + a + 1] = count;
            }
        }
    }
    plait_sparse_apply(&b->M, b->v, b->f);
}

// ---- contacts ---------------------------------------------------------------------------------------------------

// A rod to touch: any other one, or one that stands near on the grid. The grid's ends are joined.
static int pick_partner(const bundle *b, int rod, plait_rng *rng)
{
    int rods = b->o->rods;
    if (b->o->local == 0)
        return (rod + 1 + (int)plait_rng_below(rng, (uint64_t)rods - 1)) % rods;
    for (int attempt = 0; attempt < 1000; attempt++) {
        double row = floor(b->o->local * bell(rng) + 0.5), column = floor(b->o->local * bell(rng) + 0.5);
        double index = rod + row * b->side + column;
        int partner = (int)(index - rods * floor(index / rods));
        if (partner != rod && partner >= 0 && partner < rods)
            return partner;
    }
    return (rod + 1) % rods; // a reach far below one spacing: the next one
}

typedef struct touch {
    int rod, edge;
    double along; // 0 .. 1
} touch;

static const double *vertex_velocity(const bundle *b, const touch *p, int end)
{
    return b->v + 3 * ((size_t)p->rod * (size_t)b->o->vertices + (size_t)(p->edge + end));
}

// A random frame; the first direction is the normal, from the second point to the first.
static void make_frame(const bundle *b, const touch point[2], plait_rng *rng, double frame[3][3])
{
    double other[3], along, q, approach = 0;
    unit_vector(rng, frame[0]);
    do {
        unit_vector(rng, other);
        along = other[0] * frame[0][0] + other[1] * frame[0][1] + other[2] * frame[0][2];
    } while (along * along > 0.9);
    q = sqrt(1 - along * along);
    for (int a = 0; a < 3; a++)
        frame[1][a] = (other[a] - along * frame[0][a]) / q;
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 3; a++)
            approach += (k ? -1 : 1) * frame[0][a] *
                        ((1 - point[k].along) * vertex_velocity(b, &point[k], 0)[a] +
                         point[k].along * vertex_velocity(b, &point[k], 1)[a]);
    if ((approach < 0) != (plait_rng_uniform(rng) < APPROACH))
        for (int a = 0; a < 3; a++)
            frame[0][a] = -frame[0][a];
    for (int a = 0; a < 3; a++) {
        int c = (a + 1) % 3, d = (a + 2) % 3;
        frame[2][a] = frame[0][c] * frame[1][d] - frame[0][d] * frame[1][c];
    }
}

// Rows of H: +frame on the first point's two vertices, -frame on the second's, by ascending dofs.
static void add_contact(bundle *b, int contact, const touch point[2], double frame[3][3])
{
    int first = point[0].rod < point[1].rod ? 0 : 1;
    for (int row = 0; row < 3; row++) {
        int64_t at = 36 * (int64_t)contact + 12 * row;
        for (int k = 0; k < 2; k++) {
            const touch *p = &point[k ? 1 - first : first];
            double sign = p == &point[0] ? 1 : -1;
            for (int end = 0; end < 2; end++) {
                for (int a = 0; a < 3; a++, at++) {
                    b->H.col[at] = 3 * (p->rod * b->o->vertices + p->edge + end) + a;
                    b->H.val[at] = sign * (end ? p->along : 1 - p->along) * frame[row][a];
                }
            }
        }
        b->H.ptr[3 * (int64_t)contact + row + 1] = at;
    }
}

static void make_contacts(bundle *b)
{
    // The root edge is held: contacts on it are what makes a problem heavy.
    int edges = b->o->vertices - 1, lowest = b->o->heavy ? 0 : 2;
    plait_rng rng = plait_rng_new(b->o->seed, 0);
    for (int i = 0; i < b->n; i++) {
        touch point[2];
        double frame[3][3];
        point[0].rod = (int)plait_rng_below(&rng, (uint64_t)b->o->rods);
        point[1].rod = pick_partner(b, point[0].rod, &rng);
        point[0].edge = lowest + (int)plait_rng_below(&rng, (uint64_t)(edges - lowest));
        double height = floor(point[0].edge + SLACK / b->edge * bell(&rng) + 0.5);
        point[1].edge = b->o->along ? point[0].edge : (int)fmin(fmax(height, lowest), edges - 1);
        point[0].along = plait_rng_uniform(&rng), point[1].along = plait_rng_uniform(&rng);
        if (b->o->along)
            point[1].along = point[0].along;
        make_frame(b, point, &rng, frame);
        add_contact(b, i, point, frame);
        b->mu[i] = b->o->mu;
    }
}

// f of a bundle that is loaded and nearly still.
static void load_contacts(bundle *b)
{
    plait_rng rng = plait_rng_new(b->o->seed, UINT64_MAX);
    for (int i = 0; i < b->dofs; i++)
        b->f[i] *= REST_SPEED;
    for (int i = 0; i < b->n; i++) {
        double r[3], q;
        do
            for (int a = 1; a < 3; a++)
                r[a] = plait_rng_between(&rng, -1, 1);
        while ((q = r[1] * r[1] + r[2] * r[2]) > 1);
        r[0] = REST_LOAD * FALL * b->o->dt * plait_rng_uniform(&rng);
        r[1] *= REST_INSIDE * b->mu[i] * r[0], r[2] *= REST_INSIDE * b->mu[i] * r[0];
        for (int a = 0; a < 3; a++)
            for (int64_t k = b->H.ptr[3 * i + a]; k < b->H.ptr[3 * i + a + 1]; k++)
                b->f[b->H.col[k]] -= b->H.val[k] * r[a];
    }
}

// ---- all of it --------------------------------------------------------------------------------------------------

static bool check_real(const char *name, double value, double low, double high, plait_error *error)
{
    if (value >= low && value <= high)
        return true;
    plait_error_set(error, PLAIT_BAD_INPUT, "fibre problem: %s: expected a number from %g to %g, found %g", name, low,
                    high, value);
    return false;
}

static bool check_options(const plait_fibre_options *o, plait_error *error)
{
    if (!check_real("rods", o->rods, 2, 1e8, error) || !check_real("vertices", o->vertices, 4, 1e4, error) ||
        !check_real("nu", o->nu, 1e-6, 1e3, error) || !check_real("mu", o->mu, 0, 1e3, error) ||
        !check_real("dt", o->dt, 1e-9, 10, error) || !check_real("local", o->local, 0, 1e6, error))
        return false;
    double dofs = 3.0 * o->rods * o->vertices, contacts = o->nu * o->rods * o->vertices;
    if (dofs <= 1e9 && contacts <= 5e8)
        return true;
    plait_error_set(error, PLAIT_BAD_INPUT,
                    "fibre problem: expected at most 1e9 dofs and 5e8 contacts, found %.4g and %.4g", dofs, contacts);
    return false;
}

static bool allocate(bundle *b)
{
    int V = b->o->vertices;
    int64_t per_rod = 27 * (int64_t)V - 18 + 6 * (int64_t)(V - 2); // blocks next to each other, and two apart
    size_t dofs = (size_t)b->dofs, n = (size_t)b->n;
    b->v = malloc(dofs * sizeof *b->v);
    b->t = malloc(3 * (size_t)V * sizeof *b->t);
    b->f = malloc(dofs * sizeof *b->f);
    b->w = calloc(3 * n + 1, sizeof *b->w);
    b->mu = malloc((n + 1) * sizeof *b->mu);
    return b->v && b->t && b->f && b->w && b->mu && plait_sparse_alloc(&b->M, b->dofs, b->dofs, per_rod * b->o->rods) &&
           plait_sparse_alloc(&b->H, 3 * b->n, b->dofs, 36 * (int64_t)b->n);
}

plait_problem *plait_problem_generate_fibres(const plait_fibre_options *options, plait_error *error)
{
    if (!check_options(options, error))
        return NULL;
    bundle b = {.o = options, .edge = LENGTH / (options->vertices - 1)};
    plait_problem *p = NULL;
    b.dofs = 3 * options->rods * options->vertices;
    b.n = (int)floor(options->nu * options->rods * options->vertices + 0.5);
    b.side = (int)ceil(sqrt(options->rods));
    if (allocate(&b)) {
        make_rods(&b);
        make_contacts(&b);
        if (options->rest)
            load_contacts(&b);
        p = plait_problem_from_dynamics(3, b.n, &b.M, &b.H, b.f, b.w, b.mu, error);
    } else {
        plait_error_set(error, PLAIT_NO_MEMORY, "fibre problem: not enough memory for %d rods and %d contacts",
                        options->rods, b.n);
    }
    free(b.v), free(b.t), free(b.f), free(b.w), free(b.mu);
    plait_sparse_free(&b.M), plait_sparse_free(&b.H);
    return p;
}
