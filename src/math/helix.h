// helix.h: a curve of constant curvature and twist in closed form, with its derivatives.
//
// A frame R(u) = [m1 m2 t] with R' = R [k]x and constant k (the Darboux vector, in the frame itself) moves along a
// helix x' = t. From R = 1, x = 0 at u = 0, with the vector theta = u k:
//
//     R = E(theta)   = c0 1 + c1 [theta]x + c2 theta theta^T
//     x = u p(theta),  p = c1 e3 + c2 theta x e3 + c3 theta theta_3
//
// where c_n(z) = 1/n! - z/(n+2)! + z^2/(n+4)! - ... are functions of z = |theta|^2 (c0 = cos, c1 = sin
// |theta|/|theta|...): entire, so nothing happens at zero curvature. Useful: c_n = 1/n! - z c_{n+2} and 2 dc_n/dz = n
// c_{n+2} - c_{n+1}.
//
// A change of k turns the frame by phi (in the frame of u = 0: dE = [phi]x E) and moves the point:
//
//     phi = u V(theta) dk,  V = c1 1 + c2 [theta]x + c3 theta theta^T
//     dx  = u^2 D(theta) dk, D = dp/dtheta
#ifndef PLAIT_MATH_HELIX_H
#define PLAIT_MATH_HELIX_H

enum { PLAIT_HELIX_TERMS = 8 };

// c[0..7] at z >= 0, to a few ulp relative to 1/n! (z up to about 1e8, then cos and sin are what they are).
void plait_helix_functions(double z, double c[PLAIT_HELIX_TERMS]);

typedef struct plait_helix {
    double u;        // arc length from the start
    double theta[3]; // u k
    double c[PLAIT_HELIX_TERMS];
} plait_helix;

plait_helix plait_helix_at(const double k[3], double u);

// Position, frame (row-major, columns m1, m2, t) and derivatives, all in the frame of the start. Any output may be
// NULL.
void plait_helix_place(const plait_helix *h, double x[3], double E[9]);
void plait_helix_jacobian(const plait_helix *h, double dx_dk[9], double phi_dk[9]);

// g(k) = sum f_i . E y_i for points y_i fixed in the end frame, given A = sum f_i y_i^T with f_i in the frame of the
// start; and g(k) = f . x for the position. H += second derivatives by k (symmetric).
void plait_helix_hessian_frame(const plait_helix *h, const double A[9], double H[9]);
void plait_helix_hessian_point(const plait_helix *h, const double f[3], double H[9]);

#endif
