// motion.c: where a scripted motion is at a time.
//
// Rotation vectors of keys and drives are added before exp is taken: several turns about one axis are what they say.
// Between keys each component goes from one to the next; with the smooth ease the way is covered as u^2 (3 - 2u),
// u from 0 to 1, which is at rest in both.
#include <math.h>

#include "base/elementary.h"
#include "math/quat.h"
#include "plait/motion.h"

static double smooth(double u)
{
    return u * u * (3 - 2 * u);
}

static void add_keys(const plait_motion *m, double t, double position[3], double rotation[3])
{
    if (m->keys <= 0)
        return;
    int last = m->keys - 1;
    if (!(t > m->key[0].time) || t >= m->key[last].time) {
        const plait_key *k = &m->key[t >= m->key[last].time ? last : 0];
        plait_vec3_axpy(1, k->position, position);
        plait_vec3_axpy(1, k->rotation, rotation);
        return;
    }
    int low = 0, high = last; // key[low].time <= t < key[high].time
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (m->key[middle].time <= t)
            low = middle;
        else
            high = middle;
    }
    const plait_key *a = &m->key[low], *b = &m->key[high];
    double u = (t - a->time) / (b->time - a->time);
    if (m->ease == PLAIT_EASE_SMOOTH)
        u = smooth(u);
    for (int i = 0; i < 3; i++) {
        position[i] += a->position[i] + u * (b->position[i] - a->position[i]);
        rotation[i] += a->rotation[i] + u * (b->rotation[i] - a->rotation[i]);
    }
}

// How many amplitudes a drive has gone.
static double drive_at(const plait_drive *d, double t)
{
    static const double TURN = 6.28318530717958647693;
    if (!(t > d->start))
        return 0;
    double end = t < d->stop ? t : d->stop, time = end > d->start ? end - d->start : 0;
    switch (d->kind) {
    case PLAIT_DRIVE_LINEAR:
        return time;
    case PLAIT_DRIVE_SINE:
        return plait_sin(TURN * d->frequency * time + d->phase) - plait_sin(d->phase);
    case PLAIT_DRIVE_RAMP:
        return t < d->stop ? smooth(time / (d->stop - d->start)) : 1;
    }
    return 0;
}

void plait_motion_at(const plait_motion *m, double t, double position[3], double rotation[4])
{
    double turn[3] = {0, 0, 0};
    plait_vec3_set(position, 0, 0, 0);
    add_keys(m, t, position, turn);
    for (int i = 0; i < m->drives; i++) {
        const plait_drive *d = &m->drive[i];
        plait_vec3_axpy(drive_at(d, t), d->amplitude, d->turns ? turn : position);
    }
    plait_quat_exp(turn, rotation);
}
