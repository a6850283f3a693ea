// render_film.c: films: WebP by ourselves, others through a pipe to ffmpeg.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "render.h"

struct plait_film {
    char *path, *place; // place: the temporary name
    plait_webp *webp;   // else ffmpeg, with what follows
    int pipe;
    pid_t child;
    FILE *said; // what ffmpeg says
    struct sigaction old;
};

// The program called ffmpeg on the PATH; the caller frees it. NULL: there is none.
static char *find_ffmpeg(void)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char *name = plait_cli_alloc(length + 10, 1);
        snprintf(name, length + 10, "%.*s/ffmpeg", (int)length, length ? path : ".");
        struct stat info;
        if (stat(name, &info) == 0 && S_ISREG(info.st_mode) && access(name, X_OK) == 0)
            return name;
        free(name);
        path += length + (path[length] == ':');
    }
    return NULL;
}

static const char *ending(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot : "";
}

static bool by_ourselves(const char *path)
{
    return strcmp(ending(path), ".webp") == 0 && plait_webp_possible();
}

bool plait_film_possible(const char *path)
{
    if (by_ourselves(path))
        return true;
    char *name = find_ffmpeg();
    if (!name)
        plait_cli_fail("--video: %s films are made by ffmpeg, which is not on the PATH; install it (Debian: apt install "
                       "ffmpeg), or %s",
                       ending(path),
                       plait_webp_possible() ? "name the film .webp: these need nothing else"
                                             : "draw pictures with --frames");
    free(name);
    return name != NULL;
}

static void run_ffmpeg(const char *program, const plait_film *film, int input, const char *size, const char *rate)
{
    plait_child_follow_parent();
    setpgid(0, 0); // Ctrl-C is ours: it must not leave a film that only looks whole
    int null = open("/dev/null", O_WRONLY);
    if (dup2(input, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(fileno(film->said), STDERR_FILENO) < 0)
        _exit(127);
    close(input);
    close(film->pipe);
    static char *const formats[][16] = {
        {"-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f",
         "mp4", NULL},
        {"-c:v", "libwebp", "-loop", "0", "-quality", "72", "-compression_level", "6", "-f", "webp", NULL},
        {"-filter_complex", "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=3",
         "-loop", "0", "-f", "gif", NULL},
    };
    const char *dot = ending(film->path);
    char *const *format = formats[strcmp(dot, ".webp") == 0 ? 1 : strcmp(dot, ".gif") == 0 ? 2 : 0];
    const char *words[40] = {"ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
                             "-s",     size, "-r",    rate, "-i", "-",        "-an"};
    int count = 15;
    while (*format)
        words[count++] = *format++;
    words[count] = film->place;
    execv(program, (char *const *)(uintptr_t)words);
    _exit(127);
}

static void let_go(plait_film *film)
{
    if (film->said)
        fclose(film->said);
    plait_webp_free(film->webp);
    free(film->path);
    free(film->place);
    free(film);
}

static bool start_ffmpeg(plait_film *film, int width, int height, double fps)
{
    char *program = find_ffmpeg(), size[32], rate[32];
    int fd[2] = {-1, -1};
    snprintf(size, sizeof size, "%dx%d", width, height);
    snprintf(rate, sizeof rate, "%.9g", fps);
    film->said = tmpfile();
    bool ok = program && film->said && pipe(fd) == 0;
    film->pipe = fd[1];
    fflush(NULL);
    film->child = ok ? fork() : -1;
    if (ok && film->child == 0)
        run_ffmpeg(program, film, fd[0], size, rate);
    free(program);
    if (fd[0] >= 0)
        close(fd[0]);
    if (film->child < 0) {
        plait_cli_fail("%s: ffmpeg could not be started: %s", film->path, strerror(errno));
        if (fd[1] >= 0)
            close(fd[1]);
        return false;
    }
    // An ffmpeg that is gone is told by write().
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &film->old);
    return true;
}

plait_film *plait_film_open(const char *path, int width, int height, double fps)
{
    plait_film *film = plait_cli_alloc(1, sizeof *film);
    size_t length = strlen(path) + 40;
    film->path = plait_cli_alloc(strlen(path) + 1, 1);
    strcpy(film->path, path);
    film->place = plait_cli_alloc(length, 1);
    // A name such as "-x.mp4" is no option of ffmpeg's.
    snprintf(film->place, length, "%s%s.tmp%ld", path[0] == '/' ? "" : "./", path, (long)getpid());
    if (by_ourselves(path)) {
        film->webp = plait_webp_new(width, height, fps);
    } else if (!start_ffmpeg(film, width, height, fps)) {
        let_go(film);
        return NULL;
    }
    return film;
}

bool plait_film_add(plait_film *film, const unsigned char *rgb, size_t size)
{
    if (film->webp)
        return plait_webp_add(film->webp, rgb);
    while (size > 0) {
        ssize_t written = write(film->pipe, rgb, size);
        if (written < 0 && errno == EINTR && !plait_cli_interrupted())
            continue;
        if (written <= 0)
            return false;
        rgb += written;
        size -= (size_t)written;
    }
    return true;
}

// Waits for ffmpeg; false with a message if it was to make a film and made none.
static bool ffmpeg_done(plait_film *film, bool keep)
{
    int status = 0;
    if (!keep)
        kill(film->child, SIGKILL);
    close(film->pipe);
    while (waitpid(film->child, &status, 0) < 0 && errno == EINTR)
        continue;
    sigaction(SIGPIPE, &film->old, NULL);
    if (!keep || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
        return true;
    char line[200] = "";
    rewind(film->said);
    if (!fgets(line, sizeof line, film->said))
        snprintf(line, sizeof line, "it said nothing");
    line[strcspn(line, "\r\n")] = 0;
    plait_cli_fail("%s: ffmpeg failed: %s", film->path, line);
    return false;
}

bool plait_film_close(plait_film *film, bool keep)
{
    bool ok = keep;
    if (film->webp) {
        const char *trouble = keep ? plait_webp_write(film->webp, film->place) : NULL;
        if (trouble)
            plait_cli_fail("%s: %s", film->path, trouble);
        ok = keep && !trouble;
    } else {
        ok = ffmpeg_done(film, keep) && keep;
    }
    if (ok && rename(film->place, film->path) != 0) {
        plait_cli_fail("%s: cannot be written: %s", film->path, strerror(errno));
        ok = false;
    }
    if (!ok)
        unlink(film->place);
    let_go(film);
    return ok;
}
