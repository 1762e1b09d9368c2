#include "motion.h"

#include "gltf.h"

sniMotion sni_motion(const snAllocator* allocator) {
    sniMotion motion = {.names = sni_bytes(allocator), .allocator = *allocator};
    return motion;
}

void sni_motion_free(sniMotion* motion) {
    for (size_t j = 0; j < motion->joints.count && motion->tracks != NULL; j++) {
        sni_free(&motion->allocator, motion->tracks[j].rotations);
        sni_free(&motion->allocator, motion->tracks[j].translations);
    }
    sni_free(&motion->allocator, motion->tracks);
    sni_free(&motion->allocator, motion->joints.items);
    sni_bytes_free(&motion->names);
}

bool sni_motion_add(sniMotion* motion, const char* name, size_t length, const char* suffix, uint32_t parent,
                    snVec3 offset) {
    sniMotionJoint joint = {motion->names.size, parent, offset};
    // Room first: the name may lie in the block that grows.
    size_t size = length + strlen(suffix) + 1;
    bool inside = motion->names.data != NULL && (const uint8_t*)name >= motion->names.data &&
                  (const uint8_t*)name < motion->names.data + motion->names.size;
    size_t at = inside ? (size_t)((const uint8_t*)name - motion->names.data) : 0;
    uint8_t* to = sni_bytes_extend(&motion->names, size);
    if (to == NULL) return false;
    memcpy(to, inside ? (const char*)motion->names.data + at : name, length);
    memcpy(to + length, suffix, size - length);
    return sni_list_push(&motion->allocator, &motion->joints, &joint, sizeof joint);
}

sniMotionJoint* sni_motion_joint(const sniMotion* motion, size_t joint) {
    return (sniMotionJoint*)motion->joints.items + joint;
}

const char* sni_motion_name(const sniMotion* motion, size_t joint) {
    return (const char*)motion->names.data + sni_motion_joint(motion, joint)->name;
}

bool sni_motion_tracks(sniMotion* motion, uint32_t frame_count) {
    motion->frame_count = frame_count;
    motion->tracks = SNI_NEW_ARRAY(&motion->allocator, sniTrack, motion->joints.count);
    return motion->tracks != NULL;
}

bool sni_motion_track(sniMotion* motion, size_t joint, bool turns, bool moves) {
    sniTrack* track = &motion->tracks[joint];
    if (turns) track->rotations = SNI_NEW_ARRAY(&motion->allocator, snQuat, motion->frame_count);
    if (moves) track->translations = SNI_NEW_ARRAY(&motion->allocator, snVec3, motion->frame_count);
    return (!turns || track->rotations != NULL) && (!moves || track->translations != NULL);
}

// ------------------------------------------------------------------------------------------------- model

static uint32_t fill_channels(const sniMotion* motion, float* times, snChannel* channels) {
    for (uint32_t f = 0; f < motion->frame_count; f++) {
        times[f] = (float)((double)f * (double)motion->frame_time);
    }
    uint32_t count = 0;
    for (uint32_t j = 0; j < motion->joints.count; j++) {
        snChannel channel = {j,   SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, motion->frame_count, 3, times,
                             NULL};
        if (motion->tracks[j].translations != NULL) {
            channel.values = &motion->tracks[j].translations->x;
            channels[count++] = channel;
        }
        if (motion->tracks[j].rotations == NULL) continue;
        channel.path = SN_PATH_ROTATION;
        channel.width = 4;
        channel.values = &motion->tracks[j].rotations->x;
        channels[count++] = channel;
    }
    return count;
}

static void fill_skeleton(const sniMotion* motion, const char** names, uint32_t* parents, snTrs* rest) {
    for (size_t j = 0; j < motion->joints.count; j++) {
        names[j] = sni_motion_name(motion, j);
        parents[j] = sni_motion_joint(motion, j)->parent;
        rest[j] = sn_trs_identity();
        rest[j].translation = sni_motion_joint(motion, j)->offset;
    }
}

snResult sni_motion_model(const sniMotion* motion, const sniSource* source, snModel** out) {
    const snAllocator* memory = &motion->allocator;
    size_t joints = motion->joints.count;
    bool moving = motion->tracks != NULL && motion->frame_count > 0;
    const char** names = SNI_NEW_ARRAY(memory, const char*, joints);
    uint32_t* parents = SNI_NEW_ARRAY(memory, uint32_t, joints);
    snTrs* rest = SNI_NEW_ARRAY(memory, snTrs, joints);
    float* times = SNI_NEW_ARRAY(memory, float, moving ? motion->frame_count : 0);
    snChannel* channels = SNI_NEW_ARRAY(memory, snChannel, moving ? 2 * joints : 0);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (names == NULL || parents == NULL || rest == NULL || times == NULL || channels == NULL) {
        result = sni_fail_memory(source->error);
    } else {
        fill_skeleton(motion, names, parents, rest);
        char stem[SNI_STEM_MAX];
        sni_path_stem(source->name, stem);
        snClipDef clip = {.name = stem, .channels = channels};
        if (moving) clip.channel_count = fill_channels(motion, times, channels);
        snSkeletonDef skeleton = {(uint32_t)joints, names, parents, rest};
        snModelDef def = {.skeleton = &skeleton, .clip_count = clip.channel_count > 0, .clips = &clip};
        result = sni_source_model(source, &def, out);
    }
    void* arrays[] = {names, parents, rest, times, channels};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return result;
}

snQuat sni_axis_turn(int axis, float degrees) {
    // Halved in double: the angle is rounded once, not three times.
    float half = (float)((double)degrees * (3.14159265358979323846 / 360.0));
    float s = sn_sin(half);
    return sn_quat(axis == 0 ? s : 0.0f, axis == 1 ? s : 0.0f, axis == 2 ? s : 0.0f, sn_cos(half));
}
