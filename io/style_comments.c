// Comments for style.json.
#include <string.h>

#include "style_json.h"

// What the keys of style.json mean, for people who change them.
static const struct {
    const char* key;
    const char* comment;
} meanings[] = {
    {"style", "A deformation style; sinew style show draws it, sinew style check looks for mistakes."},
    {"name", "1 to 63 letters, digits, - and _"},
    {"description", "one line"},
    {"bend_angle", "degrees, 1 to 3600: bent this far beyond the rest pose, a joint shows all of it"},
    {"twist_angle", "degrees, 1 to 3600: the same for twist"},
    {"strength", "0 to 4: how much of it; 1 is as drawn"},
    {"hollow", "-2 to 2, in radii of the limb: the wall on the other side stays while this one moves"},
    {"fade", "0 to 0.5: over this share of the limb at each end it becomes nothing"},
    {"sides", "\"mirrored\": rows go from the outside of the bend to its inside, both sides alike.\n"
              "  // \"around\": they go all the way around"},
    {"textures",
     "grey PNG of 8 or 16 bits, 2 to 512 a side. Middle grey (128 or 32768) leaves the limb as\n"
     "  // it is, darker is thinner, white is twice as thick. Columns run along the limb, with the\n"
     "  // joint in the middle; rows around it, from the outside of the bend on. \"frontal\" acts\n"
     "  // inside of a bend, \"lateral\" at its sides, \"radial\" all around under twist"},
    {"curves", "[x, scale] pairs, x rising in 0 to 1, scales 0 to 4: the whole cross-section along the\n"
               "  // limb. \"frontal\" towards the inside of a bend, \"lateral\" across it, \"radial\" under "
               "twist"},
};

static const char* meaning_of(const char* line, size_t length) {
    const char* at = line;
    const char* end = line + length;
    while (at < end && *at == ' ') at++;
    if (at - line != 2 || at == end || *at++ != '"') return NULL; // members of the outermost object only
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        size_t size = strlen(meanings[i].key);
        if ((size_t)(end - at) > size && memcmp(at, meanings[i].key, size) == 0 && at[size] == '"')
            return meanings[i].comment;
    }
    return NULL;
}

// Every line again, with what its key means before it.
void sni_style_annotate(const char* text, size_t size, sniBytes* out) {
    for (const char* line = text; line < text + size;) {
        const char* end = memchr(line, '\n', (size_t)(text + size - line));
        size_t length = end != NULL ? (size_t)(end - line) + 1 : (size_t)(text + size - line);
        const char* comment = meaning_of(line, length);
        if (comment != NULL) {
            sni_bytes_text(out, "  // ");
            sni_bytes_text(out, comment);
            sni_bytes_text(out, "\n");
        }
        sni_bytes_add(out, line, length);
        line += length;
    }
}
