// Exact volume and contact of a character: its parts in one bind pose, what the settings say of its joints,
// and the run on the finished surface.
#include "volume/exact.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"

// ------------------------------------------------------------------------------------------------- tables

static snResult create_part(const sniTables* tables, uint32_t index, snVolumePart* out, snError* error) {
    const snAllocator* memory = &tables->allocator;
    const snPart* part = &tables->model->parts[index];
    const sniPartTables* t = &tables->parts[index];
    size_t vertices = part->mesh->vertex_count, count = vertices * t->influences;
    snVec3* rest = SNI_NEW_ARRAY(memory, snVec3, vertices);
    uint16_t* joints = SNI_NEW_ARRAY(memory, uint16_t, count);
    *out = (snVolumePart){part->mesh, rest, t->influences, joints, t->weights};
    if (rest == NULL || joints == NULL) return sni_fail_memory(error);
    for (size_t v = 0; v < vertices; v++) rest[v] = sn_mat4_point(&t->to_bind, t->rest[v]);
    sni_part_joints(tables, index, joints);
    return SN_RESULT_OK;
}

// What the settings say of the joints and of all of them; `joints` has joint_count.
static snExactVolumeDef volume_def(const sniTables* tables, snVolumeJoint* joints) {
    const snSkeleton* skeleton = tables->model->skeleton;
    const snSettings* s = tables->settings;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const snVolumeChoice* choice = tables->volume_choices != NULL ? &tables->volume_choices[j] : NULL;
        joints[j] =
            (snVolumeJoint){skeleton->parents[j], sn_mat4_translation(&tables->bind_pose.worlds[j]),
                            choice != NULL ? choice->profile : NULL, choice != NULL ? choice->amount : 1.0f};
    }
    snExactVolumeDef def = sn_exact_volume_def();
    def.joint_count = skeleton->joint_count;
    def.joints = joints;
    def.order = skeleton->order;
    def.dual = s->skin != SN_SKIN_LINEAR;
    def.support = s->volume_support;
    def.rest_profiles = s->volume_rest_profiles;
    return def;
}

snResult sni_volume_choices_make(sniTables* tables, snError* error) {
    const snSkeleton* skeleton = tables->model->skeleton;
    if (skeleton->joint_count > UINT16_MAX)
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "exact volume takes at most %u joints", UINT16_MAX);
    tables->volume_choices = SNI_NEW_ARRAY(&tables->allocator, snVolumeChoice, skeleton->joint_count);
    if (tables->volume_choices == NULL) return sni_fail_memory(error);
    return sn_settings_resolve_volume(tables->settings, skeleton, &tables->allocator, tables->volume_choices,
                                      error);
}

// From the bind pose to the rest pose, which is what a character stands in. NULL without memory.
static snMat4* stance_of(const sniTables* tables) {
    const snSkeleton* skeleton = tables->model->skeleton;
    snMat4* stance = SNI_NEW_ARRAY(&tables->allocator, snMat4, skeleton->joint_count);
    if (stance == NULL) return NULL;
    sn_skeleton_world(skeleton, NULL, stance);
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        stance[j] = sn_mat4_mul(&stance[j], &tables->bind_inverses[j]);
    return stance;
}

snResult sni_volume_source_create(const sniTables* tables, sniVolumeSource* out, snError* error) {
    const snModel* model = tables->model;
    out->parts = SNI_NEW_ARRAY(&tables->allocator, snVolumePart, model->part_count);
    out->joints = SNI_NEW_ARRAY(&tables->allocator, snVolumeJoint, model->skeleton->joint_count);
    if (out->parts == NULL || out->joints == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++) SNI_TRY(create_part(tables, p, &out->parts[p], error));
    out->stance = stance_of(tables);
    if (out->stance == NULL) return sni_fail_memory(error);
    out->def = volume_def(tables, out->joints);
    out->def.part_count = model->part_count;
    out->def.parts = out->parts;
    out->def.stance = out->stance;
    return SN_RESULT_OK;
}

void sni_volume_source_free(const sniTables* tables, sniVolumeSource* source) {
    const snAllocator* memory = &tables->allocator;
    for (uint32_t p = 0; p < tables->model->part_count && source->parts != NULL; p++) {
        sni_free(memory, (void*)source->parts[p].rest);
        sni_free(memory, (void*)source->parts[p].joints);
    }
    sni_free(memory, source->parts);
    sni_free(memory, source->joints);
    sni_free(memory, source->stance);
}

snResult sni_exact_make(sniTables* tables, snError* error) {
    sniVolumeSource source = {0};
    snResult result = sni_volume_source_create(tables, &source, error);
    // Where weights were painted, most joints find what they had.
    if (result == SN_RESULT_OK && tables->before != NULL && tables->before->exact != NULL)
        result = sni_exact_volume_reweigh(tables->before->exact, &source.def, &tables->exact, error);
    if (result == SN_RESULT_OK && tables->exact == NULL)
        result = sn_exact_volume_create(&source.def, &tables->allocator, &tables->exact, error);
    sni_volume_source_free(tables, &source);
    return result;
}

// The skin along curves, as contact tries it: without styles, so that changes of these are no reason to try
// anew.
typedef struct Curves {
    const sniTables* tables;
    snVolumeCurves curves;
    uint16_t** matrices; // one per part
    float** weights;
} Curves;

static snResult pose_curves(void* user, const snMat4* joints, snMat4* out_matrices) {
    const Curves* c = user;
    snSplinesJob job = {.splines = c->tables->splines, .matrices = joints, .out_matrices = out_matrices};
    return sn_splines_run(&job);
}

static void curves_free(const Curves* c) {
    const snAllocator* memory = &c->tables->allocator;
    for (uint32_t p = 0; p < c->tables->part_count; p++) {
        if (c->matrices != NULL) sni_free(memory, c->matrices[p]);
        if (c->weights != NULL) sni_free(memory, c->weights[p]);
    }
    sni_free(memory, (void*)c->matrices);
    sni_free(memory, (void*)c->weights);
}

static snResult curves_create(const sniTables* tables, Curves* out, snError* error) {
    const snAllocator* memory = &tables->allocator;
    uint32_t parts = tables->part_count;
    out->matrices = SNI_NEW_ARRAY(memory, uint16_t*, parts);
    out->weights = SNI_NEW_ARRAY(memory, float*, parts);
    bool ready = out->matrices != NULL && out->weights != NULL;
    for (uint32_t p = 0; p < parts && ready; p++) {
        const snSplineSkin* skin = tables->parts[p].splines;
        size_t count = (size_t)tables->model->parts[p].mesh->vertex_count * SN_SPLINE_MATRICES;
        if (skin == NULL) continue;
        out->matrices[p] = SNI_NEW_ARRAY(memory, uint16_t, count);
        out->weights[p] = SNI_NEW_ARRAY(memory, float, count);
        ready = out->matrices[p] != NULL && out->weights[p] != NULL;
        if (ready) sn_spline_skin_influences(skin, out->matrices[p], out->weights[p]);
    }
    out->curves = (snVolumeCurves){.influences = SN_SPLINE_MATRICES,
                                   .matrices = (const uint16_t* const*)out->matrices,
                                   .weights = (const float* const*)out->weights,
                                   .matrix_count = sn_splines_matrix_count(tables->splines),
                                   .pose = pose_curves,
                                   .user = out};
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sni_contact_make(sniTables* tables, snError* error) {
    if (tables->model->skeleton->joint_count > UINT16_MAX)
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "contact takes at most %u joints", UINT16_MAX);
    sniVolumeSource source = {0};
    Curves curves = {.tables = tables};
    snResult result = sni_volume_source_create(tables, &source, error);
    if (result == SN_RESULT_OK && tables->splines != NULL) {
        result = curves_create(tables, &curves, error);
        source.def.curves = &curves.curves;
    }
    if (result == SN_RESULT_OK)
        result = sn_contact_create(&source.def, &tables->allocator, &tables->contact, error);
    curves_free(&curves);
    sni_volume_source_free(tables, &source);
    return result;
}

snResult sni_fields_make(sniTables* tables, snError* error) {
    const snAllocator* memory = &tables->allocator;
    snVolumeJoint* joints = SNI_NEW_ARRAY(memory, snVolumeJoint, tables->model->skeleton->joint_count);
    if (joints == NULL) return sni_fail_memory(error);
    snMat4* stance = stance_of(tables);
    snExactVolumeDef def = volume_def(tables, joints);
    def.stance = stance;
    snResult result = stance != NULL ? sni_exact_volume_amend(tables->exact, &def, &tables->exact, error)
                                     : sni_fail_memory(error);
    sni_free(memory, joints);
    sni_free(memory, stance);
    return result;
}

// -------------------------------------------------------------------------------------------------- targets

static bool has_surface(const snExactVolume* volume, uint32_t joint) {
    for (uint32_t p = 0; p < volume->patch_count; p++) {
        const sniPatch* patch = &volume->patches[p];
        if (patch->joint == joint && patch->carried.mass > 0.0 && patch->share > 0.0) return true;
    }
    return false;
}

// Names of the first joints that could be meant instead.
static void list_surfaces(const sniTables* tables, char* out, size_t capacity) {
    const snSkeleton* skeleton = tables->model->skeleton;
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t k = 0; k < skeleton->joint_count && used + 64 < capacity; k++) {
        uint32_t j = skeleton->order[k];
        if (skeleton->names[j][0] == '\0' || !has_surface(tables->exact, j)) continue;
        used += (size_t)snprintf(out + used, capacity - used, "%s%.40s", used > 0 ? ", " : "",
                                 skeleton->names[j]);
    }
}

// A target that moves nothing is a mistake in a name, or a joint that got no weight.
snResult sni_volume_targets_reach(const sniTables* tables, snError* error) {
    const snSettings* s = tables->settings;
    for (uint32_t i = 0; tables->exact != NULL && i < s->volume_target_count; i++) {
        bool asked = false, found = false;
        for (uint32_t j = 0; j < tables->model->skeleton->joint_count && !found; j++) {
            if (tables->volume_choices[j].target != i) continue;
            asked = true;
            found = has_surface(tables->exact, j);
        }
        if (!asked || found) continue; // a later target may have taken its joints
        char names[200];
        list_surfaces(tables, names, sizeof names);
        return sni_fail(error, SN_RESULT_NOT_FOUND,
                        "volume.targets: \"%.60s\" moves no closed surface; these joints do:  %s",
                        s->volume_targets[i].joint, names[0] != '\0' ? names : "none");
    }
    return SN_RESULT_OK;
}

bool sni_exact_work_create(const sniTables* tables, size_t scratch, const snAllocator* memory,
                           sniExactWork* out) {
    uint32_t joints = tables->model->skeleton->joint_count, parts = tables->part_count;
    bool morphs = false;
    out->part_count = parts;
    for (uint32_t p = 0; p < parts && tables->exact != NULL; p++)
        morphs |= tables->model->parts[p].morph_count > 0;
    out->scratch = sni_alloc_array(memory, scratch, 1);
    out->matrices = SNI_NEW_ARRAY(memory, snMat4, joints);
    out->targets = SNI_NEW_ARRAY(memory, float, joints);
    out->positions = SNI_NEW_ARRAY(memory, snVec3*, parts);
    out->normals = SNI_NEW_ARRAY(memory, snVec3*, parts);
    bool ready = out->scratch != NULL && out->matrices != NULL && out->targets != NULL &&
                 out->positions != NULL && out->normals != NULL;
    if (ready && morphs) {
        out->rests = SNI_NEW_ARRAY(memory, snVec3*, parts);
        ready = out->rests != NULL;
        for (uint32_t p = 0; p < parts && ready; p++) {
            out->rests[p] = SNI_NEW_ARRAY(memory, snVec3, tables->model->parts[p].mesh->vertex_count);
            ready = out->rests[p] != NULL;
        }
    }
    return ready;
}

void sni_exact_work_destroy(sniExactWork* work, const snAllocator* memory) {
    for (uint32_t p = 0; p < work->part_count && work->rests != NULL; p++) sni_free(memory, work->rests[p]);
    void* arrays[] = {work->scratch,          work->matrices,       work->targets,
                      (void*)work->positions, (void*)work->normals, (void*)work->rests};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
}

// -------------------------------------------------------------------------------------------------- frames

static void fill_rests(const snCharacter* character) {
    const sniTables* tables = character->tables;
    for (uint32_t p = 0; p < tables->part_count; p++) {
        const snPart* part = &tables->model->parts[p];
        const snVec3* rest = part->morph_count > 0 ? character->parts[p].rest : tables->parts[p].rest;
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++)
            character->work->exact.rests[p][v] = sn_mat4_point(&tables->parts[p].to_bind, rest[v]);
    }
}

static bool fill_targets(const snCharacter* character, double time) {
    const sniTables* tables = character->tables;
    bool any = false;
    for (uint32_t j = 0; j < tables->model->skeleton->joint_count; j++) {
        uint32_t target = tables->volume_choices[j].target;
        any |= target != SN_NONE;
        character->work->exact.targets[j] =
            target != SN_NONE ? sn_volume_target_at(&tables->settings->volume_targets[target], time) : 1.0f;
    }
    return any;
}

static void note_shells(snCharacter* character) {
    snCharacterReport* report = &character->report;
    const snShell* shells = sn_exact_volume_shells(character->tables->exact);
    for (uint32_t s = 0; s < sn_exact_volume_shell_count(character->tables->exact); s++) {
        if (shells[s].kind != SN_SHELL_KEPT) continue;
        const snShellState* state = &character->shells[s];
        double size = fabs(state->target), error = fabs(state->after - (state->target - state->held)) / size;
        double before = fabs(state->before - state->target) / size;
        if (!(before <= report->exact_before_max)) report->exact_before_max = before;
        double held = fabs(state->held) / size;
        if (held > report->exact_held_max) report->exact_held_max = held;
        if (error <= report->exact_error_max) continue; // what is not a number is an error, too
        report->exact_error_max = error;
        report->exact_shell = s;
    }
}

static snResult run_contact(snCharacter* character) {
    const sniTables* tables = character->tables;
    sniExactWork* work = &character->work->exact;
    uint32_t joints = tables->model->skeleton->joint_count;
    snContactJob job = {.contact = tables->contact,
                        .matrices = work->matrices,
                        .curves = tables->splines != NULL ? character->work->splines.matrices : NULL,
                        .positions = work->positions,
                        .normals = work->normals,
                        .scratch = work->scratch,
                        .out_moved = work->targets}; // filled anew for exact volume
    SNI_TRY(sn_contact_run(&job));
    for (uint32_t j = 0; j < joints; j++)
        character->report.contact_max = sn_maxf(character->report.contact_max, work->targets[j]);
    return SN_RESULT_OK;
}

static snResult run_volume(snCharacter* character, double time) {
    const sniTables* tables = character->tables;
    sniExactWork* work = &character->work->exact;
    if (work->rests != NULL) fill_rests(character);
    snExactVolumeJob job = {.volume = tables->exact,
                            .matrices = work->matrices,
                            .rests = (const snVec3* const*)work->rests,
                            .targets = fill_targets(character, time) ? work->targets : NULL,
                            .loss_only = tables->settings->volume_loss_only,
                            .one_step = tables->settings->volume_one_step,
                            .positions = work->positions,
                            .normals = work->normals,
                            .scratch = work->scratch,
                            .out_shells = character->shells,
                            .out_joints = character->volume_joints,
                            .tasks = &character->def.tasks,
                            .level = character->def.level};
    snResult result = sn_exact_volume_run(&job);
    if (result == SN_RESULT_OK) note_shells(character);
    return result;
}

snResult sni_exact_run(snCharacter* character, double time) {
    const sniTables* tables = character->tables;
    sniExactWork* work = &character->work->exact;
    if (tables->exact == NULL && tables->contact == NULL) return SN_RESULT_OK;
    for (uint32_t j = 0; j < tables->model->skeleton->joint_count; j++)
        work->matrices[j] = sn_mat4_mul(&character->world[j], &tables->bind_inverses[j]);
    for (uint32_t p = 0; p < tables->part_count; p++) {
        work->positions[p] = character->parts[p].positions;
        work->normals[p] = character->parts[p].normals;
    }
    if (tables->contact != NULL) SNI_TRY(run_contact(character));
    return tables->exact != NULL ? run_volume(character, time) : SN_RESULT_OK;
}
