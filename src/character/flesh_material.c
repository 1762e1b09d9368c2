// What each particle is made of: layers around the bones, anatomy, and the rules of the settings.
#include "base/error.h"
#include "base/geometry.h"
#include "base/glob.h"
#include "base/memory.h"
#include "character/character.h"
#include "sinew/retarget.h"

// Passes of averaging over neighbours, so that softness does not jump from one bone to the next. Judged, not
// measured.
#define SMOOTHING 2
// Nothing holds a piece without bone but the primary's pull, which must not vanish.
#define LOOSE_DELTA 0.98f

#define RIB_CAGE 0.5f

// How stiff the parts of a body are besides their thickness. Chosen by eye, as the defaults of flesh were
// (src/settings/settings.c).
static float role_softness(snRole role) {
    switch (role) {
    case SN_ROLE_UPPER_ARM:
    case SN_ROLE_LOWER_LEG:
        return 0.7f;
    case SN_ROLE_LOWER_ARM:
        return 0.5f;
    case SN_ROLE_HEAD:
        return 0.15f;
    case SN_ROLE_NECK:
        return 0.5f;
    case SN_ROLE_SHOULDER:
        return 0.6f;
    case SN_ROLE_HAND:
    case SN_ROLE_THUMB:
    case SN_ROLE_INDEX:
    case SN_ROLE_MIDDLE:
    case SN_ROLE_RING:
    case SN_ROLE_LITTLE:
    case SN_ROLE_FOOT:
    case SN_ROLE_TOES:
        return 0.2f;
    default:
        return 1.0f;
    }
}

// ---------------------------------------------------------------------------------------------- materials

bool sni_material_create(snFleshMaterial* material, uint32_t count, const snAllocator* memory) {
    *material = (snFleshMaterial){
        .deltas = SNI_NEW_ARRAY(memory, float, count),
        .alphas = SNI_NEW_ARRAY(memory, float, count),
        .dampings = SNI_NEW_ARRAY(memory, float, count),
        .holds = SNI_NEW_ARRAY(memory, float, count),
        .forces = SNI_NEW_ARRAY(memory, float, count),
    };
    if (material->deltas != NULL && material->alphas != NULL && material->dampings != NULL &&
        material->holds != NULL && material->forces != NULL) {
        return true;
    }
    sni_material_destroy(material, memory);
    return false;
}

void sni_material_destroy(snFleshMaterial* material, const snAllocator* memory) {
    sni_free(memory, material->deltas);
    sni_free(memory, material->alphas);
    sni_free(memory, material->dampings);
    sni_free(memory, material->holds);
    sni_free(memory, material->forces);
    *material = (snFleshMaterial){0};
}

void sni_material_copy(snFleshMaterial* to, const snFleshMaterial* from, uint32_t count) {
    memcpy(to->deltas, from->deltas, count * sizeof(float));
    memcpy(to->alphas, from->alphas, count * sizeof(float));
    memcpy(to->dampings, from->dampings, count * sizeof(float));
    memcpy(to->holds, from->holds, count * sizeof(float));
    memcpy(to->forces, from->forces, count * sizeof(float));
}

// -------------------------------------------------------------------------------------------------- layers

static float layer_softness(const snSettings* settings, float distance) {
    const snFleshLayer* layers = settings->layers;
    uint32_t count = settings->layer_count;
    if (count == 0) return 1.0f;
    if (distance <= layers[0].distance) return layers[0].softness;
    for (uint32_t i = 1; i < count; i++) {
        if (distance >= layers[i].distance) continue;
        float t = (distance - layers[i - 1].distance) / (layers[i].distance - layers[i - 1].distance);
        return sn_lerpf(layers[i - 1].softness, layers[i].softness, t);
    }
    return layers[count - 1].softness;
}

// Under gravity a body of the same make that is n times as large swings root n times as slowly, so that all
// of it sags and sways by the same share of its size. The settings' alpha and damping are those of a body of
// the size of a grown person; beyond so many times that, units are doubtful and nothing changes any more.
#define PERSON_SCALE 0.51f // metres; of the built-in body
#define MOST_TIMES_PERSON 8.0f

static float size_in_persons(const sniTables* tables) {
    return sn_clampf(tables->scale / PERSON_SCALE, 1.0f / MOST_TIMES_PERSON, MOST_TIMES_PERSON);
}

// How fat flesh is, 0 .. 1, by how far it is from the bone to the skin there, of the body's scale: limbs and
// the trunks of people are not, what is nearly all belly is. Of cylinders: one as long as ten times its
// radius has 0.3, as long as four times 0.43, a ball 0.6.
#define LEAN 0.3f
#define FAT 0.45f
// What is left of alpha and damping in the fattest flesh. Judged on a penguin that waves and hops.
#define FAT_ALPHA 0.25f
#define FAT_DAMPING 0.4f

static float fatness(const sniTables* tables, float radius) {
    return sn_clampf((radius / tables->scale - LEAN) / (FAT - LEAN), 0.0f, 1.0f);
}

// A limb thinner than this, of the scale of the whole body, is skin over bone (legs of a stag, forearms), and
// from the other on as soft as its layers say. Judged on a stag and the built-in body.
#define BONY 0.1f
#define FLESHY 0.2f

static float thickness_softness(const sniTables* tables, float radius) {
    return sn_clampf((radius / tables->scale - BONY) / (FLESHY - BONY), 0.0f, 1.0f);
}

// A thin limb that the skeleton names is not made stiffer twice.
static snResult apply_anatomy(const sniTables* tables, const float* radii, float* softness, snError* error) {
    const snBinding* binding = tables->binding;
    const snAllocator* memory = &tables->allocator;
    snLabel* labels = SNI_NEW_ARRAY(memory, snLabel, tables->model->skeleton->joint_count);
    if (labels == NULL) return sni_fail_memory(error);
    float* factors = SNI_NEW_ARRAY(memory, float, binding->joint_count);
    snResult result = factors != NULL ? sn_skeleton_label(tables->model->skeleton, memory, labels)
                                      : SN_RESULT_OUT_OF_MEMORY;
    for (uint32_t j = 0; j < binding->joint_count && result == SN_RESULT_OK; j++) {
        factors[j] = role_softness(labels[binding->joints[j]].role);
    }
    for (uint32_t j = 0; j < binding->joint_count && result == SN_RESULT_OK; j++) {
        snRole role = labels[binding->joints[j]].role;
        uint32_t above = binding->parents[j];
        // What carries shoulders or the neck is the rib cage.
        if ((role == SN_ROLE_SHOULDER || role == SN_ROLE_NECK) && above != SN_NONE &&
            labels[binding->joints[above]].role == SN_ROLE_SPINE) {
            factors[above] = RIB_CAGE;
        }
    }
    for (uint32_t p = 0; p < binding->lattice->particle_count && result == SN_RESULT_OK; p++) {
        float thick = thickness_softness(tables, radii[p]);
        if (thick > 0.0f) softness[p] *= sn_minf(1.0f, factors[binding->parts->bone_parts[p]] / thick);
    }
    sni_free(memory, factors);
    sni_free(memory, labels);
    return result == SN_RESULT_OK ? result : sni_fail_memory(error);
}

// Averages of each particle and those that share a cell with it.
static bool smooth(const snLattice* lattice, const snAllocator* memory, float* values) {
    float* next = SNI_NEW_ARRAY(memory, float, lattice->particle_count);
    if (next == NULL) return false;
    for (int pass = 0; pass < SMOOTHING; pass++) {
        for (uint32_t p = 0; p < lattice->particle_count; p++) {
            uint32_t first = lattice->neighbor_starts[p], last = lattice->neighbor_starts[p + 1];
            float sum = values[p];
            for (uint32_t i = first; i < last; i++) sum += values[lattice->neighbors[i]];
            next[p] = sum / (float)(1 + last - first);
        }
        memcpy(values, next, lattice->particle_count * sizeof(float));
    }
    sni_free(memory, next);
    return true;
}

// --------------------------------------------------------------------------------------------------- rules

// What vertices say to the particles of their cells, and those to the ones around them.
typedef struct Paint {
    float* chosen; // particle_count; how much of what is around is meant, 0 .. 1
    float* colors; // particle_count; the same times the color
    float* shares; // particle_count; 0: no vertex near
    snJointNames* names;
    uint8_t* joints; // joint_count; that the rule means
} Paint;

static void paint_vertex(const snLattice* lattice, Paint* paint, uint32_t point, float chosen, float color) {
    const uint32_t* corners = lattice->cell_particles[lattice->point_cells[point]];
    float shares[8];
    sni_trilinear(lattice->point_coords[point], shares);
    for (int k = 0; k < 8; k++) {
        paint->chosen[corners[k]] += shares[k] * chosen;
        paint->colors[corners[k]] += shares[k] * chosen * color;
        paint->shares[corners[k]] += shares[k];
    }
}

static float vertex_color(const snFleshRule* rule, const snMesh* mesh, uint32_t vertex) {
    if (rule->color == 0 || mesh->colors == NULL) return 1.0f;
    snVec4 c = mesh->colors[vertex];
    float value = rule->color == 'r' ? c.x : rule->color == 'g' ? c.y : rule->color == 'b' ? c.z : c.w;
    return sn_clampf(value, 0.0f, 1.0f);
}

static bool paint_parts(const sniTables* tables, const snFleshRule* rule, Paint* paint) {
    const snBinding* binding = tables->binding;
    for (uint32_t part = 0; part < tables->model->part_count; part++) {
        const snPart* p = &tables->model->parts[part];
        uint32_t first = binding->vertex_starts[part], count = binding->vertex_starts[part + 1] - first;
        bool named = rule->part == NULL || sni_glob_matches(rule->part, p->name);
        float* chosen = SNI_NEW_ARRAY(&tables->allocator, float, count);
        if (chosen == NULL) return false;
        for (uint32_t v = 0; v < count && named && rule->vertices == NULL; v++) chosen[v] = 1.0f;
        uint32_t listed = named && rule->vertices != NULL ? rule->vertex_count : 0;
        for (uint32_t i = 0; i < listed; i++) {
            if (rule->vertices[i] < count)
                chosen[rule->vertices[i]] = rule->amounts != NULL ? rule->amounts[i] : 1.0f;
        }
        for (uint32_t v = 0; v < count; v++) {
            paint_vertex(binding->lattice, paint, binding->vertex_points[first + v], chosen[v],
                         vertex_color(rule, p->mesh, v));
        }
        sni_free(&tables->allocator, chosen);
    }
    return true;
}

// Particles that no vertex touches take the mean of their neighbours that have a value, ring by ring.
static bool spread(const snLattice* lattice, const snAllocator* memory, Paint* paint) {
    uint8_t* reached = SNI_NEW_ARRAY(memory, uint8_t, lattice->particle_count);
    if (reached == NULL) return false;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        reached[p] = paint->shares[p] > 0.0f;
        if (!reached[p]) continue;
        paint->chosen[p] /= paint->shares[p];
        paint->colors[p] /= paint->shares[p];
    }
    for (bool more = true; more;) {
        more = false;
        for (uint32_t p = 0; p < lattice->particle_count; p++) {
            if (reached[p] == 1) continue;
            float chosen = 0.0f, color = 0.0f, count = 0.0f;
            for (uint32_t i = lattice->neighbor_starts[p]; i < lattice->neighbor_starts[p + 1]; i++) {
                if (reached[lattice->neighbors[i]] != 1) continue;
                chosen += paint->chosen[lattice->neighbors[i]];
                color += paint->colors[lattice->neighbors[i]];
                count += 1.0f;
            }
            if (count == 0.0f) continue;
            paint->chosen[p] = chosen / count;
            paint->colors[p] = color / count;
            reached[p] = 2; // from the next ring on
            more = true;
        }
        for (uint32_t p = 0; p < lattice->particle_count; p++) reached[p] = reached[p] != 0;
    }
    sni_free(memory, reached);
    return true;
}

static bool paint_rule(const sniTables* tables, const snFleshRule* rule, Paint* paint) {
    const snLattice* lattice = tables->binding->lattice;
    bool by_vertices = rule->part != NULL || rule->vertices != NULL || rule->color != 0;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        paint->chosen[p] = paint->colors[p] = by_vertices ? 0.0f : 1.0f;
        paint->shares[p] = 0.0f;
    }
    return !by_vertices || (paint_parts(tables, rule, paint) && spread(lattice, &tables->allocator, paint));
}

// How much a rule's other conditions hold, 0 .. 1.
static float rule_share(const sniTables* tables, const snFleshRule* rule, const Paint* paint, uint32_t p) {
    const snBinding* binding = tables->binding;
    if (rule->bone != NULL && !paint->joints[binding->joints[binding->parts->bone_parts[p]]]) return 0.0f;
    if (rule->radius <= 0.0f) return 1.0f;
    float t = sn_distance(binding->lattice->rest[p], rule->center) / rule->radius;
    return sn_clampf(2.0f - 2.0f * t, 0.0f, 1.0f);
}

static bool apply_rule(sniTables* tables, const snFleshRule* rule, Paint* paint, float* softness,
                       uint8_t* widths) {
    snFleshMaterial* m = &tables->material;
    if (!paint_rule(tables, rule, paint)) return false;
    if (rule->bone != NULL) sn_joint_names_mark(paint->names, rule->bone, paint->joints);
    bool used = false;
    for (uint32_t p = 0; p < tables->binding->lattice->particle_count; p++) {
        float around = rule_share(tables, rule, paint, p), share = around * paint->chosen[p];
        used = used || share > 0.0f;
        softness[p] *= 1.0f + around * (rule->softness * paint->colors[p] - paint->chosen[p]);
        m->alphas[p] *= sn_lerpf(1.0f, rule->alpha, share);
        m->dampings[p] *= sn_lerpf(1.0f, rule->damping, share);
        m->forces[p] *= sn_lerpf(1.0f, rule->force, share);
        if (rule->width > 0 && share >= 0.5f) widths[p] = (uint8_t)rule->width;
        if (rule->bends && share >= 0.5f) tables->bends[p] = 1;
    }
    if (!used) tables->unused_rules++;
    return true;
}

static snResult apply_rules(sniTables* tables, float* softness, uint8_t* widths, snError* error) {
    const snSettings* settings = tables->settings;
    const snAllocator* memory = &tables->allocator;
    uint32_t count = tables->binding->lattice->particle_count;
    const snSkeleton* skeleton = tables->model->skeleton;
    if (settings->rule_count == 0) return SN_RESULT_OK;
    bool bends = false;
    for (uint32_t i = 0; i < settings->rule_count; i++) bends = bends || settings->rules[i].bends;
    if (bends && (tables->bends = SNI_NEW_ARRAY(memory, uint8_t, count)) == NULL)
        return sni_fail_memory(error);
    Paint paint = {.chosen = SNI_NEW_ARRAY(memory, float, count),
                   .colors = SNI_NEW_ARRAY(memory, float, count),
                   .shares = SNI_NEW_ARRAY(memory, float, count),
                   .joints = SNI_NEW_ARRAY(memory, uint8_t, skeleton->joint_count)};
    bool enough = paint.chosen != NULL && paint.colors != NULL && paint.shares != NULL &&
                  paint.joints != NULL &&
                  sn_joint_names_create(skeleton, memory, &paint.names, error) == SN_RESULT_OK;
    for (uint32_t i = 0; i < settings->rule_count && enough; i++) {
        enough = apply_rule(tables, &settings->rules[i], &paint, softness, widths);
    }
    sni_free(memory, paint.chosen);
    sni_free(memory, paint.colors);
    sni_free(memory, paint.shares);
    sni_free(memory, paint.joints);
    sn_joint_names_destroy(paint.names);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

// ----------------------------------------------------------------------------------------------- together

static void fill_plain(sniTables* tables, const float* distances, const float* radii, float* softness,
                       uint8_t* widths) {
    const snSettings* s = tables->settings;
    float size = size_in_persons(tables), slowness = sqrtf(size);
    const snBinding* binding = tables->binding;
    snFleshMaterial* m = &tables->material;
    for (uint32_t p = 0; p < binding->lattice->particle_count; p++) {
        softness[p] = layer_softness(s, distances[p] / tables->scale) * thickness_softness(tables, radii[p]);
        float fat = fatness(tables, radii[p]);
        m->alphas[p] = s->alpha * sn_lerpf(1.0f, FAT_ALPHA, fat) / size;
        m->dampings[p] = s->damping * sn_lerpf(1.0f, FAT_DAMPING, fat) / slowness;
        m->forces[p] = 1.0f;
        bool own = binding->region_widths != NULL && binding->region_widths[p] != 0;
        widths[p] = own ? binding->region_widths[p] : (uint8_t)s->width;
    }
}

static bool hold_bones(sniTables* tables, const float* distances, const float* radii, float* softness) {
    const snSettings* s = tables->settings;
    const snLattice* lattice = tables->binding->lattice;
    snFleshMaterial* m = &tables->material;
    uint8_t* held = SNI_NEW_ARRAY(&tables->allocator, uint8_t, lattice->piece_count);
    if (held == NULL) return false;
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        m->holds[p] = distances[p] < s->bone_radius * radii[p] ? 1.0f : 0.0f;
        if (m->holds[p] == 1.0f) held[lattice->pieces[p]] = 1;
    }
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        m->deltas[p] = s->delta * sn_clampf(softness[p], 0.0f, 1.0f);
        if (held[lattice->pieces[p]] == 0) m->deltas[p] = sn_minf(m->deltas[p], LOOSE_DELTA);
        m->alphas[p] = sn_clampf(m->alphas[p], 0.0f, 1.0f);
    }
    sni_free(&tables->allocator, held);
    return true;
}

snResult sni_flesh_material_fill(sniTables* tables, snError* error) {
    const snBinding* binding = tables->binding;
    const snAllocator* memory = &tables->allocator;
    uint32_t count = binding->lattice->particle_count;
    uint8_t* widths = tables->widths;
    float* distances = SNI_NEW_ARRAY(memory, float, count);
    float* radii = SNI_NEW_ARRAY(memory, float, count);
    float* softness = SNI_NEW_ARRAY(memory, float, count);
    bool enough = distances != NULL && radii != NULL && softness != NULL &&
                  sni_material_create(&tables->material, count, memory);
    snResult result =
        enough ? sni_bone_distances(binding, memory, distances, radii, error) : sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        fill_plain(tables, distances, radii, softness, widths);
        if (tables->settings->anatomy) result = apply_anatomy(tables, radii, softness, error);
    }
    if (result == SN_RESULT_OK && !smooth(binding->lattice, memory, softness))
        result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = apply_rules(tables, softness, widths, error);
    if (result == SN_RESULT_OK && !hold_bones(tables, distances, radii, softness))
        result = sni_fail_memory(error);
    sni_free(memory, distances);
    sni_free(memory, radii);
    sni_free(memory, softness);
    return result;
}
