// Styles from and to JSON: first the fields, then what is made of them.
#include "style_json.h"

#include <math.h>

#include "base64.h"
#include "picture.h"

#define PI 3.14159265358979323846

// -------------------------------------------------------------------------------------------------- degrees

float sni_radians_of(double degrees) { return (float)(degrees * PI / 180.0); }

double sni_degrees_of(float radians) {
    double exact = (double)radians * 180.0 / PI;
    double scale = 1.0;
    for (int decimals = 0; decimals < 9; decimals++, scale *= 10.0) {
        double rounded = floor(exact * scale + 0.5) / scale;
        if (sni_radians_of(rounded) == radians) return rounded;
    }
    return exact;
}

// ------------------------------------------------------------------------------------------------- pictures

static snResult find_inside(void* user, const char* text, const snAllocator* memory, uint8_t** out,
                            size_t* out_size, snError* error) {
    (void)user;
    size_t length = strlen(text), bad = 0;
    uint8_t* data = SNI_NEW_ARRAY(memory, uint8_t, sni_base64_bound(length));
    if (data == NULL) return sni_fail_memory(error);
    *out_size = sni_base64_decode(text, length, data, &bad);
    if (bad != SIZE_MAX) {
        sni_free(memory, data);
        return sni_fail(error, SN_RESULT_BAD_DATA, "it is not valid base64 at character %zu", bad);
    }
    *out = data;
    return SN_RESULT_OK;
}

const sniPictures sni_pictures_inside = {find_inside, NULL, false};

snResult sni_style_picture(const snStyleTexture* texture, const char* name, sniBytes* out, snError* error) {
    sniGrey grey = {texture->width, texture->height, texture->one == 128 ? 8 : 16, texture->texels};
    return sni_grey_encode(&grey, name, out, error);
}

// -------------------------------------------------------------------------------------------------- reading

static void read_texture(sniReading* r, const sniJson* where, const char* text, const sniPictures* pictures,
                         snStyle* style, uint32_t direction) {
    snError detail = sn_error_none();
    uint8_t* data = NULL;
    size_t size = 0;
    sniGrey grey = {0};
    snResult result = pictures->find(pictures->user, text, r->memory, &data, &size, &detail);
    if (result == SN_RESULT_OK)
        result = sni_grey_decode(data, size, 2, SN_STYLE_MAX_SIDE, r->memory, &grey, &detail);
    sni_free(r->memory, data);
    if (result == SN_RESULT_OK) {
        snStyleTexture texture = {grey.width, grey.height, grey.depth == 16 ? 32768 : 128, grey.samples};
        result = sn_style_set_texture(style, direction, &texture, &detail);
        sni_free(r->memory, grey.samples);
    }
    if (result == SN_RESULT_OUT_OF_MEMORY)
        sni_fault_memory(r);
    else if (result != SN_RESULT_OK && pictures->named)
        sni_fault(r, where, "cannot be used: %.60s: %s", text, detail.text);
    else if (result != SN_RESULT_OK)
        sni_fault(r, where, "cannot be used: %s", detail.text);
}

static bool set_description(snStyle* style, const char* text) {
    char* copy = sni_copy_text(&style->allocator, text);
    if (copy == NULL) return false;
    sni_free(&style->allocator, style->description);
    style->description = copy;
    return true;
}

static void set_values(snStyle* style, const sniStyleFields* fields) {
    style->bend_angle = fields->bend_angle;
    style->twist_angle = fields->twist_angle;
    style->strength = fields->strength;
    style->hollow = fields->hollow;
    style->fade = fields->fade;
    style->sides = (snStyleSides)fields->sides;
}

static void build(sniReading* r, const sniJson* json, const sniStyleFields* fields,
                  const sniPictures* pictures, snStyle* style) {
    snError detail = sn_error_none();
    sniJson textures = sni_json_get(json, "textures");
    set_values(style, fields);
    if (!set_description(style, fields->description)) sni_fault_memory(r);
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && r->result == SN_RESULT_OK; d++) {
        const sniStyleKeys* curve = &fields->curves[d];
        sniJson where = sni_json_get(&textures, sn_style_direction_name(d));
        if (fields->textures[d] != NULL) read_texture(r, &where, fields->textures[d], pictures, style, d);
        if (sn_style_set_curve(style, d, curve->keys, curve->count, NULL) == SN_RESULT_OUT_OF_MEMORY)
            sni_fault_memory(r);
    }
    if (r->result == SN_RESULT_OK && sn_style_validate(style, &detail) != SN_RESULT_OK)
        sni_fault(r, json, "cannot be used: %s", detail.text);
}

snStyle* sni_style_of_json(sniReading* r, const sniJson* json, const sniPictures* pictures) {
    sniStyleFields fields;
    sni_object_read(r, json, &sni_style_object, &fields);
    if (r->result != SN_RESULT_OK) return NULL;
    snError detail = sn_error_none();
    snStyle* style = NULL;
    snResult result = sn_style_create(fields.name, r->memory, &style, &detail);
    if (result == SN_RESULT_OUT_OF_MEMORY)
        sni_fault_memory(r);
    else if (result != SN_RESULT_OK)
        sni_fault(r, json, "cannot be used: %s", detail.text);
    else
        build(r, json, &fields, pictures, style);
    if (r->result == SN_RESULT_OK) return style;
    sn_style_destroy(style);
    return NULL;
}

// -------------------------------------------------------------------------------------------------- writing

sniJsonValue* sni_style_tree(const snStyle* style, const char* const textures[SN_STYLE_DIRECTIONS]) {
    sniStyleFields fields = {.name = style->name,
                             .description = style->description,
                             .bend_angle = style->bend_angle,
                             .twist_angle = style->twist_angle,
                             .strength = style->strength,
                             .hollow = style->hollow,
                             .fade = style->fade,
                             .sides = (uint32_t)style->sides};
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleCurve* curve = &style->curves[d];
        fields.textures[d] = textures[d];
        fields.curves[d].count = curve->count;
        if (curve->count > 0) memcpy(fields.curves[d].keys, curve->keys, curve->count * sizeof *curve->keys);
    }
    return sni_object_tree(&sni_style_object, &fields, true);
}

// --------------------------------------------------------------------------------------- items of settings

static snStyle* read_preset(sniReading* r, const sniJson* where, const char* name) {
    snError detail = sn_error_none();
    snStyle* style = NULL;
    snResult result = sn_style_preset(name, r->memory, &style, &detail);
    if (result == SN_RESULT_OUT_OF_MEMORY)
        sni_fault_memory(r);
    else if (result != SN_RESULT_OK)
        sni_fault(r, where, "cannot be used: %s", detail.text);
    return style;
}

static bool is_preset(const char* name) {
    const char* known = NULL;
    for (uint32_t i = 0; (known = sn_style_preset_name(i)) != NULL; i++) {
        if (name != NULL && strcmp(known, name) == 0) return true;
    }
    return false;
}

static void read_item(sniReading* r, const sniJson* json, void* item) {
    snStyle** out = item;
    sniJson named = sni_json_get(json, "name");
    const char* name = sni_json_text(json);
    if (name != NULL)
        *out = read_preset(r, json, name);
    else if (sni_json_members(json) == 1 && is_preset(sni_json_text(&named)))
        *out = read_preset(r, json, sni_json_text(&named));
    else
        *out = sni_style_of_json(r, json, &sni_pictures_inside);
}

static void release_item(const snAllocator* memory, void* item) {
    snStyle** style = item;
    (void)memory;
    sn_style_destroy(*style);
}

// All texts lie in one block, one after the other, each with its zero.
static bool encode_textures(const snStyle* style, sniBytes* texts, size_t places[SN_STYLE_DIRECTIONS]) {
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        sniBytes picture = sni_bytes(&style->allocator);
        places[d] = texts->size;
        if (style->textures[d].width > 0 &&
            sni_style_picture(&style->textures[d], style->name, &picture, NULL) != SN_RESULT_OK) {
            sni_bytes_free(&picture);
            return false;
        }
        sni_base64_encode(picture.data, picture.size, texts);
        sni_bytes_add(texts, "", 1);
        sni_bytes_free(&picture);
    }
    return !texts->failed;
}

static sniJsonValue* item_tree(const void* item) {
    const snStyle* style = *(snStyle* const*)item;
    const char* textures[SN_STYLE_DIRECTIONS] = {NULL};
    size_t places[SN_STYLE_DIRECTIONS];
    sniBytes texts = sni_bytes(&style->allocator);
    sniJsonValue* tree = NULL;
    if (encode_textures(style, &texts, places)) {
        for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS; d++) {
            if (style->textures[d].width > 0) textures[d] = (const char*)texts.data + places[d];
        }
        tree = sni_style_tree(style, textures);
    }
    sni_bytes_free(&texts);
    return tree;
}

const sniItemKind sni_style_items = {sizeof(snStyle*), read_item, release_item, item_tree};
