// Particles that follow painted vertices.
//
// Extension is linear up to where weights are cut to the influences that are kept: so what a stroke changes
// at the vertices is extended alone, and added. The alternative, extending all weights anew, gives what
// binding would give, but changes particles everywhere: in their last bits by the solver, and in more where
// they were bound by heat or from weights that were cut since.
#include "base/error.h"
#include "base/memory.h"
#include "bind/bone_cells.h"
#include "lattice/steps.h"

#define LANES SNI_SOLVE_LANES
// Steps over cells from a painted particle beyond which nothing changes. On the surface a change fades ten
// times a step, inside a thick limb by half.
#define REACH 6
// Changes below this are none: the tolerance of the solver.
#define LEAST_CHANGE 1e-4f
#define MOST_STEPS 200

struct snWeightFollower {
    uint32_t particle_count, joint_count, point_count; // of the binding that it was made for
    sniCellPoints cell_points;
    sniCorners corners;
    uint32_t* speakers; // point_count; the vertex of all bound that a point has its weights from, or SN_NONE
    uint32_t* part_starts; // part_count + 1; of those vertices
    double* holds;         // particle_count
    sniTop before, after;  // particle_count; what the points around painted particles say
    uint32_t* locals;      // particle_count; row of a particle near the stroke, or SN_NONE
    uint32_t* rows;        // particle_count; the other way
    sniMix mix;
    float* values; // joint_count; all 0 between uses
    sniTop cut;    // one item
    snAllocator allocator;
};

// One stroke.
typedef struct Stroke {
    snWeightFollower* follower;
    const snModel* model;
    const snBinding* binding;
    uint32_t part;
    const snWeights* old;
    uint32_t painted; // the first rows are of particles beside painted points
    uint32_t count;   // rows in all
    uint16_t* index;  // joint_count of the part's skin: joints of the binding, or joint_count of that
    uint32_t lane_count;
    uint32_t* lanes;  // joint_count: which joints change
    uint32_t* starts; // count + 1; the system around the stroke, as in sniMatrix
    uint32_t* columns;
    double *holds, *conductances, *vectors;
    sniLevel level;
    float* changes;      // count * lane_count
    snWeights particles; // what becomes of them
    bool regroup;        // some of them have another heaviest joint
} Stroke;

// ------------------------------------------------------------------------------------------------ creating

static void find_speakers(const snModel* model, snWeightFollower* f) {
    const snBinding* binding = model->binding;
    for (uint32_t i = 0; i < f->point_count; i++) f->speakers[i] = SN_NONE;
    for (uint32_t p = 0; p < binding->part_count; p++) {
        uint32_t begin = binding->vertex_starts[p], end = binding->vertex_starts[p + 1];
        f->part_starts[p + 1] = end;
        if (model->parts[p].skin == SN_NONE) continue;
        for (uint32_t v = begin; v < end; v++)
            if (f->speakers[binding->vertex_points[v]] == SN_NONE) f->speakers[binding->vertex_points[v]] = v;
    }
}

static void find_holds(const snLattice* lattice, snWeightFollower* f) {
    for (uint32_t p = 0; p < lattice->particle_count; p++) {
        float largest = 0.0f;
        for (uint32_t e = f->corners.starts[p]; e < f->corners.starts[p + 1]; e++) {
            uint32_t cell = f->corners.items[e] / 8, corner = f->corners.items[e] % 8;
            for (uint32_t i = f->cell_points.starts[cell]; i < f->cell_points.starts[cell + 1]; i++) {
                uint32_t point = f->cell_points.points[i];
                float shares[8];
                if (f->speakers[point] == SN_NONE) continue;
                sni_trilinear_inside(lattice->point_coords[point], shares);
                largest = sn_maxf(largest, shares[corner]);
            }
        }
        f->holds[p] = SNI_EXTEND_HOLD * (double)largest;
    }
}

static snResult fill(const snModel* model, snWeightFollower* f, snError* error) {
    const snLattice* lattice = model->binding->lattice;
    const snAllocator* memory = &f->allocator;
    uint32_t particles = lattice->particle_count, joints = model->binding->joint_count;
    f->particle_count = particles;
    f->point_count = lattice->point_count;
    f->joint_count = joints;
    f->speakers = SNI_NEW_ARRAY(memory, uint32_t, lattice->point_count);
    f->part_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)model->part_count + 1);
    f->holds = SNI_NEW_ARRAY(memory, double, particles);
    f->locals = SNI_NEW_ARRAY(memory, uint32_t, particles);
    f->rows = SNI_NEW_ARRAY(memory, uint32_t, particles);
    f->values = SNI_NEW_ARRAY(memory, float, joints);
    if (f->speakers == NULL || f->part_starts == NULL || f->holds == NULL || f->locals == NULL ||
        f->rows == NULL || f->values == NULL)
        return sni_fail_memory(error);
    SNI_TRY(sni_cell_points_create(lattice, memory, &f->cell_points, error));
    SNI_TRY(sni_corners_create(lattice, memory, &f->corners, error));
    SNI_TRY(sni_top_create(particles, memory, &f->before, error));
    SNI_TRY(sni_top_create(particles, memory, &f->after, error));
    SNI_TRY(sni_top_create(1, memory, &f->cut, error));
    SNI_TRY(sni_mix_create(joints, memory, &f->mix, error));
    find_speakers(model, f);
    find_holds(lattice, f);
    for (uint32_t p = 0; p < particles; p++) f->locals[p] = SN_NONE;
    return SN_RESULT_OK;
}

snResult sn_weight_follower_create(const snModel* model, const snAllocator* allocator, snWeightFollower** out,
                                   snError* error) {
    if (model == NULL || model->binding == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model that was bound is needed");
    snAllocator memory = sni_allocator(allocator);
    snWeightFollower* follower = SNI_NEW(&memory, snWeightFollower);
    if (follower == NULL) return sni_fail_memory(error);
    follower->allocator = memory;
    snResult result = fill(model, follower, error);
    if (result == SN_RESULT_OK)
        *out = follower;
    else
        sn_weight_follower_destroy(follower);
    return result;
}

void sn_weight_follower_destroy(snWeightFollower* f) {
    if (f == NULL) return;
    snAllocator memory = f->allocator;
    sni_cell_points_free(&f->cell_points, &memory);
    sni_corners_free(&f->corners, &memory);
    sni_top_free(&f->before);
    sni_top_free(&f->after);
    sni_top_free(&f->cut);
    sni_mix_free(&f->mix, &memory);
    void* arrays[] = {f->speakers, f->part_starts, f->holds, f->locals, f->rows, f->values, f};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// -------------------------------------------------------------------------------------------- painted points

static void add_row(snWeightFollower* f, Stroke* s, uint32_t particle) {
    if (f->locals[particle] != SN_NONE) return;
    f->locals[particle] = s->count;
    f->rows[s->count++] = particle;
}

static bool differs(const Stroke* s, uint32_t vertex) {
    const snWeights* now = &s->model->parts[s->part].weights;
    size_t at = (size_t)vertex * now->influences;
    for (size_t i = at; i < at + now->influences; i++)
        if (now->joints[i] != s->old->joints[i] || now->weights[i] != s->old->weights[i]) return true;
    return false;
}

// Rows of the particles around vertices that differ and speak for a point, then of those near them.
static void find_rows(Stroke* s) {
    snWeightFollower* f = s->follower;
    const snLattice* lattice = s->binding->lattice;
    uint32_t first = f->part_starts[s->part];
    for (uint32_t v = 0; v < f->part_starts[s->part + 1] - first; v++) {
        uint32_t point = s->binding->vertex_points[first + v];
        if (f->speakers[point] != first + v || !differs(s, v)) continue;
        for (int c = 0; c < 8; c++) add_row(f, s, lattice->cell_particles[lattice->point_cells[point]][c]);
    }
    s->painted = s->count;
    uint32_t begin = 0;
    for (int ring = 0; ring < REACH && begin < s->count; ring++) {
        uint32_t end = s->count;
        for (uint32_t r = begin; r < end; r++)
            for (uint32_t n = lattice->neighbor_starts[f->rows[r]];
                 n < lattice->neighbor_starts[f->rows[r] + 1]; n++)
                add_row(f, s, lattice->neighbors[n]);
        begin = end;
    }
}

// The joints of the part's skin among those of the binding.
static void find_joints(Stroke* s) {
    const snBinding* binding = s->binding;
    const snSkin* skin = &s->model->skins[s->model->parts[s->part].skin];
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        s->index[i] = (uint16_t)binding->joint_count;
        for (uint32_t j = 0; j < binding->joint_count; j++)
            if (binding->joints[j] == skin->joints[i]) s->index[i] = (uint16_t)j;
    }
}

static void add_vertex(const Stroke* s, uint32_t vertex, const snWeights* weights, float share) {
    for (uint32_t i = 0; i < weights->influences; i++) {
        size_t at = (size_t)vertex * weights->influences + i;
        uint32_t joint = s->index[weights->joints[at]];
        if (joint < s->binding->joint_count)
            sni_mix_add(&s->follower->mix, joint, weights->weights[at] * share);
    }
}

// What the painted part's points around a particle say of its joints, as shares of all that is said there.
static void mix(const Stroke* s, uint32_t particle, const snWeights* weights, sniTop* out) {
    snWeightFollower* f = s->follower;
    const snLattice* lattice = s->binding->lattice;
    uint32_t first = f->part_starts[s->part], end = f->part_starts[s->part + 1];
    float all = 0.0f;
    for (uint32_t e = f->corners.starts[particle]; e < f->corners.starts[particle + 1]; e++) {
        uint32_t cell = f->corners.items[e] / 8, corner = f->corners.items[e] % 8;
        for (uint32_t i = f->cell_points.starts[cell]; i < f->cell_points.starts[cell + 1]; i++) {
            uint32_t point = f->cell_points.points[i], speaker = f->speakers[point];
            float shares[8];
            if (speaker == SN_NONE) continue;
            sni_trilinear_inside(lattice->point_coords[point], shares);
            all += shares[corner];
            if (speaker >= first && speaker < end) add_vertex(s, speaker - first, weights, shares[corner]);
        }
    }
    sni_top_clear(out, particle);
    sni_mix_flush(&f->mix, out, particle);
    for (int k = 0; k < SNI_TOP && all > 0.0f; k++)
        out->weights[(size_t)particle * SNI_TOP + (size_t)k] /= all;
}

// Marks the joints of which something else is said than before.
static void mark_joints(const Stroke* s, uint32_t particle) {
    const snWeightFollower* f = s->follower;
    const sniTop* tops[] = {&f->after, &f->before};
    size_t begin = (size_t)particle * SNI_TOP;
    for (int t = 0; t < 2; t++)
        for (size_t k = begin; k < begin + SNI_TOP; k++)
            f->values[tops[t]->joints[k]] += t == 0 ? tops[t]->weights[k] : -tops[t]->weights[k];
    for (int t = 0; t < 2; t++) {
        for (size_t k = begin; k < begin + SNI_TOP; k++) {
            uint32_t joint = tops[t]->joints[k];
            if (f->values[joint] != 0.0f) s->lanes[joint] = 1;
            f->values[joint] = 0.0f;
        }
    }
}

static void read_points(Stroke* s) {
    snWeightFollower* f = s->follower;
    for (uint32_t r = 0; r < s->painted; r++) {
        mix(s, f->rows[r], s->old, &f->before);
        mix(s, f->rows[r], &s->model->parts[s->part].weights, &f->after);
        mark_joints(s, f->rows[r]);
    }
    for (uint32_t j = 0; j < s->binding->joint_count; j++)
        s->lanes[j] = s->lanes[j] != 0 ? s->lane_count++ : SN_NONE;
}

// ------------------------------------------------------------------------------------------------- extending

static sniMatrix matrix_of(const Stroke* s) {
    return (sniMatrix){s->count, s->holds, s->starts, s->columns, s->conductances};
}

// The rows around the stroke of the system that binding solves. What lies beyond them does not change, and
// holds them to that.
static void fill_system(Stroke* s) {
    const snWeightFollower* f = s->follower;
    const snLattice* lattice = s->binding->lattice;
    uint32_t entries = 0;
    for (uint32_t r = 0; r < s->count; r++) {
        uint32_t p = f->rows[r];
        s->holds[r] = f->holds[p];
        for (uint32_t n = lattice->neighbor_starts[p]; n < lattice->neighbor_starts[p + 1]; n++) {
            double value = sni_lattice_conductance(lattice, p, lattice->neighbors[n]);
            uint32_t other = f->locals[lattice->neighbors[n]];
            if (other == SN_NONE) {
                s->holds[r] += value;
            } else {
                s->columns[entries] = other;
                s->conductances[entries++] = value;
            }
        }
        // A lone particle that nothing holds.
        if (s->starts[r] == entries && !(s->holds[r] > 0.0)) s->holds[r] = 1.0;
        s->starts[r + 1] = entries;
    }
    sniMatrix matrix = matrix_of(s);
    sni_level_fill(&s->level, &matrix);
}

static void add_sources(const Stroke* s, const sniTop* top, double sign, uint32_t first, double* rhs) {
    const snWeightFollower* f = s->follower;
    for (uint32_t r = 0; r < s->painted; r++) {
        for (size_t k = (size_t)f->rows[r] * SNI_TOP; k < ((size_t)f->rows[r] + 1) * SNI_TOP; k++) {
            if (!(top->weights[k] > 0.0f)) continue;
            if (s->lanes[top->joints[k]] == SN_NONE) continue; // nothing changes
            uint32_t lane = s->lanes[top->joints[k]] - first;  // those below `first` wrap around
            if (lane < LANES)
                rhs[(size_t)r * LANES + lane] += sign * f->holds[f->rows[r]] * (double)top->weights[k];
        }
    }
}

static void solve(const Stroke* s, snCpuLevel level) {
    size_t size = (size_t)s->count * LANES;
    sniMatrix matrix = matrix_of(s);
    sniSolve job = {.matrix = &matrix,
                    .levels = &s->level,
                    .level_count = 1,
                    .rhs = s->vectors,
                    .x = s->vectors + size,
                    .scratch = s->vectors + 2 * size,
                    .tolerance = 1e-3, // of a change
                    .max_iterations = MOST_STEPS};
    for (uint32_t first = 0; first < s->lane_count; first += LANES) {
        memset(s->vectors, 0, 2 * size * sizeof *s->vectors);
        add_sources(s, &s->follower->after, 1.0, first, s->vectors);
        add_sources(s, &s->follower->before, -1.0, first, s->vectors);
        sni_solve(&job, level);
        for (uint32_t r = 0; r < s->count; r++)
            for (uint32_t k = 0; k < LANES && first + k < s->lane_count; k++)
                s->changes[(size_t)r * s->lane_count + first + k] = (float)job.x[(size_t)r * LANES + k];
    }
}

// --------------------------------------------------------------------------------------------------- adding

// The joint that a particle is grouped by (src/lattice/parts.c).
static uint16_t heaviest(const uint16_t* joints, const float* weights, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < count; i++)
        if (weights[i] > weights[best] || (weights[i] == weights[best] && joints[i] < joints[best])) best = i;
    return joints[best];
}

// Adds the change of a row to what its particle has, and cuts it as binding does. False: there is none.
static bool change_particle(Stroke* s, uint32_t row) {
    snWeightFollower* f = s->follower;
    const float* change = s->changes + (size_t)row * s->lane_count;
    uint32_t n = s->particles.influences, p = f->rows[row];
    uint16_t* joints = s->particles.joints + (size_t)p * n;
    float* weights = s->particles.weights + (size_t)p * n;
    float most = 0.0f;
    for (uint32_t k = 0; k < s->lane_count; k++) most = sn_maxf(most, fabsf(change[k]));
    if (!(most > LEAST_CHANGE)) return false;
    for (uint32_t i = 0; i < n; i++) f->values[joints[i]] += weights[i];
    sni_top_clear(&f->cut, 0);
    for (uint32_t j = 0; j < f->joint_count; j++) {
        float by = s->lanes[j] != SN_NONE ? change[s->lanes[j]] : 0.0f;
        sni_top_add(&f->cut, 0, j, f->values[j] + by);
        f->values[j] = 0.0f;
    }
    if (!sni_top_normalize(&f->cut)) return false; // nothing would be left of it
    snWeights one = {1, n, joints, weights};
    uint16_t before = heaviest(joints, weights, n);
    sni_top_take(&f->cut, 0, &one, 0);
    sn_weights_normalize(&one);
    s->regroup |= heaviest(joints, weights, n) != before;
    return true;
}

// Who was grouped by weight goes where its weights say now; who was put elsewhere stays there.
static snResult regroup(const Stroke* s, snLatticeParts** out, snError* error) {
    const snBinding* binding = s->binding;
    const snAllocator* memory = &binding->allocator;
    uint32_t particles = binding->lattice->particle_count;
    snVec3* origins = SNI_NEW_ARRAY(memory, snVec3, binding->joint_count);
    uint32_t* bones = SNI_NEW_ARRAY(memory, uint32_t, particles);
    uint32_t* joints = SNI_NEW_ARRAY(memory, uint32_t, particles);
    snLatticeParts *by_weight = NULL, *by_bone = NULL;
    snResult result =
        origins != NULL && bones != NULL && joints != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    for (uint32_t j = 0; j < binding->joint_count && result == SN_RESULT_OK; j++)
        origins[j] = sn_mat4_translation(&binding->binds[j]);
    snLatticePartsDef def = {.lattice = binding->lattice,
                             .joint_count = binding->joint_count,
                             .parents = binding->parents,
                             .origins = origins,
                             .influences = binding->particles.influences,
                             .particle_joints = binding->particles.joints,
                             .particle_weights = binding->particles.weights};
    if (result == SN_RESULT_OK) result = sn_lattice_parts_create(&def, memory, &by_weight, error);
    for (uint32_t p = 0; p < particles && result == SN_RESULT_OK; p++) {
        uint32_t bone = binding->parts->bone_parts[p];
        bones[p] = bone != by_weight->bone_parts[p] ? bone : SN_NONE;
    }
    def.bone_overrides = bones;
    if (result == SN_RESULT_OK) result = sn_lattice_parts_create(&def, memory, &by_bone, error);
    for (uint32_t p = 0; p < particles && result == SN_RESULT_OK; p++) {
        uint32_t joint = binding->parts->joint_parts[p];
        joints[p] = joint != by_bone->joint_parts[p] ? joint : SN_NONE;
    }
    def.joint_overrides = joints;
    def.particle_joints = s->particles.joints;
    def.particle_weights = s->particles.weights;
    if (result == SN_RESULT_OK) result = sn_lattice_parts_create(&def, memory, out, error);
    sn_lattice_parts_destroy(by_weight);
    sn_lattice_parts_destroy(by_bone);
    sni_free(memory, origins);
    sni_free(memory, bones);
    sni_free(memory, joints);
    return result;
}

// ---------------------------------------------------------------------------------------------------- whole

static bool allocate_system(Stroke* s) {
    const snAllocator* memory = &s->follower->allocator;
    const snLattice* lattice = s->binding->lattice;
    size_t entries = 0, rows = s->count;
    for (uint32_t r = 0; r < s->count; r++) {
        uint32_t p = s->follower->rows[r];
        entries += lattice->neighbor_starts[p + 1] - lattice->neighbor_starts[p];
    }
    s->starts = SNI_NEW_ARRAY(memory, uint32_t, rows + 1);
    s->columns = SNI_NEW_ARRAY(memory, uint32_t, entries);
    s->holds = SNI_NEW_ARRAY(memory, double, rows);
    s->conductances = SNI_NEW_ARRAY(memory, double, entries);
    if (!sni_level_create(s->count, entries, memory, &s->level)) return false;
    s->level.count = s->count;
    s->vectors = SNI_NEW_ARRAY(memory, double, 2 * rows * LANES + sni_solve_scratch(&s->level, 1));
    size_t changes = 0;
    if (!sni_mul_size(rows, s->lane_count, &changes)) return false;
    s->changes = SNI_NEW_ARRAY(memory, float, changes);
    return s->starts != NULL && s->columns != NULL && s->holds != NULL && s->conductances != NULL &&
           s->vectors != NULL && s->changes != NULL;
}

static bool allocate_stroke(Stroke* s) {
    const snAllocator* memory = &s->follower->allocator;
    const snWeights* from = &s->binding->particles;
    size_t entries = (size_t)from->vertex_count * from->influences;
    s->index = SNI_NEW_ARRAY(memory, uint16_t, s->model->skins[s->model->parts[s->part].skin].joint_count);
    s->lanes = SNI_NEW_ARRAY(memory, uint32_t, s->binding->joint_count);
    s->particles = *from;
    s->particles.joints = sni_copy_array(memory, from->joints, entries, sizeof *from->joints);
    s->particles.weights = sni_copy_array(memory, from->weights, entries, sizeof *from->weights);
    return s->index != NULL && s->lanes != NULL && s->particles.joints != NULL &&
           s->particles.weights != NULL;
}

static void free_stroke(Stroke* s) {
    snWeightFollower* f = s->follower;
    for (uint32_t r = 0; r < s->count; r++) f->locals[f->rows[r]] = SN_NONE;
    void* arrays[] = {s->index,   s->lanes,        s->starts,  s->columns,          s->holds,
                      s->vectors, s->conductances, s->changes, s->particles.joints, s->particles.weights};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&f->allocator, arrays[i]);
    sni_level_free(&s->level, &f->allocator);
}

static void commit(const Stroke* s, snBinding* binding, snLatticeParts* parts) {
    size_t entries = (size_t)binding->particles.vertex_count * binding->particles.influences;
    memcpy(binding->particles.joints, s->particles.joints, entries * sizeof *s->particles.joints);
    memcpy(binding->particles.weights, s->particles.weights, entries * sizeof *s->particles.weights);
    if (parts == NULL) return;
    sn_lattice_parts_destroy(binding->parts);
    binding->parts = parts;
}

static snResult follow(Stroke* s, snBinding* binding, snCpuLevel level, bool* changed, snError* error) {
    find_rows(s);
    if (s->painted == 0) return SN_RESULT_OK;
    if (!allocate_stroke(s)) return sni_fail_memory(error);
    find_joints(s);
    read_points(s);
    if (!allocate_system(s)) return sni_fail_memory(error);
    fill_system(s);
    solve(s, level);
    for (uint32_t r = 0; r < s->count; r++) *changed |= change_particle(s, r);
    if (!*changed) return SN_RESULT_OK;
    snLatticeParts* parts = NULL;
    if (s->regroup) SNI_TRY(regroup(s, &parts, error));
    commit(s, binding, parts);
    return SN_RESULT_OK;
}

static bool fits(const snWeightFollower* f, const snModel* model, uint32_t part, const snWeights* before) {
    const snBinding* binding = model->binding;
    return part < model->part_count && binding->lattice->particle_count == f->particle_count &&
           binding->joint_count == f->joint_count && binding->lattice->point_count == f->point_count &&
           before->vertex_count == model->parts[part].weights.vertex_count &&
           before->influences == model->parts[part].weights.influences;
}

snResult sn_weight_follower_run(snWeightFollower* follower, snModel* model, uint32_t part,
                                const snWeights* before, snCpuLevel level, bool* out_changed,
                                snError* error) {
    if (follower == NULL || model == NULL || model->binding == NULL || before == NULL ||
        !fits(follower, model, part, before)) {
        sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                 "the model that the follower was made for, a part of it and its weights are needed");
        return SN_RESULT_INVALID_ARGUMENT; // the constant itself, for analysers
    }
    bool changed = false;
    Stroke stroke = {
        .follower = follower, .model = model, .binding = model->binding, .part = part, .old = before};
    snResult result = SN_RESULT_OK;
    if (model->parts[part].skin != SN_NONE) {
        result = follow(&stroke, model->binding, level, &changed, error);
        free_stroke(&stroke);
    }
    if (result == SN_RESULT_OK && out_changed != NULL) *out_changed = changed;
    return result;
}
