// Smooth fields on the surface at rest.
//
// A field f becomes smooth over a length l by solving (M + l^2 L) x = M f, with the areas M and the
// cotangents L: heat that spreads for a while. What moves points follows such fields alone. Those of the
// posed mesh, kinks and all, tore thick bodies.
#include "volume/smooth.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/sparse.h"

#define LANES SNI_SOLVE_LANES
// Cotangents beyond these say that a triangle is a sliver, not how its points belong together.
#define LEAST_TIE 0.05
#define MOST_TIE 5.0
// Of the mean area: what a point without area counts as.
#define LEAST_AREA 1e-3
// Below a thousandth nothing is seen.
#define TOLERANCE 1e-4
#define MOST_STEPS 200u
// Lengths over which normals are spread, each this much shorter than the one before; from the mean radius of
// the shell (that of a cylinder with its volume and area) to a fraction of a finger's beside a body.
#define LADDER 4
#define RUNG 3.0
// What is left of a normal that was spread over a length l around a limb of radius a: 1 / (1 + (l / a)^2).
// The first is l = 0.65 a, where a rung is too long; the second l = 0.33 a, where it suits.
#define TOO_LONG 0.7f
#define SUITS 0.9f

// -------------------------------------------------------------------------------------------------- systems

// Some rows of a Laplacian; what lies beyond them is held at 0.
typedef struct System {
    uint32_t count;
    uint32_t *starts, *columns;
    double *values, *holds;
    double *rhs, *x, *scratch; // LANES each
    sniLevel level;
} System;

static void free_system(System* s, const snAllocator* memory) {
    void* arrays[] = {s->starts, s->columns, s->values, s->holds, s->rhs, s->x, s->scratch};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    sni_level_free(&s->level, memory);
}

static size_t count_entries(const sniLaplacian* l, const uint32_t* rows, uint32_t count) {
    size_t entries = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = rows != NULL ? rows[i] : i;
        entries += l->starts[row + 1] - l->starts[row];
    }
    return entries;
}

static bool create_system(const sniLaplacian* l, const uint32_t* rows, uint32_t count,
                          const snAllocator* memory, System* out) {
    size_t entries = count_entries(l, rows, count), lanes = (size_t)count * LANES;
    out->count = count;
    out->starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + 1);
    out->columns = SNI_NEW_ARRAY(memory, uint32_t, entries);
    out->values = SNI_NEW_ARRAY(memory, double, entries);
    out->holds = SNI_NEW_ARRAY(memory, double, count);
    out->rhs = SNI_NEW_ARRAY(memory, double, lanes);
    out->x = SNI_NEW_ARRAY(memory, double, lanes);
    if (!sni_level_create(count, entries, memory, &out->level)) return false;
    out->level.count = count;
    out->scratch = SNI_NEW_ARRAY(memory, double, sni_solve_scratch(&out->level, 1));
    return out->starts != NULL && out->columns != NULL && out->values != NULL && out->holds != NULL &&
           out->rhs != NULL && out->x != NULL && out->scratch != NULL;
}

static double mean_area(const sniLaplacian* l) {
    double sum = 0.0;
    for (uint32_t i = 0; i < l->count; i++) sum += l->areas[i];
    return l->count > 0 && sum > 0.0 ? sum / (double)l->count : 1.0;
}

// `rows` NULL: all; `locals`: the row here of each of the Laplacian's, or SN_NONE.
static void fill_system(const sniLaplacian* l, const uint32_t* rows, const uint32_t* locals, double length,
                        System* s) {
    uint32_t entries = 0;
    double square = length * length, least = LEAST_AREA * mean_area(l);
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t row = rows != NULL ? rows[i] : i;
        s->holds[i] = l->areas[row] > least ? l->areas[row] : least;
        for (uint32_t e = l->starts[row]; e < l->starts[row + 1]; e++) {
            double tie = l->values[e] < LEAST_TIE  ? LEAST_TIE
                         : l->values[e] > MOST_TIE ? MOST_TIE
                                                   : l->values[e];
            uint32_t column = locals != NULL ? locals[l->columns[e]] : l->columns[e];
            if (column == i) continue;
            if (column == SN_NONE) {
                s->holds[i] += square * tie;
                continue;
            }
            s->columns[entries] = column;
            s->values[entries++] = square * tie;
        }
        s->starts[i + 1] = entries;
    }
    sniMatrix matrix = {s->count, s->holds, s->starts, s->columns, s->values};
    sni_level_fill(&s->level, &matrix);
}

static void solve(System* s) {
    sniMatrix matrix = {s->count, s->holds, s->starts, s->columns, s->values};
    sniSolve job = {.matrix = &matrix,
                    .levels = &s->level,
                    .level_count = 1,
                    .rhs = s->rhs,
                    .x = s->x,
                    .scratch = s->scratch,
                    .tolerance = TOLERANCE,
                    .max_iterations = MOST_STEPS};
    if (s->count > 0) sni_solve(&job, SN_CPU_AUTO);
}

snResult sni_smooth_values(const sniShellTables* shell, const uint32_t* places, uint32_t count, float length,
                           uint32_t* locals, const snAllocator* memory, float* values, snError* error) {
    const sniLaplacian* l = &shell->laplacian;
    System s = {0};
    bool ready = create_system(l, places, count, memory, &s);
    if (ready) {
        double least = LEAST_AREA * mean_area(l);
        for (uint32_t i = 0; i < count; i++) locals[places[i]] = i;
        fill_system(l, places, locals, (double)length, &s);
        for (uint32_t i = 0; i < count; i++) {
            double area = l->areas[places[i]] > least ? l->areas[places[i]] : least;
            s.rhs[(size_t)i * LANES] = area * (double)values[i];
            s.x[(size_t)i * LANES] = (double)values[i];
        }
        solve(&s);
        for (uint32_t i = 0; i < count; i++) {
            values[i] = sn_clampf((float)s.x[(size_t)i * LANES], 0.0f, 1.0f);
            locals[places[i]] = SN_NONE;
        }
    }
    free_system(&s, memory);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

// -------------------------------------------------------------------------------------------------- normals

static float smoothstep(float t) { return t <= 0.0f ? 0.0f : t >= 1.0f ? 1.0f : t * t * (3.0f - 2.0f * t); }

// Takes over what a rung made of the normals, where the rung is not too long for the limb.
static void take_rung(const System* s, double length, bool shortest, sniShellTables* shell) {
    for (uint32_t i = 0; i < s->count; i++) {
        const double* x = s->x + (size_t)i * LANES;
        snVec3 n = sn_vec3((float)x[0], (float)x[1], (float)x[2]);
        float size = sn_minf(sn_length(n), 1.0f);
        if (!(size > 0.0f)) continue;
        float suits = shortest ? 1.0f : smoothstep((size - TOO_LONG) / (SUITS - TOO_LONG));
        float radius = (float)length * sqrtf(size / (1.05f - size));
        shell->normals[i] = sn_add(sn_scale(shell->normals[i], 1.0f - suits), sn_scale(n, suits / size));
        shell->radii[i] += suits * (radius - shell->radii[i]);
    }
}

// From the shortest rung to the longest, each from the normals as they are.
static snResult fill_normals(double radius, const double* areas, const snAllocator* memory,
                             sniShellTables* shell, snError* error) {
    const sniLaplacian* l = &shell->laplacian;
    System s = {0};
    bool ready = create_system(l, NULL, l->count, memory, &s);
    // Unit ones: how sharp a corner is says nothing about what lies around it.
    for (uint32_t i = 0; i < l->count && ready; i++) {
        const double* n = areas + 3 * (size_t)i;
        double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (size_t k = 0; k < 3 && size > 0.0; k++) s.rhs[(size_t)i * LANES + k] = l->areas[i] * n[k] / size;
    }
    double length = radius;
    for (int k = 1; k < LADDER; k++) length /= RUNG;
    for (int k = 0; k < LADDER && ready; k++, length *= RUNG) {
        fill_system(l, NULL, NULL, length, &s);
        solve(&s);
        take_rung(&s, length, k == 0, shell);
    }
    for (uint32_t i = 0; i < l->count && ready; i++)
        shell->normals[i] = sn_normalize_or(shell->normals[i], sn_vec3(0.0f, 0.0f, 0.0f));
    free_system(&s, memory);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

static void add_face(const sniFace* face, const uint32_t* places, uint32_t* triangles, uint32_t* count) {
    for (uint32_t i = 2; i < (sni_face_is_triangle(face) ? 3u : 4u); i++) {
        uint32_t* t = triangles + 3 * (size_t)(*count)++;
        t[0] = places[face->at[0]], t[1] = places[face->at[i - 1]], t[2] = places[face->at[i]];
    }
}

static void add_area(const snVec3* points, const uint32_t* t, double* areas) {
    snVec3 area = sn_cross(sn_sub(points[t[1]], points[t[0]]), sn_sub(points[t[2]], points[t[0]]));
    for (int k = 0; k < 3; k++) {
        areas[3 * (size_t)t[k]] += (double)area.x / 6.0;
        areas[3 * (size_t)t[k] + 1] += (double)area.y / 6.0;
        areas[3 * (size_t)t[k] + 2] += (double)area.z / 6.0;
    }
}

// The radius of a cylinder with the shell's volume and area.
static double radius_of(const sniLaplacian* l, double volume) {
    double area = 0.0;
    for (uint32_t i = 0; i < l->count; i++) area += l->areas[i];
    return area > 0.0 ? 2.0 * fabs(volume) / area : 0.0;
}

static bool allocate(sniShellTables* shell, const snAllocator* memory) {
    shell->normals = SNI_NEW_ARRAY(memory, snVec3, shell->rings->inner);
    shell->radii = SNI_NEW_ARRAY(memory, float, shell->rings->inner);
    shell->areas = SNI_NEW_ARRAY(memory, float, shell->rings->inner);
    return shell->normals != NULL && shell->radii != NULL && shell->areas != NULL;
}

snResult sni_shell_smooth(const sniClosed* closed, const uint32_t* faces, uint32_t face_count,
                          const uint32_t* places, const snAllocator* memory, sniShellTables* shell,
                          snError* error) {
    uint32_t inner = shell->rings->inner, triangle_count = 0;
    uint32_t* triangles = SNI_NEW_ARRAY(memory, uint32_t, 6 * (size_t)face_count);
    snVec3* points = SNI_NEW_ARRAY(memory, snVec3, inner);
    double* areas = SNI_NEW_ARRAY(memory, double, 3 * (size_t)inner);
    bool ready = triangles != NULL && points != NULL && areas != NULL && allocate(shell, memory);
    snResult result = ready ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t i = 0; i < inner && ready; i++) {
        uint32_t point = shell->rings->ids[i];
        if (point == sni_no_point(closed)) continue;
        points[i] = closed->rest[point];
        shell->areas[i] = closed->areas[point];
    }
    for (uint32_t f = 0; f < face_count && ready; f++)
        if (faces[f] < closed->real_faces)
            add_face(&closed->faces[faces[f]], places, triangles, &triangle_count);
    for (uint32_t t = 0; t < triangle_count; t++) add_area(points, triangles + 3 * (size_t)t, areas);
    if (ready)
        result =
            sni_laplacian_create(points, inner, triangles, triangle_count, memory, &shell->laplacian, error);
    if (result == SN_RESULT_OK) {
        double volume = closed->shells[closed->point_shells[shell->apex]].volume;
        result = fill_normals(radius_of(&shell->laplacian, volume), areas, memory, shell, error);
    }
    sni_free(memory, triangles);
    sni_free(memory, points);
    sni_free(memory, areas);
    return result;
}

void sni_shell_free(sniShellTables* shell, const snAllocator* memory) {
    sni_rings_destroy(shell->rings);
    sni_free(memory, shell->blocks);
    sni_laplacian_free(&shell->laplacian);
    sni_free(memory, shell->normals);
    sni_free(memory, shell->radii);
    sni_free(memory, shell->areas);
}
