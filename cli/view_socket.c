// view_socket.c: the WebSocket of a live simulation. Each client has a thread that sends to it; what it says is handled by
// the server's own thread for this connection.
#include <civetweb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

enum { LONGEST = 256 }; // bytes of a command

typedef struct watcher {
    plait_live *live;
    struct mg_connection *connection;
    pthread_t thread;
    int client;
} watcher;

static void *send_frames(void *data)
{
    watcher *w = data;
    plait_view_bytes bytes = {0};
    char *state = NULL;
    bool on = true;
    while (on && plait_live_next(w->live, w->client, &state, &bytes)) {
        on = state && mg_websocket_write(w->connection, MG_WEBSOCKET_OPCODE_TEXT, state, strlen(state)) > 0 &&
             mg_websocket_write(w->connection, MG_WEBSOCKET_OPCODE_BINARY, (const char *)bytes.data, bytes.size) > 0;
        free(state);
        state = NULL;
    }
    free(bytes.data);
    return NULL;
}

static int on_connect(const struct mg_connection *connection, void *data)
{
    (void)connection;
    (void)data;
    return 0; // who may is decided before (view_server.c)
}

static void on_ready(struct mg_connection *connection, void *data)
{
    plait_view_server *server = data;
    plait_live *live = plait_view_server_live(server);
    int client = plait_live_join(live);
    if (client < 0) {
        static const char full[] = "{\"message\": \"too many pages watch this simulation\", \"closed\": true}";
        mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_TEXT, full, sizeof full - 1);
        mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, NULL, 0);
        plait_view_server_close(server, mg_get_request_info(connection)->remote_port);
        return;
    }
    watcher *w = plait_cli_alloc(1, sizeof *w);
    *w = (watcher){.live = live, .connection = connection, .client = client};
    if (pthread_create(&w->thread, NULL, send_frames, w) != 0) {
        plait_live_leave(live, client);
        free(w);
        return;
    }
    mg_set_user_connection_data(connection, w);
}

// Returns 0 to close the connection: nobody who means well sends anything else than commands.
static int on_data(struct mg_connection *connection, int bits, char *text, size_t size, void *data)
{
    (void)data;
    watcher *w = mg_get_user_connection_data(connection);
    int code = bits & 0x0f;
    if (!w)
        return 0;
    if (code == MG_WEBSOCKET_OPCODE_PING || code == MG_WEBSOCKET_OPCODE_PONG)
        return 1;
    char command[LONGEST + 1];
    bool whole = (bits & 0x80) != 0 && (bits & 0x70) == 0;
    if (code != MG_WEBSOCKET_OPCODE_TEXT || !whole || size > LONGEST || memchr(text, 0, size))
        return 0;
    memcpy(command, text, size);
    command[size] = 0;
    return plait_live_command(w->live, w->client, command);
}

static void on_close(const struct mg_connection *connection, void *data)
{
    (void)data;
    watcher *w = mg_get_user_connection_data(connection);
    if (!w)
        return;
    plait_live_dismiss(w->live, w->client);
    pthread_join(w->thread, NULL);
    plait_live_leave(w->live, w->client);
    free(w);
}

void plait_view_socket_add(struct mg_context *context, const char *path, plait_view_server *server)
{
    mg_set_websocket_handler(context, path, on_connect, on_ready, on_data, on_close, server);
}
