// auto.c: the default. Starts with what is cheap, watches the real residual, and changes the method where it stalls.
//
// No single method wins everywhere (docs/solvers.md has the measurements):
//   gs     is quickest on small, rigid and loosely constrained groups;
//   apgd   in factored form is quickest on assemblies of fibres, also at nu 1 to 2 and with contacts of very different
//          stiffness, and its cost is linear in the number of contacts;
//   ipm    needs 20 to 80 factorisations whatever the conditioning is, also with much friction, and stops at about
//   1e-8;
//   jammed is ipm's first attempt, for networks in which nothing can move: a convex problem;
//   damped is apgd with a shift that follows slowly: where apgd circles, and factors are dear;
//   cadoux a fixed point around a convex problem: slower, but does not circle;
//   spg    creeps on where apgd goes round in circles;
//   prox   a proximal point around Newton steps, gets past points where all others circle;
//   patch  does that for the neighbourhood of the worst contacts only, in groups too large to factorise;
//   newton doubles the digits of an iterate that is nearly there; on soft bodies, where a product is dear and contacts
//          are few, it begins, with W as a dense matrix.
// Each stage starts from the best iterate so far; each can only improve on it. After the first round the budgets grow,
// until the target is reached, a whole round brings nothing, or the work is done that a problem is worth. Work is
// counted in products with
// W, never in seconds: the result must not depend on how busy the machine is.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/newton_system.h"
#include "contact/patch.h"
#include "contact/system.h"

enum {
    GS_FIRST = 100,
    GS_MORE = 400,
    GS_TRIAL = 20,
    GS_TURN = 60, // acceleration begins at 40
    GS_LONG = 300,
    GS_TURNS = 4,
    TANDEMS = 4,
    MOST_SWEPT = 50000, // contacts: columns for sweeps take some 5 kB of memory for each
    APGD_PATIENCE = 150,
    SLOW_PATIENCE = 300,
    APGD_FIRST = 3000,
    APGD_CROWDED = 8000,
    MOST_INSIDE = 4000, // dofs: the analysis of more takes its time, and comes when gradients have failed
    SPG_FIRST = 4000,
    PROX_FIRST = 1000,
    NEWTON_STEPS = 7,
    CLEAN_STEPS = 4,
    BONDED_FIRST = 100, // gradient steps, before it is known what a Newton step costs
    BONDED_WORTH = 3,
    BONDED_STEPS = 60,
    MOST_ROUNDS = 12,
    PATCHES = 12,
    PATCHED = 800,
    CONDENSED_STEPS = 40,
    CONDENSED_TYPICAL = 8, // Newton steps
    CONDENSED_TRIAL = 40,
    CONDENSED_DEAR = 160, // products
    NO_LIMIT = 1000000000
};
#define FIBRES_FIRST 60    // contacts from which a group of flexible bodies starts with apgd
#define FLEXIBLE 12        // dofs per body: more than a rigid body has
#define NEWTON_FROM 1e-3   // residual_rel under which a Newton polish is worth a try
#define FACTORISATION 8e9  // flops: methods that need some dozens of them are tried up to here
#define LINKAGE 1e8        // flops of a factorisation: with ties it is tried first up to here
#define WORTH 1.2e11       // flops of all products and factorisations, about a minute
#define LEAST_PRODUCTS 2e4 // but not less than these,
#define MOST_PRODUCTS 3e6  // nor more
#define CHEAP_FLOPS 1e9    // of one factorisation: dozens of them cost less than thousands of gradient steps
#define CROWDED 0.8        // nu above which an interior point may be needed
#define CRAWLS 1.3         // nu above which the fixed point crawls
#define CLEAN 1e-4         // of the target
#define SLUGGISH 0.7       // of the residual: who leaves more within the patience may let others try
#define STUCK 1e-5         // residual_rel above which one may as well start from nothing
#define HALF 0.5           // of the residual: a turn that leaves more was not worth another
#define INTERIOR 60.0      // factorisations that an interior point takes: gradients may try for as long

typedef struct stages {
    plait_system *sys;
    double *r, *u, *trial; // best iterate, its velocities, scratch
    plait_outcome *out;
    int used, limit;    // iterations
    double work, worth; // in products with W
    double newton;      // products that one factorisation is worth; 0: not known yet
    bool anew;          // the next stage starts from nothing
    bool inside;        // the interior point had its turn: it begins at starts of its own, and would do the same again
} stages;

// Who limits the iterations counts on cheap ones: they do not pay for factorisations on fibres.
static bool limited(const stages *x)
{
    return x->sys->options->max_iterations > 0;
}

static bool done(const stages *x)
{
    return x->out->residual <= x->sys->target || x->sys->stopped || x->sys->no_memory || x->used >= x->limit ||
           x->work >= x->worth;
}

// Runs one method from the best iterate; keeps what it gives if it is better. cost: of one iteration. False without
// memory.
static bool costly_stage(stages *x, const char *name, plait_solver_function solve, int iterations, double cost)
{
    if (done(x))
        return true;
    size_t bytes = 3 * (size_t)x->sys->n * sizeof *x->r;
    plait_outcome o = {0};
    x->sys->name = name;
    if (x->anew)
        memset(x->trial, 0, bytes);
    else
        memcpy(x->trial, x->r, bytes);
    if (iterations > x->limit - x->used)
        iterations = x->limit - x->used;
    if (iterations > (x->worth - x->work) / cost)
        iterations = (int)((x->worth - x->work) / cost) + 1;
    if (!solve(x->sys, iterations, x->trial, x->u, &o))
        return plait_system_stopped(x->sys); // then the best iterate stays
    x->used += o.iterations, x->work += cost * fmax(1, o.iterations);
    x->out->local.calls += o.local.calls, x->out->local.alt += o.local.alt, x->out->local.fail += o.local.fail;
    if (o.residual < x->out->residual) {
        x->out->residual = o.residual, x->out->name = name;
        memcpy(x->r, x->trial, bytes);
    }
    return true;
}

static bool stage(stages *x, const char *name, plait_solver_function solve, int iterations)
{
    return costly_stage(x, name, solve, iterations, 1);
}

// From nothing, if what is left is not worth starting from: where iterates have circled for long they seldom come away.
static bool stage_anew(stages *x, const char *name, plait_solver_function solve, int iterations)
{
    x->anew = x->out->residual > STUCK * x->sys->norm_b;
    bool ok = stage(x, name, solve, iterations);
    x->anew = false;
    return ok;
}

// Flops of one factorisation; INFINITY without memory, or if stopped. The analysis takes its time: only where other
// methods failed.
static double factorisation_flops(stages *x)
{
    plait_newton_system *newton = plait_newton_system_new(x->sys, true);
    if (!newton) {
        x->sys->no_memory = !plait_system_stopped(x->sys);
        return INFINITY;
    }
    double flops = plait_newton_system_flops(newton);
    plait_newton_system_free(newton);
    x->newton = fmax(1, flops / plait_operator_flops(x->sys->op));
    return flops;
}

static bool newton_polish(stages *x)
{
    if (x->out->residual > NEWTON_FROM * x->sys->norm_b)
        return true;
    bool heavy = plait_operator_get_facts(x->sys->op).heavy; // no cheap steps in between then: they are not
    return costly_stage(x, "auto:newton-ac", heavy ? plait_solve_alone : plait_solve_newton_ac, NEWTON_STEPS,
                        x->newton);
}

// Gauss-Seidel; more of it only if the decades won so far promise the rest soon.
static bool sweep_while_it_pays(stages *x, int sweeps)
{
    double first = x->out->residual;
    if (!stage(x, "auto:gs", plait_solve_gs, sweeps))
        return false;
    double won = log10(first / x->out->residual), missing = log10(x->out->residual / x->sys->target);
    bool soon = won > 0 && missing / won * sweeps < 4 * sweeps;
    return !soon || stage(x, "auto:gs", plait_solve_gs, 4 * sweeps);
}

// An interior point ends between sticking and sliding: with an impulse that is turned by phi against a slip v, F is as
// small as phi v, and neither need be. A few Newton steps tell which it is.
static bool clean_up(stages *x)
{
    double target = x->sys->target;
    if (x->out->residual > target)
        return true;
    x->sys->target *= CLEAN;
    bool ok = costly_stage(x, "auto:newton-ac", plait_solve_newton_ac, CLEAN_STEPS, x->newton);
    x->sys->target = target;
    return ok;
}

// Where friction is high and contacts outnumber the dofs, gradients and fixed points circle about the shift mu |u_T|,
// or crawl. An interior point has it in its linear system.
static bool interior_point(stages *x)
{
    x->inside = true;
    return costly_stage(x, "auto:jammed", plait_solve_jammed, NO_LIMIT, x->newton) && newton_polish(x) &&
           costly_stage(x, "auto:ipm", plait_solve_ipm, NO_LIMIT, x->newton) && clean_up(x);
}

// The same for loose assemblies, which are not jammed, where gradients stopped.
static bool loose_interior_point(stages *x)
{
    if (done(x) || x->inside || limited(x) || factorisation_flops(x) > CHEAP_FLOPS)
        return true;
    x->inside = true;
    return costly_stage(x, "auto:ipm", plait_solve_ipm, NO_LIMIT, x->newton) && clean_up(x);
}

// Gradient steps, a quarter of `all`; the rest if they promise the target by then.
static bool try_gradients(stages *x, double all)
{
    int trial = (int)fmin(fmax(all / 4, CONDENSED_TRIAL), 1e6);
    double first = x->out->residual;
    if (!stage(x, "auto:apgd", plait_solve_apgd, trial))
        return false;
    double won = log10(first / x->out->residual), missing = log10(x->out->residual / x->sys->target);
    bool soon = won > 0 && missing / won * trial < all;
    return !soon || stage(x, "auto:apgd", plait_solve_apgd, (int)all);
}

static bool is_linkage(const plait_system *sys)
{
    plait_law_linear tie;
    for (int i = 0; sys->laws.index && i < sys->n; i++)
        if (plait_law_get_linear(&sys->laws, i, &tie))
            return true;
    return false;
}

// Cloth and solids: each product reads a large factor, and stiff bonds make gradients crawl. W of a few hundred
// contacts is assembled for the price of some hundred products, and Newton's method on it, with bonds and ties taken
// out, needs a handful of steps whatever the conditioning is. Where nothing is bonded and that is dear, gradients may
// try for as long as it would take, if they promise to be there in time.
// The same for a few contacts with ties among them, whatever the bodies are: sweeps crawl along linkages.
static bool condense(stages *x)
{
    double size = 3.0 * x->sys->n, flops = 2.0 / 3 * size * size * size;
    plait_operator_facts facts = plait_operator_get_facts(x->sys->op);
    bool small = flops <= LINKAGE && is_linkage(x->sys);
    if (!(facts.heavy || small) || flops > FACTORISATION)
        return true;
    if (!facts.heavy && !sweep_while_it_pays(x, GS_FIRST)) // most linkages are loose
        return false;
    if (done(x))
        return true;
    double step = fmax(1, plait_operator_worth(x->sys->op, flops)), all = facts.assembly + CONDENSED_TYPICAL * step;
    if (!x->sys->laws.index && all > CONDENSED_DEAR && !try_gradients(x, all))
        return false;
    if (done(x))
        return true;
    if (!plait_operator_need_blocks(x->sys->op, x->sys->stop)) {
        x->sys->no_memory = !plait_system_stopped(x->sys);
        return !x->sys->no_memory;
    }
    x->work += facts.assembly;
    x->newton = step = fmax(1, plait_operator_worth(x->sys->op, flops));
    return costly_stage(x, "auto:condensed", plait_solve_condensed, CONDENSED_STEPS, step) && newton_polish(x);
}

// Gradient steps whose shift follows slowly, for as long as they win: in networks that settle they get there, and cost
// less than a look at anything else.
static bool slower_gradients(stages *x)
{
    int patience = x->sys->patience;
    double sluggish = x->sys->sluggish;
    x->sys->patience = SLOW_PATIENCE, x->sys->sluggish = 0;
    bool ok = stage(x, "auto:damped", plait_solve_damped, NO_LIMIT);
    x->sys->patience = patience, x->sys->sluggish = sluggish;
    return ok;
}

// Gauss-Seidel for as long as turns win: a short one first, if it is not known yet that they do. *wins: the first did.
static bool sweep_on(stages *x, bool known, bool *wins)
{
    *wins = false;
    for (int k = 0; k < GS_TURNS && !done(x); k++) {
        double before = x->out->residual;
        if (!stage(x, "auto:gs", plait_solve_gs, k > 0 || known ? GS_LONG : GS_TURN))
            return false;
        if (x->out->residual > HALF * before)
            break;
        *wins = true;
    }
    return true;
}

// Large loose assemblies, such as hair on a moving head: gradient steps are soon through with nearly all contacts, and
// circle about a handful of clusters that slide. Sweeps solve these, each contact with its own shift, but take long
// over the rest: in turn. In a network that settles sweeps win nothing at all, and *futile says so.
static bool gradients_and_sweeps(stages *x, bool *futile)
{
    bool ok = true, wins = true;
    x->sys->sluggish = SLUGGISH;
    for (int k = 0; ok && wins && k < TANDEMS && !done(x); k++) {
        double before = x->out->residual;
        ok = stage(x, "auto:apgd", plait_solve_apgd, NO_LIMIT) && (k > 0 || slower_gradients(x)) &&
             sweep_on(x, k > 0, &wins);
        *futile = k == 0 && !wins;
        if (x->out->residual > HALF * before)
            break;
    }
    x->sys->sluggish = 0;
    return ok;
}

// Bonds, stiff springs beside the cone, are what gradients crawl along for hundreds of thousands of steps, and Newton's
// method does not see: where its factors are cheap it has its turn after as many gradient steps as some of its own are
// worth, and most often needs a step or two (gel-hair: 740 contacts, a step is worth 40 products).
static bool bonded_newton(stages *x)
{
    if (!x->sys->laws.index || limited(x))
        return true;
    if (!stage(x, "auto:apgd", plait_solve_apgd, BONDED_FIRST))
        return false;
    if (done(x) || factorisation_flops(x) > CHEAP_FLOPS)
        return true;
    return stage(x, "auto:apgd", plait_solve_apgd, (int)fmin(BONDED_WORTH * x->newton, NO_LIMIT)) &&
           costly_stage(x, "auto:newton-ac", plait_solve_newton_ac, BONDED_STEPS, x->newton);
}

// Fibres: gradient steps; where these go round in circles, slower ones in loose assemblies, then some sweeps, which win
// where fibres are flung about (loaded piles are for gradients); where all circle, the interior point if it is cheap,
// the neighbourhoods of the worst contacts in a loose assembly, and the fixed point with a convex problem inside, which
// does not circle and needs no factorisation either. It may crawl for tens of thousands of products, though, where
// contacts differ much in stiffness (hair on a moving head, nu 0.3): the interior point goes before it wherever factors
// are cheap.
static bool gradients(stages *x)
{
    int contacts = 3 * x->sys->n, dofs = plait_operator_get_facts(x->sys->op).dofs;
    bool crowded = contacts > CROWDED * dofs && !limited(x), crawls = contacts > CRAWLS * dofs;
    bool early = crowded && dofs <= MOST_INSIDE, inside = false;
    bool mild = plait_system_load(x->sys) <= PLAIT_CROWDED, loosely = contacts <= CROWDED * dofs;
    bool loose = loosely && mild && x->sys->n > PATCHED && x->sys->n <= MOST_SWEPT && !limited(x), futile = false;
    x->sys->patience = mild ? APGD_PATIENCE : 0; // with much friction they have ways of their own out of circling
    bool ok = bonded_newton(x) && (!loose || gradients_and_sweeps(x, &futile));
    int trial = !early ? NO_LIMIT : mild ? APGD_FIRST / 3 : APGD_CROWDED;
    ok = ok && (futile || stage(x, "auto:apgd", plait_solve_apgd, trial));
    ok = ok && (loose || !mild || slower_gradients(x));
    if (ok && crowded && !done(x))
        inside = factorisation_flops(x) <= CHEAP_FLOPS;
    x->sys->patience = 0;
    int first = inside ? (int)fmin(fmax(INTERIOR * x->newton, 1), APGD_CROWDED) : NO_LIMIT;
    return ok && (futile || sweep_while_it_pays(x, GS_TRIAL)) &&
           (!inside || crawls || stage(x, "auto:cadoux", plait_solve_cadoux, first)) &&
           (!inside || interior_point(x)) && stage_anew(x, "auto:damped", plait_solve_damped, NO_LIMIT) &&
           (inside || stage_anew(x, "auto:cadoux", plait_solve_cadoux, APGD_CROWDED)) && loose_interior_point(x) &&
           (!loosely || x->sys->n <= PATCHED || stage(x, "auto:patch", plait_solve_patch, PATCHES)) &&
           stage(x, "auto:cadoux", plait_solve_cadoux, NO_LIMIT);
}

static bool one_round(stages *x, int round, bool factorise)
{
    if (factorise &&
        !(costly_stage(x, "auto:prox", plait_solve_prox, PROX_FIRST << round, x->newton) && newton_polish(x)))
        return false;
    if (factorise && round == 0 && !x->inside && !costly_stage(x, "auto:ipm", plait_solve_ipm, NO_LIMIT, x->newton))
        return false;
    return stage(x, "auto:apgd", plait_solve_apgd, APGD_FIRST << round) &&
           stage(x, "auto:cadoux", plait_solve_cadoux, APGD_FIRST << round) &&
           stage(x, "auto:gs", plait_solve_gs, GS_MORE << round) &&
           stage(x, "auto:spg", plait_solve_spg, SPG_FIRST << round);
}

static bool run_stages(stages *x)
{
    plait_operator_facts bodies = plait_operator_get_facts(x->sys->op); // a dof that is held is a body of its own
    bool fibres = x->sys->n >= FIBRES_FIRST && bodies.touched_dofs > FLEXIBLE * bodies.touched;
    bool ok = condense(x) && (fibres ? gradients(x) : sweep_while_it_pays(x, GS_FIRST));
    if (!ok || done(x))
        return ok;
    bool factorise = !(fibres && limited(x)) && factorisation_flops(x) < FACTORISATION;
    for (int round = 0; ok && !done(x) && round < MOST_ROUNDS; round++) {
        double before = x->out->residual;
        ok = one_round(x, round, factorise);
        x->out->gave_up = round > 2 && x->out->residual > 0.99 * before;
        if (x->out->gave_up)
            break;
    }
    return ok;
}

bool plait_solve_auto(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    size_t size = 3 * (size_t)sys->n;
    stages x = {.sys = sys, .r = r, .u = u, .out = out, .limit = max_iterations};
    x.trial = plait_malloc((size + 1) * sizeof *x.trial);
    if (!x.trial)
        return false;
    *out = (plait_outcome){.name = "auto"};
    x.worth = fmin(fmax(WORTH / plait_operator_flops(sys->op), LEAST_PRODUCTS), MOST_PRODUCTS);
    plait_system_apply(sys, r, u);
    out->residual = plait_system_residual(sys, r, u);
    bool ok = run_stages(&x);
    out->iterations = x.used; // of all stages
    plait_free(x.trial);
    if (ok)
        plait_system_apply(sys, r, u);
    return ok;
}
