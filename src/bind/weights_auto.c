// The default weights.
//
// Bone heat (Baran and Popovic, "Automatic Rigging and Animation of 3D Characters", section 4) asks which
// bone is nearest to each point of the surface and lets the answers diffuse over it. We keep that, with
// another idea of what is a bone (limbs.c), what lives where (homes.c), what is near (owners.c) and what
// moves as one (islands.c). Ownership, not blending, is where automatic weights go wrong.
#include "base/error.h"
#include "base/memory.h"
#include "bind/auto.h"
#include "lattice/steps.h"

// Cells along the longest side: results change by less than 1 % from 64 to 128.
#define FLESH_CELLS SNI_TUNED(FLESH_CELLS, 96u)

typedef struct Auto {
    const sniBind* bind;
    sniInside
        flesh; // on a grid of its own: that of the lattice may be too coarse to tell where a finger ends
    sniFineSurface fine;
    sniLaplacian laplacian;
    sniLimbs limbs;
    sniHomes homes;
    sniOwners owners;
    uint32_t* geodesic_joints; // per point of the surface
    float* geodesic_distances;
    sniTop points; // of the fine surface
} Auto;

static snResult prepare(Auto* a, snError* error) {
    const sniBind* bind = a->bind;
    const sniSurface* surface = bind->surface;
    sniInsideDef def = {.point_count = surface->point_count,
                        .points = surface->points,
                        .triangle_count = surface->triangle_count,
                        .triangles = surface->triangles,
                        .bounds = surface->bounds,
                        .cells = FLESH_CELLS,
                        .border = 1,
                        .touched = true};
    snResult result = sni_bind_progress(bind, 0.0f, error);
    if (result == SN_RESULT_OK) result = sni_inside_create(&def, &bind->allocator, &a->flesh, error);
    if (result == SN_RESULT_OK) result = sni_bind_progress(bind, 0.1f, error);
    if (result == SN_RESULT_OK)
        result = sni_fine_surface_create(bind->surface, &bind->allocator, &a->fine, error);
    if (result == SN_RESULT_OK) {
        result = sni_laplacian_create(a->fine.points, a->fine.point_count, a->fine.triangles,
                                      a->fine.triangle_count, &bind->allocator, &a->laplacian, error);
    }
    if (result == SN_RESULT_OK) result = sni_bind_progress(bind, 0.2f, error);
    if (result == SN_RESULT_OK) result = sni_limbs_create(bind, &a->flesh, &a->limbs, error);
    if (result == SN_RESULT_OK) result = sni_bind_progress(bind, 0.3f, error);
    if (result != SN_RESULT_OK) return result;
    a->geodesic_joints = SNI_NEW_ARRAY(&bind->allocator, uint32_t, bind->surface->point_count);
    a->geodesic_distances = SNI_NEW_ARRAY(&bind->allocator, float, bind->surface->point_count);
    if (a->geodesic_joints == NULL || a->geodesic_distances == NULL) return sni_fail_memory(error);
    result = sni_geodesic_nearest(bind, a->geodesic_joints, a->geodesic_distances, error);
    return result == SN_RESULT_OK ? sni_top_create(a->fine.point_count, &bind->allocator, &a->points, error)
                                  : result;
}

static snResult find_owners(Auto* a, bool shrunk, snError* error) {
    const sniBind* bind = a->bind;
    sni_homes_free(&a->homes);
    sni_owners_free(&a->owners);
    SNI_TRY(sni_homes_create(bind->surface, &a->limbs, &bind->allocator, &a->homes, error));
    sniOwnersDef def = {.bind = bind,
                        .fine = &a->fine,
                        .flesh = &a->flesh,
                        .limbs = &a->limbs,
                        .homes = &a->homes,
                        .areas = a->laplacian.areas,
                        .geodesic_joints = a->geodesic_joints,
                        .geodesic_distances = a->geodesic_distances,
                        .shrunk = shrunk};
    return sni_owners_create(&def, &bind->allocator, &a->owners, error);
}

// Last bones reach as far as what their joints own without them.
static snResult settle_last_bones(Auto* a, snError* error) {
    const snAllocator* memory = &a->bind->allocator;
    snVec3* tails = SNI_NEW_ARRAY(memory, snVec3, a->limbs.count);
    if (tails == NULL) return sni_fail_memory(error);
    sni_limbs_shrink(&a->limbs, tails);
    snResult result = find_owners(a, true, error);
    if (result == SN_RESULT_OK) {
        result = sni_limbs_settle(&a->limbs, tails, a->bind, &a->flesh, &a->fine, a->owners.limbs,
                                  a->laplacian.areas, error);
    }
    sni_free(memory, tails);
    return result;
}

// Owners, and again with the limbs that only the owners show.
static snResult settle_owners(Auto* a, snError* error) {
    uint32_t before = a->limbs.count;
    snResult result = SNI_RULE(settle) ? settle_last_bones(a, error) : SN_RESULT_OK;
    if (result == SN_RESULT_OK) result = sni_bind_progress(a->bind, 0.5f, error);
    if (result == SN_RESULT_OK) result = find_owners(a, false, error);
    if (result == SN_RESULT_OK) result = sni_bind_progress(a->bind, 0.55f, error);
    if (result == SN_RESULT_OK) {
        result = sni_limbs_add_centers(&a->limbs, a->bind, &a->flesh, &a->fine, a->owners.limbs,
                                       a->laplacian.areas, error);
    }
    return result == SN_RESULT_OK && a->limbs.count > before ? find_owners(a, false, error) : result;
}

static snResult diffuse(Auto* a, snError* error) {
    const sniBind* bind = a->bind;
    sniSolved solved;
    sniSpan span;
    sniDiffusion diffusion = {.laplacian = &a->laplacian,
                              .holds = a->owners.holds,
                              .sources = &a->owners.sources,
                              .joint_count = bind->bones->joint_count,
                              .parents = bind->bones->parents,
                              .tasks = &bind->def->tasks,
                              .level = bind->def->level,
                              .tolerance = SN_BIND_TOLERANCE,
                              .progress = sni_bind_span(bind, 0.6f, 0.8f, &span)};
    SNI_TRY(sni_diffuse(&diffusion, &bind->allocator, &a->points, &solved, error));
    bind->report->residual = solved.residual;
    bind->report->iterations = solved.iterations;
    SNI_TRY(sni_bind_progress(bind, 0.8f, error));
    return sni_islands_apply(bind, &a->fine, &a->laplacian, &a->limbs, &a->homes, &a->points, error);
}

static void take_points(const Auto* a, sniTop* points) {
    memcpy(points->joints, a->points.joints, (size_t)points->count * SNI_TOP * sizeof *points->joints);
    memcpy(points->weights, a->points.weights, (size_t)points->count * SNI_TOP * sizeof *points->weights);
    memcpy(points->totals, a->points.totals, points->count * sizeof *points->totals);
}

snResult sni_weights_auto(const sniBind* bind, sniTop* points, snError* error) {
    Auto a = {.bind = bind};
    snResult result = prepare(&a, error);
    if (result == SN_RESULT_OK) result = sni_bind_progress(bind, 0.4f, error);
    if (result == SN_RESULT_OK) result = settle_owners(&a, error);
    if (result == SN_RESULT_OK) result = sni_bind_progress(bind, 0.6f, error);
    if (result == SN_RESULT_OK) result = diffuse(&a, error);
    if (result == SN_RESULT_OK) take_points(&a, points);
    sni_top_free(&a.points);
    sni_owners_free(&a.owners);
    sni_free(&bind->allocator, a.geodesic_joints);
    sni_free(&bind->allocator, a.geodesic_distances);
    sni_homes_free(&a.homes);
    sni_limbs_free(&a.limbs);
    sni_laplacian_free(&a.laplacian);
    sni_fine_surface_free(&a.fine);
    sni_inside_free(&a.flesh);
    return result;
}
