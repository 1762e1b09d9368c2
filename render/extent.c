#include "extent.h"

// Half the side of a close-up, of the whole's diagonal.
#define CLOSE_UP 0.07f

snExtent sn_extent_empty(void) {
    snExtent extent = {.bounds = sn_bounds_empty()};
    return extent;
}

// Even directions over the sphere: steps of the golden angle along the axis.
static snVec3 direction(uint32_t i) {
    float y = 1.0f - (2.0f * (float)i + 1.0f) / SN_EXTENT_DIRECTIONS;
    float r = sqrtf(1.0f - y * y), angle = 2.39996323f * (float)i;
    return sn_vec3(r * cosf(angle), y, r * sinf(angle));
}

void sn_extent_add_moved(snExtent* extent, const snVec3* points, uint32_t count, snVec3 offset) {
    if (count == 0) return;
    bool first = !(extent->bounds.min.x <= extent->bounds.max.x);
    for (uint32_t v = 0; v < count; v++)
        extent->bounds = sn_bounds_add(extent->bounds, sn_add(points[v], offset));
    for (uint32_t i = 0; i < SN_EXTENT_DIRECTIONS; i++) {
        snVec3 d = direction(i), best = first ? sn_add(points[0], offset) : extent->points[i];
        float furthest = sn_dot(d, best), moved = sn_dot(d, offset);
        for (uint32_t v = 0; v < count; v++) {
            float reach = sn_dot(d, points[v]) + moved;
            if (reach <= furthest) continue;
            furthest = reach;
            best = sn_add(points[v], offset);
        }
        extent->points[i] = best;
    }
}

void sn_extent_add(snExtent* extent, const snVec3* points, uint32_t count) {
    sn_extent_add_moved(extent, points, count, sn_vec3(0.0f, 0.0f, 0.0f));
}

void sn_extent_add_close_up(snExtent* extent, snVec3 at, float diagonal) {
    float size = CLOSE_UP * diagonal;
    snVec3 reach = {size, size, size};
    snVec3 corners[2] = {sn_sub(at, reach), sn_add(at, reach)};
    sn_extent_add(extent, corners, 2);
}

snExtent sn_extent_of_box(snBounds b) {
    snExtent extent = sn_extent_empty();
    for (uint32_t i = 0; i < 8 && b.min.x <= b.max.x; i++) {
        snVec3 corner = {(i & 1) ? b.max.x : b.min.x, (i & 2) ? b.max.y : b.min.y,
                         (i & 4) ? b.max.z : b.min.z};
        sn_extent_add(&extent, &corner, 1);
    }
    return extent;
}

snCamera sn_camera_frame_extent(snView view, const snExtent* extent, float aspect) {
    bool empty = !(extent->bounds.min.x <= extent->bounds.max.x);
    return sn_camera_frame(view, extent->points, empty ? 0 : SN_EXTENT_DIRECTIONS, aspect);
}
