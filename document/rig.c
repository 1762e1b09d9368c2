// The handles of a document.
#include "base/progress.h"
#include "document.h"

// --------------------------------------------------------------------------------------------------- mesh

void sni_mesh_forget(snDocument* document) {
    sn_mesh_destroy(document->mesh);
    document->mesh = NULL;
    sni_brush_forget(document);
    sni_following_forget(document);
}

uint64_t sni_model_vertices(const snModel* model) {
    uint64_t count = 0;
    for (uint32_t p = 0; model != NULL && p < model->part_count; p++)
        count += model->parts[p].mesh->vertex_count;
    return count;
}

snResult sni_document_mesh(snDocument* document, const snMesh** out, snError* error) {
    if (document->mesh == NULL)
        SNI_TRY(
            sn_model_merge_mesh(document->state.body.model, &document->allocator, &document->mesh, error));
    *out = document->mesh;
    return SN_RESULT_OK;
}

snResult sn_document_mesh(snDocument* document, const snMesh** out, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    return sni_document_mesh(document, out, error);
}

snResult sn_document_ground(snDocument* document, float* out, snError* error) {
    const snMesh* mesh = NULL;
    SNI_TRY(sn_document_mesh(document, &mesh, error));
    *out = sn_bounds_of(mesh->positions, mesh->vertex_count).min.y;
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- changing

const snHandles* sn_document_handles(const snDocument* document) { return document->state.handled.rig; }

snResult sni_need_rig(const snDocument* document, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (document->state.handled.rig != NULL) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                    "the character has no handles: make or read some first");
}

snResult sni_handled_change(snDocument* document, const char* name, sniHandled* next, snError* error) {
    snResult result = sni_edit_begin(document, name, SNI_BITS_HANDLED, SNI_COPY_NONE, error);
    if (result != SN_RESULT_OK) {
        sni_handled_free(next, &document->allocator);
        return result;
    }
    sni_handled_free(&document->state.handled, &document->allocator);
    document->state.handled = *next;
    *next = (sniHandled){0};
    return sni_edit_end(document, SN_RESULT_OK, error);
}

// Poses of the old handles for the new ones, by name. One that cannot be carried over is counted.
static snResult carry_poses(const snDocument* document, sniHandled* next, snHandlesReport* report,
                            snError* error) {
    const sniHandled* old = &document->state.handled;
    const snAllocator* memory = &document->allocator;
    for (uint32_t i = 0; i < old->poses.count; i++) {
        snHandlePose* pose = NULL;
        snResult result =
            sn_handle_pose_transfer(old->poses.poses[i], old->rig, next->rig, memory, &pose, error);
        if (result == SN_RESULT_OUT_OF_MEMORY) return result;
        if (result != SN_RESULT_OK) {
            report->poses_gone++;
        } else if (!sni_poses_add(&next->poses, pose, old->poses.files[i], memory)) {
            sn_handle_pose_destroy(pose);
            return sni_fail_memory(error);
        }
    }
    return SN_RESULT_OK;
}

static snResult carry_over(const snDocument* document, sniHandled* next, snHandlesReport* report,
                           snError* error) {
    const sniHandled* old = &document->state.handled;
    snError lost = sn_error_none(); // why something stayed behind is no failure
    SNI_TRY(carry_poses(document, next, report, &lost) == SN_RESULT_OK ? SN_RESULT_OK
                                                                       : sni_fail_memory(error));
    if (old->path == NULL) return SN_RESULT_OK;
    snResult result = sni_path_read_for(old->path, next, document->def.memory_limit, &document->allocator,
                                        &next->path, &lost);
    if (result == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(error);
    report->path_gone = result != SN_RESULT_OK;
    return SN_RESULT_OK;
}

// Takes the handles over.
static snResult replace(snDocument* document, const char* name, snHandles* handles, snHandlesReport* report,
                        snHandlesReport* out, snError* error) {
    sniHandled next = {.rig = handles};
    snResult result = carry_over(document, &next, report, error);
    if (result == SN_RESULT_OK)
        result = sni_handled_change(document, name, &next, error);
    else
        sni_handled_free(&next, &document->allocator);
    if (result == SN_RESULT_OK && out != NULL) *out = *report;
    return result;
}

// Puts handles that hold everything in the place of those that do not.
static snResult hold(const snDocument* document, const snMesh* mesh, snHandles** handles, uint32_t* pieces,
                     snError* error) {
    snHandles* held = NULL;
    uint32_t count = 0;
    SNI_TRY(sn_handles_hold_pieces(*handles, mesh, &document->allocator, &held, &count, error));
    sn_handles_destroy(*handles);
    *handles = held;
    *pieces += count;
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- making

const char* sn_handles_from_name(snHandlesFrom from) {
    static const char* const names[SN_HANDLES_FROM_COUNT] = {"auto", "skeleton", "groups", "colors"};
    return (unsigned)from < SN_HANDLES_FROM_COUNT ? names[from] : NULL;
}

snHandlesFrom sn_document_handles_from(const snDocument* document) {
    const snModel* model = document->state.body.model;
    return model != NULL && model->skin_count > 0 ? SN_HANDLES_FROM_SKELETON : SN_HANDLES_FROM_SHAPE;
}

snMakeHandlesDef sn_make_handles_def(void) {
    snSegmentationDef shape = sn_segmentation_def();
    snHandlesFromSkinDef skin = sn_handles_from_skin_def();
    return (snMakeHandlesDef){.detail = shape.detail, .band = shape.band, .rigid = skin.rigid};
}

static snResult make(const snDocument* document, const snMakeHandlesDef* def, const snMesh* mesh,
                     snHandles** out, snHandlesReport* report, snError* error) {
    const snModel* model = document->state.body.model;
    const snAllocator* memory = &document->allocator;
    if (def->from == SN_HANDLES_FROM_SHAPE) {
        snSegmentationDef shape = sn_segmentation_def();
        shape.mesh = mesh;
        shape.detail = def->detail;
        shape.band = def->band;
        shape.progress = def->progress;
        return sn_segmentation_create(&shape, memory, out, &report->confidence, error);
    }
    if (def->from == SN_HANDLES_FROM_SKELETON) {
        snHandlesFromSkinDef skin = sn_handles_from_skin_def();
        if (model->skin_count == 0)
            return sni_fail(error, SN_RESULT_NOT_FOUND, "the character has no skin to take handles from");
        skin.model = model;
        skin.rigid = def->rigid;
        skin.merge_fingers = !def->fingers;
        return sn_handles_from_skin(&skin, mesh, memory, out, error);
    }
    if (def->from != SN_HANDLES_FROM_GROUPS && def->from != SN_HANDLES_FROM_COLORS)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no such source of handles");
    snHandlesFromMarksDef marks = sn_handles_from_marks_def();
    marks.mesh = mesh;
    marks.colors = def->from == SN_HANDLES_FROM_COLORS;
    return sn_handles_from_marks(&marks, memory, out, &report->pieces, error);
}

snResult sn_document_make_handles(snDocument* document, const snMakeHandlesDef* def, snHandlesReport* report,
                                  snError* error) {
    const snMesh* mesh = NULL;
    snHandles* handles = NULL;
    snHandlesReport made = {.confidence = 1.0f};
    sniSpan span = {&def->progress, 0.1f, 0.8f, NULL};
    snMakeHandlesDef inner = *def;
    inner.progress = sni_span_progress(&span);
    SNI_TRY(sni_progress(&def->progress, "making handles", 0.0f, error));
    SNI_TRY(sn_document_mesh(document, &mesh, error));
    SNI_TRY(sni_progress(&def->progress, "making handles", 0.1f, error));
    SNI_TRY(make(document, &inner, mesh, &handles, &made, error));
    snResult result = sni_progress(&def->progress, "making handles", 0.8f, error);
    if (result == SN_RESULT_OK && !def->loose) result = hold(document, mesh, &handles, &made.pieces, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "making handles", 1.0f, error);
    if (result == SN_RESULT_OK) return replace(document, "Make handles", handles, &made, report, error);
    sn_handles_destroy(handles);
    return result;
}

snResult sn_document_set_handles(snDocument* document, const snHandles* handles, snHandlesReport* report,
                                 snError* error) {
    const snMesh* mesh = NULL;
    snHandles* copy = NULL;
    snHandlesReport made = {.confidence = 1.0f};
    SNI_TRY(sn_document_mesh(document, &mesh, error));
    if (handles == NULL) {
        sniHandled none = {0};
        made.poses_gone = document->state.handled.poses.count;
        made.path_gone = document->state.handled.path != NULL;
        SNI_TRY(sni_handled_change(document, "Remove handles", &none, error));
        if (report != NULL) *report = made;
        return SN_RESULT_OK;
    }
    SNI_TRY(sn_handles_validate(handles, mesh, error));
    SNI_TRY(sni_rig_copy(handles, &document->allocator, &copy, error));
    return replace(document, "Change handles", copy, &made, report, error);
}

snResult sn_document_read_handles(snDocument* document, const char* name, const void* data, size_t size,
                                  snHandlesReport* report, snError* error) {
    const snMesh* mesh = NULL;
    snHandles* handles = NULL;
    snHandlesReport made = {.confidence = 1.0f};
    SNI_TRY(sn_document_mesh(document, &mesh, error));
    snReadDef def = sni_read_def(document);
    SNI_TRY(data != NULL ? sn_handles_read_memory(name, data, size, mesh, &def, &handles, error)
                         : sn_handles_read(name, mesh, &def, &handles, error));
    return replace(document, "Read handles", handles, &made, report, error);
}

snResult sn_document_hold_pieces(snDocument* document, snHandlesReport* report, snError* error) {
    const snMesh* mesh = NULL;
    snHandles* handles = NULL;
    snHandlesReport made = {.confidence = 1.0f};
    SNI_TRY(sni_need_rig(document, error));
    SNI_TRY(sni_document_mesh(document, &mesh, error));
    SNI_TRY(sn_handles_hold_pieces(document->state.handled.rig, mesh, &document->allocator, &handles,
                                   &made.pieces, error));
    return replace(document, "Hold loose pieces", handles, &made, report, error);
}
