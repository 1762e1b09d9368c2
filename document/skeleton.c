// Joints for a character: those of another file, or its own, moved into the middle of the limbs.
#include <stdio.h>

#include "document.h"

static const snProgress nobody = {0};

// --------------------------------------------------------------------------------------------- questions

static bool has_skeleton(const snModel* model, const snAllocator* memory) {
    uint8_t* deforming = SNI_NEW_ARRAY(memory, uint8_t, model->skeleton->joint_count);
    bool any = false;
    if (deforming == NULL) return true; // whoever binds will say what is wrong
    sn_bind_deforming(model, deforming);
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) any = any || deforming[j];
    sni_free(memory, deforming);
    return any;
}

bool sn_source_has_skeleton(const snSource* source) {
    return has_skeleton(source->model, &source->allocator);
}

bool sn_document_has_skeleton(const snDocument* document) {
    const snModel* model = document->state.body.model;
    return model != NULL && has_skeleton(model, &document->allocator);
}

// ------------------------------------------------------------------------------------------------ fitting

void sn_fit_report_free(snFitReport* report) {
    sn_fit_destroy(report->fit);
    sn_skeleton_destroy(report->skeleton);
    *report = (snFitReport){0};
}

// What a fit is made of and leaves behind.
typedef struct Fitting {
    snDocument* document;
    const snModel* from; // whose skeleton it is
    uint8_t* deforming;  // of its joints, and one for the joint that carries the parts
    snAxis facing;       // of the mesh; AUTO: fitting finds it
    snFitReport report;
} Fitting;

static void end(Fitting* fitting, snResult result, snFitReport* report) {
    sni_free(&fitting->document->allocator, fitting->deforming);
    if (result == SN_RESULT_OK && report != NULL)
        *report = fitting->report;
    else
        sn_fit_report_free(&fitting->report);
}

// A joined model knows neither the skins nor the meshes of the file that its joints came from, and these say
// best who deforms.
static snResult ask_deforming(Fitting* fitting, snError* error) {
    size_t count = (size_t)fitting->from->skeleton->joint_count + 1;
    fitting->deforming = SNI_NEW_ARRAY(&fitting->document->allocator, uint8_t, count);
    if (fitting->deforming == NULL) return sni_fail_memory(error);
    sn_bind_deforming(fitting->from, fitting->deforming);
    return SN_RESULT_OK;
}

// Nodes of meshes, cameras and whole scenes stay where they are: nothing that deforms is at or above them.
static bool* find_kept(const Fitting* fitting) {
    const snSkeleton* skeleton = fitting->from->skeleton;
    bool* keep = SNI_NEW_ARRAY(&fitting->document->allocator, bool, skeleton->joint_count);
    for (uint32_t k = 0; k < skeleton->joint_count && keep != NULL; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        keep[j] = !fitting->deforming[j] && (above == SN_NONE || keep[above]);
    }
    return keep;
}

static snResult fit(Fitting* fitting, const snModel* mesh, const snProgress* progress, snError* error) {
    const snAllocator* memory = &fitting->document->allocator;
    bool* keep = find_kept(fitting);
    if (keep == NULL) return sni_fail_memory(error);
    snFitDef def = sn_fit_def();
    def.skeleton = fitting->from->skeleton;
    def.keep = keep;
    def.facing = fitting->facing;
    def.progress = *progress;
    snResult result = sn_fit_model(&def, mesh, memory, &fitting->report.fit, error);
    sni_free(memory, keep);
    if (result == SN_RESULT_OK)
        result =
            sn_skeleton_refit(def.skeleton, fitting->report.fit, memory, &fitting->report.skeleton, error);
    return result;
}

// The new skeleton under the parts. What the file's document said of nodes does not hold any more.
static snResult put_on(Fitting* fitting, const snSkeleton* skeleton, snError* error) {
    sniBody* body = &fitting->document->state.body;
    if (!body->lent) sni_body_return_source(body);
    SNI_TRY(sn_model_set_skeleton(body->model, skeleton, error));
    body->origin = false;
    if (body->deforming != NULL) sni_free(&body->allocator, body->deforming);
    body->deforming = fitting->deforming;
    fitting->deforming = NULL;
    return SN_RESULT_OK;
}

// A complaint about fitting or joining is about the mesh, where it names no file.
static snResult name_mesh(const snDocument* document, snResult result, snError* error) {
    if (result != SN_RESULT_OK && result != SN_RESULT_CANCELLED && error != NULL && error->file[0] == '\0')
        snprintf(error->file, sizeof error->file, "%s", document->state.body.source->name);
    return result;
}

// ------------------------------------------------------------------------------------------------ joining

static snResult add_clips(const snDocument* document, const snModel* from, snError* error) {
    snResult result = SN_RESULT_OK;
    for (uint32_t c = 0; c < from->clip_count && result == SN_RESULT_OK; c++) {
        snClipDef def = sn_clip_def(from->clips[c]);
        result = sn_model_add_clip(document->state.body.model, &def, error);
    }
    return result;
}

// The mesh as it stands best, before joints come to it.
static snResult stand(Fitting* fitting, const snJoinDef* def, const snProgress* progress, sniTurns* turns,
                      snError* error) {
    const snDocument* document = fitting->document;
    snStance* stance = &fitting->report.stance;
    SNI_TRY(sni_stance_of(document, def->up, def->facing, progress, stance, error));
    if (!def->fit) {
        SNI_TRY(sni_turns_find(document, fitting->from, fitting->deforming, stance, turns, error));
    } else if (stance->up != SN_AXIS_Y) {
        turns->mesh = sn_stance_rotation(stance);
        turns->turns_mesh = true;
    }
    // What was found is along an axis; fitting looks more closely.
    if (stance->facing_how == SN_STANCE_GIVEN)
        fitting->facing = stance->up != SN_AXIS_Y ? SN_AXIS_Z : stance->facing;
    fitting->report.turned = turns->turns_mesh || turns->turns_both;
    return SN_RESULT_OK;
}

static snResult change(Fitting* fitting, const snSource* source, const snJoinDef* def, const sniTurns* turns,
                       const snProgress* progress, snError* error) {
    snDocument* document = fitting->document;
    snModel* model = document->state.body.model;
    if (turns->turns_mesh) sn_model_rotate(model, turns->mesh);
    if (def->fit) SNI_TRY(fit(fitting, model, progress, error));
    SNI_TRY(put_on(fitting, def->fit ? fitting->report.skeleton : source->model->skeleton, error));
    document->state.body.joints = source->id;
    if (!def->fit) SNI_TRY(add_clips(document, source->model, error));
    if (turns->turns_both) sn_model_rotate(model, turns->both);
    sniBody* body = &document->state.body;
    snQuat first = turns->turns_mesh ? turns->mesh : sn_quat_identity();
    body->turned = turns->turns_mesh || turns->turns_both;
    body->turn = turns->turns_both ? sn_quat_normalize(sn_quat_mul(turns->both, first)) : first;
    sni_motions_drop(document);
    return SN_RESULT_OK;
}

static snResult join(Fitting* fitting, const snSource* source, const snJoinDef* def,
                     const snProgress* progress, snError* error) {
    snDocument* document = fitting->document;
    sniTurns turns = {0};
    SNI_TRY(stand(fitting, def, progress, &turns, error));
    SNI_TRY(sni_edit_begin(document, def->fit ? "Fit skeleton" : "Join skeleton", SNI_BITS_MODEL,
                           SNI_COPY_SHAPE, error));
    return sni_edit_end(document, change(fitting, source, def, &turns, progress, error), error);
}

snJoinDef sn_join_def(void) { return (snJoinDef){0}; }

snResult sn_document_join(snDocument* document, const snSource* skeleton, const snJoinDef* given,
                          const snProgress* progress, snFitReport* report, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (!sn_source_has_skeleton(skeleton)) {
        snResult result = sni_fail(error, SN_RESULT_BAD_DATA, "there is no skeleton in this file");
        if (error != NULL) snprintf(error->file, sizeof error->file, "%s", skeleton->name);
        return result;
    }
    snJoinDef def = given != NULL ? *given : sn_join_def();
    Fitting fitting = {document, skeleton->model, NULL, SN_AXIS_AUTO, {0}};
    fitting.report.clips_left = def.fit ? skeleton->model->clip_count : 0;
    bool kept = sni_source_keep(document, (snSource*)skeleton);
    snResult result = kept ? ask_deforming(&fitting, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK && def.fit) result = sni_keep_labels(skeleton->model, error);
    if (result == SN_RESULT_OK)
        result = join(&fitting, skeleton, &def, progress != NULL ? progress : &nobody, error);
    end(&fitting, result, report);
    return name_mesh(document, result, error);
}

// Joints that moved keep their turns; where a clip moves them too, it moves them from their new place.
static void move_clip(const snSkeleton* from, const snSkeleton* to, snClip* clip) {
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const snChannel* c = &clip->channels[i];
        if (c->path != SN_PATH_TRANSLATION) continue;
        bool cubic = c->interpolation == SN_INTERPOLATION_CUBIC;
        size_t values = (size_t)c->key_count * (cubic ? 3 : 1);
        snVec3 by = sn_sub(to->rest[c->joint].translation, from->rest[c->joint].translation);
        for (size_t k = 0; k < values; k++) {
            if (cubic && k % 3 != 1) continue; // tangents stay
            c->values[k * 3] += by.x;
            c->values[k * 3 + 1] += by.y;
            c->values[k * 3 + 2] += by.z;
        }
    }
}

static snResult refit(Fitting* fitting, const snProgress* progress, snError* error) {
    snDocument* document = fitting->document;
    SNI_TRY(ask_deforming(fitting, error));
    SNI_TRY(fit(fitting, fitting->from, progress, error));
    SNI_TRY(sni_edit_begin(document, "Fit joints", SNI_BITS_MODEL, SNI_COPY_SHAPE, error));
    snModel* model = document->state.body.model;
    uint32_t clips = model->clip_count;
    for (uint32_t c = 0; c < clips; c++)
        move_clip(model->skeleton, fitting->report.skeleton, model->clips[c]);
    model->clip_count = 0; // kept: the joints are the same, moved
    snResult result = put_on(fitting, fitting->report.skeleton, error);
    model->clip_count = clips;
    return sni_edit_end(document, result, error);
}

snResult sn_document_refit(snDocument* document, const snProgress* progress, snFitReport* report,
                           snError* error) {
    SNI_TRY(sni_need_model(document, error));
    Fitting fitting = {document, document->state.body.model, NULL, SN_AXIS_AUTO, {0}};
    snResult result = refit(&fitting, progress != NULL ? progress : &nobody, error);
    end(&fitting, result, report);
    return name_mesh(document, result, error);
}

// ------------------------------------------------------------------------------------------------ binding

// The Def with what the document decides.
static snBindDef bind_def(const snDocument* document, const snBindDef* def, const snProgress* progress) {
    snBindDef bind = *def;
    if (bind.deforming == NULL) bind.deforming = document->state.body.deforming;
    bind.memory_limit = document->def.memory_limit;
    bind.tasks = document->def.tasks;
    bind.level = document->def.level;
    bind.progress = progress != NULL ? *progress : nobody;
    return bind;
}

snResult sn_document_bind(snDocument* document, const snBindDef* def, const snProgress* progress,
                          snBindReport* report, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    SNI_TRY(sni_edit_begin(document, "Bind", SNI_BITS_MODEL, SNI_COPY_RIG, error));
    snBindDef bind = bind_def(document, def, progress);
    snResult result = sn_model_bind(document->state.body.model, &bind, report, error);
    return name_mesh(document, sni_edit_end(document, result, error), error);
}

snResult sn_document_doubt(const snDocument* document, const snBindDef* def, const snProgress* progress,
                           snBindDoubt** out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    snBindDef bind = bind_def(document, def, progress);
    return name_mesh(document, sn_model_doubt(document->state.body.model, &bind, out, error), error);
}
