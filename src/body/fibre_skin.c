// fibre_skin.c: clamped ends that are bound to soft bodies.
#include "body/fibre.h"
#include "math/mat3.h"
#include "math/vec3.h"

// Columns: along the first side of the triangle, across it in its plane, its normal; dt later, as it moves now. False:
// it has no area.
static bool frame_of(const plait_fibre_skin *s, double dt, double R[9])
{
    const double *x = s->body->state, *v = x + s->body->dofs;
    double c[3][3], e[3], f[3], n[3], across[3];
    for (int a = 0; a < 3; a++) {
        plait_vec3_copy(x + 3 * (size_t)s->corner[a], c[a]);
        plait_vec3_axpy(dt, v + 3 * (size_t)s->corner[a], c[a]);
    }
    plait_vec3_sub(c[1], c[0], e), plait_vec3_sub(c[2], c[0], f);
    plait_vec3_cross(e, f, n);
    if (!(plait_vec3_normalise(e) > 0) || !(plait_vec3_normalise(n) > 0))
        return false;
    plait_vec3_cross(n, e, across);
    for (int k = 0; k < 3; k++)
        R[3 * k] = e[k], R[3 * k + 1] = across[k], R[3 * k + 2] = n[k];
    return true;
}

void plait_fibre_turn_with(plait_body *b, int end, const plait_body *soft, const int corner[3])
{
    plait_fibre_impl *p = b->impl;
    plait_fibre_skin *s = &p->skin[end];
    const plait_end *now = &p->rod->end[end];
    double R[9];
    *s = (plait_fibre_skin){.body = soft, .corner = {corner[0], corner[1], corner[2]}};
    if (now->kind != PLAIT_END_CLAMPED || !frame_of(s, 0, R)) {
        s->body = NULL;
        return;
    }
    plait_mat3_apply_transposed(R, now->tangent, s->tangent);
    plait_mat3_apply_transposed(R, now->director, s->director);
}

void plait_fibre_drive(plait_body *b, double time, double dt)
{
    plait_fibre_impl *p = b->impl;
    (void)time;
    for (int e = 0; e < 2; e++) {
        plait_end end = p->rod->end[e];
        double R[9];
        if (!p->skin[e].body || end.kind != PLAIT_END_CLAMPED || !frame_of(&p->skin[e], dt, R))
            continue;
        plait_mat3_apply(R, p->skin[e].tangent, end.tangent);
        plait_mat3_apply(R, p->skin[e].director, end.director);
        plait_rod_place_end(p->rod, e, &end, NULL);
    }
}
