// sinew::io writes a model, a picture and a style into the folder given, and reads the model back.
#include <sinew/io.h>
#include <sinew/sinew.h>
#include <stdio.h>

static const char* in_folder(const char* folder, const char* name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

int main(int argc, char** argv) {
    if (argc < 2) return 1;
    snTubeDef tube = sn_tube_def();
    snModel *model = NULL, *again = NULL;
    snError error = sn_error_none();
    if (sn_builtin_tube(&tube, NULL, &model, NULL) != SN_RESULT_OK) return 1;
    snResult result = sn_model_write(model, in_folder(argv[1], "tube.glb"), NULL, &error);
    if (result == SN_RESULT_OK) result = sn_model_read(in_folder(argv[1], "tube.glb"), NULL, &again, &error);
    snImage* image = NULL;
    if (result == SN_RESULT_OK) result = sn_image_create(2, 2, NULL, &image);
    if (result == SN_RESULT_OK) result = sn_png_write(image, in_folder(argv[1], "dot.png"), &error);
    snStyle* style = NULL;
    if (result == SN_RESULT_OK) result = sn_style_create("plain", NULL, &style, &error);
    if (result == SN_RESULT_OK)
        result = sn_style_write(style, NULL, in_folder(argv[1], "plain.snstyle"), &error);
    if (result != SN_RESULT_OK) printf("%s\n", error.text);
    bool same = result == SN_RESULT_OK && again->clip_count == model->clip_count &&
                again->parts[0].mesh->face_count == model->parts[0].mesh->face_count;
    printf("sinew::io: the tube is %s\n", same ? "the same" : "not the same");
    sn_image_destroy(image);
    sn_style_destroy(style);
    sn_model_destroy(again);
    sn_model_destroy(model);
    return same ? 0 : 1;
}
