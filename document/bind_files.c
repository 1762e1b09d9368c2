// The files that say more about a binding: which joints deform, how strong bones are, which part is whose.
#include <stdio.h>
#include <string.h>

#include "io/file.h"
#include "json_file.h"
#include "sinew/retarget.h"

// -------------------------------------------------------------------------------------------- entries

typedef struct Keys {
    const char* const* allowed; // NULL after the last
    char unknown[64];
} Keys;

static void check_key(void* user, const char* key, sniJsonValue* value) {
    (void)value;
    Keys* keys = user;
    for (size_t i = 0; keys->allowed[i] != NULL; i++) {
        if (strcmp(keys->allowed[i], key) == 0) return;
    }
    snprintf(keys->unknown, sizeof keys->unknown, "%.60s", key[0] != '\0' ? key : "\"\"");
}

// An entry is an object of known keys: a misspelt one would do nothing without a word.
static snResult check_entry(const sniJson* entry, const char* const* allowed, snError* error) {
    Keys keys = {allowed, ""};
    if (!sni_json_is_object(entry))
        return sni_fail(error, SN_RESULT_BAD_DATA, "an object is expected, such as {\"%s\": ...}",
                        allowed[0]);
    sni_json_each(entry->value, check_key, &keys);
    if (keys.unknown[0] == '\0') return SN_RESULT_OK;
    uint32_t count = 0;
    while (allowed[count] != NULL) count++;
    return sni_fail(error, SN_RESULT_BAD_DATA, "there is no key \"%s\"%s", keys.unknown,
                    sni_hint(keys.unknown, allowed, count).text);
}

// "there is no joint NAME", with the nearest that there is.
static void say_unknown(const snJointNames* names, const char* name, char* out, size_t size) {
    const char* nearest = sn_joint_names_nearest(names, name);
    snprintf(out, size, "there is no joint \"%.60s\"%s", name,
             sni_hint(name, &nearest, nearest != NULL).text);
}

// ---------------------------------------------------------------------------------------------- joints

// Marks the joints of a name; false when the skeleton has none. Names that stand in a file are no patterns.
static bool mark_joint(const snJointNames* names, const char* name, uint8_t* out) {
    const snSkeleton* skeleton = names->skeleton;
    uint32_t first = sn_joint_names_find(names, name);
    if (first == SN_NONE) return false;
    bool own = strcmp(skeleton->names[first], name) == 0;
    for (uint32_t j = first; j < skeleton->joint_count; j++)
        if (strcmp(own ? skeleton->names[j] : names->body[j].text, name) == 0) out[j] = 1;
    return true;
}

// Cuts a line at its end and comment and takes blanks off both sides; names may contain blanks.
static char* trim(char* line) {
    line[strcspn(line, "\r\n")] = '\0';
    while (*line == ' ' || *line == '\t') line++;
    if (*line == '#') *line = '\0';
    for (size_t end = strlen(line); end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t'); end--) {
        line[end - 1] = '\0';
    }
    return line;
}

typedef struct JointList {
    const char* name;
    snJointNames* names;
    uint8_t* out;
    snNotes* notes;
    uint32_t known, unknown;
} JointList;

static void read_lines(JointList* list, char* text, size_t size) {
    uint32_t number = 0;
    for (char *line = text, *end = line + size; line < end;) {
        char* next = memchr(line, '\n', (size_t)(end - line));
        next = next != NULL ? next + 1 : end;
        number++;
        if (next[-1] == '\n') next[-1] = '\0';
        const char* name = trim(line);
        line = next;
        if (name[0] == '\0') continue;
        bool found = mark_joint(list->names, name, list->out);
        list->known += found;
        list->unknown += !found;
        if (found || list->notes == NULL) continue;
        uint32_t at = list->notes->count++;
        char why[200];
        say_unknown(list->names, name, why, sizeof why);
        if (at < sizeof list->notes->text / sizeof list->notes->text[0])
            snprintf(list->notes->text[at], sizeof list->notes->text[at], "%.80s:%u: %.100s", list->name,
                     number, why);
    }
}

snResult sn_document_read_joints(const snDocument* document, const char* name, const void* data, size_t size,
                                 uint8_t* out_deforming, snNotes* notes, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    const snSkeleton* skeleton = document->state.body.model->skeleton;
    const snAllocator* memory = &document->allocator;
    size_t limit = sni_read_def(document).memory_limit;
    uint8_t* text = NULL;
    if (data == NULL) SNI_TRY(sni_file_read(name, limit, memory, &text, &size, error));
    if (data != NULL) {
        text = SNI_NEW_ARRAY(memory, uint8_t, size + 1);
        if (text == NULL) return sni_fail_memory(error);
        memcpy(text, data, size);
    }
    if (notes != NULL) *notes = (snNotes){0};
    JointList list = {.name = name, .out = out_deforming, .notes = notes};
    snResult result = sn_joint_names_create(skeleton, memory, &list.names, error);
    if (result == SN_RESULT_OK) {
        memset(out_deforming, 0, skeleton->joint_count);
        read_lines(&list, (char*)text, size);
        if (list.known == 0) {
            result = sni_fail(error, SN_RESULT_BAD_DATA,
                              "none of its %u names is the name of a joint of the skeleton", list.unknown);
            if (error != NULL) snprintf(error->file, sizeof error->file, "%s", name);
        }
    }
    sni_free(memory, text);
    sn_joint_names_destroy(list.names);
    return result;
}

// ----------------------------------------------------------------------------------------------- bones

typedef struct Bones {
    const snJointNames* names;
    float* strengths;
    float* radii;
    snResult result;
    snError* error;
    char at[SNI_POINTER_MAX];
} Bones;

static bool read_positive(const sniJson* object, const char* key, bool zero, float* out) {
    sniJson value = sni_json_get(object, key);
    double number = 0.0;
    if (value.value == NULL) return true;
    if (!sni_json_number(&value, &number) || !(number > 0.0 || (zero && number == 0.0)) || number > 1e6)
        return false;
    *out = (float)number;
    return true;
}

static void read_bone(void* user, const char* name, sniJsonValue* value) {
    Bones* bones = user;
    if (bones->result != SN_RESULT_OK) return;
    snprintf(bones->at, sizeof bones->at, "/%.100s", name);
    uint32_t joint = sn_joint_names_find(bones->names, name);
    sniJson json = sni_json_root(value);
    static const char* const keys[] = {"strength", "radius", NULL};
    bones->result = check_entry(&json, keys, bones->error);
    if (bones->result != SN_RESULT_OK) return;
    if (joint == SN_NONE) {
        char why[200];
        say_unknown(bones->names, name, why, sizeof why);
        bones->result = sni_fail(bones->error, SN_RESULT_NOT_FOUND, "%s", why);
    } else if (!read_positive(&json, "strength", false, &bones->strengths[joint]) ||
               !read_positive(&json, "radius", true, &bones->radii[joint])) {
        bones->result = sni_fail(bones->error, SN_RESULT_BAD_DATA,
                                 "\"%s\" has a strength or radius that is not a positive number", name);
    }
}

snResult sn_document_read_bones(const snDocument* document, const char* name, const void* data, size_t size,
                                float* out_strengths, float* out_radii, snError* error) {
    SNI_TRY(sni_need_model(document, error));
    const snSkeleton* skeleton = document->state.body.model->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        out_strengths[j] = 1.0f;
        out_radii[j] = 0.0f;
    }
    snJointNames* names = NULL;
    SNI_TRY(sn_joint_names_create(skeleton, &document->allocator, &names, error));
    Bones bones = {names, out_strengths, out_radii, SN_RESULT_OK, error, ""};
    sniJsonFile file;
    snResult result = sni_json_file_open(name, data, size, sni_read_def(document).memory_limit,
                                         &document->allocator, &file, error);
    if (result == SN_RESULT_OK) {
        sniJson root = sni_json_root(file.json);
        if (!sni_json_is_object(&root))
            bones.result = sni_fail(error, SN_RESULT_BAD_DATA, "an object with joints' names is expected");
        else
            sni_json_each(file.json, read_bone, &bones);
        result = sni_json_file_place(&file, bones.at, bones.result, error);
    }
    sni_json_file_close(&file);
    sn_joint_names_destroy(names);
    return result;
}

// ----------------------------------------------------------------------------------------------- parts

typedef struct Parts {
    snJointNames* names;
    const snBinding* binding;
    uint32_t* bones; // per particle
    uint32_t* joints;
    uint8_t* widths;
    uint8_t* chosen; // per particle, by the entry at hand
    snError* error;
} Parts;

// The index in the binding's list that a name stands for.
static snResult find_joint(const Parts* p, const sniJson* entry, const char* key, uint32_t* out) {
    sniJson value = sni_json_get(entry, key);
    const char* name = sni_json_text(&value);
    *out = SN_NONE;
    if (value.value == NULL) return SN_RESULT_OK;
    bool own = name != NULL && sn_skeleton_find(p->names->skeleton, name) != SN_NONE;
    for (uint32_t i = 0; i < p->binding->joint_count && name != NULL && name[0] != '\0'; i++) {
        uint32_t joint = p->binding->joints[i];
        const char* called = own ? p->names->skeleton->names[joint] : p->names->body[joint].text;
        if (strcmp(called, name) == 0) *out = i;
    }
    if (*out != SN_NONE) return SN_RESULT_OK;
    return sni_fail(p->error, SN_RESULT_NOT_FOUND, "%s is no joint that deforms: \"%s\"", key,
                    name != NULL ? name : "");
}

static snResult choose_listed(const Parts* p, const sniJson* list) {
    uint32_t count = p->binding->lattice->particle_count;
    if (!sni_json_is_array(list))
        return sni_fail(p->error, SN_RESULT_BAD_DATA, "particles must be a list of numbers");
    memset(p->chosen, 0, count);
    for (size_t i = 0; i < sni_json_length(list); i++) {
        sniJson item = sni_json_item(list, i);
        int64_t particle = -1;
        if (!sni_json_whole(&item, &particle) || particle < 0 || particle >= (int64_t)count) {
            return sni_fail(p->error, SN_RESULT_BAD_DATA, "particle %zu of the list is not one of 0 to %u", i,
                            count - 1);
        }
        p->chosen[particle] = 1;
    }
    return SN_RESULT_OK;
}

static snResult choose_sphere(const Parts* p, const sniJson* list) {
    double n[4] = {0};
    bool fine = sni_json_length(list) == 4;
    for (size_t i = 0; i < 4 && fine; i++) {
        sniJson item = sni_json_item(list, i);
        fine = sni_json_number(&item, &n[i]);
    }
    if (!fine || !(n[3] > 0.0)) {
        return sni_fail(p->error, SN_RESULT_BAD_DATA, "a sphere is [x, y, z, radius], the radius above 0");
    }
    snVec3 middle = sn_vec3((float)n[0], (float)n[1], (float)n[2]);
    for (uint32_t i = 0; i < p->binding->lattice->particle_count; i++) {
        if (sn_distance(p->binding->lattice->rest[i], middle) > (float)n[3]) p->chosen[i] = 0;
    }
    return SN_RESULT_OK;
}

static snResult choose(const Parts* p, const sniJson* entry) {
    uint32_t bone = SN_NONE;
    sniJson particles = sni_json_get(entry, "particles"), sphere = sni_json_get(entry, "sphere");
    memset(p->chosen, 1, p->binding->lattice->particle_count);
    snResult result = particles.value != NULL ? choose_listed(p, &particles) : SN_RESULT_OK;
    if (result == SN_RESULT_OK && sphere.value != NULL) result = choose_sphere(p, &sphere);
    if (result == SN_RESULT_OK) result = find_joint(p, entry, "bone", &bone);
    for (uint32_t i = 0; i < p->binding->lattice->particle_count && bone != SN_NONE; i++) {
        if (p->binding->parts->bone_parts[i] != bone) p->chosen[i] = 0;
    }
    return result;
}

static snResult apply_entry(const Parts* p, const sniJson* entry) {
    uint32_t bone = SN_NONE, joint = SN_NONE;
    int64_t width = 0;
    static const char* const keys[] = {"particles",  "sphere", "bone", "bone_part",
                                       "joint_part", "width",  NULL};
    sniJson wide = sni_json_get(entry, "width");
    snResult result = check_entry(entry, keys, p->error);
    if (result == SN_RESULT_OK) result = choose(p, entry);
    if (result == SN_RESULT_OK) result = find_joint(p, entry, "bone_part", &bone);
    if (result == SN_RESULT_OK) result = find_joint(p, entry, "joint_part", &joint);
    if (result == SN_RESULT_OK && wide.value != NULL &&
        (!sni_json_whole(&wide, &width) || width < 1 || width > 255)) {
        result = sni_fail(p->error, SN_RESULT_BAD_DATA, "width must be a whole number from 1 to 255");
    }
    for (uint32_t i = 0; i < p->binding->lattice->particle_count && result == SN_RESULT_OK; i++) {
        if (!p->chosen[i]) continue;
        if (bone != SN_NONE) p->bones[i] = bone;
        if (joint != SN_NONE) p->joints[i] = joint;
        if (width > 0) p->widths[i] = (uint8_t)width;
    }
    return result;
}

static snResult apply_list(Parts* p, const sniJsonFile* file) {
    sniJson root = sni_json_root(file->json);
    if (!sni_json_is_array(&root))
        return sni_json_file_place(file, "", sni_fail(p->error, SN_RESULT_BAD_DATA, "a list is expected"),
                                   p->error);
    for (size_t i = 0; i < sni_json_length(&root); i++) {
        sniJson entry = sni_json_item(&root, i);
        char at[32];
        snprintf(at, sizeof at, "/%zu", i);
        snResult result = apply_entry(p, &entry);
        if (result != SN_RESULT_OK) return sni_json_file_place(file, at, result, p->error);
    }
    return SN_RESULT_OK;
}

static snResult set_parts(snDocument* document, const sniJsonFile* file, snError* error) {
    snModel* model = document->state.body.model;
    const snAllocator* memory = &document->allocator;
    snBinding* binding = model->binding;
    uint32_t count = binding->lattice->particle_count;
    Parts p = {.binding = binding, .error = error};
    p.bones = sni_copy_array(memory, binding->parts->bone_parts, count, sizeof(uint32_t));
    p.joints = sni_copy_array(memory, binding->parts->joint_parts, count, sizeof(uint32_t));
    p.widths = SNI_NEW_ARRAY(&binding->allocator, uint8_t, count);
    p.chosen = SNI_NEW_ARRAY(memory, uint8_t, count);
    bool enough = p.bones != NULL && p.joints != NULL && p.widths != NULL && p.chosen != NULL;
    snResult result =
        enough ? sn_joint_names_create(model->skeleton, memory, &p.names, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = apply_list(&p, file);
    if (result == SN_RESULT_OK) result = sn_binding_set_parts(binding, p.bones, p.joints, error);
    if (result == SN_RESULT_OK) {
        sni_free(&binding->allocator, binding->region_widths);
        binding->region_widths = p.widths;
        p.widths = NULL;
    }
    sni_free(memory, p.bones);
    sni_free(memory, p.joints);
    sni_free(&binding->allocator, p.widths);
    sni_free(memory, p.chosen);
    sn_joint_names_destroy(p.names);
    return result;
}

snResult sn_document_set_parts(snDocument* document, const char* name, const void* data, size_t size,
                               snError* error) {
    SNI_TRY(sni_need_model(document, error));
    if (document->state.body.model->binding == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the model has no lattice: bind it first");
    sniJsonFile file;
    snResult result = sni_json_file_open(name, data, size, sni_read_def(document).memory_limit,
                                         &document->allocator, &file, error);
    if (result == SN_RESULT_OK)
        result = sni_edit_begin(document, "Set parts", SNI_BITS_MODEL, SNI_COPY_RIG, error);
    if (result == SN_RESULT_OK) result = sni_edit_end(document, set_parts(document, &file, error), error);
    sni_json_file_close(&file);
    return result;
}
