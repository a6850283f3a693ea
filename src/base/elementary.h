// elementary.h: sine and the like with the same bits on every machine.
//
// The C library picks other code for them on processors with fused multiply-add, and changes them from version to
// version; the last bits differ, and a simulation carries that on. These use only + - * /, sqrt and rounding, which
// IEEE 754 defines exactly, so all that a step or the building of a scene computes goes through them. Errors are below
// 1 unit in the last place (tan and acos: 2), as the tests check against the C library.
#ifndef PLAIT_BASE_ELEMENTARY_H
#define PLAIT_BASE_ELEMENTARY_H

double plait_sin(double x); // up to |x| = 1e9 as above; beyond, the C library's
double plait_cos(double x);
double plait_tan(double x);
double plait_atan(double x);
double plait_atan2(double y, double x); // all quadrants and signs of zero as in C
double plait_acos(double x);            // NaN beyond 1
double plait_log(double x);             // NaN below 0, -infinity at 0

// x^n by repeated squares; n may be negative.
static inline double plait_power(double x, int n)
{
    double power = 1;
    for (unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n; left > 0; left >>= 1, x *= x)
        if (left & 1)
            power *= x;
    return n < 0 ? 1 / power : power;
}

#endif
