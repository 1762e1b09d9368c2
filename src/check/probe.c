// The character at rest: all parts as one list of vertices and triangles, and whose they are.
#include "check/probe.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "shape/weld_reach.h"

// All judged by what the measures say of the ten characters of `scripts/check_table.sh` and their pictures.

// A vertex belongs to the joint about which it bends, where at least this much of it is on either side.
#define BENDS 0.05f
// Zones of fewer triangles count as larger than they are: one bad face among three is no third of a limb.
#define FEW 24u
// Triangles with more than this of a joint's motion, and less than all but this, bend about it.
#define RING 0.03f
// Rings that enclose less than this, of their area to the power 1.5, have no volume to speak of.
#define FLAT 2e-3
// And so do those of fewer triangles.
#define RING_TRIANGLES 12

uint32_t sni_probe_part(const sniProbe* probe, uint32_t vertex) {
    uint32_t part = 0;
    while (vertex >= probe->part_starts[part + 1]) part++;
    return part;
}

void sni_probe_destroy(sniProbe* probe) {
    if (probe == NULL) return;
    snAllocator memory = probe->memory;
    for (uint32_t i = 0; probe->sections != NULL && i < probe->section_count; i++)
        sn_section_destroy(probe->sections[i].section);
    void* arrays[] = {probe->part_starts,
                      probe->rest,
                      probe->now,
                      probe->turns,
                      probe->influence_start,
                      probe->influence_joints,
                      probe->influence_weights,
                      probe->vertex_joints,
                      probe->points,
                      probe->seams,
                      probe->triangles,
                      probe->welded,
                      probe->faces,
                      probe->parts_of,
                      probe->pieces_of,
                      probe->triangle_joints,
                      probe->areas,
                      probe->normals,
                      probe->metrics,
                      probe->most,
                      probe->zones,
                      probe->rings,
                      probe->sections,
                      probe->pieces,
                      probe->caps,
                      probe->cap_pieces,
                      probe->loop_sizes,
                      probe->loop_middles,
                      probe->piece_volumes,
                      probe->rest_inverse,
                      probe->joint_turns,
                      probe->crossing_scratch,
                      probe->crossings,
                      probe->tainted,
                      probe->piece_pairs,
                      probe->crossed,
                      probe};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// ------------------------------------------------------------------------------------------------- surface

static snResult count_surface(sniProbe* probe, snError* error) {
    const snModel* model = probe->model;
    uint64_t vertices = 0, triangles = 0;
    probe->part_starts = SNI_NEW_ARRAY(&probe->memory, uint32_t, (size_t)model->part_count + 1);
    if (probe->part_starts == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < model->part_count; p++) {
        vertices += model->parts[p].mesh->vertex_count;
        triangles += sn_mesh_triangle_count(model->parts[p].mesh);
        if (vertices >= SN_NONE || triangles >= SN_NONE / 3)
            return sni_fail(error, SN_RESULT_UNSUPPORTED, "the model has too many faces to check");
        probe->part_starts[p + 1] = (uint32_t)vertices;
    }
    probe->vertex_count = (uint32_t)vertices;
    probe->triangle_count = (uint32_t)triangles;
    if (triangles == 0) return sni_fail(error, SN_RESULT_NOT_FOUND, "the model has no surface to check");
    return SN_RESULT_OK;
}

static bool make_room(sniProbe* probe) {
    const snAllocator* memory = &probe->memory;
    size_t vertices = probe->vertex_count, triangles = probe->triangle_count, joints = probe->joint_count;
    probe->rest = SNI_NEW_ARRAY(memory, snVec3, vertices);
    probe->now = SNI_NEW_ARRAY(memory, snVec3, vertices);
    probe->turns = SNI_NEW_ARRAY(memory, snQuat, vertices);
    probe->influence_start = SNI_NEW_ARRAY(memory, uint32_t, vertices + 1);
    probe->vertex_joints = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    probe->points = SNI_NEW_ARRAY(memory, uint32_t, vertices);
    probe->seams = SNI_NEW_ARRAY(memory, sniSeam, vertices);
    probe->triangles = sni_alloc_array(memory, triangles, sizeof *probe->triangles);
    probe->welded = sni_alloc_array(memory, triangles, sizeof *probe->welded);
    probe->faces = SNI_NEW_ARRAY(memory, uint32_t, triangles);
    probe->parts_of = SNI_NEW_ARRAY(memory, uint32_t, triangles);
    probe->pieces_of = SNI_NEW_ARRAY(memory, uint32_t, triangles);
    probe->triangle_joints = SNI_NEW_ARRAY(memory, uint32_t, triangles);
    probe->areas = SNI_NEW_ARRAY(memory, float, triangles);
    probe->normals = SNI_NEW_ARRAY(memory, snVec3, triangles);
    probe->metrics = sni_alloc_array(memory, triangles, sizeof *probe->metrics);
    probe->most = SNI_NEW_ARRAY(memory, float, joints);
    probe->zones = SNI_NEW_ARRAY(memory, sniZone, joints);
    probe->rest_inverse = SNI_NEW_ARRAY(memory, snMat4, joints);
    probe->joint_turns = SNI_NEW_ARRAY(memory, snQuat, joints);
    return probe->rest != NULL && probe->now != NULL && probe->turns != NULL &&
           probe->influence_start != NULL && probe->vertex_joints != NULL && probe->points != NULL &&
           probe->seams != NULL && probe->triangles != NULL && probe->welded != NULL &&
           probe->faces != NULL && probe->parts_of != NULL && probe->pieces_of != NULL &&
           probe->triangle_joints != NULL && probe->areas != NULL && probe->normals != NULL &&
           probe->metrics != NULL && probe->most != NULL && probe->zones != NULL &&
           probe->rest_inverse != NULL && probe->joint_turns != NULL;
}

static void gather_triangles(sniProbe* probe) {
    uint32_t at = 0;
    for (uint32_t p = 0; p < probe->model->part_count; p++) {
        const snMesh* mesh = probe->model->parts[p].mesh;
        uint32_t first = probe->part_starts[p], begin = at;
        sn_mesh_triangulate(mesh, probe->triangles[at]);
        for (uint32_t f = 0; f < mesh->face_count; f++)
            for (uint32_t c = mesh->face_starts[f] + 2; c < mesh->face_starts[f + 1]; c++)
                probe->faces[at++] = f;
        for (uint32_t t = begin; t < at; t++) {
            probe->parts_of[t] = p;
            for (int k = 0; k < 3; k++) probe->triangles[t][k] += first;
        }
    }
}

static void measure_triangles(sniProbe* probe) {
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        const uint32_t* v = probe->triangles[t];
        snVec3 a = sn_sub(probe->rest[v[1]], probe->rest[v[0]]);
        snVec3 b = sn_sub(probe->rest[v[2]], probe->rest[v[0]]);
        probe->normals[t] = sn_cross(a, b);
        probe->metrics[t][0] = sn_dot(a, a);
        probe->metrics[t][1] = sn_dot(a, b);
        probe->metrics[t][2] = sn_dot(b, b);
    }
}

static snResult weld_vertices(sniProbe* probe, snError* error) {
    snWeld* weld = NULL;
    snBounds bounds = sn_bounds_empty();
    for (uint32_t t = 0; t < probe->triangle_count; t++)
        for (int k = 0; k < 3; k++) bounds = sn_bounds_add(bounds, probe->rest[probe->triangles[t][k]]);
    SNI_TRY(sn_weld_create(probe->rest, probe->vertex_count, sni_weld_reach(bounds), &probe->memory, &weld,
                           error));
    probe->point_count = weld->point_count;
    for (uint32_t v = 0; v < probe->vertex_count; v++) {
        probe->points[v] = weld->vertex_of_point[weld->point_of_vertex[v]];
        if (probe->points[v] != v) probe->seams[probe->seam_count++] = (sniSeam){probe->points[v], v};
    }
    sn_weld_destroy(weld);
    for (uint32_t t = 0; t < probe->triangle_count; t++)
        for (int k = 0; k < 3; k++) probe->welded[t][k] = probe->points[probe->triangles[t][k]];
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- joints

// Joints of the skeleton and weights of every vertex; those of rigid parts have one.
static bool gather_influences(sniProbe* probe) {
    const snModel* model = probe->model;
    for (int pass = 0; pass < 2; pass++) {
        uint32_t count = 0;
        for (uint32_t p = 0; p < model->part_count; p++) {
            const snPart* part = &model->parts[p];
            const snSkin* skin = part->skin != SN_NONE ? &model->skins[part->skin] : NULL;
            uint32_t influences = skin != NULL ? part->weights.influences : 1;
            for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
                probe->influence_start[probe->part_starts[p] + v] = count;
                for (uint32_t i = 0; i < influences; i++) {
                    size_t at = (size_t)v * influences + i;
                    float weight = skin != NULL ? part->weights.weights[at] : 1.0f;
                    if (!(weight > 0.0f)) continue;
                    if (pass == 1) {
                        probe->influence_joints[count] =
                            skin != NULL ? skin->joints[part->weights.joints[at]] : part->joint;
                        probe->influence_weights[count] = weight;
                    }
                    count++;
                }
            }
        }
        probe->influence_start[probe->vertex_count] = count;
        if (pass == 1) break;
        probe->influence_joints = SNI_NEW_ARRAY(&probe->memory, uint32_t, count);
        probe->influence_weights = SNI_NEW_ARRAY(&probe->memory, float, count);
        if (probe->influence_joints == NULL || probe->influence_weights == NULL) return false;
    }
    return true;
}

// What of a vertex moves with each joint: its weight on that and all below.
typedef struct Sums {
    float* below;      // joint_count
    uint32_t* touched; // joint_count
    uint32_t count;
} Sums;

static void sum_below(const sniProbe* probe, uint32_t vertex, Sums* sums) {
    const uint32_t* parents = probe->model->skeleton->parents;
    for (uint32_t i = 0; i < sums->count; i++) sums->below[sums->touched[i]] = 0.0f;
    sums->count = 0;
    for (uint32_t i = probe->influence_start[vertex]; i < probe->influence_start[vertex + 1]; i++) {
        for (uint32_t j = probe->influence_joints[i]; j != SN_NONE; j = parents[j]) {
            if (sums->below[j] == 0.0f) sums->touched[sums->count++] = j;
            sums->below[j] += probe->influence_weights[i];
        }
    }
}

// The joint about which a vertex bends most; where it bends little, the one with most of its weight.
static uint32_t joint_of_vertex(const sniProbe* probe, uint32_t vertex, Sums* sums) {
    uint32_t best = SN_NONE;
    float most = BENDS * (1.0f - BENDS);
    sum_below(probe, vertex, sums);
    for (uint32_t i = 0; i < sums->count; i++) {
        uint32_t j = sums->touched[i];
        float bend = sums->below[j] * (1.0f - sums->below[j]);
        if (bend < most || (bend == most && j >= best)) continue;
        most = bend;
        best = j;
    }
    if (best != SN_NONE) return best;
    most = 0.0f;
    for (uint32_t i = probe->influence_start[vertex]; i < probe->influence_start[vertex + 1]; i++) {
        if (probe->influence_weights[i] <= most) continue;
        most = probe->influence_weights[i];
        best = probe->influence_joints[i];
    }
    return best != SN_NONE ? best : 0;
}

static void assign_zones(sniProbe* probe, Sums* sums) {
    for (uint32_t v = 0; v < probe->vertex_count; v++)
        probe->vertex_joints[v] = joint_of_vertex(probe, v, sums);
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        const uint32_t* v = probe->triangles[t];
        uint32_t a = probe->vertex_joints[v[0]], b = probe->vertex_joints[v[1]],
                 c = probe->vertex_joints[v[2]];
        uint32_t joint = b == c ? b : a;
        probe->triangle_joints[t] = joint;
        probe->zones[joint].area += (double)probe->areas[t];
        probe->zones[joint].triangle_count++;
    }
    for (uint32_t j = 0; j < probe->joint_count; j++) {
        sniZone* zone = &probe->zones[j];
        if (zone->triangle_count > 0 && zone->triangle_count < FEW)
            zone->area *= (double)FEW / (double)zone->triangle_count;
    }
}

// Lists the triangles of each zone that bend about its joint: first counts, then lists.
static void add_rings(sniProbe* probe, Sums* sums) {
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        uint32_t joint = probe->triangle_joints[t];
        bool bends = false;
        for (int k = 0; k < 3 && !bends; k++) {
            sum_below(probe, probe->triangles[t][k], sums);
            bends = sums->below[joint] > RING && sums->below[joint] < 1.0f - RING;
        }
        if (!bends) continue;
        if (probe->rings != NULL) probe->rings[probe->zones[joint].ring_end] = t;
        probe->zones[joint].ring_end++;
    }
}

static double corner_volume(const sniProbe* probe, uint32_t t, snVec3 middle, const snVec3* positions) {
    const uint32_t* v = probe->triangles[t];
    snVec3 a = sn_sub(positions[v[0]], middle), b = sn_sub(positions[v[1]], middle);
    return (double)sn_dot(sn_cross(a, b), sn_sub(positions[v[2]], middle)) / 6.0;
}

static double ring_volume(const sniProbe* probe, const sniZone* zone, snVec3 middle,
                          const snVec3* positions) {
    double sum = 0.0;
    for (uint32_t i = zone->ring_start; i < zone->ring_end; i++)
        sum += corner_volume(probe, probe->rings[i], middle, positions);
    return sum;
}

static void measure_rings(sniProbe* probe, const snMat4* world) {
    for (uint32_t j = 0; j < probe->joint_count; j++) {
        sniZone* zone = &probe->zones[j];
        snVec3 middle = zone->middle = sn_mat4_translation(&world[j]);
        double area = 0.0, size = 0.0;
        for (uint32_t i = zone->ring_start; i < zone->ring_end; i++) {
            double volume = corner_volume(probe, probe->rings[i], middle, probe->rest);
            size += volume < 0.0 ? -volume : volume;
            area += (double)probe->areas[probe->rings[i]];
        }
        bool counts = zone->ring_end - zone->ring_start >= RING_TRIANGLES && size > FLAT * area * sqrt(area);
        zone->ring_size = counts ? size : 0.0;
        zone->ring_volume = ring_volume(probe, zone, middle, probe->rest);
    }
}

static snResult find_joints(sniProbe* probe, const snMat4* world, snError* error) {
    const snAllocator* memory = &probe->memory;
    Sums sums = {SNI_NEW_ARRAY(memory, float, probe->joint_count),
                 SNI_NEW_ARRAY(memory, uint32_t, probe->joint_count), 0};
    bool enough = sums.below != NULL && sums.touched != NULL;
    if (enough) {
        assign_zones(probe, &sums);
        add_rings(probe, &sums);
        uint32_t count = 0;
        for (uint32_t j = 0; j < probe->joint_count; j++) {
            uint32_t here = probe->zones[j].ring_end;
            probe->zones[j].ring_start = probe->zones[j].ring_end = count;
            count += here;
        }
        probe->rings = SNI_NEW_ARRAY(memory, uint32_t, count);
        enough = probe->rings != NULL;
    }
    if (enough) add_rings(probe, &sums);
    if (enough) measure_rings(probe, world);
    sni_free(memory, sums.below);
    sni_free(memory, sums.touched);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

// The triangle of a ring whose part of the volume changed most.
static uint32_t changed_most(const sniProbe* probe, const sniZone* zone, snVec3 middle) {
    uint32_t worst = probe->rings[zone->ring_start];
    double most = 0.0;
    for (uint32_t i = zone->ring_start; i < zone->ring_end; i++) {
        uint32_t t = probe->rings[i];
        double change =
            corner_volume(probe, t, middle, probe->now) - corner_volume(probe, t, zone->middle, probe->rest);
        if ((change < 0.0 ? -change : change) <= most) continue;
        most = change < 0.0 ? -change : change;
        worst = t;
    }
    return worst;
}

// Of the size, not of the volume: what lies on both sides of the joint may cancel out, and any change would
// then be large.
void sni_probe_joint_volume(sniProbe* probe, const snMat4* world, sniFinding* findings) {
    for (uint32_t j = 0; j < probe->joint_count; j++) {
        const sniZone* zone = &probe->zones[j];
        if (zone->ring_size == 0.0) continue;
        snVec3 middle = sn_mat4_translation(&world[j]);
        double change = (ring_volume(probe, zone, middle, probe->now) - zone->ring_volume) / zone->ring_size;
        findings[j].change = (float)change;
        findings[j].value = (float)(change < 0.0 ? -change : change);
        findings[j].triangle = changed_most(probe, zone, middle);
    }
}

// --------------------------------------------------------------------------------------------------- build

// Areas, of which findings are shares, are those of the plain skin, whatever else moves the rest pose: or the
// same faces would be another share with every method.
static snResult pose_plainly(sniProbe* probe, const snSettings* settings, snError* error) {
    snCharacterDef def = sn_character_def();
    def.model = probe->model;
    def.settings = settings;
    snCharacter* plain = NULL;
    SNI_TRY(sn_character_create(&def, &probe->memory, &plain, error));
    snResult result = sn_character_pose_clip(plain, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP);
    bool finite = result == SN_RESULT_OK && sni_probe_pose(probe, plain);
    sn_character_destroy(plain);
    return finite ? SN_RESULT_OK : sni_fail(error, SN_RESULT_BAD_DATA, "the rest pose cannot be computed");
}

static snResult measure_areas(sniProbe* probe, snError* error) {
    snSettings* settings = NULL;
    SNI_TRY(sn_settings_create(&probe->memory, &settings, error));
    settings->skin = SN_SKIN_LINEAR;
    settings->volume = SN_VOLUME_NONE;
    settings->flesh = false;
    snResult result = pose_plainly(probe, settings, error);
    sn_settings_destroy(settings);
    for (uint32_t t = 0; t < probe->triangle_count && result == SN_RESULT_OK; t++) {
        const uint32_t* v = probe->triangles[t];
        snVec3 a = sn_sub(probe->now[v[1]], probe->now[v[0]]), b = sn_sub(probe->now[v[2]], probe->now[v[0]]);
        probe->areas[t] = 0.5f * sn_length(sn_cross(a, b));
    }
    return result;
}

static snResult take_rest(sniProbe* probe, snCharacter* character, snError* error) {
    snResult result = sn_character_pose_clip(character, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP);
    if (result != SN_RESULT_OK) return sni_fail(error, result, "the rest pose cannot be computed");
    const snMat4* world = sn_character_world(character);
    for (uint32_t j = 0; j < probe->joint_count; j++) {
        if (!sn_mat4_inverse_affine(&world[j], &probe->rest_inverse[j]))
            probe->rest_inverse[j] = sn_mat4_identity();
    }
    if (!sni_probe_pose(probe, character))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the rest pose has positions that are not finite");
    memcpy(probe->rest, probe->now, probe->vertex_count * sizeof *probe->rest);
    return SN_RESULT_OK;
}

static snResult build(sniProbe* probe, snCharacter* character, snError* error) {
    snResult result = count_surface(probe, error);
    if (result != SN_RESULT_OK) return result;
    if (!make_room(probe) || !gather_influences(probe)) return sni_fail_memory(error);
    gather_triangles(probe);
    SNI_TRY(measure_areas(probe, error));
    result = take_rest(probe, character, error);
    if (result != SN_RESULT_OK) return result;
    const snMat4* world = sn_character_world(character);
    measure_triangles(probe);
    result = weld_vertices(probe, error);
    if (result == SN_RESULT_OK) result = find_joints(probe, world, error);
    if (result == SN_RESULT_OK) result = sni_progress(&probe->progress, "checking", 0.02f, error);
    if (result == SN_RESULT_OK) result = sni_probe_pieces(probe, error);
    if (result == SN_RESULT_OK) result = sni_probe_sections(probe, world, error);
    probe->share = SNI_PROBED;
    if (result == SN_RESULT_OK) result = sni_probe_crossings(probe, error);
    return result;
}

snResult sni_probe_create(const snModel* model, snCharacter* character, const snTasks* tasks,
                          const snProgress* progress, const snAllocator* allocator, sniProbe** out,
                          snError* error) {
    snAllocator memory = sni_allocator(allocator);
    sniProbe* probe = SNI_NEW(&memory, sniProbe);
    if (probe == NULL) return sni_fail_memory(error);
    probe->memory = memory;
    probe->model = model;
    probe->tasks = tasks;
    probe->progress = *progress;
    probe->joint_count = model->skeleton->joint_count;
    snResult result = build(probe, character, error);
    if (result == SN_RESULT_OK)
        *out = probe;
    else
        sni_probe_destroy(probe);
    return result;
}
