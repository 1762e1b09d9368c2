// Joints that go: what hangs on them, what they move and where they are named.
#include "joints.h"

typedef struct Removal {
    snModel* model;
    uint32_t joint;
    uint32_t parent;
    snMat4* world; // of the rest pose
} Removal;

// Numbers behind the joint's move up by one.
static uint32_t without(uint32_t joint, uint32_t gone) { return joint > gone ? joint - 1 : joint; }

static uint32_t find_in(const snSkin* skin, uint32_t joint) {
    for (uint32_t i = 0; i < skin->joint_count; i++)
        if (skin->joints[i] == joint) return i;
    return SN_NONE;
}

// Who takes its skin: the nearest above it that has some already, else its parent.
static uint32_t heir_of(const Removal* r, const snSkin* skin) {
    const uint32_t* parents = r->model->skeleton->parents;
    for (uint32_t j = r->parent; j != SN_NONE; j = parents[j])
        if (find_in(skin, j) != SN_NONE) return j;
    return r->parent;
}

// Weights of entry `from` go to entry `to`, and `from` out of the list.
static void merge_weights(snWeights* w, uint32_t from, uint32_t to) {
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        uint16_t* joints = w->joints + (size_t)v * w->influences;
        float* weights = w->weights + (size_t)v * w->influences;
        uint32_t there = SN_NONE;
        for (uint32_t i = 0; i < w->influences; i++)
            if (joints[i] == to && weights[i] > 0.0f) there = i;
        for (uint32_t i = 0; i < w->influences; i++) {
            if (joints[i] != from) continue;
            joints[i] = (uint16_t)to;
            if (there == SN_NONE || there == i || !(weights[i] > 0.0f)) continue;
            weights[there] += weights[i];
            weights[i] = 0.0f;
        }
        for (uint32_t i = 0; i < w->influences; i++)
            if (joints[i] > from) joints[i]--;
    }
}

static void leave_skin(const Removal* r, uint32_t s) {
    snModel* model = r->model;
    snSkin* skin = &model->skins[s];
    uint32_t from = find_in(skin, r->joint);
    if (from == SN_NONE) return;
    uint32_t heir = heir_of(r, skin), to = find_in(skin, heir);
    model->reskinned = true;
    if (to == SN_NONE) {
        // Its place in the list is the heir's; the surface at rest stays.
        snMat4 back = sni_inverse_of(&r->world[heir]), turn = sn_mat4_mul(&back, &r->world[r->joint]);
        skin->joints[from] = heir;
        skin->inverse_binds[from] = sn_mat4_mul(&turn, &skin->inverse_binds[from]);
        return;
    }
    for (uint32_t p = 0; p < model->part_count; p++)
        if (model->parts[p].skin == s) merge_weights(&model->parts[p].weights, from, to);
    size_t behind = --skin->joint_count - from;
    memmove(&skin->joints[from], &skin->joints[from + 1], behind * sizeof *skin->joints);
    memmove(&skin->inverse_binds[from], &skin->inverse_binds[from + 1], behind * sizeof *skin->inverse_binds);
}

static void leave_clip(snClip* clip, uint32_t joint) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        snChannel* channel = &clip->channels[i];
        if (channel->joint == joint) {
            sni_free(&clip->allocator, channel->times);
            sni_free(&clip->allocator, channel->values);
            continue;
        }
        channel->joint = without(channel->joint, joint);
        clip->channels[count++] = *channel;
    }
    clip->channel_count = count;
}

// Everything that counts joints.
static void renumber(const Removal* r, sniBody* body) {
    snModel* model = r->model;
    uint32_t gone = r->joint,
             behind = model->skeleton->joint_count - gone; // it is out of the skeleton already
    for (uint32_t s = 0; s < model->skin_count; s++)
        for (uint32_t i = 0; i < model->skins[s].joint_count; i++)
            model->skins[s].joints[i] = without(model->skins[s].joints[i], gone);
    for (uint32_t p = 0; p < model->part_count; p++)
        model->parts[p].joint = without(model->parts[p].joint, gone);
    for (uint32_t c = 0; c < model->clip_count; c++) leave_clip(model->clips[c], gone);
    for (uint32_t i = 0; model->binding != NULL && i < model->binding->joint_count; i++)
        model->binding->joints[i] = without(model->binding->joints[i], gone);
    if (body->deforming != NULL) memmove(&body->deforming[gone], &body->deforming[gone + 1], behind);
}

static snResult leave_skeleton(const Removal* r, snError* error) {
    snSkeleton* skeleton = r->model->skeleton;
    const snAllocator* memory = &r->model->allocator;
    uint32_t count = skeleton->joint_count - 1;
    const char** names = SNI_NEW_ARRAY(memory, const char*, count);
    uint32_t* parents = SNI_NEW_ARRAY(memory, uint32_t, count);
    snTrs* rest = SNI_NEW_ARRAY(memory, snTrs, count);
    snSkeleton* old = NULL;
    bool enough = names != NULL && parents != NULL && rest != NULL;
    for (uint32_t j = 0; j <= count && enough; j++) {
        uint32_t to = without(j, r->joint), above = skeleton->parents[j];
        if (j == r->joint) continue;
        names[to] = skeleton->names[j];
        parents[to] = above == SN_NONE ? SN_NONE : without(above, r->joint);
        rest[to] = skeleton->rest[j];
    }
    snSkeletonDef def = {count, names, parents, rest};
    snResult result = enough ? sni_exchange_skeleton(r->model, &def, &old, error) : sni_fail_memory(error);
    sn_skeleton_destroy(old);
    sni_free(memory, (void*)names);
    sni_free(memory, parents);
    sni_free(memory, rest);
    return result;
}

static bool moves_lattice(const snModel* model, uint32_t joint) {
    for (uint32_t i = 0; model->binding != NULL && i < model->binding->joint_count; i++)
        if (model->binding->joints[i] == joint) return true;
    return false;
}

// Lattices know who moves them in too many ways to be changed: one of the same cells is made for the weights.
static snResult take_out(snDocument* document, Removal* r, const snProgress* progress, snError* error) {
    sniBody* body = &document->state.body;
    snModel* model = r->model = body->model;
    snBindDef def = sn_bind_def();
    bool anew = moves_lattice(model, r->joint);
    if (anew) {
        def.influences = model->binding->particles.influences;
        def.cell_size = model->binding->lattice->cell_size;
    }
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++)
        if (model->skeleton->parents[j] == r->joint) SNI_TRY(sni_hang(model, j, r->parent, error));
    sn_skeleton_world(model->skeleton, NULL, r->world);
    if (anew) sn_model_set_binding(model, NULL);
    for (uint32_t s = 0; s < model->skin_count; s++) leave_skin(r, s);
    SNI_TRY(leave_skeleton(r, error));
    renumber(r, body);
    sni_joints_changed(body);
    if (!anew) return SN_RESULT_OK;
    def.method = SN_WEIGHTS_KEEP;
    def.memory_limit = document->def.memory_limit;
    def.tasks = document->def.tasks;
    def.level = document->def.level;
    if (progress != NULL) def.progress = *progress;
    return sn_model_bind(model, &def, NULL, error);
}

// What would have nobody to hang on.
static snResult check(const snDocument* document, uint32_t joint, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    const snModel* model = document->state.body.model;
    const snSkeleton* skeleton = model->skeleton;
    if (joint >= skeleton->joint_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no joint %u", joint);
    for (uint32_t p = 0; p < model->part_count; p++)
        if (model->parts[p].joint == joint)
            return sni_fail_joint(error, SN_RESULT_BAD_DATA, joint,
                                  "%s has the mesh %s and cannot be removed", skeleton->names[joint],
                                  model->parts[p].name);
    if (skeleton->parents[joint] != SN_NONE) return SN_RESULT_OK;
    for (uint32_t s = 0; s < model->skin_count; s++)
        if (find_in(&model->skins[s], joint) != SN_NONE)
            return sni_fail_joint(
                error, SN_RESULT_BAD_DATA, joint,
                "%s moves skin and has no parent to take over its weights: give it a parent",
                skeleton->names[joint]);
    return SN_RESULT_OK;
}

snResult sn_document_remove_joint(snDocument* document, uint32_t joint, const snProgress* progress,
                                  snError* error) {
    SNI_TRY(check(document, joint, error));
    const snSkeleton* skeleton = document->state.body.model->skeleton;
    const snAllocator* memory = &document->allocator;
    bool named =
        sn_settings_validate_joints(document->state.settings, skeleton, memory, NULL) == SN_RESULT_OK;
    Removal removal = {.joint = joint,
                       .parent = skeleton->parents[joint],
                       .world = SNI_NEW_ARRAY(memory, snMat4, skeleton->joint_count)};
    if (removal.world == NULL) return sni_fail_memory(error);
    snResult result = sni_edit_begin(document, "Remove joint", SNI_BITS_MODEL, SNI_COPY_RIG, error);
    if (result == SN_RESULT_OK) {
        result = take_out(document, &removal, progress, error);
        if (result == SN_RESULT_OK) result = sni_check_named(document, named, error);
        result = sni_edit_end(document, result, error);
    }
    sni_free(memory, removal.world);
    return result;
}
