// Styles for joints: by name, among those that the settings have, those that ship, and files.
#include <string.h>

#include "document.h"

// ---------------------------------------------------------------------------------------------------
// requests

// The settings' styles and, behind them or in their place, those that are wished for.
typedef struct Styles {
    uint32_t count, opened_count;
    const snStyle* styles[SN_SETTINGS_MAX_STYLES];
    const char* sources[SN_SETTINGS_MAX_STYLES]; // what a request calls it; NULL: from the settings
    snStyle** opened;                            // to be freed; one a request at most
    const snAllocator* memory;
} Styles;

static uint32_t find_named(const Styles* list, const char* name) {
    uint32_t i = 0;
    while (i < list->count && strcmp(list->styles[i]->name, name) != 0) i++;
    return i;
}

// What the word means: a style that it meant before, one that the settings have, else one that ships or a
// file. A file takes the place of a style of its name that the settings have, and may be newer.
static snResult choose(Styles* list, const char* word, uint32_t* out, snError* error) {
    for (uint32_t i = 0; i < list->count; i++) {
        const char* known = list->sources[i] != NULL ? list->sources[i] : list->styles[i]->name;
        if (strcmp(known, word) != 0) continue;
        *out = i;
        return SN_RESULT_OK;
    }
    snStyle* style = NULL;
    SNI_TRY(sn_style_open(word, list->memory, &style, error));
    list->opened[list->opened_count++] = style;
    uint32_t at = find_named(list, style->name);
    if (at < list->count && list->sources[at] != NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%s has the name %s too; rename one of them",
                        list->sources[at], style->name);
    if (at == SN_SETTINGS_MAX_STYLES)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%u styles at most", SN_SETTINGS_MAX_STYLES);
    if (at == list->count) list->count++;
    list->styles[at] = style;
    list->sources[at] = word;
    *out = at;
    return SN_RESULT_OK;
}

// Which style each request means, SN_NONE for none; the settings get all of them.
static snResult add_styles(snSettings* settings, const snStyleRequest* requests, uint32_t count,
                           uint32_t* chosen, uint32_t* out_request, snError* error) {
    Styles list = {.count = settings->style_count, .memory = &settings->allocator};
    for (uint32_t i = 0; i < list.count; i++) list.styles[i] = settings->styles[i];
    list.opened = SNI_NEW_ARRAY(&settings->allocator, snStyle*, count);
    snResult result = list.opened != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        chosen[i] = SN_NONE;
        if (requests[i].style == NULL) continue;
        *out_request = i;
        result = choose(&list, requests[i].style, &chosen[i], error);
    }
    if (result == SN_RESULT_OK) {
        *out_request = SN_NONE;
        result = sn_settings_set_styles(settings, list.styles, list.count, error);
    }
    for (uint32_t i = 0; i < list.opened_count; i++) sn_style_destroy(list.opened[i]);
    sni_free(&settings->allocator, (void*)list.opened);
    return result;
}

// Behind the rules that the settings have, so that requests have the last word.
static snResult add_rules(snSettings* settings, const snStyleRequest* requests, uint32_t count,
                          const uint32_t* chosen, snError* error) {
    static char none[] = "", all[] = "*";
    uint32_t old = settings->style_rule_count;
    const snAllocator* memory = &settings->allocator;
    snStyleRule* rules = SNI_NEW_ARRAY(memory, snStyleRule, (size_t)old + count);
    char** joints = SNI_NEW_ARRAY(memory, char*, count);
    bool enough = rules != NULL && joints != NULL;
    if (enough && old > 0) memcpy(rules, settings->style_rules, old * sizeof *rules);
    for (uint32_t i = 0; i < count && enough; i++) {
        joints[i] = sni_copy_text(memory, requests[i].joint != NULL ? requests[i].joint : all);
        enough = joints[i] != NULL;
        char* style = chosen[i] != SN_NONE ? settings->styles[chosen[i]]->name : none;
        rules[old + i] = (snStyleRule){joints[i], style, requests[i].strength};
    }
    snResult result =
        enough ? sn_settings_set_style_rules(settings, rules, old + count, error) : sni_fail_memory(error);
    for (uint32_t i = 0; i < count && joints != NULL; i++) sni_free(memory, joints[i]);
    sni_free(memory, (void*)joints);
    sni_free(memory, rules);
    return result;
}

// Styles first, since rules may name only those that are there.
static snResult wear(snSettings* settings, const snStyleRequest* requests, uint32_t count,
                     uint32_t* out_request, snError* error) {
    uint32_t* chosen = SNI_NEW_ARRAY(&settings->allocator, uint32_t, count);
    if (chosen == NULL) return sni_fail_memory(error);
    snResult result = add_styles(settings, requests, count, chosen, out_request, error);
    if (result == SN_RESULT_OK) result = add_rules(settings, requests, count, chosen, error);
    sni_free(&settings->allocator, chosen);
    return result;
}

static void exchange(snSettings* a, snSettings* b) {
    snSettings kept = *a;
    *a = *b;
    *b = kept;
}

snResult sn_settings_add_styles(snSettings* settings, const snStyleRequest* requests, uint32_t count,
                                uint32_t* out_request, snError* error) {
    uint32_t request = SN_NONE;
    if (out_request != NULL) *out_request = SN_NONE;
    if (count == 0) return SN_RESULT_OK;
    snSettings* copy = NULL;
    SNI_TRY(sn_settings_copy(settings, &settings->allocator, &copy, error));
    snResult result = wear(copy, requests, count, &request, error);
    if (result == SN_RESULT_OK) exchange(settings, copy);
    if (out_request != NULL) *out_request = request;
    sn_settings_destroy(copy);
    return result;
}

snResult sn_document_add_styles(snDocument* document, const snStyleRequest* requests, uint32_t count,
                                uint32_t* out_request, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    snSettings* settings = NULL;
    SNI_TRY(sn_settings_copy(document->state.settings, &document->allocator, &settings, error));
    snResult result = sn_settings_add_styles(settings, requests, count, out_request, error);
    if (result == SN_RESULT_OK && count > 0) settings->skin = SN_SKIN_SPLINE;
    if (result == SN_RESULT_OK)
        result = sn_settings_validate_joints(settings, document->state.body.model->skeleton,
                                             &document->allocator, error);
    if (result == SN_RESULT_OK) result = sn_document_set_settings(document, settings, error);
    sn_settings_destroy(settings);
    return result;
}

// --------------------------------------------------------------------------------------------- what is worn

snResult sn_character_styled(const snCharacter* character, const snSkeleton* skeleton,
                             const snAllocator* allocator, snStyled* out_styled, snError* error) {
    const snSplines* splines = sn_character_splines(character);
    const snSettings* settings = sn_character_settings(character);
    snAllocator memory = sni_allocator(allocator);
    if (splines == NULL || settings->style_rule_count == 0) {
        for (uint32_t j = 0; j < skeleton->joint_count; j++) out_styled[j] = SN_STYLED_NOT;
        return SN_RESULT_OK;
    }
    snStyleChoice* choices = SNI_NEW_ARRAY(&memory, snStyleChoice, skeleton->joint_count);
    if (choices == NULL) return sni_fail_memory(error);
    snResult result = sn_settings_resolve_styles(settings, skeleton, &memory, choices, error);
    for (uint32_t j = 0; j < skeleton->joint_count && result == SN_RESULT_OK; j++) {
        uint32_t spline = sn_splines_of_joint(splines, j);
        bool limb = spline != SN_NONE && !sn_splines_get(splines, spline).pivot;
        out_styled[j] = choices[j].style == NULL ? SN_STYLED_NOT : limb ? SN_STYLED_SHOWN : SN_STYLED_BARE;
    }
    sni_free(&memory, choices);
    return result;
}
