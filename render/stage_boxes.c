#include "stage_boxes.h"

#include <string.h>

#include "base/memory.h"
#include "ramp.h"
#include "sinew/skin.h"

// Boxes are a little smaller than their cells, so that every one of them shows.
#define SHRINK 0.92f

static snVec4 kind_color(const snLattice* lattice, uint32_t cell) {
    bool copy = cell > 0 && memcmp(lattice->cells[cell], lattice->cells[cell - 1], 6) == 0;
    bool has_copy =
        cell + 1 < lattice->cell_count && memcmp(lattice->cells[cell], lattice->cells[cell + 1], 6) == 0;
    if (copy || has_copy) return (snVec4){0.80f, 0.30f, 0.08f, 1.0f};
    if (lattice->cell_inside[cell]) return (snVec4){0.10f, 0.28f, 0.55f, 1.0f};
    return (snVec4){0.46f, 0.52f, 0.50f, 1.0f};
}

static void fill(snStageBoxes* boxes, snStageBoxColor color) {
    static const uint8_t quads[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    const snBinding* binding = boxes->model->binding;
    const snLattice* lattice = binding->lattice;
    snMesh* mesh = &boxes->mesh;
    for (uint32_t c = 0; c < lattice->cell_count; c++) {
        for (uint32_t q = 0; q < 6; q++) {
            uint32_t face = c * 6 + q;
            mesh->face_starts[face] = face * 4;
            for (uint32_t k = 0; k < 4; k++) mesh->corners[face * 4 + k] = c * 8 + quads[q][k];
        }
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t part = binding->parts->joint_parts[lattice->cell_particles[c][k]];
            mesh->colors[c * 8 + k] =
                color == SN_STAGE_BOX_KIND ? kind_color(lattice, c) : sn_joint_color(part);
        }
    }
    mesh->face_starts[lattice->cell_count * 6] = lattice->cell_count * 24;
}

bool sn_stage_boxes_create(snStageBoxes* boxes, const snModel* model, snStageBoxColor color,
                           const snAllocator* allocator) {
    *boxes = (snStageBoxes){.model = model, .allocator = *allocator};
    const snBinding* binding = model->binding;
    size_t cells = binding->lattice->cell_count;
    snMesh* mesh = &boxes->mesh;
    mesh->vertex_count = (uint32_t)(cells * 8);
    mesh->face_count = (uint32_t)(cells * 6);
    mesh->corner_count = (uint32_t)(cells * 24);
    mesh->positions = SNI_NEW_ARRAY(allocator, snVec3, cells * 8);
    mesh->colors = SNI_NEW_ARRAY(allocator, snVec4, cells * 8);
    mesh->face_starts = SNI_NEW_ARRAY(allocator, uint32_t, cells * 6 + 1);
    mesh->corners = SNI_NEW_ARRAY(allocator, uint32_t, cells * 24);
    mesh->allocator = *allocator;
    boxes->particles = SNI_NEW_ARRAY(allocator, snVec3, binding->lattice->particle_count);
    boxes->matrices = SNI_NEW_ARRAY(allocator, snMat4, binding->joint_count);
    if (mesh->positions == NULL || mesh->colors == NULL || mesh->face_starts == NULL ||
        mesh->corners == NULL || boxes->particles == NULL || boxes->matrices == NULL) {
        return false;
    }
    fill(boxes, color);
    return true;
}

void sn_stage_boxes_free(snStageBoxes* boxes) {
    if (boxes->model == NULL) return;
    void* arrays[] = {boxes->mesh.positions, boxes->mesh.colors, boxes->mesh.face_starts,
                      boxes->mesh.corners,   boxes->particles,   boxes->matrices};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&boxes->allocator, arrays[i]);
    *boxes = (snStageBoxes){0};
}

static void skin_particles(snStageBoxes* boxes, const snMat4* world) {
    const snBinding* binding = boxes->model->binding;
    const snLattice* lattice = binding->lattice;
    for (uint32_t j = 0; j < binding->joint_count; j++) {
        snMat4 inverse = sn_mat4_identity();
        sn_mat4_inverse_affine(&binding->binds[j], &inverse);
        boxes->matrices[j] = sn_mat4_mul(&world[binding->joints[j]], &inverse);
    }
    snSkinJob job = {.point_count = lattice->particle_count,
                     .points = lattice->rest,
                     .influences = binding->particles.influences,
                     .joints = binding->particles.joints,
                     .weights = binding->particles.weights,
                     .matrix_count = binding->joint_count,
                     .matrices = boxes->matrices,
                     .out_points = boxes->particles};
    sn_skin_linear_run(&job);
}

void sn_stage_boxes_pose(snStageBoxes* boxes, const snMat4* world, const snVec4* particles) {
    const snLattice* lattice = boxes->model->binding->lattice;
    if (particles == NULL) skin_particles(boxes, world);
    for (uint32_t p = 0; p < lattice->particle_count && particles != NULL; p++)
        boxes->particles[p] = sn_vec3(particles[p].x, particles[p].y, particles[p].z);
    for (uint32_t c = 0; c < lattice->cell_count; c++) {
        const uint32_t* corners = lattice->cell_particles[c];
        snVec3 middle = sn_vec3(0.0f, 0.0f, 0.0f);
        for (int k = 0; k < 8; k++) middle = sn_add(middle, sn_scale(boxes->particles[corners[k]], 0.125f));
        for (uint32_t k = 0; k < 8; k++) {
            boxes->mesh.positions[c * 8 + k] = sn_lerp(middle, boxes->particles[corners[k]], SHRINK);
        }
    }
}
