// Fitting a skeleton to a mesh: the steps in order, and the rest pose that comes out.
#include "fit/fit.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "rig/surface.h"

// A skeleton stands in the mesh when nearly all of its joints do, give or take this part of the mesh's size,
// and when it is not much smaller. Judged, not measured.
#define NEAR 0.05f
#define NEARLY_ALL 0.9f
#define SPANS 0.5f

snFitDef sn_fit_def(void) {
    snFitDef def = {.mode = SN_FIT_AUTO, .cells = 128};
    return def;
}

typedef struct Fitter {
    const snFitDef* def;
    snAllocator memory;
    sniBody body;
    sniSolid solid;
    sniPlacement place;
    bool* held;       // joint_count
    snMat4* world;    // joint_count
    snQuat* rotation; // joint_count
    float scale;
    snFitMode mode;
} Fitter;

// ---------------------------------------------------------------------------------------------------- checks

static snResult check_mesh(const snFitDef* def, snError* error) {
    if (def->point_count == 0 || def->triangle_count == 0)
        return sni_fail(error, SN_RESULT_BAD_DATA, "the mesh has no triangles, expected a body");
    for (uint32_t p = 0; p < def->point_count; p++) {
        if (sn_vec3_finite(def->points[p])) continue;
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, p, "point %u is not finite", p);
    }
    for (size_t i = 0; i < 3 * (size_t)def->triangle_count; i++) {
        if (def->triangles[i] >= def->point_count)
            return sni_fail(error, SN_RESULT_BAD_DATA, "a triangle has the corner %u, expected below %u",
                            def->triangles[i], def->point_count);
    }
    return SN_RESULT_OK;
}

static snResult check_def(const snFitDef* def, snError* error) {
    if (def == NULL || def->skeleton == NULL || (def->point_count > 0 && def->points == NULL) ||
        (def->triangle_count > 0 && def->triangles == NULL))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a mesh and a skeleton are needed");
    if ((uint32_t)def->mode > SN_FIT_BODY)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "unknown mode %u", (uint32_t)def->mode);
    if ((uint32_t)def->facing > SN_AXIS_MINUS_Z || def->facing == SN_AXIS_Y || def->facing == SN_AXIS_MINUS_Y)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a body on +Y cannot face %s",
                        sn_axis_name(def->facing));
    if (def->cells < 64 || def->cells > 512)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%u cells, expected 64 to 512", def->cells);
    if (def->skeleton->joint_count == 0)
        return sni_fail(error, SN_RESULT_BAD_DATA, "the skeleton has no joints");
    return check_mesh(def, error);
}

// ------------------------------------------------------------------------------------------------------ mode

static bool is_kept(const Fitter* f, uint32_t joint) { return f->def->keep != NULL && f->def->keep[joint]; }

static snBounds solid_bounds(const sniSolid* solid) {
    snBounds b = sn_bounds_empty();
    for (uint32_t c = 0; c < solid->cell_count; c++) b = sn_bounds_add(b, sni_solid_point(solid, c));
    return b;
}

static bool stands_in_mesh(const Fitter* f) {
    uint32_t near = 0;
    uint32_t all = 0;
    snBounds joints = sn_bounds_empty();
    snBounds mesh = solid_bounds(&f->solid);
    float size = sn_bounds_diagonal(mesh);
    for (uint32_t j = 0; j < f->body.skeleton->joint_count; j++) {
        if (is_kept(f, j)) continue;
        joints = sn_bounds_add(joints, f->body.tree.points[j]);
        near += sni_solid_nearest(&f->solid, f->body.tree.points[j], NEAR * size) != SN_NONE;
        all++;
    }
    return all > 0 && (float)near >= NEARLY_ALL * (float)all && sn_bounds_diagonal(joints) > SPANS * size;
}

// A person's head is above its hips, within 45 degrees; an animal's is ahead of them.
static bool is_upright(const sniBody* body) {
    snVec3 hips = sni_body_point(body, body->first[SN_ROLE_HIPS][SN_SIDE_NONE]);
    snVec3 head = sni_body_point(body, body->first[SN_ROLE_HEAD][SN_SIDE_NONE]);
    snVec3 trunk = sn_sub(head, hips);
    return trunk.y > 0.7f * sn_length(trunk);
}

static snResult check_person(const sniBody* body, snError* error) {
    static const snRole pairs[] = {SN_ROLE_UPPER_LEG, SN_ROLE_LOWER_LEG, SN_ROLE_UPPER_ARM,
                                   SN_ROLE_LOWER_ARM};
    const char* missing = NULL;
    if (body->first[SN_ROLE_HIPS][SN_SIDE_NONE] == SN_NONE) missing = "hips";
    if (body->first[SN_ROLE_HEAD][SN_SIDE_NONE] == SN_NONE) missing = "head";
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        for (int s = SN_SIDE_LEFT; s <= SN_SIDE_RIGHT; s++) {
            if (body->first[pairs[i]][s] == SN_NONE) missing = sn_role_name(pairs[i]);
        }
    }
    if (missing == NULL && !is_upright(body))
        return sni_fail(
            error, SN_RESULT_UNSUPPORTED,
            "the skeleton is not inside the mesh, and only a person's skeleton can be fitted: its "
            "trunk lies level");
    if (missing == NULL) return SN_RESULT_OK;
    return sni_fail(
        error, SN_RESULT_UNSUPPORTED,
        "the skeleton is not inside the mesh, and only a person's skeleton can be fitted: it has no "
        "%s that could be recognised",
        missing);
}

// ----------------------------------------------------------------------------------------------------- steps

static bool is_limb_joint(snRole role) {
    return role == SN_ROLE_LOWER_ARM || role == SN_ROLE_HAND || role == SN_ROLE_LOWER_LEG ||
           role == SN_ROLE_FOOT;
}

// Fingers are carried along and may miss the mesh's own; those that do come back into the hand.
static bool is_lost_finger(const Fitter* f, uint32_t joint) {
    if ((f->place.doubts[joint] & SN_FIT_FOLLOWS) == 0) return false;
    uint32_t at = f->body.skeleton->parents[joint];
    while (at != SN_NONE && f->body.labels[at].role != SN_ROLE_HAND) at = f->body.skeleton->parents[at];
    return at != SN_NONE && sni_solid_nearest(&f->solid, f->place.points[joint], f->solid.size) == SN_NONE;
}

// Landmarks in the trunk are better witnesses than the volume around them; only limbs are centered again.
static snResult fit_body(Fitter* f, snError* error) {
    snResult result = check_person(&f->body, error);
    if (result != SN_RESULT_OK) return result;
    sniLandmarks* marks = SNI_NEW(&f->memory, sniLandmarks);
    if (marks == NULL) return sni_fail_memory(error);
    result = sni_landmarks_find(marks, &f->solid, f->def->facing, &f->memory, error);
    if (result == SN_RESULT_OK) {
        f->scale = sni_fit_pose(&f->body, marks, &f->place);
        for (uint32_t j = 0; j < f->body.skeleton->joint_count; j++) {
            const snLabel* label = &f->body.labels[j];
            f->held[j] = !is_limb_joint(label->role) || label->index > 0 || label->twist;
            if (is_lost_finger(f, j)) f->held[j] = false;
        }
        sni_fit_center(&f->body, &f->solid, f->held, &f->place);
    }
    sni_free(&f->memory, marks);
    return result;
}

// The new direction of each bone turns the joint; a joint that ends a chain follows its parent.
static void follow_bones(Fitter* f) {
    const snSkeleton* s = f->body.skeleton;
    for (uint32_t i = 0; i < s->joint_count; i++) {
        uint32_t j = s->order[i];
        uint32_t child = SN_NONE;
        for (uint32_t c = f->body.tree.first_child[j]; c != SN_NONE; c = f->body.tree.next_sibling[c]) {
            if (child == SN_NONE || f->body.tree.reach[c] > f->body.tree.reach[child]) child = c;
        }
        f->place.turns[j] = s->parents[j] != SN_NONE ? f->place.turns[s->parents[j]] : sn_quat_identity();
        if (is_kept(f, j)) f->place.turns[j] = sn_quat_identity();
        if (child == SN_NONE || is_kept(f, j)) continue;
        snVec3 from = sn_sub(f->body.tree.points[child], f->body.tree.points[j]);
        snVec3 to = sn_sub(f->place.points[child], f->place.points[j]);
        f->place.turns[j] = sn_quat_between(from, to);
    }
}

static void fit_center(Fitter* f) {
    f->scale = 1.0f;
    for (uint32_t j = 0; j < f->body.skeleton->joint_count; j++) {
        f->place.points[j] = f->body.tree.points[j];
        f->place.sure[j] = 1.0f;
        f->held[j] = is_kept(f, j);
    }
    sni_fit_center(&f->body, &f->solid, f->held, &f->place);
    follow_bones(f);
}

// ---------------------------------------------------------------------------------------------------- result

// Local transforms from places and turns. Scales stay, so places go through the parent's whole matrix.
static snResult write_rest(Fitter* f, snFit* fit, snError* error) {
    const snSkeleton* s = f->body.skeleton;
    for (uint32_t i = 0; i < s->joint_count; i++) {
        uint32_t j = s->order[i];
        uint32_t parent = s->parents[j];
        snTrs* rest = &fit->rest[j];
        snMat4 above = parent != SN_NONE ? f->world[parent] : sn_mat4_identity();
        snMat4 inverse;
        if (!sn_mat4_inverse_affine(&above, &inverse)) {
            return sni_fail_joint(error, SN_RESULT_BAD_DATA, parent, "joint %u is scaled to zero", parent);
        }
        f->rotation[j] = sn_quat_normalize(sn_quat_mul(f->place.turns[j], f->body.rotations[j]));
        snQuat turn = parent != SN_NONE ? sn_quat_conjugate(f->rotation[parent]) : sn_quat_identity();
        rest->translation = sn_mat4_point(&inverse, f->place.points[j]);
        rest->rotation = sn_quat_normalize(sn_quat_mul(turn, f->rotation[j]));
        rest->scale = s->rest[j].scale;
        snMat4 local = sn_mat4_from_trs(rest);
        f->world[j] = sn_mat4_mul(&above, &local);
    }
    return SN_RESULT_OK;
}

// How far joints went, the skeleton scaled and turned about its hips into the mesh.
static float mean_move(const Fitter* f) {
    const sniBody* body = &f->body;
    uint32_t hips = body->first[SN_ROLE_HIPS][SN_SIDE_NONE];
    bool scaled = f->mode == SN_FIT_BODY;
    double sum = 0.0;
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) {
        snVec3 was = body->tree.points[j];
        if (scaled) {
            snVec3 d = sn_scale(sn_sub(was, body->tree.points[hips]), f->scale);
            was = sn_add(f->place.points[hips], sn_quat_rotate(f->place.turns[hips], d));
        }
        sum += (double)sn_distance(was, f->place.points[j]);
    }
    return (float)(sum / body->skeleton->joint_count);
}

static snResult create_fit(Fitter* f, snFit** out, snError* error) {
    uint32_t count = f->body.skeleton->joint_count;
    snFit* fit = SNI_NEW(&f->memory, snFit);
    if (fit == NULL) return sni_fail_memory(error);
    fit->allocator = f->memory;
    fit->joint_count = count;
    fit->mode = f->mode;
    fit->scale = f->scale;
    fit->rest = SNI_NEW_ARRAY(&f->memory, snTrs, count);
    fit->places = sni_copy_array(&f->memory, f->place.points, count, sizeof *f->place.points);
    fit->confidence = sni_copy_array(&f->memory, f->place.sure, count, sizeof *f->place.sure);
    fit->doubts = sni_copy_array(&f->memory, f->place.doubts, count, sizeof *f->place.doubts);
    bool ok = fit->rest != NULL && fit->places != NULL && fit->confidence != NULL && fit->doubts != NULL;
    snResult result = ok ? write_rest(f, fit, error) : sni_fail_memory(error);
    if (result != SN_RESULT_OK) {
        sn_fit_destroy(fit);
        return result;
    }
    for (uint32_t j = 0; j < count; j++) fit->unsure += fit->confidence[j] < SN_FIT_SURE;
    fit->moved = mean_move(f);
    *out = fit;
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------------- all

static bool allocate(Fitter* f) {
    uint32_t count = f->def->skeleton->joint_count;
    f->place.points = SNI_NEW_ARRAY(&f->memory, snVec3, count);
    f->place.turns = SNI_NEW_ARRAY(&f->memory, snQuat, count);
    f->place.sure = SNI_NEW_ARRAY(&f->memory, float, count);
    f->place.doubts = SNI_NEW_ARRAY(&f->memory, uint32_t, count);
    f->held = SNI_NEW_ARRAY(&f->memory, bool, count);
    f->world = SNI_NEW_ARRAY(&f->memory, snMat4, count);
    f->rotation = SNI_NEW_ARRAY(&f->memory, snQuat, count);
    return f->place.points != NULL && f->place.turns != NULL && f->place.sure != NULL &&
           f->place.doubts != NULL && f->held != NULL && f->world != NULL && f->rotation != NULL;
}

static void release(Fitter* f) {
    void* arrays[] = {f->place.points, f->place.turns, f->place.sure, f->place.doubts,
                      f->held,         f->world,       f->rotation};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&f->memory, arrays[i]);
    sni_solid_destroy(&f->solid, &f->memory);
    sni_body_destroy(&f->body, &f->memory);
}

static snResult run(Fitter* f, snFit** out, snError* error) {
    snResult result = sni_body_create(&f->body, f->def->skeleton, &f->memory);
    if (result != SN_RESULT_OK) return sni_fail_labels(error, result);
    if (!allocate(f)) return sni_fail_memory(error);
    snBounds joints = sn_bounds_of(f->body.tree.points, f->body.skeleton->joint_count);
    if (f->body.skeleton->joint_count > 1 && !(sn_bounds_diagonal(joints) > 0.0f))
        return sni_fail(error, SN_RESULT_BAD_DATA, "all joints of the skeleton are in one point");
    SNI_TRY(sni_progress(&f->def->progress, "looking at the mesh", 0.0f, error));
    SNI_TRY(sni_solid_create(&f->solid, f->def, &f->memory, error));
    SNI_TRY(sni_progress(&f->def->progress, "placing the joints", 0.5f, error));
    f->mode = f->def->mode;
    if (f->mode == SN_FIT_AUTO) f->mode = stands_in_mesh(f) ? SN_FIT_CENTER : SN_FIT_BODY;
    if (f->mode == SN_FIT_BODY)
        result = fit_body(f, error);
    else
        fit_center(f);
    if (result == SN_RESULT_OK) result = sni_progress(&f->def->progress, "placing the joints", 1.0f, error);
    return result == SN_RESULT_OK ? create_fit(f, out, error) : result;
}

snResult sn_fit_create(const snFitDef* def, const snAllocator* allocator, snFit** out, snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    snResult result = check_def(def, error);
    if (result != SN_RESULT_OK) return result;
    Fitter f = {.def = def, .memory = sni_allocator(allocator)};
    result = run(&f, out, error);
    release(&f);
    return result;
}

snResult sn_fit_model(const snFitDef* def, const snModel* model, const snAllocator* allocator, snFit** out,
                      snError* error) {
    if (def == NULL || model == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a Def and a model are needed");
    sniSurface surface = {0};
    snResult result = sni_surface_create(model, NULL, NULL, allocator, &surface, error);
    if (result != SN_RESULT_OK) return result;
    snFitDef fit = *def;
    fit.point_count = surface.point_count;
    fit.points = surface.points;
    fit.triangle_count = surface.triangle_count;
    fit.triangles = surface.triangles;
    fit.welded = true;
    result = sn_fit_create(&fit, allocator, out, error);
    sni_surface_free(&surface);
    return result;
}

void sn_fit_destroy(snFit* fit) {
    if (fit == NULL) return;
    snAllocator memory = fit->allocator;
    void* arrays[] = {fit->rest, fit->places, fit->confidence, fit->doubts, fit};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// In the order of their bits.
static const struct {
    const char* name;
    const char* words;
} doubt_kinds[SN_FIT_DOUBTS] = {
    {"outside", "outside the mesh"},         {"moved-far", "moved far"},
    {"asymmetric", "left and right differ"}, {"proportion", "placed by proportion"},
    {"follows", "follows its parent"},       {"facing", "facing unclear"}};

const char* sn_fit_doubt_name(uint32_t doubt) {
    for (uint32_t i = 0; i < SN_FIT_DOUBTS; i++)
        if (doubt == 1u << i) return doubt_kinds[i].name;
    return "none";
}

size_t sn_fit_doubt_text(uint32_t doubts, char* out, size_t capacity) {
    size_t length = 0;
    if (capacity == 0) return 0;
    out[0] = '\0';
    for (size_t i = 0; i < SN_FIT_DOUBTS; i++) {
        if ((doubts >> i & 1u) == 0) continue;
        int wrote =
            snprintf(out + length, capacity - length, "%s%s", length > 0 ? ", " : "", doubt_kinds[i].words);
        if (wrote < 0) break;
        length = length + (size_t)wrote < capacity ? length + (size_t)wrote : capacity - 1;
    }
    return length;
}

snResult sn_skeleton_refit(const snSkeleton* skeleton, const snFit* fit, const snAllocator* allocator,
                           snSkeleton** out, snError* error) {
    if (skeleton == NULL || fit == NULL || fit->joint_count != skeleton->joint_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a skeleton and the fit made for it are needed");
    snSkeletonDef def = {skeleton->joint_count, (const char* const*)skeleton->names, skeleton->parents,
                         fit->rest};
    return sn_skeleton_create(&def, allocator, out, error);
}
