// Every node with meshes becomes one part, a group per mesh: assimp cuts a mesh where its material changes.
#include "assimp_scene.h"
#include "gltf.h"

// Corners of all meshes of a node, one after another, as assimp has them. "Row" below is one of its vertices.
typedef struct Builder {
    sniScene* s;
    const struct aiNode* node;
    uint32_t joint;
    uint32_t row_count;
    uint32_t face_count;
    uint32_t corner_count;
    uint32_t* corners; // rows
    uint32_t* face_starts;
    uint32_t* face_groups;
    bool has_normals, has_uvs, has_colors;
    // The skin.
    uint32_t bone_count;
    uint32_t* bones; // joints
    snMat4* inverse_binds;
    uint32_t influences;
    uint16_t* row_bones; // row_count * influences
    float* row_weights;
    uint8_t* row_used; // influences of each row, while they are gathered
    // The morph targets.
    uint32_t morph_count;
    const char** morph_names;
    snVec3* row_offsets; // morph_count * row_count
    // The vertices.
    uint32_t vertex_count;
    uint32_t* vertex_of_row;
    uint32_t* row_of_vertex; // the first
} Builder;

static const struct aiMesh* mesh_of(const Builder* b, unsigned i) {
    return b->s->scene->mMeshes[b->node->mMeshes[i]];
}

static snVec3 vector_of(struct aiVector3D v) { return sn_vec3(v.x, v.y, v.z); }

// ------------------------------------------------------------------------------------------------- faces

// False when the counts do not fit 32 bits.
static bool count_rows(Builder* b) {
    uint64_t rows = 0, faces = 0, corners = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        rows += mesh->mNumVertices;
        b->has_normals |= mesh->mNormals != NULL;
        b->has_uvs |= mesh->mTextureCoords[0] != NULL;
        b->has_colors |= mesh->mColors[0] != NULL;
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            if (mesh->mFaces[f].mNumIndices < 3) continue;
            faces++;
            corners += mesh->mFaces[f].mNumIndices;
        }
    }
    b->row_count = (uint32_t)rows;
    b->face_count = (uint32_t)faces;
    b->corner_count = (uint32_t)corners;
    return rows < SN_NONE && faces < SN_NONE && corners < SN_NONE;
}

static bool gather_faces(Builder* b) {
    b->corners = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, b->corner_count);
    b->face_starts = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, (size_t)b->face_count + 1);
    b->face_groups = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, b->face_count);
    if (b->s->arena.failed) return false;
    uint32_t first = 0, face = 0, corner = 0, left_out = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            const struct aiFace* from = &mesh->mFaces[f];
            if (from->mNumIndices < 3) {
                left_out++;
                continue;
            }
            b->face_groups[face++] = i;
            for (unsigned c = 0; c < from->mNumIndices; c++) {
                // An index beyond its mesh becomes one beyond all of them, which is refused later.
                b->corners[corner++] =
                    from->mIndices[c] < mesh->mNumVertices ? first + from->mIndices[c] : SN_NONE;
            }
            b->face_starts[face] = corner;
        }
        first += mesh->mNumVertices;
    }
    if (left_out > 0) {
        sni_scene_note(b->s, "%u points and lines of \"%.80s\" are left out", left_out, b->node->mName.data);
    }
    return true;
}

// -------------------------------------------------------------------------------------------------- skin

// The place of a joint in the skin, added where it is new; SN_NONE for a bone without a node.
static uint32_t add_bone(Builder* b, const struct aiBone* bone) {
    uint32_t joint = sni_scene_find(b->s, bone->mName.data);
    if (joint == SN_NONE) return SN_NONE;
    for (uint32_t i = 0; i < b->bone_count; i++) {
        if (b->bones[i] == joint) return i;
    }
    // S(w of the bone) B S(1 / w of the mesh): only lengths change.
    float from = b->s->scales[b->joint], to = b->s->scales[joint];
    snMat4 bind = sni_scene_matrix(&bone->mOffsetMatrix);
    if (b->s->fbx != NULL) sni_fbx_inverse_bind(b->s->fbx, b->node->mName.data, bone->mName.data, &bind);
    for (int i = 0; i < 12; i++) bind.m[i] *= to / from;
    for (int i = 12; i < 15; i++) bind.m[i] *= to;
    bind.m[3] = bind.m[7] = bind.m[11] = 0.0f;
    bind.m[15] = 1.0f;
    b->bones[b->bone_count] = joint;
    b->inverse_binds[b->bone_count] = bind;
    return b->bone_count++;
}

typedef void VisitFn(Builder* b, uint32_t row, uint32_t bone, float weight);

static void visit_weights(Builder* b, VisitFn* visit) {
    uint32_t first = 0, lost = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        for (unsigned k = 0; k < mesh->mNumBones; k++) {
            const struct aiBone* from = mesh->mBones[k];
            uint32_t bone = add_bone(b, from);
            lost += bone == SN_NONE;
            for (unsigned w = 0; w < from->mNumWeights && bone < UINT16_MAX; w++) {
                const struct aiVertexWeight* weight = &from->mWeights[w];
                if (weight->mVertexId < mesh->mNumVertices && weight->mWeight > 0.0f) {
                    visit(b, first + weight->mVertexId, bone, weight->mWeight);
                }
            }
        }
        first += mesh->mNumVertices;
    }
    if (lost > 0 && b->row_bones != NULL) {
        sni_scene_note(b->s, "%u bones of \"%.80s\" name nodes that do not exist", lost, b->node->mName.data);
    }
}

static void count_weight(Builder* b, uint32_t row, uint32_t bone, float weight) {
    (void)bone, (void)weight;
    if (b->row_used[row] < UINT8_MAX) b->row_used[row]++;
    if (b->row_used[row] > b->influences) b->influences = b->row_used[row];
}

static void keep_weight(Builder* b, uint32_t row, uint32_t bone, float weight) {
    if (b->row_used[row] >= b->influences) return;
    size_t at = (size_t)row * b->influences + b->row_used[row]++;
    b->row_bones[at] = (uint16_t)bone;
    b->row_weights[at] = weight;
}

static bool gather_weights(Builder* b) {
    size_t bones = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) bones += mesh_of(b, i)->mNumBones;
    if (bones == 0) return true;
    b->bones = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, bones);
    b->inverse_binds = SNI_ARENA_ARRAY(&b->s->arena, snMat4, bones);
    b->row_used = SNI_ARENA_ARRAY(&b->s->arena, uint8_t, b->row_count);
    if (b->s->arena.failed) return false;
    visit_weights(b, count_weight);
    memset(b->row_used, 0, b->row_count);
    if (b->influences == 0) b->influences = 1;
    size_t room = (size_t)b->row_count * b->influences;
    b->row_bones = SNI_ARENA_ARRAY(&b->s->arena, uint16_t, room);
    b->row_weights = SNI_ARENA_ARRAY(&b->s->arena, float, room);
    if (b->s->arena.failed) return false;
    visit_weights(b, keep_weight);
    return true;
}

// ------------------------------------------------------------------------------------------------ morphs

static uint32_t find_morph(const Builder* b, const char* name) {
    for (uint32_t m = 0; m < b->morph_count; m++) {
        if (strcmp(b->morph_names[m], name) == 0) return m;
    }
    return SN_NONE;
}

static void name_morphs(Builder* b) {
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        for (unsigned m = 0; m < mesh->mNumAnimMeshes; m++) {
            const char* name = mesh->mAnimMeshes[m]->mName.data;
            if (find_morph(b, name) == SN_NONE) b->morph_names[b->morph_count++] = name;
        }
    }
}

static bool gather_morphs(Builder* b) {
    size_t most = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) most += mesh_of(b, i)->mNumAnimMeshes;
    if (most == 0) return true;
    b->morph_names = SNI_ARENA_ARRAY(&b->s->arena, const char*, most);
    if (b->morph_names == NULL) return false;
    name_morphs(b);
    b->row_offsets = SNI_ARENA_ARRAY(&b->s->arena, snVec3, (size_t)b->morph_count * b->row_count);
    if (b->row_offsets == NULL) return false;
    size_t first = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        for (unsigned m = 0; m < mesh->mNumAnimMeshes; m++) {
            const struct aiAnimMesh* target = mesh->mAnimMeshes[m];
            if (target->mVertices == NULL || target->mNumVertices != mesh->mNumVertices) continue;
            snVec3* offsets =
                b->row_offsets + (size_t)find_morph(b, target->mName.data) * b->row_count + first;
            for (unsigned v = 0; v < mesh->mNumVertices; v++) {
                offsets[v] = sn_sub(vector_of(target->mVertices[v]), vector_of(mesh->mVertices[v]));
            }
        }
        first += mesh->mNumVertices;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------- join

// What makes two rows one vertex. Weights and offsets go in as hashes.
typedef struct Key {
    snVec3 position;
    snVec4 color;
    uint32_t unused; // zero, so that rows compare as bytes
    uint64_t weights;
    uint64_t offsets;
} Key;

static void fill_key(const Builder* b, const struct aiMesh* mesh, unsigned v, uint32_t row, Key* key) {
    snVec3 p = vector_of(mesh->mVertices[v]);
    key->position = sn_vec3(p.x + 0.0f, p.y + 0.0f, p.z + 0.0f); // -0 becomes 0
    if (mesh->mColors[0] != NULL) memcpy(&key->color, &mesh->mColors[0][v], sizeof key->color);
    if (b->influences > 0) {
        size_t at = (size_t)row * b->influences;
        key->weights = sn_hash_bytes(SN_HASH_SEED, b->row_bones + at, b->row_used[row] * sizeof(uint16_t));
        key->weights = sn_hash_bytes(key->weights, b->row_weights + at, b->row_used[row] * sizeof(float));
    }
    for (uint32_t m = 0; m < b->morph_count; m++) {
        const snVec3* offset = &b->row_offsets[(size_t)m * b->row_count + row];
        key->offsets = sn_hash_floats(key->offsets, &offset->x, 3);
    }
}

static bool join_rows(Builder* b) {
    Key* keys = SNI_ARENA_ARRAY(&b->s->arena, Key, b->row_count);
    b->vertex_of_row = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, b->row_count);
    if (b->s->arena.failed) return false;
    uint32_t row = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        for (unsigned v = 0; v < mesh->mNumVertices; v++, row++) fill_key(b, mesh, v, row, &keys[row]);
    }
    b->vertex_count = sni_join_rows(&b->s->arena, keys, b->row_count, sizeof *keys, b->vertex_of_row);
    if (b->vertex_count == SN_NONE) return false;
    b->row_of_vertex = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, b->vertex_count);
    if (b->row_of_vertex == NULL) return false;
    for (row = b->row_count; row > 0; row--) b->row_of_vertex[b->vertex_of_row[row - 1]] = row - 1;
    return true;
}

// ------------------------------------------------------------------------------------------------ arrays

static bool fill_positions(Builder* b, snMeshDef* def) {
    snVec3* positions = SNI_ARENA_ARRAY(&b->s->arena, snVec3, b->vertex_count);
    snVec4* colors = b->has_colors ? SNI_ARENA_ARRAY(&b->s->arena, snVec4, b->vertex_count) : NULL;
    if (b->s->arena.failed) return false;
    uint32_t row = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        for (unsigned v = 0; v < mesh->mNumVertices; v++, row++) {
            uint32_t vertex = b->vertex_of_row[row];
            positions[vertex] = sn_scale(vector_of(mesh->mVertices[v]), b->s->scales[b->joint]);
            if (colors != NULL && mesh->mColors[0] != NULL)
                memcpy(&colors[vertex], &mesh->mColors[0][v], sizeof *colors);
        }
    }
    def->positions = positions;
    def->colors = colors;
    return true;
}

// One texture coordinate or normal per row, joined; `indices` is what each corner uses.
static const void* join_attribute(Builder* b, const void* rows, size_t size, uint32_t* out_count,
                                  const uint32_t** indices) {
    uint32_t* number = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, b->row_count);
    uint32_t* corners = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, b->corner_count);
    if (b->s->arena.failed) return NULL;
    *out_count = sni_join_rows(&b->s->arena, rows, b->row_count, size, number);
    uint8_t* joined = *out_count != SN_NONE ? sni_arena_array(&b->s->arena, *out_count, size) : NULL;
    if (joined == NULL) return NULL;
    for (uint32_t r = 0; r < b->row_count; r++) {
        memcpy(joined + number[r] * size, (const uint8_t*)rows + r * size, size);
    }
    for (uint32_t c = 0; c < b->corner_count; c++) {
        corners[c] = b->corners[c] < b->row_count ? number[b->corners[c]] : SN_NONE;
    }
    *indices = corners;
    return joined;
}

static bool fill_normals(Builder* b, snMeshDef* def) {
    if (!b->has_normals) return true;
    snVec3* rows = SNI_ARENA_ARRAY(&b->s->arena, snVec3, b->row_count);
    if (rows == NULL) return false;
    uint32_t row = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        for (unsigned v = 0; v < mesh->mNumVertices; v++, row++) {
            snVec3 up = sn_vec3(0.0f, 1.0f, 0.0f);
            snVec3 n = mesh->mNormals != NULL ? vector_of(mesh->mNormals[v]) : up;
            rows[row] = sn_finite(sn_length(n)) ? sn_normalize_or(n, up) : up;
        }
    }
    def->normals = join_attribute(b, rows, sizeof *rows, &def->normal_count, &def->corner_normals);
    return def->normals != NULL;
}

static bool fill_uvs(Builder* b, snMeshDef* def) {
    if (!b->has_uvs) return true;
    snVec2* rows = SNI_ARENA_ARRAY(&b->s->arena, snVec2, b->row_count);
    if (rows == NULL) return false;
    uint32_t row = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        for (unsigned v = 0; v < mesh->mNumVertices; v++, row++) {
            if (mesh->mTextureCoords[0] == NULL) continue;
            struct aiVector3D uv = mesh->mTextureCoords[0][v];
            // assimp counts from the bottom, we from the top.
            if (sn_finite(uv.x) && sn_finite(uv.y)) rows[row] = (snVec2){uv.x, 1.0f - uv.y};
        }
    }
    def->uvs = join_attribute(b, rows, sizeof *rows, &def->uv_count, &def->corner_uvs);
    return def->uvs != NULL;
}

static bool fill_groups(Builder* b, snMeshDef* def, const uint32_t** out_materials) {
    const char** names = SNI_ARENA_ARRAY(&b->s->arena, const char*, b->node->mNumMeshes);
    uint32_t* materials = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, b->node->mNumMeshes);
    if (b->s->arena.failed) return false;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        uint32_t material = mesh_of(b, i)->mMaterialIndex;
        materials[i] = material < b->s->material_count ? material : SN_NONE;
        names[i] = materials[i] != SN_NONE ? b->s->materials[material].name : mesh_of(b, i)->mName.data;
    }
    def->group_count = b->node->mNumMeshes;
    def->group_names = names;
    def->face_groups = b->face_groups;
    *out_materials = materials;
    return true;
}

static bool fill_mesh(Builder* b, snPartDef* part, const uint32_t** out_materials) {
    snMeshDef* def = SNI_ARENA_ARRAY(&b->s->arena, snMeshDef, 1);
    uint32_t* corners = SNI_ARENA_ARRAY(&b->s->arena, uint32_t, b->corner_count);
    if (b->s->arena.failed) return false;
    for (uint32_t c = 0; c < b->corner_count; c++) {
        corners[c] = b->corners[c] < b->row_count ? b->vertex_of_row[b->corners[c]] : SN_NONE;
    }
    def->vertex_count = b->vertex_count;
    def->face_count = b->face_count;
    def->corner_count = b->corner_count;
    def->corners = corners;
    def->face_starts = b->face_starts;
    part->mesh = def;
    return fill_positions(b, def) && fill_normals(b, def) && fill_uvs(b, def) &&
           fill_groups(b, def, out_materials);
}

static bool fill_shares(Builder* b, snPartDef* part) {
    if (b->s->fbx == NULL) return true;
    sniFbxShares shares = sni_fbx_shares(b->s->fbx, b->node->mName.data);
    if (shares.count == 0) return true;
    float* out = SNI_ARENA_ARRAY(&b->s->arena, float, b->vertex_count);
    if (out == NULL) return false;
    uint32_t row = 0;
    for (unsigned i = 0; i < b->node->mNumMeshes; i++) {
        const struct aiMesh* mesh = mesh_of(b, i);
        for (unsigned v = 0; v < mesh->mNumVertices; v++, row++)
            out[b->vertex_of_row[row]] = sni_fbx_share(&shares, vector_of(mesh->mVertices[v]));
    }
    part->dual_shares = out;
    return true;
}

static bool fill_skin(Builder* b, snPartDef* part) {
    part->skin = SN_NONE;
    if (b->bone_count == 0) return true;
    size_t count = (size_t)b->vertex_count * b->influences;
    uint16_t* joints = SNI_ARENA_ARRAY(&b->s->arena, uint16_t, count);
    float* weights = SNI_ARENA_ARRAY(&b->s->arena, float, count);
    if (b->s->arena.failed) return false;
    for (size_t i = 0; i < count; i++) {
        size_t from = (size_t)b->row_of_vertex[i / b->influences] * b->influences + i % b->influences;
        joints[i] = b->row_bones[from];
        weights[i] = b->row_weights[from];
    }
    part->influences = b->influences;
    part->joints = joints;
    part->weights = weights;
    if (!fill_shares(b, part)) return false;
    part->skin = b->s->skin_count;
    b->s->skins[b->s->skin_count++] =
        (snSkinDef){b->node->mName.data, b->bone_count, b->bones, b->inverse_binds};
    return true;
}

static bool fill_morphs(Builder* b, snPartDef* part) {
    snMorph* morphs = SNI_ARENA_ARRAY(&b->s->arena, snMorph, b->morph_count);
    if (morphs == NULL) return false;
    for (uint32_t m = 0; m < b->morph_count; m++) {
        morphs[m].name = (char*)b->morph_names[m];
        morphs[m].positions = SNI_ARENA_ARRAY(&b->s->arena, snVec3, b->vertex_count);
        if (morphs[m].positions == NULL) return false;
        for (uint32_t v = 0; v < b->vertex_count; v++) {
            snVec3 offset = b->row_offsets[(size_t)m * b->row_count + b->row_of_vertex[v]];
            morphs[m].positions[v] = sn_scale(offset, b->s->scales[b->joint]);
        }
    }
    part->morph_count = b->morph_count;
    part->morphs = morphs;
    return true;
}

static bool convert_part(sniScene* s, uint32_t joint, snPartDef* out, const uint32_t** out_materials) {
    Builder b = {.s = s, .node = s->nodes[joint], .joint = joint};
    out->name = b.node->mName.data;
    out->joint = joint;
    return count_rows(&b) && gather_faces(&b) && gather_weights(&b) && gather_morphs(&b) && join_rows(&b) &&
           fill_mesh(&b, out, out_materials) && fill_skin(&b, out) && fill_morphs(&b, out);
}

bool sni_scene_parts(sniScene* s) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < s->joint_count; j++) count += s->nodes[j]->mNumMeshes > 0;
    s->parts = SNI_ARENA_ARRAY(&s->arena, snPartDef, count);
    s->skins = SNI_ARENA_ARRAY(&s->arena, snSkinDef, count);
    s->group_materials = SNI_ARENA_ARRAY(&s->arena, const uint32_t*, count);
    if (s->arena.failed) return false;
    for (uint32_t j = 0; j < s->joint_count; j++) {
        if (s->nodes[j]->mNumMeshes == 0) continue;
        if (!convert_part(s, j, &s->parts[s->part_count], &s->group_materials[s->part_count])) return false;
        s->part_count++;
    }
    return true;
}
