// Which pieces of the tables depend on which settings: one table, which creation need not know of.
#include <string.h>

#include "character/character.h"
#include "settings/settings.h"

// What decides whether a piece is there at all (skin, lattice.smooth, volume.method, flesh.on, contact.self
// and contact.skin) is seen by comparing what both settings ask for, not here.
typedef struct KeyPieces {
    const char* key;
    uint32_t pieces;
} KeyPieces;
static const KeyPieces KEYS[] = {
    {"skin", SNI_PIECE(PLANS) | SNI_PIECE(FIELDS)},
    {"lattice.smoothing", SNI_PIECE(LATTICE_SKIN)},
    {"lattice.smooth", SNI_PIECE(PLANS)}, // and decides whether MAPS are there
    {"spline.stiffness", SNI_PIECE(SPLINES)},
    {"spline.samples", SNI_PIECE(SPLINES)},
    {"style.all", SNI_PIECE(SPLINE_SKINS)},
    {"volume.method", 0},
    {"volume.sweeps", 0},
    {"volume.both_ways", 0},
    {"volume.of_flesh", 0},
    {"volume.loss_only", 0},
    {"volume.one_step", 0},
    {"volume.rest_profiles", SNI_PIECE(FIELDS)},
    {"volume.support", SNI_PIECE(FIELDS)},
    {"volume.refine", 0}, // of models, before
    {"volume.refine_above", 0},
    {"flesh.on", 0},
    {"flesh.delta", SNI_PIECE(MATERIAL)},
    {"flesh.alpha", SNI_PIECE(MATERIAL)},
    {"flesh.damping", SNI_PIECE(MATERIAL)},
    {"flesh.region_damping", 0},
    {"flesh.width", SNI_PIECE(MATERIAL)},
    {"flesh.bone_radius", SNI_PIECE(MATERIAL)},
    {"flesh.anatomy", SNI_PIECE(MATERIAL)},
    {"flesh.limit", 0},
    {"flesh.rest", 0},
    {"flesh.step", 0},
    {"flesh.max_steps", 0},
    {"forces.gravity", 0},
    {"forces.wind", 0},
    {"forces.drag", 0},
    {"forces.gust", 0},
    {"contact.ground", 0},
    {"contact.ground_height", 0},
    {"contact.friction", 0},
    {"contact.self", 0},
    {"contact.skin", 0},
};

typedef bool SameFn(const snSettings* a, const snSettings* b);
typedef struct ListPieces {
    SameFn* same;
    uint32_t pieces;
} ListPieces;
static const ListPieces LISTS[] = {
    {sni_same_layers, SNI_PIECE(MATERIAL)},
    {sni_same_rules, SNI_PIECE(MATERIAL)},
    {sni_same_profile, 0},
    {sni_same_colliders, SNI_PIECE(COLLIDERS)},
    {sni_same_pushes, SNI_PIECE(COLLIDERS)},
    {sni_same_volume_rules, SNI_PIECE(FIELDS)},
    {sni_same_volume_targets, SNI_PIECE(VOLUME_CHOICES)},
    {sni_same_spline_rules, SNI_PIECE(SPLINES)},
    {sni_same_styles, SNI_PIECE(STYLES)},
    {sni_same_style_rules, SNI_PIECE(STYLES)},
};

// Pieces, and what is made of them.
static const uint32_t MADE_OF[SNI_PIECE_COUNT] = {
    [SNI_PIECE_MATERIAL] = SNI_PIECE(HARD),
    [SNI_PIECE_SURFACES] = SNI_PIECE(HARD) | SNI_PIECE(PLANS),
    [SNI_PIECE_PARTS] = SNI_PIECE(SURFACES) | SNI_PIECE(HARD) | SNI_PIECE(WHOLE) | SNI_PIECE(PLANS) |
                        SNI_PIECE(SPLINES) | SNI_PIECE(EXACT) | SNI_PIECE(CONTACT),
    [SNI_PIECE_BIND_POSE] = SNI_PIECE(SPLINES) | SNI_PIECE(EXACT) | SNI_PIECE(CONTACT),
    [SNI_PIECE_SPLINES] = SNI_PIECE(PARTICLE_SPLINES) | SNI_PIECE(SPLINE_SKINS) | SNI_PIECE(CONTACT),
};

static uint32_t pieces_of(const char* key) {
    for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
        if (strcmp(KEYS[i].key, key) == 0) return KEYS[i].pieces;
    return SNI_ALL_PIECES; // a setting that nobody entered above costs time, not truth
}

uint32_t sni_pieces_that_differ(const snSettings* a, const snSettings* b) {
    uint32_t count = 0, pieces = 0;
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t i = 0; i < count; i++)
        if (!sni_same_setting(a, b, &table[i])) pieces |= pieces_of(table[i].key);
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++)
        if (!LISTS[i].same(a, b)) pieces |= LISTS[i].pieces;
    return pieces;
}

uint32_t sni_pieces_made_of(uint32_t pieces) {
    for (uint32_t p = 0; p < SNI_PIECE_COUNT; p++) // made later than what it is made of
        if ((pieces & 1u << p) != 0) pieces |= MADE_OF[p];
    return pieces;
}
