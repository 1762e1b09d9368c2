// Slopes of the particles along the axes of the lattice, compiled once per instruction set.
#include "flesh/maps.h"

#include "base/simd_vec.h"

typedef float Quad __attribute__((vector_size(16)));

static inline Quad load(const snVec4* at) {
    Quad q;
    memcpy(&q, at, sizeof q);
    return q;
}
static inline Quad splat(float f) { return (Quad){f, f, f, f}; }

static inline Quad slope_of(const snVec4* x, const sniSlope* s) {
    Quad b = load(&x[s->b]);
    return (load(&x[s->a]) - b) * splat(s->u) + (b - load(&x[s->c])) * splat(s->v);
}

static inline Quad branch_of(const snParticleMaps* maps, const snVec4* x, const sniBranch* branch) {
    Quad own = load(&x[branch->particle]), sum = splat(0.0f);
    for (uint32_t i = branch->begin; i < branch->end; i++)
        sum = sum + (load(&x[maps->terms[i].particle]) - own) * splat(maps->terms[i].weight);
    return sum;
}

// The first branch of a particle that is not below `particle`.
static uint32_t branch_from(const snParticleMaps* maps, uint32_t particle) {
    uint32_t low = 0, high = maps->branch_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (maps->branches[middle].particle < particle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The map x[p] + slopes (g - g[p]), with coordinates g and places from the first particle.
static inline void write_map(const snParticleMapsJob* job, uint32_t p, const Quad slopes[3]) {
    const float* at = job->maps->places[p];
    float* out = job->out[p].m;
    Quad scale = splat(job->maps->per_metre);
    Quad x = slopes[0] * scale, y = slopes[1] * scale, z = slopes[2] * scale;
    Quad move = (load(&job->particles[p]) - load(&job->particles[0])) * scale;
    move = ((move - x * splat(at[0])) - y * splat(at[1])) - z * splat(at[2]);
    // One by one: put together in memory first, they stall.
    memcpy(out, &x, sizeof x);
    memcpy(out + 4, &y, sizeof y);
    memcpy(out + 8, &z, sizeof z);
    memcpy(out + 12, &move, sizeof move);
}

// A particle's branches instead of its slopes, from the first of them; returns the next particle's.
static __attribute__((noinline)) uint32_t branches_of(const snParticleMapsJob* job, uint32_t first,
                                                      Quad slopes[3]) {
    const snParticleMaps* maps = job->maps;
    uint32_t p = maps->branches[first].particle;
    for (; first < maps->branch_count && maps->branches[first].particle == p; first++)
        slopes[maps->branches[first].axis] = branch_of(maps, job->particles, &maps->branches[first]);
    return first;
}

static void hang(const snParticleMapsJob* job, uint32_t begin, uint32_t end) {
    const snParticleMaps* maps = job->maps;
    uint32_t branch = branch_from(maps, begin);
    for (uint32_t p = begin; p < end; p++) {
        const sniSlope* at = maps->slopes[p];
        Quad slopes[3] = {slope_of(job->particles, &at[0]), slope_of(job->particles, &at[1]),
                          slope_of(job->particles, &at[2])};
        if (branch < maps->branch_count && maps->branches[branch].particle == p) {
            branch = branches_of(job, branch, slopes);
        }
        write_map(job, p, slopes);
    }
}

// -------------------------------------------------------------------------------------- over another skin

// Slopes of the skin, and of what is added to it.
typedef struct Slopes {
    _Alignas(64) float skin[SNI_LANES][12], added[SNI_LANES][12];
} Slopes;

static inline void slopes_at(const snParticleMapsJob* job, const sniGroup* group, Slopes* out) {
    const snParticleMaps* maps = job->maps;
    for (int lane = 0; lane < SNI_LANES; lane++) {
        for (int k = 0; k < 3; k++) {
            const sniSlope* s = &maps->slopes[group->index[lane]][k];
            Quad skin = slope_of(job->skin, s);
            Quad b = load(&job->particles[s->b]) - load(&job->skin[s->b]);
            Quad a = load(&job->particles[s->a]) - load(&job->skin[s->a]);
            Quad c = load(&job->particles[s->c]) - load(&job->skin[s->c]);
            Quad added = (a - b) * splat(s->u) + (b - c) * splat(s->v);
            memcpy(out->skin[lane] + 4 * k, &skin, sizeof skin);
            // cppcheck-suppress uninitvar; it is what is filled
            memcpy(out->added[lane] + 4 * k, &added, sizeof added);
        }
    }
}

// Lanes that repeat a particle get the same again. Returns where the branches of the next group begin.
static inline uint32_t branches_at(const snParticleMapsJob* job, const sniGroup* group, uint32_t first,
                                   Slopes* out) {
    const snParticleMaps* maps = job->maps;
    for (int lane = 0; lane < SNI_LANES; lane++) {
        while (first < maps->branch_count && maps->branches[first].particle < group->index[lane]) first++;
        for (uint32_t i = first; i < maps->branch_count && maps->branches[i].particle == group->index[lane];
             i++) {
            const sniBranch* branch = &maps->branches[i];
            Quad skin = branch_of(maps, job->skin, branch);
            Quad added = branch_of(maps, job->particles, branch) - skin;
            memcpy(out->skin[lane] + 4 * (size_t)branch->axis, &skin, sizeof skin);
            memcpy(out->added[lane] + 4 * (size_t)branch->axis, &added, sizeof added);
        }
    }
    return first;
}

static inline void load_columns(const float (*slopes)[12], float scale, sniVec out[3]) {
    static const uint32_t lanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    for (int k = 0; k < 3; k++) {
        sniF column[4];
        sni_f_gather4_at(slopes[0] + 4 * k, 12, lanes, column);
        out[k] = sni_vec_scale((sniVec){column[0], column[1], column[2]}, sni_f_set1(scale));
    }
}

static inline sniVec gather(const snVec4* values, const sniGroup* group) {
    sniF v[4];
    sni_f_gather4_at(&values[0].x, 4, group->index, v);
    return (sniVec){v[0], v[1], v[2]};
}

static inline sniVec vec_sub(sniVec a, sniVec b) { return (sniVec){a.x - b.x, a.y - b.y, a.z - b.z}; }

// What is added, D, by places of the skin instead of coordinates in the cell: M = D K^-1. Where the skin has
// squeezed K flat M fades to nothing: what is left is the move of the particle.
static void displace(const snParticleMapsJob* job, uint32_t begin, uint32_t end) {
    const snParticleMaps* maps = job->maps;
    float least = SNI_MAPS_FLAT * maps->volume;
    sniF flat = sni_f_set1(least * least), zero = sni_f_set1(0.0f);
    sniVec first = {sni_f_set1(job->skin->x), sni_f_set1(job->skin->y), sni_f_set1(job->skin->z)};
    uint32_t next = branch_from(maps, begin);
    for (uint32_t p = begin; p < end; p += SNI_LANES) {
        sniGroup group = sni_group_at(p, end);
        Slopes slopes;
        slopes_at(job, &group, &slopes);
        next = branches_at(job, &group, next, &slopes);
        sniVec k[3], d[3];
        load_columns(slopes.skin, maps->per_metre, k);
        load_columns(slopes.added, maps->per_metre, d);
        sniVec rows[3] = {sni_vec_cross(k[1], k[2]), sni_vec_cross(k[2], k[0]), sni_vec_cross(k[0], k[1])};
        sniF det = (k[0].x * rows[0].x + k[0].y * rows[0].y) + k[0].z * rows[0].z;
        sniF det2 = det * det;
        sniF over = det / sni_f_select_greater(det2, flat, det2, flat);
        sniVec m[3] = {sni_vec_combine(d, (sniVec){rows[0].x, rows[1].x, rows[2].x}),
                       sni_vec_combine(d, (sniVec){rows[0].y, rows[1].y, rows[2].y}),
                       sni_vec_combine(d, (sniVec){rows[0].z, rows[1].z, rows[2].z})};
        for (int c = 0; c < 3; c++) m[c] = sni_vec_scale(m[c], over);
        sniVec skin = gather(job->skin, &group);
        sniVec move = vec_sub(gather(job->particles, &group), skin);
        sniVec rest = vec_sub(move, sni_vec_combine(m, vec_sub(skin, first)));
        float* out = job->out[0].m;
        for (size_t c = 0; c < 3; c++)
            sni_f_scatter4(out + 4 * c, 16, group.index, m[c].x, m[c].y, m[c].z, zero);
        sni_f_scatter4(out + 12, 16, group.index, rest.x, rest.y, rest.z, zero);
    }
}

const sniMapsKernels SNI_NAME(sni_maps_kernels) = {hang, displace};
