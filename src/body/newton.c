// newton.c: Newton's method with line search.
//
// Where the matrix is not positive definite a multiple of a fixed diagonal is added, as little as needed: the direction
// still goes down, and along a direction of negative curvature it goes far (which is how a rod buckles in few
// iterations).
#include "body/newton.h"

#include <math.h>
#include <string.h>

enum { MAX_SHIFTS = 80, SMALL_SHIFTS = 3, HURRY = 30, MAX_TRIALS = 40, MAX_KICKS = 20, SLOW = 15 };
static const double SUFFICIENT = 1e-4;   // of the decrease that the slope promises
static const double MODERATE = 0.05;     // stretch up to which the linear prediction is taken without comparing
static const double NOTABLE_TURN = 3e-4; // [rad] of an edge in one iteration
static const double NEARLY = 1e-2;       // residual from which on a direction may lead to a saddle
static const double SHORT = 0.25;        // part of a step that is not worth its direction
static const double LONGEST = 64;        // times a step of a shifted matrix

typedef struct newton {
    plait_rod *rod;
    const plait_newton *m;
    const plait_newton_type *type;
    const plait_newton_options *options;
    plait_step_report *report;
    plait_newton_value value; // at the present configuration, as its gradient
    double shift, floor;      // of the last matrix; the least of the next one
    bool statics, shifted;    // the last direction was that of a shifted matrix
    int kicks, in_a_row;      // of shifted directions
    bool plain;               // the last direction was that of an indefinite matrix
    int wait, pause;          // iterations until the next of these; after one that led nowhere
} newton;

static bool failed(const newton *s, const char *reason)
{
    s->report->reason = reason;
    return false;
}

// Whether the forces balance. Also tells the report. What is beyond all numbers balances nothing.
static bool balanced(const newton *s)
{
    double scale, rounding, r = s->type->residual(s->rod, &scale, &rounding);
    bool known = isfinite(r) && isfinite(scale) && isfinite(rounding);
    s->report->residual = known && scale > 0 ? r / scale : !known || r > rounding ? INFINITY : 0;
    return known && r <= s->options->tolerance * scale + rounding;
}

static double slope_of(const newton *s, const double *gradient)
{
    double slope = 0;
    for (int i = 0; i < s->m->dofs; i++)
        slope += s->m->fixed[i] ? 0 : gradient[i] * s->m->step[i];
    return slope;
}

// ---- directions --------------------------------------------------------------------------------------------------

// step <- the solution of the matrix with the gradient. False: it cannot be factorised as it should.
static bool solve(newton *s, double shift, bool indefinite)
{
    const plait_newton *m = s->m;
    plait_newton_matrix matrix = {shift, s->options->moving, indefinite};
    for (int i = 0; i < m->dofs; i++)
        m->step[i] = -m->gradient[i];
    if (!s->type->factorise(s->rod, &matrix, m->step))
        return false;
    s->type->solve(s->rod, m->step);
    if (s->type->tangent)
        s->type->tangent(s->rod);
    return true;
}

// The direction of the matrix as it is, definite or not. A rod that moves in a plane may be about to buckle out of it:
// the shift that this asks for makes all other directions slow, although nothing pushes it there. False: not down.
static bool plain_direction(newton *s)
{
    bool slow = !s->statics && s->report->iterations >= SLOW && s->report->residual < NEARLY;
    return s->plain = slow && s->wait-- <= 0 && solve(s, 0, true) && slope_of(s, s->m->gradient) < 0;
}

// Far from a balance such a direction goes down only for a little way, again and again: shifts for a while, and for
// twice as long the next time.
static void judge_plain(newton *s, double alpha)
{
    if (s->plain && alpha < SHORT)
        s->pause = 2 * s->pause + 1, s->wait = s->pause;
    s->plain = false;
}

// Where a shift would have to be large the step would hardly move, and the matrix without its indefinite parts is
// better.
static bool safe_direction(newton *s, double shift, int tries)
{
    bool patient = s->statics || s->report->iterations > HURRY;
    if (!isfinite(s->m->most) || !(patient ? shift > s->m->most : tries >= SMALL_SHIFTS))
        return false;
    s->type->hessian(s->rod, true);
    if (solve(s, s->statics ? s->m->least : 0, false)) {
        s->shift = 0; // begin anew next time
        return true;
    }
    s->type->hessian(s->rod, false);
    return false;
}

// step <- the Newton direction. False: no shift helps (something is not finite).
static bool find_direction(newton *s)
{
    double shift = fmax(s->floor, s->statics ? s->m->least : 0);
    bool safe = false;
    s->floor = 0;
    s->shifted = shift > s->m->least;
    s->type->hessian(s->rod, false);
    for (int k = 0; k < MAX_SHIFTS; k++) {
        if (solve(s, shift, false)) {
            s->shift = shift;
            s->in_a_row = s->shifted ? s->in_a_row + 1 : 0;
            return true;
        }
        s->report->repairs++;
        if ((k == 0 && plain_direction(s)) || safe_direction(s, shift, k))
            return true;
        // A single linear step has no second chance to mend what a small shift does.
        if (s->options->linear && !safe) {
            s->type->hessian(s->rod, safe = true);
            continue;
        }
        shift = s->shifted ? 4 * shift : fmax(s->m->first, s->shift / 16);
        s->shifted = true;
    }
    return false;
}

// ---- steps -------------------------------------------------------------------------------------------------------

// Whether edges should turn in this step instead of being sheared: if it is notable, and if their stiffness and not
// their inertia rules.
static bool turns(const newton *s, double turn)
{
    const plait_section *section = &s->rod->section;
    double dt = s->options->dt, l = s->rod->length / s->rod->segments;
    return dt == 0 || (turn > NOTABLE_TURN && section->EA * dt * dt > section->mass * l * l);
}

static bool try_step(newton *s, double alpha, bool curved, plait_newton_value *value)
{
    if (!s->type->try_step(s->rod, alpha, curved))
        return false;
    *value = s->type->evaluate(s->rod, true, s->m->trial);
    return isfinite(value->sum) && isfinite(value->magnitude);
}

static void take(newton *s, plait_newton_value value)
{
    s->type->accept(s->rod);
    if (s->m->trial)
        memcpy(s->m->gradient, s->m->trial, (size_t)s->m->dofs * sizeof *s->m->gradient), s->value = value;
    else
        s->value = s->type->evaluate(s->rod, false, s->m->gradient);
}

// Near the solution the function is all rounding, but its slope along the step is not: has it nearly gone?
static bool flattens(const newton *s, double slope)
{
    return s->m->trial && fabs(slope_of(s, s->m->trial)) <= -0.5 * slope;
}

// A shift makes steps too short where the true matrix is softer than it, or negative: further, as long as that pays.
// With gradients: while it still goes down steeply. Without: while at least a quarter comes of what the slope
// promises.
static void lengthen(newton *s, double alpha, double longest, bool curved, double slope, plait_newton_value *value)
{
    double grow = s->m->trial ? 2 : 3;
    while (s->shifted && grow * alpha <= longest && (!s->m->trial || slope_of(s, s->m->trial) < 0.5 * slope)) {
        plait_newton_value farther;
        double promised = s->m->trial ? 0 : 0.5 * alpha * slope;
        s->report->trials++;
        if (!try_step(s, grow * alpha, curved, &farther) || !(farther.sum < value->sum + promised)) {
            try_step(s, alpha, curved, value);
            return;
        }
        alpha *= grow, *value = farther;
    }
}

static bool line_search(newton *s)
{
    double slope = slope_of(s, s->m->gradient), turn = s->type->turn(s->rod);
    double longest = s->type->largest_turn / turn, alpha = fmin(1, longest);
    bool curved = turns(s, turn);
    if (!(slope <= 0) || !(alpha > 0))
        return false;
    for (int k = 0; k < MAX_TRIALS; k++) {
        plait_newton_value value;
        bool possible = try_step(s, alpha, curved, &value);
        double noise = 1e-14 * (s->value.magnitude + (possible ? value.magnitude : 0));
        if (possible && (value.sum <= s->value.sum + SUFFICIENT * alpha * slope + noise ||
                         (value.sum <= s->value.sum + 1e6 * noise && flattens(s, slope)))) {
            judge_plain(s, alpha);
            lengthen(s, alpha, fmin(LONGEST, longest), curved, slope, &value);
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

// What of a direction is taken when ends move: all of it, all but what is out of proportion, or only the ends.
typedef enum part { PART_ALL, PART_CALM, PART_ENDS, PART_COUNT } part;

static bool try_part(newton *s, part which, bool curved, plait_newton_value *value)
{
    const plait_newton *m = s->m;
    memcpy(m->step, m->spare, (size_t)m->dofs * sizeof *m->step);
    if (which == PART_CALM && !(s->type->calm && s->type->calm(s->rod)))
        return false;
    for (int i = 0; i < m->dofs && which == PART_ENDS; i++)
        m->step[i] = m->fixed[i] ? m->step[i] : 0;
    return try_step(s, 1, which != PART_ENDS && curved, value);
}

// The first iteration when ends move: all of the direction, because the ends must arrive. Where that stretches the
// rod much, the part of it that leads lowest.
static bool move_ends(newton *s)
{
    plait_newton_value value, lowest = {INFINITY, 0};
    bool curved = !s->options->linear && turns(s, s->type->turn(s->rod)), possible = try_step(s, 1, curved, &value);
    if (possible && (!s->type->stretch || s->type->stretch(s->rod) < MODERATE)) {
        take(s, value);
        return true;
    }
    part best = PART_COUNT;
    memcpy(s->m->spare, s->m->step, (size_t)s->m->dofs * sizeof *s->m->spare);
    for (part which = PART_ALL; which < PART_COUNT; which++)
        if (try_part(s, which, curved, &value) && value.sum <= lowest.sum)
            lowest = value, best = which;
    if (best == PART_COUNT || !try_part(s, best, curved, &value))
        return false;
    take(s, value);
    return true;
}

// ---- minima ------------------------------------------------------------------------------------------------------

// step <- the direction of smallest curvature relative to the weights, by inverse iteration with the last factor.
static void softest_direction(newton *s)
{
    const plait_newton *m = s->m;
    unsigned random = 12345; // a start without symmetry, the same every time
    for (int i = 0; i < m->dofs; i++) {
        random = random * 1664525u + 1013904223u;
        m->step[i] = m->fixed[i] ? 0 : ((double)(random >> 8) / 16777216.0 - 0.5) / sqrt(m->weight[i]);
    }
    for (int k = 0; k < 30; k++) {
        double norm = 0;
        for (int i = 0; i < m->dofs; i++)
            norm += m->fixed[i] ? 0 : m->weight[i] * m->step[i] * m->step[i];
        norm = sqrt(norm);
        for (int i = 0; i < m->dofs; i++)
            m->step[i] = m->fixed[i] ? 0 : m->weight[i] * m->step[i] / norm;
        s->type->solve(s->rod, m->step);
    }
    if (s->type->tangent)
        s->type->tangent(s->rod);
}

// Whether the present configuration is no minimum, and a lower one was taken along the direction of negative curvature.
static bool leave_saddle(newton *s)
{
    const plait_newton *m = s->m;
    plait_newton_matrix matrix = {.shift = m->least};
    s->type->hessian(s->rod, false);
    if (s->type->factorise(s->rod, &matrix, NULL) || s->kicks >= MAX_KICKS)
        return false;
    s->kicks++;
    for (matrix.shift *= 4; !s->type->factorise(s->rod, &matrix, NULL); matrix.shift *= 2)
        if (!isfinite(matrix.shift))
            return false;
    softest_direction(s);
    double slope = slope_of(s, m->gradient), turn = s->type->turn(s->rod), best = 0;
    if (!(turn > 0) || !isfinite(turn))
        return false;
    // From turns that are hardly seen to a large one, as long as it goes down.
    plait_newton_value value, lowest = s->value;
    lowest.sum -= 1e-14 * lowest.magnitude;
    for (double amplitude = 1e-4; amplitude < 0.6; amplitude *= 2) {
        double alpha = (slope > 0 ? -amplitude : amplitude) / turn;
        if (try_step(s, alpha, true, &value) && value.sum < lowest.sum)
            lowest = value, best = alpha;
        else if (best != 0)
            break;
    }
    bool found = best != 0 && try_step(s, best, true, &value);
    if (found)
        take(s, value);
    else // some models have their trials where the iterate is
        s->value = s->type->evaluate(s->rod, false, m->gradient);
    return found;
}

// A step ends with what does not depend on the way the iterates took. Whether the forces still balance then.
static bool settled(newton *s)
{
    if (!s->type->settle || s->statics || s->report->iterations < 2)
        return true;
    s->type->settle(s->rod);
    s->value = s->type->evaluate(s->rod, false, s->m->gradient);
    return balanced(s);
}

// ---- iterations --------------------------------------------------------------------------------------------------

// After a line search that found no way down: again with a stiffer matrix, if there is one to try.
static bool stiffen(newton *s)
{
    if (s->shift > s->m->stiffest || s->m->stiffest == 0)
        return false;
    s->floor = s->shift > 0 ? 100 * s->shift : 1;
    s->value = s->type->evaluate(s->rod, false, s->m->gradient);
    return true;
}

static bool iterate(newton *s, plait_newton_options *options)
{
    plait_step_report *report = s->report;
    while (report->iterations < options->max_iterations) {
        bool astray = s->statics && s->type->astray && s->type->astray(s->rod);
        if (!options->moving && !astray && !options->linear && balanced(s)) {
            if (s->statics && leave_saddle(s))
                continue;
            if (settled(s))
                return true;
        }
        if (astray)
            return failed(s, "there is no equilibrium: the rod runs away");
        if (!find_direction(s))
            return failed(s, "the matrix is not finite");
        // Negative curvature that the gradient does not see (symmetry) would be there for ever.
        if (s->statics && s->in_a_row >= s->m->patience && !options->moving) {
            s->in_a_row = 0;
            if (leave_saddle(s))
                continue;
            if (!find_direction(s)) // it was overwritten
                return failed(s, "the matrix is not finite");
        }
        report->iterations++;
        if (options->moving || options->linear) {
            if (!move_ends(s))
                return failed(s, "an edge or a hinge collapses when the ends are moved");
            options->moving = false;
            if (options->linear)
                return balanced(s) || isfinite(report->residual) || failed(s, "the forces are not finite");
        } else if (!line_search(s) && !stiffen(s)) {
            s->value = s->type->evaluate(s->rod, false, s->m->gradient);
            return balanced(s) || report->residual <= 100 * options->tolerance ||
                   failed(s, "the line search found no way down");
        }
    }
    return balanced(s) || failed(s, "too many iterations");
}

bool plait_newton_minimise(plait_rod *rod, const plait_newton *memory, const plait_newton_options *options,
                           plait_step_report *report)
{
    plait_newton_options own = *options;
    newton s = {.rod = rod, .m = memory, .type = memory->type, .options = &own, .report = report};
    s.statics = options->dt == 0;
    s.value = s.type->evaluate(rod, false, memory->gradient);
    if (!isfinite(s.value.sum))
        return failed(&s, "the energy at the start is not finite: a hinge is folded or an edge has no length");
    return iterate(&s, &own);
}
