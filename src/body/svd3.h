// svd3.h: eigenvalues and singular values of 3x3 matrices, by rotations (Jacobi): no case is special, none fails.
#ifndef PLAIT_BODY_SVD3_H
#define PLAIT_BODY_SVD3_H

// Of a symmetric matrix: value[k] belongs to column k of V (a rotation), A = V diag(value) V^T.
void plait_eigen3(const double A[9], double value[3], double V[9]);

// A = U diag(s) V^T with rotations U and V and s0 >= s1 >= |s2|: the last is negative if A inverts.
void plait_svd3(const double A[9], double U[9], double s[3], double V[9]);

#endif
