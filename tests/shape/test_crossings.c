// Triangles that cross: against exact whole-number arithmetic, brute force and known shapes.
#include <stdlib.h>
#include <string.h>

#include "shape/crossings.h"
#include "shapes.h"
#include "support.h"

// ---------------------------------------------------------------------------- exact, in whole numbers

typedef __int128 Wide;
typedef struct Whole {
    int64_t x, y, z;
} Whole;

static Whole whole(snVec3 p) { return (Whole){(int64_t)p.x, (int64_t)p.y, (int64_t)p.z}; }
static Whole minus(Whole a, Whole b) { return (Whole){a.x - b.x, a.y - b.y, a.z - b.z}; }
static int64_t dot(Whole a, Whole b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Whole cross(Whole a, Whole b) {
    return (Whole){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Where a triangle meets a plane along a line: an interval of fractions along the line's direction.
typedef struct Interval {
    Wide top[2], bottom[2]; // bottom above 0
} Interval;

static bool less(Wide a, Wide b, Wide c, Wide d) { return a * d < c * b; }

static void interval_add(Interval* interval, int* count, Wide top, Wide bottom) {
    if (bottom < 0) top = -top, bottom = -bottom;
    if (*count == 0 || less(top, bottom, interval->top[0], interval->bottom[0]))
        interval->top[0] = top, interval->bottom[0] = bottom;
    if (*count == 0 || less(interval->top[1], interval->bottom[1], top, bottom))
        interval->top[1] = top, interval->bottom[1] = bottom;
    (*count)++;
}

// The ends of every edge that meets the plane with heights h, measured along the line.
static Interval meet(const Whole t[3], const int64_t h[3], Whole line) {
    Interval interval = {{0, 0}, {1, 1}};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        if (h[i] == 0) interval_add(&interval, &count, dot(t[i], line), 1);
        if ((h[i] < 0 && h[k] > 0) || (h[i] > 0 && h[k] < 0)) {
            Wide from = dot(t[i], line), to = dot(t[k], line);
            interval_add(&interval, &count, from * h[k] - to * h[i], h[k] - h[i]);
        }
    }
    return interval;
}

static bool parted(const int64_t h[3]) {
    return (h[0] > 0 || h[1] > 0 || h[2] > 0) && (h[0] < 0 || h[1] < 0 || h[2] < 0);
}

static bool cross_exactly(const snVec3 a[3], const snVec3 b[3]) {
    Whole s[3], t[3];
    for (int i = 0; i < 3; i++) s[i] = whole(a[i]), t[i] = whole(b[i]);
    Whole n = cross(minus(s[1], s[0]), minus(s[2], s[0])), m = cross(minus(t[1], t[0]), minus(t[2], t[0]));
    int64_t h[3], g[3];
    for (int i = 0; i < 3; i++) h[i] = dot(minus(s[i], t[0]), m), g[i] = dot(minus(t[i], s[0]), n);
    if (!parted(h) || !parted(g)) return false;
    Whole line = cross(n, m);
    Interval p = meet(s, h, line), q = meet(t, g, line);
    return less(p.top[0], p.bottom[0], q.top[1], q.bottom[1]) &&
           less(q.top[0], q.bottom[0], p.top[1], p.bottom[1]) &&
           less(p.top[0], p.bottom[0], p.top[1], p.bottom[1]) &&
           less(q.top[0], q.bottom[0], q.top[1], q.bottom[1]);
}

// Few places, so that every kind of touching comes up; then many.
static void pairs_agree_with_exact_arithmetic(void** state) {
    (void)state;
    uint32_t random = 7, crossing = 0;
    for (uint32_t round = 0; round < 600000; round++) {
        float range = (float)(round % 3 == 0 ? 2 : (round % 3 == 1 ? 4 : 50));
        snVec3 t[2][3];
        for (int i = 0; i < 6; i++) {
            for (int k = 0; k < 3; k++)
                (&t[i / 3][i % 3].x)[k] = (float)(int32_t)test_random_float(&random, -range, range + 0.999f);
        }
        bool expected = cross_exactly(t[0], t[1]);
        crossing += expected;
        assert_int_equal(sni_triangles_cross(t[0], t[1]), expected);
        assert_int_equal(sni_triangles_cross(t[1], t[0]), expected);
    }
    assert_true(crossing > 10000);
}

// ------------------------------------------------------------------------------------------- searching

typedef struct Soup {
    uint32_t point_count, triangle_count;
    snVec3* points;
    uint32_t (*triangles)[3];
} Soup;

static Soup soup_new(uint32_t points, uint32_t triangles) {
    Soup soup = {points, triangles, calloc(points + 1, sizeof(snVec3)), calloc(triangles + 1, 12)};
    assert_true(soup.points != NULL && soup.triangles != NULL);
    return soup;
}

static void soup_free(Soup* soup) {
    free(soup->points);
    free(soup->triangles);
}

static Soup soup_of(const snMesh* mesh, const snWeld* weld, const snVec3* positions) {
    Soup soup = soup_new(mesh->vertex_count, sn_mesh_triangle_count(mesh));
    memcpy(soup.points, positions, mesh->vertex_count * sizeof(snVec3));
    sn_mesh_triangulate(mesh, soup.triangles[0]);
    for (uint32_t i = 0; weld != NULL && i < 3 * soup.triangle_count; i++) {
        uint32_t* corner = &soup.triangles[i / 3][i % 3];
        *corner = weld->vertex_of_point[weld->point_of_vertex[*corner]];
    }
    return soup;
}

static snCrossing* search(const Soup* soup, const uint8_t* active, uint32_t capacity, const snTasks* tasks,
                          uint32_t* out_count) {
    void* scratch = aligned_alloc(64, (sn_crossings_scratch_size(soup->triangle_count) / 64 + 1) * 64);
    snCrossing* crossings = calloc((size_t)capacity + 1, sizeof *crossings);
    assert_true(scratch != NULL && crossings != NULL);
    crossings[capacity] = (snCrossing){12345, 54321};
    snCrossingsJob job = {.point_count = soup->point_count,
                          .points = soup->points,
                          .triangle_count = soup->triangle_count,
                          .triangles = (const uint32_t(*)[3])soup->triangles,
                          .active = active,
                          .scratch = scratch,
                          .capacity = capacity,
                          .out_crossings = crossings,
                          .tasks = tasks};
    assert_ok(sn_crossings_run(&job));
    assert_true(crossings[capacity].a == 12345 && crossings[capacity].b == 54321);
    free(scratch);
    *out_count = job.out_count;
    return crossings;
}

static uint32_t count_crossings(const Soup* soup) {
    uint32_t count = 0;
    free(search(soup, NULL, 0, NULL, &count));
    return count;
}

// Every pair, in the order of the output. Returns how many were compared.
static uint32_t compare_with_all_pairs(const Soup* soup, const uint8_t* active) {
    uint32_t count = 0, at = 0;
    snCrossing* crossings = search(soup, active, 200000, NULL, &count);
    for (uint32_t a = 0; a < soup->triangle_count; a++) {
        for (uint32_t b = a + 1; b < soup->triangle_count; b++) {
            if (active != NULL && active[a] == 0 && active[b] == 0) continue;
            snVec3 s[3], t[3];
            for (int i = 0; i < 3; i++) {
                s[i] = soup->points[soup->triangles[a][i]];
                t[i] = soup->points[soup->triangles[b][i]];
            }
            if (!sni_triangles_cross(s, t)) continue;
            assert_true(at < count && crossings[at].a == a && crossings[at].b == b);
            at++;
        }
    }
    assert_int_equal(at, count);
    free(crossings);
    return count;
}

static Soup random_soup(uint32_t* random, uint32_t triangles, float reach) {
    Soup soup = soup_new(3 * triangles, triangles);
    for (uint32_t t = 0; t < triangles; t++) {
        snVec3 middle = sn_vec3(test_random_float(random, -1, 1), test_random_float(random, -1, 1),
                                test_random_float(random, -1, 1));
        for (uint32_t i = 0; i < 3; i++) {
            snVec3 way = sn_vec3(test_random_float(random, -1, 1), test_random_float(random, -1, 1),
                                 test_random_float(random, -1, 1));
            soup.points[3 * t + i] = sn_add(middle, sn_scale(way, reach));
            // Some share points, some are degenerate.
            soup.triangles[t][i] =
                test_random(random) % 5 == 0 ? test_random(random) % (3 * triangles) : 3 * t + i;
        }
    }
    return soup;
}

static void the_tree_finds_what_all_pairs_find(void** state) {
    (void)state;
    static const uint32_t counts[] = {1, 2, 3, 4, 5, 8, 9, 31, 64, 65, 300, 1500};
    uint32_t random = 99, found = 0;
    for (uint32_t round = 0; round < 24; round++) {
        Soup soup = random_soup(&random, counts[round % 12], round < 12 ? 0.1f : 0.5f);
        found += compare_with_all_pairs(&soup, NULL);
        uint8_t* active = calloc(soup.triangle_count, 1);
        assert_non_null(active);
        for (uint32_t t = 0; t < soup.triangle_count; t++) active[t] = test_random(&random) % 7 == 0;
        found += compare_with_all_pairs(&soup, active);
        free(active);
        soup_free(&soup);
    }
    assert_true(found > 1000);
}

static void any_worker_count_gives_the_same_list(void** state) {
    (void)state;
    uint32_t random = 5;
    enum { ROOM = 1000000 };
    Soup soup = random_soup(&random, 3000, 0.06f);
    uint32_t count = 0;
    snCrossing* one = search(&soup, NULL, ROOM, NULL, &count);
    assert_true(count > 500 && count < ROOM);
    for (uint32_t workers = 3; workers <= 8; workers += 5) {
        snPool* pool = NULL;
        assert_ok(sn_pool_create(workers, &pool));
        snTasks tasks = sn_pool_tasks(pool);
        uint32_t other_count = 0;
        snCrossing* other = search(&soup, NULL, ROOM, &tasks, &other_count);
        assert_int_equal(other_count, count);
        assert_memory_equal(other, one, count * sizeof *one);
        free(other);
        sn_pool_destroy(pool);
    }
    free(one);
    soup_free(&soup);
}

static void less_room_keeps_the_first(void** state) {
    (void)state;
    uint32_t random = 11, count = 0;
    Soup soup = random_soup(&random, 200, 0.6f);
    snCrossing* all = search(&soup, NULL, 50000, NULL, &count);
    assert_true(count > 1000);
    for (uint32_t capacity = 0; capacity < count; capacity = capacity * 3 + 1) {
        uint32_t same = 0;
        snCrossing* some = search(&soup, NULL, capacity, NULL, &same);
        assert_int_equal(same, count);
        assert_memory_equal(some, all, capacity * sizeof *some);
        free(some);
    }
    free(all);
    soup_free(&soup);
}

// ------------------------------------------------------------------------------------------ known shapes

// A torus or, without a hole, a sphere of rings; moved and turned.
static void add_ball(Soup* soup, uint32_t rings, uint32_t sides, float hole, float radius, snVec3 at) {
    uint32_t first = soup->point_count;
    for (uint32_t r = 0; r < rings; r++) {
        float turn = (float)r / (float)rings * 2.0f * SN_PI;
        for (uint32_t s = 0; s < sides; s++) {
            float around = (float)s / (float)sides * 2.0f * SN_PI;
            float out = hole + radius * sn_cos(around);
            snVec3 p = sn_vec3(out * sn_cos(turn), radius * sn_sin(around), out * sn_sin(turn));
            soup->points[soup->point_count++] = sn_add(at, p);
        }
    }
    for (uint32_t i = 0; i < rings * sides; i++) {
        uint32_t r = i / sides, s = i % sides, next = (r + 1) % rings;
        uint32_t a = first + r * sides + s, b = first + next * sides + s;
        uint32_t c = first + next * sides + (s + 1) % sides, d = first + r * sides + (s + 1) % sides;
        memcpy(soup->triangles[soup->triangle_count++], (uint32_t[3]){a, b, c}, 12);
        memcpy(soup->triangles[soup->triangle_count++], (uint32_t[3]){a, c, d}, 12);
    }
}

static Soup two_rings(float apart, float radius) {
    Soup soup = soup_new(2 * 40 * 24, 4 * 40 * 24);
    soup.point_count = soup.triangle_count = 0;
    add_ball(&soup, 40, 24, 1.0f, radius, sn_vec3(0, 0, 0));
    add_ball(&soup, 40, 24, 1.0f, radius, sn_vec3(apart, 0.01f, 0.02f));
    return soup;
}

static void rings_cross_only_where_they_meet(void** state) {
    (void)state;
    Soup clear = two_rings(3.0f, 0.3f);
    assert_int_equal(count_crossings(&clear), 0);
    soup_free(&clear);
    Soup through = two_rings(2.0f, 0.3f);
    assert_true(compare_with_all_pairs(&through, NULL) > 50);
    soup_free(&through);
    // A ring thicker than its own hole passes through itself.
    Soup thick = soup_new(40 * 24, 2 * 40 * 24);
    thick.point_count = thick.triangle_count = 0;
    add_ball(&thick, 40, 24, 1.0f, 1.3f, sn_vec3(0, 0, 0));
    assert_true(compare_with_all_pairs(&thick, NULL) > 50);
    soup_free(&thick);
}

static void a_folded_sheet_crosses_when_it_goes_through(void** state) {
    (void)state;
    snMesh* sheet = test_grid(12);
    Soup soup = soup_of(sheet, NULL, sheet->positions);
    assert_int_equal(count_crossings(&soup), 0);
    for (uint32_t v = 0; v < soup.point_count; v++) { // folded back flat onto itself: it touches everywhere
        if (soup.points[v].x > 6.0f) soup.points[v].x = 12.0f - soup.points[v].x;
    }
    assert_int_equal(count_crossings(&soup), 0);
    for (uint32_t v = 0; v < soup.point_count; v++) { // the upper half dips through the lower one
        if (sheet->positions[v].x > 6.0f) soup.points[v].y = 1.03f - 0.37f * (sheet->positions[v].x - 6.0f);
    }
    assert_true(compare_with_all_pairs(&soup, NULL) >= 12);
    soup_free(&soup);
    sn_mesh_destroy(sheet);
}

static void cubes_side_by_side_only_touch(void** state) {
    (void)state;
    static const struct {
        snVec3 offset;
        bool crosses;
    } cases[] = {{{1, 0, 0}, false},     {{1, 0.5f, 0.25f}, false},  {{1, 1, 0}, false},
                 {{0, 0, 0}, false},     {{0.5f, 0.5f, 0.5f}, true}, {{0.9f, 0.3f, 0.2f}, true},
                 {{1.001f, 0, 0}, false}};
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Soup one = soup_of(cube, NULL, cube->positions), two = soup_new(16, 24);
        memcpy(two.points, one.points, 8 * sizeof(snVec3));
        memcpy(two.triangles, one.triangles, 12 * sizeof *two.triangles);
        for (uint32_t p = 0; p < 8; p++) two.points[8 + p] = sn_add(one.points[p], cases[i].offset);
        for (uint32_t c = 0; c < 36; c++) two.triangles[12 + c / 3][c % 3] = 8 + one.triangles[c / 3][c % 3];
        assert_int_equal(count_crossings(&two) > 0, cases[i].crosses);
        soup_free(&one);
        soup_free(&two);
    }
    sn_mesh_destroy(cube);
}

static void a_common_point_hides_nothing_beyond_it(void** state) {
    (void)state;
    snVec3 a[3] = {{0, 0, 0}, {2, -1, 0}, {2, 1, 0}};
    snVec3 through[3] = {{0, 0, 0}, {2, 0, -1}, {2, 0, 1}}, away[3] = {{0, 0, 0}, {-2, 0, -1}, {-2, 0, 1}};
    snVec3 edge[3] = {{0, 0, 0}, {2, 1, 0}, {1, 0, 1}}, line[3] = {{1, 0, -1}, {1, 0, 1}, {1, 0, 3}};
    assert_true(sni_triangles_cross(a, through));
    assert_false(sni_triangles_cross(a, away));
    assert_false(sni_triangles_cross(a, edge));
    assert_false(sni_triangles_cross(a, line)); // it has no area
    assert_false(sni_triangles_cross(a, a));
}

// The built-in body: clean at rest, and where its arm bends too far all pairs agree.
static void a_body_crosses_where_it_is_bent(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    def.vertex_target = 1500;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    const snPart* part = &model->parts[0];
    Soup rest = soup_of(part->mesh, part->weld, part->mesh->positions);
    assert_int_equal(compare_with_all_pairs(&rest, NULL), 0);
    soup_free(&rest);
    snCharacterDef character_def = sn_character_def();
    character_def.model = model;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&character_def, NULL, &character, NULL));
    uint32_t clip = sn_model_find_clip(model, "bend");
    assert_ok(sn_character_pose_clip(character, clip, 0.5f * model->clips[clip]->duration, SN_WRAP_CLAMP));
    Soup bent = soup_of(part->mesh, part->weld, sn_character_surface(character, 0).positions);
    assert_true(compare_with_all_pairs(&bent, NULL) > 0);
    soup_free(&bent);
    sn_character_destroy(character);
    sn_model_destroy(model);
}

// ---------------------------------------------------------------------------------------- bad and odd

static void odd_input_is_survived(void** state) {
    (void)state;
    Soup none = soup_new(0, 0);
    assert_int_equal(count_crossings(&none), 0);
    soup_free(&none);
    // All in one place, all along one line, as large as floats get.
    uint32_t random = 3;
    for (int kind = 0; kind < 3; kind++) {
        Soup soup = random_soup(&random, 100, 0.3f);
        for (uint32_t p = 0; p < soup.point_count; p++) {
            snVec3 v = soup.points[p];
            soup.points[p] = kind == 0   ? sn_vec3(1, 1, 1)
                             : kind == 1 ? sn_vec3(v.x, v.x, v.x)
                                         : sn_scale(v, 2e38f);
        }
        uint32_t count = count_crossings(&soup);
        if (kind < 2) assert_int_equal(count, 0);
        soup_free(&soup);
    }
}

static void bad_jobs_are_refused(void** state) {
    (void)state;
    static snVec3 points[6] = {{0, 0, 0},        {1, 0, 0},       {0, 1, 0},
                               {0.2f, 0.2f, -1}, {0.3f, 0.2f, 1}, {0.2f, 0.3f, 1}};
    static const uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}}, wild[2][3] = {{0, 1, 2}, {3, 4, 6}};
    _Alignas(64) static char scratch[4096];
    assert_true(sn_crossings_scratch_size(2) <= sizeof scratch);
    snCrossing found[2];
    snCrossingsJob good = {.point_count = 6,
                           .points = points,
                           .triangle_count = 2,
                           .triangles = triangles,
                           .scratch = scratch,
                           .capacity = 2,
                           .out_crossings = found,
                           .out_count = 77};
    snCrossingsJob job = good;
    assert_ok(sn_crossings_run(&job));
    assert_int_equal(job.out_count, 1);
    assert_true(found[0].a == 0 && found[0].b == 1);
    assert_int_equal(sn_crossings_run(NULL), SN_RESULT_INVALID_ARGUMENT);
    for (int i = 0; i < 5; i++) {
        job = good;
        if (i == 0) job.points = NULL;
        if (i == 1) job.triangles = NULL;
        if (i == 2) job.scratch = NULL;
        if (i == 3) job.out_crossings = NULL;
        if (i == 4) job.triangles = wild;
        assert_int_equal(sn_crossings_run(&job), SN_RESULT_INVALID_ARGUMENT);
        assert_int_equal(job.out_count, 77);
    }
    points[5].y = NAN;
    job = good;
    assert_int_equal(sn_crossings_run(&job), SN_RESULT_BAD_DATA);
    points[5].y = 0.3f;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_agree_with_exact_arithmetic),
        cmocka_unit_test(the_tree_finds_what_all_pairs_find),
        cmocka_unit_test(any_worker_count_gives_the_same_list),
        cmocka_unit_test(less_room_keeps_the_first),
        cmocka_unit_test(rings_cross_only_where_they_meet),
        cmocka_unit_test(a_folded_sheet_crosses_when_it_goes_through),
        cmocka_unit_test(cubes_side_by_side_only_touch),
        cmocka_unit_test(a_common_point_hides_nothing_beyond_it),
        cmocka_unit_test(a_body_crosses_where_it_is_bent),
        cmocka_unit_test(odd_input_is_survived),
        cmocka_unit_test(bad_jobs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
