// The settings of splines and styles: styles themselves, and rules that name joints.
#include "base/error.h"
#include "base/memory.h"
#include "settings/settings.h"
#include "sinew/spline.h"

#define MAX_STRENGTH 4.0f

// -------------------------------------------------------------------------------------------------- checks

static const snStyle* find_style(const snStyle* const* styles, uint32_t count, const char* name) {
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(styles[i]->name, name) == 0) return styles[i];
    }
    return NULL;
}

snResult sni_spline_rules_check(const snSplineRule* rules, uint32_t count, snError* error) {
    snResult result = sni_settings_check_length("spline rules", count, error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        float stiffness = rules[i].stiffness;
        if (rules[i].joint == NULL)
            result = sni_settings_bad(error, "spline rule", i, "it needs the name of a joint");
        else if (!(stiffness >= SN_SPLINE_STIFFNESS_MIN && stiffness <= SN_SPLINE_STIFFNESS_MAX))
            result = sni_settings_bad(error, "spline rule", i, "stiffness must be 2 to 32");
    }
    return result;
}

snResult sni_styles_check(const snStyle* const* styles, uint32_t count, snError* error) {
    snResult result = SN_RESULT_OK;
    if (count > SN_SETTINGS_MAX_STYLES) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "there are %u styles, more than %u", (unsigned)count,
                        SN_SETTINGS_MAX_STYLES);
    }
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        snError detail = sn_error_none();
        if (styles[i] == NULL)
            result = sni_settings_bad(error, "style", i, "it is not there");
        else if (sn_style_validate(styles[i], &detail) != SN_RESULT_OK)
            result = sni_settings_bad(error, "style", i, detail.text);
        else if (find_style(styles, i, styles[i]->name) != NULL)
            result = sni_settings_bad(error, "style", i, "another one has the same name");
    }
    return result;
}

static const char* rule_fault(const snStyleRule* rule) {
    if (rule->joint == NULL) return "it needs the name of a joint";
    if (rule->style == NULL) return "it needs the name of a style, or an empty one";
    if (!(rule->strength >= 0.0f && rule->strength <= MAX_STRENGTH)) return "strength must be 0 to 4";
    return NULL;
}

snResult sni_style_rules_check(const snStyleRule* rules, uint32_t count, const snStyle* const* styles,
                               uint32_t style_count, snError* error) {
    snResult result = sni_settings_check_length("style rules", count, error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        const char* reason = rule_fault(&rules[i]);
        char missing[96];
        if (reason == NULL && rules[i].style[0] != '\0' &&
            find_style(styles, style_count, rules[i].style) == NULL) {
            snprintf(missing, sizeof missing, "there is no style %.60s", rules[i].style);
            reason = missing;
        }
        if (reason != NULL) result = sni_settings_bad(error, "style rule", i, reason);
    }
    return result;
}

// --------------------------------------------------------------------------------------------------- lists

void sni_spline_rules_free(const snAllocator* memory, snSplineRule* rules, uint32_t count) {
    for (uint32_t i = 0; i < count && rules != NULL; i++) sni_free(memory, rules[i].joint);
    sni_free(memory, rules);
}

void sni_styles_free(const snAllocator* memory, snStyle** styles, uint32_t count) {
    for (uint32_t i = 0; i < count && styles != NULL; i++) sn_style_destroy(styles[i]);
    sni_free(memory, styles);
}

void sni_style_rules_free(const snAllocator* memory, snStyleRule* rules, uint32_t count) {
    for (uint32_t i = 0; i < count && rules != NULL; i++) {
        sni_free(memory, rules[i].joint);
        sni_free(memory, rules[i].style);
    }
    sni_free(memory, rules);
}

snResult sn_settings_set_spline_rules(snSettings* settings, const snSplineRule* rules, uint32_t count,
                                      snError* error) {
    const snAllocator* memory = &settings->allocator;
    SNI_TRY(sni_spline_rules_check(rules, count, error));
    snSplineRule* copy = SNI_NEW_ARRAY(memory, snSplineRule, count);
    bool enough = copy != NULL;
    for (uint32_t i = 0; i < count && enough; i++) {
        copy[i].stiffness = rules[i].stiffness;
        enough = sni_settings_copy_name(memory, rules[i].joint, &copy[i].joint);
    }
    if (!enough) {
        sni_spline_rules_free(memory, copy, count);
        return sni_fail_memory(error);
    }
    sni_spline_rules_free(memory, settings->spline_rules, settings->spline_rule_count);
    settings->spline_rules = copy;
    settings->spline_rule_count = count;
    return SN_RESULT_OK;
}

snResult sn_settings_add_spline_rules(snSettings* settings, const snSplineRule* rules, uint32_t count,
                                      snError* error) {
    uint32_t old = settings->spline_rule_count;
    snSplineRule* all = SNI_NEW_ARRAY(&settings->allocator, snSplineRule, (size_t)old + count);
    if (all == NULL) return sni_fail_memory(error);
    if (old > 0) memcpy(all, settings->spline_rules, old * sizeof *all);
    if (count > 0) memcpy(all + old, rules, count * sizeof *all);
    snResult result = sn_settings_set_spline_rules(settings, all, old + count, error);
    sni_free(&settings->allocator, all);
    return result;
}

snResult sn_settings_set_styles(snSettings* settings, const snStyle* const* styles, uint32_t count,
                                snError* error) {
    const snAllocator* memory = &settings->allocator;
    snResult result = sni_styles_check(styles, count, error);
    if (result == SN_RESULT_OK) {
        result =
            sni_style_rules_check(settings->style_rules, settings->style_rule_count, styles, count, error);
    }
    if (result != SN_RESULT_OK) return result;
    snStyle** copy = SNI_NEW_ARRAY(memory, snStyle*, count);
    if (copy == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        result = sn_style_copy(styles[i], memory, &copy[i], error);
    }
    if (result != SN_RESULT_OK) {
        sni_styles_free(memory, copy, count);
        return result;
    }
    sni_styles_free(memory, settings->styles, settings->style_count);
    settings->styles = copy;
    settings->style_count = count;
    return SN_RESULT_OK;
}

snResult sn_settings_set_style_rules(snSettings* settings, const snStyleRule* rules, uint32_t count,
                                     snError* error) {
    const snAllocator* memory = &settings->allocator;
    SNI_TRY(sni_style_rules_check(rules, count, (const snStyle* const*)settings->styles,
                                  settings->style_count, error));
    snStyleRule* copy = SNI_NEW_ARRAY(memory, snStyleRule, count);
    bool enough = copy != NULL;
    for (uint32_t i = 0; i < count && enough; i++) {
        copy[i].strength = rules[i].strength;
        enough = sni_settings_copy_name(memory, rules[i].joint, &copy[i].joint) &&
                 sni_settings_copy_name(memory, rules[i].style, &copy[i].style);
    }
    if (!enough) {
        sni_style_rules_free(memory, copy, count);
        return sni_fail_memory(error);
    }
    sni_style_rules_free(memory, settings->style_rules, settings->style_rule_count);
    settings->style_rules = copy;
    settings->style_rule_count = count;
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- joints

static snResult apply_spline_rules(const snSettings* settings, sniJoints* joints, snStyleChoice* out,
                                   snError* error) {
    for (uint32_t i = 0; i < settings->spline_rule_count; i++) {
        const snSplineRule* rule = &settings->spline_rules[i];
        SNI_TRY(sni_joints_choose(joints, "splines", rule->joint, error));
        for (uint32_t j = 0; j < joints->names->skeleton->joint_count; j++) {
            if (!joints->marks[j]) continue;
            out[j].stiffness = rule->stiffness;
        }
    }
    return SN_RESULT_OK;
}

static snResult apply_style_rules(const snSettings* settings, sniJoints* joints, snStyleChoice* out,
                                  snError* error) {
    for (uint32_t i = 0; i < settings->style_rule_count; i++) {
        const snStyleRule* rule = &settings->style_rules[i];
        const snStyle* style =
            find_style((const snStyle* const*)settings->styles, settings->style_count, rule->style);
        SNI_TRY(sni_joints_choose(joints, "style_rules", rule->joint, error));
        for (uint32_t j = 0; j < joints->names->skeleton->joint_count; j++) {
            if (!joints->marks[j]) continue;
            out[j].style = style;
            out[j].strength = rule->strength;
        }
    }
    return SN_RESULT_OK;
}

snResult sn_settings_resolve_styles(const snSettings* settings, const snSkeleton* skeleton,
                                    const snAllocator* allocator, snStyleChoice* out_choices,
                                    snError* error) {
    snAllocator memory = sni_allocator(allocator);
    sniJoints joints = {0};
    snStyleChoice* choices = SNI_NEW_ARRAY(&memory, snStyleChoice, skeleton->joint_count);
    snResult result =
        choices != NULL ? sni_joints_open(&joints, skeleton, &memory, error) : sni_fail_memory(error);
    for (uint32_t j = 0; j < skeleton->joint_count && result == SN_RESULT_OK; j++) {
        choices[j] = (snStyleChoice){.stiffness = settings->spline_stiffness, .strength = 1.0f};
    }
    if (result == SN_RESULT_OK) result = apply_spline_rules(settings, &joints, choices, error);
    if (result == SN_RESULT_OK) result = apply_style_rules(settings, &joints, choices, error);
    if (result == SN_RESULT_OK) memcpy(out_choices, choices, skeleton->joint_count * sizeof *choices);
    sni_joints_close(&joints);
    sni_free(&memory, choices);
    return result;
}
