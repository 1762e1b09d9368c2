#include <stdlib.h>
#include <string.h>

#include "fuzz_summary.h"
#include "pose_file.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// Three handles in a row and one apart, as in the seeds.
static const char RIG[] =
    "{\"sinew_rig\":1,\"mesh\":{\"vertices\":9,\"hash\":\"0123456789abcdef\"},\"handles\":["
    "{\"name\":\"a\",\"center\":[0,1,0],\"followers\":[\"b\"],\"vertices\":[\"0-3\"]},"
    "{\"name\":\"b\",\"center\":[1,0,0],\"followers\":[\"c\"],\"vertices\":[\"4\"]},"
    "{\"name\":\"c\",\"center\":[2,0,0],\"vertices\":[\"5\"]},"
    "{\"name\":\"d\",\"center\":[0,0,3],\"vertices\":[\"6-8\"]}]}";

// Every rule of a pose holds, and it can be blended.
static void check_pose(const snHandlePose* pose, const snHandles* handles) {
    for (uint32_t i = 0; i < pose->step_count; i++) {
        const snPoseStep* step = &pose->steps[i];
        if (step->handle_count == 0 || step->frame >= handles->handle_count) abort();
        for (uint32_t k = 0; k < step->handle_count; k++) {
            if (step->handles[k] >= handles->handle_count) abort();
        }
    }
    snRigid state[4];
    float weight = 0.5f, offsets[9];
    sn_handle_poses_blend(handles, &pose, &weight, NULL, 1, state);
    sn_handle_poses_details(handles, &pose, &weight, 1, offsets);
}

static sniBytes print(const snHandlePose* pose, const snHandles* handles) {
    snAllocator memory = sn_allocator_default();
    sniBytes text = sni_bytes(&memory);
    sni_pose_print(&text, pose, handles);
    if (text.failed) abort();
    return text;
}

// What is refused says why; what is taken is a sound pose, and says the same when it is written and read
// again.
int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static snHandles* handles = NULL;
    if (handles == NULL &&
        sn_handles_read_memory("fuzz.snrig", RIG, strlen(RIG), NULL, NULL, &handles, NULL) != SN_RESULT_OK)
        abort();
    snReadDef def = sn_read_def();
    def.memory_limit = (size_t)64 << 20;
    snHandlePose *pose = NULL, *again = NULL;
    snError error = sn_error_none();
    snResult result = sn_handle_pose_read_memory("fuzz.snpose", data, size, handles, &def, &pose, &error);
    snFileSummary* summary = fuzz_summary(data, size);
    if (result != SN_RESULT_OK) {
        if (error.code != result || error.text[0] == '\0' || pose != NULL) abort();
        sn_file_summary_destroy(summary);
        return 0;
    }
    if (summary == NULL || summary->kind != SN_FILE_POSE ||
        summary->turns + summary->moves != pose->step_count)
        abort();
    sn_file_summary_destroy(summary);
    check_pose(pose, handles);
    sniBytes first = print(pose, handles);
    if (sn_handle_pose_read_memory("again.snpose", first.data, first.size, handles, NULL, &again, NULL) !=
        SN_RESULT_OK)
        abort();
    sniBytes second = print(again, handles);
    if (first.size != second.size || memcmp(first.data, second.data, first.size) != 0) abort();
    sni_bytes_free(&first);
    sni_bytes_free(&second);
    sn_handle_pose_destroy(pose);
    sn_handle_pose_destroy(again);
    return 0;
}
