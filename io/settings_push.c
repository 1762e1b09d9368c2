// A push as one line of text: WHERE=DX,DY,DZ@T0-T1.
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "number.h"
#include "sinew/io.h"

// Three numbers with commas between them, up to `end`.
static bool read_vec3(const char* text, const char* end, snVec3* out) {
    float* to[3] = {&out->x, &out->y, &out->z};
    for (int i = 0; i < 3; i++) {
        text = sni_parse_float(text, end, to[i]);
        if (text == NULL) return false;
        if (i < 2 && (text == end || *text++ != ',')) return false;
    }
    return text == end;
}

static bool read_times(const char* text, const char* end, snPush* out) {
    text = sni_parse_float(text, end, &out->from);
    if (text == NULL || text == end || *text++ != '-') return false;
    return sni_parse_float(text, end, &out->to) == end;
}

snResult sn_settings_add_push_text(snSettings* settings, const char* text, snError* error) {
    const char *equals = strchr(text, '='), *at = strrchr(text, '@'), *end = text + strlen(text);
    snPush push = {0};
    if (equals == NULL || equals == text || at == NULL || at < equals ||
        !read_vec3(equals + 1, at, &push.move) || !read_times(at + 1, end, &push))
        return sni_fail(
            error, SN_RESULT_BAD_DATA,
            "WHERE=DX,DY,DZ@T0-T1 is expected: a joint, or a place X,Y,Z, metres, and seconds, as in "
            "Spine=0,0,-0.05@0.5-0.8");
    bool place = read_vec3(text, equals, &push.place);
    size_t length = place ? 0 : (size_t)(equals - text);
    if (!place) push.place = sn_vec3(0.0f, 0.0f, 0.0f); // the joint itself
    push.joint = SNI_NEW_ARRAY(&settings->allocator, char, length + 1);
    if (push.joint == NULL) return sni_fail_memory(error);
    memcpy(push.joint, text, length);
    snResult result = sn_settings_add_push(settings, &push, error);
    sni_free(&settings->allocator, push.joint);
    return result;
}
