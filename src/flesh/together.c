// The goals of many characters' flesh: what a character does alone is done for each, and regions are fitted
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

snResult sni_flesh_aim_together(const snFleshJob* jobs, uint32_t count, void* scratch) {
    const sniTogetherKernels* kernels = kernels_of(jobs[0].level);
    if (kernels == NULL) return SN_RESULT_UNSUPPORTED;
    size_t particles = jobs[0].state->particle_count;
    sniFleshPlace* places = scratch;
    float* lanes = (float*)(places + kernels->lanes * particles);
    sniTogetherRun run = {.flesh = jobs[0].flesh,
                          .count = count,
                          .places = places,
                          .lanes = lanes,
                          .fits = lanes + 6 * kernels->lanes * particles};
    for (uint32_t i = 0; i < count; i++) sni_flesh_begin_step(&jobs[i], places + i * particles);
    kernels->spread(&run);
    kernels->fit(&run);
    kernels->aim(&run);
    return SN_RESULT_OK;
}

uint32_t sni_flesh_move_on(const snFleshJob* job, uint32_t index, void* scratch) {
    return sni_flesh_end_step(job, (sniFleshPlace*)scratch + (size_t)index * job->state->particle_count);
}
