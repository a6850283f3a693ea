// environment.h: settings that the numerical libraries read before main, so that a program that wants them otherwise
// has to start itself once more.
#ifndef PLAIT_CLI_ENVIRONMENT_H
#define PLAIT_CLI_ENVIRONMENT_H

// Starts the program anew with settings that are missing from the environment, and returns if there are none (or if it
// cannot). What the user has set stays:
//   OPENBLAS_CORETYPE     Debian's OpenBLAS takes processors newer than itself for the oldest it knows: a third of the
//                         speed. Then the kernels for the instructions that the processor has are named.
//   OPENBLAS_NUM_THREADS  1: our matrices are small.
//   GOMP_SPINCOUNT        a thread that waits spins for some 10 us only, so that a busy machine is not made busier.
void plait_cli_prepare_environment(char **argv);

#endif
