// brick.c: a brick on a slope, in one time step. It starts to slide if the slope is steeper than the friction angle.
//
//     cc brick.c $(pkg-config --cflags --libs plait) -lm -o brick && ./brick
#include <math.h>
#include <plait/plait.h>
#include <stdio.h>

int main(void)
{
    const double mass = 2, g = 9.81, dt = 0.01, mu = 0.5; // [kg], [m/s^2], [s]; sticks up to atan(0.5) = 26.6 degrees
    printf("version %s\n", plait_version());
    for (int degrees = 10; degrees <= 40; degrees += 10) {
        // Velocities along the slope's normal and tangents, so H is the identity, and f = momentum + dt * weight.
        double a = degrees * acos(-1) / 180, m[] = {mass, mass, mass}, one[] = {1, 1, 1}, w[] = {0, 0, 0};
        double f[] = {-dt * mass * g * cos(a), dt * mass * g * sin(a), 0};
        int64_t ptr[] = {0, 1, 2, 3};
        int col[] = {0, 1, 2};
        plait_sparse M = {3, 3, ptr, col, m}, H = {3, 3, ptr, col, one};

        plait_error error = {0};
        plait_problem *p = plait_problem_from_dynamics(3, 1, &M, &H, f, w, &mu, &error);
        plait_solution *s = plait_solution_new(1);
        plait_solve_options options = plait_default_solve_options();
        plait_report report;
        if (!p || !s || plait_problem_solve(p, &options, s, &report, &error)) {
            fprintf(stderr, "brick: %s\n", error.text);
            return 1;
        }
        printf("%d degrees: impulse %.6f %.6f N s, sliding at %.6f m/s, %s\n", degrees, s->r[0], s->r[1],
               hypot(s->u[1], s->u[2]), report.converged ? "converged" : "not converged");
        plait_solution_free(s);
        plait_problem_free(p);
    }
    return 0;
}
