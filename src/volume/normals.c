// Normals after a correction: each turns as the surface around its point did, so that normals an artist made
// stay what they are wherever nothing moved.
//
// The gradient of the volume at a point is its share of the area around it, as a vector, so the kernels that
// correct also tell how a surface turned.
#include <string.h>

#include "volume/run.h"

#define BLOCKS_PER_TASK 64u
#define VERTICES_PER_TASK 1024u

typedef struct Shell {
    sniRun* run;
    const sniRings* rings;
    size_t first;
    uint32_t index;
} Shell;

static bool moved(const Shell* shell, uint32_t block) {
    size_t first = shell->first + (size_t)block * SNI_RING_LANES;
    const snVec4 *before = shell->run->ring_places[0] + first, *after = shell->run->ring_places[1] + first;
    bool any = false;
    for (int i = 0; i < SNI_RING_LANES; i++)
        any |= before[i].x != after[i].x || before[i].y != after[i].y || before[i].z != after[i].z;
    return any;
}

// Blocks of which no point moved stay as they are: what their neighbours do at the end of a profile does not
// show.
static void fill_gradients(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Shell* shell = context;
    (void)worker;
    for (uint32_t b = begin; b < end; b++) {
        bool turns = moved(shell, b);
        for (int i = 0; i < 2; i++) {
            snVec4* out = shell->run->ring_gradients[i] + shell->first;
            if (turns && i == 0 && shell->run->known[shell->index] != 0) continue; // from the correction
            if (turns)
                shell->run->kernels->gradients(&shell->rings->set, b, b + 1,
                                               shell->run->ring_places[i] + shell->first, out);
            else
                memset(out + (size_t)b * SNI_RING_LANES, 0, SNI_RING_LANES * sizeof *out);
        }
    }
}

static void fill_places(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Shell* shell = context;
    sniRun* run = shell->run;
    (void)worker;
    for (uint32_t i = begin; i < end; i++) {
        run->ring_places[0][shell->first + i] = run->before[shell->rings->ids[i]];
        run->ring_places[1][shell->first + i] = run->points[shell->rings->ids[i]];
    }
}

typedef struct Part {
    sniRun* run;
    uint32_t index;
} Part;

static void turn_normals(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Part* part = context;
    sniRun* run = part->run;
    (void)worker;
    const uint32_t* slots = run->volume->slots + run->volume->closed->vertex_starts[part->index];
    run->kernels->turn(slots + begin, end - begin, run->ring_gradients[0], run->ring_gradients[1],
                       run->job->normals[part->index] + begin);
}

void sni_run_normals(sniRun* run) {
    const snExactVolume* v = run->volume;
    const snTasks* tasks = run->job->tasks;
    for (uint32_t s = 0; s < v->closed->shell_count; s++) {
        Shell shell = {run, v->shells[s].rings, v->shells[s].first_slot, s};
        if (shell.rings == NULL) continue;
        sn_tasks_run(tasks, fill_places, &shell, shell.rings->total, VERTICES_PER_TASK);
        sn_tasks_run(tasks, fill_gradients, &shell, shell.rings->set.block_count, BLOCKS_PER_TASK);
    }
    for (int i = 0; i < 2; i++) run->ring_gradients[i][v->ring_places - 1] = (snVec4){0.0f, 0.0f, 0.0f, 0.0f};
    for (uint32_t p = 0; p < v->closed->part_count; p++) {
        Part part = {run, p};
        uint32_t count = v->closed->vertex_starts[p + 1] - v->closed->vertex_starts[p];
        sn_tasks_run(tasks, turn_normals, &part, count, VERTICES_PER_TASK);
    }
}
