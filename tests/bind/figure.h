// Figures: a skeleton and a surface, put together joint by joint and piece by piece, small enough to know
// what their weights must be.
#ifndef SINEW_TEST_FIGURE_H
#define SINEW_TEST_FIGURE_H

#include "lattice_support.h"
#include "sinew/bind.h"

#define MOST_JOINTS 32
#define MOST_PIECES 48

// What points must get: weight on the joints whose bits are set, and on no other, most of it on `main` where
// that is not SN_NONE. A hard piece moves as one.
typedef struct FigurePiece {
    const char* name;
    uint32_t first, end; // points
    uint32_t joints;
    uint32_t main;
    bool hard;
} FigurePiece;

typedef struct Figure {
    Solid solid;
    uint32_t joint_count;
    uint32_t parents[MOST_JOINTS];
    snVec3 places[MOST_JOINTS];
    const char* names[MOST_JOINTS];
    uint8_t deforming[MOST_JOINTS];
    uint32_t piece_count;
    FigurePiece pieces[MOST_PIECES];
} Figure;

// Joint 0 stands at the origin, moves nothing and carries the mesh.
void figure_begin(Figure* figure);
uint32_t add_joint(Figure* figure, const char* name, uint32_t parent, snVec3 place);
// An end site: a place, not a joint.
void add_tip(Figure* figure, uint32_t parent, snVec3 place);
// What the points that were added since the last answer must get: weight on `main` and on `joints`.
void add_answer(Figure* figure, const char* name, uint32_t main, uint32_t joints, bool hard);
static inline uint32_t bit(uint32_t joint) { return 1u << joint; }

// A closed post along +Y, symmetric in x. Its points are numbered ring by ring from the foot, then the two
// poles.
#define SIDES 12
uint32_t add_post(Solid* solid, snVec3 foot, float radius, float height, uint32_t rings);
// A profile (radius, height) turned about the Y axis through `center`; the outside lies to the right of the
// way along it. A radius of 0 closes an end.
uint32_t add_lathe(Solid* solid, snVec3 center, const snVec2* profile, uint32_t count);
// Stretches and turns the points from `first` on about `center`.
void place_points(Solid* solid, uint32_t first, snVec3 center, snVec3 stretch, snQuat turn);

// Writes PATH.obj, PATH.bvh with the rest pose and a pose one second later, and PATH.txt with the names of
// the joints that deform.
bool figure_write(const Figure* figure, const char* path);

snResult make_model(const Figure* figure, const snAllocator* allocator, snModel** out);
snModel* bind_figure(const Figure* figure);
// Weight of a skeleton joint on a vertex of the first part.
float joint_weight(const snModel* model, uint32_t vertex, uint32_t joint);

#endif
