// Self-crossings that a correction made (Rohmer et al. 2009, section 5): vertices that crossed go back along
// their moves and are held there, and the rest of the surface takes the volume that is missing then. What the
// surface crossed already when it came is not a matter of volume and stays.
#include <string.h>

#include "volume/run.h"

// Rounds of moving back and correcting again: a bound of the time, like the next.
#define ROUNDS 6
// How often a vertex goes back half the way before it goes all of it.
#define HALVINGS 2

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

// Crossings of the surface `points`, sorted, as many as the list holds; `total` is how many there are.
static uint32_t find(sniRun* run, const snVec4* points, snCrossing* list, uint32_t* total) {
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
                          .out_crossings = list,
                          .tasks = run->job->tasks};
    sn_crossings_run(&job);
    *total = job.out_count;
    return job.out_count < SNI_MOST_CROSSINGS ? job.out_count : SNI_MOST_CROSSINGS;
}

// Leaves the crossings that the surface did not have before.
static uint32_t keep_new(const sniRun* run, uint32_t count, uint32_t count_before) {
    uint32_t kept = 0, k = 0;
    for (uint32_t i = 0; i < count; i++) {
        snCrossing c = run->crossing_list[i];
        const snCrossing* old = run->crossing_list_before;
        while (k < count_before && (old[k].a < c.a || (old[k].a == c.a && old[k].b < c.b))) k++;
        if (k < count_before && old[k].a == c.a && old[k].b == c.b) continue;
        run->crossing_list[kept++] = c;
    }
    return kept;
}

// Moves the corners of a triangle back, half the way each time and all of it in the end, and holds them
// there.
static void move_back(sniRun* run, uint32_t triangle) {
    for (int i = 0; i < 3; i++) {
        uint32_t p = run->volume->triangles[triangle][i];
        snVec4 *now = &run->points[p], was = run->before[p];
        if (now->x == was.x && now->y == was.y && now->z == was.z) continue;
        float left = run->pinned[p] < HALVINGS ? 0.5f : 0.0f;
        now->x = was.x + (now->x - was.x) * left;
        now->y = was.y + (now->y - was.y) * left;
        now->z = was.z + (now->z - was.z) * left;
        if (run->pinned[p] < UINT8_MAX) run->pinned[p]++;
    }
}

// Lists the new crossings of the surface as it is now; `total` is how many there are at least.
static uint32_t find_new(sniRun* run, uint32_t* total) {
    uint32_t all = 0, all_before = 0;
    note_active(run);
    uint32_t before = find(run, run->before, run->crossing_list_before, &all_before);
    uint32_t listed = keep_new(run, find(run, run->points, run->crossing_list, &all), before);
    uint32_t more = all > all_before ? all - all_before : 0;
    *total = listed > more ? listed : more;
    return listed;
}

uint32_t sni_run_untangle(sniRun* run) {
    uint32_t total = 0, count = find_new(run, &total);
    for (uint32_t round = 0; round < ROUNDS && count > 0; round++) {
        for (uint32_t i = 0; i < count; i++) {
            move_back(run, run->crossing_list[i].a);
            move_back(run, run->crossing_list[i].b);
        }
        sni_run_place_caps(run);
        sni_run_measure(run, run->volumes);
        if (sni_run_want_rest(run)) sni_run_settle(run);
        count = find_new(run, &total);
    }
    // Where the rest could not take the volume, volume comes first: all may move again.
    if (!run->job->one_step && !sni_run_is_right(run)) {
        memset(run->pinned, 0, (size_t)sni_no_point(run->volume->closed) + 1);
        memset(run->stuck, 0, run->volume->patch_count);
        if (sni_run_want_rest(run)) sni_run_settle(run);
        find_new(run, &total);
    }
    return total;
}
