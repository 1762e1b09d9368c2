// The volume of the whole surface where the plain skin puts it, from a net over a few of its vertices: in
// every cell of the lattice the one nearest to the middle of those there. Triangles between three of them
// stay. A net so made of a closed surface is closed, whatever it leaves out, and its volume follows that of
// the surface; all vertices would cost more than the rest of part volume.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"

// Area vectors of a closed surface add up to zero. Those of a net that is open by more than this share of its
// area depend on where it is, and a body thinner than that share has no volume to keep.
#define OPEN 0.01
#define THIN 0.02

struct sniWhole {
    snSkinPlan* plan;
    uint32_t point_count, triangle_count;
    uint32_t* triangles; // triangle_count * 3
    double rest;         // volume times 6
};

typedef struct Make {
    const sniTables* tables;
    const snVec3* places; // of the lattice's points, at rest
    uint32_t* vertices;   // point_count of the lattice: one of each, or SN_NONE
    uint32_t* parts;      // whose it is
    uint32_t* chosen;     // net cells: a point, or SN_NONE
    uint32_t* numbers;    // net cells: among the chosen
    snVec3* sums;         // net cells
    uint32_t* counts;     // net cells
    uint32_t* joints;     // joint_count of the skeleton: the binding's joint that moves what it moves
    snVec3* points;       // of the net
} Make;

// ------------------------------------------------------------------------------------------------- the net

static bool counts(const sniTables* tables, uint32_t part) {
    const uint32_t* starts = tables->binding->vertex_starts;
    const snPart* p = &tables->model->parts[part];
    return p->skin != SN_NONE && starts[part + 1] - starts[part] == p->mesh->vertex_count;
}

// The net's cells: halves of the lattice's along every axis.
#define HALVES 8u
static uint32_t cell_of(const snLattice* lattice, uint32_t point) {
    snVec3 t = lattice->point_coords[point];
    uint32_t half = (uint32_t)(t.x >= 0.5f) + 2u * (uint32_t)(t.y >= 0.5f) + 4u * (uint32_t)(t.z >= 0.5f);
    return HALVES * lattice->point_cells[point] + half;
}

static void choose(Make* make) {
    const snBinding* binding = make->tables->binding;
    const snLattice* lattice = binding->lattice;
    for (uint32_t i = 0; i < lattice->point_count; i++) make->vertices[i] = SN_NONE;
    for (uint32_t c = 0; c < HALVES * lattice->cell_count; c++) make->chosen[c] = SN_NONE;
    for (uint32_t p = 0; p < make->tables->part_count; p++) {
        uint32_t first = binding->vertex_starts[p],
                 last = counts(make->tables, p) ? binding->vertex_starts[p + 1] : first;
        for (uint32_t v = first; v < last; v++) {
            uint32_t i = binding->vertex_points[v];
            if (make->vertices[i] != SN_NONE) continue;
            make->vertices[i] = v - first;
            make->parts[i] = p;
            uint32_t cell = cell_of(lattice, i);
            make->sums[cell] = sn_add(make->sums[cell], make->places[i]);
            make->counts[cell]++;
        }
    }
    for (uint32_t i = 0; i < lattice->point_count; i++) {
        if (make->vertices[i] == SN_NONE) continue;
        uint32_t cell = cell_of(lattice, i);
        snVec3 middle = sn_scale(make->sums[cell], 1.0f / (float)make->counts[cell]);
        uint32_t best = make->chosen[cell];
        if (best == SN_NONE || sn_distance(make->places[i], middle) < sn_distance(make->places[best], middle))
            make->chosen[cell] = i;
    }
}

static uint32_t number_of(const Make* make, uint32_t point) {
    return make->numbers[cell_of(make->tables->binding->lattice, point)];
}

// Fills `out`, or only counts.
static uint32_t list_triangles(const Make* make, uint32_t* out) {
    const snBinding* binding = make->tables->binding;
    uint32_t count = 0;
    for (uint32_t p = 0; p < make->tables->part_count; p++) {
        if (!counts(make->tables, p)) continue;
        const snMesh* mesh = make->tables->model->parts[p].mesh;
        const uint32_t* points = binding->vertex_points + binding->vertex_starts[p];
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            const uint32_t* corners = mesh->corners + mesh->face_starts[f];
            uint32_t size = mesh->face_starts[f + 1] - mesh->face_starts[f],
                     a = number_of(make, points[corners[0]]);
            for (uint32_t k = 2; k < size; k++) {
                uint32_t b = number_of(make, points[corners[k - 1]]), c = number_of(make, points[corners[k]]);
                if (a == b || b == c || c == a) continue;
                if (out != NULL) out[3 * count] = a, out[3 * count + 1] = b, out[3 * count + 2] = c;
                count++;
            }
        }
    }
    return count;
}

// ------------------------------------------------------------------------------------------------ the skin

// Of a joint that the binding does not know, the nearest one above that it does; the first where there is
// none.
static void map_joints(Make* make) {
    const snBinding* binding = make->tables->binding;
    const snSkeleton* skeleton = make->tables->model->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) make->joints[j] = SN_NONE;
    for (uint32_t j = 0; j < binding->joint_count; j++) make->joints[binding->joints[j]] = j;
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t j = skeleton->order[i], above = skeleton->parents[j];
        if (make->joints[j] == SN_NONE) make->joints[j] = above != SN_NONE ? make->joints[above] : 0;
    }
}

static snResult make_plan(const Make* make, sniWhole* whole, snError* error) {
    const sniTables* tables = make->tables;
    const snAllocator* memory = &tables->allocator;
    uint32_t influences = 1;
    for (uint32_t p = 0; p < tables->part_count; p++)
        if (counts(tables, p) && tables->model->parts[p].weights.influences > influences)
            influences = tables->model->parts[p].weights.influences;
    uint16_t* joints = SNI_NEW_ARRAY(memory, uint16_t, (size_t)whole->point_count * influences);
    float* weights = SNI_NEW_ARRAY(memory, float, (size_t)whole->point_count* influences);
    snResult result = joints != NULL && weights != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t c = 0, n = 0; c < HALVES * tables->binding->lattice->cell_count && result == SN_RESULT_OK;
         c++) {
        uint32_t i = make->chosen[c];
        if (i == SN_NONE) continue;
        const snPart* part = &tables->model->parts[make->parts[i]];
        const snWeights* w = &part->weights;
        for (uint32_t k = 0; k < w->influences; k++) {
            size_t from = (size_t)make->vertices[i] * w->influences + k, to = (size_t)n * influences + k;
            joints[to] = (uint16_t)make->joints[tables->model->skins[part->skin].joints[w->joints[from]]];
            weights[to] = w->weights[from];
        }
        n++;
    }
    snSkinPlanDef def = {.point_count = whole->point_count,
                         .points = make->points,
                         .influences = influences,
                         .joints = joints,
                         .weights = weights,
                         .matrix_count = tables->binding->joint_count};
    if (result == SN_RESULT_OK) result = sn_skin_plan_create(&def, memory, &whole->plan, error);
    sni_free(memory, joints);
    sni_free(memory, weights);
    return result;
}

// Times 6, from the first point: nothing is lost far from the origin.
static double volume_of(const sniWhole* whole, const snVec3* points) {
    double sum = 0.0;
    for (uint32_t t = 0; t < whole->triangle_count; t++) {
        const uint32_t* corners = whole->triangles + 3 * (size_t)t;
        snVec3 a = sn_sub(points[corners[0]], points[0]);
        snVec3 ab = sn_sub(points[corners[1]], points[corners[0]]),
               ac = sn_sub(points[corners[2]], points[corners[0]]);
        sum += (double)sn_dot(a, sn_cross(ab, ac));
    }
    return sum;
}

static bool has_volume(const sniWhole* whole, const snVec3* points) {
    snVec3 sum = {0.0f, 0.0f, 0.0f};
    double area = 0.0;
    for (uint32_t t = 0; t < whole->triangle_count; t++) {
        const uint32_t* c = whole->triangles + 3 * (size_t)t;
        snVec3 n = sn_cross(sn_sub(points[c[1]], points[c[0]]), sn_sub(points[c[2]], points[c[0]]));
        sum = sn_add(sum, n);
        area += (double)sn_length(n);
    }
    return area > 0.0 && (double)sn_length(sum) < OPEN * area && fabs(whole->rest) > THIN * area * sqrt(area);
}

static snResult fill(Make* make, sniWhole* whole, snError* error) {
    const snAllocator* memory = &make->tables->allocator;
    const snLattice* lattice = make->tables->binding->lattice;
    choose(make);
    map_joints(make);
    for (uint32_t c = 0; c < HALVES * lattice->cell_count; c++) {
        if (make->chosen[c] == SN_NONE) continue;
        make->numbers[c] = whole->point_count;
        make->points[whole->point_count++] = make->places[make->chosen[c]];
    }
    whole->triangle_count = list_triangles(make, NULL);
    whole->triangles = SNI_NEW_ARRAY(memory, uint32_t, (size_t)3 * whole->triangle_count);
    if (whole->triangles == NULL) return sni_fail_memory(error);
    list_triangles(make, whole->triangles);
    whole->rest = volume_of(whole, make->points);
    return has_volume(whole, make->points) ? make_plan(make, whole, error) : SN_RESULT_OK;
}

snResult sni_whole_make(sniTables* tables, snError* error) {
    const snAllocator* memory = &tables->allocator;
    const snLattice* lattice = tables->binding->lattice;
    Make make = {.tables = tables,
                 .vertices = SNI_NEW_ARRAY(memory, uint32_t, lattice->point_count),
                 .parts = SNI_NEW_ARRAY(memory, uint32_t, lattice->point_count),
                 .chosen = SNI_NEW_ARRAY(memory, uint32_t, (size_t)HALVES * lattice->cell_count),
                 .numbers = SNI_NEW_ARRAY(memory, uint32_t, (size_t)HALVES * lattice->cell_count),
                 .sums = SNI_NEW_ARRAY(memory, snVec3, (size_t)HALVES * lattice->cell_count),
                 .counts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)HALVES * lattice->cell_count),
                 .joints = SNI_NEW_ARRAY(memory, uint32_t, tables->model->skeleton->joint_count),
                 .points = SNI_NEW_ARRAY(memory, snVec3, (size_t)HALVES * lattice->cell_count)};
    snVec3* places = SNI_NEW_ARRAY(memory, snVec3, lattice->point_count);
    sniWhole* whole = SNI_NEW(memory, sniWhole);
    bool enough = make.vertices != NULL && make.parts != NULL && make.chosen != NULL &&
                  make.numbers != NULL && make.sums != NULL && make.counts != NULL && make.joints != NULL &&
                  make.points != NULL && places != NULL && whole != NULL;
    snResult result = enough ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        sni_lattice_places(lattice, places);
        make.places = places;
        result = fill(&make, whole, error);
    }
    void* arrays[] = {make.vertices, make.parts,  make.chosen, make.numbers, make.sums,
                      make.counts,   make.joints, make.points, places};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    if (result == SN_RESULT_OK && whole->plan != NULL)
        tables->whole = whole;
    else
        sni_whole_destroy(whole, memory);
    return result;
}

void sni_whole_destroy(sniWhole* whole, const snAllocator* memory) {
    if (whole == NULL) return;
    sn_skin_plan_destroy(whole->plan);
    sni_free(memory, whole->triangles);
    sni_free(memory, whole);
}

// ------------------------------------------------------------------------------------------------- a frame

uint32_t sni_whole_points(const sniTables* tables) {
    return tables->whole != NULL ? tables->whole->point_count : 0;
}

snResult sni_whole_volume(snCharacter* character, const snDualSigns* turns, float* out) {
    const sniWhole* whole = character->tables->whole;
    snSkinPlanJob job = {.plan = whole->plan,
                         .turns = turns,
                         .matrices = character->work->lattice_matrices,
                         .out_points = character->work->whole,
                         .tasks = &character->def.tasks,
                         .level = character->def.level,
                         .scratch = character->work->skin_scratch};
    SNI_TRY(turns != NULL ? sn_skin_plan_dual_run(&job) : sn_skin_plan_run(&job));
    *out = (float)(volume_of(whole, character->work->whole) / whole->rest);
    return SN_RESULT_OK;
}
