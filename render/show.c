#include "show.h"

#include "base/error.h"
#include "ramp.h"

// Full scale of the moves, in cells; without a lattice there are this many along the diagonal.
#define MOVES_SCALE 0.4f
#define MOVES_CELLS 64.0f

void sn_show_weights(const snModel* model, const snPart* part, uint32_t joint, float* out) {
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        out[v] = 0.0f;
        if (part->skin == SN_NONE) {
            out[v] = part->joint == joint ? 1.0f : 0.0f;
            continue;
        }
        const snSkin* skin = &model->skins[part->skin];
        for (uint32_t k = 0; k < part->weights.influences; k++) {
            size_t at = (size_t)v * part->weights.influences + k;
            if (skin->joints[part->weights.joints[at]] == joint) out[v] += part->weights.weights[at];
        }
    }
}

void sn_show_all_weights(const snModel* model, const snPart* part, snVec4* out) {
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        if (part->skin == SN_NONE) {
            out[v] = sn_joint_color(part->joint);
            continue;
        }
        const snSkin* skin = &model->skins[part->skin];
        out[v] = (snVec4){0.0f, 0.0f, 0.0f, 1.0f};
        for (uint32_t k = 0; k < part->weights.influences; k++) {
            size_t at = (size_t)v * part->weights.influences + k;
            snVec4 color = sn_joint_color(skin->joints[part->weights.joints[at]]);
            float weight = part->weights.weights[at];
            out[v].x += weight * color.x;
            out[v].y += weight * color.y;
            out[v].z += weight * color.z;
        }
    }
}

bool sn_show_has_moves(const snModel* model, const snSettings* settings) {
    return model->binding != NULL || sn_settings_exact_volume(settings) || settings->skin_contact ||
           sn_settings_have_styles(settings);
}

float sn_show_moves_max(const snModel* model, float diagonal) {
    float cell = model->binding != NULL ? model->binding->lattice->cell_size : diagonal / MOVES_CELLS;
    return MOVES_SCALE * 1e3f * cell;
}

snResult sn_show_plain(const snModel* model, const snSettings* settings, const snTasks* tasks,
                       snCpuLevel level, const snAllocator* allocator, snCharacter** out, snError* error) {
    snSettings* alone = NULL;
    SNI_TRY(sn_settings_create(allocator, &alone, error));
    alone->skin = settings->skin;
    alone->volume = SN_VOLUME_NONE;
    alone->flesh = false;
    alone->smoothing = settings->smoothing;
    alone->spline_stiffness = settings->spline_stiffness;
    alone->spline_samples = settings->spline_samples;
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = alone;
    def.tasks = *tasks;
    def.level = level;
    snResult result =
        sn_settings_set_spline_rules(alone, settings->spline_rules, settings->spline_rule_count, error);
    if (result == SN_RESULT_OK) result = sn_character_create(&def, allocator, out, error);
    sn_settings_destroy(alone);
    return result;
}

snResult sn_show_rest(const snModel* model, const snAllocator* allocator, snCharacter** out, snError* error) {
    snSettings* settings = NULL;
    SNI_TRY(sn_settings_create(allocator, &settings, error));
    settings->skin = SN_SKIN_LINEAR;
    settings->volume = SN_VOLUME_NONE;
    settings->flesh = false;
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snResult result = sn_character_create(&def, allocator, out, error);
    sn_settings_destroy(settings);
    if (result == SN_RESULT_OK) sn_character_pose_clip(*out, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP);
    return result;
}

void sn_show_moves(snSurface moved, snSurface skin, float* out) {
    for (uint32_t v = 0; v < moved.vertex_count; v++)
        out[v] = 1e3f * sn_distance(moved.positions[v], skin.positions[v]);
}

snResult sn_part_is_solid(const snPart* part, snSurface surface, const snAllocator* memory, bool* out,
                          snError* error) {
    snTopology* topology = NULL;
    SNI_TRY(sn_topology_create(part->mesh, part->weld, memory, &topology, error));
    *out = topology->closed && topology->oriented && sn_mesh_volume(part->mesh, surface.positions) > 0;
    sn_topology_destroy(topology);
    return SN_RESULT_OK;
}
