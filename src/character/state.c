// What frames leave behind, as bytes.
#include <string.h>

#include "base/error.h"
#include "character/character.h"

// What is no array. Written as it is: states are for the program that took them.
typedef struct Header {
    uint64_t signature;
    uint64_t size;
    sniClock clock, twist_clock;
    float step; // seconds; what the clock counts in
    bool fresh, colliders_fresh;
} Header;

typedef struct Piece {
    void* at;
    size_t size;
} Piece;
enum { PIECES = 9 };

// The arrays, in the order of the bytes; those that are not there are empty.
static void list_pieces(const snCharacter* c, Piece out[PIECES]) {
    const sniTables* tables = c->tables;
    size_t joints = tables->model->skeleton->joint_count;
    size_t bound = tables->binding != NULL ? tables->binding->joint_count : 0;
    size_t vectors = c->state != NULL ? c->state->particle_count * sizeof(snVec3) : 0;
    size_t twists = tables->splines != NULL ? sn_splines_count(tables->splines) : 0;
    const snFleshState none = {0}, *flesh = c->state != NULL ? c->state : &none;
    const Piece pieces[PIECES] = {
        {flesh->moves, vectors},
        {flesh->velocities, vectors},
        {flesh->primaries, vectors},
        {flesh->before, vectors},
        {c->joint_places, c->joint_places != NULL ? bound * sizeof(snVec3) : 0},
        {c->colliders, c->collider_count * sizeof(snCollider)},
        {c->twists, twists * sizeof(float)},
        {c->world, joints * sizeof(snMat4)},
        {c->pose, joints * sizeof(snTrs)},
    };
    memcpy(out, pieces, sizeof pieces);
}

size_t sn_character_state_size(const snCharacter* character) {
    Piece pieces[PIECES];
    size_t size = sizeof(Header);
    list_pieces(character, pieces);
    for (int i = 0; i < PIECES; i++) size += pieces[i].size;
    return size;
}

void sn_character_state_get(const snCharacter* character, void* out) {
    Piece pieces[PIECES];
    Header header;
    memset(&header, 0, sizeof header);
    header.signature = character->tables->signature;
    header.size = sn_character_state_size(character);
    header.clock = character->clock;
    header.twist_clock = character->twist_clock;
    header.step = character->tables->settings->step;
    header.fresh = character->state != NULL && character->state->fresh;
    header.colliders_fresh = character->colliders_fresh;
    char* at = out;
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    list_pieces(character, pieces);
    for (int i = 0; i < PIECES; i++) {
        if (pieces[i].at != NULL) memcpy(at, pieces[i].at, pieces[i].size);
        at += pieces[i].size;
    }
}

static snResult check(const snCharacter* character, const void* state, size_t size, Header* header,
                      snError* error) {
    size_t own = sn_character_state_size(character);
    if (size >= sizeof *header) memcpy(header, state, sizeof *header);
    if (size < sizeof *header || header->size != size || header->signature != character->tables->signature)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "this is no state of the character");
    if (size != own)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "the state has %zu bytes, and with the character's settings it would have %zu", size,
                        own);
    return SN_RESULT_OK;
}

snResult sn_character_state_set(snCharacter* character, const void* state, size_t size, snError* error) {
    Header header;
    if (character == NULL || state == NULL) {
        sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a character and a state are needed");
        return SN_RESULT_INVALID_ARGUMENT; // the constant itself, for analysers
    }
    SNI_TRY(check(character, state, size, &header, error));
    Piece pieces[PIECES];
    const char* at = (const char*)state + sizeof header;
    list_pieces(character, pieces);
    for (int i = 0; i < PIECES; i++) {
        if (pieces[i].at != NULL) memcpy(pieces[i].at, at, pieces[i].size);
        at += pieces[i].size;
    }
    character->clock = header.clock;
    character->twist_clock = header.twist_clock;
    character->colliders_fresh = header.colliders_fresh;
    if (character->state != NULL) character->state->fresh = header.fresh;
    sni_clock_change_step(&character->clock, header.step, character->tables->settings->step);
    return SN_RESULT_OK;
}
