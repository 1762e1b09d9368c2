// Self-crossings that a correction made (Rohmer et al. 2009, section 5): vertices that crossed go back along
// their moves and are held there, and the rest of the surface takes the volume that is missing then.
#include "volume/run.h"

// Rounds of moving back and correcting again.
#define ROUNDS 6
// How far a crossed vertex goes back each time.
#define BACK 0.5f

static void note_active(sniRun* run) {
    const snExactVolume* v = run->volume;
    for (uint32_t t = 0; t < v->triangle_count; t++) {
        run->active[t] = 0;
        for (int i = 0; i < 3; i++) {
            uint32_t p = v->triangles[t][i];
            snVec4 a = run->points[p], b = run->before[p];
            if (a.x != b.x || a.y != b.y || a.z != b.z) run->active[t] = 1;
        }
    }
}

// Crossings of the surface `points`, as many as the list holds; `count` is how many there are.
static uint32_t find(sniRun* run, const snVec4* points, uint32_t* count) {
    const snExactVolume* v = run->volume;
    for (uint32_t i = 0; i < v->closed->point_count; i++)
        run->crossing_points[i] = sn_vec3(points[i].x, points[i].y, points[i].z);
    snCrossingsJob job = {.point_count = v->closed->point_count,
                          .points = run->crossing_points,
                          .triangle_count = v->triangle_count,
                          .triangles = (const uint32_t(*)[3])v->triangles,
                          .active = run->active,
                          .scratch = run->crossings,
                          .capacity = SNI_MOST_CROSSINGS,
                          .out_crossings = run->crossing_list,
                          .tasks = run->job->tasks};
    if (sn_crossings_run(&job) != SN_RESULT_OK) job.out_count = 0;
    *count = job.out_count;
    return job.out_count < SNI_MOST_CROSSINGS ? job.out_count : SNI_MOST_CROSSINGS;
}

// Moves the corners of a triangle back; false when they have nowhere to go.
static bool move_back(sniRun* run, uint32_t triangle) {
    bool any = false;
    for (int i = 0; i < 3; i++) {
        uint32_t p = run->volume->triangles[triangle][i];
        snVec4 *now = &run->points[p], was = run->before[p];
        if (now->x == was.x && now->y == was.y && now->z == was.z) continue;
        any = true;
        if (run->pinned[p] > 2) {
            *now = was;
        } else if ((run->pinned[p] & 1) == 0) {
            now->x = was.x + (now->x - was.x) * BACK;
            now->y = was.y + (now->y - was.y) * BACK;
            now->z = was.z + (now->z - was.z) * BACK;
        }
        if (run->pinned[p] < 3) run->pinned[p]++;
    }
    return any;
}

uint32_t sni_run_untangle(sniRun* run) {
    uint32_t count = 0, last = SN_NONE;
    for (uint32_t round = 0; round <= ROUNDS; round++) {
        note_active(run);
        uint32_t listed = find(run, run->points, &count);
        if (count == 0 || round == ROUNDS || (count >= last && round > 2)) break;
        last = count;
        bool any = false;
        for (uint32_t i = 0; i < listed; i++) {
            any |= move_back(run, run->crossing_list[i].a);
            any |= move_back(run, run->crossing_list[i].b);
        }
        if (!any) break;
        sni_run_place_caps(run);
        sni_run_measure(run, run->volumes);
        if (!sni_run_want_rest(run, true)) continue;
        sni_run_correct(run);
        sni_run_measure(run, run->volumes);
    }
    return count;
}
