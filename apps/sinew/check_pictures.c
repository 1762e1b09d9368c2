// Pictures of the worst moments, as data URIs.
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "check.h"
#include "check_picture.h"
#include "io/picture.h"

struct checkPictures {
    const checkJob* job;
    snRenderer* renderer;
    snCheckPictures* drawn;
};

static snResult make(checkPictures* pictures, snError* error) {
    const cliContext* context = pictures->job->context;
    const snCheckup* checkup = pictures->job->checkup;
    const snSettings* settings[SN_CHECKUP_MAX_METHODS];
    snCheck* checks[SN_CHECKUP_MAX_METHODS];
    for (uint32_t i = 0; i < checkup->method_count; i++) {
        settings[i] = checkup->methods[i].settings;
        checks[i] = checkup->methods[i].check;
    }
    snCheckPicturesDef def = sn_check_pictures_def();
    def.renderer = pictures->renderer;
    def.model = context_model(context);
    def.count = checkup->method_count;
    def.settings = settings;
    def.checks = checks;
    def.side = CHECK_PICTURE;
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

static snResult encode(const snCheckPicture* drawn, const snAllocator* memory, snCheckShot* out,
                       snError* error) {
    sniBytes png = sni_bytes(memory);
    *out = (snCheckShot){.marked = drawn->marked, .x = drawn->x, .y = drawn->y, .value = drawn->value};
    return sni_bytes_hand(&png, sni_png_encode(drawn->image, "picture", &png, error), &out->png, error);
}

snResult check_pictures_draw(void* user, snMeasure measure, snCheckShot* out_shots, snError* error) {
    const checkPictures* pictures = user;
    snCheckPicture drawn[SN_CHECKUP_MAX_METHODS];
    SNI_TRY(sn_check_pictures_draw(pictures->drawn, measure, drawn, error));
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < pictures->job->checkup->method_count; i++) {
        if (result == SN_RESULT_OK)
            result = encode(&drawn[i], &pictures->job->context->memory, &out_shots[i], error);
        sn_image_destroy(drawn[i].image);
    }
    return result;
}
