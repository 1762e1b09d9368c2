// sn_builtin_body: the mesh, its mirror image, the rig and the clips put together.
#include "base/error.h"
#include "base/memory.h"
#include "builtin/body_mesh.h"
#include "builtin/body_motions.h"
#include "builtin/body_rig.h"
#include "builtin/faces.h"
#include "sinew/builtin.h"

// The full mesh in the arrays that sn_model_create copies from.
typedef struct Body {
    uint32_t vertex_count;
    snVec3* positions;
    snVec3* normals;
    uint16_t* joints;
    float* weights;
    uint32_t* mirror; // half mesh vertex to its image in the full mesh
    sniFaces faces;
} Body;

static void body_free(Body* body, const snAllocator* allocator) {
    sni_free(allocator, body->positions);
    sni_free(allocator, body->normals);
    sni_free(allocator, body->joints);
    sni_free(allocator, body->weights);
    sni_free(allocator, body->mirror);
    sni_faces_free(&body->faces, allocator);
}

static bool body_alloc(Body* body, const sniNet* net, bool quads, const snAllocator* allocator) {
    size_t count = sni_net_full_count(net);
    body->vertex_count = (uint32_t)count;
    body->positions = SNI_NEW_ARRAY(allocator, snVec3, count);
    body->normals = SNI_NEW_ARRAY(allocator, snVec3, count);
    body->joints = SNI_NEW_ARRAY(allocator, uint16_t, count * SNI_BODY_INFLUENCES);
    body->weights = SNI_NEW_ARRAY(allocator, float, count* SNI_BODY_INFLUENCES);
    body->mirror = SNI_NEW_ARRAY(allocator, uint32_t, net->vertex_count);
    return body->positions != NULL && body->normals != NULL && body->joints != NULL &&
           body->weights != NULL && body->mirror != NULL &&
           sni_faces_create(&body->faces, (size_t)net->quad_count * 2, quads, allocator);
}

static snVec3 to_float(sniPoint p, double sign) {
    return sn_vec3((float)(sign * p.x), (float)p.y, (float)p.z);
}

// Left vertices first, then the images of those outside the plane of symmetry.
static void body_vertices(Body* body, const sniBodyMesh* mesh) {
    const sniNet* net = &mesh->net;
    uint32_t next = net->vertex_count;
    for (uint32_t v = 0; v < net->vertex_count; v++) {
        uint16_t* joints = &body->joints[(size_t)v * SNI_BODY_INFLUENCES];
        float* weights = &body->weights[(size_t)v * SNI_BODY_INFLUENCES];
        body->positions[v] = to_float(net->points[v], 1.0);
        body->normals[v] = to_float(mesh->normals[v], 1.0);
        sni_body_weights(net->points[v], joints, weights);
        body->mirror[v] = net->in_plane[v] ? v : next++;
        uint32_t m = body->mirror[v];
        if (m == v) continue;
        body->positions[m] = to_float(net->points[v], -1.0);
        body->normals[m] = to_float(mesh->normals[v], -1.0);
        for (uint32_t n = 0; n < SNI_BODY_INFLUENCES; n++) {
            body->joints[(size_t)m * SNI_BODY_INFLUENCES + n] = (uint16_t)sni_body_mirror(joints[n]);
            body->weights[(size_t)m * SNI_BODY_INFLUENCES + n] = weights[n];
        }
    }
}

// Triangles split both halves along the same diagonal as seen in the mirror.
static void body_faces(Body* body, const sniNet* net) {
    for (uint32_t q = 0; q < net->quad_count; q++) {
        const uint32_t* c = net->quads[q].corners;
        const uint32_t* m = body->mirror;
        sni_faces_add(&body->faces, c[0], c[1], c[2], c[3]);
        sni_faces_add(&body->faces, m[c[0]], m[c[3]], m[c[2]], m[c[1]]);
    }
}

static snResult body_model(const Body* body, const snAllocator* allocator, snModel** out, snError* error) {
    sniBodyRig rig;
    sni_body_rig_build(&rig);
    sniMotion motions[SNI_BODY_MOTIONS];
    if (!sni_body_motions_create(&rig, allocator, motions)) return sni_fail_memory(error);
    snClipDef clips[SNI_BODY_MOTIONS];
    for (int n = 0; n < SNI_BODY_MOTIONS; n++) clips[n] = sni_motion_def(&motions[n]);
    uint32_t joints[SNI_BODY_JOINTS];
    for (uint32_t n = 0; n < SNI_BODY_JOINTS; n++) joints[n] = n;
    snMeshDef mesh = sni_faces_mesh(&body->faces, body->positions, body->vertex_count);
    mesh.normal_count = body->vertex_count;
    mesh.normals = body->normals;
    snSkeletonDef skeleton = {SNI_BODY_JOINTS, rig.names, rig.parents, rig.rest};
    snSkinDef skin = {"Body", SNI_BODY_JOINTS, joints, NULL};
    snPartDef part = {.name = "Body", .mesh = &mesh, .joint = SNI_HIPS, .skin = 0};
    part.influences = SNI_BODY_INFLUENCES;
    part.joints = body->joints;
    part.weights = body->weights;
    snModelDef def = {&skeleton, 1, &skin, 1, &part, SNI_BODY_MOTIONS, clips};
    snResult result = sn_model_create(&def, allocator, out, error);
    sni_body_motions_destroy(motions);
    return result;
}

snBodyDef sn_body_def(void) { return (snBodyDef){.vertex_target = 28000, .quads = true}; }

snResult sn_builtin_body(const snBodyDef* def, const snAllocator* allocator, snModel** out, snError* error) {
    if (def == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a body needs a def and a place for the model");
    }
    if (def->vertex_target < 1000 || def->vertex_target > 1000000) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "vertex_target is %u; expected 1000 to 1000000",
                        (unsigned)def->vertex_target);
    }
    snAllocator memory = sni_allocator(allocator);
    sniBodyMesh mesh;
    snResult result = sni_body_mesh_build(def->vertex_target, &def->progress, &memory, &mesh);
    if (result == SN_RESULT_CANCELLED) return sni_fail(error, result, "cancelled while making the body");
    if (result != SN_RESULT_OK) return sni_fail_memory(error);
    Body body = {0};
    if (body_alloc(&body, &mesh.net, def->quads, &memory)) {
        body_vertices(&body, &mesh);
        body_faces(&body, &mesh.net);
        result = body_model(&body, &memory, out, error);
    } else {
        result = sni_fail_memory(error);
    }
    body_free(&body, &memory);
    sni_body_mesh_free(&mesh);
    return result;
}
