// The particles' weights as the lattice skin takes them: averaged with those next to them.
//
// A blend that is narrower than a cell turns all of a joint's angle between two particles, and what hangs in
// the cell between them collapses or shows its faces. Averages over edges of cells widen it to about three
// cells (two passes) and cross no gap that the lattice keeps.
#include "base/memory.h"
#include "flesh/lattice_skin_kernels.h"

// How often the particle itself counts among its six neighbours. Judged, not measured.
#define OWN 2.0f
// A share below this is not worth a joint more in every block. Judged, not measured.
#define LEAST 0.01f

// One particle's weights over all joints, with a list of those that are not zero.
typedef struct Row {
    float* values;
    uint16_t* joints;
    uint32_t count;
} Row;

static void row_add(Row* row, const snWeights* weights, uint32_t particle, float share) {
    for (uint32_t i = 0; i < weights->influences; i++) {
        size_t k = (size_t)particle * weights->influences + i;
        if (!(weights->weights[k] > 0.0f)) continue;
        uint16_t joint = weights->joints[k];
        if (row->values[joint] == 0.0f) row->joints[row->count++] = joint;
        row->values[joint] += share * weights->weights[k];
    }
}

// Takes the largest out of the row, ties by joint; 0 when nothing is left.
static float row_take(Row* row, uint16_t* joint) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < row->count; i++) {
        float a = row->values[row->joints[i]], b = row->values[row->joints[best]];
        if (a > b || (a == b && row->joints[i] < row->joints[best])) best = i;
    }
    if (row->count == 0) return 0.0f;
    *joint = row->joints[best];
    float value = row->values[*joint];
    row->values[*joint] = 0.0f;
    row->joints[best] = row->joints[--row->count];
    return value;
}

static void row_store(Row* row, snWeights* out, uint32_t particle) {
    float total = 0.0f;
    for (uint32_t i = 0; i < row->count; i++) total += row->values[row->joints[i]];
    size_t first = (size_t)particle * out->influences;
    for (uint32_t i = 0; i < out->influences; i++) {
        uint16_t joint = 0;
        float value = row_take(row, &joint);
        bool kept = i == 0 || value >= LEAST * total;
        out->joints[first + i] = kept ? joint : 0;
        out->weights[first + i] = kept ? value : 0.0f;
    }
    while (row->count > 0) row->values[row->joints[--row->count]] = 0.0f;
}

static void average(const snLattice* lattice, const snWeights* from, Row* row, snWeights* to) {
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        row_add(row, from, p, OWN);
        for (uint32_t i = lattice->adjacent_starts[6 * (size_t)p];
             i < lattice->adjacent_starts[6 * (size_t)p + 6]; i++) {
            row_add(row, from, lattice->adjacent[i], 1.0f);
        }
        row_store(row, to, p);
    }
    sn_weights_normalize(to);
}

static bool weights_create(snWeights* weights, uint32_t count, const snAllocator* memory) {
    size_t items = (size_t)count * SNI_LATTICE_INFLUENCES;
    *weights = (snWeights){count, SNI_LATTICE_INFLUENCES, SNI_NEW_ARRAY(memory, uint16_t, items),
                           SNI_NEW_ARRAY(memory, float, items)};
    return weights->joints != NULL && weights->weights != NULL;
}

void sni_lattice_skin_weights_free(snWeights* weights, const snAllocator* memory) {
    sni_free(memory, weights->joints);
    sni_free(memory, weights->weights);
    *weights = (snWeights){0};
}

snResult sni_lattice_skin_weights(const snBinding* binding, uint32_t passes, const snAllocator* memory,
                                  snWeights* out) {
    uint32_t count = binding->lattice->particle_count;
    snWeights work[2] = {{0}};
    Row row = {SNI_NEW_ARRAY(memory, float, binding->joint_count),
               SNI_NEW_ARRAY(memory, uint16_t, binding->joint_count), 0};
    bool enough = row.values != NULL && row.joints != NULL && weights_create(&work[0], count, memory) &&
                  weights_create(&work[1], count, memory);
    const snWeights* from = &binding->particles;
    for (uint32_t pass = 0; pass < passes && enough; pass++) {
        average(binding->lattice, from, &row, &work[pass % 2]);
        from = &work[pass % 2];
    }
    if (enough) {
        *out = work[(passes - 1) % 2];
        work[(passes - 1) % 2] = (snWeights){0};
    }
    sni_lattice_skin_weights_free(&work[0], memory);
    sni_lattice_skin_weights_free(&work[1], memory);
    sni_free(memory, row.values);
    sni_free(memory, row.joints);
    return enough ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}
