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

static cliExit read_box(const cliEdit* edit, const char* text, const char* value, snWhere* out) {
    float n[6];
    if (!rig_numbers(value, n, 6)) return expected(edit, text, "box:x0,y0,z0,x1,y1,z1");
    out->kind = SN_WHERE_BOX;
    out->box =
        sn_bounds_add(sn_bounds_add(sn_bounds_empty(), sn_vec3(n[0], n[1], n[2])), sn_vec3(n[3], n[4], n[5]));
    return CLI_DONE;
}

static cliExit read_ball(const cliEdit* edit, const char* text, const char* value, snWhere* out) {
    float n[4];
    if (!rig_numbers(value, n, 4) || !(n[3] >= 0.0f)) return expected(edit, text, "ball:x,y,z,radius");
    out->kind = SN_WHERE_BALL;
    out->point = sn_vec3(n[0], n[1], n[2]);
    out->radius = n[3];
    return CLI_DONE;
}

static cliExit read_brush(const cliEdit* edit, const char* text, const char* value, snWhere* out) {
    char word[16];
    size_t digits = strcspn(value, ",");
    snprintf(word, sizeof word, "%.*s", (int)(digits < sizeof word ? digits : 0), value);
    bool right = value[digits] == ',' && rig_whole(word, &out->vertex) &&
                 rig_numbers(value + digits + 1, &out->radius, 1) && out->radius >= 0.0f;
    if (!right) return expected(edit, text, "brush:VERTEX,radius");
    out->kind = SN_WHERE_BRUSH;
    return CLI_DONE;
}

static cliExit read_group(const cliEdit* edit, const char* text, const char* value, snWhere* out) {
    (void)edit;
    (void)text;
    out->kind = SN_WHERE_GROUP;
    out->name = value;
    return CLI_DONE;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static cliExit read_color(const cliEdit* edit, const char* text, const char* value, snWhere* out) {
    float rgb[3];
    bool right = strlen(value) >= 7 && value[0] == '#';
    for (int i = 0; i < 3 && right; i++) {
        int high = hex_digit(value[1 + 2 * i]), low = hex_digit(value[2 + 2 * i]);
        right = high >= 0 && low >= 0;
        rgb[i] = right ? sn_srgb_decode((float)(16 * high + low) / 255.0f) : 0.0f;
    }
    out->radius = 0.02f;
    if (right && value[7] != '\0') right = value[7] == ',' && rig_numbers(value + 8, &out->radius, 1);
    if (!right) return expected(edit, text, "color:#rrggbb[,TOLERANCE]");
    out->kind = SN_WHERE_COLOR;
    out->point = sn_vec3(rgb[0], rgb[1], rgb[2]);
    return CLI_DONE;
}

static cliExit read_joint(const cliEdit* edit, const char* text, const char* value, snWhere* out) {
    (void)text;
    out->kind = SN_WHERE_JOINT;
    return context_find_joint(edit->context, edit->model, "joint:", value, &out->joint);
}

cliExit rig_where(const cliEdit* edit, const char* text, snWhere* out) {
    typedef cliExit ReadFn(const cliEdit*, const char*, const char*, snWhere*);
    static const struct {
        const char* word;
        ReadFn* read;
    } kinds[] = {{"box:", read_box},     {"ball:", read_ball},   {"brush:", read_brush},
                 {"group:", read_group}, {"color:", read_color}, {"joint:", read_joint}};
    *out = (snWhere){0};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i].word);
        if (strncmp(text, kinds[i].word, length) == 0) return kinds[i].read(edit, text, text + length, out);
    }
    return expected(edit, text, "box:, ball:, brush:, group:, color: or joint:");
}

cliExit rig_where_fail(const cliEdit* edit, const char* text, const snWhere* where, const snError* error) {
    if (error->code == SN_RESULT_OUT_OF_MEMORY) return context_fail(edit->context, error);
    const snMesh* mesh = edit->mesh;
    if (where->kind != SN_WHERE_GROUP)
        return cli_usage(edit->context->arguments->verb, "%s: %s", text, error->text);
    cliHint hint = cli_hint(where->name, (const char* const*)mesh->group_names, mesh->group_count);
    return cli_usage(edit->context->arguments->verb, "%s: there is no such group%s", text, hint.text);
}
