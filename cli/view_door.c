// view_door.c: who may come in. The server gives each connection a thread until its request is complete, so that somebody
// who opens connections and says nothing would lock out all others. The door looks at the sockets of this process that
// belong to the server's port: strangers (no request with the token yet) must introduce themselves soon, and only a few of
// them may wait at a time; the oldest go first. Who has said something that the server has not read yet waits for the
// server, on a busy machine perhaps for long, and is no stranger until then.
#define _DEFAULT_SOURCE // ioctl, FIONREAD
#include <dirent.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "view.h"

enum {
    STRANGERS = 12,  // that may wait
    LONGEST_WAIT = 2 // [s] of a stranger
};

typedef struct guest {
    int socket, port; // port: at the other end, which names the connection
    bool known, seen; // known: has shown the token
    bool unheard;     // what it said has not been read
    double since;     // [s] nothing of it was unheard
} guest;

struct plait_view_door {
    pthread_mutex_t mutex; // guards the list
    pthread_t thread;
    bool watched;
    atomic_bool over;
    int port, guests, room;
    guest *guest;
};

bool plait_view_token(char token[PLAIT_VIEW_TOKEN + 1])
{
    unsigned char byte[PLAIT_VIEW_TOKEN / 2];
    if (getrandom(byte, sizeof byte, 0) != (ssize_t)sizeof byte)
        return false;
    for (size_t i = 0; i < sizeof byte; i++)
        snprintf(token + 2 * i, 3, "%02x", byte[i]);
    return true;
}

// The port at the other end of a connection to our port; -1 if the socket is something else.
static int other_end(int socket, int port)
{
    struct sockaddr_in here, there;
    socklen_t size = sizeof here, other = sizeof there;
    memset(&here, 0, sizeof here), memset(&there, 0, sizeof there);
    if (getsockname(socket, (struct sockaddr *)&here, &size) != 0 || here.sin_family != AF_INET ||
        ntohs(here.sin_port) != port || getpeername(socket, (struct sockaddr *)&there, &other) != 0)
        return -1;
    return ntohs(there.sin_port);
}

static guest *find(plait_view_door *d, int port)
{
    for (int i = 0; i < d->guests; i++)
        if (d->guest[i].port == port)
            return &d->guest[i];
    if (d->guests == d->room) {
        d->room = 2 * d->room + 64;
        d->guest = plait_cli_grow(d->guest, (size_t)d->room, sizeof *d->guest);
    }
    guest *g = &d->guest[d->guests++];
    *g = (guest){.socket = -1, .port = port, .since = plait_cli_wall()};
    return g;
}

// Who is there now.
static void look(plait_view_door *d)
{
    DIR *dir = opendir("/proc/self/fd");
    for (int i = 0; i < d->guests; i++)
        d->guest[i].seen = !dir;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        int socket, port;
        if (!plait_cli_read_int(entry->d_name, &socket) || (port = other_end(socket, d->port)) < 0)
            continue;
        guest *g = find(d, port);
        int bytes = 0;
        g->socket = socket, g->seen = true;
        g->unheard = ioctl(socket, FIONREAD, &bytes) == 0 && bytes > 0;
        if (g->unheard)
            g->since = plait_cli_wall();
    }
    if (dir)
        closedir(dir);
    int kept = 0;
    for (int i = 0; i < d->guests; i++)
        if (d->guest[i].seen)
            d->guest[kept++] = d->guest[i];
    d->guests = kept;
}

// The thread that reads from the socket wakes up and closes it.
static void show_out(plait_view_door *d, guest *g)
{
    if (g->socket >= 0 && other_end(g->socket, d->port) == g->port)
        shutdown(g->socket, SHUT_RDWR);
}

static void show_strangers_out(plait_view_door *d)
{
    double now = plait_cli_wall();
    int strangers = 0;
    for (int i = 0; i < d->guests; i++)
        strangers += !d->guest[i].known && !d->guest[i].unheard;
    for (int i = 0; i < d->guests; i++) { // the oldest first
        guest *g = &d->guest[i];
        if (g->known || g->unheard || (strangers <= STRANGERS && now - g->since < LONGEST_WAIT))
            continue;
        show_out(d, g);
        strangers--;
    }
}

static void *watch(void *data)
{
    plait_view_door *d = data;
    while (!d->over) {
        pthread_mutex_lock(&d->mutex);
        look(d);
        show_strangers_out(d);
        pthread_mutex_unlock(&d->mutex);
        nanosleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL);
    }
    return NULL;
}

plait_view_door *plait_view_door_new(int port)
{
    plait_view_door *d = plait_cli_alloc(1, sizeof *d);
    d->port = port;
    pthread_mutex_init(&d->mutex, NULL);
    d->watched = pthread_create(&d->thread, NULL, watch, d) == 0;
    return d;
}

void plait_view_door_free(plait_view_door *d)
{
    if (!d)
        return;
    d->over = true;
    if (d->watched)
        pthread_join(d->thread, NULL);
    pthread_mutex_destroy(&d->mutex);
    free(d->guest);
    free(d);
}

void plait_view_door_welcome(plait_view_door *d, int port)
{
    pthread_mutex_lock(&d->mutex);
    find(d, port)->known = true;
    pthread_mutex_unlock(&d->mutex);
}

void plait_view_door_close(plait_view_door *d, int port)
{
    pthread_mutex_lock(&d->mutex);
    look(d);
    for (int i = 0; i < d->guests; i++)
        if (d->guest[i].port == port)
            show_out(d, &d->guest[i]);
    pthread_mutex_unlock(&d->mutex);
}
