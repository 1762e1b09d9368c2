#include "orbit.h"

#define HALF_TURN (0.5f * SN_PI)
#define MARGIN 1.12f // around what is framed
// Limits of the distance, of the diagonal of what was framed.
#define NEAREST 0.02f
#define FURTHEST 40.0f

// ------------------------------------------------------------------------------------------------ pinhole

snVec3 sn_camera_project(const snCamera* camera, snVec3 point) {
    snVec3 p = sn_sub(point, camera->eye);
    float depth = -sn_dot(p, camera->back);
    float scale = 1.0f / (camera->tan_half_y * (depth != 0 ? depth : 1e-30f));
    return sn_vec3(sn_dot(p, camera->right) * scale / camera->aspect, sn_dot(p, camera->up) * scale, depth);
}

snVec3 sn_camera_pixel(const snCamera* camera, float width, float height, snVec3 point) {
    snVec3 p = sn_camera_project(camera, point);
    return sn_vec3(0.5f * (1.0f + p.x) * width, 0.5f * (1.0f - p.y) * height, p.z);
}

void sn_camera_ray(const snCamera* camera, float width, float height, float x, float y, snVec3* out_origin,
                   snVec3* out_direction) {
    float right = (2.0f * x / width - 1.0f) * camera->tan_half_y * camera->aspect;
    float up = (1.0f - 2.0f * y / height) * camera->tan_half_y;
    snVec3 across = sn_add(sn_scale(camera->right, right), sn_scale(camera->up, up));
    *out_origin = camera->eye;
    *out_direction = sn_normalize_or(sn_sub(across, camera->back), sn_neg(camera->back));
}

float sn_camera_pixel_size(const snCamera* camera, float height, snVec3 point) {
    float depth = sn_dot(sn_sub(camera->eye, point), camera->back);
    return 2.0f * camera->tan_half_y * sn_maxf(depth, 0.0f) / height;
}

// -------------------------------------------------------------------------------------------------- orbit

snOrbit sn_orbit(void) {
    return (snOrbit){.yaw = 0.5f,
                     .pitch = 0.15f,
                     .distance = 4.0f,
                     .tan_half_y = 0.2493f,
                     .nearest = 0.01f,
                     .furthest = 1000.0f};
}

snCamera sn_orbit_camera(snOrbit orbit, float aspect) {
    float cy = cosf(orbit.yaw), sy = sinf(orbit.yaw), cp = cosf(orbit.pitch), sp = sinf(orbit.pitch);
    snCamera camera = {.right = {cy, 0, -sy},
                       .back = {sy * cp, sp, cy * cp},
                       .distance = orbit.distance,
                       .tan_half_y = orbit.tan_half_y,
                       .aspect = aspect > 0 ? aspect : 1};
    camera.up = sn_cross(camera.back, camera.right);
    camera.eye = sn_add(orbit.target, sn_scale(camera.back, orbit.distance));
    return camera;
}

snOrbit sn_orbit_limit(snOrbit orbit) {
    orbit.pitch = sn_clampf(orbit.pitch, -HALF_TURN, HALF_TURN);
    orbit.yaw -= 2.0f * SN_PI * floorf(orbit.yaw / (2.0f * SN_PI) + 0.5f);
    orbit.distance = sn_clampf(orbit.distance, orbit.nearest, orbit.furthest);
    return orbit;
}

snOrbit sn_orbit_frame(snOrbit orbit, snBounds bounds, float aspect) {
    if (!(bounds.min.x <= bounds.max.x)) bounds = (snBounds){{-0.5f, -0.5f, -0.5f}, {0.5f, 0.5f, 0.5f}};
    orbit.target = sn_scale(sn_add(bounds.min, bounds.max), 0.5f);
    float diagonal = sn_maxf(sn_bounds_diagonal(bounds), 1e-6f);
    orbit.nearest = NEAREST * diagonal;
    orbit.furthest = FURTHEST * diagonal;
    snCamera camera = sn_orbit_camera(orbit, aspect);
    snVec3 half = sn_sub(bounds.max, orbit.target);
    orbit.distance = 0.0f;
    for (uint32_t i = 0; i < 8; i++) {
        snVec3 p = {i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
        float x = fabsf(sn_dot(p, camera.right)) / (camera.tan_half_y * camera.aspect);
        float y = fabsf(sn_dot(p, camera.up)) / camera.tan_half_y;
        orbit.distance = sn_maxf(orbit.distance, sn_dot(p, camera.back) + MARGIN * sn_maxf(x, y));
    }
    return sn_orbit_limit(orbit);
}

snOrbit sn_orbit_turn(snOrbit orbit, float yaw, float pitch) {
    orbit.yaw += yaw;
    orbit.pitch += pitch;
    return sn_orbit_limit(orbit);
}

snOrbit sn_orbit_pan(snOrbit orbit, float x, float y, float height, const snVec3* at) {
    snCamera camera = sn_orbit_camera(orbit, 1.0f);
    float size = sn_camera_pixel_size(&camera, height, at != NULL ? *at : orbit.target);
    orbit.target = sn_add(orbit.target, sn_scale(camera.right, -x * size));
    orbit.target = sn_add(orbit.target, sn_scale(camera.up, y * size));
    return orbit;
}

// The point of the target's plane at a pixel.
static snVec3 on_plane(const snOrbit* orbit, float x, float y, float width, float height) {
    snCamera camera = sn_orbit_camera(*orbit, width / height);
    snVec3 origin, direction;
    sn_camera_ray(&camera, width, height, x, y, &origin, &direction);
    return sn_add(origin, sn_scale(direction, -orbit->distance / sn_dot(direction, camera.back)));
}

// Everything is scaled about the point: eye, target and point keep their angles, so the point keeps its
// pixel.
snOrbit sn_orbit_zoom(snOrbit orbit, float factor, float x, float y, float width, float height,
                      const snVec3* at) {
    snOrbit wanted = orbit;
    wanted.distance *= factor;
    wanted = sn_orbit_limit(wanted);
    float share = wanted.distance / orbit.distance;
    snVec3 fixed = at != NULL ? *at : on_plane(&orbit, x, y, width, height);
    wanted.target = sn_add(fixed, sn_scale(sn_sub(orbit.target, fixed), share));
    return wanted;
}

snOrbit sn_orbit_mix(snOrbit from, snOrbit to, float share) {
    float turn = to.yaw - from.yaw;
    turn -= 2.0f * SN_PI * floorf(turn / (2.0f * SN_PI) + 0.5f);
    snOrbit mixed = to;
    mixed.target = sn_lerp(from.target, to.target, share);
    mixed.yaw = from.yaw + turn * share;
    mixed.pitch = sn_lerpf(from.pitch, to.pitch, share);
    mixed.distance = from.distance * powf(to.distance / from.distance, share);
    mixed.tan_half_y = sn_lerpf(from.tan_half_y, to.tan_half_y, share);
    return sn_orbit_limit(mixed);
}

snVec3 sn_orbit_follow(snVec3 now, snVec3 goal, float seconds, float half_life) {
    float left = half_life > 0.0f ? powf(0.5f, seconds / half_life) : 0.0f;
    return sn_lerp(goal, now, left);
}

snOrbit sn_orbit_axis(snOrbit orbit, snAxisView view) {
    static const float angles[][2] = {
        [SN_VIEW_RIGHT] = {HALF_TURN, 0},   [SN_VIEW_LEFT] = {-HALF_TURN, 0}, [SN_VIEW_TOP] = {0, HALF_TURN},
        [SN_VIEW_BOTTOM] = {0, -HALF_TURN}, [SN_VIEW_FRONT] = {0, 0},         [SN_VIEW_BACK] = {SN_PI, 0}};
    if (view <= SN_VIEW_NONE || view > SN_VIEW_BACK) return orbit;
    orbit.yaw = angles[view][0];
    orbit.pitch = angles[view][1];
    return orbit;
}
