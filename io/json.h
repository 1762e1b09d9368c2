// The one seam to jansson: nothing else in Sinew includes its header.
//
// Reading goes through sniJson, a value that knows its place: every step down extends a JSON pointer, so an
// error can always say "/accessors/3/count". Writing goes through builders that accept NULL (an allocation
// that failed) and pass it on, so a writer checks once at the end.
#ifndef SNI_IO_JSON_H
#define SNI_IO_JSON_H

#include "bytes.h"

typedef struct json_t sniJsonValue;

#define SNI_POINTER_MAX 128

typedef struct sniJson {
    sniJsonValue* value; // borrowed; NULL: not there
    char at[SNI_POINTER_MAX];
} sniJson;

// ---------------------------------------------------------------------------------------------- reading

// An upper estimate of the memory the parsed tree takes, from one look over the text. jansson allocates
// through malloc, so this is what a memory limit can refuse beforehand.
size_t sni_json_estimate(const char* text, size_t size);
// Parses UTF-8 text; duplicate keys are refused. On failure fills `error` with the sentence and `offset` with
// the byte it is about.
snResult sni_json_parse(const char* text, size_t size, sniJsonValue** out, size_t* offset, snError* error);
void sni_json_free(sniJsonValue* value);
sniJsonValue* sni_json_copy(const sniJsonValue* value); // deep; NULL when out of memory

sniJson sni_json_root(sniJsonValue* value);
sniJson sni_json_get(const sniJson* object, const char* key);
// The same of a key that files before version 0.2 called otherwise.
sniJson sni_json_get_either(const sniJson* object, const char* key, const char* old);
sniJson sni_json_item(const sniJson* array, size_t index);
size_t sni_json_length(const sniJson* array);   // 0 for anything that is no array
size_t sni_json_members(const sniJson* object); // 0 for anything that is no object

bool sni_json_is_object(const sniJson* json);
bool sni_json_is_array(const sniJson* json);
bool sni_json_is_true(const sniJson* json);
bool sni_json_is_false(const sniJson* json);
const char* sni_json_text(const sniJson* json); // NULL for anything that is no string
size_t sni_json_text_length(const sniJson* json);
bool sni_json_number(const sniJson* json, double* out);
// Whole numbers, also written as 3.0. False when it is none or beyond 2^53, where doubles have gaps.
#define SNI_JSON_WHOLE_MAX UINT64_C(9007199254740992)
bool sni_json_whole(const sniJson* json, int64_t* out);
bool sni_json_equal(const sniJsonValue* a, const sniJsonValue* b);
// What stands there, for an error message: "-1", "\"text\"", "a list", "missing".
void sni_json_describe(const sniJson* json, char* out, size_t capacity);

// Byte offset of the value a JSON pointer names, or of the deepest parent that exists.
size_t sni_json_locate(const char* text, size_t size, const char* pointer);

// ---------------------------------------------------------------------------------------------- writing

sniJsonValue* sni_json_object(void);
sniJsonValue* sni_json_array(void);
sniJsonValue* sni_json_uint(uint64_t number);
sniJsonValue* sni_json_real(double number);      // the float's shortest digits where it is one
sniJsonValue* sni_json_string(const char* text); // bytes that are no UTF-8 become '?'
sniJsonValue* sni_json_bool(bool value);
// An array of floats.
sniJsonValue* sni_json_floats(const float* values, size_t count);

// These take over `value`, also when they fail (false: out of memory or value NULL).
bool sni_json_set(sniJsonValue* object, const char* key, sniJsonValue* value);
bool sni_json_add(sniJsonValue* array, sniJsonValue* value);
bool sni_json_put(sniJsonValue* array, size_t index, sniJsonValue* value);
// Adds every member of `from`, which keeps them too. False: out of memory.
bool sni_json_merge(sniJsonValue* object, const sniJsonValue* from);
void sni_json_remove(sniJsonValue* object, const char* key);
void sni_json_remove_item(sniJsonValue* array, size_t index);
// Moves an item to the front, keeping the order of the others.
bool sni_json_move_first(sniJsonValue* array, size_t index);
sniJsonValue* sni_json_find(const sniJsonValue* object, const char* key); // borrowed or NULL
sniJsonValue* sni_json_element(const sniJsonValue* array, size_t index);  // borrowed or NULL
size_t sni_json_count(const sniJsonValue* array);                         // 0 for NULL
bool sni_json_empty(const sniJsonValue* object);                          // has no members
// The array under a key, made when missing; NULL when out of memory or when something else stands there.
sniJsonValue* sni_json_list(sniJsonValue* object, const char* key);
// Calls `visit` for every member in order.
typedef void sniJsonVisitFn(void* user, const char* key, sniJsonValue* value);
void sni_json_each(sniJsonValue* object, sniJsonVisitFn* visit, void* user);

// Prints with keys in their order and numbers in their shortest exact digits. `pretty`: two spaces a level,
// lists of plain values on one line.
void sni_json_print(const sniJsonValue* value, bool pretty, sniBytes* out);
// The same on one line, with spaces for the eye.
void sni_json_print_line(const sniJsonValue* value, sniBytes* out);

#endif
