// The options that change handles: each is one edit, NAME=VALUE, done in the order of the command line.
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "rig_edit.h"

// What an edit is about. `value` is behind the sign; the text itself where an edit has none.
typedef struct Words {
    const char* option;
    const char* text;
    const char* value;
    cliEditHandle* handle;
} Words;

// ------------------------------------------------------------------------------------------------- finding

static cliExit no_handle(const cliEdit* edit, const Words* words, const char* name) {
    const char* names[SN_HANDLES_MAX];
    uint32_t count = 0;
    for (uint32_t h = 0; h < edit->count; h++)
        if (!edit->handles[h].gone) names[count++] = edit->handles[h].name;
    return cli_usage(edit->context->arguments->verb, "--%s %s: there is no handle %.200s%s", words->option,
                     words->text, name, cli_hint(name, names, count).text);
}

static cliExit expected(const cliEdit* edit, const Words* words, const char* form) {
    return cli_usage(edit->context->arguments->verb, "--%s %s: %s is expected", words->option, words->text,
                     form);
}

// The handle whose name the text begins with, before `end` or the end of the text: names may have such signs
// themselves, so the longest name counts. SN_NONE: there is none.
static uint32_t find_before(const cliEdit* edit, const char* text, char end) {
    uint32_t found = SN_NONE;
    size_t longest = 0;
    for (uint32_t h = 0; h < edit->count; h++) {
        size_t length = strlen(edit->handles[h].name);
        if (edit->handles[h].gone || length <= longest || strncmp(text, edit->handles[h].name, length) != 0 ||
            (text[length] != end && text[length] != '\0'))
            continue;
        longest = length;
        found = h;
    }
    return found;
}

// "NAME=VALUE", of a handle that is there.
static cliExit find_named(cliEdit* edit, Words* words, const char* form) {
    uint32_t h = find_before(edit, words->text, '=');
    size_t length = h != SN_NONE ? strlen(edit->handles[h].name) : strcspn(words->text, "=");
    if (words->text[length] == '\0' || length == 0) return expected(edit, words, form);
    if (h == SN_NONE) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)length, words->text);
        return no_handle(edit, words, name);
    }
    words->value = words->text + length + 1;
    words->handle = &edit->handles[h];
    return CLI_DONE;
}

// "A,B,C" as handles; `out` has room for SN_HANDLES_MAX.
static cliExit find_list(const cliEdit* edit, const Words* words, uint32_t* out, uint32_t* count) {
    for (const char* list = words->value; *list != '\0';) {
        uint32_t h = find_before(edit, list, ',');
        size_t length = h != SN_NONE ? strlen(edit->handles[h].name) : strcspn(list, ",");
        if (length == 0) return expected(edit, words, "a name before and behind each comma");
        if (h == SN_NONE) {
            char name[256];
            snprintf(name, sizeof name, "%.*s", (int)length, list);
            return no_handle(edit, words, name);
        }
        if (*count < SN_HANDLES_MAX) out[(*count)++] = h;
        list += length + (list[length] == ',');
    }
    return CLI_DONE;
}

// ----------------------------------------------------------------------------------------------- vertices

// What a handle marks is no longer what others had before; what a person marked for two of them in one run is
// a mistake that is found in the end, unless a later edit mends it.
static void take_from_others(cliEdit* edit, const cliEditHandle* handle) {
    for (uint32_t h = 0; h < edit->count; h++) {
        cliEditHandle* other = &edit->handles[h];
        if (other == handle) continue;
        for (uint32_t v = 0; v < edit->mesh->vertex_count; v++)
            if (handle->marks[v] && !other->by_hand[v]) other->marks[v] = 0;
    }
}

static void make_anew(cliEdit* edit, cliEditHandle* handle) {
    memset(handle->marks, 0, edit->mesh->vertex_count);
    memset(handle->by_hand, 0, edit->mesh->vertex_count);
    sni_free(&edit->context->memory, handle->weights);
    handle->weights = NULL;
    handle->weight = 1.0f;
    handle->centred = false;
    handle->fresh = true;
}

// NAME=WHERE makes a handle that was there before anew, and again adds to it; NAME+=WHERE adds to what is
// there, NAME-=WHERE takes away.
static cliExit change_handle(cliEdit* edit, Words* words) {
    const char* equals = strchr(words->text, '=');
    size_t length = equals != NULL ? (size_t)(equals - words->text) : 0;
    char sign = length > 0 ? words->text[length - 1] : '\0';
    if (sign == '+' || sign == '-') length--;
    char name[256];
    if (length == 0 || length >= sizeof name) return expected(edit, words, "NAME=SELECTION");
    snprintf(name, sizeof name, "%.*s", (int)length, words->text);
    uint32_t at = rig_edit_find(edit, name);
    if (at == SN_NONE && sign == '-') return no_handle(edit, words, name);
    cliExit code = CLI_DONE;
    cliEditHandle* handle = at != SN_NONE ? &edit->handles[at] : rig_edit_add(edit, name, &code);
    if (handle == NULL) return code;
    if (at == SN_NONE) handle->fresh = true;
    if (!handle->fresh && sign != '+' && sign != '-') make_anew(edit, handle);
    handle->selected = true;
    handle->sureness = 1.0f;
    code = rig_select(edit, equals + 1, SN_COMBINE_SET, edit->scratch);
    if (code != CLI_DONE) return code;
    for (uint32_t v = 0; v < edit->mesh->vertex_count; v++)
        if (edit->scratch[v]) handle->marks[v] = handle->by_hand[v] = sign != '-';
    if (sign != '-') take_from_others(edit, handle);
    return CLI_DONE;
}

// New vertices come from what is free, or from what nobody marked in this run.
static void grow(cliEdit* edit, cliEditHandle* handle, uint32_t rings) {
    uint32_t count = edit->mesh->vertex_count;
    memcpy(edit->scratch, handle->marks, count);
    sn_select_grow(edit->selector, rings, edit->scratch);
    for (uint32_t h = 0; h < edit->count; h++) {
        const cliEditHandle* other = &edit->handles[h];
        if (other == handle || other->gone) continue;
        for (uint32_t v = 0; v < count; v++)
            if (other->marks[v] && other->by_hand[v] && !handle->marks[v]) edit->scratch[v] = 0;
    }
    for (uint32_t v = 0; v < count && handle->selected; v++)
        if (edit->scratch[v] && !handle->marks[v])
            handle->by_hand[v] = 1; // what it grew is its own in this run
    memcpy(handle->marks, edit->scratch, count);
    take_from_others(edit, handle);
}

static void shrink(cliEdit* edit, cliEditHandle* handle, uint32_t rings) {
    sn_select_shrink(edit->selector, rings, handle->marks);
    for (uint32_t v = 0; v < edit->mesh->vertex_count; v++) handle->by_hand[v] &= handle->marks[v];
}

typedef void RingsFn(cliEdit* edit, cliEditHandle* handle, uint32_t rings);

// "NAME=N" is about one handle; "N" about all that --handle has marked so far.
static cliExit change_rings(cliEdit* edit, Words* words, RingsFn* change) {
    uint32_t rings = 0, marked = 0;
    if (!rig_whole(words->text, &rings)) {
        cliExit code = find_named(edit, words, "NAME=RINGS");
        if (code != CLI_DONE) return code;
        if (!rig_whole(words->value, &rings)) return expected(edit, words, "NAME=RINGS, a whole number,");
        change(edit, words->handle, rings);
        return CLI_DONE;
    }
    for (uint32_t h = 0; h < edit->count; h++) {
        if (!edit->handles[h].selected || edit->handles[h].gone) continue;
        change(edit, &edit->handles[h], rings);
        marked++;
    }
    if (marked > 0) return CLI_DONE;
    return cli_usage(edit->context->arguments->verb,
                     "--%s changes what --handle marks, and none is given before it; --%s NAME=%s changes a "
                     "handle that is there",
                     words->option, words->option, words->text);
}

static cliExit change_grow(cliEdit* edit, Words* words) { return change_rings(edit, words, grow); }
static cliExit change_shrink(cliEdit* edit, Words* words) { return change_rings(edit, words, shrink); }

// ------------------------------------------------------------------------------------------------ weights

static bool need_weights(const cliEdit* edit, cliEditHandle* handle) {
    if (handle->weights != NULL) return true;
    handle->weights = SNI_NEW_ARRAY(&edit->context->memory, float, edit->mesh->vertex_count);
    for (uint32_t v = 0; handle->weights != NULL && v < edit->mesh->vertex_count; v++)
        handle->weights[v] = -1.0f;
    return handle->weights != NULL;
}

// Weights that fall towards the border keep doing so.
static cliExit change_weight(cliEdit* edit, Words* words) {
    float weight = 0.0f;
    cliExit code = find_named(edit, words, "NAME=W with W from 0 to 1");
    if (code != CLI_DONE) return code;
    if (!rig_numbers(words->value, &weight, 1) || !(weight >= 0.0f && weight <= 1.0f))
        return expected(edit, words, "NAME=W with W from 0 to 1");
    cliEditHandle* handle = words->handle;
    for (uint32_t v = 0; handle->weights != NULL && v < edit->mesh->vertex_count; v++) {
        if (handle->weights[v] < 0.0f) continue;
        handle->weights[v] = handle->weight > 0.0f ? handle->weights[v] / handle->weight * weight : weight;
    }
    handle->weight = weight;
    return CLI_DONE;
}

static bool feather(cliEdit* edit, cliEditHandle* handle, uint32_t rings) {
    if (!need_weights(edit, handle)) return false;
    sn_selection_feather(edit->selector, handle->marks, rings, handle->weights);
    for (uint32_t v = 0; v < edit->mesh->vertex_count; v++)
        handle->weights[v] = handle->marks[v] ? handle->weights[v] * handle->weight : -1.0f;
    return true;
}

// "NAME=N" is about one handle; "N" about all there are.
static cliExit change_feather(cliEdit* edit, Words* words) {
    uint32_t rings = 0;
    bool all = rig_whole(words->text, &rings), enough = true;
    if (!all) {
        cliExit code = find_named(edit, words, "NAME=RINGS");
        if (code != CLI_DONE) return code;
        if (!rig_whole(words->value, &rings)) return expected(edit, words, "NAME=RINGS, a whole number,");
    }
    for (uint32_t h = 0; h < edit->count && enough; h++) {
        cliEditHandle* handle = &edit->handles[h];
        if (!handle->gone && (all || handle == words->handle)) enough = feather(edit, handle, rings);
    }
    return enough ? CLI_DONE : context_fail_memory(edit->context);
}

// ------------------------------------------------------------------------------------------- names, places

static cliExit change_centre(cliEdit* edit, Words* words) {
    float n[3];
    cliExit code = find_named(edit, words, "NAME=x,y,z");
    if (code != CLI_DONE) return code;
    words->handle->centred = strcmp(words->value, "auto") != 0;
    if (!words->handle->centred) return CLI_DONE;
    if (!rig_numbers(words->value, n, 3)) return expected(edit, words, "NAME=x,y,z or NAME=auto");
    words->handle->centre = sn_vec3(n[0], n[1], n[2]);
    return CLI_DONE;
}

static cliExit change_rename(cliEdit* edit, Words* words) {
    cliExit code = find_named(edit, words, "OLD=NEW");
    if (code != CLI_DONE) return code;
    if (words->value[0] == '\0') return expected(edit, words, "OLD=NEW");
    uint32_t other = rig_edit_find(edit, words->value);
    if (other != SN_NONE && &edit->handles[other] != words->handle)
        return cli_usage(edit->context->arguments->verb,
                         "--rename %s: there is a handle %s already; --merge %s=%s makes one of the two",
                         words->text, words->value, words->value, words->handle->name);
    char* name = sni_copy_text(&edit->context->memory, words->value);
    if (name == NULL) return context_fail_memory(edit->context);
    sni_free(&edit->context->memory, words->handle->name);
    words->handle->name = name;
    return CLI_DONE;
}

// ---------------------------------------------------------------------------------------------- structure

static uint32_t index_of(const cliEdit* edit, const cliEditHandle* handle) {
    return (uint32_t)(handle - edit->handles);
}

static bool is_follower(const cliEditHandle* parent, uint32_t h) {
    for (uint32_t i = 0; i < parent->follower_count; i++)
        if (parent->followers[i] == h) return true;
    return false;
}

static void add_follower(cliEdit* edit, uint32_t parent, uint32_t h) {
    cliEditHandle* handle = &edit->handles[parent];
    if (parent == h || is_follower(handle, h) || handle->follower_count == SN_HANDLES_MAX) return;
    handle->followers[handle->follower_count++] = h;
}

static void drop_follower(cliEditHandle* parent, uint32_t h) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < parent->follower_count; i++)
        if (parent->followers[i] != h) parent->followers[kept++] = parent->followers[i];
    parent->follower_count = kept;
}

// What follows a handle that goes follows those that it followed.
static void leave(cliEdit* edit, uint32_t h) {
    cliEditHandle* handle = &edit->handles[h];
    for (uint32_t p = 0; p < edit->count; p++) {
        if (edit->handles[p].gone || !is_follower(&edit->handles[p], h)) continue;
        drop_follower(&edit->handles[p], h);
        for (uint32_t i = 0; i < handle->follower_count; i++) add_follower(edit, p, handle->followers[i]);
    }
    handle->gone = true;
    handle->follower_count = 0;
    memset(handle->marks, 0, edit->mesh->vertex_count);
    memset(handle->by_hand, 0, edit->mesh->vertex_count);
}

static cliExit change_followers(cliEdit* edit, Words* words) {
    cliExit code = find_named(edit, words, "NAME=A,B");
    if (code != CLI_DONE) return code;
    words->handle->follower_count = 0;
    return find_list(edit, words, words->handle->followers, &words->handle->follower_count);
}

static cliExit change_parent(cliEdit* edit, Words* words) {
    cliExit code = find_named(edit, words, "NAME=PARENT, or NAME= for none,");
    if (code != CLI_DONE) return code;
    uint32_t h = index_of(edit, words->handle), parent = SN_NONE;
    if (words->value[0] != '\0') {
        parent = rig_edit_find(edit, words->value);
        if (parent == SN_NONE) return no_handle(edit, words, words->value);
        if (parent == h)
            return cli_usage(edit->context->arguments->verb, "--parent %s: a handle cannot follow itself",
                             words->text);
    }
    for (uint32_t p = 0; p < edit->count; p++) drop_follower(&edit->handles[p], h);
    if (parent != SN_NONE) add_follower(edit, parent, h);
    return CLI_DONE;
}

static cliExit change_remove(cliEdit* edit, Words* words) {
    uint32_t list[SN_HANDLES_MAX], count = 0;
    cliExit code = find_list(edit, words, list, &count);
    for (uint32_t i = 0; i < count && code == CLI_DONE; i++) leave(edit, list[i]);
    return code;
}

static bool take_vertices(const cliEdit* edit, cliEditHandle* to, const cliEditHandle* from) {
    if (!need_weights(edit, to)) return false;
    for (uint32_t v = 0; v < edit->mesh->vertex_count; v++) {
        if (to->marks[v] && to->weights[v] < 0.0f) to->weights[v] = to->weight;
        if (!from->marks[v]) continue;
        float said = from->weights != NULL ? from->weights[v] : -1.0f;
        to->marks[v] = 1;
        to->by_hand[v] |= from->by_hand[v];
        to->weights[v] = said >= 0.0f ? said : from->weight;
    }
    to->weight = sn_maxf(to->weight, from->weight);
    to->sureness = sn_minf(to->sureness, from->sureness);
    to->selected = to->selected || from->selected;
    return true;
}

// One that it follows, of those that are merged or of the others; SN_NONE: there is none.
static uint32_t parent_of(const cliEdit* edit, uint32_t h, const bool* merged, bool among) {
    for (uint32_t p = 0; p < edit->count; p++)
        if (merged[p] == among && is_follower(&edit->handles[p], h)) return p;
    return SN_NONE;
}

// Many become one, which keeps following what it followed. Where that was one of them, it follows what that
// one followed, and so on upwards; circles are not found before the end, so steps are counted. What follows
// any of them follows it.
static void merge_structure(cliEdit* edit, uint32_t into, const bool* merged) {
    uint32_t top = into;
    for (uint32_t step = 0; step < edit->count; step++) {
        bool hangs = parent_of(edit, top, merged, false) != SN_NONE;
        uint32_t above = hangs ? SN_NONE : parent_of(edit, top, merged, true);
        if (above == SN_NONE) break;
        top = above;
    }
    for (uint32_t p = 0; p < edit->count; p++)
        if (!merged[p] && is_follower(&edit->handles[p], top)) add_follower(edit, p, into);
    for (uint32_t h = 0; h < edit->count; h++) {
        cliEditHandle* part = &edit->handles[h];
        if (!merged[h] || h == into) continue;
        for (uint32_t i = 0; i < part->follower_count; i++)
            if (!merged[part->followers[i]]) add_follower(edit, into, part->followers[i]);
        part->follower_count = 0; // they are taken care of
    }
}

static cliExit change_merge(cliEdit* edit, Words* words) {
    uint32_t list[SN_HANDLES_MAX], count = 0;
    bool merged[SN_HANDLES_MAX] = {false}; // with the one that they become a part of
    cliExit code = find_named(edit, words, "NAME=A,B");
    if (code == CLI_DONE) code = find_list(edit, words, list, &count);
    if (code != CLI_DONE) return code;
    if (count == 0) return expected(edit, words, "NAME=A,B");
    uint32_t into = index_of(edit, words->handle);
    for (uint32_t i = 0; i < count; i++) {
        merged[list[i]] = true;
        if (list[i] != into) continue;
        return cli_usage(edit->context->arguments->verb, "--merge %s: a handle cannot be part of itself",
                         words->text);
    }
    merged[into] = true;
    merge_structure(edit, into, merged);
    for (uint32_t h = 0; h < edit->count; h++) {
        if (!merged[h] || h == into) continue;
        if (!take_vertices(edit, words->handle, &edit->handles[h])) return context_fail_memory(edit->context);
        leave(edit, h);
    }
    return CLI_DONE;
}

// ------------------------------------------------------------------------------------------------- options

static const struct {
    const char* option;
    cliExit (*change)(cliEdit* edit, Words* words);
} changes[] = {{"handle", change_handle},       {"grow", change_grow},       {"shrink", change_shrink},
               {"weight", change_weight},       {"feather", change_feather}, {"centre", change_centre},
               {"rename", change_rename},       {"remove", change_remove},   {"merge", change_merge},
               {"followers", change_followers}, {"parent", change_parent}};

const char* rig_change_given(const cliArguments* arguments) {
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        if (cli_given(arguments, changes[i].option)) return changes[i].option;
    return NULL;
}

cliExit rig_change(cliEdit* edit) {
    const cliArguments* a = edit->context->arguments;
    cliExit code = CLI_DONE;
    for (uint32_t r = 0; r < a->repeated_count && code == CLI_DONE; r++) {
        const char *option = a->repeated[r].option->name, *text = a->repeated[r].text;
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
            Words words = {option, text, text, NULL};
            if (strcmp(option, changes[i].option) == 0) code = changes[i].change(edit, &words);
        }
    }
    return code;
}
