// Paths through keys over time. Smooth ones use cubics with the tangents of Fritsch and Butland (1984), one
// coordinate at a time: they never leave the box of two neighbouring keys, so a foot does not sink before it
// is set down, and a key that rests has no slope, so nothing creeps.
#include "paths/path.h"

#include "base/error.h"
#include "base/memory.h"

// What the squared length of a rotation may be off.
#define UNIT 1e-3f

// ---------------------------------------------------------------------------------------------------- rules

snResult sn_path_validate(const snPathDef* path, snError* error) {
    if (path == NULL || (path->keys == NULL && path->key_count > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path with its keys is needed");
    if (path->key_count == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "a path has no key");
    if (!(path->strength >= 0.0f) || !sn_finite(path->strength))
        return sni_fail(error, SN_RESULT_BAD_DATA, "a path's strength is %g; 0 or more is expected",
                        (double)path->strength);
    if (!(path->roll >= 0.0f && path->roll <= 2.0f))
        return sni_fail(error, SN_RESULT_BAD_DATA, "a path's roll is %g; 0 to 2 is expected",
                        (double)path->roll);
    if (!(path->reach >= 0.0f && path->reach <= 1.0f))
        return sni_fail(error, SN_RESULT_BAD_DATA, "a path's reach is %g; 0 to 1 is expected",
                        (double)path->reach);
    if (!sn_vec3_finite(path->point))
        return sni_fail(error, SN_RESULT_BAD_DATA, "a path's point is not finite");
    for (uint32_t i = 0; path->turns != NULL && i < path->key_count; i++) {
        snQuat turn = path->turns[i];
        if (!(fabsf(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z + turn.w * turn.w - 1.0f) <= UNIT))
            return sni_fail(error, SN_RESULT_BAD_DATA, "the rotation of key %u of a path is not valid", i);
    }
    for (uint32_t i = 0; i < path->key_count; i++) {
        const snPathKey* key = &path->keys[i];
        if (!sn_finite(key->time) || !sn_vec3_finite(key->place))
            return sni_fail(error, SN_RESULT_BAD_DATA, "key %u of a path is not finite", i);
        if (!(key->rest >= 0.0f) || !sn_finite(key->time + key->rest))
            return sni_fail(error, SN_RESULT_BAD_DATA, "key %u of a path has a rest of %g seconds", i,
                            (double)key->rest);
        if (i > 0 && !(key->time > key[-1].time + key[-1].rest))
            return sni_fail(error, SN_RESULT_BAD_DATA,
                            "key %u of a path is at %g seconds, but the one before lasts until %g", i,
                            (double)key->time, (double)(key[-1].time + key[-1].rest));
    }
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------------- place

static float end_of(const snPathKey* key) { return key->time + key->rest; }

// key_count is never 0 here.
uint32_t sni_path_key(const snPathDef* path, float time) {
    uint32_t low = 0, high = path->key_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (path->keys[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static float slope_between(float before, float here, float after, float span_before, float span_after) {
    float left = (here - before) / span_before, right = (after - here) / span_after;
    if (!(left * right > 0.0f)) return 0.0f;
    float all = 3.0f * (span_before + span_after);
    return all / ((2.0f * span_after + span_before) / left + (span_after + 2.0f * span_before) / right);
}

static snVec3 slope_at(const snPathDef* path, uint32_t i) {
    const snPathKey* key = &path->keys[i];
    if (i == 0 || i + 1 == path->key_count || key->rest > 0.0f) return sn_vec3(0.0f, 0.0f, 0.0f);
    snVec3 a = key[-1].place, b = key->place, c = key[1].place;
    float before = key->time - end_of(&key[-1]), after = key[1].time - key->time;
    return sn_vec3(slope_between(a.x, b.x, c.x, before, after), slope_between(a.y, b.y, c.y, before, after),
                   slope_between(a.z, b.z, c.z, before, after));
}

static float cubic(float a, float slope_a, float b, float slope_b, float span, float t) {
    float way = b - a;
    float bend_a = slope_a * span - way, bend_b = way - slope_b * span;
    float at = a + way * t + t * (1.0f - t) * (bend_a * (1.0f - t) + bend_b * t);
    // Rounding must not carry it beyond its keys.
    return a < b ? sn_clampf(at, a, b) : sn_clampf(at, b, a);
}

static snVec3 place_between(const snPathDef* path, uint32_t i, float time) {
    const snPathKey *a = &path->keys[i], *b = a + 1;
    float span = b->time - end_of(a);
    float t = sn_clampf((time - end_of(a)) / span, 0.0f, 1.0f);
    if (!path->smooth) return sn_lerp(a->place, b->place, t);
    snVec3 from = slope_at(path, i), to = slope_at(path, i + 1);
    return sn_vec3(cubic(a->place.x, from.x, b->place.x, to.x, span, t),
                   cubic(a->place.y, from.y, b->place.y, to.y, span, t),
                   cubic(a->place.z, from.z, b->place.z, to.z, span, t));
}

static snPathPoint place_from(const snPathDef* path, const snTerrain* terrain, float time, uint32_t i) {
    const snPathKey* key = &path->keys[i];
    bool moving = time > end_of(key) && i + 1 < path->key_count;
    // What rests at last stays there.
    bool rests = key->rest > 0.0f && time >= key->time && !moving;
    snPathPoint point = {key->place, rests, INFINITY, INFINITY};
    if (moving) point.place = place_between(path, i, time);
    if (path->draped) point.place.y += sn_terrain_height(terrain, point.place.x, point.place.z);
    return point;
}

snQuat sni_path_turn(const snPathDef* path, float time) {
    uint32_t i = sni_path_key(path, time);
    const snPathKey* key = &path->keys[i];
    if (i + 1 == path->key_count || time <= end_of(key)) return path->turns[i];
    float t = sn_clampf((time - end_of(key)) / (key[1].time - end_of(key)), 0.0f, 1.0f);
    return sn_quat_slerp(path->turns[i], path->turns[i + 1], t);
}

snPathPoint sni_path_place(const snPathDef* path, const snTerrain* terrain, float time) {
    return place_from(path, terrain, time, sni_path_key(path, time));
}

snPathPoint sni_path_between(const snPathDef* path, const snTerrain* terrain, float time, uint32_t key,
                             uint32_t before, uint32_t after) {
    snPathPoint point = place_from(path, terrain, time, key);
    uint32_t next = before == key && time <= end_of(&path->keys[key]) ? key : after;
    if (before != SN_NONE) point.since = sn_maxf(time - end_of(&path->keys[before]), 0.0f);
    if (next != SN_NONE) point.until = sn_maxf(path->keys[next].time - time, 0.0f);
    return point;
}

snPathPoint sn_path_at(const snPathDef* path, const snTerrain* terrain, float time) {
    uint32_t key = sni_path_key(path, time), before = key, after = key + 1;
    while (before != SN_NONE && path->keys[before].rest <= 0.0f) before--; // SN_NONE comes before 0
    while (after < path->key_count && path->keys[after].rest <= 0.0f) after++;
    return sni_path_between(path, terrain, time, key, before, after < path->key_count ? after : SN_NONE);
}

// --------------------------------------------------------------------------------------------------- copies

void sn_paths_destroy(snPaths* paths) {
    if (paths == NULL) return;
    snAllocator memory = paths->allocator;
    for (uint32_t i = 0; paths->paths != NULL && i < paths->path_count; i++) {
        sni_free(&memory, (void*)paths->paths[i].keys);
        sni_free(&memory, (void*)paths->paths[i].turns);
    }
    sni_free(&memory, paths->paths);
    sni_free(&memory, paths);
}

snResult sn_paths_copy(const snPathDef* paths, uint32_t count, const snAllocator* allocator, snPaths** out,
                       snError* error) {
    if (out == NULL || (paths == NULL && count > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "paths and a place for them are needed");
    snAllocator memory = sni_allocator(allocator);
    snPaths* copy = SNI_NEW(&memory, snPaths);
    if (copy == NULL) return sni_fail_memory(error);
    copy->allocator = memory;
    copy->paths = SNI_NEW_ARRAY(&memory, snPathDef, count);
    for (uint32_t i = 0; copy->paths != NULL && i < count; i++) {
        snPathKey* keys = sni_copy_array(&memory, paths[i].keys, paths[i].key_count, sizeof *keys);
        snQuat* turns = NULL;
        if (keys != NULL && paths[i].turns != NULL)
            turns = sni_copy_array(&memory, paths[i].turns, paths[i].key_count, sizeof *turns);
        if (keys == NULL) break;
        copy->paths[i] = paths[i];
        copy->paths[i].keys = keys;
        copy->paths[i].turns = turns;
        copy->path_count = i + 1;
        if (turns == NULL && paths[i].turns != NULL) break;
    }
    bool whole = copy->paths != NULL && copy->path_count == count;
    for (uint32_t i = 0; i < count && whole; i++)
        whole = paths[i].turns == NULL || copy->paths[i].turns != NULL;
    if (!whole) {
        sn_paths_destroy(copy);
        return sni_fail_memory(error);
    }
    *out = copy;
    return SN_RESULT_OK;
}
