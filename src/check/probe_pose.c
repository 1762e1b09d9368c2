// One pose: faces that stretch and turn over, seams that open; and what the weights say without any pose.
#include "base/memory.h"
#include "check/probe.h"

// A face counts as stretched from here on, as a factor of length. Judged by pictures of a dozen characters.
#define STRETCHED 2.0f
// Triangles smaller than this, of their area at rest, have no direction worth asking for.
#define COLLAPSED 1e-3f

// How the joints turned since the rest pose.
static void turn_joints(sniProbe* probe, const snMat4* world) {
    for (uint32_t j = 0; j < probe->joint_count; j++) {
        snMat4 moved = sn_mat4_mul(&world[j], &probe->rest_inverse[j]);
        snTrs parts;
        sn_trs_from_mat4(&moved, &parts); // shear or not: its rotation is the closest
        probe->joint_turns[j] = sn_quat_normalize(parts.rotation);
    }
}

static snQuat add_turn(snQuat sum, snQuat q, float weight) {
    float w = sn_quat_dot(sum, q) < 0.0f ? -weight : weight;
    return sn_quat(sum.x + w * q.x, sum.y + w * q.y, sum.z + w * q.z, sum.w + w * q.w);
}

static void turn_vertices(sniProbe* probe) {
    for (uint32_t v = 0; v < probe->vertex_count; v++) {
        snQuat sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (uint32_t i = probe->influence_start[v]; i < probe->influence_start[v + 1]; i++)
            sum = add_turn(sum, probe->joint_turns[probe->influence_joints[i]], probe->influence_weights[i]);
        probe->turns[v] = sn_quat_normalize(sum);
    }
}

bool sni_probe_pose(sniProbe* probe, const snCharacter* character) {
    for (uint32_t p = 0; p < probe->model->part_count; p++) {
        snSurface surface = sn_character_surface(character, p);
        if (surface.vertex_count > 0)
            memcpy(probe->now + probe->part_starts[p], surface.positions,
                   surface.vertex_count * sizeof *probe->now);
    }
    for (uint32_t v = 0; v < probe->vertex_count; v++)
        if (!sn_vec3_finite(probe->now[v])) return false;
    turn_joints(probe, sn_character_world(character));
    turn_vertices(probe);
    return true;
}

// --------------------------------------------------------------------------------------------------- faces

// The larger principal stretch: the root of the larger eigenvalue of the metric now over that at rest.
float sni_probe_stretch_of(const sniProbe* probe, uint32_t t) {
    const uint32_t* v = probe->triangles[t];
    const float* m = probe->metrics[t];
    float whole = m[0] * m[2] - m[1] * m[1];
    if (!(whole > 1e-6f * m[0] * m[2])) return 1.0f; // a sliver says nothing
    snVec3 a = sn_sub(probe->now[v[1]], probe->now[v[0]]), b = sn_sub(probe->now[v[2]], probe->now[v[0]]);
    float aa = sn_dot(a, a), ab = sn_dot(a, b), bb = sn_dot(b, b);
    float half = 0.5f * (aa * m[2] - 2.0f * ab * m[1] + bb * m[0]) / whole;
    float product = (aa * bb - ab * ab) / whole;
    return sqrtf(half + sqrtf(sn_maxf(half * half - product, 0.0f)));
}

// Has the skin turned the face one way and what came out looks the other way?
bool sni_probe_flipped(const sniProbe* probe, uint32_t t) {
    const uint32_t* v = probe->triangles[t];
    snVec3 a = sn_sub(probe->now[v[1]], probe->now[v[0]]), b = sn_sub(probe->now[v[2]], probe->now[v[0]]);
    snVec3 normal = sn_cross(a, b);
    if (!(0.5f * sn_length(normal) > COLLAPSED * probe->areas[t])) return false;
    snQuat turn = add_turn(add_turn(probe->turns[v[0]], probe->turns[v[1]], 1.0f), probe->turns[v[2]], 1.0f);
    return sn_dot(normal, sn_quat_rotate(sn_quat_normalize(turn), probe->normals[t])) < 0.0f;
}

// Adds a face to the share of its joint's surface that is wrong; the worst of them is the place.
static void add_share(sniProbe* probe, uint32_t t, float much, sniFinding* findings) {
    uint32_t joint = probe->triangle_joints[t];
    findings[joint].value += (float)((double)probe->areas[t] / probe->zones[joint].area);
    if (findings[joint].triangle != SN_NONE && much <= probe->most[joint]) return;
    probe->most[joint] = much;
    findings[joint].triangle = t;
}

void sni_probe_stretch(sniProbe* probe, sniFinding* findings) {
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        float stretch = sni_probe_stretch_of(probe, t);
        if (stretch > STRETCHED) add_share(probe, t, stretch, findings);
    }
}

void sni_probe_flip(sniProbe* probe, sniFinding* findings) {
    for (uint32_t t = 0; t < probe->triangle_count; t++)
        if (sni_probe_flipped(probe, t)) add_share(probe, t, probe->areas[t], findings);
}

// --------------------------------------------------------------------------------------------------- seams

void sni_probe_seam(sniProbe* probe, sniFinding* findings) {
    float size = sn_bounds_diagonal(sn_bounds_of(probe->rest, probe->vertex_count));
    for (uint32_t i = 0; i < probe->seam_count && size > 0.0f; i++) {
        sniSeam seam = probe->seams[i];
        float gap = sn_distance(probe->now[seam.a], probe->now[seam.b]) / size;
        sniFinding* finding = &findings[probe->vertex_joints[seam.b]];
        if (gap <= finding->value) continue;
        finding->value = gap;
        finding->vertex = seam.b;
    }
}

// ------------------------------------------------------------------------------------------------- weights

// What is left of a vertex beyond its four heaviest joints, and what its weights lack to one.
void sni_probe_dropped(sniProbe* probe, sniFinding* findings) {
    for (uint32_t v = 0; v < probe->vertex_count; v++) {
        float kept[4] = {0.0f, 0.0f, 0.0f, 0.0f}, sum = 0.0f;
        for (uint32_t i = probe->influence_start[v]; i < probe->influence_start[v + 1]; i++) {
            float weight = probe->influence_weights[i];
            sum += weight;
            for (int k = 0; k < 4; k++) {
                float lesser = sn_minf(kept[k], weight);
                kept[k] = sn_maxf(kept[k], weight);
                weight = lesser;
            }
        }
        float lost = 1.0f - (kept[0] + kept[1] + kept[2] + kept[3]);
        float off = sn_maxf(lost, fabsf(1.0f - sum));
        sniFinding* finding = &findings[probe->vertex_joints[v]];
        if (off <= finding->value || off < 1e-4f) continue;
        finding->value = off;
        finding->vertex = v;
    }
}
