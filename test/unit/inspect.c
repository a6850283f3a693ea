// What is said of a problem without solving it, for a problem whose answers are known by hand: three contacts, two of them
// on one body, with different friction and traces, in any order.
#include "check.h"
#include "plait/contact.h"

// W of diagonal blocks d[i] times the identity; contacts 0 and 2 are coupled by a block of -1/4.
static plait_problem *made(const double d[3], const double mu[3])
{
    int64_t ptr[10];
    int col[18], at = 0;
    double val[18], b[9] = {-1, 0, 0, -1, 0.5, 0, -1, 0, 0.25};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            ptr[3 * i + k] = at;
            for (int j = 0; j < 3; j++)
                if (j == i || (i != 1 && j == 2 - i))
                    col[at] = 3 * j + k, val[at++] = j == i ? d[i] : -0.25;
        }
    ptr[9] = at;
    plait_sparse W = {.rows = 9, .cols = 9, .ptr = ptr, .col = col, .val = val};
    plait_error error = {0};
    plait_problem *p = plait_problem_from_delassus(3, 3, &W, b, mu, &error);
    if (!CHECK(p != NULL))
        puts(error.text);
    return p;
}

CASE(extremes_wherever_they_are)
{
    const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const double size[3] = {1, 2, 5}, friction[3] = {0.1, 0.4, 0.9};
    for (int k = 0; k < 6; k++) {
        double d[3], mu[3];
        for (int i = 0; i < 3; i++)
            d[i] = size[order[k][i]], mu[i] = friction[order[k][i]];
        plait_problem *p = made(d, mu);
        plait_problem_info info;
        if (!p || !CHECK_INT(plait_problem_inspect(p, &info, NULL), PLAIT_OK))
            continue;
        CHECK_INT(info.contacts, 3);
        CHECK_INT(info.groups, 2);
        CHECK_INT(info.largest_group, 2);
        CHECK_INT((int)info.blocks, 5);
        CHECK_NEAR(info.asymmetry, 0, 0);
        CHECK_NEAR(info.trace_min, 3, 1e-15);
        CHECK_NEAR(info.trace_max, 15, 1e-15);
        CHECK_NEAR(info.mu_min, 0.1, 0);
        CHECK_NEAR(info.mu_max, 0.9, 0);
        CHECK_INT(info.dofs, 0);
        plait_problem_free(p);
    }
}
