// The skeleton in the pose that its skins were bound in.
//
// A character saved in the middle of an animation has its nodes there, and only the inverse bind matrices
// still say how it stood. They say it against each other; how the whole stood is said by the node of the
// mesh, which nobody animates, where its size agrees, else by the nearest way along the axes: a body bends
// and leans less than half a right angle from how it was made more often than not, and which way it faces
// does not matter to whoever asks for its rest.
#include "base/error.h"
#include "base/memory.h"
#include "rig/bind_pose.h"

// Less than rounding of exporters and more than nobody sees: a degree, and a part of the size.
#define SAME_ANGLE 0.02f
#define SAME_PART 2e-3f

typedef struct Rest {
    const snModel* model;
    sniBindPose pose;
    snMat4* nodes; // joint_count; world, as the nodes stand
    bool* bound;   // joint_count; in a skin
    bool* carried; // joint_count; in a skin or below one that is
    float size;    // diagonal of the bound joints
    snSkeleton* out;
} Rest;

static float scale_of(const snMat4* m) {
    snVec3 x = sn_vec3(m->m[0], m->m[1], m->m[2]);
    snVec3 y = sn_vec3(m->m[4], m->m[5], m->m[6]);
    snVec3 z = sn_vec3(m->m[8], m->m[9], m->m[10]);
    return (sn_length(x) + sn_length(y) + sn_length(z)) / 3.0f;
}

static float angle_between(snQuat a, snQuat b) {
    float dot = sn_quat_dot(a, b);
    return 2.0f * sn_acos(sn_minf(dot < 0.0f ? -dot : dot, 1.0f));
}

// ------------------------------------------------------------------------------------------------- the whole

static void mark_joints(const Rest* rest) {
    const snSkeleton* skeleton = rest->model->skeleton;
    for (uint32_t s = 0; s < rest->model->skin_count; s++) {
        const snSkin* skin = &rest->model->skins[s];
        for (uint32_t i = 0; i < skin->joint_count; i++) rest->bound[skin->joints[i]] = true;
    }
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        rest->carried[j] = rest->bound[j] || (above != SN_NONE && rest->carried[above]);
    }
}

static void measure_size(Rest* rest) {
    snBounds box = sn_bounds_empty();
    for (uint32_t j = 0; j < rest->model->skeleton->joint_count; j++)
        if (rest->bound[j]) box = sn_bounds_add(box, sn_mat4_translation(&rest->pose.worlds[j]));
    rest->size = sn_bounds_diagonal(box);
}

// The part whose skin says where the whole stood, or NULL.
static const snPart* first_skinned(const snModel* model) {
    for (uint32_t p = 0; p < model->part_count; p++)
        if (model->parts[p].skin != SN_NONE) return &model->parts[p];
    return NULL;
}

// The rotation along the axes that is nearest: the axis nearest to each of two directions.
static snQuat nearest_axes(snQuat q) {
    snVec3 axes[2] = {sn_vec3(0.0f, 1.0f, 0.0f), sn_vec3(0.0f, 0.0f, 1.0f)};
    int taken = -1;
    for (int i = 0; i < 2; i++) {
        snVec3 v = sn_quat_rotate(q, axes[i]);
        float parts[3] = {v.x, v.y, v.z};
        int best = -1;
        for (int k = 0; k < 3; k++) {
            if (k == taken) continue;
            if (best < 0 || parts[k] * parts[k] > parts[best] * parts[best]) best = k;
        }
        float sign = parts[best] < 0.0f ? -1.0f : 1.0f;
        axes[i] = sn_vec3(best == 0 ? sign : 0.0f, best == 1 ? sign : 0.0f, best == 2 ? sign : 0.0f);
        taken = best;
    }
    snVec3 x = sn_cross(axes[0], axes[1]);
    snMat4 m = {{x.x, x.y, x.z, 0.0f, axes[0].x, axes[0].y, axes[0].z, 0.0f, axes[1].x, axes[1].y, axes[1].z,
                 0.0f, 0.0f, 0.0f, 0.0f, 1.0f}};
    return sn_quat_normalize(sn_quat_from_mat4(&m));
}

// From where the bind pose was put by its first joint to where the whole stood.
static snMat4 find_whole(const Rest* rest) {
    const snPart* part = first_skinned(rest->model);
    snMat4 back;
    snTrs space;
    if (part == NULL || !sn_mat4_inverse_affine(&rest->pose.spaces[part->skin], &back) ||
        !sn_trs_from_mat4(&rest->pose.spaces[part->skin], &space))
        return sn_mat4_identity();
    const snMat4* node = &rest->nodes[part->joint];
    float ratio = scale_of(node) / scale_of(&rest->pose.spaces[part->skin]);
    if (!rest->carried[part->joint] && ratio > 0.99f && ratio < 1.01f) return sn_mat4_mul(node, &back);
    // Meshes are made where they stand; one that was made elsewhere stands where its first joint is.
    uint32_t first = rest->model->skins[part->skin].joints[0];
    snQuat axes = nearest_axes(space.rotation);
    snTrs made = {sn_vec3(0.0f, 0.0f, 0.0f), axes, space.scale};
    snMat4 placed = sn_mat4_from_trs(&made);
    snMat4 whole = sn_mat4_mul(&placed, &back);
    snVec3 pivot = sn_mat4_translation(&rest->pose.worlds[first]);
    snVec3 moved = sn_mat4_point(&whole, pivot);
    if (sn_distance(moved, pivot) <= rest->size) return whole;
    made.translation = sn_sub(pivot, moved);
    placed = sn_mat4_from_trs(&made);
    return sn_mat4_mul(&placed, &back);
}

// ----------------------------------------------------------------------------------------------- differences

// Do the nodes of all skins stand as they were bound, wherever the whole is?
static bool nodes_are_bound(const Rest* rest) {
    for (uint32_t j = 0; j < rest->model->skeleton->joint_count; j++) {
        snTrs node, bind;
        if (!rest->bound[j]) continue;
        if (!sn_trs_from_mat4(&rest->nodes[j], &node) || !sn_trs_from_mat4(&rest->pose.worlds[j], &bind))
            continue; // flattened: it says nothing
        if (angle_between(node.rotation, bind.rotation) > SAME_ANGLE ||
            sn_distance(node.translation, bind.translation) > SAME_PART * rest->size)
            return false;
    }
    return true;
}

static void note_difference(const Rest* rest, uint32_t joint, const snTrs* bind, snRestReport* report) {
    const snTrs* node = &rest->model->skeleton->rest[joint];
    float angle = angle_between(node->rotation, bind->rotation);
    if (angle > SAME_ANGLE) report->differing++;
    if (!(angle > report->angle)) return;
    report->angle = angle;
    report->joint = joint;
}

// Local transforms from the world of the bind pose. Joints that no skin has keep theirs.
static void write_locals(const Rest* rest, snRestReport* report) {
    const snSkeleton* skeleton = rest->model->skeleton;
    snMat4 whole = find_whole(rest);
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        if (rest->carried[j]) rest->pose.worlds[j] = sn_mat4_mul(&whole, &rest->pose.worlds[j]);
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        snMat4 inverse = sn_mat4_identity();
        snTrs local;
        if (!rest->bound[j]) continue;
        if (above != SN_NONE && !sn_mat4_inverse_affine(&rest->pose.worlds[above], &inverse)) continue;
        snMat4 relative = sn_mat4_mul(&inverse, &rest->pose.worlds[j]);
        if (!sn_trs_from_mat4(&relative, &local)) continue;
        note_difference(rest, j, &local, report);
        rest->out->rest[j] = local;
    }
}

// ------------------------------------------------------------------------------------------------------- all

static snResult copy_skeleton(const snSkeleton* from, const snAllocator* memory, snSkeleton** out,
                              snError* error) {
    snSkeletonDef def = {from->joint_count, (const char* const*)from->names, from->parents, from->rest};
    SNI_TRY(sn_skeleton_create(&def, memory, out, error));
    // Names and rest are the same to the last bit.
    memcpy((*out)->rest, from->rest, from->joint_count * sizeof *from->rest);
    return SN_RESULT_OK;
}

static snResult pose_as_bound(const snModel* model, const snAllocator* memory, snSkeleton* out,
                              snRestReport* report, snError* error) {
    uint32_t count = model->skeleton->joint_count;
    Rest rest = {.model = model, .out = out};
    SNI_TRY(sni_bind_pose_create(model, memory, &rest.pose, error));
    rest.nodes = SNI_NEW_ARRAY(memory, snMat4, count);
    rest.bound = SNI_NEW_ARRAY(memory, bool, count);
    rest.carried = SNI_NEW_ARRAY(memory, bool, count);
    bool enough = rest.nodes != NULL && rest.bound != NULL && rest.carried != NULL;
    if (enough) {
        sn_skeleton_world(model->skeleton, NULL, rest.nodes);
        mark_joints(&rest);
        measure_size(&rest);
        if (!nodes_are_bound(&rest)) write_locals(&rest, report);
    }
    sni_free(memory, rest.nodes);
    sni_free(memory, rest.bound);
    sni_free(memory, rest.carried);
    sni_bind_pose_free(&rest.pose);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sn_model_rest_skeleton(const snModel* model, snRest rest, const snAllocator* allocator,
                                snSkeleton** out, snRestReport* report, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    snSkeleton* made = NULL;
    snRestReport found = {.joint = SN_NONE};
    SNI_TRY(copy_skeleton(model->skeleton, &memory, &made, error));
    if (rest == SN_REST_BIND && model->skin_count > 0) {
        snResult result = pose_as_bound(model, &memory, made, &found, error);
        if (result != SN_RESULT_OK) {
            sn_skeleton_destroy(made);
            return result;
        }
    }
    if (report != NULL) *report = found;
    *out = made;
    return SN_RESULT_OK;
}
