// Nodes become joints; units, axes and uniform scales go into the lengths.
#include "assimp_scene.h"
#include "gltf.h"

void sni_scene_note(sniScene* s, const char* format, ...) {
    char text[sizeof s->notes.text[0]];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sni_note(&s->notes, "%s", text);
}

snMat4 sni_scene_matrix(const struct aiMatrix4x4* m) {
    snMat4 out = {{m->a1, m->b1, m->c1, m->d1, m->a2, m->b2, m->c2, m->d2, m->a3, m->b3, m->c3, m->d3, m->a4,
                   m->b4, m->c4, m->d4}};
    return out;
}

uint32_t sni_scene_find(const sniScene* s, const char* name) {
    for (uint32_t j = 0; j < s->joint_count; j++) {
        if (strcmp(s->names[j], name) == 0) return j;
    }
    return SN_NONE;
}

// ------------------------------------------------------------------------------------------------ header

// The value of one line of the file's header, `missing` where it has none of that kind.
static double header_value(const struct aiScene* scene, const char* key, double missing) {
    const struct aiMetadata* data = scene->mMetaData;
    for (unsigned i = 0; data != NULL && i < data->mNumProperties; i++) {
        const struct aiMetadataEntry* entry = &data->mValues[i];
        if (strcmp(data->mKeys[i].data, key) != 0 || entry->mData == NULL) continue;
        if (entry->mType == AI_INT32) return *(const int32_t*)entry->mData;
        if (entry->mType == AI_FLOAT) return (double)*(const float*)entry->mData;
        if (entry->mType == AI_DOUBLE) return *(const double*)entry->mData;
    }
    return missing;
}

float sni_scene_unit(const struct aiScene* scene) {
    // Only FBX has this line; it counts centimetres. assimp applies the units of Collada itself.
    double centimetres = header_value(scene, "UnitScaleFactor", 100.0);
    return centimetres > 1e-6 && centimetres < 1e9 ? (float)(centimetres * 0.01) : 0.01f;
}

// The unit vector along axis 0, 1 or 2 of the file, by the header's two lines about it.
static snVec3 header_axis(const struct aiScene* scene, const char* key, const char* sign_key, int missing) {
    int axis = (int)header_value(scene, key, missing);
    float sign = header_value(scene, sign_key, 1.0) < 0.0 ? -1.0f : 1.0f;
    return sn_vec3(axis == 0 ? sign : 0.0f, axis == 1 ? sign : 0.0f, axis == 2 ? sign : 0.0f);
}

snQuat sni_scene_turn(const struct aiScene* scene) {
    snVec3 right = header_axis(scene, "CoordAxis", "CoordAxisSign", 0);
    snVec3 up = header_axis(scene, "UpAxis", "UpAxisSign", 1);
    if (sn_length(sn_cross(right, up)) < 0.5f) return sn_quat_identity();
    snVec3 front = sn_cross(right, up);
    // Rows: what becomes x, y and z.
    snMat4 m = {{right.x, up.x, front.x, 0.0f, right.y, up.y, front.y, 0.0f, right.z, up.z, front.z, 0.0f,
                 0.0f, 0.0f, 0.0f, 1.0f}};
    return sn_quat_from_mat4(&m);
}

// ------------------------------------------------------------------------------------------------- nodes

typedef struct Open {
    const struct aiNode* node;
    uint32_t parent;
} Open;

// SN_NONE when out of memory or too many.
static uint32_t count_nodes(const struct aiNode* root, const snAllocator* memory) {
    Open* open = NULL;
    size_t capacity = 0, count = 1, done = 0;
    if (!sni_grow(memory, &open, &capacity, 1, sizeof(Open))) return SN_NONE;
    open[0].node = root;
    for (; done < count && count < SN_NONE; done++) {
        const struct aiNode* node = open[done].node;
        if (!sni_grow(memory, &open, &capacity, count + node->mNumChildren, sizeof(Open))) break;
        for (unsigned c = 0; c < node->mNumChildren; c++) open[count++].node = node->mChildren[c];
    }
    sni_free(memory, open);
    return done == count ? (uint32_t)count : SN_NONE;
}

// Depth first, children in their order, without recursion: a file may nest as deep as it likes.
static bool list_nodes(sniScene* s, const struct aiNode* root, uint32_t count) {
    Open* stack = SNI_ARENA_ARRAY(&s->arena, Open, count);
    s->nodes = SNI_ARENA_ARRAY(&s->arena, const struct aiNode*, count);
    s->names = SNI_ARENA_ARRAY(&s->arena, const char*, count);
    s->parents = SNI_ARENA_ARRAY(&s->arena, uint32_t, count);
    s->rest = SNI_ARENA_ARRAY(&s->arena, snTrs, count);
    s->scales = SNI_ARENA_ARRAY(&s->arena, float, count);
    s->folded = SNI_ARENA_ARRAY(&s->arena, float, count);
    if (s->arena.failed) return false;
    uint32_t open = 0;
    stack[open++] = (Open){root, SN_NONE};
    while (open > 0) {
        Open next = stack[--open];
        uint32_t joint = next.parent;
        if (!sni_scene_is_link(next.node)) {
            joint = s->joint_count++;
            s->nodes[joint] = next.node;
            s->names[joint] = next.node->mName.data;
            s->parents[joint] = next.parent;
        }
        for (unsigned c = next.node->mNumChildren; c > 0; c--) {
            stack[open++] = (Open){next.node->mChildren[c - 1], joint};
        }
    }
    return true;
}

static bool is_animated(const sniScene* s, const char* name) {
    for (unsigned a = 0; a < s->scene->mNumAnimations; a++) {
        const struct aiAnimation* animation = s->scene->mAnimations[a];
        for (unsigned c = 0; c < animation->mNumChannels; c++) {
            if (strcmp(animation->mChannels[c]->mNodeName.data, name) == 0) return true;
        }
    }
    return false;
}

static bool is_bone(const sniScene* s, const char* name) {
    for (unsigned m = 0; m < s->scene->mNumMeshes; m++) {
        const struct aiMesh* mesh = s->scene->mMeshes[m];
        for (unsigned b = 0; b < mesh->mNumBones; b++) {
            if (strcmp(mesh->mBones[b]->mName.data, name) == 0) return true;
        }
    }
    return false;
}

// assimp puts a root above the file's own nodes; where it does nothing, it goes.
static void drop_root(sniScene* s) {
    snTrs rest = s->rest[0];
    bool still = fabsf(rest.rotation.w) > 0.9999999f && sn_length(rest.translation) == 0.0f &&
                 rest.scale.x == 1.0f && rest.scale.y == 1.0f && rest.scale.z == 1.0f;
    if (!still || s->joint_count < 2 || s->nodes[0]->mNumMeshes > 0 || is_animated(s, s->names[0]) ||
        is_bone(s, s->names[0])) {
        return;
    }
    s->joint_count--;
    s->nodes++;
    s->names++;
    s->parents++;
    s->rest++;
    s->scales++;
    s->folded++;
    for (uint32_t j = 0; j < s->joint_count; j++) {
        s->parents[j] = s->parents[j] > 0 && s->parents[j] != SN_NONE ? s->parents[j] - 1 : SN_NONE;
    }
}

// Takes a uniform scale out of a joint; a mirror, a stretch or a zero stays.
static float fold(snTrs* rest) {
    snVec3 k = rest->scale;
    float most = sn_maxf(k.x, sn_maxf(k.y, k.z)), least = sn_minf(k.x, sn_minf(k.y, k.z));
    if (!(least > 1e-12f) || most > least * 1.00001f) return 1.0f;
    rest->scale = sn_vec3(1.0f, 1.0f, 1.0f);
    return k.x;
}

bool sni_scene_joints(sniScene* s, float unit) {
    uint32_t count = count_nodes(s->scene->mRootNode, &s->arena.allocator);
    if (count == SN_NONE || !list_nodes(s, s->scene->mRootNode, count)) return false;
    snRigid turn = {sni_scene_turn(s->scene), {0.0f, 0.0f, 0.0f}};
    snMat4 axes = sn_mat4_from_rigid(&turn);
    uint32_t sheared = 0;
    for (uint32_t j = 0; j < s->joint_count; j++) {
        bool top = s->parents[j] == SN_NONE;
        snMat4 local = sni_scene_local(s->nodes[j]);
        if (top) local = sn_mat4_mul(&axes, &local);
        sheared += !sn_trs_from_mat4(&local, &s->rest[j]);
        float above = top ? unit : s->scales[s->parents[j]];
        s->rest[j].translation = sn_scale(s->rest[j].translation, above);
        s->folded[j] = fold(&s->rest[j]);
        s->scales[j] = above * s->folded[j];
    }
    if (sheared > 0) sni_scene_note(s, "%u nodes are sheared; the shear is removed", sheared);
    drop_root(s);
    return true;
}
