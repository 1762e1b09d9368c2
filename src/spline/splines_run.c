// One frame of all splines: each joint's bend and twist, and the matrices along its curve.
//
// The frame at x is the parent's, turned along the curve, then turned about the tangent by a share of the
// twist that is left at the end, in proportion to the unbent length. So the matrix is the parent's at x = 0
// and the joint's at x = 1; both are copied, and points beyond the ends move exactly with their bones.
#include <string.h>

#include "base/error.h"
#include "base/polar.h"
#include "spline/spline.h"

SNI_DEFINE_KERNELS_OF(sni_spline_kernels, sni_spline_kernels, sniSplineKernels);

static const float TURN = 2.0f * SN_PI;
// A twist is followed over this many radians, one and a half turns; beyond, a whole turn is taken back.
static const float MOST_TWIST = 3.0f * SN_PI;

typedef struct Turned {
    snVec3 x, y, z; // columns of a rotation
    bool stretched;
    snMat4 stretch;
} Turned;

static Turned rotation_of(const snMat4* m) {
    Turned out = {.stretch = sn_mat4_identity()};
    snMat4 turn = *m;
    if (!sni_is_rotation(m)) {
        snRigid rigid = {.translation = sn_vec3(0.0f, 0.0f, 0.0f)};
        out.stretched = !sni_polar(m, &rigid.rotation, out.stretch.m);
        turn = sn_mat4_from_rigid(&rigid);
    }
    out.x = sn_vec3(turn.m[0], turn.m[1], turn.m[2]);
    out.y = sn_vec3(turn.m[4], turn.m[5], turn.m[6]);
    out.z = sn_vec3(turn.m[8], turn.m[9], turn.m[10]);
    return out;
}

static snVec3 turned(const Turned* r, snVec3 v) {
    return sn_add(sn_add(sn_scale(r->x, v.x), sn_scale(r->y, v.y)), sn_scale(r->z, v.z));
}

static snVec3 turned_back(const Turned* r, snVec3 v) {
    return sn_vec3(sn_dot(r->x, v), sn_dot(r->y, v), sn_dot(r->z, v));
}

// Of all twists that look alike the nearest to the last one, unless that has been wound up too far.
static float unwound(float twist, float last) {
    float turns = (last - twist) / TURN;
    // Rounded to the nearest; a last twist that is no number counts as 0.
    float whole =
        turns > -4.0f && turns < 4.0f ? (float)(int32_t)(turns < 0.0f ? turns - 0.5f : turns + 0.5f) : 0.0f;
    twist += TURN * whole;
    if (twist > MOST_TWIST) twist -= TURN;
    if (twist < -MOST_TWIST) twist += TURN;
    return twist;
}

// How far the joint bends beyond the bind pose, and where the outside of that bend is around the curve.
static void find_bend(const sniSpline* s, snVec3 end, snSplinePose* out) {
    snVec3 axis = sn_cross(s->last.t, end);
    float sine = sn_length(axis);
    out->bend = sn_atan2(sine, sn_dot(s->last.t, end));
    // b_B = b_T x b_N: right-handed, and away from the inside of the bend.
    snVec3 outside = sn_cross(s->middle.t, axis);
    float c = sn_dot(outside, s->middle.e1), d = sn_dot(outside, s->middle.e2);
    out->direction = c * c + d * d > 1e-20f ? sn_atan2(d, c) : 0.0f;
}

static void find_pose(const sniSpline* s, const snMat4* matrices, float last_twist, sniSplinePosed* posed,
                      snSplinePose* pose) {
    const snMat4* parent = &matrices[s->spline.parent];
    const snMat4* joint = &matrices[s->spline.joint];
    Turned before = rotation_of(parent), after = rotation_of(joint);
    snVec3 p2 = sn_mat4_point(joint, s->spline.points[1]);
    posed->p1 = sn_mat4_point(parent, s->spline.points[0]);
    posed->d12 = sn_sub(p2, posed->p1);
    posed->d23 = sn_sub(sn_mat4_point(joint, s->spline.points[2]), p2);
    posed->t0 = turned(&before, s->first.t);
    posed->u0 = turned(&before, s->first.e1);
    snVec3 t1 = turned(&after, s->last.t);
    // Joints may have moved apart or grown, and bones then lead elsewhere than their joints have turned.
    // Slopes follow the joints, so that the matrices of both ends are still theirs.
    posed->s12 = sn_scale(posed->t0, sn_length(posed->d12));
    posed->s23 = sn_scale(t1, sn_length(posed->d23));
    // What is left between the frame turned along the curve and the joint's own.
    snVec3 e1 = sni_turned_along(posed->t0, t1, posed->u0), wanted = turned(&after, s->last.e1);
    float twist = sn_atan2(sn_dot(t1, sn_cross(e1, wanted)), sn_dot(e1, wanted));
    pose->twist = unwound(twist, last_twist);
    posed->twist = pose->twist / TURN;
    find_bend(s, turned_back(&before, t1), pose);
    posed->stretched = before.stretched || after.stretched;
    posed->stretch[0] = before.stretch;
    posed->stretch[1] = after.stretch;
}

static snResult check_job(const snSplinesJob* job) {
    return job == NULL || job->splines == NULL || job->matrices == NULL || job->out_matrices == NULL
               ? SN_RESULT_INVALID_ARGUMENT
               : SN_RESULT_OK;
}

snResult sn_splines_run(const snSplinesJob* job) {
    SNI_TRY(check_job(job));
    const sniSplineKernels* kernels = sni_spline_kernels(job->level);
    if (kernels == NULL) return SN_RESULT_UNSUPPORTED;
    const snSplines* splines = job->splines;
    memcpy(job->out_matrices, job->matrices, splines->joint_count * sizeof(snMat4));
    size_t table_floats = (size_t)splines->blocks * SNI_SAMPLE_FLOATS * SNI_BLOCK;
    for (uint32_t i = 0; i < splines->count; i++) {
        const sniSpline* s = &splines->splines[i];
        sniSplinePosed posed;
        snSplinePose pose;
        find_pose(s, job->matrices, job->twists != NULL ? job->twists[i] : 0.0f, &posed, &pose);
        if (job->twists != NULL) job->twists[i] = pose.twist;
        if (job->out_poses != NULL) job->out_poses[i] = pose;
        snMat4* out = job->out_matrices + splines->joint_count + (size_t)i * splines->samples;
        sniSplineRun run = {splines, splines->table + i * table_floats, &posed, out};
        kernels->samples(&run);
        out[0] = job->matrices[s->spline.parent];
        out[splines->samples - 1] = job->matrices[s->spline.joint];
    }
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------ without samples

static snMat4 stretch_at(const sniSplinePosed* posed, float share) {
    snMat4 m;
    for (int i = 0; i < 16; i++) m.m[i] = sn_lerpf(posed->stretch[0].m[i], posed->stretch[1].m[i], share);
    return m;
}

static snMat4 frame_matrix(snVec3 e1, snVec3 e2, snVec3 t) {
    return (snMat4){
        {e1.x, e1.y, e1.z, 0.0f, e2.x, e2.y, e2.z, 0.0f, t.x, t.y, t.z, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f}};
}

// Written apart from the kernel on purpose: it is what tests hold the kernel to.
snMat4 sn_splines_matrix_at(const snSplines* splines, const snMat4* matrices, uint32_t spline, float x,
                            float twist) {
    const sniSpline* s = &splines->splines[spline];
    if (!(x > 0.0f)) return matrices[s->spline.parent];
    if (!(x < 1.0f)) return matrices[s->spline.joint];
    sniSplinePosed posed;
    snSplinePose pose;
    find_pose(s, matrices, twist, &posed, &pose);
    sniSplineFactors f = sni_spline_factors(s, x);
    sniSplineFrame rest = sni_spline_frame(s, x);
    snVec3 t = sn_normalize_or(sn_add(sn_scale(posed.s12, f.t12), sn_scale(posed.s23, f.t23)), posed.t0);
    snVec3 e1 = sni_turned_along(posed.t0, t, posed.u0);
    e1 = sn_quat_rotate(sn_quat_axis_angle(t, pose.twist * f.share), e1);
    snMat4 now = frame_matrix(e1, sn_cross(t, e1), t), then = frame_matrix(rest.e1, rest.e2, rest.t), back;
    if (!sn_mat4_inverse_affine(&then, &back)) back = sn_mat4_identity();
    snMat4 stretch = stretch_at(&posed, f.share);
    snMat4 m = sn_mat4_mul(&now, &back);
    m = sn_mat4_mul(&m, &stretch);
    snVec3 at = sn_add(posed.p1, sn_add(sn_scale(posed.d12, f.d12), sn_scale(posed.d23, f.d23)));
    snVec3 move = sn_sub(at, sn_mat4_vector(&m, rest.origin));
    m.m[12] = move.x, m.m[13] = move.y, m.m[14] = move.z;
    return m;
}
