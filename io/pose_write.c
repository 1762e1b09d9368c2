// Poses of handles to files (.snpose), one step a line, said as shortly as a person would.
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "json.h"
#include "number.h"
#include "pose_file.h"

// Vertices in one text, and handles in one line.
#define DETAILS 8
#define PARTS 4

static void add_float(sniBytes* out, float value) {
    char text[SNI_NUMBER_MAX];
    sni_print_float(value, text);
    sni_bytes_text(out, text);
}

static void add_vector(sniBytes* out, const char* key, snVec3 v) {
    sni_bytes_text(out, key);
    add_float(out, v.x);
    sni_bytes_text(out, ", ");
    add_float(out, v.y);
    sni_bytes_text(out, ", ");
    add_float(out, v.z);
    sni_bytes_text(out, "]");
}

// With quotes and escapes.
static void add_name(sniBytes* out, const char* key, const char* name) {
    sni_bytes_text(out, key);
    sniJsonValue* text = sni_json_string(name);
    if (text != NULL) sni_json_print(text, false, out);
    if (text == NULL) out->failed = true;
    sni_json_free(text);
}

// The fewest decimals of degrees that read back to the same radians. A whole number below 2^53 by a power of
// ten is the double next to that decimal, so nothing needs to be parsed.
static void add_degrees(sniBytes* out, float radians) {
    double exact = (double)radians * (180.0 / 3.14159265358979323846), degrees = exact, power = 1.0;
    for (int decimals = 0; decimals < 10 && fabs(exact) * power < 1e15; decimals++, power *= 10.0) {
        double rounded = floor(exact * power + 0.5) / power;
        if ((float)(rounded * (3.14159265358979323846 / 180.0)) != radians) continue;
        degrees = rounded;
        break;
    }
    char text[SNI_NUMBER_MAX];
    sni_print_double(degrees, text);
    sni_bytes_text(out, text);
}

// -------------------------------------------------------------------------------------------------- steps

static bool moves(const snPoseStep* step, uint32_t handle) {
    for (uint32_t k = 0; k < step->handle_count; k++) {
        if (step->handles[k] == handle) return true;
    }
    return false;
}

// Whether a step moves a handle with all its followers and nothing else.
static bool is_main(const snHandles* handles, const snPoseStep* step, uint32_t handle) {
    if (!moves(step, handle)) return false;
    uint8_t marks[SN_HANDLES_MAX];
    sn_handles_followers(handles, handle, marks);
    uint32_t next = 0;
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        bool moved = next < step->handle_count && step->handles[next] == h;
        if (moved != (marks[h] != 0)) return false;
        next += moved;
    }
    return true;
}

// The handle a step is told about; `out_whole`: whether its followers are all that goes along.
static uint32_t main_handle(const snHandles* handles, const snPoseStep* step, bool* out_whole) {
    bool turn = step->act == SN_POSE_ROTATE;
    *out_whole = true;
    if (turn && is_main(handles, step, step->center)) return step->center;
    if (turn && is_main(handles, step, step->frame)) return step->frame;
    for (uint32_t k = 0; k < step->handle_count; k++) {
        if (is_main(handles, step, step->handles[k])) return step->handles[k];
    }
    *out_whole = false;
    return turn && moves(step, step->center) ? step->center : step->handles[0];
}

static void add_company(sniBytes* out, const snHandles* handles, const snPoseStep* step, uint32_t main) {
    if (step->handle_count == 1) {
        sni_bytes_text(out, ", \"alone\": true");
        return;
    }
    const char* before = ", \"with\": [";
    for (uint32_t k = 0; k < step->handle_count; k++) {
        if (step->handles[k] == main) continue;
        add_name(out, before, handles->handles[step->handles[k]].name);
        before = ", ";
    }
    sni_bytes_text(out, "]");
}

static void add_step(sniBytes* out, const snHandles* handles, const snPoseStep* step) {
    bool whole = false, turn = step->act == SN_POSE_ROTATE;
    uint32_t main = main_handle(handles, step, &whole);
    add_name(out, turn ? "    {\"turn\": " : "    {\"move\": ", handles->handles[main].name);
    if (turn && step->frame != main) add_name(out, ", \"frame\": ", handles->handles[step->frame].name);
    if (turn && step->center != main) add_name(out, ", \"center\": ", handles->handles[step->center].name);
    if (turn) {
        add_vector(out, ", \"axis\": [", step->axis);
        sni_bytes_text(out, ", \"degrees\": ");
        add_degrees(out, step->angle);
    } else {
        add_vector(out, ", \"by\": [", step->move);
    }
    if (!whole) add_company(out, handles, step, main);
    sni_bytes_text(out, "}");
}

// -------------------------------------------------------------------------------------------------- parts

// Marks the handles that a step names.
static void mark_named(const snHandles* handles, const snPoseStep* step, uint8_t* marks) {
    bool whole = false;
    uint32_t main = main_handle(handles, step, &whole);
    marks[main] = 1;
    if (step->act == SN_POSE_ROTATE) marks[step->frame] = marks[step->center] = 1;
    for (uint32_t k = 0; k < step->handle_count && !whole; k++) marks[step->handles[k]] = 1;
}

static void add_rest(sniBytes* out, const snHandles* handles, const snJointName* anatomy) {
    snPoseRest rest = sn_handles_rest(handles, anatomy);
    uint32_t count = 0;
    sni_bytes_text(out, ",\n  \"rest\": {");
    for (uint32_t i = 0; i < SN_POSE_LIMBS; i++) {
        if (!(sn_length(rest.ways[i]) > 0.0f)) continue;
        add_name(out, count++ > 0 ? ",\n    " : "\n    ", sn_pose_limb_name(i));
        add_vector(out, ": [", rest.ways[i]);
    }
    sni_bytes_text(out, count > 0 ? "\n  }" : "}");
}

// What the handles of a pose are in a body, and how that rests: for bodies of other names that rest
// otherwise.
static void add_parts(sniBytes* out, const snHandlePose* pose, const snHandles* handles) {
    uint8_t marks[SN_HANDLES_MAX] = {0};
    uint32_t count = 0;
    snJointName* anatomy = SNI_NEW_ARRAY(&out->allocator, snJointName, handles->handle_count);
    if (anatomy == NULL || sn_handles_anatomy(handles, &out->allocator, anatomy) != SN_RESULT_OK)
        out->failed = true;
    for (uint32_t i = 0; i < pose->step_count && !out->failed; i++)
        mark_named(handles, &pose->steps[i], marks);
    for (uint32_t h = 0; h < handles->handle_count && !out->failed; h++) {
        if (marks[h] == 0 || anatomy[h].text[0] == '\0') continue;
        if (count == 0) sni_bytes_text(out, ",\n  \"parts\": {");
        const char* before = count % PARTS != 0 ? ", " : count > 0 ? ",\n    " : "\n    ";
        add_name(out, before, handles->handles[h].name);
        add_name(out, ": ", anatomy[h].text);
        count++;
    }
    if (count > 0) {
        sni_bytes_text(out, "\n  }");
        add_rest(out, handles, anatomy);
    }
    sni_free(&out->allocator, anatomy);
}

// -------------------------------------------------------------------------------------------------- whole

static void add_details(sniBytes* out, const snHandlePose* pose, const snHandles* handles) {
    char text[96];
    if (pose->detail_count == 0) return;
    snprintf(text, sizeof text, ",\n  \"mesh\": {\"vertices\": %u, \"hash\": \"%016llx\"}",
             handles->vertex_count, (unsigned long long)handles->mesh_hash);
    sni_bytes_text(out, text);
    sni_bytes_text(out, ",\n  \"details\": [");
    for (uint32_t i = 0; i < pose->detail_count; i++) {
        bool begins = i % DETAILS == 0, ends = i + 1 == pose->detail_count || i % DETAILS == DETAILS - 1;
        snprintf(text, sizeof text, "%s%s%u:", begins && i > 0 ? "," : "", begins ? "\n    \"" : " ",
                 pose->details[i].vertex);
        sni_bytes_text(out, text);
        add_float(out, pose->details[i].offset);
        if (ends) sni_bytes_text(out, "\"");
    }
    sni_bytes_text(out, "\n  ]");
}

void sni_pose_print(sniBytes* out, const snHandlePose* pose, const snHandles* handles) {
    add_name(out, "{\n  \"sinew_pose\": 1,\n  \"name\": ", pose->name);
    if (handles->size > 0.0f) {
        sni_bytes_text(out, ",\n  \"size\": ");
        add_float(out, handles->size);
    }
    add_parts(out, pose, handles);
    sni_bytes_text(out, ",\n  \"steps\": [");
    for (uint32_t i = 0; i < pose->step_count; i++) {
        sni_bytes_text(out, i > 0 ? ",\n" : "\n");
        add_step(out, handles, &pose->steps[i]);
    }
    sni_bytes_text(out, pose->step_count > 0 ? "\n  ]" : "]");
    add_details(out, pose, handles);
    sni_bytes_text(out, "\n}\n");
}

snResult sn_handle_pose_write(const snHandlePose* pose, const snHandles* handles, const char* path,
                              snError* error) {
    if (pose == NULL || handles == NULL || path == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a pose, its handles and a path are needed");
    }
    snAllocator memory = sn_allocator_default();
    sniBytes out = sni_bytes(&memory);
    sni_pose_print(&out, pose, handles);
    return sni_bytes_save(&out, SN_RESULT_OK, path, error);
}

snResult sn_handle_pose_write_memory(const snHandlePose* pose, const snHandles* handles,
                                     const snAllocator* allocator, snBytes* out, snError* error) {
    if (pose == NULL || handles == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a pose, its handles and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    sniBytes bytes = sni_bytes(&memory);
    sni_pose_print(&bytes, pose, handles);
    return sni_bytes_hand(&bytes, SN_RESULT_OK, out, error);
}
