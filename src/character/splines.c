// Splines of a character: made of the joints that move its skin, in one bind pose, with what the settings say
// of them; and the frames.
#include "base/error.h"
#include "base/memory.h"
#include "base/union_find.h"
#include "character/character.h"
#include "sinew/retarget.h"
#include "spline/spline.h"

// Skulls, hands and feet do not bend far into their own bone. Judged by pictures; others have a half.
#define STIFF_REACH 0.25f
// A vertex this much of whose weight is one joint's belongs to it alone. Judged, not measured.
#define WHOLE_WEIGHT 0.999f

// --------------------------------------------------------------------------------------------------- joints

typedef struct Builder {
    sniTables* tables;
    snStyleChoice* choices; // joint_count
    snSplineJoint* joints;  // joint_count
    double* sums;           // 4 * joint_count: weighted places, and weights
    uint8_t* stiff;         // joint_count: its own bone does not bend
} Builder;

static void add_part(Builder* b, uint32_t index) {
    const snPart* part = &b->tables->model->parts[index];
    const sniPartTables* t = &b->tables->parts[index];
    if (part->skin == SN_NONE) return;
    const uint32_t* joints = b->tables->model->skins[part->skin].joints;
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        snVec3 p = sn_mat4_point(&t->to_bind, t->rest[v]);
        for (uint32_t i = 0; i < t->influences; i++) {
            size_t at = (size_t)v * t->influences + i;
            double weight = (double)t->weights[at];
            double* sum = b->sums + (size_t)4 * joints[t->joints[at]];
            sum[0] += weight * (double)p.x;
            sum[1] += weight * (double)p.y;
            sum[2] += weight * (double)p.z;
            sum[3] += weight;
        }
    }
}

static snResult find_stiff(Builder* b, snError* error) {
    const snSkeleton* skeleton = b->tables->model->skeleton;
    const snAllocator* memory = &b->tables->allocator;
    if (skeleton->joint_count > SN_LABEL_JOINTS) return SN_RESULT_OK; // no character: nothing is a skull
    snJointName* names = SNI_NEW_ARRAY(memory, snJointName, skeleton->joint_count);
    snResult result = names != NULL ? sn_skeleton_anatomy(skeleton, memory, names) : SN_RESULT_OUT_OF_MEMORY;
    static const char* const patterns[] = {"Head", "*Wrist", "*Ankle", "*Toes"};
    for (uint32_t j = 0; j < skeleton->joint_count && result == SN_RESULT_OK; j++)
        for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
            b->stiff[j] |= sn_name_matches(patterns[i], names[j].text);
    sni_free(memory, names);
    return result == SN_RESULT_OUT_OF_MEMORY ? sni_fail_memory(error) : SN_RESULT_OK;
}

static void fill_joint(Builder* b, uint32_t j) {
    const uint32_t* parents = b->tables->model->skeleton->parents;
    const double* sum = b->sums + (size_t)4 * j;
    snVec3 place = sn_mat4_translation(&b->tables->bind_pose.worlds[j]);
    uint32_t parent = parents[j];
    while (parent != SN_NONE && !(b->sums[(size_t)4 * parent + 3] > 0.0)) parent = parents[parent];
    snVec3 center = place;
    if (sum[3] > 0.0)
        center = sn_vec3((float)(sum[0] / sum[3]), (float)(sum[1] / sum[3]), (float)(sum[2] / sum[3]));
    b->joints[j] = (snSplineJoint){.parent = parent,
                                   .place = place,
                                   .weight = (float)sum[3],
                                   .center = center,
                                   .stiffness = b->choices[j].stiffness,
                                   .reach = b->stiff[j] != 0 ? STIFF_REACH : 0.5f};
}

static snResult create_splines(Builder* b, snError* error) {
    sniTables* tables = b->tables;
    uint32_t joints = tables->model->skeleton->joint_count;
    for (uint32_t p = 0; p < tables->part_count; p++) add_part(b, p);
    SNI_TRY(find_stiff(b, error));
    for (uint32_t j = 0; j < joints; j++) fill_joint(b, j);
    snSplinesDef def = sn_splines_def();
    def.joint_count = joints;
    def.joints = b->joints;
    def.samples = tables->settings->spline_samples;
    return sn_splines_create(&def, &tables->allocator, &tables->splines, error);
}

// ---------------------------------------------------------------------------------------------------- skins

// Pieces of a part that follow one joint alone (armour, eyes, a sword) stay as they are.
static bool mark_stiff(const snPart* part, const sniPartTables* t, const snAllocator* memory, uint8_t* out) {
    const snMesh* mesh = part->mesh;
    uint32_t points = t->weld->point_count;
    uint32_t* pieces = SNI_NEW_ARRAY(memory, uint32_t, points);
    uint32_t* owners = SNI_NEW_ARRAY(memory, uint32_t, points); // of a piece: its joint + 1; SN_NONE: several
    bool ready = pieces != NULL && owners != NULL;
    if (ready) {
        sni_sets_reset(pieces, points);
        for (uint32_t f = 0; f < mesh->face_count; f++)
            for (uint32_t c = mesh->face_starts[f] + 1; c < mesh->face_starts[f + 1]; c++)
                sni_sets_join(pieces, t->weld->point_of_vertex[mesh->corners[c - 1]],
                              t->weld->point_of_vertex[mesh->corners[c]]);
    }
    for (uint32_t v = 0; v < mesh->vertex_count && ready; v++) {
        uint32_t owner = SN_NONE;
        for (uint32_t i = 0; i < t->influences; i++) {
            size_t at = (size_t)v * t->influences + i;
            if (t->weights[at] >= WHOLE_WEIGHT) owner = t->joints[at] + 1u;
        }
        uint32_t* piece = &owners[sni_sets_find(pieces, t->weld->point_of_vertex[v])];
        *piece = *piece == 0 || *piece == owner ? owner : SN_NONE;
    }
    for (uint32_t v = 0; v < mesh->vertex_count && ready; v++)
        out[v] = owners[sni_sets_find(pieces, t->weld->point_of_vertex[v])] != SN_NONE;
    sni_free(memory, pieces);
    sni_free(memory, owners);
    return ready;
}

// Vertices whose place and weights are what they were.
static void mark_same(const sniPartTables* before, const sniPartTables* now, uint32_t vertices,
                      uint8_t* out) {
    size_t k = now->influences;
    for (uint32_t v = 0; v < vertices; v++) {
        bool same = before->rest[v].x == now->rest[v].x && before->rest[v].y == now->rest[v].y &&
                    before->rest[v].z == now->rest[v].z;
        for (size_t i = v * k; i < (v + 1) * k && same; i++)
            same = before->joints[i] == now->joints[i] && before->weights[i] == now->weights[i];
        out[v] = same;
    }
}

// `known`: a skin of the same splines to learn from, or NULL; of it those points that `same` says.
static snResult create_part(const sniTables* tables, uint32_t index, const snSplineStyle* styles,
                            const snSplineSkin* known, const uint8_t* same, snError* error) {
    const snAllocator* memory = &tables->allocator;
    const snPart* part = &tables->model->parts[index];
    sniPartTables* t = &tables->parts[index];
    uint32_t vertices = part->mesh->vertex_count;
    snVec3* rest = SNI_NEW_ARRAY(memory, snVec3, vertices);
    snVec3* normals = SNI_NEW_ARRAY(memory, snVec3, vertices);
    snVec3* facing = SNI_NEW_ARRAY(memory, snVec3, vertices);
    uint16_t* joints = SNI_NEW_ARRAY(memory, uint16_t, (size_t)vertices * t->influences);
    uint8_t* stiff = SNI_NEW_ARRAY(memory, uint8_t, vertices);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (rest != NULL && normals != NULL && facing != NULL && joints != NULL && stiff != NULL &&
        mark_stiff(part, t, memory, stiff)) {
        // The file's own normals differ across a hard edge.
        sn_normals_run(&(snNormalsJob){.mesh = part->mesh, .weld = t->weld, .out_normals = facing});
        for (uint32_t v = 0; v < vertices; v++) {
            rest[v] = sn_mat4_point(&t->to_bind, t->rest[v]);
            normals[v] = sni_turned_normal(&t->to_bind, t->rest_normals[v]);
            facing[v] = sni_turned_normal(&t->to_bind, facing[v]);
        }
        sni_part_joints(tables, index, joints);
        snSplineSkinDef def = {.splines = tables->splines,
                               .point_count = vertices,
                               .points = rest,
                               .normals = normals,
                               .facing = facing,
                               .influences = t->influences,
                               .joints = joints,
                               .weights = t->weights,
                               .stiff = stiff,
                               .styles = styles,
                               .all_styles = tables->settings->style_all};
        result = known != NULL ? sni_spline_skin_renew(&def, known, same, &t->splines, error)
                               : sn_spline_skin_create(&def, memory, &t->splines, error);
    }
    void* arrays[] = {rest, normals, facing, joints, stiff};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return result == SN_RESULT_OUT_OF_MEMORY ? sni_fail_memory(error) : result;
}

// Styles shape the surface; particles inside of it have none.
snResult sni_particle_splines_make(sniTables* tables, snError* error) {
    const snBinding* binding = tables->binding;
    const snAllocator* memory = &tables->allocator;
    uint32_t count = binding->lattice->particle_count, influences = binding->particles.influences;
    snVec3* rest = SNI_NEW_ARRAY(memory, snVec3, count);
    uint16_t* joints = SNI_NEW_ARRAY(memory, uint16_t, (size_t)count * influences);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (rest != NULL && joints != NULL) {
        // The lattice was bound in the same pose, but perhaps elsewhere.
        snMat4 to_bind = sn_mat4_identity();
        if (binding->joint_count > 0)
            to_bind = sn_mat4_mul(&tables->bind_pose.worlds[binding->joints[0]], &tables->inverse_binds[0]);
        for (uint32_t p = 0; p < count; p++) rest[p] = sn_mat4_point(&to_bind, binding->lattice->rest[p]);
        for (size_t i = 0; i < (size_t)count * influences; i++)
            joints[i] = (uint16_t)binding->joints[binding->particles.joints[i]];
        snSplineSkinDef def = {.splines = tables->splines,
                               .point_count = count,
                               .points = rest,
                               .influences = influences,
                               .joints = joints,
                               .weights = binding->particles.weights};
        result = sn_spline_skin_create(&def, memory, &tables->particle_splines, error);
    }
    sni_free(memory, rest);
    sni_free(memory, joints);
    return result == SN_RESULT_OUT_OF_MEMORY ? sni_fail_memory(error) : result;
}

// What the settings say of each joint; joint_count.
static snResult create_choices(const sniTables* tables, snStyleChoice** out, snError* error) {
    const snSkeleton* skeleton = tables->model->skeleton;
    *out = SNI_NEW_ARRAY(&tables->allocator, snStyleChoice, skeleton->joint_count);
    if (*out == NULL) return sni_fail_memory(error);
    return sn_settings_resolve_styles(tables->settings, skeleton, &tables->allocator, *out, error);
}

snResult sni_splines_make(sniTables* tables, snError* error) {
    const snAllocator* memory = &tables->allocator;
    uint32_t joints = tables->model->skeleton->joint_count;
    if (joints > UINT16_MAX)
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "spline skin takes at most %u joints", UINT16_MAX);
    Builder b = {.tables = tables,
                 .joints = SNI_NEW_ARRAY(memory, snSplineJoint, joints),
                 .sums = SNI_NEW_ARRAY(memory, double, (size_t)4 * joints),
                 .stiff = SNI_NEW_ARRAY(memory, uint8_t, joints)};
    snResult result = SN_RESULT_OK;
    if (b.joints == NULL || b.sums == NULL || b.stiff == NULL) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = create_choices(tables, &b.choices, error);
    if (result == SN_RESULT_OK) result = create_splines(&b, error);
    void* arrays[] = {b.choices, b.joints, b.sums, b.stiff};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return result;
}

// Of a part whose weights were painted.
static snResult reweigh_skin(const sniTables* tables, uint32_t index, const snSplineStyle* styles,
                             snError* error) {
    const sniPartTables *t = &tables->parts[index], *before = &tables->before->parts[index];
    uint32_t vertices = tables->model->parts[index].mesh->vertex_count;
    if (t->joints == before->joints) { // another was
        tables->parts[index].splines = before->splines;
        return SN_RESULT_OK;
    }
    uint8_t* same = SNI_NEW_ARRAY(&tables->allocator, uint8_t, vertices);
    if (same == NULL) return sni_fail_memory(error);
    mark_same(before, t, vertices, same);
    snResult result = create_part(tables, index, styles, before->splines, same, error);
    sni_free(&tables->allocator, same);
    return result;
}

// With the skin of a part already there, gives it other styles.
static snResult make_skin(const sniTables* tables, uint32_t index, const snSplineStyle* styles,
                          snError* error) {
    sniPartTables* t = &tables->parts[index];
    const snSplineSkin* known = t->splines;
    if (tables->model->parts[index].skin == SN_NONE) return SN_RESULT_OK;
    if (tables->before != NULL && tables->before->splines == tables->splines)
        return reweigh_skin(tables, index, styles, error);
    if (known == NULL) return create_part(tables, index, styles, NULL, NULL, error);
    snSplineSkin* restyled = NULL;
    SNI_TRY(sni_spline_skin_restyle(known, styles, tables->settings->style_all, &restyled, error));
    t->splines = restyled;
    if (restyled != NULL) return SN_RESULT_OK;
    // On the same splines points hang as they did; if it fails, the old skin is not this table's to free.
    return create_part(tables, index, styles, known, NULL, error);
}

snResult sni_styles_make(sniTables* tables, snError* error) {
    uint32_t count = sn_splines_count(tables->splines);
    snStyleChoice* choices = NULL;
    snSplineStyle* styles = SNI_NEW_ARRAY(&tables->allocator, snSplineStyle, count);
    snResult result = styles != NULL ? create_choices(tables, &choices, error) : sni_fail_memory(error);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        const snStyleChoice* choice = &choices[sn_splines_get(tables->splines, i).joint];
        styles[i] = (snSplineStyle){choice->style, choice->strength};
    }
    for (uint32_t p = 0; p < tables->part_count && result == SN_RESULT_OK; p++)
        result = make_skin(tables, p, styles, error);
    sni_free(&tables->allocator, styles);
    sni_free(&tables->allocator, choices);
    return result;
}

// --------------------------------------------------------------------------------------------------- frames

snResult sni_splines_pose(snCharacter* character) {
    const sniTables* tables = character->tables;
    sniSplineWork* work = &character->work->splines;
    for (uint32_t j = 0; j < tables->model->skeleton->joint_count; j++)
        work->joints[j] = sn_mat4_mul(&character->world[j], &tables->bind_inverses[j]);
    snSplinesJob job = {.splines = tables->splines,
                        .matrices = work->joints,
                        .twists = character->twists,
                        .out_matrices = work->matrices,
                        .out_poses = work->poses,
                        .level = character->def.level};
    return sn_splines_run(&job);
}

// Morphs are given in mesh space.
static void fill_rest(const snPart* part, const sniPartTables* tables, sniPartState* state) {
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        state->offsets[v] = sn_mat4_point(&tables->to_bind, state->rest[v]);
        state->lattice_normals[v] = sni_turned_normal(&tables->to_bind, state->rest_normals[v]);
    }
}

static snResult run_skin(const snCharacter* character, const snSplineSkin* skin, snSplineSkinJob job) {
    job.skin = skin;
    job.matrices = character->work->splines.matrices;
    job.poses = character->work->splines.poses;
    job.tasks = &character->def.tasks;
    job.level = character->def.level;
    return sn_spline_skin_run(&job);
}

snResult sni_splines_skin_part(snCharacter* character, uint32_t index) {
    const snPart* part = &character->tables->model->parts[index];
    const sniPartTables* tables = &character->tables->parts[index];
    sniPartState* state = &character->parts[index];
    bool morphed = part->morph_count > 0;
    if (morphed) fill_rest(part, tables, state);
    return run_skin(character, tables->splines,
                    (snSplineSkinJob){.points = morphed ? state->offsets : NULL,
                                      .normals = morphed ? state->lattice_normals : NULL,
                                      .out_points = state->positions,
                                      .out_normals = state->normals});
}

snResult sni_splines_skin_particles(snCharacter* character) {
    return run_skin(character, character->tables->particle_splines,
                    (snSplineSkinJob){.out_points = character->work->plain});
}

// ------------------------------------------------------------------------------------------------ questions

const snSplineSkin* sn_character_spline_skin(const snCharacter* character, uint32_t part) {
    const sniTables* tables = character->tables;
    if (part >= tables->part_count || tables->model->parts[part].morph_count > 0 || tables->exact != NULL ||
        tables->contact != NULL || tables->parts[part].surface != NULL)
        return NULL;
    return tables->parts[part].splines;
}

const snSplines* sn_character_splines(const snCharacter* character) { return character->tables->splines; }

const snMat4* sn_character_spline_matrices(const snCharacter* character) {
    return character->work != NULL ? character->work->splines.matrices : NULL;
}

const snSplinePose* sn_character_spline_poses(const snCharacter* character) {
    return character->work != NULL ? character->work->splines.poses : NULL;
}
