// The ground that paths are laid on: a height for every x and z, and its slope.
#include "base/curve.h"
#include "base/error.h"
#include "sinew/paths.h"

const char* sn_terrain_name(snTerrainKind kind) {
    static const char* const names[SN_TERRAIN_COUNT] = {"plane", "steps", "hills", "map"};
    return (unsigned)kind < SN_TERRAIN_COUNT ? names[kind] : "none";
}

// --------------------------------------------------------------------------------------------------- rules

static snResult check_waves(const snTerrain* terrain, snError* error) {
    snVec2 d = terrain->direction;
    float squared = d.x * d.x + d.y * d.y;
    if (!(fabsf(squared - 1.0f) < 1e-3f))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the terrain's direction is not a unit vector");
    if (!(terrain->length > 0.0f) || !sn_finite(terrain->length))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the terrain's length is %g; above 0 is expected",
                        (double)terrain->length);
    if (!sn_finite(terrain->begin))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the terrain's origin is not finite");
    if (terrain->kind == SN_TERRAIN_STEPS && !(terrain->edge >= 0.0f && terrain->edge <= terrain->length))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the terrain's edge is %g; 0 to %g are expected",
                        (double)terrain->edge, (double)terrain->length);
    return SN_RESULT_OK;
}

static snResult check_map(const snTerrain* terrain, snError* error) {
    if (terrain->columns < 2 || terrain->rows < 2 || terrain->heights == NULL)
        return sni_fail(error, SN_RESULT_BAD_DATA, "the terrain's map has %u x %u heights; 2 x 2 are needed",
                        terrain->columns, terrain->rows);
    bool wide = terrain->low.x < terrain->high.x && terrain->low.y < terrain->high.y;
    if (!wide || !sn_finite(terrain->high.x - terrain->low.x) || !sn_finite(terrain->high.y - terrain->low.y))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the terrain's map covers no area");
    size_t count = (size_t)terrain->columns * terrain->rows;
    for (size_t i = 0; i < count; i++) {
        if (!sn_finite(terrain->heights[i]))
            return sni_fail(error, SN_RESULT_BAD_DATA, "height %zu of the terrain's map is not finite", i);
    }
    return SN_RESULT_OK;
}

snResult sn_terrain_validate(const snTerrain* terrain, snError* error) {
    if (terrain == NULL || (unsigned)terrain->kind >= SN_TERRAIN_COUNT)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a terrain of a known kind is needed");
    if (!sn_finite(terrain->height))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the terrain's height is not finite");
    switch (terrain->kind) {
    case SN_TERRAIN_STEPS:
    case SN_TERRAIN_HILLS:
        return check_waves(terrain, error);
    case SN_TERRAIN_MAP:
        return check_map(terrain, error);
    case SN_TERRAIN_PLANE:
    case SN_TERRAIN_COUNT:
        break;
    }
    if (!sn_finite(terrain->slope_x) || !sn_finite(terrain->slope_z))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the terrain's slope is not finite");
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- heights

// A height, and how fast it grows along x and z.
typedef struct Ground {
    float height, along_x, along_z;
} Ground;

// What rises along a direction only.
static Ground along(const snTerrain* terrain, float height, float rise) {
    Ground ground = {height, rise * terrain->direction.x, rise * terrain->direction.y};
    return ground;
}

static float distance_along(const snTerrain* terrain, float x, float z) {
    return x * terrain->direction.x + z * terrain->direction.y - terrain->begin;
}

// The risers stand at 0, length, 2 length and so on; the way up to one takes the last `edge` metres before.
static Ground on_steps(const snTerrain* terrain, float x, float z) {
    float at = distance_along(terrain, x, z);
    float most = terrain->steps > 0 ? (float)terrain->steps : INFINITY;
    float climbed = sn_clampf(floorf(at / terrain->length) + 1.0f, 0.0f, most);
    float before = climbed * terrain->length - at; // the next riser
    if (!(before < terrain->edge) || climbed >= most) return along(terrain, terrain->height * climbed, 0.0f);
    float t = 1.0f - before / terrain->edge;
    float slope = terrain->height * 6.0f * t * (1.0f - t) / terrain->edge;
    return along(terrain, terrain->height * (climbed + sni_smooth_step(t)), slope);
}

// Waves that leave the level ground without a kink.
static Ground on_hills(const snTerrain* terrain, float x, float z) {
    float at = distance_along(terrain, x, z) / terrain->length;
    if (!(at > 0.0f)) return along(terrain, 0.0f, 0.0f);
    float angle = 2.0f * SN_PI * (at - floorf(at));
    float rise = terrain->height * SN_PI * sn_sin(angle) / terrain->length;
    return along(terrain, terrain->height * 0.5f * (1.0f - sn_cos(angle)), rise);
}

// The cell of a map that a coordinate lies in, and where in it.
static float cell_at(float at, float low, float high, uint32_t count, uint32_t* out_cell) {
    float cells = (float)(count - 1);
    float place = sn_clampf((at - low) / (high - low) * cells, 0.0f, cells);
    if (!(place == place)) place = 0.0f;
    float cell = sn_minf(floorf(place), cells - 1.0f);
    *out_cell = (uint32_t)cell;
    return place - cell;
}

static Ground on_map(const snTerrain* terrain, float x, float z) {
    uint32_t column = 0, row = 0;
    float u = cell_at(x, terrain->low.x, terrain->high.x, terrain->columns, &column);
    float v = cell_at(z, terrain->low.y, terrain->high.y, terrain->rows, &row);
    const float* near = terrain->heights + (size_t)row * terrain->columns + column;
    const float* far = near + terrain->columns;
    float left = sn_lerpf(near[0], far[0], v), right = sn_lerpf(near[1], far[1], v);
    float low = sn_lerpf(near[0], near[1], u), high = sn_lerpf(far[0], far[1], u);
    bool beside = x < terrain->low.x || x > terrain->high.x;
    bool beyond = z < terrain->low.y || z > terrain->high.y;
    float wide = (terrain->high.x - terrain->low.x) / (float)(terrain->columns - 1);
    float deep = (terrain->high.y - terrain->low.y) / (float)(terrain->rows - 1);
    Ground ground = {terrain->height * sn_lerpf(left, right, u),
                     beside ? 0.0f : terrain->height * (right - left) / wide,
                     beyond ? 0.0f : terrain->height * (high - low) / deep};
    return ground;
}

static Ground ground_at(const snTerrain* terrain, float x, float z) {
    Ground level = {0.0f, 0.0f, 0.0f};
    if (terrain == NULL) return level;
    switch (terrain->kind) {
    case SN_TERRAIN_STEPS:
        return on_steps(terrain, x, z);
    case SN_TERRAIN_HILLS:
        return on_hills(terrain, x, z);
    case SN_TERRAIN_MAP:
        return on_map(terrain, x, z);
    case SN_TERRAIN_PLANE:
        level.height = terrain->height + terrain->slope_x * x + terrain->slope_z * z;
        level.along_x = terrain->slope_x;
        level.along_z = terrain->slope_z;
        break;
    case SN_TERRAIN_COUNT:
        break;
    }
    return level;
}

float sn_terrain_height(const snTerrain* terrain, float x, float z) {
    return ground_at(terrain, x, z).height;
}

snVec3 sn_terrain_normal(const snTerrain* terrain, float x, float z) {
    Ground ground = ground_at(terrain, x, z);
    return sn_normalize_or(sn_vec3(-ground.along_x, 1.0f, -ground.along_z), sn_vec3(0.0f, 1.0f, 0.0f));
}
