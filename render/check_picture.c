// Pictures of the worst moments: close-ups of the place, hot where it hurts.
#include "check_picture.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "extent.h"

// Half the side of what a close-up shows: this much of the joint's bone, within these shares of the model's
// diagonal.
#define REACH 0.8f
#define REACH_LEAST 0.025f
#define REACH_MOST 0.065f

struct snCheckPictures {
    snCheckPicturesDef def; // without settings
    snCheck** checks;
    snCharacter** characters; // one per check
    snShotItem* items;        // one per part
    float** heat;             // one per part
    snMesh* painted;          // one per part: its mesh in the colors of the heat
    snAllocator allocator;
};

snCheckPicturesDef sn_check_pictures_def(void) { return (snCheckPicturesDef){.side = 380}; }

// --------------------------------------------------------------------------------------------------- making

static snResult make_room(snCheckPictures* pictures, snError* error) {
    const snModel* model = pictures->def.model;
    const snAllocator* memory = &pictures->allocator;
    pictures->checks =
        sni_copy_array(memory, (const void*)pictures->def.checks, pictures->def.count, sizeof(snCheck*));
    pictures->characters = SNI_NEW_ARRAY(memory, snCharacter*, pictures->def.count);
    pictures->items = SNI_NEW_ARRAY(memory, snShotItem, model->part_count);
    pictures->heat = SNI_NEW_ARRAY(memory, float*, model->part_count);
    pictures->painted = SNI_NEW_ARRAY(memory, snMesh, model->part_count);
    bool enough = pictures->checks != NULL && pictures->characters != NULL && pictures->items != NULL &&
                  pictures->heat != NULL && pictures->painted != NULL;
    pictures->def.checks = pictures->checks;
    for (uint32_t p = 0; p < model->part_count && enough; p++) {
        snMesh* mesh = &pictures->painted[p];
        *mesh = *model->parts[p].mesh; // a view with other colors
        mesh->colors = SNI_NEW_ARRAY(memory, snVec4, mesh->vertex_count);
        pictures->heat[p] = SNI_NEW_ARRAY(memory, float, mesh->vertex_count);
        enough = pictures->heat[p] != NULL && mesh->colors != NULL;
    }
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult make_characters(snCheckPictures* pictures, const snSettings* const* settings,
                                snError* error) {
    for (uint32_t i = 0; i < pictures->def.count; i++) {
        snCharacterDef def = sn_character_def();
        def.model = pictures->def.model;
        def.settings = settings[i];
        def.tasks = pictures->def.tasks;
        def.level = pictures->def.level;
        SNI_TRY(sn_character_create(&def, &pictures->allocator, &pictures->characters[i], error));
    }
    return SN_RESULT_OK;
}

snResult sn_check_pictures_create(const snCheckPicturesDef* def, const snAllocator* allocator,
                                  snCheckPictures** out, snError* error) {
    if (def->renderer == NULL || def->model == NULL || def->count == 0 || def->side == 0)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a renderer, a model, checks and a size are needed");
    snAllocator memory = sni_allocator(allocator);
    snCheckPictures* pictures = SNI_NEW(&memory, snCheckPictures);
    if (pictures == NULL) return sni_fail_memory(error);
    pictures->def = *def;
    pictures->def.settings = NULL;
    pictures->allocator = memory;
    snResult result = make_room(pictures, error);
    if (result == SN_RESULT_OK) result = make_characters(pictures, def->settings, error);
    if (result == SN_RESULT_OK)
        *out = pictures;
    else
        sn_check_pictures_destroy(pictures);
    return result;
}

void sn_check_pictures_destroy(snCheckPictures* pictures) {
    if (pictures == NULL) return;
    snAllocator memory = pictures->allocator;
    for (uint32_t i = 0; i < pictures->def.count && pictures->characters != NULL; i++)
        sn_character_destroy(pictures->characters[i]);
    for (uint32_t p = 0; p < pictures->def.model->part_count; p++) {
        if (pictures->heat != NULL) sni_free(&memory, pictures->heat[p]);
        if (pictures->painted != NULL) sni_free(&memory, pictures->painted[p].colors);
    }
    sni_free(&memory, (void*)pictures->checks);
    sni_free(&memory, (void*)pictures->characters);
    sni_free(&memory, (void*)pictures->heat);
    sni_free(&memory, pictures->painted);
    sni_free(&memory, pictures->items);
    sni_free(&memory, pictures);
}

// ------------------------------------------------------------------------------------------------- the shot

static snExtent whole(const snCheckPictures* pictures, uint32_t way) {
    snExtent extent = sn_extent_empty();
    for (uint32_t p = 0; p < pictures->def.model->part_count; p++) {
        snSurface surface = sn_character_surface(pictures->characters[way], p);
        sn_extent_add(&extent, surface.positions, surface.vertex_count);
    }
    return extent;
}

// As much around a joint as its longest bone suggests.
static float reach_of(const snCheckPictures* pictures, uint32_t way, uint32_t joint, float diagonal) {
    const snSkeleton* skeleton = pictures->def.model->skeleton;
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
static bool bend_axis(const snCheckPictures* pictures, uint32_t way, uint32_t joint, snVec3* out) {
    const snSkeleton* skeleton = pictures->def.model->skeleton;
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

static bool is_hidden(const snCheckPictures* pictures, uint32_t way, snVec3 from, snVec3 towards) {
    for (uint32_t p = 0; p < pictures->def.model->part_count; p++) {
        const snMesh* mesh = pictures->def.model->parts[p].mesh;
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
static snView find_view(const snCheckPictures* pictures, uint32_t way, snVec3 place, snView wanted) {
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
static snView view_of(const snCheckPictures* pictures, uint32_t way, const snViolation* worst, float size,
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

static snCamera aim(const snCheckPictures* pictures, uint32_t way, const snViolation* worst) {
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

static void set_items(snCheckPictures* pictures, uint32_t way) {
    const snModel* model = pictures->def.model;
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

// Where the worst vertex is.
static void mark(const snCheckPictures* pictures, uint32_t way, const snViolation* worst,
                 const snCamera* camera, snCheckPicture* out) {
    if (worst->vertex == SN_NONE || worst->joint == SN_NONE) return;
    snSurface surface = sn_character_surface(pictures->characters[way], worst->part);
    snVec3 at = sn_camera_project(camera, surface.positions[worst->vertex]);
    out->marked = fabsf(at.x) < 1.0f && fabsf(at.y) < 1.0f;
    out->x = 50.0f + 50.0f * at.x;
    out->y = 50.0f - 50.0f * at.y;
}

static snResult draw_way(snCheckPictures* pictures, snMeasure measure, uint32_t way, const snViolation* worst,
                         const snCamera* camera, snCheckPicture* out, snError* error) {
    snCheck* check = pictures->def.checks[way];
    snResult result = sn_check_pose(check, worst, pictures->characters[way]);
    if (result == SN_RESULT_OK)
        result = sn_check_heat(check, measure, pictures->characters[way], pictures->heat);
    if (result != SN_RESULT_OK) return sni_fail(error, result, "the worst moment cannot be drawn");
    set_items(pictures, way);
    snShot shot = sn_shot();
    shot.width = shot.height = pictures->def.side;
    shot.items = pictures->items;
    shot.item_count = pictures->def.model->part_count;
    shot.bounds = whole(pictures, way).bounds;
    shot.camera = *camera;
    shot.ground = worst->joint == SN_NONE;
    mark(pictures, way, worst, camera, out);
    out->value =
        worst->frame == SN_NONE ? worst->value : sn_check_value(check, measure, worst->frame, worst->joint);
    return sn_renderer_draw(pictures->def.renderer, &shot, &pictures->allocator, &out->image, error);
}

snResult sn_check_pictures_draw(snCheckPictures* pictures, snMeasure measure, snCheckPicture* out,
                                snError* error) {
    const snCheckPicturesDef* def = &pictures->def;
    uint32_t of = sn_checks_worst((const snCheck* const*)def->checks, def->count, measure);
    const snViolation* worst = &def->checks[of]->measures[measure].worst;
    // What viewers drop is nowhere to be seen.
    if (!(worst->value > 0.0f) || measure == SN_MEASURE_DROPPED ||
        sn_check_pose(def->checks[of], worst, pictures->characters[of]) != SN_RESULT_OK)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "%s has nothing to draw",
                        sn_measure_info(measure)->title);
    snCamera camera = aim(pictures, of, worst);
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < def->count; i++) out[i] = (snCheckPicture){0};
    for (uint32_t i = 0; i < def->count && result == SN_RESULT_OK; i++) {
        result = sni_progress(&def->progress, "drawing", (float)i / (float)def->count, error);
        if (result == SN_RESULT_OK) result = draw_way(pictures, measure, i, worst, &camera, &out[i], error);
    }
    for (uint32_t i = 0; i < def->count && result != SN_RESULT_OK; i++) {
        sn_image_destroy(out[i].image);
        out[i] = (snCheckPicture){0};
    }
    return result;
}
