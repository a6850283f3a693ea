// view_live.h: a live simulation from inside: its thread (view_live.c) and the orders that it gets (view_order.c).
#ifndef PLAIT_CLI_VIEW_LIVE_H
#define PLAIT_CLI_VIEW_LIVE_H

#include <pthread.h>

#include "view.h"

typedef struct plait_live_client {
    bool used, leaving;
    bool wants; // a frame
    bool fresh; // something changed that a frame must show, though the simulation has not moved
    uint64_t seen;
    plait_view_colour colour;
    bool contacts;
} plait_live_client;

struct plait_live {
    // of the thread
    plait_scene *scene;
    plait_sim *sim;
    plait_live_puller *puller;
    plait_live_tuner *tuner;
    plait_live_acts *acts;
    plait_live_record *record; // NULL: nothing is recorded
    const char *folder;        // where it would be
    plait_live_tuning tuned;   // as the simulation is
    int threads;
    plait_trajectory_info *info;
    plait_trajectory_frame *next; // being filled
    plait_sim_report last;        // of the last step
    double friction;              // [J] dissipated until then
    double *rest, *start;
    int64_t start_size;
    pthread_t thread;
    bool started;
    // shared
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool quit, paused, step, reset;
    bool recording;            // as it should be
    plait_live_target *target; // [colliders]
    int cut;                   // node of a strand to be cut off, -1: none
    char note[640];            // something to be told, that stops nothing
    plait_live_tuning tuning;  // as it should be
    double speed;              // simulated seconds per second, at most
    plait_live_client client[PLAIT_LIVE_CLIENTS];
    plait_live_grab grab[PLAIT_LIVE_CLIENTS * PLAIT_LIVE_GRABS];
    plait_trajectory_frame *frame; // the newest
    uint64_t serial;               // of the newest frame
    plait_sim_report report;       // of the step that made it
    double dissipated;             // [J] since the start
    double rate;                   // simulated seconds per second, as it is
    char message[640];             // why it stopped; ""
};

#endif
