// der_newton.c: Newton's method with line search on the objective of a step, or on the energy.
//
// Where the matrix is not positive definite a multiple of a fixed diagonal is added, as little as needed: the direction
// still goes down, and along a direction of negative curvature it goes far (which is how a rod buckles in few
// iterations). The first iteration of a step with scripted ends carries the ends to where they have to be; the rod
// follows as the linearised equations say, and if that is no good, from where it was.
#include <string.h>

#include "base/elementary.h"
#include "body/der.h"
#include "math/vec3.h"

enum { MAX_SHIFTS = 80, MAX_TRIALS = 40, MAX_KICKS = 12, SLOW = 15 };
static const double SUFFICIENT = 1e-4; // of the decrease that the slope promises
static const double MODERATE = 0.05;   // stretch up to which the linear prediction is taken without comparing
static const double LARGEST_TURN = 1.5, NOTABLE_TURN = 3e-4; // [rad] of an edge in one iteration
static const double NEARLY = 1e-2;                           // residual from which on a direction may lead to a saddle
static const double LONGEST = 64;                            // times a step of a shifted matrix

typedef struct newton {
    plait_rod *rod;
    plait_der *d;
    const plait_der_load *load;
    const plait_der_newton *options;
    plait_step_report *report;
    plait_der_value value; // at now; its gradient is in d->gradient
    double shift, least;   // of the last matrix; the least worth adding
    bool shifted;          // the last direction was that of a shifted matrix
    int kicks;
} newton;

static double residual_of(const newton *s)
{
    double sum = 0, inverse = 1 / s->d->rest[0];
    for (int i = 0; i < s->rod->dofs; i++) {
        double g = s->d->fixed[i] ? 0 : s->d->gradient[i] * (i % 4 == 3 ? inverse : 1);
        sum += g * g;
    }
    return sqrt(sum);
}

// Whether the forces balance. Also tells the report.
static bool balanced(newton *s)
{
    double rounding, scale = plait_der_force_scale(s->rod, s->load, &s->d->now, &rounding), r = residual_of(s);
    s->report->residual = scale > 0 ? r / scale : r > rounding ? INFINITY : 0;
    return r <= s->options->tolerance * scale + rounding;
}

static bool ends_to_move(const newton *s)
{
    for (int i = 0; i < s->rod->dofs; i++)
        if (s->d->fixed[i] && s->d->target[i] != s->d->now.delta[i])
            return true;
    return false;
}

// Along the step: d->gradient is that at `now`, d->spare that where it was tried last.
static double slope_of(const newton *s, const double *gradient)
{
    double slope = 0;
    for (int i = 0; i < s->rod->dofs; i++)
        slope += s->d->fixed[i] ? 0 : gradient[i] * s->d->step[i];
    return slope;
}

// d->step <- -gradient, with the padding that the banded solver wants.
static void set_right_side(newton *s)
{
    for (int i = 0; i < s->rod->dofs; i++)
        s->d->step[i] = -s->d->gradient[i];
    memset(s->d->step + s->rod->dofs, 0, PLAIT_BAND_PAD * sizeof *s->d->step);
}

// Factorises the matrix at `now` with the shift; false if it is not positive definite then.
static bool factorise(newton *s, double shift, double *rhs)
{
    plait_der_assemble(s->rod, s->load);
    plait_der_constrain(s->d, shift, rhs);
    return plait_banded_factorise(s->d->band, s->rod->dofs, 0) < 0;
}

// The direction of the matrix as it is, definite or not. A rod that moves in a plane may be about to buckle out of it: the
// shift that this asks for makes all other directions slow, although nothing pushes it there. False: it does not go down.
static bool plain_direction(newton *s)
{
    plait_der *d = s->d;
    set_right_side(s);
    plait_der_assemble(s->rod, s->load);
    plait_der_constrain(d, 0, d->step);
    if (plait_banded_factorise(d->band, s->rod->dofs, -INFINITY) >= 0)
        return false;
    plait_banded_solve(d->band, s->rod->dofs, d->step);
    return slope_of(s, d->gradient) < 0;
}

// d->step <- the Newton direction. False: no shift helps (something is not finite).
static bool find_direction(newton *s)
{
    plait_der *d = s->d;
    plait_der_load load = *s->load;
    plait_der_hessian(s->rod, &load, &d->now);
    double shift = s->options->seek_minimum ? s->least : 0;
    s->shifted = false;
    for (int k = 0; k < MAX_SHIFTS; k++) {
        set_right_side(s);
        if (factorise(s, shift, d->step)) {
            plait_banded_solve(d->band, s->rod->dofs, d->step);
            s->shift = shift;
            return true;
        }
        s->report->repairs++;
        if (!s->shifted && s->report->iterations >= SLOW && s->report->residual < NEARLY && !s->options->seek_minimum &&
            plain_direction(s))
            return true;
        // A single linear step has no second chance to mend what a small shift does to compressed edges.
        if (s->options->linear && !load.convex) {
            load.convex = 1;
            plait_der_hessian(s->rod, &load, &d->now);
            continue;
        }
        shift = s->shifted ? 4 * shift : fmax(s->least, s->shift / 16);
        s->shifted = true;
    }
    return false;
}

// How far the step turns an edge, and half of how far it spins a frame: the largest [rad].
static double largest_turn(const newton *s)
{
    const plait_der *d = s->d;
    double worst = 0;
    for (int j = 0; j < d->n; j++) {
        double change[3];
        plait_vec3_sub(d->step + 4 * j + 4, d->step + 4 * j, change);
        worst = fmax(worst, plait_vec3_norm(change) / d->now.edge[j + 1].length);
        worst = fmax(worst, fabs(d->step[4 * j + 3]) / 2);
    }
    return worst;
}

// Whether edges should turn in this step instead of being sheared: if it is notable, and if their stiffness and not their
// inertia rules.
static bool turns(const newton *s, double turn)
{
    const plait_section *section = &s->rod->section;
    double dt = s->load->dt, l = s->d->rest[0];
    return dt == 0 || (turn > NOTABLE_TURN && section->EA * dt * dt > section->mass * l * l);
}

static bool try_step(newton *s, double alpha, bool curved, plait_der_value *value)
{
    if (!(curved ? plait_der_pose_try_curved(s->rod, alpha) : plait_der_pose_try(s->rod, alpha)))
        return false;
    *value = plait_der_evaluate(s->rod, s->load, &s->d->trial, s->d->spare);
    return isfinite(value->sum) && isfinite(value->magnitude);
}

static void take(newton *s, plait_der_value value)
{
    plait_der_pose_accept(s->d);
    double *swap = s->d->gradient;
    s->d->gradient = s->d->spare;
    s->d->spare = swap;
    s->value = value;
}

// Near the solution the objective is all rounding, but its slope along the step is not: has it nearly gone?
static bool flattens(const newton *s, double slope)
{
    return fabs(slope_of(s, s->d->spare)) <= -0.5 * slope;
}

// A shift makes steps too short where the true matrix is softer than it, or negative: then it still goes down steeply at
// their end. Whether a step twice as long is better; if not, the one before is tried again.
static bool lengthen(newton *s, double *alpha, double longest, bool curved, double slope, plait_der_value *value)
{
    plait_der_value farther;
    if (!s->shifted || 2 * *alpha > longest || !(slope_of(s, s->d->spare) < 0.5 * slope))
        return false;
    s->report->trials++;
    if (try_step(s, 2 * *alpha, curved, &farther) && farther.sum < value->sum) {
        *alpha *= 2, *value = farther;
        return true;
    }
    try_step(s, *alpha, curved, value);
    return false;
}

static bool line_search(newton *s)
{
    double slope = slope_of(s, s->d->gradient), turn = largest_turn(s), alpha = fmin(1, LARGEST_TURN / turn);
    bool curved = turns(s, turn);
    if (!(slope <= 0))
        return false;
    for (int k = 0; k < MAX_TRIALS; k++) {
        plait_der_value value;
        bool possible = try_step(s, alpha, curved, &value);
        double noise = 1e-14 * (s->value.magnitude + (possible ? value.magnitude : 0));
        if (possible && (value.sum <= s->value.sum + SUFFICIENT * alpha * slope + noise ||
                         (value.sum <= s->value.sum + 1e6 * noise && flattens(s, slope)))) {
            while (lengthen(s, &alpha, fmin(LONGEST, LARGEST_TURN / turn), curved, slope, &value))
                ;
            take(s, value);
            return true;
        }
        s->report->trials++;
        // The parabola through value, slope and the new value says where to go, within limits.
        double best = possible ? -slope * alpha * alpha / (2 * (value.sum - s->value.sum - slope * alpha)) : 0;
        alpha = fmin(fmax(best, 0.1 * alpha), 0.5 * alpha);
    }
    return false;
}

// The first iteration when ends move: all of the direction, because the ends must arrive.
static bool move_ends(newton *s)
{
    plait_der *d = s->d;
    plait_der_value full, bare;
    bool curved = !s->options->linear && turns(s, largest_turn(s)), possible = try_step(s, 1, curved, &full);
    if (possible && plait_der_max_stretch(d, &d->trial) < MODERATE) {
        take(s, full);
        return true;
    }
    for (int i = 0; i < s->rod->dofs; i++)
        d->spare[i] = d->step[i], d->step[i] = d->fixed[i] ? d->step[i] : 0;
    double *kept = d->gradient; // spare holds the direction: the gradient at `now` is no longer needed
    d->gradient = d->spare, d->spare = kept;
    if (try_step(s, 1, false, &bare) && !(possible && full.sum < bare.sum)) {
        take(s, bare);
        return true;
    }
    memcpy(d->step, d->gradient, (size_t)s->rod->dofs * sizeof *d->step);
    if (!possible || !try_step(s, 1, curved, &full))
        return false;
    take(s, full);
    return true;
}

// At a balance: whether it is a minimum. If not, step off along a direction of negative curvature.
static bool at_minimum(newton *s)
{
    plait_der *d = s->d;
    int dofs = s->rod->dofs;
    plait_der_hessian(s->rod, s->load, &d->now);
    if (factorise(s, s->least, NULL) || s->kicks >= MAX_KICKS)
        return true;
    s->kicks++;
    double shift = 4 * s->least;
    while (!factorise(s, shift, NULL)) {
        shift *= 4;
        if (!isfinite(shift))
            return true;
    }
    unsigned random = 12345;
    for (int i = 0; i < dofs; i++) {
        random = random * 1664525u + 1013904223u;
        d->step[i] = (double)(random >> 8) / 16777216.0 - 0.5;
    }
    for (int k = 0; k < 30; k++) { // inverse iteration: the smallest eigenvalue of H with the weight
        double norm = 0;
        for (int i = 0; i < dofs; i++)
            norm += d->fixed[i] ? 0 : d->weight[i] * d->step[i] * d->step[i];
        norm = sqrt(norm);
        for (int i = 0; i < dofs; i++)
            d->step[i] = d->fixed[i] ? 0 : d->weight[i] * d->step[i] / norm;
        memset(d->step + dofs, 0, PLAIT_BAND_PAD * sizeof *d->step);
        plait_banded_solve(d->band, dofs, d->step);
    }
    double largest = 0;
    for (int i = 0; i < dofs; i++)
        if (i % 4 < 3)
            largest = fmax(largest, fabs(d->step[i]));
    for (double size = 1e-3 * s->rod->length; size > 1e-9 * s->rod->length && largest > 0; size /= 4) {
        for (int sign = -1; sign < 2; sign += 2) {
            plait_der_value value;
            if (try_step(s, sign * size / largest, true, &value) &&
                value.sum < s->value.sum - 1e-14 * value.magnitude) {
                take(s, value);
                return false;
            }
        }
    }
    return true;
}

// A step ends with spins that do not depend on the way the iterates took. Whether the forces still balance then.
static bool settled(newton *s)
{
    if (s->load->dt == 0 || s->report->iterations < 2)
        return true;
    plait_der_pose_respin(s->rod);
    s->value = plait_der_evaluate(s->rod, s->load, &s->d->now, s->d->gradient);
    return balanced(s);
}

// In statics: a rod that nothing holds falls for ever.
static bool runs_away(const newton *s)
{
    double farthest = 0, given = 1e3 * s->rod->length;
    for (int i = 0; i < s->rod->dofs && s->options->seek_minimum; i++) {
        if (i % 4 < 3)
            farthest = fmax(farthest, fabs(s->d->now.delta[i]));
        if (s->d->fixed[i])
            given += fabs(s->d->target[i]);
    }
    return farthest > given;
}

static bool failed(newton *s, const char *reason)
{
    s->report->reason = reason;
    return false;
}

bool plait_der_minimise(plait_rod *rod, const plait_der_load *load, const plait_der_newton *options,
                        plait_step_report *report)
{
    plait_der *d = rod->impl;
    newton s = {.rod = rod, .d = d, .load = load, .options = options, .report = report};
    plait_der_pose_start(rod);
    double l = rod->length / d->n, EI = fmax(rod->section.EI[0], rod->section.EI[1]);
    s.least = fmax(1e-6 * EI * l / plait_power(rod->length, 4), 2e-15 * rod->section.EA / l);
    s.value = plait_der_evaluate(rod, load, &d->now, d->gradient);
    if (!isfinite(s.value.sum))
        return failed(&s, "a hinge is folded or an edge has no length at the start");
    bool moving = ends_to_move(&s);
    while (report->iterations < options->max_iterations) {
        if (!moving && !runs_away(&s) && !(options->linear && report->iterations == 0) && balanced(&s) &&
            (!options->seek_minimum || at_minimum(&s)) && settled(&s))
            return true;
        if (runs_away(&s))
            return failed(&s, "there is no equilibrium: the rod runs away");
        if (!find_direction(&s))
            return failed(&s, "the matrix is not finite");
        report->iterations++;
        if (moving || options->linear) {
            if (!move_ends(&s))
                return failed(&s, "an edge or a hinge collapses when the ends are moved");
            moving = false;
            if (options->linear)
                return true;
        } else if (!line_search(&s)) {
            double tolerated = 100 * options->tolerance;
            return report->residual <= tolerated || failed(&s, "the line search found no way down");
        }
    }
    return balanced(&s) || failed(&s, "too many iterations");
}
