// Our side of the stream. Arrays stay where they are in the bytes; only the lists of definitions around them
// are allocated, each after its count was held against the bytes that are left.
#include "arena.h"
#include "gltf.h"
#include "import_stream.h"

typedef struct Reader {
    const sniSource* source;
    const uint8_t* data;
    size_t size;
    size_t at;
    sniArena arena;
    bool damaged; // sticky; what is read afterwards is empty
} Reader;

static void damage(Reader* r) {
    r->damaged = true;
    r->at = r->size;
}

// The next `count` items in place, or NULL.
static const void* take(Reader* r, size_t count, size_t size) {
    size_t left = r->size - r->at;
    if (r->damaged || count > left / size) {
        damage(r);
        return NULL;
    }
    const void* items = r->data + r->at;
    size_t words = (count * size + 3) / 4;
    r->at = words * 4 > left ? r->size : r->at + words * 4;
    return items;
}

static uint32_t take_u32(Reader* r) {
    const uint32_t* word = take(r, 1, sizeof *word);
    return word != NULL ? *word : 0;
}

static bool take_bool(Reader* r) {
    uint32_t word = take_u32(r);
    if (word > 1) damage(r);
    return word == 1 && !r->damaged;
}

// How many things follow that take at least one word each.
static uint32_t take_count(Reader* r) {
    uint32_t count = take_u32(r);
    if (count <= (r->size - r->at) / 4) return count;
    damage(r);
    return 0;
}

// `count` elements of `width` floats each, all finite.
static const void* take_floats(Reader* r, size_t count, size_t width) {
    const float* values = take(r, count, width * sizeof *values);
    for (size_t i = 0; values != NULL && i < count * width; i++) {
        if (sn_finite(values[i])) continue;
        damage(r);
        return NULL;
    }
    return values;
}

static float take_float(Reader* r) {
    const float* value = take_floats(r, 1, 1);
    return value != NULL ? *value : 0.0f;
}

static const void* take_optional_floats(Reader* r, size_t count, size_t width) {
    return take_bool(r) ? take_floats(r, count, width) : NULL;
}

static const uint32_t* take_optional_u32s(Reader* r, size_t count) {
    return take_bool(r) ? take(r, count, sizeof(uint32_t)) : NULL;
}

// A text that ends where it says; never NULL.
static const char* take_text(Reader* r) {
    size_t length = take_u32(r);
    const char* text = take(r, length + 1, 1);
    if (text != NULL && text[length] == '\0' && strlen(text) == length) return text;
    damage(r);
    return "";
}

// A list of `count` definitions to fill; empty once something failed.
static void* new_list(Reader* r, uint32_t* count, size_t size) {
    void* list = sni_arena_array(&r->arena, *count, size);
    if (list == NULL) *count = 0;
    return list;
}

static const char* const* take_texts(Reader* r, uint32_t* count) {
    const char** texts = new_list(r, count, sizeof *texts);
    for (uint32_t i = 0; i < *count; i++) texts[i] = take_text(r);
    return texts;
}

// ------------------------------------------------------------------------------------------- definitions

static snSkeletonDef take_skeleton(Reader* r) {
    snSkeletonDef def = {.joint_count = take_count(r)};
    def.names = take_texts(r, &def.joint_count);
    def.parents = take(r, def.joint_count, sizeof(uint32_t));
    def.rest = take_floats(r, def.joint_count, sizeof(snTrs) / sizeof(float));
    return def;
}

static snSkinDef take_skin(Reader* r) {
    snSkinDef def = {.name = take_text(r), .joint_count = take_count(r)};
    def.joints = take(r, def.joint_count, sizeof(uint32_t));
    def.inverse_binds = take_floats(r, def.joint_count, 16);
    if (def.joint_count == 0) damage(r);
    for (uint32_t j = 0; def.inverse_binds != NULL && j < def.joint_count; j++) {
        const float* m = def.inverse_binds[j].m;
        if (m[3] != 0.0f || m[7] != 0.0f || m[11] != 0.0f || m[15] != 1.0f) damage(r);
    }
    return def;
}

static snMeshDef* take_mesh(Reader* r) {
    snMeshDef* def = SNI_ARENA_ARRAY(&r->arena, snMeshDef, 1);
    if (def == NULL) return NULL;
    def->vertex_count = take_count(r);
    def->face_count = take_count(r);
    def->corner_count = take_count(r);
    def->normal_count = take_count(r);
    def->uv_count = take_count(r);
    def->positions = take_floats(r, def->vertex_count, 3);
    def->face_starts = take(r, (size_t)def->face_count + 1, sizeof(uint32_t));
    def->corners = take(r, def->corner_count, sizeof(uint32_t));
    def->normals = take_optional_floats(r, def->normal_count, 3);
    def->corner_normals = take_optional_u32s(r, def->corner_count);
    def->uvs = take_optional_floats(r, def->uv_count, 2);
    def->corner_uvs = take_optional_u32s(r, def->corner_count);
    def->colors = take_optional_floats(r, def->vertex_count, 4);
    def->group_count = take_count(r);
    def->group_names = take_texts(r, &def->group_count);
    def->face_groups = take_optional_u32s(r, def->face_count);
    return def;
}

static void take_morphs(Reader* r, snPartDef* part) {
    part->morph_count = take_count(r);
    uint32_t count = part->morph_count;
    snMorph* morphs = new_list(r, &part->morph_count, sizeof *morphs);
    float* weights = new_list(r, &count, sizeof *weights);
    for (uint32_t m = 0; m < part->morph_count && count > 0; m++) {
        // The definition's own arrays are only read from; snMorph is shared with the model, which owns them.
        morphs[m].name = (char*)take_text(r);
        weights[m] = take_float(r);
        morphs[m].positions = (snVec3*)take_optional_floats(r, part->mesh->vertex_count, 3);
        morphs[m].normals = (snVec3*)take_optional_floats(r, part->mesh->vertex_count, 3);
    }
    part->morphs = morphs;
    part->morph_weights = weights;
}

// `materials` gets the materials of the part's groups, or NULL.
static snPartDef take_part(Reader* r, const uint32_t** materials) {
    snPartDef def = {.name = take_text(r), .joint = take_u32(r), .skin = take_u32(r)};
    snMeshDef* mesh = take_mesh(r);
    *materials = NULL;
    if (mesh == NULL) return def;
    def.mesh = mesh;
    def.influences = take_u32(r);
    size_t count = 0;
    if (!sni_mul_size(mesh->vertex_count, def.influences, &count)) damage(r);
    def.joints = take(r, count, sizeof(uint16_t));
    def.weights = take_floats(r, count, 1);
    def.dual_shares = take_optional_floats(r, mesh->vertex_count, 1);
    take_morphs(r, &def);
    *materials = take_optional_u32s(r, mesh->group_count);
    return def;
}

static snChannel take_channel(Reader* r) {
    snChannel channel = {.joint = take_u32(r)};
    uint32_t path = take_u32(r);
    uint32_t interpolation = take_u32(r);
    if (path > SN_PATH_MORPH || interpolation > SN_INTERPOLATION_CUBIC) damage(r);
    channel.path = (snChannelPath)path;
    channel.interpolation = (snInterpolation)interpolation;
    channel.key_count = take_count(r);
    channel.width = take_count(r);
    size_t width = channel.width * (size_t)(interpolation == SN_INTERPOLATION_CUBIC ? 3 : 1);
    channel.times = (float*)take_floats(r, channel.key_count, 1);
    if (width > 0) channel.values = (float*)take_floats(r, channel.key_count, width);
    return channel;
}

static snClipDef take_clip(Reader* r) {
    snClipDef def = {.name = take_text(r), .duration = take_float(r), .channel_count = take_count(r)};
    snChannel* channels = new_list(r, &def.channel_count, sizeof *channels);
    for (uint32_t c = 0; c < def.channel_count; c++) channels[c] = take_channel(r);
    def.channels = channels;
    return def;
}

static snMaterial take_material(Reader* r) {
    snMaterial material = {.name = (char*)take_text(r)};
    const snVec4* color = take_floats(r, 1, 4);
    if (color != NULL) material.base_color = *color;
    material.double_sided = take_bool(r);
    material.unlit = take_bool(r);
    return material;
}

// -------------------------------------------------------------------------------------------- the model

typedef struct Contents {
    snSkeletonDef skeleton;
    snModelDef model;
    const uint32_t** group_materials; // one list per part, or NULL
    uint32_t material_count;
    const snMaterial* materials;
} Contents;

static void take_notes(Reader* r, snNotes* notes) {
    uint32_t count = take_u32(r);
    for (uint32_t n = 0; n < count && n < 16 && !r->damaged; n++) sni_note(notes, "%s", take_text(r));
}

static void take_contents(Reader* r, Contents* c) {
    c->skeleton = take_skeleton(r);
    c->model.skeleton = &c->skeleton;
    c->model.skin_count = take_count(r);
    snSkinDef* skins = new_list(r, &c->model.skin_count, sizeof *skins);
    for (uint32_t s = 0; s < c->model.skin_count; s++) skins[s] = take_skin(r);
    c->model.skins = skins;
    c->model.part_count = take_count(r);
    snPartDef* parts = new_list(r, &c->model.part_count, sizeof *parts);
    c->group_materials = new_list(r, &c->model.part_count, sizeof *c->group_materials);
    for (uint32_t p = 0; p < c->model.part_count; p++) parts[p] = take_part(r, &c->group_materials[p]);
    c->model.parts = parts;
    c->model.clip_count = take_count(r);
    snClipDef* clips = new_list(r, &c->model.clip_count, sizeof *clips);
    for (uint32_t i = 0; i < c->model.clip_count; i++) clips[i] = take_clip(r);
    c->model.clips = clips;
    c->material_count = take_count(r);
    snMaterial* materials = new_list(r, &c->material_count, sizeof *materials);
    for (uint32_t m = 0; m < c->material_count; m++) materials[m] = take_material(r);
    c->materials = materials;
}

// Materials are no part of a model's definition.
static bool add_materials(snModel* model, const Contents* c) {
    const snAllocator* memory = &model->allocator;
    if (c->material_count == 0) return true;
    model->materials = SNI_NEW_ARRAY(memory, snMaterial, c->material_count);
    if (model->materials == NULL) return false;
    while (model->material_count < c->material_count) {
        snMaterial* to = &model->materials[model->material_count];
        *to = c->materials[model->material_count];
        to->name = sni_copy_text(memory, to->name);
        if (to->name == NULL) return false;
        model->material_count++;
    }
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (c->group_materials[p] == NULL) continue;
        model->parts[p].group_materials = sni_copy_array(memory, c->group_materials[p],
                                                         model->parts[p].mesh->group_count, sizeof(uint32_t));
        if (model->parts[p].group_materials == NULL) return false;
    }
    return true;
}

// What neither the reader above nor sn_model_create looks at.
static bool fits(const Contents* c) {
    for (uint32_t p = 0; p < c->model.part_count; p++) {
        const uint32_t* materials = c->group_materials[p];
        uint32_t groups = materials != NULL ? c->model.parts[p].mesh->group_count : 0;
        for (uint32_t g = 0; g < groups; g++) {
            if (materials[g] >= c->material_count && materials[g] != SN_NONE) return false;
        }
    }
    for (uint32_t i = 0; i < c->model.clip_count; i++) {
        if (c->model.clips[i].duration < 0.0f) return false;
    }
    return true;
}

static snResult fail(const Reader* r, snResult code, const char* text) {
    sni_fail(r->source->error, code, "%s", text);
    if (r->source->error != NULL) {
        snprintf(r->source->error->file, sizeof r->source->error->file, "%s", r->source->name);
    }
    return code;
}

static snResult read_model(Reader* r, snModel** out) {
    Contents contents = {0};
    snNotes notes = {0};
    take_contents(r, &contents);
    take_notes(r, &notes);
    if (r->arena.failed) return fail(r, SN_RESULT_OUT_OF_MEMORY, "out of memory");
    if (r->damaged || r->at != r->size || !fits(&contents)) {
        return fail(r, SN_RESULT_BAD_DATA, "the importer's answer is damaged");
    }
    snModel* model = NULL;
    SNI_TRY(sni_source_model(r->source, &contents.model, &model));
    if (!add_materials(model, &contents)) {
        sn_model_destroy(model);
        return fail(r, SN_RESULT_OUT_OF_MEMORY, "out of memory");
    }
    for (uint32_t n = 0; n < notes.count && n < 16; n++) {
        sni_note(r->source->def->notes, "%s", notes.text[n]);
    }
    *out = model;
    return SN_RESULT_OK;
}

// A refusal in the importer's words. Control characters could play tricks on a terminal.
static snResult read_refusal(Reader* r, uint32_t code) {
    char text[300];
    snprintf(text, sizeof text, "%s", take_text(r));
    for (char* c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
    }
    if (r->damaged || text[0] == '\0') snprintf(text, sizeof text, "the importer's answer is damaged");
    return fail(r, code == SN_RESULT_LIMIT ? SN_RESULT_LIMIT : SN_RESULT_BAD_DATA, text);
}

snResult sni_stream_read(const sniSource* source, snModel** out) {
    Reader reader = {source, source->data, source->size, 0, {source->allocator, NULL, false}, false};
    uint32_t words[6] = {0};
    uint64_t size = 0;
    if (source->size >= SNI_STREAM_HEAD) {
        memcpy(words, source->data + sizeof sni_stream_magic, sizeof words);
        memcpy(&size, &words[4], sizeof size);
        reader.at = SNI_STREAM_HEAD;
    }
    if (reader.at == 0 || memcmp(source->data, sni_stream_magic, sizeof sni_stream_magic) != 0) {
        return fail(&reader, SN_RESULT_BAD_DATA, "the importer's answer is not a model");
    }
    if (words[0] != SNI_STREAM_VERSION) {
        return fail(&reader, SN_RESULT_UNSUPPORTED,
                    "the importer is of another version of Sinew: install both from one build");
    }
    if (size != source->size - SNI_STREAM_HEAD) {
        return fail(&reader, SN_RESULT_BAD_DATA, "the importer's answer is cut short");
    }
    if (words[1] == SNI_STREAM_ERROR) return read_refusal(&reader, words[2]);
    snResult result = read_model(&reader, out);
    sni_arena_free(&reader.arena);
    return result;
}
