// What one joint does to the volume of a shell.
//
// Joints are posed one after the other, parents first; those not posed yet follow the nearest one above that
// is. So a joint, on its turn, moves everything at and under it from the pose of its parent to its own. Faces
// that it moves as a whole turn about its place and keep the cone they span from there; only the faces that
// it bends change, and those are skinned twice, before and after.
#include "base/error.h"
#include "base/memory.h"
#include "volume/exact.h"

// A joint that turns or stretches less than this is at rest.
#define AT_REST 1e-6f

// ------------------------------------------------------------------------------------------------- build

typedef struct Build {
    const snExactVolume* volume;
    const sniHold* hold;
    sniHinge* hinge;
    const snAllocator* memory;
    uint32_t face_count;
    uint32_t* faces;  // bent ones
    uint32_t* points; // of the closed surface; then the centers
    uint32_t total;
    uint16_t* joints;
    float* weights[2]; // before, after: same joints
    snVec3* rest;
    uint32_t* locals; // joint_count + 1; local matrix of a joint
} Build;

static bool is_bent(const sniHold* hold, const sniFace* face) {
    uint8_t first = hold->classes[face->at[0]];
    if (first == 2) return true;
    for (int i = 1; i < 4; i++) {
        if (hold->classes[face->at[i]] != first) return true;
    }
    return false;
}

// Of what moves as a whole, the cone and the area: both are all that any affine motion needs.
static void add_whole(const Build* b, const sniFace* face) {
    const sniClosed* closed = b->volume->closed;
    snVec3 apex = b->volume->joints[b->hold->joint].place;
    b->hinge->volume += sni_face_volume(closed->rest, apex, face);
    const snVec3* p = closed->rest;
    double c[3], d[3];
    const float* at[4] = {&p[face->at[0]].x, &p[face->at[1]].x, &p[face->at[2]].x, &p[face->at[3]].x};
    for (int i = 0; i < 3; i++) {
        c[i] = (double)at[2][i] - (double)at[0][i];
        d[i] = (double)at[3][i] - (double)at[1][i];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        b->hinge->area[i] += c[j] * d[k] - c[k] * d[j];
    }
}

static void pick_faces(Build* b, const uint32_t* faces, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const sniFace* face = &b->volume->closed->faces[faces[i]];
        if (is_bent(b->hold, face))
            b->faces[b->face_count++] = faces[i];
        else if (b->hold->classes[face->at[0]] == 1)
            add_whole(b, face);
    }
}

static void place_point(Build* b, uint32_t point) {
    if (b->hold->places[point] != SN_NONE) return;
    b->points[b->total] = point;
    b->hold->places[point] = b->total++;
}

// Points first, then the centers of caps with all members of their loops among the points.
static bool place_points(Build* b) {
    const sniClosed* closed = b->volume->closed;
    sniHinge* h = b->hinge;
    size_t members = 0, capacity = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t f = 0; f < b->face_count; f++) {
            const sniFace* face = &closed->faces[b->faces[f]];
            for (int i = 0; i < 4; i++) {
                uint32_t point = face->at[i];
                if (pass == 0 && point < closed->point_count) place_point(b, point);
                if (point < closed->point_count) continue;
                const sniCap* cap = &closed->caps[point - closed->point_count];
                const uint32_t* loop = closed->loop_points + cap->first;
                for (uint32_t k = 0; k < cap->count && pass == 0; k++) place_point(b, loop[k]);
                if (pass == 0 || b->hold->places[point] != SN_NONE) continue;
                if (!sni_grow(b->memory, &h->cap_members, &capacity, members + cap->count, sizeof(uint32_t)))
                    return false;
                place_point(b, point);
                h->caps[h->cap_count++] = (sniRingCap){b->hold->places[point], (uint32_t)members, cap->count};
                for (uint32_t k = 0; k < cap->count; k++)
                    h->cap_members[members++] = b->hold->places[loop[k]];
            }
        }
        if (pass == 0) h->point_count = b->total;
    }
    return true;
}

// The joint whose matrix moves `joint` while the hinge's joint is not posed yet. Roots always are.
static uint32_t posed(const Build* b, uint32_t joint) {
    const sniHold* hold = b->hold;
    const sniVolumeFrame* joints = b->volume->joints;
    while (hold->ranks[joint] >= hold->ranks[hold->joint] && joints[joint].parent != SN_NONE)
        joint = joints[joint].parent;
    return joint;
}

static uint16_t local_matrix(Build* b, uint32_t joint) {
    if (b->locals[joint] == SN_NONE) {
        b->hinge->matrices[b->hinge->matrix_count] = joint;
        b->locals[joint] = b->hinge->matrix_count++;
    }
    return (uint16_t)b->locals[joint];
}

// One place of a row for each influence and a last one for the joint itself; the share that it and those
// under it have sits with its parent before, and with the joint after.
static void fill_row(Build* b, uint32_t i, uint32_t width) {
    const sniClosed* closed = b->volume->closed;
    const sniHold* hold = b->hold;
    size_t row = (size_t)i * width, from = (size_t)b->points[i] * closed->influences;
    uint32_t parent = b->volume->joints[hold->joint].parent;
    for (uint32_t k = 0; k < closed->influences; k++) {
        uint32_t joint = closed->joints[from + k];
        float weight = closed->weights[from + k];
        bool mine = hold->below[joint] != 0;
        b->joints[row + k] = local_matrix(b, mine || weight == 0.0f ? parent : posed(b, joint));
        b->weights[0][row + k] = weight;
        b->weights[1][row + k] = mine ? 0.0f : weight;
    }
    b->joints[row + closed->influences] = local_matrix(b, hold->joint);
    b->weights[0][row + closed->influences] = 0.0f;
    b->weights[1][row + closed->influences] = hold->shares[b->points[i]];
    b->rest[i] = closed->rest[b->points[i]];
}

static snResult create_plans(Build* b, snError* error) {
    sniHinge* h = b->hinge;
    uint32_t width = b->volume->closed->influences + 1;
    for (uint32_t i = 0; i < h->point_count; i++) fill_row(b, i, width);
    snSkinPlanDef def = {.point_count = h->point_count,
                         .points = b->rest,
                         .influences = width,
                         .joints = b->joints,
                         .weights = b->weights[0],
                         .matrix_count = h->matrix_count};
    snResult result = sn_skin_plan_create(&def, b->memory, &h->before, error);
    def.weights = b->weights[1];
    return result == SN_RESULT_OK ? sn_skin_plan_create(&def, b->memory, &h->after, error) : result;
}

static void fill_blocks(const Build* b) {
    sniHinge* h = b->hinge;
    for (uint32_t i = 0; i < h->block_count * SNI_FACE_LANES; i++) {
        sniFaceBlock* block = &h->blocks[i / SNI_FACE_LANES];
        const sniFace* face = &b->volume->closed->faces[b->faces[i < b->face_count ? i : 0]];
        for (int k = 0; k < 4; k++)
            block->at[k][i % SNI_FACE_LANES] = b->hold->places[face->at[i < b->face_count ? k : 0]];
    }
}

static bool allocate(Build* b) {
    const sniClosed* closed = b->volume->closed;
    sniHinge* h = b->hinge;
    size_t points = b->total, rows = points * (closed->influences + 1), joints = b->volume->joint_count;
    h->block_count = (b->face_count + SNI_FACE_LANES - 1) / SNI_FACE_LANES;
    h->blocks = SNI_NEW_ARRAY(b->memory, sniFaceBlock, h->block_count);
    h->matrices = SNI_NEW_ARRAY(b->memory, uint32_t, joints);
    b->joints = SNI_NEW_ARRAY(b->memory, uint16_t, rows);
    b->weights[0] = SNI_NEW_ARRAY(b->memory, float, rows);
    b->weights[1] = SNI_NEW_ARRAY(b->memory, float, rows);
    b->rest = SNI_NEW_ARRAY(b->memory, snVec3, points);
    b->locals = SNI_NEW_ARRAY(b->memory, uint32_t, joints);
    for (size_t j = 0; j < joints && b->locals != NULL; j++) b->locals[j] = SN_NONE;
    return h->blocks != NULL && h->matrices != NULL && b->joints != NULL && b->weights[0] != NULL &&
           b->weights[1] != NULL && b->rest != NULL && b->locals != NULL;
}

static snResult build(Build* b, const uint32_t* faces, uint32_t face_count, snError* error) {
    const sniClosed* closed = b->volume->closed;
    b->faces = SNI_NEW_ARRAY(b->memory, uint32_t, face_count);
    b->points = SNI_NEW_ARRAY(b->memory, uint32_t, (size_t)closed->point_count + closed->cap_count);
    b->hinge->caps = SNI_NEW_ARRAY(b->memory, sniRingCap, closed->cap_count);
    if (b->faces == NULL || b->points == NULL || b->hinge->caps == NULL) return sni_fail_memory(error);
    pick_faces(b, faces, face_count);
    if (!place_points(b) || !allocate(b)) return sni_fail_memory(error);
    fill_blocks(b);
    return create_plans(b, error);
}

static bool bends_any(const Build* b, const uint32_t* faces, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (is_bent(b->hold, &b->volume->closed->faces[faces[i]])) return true;
    }
    return false;
}

snResult sni_hinge_create(const snExactVolume* volume, const sniHold* hold, const uint32_t* faces,
                          uint32_t face_count, sniHinge** out, snError* error) {
    Build b = {.volume = volume, .hold = hold, .memory = &volume->allocator};
    *out = NULL;
    if (volume->joints[hold->joint].parent == SN_NONE || !bends_any(&b, faces, face_count))
        return SN_RESULT_OK;
    b.hinge = SNI_NEW(b.memory, sniHinge);
    if (b.hinge == NULL) return sni_fail_memory(error);
    snResult result = build(&b, faces, face_count, error);
    for (uint32_t i = 0; i < b.total; i++) hold->places[b.points[i]] = SN_NONE;
    void* arrays[] = {b.faces, b.points, b.joints, b.weights[0], b.weights[1], b.rest, b.locals};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(b.memory, arrays[i]);
    if (result != SN_RESULT_OK) {
        sni_hinge_destroy(b.hinge, b.memory);
        return result;
    }
    *out = b.hinge;
    return SN_RESULT_OK;
}

void sni_hinge_destroy(sniHinge* hinge, const snAllocator* memory) {
    if (hinge == NULL) return;
    sn_skin_plan_destroy(hinge->before);
    sn_skin_plan_destroy(hinge->after);
    void* arrays[] = {hinge->matrices, hinge->caps, hinge->cap_members, hinge->blocks, hinge};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
}

// ------------------------------------------------------------------------------------------------- measure

static bool at_rest(const sniVolumeFrame* joint, const snMat4* own, const snMat4* parent) {
    float most = 0.0f, size = 0.0f;
    for (int i = 0; i < 11; i++) {
        most = sn_maxf(most, fabsf(own->m[i] - parent->m[i]));
        size = sn_maxf(size, fabsf(parent->m[i]));
    }
    float slip = sn_distance(sn_mat4_point(own, joint->place), sn_mat4_point(parent, joint->place));
    return most <= AT_REST * size && slip <= AT_REST * size * joint->length;
}

// Six times the cone that the whole part spans from `apex` under a matrix.
static double whole_volume(const sniHinge* hinge, const snMat4* m, snVec3 place, snVec3 apex) {
    double c[3][3], moved[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) c[i][k] = (double)m->m[4 * i + k];
    snVec3 at = sn_mat4_point(m, place);
    moved[0] = (double)at.x - (double)apex.x;
    moved[1] = (double)at.y - (double)apex.y;
    moved[2] = (double)at.z - (double)apex.z;
    double det = 0.0, along = 0.0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        // Column i of the cofactors: how the i-th component of an area is turned.
        double cof[3] = {c[j][1] * c[k][2] - c[j][2] * c[k][1], c[j][2] * c[k][0] - c[j][0] * c[k][2],
                         c[j][0] * c[k][1] - c[j][1] * c[k][0]};
        if (i == 0) det = c[0][0] * cof[0] + c[0][1] * cof[1] + c[0][2] * cof[2];
        along += hinge->area[i] * (cof[0] * moved[0] + cof[1] * moved[1] + cof[2] * moved[2]);
    }
    return det * hinge->volume + along;
}

static double bent_volume(const sniHinge* hinge, const snSkinPlan* plan, bool dual, snVec3 apex,
                          const sniVolumeKernels* kernels, snCpuLevel level, const sniHingeWork* work) {
    snSkinPlanJob job = {.plan = plan,
                         .matrices = work->matrices,
                         .out_points = work->skinned,
                         .level = level,
                         .scratch = work->dual};
    if (dual)
        sn_skin_plan_dual_run(&job);
    else
        sn_skin_plan_run(&job);
    for (uint32_t i = 0; i < hinge->point_count; i++) {
        snVec3 p = work->skinned[i];
        work->points[i] = (snVec4){p.x, p.y, p.z, 0.0f};
    }
    for (uint32_t c = 0; c < hinge->cap_count; c++) {
        const sniRingCap* cap = &hinge->caps[c];
        work->points[cap->center] =
            sni_loop_middle(work->points, NULL, hinge->cap_members + cap->first, cap->count);
    }
    return kernels->cones(hinge->blocks, hinge->block_count, work->points, apex, NULL);
}

double sni_hinge_change(const snExactVolume* volume, const sniHinge* hinge, uint32_t joint,
                        const snMat4* matrices, const sniVolumeKernels* kernels, snCpuLevel level,
                        const sniHingeWork* work) {
    const sniVolumeFrame* frame = &volume->joints[joint];
    const snMat4* own = &matrices[joint];
    const snMat4* parent = &matrices[frame->parent];
    if (at_rest(frame, own, parent)) return 0.0;
    for (uint32_t m = 0; m < hinge->matrix_count; m++) work->matrices[m] = matrices[hinge->matrices[m]];
    snVec3 apex = sn_mat4_point(own, frame->place);
    double before = bent_volume(hinge, hinge->before, volume->dual, apex, kernels, level, work) +
                    whole_volume(hinge, parent, frame->place, apex);
    double after = bent_volume(hinge, hinge->after, volume->dual, apex, kernels, level, work) +
                   whole_volume(hinge, own, frame->place, apex);
    return after - before;
}
