// Sinew: posing a surface without a skeleton (after Hansen 2006). Handles mark what is rigid: sets of
// vertices with a center to turn about. Here they are chosen and made; sinew/surface.h moves what lies
// between them, sinew/segment.h guesses them.
#ifndef SINEW_HANDLES_H
#define SINEW_HANDLES_H

#include "sinew/retarget.h"
#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------- handles

#define SN_HANDLES_MAX 1024u

typedef struct snHandleDef {
    const char* name;          // unique, not empty
    const uint32_t* vertices;  // vertex_count, of the mesh; a vertex belongs to one handle at most
    const float* weights;      // vertex_count, 0 .. 1: from "as if it were free" to rigid; NULL: all 1
    const uint32_t* followers; // handles that go along when it is moved, and theirs in turn; no circles
    uint32_t vertex_count;
    uint32_t follower_count;
    snVec3 center;    // what it turns about, in the rest pose
    float confidence; // 0 .. 1: how sure a guess is; 1 where a person said so
} snHandleDef;

typedef struct snHandlesDef {
    const snMesh* mesh; // which the handles are for
    uint32_t handle_count;
    const snHandleDef* handles;
} snHandlesDef;

typedef struct snHandle {
    char* name;
    uint32_t vertex_count;
    uint32_t* vertices; // rising
    float* weights;     // vertex_count
    snVec3 center;
    snVec3 position; // mean of its vertices by weight: the point that targets are for
    uint32_t follower_count;
    uint32_t* followers; // rising; as given
    float confidence;
} snHandle;

typedef struct snHandles {
    uint32_t vertex_count; // of the mesh
    uint64_t mesh_hash;    // sn_mesh_hash
    float size;            // metres; diagonal of the mesh's bounds
    uint32_t handle_count;
    snHandle* handles;
    snAllocator allocator;
} snHandles;

// SN_RESULT_BAD_DATA, naming handle and vertex: vertices out of range, twice, in two handles; weights out of
// range; circles of followers; a handle without vertices; equal names; none at all or too many.
SN_API snResult sn_handles_create(const snHandlesDef* def, const snAllocator* allocator, snHandles** out,
                                  snError* error);
SN_API void sn_handles_destroy(snHandles* handles);
SN_API uint32_t sn_handles_find(const snHandles* handles, const char* name); // or SN_NONE
// Handles as joints of the same numbers: each is a child of the first that it follows, at its center.
SN_API snResult sn_handles_skeleton(const snHandles* handles, const snAllocator* allocator, snSkeleton** out,
                                    snError* error);
// What each handle is in a body (handle_count names, as sn_skeleton_anatomy has them); "" for what is no part
// of one.
SN_API snResult sn_handles_anatomy(const snHandles* handles, const snAllocator* allocator,
                                   snJointName* out_names);
// The handle of a name, else of a part of the body ("LeftElbow"), else (`out_above` is true then, it may be
// NULL) of what carries that part: poses and paths of one model go to another by it. SN_NONE: there is none.
SN_API uint32_t sn_handles_find_part(const snHandles* handles, const snJointName* anatomy, const char* name,
                                     bool* out_above);
// Vertices of the mesh that no handle has.
SN_API uint32_t sn_handles_free_count(const snHandles* handles);
// The largest of its weights; with 0 it holds nothing, and a piece that has no other cannot be posed.
SN_API float sn_handle_max_weight(const snHandle* handle);
// Whether the handles are for this mesh; SN_RESULT_BAD_DATA says what differs.
SN_API snResult sn_handles_validate(const snHandles* handles, const snMesh* mesh, snError* error);
// Marks a handle and all that goes along with it: handle_count bytes, 0 or 1.
SN_API void sn_handles_followers(const snHandles* handles, uint32_t handle, uint8_t* out_marks);

// ------------------------------------------------------------------------------------------------- selector

// What choosing needs to know of a mesh: which vertices are one point, and who their neighbours are. Keeps
// the mesh, which must outlive it, and room to work in: one thread at a time.
typedef struct snSelector snSelector;
// `weld` is read while creating only; NULL: vertices at one place (SN_WELD_AUTO) are one point.
SN_API snResult sn_selector_create(const snMesh* mesh, const snWeld* weld, const snAllocator* allocator,
                                   snSelector** out, snError* error);
SN_API void sn_selector_destroy(snSelector* selector);

// ------------------------------------------------------------------------------------------------- choosing

// Selections are marks that the caller owns: mesh->vertex_count bytes, 0 or 1. What a helper finds is put
// together with the marks that are there.
typedef enum snCombine {
    SN_COMBINE_SET = 0,  // what was found, nothing else
    SN_COMBINE_ADD,      // also what was found
    SN_COMBINE_SUBTRACT, // but what was found
    SN_COMBINE_KEEP,     // of what is marked, only what was found
    SN_COMBINE_COUNT
} snCombine;

// A rectangle on the screen in normalised device coordinates: -1 .. 1, x to the right, y upwards.
typedef struct snScreenBox {
    snMat4 view_projection; // world to clip space; what has w <= 0 is behind the camera and never inside
    float x0, y0, x1, y1;   // in any order
} snScreenBox;

// `positions` (vertex_count) or NULL: the mesh's own. Seams never divide: vertices of one point are chosen
// together wherever neighbours count.
SN_API void sn_select_box(const snSelector* selector, const snVec3* positions, const snScreenBox* box,
                          snCombine combine, uint8_t* marks);
// Of what is in the box, the piece of surface that the seed vertex is on; nothing where the seed is outside.
SN_API void sn_select_flood(snSelector* selector, const snVec3* positions, const snScreenBox* box,
                            uint32_t seed, snCombine combine, uint8_t* marks);
// Where the normal points towards the eye. `normals`: vertex_count.
SN_API void sn_select_facing(const snSelector* selector, const snVec3* positions, const snVec3* normals,
                             snVec3 eye, snCombine combine, uint8_t* marks);
// Places in the mesh's space; borders count as inside.
SN_API void sn_select_bounds(const snSelector* selector, const snVec3* positions, snBounds bounds,
                             snCombine combine, uint8_t* marks);
SN_API void sn_select_ball(const snSelector* selector, const snVec3* positions, snVec3 center, float radius,
                           snCombine combine, uint8_t* marks);
// Within `radius` metres of the seed vertex along the surface. Distances go along edges and straight across
// triangles (two known corners give the third by unfolding), so they hardly depend on how the surface is cut
// into faces. `out_distances`: vertex_count, or NULL; infinite beyond the radius and where no way leads.
SN_API void sn_select_brush(snSelector* selector, const snVec3* positions, uint32_t seed, float radius,
                            snCombine combine, uint8_t* marks, float* out_distances);
// Vertices of the faces of a group, that is of all groups of this name. SN_RESULT_NOT_FOUND.
SN_API snResult sn_select_group(const snSelector* selector, const char* name, snCombine combine,
                                uint8_t* marks, snError* error);
// Vertices whose linear RGB differs by `tolerance` at most (largest of the three differences).
// SN_RESULT_NOT_FOUND where the mesh has no colors.
SN_API snResult sn_select_color(const snSelector* selector, snVec3 color, float tolerance, snCombine combine,
                                uint8_t* marks, snError* error);

// Rings of neighbours more, or fewer: a vertex goes when a neighbour is not marked. Open borders of the mesh
// are no border of a selection.
SN_API void sn_select_grow(snSelector* selector, uint32_t rings, uint8_t* marks);
SN_API void sn_select_shrink(snSelector* selector, uint32_t rings, uint8_t* marks);

// Vertices of a rigged model (of all its parts in order, as sn_model_merge_mesh has them) that the joint
// moves by `share` of their weight or more.
SN_API void sn_select_joint(const snModel* model, uint32_t joint, float share, snCombine combine,
                            uint8_t* marks);

// ------------------------------------------------------------------------------------ from marks to handles

// Marked vertices in rising order; returns how many. `out_vertices`: vertex_count, or NULL to count only.
SN_API uint32_t sn_selection_vertices(const snSelector* selector, const uint8_t* marks,
                                      uint32_t* out_vertices);
// Weights that rise from the border of a selection inwards: k / (rings + 1) in its k-th ring, 1 further in
// and everywhere for 0 rings. 0 outside. `out_weights`: vertex_count.
SN_API void sn_selection_feather(snSelector* selector, const uint8_t* marks, uint32_t rings,
                                 float* out_weights);
// Where a handle of these vertices would turn: the mean of that ring of its border which is nearest to the
// handle that is its parent (`parent`: marks). Without a parent or a way to it: the mean of the selection.
SN_API snVec3 sn_selection_center(snSelector* selector, const uint8_t* marks, const uint8_t* parent);

// ------------------------------------------------------------------------------ handles of what is there

// A rigged model becomes a handle structure over all of its parts (sn_model_merge_mesh): one handle a joint,
// with the joint's name and place, followed by those of the joints below. One that would be a child of the
// root, but borders on another much more (a foot for inverse kinematics), goes with that. Limbs and the trunk
// of a body have handles however soft and small they are, unless its hips move nothing: of a joint without
// rigid vertices those that it moves nearly as much as any.
typedef struct snHandlesFromSkinDef {
    const snModel* model;
    float rigid;        // vertices moved by one joint to this share or more are its handle's; default 0.8
    float smallest;     // joints with fewer vertices go to their parents, share of all; default 0.002
    bool merge_fingers; // fingers belong to the hand; default true
} snHandlesFromSkinDef;
SN_API snHandlesFromSkinDef sn_handles_from_skin_def(void);
// `mesh`: that of sn_model_merge_mesh. SN_RESULT_BAD_DATA where no joint moves anything.
SN_API snResult sn_handles_from_skin(const snHandlesFromSkinDef* def, const snMesh* mesh,
                                     const snAllocator* allocator, snHandles** out, snError* error);

// One handle for every group of faces, or for every color of vertices; vertices of several stay free, and so
// do `free_rings` rings along the borders. Where they touch, the smaller is a
// child of the larger. Loose pieces that no handle has then go to the nearest, as by sn_handles_hold_pieces.
typedef struct snHandlesFromMarksDef {
    const snMesh* mesh;
    bool colors;         // by color; default false: by group
    uint32_t free_rings; // default 1
    float smallest;      // share of the vertices below which a group or color is left out; default 0.002
} snHandlesFromMarksDef;
SN_API snHandlesFromMarksDef sn_handles_from_marks_def(void);
// `out_pieces` (how many loose pieces were given away) may be NULL.
SN_API snResult sn_handles_from_marks(const snHandlesFromMarksDef* def, const snAllocator* allocator,
                                      snHandles** out, uint32_t* out_pieces, snError* error);

// The same handles, with every loose piece of the surface of which no vertex is in a handle (an eye, a
// button, a single vertex) in the handle whose surface is nearest to it, with a weight of 1: what nothing
// holds cannot be posed. `out_pieces` (how many those were) may be NULL. SN_RESULT_BAD_DATA: handles for
// another mesh.
SN_API snResult sn_handles_hold_pieces(const snHandles* handles, const snMesh* mesh,
                                       const snAllocator* allocator, snHandles** out, uint32_t* out_pieces,
                                       snError* error);

#ifdef __cplusplus
}
#endif

#endif
