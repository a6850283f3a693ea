// shade.c: the light that comes through a pixel.
//
// The ground is a shadow catcher: where nothing is in the way of light it shows the backdrop as it is, elsewhere the
// share of its light that is left. So there is no horizon.
#include <stddef.h>

#include "render/render.h"

enum { FOR_PIXEL, FOR_SKY, FOR_LENS, FOR_LAMP }; // purposes of samples; FOR_LAMP + i for each lamp

enum { TRIED = 4 }; // so many samples, or a quarter, that see nothing but the backdrop: it is nothing but backdrop

// Where the sky is hidden, what hides it sends some light on: corners are dark, not black.
static const float BOUNCE = 0.16f;

typedef struct spot {
    plait_f3 at, normal, eye; // eye: direction towards it
    plait_f3 colour;
    float gloss, rough;
    plait_f3 wrap; // light that goes round the edge, per colour: skin
    float near;    // shadow rays begin so far away
} spot;

// What a ray met first: for the filter.
typedef struct glimpse {
    plait_f3 colour, normal;
} glimpse;

static plait_f3 power(plait_f3 base, int n)
{
    plait_f3 p = f3_grey(1);
    for (int i = 0; i < n; i++)
        p = f3_mul(p, base);
    return p;
}

// Light that is left on the way; all of it, some through hair, or none.
static plait_f3 visible(const plait_shader *s, plait_f3 from, plait_f3 direction, float near)
{
    int crossed = plait_tracer_shadow(s->tracer, from, direction, near);
    return crossed == 0 ? f3_grey(1) : crossed >= PLAIT_SHADOW_FULL ? (plait_f3){0} : power(s->through, crossed);
}

static plait_f3 sky_visible(const plait_shader *s, plait_f3 from, plait_f3 direction, float near)
{
    return f3_axpy(1 - BOUNCE, visible(s, from, direction, near), f3_grey(BOUNCE));
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

// Reflection of a rough clear coat (microfacets of Trowbridge and Reitz), times the cosine.
static float coat(const spot *p, plait_f3 light)
{
    float nl = f3_dot(p->normal, light), nv = fmaxf(f3_dot(p->normal, p->eye), 0.02f);
    if (nl <= 0)
        return 0;
    plait_f3 h = f3_unit(f3_add(light, p->eye));
    float nh = f3_dot(p->normal, h), vh = fmaxf(f3_dot(p->eye, h), 0), a2 = p->rough * p->rough;
    float d = nh * nh * (a2 - 1) + 1, k = 0.5f * p->rough, q = 1 - vh;
    float D = a2 / (3.14159265f * d * d), G = 1 / ((nl * (1 - k) + k) * (nv * (1 - k) + k));
    float F = 0.04f + 0.96f * q * q * q * q * q;
    return p->gloss * F * D * G * 0.25f * nl;
}

static float wrapped(float cosine, float wrap)
{
    float c = (cosine + wrap) / (1 + wrap);
    return c > 0 ? c / (1 + wrap) : 0;
}

static plait_f3 shade_surface(const plait_shader *s, const spot *p, const plait_sampler *sampler)
{
    plait_f3 sum = {0};
    float u, v;
    for (int i = 0; i < PLAIT_LAMPS; i++) {
        plait_f3 d, light;
        plait_sample_pair(sampler, FOR_LAMP + (unsigned)i, &u, &v);
        if (!plait_lights_draw(&s->lights, i, u, v, &d, &light))
            continue;
        float c = f3_dot(p->normal, d);
        plait_f3 diffuse = f3_mul(p->colour, f3(wrapped(c, p->wrap.x), wrapped(c, p->wrap.y), wrapped(c, p->wrap.z)));
        plait_f3 f = f3_axpy(3.14159265f * coat(p, d), f3_grey(1), diffuse);
        if (f3_largest(f) > 0)
            sum = f3_add(sum, f3_mul(f3_mul(f, light), visible(s, p->at, d, p->near)));
    }
    plait_sample_pair(sampler, FOR_SKY, &u, &v);
    plait_f3 d = plait_sample_cosine(p->normal, u, v);
    plait_f3 open = sky_visible(s, p->at, d, p->near);
    sum = f3_add(sum, f3_mul(f3_mul(p->colour, plait_lights_sky(&s->lights, d)), open));
    // The sky's mirror image, dimmed like the sky itself.
    float nv = fmaxf(f3_dot(p->normal, p->eye), 0), q = 1 - nv;
    plait_f3 mirror = f3_axpy(2 * nv, p->normal, f3_scale(-1, p->eye));
    float F = p->gloss * (0.04f + 0.5f * q * q * q * q * q);
    return f3_axpy(F, f3_mul(open, plait_lights_sky(&s->lights, mirror)), sum);
}

static plait_f3 shade_hair(const plait_shader *s, const plait_strands *strands, const plait_hit *hit, const spot *p,
                           const plait_sampler *sampler, glimpse *seen)
{
    plait_f3 at = p->at, eye = p->eye;
    const plait_strand *strand = &strands->strand[strands->owner[hit->primitive]];
    float radius;
    plait_f3 tangent = plait_strands_tangent(strands, hit->primitive, hit->u, &radius);
    // Tips are a little lighter than roots.
    float along = ((float)((int)strands->index[hit->primitive] - strand->first) + hit->u) / (float)strand->segments;
    plait_f3 colour = f3_scale(0.85f + 0.25f * along, strand->colour);
    plait_f3 sum = f3_mul(plait_hair_albedo(colour), plait_grid_sky(s->grid, at));
    *seen = (glimpse){colour, tangent};
    for (int i = 0; i < PLAIT_LAMPS; i++) {
        plait_f3 d, light;
        float u, v;
        plait_sample_pair(sampler, FOR_LAMP + (unsigned)i, &u, &v);
        if (!plait_lights_draw(&s->lights, i, u, v, &d, &light))
            continue;
        plait_f3 f = f3_scale(3.14159265f, plait_hair_scatter(colour, strand->tilt, tangent, eye, d));
        f = f3_mul(f, light);
        if (f3_largest(f) > 1e-3f)
            sum = f3_add(sum, f3_mul(f, visible(s, at, d, 2.5f * radius)));
    }
    return sum;
}

// The normal between those of the corners, and the place moved out to the smooth surface that belongs to it (the mean
// of its projections to the corners' planes, where these are outside): a flat triangle must not shadow itself.
static void smooth_hit(const plait_part *part, const plait_hit *hit, spot *p)
{
    const plait_f3 *n = part->normal + 3 * (size_t)hit->primitive, *x = part->corner + 3 * (size_t)hit->primitive;
    float weight[3] = {1 - hit->u - hit->v, hit->u, hit->v};
    plait_f3 sum = {0}, at = {0}, old = p->normal;
    for (int k = 0; k < 3; k++) {
        plait_f3 side = f3_dot(n[k], old) < 0 ? f3_scale(-1, n[k]) : n[k];
        float below = fminf(f3_dot(f3_sub(p->at, x[k]), side), 0);
        sum = f3_axpy(weight[k], side, sum);
        at = f3_axpy(weight[k], f3_axpy(-below, side, p->at), at);
    }
    p->normal = f3_unit(sum);
    p->at = at;
}

static plait_f3 shade_hit(const plait_shader *s, const plait_hit *hit, plait_f3 from, plait_f3 direction,
                          const plait_sampler *sampler, glimpse *seen)
{
    const plait_part *part = &s->part[hit->geometry];
    spot p = {.at = f3_axpy(hit->t, direction, from), .eye = f3_scale(-1, direction), .normal = hit->normal};
    if (part->kind == PLAIT_PART_HAIR)
        return shade_hair(s, part->strands, hit, &p, sampler, seen);
    if (f3_dot(p.normal, p.eye) < 0)
        p.normal = f3_scale(-1, p.normal);
    p.near = 2e-4f * s->scale;
    p.rough = 0.16f;
    p.gloss = 1;
    if (part->kind == PLAIT_PART_CORD) {
        float radius;
        plait_strands_tangent(part->strands, hit->primitive, hit->u, &radius);
        p.near = fmaxf(p.near, 0.05f * radius); // curves are met with an error that grows with their radius
        p.colour = part->strands->strand[part->strands->owner[hit->primitive]].colour;
        p.wrap = f3(0.15f, 0.12f, 0.1f);
    } else if (part->kind == PLAIT_PART_MARK) {
        p.colour = part->colours[hit->primitive];
        p.wrap = f3(0.15f, 0.12f, 0.1f);
    } else {
        p.colour = part->colour;
        if (part->tint) {
            const plait_tint *c = part->tint + 3 * (size_t)hit->primitive;
            float w[3] = {1 - hit->u - hit->v, hit->u, hit->v};
            p.colour = f3_axpy(w[2], c[2].colour, f3_axpy(w[1], c[1].colour, f3_scale(w[0], c[0].colour)));
            p.gloss = w[0] * c[0].gloss + w[1] * c[1].gloss + w[2] * c[2].gloss;
        }
        p.rough = part->wet ? 0.05f : part->skin ? 0.38f : 0.3f;
        p.wrap = part->clear > 0 ? f3_grey(0.6f) : f3(0.25f, 0.12f, 0.08f); // light that comes from within
        p.rough = part->clear > 0 ? 0.12f : p.rough;
        if (part->normal)
            smooth_hit(part, hit, &p);
    }
    // A step outwards, so that coarse triangles do not shadow themselves where their normals are smoothed.
    p.at = f3_axpy(p.near, p.normal, p.at);
    *seen = (glimpse){p.colour, p.normal};
    return shade_surface(s, &p, sampler);
}

// Share of its light that reaches the ground.
static plait_f3 ground_share(const plait_shader *s, plait_f3 at, const plait_sampler *sampler)
{
    plait_f3 all = {0}, left = {0};
    float u, v;
    for (int i = 0; i < PLAIT_LAMPS; i++) {
        plait_f3 d, light;
        plait_sample_pair(sampler, FOR_LAMP + (unsigned)i, &u, &v);
        if (!plait_lights_draw(&s->lights, i, u, v, &d, &light))
            continue;
        light = f3_scale(fmaxf(f3_dot(d, s->lights.up), 0), light);
        all = f3_add(all, light);
        left = f3_add(left, f3_mul(light, visible(s, at, d, 0)));
    }
    plait_sample_pair(sampler, FOR_SKY, &u, &v);
    plait_f3 d = plait_sample_cosine(s->lights.up, u, v), sky = plait_lights_sky(&s->lights, d);
    all = f3_add(all, sky);
    left = f3_add(left, f3_mul(sky, sky_visible(s, at, d, 0)));
    return f3(left.x / all.x, left.y / all.y, left.z / all.z);
}

// ---- the picture ---------------------------------------------------------------------------------------------------

// A tent: most rays near the middle, none farther than one pixel.
static float tent(float u)
{
    return u < 0.5f ? sqrtf(2 * u) - 1 : 1 - sqrtf(2 - 2 * u);
}

typedef struct ray_light {
    plait_f3 light, back; // of things; of the backdrop
    float cover;
    bool plain; // nothing but the backdrop
    glimpse seen;
} ray_light;

// How far away the ground is.
static float ground_ahead(const plait_shader *s, plait_f3 from, plait_f3 direction)
{
    float down = f3_dot(direction, s->lights.up), above = f3_dot(from, s->lights.up) - s->height;
    if (!s->ground || fabsf(down) < 1e-6f || above <= 0) // from below the ground is not there
        return INFINITY;
    float t = -above / down;
    return t > 0 ? t : INFINITY;
}

// What is clear shows, in its colour, what is behind it.
static ray_light shade_ray(const plait_shader *s, float x, float y, const plait_sampler *sampler)
{
    enum { LAYERS = 6 };
    float u = 0, v = 0, t = INFINITY, most;
    if (s->lens.aperture > 0)
        plait_sample_pair(sampler, FOR_LENS, &u, &v);
    plait_f3 from, direction = plait_lens_ray(&s->lens, x, y, u, v, &from), left = f3_grey(1);
    ray_light r = {.plain = true};
    for (int layer = 0; layer < LAYERS; layer++) {
        plait_hit hit;
        bool found = plait_tracer_hit(s->tracer, from, direction, &hit);
        t = ground_ahead(s, from, direction);
        if (!found || hit.t >= t)
            break;
        r.plain = false;
        const plait_part *part = &s->part[hit.geometry];
        float clear = part->kind == PLAIT_PART_SOLID && layer + 1 < LAYERS ? part->clear : 0;
        glimpse here;
        plait_f3 light = shade_hit(s, &hit, from, direction, sampler, &here);
        r.seen = layer == 0 ? here : r.seen;
        most = f3_largest(light); // a rare ray that meets a highlight head-on must not leave a speck
        light = f3_scale(most > 6 ? 6 / most : 1, light);
        r.light = f3_add(r.light, f3_mul(left, f3_scale(1 - clear, light)));
        if (clear == 0) {
            r.cover = 1;
            return r;
        }
        left = f3_mul(left, f3_scale(clear, f3_mix(f3_grey(1), part->colour, 0.75f)));
        from = f3_axpy(hit.t + 2e-4f * s->scale, direction, from);
    }
    r.back = plait_lights_backdrop(&s->lights, 2 * x / (float)s->lens.width - 1, 2 * y / (float)s->lens.height - 1,
                                   direction);
    if (t <= 40 * s->scale) {
        plait_f3 share = ground_share(s, f3_axpy(t, direction, from), sampler);
        r.plain = false; // a few samples that meet no shadow do not mean that there is none
        left = f3_mul(left, share);
    }
    r.back = f3_mul(r.back, left);
    r.cover = 1 - (left.x + left.y + left.z) / 3;
    return r;
}

void plait_shade_pixel(const plait_shader *s, int x, int y, int samples, int first, int step, plait_pixel *p)
{
    plait_sampler sampler = {.pixel = plait_hash((uint32_t)y * 65536u + (uint32_t)x), .samples = (uint32_t)samples};
    bool plain = true;
    int tried = 0, enough = samples / (4 * step) > TRIED ? samples / (4 * step) : TRIED;
    for (int i = first; i < samples; i += step) {
        float u, v;
        sampler.sample = (uint32_t)i;
        plait_sample_pair(&sampler, FOR_PIXEL, &u, &v);
        ray_light r = shade_ray(s, (float)x + 0.5f + tent(u), (float)y + 0.5f + tent(v), &sampler);
        plait_f3 all = f3_scale(s->exposure, f3_add(r.light, r.back));
        p->light = f3_axpy(s->exposure, r.light, p->light);
        p->back = f3_axpy(s->exposure, r.back, p->back);
        p->cover += r.cover;
        p->count++;
        p->square = f3_add(p->square, f3_mul(all, all));
        p->colour = f3_add(p->colour, r.seen.colour);
        p->normal = f3_add(p->normal, r.seen.normal);
        plain = plain && r.plain;
        if (plain && ++tried == enough)
            return; // these few are enough
    }
}
