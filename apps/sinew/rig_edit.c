// Handles in the making: taken apart, and put together again.
#include "rig_edit.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

// --------------------------------------------------------------------------------------------------- begin

cliEditHandle* rig_edit_add(cliEdit* edit, const char* name, cliExit* out_code) {
    if (edit->count == SN_HANDLES_MAX) {
        *out_code = cli_usage(edit->context->arguments->verb, "more than %u handles", SN_HANDLES_MAX);
        return NULL;
    }
    const snAllocator* memory = &edit->context->memory;
    cliEditHandle* handle = &edit->handles[edit->count++];
    *handle = (cliEditHandle){.weight = 1.0f, .sureness = 1.0f};
    handle->name = sni_copy_text(memory, name);
    handle->marks = SNI_NEW_ARRAY(memory, uint8_t, edit->mesh->vertex_count);
    handle->by_hand = SNI_NEW_ARRAY(memory, uint8_t, edit->mesh->vertex_count);
    handle->followers = SNI_NEW_ARRAY(memory, uint32_t, SN_HANDLES_MAX);
    if (handle->name != NULL && handle->marks != NULL && handle->by_hand != NULL && handle->followers != NULL)
        return handle;
    *out_code = context_fail_memory(edit->context);
    return NULL;
}

static cliExit copy_handle(cliEdit* edit, const snHandle* from) {
    cliExit code = CLI_DONE;
    cliEditHandle* to = rig_edit_add(edit, from->name, &code);
    if (to == NULL) return code;
    to->weights = SNI_NEW_ARRAY(&edit->context->memory, float, edit->mesh->vertex_count);
    if (to->weights == NULL) return context_fail_memory(edit->context);
    to->follower_count = from->follower_count;
    memcpy(to->followers, from->followers, from->follower_count * sizeof *to->followers);
    to->centre = from->centre;
    to->centred = true;
    to->sureness = from->sureness;
    to->weight = 0.0f;
    for (uint32_t v = 0; v < edit->mesh->vertex_count; v++) to->weights[v] = -1.0f;
    for (uint32_t i = 0; i < from->vertex_count; i++) {
        to->marks[from->vertices[i]] = 1;
        to->weights[from->vertices[i]] = from->weights[i];
        to->weight = sn_maxf(to->weight, from->weights[i]);
    }
    return CLI_DONE;
}

cliExit rig_edit_open(cliEdit* edit, const cliContext* context, const snModel* model, const snMesh* mesh,
                      const snHandles* begin) {
    *edit = (cliEdit){.context = context, .model = model, .mesh = mesh};
    snError error = sn_error_none();
    edit->handles = SNI_NEW_ARRAY(&context->memory, cliEditHandle, SN_HANDLES_MAX);
    edit->scratch = SNI_NEW_ARRAY(&context->memory, uint8_t, mesh->vertex_count);
    if (edit->handles == NULL || edit->scratch == NULL) return context_fail_memory(context);
    if (sn_selector_create(mesh, NULL, &context->memory, &edit->selector, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    cliExit code = CLI_DONE;
    for (uint32_t h = 0; begin != NULL && h < begin->handle_count && code == CLI_DONE; h++)
        code = copy_handle(edit, &begin->handles[h]);
    return code;
}

void rig_edit_close(cliEdit* edit) {
    const snAllocator* memory = &edit->context->memory;
    for (uint32_t h = 0; h < edit->count; h++) {
        void* all[] = {edit->handles[h].name, edit->handles[h].marks, edit->handles[h].by_hand,
                       edit->handles[h].weights, edit->handles[h].followers};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(memory, all[i]);
    }
    sni_free(memory, edit->handles);
    sni_free(memory, edit->scratch);
    sn_selector_destroy(edit->selector);
}

uint32_t rig_edit_find(const cliEdit* edit, const char* name) {
    for (uint32_t h = 0; h < edit->count; h++)
        if (!edit->handles[h].gone && strcmp(edit->handles[h].name, name) == 0) return h;
    return SN_NONE;
}

// -------------------------------------------------------------------------------------------------- finish

static bool follows(const cliEditHandle* parent, uint32_t h) {
    for (uint32_t i = 0; i < parent->follower_count; i++)
        if (parent->followers[i] == h) return true;
    return false;
}

// Handles without a place to turn about get one where they meet the handle that they follow.
static void set_centres(cliEdit* edit) {
    for (uint32_t h = 0; h < edit->count; h++) {
        if (edit->handles[h].centred || edit->handles[h].gone) continue;
        const uint8_t* parent = NULL;
        for (uint32_t p = 0; p < edit->count && parent == NULL; p++)
            if (!edit->handles[p].gone && follows(&edit->handles[p], h)) parent = edit->handles[p].marks;
        edit->handles[h].centre = sn_selection_centre(edit->selector, edit->handles[h].marks, parent);
    }
}

// Where selections could meet something. A hair from zero is zero to people.
static void describe_range(const snMesh* mesh, char* out, size_t capacity) {
    snBounds b = sn_bounds_of(mesh->positions, mesh->vertex_count);
    float hair = 1e-6f * sn_bounds_diagonal(b);
    float n[6] = {b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z};
    for (int i = 0; i < 6; i++)
        if (n[i] > -hair && n[i] < hair) n[i] = 0.0f;
    snprintf(out, capacity, "between (%.4g, %.4g, %.4g) and (%.4g, %.4g, %.4g)", (double)n[0], (double)n[1],
             (double)n[2], (double)n[3], (double)n[4], (double)n[5]);
}

// One that lost all it had, or whose selections met nothing.
static cliExit check_left(const cliEdit* edit) {
    char range[128];
    describe_range(edit->mesh, range, sizeof range);
    for (uint32_t h = 0; h < edit->count; h++) {
        const cliEditHandle* handle = &edit->handles[h];
        if (handle->gone || sn_selection_vertices(edit->selector, handle->marks, NULL) > 0) continue;
        if (handle->fresh)
            fprintf(stderr, "handle \"%s\" has no vertices: what marks it meets none; the model is %s\n",
                    handle->name, range);
        else
            fprintf(stderr, "handle \"%s\" has no vertices left; --remove %s leaves it out\n", handle->name,
                    handle->name);
        return CLI_BAD_INPUT;
    }
    return CLI_DONE;
}

typedef struct Rows {
    snHandleDef* handles;
    uint32_t* numbers;   // count; among those that are left
    uint32_t* followers; // of all
    uint32_t* vertices;  // of all
    float* weights;      // of all
} Rows;

// Followers that are gone are left out.
static uint32_t number_followers(const cliEditHandle* from, const uint32_t* numbers, uint32_t* out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->follower_count; i++)
        if (numbers[from->followers[i]] != SN_NONE) out[count++] = numbers[from->followers[i]];
    return count;
}

static void fill_vertices(const cliEdit* edit, const cliEditHandle* from, uint32_t* vertices, float* weights,
                          snHandleDef* to) {
    to->vertices = vertices;
    to->weights = weights;
    to->vertex_count = sn_selection_vertices(edit->selector, from->marks, vertices);
    for (uint32_t i = 0; i < to->vertex_count; i++) {
        float said = from->weights != NULL ? from->weights[vertices[i]] : -1.0f;
        weights[i] = said >= 0.0f ? said : from->weight;
    }
}

static cliExit create(cliEdit* edit, Rows* rows, snHandles** out) {
    size_t used = 0, followers = 0;
    uint32_t count = 0;
    for (uint32_t h = 0; h < edit->count; h++) rows->numbers[h] = edit->handles[h].gone ? SN_NONE : count++;
    for (uint32_t h = 0; h < edit->count; h++) {
        const cliEditHandle* from = &edit->handles[h];
        if (from->gone) continue;
        snHandleDef* to = &rows->handles[rows->numbers[h]];
        *to = (snHandleDef){.name = from->name, .centre = from->centre, .sureness = from->sureness};
        fill_vertices(edit, from, rows->vertices + used, rows->weights + used, to);
        to->followers = rows->followers + followers;
        to->follower_count = number_followers(from, rows->numbers, rows->followers + followers);
        used += to->vertex_count;
        followers += to->follower_count;
    }
    snHandlesDef def = {edit->mesh, count, rows->handles};
    snError error = sn_error_none();
    if (sn_handles_create(&def, &edit->context->memory, out, &error) == SN_RESULT_OK) return CLI_DONE;
    return context_fail(edit->context, &error);
}

cliExit rig_edit_finish(cliEdit* edit, snHandles** out) {
    const snAllocator* memory = &edit->context->memory;
    cliExit code = check_left(edit);
    if (code != CLI_DONE) return code;
    set_centres(edit);
    size_t vertices = 0, followers = 0;
    for (uint32_t h = 0; h < edit->count; h++) {
        vertices += sn_selection_vertices(edit->selector, edit->handles[h].marks, NULL);
        followers += edit->handles[h].follower_count;
    }
    Rows rows = {SNI_NEW_ARRAY(memory, snHandleDef, edit->count),
                 SNI_NEW_ARRAY(memory, uint32_t, edit->count), SNI_NEW_ARRAY(memory, uint32_t, followers),
                 SNI_NEW_ARRAY(memory, uint32_t, vertices), SNI_NEW_ARRAY(memory, float, vertices)};
    void* all[] = {rows.handles, rows.numbers, rows.followers, rows.vertices, rows.weights};
    bool enough = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) enough = enough && all[i] != NULL;
    code = enough ? create(edit, &rows, out) : context_fail_memory(edit->context);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) sni_free(memory, all[i]);
    return code;
}
