// local.h: one-contact solvers, one file each, one signature.
//
// Given W (3x3, row-major, symmetric positive semidefinite), b and mu, find r such that u = W r + b and (u, r) follow
// Coulomb's law. Solvers work in the scaled variables of plait_certificate (s = tr W / 3), so that units drop out.
#ifndef PLAIT_CONTACT_LOCAL_H
#define PLAIT_CONTACT_LOCAL_H

#include "plait/contact.h"

typedef plait_local_result (*plait_local_function)(const double W[9], const double b[3], double mu, double tol,
                                                   double r[3]);

plait_local_result plait_local_secular(const double W[9], const double b[3], double mu, double tol, double r[3]);
plait_local_result plait_local_mfb(const double W[9], const double b[3], double mu, double tol, double r[3]);
plait_local_result plait_local_pac(const double W[9], const double b[3], double mu, double tol, double r[3]);
plait_local_result plait_local_dac(const double W[9], const double b[3], double mu, double tol, double r[3]);
plait_local_result plait_local_enum(const double W[9], const double b[3], double mu, double tol, double r[3]);
plait_local_result plait_local_duriez06(const double W[9], const double b[3], double mu, double tol, double r[3]);
plait_local_result plait_local_duriez08(const double W[9], const double b[3], double mu, double tol, double r[3]);
plait_local_result plait_local_pyramid(const double W[9], const double b[3], double mu, double tol, double r[3]);

plait_local_function plait_local_lookup(plait_local local);

// Counts of one thread; summed by the caller in a fixed order.
typedef struct plait_local_stats {
    int64_t calls, alt, fail;
} plait_local_stats;

// The chain of D11 Algorithm 1: the solver; if its residual is over tol, enumeration (if failsafe); if that fails too,
// the best of the two and zero. Returns whether r solves the contact. Counts.
bool plait_local_solve(plait_local_function solve, bool failsafe, const double W[9], const double b[3], double mu,
                       double tol, double r[3], plait_local_stats *stats);

#endif
