// sparse.h: sparse matrices as plain data.
#ifndef PLAIT_SPARSE_H
#define PLAIT_SPARSE_H

#include <stdint.h>

// Square block-sparse matrix of 3x3 blocks. Columns ascend in each row; blocks are row-major. All diagonal blocks
// are stored.
typedef struct plait_block_matrix {
    int n;        // block rows and columns
    int64_t *ptr; // [n+1] first block of each row
    int *col;     // [ptr[n]]
    double *val;  // [9 * ptr[n]]
} plait_block_matrix;

// Sparse matrix by rows (CSR), columns ascending in each row.
typedef struct plait_sparse {
    int rows, cols;
    int64_t *ptr; // [rows+1]
    int *col;     // [ptr[rows]]
    double *val;  // [ptr[rows]]
} plait_sparse;

#endif
