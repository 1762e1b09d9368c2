// Grid space is the world with hands and head enlarged, so that a uniform grid there is fine where the body
// is fine: cells stay near cubes everywhere, which a rectilinear grid with uneven spacing could not give.
#include "builtin/body_mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"

#define RELAX_ROUNDS 14
#define FIT_ROUNDS (1 + RELAX_ROUNDS + 3)
#define NET_SHARE 0.4f     // of the time, for the net
#define TOLD_VERTICES 4096 // between two words with the listener
#define SEARCH_ROUNDS 10
#define SKIN_AREA 2.72 // square metres in grid space, where hands, feet and head are larger

// The size of cells falls linearly from 1 at `start` to `size` at `end` along one axis of grid space.
typedef struct Taper {
    double start, end, size;
} Taper;
static const Taper arm_taper = {0.26, 1.02, 0.40};
static const Taper head_taper = {1.48, 1.60, 0.52};
static const Taper foot_taper = {-0.16, 0.00, 0.62}; // along -y
// Tapers shrink the world towards these axes.
static const double arm_y = 1.408, arm_z = -0.019, head_z = 0.01, foot_z = 0.05;

static double taper_size(const Taper* taper, double t) {
    double e = sni_clamp((t - taper->start) / (taper->end - taper->start), 0.0, 1.0);
    return 1.0 + (taper->size - 1.0) * e;
}

// The integral of the size: world coordinate along the axis.
static double taper_place(const Taper* taper, double t) {
    if (t < taper->start) return t;
    double within = sni_min(t, taper->end) - taper->start;
    double mean = 0.5 * (1.0 + taper_size(taper, t));
    return taper->start + within * mean + sni_max(t - taper->end, 0.0) * taper->size;
}

static sniPoint world_point(sniPoint g) {
    double foot = taper_size(&foot_taper, -g.y);
    sniPoint p = sni_point(g.x * foot, -taper_place(&foot_taper, -g.y), foot_z + (g.z - foot_z) * foot);
    double head = taper_size(&head_taper, p.y);
    p = sni_point(p.x * head, taper_place(&head_taper, p.y), head_z + (p.z - head_z) * head);
    double side = fabs(p.x), arm = taper_size(&arm_taper, side);
    double x = taper_place(&arm_taper, side);
    return sni_point(p.x < 0.0 ? -x : x, arm_y + (p.y - arm_y) * arm, arm_z + (p.z - arm_z) * arm);
}

// What coarse grids need to see the right shape. Vertices come back to the skin afterwards.
typedef struct Sampling {
    sniBodyForm form;
    double inflate; // so that thin parts reach a grid point
    double stride;  // half the gap to keep between the legs
} Sampling;

static double grid_field(const void* context, sniPoint at) {
    const Sampling* sampling = context;
    double d = sni_body_field(&sampling->form, world_point(at)) - sampling->inflate;
    return at.y < 0.80 ? sni_max(d, sampling->stride - fabs(at.x)) : d;
}

static Sampling sampling_for(double spacing) {
    Sampling sampling = {{0.0, 0.0}, 0.0, 0.0};
    double hand_cell = spacing * arm_taper.size;
    if (hand_cell > 0.0055) sampling.form.mitten = sni_max(0.010, hand_cell * 0.7);
    sampling.form.smallest = spacing * head_taper.size;
    sampling.inflate = 0.32 * sni_max(spacing - 0.014, 0.0);
    // Samples stand half a cell beside the plane of symmetry; these must lie between the legs.
    if (spacing > 0.02) sampling.stride = 0.55 * spacing;
    return sampling;
}

// Vertex count falls with the square of the spacing, nearly: a few corrections land within a percent. Fine
// grids, where a round costs seconds, are content with four.
static snResult build_net(uint32_t target, const snProgress* progress, const snAllocator* allocator,
                          sniNet* out, Sampling* out_sampling) {
    double wanted = target > 40000 ? 0.04 : 0.01;
    double spacing = sqrt(SKIN_AREA / (double)target), best_error = 1e30;
    sniNet best = {.allocator = *allocator};
    for (int round = 0; round < SEARCH_ROUNDS && best_error > wanted; round++) {
        Sampling sampling = sampling_for(spacing);
        float share = NET_SHARE * (float)round / (float)SEARCH_ROUNDS;
        sniNetDef def = {grid_field, &sampling, spacing, {0.0, 1.1, 0.0}, *progress, share};
        sniNet net;
        snResult result = sni_net_build(&def, allocator, &net);
        if (result != SN_RESULT_OK) {
            sni_net_free(&best);
            return result;
        }
        double ratio = (double)sni_net_full_count(&net) / (double)target;
        spacing *= sqrt(ratio);
        if (fabs(ratio - 1.0) < best_error) {
            sni_net_free(&best);
            best = net;
            best_error = fabs(ratio - 1.0);
            *out_sampling = sampling;
        } else {
            sni_net_free(&net);
        }
    }
    *out = best;
    return SN_RESULT_OK;
}

static sniPoint unit(sniPoint g) {
    double length = sni_point_length(g);
    return length > 1e-12 ? sni_point_scale(g, 1.0 / length) : sni_point(0.0, 1.0, 0.0);
}

// One Newton step to the skin along the gradient, never further than `reach`.
static void project(const sniBodyForm* form, sniPoint* p, sniPoint* normal, double reach) {
    sniPoint g;
    double d = sni_body_gradient(form, *p, &g);
    double slope = sni_max(sni_point_dot(g, g), 0.04);
    sniPoint step = sni_point_scale(g, -d / slope);
    double length = sni_point_length(step);
    if (length > reach) step = sni_point_scale(step, reach / length);
    *p = sni_point_add(*p, step);
    *normal = unit(g);
}

// One round of all that bring it to the skin.
static snResult project_all(sniBodyMesh* mesh, const sniBodyForm* form, double reach, int round,
                            const snProgress* progress) {
    for (uint32_t v = 0; v < mesh->net.vertex_count; v++) {
        if (v % TOLD_VERTICES == 0) {
            float part = ((float)round + (float)v / (float)mesh->net.vertex_count) / (float)FIT_ROUNDS;
            SNI_TRY(sni_progress(progress, "making the body", NET_SHARE + (0.95f - NET_SHARE) * part, NULL));
        }
        project(form, &mesh->net.points[v], &mesh->normals[v], reach);
        if (!mesh->net.in_plane[v]) continue;
        mesh->net.points[v].x = 0.0;
        mesh->normals[v].x = 0.0;
        mesh->normals[v] = unit(mesh->normals[v]);
    }
    return SN_RESULT_OK;
}

// Moves every vertex towards the mean of its neighbours, within the tangent plane. In the plane of symmetry
// the half mesh gives the right mean too: its missing half would double both the sum and the count.
static void relax(sniBodyMesh* mesh, sniPoint* sums, uint32_t* counts) {
    sniNet* net = &mesh->net;
    memset(sums, 0, net->vertex_count * sizeof *sums);
    memset(counts, 0, net->vertex_count * sizeof *counts);
    for (uint32_t q = 0; q < net->quad_count; q++) {
        const uint32_t* c = net->quads[q].corners;
        for (int n = 0; n < 4; n++) {
            sniPoint sides = sni_point_add(net->points[c[(n + 1) & 3]], net->points[c[(n + 3) & 3]]);
            sums[c[n]] = sni_point_add(sums[c[n]], sides);
            counts[c[n]] += 2;
        }
    }
    for (uint32_t v = 0; v < net->vertex_count; v++) {
        sniPoint mean = sni_point_scale(sums[v], 1.0 / (double)counts[v]);
        sniPoint move = sni_point_sub(mean, net->points[v]), n = mesh->normals[v];
        move = sni_point_sub(move, sni_point_scale(n, sni_point_dot(n, move)));
        if (net->in_plane[v]) move.x = 0.0;
        net->points[v] = sni_point_add(net->points[v], sni_point_scale(move, 0.6));
    }
}

void sni_body_mesh_free(sniBodyMesh* mesh) {
    sni_free(&mesh->net.allocator, mesh->normals);
    mesh->normals = NULL;
    sni_net_free(&mesh->net);
}

// Brings the net from grid space to the skin; no step towards it is longer than `reach`. `sums` and `counts`
// are scratch, one a vertex.
static snResult fit(sniBodyMesh* mesh, const sniBodyForm* form, double reach, sniPoint* sums,
                    uint32_t* counts, const snProgress* progress) {
    sniNet* net = &mesh->net;
    for (uint32_t v = 0; v < net->vertex_count; v++) net->points[v] = world_point(net->points[v]);
    for (int round = 0; round < FIT_ROUNDS; round++) {
        if (round > 0 && round <= RELAX_ROUNDS) relax(mesh, sums, counts);
        SNI_TRY(project_all(mesh, form, reach, round, progress));
    }
    return SN_RESULT_OK;
}

snResult sni_body_mesh_build(uint32_t target, const snProgress* progress, const snAllocator* allocator,
                             sniBodyMesh* out) {
    sniBodyMesh mesh = {{.allocator = *allocator}, NULL};
    Sampling sampling;
    SNI_TRY(build_net(target, progress, allocator, &mesh.net, &sampling));
    mesh.normals = SNI_NEW_ARRAY(allocator, sniPoint, mesh.net.vertex_count);
    sniPoint* sums = SNI_NEW_ARRAY(allocator, sniPoint, mesh.net.vertex_count);
    uint32_t* counts = SNI_NEW_ARRAY(allocator, uint32_t, mesh.net.vertex_count);
    snResult result =
        mesh.normals != NULL && sums != NULL && counts != NULL ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
    if (result == SN_RESULT_OK)
        result = fit(&mesh, &sampling.form, 0.4 * sqrt(SKIN_AREA / (double)target), sums, counts, progress);
    sni_free(allocator, sums);
    sni_free(allocator, counts);
    if (result == SN_RESULT_OK)
        *out = mesh;
    else
        sni_body_mesh_free(&mesh);
    return result;
}
