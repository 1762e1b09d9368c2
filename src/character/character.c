// One character: clip to pose, pose to matrices, matrices to surface. All memory is taken at creation.
//
// Every vertex takes its rest position, morphs and weights from the first vertex at its place
// (near-duplicates too), so both sides of a seam are computed from the same numbers and cannot part. Vertices
// that the file means to part (lips modelled shut: other joints or other morphs) keep their own. A rigid part
// is a part with one joint, the node that carries it.
#include "sinew/character.h"

#include "base/error.h"
#include "base/memory.h"

typedef struct PartState {
    snWeld* weld;          // near-duplicates joined
    uint32_t* sources;     // vertex_count; the vertex that each takes its rest and weights from
    uint32_t matrix_count; // joints of the skin, or 1
    uint32_t influences;
    uint16_t* joints; // vertex_count * influences
    float* weights;
    snVec3* rest;         // vertex_count; with morphs: rewritten every frame
    snVec3* rest_normals; // the same
    float* morph_weights; // morph_count
    snSkinPlan* plan;     // linear skinning without morphs
    snVec3* positions;    // vertex_count; the result
    snVec3* normals;
} PartState;

struct snCharacter {
    snCharacterDef def;
    uint32_t part_count;
    PartState* parts;
    snTrs* locals;
    snMat4* world;
    snMat4* matrices; // as many as the largest skin has joints
    void* scratch;    // their dual quaternions
    snAllocator allocator;
};

snCharacterDef sn_character_def(void) {
    snCharacterDef def = {.skin = SN_SKIN_LINEAR, .level = SN_CPU_AUTO};
    return def;
}

// ---------------------------------------------------------------------------------------------- creation

// Two vertices at one place belong to one seam when the files' rounding is all that parts them.
#define SEAM_WEIGHT 0.05f // sum of weight differences
#define SEAM_MORPH 1e-4f  // distance of morph offsets, of the part's diagonal

static float weight_of(const snWeights* weights, uint32_t vertex, uint16_t joint) {
    size_t first = (size_t)vertex * weights->influences;
    float sum = 0.0f;
    for (uint32_t i = 0; i < weights->influences; i++) {
        if (weights->joints[first + i] == joint) sum += weights->weights[first + i];
    }
    return sum;
}

static bool same_weights(const snWeights* weights, uint32_t a, uint32_t b) {
    float difference = 0.0f;
    for (uint32_t i = 0; i < weights->influences; i++) {
        uint16_t joint = weights->joints[(size_t)a * weights->influences + i];
        // What a has and b lacks; both sum to one, so the other direction is equal.
        difference += sn_maxf(0.0f, weights->weights[(size_t)a * weights->influences + i] -
                                        weight_of(weights, b, joint));
    }
    return difference <= SEAM_WEIGHT;
}

static bool same_morphs(const snPart* part, float tolerance, uint32_t a, uint32_t b) {
    for (uint32_t m = 0; m < part->morph_count; m++) {
        const snVec3* offsets = part->morphs[m].positions;
        if (offsets != NULL && sn_distance(offsets[a], offsets[b]) > tolerance) return false;
    }
    return true;
}

// `next` chains the sources of one point; both arrays have vertex_count entries.
static void find_sources(const snPart* part, bool skinned, PartState* state, uint32_t* next) {
    const snMesh* mesh = part->mesh;
    float tolerance = SEAM_MORPH * sn_bounds_diagonal(sn_bounds_of(mesh->positions, mesh->vertex_count));
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t source = state->weld->vertex_of_point[state->weld->point_of_vertex[v]];
        next[v] = SN_NONE;
        if (source != v) {
            uint32_t last = source;
            for (; source != SN_NONE; last = source, source = next[source]) {
                if ((!skinned || same_weights(&part->weights, v, source)) &&
                    same_morphs(part, tolerance, v, source))
                    break;
            }
            if (source == SN_NONE) next[last] = source = v;
        }
        state->sources[v] = source;
    }
}

static bool allocate_part(const snAllocator* memory, const snPart* part, const snSkin* skin,
                          PartState* state) {
    size_t vertices = part->mesh->vertex_count;
    state->matrix_count = skin != NULL ? skin->joint_count : 1;
    state->influences = skin != NULL ? part->weights.influences : 1;
    size_t weights = vertices * state->influences;
    state->sources = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    state->joints = SNI_NEW_ARRAY(memory, uint16_t, weights);
    state->weights = SNI_NEW_ARRAY(memory, float, weights);
    state->rest = SNI_NEW_ARRAY(memory, snVec3, vertices);
    state->rest_normals = SNI_NEW_ARRAY(memory, snVec3, vertices);
    state->morph_weights = SNI_NEW_ARRAY(memory, float, part->morph_count);
    state->positions = SNI_NEW_ARRAY(memory, snVec3, vertices);
    state->normals = SNI_NEW_ARRAY(memory, snVec3, vertices);
    return state->sources != NULL && state->joints != NULL && state->weights != NULL && state->rest != NULL &&
           state->rest_normals != NULL && state->morph_weights != NULL && state->positions != NULL &&
           state->normals != NULL;
}

static void fill_rest(const snPart* part, const snSkin* skin, PartState* state) {
    const snMesh* mesh = part->mesh;
    uint32_t k = state->influences;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t source = state->sources[v];
        state->rest[v] = mesh->positions[source];
        for (uint32_t i = 0; i < k; i++) {
            state->joints[(size_t)v * k + i] =
                skin != NULL ? part->weights.joints[(size_t)source * k + i] : 0;
            state->weights[(size_t)v * k + i] =
                skin != NULL ? part->weights.weights[(size_t)source * k + i] : 1.0f;
        }
    }
    if (mesh->normals != NULL && mesh->corner_normals == NULL) {
        memcpy(state->rest_normals, mesh->normals, mesh->vertex_count * sizeof(snVec3));
    } else {
        snNormalsJob job = {.mesh = mesh, .weld = state->weld, .out_normals = state->rest_normals};
        sn_normals_run(&job);
    }
}

static snResult create_part(snCharacter* character, uint32_t index, snError* error) {
    const snModel* model = character->def.model;
    const snAllocator* memory = &character->allocator;
    const snPart* part = &model->parts[index];
    const snSkin* skin = part->skin != SN_NONE ? &model->skins[part->skin] : NULL;
    PartState* state = &character->parts[index];
    snResult result = sn_weld_create(part->mesh->positions, part->mesh->vertex_count, SN_WELD_AUTO, memory,
                                     &state->weld, error);
    if (result != SN_RESULT_OK) return result;
    uint32_t* next = SNI_NEW_ARRAY(memory, uint32_t, part->mesh->vertex_count);
    bool ready = next != NULL && allocate_part(memory, part, skin, state);
    if (ready) find_sources(part, skin != NULL, state, next);
    sni_free(memory, next);
    if (!ready) return sni_fail_memory(error);
    fill_rest(part, skin, state);
    if (character->def.skin != SN_SKIN_LINEAR || part->morph_count > 0) return SN_RESULT_OK;
    snSkinPlanDef plan = {.point_count = part->mesh->vertex_count,
                          .points = state->rest,
                          .normals = state->rest_normals,
                          .influences = state->influences,
                          .joints = state->joints,
                          .weights = state->weights,
                          .matrix_count = state->matrix_count};
    result = sn_skin_plan_create(&plan, memory, &state->plan, error);
    return result == SN_RESULT_UNSUPPORTED ? SN_RESULT_OK
                                           : result; // too many influences: the plain job does it
}

static snResult character_fill(snCharacter* character, snError* error) {
    const snModel* model = character->def.model;
    const snAllocator* memory = &character->allocator;
    uint32_t joints = model->skeleton->joint_count;
    uint32_t largest = 1;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        if (model->skins[s].joint_count > largest) largest = model->skins[s].joint_count;
    }
    character->locals = SNI_NEW_ARRAY(memory, snTrs, joints);
    character->world = SNI_NEW_ARRAY(memory, snMat4, joints);
    character->matrices = SNI_NEW_ARRAY(memory, snMat4, largest);
    character->scratch = sni_alloc_array(memory, 1, sn_skin_dual_scratch_size(largest));
    character->parts = SNI_NEW_ARRAY(memory, PartState, model->part_count);
    if (character->locals == NULL || character->world == NULL || character->matrices == NULL ||
        character->scratch == NULL || character->parts == NULL) {
        return sni_fail_memory(error);
    }
    snResult result = SN_RESULT_OK;
    while (character->part_count < model->part_count && result == SN_RESULT_OK) {
        result = create_part(character, character->part_count++, error);
    }
    return result;
}

snResult sn_character_create(const snCharacterDef* def, const snAllocator* allocator, snCharacter** out,
                             snError* error) {
    if (def == NULL || def->model == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and an output are needed");
    }
    if (!sn_cpu_level_available(def->level)) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "this machine or build has no %s",
                        sn_cpu_level_name(def->level));
    }
    snAllocator memory = sni_allocator(allocator);
    snCharacter* character = SNI_NEW(&memory, snCharacter);
    if (character == NULL) return sni_fail_memory(error);
    character->allocator = memory;
    character->def = *def;
    snResult result = character_fill(character, error);
    if (result == SN_RESULT_OK) result = sn_character_pose_clip(character, SN_NONE, 0.0f, SN_WRAP_CLAMP);
    if (result != SN_RESULT_OK) {
        sn_character_destroy(character);
        return result;
    }
    *out = character;
    return SN_RESULT_OK;
}

void sn_character_destroy(snCharacter* character) {
    if (character == NULL) return;
    snAllocator memory = character->allocator;
    for (uint32_t p = 0; p < character->part_count; p++) {
        PartState* state = &character->parts[p];
        sn_weld_destroy(state->weld);
        sn_skin_plan_destroy(state->plan);
        void* arrays[] = {state->sources,      state->joints,        state->weights,   state->rest,
                          state->rest_normals, state->morph_weights, state->positions, state->normals};
        for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    }
    void* arrays[] = {character->parts,    character->locals,  character->world,
                      character->matrices, character->scratch, character};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// ----------------------------------------------------------------------------------------------- posing

// Rest positions and normals with the morphs' offsets added in order.
static void apply_morphs(const snPart* part, PartState* state) {
    const snMesh* mesh = part->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t source = state->sources[v];
        snVec3 p = mesh->positions[source];
        for (uint32_t m = 0; m < part->morph_count; m++) {
            if (part->morphs[m].positions == NULL || state->morph_weights[m] == 0.0f) continue;
            p = sn_add(p, sn_scale(part->morphs[m].positions[source], state->morph_weights[m]));
        }
        state->rest[v] = p;
    }
    if (mesh->normals == NULL || mesh->corner_normals != NULL) {
        snNormalsJob job = {
            .mesh = mesh, .weld = state->weld, .positions = state->rest, .out_normals = state->rest_normals};
        sn_normals_run(&job);
        return;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 n = mesh->normals[v];
        for (uint32_t m = 0; m < part->morph_count; m++) {
            if (part->morphs[m].normals == NULL || state->morph_weights[m] == 0.0f) continue;
            n = sn_add(n, sn_scale(part->morphs[m].normals[v], state->morph_weights[m]));
        }
        state->rest_normals[v] = sn_normalize_or(n, mesh->normals[v]);
    }
}

static void fill_matrices(snCharacter* character, const snPart* part) {
    if (part->skin == SN_NONE) {
        character->matrices[0] = character->world[part->joint];
        return;
    }
    const snSkin* skin = &character->def.model->skins[part->skin];
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        character->matrices[j] = sn_mat4_mul(&character->world[skin->joints[j]], &skin->inverse_binds[j]);
    }
}

static snResult deform_part(snCharacter* character, uint32_t index) {
    const snPart* part = &character->def.model->parts[index];
    PartState* state = &character->parts[index];
    if (part->morph_count > 0) apply_morphs(part, state);
    fill_matrices(character, part);
    if (state->plan != NULL) {
        snSkinPlanJob job = {state->plan,    character->matrices,   state->positions,
                             state->normals, &character->def.tasks, character->def.level};
        return sn_skin_plan_run(&job);
    }
    snSkinJob job = {.point_count = part->mesh->vertex_count,
                     .points = state->rest,
                     .normals = state->rest_normals,
                     .influences = state->influences,
                     .joints = state->joints,
                     .weights = state->weights,
                     .matrix_count = state->matrix_count,
                     .matrices = character->matrices,
                     .out_points = state->positions,
                     .out_normals = state->normals,
                     .scratch = character->scratch,
                     .tasks = &character->def.tasks,
                     .level = character->def.level};
    // A rigid part has nothing to blend; its one matrix may shear, which dual quaternions would only
    // approximate.
    bool dual = character->def.skin == SN_SKIN_DUAL && part->skin != SN_NONE;
    return dual ? sn_skin_dual_run(&job) : sn_skin_linear_run(&job);
}

static snResult deform_all(snCharacter* character) {
    sn_skeleton_world(character->def.model->skeleton, character->locals, character->world);
    snResult result = SN_RESULT_OK;
    for (uint32_t p = 0; p < character->part_count && result == SN_RESULT_OK; p++)
        result = deform_part(character, p);
    return result;
}

static void default_morph_weights(snCharacter* character) {
    for (uint32_t p = 0; p < character->part_count; p++) {
        const snPart* part = &character->def.model->parts[p];
        for (uint32_t m = 0; m < part->morph_count; m++) {
            character->parts[p].morph_weights[m] = part->morph_weights[m];
        }
    }
}

snResult sn_character_pose_clip(snCharacter* character, uint32_t clip, float time, snWrap wrap) {
    if (character == NULL) return SN_RESULT_INVALID_ARGUMENT;
    const snModel* model = character->def.model;
    if (clip != SN_NONE && clip >= model->clip_count) return SN_RESULT_NOT_FOUND;
    const snSkeleton* skeleton = model->skeleton;
    memcpy(character->locals, skeleton->rest, skeleton->joint_count * sizeof(snTrs));
    default_morph_weights(character);
    if (clip != SN_NONE) {
        sn_clip_sample(model->clips[clip], time, wrap, skeleton->joint_count, character->locals);
        for (uint32_t p = 0; p < character->part_count; p++) {
            const snPart* part = &model->parts[p];
            sn_clip_sample_morph(model->clips[clip], time, wrap, part->joint, part->morph_count,
                                 character->parts[p].morph_weights);
        }
    }
    return deform_all(character);
}

snResult sn_character_pose_locals(snCharacter* character, const snTrs* locals) {
    if (character == NULL || locals == NULL) return SN_RESULT_INVALID_ARGUMENT;
    memcpy(character->locals, locals, character->def.model->skeleton->joint_count * sizeof(snTrs));
    default_morph_weights(character);
    return deform_all(character);
}

snSurface sn_character_surface(const snCharacter* character, uint32_t part) {
    snSurface surface = {0};
    if (character == NULL || part >= character->part_count) return surface;
    const PartState* state = &character->parts[part];
    surface.vertex_count = character->def.model->parts[part].mesh->vertex_count;
    surface.positions = state->positions;
    surface.normals = state->normals;
    return surface;
}

const snMat4* sn_character_world(const snCharacter* character) { return character->world; }

uint64_t sn_character_hash(const snCharacter* character) {
    uint64_t hash = SN_HASH_SEED;
    for (uint32_t p = 0; p < character->part_count; p++) {
        snSurface surface = sn_character_surface(character, p);
        hash = sn_hash_floats(hash, &surface.positions[0].x, 3 * (size_t)surface.vertex_count);
        hash = sn_hash_floats(hash, &surface.normals[0].x, 3 * (size_t)surface.vertex_count);
    }
    return hash;
}
