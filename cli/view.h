// view.h: the parts of `plait view`: a page on 127.0.0.1 that shows a run, or a simulation while it is computed.
//
// A page asks over HTTP for what it needs (docs/commands/view.md lists it). A trajectory is read one frame at a time; a
// live simulation pushes its frames through a WebSocket. Both send the same bytes for a frame (view_encode.c).
#ifndef PLAIT_CLI_VIEW_H
#define PLAIT_CLI_VIEW_H

#include "cli.h"
#include "strands.h"

int plait_cli_view(int argc, char **argv);

// ---- the page: files that are part of the program (made by cmake/viewer.cmake) -----------------------------------

typedef struct plait_view_asset {
    const char *path, *type; // "/main.js", "text/javascript"
    const unsigned char *data;
    size_t size;
} plait_view_asset;
extern const plait_view_asset plait_view_assets[]; // ends with a NULL path

// ---- bytes (view_encode.c) ---------------------------------------------------------------------------------------

typedef struct plait_view_bytes {
    unsigned char *data;
    size_t size, room;
} plait_view_bytes;

typedef enum plait_view_colour {
    PLAIT_VIEW_ROD,     // one value for all: the page colours by rod itself
    PLAIT_VIEW_STRETCH, // relative, of edges against their first length
    PLAIT_VIEW_SPEED,   // [m/s]
    PLAIT_VIEW_FORCE,   // [N] of contacts
    PLAIT_VIEW_COLOURS
} plait_view_colour;
bool plait_view_colour_find(const char *name, plait_view_colour *colour); // "rod", "stretch", "speed", "force"

typedef struct plait_view_shot {
    const plait_trajectory_info *info;
    const plait_trajectory_frame *frame;
    const plait_trajectory_frame *other; // for speeds if there are no velocities; may be NULL
    const double *rest;                  // [nodes] length of the edge that begins at each node, in the first frame
    int index;
    double dt; // [s] of the step that ended here; 0: not known, impulses [N s] are shown instead of forces
    plait_view_colour colour;
    bool contacts; // are sent too
} plait_view_shot;

// One frame as the page wants it. bytes->data is grown as needed and can be used again.
void plait_view_encode(const plait_view_shot *shot, plait_view_bytes *bytes);
// What does not change: nodes, radii and groups of the fibres.
void plait_view_encode_rods(const plait_trajectory_info *info, plait_view_bytes *bytes);
// Vertices and triangles of a curve or mesh.
void plait_view_encode_shape(const plait_shape *shape, plait_view_bytes *bytes);
// Lengths of the edges of a frame; the caller frees them.
double *plait_view_rest_lengths(const plait_trajectory_info *info, const double *position);

// ---- statistics (view_stats.c) -----------------------------------------------------------------------------------

// A stats.csv that may still grow. Belongs to one thread at a time.
typedef struct plait_view_stats plait_view_stats;
plait_view_stats *plait_view_stats_new(const char *path); // copied; the file need not be there
void plait_view_stats_free(plait_view_stats *stats);
double plait_view_stats_dt(plait_view_stats *stats, int64_t step); // [s] of that step; 0: not known
void plait_view_stats_json(plait_view_stats *stats, FILE *file);   // all columns the page plots, thinned out

// ---- a run on disk (view_run.c) ----------------------------------------------------------------------------------

// Any thread may ask.
typedef struct plait_view_run plait_view_run;
// A folder, a trajectory, strands of a file. NULL with *error, or a message where strands cannot be carried.
plait_view_run *plait_view_run_open(const char *path, const plait_strands_choice *choice, plait_error *error);
void plait_view_run_free(plait_view_run *run);
const char *plait_view_run_path(const plait_view_run *run); // what it was opened with, which must still be there
const plait_trajectory_info *plait_view_run_info(const plait_view_run *run);
// Times from frame `from` on, as JSON; looks for new frames first. False with *error if the file cannot be read.
bool plait_view_run_times(plait_view_run *run, int from, FILE *file, plait_error *error);
void plait_view_run_stats(plait_view_run *run, FILE *file);
// False with *error if there is no such frame (status PLAIT_BAD_INPUT) or it cannot be read.
bool plait_view_run_frame(plait_view_run *run, int index, plait_view_colour colour, bool contacts,
                          plait_view_bytes *bytes, plait_error *error);

// ---- a simulation that runs (view_live.c, view_grab.c) -----------------------------------------------------------

// Steps in a thread of its own, no faster than real time (or a multiple of it). Any thread may call these.
typedef struct plait_live plait_live;
enum { PLAIT_LIVE_CLIENTS = 8, PLAIT_LIVE_GRABS = 8 }; // at most; grabs of each client

// Keeps the scene, does not free it. folder: where recordings go. paused: it waits for somebody to start it.
plait_live *plait_live_new(plait_scene *scene, int threads, const char *folder, bool paused, plait_error *error);
bool plait_live_start(plait_live *live);
void plait_live_stop(plait_live *live); // clients that wait are woken; returns when the thread has ended
void plait_live_free(plait_live *live);
const plait_trajectory_info *plait_live_info(const plait_live *live);

// A client is a number; -1 if there are too many. Leaving drops what it holds.
int plait_live_join(plait_live *live);
void plait_live_leave(plait_live *live, int client);
// Asks plait_live_next of this client to return false.
void plait_live_dismiss(plait_live *live, int client);
// One command as it came (docs/commands/view.md); false if it is none.
bool plait_live_command(plait_live *live, int client, const char *text);
// Waits until the client has asked for a frame and there is a new one; false: it is over. state gets JSON (the caller
// frees it), bytes the frame.
bool plait_live_next(plait_live *live, int client, char **state, plait_view_bytes *bytes);

// A point of a fibre that is pulled towards a target.
typedef struct plait_live_grab {
    bool held;
    int node;         // of all nodes
    double target[3]; // [m]
} plait_live_grab;

// Sets the forces of all grabs on the rods (those of the last call are taken away first).
typedef struct plait_live_puller plait_live_puller;
plait_live_puller *plait_live_puller_new(const plait_scene *scene, plait_sim *sim);
void plait_live_puller_free(plait_live_puller *puller);
void plait_live_pull(plait_live_puller *puller, plait_sim *sim, int count, const plait_live_grab *grab);

// What is changed while it runs (view_tune.c): factors of what the scene says, and the wind along x [m/s].
typedef struct plait_live_tuning {
    double friction, gravity, wind, stiffness, damping;
} plait_live_tuning;
extern const plait_live_tuning plait_live_untuned;
bool plait_live_tuning_set(plait_live_tuning *tuning, const char *name, double value); // false: no such, out of range

bool plait_live_same_tuning(const plait_live_tuning *a, const plait_live_tuning *b);

typedef struct plait_live_tuner plait_live_tuner; // remembers what the scene said
plait_live_tuner *plait_live_tuner_new(const plait_scene *scene);
void plait_live_tuner_free(plait_live_tuner *tuner);
void plait_live_tuner_apply(const plait_live_tuner *tuner, const plait_live_tuning *by, plait_scene *scene);

// Colliders that are pushed, strands that are cut off (view_act.c).
typedef struct plait_live_target {
    bool moved;
    double position[3]; // [m] where the collider's origin should be
} plait_live_target;
typedef struct plait_live_acts plait_live_acts; // remembers what the scene said
plait_live_acts *plait_live_acts_new(const plait_scene *scene);
void plait_live_acts_free(plait_live_acts *acts);
bool plait_live_acts_any(const plait_live_acts *acts);                // something was done
void plait_live_acts_undo(plait_live_acts *acts, plait_scene *scene); // in the scene; the simulation must be made anew
void plait_live_push(plait_live_acts *acts, plait_scene *scene, plait_sim *sim, const plait_live_target *target);
// Sets the ends of the strand that has this node free. False with *error: they are, or cannot be.
bool plait_live_cut(plait_live_acts *acts, plait_scene *scene, plait_sim *sim, int node, plait_error *error);

// A simulation that is written down as a run (view_record.c), from its start on.
typedef struct plait_live_record plait_live_record;
plait_live_record *plait_live_record_start(const char *folder, plait_scene *scene, plait_sim *sim, plait_error *error);
const char *plait_live_record_folder(const plait_live_record *record);
double plait_live_record_until(const plait_live_record *record); // [s] no step goes beyond: there is a frame
bool plait_live_record_step(plait_live_record *record, const plait_sim_report *report, double seconds,
                            plait_error *error);
bool plait_live_record_end(plait_live_record *record, plait_error *error); // it is gone in any case

// ---- who may come in (view_door.c) -------------------------------------------------------------------------------

enum { PLAIT_VIEW_TOKEN = 32 };                          // letters of a token
bool plait_view_token(char token[PLAIT_VIEW_TOKEN + 1]); // a new one that nobody can guess; false: no randomness

// Watches the connections to a port of this process. A connection is called by the port at its other end.
typedef struct plait_view_door plait_view_door;
plait_view_door *plait_view_door_new(int port);
void plait_view_door_free(plait_view_door *door);              // NULL is fine
void plait_view_door_welcome(plait_view_door *door, int port); // it has shown the token and may stay
void plait_view_door_close(plait_view_door *door, int port);   // ends the connection now

// ---- the server (view_server.c, view_socket.c) -------------------------------------------------------------------

typedef struct plait_view_server plait_view_server;
// One of run and live is NULL; beside: a second run, or NULL. port 0: a free one. NULL with a message on stderr.
plait_view_server *plait_view_server_start(plait_view_run *run, plait_view_run *beside, plait_live *live, int port);
int plait_view_server_port(const plait_view_server *server);
const char *plait_view_server_token(const plait_view_server *server); // pages are below "/TOKEN/"
void plait_view_server_stop(plait_view_server *server);

struct mg_context;
// The WebSocket of a live simulation, at this path.
void plait_view_socket_add(struct mg_context *context, const char *path, plait_view_server *server);
plait_live *plait_view_server_live(plait_view_server *server);
// Ends a connection that was refused, at once.
void plait_view_server_close(plait_view_server *server, int remote_port);

#endif
