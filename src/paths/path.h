// Where a path is, for those who ask often: sn_path_at looks for the rests around a time among all keys.
#ifndef SNI_PATHS_PATH_H
#define SNI_PATHS_PATH_H

#include "sinew/paths.h"

// The last key that has begun, or the first.
uint32_t sni_path_key(const snPathDef* path, float time);
// The same as sn_path_at, from that key and the keys that rest around it: the last one up to it, the first
// one after it; SN_NONE: none.
snPathPoint sni_path_between(const snPathDef* path, const snTerrain* terrain, float time, uint32_t key,
                             uint32_t before, uint32_t after);
// How the handle is turned; of paths that have turns.
snQuat sni_path_turn(const snPathDef* path, float time);
// Only the place and whether it rests; `since` and `until` are INFINITY.
snPathPoint sni_path_place(const snPathDef* path, const snTerrain* terrain, float time);

#endif
