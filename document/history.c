// The history. An entry is what differs in bytes between the document before and after an edit; taking it
// back makes the older items from the newer ones, and turns the entry round.
#include "history.h"

#include <stdio.h>

// -------------------------------------------------------------------------------------------------- bytes

static void put_vertex_weights(const snModel* model, sniBytes* out) {
    for (uint32_t p = 0; model != NULL && p < model->part_count; p++)
        sni_weights_put(&model->parts[p].weights, out);
}

// Makes room for as much at once, rather than growing piece by piece.
static void reserve(sniBytes* bytes, size_t size) {
    if (!bytes->failed) bytes->failed = !sni_grow(&bytes->allocator, &bytes->data, &bytes->capacity, size, 1);
}

static void put_weights_of(const snModel* model, sniBytes* out) {
    const snBinding* binding = model != NULL ? model->binding : NULL;
    size_t size = binding != NULL ? 64 * (size_t)binding->particles.vertex_count : 0;
    for (uint32_t p = 0; model != NULL && p < model->part_count; p++) {
        const snWeights* w = &model->parts[p].weights;
        size += 16 + (size_t)w->vertex_count * w->influences * (sizeof *w->joints + sizeof *w->weights);
    }
    reserve(out, size);
    put_vertex_weights(model, out);
    if (binding != NULL)
        sni_particles_put(&binding->particles, binding->parts->bone_parts, binding->parts->joint_parts, out);
}

// An item of the document as it is.
void sni_item_put(const sniState* state, uint32_t item, sniBytes* out) {
    const snModel* model = state->body.model;
    switch (item) {
    case SNI_ITEM_MODEL:
        sni_model_put(&state->body, false, out);
        break;
    case SNI_ITEM_WEIGHTS:
        put_weights_of(model, out);
        break;
    case SNI_ITEM_CLIPS:
        if (model != NULL) sni_clips_put(model->clips, model->clip_count, out);
        break;
    case SNI_ITEM_MOTIONS:
        sni_motions_put(state->motions, state->motion_count, out);
        break;
    case SNI_ITEM_TIMELINE:
        sni_timeline_put(&state->timeline, out);
        break;
    case SNI_ITEM_RIG:
        sni_rig_put(state->handled.rig, out);
        break;
    case SNI_ITEM_POSES:
        sni_poses_put(&state->handled.poses, out);
        break;
    case SNI_ITEM_PATH:
        sni_path_put(state->handled.path, out);
        break;
    default:
        sni_settings_put(state->settings, out);
        break;
    }
}

// The same as it was when it was parked.
static void put_parked(const sniParked* parked, uint32_t item, sniBytes* out) {
    sniState old = {parked->body,    parked->settings, parked->motion_count,
                    parked->motions, parked->timeline, parked->handled};
    if (item == SNI_ITEM_WEIGHTS && parked->weights != NULL) {
        for (uint32_t p = 0; p < parked->part_count; p++) sni_weights_put(&parked->weights[p], out);
        if (parked->bone_parts != NULL)
            sni_particles_put(&parked->particles, parked->bone_parts, parked->joint_parts, out);
    } else if (item == SNI_ITEM_CLIPS && parked->clips != NULL) {
        sni_clips_put(parked->clips, parked->clip_count, out);
    } else {
        sni_item_put(&old, item, out);
    }
}

uint64_t sn_document_hash(const snDocument* document) {
    sniBytes bytes = sni_bytes(&document->allocator);
    // Which bytes are whose item is a matter of the history; the hash takes the model as a whole.
    sni_model_put(&document->state.body, true, &bytes);
    put_vertex_weights(document->state.body.model, &bytes);
    for (uint32_t item = SNI_ITEM_CLIPS; item < SNI_ITEM_COUNT; item++)
        sni_item_put(&document->state, item, &bytes);
    uint64_t hash = bytes.failed ? 0 : sn_hash_bytes(SN_HASH_SEED, bytes.data, bytes.size);
    sni_bytes_free(&bytes);
    return hash;
}

// ------------------------------------------------------------------------------------------------ entries

static void free_entry(sniEntry* entry, const snAllocator* memory) {
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++) sni_delta_free(&entry->deltas[item]);
    sni_free(memory, entry);
}

static void weigh(sniEntry* entry) {
    entry->size = sizeof *entry;
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++)
        entry->size += sni_delta_bytes(&entry->deltas[item]);
}

static void push(snDocument* document, sniEntry** list, uint32_t* count, sniEntry* entry) {
    entry->next = *list;
    *list = entry;
    (*count)++;
    document->history_size += entry->size;
}

static sniEntry* pop(snDocument* document, sniEntry** list, uint32_t* count) {
    sniEntry* entry = *list;
    *list = entry->next;
    (*count)--;
    document->history_size -= entry->size;
    return entry;
}

static void clear(snDocument* document, sniEntry** list, uint32_t* count) {
    while (*list != NULL) free_entry(pop(document, list, count), &document->allocator);
}

void sni_history_clear(snDocument* document) {
    clear(document, &document->undo, &document->undo_count);
    clear(document, &document->redo, &document->redo_count);
}

// Forgets the oldest until the rest fits.
static void keep_limit(snDocument* document) {
    while (document->history_size > document->def.history_limit && document->undo != NULL) {
        sniEntry** last = &document->undo;
        while ((*last)->next != NULL) last = &(*last)->next;
        document->history_size -= (*last)->size;
        document->undo_count--;
        free_entry(*last, &document->allocator);
        *last = NULL;
    }
}

void sni_history_take(snDocument* document, snDocument* from) {
    document->undo = from->undo;
    document->redo = from->redo;
    document->undo_count = from->undo_count;
    document->redo_count = from->redo_count;
    sniEntry* lists[] = {document->undo, document->redo};
    for (int i = 0; i < 2; i++) {
        for (sniEntry* entry = lists[i]; entry != NULL; entry = entry->next) {
            weigh(entry);
            document->history_size += entry->size;
        }
    }
    keep_limit(document);
}

snResult sni_history_add(snDocument* document, const char* name, const sniParked* parked, snError* error) {
    const snAllocator* memory = &document->allocator;
    sniEntry* entry = SNI_NEW(memory, sniEntry);
    if (entry == NULL) return sni_fail_memory(error);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    bool enough = true;
    for (uint32_t item = 0; item < SNI_ITEM_COUNT && enough; item++) {
        if ((parked->bits & SNI_BIT(item)) == 0) continue;
        sniBytes now = sni_bytes(memory), old = sni_bytes(memory);
        sni_item_put(&document->state, item, &now);
        reserve(&old, now.size); // edits seldom change how much there is
        put_parked(parked, item, &old);
        enough = !now.failed && !old.failed;
        bool same =
            enough && now.size == old.size && (now.size == 0 || memcmp(now.data, old.data, now.size) == 0);
        if (enough && !same) {
            enough = sni_delta_create(now.data, now.size, old.data, old.size, memory, &entry->deltas[item]);
            entry->bits |= SNI_BIT(item);
        }
        sni_bytes_free(&now);
        sni_bytes_free(&old);
    }
    if (!enough || entry->bits == 0) {
        free_entry(entry, memory);
        return enough ? SN_RESULT_OK : sni_fail_memory(error);
    }
    clear(document, &document->redo, &document->redo_count);
    weigh(entry);
    push(document, &document->undo, &document->undo_count, entry);
    keep_limit(document);
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- turning

// An entry that is being turned: bytes on both sides, and what becomes of them.
typedef struct Turn {
    uint32_t bits;
    sniBytes now[SNI_ITEM_COUNT];
    uint8_t* other[SNI_ITEM_COUNT];
    size_t size[SNI_ITEM_COUNT]; // of the other
    sniDelta back[SNI_ITEM_COUNT];
    sniState state; // of the other
    snClip** clips; // with SNI_ITEM_CLIPS and no model
    uint32_t clip_count;
} Turn;

static snResult make_bytes(const snDocument* document, const sniEntry* entry, Turn* turn, snError* error) {
    const snAllocator* memory = &document->allocator;
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++) {
        if ((turn->bits & SNI_BIT(item)) == 0) continue;
        turn->now[item] = sni_bytes(memory);
        sni_item_put(&document->state, item, &turn->now[item]);
        const sniBytes* now = &turn->now[item];
        if (now->failed) return sni_fail_memory(error);
        bool changed = (entry->bits & SNI_BIT(item)) != 0;
        turn->size[item] = changed ? entry->deltas[item].size : now->size;
        // No more than was there and what the entry brings; a damaged file may claim anything.
        if (turn->size[item] > now->size && turn->size[item] - now->size > entry->deltas[item].data_size)
            return sni_fail(error, SN_RESULT_BAD_DATA, "the history does not belong to this document");
        turn->other[item] = SNI_NEW_ARRAY(memory, uint8_t, turn->size[item]);
        if (turn->other[item] == NULL) return sni_fail_memory(error);
        if (!changed) {
            if (now->size > 0) memcpy(turn->other[item], now->data, now->size);
            continue;
        }
        if (!sni_delta_apply(&entry->deltas[item], now->data, now->size, turn->other[item]))
            return sni_fail(error, SN_RESULT_BAD_DATA, "the history does not belong to this document");
        if (!sni_delta_create(turn->other[item], turn->size[item], now->data, now->size, memory,
                              &turn->back[item]))
            return sni_fail_memory(error);
    }
    return SN_RESULT_OK;
}

static sniSlice slice_of(const Turn* turn, uint32_t item) {
    return (sniSlice){turn->other[item], turn->size[item]};
}

static snResult check_weights(const snDocument* document, const Turn* turn, snError* error);

// Poses are checked against the handles, a path is read for both.
static snResult make_handled(const snDocument* document, Turn* turn, snError* error) {
    const snAllocator* memory = &document->allocator;
    bool other = (turn->bits & SNI_BIT(SNI_ITEM_MODEL)) != 0;
    const snModel* model = other ? turn->state.body.model : document->state.body.model;
    sniHandled* to = &turn->state.handled;
    SNI_TRY(sni_rig_get(slice_of(turn, SNI_ITEM_RIG), sni_model_vertices(model), memory, &to->rig, error));
    SNI_TRY(sni_poses_get(slice_of(turn, SNI_ITEM_POSES), to->rig, memory, &to->poses, error));
    return sni_path_get(slice_of(turn, SNI_ITEM_PATH), to, memory, &to->path, error);
}

static snResult make_items(const snDocument* document, Turn* turn, snError* error) {
    const snAllocator* memory = &document->allocator;
    if ((turn->bits & SNI_BIT(SNI_ITEM_MODEL)) != 0)
        SNI_TRY(sni_body_get(document, slice_of(turn, SNI_ITEM_MODEL), slice_of(turn, SNI_ITEM_WEIGHTS),
                             slice_of(turn, SNI_ITEM_CLIPS), memory, &turn->state.body, error));
    else if ((turn->bits & SNI_BIT(SNI_ITEM_CLIPS)) != 0)
        SNI_TRY(sni_clips_get(&document->state.body, slice_of(turn, SNI_ITEM_CLIPS), memory, &turn->clips,
                              &turn->clip_count, error));
    if ((turn->bits & (SNI_BIT(SNI_ITEM_MODEL) | SNI_BIT(SNI_ITEM_WEIGHTS))) == SNI_BIT(SNI_ITEM_WEIGHTS))
        SNI_TRY(check_weights(document, turn, error));
    if ((turn->bits & SNI_BIT(SNI_ITEM_MOTIONS)) != 0) {
        SNI_TRY(sni_motions_get(slice_of(turn, SNI_ITEM_MOTIONS), memory, &turn->state.motions,
                                &turn->state.motion_count, error));
    }
    if ((turn->bits & SNI_BIT(SNI_ITEM_TIMELINE)) != 0)
        SNI_TRY(sni_timeline_get(slice_of(turn, SNI_ITEM_TIMELINE), memory, &turn->state.timeline, error));
    if ((turn->bits & SNI_BIT(SNI_ITEM_SETTINGS)) != 0 && turn->size[SNI_ITEM_SETTINGS] > 0)
        SNI_TRY(sni_settings_get(turn->other[SNI_ITEM_SETTINGS], turn->size[SNI_ITEM_SETTINGS], memory,
                                 &turn->state.settings, error));
    return (turn->bits & SNI_BITS_HANDLED) != 0 ? make_handled(document, turn, error) : SN_RESULT_OK;
}

// Those of the particles, with their groups.
static bool walk_particles(const snBinding* binding, sniReader* reader, bool install) {
    const snWeights* to = &binding->particles;
    uint32_t particles = to->vertex_count;
    size_t count = (size_t)particles * to->influences;
    if (sni_take_u32(reader) != to->influences) return false;
    const uint16_t* joints = sni_take_array(reader, count, sizeof *joints);
    const float* weights = sni_take_floats(reader, count);
    const uint32_t* bone_parts = sni_take_array(reader, particles, sizeof *bone_parts);
    const uint32_t* joint_parts = sni_take_array(reader, particles, sizeof *joint_parts);
    if (reader->failed) return false;
    for (size_t i = 0; i < count && !install; i++)
        if (joints[i] >= binding->joint_count || weights[i] < 0.0f) return false;
    for (uint32_t p = 0; p < particles && !install; p++)
        if (bone_parts[p] >= binding->joint_count || joint_parts[p] >= binding->joint_count) return false;
    if (!install) return true;
    memcpy(to->joints, joints, count * sizeof *joints);
    memcpy(to->weights, weights, count * sizeof *weights);
    sn_lattice_parts_set(binding->parts, bone_parts, joint_parts);
    return true;
}

// Weights of the same shape, row by row; `install` writes them.
static bool walk_weights(snModel* model, sniSlice bytes, bool install) {
    sniReader reader = {bytes.data, bytes.size, 0, false};
    for (uint32_t p = 0; p < model->part_count; p++) {
        snPart* part = &model->parts[p];
        snWeights* to = &part->weights;
        size_t count = (size_t)to->vertex_count * to->influences;
        if (sni_take_u32(&reader) != to->influences) return false;
        const uint16_t* joints = sni_take_array(&reader, count, sizeof *joints);
        const float* weights = sni_take_floats(&reader, count);
        if (reader.failed) return false;
        for (size_t i = 0; i < count && !install; i++)
            if (joints[i] >= model->skins[part->skin].joint_count || weights[i] < 0.0f) return false;
        if (!install || count == 0) continue;
        memcpy(to->joints, joints, count * sizeof *joints);
        memcpy(to->weights, weights, count * sizeof *weights);
    }
    if (model->binding != NULL && !walk_particles(model->binding, &reader, install)) return false;
    return sni_reader_done(&reader);
}

static snResult check_weights(const snDocument* document, const Turn* turn, snError* error) {
    if (document->state.body.model != NULL &&
        walk_weights(document->state.body.model, slice_of(turn, SNI_ITEM_WEIGHTS), false))
        return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "the history does not belong to this document");
}

// Nothing here can fail.
static void install(snDocument* document, sniEntry* entry, Turn* turn) {
    sniState* state = &document->state;
    if ((turn->bits & SNI_BIT(SNI_ITEM_MODEL)) != 0) {
        sni_live_leave(document);
        sni_body_free(&state->body);
        state->body = turn->state.body;
        sni_mesh_forget(document);
        turn->state.body = (sniBody){0};
    } else {
        snModel* model = state->body.model;
        if ((turn->bits & SNI_BIT(SNI_ITEM_WEIGHTS)) != 0)
            walk_weights(model, slice_of(turn, SNI_ITEM_WEIGHTS), true);
        if (turn->clips != NULL) {
            sni_clips_free(model->clips, model->clip_count, &model->allocator);
            model->clips = turn->clips;
            model->clip_count = turn->clip_count;
            turn->clips = NULL;
            turn->clip_count = 0;
        }
    }
    if ((turn->bits & SNI_BIT(SNI_ITEM_MOTIONS)) != 0) {
        sni_motions_free(state->motions, state->motion_count, &document->allocator);
        state->motions = turn->state.motions;
        state->motion_count = turn->state.motion_count;
        turn->state.motions = NULL;
        turn->state.motion_count = 0;
    }
    if ((turn->bits & SNI_BIT(SNI_ITEM_TIMELINE)) != 0) {
        sni_timeline_free(&state->timeline, &document->allocator);
        state->timeline = turn->state.timeline;
        turn->state.timeline = (sniTimeline){0};
    }
    if ((turn->bits & SNI_BIT(SNI_ITEM_SETTINGS)) != 0) {
        sn_settings_destroy(state->settings);
        state->settings = turn->state.settings;
        turn->state.settings = NULL;
    }
    if ((turn->bits & SNI_BITS_HANDLED) != 0) {
        sni_handled_free(&state->handled, &document->allocator);
        state->handled = turn->state.handled;
        turn->state.handled = (sniHandled){0};
    }
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++) {
        if ((entry->bits & SNI_BIT(item)) == 0) continue;
        sni_delta_free(&entry->deltas[item]);
        entry->deltas[item] = turn->back[item];
        turn->back[item] = (sniDelta){0};
    }
    // A history that was read may hold a timeline of other clips or joints.
    if ((turn->bits & SNI_BIT(SNI_ITEM_TIMELINE)) != 0) sni_timeline_settle(document);
    sni_live_touch(document, turn->bits);
    weigh(entry);
}

static void free_turn(const snDocument* document, Turn* turn) {
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++) {
        if ((turn->bits & SNI_BIT(item)) == 0) continue;
        if (turn->now[item].allocator.free != NULL) sni_bytes_free(&turn->now[item]);
        sni_free(&document->allocator, turn->other[item]);
        sni_delta_free(&turn->back[item]);
    }
    sni_body_free(&turn->state.body);
    sni_clips_free(turn->clips, turn->clip_count, &document->allocator);
    sni_motions_free(turn->state.motions, turn->state.motion_count, &document->allocator);
    sni_timeline_free(&turn->state.timeline, &document->allocator);
    sn_settings_destroy(turn->state.settings);
    sni_handled_free(&turn->state.handled, &document->allocator);
}

static snResult turn_entry(snDocument* document, sniEntry* entry, snError* error) {
    Turn turn = {.bits = entry->bits};
    // A model comes with its weights and clips, and the one that was read is never changed.
    if ((turn.bits & SNI_BIT(SNI_ITEM_MODEL)) != 0 ||
        ((turn.bits & SNI_BITS_MODEL) != 0 && document->state.body.lent))
        turn.bits |= SNI_BITS_MODEL;
    if ((turn.bits & SNI_BITS_HANDLED) != 0) turn.bits |= SNI_BITS_HANDLED;
    snResult result = make_bytes(document, entry, &turn, error);
    if (result == SN_RESULT_OK) result = make_items(document, &turn, error);
    if (result == SN_RESULT_OK) install(document, entry, &turn);
    free_turn(document, &turn);
    return result;
}

static snResult check_free(const snDocument* document, snError* error) {
    if (document->edit == NULL) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "\"%s\" is still running", document->edit->name);
}

snResult sn_document_undo(snDocument* document, snError* error) {
    SNI_TRY(check_free(document, error));
    if (document->undo == NULL) return sni_fail(error, SN_RESULT_NOT_FOUND, "there is nothing to undo");
    sniEntry* entry = pop(document, &document->undo, &document->undo_count);
    snResult result = turn_entry(document, entry, error);
    if (result == SN_RESULT_OK)
        push(document, &document->redo, &document->redo_count, entry);
    else
        push(document, &document->undo, &document->undo_count, entry);
    return result;
}

snResult sn_document_redo(snDocument* document, snError* error) {
    SNI_TRY(check_free(document, error));
    if (document->redo == NULL) return sni_fail(error, SN_RESULT_NOT_FOUND, "there is nothing to redo");
    sniEntry* entry = pop(document, &document->redo, &document->redo_count);
    snResult result = turn_entry(document, entry, error);
    if (result == SN_RESULT_OK)
        push(document, &document->undo, &document->undo_count, entry);
    else
        push(document, &document->redo, &document->redo_count, entry);
    return result;
}

// ---------------------------------------------------------------------------------------------- questions

uint32_t sn_document_undo_count(const snDocument* document) { return document->undo_count; }
uint32_t sn_document_redo_count(const snDocument* document) { return document->redo_count; }
size_t sn_document_history_size(const snDocument* document) { return document->history_size; }

static const char* name_at(const sniEntry* entry, uint32_t index) {
    for (; entry != NULL && index > 0; index--) entry = entry->next;
    return entry != NULL ? entry->name : NULL;
}

const char* sn_document_undo_name(const snDocument* document, uint32_t index) {
    return name_at(document->undo, index);
}
const char* sn_document_redo_name(const snDocument* document, uint32_t index) {
    return name_at(document->redo, index);
}
