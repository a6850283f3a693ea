// solve_file.c: reads a problem (fclib HDF5 or Siconos .dat), solves it, writes problem and solution to a new file.
//
//     cc solve_file.c $(pkg-config --cflags --libs plait) -o solve_file && ./solve_file problem.hdf5 solved.hdf5
#include <plait/plait.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return fprintf(stderr, "usage: solve_file PROBLEM OUTPUT\n"), 2;
    plait_error error = {0};
    plait_problem_text text = {0};
    plait_problem *p = plait_problem_read(argv[1], &text, &error);
    if (!p)
        return fprintf(stderr, "solve_file: %s\n", error.text), 2;

    plait_solution *s = plait_solution_new(p->n);
    plait_solve_options options = plait_default_solve_options();
    options.tol = 1e-8;
    options.max_time = 60;
    plait_report report = {0};
    if (!s || plait_problem_solve(p, &options, s, &report, &error) ||
        plait_solution_write(argv[2], p, s, &text, &error)) {
        fprintf(stderr, "solve_file: %s\n", s ? error.text : "no memory");
        return 2;
    }
    printf("%s: %d contacts, %s, residual %.2e after %d iterations in %.3f s\n", argv[1], p->n, report.solver,
           report.certificate.residual_rel, report.iterations, report.seconds_total);
    plait_solution_free(s);
    plait_problem_free(p);
    return !report.converged;
}
