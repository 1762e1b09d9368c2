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
        snQuat back = sn_quat_conjugate(sn_stance_rotation(&stance));
        out->mesh = sn_quat_normalize(sn_quat_mul(back, sn_stance_rotation(&own)));
        out->turns_mesh = true;
    }
    if (stance.up != SN_AXIS_Y) {
        out->both = sn_stance_rotation(&stance);
        out->turns_both = true;
    }
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------- own axes

#define SAMPLES 64

// Whether a turn leads from the mesh as it was read to the mesh as it is; faces and order are the same.
static bool leads(const snModel* from, const snMat4* place, const snModel* to, snQuat turn) {
    const snMesh *a = from->parts[0].mesh, *b = to->parts[0].mesh;
    float size = sn_bounds_diagonal(sn_bounds_of(b->positions, b->vertex_count));
    uint32_t step = a->vertex_count / SAMPLES + 1;
    for (uint32_t v = 0; v < a->vertex_count; v += step) {
        snVec3 p = sn_quat_rotate(turn, sn_mat4_point(place, a->positions[v]));
        if (sn_distance(p, b->positions[v]) > 1e-4f * size) return false;
    }
    return true;
}

// A body out of bytes (undo, projects) is compared with the file as it came; elsewhere that may have become
// the character itself.
bool sni_own_axes(const sniBody* body, snQuat* out) {
    const snModel *from = body->source->model, *to = body->model;
    *out = sn_quat_conjugate(body->turn);
    if (body->turned) return true;
    if (body->joints == 0 || from->skin_count > 0 || from->part_count == 0 || says_axes(body->source) ||
        from->parts[0].mesh->vertex_count > to->parts[0].mesh->vertex_count)
        return false;
    snMat4 place = sn_mat4_identity();
    for (uint32_t j = from->parts[0].joint; j != SN_NONE; j = from->skeleton->parents[j]) {
        snMat4 local = sn_mat4_from_trs(&from->skeleton->rest[j]);
        place = sn_mat4_mul(&local, &place);
    }
    snQuat carrier = to->skeleton->rest[to->parts[0].joint].rotation;
    for (int i = 0; i < 36; i++) {
        snStance stance = {(snAxis)(i / 6 + 1), (snAxis)(i % 6 + 1), SN_STANCE_ASSUMED, SN_STANCE_ASSUMED};
        if ((int)stance.up % 3 == (int)stance.facing % 3) continue;
        snQuat turn = sn_stance_rotation(&stance);
        if (!leads(from, &place, to, turn)) continue;
        snQuat whole = sn_quat_normalize(sn_quat_mul(carrier, turn));
        *out = sn_quat_conjugate(whole);
        return whole.w * whole.w < 0.999f;
    }
    return false;
}

// --------------------------------------------------------------------------------------------- standing

static snResult stand(snDocument* document, const snStance* stance, snError* error) {
    SNI_TRY(sni_edit_begin(document, "Stand up", SNI_BITS_MODEL, SNI_COPY_RIG, error));
    sniBody* body = &document->state.body;
    snModel* model = body->model;
    // What the file's document says of nodes does not hold any more.
    if (!body->lent) sni_body_return_source(body);
    if (model->source_destroy != NULL) model->source_destroy(model->source);
    model->source = NULL;
    model->source_destroy = NULL;
    body->origin = false;
    sn_model_rotate(model, sn_stance_rotation(stance));
    sni_timeline_rotated(document, sn_stance_rotation(stance));
    return sni_edit_end(document, SN_RESULT_OK, error);
}

snResult sn_document_orient(snDocument* document, snAxis up, snAxis facing, const snProgress* progress,
                            snStance* out, snError* error) {
    static const snProgress nobody = {0};
    SNI_TRY(sni_need_model(document, error));
    snStance stance, upright = {SN_AXIS_Y, SN_AXIS_Z, SN_STANCE_ASSUMED, SN_STANCE_ASSUMED};
    SNI_TRY(sni_stance_of(document, up, facing, progress != NULL ? progress : &nobody, &stance, error));
    if (!same(&stance, &upright)) SNI_TRY(stand(document, &stance, error));
    if (out != NULL) *out = stance;
    return SN_RESULT_OK;
}
