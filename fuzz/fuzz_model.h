// The body that the model fuzzers share.
#ifndef SINEW_FUZZ_MODEL_H
#define SINEW_FUZZ_MODEL_H

#include <stdint.h>
#include <stdlib.h>

#include "sinew/bind.h"
#include "sinew/io.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Reads one model under a small memory limit and looks at every part of what comes out, so that the
// sanitizers see arrays that are shorter than their counts say.
static inline int fuzz_model(const char* name, const uint8_t* data, size_t size) {
    snNotes notes;
    snReadDef def = sn_read_def();
    def.memory_limit = (size_t)64 << 20;
    def.images = SN_IMAGES_ALL;
    def.notes = &notes;
    // Beside it lies the file itself: as a buffer, a picture or a companion.
    const snFile beside = {"a.bin", data, size};
    const snFiles files = {1, &beside};
    def.files = &files;
    snModel* model = NULL;
    snError error = sn_error_none();
    snResult result = sn_model_read_memory(name, data, size, &def, &model, &error);
    if (result != SN_RESULT_OK) {
        // A refusal must say why.
        if (model != NULL || error.code != result || error.text[0] == '\0') abort();
        return 0;
    }
    volatile uint64_t seen = 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        seen += sn_mesh_hash(part->mesh);
        if (part->skin != SN_NONE) {
            size_t count = (size_t)part->weights.vertex_count * part->weights.influences;
            for (size_t i = 0; i < count; i++) {
                if (part->weights.joints[i] >= model->skins[part->skin].joint_count) abort();
            }
        }
    }
    // What the reader takes for a lattice holds together.
    if (model->binding != NULL && sn_lattice_validate(model->binding->lattice, NULL) != SN_RESULT_OK) abort();
    for (uint32_t c = 0; c < model->clip_count && model->skeleton->joint_count > 0; c++) {
        snTrs* pose = malloc(model->skeleton->joint_count * sizeof *pose);
        if (pose == NULL) break;
        for (uint32_t j = 0; j < model->skeleton->joint_count; j++) pose[j] = model->skeleton->rest[j];
        sn_clip_sample(model->clips[c], 0.5f * model->clips[c]->duration, SN_WRAP_LOOP,
                       model->skeleton->joint_count, pose);
        free(pose);
    }
    (void)seen;
    sn_model_destroy(model);
    return 0;
}

#endif
