// A hand on the flesh: a spring from a vertex, where it is shown, to a point of the world.
//
// Its stiffness is that of a particle that is driven all the way to its goal in 1/60 s, and no more in a
// longer step; with the goals' own pull that is half of what explicit steps can bear, so no strength makes it
// shake.
#include <string.h>

#include "base/geometry.h"
#include "character/character.h"
#include "flesh/maps.h"

// What the particles around the cell feel of it, so that flesh is drawn, not pricked. Judged, not measured.
#define AROUND 0.5f
#define STIFFNESS 3600.0f // 1/s^2

static bool has(const sniPull* pull, uint32_t particle) {
    for (uint32_t i = 0; i < pull->count; i++)
        if (pull->particles[i] == particle) return true;
    return false;
}

static void add(sniPull* pull, uint32_t particle) {
    if (pull->count < SNI_PULL_PARTICLES && !has(pull, particle)) pull->particles[pull->count++] = particle;
}

// The vertex hangs in the corners of its cell, or, smooth across cells, in their neighbours too.
static void share(const snParticleMaps* maps, snVec3 at, sniPull* pull) {
    if (maps == NULL) {
        sni_trilinear(at, pull->shares);
        return;
    }
    sniMapsShare shares[SNI_MAPS_SHARES];
    uint32_t count = sni_maps_shares(maps, pull->corners, at, shares);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t p = 0; p < pull->count; p++)
            if (pull->particles[p] == shares[i].particle) pull->shares[p] += shares[i].share;
}

snResult sn_character_pull(snCharacter* character, uint32_t part, uint32_t vertex, snVec3 to,
                           float strength) {
    if (character == NULL || !(strength >= 0.0f && strength <= 1.0f)) return SN_RESULT_INVALID_ARGUMENT;
    if (strength == 0.0f) {
        character->pull.strength = 0.0f;
        return SN_RESULT_OK;
    }
    const sniTables* tables = character->tables;
    if (part >= tables->part_count || vertex >= tables->model->parts[part].mesh->vertex_count ||
        !sn_vec3_finite(to))
        return SN_RESULT_INVALID_ARGUMENT;
    const sniPartTables* t = &tables->parts[part];
    if (tables->flesh == NULL || t->surface == NULL) return SN_RESULT_UNSUPPORTED;
    const snBinding* binding = tables->binding;
    const snLattice* lattice = binding->lattice;
    uint32_t point = binding->vertex_points[binding->vertex_starts[part] + t->sources[vertex]];
    sniPull pull = {.strength = strength, .to = to};
    memcpy(pull.corners, lattice->cell_particles[lattice->point_cells[point]], sizeof pull.corners);
    for (int i = 0; i < 8; i++) add(&pull, pull.corners[i]);
    for (int i = 0; i < 8; i++) {
        uint32_t p = pull.corners[i];
        for (uint32_t n = lattice->neighbor_starts[p]; n < lattice->neighbor_starts[p + 1]; n++)
            add(&pull, lattice->neighbors[n]);
    }
    share(tables->maps, lattice->point_coords[point], &pull);
    character->pull = pull;
    return SN_RESULT_OK;
}

// Where the flesh alone shows the vertex at the last step; a skin of its own may add to that.
static snVec3 held_place(const snCharacter* character, float delta_scale, float limit) {
    const sniPull* pull = &character->pull;
    const snFleshState* state = character->state;
    float over = limit > 0.0f ? 1.0f / (limit * limit) : 0.0f;
    snVec3 place = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < pull->count; i++) {
        uint32_t p = pull->particles[i];
        snVec3 move = state->moves[p];
        float delta = character->material.deltas[p] * delta_scale;
        snVec3 shown = sn_scale(move, delta / sqrtf(1.0f + sn_dot(move, move) * over));
        place = sn_add(place, sn_scale(sn_add(state->primaries[p], shown), pull->shares[i]));
    }
    return place;
}

void sni_pull_add(const snCharacter* character, float delta_scale, snVec4* accelerations) {
    const sniPull* pull = &character->pull;
    const snSettings* s = character->tables->settings;
    float limit = s->limit * character->tables->scale;
    snVec3 way = sn_sub(pull->to, held_place(character, delta_scale, limit));
    // Nothing is shown further away than the limit, so nothing pulls harder than from there.
    float length = sn_length(way);
    if (length > limit) way = sn_scale(way, limit / length);
    if (!sn_vec3_finite(way)) return;
    float stiffness = sn_minf(STIFFNESS, 1.0f / (s->step * s->step));
    for (uint32_t i = 0; i < pull->count; i++) {
        uint32_t p = pull->particles[i];
        float force = character->material.forces[p];
        if (!(force > 0.0f)) continue; // feels no forces
        bool corner = false;
        for (int c = 0; c < 8; c++) corner = corner || pull->corners[c] == p;
        // A hand is as strong on heavy flesh as on light.
        float rate = (corner ? 1.0f : AROUND) * pull->strength * stiffness / force;
        snVec4* a = &accelerations[p];
        a->x += rate * way.x;
        a->y += rate * way.y;
        a->z += rate * way.z;
    }
}
