// view_server.c: HTTP on 127.0.0.1: the page's files and what it asks for. Nothing else is served: a path is looked up in
// tables, never in the file system.
//
// Other pages in the same browser must not get at it. Their requests carry their own Origin, which WebSockets are refused
// for; and a name that suddenly means 127.0.0.1 (DNS rebinding) shows in the Host header, which must be ours. Other users of
// the machine do not know the token that every path begins with.
#include <arpa/inet.h>
#include <civetweb.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "view.h"

struct plait_view_server {
    struct mg_context *context;
    plait_view_run *run;    // one of the two is NULL
    plait_view_run *beside; // a second run, or NULL
    plait_live *live;
    char token[PLAIT_VIEW_TOKEN + 1];
    plait_view_door *_Atomic door; // NULL before the port is known
    atomic_int port;
    atomic_bool stopped;
};

// ---- answers -----------------------------------------------------------------------------------------------------

static int send_bytes(struct mg_connection *c, int status, const char *type, const void *data, size_t size)
{
    const struct mg_request_info *request = mg_get_request_info(c);
    mg_printf(c,
              "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
              "X-Content-Type-Options: nosniff\r\nX-Frame-Options: SAMEORIGIN\r\nReferrer-Policy: no-referrer\r\n"
              "Cross-Origin-Resource-Policy: same-origin\r\n"
              "Content-Security-Policy: default-src 'self'; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; "
              "img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'self'\r\n\r\n",
              status, mg_get_response_code_text(c, status), type, size);
    if (strcmp(request->request_method, "HEAD") != 0 && size > 0)
        mg_write(c, data, size);
    return status;
}

static int refuse(struct mg_connection *c, int status, const char *why)
{
    char text[600];
    int length = snprintf(text, sizeof text, "%s\n", why);
    return send_bytes(c, status, "text/plain; charset=utf-8", text,
                      (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

// A JSON answer goes through a stream in memory.
typedef struct answer {
    FILE *file;
    char *text;
    size_t size;
} answer;

static bool answer_begin(answer *a)
{
    a->text = NULL;
    a->size = 0;
    return (a->file = open_memstream(&a->text, &a->size)) != NULL;
}

static int answer_send(answer *a, struct mg_connection *c)
{
    bool ok = fclose(a->file) == 0;
    int status = ok ? send_bytes(c, 200, "application/json", a->text, a->size) : refuse(c, 500, "no memory");
    free(a->text);
    return status;
}

// ---- what is asked for -------------------------------------------------------------------------------------------

// What the query says; false if it is not there or too long.
static bool query_text(const struct mg_request_info *request, const char *name, char *value, size_t size)
{
    const char *query = request->query_string;
    return query && mg_get_var(query, strlen(query), name, value, size) >= 0;
}

static bool query_has(const struct mg_request_info *request, const char *name)
{
    char value[2];
    const char *query = request->query_string;
    return query && mg_get_var(query, strlen(query), name, value, sizeof value) != -1; // -2: too long
}

// A whole number from 0 on; `missing` if the query has none, -1 if it is something else.
static int query_number(const struct mg_request_info *request, const char *name, int missing)
{
    char text[32];
    int value;
    if (!query_has(request, name))
        return missing;
    return query_text(request, name, text, sizeof text) && plait_cli_read_int(text, &value) && value >= 0 ? value : -1;
}

// Two runs have their own pages below /a/ and /b/.
static plait_view_run *asked_run(const plait_view_server *s, struct mg_connection *c)
{
    const char *path = mg_get_request_info(c)->local_uri_raw;
    return s->beside && path && strncmp(path + PLAIT_VIEW_TOKEN + 1, "/b/", 3) == 0 ? s->beside : s->run;
}

static const plait_trajectory_info *server_info(const plait_view_server *s, struct mg_connection *c)
{
    return s->live ? plait_live_info(s->live) : plait_view_run_info(asked_run(s, c));
}

static void write_bodies(plait_json *json, const char *key, const plait_trajectory_body *body, int count)
{
    plait_json_begin(json, key, '[');
    for (int i = 0; i < count; i++) {
        plait_json_begin_flat(json, NULL, '{');
        plait_json_string(json, "name", body[i].name);
        plait_json_string(json, "shape", plait_shape_name((int)body[i].shape.kind));
        plait_json_begin_flat(json, "size", '[');
        for (int k = 0; k < 3; k++)
            plait_json_real(json, NULL, body[i].shape.size[k]);
        plait_json_end(json, ']');
        plait_json_int(json, "points", body[i].shape.points);
        plait_json_bool(json, "animated", body[i].animated);
        plait_json_end(json, '}');
    }
    plait_json_end(json, ']');
}

static int get_info(plait_view_server *s, struct mg_connection *c)
{
    const plait_trajectory_info *info = server_info(s, c);
    answer a;
    if (!answer_begin(&a))
        return refuse(c, 500, "no memory");
    plait_json json;
    plait_json_open(&json, a.file);
    plait_json_begin(&json, NULL, '{');
    plait_json_string(&json, "version", plait_version());
    plait_json_string(&json, "name", info->name);
    if (s->beside) // often of the same scene: what tells them apart
        plait_json_string(&json, "run", plait_view_run_path(asked_run(s, c)));
    plait_json_bool(&json, "live", s->live != NULL);
    plait_json_int(&json, "fibres", info->fibres);
    plait_json_int(&json, "nodes", info->nodes);
    plait_json_real(&json, "frame_time", info->frame_time);
    plait_json_bool(&json, "velocities", info->stored.velocities);
    plait_json_bool(&json, "contacts", info->stored.contacts);
    plait_json_begin_flat(&json, "groups", '[');
    for (int i = 0; i < info->groups; i++)
        plait_json_string(&json, NULL, info->group_name[i]);
    plait_json_end(&json, ']');
    write_bodies(&json, "colliders", info->collider, info->colliders);
    write_bodies(&json, "rigids", info->rigid, info->rigids);
    write_bodies(&json, "softs", info->soft, info->softs);
    plait_json_end(&json, '}');
    return answer_send(&a, c);
}

static int get_rods(plait_view_server *s, struct mg_connection *c)
{
    plait_view_bytes bytes = {0};
    plait_view_encode_rods(server_info(s, c), &bytes);
    int status = send_bytes(c, 200, "application/octet-stream", bytes.data, bytes.size);
    free(bytes.data);
    return status;
}

static int get_shape(plait_view_server *s, struct mg_connection *c)
{
    const plait_trajectory_info *info = server_info(s, c);
    const struct mg_request_info *request = mg_get_request_info(c);
    int collider = query_number(request, "collider", -1), rigid = query_number(request, "rigid", -1);
    int soft = query_number(request, "soft", -1);
    const plait_trajectory_body *body = collider >= 0 && collider < info->colliders ? &info->collider[collider]
                                        : rigid >= 0 && rigid < info->rigids        ? &info->rigid[rigid]
                                        : soft >= 0 && soft < info->softs           ? &info->soft[soft]
                                                                                    : NULL;
    if (!body)
        return refuse(c, 404, "there is no such collider, rigid or soft body");
    plait_view_bytes bytes = {0};
    plait_shape mesh;
    if (!plait_shape_to_mesh(&body->shape, &(plait_shape_detail){.sides = 48}, &mesh))
        return refuse(c, 500, "not enough memory");
    plait_view_encode_shape(&mesh, &bytes);
    free(mesh.point);
    free(mesh.triangle);
    int status = send_bytes(c, 200, "application/octet-stream", bytes.data, bytes.size);
    free(bytes.data);
    return status;
}

static int get_times(plait_view_server *s, struct mg_connection *c)
{
    int from = query_number(mg_get_request_info(c), "from", 0);
    plait_error error = {0};
    answer a;
    if (!s->run || from < 0)
        return refuse(c, 404, "there is no such frame");
    if (!answer_begin(&a))
        return refuse(c, 500, "no memory");
    if (plait_view_run_times(asked_run(s, c), from, a.file, &error))
        return answer_send(&a, c);
    fclose(a.file);
    free(a.text);
    return refuse(c, 500, error.text);
}

static int get_stats(plait_view_server *s, struct mg_connection *c)
{
    answer a;
    if (!s->run)
        return refuse(c, 404, "a live simulation sends its statistics itself");
    if (!answer_begin(&a))
        return refuse(c, 500, "no memory");
    plait_view_run_stats(asked_run(s, c), a.file);
    return answer_send(&a, c);
}

static int get_frame(plait_view_server *s, struct mg_connection *c)
{
    const struct mg_request_info *request = mg_get_request_info(c);
    int index = query_number(request, "index", -1), contacts = query_number(request, "contacts", 0);
    char name[16];
    plait_view_colour colour = PLAIT_VIEW_ROD;
    bool known = !query_has(request, "colour") ||
                 (query_text(request, "colour", name, sizeof name) && plait_view_colour_find(name, &colour));
    if (!s->run || index < 0 || contacts < 0 || contacts > 1 || !known)
        return refuse(c, 404, "there is no such frame");
    plait_view_bytes bytes = {0};
    plait_error error = {0};
    int status;
    if (plait_view_run_frame(asked_run(s, c), index, colour, contacts, &bytes, &error))
        status = send_bytes(c, 200, "application/octet-stream", bytes.data, bytes.size);
    else
        status = refuse(c, error.status == PLAIT_BAD_INPUT ? 404 : 500, error.text);
    free(bytes.data);
    return status;
}

// ---- requests ----------------------------------------------------------------------------------------------------

// "127.0.0.1:PORT" or "localhost:PORT", after `prefix`.
static bool is_ours(const plait_view_server *s, const char *text, const char *prefix)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; text && i < sizeof names / sizeof *names; i++) {
        char want[64];
        snprintf(want, sizeof want, "%s%s:%d", prefix, names[i], s->port);
        if (strcasecmp(text, want) == 0)
            return true;
        snprintf(want, sizeof want, "%s%s", prefix, names[i]);
        if (s->port == 80 && strcasecmp(text, want) == 0)
            return true;
    }
    return false;
}

// After its last bytes the connection is closed, whatever the other side does.
static int send_away(plait_view_server *s, struct mg_connection *c, int status, const char *why)
{
    refuse(c, status, why);
    plait_view_server_close(s, mg_get_request_info(c)->remote_port);
    return status;
}

// What comes after "/TOKEN" in a path; NULL if it begins otherwise. Takes as long whatever the path is.
static const char *below_token(const plait_view_server *s, const char *path)
{
    unsigned difference = 0;
    if (strlen(path) < PLAIT_VIEW_TOKEN + 2)
        return NULL;
    for (int i = 0; i < PLAIT_VIEW_TOKEN; i++)
        difference |= (unsigned)(path[1 + i] ^ s->token[i]);
    return path[0] == '/' && difference == 0 && path[PLAIT_VIEW_TOKEN + 1] == '/' ? path + PLAIT_VIEW_TOKEN + 1 : NULL;
}

// Called for every request before anything else; what it returns is final unless it is 0.
static int on_request(struct mg_connection *c)
{
    static const struct {
        const char *path;
        int (*get)(plait_view_server *s, struct mg_connection *c);
    } api[] = {
        {"/api/info", get_info},   {"/api/rods", get_rods},   {"/api/shape", get_shape},
        {"/api/times", get_times}, {"/api/stats", get_stats}, {"/api/frame", get_frame},
    };
    const struct mg_request_info *request = mg_get_request_info(c);
    plait_view_server *s = request->user_data;
    const char *path = request->local_uri_raw ? request->local_uri_raw : "", *method = request->request_method;
    if (!is_ours(s, mg_get_header(c, "Host"), ""))
        return send_away(s, c, 403, "this server answers to 127.0.0.1 and localhost only");
    if (!(path = below_token(s, path)))
        return send_away(s, c, 403, "expected the address that 'plait view' has printed");
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return send_away(s, c, 405, "expected GET");
    plait_view_door_welcome(s->door, request->remote_port);
    if (strcmp(path, "/live") == 0 && s->live) {
        const char *upgrade = mg_get_header(c, "Upgrade");
        if (!upgrade || strcasecmp(upgrade, "websocket") != 0)
            return refuse(c, 426, "this is a WebSocket");
        return is_ours(s, mg_get_header(c, "Origin"), "http://") ? 0 : send_away(s, c, 403, "from another page");
    }
    if (s->beside && (strncmp(path, "/a/", 3) == 0 || strncmp(path, "/b/", 3) == 0))
        path += 2;
    else if (s->beside && strcmp(path, "/") == 0)
        path = "/beside.html";
    for (size_t i = 0; i < sizeof api / sizeof *api; i++)
        if (strcmp(path, api[i].path) == 0)
            return api[i].get(s, c);
    if (strcmp(path, "/") == 0)
        path = "/index.html";
    for (const plait_view_asset *a = plait_view_assets; a->path; a++)
        if (strcmp(path, a->path) == 0)
            return send_bytes(c, 200, a->type, a->data, a->size);
    return refuse(c, 404, "there is no such page");
}

static int on_log(const struct mg_connection *c, const char *message)
{
    (void)c;
    (void)message;
    return 1; // what browsers do wrong is not told on the terminal
}

// ---- the server --------------------------------------------------------------------------------------------------

static struct sockaddr_in loopback(int port)
{
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_port = htons((uint16_t)port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

// Whether the port can be had; a message if not. The server itself would not say why.
static bool try_port(int port)
{
    struct sockaddr_in address = loopback(port);
    int on = 1, s = socket(AF_INET, SOCK_STREAM, 0);
    if (s >= 0)
        setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool ok = s >= 0 && bind(s, (struct sockaddr *)&address, sizeof address) == 0 && listen(s, 1) == 0;
    int reason = errno;
    if (s >= 0)
        close(s);
    if (!ok && reason == EADDRINUSE)
        plait_cli_message("port %d is in use; --port chooses another, --port 0 any that is free", port);
    else if (!ok)
        plait_cli_message("port %d cannot be used: %s", port, strerror(reason));
    return ok;
}

plait_view_server *plait_view_server_start(plait_view_run *run, plait_view_run *beside, plait_live *live, int port)
{
    if (!try_port(port))
        return NULL;
    plait_view_server *s = plait_cli_alloc(1, sizeof *s);
    s->run = run;
    s->beside = beside;
    s->live = live;
    s->port = -1; // no Host fits before the port is known
    if (!plait_view_token(s->token)) {
        plait_cli_message("no random numbers for a token: %s", strerror(errno));
        free(s);
        return NULL;
    }
    char address[32];
    snprintf(address, sizeof address, "127.0.0.1:%d", port);
    // Each WebSocket takes a thread for as long as it is open; a browser opens six connections beside.
    const char *options[] = {"listening_ports",
                             address,
                             "num_threads",
                             "32",
                             "enable_keep_alive",
                             "yes",
                             "keep_alive_timeout_ms",
                             "1000",
                             "request_timeout_ms",
                             "5000",
                             "websocket_timeout_ms",
                             "3600000",
                             "max_request_size",
                             "8192",
                             "tcp_nodelay",
                             "1",
                             "enable_directory_listing",
                             "no",
                             NULL};
    struct mg_callbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.begin_request = on_request;
    callbacks.log_message = on_log;
    mg_init_library(MG_FEATURES_WEBSOCKET);
    signal(SIGPIPE, SIG_IGN); // a browser that is gone
    s->context = mg_start(&callbacks, s, options);
    struct mg_server_port ports[1];
    if (!s->context || mg_get_server_ports(s->context, 1, ports) != 1) {
        plait_cli_message("127.0.0.1:%d: the server cannot be started", port);
        plait_view_server_stop(s);
        return NULL;
    }
    char path[PLAIT_VIEW_TOKEN + 16];
    snprintf(path, sizeof path, "/%s/live$", s->token);
    if (live)
        plait_view_socket_add(s->context, path, s);
    s->door = plait_view_door_new(ports[0].port);
    s->port = ports[0].port;
    return s;
}

int plait_view_server_port(const plait_view_server *s)
{
    return s->port;
}

const char *plait_view_server_token(const plait_view_server *s)
{
    return s->token;
}

plait_live *plait_view_server_live(plait_view_server *s)
{
    return s->live;
}

void plait_view_server_close(plait_view_server *s, int remote_port)
{
    if (s->door)
        plait_view_door_close(s->door, remote_port);
}

// The server looks every two seconds whether it should end, or when somebody comes: so somebody comes.
static void *knock(void *data)
{
    plait_view_server *s = data;
    while (!s->stopped) {
        struct sockaddr_in address = loopback(s->port);
        int door = socket(AF_INET, SOCK_STREAM, 0);
        if (door >= 0) {
            if (connect(door, (struct sockaddr *)&address, sizeof address) != 0)
                errno = 0; // it has closed already
            close(door);
        }
        nanosleep(&(struct timespec){0, 30 * 1000 * 1000}, NULL);
    }
    return NULL;
}

void plait_view_server_stop(plait_view_server *s)
{
    if (!s)
        return;
    if (s->context) {
        pthread_t thread;
        bool knocks = s->port > 0 && pthread_create(&thread, NULL, knock, s) == 0;
        mg_stop(s->context);
        s->stopped = true;
        if (knocks)
            pthread_join(thread, NULL);
    }
    plait_view_door_free(s->door);
    mg_exit_library();
    free(s);
}
