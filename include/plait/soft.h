// soft.h: soft bodies: cloth (triangles) and solids (tetrahedra). Plain data.
//
// A soft body has nodes with three dofs each. Its natural shape is the one that it is given with; it starts there.
//
//     springs        cloth as masses and springs: along edges, across pairs of triangles (shear); hinges bend
//     shell          cloth as a continuum: a St. Venant-Kirchhoff membrane; hinges bend (discrete shells)
//     corotational   solid: linear elasticity in a frame that turns with each tetrahedron
//     neo-hookean    solid: stable neo-Hookean elasticity, for large strains
//
// All models have the moduli that they are given at small strains (springs: as near as springs can), on any mesh.
#ifndef PLAIT_SOFT_H
#define PLAIT_SOFT_H

#include <stdbool.h>

#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plait_soft_model {
    PLAIT_SOFT_SPRINGS,
    PLAIT_SOFT_SHELL,
    PLAIT_SOFT_COROTATIONAL,
    PLAIT_SOFT_NEO_HOOKEAN,
    PLAIT_SOFT_MODELS
} plait_soft_model;

// What holds a node: nothing, the world, or the collider of this number, which takes it along.
enum { PLAIT_HOLD_FREE = -1, PLAIT_HOLD_WORLD = -2 };

typedef struct plait_soft {
    char name[64];
    plait_soft_model model;
    int material; // for its friction
    int points;
    double *point; // [3 points] [m] in the world
    int triangles;
    int *triangle; // [3 triangles] cloth: its cells; solids: their skin, anticlockwise from outside
    int tetrahedra;
    int *tetrahedron; // [4 tetrahedra] solids: positive volume
    int *hold;        // [points] NULL: all are free
    double *force;    // [3 points] [N] loads that act on nodes; NULL: none
    double thickness; // [m] at which it touches: surfaces are half of it away from triangles
    bool self;        // touches itself
    bool flat;        // cloth: natural angles of its hinges are 0, rather than as it is given
    double density;   // [kg/m^2] cloth, [kg/m^3] solids
    double stretch;   // [N/m] cloth: Young's modulus times thickness
    double shear;     // [N/m] cloth: shear modulus times thickness; 0: stretch / (2 (1 + poisson))
    double bend;      // [N m] cloth: bending stiffness per width
    double young;     // [Pa] solids
    double poisson;   // cloth: of the membrane, shells only; solids
    double damping;   // [s] of stretch, proportional to the stiffness
    double bend_damping; // [s] the same for hinges
    double drag;         // [1/s] force of the air against the velocity (relative to the wind), per mass
    double velocity[3], spin[3]; // at the start; spin about the centre of mass
} plait_soft;

// Cloth of 0.2 kg/m^2 without points, or a solid like jelly.
PLAIT_API plait_soft plait_default_cloth(void);
PLAIT_API plait_soft plait_default_solid(void);
PLAIT_API const char *plait_soft_model_name(plait_soft_model model); // "springs" ...; NULL: there is none
PLAIT_API void plait_soft_free(plait_soft *soft);                    // its arrays

// What cannot be simulated is refused: sizes, indices, flat or inverted elements. hold: `colliders` there are.
PLAIT_API plait_status plait_soft_check(const plait_soft *soft, int colliders, plait_error *error);

// Fills in triangles: the faces of tetrahedra that only one of them has, seen from outside anticlockwise. Those that
// are inverted are turned round before. BAD_INPUT: a face has three of them.
PLAIT_API plait_status plait_soft_skin(plait_soft *solid, plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
