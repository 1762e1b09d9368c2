// A body that glides and stops dead: how far its belly swings on, for three softnesses.
//
// sudden_stop [PLOT.svg] draws the curves; without it the program only prints them. The pose comes from
// the program itself, as in a game: sn_character_advance takes it and the time that has passed.
#include <sinew/sinew.h>
#include <stdio.h>
#include <string.h>

#define RATE 60
#define FRAMES 150
#define STOP 45 // frame of the stop
#define SPEED 2.0f
#define CURVES 3

static const float deltas[CURVES] = {0.0f, 0.7f, 0.9f};

// The foremost particle of the belly: on the boundary, moved by the spine.
static uint32_t find_belly(const snModel* model) {
    const snBinding* binding = model->binding;
    uint32_t best = 0;
    float front = -1e9f;
    for (uint32_t p = 0; p < binding->lattice->particle_count; p++) {
        const char* bone = model->skeleton->names[binding->joints[binding->parts->bone_parts[p]]];
        if (strcmp(bone, "Spine") != 0 || binding->lattice->rest[p].z <= front) continue;
        front = binding->lattice->rest[p].z;
        best = p;
    }
    return best;
}

// How far the belly is ahead of a body without flesh, in millimetres, for every frame.
static int swing(const snModel* model, float delta, float* out) {
    snSettings* settings = NULL;
    if (sn_settings_create(NULL, &settings, NULL) != SN_RESULT_OK) return 1;
    settings->delta = delta;
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snCharacter *soft = NULL, *stiff = NULL;
    int failed = sn_character_create(&def, NULL, &soft, NULL) != SN_RESULT_OK;
    settings->flesh = false;
    failed = failed || sn_character_create(&def, NULL, &stiff, NULL) != SN_RESULT_OK;

    snTrs pose[64];
    uint32_t joints = model->skeleton->joint_count, belly = find_belly(model);
    failed = failed || joints > 64;
    for (int frame = 0; frame < FRAMES && !failed; frame++) {
        memcpy(pose, model->skeleton->rest, joints * sizeof pose[0]);
        pose[model->skeleton->order[0]].translation.z += SPEED / RATE * (float)(frame < STOP ? frame : STOP);
        failed = sn_character_advance(soft, pose, 1.0f / RATE) != SN_RESULT_OK ||
                 sn_character_advance(stiff, pose, 1.0f / RATE) != SN_RESULT_OK;
        out[frame] = 1e3f * (sn_character_particles(soft)[belly].z - sn_character_particles(stiff)[belly].z);
    }
    sn_character_destroy(soft);
    sn_character_destroy(stiff);
    sn_settings_destroy(settings);
    return failed;
}

static int draw(const char* path, float curves[CURVES][FRAMES]) {
    static const char* const inks[CURVES] = {"#777", "#2b6cb0", "#c05621"};
    FILE* file = fopen(path, "w");
    if (file == NULL) return 1;
    float most = 1.0f;
    for (int c = 0; c < CURVES; c++)
        for (int f = 0; f < FRAMES; f++)
            most = sn_maxf(most, curves[c][f] < 0 ? -curves[c][f] : curves[c][f]);
    fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' width='760' height='360' font-family='sans-serif' "
                  "font-size='13'>\n<rect width='760' height='360' fill='white'/>\n");
    fprintf(file,
            "<text x='60' y='26' font-size='16'>A belly particle ahead of the skin after a stop from %g m/s"
            "</text>\n<path d='M60 190H720M60 50V330' stroke='#bbb'/>\n",
            (double)SPEED);
    fprintf(file, "<text x='10' y='60'>+%.0f mm</text><text x='10' y='328'>-%.0f mm</text>\n", (double)most,
            (double)most);
    for (int s = 0; s <= FRAMES; s += RATE / 2)
        fprintf(file, "<text x='%d' y='350'>%.1f s</text>\n", 55 + s * 660 / FRAMES, (double)s / RATE);
    fprintf(file, "<path d='M%d 50V330' stroke='#ccc' stroke-dasharray='4'/>\n", 60 + STOP * 660 / FRAMES);
    for (int c = 0; c < CURVES; c++) {
        fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='2' points='", inks[c]);
        for (int f = 0; f < FRAMES; f++)
            fprintf(file, "%.1f,%.1f ", 60.0 + f * 660.0 / FRAMES,
                    190.0 - 140.0 * (double)(curves[c][f] / most));
        fprintf(file, "'/>\n<text x='640' y='%d' fill='%s'>delta %g</text>\n", 70 + 20 * c, inks[c],
                (double)deltas[c]);
    }
    fprintf(file, "</svg>\n");
    return fclose(file) != 0;
}

int main(int argc, char** argv) {
    snBodyDef body = sn_body_def();
    snModel* model = NULL;
    if (sn_builtin_body(&body, NULL, &model, NULL) != SN_RESULT_OK) return 1;
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_KEEP;
    int failed = sn_model_bind(model, &bind, NULL, NULL) != SN_RESULT_OK;
    static float curves[CURVES][FRAMES];
    for (int c = 0; c < CURVES && !failed; c++) failed = swing(model, deltas[c], curves[c]);
    for (int c = 0; c < CURVES && !failed; c++) {
        float peak = 0.0f, late = 0.0f;
        for (int f = STOP; f < FRAMES; f++) {
            float size = curves[c][f] < 0.0f ? -curves[c][f] : curves[c][f];
            peak = sn_maxf(peak, size);
            if (f >= FRAMES - RATE / 4) late = sn_maxf(late, size);
        }
        printf("delta %.1f: swings %5.2f mm, %5.3f mm left %.2f s after the stop\n", (double)deltas[c],
               (double)peak, (double)late, (double)(FRAMES - STOP) / RATE - 0.25);
        failed = late > 0.05f * peak; // it settles onto the skin
    }
    if (!failed && argc > 1) failed = draw(argv[1], curves);
    sn_model_destroy(model);
    return failed;
}
