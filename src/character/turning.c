// Flesh that lags behind a twist goes round its bone, not through it.
//
// What is shown of a move is a share of it along a straight line. Where a limb twists quickly, that line is a
// chord: half way along it flesh is nearer to the bone than at either end, and a wrist gets thin. So the
// distance from the bone is shared, too: shown is the share of the way from the distance of the primary to that
// of the flesh. Straight shares are never longer than that, and a move towards or away from the bone has it
// already. What flesh does, its states, is not touched, and delta = 0 shows the primary to the last bit.
#include "character/character.h"

static snVec3 turned(const snMat3* r, snVec3 v) {
    const float* m = r->m;
    return sn_vec3(m[0] * v.x + m[4] * v.y + m[8] * v.z, m[1] * v.x + m[5] * v.y + m[9] * v.z,
                   m[2] * v.x + m[6] * v.y + m[10] * v.z);
}

static snVec3 across(snVec3 v, snVec3 axis) { return sn_sub(v, sn_scale(axis, sn_dot(v, axis))); }

void sni_turn_around_bones(const snCharacter* character, float delta_scale) {
    const sniTables* tables = character->tables;
    const sniWorkspace* work = character->work;
    const snFleshState* state = character->state;
    float limit = tables->settings->limit * tables->scale, over = limit > 0.0f ? 1.0f / (limit * limit) : 0.0f;
    for (uint32_t p = 0; p < state->particle_count; p++) {
        snVec4 from = work->primary[p];
        snVec4* to = &character->shown[p];
        snVec3 way = sn_vec3(to->x - from.x, to->y - from.y, to->z - from.z), move = state->moves[p];
        float share = character->material.deltas[p] * delta_scale / sqrtf(1.0f + sn_dot(move, move) * over);
        if (!(share > 0.0f && sn_dot(way, way) > 0.0f)) continue;
        snVec3 axis = turned(&work->rotations[p], tables->arms[p].axis);
        snVec3 arm = turned(&work->rotations[p], tables->arms[p].arm), aside = across(way, axis);
        snVec3 now = sn_add(arm, aside);
        float length = sn_length(now);
        float meant = sn_lerpf(sn_length(arm), sn_length(sn_add(arm, sn_scale(aside, 1.0f / share))), share);
        if (!(length > 0.0f && meant > length)) continue;
        snVec3 out = sn_scale(now, meant / length - 1.0f);
        *to = (snVec4){to->x + out.x, to->y + out.y, to->z + out.z, 0.0f};
    }
}
