// A style as a JSON object. Its numbers are always in the object; its textures are PNG pictures that lie
// beside it (style files) or in it as base64 (settings).
#ifndef SNI_IO_STYLE_JSON_H
#define SNI_IO_STYLE_JSON_H

#include "settings_json.h"

// Finds the picture that a text under "textures" stands for: bytes that the caller frees. Errors need no
// place.
typedef snResult sniPictureFn(void* user, const char* text, const snAllocator* memory, uint8_t** out,
                              size_t* out_size, snError* error);
typedef struct sniPictures {
    sniPictureFn* find;
    void* user;
    bool named; // texts are short: errors say them
} sniPictures;
// Texts are base64.
extern const sniPictures sni_pictures_inside;

// Makes a style of an object; NULL and a fault in the reading on failure.
snStyle* sni_style_of_json(sniReading* reading, const sniJson* json, const sniPictures* pictures);
// The object of a valid style, whole, with these texts under "textures" (NULL where there is none). NULL: out
// of memory.
sniJsonValue* sni_style_tree(const snStyle* style, const char* const textures[SN_STYLE_DIRECTIONS]);
// Appends a texture that is there as PNG.
snResult sni_style_picture(const snStyleTexture* texture, const char* name, sniBytes* out, snError* error);

// Adds every line of a style.json again, with what its key means before it (style_comments.c).
void sni_style_annotate(const char* text, size_t size, sniBytes* out);

// Degrees of an angle in radians, in the fewest decimals that read back to the same float.
double sni_degrees_of(float radians);
float sni_radians_of(double degrees);

// Items of the settings' list of styles: an object, or the name of a preset.
extern const sniItemKind sni_style_items;

#endif
