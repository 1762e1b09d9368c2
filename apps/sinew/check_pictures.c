// Pictures of the worst moments: close-ups of the place, hot where it hurts, as data URIs.
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "check.h"
#include "extent.h"
#include "io/picture.h"
#include "render.h"

#define SIZE 380
// Half the side of what a close-up shows: this much of the joint's bone, within these shares of the model's
// diagonal.
#define REACH 0.8f
#define REACH_LEAST 0.025f
#define REACH_MOST 0.065f

struct checkPictures {
    checkJob* job;
    snRenderer* renderer;
    snCharacter* characters[CHECK_MAX_WAYS];
    snShotItem* items; // one per part
    float** heat;      // one per part
    snMesh* painted;   // one per part: its mesh in the colours of the heat
};

static cliExit fail(const checkPictures* pictures, snResult code, const char* text) {
    snError error = sn_error_none();
    error.code = code;
    snprintf(error.text, sizeof error.text, "%s", text);
    return context_fail(pictures->job->context, &error);
}

static cliExit make_room(checkPictures* pictures) {
    const snModel* model = pictures->job->model;
    const snAllocator* memory = &pictures->job->context->memory;
    pictures->items = SNI_NEW_ARRAY(memory, snShotItem, model->part_count);
    pictures->heat = SNI_NEW_ARRAY(memory, float*, model->part_count);
    pictures->painted = SNI_NEW_ARRAY(memory, snMesh, model->part_count);
    bool enough = pictures->items != NULL && pictures->heat != NULL && pictures->painted != NULL;
    for (uint32_t p = 0; p < model->part_count && enough; p++) {
        snMesh* mesh = &pictures->painted[p];
        *mesh = *model->parts[p].mesh; // a view with other colours
        mesh->colors = SNI_NEW_ARRAY(memory, snVec4, mesh->vertex_count);
        pictures->heat[p] = SNI_NEW_ARRAY(memory, float, mesh->vertex_count);
        enough = pictures->heat[p] != NULL && mesh->colors != NULL;
    }
    return enough ? CLI_DONE : fail(pictures, SN_RESULT_OUT_OF_MEMORY, "out of memory");
}

static cliExit make_characters(checkPictures* pictures) {
    const checkJob* job = pictures->job;
    snError error = sn_error_none();
    for (uint32_t i = 0; i < job->way_count; i++) {
        snCharacterDef def = sn_character_def();
        def.model = job->model;
        def.settings = job->ways[i].settings;
        def.tasks = job->context->tasks;
        def.level = job->context->level;
        if (sn_character_create(&def, &job->context->memory, &pictures->characters[i], &error) !=
            SN_RESULT_OK)
            return context_fail(job->context, &error);
    }
    return CLI_DONE;
}

cliExit check_pictures_open(checkJob* job, checkPictures** out, char* why, size_t capacity) {
    const snAllocator* memory = &job->context->memory;
    snRenderer* renderer = NULL;
    snError error = sn_error_none();
    snResult result = sn_renderer_create(memory, &renderer, &error);
    if (result == SN_RESULT_UNSUPPORTED) {
        snprintf(why, capacity, "%s", error.text);
        return CLI_DONE;
    }
    if (result != SN_RESULT_OK) return context_fail(job->context, &error);
    checkPictures* pictures = SNI_NEW(memory, checkPictures);
    if (pictures == NULL) {
        sn_renderer_destroy(renderer);
        return CLI_SYSTEM;
    }
    pictures->job = job;
    pictures->renderer = renderer;
    cliExit code = make_room(pictures);
    if (code == CLI_DONE) code = make_characters(pictures);
    if (code == CLI_DONE)
        *out = pictures;
    else
        check_pictures_close(pictures);
    return code;
}

void check_pictures_close(checkPictures* pictures) {
    if (pictures == NULL) return;
    const snAllocator* memory = &pictures->job->context->memory;
    for (uint32_t i = 0; i < pictures->job->way_count; i++) sn_character_destroy(pictures->characters[i]);
    for (uint32_t p = 0; p < pictures->job->model->part_count; p++) {
        if (pictures->heat != NULL) sni_free(memory, pictures->heat[p]);
        if (pictures->painted != NULL) sni_free(memory, pictures->painted[p].colors);
    }
    sni_free(memory, pictures->heat);
    sni_free(memory, pictures->painted);
    sni_free(memory, pictures->items);
    sn_renderer_destroy(pictures->renderer);
    sni_free(memory, pictures);
}

// ------------------------------------------------------------------------------------------------- the shot

// The moment as the check saw it: flesh has come there from a second before.
static snResult pose(const checkPictures* pictures, uint32_t way, const snOffence* worst) {
    const checkJob* job = pictures->job;
    snCharacter* character = pictures->characters[way];
    if (worst->frame == SN_NONE) return sn_character_pose_clip(character, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP);
    float start = sn_maxf(job->from, worst->time - 1.0f);
    sn_character_reset(character);
    snResult result = SN_RESULT_OK;
    uint32_t steps = (uint32_t)((worst->time - start) * job->fps + 0.5f);
    for (uint32_t i = 0; i <= steps && result == SN_RESULT_OK; i++)
        result = sn_character_pose_clip(character, job->clip, worst->time - (float)(steps - i) / job->fps,
                                        SN_WRAP_CLAMP);
    return result;
}

static snExtent whole(const checkPictures* pictures, uint32_t way) {
    snExtent extent = sn_extent_empty();
    for (uint32_t p = 0; p < pictures->job->model->part_count; p++) {
        snSurface surface = sn_character_surface(pictures->characters[way], p);
        sn_extent_add(&extent, surface.positions, surface.vertex_count);
    }
    return extent;
}

// As much around a joint as its longest bone suggests.
static float reach_of(const checkPictures* pictures, uint32_t way, uint32_t joint, float diagonal) {
    const snSkeleton* skeleton = pictures->job->model->skeleton;
    const snMat4* world = sn_character_world(pictures->characters[way]);
    snVec3 at = sn_mat4_translation(&world[joint]);
    float longest = 0.0f;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->parents[j] != joint && skeleton->parents[joint] != j) continue;
        longest = sn_maxf(longest, sn_distance(at, sn_mat4_translation(&world[j])));
    }
    return sn_clampf(REACH * longest, REACH_LEAST * diagonal, REACH_MOST * diagonal);
}

// The axis about which a joint is bent now; false where its bones are all but straight.
static bool bend_axis(const checkPictures* pictures, uint32_t way, uint32_t joint, snVec3* out) {
    const snSkeleton* skeleton = pictures->job->model->skeleton;
    const snMat4* world = sn_character_world(pictures->characters[way]);
    snVec3 at = sn_mat4_translation(&world[joint]), ahead = {0.0f, 0.0f, 0.0f};
    uint32_t above = skeleton->parents[joint];
    if (above == SN_NONE) return false;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        snVec3 way_there = sn_sub(sn_mat4_translation(&world[j]), at);
        if (skeleton->parents[j] == joint && sn_length(way_there) > sn_length(ahead)) ahead = way_there;
    }
    snVec3 back = sn_sub(sn_mat4_translation(&world[above]), at);
    *out = sn_cross(back, ahead);
    return sn_length(*out) > 0.5f * sn_length(back) * sn_length(ahead) && sn_length(*out) > 0.0f;
}

// Does any triangle stand between a place and an eye far away? (Moeller and Trumbore 1997)
static bool blocks(snVec3 from, snVec3 way, snVec3 a, snVec3 b, snVec3 c) {
    snVec3 u = sn_sub(b, a), v = sn_sub(c, a), h = sn_cross(way, v), s = sn_sub(from, a);
    float det = sn_dot(u, h);
    if (fabsf(det) < 1e-20f) return false;
    float x = sn_dot(s, h) / det;
    snVec3 q = sn_cross(s, u);
    float y = sn_dot(way, q) / det;
    return x >= 0.0f && y >= 0.0f && x + y <= 1.0f && sn_dot(v, q) / det > 0.0f;
}

static bool is_hidden(const checkPictures* pictures, uint32_t way, snVec3 from, snVec3 towards) {
    for (uint32_t p = 0; p < pictures->job->model->part_count; p++) {
        const snMesh* mesh = pictures->job->model->parts[p].mesh;
        const snVec3* at = sn_character_surface(pictures->characters[way], p).positions;
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            const uint32_t* corner = mesh->corners + mesh->face_starts[f];
            uint32_t count = mesh->face_starts[f + 1] - mesh->face_starts[f];
            for (uint32_t k = 2; k < count; k++)
                if (blocks(from, towards, at[corner[0]], at[corner[k - 1]], at[corner[k]])) return true;
        }
    }
    return false;
}

static snVec3 direction(snView view) {
    return sn_vec3(sinf(view.yaw) * cosf(view.pitch), sinf(view.pitch), cosf(view.yaw) * cosf(view.pitch));
}

// Of many views the one that is nearest to the wanted one and sees the place: from a little outside of it, so
// that the fold it may lie in does not count.
static snView find_view(const checkPictures* pictures, uint32_t way, snVec3 place, snView wanted) {
    enum { YAWS = 12, PITCHES = 4 };
    snView best = wanted;
    float nearest = -2.0f;
    for (int i = -1; i < YAWS * PITCHES; i++) {
        snView view = wanted;
        if (i >= 0) {
            int row = i / YAWS;
            view.yaw = wanted.yaw + (float)(i % YAWS) * (2.0f * SN_PI / (float)YAWS);
            view.pitch = -0.4f + 0.45f * (float)row;
        }
        float near = sn_dot(direction(view), direction(wanted));
        if (near <= nearest || is_hidden(pictures, way, place, direction(view))) continue;
        nearest = near;
        best = view;
        if (i < 0) break;
    }
    return best;
}

// Looks at the place from outside, a little from the side; at a large joint that is bent along its axis,
// where its outline shows.
static snView view_of(const checkPictures* pictures, uint32_t way, const snOffence* worst, float size,
                      bool large) {
    snView view = {0.6f, 0.25f, 1.0f};
    if (worst->vertex == SN_NONE || worst->joint == SN_NONE) return view;
    snSurface surface = sn_character_surface(pictures->characters[way], worst->part);
    snVec3 n = surface.normals[worst->vertex], axis;
    snVec3 place = sn_add(surface.positions[worst->vertex], sn_scale(n, 0.3f * size));
    if (large && bend_axis(pictures, way, worst->joint, &axis)) {
        axis = sn_normalize_or(axis, n);
        n = sn_dot(axis, n) < 0.0f ? sn_neg(axis) : axis;
    }
    view.yaw = atan2f(n.x, n.z) + 0.3f;
    view.pitch = sn_clampf(asinf(sn_clampf(n.y, -1.0f, 1.0f)), -0.5f, 1.2f) + 0.1f;
    return find_view(pictures, way, place, view);
}

static snCamera aim(const checkPictures* pictures, uint32_t way, const snOffence* worst) {
    snExtent extent = whole(pictures, way);
    float diagonal = sn_bounds_diagonal(extent.bounds), size = 0.0f;
    if (worst->joint != SN_NONE) size = reach_of(pictures, way, worst->joint, diagonal);
    snView view = view_of(pictures, way, worst, size, size > 0.04f * diagonal);
    if (worst->joint != SN_NONE) {
        snVec3 at = sn_mat4_translation(&sn_character_world(pictures->characters[way])[worst->joint]);
        if (worst->vertex != SN_NONE) {
            snVec3 place =
                sn_character_surface(pictures->characters[way], worst->part).positions[worst->vertex];
            at = sn_lerp(at, place, 0.5f);
        }
        snVec3 reach = {size, size, size};
        extent = sn_extent_of_box((snBounds){sn_sub(at, reach), sn_add(at, reach)});
    }
    return sn_camera_frame_extent(view, &extent, 1.0f);
}

// Clay where all is well, then yellow, red where the measure fails.
static snVec4 heat_color(float heat) {
    static const snVec3 stops[3] = {{0.60f, 0.53f, 0.47f}, {0.95f, 0.52f, 0.06f}, {0.70f, 0.02f, 0.02f}};
    float at = 2.0f * sn_clampf(heat, 0.0f, 1.0f);
    snVec3 color = at < 1.0f ? sn_lerp(stops[0], stops[1], at) : sn_lerp(stops[1], stops[2], at - 1.0f);
    return (snVec4){color.x, color.y, color.z, 1.0f};
}

static void set_items(checkPictures* pictures, uint32_t way) {
    const snModel* model = pictures->job->model;
    for (uint32_t p = 0; p < model->part_count; p++) {
        snSurface surface = sn_character_surface(pictures->characters[way], p);
        snMesh* mesh = &pictures->painted[p];
        for (uint32_t v = 0; v < mesh->vertex_count; v++) mesh->colors[v] = heat_color(pictures->heat[p][v]);
        pictures->items[p] = sn_shot_item(mesh);
        pictures->items[p].positions = surface.positions;
        pictures->items[p].normals = surface.normals;
        pictures->items[p].color = sn_vec3(1.0f, 1.0f, 1.0f);
    }
}

static void add_base64(sniBytes* out, const uint8_t* data, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)data[i] << 16;
        if (i + 1 < size) bits |= (uint32_t)data[i + 1] << 8;
        if (i + 2 < size) bits |= data[i + 2];
        char text[4] = {digits[bits >> 18 & 63], digits[bits >> 12 & 63],
                        i + 1 < size ? digits[bits >> 6 & 63] : '=', i + 2 < size ? digits[bits & 63] : '='};
        sni_bytes_add(out, text, sizeof text);
    }
}

static cliExit add_image(checkPictures* pictures, const snShot* shot, sniBytes* out) {
    const cliContext* context = pictures->job->context;
    snError error = sn_error_none();
    snImage* image = NULL;
    sniBytes png = sni_bytes(&context->memory);
    snResult result = sn_renderer_draw(pictures->renderer, shot, &context->memory, &image, &error);
    if (result == SN_RESULT_OK) result = sni_png_encode(image, "picture", &png, &error);
    if (result == SN_RESULT_OK) {
        check_format(out, "<img alt=\"\" width=\"%u\" height=\"%u\" src=\"data:image/png;base64,", SIZE,
                     SIZE);
        add_base64(out, png.data, png.size);
        check_format(out, "\">");
    }
    sni_bytes_free(&png);
    sn_image_destroy(image);
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(context, &error);
}

// A ring over the picture where the worst vertex is.
static void add_ring(const checkPictures* pictures, uint32_t way, const snOffence* worst,
                     const snCamera* camera, sniBytes* out) {
    if (worst->vertex == SN_NONE || worst->joint == SN_NONE) return;
    snSurface surface = sn_character_surface(pictures->characters[way], worst->part);
    snVec3 at = sn_camera_project(camera, surface.positions[worst->vertex]);
    if (!(fabsf(at.x) < 1.0f && fabsf(at.y) < 1.0f)) return;
    check_format(out, "<i class=\"ring\" style=\"left:%.1f%%;top:%.1f%%\"></i>",
                 (double)(50.0f + 50.0f * at.x), (double)(50.0f - 50.0f * at.y));
}

static cliExit add_way(checkPictures* pictures, snMeasure measure, uint32_t way, const snOffence* worst,
                       const snCamera* camera, sniBytes* out) {
    const checkWay* shown = &pictures->job->ways[way];
    snResult result = pose(pictures, way, worst);
    if (result == SN_RESULT_OK)
        result = sn_check_heat(shown->check, measure, pictures->characters[way], pictures->heat);
    if (result != SN_RESULT_OK) return fail(pictures, result, "the worst moment cannot be drawn");
    set_items(pictures, way);
    snShot shot = sn_shot();
    shot.width = shot.height = SIZE;
    shot.items = pictures->items;
    shot.item_count = pictures->job->model->part_count;
    shot.bounds = whole(pictures, way).bounds;
    shot.camera = *camera;
    shot.ground = worst->joint == SN_NONE;
    check_format(out, "<figure><div class=\"pic\">");
    cliExit code = add_image(pictures, &shot, out);
    add_ring(pictures, way, worst, camera, out);
    check_format(out, "</div><figcaption>%s%s", shown->name, shown->name[0] != '\0' ? ": " : "");
    float here = worst->frame == SN_NONE ? worst->value
                                         : sn_check_value(shown->check, measure, worst->frame, worst->joint);
    check_format(out, "%s</figcaption></figure>", check_percent(here).text);
    return code;
}

cliExit check_pictures_add(checkPictures* pictures, snMeasure measure, sniBytes* out) {
    const checkJob* job = pictures->job;
    uint32_t of = 0;
    for (uint32_t i = 1; i < job->way_count; i++)
        if (job->ways[i].check->measures[measure].worst.value >
            job->ways[of].check->measures[measure].worst.value)
            of = i;
    const snOffence* worst = &job->ways[of].check->measures[measure].worst;
    if (!(worst->value > 0.0f) || measure == SN_MEASURE_DROPPED) return CLI_DONE;
    if (pose(pictures, of, worst) != SN_RESULT_OK) return CLI_DONE;
    snCamera camera = aim(pictures, of, worst);
    cliExit code = CLI_DONE;
    check_format(out, "<div class=\"pics\">");
    for (uint32_t i = 0; i < job->way_count && code == CLI_DONE; i++)
        code = add_way(pictures, measure, i, worst, &camera, out);
    check_format(out, "</div>");
    return code;
}
