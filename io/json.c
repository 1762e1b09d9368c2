#include "json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "number.h"

// ---------------------------------------------------------------------------------------------- reading

size_t sni_json_estimate(const char* text, size_t size) {
    // Measured with jansson 2.14 on 64 bits and glibc: an empty object takes 235 bytes, an empty array 139, a
    // number 43, an empty string 91, a member of a large object 133. The factors below are about twice that,
    // which covers tables that grow and the copy of a string while it is parsed.
    size_t containers = 0, members = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted) {
            containers += c == '{' || c == '[';
            members += c == ',' || c == ':';
        }
    }
    size_t bytes = 4096;
    if (size > (SIZE_MAX - bytes) / 600) return SIZE_MAX;
    return bytes + 2 * size + 400 * containers + 160 * members;
}

snResult sni_json_parse(const char* text, size_t size, sniJsonValue** out, size_t* offset, snError* error) {
    json_error_t problem;
    json_t* value = json_loadb(text, size, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &problem);
    if (value != NULL) {
        *out = value;
        return SN_RESULT_OK;
    }
    *offset = problem.position > 0 ? (size_t)problem.position : 0;
    if (*offset > size) *offset = size;
    if (json_error_code(&problem) == json_error_out_of_memory) return sni_fail_memory(error);
    return sni_fail(error, SN_RESULT_BAD_DATA, "JSON: %s", problem.text);
}

void sni_json_free(sniJsonValue* value) { json_decref(value); }

sniJsonValue* sni_json_copy(const sniJsonValue* value) { return json_deep_copy(value); }

sniJson sni_json_root(sniJsonValue* value) {
    sniJson json = {value, ""};
    return json;
}

sniJson sni_json_get(const sniJson* object, const char* key) {
    sniJson member = {json_object_get(object->value, key), ""};
    size_t length = strlen(object->at);
    memcpy(member.at, object->at, length + 1);
    snprintf(member.at + length, sizeof member.at - length, "/%s", key);
    return member;
}

sniJson sni_json_get_either(const sniJson* object, const char* key, const char* old) {
    sniJson member = sni_json_get(object, key);
    return member.value != NULL ? member : sni_json_get(object, old);
}

sniJson sni_json_item(const sniJson* array, size_t index) {
    sniJson item = {json_array_get(array->value, index), ""};
    size_t length = strlen(array->at);
    memcpy(item.at, array->at, length + 1);
    snprintf(item.at + length, sizeof item.at - length, "/%zu", index);
    return item;
}

size_t sni_json_length(const sniJson* array) { return json_array_size(array->value); }

size_t sni_json_members(const sniJson* object) { return json_object_size(object->value); }
bool sni_json_is_object(const sniJson* json) { return json_is_object(json->value); }
bool sni_json_is_array(const sniJson* json) { return json_is_array(json->value); }
bool sni_json_is_true(const sniJson* json) { return json_is_true(json->value); }
bool sni_json_is_false(const sniJson* json) { return json_is_false(json->value); }
const char* sni_json_text(const sniJson* json) { return json_string_value(json->value); }
size_t sni_json_text_length(const sniJson* json) { return json_string_length(json->value); }

bool sni_json_number(const sniJson* json, double* out) {
    if (!json_is_number(json->value)) return false;
    *out = json_number_value(json->value);
    return true;
}

bool sni_json_whole(const sniJson* json, int64_t* out) {
    if (!json_is_number(json->value)) return false;
    double real = json_number_value(json->value);
    if (!(fabs(real) <= (double)SNI_JSON_WHOLE_MAX) || real != floor(real)) return false;
    *out = (int64_t)real;
    return true;
}

bool sni_json_equal(const sniJsonValue* a, const sniJsonValue* b) {
    return a == b || (a != NULL && b != NULL && json_equal(a, b));
}

void sni_json_describe(const sniJson* json, char* out, size_t capacity) {
    const json_t* value = json->value;
    char number[SNI_NUMBER_MAX];
    if (value == NULL)
        snprintf(out, capacity, "missing");
    else if (json_is_object(value))
        snprintf(out, capacity, "an object");
    else if (json_is_array(value))
        snprintf(out, capacity, "a list");
    else if (json_is_string(value))
        snprintf(out, capacity, "\"%.40s\"", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(out, capacity, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value)) {
        sni_print_double(json_real_value(value), number);
        snprintf(out, capacity, "%s", number);
    } else
        snprintf(out, capacity, json_is_null(value) ? "null" : json_is_true(value) ? "true" : "false");
}

// ---------------------------------------------------------------------------------------------- locating
// The text has been parsed, so it is well formed; the walk is still bounded by `end` everywhere.

static const char* skip_space(const char* p, const char* end) {
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) p++;
    return p;
}

static const char* skip_string(const char* p, const char* end) {
    for (p++; p < end && *p != '"'; p++) {
        if (*p == '\\') p++;
    }
    return p < end ? p + 1 : end;
}

static const char* skip_value(const char* p, const char* end) {
    size_t depth = 0;
    while (p < end) {
        if (*p == '"') {
            p = skip_string(p, end);
        } else {
            if (depth == 0 && (*p == ',' || *p == '}' || *p == ']')) return p;
            if (*p == '{' || *p == '[') depth++;
            if (*p == '}' || *p == ']') depth--;
            p++;
        }
        if (depth == 0 && p < end && (*p == ',' || *p == '}' || *p == ']')) return p;
    }
    return end;
}

// From an opening bracket to the member or element `token` names; NULL when it has none.
static const char* step_into(const char* p, const char* end, const char* token, size_t length) {
    bool object = *p == '{';
    if (!object && *p != '[') return NULL;
    size_t wanted = 0;
    for (size_t i = 0; i < length && !object; i++) wanted = wanted * 10 + (size_t)(token[i] - '0');
    p = skip_space(p + 1, end);
    for (size_t index = 0; p < end && *p != '}' && *p != ']'; index++) {
        bool match = index == wanted;
        if (object) {
            const char* key = p + 1;
            p = skip_string(p, end);
            match = (size_t)(p - key) == length + 1 && memcmp(key, token, length) == 0;
            p = skip_space(p, end);
            if (p < end && *p == ':') p = skip_space(p + 1, end);
        }
        if (match) return p;
        p = skip_value(p, end);
        if (p < end && *p == ',') p = skip_space(p + 1, end);
    }
    return NULL;
}

size_t sni_json_locate(const char* text, size_t size, const char* pointer) {
    const char* end = text + size;
    const char* p = skip_space(text, end);
    while (*pointer == '/' && p < end) {
        const char* token = pointer + 1;
        size_t length = strcspn(token, "/");
        const char* found = step_into(p, end, token, length);
        if (found == NULL) break;
        p = found;
        pointer = token + length;
    }
    return (size_t)(p - text);
}

// ---------------------------------------------------------------------------------------------- writing

sniJsonValue* sni_json_object(void) { return json_object(); }
sniJsonValue* sni_json_array(void) { return json_array(); }
sniJsonValue* sni_json_uint(uint64_t number) { return json_integer((json_int_t)number); }
sniJsonValue* sni_json_bool(bool value) { return json_boolean(value); }

sniJsonValue* sni_json_real(double number) {
    // A float's own digits ("0.1") rather than those of the double it widens to ("0.10000000149011612").
    float single = (float)number;
    return json_real((double)single == number ? sni_widen_decimal(single) : number);
}

// Replaces every byte that does not belong to a well-formed UTF-8 sequence.
static sniJsonValue* string_repaired(const char* text) {
    json_t* value = json_stringn("", 0);
    size_t length = strlen(text);
    char* copy = malloc(length + 1);
    if (value == NULL || copy == NULL) {
        json_decref(value);
        free(copy);
        return NULL;
    }
    for (size_t i = 0; i <= length; i++) copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    int failed = json_string_setn(value, copy, length);
    free(copy);
    if (failed == 0) return value;
    json_decref(value);
    return NULL;
}

sniJsonValue* sni_json_string(const char* text) {
    json_t* value = json_string(text);
    return value != NULL ? value : string_repaired(text);
}

sniJsonValue* sni_json_floats(const float* values, size_t count) {
    sniJsonValue* array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++) {
        if (!sni_json_add(array, sni_json_real((double)values[i]))) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

bool sni_json_set(sniJsonValue* object, const char* key, sniJsonValue* value) {
    return json_object_set_new(object, key, value) == 0;
}

bool sni_json_add(sniJsonValue* array, sniJsonValue* value) {
    return json_array_append_new(array, value) == 0;
}

bool sni_json_put(sniJsonValue* array, size_t index, sniJsonValue* value) {
    return json_array_set_new(array, index, value) == 0;
}

bool sni_json_merge(sniJsonValue* object, const sniJsonValue* from) {
    return json_object_update(object, (sniJsonValue*)from) == 0;
}

void sni_json_remove(sniJsonValue* object, const char* key) { json_object_del(object, key); }

void sni_json_remove_item(sniJsonValue* array, size_t index) { json_array_remove(array, index); }

bool sni_json_move_first(sniJsonValue* array, size_t index) {
    json_t* item = json_array_get(array, index);
    if (item == NULL) return false;
    json_incref(item);
    json_array_remove(array, index);
    return json_array_insert_new(array, 0, item) == 0;
}

sniJsonValue* sni_json_find(const sniJsonValue* object, const char* key) {
    return json_object_get(object, key);
}

sniJsonValue* sni_json_element(const sniJsonValue* array, size_t index) {
    return json_array_get(array, index);
}

size_t sni_json_count(const sniJsonValue* array) { return json_array_size(array); }
bool sni_json_empty(const sniJsonValue* object) { return json_object_size(object) == 0; }

sniJsonValue* sni_json_list(sniJsonValue* object, const char* key) {
    json_t* list = json_object_get(object, key);
    if (list != NULL) return json_is_array(list) ? list : NULL;
    return sni_json_set(object, key, json_array()) ? json_object_get(object, key) : NULL;
}

void sni_json_each(sniJsonValue* object, sniJsonVisitFn* visit, void* user) {
    for (void* i = json_object_iter(object); i != NULL; i = json_object_iter_next(object, i)) {
        visit(user, json_object_iter_key(i), json_object_iter_value(i));
    }
}

// --------------------------------------------------------------------------------------------- printing

static void print_string(const char* text, size_t length, sniBytes* out) {
    static const char hex[] = "0123456789abcdef";
    sni_bytes_text(out, "\"");
    size_t begin = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c != '"' && c != '\\') continue;
        sni_bytes_add(out, text + begin, i - begin);
        begin = i + 1;
        char escape[7] = {'\\', (char)c, 0, 0, 0, 0, 0};
        if (c == '\n')
            escape[1] = 'n';
        else if (c == '\t')
            escape[1] = 't';
        else if (c == '\r')
            escape[1] = 'r';
        else if (c < 0x20)
            memcpy(escape + 1, (char[]){'u', '0', '0', hex[c >> 4], hex[c & 15]}, 5);
        sni_bytes_text(out, escape);
    }
    sni_bytes_add(out, text + begin, length - begin);
    sni_bytes_text(out, "\"");
}

static void print_scalar(const json_t* value, sniBytes* out) {
    char text[SNI_NUMBER_MAX];
    switch (json_typeof(value)) {
    case JSON_STRING:
        print_string(json_string_value(value), json_string_length(value), out);
        return;
    case JSON_INTEGER:
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        sni_bytes_text(out, text);
        return;
    case JSON_REAL:
        sni_print_double(json_real_value(value), text);
        sni_bytes_text(out, text);
        if (strpbrk(text, ".e") == NULL) sni_bytes_text(out, ".0"); // stays a real when read again
        return;
    default:
        sni_bytes_text(out, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
    }
}

typedef enum Style { STYLE_COMPACT, STYLE_LINE, STYLE_PRETTY } Style;

static void print_break(bool lines, int depth, sniBytes* out) {
    if (!lines) return;
    sni_bytes_text(out, "\n");
    for (int i = 0; i < depth; i++) sni_bytes_text(out, "  ");
}

static bool is_plain_list(const json_t* array) {
    size_t index;
    json_t* item;
    json_array_foreach(array, index, item) {
        if (json_is_object(item) || json_is_array(item)) return false;
    }
    return true;
}

static void print_value(const json_t* value, Style style, int depth, sniBytes* out);

static void print_array(const json_t* value, Style style, int depth, sniBytes* out) {
    bool lines = style == STYLE_PRETTY && !is_plain_list(value);
    size_t index;
    json_t* item;
    sni_bytes_text(out, "[");
    json_array_foreach(value, index, item) {
        if (index > 0) sni_bytes_text(out, style != STYLE_COMPACT && !lines ? ", " : ",");
        print_break(lines, depth + 1, out);
        print_value(item, style, depth + 1, out);
    }
    if (json_array_size(value) > 0) print_break(lines, depth, out);
    sni_bytes_text(out, "]");
}

static void print_object(json_t* value, Style style, int depth, sniBytes* out) {
    bool first = true;
    sni_bytes_text(out, "{");
    for (void* i = json_object_iter(value); i != NULL; i = json_object_iter_next(value, i)) {
        if (!first) sni_bytes_text(out, style == STYLE_LINE ? ", " : ",");
        first = false;
        print_break(style == STYLE_PRETTY, depth + 1, out);
        const char* key = json_object_iter_key(i);
        print_string(key, strlen(key), out);
        sni_bytes_text(out, style != STYLE_COMPACT ? ": " : ":");
        print_value(json_object_iter_value(i), style, depth + 1, out);
    }
    if (!first) print_break(style == STYLE_PRETTY, depth, out);
    sni_bytes_text(out, "}");
}

// Depth is bounded by jansson's parser (2048 levels).
static void print_value(const json_t* value, Style style, int depth, sniBytes* out) {
    if (json_is_object(value))
        print_object((json_t*)value, style, depth, out);
    else if (json_is_array(value))
        print_array(value, style, depth, out);
    else
        print_scalar(value, out);
}

void sni_json_print(const sniJsonValue* value, bool pretty, sniBytes* out) {
    print_value(value, pretty ? STYLE_PRETTY : STYLE_COMPACT, 0, out);
}

void sni_json_print_line(const sniJsonValue* value, sniBytes* out) { print_value(value, STYLE_LINE, 0, out); }
