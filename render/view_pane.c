#include "view_pane.h"

#include "base/error.h"
#include "base/memory.h"

// The scene's box, of the diagonal at rest: arms stretched out and a body that drifts stay within it.
#define ROOM 1.3f
// It goes after the body when its middle is this part of the box away.
#define DRIFT 0.08f

const snMat4* sn_view_pane_world(const snViewPane* pane) {
    return pane->model != NULL ? sn_character_world(sn_view_pane_character(pane)) : NULL;
}

uint32_t sn_view_pane_items(const snViewPane* pane, const snGpuItem** out) {
    if (pane->model == NULL) return 0;
    *out = pane->boxed ? &pane->box_surface.gpu : pane->items;
    return pane->boxed ? 1 : pane->model->part_count;
}

// ----------------------------------------------------------------------------------------------- where it is

static void measure(snViewPane* pane, const snCharacter* character) {
    snBounds b = sn_bounds_empty();
    for (uint32_t i = 0; i < pane->model->part_count; i++) {
        snSurface surface = sn_character_surface(character, i);
        snBounds part = sn_bounds_of(surface.positions, surface.vertex_count);
        if (surface.vertex_count > 0) b = sn_bounds_add(sn_bounds_add(b, part.min), part.max);
    }
    pane->bounds = b;
}

static snVec3 middle_of(snBounds b) { return sn_scale(sn_add(b.min, b.max), 0.5f); }

// A cube around a point.
static snBounds box_around(snVec3 middle, float diagonal) {
    float half = diagonal * 0.28867513f;
    snVec3 reach = {half, half, half};
    return (snBounds){sn_sub(middle, reach), sn_add(middle, reach)};
}

static void follow(snViewPane* pane) {
    snVec3 middle = middle_of(pane->bounds);
    float diagonal = sn_bounds_diagonal(pane->scene);
    if (sn_distance(middle, middle_of(pane->scene)) < DRIFT * diagonal) return;
    if (sn_finite(middle.x) && sn_finite(middle.y) && sn_finite(middle.z))
        pane->scene = box_around(middle, diagonal);
}

// Size and floor are those at rest, in whatever pose the character is now.
static snResult measure_rest(snViewPane* pane, snError* error) {
    snCharacter* rest = pane->rest;
    if (rest == NULL) SNI_TRY(sn_show_rest(pane->model, &pane->allocator, &rest, error));
    measure(pane, rest);
    if (pane->rest == NULL) sn_character_destroy(rest);
    bool any = pane->bounds.min.x <= pane->bounds.max.x;
    pane->floor = any ? pane->bounds.min.y : 0.0f;
    float diagonal = sn_bounds_diagonal(pane->bounds);
    pane->scene = box_around(any ? middle_of(pane->bounds) : sn_vec3(0, 0, 0),
                             diagonal > 0.0f ? ROOM * diagonal : 2.0f);
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ set, clear

// Joints that skins use; all where there is no skin.
static snResult choose_bones(snViewPane* pane, snError* error) {
    const snModel* model = pane->model;
    pane->bones = SNI_NEW_ARRAY(&pane->allocator, bool, model->skeleton->joint_count);
    if (pane->bones == NULL) return sni_fail_memory(error);
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) pane->bones[j] = model->skin_count == 0;
    for (uint32_t s = 0; s < model->skin_count; s++)
        for (uint32_t j = 0; j < model->skins[s].joint_count; j++)
            pane->bones[model->skins[s].joints[j]] = true;
    return SN_RESULT_OK;
}

static snResult open_surfaces(snViewPane* pane, snError* error) {
    const snModel* model = pane->model;
    const snAllocator* memory = &pane->allocator;
    pane->surfaces = SNI_NEW_ARRAY(memory, snViewSurface, model->part_count);
    pane->items = SNI_NEW_ARRAY(memory, snGpuItem, model->part_count);
    if (pane->surfaces == NULL || pane->items == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < model->part_count; i++) {
        snViewSurfaceDef def = {.painter = pane->painter,
                                .mesh = &pane->shared->meshes[i],
                                .item = sn_view_item(model, i),
                                .model = model,
                                .character = sn_view_pane_character(pane),
                                .part = i,
                                .bytes = pane->bytes};
        SNI_TRY(sn_view_surface_open(&pane->surfaces[i], &def, memory, error));
        pane->items[i] = pane->surfaces[i].gpu;
    }
    return SN_RESULT_OK;
}

snResult sn_view_pane_set(snViewPane* pane, snViewModel* shared, const snCharacter* character,
                          snCharacter* rest, snError* error) {
    pane->model = shared->model;
    pane->shared = shared;
    pane->character = character;
    pane->rest = rest;
    SNI_TRY(choose_bones(pane, error));
    SNI_TRY(measure_rest(pane, error));
    SNI_TRY(open_surfaces(pane, error));
    return sn_view_pane_update(pane, error);
}

snViewModel* sn_view_pane_clear(snViewPane* pane) {
    if (pane->model == NULL) return NULL;
    const snAllocator* memory = &pane->allocator;
    sn_view_look_clear(pane);
    for (uint32_t i = 0; pane->surfaces != NULL && i < pane->model->part_count; i++)
        if (pane->surfaces[i].mesh != NULL) sn_view_surface_close(&pane->surfaces[i]);
    sn_character_destroy(pane->rest);
    void* arrays[] = {pane->surfaces, pane->items, pane->bones, pane->locals};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    snViewModel* shared = pane->shared;
    *pane = (snViewPane){.painter = pane->painter,
                         .bytes = pane->bytes,
                         .allocator = pane->allocator,
                         .bounds = sn_bounds_empty(),
                         .scene = box_around(sn_vec3(0, 0, 0), 2.0f),
                         .shadow = pane->shadow,
                         .moved = true};
    return shared;
}

// ------------------------------------------------------------------------------------------------ each frame

snResult sn_view_pane_update(snViewPane* pane, snError* error) {
    if (pane->model == NULL) return SN_RESULT_OK;
    const snCharacter* character = sn_view_pane_character(pane);
    measure(pane, character);
    follow(pane);
    pane->moved = true;
    snViewPlace place = {.particles = sn_character_particles(character),
                         .matrices = sn_character_spline_matrices(character),
                         .poses = sn_character_spline_poses(character),
                         .frame = sn_scene_frame(pane->scene)};
    for (uint32_t i = 0; i < pane->model->part_count && !pane->boxed; i++) {
        place.surface = sn_character_surface(character, i);
        SNI_TRY(sn_view_surface_hang(&pane->surfaces[i], &place, error));
        pane->items[i] = pane->surfaces[i].gpu;
    }
    return sn_view_look_update(pane, error);
}
