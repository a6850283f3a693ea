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
    const char *set, *output;
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
static int serve(plait_view_run *run, plait_view_run *beside, plait_live *live, const view_options *o)
{
    plait_view_server *server = plait_view_server_start(run, beside, live, o->port);
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

static int view_run(const char *path, const char *second, const view_options *o)
{
    plait_strands_choice choice = o->choice;
    choice.overrides = o->overrides, choice.override = o->override, choice.threads = o->threads;
    choice.guides = choice.guides || (!choice.strands && o->overrides == 0); // they can be asked for, and are quick
    if (o->output)
        return plait_cli_fail("view: -o is for a scene that is simulated");
    plait_error error = {0};
    plait_guard_begin();
    plait_cli_catch_interrupt();
    plait_guard_reading(path); // to the end: frames are read when they are asked for
    plait_view_run *run = plait_view_run_open(path, &choice, &error), *beside = NULL;
    if (run && second)
        beside = plait_view_run_open(second, &choice, &error);
    int code = PLAIT_EXIT_BAD;
    if (run && (beside || !second))
        code = serve(run, beside, NULL, o);
    else if (error.text[0])
        plait_cli_fail("%s", error.text);
    plait_view_run_free(beside);
    plait_view_run_free(run);
    return code;
}

// runs/NAME-live; the caller frees it.
static char *record_folder(const plait_scene *scene)
{
    size_t size = strlen(scene->name) + 24;
    char *folder = plait_cli_alloc(size, 1);
    snprintf(folder, size, "runs/%s-live", scene->name[0] ? scene->name : "scene");
    for (char *c = folder + 5; *c; c++)
        *c = *c == '/' ? '-' : *c;
    return folder;
}

static int view_live(const char *word, const view_options *o)
{
    plait_error error = {0};
    plait_cli_catch_interrupt();
    plait_scene *scene = plait_cli_load_scene(word, o->overrides, o->override, &error);
    char *folder = scene ? record_folder(scene) : NULL;
    plait_live *live =
        scene ? plait_live_new(scene, o->threads, o->output ? o->output : folder, !o->live, &error) : NULL;
    int code = live ? serve(NULL, NULL, live, o) : plait_cli_fail("%s", error.text);
    plait_live_free(live);
    plait_scene_free(scene);
    free(folder);
    return code;
}

// A YAML file, or a name that no file has and a named scene has.
static bool is_scene(const char *word)
{
    size_t length = strlen(word);
    bool yaml = (length > 5 && strcmp(word + length - 5, ".yaml") == 0) ||
                (length > 4 && strcmp(word + length - 4, ".yml") == 0);
    if (yaml || access(word, F_OK) == 0)
        return yaml;
    plait_scene *scene = plait_cli_load_scene(word, 0, NULL, NULL);
    plait_scene_free(scene);
    return scene != NULL;
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
        {"--output", 'o', PLAIT_OPTION_TEXT, &o.output, 0, 0, "DIR",
         "where the page's record button puts a run (default: runs/NAME-live)"},
        {"--threads", 'j', PLAIT_OPTION_INT, &o.threads, 0, 1024, "N",
         "with --live: threads of the simulation (default 0: as many as OpenMP gives)"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "view",
        .usage = "DIR [DIR] | FILE | SCENE | --live SCENE [options]",
        .summary = "Shows a run, or a simulation while it is computed, in the browser.",
        .details =
            "DIR is the folder of a run (plait run), finished or not, or a trajectory.h5; two of them are shown side "
            "by "
            "side. FILE has strands: .hair, or curves of a .usda or .obj file. The page is served on 127.0.0.1 only, "
            "needs "
            "no network and reads one frame at a time.\n\n"
            "With --live, SCENE is a YAML file or a built-in scene ('plait list'): it is simulated from its start, "
            "without end and not faster than real time, and the mouse can drag rods and colliders, pin strands and cut "
            "them off. Without --live a SCENE waits at its start. Nothing is written, until the page is asked to "
            "record a run.\n\n"
            "The address is printed on stdout; the token in it, a new one each time, keeps other users of this "
            "machine out. Ctrl-C ends the server.",
        .options = options,
        .min_words = 1,
        .max_words = 2,
        .examples = "view runs/knot --open\ta run, in the browser\n"
                    "view runs/before runs/after\ttwo runs side by side\n"
                    "view groom.hair\tstrands of a file\n"
                    "view --live knot\tthe mouse pulls at a simulation\n"
                    "view --live my.yaml --set friction.default=0.1 --port 0\ta file of your own, at a free port",
    };
    argc = plait_cli_take_overrides(argc, argv, 0, &o.override, &o.overrides);
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words >= 0) {
        bool scene = o.live || (words == 1 && is_scene(argv[1]));
        if (words == 2 && o.live)
            code = plait_cli_fail("view: --live shows one scene, found '%s' besides", argv[2]);
        else
            code = scene ? view_live(argv[1], &o) : view_run(argv[1], words == 2 ? argv[2] : NULL, &o);
    }
    free(o.override);
    return code;
}
