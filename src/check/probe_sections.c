// Cross-sections of limbs around their joints, which show what volume alone does not: a limb that is thin in
// one place.
#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "check/probe.h"

// All judged on the characters of `scripts/check_table.sh`.

// From one section to the next, of the limb's radius.
#define STEP 0.3f
// Sections larger than this, of the limb's own, cut through more than the limb.
#define LIMB 2.5
// And so do those with less than this of their vertices around the joint, its parent and its children.
#define OWN 0.8
#define SN_PI_D 3.14159265358979323846

typedef struct Cutter {
    sniProbe* probe;
    const snMat4* world;
    snMesh view; // the part's mesh at rest in the world
    uint32_t part;
    uint32_t joint;
    size_t capacity;
    snError* error;
} Cutter;

// The part with most of the surface that bends about a joint; SN_NONE: none does.
static uint32_t part_of_joint(const sniProbe* probe, const sniZone* zone) {
    uint32_t best = SN_NONE;
    double most = 0.0;
    for (uint32_t p = 0; p < probe->model->part_count; p++) {
        double area = 0.0;
        for (uint32_t i = zone->ring_start; i < zone->ring_end; i++) {
            uint32_t v = probe->triangles[probe->rings[i]][0];
            if (v >= probe->part_starts[p] && v < probe->part_starts[p + 1])
                area += (double)probe->areas[probe->rings[i]];
        }
        if (area <= most) continue;
        most = area;
        best = p;
    }
    return best;
}

// A section of the limb, or NULL where the plane misses it.
static snResult cut(const Cutter* c, snVec3 point, snVec3 normal, snSection** out, double* area) {
    *out = NULL;
    *area = 0.0;
    snResult result = sn_section_create(&c->view, c->probe->model->parts[c->part].weld, point, normal,
                                        &c->probe->memory, out, c->error);
    if (result == SN_RESULT_NOT_FOUND) return SN_RESULT_OK;
    if (result == SN_RESULT_OK) *area = sn_section_area(*out, &c->view, c->view.positions);
    return result;
}

static snResult area_at(const Cutter* c, snVec3 point, snVec3 normal, double* area) {
    snSection* section = NULL;
    snResult result = cut(c, point, normal, &section, area);
    sn_section_destroy(section);
    return result;
}

// The way to the child that is furthest away, among those that move skin; false: there is none.
static bool child_way(const sniProbe* probe, const snMat4* world, uint32_t joint, snVec3* out) {
    float furthest = 0.0f;
    for (uint32_t j = 0; j < probe->joint_count; j++) {
        if (probe->model->skeleton->parents[j] != joint || !(probe->zones[j].area > 0.0)) continue;
        snVec3 way = sn_sub(sn_mat4_translation(&world[j]), sn_mat4_translation(&world[joint]));
        if (sn_length(way) <= furthest) continue;
        furthest = sn_length(way);
        *out = way;
    }
    return furthest > 0.0f;
}

static snResult keep(Cutter* c, snSection* section, double area) {
    sniProbe* probe = c->probe;
    if (!sni_grow(&probe->memory, &probe->sections, &c->capacity, (size_t)probe->section_count + 1,
                  sizeof *probe->sections)) {
        sn_section_destroy(section);
        return sni_fail_memory(c->error);
    }
    probe->sections[probe->section_count++] = (sniProbeSection){section, c->part, area};
    return SN_RESULT_OK;
}

// Does the section go around the limb, and not through shoulders and hips that other joints move?
static bool is_own(const Cutter* c, const snSection* section) {
    const sniProbe* probe = c->probe;
    const uint32_t* parents = probe->model->skeleton->parents;
    uint32_t own = 0;
    for (uint32_t i = 0; i < section->segment_count; i++) {
        uint32_t joint = probe->vertex_joints[probe->part_starts[c->part] + section->segments[i][0].a];
        own += joint == c->joint || joint == parents[c->joint] || parents[joint] == c->joint;
    }
    return (double)own >= OWN * (double)section->segment_count;
}

// Sections along one bone of the joint, `way` leading away from it, as far as the bone goes.
static snResult cut_side(Cutter* c, snVec3 at, snVec3 way, float radius, double limb, bool with_joint) {
    snVec3 along = sn_normalize_or(way, sn_vec3(0.0f, 1.0f, 0.0f));
    snResult result = SN_RESULT_OK;
    for (uint32_t i = with_joint ? 0 : 1; i <= SNI_SECTIONS && result == SN_RESULT_OK; i++) {
        float distance = STEP * radius * (float)i;
        if (distance > 0.5f * sn_length(way)) break;
        snSection* section = NULL;
        double area = 0.0;
        result = cut(c, sn_add(at, sn_scale(along, distance)), along, &section, &area);
        if (result == SN_RESULT_OK && section != NULL && area > 0.2 * limb && area < LIMB * limb &&
            is_own(c, section))
            result = keep(c, section, area);
        else
            sn_section_destroy(section);
    }
    return result;
}

static snResult cut_joint(Cutter* c, uint32_t joint) {
    sniProbe* probe = c->probe;
    uint32_t above = probe->model->skeleton->parents[joint];
    sniZone* zone = &probe->zones[joint];
    c->joint = joint;
    c->part = part_of_joint(probe, zone);
    if (above == SN_NONE || c->part == SN_NONE || zone->ring_size == 0.0) return SN_RESULT_OK;
    const snMesh* mesh = probe->model->parts[c->part].mesh;
    c->view = *mesh;
    c->view.positions = probe->rest + probe->part_starts[c->part];
    snVec3 at = sn_mat4_translation(&c->world[joint]);
    snVec3 back = sn_sub(sn_mat4_translation(&c->world[above]), at), ahead = sn_neg(back);
    bool leads = child_way(probe, c->world, joint, &ahead);
    if (!(sn_length(back) > 0.0f)) return SN_RESULT_OK;
    // The limb is as thick as where it is not bent: half-way along the bone that the joint turns.
    double limb = 0.0, here = 0.0;
    snResult result = area_at(c, sn_add(at, sn_scale(ahead, leads ? 0.5f : 0.1f)), ahead, &limb);
    if (result == SN_RESULT_OK) result = area_at(c, at, ahead, &here);
    if (here > 0.0 && here < limb) limb = here;
    if (result != SN_RESULT_OK || !(limb > 0.0)) return result;
    float radius = (float)sqrt(limb / SN_PI_D);
    result = cut_side(c, at, back, radius, limb, true);
    return result == SN_RESULT_OK ? cut_side(c, at, ahead, radius, limb, false) : result;
}

snResult sni_probe_sections(sniProbe* probe, const snMat4* world, snError* error) {
    Cutter c = {.probe = probe, .world = world, .error = error};
    snResult result = SN_RESULT_OK;
    for (uint32_t j = 0; j < probe->joint_count && result == SN_RESULT_OK; j++) {
        float share = 0.05f + (SNI_PROBED - 0.05f) * (float)j / (float)probe->joint_count;
        SNI_TRY(sni_progress(&probe->progress, "checking", share, error));
        probe->zones[j].section_start = probe->section_count;
        result = cut_joint(&c, j);
        probe->zones[j].section_end = probe->section_count;
    }
    return result;
}

void sni_probe_section(sniProbe* probe, sniFinding* findings) {
    for (uint32_t j = 0; j < probe->joint_count; j++) {
        for (uint32_t i = probe->zones[j].section_start; i < probe->zones[j].section_end; i++) {
            const sniProbeSection* s = &probe->sections[i];
            uint32_t first = probe->part_starts[s->part];
            double area = sn_section_area(s->section, probe->model->parts[s->part].mesh, probe->now + first);
            float lost = (float)(1.0 - area / s->area);
            if (lost <= findings[j].value) continue;
            findings[j].value = lost;
            findings[j].vertex = first + s->section->segments[0][0].a;
        }
    }
}
