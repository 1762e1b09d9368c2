// One character: its memory, all of it taken at creation, and what it can be asked.
#include "character/character.h"

#include "base/error.h"
#include "base/memory.h"

snCharacterDef sn_character_def(void) {
    snCharacterDef def = {.skin = SN_SKIN_AUTO, .level = SN_CPU_AUTO};
    return def;
}

// ---------------------------------------------------------------------------------------------- workspace

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static bool create_spline_work(const sniTables* tables, const snAllocator* memory, sniSplineWork* out) {
    if (tables->splines == NULL) return true;
    out->joints = SNI_NEW_ARRAY(memory, snMat4, tables->model->skeleton->joint_count);
    out->matrices = SNI_NEW_ARRAY(memory, snMat4, sn_splines_matrix_count(tables->splines));
    out->poses = SNI_NEW_ARRAY(memory, snSplinePose, sn_splines_count(tables->splines));
    return out->joints != NULL && out->matrices != NULL && out->poses != NULL;
}

static sniWorkSizes work_sizes(const sniTables* tables) {
    sniWorkSizes sizes = {.lattice_scratch = 1};
    if (tables->binding != NULL) {
        sizes.particles = tables->binding->lattice->particle_count;
        sizes.joints = tables->binding->joint_count;
    }
    size_t* scratch = &sizes.lattice_scratch;
    if (tables->skin != NULL) *scratch = larger(*scratch, sn_lattice_skin_scratch_size(tables->skin));
    if (tables->volume != NULL) *scratch = larger(*scratch, sn_part_volume_scratch_size(tables->volume));
    if (tables->maps != NULL) *scratch = larger(*scratch, sizes.particles * sizeof(snMat4));
    if (tables->flesh != NULL) *scratch = larger(*scratch, sn_flesh_scratch_size(tables->flesh));
    if (tables->splines != NULL) {
        sizes.spline_matrices = sn_splines_matrix_count(tables->splines);
        sizes.splines = sn_splines_count(tables->splines);
    }
    sizes.hard = sni_hard_most(tables);
    sizes.whole = sni_whole_points(tables);
    sizes.exact = tables->exact != NULL;
    if (tables->exact != NULL) sizes.exact_scratch = sn_exact_volume_scratch_size(tables->exact);
    if (tables->contact != NULL)
        sizes.exact_scratch = larger(sizes.exact_scratch, sn_contact_scratch_size(tables->contact));
    return sizes;
}

bool sni_workspace_fits(const sniWorkspace* work, const sniTables* tables) {
    sniWorkSizes have = work->sizes, need = work_sizes(tables);
    return need.particles == have.particles && need.joints == have.joints &&
           need.lattice_scratch <= have.lattice_scratch && need.spline_matrices == have.spline_matrices &&
           need.splines == have.splines && need.hard <= have.hard && need.whole <= have.whole &&
           need.exact_scratch <= have.exact_scratch && (need.exact_scratch > 0) == (have.exact_scratch > 0) &&
           need.exact == have.exact;
}

bool sni_workspace_create(const sniTables* tables, const snAllocator* memory, sniWorkspace* out) {
    sniWorkSizes sizes = work_sizes(tables);
    size_t particles = sizes.particles, scratch = sizes.lattice_scratch;
    uint32_t joints = sizes.joints;
    uint32_t duals = tables->matrix_count > joints ? tables->matrix_count : joints;
    *out = (sniWorkspace){
        .locals = SNI_NEW_ARRAY(memory, snTrs, tables->model->skeleton->joint_count),
        .matrices = SNI_NEW_ARRAY(memory, snMat4, tables->matrix_count),
        .lattice_matrices = SNI_NEW_ARRAY(memory, snMat4, joints),
        .skin_scratch = sni_alloc_array(memory, 1, sn_skin_dual_scratch_size(duals)),
        .lattice_scratch = sni_alloc_array(memory, 1, scratch),
        .plain = SNI_NEW_ARRAY(memory, snVec3, particles),
        .skin = SNI_NEW_ARRAY(memory, snVec4, particles),
        .primary = SNI_NEW_ARRAY(memory, snVec4, particles),
        .whole = SNI_NEW_ARRAY(memory, snVec3, sizes.whole),
        .pushes = SNI_NEW_ARRAY(memory, snVec4, particles),
        .rotations = SNI_NEW_ARRAY(memory, snMat3, particles),
        .accelerations = SNI_NEW_ARRAY(memory, snVec4, particles),
        .targets = SNI_NEW_ARRAY(memory, float, joints),
        .hard_points = SNI_NEW_ARRAY(memory, snVec3, sizes.hard),
        .hard_normals = SNI_NEW_ARRAY(memory, snVec3, sizes.hard),
        .sizes = sizes,
        .allocator = *memory,
    };
    if (out->locals != NULL && out->matrices != NULL && out->lattice_matrices != NULL &&
        out->skin_scratch != NULL && out->lattice_scratch != NULL && out->plain != NULL &&
        out->skin != NULL && out->primary != NULL && out->whole != NULL && out->pushes != NULL &&
        out->rotations != NULL && out->accelerations != NULL && out->targets != NULL &&
        out->hard_points != NULL && out->hard_normals != NULL &&
        create_spline_work(tables, memory, &out->splines) &&
        (sizes.exact_scratch == 0 ||
         sni_exact_work_create(tables, sizes.exact_scratch, memory, &out->exact))) {
        return true;
    }
    sni_workspace_destroy(out);
    return false;
}

void sni_workspace_destroy(sniWorkspace* work) {
    void* arrays[] = {work->locals,         work->matrices,         work->lattice_matrices,
                      work->skin_scratch,   work->lattice_scratch,  work->plain,
                      work->skin,           work->primary,          work->whole,
                      work->pushes,         work->rotations,        work->accelerations,
                      work->targets,        work->hard_points,      work->hard_normals,
                      work->splines.joints, work->splines.matrices, work->splines.poses};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        if (arrays[i] != NULL) sni_free(&work->allocator, arrays[i]);
    }
    // A workspace that was never made has no allocator; one of a model without parts has arrays all the same.
    if (work->allocator.free != NULL) sni_exact_work_destroy(&work->exact, &work->allocator);
    *work = (sniWorkspace){0};
}

// ----------------------------------------------------------------------------------------------- creation

static bool create_part(snCharacter* character, uint32_t index) {
    const snAllocator* memory = &character->allocator;
    const snPart* part = &character->tables->model->parts[index];
    sniPartState* state = &character->parts[index];
    size_t vertices = part->mesh->vertex_count, morphed = part->morph_count > 0 ? vertices : 0;
    state->rest = SNI_NEW_ARRAY(memory, snVec3, morphed);
    state->rest_normals = SNI_NEW_ARRAY(memory, snVec3, morphed);
    state->offsets = SNI_NEW_ARRAY(memory, snVec3, morphed);
    state->lattice_normals = SNI_NEW_ARRAY(memory, snVec3, morphed);
    state->morph_weights = SNI_NEW_ARRAY(memory, float, part->morph_count);
    state->linear = SNI_NEW_ARRAY(memory, snVec3, part->dual_shares != NULL ? 2 * vertices : 0);
    state->positions = SNI_NEW_ARRAY(memory, snVec3, vertices);
    state->normals = SNI_NEW_ARRAY(memory, snVec3, vertices);
    return state->rest != NULL && state->rest_normals != NULL && state->offsets != NULL &&
           state->lattice_normals != NULL && state->morph_weights != NULL && state->positions != NULL &&
           state->normals != NULL && state->linear != NULL;
}

// What moving flesh leaves behind.
static snResult create_flesh(snCharacter* character, uint32_t joints, snError* error) {
    const snAllocator* memory = &character->allocator;
    SNI_TRY(sn_flesh_state_create(character->tables->flesh, memory, &character->state, error));
    character->joint_places = SNI_NEW_ARRAY(memory, snVec3, joints);
    character->pose_places = SNI_NEW_ARRAY(memory, snVec3, joints);
    bool enough = character->joint_places != NULL && character->pose_places != NULL;
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult create_colliders(snCharacter* character, snError* error) {
    const sniTables* tables = character->tables;
    character->collider_count = tables->settings->collider_count + tables->capsule_count;
    character->colliders = SNI_NEW_ARRAY(&character->allocator, snCollider, character->collider_count);
    if (character->colliders == NULL) return sni_fail_memory(error);
    for (uint32_t c = 0; c < character->collider_count; c++) character->colliders[c].owner = SN_NONE;
    character->colliders_fresh = true;
    return SN_RESULT_OK;
}

static bool fill_lattice(snCharacter* character, const sniTables* old) {
    const snBinding* binding = character->tables->binding;
    const snAllocator* memory = &character->allocator;
    if ((binding != NULL) == (old->binding != NULL)) return true;
    character->shown = NULL;
    character->volumes = NULL;
    if (binding == NULL) return true;
    character->shown = SNI_NEW_ARRAY(memory, snVec4, binding->lattice->particle_count);
    character->volumes = SNI_NEW_ARRAY(memory, snPartVolumeState, binding->joint_count);
    return character->shown != NULL && character->volumes != NULL;
}

static bool fill_exact(snCharacter* character, const sniTables* old) {
    const sniTables* tables = character->tables;
    const snAllocator* memory = &character->allocator;
    uint32_t shells = tables->exact != NULL ? sn_exact_volume_shell_count(tables->exact) : SN_NONE;
    if (shells == (old->exact != NULL ? sn_exact_volume_shell_count(old->exact) : SN_NONE)) return true;
    character->shells = NULL;
    character->volume_joints = NULL;
    if (tables->exact == NULL) return true;
    character->shells = SNI_NEW_ARRAY(memory, snShellState, shells);
    character->volume_joints =
        SNI_NEW_ARRAY(memory, snVolumeJointState, tables->model->skeleton->joint_count);
    return character->shells != NULL && character->volume_joints != NULL;
}

static bool fill_splines(snCharacter* character, const sniTables* old) {
    const sniTables* tables = character->tables;
    uint32_t splines = tables->splines != NULL ? sn_splines_count(tables->splines) : SN_NONE;
    if (splines == (old->splines != NULL ? sn_splines_count(old->splines) : SN_NONE)) return true;
    character->twists = NULL;
    character->twist_clock.running = false;
    if (tables->splines == NULL) return true;
    character->twists = SNI_NEW_ARRAY(&character->allocator, float, splines);
    return character->twists != NULL;
}

static bool is_dual(const sniTables* tables) {
    return tables->settings != NULL && tables->settings->skin == SN_SKIN_DUAL;
}

static bool fill_turns(snCharacter* character, const sniTables* old) {
    const sniTables* tables = character->tables;
    if (is_dual(tables) == is_dual(old)) return true;
    character->turns = NULL;
    character->twist_clock.running = false;
    if (!is_dual(tables)) return true;
    character->turns = SNI_NEW_ARRAY(&character->allocator, snQuat, tables->turns.count);
    return character->turns != NULL;
}

static snResult fill_flesh(snCharacter* character, const sniTables* old, snError* error) {
    const sniTables* tables = character->tables;
    bool flesh = tables->binding != NULL && tables->flesh != NULL, before = old->flesh != NULL;
    if (flesh != before) {
        character->state = NULL;
        character->joint_places = character->pose_places = NULL;
        if (flesh) SNI_TRY(create_flesh(character, tables->binding->joint_count, error));
    }
    if (flesh == before && tables->collider_joints == old->collider_joints &&
        tables->capsules == old->capsules)
        return SN_RESULT_OK;
    character->colliders = NULL;
    character->collider_count = 0;
    return flesh ? create_colliders(character, error) : SN_RESULT_OK;
}

snResult sni_character_fill(snCharacter* character, const sniTables* old, snError* error) {
    static const sniTables nothing = {0};
    if (old == NULL) old = &nothing;
    bool enough = fill_lattice(character, old) && fill_exact(character, old) &&
                  fill_splines(character, old) && fill_turns(character, old);
    return enough ? fill_flesh(character, old, error) : sni_fail_memory(error);
}

// What depends on the model alone.
static snResult fill_plain(snCharacter* character, snError* error) {
    const sniTables* tables = character->tables;
    const snAllocator* memory = &character->allocator;
    uint32_t joints = tables->model->skeleton->joint_count;
    character->parts = SNI_NEW_ARRAY(memory, sniPartState, tables->part_count);
    character->world = SNI_NEW_ARRAY(memory, snMat4, joints);
    character->pose = SNI_NEW_ARRAY(memory, snTrs, joints);
    bool enough = character->parts != NULL && character->world != NULL && character->pose != NULL;
    for (uint32_t p = 0; p < tables->part_count && enough; p++) enough = create_part(character, p);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult character_fill(snCharacter* character, bool own_workspace, snError* error) {
    const sniTables* tables = character->tables;
    if (own_workspace) {
        if (!sni_workspace_create(tables, &character->allocator, &character->own_work))
            return sni_fail_memory(error);
        character->work = &character->own_work;
    }
    SNI_TRY(fill_plain(character, error));
    character->material = tables->material;
    return sni_character_fill(character, NULL, error);
}

static snResult check_def(const snCharacterDef* def, snCharacter** out, snError* error) {
    if (def == NULL || def->model == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and an output are needed");
    }
    if (!sn_cpu_level_available(def->level)) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "this machine or build has no %s",
                        sn_cpu_level_name(def->level));
    }
    if (def->like != NULL && def->like->tables->model != def->model) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "only characters of one model can share tables");
    }
    return SN_RESULT_OK;
}

static snResult show_rest(snCharacter* character, snError* error) {
    snResult result = sn_character_pose_clip(character, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP);
    if (result == SN_RESULT_OK) return result;
    return sni_fail(error, result, "the rest pose cannot be shown: %s", sn_result_name(result));
}

snResult sni_character_create(const snCharacterDef* def, bool own_workspace, const snAllocator* allocator,
                              snCharacter** out, snError* error) {
    snResult result = check_def(def, out, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snCharacter* character = SNI_NEW(&memory, snCharacter);
    if (character == NULL) return sni_fail_memory(error);
    character->allocator = memory;
    character->def = *def;
    character->def.settings = NULL; // copied into the tables
    if (def->like != NULL) {
        character->tables = def->like->tables;
        ((sniTables*)def->like->tables)->shared = true;
    } else {
        result = sni_tables_create(def, &memory, &character->own_tables, error);
    }
    if (character->tables == NULL) character->tables = character->own_tables;
    if (result == SN_RESULT_OK) result = character_fill(character, own_workspace, error);
    if (result == SN_RESULT_OK) sn_character_report_reset(character);
    if (result == SN_RESULT_OK && own_workspace) result = show_rest(character, error);
    if (result != SN_RESULT_OK) {
        sn_character_destroy(character);
        return result;
    }
    *out = character;
    return SN_RESULT_OK;
}

snResult sn_character_create(const snCharacterDef* def, const snAllocator* allocator, snCharacter** out,
                             snError* error) {
    return sni_character_create(def, true, allocator, out, error);
}

void sni_character_release(snCharacter* character, const snCharacter* keeper) {
    const snAllocator* memory = &character->allocator;
    if (character->state != keeper->state) sn_flesh_state_destroy(character->state);
    if (character->own_material.deltas != keeper->own_material.deltas)
        sni_material_destroy(&character->own_material, memory);
    const void* kept[] = {keeper->shown,         keeper->joint_places, keeper->pose_places,
                          keeper->colliders,     keeper->volumes,      keeper->shells,
                          keeper->volume_joints, keeper->twists,       keeper->turns};
    void* arrays[] = {character->shown,         character->joint_places, character->pose_places,
                      character->colliders,     character->volumes,      character->shells,
                      character->volume_joints, character->twists,       character->turns};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i] != kept[i]) sni_free(memory, arrays[i]);
}

void sn_character_destroy(snCharacter* character) {
    static const snCharacter nothing = {0};
    if (character == NULL) return;
    snAllocator memory = character->allocator;
    uint32_t parts = character->tables != NULL ? character->tables->part_count : 0;
    for (uint32_t p = 0; p < parts && character->parts != NULL; p++) {
        sniPartState* state = &character->parts[p];
        void* arrays[] = {state->rest,          state->rest_normals, state->offsets, state->lattice_normals,
                          state->morph_weights, state->positions,    state->normals, state->linear};
        for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    }
    sni_character_release(character, &nothing);
    sni_workspace_destroy(&character->own_work);
    sni_tables_release(character->own_tables, NULL);
    void* arrays[] = {character->parts, character->world, character->pose, character};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// ---------------------------------------------------------------------------------------------- questions

snSurface sn_character_surface(const snCharacter* character, uint32_t part) {
    snSurface surface = {0};
    if (character == NULL || part >= character->tables->part_count) return surface;
    surface.vertex_count = character->tables->model->parts[part].mesh->vertex_count;
    surface.positions = character->parts[part].positions;
    surface.normals = character->parts[part].normals;
    return surface;
}

const snMat4* sn_character_world(const snCharacter* character) { return character->world; }

const snVec4* sn_character_particles(const snCharacter* character) { return character->shown; }

bool sn_character_embedding(const snCharacter* character, uint32_t part, uint32_t* out_points,
                            snVec3* out_normals) {
    const sniTables* tables = character->tables;
    if (tables->settings->skin != SN_SKIN_LATTICE || part >= tables->part_count ||
        tables->parts[part].surface == NULL || tables->parts[part].hard != NULL ||
        tables->model->parts[part].morph_count > 0 || tables->maps != NULL || tables->exact != NULL ||
        tables->contact != NULL) {
        return false;
    }
    sni_part_embedding(tables, part, out_points, out_normals);
    return true;
}

snFleshMaterial* sn_character_material(snCharacter* character) {
    if (character->state == NULL) return NULL;
    uint32_t count = character->state->particle_count;
    if (character->own_material.deltas == NULL) {
        if (!sni_material_create(&character->own_material, count, &character->allocator)) return NULL;
        sni_material_copy(&character->own_material, &character->tables->material, count);
        character->material = character->own_material;
    }
    return &character->own_material;
}

const snSettings* sn_character_settings(const snCharacter* character) { return character->tables->settings; }

const snPartVolumeState* sn_character_volumes(const snCharacter* character) {
    return character->tables->volume != NULL ? character->volumes : NULL;
}

const snExactVolume* sn_character_exact(const snCharacter* character) { return character->tables->exact; }
const snContact* sn_character_contact(const snCharacter* character) { return character->tables->contact; }
const snShellState* sn_character_shells(const snCharacter* character) { return character->shells; }
const snVolumeJointState* sn_character_volume_joints(const snCharacter* character) {
    return character->volume_joints;
}

snCharacterReport sn_character_report(const snCharacter* character) {
    snCharacterReport report = character->report;
    if (character->state == NULL) return report;
    report.delta_min = 1.0f;
    for (uint32_t p = 0; p < character->state->particle_count; p++) {
        report.delta_min = sn_minf(report.delta_min, character->material.deltas[p]);
        report.delta_max = sn_maxf(report.delta_max, character->material.deltas[p]);
    }
    return report;
}

void sn_character_report_reset(snCharacter* character) {
    const snBinding* binding = character->tables->binding;
    character->report =
        (snCharacterReport){.volume_joint = SN_NONE,
                            .exact_shell = SN_NONE,
                            .unused_rules = character->tables->unused_rules,
                            .unused_pushes = sni_pushes_unused(character->tables),
                            .particles = binding != NULL ? binding->lattice->particle_count : 0};
}

uint64_t sn_character_hash(const snCharacter* character) {
    uint64_t hash = SN_HASH_SEED;
    for (uint32_t p = 0; p < character->tables->part_count; p++) {
        snSurface surface = sn_character_surface(character, p);
        hash = sn_hash_floats(hash, &surface.positions[0].x, 3 * (size_t)surface.vertex_count);
        hash = sn_hash_floats(hash, &surface.normals[0].x, 3 * (size_t)surface.vertex_count);
    }
    return hash;
}
