// Edits: what is about to change is parked, and either becomes an entry of the history or comes back.
#include <stdio.h>

#include "history.h"

#define MODEL SNI_BIT(SNI_ITEM_MODEL)
#define WEIGHTS SNI_BIT(SNI_ITEM_WEIGHTS)
#define CLIPS SNI_BIT(SNI_ITEM_CLIPS)
#define MOTIONS SNI_BIT(SNI_ITEM_MOTIONS)
#define TIMELINE SNI_BIT(SNI_ITEM_TIMELINE)
#define SETTINGS SNI_BIT(SNI_ITEM_SETTINGS)
#define HANDLED SNI_BITS_HANDLED

// ------------------------------------------------------------------------------------------------- parking

static void free_weights(sniParked* parked, const snAllocator* memory) {
    for (uint32_t p = 0; p < parked->part_count && parked->weights != NULL; p++) {
        sni_free(memory, parked->weights[p].joints);
        sni_free(memory, parked->weights[p].weights);
    }
    void* arrays[] = {parked->weights, parked->particles.joints, parked->particles.weights,
                      parked->bone_parts, parked->joint_parts};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    parked->weights = NULL;
    parked->particles = (snWeights){0};
    parked->bone_parts = parked->joint_parts = NULL;
}

static bool park_particles(const snBinding* binding, const snAllocator* memory, sniParked* parked) {
    if (binding == NULL) return true;
    uint32_t count = binding->lattice->particle_count;
    parked->bone_parts = sni_copy_array(memory, binding->parts->bone_parts, count, sizeof(uint32_t));
    parked->joint_parts = sni_copy_array(memory, binding->parts->joint_parts, count, sizeof(uint32_t));
    return sni_weights_copy(&binding->particles, memory, &parked->particles) && parked->bone_parts != NULL &&
           parked->joint_parts != NULL;
}

void sni_parked_free(sniParked* parked, const snAllocator* memory) {
    free_weights(parked, memory);
    sni_clips_free(parked->clips, parked->clip_count, memory);
    sni_motions_free(parked->motions, parked->motion_count, memory);
    sni_timeline_free(&parked->timeline, memory);
    sni_body_free(&parked->body);
    sn_settings_destroy(parked->settings);
    sni_handled_free(&parked->handled, memory);
    *parked = (sniParked){0};
}

static snResult park_weights(const snDocument* document, sniParked* parked, snError* error) {
    const snModel* model = document->state.body.model;
    parked->part_count = model->part_count;
    parked->weights = SNI_NEW_ARRAY(&document->allocator, snWeights, model->part_count);
    bool enough = parked->weights != NULL;
    for (uint32_t p = 0; p < model->part_count && enough; p++)
        enough = sni_weights_copy(&model->parts[p].weights, &document->allocator, &parked->weights[p]);
    enough = enough && park_particles(model->binding, &document->allocator, parked);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult park_clips(const snDocument* document, sniParked* parked, snError* error) {
    const snModel* model = document->state.body.model;
    SNI_TRY(sni_clips_copy(model->clips, model->clip_count, model->skeleton->joint_count,
                           &document->allocator, &parked->clips, error));
    parked->clip_count = model->clip_count;
    return SN_RESULT_OK;
}

// Handles are only ever replaced, so they wait as they are.
static void park_handled(snDocument* document, sniParked* parked) {
    parked->handled = document->state.handled;
    parked->bits |= HANDLED;
    document->state.handled = (sniHandled){0};
}

// Copies of what will be changed in place. The model and the settings go on as copies; the old ones wait, and
// are exchanged last, because nothing may fail after that.
static snResult park(snDocument* document, uint32_t bits, sniCopy kind, sniParked* parked, snError* error) {
    sniState* state = &document->state;
    sniState copy = {0};
    // The model that was read is never changed: its first edit makes one to work on.
    if ((bits & SNI_BITS_MODEL) != 0 && state->body.lent) bits |= SNI_BITS_MODEL;
    if ((bits & MODEL) != 0) bits |= SNI_BITS_MODEL;
    if ((bits & HANDLED) != 0) bits |= HANDLED;
    snResult result = SN_RESULT_OK;
    if ((bits & MODEL) != 0)
        result = sni_body_copy(&state->body, kind, &document->allocator, &copy.body, error);
    if (result == SN_RESULT_OK && (bits & MOTIONS) != 0)
        result =
            sni_motions_copy(state->motions, state->motion_count, &document->allocator, &copy.motions, error);
    if (result == SN_RESULT_OK) copy.motion_count = (bits & MOTIONS) != 0 ? state->motion_count : 0;
    if (result == SN_RESULT_OK && (bits & TIMELINE) != 0 &&
        !sni_timeline_copy(&state->timeline, &document->allocator, &copy.timeline))
        result = sni_fail_memory(error);
    if (result == SN_RESULT_OK && (bits & SETTINGS) != 0 && state->settings != NULL)
        result = sn_settings_copy(state->settings, &document->allocator, &copy.settings, error);
    if (result == SN_RESULT_OK && (bits & (WEIGHTS | MODEL)) == WEIGHTS)
        result = park_weights(document, parked, error);
    if (result == SN_RESULT_OK && (bits & (CLIPS | MODEL)) == CLIPS)
        result = park_clips(document, parked, error);
    if (result != SN_RESULT_OK) {
        sni_body_free(&copy.body);
        sni_motions_free(copy.motions, copy.motion_count, &document->allocator);
        sni_timeline_free(&copy.timeline, &document->allocator);
        sn_settings_destroy(copy.settings);
        sni_parked_free(parked, &document->allocator);
        return result;
    }
    if ((bits & MODEL) != 0) {
        parked->body = state->body;
        state->body = copy.body;
    }
    if ((bits & MOTIONS) != 0) {
        parked->motions = state->motions;
        parked->motion_count = state->motion_count;
        state->motions = copy.motions;
        state->motion_count = copy.motion_count;
    }
    if ((bits & TIMELINE) != 0) {
        parked->timeline = state->timeline;
        state->timeline = copy.timeline;
    }
    if ((bits & SETTINGS) != 0) {
        parked->settings = state->settings;
        state->settings = copy.settings;
    }
    parked->bits = bits & ~HANDLED;
    if ((bits & HANDLED) != 0) park_handled(document, parked);
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------- coming back

// Edits of weights alone keep how many there are.
static void put_back(const snWeights* from, snWeights* to) {
    size_t count = (size_t)to->vertex_count * to->influences;
    if (count == 0) return;
    memcpy(to->joints, from->joints, count * sizeof *to->joints);
    memcpy(to->weights, from->weights, count * sizeof *to->weights);
}

static void restore_weights(snModel* model, const sniParked* parked) {
    for (uint32_t p = 0; p < parked->part_count; p++) put_back(&parked->weights[p], &model->parts[p].weights);
    if (parked->bone_parts == NULL) return;
    put_back(&parked->particles, &model->binding->particles);
    sn_lattice_parts_set(model->binding->parts, parked->bone_parts, parked->joint_parts);
}

static void restore_clips(snModel* model, sniParked* parked) {
    sni_clips_free(model->clips, model->clip_count, &model->allocator);
    model->clips = parked->clips;
    model->clip_count = parked->clip_count;
    parked->clips = NULL;
    parked->clip_count = 0;
}

void sni_parked_restore(snDocument* document, sniParked* parked) {
    sniState* state = &document->state;
    if ((parked->bits & MODEL) != 0) {
        sni_body_free(&state->body);
        state->body = parked->body;
        parked->body = (sniBody){0};
    }
    if (parked->weights != NULL) restore_weights(state->body.model, parked);
    if (parked->clips != NULL) restore_clips(state->body.model, parked);
    if ((parked->bits & MOTIONS) != 0) {
        sni_motions_free(state->motions, state->motion_count, &document->allocator);
        state->motions = parked->motions;
        state->motion_count = parked->motion_count;
        parked->motions = NULL;
        parked->motion_count = 0;
    }
    if ((parked->bits & TIMELINE) != 0) {
        sni_timeline_free(&state->timeline, &document->allocator);
        state->timeline = parked->timeline;
        parked->timeline = (sniTimeline){0};
    }
    if ((parked->bits & SETTINGS) != 0) {
        sn_settings_destroy(state->settings);
        state->settings = parked->settings;
        parked->settings = NULL;
    }
    if ((parked->bits & HANDLED) != 0) {
        sni_handled_free(&state->handled, &document->allocator);
        state->handled = parked->handled;
        parked->handled = (sniHandled){0};
    }
    sni_parked_free(parked, &document->allocator);
}

// ------------------------------------------------------------------------------------------------- nesting

// What an inner edit parked is what the outer one goes back to, except for items that the outer has parked
// itself, which are older.
static void hand_out(sniParked* inner, sniParked* outer, const snAllocator* memory) {
    if ((inner->bits & ~outer->bits & SETTINGS) != 0) {
        outer->settings = inner->settings;
        inner->settings = NULL;
    }
    if ((inner->bits & ~outer->bits & HANDLED) != 0) {
        outer->handled = inner->handled;
        inner->handled = (sniHandled){0};
    }
    if ((inner->bits & ~outer->bits & MOTIONS) != 0) {
        outer->motions = inner->motions;
        outer->motion_count = inner->motion_count;
        inner->motions = NULL;
        inner->motion_count = 0;
    }
    if ((inner->bits & ~outer->bits & TIMELINE) != 0) {
        outer->timeline = inner->timeline;
        inner->timeline = (sniTimeline){0};
    }
    if ((inner->bits & ~outer->bits & MODEL) != 0) {
        if (outer->weights != NULL) restore_weights(inner->body.model, outer);
        if (outer->clips != NULL) restore_clips(inner->body.model, outer);
        free_weights(outer, memory);
        outer->body = inner->body;
        inner->body = (sniBody){0};
    } else if ((outer->bits & MODEL) == 0) {
        if (outer->weights == NULL && inner->weights != NULL) {
            outer->weights = inner->weights;
            outer->part_count = inner->part_count;
            outer->particles = inner->particles;
            outer->bone_parts = inner->bone_parts;
            outer->joint_parts = inner->joint_parts;
            inner->weights = NULL;
            inner->particles = (snWeights){0};
            inner->bone_parts = inner->joint_parts = NULL;
        }
        if (outer->clips == NULL && inner->clips != NULL) {
            outer->clips = inner->clips;
            outer->clip_count = inner->clip_count;
            inner->clips = NULL;
            inner->clip_count = 0;
        }
    }
    outer->bits |= inner->bits;
    sni_parked_free(inner, memory);
}

// Without a history edits work in place, but never on shapes that are lent.
static snResult own_shape(snDocument* document, snError* error) {
    sniBody* body = &document->state.body;
    sniBody own = {0};
    // The model that was read becomes the one that is worked on: its file no longer says what shape it has.
    if (body->lent) body->shape = true;
    if (body->model == NULL || body->shape) return SN_RESULT_OK;
    SNI_TRY(sni_body_copy(body, SNI_COPY_SHAPE, &document->allocator, &own, error));
    sni_body_free(body);
    *body = own;
    return SN_RESULT_OK;
}

snResult sni_edit_begin(snDocument* document, const char* name, uint32_t bits, sniCopy copy, snError* error) {
    sniEdit* edit = SNI_NEW(&document->allocator, sniEdit);
    if (edit == NULL) return sni_fail_memory(error);
    snprintf(edit->name, sizeof edit->name, "%s", name);
    edit->bits = bits;
    snResult result = SN_RESULT_OK;
    if (!sni_keeps_history(document) && (bits & MODEL) != 0) sni_live_leave(document);
    if (!sni_keeps_history(document) && copy == SNI_COPY_SHAPE) result = own_shape(document, error);
    if (sni_keeps_history(document)) result = park(document, bits, copy, &edit->parked, error);
    if (result != SN_RESULT_OK) {
        sni_free(&document->allocator, edit);
        return result;
    }
    edit->outer = document->edit;
    document->edit = edit;
    return SN_RESULT_OK;
}

// Handles are for one mesh: where an edit has made another of it they go with it.
static snResult settle_handled(snDocument* document, sniEdit* edit, snError* error) {
    const snHandles* rig = document->state.handled.rig;
    const snMesh* mesh = NULL;
    if (rig == NULL) return SN_RESULT_OK;
    bool fits = rig->vertex_count == sni_model_vertices(document->state.body.model);
    if (fits) {
        SNI_TRY(sni_document_mesh(document, &mesh, error));
        fits = sn_handles_validate(rig, mesh, NULL) == SN_RESULT_OK;
    }
    if (fits) return SN_RESULT_OK;
    if (sni_keeps_history(document) && (edit->parked.bits & HANDLED) == 0)
        park_handled(document, &edit->parked);
    else
        sni_handled_free(&document->state.handled, &document->allocator);
    return SN_RESULT_OK;
}

snResult sni_edit_end(snDocument* document, snResult result, snError* error) {
    sniEdit* edit = document->edit;
    uint32_t bits = edit->parked.bits | edit->bits;
    if ((bits & MODEL) != 0) sni_live_leave(document);
    bool reshaped = (edit->bits & MODEL) != 0;
    if (reshaped) sni_mesh_forget(document);
    if (result == SN_RESULT_OK && reshaped) result = settle_handled(document, edit, error);
    if (result == SN_RESULT_OK && (edit->bits & TIMELINE) != 0) sni_timeline_settle(document);
    if (result == SN_RESULT_OK && edit->outer == NULL && edit->parked.bits != 0)
        result = sni_history_add(document, edit->name, &edit->parked, error);
    if (result != SN_RESULT_OK) {
        if (reshaped || (edit->parked.bits & MODEL) != 0) sni_mesh_forget(document);
        sni_parked_restore(document, &edit->parked);
    } else if (edit->outer != NULL) {
        hand_out(&edit->parked, &edit->outer->parked, &document->allocator);
    } else {
        sni_parked_free(&edit->parked, &document->allocator);
    }
    document->edit = edit->outer;
    sni_free(&document->allocator, edit);
    sni_live_touch(document, bits);
    return result;
}

snResult sn_document_begin(snDocument* document, const char* name, snError* error) {
    return sni_edit_begin(document, name, 0, SNI_COPY_NONE, error);
}

snResult sn_document_end(snDocument* document, snError* error) {
    if (document->edit == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "no edit was begun");
    return sni_edit_end(document, SN_RESULT_OK, error);
}

void sn_document_cancel(snDocument* document) {
    if (document->edit != NULL) sni_edit_end(document, SN_RESULT_CANCELLED, NULL);
}
