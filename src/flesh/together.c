// One step of many characters' flesh: what a character does alone is done for each, and regions are fitted
// for all at once, one character to a lane. No way to lanes and back in every region, no rows that go empty:
// a third of the time.
#include "flesh/together.h"

#include <string.h>

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_together_kernels, sniTogetherKernels);

uint32_t sni_flesh_lanes(snCpuLevel level) {
    const sniTogetherKernels* kernels = kernels_of(level);
    return kernels != NULL ? kernels->lanes : 1;
}

#define FLOATS_A_LANE (6 + 12)

size_t sni_together_scratch_size(const snFlesh* flesh, snCpuLevel level) {
    size_t particles = flesh->binding->lattice->particle_count, lanes = sni_flesh_lanes(level);
    return particles * lanes * (sizeof(sniFleshPlace) + FLOATS_A_LANE * sizeof(float));
}

bool sni_flesh_goes_together(const snFleshJob* a, const snFleshJob* b) {
    return a->flesh == b->flesh && a->rest == b->rest && a->level == b->level &&
           (a->rotations == NULL) == (b->rotations == NULL) && !(a->region_damping > 0.0f) &&
           !(b->region_damping > 0.0f);
}

snResult sni_flesh_step_together(const snFleshJob* const* jobs, uint32_t count, void* scratch,
                                 uint32_t* out_cuts) {
    const sniTogetherKernels* kernels = kernels_of(jobs[0]->level);
    if (kernels == NULL) return SN_RESULT_UNSUPPORTED;
    size_t particles = jobs[0]->state->particle_count;
    sniFleshPlace* places = scratch;
    float* lanes = (float*)(places + kernels->lanes * particles);
    sniTogetherRun run = {.jobs = jobs,
                          .count = count,
                          .places = places,
                          .lanes = lanes,
                          .fits = lanes + 6 * kernels->lanes * particles};
    for (uint32_t i = 0; i < count; i++) {
        snResult result = sni_flesh_begin_step(jobs[i], places + i * particles);
        if (result != SN_RESULT_OK) return result;
    }
    kernels->spread(&run);
    kernels->fit(&run);
    kernels->aim(&run);
    for (uint32_t i = 0; i < count; i++) out_cuts[i] = sni_flesh_end_step(jobs[i], places + i * particles);
    return SN_RESULT_OK;
}
