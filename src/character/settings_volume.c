// The settings of exact volume that name joints: whose volume goes where, and how large it is meant to be.
#include "base/curve.h"
#include "base/error.h"
#include "base/memory.h"
#include "character/settings.h"
#include "sinew/retarget.h"

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
        else if (!(rule->amount >= 0.0f && rule->amount <= 1.0f))
            result = sni_settings_bad(error, "volume rule", i, "amount must be 0 to 1");
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
    snResult result = sni_volume_rules_check(rules, count, error);
    if (result != SN_RESULT_OK) return result;
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

snResult sn_settings_set_volume_targets(snSettings* settings, const snVolumeTarget* targets, uint32_t count,
                                        snError* error) {
    const snAllocator* memory = &settings->allocator;
    snResult result = sni_volume_targets_check(targets, count, error);
    if (result != SN_RESULT_OK) return result;
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

// The names of a skeleton's joints: its own, and those of the body.
typedef struct Joints {
    const snSkeleton* skeleton;
    snJointName* anatomy; // joint_count
} Joints;

static bool is_meant(const Joints* joints, const char* pattern, uint32_t joint) {
    const char* anatomy = joints->anatomy[joint].text;
    return sn_name_matches(pattern, joints->skeleton->names[joint]) ||
           (anatomy[0] != '\0' && sn_name_matches(pattern, anatomy));
}

// A skeleton that is too large to be a body has only its own names.
static snResult name_joints(Joints* joints, const snAllocator* memory) {
    joints->anatomy = SNI_NEW_ARRAY(memory, snJointName, joints->skeleton->joint_count);
    if (joints->anatomy == NULL) return SN_RESULT_OUT_OF_MEMORY;
    snResult result = sn_skeleton_anatomy(joints->skeleton, memory, joints->anatomy);
    return result == SN_RESULT_LIMIT ? SN_RESULT_OK : result;
}

// Adds "OWN (ANATOMY)" of the first joints that have a name, or a name in the body.
static uint32_t list_names(const Joints* joints, bool body, char* out, size_t capacity) {
    size_t length = 0;
    uint32_t listed = 0;
    for (uint32_t i = 0; i < joints->skeleton->joint_count && listed < 6 && length + 64 < capacity; i++) {
        const char* own = joints->skeleton->names[i];
        const char* anatomy = joints->anatomy[i].text;
        if (own[0] == '\0' || (body && anatomy[0] == '\0')) continue;
        bool both = anatomy[0] != '\0' && strcmp(own, anatomy) != 0;
        int wrote = snprintf(out + length, capacity - length, "%s%.24s%s%s%s", listed > 0 ? ", " : "", own,
                             both ? " (" : "", both ? anatomy : "", both ? ")" : "");
        length += wrote > 0 ? (size_t)wrote : 0;
        listed++;
    }
    return listed;
}

static snResult fail_unknown(const Joints* joints, const char* list, const char* pattern, snError* error) {
    char names[256] = "none with a name";
    if (list_names(joints, true, names, sizeof names) == 0) list_names(joints, false, names, sizeof names);
    return sni_fail(error, SN_RESULT_NOT_FOUND, "%s: no joint is called %.60s; there are %s ...", list,
                    pattern, names);
}

static snResult apply_rules(const snSettings* settings, const Joints* joints, snVolumeChoice* out,
                            snError* error) {
    for (uint32_t i = 0; i < settings->volume_rule_count; i++) {
        const snVolumeRule* rule = &settings->volume_rules[i];
        bool found = false;
        for (uint32_t j = 0; j < joints->skeleton->joint_count; j++) {
            if (!is_meant(joints, rule->joint, j)) continue;
            out[j].profile = &rule->profile;
            out[j].amount = rule->amount;
            found = true;
        }
        if (!found) return fail_unknown(joints, "volume.profiles", rule->joint, error);
    }
    return SN_RESULT_OK;
}

static snResult apply_targets(const snSettings* settings, const Joints* joints, snVolumeChoice* out,
                              snError* error) {
    for (uint32_t i = 0; i < settings->volume_target_count; i++) {
        bool found = false;
        for (uint32_t j = 0; j < joints->skeleton->joint_count; j++) {
            if (!is_meant(joints, settings->volume_targets[i].joint, j)) continue;
            out[j].target = i;
            found = true;
        }
        if (!found) return fail_unknown(joints, "volume.targets", settings->volume_targets[i].joint, error);
    }
    return SN_RESULT_OK;
}

snResult sn_settings_resolve_volume(const snSettings* settings, const snSkeleton* skeleton,
                                    const snAllocator* allocator, snVolumeChoice* out_choices,
                                    snError* error) {
    snAllocator memory = sni_allocator(allocator);
    Joints joints = {skeleton, NULL};
    snVolumeChoice* choices = SNI_NEW_ARRAY(&memory, snVolumeChoice, skeleton->joint_count);
    snResult result = choices != NULL ? name_joints(&joints, &memory) : SN_RESULT_OUT_OF_MEMORY;
    if (result != SN_RESULT_OK) sni_fail_memory(error);
    for (uint32_t j = 0; j < skeleton->joint_count && result == SN_RESULT_OK; j++) {
        choices[j] = (snVolumeChoice){.profile = sn_volume_preset(0), .amount = 1.0f, .target = SN_NONE};
    }
    if (result == SN_RESULT_OK) result = apply_rules(settings, &joints, choices, error);
    if (result == SN_RESULT_OK) result = apply_targets(settings, &joints, choices, error);
    if (result == SN_RESULT_OK) memcpy(out_choices, choices, skeleton->joint_count * sizeof *choices);
    sni_free(&memory, joints.anatomy);
    sni_free(&memory, choices);
    return result;
}

float sn_volume_target_at(const snVolumeTarget* target, double time) {
    return sni_curve_at((const float*)target->keys, target->key_count, target->loop, time);
}
