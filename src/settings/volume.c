// The settings of exact volume that name joints: whose volume goes where, and how large it is meant to be.
#include "base/curve.h"
#include "base/error.h"
#include "base/memory.h"
#include "settings/settings.h"

#define MIN_FACTOR 0.1f
#define MAX_FACTOR 10.0f

// -------------------------------------------------------------------------------------------------- checks

snResult sni_volume_rules_check(const snVolumeRule* rules, uint32_t count, snError* error) {
    snResult result = sni_settings_check_length("volume rules", count, error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        const snVolumeRule* rule = &rules[i];
        snError detail = sn_error_none();
        if (rule->joint == NULL)
            result = sni_settings_bad(error, "volume rule", i, "it needs the name of a joint");
        else if (!(rule->amount >= 0.0f && rule->amount <= SN_VOLUME_MOST_AMOUNT))
            result = sni_settings_bad(error, "volume rule", i, "amount must be 0 to 4");
        else if (sn_volume_profile_validate(&rule->profile, &detail) != SN_RESULT_OK)
            result = sni_settings_bad(error, "volume rule", i, detail.text);
    }
    return result;
}

static const char* key_fault(const snVolumeTarget* target) {
    for (uint32_t k = 0; k < target->key_count; k++) {
        const snVolumeKey* key = &target->keys[k];
        if (!(key->factor >= MIN_FACTOR && key->factor <= MAX_FACTOR)) return "factors must be 0.1 to 10";
        if (!sn_finite(key->time) || (k > 0 && !(key->time > key[-1].time))) return "times must rise";
    }
    const snVolumeKey* last = &target->keys[target->key_count - 1];
    if (target->loop && target->keys[0].factor != last->factor) return "a loop must end as it begins";
    return NULL;
}

static const char* target_fault(const snVolumeTarget* target) {
    if (target->joint == NULL) return "it needs the name of a joint";
    if (target->key_count == 0 || target->keys == NULL) return "it needs keys";
    if (target->key_count > SN_SETTINGS_MAX_ITEMS) return "it has too many keys";
    if (target->loop && target->key_count < 2) return "a loop needs two keys or more";
    return key_fault(target);
}

snResult sni_volume_targets_check(const snVolumeTarget* targets, uint32_t count, snError* error) {
    snResult result = sni_settings_check_length("volume targets", count, error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        const char* reason = target_fault(&targets[i]);
        if (reason != NULL) result = sni_settings_bad(error, "volume target", i, reason);
    }
    return result;
}

// --------------------------------------------------------------------------------------------------- lists

void sni_volume_rules_free(const snAllocator* memory, snVolumeRule* rules, uint32_t count) {
    for (uint32_t i = 0; i < count && rules != NULL; i++) sni_free(memory, rules[i].joint);
    sni_free(memory, rules);
}

void sni_volume_targets_free(const snAllocator* memory, snVolumeTarget* targets, uint32_t count) {
    for (uint32_t i = 0; i < count && targets != NULL; i++) {
        sni_free(memory, targets[i].joint);
        sni_free(memory, targets[i].keys);
    }
    sni_free(memory, targets);
}

snResult sn_settings_set_volume_rules(snSettings* settings, const snVolumeRule* rules, uint32_t count,
                                      snError* error) {
    const snAllocator* memory = &settings->allocator;
    SNI_TRY(sni_volume_rules_check(rules, count, error));
    snVolumeRule* copy = SNI_NEW_ARRAY(memory, snVolumeRule, count);
    bool enough = copy != NULL;
    for (uint32_t i = 0; i < count && enough; i++) {
        copy[i] = rules[i];
        enough = sni_settings_copy_name(memory, rules[i].joint, &copy[i].joint);
    }
    if (!enough) {
        sni_volume_rules_free(memory, copy, count);
        return sni_fail_memory(error);
    }
    sni_volume_rules_free(memory, settings->volume_rules, settings->volume_rule_count);
    settings->volume_rules = copy;
    settings->volume_rule_count = count;
    return SN_RESULT_OK;
}

static bool copy_target(const snAllocator* memory, const snVolumeTarget* target, snVolumeTarget* out) {
    *out = *target;
    out->keys = sni_copy_array(memory, target->keys, target->key_count, sizeof *target->keys);
    return sni_settings_copy_name(memory, target->joint, &out->joint) && out->keys != NULL;
}

snResult sn_settings_add_volume_rules(snSettings* settings, const snVolumeRule* rules, uint32_t count,
                                      snError* error) {
    uint32_t old = settings->volume_rule_count;
    snVolumeRule* all = SNI_NEW_ARRAY(&settings->allocator, snVolumeRule, (size_t)old + count);
    if (all == NULL) return sni_fail_memory(error);
    if (old > 0) memcpy(all, settings->volume_rules, old * sizeof *all);
    if (count > 0) memcpy(all + old, rules, count * sizeof *all);
    snResult result = sn_settings_set_volume_rules(settings, all, old + count, error);
    sni_free(&settings->allocator, all);
    return result;
}

snResult sn_settings_set_volume_targets(snSettings* settings, const snVolumeTarget* targets, uint32_t count,
                                        snError* error) {
    const snAllocator* memory = &settings->allocator;
    SNI_TRY(sni_volume_targets_check(targets, count, error));
    snVolumeTarget* copy = SNI_NEW_ARRAY(memory, snVolumeTarget, count);
    bool enough = copy != NULL;
    for (uint32_t i = 0; i < count && enough; i++) enough = copy_target(memory, &targets[i], &copy[i]);
    if (!enough) {
        sni_volume_targets_free(memory, copy, count);
        return sni_fail_memory(error);
    }
    sni_volume_targets_free(memory, settings->volume_targets, settings->volume_target_count);
    settings->volume_targets = copy;
    settings->volume_target_count = count;
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- joints

static snResult apply_rules(const snSettings* settings, sniJoints* joints, snVolumeChoice* out,
                            snError* error) {
    for (uint32_t i = 0; i < settings->volume_rule_count; i++) {
        const snVolumeRule* rule = &settings->volume_rules[i];
        SNI_TRY(sni_joints_choose(joints, "volume.profiles", rule->joint, error));
        for (uint32_t j = 0; j < joints->names->skeleton->joint_count; j++) {
            if (!joints->marks[j]) continue;
            out[j].profile = &rule->profile;
            out[j].amount = rule->amount;
        }
    }
    return SN_RESULT_OK;
}

static snResult apply_targets(const snSettings* settings, sniJoints* joints, snVolumeChoice* out,
                              snError* error) {
    for (uint32_t i = 0; i < settings->volume_target_count; i++) {
        SNI_TRY(sni_joints_choose(joints, "volume.targets", settings->volume_targets[i].joint, error));
        for (uint32_t j = 0; j < joints->names->skeleton->joint_count; j++) {
            if (!joints->marks[j]) continue;
            out[j].target = i;
        }
    }
    return SN_RESULT_OK;
}

snResult sn_settings_resolve_volume(const snSettings* settings, const snSkeleton* skeleton,
                                    const snAllocator* allocator, snVolumeChoice* out_choices,
                                    snError* error) {
    snAllocator memory = sni_allocator(allocator);
    sniJoints joints = {0};
    snVolumeChoice* choices = SNI_NEW_ARRAY(&memory, snVolumeChoice, skeleton->joint_count);
    snResult result =
        choices != NULL ? sni_joints_open(&joints, skeleton, &memory, error) : sni_fail_memory(error);
    for (uint32_t j = 0; j < skeleton->joint_count && result == SN_RESULT_OK; j++) {
        choices[j] = (snVolumeChoice){.profile = sn_volume_preset(0), .amount = 1.0f, .target = SN_NONE};
    }
    if (result == SN_RESULT_OK) result = apply_rules(settings, &joints, choices, error);
    if (result == SN_RESULT_OK) result = apply_targets(settings, &joints, choices, error);
    if (result == SN_RESULT_OK) memcpy(out_choices, choices, skeleton->joint_count * sizeof *choices);
    sni_joints_close(&joints);
    sni_free(&memory, choices);
    return result;
}

float sn_volume_target_at(const snVolumeTarget* target, double time) {
    return sni_curve_at((const float*)target->keys, target->key_count, target->loop, time);
}
