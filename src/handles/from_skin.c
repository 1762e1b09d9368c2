// A rigged model as handles: what a joint moves alone, or nearly so, is rigid.
#include "base/error.h"
#include "base/memory.h"
#include "handles/draft.h"
#include "sinew/handles.h"
#include "sinew/retarget.h"

snHandlesFromSkinDef sn_handles_from_skin_def(void) {
    return (snHandlesFromSkinDef){.rigid = 0.8f, .smallest = 0.002f, .merge_fingers = true};
}

typedef struct Skin {
    const snHandlesFromSkinDef* def;
    const snAllocator* memory;
    uint32_t joint_count;
    uint32_t* homes;    // joint_count; the joint whose handle it belongs to
    uint32_t* counts;   // joint_count; vertices of the handle
    float* firmest;     // joint_count; the largest share that it has of a vertex
    uint32_t* heaviest; // vertex_count; whatever its share
    snMat4* world;      // joint_count
    snLabel* roles;     // joint_count
    bool has_hips;      // that hold a vertex
    uint32_t* bearers;  // joint_count; who stands for a joint that has no handle, or SN_NONE
    sniPoints points;
    sniDraft draft;
} Skin;

static bool make_room(Skin* s, const snMesh* mesh) {
    const snAllocator* memory = s->memory;
    s->homes = SNI_NEW_ARRAY(memory, uint32_t, s->joint_count);
    s->counts = SNI_NEW_ARRAY(memory, uint32_t, s->joint_count);
    s->firmest = SNI_NEW_ARRAY(memory, float, s->joint_count);
    s->heaviest = SNI_NEW_ARRAY(memory, uint32_t, mesh->vertex_count);
    s->world = SNI_NEW_ARRAY(memory, snMat4, s->joint_count);
    s->roles = SNI_NEW_ARRAY(memory, snLabel, s->joint_count);
    s->bearers = SNI_NEW_ARRAY(memory, uint32_t, s->joint_count);
    s->draft.mesh = mesh;
    s->draft.handle_count = s->joint_count;
    s->draft.handles = SNI_NEW_ARRAY(memory, sniDraftHandle, s->joint_count);
    s->draft.labels = SNI_NEW_ARRAY(memory, uint32_t, mesh->vertex_count);
    return s->homes != NULL && s->counts != NULL && s->firmest != NULL && s->heaviest != NULL &&
           s->world != NULL && s->roles != NULL && s->bearers != NULL && s->draft.handles != NULL &&
           s->draft.labels != NULL;
}

static void free_room(Skin* s) {
    void* arrays[] = {s->homes, s->counts,  s->firmest,       s->heaviest,    s->world,
                      s->roles, s->bearers, s->draft.handles, s->draft.labels};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(s->memory, arrays[i]);
}

static uint32_t home_of(const Skin* s, const snPart* part, size_t at) {
    const snSkin* skin = &s->def->model->skins[part->skin];
    uint16_t joint = part->weights.joints[at];
    return joint < skin->joint_count ? s->homes[skin->joints[joint]] : SN_NONE;
}

// The home whose joints weigh most in a vertex; the first of equals.
static uint32_t heaviest_home(const Skin* s, const snPart* part, uint32_t vertex, float* out_share) {
    *out_share = 1.0f;
    if (part->skin == SN_NONE) return s->homes[part->joint];
    const snWeights* weights = &part->weights;
    size_t begin = (size_t)vertex * weights->influences, end = begin + weights->influences;
    uint32_t best = SN_NONE;
    *out_share = 0.0f;
    for (size_t i = begin; i < end; i++) {
        uint32_t home = home_of(s, part, i);
        float sum = 0.0f;
        for (size_t k = begin; k < end; k++) {
            if (home_of(s, part, k) == home) sum += weights->weights[k];
        }
        if (home == SN_NONE || !(sum > *out_share)) continue;
        best = home;
        *out_share = sum;
    }
    return best;
}

// Limbs and the trunk are what a body is posed by, however little there is of them. A trunk begins with hips
// that move something: else legs would hang on nothing.
static bool is_needed(const Skin* s, uint32_t joint) {
    const snLabel* label = &s->roles[joint];
    bool trunk = label->role == SN_ROLE_HIPS || label->role == SN_ROLE_SPINE;
    bool limb = (label->role >= SN_ROLE_UPPER_ARM && label->role <= SN_ROLE_HAND) ||
                (label->role >= SN_ROLE_UPPER_LEG && label->role <= SN_ROLE_FOOT);
    return !label->twist && ((trunk && s->has_hips) || (limb && label->index == 0));
}

// Coarse meshes have no vertex that an upper arm moves nearly alone. What it moves nearly as much as any
// other is as rigid as it gets.
static void label_by_most(Skin* s) {
    uint32_t base = 0;
    for (uint32_t p = 0; p < s->def->model->part_count; p++) {
        const snPart* part = &s->def->model->parts[p];
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
            float share = 0.0f;
            uint32_t home = heaviest_home(s, part, v, &share), at = base + v;
            if (home == SN_NONE || s->draft.labels[at] != SN_NONE || !is_needed(s, home)) continue;
            // Where some are rigid those are the handle.
            if (!(s->firmest[home] < s->def->rigid) || share < s->def->rigid * s->firmest[home]) continue;
            s->draft.labels[at] = home;
        }
        base += part->mesh->vertex_count;
    }
}

// Of the vertices that are one point all belong to a handle, or none.
static void count_vertices(Skin* s) {
    memset(s->counts, 0, s->joint_count * sizeof *s->counts);
    sni_draft_unify(&s->points, &s->draft);
    for (uint32_t v = 0; v < s->points.vertex_count; v++)
        if (s->draft.labels[v] != SN_NONE) s->counts[s->draft.labels[v]]++;
    s->has_hips = false;
    for (uint32_t j = 0; j < s->joint_count; j++)
        if (s->roles[j].role == SN_ROLE_HIPS && s->counts[j] > 0) s->has_hips = true;
}

static void label_vertices(Skin* s) {
    memset(s->firmest, 0, s->joint_count * sizeof *s->firmest);
    uint32_t base = 0;
    for (uint32_t p = 0; p < s->def->model->part_count; p++) {
        const snPart* part = &s->def->model->parts[p];
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
            float share = 0.0f;
            uint32_t home = heaviest_home(s, part, v, &share);
            // Sums of weights that say "all of it" may miss 1 by rounding.
            bool rigid = home != SN_NONE && share >= s->def->rigid - 1e-4f;
            s->heaviest[base + v] = home;
            s->draft.labels[base + v] = rigid ? home : SN_NONE;
            if (home != SN_NONE) s->firmest[home] = sn_maxf(s->firmest[home], share + 1e-4f);
        }
        base += part->mesh->vertex_count;
    }
    label_by_most(s);
    count_vertices(s);
}

static uint32_t find_home(const Skin* s, uint32_t joint) {
    while (s->homes[joint] != joint) joint = s->homes[joint];
    return joint;
}

// Toes are no small parts: feet roll over them.
static bool is_small_by_name(const snLabel* label) {
    return label->twist || (label->role >= SN_ROLE_THUMB && label->role <= SN_ROLE_LITTLE);
}

static void merge_fingers(Skin* s) {
    const snSkeleton* skeleton = s->def->model->skeleton;
    for (uint32_t j = 0; j < s->joint_count; j++) {
        uint32_t parent = skeleton->parents[j];
        if (parent != SN_NONE && is_small_by_name(&s->roles[j])) s->homes[j] = parent;
    }
    for (uint32_t j = 0; j < s->joint_count; j++) s->homes[j] = find_home(s, j);
}

// Joints with too few vertices go to their parents, children first; what they shared with the parent is rigid
// then, so vertices are counted anew until nothing changes.
static void merge_small(Skin* s) {
    const snSkeleton* skeleton = s->def->model->skeleton;
    double least = (double)s->def->smallest * (double)s->draft.mesh->vertex_count;
    for (uint32_t round = 0; round < s->joint_count; round++) {
        label_vertices(s);
        bool changed = false;
        for (uint32_t i = s->joint_count; i-- > 0;) {
            uint32_t j = skeleton->order[i], parent = skeleton->parents[j];
            bool few = (double)s->counts[j] < least && !is_needed(s, j);
            bool small = s->counts[j] == 0 || few;
            if (s->homes[j] != j || !small || parent == SN_NONE) continue;
            s->homes[j] = s->homes[parent];
            changed = true;
        }
        for (uint32_t j = 0; j < s->joint_count; j++) s->homes[j] = find_home(s, j);
        if (!changed) return;
    }
}

static bool has_handle(const Skin* s, uint32_t joint) {
    return s->homes[joint] == joint && s->counts[joint] > 0;
}

// Robots: a plate is a node of its own on a bone that moves nothing else. The largest plate of such a bone
// stands for it, so that what hangs on the bone hangs on the plate.
static void find_bearers(Skin* s) {
    const snModel* model = s->def->model;
    for (uint32_t j = 0; j < s->joint_count; j++) s->bearers[j] = SN_NONE;
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t plate = model->parts[p].joint, bone = model->skeleton->parents[plate];
        if (model->parts[p].skin != SN_NONE || bone == SN_NONE || has_handle(s, bone) ||
            !has_handle(s, plate))
            continue;
        uint32_t* bearer = &s->bearers[bone];
        if (*bearer == SN_NONE || s->counts[plate] > s->counts[*bearer]) *bearer = plate;
    }
}

static uint32_t bearing_parent(const Skin* s, uint32_t joint) {
    uint32_t parent = s->def->model->skeleton->parents[joint];
    if (parent == SN_NONE || s->bearers[parent] == SN_NONE || s->bearers[parent] == joint) return parent;
    return s->bearers[parent];
}

static void describe(Skin* s) {
    const snSkeleton* skeleton = s->def->model->skeleton;
    find_bearers(s);
    sn_skeleton_world(skeleton, NULL, s->world);
    for (uint32_t j = 0; j < s->joint_count; j++) {
        sniDraftHandle* handle = &s->draft.handles[j];
        snprintf(handle->name, sizeof handle->name, "%s", skeleton->names[j]);
        uint32_t bone = skeleton->parents[j];
        bool bears = bone != SN_NONE && s->bearers[bone] == j; // a plate turns about its bone
        handle->center = sn_mat4_translation(&s->world[bears ? bone : j]);
        handle->parent = bearing_parent(s, j);
        handle->confidence = 1.0f;
    }
}

// ------------------------------------------------------------------------------------------------- parents

// How many times as long a border must be as that with the parent of the skeleton. Judged on rigs whose feet
// hang on the root for inverse kinematics.
#define MUCH_MORE 3u

// The handle that this one hangs on by the skeleton: joints between may have none.
static uint32_t parent_of(const Skin* s, uint32_t handle) {
    uint32_t parent = s->draft.handles[handle].parent;
    while (parent != SN_NONE && !has_handle(s, parent)) parent = s->draft.handles[parent].parent;
    return parent;
}

static bool hangs_on(const Skin* s, uint32_t handle, uint32_t on) {
    while (handle != SN_NONE && handle != on) handle = parent_of(s, handle);
    return handle == on;
}

// Edges between what a handle moves most and what others do. `touches`: joint_count.
static void count_touches(const Skin* s, const sniPoints* points, uint32_t handle, uint32_t* touches) {
    memset(touches, 0, s->joint_count * sizeof *touches);
    for (uint32_t p = 0; p < points->point_count; p++) {
        if (s->heaviest[points->vertex_of_point[p]] != handle) continue;
        for (uint32_t i = points->starts[p]; i < points->starts[p + 1]; i++) {
            uint32_t other = s->heaviest[points->vertex_of_point[points->neighbours[i]]];
            if (other != SN_NONE && other != handle) touches[other]++;
        }
    }
}

// Feet of rigs for inverse kinematics hang on the root, where their goals are. A handle whose parent is the
// root, or none, goes to the one that it borders on much more, unless that hangs on itself.
static bool hang_by_touch(Skin* s, const sniPoints* points) {
    uint32_t* touches = SNI_NEW_ARRAY(s->memory, uint32_t, s->joint_count);
    if (touches == NULL) return false;
    for (uint32_t h = 0; h < s->joint_count; h++) {
        uint32_t parent = parent_of(s, h);
        if (!has_handle(s, h) || (parent != SN_NONE && parent_of(s, parent) != SN_NONE)) continue;
        count_touches(s, points, h, touches);
        uint32_t best = SN_NONE;
        for (uint32_t other = 0; other < s->joint_count; other++) {
            if (touches[other] == 0 || s->counts[other] == 0 || hangs_on(s, other, h)) continue;
            if (best == SN_NONE || touches[other] > touches[best]) best = other;
        }
        if (best == SN_NONE) continue;
        uint64_t own = parent != SN_NONE ? touches[parent] : 0;
        if (touches[best] > MUCH_MORE * own) s->draft.handles[h].parent = best;
    }
    sni_free(s->memory, touches);
    return true;
}

static snResult build(Skin* s, snHandles** out, snError* error) {
    const snMesh* mesh = s->draft.mesh;
    for (uint32_t j = 0; j < s->joint_count; j++) s->homes[j] = j;
    // Too many joints for a body are none.
    snResult result = sn_skeleton_label(s->def->model->skeleton, s->memory, s->roles);
    if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(error);
    if (result == SN_RESULT_OK && s->def->merge_fingers) merge_fingers(s);
    result = sni_points_create(mesh, NULL, s->memory, &s->points, error);
    if (result != SN_RESULT_OK) return result;
    s->has_hips = true; // until something is counted
    merge_small(s);
    describe(s);
    bool enough =
        hang_by_touch(s, &s->points) && sni_draft_hold_pieces(&s->points, s->heaviest, s->memory, &s->draft);
    result = enough ? sni_draft_finish(&s->draft, s->memory, out, error) : sni_fail_memory(error);
    sni_points_free(&s->points);
    return result;
}

snResult sn_handles_from_skin(const snHandlesFromSkinDef* def, const snMesh* mesh,
                              const snAllocator* allocator, snHandles** out, snError* error) {
    if (def == NULL || def->model == NULL || mesh == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model, its mesh and an output are needed");
    }
    if (!(def->rigid > 0.5f && def->rigid <= 1.0f && def->smallest >= 0.0f && def->smallest < 1.0f)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "rigid is above 0.5 up to 1, smallest 0 to 1");
    }
    uint64_t vertices = 0;
    for (uint32_t p = 0; p < def->model->part_count; p++) vertices += def->model->parts[p].mesh->vertex_count;
    if (vertices != mesh->vertex_count) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the model has %llu vertices, its mesh has %u",
                        (unsigned long long)vertices, mesh->vertex_count);
    }
    if (def->model->skeleton->joint_count == 0 || vertices == 0) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "the model has no joint that moves a vertex");
    }
    snAllocator memory = sni_allocator(allocator);
    Skin s = {.def = def, .memory = &memory, .joint_count = def->model->skeleton->joint_count};
    snResult result = make_room(&s, mesh) ? build(&s, out, error) : sni_fail_memory(error);
    free_room(&s);
    return result;
}
