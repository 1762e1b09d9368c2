// Pushes: hands of the settings that hold flesh off its place for some time, as far as they say, while the
// body moves on under them.
//
// Each is a spring on every particle that it holds, as stiff as the hand of sn_character_pull, from where the
// particle is shown to where the push wants it. It is no harder than flesh.limit lets flesh follow.
#include "character/character.h"

#define STIFFNESS 3600.0f // 1/s^2; see pull.c
#define CELLS 3.0f        // the reach of a push on a place that says none. Judged, not measured

// How much of a particle a push holds, 0 .. 1: all flesh of a joint, or what is around a place.
static float held(const sniTables* tables, uint32_t index, uint32_t p) {
    const snPush* push = &tables->settings->pushes[index];
    const snBinding* binding = tables->binding;
    uint32_t joint = tables->push_joints[index];
    if (joint != SN_NONE && binding->joints[binding->parts->bone_parts[p]] != joint) return 0.0f;
    if (joint != SN_NONE && push->radius <= 0.0f) return 1.0f;
    snVec3 from = push->place;
    if (joint != SN_NONE)
        from = sn_add(from, sn_mat4_translation(&binding->binds[binding->parts->bone_parts[p]]));
    float radius = push->radius > 0.0f ? push->radius : CELLS * binding->lattice->cell_size;
    return sn_clampf(2.0f - 2.0f * sn_distance(binding->lattice->rest[p], from) / radius, 0.0f, 1.0f);
}

static void add_push(const snCharacter* character, uint32_t index, float delta_scale, snVec4* accelerations) {
    const sniTables* tables = character->tables;
    const snSettings* s = tables->settings;
    float limit = s->limit * tables->scale, over = limit > 0.0f ? 1.0f / (limit * limit) : 0.0f;
    float stiffness = sn_minf(STIFFNESS, 1.0f / (s->step * s->step));
    for (uint32_t p = 0; p < character->state->particle_count; p++) {
        float share = held(tables, index, p), force = character->material.forces[p];
        if (!(share > 0.0f && force > 0.0f)) continue;
        snVec3 move = character->state->moves[p];
        float shown = character->material.deltas[p] * delta_scale / sqrtf(1.0f + sn_dot(move, move) * over);
        snVec3 way = sn_sub(s->pushes[index].move, sn_scale(move, shown));
        float length = sn_length(way);
        if (length > limit) way = sn_scale(way, limit / length);
        float rate = share * stiffness / force; // as strong on heavy flesh as on light
        snVec4* a = &accelerations[p];
        *a = (snVec4){a->x + rate * way.x, a->y + rate * way.y, a->z + rate * way.z, 0.0f};
    }
}

uint32_t sni_pushes_unused(const sniTables* tables) {
    uint32_t unused = 0;
    for (uint32_t i = 0; i < tables->settings->push_count; i++) {
        bool used = false;
        for (uint32_t p = 0; tables->flesh != NULL && p < tables->binding->lattice->particle_count && !used;
             p++)
            used = held(tables, i, p) > 0.0f && tables->material.holds[p] < 1.0f &&
                   tables->material.deltas[p] > 0.0f && tables->material.forces[p] > 0.0f;
        unused += !used;
    }
    return unused;
}

bool sni_pushes_at(const snCharacter* character, double time) {
    const snSettings* s = character->tables->settings;
    for (uint32_t i = 0; i < s->push_count; i++)
        if (time >= (double)s->pushes[i].from && time < (double)s->pushes[i].to) return true;
    return false;
}

void sni_pushes_add(const snCharacter* character, double time, float delta_scale, snVec4* accelerations) {
    const snSettings* s = character->tables->settings;
    for (uint32_t i = 0; i < s->push_count; i++)
        if (time >= (double)s->pushes[i].from && time < (double)s->pushes[i].to)
            add_push(character, i, delta_scale, accelerations);
}
