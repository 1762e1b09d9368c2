// Sinew: every choice about how a character deforms, in one place. The same names are used in JSON files, in
// the SINEW_deformation extension of a GLB and behind --set on the command line.
#ifndef SINEW_SETTINGS_H
#define SINEW_SETTINGS_H

#include "sinew/flesh.h"
#include "sinew/style.h"
#include "sinew/volume.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a list may hold at most: layers, rules, keys, colliders; styles, which are larger; and the vertices of
// one rule.
#define SN_SETTINGS_MAX_ITEMS 4096u
#define SN_SETTINGS_MAX_STYLES 64u
#define SN_SETTINGS_MAX_VERTICES (1u << 20)

typedef enum snSkinMethod {
    SN_SKIN_AUTO =
        0, // spline with style rules, dual when the model is bound or says so, else linear, as viewers do it
    SN_SKIN_LINEAR,
    SN_SKIN_DUAL,    // smooth at any resolution of the lattice
    SN_SKIN_LATTICE, // the surface is embedded in the lattice: the fastest, and as coarse as its cells
    SN_SKIN_SPLINE   // joints bend along curves, and may have styles (sinew/spline.h)
} snSkinMethod;

typedef enum snVolumeMethod {
    SN_VOLUME_NONE = 0,
    SN_VOLUME_PARTS,      // lost volume of joint parts is given back, root to leaves
    SN_VOLUME_EXACT,      // of the surface, exactly, where profiles say (sinew/volume.h)
    SN_VOLUME_PARTS_EXACT // one after the other
} snVolumeMethod;

// How soft flesh is this far from the bone; between two layers it changes linearly.
typedef struct snFleshLayer {
    float distance; // of the body's scale: the side of a cube with the volume of its cells
    float softness; // 0 .. 1
} snFleshLayer;

// Makes some of the flesh softer, stiffer, heavier. Conditions that are set must all hold; what several rules
// say of one particle multiplies.
typedef struct snFleshRule {
    char* bone;         // the joint that moves it most, as in snVolumeRule; NULL: any
    char* part;         // name of a mesh part, * and ? allowed; NULL: any
    uint32_t* vertices; // of `part`: the cells around these; NULL: all
    uint32_t vertex_count;
    float* amounts; // vertex_count, 0 .. 1: how much it holds at each of `vertices`; NULL: 1
    snVec3 center;  // bind pose, world
    float radius;   // metres; within this ball, fading out over its outer half; 0: anywhere
    char color;     // 'r', 'g', 'b', 'a': times this channel of the vertex colors around; 0: no
    float softness; // factors; 1 changes nothing: start from sn_flesh_rule_def
    float alpha;
    float damping;
    float force;
    uint32_t width; // of the regions, in cells; 0: as it is
    bool bends;     // shells that one joint moves, which follow flesh as one body, bend like the rest
} snFleshRule;

// A rule that holds everywhere and changes nothing: every factor 1.
SN_API snFleshRule sn_flesh_rule_def(void);

// Softness over time.
typedef struct snProfileKey {
    float time;  // seconds, rising
    float delta; // factor of all deltas, 0 .. 1
} snProfileKey;

// A capsule (or sphere: from = to) that flesh does not enter.
typedef struct snColliderDef {
    char* joint;     // any joint of the skeleton (sn_joint_names_find); "": the world
    snVec3 from, to; // metres, in the joint's own space
    float radius;
} snColliderDef;

// A hand that holds flesh off its place for some time.
typedef struct snPush {
    char* joint;    // whose flesh it holds: any joint of the skeleton (sn_joint_names_find); "": any
    snVec3 place;   // bind pose, metres: the middle of what it holds; from the joint where one is named
    float radius;   // metres, fading out over the outer half; 0: three cells, or all flesh of the joint
    snVec3 move;    // metres, world: how far, from where the pose has the flesh
    float from, to; // seconds: from <= time < to
} snPush;

// Where exact volume goes around some joints. Of several rules that name a joint the last one counts.
typedef struct snVolumeRule {
    char* joint; // its name or what it is in a body, * and ? allowed (sn_joint_names_mark)
    snVolumeProfile profile;
    float amount; // 0 .. SN_VOLUME_MOST_AMOUNT
} snVolumeRule;

// How large the volume that the bones of some joints carry is meant to be, over time: breathing.
typedef struct snVolumeKey {
    float time;   // seconds, rising
    float factor; // 0.1 .. 10
} snVolumeKey;
typedef struct snVolumeTarget {
    char* joint;        // as in a rule
    bool loop;          // the last key is the first again, and has the same factor
    uint32_t key_count; // 1 or more
    snVolumeKey* keys;  // smooth between them, constant outside
} snVolumeTarget;

// How sharply some joints bend. Of several rules that name a joint the last one counts.
typedef struct snSplineRule {
    char* joint;     // its name or what it is in a body, * and ? allowed (sn_joint_names_mark)
    float stiffness; // SN_SPLINE_STIFFNESS_MIN .. MAX
} snSplineRule;

// Which style some joints have. Of several rules that name a joint the last one counts.
typedef struct snStyleRule {
    char* joint;    // as above
    char* style;    // name of one of the settings' styles; "": none
    float strength; // 0 .. 4, times the style's own
} snStyleRule;

typedef struct snSettings {
    snSkinMethod skin;
    uint32_t smoothing; // of the weights of the lattice skin
    snVolumeMethod volume;
    uint32_t volume_sweeps;
    bool smooth_cells; // what the lattice does is smooth across cells; else trilinear, as GPUs draw it
    bool volume_both_ways;
    bool volume_of_flesh;      // once more after the flesh has moved
    bool volume_loss_only;     // exact: volume that was gained stays
    bool volume_one_step;      // exact: approximate, faster
    bool volume_rest_profiles; // exact: profiles as in the bind pose
    float volume_support;      // exact: profiles end where they fall below this; 0: never
    float spline_stiffness;    // of joints that no rule names; SN_SPLINE_STIFFNESS_MIN .. MAX
    uint32_t spline_samples;   // matrices along each spline, 2 .. SN_SPLINE_SAMPLES_MAX
    bool style_all;            // the styles of all splines of a vertex, by weight; else of the heaviest

    uint32_t refine;    // how often faces are split where profiles are large; 0: not
    float refine_above; // of the largest: what large means

    bool flesh;
    snFleshRest rest;
    float delta;          // 0 .. 1
    float alpha;          // 0 .. 1
    float damping;        // 1/s
    float region_damping; // 0 .. 1
    uint32_t width;       // cells
    float bone_radius;    // of the limb's own radius: what is nearer to the bone is bone
    bool anatomy;         // skulls, rib cages, hands and feet are stiffer where the skeleton shows them
    float limit;          // of the body's scale: the longest move
    float step;           // seconds
    uint32_t max_steps;   // more of them in one frame is a jump in time
    snVec3 gravity;       // m/s^2
    snVec3 wind;          // m/s
    float drag;           // 1/s
    float gust;           // 0 .. 1: how much the wind comes and goes
    bool ground;
    float ground_height; // metres
    float friction;      // 0 .. 1
    bool self_contact;   // limbs push the flesh of others through the bones' capsules
    bool skin_contact;   // the two sides of a bend meet, see snContact

    uint32_t layer_count;
    snFleshLayer* layers;
    uint32_t rule_count;
    snFleshRule* rules;
    uint32_t profile_count;
    uint32_t collider_count;
    snProfileKey* profile; // clamped at both ends; none: 1
    snColliderDef* colliders;
    uint32_t volume_rule_count;
    uint32_t volume_target_count;
    snVolumeRule* volume_rules;
    snVolumeTarget* volume_targets;
    uint32_t spline_rule_count;
    uint32_t style_count;
    snSplineRule* spline_rules;
    snStyle** styles; // each name once
    uint32_t style_rule_count;
    uint32_t push_count;
    snStyleRule* style_rules; // with spline skin only
    snPush* pushes;
    snAllocator allocator;
} snSettings;

// The defaults.
SN_API snResult sn_settings_create(const snAllocator* allocator, snSettings** out, snError* error);
SN_API void sn_settings_destroy(snSettings* settings);
SN_API snResult sn_settings_copy(const snSettings* settings, const snAllocator* allocator, snSettings** out,
                                 snError* error);
// Ranges, lengths of lists, rising distances and times, names present. `error` names the setting.
SN_API snResult sn_settings_validate(const snSettings* settings, snError* error);

// Is the volume of the surface kept exactly?
SN_API bool sn_settings_exact_volume(const snSettings* settings);
// Does a style shape joints of the spline skin?
SN_API bool sn_settings_have_styles(const snSettings* settings);

// Gives the model settings of its own, and destroys those it had.
SN_API void sn_model_set_settings(snModel* model, snSettings* settings);

// Lists are replaced as a whole; items are copied. On failure nothing changes.
SN_API snResult sn_settings_set_layers(snSettings* settings, const snFleshLayer* layers, uint32_t count,
                                       snError* error);
SN_API snResult sn_settings_set_rules(snSettings* settings, const snFleshRule* rules, uint32_t count,
                                      snError* error);
SN_API snResult sn_settings_set_profile(snSettings* settings, const snProfileKey* keys, uint32_t count,
                                        snError* error);
SN_API snResult sn_settings_set_colliders(snSettings* settings, const snColliderDef* colliders,
                                          uint32_t count, snError* error);

SN_API snResult sn_settings_set_pushes(snSettings* settings, const snPush* pushes, uint32_t count,
                                       snError* error);
// One more, behind those that are there.
SN_API snResult sn_settings_add_push(snSettings* settings, const snPush* push, snError* error);

SN_API snResult sn_settings_set_volume_rules(snSettings* settings, const snVolumeRule* rules, uint32_t count,
                                             snError* error);
// Behind those that are there, so that these have the last word.
SN_API snResult sn_settings_add_volume_rules(snSettings* settings, const snVolumeRule* rules, uint32_t count,
                                             snError* error);
SN_API snResult sn_settings_set_volume_targets(snSettings* settings, const snVolumeTarget* targets,
                                               uint32_t count, snError* error);

SN_API snResult sn_settings_set_spline_rules(snSettings* settings, const snSplineRule* rules, uint32_t count,
                                             snError* error);
SN_API snResult sn_settings_add_spline_rules(snSettings* settings, const snSplineRule* rules, uint32_t count,
                                             snError* error);
// Rules may name only styles that are there: set the styles first. Styles that rules still name stay needed.
SN_API snResult sn_settings_set_styles(snSettings* settings, const snStyle* const* styles, uint32_t count,
                                       snError* error);
SN_API snResult sn_settings_set_style_rules(snSettings* settings, const snStyleRule* rules, uint32_t count,
                                            snError* error);

// What the rules of splines and styles say of one joint.
typedef struct snStyleChoice {
    float stiffness;      // of the last spline rule that names it; else spline_stiffness
    const snStyle* style; // of the last style rule that names it, owned by the settings; else NULL
    float strength;       // of that rule
} snStyleChoice;
// Finds out for every joint of the skeleton (joint_count choices). A rule that names none of them is
// SN_RESULT_NOT_FOUND; `error` says which, and some joints that there are.
SN_API snResult sn_settings_resolve_styles(const snSettings* settings, const snSkeleton* skeleton,
                                           const snAllocator* allocator, snStyleChoice* out_choices,
                                           snError* error);

// What the rules and targets of exact volume say of one joint.
typedef struct snVolumeChoice {
    const snVolumeProfile* profile; // of the last rule that names it, owned by the settings; else isotropic
    float amount;                   // of that rule; else 1
    uint32_t target;                // the last of volume_targets that names it; SN_NONE: its volume at rest
} snVolumeChoice;
// Finds out for every joint of the skeleton (joint_count choices). A rule or target that names none of them
// is SN_RESULT_NOT_FOUND; `error` says which, and some joints that there are.
SN_API snResult sn_settings_resolve_volume(const snSettings* settings, const snSkeleton* skeleton,
                                           const snAllocator* allocator, snVolumeChoice* out_choices,
                                           snError* error);
// The factor at a time in seconds; the target must have passed sn_settings_set_volume_targets.
SN_API float sn_volume_target_at(const snVolumeTarget* target, double time);

// Describes the settings that are single values, for whoever reads, writes or documents them.
typedef enum snSettingType {
    SN_SETTING_BOOL,
    SN_SETTING_COUNT, // uint32_t
    SN_SETTING_FLOAT,
    SN_SETTING_VEC3,
    SN_SETTING_CHOICE // an enum, by name
} snSettingType;
typedef struct snSetting {
    const char* key;   // "skin", "flesh.delta": group and name
    const char* label; // what panels call it within its group: "Swing"
    const char* unit;  // "m/s", or ""
    snSettingType type;
    size_t offset; // in snSettings
    float min, max;
    float usual_min, usual_max; // within these: what a slider reaches; a number that is typed may go beyond
    const char* const* names;   // of a choice, ended by NULL
    const char* help;           // one sentence, with the unit
} snSetting;
SN_API const snSetting* sn_setting_table(uint32_t* out_count);
SN_API const snSetting* sn_setting_find(const char* key); // or NULL

#ifdef __cplusplus
}
#endif

#endif
