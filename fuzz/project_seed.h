// A small project of every kind of item, for the fuzz target of projects and for its seeds.
#ifndef SINEW_FUZZ_PROJECT_SEED_H
#define SINEW_FUZZ_PROJECT_SEED_H

#include "base/memory.h"
#include "sinew/document.h"
#include "zip_archive.h"

static inline bool make_project_seed(snBytes* out) {
    snDocumentDef def = sn_document_def();
    snBindDef bind = sn_bind_def();
    snMotionDef motion = sn_motion_def();
    snRigDef rig = sn_rig_def();
    snDocument* document = NULL;
    snSource* source = NULL;
    rig.from = SN_RIG_FROM_SKELETON;
    bind.cells = 4;
    motion.to = 0.1f;
    motion.feet = false;
    bool done = sn_document_create(&def, NULL, &document, NULL) == SN_RESULT_OK &&
                sn_document_open(document, "builtin:bar", NULL, NULL) == SN_RESULT_OK &&
                sn_document_bind(document, &bind, NULL, NULL, NULL) == SN_RESULT_OK &&
                sn_source_open(document, "builtin:bar", NULL, &source, NULL) == SN_RESULT_OK &&
                sn_document_add_motion(document, source, &motion, NULL, NULL) == SN_RESULT_OK &&
                sn_document_make_rig(document, &rig, NULL, NULL) == SN_RESULT_OK &&
                sn_document_save_memory(document, out, NULL) == SN_RESULT_OK;
    sn_source_close(source);
    sn_document_destroy(document);
    return done;
}

#endif
