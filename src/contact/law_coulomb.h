// law_coulomb.h: Coulomb's law of one contact, for the rows that are made from it.
#ifndef PLAIT_CONTACT_LAW_COULOMB_H
#define PLAIT_CONTACT_LAW_COULOMB_H

// The residual with a shift that is held; plait_coulomb_residual (soc.h) is the one with the shift of u.
void plait_coulomb_convex(double mu, double s, double shift, const double r[3], const double u[3], double F[3]);

// The modified Fischer-Burmeister function (Daviet et al. 2011, appendix A), its impulse scaled by s, which is the
// judge's residual, with an element of its generalised Jacobian; F_r NULL: no Jacobian.
void plait_coulomb_jacobian(double mu, double s, const double r[3], const double u[3], double F[3], double F_r[9],
                            double F_u[9]);

// The Alart-Curnier function in Jean and Moreau's form (radius mu r_N). With rho_N = 1 / weight[0], rho_T = 1 /
// weight[1]:
//     F_N = w_N (r_N - max(0, r_N - rho_N u_N)) = min(w_N r_N, u_N)
//     F_T = (r_T - P(y)) / rho_T,  y = r_T - rho_T u_T,  P: projection on the disc of radius mu r_N
// |y| <= mu r_N: F_T = u_T;  mu r_N <= 0: F_T = r_T / rho_T;  else with G = mu r_N / |y| (I - y y^T / |y|^2)
//     dF_T/du_T = G,  dF_T/dr_T = (I - G) / rho_T,  dF_T/dr_N = -mu y / |y| / rho_T.
void plait_coulomb_natural(double mu, const double weight[2], const double r[3], const double u[3], double F[3],
                           double F_r[9], double F_u[9]);

#endif
