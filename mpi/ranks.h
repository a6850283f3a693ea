// ranks.h: ranks by MPI.
#ifndef PLAIT_MPI_RANKS_H
#define PLAIT_MPI_RANKS_H

#include "base/ranks.h"

// Of MPI_COMM_WORLD, which is there; the table is one of this process.
plait_ranks *plait_mpi_ranks(void);

#endif
