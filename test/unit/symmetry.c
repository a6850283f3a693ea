// symmetry.c: an M that is not symmetric: its symmetric part is solved with, and the answer is judged by M as given.
#include <math.h>

#include "check.h"
#include "plait/contact.h"
#include "plait/io.h"

// One body of three dofs that slides on one contact; M has `extra` at (0, 1) beyond what (1, 0) has.
static plait_problem *make(double extra, int dimension)
{
    static int64_t M_ptr[4] = {0, 3, 6, 9}, H_ptr[4] = {0, 1, 2, 3};
    static int M_col[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2}, H_col[3] = {0, 1, 2};
    double m[9] = {2, 0.3 + extra, 0.1, 0.3, 3, 0.2, 0.1, 0.2, 4}, h[3] = {1, 1, 1};
    double f[3] = {-2, 1.4, 0.9}, w[3] = {0, 0, 0}, mu = 0.4;
    plait_sparse M = {3, 3, M_ptr, M_col, m}, H = {dimension, 3, H_ptr, H_col, h};
    plait_error error = {0};
    plait_problem *p = plait_problem_from_dynamics(dimension, 1, &M, &H, f, w, &mu, &error);
    if (!p)
        puts(error.text);
    return p;
}

static plait_report solve(const plait_problem *p, plait_solution *s)
{
    plait_solve_options o = plait_default_solve_options();
    o.tol = 1e-8;
    plait_report report;
    CHECK_INT(plait_problem_solve(p, &o, s, &report, NULL), PLAIT_OK);
    return report;
}

// |M v - f - H^T r| / max(|f|, |H^T r|) with the given M, by hand; S v = f + H^T r is solved by Cramer's rule.
static double miss(double extra, const double r[3])
{
    double a = 0.3 + extra / 2, g[3] = {-2 + r[0], 1.4 + r[1], 0.9 + r[2]}, v[3], e[3];
    double S[9] = {2, a, 0.1, a, 3, 0.2, 0.1, 0.2, 4}, M[9] = {2, 0.3 + extra, 0.1, 0.3, 3, 0.2, 0.1, 0.2, 4};
    double det =
        S[0] * (S[4] * S[8] - S[5] * S[7]) - S[1] * (S[3] * S[8] - S[5] * S[6]) + S[2] * (S[3] * S[7] - S[4] * S[6]);
    for (int k = 0; k < 3; k++) {
        double T[9];
        memcpy(T, S, sizeof T);
        for (int i = 0; i < 3; i++)
            T[3 * i + k] = g[i];
        v[k] = (T[0] * (T[4] * T[8] - T[5] * T[7]) - T[1] * (T[3] * T[8] - T[5] * T[6]) +
                T[2] * (T[3] * T[7] - T[4] * T[6])) /
               det;
    }
    for (int i = 0; i < 3; i++)
        e[i] = M[3 * i] * v[0] + M[3 * i + 1] * v[1] + M[3 * i + 2] * v[2] - g[i];
    double scale = fmax(sqrt(4 + 1.96 + 0.81), sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
    return sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]) / scale;
}

CASE(judged_as_given)
{
    static const double extra[] = {0, 1e-12, 1e-5, 0.2};
    for (int i = 0; i < 4; i++) {
        plait_problem *p = make(extra[i], 3);
        plait_solution *s = plait_solution_new(1);
        plait_report report = solve(p, s);
        plait_problem_info info;
        CHECK_INT(plait_problem_inspect(p, &info, NULL), PLAIT_OK);
        CHECK_REL(info.asymmetry, extra[i] / 4, 1e-3);
        CHECK(report.certificate.residual_rel <= 1e-8);
        CHECK_NEAR(report.certificate.dynamics, miss(extra[i], s->r), 1e-13);
        CHECK_INT(report.converged, extra[i] < 1e-6);
        plait_problem_free(p), plait_solution_free(s);
    }
}

CASE(plane_problems_tell_it_too)
{
    plait_problem *p = make(0.2, 2);
    plait_solution *s = plait_solution_new(1);
    plait_report report = solve(p, s);
    CHECK(!report.converged && report.certificate.residual_rel <= 1e-8);
    CHECK_NEAR(report.certificate.dynamics, 0.05, 1e-15);
    plait_problem_free(p), plait_solution_free(s);
}

// What is written is what was given.
CASE(files_keep_it)
{
    plait_problem *p = make(0.2, 3);
    CHECK_INT(plait_problem_write("skew.hdf5", p, NULL, NULL), PLAIT_OK);
    plait_problem *q = plait_problem_read("skew.hdf5", NULL, NULL);
    if (CHECK(q != NULL)) {
        CHECK_NEAR(q->asymmetry, p->asymmetry, 1e-15);
        for (int k = 0; k < 9; k++) {
            CHECK_NEAR(q->dynamics->M.val[k], p->dynamics->M.val[k], 1e-15);
            CHECK_NEAR(q->dynamics->rest.val[k], p->dynamics->rest.val[k], 1e-15);
        }
    }
    plait_problem_free(p), plait_problem_free(q);
}

// A file with one triangle: it is mirrored, the answer is that of the whole, and the judge says what is missing.
CASE(halves_of_files)
{
    static const char *const text[] = {
        "3\n1\n0\n3\n3\n3\t3\n2 0.3 0.1 0.3 3 0.2 0.1 0.2 4\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n-2 1.4 0.9\n0 0 "
        "0\n0.4\n",
        "3\n1\n0\n3\n3\n3\t3\n2 0 0 0.3 3 0 0.1 0.2 4\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n-2 1.4 0.9\n0 0 0\n0.4\n"};
    double r[2][3];
    for (int k = 0; k < 2; k++) {
        FILE *file = fopen("half.dat", "w");
        fputs(text[k], file), fclose(file);
        plait_error error = {0};
        plait_problem *p = plait_problem_read("half.dat", NULL, &error);
        if (!CHECK(p != NULL)) {
            puts(error.text);
            return;
        }
        plait_solution *s = plait_solution_new(1);
        plait_report report = solve(p, s);
        memcpy(r[k], s->r, sizeof r[k]);
        CHECK(report.converged == (k == 0) && (report.certificate.dynamics > 1e-3) == (k == 1));
        CHECK_NEAR(p->asymmetry, k ? 0.3 / 4 : 0, 1e-15);
        if (k == 1) { // written and read again it is a half still
            CHECK_INT(plait_problem_write("half.hdf5", p, NULL, NULL), PLAIT_OK);
            plait_problem *q = plait_problem_read("half.hdf5", NULL, NULL);
            CHECK(q && q->asymmetry == p->asymmetry && q->dynamics->M.val[3] == p->dynamics->M.val[3]);
            plait_problem_free(q);
        }
        plait_problem_free(p), plait_solution_free(s);
    }
    for (int a = 0; a < 3; a++)
        CHECK_NEAR(r[0][a], r[1][a], 1e-14);
}
