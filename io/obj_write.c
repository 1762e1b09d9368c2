// Writing OBJ: the rest pose of every part, polygons and vertex order as they are.
#include "base/error.h"
#include "bytes.h"
#include "number.h"
#include "obj.h"
#include "rig/place.h"

typedef struct Writer {
    sniBytes* text;
    const snModel* model;
    const snMat4* world; // of every joint at rest
    size_t vertex_base;  // 1-based index of the next part's first items
    size_t uv_base;
    size_t normal_base;
} Writer;

// One part as it stands in the world.
typedef struct Posed {
    snVec3* positions; // vertex_count
    snVec3* normals;   // normal_count, or vertex_count where skinning made new ones; NULL: none
    uint32_t normal_count;
    const uint32_t* corner_normals; // or NULL: per vertex
} Posed;

static void add_float(sniBytes* text, char before, float value) {
    char number[SNI_NUMBER_MAX + 1];
    number[0] = before;
    size_t length = sni_print_float(value, number + 1);
    sni_bytes_add(text, number, length + 1);
}

static void add_vec3(sniBytes* text, const char* word, snVec3 v) {
    sni_bytes_text(text, word);
    add_float(text, ' ', v.x);
    add_float(text, ' ', v.y);
    add_float(text, ' ', v.z);
}

static void add_index(sniBytes* text, const char* before, size_t index) {
    char number[32];
    int length = snprintf(number, sizeof number, "%s%zu", before, index);
    sni_bytes_add(text, number, (size_t)length);
}

// ------------------------------------------------------------------------------------------------ posing

static bool is_identity(const snMat4* m) {
    snMat4 identity = sn_mat4_identity();
    for (int i = 0; i < 16; i++) {
        if (m->m[i] != identity.m[i]) return false;
    }
    return true;
}

// Normals turn with the cofactors, so that they stay upright on stretched surfaces; a mirror, which turns
// faces about, makes them point inwards.
static snVec3 turn_normal(const snMat4* m, snVec3 n) {
    snVec3 x = sn_vec3(m->m[0], m->m[1], m->m[2]);
    snVec3 y = sn_vec3(m->m[4], m->m[5], m->m[6]);
    snVec3 z = sn_vec3(m->m[8], m->m[9], m->m[10]);
    snVec3 turned = sn_add(sn_add(sn_scale(sn_cross(y, z), n.x), sn_scale(sn_cross(z, x), n.y)),
                           sn_scale(sn_cross(x, y), n.z));
    return sn_normalize_or(sni_place_mirrors(m) ? sn_neg(turned) : turned, n);
}

static void pose_rigid(const Writer* w, const snPart* part, Posed* posed) {
    const snMat4* m = &w->world[part->joint];
    if (is_identity(m)) return; // numbers pass through untouched
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        posed->positions[v] = sn_mat4_point(m, posed->positions[v]);
    }
    for (uint32_t n = 0; n < posed->normal_count; n++) posed->normals[n] = turn_normal(m, posed->normals[n]);
}

static void pose_skinned(const Writer* w, const snPart* part, Posed* posed) {
    const snSkin* skin = &w->model->skins[part->skin];
    const snWeights* weights = &part->weights;
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        snVec3 sum = {0, 0, 0};
        for (uint32_t i = 0; i < weights->influences; i++) {
            size_t at = (size_t)v * weights->influences + i;
            uint32_t joint = weights->joints[at];
            if (weights->weights[at] == 0.0f) continue;
            snMat4 m = sn_mat4_mul(&w->world[skin->joints[joint]], &skin->inverse_binds[joint]);
            sum = sn_add(sum, sn_scale(sn_mat4_point(&m, part->mesh->positions[v]), weights->weights[at]));
        }
        posed->positions[v] = sum;
    }
}

static void posed_free(const Writer* w, Posed* posed) {
    sni_free(&w->text->allocator, posed->positions);
    sni_free(&w->text->allocator, posed->normals);
}

static bool pose_part(const Writer* w, const snPart* part, Posed* posed) {
    const snAllocator* memory = &w->text->allocator;
    const snMesh* mesh = part->mesh;
    bool skinned = part->skin != SN_NONE;
    memset(posed, 0, sizeof *posed);
    posed->positions = sni_copy_array(memory, mesh->positions, mesh->vertex_count, sizeof(snVec3));
    if (mesh->normals != NULL) {
        posed->normal_count = skinned ? mesh->vertex_count : mesh->normal_count;
        posed->corner_normals = skinned ? NULL : mesh->corner_normals;
        posed->normals = skinned ? SNI_NEW_ARRAY(memory, snVec3, posed->normal_count)
                                 : sni_copy_array(memory, mesh->normals, posed->normal_count, sizeof(snVec3));
    }
    if (posed->positions == NULL || (mesh->normals != NULL && posed->normals == NULL)) {
        posed_free(w, posed);
        return false;
    }
    if (!skinned) {
        pose_rigid(w, part, posed);
        return true;
    }
    pose_skinned(w, part, posed);
    if (posed->normals == NULL) return true;
    sn_normals_run(&(snNormalsJob){mesh, part->weld, posed->positions, posed->normals});
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snMat4 place = sni_part_place(w->model, part, w->world, v);
        if (sni_place_mirrors(&place)) posed->normals[v] = sn_neg(posed->normals[v]);
    }
    return true;
}

// ----------------------------------------------------------------------------------------------- writing

static void write_positions(sniBytes* text, const snMesh* mesh, const Posed* posed) {
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        add_vec3(text, "v", posed->positions[v]);
        if (mesh->colors != NULL) {
            snVec4 color = mesh->colors[v];
            add_float(text, ' ', color.x);
            add_float(text, ' ', color.y);
            add_float(text, ' ', color.z);
            if (color.w != 1.0f) add_float(text, ' ', color.w);
        }
        sni_bytes_text(text, "\n");
    }
}

// The reader stores 1 - v; the text is the shortest that it turns into the same float.
static float unflip(float stored) {
    for (int digits = 1; digits <= 9; digits++) {
        char number[SNI_NUMBER_MAX];
        float back = 0.0f;
        size_t length = sni_print_digits(1.0 - (double)stored, digits, number);
        if (sni_parse_float(number, number + length, &back) != NULL && 1.0f - back == stored) return back;
    }
    return 1.0f - stored;
}

static void write_corner(Writer* w, const snMesh* mesh, const Posed* posed, uint32_t corner) {
    sniBytes* text = w->text;
    uint32_t vertex = mesh->corners[corner];
    uint32_t uv = mesh->uvs == NULL ? SN_NONE : mesh->corner_uvs != NULL ? mesh->corner_uvs[corner] : vertex;
    add_index(text, " ", w->vertex_base + vertex);
    if (uv != SN_NONE) add_index(text, "/", w->uv_base + uv);
    if (posed->normals == NULL) return;
    uint32_t normal = posed->corner_normals != NULL ? posed->corner_normals[corner] : vertex;
    add_index(text, uv != SN_NONE ? "/" : "//", w->normal_base + normal);
}

// A mirror turns faces about: their corners run backwards, beginning at the same one.
static void write_faces(Writer* w, const snPart* part, const Posed* posed) {
    const snMesh* mesh = part->mesh;
    sniBytes* text = w->text;
    uint32_t group = SN_NONE;
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t wanted = mesh->face_groups != NULL ? mesh->face_groups[f] : SN_NONE;
        if (wanted != group) {
            sni_bytes_text(text, "g ");
            sni_bytes_text(text, wanted != SN_NONE ? mesh->group_names[wanted] : "default");
            sni_bytes_text(text, "\n");
            group = wanted;
        }
        sni_bytes_text(text, "f");
        uint32_t begin = mesh->face_starts[f], size = mesh->face_starts[f + 1] - begin;
        bool mirrors = sni_face_mirrors(w->model, part, w->world, f);
        for (uint32_t i = 0; i < size; i++)
            write_corner(w, mesh, posed, begin + (mirrors && i > 0 ? size - i : i));
        sni_bytes_text(text, "\n");
    }
}

static bool write_part(Writer* w, const snPart* part) {
    const snMesh* mesh = part->mesh;
    sniBytes* text = w->text;
    Posed posed;
    if (!pose_part(w, part, &posed)) return false;
    if (w->model->part_count > 1) {
        sni_bytes_text(text, "o ");
        sni_bytes_text(text, part->name);
        sni_bytes_text(text, "\n");
    }
    write_positions(text, mesh, &posed);
    for (uint32_t t = 0; t < mesh->uv_count; t++) {
        sni_bytes_text(text, "vt");
        add_float(text, ' ', mesh->uvs[t].x);
        add_float(text, ' ', unflip(mesh->uvs[t].y));
        sni_bytes_text(text, "\n");
    }
    for (uint32_t n = 0; n < posed.normal_count; n++) {
        add_vec3(text, "vn", posed.normals[n]);
        sni_bytes_text(text, "\n");
    }
    write_faces(w, part, &posed);
    w->vertex_base += mesh->vertex_count;
    w->uv_base += mesh->uv_count;
    w->normal_base += posed.normal_count;
    posed_free(w, &posed);
    return true;
}

snResult sni_obj_write(const snModel* model, const char* path, const snWriteDef* def, sniBytes* out,
                       sniBytes* beside, snError* error) {
    (void)path, (void)beside;
    if (def->morphs != NULL || def->joints != NULL) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "OBJ holds no morph targets or helper joints, expected .glb or .gltf");
    }
    if (def->still != NULL) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "stills are for .glb and .gltf");
    }
    const snAllocator* memory = &out->allocator;
    snMat4* world = SNI_NEW_ARRAY(memory, snMat4, model->skeleton->joint_count);
    if (world == NULL) return sni_fail_memory(error);
    sn_skeleton_world(model->skeleton, NULL, world);
    Writer writer = {out, model, world, 1, 1, 1};
    sni_bytes_text(out, "# Sinew " SN_VERSION_STRING "\n");
    bool done = true;
    for (uint32_t p = 0; p < model->part_count && done; p++) done = write_part(&writer, &model->parts[p]);
    sni_free(memory, world);
    return done ? SN_RESULT_OK : sni_fail_memory(error);
}
