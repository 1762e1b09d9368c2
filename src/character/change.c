// A character that goes on while its settings change. Everything that can fail is made beside it first; then
// it is taken over at once, and what nobody needs any more is freed.
#include "base/error.h"
#include "base/memory.h"
#include "character/character.h"

// A time within this share of a step from a state is that state's.
#define SAME_TIME 1e-3

static snResult check(const snCharacter* character, snError* error) {
    if (character == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a character is needed");
    if (character->work != &character->own_work)
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "a character of a scene cannot be changed");
    if (character->own_tables == NULL || character->tables->shared)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "a character that shares its tables with others cannot be changed");
    return SN_RESULT_OK;
}

static int64_t floor_index(double steps) {
    int64_t index = (int64_t)steps;
    return (double)index > steps ? index - 1 : index;
}

// States lie at multiples of the step, and what is shown lies between the last two of them, or, driven by
// poses, after the last: so it does after the change, within a step of where it was.
void sni_clock_change_step(sniClock* clock, float before, float now) {
    if (before == now || !clock->running) return;
    if (clock->clip == SN_NONE)
        clock->index = floor_index(clock->time / (double)now);
    else
        clock->index = floor_index((double)(clock->index - 1) * (double)before / (double)now + SAME_TIME) + 1;
}

// The material in use: the settings' wherever these say something new.
static void take_material(snCharacter* character, const sniTables* old) {
    const sniTables* tables = character->tables;
    if (tables->flesh == NULL) {
        character->own_material = (snFleshMaterial){0};
    } else if (character->own_material.deltas != NULL) {
        if (tables->material.deltas != old->material.deltas)
            sni_material_copy(&character->own_material, &tables->material, character->state->particle_count);
        character->material = character->own_material;
        return;
    }
    character->material = tables->material;
}

// `next` is the character with tables of its own; the two share what did not change.
static void take_over(snCharacter* character, snCharacter* next, sniWorkspace* work) {
    sniTables* old = character->own_tables;
    take_material(next, old);
    sni_clock_change_step(&next->clock, old->settings->step, next->tables->settings->step);
    next->report.unused_rules = next->tables->unused_rules;
    next->report.unused_pushes = sni_pushes_unused(next->tables);
    next->report.particles =
        next->tables->binding != NULL ? next->tables->binding->lattice->particle_count : 0;
    if (next->state != character->state) next->clock.running = false;
    sni_character_release(character, next);
    sni_tables_release(old, next->tables);
    if (work != NULL) {
        sni_workspace_destroy(&next->own_work);
        next->own_work = *work;
    }
    *character = *next;
}

static snResult change(snCharacter* character, sniTables* tables, snError* error) {
    snCharacter next = *character;
    sniWorkspace work = {0};
    next.own_tables = tables;
    next.tables = tables;
    bool fits = sni_workspace_fits(&character->own_work, tables);
    snResult result = sni_character_fill(&next, character->tables, error);
    if (result == SN_RESULT_OK && !fits && !sni_workspace_create(tables, &character->allocator, &work))
        result = sni_fail_memory(error);
    if (result == SN_RESULT_OK)
        take_over(character, &next, fits ? NULL : &work);
    else
        sni_character_release(&next, character);
    return result;
}

// Takes new tables over, or frees them.
static snResult take(snCharacter* character, sniTables* tables, snError* error) {
    snResult result = change(character, tables, error);
    if (result != SN_RESULT_OK) sni_tables_release(tables, character->tables);
    return result;
}

snResult sn_character_update_settings(snCharacter* character, const snSettings* settings, snError* error) {
    SNI_TRY(check(character, error));
    snCharacterDef def = character->def;
    def.settings = settings;
    sniTables* tables = NULL;
    SNI_TRY(sni_tables_change(character->tables, &def, &tables, error));
    return take(character, tables, error);
}

snResult sn_character_update_weights(snCharacter* character, uint32_t part, const uint32_t* vertices,
                                     uint32_t count, snError* error) {
    SNI_TRY(check(character, error));
    const sniTables* old = character->tables;
    if (part >= old->part_count || (count > 0 && vertices == NULL))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a part of the model and its vertices are needed");
    for (uint32_t i = 0; i < count; i++)
        if (vertices[i] >= old->model->parts[part].mesh->vertex_count)
            return sni_fail_vertex(error, SN_RESULT_INVALID_ARGUMENT, vertices[i],
                                   "the part has no vertex %u", (unsigned)vertices[i]);
    // Nothing weighs what follows one joint.
    if (count == 0 || old->model->parts[part].skin == SN_NONE) return SN_RESULT_OK;
    sniTables* tables = NULL;
    SNI_TRY(sni_tables_reweigh(old, part, &tables, error));
    return take(character, tables, error);
}

snResult sn_character_update_particle_weights(snCharacter* character, snError* error) {
    SNI_TRY(check(character, error));
    if (character->tables->binding == NULL) return SN_RESULT_OK; // nothing of it is shown
    sniTables* tables = NULL;
    SNI_TRY(sni_tables_reweigh_particles(character->tables, &tables, error));
    return take(character, tables, error);
}
