// The tube that styles are judged on.
#include <stdio.h>

#include "base/memory.h"
#include "deformation.h"
#include "style.h"

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
static void key_move(cliTubeMove move, Keys* keys) {
    const snVec3 across = sn_vec3(0.0f, 0.0f, 1.0f), along = sn_vec3(0.0f, 1.0f, 0.0f);
    float share = move == CLI_TUBE_BOTH ? 0.5f : 1.0f;
    for (uint32_t k = 0; k < KEYS; k++) {
        float t = (float)k / (float)(KEYS - 1), angle = t * share * SN_PI;
        float bend = move == CLI_TUBE_TWIST ? 0.0f : angle, twist = move == CLI_TUBE_BEND ? 0.0f : angle;
        keys->times[k] = t;
        keys->turns[0][k] = sn_quat_axis_angle(across, 0.5f * bend);
        keys->turns[1][k] = sn_quat_mul(sn_quat_axis_angle(across, -bend), sn_quat_axis_angle(along, twist));
        keys->places[k] = sn_quat_rotate(keys->turns[0][k], sn_vec3(0.0f, -0.5f * LENGTH, 0.0f));
    }
}

static snResult add_move(snModel* model, cliTubeMove move, snError* error) {
    static const char* const names[CLI_TUBE_MOVES] = {"style bend", "style twist", "style both"};
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

static cliExit make_model(cliTube* tube) {
    snTubeDef def = sn_tube_def();
    def.length = LENGTH;
    def.radius = RADIUS;
    def.sides = SIDES;
    def.rings = RINGS;
    def.segments = BONES;
    snError error = sn_error_none();
    snResult result = sn_builtin_tube(&def, &tube->context->memory, &tube->model, &error);
    // Only our own clips, so that a move is the clip of its number.
    for (uint32_t i = 0; result == SN_RESULT_OK && i < tube->model->clip_count; i++)
        sn_clip_destroy(tube->model->clips[i]);
    if (result == SN_RESULT_OK) tube->model->clip_count = 0;
    for (int move = 0; move < CLI_TUBE_MOVES && result == SN_RESULT_OK; move++)
        result = add_move(tube->model, (cliTubeMove)move, &error);
    if (result != SN_RESULT_OK) return context_fail(tube->context, &error);
    return paint_stripes(tube->model->parts[0].mesh) ? CLI_DONE : context_fail_memory(tube->context);
}

// A style for every joint of the spline skin, and nothing else.
static cliExit make_settings(const cliTube* tube, const snStyle* style, snSettings** out) {
    char joint[] = "*";
    snStyleRule rule = {joint, style->name, 1.0f};
    snSettings* settings = NULL;
    cliExit code = deformation_plain(tube->context, SN_SKIN_SPLINE, &settings);
    if (code != CLI_DONE) return code;
    snError error = sn_error_none();
    if (sn_settings_set_styles(settings, &style, 1, &error) != SN_RESULT_OK ||
        sn_settings_set_style_rules(settings, &rule, 1, &error) != SN_RESULT_OK) {
        sn_settings_destroy(settings);
        return context_fail(tube->context, &error);
    }
    *out = settings;
    return CLI_DONE;
}

cliExit tube_open(cliTube* tube, cliContext* context, snRenderer* renderer, const snStyle* style) {
    *tube = (cliTube){.context = context, .renderer = renderer};
    snSettings* settings = NULL;
    cliExit code = make_model(tube);
    if (code == CLI_DONE) code = make_settings(tube, style, &settings);
    if (code == CLI_DONE) code = picture_stage(context, renderer, tube->model, settings, &tube->stage);
    sn_settings_destroy(settings);
    return code;
}

void tube_close(cliTube* tube) {
    sn_stage_destroy(tube->stage);
    sn_model_destroy(tube->model);
    *tube = (cliTube){0};
}

snShot tube_scene(cliTube* tube, cliTubeMove move, const char* view, uint32_t width, uint32_t height) {
    snStageSceneDef def = sn_stage_scene_def();
    sn_view_parse(view, &def.view);
    def.width = width;
    def.height = height;
    def.clip = (uint32_t)move;
    def.to = 1.0f;
    snShot scene = sn_stage_scene(tube->stage, &def);
    snVec3 middle = sn_vec3(move == CLI_TUBE_TWIST ? 0.0f : INSIDE, 0.0f, 0.0f);
    snVec3 reach = sn_vec3(SHOWN, SHOWN, SHOWN);
    snExtent shown = sn_extent_of_box((snBounds){sn_sub(middle, reach), sn_add(middle, reach)});
    scene.camera = sn_camera_frame_extent(def.view, &shown, (float)width / (float)height);
    scene.ground = false;
    return scene;
}

cliExit tube_draw(cliTube* tube, cliTubeMove move, float degrees, const snShot* scene, snImage** out) {
    sn_stage_begin(tube->stage);
    snError error = sn_error_none();
    snResult result = sn_stage_draw(tube->stage, (uint32_t)move, degrees / CLI_TUBE_FULL, scene, out, &error);
    return picture_end(tube->context, result, &error);
}
