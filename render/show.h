// What surfaces can show instead of themselves, as numbers and colors of their vertices: pictures and
// viewports share it.
#ifndef SINEW_SHOW_H
#define SINEW_SHOW_H

#include "sinew/character.h"

// The weights of a joint of the skeleton; vertex_count. A rigid part belongs wholly to the node that carries
// it.
void sn_show_weights(const snModel* model, const snPart* part, uint32_t joint, float* out);
// A color for every joint, mixed by the weights; vertex_count, linear RGB.
void sn_show_all_weights(const snModel* model, const snPart* part, snVec4* out);

// Whether anything moves the surface from its skin: a lattice or, without one, what the settings say.
bool sn_show_has_moves(const snModel* model, const snSettings* settings);
// Millimetres of the hottest color, for a model with this diagonal at rest.
float sn_show_moves_max(const snModel* model, float diagonal);
// A character with the same skin, and nothing behind it.
snResult sn_show_plain(const snModel* model, const snSettings* settings, const snTasks* tasks,
                       snCpuLevel level, const snAllocator* allocator, snCharacter** out, snError* error);
// A character that costs little and stands at rest.
snResult sn_show_rest(const snModel* model, const snAllocator* allocator, snCharacter** out, snError* error);
// How far a surface is from another, in millimetres; vertex_count.
void sn_show_moves(snSurface moved, snSurface skin, float* out);

// Whether a part is closed and turned outward, so that nobody can see the back of a face. Anything doubtful
// is not.
snResult sn_part_is_solid(const snPart* part, snSurface surface, const snAllocator* memory, bool* out,
                          snError* error);

#endif
