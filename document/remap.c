// Who leads whom in clips of other skeletons: as it was found, and made anew another way.
#include "document.h"
#include "sinew/retarget.h"

static const sniMotion* motion_of(const snDocument* document, uint32_t clip) {
    for (uint32_t i = 0; i < document->state.motion_count; i++)
        if (document->state.motions[i].clip == clip) return &document->state.motions[i];
    return NULL;
}

// As it was added; the overrides are the caller's affair.
static snMotionDef def_of(const sniMotion* motion) {
    snMotionDef def = sn_motion_def();
    def.clip = motion->source_clip;
    def.fps = motion->fps;
    def.from = motion->from;
    def.to = motion->to;
    def.root = (snRootMotion)motion->root;
    def.feet = motion->feet;
    def.mirror = motion->mirror;
    def.loop = motion->loop;
    def.loop_any = (motion->more & SNI_MOTION_LOOP_ANY) != 0;
    def.root_turn = (motion->more & SNI_MOTION_ROOT_TURN) != 0;
    def.reverse = (motion->more & SNI_MOTION_REVERSE) != 0;
    def.clean = (motion->more & SNI_MOTION_RAW) == 0;
    def.ground = (motion->more & SNI_MOTION_FLOATS) == 0;
    def.rest = (motion->more & SNI_MOTION_NODES) != 0 ? SN_REST_NODES : SN_REST_BIND;
    def.speed = motion->speed;
    def.floor = motion->floor;
    return def;
}

// Those that the clip was made with, but for the joint of another one, which comes last. NULL: none at all.
static snJointOverride* list_overrides(const snDocument* document, const sniMotion* motion,
                                       const snJointOverride* other, uint32_t* out_count) {
    snJointOverride* list =
        SNI_NEW_ARRAY(&document->allocator, snJointOverride, (size_t)motion->override_count + 1);
    *out_count = 0;
    for (uint32_t i = 0; list != NULL && i < motion->override_count; i++) {
        const char* target = motion->overrides[2 * i];
        if (other == NULL || strcmp(target, other->target) != 0)
            list[(*out_count)++] = (snJointOverride){target, motion->overrides[2 * i + 1]};
    }
    if (list != NULL && other != NULL && other->target != NULL) list[(*out_count)++] = *other;
    return list;
}

static snResult find_motion(const snDocument* document, uint32_t clip, const sniMotion** motion,
                            const snSource** source, snError* error) {
    *motion = motion_of(document, clip);
    *source = sn_document_clip_source(document, clip);
    if (*motion != NULL && *source != NULL) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_NOT_FOUND, "clip %u was not brought from another skeleton", clip);
}

snResult sn_document_clip_map(const snDocument* document, uint32_t clip, snJointMap** out, snError* error) {
    const sniMotion* motion = NULL;
    const snSource* source = NULL;
    SNI_TRY(find_motion(document, clip, &motion, &source, error));
    snMotionDef def = def_of(motion);
    snJointOverride* list = list_overrides(document, motion, NULL, &def.override_count);
    if (list == NULL) return sni_fail_memory(error);
    def.overrides = list;
    snResult result = sni_motion_map(document, source, &def, out, error);
    sni_free(&document->allocator, list);
    return result;
}

// The clip that was added last, and what is known of it, take the place of an older one.
static void take_place(snDocument* document, uint32_t clip) {
    sniState* state = &document->state;
    snModel* model = state->body.model;
    sniMotion last = state->motions[--state->motion_count];
    sn_clip_destroy(model->clips[clip]);
    model->clips[clip] = model->clips[--model->clip_count];
    for (uint32_t i = 0; i < state->motion_count; i++) {
        if (state->motions[i].clip != clip) continue;
        sni_motion_clear(&state->motions[i], &document->allocator);
        state->motions[i] = last;
        state->motions[i].clip = clip;
    }
}

static snResult remap(snDocument* document, const snSource* source, const snMotionDef* def, uint32_t clip,
                      snMotionReport* report, snError* error) {
    SNI_TRY(sn_document_add_motion(document, source, def, report, error));
    take_place(document, clip);
    if (report != NULL) report->clip = clip;
    return sni_timeline_remake(document, error);
}

snResult sn_document_remap_clip(snDocument* document, uint32_t clip, const snJointOverride* other,
                                const snProgress* progress, snMotionReport* report, snError* error) {
    const snSource* source = NULL;
    const sniMotion* motion = NULL;
    static const snJointOverride none = {0};
    SNI_TRY(find_motion(document, clip, &motion, &source, error));
    char* name = sni_copy_text(&document->allocator, document->state.body.model->clips[clip]->name);
    snMotionDef def = def_of(motion);
    sniMotion bare = *motion;
    if (other == NULL) bare.override_count = 0;
    snJointOverride* list =
        list_overrides(document, &bare, other != NULL ? other : &none, &def.override_count);
    snResult result = name != NULL && list != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    def.overrides = list;
    def.name = name;
    if (progress != NULL) def.progress = *progress;
    if (result == SN_RESULT_OK)
        result = sni_edit_begin(document, "Map joints", SNI_BITS_CLIPS, SNI_COPY_RIG, error);
    if (result == SN_RESULT_OK)
        result = sni_edit_end(document, remap(document, source, &def, clip, report, error), error);
    sni_free(&document->allocator, name);
    sni_free(&document->allocator, list);
    return result;
}
