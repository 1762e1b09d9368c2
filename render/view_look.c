// What the surfaces of a pane show.
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "view_pane.h"

void sn_view_look_clear(snViewPane* pane) {
    if (pane->boxed) {
        sn_view_surface_close(&pane->box_surface);
        sn_view_mesh_close(&pane->box_mesh);
    }
    sn_stage_boxes_free(&pane->boxes);
    sn_character_destroy(pane->plain);
    pane->plain = NULL;
    pane->boxed = false;
    pane->dressed = false;
    pane->heat = (snViewHeat){0};
}

// ---------------------------------------------------------------------------------------------------- heat

// What it says, and by which values.
static void name_heat(snViewHeat* heat, float min, float max, const char* unit, const char* title,
                      const char* name) {
    *heat = (snViewHeat){.min = min, .max = max};
    snprintf(heat->title, sizeof heat->title, "%s%s", title, name);
    snprintf(heat->unit, sizeof heat->unit, "%s", unit);
}

static void upload_heat(snViewPane* pane) {
    for (uint32_t i = 0; i < pane->model->part_count; i++)
        sn_view_surface_heat(&pane->surfaces[i], pane->heat.min, pane->heat.max);
}

static void fill_weights(snViewPane* pane) {
    const snModel* model = pane->model;
    for (uint32_t i = 0; i < model->part_count; i++)
        sn_show_weights(model, &model->parts[i], pane->look.joint, pane->surfaces[i].values);
    name_heat(&pane->heat, 0.0f, 1.0f, "", "Weight of ", model->skeleton->names[pane->look.joint]);
    upload_heat(pane);
}

static void fill_given(snViewPane* pane) {
    const float* values = pane->given;
    for (uint32_t i = 0; i < pane->model->part_count; i++) {
        uint32_t count = pane->model->parts[i].mesh->vertex_count;
        memcpy(pane->surfaces[i].values, values, count * sizeof *values);
        values += count;
    }
    pane->heat = pane->given_heat;
    upload_heat(pane);
}

// --------------------------------------------------------------------------------------------------- moves

static snResult make_plain(snViewPane* pane, snError* error) {
    snTasks serial = {0};
    uint32_t joints = pane->model->skeleton->joint_count;
    if (pane->locals == NULL) pane->locals = SNI_NEW_ARRAY(&pane->allocator, snTrs, joints);
    if (pane->locals == NULL) return sni_fail_memory(error);
    const snSettings* settings = sn_character_settings(sn_view_pane_character(pane));
    SNI_TRY(
        sn_show_plain(pane->model, settings, &serial, SN_CPU_AUTO, &pane->allocator, &pane->plain, error));
    float max = sn_show_moves_max(pane->model, sn_bounds_diagonal(pane->bounds));
    name_heat(&pane->heat, 0.0f, max, "mm", "Moved from the skin", "");
    return SN_RESULT_OK;
}

// The character tells where its joints are in the world; locals follow from that, but for shear.
static snResult measure_moves(snViewPane* pane, snError* error) {
    const snSkeleton* skeleton = pane->model->skeleton;
    const snMat4* world = sn_view_pane_world(pane);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        snMat4 local = world[j], back;
        if (skeleton->parents[j] != SN_NONE && sn_mat4_inverse_affine(&world[skeleton->parents[j]], &back))
            local = sn_mat4_mul(&back, &world[j]);
        sn_trs_from_mat4(&local, &pane->locals[j]);
    }
    snResult result = sn_character_pose_locals(pane->plain, pane->locals);
    if (result != SN_RESULT_OK) return sni_fail(error, result, "posing the skin: %s", sn_result_name(result));
    for (uint32_t i = 0; i < pane->model->part_count; i++)
        sn_show_moves(sn_character_surface(sn_view_pane_character(pane), i),
                      sn_character_surface(pane->plain, i), pane->surfaces[i].values);
    upload_heat(pane);
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- boxes

static snResult open_boxes(snViewPane* pane, snStageBoxColor color, snError* error) {
    if (!sn_stage_boxes_create(&pane->boxes, pane->model, color, &pane->allocator))
        return sni_fail_memory(error);
    snShotItem item = sn_shot_item(&pane->boxes.mesh);
    item.color = sn_vec3(1.0f, 1.0f, 1.0f); // the cells have their own
    SNI_TRY(sn_view_mesh_open(&pane->box_mesh, &item, &pane->allocator, error));
    snViewSurfaceDef def = {
        .painter = pane->painter, .mesh = &pane->box_mesh, .item = item, .bytes = pane->bytes};
    snResult result = sn_view_surface_open(&pane->box_surface, &def, &pane->allocator, error);
    if (result != SN_RESULT_OK) {
        sn_view_mesh_close(&pane->box_mesh);
        return result;
    }
    pane->boxed = true;
    pane->box_surface.wires = pane->look.wireframe;
    pane->bytes->kept += pane->box_mesh.bytes;
    sn_view_surface_dress(&pane->box_surface, SN_VIEW_TINT_MESH, false);
    return SN_RESULT_OK;
}

static snResult move_boxes(snViewPane* pane, snError* error) {
    const snCharacter* character = sn_view_pane_character(pane);
    sn_stage_boxes_pose(&pane->boxes, sn_character_world(character), sn_character_particles(character));
    const snMesh* mesh = &pane->boxes.mesh;
    snViewPlace place = {.surface = {mesh->vertex_count, mesh->positions, NULL},
                         .frame = sn_scene_frame(pane->scene)};
    return sn_view_surface_hang(&pane->box_surface, &place, error);
}

// ---------------------------------------------------------------------------------------------------- looks

snResult sn_view_look_update(snViewPane* pane, snError* error) {
    if (pane->boxed) SNI_TRY(move_boxes(pane, error));
    if (pane->plain != NULL) SNI_TRY(measure_moves(pane, error));
    return SN_RESULT_OK;
}

static snShow showable(const snViewPane* pane, const snLook* look) {
    const snModel* model = pane->model;
    uint64_t vertices = 0;
    for (uint32_t i = 0; i < model->part_count; i++) vertices += model->parts[i].mesh->vertex_count;
    bool can = true;
    if (look->show == SN_SHOW_WEIGHTS) can = look->joint < model->skeleton->joint_count;
    if (look->show == SN_SHOW_LATTICE || look->show == SN_SHOW_PARTS) can = model->binding != NULL;
    if (look->show == SN_SHOW_MOVES)
        can = sn_show_has_moves(model, sn_character_settings(sn_view_pane_character(pane)));
    if (look->show == SN_SHOW_GIVEN) can = pane->given != NULL && pane->given_count == vertices;
    return can ? look->show : SN_SHOW_SURFACE;
}

static snResult paint_weights(snViewPane* pane, uint32_t part, snError* error) {
    const snPart* p = &pane->model->parts[part];
    snVec4* colors = SNI_NEW_ARRAY(&pane->allocator, snVec4, p->mesh->vertex_count);
    if (colors == NULL) return sni_fail_memory(error);
    sn_show_all_weights(pane->model, p, colors);
    snResult result = sn_view_surface_paint(&pane->surfaces[part], colors, error);
    sni_free(&pane->allocator, colors);
    return result;
}

// Every surface takes what the look asks for.
static snResult dress_surfaces(snViewPane* pane, snError* error) {
    const snLook* look = &pane->look;
    bool heat =
        pane->shown == SN_SHOW_WEIGHTS || pane->shown == SN_SHOW_MOVES || pane->shown == SN_SHOW_GIVEN;
    bool painted = pane->shown == SN_SHOW_ALL_WEIGHTS;
    for (uint32_t i = 0; i < pane->model->part_count; i++) {
        snViewSurface* s = &pane->surfaces[i];
        snShotItem fresh = sn_view_item(pane->model, i);
        if (heat) SNI_TRY(sn_view_surface_need_heat(s, error));
        if (painted) SNI_TRY(paint_weights(pane, i, error));
        s->wires = look->wireframe;
        s->item.show_normals = pane->shown == SN_SHOW_NORMALS;
        s->item.materials = look->materials && !painted ? fresh.materials : NULL;
        s->item.color = painted ? sn_vec3(1.0f, 1.0f, 1.0f) : fresh.color;
        snViewTint tint = painted           ? SN_VIEW_TINT_PAINT
                          : look->materials ? SN_VIEW_TINT_MESH
                                            : SN_VIEW_TINT_NONE;
        sn_view_surface_dress(s, tint, heat);
    }
    return SN_RESULT_OK;
}

static snResult show(snViewPane* pane, snError* error) {
    SNI_TRY(dress_surfaces(pane, error));
    if (pane->shown == SN_SHOW_WEIGHTS) fill_weights(pane);
    if (pane->shown == SN_SHOW_GIVEN) fill_given(pane);
    if (pane->shown == SN_SHOW_MOVES) SNI_TRY(make_plain(pane, error));
    if (pane->shown == SN_SHOW_LATTICE) SNI_TRY(open_boxes(pane, SN_STAGE_BOX_KIND, error));
    if (pane->shown == SN_SHOW_PARTS) SNI_TRY(open_boxes(pane, SN_STAGE_BOX_PART, error));
    return sn_view_pane_update(pane, error); // wires and boxes hang, too
}

snResult sn_view_pane_dress(snViewPane* pane, const snLook* look, snError* error) {
    if (pane->model == NULL) return SN_RESULT_OK;
    const snLook* old = &pane->look;
    bool other_joint = look->show == SN_SHOW_WEIGHTS && old->joint != look->joint;
    bool same = pane->dressed && old->show == look->show && !other_joint &&
                old->materials == look->materials && old->wireframe == look->wireframe;
    if (!same) sn_view_look_clear(pane);
    pane->look = *look;
    if (same) return SN_RESULT_OK;
    pane->shown = showable(pane, look);
    snResult result = show(pane, error);
    if (result != SN_RESULT_OK) sn_view_look_clear(pane);
    pane->dressed = result == SN_RESULT_OK;
    return result;
}
