// The takes of one run of `sinew animate`: one clip, or with --clip all every clip of the character.
#include <string.h>

#include "animate.h"
#include "base/error.h"
#include "base/memory.h"

// A clip of that name is meant before.
bool animate_wants_all(const animateJob* job) {
    const char* name = cli_text(job->context->arguments, "clip");
    return name != NULL && strcmp(name, "all") == 0 && sn_model_find_clip(job->model, name) == SN_NONE;
}

cliExit animate_check_all(const animateJob* job) {
    const cliArguments* a = job->context->arguments;
    bool gltf = path_has_extension(job->output, ".glb") || path_has_extension(job->output, ".gltf");
    if (!animate_wants_all(job) || job->model->clip_count == 0) return CLI_DONE;
    if (!gltf) return cli_usage(a->verb, "--clip all is for .glb and .gltf: other files hold one clip");
    if (job->source != NULL) return cli_usage(a->verb, "--clip all is for the character's own clips");
    if (bake_target(a, SN_BAKE_JOINTS) >= SN_BAKE_MORPHS)
        return cli_usage(a->verb, "--clip all is for helper joints; morph targets hold one clip");
    if (cli_given(a, "from") || cli_given(a, "to"))
        return cli_usage(a->verb, "--clip all writes whole clips; --from and --to are not possible");
    return CLI_DONE;
}

cliExit animate_make_takes(animateJob* job) {
    snError error = sn_error_none();
    const snDocument* document = job->context->document;
    if (sn_take_create(document, &job->plan, NULL, &job->take, &error) != SN_RESULT_OK)
        return context_fail(job->context, &error);
    uint32_t count = animate_wants_all(job) ? job->model->clip_count : 1;
    job->more = SNI_NEW_ARRAY(&job->context->memory, snTake*, count);
    if (job->more == NULL) return context_fail_memory(job->context);
    for (uint32_t c = 1; c < count; c++) {
        snTakeDef def = job->plan;
        def.clip = c;
        def.to = SN_CLIP_END;
        def.with = job->take;
        if (sn_take_create(document, &def, NULL, &job->more[job->more_count], &error) != SN_RESULT_OK)
            return context_fail(job->context, &error);
        job->more_count++;
    }
    return CLI_DONE;
}

snResult animate_write_takes(animateJob* job, const snTakeWriteDef* def, snError* error) {
    snTake* takes[1] = {job->take};
    if (job->more_count == 0) return sn_takes_write(takes, 1, job->output, def, error);
    snTake** all = SNI_NEW_ARRAY(&job->context->memory, snTake*, (size_t)job->more_count + 1);
    if (all == NULL) return sni_fail_memory(error);
    all[0] = job->take;
    for (uint32_t i = 0; i < job->more_count; i++) all[i + 1] = job->more[i];
    snResult result = sn_takes_write(all, job->more_count + 1, job->output, def, error);
    sni_free(&job->context->memory, (void*)all);
    return result;
}
