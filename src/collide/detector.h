// detector.h: what the parts of the detector share.
//
// All that is long and thin is a strand: chains first, then the curves among the shapes, their nodes in world
// coordinates behind each other. A link is one segment of a strand. Strand against strand goes through the broad phase
// (links near each other), the narrow phase (hits: pairs of links that touch or will touch) and the choice among the
// hits of each pair of strands (contacts). Strand against shape, and shape against shape, are direct.
//
// Everything runs over chunks that depend on the number of items alone, each with its own output; the outputs are put
// together in the order of the chunks, so that the result is the same for any number of threads.
#ifndef PLAIT_COLLIDE_DETECTOR_H
#define PLAIT_COLLIDE_DETECTOR_H

#include "base/parallel.h"
#include "collide/box.h"
#include "collide/collide.h"
#include "collide/grid.h"
#include "collide/memory.h"
#include "collide/mesh.h"
#include "collide/sort.h"
#include "collide/tree.h"

#define PLAIT_CROSSING 0.05 // links that come as near as this many radii pass through each other

typedef struct plait_strand {
    int chain, shape; // one of them is -1
    int home[3];      // chain: by how many periods it was moved to where it is looked at
    bool image;       // of a chain that is a strand already
    int node, nodes, link, links;
    int material;
    double radius, self_arc;
    plait_box box; // of the motion, with the radius and half the proximity
} plait_strand;

typedef struct plait_link {
    int strand, node; // and node + 1
} plait_link;

// Two links that touch (time < 0: at the start) or come to touch at some time of the motion, 0 .. 1.
typedef struct plait_hit {
    int i, j; // i < j
    double a, b;
    double distance;  // of the centrelines at that time
    double normal[3]; // from j to i; set if time >= 0
    double time;
} plait_hit;

// Pairs of links that may touch, kept over looks (near.c).
typedef struct plait_near {
    int links; // of the look that they are from; -1: there are none
    plait_broad broad;
    plait_box *box; // [links] where their boxes were, enlarged
    int64_t *first; // [links + 1] link i is near other[first[i] .. first[i + 1] - 1], which are larger, in order
    int *other;
    int64_t box_room, first_room, other_room;
} plait_near;

// A shape in its two poses.
typedef struct plait_placed {
    const plait_shape_geometry *geometry;
    double R[2][9], x[2][3];
    double spin[3]; // rotation vector from the first to the second pose, in the frame of the shape
    double offset;  // of the surface from the triangles of a mesh
    plait_box box;  // of the motion; all of space for a plane
    int mesh;       // which of the detector's meshes, or -1
    int strand;     // of a curve, else -1
} plait_placed;

typedef struct plait_chunk {
    plait_hit *hit;
    int64_t hits, hit_room;
    plait_touches touches;
    int64_t candidates;
    uint32_t *bucket; // of the grid, that its links enter; then links that are near
    int64_t entries, bucket_room;
    int64_t at;  // where they are among those of all links
    bool failed; // no memory
} plait_chunk;

// Place of a contact in the list.
typedef struct plait_order {
    uint64_t key[4];
    int64_t item;
} plait_order;

typedef struct plait_thread_scratch {
    int *stamp, *found, *more;
    int64_t stamp_room, found_room, more_room;
    plait_key_item *key;
    int64_t key_room;
    void *pick;
    int64_t pick_room;
} plait_thread_scratch;

typedef void plait_chunk_body(plait_detector *d, int chunk, int thread, int64_t begin, int64_t end);

struct plait_detector {
    plait_broad forced;
    plait_detector_stats stats;

    // what there is to see; valid during a call
    const plait_scenery *scenery;
    double reach;     // half of the proximity: by so much are links thicker than their radius
    bool continuous;  // the motion is looked at, not the start alone
    bool crossing;    // only what passes through something in the motion is looked for
    double near;      // crossing: how near centrelines of strands come that are reported, in radii
    double near_skin; // the same for skins
    double thickness; // of links in their boxes, in radii
    double ahead;     // in motions: what the broad phase adds to it
    plait_team team;
    plait_chunk_body *search; // of the stage at work
    const bool *only; // [chains] contacts of these alone are looked for; NULL: of all
    bool *marked;     // room for it

    plait_strand *strand;
    plait_link *link;
    plait_box *box; // of the links' motion, with radius and reach
    double *motion; // how far a point of the link goes at most
    double *x0, *x1, *arc;
    plait_placed *placed;
    plait_mesh *mesh;
    int strands, links, nodes, shapes, meshes;
    int *first_image; // [chains + 1] strands that are images of chain i: first_image[i] .. first_image[i + 1] - 1
    int64_t first_image_room;
    bool periodic;
    int64_t strand_room, link_room, box_room, motion_room, x0_room, x1_room, arc_room, placed_room, mesh_room;

    plait_grid grid;
    plait_tree tree;
    plait_near kept;

    plait_hit *hit;
    int64_t *first_hit; // [strands + 1]
    int64_t hits, hit_room, first_hit_room;
    const plait_touches *previous;
    plait_key_item *old_key; // contacts of `previous` between strands, by pair of strands
    int *old;
    int64_t olds, old_key_room, old_room;

    plait_chunk chunk[PLAIT_CHUNK_COUNT];
    plait_thread_scratch *thread;
    int64_t thread_room, thread_count;
    struct plait_skins *skins; // NULL: none were there yet
    plait_touches gathered;    // before they are put in order
    plait_touches found;       // crossings, before the known ones are left out
    plait_order *order;
    plait_key_item *key, *spare;
    unsigned char *used; // contacts of the last step that live on
    int64_t order_room, key_room, spare_room, used_room, marked_room;
};

// ---- chunks --------------------------------------------------------------------------------------------------------

// body for every chunk of n items, about `grain` items each. Returns the number of chunks.
int plait_detector_run(plait_detector *d, int64_t n, int64_t grain, plait_chunk_body *body);
// The same for bodies that leave hits and touches in their chunk: when it is to stop, the chunks that are left have
// none.
int plait_detector_search(plait_detector *d, int64_t n, int64_t grain, plait_chunk_body *body);
// All stages that find contacts, into gathered; none of them if it is to stop.
plait_status plait_detector_find(plait_detector *d, const plait_scenery *scenery, plait_error *error);
// gathered += the contacts of the chunks, in their order. False if a chunk or this had no memory.
bool plait_detector_gather(plait_detector *d, int chunks);

// Whether contacts of a strand are looked for.
static inline bool plait_strand_wanted(const plait_detector *d, const plait_strand *s)
{
    return !d->only || (s->chain >= 0 && d->only[s->chain]);
}

// ---- stages --------------------------------------------------------------------------------------------------------

// With reach, continuous, crossing and thickness set.
plait_status plait_detector_prepare(plait_detector *d, const plait_scenery *scenery, plait_error *error);
// Chain `strand` is brought home; false: it is too far away from its copies to be counted.
bool plait_image_home(plait_detector *d, plait_strand *strand);
plait_status plait_images_add(plait_detector *d, plait_error *error); // after the boxes of chains
// A new strand whose nodes are behind the present ones; there is room for it.
plait_strand *plait_strand_add(plait_detector *d, int nodes);
void plait_strand_box(plait_detector *d, plait_strand *strand); // boxes of its links, and its own
// Which copy of r touches s, and the strand of a copy that touches chain s; -1: there is none now.
int plait_image_between(const plait_strand *s, const plait_strand *r);
int plait_image_strand(const plait_detector *d, int s, int chain, int image);
void plait_images_settle(plait_detector *d); // contacts that were gathered: places as chains have them
bool plait_meshes_prepare(plait_detector *d, int nodes); // nodes: of chains; false without memory
void plait_meshes_free(plait_detector *d);

// Links j > i whose boxes overlap that of link i go to the thread's `found`; returns how many, or -1 without memory.
plait_status plait_broad_build(plait_detector *d, plait_error *error);
int64_t plait_broad_query(const plait_detector *d, int i, plait_thread_scratch *scratch);
// kept <- a list that has all pairs whose boxes overlap: the one that is there, if it still does.
plait_status plait_near_find(plait_detector *d, plait_error *error);
void plait_near_free(plait_near *near);

// hit[] <- all pairs of links that touch or will touch, by strand and then by pair.
plait_status plait_rods_hits(plait_detector *d, plait_error *error);
// gathered += the contacts that are chosen from them.
plait_status plait_rods_select(plait_detector *d, plait_error *error);
// gathered += contacts of chains with shapes other than curves; of freely moving shapes with shapes.
plait_status plait_shapes_touch(plait_detector *d, plait_error *error);
plait_status plait_rigids_touch(plait_detector *d, plait_error *error);

// touches <- gathered, in order, and with `last` set.
plait_status plait_touches_sort(plait_detector *d, plait_touches *touches, plait_error *error);
plait_status plait_touches_track(plait_detector *d, const plait_touches *previous, plait_touches *touches,
                                 plait_error *error);

// Contacts of a chain with the mesh that is shape i. False without memory.
bool plait_mesh_touch(plait_detector *d, int i, const plait_strand *strand, plait_thread_scratch *scratch,
                      plait_touches *touches);

// A contact of point a of link k (counted in the strand) with a shape: gap and chain are filled in, the shape's index,
// segment and motion are not. NULL without memory.
plait_touch *plait_chain_touch(const plait_detector *d, const plait_strand *strand, int k, double a,
                               const double normal[3], const double surface[3], plait_touches *touches);

// The two bodies of a contact as one number.
uint64_t plait_touch_bodies(const plait_touch *t);
// How far two contacts of the same bodies are from each other: along chains, in links; between shapes, in metres.
double plait_touch_apart(const plait_touch *t, const plait_touch *old);

plait_touch *plait_touches_add(plait_touches *touches); // a cleared one, last = -1; NULL without memory

// ---- small things --------------------------------------------------------------------------------------------------

// Position of a point of a strand's link at the start, and at the end.
static inline void plait_link_point(const plait_detector *d, int link, double a, bool end, double x[3])
{
    const double *p = (end ? d->x1 : d->x0) + 3 * (int64_t)d->link[link].node;
    for (int k = 0; k < 3; k++)
        x[k] = p[k] + a * (p[3 + k] - p[k]);
}

// By how much the box of a link is larger than the segment and its motion.
static inline double plait_link_thickness(const plait_detector *d, int link)
{
    return d->thickness * d->strand[d->link[link].strand].radius + d->reach +
           (d->ahead > 0 && d->continuous ? d->ahead * d->motion[link] : 0);
}

static inline double plait_link_arc(const plait_detector *d, int link, double a)
{
    const double *s = d->arc + d->link[link].node;
    return s[0] + a * (s[1] - s[0]);
}

#endif
