// The model, its weights and its clips as bytes. Shapes that are still the source's are not among them.
#include "document.h"

// ---------------------------------------------------------------------------------------------------- put

static void put_skeleton(const snSkeleton* s, sniBytes* out) {
    sni_put_u32(out, s->joint_count);
    for (uint32_t j = 0; j < s->joint_count; j++) sni_put_text(out, s->names[j]);
    sni_put_array(out, s->parents, s->joint_count, sizeof *s->parents);
    sni_put_array(out, s->rest, s->joint_count, sizeof *s->rest);
}

static void put_mesh(const snMesh* m, sniBytes* out) {
    sni_put_u32(out, m->vertex_count);
    sni_put_u32(out, m->face_count);
    sni_put_u32(out, m->corner_count);
    sni_put_array(out, m->positions, m->vertex_count, sizeof(snVec3));
    sni_put_array(out, m->face_starts, (size_t)m->face_count + 1, sizeof(uint32_t));
    sni_put_array(out, m->corners, m->corner_count, sizeof(uint32_t));
    sni_put_u32(out, m->normal_count);
    sni_put_optional(out, m->normals, m->normal_count, sizeof(snVec3));
    sni_put_optional(out, m->corner_normals, m->corner_count, sizeof(uint32_t));
    sni_put_u32(out, m->uv_count);
    sni_put_optional(out, m->uvs, m->uv_count, sizeof(snVec2));
    sni_put_optional(out, m->corner_uvs, m->corner_count, sizeof(uint32_t));
    sni_put_optional(out, m->colors, m->vertex_count, sizeof(snVec4));
    sni_put_u32(out, m->group_count);
    for (uint32_t g = 0; g < m->group_count; g++) sni_put_text(out, m->group_names[g]);
    sni_put_optional(out, m->face_groups, m->face_count, sizeof(uint32_t));
}

static void put_shape(const snPart* part, sniBytes* out) {
    uint32_t vertices = part->mesh->vertex_count;
    put_mesh(part->mesh, out);
    sni_put_u32(out, part->weld->point_count);
    sni_put_array(out, part->weld->point_of_vertex, vertices, sizeof(uint32_t));
    sni_put_array(out, part->weld->vertex_of_point, part->weld->point_count, sizeof(uint32_t));
    sni_put_u32(out, part->morph_count);
    sni_put_array(out, part->morph_weights, part->morph_count, sizeof(float));
    for (uint32_t m = 0; m < part->morph_count; m++) {
        sni_put_text(out, part->morphs[m].name);
        sni_put_optional(out, part->morphs[m].positions, vertices, sizeof(snVec3));
        sni_put_optional(out, part->morphs[m].normals, vertices, sizeof(snVec3));
    }
}

static void put_part(const snPart* part, bool shape, sniBytes* out) {
    sni_put_text(out, part->name);
    sni_put_u32(out, part->joint);
    sni_put_u32(out, part->skin);
    if (shape) put_shape(part, out);
    sni_put_optional(out, part->group_materials, part->mesh->group_count, sizeof(uint32_t));
    sni_put_optional(out, part->dual_shares, part->mesh->vertex_count, sizeof(float));
    const snOrigins* origins = part->origins;
    sni_put_u32(out, origins != NULL);
    if (origins == NULL) return;
    sni_put_u32(out, origins->starts[origins->count]);
    sni_put_array(out, origins->starts, (size_t)origins->count + 1, sizeof(uint32_t));
    sni_put_array(out, origins->sources, origins->starts[origins->count], sizeof(uint32_t));
    sni_put_array(out, origins->shares, origins->starts[origins->count], sizeof(float));
}

void sni_particles_put(const snWeights* particles, const uint32_t* bone_parts, const uint32_t* joint_parts,
                       sniBytes* out) {
    sni_weights_put(particles, out);
    sni_put_array(out, bone_parts, particles->vertex_count, sizeof(uint32_t));
    sni_put_array(out, joint_parts, particles->vertex_count, sizeof(uint32_t));
}

static void put_binding(const snBinding* b, bool particles, sniBytes* out) {
    sni_put_u32(out, b != NULL);
    if (b == NULL) return;
    snLatticeCells cells = sn_lattice_cells(b->lattice);
    sni_put_array(out, &cells.origin, 1, sizeof cells.origin);
    sni_put_float(out, cells.cell_size);
    sni_put_array(out, cells.grid, 3, sizeof(uint32_t));
    sni_put_u32(out, cells.cell_count);
    sni_put_u32(out, cells.particle_count);
    sni_put_u32(out, cells.point_count);
    sni_put_u64(out, cells.source);
    sni_put_array(out, cells.cells, cells.cell_count, sizeof *cells.cells);
    sni_put_array(out, cells.cell_particles, cells.cell_count, sizeof *cells.cell_particles);
    sni_put_array(out, cells.cell_inside, cells.cell_count, 1);
    sni_put_array(out, cells.point_cells, cells.point_count, sizeof(uint32_t));
    sni_put_array(out, cells.point_coords, cells.point_count, sizeof(snVec3));
    sni_put_u32(out, b->joint_count);
    sni_put_array(out, b->joints, b->joint_count, sizeof(uint32_t));
    sni_put_array(out, b->binds, b->joint_count, sizeof(snMat4));
    if (particles) sni_particles_put(&b->particles, b->parts->bone_parts, b->parts->joint_parts, out);
    sni_put_optional(out, b->region_widths, cells.particle_count, 1);
    sni_put_array(out, b->vertex_starts, (size_t)b->part_count + 1, sizeof(uint32_t));
    sni_put_array(out, b->vertex_points, b->vertex_starts[b->part_count], sizeof(uint32_t));
}

void sni_model_put(const sniBody* body, bool particles, sniBytes* out) {
    const snModel* model = body->model;
    if (model == NULL) return;
    sni_put_u64(out, body->source->id);
    sni_put_u64(out, body->joints);
    sni_put_u32(out, body->shape);
    sni_put_u32(out, body->origin);
    sni_put_u32(out, model->reskinned);
    sni_put_u32(out, model->rebound);
    put_skeleton(model->skeleton, out);
    sni_put_u32(out, model->skin_count);
    for (uint32_t s = 0; s < model->skin_count; s++) {
        const snSkin* skin = &model->skins[s];
        sni_put_text(out, skin->name);
        sni_put_u32(out, skin->joint_count);
        sni_put_array(out, skin->joints, skin->joint_count, sizeof *skin->joints);
        sni_put_array(out, skin->inverse_binds, skin->joint_count, sizeof(snMat4));
    }
    sni_put_u32(out, model->part_count);
    for (uint32_t p = 0; p < model->part_count; p++) put_part(&model->parts[p], body->shape, out);
    put_binding(model->binding, particles, out);
    sni_put_optional(out, body->deforming, model->skeleton->joint_count, 1);
}

void sni_weights_put(const snWeights* w, sniBytes* out) {
    sni_put_u32(out, w->influences);
    sni_put_array(out, w->joints, (size_t)w->vertex_count * w->influences, sizeof(uint16_t));
    sni_put_array(out, w->weights, (size_t)w->vertex_count * w->influences, sizeof(float));
}

void sni_clips_put(snClip* const* clips, uint32_t count, sniBytes* out) {
    sni_put_u32(out, count);
    for (uint32_t c = 0; c < count; c++) {
        sni_put_text(out, clips[c]->name);
        sni_put_float(out, clips[c]->duration);
        sni_put_u32(out, clips[c]->channel_count);
        for (uint32_t i = 0; i < clips[c]->channel_count; i++) {
            const snChannel* channel = &clips[c]->channels[i];
            size_t values = (size_t)channel->key_count * channel->width;
            if (channel->interpolation == SN_INTERPOLATION_CUBIC) values *= 3;
            const uint32_t head[5] = {channel->joint, (uint32_t)channel->path,
                                      (uint32_t)channel->interpolation, channel->key_count, channel->width};
            sni_put_array(out, head, 5, sizeof(uint32_t));
            sni_put_array(out, channel->times, channel->key_count, sizeof(float));
            sni_put_array(out, channel->values, values, sizeof(float));
        }
    }
}

// ---------------------------------------------------------------------------------------------------- get

typedef struct Getter {
    sniReader reader;
    sniBody* body;
    const snAllocator* memory;
    snError* error;
    // What was read of a binding, until the weights of its particles are known; lattice NULL: there is none.
    snBindingDef binding;
    snLattice* lattice;
} Getter;

static snResult damaged(snError* error) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "the stored model is damaged");
}

static void* copy_of(const Getter* g, const void* items, size_t count, size_t size) {
    return items != NULL ? sni_copy_array(g->memory, items, count, size) : NULL;
}

// Below a limit, all of them; SN_NONE too where it is allowed.
static bool all_below(const uint32_t* values, size_t count, uint32_t limit, bool none) {
    for (size_t i = 0; i < count; i++)
        if (values[i] >= limit && !(none && values[i] == SN_NONE)) return false;
    return true;
}

static snResult get_skeleton(Getter* g) {
    uint32_t count = sni_take_u32(&g->reader);
    if (g->reader.failed || count > g->reader.size) return damaged(g->error);
    const char** names = SNI_NEW_ARRAY(g->memory, const char*, count);
    if (names == NULL) return sni_fail_memory(g->error);
    for (uint32_t j = 0; j < count; j++) names[j] = sni_take_text(&g->reader);
    const uint32_t* parents = sni_take_array(&g->reader, count, sizeof *parents);
    const snTrs* rest = sni_take_floats(&g->reader, (size_t)count * (sizeof(snTrs) / sizeof(float)));
    snSkeletonDef def = {count, names, parents, rest};
    snResult result = g->reader.failed
                          ? damaged(g->error)
                          : sn_skeleton_create(&def, g->memory, &g->body->model->skeleton, g->error);
    // Creating normalises rotations, which may move a last bit.
    if (result == SN_RESULT_OK) memcpy(g->body->model->skeleton->rest, rest, count * sizeof *rest);
    sni_free(g->memory, names);
    return result;
}

static snResult get_skin(Getter* g, snSkin* skin) {
    skin->name = sni_copy_text(g->memory, sni_take_text(&g->reader));
    uint32_t count = sni_take_u32(&g->reader);
    const uint32_t* joints = sni_take_array(&g->reader, count, sizeof *joints);
    const snMat4* binds = sni_take_array(&g->reader, count, sizeof *binds);
    if (g->reader.failed || !all_below(joints, count, g->body->model->skeleton->joint_count, false))
        return damaged(g->error);
    skin->joint_count = count;
    skin->joints = copy_of(g, joints, count, sizeof *joints);
    skin->inverse_binds = copy_of(g, binds, count, sizeof *binds);
    return skin->name != NULL && skin->joints != NULL && skin->inverse_binds != NULL
               ? SN_RESULT_OK
               : sni_fail_memory(g->error);
}

static snResult get_mesh(Getter* g, snMesh** out) {
    sniReader* r = &g->reader;
    snMeshDef def = {
        sni_take_u32(r), 0, 0, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, NULL, 0, NULL, NULL};
    def.face_count = sni_take_u32(r);
    def.corner_count = sni_take_u32(r);
    def.positions = sni_take_array(r, def.vertex_count, sizeof(snVec3));
    def.face_starts = sni_take_array(r, (size_t)def.face_count + 1, sizeof(uint32_t));
    def.corners = sni_take_array(r, def.corner_count, sizeof(uint32_t));
    def.normal_count = sni_take_u32(r);
    def.normals = sni_take_optional(r, def.normal_count, sizeof(snVec3));
    def.corner_normals = sni_take_optional(r, def.corner_count, sizeof(uint32_t));
    def.uv_count = sni_take_u32(r);
    def.uvs = sni_take_optional(r, def.uv_count, sizeof(snVec2));
    def.corner_uvs = sni_take_optional(r, def.corner_count, sizeof(uint32_t));
    def.colors = sni_take_optional(r, def.vertex_count, sizeof(snVec4));
    def.group_count = sni_take_u32(r);
    if (r->failed || def.group_count > r->size) return damaged(g->error);
    const char** names = SNI_NEW_ARRAY(g->memory, const char*, def.group_count);
    if (names == NULL) return sni_fail_memory(g->error);
    for (uint32_t i = 0; i < def.group_count; i++) names[i] = sni_take_text(r);
    def.group_names = names;
    def.face_groups = sni_take_optional(r, def.face_count, sizeof(uint32_t));
    snResult result = r->failed ? damaged(g->error) : sn_mesh_create(&def, g->memory, out, g->error);
    sni_free(g->memory, names);
    return result;
}

static snResult get_weld(Getter* g, uint32_t vertices, snWeld** out) {
    uint32_t points = sni_take_u32(&g->reader);
    const uint32_t* point_of = sni_take_array(&g->reader, vertices, sizeof *point_of);
    const uint32_t* vertex_of = sni_take_array(&g->reader, points, sizeof *vertex_of);
    if (g->reader.failed || !all_below(point_of, vertices, points, false) ||
        !all_below(vertex_of, points, vertices, false))
        return damaged(g->error);
    for (uint32_t p = 0; p < points; p++)
        if (point_of[vertex_of[p]] != p) return damaged(g->error);
    snWeld view = {vertices, points, (uint32_t*)point_of, (uint32_t*)vertex_of, *g->memory};
    return sn_weld_copy(&view, g->memory, out, g->error);
}

static snResult get_morphs(Getter* g, snPart* part) {
    uint32_t vertices = part->mesh->vertex_count, count = sni_take_u32(&g->reader);
    const float* weights = sni_take_floats(&g->reader, count);
    if (g->reader.failed) return damaged(g->error);
    part->morphs = SNI_NEW_ARRAY(g->memory, snMorph, count);
    part->morph_weights = copy_of(g, weights, count, sizeof *weights);
    if (part->morphs == NULL || part->morph_weights == NULL) return sni_fail_memory(g->error);
    while (part->morph_count < count) {
        snMorph* morph = &part->morphs[part->morph_count++];
        morph->name = sni_copy_text(g->memory, sni_take_text(&g->reader));
        const void* positions = sni_take_optional(&g->reader, vertices, sizeof(snVec3));
        const void* normals = sni_take_optional(&g->reader, vertices, sizeof(snVec3));
        if (g->reader.failed) return damaged(g->error);
        morph->positions = copy_of(g, positions, vertices, sizeof(snVec3));
        morph->normals = copy_of(g, normals, vertices, sizeof(snVec3));
        if (morph->name == NULL || (positions != NULL && morph->positions == NULL) ||
            (normals != NULL && morph->normals == NULL))
            return sni_fail_memory(g->error);
    }
    return SN_RESULT_OK;
}

static snResult get_shape(Getter* g, uint32_t p, snPart* part) {
    if (g->body->shape) {
        SNI_TRY(get_mesh(g, &part->mesh));
        SNI_TRY(get_weld(g, part->mesh->vertex_count, &part->weld));
        return get_morphs(g, part);
    }
    const snPart* from = &g->body->source->model->parts[p];
    part->mesh = from->mesh;
    part->weld = from->weld;
    part->morphs = from->morphs;
    part->morph_weights = from->morph_weights;
    part->morph_count = from->morph_count;
    return SN_RESULT_OK;
}

// Sources are vertices of the mesh in the file.
static snResult get_origins(Getter* g, uint32_t p, snPart* part) {
    if (sni_take_below(&g->reader, 2) == 0) return g->reader.failed ? damaged(g->error) : SN_RESULT_OK;
    uint32_t vertices = part->mesh->vertex_count, total = sni_take_u32(&g->reader);
    const uint32_t* starts = sni_take_array(&g->reader, (size_t)vertices + 1, sizeof *starts);
    const uint32_t* sources = sni_take_array(&g->reader, total, sizeof *sources);
    const float* shares = sni_take_floats(&g->reader, total);
    const snModel* base = g->body->source->model;
    if (g->reader.failed || p >= base->part_count || starts[0] != 0 || starts[vertices] != total ||
        !all_below(sources, total, base->parts[p].mesh->vertex_count, false))
        return damaged(g->error);
    for (uint32_t v = 0; v < vertices; v++)
        if (starts[v] > starts[v + 1]) return damaged(g->error);
    snOrigins* origins = SNI_NEW(g->memory, snOrigins);
    if (origins == NULL) return sni_fail_memory(g->error);
    part->origins = origins;
    *origins = (snOrigins){vertices, copy_of(g, starts, (size_t)vertices + 1, sizeof *starts),
                           copy_of(g, sources, total, sizeof *sources),
                           copy_of(g, shares, total, sizeof *shares), *g->memory};
    return origins->starts != NULL && origins->sources != NULL && origins->shares != NULL
               ? SN_RESULT_OK
               : sni_fail_memory(g->error);
}

static snResult get_part(Getter* g, uint32_t p, snPart* part) {
    const snModel* model = g->body->model;
    const snModel* base = g->body->source->model;
    part->name = sni_copy_text(g->memory, sni_take_text(&g->reader));
    part->joint = sni_take_below(&g->reader, model->skeleton->joint_count);
    part->skin = sni_take_u32(&g->reader);
    if (part->name == NULL) return sni_fail_memory(g->error);
    if (g->reader.failed || (part->skin >= model->skin_count && part->skin != SN_NONE))
        return damaged(g->error);
    SNI_TRY(get_shape(g, p, part));
    uint32_t groups = part->mesh->group_count;
    const uint32_t* materials = sni_take_optional(&g->reader, groups, sizeof *materials);
    if (g->reader.failed || (materials != NULL && !all_below(materials, groups, base->material_count, true)))
        return damaged(g->error);
    part->group_materials = copy_of(g, materials, groups, sizeof *materials);
    if (materials != NULL && part->group_materials == NULL) return sni_fail_memory(g->error);
    uint32_t vertices = part->mesh->vertex_count;
    const float* shares = sni_take_optional(&g->reader, vertices, sizeof *shares);
    if (g->reader.failed || (shares != NULL && part->skin == SN_NONE)) return damaged(g->error);
    for (uint32_t v = 0; v < vertices && shares != NULL; v++)
        if (!(shares[v] >= 0.0f && shares[v] <= 1.0f)) return damaged(g->error);
    part->dual_shares = copy_of(g, shares, vertices, sizeof *shares);
    if (shares != NULL && part->dual_shares == NULL) return sni_fail_memory(g->error);
    return get_origins(g, p, part);
}

static snResult get_weights(Getter* g) {
    snModel* model = g->body->model;
    for (uint32_t p = 0; p < model->part_count; p++) {
        snPart* part = &model->parts[p];
        uint32_t vertices = part->mesh->vertex_count, influences = sni_take_below(&g->reader, 65);
        size_t count = (size_t)vertices * influences;
        const uint16_t* joints = sni_take_array(&g->reader, count, sizeof *joints);
        const float* weights = sni_take_floats(&g->reader, count);
        if (g->reader.failed || (influences > 0) != (part->skin != SN_NONE)) return damaged(g->error);
        for (size_t i = 0; i < count; i++)
            if (joints[i] >= model->skins[part->skin].joint_count || weights[i] < 0.0f)
                return damaged(g->error);
        if (influences == 0) continue;
        part->weights = (snWeights){vertices, influences, copy_of(g, joints, count, sizeof *joints),
                                    copy_of(g, weights, count, sizeof *weights)};
        if (part->weights.joints == NULL || part->weights.weights == NULL) return sni_fail_memory(g->error);
    }
    return SN_RESULT_OK;
}

static snResult get_lattice(Getter* g, snLattice** out) {
    sniReader* r = &g->reader;
    snLatticeCells cells = {0};
    const snVec3* origin = sni_take_floats(r, 3);
    if (origin != NULL) cells.origin = *origin;
    cells.cell_size = sni_take_float(r);
    const uint32_t* grid = sni_take_array(r, 3, sizeof *grid);
    if (grid != NULL) memcpy(cells.grid, grid, sizeof cells.grid);
    cells.cell_count = sni_take_u32(r);
    cells.particle_count = sni_take_u32(r);
    cells.point_count = sni_take_u32(r);
    cells.source = sni_take_u64(r);
    cells.cells = sni_take_array(r, cells.cell_count, sizeof *cells.cells);
    cells.cell_particles = sni_take_array(r, cells.cell_count, sizeof *cells.cell_particles);
    cells.cell_inside = sni_take_array(r, cells.cell_count, 1);
    cells.point_cells = sni_take_array(r, cells.point_count, sizeof(uint32_t));
    cells.point_coords = sni_take_floats(r, 3 * (size_t)cells.point_count);
    return r->failed ? damaged(g->error) : sn_lattice_restore(&cells, g->memory, out, g->error);
}

// All but the particles, which are among the weights.
static snResult get_binding(Getter* g) {
    sniReader* r = &g->reader;
    const snModel* model = g->body->model;
    snBindingDef* def = &g->binding;
    if (sni_take_below(r, 2) == 0) return r->failed ? damaged(g->error) : SN_RESULT_OK;
    SNI_TRY(get_lattice(g, &g->lattice));
    if (g->lattice == NULL) return damaged(g->error);
    def->joint_count = sni_take_u32(r);
    def->joints = sni_take_array(r, def->joint_count, sizeof(uint32_t));
    def->binds = sni_take_floats(r, 16 * (size_t)def->joint_count);
    def->region_widths = sni_take_optional(r, g->lattice->particle_count, 1);
    def->vertex_starts = sni_take_array(r, (size_t)model->part_count + 1, sizeof(uint32_t));
    uint32_t vertices = def->vertex_starts != NULL ? def->vertex_starts[model->part_count] : 0;
    def->vertex_points = sni_take_array(r, vertices, sizeof(uint32_t));
    return r->failed ? damaged(g->error) : SN_RESULT_OK;
}

static snResult get_particles(Getter* g) {
    sniReader* r = &g->reader;
    snModel* model = g->body->model;
    snBindingDef* def = &g->binding;
    snBinding* binding = NULL;
    if (g->lattice == NULL) return sni_reader_done(r) ? SN_RESULT_OK : damaged(g->error);
    uint32_t particles = g->lattice->particle_count;
    bool rebound = model->rebound;
    def->model = model;
    def->influences = sni_take_below(r, 65);
    def->particle_joints = sni_take_array(r, (size_t)particles * def->influences, sizeof(uint16_t));
    def->particle_weights = sni_take_floats(r, (size_t)particles * def->influences);
    def->bone_overrides = sni_take_array(r, particles, sizeof(uint32_t));
    def->joint_overrides = sni_take_array(r, particles, sizeof(uint32_t));
    if (!sni_reader_done(r)) return damaged(g->error);
    SNI_TRY(sn_binding_create(def, g->lattice, g->memory, &binding, g->error));
    g->lattice = NULL; // the binding's now
    sn_model_set_binding(model, binding);
    model->rebound = rebound;
    return SN_RESULT_OK;
}

static snResult get_clip(Getter* g, snClip** out) {
    snClipDef def = {.name = sni_take_text(&g->reader)};
    def.duration = sni_take_float(&g->reader);
    def.channel_count = sni_take_u32(&g->reader);
    if (g->reader.failed || def.channel_count > g->reader.size) return damaged(g->error);
    snChannel* channels = SNI_NEW_ARRAY(g->memory, snChannel, def.channel_count);
    if (channels == NULL) return sni_fail_memory(g->error);
    for (uint32_t i = 0; i < def.channel_count && !g->reader.failed; i++) {
        snChannel* channel = &channels[i];
        channel->joint = sni_take_u32(&g->reader);
        channel->path = (snChannelPath)sni_take_below(&g->reader, SN_PATH_MORPH + 1);
        channel->interpolation = (snInterpolation)sni_take_below(&g->reader, SN_INTERPOLATION_CUBIC + 1);
        channel->key_count = sni_take_u32(&g->reader);
        channel->width = sni_take_u32(&g->reader);
        size_t values = 0, cubic = channel->interpolation == SN_INTERPOLATION_CUBIC ? 3 : 1;
        if (!sni_mul_size(channel->key_count, channel->width, &values) ||
            !sni_mul_size(values, cubic, &values))
            g->reader.failed = true;
        channel->times = (float*)sni_take_floats(&g->reader, channel->key_count);
        channel->values = (float*)sni_take_floats(&g->reader, values);
    }
    def.channels = channels;
    uint32_t joints = g->body->model->skeleton->joint_count;
    snResult result =
        g->reader.failed ? damaged(g->error) : sn_clip_create(&def, joints, g->memory, out, g->error);
    sni_free(g->memory, channels);
    return result;
}

snResult sni_clips_get(const sniBody* body, sniSlice bytes, const snAllocator* memory, snClip*** out,
                       uint32_t* out_count, snError* error) {
    Getter g = {.reader = {bytes.data, bytes.size, 0, false},
                .body = (sniBody*)body,
                .memory = memory,
                .error = error};
    uint32_t count = sni_take_u32(&g.reader), made = 0;
    if (g.reader.failed || count > bytes.size) return damaged(error);
    snClip** clips = SNI_NEW_ARRAY(memory, snClip*, count);
    snResult result = clips != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    while (made < count && result == SN_RESULT_OK) {
        result = get_clip(&g, &clips[made]);
        made += result == SN_RESULT_OK;
    }
    if (result == SN_RESULT_OK && !sni_reader_done(&g.reader)) result = damaged(error);
    if (result == SN_RESULT_OK) {
        *out = clips;
        *out_count = count;
        return SN_RESULT_OK;
    }
    for (uint32_t c = 0; c < made; c++) sn_clip_destroy(clips[c]);
    sni_free(memory, clips);
    return result;
}

static snResult get_model(Getter* g) {
    snModel* model = g->body->model;
    const snModel* base = g->body->source->model;
    g->body->joints = sni_take_u64(&g->reader);
    g->body->shape = sni_take_below(&g->reader, 2) == 1;
    g->body->origin = sni_take_below(&g->reader, 2) == 1;
    model->reskinned = sni_take_below(&g->reader, 2) == 1;
    model->rebound = sni_take_below(&g->reader, 2) == 1;
    SNI_TRY(get_skeleton(g));
    uint32_t skins = sni_take_u32(&g->reader);
    if (g->reader.failed || skins > g->reader.size) return damaged(g->error);
    model->skins = SNI_NEW_ARRAY(g->memory, snSkin, skins);
    if (model->skins == NULL) return sni_fail_memory(g->error);
    while (model->skin_count < skins) SNI_TRY(get_skin(g, &model->skins[model->skin_count++]));
    uint32_t parts = sni_take_u32(&g->reader);
    // Edits change parts, they neither make nor remove them; nodes of the file's document stay joints.
    if (g->reader.failed || parts != base->part_count ||
        (g->body->origin && model->skeleton->joint_count != base->skeleton->joint_count))
        return damaged(g->error);
    model->parts = SNI_NEW_ARRAY(g->memory, snPart, parts);
    if (model->parts == NULL) return sni_fail_memory(g->error);
    while (model->part_count < parts) {
        uint32_t p = model->part_count++;
        SNI_TRY(get_part(g, p, &model->parts[p]));
    }
    SNI_TRY(get_binding(g));
    const uint8_t* deforming = sni_take_optional(&g->reader, model->skeleton->joint_count, 1);
    g->body->deforming = copy_of(g, deforming, model->skeleton->joint_count, 1);
    if (deforming != NULL && g->body->deforming == NULL) return sni_fail_memory(g->error);
    return sni_reader_done(&g->reader) ? SN_RESULT_OK : damaged(g->error);
}

static snResult get_body(Getter* g, sniSlice weights, sniSlice clips) {
    snModel* to = g->body->model;
    SNI_TRY(get_model(g));
    g->reader = (sniReader){weights.data, weights.size, 0, false};
    SNI_TRY(get_weights(g));
    SNI_TRY(get_particles(g));
    SNI_TRY(sni_clips_get(g->body, clips, g->memory, &to->clips, &to->clip_count, g->error));
    const snModel* lender = g->body->source->model;
    to->materials = lender->materials;
    to->material_count = lender->material_count;
    if (g->body->origin) sni_body_borrow_source(g->body);
    return SN_RESULT_OK;
}

snResult sni_body_get(const snDocument* document, sniSlice model, sniSlice weights, sniSlice clips,
                      const snAllocator* memory, sniBody* out, snError* error) {
    sniBody body = {.allocator = *memory};
    if (model.size == 0) {
        *out = (sniBody){0};
        return SN_RESULT_OK;
    }
    Getter g = {
        .reader = {model.data, model.size, 0, false}, .body = &body, .memory = memory, .error = error};
    snSource* source = sni_source_find(document, sni_take_u64(&g.reader));
    if (source == NULL)
        return sni_fail(error, SN_RESULT_BAD_DATA, "the file that the model came from is missing");
    body.model = SNI_NEW(memory, snModel);
    if (body.model == NULL) return sni_fail_memory(error);
    body.model->allocator = *memory;
    body.source = sni_source_retain(source);
    snResult result = get_body(&g, weights, clips);
    sn_lattice_destroy(g.lattice);
    if (result == SN_RESULT_OK)
        *out = body;
    else
        sni_body_free(&body);
    return result;
}
