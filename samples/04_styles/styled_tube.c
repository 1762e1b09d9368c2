// One style on two unlike limbs: a style of one painted texture is made in code, dropped onto a joint of a
// smooth tube and onto one of a square bar, and bent. It knows neither of them.
#include <sinew/sinew.h>
#include <stdio.h>

#define COLUMNS 33 // along the limb
#define ROWS 9     // from the outside of the bend to its inside

// A dent across the inside of the bend: darker texels are nearer to the bone. 128 leaves the skin alone.
static snResult make_dent(snStyle** out) {
    uint16_t texels[ROWS * COLUMNS];
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            int from_joint = column > COLUMNS / 2 ? column - COLUMNS / 2 : COLUMNS / 2 - column;
            int inside = row > ROWS / 2, depth = inside ? 12 * (row - ROWS / 2) - 8 * from_joint : 0;
            texels[row * COLUMNS + column] = (uint16_t)(128 - (depth > 0 ? depth : 0));
        }
    }
    snStyleTexture texture = {COLUMNS, ROWS, 128, texels};
    snResult result = sn_style_create("dent", NULL, out, NULL);
    if (result == SN_RESULT_OK) result = sn_style_set_texture(*out, SN_STYLE_FRONTAL, &texture, NULL);
    return result;
}

// Settings with the style on the joint of that name: patterns and "*Elbow" of any body work as well.
static snSettings* choose(const snStyle* style) {
    char joint[] = "Bone2";
    snSettings* settings = NULL;
    snStyleRule rule = {.joint = joint, .style = style->name, .strength = 1.0f};
    if (sn_settings_create(NULL, &settings, NULL) != SN_RESULT_OK) return NULL;
    if (sn_settings_set_styles(settings, &style, 1, NULL) == SN_RESULT_OK &&
        sn_settings_set_style_rules(settings, &rule, 1, NULL) == SN_RESULT_OK)
        return settings;
    sn_settings_destroy(settings);
    return NULL;
}

// How far the style pushes the skin at most when the joint bends, in metres; below 0 when it went wrong.
static float deepest(const snModel* model, const snSettings* settings, float degrees) {
    snCharacterDef def = sn_character_def();
    snCharacter *plain = NULL, *styled = NULL;
    float most = -1.0f;
    def.model = model;
    def.skin = SN_SKIN_SPLINE;
    snTrs pose[3] = {model->skeleton->rest[0], model->skeleton->rest[1], model->skeleton->rest[2]};
    pose[1].rotation = sn_quat_axis_angle(sn_vec3(0.0f, 0.0f, -1.0f), degrees * SN_PI / 180.0f);
    bool ready = sn_character_create(&def, NULL, &plain, NULL) == SN_RESULT_OK;
    def.settings = settings;
    ready = ready && sn_character_create(&def, NULL, &styled, NULL) == SN_RESULT_OK;
    if (ready && sn_character_pose_locals(plain, pose) == SN_RESULT_OK &&
        sn_character_pose_locals(styled, pose) == SN_RESULT_OK) {
        snSurface a = sn_character_surface(plain, 0), b = sn_character_surface(styled, 0);
        for (uint32_t v = 0; v < a.vertex_count; v++)
            most = sn_maxf(most, sn_distance(a.positions[v], b.positions[v]));
    }
    sn_character_destroy(plain);
    sn_character_destroy(styled);
    return most;
}

int main(void) {
    snStyle* style = NULL;
    snSettings* settings = make_dent(&style) == SN_RESULT_OK ? choose(style) : NULL;
    int failed = settings == NULL;
    for (uint32_t sides = 4; sides <= 48 && !failed; sides += 44) {
        snTubeDef tube = sn_tube_def();
        tube.segments = 3;
        tube.radius = 0.15f;
        tube.sides = sides;
        snModel* model = NULL;
        if (sn_builtin_tube(&tube, NULL, &model, NULL) != SN_RESULT_OK) return 1;
        float still = deepest(model, settings, 0.0f), bent = deepest(model, settings, 90.0f);
        printf("%-6s straight: %5.1f mm, bent by 90 degrees: %5.1f mm\n", sides == 4 ? "bar" : "tube",
               1e3 * (double)still, 1e3 * (double)bent);
        // Styles depend on the pose: nothing at rest, a dent in the bend.
        failed = !(still == 0.0f && bent > 0.01f);
        sn_model_destroy(model);
    }
    sn_settings_destroy(settings);
    sn_style_destroy(style);
    return failed;
}
