// rod_toy.c: a new rod model is one row, and its functions: here most are borrowed from the mass-spring chain and one is its own.
// The model `toy` is found by name, built, and simulated beside the model it borrows from: same bits.
//
// The list of body/rod_table.c is replaced by the one below; nothing else knows.
#include <math.h>
#include <string.h>

#include "body/rod.h"
#include "sim_scenes.h"

// ---- the file: a model that counts how often it is asked for its energy --------------------------------------------

enum { TOY = PLAIT_ROD_MODEL_COUNT }; // the number that it would have in plait_rod_model
static plait_rod_type toy;
static int asked;

static plait_rod_energies toy_energy(const plait_rod *rod)
{
    asked++;
    return plait_rod_massspring.energy(rod);
}

// ---- the row -----------------------------------------------------------------------------------------------------

const plait_rod_type *const plait_rod_types[] = {
    &plait_rod_der, &plait_rod_superhelix, &plait_rod_massspring, &plait_rod_corde, &toy, NULL,
};

__attribute__((constructor)) static void make_row(void)
{
    toy = plait_rod_massspring;
    toy.model = (plait_rod_model)TOY, toy.name = "toy", toy.title = "a toy", toy.energy = toy_energy;
}

// ---- what it can do ------------------------------------------------------------------------------------------------

CASE(is_found)
{
    plait_rod_model model;
    CHECK(plait_rod_model_find("toy", &model) && (int)model == TOY);
    CHECK_STR(plait_rod_model_name(model), "toy");
    CHECK(plait_rod_model_abilities(model) == plait_rod_model_abilities(PLAIT_ROD_MASS_SPRING));
}

// It falls on the ground and lies there as a mass-spring chain does, to the last bit.
CASE(falls_and_lies_in_a_simulation)
{
    plait_sim *sim[2];
    plait_sim_report report;
    plait_error error = {0};
    int64_t size[2] = {0};
    double *state[2] = {NULL};
    for (int k = 0; k < 2; k++) {
        plait_scene *scene = scenes_new(0.3);
        scenes_ground(scene);
        scenes_rod(scene, k ? PLAIT_ROD_MASS_SPRING : (plait_rod_model)TOY, (double[]){0, 0, 0.01}, (double[]){1, 0, 0},
                   10);
        sim[k] = plait_sim_new(scene, &error);
        plait_scene_free(scene);
        if (!CHECK(sim[k]))
            return;
        int before = asked;
        for (int i = 0; i < 100; i++)
            CHECK(plait_sim_step(sim[k], INFINITY, &report, &error) == PLAIT_OK && !report.failed);
        CHECK(report.contacts > 0);
        CHECK((asked > before) == (k == 0)); // its own function
        size[k] = plait_sim_state_size(sim[k]);
        state[k] = malloc((size_t)size[k] * sizeof **state);
        plait_sim_get_state(sim[k], state[k]);
    }
    CHECK(size[0] == size[1] && memcmp(state[0], state[1], (size_t)size[0] * sizeof **state) == 0);
    for (int k = 0; k < 2; k++)
        plait_sim_free(sim[k]), free(state[k]);
}
