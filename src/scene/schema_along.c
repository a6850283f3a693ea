// schema_along.c: radius, modulus and density of a material along its fibres.
#include <stdlib.h>

#include "file/columns.h"
#include "scene/schema_scene.h"

static void init_nothing(void *out)
{
    (void)out; // part of a struct that is there already
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_material, field, unit, help, __VA_ARGS__)
static const plait_schema_key along_keys[] = {
    K(NUMBERS, "at", at, NONE, "places as a part of the length, from 0 to 1; straight between them", PLAIT_RANGE(0, 1),
      PLAIT_DEFAULT("or `file`")),
    K(NUMBERS, "radius", radius, NONE, "factors of the material's radius there (contacts keep `contact_radius`)",
      PLAIT_RANGE(1e-6, 1e6), PLAIT_DEFAULT("1")),
    K(NUMBERS, "young", young, NONE, "of both moduli", PLAIT_RANGE(1e-12, 1e12), PLAIT_DEFAULT("1")),
    K(NUMBERS, "density", density, NONE, "of its density", PLAIT_RANGE(1e-12, 1e12), PLAIT_DEFAULT("1")),
    K(FILE, "file", file, NONE, "CSV with four columns instead: place, radius, young, density", PLAIT_ANY),
    PLAIT_KEYS_END,
};
#undef K
const plait_schema plait_schema_along = {NULL, NULL, along_keys, sizeof(plait_doc_material), init_nothing};

bool plait_doc_build_along(const plait_schema_reader *r, const plait_schema_item *item, plait_fibre_material *m)
{
    const plait_doc_material *d = item->value;
    const plait_yaml_node *here = plait_yaml_find(item->node, "along");
    const plait_schema_points *list[] = {&d->radius, &d->young, &d->density};
    static const char *const name[] = {"radius", "young", "density"};
    plait_error inner = {0};
    double *rows = NULL;
    int count = d->at.count;
    if (!here)
        return true;
    if ((d->file != NULL) == (count > 0))
        return plait_yaml_fail(r->error, here->key, "a table along fibres has places, 'at', or a 'file'");
    if (d->file && !(rows = plait_columns_read(d->file, 4, &count, &inner)))
        return plait_yaml_fail(r->error, plait_yaml_find(here, "file"), "%s", inner.text);
    for (int k = 0; k < 3; k++)
        if (list[k]->count != 0 && (rows || list[k]->count != count)) {
            free(rows);
            return plait_yaml_fail(r->error, plait_yaml_find(here, name[k]),
                                   "expected as many factors as places, %d, found %d", d->at.count, list[k]->count);
        }
    if (count > PLAIT_STATIONS) {
        free(rows);
        return plait_yaml_fail(r->error, here->key, "expected at most %d places, found %d", PLAIT_STATIONS, count);
    }
    for (int i = 0; i < count; i++) {
        double x[4] = {rows ? 0 : d->at.x[i], 1, 1, 1};
        for (int k = 0; k < 4 && rows; k++)
            x[k] = rows[4 * i + k];
        for (int k = 0; k < 3 && !rows; k++)
            x[k + 1] = list[k]->count > 0 ? list[k]->x[i] : 1;
        m->station[i] = (plait_station){x[0], x[1], x[2], x[3]};
    }
    free(rows);
    m->stations = count;
    for (int i = 1; i < count; i++)
        if (!(m->station[i].at > m->station[i - 1].at))
            return plait_yaml_fail(r->error, here->key, "places along a fibre must ascend: %g comes after %g",
                                   m->station[i].at, m->station[i - 1].at);
    return true;
}
