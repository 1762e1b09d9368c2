// The tree of joints: new ones, other names, other parents.
#include "joints.h"

snResult sni_exchange_skeleton(snModel* model, const snSkeletonDef* def, snSkeleton** old, snError* error) {
    snSkeleton* made = NULL;
    SNI_TRY(sn_skeleton_create(def, &model->allocator, &made, error));
    // Creating normalises rotations, which may move a last bit.
    memcpy(made->rest, def->rest, def->joint_count * sizeof *def->rest);
    *old = model->skeleton;
    model->skeleton = made;
    return SN_RESULT_OK;
}

// The skeleton as lists that may be changed, with room for `more` joints.
typedef struct Lists {
    snSkeletonDef def;
    const char** names;
    uint32_t* parents;
    snTrs* rest;
} Lists;

static void free_lists(Lists* lists, const snAllocator* memory) {
    sni_free(memory, (void*)lists->names);
    sni_free(memory, lists->parents);
    sni_free(memory, lists->rest);
}

static snResult make_lists(const snModel* model, uint32_t more, Lists* out, snError* error) {
    const snSkeleton* skeleton = model->skeleton;
    const snAllocator* memory = &model->allocator;
    size_t count = skeleton->joint_count, room = count + more;
    *out = (Lists){.names = SNI_NEW_ARRAY(memory, const char*, room),
                   .parents = SNI_NEW_ARRAY(memory, uint32_t, room),
                   .rest = SNI_NEW_ARRAY(memory, snTrs, room)};
    if (out->names == NULL || out->parents == NULL || out->rest == NULL) {
        free_lists(out, memory);
        return sni_fail_memory(error);
    }
    for (size_t j = 0; j < count; j++) out->names[j] = skeleton->names[j];
    if (count > 0) memcpy(out->parents, skeleton->parents, count * sizeof *out->parents);
    if (count > 0) memcpy(out->rest, skeleton->rest, count * sizeof *out->rest);
    out->def = (snSkeletonDef){(uint32_t)room, out->names, out->parents, out->rest};
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------------- checks

static snResult need_joint(const snDocument* document, uint32_t joint, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (joint < document->state.body.model->skeleton->joint_count) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no joint %u", joint);
}

// Settings, maps and files know joints by their names.
static snResult check_name(const snDocument* document, const char* name, uint32_t except, snError* error) {
    if (name == NULL || name[0] == '\0')
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a joint needs a name");
    uint32_t found = sn_skeleton_find(document->state.body.model->skeleton, name);
    if (found == SN_NONE || found == except) return SN_RESULT_OK;
    return sni_fail_joint(error, SN_RESULT_BAD_DATA, found, "another joint already has the name %s", name);
}

snResult sni_check_named(const snDocument* document, bool before, snError* error) {
    const snSettings* settings = document->state.settings;
    snError found = sn_error_none();
    snResult result = sn_settings_validate_joints(settings, document->state.body.model->skeleton,
                                                  &document->allocator, &found);
    if (result != SN_RESULT_NOT_FOUND || !before)
        return result == SN_RESULT_OUT_OF_MEMORY ? sni_fail_memory(error) : SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "the settings name this joint: %s", found.text);
}

// ------------------------------------------------------------------------------------------------------- add

// Which joints deform is told by weights, which the new one has none of: from now on it is said.
static snResult say_deforming(sniBody* body, uint32_t count, snError* error) {
    uint8_t* list = SNI_NEW_ARRAY(&body->allocator, uint8_t, (size_t)count + 1);
    if (list == NULL) return sni_fail_memory(error);
    if (body->deforming != NULL)
        memcpy(list, body->deforming, count);
    else
        sn_bind_deforming(body->model, list);
    list[count] = 1;
    if (body->deforming != NULL) sni_free(&body->allocator, body->deforming);
    body->deforming = list;
    return SN_RESULT_OK;
}

static snTrs rest_at(uint32_t parent, const snMat4* world, snVec3 place) {
    snTrs rest = sn_trs_identity();
    snMat4 back = parent != SN_NONE ? sni_inverse_of(&world[parent]) : sn_mat4_identity();
    rest.translation = sn_mat4_point(&back, place);
    return rest;
}

static snResult add(sniBody* body, uint32_t parent, const char* name, snVec3 place, snError* error) {
    snModel* model = body->model;
    uint32_t count = model->skeleton->joint_count;
    Lists lists = {0};
    snSkeleton* old = NULL;
    SNI_TRY(say_deforming(body, count, error));
    SNI_TRY(make_lists(model, 1, &lists, error));
    snMat4* world = SNI_NEW_ARRAY(&model->allocator, snMat4, count);
    snResult result = world != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        sn_skeleton_world(model->skeleton, NULL, world);
        lists.names[count] = name;
        lists.parents[count] = parent;
        lists.rest[count] = rest_at(parent, world, place);
        result = sni_exchange_skeleton(model, &lists.def, &old, error);
    }
    sn_skeleton_destroy(old);
    sni_free(&model->allocator, world);
    free_lists(&lists, &model->allocator);
    return result;
}

snResult sn_document_add_joint(snDocument* document, const char* name, uint32_t parent, snVec3 place,
                               uint32_t* out_joint, snError* error) {
    if (parent != SN_NONE) SNI_TRY(need_joint(document, parent, error));
    SNI_TRY(sni_need_model(document, error));
    SNI_TRY(check_name(document, name, SN_NONE, error));
    if (!sn_vec3_finite(place))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the position is not finite");
    SNI_TRY(sni_edit_begin(document, "Add joint", SNI_BITS_MODEL, SNI_COPY_RIG, error));
    sniBody* body = &document->state.body;
    uint32_t joint = body->model->skeleton->joint_count;
    snResult result = add(body, parent, name, place, error);
    if (result == SN_RESULT_OK) sni_joints_changed(body);
    result = sni_edit_end(document, result, error);
    if (result == SN_RESULT_OK && out_joint != NULL) *out_joint = joint;
    return result;
}

// ---------------------------------------------------------------------------------------------------- rename

snResult sn_document_rename_joint(snDocument* document, uint32_t joint, const char* name, snError* error) {
    SNI_TRY(need_joint(document, joint, error));
    SNI_TRY(check_name(document, name, joint, error));
    if (strcmp(document->state.body.model->skeleton->names[joint], name) == 0) return SN_RESULT_OK;
    bool named = sn_settings_validate_joints(document->state.settings, document->state.body.model->skeleton,
                                             &document->allocator, NULL) == SN_RESULT_OK;
    SNI_TRY(sni_edit_begin(document, "Rename joint", SNI_BITS_MODEL, SNI_COPY_RIG, error));
    sniBody* body = &document->state.body;
    snSkeleton* skeleton = body->model->skeleton;
    char* copy = sni_copy_text(&skeleton->allocator, name);
    snResult result = copy != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        sni_free(&skeleton->allocator, skeleton->names[joint]);
        skeleton->names[joint] = copy;
        sni_joints_changed(body);
        result = sni_check_named(document, named, error);
    }
    return sni_edit_end(document, result, error);
}

// ---------------------------------------------------------------------------------------------------- parent

// Does `above` lie on the way from a joint up to its root, the joint itself included?
static bool is_above(const snSkeleton* skeleton, uint32_t joint, uint32_t above) {
    for (uint32_t j = joint; j != SN_NONE; j = skeleton->parents[j])
        if (j == above) return true;
    return false;
}

// Its rest by the new parent; what hangs below and what is bound stays to the last rounding.
static snResult hang(snModel* model, uint32_t joint, uint32_t parent, snMat4* old, snMat4* now,
                     snSkeleton** before, snError* error) {
    Lists lists = {0};
    SNI_TRY(make_lists(model, 0, &lists, error));
    sn_skeleton_world(model->skeleton, NULL, old);
    snMat4 back = parent != SN_NONE ? sni_inverse_of(&old[parent]) : sn_mat4_identity();
    snMat4 local = sn_mat4_mul(&back, &old[joint]);
    sn_trs_from_mat4(&local, &lists.rest[joint]); // with shear the nearest: binds follow what is left
    lists.parents[joint] = parent;
    snResult result = sni_exchange_skeleton(model, &lists.def, before, error);
    free_lists(&lists, &model->allocator);
    if (result != SN_RESULT_OK) return result;
    sn_skeleton_world(model->skeleton, NULL, now);
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++)
        if (is_above(model->skeleton, j, joint)) sni_follow_bind(model, j, &old[j], &now[j]);
    return SN_RESULT_OK;
}

snResult sni_hang(snModel* model, uint32_t joint, uint32_t parent, snError* error) {
    const snAllocator* memory = &model->allocator;
    uint32_t count = model->skeleton->joint_count;
    snMat4 *old = SNI_NEW_ARRAY(memory, snMat4, count), *now = SNI_NEW_ARRAY(memory, snMat4, count);
    snSkeleton* before = NULL;
    snResult result = old != NULL && now != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = hang(model, joint, parent, old, now, &before, error);
    if (result == SN_RESULT_OK) result = sni_clips_hang(model, before, joint, error);
    sn_skeleton_destroy(before);
    sni_free(memory, old);
    sni_free(memory, now);
    return result;
}

snResult sn_document_parent_joint(snDocument* document, uint32_t joint, uint32_t parent, snError* error) {
    SNI_TRY(need_joint(document, joint, error));
    if (parent != SN_NONE) SNI_TRY(need_joint(document, parent, error));
    const snSkeleton* skeleton = document->state.body.model->skeleton;
    if (skeleton->parents[joint] == parent) return SN_RESULT_OK;
    if (parent != SN_NONE && is_above(skeleton, parent, joint))
        return sni_fail_joint(error, SN_RESULT_BAD_DATA, joint, "%s is below %s and cannot become its parent",
                              skeleton->names[parent], skeleton->names[joint]);
    SNI_TRY(sni_edit_begin(document, "Parent joint", SNI_BITS_MODEL, SNI_COPY_RIG, error));
    sniBody* body = &document->state.body;
    snResult result = sni_hang(body->model, joint, parent, error);
    if (result == SN_RESULT_OK) sni_joints_changed(body);
    return sni_edit_end(document, result, error);
}
