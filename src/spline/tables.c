// What a spline skin holds, point by point, for those who skin on a GPU.
#include "base/memory.h"
#include "spline/spline.h"

uint32_t sn_spline_skin_point_count(const snSplineSkin* skin) { return skin->plan->point_count; }

void sn_spline_skin_influences(const snSplineSkin* skin, uint16_t* out_matrices, float* out_weights) {
    const snSkinPlan* plan = skin->plan;
    size_t count = (size_t)plan->point_count * SN_SPLINE_MATRICES;
    for (size_t i = 0; i < count; i++) out_matrices[i] = 0, out_weights[i] = 0.0f;
    for (uint32_t i = 0; i < plan->block_count; i++) {
        const sniSkinBlock* block = &plan->blocks[i];
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane++) {
            size_t to = (size_t)plan->index[(size_t)i * SNI_BLOCK + lane] * SN_SPLINE_MATRICES;
            for (uint32_t j = block->joint_begin; j < block->joint_begin + block->joint_count; j++) {
                float weight = plan->weights[(size_t)j * SNI_BLOCK + lane];
                if (weight == 0.0f) continue;
                out_matrices[to] = plan->joints[j];
                out_weights[to++] = weight;
            }
        }
    }
}

static snVec3 lane3(const float* lanes, uint32_t block, uint32_t lane) {
    const float* at = lanes + (size_t)block * 3 * SNI_BLOCK + lane;
    return sn_vec3(at[0], at[SNI_BLOCK], at[2 * SNI_BLOCK]);
}

void sn_spline_skin_rest(const snSplineSkin* skin, snVec3* out_points, snVec3* out_normals) {
    const snSkinPlan* plan = skin->plan;
    for (uint32_t i = 0; i < plan->block_count; i++) {
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane++) {
            uint32_t point = plan->index[(size_t)i * SNI_BLOCK + lane];
            out_points[point] = lane3(plan->points, i, lane);
            if (out_normals != NULL && plan->normals != NULL)
                out_normals[point] = lane3(plan->normals, i, lane);
        }
    }
}

uint32_t sn_spline_skin_style_count(const snSplineSkin* skin) { return skin->styled_count; }

snStyledSpline sn_spline_skin_style(const snSplineSkin* skin, uint32_t style) {
    const sniStyledSpline* styled = &skin->styled[style];
    const sniStyleTable* table = &skin->tables[styled->table];
    return (snStyledSpline){styled->spline, table->columns, table->rows, table->texels};
}

snStylePose sn_spline_skin_style_pose(const snSplineSkin* skin, uint32_t style, const snSplinePose* poses) {
    const sniStyledSpline* styled = &skin->styled[style];
    return sni_style_pose(&skin->tables[styled->table], styled, &poses[styled->spline]);
}

_Static_assert(sizeof(snStyledPoint) == SNI_STYLED_FLOATS * sizeof(float),
               "a styled point is a lane of what kernels read");

bool sn_spline_skin_styled_points(const snSplineSkin* skin, uint32_t* out_styles, snStyledPoint* out_points) {
    const snSkinPlan* plan = skin->plan;
    for (uint32_t i = 0; i < plan->block_count && skin->first_style != NULL; i++)
        if (skin->first_style[i + 1] - skin->first_style[i] > 1) return false;
    for (uint32_t p = 0; p < plan->point_count; p++) {
        out_styles[p] = SN_NONE;
        out_points[p] = (snStyledPoint){0};
    }
    for (uint32_t i = 0; i < plan->block_count && skin->first_style != NULL; i++) {
        uint32_t entry = skin->first_style[i];
        if (entry == skin->first_style[i + 1]) continue;
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane++) {
            uint32_t point = plan->index[(size_t)i * SNI_BLOCK + lane];
            float values[SNI_STYLED_FLOATS];
            for (size_t f = 0; f < SNI_STYLED_FLOATS; f++)
                values[f] = skin->lanes[((size_t)entry * SNI_STYLED_FLOATS + f) * SNI_BLOCK + lane];
            out_styles[point] = skin->block_styles[entry];
            memcpy(&out_points[point], values, sizeof values);
        }
    }
    return true;
}
