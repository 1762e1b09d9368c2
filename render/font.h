// The letters: strokes on a grid where capitals are 10 units tall and small letters 7.
#ifndef SINEW_FONT_H
#define SINEW_FONT_H

#include "sinew/math.h"

// One character.
typedef struct snGlyph {
    float width; // units from the leftmost to the rightmost stroke
    // Strokes separated by '|'; each a list of "x,y" points joined by lines. A stroke that starts with '~'
    // has its corners rounded as far as its segments allow, with "~r:" at most r units; a trailing 'z' closes
    // it.
    const char* strokes;
} snGlyph;

// Reads the next character of UTF-8 text: ASCII 32 .. 126 and the degree sign are known, everything else is a
// box. Advances the pointer by at least one byte; `text` must not be at its end.
const snGlyph* sn_font_next(const char** text);

// Space between two characters, units.
#define SN_FONT_GAP 2.5f
// Most segments a glyph has when flattened.
#define SN_FONT_MAX_SEGMENTS 256

typedef struct snSegment {
    snVec2 a, b;
} snSegment;

// Cuts a glyph's strokes into straight segments (grid units). Returns how many, at most SN_FONT_MAX_SEGMENTS.
uint32_t sn_glyph_flatten(const snGlyph* glyph, snSegment* out);

#endif
