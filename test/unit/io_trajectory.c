// Trajectories and checkpoints: what is written comes back, any frame at any time; neither a NaN, a full disk nor a
// killed program leaves anything that cannot be read or gone on with.
#include "base/rng.h"
#include "check.h"
#include "plait/plait.h"
#include "trajectory_sample.h"
#include <fcntl.h>
#include <float.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// ---- there and back ----------------------------------------------------------------------------------------------

CASE(comes_back)
{
    for (int kind = 0; kind < 8; kind++) {
        plait_trajectory_info info = sample_info(kind & 1, kind & 2, kind & 4);
        plait_trajectory_writer *w = must_create(&info);
        append_frames(w, &info, 7);
        plait_trajectory *t = must_open(); // while it is being written
        CHECK_INT(plait_trajectory_frames(t), 7);
        append_frames(w, &info, 9);
        CHECK_INT(plait_trajectory_refresh(t, NULL), PLAIT_OK);
        CHECK_INT(plait_trajectory_frames(t), 9);
        plait_trajectory_close(w);
        for (int k = 8; k >= 0; k -= 3)
            check_frame(t, k, kind & 1 ? 0 : 2e-6);
        plait_trajectory_free(t);
    }
}

CASE(what_does_not_change)
{
    plait_trajectory_info info = sample_info(false, false, true);
    plait_trajectory_writer *w = must_create(&info);
    plait_trajectory_close(w);
    plait_trajectory *t = must_open();
    const plait_trajectory_info *i = plait_trajectory_get_info(t);
    CHECK_INT(plait_trajectory_frames(t), 0);
    CHECK_STR(i->version, "1.2.3");
    CHECK_STR(i->name, "sample");
    CHECK(strcmp(i->scene, scene_text) == 0);
    CHECK(i->frame_time == 0.04 && i->stored.contacts && !i->stored.doubles && !i->stored.velocities);
    CHECK(i->fibres == 3 && i->nodes == 8 && i->groups == 2 && i->materials == 2 && i->colliders == 2 &&
          i->rigids == 1);
    CHECK(memcmp(i->first, first, sizeof first) == 0 && memcmp(i->radius, radius, sizeof radius) == 0);
    CHECK(memcmp(i->group, group, sizeof group) == 0 && memcmp(i->material, material, sizeof material) == 0);
    CHECK_STR(i->group_name[1], "right & <odd>");
    CHECK_STR(i->material_name[0], "hair");
    CHECK_STR(i->collider[0].name, "floor");
    CHECK(i->collider[0].shape.kind == PLAIT_SHAPE_PLANE && !i->collider[0].animated && i->collider[0].material == 1);
    const plait_shape *mesh = &i->collider[1].shape;
    CHECK(mesh->kind == PLAIT_SHAPE_MESH && mesh->closed && i->collider[1].animated);
    CHECK(mesh->points == 4 && mesh->triangles == 2 && memcmp(mesh->point, corner, sizeof corner) == 0 &&
          memcmp(mesh->triangle, face, sizeof face) == 0);
    CHECK_STR(i->rigid[0].name, "ball");
    CHECK(i->rigid[0].shape.kind == PLAIT_SHAPE_SPHERE && i->rigid[0].shape.size[0] == 0.25);
    plait_trajectory_free(t);
}

CASE(finds_times)
{
    plait_trajectory_info info = sample_info(false, false, false);
    plait_trajectory_writer *w = must_create(&info);
    append_frames(w, &info, 12);
    plait_trajectory_close(w);
    plait_trajectory *t = must_open();
    CHECK_INT(plait_trajectory_find(t, -1), 0);
    CHECK_INT(plait_trajectory_find(t, 0), 0);
    CHECK_INT(plait_trajectory_find(t, 0.0399), 0);
    CHECK_INT(plait_trajectory_find(t, 0.04), 1);
    CHECK_INT(plait_trajectory_find(t, plait_trajectory_times(t)[7]), 7);
    CHECK_INT(plait_trajectory_find(t, 100), 11);
    plait_trajectory_free(t);
}

CASE(large_frames_are_packed)
{
    enum { NODES = 300000 };
    plait_trajectory_info info = sample_info(false, false, false);
    int ends[] = {0, NODES / 3, NODES / 2, NODES};
    info.first = ends, info.nodes = NODES;
    plait_trajectory_writer *w = must_create(&info);
    plait_trajectory_frame *f = plait_trajectory_frame_new(&info);
    for (int k = 0; k < 2; k++) {
        fill_frame(f, &info, k);
        for (int i = 0; i < 3 * NODES; i++)
            f->position[i] = sin(1e-5 * i + k);
        CHECK_INT(plait_trajectory_append(w, f, NULL), PLAIT_OK);
    }
    plait_trajectory_close(w);
    struct stat status;
    CHECK(stat(path, &status) == 0 && status.st_size < 2 * 12 * NODES * 0.95);
    plait_trajectory *t = must_open();
    plait_trajectory_frame *back = plait_trajectory_frame_new(plait_trajectory_get_info(t));
    CHECK_INT(plait_trajectory_read(t, 1, back, NULL), PLAIT_OK);
    int different = 0;
    for (int i = 0; i < 3 * NODES; i++)
        different += back->position[i] != (double)(float)f->position[i];
    CHECK_INT(different, 0);
    plait_trajectory_frame_free(back, plait_trajectory_get_info(t));
    plait_trajectory_frame_free(f, &info);
    plait_trajectory_free(t);
}

// ---- what must not be written ------------------------------------------------------------------------------------

CASE(refuses_nan)
{
    plait_trajectory_info info = sample_info(false, true, true);
    plait_trajectory_writer *w = must_create(&info);
    append_frames(w, &info, 2);
    size_t before, after;
    char *old = bytes_of(path, &before);
    plait_trajectory_frame *f = plait_trajectory_frame_new(&info);
    for (int kind = 0; kind < 6; kind++) {
        fill_frame(f, &info, 2);
        double *victim[] = {f->position + 7,           f->velocity, f->rigid_pose + 3, f->vertex[1] + 11,
                            f->contact[1].impulse + 2, &f->time};
        *victim[kind] = kind == 0 ? 1e39 : kind % 2 ? NAN : -INFINITY; // the first is too large for 4 bytes
        plait_error error = {0};
        CHECK_INT(plait_trajectory_append(w, f, &error), PLAIT_BAD_INPUT);
        CHECK(strstr(error.text, "finite") && strstr(error.text, path) && strstr(error.text, "/frames/000002/"));
        char *new = bytes_of(path, &after);
        CHECK(before == after && memcmp(old, new, before) == 0);
        free(new);
    }
    append_frames(w, &info, 4);
    plait_trajectory_close(w);
    plait_trajectory *t = must_open();
    CHECK_INT(plait_trajectory_frames(t), 4);
    check_frame(t, 2, 2e-6);
    plait_trajectory_free(t);
    plait_trajectory_frame_free(f, &info);
    free(old);
}

// A disk that is full after so many bytes.
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
}

CASE(survives_a_full_disk)
{
    plait_trajectory_info info = sample_info(false, true, true);
    plait_trajectory_writer *w = must_create(&info);
    append_frames(w, &info, 3);
    struct stat status;
    CHECK(stat(path, &status) == 0);
    plait_trajectory_frame *f = plait_trajectory_frame_new(&info);
    fill_frame(f, &info, 3);
    for (int room = 0; room < 6000; room += 500) {
        plait_error error = {0};
        limit_files((rlim_t)status.st_size + (rlim_t)room);
        CHECK_INT(plait_trajectory_append(w, f, &error), PLAIT_BAD_FILE);
        limit_files(RLIM_INFINITY);
        CHECK(strstr(error.text, "cannot be written"));
        plait_trajectory *t = must_open();
        CHECK_INT(plait_trajectory_frames(t), 3);
        check_frame(t, 2, 2e-6);
        plait_trajectory_free(t);
    }
    append_frames(w, &info, 6);
    plait_trajectory_close(w);
    size_t size, whole;
    char *a = bytes_of(path, &size), *b = undisturbed(&info, 6, &whole);
    CHECK(size == whole && memcmp(a, b, size) == 0);
    free(a), free(b);
    plait_trajectory_frame_free(f, &info);
}

CASE(bad_files)
{
    plait_error error = {0};
    unlink(path), unlink(undo);
    CHECK(plait_trajectory_open("nowhere.h5", &error) == NULL && strstr(error.text, "nowhere.h5"));
    CHECK(plait_trajectory_resume("nowhere.h5", 0, &error) == NULL && strstr(error.text, "nowhere.h5"));
    plait_trajectory_info info = sample_info(false, false, false);
    CHECK(plait_trajectory_create("no/such/folder.h5", &info, &error) == NULL);
    CHECK(strstr(error.text, "no/such/folder.h5: cannot be written"));
    FILE *file = fopen(path, "wb");
    fputs("this is no trajectory\n", file);
    fclose(file);
    CHECK(plait_trajectory_open(path, &error) == NULL && strstr(error.text, "HDF5"));
    plait_checkpoint c = {.size = 0};
    CHECK_INT(plait_checkpoint_write("checkpoint.h5", &c, &error), PLAIT_OK);
    CHECK(plait_trajectory_open("checkpoint.h5", &error) == NULL);
    CHECK(strstr(error.text, "expected 'plait trajectory 1', found 'plait checkpoint 2'"));
    plait_trajectory_writer *w = must_create(&info);
    append_frames(w, &info, 5);
    plait_trajectory_close(w);
    unlink(undo);
    CHECK(plait_checkpoint_read(path, &error) == NULL);
    CHECK(strstr(error.text, "expected 'plait checkpoint 2', found 'plait trajectory 1'"));
    CHECK(plait_trajectory_resume(path, 3, &error) == NULL); // there is no journal any more
    CHECK(strstr(error.text, "expected 3 frames, found 5"));
    // Missing or wrong datasets.
    static const char *const names[] = {"/fibres/first", "/fibres/radius", "/colliders/000001/triangle",
                                        "/scene/text",   "/groups",        "/frames/000002/time",
                                        "/frames"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        w = must_create(&info);
        append_frames(w, &info, 3);
        plait_trajectory_close(w);
        hid_t h5 = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        H5Ldelete(h5, names[i], H5P_DEFAULT);
        H5Fclose(h5);
        CHECK(plait_trajectory_open(path, &error) == NULL);
        if (!CHECK(strstr(error.text, names[i]) != NULL))
            puts(error.text);
    }
    unlink(undo);
}

// ---- going back --------------------------------------------------------------------------------------------------

CASE(goes_back_to_any_frame)
{
    plait_trajectory_info info = sample_info(false, true, true);
    size_t whole;
    char *right = undisturbed(&info, 40, &whole); // enough that groups are split
    for (int back = 0; back <= 40; back += 5) {
        plait_trajectory_writer *w = must_create(&info);
        append_frames(w, &info, 40);
        plait_trajectory_close(w);
        CHECK(there(undo));
        plait_error error = {0};
        w = plait_trajectory_resume(path, back, &error);
        if (!CHECK(w != NULL)) {
            puts(error.text);
            continue;
        }
        CHECK_INT(plait_trajectory_written(w), back);
        append_frames(w, &info, 40);
        CHECK_INT(plait_trajectory_sync(w, NULL), PLAIT_OK);
        CHECK_INT(plait_trajectory_keep(w, NULL), PLAIT_OK);
        plait_trajectory_close(w);
        CHECK(!there(undo));
        size_t size;
        char *found = bytes_of(path, &size);
        CHECK(size == whole && memcmp(found, right, size) == 0);
        free(found);
    }
    free(right);
}

CASE(another_scene)
{
    plait_trajectory_info info = sample_info(false, false, false);
    plait_trajectory_writer *w = must_create(&info);
    append_frames(w, &info, 2);
    size_t before, after;
    free(bytes_of(path, &before));
    CHECK_INT(plait_trajectory_set_scene(w, scene_text, NULL), PLAIT_OK); // the same: nothing happens
    free(bytes_of(path, &after));
    CHECK(before == after);
    CHECK_INT(plait_trajectory_set_scene(w, "duration: 3\n", NULL), PLAIT_OK);
    append_frames(w, &info, 4);
    plait_trajectory_close(w);
    plait_trajectory *t = must_open();
    CHECK_STR(plait_trajectory_get_info(t)->scene, "duration: 3\n");
    CHECK_INT(plait_trajectory_frames(t), 4);
    check_frame(t, 3, 2e-6);
    plait_trajectory_free(t);
    w = plait_trajectory_resume(path, 2, NULL); // the later of the two states with two frames
    plait_trajectory_close(w);
    t = must_open();
    CHECK_STR(plait_trajectory_get_info(t)->scene, "duration: 3\n");
    CHECK_INT(plait_trajectory_frames(t), 2);
    plait_trajectory_free(t);
}

CASE(keeps_what_is_kept)
{
    plait_trajectory_info info = sample_info(false, false, false);
    plait_trajectory_writer *w = must_create(&info);
    append_frames(w, &info, 4);
    CHECK_INT(plait_trajectory_keep(w, NULL), PLAIT_OK);
    append_frames(w, &info, 6);
    plait_trajectory_close(w);
    plait_error error = {0};
    CHECK(plait_trajectory_resume(path, 3, &error) == NULL);
    CHECK(strstr(error.text, "the way back to frame 3"));
    w = plait_trajectory_resume(path, -1, &error);
    CHECK_INT(w ? plait_trajectory_written(w) : -1, 6);
    plait_trajectory_close(w);
    w = plait_trajectory_resume(path, 6, &error);
    CHECK(w != NULL);
    plait_trajectory_close(w);
}

static void pause_for(double seconds)
{
    nanosleep(&(struct timespec){0, (long)(1e9 * seconds)}, NULL);
}

// A child appends without end and is killed at some moment; what it leaves can be gone on with, and ends up equal.
CASE(survives_being_killed)
{
    enum { FRAMES = 40, TRIALS = 15 };
    plait_trajectory_info info = sample_info(false, true, true);
    size_t whole;
    char *right = undisturbed(&info, FRAMES, &whole);
    plait_rng rng = plait_rng_new(7, 0);
    int torn = 0, begun = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        plait_trajectory_writer *w = must_create(&info);
        append_frames(w, &info, 3);
        CHECK_INT(plait_trajectory_keep(w, NULL), PLAIT_OK);
        plait_trajectory_close(w);
        fflush(stdout);
        int told[2];
        CHECK_INT(pipe(told), 0);
        pid_t child = fork();
        if (child == 0) {
            w = plait_trajectory_resume(path, 3, NULL);
            for (int k = 4; k <= FRAMES; k++) {
                append_frames(w, &info, k);
                if (write(told[1], "", 1) != 1)
                    break;
            }
            _exit(0);
        }
        close(told[1]);
        // After so many frames, and a little later: in the middle of the next, as a rule.
        char byte;
        for (int k = (int)plait_rng_below(&rng, 12); k > 0 && read(told[0], &byte, 1) == 1; k--)
            continue;
        pause_for(2e-3 * plait_rng_uniform(&rng));
        kill(child, SIGKILL);
        close(told[0]);
        waitpid(child, NULL, 0);
        plait_trajectory *t = plait_trajectory_open(path, NULL);
        torn += !t;
        begun += t && plait_trajectory_frames(t) > 3;
        plait_trajectory_free(t);
        plait_error error = {0};
        // To the last whole frame, or all the way to what was kept.
        w = plait_trajectory_resume(path, there(undo) && trial % 2 ? 3 : -1, &error);
        if (!CHECK(w != NULL)) {
            puts(error.text);
            continue;
        }
        t = must_open();
        CHECK_INT(plait_trajectory_frames(t), plait_trajectory_written(w));
        plait_trajectory_free(t);
        append_frames(w, &info, FRAMES);
        plait_trajectory_close(w);
        unlink(undo);
        size_t size;
        char *found = bytes_of(path, &size);
        CHECK(size == whole && memcmp(found, right, size) == 0);
        free(found);
    }
    printf("%d of %d were killed after some frames, %d in the middle of a change\n", begun, TRIALS, torn);
    CHECK(begun > 0);
    free(right);
}

static void put_bytes(const char *name, const char *byte, size_t size)
{
    FILE *file = fopen(name, "wb");
    CHECK(file && fwrite(byte, 1, size, file) == size && fclose(file) == 0);
}

// The file and its journal as a killed program may leave them: back to two frames, to the last byte.
static void check_two_frames(const char *file, size_t file_size, const char *log, size_t log_size, const char *two,
                             size_t two_size)
{
    plait_error error = {0};
    put_bytes(path, file, file_size);
    put_bytes(undo, log, log_size);
    plait_trajectory_writer *w = plait_trajectory_resume(path, -1, &error);
    if (!CHECK(w != NULL)) {
        puts(error.text);
        return;
    }
    CHECK_INT(plait_trajectory_written(w), 2);
    plait_trajectory_close(w);
    size_t size;
    char *found = bytes_of(path, &size);
    CHECK(size == two_size && memcmp(found, two, size) == 0);
    free(found);
}

CASE(torn_anywhere)
{
    plait_trajectory_info info = sample_info(false, false, true);
    plait_trajectory_writer *w = must_create(&info);
    append_frames(w, &info, 2);
    plait_trajectory_close(w);
    size_t two_size, three_size, before, after;
    char *two = bytes_of(path, &two_size);
    free(bytes_of(undo, &before));
    w = must_create(&info);
    append_frames(w, &info, 3);
    plait_trajectory_close(w);
    char *three = bytes_of(path, &three_size), *log = bytes_of(undo, &after), *torn = malloc(three_size);
    CHECK(after > before && three_size > two_size);
    // While the journal is written the file is the old one with a longer end. The journal may end at any byte.
    memcpy(torn, three, three_size);
    memcpy(torn, two, two_size);
    for (size_t cut = before; cut < after; cut += 1 + (after - before) / 60)
        check_two_frames(torn, three_size, log, cut, two, two_size);
    // Then the changes are made: some may be there and others not.
    size_t changed = 0;
    int unreadable = 0;
    plait_rng rng = plait_rng_new(5, 0);
    for (int trial = 0; trial < 40; trial++) {
        for (size_t i = 0; i < two_size; i++) {
            changed += two[i] != three[i];
            torn[i] = plait_rng_next(&rng) & 1024 ? two[i] : three[i];
        }
        put_bytes(path, torn, three_size);
        plait_trajectory *t = plait_trajectory_open(path, NULL);
        unreadable += !t;
        plait_trajectory_free(t);
        check_two_frames(torn, three_size, log, after - 32, two, two_size); // 32: the last mark
    }
    CHECK(changed > 0 && unreadable > 0); // else this shows nothing
    free(two), free(three), free(log), free(torn);
    unlink(undo);
}

// ---- checkpoints -------------------------------------------------------------------------------------------------

CASE(checkpoint_comes_back)
{
    double state[5000];
    plait_rng rng = plait_rng_new(3, 0);
    for (int i = 0; i < 5000; i++)
        state[i] = plait_rng_uniform(&rng) - 0.5;
    state[0] = -0.0, state[1] = DBL_MIN / 1024, state[2] = DBL_MAX, state[3] = -DBL_MAX, state[4] = 1 + DBL_EPSILON;
    plait_checkpoint c = {.step = 5000000000,
                          .time = 1.0 / 3,
                          .seconds = 12.5,
                          .next_frame = 7,
                          .frames = 6,
                          .stats_size = 4000000000,
                          .log_size = 17,
                          .scene = (char[]){"name: x\n"},
                          .size = 5000,
                          .state = state};
    plait_error error = {0};
    unlink("checkpoint.h5");
    if (!CHECK_INT(plait_checkpoint_write("checkpoint.h5", &c, &error), PLAIT_OK))
        puts(error.text);
    CHECK(!there("checkpoint.h5.tmp"));
    plait_checkpoint *d = plait_checkpoint_read("checkpoint.h5", &error);
    if (!CHECK(d != NULL)) {
        puts(error.text);
        return;
    }
    CHECK(d->step == c.step && d->time == c.time && d->seconds == c.seconds && d->next_frame == 7 && d->frames == 6 &&
          d->stats_size == c.stats_size && d->log_size == 17);
    CHECK_STR(d->scene, c.scene);
    CHECK(d->size == 5000 && memcmp(d->state, state, sizeof state) == 0);
    plait_checkpoint_free(d);
    // A NaN is refused and the old one stays; so it does on a full disk.
    size_t before, after;
    char *old = bytes_of("checkpoint.h5", &before);
    state[4999] = NAN;
    CHECK_INT(plait_checkpoint_write("checkpoint.h5", &c, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "/state: not written: expected finite numbers"));
    state[4999] = 0;
    limit_files(4096);
    CHECK_INT(plait_checkpoint_write("checkpoint.h5", &c, &error), PLAIT_BAD_FILE);
    limit_files(RLIM_INFINITY);
    CHECK(!there("checkpoint.h5.tmp"));
    char *new = bytes_of("checkpoint.h5", &after);
    CHECK(before == after && memcmp(old, new, before) == 0);
    free(old), free(new);
}

CASE(checkpoint_survives_being_killed)
{
    enum { SIZE = 20000 };
    double *state = calloc(SIZE, sizeof *state);
    plait_checkpoint c = {.size = SIZE, .state = state, .scene = (char[]){""}};
    CHECK_INT(plait_checkpoint_write("checkpoint.h5", &c, NULL), PLAIT_OK);
    plait_rng rng = plait_rng_new(8, 0);
    for (int trial = 0; trial < 15; trial++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            for (c.step = 1, c.time = 1;; c.step++, c.time++) {
                for (int i = 0; i < SIZE; i++)
                    state[i] = (double)c.step;
                if (plait_checkpoint_write("checkpoint.h5", &c, NULL) != PLAIT_OK)
                    _exit(1);
            }
        pause_for(30e-3 * plait_rng_uniform(&rng));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        plait_error error = {0};
        plait_checkpoint *d = plait_checkpoint_read("checkpoint.h5", &error);
        if (!CHECK(d != NULL)) {
            puts(error.text);
            continue;
        }
        int different = 0;
        for (int i = 0; i < SIZE; i++)
            different += d->state[i] != (double)d->step;
        CHECK_INT(different, 0);
        plait_checkpoint_free(d);
    }
    free(state);
}

// ---- XDMF --------------------------------------------------------------------------------------------------------

CASE(xdmf_names_what_is_there)
{
    plait_trajectory_info info = sample_info(true, true, true);
    plait_trajectory_writer *w = must_create(&info);
    append_frames(w, &info, 4);
    plait_trajectory_close(w);
    CHECK(rename(path, "a & b.h5") == 0);
    plait_error error = {0};
    if (!CHECK_INT(plait_trajectory_write_xdmf("./a & b.h5", "a.xdmf", &error), PLAIT_OK))
        puts(error.text);
    size_t size;
    char *text = bytes_of("a.xdmf", &size);
    text[size] = 0;
    int names = 0, contacts = 0;
    hid_t file = H5Fopen("a & b.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    for (char *at = text; (at = strstr(at, "a &amp; b.h5:")); names++) {
        char name[128];
        at += strlen("a &amp; b.h5:");
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "<"), at);
        hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
        CHECK(id >= 0);
        H5Dclose(id);
    }
    H5Fclose(file);
    for (char *at = text; (at = strstr(at, "Name=\"contacts\"")); at++)
        contacts++;
    CHECK_INT(names, 4 * 5 + 2 * 7); // frames 1 and 2 have contacts
    CHECK_INT(contacts, 2);
    free(text);
    CHECK_INT(plait_trajectory_write_xdmf("a & b.h5", "no/such/a.xdmf", &error), PLAIT_BAD_FILE);
    CHECK(strstr(error.text, "no/such/a.xdmf"));
    unlink("a & b.h5"), unlink(undo);
}
