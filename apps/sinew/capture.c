#include "capture.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "json_file.h"
#include "motion.h"

// What a joint is for the body, after its anatomical name (sn_skeleton_anatomy).
typedef struct Role {
    const char* pattern;
    float strength;
    bool contact, global;
} Role;
static const Role roles[] = {{"Hips", 1.0f, false, true},
                             {"*Ankle", 1.0f, true, false},
                             {"*Wrist", 0.5f, false, false},
                             {"Head", 0.5f, false, false}};

static const Role* role_of(const char* anatomy) {
    for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
        if (sn_name_matches(roles[i].pattern, anatomy)) return &roles[i];
    return NULL;
}

typedef struct Matching {
    const cliHandled* handled;
    const snSkeleton* source;
    snJointNames* names;   // of the source
    snJointName* places;   // what handles are for the body; "" where they are no part of one
    const snJointMap* map; // from the source to the model's own skeleton, or NULL
    snCapturePair* pairs;  // handle_count
    uint32_t count;
    snResult result; // of reading --map
    snError* error;
    char at[SNI_POINTER_MAX];
} Matching;

static void add_pair(Matching* m, uint32_t handle, uint32_t joint) {
    const Role* role = role_of(m->names->body[joint].text);
    snCapturePair pair = {handle,
                          joint,
                          role != NULL ? role->strength : 1.0f,
                          role != NULL && role->contact,
                          role != NULL && role->global,
                          role != NULL && role->contact ? 1.0f : 0.0f};
    if (m->count < m->handled->handles->handle_count) m->pairs[m->count++] = pair;
}

// ------------------------------------------------------------------------------------------------------ maps

static void read_pair(void* user, const char* name, sniJsonValue* value) {
    Matching* m = user;
    sniJson json = sni_json_root(value);
    const char* joint_name = sni_json_text(&json);
    char found[64];
    if (m->result != SN_RESULT_OK) return;
    snprintf(m->at, sizeof m->at, "/joints/%.100s", name);
    sni_json_describe(&json, found, sizeof found);
    uint32_t handle = sn_handles_find(m->handled->handles, name);
    uint32_t joint = joint_name != NULL ? sn_joint_names_find(m->names, joint_name) : SN_NONE;
    if (handle == SN_NONE)
        m->result = sni_fail(m->error, SN_RESULT_NOT_FOUND, "%s is no handle of the rig", name);
    else if (joint_name == NULL && strcmp(found, "null") != 0)
        m->result =
            sni_fail(m->error, SN_RESULT_BAD_DATA, "%s is %s, expected a joint's name or null", m->at, found);
    else if (joint_name != NULL && joint == SN_NONE)
        m->result = sni_fail(m->error, SN_RESULT_NOT_FOUND, "%s is no joint of the motion", joint_name);
    else if (joint != SN_NONE)
        add_pair(m, handle, joint);
}

// {"joints": {"HANDLE": "JOINT", "OTHER": null}}
static cliExit read_map(Matching* m, const char* path) {
    cliContext* context = m->handled->context;
    cliJsonFile file;
    snError error = sn_error_none();
    m->error = &error;
    snResult result = json_file_open(context, path, &file, &error);
    if (result == SN_RESULT_OK) {
        sniJsonValue* joints = sni_json_find(file.json, "joints");
        sniJson list = sni_json_root(joints);
        if (sni_json_is_object(&list))
            sni_json_each(joints, read_pair, m);
        else
            m->result = sni_fail(&error, SN_RESULT_BAD_DATA,
                                 "has no object \"joints\" that names handles and joints");
        result = json_file_place(&file, m->at, m->result, &error);
    }
    json_file_close(&file);
    m->error = NULL;
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
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

// Handles as joints: each hangs on the first that it follows, at its centre.
static snResult make_skeleton(const snHandles* handles, const snAllocator* memory, snSkeleton** out) {
    uint32_t count = handles->handle_count;
    const char** names = SNI_NEW_ARRAY(memory, const char*, count);
    uint32_t* parents = SNI_NEW_ARRAY(memory, uint32_t, count);
    snTrs* rest = SNI_NEW_ARRAY(memory, snTrs, count);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (names != NULL && parents != NULL && rest != NULL) {
        for (uint32_t h = 0; h < count; h++) parents[h] = SN_NONE;
        for (uint32_t h = 0; h < count; h++) {
            const snHandle* handle = &handles->handles[h];
            for (uint32_t i = 0; i < handle->follower_count; i++)
                if (parents[handle->followers[i]] == SN_NONE) parents[handle->followers[i]] = h;
        }
        for (uint32_t h = 0; h < count; h++) {
            names[h] = handles->handles[h].name;
            rest[h] = sn_trs_identity();
            rest[h].translation = handles->handles[h].centre;
            if (parents[h] != SN_NONE)
                rest[h].translation = sn_sub(rest[h].translation, handles->handles[parents[h]].centre);
        }
        snSkeletonDef def = {count, names, parents, rest};
        result = sn_skeleton_create(&def, memory, out, NULL);
    }
    sni_free(memory, names);
    sni_free(memory, parents);
    sni_free(memory, rest);
    return result;
}

// What handles are for the body, where together they are one: that of a scorpion has feet too, but no
// person's.
static snResult place_handles(Matching* m) {
    const snAllocator* memory = &m->handled->context->memory;
    uint32_t count = m->handled->handles->handle_count;
    snSkeleton* skeleton = NULL;
    snJointMap* map = NULL;
    m->places = SNI_NEW_ARRAY(memory, snJointName, count);
    if (m->places == NULL) return SN_RESULT_OUT_OF_MEMORY;
    snResult result = make_skeleton(m->handled->handles, memory, &skeleton);
    if (result == SN_RESULT_OK) result = sn_skeleton_anatomy(skeleton, memory, m->places);
    if (result == SN_RESULT_OK) result = sn_joint_map_create(m->source, skeleton, memory, &map, NULL);
    bool person = result == SN_RESULT_OK && map->score >= SN_JOINT_MAP_USABLE;
    for (uint32_t h = 0; h < count && !person; h++) m->places[h].text[0] = '\0';
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(skeleton);
    return result;
}

static bool only_one(const Matching* m, uint32_t handle) {
    for (uint32_t h = 0; h < m->handled->handles->handle_count; h++)
        if (h != handle && strcmp(m->places[h].text, m->places[handle].text) == 0) return false;
    return m->places[handle].text[0] != '\0';
}

// A joint of the same name or place in the body, or the one that drives the model's joint of the handle's
// name.
static uint32_t find_joint(const Matching* m, uint32_t h) {
    const char* handle = m->handled->handles->handles[h].name;
    for (uint32_t j = 0; j < m->source->joint_count; j++)
        if (same_name(m->source->names[j], handle) || same_name(m->names->body[j].text, handle)) return j;
    for (uint32_t j = 0; j < m->source->joint_count && only_one(m, h); j++)
        if (strcmp(m->names->body[j].text, m->places[h].text) == 0) return j;
    uint32_t own = m->map != NULL ? sn_skeleton_find(m->handled->model->skeleton, handle) : SN_NONE;
    return own != SN_NONE ? m->map->pairs[own].source : SN_NONE;
}

static void match_handles(Matching* m) {
    for (uint32_t h = 0; h < m->handled->handles->handle_count; h++) {
        uint32_t joint = find_joint(m, h);
        if (joint != SN_NONE && role_of(m->names->body[joint].text) != NULL) add_pair(m, h, joint);
    }
}

// Legs: the height of the hips above the lowest joint; without hips the whole height.
static float leg_scale(const Matching* m, const snMat4* world) {
    const cliHandled* handled = m->handled;
    snBounds source = sn_bounds_empty();
    for (uint32_t j = 0; j < m->source->joint_count; j++)
        source = sn_bounds_add(source, sn_mat4_translation(&world[j]));
    snBounds model = sn_bounds_of(handled->mesh->positions, handled->mesh->vertex_count);
    float theirs = source.max.y - source.min.y, ours = model.max.y - model.min.y;
    for (uint32_t i = 0; i < m->count; i++) {
        if (!m->pairs[i].global) continue;
        theirs = sn_mat4_translation(&world[m->pairs[i].joint]).y - source.min.y;
        ours = handled->handles->handles[m->pairs[i].handle].centre.y - model.min.y;
    }
    return theirs > 0.0f && ours > 0.0f ? ours / theirs : 1.0f;
}

// Frames of a bind pose at the beginning are no part of the motion, unless they are asked for.
static cliExit skip_bind(cliContext* context, snCaptureDef* def) {
    snError error = sn_error_none();
    float begin = def->from;
    if (cli_given(context->arguments, "from")) return CLI_DONE;
    if (sn_capture_begin(def, &context->memory, &begin, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    if (begin > def->from)
        context_say(context, "the motion begins at %.3f s, after a bind pose; --from %g plays that too",
                    (double)begin, (double)def->from);
    def->from = begin;
    return CLI_DONE;
}

static cliExit make_paths(const Matching* m, const snModel* motion, uint32_t clip, float fps, snPaths** out) {
    cliContext* context = m->handled->context;
    snMat4* world = SNI_NEW_ARRAY(&context->memory, snMat4, m->source->joint_count);
    if (world == NULL) return context_fail_memory(context);
    sn_skeleton_world(m->source, NULL, world);
    snCaptureDef def = sn_capture_def();
    def.handles = m->handled->handles;
    def.skeleton = m->source;
    def.clip = motion->clips[clip];
    def.fps = fps;
    def.scale = leg_scale(m, world);
    def.pair_count = m->count;
    def.pairs = m->pairs;
    sni_free(&context->memory, world);
    cliExit code = motion_range(context, def.clip, &def.from, &def.to);
    if (code != CLI_DONE) return code;
    code = skip_bind(context, &def);
    if (code != CLI_DONE) return code;
    for (uint32_t i = 0; i < m->count; i++)
        context_say(context, "%s follows %s", def.handles->handles[m->pairs[i].handle].name,
                    m->source->names[m->pairs[i].joint]);
    context_say(context, "the motion is scaled by %.4g", (double)def.scale);
    snError error = sn_error_none();
    snResult result = sn_capture_paths(&def, &context->memory, out, &error);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

static cliExit match(Matching* m, const snModel* motion, uint32_t clip, float fps, snPaths** out) {
    cliContext* context = m->handled->context;
    const char* map = cli_text(context->arguments, "map");
    snJointMap* joints = NULL;
    cliExit code = CLI_DONE;
    if (map != NULL) {
        code = read_map(m, map);
    } else {
        if (m->handled->model->skeleton->joint_count > 1 &&
            sn_joint_map_create(m->source, m->handled->model->skeleton, &context->memory, &joints, NULL) ==
                SN_RESULT_OK)
            m->map = joints;
        if (place_handles(m) == SN_RESULT_OUT_OF_MEMORY)
            code = context_fail_memory(context);
        else
            match_handles(m);
    }
    sn_joint_map_destroy(joints);
    if (code == CLI_DONE && m->count == 0) {
        fprintf(stderr, "%s: no joint was recognised as one of the rig's handles; --map names them\n",
                context->arguments->operands[1]);
        return CLI_BAD_INPUT;
    }
    return code == CLI_DONE ? make_paths(m, motion, clip, fps, out) : code;
}

cliExit capture_paths(const cliHandled* handled, const char* path, float fps, snPaths** out) {
    cliContext* context = handled->context;
    const snAllocator* memory = &context->memory;
    snSource* source = NULL;
    uint32_t clip = SN_CLIP_REST;
    cliExit code = context_source(context, path, SN_IMAGES_NONE, &source);
    if (code == CLI_DONE) code = motion_clip(context, source, &clip);
    if (code == CLI_DONE) {
        const snModel* motion = sn_source_model(source);
        Matching m = {.handled = handled, .source = motion->skeleton};
        m.pairs = SNI_NEW_ARRAY(memory, snCapturePair, handled->handles->handle_count);
        bool named = m.pairs != NULL &&
                     sn_joint_names_create(motion->skeleton, memory, &m.names, NULL) == SN_RESULT_OK;
        code = named ? match(&m, motion, clip, fps, out) : context_fail_memory(context);
        sn_joint_names_destroy(m.names);
        sni_free(memory, m.places);
        sni_free(memory, m.pairs);
    }
    sn_source_close(source);
    return code;
}
