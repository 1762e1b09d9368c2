// Reading OBJ: polygons, vertex order and groups stay as the file has them.
//
// Texture coordinates are turned to glTF's convention (v runs down from the top), so that a mesh means the
// same wherever it came from.
#include "base/error.h"
#include "bytes.h"
#include "number.h"

#include "file.h"
#include "gltf.h"
#include "source.h"

typedef struct List {
    void* items;
    size_t count;
    size_t capacity;
} List;

typedef struct Reader {
    const sniSource* source;
    const char* p;
    const char* end;
    uint64_t line;
    const char* name;
    snAllocator allocator;
    snError* error;
    List positions; // snVec3
    List colors;    // snVec4, as many as positions
    List uvs;       // snVec2
    List normals;   // snVec3
    List starts;    // uint32_t, begin of each face
    List corners, corner_uvs, corner_normals;
    List face_groups;
    List group_offsets; // size_t into group_text
    List group_slots;   // uint32_t, open addressing by name; SN_NONE: free
    sniBytes group_text;
    uint32_t group; // current or SN_NONE
    bool colored, textured, lit;
    bool unlit_corners; // a corner without a normal
    uint64_t materials, ignored;
} Reader;

static snResult fail_line(const Reader* r, snResult code, const char* text, const char* detail,
                          size_t length) {
    sni_fail(r->error, code, "%s%.*s", text, (int)(length < 40 ? length : 40), detail);
    if (r->error != NULL) {
        r->error->line = r->line;
        snprintf(r->error->file, sizeof r->error->file, "%s", r->name);
    }
    return code;
}

static bool push(Reader* r, List* list, const void* item, size_t size) {
    if (!sni_grow(&r->allocator, &list->items, &list->capacity, list->count + 1, size)) return false;
    memcpy((uint8_t*)list->items + list->count * size, item, size);
    list->count++;
    return true;
}

static bool push_index(Reader* r, List* list, uint32_t value) { return push(r, list, &value, sizeof value); }

// ------------------------------------------------------------------------------------------------ tokens

static bool at_line_end(const Reader* r) {
    return r->p >= r->end || *r->p == '\n' || *r->p == '\r' || *r->p == '#';
}

// Length of a line break at `p`: 0, 1 or (CR LF) 2.
static size_t break_length(const char* p, const char* end) {
    if (p < end && *p == '\r') return p + 1 < end && p[1] == '\n' ? 2 : 1;
    return p < end && *p == '\n' ? 1 : 0;
}

// Blanks and continued line ends, also one that continues into the end of the file.
static void skip_blanks(Reader* r) {
    while (r->p < r->end) {
        if (*r->p == ' ' || *r->p == '\t') {
            r->p++;
        } else if (*r->p == '\\' && (r->p + 1 == r->end || break_length(r->p + 1, r->end) > 0)) {
            r->p += 1 + break_length(r->p + 1, r->end);
            r->line++;
        } else {
            return;
        }
    }
}

static void next_line(Reader* r) {
    while (r->p < r->end && break_length(r->p, r->end) == 0) {
        if (*r->p == '\\') skip_blanks(r);
        if (r->p < r->end && break_length(r->p, r->end) == 0) r->p++;
    }
    r->p += break_length(r->p, r->end);
    r->line++;
}

// A run of bytes that are no blanks.
static size_t token_length(const Reader* r) {
    const char* p = r->p;
    while (p < r->end && strchr(" \t\r\n#\\", *p) == NULL) p++;
    return (size_t)(p - r->p);
}

static snResult expected(const Reader* r, const char* what) {
    char text[96];
    snprintf(text, sizeof text, "expected %s, found ", what);
    if (at_line_end(r)) return fail_line(r, SN_RESULT_BAD_DATA, text, "the end of the line", 19);
    size_t length = token_length(r);
    return fail_line(r, SN_RESULT_BAD_DATA, text, r->p, length > 0 ? length : 1);
}

// Between `least` and `most` numbers up to the end of the line; more are skipped.
static snResult read_numbers(Reader* r, uint32_t least, uint32_t most, float* out, uint32_t* count) {
    *count = 0;
    for (skip_blanks(r); !at_line_end(r) && *count < most; skip_blanks(r)) {
        const char* after = sni_parse_float(r->p, r->end, &out[*count]);
        if (after == NULL) return expected(r, "a number");
        if (!sn_finite(out[*count])) return expected(r, "a number that fits a float");
        r->p = after;
        if (!at_line_end(r) && *r->p != ' ' && *r->p != '\t' && *r->p != '\\') return expected(r, "a blank");
        *count += 1;
    }
    return *count < least ? expected(r, "a number") : SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- vertices

static snResult read_vertex(Reader* r) {
    float n[7] = {0, 0, 0, 1, 1, 1, 1};
    uint32_t count = 0;
    SNI_TRY(read_numbers(r, 3, 7, n, &count));
    snVec3 position = {n[0], n[1], n[2]};
    snVec4 color = {1, 1, 1, 1};
    if (count >= 6) {
        color = (snVec4){n[3], n[4], n[5], n[6]};
        r->colored = true;
    }
    bool pushed =
        push(r, &r->positions, &position, sizeof position) && push(r, &r->colors, &color, sizeof color);
    return pushed ? SN_RESULT_OK : sni_fail_memory(r->error);
}

static snResult read_uv(Reader* r) {
    float n[3] = {0, 0, 0};
    uint32_t count = 0;
    SNI_TRY(read_numbers(r, 1, 3, n, &count));
    snVec2 uv = {n[0], 1.0f - n[1]};
    return push(r, &r->uvs, &uv, sizeof uv) ? SN_RESULT_OK : sni_fail_memory(r->error);
}

static snResult read_normal(Reader* r) {
    snVec3 normal = {0, 0, 0};
    uint32_t count = 0;
    SNI_TRY(read_numbers(r, 3, 3, &normal.x, &count));
    return push(r, &r->normals, &normal, sizeof normal) ? SN_RESULT_OK : sni_fail_memory(r->error);
}

// ------------------------------------------------------------------------------------------------- faces

// A whole number other than zero: from one upwards, or backwards from the last item with -1.
static snResult read_index(Reader* r, size_t available, const char* what, uint32_t* out) {
    const char* begin = r->p;
    bool negative = r->p < r->end && *r->p == '-';
    if (r->p < r->end && (*r->p == '-' || *r->p == '+')) r->p++;
    uint64_t value = 0;
    const char* digits = r->p;
    for (; r->p < r->end && *r->p >= '0' && *r->p <= '9'; r->p++) {
        if (value < SN_NONE) value = value * 10 + (uint64_t)(*r->p - '0');
    }
    if (r->p == digits || value == 0 || value > available) {
        char text[64];
        snprintf(text, sizeof text, "the index of one of %zu %s", available, what);
        r->p = begin;
        return expected(r, text);
    }
    *out = (uint32_t)(negative ? available - value : value - 1);
    return SN_RESULT_OK;
}

static bool take(Reader* r, char c) {
    if (r->p >= r->end || *r->p != c) return false;
    r->p++;
    return true;
}

static bool at_index(const Reader* r) { return r->p < r->end && strchr("-+0123456789", *r->p) != NULL; }

static snResult read_corner(Reader* r) {
    uint32_t vertex = 0, uv = SN_NONE, normal = SN_NONE;
    SNI_TRY(read_index(r, r->positions.count, "vertices", &vertex));
    if (take(r, '/')) {
        if (at_index(r)) SNI_TRY(read_index(r, r->uvs.count, "texture coordinates", &uv));
        if (take(r, '/') && at_index(r)) SNI_TRY(read_index(r, r->normals.count, "normals", &normal));
    }
    if (!at_line_end(r) && *r->p != ' ' && *r->p != '\t' && *r->p != '\\')
        return expected(r, "a face corner");
    r->textured = r->textured || uv != SN_NONE;
    r->lit = r->lit || normal != SN_NONE;
    r->unlit_corners = r->unlit_corners || normal == SN_NONE;
    bool pushed = push_index(r, &r->corners, vertex) && push_index(r, &r->corner_uvs, uv) &&
                  push_index(r, &r->corner_normals, normal);
    return pushed ? SN_RESULT_OK : sni_fail_memory(r->error);
}

static snResult read_face(Reader* r) {
    size_t begin = r->corners.count;
    for (skip_blanks(r); !at_line_end(r); skip_blanks(r)) SNI_TRY(read_corner(r));
    if (r->corners.count - begin < 3) {
        return fail_line(r, SN_RESULT_BAD_DATA, "a face has fewer than three corners", "", 0);
    }
    if (r->corners.count >= SN_NONE) {
        return fail_line(r, SN_RESULT_UNSUPPORTED, "there are more than 4294967294 face corners", "", 0);
    }
    bool pushed = push_index(r, &r->starts, (uint32_t)begin) && push_index(r, &r->face_groups, r->group);
    return pushed ? SN_RESULT_OK : sni_fail_memory(r->error);
}

// ------------------------------------------------------------------------------------------------ groups

static const char* group_name(const Reader* r, size_t group) {
    return (const char*)r->group_text.data + ((const size_t*)r->group_offsets.items)[group];
}

// The slot where the name is or belongs.
static uint32_t* find_slot(const Reader* r, const char* name) {
    uint32_t* slots = r->group_slots.items;
    size_t mask = r->group_slots.capacity - 1;
    size_t at = (size_t)sn_hash_bytes(SN_HASH_SEED, name, strlen(name)) & mask;
    while (slots[at] != SN_NONE && strcmp(group_name(r, slots[at]), name) != 0) at = (at + 1) & mask;
    return &slots[at];
}

// Keeps the table at most half full; its capacity is a power of two.
static bool grow_slots(Reader* r) {
    if (2 * (r->group_offsets.count + 1) <= r->group_slots.capacity) return true;
    size_t capacity = r->group_slots.capacity > 0 ? r->group_slots.capacity * 2 : 64;
    uint32_t* slots = SNI_NEW_ARRAY(&r->allocator, uint32_t, capacity);
    if (slots == NULL) return false;
    memset(slots, 0xff, capacity * sizeof *slots);
    sni_free(&r->allocator, r->group_slots.items);
    r->group_slots.items = slots;
    r->group_slots.capacity = capacity;
    for (uint32_t g = 0; g < r->group_offsets.count; g++) *find_slot(r, group_name(r, g)) = g;
    return true;
}

static snResult read_group(Reader* r) {
    skip_blanks(r);
    const char* begin = r->p;
    while (r->p < r->end && break_length(r->p, r->end) == 0) r->p++;
    size_t length = (size_t)(r->p - begin);
    while (length > 0 && (begin[length - 1] == ' ' || begin[length - 1] == '\t')) length--;
    if (!grow_slots(r)) return sni_fail_memory(r->error);
    // The name is added first, so that it can be looked up as text; a known one is taken back.
    size_t offset = r->group_text.size;
    if (length > 0)
        sni_bytes_add(&r->group_text, begin, length);
    else
        sni_bytes_text(&r->group_text, "default");
    sni_bytes_add(&r->group_text, "", 1);
    if (r->group_text.failed) return sni_fail_memory(r->error);
    uint32_t* slot = find_slot(r, (const char*)r->group_text.data + offset);
    if (*slot != SN_NONE) {
        r->group_text.size = offset;
        r->group = *slot;
        return SN_RESULT_OK;
    }
    r->group = (uint32_t)r->group_offsets.count;
    *slot = r->group;
    return push(r, &r->group_offsets, &offset, sizeof offset) ? SN_RESULT_OK : sni_fail_memory(r->error);
}

// ------------------------------------------------------------------------------------------------- lines

static bool is_word(const char* token, size_t length, const char* word) {
    return strlen(word) == length && memcmp(token, word, length) == 0;
}

static snResult read_statement(Reader* r) {
    static const struct {
        const char* word;
        snResult (*read)(Reader*);
    } statements[] = {{"v", read_vertex}, {"vt", read_uv},   {"vn", read_normal},
                      {"f", read_face},   {"g", read_group}, {"o", read_group}};
    skip_blanks(r);
    if (at_line_end(r)) return SN_RESULT_OK;
    const char* word = r->p;
    size_t length = token_length(r);
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (!is_word(word, length, statements[i].word)) continue;
        r->p += length;
        return statements[i].read(r);
    }
    if (is_word(word, length, "usemtl") || is_word(word, length, "mtllib"))
        r->materials++;
    else if (!is_word(word, length, "s"))
        r->ignored++;
    return SN_RESULT_OK;
}

// A byte order mark is skipped; a zero byte means that this is no text, or text of two bytes a letter.
static snResult open_text(Reader* r) {
    if (r->end - r->p >= 3 && memcmp(r->p, "\xef\xbb\xbf", 3) == 0) r->p += 3;
    const char* zero = memchr(r->p, '\0', (size_t)(r->end - r->p));
    if (zero == NULL) return SN_RESULT_OK;
    for (const char* p = r->p; p < zero; p++) r->line += *p == '\n';
    return fail_line(r, SN_RESULT_BAD_DATA, "has a zero byte, expected text", "", 0);
}

// Lines between two words with the listener: some hundred microseconds.
#define TOLD_LINES 1024

static snResult tell(const Reader* r) {
    size_t done = (size_t)(r->p - (const char*)r->source->data);
    return sni_source_tell(r->source, SNI_PARSED * (float)done / (float)r->source->size);
}

static snResult read_lines(Reader* r) {
    SNI_TRY(open_text(r));
    while (r->p < r->end) {
        SNI_TRY(read_statement(r));
        next_line(r);
        if (r->line % TOLD_LINES == 0) SNI_TRY(tell(r));
    }
    if (r->positions.count == 0) {
        r->line = 1; // the whole file
        return fail_line(r, SN_RESULT_BAD_DATA, "has no vertices", "", 0);
    }
    if (r->positions.count >= SN_NONE) {
        return fail_line(r, SN_RESULT_UNSUPPORTED, "there are more than 4294967294 vertices", "", 0);
    }
    // The end of the last face.
    return push_index(r, &r->starts, (uint32_t)r->corners.count) ? SN_RESULT_OK : sni_fail_memory(r->error);
}

// ------------------------------------------------------------------------------------------------- model

static void write_notes(const Reader* r, snNotes* notes) {
    if (r->lit && r->unlit_corners)
        sni_note(notes, "some face corners have no normal; all normals were left out");
    if (r->materials > 0) sni_note(notes, "materials (mtllib, usemtl) are not read");
    if (r->ignored > 0) {
        sni_note(notes, "%" PRIu64 " statements other than v, vt, vn, f, g, o and s were ignored",
                 r->ignored);
    }
}

static snResult make_model(const Reader* r, const char** group_names, const snReadDef* def, snModel** out) {
    size_t groups = r->group_offsets.count;
    bool lit = r->lit && !r->unlit_corners;
    for (size_t g = 0; g < groups; g++) group_names[g] = group_name(r, g);
    snVec3* positions = r->positions.items;
    for (size_t v = 0; v < r->positions.count && def->unit != 1.0f; v++) {
        positions[v] = sn_scale(positions[v], def->unit);
    }
    snMeshDef mesh = {.vertex_count = (uint32_t)r->positions.count,
                      .face_count = (uint32_t)r->starts.count - 1,
                      .corner_count = (uint32_t)r->corners.count,
                      .positions = positions,
                      .face_starts = r->starts.items,
                      .corners = r->corners.items,
                      .normal_count = lit ? (uint32_t)r->normals.count : 0,
                      .normals = lit ? r->normals.items : NULL,
                      .corner_normals = lit ? r->corner_normals.items : NULL,
                      .uv_count = r->textured ? (uint32_t)r->uvs.count : 0,
                      .uvs = r->textured ? r->uvs.items : NULL,
                      .corner_uvs = r->textured ? r->corner_uvs.items : NULL,
                      .colors = r->colored ? r->colors.items : NULL,
                      .group_count = (uint32_t)groups,
                      .group_names = group_names,
                      .face_groups = groups > 0 ? r->face_groups.items : NULL};
    char stem[256];
    size_t folder = sni_path_folder(r->name);
    int length = (int)(sni_path_extension(r->name) - r->name - (ptrdiff_t)folder);
    snprintf(stem, sizeof stem, "%.*s", length, r->name + folder);
    const char* joint_name = stem;
    uint32_t parent = SN_NONE;
    snTrs rest = sn_trs_identity();
    snSkeletonDef skeleton = {1, &joint_name, &parent, &rest};
    snPartDef part = {.name = stem, .mesh = &mesh, .joint = 0, .skin = SN_NONE};
    snModelDef model = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    return sni_source_model(r->source, &model, out);
}

snResult sni_obj_read(const sniSource* source, snModel** out) {
    const snAllocator* allocator = &source->allocator;
    const char* text = (const char*)source->data;
    Reader reader = {.source = source,
                     .p = text,
                     .end = text + source->size,
                     .line = 1,
                     .name = source->name,
                     .allocator = *allocator,
                     .error = source->error,
                     .group_text = sni_bytes(allocator),
                     .group = SN_NONE};
    snResult result = read_lines(&reader);
    if (result == SN_RESULT_OK) {
        const char** names = SNI_NEW_ARRAY(allocator, const char*, reader.group_offsets.count);
        result =
            names != NULL ? make_model(&reader, names, source->def, out) : sni_fail_memory(source->error);
        sni_free(allocator, names);
    }
    if (result == SN_RESULT_OK) write_notes(&reader, source->def->notes);
    List* lists[] = {&reader.positions,   &reader.colors,        &reader.uvs,        &reader.normals,
                     &reader.starts,      &reader.corners,       &reader.corner_uvs, &reader.corner_normals,
                     &reader.face_groups, &reader.group_offsets, &reader.group_slots};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) sni_free(allocator, lists[i]->items);
    sni_bytes_free(&reader.group_text);
    return result;
}
