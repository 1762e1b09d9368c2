// Reading ASF: units, root, bones and their tree.
#include "asf.h"
#include "gltf.h"

#define BONES_MAX 4096 // names are searched one by one

typedef struct Reader {
    sniText text;
    sniAsf* asf;
    float length_unit;
    bool has_bones, has_tree, ignored;
} Reader;

static snResult fail_memory(const Reader* r) { return sni_fail_memory(r->text.error); }

uint32_t sni_asf_find(const sniAsf* asf, const char* name, size_t length, uint32_t from) {
    size_t count = asf->bones.count;
    for (size_t i = 0; i < count; i++) {
        size_t bone = (from + i) % count;
        const char* other = sni_asf_name(asf, bone);
        if (strlen(other) == length && memcmp(other, name, length) == 0) return (uint32_t)bone;
    }
    return SN_NONE;
}

static snResult add_bone(Reader* r, const char* name, size_t length) {
    if (sni_asf_find(r->asf, name, length, 0) != SN_NONE) {
        return sni_text_fail(&r->text, "the bone %.*s already exists", (int)(length < 60 ? length : 60),
                             name);
    }
    if (r->asf->bones.count >= BONES_MAX) {
        return sni_text_fail(&r->text, "there are more than %d bones", BONES_MAX);
    }
    sniBone bone = {.name = r->asf->names.size, .order = {'x', 'y', 'z'}, .parent = SN_NONE, .leaf = true};
    sni_bytes_add(&r->asf->names, name, length);
    sni_bytes_add(&r->asf->names, "", 1);
    bool done =
        !r->asf->names.failed && sni_list_push(&r->asf->allocator, &r->asf->bones, &bone, sizeof bone);
    return done ? SN_RESULT_OK : fail_memory(r);
}

// --------------------------------------------------------------------------------------------- statements

// "XYZ" and its permutations.
static snResult read_order(Reader* r, sniBone* bone) {
    sni_text_blanks(&r->text);
    const char* at = r->text.p;
    unsigned seen = 0;
    for (size_t i = 0; i < 3 && sni_text_token(&r->text) == 3; i++) {
        bone->order[i] = (char)(at[i] | 0x20);
        if (bone->order[i] >= 'x' && bone->order[i] <= 'z') seen |= 1u << (bone->order[i] - 'x');
    }
    if (seen != 7) return sni_text_expected(&r->text, "an order of axes such as XYZ");
    r->text.p += 3;
    return SN_RESULT_OK;
}

static snResult read_dofs(Reader* r, sniBone* bone) {
    static const char* const words[SNI_ASF_DOFS] = {"tx", "ty", "tz", "rx", "ry", "rz", "l"};
    bone->dof_count = 0;
    for (sni_text_blanks(&r->text); !sni_text_at_line_end(&r->text); sni_text_blanks(&r->text)) {
        uint8_t kind = 0;
        while (kind < SNI_ASF_DOFS && !sni_text_take(&r->text, words[kind])) kind++;
        if (kind == SNI_ASF_DOFS) {
            return sni_text_expected(&r->text, "a degree of freedom (tx ty tz rx ry rz l)");
        }
        if (bone->dof_count == SNI_ASF_DOFS)
            return sni_text_fail(&r->text, "a bone has too many degrees of freedom");
        bone->dofs[bone->dof_count++] = kind;
    }
    return SN_RESULT_OK;
}

static snResult read_units(Reader* r) {
    if (sni_text_take(&r->text, "length")) {
        SNI_TRY(sni_text_float(&r->text, &r->length_unit));
        if (r->length_unit > 0.0f) return SN_RESULT_OK;
        return sni_text_fail(&r->text, "the length unit is %g, expected above 0", (double)r->length_unit);
    }
    if (!sni_text_take(&r->text, "angle")) return SN_RESULT_OK; // mass and what else there may be
    sni_text_blanks(&r->text);
    r->asf->radians = sni_text_is(&r->text, "rad") || sni_text_is(&r->text, "radians");
    if (r->asf->radians || sni_text_is(&r->text, "deg") || sni_text_is(&r->text, "degrees")) {
        return SN_RESULT_OK;
    }
    return sni_text_expected(&r->text, "deg or rad");
}

static snResult read_root(Reader* r) {
    sniBone* root = sni_asf_bone(r->asf, 0);
    if (sni_text_take(&r->text, "order")) return read_dofs(r, root);
    if (sni_text_take(&r->text, "axis")) return read_order(r, root);
    if (sni_text_take(&r->text, "position")) return sni_text_floats(&r->text, 3, &r->asf->position.x);
    if (sni_text_take(&r->text, "orientation")) return sni_text_floats(&r->text, 3, root->axis);
    return SN_RESULT_OK;
}

static snResult read_bone_line(Reader* r, sniBone* bone) {
    if (sni_text_take(&r->text, "direction")) return sni_text_floats(&r->text, 3, &bone->direction.x);
    if (sni_text_take(&r->text, "length")) return sni_text_float(&r->text, &bone->length);
    if (sni_text_take(&r->text, "dof")) return read_dofs(r, bone);
    if (sni_text_take(&r->text, "axis")) {
        SNI_TRY(sni_text_floats(&r->text, 3, bone->axis));
        return read_order(r, bone);
    }
    return SN_RESULT_OK; // id, limits and what a player of motion does not need
}

// From behind "begin" to behind "end".
static snResult read_bone(Reader* r) {
    sniText* text = &r->text;
    size_t bone = r->asf->bones.count;
    SNI_TRY(add_bone(r, "", 0)); // its name comes later; no two bones may lack one
    for (sni_text_space(text); !sni_text_is(text, "end"); sni_text_space(text)) {
        if (text->p >= text->end || *text->p == ':') return sni_text_expected(text, "end");
        if (sni_text_take(text, "name")) {
            sni_text_blanks(text);
            size_t length = sni_text_token(text);
            if (length == 0) return sni_text_expected(text, "a bone's name");
            if (sni_asf_name(r->asf, bone)[0] != '\0') return sni_text_fail(text, "a bone has two names");
            r->asf->bones.count--; // taken back and added again under its name
            sniBone kept = *sni_asf_bone(r->asf, bone);
            SNI_TRY(add_bone(r, text->p, length));
            kept.name = sni_asf_bone(r->asf, bone)->name;
            *sni_asf_bone(r->asf, bone) = kept;
        } else {
            SNI_TRY(read_bone_line(r, sni_asf_bone(r->asf, bone)));
        }
        sni_text_next_line(text);
    }
    if (sni_asf_name(r->asf, bone)[0] == '\0') return sni_text_fail(text, "a bone has no name");
    return SN_RESULT_OK;
}

static snResult read_bones(Reader* r) {
    r->has_bones = true;
    if (sni_text_take(&r->text, "begin")) return read_bone(r);
    return sni_text_expected(&r->text, "begin");
}

// ------------------------------------------------------------------------------------------------- tree

static snResult find_bone(Reader* r, uint32_t* bone) {
    size_t length = sni_text_token(&r->text);
    *bone = sni_asf_find(r->asf, r->text.p, length, 0);
    if (*bone == SN_NONE) return sni_text_expected(&r->text, "the name of a bone");
    r->text.p += length;
    sni_text_blanks(&r->text);
    return SN_RESULT_OK;
}

// "parent child child ..."
static snResult read_tree(Reader* r) {
    r->has_tree = true;
    if (sni_text_is(&r->text, "begin") || sni_text_is(&r->text, "end")) return SN_RESULT_OK;
    uint32_t parent = 0;
    SNI_TRY(find_bone(r, &parent));
    while (!sni_text_at_line_end(&r->text)) {
        uint32_t child = 0;
        SNI_TRY(find_bone(r, &child));
        sniBone* bone = sni_asf_bone(r->asf, child);
        if (child == 0 || bone->parent != SN_NONE) {
            return sni_text_fail(&r->text, "bone %.60s has a parent already, or is the root",
                                 sni_asf_name(r->asf, child));
        }
        bone->parent = parent;
        sni_asf_bone(r->asf, parent)->leaf = false;
    }
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- sections

static snResult skip_line(Reader* r) {
    (void)r;
    return SN_RESULT_OK;
}

static snResult skip_unknown(Reader* r) {
    r->ignored = true;
    return SN_RESULT_OK;
}

typedef snResult LineFn(Reader* r);

static LineFn* read_section(Reader* r) {
    static const struct {
        const char* word;
        LineFn* read;
    } sections[] = {{":version", skip_line}, {":name", skip_line},      {":documentation", skip_line},
                    {":units", read_units},  {":root", read_root},      {":bonedata", read_bones},
                    {":bone", read_bones},   {":hierarchy", read_tree}, {":skin", skip_line}};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (sni_text_is(&r->text, sections[i].word)) return sections[i].read;
    }
    return skip_unknown;
}

static snResult read_lines(Reader* r) {
    sniText* text = &r->text;
    LineFn* read = NULL;
    for (sni_text_space(text); text->p < text->end; sni_text_space(text)) {
        if (*text->p == ':')
            read = read_section(r);
        else if (read == NULL)
            return sni_text_expected(text, "a section such as :units");
        else
            SNI_TRY(read(r));
        sni_text_next_line(text);
        SNI_TRY(sni_text_tell(text));
    }
    if (!r->has_bones || !r->has_tree) {
        return sni_text_expected(text, r->has_bones ? ":hierarchy" : ":bonedata");
    }
    return SN_RESULT_OK;
}

static snQuat axis_frame(const sniBone* bone, bool radians) {
    snQuat frame = sn_quat_identity();
    for (int i = 0; i < 3; i++) {
        int axis = bone->order[i] - 'x';
        float degrees = radians ? (float)((double)bone->axis[axis] * 57.29577951308232) : bone->axis[axis];
        frame = sn_quat_mul(sni_axis_turn(axis, degrees), frame); // applied one after another in the world
    }
    return sn_quat_normalize(frame);
}

static snResult finish(Reader* r, float unit) {
    sniAsf* asf = r->asf;
    double metres = 0.0254 / (double)r->length_unit * (double)unit;
    asf->unit = (float)metres;
    if (!sn_finite(asf->unit)) return sni_text_fail(&r->text, "the length unit does not fit a float");
    for (size_t b = 0; b < asf->bones.count; b++) {
        sniBone* bone = sni_asf_bone(asf, b);
        bone->frame = axis_frame(bone, asf->radians);
        // Files round directions; the bone's length is what counts.
        bone->direction = sn_normalize_or(bone->direction, sn_vec3(0, 0, 0));
        if (b > 0 && bone->parent == SN_NONE) {
            return sni_text_fail(&r->text, "bone %.60s is not in the :hierarchy", sni_asf_name(asf, b));
        }
        if (sn_vec3_finite(sn_scale(bone->direction, bone->length * asf->unit))) continue;
        return sni_text_fail(&r->text, "bone %.60s is longer than fits a float", sni_asf_name(asf, b));
    }
    return SN_RESULT_OK;
}

snResult sni_asf_parse(const sniSource* source, sniAsf* out) {
    *out = (sniAsf){.names = sni_bytes(&source->allocator), .allocator = source->allocator};
    Reader reader = {.text = sni_text(source, '#'), .asf = out, .length_unit = 1.0f};
    snResult result = add_bone(&reader, "root", 4);
    if (result == SN_RESULT_OK) result = read_lines(&reader);
    if (result == SN_RESULT_OK) result = finish(&reader, source->def->unit);
    if (result == SN_RESULT_OK && reader.ignored) {
        sni_note(source->def->notes, "unknown sections of the skeleton were ignored");
    }
    return result;
}

void sni_asf_free(sniAsf* asf) {
    sni_free(&asf->allocator, asf->bones.items);
    sni_bytes_free(&asf->names);
}

// ------------------------------------------------------------------------------------------------- model

snVec3 sni_asf_offset(const sniAsf* asf, size_t bone, float stretch) {
    uint32_t parent = sni_asf_bone(asf, bone)->parent;
    if (parent == SN_NONE) return sn_scale(asf->position, asf->unit);
    const sniBone* before = sni_asf_bone(asf, parent);
    return sn_scale(before->direction, (before->length + stretch) * asf->unit); // the root has no length
}

bool sni_asf_joints(const sniAsf* asf, sniMotion* motion) {
    size_t count = asf->bones.count;
    bool done = true;
    for (size_t b = 0; b < count && done; b++) {
        const char* name = sni_asf_name(asf, b);
        done = sni_motion_add(motion, name, strlen(name), "", sni_asf_bone(asf, b)->parent,
                              sni_asf_offset(asf, b, 0.0f));
    }
    for (size_t b = 1; b < count && done; b++) {
        const sniBone* bone = sni_asf_bone(asf, b);
        const char* name = sni_asf_name(asf, b);
        if (!bone->leaf) continue;
        done = sni_motion_add(motion, name, strlen(name), "_end", (uint32_t)b,
                              sn_scale(bone->direction, bone->length * asf->unit));
    }
    return done;
}

snResult sni_asf_read(const sniSource* source, snModel** out) {
    sniAsf asf;
    sniMotion motion = sni_motion(&source->allocator);
    snResult result = sni_asf_parse(source, &asf);
    if (result == SN_RESULT_OK) {
        result = sni_asf_joints(&asf, &motion) ? sni_motion_model(&motion, source, out)
                                               : sni_fail_memory(source->error);
    }
    sni_motion_free(&motion);
    sni_asf_free(&asf);
    return result;
}
