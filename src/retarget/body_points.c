// Points of a surface that can touch a floor: of what each joint carries, the vertices that reach furthest in
// many directions. Whatever way a part is turned, its lowest vertex is one of them, or hardly lower than one.
#include "base/error.h"
#include "base/memory.h"
#include "sinew/retarget.h"

// Steps from the middle of a cube's side to its edge: 602 directions, to all nodes of a grid on its surface,
// neighbours up to 11.3 degrees apart, so that any direction is within 8.1 degrees of one. A corner of a
// large head is missed where no direction falls between those of its neighbours: with steps of twenty degrees
// one sank by 2.4 % of the height unseen.
enum { FINE = 5, DIRECTIONS = 24 * FINE * FINE + 2 };

typedef struct Extremes {
    snVec3 directions[DIRECTIONS];
    float* far;         // joint_count * DIRECTIONS; how far the furthest reaches
    uint32_t* vertices; // joint_count * DIRECTIONS; which it is, of all parts; SN_NONE: none yet
    uint8_t* marks;     // vertices of all parts; 1: one of those
    uint32_t joint_count;
} Extremes;

static bool is_on_surface(int x, int y, int z) {
    return x == -FINE || x == FINE || y == -FINE || y == FINE || z == -FINE || z == FINE;
}

static void fill_directions(Extremes* e) {
    uint32_t n = 0;
    for (int x = -FINE; x <= FINE; x++)
        for (int y = -FINE; y <= FINE; y++)
            for (int z = -FINE; z <= FINE; z++)
                if (is_on_surface(x, y, z))
                    e->directions[n++] =
                        sn_normalize_or(sn_vec3((float)x, (float)y, (float)z), sn_vec3(0.0f, 1.0f, 0.0f));
}

// The largest influences of a vertex, the first the largest.
static snBodyPoint point_of(const snModel* model, const snPart* part, uint32_t vertex) {
    snBodyPoint point = {.joints = {part->joint}, .weights = {1.0f}};
    if (part->skin == SN_NONE) return point;
    point = (snBodyPoint){0};
    const snWeights* w = &part->weights;
    const snSkin* skin = &model->skins[part->skin];
    float sum = 0.0f;
    for (uint32_t i = 0; i < w->influences; i++) {
        float weight = w->weights[(size_t)vertex * w->influences + i];
        uint32_t joint = skin->joints[w->joints[(size_t)vertex * w->influences + i]];
        uint32_t k = SN_BODY_POINT_JOINTS;
        for (; k > 0 && weight > point.weights[k - 1]; k--) {
            if (k == SN_BODY_POINT_JOINTS) continue;
            point.weights[k] = point.weights[k - 1];
            point.joints[k] = point.joints[k - 1];
        }
        if (k == SN_BODY_POINT_JOINTS) continue;
        point.weights[k] = weight;
        point.joints[k] = joint;
    }
    for (uint32_t i = 0; i < SN_BODY_POINT_JOINTS; i++) sum += point.weights[i];
    for (uint32_t i = 0; i < SN_BODY_POINT_JOINTS; i++) point.weights[i] /= sum > 0.0f ? sum : 1.0f;
    return point;
}

// Where linear skinning puts the vertex in the rest of the skeleton.
static snVec3 place_of(const snModel* model, const snPart* part, uint32_t vertex, const snMat4* world) {
    snVec3 v = part->mesh->positions[vertex];
    if (part->skin == SN_NONE) return sn_mat4_point(&world[part->joint], v);
    const snWeights* w = &part->weights;
    const snSkin* skin = &model->skins[part->skin];
    snVec3 sum = sn_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < w->influences; i++) {
        float weight = w->weights[(size_t)vertex * w->influences + i];
        uint32_t k = w->joints[(size_t)vertex * w->influences + i];
        if (!(weight > 0.0f)) continue;
        snVec3 local = sn_mat4_point(&skin->inverse_binds[k], v);
        sum = sn_add(sum, sn_scale(sn_mat4_point(&world[skin->joints[k]], local), weight));
    }
    return sum;
}

static void add_vertex(Extremes* e, const snBodyPoint* point, snVec3 from, uint32_t vertex) {
    size_t row = (size_t)point->joints[0] * DIRECTIONS;
    for (size_t d = 0; d < DIRECTIONS; d++) {
        float far = sn_dot(sn_sub(point->place, from), e->directions[d]);
        if (e->vertices[row + d] != SN_NONE && !(far > e->far[row + d])) continue;
        e->far[row + d] = far;
        e->vertices[row + d] = vertex;
    }
}

// What a hand holds is no part of the body: nobody walks on a sword as on a stilt.
// It moves rigidly with a joint that is nothing in a body, below a hand.
static bool is_prop(const snSkeleton* skeleton, const snLabel* labels, const snPart* part) {
    if (labels == NULL || part->skin != SN_NONE || labels[part->joint].role != SN_ROLE_NONE) return false;
    for (uint32_t j = skeleton->parents[part->joint]; j != SN_NONE; j = skeleton->parents[j])
        if (labels[j].role == SN_ROLE_HAND) return true;
    return false;
}

// One vertex of a part as a point; false where nothing moves it or it is nowhere.
static bool make_point(const snModel* model, const snPart* part, uint32_t v, const snMat4* world,
                       snBodyPoint* out) {
    *out = point_of(model, part, v);
    out->place = place_of(model, part, v, world);
    return out->weights[0] > 0.0f && sn_vec3_finite(out->place);
}

static void find_extremes(const snModel* model, const snMat4* world, Extremes* e) {
    uint32_t vertex = 0;
    for (size_t i = 0; i < (size_t)e->joint_count * DIRECTIONS; i++) e->vertices[i] = SN_NONE;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++, vertex++) {
            snBodyPoint point;
            if (make_point(model, part, v, world, &point))
                add_vertex(e, &point, sn_mat4_translation(&world[point.joints[0]]), vertex);
        }
    }
    for (size_t i = 0; i < (size_t)e->joint_count * DIRECTIONS; i++)
        if (e->vertices[i] != SN_NONE) e->marks[e->vertices[i]] = 1;
}

// Each marked vertex once; `out` NULL: counts them.
static uint32_t collect(const snModel* model, const snLabel* labels, const snMat4* world, const Extremes* e,
                        snBodyPoint* out) {
    uint32_t count = 0, vertex = 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        bool prop = is_prop(model->skeleton, labels, part);
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++, vertex++) {
            if (!e->marks[vertex]) continue;
            if (out != NULL) {
                make_point(model, part, v, world, &out[count]);
                out[count].prop = prop;
            }
            count++;
        }
    }
    return count;
}

static void mark_used(const snModel* model, uint8_t* used) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        if (part->skin == SN_NONE) {
            if (part->joint != SN_NONE) used[part->joint] = 1;
            continue;
        }
        const snWeights* w = &part->weights;
        size_t count = (size_t)part->mesh->vertex_count * w->influences;
        for (size_t i = 0; i < count; i++)
            if (w->weights[i] > 0.0f) used[model->skins[part->skin].joints[w->joints[i]]] = 1;
    }
}

static snResult fill(const snModel* model, const snSkeleton* rest, snBodyPoints* points, snError* error) {
    const snAllocator* memory = &points->allocator;
    size_t cells = (size_t)rest->joint_count * DIRECTIONS, vertices = 0;
    for (uint32_t p = 0; p < model->part_count; p++) vertices += model->parts[p].mesh->vertex_count;
    Extremes e = {.joint_count = rest->joint_count};
    snMat4* world = SNI_NEW_ARRAY(memory, snMat4, rest->joint_count);
    e.far = SNI_NEW_ARRAY(memory, float, cells);
    e.vertices = SNI_NEW_ARRAY(memory, uint32_t, cells);
    e.marks = SNI_NEW_ARRAY(memory, uint8_t, vertices);
    snLabel* labels = SNI_NEW_ARRAY(memory, snLabel, rest->joint_count);
    bool enough = world != NULL && e.far != NULL && e.vertices != NULL && e.marks != NULL && labels != NULL;
    snResult labelled = enough ? sn_skeleton_label(rest, memory, labels) : SN_RESULT_OUT_OF_MEMORY;
    enough = labelled != SN_RESULT_OUT_OF_MEMORY;
    if (enough) {
        const snLabel* known = labelled == SN_RESULT_OK ? labels : NULL;
        fill_directions(&e);
        sn_skeleton_world(rest, NULL, world);
        find_extremes(model, world, &e);
        points->count = collect(model, known, world, &e, NULL);
        points->items = SNI_NEW_ARRAY(memory, snBodyPoint, points->count);
        enough = points->items != NULL;
        if (enough) collect(model, known, world, &e, points->items);
    }
    points->used = enough ? SNI_NEW_ARRAY(memory, uint8_t, rest->joint_count) : NULL;
    enough = points->used != NULL;
    if (enough) mark_used(model, points->used);
    sni_free(memory, labels);
    sni_free(memory, world);
    sni_free(memory, e.far);
    sni_free(memory, e.vertices);
    sni_free(memory, e.marks);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

snResult sn_body_points_create(const snModel* model, const snSkeleton* rest, const snAllocator* allocator,
                               snBodyPoints** out, snError* error) {
    if (model == NULL || rest == NULL || out == NULL || rest->joint_count != model->skeleton->joint_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a model, its skeleton at rest and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    snBodyPoints* points = SNI_NEW(&memory, snBodyPoints);
    if (points == NULL) return sni_fail_memory(error);
    points->allocator = memory;
    snResult result = fill(model, rest, points, error);
    if (result == SN_RESULT_OK)
        *out = points;
    else
        sn_body_points_destroy(points);
    return result;
}

void sn_body_points_destroy(snBodyPoints* points) {
    if (points == NULL) return;
    snAllocator memory = points->allocator;
    sni_free(&memory, points->items);
    sni_free(&memory, points->used);
    sni_free(&memory, points);
}
