// Handles in the making, as the options of sinew rig ask for them.
#include "rig_edit.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

// ------------------------------------------------------------------------------------------- begin and end

// NULL: what went wrong is said, and in `out_code`.
static cliEditHandle* add_handle(cliEdit* edit, const char* name, cliExit* out_code) {
    if (edit->count == SN_HANDLES_MAX) {
        *out_code = cli_usage(edit->context->arguments->verb, "more than %u handles", SN_HANDLES_MAX);
        return NULL;
    }
    cliEditHandle* handle = &edit->handles[edit->count];
    *handle = (cliEditHandle){.name = name, .weight = 1.0f, .sureness = 1.0f};
    handle->marks = SNI_NEW_ARRAY(&edit->context->memory, uint8_t, edit->mesh->vertex_count);
    if (handle->marks == NULL) {
        *out_code = context_fail_memory(edit->context);
        return NULL;
    }
    edit->count++;
    return handle;
}

static cliExit copy_handle(cliEdit* edit, const snHandle* from) {
    cliExit code = CLI_DONE;
    cliEditHandle* to = add_handle(edit, from->name, &code);
    if (to == NULL) return code;
    const snAllocator* memory = &edit->context->memory;
    to->weights = SNI_NEW_ARRAY(memory, float, edit->mesh->vertex_count);
    to->followers = sni_copy_array(memory, from->followers, from->follower_count, sizeof(uint32_t));
    if (to->weights == NULL || to->followers == NULL) return context_fail_memory(edit->context);
    to->follower_count = from->follower_count;
    to->centre = from->centre;
    to->centred = true;
    to->sureness = from->sureness;
    for (uint32_t i = 0; i < from->vertex_count; i++) {
        to->marks[from->vertices[i]] = 1;
        to->weights[from->vertices[i]] = from->weights[i];
    }
    return CLI_DONE;
}

cliExit rig_edit_open(cliEdit* edit, const cliContext* context, const snModel* model, const snMesh* mesh,
                      const snHandles* begin) {
    *edit = (cliEdit){.context = context, .model = model, .mesh = mesh};
    snError error = sn_error_none();
    edit->handles = SNI_NEW_ARRAY(&context->memory, cliEditHandle, SN_HANDLES_MAX);
    if (edit->handles == NULL) return context_fail_memory(context);
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
        sni_free(memory, edit->handles[h].marks);
        sni_free(memory, edit->handles[h].weights);
        sni_free(memory, edit->handles[h].followers);
    }
    sni_free(memory, edit->handles);
    sni_free(memory, edit->names);
    sn_selector_destroy(edit->selector);
}

// ------------------------------------------------------------------------------------------------ options

// The handle that "NAME=..." is about, and what follows the sign. NULL: there is none of that name, or no
// sign.
static cliEditHandle* find_named(cliEdit* edit, const char* text, const char** out_value) {
    for (uint32_t h = 0; h < edit->count; h++) {
        size_t length = strlen(edit->handles[h].name);
        if (strncmp(text, edit->handles[h].name, length) != 0 || text[length] != '=') continue;
        *out_value = text + length + 1;
        return &edit->handles[h];
    }
    return NULL;
}

static cliExit no_handle(const cliEdit* edit, const char* option, const char* text) {
    const char* names[SN_HANDLES_MAX];
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, "="), text);
    for (uint32_t h = 0; h < edit->count; h++) names[h] = edit->handles[h].name;
    return cli_usage(edit->context->arguments->verb, "--%s %s: there is no handle %s%s", option, text, word,
                     cli_hint(word, names, edit->count).text);
}

// NAME=SELECTION marks, and again adds to it; NAME-=SELECTION takes away. The first time, a handle that was
// there before is made anew.
static cliExit select_one(cliEdit* edit, const char* text, char* name_room, size_t capacity) {
    const char* sign = strchr(text, '=');
    size_t length = sign != NULL ? (size_t)(sign - text) : 0;
    bool minus = length > 0 && text[length - 1] == '-';
    length -= minus;
    if (length == 0 || length >= capacity)
        return cli_usage(edit->context->arguments->verb, "--handle %s: NAME=SELECTION is expected", text);
    snprintf(name_room, capacity, "%.*s", (int)length, text);
    cliEditHandle* handle = NULL;
    for (uint32_t h = 0; h < edit->count && handle == NULL; h++) {
        if (strcmp(edit->handles[h].name, name_room) == 0) handle = &edit->handles[h];
    }
    cliExit code = CLI_DONE;
    if (handle == NULL) handle = add_handle(edit, name_room, &code);
    if (handle == NULL) return code;
    if (!handle->selected && !minus) {
        memset(handle->marks, 0, edit->mesh->vertex_count);
        handle->centred = false;
        handle->sureness = 1.0f;
    }
    handle->selected = true;
    sni_free(&edit->context->memory, handle->weights);
    handle->weights = NULL;
    return rig_select(edit, sign + 1, minus ? SN_COMBINE_SUBTRACT : SN_COMBINE_ADD, handle->marks);
}

static cliExit select_all(cliEdit* edit) {
    const cliArguments* a = edit->context->arguments;
    cliExit code = CLI_DONE;
    const char* text = NULL;
    for (uint32_t i = 0; code == CLI_DONE && (text = cli_repeated(a, "handle", i)) != NULL; i++)
        code = select_one(edit, text, edit->names[i], sizeof edit->names[i]);
    for (uint32_t h = 0; h < edit->count && code == CLI_DONE; h++) {
        if (!edit->handles[h].selected) continue;
        sn_select_grow(edit->selector, cli_whole(a, "grow", 0), edit->handles[h].marks);
        sn_select_shrink(edit->selector, cli_whole(a, "shrink", 0), edit->handles[h].marks);
    }
    return code;
}

// What a person marks is no longer what was guessed for others.
static void take_from_others(cliEdit* edit) {
    for (uint32_t h = 0; h < edit->count; h++) {
        if (!edit->handles[h].selected) continue;
        for (uint32_t other = 0; other < edit->count; other++) {
            if (edit->handles[other].selected) continue;
            for (uint32_t v = 0; v < edit->mesh->vertex_count; v++) {
                if (edit->handles[h].marks[v]) edit->handles[other].marks[v] = 0;
            }
        }
    }
}

static cliExit set_numbers(cliEdit* edit) {
    const cliArguments* a = edit->context->arguments;
    const char *text = NULL, *value = NULL;
    float n[3];
    for (uint32_t i = 0; (text = cli_repeated(a, "centre", i)) != NULL; i++) {
        cliEditHandle* handle = find_named(edit, text, &value);
        if (handle == NULL) return no_handle(edit, "centre", text);
        if (!rig_numbers(value, n, 3)) return cli_usage(a->verb, "--centre %s: NAME=x,y,z is expected", text);
        handle->centre = sn_vec3(n[0], n[1], n[2]);
        handle->centred = true;
    }
    for (uint32_t i = 0; (text = cli_repeated(a, "weight", i)) != NULL; i++) {
        cliEditHandle* handle = find_named(edit, text, &value);
        if (handle == NULL) return no_handle(edit, "weight", text);
        if (!rig_numbers(value, n, 1) || !(n[0] >= 0.0f && n[0] <= 1.0f))
            return cli_usage(a->verb, "--weight %s: NAME=W with W from 0 to 1 is expected", text);
        handle->weight = n[0];
    }
    return CLI_DONE;
}

// "A,B,C" as handles.
static cliExit set_followers(cliEdit* edit, cliEditHandle* handle, const char* text, const char* list) {
    sni_free(&edit->context->memory, handle->followers);
    handle->follower_count = 0;
    handle->followers = SNI_NEW_ARRAY(&edit->context->memory, uint32_t, SN_HANDLES_MAX);
    if (handle->followers == NULL) return context_fail_memory(edit->context);
    while (*list != '\0') {
        size_t length = strcspn(list, ",");
        char name[128];
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        uint32_t h = 0;
        while (h < edit->count && strcmp(edit->handles[h].name, name) != 0) h++;
        if (h == edit->count)
            return cli_usage(edit->context->arguments->verb, "--followers %s: there is no handle %s", text,
                             name);
        if (handle->follower_count < SN_HANDLES_MAX) handle->followers[handle->follower_count++] = h;
        list += length + (list[length] == ',');
    }
    return CLI_DONE;
}

static cliExit set_all_followers(cliEdit* edit) {
    const char *text = NULL, *value = NULL;
    cliExit code = CLI_DONE;
    for (uint32_t i = 0; code == CLI_DONE; i++) {
        text = cli_repeated(edit->context->arguments, "followers", i);
        if (text == NULL) break;
        cliEditHandle* handle = find_named(edit, text, &value);
        if (handle == NULL) return no_handle(edit, "followers", text);
        code = set_followers(edit, handle, text, value);
    }
    return code;
}

// Handles without a place to turn about get one where they meet the handle that they follow.
static void set_centres(cliEdit* edit) {
    for (uint32_t h = 0; h < edit->count; h++) {
        if (edit->handles[h].centred) continue;
        const uint8_t* parent = NULL;
        for (uint32_t p = 0; p < edit->count && parent == NULL; p++) {
            for (uint32_t i = 0; i < edit->handles[p].follower_count; i++) {
                if (edit->handles[p].followers[i] == h) parent = edit->handles[p].marks;
            }
        }
        edit->handles[h].centre = sn_selection_centre(edit->selector, edit->handles[h].marks, parent);
    }
}

cliExit rig_edit_apply(cliEdit* edit) {
    edit->names = sni_alloc_array(&edit->context->memory, CLI_MAX_REPEATED, sizeof *edit->names);
    if (edit->names == NULL) return context_fail_memory(edit->context);
    cliExit code = select_all(edit);
    if (code == CLI_DONE) take_from_others(edit);
    if (code == CLI_DONE) code = set_numbers(edit);
    if (code == CLI_DONE) code = set_all_followers(edit);
    if (code == CLI_DONE) set_centres(edit);
    return code;
}

// ------------------------------------------------------------------------------------------------- finish

static void set_weights(cliEdit* edit, cliEditHandle* handle, float* feather) {
    uint32_t rings = cli_whole(edit->context->arguments, "feather", 0);
    sn_selection_feather(edit->selector, handle->marks, rings, feather);
    for (uint32_t v = 0; v < edit->mesh->vertex_count; v++) {
        feather[v] *= handle->weight * (handle->weights != NULL ? handle->weights[v] : 1.0f);
    }
}

typedef struct Rows {
    snHandleDef* handles;
    uint32_t* vertices; // of all
    float* weights;     // of all
    float* feather;     // vertex_count
} Rows;

static cliExit create(cliEdit* edit, Rows* rows, snHandles** out) {
    size_t used = 0;
    for (uint32_t h = 0; h < edit->count; h++) {
        cliEditHandle* from = &edit->handles[h];
        set_weights(edit, from, rows->feather);
        snHandleDef* to = &rows->handles[h];
        *to = (snHandleDef){.name = from->name,
                            .vertices = rows->vertices + used,
                            .weights = rows->weights + used,
                            .centre = from->centre,
                            .follower_count = from->follower_count,
                            .followers = from->followers,
                            .sureness = from->sureness};
        to->vertex_count = sn_selection_vertices(edit->selector, from->marks, rows->vertices + used);
        for (uint32_t i = 0; i < to->vertex_count; i++)
            rows->weights[used + i] = rows->feather[to->vertices[i]];
        used += to->vertex_count;
    }
    snHandlesDef def = {edit->mesh, edit->count, rows->handles};
    snError error = sn_error_none();
    if (sn_handles_create(&def, &edit->context->memory, out, &error) == SN_RESULT_OK) return CLI_DONE;
    return context_fail(edit->context, &error);
}

cliExit rig_edit_finish(cliEdit* edit, snHandles** out) {
    const snAllocator* memory = &edit->context->memory;
    size_t total = 0;
    for (uint32_t h = 0; h < edit->count; h++)
        total += sn_selection_vertices(edit->selector, edit->handles[h].marks, NULL);
    Rows rows = {SNI_NEW_ARRAY(memory, snHandleDef, edit->count), SNI_NEW_ARRAY(memory, uint32_t, total),
                 SNI_NEW_ARRAY(memory, float, total), SNI_NEW_ARRAY(memory, float, edit->mesh->vertex_count)};
    bool enough =
        rows.handles != NULL && rows.vertices != NULL && rows.weights != NULL && rows.feather != NULL;
    cliExit code = enough ? create(edit, &rows, out) : context_fail_memory(edit->context);
    sni_free(memory, rows.handles);
    sni_free(memory, rows.vertices);
    sni_free(memory, rows.weights);
    sni_free(memory, rows.feather);
    return code;
}
