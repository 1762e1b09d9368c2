// Triangles of surfaces that move, in a tree of boxes, and what rays meet of them.
#include "pick/picker.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

// ------------------------------------------------------------------------------------------------- triangles

static bool check_surfaces(const snModel* model, const snSurface* surfaces) {
    if (surfaces == NULL) return model->part_count == 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t count = model->parts[p].mesh->vertex_count;
        if (surfaces[p].vertex_count != count || (count > 0 && surfaces[p].positions == NULL)) return false;
    }
    return true;
}

static void take_positions(snPicker* picker, const snSurface* surfaces) {
    for (uint32_t p = 0; p < picker->model->part_count; p++)
        if (surfaces[p].vertex_count > 0)
            memcpy(picker->positions + picker->vertex_starts[p], surfaces[p].positions,
                   surfaces[p].vertex_count * sizeof(snVec3));
}

static void fill_triangles(snPicker* picker) {
    for (uint32_t p = 0; p < picker->model->part_count; p++) {
        const snMesh* mesh = picker->model->parts[p].mesh;
        const uint32_t first = picker->vertex_starts[p];
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            const uint32_t* corners = mesh->corners + mesh->face_starts[f];
            uint32_t count = mesh->face_starts[f + 1] - mesh->face_starts[f];
            for (uint32_t i = 2; i < count; i++, picker->triangle_count++)
                picker->triangles[picker->triangle_count] =
                    (sniTriangle){{first + corners[0], first + corners[i - 1], first + corners[i]},
                                  p,
                                  f,
                                  picker->triangle_count};
        }
    }
}

// Empty where a corner is nowhere.
static void box_of(const void* user, uint32_t item, sniBox* out) {
    const snPicker* picker = user;
    const uint32_t* at = picker->triangles[item].at;
    snVec3 a = picker->positions[at[0]], b = picker->positions[at[1]], c = picker->positions[at[2]];
    // Without a branch for each number: what is finite less itself is 0, all else is no number.
    snVec3 zero = sn_add(sn_sub(a, a), sn_add(sn_sub(b, b), sn_sub(c, c)));
    if (!(zero.x + zero.y + zero.z == 0.0f)) {
        *out = (sniBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};
        return;
    }
    *out = (sniBox){
        {sn_minf(sn_minf(a.x, b.x), c.x), sn_minf(sn_minf(a.y, b.y), c.y), sn_minf(sn_minf(a.z, b.z), c.z)},
        {sn_maxf(sn_maxf(a.x, b.x), c.x), sn_maxf(sn_maxf(a.y, b.y), c.y), sn_maxf(sn_maxf(a.z, b.z), c.z)},
        0};
}

// Of what is somewhere.
static snBounds bounds_of(const snPicker* picker) {
    snBounds bounds = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    bool any = false;
    for (uint32_t v = 0; v < picker->vertex_starts[picker->model->part_count]; v++) {
        snVec3 p = picker->positions[v];
        if (!sn_vec3_finite(p)) continue;
        if (!any) bounds = (snBounds){p, p};
        any = true;
        bounds.min =
            sn_vec3(sn_minf(bounds.min.x, p.x), sn_minf(bounds.min.y, p.y), sn_minf(bounds.min.z, p.z));
        bounds.max =
            sn_vec3(sn_maxf(bounds.max.x, p.x), sn_maxf(bounds.max.y, p.y), sn_maxf(bounds.max.z, p.z));
    }
    return bounds;
}

// ---------------------------------------------------------------------------------------------------- create

static snResult sort_triangles(snPicker* picker, snError* error) {
    const snAllocator* memory = &picker->allocator;
    sniTriangle* sorted = SNI_NEW_ARRAY(memory, sniTriangle, picker->triangle_count);
    if (sorted == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < picker->triangle_count; i++) {
        sorted[i] = picker->triangles[sni_box_tree_item(&picker->tree, i)];
        picker->tree.keys[i] = i;
    }
    sni_free(memory, picker->triangles);
    picker->triangles = sorted;
    return SN_RESULT_OK;
}

static snResult fill(snPicker* picker, const snSurface* surfaces, snError* error) {
    const snModel* model = picker->model;
    const snAllocator* memory = &picker->allocator;
    size_t triangles = 0;
    picker->vertex_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)model->part_count + 1);
    if (picker->vertex_starts == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++) {
        picker->vertex_starts[p + 1] = picker->vertex_starts[p] + model->parts[p].mesh->vertex_count;
        triangles += sn_mesh_triangle_count(model->parts[p].mesh);
    }
    if (triangles > UINT32_MAX / 4) return sni_fail(error, SN_RESULT_LIMIT, "there are too many triangles");
    picker->positions = SNI_NEW_ARRAY(memory, snVec3, picker->vertex_starts[model->part_count]);
    picker->triangles = SNI_NEW_ARRAY(memory, sniTriangle, triangles);
    if (picker->positions == NULL || picker->triangles == NULL) return sni_fail_memory(error);
    take_positions(picker, surfaces);
    fill_triangles(picker);
    if (triangles == 0) return SN_RESULT_OK;
    size_t bytes = sni_box_tree_place(&picker->tree, NULL, picker->triangle_count);
    picker->tree_memory = sni_alloc_array(memory, 1, bytes);
    if (picker->tree_memory == NULL) return sni_fail_memory(error);
    sni_box_tree_place(&picker->tree, picker->tree_memory, picker->triangle_count);
    sni_box_tree_build(&picker->tree, bounds_of(picker), box_of, picker, NULL);
    return sort_triangles(picker, error);
}

snResult sn_picker_create(const snModel* model, const snSurface* surfaces, const snAllocator* allocator,
                          snPicker** out, snError* error) {
    if (model == NULL || out == NULL || !check_surfaces(model, surfaces))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a model, a surface of each of its parts and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    snPicker* picker = SNI_NEW(&memory, snPicker);
    if (picker == NULL) return sni_fail_memory(error);
    picker->allocator = memory;
    picker->model = model;
    snResult result = fill(picker, surfaces, error);
    if (result != SN_RESULT_OK) {
        sn_picker_destroy(picker);
        return result;
    }
    *out = picker;
    return SN_RESULT_OK;
}

void sn_picker_destroy(snPicker* picker) {
    if (picker == NULL) return;
    snAllocator memory = picker->allocator;
    void* arrays[] = {picker->vertex_starts, picker->positions, picker->triangles, picker->tree_memory,
                      picker};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

snResult sn_picker_refit(snPicker* picker, const snSurface* surfaces) {
    if (picker == NULL || !check_surfaces(picker->model, surfaces)) return SN_RESULT_INVALID_ARGUMENT;
    take_positions(picker, surfaces);
    if (picker->triangle_count > 0) sni_box_tree_refit(&picker->tree, box_of, picker, NULL);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------------- ray

static void corners_of(const snPicker* picker, uint32_t triangle, snVec3 out[3]) {
    for (int i = 0; i < 3; i++) out[i] = picker->positions[picker->triangles[triangle].at[i]];
}

// The direction as a unit vector; false where it has none.
static bool unit_of(snVec3 origin, snVec3* direction) {
    if (!sn_vec3_finite(origin) || !sn_vec3_finite(*direction)) return false;
    // Short and long ones alike.
    float most = sn_maxf(fabsf(direction->x), sn_maxf(fabsf(direction->y), fabsf(direction->z)));
    if (!(most > 0.0f)) return false;
    snVec3 d = {direction->x / most, direction->y / most, direction->z / most};
    *direction = sn_scale(d, 1.0f / sn_length(d));
    return true;
}

typedef struct Nearest {
    const snPicker* picker;
    sniRay ray;
    sniRayHit hit;
    uint32_t triangle; // SN_NONE: nothing yet
} Nearest;

// Of several that are met at the same place the first counts, in whatever order they are shown.
static float look_nearest(void* user, uint32_t triangle) {
    Nearest* n = user;
    snVec3 corners[3];
    sniRayHit hit;
    corners_of(n->picker, triangle, corners);
    const sniTriangle* all = n->picker->triangles;
    if (sni_ray_meets(&n->ray, corners, &hit) &&
        (n->triangle == SN_NONE || hit.at < n->hit.at ||
         (hit.at == n->hit.at && all[triangle].number < all[n->triangle].number))) {
        n->hit = hit;
        n->triangle = triangle;
    }
    // Rounded up, so that what is met at the same place is still shown.
    return n->triangle != SN_NONE ? (float)n->hit.at * (1.0f + 1e-6f) : INFINITY;
}

// The joint that moves the place most; of several the first.
static uint32_t heaviest_joint(const snModel* model, const snPick* pick) {
    const snPart* part = &model->parts[pick->part];
    if (part->skin == SN_NONE) return part->joint;
    const snWeights* w = &part->weights;
    uint32_t best = SN_NONE;
    float most = 0.0f;
    for (uint32_t i = 0; i < 3 * w->influences; i++) {
        uint16_t joint =
            w->joints[(size_t)pick->corners[i / w->influences] * w->influences + i % w->influences];
        float sum = 0.0f;
        for (uint32_t k = 0; k < 3 * w->influences; k++) {
            size_t at = (size_t)pick->corners[k / w->influences] * w->influences + k % w->influences;
            if (w->joints[at] == joint) sum += pick->barycentrics[k / w->influences] * w->weights[at];
        }
        uint32_t of_skeleton = model->skins[part->skin].joints[joint];
        if (best != SN_NONE && (sum < most || (sum == most && of_skeleton >= best))) continue;
        most = sum;
        best = of_skeleton;
    }
    return best;
}

static uint32_t nearest_vertex(const snPicker* picker, const snPick* pick) {
    const snMesh* mesh = picker->model->parts[pick->part].mesh;
    const snVec3* positions = picker->positions + picker->vertex_starts[pick->part];
    uint32_t best = pick->corners[0];
    for (uint32_t c = mesh->face_starts[pick->face]; c < mesh->face_starts[pick->face + 1]; c++)
        if (sn_distance(positions[mesh->corners[c]], pick->position) <
            sn_distance(positions[best], pick->position))
            best = mesh->corners[c];
    return best;
}

static snVec3 place_of(const snPicker* picker, uint32_t triangle, const sniRayHit* hit) {
    snVec3 corners[3];
    corners_of(picker, triangle, corners);
    double x = 0.0, y = 0.0, z = 0.0;
    for (int i = 0; i < 3; i++) {
        x += hit->barycentrics[i] * (double)corners[i].x;
        y += hit->barycentrics[i] * (double)corners[i].y;
        z += hit->barycentrics[i] * (double)corners[i].z;
    }
    return sn_vec3((float)x, (float)y, (float)z);
}

bool sn_pick_ray(const snPicker* picker, snVec3 origin, snVec3 direction, snPick* out) {
    if (picker == NULL || out == NULL || picker->triangle_count == 0 || !unit_of(origin, &direction))
        return false;
    Nearest nearest = {.picker = picker, .ray = sni_ray_of(origin, direction), .triangle = SN_NONE};
    sni_box_tree_ray(&picker->tree, origin, direction, INFINITY, look_nearest, &nearest);
    if (nearest.triangle == SN_NONE) return false;
    const sniTriangle* triangle = &picker->triangles[nearest.triangle];
    snPick pick = {.part = triangle->part,
                   .face = triangle->face,
                   .handle = SN_NONE,
                   .distance = (float)nearest.hit.at,
                   .position = place_of(picker, nearest.triangle, &nearest.hit),
                   .back = nearest.hit.back};
    for (int i = 0; i < 3; i++) {
        pick.corners[i] = triangle->at[i] - picker->vertex_starts[triangle->part];
        pick.barycentrics[i] = (float)nearest.hit.barycentrics[i];
    }
    pick.vertex = nearest_vertex(picker, &pick);
    pick.joint = heaviest_joint(picker->model, &pick);
    *out = pick;
    return true;
}

// ---------------------------------------------------------------------------------------------------- middle

// More surfaces than this in a row are not looked at.
enum { MOST_HITS = 64 };

typedef struct Crossing {
    double at;
    bool back;
    uint32_t number; // of the triangle
} Crossing;

typedef struct Crossings {
    const snPicker* picker;
    sniRay ray;
    uint32_t count;
    Crossing list[MOST_HITS]; // near ones first; of those at one place the first triangle
} Crossings;

static float look_all(void* user, uint32_t triangle) {
    Crossings* c = user;
    snVec3 corners[3];
    sniRayHit hit;
    corners_of(c->picker, triangle, corners);
    bool full = c->count == MOST_HITS;
    uint32_t number = c->picker->triangles[triangle].number;
    if (sni_ray_meets(&c->ray, corners, &hit) && !(full && hit.at >= c->list[MOST_HITS - 1].at)) {
        uint32_t slot = full ? MOST_HITS - 1 : c->count++;
        for (; slot > 0 && (c->list[slot - 1].at > hit.at ||
                            (c->list[slot - 1].at == hit.at && c->list[slot - 1].number > number));
             slot--)
            c->list[slot] = c->list[slot - 1];
        c->list[slot] = (Crossing){hit.at, hit.back, number};
    }
    return c->count == MOST_HITS ? (float)c->list[MOST_HITS - 1].at * (1.0f + 1e-6f) : INFINITY;
}

// The first stretch from a face that is entered to the one that leaves the same: like brackets, of which
// those without a partner are sheets. `inside_out`: backs are entered.
static bool first_stretch(const Crossings* c, bool inside_out, double* from, double* to) {
    uint32_t open[MOST_HITS], depth = 0, first = MOST_HITS;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->list[i].back == inside_out) {
            open[depth++] = i;
        } else if (depth > 0 && open[--depth] < first) {
            first = open[depth];
            *from = c->list[first].at;
            *to = c->list[i].at;
        }
    }
    return first < MOST_HITS;
}

bool sn_pick_middle(const snPicker* picker, snVec3 origin, snVec3 direction, snVec3* out) {
    if (picker == NULL || out == NULL || picker->triangle_count == 0 || !unit_of(origin, &direction))
        return false;
    Crossings crossings = {.picker = picker, .ray = sni_ray_of(origin, direction)};
    sni_box_tree_ray(&picker->tree, origin, direction, INFINITY, look_all, &crossings);
    if (crossings.count == 0) return false;
    double from = crossings.list[0].at, to = from;
    if (!first_stretch(&crossings, false, &from, &to)) first_stretch(&crossings, true, &from, &to);
    *out = sn_add(origin, sn_scale(direction, (float)(0.5 * (from + to))));
    return true;
}
