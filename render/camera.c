#include "camera.h"

#include <stdlib.h>
#include <string.h>

// A long lens: little perspective, as in a product shot.
#define TAN_HALF_Y 0.2493f // 28 degrees from bottom to top
#define MARGIN 1.10f

const char* const sn_view_names[] = {"front", "side", "back", "three-quarter", "top", NULL};
static const float view_degrees[][2] = {{0, 4}, {90, 4}, {180, 4}, {35, 10}, {0, 89}};

static float radians(float degrees) { return degrees * (SN_PI / 180.0f); }

static bool parse_number(const char** text, float* out) {
    char* end = NULL;
    float value = strtof(*text, &end);
    if (end == *text || !sn_finite(value)) return false;
    *text = end;
    *out = value;
    return true;
}

bool sn_view_is_name(const char* text) {
    for (size_t i = 0; sn_view_names[i] != NULL; i++)
        if (strcmp(text, sn_view_names[i]) == 0) return true;
    return false;
}

bool sn_view_parse(const char* text, snView* out) {
    for (size_t i = 0; sn_view_names[i] != NULL; i++) {
        if (strcmp(text, sn_view_names[i]) != 0) continue;
        *out = (snView){radians(view_degrees[i][0]), radians(view_degrees[i][1]), 1.0f};
        return true;
    }
    float yaw = 0, pitch = 0, zoom = 1;
    if (!parse_number(&text, &yaw) || *text++ != ',' || !parse_number(&text, &pitch)) return false;
    if (*text == ',') {
        text++;
        if (!parse_number(&text, &zoom)) return false;
    }
    if (*text != '\0' || pitch < -90 || pitch > 90 || !(zoom >= 0.01f && zoom <= 100.0f)) return false;
    *out = (snView){radians(yaw), radians(pitch), zoom};
    return true;
}

// The smallest distance from `target` at which every point is inside the picture.
static float fit_distance(const snCamera* camera, const snVec3* points, uint32_t count, snVec3 target) {
    float distance = 0;
    for (uint32_t i = 0; i < count; i++) {
        snVec3 p = sn_sub(points[i], target);
        float x = fabsf(sn_dot(p, camera->right)) / (camera->tan_half_y * camera->aspect);
        float y = fabsf(sn_dot(p, camera->up)) / camera->tan_half_y;
        distance = sn_maxf(distance, sn_dot(p, camera->back) + MARGIN * sn_maxf(x, y));
    }
    return distance;
}

// How far the picture of the points sits off the center, as a vector in the plane through the target.
static snVec3 off_center(const snCamera* camera, const snVec3* points, uint32_t count) {
    snVec3 low = {1e30f, 1e30f, 0}, high = {-1e30f, -1e30f, 0};
    for (uint32_t i = 0; i < count; i++) {
        snVec3 p = sn_camera_project(camera, points[i]);
        low = sn_vec3(sn_minf(low.x, p.x), sn_minf(low.y, p.y), 0);
        high = sn_vec3(sn_maxf(high.x, p.x), sn_maxf(high.y, p.y), 0);
    }
    float half = 0.5f * camera->distance * camera->tan_half_y;
    return sn_add(sn_scale(camera->right, (low.x + high.x) * half * camera->aspect),
                  sn_scale(camera->up, (low.y + high.y) * half));
}

snCamera sn_camera_frame(snView view, const snVec3* points, uint32_t count, float aspect) {
    static const snVec3 origin = {0, 0, 0};
    if (count == 0) {
        points = &origin;
        count = 1;
    }
    float cy = cosf(view.yaw), sy = sinf(view.yaw), cp = cosf(view.pitch), sp = sinf(view.pitch);
    snCamera camera = {0};
    camera.right = sn_vec3(cy, 0, -sy);
    camera.back = sn_vec3(sy * cp, sp, cy * cp);
    camera.up = sn_cross(camera.back, camera.right);
    camera.tan_half_y = TAN_HALF_Y;
    camera.aspect = aspect > 0 ? aspect : 1;

    // Perspective enlarges what is near, so the center of the points is not the center of their picture:
    // refit from the center of the picture until both settle.
    snBounds bounds = sn_bounds_of(points, count);
    float smallest = sn_maxf(0.6f * sn_bounds_diagonal(bounds), 1e-6f); // never inside
    snVec3 target = sn_scale(sn_add(bounds.min, bounds.max), 0.5f);
    for (uint32_t i = 0; i < 24; i++) {
        camera.distance = sn_maxf(fit_distance(&camera, points, count, target), smallest);
        camera.eye = sn_add(target, sn_scale(camera.back, camera.distance));
        target = sn_add(target, off_center(&camera, points, count));
    }
    camera.tan_half_y /= view.zoom > 0 ? view.zoom : 1;
    return camera;
}
