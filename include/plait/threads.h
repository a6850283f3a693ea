// threads.h: how many threads are used where nobody says.
//
// Whoever has options or a setting for threads is asked there (plait_solve_options, plait_sim_set_threads,
// plait_render_options, plait_rods_step): n > 0 is obeyed, 0 means the default of the process, which is set here.
// Functions without such an option (files, scenes, certificates) use the default. Results never depend on the number.
#ifndef PLAIT_THREADS_H
#define PLAIT_THREADS_H

#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// The default from now on, in all threads of the process; 0: as OpenMP decides, which is how it is at the start.
PLAIT_API void plait_set_default_threads(int threads);
PLAIT_API int plait_default_threads(void); // how many that are

#ifdef __cplusplus
}
#endif
#endif
