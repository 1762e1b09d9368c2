// The steps of a search, and the energy around its end (Hansen 2006, section 7.5.3.1 and appendix B).
#include "poses_trace.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "document.h"

#define SAMPLES SN_POSE_TRACE_SAMPLES

void sn_pose_trace_free(snPoseTrace* trace) {
    void* all[] = {trace->steps, trace->energies, trace->curves, trace->plane};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i] != NULL) sni_free(&trace->allocator, all[i]);
    *trace = (snPoseTrace){0};
}

sniPoseTracer sni_pose_tracer(const snDocument* document) {
    return (sniPoseTracer){.trace = {.pose_count = document->state.handled.poses.count,
                                     .pair = {SN_NONE, SN_NONE},
                                     .allocator = document->allocator}};
}

static void take_step(void* user, const float* weights, float energy) {
    sniPoseTracer* tracer = user;
    snPoseTrace* trace = &tracer->trace;
    size_t count = trace->pose_count, next = trace->step_count;
    tracer->full = tracer->full || next >= UINT32_MAX ||
                   !sni_grow(&trace->allocator, &trace->steps, &tracer->step_capacity, (next + 1) * count,
                             sizeof *trace->steps) ||
                   !sni_grow(&trace->allocator, &trace->energies, &tracer->energy_capacity, next + 1,
                             sizeof *trace->energies);
    if (tracer->full) return;
    memcpy(trace->steps + next * count, weights, count * sizeof *weights);
    trace->energies[next] = energy;
    trace->step_count++;
}

void sni_pose_tracer_listen(sniPoseTracer* tracer, snPoseSearchJob* job) {
    job->trace = take_step;
    job->trace_user = tracer;
}

static float sample(uint32_t i) { return (float)i / (float)(SAMPLES - 1); }

static void fill_curves(snPoseTrace* trace, const snPoseSearchJob* job, float* weights) {
    for (uint32_t e = 0; e < trace->pose_count; e++) {
        float found = weights[e];
        for (uint32_t i = 0; i < SAMPLES; i++) {
            weights[e] = sample(i);
            trace->curves[(size_t)e * SAMPLES + i] = sn_pose_energy(job, weights, NULL);
        }
        weights[e] = found;
    }
}

// How far the steps reach along each weight.
static float reach_of(const snPoseTrace* trace, uint32_t example) {
    float low = trace->steps[example], high = low;
    for (uint32_t s = 1; s < trace->step_count; s++) {
        float weight = trace->steps[(size_t)s * trace->pose_count + example];
        low = weight < low ? weight : low;
        high = weight > high ? weight : high;
    }
    return high - low;
}

// Those in use come first: what was only looked at and left again says less about where the search went.
static void choose_pair(snPoseTrace* trace, const float* found) {
    float best[2] = {-1.0f, -1.0f};
    for (uint32_t e = 0; e < trace->pose_count; e++) {
        float reach = reach_of(trace, e) + 2.0f * found[e];
        int at = reach > best[0] ? 0 : reach > best[1] ? 1 : 2;
        if (at == 2) continue;
        if (at == 0) {
            best[1] = best[0];
            trace->pair[1] = trace->pair[0];
        }
        best[at] = reach;
        trace->pair[at] = e;
    }
}

static void fill_plane(snPoseTrace* trace, const snPoseSearchJob* job, float* weights) {
    uint32_t a = trace->pair[0], b = trace->pair[1];
    float found[2] = {weights[a], weights[b]};
    for (uint32_t y = 0; y < SAMPLES; y++) {
        for (uint32_t x = 0; x < SAMPLES; x++) {
            weights[a] = sample(x);
            weights[b] = sample(y);
            trace->plane[(size_t)y * SAMPLES + x] = sn_pose_energy(job, weights, NULL);
        }
    }
    weights[a] = found[0];
    weights[b] = found[1];
}

snResult sni_pose_tracer_finish(sniPoseTracer* tracer, const snPoseSearchJob* job, snError* error) {
    snPoseTrace* trace = &tracer->trace;
    const snAllocator* memory = &trace->allocator;
    trace->curves = SNI_NEW_ARRAY(memory, float, (size_t)trace->pose_count* SAMPLES);
    trace->plane = SNI_NEW_ARRAY(memory, float, (size_t)SAMPLES* SAMPLES);
    float* weights = SNI_NEW_ARRAY(memory, float, trace->pose_count);
    bool room = !tracer->full && trace->curves != NULL && trace->plane != NULL && weights != NULL;
    if (room) {
        snPoseSearchJob around = *job;
        around.trace = NULL;
        memcpy(weights, job->weights, trace->pose_count * sizeof *weights);
        fill_curves(trace, &around, weights);
        choose_pair(trace, weights);
        if (trace->pair[1] != SN_NONE) fill_plane(trace, &around, weights);
    }
    if (weights != NULL) sni_free(memory, weights);
    return room ? SN_RESULT_OK : sni_fail_memory(error);
}
