// The options that change handles: each is one step, NAME=VALUE, done in the order of the command line.
#include <stdio.h>
#include <string.h>

#include "rig_edit.h"

// What a step is about. `value` is behind the sign; the text itself where a step has none.
typedef struct Words {
    const char* option;
    const char* text;
    const char* value;
    uint32_t handle;
} Words;

// ------------------------------------------------------------------------------------------------- finding

// NULL where it is gone.
static const char* name_of(const cliEdit* edit, uint32_t h) {
    snDraftHandle handle;
    return sn_handle_draft_get(edit->draft, h, &handle) ? handle.name : NULL;
}

static cliExit no_handle(const cliEdit* edit, const Words* words, const char* name) {
    const char* names[SN_HANDLES_MAX];
    uint32_t count = 0;
    for (uint32_t h = 0; h < sn_handle_draft_count(edit->draft); h++)
        if ((names[count] = name_of(edit, h)) != NULL) count++;
    return cli_usage(edit->context->arguments->verb, "--%s %s: there is no handle %.200s%s", words->option,
                     words->text, name, cli_hint(name, names, count).text);
}

static cliExit expected(const cliEdit* edit, const Words* words, const char* form) {
    return cli_usage(edit->context->arguments->verb, "--%s %s: %s is expected", words->option, words->text,
                     form);
}

static cliExit done(const cliEdit* edit, snResult result, const snError* error) {
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(edit->context, error);
}

// The handle whose name the text begins with, before `end` or the end of the text: names may have such signs
// themselves, so the longest name counts. SN_NONE: there is none. `length`: of the name.
static uint32_t find_before(const cliEdit* edit, const char* text, char end, size_t* length) {
    const char stops[] = {end, '\0'};
    uint32_t found = SN_NONE;
    size_t longest = 0;
    for (uint32_t h = 0; h < sn_handle_draft_count(edit->draft); h++) {
        const char* name = name_of(edit, h);
        size_t size = name != NULL ? strlen(name) : 0;
        if (size <= longest || strncmp(text, name, size) != 0 || (text[size] != end && text[size] != '\0'))
            continue;
        longest = size;
        found = h;
    }
    *length = found != SN_NONE ? longest : strcspn(text, stops);
    return found;
}

// "NAME=VALUE", of a handle that is there.
static cliExit find_named(const cliEdit* edit, Words* words, const char* form) {
    size_t length = 0;
    words->handle = find_before(edit, words->text, '=', &length);
    if (words->text[length] == '\0' || length == 0) return expected(edit, words, form);
    if (words->handle == SN_NONE) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)length, words->text);
        return no_handle(edit, words, name);
    }
    words->value = words->text + length + 1;
    return CLI_DONE;
}

// "A,B,C" as handles; `out` has room for SN_HANDLES_MAX.
static cliExit find_list(const cliEdit* edit, const Words* words, uint32_t* out, uint32_t* count) {
    for (const char* list = words->value; *list != '\0';) {
        size_t length = 0;
        uint32_t h = find_before(edit, list, ',', &length);
        if (length == 0) return expected(edit, words, "a name before and after each comma");
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

// The handle of a name, or a new one.
static cliExit need_handle(const cliEdit* edit, const char* name, uint32_t* out) {
    snError error = sn_error_none();
    *out = sn_handle_draft_find(edit->draft, name);
    if (*out != SN_NONE) return CLI_DONE;
    snResult result = sn_handle_draft_add(edit->draft, name, out, &error);
    if (result == SN_RESULT_LIMIT) return cli_usage(edit->context->arguments->verb, "%s", error.text);
    return done(edit, result, &error);
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
    if (sign == '-' && sn_handle_draft_find(edit->draft, name) == SN_NONE)
        return no_handle(edit, words, name);
    snWhere where;
    snDraftHandle handle = {0};
    snError error = sn_error_none();
    cliExit code = need_handle(edit, name, &words->handle);
    if (code == CLI_DONE) code = rig_where(edit, equals + 1, &where);
    if (code != CLI_DONE) return code;
    sn_handle_draft_get(edit->draft, words->handle, &handle);
    snCombine combine = handle.fresh || sign == '+' ? SN_COMBINE_ADD : SN_COMBINE_SET;
    if (sign == '-') combine = SN_COMBINE_SUBTRACT;
    if (sn_handle_draft_select(edit->draft, words->handle, &where, combine, &error) == SN_RESULT_OK)
        return CLI_DONE;
    return rig_where_fail(edit, equals + 1, &where, &error);
}

typedef snResult RingsFn(snHandleDraft* draft, uint32_t handle, uint32_t rings, snError* error);

// "NAME=N" is about one handle; "N" about all there are, or all that --handle has marked so far.
static cliExit change_rings(const cliEdit* edit, Words* words, RingsFn* change, bool marked,
                            uint32_t* count) {
    uint32_t rings = 0;
    snError error = sn_error_none();
    *count = 1;
    if (!rig_whole(words->text, &rings)) {
        cliExit code = find_named(edit, words, "NAME=RINGS");
        if (code != CLI_DONE) return code;
        if (!rig_whole(words->value, &rings)) return expected(edit, words, "NAME=RINGS, a whole number,");
        return done(edit, change(edit->draft, words->handle, rings, &error), &error);
    }
    *count = 0;
    for (uint32_t h = 0; h < sn_handle_draft_count(edit->draft); h++) {
        snDraftHandle handle;
        if (!sn_handle_draft_get(edit->draft, h, &handle) || (marked && !handle.selected)) continue;
        ++*count;
        if (change(edit->draft, h, rings, &error) != SN_RESULT_OK) return context_fail(edit->context, &error);
    }
    return CLI_DONE;
}

static cliExit change_marked(const cliEdit* edit, Words* words, RingsFn* change) {
    uint32_t count = 0;
    cliExit code = change_rings(edit, words, change, true, &count);
    if (code != CLI_DONE || count > 0) return code;
    return cli_usage(edit->context->arguments->verb,
                     "--%s changes the vertices of --handle, but no --handle is given before it; use --%s "
                     "NAME=%s for an existing handle",
                     words->option, words->option, words->text);
}

static cliExit change_grow(cliEdit* edit, Words* words) {
    return change_marked(edit, words, sn_handle_draft_grow);
}
static cliExit change_shrink(cliEdit* edit, Words* words) {
    return change_marked(edit, words, sn_handle_draft_shrink);
}
static cliExit change_feather(cliEdit* edit, Words* words) {
    uint32_t count = 0;
    return change_rings(edit, words, sn_handle_draft_feather, false, &count);
}

static cliExit change_weight(cliEdit* edit, Words* words) {
    float weight = 0.0f;
    snError error = sn_error_none();
    cliExit code = find_named(edit, words, "NAME=W with W from 0 to 1");
    if (code != CLI_DONE) return code;
    if (!rig_numbers(words->value, &weight, 1) || !(weight >= 0.0f && weight <= 1.0f))
        return expected(edit, words, "NAME=W with W from 0 to 1");
    return done(edit, sn_handle_draft_weight(edit->draft, words->handle, weight, &error), &error);
}

// ------------------------------------------------------------------------------------------- names, places

static cliExit change_center(cliEdit* edit, Words* words) {
    float n[3];
    snError error = sn_error_none();
    cliExit code = find_named(edit, words, "NAME=x,y,z");
    if (code != CLI_DONE) return code;
    bool given = strcmp(words->value, "auto") != 0;
    if (given && !rig_numbers(words->value, n, 3)) return expected(edit, words, "NAME=x,y,z or NAME=auto");
    snVec3 center = given ? sn_vec3(n[0], n[1], n[2]) : sn_vec3(0.0f, 0.0f, 0.0f);
    return done(edit, sn_handle_draft_center(edit->draft, words->handle, given ? &center : NULL, &error),
                &error);
}

static cliExit change_rename(cliEdit* edit, Words* words) {
    snError error = sn_error_none();
    cliExit code = find_named(edit, words, "OLD=NEW");
    if (code != CLI_DONE) return code;
    if (words->value[0] == '\0') return expected(edit, words, "OLD=NEW");
    snResult result = sn_handle_draft_rename(edit->draft, words->handle, words->value, &error);
    if (result != SN_RESULT_BAD_DATA) return done(edit, result, &error);
    return cli_usage(edit->context->arguments->verb,
                     "--rename %s: the handle %s already exists; --merge %s=%s joins the two", words->text,
                     words->value, words->value, name_of(edit, words->handle));
}

// ---------------------------------------------------------------------------------------------- structure

static cliExit change_followers(cliEdit* edit, Words* words) {
    uint32_t list[SN_HANDLES_MAX], count = 0;
    snError error = sn_error_none();
    cliExit code = find_named(edit, words, "NAME=A,B");
    if (code == CLI_DONE) code = find_list(edit, words, list, &count);
    if (code != CLI_DONE) return code;
    return done(edit, sn_handle_draft_followers(edit->draft, words->handle, list, count, &error), &error);
}

static cliExit change_parent(cliEdit* edit, Words* words) {
    uint32_t parent = SN_NONE;
    snError error = sn_error_none();
    cliExit code = find_named(edit, words, "NAME=PARENT, or NAME= for none,");
    if (code != CLI_DONE) return code;
    if (words->value[0] != '\0') {
        parent = sn_handle_draft_find(edit->draft, words->value);
        if (parent == SN_NONE) return no_handle(edit, words, words->value);
    }
    if (sn_handle_draft_parent(edit->draft, words->handle, parent, &error) == SN_RESULT_OK) return CLI_DONE;
    return cli_usage(edit->context->arguments->verb, "--parent %s: %s", words->text, error.text);
}

static cliExit change_remove(cliEdit* edit, Words* words) {
    uint32_t list[SN_HANDLES_MAX], count = 0;
    cliExit code = find_list(edit, words, list, &count);
    // One that is named twice is gone the second time.
    for (uint32_t i = 0; i < count && code == CLI_DONE; i++)
        sn_handle_draft_remove(edit->draft, list[i], NULL);
    return code;
}

static cliExit change_merge(cliEdit* edit, Words* words) {
    uint32_t list[SN_HANDLES_MAX], count = 0;
    snError error = sn_error_none();
    cliExit code = find_named(edit, words, "NAME=A,B");
    if (code == CLI_DONE) code = find_list(edit, words, list, &count);
    if (code != CLI_DONE) return code;
    if (count == 0) return expected(edit, words, "NAME=A,B");
    snResult result = sn_handle_draft_merge(edit->draft, words->handle, list, count, &error);
    if (result != SN_RESULT_INVALID_ARGUMENT) return done(edit, result, &error);
    return cli_usage(edit->context->arguments->verb, "--merge %s: %s", words->text, error.text);
}

// ------------------------------------------------------------------------------------------------- options

static const struct {
    const char* option;
    cliExit (*change)(cliEdit* edit, Words* words);
} changes[] = {{"handle", change_handle},       {"grow", change_grow},       {"shrink", change_shrink},
               {"weight", change_weight},       {"feather", change_feather}, {"center", change_center},
               {"rename", change_rename},       {"remove", change_remove},   {"merge", change_merge},
               {"followers", change_followers}, {"parent", change_parent}};

const char* rig_change_given(const cliArguments* arguments) {
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
        if (cli_given(arguments, changes[i].option)) return changes[i].option;
    return NULL;
}

static cliExit change_all(cliEdit* edit) {
    const cliArguments* a = edit->context->arguments;
    cliExit code = CLI_DONE;
    for (uint32_t r = 0; r < a->repeated_count && code == CLI_DONE; r++) {
        const char *option = a->repeated[r].option->name, *text = a->repeated[r].text;
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
            Words words = {option, text, text, SN_NONE};
            if (strcmp(option, changes[i].option) == 0) code = changes[i].change(edit, &words);
        }
    }
    return code;
}

// One that lost all it had can be left out; what to say of one that never had any the draft knows.
static cliExit check_left(const cliEdit* edit) {
    for (uint32_t h = 0; h < sn_handle_draft_count(edit->draft); h++) {
        snDraftHandle handle;
        if (!sn_handle_draft_get(edit->draft, h, &handle) || handle.vertex_count > 0) continue;
        snHandles* none = NULL;
        snError error = sn_error_none();
        if (handle.fresh && sn_handle_draft_finish(edit->draft, NULL, &none, &error) != SN_RESULT_OK)
            fprintf(stderr, "%s\n", error.text);
        else
            fprintf(stderr, "handle \"%s\" has no vertices left; --remove %s leaves it out\n", handle.name,
                    handle.name);
        return CLI_BAD_INPUT;
    }
    return CLI_DONE;
}

cliExit rig_change(const cliContext* context, bool empty) {
    cliEdit edit = {.context = context, .model = context_model(context)};
    snError error = sn_error_none();
    if (sn_document_mesh(context->document, &edit.mesh, &error) != SN_RESULT_OK ||
        sn_handle_draft_create(context->document, empty, &edit.draft, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    cliExit code = change_all(&edit);
    if (code == CLI_DONE) code = check_left(&edit);
    if (code == CLI_DONE)
        code = done(&edit, sn_document_apply_draft(context->document, edit.draft, NULL, &error), &error);
    sn_handle_draft_destroy(edit.draft);
    return code;
}
