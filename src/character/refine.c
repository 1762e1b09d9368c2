// Refining a model as its settings ask: finer where exact volume shapes it.
#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"
#include "sinew/bind.h"

// The settings with a first rule that turns every joint off which no other rule names.
static snResult set_named_only(snSettings* settings, snError* error) {
    uint32_t count = settings->volume_rule_count;
    if (count == 0) return SN_RESULT_OK;
    snVolumeRule* rules = SNI_NEW_ARRAY(&settings->allocator, snVolumeRule, (size_t)count + 1);
    if (rules == NULL) return sni_fail_memory(error);
    char all[] = "*";
    rules[0] = (snVolumeRule){.joint = all, .profile = *sn_volume_preset(0), .amount = 0.0f};
    memcpy(rules + 1, settings->volume_rules, count * sizeof *rules);
    snResult result = sn_settings_set_volume_rules(settings, rules, count + 1, error);
    sni_free(&settings->allocator, rules);
    return result;
}

// Tables of nothing but exact volume, whose joints are those that the rules name.
static snResult create_tables(const snModel* model, const snSettings* settings, sniTables** out,
                              snError* error) {
    snSettings* alone = NULL;
    snResult result = sn_settings_copy(settings, &model->allocator, &alone, error);
    if (result != SN_RESULT_OK) return result;
    alone->volume = SN_VOLUME_EXACT;
    alone->flesh = false;
    if (alone->skin == SN_SKIN_LATTICE) alone->skin = SN_SKIN_DUAL;
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = alone;
    result = set_named_only(alone, error);
    if (result == SN_RESULT_OK) result = sni_tables_create(&def, &model->allocator, out, error);
    sn_settings_destroy(alone);
    return result;
}

static snResult fill_marks(const snModel* model, const sniTables* tables, float** marks, snError* error) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        marks[p] = SNI_NEW_ARRAY(&model->allocator, float, model->parts[p].mesh->vertex_count);
        if (marks[p] == NULL || sn_exact_volume_weights(tables->exact, p, marks[p]) != SN_RESULT_OK)
            return sni_fail_memory(error);
    }
    return SN_RESULT_OK;
}

static snResult refine(snModel* model, const snSettings* settings, size_t memory_limit, float** marks,
                       snError* error) {
    sniTables* tables = NULL;
    snResult result = create_tables(model, settings, &tables, error);
    if (result == SN_RESULT_OK) result = fill_marks(model, tables, marks, error);
    sni_tables_release(tables, NULL);
    if (result != SN_RESULT_OK) return result;
    snRefineDef def = {.marks = (const float* const*)marks,
                       .above = settings->refine_above,
                       .levels = settings->refine,
                       .memory_limit = memory_limit};
    return sn_model_refine(model, &def, error);
}

snResult sn_model_refine_by_settings(snModel* model, snSettings* settings, size_t memory_limit,
                                     snError* error) {
    if (model == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model is needed");
    if (settings == NULL) settings = model->settings;
    if (settings == NULL || settings->refine == 0 || !sn_settings_exact_volume(settings)) return SN_RESULT_OK;
    snResult result = sn_settings_validate(settings, error);
    if (result != SN_RESULT_OK) return result;
    float** marks = SNI_NEW_ARRAY(&model->allocator, float*, model->part_count);
    if (marks == NULL) return sni_fail_memory(error);
    result = refine(model, settings, memory_limit, marks, error);
    for (uint32_t p = 0; p < model->part_count; p++) sni_free(&model->allocator, marks[p]);
    sni_free(&model->allocator, (void*)marks);
    if (result == SN_RESULT_OK) settings->refine = 0;
    return result;
}
