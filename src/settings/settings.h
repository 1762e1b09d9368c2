// Settings inside: the lists of exact volume and of styles, which have files of their own.
#ifndef SNI_SETTINGS_H
#define SNI_SETTINGS_H

#include "sinew/retarget.h"
#include "sinew/settings.h"

// "LIST 3: reason", counted from 1.
snResult sni_settings_bad(snError* error, const char* list, uint32_t index, const char* reason);
snResult sni_settings_check_length(const char* list, uint32_t count, snError* error);
// A copy of a text that may be NULL; false when out of memory.
bool sni_settings_copy_name(const snAllocator* memory, const char* name, char** out);

snResult sni_volume_rules_check(const snVolumeRule* rules, uint32_t count, snError* error);
snResult sni_volume_targets_check(const snVolumeTarget* targets, uint32_t count, snError* error);
snResult sni_pushes_check(const snPush* pushes, uint32_t count, snError* error);
void sni_pushes_free(const snAllocator* memory, snPush* pushes, uint32_t count);
void sni_volume_rules_free(const snAllocator* memory, snVolumeRule* rules, uint32_t count);
void sni_volume_targets_free(const snAllocator* memory, snVolumeTarget* targets, uint32_t count);

// Rules may name styles of `styles` only.
snResult sni_spline_rules_check(const snSplineRule* rules, uint32_t count, snError* error);
snResult sni_styles_check(const snStyle* const* styles, uint32_t count, snError* error);
snResult sni_style_rules_check(const snStyleRule* rules, uint32_t count, const snStyle* const* styles,
                               uint32_t style_count, snError* error);
void sni_spline_rules_free(const snAllocator* memory, snSplineRule* rules, uint32_t count);
void sni_styles_free(const snAllocator* memory, snStyle** styles, uint32_t count);
void sni_style_rules_free(const snAllocator* memory, snStyleRule* rules, uint32_t count);

// Whether lists hold the same, bit for bit.
bool sni_same_layers(const snSettings* a, const snSettings* b);
bool sni_same_rules(const snSettings* a, const snSettings* b);
bool sni_same_profile(const snSettings* a, const snSettings* b);
bool sni_same_colliders(const snSettings* a, const snSettings* b);
bool sni_same_pushes(const snSettings* a, const snSettings* b);
bool sni_same_volume_rules(const snSettings* a, const snSettings* b);
bool sni_same_volume_targets(const snSettings* a, const snSettings* b);
bool sni_same_spline_rules(const snSettings* a, const snSettings* b);
bool sni_same_styles(const snSettings* a, const snSettings* b);
bool sni_same_style_rules(const snSettings* a, const snSettings* b);
// The same of a setting of sn_setting_table.
bool sni_same_setting(const snSettings* a, const snSettings* b, const snSetting* setting);

// The joints of a skeleton, as rules choose them.
typedef struct sniJoints {
    snJointNames* names;
    uint8_t* marks; // joint_count; of those that were chosen last
} sniJoints;
// To be closed, also after a failure.
snResult sni_joints_open(sniJoints* joints, const snSkeleton* skeleton, const snAllocator* memory,
                         snError* error);
void sni_joints_close(sniJoints* joints);
// Marks those that a rule of a list means. SN_RESULT_NOT_FOUND: "LIST: no joint is called PATTERN", and some
// that there are.
snResult sni_joints_choose(sniJoints* joints, const char* list, const char* pattern, snError* error);

#endif
