// xdmf.c: a text beside a trajectory that tells ParaView's Xdmf3 reader what is where in it. Every frame names its own
// datasets, since that reader does not take slices of larger ones.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/trajectory.h"
#include "io/trajectory_journal.h"

typedef struct writer {
    FILE *file;
    const char *data; // name of the trajectory, as it stands in XML
    const plait_trajectory_info *info;
} writer;

// The caller frees it.
static char *escape(const char *text)
{
    char *out = malloc(6 * strlen(text) + 1), *at = out;
    for (; out && *text; text++) {
        const char *name = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : NULL;
        if (name)
            at += sprintf(at, "%s", name);
        else
            *at++ = *text;
    }
    if (out)
        *at = 0;
    return out;
}

// An array in the trajectory; cols = 0: a plain list.
static void write_item(const writer *w, const char *type, int bytes, int64_t rows, int cols, const char *name)
{
    fprintf(w->file, "          <DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"%d\" Dimensions=\"%lld", type,
            bytes, (long long)rows);
    if (cols > 0)
        fprintf(w->file, " %d", cols);
    fprintf(w->file, "\">%s:%s</DataItem>\n", w->data, name);
}

static void write_attribute(const writer *w, const char *label, const char *type, const char *centre)
{
    fprintf(w->file, "        <Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">\n", label, type, centre);
}

static void end_attribute(const writer *w)
{
    fprintf(w->file, "        </Attribute>\n");
}

static void write_fibres(const writer *w, int frame, double time)
{
    const plait_trajectory_info *info = w->info;
    int bytes = info->stored.doubles ? 8 : 4;
    fprintf(w->file, "      <Grid Name=\"fibres\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", time);
    fprintf(w->file, "        <Topology TopologyType=\"Mixed\" NumberOfElements=\"%d\">\n", info->fibres);
    write_item(w, "Int", 4, 2 * (int64_t)info->fibres + info->nodes, 0, "/fibres/lines");
    fprintf(w->file, "        </Topology>\n        <Geometry GeometryType=\"XYZ\">\n");
    write_item(w, "Float", bytes, info->nodes, 3, plait_h5_member("/frames", frame, "position").text);
    fprintf(w->file, "        </Geometry>\n");
    write_attribute(w, "radius", "Scalar", "Cell");
    write_item(w, "Float", 8, info->fibres, 0, "/fibres/radius");
    end_attribute(w);
    write_attribute(w, "group", "Scalar", "Cell");
    write_item(w, "Int", 4, info->fibres, 0, "/fibres/group");
    end_attribute(w);
    if (info->stored.velocities) {
        write_attribute(w, "velocity", "Vector", "Node");
        write_item(w, "Float", bytes, info->nodes, 3, plait_h5_member("/frames", frame, "velocity").text);
        end_attribute(w);
    }
    fprintf(w->file, "      </Grid>\n");
}

static void write_soft(const writer *w, int frame, double time, int i)
{
    const plait_shape *s = &w->info->soft[i].shape;
    int bytes = w->info->stored.doubles ? 8 : 4;
    plait_h5_name points = plait_h5_member("/frames", frame, "soft"),
                  motion = plait_h5_member("/frames", frame, "soft_motion");
    fprintf(w->file, "      <Grid Name=\"soft %d\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", i, time);
    fprintf(w->file, "        <Topology TopologyType=\"Triangle\" NumberOfElements=\"%d\">\n", s->triangles);
    write_item(w, "Int", 4, s->triangles, 3, plait_h5_member("/softs", i, "triangle").text);
    fprintf(w->file, "        </Topology>\n        <Geometry GeometryType=\"XYZ\">\n");
    write_item(w, "Float", bytes, s->points, 3, plait_h5_member(points.text, i, NULL).text);
    fprintf(w->file, "        </Geometry>\n");
    if (w->info->stored.velocities) {
        write_attribute(w, "velocity", "Vector", "Node");
        write_item(w, "Float", bytes, s->points, 3, plait_h5_member(motion.text, i, NULL).text);
        end_attribute(w);
    }
    fprintf(w->file, "      </Grid>\n");
}

static void write_contacts(const writer *w, int frame, double time, int64_t count)
{
    static const struct {
        const char *label, *part, *type;
        int cols;
    } parts[] = {{"normal", "contacts/normal", "Vector", 3},
                 {"gap", "contacts/gap", "Scalar", 0},
                 {"impulse", "contacts/impulse", "Vector", 3},
                 {"velocity", "contacts/velocity", "Vector", 3},
                 {"friction", "contacts/mu", "Scalar", 0}};
    int bytes = w->info->stored.doubles ? 8 : 4;
    fprintf(w->file, "      <Grid Name=\"contacts\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", time);
    fprintf(w->file, "        <Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%lld\" NodesPerElement=\"1\">\n",
            (long long)count);
    write_item(w, "Int", 4, count, 1, plait_h5_member("/frames", frame, "contacts/number").text);
    fprintf(w->file, "        </Topology>\n");
    fprintf(w->file, "        <Geometry GeometryType=\"XYZ\">\n");
    write_item(w, "Float", bytes, count, 3, plait_h5_member("/frames", frame, "contacts/position").text);
    fprintf(w->file, "        </Geometry>\n");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        write_attribute(w, parts[i].label, parts[i].type, "Node");
        write_item(w, "Float", bytes, count, parts[i].cols, plait_h5_member("/frames", frame, parts[i].part).text);
        end_attribute(w);
    }
    fprintf(w->file, "      </Grid>\n");
}

// contacts: [frames], or NULL if they are not stored.
static void write_all(const writer *w, int frames, const double *times, const int64_t *contacts)
{
    fprintf(w->file, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
                     "    <Grid Name=\"trajectory\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    for (int i = 0; i < frames; i++) {
        bool several = contacts || w->info->softs > 0;
        if (several)
            fprintf(w->file,
                    "      <Grid Name=\"frame\" GridType=\"Collection\" CollectionType=\"Spatial\">\n"
                    "      <Time Value=\"%.17g\"/>\n",
                    times[i]);
        if (w->info->fibres > 0 || !several)
            write_fibres(w, i, times[i]);
        for (int k = 0; k < w->info->softs; k++)
            write_soft(w, i, times[i], k);
        if (contacts && contacts[i] > 0)
            write_contacts(w, i, times[i], contacts[i]);
        if (several)
            fprintf(w->file, "      </Grid>\n");
    }
    fprintf(w->file, "    </Grid>\n  </Domain>\n</Xdmf>\n");
}

// How many contacts each frame has; the caller frees them.
static int64_t *count_contacts(const char *path, int frames, plait_error *error)
{
    plait_h5 h;
    if (!plait_trajectory_access(&h, path, error))
        return NULL;
    int64_t *counts = malloc(((size_t)frames + 1) * sizeof *counts);
    bool ok = counts || plait_h5_no_memory(&h, "/frames"), written;
    for (int i = 0; i < frames && ok; i++)
        ok = plait_h5_size(&h, plait_h5_member("/frames", i, "contacts/mu").text, counts + i, &written);
    plait_h5_close(&h);
    if (ok)
        return counts;
    free(counts);
    return NULL;
}

static bool write_file(const char *path, const writer *from, int frames, const double *times, const int64_t *contacts,
                       plait_error *error)
{
    char *place = plait_journal_place(path, error);
    if (!place)
        return false;
    writer w = *from;
    w.file = fopen(place, "w");
    bool ok = w.file != NULL;
    if (ok) {
        write_all(&w, frames, times, contacts);
        ok = !ferror(w.file);
        ok = fclose(w.file) == 0 && ok && rename(place, path) == 0;
    }
    if (!ok) {
        plait_journal_trouble(path, "written", errno, error);
        unlink(place);
    }
    free(place);
    return ok;
}

plait_status plait_trajectory_write_xdmf(const char *trajectory, const char *path, plait_error *error)
{
    plait_error own = {0};
    error = error ? error : &own;
    plait_trajectory *t = plait_trajectory_open(trajectory, error);
    if (!t)
        return error->status;
    const char *slash = strrchr(trajectory, '/');
    char *name = escape(slash ? slash + 1 : trajectory);
    const plait_trajectory_info *info = plait_trajectory_get_info(t);
    int frames = plait_trajectory_frames(t);
    int64_t *contacts = info->stored.contacts ? count_contacts(trajectory, frames, error) : NULL;
    bool ok = name && (contacts || !info->stored.contacts);
    if (!name)
        plait_journal_trouble(path, "written", ENOMEM, error);
    writer w = {.data = name, .info = info};
    ok = ok && write_file(path, &w, frames, plait_trajectory_times(t), contacts, error);
    free(contacts);
    free(name);
    plait_trajectory_free(t);
    return ok ? PLAIT_OK : error->status;
}
