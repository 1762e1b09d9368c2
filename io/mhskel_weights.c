// MakeHuman weights: for every bone a list of [vertex, weight].
#include "gltf.h"
#include "mhskel.h"

typedef struct Reader {
    const sniMhFile* file;
    const sniMhBones* bones;
    const uint32_t* body_of_vertex;
    uint32_t vertex_count;
    uint32_t* counts; // per vertex of the body: influences seen so far
    uint32_t* whole;  // per vertex of the mesh: influences
    sniMhWeights* out;
    bool fill;          // second pass: store; first: count
    bool used;          // the bone at hand has weights
    uint32_t strangers; // bones that the skeleton lacks
    sniJson list;
    snResult result;
} Reader;

static snResult read_pair(Reader* r, const sniJson* pair, uint16_t bone) {
    sniJson index = sni_json_item(pair, 0), number = sni_json_item(pair, 1);
    int64_t vertex = -1;
    double weight = 0.0;
    if (!sni_json_whole(&index, &vertex) || vertex < 0 || vertex >= (int64_t)r->vertex_count) {
        return sni_mh_fail(r->file, pair,
                           "starts with a number that is not a vertex of the mesh, which has %u",
                           r->vertex_count);
    }
    if (!sni_json_number(&number, &weight) || !(weight >= 0.0 && weight <= 1e6)) {
        return sni_mh_fail(r->file, pair, "has no weight of 0 or more");
    }
    uint32_t body = r->body_of_vertex[vertex];
    if (weight == 0.0) return SN_RESULT_OK;
    if (!r->fill && ++r->whole[vertex] > r->out->whole_influences) r->out->whole_influences++;
    r->used = true;
    if (body == SN_NONE) return SN_RESULT_OK;
    uint32_t slot = r->counts[body]++;
    if (!r->fill) return SN_RESULT_OK;
    size_t at = (size_t)body * r->out->influences + slot;
    r->out->joints[at] = bone;
    r->out->weights[at] = (float)weight;
    return SN_RESULT_OK;
}

static void read_bone(void* user, const char* key, sniJsonValue* value) {
    (void)value;
    Reader* r = user;
    if (r->result != SN_RESULT_OK) return;
    uint32_t bone = 0;
    while (bone < r->bones->count && strcmp(r->bones->items[bone].name, key) != 0) bone++;
    if (bone == r->bones->count) {
        r->strangers += !r->fill;
        return;
    }
    sniJson pairs = sni_json_get(&r->list, key);
    size_t count = sni_json_length(&pairs);
    r->used = false;
    for (size_t i = 0; i < count && r->result == SN_RESULT_OK; i++) {
        sniJson pair = sni_json_item(&pairs, i);
        r->result = read_pair(r, &pair, (uint16_t)bone);
    }
    if (!r->fill && r->used) r->out->weighted_bones++;
}

static bool make_arrays(Reader* r, uint32_t body_count, uint32_t* bare) {
    const snAllocator* memory = &r->file->source->allocator;
    uint32_t most = 1;
    for (uint32_t v = 0; v < body_count; v++) {
        *bare += r->counts[v] == 0;
        if (r->counts[v] > most) most = r->counts[v];
        r->counts[v] = 0;
    }
    size_t size = 0;
    if (!sni_mul_size(body_count, most, &size)) return false;
    r->out->influences = most;
    r->out->joints = SNI_NEW_ARRAY(memory, uint16_t, size);
    r->out->weights = SNI_NEW_ARRAY(memory, float, size);
    return r->out->joints != NULL && r->out->weights != NULL;
}

static snResult read_weights(Reader* r, uint32_t body_count) {
    uint32_t bare = 0;
    sni_json_each(r->list.value, read_bone, r);
    if (r->result != SN_RESULT_OK) return r->result;
    if (!make_arrays(r, body_count, &bare)) return sni_fail_memory(r->file->source->error);
    r->fill = true;
    sni_json_each(r->list.value, read_bone, r);
    snNotes* notes = r->file->source->def->notes;
    if (bare > 0) sni_note(notes, "%u vertices have no weights and follow the first joint", bare);
    if (r->strangers > 0) sni_note(notes, "weights of %u unknown bones were ignored", r->strangers);
    return r->result;
}

snResult sni_mh_weights(const sniMhFile* file, const sniMhBones* bones, const uint32_t* body_of_vertex,
                        uint32_t vertex_count, uint32_t body_count, sniMhWeights* out) {
    const snAllocator* memory = &file->source->allocator;
    sniJson root = sni_json_root(file->json);
    Reader r = {.file = file,
                .bones = bones,
                .body_of_vertex = body_of_vertex,
                .vertex_count = vertex_count,
                .out = out,
                .list = sni_json_get(&root, "weights")};
    if (!sni_json_is_object(&r.list)) return sni_mh_fail(file, &r.list, "is missing, expected an object");
    r.counts = SNI_NEW_ARRAY(memory, uint32_t, body_count);
    r.whole = SNI_NEW_ARRAY(memory, uint32_t, vertex_count);
    bool there = r.counts != NULL && r.whole != NULL;
    snResult result = there ? read_weights(&r, body_count) : sni_fail_memory(file->source->error);
    sni_free(memory, r.counts);
    sni_free(memory, r.whole);
    return result;
}
