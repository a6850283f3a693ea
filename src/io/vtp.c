// vtp.c: VTK's PolyData in XML, with the arrays appended as raw bytes (little-endian, each after its size), and a .pvd
// that lists the files of all frames with their times.
//
// A file is written in two rounds over one list of arrays: the first writes the XML with the offset of each array, the
// second the bytes.
#include <string.h>

#include "io/export.h"

enum { ARRAYS = 12 };

typedef enum vtp_kind {
    POSITION,
    VELOCITY,
    RADIUS,
    FIBRE,
    GROUP,
    MATERIAL,
    LINE,
    LINE_END,
    BODY_POINT,
    BODY,
    TRIANGLE,
    TRIANGLE_END
} vtp_kind;

typedef struct vtp {
    plait_exporter *e;
    plait_sink sink;
    const plait_export_body *bodies; // NULL: fibres are written
    int body_count;
    int64_t points, cells, corners;
    vtp_kind array[ARRAYS];
    int arrays;
    uint64_t offset;
} vtp;

static bool is_real(vtp_kind kind)
{
    return kind <= RADIUS || kind == BODY_POINT;
}

static int components(vtp_kind kind)
{
    return kind == POSITION || kind == VELOCITY || kind == BODY_POINT ? 3 : 1;
}

static int width(const vtp *v, vtp_kind kind)
{
    return kind == POSITION && v->e->info->stored.doubles ? 8 : 4;
}

static uint64_t tuples(const vtp *v, vtp_kind kind)
{
    switch (kind) {
    case POSITION:
    case VELOCITY:
    case RADIUS:
    case BODY_POINT:
        return (uint64_t)v->points;
    case LINE:
    case TRIANGLE:
        return (uint64_t)v->corners;
    default:
        return (uint64_t)v->cells;
    }
}

static uint64_t size_of(const vtp *v, vtp_kind kind)
{
    return tuples(v, kind) * (uint64_t)(components(kind) * width(v, kind));
}

static void declare(vtp *v, vtp_kind kind, const char *name)
{
    const char *type = !is_real(kind) ? "Int32" : width(v, kind) == 8 ? "Float64" : "Float32";
    plait_sink_print(&v->sink,
                     "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
                     "offset=\"%llu\"/>\n",
                     type, name, components(kind), (unsigned long long)v->offset);
    v->offset += 8 + size_of(v, kind);
    v->array[v->arrays++] = kind;
}

// ---- bytes -------------------------------------------------------------------------------------------------------

static void put_fibres(vtp *v, vtp_kind kind)
{
    const plait_trajectory_info *info = v->e->info;
    const plait_trajectory_frame *frame = v->e->frame;
    plait_sink *s = &v->sink;
    size_t n = 3 * (size_t)info->nodes;
    if (kind == POSITION || kind == VELOCITY) {
        const double *x = kind == POSITION ? frame->position : frame->velocity;
        for (size_t i = 0; i < n; i++)
            (width(v, kind) == 8 ? plait_sink_f64 : plait_sink_f32)(s, x[i]);
    } else if (kind == LINE) {
        for (int i = 0; i < info->nodes; i++)
            plait_sink_i32(s, i);
    }
    for (int f = 0; f < info->fibres; f++) {
        if (kind == RADIUS) {
            for (int i = info->first[f]; i < info->first[f + 1]; i++)
                plait_sink_f32(s, info->radius[f]);
        } else if (kind == LINE_END) {
            plait_sink_i32(s, info->first[f + 1]);
        } else if (kind == FIBRE || kind == GROUP || kind == MATERIAL) {
            plait_sink_i32(s, kind == FIBRE ? f : kind == GROUP ? info->group[f] : info->material[f]);
        }
    }
}

static void put_bodies(vtp *v, vtp_kind kind)
{
    int32_t first = 0, end = 0;
    for (int b = 0; b < v->body_count; b++) {
        const plait_export_body *body = &v->bodies[b];
        const plait_shape *m = &body->mesh;
        for (int i = 0; kind == BODY_POINT && i < m->points; i++) {
            double x[3];
            plait_export_vertex(v->e, body, i, x);
            for (int c = 0; c < 3; c++)
                plait_sink_f32(&v->sink, x[c]);
        }
        for (int i = 0; kind == TRIANGLE && i < 3 * m->triangles; i++)
            plait_sink_i32(&v->sink, first + m->triangle[i]);
        for (int i = 0; (kind == BODY || kind == TRIANGLE_END) && i < m->triangles; i++)
            plait_sink_i32(&v->sink, kind == BODY ? b : (end += 3));
        first += m->points;
    }
}

// ---- files -------------------------------------------------------------------------------------------------------

static void begin(vtp *v, int64_t lines, int64_t polygons)
{
    plait_sink *s = &v->sink;
    plait_sink_text(s,
                    "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                    "header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n      <DataArray type=\"Float64\" "
                    "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
    plait_sink_real(s, v->e->frame->time);
    plait_sink_print(s,
                     "</DataArray>\n    </FieldData>\n    <Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"0\" "
                     "NumberOfLines=\"%lld\" NumberOfStrips=\"0\" NumberOfPolys=\"%lld\">\n",
                     (long long)v->points, (long long)lines, (long long)polygons);
}

static void part(vtp *v, const char *name, bool opens)
{
    plait_sink_print(&v->sink, "      <%s%s>\n", opens ? "" : "/", name);
}

static plait_status finish(vtp *v)
{
    plait_sink *s = &v->sink;
    plait_sink_text(s, "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _");
    for (int i = 0; i < v->arrays; i++) {
        plait_sink_u64(s, size_of(v, v->array[i]));
        if (v->bodies)
            put_bodies(v, v->array[i]);
        else
            put_fibres(v, v->array[i]);
    }
    plait_sink_text(s, "\n  </AppendedData>\n</VTKFile>\n");
    return plait_export_close(v->e, s);
}

static plait_status write_fibres(plait_exporter *e, const char *name, int k)
{
    const plait_trajectory_info *info = e->info;
    vtp v = {.e = e, .points = info->nodes, .cells = info->fibres, .corners = info->nodes};
    plait_status status = plait_export_open(e, name, k, "vtp", &v.sink);
    if (status != PLAIT_OK)
        return status;
    begin(&v, info->fibres, 0);
    part(&v, "PointData", true);
    if (e->frame->velocity)
        declare(&v, VELOCITY, "velocity");
    declare(&v, RADIUS, "radius");
    part(&v, "PointData", false);
    part(&v, "CellData", true);
    declare(&v, FIBRE, "fibre");
    declare(&v, GROUP, "group");
    declare(&v, MATERIAL, "material");
    part(&v, "CellData", false);
    part(&v, "Points", true);
    declare(&v, POSITION, "Points");
    part(&v, "Points", false);
    part(&v, "Lines", true);
    declare(&v, LINE, "connectivity");
    declare(&v, LINE_END, "offsets");
    part(&v, "Lines", false);
    return finish(&v);
}

static plait_status write_bodies(plait_exporter *e, const char *name, int k, const plait_export_body *bodies, int count)
{
    vtp v = {.e = e, .bodies = bodies, .body_count = count};
    for (int b = 0; b < count; b++) {
        v.points += bodies[b].mesh.points;
        v.cells += bodies[b].mesh.triangles;
        v.corners += 3 * (int64_t)bodies[b].mesh.triangles;
    }
    plait_status status = plait_export_open(e, name, k, "vtp", &v.sink);
    if (status != PLAIT_OK)
        return status;
    begin(&v, 0, v.cells);
    part(&v, "CellData", true);
    declare(&v, BODY, "body");
    part(&v, "CellData", false);
    part(&v, "Points", true);
    declare(&v, BODY_POINT, "Points");
    part(&v, "Points", false);
    part(&v, "Polys", true);
    declare(&v, TRIANGLE, "connectivity");
    declare(&v, TRIANGLE_END, "offsets");
    part(&v, "Polys", false);
    return finish(&v);
}

static void list_files(const plait_exporter *e, plait_sink *s, int k, const char *const names[2], bool with_bodies)
{
    for (int i = 0; i < 1 + with_bodies; i++) {
        plait_sink_text(s, "    <DataSet timestep=\"");
        plait_sink_real(s, plait_export_time(e, k));
        plait_sink_print(s, "\" part=\"%d\" file=\"%s.%04d.vtp\"/>\n", i, names[i], plait_export_number(e, k));
    }
}

static plait_status write_list(plait_exporter *e, const char *const names[2], bool with_bodies)
{
    plait_sink s = {0};
    plait_status status = plait_export_open(e, e->name, -1, "pvd", &s);
    if (status != PLAIT_OK)
        return status;
    plait_sink_text(&s, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                        "byte_order=\"LittleEndian\">\n  <Collection>\n");
    for (int k = 0; k < e->count; k++)
        list_files(e, &s, k, names, with_bodies);
    plait_sink_text(&s, "  </Collection>\n</VTKFile>\n");
    return plait_export_close(e, &s);
}

plait_status plait_export_vtp(plait_exporter *e)
{
    static const char *const names[2] = {"fibres", "bodies"};
    plait_export_body *bodies = NULL;
    int count = 0;
    int64_t triangles = 0;
    plait_status status = PLAIT_OK;
    for (int k = 0; k < e->count && status == PLAIT_OK; k++) {
        status = plait_export_frame(e, k);
        if (status == PLAIT_OK && k == 0 && !e->single) {
            bodies = plait_export_bodies(e, &count);
            status = bodies ? PLAIT_OK : PLAIT_NO_MEMORY;
            for (int b = 0; bodies && b < count; b++)
                triangles += bodies[b].mesh.triangles;
        }
        if (status == PLAIT_OK)
            status = write_fibres(e, e->single ? e->name : names[0], k);
        if (status == PLAIT_OK && triangles > 0)
            status = write_bodies(e, names[1], k, bodies, count);
    }
    if (status == PLAIT_OK && !e->single)
        status = write_list(e, names, triangles > 0);
    plait_export_bodies_free(bodies, count);
    return status;
}
