// Sinew: polygon meshes. Triangles, quads and larger polygons in one plain structure; welding, topology,
// normals and volume on top of it.
#ifndef SINEW_SHAPE_H
#define SINEW_SHAPE_H

#include "sinew/math.h"

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------- mesh

// A view of mesh data that the caller owns; input of sn_mesh_create. Zero it, then set what exists.
//
// Faces: face f has the corners face_starts[f] .. face_starts[f + 1] - 1; corner c touches vertex corners[c].
// Texture coordinates and normals are indexed per corner as in OBJ (corner_uvs, corner_normals) or, where
// that index is NULL, per vertex as in glTF (then uv_count / normal_count must equal vertex_count).
typedef struct snMeshDef {
    uint32_t vertex_count;
    uint32_t face_count;
    uint32_t corner_count;
    const snVec3* positions;     // vertex_count, finite
    const uint32_t* face_starts; // face_count + 1, rising by 3 or more; NULL: all faces are triangles
    const uint32_t* corners;     // corner_count
    uint32_t normal_count;
    const snVec3* normals;          // normal_count or NULL
    const uint32_t* corner_normals; // corner_count or NULL
    uint32_t uv_count;
    const snVec2* uvs;          // uv_count or NULL
    const uint32_t* corner_uvs; // corner_count or NULL; SN_NONE: this corner has none
    const snVec4* colors;       // vertex_count or NULL; linear RGBA
    uint32_t group_count;
    const char* const* group_names; // group_count
    const uint32_t* face_groups;    // face_count or NULL; group of each face, SN_NONE: no group
} snMeshDef;

// The same, owned. Positions, normals and colors may be written to; counts and indices may not.
typedef struct snMesh {
    uint32_t vertex_count;
    uint32_t face_count;
    uint32_t corner_count;
    snVec3* positions;
    uint32_t* face_starts; // never NULL
    uint32_t* corners;
    uint32_t normal_count;
    snVec3* normals;
    uint32_t* corner_normals;
    uint32_t uv_count;
    snVec2* uvs;
    uint32_t* corner_uvs;
    snVec4* colors;
    uint32_t group_count;
    char** group_names;
    uint32_t* face_groups;
    snAllocator allocator;
} snMesh;

// Copies and checks: counts, index ranges, finite positions, no face under three corners. Zero faces are
// allowed (a point cloud), zero vertices too.
SN_API snResult sn_mesh_create(const snMeshDef* def, const snAllocator* allocator, snMesh** out,
                               snError* error);
SN_API void sn_mesh_destroy(snMesh* mesh);
// A view of a mesh, to pass it where a Def is asked for.
SN_API snMeshDef sn_mesh_def(const snMesh* mesh);
// How many faces have exactly three, exactly four, and more corners; any pointer may be NULL.
SN_API void sn_mesh_count_faces(const snMesh* mesh, uint32_t* triangles, uint32_t* quads, uint32_t* larger);
// Number of triangles after fanning every face from its first corner.
SN_API uint32_t sn_mesh_triangle_count(const snMesh* mesh);
// Writes that many triangles, 3 vertex indices each. Quads are cut along the diagonal 0-2.
SN_API void sn_mesh_triangulate(const snMesh* mesh, uint32_t* out_indices);
// 64-bit hash of positions and face indices; what SINEW_deformation stores to recognise a changed mesh.
SN_API uint64_t sn_mesh_hash(const snMesh* mesh);

// ------------------------------------------------------------------------------------------------- weld

// Which vertices share one deformation point. Seams split vertices (every glTF does); a point never splits.
typedef struct snWeld {
    uint32_t vertex_count;
    uint32_t point_count;
    uint32_t* point_of_vertex; // vertex_count; points are numbered by their first vertex
    uint32_t* vertex_of_point; // point_count; the first vertex of each point
    snAllocator allocator;
} snWeld;

// Joins vertices at most `tolerance` apart (metres, transitively); 0 joins exactly equal positions only,
// where -0 equals 0. SN_WELD_AUTO is 1e-6 of the diagonal of their bounds: what files round off, and what
// every stage of Sinew takes for one point (where faces are known, of the bounds of what they use).
#define SN_WELD_AUTO (-1.0f)
SN_API snResult sn_weld_create(const snVec3* positions, uint32_t count, float tolerance,
                               const snAllocator* allocator, snWeld** out, snError* error);
SN_API snResult sn_weld_copy(const snWeld* weld, const snAllocator* allocator, snWeld** out, snError* error);
SN_API void sn_weld_destroy(snWeld* weld);

// --------------------------------------------------------------------------------------------- topology

// Edges, neighbours and what kind of surface this is, over welded points. Faces that welding collapses to
// fewer than three different points take no part.
typedef struct snTopology {
    uint32_t point_count;
    uint32_t edge_count;
    uint32_t (*edges)[2];          // edge_count; points, lower first
    uint32_t* edge_face_counts;    // edge_count; how many face sides use the edge
    uint32_t* face_components;     // one per face of the mesh; SN_NONE for a collapsed face
    uint32_t* point_components;    // point_count; SN_NONE for a point no face uses
    uint32_t component_count;      // pieces joined by faces; loose points are not counted
    uint32_t boundary_edge_count;  // edges used once
    uint32_t loop_count;           // boundary loops
    uint32_t* loop_starts;         // loop_count + 1
    uint32_t* loop_points;         // points in order along each loop, in the direction of its faces
    uint32_t bad_edge_count;       // edges used more than twice
    uint32_t bad_point_count;      // points whose faces form more than one fan
    uint32_t flipped_edge_count;   // edges used twice in the same direction
    uint32_t collapsed_face_count; // faces without area after the weld
    bool closed;                   // at least one face and no edge used once
    bool manifold;                 // no bad edge and no bad point
    bool oriented;                 // no flipped edge
    snAllocator allocator;
} snTopology;

// `weld` NULL: the mesh's vertices are the points.
SN_API snResult sn_topology_create(const snMesh* mesh, const snWeld* weld, const snAllocator* allocator,
                                   snTopology** out, snError* error);
SN_API void sn_topology_destroy(snTopology* topology);

// ---------------------------------------------------------------------------------------------- origins

// What refined vertices are made of: vertex v is the sum of the old vertices sources[k] times shares[k], for
// k from starts[v] to below starts[v + 1]. Sources rise within a vertex, shares sum to one. Old vertices come
// first, each made of itself.
typedef struct snOrigins {
    uint32_t count;
    uint32_t* starts; // count + 1
    uint32_t* sources;
    float* shares;
    snAllocator allocator;
} snOrigins;
SN_API void sn_origins_destroy(snOrigins* origins);

// ------------------------------------------------------------------------------------ normals and volume

// Area-weighted vertex normals. Vertices of one welded point get the same normal, so seams do not show.
typedef struct snNormalsJob {
    const snMesh* mesh;      // faces
    const snWeld* weld;      // or NULL
    const snVec3* positions; // mesh->vertex_count; NULL: the mesh's own
    snVec3* out_normals;     // mesh->vertex_count; unit, or +Y where no face has area
} snNormalsJob;
SN_API snResult sn_normals_run(const snNormalsJob* job);

// Signed volume: positive when faces point outward. Triangles exactly, quads as bilinear patches, larger
// polygons as fans. `positions` NULL: the mesh's own. The surface need not be closed, but then the number
// depends on the origin.
SN_API double sn_mesh_volume(const snMesh* mesh, const snVec3* positions);
// Volume swept to the origin by one bilinear quad with the corners a, b, c, d listed around its border.
SN_API double sn_quad_volume(snVec3 a, snVec3 b, snVec3 c, snVec3 d);
SN_API double sn_mesh_area(const snMesh* mesh, const snVec3* positions);

// --------------------------------------------------------------------------------------------- sections

// A cross-section that moves with the surface: where a plane cut it at rest, followed along the edges that it
// cut. Its area tells whether a limb keeps its girth there.
typedef struct snSectionPoint {
    uint32_t a, b; // vertices of the edge
    float share;   // of the way from a to b
} snSectionPoint;
typedef struct snSection {
    uint32_t segment_count;
    snSectionPoint (*segments)[2]; // one per face that was cut, all running the same way round
    snAllocator allocator;
} snSection;
// Of all pieces of the cut, the one nearest to `point`. SN_RESULT_NOT_FOUND when the plane misses the mesh.
SN_API snResult sn_section_create(const snMesh* mesh, const snWeld* weld, snVec3 point, snVec3 normal,
                                  const snAllocator* allocator, snSection** out, snError* error);
SN_API void sn_section_destroy(snSection* section);
// Area that the section encloses (the length of its vector area), in the positions given; NULL: the mesh's.
SN_API double sn_section_area(const snSection* section, const snMesh* mesh, const snVec3* positions);

// ------------------------------------------------------------------------------------------- crossings

// Pairs of triangles that cut through each other. Triangles that share a point count only when they cross
// beyond it. The tree is made anew each time, in memory that the caller gives once.
typedef struct snCrossing {
    uint32_t a, b; // triangles, a < b
} snCrossing;
typedef struct snCrossingsJob {
    uint32_t point_count;
    const snVec3* points; // finite
    uint32_t triangle_count;
    const uint32_t (*triangles)[3]; // points; seams must be closed: equal places are one point
    const uint8_t* active;          // one per triangle: only pairs with one of these are wanted; NULL: all
    void* scratch;                  // sn_crossings_scratch_size(triangle_count), aligned to 16
    uint32_t capacity;
    snCrossing* out_crossings; // capacity, sorted by a then b
    uint32_t out_count;        // how many there are; those beyond the capacity are only counted
    const snTasks* tasks;
    snProgress progress; // told every few thousand triangles; nobody where it is zero
} snCrossingsJob;
SN_API size_t sn_crossings_scratch_size(uint32_t triangle_count);
SN_API snResult sn_crossings_run(snCrossingsJob* job);

#ifdef __cplusplus
}
#endif

#endif
