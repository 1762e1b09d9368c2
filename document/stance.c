// How characters stand, and characters turned until they stand as they should: +Y up, +Z facing.
#include "document.h"

static bool says_axes(const snSource* source) {
    // Characters made in code and projects stand as ours do.
    return source->within != NULL || strncmp(source->name, "builtin:", strlen("builtin:")) == 0 ||
           sn_file_says_axes(source->name);
}

snResult sni_stance_of(const snDocument* document, snAxis up, snAxis facing, const snProgress* progress,
                       snStance* out, snError* error) {
    const sniBody* body = &document->state.body;
    bool says = says_axes(body->source);
    if (says && up == SN_AXIS_AUTO && facing == SN_AXIS_AUTO) {
        *out = (snStance){SN_AXIS_Y, SN_AXIS_Z, SN_STANCE_FORMAT, SN_STANCE_FORMAT};
        return SN_RESULT_OK;
    }
    snStanceDef def = sn_stance_def();
    // A format's rule is about which way is up; someone who says another way knows better.
    bool rule = says && up == SN_AXIS_AUTO && facing != SN_AXIS_Y && facing != SN_AXIS_MINUS_Y;
    def.up = rule ? SN_AXIS_Y : up;
    def.facing = facing;
    def.progress = *progress;
    SNI_TRY(sn_stance_find(&def, body->model, &document->allocator, out, error));
    if (rule) out->up_how = SN_STANCE_FORMAT;
    return SN_RESULT_OK;
}

static bool same(const snStance* a, const snStance* b) { return a->up == b->up && a->facing == b->facing; }

// Whether nearly all joints are where the mesh is, each as it is: nine of ten within its bounds and a little
// more, as fitting has it.
static bool stands_within(const snModel* mesh, const snModel* joints, const uint8_t* deforming,
                          const snAllocator* memory) {
    const snSkeleton* skeleton = joints->skeleton;
    uint32_t most = skeleton->joint_count;
    if (mesh->skeleton->joint_count > most) most = mesh->skeleton->joint_count;
    snMat4* world = SNI_NEW_ARRAY(memory, snMat4, most);
    if (world == NULL) return true; // whoever goes on will say what is wrong
    snBounds box = sn_bounds_empty();
    sn_skeleton_world(mesh->skeleton, NULL, world);
    for (uint32_t p = 0; p < mesh->part_count; p++) {
        const snPart* part = &mesh->parts[p];
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++)
            box = sn_bounds_add(box, sn_mat4_point(&world[part->joint], part->mesh->positions[v]));
    }
    float more = 0.05f * sn_bounds_diagonal(box);
    uint32_t all = 0, within = 0;
    sn_skeleton_world(skeleton, NULL, world);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (!deforming[j]) continue;
        snVec3 p = sn_mat4_translation(&world[j]);
        all++;
        within += p.x >= box.min.x - more && p.y >= box.min.y - more && p.z >= box.min.z - more &&
                  p.x <= box.max.x + more && p.y <= box.max.y + more && p.z <= box.max.z + more;
    }
    sni_free(memory, world);
    return 10 * within >= 9 * all;
}

snResult sni_turns_find(const snDocument* document, const snModel* joints, const uint8_t* deforming,
                        const snStance* mesh, sniTurns* out, snError* error) {
    snStance stance;
    *out = (sniTurns){sn_quat_identity(), sn_quat_identity(), false, false};
    SNI_TRY(sn_skeleton_stance(joints->skeleton, &document->allocator, &stance, error));
    bool given = mesh->up_how == SN_STANCE_GIVEN || mesh->facing_how == SN_STANCE_GIVEN;
    // Where the mesh does not show which way it faces, it faces as the joints do.
    snStance own = *mesh;
    bool along = own.facing_how == SN_STANCE_ASSUMED && own.up == stance.up;
    if (along) own.facing = stance.facing;
    if (!same(&own, &stance) &&
        (given || !stands_within(document->state.body.model, joints, deforming, &document->allocator))) {
        snQuat back = sn_quat_conjugate(sn_stance_turn(&stance));
        out->mesh = sn_quat_normalize(sn_quat_mul(back, sn_stance_turn(&own)));
        out->turns_mesh = true;
    }
    if (stance.up != SN_AXIS_Y) {
        out->both = sn_stance_turn(&stance);
        out->turns_both = true;
    }
    return SN_RESULT_OK;
}

static snResult stand(snDocument* document, const snStance* stance, snError* error) {
    SNI_TRY(sni_edit_begin(document, "Stand up", SNI_BITS_MODEL, SNI_COPY_RIG, error));
    sniBody* body = &document->state.body;
    sni_body_return_source(body);
    body->origin = false;
    sn_model_turn(body->model, sn_stance_turn(stance));
    return sni_edit_end(document, SN_RESULT_OK, error);
}

snResult sn_document_stand(snDocument* document, snAxis up, snAxis facing, const snProgress* progress,
                           snStance* out, snError* error) {
    static const snProgress nobody = {0};
    SNI_TRY(sni_need_model(document, error));
    snStance stance, upright = {SN_AXIS_Y, SN_AXIS_Z, SN_STANCE_ASSUMED, SN_STANCE_ASSUMED};
    SNI_TRY(sni_stance_of(document, up, facing, progress != NULL ? progress : &nobody, &stance, error));
    if (!same(&stance, &upright)) SNI_TRY(stand(document, &stance, error));
    if (out != NULL) *out = stance;
    return SN_RESULT_OK;
}
