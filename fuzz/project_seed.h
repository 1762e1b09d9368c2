// A small project of every kind of item, for the fuzz target of projects and for its seeds.
#ifndef SINEW_FUZZ_PROJECT_SEED_H
#define SINEW_FUZZ_PROJECT_SEED_H

#include "base/memory.h"
#include "sinew/document.h"
#include "zip_archive.h"

// A pose and a path for the handles that there are.
static inline bool add_project_pose(snDocument* document) {
    static const char path[] = "{\"sinew_path\": 1, \"keyframes\": [{\"time\": 0, \"poses\": {\"wave\": 1}}, "
                               "{\"time\": 1, \"poses\": {}}]}";
    uint32_t first = 0;
    snPoseDetail detail = {3, 0.01f};
    snPoseStep step = {.act = SN_POSE_ROTATE, .angle = 0.5f, .handle_count = 1, .handles = &first};
    step.axis = sn_vec3(0, 0, 1);
    snHandlePoseDef def = {"wave", 1, &step, 1, &detail};
    snHandlePose* pose = NULL;
    bool done =
        sn_handle_pose_create(&def, sn_document_handles(document), NULL, &pose, NULL) == SN_RESULT_OK &&
        sn_document_add_pose(document, pose, NULL, NULL) == SN_RESULT_OK &&
        sn_document_set_path(document, "keys.json", path, sizeof path - 1, NULL, NULL) == SN_RESULT_OK;
    sn_handle_pose_destroy(pose);
    return done;
}

static inline bool make_project_seed(snBytes* out) {
    snDocumentDef def = sn_document_def();
    snBindDef bind = sn_bind_def();
    snMotionDef motion = sn_motion_def();
    snMakeHandlesDef rig = sn_make_handles_def();
    snDocument* document = NULL;
    snSource* source = NULL;
    rig.from = SN_HANDLES_FROM_SKELETON;
    bind.cells = 4;
    motion.to = 0.1f;
    motion.feet = false;
    bool done = sn_document_create(&def, NULL, &document, NULL) == SN_RESULT_OK &&
                sn_document_open(document, "builtin:bar", NULL, NULL) == SN_RESULT_OK &&
                sn_document_bind(document, &bind, NULL, NULL, NULL) == SN_RESULT_OK &&
                sn_source_open(document, "builtin:bar", NULL, &source, NULL) == SN_RESULT_OK &&
                sn_document_add_motion(document, source, &motion, NULL, NULL) == SN_RESULT_OK &&
                sn_document_make_handles(document, &rig, NULL, NULL) == SN_RESULT_OK &&
                add_project_pose(document) && sn_document_save_memory(document, out, NULL) == SN_RESULT_OK;
    sn_source_close(source);
    sn_document_destroy(document);
    return done;
}

#endif
