// What helps a character that fails a check, measured where it fails.
#include <stdio.h>

#include "document.h"

// How much the settings change, from little to much. Flesh only ever adds to what is measured.
static const snRemedy remedies[] = {
    {"dual skin", {"", SN_SKIN_DUAL, SN_VOLUME_NONE, false, false}, false},
    {"dual skin, volume of parts", {"", SN_SKIN_DUAL, SN_VOLUME_PARTS, false, true}, false},
    {"dual skin, exact volume", {"", SN_SKIN_DUAL, SN_VOLUME_EXACT, false, false}, false},
    {"dual skin, contact", {"", SN_SKIN_DUAL, SN_VOLUME_NONE, false, false}, true},
    {"dual skin, exact volume, contact", {"", SN_SKIN_DUAL, SN_VOLUME_EXACT, false, false}, true},
    {"lattice skin", {"", SN_SKIN_LATTICE, SN_VOLUME_NONE, false, true}, false},
};
enum { REMEDIES = sizeof remedies / sizeof remedies[0] };
// Seconds before and after a violation of a clip.
#define AROUND 0.5f

const snRemedy* sn_remedy(uint32_t index) { return index < REMEDIES ? &remedies[index] : NULL; }

bool sn_remedy_changes(const snRemedy* remedy, const snSettings* settings, const snModel* model) {
    const snDeformMethod* method = &remedy->method;
    if (method->lattice && model->binding == NULL) return false;
    return sn_settings_skin(settings, model) != method->skin || settings->volume != method->volume ||
           settings->flesh != method->flesh || settings->skin_contact != remedy->contact;
}

void sn_settings_take_remedy(snSettings* settings, const snRemedy* remedy) {
    sn_settings_use_method(settings, &remedy->method);
    settings->skin_contact = remedy->contact;
}

static void find_stretch(const snCheckup* checkup, const snViolation* violation, snCheckDef* def) {
    uint32_t move = checkup->range != NULL ? sn_range_at(checkup->range, violation->time) : SN_NONE;
    const snClip* clip = def->model->clips[checkup->clip];
    def->from = move != SN_NONE ? checkup->range->moves[move].from : violation->time - AROUND;
    def->to = move != SN_NONE ? checkup->range->moves[move].to : violation->time + AROUND;
    def->from = sn_clampf(def->from, 0.0f, clip->duration);
    def->to = sn_clampf(def->to, def->from, clip->duration);
}

snResult sn_checkup_try(const snCheckup* checkup, snMeasure measure, const snViolation* violation,
                        const snRemedy* remedy, const snProgress* progress, float* out_value,
                        snError* error) {
    const snDocument* document = checkup->document;
    if (checkup->clip == SN_NONE || (uint32_t)measure >= SN_MEASURE_COUNT || violation->frame == SN_NONE)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no moment to test it in");
    snCheckDef def = sn_check_def();
    snSettings* settings = NULL;
    snCheck* check = NULL;
    SNI_TRY(sn_settings_copy(checkup->methods[0].settings, &checkup->allocator, &settings, error));
    sn_settings_take_remedy(settings, remedy);
    def.model = document->state.body.model;
    def.settings = settings;
    def.clip = checkup->clip;
    def.fps = checkup->fps;
    def.limits = checkup->limits;
    def.near_only = checkup->range != NULL;
    if (progress != NULL) def.progress = *progress;
    def.tasks = document->def.tasks;
    def.level = document->def.level;
    find_stretch(checkup, violation, &def);
    snResult result = sn_check_create(&def, &checkup->allocator, &check, error);
    if (result == SN_RESULT_OK)
        *out_value = violation->joint != SN_NONE ? sn_check_joint_worst(check, measure, violation->joint)
                                                 : check->measures[measure].worst.value;
    sn_check_destroy(check);
    sn_settings_destroy(settings);
    return result;
}

snResult sn_document_take_remedy(snDocument* document, const snRemedy* remedy, snError* error) {
    char name[96];
    SNI_TRY(sni_need_model(document, error));
    snSettings* settings = NULL;
    SNI_TRY(sn_settings_copy(document->state.settings, &document->allocator, &settings, error));
    sn_settings_take_remedy(settings, remedy);
    snprintf(name, sizeof name, "Apply %.80s", remedy->name);
    snResult result = sn_document_begin(document, name, error);
    if (result == SN_RESULT_OK) {
        result = sn_document_set_settings(document, settings, error);
        if (result == SN_RESULT_OK)
            result = sn_document_end(document, error);
        else
            sn_document_cancel(document);
    }
    sn_settings_destroy(settings);
    return result;
}
