// marks.c: contacts, as balls with needles that point along the impulse on the first of both bodies.
//
// Size and brightness tell the impulse, on a logarithmic scale over three decades below the largest; the colour tells
// the state: blue sticks, orange slides. What carries no impulse is a small grey ball.
#include <stdlib.h>

#include "math/vec3.h"
#include "render/render.h"

static plait_f3 state_colour(plait_contact_state s, float strength)
{
    if (s == PLAIT_CONTACT_OPEN)
        return f3(0.35f, 0.35f, 0.35f);
    if (s == PLAIT_CONTACT_STICKS)
        return f3_mix(f3(0.28f, 0.48f, 0.70f), f3(0.01f, 0.07f, 0.45f), strength);
    return f3_mix(f3(0.95f, 0.62f, 0.20f), f3(0.75f, 0.05f, 0.01f), strength);
}

typedef struct marks {
    int balls, needles;
    float *ball, *needle; // [4 balls], [8 needles]
    unsigned *index;      // [needles]
    plait_f3 *ball_colour, *needle_colour;
} marks;

static void add_mark(marks *m, const plait_sim_contact *c, plait_contact_state s, double largest, double size)
{
    double impulse = plait_vec3_norm(c->impulse);
    float strength = s == PLAIT_CONTACT_OPEN ? 0 : (float)f3_clamp((float)(1 + log10(impulse / largest) / 3), 0, 1);
    plait_f3 colour = state_colour(s, strength);
    float *ball = m->ball + 4 * (size_t)m->balls;
    for (int i = 0; i < 3; i++)
        ball[i] = (float)c->position[i];
    ball[3] = (float)(size * (s == PLAIT_CONTACT_OPEN ? 0.45 : 0.6 + 0.8 * strength));
    m->ball_colour[m->balls++] = colour;
    if (s == PLAIT_CONTACT_OPEN)
        return;
    float *needle = m->needle + 8 * (size_t)m->needles;
    for (int i = 0; i < 3; i++) {
        needle[i] = ball[i];
        needle[4 + i] = ball[i] + (float)(size * (2 + 9 * strength) * c->impulse[i] / impulse);
    }
    needle[3] = 0.42f * ball[3];
    needle[7] = 0.02f * ball[3];
    m->index[m->needles] = 2 * (unsigned)m->needles;
    m->needle_colour[m->needles++] = colour;
}

bool plait_marks_add(plait_tracer *tracer, plait_parts *parts, const plait_trajectory_frame *frame, double size,
                     plait_render_report *report)
{
    size_t count = (size_t)frame->contacts + 1;
    report->contacts = frame->contacts;
    for (int i = 0; i < frame->contacts; i++)
        report->largest = fmax(report->largest, plait_vec3_norm(frame->contact[i].impulse));
    if (frame->contacts == 0)
        return true;
    marks m = {.ball = malloc(4 * count * sizeof *m.ball),
               .needle = malloc(8 * count * sizeof *m.needle),
               .index = malloc(count * sizeof *m.index),
               .ball_colour = malloc(count * sizeof *m.ball_colour),
               .needle_colour = malloc(count * sizeof *m.needle_colour)};
    bool ok = m.ball && m.needle && m.index && m.ball_colour && m.needle_colour;
    for (int i = 0; i < frame->contacts && ok; i++) {
        plait_contact_state s = frame->contact[i].state;
        report->open += s == PLAIT_CONTACT_OPEN;
        report->sticking += s == PLAIT_CONTACT_STICKS;
        report->sliding += s == PLAIT_CONTACT_SLIDES;
        add_mark(&m, &frame->contact[i], s, report->largest, size);
    }
    if (ok) {
        plait_part balls = {.kind = PLAIT_PART_MARK, .colours = m.ball_colour};
        m.ball_colour = NULL; // taken over
        ok = plait_parts_add(parts, plait_tracer_add_spheres(tracer, m.balls, m.ball), balls);
    }
    if (ok && m.needles > 0) {
        plait_part needles = {.kind = PLAIT_PART_MARK, .colours = m.needle_colour};
        m.needle_colour = NULL;
        int geometry =
            plait_tracer_add_curves(tracer, PLAIT_CURVE_LINEAR, 2 * m.needles, m.needle, m.needles, m.index, false);
        ok = plait_parts_add(parts, geometry, needles);
    }
    free(m.ball);
    free(m.needle);
    free(m.index);
    free(m.ball_colour);
    free(m.needle_colour);
    return ok;
}
