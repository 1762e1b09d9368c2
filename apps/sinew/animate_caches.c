// The files of point caches: one for each mesh, or one of all.
#include <string.h>

#include "animate.h"

static uint32_t count_of(const animateJob* job) {
    bool cache = path_has_extension(job->output, ".pc2") || path_has_extension(job->output, ".mdd");
    return cache ? sn_take_cache_count(job->take, cli_given(job->context->arguments, "join")) : 1;
}

// Calls for each file that has a name of its own.
static void each_file(const animateJob* job,
                      void (*visit)(const animateJob* job, const char* path, void* user), void* user) {
    char path[4096];
    if (count_of(job) == 1) return;
    for (uint32_t p = 0; p < job->model->part_count; p++) {
        if (job->model->parts[p].mesh->vertex_count > 0 &&
            sn_take_cache_path(job->take, job->output, p, path, sizeof path, NULL) == SN_RESULT_OK)
            visit(job, path, user);
    }
}

static void say_file(const animateJob* job, const char* path, void* user) {
    (void)user;
    context_say(job->context, "  %s", path);
}

static void report_file(const animateJob* job, const char* path, void* user) {
    (void)job;
    sni_json_add(user, sni_json_string(path));
}

void animate_say_caches(const animateJob* job) {
    if (count_of(job) > 1)
        context_say(job->context, "one file for each of %u meshes (--join makes one of all):", count_of(job));
    each_file(job, say_file, NULL);
}

void animate_report_caches(const animateJob* job, sniJsonValue* object) {
    if (count_of(job) == 1) return;
    sniJsonValue* files = sni_json_array();
    each_file(job, report_file, files);
    sni_json_set(object, "outputs", files);
}
