// Exact volume (Rohmer et al. 2009): tables, and a run from the finished surface to one that has its volume.
//
// Every joint answers for what its own rotation did, found by posing the joints one after the other; what
// else happened to the volume, by flesh, contacts or other corrections, is shared among them. All corrections
// run on the finished surface, each in the frame of its joint, so the sum is exact whatever came before.
#include "base/error.h"
#include "base/levels.h"
#include "base/memory.h"
#include "volume/run.h"
#include "volume/smooth.h"

// Of a float; and what error of a volume by rounding is worth measuring it in doubles.
#define PRECISION 6e-8
#define FINE 1e-7
// Blocks of faces that are summed together.
#define SUM_BLOCKS 64u
// The largest bend of a joint whose limits nobody knows: 150 degrees, about an elbow's.
#define LARGEST_BEND 2.6179939f

SNI_DEFINE_KERNELS_OF(sni_volume_kernels_of, sni_volume_kernels, sniVolumeKernels);

snExactVolumeDef sn_exact_volume_def(void) { return (snExactVolumeDef){.support = 0.01f}; }

// ------------------------------------------------------------------------------------------------- tables

static snResult bad(snError* error, const char* reason, uint32_t index) {
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%s (%u)", reason, (unsigned)index);
}

static snResult check_part(const snExactVolumeDef* def, uint32_t index, snError* error) {
    const snVolumePart* part = &def->parts[index];
    size_t count = (size_t)part->mesh->vertex_count * part->influences;
    if (part->influences == 0) return bad(error, "a part has no weights", index);
    for (size_t i = 0; i < count; i++) {
        if (part->joints[i] >= def->joint_count)
            return bad(error, "a weight names a joint that does not exist", part->joints[i]);
        if (!sn_finite(part->weights[i])) return bad(error, "a weight is not finite, of part", index);
    }
    return SN_RESULT_OK;
}

// Every joint once in the order, behind its parent; `seen` has joint_count zeros.
static snResult check_joints(const snExactVolumeDef* def, uint8_t* seen, snError* error) {
    for (uint32_t i = 0; i < def->joint_count; i++) {
        uint32_t j = def->order[i];
        if (j >= def->joint_count || seen[j] != 0)
            return bad(error, "the order does not name every joint once", i);
        const snVolumeJoint* joint = &def->joints[j];
        if (joint->parent != SN_NONE && (joint->parent >= def->joint_count || seen[joint->parent] == 0))
            return bad(error, "the order has a joint before its parent", j);
        if (!sn_vec3_finite(joint->place) || !sn_finite(joint->amount))
            return bad(error, "position and amount of a joint must be finite", j);
        seen[j] = 1;
    }
    return SN_RESULT_OK;
}

snResult sni_volume_def_check(const snExactVolumeDef* def, const snAllocator* memory, snError* error) {
    if (def->joint_count > 0 && (def->order == NULL || def->joints == NULL))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "joints or their order are missing");
    if (!(def->support >= 0.0f && def->support < 1.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "support must be 0 or more, and below 1");
    for (uint32_t p = 0; p < def->part_count; p++) {
        if (check_part(def, p, error) != SN_RESULT_OK) return SN_RESULT_INVALID_ARGUMENT;
    }
    uint8_t* seen = SNI_NEW_ARRAY(memory, uint8_t, def->joint_count);
    if (seen == NULL) return sni_fail_memory(error);
    snResult result = check_joints(def, seen, error);
    sni_free(memory, seen);
    return result;
}

static void count_work(snExactVolume* v) {
    v->hinge_points = v->hinge_matrices = v->hinge_dual = v->sum_count = 0;
    for (uint32_t p = 0; p < v->patch_count; p++) {
        const sniHinge* hinge = v->patches[p].hinge;
        if (hinge == NULL) continue;
        v->hinge_points += (size_t)hinge->point_count + hinge->cap_count;
        v->hinge_matrices += hinge->matrix_count;
        v->hinge_dual += sni_hinge_dual_size(hinge);
    }
    for (uint32_t s = 0; s < v->closed->shell_count; s++) {
        const sniShellTables* shell = &v->shells[s];
        v->sum_count += (shell->block_count + SUM_BLOCKS - 1) / SUM_BLOCKS;
    }
}

// Where the gradient of each vertex's point is found. What belongs to no kept shell looks at the last place,
// which never turns.
static snResult create_slots(snExactVolume* v, snError* error) {
    const sniClosed* closed = v->closed;
    uint32_t vertices = closed->vertex_starts[closed->part_count];
    uint32_t* of_point = SNI_NEW_ARRAY(&v->allocator, uint32_t, closed->point_count);
    v->slots = SNI_NEW_ARRAY(&v->allocator, uint32_t, vertices);
    bool ready = of_point != NULL && v->slots != NULL;
    for (uint32_t i = 0; i < closed->point_count && ready; i++) of_point[i] = SN_NONE;
    for (uint32_t s = 0; s < closed->shell_count && ready; s++) {
        sniRings* rings = v->shells[s].rings;
        if (rings == NULL) continue;
        v->shells[s].first_slot = v->ring_places;
        for (uint32_t i = 0; i < rings->inner; i++) {
            if (rings->ids[i] < closed->point_count) of_point[rings->ids[i]] = (uint32_t)v->ring_places + i;
        }
        v->ring_places += rings->total;
    }
    for (uint32_t i = 0; i < vertices && ready; i++) {
        uint32_t slot = of_point[closed->points[i]];
        v->slots[i] = slot != SN_NONE ? slot : (uint32_t)v->ring_places;
    }
    v->ring_places++;
    sni_free(&v->allocator, of_point);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

// The smooth normals of all shells, as the joints turn them.
static snResult create_normals(snExactVolume* v, snError* error) {
    const sniClosed* closed = v->closed;
    const snAllocator* memory = &v->allocator;
    size_t count = v->inner_places, influences = closed->influences;
    snVec3* normals = SNI_NEW_ARRAY(memory, snVec3, count);
    uint16_t* joints = SNI_NEW_ARRAY(memory, uint16_t, count * influences);
    float* weights = SNI_NEW_ARRAY(memory, float, count* influences);
    bool ready = normals != NULL && joints != NULL && weights != NULL;
    for (uint32_t s = 0; s < closed->shell_count && ready; s++) {
        const sniShellTables* shell = &v->shells[s];
        for (uint32_t i = 0; shell->rings != NULL && i < shell->rings->inner; i++) {
            size_t to = shell->first + i, from = shell->rings->ids[i];
            normals[to] = shell->normals[i];
            if (from >= closed->point_count) continue;
            memcpy(joints + to * influences, closed->joints + from * influences, influences * sizeof *joints);
            memcpy(weights + to * influences, closed->weights + from * influences,
                   influences * sizeof *weights);
        }
    }
    snSkinPlanDef def = {.point_count = (uint32_t)count,
                         .points = normals,
                         .influences = (uint32_t)influences,
                         .joints = joints,
                         .weights = weights,
                         .matrix_count = v->joint_count};
    v->normals = NULL;
    snResult result = ready ? SN_RESULT_OK : sni_fail_memory(error);
    if (ready && count > 0) result = sn_skin_plan_create(&def, memory, &v->normals, error);
    sni_free(memory, normals);
    sni_free(memory, joints);
    sni_free(memory, weights);
    return result;
}

// Whether the joint's profile asks what it does at most, and `old` (or NULL) does not know.
static bool wants_largest(const snExactVolume* v, const snExactVolume* old, const uint8_t* stale,
                          uint32_t joint) {
    if (!v->profiles[v->joints[joint].profile].def.folds_grow) return false;
    return old == NULL || (stale != NULL && stale[joint] != 0) || old->dual != v->dual ||
           !old->profiles[old->joints[joint].profile].def.folds_grow;
}

// What the joint alone does to the volumes when it bends as far as it can, about the axis of its rest frame.
// `stale` (joint_count, or NULL): of which joints `old` knows nothing.
static snResult find_largest(snExactVolume* v, const snExactVolume* old, const uint8_t* stale,
                             snError* error) {
    bool any = false;
    for (uint32_t j = 0; j < v->joint_count; j++) {
        bool grows = v->profiles[v->joints[j].profile].def.folds_grow,
             wants = wants_largest(v, old, stale, j);
        v->joints[j].largest = old != NULL && grows && !wants ? old->joints[j].largest : 0.0;
        any |= wants;
    }
    if (!any) return SN_RESULT_OK;
    const snAllocator* memory = &v->allocator;
    size_t points = v->hinge_points > 0 ? v->hinge_points : 1;
    sniHingeWork work = {.skinned = SNI_NEW_ARRAY(memory, snVec3, points),
                         .points = SNI_NEW_ARRAY(memory, snVec4, points),
                         .matrices = SNI_NEW_ARRAY(memory, snMat4, v->hinge_matrices),
                         .dual = sni_alloc_array(memory, v->hinge_dual, 1)};
    snMat4* pose = SNI_NEW_ARRAY(memory, snMat4, v->joint_count);
    bool ready = work.skinned != NULL && work.points != NULL && work.matrices != NULL && work.dual != NULL &&
                 pose != NULL;
    for (uint32_t j = 0; j < v->joint_count && ready; j++) pose[j] = sn_mat4_identity();
    for (uint32_t p = 0; p < v->patch_count && ready; p++) {
        const sniPatch* patch = &v->patches[p];
        sniVolumeFrame* joint = &v->joints[patch->joint];
        if (patch->hinge == NULL || !wants_largest(v, old, stale, patch->joint)) continue;
        snQuat turn = sn_quat_axis_angle(joint->side, LARGEST_BEND);
        snTrs trs = {sn_sub(joint->place, sn_quat_rotate(turn, joint->place)), turn, sn_vec3(1, 1, 1)};
        pose[patch->joint] = sn_mat4_from_trs(&trs);
        double change = sni_hinge_change(v, patch->hinge, patch->joint, pose,
                                         sni_volume_kernels_of(SN_CPU_AUTO), SN_CPU_AUTO, &work);
        joint->largest += fabs(change) / 6.0;
        pose[patch->joint] = sn_mat4_identity();
    }
    void* arrays[] = {work.skinned, work.points, work.matrices, work.dual, pose};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

static void take_choices(const snExactVolumeDef* def, snExactVolume* v) {
    v->dual = def->dual;
    v->support = def->support;
    v->rest_profiles = def->rest_profiles;
}

static snResult fill_hung(const snExactVolumeDef* def, snExactVolume* v, snError* error) {
    SNI_TRY(sni_near_create(v->closed, &v->allocator, &v->near, error));
    SNI_TRY(sni_frames_create(def, v, error));
    SNI_TRY(sni_profiles_create(def, NULL, v, error));
    SNI_TRY(sni_patches_create(def, v, error));
    count_work(v);
    SNI_TRY(create_slots(v, error));
    SNI_TRY(create_normals(v, error));
    SNI_TRY(find_largest(v, NULL, NULL, error));
    return sni_exact_try(def, v, NULL, error);
}

static snResult fill(const snExactVolumeDef* def, snExactVolume* v, snError* error) {
    v->joint_count = def->joint_count;
    take_choices(def, v);
    SNI_TRY(sni_closed_create(def, &v->allocator, &v->closed, error));
    snExactVolumeDef hung;
    if (!sni_hang_joints(def, v->closed, &v->allocator, &hung)) return sni_fail_memory(error);
    v->order = sni_copy_array(&v->allocator, hung.order, hung.joint_count, sizeof *v->order);
    snResult result = v->order != NULL ? fill_hung(&hung, v, error) : sni_fail_memory(error);
    sni_hung_free(&hung, &v->allocator);
    return result;
}

snResult sn_exact_volume_create(const snExactVolumeDef* def, const snAllocator* allocator,
                                snExactVolume** out, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    snResult result = sni_volume_def_check(def, &memory, error);
    if (result != SN_RESULT_OK) return result;
    snExactVolume* volume = SNI_NEW(&memory, snExactVolume);
    if (volume == NULL) return sni_fail_memory(error);
    volume->allocator = memory;
    result = fill(def, volume, error);
    if (result != SN_RESULT_OK) {
        sn_exact_volume_destroy(volume);
        return result;
    }
    *out = volume;
    return SN_RESULT_OK;
}

// Joints of which another profile or skin is asked for are tried again.
static snResult try_amended(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* v,
                            snError* error) {
    uint8_t* stale = SNI_NEW_ARRAY(&v->allocator, uint8_t, v->joint_count);
    if (stale == NULL) return sni_fail_memory(error);
    bool all = old->dual != v->dual || old->support != v->support || old->rest_profiles != v->rest_profiles;
    bool any = all;
    for (uint32_t j = 0; j < v->joint_count; j++) {
        const snVolumeProfile *was = &old->profiles[old->joints[j].profile].def,
                              *is = &v->profiles[v->joints[j].profile].def;
        stale[j] = all || !sni_same_volume_profile(was, is);
        any |= stale[j] != 0;
    }
    snResult result = any ? sni_exact_try(def, v, stale, error) : SN_RESULT_OK;
    sni_free(&v->allocator, stale);
    return result;
}

static snResult amend(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* v,
                      snError* error) {
    v->joints = sni_copy_array(&v->allocator, old->joints, old->joint_count, sizeof *v->joints);
    if (v->joints == NULL) return sni_fail_memory(error);
    for (uint32_t j = 0; j < v->joint_count; j++)
        v->joints[j].amount = sn_clampf(def->joints[j].amount, 0.0f, SN_VOLUME_MOST_AMOUNT);
    SNI_TRY(sni_profiles_create(def, old, v, error));
    SNI_TRY(sni_patches_amend(def, old, v, error));
    SNI_TRY(find_largest(v, old, NULL, error));
    return try_amended(def, old, v, error);
}

snResult sni_exact_volume_amend(const snExactVolume* volume, const snExactVolumeDef* def, snExactVolume** out,
                                snError* error) {
    snAllocator memory = volume->allocator;
    snExactVolumeDef joints = *def;
    joints.part_count = 0;
    SNI_TRY(sni_volume_def_check(&joints, &memory, error));
    snExactVolume* next = SNI_NEW(&memory, snExactVolume);
    snVolumeJoint* hung = sni_copy_array(&memory, def->joints, def->joint_count, sizeof *hung);
    if (next == NULL || hung == NULL) {
        sni_free(&memory, next);
        sni_free(&memory, hung);
        return sni_fail_memory(error);
    }
    *next = *volume;
    take_choices(&joints, next);
    for (uint32_t j = 0; j < def->joint_count; j++) hung[j].parent = volume->joints[j].parent;
    joints.joints = hung;
    joints.order = volume->order;
    snResult result = amend(&joints, volume, next, error);
    sni_free(&memory, hung);
    if (result != SN_RESULT_OK) {
        sni_exact_volume_release(next, volume);
        return result;
    }
    *out = next;
    return SN_RESULT_OK;
}

static snResult reweigh(const snExactVolumeDef* def, const snExactVolume* old, snExactVolume* v,
                        uint8_t* stale, snError* error) {
    SNI_TRY(sni_frames_create(def, v, error));
    SNI_TRY(sni_profiles_create(def, old, v, error));
    SNI_TRY(sni_patches_reweigh(def, old, v, stale, error));
    count_work(v);
    SNI_TRY(create_normals(v, error));
    SNI_TRY(find_largest(v, old, stale, error));
    for (uint32_t j = 0; j < v->joint_count; j++) {
        if (stale[j] != 0) continue;
        v->joints[j].tried = old->joints[j].tried;
        v->joints[j].gives_less = old->joints[j].gives_less;
        memcpy(v->joints[j].given, old->joints[j].given, sizeof old->joints[j].given);
    }
    return sni_exact_try(def, v, stale, error);
}

static bool same_parents(const snExactVolumeDef* hung, const snExactVolume* volume) {
    for (uint32_t j = 0; j < volume->joint_count; j++)
        if (hung->joints[j].parent != volume->joints[j].parent) return false;
    return true;
}

static snResult reweigh_hung(const snExactVolumeDef* hung, const snExactVolume* volume, sniClosed* closed,
                             snExactVolume** out, snError* error) {
    snAllocator memory = volume->allocator;
    snExactVolume* next = SNI_NEW(&memory, snExactVolume);
    uint8_t* stale = SNI_NEW_ARRAY(&memory, uint8_t, volume->joint_count);
    if (next == NULL || stale == NULL) {
        sni_free(&memory, next);
        sni_free(&memory, stale);
        sni_closed_release(closed, volume->closed);
        return sni_fail_memory(error);
    }
    *next = *volume;
    next->closed = closed;
    snResult result = reweigh(hung, volume, next, stale, error);
    sni_free(&memory, stale);
    if (result == SN_RESULT_OK)
        *out = next;
    else
        sni_exact_volume_release(next, volume);
    return result;
}

snResult sni_exact_volume_reweigh(const snExactVolume* volume, const snExactVolumeDef* def,
                                  snExactVolume** out, snError* error) {
    snAllocator memory = volume->allocator;
    sniClosed* closed = NULL;
    snExactVolumeDef hung;
    *out = NULL;
    SNI_TRY(sni_volume_def_check(def, &memory, error));
    SNI_TRY(sni_closed_reweigh(def, volume->closed, &closed, error));
    if (closed == NULL) return SN_RESULT_OK;
    if (!sni_hang_joints(def, closed, &memory, &hung)) {
        sni_closed_release(closed, volume->closed);
        return sni_fail_memory(error);
    }
    snResult result = SN_RESULT_OK;
    if (same_parents(&hung, volume))
        result = reweigh_hung(&hung, volume, closed, out, error);
    else
        sni_closed_release(closed, volume->closed);
    sni_hung_free(&hung, &memory);
    return result;
}

static void release_shells(snExactVolume* v, const snAllocator* memory) {
    for (uint32_t s = 0; v->shells != NULL && v->closed != NULL && s < v->closed->shell_count; s++)
        sni_shell_free(&v->shells[s], memory);
    sni_free(memory, v->shells);
}

void sni_exact_volume_release(snExactVolume* v, const snExactVolume* keeper) {
    static const snExactVolume nothing = {0};
    if (v == NULL || v == keeper) return;
    snAllocator memory = v->allocator;
    bool related = keeper != NULL && v->closed != NULL && sni_closed_related(keeper->closed, v->closed);
    if (!related) keeper = &nothing;
    for (uint32_t p = 0; v->patches != NULL && v->patches != keeper->patches && p < v->patch_count; p++)
        sni_patch_release(&v->patches[p], sni_patch_find(keeper, v->patches[p].joint, v->patches[p].shell),
                          &memory);
    if (!related) release_shells(v, &memory);
    if (!related) sni_near_free(&v->near, &memory);
    sni_closed_release(v->closed, keeper->closed);
    if (v->normals != keeper->normals) sn_skin_plan_destroy(v->normals);
    const void* kept[] = {keeper->joints,
                          keeper->profiles,
                          keeper->patches,
                          keeper->places,
                          keeper->slots,
                          keeper->order,
                          NULL};
    void* arrays[] = {v->joints, v->profiles, v->patches, v->places, v->slots, v->order, v};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i] != kept[i]) sni_free(&memory, arrays[i]);
}

void sn_exact_volume_destroy(snExactVolume* volume) { sni_exact_volume_release(volume, NULL); }

uint32_t sn_exact_volume_shell_count(const snExactVolume* volume) { return volume->closed->shell_count; }
const snShell* sn_exact_volume_shells(const snExactVolume* volume) { return volume->closed->shells; }

const char* sn_shell_kind_name(snShellKind kind) {
    static const char* const names[SN_SHELL_KINDS] = {"kept", "rigid", "flat", "unoriented"};
    return (unsigned)kind < SN_SHELL_KINDS ? names[kind] : NULL;
}

snShellCensus sn_exact_volume_census(const snExactVolume* volume) {
    snShellCensus census = {0};
    for (uint32_t s = 0; s < volume->closed->shell_count; s++) {
        const snShell* shell = &volume->closed->shells[s];
        census.kinds[shell->kind]++;
        if (shell->kind != SN_SHELL_KEPT) continue;
        census.openings += shell->opening_count;
        census.turned += shell->turned_faces;
        census.inside_out += shell->volume < 0.0;
    }
    return census;
}

// ------------------------------------------------------------------------------------------------- memory

// The next array of `size` bytes, aligned to 64, behind `used`; NULL without memory.
static void* place(unsigned char* memory, size_t* used, size_t size) {
    void* at = memory != NULL ? memory + *used : NULL;
    *used += (size + 63) / 64 * 64;
    return at;
}

static void place_hinges(sniRun* run, const snExactVolume* v, unsigned char* memory, size_t* used) {
    run->hinge_work = place(memory, used, v->patch_count * sizeof *run->hinge_work);
    for (uint32_t p = 0; p < v->patch_count; p++) {
        const sniHinge* hinge = v->patches[p].hinge;
        if (hinge == NULL) continue;
        size_t points = (size_t)hinge->point_count + hinge->cap_count;
        sniHingeWork work = {place(memory, used, points * sizeof(snVec3)),
                             place(memory, used, points * sizeof(snVec4)),
                             place(memory, used, hinge->matrix_count * sizeof(snMat4)),
                             place(memory, used, sni_hinge_dual_size(hinge))};
        if (memory != NULL) run->hinge_work[p] = work;
    }
}

static void place_field(sniRun* run, const snExactVolume* v, unsigned char* memory, size_t* used) {
    sniField* f = &run->field;
    float** arrays[SNI_FIELD_ARRAYS] = {&f->normals[0], &f->normals[1], &f->normals[2], &f->slopes[0],
                                        &f->slopes[1],  &f->slopes[2],  &f->facing,     &f->room,
                                        &f->along,      &f->wide,       &f->moves[0],   &f->moves[1],
                                        &f->moves[2],   &f->limits};
    for (int i = 0; i < SNI_FIELD_ARRAYS; i++)
        *arrays[i] = place(memory, used, v->inner_places * sizeof(float));
}

static void place_near(sniRun* run, const snExactVolume* v, unsigned char* memory, size_t* used) {
    sniNearPose* n = &run->near;
    size_t faces = (size_t)v->near.count * SNI_FACE_LANES;
    size_t clusters = (v->near.count + SNI_FACE_LANES - 1) / SNI_FACE_LANES * SNI_FACE_LANES;
    float** of_faces[] = {&n->middles[0], &n->middles[1], &n->middles[2], &n->scales, &n->sizes, &n->nears};
    float** of_clusters[] = {&n->low[0],  &n->low[1],    &n->low[2],    &n->high[0],  &n->high[1],
                             &n->high[2], &n->facing[0], &n->facing[1], &n->facing[2]};
    for (int i = 0; i < 6; i++) *of_faces[i] = place(memory, used, faces * sizeof(float));
    for (int i = 0; i < 9; i++) *of_clusters[i] = place(memory, used, clusters * sizeof(float));
}

size_t sni_run_lay_out(sniRun* run, const snExactVolume* v, unsigned char* memory) {
    const sniClosed* closed = v->closed;
    size_t points = (size_t)sni_no_point(closed) + 1, used = 0;
    run->points = place(memory, &used, points * sizeof(snVec4));
    run->before = place(memory, &used, points * sizeof(snVec4));
    run->changes = place(memory, &used, v->patch_count * sizeof(double));
    run->wanted = place(memory, &used, v->patch_count * sizeof(double));
    run->breaths = place(memory, &used, v->patch_count * sizeof(double));
    run->moved = place(memory, &used, v->patch_count * sizeof(float));
    run->shares = place(memory, &used, v->patch_count * sizeof(double));
    run->held_back = place(memory, &used, v->patch_count * sizeof(double));
    run->known = place(memory, &used, closed->shell_count);
    double** shells[] = {&run->volumes, &run->volumes_before, &run->rests,  &run->bases,   &run->targets,
                         &run->left,    &run->amounts,        &run->masses, &run->weights, &run->held};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        *shells[i] = place(memory, &used, closed->shell_count * sizeof(double));
    run->sums = place(memory, &used, 2 * v->sum_count * sizeof(double));
    run->rough = place(memory, &used, closed->shell_count);
    run->centers = place(memory, &used, closed->cap_count * sizeof *run->centers);
    run->patch_memory = place(memory, &used, (size_t)v->most_places * 4 * sizeof(float));
    run->turns = place(memory, &used, v->joint_count * sizeof(snMat4));
    run->turned = place(memory, &used, v->inner_places * sizeof(snVec3));
    place_field(run, v, memory, &used);
    place_near(run, v, memory, &used);
    place_hinges(run, v, memory, &used);
    for (int i = 0; i < 2; i++) {
        run->ring_places[i] = place(memory, &used, v->ring_places * sizeof(snVec4));
        run->ring_gradients[i] = place(memory, &used, v->ring_places * sizeof(snVec4));
    }
    return used;
}

size_t sn_exact_volume_scratch_size(const snExactVolume* volume) {
    sniRun run = {0};
    return sni_run_lay_out(&run, volume, NULL);
}

// ------------------------------------------------------------------------------------------------- measure

void sni_run_place_caps(sniRun* run) {
    const sniClosed* closed = run->volume->closed;
    for (uint32_t c = 0; c < closed->cap_count; c++) {
        const sniCap* cap = &closed->caps[c];
        run->points[cap->center] =
            sni_loop_middle(run->points, NULL, closed->loop_points + cap->first, cap->count);
    }
}

typedef struct Sum {
    const sniRun* run;
    const sniShellTables* shell;
    snVec3 apex;
    double* out;
} Sum;

static void sum_blocks(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Sum* sum = context;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t first = i * SUM_BLOCKS, left = sum->shell->block_count - first;
        sum->out[2 * i] =
            sum->run->kernels->cones(sum->shell->blocks + first, left < SUM_BLOCKS ? left : SUM_BLOCKS,
                                     sum->run->points, sum->apex, &sum->out[2 * i + 1]);
    }
}

double sni_run_measure(sniRun* run, uint32_t shell) {
    const snExactVolume* v = run->volume;
    const sniShellTables* tables = &v->shells[shell];
    if (tables->rings == NULL) return v->closed->shells[shell].volume;
    snVec4 apex = run->points[tables->apex];
    Sum sum = {run, tables, sn_vec3(apex.x, apex.y, apex.z), run->sums};
    uint32_t count = (tables->block_count + SUM_BLOCKS - 1) / SUM_BLOCKS;
    sn_tasks_run(run->job->tasks, sum_blocks, &sum, count, 1);
    double total = 0.0, size = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        total += run->sums[2 * (size_t)i];
        size += run->sums[2 * (size_t)i + 1];
    }
    run->rough[shell] = !(sqrt(size) * PRECISION <= FINE * fabs(total));
    return total / 6.0;
}

static void measure_changes(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    sniRun* run = context;
    const snExactVolume* v = run->volume;
    for (uint32_t p = begin; p < end; p++) {
        const sniPatch* patch = &v->patches[p];
        run->changes[p] = 0.0;
        run->moved[p] = 0.0f;
        if (patch->hinge == NULL) continue;
        double six = sni_hinge_change(v, patch->hinge, patch->joint, run->job->matrices, run->kernels,
                                      run->job->level, &run->hinge_work[p]);
        run->changes[p] = six / 6.0 - sni_run_scale_change(run, patch);
    }
}

void sni_run_take_points(sniRun* run, const snVec3* const* parts) {
    const sniClosed* closed = run->volume->closed;
    uint32_t part = 0;
    // Points are numbered by their first vertex, so parts follow one another.
    for (uint32_t i = 0; i < closed->point_count; i++) {
        uint32_t v = closed->vertices[i];
        while (v >= closed->vertex_starts[part + 1]) part++;
        snVec3 p = parts[part][v - closed->vertex_starts[part]];
        run->points[i] = (snVec4){p.x, p.y, p.z, 0.0f};
    }
    run->points[sni_no_point(closed)] = (snVec4){0.0f, 0.0f, 0.0f, 0.0f};
    sni_run_place_caps(run);
}

// ----------------------------------------------------------------------------------------------------- run

static float moved(float at, float was, float now) { return at == was ? now : at + (now - was); }

static void write_back(const sniRun* run) {
    const sniClosed* closed = run->volume->closed;
    for (uint32_t part = 0; part < closed->part_count; part++) {
        uint32_t first = closed->vertex_starts[part], count = closed->vertex_starts[part + 1] - first;
        snVec3* positions = run->job->positions[part];
        for (uint32_t i = 0; i < count; i++) {
            uint32_t point = closed->points[first + i];
            snVec4 now = run->points[point], was = run->before[point];
            // Vertices of one point may have parted by rounding: then each moves as the point did.
            positions[i].x = moved(positions[i].x, was.x, now.x);
            positions[i].y = moved(positions[i].y, was.y, now.y);
            positions[i].z = moved(positions[i].z, was.z, now.z);
        }
    }
}

static void report(const sniRun* run, const double* before) {
    const snExactVolume* v = run->volume;
    const snExactVolumeJob* job = run->job;
    for (uint32_t s = 0; s < v->closed->shell_count && job->out_shells != NULL; s++)
        job->out_shells[s] = (snShellState){before[s], run->targets[s], run->volumes[s], run->held[s]};
    if (job->out_joints == NULL) return;
    for (uint32_t j = 0; j < v->joint_count; j++) job->out_joints[j] = (snVolumeJointState){0};
    for (uint32_t p = 0; p < v->patch_count; p++) {
        snVolumeJointState* joint = &job->out_joints[v->patches[p].joint];
        joint->change += run->changes[p];
        joint->share += run->shares[p];
        joint->held += run->held_back[p];
        joint->moved = sn_maxf(joint->moved, run->moved[p]);
    }
}

void sni_run_solve(sniRun* run) {
    const snExactVolume* v = run->volume;
    memcpy(run->before, run->points, ((size_t)sni_no_point(v->closed) + 1) * sizeof(snVec4));
    for (uint32_t s = 0; s < v->closed->shell_count; s++) {
        run->volumes[s] = run->volumes_before[s] = sni_run_measure(run, s);
        run->known[s] = 0;
    }
    sn_tasks_run(run->job->tasks, measure_changes, run, v->patch_count, 1);
    sni_run_want(run);
    sni_run_correct(run);
    if (!run->job->one_step) sni_run_polish(run);
}

snResult sn_exact_volume_run(const snExactVolumeJob* job) {
    if (job->volume == NULL || job->matrices == NULL || job->positions == NULL || job->scratch == NULL)
        return SN_RESULT_INVALID_ARGUMENT;
    const snExactVolume* v = job->volume;
    sniRun run = {.job = job, .volume = v, .only = SN_NONE, .kernels = sni_volume_kernels_of(job->level)};
    if (run.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    sni_run_lay_out(&run, v, job->scratch);
    sni_run_fill_targets(&run);
    sni_run_take_points(&run, (const snVec3* const*)job->positions);
    sni_run_solve(&run);
    if (job->normals != NULL) sni_run_normals(&run);
    write_back(&run);
    report(&run, run.volumes_before);
    return SN_RESULT_OK;
}
