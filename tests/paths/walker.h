// A walker of hips and two legs for tests: known lengths, soles and poses.
#ifndef SINEW_TEST_WALKER_H
#define SINEW_TEST_WALKER_H

#include "shapes.h"
#include "sinew/paths.h"

// Hips and two legs; hips are a box, feet outlines of six points, twice.
#define HANDLES 7
#define WALKER_VERTICES 128
#define OUTLINE 6
#define FOOT_VERTICES (2 * OUTLINE)
#define LEFT_FOOT 3
#define RIGHT_FOOT 6

static const snVec3 CENTERS[HANDLES] = {{0, 1, 0},        {0.1f, 0.95f, 0},  {0.1f, 0.5f, 0.01f},
                                        {0.1f, 0.08f, 0}, {-0.1f, 0.95f, 0}, {-0.1f, 0.5f, 0.01f},
                                        {-0.1f, 0.08f, 0}};
// Forward and up: the back of the heel, its edge, the ball, the toes from below and above, the ankle.
static const float PROFILE[OUTLINE][2] = {{-0.06f, 0.02f}, {-0.045f, 0},   {0.12f, 0},
                                          {0.18f, 0.012f}, {0.19f, 0.03f}, {0, 0.1f}};

typedef struct Walker {
    snMesh* mesh;
    snHandles* handles;
    snHandlePose* poses[4];
    snPaths* paths;
} Walker;

static inline bool is_foot(uint32_t handle) { return handle == LEFT_FOOT || handle == RIGHT_FOOT; }

// A box around a middle, faces of two triangles with corners of their own: 36.
static inline void add_box(snVec3 middle, snVec3 half, snVec3* positions, uint32_t* count) {
    static const int sides[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (int f = 0; f < 6; f++) {
        const int corners[6] = {sides[f][0], sides[f][1], sides[f][2], sides[f][0], sides[f][2], sides[f][3]};
        for (int k = 0; k < 6; k++) {
            int c = corners[k];
            snVec3 off = {c & 1 ? half.x : -half.x, c & 2 ? half.y : -half.y, c & 4 ? half.z : -half.z};
            positions[(*count)++] = sn_add(middle, off);
        }
    }
}

static inline snMesh* make_mesh(uint32_t firsts[HANDLES + 1]) {
    snVec3 positions[WALKER_VERTICES];
    uint32_t corners[WALKER_VERTICES], count = 0;
    for (uint32_t h = 0; h < HANDLES; h++) {
        firsts[h] = count;
        for (uint32_t i = 0; is_foot(h) && i < FOOT_VERTICES; i++) {
            float aside = i < OUTLINE ? 0.04f : -0.04f;
            const float* outline = PROFILE[i % OUTLINE];
            positions[count++] = sn_vec3(CENTERS[h].x + aside, outline[1], outline[0]);
        }
        if (h == 0) add_box(CENTERS[0], sn_vec3(0.12f, 0.1f, 0.08f), positions, &count);
        for (uint32_t i = 0; h != 0 && !is_foot(h) && i < 3; i++)
            positions[count++] = sn_add(CENTERS[h], sn_vec3(0.02f * (float)i, -0.1f, 0.01f * (float)(i % 2)));
    }
    firsts[HANDLES] = count;
    for (uint32_t i = 0; i < count; i++) corners[i] = i;
    return test_triangles(positions, count, corners, count / 3);
}

static inline uint32_t limb_of(uint32_t handle, uint32_t out[HANDLES]) {
    uint32_t count = 0, end = handle == 0 ? HANDLES - 1 : (handle < 4 ? 3u : 6u);
    for (uint32_t h = handle; h <= end; h++) out[count++] = h;
    return count;
}

static inline snHandles* make_handles(const snMesh* mesh, const uint32_t firsts[HANDLES + 1]) {
    static const char* const names[HANDLES] = {"hips",        "left_thigh", "left_shin", "left_foot",
                                               "right_thigh", "right_shin", "right_foot"};
    static const uint32_t followers[HANDLES][2] = {{1, 4}, {2}, {3}, {0}, {5}, {6}, {0}};
    static const uint32_t follower_counts[HANDLES] = {2, 1, 1, 0, 1, 1, 0};
    uint32_t vertices[WALKER_VERTICES];
    snHandleDef defs[HANDLES] = {{0}};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) vertices[v] = v;
    for (uint32_t h = 0; h < HANDLES; h++)
        defs[h] = (snHandleDef){.name = names[h],
                                .vertices = vertices + firsts[h],
                                .vertex_count = firsts[h + 1] - firsts[h],
                                .followers = followers[h],
                                .follower_count = follower_counts[h],
                                .center = CENTERS[h],
                                .confidence = 1.0f};
    snHandlesDef def = {mesh, HANDLES, defs};
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&def, NULL, &handles, NULL));
    return handles;
}

// Each leg forward with the other back, and each knee bent with its toes pointing at the ground.
static inline void make_poses(Walker* walker) {
    for (uint32_t p = 0; p < 4; p++) {
        uint32_t near = p % 2 == 0 ? 1 : 4, far = p % 2 == 0 ? 4 : 1, parts[3][HANDLES];
        const float angles[3] = {p < 2 ? -0.5f : -0.8f, p < 2 ? 0.5f : 1.3f, 0.6f};
        const uint32_t turned[3] = {near, p < 2 ? far : near + 1, near + 2};
        snPoseStep steps[3];
        for (uint32_t s = 0; s < 3; s++) {
            steps[s] = (snPoseStep){.act = SN_POSE_ROTATE,
                                    .frame = turned[s],
                                    .center = turned[s],
                                    .axis = {1, 0, 0},
                                    .angle = angles[s],
                                    .handle_count = limb_of(turned[s], parts[s]),
                                    .handles = parts[s]};
        }
        snHandlePoseDef def = {.name = "pose", .step_count = p < 2 ? 2 : 3, .steps = steps};
        assert_ok(sn_handle_pose_create(&def, walker->handles, NULL, &walker->poses[p], NULL));
    }
}

static inline void walk_over(Walker* walker, const snTerrain* terrain, float roll) {
    const snWalkFoot feet[2] = {{LEFT_FOOT, {0.1f, 0.0f, 0.05f}, 0.0f, 0.0f, 0.0f},
                                {RIGHT_FOOT, {-0.1f, 0.0f, 0.05f}, 0.5f, 0.0f, 0.0f}};
    const snVec2 line[2] = {{0.0f, 0.0f}, {0.0f, 3.6f}};
    snWalkDef def = sn_walk_def();
    def.foot_count = 2;
    def.feet = feet;
    def.line_count = 2;
    def.line = line;
    def.stride = 0.9f;
    def.roll = roll;
    sn_paths_destroy(walker->paths);
    assert_ok(sn_walk_paths(&def, terrain, NULL, &walker->paths, NULL));
}

static inline Walker walker_create(void) {
    uint32_t firsts[HANDLES + 1];
    Walker walker = {.mesh = make_mesh(firsts)};
    walker.handles = make_handles(walker.mesh, firsts);
    make_poses(&walker);
    walk_over(&walker, NULL, 1.0f);
    return walker;
}

static inline void walker_destroy(Walker* walker) {
    sn_paths_destroy(walker->paths);
    for (uint32_t p = 0; p < 4; p++) sn_handle_pose_destroy(walker->poses[p]);
    sn_handles_destroy(walker->handles);
    sn_mesh_destroy(walker->mesh);
}

static inline snPathPlayerDef walker_def(const Walker* walker, const snTerrain* terrain) {
    snPathPlayerDef def = sn_path_player_def();
    def.handles = walker->handles;
    def.mesh = walker->mesh;
    def.pose_count = 4;
    def.poses = (const snHandlePose* const*)walker->poses;
    def.path_count = walker->paths->path_count;
    def.paths = walker->paths->paths;
    def.terrain = terrain;
    return def;
}

#endif
