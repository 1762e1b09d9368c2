// Writes the styles that ship as folders: style_files FOLDER [THUMBNAILS]. scripts/style_files.sh puts them
// into assets/styles. THUMBNAILS is a folder with NAME.png, where there are any.
#include <stdio.h>

#include "sinew/io.h"

static int fail(const snError* error) {
    fprintf(stderr, "%s: %s\n", error->file, error->text);
    return 4;
}

static snImage* thumbnail_of(const char* folder, const char* name) {
    char path[4096];
    snImage* image = NULL;
    snprintf(path, sizeof path, "%s/%s.png", folder, name);
    sn_png_read(path, NULL, &image, NULL); // without one: none
    return image;
}

int main(int argc, char** argv) {
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: style_files FOLDER [THUMBNAILS]\n");
        return 3;
    }
    const char* name = NULL;
    for (uint32_t i = 0; (name = sn_style_preset_name(i)) != NULL; i++) {
        char path[4096];
        snError error = sn_error_none();
        snStyle* style = NULL;
        snImage* thumbnail = argc == 3 ? thumbnail_of(argv[2], name) : NULL;
        snprintf(path, sizeof path, "%s/%s", argv[1], name);
        snResult result = sn_style_preset(name, NULL, &style, &error);
        if (result == SN_RESULT_OK) result = sn_style_write(style, thumbnail, path, &error);
        sn_style_destroy(style);
        sn_image_destroy(thumbnail);
        if (result != SN_RESULT_OK) return fail(&error);
    }
    return 0;
}
