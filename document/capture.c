// Paths for handles out of a motion of joints: who follows whom, how large it is, where it begins.
#include <stdio.h>

#include "json_file.h"
#include "sinew/retarget.h"

snPathCaptureDef sn_path_capture_def(void) {
    return (snPathCaptureDef){.from = SN_MOTION_AUTO, .to = SN_CLIP_END, .fps = 30.0f};
}

void sn_path_capture_report_free(snPathCaptureReport* report) {
    if (report->pairs != NULL) sni_free(&report->allocator, report->pairs);
    *report = (snPathCaptureReport){0};
}

// What a joint is for the body, after its anatomical name (sn_skeleton_anatomy).
typedef struct Role {
    const char* pattern;
    float strength;
    bool contact, global;
    float reach;
} Role;
static const Role roles[] = {{"Hips", 1.0f, false, true, 0.0f},
                             {"*Ankle", 1.0f, true, false, 0.0f},
                             {"*Wrist", 0.5f, false, false, 1.0f},
                             {"Head", 0.5f, false, false, 1.0f}};

static const Role* role_of(const char* anatomy) {
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (sn_name_matches(roles[i].pattern, anatomy)) return &roles[i];
    return NULL;
}

typedef struct Matching {
    const snModel* model;
    const snMesh* mesh;
    const snHandles* handles;
    const snSkeleton* source;
    snJointNames* names;   // of the source
    snJointName* places;   // what handles are for the body; "" where they are no part of one
    const snJointMap* map; // from the source to the model's own skeleton, or NULL
    snSkeleton* own;       // handles as joints, where together they are a body that the source fits; or NULL
    snJointMap* fitting;   // from the source to that
    snCapturePair* pairs;  // handle_count
    uint32_t count;
    snAllocator allocator;
} Matching;

static void add_pair(Matching* m, uint32_t handle, uint32_t joint) {
    const Role* role = role_of(m->names->body[joint].text);
    snCapturePair pair = {handle,
                          joint,
                          role != NULL ? role->strength : 1.0f,
                          role != NULL && role->contact,
                          role != NULL && role->global,
                          role != NULL && role->contact ? 1.0f : 0.0f,
                          role != NULL ? role->reach : 0.0f};
    if (m->count < m->handles->handle_count) m->pairs[m->count++] = pair;
}

// ------------------------------------------------------------------------------------------------------ maps

typedef struct Known {
    const snHandles* handles;
    const snJointNames* names; // of the source
} Known;

static snResult check_pair(void* user, const char* handle, const char* joint, snError* error) {
    const Known* known = user;
    if (sn_handles_find(known->handles, handle) == SN_NONE)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "%s is not a handle of the rig", handle);
    if (joint != NULL && sn_joint_names_find(known->names, joint) == SN_NONE)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "%s is not a joint of the motion", joint);
    return SN_RESULT_OK;
}

snResult sn_document_read_capture_map(const snDocument* document, const snSource* source, const char* name,
                                      const void* data, size_t size, snJointOverrides* out, snError* error) {
    SNI_TRY(sni_need_rig(document, error));
    snJointNames* names = NULL;
    SNI_TRY(sn_joint_names_create(source->model->skeleton, &document->allocator, &names, error));
    Known known = {document->state.handled.rig, names};
    snResult result = sni_joint_pairs_read(document, name, data, size, "handles and joints", check_pair,
                                           &known, out, error);
    sn_joint_names_destroy(names);
    return result;
}

static snResult use_map(Matching* m, const snJointOverrides* map, snError* error) {
    for (uint32_t i = 0; i < map->count; i++) {
        const snJointOverride* item = &map->items[i];
        uint32_t handle = sn_handles_find(m->handles, item->target);
        uint32_t joint = item->source != NULL ? sn_joint_names_find(m->names, item->source) : SN_NONE;
        if (handle == SN_NONE || (item->source != NULL && joint == SN_NONE))
            return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no handle %.100s, or no joint for it",
                            item->target);
        if (joint != SN_NONE) add_pair(m, handle, joint);
    }
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- matching

// left_foot, LeftFoot and left foot are one name.
static bool same_name(const char* a, const char* b) {
    while (true) {
        while (*a == '_' || *a == ' ' || *a == '-') a++;
        while (*b == '_' || *b == ' ' || *b == '-') b++;
        char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
        char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
        if (x != y) return false;
        if (x == '\0') return true;
        a++;
        b++;
    }
}

// What handles are for the body, where together they are one: that of a scorpion has feet too, but no
// person's.
static snResult place_handles(Matching* m) {
    const snAllocator* memory = &m->allocator;
    uint32_t count = m->handles->handle_count;
    snSkeleton* skeleton = NULL;
    snJointMap* map = NULL;
    m->places = SNI_NEW_ARRAY(memory, snJointName, count);
    if (m->places == NULL) return SN_RESULT_OUT_OF_MEMORY;
    snResult result = sn_handles_skeleton(m->handles, memory, &skeleton, NULL);
    if (result == SN_RESULT_OK) result = sn_skeleton_anatomy(skeleton, memory, m->places);
    if (result == SN_RESULT_OK) result = sn_joint_map_create(m->source, skeleton, memory, &map, NULL);
    bool person = result == SN_RESULT_OK && map->confidence >= SN_JOINT_MAP_USABLE;
    for (uint32_t h = 0; h < count && !person; h++) m->places[h].text[0] = '\0';
    if (person) {
        m->own = skeleton;
        m->fitting = map;
        return result;
    }
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(skeleton);
    return result;
}

static bool only_one(const Matching* m, uint32_t handle) {
    for (uint32_t h = 0; h < m->handles->handle_count; h++)
        if (h != handle && strcmp(m->places[h].text, m->places[handle].text) == 0) return false;
    return m->places[handle].text[0] != '\0';
}

// A joint of the same name or place in the body, or the one that drives the model's joint of the handle's
// name.
static uint32_t find_joint(const Matching* m, uint32_t h) {
    const char* handle = m->handles->handles[h].name;
    for (uint32_t j = 0; j < m->source->joint_count; j++)
        if (same_name(m->source->names[j], handle) || same_name(m->names->body[j].text, handle)) return j;
    for (uint32_t j = 0; j < m->source->joint_count && only_one(m, h); j++)
        if (strcmp(m->names->body[j].text, m->places[h].text) == 0) return j;
    uint32_t own = m->map != NULL ? sn_skeleton_find(m->model->skeleton, handle) : SN_NONE;
    return own != SN_NONE ? m->map->pairs[own].source : SN_NONE;
}

static void match_handles(Matching* m) {
    for (uint32_t h = 0; h < m->handles->handle_count; h++) {
        uint32_t joint = find_joint(m, h);
        if (joint != SN_NONE && role_of(m->names->body[joint].text) != NULL) add_pair(m, h, joint);
    }
}

// Legs: the height of the hips above the lowest joint; without hips the whole height.
static float leg_scale(const Matching* m, const snMat4* world) {
    snBounds source = sn_bounds_empty();
    for (uint32_t j = 0; j < m->source->joint_count; j++)
        source = sn_bounds_add(source, sn_mat4_translation(&world[j]));
    snBounds model = sn_bounds_of(m->mesh->positions, m->mesh->vertex_count);
    float theirs = source.max.y - source.min.y, ours = model.max.y - model.min.y;
    for (uint32_t i = 0; i < m->count; i++) {
        if (!m->pairs[i].global) continue;
        theirs = sn_mat4_translation(&world[m->pairs[i].joint]).y - source.min.y;
        ours = m->handles->handles[m->pairs[i].handle].center.y - model.min.y;
    }
    return theirs > 0.0f && ours > 0.0f ? ours / theirs : 1.0f;
}

static snResult match_bodies(Matching* m, snError* error) {
    snJointMap* joints = NULL;
    if (m->model->skeleton->joint_count > 1) {
        snResult mapped = sn_joint_map_create(m->source, m->model->skeleton, &m->allocator, &joints, NULL);
        if (mapped == SN_RESULT_OUT_OF_MEMORY) return sni_fail_memory(error);
        if (mapped == SN_RESULT_OK) m->map = joints;
    }
    bool enough = place_handles(m) != SN_RESULT_OUT_OF_MEMORY;
    if (enough) match_handles(m);
    m->map = NULL;
    sn_joint_map_destroy(joints);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

// --------------------------------------------------------------------------------------------------- paths

// Bodies differ in more than size: the motion goes over to the handles as to the joints of a skeleton, and
// what they do there is captured.
static snResult retarget(const Matching* m, const snClip* clip, const snCaptureDef* def, snClip** out,
                         float* scale, snError* error) {
    snRetargetReport report;
    snRetargetDef asked = sn_retarget_def();
    asked.source = m->source;
    asked.clip = clip;
    asked.target = m->own;
    asked.map = m->fitting;
    asked.fps = def->fps;
    asked.from = asked.motion_from = def->from;
    asked.to = asked.motion_to = def->to;
    SNI_TRY(sn_retarget_clip(&asked, &m->allocator, out, &report, error));
    *scale = report.scale;
    return SN_RESULT_OK;
}

static snResult capture_own(const Matching* m, const snClip* clip, snCaptureDef def, float* scale,
                            snPaths** out, snError* error) {
    snClip* moved = NULL;
    snCapturePair* pairs = sni_copy_array(&m->allocator, m->pairs, m->count, sizeof *pairs);
    snResult result = pairs != NULL ? retarget(m, clip, &def, &moved, scale, error) : sni_fail_memory(error);
    for (uint32_t i = 0; i < m->count && pairs != NULL; i++) pairs[i].joint = pairs[i].handle;
    def.skeleton = m->own;
    def.clip = moved;
    def.pairs = pairs;
    def.from = 0.0f;
    def.to = SN_CLIP_END;
    def.scale = 1.0f;
    def.turned = true;
    if (result == SN_RESULT_OK) result = sn_capture_paths(&def, &m->allocator, out, error);
    sn_clip_destroy(moved);
    sni_free(&m->allocator, pairs);
    return result;
}

static snResult make_paths(const Matching* m, const snClip* clip, const snPathCaptureDef* asked,
                           snPathCaptureReport* report, snPaths** out, snError* error) {
    const snAllocator* memory = &m->allocator;
    snMat4* world = SNI_NEW_ARRAY(memory, snMat4, m->source->joint_count);
    if (world == NULL) return sni_fail_memory(error);
    sn_skeleton_world(m->source, NULL, world);
    snCaptureDef def = sn_capture_def();
    def.handles = m->handles;
    def.skeleton = m->source;
    def.clip = clip;
    def.fps = asked->fps;
    def.scale = leg_scale(m, world);
    def.pair_count = m->count;
    def.pairs = m->pairs;
    sni_free(memory, world);
    if (asked->to != SN_CLIP_END) def.to = asked->to;
    float begin = def.from;
    // Frames of a bind pose at the beginning are no part of the motion, unless they are asked for.
    if (asked->from == SN_MOTION_AUTO) SNI_TRY(sn_capture_begin(&def, memory, &begin, error));
    report->skipped = asked->from == SN_MOTION_AUTO && begin > def.from;
    def.from = asked->from == SN_MOTION_AUTO ? begin : asked->from;
    report->from = def.from;
    report->scale = def.scale;
    if (m->fitting != NULL) return capture_own(m, clip, def, &report->scale, out, error);
    return sn_capture_paths(&def, memory, out, error);
}

// Where nobody follows the hips, the feet say where the body is.
static void let_feet_lead(Matching* m) {
    for (uint32_t i = 0; i < m->count; i++)
        if (m->pairs[i].global) return;
    for (uint32_t i = 0; i < m->count; i++) m->pairs[i].global = m->pairs[i].contact;
}

static snResult capture(Matching* m, const snSource* source, const snPathCaptureDef* def,
                        snPathCaptureReport* report, snPaths** out, snError* error) {
    SNI_TRY(sn_joint_names_create(m->source, &m->allocator, &m->names, error));
    SNI_TRY(def->map != NULL ? use_map(m, def->map, error) : match_bodies(m, error));
    let_feet_lead(m);
    if (m->count == 0) {
        snResult result =
            sni_fail(error, SN_RESULT_NOT_FOUND, "no joint was recognised as one of the rig's handles");
        if (error != NULL) snprintf(error->file, sizeof error->file, "%s", source->name);
        return result;
    }
    return make_paths(m, source->model->clips[def->clip], def, report, out, error);
}

snResult sn_document_capture(snDocument* document, const snSource* source, const snPathCaptureDef* def,
                             snPathCaptureReport* report, snPaths** out, snError* error) {
    const snMesh* mesh = NULL;
    const snAllocator* memory = &document->allocator;
    SNI_TRY(sni_need_rig(document, error));
    if (def->clip >= source->model->clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "the source has no clip %u", def->clip);
    SNI_TRY(sni_document_mesh(document, &mesh, error));
    Matching m = {.model = document->state.body.model,
                  .mesh = mesh,
                  .handles = document->state.handled.rig,
                  .source = source->model->skeleton,
                  .allocator = document->allocator};
    snPathCaptureReport made = {.allocator = document->allocator};
    m.pairs = SNI_NEW_ARRAY(memory, snCapturePair, m.handles->handle_count);
    snResult result = m.pairs != NULL ? capture(&m, source, def, &made, out, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK && report != NULL) {
        *report = made;
        report->pairs = m.pairs;
        report->pair_count = m.count;
        m.pairs = NULL;
    }
    sn_joint_names_destroy(m.names);
    sn_joint_map_destroy(m.fitting);
    sn_skeleton_destroy(m.own);
    sni_free(memory, m.places);
    sni_free(memory, m.pairs);
    return result;
}
