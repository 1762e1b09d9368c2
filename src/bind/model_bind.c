// Binding a model: surface, bones, lattice, weights, and the new skins, in order.
#include "base/error.h"
#include "base/memory.h"
#include "bind/bone_cells.h"
#include "lattice/steps.h"

// Skeleton and mesh whose sizes differ by more than the first are in different units; by more than the second
// too, when hardly any of the bones lies where the mesh is. (A glove alone is a small part of its skeleton's
// reach.) Judged: inches and metres are 39 apart, and `scripts/bind_all.sh` has none that is refused.
#define MOST_SCALE 20.0f
#define ODD_SCALE 4.0f
#define FEW_BONES 0.04f

snBindDef sn_bind_def(void) { return (snBindDef){.influences = 4}; }

void sn_bind_report_free(snBindReport* report) {
    if (report == NULL || report->allocator.free == NULL) return;
    sni_free(&report->allocator, report->joints_without_weight);
    sni_free(&report->allocator, report->idle_joints);
    sni_free(&report->allocator, report->bones_outside);
    sni_free(&report->allocator, report->bones_short);
    sn_bind_doubt_destroy(report->doubt);
    *report = (snBindReport){0};
}

typedef struct Work {
    snModel* model;
    sniBind bind;
    uint8_t* deforming; // per joint of the skeleton
    sniBindPose pose;
    sniSurface surface;
    sniBones bones;
    sniTop points;
    sniTop particles;
    snLattice* lattice; // until the binding has it
    bool lent;          // it is that of the model's old binding
    snBinding* binding;
    snBindReport report;
    snSkin* skins; // new ones
    uint32_t skin_count;
    uint32_t* part_skins; // per part
    snWeights* weights;   // per part
} Work;

// -------------------------------------------------------------------------------------------- checking

static snResult check_def(const snModel* model, const snBindDef* def, snError* error) {
    if (def->influences != 4 && def->influences != 8) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "influences are %u, expected 4 or 8",
                        def->influences);
    }
    if ((int)def->method < SN_WEIGHTS_AUTO || def->method > SN_WEIGHTS_KEEP) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no method %d", (int)def->method);
    }
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        bool strong = def->strengths == NULL || (def->strengths[j] > 0.0f && sn_finite(def->strengths[j]));
        bool wide = def->radii == NULL || (def->radii[j] >= 0.0f && sn_finite(def->radii[j]));
        if (strong && wide) continue;
        return sni_fail_joint(error, SN_RESULT_INVALID_ARGUMENT, j,
                              "joint \"%s\" has a strength or radius that is not a positive number",
                              model->skeleton->names[j]);
    }
    return sn_cpu_level_available(def->level) || def->level == SN_CPU_AUTO
               ? SN_RESULT_OK
               : sni_fail(error, SN_RESULT_UNSUPPORTED, "this machine has no %s",
                          sn_cpu_level_name(def->level));
}

// The part of the bones' length that lies in the bounding box.
static float bones_in_box(const sniSurface* surface, const sniBones* bones) {
    float inside = 0.0f, total = 0.0f;
    for (uint32_t b = 0; b < bones->bone_count; b++) {
        const sniBone* bone = &bones->bones[b];
        float piece = sn_distance(bone->head, bone->tail) / 32.0f;
        for (int i = 0; i < 32; i++) {
            snVec3 p = sn_lerp(bone->head, bone->tail, ((float)i + 0.5f) / 32.0f);
            snVec3 low = sn_sub(p, surface->bounds.min), high = sn_sub(surface->bounds.max, p);
            bool in = low.x >= 0.0f && low.y >= 0.0f && low.z >= 0.0f && high.x >= 0.0f && high.y >= 0.0f &&
                      high.z >= 0.0f;
            inside += in ? piece : 0.0f;
            total += piece;
        }
    }
    return total > 0.0f ? inside / total : 1.0f;
}

static snResult check_scales(const snModel* model, const sniBindPose* pose, const sniBones* bones,
                             snError* error) {
    for (uint32_t i = 0; i < bones->joint_count; i++) {
        snMat4 inverse;
        uint32_t joint = bones->joints[i];
        if (sn_mat4_inverse_affine(&pose->worlds[joint], &inverse)) continue;
        return sni_fail_joint(error, SN_RESULT_BAD_DATA, joint,
                              "joint \"%s\" has a scale of zero and cannot deform anything",
                              model->skeleton->names[joint]);
    }
    return SN_RESULT_OK;
}

// Joints that all stand in one point, and skeletons in another unit or another place, give weights that
// mean nothing; better to say so.
static snResult check_fit(const sniSurface* surface, const sniBones* bones, snError* error) {
    snBounds joints = sn_bounds_of(bones->origins, bones->joint_count);
    float size = sn_bounds_diagonal(joints), mesh = surface->diagonal;
    snVec3 middle = sn_lerp(joints.min, joints.max, 0.5f);
    snVec3 center = sn_lerp(surface->bounds.min, surface->bounds.max, 0.5f);
    float apart = sn_distance(middle, center);
    if (bones->joint_count > 1 && !(size > 1e-6f * mesh)) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "all %u deforming joints are in one point (%g %g %g)",
                        bones->joint_count, (double)middle.x, (double)middle.y, (double)middle.z);
    }
    bool larger = size > mesh;
    float ratio = larger ? size / mesh : mesh / size;
    // A mesh that is one point has no size to compare.
    if (bones->joint_count > 1 && mesh > 0.0f &&
        (ratio > MOST_SCALE || (ratio > ODD_SCALE && larger && bones_in_box(surface, bones) < FEW_BONES))) {
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the skeleton is %.3g times %s than the mesh (%.4g against %.4g): the units differ",
                        (double)ratio, larger ? "larger" : "smaller", (double)size, (double)mesh);
    }
    if (apart > 2.0f * (size + mesh)) {
        return sni_fail(error, SN_RESULT_BAD_DATA,
                        "the skeleton is %.4g away from a mesh of size %.4g: they do not match",
                        (double)apart, (double)mesh);
    }
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------- weights

// The model's own weights on the surface's points; the first vertex of a point speaks for it. A vertex may
// name a joint twice, so its weights are summed first.
static snResult take_own(const Work* work, sniTop* points, snError* error) {
    const snModel* model = work->model;
    const snAllocator* memory = &work->bind.allocator;
    uint32_t* index = SNI_NEW_ARRAY(memory, uint32_t, model->skeleton->joint_count);
    sniMix mix = {0};
    if (index == NULL) return sni_fail_memory(error);
    snResult result = sni_mix_create(work->bones.joint_count, memory, &mix, error);
    for (uint32_t i = 0; i < work->bones.joint_count; i++) index[work->bones.joints[i]] = i;
    for (uint32_t p = 0; p < model->part_count && result == SN_RESULT_OK; p++) {
        const snPart* part = &model->parts[p];
        if (!work->surface.taken[p] || part->skin == SN_NONE) continue;
        const snWeights* w = &part->weights;
        for (uint32_t v = 0; v < w->vertex_count; v++) {
            uint32_t point = work->surface.point_of_vertex[work->surface.vertex_starts[p] + v];
            if (points->totals[point] > 0.0f) continue;
            for (uint32_t i = 0; i < w->influences; i++) {
                size_t at = (size_t)v * w->influences + i;
                uint32_t joint = model->skins[part->skin].joints[w->joints[at]];
                sni_mix_add(&mix, index[joint], w->weights[at]);
            }
            sni_mix_flush(&mix, points, point);
        }
    }
    sni_mix_free(&mix, memory);
    sni_free(memory, index);
    return result;
}

// Whatever a method left empty belongs to the nearest bone; methods leave nothing, but a promise is kept by
// code, not by hope.
static void fill_empty(const sniBones* bones, const snVec3* places, sniTop* top) {
    for (uint32_t i = 0; i < top->count; i++) {
        if (top->totals[i] > 0.0f) continue;
        uint32_t best = 0;
        float nearest = 0.0f;
        for (uint32_t b = 0; b < bones->bone_count; b++) {
            const sniBone* bone = &bones->bones[b];
            float distance = sni_bone_distance(bone, places[i]);
            if (b > 0 && !(distance < nearest)) continue;
            nearest = distance;
            best = bone->joint;
        }
        sni_top_add(top, i, best, 1.0f);
    }
}

// From particles to points.
static snResult make_heat(Work* work, snError* error) {
    const sniBind* bind = &work->bind;
    SNI_TRY(sni_weights_heat(bind, &work->particles, error));
    fill_empty(&work->bones, bind->lattice->rest, &work->particles);
    sni_top_normalize(&work->particles);
    SNI_TRY(sni_weights_embed(bind, &work->particles, &work->points, error));
    return sni_weights_mirror(bind, &work->points, error);
}

static snResult make_weights(Work* work, snError* error) {
    const sniBind* bind = &work->bind;
    const snAllocator* memory = &bind->allocator;
    snResult result = sni_top_create(work->surface.point_count, memory, &work->points, error);
    if (result == SN_RESULT_OK) {
        result = sni_top_create(bind->lattice->particle_count, memory, &work->particles, error);
    }
    if (result != SN_RESULT_OK) return result;
    switch (bind->def->method) {
    case SN_WEIGHTS_HEAT:
        return make_heat(work, error);
    case SN_WEIGHTS_GEODESIC:
        result = sni_weights_geodesic(bind, &work->points, error);
        break;
    case SN_WEIGHTS_KEEP:
        result = take_own(work, &work->points, error);
        break;
    case SN_WEIGHTS_AUTO:
    default:
        result = sni_weights_auto(bind, &work->points, error);
    }
    if (result != SN_RESULT_OK) return result;
    sni_top_normalize(&work->points);
    if (bind->def->method != SN_WEIGHTS_KEEP) SNI_TRY(sni_weights_mirror(bind, &work->points, error));
    SNI_TRY(sni_bind_progress(bind, 0.85f, error));
    result = sni_weights_extend(bind, &work->points, &work->particles, error);
    if (result != SN_RESULT_OK) return result;
    fill_empty(&work->bones, bind->lattice->rest, &work->particles);
    sni_top_normalize(&work->particles);
    return sni_weights_embed(bind, &work->particles, &work->points, error);
}

// ---------------------------------------------------------------------------------------------- skins

static bool same_place(const snMat4* a, const snMat4* b) {
    for (int i = 0; i < 16; i++) {
        if (a->m[i] != b->m[i]) return false;
    }
    return true;
}

static snResult make_skin(const Work* work, uint32_t part, snSkin* skin, snError* error) {
    const snAllocator* memory = &work->model->allocator;
    const snPart* from = &work->model->parts[part];
    uint32_t count = work->bones.joint_count;
    skin->name = sni_copy_text(memory, from->skin != SN_NONE ? work->model->skins[from->skin].name : "");
    skin->joints = sni_copy_array(memory, work->bones.joints, count, sizeof(uint32_t));
    skin->inverse_binds = SNI_NEW_ARRAY(memory, snMat4, count);
    if (skin->name == NULL || skin->joints == NULL || skin->inverse_binds == NULL)
        return sni_fail_memory(error);
    skin->joint_count = count;
    snMat4 space = sni_bind_pose_space(&work->pose, from);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t joint = work->bones.joints[i];
        snMat4 inverse = sn_mat4_identity();
        sn_mat4_inverse_affine(&work->pose.worlds[joint], &inverse); // check_scales saw that it can
        skin->inverse_binds[i] = sn_mat4_mul(&inverse, &space);
    }
    return SN_RESULT_OK;
}

// Parts that share a mesh space share a skin.
static snResult make_skins(Work* work, snError* error) {
    const snAllocator* memory = &work->model->allocator;
    uint32_t parts = work->model->part_count;
    work->skins = SNI_NEW_ARRAY(memory, snSkin, parts);
    work->part_skins = SNI_NEW_ARRAY(memory, uint32_t, parts);
    if (work->skins == NULL || work->part_skins == NULL) return sni_fail_memory(error);
    for (uint32_t p = 0; p < parts; p++) {
        work->part_skins[p] = SN_NONE;
        if (!work->surface.taken[p]) continue;
        snMat4 space = sni_bind_pose_space(&work->pose, &work->model->parts[p]);
        for (uint32_t q = 0; q < p && work->part_skins[p] == SN_NONE; q++) {
            if (work->part_skins[q] == SN_NONE) continue;
            snMat4 other = sni_bind_pose_space(&work->pose, &work->model->parts[q]);
            if (same_place(&space, &other)) work->part_skins[p] = work->part_skins[q];
        }
        if (work->part_skins[p] != SN_NONE) continue;
        work->part_skins[p] = work->skin_count++;
        SNI_TRY(make_skin(work, p, &work->skins[work->part_skins[p]], error));
    }
    return SN_RESULT_OK;
}

static bool allocate_weights(const snAllocator* memory, uint32_t count, uint32_t influences, snWeights* out) {
    out->vertex_count = count;
    out->influences = influences;
    out->joints = SNI_NEW_ARRAY(memory, uint16_t, (size_t)count * influences);
    out->weights = SNI_NEW_ARRAY(memory, float, (size_t)count* influences);
    return out->joints != NULL && out->weights != NULL;
}

static void free_weights(const snAllocator* memory, snWeights* weights) {
    sni_free(memory, weights->joints);
    sni_free(memory, weights->weights);
    *weights = (snWeights){0};
}

static snResult make_vertex_weights(Work* work, snError* error) {
    const snModel* model = work->model;
    const snAllocator* memory = &model->allocator;
    work->weights = SNI_NEW_ARRAY(memory, snWeights, model->part_count);
    if (work->weights == NULL) return sni_fail_memory(error);
    double dropped = 0.0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (!work->surface.taken[p]) continue;
        uint32_t count = model->parts[p].mesh->vertex_count;
        if (!allocate_weights(memory, count, work->bind.def->influences, &work->weights[p])) {
            return sni_fail_memory(error);
        }
        for (uint32_t v = 0; v < count; v++) {
            uint32_t point = work->surface.point_of_vertex[work->surface.vertex_starts[p] + v];
            float lost = sni_top_take(&work->points, point, &work->weights[p], v);
            dropped += (double)lost;
            work->report.dropped_mass_max = sn_maxf(work->report.dropped_mass_max, lost);
            if (!(work->points.totals[point] > 0.0f)) work->report.unweighted_vertices++;
        }
        sn_weights_normalize(&work->weights[p]);
        work->report.vertex_count += count;
    }
    work->report.dropped_mass_mean =
        work->report.vertex_count > 0 ? (float)(dropped / (double)work->report.vertex_count) : 0.0f;
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------ the binding

static snResult fill_particles(const Work* work, snWeights* particles, snMat4* binds, snError* error) {
    if (particles->joints == NULL || particles->weights == NULL || binds == NULL)
        return sni_fail_memory(error);
    for (uint32_t i = 0; i < work->bones.joint_count; i++) {
        binds[i] = work->pose.worlds[work->bones.joints[i]];
    }
    for (uint32_t p = 0; p < particles->vertex_count; p++) sni_top_take(&work->particles, p, particles, p);
    return SN_RESULT_OK;
}

static snResult make_binding(Work* work, snError* error) {
    const snAllocator* memory = &work->model->allocator;
    snWeights particles = {0};
    snMat4* binds = SNI_NEW_ARRAY(memory, snMat4, work->bones.joint_count);
    allocate_weights(memory, work->lattice->particle_count, work->bind.def->influences, &particles);
    snResult result = fill_particles(work, &particles, binds, error);
    if (result == SN_RESULT_OK) {
        snBindingDef def = {.model = work->model,
                            .joint_count = work->bones.joint_count,
                            .joints = work->bones.joints,
                            .binds = binds,
                            .influences = particles.influences,
                            .particle_joints = particles.joints,
                            .particle_weights = particles.weights,
                            .vertex_starts = work->surface.vertex_starts,
                            .vertex_points = work->surface.point_of_vertex};
        result = sn_binding_create(&def, work->lattice, memory, &work->binding, error);
    }
    if (result == SN_RESULT_OK) work->lattice = NULL; // the binding's now; work->bind still looks at it
    free_weights(memory, &particles);
    sni_free(memory, binds);
    return result;
}

// --------------------------------------------------------------------------------------------- report

// Lists have room for every joint that deforms. Bones come sorted by owner, so a joint that comes again does
// so at once.
static void add_joint(uint32_t* list, uint32_t* count, uint32_t joint) {
    if (*count == 0 || list[*count - 1] != joint) list[(*count)++] = joint;
}

static void report_bones(Work* work, const sniBoneCells* cells) {
    snBindReport* report = &work->report;
    for (uint32_t b = 0; b < work->bones.bone_count; b++) {
        const sniBone* bone = &work->bones.bones[b];
        uint32_t joint = work->bones.joints[bone->joint];
        bool shorter = sn_distance(bone->head, bone->tail) < work->bind.lattice->cell_size;
        if (cells->starts[b] == cells->starts[b + 1])
            add_joint(report->bones_outside, &report->bones_outside_count, joint);
        if (shorter) add_joint(report->bones_short, &report->bones_short_count, joint);
    }
}

static bool report_joints(Work* work) {
    snBindReport* report = &work->report;
    float* largest = SNI_NEW_ARRAY(&report->allocator, float, work->bones.joint_count);
    bool enough = largest != NULL;
    for (uint32_t p = 0; p < work->model->part_count && enough; p++) {
        const snWeights* w = &work->weights[p];
        for (size_t i = 0; i < (size_t)w->vertex_count * w->influences; i++) {
            largest[w->joints[i]] = sn_maxf(largest[w->joints[i]], w->weights[i]);
        }
    }
    for (uint32_t j = 0; j < work->bones.joint_count && enough; j++) {
        if (largest[j] >= SNI_LEAST_WEIGHT) continue;
        add_joint(report->joints_without_weight, &report->joints_without_weight_count, work->bones.joints[j]);
    }
    sni_free(&report->allocator, largest);
    return enough;
}

static snResult make_report(Work* work, snError* error) {
    snBindReport* report = &work->report;
    sniBoneCells cells = {0};
    SNI_TRY(sni_bone_cells_create(work->bind.lattice, &work->surface, &work->bones, &work->bind.allocator,
                                  &cells, error));
    report->cells = work->bind.lattice->cell_count;
    report->particles = work->bind.lattice->particle_count;
    report->duplicated_cells = work->bind.lattice->duplicated_cell_count;
    report->deforming_joints = work->bones.joint_count;
    report->bones = work->bones.bone_count;
    uint32_t** lists[] = {&report->joints_without_weight, &report->bones_outside, &report->bones_short};
    bool enough = true;
    for (int i = 0; i < 3 && enough; i++) {
        *lists[i] = SNI_NEW_ARRAY(&report->allocator, uint32_t, work->bones.joint_count);
        enough = *lists[i] != NULL;
    }
    if (enough) report_bones(work, &cells);
    enough = enough && report_joints(work);
    snResult result =
        enough ? sni_idle_find(&work->bind, &work->points, &cells, report, error) : sni_fail_memory(error);
    sni_bone_cells_free(&cells);
    return result;
}

// ---------------------------------------------------------------------------------------------- whole

static void free_skins(const snAllocator* memory, snSkin* skins, uint32_t count) {
    for (uint32_t s = 0; s < count; s++) {
        sni_free(memory, skins[s].name);
        sni_free(memory, skins[s].joints);
        sni_free(memory, skins[s].inverse_binds);
    }
    sni_free(memory, skins);
}

// Nothing here can fail: the model changes as a whole or not at all.
static void commit(Work* work) {
    snModel* model = work->model;
    const snAllocator* memory = &model->allocator;
    if (work->bind.def->method != SN_WEIGHTS_KEEP) {
        for (uint32_t p = 0; p < model->part_count; p++) {
            if (!work->surface.taken[p]) continue;
            free_weights(memory, &model->parts[p].weights);
            model->parts[p].weights = work->weights[p];
            model->parts[p].skin = work->part_skins[p];
            work->weights[p] = (snWeights){0};
        }
        free_skins(memory, model->skins, model->skin_count);
        model->skins = work->skins;
        model->skin_count = work->skin_count;
        model->reskinned = true;
        work->skins = NULL;
        work->skin_count = 0;
    }
    if (work->lent) model->binding->lattice = NULL; // the new binding's now
    sn_model_set_binding(model, work->binding);
    work->binding = NULL;
}

static void release(Work* work) {
    const snAllocator* memory = &work->model->allocator;
    if (work->lent && work->binding != NULL) work->binding->lattice = NULL; // it stays where it is
    if (!work->lent) sn_lattice_destroy(work->lattice);
    sn_binding_destroy(work->binding);
    for (uint32_t p = 0; p < work->model->part_count && work->weights != NULL; p++) {
        free_weights(memory, &work->weights[p]);
    }
    sni_free(memory, work->weights);
    free_skins(memory, work->skins, work->skin_count);
    sni_free(memory, work->part_skins);
    sni_top_free(&work->points);
    sni_top_free(&work->particles);
    sni_bones_free(&work->bones);
    sni_surface_free(&work->surface);
    sni_bind_pose_free(&work->pose);
    sni_free(memory, work->deforming);
}

static snResult find_surface(Work* work, const uint8_t* deforming, snError* error) {
    const snModel* model = work->model;
    const snAllocator* memory = &model->allocator;
    bool* bound = SNI_NEW_ARRAY(memory, bool, model->part_count);
    if (bound == NULL) return sni_fail_memory(error);
    snResult result = sni_bound_parts(model, &work->pose, deforming, memory, bound, error);
    if (result == SN_RESULT_OK)
        result = sni_surface_create(model, &work->pose, bound, memory, &work->surface, error);
    sni_free(memory, bound);
    return result;
}

static snResult find_shape(Work* work, snError* error) {
    const snModel* model = work->model;
    const snBindDef* def = work->bind.def;
    const snAllocator* memory = &model->allocator;
    work->deforming = SNI_NEW_ARRAY(memory, uint8_t, model->skeleton->joint_count);
    if (work->deforming == NULL) return sni_fail_memory(error);
    bool keep = def->method == SN_WEIGHTS_KEEP;
    if (keep && model->skin_count == 0)
        return sni_fail(error, SN_RESULT_BAD_DATA, "there are no weights to keep: no part is skinned");
    if (def->deforming != NULL && !keep)
        memcpy(work->deforming, def->deforming, model->skeleton->joint_count);
    else
        sn_bind_deforming(model, work->deforming);
    snResult result = sni_bind_pose_create(model, memory, &work->pose, error);
    if (result == SN_RESULT_OK) result = find_surface(work, keep ? NULL : work->deforming, error);
    if (result == SN_RESULT_OK)
        result = sni_bones_create(model, &work->surface, &work->pose, work->deforming, memory, &work->bones,
                                  error);
    if (result == SN_RESULT_OK) result = check_scales(model, &work->pose, &work->bones, error);
    return result == SN_RESULT_OK ? check_fit(&work->surface, &work->bones, error) : result;
}

static snResult make_lattice(Work* work, snError* error) {
    snLatticeDef def = sn_lattice_def();
    def.point_count = work->surface.point_count;
    def.points = work->surface.points;
    def.triangle_count = work->surface.triangle_count;
    def.triangles = work->surface.triangles;
    def.cells = work->bind.def->cells;
    def.cell_size = work->bind.def->cell_size;
    def.memory_limit = work->bind.def->memory_limit;
    def.tasks = work->bind.def->tasks;
    sniSpan span = {&work->bind.def->progress, 0.05f, 0.15f, NULL};
    def.progress = sni_span_progress(&span);
    // Where only joints moved, the lattice is there.
    snBinding* old = work->model->binding;
    work->lent = old != NULL && old->lattice->point_count == def.point_count &&
                 old->lattice->source == sni_lattice_source(&def);
    snResult result = SN_RESULT_OK;
    if (work->lent)
        work->lattice = old->lattice;
    else
        result = sn_lattice_create(&def, &work->model->allocator, &work->lattice, error);
    work->bind.lattice = work->lattice;
    return result;
}

// All that does not change the model. `work` is released whatever comes back.
static snResult find_weights(Work* work, snModel* model, const snBindDef* def, bool doubt, snError* error) {
    *work = (Work){.model = model};
    work->report.allocator = model->allocator;
    work->bind = (sniBind){.def = def,
                           .model = model,
                           .surface = &work->surface,
                           .pose = &work->pose,
                           .bones = &work->bones,
                           .allocator = model->allocator,
                           .report = &work->report,
                           .weights = {&def->progress, 0.15f, 0.9f, NULL}};
    SNI_TRY(sni_tuning_read(error));
    SNI_TRY(sni_progress(&def->progress, "looking at the surface", 0.0f, error));
    SNI_TRY(find_shape(work, error));
    SNI_TRY(make_lattice(work, error));
    SNI_TRY(make_weights(work, error));
    return doubt ? sni_doubt_find(&work->bind, def->method, &work->points, &work->report.doubt, error)
                 : SN_RESULT_OK;
}

snResult sn_model_doubt(const snModel* model, const snBindDef* def, snBindDoubt** out, snError* error) {
    if (model == NULL || def == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model, a definition and an output are needed");
    }
    SNI_TRY(check_def(model, def, error));
    snModel view = *model; // nothing of it is written to
    Work work;
    snResult result = find_weights(&work, &view, def, true, error);
    if (result == SN_RESULT_OK) {
        *out = work.report.doubt;
        work.report.doubt = NULL;
    }
    sn_bind_report_free(&work.report);
    release(&work);
    return result;
}

snResult sn_model_bind(snModel* model, const snBindDef* def, snBindReport* report, snError* error) {
    if (model == NULL || def == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and a definition are needed");
    }
    SNI_TRY(check_def(model, def, error));
    Work work;
    snResult result = find_weights(&work, model, def, def->doubt, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "making the skin", 0.9f, error);
    if (result == SN_RESULT_OK && def->method != SN_WEIGHTS_KEEP) result = make_skins(&work, error);
    if (result == SN_RESULT_OK) result = make_vertex_weights(&work, error);
    if (result == SN_RESULT_OK) result = make_binding(&work, error);
    if (result == SN_RESULT_OK) result = make_report(&work, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "making the skin", 1.0f, error);
    if (result == SN_RESULT_OK) commit(&work);
    if (result == SN_RESULT_OK && report != NULL)
        *report = work.report;
    else
        sn_bind_report_free(&work.report);
    release(&work);
    return result;
}
