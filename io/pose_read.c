// Poses of handles from files (.snpose): JSON that people write by hand too.
#include <float.h>
#include <stdio.h>

#include "file.h"
#include "gltf.h"
#include "handles/nearest.h"
#include "handles/roles.h"
#include "kind.h"
#include "limit.h"
#include "number.h"
#include "sinew/io.h"

// What is read on the way from the tree to snHandlePoseDef. The name is borrowed from the tree.
typedef struct Pose {
    const snAllocator* memory;
    const snHandles* handles;
    snNotes* notes;
    sniReading* reading;
    float scale; // of moves: this model's size by the size of the one it was made on
    const char* name;
    snPoseStep* steps; // step_count
    size_t* firsts;    // step_count: of their handles in `moved`
    uint32_t* moved;
    size_t moved_count, moved_capacity;
    uint8_t* marks;       // handle_count
    snJointName* anatomy; // handle_count, once it is needed
    bool by_parts;        // a name is that of a part of a body
    sniJson parts;        // what handles are in the body that it was made on
    snPoseRest rest;      // how that body rested
    snPoseDetail* details;
    size_t detail_count, detail_capacity;
    snHandlePose* made;
} Pose;

static bool good(const Pose* pose) { return pose->reading->result == SN_RESULT_OK; }

// ------------------------------------------------------------------------------------------------ handles

// The handle of a name that the pose says is this part: as it is called, if it is that part here, too, else
// the one that is.
static uint32_t find_said(const Pose* pose, const char* name, const char* part, bool* out_above) {
    uint32_t found = sn_handles_find(pose->handles, name);
    if (found != SN_NONE && strcmp(pose->anatomy[found].text, part) == 0) return found;
    found = sni_handles_part(pose->handles, pose->anatomy, part);
    return found != SN_NONE ? found : sn_handles_find_part(pose->handles, pose->anatomy, part, out_above);
}

// Of a pose that speaks of parts. A limb has one of each, so a LeftShoulder is the upper arm, though rigs
// call collar bones so; what a trunk's Chest is depends on how many joints it has, and the name says it
// better.
static uint32_t find_part(const Pose* pose, const char* name, bool* out_above) {
    bool limb = strncmp(name, "Left", 4) == 0 || strncmp(name, "Right", 5) == 0;
    uint32_t found = limb ? sni_handles_part(pose->handles, pose->anatomy, name) : SN_NONE;
    return found != SN_NONE ? found : sn_handles_find_part(pose->handles, pose->anatomy, name, out_above);
}

// Once for all steps.
static void note_above(Pose* pose, const char* part, uint32_t above) {
    snNotes* notes = pose->notes;
    char text[sizeof notes->text[0]];
    snprintf(text, sizeof text, "%s is not a handle of this rig; its steps are applied to %s", part,
             pose->handles->handles[above].name);
    for (uint32_t i = 0; notes != NULL && i < notes->count && i < sizeof notes->text / sizeof text; i++)
        if (strcmp(notes->text[i], text) == 0) return;
    sni_note(notes, "%s", text);
}

static uint32_t find_handle(Pose* pose, const char* name) {
    const char* part = NULL;
    bool above = false;
    if (!pose->by_parts) return sn_handles_find(pose->handles, name);
    sniJson said = sni_json_get(&pose->parts, name);
    uint32_t found =
        sni_get_name(&said, &part) ? find_said(pose, name, part, &above) : find_part(pose, name, &above);
    if (above) note_above(pose, part != NULL ? part : name, found);
    return found;
}

// The handle of a name; SN_NONE with a fault that names the nearest.
static uint32_t read_handle(Pose* pose, const sniJson* json) {
    const char* name = NULL;
    if (!sni_get_name(json, &name)) {
        sni_fault_kind(pose->reading, json, "the name of a handle");
        return SN_NONE;
    }
    uint32_t found = find_handle(pose, name);
    if (found != SN_NONE) return found;
    sni_fault(pose->reading, json, "is \"%s\", which is no handle; the nearest is \"%s\"", name,
              sni_handles_nearest(pose->handles, name));
    return SN_NONE;
}

// Another handle than the main one, where it is given.
static uint32_t read_other(Pose* pose, const sniJson* name, uint32_t main) {
    return name->value != NULL ? read_handle(pose, name) : main;
}

// Marks what goes along with the main handle: its followers, or those listed, or none.
static void mark_moved(Pose* pose, const sniJson* step, uint32_t main) {
    sniJson with = sni_json_get(step, "with"), alone = sni_json_get(step, "alone");
    bool by_itself = false;
    if (alone.value != NULL && !sni_get_bool(&alone, &by_itself)) {
        sni_fault_kind(pose->reading, &alone, "true or false");
    } else if (with.value != NULL && !sni_json_is_array(&with)) {
        sni_fault_kind(pose->reading, &with, "a list of names");
    } else if (with.value != NULL && by_itself) {
        sni_fault(pose->reading, &with, "stands beside \"alone\": true, expected one of the two");
    }
    if (!good(pose)) return;
    sn_handles_followers(pose->handles, main, pose->marks);
    if (!by_itself && with.value == NULL) return;
    memset(pose->marks, 0, pose->handles->handle_count);
    pose->marks[main] = 1;
    for (size_t i = 0; i < sni_json_length(&with) && good(pose); i++) {
        sniJson item = sni_json_item(&with, i);
        uint32_t handle = read_handle(pose, &item);
        if (handle != SN_NONE) pose->marks[handle] = 1;
    }
}

static void take_moved(Pose* pose, uint32_t i) {
    uint32_t count = 0;
    for (uint32_t h = 0; h < pose->handles->handle_count; h++) count += pose->marks[h];
    if (!sni_grow(pose->memory, &pose->moved, &pose->moved_capacity, pose->moved_count + count,
                  sizeof(uint32_t))) {
        sni_fault_memory(pose->reading);
        return;
    }
    pose->firsts[i] = pose->moved_count;
    pose->steps[i].handle_count = count;
    for (uint32_t h = 0; h < pose->handles->handle_count; h++) {
        if (pose->marks[h] != 0) pose->moved[pose->moved_count++] = h;
    }
}

// -------------------------------------------------------------------------------------------------- steps

static bool read_vector(Pose* pose, const sniJson* step, const char* key, snVec3* out) {
    sniJson json = sni_json_get(step, key);
    float v[3];
    if (!sni_get_vec3(&json, -FLT_MAX, FLT_MAX, v)) {
        sni_fault_kind(pose->reading, &json, "three numbers");
        return false;
    }
    *out = sn_vec3(v[0], v[1], v[2]);
    return true;
}

static void read_turn(Pose* pose, const sniJson* json, uint32_t main, snPoseStep* out) {
    static const char* const known[] = {"turn",   "axis", "degrees", "frame", "center",
                                        "centre", "with", "alone",   NULL};
    if (!sni_expect_object(pose->reading, json, known)) return;
    out->act = SN_POSE_ROTATE;
    sniJson frame = sni_json_get(json, "frame"), center = sni_json_get_either(json, "center", "centre");
    out->frame = read_other(pose, &frame, main);
    out->center = read_other(pose, &center, main);
    if (!good(pose) || !read_vector(pose, json, "axis", &out->axis)) return;
    if (out->axis.x == 0.0f && out->axis.y == 0.0f && out->axis.z == 0.0f) {
        sniJson axis = sni_json_get(json, "axis");
        sni_fault(pose->reading, &axis, "has no direction");
        return;
    }
    sniJson degrees = sni_json_get(json, "degrees");
    double angle = 0.0;
    bool number = sni_json_number(&degrees, &angle);
    angle *= 3.14159265358979323846 / 180.0;
    if (!number || !(angle >= -(double)FLT_MAX && angle <= (double)FLT_MAX)) {
        sni_fault_kind(pose->reading, &degrees, "an angle in degrees");
        return;
    }
    out->angle = (float)angle;
}

static void read_move(Pose* pose, const sniJson* json, snPoseStep* out) {
    static const char* const known[] = {"move", "by", "with", "alone", NULL};
    if (!sni_expect_object(pose->reading, json, known)) return;
    out->act = SN_POSE_MOVE;
    if (!read_vector(pose, json, "by", &out->move)) return;
    out->move = sn_scale(out->move, pose->scale);
    if (sn_vec3_finite(out->move)) return;
    sniJson by = sni_json_get(json, "by");
    sni_fault(pose->reading, &by, "is too far for a model of this size");
}

static void read_step(Pose* pose, const sniJson* json, uint32_t i) {
    sniJson turn = sni_json_get(json, "turn"), move = sni_json_get(json, "move");
    if (turn.value == NULL && move.value == NULL) {
        sni_fault(pose->reading, json, "has neither \"turn\" nor \"move\"");
        return;
    }
    uint32_t main = read_handle(pose, turn.value != NULL ? &turn : &move);
    if (main == SN_NONE) return;
    if (turn.value != NULL) {
        read_turn(pose, json, main, &pose->steps[i]);
    } else {
        read_move(pose, json, &pose->steps[i]);
    }
    if (good(pose)) mark_moved(pose, json, main);
    if (good(pose)) take_moved(pose, i);
}

static bool is_part(const Pose* pose, const sniJson* json) {
    const char* name = NULL;
    return sni_get_name(json, &name) && sn_handles_find(pose->handles, name) == SN_NONE;
}

// Whether a name is no handle's.
static bool names_parts(const Pose* pose, const sniJson* steps) {
    static const char* const keys[] = {"turn", "move", "frame", "center", "centre"};
    for (size_t i = 0; i < sni_json_length(steps); i++) {
        sniJson step = sni_json_item(steps, i), with = sni_json_get(&step, "with");
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            sniJson json = sni_json_get(&step, keys[k]);
            if (is_part(pose, &json)) return true;
        }
        for (size_t k = 0; k < sni_json_length(&with); k++) {
            sniJson json = sni_json_item(&with, k);
            if (is_part(pose, &json)) return true;
        }
    }
    return false;
}

static void read_anatomy(Pose* pose) {
    pose->anatomy = SNI_NEW_ARRAY(pose->memory, snJointName, pose->handles->handle_count);
    if (pose->anatomy == NULL ||
        sn_handles_anatomy(pose->handles, pose->memory, pose->anatomy) != SN_RESULT_OK)
        sni_fault_memory(pose->reading);
}

static uint32_t read_steps(Pose* pose, const sniJson* json) {
    size_t count = sni_json_length(json);
    if (!sni_json_is_array(json) || count > SN_POSE_STEPS_MAX) {
        sni_fault_kind(pose->reading, json, "a list of at most 65536 steps");
        return 0;
    }
    pose->steps = SNI_NEW_ARRAY(pose->memory, snPoseStep, count);
    pose->firsts = SNI_NEW_ARRAY(pose->memory, size_t, count);
    pose->marks = SNI_NEW_ARRAY(pose->memory, uint8_t, pose->handles->handle_count);
    if (pose->steps == NULL || pose->firsts == NULL || pose->marks == NULL) {
        sni_fault_memory(pose->reading);
        return 0;
    }
    pose->by_parts = pose->parts.value != NULL || names_parts(pose, json);
    if (pose->by_parts) read_anatomy(pose);
    for (size_t i = 0; i < count && good(pose); i++) {
        sniJson item = sni_json_item(json, i);
        read_step(pose, &item, (uint32_t)i);
    }
    // The array of handles may move while it grows, so steps point into it at the end.
    for (size_t i = 0; i < count && good(pose); i++) pose->steps[i].handles = pose->moved + pose->firsts[i];
    return (uint32_t)count;
}

// ------------------------------------------------------------------------------------------------ details

// "12:0.01 13:-0.002", each in turn.
static bool take_details(Pose* pose, const char* text) {
    const char* end = text + strlen(text);
    while (*text != '\0') {
        uint64_t vertex = 0;
        if (*text < '0' || *text > '9') return false;
        while (*text >= '0' && *text <= '9' && vertex < SN_NONE)
            vertex = vertex * 10 + (uint64_t)(*text++ - '0');
        if (vertex >= SN_NONE || *text != ':') return false;
        snPoseDetail detail = {.vertex = (uint32_t)vertex};
        text = sni_parse_float(text + 1, end, &detail.offset);
        if (text == NULL || (*text != ' ' && *text != '\0')) return false;
        if (!sni_grow(pose->memory, &pose->details, &pose->detail_capacity, pose->detail_count + 1,
                      sizeof detail)) {
            sni_fault_memory(pose->reading);
            return true;
        }
        pose->details[pose->detail_count++] = detail;
        while (*text == ' ') text++;
    }
    return true;
}

// Whether the details are for this mesh; a note where they are not.
static bool same_mesh(Pose* pose, const sniJson* root) {
    static const char* const known[] = {"vertices", "hash", NULL};
    sniJson mesh = sni_json_get(root, "mesh");
    if (!sni_expect_object(pose->reading, &mesh, known)) return false;
    sniJson vertices = sni_json_get(&mesh, "vertices"), hash = sni_json_get(&mesh, "hash");
    uint32_t count = 0;
    uint64_t value = 0;
    if (!sni_get_count(&vertices, 1.0f, FLT_MAX, &count)) {
        sni_fault_kind(pose->reading, &vertices, "a number of vertices");
    } else if (!sni_get_hash(&hash, &value)) {
        sni_fault_kind(pose->reading, &hash, "16 hexadecimal digits");
    } else if (count == pose->handles->vertex_count && value == pose->handles->mesh_hash) {
        return true;
    } else {
        sni_note(pose->notes,
                 "details are left out: they are for another mesh (%u vertices, this one has %u)", count,
                 pose->handles->vertex_count);
    }
    return false;
}

static void read_details(Pose* pose, const sniJson* root) {
    sniJson json = sni_json_get(root, "details");
    if (json.value == NULL) return;
    if (!sni_json_is_array(&json))
        sni_fault_kind(pose->reading, &json, "a list of texts such as \"12:0.01\"");
    for (size_t i = 0; i < sni_json_length(&json) && good(pose); i++) {
        sniJson item = sni_json_item(&json, i);
        const char* text = NULL;
        if (!sni_get_name(&item, &text) || !take_details(pose, text)) {
            sni_fault_kind(pose->reading, &item, "vertices and offsets such as \"12:0.01 13:-0.002\"");
        }
    }
    if (good(pose) && !same_mesh(pose, root)) pose->detail_count = 0;
}

// -------------------------------------------------------------------------------------------------- whole

static void read_head(Pose* pose, const sniJson* root) {
    sniJson name = sni_json_get(root, "name"), size = sni_json_get(root, "size");
    float metres = 0.0f;
    if (!sni_expect_kind(pose->reading, root, "sinew_pose", "a pose (.snpose)")) return;
    if (name.value != NULL && !sni_get_name(&name, &pose->name)) {
        sni_fault_kind(pose->reading, &name, "a name");
    } else if (size.value != NULL && !sni_get_float(&size, FLT_MIN, FLT_MAX, &metres)) {
        sni_fault_kind(pose->reading, &size, "a size in metres, above 0");
    }
    // Without a size on either side, moves are in metres.
    bool sized = metres > 0.0f && pose->handles->size > 0.0f;
    pose->scale = sized ? pose->handles->size / metres : 1.0f;
}

// A body rests in a T where nothing is said, and limbs that are left out rest as they like.
static void read_rest(Pose* pose, const sniJson* root) {
    const char* known[SN_POSE_LIMBS + 1] = {NULL};
    sniJson json = sni_json_get(root, "rest");
    pose->rest = sn_pose_rest();
    if (json.value == NULL) return;
    for (uint32_t i = 0; i < SN_POSE_LIMBS; i++) known[i] = sn_pose_limb_name(i);
    if (!sni_expect_object(pose->reading, &json, known)) return;
    for (uint32_t i = 0; i < SN_POSE_LIMBS; i++) {
        pose->rest.ways[i] = sn_vec3(0.0f, 0.0f, 0.0f);
        if (sni_json_get(&json, known[i]).value == NULL) continue;
        if (!read_vector(pose, &json, known[i], &pose->rest.ways[i])) return;
    }
}

static void check_part(void* user, const char* key, sniJsonValue* value) {
    Pose* pose = user;
    const char* part = NULL;
    sniJson json = sni_json_get(&pose->parts, key);
    (void)value;
    if (good(pose) && !sni_get_name(&json, &part))
        sni_fault_kind(pose->reading, &json, "the name of a part of a body");
}

static void read_parts(Pose* pose, const sniJson* root) {
    pose->parts = sni_json_get(root, "parts");
    if (pose->parts.value == NULL) return;
    if (sni_json_is_object(&pose->parts))
        sni_json_each(pose->parts.value, check_part, pose);
    else
        sni_fault_kind(pose->reading, &pose->parts, "handles, and what each is in a body");
}

// Parts of a body are turned from where they were when the pose was made.
static void fit_pose(Pose* pose, const sniJson* root) {
    snHandlePose* fitted = NULL;
    snError why = sn_error_none();
    snResult result = sn_handle_pose_fit(pose->made, pose->handles, pose->anatomy, &pose->rest, pose->memory,
                                         &fitted, &why);
    if (result == SN_RESULT_OUT_OF_MEMORY)
        sni_fault_memory(pose->reading);
    else if (result != SN_RESULT_OK)
        sni_fault(pose->reading, root, "cannot be fitted to this model: %s", why.text);
    if (result != SN_RESULT_OK) return;
    if (fitted == NULL) return;
    sn_handle_pose_destroy(pose->made);
    pose->made = fitted;
}

static void read_root(Pose* pose, const sniJson* root) {
    static const char* const known[] = {"sinew_pose", "name",  "size",    "mesh", "parts",
                                        "rest",       "steps", "details", NULL};
    // The head first: a rig or a path given by mistake is no pose with an unknown key.
    if (sni_json_is_object(root)) read_head(pose, root);
    if (!good(pose) || !sni_expect_object(pose->reading, root, known)) return;
    sniJson list = sni_json_get(root, "steps");
    read_parts(pose, root);
    if (good(pose)) read_rest(pose, root);
    uint32_t steps = good(pose) ? read_steps(pose, &list) : 0;
    if (good(pose)) read_details(pose, root);
    if (!good(pose)) return;
    snHandlePoseDef def = {pose->name, steps, pose->steps, (uint32_t)pose->detail_count, pose->details};
    snError detail = sn_error_none();
    snResult result = sn_handle_pose_create(&def, pose->handles, pose->memory, &pose->made, &detail);
    if (result == SN_RESULT_OUT_OF_MEMORY) {
        sni_fault_memory(pose->reading);
    } else if (result != SN_RESULT_OK) {
        sni_fault(pose->reading, root, "cannot be used: %s", detail.text);
    }
    if (result == SN_RESULT_OK && pose->by_parts) fit_pose(pose, root);
}

static snResult apply_pose(void* user, const sniJson* root, sniJson* out_where, snError* error) {
    Pose* pose = user;
    sniReading reading = {pose->memory, *root, SN_RESULT_OK, error};
    pose->reading = &reading;
    read_root(pose, root);
    *out_where = reading.where;
    void* arrays[] = {pose->steps, pose->firsts, pose->moved, pose->marks, pose->anatomy, pose->details};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(pose->memory, arrays[i]);
    return reading.result;
}

// Takes the text over. The tree is not the allocator's memory, but counts.
static snResult read_text(const char* name, char* text, size_t size, Pose* pose, sniLimit* limit,
                          snHandlePose** out, snError* error) {
    size_t tree = sni_json_estimate(text, size);
    snResult result = SN_RESULT_OK;
    if (sni_limit_reserve(limit, tree)) {
        result = sni_settings_parse(name, text, size, apply_pose, pose, error);
        sni_limit_release(limit, tree);
        if (result == SN_RESULT_OK) *out = pose->made;
    } else {
        result = sni_fail_memory(error);
    }
    sni_free(pose->memory, text);
    return result;
}

// From memory where `data` is given, else from the file called `name`.
static snResult read_pose(const char* name, const void* data, size_t size, const snHandles* handles,
                          const snReadDef* def, snHandlePose** out, snError* error) {
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    snAllocator memory = sni_limit_allocator(limit);
    uint8_t* text = NULL;
    snResult result = sni_file_take(name, data, size, def->memory_limit, &memory, &text, &size, error);
    Pose pose = {.memory = &memory, .handles = handles, .notes = def->notes};
    if (result == SN_RESULT_OK) result = read_text(name, (char*)text, size, &pose, limit, out, error);
    result = sni_limit_explain(limit, result, name, error);
    sni_limit_close(limit);
    return result;
}

snResult sn_handle_pose_read_memory(const char* name, const void* data, size_t size, const snHandles* handles,
                                    const snReadDef* def, snHandlePose** out, snError* error) {
    if (name == NULL || handles == NULL || out == NULL || (data == NULL && size > 0)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, data, handles and an output are needed");
    }
    return read_pose(name, data != NULL ? data : "", size, handles, def, out, error);
}

snResult sn_handle_pose_read(const char* path, const snHandles* handles, const snReadDef* def,
                             snHandlePose** out, snError* error) {
    if (path == NULL || handles == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path, handles and an output are needed");
    }
    return read_pose(path, NULL, 0, handles, def, out, error);
}
