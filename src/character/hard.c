// Pieces that stay hard: shells of one joint, which the plain skin carries as one body (a helmet, antlers,
// eyes, the plates of a robot), follow what the lattice adds around them as one body, too.
//
// The body is moved by the rigid motion nearest to the moves of its vertices, so it goes where the flesh
// around it goes, and no two of its points come nearer. A sheet with one joint (a cape) is cloth. A model
// that one joint moves as a whole says nothing of hard and soft, and stays soft.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/rotation.h"
#include "base/union_find.h"
#include "character/character.h"

// Sum of weight differences between points that move alike, above what files round.
#define SAME_WEIGHTS 1e-3f
// Vector sum of a surface's area against its sum: 0 closed, 1/2 half a ball, 1 flat. From here on it is a
// sheet; judged, well above the half ball of an eye.
#define SHEET 0.6f
// A piece bends where rules say so for at least this share of its vertices.
#define BENDING_SHARE 0.5f

// ------------------------------------------------------------------------------------------------ finding

static float weight_of(const sniPartTables* t, uint32_t v, uint16_t joint) {
    float sum = 0.0f;
    for (size_t i = (size_t)v * t->influences; i < ((size_t)v + 1) * t->influences; i++)
        if (t->joints[i] == joint) sum += t->weights[i];
    return sum;
}

static bool move_alike(const sniPartTables* t, uint32_t a, uint32_t b) {
    float difference = 0.0f;
    for (size_t i = (size_t)a * t->influences; i < ((size_t)a + 1) * t->influences; i++)
        difference += sn_maxf(0.0f, t->weights[i] - weight_of(t, b, t->joints[i]));
    return difference <= SAME_WEIGHTS;
}

// What is known of the pieces of a part while they are looked for; by welded points, pieces by their root.
typedef struct Search {
    const sniPartTables* tables;
    const snMesh* mesh;
    uint32_t* roots;   // of every point
    uint32_t* samples; // by root: a vertex of the piece, or SN_NONE where it is soft
    uint32_t* counts;  // by root: vertices of the piece, and, of those that bend, how many
    uint32_t* bending;
} Search;

static void join_faces(const Search* s) {
    const snMesh* mesh = s->mesh;
    const uint32_t* points = s->tables->weld->point_of_vertex;
    sni_sets_reset(s->roots, s->tables->weld->point_count);
    for (uint32_t f = 0; f < mesh->face_count; f++)
        for (uint32_t c = mesh->face_starts[f] + 1; c < mesh->face_starts[f + 1]; c++)
            sni_sets_join(s->roots, points[mesh->corners[c - 1]], points[mesh->corners[c]]);
    sni_sets_flatten(s->roots, s->tables->weld->point_count);
}

// Whether rules let the flesh around a vertex bend what is hard.
static bool may_bend(const sniTables* tables, uint32_t part, uint32_t v) {
    if (tables->bends == NULL) return false;
    const snBinding* binding = tables->binding;
    uint32_t point = binding->vertex_points[binding->vertex_starts[part] + tables->parts[part].sources[v]];
    const uint32_t* corners = binding->lattice->cell_particles[binding->lattice->point_cells[point]];
    for (int c = 0; c < 8; c++)
        if (tables->bends[corners[c]] == 0) return false;
    return true;
}

// Pieces that move as one body; returns whether there are any.
static bool sample_pieces(const sniTables* tables, uint32_t part, const Search* s) {
    const uint32_t* points = s->tables->weld->point_of_vertex;
    for (uint32_t p = 0; p < s->tables->weld->point_count; p++) s->samples[p] = SN_NONE;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        uint32_t root = s->roots[points[v]];
        s->bending[root] += may_bend(tables, part, v);
        if (s->counts[root]++ == 0)
            s->samples[root] = v;
        else if (s->samples[root] != SN_NONE && !move_alike(s->tables, v, s->samples[root]))
            s->samples[root] = SN_NONE;
    }
    bool any = false;
    for (uint32_t p = 0; p < s->tables->weld->point_count; p++) {
        if ((float)s->bending[p] >= BENDING_SHARE * (float)s->counts[p]) s->samples[p] = SN_NONE;
        any = any || s->samples[p] != SN_NONE;
    }
    return any;
}

// Sheets are cloth. What faces all ways (closed, a tube, half a ball) has areas that cancel.
static bool drop_sheets(const Search* s, const snAllocator* memory) {
    snVec4* areas = SNI_NEW_ARRAY(memory, snVec4, s->tables->weld->point_count); // vector sum, and the sum
    if (areas == NULL) return false;
    const snMesh* mesh = s->mesh;
    const snVec3* at = s->tables->rest;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        const uint32_t* corners = mesh->corners + mesh->face_starts[f];
        snVec4* sum = &areas[s->roots[s->tables->weld->point_of_vertex[corners[0]]]];
        for (uint32_t c = 2; c < mesh->face_starts[f + 1] - mesh->face_starts[f]; c++) {
            snVec3 n =
                sn_cross(sn_sub(at[corners[c - 1]], at[corners[0]]), sn_sub(at[corners[c]], at[corners[0]]));
            *sum = (snVec4){sum->x + n.x, sum->y + n.y, sum->z + n.z, sum->w + sn_length(n)};
        }
    }
    for (uint32_t p = 0; p < s->tables->weld->point_count; p++)
        if (!(sn_length(sn_vec3(areas[p].x, areas[p].y, areas[p].z)) < SHEET * areas[p].w))
            s->samples[p] = SN_NONE;
    sni_free(memory, areas);
    return true;
}

// The vertices of all pieces that are left, piece after piece.
static sniHard* list_pieces(const Search* s, const snAllocator* memory) {
    const uint32_t* points = s->tables->weld->point_of_vertex;
    uint32_t pieces = 0, members = 0;
    for (uint32_t p = 0; p < s->tables->weld->point_count; p++) {
        if (s->samples[p] == SN_NONE) continue;
        pieces++;
        members += s->counts[p];
    }
    size_t size = sizeof(sniHard) + ((size_t)pieces + 1 + members) * sizeof(uint32_t);
    sniHard* hard = sni_alloc_array(memory, size, 1);
    if (hard == NULL) return NULL;
    hard->piece_count = pieces;
    hard->member_count = members;
    uint32_t *starts = hard->lists, *list = starts + pieces + 1, piece = 0, at = 0;
    for (uint32_t p = 0; p < s->tables->weld->point_count; p++) {
        if (s->samples[p] == SN_NONE) continue;
        starts[piece++] = at;
        uint32_t next = at + s->counts[p];
        s->counts[p] = at; // where its next vertex goes
        at = next;
    }
    starts[piece] = at;
    for (uint32_t v = 0; v < s->mesh->vertex_count; v++) {
        uint32_t root = s->roots[points[v]];
        if (s->samples[root] != SN_NONE) list[s->counts[root]++] = v;
    }
    return hard;
}

// The skin of the members alone.
static snResult make_plan(const sniPartTables* t, sniHard* hard, const snAllocator* memory, snError* error) {
    const uint32_t* members = hard->lists + hard->piece_count + 1;
    size_t count = hard->member_count, influences = t->influences;
    snVec3* points = SNI_NEW_ARRAY(memory, snVec3, 2 * count);
    uint16_t* joints = SNI_NEW_ARRAY(memory, uint16_t, count * influences);
    float* weights = SNI_NEW_ARRAY(memory, float, count* influences);
    bool ready = points != NULL && joints != NULL && weights != NULL;
    for (size_t i = 0; i < count && ready; i++) {
        points[i] = t->rest[members[i]];
        points[count + i] = t->rest_normals[members[i]];
        memcpy(joints + i * influences, t->joints + members[i] * influences, influences * sizeof *joints);
        memcpy(weights + i * influences, t->weights + members[i] * influences, influences * sizeof *weights);
    }
    snSkinPlanDef def = {.point_count = hard->member_count,
                         .points = points,
                         .normals = points != NULL ? points + count : NULL,
                         .influences = t->influences,
                         .joints = joints,
                         .weights = weights,
                         .matrix_count = t->matrix_count};
    snResult result = ready ? sn_skin_plan_create(&def, memory, &hard->plan, error) : sni_fail_memory(error);
    sni_free(memory, points);
    sni_free(memory, joints);
    sni_free(memory, weights);
    return result == SN_RESULT_UNSUPPORTED ? SN_RESULT_OK : result;
}

static snResult find_pieces(sniTables* tables, uint32_t part, const Search* s, snError* error) {
    join_faces(s);
    if (!sample_pieces(tables, part, s)) return SN_RESULT_OK;
    if (!drop_sheets(s, &tables->allocator)) return sni_fail_memory(error);
    sniPartTables* t = &tables->parts[part];
    t->hard = list_pieces(s, &tables->allocator);
    return t->hard != NULL ? make_plan(t, t->hard, &tables->allocator, error) : sni_fail_memory(error);
}

static snResult search_part(sniTables* tables, uint32_t part, snError* error) {
    const snAllocator* memory = &tables->allocator;
    const sniPartTables* t = &tables->parts[part];
    uint32_t points = t->weld->point_count;
    uint32_t* all = SNI_NEW_ARRAY(memory, uint32_t, 4 * (size_t)points);
    if (all == NULL) return sni_fail_memory(error);
    Search search = {.tables = t,
                     .mesh = tables->model->parts[part].mesh,
                     .roots = all,
                     .samples = all + points,
                     .counts = all + 2 * (size_t)points,
                     .bending = all + 3 * (size_t)points};
    snResult result = find_pieces(tables, part, &search, error);
    sni_free(memory, all);
    return result;
}

// Whether the parts that hang in the lattice follow more than one joint.
static bool has_joints(const sniTables* tables) {
    uint32_t first = SN_NONE;
    for (uint32_t p = 0; p < tables->part_count; p++) {
        const sniPartTables* t = &tables->parts[p];
        const snPart* part = &tables->model->parts[p];
        if (t->surface == NULL) continue;
        for (size_t i = 0; i < (size_t)part->mesh->vertex_count * t->influences; i++) {
            if (!(t->weights[i] > 0.0f)) continue;
            uint32_t joint = tables->model->skins[part->skin].joints[t->joints[i]];
            if (first != SN_NONE && joint != first) return true;
            first = joint;
        }
    }
    return false;
}

snResult sni_hard_make(sniTables* tables, snError* error) {
    if (!has_joints(tables)) return SN_RESULT_OK;
    for (uint32_t p = 0; p < tables->part_count; p++)
        if (tables->parts[p].surface != NULL) SNI_TRY(search_part(tables, p, error));
    return SN_RESULT_OK;
}

void sni_hard_destroy(sniHard* hard, const snAllocator* memory) {
    if (hard == NULL) return;
    sn_skin_plan_destroy(hard->plan);
    sni_free(memory, hard);
}

uint32_t sni_hard_most(const sniTables* tables) {
    uint32_t most = 0;
    for (uint32_t p = 0; p < tables->part_count; p++) {
        const sniHard* hard = tables->parts[p].hard;
        if (hard != NULL && hard->member_count > most) most = hard->member_count;
    }
    return most;
}

// ------------------------------------------------------------------------------------------------- moving

// Where the plain skin of a vertex that hangs in the lattice would be: its joints' matrices, blended.
static snMat4 blended_matrix(const snCharacter* character, const sniPartTables* t, uint32_t v) {
    snMat4 sum = {{0.0f}};
    for (size_t i = (size_t)v * t->influences; i < ((size_t)v + 1) * t->influences; i++)
        for (int k = 0; k < 16; k++) sum.m[k] += t->weights[i] * character->work->matrices[t->joints[i]].m[k];
    return sum;
}

static void pose_plainly(const snCharacter* character, uint32_t part, const uint32_t* members, uint32_t count,
                         uint32_t at) {
    const sniPartTables* t = &character->tables->parts[part];
    const sniPartState* state = &character->parts[part];
    bool morphed = character->tables->model->parts[part].morph_count > 0;
    const snVec3 *rest = morphed ? state->rest : t->rest,
                 *normals = morphed ? state->rest_normals : t->rest_normals;
    snMat4 matrix = blended_matrix(character, t, members[0]);
    for (uint32_t i = 0; i < count; i++) {
        character->work->hard_points[at + i] = sn_mat4_point(&matrix, rest[members[i]]);
        character->work->hard_normals[at + i] = sni_turned_normal(&matrix, normals[members[i]]);
    }
}

void sni_hard_keep(snCharacter* character, uint32_t part, bool hangs) {
    const sniHard* hard = character->tables->parts[part].hard;
    if (hard == NULL) return;
    const sniPartState* state = &character->parts[part];
    const uint32_t *starts = hard->lists, *members = starts + hard->piece_count + 1;
    for (uint32_t i = 0; i < hard->piece_count && hangs; i++)
        pose_plainly(character, part, members + starts[i], starts[i + 1] - starts[i], starts[i]);
    for (uint32_t i = 0; i < hard->member_count && !hangs; i++) {
        character->work->hard_points[i] = state->positions[members[i]];
        character->work->hard_normals[i] = state->normals[members[i]];
    }
}

snResult sni_hard_skin(snCharacter* character, uint32_t part, const snSkinPlanJob* job, bool dual) {
    const sniHard* hard = character->tables->parts[part].hard;
    if (hard == NULL) return SN_RESULT_OK;
    snSkinPlanJob own = *job;
    own.plan = hard->plan;
    own.out_points = character->work->hard_points;
    own.out_normals = character->work->hard_normals;
    return dual ? sn_skin_plan_dual_run(&own) : sn_skin_plan_run(&own);
}

typedef struct Motion {
    snVec3 from, to; // centers
    float turn[9];   // columns
} Motion;

static snVec3 turned(const float turn[9], snVec3 v) {
    return sn_vec3(turn[0] * v.x + turn[3] * v.y + turn[6] * v.z,
                   turn[1] * v.x + turn[4] * v.y + turn[7] * v.z,
                   turn[2] * v.x + turn[5] * v.y + turn[8] * v.z);
}

// The rigid motion that takes the plain points nearest to where the lattice moved them. Sums in doubles, of
// offsets from the first point.
static Motion nearest_motion(const snVec3* plain, const snVec3* moved, const uint32_t* members,
                             uint32_t count) {
    static const float start[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double mean[6] = {0.0}, products[9] = {0.0};
    snVec3 from = plain[0], to = moved[members[0]];
    for (uint32_t i = 0; i < count; i++) {
        snVec3 y = sn_sub(plain[i], from), q = sn_sub(moved[members[i]], to);
        const float ys[3] = {y.x, y.y, y.z}, qs[3] = {q.x, q.y, q.z};
        for (int k = 0; k < 3; k++) {
            mean[k] += (double)ys[k];
            mean[3 + k] += (double)qs[k];
            for (int c = 0; c < 3; c++) products[3 * c + k] += (double)qs[k] * (double)ys[c];
        }
    }
    for (int k = 0; k < 6; k++) mean[k] /= (double)count;
    float a[9];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            a[3 * c + k] = (float)(products[3 * c + k] - (double)count * mean[3 + k] * mean[c]);
    Motion motion = {.from = sn_add(from, sn_vec3((float)mean[0], (float)mean[1], (float)mean[2])),
                     .to = sn_add(to, sn_vec3((float)mean[3], (float)mean[4], (float)mean[5]))};
    sni_rotation_general(a, start, motion.turn);
    return motion;
}

static bool stays(const snVec3* plain, const snVec3* moved, const uint32_t* members, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        snVec3 a = plain[i], b = moved[members[i]];
        if (a.x != b.x || a.y != b.y || a.z != b.z) return false;
    }
    return true;
}

void sni_hard_move(snCharacter* character, uint32_t part) {
    const sniHard* hard = character->tables->parts[part].hard;
    if (hard == NULL) return;
    sniPartState* state = &character->parts[part];
    const uint32_t *starts = hard->lists, *all = starts + hard->piece_count + 1;
    for (uint32_t i = 0; i < hard->piece_count; i++) {
        const uint32_t* members = all + starts[i];
        const snVec3 *plain = character->work->hard_points + starts[i],
                     *normals = character->work->hard_normals + starts[i];
        uint32_t count = starts[i + 1] - starts[i];
        if (stays(plain, state->positions, members, count)) continue;
        Motion motion = nearest_motion(plain, state->positions, members, count);
        for (uint32_t k = 0; k < count; k++) {
            snVec3 offset = turned(motion.turn, sn_sub(plain[k], motion.from));
            state->positions[members[k]] = sn_add(motion.to, offset);
            state->normals[members[k]] = turned(motion.turn, normals[k]);
        }
    }
}
