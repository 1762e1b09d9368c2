// Plays a clip of a GLB in flesh: read it, bind it where it has no lattice yet, advance frame by frame.
//
// play [FILE.glb [CLIP]]: without a file it writes the built-in body to body.glb first, and lets that jump.
// Any format that sinew/io.h reads will do.
#include <sinew/io.h>
#include <sinew/sinew.h>
#include <stdio.h>

#define RATE 30

static int fail(const char* what, const snError* error) {
    fprintf(stderr, "%s: %s\n", what, error->text);
    return 1;
}

static int write_body(const char* path) {
    snBodyDef def = sn_body_def();
    snModel* model = NULL;
    snError error = sn_error_none();
    def.vertex_target = 6000;
    snResult result = sn_builtin_body(&def, NULL, &model, &error);
    if (result == SN_RESULT_OK) result = sn_model_write(model, path, NULL, &error);
    sn_model_destroy(model);
    return result == SN_RESULT_OK ? 0 : fail(path, &error);
}

// Flesh lives in a lattice around the skin. The weights of a rig that has some are kept.
static snResult bind(snModel* model, snError* error) {
    if (model->binding != NULL) return SN_RESULT_OK;
    snBindDef def = sn_bind_def();
    if (model->skin_count > 0) def.method = SN_WEIGHTS_KEEP;
    return sn_model_bind(model, &def, NULL, error);
}

// The model with flesh or without it. What settings the file has stay as they are otherwise.
static snResult create(const snModel* model, bool flesh, snCharacter** out, snError* error) {
    snSettings* settings = NULL;
    snResult result = model->settings != NULL ? sn_settings_copy(model->settings, NULL, &settings, error)
                                              : sn_settings_create(NULL, &settings, error);
    if (result != SN_RESULT_OK) return result;
    settings->flesh = flesh;
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    result = sn_character_create(&def, NULL, out, error);
    sn_settings_destroy(settings);
    return result;
}

// How far flesh is from the skin without it, at most, in metres.
static float farthest(const snModel* model, const snCharacter* soft, const snCharacter* stiff) {
    float most = 0.0f;
    for (uint32_t p = 0; p < model->part_count; p++) {
        snSurface a = sn_character_surface(soft, p), b = sn_character_surface(stiff, p);
        for (uint32_t v = 0; v < a.vertex_count; v++)
            most = sn_maxf(most, sn_distance(a.positions[v], b.positions[v]));
    }
    return most;
}

// Frame by frame: flesh remembers, so time flows on from one call to the next.
static snResult play(const snModel* model, uint32_t clip, snCharacter* soft, snCharacter* stiff,
                     float* most) {
    int frames = (int)(model->clips[clip]->duration * RATE) + 1;
    for (int frame = 0; frame < frames; frame++) {
        float time = (float)frame / RATE;
        snResult result = sn_character_pose_clip(soft, clip, time, SN_WRAP_CLAMP);
        if (result == SN_RESULT_OK) result = sn_character_pose_clip(stiff, clip, time, SN_WRAP_CLAMP);
        if (result != SN_RESULT_OK) return result;
        float moved = farthest(model, soft, stiff);
        *most = sn_maxf(*most, moved);
        if (frame % 5 == 0)
            printf("%5.2f s: flesh is up to %5.1f mm from the skin\n", (double)time, 1e3 * (double)moved);
    }
    return SN_RESULT_OK;
}

int main(int argc, char** argv) {
    const char* path = argc > 1 ? argv[1] : "body.glb";
    const char* name = argc > 2 ? argv[2] : argc > 1 ? NULL : "jump";
    if (argc < 2 && write_body(path) != 0) return 1;

    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, NULL, &model, &error) != SN_RESULT_OK) return fail(path, &error);
    uint32_t clip = name != NULL ? sn_model_find_clip(model, name) : 0;
    if (clip >= model->clip_count) {
        fprintf(stderr, "%s: there is no clip %s; it has %u:\n", path, name != NULL ? name : "at all",
                model->clip_count);
        for (uint32_t c = 0; c < model->clip_count; c++) fprintf(stderr, "  %s\n", model->clips[c]->name);
        sn_model_destroy(model);
        return 1;
    }

    snCharacter *soft = NULL, *stiff = NULL;
    float most = 0.0f;
    snResult result = bind(model, &error);
    if (result == SN_RESULT_OK) result = create(model, true, &soft, &error);
    if (result == SN_RESULT_OK) result = create(model, false, &stiff, &error);
    if (result != SN_RESULT_OK) fail(path, &error);
    if (result == SN_RESULT_OK) result = play(model, clip, soft, stiff, &most);
    if (result == SN_RESULT_OK)
        printf("%s: %u particles, %.1f mm at most\n", model->clips[clip]->name,
               model->binding->lattice->particle_count, 1e3 * (double)most);
    sn_character_destroy(stiff);
    sn_character_destroy(soft);
    sn_model_destroy(model);
    return result == SN_RESULT_OK && most > 0.0f ? 0 : 1;
}
