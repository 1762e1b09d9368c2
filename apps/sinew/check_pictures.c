// Pictures of the worst moments, as data URIs.
#include <stdio.h>

#include "base/memory.h"
#include "check.h"
#include "check_picture.h"
#include "io/picture.h"

#define SIZE 380

struct checkPictures {
    const checkJob* job;
    snRenderer* renderer;
    snCheckPictures* drawn;
};

static snResult make(checkPictures* pictures, snError* error) {
    const cliContext* context = pictures->job->context;
    const snCheckup* checkup = pictures->job->checkup;
    const snSettings* settings[SN_CHECKUP_MAX_WAYS];
    snCheck* checks[SN_CHECKUP_MAX_WAYS];
    for (uint32_t i = 0; i < checkup->way_count; i++) {
        settings[i] = checkup->ways[i].settings;
        checks[i] = checkup->ways[i].check;
    }
    snCheckPicturesDef def = sn_check_pictures_def();
    def.renderer = pictures->renderer;
    def.model = context_model(context);
    def.count = checkup->way_count;
    def.settings = settings;
    def.checks = checks;
    def.side = SIZE;
    def.tasks = context->tasks;
    def.level = context->level;
    return sn_check_pictures_create(&def, &context->memory, &pictures->drawn, error);
}

cliExit check_pictures_open(const checkJob* job, checkPictures** out, char* why, size_t capacity) {
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
    *pictures = (checkPictures){.job = job, .renderer = renderer};
    if (make(pictures, &error) == SN_RESULT_OK) {
        *out = pictures;
        return CLI_DONE;
    }
    check_pictures_close(pictures);
    return context_fail(job->context, &error);
}

void check_pictures_close(checkPictures* pictures) {
    if (pictures == NULL) return;
    sn_check_pictures_destroy(pictures->drawn);
    sn_renderer_destroy(pictures->renderer);
    sni_free(&pictures->job->context->memory, pictures);
}

// ------------------------------------------------------------------------------------------------- telling

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

static snResult add_image(const checkPictures* pictures, const snImage* image, sniBytes* out,
                          snError* error) {
    sniBytes png = sni_bytes(&pictures->job->context->memory);
    snResult result = sni_png_encode(image, "picture", &png, error);
    if (result == SN_RESULT_OK) {
        check_format(out, "<img alt=\"\" width=\"%u\" height=\"%u\" src=\"data:image/png;base64,", SIZE,
                     SIZE);
        add_base64(out, png.data, png.size);
        check_format(out, "\">");
    }
    sni_bytes_free(&png);
    return result;
}

// With a ring over the picture where the worst vertex is.
static snResult add_way(const checkPictures* pictures, const snCheckPicture* picture, const char* name,
                        sniBytes* out, snError* error) {
    check_format(out, "<figure><div class=\"pic\">");
    snResult result = add_image(pictures, picture->image, out, error);
    if (picture->marked)
        check_format(out, "<i class=\"ring\" style=\"left:%.1f%%;top:%.1f%%\"></i>", (double)picture->x,
                     (double)picture->y);
    check_format(out, "</div><figcaption>%s%s", name, name[0] != '\0' ? ": " : "");
    check_format(out, "%s</figcaption></figure>", check_percent(picture->value).text);
    return result;
}

cliExit check_pictures_add(checkPictures* pictures, snMeasure measure, sniBytes* out) {
    const snCheckup* checkup = pictures->job->checkup;
    snCheckPicture drawn[SN_CHECKUP_MAX_WAYS];
    snError error = sn_error_none();
    snResult result = sn_check_pictures_draw(pictures->drawn, measure, drawn, &error);
    if (result == SN_RESULT_NOT_FOUND) return CLI_DONE;
    if (result != SN_RESULT_OK) return context_fail(pictures->job->context, &error);
    check_format(out, "<div class=\"pics\">");
    for (uint32_t i = 0; i < checkup->way_count; i++) {
        if (result == SN_RESULT_OK) result = add_way(pictures, &drawn[i], checkup->ways[i].name, out, &error);
        sn_image_destroy(drawn[i].image);
    }
    check_format(out, "</div>");
    return result == SN_RESULT_OK ? CLI_DONE : context_fail(pictures->job->context, &error);
}
