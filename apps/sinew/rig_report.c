#include "rig_report.h"

#include <stdio.h>
#include <string.h>

#include "report.h"

static sniJsonValue* list_handles(const snHandles* handles) {
    sniJsonValue* list = sni_json_array();
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        const snHandle* handle = &handles->handles[h];
        sniJsonValue *object = sni_json_object(), *followers = sni_json_array();
        sni_json_set(object, "name", sni_json_string(handle->name));
        sni_json_set(object, "vertices", sni_json_uint(handle->vertex_count));
        sni_json_set(object, "center", sni_json_floats(&handle->center.x, 3));
        sni_json_set(object, "confidence", sni_json_real((double)handle->confidence));
        for (uint32_t i = 0; i < handle->follower_count; i++)
            sni_json_add(followers, sni_json_string(handles->handles[handle->followers[i]].name));
        sni_json_set(object, "followers", followers);
        sni_json_add(list, object);
    }
    return list;
}

void rig_report_json(const snHandles* handles, sniJsonValue* object) {
    sni_json_set(object, "vertices", sni_json_uint(handles->vertex_count));
    sni_json_set(object, "free", sni_json_uint(sn_handles_free_count(handles)));
    sni_json_set(object, "mesh_hash", report_hash(handles->mesh_hash));
    sni_json_set(object, "handles", list_handles(handles));
}

static void print_table(const snHandles* handles) {
    int width = 6;
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        int length = (int)strlen(handles->handles[h].name);
        if (length > width && length <= 40) width = length;
    }
    printf("%u handles for a mesh of %u vertices, %u of them free\n\n", handles->handle_count,
           handles->vertex_count, sn_handles_free_count(handles));
    printf("%-*s  %8s  %5s  %-24s  %s\n", width, "handle", "vertices", "sure", "center", "followers");
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        const snHandle* handle = &handles->handles[h];
        char center[64];
        snprintf(center, sizeof center, "%.3f %.3f %.3f", (double)handle->center.x, (double)handle->center.y,
                 (double)handle->center.z);
        printf("%-*s  %8u  %5.2f  %-24s ", width, handle->name, handle->vertex_count,
               (double)handle->confidence, center);
        for (uint32_t i = 0; i < handle->follower_count; i++)
            printf(" %s", handles->handles[handle->followers[i]].name);
        putchar('\n');
    }
}

snResult rig_report_read(const cliContext* context, const char* path, const snMesh* mesh, snHandles** out,
                         snError* error) {
    snReadDef def = sn_read_def();
    def.allocator = &context->memory;
    def.memory_limit = context->budget.limit;
    return sn_handles_read(path, mesh, &def, out, error);
}

cliExit rig_report_file(const cliContext* context, const char* path) {
    snHandles* handles = NULL;
    snError error = sn_error_none();
    if (rig_report_read(context, path, NULL, &handles, &error) != SN_RESULT_OK)
        return context_fail(context, &error);
    cliExit code = CLI_DONE;
    if (context->json) {
        sniJsonValue* object = sni_json_object();
        sni_json_set(object, "file", sni_json_string(path));
        sni_json_set(object, "kind", sni_json_string("rig"));
        rig_report_json(handles, object);
        code = report_print(context, object);
    } else {
        print_table(handles);
    }
    sn_handles_destroy(handles);
    return code;
}
