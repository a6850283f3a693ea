// blas.h: keeps BLAS to one thread while we factorise.
//
// Our matrices are small, groups run side by side already, and a threaded BLAS adds up in an order that depends on the
// number of threads. The setting belongs to the caller's program: it is put back afterwards.
#ifndef PLAIT_MATH_BLAS_H
#define PLAIT_MATH_BLAS_H

void plait_blas_serial_begin(void);
void plait_blas_serial_end(void);

#endif
