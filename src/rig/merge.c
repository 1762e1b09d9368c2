// The parts of a model as one mesh.
#include "base/error.h"
#include "base/memory.h"
#include "rig/place.h"

// Room for everything, counted first, then filled part by part.
typedef struct Merged {
    uint64_t vertices, faces, corners, groups;
    bool colored;
    snVec3* positions;
    snVec4* colors;
    uint32_t* face_starts;
    uint32_t* face_corners;
    uint32_t* face_groups;
    const char** group_names;
    snMat4* world;
} Merged;

static uint32_t group_count(const snPart* part) {
    return part->mesh->group_count > 0 ? part->mesh->group_count : 1;
}

static void count(const snModel* model, Merged* m) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snMesh* mesh = model->parts[p].mesh;
        m->vertices += mesh->vertex_count;
        m->faces += mesh->face_count;
        m->corners += mesh->corner_count;
        m->groups += group_count(&model->parts[p]);
        m->colored = m->colored || mesh->colors != NULL;
    }
}

static bool make_room(const snModel* model, const snAllocator* memory, Merged* m) {
    m->positions = SNI_NEW_ARRAY(memory, snVec3, (size_t)m->vertices);
    m->face_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)m->faces + 1);
    m->face_corners = SNI_NEW_ARRAY(memory, uint32_t, (size_t)m->corners);
    m->face_groups = SNI_NEW_ARRAY(memory, uint32_t, (size_t)m->faces);
    m->group_names = SNI_NEW_ARRAY(memory, const char*, (size_t)m->groups);
    m->world = SNI_NEW_ARRAY(memory, snMat4, model->skeleton->joint_count);
    if (m->colored) m->colors = SNI_NEW_ARRAY(memory, snVec4, (size_t)m->vertices);
    return m->positions != NULL && m->face_starts != NULL && m->face_corners != NULL &&
           m->face_groups != NULL && m->group_names != NULL && m->world != NULL &&
           (m->colors != NULL || !m->colored);
}

typedef struct Bases {
    uint32_t vertex, face, corner, group;
} Bases;

static void fill_vertices(const snModel* model, const snPart* part, Merged* m, uint32_t base) {
    const snMesh* mesh = part->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snMat4 place = sni_part_place(model, part, m->world, v);
        m->positions[base + v] = sn_mat4_point(&place, mesh->positions[v]);
        if (m->colors == NULL) continue;
        m->colors[base + v] = mesh->colors != NULL ? mesh->colors[v] : (snVec4){1, 1, 1, 1};
    }
}

// A mirror turns faces about: their corners run backwards, beginning at the same one.
static void fill_face(const snModel* model, const snPart* part, Merged* m, Bases base, uint32_t face) {
    const snMesh* mesh = part->mesh;
    uint32_t begin = mesh->face_starts[face];
    uint32_t size = mesh->face_starts[face + 1] - begin;
    bool mirrors = sni_face_mirrors(model, part, m->world, face);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t from = mirrors && i > 0 ? size - i : i;
        m->face_corners[base.corner + begin + i] = base.vertex + mesh->corners[begin + from];
    }
    m->face_starts[base.face + face + 1] = base.corner + begin + size;
    uint32_t group = mesh->group_count == 0 ? 0 : SN_NONE;
    if (mesh->group_count > 0 && mesh->face_groups != NULL) group = mesh->face_groups[face];
    m->face_groups[base.face + face] = group == SN_NONE ? SN_NONE : base.group + group;
}

static void fill(const snModel* model, Merged* m) {
    Bases base = {0};
    sn_skeleton_world(model->skeleton, NULL, m->world);
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        fill_vertices(model, part, m, base.vertex);
        for (uint32_t f = 0; f < part->mesh->face_count; f++) fill_face(model, part, m, base, f);
        for (uint32_t g = 0; g < group_count(part); g++) {
            m->group_names[base.group + g] =
                part->mesh->group_count > 0 ? part->mesh->group_names[g] : part->name;
        }
        base.vertex += part->mesh->vertex_count;
        base.face += part->mesh->face_count;
        base.corner += part->mesh->corner_count;
        base.group += group_count(part);
    }
}

static snResult create(const Merged* m, const snAllocator* memory, snMesh** out, snError* error) {
    snMeshDef def = {.vertex_count = (uint32_t)m->vertices,
                     .face_count = (uint32_t)m->faces,
                     .corner_count = (uint32_t)m->corners,
                     .positions = m->positions,
                     .face_starts = m->face_starts,
                     .corners = m->face_corners,
                     .colors = m->colors,
                     .group_count = (uint32_t)m->groups,
                     .group_names = m->group_names,
                     .face_groups = m->face_groups};
    return sn_mesh_create(&def, memory, out, error);
}

snResult sn_model_merge_mesh(const snModel* model, const snAllocator* allocator, snMesh** out,
                             snError* error) {
    if (model == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and an output are needed");
    }
    Merged m = {0};
    count(model, &m);
    if (m.vertices == 0) return sni_fail(error, SN_RESULT_BAD_DATA, "the model has no vertices");
    if (m.vertices >= SN_NONE || m.corners >= SN_NONE || m.groups >= SN_NONE) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "the parts have %llu vertices together, more than can be",
                        (unsigned long long)m.vertices);
    }
    snAllocator memory = sni_allocator(allocator);
    snResult result = SN_RESULT_OK;
    if (make_room(model, &memory, &m)) {
        fill(model, &m);
        result = create(&m, &memory, out, error);
    } else {
        result = sni_fail_memory(error);
    }
    void* arrays[] = {m.positions,   m.colors,      m.face_starts, m.face_corners,
                      m.face_groups, m.group_names, m.world};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
    return result;
}
