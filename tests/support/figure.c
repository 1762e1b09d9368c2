#include "figure.h"

#include <stdio.h>

typedef struct Part {
    const char* name;
    uint32_t parent;
    snVec3 center, position;
} Part;

static const Part PARTS[FIGURE_HANDLES] = {
    {"hips", SN_NONE, {0, 1, 0}, {0, 1, 0}},
    {"spine", 0, {0, 1.1f, 0}, {0, 1.2f, 0.02f}},
    {"chest", 1, {0, 1.25f, 0}, {0, 1.4f, 0.05f}},
    {"neck", 2, {0, 1.5f, 0}, {0, 1.55f, 0}},
    {"head", 3, {0, 1.6f, 0}, {0, 1.7f, 0.03f}},
    {"left_arm", 2, {0.2f, 1.45f, 0}, {0.3f, 1.44f, 0}},
    {"left_forearm", 5, {0.45f, 1.45f, 0}, {0.6f, 1.44f, 0.01f}},
    {"left_hand", 6, {0.7f, 1.45f, 0}, {0.8f, 1.44f, 0.02f}},
    {"right_arm", 2, {-0.2f, 1.45f, 0}, {-0.3f, 1.44f, 0}},
    {"right_forearm", 8, {-0.45f, 1.45f, 0}, {-0.6f, 1.44f, 0.01f}},
    {"right_hand", 9, {-0.7f, 1.45f, 0}, {-0.8f, 1.44f, 0.02f}},
    {"left_thigh", 0, {0.1f, 0.95f, 0}, {0.1f, 0.7f, 0.02f}},
    {"left_shin", 11, {0.1f, 0.5f, 0}, {0.1f, 0.3f, 0.01f}},
    {"left_foot", 12, {0.1f, 0.08f, 0}, {0.1f, 0.03f, 0.08f}},
    {"right_thigh", 0, {-0.1f, 0.95f, 0}, {-0.1f, 0.7f, 0.02f}},
    {"right_shin", 14, {-0.1f, 0.5f, 0}, {-0.1f, 0.3f, 0.01f}},
    {"right_foot", 15, {-0.1f, 0.08f, 0}, {-0.1f, 0.03f, 0.08f}},
    {"tail", 0, {0, 1, -0.1f}, {0, 0.9f, -0.3f}},
};

static snMesh* figure_mesh(float scale) {
    snVec3 positions[3 * FIGURE_HANDLES];
    uint32_t corners[3 * FIGURE_HANDLES];
    static const snVec3 offsets[3] = {{0.02f, 0, 0}, {-0.01f, 0.01f, 0}, {-0.01f, -0.01f, 0}};
    for (uint32_t i = 0; i < 3 * FIGURE_HANDLES; i++) {
        positions[i] = sn_scale(sn_add(PARTS[i / 3].position, offsets[i % 3]), scale);
        corners[i] = i;
    }
    return test_triangles(positions, 3 * FIGURE_HANDLES, corners, FIGURE_HANDLES);
}

Figure figure_create(float scale) {
    Figure figure = {.mesh = figure_mesh(scale)};
    uint32_t vertices[3 * FIGURE_HANDLES], followers[FIGURE_HANDLES][FIGURE_HANDLES];
    snHandleDef defs[FIGURE_HANDLES] = {{0}};
    for (uint32_t i = 0; i < 3 * FIGURE_HANDLES; i++) vertices[i] = i;
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        figure.parents[h] = PARTS[h].parent;
        snHandleDef* def = &defs[h];
        def->name = PARTS[h].name;
        def->vertex_count = 3;
        def->vertices = vertices + (size_t)3 * h;
        def->center = sn_scale(PARTS[h].center, scale);
        def->confidence = 1.0f;
        def->followers = followers[h];
        for (uint32_t k = 0; k < FIGURE_HANDLES; k++) {
            if (PARTS[k].parent == h) followers[h][def->follower_count++] = k;
        }
    }
    snHandlesDef def = {figure.mesh, FIGURE_HANDLES, defs};
    assert_ok(sn_handles_create(&def, NULL, &figure.handles, NULL));
    return figure;
}

void figure_destroy(Figure* figure) {
    sn_handles_destroy(figure->handles);
    sn_mesh_destroy(figure->mesh);
}

static uint32_t below(const Figure* figure, uint32_t handle, uint32_t storage[FIGURE_HANDLES]) {
    uint8_t marks[FIGURE_HANDLES];
    sn_handles_followers(figure->handles, handle, marks);
    uint32_t count = 0;
    for (uint32_t h = 0; h < FIGURE_HANDLES; h++) {
        if (marks[h] != 0) storage[count++] = h;
    }
    return count;
}

snPoseStep figure_turn(const Figure* figure, uint32_t handle, snVec3 axis, float angle,
                       uint32_t storage[FIGURE_HANDLES]) {
    snPoseStep step = {
        .act = SN_POSE_ROTATE, .frame = handle, .center = handle, .axis = axis, .angle = angle};
    step.handle_count = below(figure, handle, storage);
    step.handles = storage;
    return step;
}

snPoseStep figure_move(const Figure* figure, uint32_t handle, snVec3 move, uint32_t storage[FIGURE_HANDLES]) {
    snPoseStep step = {.act = SN_POSE_MOVE, .move = move};
    step.handle_count = below(figure, handle, storage);
    step.handles = storage;
    return step;
}

static snVec3 random_vector(uint32_t* random) {
    float x = test_random_float(random, -1, 1), y = test_random_float(random, -1, 1);
    return sn_vec3(x, y, test_random_float(random, -1, 1));
}

snHandlePose* figure_random_pose(const Figure* figure, uint32_t* random) {
    snPoseStep steps[10];
    uint32_t storage[10][FIGURE_HANDLES];
    uint32_t count = 5 + test_random(random) % 5;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t handle = test_random(random) % FIGURE_HANDLES;
        snVec3 axis = random_vector(random);
        steps[i] = figure_turn(figure, handle, axis, test_random_float(random, -1.5f, 1.5f), storage[i]);
        // Axes that a thigh lends to a shin, centers that are elsewhere.
        if (test_random(random) % 4 == 0) steps[i].frame = test_random(random) % FIGURE_HANDLES;
        if (test_random(random) % 8 == 0) steps[i].center = test_random(random) % FIGURE_HANDLES;
    }
    if (test_random(random) % 3 == 0) {
        snVec3 move = sn_scale(random_vector(random), 0.1f * figure->handles->size);
        steps[count] = figure_move(figure, test_random(random) % FIGURE_HANDLES, move, storage[count]);
        count++;
    }
    char name[32];
    snprintf(name, sizeof name, "random %u", test_random(random) % 1000);
    snHandlePoseDef def = {.name = name, .step_count = count, .steps = steps};
    snHandlePose* pose = NULL;
    assert_ok(sn_handle_pose_create(&def, figure->handles, NULL, &pose, NULL));
    return pose;
}
