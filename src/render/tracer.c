// tracer.c: Embree's side of the renderer.
//
// Embree builds its trees with one thread: with several, equally near hits could come in another order, and a picture
// would depend on the number of threads in its last bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

#include "render/tracer.h"

struct plait_tracer {
    RTCDevice device;
    RTCScene all, solid; // with and without hair
};

// What a shadow ray carries along; Embree's part comes first, so that the filter finds the rest.
#if RTC_VERSION_MAJOR >= 4
typedef struct RTCRayQueryContext context_base;
#else
typedef struct RTCIntersectContext context_base;
#endif
typedef struct counting_context {
    context_base base;
    int crossed;
} counting_context;

static void context_init(context_base *context)
{
#if RTC_VERSION_MAJOR >= 4
    rtcInitRayQueryContext(context);
#else
    rtcInitIntersectContext(context);
#endif
}

// A strand in the way of light: counted, and passed unless there are enough.
static void count_strand(const struct RTCFilterFunctionNArguments *args)
{
    counting_context *context = (counting_context *)args->context;
    for (unsigned i = 0; i < args->N; i++)
        if (args->valid[i] && ++context->crossed < PLAIT_SHADOW_FULL)
            args->valid[i] = 0;
}

// ---- geometry ----------------------------------------------------------------------------------------------------

plait_tracer *plait_tracer_new(plait_error *error)
{
    plait_tracer *t = calloc(1, sizeof *t);
    if (!t) {
        plait_error_set(error, PLAIT_NO_MEMORY, "render: not enough memory");
        return NULL;
    }
    t->device = rtcNewDevice("threads=1");
    if (!t->device) {
        plait_error_set(error, PLAIT_BAD_INPUT, "render: Embree does not start on this machine (error %d)",
                        (int)rtcGetDeviceError(NULL));
        free(t);
        return NULL;
    }
    return t;
}

static void drop_scenes(plait_tracer *t)
{
    if (t->all)
        rtcReleaseScene(t->all);
    if (t->solid)
        rtcReleaseScene(t->solid);
    t->all = t->solid = NULL;
}

void plait_tracer_free(plait_tracer *t)
{
    if (!t)
        return;
    drop_scenes(t);
    rtcReleaseDevice(t->device);
    free(t);
}

void plait_tracer_clear(plait_tracer *t)
{
    drop_scenes(t);
    t->all = rtcNewScene(t->device);
    t->solid = rtcNewScene(t->device);
}

// Embree may read a whole vector register beyond the last item; its own buffers have room for that.
static bool fill(RTCGeometry g, enum RTCBufferType type, enum RTCFormat format, size_t size, size_t count,
                 const void *data)
{
    void *buffer = rtcSetNewGeometryBuffer(g, type, 0, format, size, count);
    if (buffer && count > 0)
        memcpy(buffer, data, size * count);
    return buffer != NULL;
}

static int attach(plait_tracer *t, RTCGeometry g, bool ok, bool hair)
{
    int id = -1;
    if (ok) {
        if (hair)
            rtcSetGeometryOccludedFilterFunction(g, count_strand);
        rtcCommitGeometry(g);
        id = (int)rtcAttachGeometry(t->all, g);
        if (!hair)
            rtcAttachGeometry(t->solid, g);
    }
    rtcReleaseGeometry(g);
    return id;
}

int plait_tracer_add_curves(plait_tracer *t, plait_curve_kind kind, int points, const float *xyzr, int segments,
                            const unsigned *index, bool hair)
{
    static const enum RTCGeometryType types[] = {RTC_GEOMETRY_TYPE_FLAT_CATMULL_ROM_CURVE,
                                                 RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE,
                                                 RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE};
    RTCGeometry g = rtcNewGeometry(t->device, types[kind]);
    bool ok = fill(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 16, (size_t)points, xyzr) &&
              fill(g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, 4, (size_t)segments, index);
    if (kind == PLAIT_CURVE_FLAT)
        rtcSetGeometryTessellationRate(g, 3);
    return attach(t, g, ok, hair);
}

int plait_tracer_add_spheres(plait_tracer *t, int count, const float *xyzr)
{
    RTCGeometry g = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
    return attach(t, g, fill(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT4, 16, (size_t)count, xyzr), false);
}

int plait_tracer_add_triangles(plait_tracer *t, int points, const float *xyz, int triangles, const int *index)
{
    RTCGeometry g = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    bool ok = fill(g, RTC_BUFFER_TYPE_VERTEX, RTC_FORMAT_FLOAT3, 12, (size_t)points, xyz) &&
              fill(g, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, 12, (size_t)triangles, index);
    return attach(t, g, ok, false);
}

plait_status plait_tracer_commit(plait_tracer *t, plait_error *error)
{
    rtcCommitScene(t->all);
    rtcCommitScene(t->solid);
    enum RTCError code = rtcGetDeviceError(t->device);
    if (code == RTC_ERROR_NONE)
        return PLAIT_OK;
    plait_status status = code == RTC_ERROR_OUT_OF_MEMORY ? PLAIT_NO_MEMORY : PLAIT_BAD_INPUT;
    return plait_error_set(error, status, "render: Embree cannot take this scene (error %d)", (int)code);
}

// ---- rays --------------------------------------------------------------------------------------------------------

static struct RTCRay make_ray(plait_f3 from, plait_f3 direction, float near)
{
    return (struct RTCRay){.org_x = from.x,
                           .org_y = from.y,
                           .org_z = from.z,
                           .tnear = near,
                           .dir_x = direction.x,
                           .dir_y = direction.y,
                           .dir_z = direction.z,
                           .tfar = INFINITY,
                           .mask = 0xffffffffu};
}

bool plait_tracer_hit(const plait_tracer *t, plait_f3 from, plait_f3 direction, plait_hit *hit)
{
    struct RTCRayHit r = {.ray = make_ray(from, direction, 0)};
    r.hit.geomID = r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
#if RTC_VERSION_MAJOR >= 4
    rtcIntersect1(t->all, &r, NULL);
#else
    context_base context;
    context_init(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect1(t->all, &context, &r);
#endif
    if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID)
        return false;
    *hit = (plait_hit){.t = r.ray.tfar,
                       .geometry = (int)r.hit.geomID,
                       .primitive = (int)r.hit.primID,
                       .u = r.hit.u,
                       .v = r.hit.v,
                       .normal = f3_unit(f3(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z))};
    return true;
}

static bool blocked(RTCScene scene, context_base *context, plait_f3 from, plait_f3 direction, float near)
{
    struct RTCRay ray = make_ray(from, direction, near);
#if RTC_VERSION_MAJOR >= 4
    struct RTCOccludedArguments arguments;
    rtcInitOccludedArguments(&arguments);
    arguments.context = context;
    rtcOccluded1(scene, &ray, &arguments);
#else
    rtcOccluded1(scene, context, &ray);
#endif
    return ray.tfar < 0;
}

int plait_tracer_shadow(const plait_tracer *t, plait_f3 from, plait_f3 direction, float near)
{
    counting_context context = {.crossed = 0};
    context_init(&context.base);
    bool full = blocked(t->all, &context.base, from, direction, near);
    return full ? PLAIT_SHADOW_FULL : context.crossed;
}

bool plait_tracer_solid(const plait_tracer *t, plait_f3 from, plait_f3 direction, float near)
{
    context_base context;
    context_init(&context);
    return blocked(t->solid, &context, from, direction, near);
}
