#include "bind_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------- blocks

typedef struct Blocks {
    snVec3* positions;
    uint32_t* corners;
    uint32_t* index; // corner of the grid to vertex
    uint32_t vertex_count, face_count;
    int size;
    float edge;
} Blocks;

static uint32_t block_vertex(Blocks* b, int x, int y, int z) {
    int n = b->size + 1;
    uint32_t* at = &b->index[((size_t)z * (size_t)n + (size_t)y) * (size_t)n + (size_t)x];
    if (*at == SN_NONE) {
        *at = b->vertex_count;
        b->positions[b->vertex_count++] = sn_vec3((float)x * b->edge, (float)y * b->edge, (float)z * b->edge);
    }
    return *at;
}

static bool block_solid(const Blocks* b, BlockFn* solid, int x, int y, int z) {
    bool inside = x >= 0 && y >= 0 && z >= 0 && x < b->size && y < b->size && z < b->size;
    return inside && solid(x, y, z);
}

// Four corners of the side of a block in direction `d` (0..5), counter-clockwise from outside.
static void add_side(Blocks* b, int x, int y, int z, int d) {
    static const int corners[6][4][3] = {
        {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0}}, {{1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {1, 0, 1}},
        {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}}, {{0, 1, 0}, {0, 1, 1}, {1, 1, 1}, {1, 1, 0}},
        {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}};
    for (int k = 0; k < 4; k++) {
        const int* c = corners[d][k];
        b->corners[(size_t)b->face_count * 4 + (size_t)k] = block_vertex(b, x + c[0], y + c[1], z + c[2]);
    }
    b->face_count++;
}

static void add_sides(Blocks* b, BlockFn* solid) {
    static const int steps[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    for (int z = 0; z < b->size; z++) {
        for (int y = 0; y < b->size; y++) {
            for (int x = 0; x < b->size; x++) {
                for (int d = 0; d < 6 && block_solid(b, solid, x, y, z); d++) {
                    const int* s = steps[d];
                    if (!block_solid(b, solid, x + s[0], y + s[1], z + s[2])) add_side(b, x, y, z, d);
                }
            }
        }
    }
}

snModel* block_model(BlockFn* solid, int size, float edge, const snSkeletonDef* skeleton) {
    size_t corners = (size_t)(size + 1) * (size_t)(size + 1) * (size_t)(size + 1);
    size_t sides = (size_t)size * (size_t)size * (size_t)size * 6;
    Blocks b = {.positions = calloc(corners, sizeof(snVec3)),
                .corners = calloc(sides * 4, sizeof(uint32_t)),
                .index = malloc(corners * sizeof(uint32_t)),
                .size = size,
                .edge = edge};
    uint32_t* starts = malloc((sides + 1) * sizeof(uint32_t));
    memset(b.index, 0xff, corners * sizeof(uint32_t));
    for (size_t f = 0; f <= sides; f++) starts[f] = (uint32_t)(f * 4);
    add_sides(&b, solid);
    snMeshDef mesh = {.vertex_count = b.vertex_count,
                      .face_count = b.face_count,
                      .corner_count = b.face_count * 4,
                      .positions = b.positions,
                      .face_starts = starts,
                      .corners = b.corners};
    // The part hangs on a joint of its own behind those of the skeleton.
    uint32_t count = skeleton->joint_count + 1;
    const char* names[17];
    uint32_t parents[17];
    snTrs rest[17];
    for (uint32_t j = 0; j + 1 < count; j++) {
        names[j] = skeleton->names[j];
        parents[j] = skeleton->parents[j];
        rest[j] = skeleton->rest[j];
    }
    names[count - 1] = "blocks";
    parents[count - 1] = SN_NONE;
    rest[count - 1] = sn_trs_identity();
    snSkeletonDef all = {count, names, parents, rest};
    snPartDef part = {.name = "blocks", .mesh = &mesh, .joint = count - 1, .skin = SN_NONE};
    snModelDef def = {.skeleton = &all, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    free(b.positions);
    free(b.corners);
    free(b.index);
    free(starts);
    return model;
}

const snSkeletonDef* chain_skeleton(const snVec3* places, uint32_t count) {
    static char texts[16][12];
    static const char* names[16];
    static uint32_t parents[16];
    static snTrs rest[16];
    static snSkeletonDef def;
    for (uint32_t j = 0; j < count; j++) {
        snprintf(texts[j], sizeof texts[j], "j%u", j);
        names[j] = texts[j];
        parents[j] = j == 0 ? SN_NONE : j - 1;
        rest[j] = sn_trs_identity();
        rest[j].translation = j == 0 ? places[0] : sn_sub(places[j], places[j - 1]);
    }
    def = (snSkeletonDef){count, names, parents, rest};
    return &def;
}

// ------------------------------------------------------------------------------------------------ body

snModel* posed_body(const snBodyDef* def, void (*pose)(const snSkeleton* skeleton, snTrs* locals)) {
    snModel *body = NULL, *out = NULL;
    snCharacter* character = NULL;
    assert_ok(sn_builtin_body(def, NULL, &body, NULL));
    const snSkeleton* skeleton = body->skeleton;
    snTrs* locals = malloc(skeleton->joint_count * sizeof(snTrs));
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof(snTrs));
    if (pose != NULL) pose(skeleton, locals);
    snCharacterDef character_def = sn_character_def();
    character_def.model = body;
    assert_ok(sn_character_create(&character_def, NULL, &character, NULL));
    assert_ok(sn_character_pose_locals(character, locals));
    snSurface surface = sn_character_surface(character, 0);
    snMeshDef mesh = sn_mesh_def(body->parts[0].mesh);
    mesh.positions = surface.positions;
    mesh.normals = surface.normals;
    snSkinDef skin = {"body", body->skins[0].joint_count, body->skins[0].joints, NULL};
    const snPart* from = &body->parts[0];
    snPartDef part = {.name = "body",
                      .mesh = &mesh,
                      .joint = from->joint,
                      .skin = 0,
                      .influences = from->weights.influences,
                      .joints = from->weights.joints,
                      .weights = from->weights.weights};
    snSkeletonDef posed = {skeleton->joint_count, (const char* const*)skeleton->names, skeleton->parents,
                           locals};
    snModelDef model = {.skeleton = &posed, .skin_count = 1, .skins = &skin, .part_count = 1, .parts = &part};
    assert_ok(sn_model_create(&model, NULL, &out, NULL));
    sn_character_destroy(character);
    sn_model_destroy(body);
    free(locals);
    return out;
}

// --------------------------------------------------------------------------------------------- weights

float weight_of(const snModel* model, uint32_t vertex, const char* joint) {
    const snPart* part = &model->parts[0];
    const snSkin* skin = &model->skins[part->skin];
    float sum = 0.0f;
    for (uint32_t i = 0; i < part->weights.influences; i++) {
        size_t at = (size_t)vertex * part->weights.influences + i;
        const char* name = model->skeleton->names[skin->joints[part->weights.joints[at]]];
        if (strcmp(name, joint) == 0) sum += part->weights.weights[at];
    }
    return sum;
}

uint32_t largest_joint(const snModel* model, uint32_t vertex) {
    const snPart* part = &model->parts[0];
    size_t at = (size_t)vertex * part->weights.influences, best = at;
    for (size_t i = at; i < at + part->weights.influences; i++) {
        if (part->weights.weights[i] > part->weights.weights[best]) best = i;
    }
    return model->skins[part->skin].joints[part->weights.joints[best]];
}

static void check_list(const snWeights* weights, uint32_t joint_count) {
    for (uint32_t v = 0; v < weights->vertex_count; v++) {
        float sum = 0.0f;
        for (uint32_t i = 0; i < weights->influences; i++) {
            size_t at = (size_t)v * weights->influences + i;
            assert_true(weights->weights[at] >= 0.0f && weights->weights[at] <= 1.0f);
            assert_true(weights->joints[at] < joint_count);
            sum += weights->weights[at];
        }
        assert_near(sum, 1.0f, 1e-6f);
    }
}

void check_weights(const snModel* model) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        if (part->skin == SN_NONE) continue;
        assert_int_equal(part->weights.vertex_count, part->mesh->vertex_count);
        check_list(&part->weights, model->skins[part->skin].joint_count);
    }
    check_list(&model->binding->particles, model->binding->joint_count);
}

static uint64_t hash_list(uint64_t hash, const snWeights* weights) {
    size_t count = (size_t)weights->vertex_count * weights->influences;
    hash = sn_hash_bytes(hash, weights->joints, count * sizeof(uint16_t));
    return sn_hash_floats(hash, weights->weights, count);
}

uint64_t weights_hash(const snModel* model) {
    uint64_t hash = SN_HASH_SEED;
    for (uint32_t p = 0; p < model->part_count; p++) hash = hash_list(hash, &model->parts[p].weights);
    return hash_list(hash, &model->binding->particles);
}
