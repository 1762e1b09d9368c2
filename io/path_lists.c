// Paths, walks and keyframes of a path file.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/likeness.h"
#include "path_file.h"

// --------------------------------------------------------------------------------------------------- names

static void fault_unknown(sniPathReading* r, const sniJson* json, const char* kind, const char* name,
                          const char* near) {
    if (near != NULL)
        sni_fault(r->reading, json, "is \"%.80s\", which is no %s; did you mean \"%.80s\"?", name, kind,
                  near);
    else
        sni_fault(r->reading, json, "is \"%.80s\", which is no %s", name, kind);
}

// Further away is no likeness.
static bool is_nearer(const char* name, const char* other, uint32_t* least) {
    uint32_t distance = sni_edit_distance(name, other);
    if (distance >= *least) return false;
    *least = distance;
    return true;
}

// The handle that is a part of a body, or carries it. False: out of memory.
static bool find_part(sniPathReading* r, const char* name, uint32_t* out) {
    const snHandles* handles = r->def->handles;
    snJointName* anatomy = SNI_NEW_ARRAY(r->memory, snJointName, handles->handle_count);
    bool known = anatomy != NULL && sn_handles_anatomy(handles, r->memory, anatomy) == SN_RESULT_OK;
    if (known)
        *out = sn_handles_find_part(handles, anatomy, name, NULL);
    else
        sni_fault_memory(r->reading);
    sni_free(r->memory, anatomy);
    return known;
}

static bool find_handle(sniPathReading* r, const sniJson* json, uint32_t* out) {
    const char *name = NULL, *near = NULL;
    if (!sni_get_name(json, &name)) {
        sni_fault_kind(r->reading, json, "the name of a handle");
        return false;
    }
    const snHandles* handles = r->def->handles;
    *out = sn_handles_find(handles, name);
    if (*out == SN_NONE && !find_part(r, name, out)) return false;
    if (*out != SN_NONE) return true;
    uint32_t least = (uint32_t)strlen(name) / 3 + 2;
    for (uint32_t h = 0; h < handles->handle_count; h++)
        if (is_nearer(name, handles->handles[h].name, &least)) near = handles->handles[h].name;
    fault_unknown(r, json, "handle", name, near);
    return false;
}

bool sni_path_find_pose(sniPathReading* r, const sniJson* json, const char* name, uint32_t* out) {
    const char* near = NULL;
    uint32_t least = (uint32_t)strlen(name) / 3 + 2;
    for (*out = 0; *out < r->def->pose_count; ++*out) {
        const char* other = r->def->poses[*out]->name;
        if (strcmp(other, name) == 0) return true;
        if (is_nearer(name, other, &least)) near = other;
    }
    fault_unknown(r, json, "pose", name, near);
    return false;
}

// The handle's own point, or for feet the one below it that the model stands on.
static void read_point(sniPathReading* r, const sniJson* object, uint32_t handle, bool sole, snVec3* out) {
    sniJson json = sni_json_get(object, "point");
    float p[3] = {0.0f, 0.0f, 0.0f};
    *out = r->def->handles->handles[handle].position;
    if (sole) out->y = r->def->ground;
    if (json.value != NULL && sni_path_numbers(r, &json, 3, "three numbers", p))
        *out = sn_vec3(p[0], p[1], p[2]);
}

// --------------------------------------------------------------------------------------------------- paths

// [time, x, y, z] or [time, x, y, z, rest].
static void read_path_key(sniPathReading* r, const sniJson* json, snPathKey* out) {
    float v[5] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    uint32_t count = sni_json_length(json) == 5 ? 5 : 4;
    if (!sni_path_numbers(r, json, count, "[time, x, y, z] or [time, x, y, z, rest]", v)) return;
    *out = (snPathKey){v[0], v[4], sn_vec3(v[1], v[2], v[3])};
}

static void read_path(sniPathReading* r, const sniJson* json, snPathDef* path) {
    static const char* const known[] = {"handle", "point",   "strength", "smooth", "draped", "contact",
                                        "global", "footing", "roll",     "reach",  "keys",   NULL};
    if (!sni_path_object(r, json, known)) return;
    sniJson handle = sni_json_get(json, "handle"), list = sni_json_get(json, "keys");
    *path = (snPathDef){.strength = 1.0f, .smooth = true, .draped = true};
    if (!find_handle(r, &handle, &path->handle)) return;
    sni_path_float(r, json, "strength", 0.0f, 1e6f, &path->strength);
    sni_path_bool(r, json, "smooth", &path->smooth);
    sni_path_bool(r, json, "draped", &path->draped);
    sni_path_bool(r, json, "contact", &path->contact);
    sni_path_bool(r, json, "global", &path->global);
    sni_path_bool(r, json, "footing", &path->footing);
    sni_path_float(r, json, "roll", 0.0f, 2.0f, &path->roll);
    sni_path_float(r, json, "reach", 0.0f, 1.0f, &path->reach);
    read_point(r, json, path->handle, path->contact, &path->point);
    uint32_t count = sni_path_good(r) ? sni_path_list(r, &list, "a list of keys") : 0;
    snPathKey* keys = SNI_NEW_ARRAY(r->memory, snPathKey, count);
    path->keys = keys;
    if (keys == NULL) sni_fault_memory(r->reading);
    for (uint32_t k = 0; k < count && sni_path_good(r); k++) {
        sniJson item = sni_json_item(&list, k);
        read_path_key(r, &item, &keys[k]);
    }
    path->key_count = count;
    snError why = sn_error_none();
    if (sni_path_good(r) && sn_path_validate(path, &why) != SN_RESULT_OK)
        sni_fault(r->reading, &list, "cannot be used: %s", why.text);
}

static snPaths* new_paths(sniPathReading* r, uint32_t count) {
    snPaths* paths = SNI_NEW(r->memory, snPaths);
    snPathDef* list = SNI_NEW_ARRAY(r->memory, snPathDef, count);
    if (paths == NULL || list == NULL) {
        sni_free(r->memory, paths);
        sni_free(r->memory, list);
        sni_fault_memory(r->reading);
        return NULL;
    }
    *paths = (snPaths){count, list, *r->memory};
    return paths;
}

void sni_path_read_paths(sniPathReading* r, const sniJson* json) {
    uint32_t count = sni_path_list(r, json, "a list of paths");
    if (count == 0) return;
    r->file->paths = new_paths(r, count);
    for (uint32_t i = 0; i < count && sni_path_good(r); i++) {
        sniJson item = sni_json_item(json, i);
        read_path(r, &item, &r->file->paths->paths[i]);
    }
}

// --------------------------------------------------------------------------------------------------- walks

static void read_foot(sniPathReading* r, const sniJson* json, snWalkFoot* foot) {
    static const char* const known[] = {"handle", "point", "phase", "side", "ahead", NULL};
    if (!sni_path_object(r, json, known)) return;
    sniJson handle = sni_json_get(json, "handle");
    if (!find_handle(r, &handle, &foot->handle)) return;
    read_point(r, json, foot->handle, true, &foot->point);
    sni_path_float(r, json, "phase", 0.0f, 1.0f, &foot->phase);
    sni_path_float(r, json, "side", -1e3f, 1e3f, &foot->side);
    sni_path_float(r, json, "ahead", -1e3f, 1e3f, &foot->ahead);
}

// Puts the walk's paths behind those that are there.
static bool append(sniPathReading* r, snPaths* more) {
    snPathFile* file = r->file;
    if (file->paths == NULL) {
        file->paths = more;
        return true;
    }
    uint32_t before = file->paths->path_count;
    snPathDef* all = SNI_NEW_ARRAY(r->memory, snPathDef, (size_t)before + more->path_count);
    if (all != NULL) {
        memcpy(all, file->paths->paths, before * sizeof *all);
        memcpy(all + before, more->paths, more->path_count * sizeof *all);
        sni_free(r->memory, file->paths->paths);
        file->paths->paths = all;
        file->paths->path_count += more->path_count;
        more->path_count = 0; // the keys have moved over
    }
    sn_paths_destroy(more);
    return all != NULL;
}

static void lay_walk(sniPathReading* r, const sniJson* json, const snWalkDef* def) {
    snPaths* paths = NULL;
    snError why = sn_error_none();
    const snTerrain* terrain = r->file->grounded ? &r->file->terrain : NULL;
    snResult result = sn_walk_paths(def, terrain, r->memory, &paths, &why);
    if (result == SN_RESULT_OUT_OF_MEMORY || (result == SN_RESULT_OK && !append(r, paths)))
        sni_fault_memory(r->reading);
    else if (result != SN_RESULT_OK)
        sni_fault(r->reading, json, "cannot be walked: %s", why.text);
}

// From the hips' joints to the ground, metres; 0: no handle is a hip.
static float leg_length(sniPathReading* r) {
    const snHandles* handles = r->def->handles;
    snJointName* anatomy = SNI_NEW_ARRAY(r->memory, snJointName, handles->handle_count);
    float sum = 0.0f, count = 0.0f;
    if (anatomy == NULL || sn_handles_anatomy(handles, r->memory, anatomy) != SN_RESULT_OK) {
        sni_fault_memory(r->reading);
    } else {
        for (uint32_t h = 0; h < handles->handle_count; h++) {
            if (!sn_name_matches("*tHip", anatomy[h].text)) continue; // Left or Right
            sum += handles->handles[h].center.y - r->def->ground;
            count += 1.0f;
        }
    }
    sni_free(r->memory, anatomy);
    return count > 0.0f ? sn_maxf(sum / count, 0.0f) : 0.0f;
}

void sni_path_fit_legs(sniPathReading* r, const sniJson* root) {
    float given = 0.0f;
    sni_path_float(r, root, "legs", 1e-3f, 1e3f, &given);
    if (!(given > 0.0f) || !sni_path_good(r)) return;
    float own = leg_length(r), share = own / given;
    const snPaths* paths = r->file->paths;
    for (uint32_t i = 0; own > 0.0f && paths != NULL && i < paths->path_count; i++) {
        snPathKey* keys = (snPathKey*)paths->paths[i].keys; // the file's own
        for (uint32_t k = 0; k < paths->paths[i].key_count; k++) {
            keys[k].place = sn_scale(keys[k].place, share);
            keys[k].time *= sqrtf(share); // what falls by as much more takes as much longer
            keys[k].rest *= sqrtf(share);
        }
    }
}

// Steps that are given for legs of some length are as long for others as they are; pendulums swing with the
// root, and go as fast.
static void fit_steps(float own, float given, snWalkDef* def, float* speed) {
    if (!(own > 0.0f && given > 0.0f)) return;
    float share = own / given;
    def->stride *= share;
    def->lift *= share;
    def->cycle *= sqrtf(share);
    *speed *= sqrtf(share);
}

// What a speed says must not be said twice.
static void set_pace(sniPathReading* r, const sniJson* json, float speed, float leg, snWalkDef* def) {
    snError why = sn_error_none();
    sniJson asked = sni_json_get(json, "speed"), stride = sni_json_get(json, "stride"),
            cycle = sni_json_get(json, "cycle");
    float duty = def->duty, lift = def->lift;
    if (stride.value != NULL || cycle.value != NULL)
        sni_fault(
            r->reading, &asked,
            "says how long steps are and how long they take; leave out \"stride\" and \"cycle\", or it");
    else if (!(leg > 0.0f))
        sni_fault(r->reading, &asked,
                  "needs to know how long legs are, and no handle is a hip; give \"legs\", in metres");
    else if (sn_walk_pace(def, speed, leg, &why) != SN_RESULT_OK)
        sni_fault(r->reading, &asked, "cannot be walked: %s", why.text);
    if (sni_json_get(json, "duty").value != NULL) def->duty = duty;
    if (sni_json_get(json, "lift").value != NULL) def->lift = lift;
}

// How long steps are and how long they take.
static void read_steps(sniPathReading* r, const sniJson* json, snWalkDef* def) {
    float speed = 0.0f, legs = 0.0f;
    sni_path_float(r, json, "stride", 1e-3f, 1e3f, &def->stride);
    sni_path_float(r, json, "lift", 0.0f, 1e3f, &def->lift);
    sni_path_float(r, json, "cycle", 1e-3f, 1e3f, &def->cycle);
    sni_path_float(r, json, "duty", 0.01f, 0.99f, &def->duty);
    sni_path_float(r, json, "speed", 1e-3f, 1e3f, &speed);
    sni_path_float(r, json, "legs", 1e-3f, 1e3f, &legs);
    if (!(speed > 0.0f || legs > 0.0f) || !sni_path_good(r)) return;
    float own = leg_length(r);
    fit_steps(own, legs, def, &speed);
    if (speed > 0.0f && sni_path_good(r)) set_pace(r, json, speed, own > 0.0f ? own : legs, def);
}

void sni_path_read_walk(sniPathReading* r, const sniJson* json) {
    static const char* const known[] = {"feet",  "line", "legs", "speed",    "stride", "lift",
                                        "cycle", "duty", "wait", "strength", "roll",   NULL};
    if (!sni_path_object(r, json, known)) return;
    snWalkDef def = sn_walk_def();
    sniJson feet = sni_json_get(json, "feet"), line = sni_json_get(json, "line");
    def.foot_count = sni_path_list(r, &feet, "a list of feet");
    def.line_count = sni_path_good(r) ? sni_path_list(r, &line, "a list of points [x, z]") : 0;
    snWalkFoot* steps = SNI_NEW_ARRAY(r->memory, snWalkFoot, def.foot_count);
    snVec2* points = SNI_NEW_ARRAY(r->memory, snVec2, def.line_count);
    if (steps == NULL || points == NULL) sni_fault_memory(r->reading);
    for (uint32_t i = 0; i < def.foot_count && sni_path_good(r); i++) {
        sniJson item = sni_json_item(&feet, i);
        steps[i].phase = (float)i / (float)def.foot_count; // one after the other, unless said
        read_foot(r, &item, &steps[i]);
    }
    for (uint32_t i = 0; i < def.line_count && sni_path_good(r); i++) {
        sniJson item = sni_json_item(&line, i);
        float p[2] = {0.0f, 0.0f};
        if (sni_path_numbers(r, &item, 2, "two numbers, x and z", p)) points[i] = (snVec2){p[0], p[1]};
    }
    sni_path_float(r, json, "wait", 0.0f, 1e3f, &def.wait);
    sni_path_float(r, json, "strength", 0.0f, 1e6f, &def.strength);
    sni_path_float(r, json, "roll", 0.0f, 2.0f, &def.roll);
    def.feet = steps;
    def.line = points;
    if (sni_path_good(r)) read_steps(r, json, &def);
    if (sni_path_good(r)) lay_walk(r, json, &def);
    sni_free(r->memory, steps);
    sni_free(r->memory, points);
}

// ----------------------------------------------------------------------------------------------- keyframes

typedef struct Shares {
    sniPathReading* r;
    const sniJson* object;
    snPoseShare* next;
} Shares;

static void read_share(void* user, const char* name, sniJsonValue* value) {
    Shares* shares = user;
    sniPathReading* r = shares->r;
    (void)value;
    if (!sni_path_good(r)) return;
    sniJson json = sni_json_get(shares->object, name);
    snPoseShare* share = shares->next++;
    if (!sni_path_find_pose(r, &json, name, &share->pose)) return;
    if (!sni_get_float(&json, -1e3f, 1e3f, &share->weight)) sni_fault_kind(r->reading, &json, "a weight");
}

static void read_keyframe(sniPathReading* r, const sniJson* json, snPoseKey* key) {
    static const char* const known[] = {"time", "ease", "poses", NULL};
    const char* eases[SN_EASE_COUNT + 1] = {NULL};
    for (uint32_t i = 0; i < SN_EASE_COUNT; i++) eases[i] = sn_ease_name((snEase)i);
    if (!sni_path_object(r, json, known)) return;
    sniJson poses = sni_json_get(json, "poses");
    uint32_t ease = SN_EASE_IN_OUT;
    sni_path_float(r, json, "time", -1e5f, 1e5f, &key->time);
    sni_path_choice(r, json, "ease", eases, &ease);
    key->ease = (snEase)ease;
    if (!sni_json_is_object(&poses)) {
        sni_fault_kind(r->reading, &poses, "poses and their weights");
        return;
    }
    size_t count = sni_json_members(&poses);
    snPoseShare* shares = SNI_NEW_ARRAY(r->memory, snPoseShare, count);
    key->shares = shares;
    if (shares == NULL) {
        sni_fault_memory(r->reading);
        return;
    }
    Shares visit = {r, &poses, shares};
    sni_json_each(poses.value, read_share, &visit);
    key->share_count = (uint32_t)count;
}

void sni_path_read_keyframes(sniPathReading* r, const sniJson* json) {
    uint32_t count = sni_path_list(r, json, "a list of keyframes");
    if (count == 0) return;
    snPoseKey* keys = SNI_NEW_ARRAY(r->memory, snPoseKey, count);
    if (keys == NULL) {
        sni_fault_memory(r->reading);
        return;
    }
    r->file->keyframes.keys = keys;
    r->file->keyframes.key_count = count;
    for (uint32_t k = 0; k < count && sni_path_good(r); k++) {
        sniJson item = sni_json_item(json, k);
        read_keyframe(r, &item, &keys[k]);
    }
    snError why = sn_error_none();
    if (sni_path_good(r) &&
        sn_keyframes_validate(&r->file->keyframes, r->def->pose_count, &why) != SN_RESULT_OK)
        sni_fault(r->reading, json, "cannot be used: %s", why.text);
}
