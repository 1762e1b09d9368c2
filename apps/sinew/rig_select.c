// Selections as words of the command line.
#include <stdio.h>
#include <string.h>

#include "io/number.h"
#include "ramp.h"
#include "rig_edit.h"

bool rig_numbers(const char* text, float* out, uint32_t count) {
    const char* end = text + strlen(text);
    for (uint32_t i = 0; i < count; i++) {
        text = sni_parse_float(text, end, &out[i]);
        if (text == NULL || !sn_finite(out[i]) || *text != (i + 1 < count ? ',' : '\0')) return false;
        text++;
    }
    return true;
}

bool rig_whole(const char* text, uint32_t* out) {
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 9 || text[digits] != '\0') return false;
    *out = 0;
    for (size_t i = 0; i < digits; i++) *out = *out * 10 + (uint32_t)(text[i] - '0');
    return true;
}

static cliExit expected(const cliEdit* edit, const char* text, const char* form) {
    return cli_usage(edit->context->arguments->verb, "%s: %s is expected", text, form);
}

static cliExit select_box(const cliEdit* edit, const char* text, const char* value, snCombine combine,
                          uint8_t* marks) {
    float n[6];
    if (!rig_numbers(value, n, 6)) return expected(edit, text, "box:x0,y0,z0,x1,y1,z1");
    snBounds box =
        sn_bounds_add(sn_bounds_add(sn_bounds_empty(), sn_vec3(n[0], n[1], n[2])), sn_vec3(n[3], n[4], n[5]));
    sn_select_bounds(edit->selector, NULL, box, combine, marks);
    return CLI_DONE;
}

static cliExit select_ball(const cliEdit* edit, const char* text, const char* value, snCombine combine,
                           uint8_t* marks) {
    float n[4];
    if (!rig_numbers(value, n, 4) || !(n[3] >= 0.0f)) return expected(edit, text, "ball:x,y,z,radius");
    sn_select_ball(edit->selector, NULL, sn_vec3(n[0], n[1], n[2]), n[3], combine, marks);
    return CLI_DONE;
}

static cliExit select_brush(const cliEdit* edit, const char* text, const char* value, snCombine combine,
                            uint8_t* marks) {
    char word[16];
    float radius = 0.0f;
    uint32_t vertex = 0;
    size_t digits = strcspn(value, ",");
    snprintf(word, sizeof word, "%.*s", (int)(digits < sizeof word ? digits : 0), value);
    bool right = value[digits] == ',' && rig_whole(word, &vertex) &&
                 rig_numbers(value + digits + 1, &radius, 1) && radius >= 0.0f;
    if (!right) return expected(edit, text, "brush:VERTEX,radius");
    if (vertex >= edit->mesh->vertex_count) {
        return cli_usage(edit->context->arguments->verb, "%s: the mesh has %u vertices", text,
                         edit->mesh->vertex_count);
    }
    sn_select_brush(edit->selector, NULL, vertex, radius, combine, marks, NULL);
    return CLI_DONE;
}

static cliExit select_group(const cliEdit* edit, const char* text, const char* value, snCombine combine,
                            uint8_t* marks) {
    if (sn_select_group(edit->selector, value, combine, marks, NULL) == SN_RESULT_OK) return CLI_DONE;
    const snMesh* mesh = edit->mesh;
    cliHint hint = cli_hint(value, (const char* const*)mesh->group_names, mesh->group_count);
    return cli_usage(edit->context->arguments->verb, "%s: there is no such group%s", text, hint.text);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static cliExit select_color(const cliEdit* edit, const char* text, const char* value, snCombine combine,
                            uint8_t* marks) {
    float rgb[3], tolerance = 0.02f;
    bool right = strlen(value) >= 7 && value[0] == '#';
    for (int i = 0; i < 3 && right; i++) {
        int high = hex_digit(value[1 + 2 * i]), low = hex_digit(value[2 + 2 * i]);
        right = high >= 0 && low >= 0;
        rgb[i] = right ? sn_srgb_decode((float)(16 * high + low) / 255.0f) : 0.0f;
    }
    if (right && value[7] != '\0') right = value[7] == ',' && rig_numbers(value + 8, &tolerance, 1);
    if (!right) return expected(edit, text, "color:#rrggbb[,TOLERANCE]");
    snError error = sn_error_none();
    snResult result =
        sn_select_color(edit->selector, sn_vec3(rgb[0], rgb[1], rgb[2]), tolerance, combine, marks, &error);
    return result == SN_RESULT_OK ? CLI_DONE
                                  : cli_usage(edit->context->arguments->verb, "%s: %s", text, error.text);
}

static cliExit select_joint(const cliEdit* edit, const char* text, const char* value, snCombine combine,
                            uint8_t* marks) {
    uint32_t joint = SN_NONE;
    (void)text;
    cliExit code = context_find_joint(edit->context, edit->model, "joint:", value, &joint);
    if (code == CLI_DONE) sn_select_joint(edit->model, joint, 0.5f, combine, marks);
    return code;
}

cliExit rig_select(const cliEdit* edit, const char* text, snCombine combine, uint8_t* marks) {
    typedef cliExit SelectFn(const cliEdit*, const char*, const char*, snCombine, uint8_t*);
    static const struct {
        const char* word;
        SelectFn* select;
    } kinds[] = {{"box:", select_box},     {"ball:", select_ball},   {"brush:", select_brush},
                 {"group:", select_group}, {"color:", select_color}, {"joint:", select_joint}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i].word);
        if (strncmp(text, kinds[i].word, length) == 0)
            return kinds[i].select(edit, text, text + length, combine, marks);
    }
    return expected(edit, text, "box:, ball:, brush:, group:, color: or joint:");
}
