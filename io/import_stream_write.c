// The importer's side of the stream.
#include "import_stream.h"

const char sni_stream_magic[8] = {'S', 'N', 'I', 'M', 'P', 'O', 'R', 'T'};

static void put_u32(sniBytes* out, uint32_t value) { sni_bytes_add(out, &value, sizeof value); }
static void put_float(sniBytes* out, float value) { sni_bytes_add(out, &value, sizeof value); }

// An array whose length the reader knows from elsewhere, rounded up to whole words.
static void put_array(sniBytes* out, const void* items, size_t count, size_t size) {
    sni_bytes_add(out, items, count * size);
    sni_bytes_align(out, 0);
}

// An array that may be absent: one word says so.
static void put_optional(sniBytes* out, const void* items, size_t count, size_t size) {
    put_u32(out, items != NULL);
    if (items != NULL) put_array(out, items, count, size);
}

static void put_text(sniBytes* out, const char* text) {
    size_t length = strlen(text);
    put_u32(out, (uint32_t)length);
    put_array(out, text, length + 1, 1);
}

static void put_skeleton(sniBytes* out, const snSkeleton* skeleton) {
    put_u32(out, skeleton->joint_count);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) put_text(out, skeleton->names[j]);
    put_array(out, skeleton->parents, skeleton->joint_count, sizeof(uint32_t));
    put_array(out, skeleton->rest, skeleton->joint_count, sizeof(snTrs));
}

static void put_skin(sniBytes* out, const snSkin* skin) {
    put_text(out, skin->name);
    put_u32(out, skin->joint_count);
    put_array(out, skin->joints, skin->joint_count, sizeof(uint32_t));
    put_array(out, skin->inverse_binds, skin->joint_count, sizeof(snMat4));
}

static void put_mesh(sniBytes* out, const snMesh* mesh) {
    put_u32(out, mesh->vertex_count);
    put_u32(out, mesh->face_count);
    put_u32(out, mesh->corner_count);
    put_u32(out, mesh->normal_count);
    put_u32(out, mesh->uv_count);
    put_array(out, mesh->positions, mesh->vertex_count, sizeof(snVec3));
    put_array(out, mesh->face_starts, (size_t)mesh->face_count + 1, sizeof(uint32_t));
    put_array(out, mesh->corners, mesh->corner_count, sizeof(uint32_t));
    put_optional(out, mesh->normals, mesh->normal_count, sizeof(snVec3));
    put_optional(out, mesh->corner_normals, mesh->corner_count, sizeof(uint32_t));
    put_optional(out, mesh->uvs, mesh->uv_count, sizeof(snVec2));
    put_optional(out, mesh->corner_uvs, mesh->corner_count, sizeof(uint32_t));
    put_optional(out, mesh->colors, mesh->vertex_count, sizeof(snVec4));
    put_u32(out, mesh->group_count);
    for (uint32_t g = 0; g < mesh->group_count; g++) put_text(out, mesh->group_names[g]);
    put_optional(out, mesh->face_groups, mesh->face_count, sizeof(uint32_t));
}

static void put_part(sniBytes* out, const snPart* part) {
    uint32_t vertices = part->mesh->vertex_count;
    put_text(out, part->name);
    put_u32(out, part->joint);
    put_u32(out, part->skin);
    put_mesh(out, part->mesh);
    size_t influences = (size_t)vertices * part->weights.influences;
    put_u32(out, part->weights.influences);
    put_array(out, part->weights.joints, influences, sizeof(uint16_t));
    put_array(out, part->weights.weights, influences, sizeof(float));
    put_optional(out, part->dual_shares, vertices, sizeof(float));
    put_u32(out, part->morph_count);
    for (uint32_t m = 0; m < part->morph_count; m++) {
        put_text(out, part->morphs[m].name);
        put_float(out, part->morph_weights[m]);
        put_optional(out, part->morphs[m].positions, vertices, sizeof(snVec3));
        put_optional(out, part->morphs[m].normals, vertices, sizeof(snVec3));
    }
    put_optional(out, part->group_materials, part->mesh->group_count, sizeof(uint32_t));
}

static void put_clip(sniBytes* out, const snClip* clip) {
    put_text(out, clip->name);
    put_float(out, clip->duration);
    put_u32(out, clip->channel_count);
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        const snChannel* channel = &clip->channels[c];
        put_u32(out, channel->joint);
        put_u32(out, (uint32_t)channel->path);
        put_u32(out, (uint32_t)channel->interpolation);
        put_u32(out, channel->key_count);
        put_u32(out, channel->width);
        size_t tangents = channel->interpolation == SN_INTERPOLATION_CUBIC ? 3 : 1;
        put_array(out, channel->times, channel->key_count, sizeof(float));
        put_array(out, channel->values, channel->key_count * channel->width * tangents, sizeof(float));
    }
}

static void put_material(sniBytes* out, const snMaterial* material) {
    put_text(out, material->name);
    put_array(out, &material->base_color, 1, sizeof(snVec4));
    put_u32(out, material->double_sided);
    put_u32(out, material->unlit);
}

static void put_notes(sniBytes* out, const snNotes* notes) {
    put_u32(out, notes->count);
    uint32_t kept = notes->count < 16 ? notes->count : 16;
    for (uint32_t n = 0; n < kept; n++) put_text(out, notes->text[n]);
}

// The head without the body's length, which is filled in when the body is there.
static size_t begin(sniBytes* out, uint32_t kind, snResult result) {
    size_t start = out->size;
    uint32_t words[] = {SNI_STREAM_VERSION, kind, (uint32_t)result, 0, 0, 0};
    sni_bytes_add(out, sni_stream_magic, sizeof sni_stream_magic);
    sni_bytes_add(out, words, sizeof words);
    return start;
}

static void end(sniBytes* out, size_t start) {
    uint64_t size = out->size - start - SNI_STREAM_HEAD;
    if (!out->failed) memcpy(out->data + start + SNI_STREAM_HEAD - sizeof size, &size, sizeof size);
}

void sni_stream_write(const snModel* model, const snNotes* notes, sniBytes* out) {
    size_t start = begin(out, SNI_STREAM_MODEL, SN_RESULT_OK);
    put_skeleton(out, model->skeleton);
    put_u32(out, model->skin_count);
    for (uint32_t s = 0; s < model->skin_count; s++) put_skin(out, &model->skins[s]);
    put_u32(out, model->part_count);
    for (uint32_t p = 0; p < model->part_count; p++) put_part(out, &model->parts[p]);
    put_u32(out, model->clip_count);
    for (uint32_t c = 0; c < model->clip_count; c++) put_clip(out, model->clips[c]);
    put_u32(out, model->material_count);
    for (uint32_t m = 0; m < model->material_count; m++) put_material(out, &model->materials[m]);
    put_notes(out, notes);
    end(out, start);
}

void sni_stream_write_error(snResult result, const char* text, sniBytes* out) {
    size_t start = begin(out, SNI_STREAM_ERROR, result);
    put_text(out, text);
    end(out, start);
}
