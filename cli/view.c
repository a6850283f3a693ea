// view.c: `plait view`: look at a run, or at a simulation while it is computed, in the browser.
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "view.h"

enum { PORT = 8425 };

typedef struct view_options {
    int port, threads;
    bool open, live;
    const char *set;
    int overrides;
    const char **override;
    plait_strands_choice choice;
} view_options;

// Starts the desktop's browser. Twice removed, so that nobody has to wait for it.
static void open_browser(const char *url)
{
    pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
                _exit(127);
            execlp("xdg-open", "xdg-open", url, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
}

// Until Ctrl-C, which is how a server ends.
static int serve(plait_view_run *run, plait_live *live, const view_options *o)
{
    plait_view_server *server = plait_view_server_start(run, live, o->port);
    if (!server)
        return PLAIT_EXIT_BAD;
    char url[128];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/%s/", plait_view_server_port(server),
             plait_view_server_token(server));
    printf("%s\n", url);
    int code = plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
    if (code == PLAIT_EXIT_OK && live && !plait_live_start(live))
        code = plait_cli_fail("no thread for the simulation");
    if (code == PLAIT_EXIT_OK) {
        plait_cli_message("open it in a browser; Ctrl-C ends the server");
        if (o->open)
            open_browser(url);
        while (!plait_cli_interrupted())
            nanosleep(&(struct timespec){0, 50 * 1000 * 1000}, NULL);
    }
    if (live)
        plait_live_stop(live); // first, so that no client waits for a frame
    plait_view_server_stop(server);
    return code;
}

static int view_run(const char *path, const view_options *o)
{
    plait_strands_choice choice = o->choice;
    choice.overrides = o->overrides, choice.override = o->override, choice.threads = o->threads;
    choice.guides = choice.guides || (!choice.strands && o->overrides == 0); // they can be asked for, and are quick
    plait_error error = {0};
    plait_guard_begin();
    plait_cli_catch_interrupt();
    plait_guard_reading(path); // to the end: frames are read when they are asked for
    plait_view_run *run = plait_view_run_open(path, &choice, &error);
    if (!run)
        return error.text[0] ? plait_cli_fail("%s", error.text) : PLAIT_EXIT_BAD;
    int code = serve(run, NULL, o);
    plait_view_run_free(run);
    return code;
}

static int view_live(const char *word, const view_options *o)
{
    plait_error error = {0};
    plait_cli_catch_interrupt();
    plait_scene *scene = plait_cli_load_scene(word, o->overrides, o->override, &error);
    plait_live *live = scene ? plait_live_new(scene, o->threads, &error) : NULL;
    int code = live ? serve(NULL, live, o) : plait_cli_fail("%s", error.text);
    plait_live_free(live);
    plait_scene_free(scene);
    return code;
}

int plait_cli_view(int argc, char **argv)
{
    view_options o = {.port = PORT};
    const plait_option options[] = {
        {"--port", 'p', PLAIT_OPTION_INT, &o.port, 0, 65535, "P",
         "port on 127.0.0.1 (default 8425; 0: one that is free)"},
        {"--open", 0, PLAIT_OPTION_FLAG, &o.open, 0, 0, NULL, "open the page in the browser (xdg-open)"},
        {"--live", 'l', PLAIT_OPTION_FLAG, &o.live, 0, 0, NULL, "simulate a scene while it is watched"},
        {"--set", 0, PLAIT_OPTION_TEXT, &o.set, 0, 0, "PATH=VALUE",
         "with --live: another value for something in the scene; else for how strands are carried; may be given "
         "often"},
        {"--strands", 0, PLAIT_OPTION_TEXT, &o.choice.strands, 0, 0, "N|all",
         "the groom with carried strands: so many, or all of the file that guides were taken from"},
        {"--threads", 'j', PLAIT_OPTION_INT, &o.threads, 0, 1024, "N",
         "with --live: threads of the simulation (default 0: as many as OpenMP gives)"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "view",
        .usage = "DIR | --live SCENE [options]",
        .summary = "Shows a run, or a simulation while it is computed, in the browser.",
        .details =
            "DIR is the folder of a run (plait run), finished or not, or a trajectory.h5. The page is served on "
            "127.0.0.1 only, needs no network and reads one frame at a time.\n\n"
            "With --live, SCENE is a YAML file or a built-in scene ('plait list'): it is simulated from its start, "
            "without end and not faster than real time, and the mouse can grab and drag the rods. Nothing is "
            "written.\n\n"
            "The address is printed on stdout; the token in it, a new one each time, keeps other users of this "
            "machine out. Ctrl-C ends the server.",
        .options = options,
        .min_words = 1,
        .max_words = 1,
        .examples = "view runs/knot --open\ta run, in the browser\n"
                    "view --live knot\tthe mouse pulls at a simulation\n"
                    "view --live my.yaml --set friction.default=0.1 --port 0\ta file of your own, at a free port",
    };
    argc = plait_cli_take_overrides(argc, argv, 0, &o.override, &o.overrides);
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words >= 0) {
        code = o.live ? view_live(argv[1], &o) : view_run(argv[1], &o);
    }
    free(o.override);
    return code;
}
