// Where the ways of binding disagree.
//
// Weights of two ways differ in many places where it does not matter: a blend a little wider, a finger that
// shares with its neighbour. What matters is how far the surface moves. A joint that turns takes along all
// that follows it or a joint below it; so of two ways, the one with more weight there moves a point further,
// by the difference times the point's distance from the joint. The joint for which that is most says how far
// two ways are apart, and the nearest other way how far a point would move at least were another way right.
// Against the weights of artists this finds errors better than comparing the weights themselves, and better
// than the mean or the farthest of the other ways (docs/bind.md).
#include "base/error.h"
#include "base/memory.h"
#include "bind/bind.h"

// Twice the sine of half the angle by which joints turn, 45 degrees: the way of a point at distance one.
#define TURN 0.76536686f

typedef struct Doubt {
    const sniBind* bind;
    float* moves;  // per point of the surface: what the nearest other way says; below 0: none has spoken
    float* sums;   // per joint: what follows it or a joint below it, one way less the other
    uint32_t* met; // the joints whose sum was touched
    uint32_t met_count;
    bool* is_met; // per joint
} Doubt;

void sn_bind_doubt_destroy(snBindDoubt* doubt) {
    if (doubt == NULL) return;
    snAllocator memory = doubt->allocator;
    void* arrays[] = {doubt->vertex_starts, doubt->moves, doubt->joint_shares, doubt};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// -------------------------------------------------------------------------------------------- other ways

static snResult ask_heat(const sniBind* bind, sniTop* points, snError* error) {
    sniTop particles = {0};
    SNI_TRY(sni_top_create(bind->lattice->particle_count, &bind->allocator, &particles, error));
    snResult result = sni_weights_heat(bind, &particles, error);
    if (result == SN_RESULT_OK) result = sni_weights_embed(bind, &particles, points, error);
    sni_top_free(&particles);
    return result;
}

static snResult ask(const sniBind* bind, snWeightsMethod method, sniTop* points, snError* error) {
    if (method == SN_WEIGHTS_HEAT) return ask_heat(bind, points, error);
    if (method == SN_WEIGHTS_GEODESIC) return sni_weights_geodesic(bind, points, error);
    return sni_weights_auto(bind, points, error);
}

// ---------------------------------------------------------------------------------------------- distance

static void add_item(Doubt* d, const sniTop* top, uint32_t point, float sign) {
    const sniBones* bones = d->bind->bones;
    const float* weights = &top->weights[(size_t)point * SNI_TOP];
    float sum = 0.0f;
    for (int i = 0; i < SNI_TOP; i++) sum += weights[i];
    for (int i = 0; i < SNI_TOP && weights[i] > 0.0f; i++) {
        for (uint32_t j = top->joints[(size_t)point * SNI_TOP + (size_t)i]; j != SN_NONE;
             j = bones->parents[j]) {
            if (!d->is_met[j]) d->met[d->met_count++] = j;
            d->is_met[j] = true;
            d->sums[j] += sign * weights[i] / sum;
        }
    }
}

static float distance_of(Doubt* d, const sniTop* a, const sniTop* b, uint32_t point) {
    float farthest = 0.0f;
    snVec3 place = d->bind->surface->points[point];
    add_item(d, a, point, 1.0f);
    add_item(d, b, point, -1.0f);
    for (uint32_t i = 0; i < d->met_count; i++) {
        uint32_t j = d->met[i];
        float differs = d->sums[j] < 0.0f ? -d->sums[j] : d->sums[j];
        farthest = sn_maxf(farthest, differs * sn_distance(place, d->bind->bones->origins[j]));
        d->sums[j] = 0.0f;
        d->is_met[j] = false;
    }
    d->met_count = 0;
    return TURN * farthest;
}

static void compare(Doubt* d, const sniTop* points, const sniTop* other) {
    for (uint32_t p = 0; p < points->count; p++) {
        if (!(points->totals[p] > 0.0f) || !(other->totals[p] > 0.0f)) continue;
        float move = distance_of(d, points, other, p);
        if (d->moves[p] < 0.0f || move < d->moves[p]) d->moves[p] = move;
    }
}

static snResult compare_all(Doubt* d, snWeightsMethod method, const sniTop* points, snError* error) {
    // What these find out about themselves is not for the report of the way that was chosen.
    snBindReport unread = {0};
    sniBind bind = *d->bind;
    bind.report = &unread;
    bind.weights.begin = bind.weights.end;
    for (uint32_t p = 0; p < points->count; p++) d->moves[p] = -1.0f;
    for (int m = SN_WEIGHTS_AUTO; m <= SN_WEIGHTS_GEODESIC; m++) {
        sniTop other = {0};
        if (m == (int)method) continue;
        SNI_TRY(sni_top_create(points->count, &bind.allocator, &other, error));
        snResult result = ask(&bind, (snWeightsMethod)m, &other, error);
        if (result == SN_RESULT_OK) compare(d, points, &other);
        sni_top_free(&other);
        if (result != SN_RESULT_OK) return result;
    }
    for (uint32_t p = 0; p < points->count; p++) d->moves[p] = sn_maxf(d->moves[p], 0.0f);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ result

// A third of each triangle belongs to each of its corners.
static void sum_up(const Doubt* d, const sniTop* points, snBindDoubt* out) {
    const sniSurface* surface = d->bind->surface;
    double all = 0.0, moved = 0.0, doubted = 0.0;
    for (size_t c = 0; c < 3 * (size_t)surface->triangle_count; c++) {
        const uint32_t* corners = &surface->triangles[c / 3 * 3];
        snVec3 a = surface->points[corners[0]], b = surface->points[corners[1]],
               e = surface->points[corners[2]];
        double area = (double)sn_length(sn_cross(sn_sub(b, a), sn_sub(e, a))) / 6.0;
        uint32_t p = surface->triangles[c];
        all += area;
        moved += area * (double)d->moves[p];
        out->largest = sn_maxf(out->largest, d->moves[p]);
        if (!(d->moves[p] > out->limit)) continue;
        doubted += area;
        if (points->weights[(size_t)p * SNI_TOP] > 0.0f)
            out->joint_shares[d->bind->bones->joints[points->joints[(size_t)p * SNI_TOP]]] += (float)area;
    }
    out->mean = all > 0.0 ? (float)(moved / all) : 0.0f;
    out->share = all > 0.0 ? (float)(doubted / all) : 0.0f;
    for (uint32_t j = 0; j < out->joint_count && all > 0.0; j++)
        out->joint_shares[j] = (float)((double)out->joint_shares[j] / all);
}

static snResult fill(const Doubt* d, const sniTop* points, snBindDoubt* out, snError* error) {
    const sniSurface* surface = d->bind->surface;
    const snModel* model = d->bind->model;
    out->part_count = model->part_count;
    out->joint_count = model->skeleton->joint_count;
    out->limit = SN_DOUBT_LIMIT * surface->diagonal;
    out->vertex_starts = SNI_NEW_ARRAY(&out->allocator, uint32_t, (size_t)model->part_count + 1);
    out->joint_shares = SNI_NEW_ARRAY(&out->allocator, float, model->skeleton->joint_count);
    if (out->vertex_starts == NULL || out->joint_shares == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++)
        out->vertex_starts[p + 1] = out->vertex_starts[p] + model->parts[p].mesh->vertex_count;
    out->moves = SNI_NEW_ARRAY(&out->allocator, float, out->vertex_starts[model->part_count]);
    if (out->moves == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++) {
        for (uint32_t v = 0; v < model->parts[p].mesh->vertex_count && surface->taken[p]; v++) {
            uint32_t point = surface->point_of_vertex[surface->vertex_starts[p] + v];
            out->moves[out->vertex_starts[p] + v] = d->moves[point];
        }
    }
    sum_up(d, points, out);
    return SN_RESULT_OK;
}

snResult sni_doubt_find(const sniBind* bind, snWeightsMethod method, const sniTop* points, snBindDoubt** out,
                        snError* error) {
    const snAllocator* memory = &bind->allocator;
    uint32_t joints = bind->bones->joint_count;
    Doubt d = {.bind = bind,
               .moves = SNI_NEW_ARRAY(memory, float, points->count),
               .sums = SNI_NEW_ARRAY(memory, float, joints),
               .met = SNI_NEW_ARRAY(memory, uint32_t, joints),
               .is_met = SNI_NEW_ARRAY(memory, bool, joints)};
    snBindDoubt* doubt = SNI_NEW(memory, snBindDoubt);
    bool enough = d.moves != NULL && d.sums != NULL && d.met != NULL && d.is_met != NULL && doubt != NULL;
    snResult result = enough ? compare_all(&d, method, points, error) : sni_fail_memory(error);
    if (doubt != NULL) doubt->allocator = *memory;
    if (result == SN_RESULT_OK) result = fill(&d, points, doubt, error);
    if (result == SN_RESULT_OK)
        *out = doubt;
    else
        sn_bind_doubt_destroy(doubt);
    void* arrays[] = {d.moves, d.sums, d.met, d.is_met};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    return result;
}
