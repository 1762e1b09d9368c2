// Skin of the particles, compiled once per instruction set: blend, nearest rotation, centre.
#include "deform/lattice_skin_kernels.h"

#include "base/simd_rotation.h"
#include "deform/skin_blocks.h"

// Lanes whose blend has no clear rotation start from that of their heaviest joint.
static void mend(const sniLatticeSkinRun* run, size_t first, sniF bad, const sniVec blend[3], sniVec out[3]) {
    const uint16_t* heaviest = run->job->skin->heaviest + first;
    sniVec start[3];
    for (int c = 0; c < 3; c++) {
        const float* columns[SNI_LANES];
        for (int i = 0; i < SNI_LANES; i++) columns[i] = run->rotations[heaviest[i]].m + 4 * c;
        sniF lanes[4];
        sni_f_gather4(columns, lanes);
        start[c] = (sniVec){lanes[0], lanes[1], lanes[2]};
    }
    sni_rotation_mend(bad, blend, start, out);
}

// Four floats of every lane's particle, `stride` floats from one particle to the next.
static inline void scatter(float* out, size_t stride, const uint32_t* index, sniVec v) {
    float* items[SNI_LANES];
    for (int i = 0; i < SNI_LANES; i++) items[i] = out + stride * index[i];
    sni_f_scatter4(items, v.x, v.y, v.z, sni_f_set1(0.0f));
}

static inline void write_lanes(const snLatticeSkinJob* job, const uint32_t* index, sniVec point,
                               const sniVec rotation[3], const float* push) {
    scatter(&job->out_points[0].x, 4, index, point);
    if (job->out_pushes != NULL) {
        scatter(&job->out_pushes[0].x, 4, index, sni_vec_combine(rotation, sni_block_load(push)));
    }
    for (size_t c = 0; c < 3 && job->out_rotations != NULL; c++) {
        scatter(job->out_rotations[0].m + 4 * c, 12, index, rotation[c]);
    }
}

// Compiled twice, because joints that stretch are rare and cost two more blends.
static inline __attribute__((always_inline)) void skin_lanes(const sniLatticeSkinRun* run, uint32_t block,
                                                             uint32_t lane, bool stretched) {
    const snLatticeSkinJob* job = run->job;
    const snSkinPlan* plan = job->skin->plan;
    const sniSkinBlock* b = &plan->blocks[block];
    size_t first = (size_t)block * SNI_BLOCK + lane, vectors = (size_t)block * 3 * SNI_BLOCK + lane;
    sniLaneMatrix blend, turn;
    sni_block_blend(plan, b, job->matrices, lane, &blend);
    sniVec offset = sni_block_load(plan->normals + vectors);
    if (stretched) {
        sni_block_blend(plan, b, run->stretches, lane, &turn);
        offset = sni_vec_combine(turn.c, offset);
        sni_block_blend(plan, b, run->rotations, lane, &turn);
    }
    const sniVec* rotated = stretched ? turn.c : blend.c;
    sniVec rotation[3];
    sniF bad = sni_rotation_closed(rotated, rotation);
    if (sni_f_any_greater(bad, sni_f_set1(0.5f))) mend(run, first, bad, rotated, rotation);
    sniVec centre = sni_vec_posed(&blend, sni_block_load(plan->points + vectors));
    sniVec point = sni_vec_add(sni_vec_combine(rotation, offset), centre);
    write_lanes(job, plan->index + first, point, rotation, job->skin->pushes + vectors);
}

static void skin(const sniLatticeSkinRun* run, uint32_t begin, uint32_t end) {
    for (uint32_t block = begin; block < end; block++) {
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane += SNI_LANES) skin_lanes(run, block, lane, false);
    }
}

static void skin_stretched(const sniLatticeSkinRun* run, uint32_t begin, uint32_t end) {
    for (uint32_t block = begin; block < end; block++) {
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane += SNI_LANES) skin_lanes(run, block, lane, true);
    }
}

const sniLatticeSkinKernels SNI_NAME(sni_lattice_skin_kernels) = {skin, skin_stretched};
