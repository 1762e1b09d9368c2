// Skin of the particles, compiled once per instruction set: blended rotation about a center.
#include "flesh/lattice_skin_kernels.h"

#include "skin/blocks.h"

// The joints' rotations blended as quaternions, the shorter way round from the heaviest, which also decides
// where they cancel.
static inline void blend_turns(const sniLatticeSkinRun* run, const sniSkinBlock* block, size_t first,
                               uint32_t lane, sniF out[4]) {
    const snSkinPlan* plan = run->job->skin->plan;
    uint32_t heaviest[SNI_LANES];
    for (int i = 0; i < SNI_LANES; i++) heaviest[i] = plan->heaviest[first + (size_t)i];
    sniF pivot[4];
    sni_f_gather4_at(&run->turns[0].x, 4, heaviest, pivot);
    const float* weights = plan->weights + (size_t)block->joint_begin * SNI_BLOCK + lane;
    for (int k = 0; k < 4; k++) out[k] = sni_f_set1(0.0f);
    for (uint32_t j = 0; j < block->joint_count; j++) {
        const snQuat* q = &run->turns[plan->joints[block->joint_begin + j]];
        sniF w = sni_f_load(weights + (size_t)j * SNI_BLOCK);
        sniF turn[4] = {sni_f_set1(q->x), sni_f_set1(q->y), sni_f_set1(q->z), sni_f_set1(q->w)};
        sniF dot = turn[0] * pivot[0] + turn[1] * pivot[1] + turn[2] * pivot[2] + turn[3] * pivot[3];
        w = sni_f_select_greater(sni_f_set1(0.0f), dot, -w, w);
        for (int k = 0; k < 4; k++) out[k] = out[k] + turn[k] * w;
    }
    sniF length2 = out[0] * out[0] + out[1] * out[1] + out[2] * out[2] + out[3] * out[3];
    sniF scale = sni_f_set1(1.0f) / sni_f_sqrt(length2), least = sni_f_set1(1e-12f);
    for (int k = 0; k < 4; k++) out[k] = sni_f_select_greater(length2, least, out[k] * scale, pivot[k]);
}

static inline void turn_columns(const sniF q[4], sniVec out[3]) {
    sniF one = sni_f_set1(1.0f), two = sni_f_set1(2.0f);
    sniF x2 = q[0] * two, y2 = q[1] * two, z2 = q[2] * two;
    sniF xx = q[0] * x2, yy = q[1] * y2, zz = q[2] * z2, xy = q[0] * y2, xz = q[0] * z2, yz = q[1] * z2;
    sniF wx = q[3] * x2, wy = q[3] * y2, wz = q[3] * z2;
    out[0] = (sniVec){one - (yy + zz), xy + wz, xz - wy};
    out[1] = (sniVec){xy - wz, one - (xx + zz), yz + wx};
    out[2] = (sniVec){xz + wy, yz - wx, one - (xx + yy)};
}

// Four floats of every lane's particle, `stride` floats from one particle to the next.
static inline void scatter(float* out, size_t stride, const uint32_t* index, sniVec v) {
    sni_f_scatter4(out, stride, index, v.x, v.y, v.z, sni_f_set1(0.0f));
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

// Compiled twice, because joints that stretch are rare and cost another blend.
static inline __attribute__((always_inline)) void skin_lanes(const sniLatticeSkinRun* run, uint32_t block,
                                                             uint32_t lane, bool stretched) {
    const snLatticeSkinJob* job = run->job;
    const snSkinPlan* plan = job->skin->plan;
    const sniSkinBlock* b = &plan->blocks[block];
    size_t first = (size_t)block * SNI_BLOCK + lane, vectors = (size_t)block * 3 * SNI_BLOCK + lane;
    sniLaneMatrix blend;
    sni_block_blend(plan, b, job->matrices, lane, &blend);
    sniVec offset = sni_block_load(plan->normals + vectors);
    if (stretched) {
        sniLaneMatrix stretch;
        sni_block_blend(plan, b, run->stretches, lane, &stretch);
        offset = sni_vec_combine(stretch.c, offset);
    }
    sniF turn[4];
    sniVec rotation[3];
    blend_turns(run, b, first, lane, turn);
    turn_columns(turn, rotation);
    sniVec center = sni_vec_posed(&blend, sni_block_load(plan->points + vectors));
    sniVec point = sni_vec_add(sni_vec_combine(rotation, offset), center);
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
