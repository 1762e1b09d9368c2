// Animations become clips: a channel per animated part of a joint, and the weights of morph targets.
#include "assimp_scene.h"
#include "gltf.h"

typedef struct Clip {
    sniScene* s;
    double rate; // ticks a second
    uint32_t channel_count;
    snChannel* channels;
    uint32_t lost; // channels of nodes that do not exist
} Clip;

// Room for a channel of `keys` keys, added once its keys are in.
static bool new_channel(Clip* clip, uint32_t joint, snChannelPath path, unsigned keys, uint32_t width,
                        snChannel* out) {
    *out =
        (snChannel){.joint = joint, .path = path, .interpolation = SN_INTERPOLATION_LINEAR, .width = width};
    out->times = SNI_ARENA_ARRAY(&clip->s->arena, float, keys);
    out->values = SNI_ARENA_ARRAY(&clip->s->arena, float, (size_t)keys* width);
    return out->times != NULL && out->values != NULL;
}

// Where the key's value goes; NULL for one that does not come after the key before it.
static float* next_key(const Clip* clip, snChannel* channel, double ticks) {
    float time = (float)(ticks / clip->rate);
    if (channel->key_count > 0 && !(time > channel->times[channel->key_count - 1])) return NULL;
    channel->times[channel->key_count] = time;
    return &channel->values[(size_t)channel->key_count++ * channel->width];
}

static void put_key(const Clip* clip, snChannel* channel, double ticks, const float* value) {
    float* to = next_key(clip, channel, ticks);
    if (to != NULL) memcpy(to, value, channel->width * sizeof *to);
}

// assimp writes a channel for all three parts of a node when one of them moves. Those that only repeat the
// rest are left out.
static bool repeats_rest(const snChannel* channel, const snTrs* rest) {
    const float* still = channel->path == SN_PATH_ROTATION      ? &rest->rotation.x
                         : channel->path == SN_PATH_TRANSLATION ? &rest->translation.x
                                                                : &rest->scale.x;
    float sign = 1.0f;
    for (uint32_t k = 0; k < channel->key_count; k++) {
        const float* value = &channel->values[(size_t)k * channel->width];
        if (channel->path == SN_PATH_ROTATION) {
            sign =
                value[0] * still[0] + value[1] * still[1] + value[2] * still[2] + value[3] * still[3] < 0.0f
                    ? -1.0f
                    : 1.0f;
        }
        for (uint32_t i = 0; i < channel->width; i++) {
            if (!(fabsf(value[i] * sign - still[i]) <= 1e-6f)) return false;
        }
    }
    return true;
}

static void add_channel(Clip* clip, const snChannel* channel) {
    if (channel->key_count == 0) return;
    if (channel->path != SN_PATH_MORPH && repeats_rest(channel, &clip->s->rest[channel->joint])) return;
    clip->channels[clip->channel_count++] = *channel;
}

static bool add_vectors(Clip* clip, uint32_t joint, snChannelPath path, const struct aiVectorKey* keys,
                        unsigned count, float factor) {
    snChannel channel;
    if (!new_channel(clip, joint, path, count, 3, &channel)) return false;
    for (unsigned k = 0; k < count; k++) {
        struct aiVector3D v = keys[k].mValue;
        snVec3 value = sn_scale(sn_vec3(v.x, v.y, v.z), factor);
        put_key(clip, &channel, keys[k].mTime, &value.x);
    }
    add_channel(clip, &channel);
    return true;
}

static bool add_rotations(Clip* clip, uint32_t joint, const struct aiQuatKey* keys, unsigned count) {
    snChannel channel;
    if (!new_channel(clip, joint, SN_PATH_ROTATION, count, 4, &channel)) return false;
    for (unsigned k = 0; k < count; k++) {
        struct aiQuaternion q = keys[k].mValue;
        snQuat value = sn_quat_normalize(sn_quat(q.x, q.y, q.z, q.w));
        put_key(clip, &channel, keys[k].mTime, &value.x);
    }
    add_channel(clip, &channel);
    return true;
}

// Lengths of a joint's own keys in metres, and scales without what was folded.
static void factors(const sniScene* s, uint32_t joint, float* translation, float* scale) {
    *translation = s->scales[joint] / s->folded[joint];
    *scale = 1.0f / s->folded[joint];
}

static bool add_node(Clip* clip, const struct aiNodeAnim* node) {
    const sniScene* s = clip->s;
    if (strstr(node->mNodeName.data, "_$AssimpFbx$_") != NULL) return true; // add_merged has these
    uint32_t joint = sni_scene_find(s, node->mNodeName.data);
    clip->lost += joint == SN_NONE;
    if (joint == SN_NONE) return true;
    float above, own;
    factors(s, joint, &above, &own);
    return add_vectors(clip, joint, SN_PATH_TRANSLATION, node->mPositionKeys, node->mNumPositionKeys,
                       above) &&
           add_rotations(clip, joint, node->mRotationKeys, node->mNumRotationKeys) &&
           add_vectors(clip, joint, SN_PATH_SCALE, node->mScalingKeys, node->mNumScalingKeys, own);
}

// The three channels of a joint that assimp has spread over helper nodes.
static bool add_merged(Clip* clip, const struct aiAnimation* animation, uint32_t joint) {
    sniMerged merged;
    if (!sni_scene_merge_links(clip->s, animation, clip->s->nodes[joint], &merged)) return false;
    float above, own;
    factors(clip->s, joint, &above, &own);
    snChannel move, turn, grow;
    if (!new_channel(clip, joint, SN_PATH_TRANSLATION, merged.count, 3, &move) ||
        !new_channel(clip, joint, SN_PATH_ROTATION, merged.count, 4, &turn) ||
        !new_channel(clip, joint, SN_PATH_SCALE, merged.count, 3, &grow)) {
        return false;
    }
    for (uint32_t k = 0; k < merged.count; k++) {
        snTrs local = merged.locals[k];
        local.translation = sn_scale(local.translation, above);
        local.scale = sn_scale(local.scale, own);
        put_key(clip, &move, merged.times[k], &local.translation.x);
        put_key(clip, &turn, merged.times[k], &local.rotation.x);
        put_key(clip, &grow, merged.times[k], &local.scale.x);
    }
    add_channel(clip, &move);
    add_channel(clip, &turn);
    add_channel(clip, &grow);
    return true;
}

// ------------------------------------------------------------------------------------------------ morphs

// The part whose node or mesh a morph animation names: "node", "mesh", or FBX's "node*0".
static const snPartDef* find_part(const sniScene* s, const char* name) {
    size_t length = strcspn(name, "*");
    for (uint32_t p = 0; p < s->part_count; p++) {
        const snPartDef* part = &s->parts[p];
        const char* node = s->names[part->joint];
        if (part->morph_count > 0 && strlen(node) == length && strncmp(node, name, length) == 0) return part;
    }
    for (uint32_t p = 0; p < s->part_count; p++) {
        const struct aiNode* node = s->nodes[s->parts[p].joint];
        const char* mesh = s->scene->mMeshes[node->mMeshes[0]]->mName.data;
        if (s->parts[p].morph_count > 0 && strcmp(mesh, name) == 0) return &s->parts[p];
    }
    return NULL;
}

static bool add_morph(Clip* clip, const struct aiMeshMorphAnim* morph) {
    const snPartDef* part = find_part(clip->s, morph->mName.data);
    if (part == NULL) {
        clip->lost++;
        return true;
    }
    snChannel channel;
    if (!new_channel(clip, part->joint, SN_PATH_MORPH, morph->mNumKeys, part->morph_count, &channel)) {
        return false;
    }
    for (unsigned k = 0; k < morph->mNumKeys; k++) {
        const struct aiMeshMorphKey* key = &morph->mKeys[k];
        float* value = next_key(clip, &channel, key->mTime);
        for (unsigned i = 0; value != NULL && i < key->mNumValuesAndWeights; i++) {
            if (key->mValues[i] < part->morph_count) value[key->mValues[i]] = (float)key->mWeights[i];
        }
    }
    add_channel(clip, &channel);
    return true;
}

// ----------------------------------------------------------------------------------------------- the clip

// Two animations of the same part of a joint cannot both be right; the first stays.
static void drop_doubles(Clip* clip) {
    uint32_t kept = 0;
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        const snChannel* channel = &clip->channels[c];
        uint32_t d = 0;
        while (d < kept &&
               (clip->channels[d].joint != channel->joint || clip->channels[d].path != channel->path)) {
            d++;
        }
        if (d == kept) clip->channels[kept++] = *channel;
    }
    clip->channel_count = kept;
}

static bool convert_clip(sniScene* s, const struct aiAnimation* animation, snClipDef* out) {
    if (s->fbx != NULL) animation = sni_fbx_refine(s->fbx, animation);
    // Formats without a rate leave 0; 25 is what assimp's own viewer plays then.
    double rate = animation->mTicksPerSecond > 0.0 ? animation->mTicksPerSecond : 25.0;
    Clip clip = {.s = s, .rate = rate};
    size_t most = ((size_t)animation->mNumChannels + s->joint_count) * 3 + animation->mNumMorphMeshChannels;
    clip.channels = SNI_ARENA_ARRAY(&s->arena, snChannel, most);
    if (clip.channels == NULL) return false;
    for (unsigned c = 0; c < animation->mNumChannels; c++) {
        if (!add_node(&clip, animation->mChannels[c])) return false;
    }
    for (uint32_t j = 0; j < s->joint_count; j++) {
        if (sni_scene_has_links(s->nodes[j]) && !add_merged(&clip, animation, j)) return false;
    }
    for (unsigned c = 0; c < animation->mNumMorphMeshChannels; c++) {
        if (!add_morph(&clip, animation->mMorphMeshChannels[c])) return false;
    }
    drop_doubles(&clip);
    if (clip.lost > 0) {
        sni_scene_note(s, "%u channels of \"%.80s\" move nodes that do not exist", clip.lost,
                       animation->mName.data);
    }
    float duration = (float)(animation->mDuration / rate);
    *out = (snClipDef){animation->mName.data, duration > 0.0f && sn_finite(duration) ? duration : 0.0f,
                       clip.channel_count, clip.channels};
    return true;
}

bool sni_scene_clips(sniScene* s) {
    s->clips = SNI_ARENA_ARRAY(&s->arena, snClipDef, s->scene->mNumAnimations);
    if (s->clips == NULL) return false;
    for (unsigned a = 0; a < s->scene->mNumAnimations; a++) {
        if (!convert_clip(s, s->scene->mAnimations[a], &s->clips[s->clip_count])) return false;
        s->clip_count++;
    }
    return true;
}
