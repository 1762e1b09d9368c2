// A check of the document's character: in which ways, through which motion.
#include <stdio.h>
#include <string.h>

#include "base/progress.h"
#include "document.h"

// -----------------------------------------------------------------------------------------------------
// methods

static const snDeformMethod methods[] = {
    {"linear", SN_SKIN_LINEAR, SN_VOLUME_NONE, false, false},
    {"dual", SN_SKIN_DUAL, SN_VOLUME_NONE, false, false},
    {"spline", SN_SKIN_SPLINE, SN_VOLUME_NONE, false, false},
    {"lattice", SN_SKIN_LATTICE, SN_VOLUME_NONE, false, true},
    {"parts", SN_SKIN_DUAL, SN_VOLUME_PARTS, false, true},
    {"exact", SN_SKIN_DUAL, SN_VOLUME_EXACT, false, false},
    {"parts+exact", SN_SKIN_DUAL, SN_VOLUME_PARTS_EXACT, false, true},
    {"flesh", SN_SKIN_DUAL, SN_VOLUME_PARTS, true, true},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

const snDeformMethod* sn_deform_method(uint32_t index) { return index < METHODS ? &methods[index] : NULL; }

const snDeformMethod* sn_deform_method_find(const char* name) {
    for (uint32_t i = 0; i < METHODS; i++)
        if (strcmp(methods[i].name, name) == 0) return &methods[i];
    return NULL;
}

void sn_settings_use_method(snSettings* settings, const snDeformMethod* method) {
    settings->skin = method->skin;
    settings->volume = method->volume;
    settings->flesh = method->flesh;
}

// --------------------------------------------------------------------------------------------------- making

snCheckupDef sn_checkup_def(void) { return (snCheckupDef){.fps = 8.0f, .limits = sn_limits()}; }

static snResult make_settings(snCheckup* checkup, const snCheckupDef* def, const snSettings* base,
                              snError* error) {
    uint32_t count = def->method_count > 0 ? def->method_count : 1;
    for (uint32_t i = 0; i < count; i++) {
        snCheckupMethod* method = &checkup->methods[i];
        SNI_TRY(sn_settings_copy(base, &checkup->allocator, &method->settings, error));
        checkup->method_count = i + 1;
        method->name = "";
        if (def->method_count == 0) continue;
        method->name = def->methods[i]->name;
        sn_settings_use_method(method->settings, def->methods[i]);
    }
    return SN_RESULT_OK;
}

// Splits faces as a method asks, and leaves the document the settings that it has.
static snResult refine(snDocument* document, snSettings* settings, bool own, snError* error) {
    snSettings* kept = NULL;
    SNI_TRY(sn_settings_copy(document->state.settings, &document->allocator, &kept, error));
    snResult result = sn_document_set_settings(document, settings, error);
    if (result == SN_RESULT_OK) result = sn_document_refine(document, error);
    if (result == SN_RESULT_OK) {
        settings->refine = document->state.settings->refine;
        // What they asked for is done, where it is they that did.
        if (own) kept->refine = settings->refine;
        result = sn_document_set_settings(document, kept, error);
    }
    sn_settings_destroy(kept);
    return result;
}

// All methods share lattice and mesh: where one of them needs a lattice or wants finer faces, all get them.
static snResult prepare(snCheckup* checkup, const snCheckupDef* def, snError* error) {
    snDocument* document = checkup->document;
    bool lattice = false;
    for (uint32_t i = 0; i < def->method_count; i++) lattice = lattice || def->methods[i]->lattice;
    if (lattice) SNI_TRY(sn_document_make_lattice(document, &def->progress, &checkup->lattice_made, error));
    for (uint32_t i = 0; i < checkup->method_count; i++) {
        snSettings* settings = checkup->methods[i].settings;
        if (settings->refine == 0 || !sn_settings_exact_volume(settings)) continue;
        checkup->refined = true;
        return refine(document, settings, def->settings == NULL, error);
    }
    return SN_RESULT_OK;
}

static snResult make(snCheckup* checkup, const snCheckupDef* def, snError* error) {
    snDocument* document = checkup->document;
    const snSettings* base = def->settings != NULL ? def->settings : document->state.settings;
    SNI_TRY(make_settings(checkup, def, base, error));
    checkup->vertices_before = sni_model_vertices(document->state.body.model);
    SNI_TRY(sn_document_begin(document, "Check", error));
    snResult result = prepare(checkup, def, error);
    if (result != SN_RESULT_OK) {
        sn_document_cancel(document);
        return result;
    }
    return sn_document_end(document, error);
}

static snResult validate(const snDocument* document, const snCheckupDef* def, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (document->state.body.model->part_count == 0)
        return sni_fail(error, SN_RESULT_BAD_DATA, "there is no surface in this file, only a skeleton");
    if (def->method_count > SN_CHECKUP_MAX_METHODS)
        return sni_fail(error, SN_RESULT_LIMIT, "%d methods at most can be compared", SN_CHECKUP_MAX_METHODS);
    return SN_RESULT_OK;
}

snResult sn_checkup_create(snDocument* document, const snCheckupDef* def, snCheckup** out, snError* error) {
    snCheckupDef defaults = sn_checkup_def();
    if (def == NULL) def = &defaults;
    SNI_TRY(validate(document, def, error));
    snCheckup* checkup = SNI_NEW(&document->allocator, snCheckup);
    if (checkup == NULL) return sni_fail_memory(error);
    *checkup = (snCheckup){.document = document,
                           .clip = SN_NONE,
                           .fps = def->fps,
                           .limits = def->limits,
                           .clock = def->clock,
                           .progress = def->progress,
                           .allocator = document->allocator};
    snResult result = make(checkup, def, error);
    if (result == SN_RESULT_OK)
        *out = checkup;
    else
        sn_checkup_destroy(checkup);
    return result;
}

void sn_checkup_destroy(snCheckup* checkup) {
    if (checkup == NULL) return;
    snAllocator memory = checkup->allocator;
    for (uint32_t i = 0; i < checkup->method_count; i++) {
        sn_check_destroy(checkup->methods[i].check);
        sn_settings_destroy(checkup->methods[i].settings);
    }
    sn_range_destroy(checkup->range);
    sni_free(&memory, checkup);
}

// --------------------------------------------------------------------------------------------------- motion

// 0: out of memory.
static uint64_t hash_of(snClip* clip, const snAllocator* memory) {
    sniBytes bytes = sni_bytes(memory);
    sni_clips_put(&clip, 1, &bytes);
    uint64_t hash = bytes.failed ? 0 : sn_hash_bytes(SN_HASH_SEED, bytes.data, bytes.size);
    sni_bytes_free(&bytes);
    return hash;
}

// The clip of an earlier check that is the same, or SN_NONE.
static uint32_t find_clip(const snCheckup* checkup, snClip* clip) {
    const snModel* model = checkup->document->state.body.model;
    uint64_t wanted = hash_of(clip, &checkup->allocator);
    for (uint32_t i = 0; i < model->clip_count && wanted != 0; i++) {
        bool alike = strcmp(model->clips[i]->name, clip->name) == 0;
        if (alike && hash_of(model->clips[i], &checkup->allocator) == wanted) return i;
    }
    return SN_NONE;
}

snResult sn_checkup_set_range(snCheckup* checkup, snError* error) {
    snDocument* document = checkup->document;
    snRange* range = NULL;
    SNI_TRY(sn_range_create(document->state.body.model, &checkup->allocator, &range, error));
    snClipDef def = sn_clip_def(range->clip);
    uint32_t clip = find_clip(checkup, range->clip);
    snResult result = clip == SN_NONE ? sn_document_add_clip(document, &def, error) : SN_RESULT_OK;
    if (result != SN_RESULT_OK) {
        sn_range_destroy(range);
        return result;
    }
    sn_range_destroy(checkup->range);
    checkup->range = range;
    checkup->clip = clip != SN_NONE ? clip : document->state.body.model->clip_count - 1;
    checkup->from = 0.0f;
    checkup->to = SN_CLIP_END;
    return SN_RESULT_OK;
}

snResult sn_checkup_set_clip(snCheckup* checkup, uint32_t clip, float from, float to, snError* error) {
    const snModel* model = checkup->document->state.body.model;
    if (clip >= model->clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no clip %u, the model has %u", clip,
                        model->clip_count);
    if (checkup->range != NULL && clip != checkup->clip) {
        sn_range_destroy(checkup->range);
        checkup->range = NULL;
    }
    checkup->clip = clip;
    checkup->from = from;
    checkup->to = to;
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------------ run

static snResult run_way(snCheckup* checkup, uint32_t index, snCheck** out, double* seconds, snError* error) {
    snCheckupMethod* method = &checkup->methods[index];
    const snDocumentDef* document = &checkup->document->def;
    sniSpan span = {&checkup->progress, (float)index / (float)checkup->method_count,
                    (float)(index + 1) / (float)checkup->method_count,
                    method->name[0] != '\0' ? method->name : "checking"};
    snCheckDef def = sn_check_def();
    def.model = checkup->document->state.body.model;
    def.settings = method->settings;
    def.clip = checkup->clip;
    def.from = checkup->from;
    def.to = checkup->to;
    def.fps = checkup->fps;
    def.limits = checkup->limits;
    def.near_only = checkup->range != NULL;
    def.progress = sni_span_progress(&span);
    def.tasks = document->tasks;
    def.level = document->level;
    double start = checkup->clock != NULL ? checkup->clock() : 0.0;
    SNI_TRY(sn_check_create(&def, &checkup->allocator, out, error));
    *seconds = checkup->clock != NULL ? checkup->clock() - start : 0.0;
    return SN_RESULT_OK;
}

static snResult run_ways(snCheckup* checkup, snError* error) {
    snCheck* checks[SN_CHECKUP_MAX_METHODS] = {NULL};
    double seconds[SN_CHECKUP_MAX_METHODS] = {0.0};
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < checkup->method_count && result == SN_RESULT_OK; i++)
        result = run_way(checkup, i, &checks[i], &seconds[i], error);
    if (result == SN_RESULT_OK) result = sni_progress(&checkup->progress, "checking", 1.0f, error);
    for (uint32_t i = 0; i < checkup->method_count; i++) {
        if (result != SN_RESULT_OK) {
            sn_check_destroy(checks[i]);
            continue;
        }
        sn_check_destroy(checkup->methods[i].check);
        checkup->methods[i].check = checks[i];
        checkup->methods[i].seconds = seconds[i];
        checkup->checks[i] = checks[i];
    }
    return result;
}

// What was measured, if anything, goes with the clip that is no more.
static void forget_range(snCheckup* checkup) {
    for (uint32_t i = 0; i < checkup->method_count; i++) {
        sn_check_destroy(checkup->methods[i].check);
        checkup->methods[i].check = NULL;
        checkup->checks[i] = NULL;
    }
    sn_range_destroy(checkup->range);
    checkup->range = NULL;
    checkup->clip = SN_NONE;
}

// The range becomes a clip only together with what was measured on it.
static snResult run_range(snCheckup* checkup, snError* error) {
    SNI_TRY(sn_document_begin(checkup->document, "Check", error));
    snResult result = sn_checkup_set_range(checkup, error);
    if (result == SN_RESULT_OK) result = run_ways(checkup, error);
    if (result == SN_RESULT_OK)
        result = sn_document_end(checkup->document, error);
    else
        sn_document_cancel(checkup->document);
    if (result != SN_RESULT_OK) forget_range(checkup);
    return result;
}

snResult sn_checkup_run(snCheckup* checkup, snError* error) {
    return checkup->clip == SN_NONE ? run_range(checkup, error) : run_ways(checkup, error);
}

snResult sn_checkup_measure(snCheckup* checkup, const snProgress* progress, snError* error) {
    snProgress kept = checkup->progress;
    checkup->progress = progress != NULL ? *progress : (snProgress){0};
    snResult result = sn_checkup_run(checkup, error);
    checkup->progress = kept;
    return result;
}

const char* sn_checkup_move(const snCheckup* checkup, const snViolation* violation) {
    if (checkup->range == NULL || violation->frame == SN_NONE) return "";
    uint32_t move = sn_range_at(checkup->range, violation->time);
    return move != SN_NONE ? checkup->range->moves[move].name : "";
}
