// What frames only read, piece by piece: all of it at first, and later what depends on what was changed.
#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"
#include "flesh/part_volume_kernels.h"
#include "rig/part.h"
#include "rig/range.h"
#include "sinew/retarget.h"
#include "spline/spline.h"
#include "volume/exact.h"

// --------------------------------------------------------------------------------------------------- parts

static snResult make_parts(sniTables* tables, snError* error) {
    for (uint32_t p = 0; p < tables->part_count; p++) SNI_TRY(sni_part_create(tables, p, error));
    return SN_RESULT_OK;
}

static snResult make_surfaces(sniTables* tables, snError* error) {
    for (uint32_t p = 0; p < tables->part_count; p++) SNI_TRY(sni_part_surface_create(tables, p, error));
    return SN_RESULT_OK;
}

static snResult make_plans(sniTables* tables, snError* error) {
    for (uint32_t p = 0; p < tables->part_count; p++) SNI_TRY(sni_part_plan_create(tables, p, error));
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------- lattice

// A joint that the settings name; none for the empty name.
static snResult find_joint(const sniTables* tables, snJointNames** names, const char* what, uint32_t index,
                           const char* name, uint32_t* out, snError* error) {
    *out = SN_NONE;
    if (name[0] == '\0') return SN_RESULT_OK;
    if (*names == NULL)
        SNI_TRY(sn_joint_names_create(tables->model->skeleton, &tables->allocator, names, error));
    *out = sn_joint_names_find(*names, name);
    if (*out != SN_NONE) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_NOT_FOUND, "%s %u: there is no joint named %s", what,
                    (unsigned)(index + 1), name);
}

static snResult make_colliders(sniTables* tables, snError* error) {
    const snSettings* s = tables->settings;
    tables->collider_joints = SNI_NEW_ARRAY(&tables->allocator, uint32_t, s->collider_count);
    tables->push_joints = SNI_NEW_ARRAY(&tables->allocator, uint32_t, s->push_count);
    if (tables->collider_joints == NULL || tables->push_joints == NULL) return sni_fail_memory(error);
    snJointNames* names = NULL;
    snResult result = SN_RESULT_OK;
    for (uint32_t c = 0; c < s->collider_count && result == SN_RESULT_OK; c++)
        result = find_joint(tables, &names, "collider", c, s->colliders[c].joint, &tables->collider_joints[c],
                            error);
    for (uint32_t i = 0; i < s->push_count && result == SN_RESULT_OK; i++)
        result = find_joint(tables, &names, "push", i, s->pushes[i].joint, &tables->push_joints[i], error);
    sn_joint_names_destroy(names);
    return result;
}

static snResult make_joints(sniTables* tables, snError* error) {
    const snBinding* binding = tables->binding;
    const snLattice* lattice = binding->lattice;
    tables->scale = lattice->cell_size * sn_pow((float)lattice->cell_count, 1.0f / 3.0f);
    tables->inverse_binds = SNI_NEW_ARRAY(&tables->allocator, snMat4, binding->joint_count);
    if (tables->inverse_binds == NULL) return sni_fail_memory(error);
    for (uint32_t j = 0; j < binding->joint_count; j++) {
        // A joint flattened at bind time cannot tell where anything was; it leaves its flesh in place.
        if (!sn_mat4_inverse_affine(&binding->binds[j], &tables->inverse_binds[j]))
            tables->inverse_binds[j] = sn_mat4_identity();
    }
    return SN_RESULT_OK;
}

static snResult make_groups(sniTables* tables, snError* error) {
    const snLatticeParts* parts = tables->binding->parts;
    size_t count = parts->particle_count;
    tables->groups = SNI_NEW_ARRAY(&tables->allocator, uint32_t, 2 * count);
    if (tables->groups == NULL) return sni_fail_memory(error);
    memcpy(tables->groups, parts->bone_parts, count * sizeof *tables->groups);
    memcpy(tables->groups + count, parts->joint_parts, count * sizeof *tables->groups);
    return SN_RESULT_OK;
}

static snResult make_lattice_skin(sniTables* tables, snError* error) {
    return sn_lattice_skin_create(tables->binding, tables->settings->smoothing, &tables->allocator,
                                  &tables->skin, error);
}

static snResult make_maps(sniTables* tables, snError* error) {
    return sn_particle_maps_create(tables->binding->lattice, &tables->allocator, &tables->maps, error);
}

// Particles that are skinned as the vertices are.
static snResult make_particle_plan(sniTables* tables, snError* error) {
    const snBinding* binding = tables->binding;
    snSkinPlanDef def = {.point_count = binding->lattice->particle_count,
                         .points = binding->lattice->rest,
                         .influences = binding->particles.influences,
                         .joints = binding->particles.joints,
                         .weights = binding->particles.weights,
                         .matrix_count = binding->joint_count};
    return sn_skin_plan_create(&def, &tables->allocator, &tables->particle_plan, error);
}

void sni_lattice_places(const snLattice* lattice, snVec3* out) {
    for (uint32_t i = 0; i < lattice->point_count; i++) {
        const uint16_t* at = lattice->cells[lattice->point_cells[i]];
        snVec3 cells = sn_add(sn_vec3((float)at[0], (float)at[1], (float)at[2]), lattice->point_coords[i]);
        out[i] = sn_add(lattice->origin, sn_scale(cells, lattice->cell_size));
    }
}

static void list_triangles(const sniTables* tables, uint32_t* out) {
    const snBinding* binding = tables->binding;
    for (uint32_t p = 0; p < tables->model->part_count; p++) {
        const snMesh* mesh = tables->model->parts[p].mesh;
        const uint32_t* points = binding->vertex_points + binding->vertex_starts[p];
        if (binding->vertex_starts[p] == binding->vertex_starts[p + 1]) continue; // left out
        for (uint32_t f = 0; f < mesh->face_count; f++)
            for (uint32_t c = mesh->face_starts[f] + 2; c < mesh->face_starts[f + 1]; c++) {
                *out++ = points[mesh->corners[mesh->face_starts[f]]];
                *out++ = points[mesh->corners[c - 1]];
                *out++ = points[mesh->corners[c]];
            }
    }
}

static uint32_t count_triangles(const sniTables* tables) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < tables->model->part_count; p++) {
        const snMesh* mesh = tables->model->parts[p].mesh;
        if (tables->binding->vertex_starts[p] == tables->binding->vertex_starts[p + 1]) continue;
        count += mesh->corner_count - 2 * mesh->face_count;
    }
    return count;
}

// Volume is that of what the surface encloses.
static snResult fill_part_volume(sniTables* tables, snError* error) {
    const snAllocator* memory = &tables->allocator;
    const snLattice* lattice = tables->binding->lattice;
    uint32_t triangles = count_triangles(tables);
    uint32_t* corners = SNI_NEW_ARRAY(memory, uint32_t, (size_t)3 * triangles);
    snVec3* points = SNI_NEW_ARRAY(memory, snVec3, lattice->point_count);
    snResult result = corners != NULL && points != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        list_triangles(tables, corners);
        sni_lattice_places(lattice, points);
        result = sni_part_volume_fill(tables->volume, lattice, points, corners, triangles, error);
    }
    sni_free(memory, corners);
    sni_free(memory, points);
    return result;
}

static snResult make_part_volume(sniTables* tables, snError* error) {
    SNI_TRY(sn_part_volume_create(tables->binding, &tables->allocator, &tables->volume, error));
    return fill_part_volume(tables, error);
}

static snResult make_material(sniTables* tables, snError* error) {
    uint32_t count = tables->binding->lattice->particle_count;
    tables->widths = SNI_NEW_ARRAY(&tables->allocator, uint8_t, count);
    return tables->widths != NULL ? sni_flesh_material_fill(tables, error) : sni_fail_memory(error);
}

static snResult make_flesh(sniTables* tables, snError* error) {
    snFleshDef def = {tables->binding, tables->widths};
    return sn_flesh_create(&def, &tables->allocator, &tables->flesh, error);
}

// ----------------------------------------------------------------------------------------------- bind pose

static snResult make_bind_pose(sniTables* tables, snError* error) {
    const snModel* model = tables->model;
    uint32_t joints = model->skeleton->joint_count;
    tables->bind_inverses = SNI_NEW_ARRAY(&tables->allocator, snMat4, joints);
    if (tables->bind_inverses == NULL) return sni_fail_memory(error);
    SNI_TRY(sni_bind_pose_create(model, &tables->allocator, &tables->bind_pose, error));
    sni_bind_pose_inverses(&tables->bind_pose, joints, tables->bind_inverses);
    for (uint32_t p = 0; p < tables->part_count; p++)
        tables->parts[p].to_bind = sni_bind_pose_space(&tables->bind_pose, &model->parts[p]);
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- pieces

typedef snResult MakeFn(sniTables* tables, snError* error);
static MakeFn* const MAKERS[SNI_PIECE_COUNT] = {
    [SNI_PIECE_JOINTS] = make_joints,
    [SNI_PIECE_GROUPS] = make_groups,
    [SNI_PIECE_COLLIDERS] = make_colliders,
    [SNI_PIECE_LATTICE_SKIN] = make_lattice_skin,
    [SNI_PIECE_MAPS] = make_maps,
    [SNI_PIECE_PARTICLE_PLAN] = make_particle_plan,
    [SNI_PIECE_PART_VOLUME] = make_part_volume,
    [SNI_PIECE_MATERIAL] = make_material,
    [SNI_PIECE_FLESH] = make_flesh,
    [SNI_PIECE_CAPSULES] = sni_bone_capsules_create,
    [SNI_PIECE_WHOLE] = sni_whole_make,
    [SNI_PIECE_PARTS] = make_parts,
    [SNI_PIECE_SURFACES] = make_surfaces,
    [SNI_PIECE_HARD] = sni_hard_make,
    [SNI_PIECE_PLANS] = make_plans,
    [SNI_PIECE_BIND_POSE] = make_bind_pose,
    [SNI_PIECE_SPLINES] = sni_splines_make,
    [SNI_PIECE_PARTICLE_SPLINES] = sni_particle_splines_make,
    [SNI_PIECE_SPLINE_SKINS] = sni_styles_make,
    [SNI_PIECE_STYLES] = sni_styles_make,
    [SNI_PIECE_VOLUME_CHOICES] = sni_volume_choices_make,
    [SNI_PIECE_EXACT] = sni_exact_make,
    [SNI_PIECE_FIELDS] = sni_fields_make,
    [SNI_PIECE_CONTACT] = sni_contact_make,
};

// The pieces that the settings ask for.
static uint32_t wanted_pieces(const sniTables* tables) {
    const snSettings* s = tables->settings;
    bool bound = tables->binding != NULL, flesh = bound && s->flesh;
    bool curved = s->skin == SN_SKIN_SPLINE, exact = sn_settings_exact_volume(s);
    uint32_t wanted = SNI_PIECE(PARTS) | SNI_PIECE(PLANS);
    if (bound)
        wanted |= SNI_PIECE(JOINTS) | SNI_PIECE(GROUPS) | SNI_PIECE(COLLIDERS) | SNI_PIECE(LATTICE_SKIN) |
                  SNI_PIECE(SURFACES) | SNI_PIECE(HARD);
    if (bound && (s->skin == SN_SKIN_LINEAR || s->skin == SN_SKIN_DUAL)) wanted |= SNI_PIECE(PARTICLE_PLAN);
    if (bound && s->smooth_cells) wanted |= SNI_PIECE(MAPS);
    if (bound && sni_keeps_parts(s)) wanted |= SNI_PIECE(PART_VOLUME);
    if ((wanted & SNI_PIECE(PARTICLE_PLAN)) != 0 && sni_keeps_parts(s)) wanted |= SNI_PIECE(WHOLE);
    if (flesh) wanted |= SNI_PIECE(MATERIAL) | SNI_PIECE(FLESH);
    if (flesh && s->self_contact) wanted |= SNI_PIECE(CAPSULES);
    if (curved || exact || s->skin_contact) wanted |= SNI_PIECE(BIND_POSE);
    if (curved) wanted |= SNI_PIECE(SPLINES) | SNI_PIECE(SPLINE_SKINS) | SNI_PIECE(STYLES);
    if (curved && bound) wanted |= SNI_PIECE(PARTICLE_SPLINES);
    if (s->skin_contact) wanted |= SNI_PIECE(CONTACT);
    if (exact) wanted |= SNI_PIECE(VOLUME_CHOICES) | SNI_PIECE(EXACT) | SNI_PIECE(FIELDS);
    return wanted;
}

// Leaves a piece to whoever else has it.
static void forget_piece(sniTables* t, sniPiece piece) {
    switch (piece) {
    case SNI_PIECE_JOINTS:
        t->inverse_binds = NULL;
        break;
    case SNI_PIECE_GROUPS:
        t->groups = NULL;
        break;
    case SNI_PIECE_COLLIDERS:
        t->collider_joints = NULL;
        t->push_joints = NULL;
        break;
    case SNI_PIECE_LATTICE_SKIN:
        t->skin = NULL;
        break;
    case SNI_PIECE_MAPS:
        t->maps = NULL;
        break;
    case SNI_PIECE_PARTICLE_PLAN:
        t->particle_plan = NULL;
        break;
    case SNI_PIECE_PART_VOLUME:
        t->volume = NULL;
        break;
    case SNI_PIECE_WHOLE:
        t->whole = NULL;
        break;
    case SNI_PIECE_MATERIAL:
        t->material = (snFleshMaterial){0};
        t->widths = NULL;
        t->bends = NULL;
        t->unused_rules = 0;
        break;
    case SNI_PIECE_FLESH:
        t->flesh = NULL;
        break;
    case SNI_PIECE_CAPSULES:
        t->capsules = NULL;
        t->capsule_count = 0;
        break;
    case SNI_PIECE_BIND_POSE:
        t->bind_pose = (sniBindPose){0};
        t->bind_inverses = NULL;
        break;
    case SNI_PIECE_SPLINES:
        t->splines = NULL;
        break;
    case SNI_PIECE_PARTICLE_SPLINES:
        t->particle_splines = NULL;
        break;
    case SNI_PIECE_VOLUME_CHOICES:
        t->volume_choices = NULL;
        break;
    case SNI_PIECE_EXACT:
        t->exact = NULL;
        break;
    case SNI_PIECE_CONTACT:
        t->contact = NULL;
        break;
    default:
        break; // of the parts; or changed, not made anew
    }
    for (uint32_t p = 0; p < t->part_count; p++) {
        sniPartTables* part = &t->parts[p];
        if (piece == SNI_PIECE_PARTS) {
            part->sources = NULL;
            part->joints = NULL;
            part->weights = NULL;
            part->rest = part->rest_normals = NULL;
        }
        if (piece == SNI_PIECE_SURFACES) part->surface = NULL;
        if (piece == SNI_PIECE_HARD) part->hard = NULL;
        if (piece == SNI_PIECE_PLANS) part->plan = NULL;
        if (piece == SNI_PIECE_SPLINE_SKINS) part->splines = NULL;
    }
}

// Makes pieces anew, as far as the settings ask for them. `old` has the others, or is NULL.
static snResult make_pieces(sniTables* tables, uint32_t pieces, const sniTables* old, snError* error) {
    uint32_t wanted = wanted_pieces(tables);
    // What is made anew has its styles and profiles already.
    if ((pieces & SNI_PIECE(SPLINE_SKINS)) != 0) pieces &= ~SNI_PIECE(STYLES);
    if ((pieces & SNI_PIECE(EXACT)) != 0) pieces &= ~SNI_PIECE(FIELDS);
    for (uint32_t p = 0; p < SNI_PIECE_COUNT; p++)
        if ((pieces & 1u << p) != 0) forget_piece(tables, (sniPiece)p);
    for (uint32_t p = 0; p < SNI_PIECE_COUNT; p++) {
        if ((pieces & wanted & 1u << p) == 0) continue;
        SNI_TRY(MAKERS[p](tables, error));
        // Regions know of the material nothing but their widths.
        bool regions = p == SNI_PIECE_MATERIAL && old != NULL && (pieces & SNI_PIECE(FLESH)) == 0 &&
                       memcmp(tables->widths, old->widths, tables->binding->lattice->particle_count) != 0;
        if (regions) {
            forget_piece(tables, SNI_PIECE_FLESH);
            pieces |= SNI_PIECE(FLESH);
        }
    }
    return sni_volume_targets_reach(tables, error);
}

// ---------------------------------------------------------------------------------------------- as a whole

// The settings asked for, with what they leave open decided.
static snResult resolve_settings(const snCharacterDef* def, sniTables* tables, snError* error) {
    const snSettings* given = def->settings != NULL ? def->settings : def->model->settings;
    snResult result = given != NULL ? sn_settings_copy(given, &tables->allocator, &tables->settings, error)
                                    : sn_settings_create(&tables->allocator, &tables->settings, error);
    if (result == SN_RESULT_OK) result = sn_settings_validate(tables->settings, error);
    if (result != SN_RESULT_OK) return result;
    snSettings* s = tables->settings;
    if (def->skin != SN_SKIN_AUTO) s->skin = def->skin;
    bool bound = def->model->binding != NULL;
    if (s->skin == SN_SKIN_AUTO && s->style_rule_count > 0) s->skin = SN_SKIN_SPLINE;
    // A character that says how much of dual skin it wants gets it.
    bool dual = bound || sni_model_has_dual_shares(def->model);
    if (s->skin == SN_SKIN_AUTO) s->skin = dual ? SN_SKIN_DUAL : SN_SKIN_LINEAR;
    if (s->skin == SN_SKIN_LATTICE && !bound) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "lattice skin needs a model that was bound");
    }
    bool wanted = bound && (s->skin == SN_SKIN_LATTICE || sni_keeps_parts(s) || s->flesh);
    tables->binding = wanted ? def->model->binding : NULL;
    return SN_RESULT_OK;
}

// What tells the states of one model from those of others. Of kin are models whose joints and particles are
// the same, wherever they are: a joint that is moved by hand leaves the flesh what it was.
static void sign(const snModel* model, sniTables* tables) {
    const snSkeleton* skeleton = model->skeleton;
    const snLattice* lattice = model->binding != NULL ? model->binding->lattice : NULL;
    uint64_t hash =
        sn_hash_bytes(SN_HASH_SEED, skeleton->parents, skeleton->joint_count * sizeof *skeleton->parents);
    tables->kinship = hash;
    if (lattice != NULL) {
        hash = sn_hash_bytes(hash, lattice->particles, lattice->particle_count * sizeof *lattice->particles);
        tables->kinship = sn_hash_bytes(hash, lattice->cell_particles,
                                        lattice->cell_count * sizeof *lattice->cell_particles);
        hash = sn_hash_bytes(tables->kinship, lattice->rest, lattice->particle_count * sizeof *lattice->rest);
    }
    tables->signature = sn_hash_bytes(hash, skeleton->rest, skeleton->joint_count * sizeof *skeleton->rest);
}

static snResult tables_fill(const snCharacterDef* def, sniTables* tables, snError* error) {
    SNI_TRY(resolve_settings(def, tables, error));
    const snModel* model = def->model;
    tables->matrix_count = 1;
    for (uint32_t s = 0; s < model->skin_count; s++) {
        if (model->skins[s].joint_count > tables->matrix_count)
            tables->matrix_count = model->skins[s].joint_count;
    }
    tables->parts = SNI_NEW_ARRAY(&tables->allocator, sniPartTables, model->part_count);
    if (tables->parts == NULL) return sni_fail_memory(error);
    tables->part_count = model->part_count;
    tables->reaches = SNI_NEW_ARRAY(&tables->allocator, float, model->skeleton->joint_count);
    if (tables->reaches == NULL || !sni_model_reaches(model, &tables->allocator, tables->reaches))
        return sni_fail_memory(error);
    SNI_TRY(sni_turn_tables_create(tables, error));
    sign(model, tables);
    return make_pieces(tables, SNI_ALL_PIECES, NULL, error);
}

snResult sni_tables_create(const snCharacterDef* def, const snAllocator* allocator, sniTables** out,
                           snError* error) {
    sniTables* tables = SNI_NEW(allocator, sniTables);
    if (tables == NULL) return sni_fail_memory(error);
    tables->allocator = *allocator;
    tables->model = def->model;
    snResult result = tables_fill(def, tables, error);
    if (result != SN_RESULT_OK) {
        sni_tables_release(tables, NULL);
        return result;
    }
    *out = tables;
    return SN_RESULT_OK;
}

static snResult change(const sniTables* old, const snCharacterDef* def, sniTables* tables, snError* error) {
    tables->settings = NULL;
    tables->parts = sni_copy_array(&tables->allocator, old->parts, old->part_count, sizeof *old->parts);
    if (tables->parts == NULL) return sni_fail_memory(error);
    SNI_TRY(resolve_settings(def, tables, error));
    uint32_t pieces = sni_pieces_that_differ(old->settings, tables->settings);
    pieces |= wanted_pieces(old) ^ wanted_pieces(tables);
    pieces |= SNI_PIECE(VOLUME_CHOICES); // they point into the settings
    return make_pieces(tables, sni_pieces_made_of(pieces), old, error);
}

snResult sni_tables_change(const sniTables* tables, const snCharacterDef* def, sniTables** out,
                           snError* error) {
    sniTables* next = SNI_NEW(&tables->allocator, sniTables);
    if (next == NULL) return sni_fail_memory(error);
    *next = *tables;
    snResult result = change(tables, def, next, error);
    if (result != SN_RESULT_OK) {
        sni_tables_release(next, tables);
        return result;
    }
    *out = next;
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- weights

// Weights say little of splines: mostly they stay as they are, and with them how particles hang.
static snResult remake_splines(const sniTables* old, sniTables* tables, uint32_t* pieces, snError* error) {
    SNI_TRY(make_pieces(tables, SNI_PIECE(SPLINES), old, error));
    *pieces &= ~SNI_PIECE(SPLINES);
    if (!sni_splines_same(tables->splines, old->splines)) return SN_RESULT_OK;
    sn_splines_destroy(tables->splines);
    tables->splines = old->splines;
    *pieces &= ~SNI_PIECE(PARTICLE_SPLINES);
    return SN_RESULT_OK;
}

static snResult reweigh(const sniTables* old, uint32_t index, sniTables* tables, snError* error) {
    const snPart* part = &tables->model->parts[index];
    tables->parts = sni_copy_array(&tables->allocator, old->parts, old->part_count, sizeof *old->parts);
    if (tables->parts == NULL) return sni_fail_memory(error);
    sniPartTables* t = &tables->parts[index];
    t->sources = NULL;
    t->joints = NULL;
    t->weights = NULL;
    t->rest = NULL;
    SNI_TRY(sni_part_weights_create(tables, index, error));
    uint32_t vertices = part->mesh->vertex_count;
    if (t->surface != NULL &&
        memcmp(t->sources, old->parts[index].sources, vertices * sizeof *t->sources) != 0) {
        t->surface = NULL;
        SNI_TRY(sni_part_surface_create(tables, index, error));
    }
    t->plan = NULL;
    SNI_TRY(sni_part_plan_create(tables, index, error));
    // Of this part alone these are done; what all parts are in together is not.
    uint32_t done = SNI_PIECE(PARTS) | SNI_PIECE(SURFACES) | SNI_PIECE(PLANS);
    uint32_t pieces = sni_pieces_made_of(SNI_PIECE(PARTS)) & ~done;
    if (old->splines != NULL) SNI_TRY(remake_splines(old, tables, &pieces, error));
    tables->before = old;
    snResult result = make_pieces(tables, pieces, old, error);
    tables->before = NULL;
    return result;
}

snResult sni_tables_reweigh(const sniTables* tables, uint32_t part, sniTables** out, snError* error) {
    SNI_TRY(sni_part_weights_check(tables, part, error));
    sniTables* next = SNI_NEW(&tables->allocator, sniTables);
    if (next == NULL) return sni_fail_memory(error);
    *next = *tables;
    snResult result = reweigh(tables, part, next, error);
    if (result != SN_RESULT_OK) {
        sni_tables_release(next, tables);
        return result;
    }
    *out = next;
    return SN_RESULT_OK;
}

static snResult check_particles(const snBinding* binding, snError* error) {
    const snWeights* w = &binding->particles;
    for (size_t i = 0; i < (size_t)w->vertex_count * w->influences; i++)
        if (w->joints[i] >= binding->joint_count || !(w->weights[i] >= 0.0f && sn_finite(w->weights[i])))
            return sni_fail(error, SN_RESULT_BAD_DATA,
                            "particle %u has a joint that does not exist or a weight that is not finite",
                            (unsigned)(i / w->influences));
    return SN_RESULT_OK;
}

static snResult reweigh_particles(const sniTables* old, sniTables* tables, snError* error) {
    tables->parts = sni_copy_array(&tables->allocator, old->parts, old->part_count, sizeof *old->parts);
    if (tables->parts == NULL) return sni_fail_memory(error);
    uint32_t pieces = SNI_PIECE(LATTICE_SKIN) | SNI_PIECE(PARTICLE_PLAN) | SNI_PIECE(PARTICLE_SPLINES);
    // What else there is asks which group a particle is in, not how much it weighs.
    const snLatticeParts* parts = tables->binding->parts;
    size_t count = parts->particle_count;
    if (memcmp(old->groups, parts->bone_parts, count * sizeof *old->groups) != 0 ||
        memcmp(old->groups + count, parts->joint_parts, count * sizeof *old->groups) != 0)
        pieces |= SNI_PIECE(GROUPS) | SNI_PIECE(PART_VOLUME) | SNI_PIECE(MATERIAL) | SNI_PIECE(CAPSULES);
    // Shape matching asks weights only which pieces follow others.
    if (tables->binding->lattice->piece_count > 1) pieces |= SNI_PIECE(FLESH);
    return make_pieces(tables, pieces, old, error);
}

snResult sni_tables_reweigh_particles(const sniTables* tables, sniTables** out, snError* error) {
    SNI_TRY(check_particles(tables->binding, error));
    sniTables* next = SNI_NEW(&tables->allocator, sniTables);
    if (next == NULL) return sni_fail_memory(error);
    *next = *tables;
    snResult result = reweigh_particles(tables, next, error);
    if (result != SN_RESULT_OK) {
        sni_tables_release(next, tables);
        return result;
    }
    *out = next;
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- release

static void release_part(sniPartTables* t, const sniPartTables* keeper, const snAllocator* memory) {
    if (t->plan != keeper->plan) sn_skin_plan_destroy(t->plan);
    if (t->surface != keeper->surface) sn_surface_plan_destroy(t->surface);
    sni_spline_skin_release(t->splines, keeper->splines);
    if (t->hard != keeper->hard) sni_hard_destroy(t->hard, memory);
    const void* kept[] = {keeper->sources, keeper->joints, keeper->weights, keeper->rest,
                          keeper->rest_normals};
    void* arrays[] = {t->sources, t->joints, t->weights, t->rest, t->rest_normals};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i] != kept[i]) sni_free(memory, arrays[i]);
}

void sni_tables_release(sniTables* t, const sniTables* keeper) {
    static const sniTables nothing = {0};
    static const sniPartTables no_part = {0};
    if (t == NULL) return;
    bool alone = keeper == NULL;
    if (alone) keeper = &nothing;
    snAllocator memory = t->allocator;
    for (uint32_t p = 0; t->parts != NULL && p < t->part_count; p++)
        release_part(&t->parts[p], alone ? &no_part : &keeper->parts[p], &memory);
    if (t->settings != keeper->settings) sn_settings_destroy(t->settings);
    if (t->particle_plan != keeper->particle_plan) sn_skin_plan_destroy(t->particle_plan);
    sni_spline_skin_release(t->particle_splines, keeper->particle_splines);
    if (t->splines != keeper->splines) sn_splines_destroy(t->splines);
    if (t->skin != keeper->skin) sn_lattice_skin_destroy(t->skin);
    if (t->maps != keeper->maps) sn_particle_maps_destroy(t->maps);
    if (t->volume != keeper->volume) sn_part_volume_destroy(t->volume);
    if (t->whole != keeper->whole) sni_whole_destroy(t->whole, &memory);
    if (t->flesh != keeper->flesh) sn_flesh_destroy(t->flesh);
    if (t->material.deltas != keeper->material.deltas) sni_material_destroy(&t->material, &memory);
    if (t->bind_pose.worlds != keeper->bind_pose.worlds) sni_bind_pose_free(&t->bind_pose);
    sni_exact_volume_release(t->exact, keeper->exact);
    if (t->contact != keeper->contact) sn_contact_destroy(t->contact);
    const void* kept[] = {keeper->parts,         keeper->inverse_binds,  keeper->capsules,
                          keeper->widths,        keeper->bends,          keeper->collider_joints,
                          keeper->push_joints,   keeper->volume_choices, keeper->bind_inverses,
                          keeper->groups,        keeper->reaches,        keeper->turns.starts,
                          keeper->turns.parents, keeper->turns.order,    NULL};
    void* arrays[] = {t->parts,           t->inverse_binds, t->capsules,       t->widths,        t->bends,
                      t->collider_joints, t->push_joints,   t->volume_choices, t->bind_inverses, t->groups,
                      t->reaches,         t->turns.starts,  t->turns.parents,  t->turns.order,   t};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i] != kept[i]) sni_free(&memory, arrays[i]);
}
