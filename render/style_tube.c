#include "style_tube.h"

#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "sinew/builtin.h"

// Bones of five radii, as arms have. The joint in the middle has a bone and a half on each side, so its
// spline is a whole one.
#define BONES 4u
#define JOINT 2u
#define LENGTH 6.0f
#define RADIUS 0.3f
// Half the side of what pictures show around the joint, and how far its middle lies inside of the bend.
#define SHOWN 0.72f
#define INSIDE 0.2f
// Stripes along the tube show where its surface goes when it twists.
#define STRIPES 12u
#define SIDES 96u
#define RINGS 384u
// Keys of a move, one every few degrees: turns between two of them are even.
#define KEYS 37u

// ------------------------------------------------------------------------------------------------- the moves

typedef struct Keys {
    float times[KEYS];
    snVec3 places[KEYS];   // of the first bone
    snQuat turns[2][KEYS]; // of the first bone and the joint
} Keys;

// Both halves bend alike, and the joint stays where it is, so that its inside always faces +X.
static void key_move(snTubeMove move, Keys* keys) {
    const snVec3 across = sn_vec3(0.0f, 0.0f, 1.0f), along = sn_vec3(0.0f, 1.0f, 0.0f);
    float share = move == SN_TUBE_BOTH ? 0.5f : 1.0f;
    for (uint32_t k = 0; k < KEYS; k++) {
        float t = (float)k / (float)(KEYS - 1), angle = t * share * SN_PI;
        float bend = move == SN_TUBE_TWIST ? 0.0f : angle, twist = move == SN_TUBE_BEND ? 0.0f : angle;
        keys->times[k] = t;
        keys->turns[0][k] = sn_quat_axis_angle(across, 0.5f * bend);
        keys->turns[1][k] = sn_quat_mul(sn_quat_axis_angle(across, -bend), sn_quat_axis_angle(along, twist));
        keys->places[k] = sn_quat_rotate(keys->turns[0][k], sn_vec3(0.0f, -0.5f * LENGTH, 0.0f));
    }
}

static snResult add_move(snModel* model, snTubeMove move, snError* error) {
    static const char* const names[SN_TUBE_MOVES] = {"style bend", "style twist", "style both"};
    Keys keys;
    key_move(move, &keys);
    snChannel channels[3] = {{.joint = 0, .path = SN_PATH_TRANSLATION, .values = &keys.places[0].x},
                             {.joint = 0, .path = SN_PATH_ROTATION, .values = &keys.turns[0][0].x},
                             {.joint = JOINT, .path = SN_PATH_ROTATION, .values = &keys.turns[1][0].x}};
    for (int i = 0; i < 3; i++) {
        channels[i].interpolation = SN_INTERPOLATION_LINEAR;
        channels[i].key_count = KEYS;
        channels[i].width = i == 0 ? 3 : 4;
        channels[i].times = keys.times;
    }
    snClipDef def = {names[move], 0.0f, 3, channels};
    return sn_model_add_clip(model, &def, error);
}

// -------------------------------------------------------------------------------------------------- the tube

static bool paint_stripes(snMesh* mesh) {
    mesh->colors = SNI_NEW_ARRAY(&mesh->allocator, snVec4, mesh->vertex_count);
    if (mesh->colors == NULL) return false;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float turn = atan2f(mesh->positions[v].z, mesh->positions[v].x) / (2.0f * SN_PI);
        float at = turn * (float)STRIPES - floorf(turn * (float)STRIPES);
        float shade = at > 0.35f && at < 0.65f ? 0.82f : 1.0f;
        mesh->colors[v] = (snVec4){shade, shade, shade, 1.0f};
    }
    return true;
}

static snResult make_model(const snAllocator* memory, snModel** out, snError* error) {
    snTubeDef def = sn_tube_def();
    def.length = LENGTH;
    def.radius = RADIUS;
    def.sides = SIDES;
    def.rings = RINGS;
    def.segments = BONES;
    SNI_TRY(sn_builtin_tube(&def, memory, out, error));
    snModel* model = *out;
    // Only our own clips, so that a move is the clip of its number.
    for (uint32_t i = 0; i < model->clip_count; i++) sn_clip_destroy(model->clips[i]);
    model->clip_count = 0;
    for (int move = 0; move < SN_TUBE_MOVES; move++) SNI_TRY(add_move(model, (snTubeMove)move, error));
    return paint_stripes(model->parts[0].mesh) ? SN_RESULT_OK : sni_fail_memory(error);
}

// A style for every joint of the spline skin, and nothing else.
static snResult make_settings(const snStyle* style, const snAllocator* memory, snSettings** out,
                              snError* error) {
    char joint[] = "*";
    snStyleRule rule = {joint, style->name, 1.0f};
    SNI_TRY(sn_settings_create(memory, out, error));
    snSettings* settings = *out;
    settings->skin = SN_SKIN_SPLINE;
    settings->volume = SN_VOLUME_NONE;
    settings->flesh = false;
    SNI_TRY(sn_settings_set_styles(settings, &style, 1, error));
    return sn_settings_set_style_rules(settings, &rule, 1, error);
}

snResult sn_style_tube_open(snStyleTube* tube, const snStylePictureDef* def, const snAllocator* allocator,
                            snError* error) {
    *tube = (snStyleTube){0};
    snAllocator memory = sni_allocator(allocator);
    snSettings* settings = NULL;
    snResult result = make_model(&memory, &tube->model, error);
    if (result == SN_RESULT_OK) result = make_settings(def->style, &memory, &settings, error);
    if (result == SN_RESULT_OK) {
        snStageDef stage = sn_stage_def();
        stage.renderer = def->renderer;
        stage.model = tube->model;
        stage.settings = settings;
        stage.tasks = def->tasks;
        stage.level = def->level;
        result = sn_stage_create(&stage, &memory, &tube->stage, error);
    }
    sn_settings_destroy(settings);
    return result;
}

void sn_style_tube_close(snStyleTube* tube) {
    sn_stage_destroy(tube->stage);
    sn_model_destroy(tube->model);
    *tube = (snStyleTube){0};
}

snShot sn_style_tube_scene(snStyleTube* tube, snTubeMove move, const char* view, uint32_t side) {
    snStageSceneDef def = sn_stage_scene_def();
    sn_view_parse(view, &def.view);
    def.width = def.height = side;
    def.clip = (uint32_t)move;
    def.to = 1.0f;
    snShot scene = sn_stage_scene(tube->stage, &def);
    snVec3 middle = sn_vec3(move == SN_TUBE_TWIST ? 0.0f : INSIDE, 0.0f, 0.0f);
    snVec3 reach = sn_vec3(SHOWN, SHOWN, SHOWN);
    snExtent shown = sn_extent_of_box((snBounds){sn_sub(middle, reach), sn_add(middle, reach)});
    scene.camera = sn_camera_frame_extent(def.view, &shown, 1.0f);
    scene.ground = false;
    return scene;
}

snResult sn_style_tube_draw(snStyleTube* tube, snTubeMove move, float degrees, const snShot* scene,
                            snImage** out, snError* error) {
    sn_stage_begin(tube->stage);
    return sn_stage_draw(tube->stage, (uint32_t)move, degrees / SN_TUBE_FULL, scene, out, error);
}
