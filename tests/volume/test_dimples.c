// Points of three or five faces move as those around them do: a field that followed the areas or the normals
// of the mesh would leave dimples there.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "volume_support.h"

// Points that move by less than this, in metres, say nothing.
#define STILL 5e-4f

// By how much points move otherwise than their neighbours on average, in lengths of their edges.
typedef struct Bumps {
    double sum, count, most;
} Bumps;

// Of points of four faces, of fewer, and of more.
static void measure(const VolumeScene* s, Bumps out[3]) {
    const snMesh* mesh = s->mesh;
    snVec3* around = calloc(mesh->vertex_count, sizeof *around);
    float* edges = calloc(mesh->vertex_count, sizeof *edges);
    uint32_t* counts = calloc(mesh->vertex_count, sizeof *counts);
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t first = mesh->face_starts[f], count = mesh->face_starts[f + 1] - first;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t v = mesh->corners[first + i], next = mesh->corners[first + (i + 1) % count];
            around[v] = sn_add(around[v], sn_sub(s->positions[next], s->plain[next]));
            edges[v] += sn_distance(s->plain[v], s->plain[next]);
            counts[v]++;
        }
    }
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 move = sn_sub(s->positions[v], s->plain[v]);
        if (sn_length(move) < STILL) continue;
        Bumps* kind = &out[counts[v] == 4 ? 0 : counts[v] < 4 ? 1 : 2];
        float parts = 1.0f / (float)counts[v];
        double bump = (double)(sn_distance(move, sn_scale(around[v], parts)) / (edges[v] * parts));
        kind->sum += bump;
        kind->count += 1.0;
        kind->most = fmax(kind->most, bump);
    }
    free(around);
    free(edges);
    free(counts);
}

static void check(VolumeScene* s, const char* name, const float* targets) {
    snExactVolumeJob job = scene_job(s);
    job.targets = targets;
    scene_run(s, &job);
    Bumps bumps[3];
    measure(s, bumps);
    print_message("%-10s", name);
    for (int k = 0; k < 3; k++) {
        assert_true(bumps[k].count > 100.0);
        print_message(" %s %.4f, at most %.3f",
                      k == 0   ? "four"
                      : k == 1 ? "; three"
                               : "; five",
                      bumps[k].sum / bumps[k].count, bumps[k].most);
    }
    print_message("\n");
    for (int k = 1; k < 3; k++) {
        assert_true(bumps[k].sum / bumps[k].count < 1.7 * bumps[0].sum / bumps[0].count);
        assert_true(bumps[k].most < 1.7 * bumps[0].most);
    }
}

static void leaves_no_dimples(void** state) {
    (void)state;
    static const char* const profiles[] = {"isotropic", "folds", "belly"};
    static const char* const bent[] = {"Spine", "Chest", "LeftLowerLeg", "RightLowerLeg"};
    for (size_t p = 0; p < sizeof profiles / sizeof profiles[0]; p++) {
        snBodyDef def = sn_body_def();
        def.vertex_target = 6000;
        snModel* model = NULL;
        assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
        VolumeScene s = scene_of(model);
        float targets[MOST_JOINTS];
        for (uint32_t j = 0; j < s.joint_count; j++) {
            s.rig[j].profile = sn_volume_preset_find(profiles[p]);
            targets[j] = 1.2f;
        }
        scene_build(&s);
        if (p == 0) check(&s, "breath", targets);
        for (size_t i = 0; i < sizeof bent / sizeof bent[0]; i++)
            scene_turn(&s, sn_skeleton_find(model->skeleton, bent[i]), sn_vec3(1, 0, 0), i < 2 ? 0.7f : 1.4f);
        check(&s, profiles[p], NULL);
        scene_destroy(&s);
    }
}

// A muscle on a thick tube that is to take three times what the bend took: where each point went as far as it
// has room the bulge would be a plateau, and its rim steep.
static void bulges_have_no_rims(void** state) {
    (void)state;
    float steepest[2];
    for (int large = 0; large < 2; large++) {
        VolumeScene s = scene_tube(2, 48, 96, true);
        for (uint32_t j = 0; j < s.joint_count; j++) {
            s.rig[j].profile = sn_volume_preset_find("muscle");
            s.rig[j].amount = large == 1 ? 3.0f : 0.3f;
        }
        scene_build(&s);
        scene_turn(&s, 1, sn_vec3(0, 0, 1), 1.5f);
        snExactVolumeJob job = scene_job(&s);
        scene_run(&s, &job);
        float far = scene_distance(&s, s.plain, s.positions);
        Bumps bumps[3];
        measure(&s, bumps);
        steepest[large] = (float)bumps[0].most / far;
        print_message("moved %.4f m, bumps of %.3f: %.3f a metre\n", (double)far, bumps[0].most,
                      (double)steepest[large]);
        scene_destroy(&s);
    }
    assert_true(steepest[1] < 2.4f * steepest[0]); // 2.0; with points held one by one 2.9
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(leaves_no_dimples),
                                       cmocka_unit_test(bulges_have_no_rims)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
