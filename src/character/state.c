// What frames leave behind, as bytes.
#include <string.h>

#include "base/error.h"
#include "character/character.h"

// What is no array. Written as it is: states are for the program that took them.
enum { MOVES, VELOCITIES, PRIMARIES, BEFORE, PLACES, COLLIDERS, TWISTS, TURNS, WORLD, POSE, PIECES };
typedef struct Header {
    uint64_t signature, kinship;
    uint64_t sizes[PIECES]; // bytes of the arrays
    sniClock clock, twist_clock;
    float step; // seconds; what the clock counts in
    bool fresh, places_fresh, colliders_fresh;
} Header;

typedef struct Piece {
    void* at;
    size_t size;
} Piece;

// The arrays, in the order of the bytes; those that are not there are empty.
static void list_pieces(const snCharacter* c, Piece out[PIECES]) {
    const sniTables* tables = c->tables;
    size_t joints = tables->model->skeleton->joint_count;
    size_t bound = tables->binding != NULL ? tables->binding->joint_count : 0;
    size_t vectors = c->state != NULL ? c->state->particle_count * sizeof(snVec3) : 0;
    size_t twists = tables->splines != NULL ? sn_splines_count(tables->splines) : 0;
    const snFleshState none = {0}, *flesh = c->state != NULL ? c->state : &none;
    const Piece pieces[PIECES] = {
        [MOVES] = {flesh->moves, vectors},
        [VELOCITIES] = {flesh->velocities, vectors},
        [PRIMARIES] = {flesh->primaries, vectors},
        [BEFORE] = {flesh->before, vectors},
        [PLACES] = {c->joint_places, c->joint_places != NULL ? bound * sizeof(snVec3) : 0},
        [COLLIDERS] = {c->colliders, c->collider_count * sizeof(snCollider)},
        [TWISTS] = {c->twists, twists * sizeof(float)},
        [TURNS] = {c->turns, c->turns != NULL ? tables->turns.count * sizeof(snQuat) : 0},
        [WORLD] = {c->world, joints * sizeof(snMat4)},
        [POSE] = {c->pose, joints * sizeof(snTrs)},
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
    header.kinship = character->tables->kinship;
    header.clock = character->clock;
    header.twist_clock = character->twist_clock;
    header.step = character->tables->settings->step;
    header.fresh = character->state != NULL && character->state->fresh;
    header.places_fresh = character->places_fresh;
    header.colliders_fresh = character->colliders_fresh;
    list_pieces(character, pieces);
    for (int i = 0; i < PIECES; i++) header.sizes[i] = pieces[i].size;
    char* at = out;
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    for (int i = 0; i < PIECES; i++) {
        if (pieces[i].at != NULL) memcpy(at, pieces[i].at, pieces[i].size);
        at += pieces[i].size;
    }
}

// Of the arrays that a state has, those that mean something in the character.
static uint32_t pieces_that_fit(const Piece own[PIECES], const Header* header, bool moved) {
    uint32_t fit = 0;
    for (uint32_t i = 0; i < PIECES; i++)
        if (header->sizes[i] == own[i].size) fit |= 1u << i;
    // Where joints were moved they have not been anywhere yet, and neither has what hangs on them.
    return moved ? fit & ~(1u << PLACES | 1u << COLLIDERS | 1u << WORLD) : fit;
}

static snResult check(const snCharacter* character, const void* state, size_t size, Header* header,
                      snError* error) {
    const sniTables* tables = character->tables;
    size_t own = sn_character_state_size(character);
    uint64_t whole = sizeof *header;
    if (size >= sizeof *header) memcpy(header, state, sizeof *header);
    for (int i = 0; i < PIECES && size >= sizeof *header && whole <= size; i++)
        whole = header->sizes[i] <= size ? whole + header->sizes[i] : UINT64_MAX;
    if (size < sizeof *header || whole != size || header->kinship != tables->kinship)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "this is not a state of the character");
    if (header->signature == tables->signature && size != own)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "the state has %zu bytes, and with the character's settings it would have %zu", size,
                        own);
    return SN_RESULT_OK;
}

static void set_clocks(snCharacter* character, const Header* header, bool moved) {
    character->clock = header->clock;
    character->twist_clock = header->twist_clock;
    character->places_fresh = header->places_fresh || moved;
    character->colliders_fresh = header->colliders_fresh || moved;
    if (character->state != NULL) character->state->fresh = header->fresh;
    sni_clock_change_step(&character->clock, header->step, character->tables->settings->step);
}

snResult sn_character_state_set(snCharacter* character, const void* state, size_t size, snError* error) {
    Header header;
    memset(&header, 0, sizeof header);
    if (character == NULL || state == NULL) {
        sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a character and a state are needed");
        return SN_RESULT_INVALID_ARGUMENT; // the constant itself, for analysers
    }
    SNI_TRY(check(character, state, size, &header, error));
    bool moved = header.signature != character->tables->signature;
    Piece pieces[PIECES];
    list_pieces(character, pieces);
    uint32_t fit = pieces_that_fit(pieces, &header, moved);
    uint32_t flesh = 1u << MOVES | 1u << VELOCITIES | 1u << PRIMARIES | 1u << BEFORE;
    if ((fit & flesh) != flesh)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "one has flesh and the other has none");
    const char* at = (const char*)state + sizeof header;
    for (uint32_t i = 0; i < PIECES; i++) {
        if (pieces[i].at != NULL && (fit & 1u << i) != 0) memcpy(pieces[i].at, at, pieces[i].size);
        at += header.sizes[i];
    }
    set_clocks(character, &header, moved);
    if ((fit & 1u << TWISTS) == 0 || (fit & 1u << TURNS) == 0) character->twist_clock.running = false;
    // Poses given go on from where the last one puts the joints now; clips ask for no last one.
    if (moved && character->clock.running && character->clock.clip == SN_NONE)
        sn_skeleton_world(character->tables->model->skeleton, character->pose, character->world);
    return SN_RESULT_OK;
}
