// Settings as JSON, the same in files of their own and in SINEW_deformation.
//
// Single values are described by sn_setting_table(); the lists are described here in the same way, so that
// one reader, one writer and one reference serve all of them.
#ifndef SNI_IO_SETTINGS_JSON_H
#define SNI_IO_SETTINGS_JSON_H

#include "base/error.h"
#include "json.h"
#include "sinew/settings.h"

// What the tree of a settings file may take at most, in bytes.
#define SNI_SETTINGS_MAX_MEMORY ((size_t)256 << 20)
// Longest key with its group, terminator included; what is longer is no setting.
#define SNI_KEY_MAX 64

// ------------------------------------------------------------------------------------ settings_values.c

// A tree that is being read, and the first fault in it.
typedef struct sniReading {
    const snAllocator* memory;
    sniJson where; // of the fault
    snResult result;
    snError* error; // or NULL
} sniReading;

// Remembers the first fault: "POINTER sentence".
void sni_fault(sniReading* reading, const sniJson* where, const char* format, ...) SNI_PRINTF(3, 4);
void sni_fault_memory(sniReading* reading);
// "POINTER is FOUND, expected EXPECTED".
void sni_fault_kind(sniReading* reading, const sniJson* where, const char* expected);
// Whether it is an object with no other keys than these (NULL behind the last); else a fault, which names the
// key that was meant where one is alike.
bool sni_expect_object(sniReading* reading, const sniJson* json, const char* const* known);

// False when the value is of another kind or out of range.
bool sni_get_float(const sniJson* json, float min, float max, float* out);
bool sni_get_vec3(const sniJson* json, float min, float max, float out[3]);
bool sni_get_count(const sniJson* json, float min, float max, uint32_t* out);
bool sni_get_choice(const sniJson* json, const char* const* names, uint32_t* out);
bool sni_get_bool(const sniJson* json, bool* out);
bool sni_get_name(const sniJson* json, const char** out); // borrowed; without zero bytes
bool sni_get_hash(const sniJson* json, uint64_t* out);    // text of 16 hexadecimal digits

// ------------------------------------------------------------------------------------- settings_lists.c

typedef enum sniFieldType {
    SNI_FIELD_NAME,    // char*; NULL: not said
    SNI_FIELD_LABEL,   // char[SNI_LABEL_MAX]
    SNI_FIELD_CHANNEL, // char: one of "rgba"; 0: not said
    SNI_FIELD_BOOL,
    SNI_FIELD_FLOAT,
    SNI_FIELD_SIDE, // float: -1, 0 or 1
    SNI_FIELD_VEC3,
    SNI_FIELD_COUNT,       // uint32_t
    SNI_FIELD_VERTICES,    // vertices and vertex_count of a flesh rule
    SNI_FIELD_AMOUNTS,     // amounts of these
    SNI_FIELD_CURVE,       // snVolumeCurve
    SNI_FIELD_CURVE_KEYS,  // keys and key_count of one
    SNI_FIELD_PROFILE,     // snVolumeProfile: the name of a preset, or all of it
    SNI_FIELD_TARGET_KEYS, // keys and key_count of a volume target
    SNI_FIELD_DEGREES,     // float: radians; the range is in degrees
    SNI_FIELD_SIDES,       // uint32_t: snStyleSides, by name
    SNI_FIELD_TEXTURES,    // textures of sniStyleFields
    SNI_FIELD_CURVES,      // curves of them
    SNI_FIELD_STYLE_KEYS,  // sniStyleKeys
    SNI_FIELD_VERSION      // 1, and no place in the item; only files say it
} sniFieldType;
#define SNI_LABEL_MAX 64

// One value of an item of a list.
typedef struct sniField {
    const char* key;
    size_t offset; // in the item
    sniFieldType type;
    float min, max; // -FLT_MAX, FLT_MAX: no bound but finite; FLT_TRUE_MIN: above 0
    bool needed;    // else it may be left out, and means what the neutral item says
    const char* help;
} sniField;

// A struct whose members are fields.
typedef struct sniObject {
    size_t size;
    const void* neutral; // one that changes nothing
    uint32_t field_count;
    const sniField* fields;
} sniObject;
extern const sniObject sni_curve_object;   // snVolumeCurve
extern const sniObject sni_profile_object; // snVolumeProfile

// What the object of a style says; texts are borrowed.
typedef struct sniStyleKeys {
    uint32_t count;
    snVec2 keys[SN_STYLE_MAX_KEYS];
} sniStyleKeys;
typedef struct sniStyleFields {
    const char *name, *description;
    float bend_angle, twist_angle; // radians
    float strength, hollow, fade;
    uint32_t sides;
    const char* textures[SN_STYLE_DIRECTIONS]; // what stands for them; NULL: none
    sniStyleKeys curves[SN_STYLE_DIRECTIONS];
} sniStyleFields;
extern const sniObject sni_style_object;          // sniStyleFields
extern const sniObject sni_style_textures_object; // their textures
extern const sniObject sni_style_curves_object;   // their curves

// Replaces a list of the settings by copies of these items.
typedef snResult sniSetListFn(snSettings* settings, const void* items, uint32_t count, snError* error);

// Items that are more than the fields of a struct.
typedef struct sniItemKind {
    size_t size;
    void (*read)(sniReading* reading, const sniJson* json, void* item);
    void (*release)(const snAllocator* memory, void* item);
    sniJsonValue* (*tree)(const void* item); // NULL: out of memory
} sniItemKind;

typedef struct sniSettingsList {
    const char* key;     // "flesh.layers"
    size_t items, count; // offsets in snSettings
    sniObject item;
    sniSetListFn* set;
    const char* help;
    const char* example;     // one item as JSON
    const sniItemKind* kind; // NULL: items are structs that `item` describes
    bool last; // names items of another list: emptied before and read after the others. At the root only
} sniSettingsList;

const sniSettingsList* sni_settings_lists(uint32_t* out_count);
const sniSettingsList* sni_settings_find_list(const char* key); // or NULL

// ------------------------------------------------------------------------------------- settings_names.c

// True for the first word of some key, as "flesh".
bool sni_settings_is_group(const char* word);
// The known key that is most like this one; with `groups` also the names of groups.
void sni_settings_nearest(const char* key, bool groups, char out[SNI_KEY_MAX]);
const char* sni_settings_nearest_field(const sniObject* object, const char* key);
// What would have been right: "a number from 0 to 1". As JSON, or as text for sn_settings_set.
void sni_setting_expected(const snSetting* setting, bool json, char* out, size_t capacity);
void sni_field_expected(const sniField* field, char* out, size_t capacity);

// ------------------------------------------------------------------- settings_object_read.c, _write.c

// Fills `out` (object->size bytes); names in it are borrowed from the tree.
void sni_object_read(sniReading* reading, const sniJson* json, const sniObject* object, void* out);
// Frees what reading allocated for it, not the object itself.
void sni_object_release(const snAllocator* memory, const sniObject* object, void* item);
// NULL: out of memory. With `all` as in a file of its own: what is neutral is said too.
sniJsonValue* sni_object_tree(const sniObject* object, const void* item, bool all);

// -------------------------------------------------------------------------------------- settings_read.c

// Changes settings by an object; what it does not name stays. On failure nothing changes, `error` says where
// in the object ("/flesh/delta is 2, ...") and `out_where` is that place.
snResult sni_settings_apply(const sniJson* object, snSettings* settings, sniJson* out_where, snError* error);

// Reads a list and replaces that of the settings.
void sni_settings_read_list(sniReading* reading, const sniJson* json, const sniSettingsList* list,
                            snSettings* settings);

// -------------------------------------------------------------------------------------- settings_file.c

// Makes something of a tree; on failure `out_where` is the place that the error is about.
typedef snResult sniApplyFn(void* user, const sniJson* root, sniJson* out_where, snError* error);
// Parses text with comments, in place, and applies it; errors get the name and the line.
snResult sni_settings_parse(const char* name, char* text, size_t size, sniApplyFn* apply, void* user,
                            snError* error);
// The same for bytes that stay as they are, and for a file.
snResult sni_settings_parse_copy(const char* name, const void* data, size_t size, const snAllocator* memory,
                                 sniApplyFn* apply, void* user, snError* error);
snResult sni_settings_parse_file(const char* path, const snAllocator* memory, sniApplyFn* apply, void* user,
                                 snError* error);

// ------------------------------------------------------------------------------------- settings_write.c

// All settings as an object; they must be valid. NULL: out of memory.
sniJsonValue* sni_settings_tree(const snSettings* settings);

#endif
