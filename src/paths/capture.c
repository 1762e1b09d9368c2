// Motion-capture joints as paths (Hansen 2006 leaves them to future work).
#include "base/error.h"
#include "base/memory.h"
#include "rig/stretch.h"
#include "sinew/paths.h"

#define MOST_FRAMES 1000000u
// When a joint stands: this low above its ground, and this slow, in heights of the skeleton and heights a
// second; leaving takes more, so that noise does not lift it. They are those of
// src/retarget/foot_contacts.c, a leg being half of the height; what follows was judged.
#define LOW 0.025f
#define LOW_LEAVE 0.04f
#define SLOW 0.2f
#define SLOW_LEAVE 0.35f
// Shorter stands are a foot that brushes the ground; seconds.
#define SHORTEST 0.1f
// Frames left out beside a stand, so that the path comes to it smoothly.
#define APART 2u
// Distances between joints that change by no more in a frame are of one that stands still; by more, of one
// that jumps; in heights of the skeleton.
#define STILL 0.002f
#define JUMP 0.08f
// Seconds that a jump takes at most, where it lies between keys that are further apart than frames.
#define JUMP_TIME (1.0f / 24.0f)

snCaptureDef sn_capture_def(void) {
    snCaptureDef def = {.to = SN_CLIP_END};
    def.fps = 30.0f;
    def.scale = 1.0f;
    return def;
}

typedef struct Capture {
    const snCaptureDef* def;
    const snAllocator* memory;
    uint32_t frames;
    float from;
    float height; // of the source at rest, scaled
    snTrs* locals;
    snMat4* world;
    snVec3* places;  // pair_count * frames
    uint8_t* stands; // frames
    snPathKey* keys; // frames
    // Where the capture is turned:
    snMat4* rest;      // of the source's joints
    snQuat* turns;     // pair_count * frames
    snQuat* key_turns; // frames
} Capture;

static snResult check_capture(const snCaptureDef* def, snError* error) {
    if (def == NULL || def->handles == NULL || def->skeleton == NULL || def->clip == NULL ||
        (def->pairs == NULL && def->pair_count > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a capture needs handles, a skeleton and a clip");
    if (!(def->fps >= 1.0f && def->fps <= 1000.0f) || !(def->scale > 0.0f) || !sn_finite(def->scale))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a capture's rate or scale is out of range");
    if (def->pair_count == 0)
        return sni_fail(error, SN_RESULT_BAD_DATA, "no joint of the motion is a handle's");
    for (uint32_t i = 0; i < def->pair_count; i++) {
        const snCapturePair* pair = &def->pairs[i];
        if (pair->handle >= def->handles->handle_count || pair->joint >= def->skeleton->joint_count ||
            !(pair->strength >= 0.0f) || !sn_finite(pair->strength) ||
            !(pair->roll >= 0.0f && pair->roll <= 2.0f) || !(pair->reach >= 0.0f && pair->reach <= 1.0f))
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "pair %u of the capture is out of range", i);
    }
    return SN_RESULT_OK;
}

static float rest_height(const Capture* capture) {
    sn_skeleton_world(capture->def->skeleton, NULL, capture->world);
    float low = INFINITY, high = -INFINITY;
    for (uint32_t j = 0; j < capture->def->skeleton->joint_count; j++) {
        float y = sn_mat4_translation(&capture->world[j]).y;
        low = sn_minf(low, y);
        high = sn_maxf(high, y);
    }
    return sn_maxf((high - low) * capture->def->scale, 1e-6f);
}

// Where the joints of the pairs are in a frame, `stride` apart.
static void place_pairs(Capture* capture, uint32_t f, snVec3* places, uint32_t stride) {
    const snCaptureDef* def = capture->def;
    memcpy(capture->locals, def->skeleton->rest, def->skeleton->joint_count * sizeof *capture->locals);
    sn_clip_sample(def->clip, capture->from + (float)f / def->fps, SN_WRAP_CLAMP, def->skeleton->joint_count,
                   capture->locals);
    sn_skeleton_world(def->skeleton, capture->locals, capture->world);
    for (uint32_t i = 0; i < def->pair_count; i++)
        places[(size_t)i * stride] =
            sn_scale(sn_mat4_translation(&capture->world[def->pairs[i].joint]), def->scale);
}

// Rotations of the pairs' joints as they were posed last, against their rest pose.
static void turn_pairs(Capture* capture, uint32_t f) {
    const snCaptureDef* def = capture->def;
    for (uint32_t i = 0; i < def->pair_count; i++) {
        uint32_t joint = def->pairs[i].joint;
        snQuat now = sn_quat_from_mat4(&capture->world[joint]),
               rest = sn_quat_from_mat4(&capture->rest[joint]);
        capture->turns[(size_t)i * capture->frames + f] =
            sn_quat_normalize(sn_quat_mul(now, sn_quat_conjugate(rest)));
    }
}

static void sample(Capture* capture) {
    for (uint32_t f = 0; f < capture->frames; f++) {
        place_pairs(capture, f, capture->places + f, capture->frames);
        if (capture->def->turned) turn_pairs(capture, f);
    }
}

// -------------------------------------------------------------------------------------------------- stands

static float speed_at(const Capture* capture, const snVec3* places, uint32_t f) {
    uint32_t before = f > 0 ? f - 1 : f, after = f + 1 < capture->frames ? f + 1 : f;
    if (after == before) return 0.0f;
    return sn_distance(places[before], places[after]) * capture->def->fps / (float)(after - before);
}

static uint32_t shortest_stand(const Capture* capture) {
    return (uint32_t)(SHORTEST * capture->def->fps) + 1;
}

// The lowest level that the joint keeps to for as long as a stand takes. Single frames may be lower: many
// captures begin with the skeleton's own pose, whose feet hang below those of the motion.
static float ground_of(const Capture* capture, const snVec3* places) {
    uint32_t window = shortest_stand(capture);
    if (window > capture->frames) window = capture->frames;
    float ground = INFINITY;
    for (uint32_t f = 0; f + window <= capture->frames; f++) {
        float highest = places[f].y;
        for (uint32_t k = 1; k < window; k++) highest = sn_maxf(highest, places[f + k].y);
        ground = sn_minf(ground, highest);
    }
    return ground;
}

// Puts what touches the ground on that of the model: the lowest level that it keeps to is the height of its
// handle at rest, and nothing is below. The rest of the body goes along with their mean.
static void put_on_ground(Capture* capture) {
    const snCaptureDef* def = capture->def;
    float sum = 0.0f, count = 0.0f;
    for (uint32_t i = 0; i < def->pair_count; i++) {
        snVec3* places = capture->places + (size_t)i * capture->frames;
        if (!def->pairs[i].contact) continue;
        float level = def->handles->handles[def->pairs[i].handle].center.y;
        float lift = level - ground_of(capture, places);
        for (uint32_t f = 0; f < capture->frames; f++) places[f].y = sn_maxf(places[f].y + lift, level);
        sum += lift;
        count += 1.0f;
    }
    for (uint32_t i = 0; i < def->pair_count && count > 0.0f; i++) {
        snVec3* places = capture->places + (size_t)i * capture->frames;
        for (uint32_t f = 0; f < capture->frames && !def->pairs[i].contact; f++) places[f].y += sum / count;
    }
}

static void find_stands(Capture* capture, const snVec3* places, float level) {
    bool standing = false;
    for (uint32_t f = 0; f < capture->frames; f++) {
        float height = (places[f].y - level) / capture->height;
        float speed = speed_at(capture, places, f) / capture->height;
        standing = height < (standing ? LOW_LEAVE : LOW) && speed < (standing ? SLOW_LEAVE : SLOW);
        capture->stands[f] = standing ? 1 : 0;
    }
}

static uint32_t end_of_stand(const Capture* capture, uint32_t f) {
    while (f < capture->frames && capture->stands[f] != 0) f++;
    return f;
}

static bool is_near_stand(const Capture* capture, uint32_t f) {
    uint32_t begin = f > APART ? f - APART : 0;
    for (uint32_t k = begin; k <= f + APART && k < capture->frames; k++)
        if (capture->stands[k] != 0) return true;
    return false;
}

// Stands become one key at their mean place on the ground.
static uint32_t make_keys(Capture* capture, uint32_t pair, float level) {
    float fps = capture->def->fps;
    bool contact = capture->def->pairs[pair].contact;
    const snVec3* places = capture->places + (size_t)pair * capture->frames;
    const snQuat* turns = capture->turns != NULL ? capture->turns + (size_t)pair * capture->frames : NULL;
    uint32_t count = 0, shortest = shortest_stand(capture);
    if (contact)
        find_stands(capture, places, level);
    else
        memset(capture->stands, 0, capture->frames);
    for (uint32_t f = 0; f < capture->frames; f++) {
        uint32_t end = end_of_stand(capture, f);
        if (end > f && end - f < shortest) memset(capture->stands + f, 0, end - f);
        f = end > f ? end - 1 : f;
    }
    for (uint32_t f = 0; f < capture->frames; f++) {
        uint32_t end = end_of_stand(capture, f);
        snPathKey key = {(float)f / fps, 0.0f, places[f]};
        if (end == f && is_near_stand(capture, f)) continue;
        if (end > f) {
            snVec3 sum = {0.0f, 0.0f, 0.0f};
            for (uint32_t k = f; k < end; k++) sum = sn_add(sum, places[k]);
            key.place = sn_scale(sum, 1.0f / (float)(end - f));
            key.place.y = level;
            key.rest = (float)(end - 1 - f) / fps;
        }
        uint32_t middle = end > f ? f + (end - f) / 2 : f;
        if (turns != NULL) capture->key_turns[count] = turns[middle];
        if (end > f) f = end - 1;
        capture->keys[count++] = key;
    }
    return count;
}

// --------------------------------------------------------------------------------------------------- paths

static snResult make_paths(Capture* capture, snPaths** out, snError* error) {
    const snCaptureDef* def = capture->def;
    snPaths* paths = SNI_NEW(capture->memory, snPaths);
    if (paths == NULL) return sni_fail_memory(error);
    paths->allocator = *capture->memory;
    paths->paths = SNI_NEW_ARRAY(capture->memory, snPathDef, def->pair_count);
    for (uint32_t i = 0; paths->paths != NULL && i < def->pair_count; i++) {
        const snCapturePair* pair = &def->pairs[i];
        snVec3 center = def->handles->handles[pair->handle].center;
        uint32_t count = make_keys(capture, i, center.y);
        snPathKey* keys = sni_copy_array(capture->memory, capture->keys, count, sizeof *keys);
        snQuat* turns =
            def->turned ? sni_copy_array(capture->memory, capture->key_turns, count, sizeof *turns) : NULL;
        if (keys == NULL || (turns == NULL && def->turned)) {
            sni_free(capture->memory, keys);
            sni_free(capture->memory, turns);
            break;
        }
        paths->paths[i] = (snPathDef){.handle = pair->handle,
                                      .point = center,
                                      .strength = pair->strength,
                                      .smooth = true,
                                      .contact = pair->contact,
                                      .global = pair->global,
                                      .roll = pair->roll,
                                      .reach = pair->reach,
                                      .key_count = count,
                                      .keys = keys,
                                      .turns = turns};
        paths->path_count = i + 1;
    }
    if (paths->path_count == def->pair_count) {
        *out = paths;
        return SN_RESULT_OK;
    }
    sn_paths_destroy(paths);
    return sni_fail_memory(error);
}

static snResult count_frames(Capture* capture, snError* error) {
    const snCaptureDef* def = capture->def;
    float to = 0.0f;
    SNI_TRY(sni_stretch_end(def->clip, def->from, def->to, &to, error));
    float span = (to - def->from) * def->fps;
    if (!(span < (float)MOST_FRAMES))
        return sni_fail(error, SN_RESULT_LIMIT, "the capture has more than %u frames", MOST_FRAMES);
    capture->frames = (uint32_t)(span + 1e-3f) + 1;
    return SN_RESULT_OK;
}

static void give_back(Capture* capture) {
    void* room[] = {capture->locals, capture->world, capture->places, capture->stands,
                    capture->keys,   capture->rest,  capture->turns,  capture->key_turns};
    for (size_t i = 0; i < sizeof room / sizeof room[0]; i++) sni_free(capture->memory, room[i]);
}

snResult sn_capture_paths(const snCaptureDef* def, const snAllocator* allocator, snPaths** out,
                          snError* error) {
    snResult result = check_capture(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    Capture capture = {.def = def, .memory = &memory, .from = def->from};
    result = count_frames(&capture, error);
    if (result != SN_RESULT_OK) return result;
    uint32_t joints = def->skeleton->joint_count;
    size_t all = 0;
    if (!sni_mul_size(capture.frames, def->pair_count, &all)) return sni_fail_memory(error);
    capture.locals = SNI_NEW_ARRAY(&memory, snTrs, joints);
    capture.world = SNI_NEW_ARRAY(&memory, snMat4, joints);
    capture.places = SNI_NEW_ARRAY(&memory, snVec3, all);
    capture.stands = SNI_NEW_ARRAY(&memory, uint8_t, capture.frames);
    capture.keys = SNI_NEW_ARRAY(&memory, snPathKey, capture.frames);
    if (def->turned) {
        capture.rest = SNI_NEW_ARRAY(&memory, snMat4, joints);
        capture.turns = SNI_NEW_ARRAY(&memory, snQuat, all);
        capture.key_turns = SNI_NEW_ARRAY(&memory, snQuat, capture.frames);
    }
    bool turns = !def->turned || (capture.rest != NULL && capture.turns != NULL && capture.key_turns != NULL);
    if (capture.locals == NULL || capture.world == NULL || capture.places == NULL || capture.stands == NULL ||
        capture.keys == NULL || !turns) {
        result = sni_fail_memory(error);
    } else {
        capture.height = rest_height(&capture);
        if (def->turned) memcpy(capture.rest, capture.world, joints * sizeof *capture.rest);
        sample(&capture);
        put_on_ground(&capture);
        result = make_paths(&capture, out, error);
    }
    give_back(&capture);
    return result;
}

// --------------------------------------------------------------------------------------------------- begin

// By how much distances between the joints of pairs change into frame f, of the height: the same wherever the
// body is and however it is turned.
static float change_into(Capture* capture, uint32_t f) {
    uint32_t count = capture->def->pair_count;
    snVec3 *before = capture->places, *now = before + count;
    float most = 0.0f;
    place_pairs(capture, f - 1, before, 1);
    place_pairs(capture, f, now, 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            most = sn_maxf(most, fabsf(sn_distance(now[i], now[k]) - sn_distance(before[i], before[k])));
    return most / capture->height;
}

// What goes on as fast, or for longer than a jump takes, is a motion.
static float find_begin(Capture* capture) {
    uint32_t f = 1, count = 1, most = (uint32_t)(JUMP_TIME * capture->def->fps) + 1;
    float change = 0.0f;
    for (; f < capture->frames && !(change > STILL); f++) change = change_into(capture, f);
    float sum = change, largest = change; // into the frame before
    for (; f < capture->frames && count <= most; f++, count++) {
        change = change_into(capture, f);
        if (change < 0.3f * largest) break;
        sum += change;
        largest = sn_maxf(largest, change);
    }
    if (f >= capture->frames || count > most || !(sum > JUMP)) return capture->from;
    if (count < most && change > 0.1f * largest) f++; // the rest of the last step between two keys
    return capture->from + (float)(f - 1) / capture->def->fps;
}

snResult sn_capture_begin(const snCaptureDef* def, const snAllocator* allocator, float* out, snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a place for the time is needed");
    SNI_TRY(check_capture(def, error));
    snAllocator memory = sni_allocator(allocator);
    Capture capture = {.def = def, .memory = &memory, .from = def->from};
    SNI_TRY(count_frames(&capture, error));
    capture.locals = SNI_NEW_ARRAY(&memory, snTrs, def->skeleton->joint_count);
    capture.world = SNI_NEW_ARRAY(&memory, snMat4, def->skeleton->joint_count);
    capture.places = SNI_NEW_ARRAY(&memory, snVec3, 2 * (size_t)def->pair_count);
    bool room = capture.locals != NULL && capture.world != NULL && capture.places != NULL;
    if (room) {
        capture.height = rest_height(&capture);
        *out = find_begin(&capture);
    }
    give_back(&capture);
    return room ? SN_RESULT_OK : sni_fail_memory(error);
}
