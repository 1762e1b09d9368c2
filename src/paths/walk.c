// Footsteps along a line on the ground, as paths of the feet.
#include "base/curve.h"
#include "base/error.h"
#include "base/memory.h"
#include "sinew/paths.h"

#define MOST_STEPS 100000u
// Keys of a step: it leaves, three on the way, and it stands.
#define KEYS_A_STEP 4u
// Where the highest ground between two places is looked for.
#define PROBES 16u
// By how much a foot goes ahead later than it comes, of its step, where it has to be lifted over an edge. By
// eye, on stairs, as is how high it is over what is in its way.
#define LATER_OVER_EDGES 0.7f
// What is left of the lift of the shortest steps. By eye.
#define LOWEST 0.5f

// About how people walk; judged.
snWalkDef sn_walk_def(void) {
    snWalkDef def = {0};
    def.stride = 1.2f;
    def.lift = 0.15f;
    def.cycle = 1.1f;
    def.duty = 0.6f;
    def.wait = 0.3f;
    def.strength = 1.0f;
    def.roll = 1.0f;
    return def;
}

// Step length over cadence is nearly the same at all speeds for somebody who walks as they like (Sekiya and
// Nagasaki 1998), and for others as their legs are long: steps in legs, times in those of a pendulum as long.
// Their 0.0064 m for a step a minute are 1.4 on legs of 0.9 m; the captures cmu_02_01 and cmu_35_01 have 1.3.
#define WALK_RATIO 1.35f
// Share of a cycle that a foot stands at no speed, and by how much it falls up to where a leg could just not
// hold the body down: two thirds at a stroll and hardly more than half where people begin to run.
#define DUTY_STILL 0.66f
#define DUTY_FALLS 0.16f
// Strides shorter than this, in legs, lift feet less. About those of the captures above.
#define WHOLE_STRIDE 1.45f
#define GRAVITY 9.81f

// --------------------------------------------------------------------------------------------------- line

static float piece_length(snVec2 a, snVec2 b) {
    float x = b.x - a.x, z = b.y - a.y;
    return sqrtf(x * x + z * z);
}

// A place `along` metres down the line, and its direction there.
static void line_at(const snWalkDef* def, float along, snVec2* out_place, snVec2* out_direction) {
    uint32_t i = 0;
    float length = piece_length(def->line[0], def->line[1]);
    for (; i + 2 < def->line_count && along > length; i++) {
        along -= length;
        length = piece_length(def->line[i + 1], def->line[i + 2]);
    }
    snVec2 a = def->line[i], b = def->line[i + 1];
    snVec2 direction = {(b.x - a.x) / length, (b.y - a.y) / length};
    out_place->x = a.x + direction.x * along;
    out_place->y = a.y + direction.y * along;
    *out_direction = direction;
}

static snResult check_walk(const snWalkDef* def, float* out_length, snError* error) {
    if (def == NULL || def->foot_count == 0 || def->feet == NULL || def->line_count < 2 || def->line == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a walk needs feet and a line of two points");
    bool good = def->stride > 0.0f && def->cycle > 0.0f && def->duty > 0.0f && def->duty < 1.0f &&
                def->wait >= 0.0f && def->lift >= 0.0f && def->strength >= 0.0f && def->roll >= 0.0f &&
                def->roll <= 2.0f &&
                sn_finite(def->stride + def->cycle + def->wait + def->lift + def->strength);
    if (!good)
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "a walk needs a stride and a cycle above 0, a duty between 0 and 1, a lift, a wait "
                        "and a strength of 0 or more, and a roll of 0 to 2");
    float length = 0.0f;
    for (uint32_t i = 0; i + 1 < def->line_count; i++) {
        float piece = piece_length(def->line[i], def->line[i + 1]);
        if (!(piece > 0.0f))
            return sni_fail(error, SN_RESULT_BAD_DATA, "points %u and %u of the walk's line are the same", i,
                            i + 1);
        length += piece;
    }
    for (uint32_t f = 0; f < def->foot_count; f++) {
        const snWalkFoot* foot = &def->feet[f];
        if (!(foot->phase >= 0.0f && foot->phase <= 1.0f) || !sn_vec3_finite(foot->point) ||
            !sn_finite(foot->side + foot->ahead))
            return sni_fail(error, SN_RESULT_BAD_DATA,
                            "foot %u of the walk has a phase or a position that is out of range", f);
    }
    if (!sn_finite(length)) return sni_fail(error, SN_RESULT_BAD_DATA, "the walk's line is not finite");
    if (length / def->stride > (float)MOST_STEPS)
        return sni_fail(error, SN_RESULT_LIMIT, "the walk has more than %u steps", MOST_STEPS);
    *out_length = length;
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- pace

static float fit_stride(float length, float stride) {
    return length / sn_maxf(floorf(length / stride + 0.5f), 1.0f);
}

// A leg of length l that stands is a pendulum of which g l is the largest squared speed: beyond it the body
// leaves the ground.
snResult sn_walk_pace(snWalkDef* def, float speed, float leg, snError* error) {
    float length;
    snResult result = check_walk(def, &length, error);
    if (result != SN_RESULT_OK) return result;
    if (!(speed > 0.0f && leg > 0.0f) || !sn_finite(speed + leg))
        return sni_fail(error, SN_RESULT_BAD_DATA, "a walk's speed and leg are above 0, not %g and %g",
                        (double)speed, (double)leg);
    float fastest = sqrtf(GRAVITY * leg), share = speed / fastest;
    if (share > 1.0f)
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "nobody walks at %g m/s on legs of %.2f m; above %.2f they would leave the ground",
                        (double)speed, (double)leg, (double)fastest);
    // Length times cadence is the speed, length over cadence the ratio.
    def->stride = fit_stride(length, 2.0f * leg * sqrtf(WALK_RATIO * share));
    def->cycle = def->stride / speed;
    def->duty = DUTY_STILL - DUTY_FALLS * share;
    def->lift *= sn_minf(def->stride / (WHOLE_STRIDE * leg), 1.0f);
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- steps

typedef struct Walk {
    const snWalkDef* def;
    const snTerrain* terrain;
    float length;
    float cycles; // whole
} Walk;

// Where a foot stands when the body is `along` metres down the line: beside it as in the rest pose.
static snVec3 stand(const Walk* walk, const snWalkFoot* foot, float along) {
    snVec2 place, forward;
    line_at(walk->def, along, &place, &forward);
    float side = foot->point.x + foot->side, ahead = foot->point.z + foot->ahead;
    // Left of +Z is +X.
    float x = place.x + forward.y * side + forward.x * ahead;
    float z = place.y - forward.x * side + forward.y * ahead;
    return sn_vec3(x, sn_terrain_height(walk->terrain, x, z), z);
}

// How far the ground between two places rises above the straight line between them.
static float obstacle(const Walk* walk, snVec3 from, snVec3 to) {
    float most = 0.0f;
    for (uint32_t i = 1; i < PROBES; i++) {
        snVec3 at = sn_lerp(from, to, (float)i / (float)PROBES);
        most = sn_maxf(most, sn_terrain_height(walk->terrain, at.x, at.z) - at.y);
    }
    return most;
}

// The heel leaves first and is highest before the leg has swung past; the foot then comes down slowly.
// Heights are those of the captures that RISE of player_stands.c comes from.
static void swing(const Walk* walk, snVec3 from, snVec3 to, float time, snPathKey* keys) {
    static const float heights[3] = {1.0f, 0.6f, 0.18f}, over_heights[3] = {0.8f, 1.0f, 1.0f};
    const snWalkDef* def = walk->def;
    float over = obstacle(walk, from, to);
    // Edges ask for rising first and going ahead then.
    bool edges = walk->terrain != NULL && walk->terrain->kind == SN_TERRAIN_STEPS;
    float later = edges && over > 0.0f ? LATER_OVER_EDGES * over / (heights[1] * def->lift + over) : 0.0f;
    float span = (1.0f - def->duty) * def->cycle;
    // Short steps, those of starting and stopping, are low ones; all come down alike.
    float x = to.x - from.x, z = to.z - from.z, stride = walk->length / walk->cycles;
    float lift = def->lift * sn_clampf(sqrtf(x * x + z * z) / stride, LOWEST, 1.0f);
    for (uint32_t i = 0; i < 3; i++) {
        float t = (float)(i + 1) * 0.25f;
        snVec3 at = sn_lerp(from, to, sni_smooth_step(t - later * t * (1.0f - t)));
        at.y = sn_lerpf(from.y, to.y, t) + (i < 2 ? lift : def->lift) * heights[i] + over * over_heights[i];
        keys[i] = (snPathKey){time + span * t, 0.0f, at};
    }
    keys[3] = (snPathKey){time + span, 0.0f, to};
}

static uint32_t step_count(const Walk* walk, const snWalkFoot* foot) {
    // After step k it stands at (k + phase + 1/2) strides; the last one closes up.
    uint32_t steps = 0;
    while ((float)steps + foot->phase - 0.5f < walk->cycles) steps++;
    return steps;
}

// A foot stands from the end of one step to the beginning of the next.
static void lay_keys(const Walk* walk, const snWalkFoot* foot, uint32_t steps, float end, snPathKey* keys) {
    const snWalkDef* def = walk->def;
    float stride = walk->length / walk->cycles;
    snVec3 here = stand(walk, foot, 0.0f);
    keys[0] = (snPathKey){0.0f, 0.0f, here};
    for (uint32_t k = 0; k < steps; k++) {
        float time = def->wait + ((float)k + foot->phase) * def->cycle;
        float along = sn_minf(((float)k + foot->phase + 0.5f) * stride, walk->length);
        snVec3 next = stand(walk, foot, along);
        keys[0].rest = sn_maxf(time - keys[0].time, 0.0f);
        swing(walk, here, next, keys[0].time + keys[0].rest, keys + 1);
        keys += KEYS_A_STEP;
        here = next;
    }
    keys[0].rest = sn_maxf(end - keys[0].time, 0.0f);
}

static float end_of_walk(const Walk* walk) {
    const snWalkDef* def = walk->def;
    float end = 0.0f;
    for (uint32_t f = 0; f < def->foot_count; f++) {
        uint32_t steps = step_count(walk, &def->feet[f]);
        float last = (float)(steps > 0 ? steps - 1 : 0) + def->feet[f].phase + 1.0f - def->duty;
        end = sn_maxf(end, def->wait + last * def->cycle);
    }
    return end + def->wait;
}

static bool lay_foot(const Walk* walk, uint32_t f, float end, snPaths* paths) {
    const snWalkFoot* foot = &walk->def->feet[f];
    uint32_t steps = step_count(walk, foot);
    uint32_t count = 1 + steps * KEYS_A_STEP;
    snPathKey* keys = SNI_NEW_ARRAY(&paths->allocator, snPathKey, count);
    if (keys == NULL) return false;
    lay_keys(walk, foot, steps, end, keys);
    paths->paths[f] = (snPathDef){.handle = foot->handle,
                                  .point = foot->point,
                                  .strength = walk->def->strength,
                                  .smooth = true,
                                  .contact = true,
                                  .global = true,
                                  .footing = true,
                                  .roll = walk->def->roll,
                                  .key_count = count,
                                  .keys = keys};
    paths->path_count = f + 1;
    return true;
}

snResult sn_walk_paths(const snWalkDef* def, const snTerrain* terrain, const snAllocator* allocator,
                       snPaths** out, snError* error) {
    Walk walk = {def, terrain, 0.0f, 1.0f};
    snResult result = check_walk(def, &walk.length, error);
    if (result == SN_RESULT_OK && terrain != NULL) result = sn_terrain_validate(terrain, error);
    if (result != SN_RESULT_OK) return result;
    walk.cycles = sn_maxf(floorf(walk.length / def->stride + 0.5f), 1.0f);
    snAllocator memory = sni_allocator(allocator);
    snPaths* paths = SNI_NEW(&memory, snPaths);
    if (paths == NULL) return sni_fail_memory(error);
    paths->allocator = memory;
    paths->paths = SNI_NEW_ARRAY(&memory, snPathDef, def->foot_count);
    float end = end_of_walk(&walk);
    bool laid = paths->paths != NULL;
    for (uint32_t f = 0; f < def->foot_count && laid; f++) laid = lay_foot(&walk, f, end, paths);
    if (laid)
        *out = paths;
    else
        sn_paths_destroy(paths);
    return laid ? SN_RESULT_OK : sni_fail_memory(error);
}
