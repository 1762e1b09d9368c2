// One frame of a surface between handles.
#include "base/memory.h"
#include "surface/kernels.h"

#define LANES SNI_SURFACE_LANES
// After the last iteration; the others need not be exact.
#define VOLUME_ROUNDS 4

static SNI_DEFINE_KERNELS_OF(kernels_of, sni_surface_frame_kernels, sniSurfaceKernels);

// ---------------------------------------------------------------------------------------------- scratch

typedef struct Room {
    char* memory; // NULL: only measures
    size_t used;
} Room;

static void* take(Room* room, size_t bytes) {
    size_t at = room->used;
    room->used += (bytes + SNI_ALIGNMENT - 1) / SNI_ALIGNMENT * SNI_ALIGNMENT;
    return room->memory != NULL ? room->memory + at : NULL;
}

// Lays the arrays of a frame out from `scratch` on and returns their size. With NULL, that is all.
static size_t lay_out(const snHandleSurface* s, void* scratch, sniSurfaceFrame* out) {
    Room room = {scratch, 0};
    size_t row = LANES * sizeof(double);
    out->surface = s;
    out->handle_turns = (double*)take(&room, s->handle_count * row);
    out->handle_duals = (double*)take(&room, s->handle_count * row);
    out->handle_columns = (double*)take(&room, s->handle_count * 16 * sizeof(double));
    out->places = (double*)take(&room, s->local_count * row);
    out->columns = (double*)take(&room, (size_t)s->local_count * 12 * sizeof(double));
    out->turned = (double*)take(&room, (size_t)s->unknown_count * 12 * sizeof(double));
    out->shown = out->turned;
    out->misses = (double*)take(&room, s->row_count * row);
    out->solved = (double*)take(&room, s->unknown_count * row);
    out->steps = (double*)take(&room, s->unknown_count * row);
    out->lacks = (double*)take(&room, s->piece_count * sizeof(double));
    out->slopes = (double*)take(&room, s->piece_count * sizeof(double));
    out->solve = (double*)take(&room, s->unknown_count * row);
    out->matrices = (float*)take(&room, (size_t)s->handle_count * 12 * sizeof(float));
    out->fallback_normals = (snVec3*)take(&room, s->vertex_count * sizeof(snVec3));
    return room.used;
}

size_t sn_handle_surface_scratch_size(const snHandleSurface* surface) {
    sniSurfaceFrame frame;
    return lay_out(surface, NULL, &frame);
}

// ---------------------------------------------------------------------------------------------- handles

// The handle's motion as a unit quaternion with its dual part, and as columns.
static void take_handle(const snRigid* rigid, sniSurfaceFrame* f, uint32_t h) {
    double x = (double)rigid->rotation.x, y = (double)rigid->rotation.y, z = (double)rigid->rotation.z,
           w = (double)rigid->rotation.w;
    double square = x * x + y * y + z * z + w * w;
    double inverse = square > 0.0 ? 1.0 / sqrt(square) : 0.0;
    x *= inverse, y *= inverse, z *= inverse, w = square > 0.0 ? w * inverse : 1.0;
    double tx = (double)rigid->translation.x, ty = (double)rigid->translation.y,
           tz = (double)rigid->translation.z;
    double* q = f->handle_turns + (size_t)h * LANES;
    double* d = f->handle_duals + (size_t)h * LANES;
    double* c = f->handle_columns + (size_t)h * 16;
    float* m = f->matrices + (size_t)h * 12;
    q[0] = x, q[1] = y, q[2] = z, q[3] = w;
    d[0] = 0.5 * (tx * w + ty * z - tz * y), d[1] = 0.5 * (ty * w + tz * x - tx * z);
    d[2] = 0.5 * (tz * w + tx * y - ty * x), d[3] = -0.5 * (tx * x + ty * y + tz * z);
    c[0] = 1.0 - 2.0 * (y * y + z * z), c[1] = 2.0 * (x * y + w * z), c[2] = 2.0 * (x * z - w * y);
    c[4] = 2.0 * (x * y - w * z), c[5] = 1.0 - 2.0 * (x * x + z * z), c[6] = 2.0 * (y * z + w * x);
    c[8] = 2.0 * (x * z + w * y), c[9] = 2.0 * (y * z - w * x), c[10] = 1.0 - 2.0 * (x * x + y * y);
    c[12] = tx, c[13] = ty, c[14] = tz;
    c[3] = c[7] = c[11] = c[15] = 0.0;
    for (int r = 0; r < 3; r++) {
        for (int k = 0; k < 4; k++) m[r * 4 + k] = (float)c[k * 4 + r];
    }
}

// -------------------------------------------------------------------------------------------------- run

static snResult make_normals(const snHandleSurfaceJob* job, snVec3* normals) {
    const snHandleSurface* s = job->surface;
    snNormalsJob made = {
        .mesh = s->mesh, .weld = s->weld, .positions = job->out_positions, .out_normals = normals};
    return sn_normals_run(&made);
}

// The detail layer stands on the surface as it was solved.
static snResult add_details(const snHandleSurfaceJob* job, snVec3* normals) {
    for (uint32_t v = 0; v < job->surface->vertex_count; v++)
        job->out_positions[v] = sn_add(job->out_positions[v], sn_scale(normals[v], job->offsets[v]));
    return job->out_normals != NULL ? make_normals(job, job->out_normals) : SN_RESULT_OK;
}

static void solve(const sniSurfaceKernels* kernels, sniSurfaceFrame* f, const snHandleSurfaceJob* job) {
    const snHandleSurface* s = job->surface;
    kernels->predict(f);
    kernels->fit_details(f);
    kernels->miss_details(f);
    sni_factor_solve(&s->factor, f->steps, f->solve, job->level);
    kernels->add_steps(f);
    if (job->method != SN_HANDLES_RIGID) return;
    memcpy(f->solved, f->places, (size_t)s->unknown_count * LANES * sizeof *f->solved);
    uint32_t iterations = job->iterations > 0 ? job->iterations : SN_HANDLES_ITERATIONS;
    for (uint32_t i = 0; i < iterations; i++) {
        kernels->fit(f);
        kernels->miss_rigid(f);
        sni_factor_solve(&s->rigid, f->steps, f->solve, job->level);
        kernels->add_steps(f);
        sni_surface_restore_volumes(f, i + 1 < iterations ? 1 : VOLUME_ROUNDS, job->level);
    }
    kernels->fit(f);
    f->shown = f->columns;
}

static bool is_finite(const snRigid* r) {
    return sn_vec3_finite(r->translation) && sn_finite(r->rotation.x) && sn_finite(r->rotation.y) &&
           sn_finite(r->rotation.z) && sn_finite(r->rotation.w);
}

snResult sn_handle_surface_run(const snHandleSurfaceJob* job) {
    if (job == NULL || job->surface == NULL || job->handles == NULL || job->scratch == NULL ||
        job->out_positions == NULL || (unsigned)job->method >= SN_HANDLES_METHOD_COUNT)
        return SN_RESULT_INVALID_ARGUMENT;
    const snHandleSurface* s = job->surface;
    const sniSurfaceKernels* kernels = kernels_of(job->level);
    if (kernels == NULL || (job->method == SN_HANDLES_RIGID && s->rigid.count == 0))
        return SN_RESULT_UNSUPPORTED;
    sniSurfaceFrame frame;
    lay_out(s, job->scratch, &frame);
    for (uint32_t h = 0; h < s->handle_count; h++) {
        if (!is_finite(&job->handles[h])) return SN_RESULT_BAD_DATA;
        take_handle(&job->handles[h], &frame, h);
    }
    solve(kernels, &frame, job);
    snVec3* normals = job->out_normals != NULL ? job->out_normals : frame.fallback_normals;
    bool exact = job->exact_normals && job->out_normals != NULL;
    bool turned = !exact && (job->out_normals != NULL || job->offsets != NULL);
    kernels->emit(&frame, job->out_positions, turned ? normals : NULL);
    snResult result = exact ? make_normals(job, normals) : SN_RESULT_OK;
    if (result == SN_RESULT_OK && job->offsets != NULL) result = add_details(job, normals);
    return result;
}
