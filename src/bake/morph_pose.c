// Where a viewer puts the joints in a moment, and the matrices that follow from it.
#include "bake/morph_bake.h"

// ---------------------------------------------------------------------------------------------- matrices

// Cofactors of the linear part, column by column; returns the determinant.
static double cofactors(const snMat4* m, double out[9]) {
    double c[9];
    for (int i = 0; i < 9; i++) c[i] = (double)m->m[i / 3 * 4 + i % 3];
    for (int i = 0; i < 3; i++) {
        const double* a = c + (i + 1) % 3 * 3;
        const double* b = c + (i + 2) % 3 * 3;
        out[3 * i] = a[1] * b[2] - a[2] * b[1];
        out[3 * i + 1] = a[2] * b[0] - a[0] * b[2];
        out[3 * i + 2] = a[0] * b[1] - a[1] * b[0];
    }
    return c[0] * out[0] + c[1] * out[1] + c[2] * out[2];
}

bool sni_affine_inverse(const snMat4* m, sniAffine* out) {
    double cofactor[9];
    double determinant = cofactors(m, cofactor);
    if (!(fabs(determinant) > 1e-60)) return false;
    sniAffine inverse;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            inverse.m[column * 3 + row] = cofactor[row * 3 + column] / determinant;
    }
    for (int row = 0; row < 3; row++) {
        inverse.m[9 + row] = -(inverse.m[row] * (double)m->m[12] + inverse.m[3 + row] * (double)m->m[13] +
                               inverse.m[6 + row] * (double)m->m[14]);
    }
    *out = inverse;
    return true;
}

void sni_affine_vector(const sniAffine* m, snVec3 v, double out[3]) {
    for (int row = 0; row < 3; row++) {
        out[row] = m->m[row] * (double)v.x + m->m[3 + row] * (double)v.y + m->m[6 + row] * (double)v.z;
    }
}

void sni_affine_point(const sniAffine* m, snVec3 p, double out[3]) {
    sni_affine_vector(m, p, out);
    for (int row = 0; row < 3; row++) out[row] += m->m[9 + row];
}

// One Jacobi rotation, which clears s[p][q] of a symmetric matrix.
static void turn(double s[3][3], int p, int q) {
    if (s[p][q] == 0.0) return;
    int r = 3 - p - q;
    double zeta = (s[q][q] - s[p][p]) / (2.0 * s[p][q]);
    double t = 1.0 / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    if (zeta < 0.0) t = -t;
    double c = 1.0 / sqrt(1.0 + t * t), sine = c * t;
    double a = s[r][p], b = s[r][q];
    s[p][p] -= t * s[p][q];
    s[q][q] += t * s[p][q];
    s[p][q] = s[q][p] = 0.0;
    s[r][p] = s[p][r] = c * a - sine * b;
    s[r][q] = s[q][r] = sine * a + c * b;
}

bool sni_morph_ill(const snMat4* m, float limit) {
    double cofactor[9], squares = 0.0, cofactor_squares = 0.0, wide = (double)limit * (double)limit;
    double determinant = cofactors(m, cofactor);
    double square[3][3] = {{0}};
    for (int i = 0; i < 9; i++) {
        double value = (double)m->m[i / 3 * 4 + i % 3];
        squares += value * value;
        cofactor_squares += cofactor[i] * cofactor[i];
    }
    // The product of Frobenius norms is never below the condition number, and cheap.
    if (squares * cofactor_squares <= wide * determinant * determinant) return !(determinant != 0.0);
    for (int i = 0; i < 9; i++) {
        for (int row = 0; row < 3; row++)
            square[i / 3][i % 3] += (double)m->m[i / 3 * 4 + row] * (double)m->m[i % 3 * 4 + row];
    }
    for (int sweep = 0; sweep < 8; sweep++) {
        turn(square, 0, 1);
        turn(square, 0, 2);
        turn(square, 1, 2);
    }
    double low = square[0][0], high = square[0][0];
    for (int i = 1; i < 3; i++) {
        low = square[i][i] < low ? square[i][i] : low;
        high = square[i][i] > high ? square[i][i] : high;
    }
    return !(high <= wide * low);
}

// ------------------------------------------------------------------------------------------------- poses

static snResult allocate_poses(sniMorphBaker* b) {
    const snModel* model = b->model;
    size_t joints = model->skeleton->joint_count, matrices = joints;
    for (uint32_t s = 0; s < model->skin_count; s++) matrices += model->skins[s].joint_count;
    SNI_TRY(sni_morph_claim(b, "poses", matrices, sizeof(snMat4)));
    b->locals = SNI_NEW_ARRAY(&b->allocator, snTrs, joints);
    b->world = SNI_NEW_ARRAY(&b->allocator, snMat4, joints);
    b->skins = SNI_NEW_ARRAY(&b->allocator, snMat4*, model->skin_count);
    b->identity = SNI_NEW(&b->allocator, snMat4);
    b->singular_joints = SNI_NEW_ARRAY(&b->allocator, bool, joints);
    if (b->locals == NULL || b->world == NULL || b->skins == NULL || b->identity == NULL ||
        b->singular_joints == NULL)
        return sni_fail_memory(b->error);
    *b->identity = sn_mat4_identity();
    for (uint32_t s = 0; s < model->skin_count; s++) {
        b->skins[s] = SNI_NEW_ARRAY(&b->allocator, snMat4, model->skins[s].joint_count);
        if (b->skins[s] == NULL) return sni_fail_memory(b->error);
    }
    return SN_RESULT_OK;
}

static void pose_joints(sniMorphBaker* b, uint32_t moment) {
    sni_bake_pose(b->model, b->def->clip, (float)moment / b->moment_rate, b->locals, b->world);
}

void sni_morph_pose(sniMorphBaker* b, uint32_t moment) {
    pose_joints(b, moment);
    for (uint32_t s = 0; s < b->model->skin_count; s++)
        sni_bake_skin(&b->model->skins[s], b->world, b->skins[s]);
}

snResult sni_morph_poses(sniMorphBaker* b) {
    SNI_TRY(allocate_poses(b));
    for (uint32_t m = 0; m < b->moment_count; m++) {
        pose_joints(b, m);
        for (uint32_t j = 0; j < b->model->skeleton->joint_count; j++) {
            if (!b->singular_joints[j])
                b->singular_joints[j] = sni_morph_ill(&b->world[j], b->def->condition);
        }
    }
    return SN_RESULT_OK;
}

void sni_morph_poses_free(sniMorphBaker* b) {
    for (uint32_t s = 0; s < b->model->skin_count && b->skins != NULL; s++)
        sni_free(&b->allocator, b->skins[s]);
    sni_free(&b->allocator, b->skins);
    sni_free(&b->allocator, b->locals);
    sni_free(&b->allocator, b->world);
    sni_free(&b->allocator, b->identity);
    sni_free(&b->allocator, b->singular_joints);
}

// -------------------------------------------------------------------------------------------- root space

static uint32_t depth(const snSkeleton* skeleton, uint32_t joint) {
    uint32_t count = 0;
    for (; joint != SN_NONE; joint = skeleton->parents[joint]) count++;
    return count;
}

static uint32_t common_joint(const snSkeleton* skeleton, uint32_t a, uint32_t b) {
    uint32_t depth_a = depth(skeleton, a), depth_b = depth(skeleton, b);
    for (; depth_a > depth_b; depth_a--) a = skeleton->parents[a];
    for (; depth_b > depth_a; depth_b--) b = skeleton->parents[b];
    while (a != b) {
        a = skeleton->parents[a];
        b = skeleton->parents[b];
    }
    return a;
}

uint32_t sni_morph_root(const sniMorphBaker* b, const snPart* part) {
    const snSkeleton* skeleton = b->model->skeleton;
    uint32_t joint = part->joint;
    if (part->skin != SN_NONE) {
        const snSkin* skin = &b->model->skins[part->skin];
        if (skin->joint_count > 0) joint = skin->joints[0];
        for (uint32_t j = 1; j < skin->joint_count; j++)
            joint = common_joint(skeleton, joint, skin->joints[j]);
    }
    while (joint != SN_NONE && b->singular_joints[joint]) joint = skeleton->parents[joint];
    return joint;
}

sniBakePose sni_morph_joint_pose(const sniMorphBaker* b, uint32_t joint) {
    sniBakePose pose = {.matrices = b->identity};
    if (joint == SN_NONE) return pose;
    pose.matrices = b->world + joint;
    return pose;
}

sniBakePose sni_morph_plain_pose(const sniMorphBaker* b, const snPart* part, const snWeights* weights) {
    if (part->skin == SN_NONE) return sni_morph_joint_pose(b, part->joint);
    sniBakePose pose = {.matrices = b->skins[part->skin],
                        .influences = weights->influences,
                        .joints = weights->joints,
                        .weights = weights->weights};
    return pose;
}
