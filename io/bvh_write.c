// Writing BVH: one clip of any skeleton, or its rest pose as one frame.
//
// BVH joints stand unrotated at rest, ours need not. The written joints are aligned with the world at rest:
// with W the world rotation of a joint and R the same at rest, the file's world rotation is W R^-1. Zero
// angles are then the rest pose, offsets are plain differences of places, and every joint stands and turns as
// before.
#include "bvh.h"

#include "base/error.h"
#include "bvh_plan.h"
#include "gltf.h"
#include "number.h"

#define DEGREES 57.29577951308232

// --------------------------------------------------------------------------------------------- numbers

// Fixed decimals without trailing zeros: some readers of BVH know no exponents.
static void add_number(sniBytes* text, const char* before, double value, int decimals) {
    char out[SNI_NUMBER_MAX + 8];
    double scale = decimals == 6 ? 1e6 : 1e9;
    sni_bytes_text(text, before);
    if (fabs(value) >= 1e9) {
        sni_print_float((float)value, out);
        sni_bytes_text(text, out);
        return;
    }
    int64_t fixed = (int64_t)(fabs(value) * scale + 0.5);
    int64_t whole = fixed / (int64_t)scale, part = fixed % (int64_t)scale;
    snprintf(out, sizeof out, "%s%lld.%0*lld", value < 0.0 && fixed > 0 ? "-" : "", (long long)whole,
             decimals, (long long)part);
    size_t length = strlen(out);
    while (out[length - 1] == '0') length--;
    if (out[length - 1] == '.') length--;
    sni_bytes_add(text, out, length);
}

static void add_place(sniBytes* text, const char* first, snVec3 v) {
    add_number(text, first, (double)v.x, 9);
    add_number(text, " ", (double)v.y, 9);
    add_number(text, " ", (double)v.z, 9);
}

// ---------------------------------------------------------------------------------------------- angles

// Angles z, y, x in degrees with Rz Ry Rx = q. Each later angle is taken from what the earlier ones leave, so
// that near y = 90, where z and x are hardly told apart, their errors cancel.
static void split_angles(snQuat q, double out[3]) {
    double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    double m00 = 1 - 2 * (y * y + z * z), m01 = 2 * (x * y - w * z), m02 = 2 * (x * z + w * y);
    double m10 = 2 * (x * y + w * z), m11 = 1 - 2 * (x * x + z * z), m12 = 2 * (y * z - w * x);
    double m20 = 2 * (x * z - w * y);
    float turn = sn_atan2((float)m10, (float)m00);
    double s = (double)sn_sin(turn), c = (double)sn_cos(turn);
    out[0] = (double)turn * DEGREES;
    out[1] = (double)sn_atan2((float)-m20, (float)(c * m00 + s * m10)) * DEGREES;
    out[2] = (double)sn_atan2((float)(s * m02 - c * m12), (float)(c * m11 - s * m01)) * DEGREES;
}

static double nearest_turn(double angle, double to) {
    return angle + 360.0 * floor((to - angle) / 360.0 + 0.5);
}

// Of all angles with the same rotation those nearest to the last frame's, so that curves have no jumps.
static void continue_angles(double angles[3], float last[3]) {
    double other[3] = {angles[0] + 180.0, 180.0 - angles[1], angles[2] + 180.0};
    double near = 0.0, far = 0.0;
    for (int i = 0; i < 3; i++) {
        angles[i] = nearest_turn(angles[i], (double)last[i]);
        other[i] = nearest_turn(other[i], (double)last[i]);
        near += fabs(angles[i] - (double)last[i]);
        far += fabs(other[i] - (double)last[i]);
    }
    for (int i = 0; i < 3; i++) {
        if (far < near) angles[i] = other[i];
        last[i] = (float)angles[i];
    }
}

// --------------------------------------------------------------------------------------------- hierarchy

// Deeper than anything that people read it says nothing more, and a chain of joints would be written as the
// square of its length.
#define DEEPEST 64

static void indent(sniBytes* text, uint32_t depth) {
    for (uint32_t i = 0; i < depth && i < DEEPEST; i++) sni_bytes_text(text, "\t");
}

static void add_line(sniBytes* text, uint32_t depth, const char* line) {
    indent(text, depth);
    sni_bytes_text(text, line);
    sni_bytes_text(text, "\n");
}

// Blanks and braces would split the name in most readers.
static bool add_name(sniBytes* text, const char* name, uint32_t joint) {
    bool changed = name[0] == '\0';
    if (changed) {
        char number[32];
        snprintf(number, sizeof number, "joint_%u", joint);
        sni_bytes_text(text, number);
    }
    for (; *name != '\0'; name++) {
        bool plain = (unsigned char)*name > ' ' && *name != '{' && *name != '}' && *name != 0x7f;
        changed = changed || !plain;
        sni_bytes_add(text, plain ? name : "_", 1);
    }
    return changed;
}

static void open_joint(sniBvhPlan* plan, sniBytes* text, uint32_t joint) {
    uint32_t depth = plan->depths[joint];
    bool end = plan->ends[joint];
    indent(text, depth);
    sni_bytes_text(text, end ? "End Site" : depth == 0 ? "ROOT " : "JOINT ");
    if (!end && add_name(text, plan->model->skeleton->names[joint], joint)) plan->renamed++;
    sni_bytes_text(text, "\n");
    add_line(text, depth, "{");
    indent(text, depth + 1);
    add_place(text, "OFFSET ", plan->offsets[joint]);
    sni_bytes_text(text, "\n");
    if (end) return;
    add_line(text, depth + 1,
             plan->moves[joint] ? "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"
                                : "CHANNELS 3 Zrotation Yrotation Xrotation");
    if (plan->first_child[joint] != SN_NONE) return;
    // Every last joint has an end site; where nothing is known of the bone's length it stays at the joint.
    add_line(text, depth + 1, "End Site");
    add_line(text, depth + 1, "{");
    add_line(text, depth + 2, "OFFSET 0 0 0");
    add_line(text, depth + 1, "}");
}

static void write_hierarchy(sniBvhPlan* plan, sniBytes* text) {
    uint32_t open = 0; // blocks not closed yet
    sni_bytes_text(text, "HIERARCHY\n");
    for (uint32_t i = 0; i < plan->model->skeleton->joint_count; i++) {
        uint32_t joint = plan->sequence[i];
        for (; open > plan->depths[joint]; open--) add_line(text, open - 1, "}");
        open_joint(plan, text, joint);
        open = plan->depths[joint] + 1;
    }
    for (; open > 0; open--) add_line(text, open - 1, "}");
}

// ------------------------------------------------------------------------------------------------ motion

static void write_frame(sniBvhPlan* plan, sniBytes* text, uint32_t frame) {
    const snSkeleton* skeleton = plan->model->skeleton;
    const char* before = "";
    sni_bvh_plan_pose(plan, frame);
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t joint = plan->sequence[i], parent = skeleton->parents[joint];
        if (plan->ends[joint]) continue;
        snQuat to_parent = parent != SN_NONE ? sn_quat_conjugate(plan->turns[parent]) : sn_quat_identity();
        if (plan->moves[joint]) {
            snVec3 from = parent != SN_NONE ? sn_mat4_translation(&plan->world[parent]) : sn_vec3(0, 0, 0);
            snVec3 place = sn_sub(sn_mat4_translation(&plan->world[joint]), from);
            add_place(text, before, sn_quat_rotate(to_parent, place));
            before = " ";
        }
        double angles[3];
        split_angles(sn_quat_normalize(sn_quat_mul(to_parent, plan->turns[joint])), angles);
        continue_angles(angles, &plan->angles[3 * (size_t)joint]);
        for (int a = 0; a < 3; a++, before = " ") add_number(text, before, angles[a], 6);
    }
    sni_bytes_text(text, "\n");
}

static void write_motion(sniBvhPlan* plan, sniBytes* text) {
    char line[64];
    snprintf(line, sizeof line, "MOTION\nFrames: %u\nFrame Time: ", plan->frame_count);
    sni_bytes_text(text, line);
    add_number(text, "", 1.0 / (double)plan->fps, 9);
    sni_bytes_text(text, "\n");
    for (uint32_t f = 0; f < plan->frame_count && !text->failed; f++) write_frame(plan, text, f);
}

static void write_notes(const sniBvhPlan* plan, snNotes* notes) {
    if (plan->model->clip_count > 1) {
        sni_note(notes, "BVH holds one clip: of %u only \"%.80s\" was written", plan->model->clip_count,
                 plan->clip->name);
    }
    if (plan->scaled) sni_note(notes, "BVH has no scale: joints keep their scaled positions, scale is lost");
    if (plan->renamed > 0) {
        sni_note(notes, "%u joints were renamed: BVH names must not be empty or contain blanks or braces",
                 plan->renamed);
    }
}

snResult sni_bvh_write(const snModel* model, const char* path, const snWriteDef* def, sniBytes* out,
                       sniBytes* beside, snError* error) {
    (void)path, (void)beside;
    if (def->morphs != NULL || def->joints != NULL) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "BVH holds no morph targets or helper joints, expected .glb or .gltf");
    }
    if (def->still != NULL) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "stills are for .glb and .gltf");
    }
    sniBvhPlan plan;
    snResult result = sni_bvh_plan(model, def, &out->allocator, &plan, error);
    if (result == SN_RESULT_OK) {
        write_hierarchy(&plan, out);
        write_motion(&plan, out);
        write_notes(&plan, def->notes);
    }
    sni_bvh_plan_free(&plan);
    return result;
}
