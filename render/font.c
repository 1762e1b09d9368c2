#include "font.h"

#include <stdlib.h>
#include <string.h>

#define MAX_POINTS 16
#define CORNER_STEPS 8

static const snGlyph glyphs[] = {
    [0] = {2.0f, ""}, // space
    ['!' - 32] = {0, "0,10 0,3.2|0,0.2 0,0.3"},
    ['"' - 32] = {2.4f, "0,10 0,7|2.4,10 2.4,7"},
    ['#' - 32] = {7.4f, "1.4,0 3,10|4.4,0 6,10|0,3.2 6.8,3.2|0.6,6.8 7.4,6.8"},
    ['$' - 32] = {6, "~6,7.6 6,10 0,10 0,5.1 6,5.1 6,0 0,0 0,2.4|3,11.6 3,-1.6"},
    ['%' - 32] = {8.6f, "7.6,10 1,0|~0,6 0,10 3,10 3,6z|~5.6,0 5.6,4 8.6,4 8.6,0z"},
    ['&' - 32] = {7, "~6.8,4.4 6,0 0,0 0,4.6 4.6,6.4 4.6,10 1,10 1,7 7,0"},
    ['\'' - 32] = {0, "0,10 0,7"},
    ['(' - 32] = {2.4f, "~2.4,11 0,8 0,1 2.4,-2"},
    [')' - 32] = {2.4f, "~0,11 2.4,8 2.4,1 0,-2"},
    ['*' - 32] = {4.4f, "2.2,10 2.2,5.6|0.3,8.9 4.1,6.7|0.3,6.7 4.1,8.9"},
    ['+' - 32] = {6, "3,1.6 3,7.6|0,4.6 6,4.6"},
    [',' - 32] = {0.8f, "0.8,0.3 0,-1.8"},
    ['-' - 32] = {3.6f, "0,4.2 3.6,4.2"},
    ['.' - 32] = {0, "0,0.2 0,0.3"},
    ['/' - 32] = {4.4f, "0,-1 4.4,10.6"},
    ['0' - 32] = {6, "~0,0 0,10 6,10 6,0z"},
    ['1' - 32] = {6, "0.9,8 3.4,10 3.4,0"},
    ['2' - 32] = {6, "~2.9:0.2,7.2 0.2,10 5.8,10 5.8,5.4 0,0|0,0 6,0"},
    ['3' - 32] = {6, "~2.7:0.3,8 0.3,10 5.7,10 5.7,5.4 2.4,5.4|~2.7:2.4,5.4 6,5.4 6,0 0,0 0,2.2"},
    ['4' - 32] = {6.2f, "4.6,0 4.6,10 0,3 6.2,3"},
    ['5' - 32] = {6, "5.4,10 0.8,10 0.5,5.4|~3.2:0.5,5.4 1.2,6.4 6,6.4 6,0 0,0 0,2"},
    ['6' - 32] = {6, "~0,0 0,6.2 6,6.2 6,0z|~4:0,3.1 0,10 5.4,10 5.4,8.2"},
    ['7' - 32] = {6, "0,10 6,10 2,0"},
    ['8' - 32] = {6, "~0.4,5.4 0.4,10 5.6,10 5.6,5.4z|~0,0 0,5.4 6,5.4 6,0z"},
    ['9' - 32] = {6, "~0,3.8 0,10 6,10 6,3.8z|~4:6,6.9 6,0 0.6,0 0.6,1.8"},
    [':' - 32] = {0, "0,0.2 0,0.3|0,5.8 0,5.9"},
    [';' - 32] = {0.8f, "0.8,0.3 0,-1.8|0.8,5.8 0.8,5.9"},
    ['<' - 32] = {5, "5,8 0,4.6 5,1.2"},
    ['=' - 32] = {5.6f, "0,6 5.6,6|0,3.2 5.6,3.2"},
    ['>' - 32] = {5, "0,8 5,4.6 0,1.2"},
    ['?' - 32] = {5, "~2.5:0,7.8 0,10 5,10 5,5.4 2.4,5.4 2.4,3|2.4,0.2 2.4,0.3"},
    ['@' - 32] = {9.2f, "~2.8,2.8 2.8,7.2 6.4,7.2 6.4,2.8z|~6.4,7.2 6.4,2.6 9.2,2.6 9.2,10 0,10 0,-1 7.4,-1"},
    ['A' - 32] = {7, "0,0 3.5,10 7,0|1.2,3.4 5.8,3.4"},
    ['B' - 32] = {6.2f, "0,0 0,10|~2.6:0,10 5.6,10 5.6,5.3 0,5.3|~2.6:0,5.3 6.2,5.3 6.2,0 0,0"},
    ['C' - 32] = {7, "~7,7.4 7,10 0,10 0,0 7,0 7,2.6"},
    ['D' - 32] = {7, "0,0 0,10|~4.4:0,10 7,10 7,0 0,0"},
    ['E' - 32] = {5.8f, "5.8,10 0,10 0,0 5.8,0|0,5.2 5,5.2"},
    ['F' - 32] = {5.6f, "5.6,10 0,10 0,0|0,5.2 4.8,5.2"},
    ['G' - 32] = {7.2f, "~7,7.4 7,10 0,10 0,0 7.2,0 7.2,4.6|4.2,4.6 7.2,4.6"},
    ['H' - 32] = {7, "0,0 0,10|7,0 7,10|0,5.2 7,5.2"},
    ['I' - 32] = {0, "0,0 0,10"},
    ['J' - 32] = {4.6f, "~2.4:4.6,10 4.6,0 0,0 0,2.4"},
    ['K' - 32] = {6.6f, "0,0 0,10|6.2,10 0,3.8|2.2,6 6.6,0"},
    ['L' - 32] = {5.4f, "0,10 0,0 5.4,0"},
    ['M' - 32] = {8, "0,0 0,10 4,3 8,10 8,0"},
    ['N' - 32] = {7, "0,0 0,10 7,0 7,10"},
    ['O' - 32] = {7.8f, "~0,0 0,10 7.8,10 7.8,0z"},
    ['P' - 32] = {6.2f, "0,0 0,10|~2.8:0,10 6.2,10 6.2,4.4 0,4.4"},
    ['Q' - 32] = {7.8f, "~0,0 0,10 7.8,10 7.8,0z|4.8,2.6 7.8,-0.8"},
    ['R' - 32] = {6.6f, "0,0 0,10|~2.8:0,10 6.2,10 6.2,4.6 0,4.6|3.4,4.6 6.6,0"},
    ['S' - 32] = {6, "~6,7.6 6,10 0,10 0,5.1 6,5.1 6,0 0,0 0,2.4"},
    ['T' - 32] = {6.6f, "0,10 6.6,10|3.3,10 3.3,0"},
    ['U' - 32] = {7, "~3.6:0,10 0,0 7,0 7,10"},
    ['V' - 32] = {7, "0,10 3.5,0 7,10"},
    ['W' - 32] = {10, "0,10 2.5,0 5,9.4 7.5,0 10,10"},
    ['X' - 32] = {6.6f, "0,0 6.6,10|0,10 6.6,0"},
    ['Y' - 32] = {6.8f, "0,10 3.4,4.6 6.8,10|3.4,4.6 3.4,0"},
    ['Z' - 32] = {6.4f, "0,10 6.4,10 0,0 6.4,0"},
    ['[' - 32] = {2, "2,11 0,11 0,-2 2,-2"},
    ['\\' - 32] = {4.4f, "0,10.6 4.4,-1"},
    [']' - 32] = {2, "0,11 2,11 2,-2 0,-2"},
    ['^' - 32] = {4.4f, "0,6.4 2.2,10 4.4,6.4"},
    ['_' - 32] = {5.6f, "0,-1.6 5.6,-1.6"},
    ['`' - 32] = {1.4f, "0,10 1.4,8.2"},
    ['a' - 32] = {5, "~2.5:0.5,5.6 0.5,7 5,7 5,0|~2.1:5,4.2 0,4.2 0,0 5,0 5,2.4"},
    ['b' - 32] = {5.4f, "0,10 0,0|~0,0 0,7 5.4,7 5.4,0z"},
    ['c' - 32] = {5, "~5,5.2 5,7 0,7 0,0 5,0 5,1.8"},
    ['d' - 32] = {5.4f, "5.4,10 5.4,0|~0,0 0,7 5.4,7 5.4,0z"},
    ['e' - 32] = {5.4f, "0,3.7 5.4,3.7|~5.4,3.7 5.4,7 0,7 0,0 5.2,0 5.2,1.6"},
    ['f' - 32] = {3.4f, "~2.2:3.4,10 1.2,10 1.2,0|0,7 3.2,7"},
    ['g' - 32] = {5.4f, "~0,0 0,7 5.4,7 5.4,0z|~2.7:5.4,7 5.4,-3 0.3,-3 0.3,-1.8"},
    ['h' - 32] = {5, "0,10 0,0|~2.6:0,4 0,7 5,7 5,0"},
    ['i' - 32] = {0, "0,7 0,0|0,9.7 0,9.8"},
    ['j' - 32] = {1.6f, "~1.8:1.6,7 1.6,-3 0,-3|1.6,9.7 1.6,9.8"},
    ['k' - 32] = {5, "0,10 0,0|4.6,7 0,2.6|1.7,4.2 5,0"},
    ['l' - 32] = {1.5f, "~1.5:0,10 0,0 1.5,0"},
    ['m' - 32] = {8.4f, "0,7 0,0|~2.2:0,4.4 0,7 4.2,7 4.2,0|~2.2:4.2,4.4 4.2,7 8.4,7 8.4,0"},
    ['n' - 32] = {5, "0,7 0,0|~2.6:0,4 0,7 5,7 5,0"},
    ['o' - 32] = {5.6f, "~0,0 0,7 5.6,7 5.6,0z"},
    ['p' - 32] = {5.4f, "0,7 0,-3|~0,0 0,7 5.4,7 5.4,0z"},
    ['q' - 32] = {5.4f, "5.4,7 5.4,-3|~0,0 0,7 5.4,7 5.4,0z"},
    ['r' - 32] = {3.1f, "0,7 0,0|~2.6:0,4 0,7 3.1,7"},
    ['s' - 32] = {4.6f, "~4.6,5.5 4.6,7 0,7 0,3.6 4.6,3.6 4.6,0 0,0 0,1.5"},
    ['t' - 32] = {3.4f, "~1.8:1.2,9.4 1.2,0 3.4,0|0,7 3.2,7"},
    ['u' - 32] = {5, "~2.6:0,7 0,0 5,0 5,3|5,7 5,0"},
    ['v' - 32] = {5.2f, "0,7 2.6,0 5.2,7"},
    ['w' - 32] = {8, "0,7 2,0 4,6.6 6,0 8,7"},
    ['x' - 32] = {5, "0,0 5,7|0,7 5,0"},
    ['y' - 32] = {5.2f, "0,7 2.6,0|5.2,7 1.49,-3"},
    ['z' - 32] = {4.8f, "0,7 4.8,7 0,0 4.8,0"},
    ['{' - 32] = {2.6f, "~2.6,11 1.2,11 1.2,4.5 0,4.5|~0,4.5 1.2,4.5 1.2,-2 2.6,-2"},
    ['|' - 32] = {0, "0,11 0,-2"},
    ['}' - 32] = {2.6f, "~0,11 1.4,11 1.4,4.5 2.6,4.5|~2.6,4.5 1.4,4.5 1.4,-2 0,-2"},
    ['~' - 32] = {6, "~0,3.8 1.5,6.4 4.5,2.8 6,5.4"},
};
static const snGlyph degree = {2.6f, "~0,7.4 0,10 2.6,10 2.6,7.4z"};
static const snGlyph unknown = {6, "0,0 0,10 6,10 6,0z"};

const snGlyph* sn_font_next(const char** text) {
    unsigned char first = (unsigned char)*(*text)++;
    if (first >= 32 && first < 127) return &glyphs[first - 32];
    if (first == 0xC2 && (unsigned char)**text == 0xB0) {
        (*text)++;
        return &degree;
    }
    // One box for a whole character, not for each of its bytes.
    while (((unsigned char)**text & 0xC0) == 0x80) (*text)++;
    return &unknown;
}

typedef struct Stroke {
    snVec2 points[MAX_POINTS];
    uint32_t count;
    float radius; // 0: sharp
    bool closed;
} Stroke;

// The table above is the only input, so this trusts its grammar.
static const char* read_stroke(const char* text, Stroke* out) {
    char* end = NULL;
    *out = (Stroke){.count = 0};
    if (*text == '~') {
        out->radius = 1e3f;
        text++;
        float first = strtof(text, &end);
        if (*end == ':') {
            out->radius = first;
            text = end + 1;
        }
    }
    while (*text != '\0' && *text != '|' && out->count < MAX_POINTS) {
        snVec2* p = &out->points[out->count++];
        p->x = strtof(text, &end);
        p->y = strtof(end + 1, &end);
        text = end;
        if (*text == 'z') {
            out->closed = true;
            text++;
        }
        while (*text == ' ') text++;
    }
    return *text == '|' ? text + 1 : text;
}

typedef struct Pen {
    snSegment* out;
    uint32_t count;
    snVec2 at;
    bool down;
} Pen;

static void pen_to(Pen* pen, snVec2 to) {
    if (pen->down && pen->count < SN_FONT_MAX_SEGMENTS) pen->out[pen->count++] = (snSegment){pen->at, to};
    pen->at = to;
    pen->down = true;
}

static snVec2 mix2(snVec2 a, snVec2 b, float t) {
    return (snVec2){sn_lerpf(a.x, b.x, t), sn_lerpf(a.y, b.y, t)};
}

// A quarter of an ellipse (as the usual cubic) between the points where it leaves both sides of the corner.
static void round_corner(Pen* pen, snVec2 from, snVec2 corner, snVec2 to) {
    pen_to(pen, from);
    snVec2 c1 = mix2(from, corner, 0.5523f), c2 = mix2(to, corner, 0.5523f);
    for (int i = 1; i <= CORNER_STEPS; i++) {
        float t = (float)i / CORNER_STEPS;
        snVec2 a = mix2(from, c1, t), b = mix2(c1, c2, t), c = mix2(c2, to, t);
        pen_to(pen, mix2(mix2(a, b, t), mix2(b, c, t), t));
    }
}

// The point where rounding starts, seen from the corner towards a neighbour. Inner segments are shared by the
// corners at both their ends, so each takes at most half.
static snVec2 leave(const Stroke* s, snVec2 corner, uint32_t neighbour) {
    snVec2 to = s->points[neighbour];
    float length = hypotf(to.x - corner.x, to.y - corner.y);
    bool end = !s->closed && (neighbour == 0 || neighbour == s->count - 1);
    float available = end ? length : 0.5f * length;
    return mix2(corner, to, length > 0 ? sn_minf(s->radius, available) / length : 0);
}

static void draw_stroke(Pen* pen, const Stroke* s) {
    pen->down = false;
    snVec2 start = {0, 0};
    for (uint32_t i = 0; i < s->count; i++) {
        bool end = !s->closed && (i == 0 || i == s->count - 1);
        snVec2 p = s->points[i];
        uint32_t before = (i + s->count - 1) % s->count, after = (i + 1) % s->count;
        if (end || s->radius <= 0) {
            if (i == 0) start = p;
            pen_to(pen, p);
        } else {
            if (i == 0) start = leave(s, p, before);
            round_corner(pen, leave(s, p, before), p, leave(s, p, after));
        }
    }
    if (s->closed) pen_to(pen, start);
}

uint32_t sn_glyph_flatten(const snGlyph* glyph, snSegment* out) {
    Pen pen = {.out = out};
    const char* text = glyph->strokes;
    while (*text != '\0') {
        Stroke stroke;
        text = read_stroke(text, &stroke);
        draw_stroke(&pen, &stroke);
    }
    return pen.count;
}
