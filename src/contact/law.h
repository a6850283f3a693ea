// law.h: what a contact may do: the table of contact laws. Solvers and the judge know laws through it and in no other
// way.
//
// A law says which pairs (u, r) of relative velocity and impulse are allowed. Coulomb's is row 0:
//     (u, r) in C(mu):   K_mu contains r,  its dual contains v = u + s e_N,  r . v = 0,  with the shift s = mu |u_T|.
// Given the shift this is a convex problem (de Saxce); every law here has that form, and a row is made of
//     residual   F(u, r) = 0 where the law holds; in velocities: impulses are scaled by s_i = tr(W_ii) / 3. The judge's
//                F.
//     jacobian   the same with F_r and F_u, for Newton's method
//     natural    another F with its Jacobians, of Alart and Curnier's kind (newton-ac)
//     project    one contact whose W is t^-1 I, the shift held: r with v = (r - x) / t. For Coulomb the projection of x
//                on K_mu.
//     shift      s(u) >= 0
//     solve      one contact: r with u = W r + b
//     evolve     once per accepted step: the numbers that a contact remembers (bond.h), and whether it stays bound
//
// Many laws are Coulomb's on other data: with a diagonal K >= 0 and a constant c of the contact,
//     rho = r + K u + c,  (u, rho) in C(mu').
// The part a = -K u - c of r = rho + a is what glue does: c a constant force (cohesion), K an implicit spring or
// damper, and friction acts on rho, never on tension. Such a row has `cone`, which gives mu', K and c, and may leave
// the six functions NULL: they follow. Adhesion is such a row.
//
//     file of the law --row--> table of the problem --> plait_law_project(laws, i, ...) in solvers
//
// A law is added by one file and one row. Parameters: mu[i], and `numbers` more for each contact.
#ifndef PLAIT_CONTACT_LAW_H
#define PLAIT_CONTACT_LAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contact/local.h"
#include "math/soc.h"

enum { PLAIT_LAW_NUMBERS = 16 }; // parameters of a contact besides mu

// How the one-contact problem is to be solved, as far as a law leaves a choice.
typedef struct plait_local_task {
    plait_local_function solve;
    bool failsafe;
    double tol;
} plait_local_task;

// Coulomb's law on rho = r + K u + c.
typedef struct plait_law_cone {
    double mu, K[3], c[3];
} plait_law_cone;

// A law without inequalities: u + L r + d = 0 on some axes, r = 0 on the others.
typedef struct plait_law_linear {
    double L, d[3];
    bool free[3]; // r = 0
} plait_law_linear;

struct plait_bond;

// What a contact did in an accepted step, in its frame.
typedef struct plait_bond_step {
    double mu, dt, gap; // [m] at the end of the step
    double r[3], u[3];  // [N s], [m/s]
    const double *E;    // [9] the frame: normal, tangent, tangent in rows
} plait_bond_step;

typedef struct plait_law {
    const char *name;
    void (*cone)(double mu, const double *p, plait_law_cone *cone); // NULL: all of the next six are there
    void (*linear)(const double *p, plait_law_linear *linear);      // NULL: it has inequalities
    // shift NULL: the law's own, of u
    void (*residual)(double mu, const double *p, double s, const double *shift, const double r[3], const double u[3],
                     double F[3]);
    void (*jacobian)(double mu, const double *p, double s, const double r[3], const double u[3], double F[3],
                     double F_r[9], double F_u[9]);
    // weight: an impulse times these is a velocity, normal and tangential; F_r NULL: no Jacobian
    void (*natural)(double mu, const double *p, const double weight[2], const double r[3], const double u[3],
                    double F[3], double F_r[9], double F_u[9]);
    void (*project)(double mu, const double *p, double step, double shift, const double x[3], double y[3]);
    double (*shift)(double mu, const double *p, const double u[3]);
    bool (*solve)(double mu, const double *p, const plait_local_task *task, const double W[9], const double b[3],
                  double r[3], plait_local_stats *stats);
    // After an accepted step. False: the contact ends with its touch. NULL: nothing is remembered but the impulse.
    bool (*evolve)(const plait_bond_step *step, const double *p, struct plait_bond *bond);
} plait_law;

extern const plait_law plait_law_coulomb;

// The laws of a problem's contacts. index NULL: Coulomb everywhere, which solvers treat without a call.
typedef struct plait_laws {
    const plait_law *const *row; // row[0] is Coulomb
    int rows;
    const double *mu;           // [n]
    const unsigned char *index; // [n]
    const double *parameter;    // [n][PLAIT_LAW_NUMBERS]
} plait_laws;

// What a problem keeps of its own, where not all contacts follow Coulomb's law.
struct plait_contact_laws {
    const plait_law *const *row;
    int rows;
    unsigned char *index; // [n]
    double *parameter;    // [n][PLAIT_LAW_NUMBERS]
};

// Gives the contacts of a problem laws from a table, which must outlive it: index [n] < rows, parameter
// [n][LAW_NUMBERS] or NULL; both are copied. PLAIT_BAD_INPUT or PLAIT_NO_MEMORY: nothing is changed.
plait_status plait_problem_set_laws(plait_problem *p, const plait_law *const *row, int rows, const unsigned char *index,
                                    const double *parameter, plait_error *error);
void plait_problem_free_laws(plait_problem *p); // Coulomb everywhere from now on
plait_laws plait_problem_laws(const plait_problem *p);
// The laws of some contacts of p for q, which has them in this order. False without memory.
bool plait_problem_extract_laws(const plait_problem *p, const int *list, plait_problem *q);

// ---- one contact of a problem -------------------------------------------------------------------------------------

// The functions behind these; the row is not Coulomb.
void plait_law_general_residual(const plait_laws *l, int64_t i, double s, const double *shift, const double r[3],
                                const double u[3], double F[3]);
void plait_law_general_project(const plait_laws *l, int64_t i, double step, double shift, const double x[3],
                               double y[3]);
double plait_law_general_shift(const plait_laws *l, int64_t i, const double u[3]);

static inline bool plait_law_is_coulomb(const plait_laws *l, int64_t i)
{
    return !l->index || l->index[i] == 0;
}

static inline double plait_law_shift(const plait_laws *l, int64_t i, const double u[3])
{
    if (plait_law_is_coulomb(l, i))
        return l->mu[i] * sqrt(u[1] * u[1] + u[2] * u[2]);
    return plait_law_general_shift(l, i, u);
}

static inline void plait_law_project(const plait_laws *l, int64_t i, double step, double shift, const double x[3],
                                     double y[3])
{
    if (plait_law_is_coulomb(l, i))
        plait_soc_project(l->mu[i], x, y);
    else
        plait_law_general_project(l, i, step, shift, x, y);
}

static inline void plait_law_residual(const plait_laws *l, int64_t i, double s, const double r[3], const double u[3],
                                      double F[3])
{
    if (plait_law_is_coulomb(l, i))
        plait_coulomb_residual(l->mu[i], s, r, u, F);
    else
        plait_law_general_residual(l, i, s, NULL, r, u, F);
}

// With a shift that is held.
void plait_law_convex_residual(const plait_laws *l, int64_t i, double s, double shift, const double r[3],
                               const double u[3], double F[3]);

void plait_law_jacobian(const plait_laws *l, int64_t i, double s, const double r[3], const double u[3], double F[3],
                        double F_r[9], double F_u[9]);
void plait_law_natural(const plait_laws *l, int64_t i, const double weight[2], const double r[3], const double u[3],
                       double F[3], double F_r[9], double F_u[9]);
bool plait_law_solve(const plait_laws *l, int64_t i, const plait_local_task *task, const double W[9], const double b[3],
                     double r[3], plait_local_stats *stats);

// The cone of contact i. False: its law is of another kind.
bool plait_law_get_cone(const plait_laws *l, int64_t i, plait_law_cone *cone);
// Likewise where it has no inequalities.
bool plait_law_get_linear(const plait_laws *l, int64_t i, plait_law_linear *linear);
// The velocity that the law gives to an impulse: what a bond's springs say, none where a contact sticks. False: the law
// leaves it open (a contact that is open or slides, and is not bonded).
bool plait_law_velocity(const plait_laws *l, int64_t i, const double r[3], double u[3]);
// Sum of |d|^2 of laws without inequalities: what stretched springs ask for, even where b is zero.
double plait_law_asked(const plait_laws *l, int64_t n);

#endif
