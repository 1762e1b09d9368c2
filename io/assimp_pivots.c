// FBX places a node by a chain: translation, pivots, rotation before and after, scale. assimp makes a helper
// node of each link that matters and animates the links; where the chain has no pivots it animates the node
// under its own name instead, by the product of all links. Here a chain is one joint again.
//
// The alternative, AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS off, gives the right rest but loses the animation of
// every node with a pivot.
#include <stdlib.h>

#include "assimp_scene.h"

// Longer chains than assimp makes do not come from FBX.
enum { LINKS_MAX = 64 };

bool sni_scene_is_link(const struct aiNode* node) {
    return node->mNumMeshes == 0 && strstr(node->mName.data, "_$AssimpFbx$_") != NULL;
}

bool sni_scene_has_links(const struct aiNode* node) {
    return node->mParent != NULL && sni_scene_is_link(node->mParent);
}

snMat4 sni_scene_local(const struct aiNode* node) {
    snMat4 local = sni_scene_matrix(&node->mTransformation);
    for (; sni_scene_has_links(node); node = node->mParent) {
        snMat4 link = sni_scene_matrix(&node->mParent->mTransformation);
        local = sn_mat4_mul(&link, &local);
    }
    return local;
}

// ---------------------------------------------------------------------------------------------- sampling

// The key at or before a time and how far it is to the next; the ends hold.
typedef struct Place {
    unsigned key;
    float part;
} Place;

// `keys` begin with their time as a double, as all of assimp's do, and are `size` bytes each; 1 or more.
static double time_of(const void* keys, size_t size, unsigned k) {
    double time;
    memcpy(&time, (const uint8_t*)keys + k * size, sizeof time);
    return time;
}

static Place find_place(const void* keys, size_t size, unsigned count, double time) {
    unsigned low = 0, high = count - 1;
    while (low < high) {
        unsigned middle = low + (high - low + 1) / 2;
        if (time_of(keys, size, middle) <= time) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    Place place = {low, 0.0f};
    if (low + 1 < count && time > time_of(keys, size, low)) {
        double begin = time_of(keys, size, low);
        place.part = (float)((time - begin) / (time_of(keys, size, low + 1) - begin));
    }
    return place;
}

static snVec3 sample_vector(const struct aiVectorKey* keys, unsigned count, double time, snVec3 missing) {
    if (count == 0) return missing;
    Place place = find_place(keys, sizeof *keys, count, time);
    struct aiVector3D a = keys[place.key].mValue;
    if (place.part == 0.0f) return sn_vec3(a.x, a.y, a.z);
    struct aiVector3D b = keys[place.key + 1].mValue;
    return sn_lerp(sn_vec3(a.x, a.y, a.z), sn_vec3(b.x, b.y, b.z), place.part);
}

static snQuat sample_rotation(const struct aiQuatKey* keys, unsigned count, double time, snQuat missing) {
    if (count == 0) return missing;
    Place place = find_place(keys, sizeof *keys, count, time);
    struct aiQuaternion a = keys[place.key].mValue;
    if (place.part == 0.0f) return sn_quat_normalize(sn_quat(a.x, a.y, a.z, a.w));
    struct aiQuaternion b = keys[place.key + 1].mValue;
    return sn_quat_slerp(sn_quat_normalize(sn_quat(a.x, a.y, a.z, a.w)),
                         sn_quat_normalize(sn_quat(b.x, b.y, b.z, b.w)), place.part);
}

static snMat4 sample_link(const struct aiNode* node, const struct aiNodeAnim* channel, double time) {
    snMat4 still = sni_scene_matrix(&node->mTransformation);
    if (channel == NULL) return still;
    snTrs rest;
    sn_trs_from_mat4(&still, &rest);
    snTrs now = {
        sample_vector(channel->mPositionKeys, channel->mNumPositionKeys, time, rest.translation),
        sample_rotation(channel->mRotationKeys, channel->mNumRotationKeys, time, rest.rotation),
        sample_vector(channel->mScalingKeys, channel->mNumScalingKeys, time, rest.scale),
    };
    return sn_mat4_from_trs(&now);
}

// ------------------------------------------------------------------------------------------------ merging

static const struct aiNodeAnim* find_channel(const struct aiAnimation* animation, const struct aiNode* node) {
    for (unsigned c = 0; c < animation->mNumChannels; c++) {
        const struct aiNodeAnim* channel = animation->mChannels[c];
        if (strcmp(channel->mNodeName.data, node->mName.data) == 0) return channel;
    }
    return NULL;
}

static int compare_times(const void* a, const void* b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static size_t add_times(const void* keys, size_t size, unsigned count, double* out) {
    for (unsigned k = 0; k < count; k++) out[k] = time_of(keys, size, k);
    return count;
}

// Every time at which some link has a key, rising, each once.
static double* merge_times(sniScene* s, const struct aiNodeAnim* const* channels, size_t links,
                           uint32_t* out_count) {
    size_t count = 0;
    for (size_t i = 0; i < links; i++) {
        if (channels[i] == NULL) continue;
        count += (size_t)channels[i]->mNumPositionKeys + channels[i]->mNumRotationKeys +
                 channels[i]->mNumScalingKeys;
    }
    double* times = SNI_ARENA_ARRAY(&s->arena, double, count);
    if (times == NULL) return NULL;
    count = 0;
    for (size_t i = 0; i < links; i++) {
        const struct aiNodeAnim* c = channels[i];
        if (c == NULL) continue;
        count += add_times(c->mPositionKeys, sizeof *c->mPositionKeys, c->mNumPositionKeys, times + count);
        count += add_times(c->mRotationKeys, sizeof *c->mRotationKeys, c->mNumRotationKeys, times + count);
        count += add_times(c->mScalingKeys, sizeof *c->mScalingKeys, c->mNumScalingKeys, times + count);
    }
    qsort(times, count, sizeof *times, compare_times);
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (kept == 0 || times[i] > times[kept - 1]) times[kept++] = times[i];
    }
    *out_count = kept;
    return times;
}

bool sni_scene_merge_links(sniScene* s, const struct aiAnimation* animation, const struct aiNode* node,
                           sniMerged* out) {
    const struct aiNode* links[LINKS_MAX]; // from the node upwards
    const struct aiNodeAnim* channels[LINKS_MAX];
    size_t count = 0;
    bool animated = false;
    for (bool more = true; more && count < LINKS_MAX; node = node->mParent) {
        links[count] = node;
        channels[count] = find_channel(animation, node);
        animated = animated || channels[count] != NULL;
        count++;
        more = sni_scene_has_links(node);
    }
    *out = (sniMerged){0};
    if (!animated || channels[0] != NULL) return true;
    out->times = merge_times(s, channels, count, &out->count);
    out->locals = SNI_ARENA_ARRAY(&s->arena, snTrs, out->count);
    if (s->arena.failed) return false;
    for (uint32_t k = 0; k < out->count; k++) {
        snMat4 local = sn_mat4_identity();
        for (size_t i = 0; i < count; i++) {
            snMat4 link = sample_link(links[i], channels[i], out->times[k]);
            local = sn_mat4_mul(&link, &local);
        }
        sn_trs_from_mat4(&local, &out->locals[k]);
    }
    return true;
}
