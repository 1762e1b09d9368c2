#include "text.h"

#include "gltf.h"
#include "number.h"

sniText sni_text(const sniSource* source, char comment) {
    const char* begin = (const char*)source->data;
    sniText text = {.p = begin,
                    .begin = begin,
                    .end = begin + source->size,
                    .line = 1,
                    .comment = comment,
                    .name = source->name,
                    .error = source->error,
                    .source = source};
    // A byte order mark is no part of the text.
    if (source->size >= 3 && memcmp(begin, "\xef\xbb\xbf", 3) == 0) text.p += 3;
    return text;
}

// Rows between two words: some hundred microseconds.
#define TICKS 1024

snResult sni_text_tell(sniText* text) {
    if (++text->ticks % TICKS != 0) return SN_RESULT_OK;
    return sni_source_tell(text->source,
                           SNI_PARSED * (float)(text->p - text->begin) / (float)(text->end - text->begin));
}

snResult sni_text_fail(const sniText* text, const char* format, ...) {
    snError* error = text->error;
    if (error == NULL) return SN_RESULT_BAD_DATA;
    *error = sn_error_none();
    error->code = SN_RESULT_BAD_DATA;
    error->line = text->line;
    snprintf(error->file, sizeof error->file, "%s", text->name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return SN_RESULT_BAD_DATA;
}

snResult sni_text_expected(const sniText* text, const char* what) {
    size_t length = sni_text_token(text);
    char found[41];
    if (length > sizeof found - 1) length = sizeof found - 1;
    for (size_t i = 0; i < length; i++) {
        found[i] = text->p[i] >= ' ' && text->p[i] <= '~' ? text->p[i] : '?'; // a binary file may be here
    }
    found[length] = '\0';
    if (length > 0) return sni_text_fail(text, "expected %s, found %s", what, found);
    return sni_text_fail(text, "expected %s, found the end of the %s", what,
                         text->p < text->end ? "line" : "file");
}

size_t sni_text_left(const sniText* text) { return (size_t)(text->end - text->p); }

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
static bool is_break(char c) { return c == '\n' || c == '\r'; }
static bool is_comment(const sniText* text, char c) { return text->comment != 0 && c == text->comment; }

bool sni_text_at_line_end(const sniText* text) {
    return text->p >= text->end || is_break(*text->p) || is_comment(text, *text->p);
}

void sni_text_blanks(sniText* text) {
    while (text->p < text->end && is_blank(*text->p)) text->p++;
}

void sni_text_next_line(sniText* text) {
    while (text->p < text->end && !is_break(*text->p)) text->p++;
    if (text->p >= text->end) return;
    bool pair = *text->p == '\r' && text->p + 1 < text->end && text->p[1] == '\n';
    text->p += pair ? 2 : 1;
    text->line++;
}

void sni_text_space(sniText* text) {
    for (sni_text_blanks(text); text->p < text->end && sni_text_at_line_end(text); sni_text_blanks(text)) {
        sni_text_next_line(text);
    }
}

size_t sni_text_token(const sniText* text) {
    const char* p = text->p;
    while (p < text->end && !is_blank(*p) && !is_break(*p) && !is_comment(text, *p)) p++;
    return (size_t)(p - text->p);
}

bool sni_text_is(const sniText* text, const char* word) {
    size_t length = sni_text_token(text);
    if (length != strlen(word)) return false;
    for (size_t i = 0; i < length; i++) {
        char c = text->p[i];
        if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
        if (c != word[i]) return false;
    }
    return true;
}

bool sni_text_take(sniText* text, const char* word) {
    if (!sni_text_is(text, word)) return false;
    text->p += strlen(word);
    return true;
}

static bool at_token_end(const sniText* text, const char* p) {
    return p >= text->end || is_blank(*p) || is_break(*p) || is_comment(text, *p);
}

snResult sni_text_float(sniText* text, float* out) {
    sni_text_blanks(text);
    float value = 0.0f;
    const char* after = sni_parse_float(text->p, text->end, &value);
    if (after == NULL || !at_token_end(text, after)) return sni_text_expected(text, "a number");
    if (!sn_finite(value)) return sni_text_expected(text, "a number that fits a float");
    text->p = after;
    *out = value;
    return SN_RESULT_OK;
}

snResult sni_text_floats(sniText* text, uint32_t count, float* out) {
    for (uint32_t i = 0; i < count; i++) SNI_TRY(sni_text_float(text, &out[i]));
    return SN_RESULT_OK;
}

snResult sni_text_whole(sniText* text, uint64_t most, uint64_t* out) {
    sni_text_blanks(text);
    uint64_t value = 0;
    const char* p = text->p;
    for (; p < text->end && *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (digit > most || value > (most - digit) / 10) {
            char what[64];
            snprintf(what, sizeof what, "a whole number up to %llu", (unsigned long long)most);
            return sni_text_expected(text, what);
        }
        value = value * 10 + digit;
    }
    if (p == text->p || !at_token_end(text, p)) return sni_text_expected(text, "a whole number");
    text->p = p;
    *out = value;
    return SN_RESULT_OK;
}

bool sni_list_push(const snAllocator* allocator, sniList* list, const void* item, size_t size) {
    if (!sni_grow(allocator, &list->items, &list->capacity, list->count + 1, size)) return false;
    memcpy((uint8_t*)list->items + list->count * size, item, size);
    list->count++;
    return true;
}
