// Frames in order, and cycles that close.
#include "animate.h"

#include <string.h>

#include "base/memory.h"

// A cycle is run at most this often before it is baked; jiggling that has not died by then will not.
#define MOST_ROUNDS 24
// Particles this near to their places a round earlier repeat themselves, of the lattice's cells.
#define REPEATED 1e-4
// Joints that end this near to where they began, in cells of the lattice, make a cycle.
#define OPEN 0.5
// Flesh takes any time in one call as long as it is not too many steps; this is never.
#define STRIDE 0.5f

static float frame_time(const animateJob* job, uint32_t i) {
    if (job->loop.on) return job->loop.start + (float)i / job->fps;
    return job->from + (float)i / job->fps;
}

// Runs on to a time, in strides that the flesh takes without a jump.
static snResult run_to(animateJob* job, float from, float to) {
    snWrap wrap = job->loop.on ? SN_WRAP_LOOP : SN_WRAP_CLAMP;
    snResult result = sn_character_pose_clip(job->character, job->clip, from, wrap);
    for (float t = from + STRIDE; t < to && result == SN_RESULT_OK; t += STRIDE)
        result = sn_character_pose_clip(job->character, job->clip, t, wrap);
    return result;
}

snSurface animate_surface(const animateJob* job, uint32_t part) {
    return job->handles != NULL ? animate_handles_surface(job->handles, part)
                                : sn_character_surface(job->character, part);
}

snResult animate_pose(animateJob* job, uint32_t i) {
    if (job->handles != NULL) return animate_pose_handles(job, i);
    snResult result = SN_RESULT_OK;
    if (i == 0) {
        sn_character_reset(job->character);
        result = run_to(job, 0.0f, frame_time(job, 0));
        if (job->counted == 0) sn_character_report_reset(job->character);
    }
    double start = context_clock();
    // The end of a closed cycle is its beginning.
    uint32_t shown = job->loop.on && i + 1 == job->frames && i > 0 ? 0 : i;
    snWrap wrap = job->loop.on ? SN_WRAP_LOOP : SN_WRAP_CLAMP;
    if (result == SN_RESULT_OK && shown == i)
        result = sn_character_pose_clip(job->character, job->clip, frame_time(job, i), wrap);
    else if (result == SN_RESULT_OK)
        result = animate_pose(job, 0);
    if (i < job->counted) return result;
    if (shown == i) job->made = sn_character_report(job->character);
    if (shown == i) job->seconds += context_clock() - start;
    job->counted = i + 1;
    animate_note_volumes(job, i);
    uint64_t hash = sn_character_hash(job->character);
    job->hash = sn_hash_bytes(job->hash, &hash, sizeof hash);
    context_progress(job->context, "animating", i + 1, job->frames);
    return result;
}

cliExit animate_pose_all(animateJob* job) {
    for (uint32_t i = 0; i < job->frames; i++) {
        snResult result = animate_pose(job, i);
        if (result != SN_RESULT_OK) return animate_fail(job, result, "posing failed");
    }
    return CLI_DONE;
}

// -------------------------------------------------------------------------------------------------- loops

static uint32_t particle_count(const animateJob* job) {
    return job->model->binding != NULL && sn_character_particles(job->character) != NULL
               ? job->model->binding->lattice->particle_count
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
static snResult run_round(animateJob* job, uint32_t round, snVec4* last, double* out) {
    float duration = job->model->clips[job->clip]->duration;
    snResult result = run_to(job, duration * (float)round, duration * (float)(round + 1));
    if (result == SN_RESULT_OK)
        result =
            sn_character_pose_clip(job->character, job->clip, duration * (float)(round + 1), SN_WRAP_LOOP);
    uint32_t count = particle_count(job);
    *out = furthest(sn_character_particles(job->character), last, count);
    if (count > 0) memcpy(last, sn_character_particles(job->character), count * sizeof *last);
    return result;
}

// How far the joints are from where they began when the clip ends.
static snResult measure_ends(animateJob* job, snVec3* places) {
    uint32_t joints = job->model->skeleton->joint_count;
    const snMat4* world = sn_character_world(job->character);
    snResult result = sn_character_pose_clip(job->character, job->clip, 0.0f, SN_WRAP_CLAMP);
    for (uint32_t j = 0; j < joints; j++) places[j] = sn_mat4_translation(&world[j]);
    sn_character_reset(job->character);
    float duration = job->model->clips[job->clip]->duration;
    if (result == SN_RESULT_OK)
        result = sn_character_pose_clip(job->character, job->clip, duration, SN_WRAP_CLAMP);
    for (uint32_t j = 0; j < joints; j++) {
        double way = (double)sn_distance(places[j], sn_mat4_translation(&world[j]));
        if (way > job->loop.open) job->loop.open = way;
    }
    sn_character_reset(job->character);
    return result;
}

cliExit animate_settle(animateJob* job) {
    const snAllocator* memory = &job->context->memory;
    float duration = job->model->clips[job->clip]->duration;
    uint32_t count = particle_count(job);
    snVec4* last = SNI_NEW_ARRAY(memory, snVec4, count);
    snVec3* places = SNI_NEW_ARRAY(memory, snVec3, job->model->skeleton->joint_count);
    snResult result = last != NULL && places != NULL ? measure_ends(job, places) : SN_RESULT_OUT_OF_MEMORY;
    sni_free(memory, places);
    double enough = count > 0 ? REPEATED * (double)job->model->binding->lattice->cell_size : 0.0;
    sn_character_reset(job->character);
    for (uint32_t round = 0; round < MOST_ROUNDS && result == SN_RESULT_OK; round++) {
        result = run_round(job, round, last, &job->loop.settled);
        job->loop.rounds = round + 1;
        if (round > 0 && job->loop.settled <= enough) break;
    }
    job->loop.start = duration * (float)job->loop.rounds;
    if (result == SN_RESULT_OK) result = run_round(job, job->loop.rounds, last, &job->loop.seam);
    double open = count > 0 ? OPEN * (double)job->model->binding->lattice->cell_size : INFINITY;
    job->loop.closed = job->loop.settled <= enough && job->loop.open <= open;
    sni_free(memory, last);
    return result == SN_RESULT_OK ? CLI_DONE : animate_fail(job, result, "posing failed");
}
