#include "manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/glob.h"
#include "io/file.h"
#include "io/json_file.h"
#include "io/number.h"
#include "pattern.h"

// A manifest is written by hand or by a script; one of a hundred thousand names has a few megabytes.
#define MANIFEST_LIMIT ((size_t)64 << 20)
#define RETRIES_MAX 100

typedef struct Reader {
    sniJsonFile file;
    const batchVerbs* verbs;
    batchManifest* out;
    snError* error;
} Reader;

static snResult fail_at(Reader* r, const sniJson* at) {
    sni_json_file_place(&r->file, at->at, SN_RESULT_BAD_DATA, r->error);
    return SN_RESULT_BAD_DATA; // the constant: analysers see that it is never a success
}

static snResult refuse(Reader* r, const sniJson* at, const char* expected) {
    char found[64];
    sni_json_describe(at, found, sizeof found);
    sni_fail(r->error, SN_RESULT_BAD_DATA, "%s is %s, expected %s", at->at[0] != '\0' ? at->at : "the file",
             found, expected);
    return fail_at(r, at);
}

static char* copy(Reader* r, const char* text) {
    size_t size = strlen(text) + 1;
    char* made = SNI_ARENA_ARRAY(&r->out->arena, char, size);
    return made != NULL ? memcpy(made, text, size) : NULL;
}

// Keys that mean nothing are mistakes.
typedef struct Keys {
    const char* const* allowed; // NULL after the last
    char unknown[64];
} Keys;

static void look_at_key(void* user, const char* key, sniJsonValue* value) {
    Keys* keys = user;
    (void)value;
    if (keys->unknown[0] != '\0') return;
    for (const char* const* a = keys->allowed; *a != NULL; a++)
        if (strcmp(*a, key) == 0) return;
    snprintf(keys->unknown, sizeof keys->unknown, "%s", key);
}

static snResult check_keys(Reader* r, const sniJson* object, const char* const* allowed) {
    if (!sni_json_is_object(object)) return refuse(r, object, "an object");
    Keys keys = {allowed, ""};
    sni_json_each(object->value, look_at_key, &keys);
    if (keys.unknown[0] == '\0') return SN_RESULT_OK;
    uint32_t count = 0;
    while (allowed[count] != NULL) count++;
    sniJson at = sni_json_get(object, keys.unknown);
    sni_fail(r->error, SN_RESULT_BAD_DATA, "%s is not allowed here%s", at.at,
             sni_hint(keys.unknown, allowed, count).text);
    return fail_at(r, &at);
}

static snResult read_text(Reader* r, const sniJson* object, const char* key, const char** out) {
    sniJson at = sni_json_get(object, key);
    if (at.value == NULL) return SN_RESULT_OK;
    const char* text = sni_json_text(&at);
    if (text == NULL || text[0] == '\0') return refuse(r, &at, "a text");
    if (strlen(text) != sni_json_text_length(&at)) return refuse(r, &at, "a text without zero bytes");
    *out = copy(r, text);
    return *out != NULL ? SN_RESULT_OK : sni_fail_memory(r->error);
}

// A pattern with names in braces.
static snResult read_pattern(Reader* r, const sniJson* object, const char* key, const char** out) {
    sniJson at = sni_json_get(object, key);
    SNI_TRY(read_text(r, object, key, out));
    if (*out == NULL || at.value == NULL) return SN_RESULT_OK;
    return batch_pattern_check(*out, r->error) == SN_RESULT_OK ? SN_RESULT_OK : fail_at(r, &at);
}

// One text, or a list of them.
static snResult read_words(Reader* r, const sniJson* object, const char* key, bool patterns,
                           batchWords* out) {
    sniJson list = sni_json_get(object, key);
    if (list.value == NULL) return SN_RESULT_OK;
    bool one = sni_json_text(&list) != NULL;
    size_t count = one ? 1 : sni_json_length(&list);
    if (!one && !sni_json_is_array(&list)) return refuse(r, &list, "a text or a list of texts");
    const char** items = SNI_ARENA_ARRAY(&r->out->arena, const char*, count + 1);
    if (items == NULL) return sni_fail_memory(r->error);
    for (size_t i = 0; i < count; i++) {
        sniJson at = one ? list : sni_json_item(&list, i);
        const char* text = sni_json_text(&at);
        double number = 0;
        char digits[32];
        // Values of options are often numbers.
        if (text == NULL && sni_json_number(&at, &number)) {
            snprintf(digits, sizeof digits, "%.9g", number);
            text = digits;
        }
        if (text == NULL || text[0] == '\0') return refuse(r, &at, "a text");
        if (patterns && batch_pattern_check(text, r->error) != SN_RESULT_OK) return fail_at(r, &at);
        items[i] = copy(r, text);
        if (items[i] == NULL) return sni_fail_memory(r->error);
    }
    *out = (batchWords){items, (uint32_t)count};
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- choices

#define CHOICE_KEYS "settings", "out", "options", "limits", "retries", "thumbnails"

static snResult read_limits(Reader* r, const sniJson* object, batchChoice* choice) {
    static const char* const keys[] = {"memory", "seconds", NULL};
    sniJson limits = sni_json_get(object, "limits");
    if (limits.value == NULL) return SN_RESULT_OK;
    SNI_TRY(check_keys(r, &limits, keys));
    sniJson memory = sni_json_get(&limits, "memory"), seconds = sni_json_get(&limits, "seconds");
    int64_t bytes = 0;
    const char* text = sni_json_text(&memory);
    if (memory.value != NULL && text != NULL) {
        if (!sni_parse_bytes(text, &choice->memory)) return refuse(r, &memory, "a size such as \"2G\"");
    } else if (memory.value != NULL) {
        if (!sni_json_whole(&memory, &bytes) || bytes <= 0)
            return refuse(r, &memory, "a size such as \"2G\"");
        choice->memory = (uint64_t)bytes;
    }
    if (seconds.value != NULL && (!sni_json_number(&seconds, &choice->seconds) ||
                                  !(choice->seconds >= 0.01 && choice->seconds <= 1e6)))
        return refuse(r, &seconds, "seconds from 0.01 to 1e6");
    return SN_RESULT_OK;
}

// Where files go and what is said is the batch's own.
static snResult check_options(Reader* r, const sniJson* object, const batchWords* options) {
    static const char* const own[] = {"-o", "--output", "--html", "-h", "--help", "--json", "--reads"};
    for (uint32_t i = 0; i < options->count; i++) {
        for (size_t k = 0; k < sizeof own / sizeof own[0]; k++) {
            size_t length = strlen(own[k]);
            if (strncmp(options->items[i], own[k], length) != 0 ||
                (options->items[i][length] != '\0' && options->items[i][length] != '='))
                continue;
            sniJson at = sni_json_get(object, "options");
            sni_fail(r->error, SN_RESULT_BAD_DATA, "%s: %s is set by the batch; \"out\" says where files go",
                     at.at, own[k]);
            return fail_at(r, &at);
        }
    }
    return SN_RESULT_OK;
}

static snResult read_choice(Reader* r, const sniJson* object, batchChoice* out) {
    *out = (batchChoice){.retries = -1, .thumbnail = -1};
    SNI_TRY(read_pattern(r, object, "settings", &out->settings));
    SNI_TRY(read_pattern(r, object, "out", &out->out));
    SNI_TRY(read_words(r, object, "options", true, &out->options));
    SNI_TRY(check_options(r, object, &out->options));
    SNI_TRY(read_limits(r, object, out));
    sniJson retries = sni_json_get(object, "retries"), thumbnails = sni_json_get(object, "thumbnails");
    int64_t times = 0;
    if (retries.value != NULL) {
        if (!sni_json_whole(&retries, &times) || times < 0 || times > RETRIES_MAX)
            return refuse(r, &retries, "a whole number from 0 to 100");
        out->retries = (int)times;
    }
    if (thumbnails.value != NULL) {
        if (!sni_json_is_true(&thumbnails) && !sni_json_is_false(&thumbnails))
            return refuse(r, &thumbnails, "true or false");
        out->thumbnail = sni_json_is_true(&thumbnails);
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- recipes

// Binding and converting need no motion.
static batchPer usual_per(const char* verb, bool motions) {
    static const char* const alone[] = {"bind", "convert", "rig", "render", "info"};
    if (!motions) return BATCH_PER_CHARACTER;
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        if (strcmp(verb, alone[i]) == 0) return BATCH_PER_CHARACTER;
    return strcmp(verb, "motion") == 0 ? BATCH_PER_MOTION : BATCH_PER_PAIR;
}

static snResult find_verb(Reader* r, const sniJson* at, const char* name, const batchVerb** out) {
    const char* words[64];
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->verbs->count; i++) {
        if (strcmp(r->verbs->items[i].name, name) == 0) *out = &r->verbs->items[i];
        if (count < 64) words[count++] = r->verbs->items[i].name;
    }
    if (*out != NULL) return SN_RESULT_OK;
    sni_fail(r->error, SN_RESULT_BAD_DATA, "%s: there is no verb %.60s that writes files%s", at->at, name,
             sni_hint(name, words, count).text);
    return fail_at(r, at);
}

static snResult read_per(Reader* r, const sniJson* object, batchPer* out) {
    static const char* const names[] = {"pair", "character", "motion"};
    sniJson at = sni_json_get(object, "per");
    if (at.value == NULL) return SN_RESULT_OK;
    const char* text = sni_json_text(&at);
    for (int i = 0; text != NULL && i < 3; i++) {
        if (strcmp(text, names[i]) != 0) continue;
        *out = (batchPer)i;
        return SN_RESULT_OK;
    }
    return refuse(r, &at, "pair, character or motion");
}

static snResult read_from(Reader* r, const sniJson* object, uint32_t index, batchRecipe* recipe) {
    sniJson at = sni_json_get(object, "from");
    const char* text = sni_json_text(&at);
    if (at.value == NULL) return SN_RESULT_OK;
    for (uint32_t i = 0; text != NULL && i < index; i++) {
        if (strcmp(r->out->recipes[i].name, text) != 0) continue;
        if (r->out->recipes[i].per != BATCH_PER_CHARACTER)
            return refuse(r, &at, "a recipe that runs once per character");
        recipe->from = i;
        return SN_RESULT_OK;
    }
    return refuse(r, &at, "the name of an earlier recipe");
}

static snResult read_recipe(Reader* r, const sniJson* at, uint32_t index) {
    static const char* const keys[] = {"verb", "name", "per", "operands", "from", CHOICE_KEYS, NULL};
    batchRecipe* recipe = &r->out->recipes[index];
    *recipe = (batchRecipe){.from = SN_NONE, .choice = {.retries = -1, .thumbnail = -1}};
    const char* verb = sni_json_text(at);
    bool plain = verb != NULL, motions = r->out->motions.count > 0;
    sniJson place = *at;
    if (!plain) {
        SNI_TRY(check_keys(r, at, keys));
        place = sni_json_get(at, "verb");
        verb = sni_json_text(&place);
        if (verb == NULL) return refuse(r, &place, "a verb");
    }
    SNI_TRY(find_verb(r, &place, verb, &recipe->verb));
    recipe->name = recipe->verb->name;
    recipe->per = usual_per(verb, motions);
    if (!plain) {
        SNI_TRY(read_text(r, at, "name", &recipe->name));
        SNI_TRY(read_per(r, at, &recipe->per));
        SNI_TRY(read_words(r, at, "operands", true, &recipe->operands));
        SNI_TRY(read_choice(r, at, &recipe->choice));
        SNI_TRY(read_from(r, at, index, recipe));
    }
    if (recipe->per != BATCH_PER_CHARACTER && !motions) {
        sni_fail(r->error, SN_RESULT_BAD_DATA, "%s needs motions, and there are none", at->at);
        return fail_at(r, at);
    }
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(r->out->recipes[i].name, recipe->name) != 0) continue;
        sni_fail(r->error, SN_RESULT_BAD_DATA, "%s: two recipes are called %.60s; give one a \"name\"",
                 at->at, recipe->name);
        return fail_at(r, at);
    }
    return SN_RESULT_OK;
}

static snResult read_recipes(Reader* r, const sniJson* root) {
    sniJson list = sni_json_get(root, "do");
    bool one = list.value != NULL && !sni_json_is_array(&list);
    size_t count = one ? 1 : sni_json_length(&list);
    if (count == 0) return refuse(r, &list, "verbs such as [\"animate\", \"check\"]");
    r->out->recipes = SNI_ARENA_ARRAY(&r->out->arena, batchRecipe, count);
    if (r->out->recipes == NULL) return sni_fail_memory(r->error);
    for (uint32_t i = 0; i < count; i++) {
        sniJson at = one ? list : sni_json_item(&list, i);
        SNI_TRY(read_recipe(r, &at, i));
        r->out->recipe_count++;
    }
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- exceptions

static snResult read_exception(Reader* r, const sniJson* at, batchException* out) {
    static const char* const keys[] = {"character", "motion", "do", "skip", CHOICE_KEYS, NULL};
    SNI_TRY(check_keys(r, at, keys));
    SNI_TRY(read_text(r, at, "character", &out->character));
    SNI_TRY(read_text(r, at, "motion", &out->motion));
    SNI_TRY(read_text(r, at, "do", &out->recipe));
    bool known = out->recipe == NULL;
    for (uint32_t i = 0; i < r->out->recipe_count && !known; i++)
        known = sni_glob_matches(out->recipe, r->out->recipes[i].name);
    sniJson about = sni_json_get(at, "do"), skip = sni_json_get(at, "skip");
    if (!known) return refuse(r, &about, "the name of a recipe, or a pattern that one matches");
    if (skip.value != NULL && !sni_json_is_true(&skip) && !sni_json_is_false(&skip))
        return refuse(r, &skip, "true or false");
    out->skip = sni_json_is_true(&skip);
    return read_choice(r, at, &out->choice);
}

static snResult read_exceptions(Reader* r, const sniJson* root) {
    sniJson list = sni_json_get(root, "except");
    if (list.value == NULL) return SN_RESULT_OK;
    if (!sni_json_is_array(&list)) return refuse(r, &list, "a list");
    size_t count = sni_json_length(&list);
    r->out->exceptions = SNI_ARENA_ARRAY(&r->out->arena, batchException, count + 1);
    if (r->out->exceptions == NULL) return sni_fail_memory(r->error);
    for (uint32_t i = 0; i < count; i++) {
        sniJson at = sni_json_item(&list, i);
        SNI_TRY(read_exception(r, &at, &r->out->exceptions[i]));
        r->out->exception_count++;
    }
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- whole

static snResult read_root(Reader* r, const sniJson* root) {
    static const char* const keys[] = {"characters", "motions", "do", "except", "state", CHOICE_KEYS, NULL};
    SNI_TRY(check_keys(r, root, keys));
    SNI_TRY(read_words(r, root, "characters", false, &r->out->characters));
    SNI_TRY(read_words(r, root, "motions", false, &r->out->motions));
    sniJson characters = sni_json_get(root, "characters");
    if (r->out->characters.count == 0)
        return refuse(r, &characters, "files or patterns such as \"cast/*.glb\"");
    const char* state = NULL;
    SNI_TRY(read_text(r, root, "state", &state));
    if (state != NULL) r->out->state = (char*)state;
    SNI_TRY(read_choice(r, root, &r->out->choice));
    SNI_TRY(read_recipes(r, root));
    return read_exceptions(r, root);
}

static snResult name_places(Reader* r, const char* path) {
    batchManifest* m = r->out;
    size_t folder = sni_path_folder(path);
    m->name = copy(r, path + folder);
    m->folder = copy(r, path);
    size_t stem = m->name != NULL ? strlen(m->name) - strlen(sni_path_extension(m->name)) : 0;
    m->state = SNI_ARENA_ARRAY(&m->arena, char, stem + 8);
    if (m->arena.failed) return sni_fail_memory(r->error);
    m->folder[folder] = '\0';
    snprintf(m->state, stem + 8, "%.*s.state", (int)stem, m->name);
    return SN_RESULT_OK;
}

snResult batch_manifest_read(const char* path, const batchVerbs* verbs, const snAllocator* memory,
                             batchManifest* out, snError* error) {
    *out = (batchManifest){.arena = {*memory, NULL, false}};
    Reader r = {.verbs = verbs, .out = out, .error = error};
    snResult result = name_places(&r, path);
    if (result == SN_RESULT_OK)
        result = sni_json_file_open(path, NULL, 0, MANIFEST_LIMIT, memory, &r.file, error);
    if (result == SN_RESULT_OK) {
        sniJson root = sni_json_root(r.file.json);
        result = read_root(&r, &root);
    }
    sni_json_file_close(&r.file);
    return result;
}

void batch_manifest_free(batchManifest* manifest) {
    sni_arena_free(&manifest->arena);
    *manifest = (batchManifest){0};
}
