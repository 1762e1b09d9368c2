// Cycles that close: the flesh runs through a clip until it repeats.
#include <math.h>

#include "take.h"

// A cycle is run at most this often before it is baked; jiggling that has not died by then will not.
#define MOST_ROUNDS 24
// Particles this near to their places a round earlier repeat themselves, of the lattice's cells.
#define REPEATED 1e-4
// Joints that end this near to where they began, in cells of the lattice, make a cycle.
#define OPEN 0.5

static const snBinding* binding_of(const snTake* take) { return take->document->state.body.model->binding; }
static const snClip* clip_of(const snTake* take) {
    return take->document->state.body.model->clips[take->def.clip];
}

static uint32_t particle_count(const snTake* take) {
    return binding_of(take) != NULL && sn_character_particles(take->character) != NULL
               ? binding_of(take)->lattice->particle_count
               : 0;
}

static double furthest(const snVec4* a, const snVec4* b, uint32_t count) {
    float most = 0.0f;
    for (uint32_t p = 0; p < count; p++) {
        snVec3 way = sn_vec3(a[p].x - b[p].x, a[p].y - b[p].y, a[p].z - b[p].z);
        most = sn_maxf(most, sn_length(way));
    }
    return (double)most;
}

// How far the particles are from where they were a round earlier; `last` holds that and gets where they are.
static snResult run_round(snTake* take, uint32_t round, snVec4* last, double* out) {
    float duration = clip_of(take)->duration;
    snResult result = sni_take_run_to(take, duration * (float)round, duration * (float)(round + 1));
    if (result == SN_RESULT_OK)
        result = sn_character_pose_clip(take->character, take->def.clip, duration * (float)(round + 1),
                                        SN_WRAP_LOOP);
    uint32_t count = particle_count(take);
    *out = furthest(sn_character_particles(take->character), last, count);
    if (count > 0) memcpy(last, sn_character_particles(take->character), count * sizeof *last);
    return result;
}

// How far the joints are from where they began when the clip ends.
static snResult measure_ends(snTake* take, snVec3* places) {
    uint32_t joints = take->document->state.body.model->skeleton->joint_count;
    const snMat4* world = sn_character_world(take->character);
    snResult result = sn_character_pose_clip(take->character, take->def.clip, 0.0f, SN_WRAP_CLAMP);
    for (uint32_t j = 0; j < joints; j++) places[j] = sn_mat4_translation(&world[j]);
    sn_character_reset(take->character);
    float duration = clip_of(take)->duration;
    if (result == SN_RESULT_OK)
        result = sn_character_pose_clip(take->character, take->def.clip, duration, SN_WRAP_CLAMP);
    for (uint32_t j = 0; j < joints; j++) {
        double way = (double)sn_distance(places[j], sn_mat4_translation(&world[j]));
        if (way > take->report.loop.open) take->report.loop.open = way;
    }
    sn_character_reset(take->character);
    return result;
}

snResult sni_take_settle(snTake* take, snError* error) {
    const snAllocator* memory = &take->allocator;
    float duration = clip_of(take)->duration;
    uint32_t count = particle_count(take);
    snVec4* last = SNI_NEW_ARRAY(memory, snVec4, count);
    snVec3* places = SNI_NEW_ARRAY(memory, snVec3, take->document->state.body.model->skeleton->joint_count);
    snResult result = last != NULL && places != NULL ? measure_ends(take, places) : SN_RESULT_OUT_OF_MEMORY;
    sni_free(memory, places);
    double enough = count > 0 ? REPEATED * (double)binding_of(take)->lattice->cell_size : 0.0;
    sn_character_reset(take->character);
    for (uint32_t round = 0; round < MOST_ROUNDS && result == SN_RESULT_OK; round++) {
        result = run_round(take, round, last, &take->report.loop.settled);
        take->report.loop.rounds = round + 1;
        if (round > 0 && take->report.loop.settled <= enough) break;
    }
    take->report.loop.start = duration * (float)take->report.loop.rounds;
    if (result == SN_RESULT_OK)
        result = run_round(take, take->report.loop.rounds, last, &take->report.loop.seam);
    double open = count > 0 ? OPEN * (double)binding_of(take)->lattice->cell_size : INFINITY;
    take->report.loop.closed = take->report.loop.settled <= enough && take->report.loop.open <= open;
    sni_free(memory, last);
    if (result == SN_RESULT_OK) return SN_RESULT_OK;
    return sni_fail(error, result, "posing failed: %s", sn_result_name(result));
}
