// rigid_mass.h: what a solid of constant density weighs.
//
// For a closed mesh with outward normals the integrals of 1, x and x x^T over the inside are sums over its triangles:
// with a triangle (a, b, c) and the origin o it is a tetrahedron of signed volume V = a . (b x c) / 6, whose own
// integrals are exact,
//
//     integral of x = V (a + b + c) / 4,   of x x^T = V/20 (s s^T + a a^T + b b^T + c c^T),   s = a + b + c
//
// and o may be anywhere: what is outside cancels. It is taken in the middle of the vertices, where least is lost.
#ifndef PLAIT_BODY_RIGID_MASS_H
#define PLAIT_BODY_RIGID_MASS_H

#include "plait/shape.h"
#include "plait/status.h"

typedef struct plait_solid {
    double mass;       // [kg]
    double centre[3];  // of mass, in the frame of the shape
    double axes[9];    // columns: principal axes, right-handed; the identity for shapes whose frame is one already
    double inertia[3]; // [kg m^2] about these axes through the centre
    bool centred;      // centre and axes are those of the frame
} plait_solid;

// A shape with a formula says it itself; a plane has 1 kg. Mesh: as above. PLAIT_BAD_INPUT: another shape, or a mesh
// that is open, that has an edge with two triangles of the same direction, or that is inside out.
plait_status plait_solid_of(const plait_shape *shape, double density, plait_solid *solid, plait_error *error);

#endif
