// One step of the flesh: the passes in order, and the split over workers.
#include "base/levels.h"
#include "flesh/kernels.h"

SNI_DEFINE_KERNELS_OF(sni_flesh_kernels, sni_flesh_kernels, sniFleshKernels);

// What a step keeps between its passes, one after the other in the scratch memory.
static size_t cut_count(uint32_t particles) { return ((size_t)particles / SNI_FLESH_GRAIN + 16) / 16 * 16; }

size_t sn_flesh_scratch_size(const snFlesh* flesh) {
    uint32_t particles = flesh->binding->lattice->particle_count;
    return (size_t)particles * (sizeof(sniFleshPlace) + SNI_FLESH_ROW * sizeof(float)) +
           (size_t)flesh->binding->joint_count * sizeof(snBounds) + cut_count(particles) * sizeof(uint32_t);
}

static void lay_out(const snFleshJob* job, sniFleshRun* run) {
    uint32_t particles = job->state->particle_count;
    char* at = job->scratch;
    run->places = (sniFleshPlace*)(void*)at;
    at += (size_t)particles * sizeof *run->places;
    run->fits = (float(*)[SNI_FLESH_ROW])(void*)at;
    at += (size_t)particles * sizeof *run->fits;
    run->groups = (snBounds*)(void*)at;
    at += (size_t)job->flesh->binding->joint_count * sizeof(snBounds);
    run->cuts = (uint32_t*)(void*)at;
}

typedef void Pass(const sniFleshRun* run, uint32_t begin, uint32_t end);
typedef struct PassTask {
    const sniFleshRun* run;
    Pass* pass;
} PassTask;

static void pass_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const PassTask* task = context;
    for (uint32_t p = begin; p < end; p += SNI_FLESH_GRAIN) {
        task->pass(task->run, p, end - p < SNI_FLESH_GRAIN ? end : p + SNI_FLESH_GRAIN);
    }
}

static void run_pass(const sniFleshRun* run, Pass* pass) {
    PassTask task = {run, pass};
    sn_tasks_run(run->job->tasks, pass_task, &task, run->job->state->particle_count, SNI_FLESH_GRAIN);
}

static bool job_is_whole(const snFleshJob* job) {
    const snFleshMaterial* m = job->material;
    return job->flesh != NULL && m != NULL && job->state != NULL && job->primary != NULL &&
           job->scratch != NULL && job->step > 0.0f && job->limit >= 0.0f && m->deltas != NULL &&
           m->alphas != NULL && m->dampings != NULL && m->holds != NULL && m->forces != NULL &&
           (job->collider_count == 0 || job->colliders != NULL) &&
           job->state->particle_count == job->flesh->binding->lattice->particle_count;
}

static sniFleshRun run_of(const snFleshJob* job) {
    sniFleshRun run = {.job = job, .origin = job->state->primaries[0]};
    lay_out(job, &run);
    run.initial = job->rest == SN_FLESH_INITIAL;
    return run;
}

// Goals are in the places of the shapes. Returns how many moves were cut.
static uint32_t move_on(const sniFleshRun* run) {
    const snFleshJob* job = run->job;
    run_pass(run, sni_flesh_kernels(job->level)->advance);
    job->state->fresh = false;
    if (job->ground || job->collider_count > 0)
        sni_flesh_contacts(job, run->places, run->origin, run->groups);
    uint32_t cut = 0;
    for (uint32_t p = 0; p < job->state->particle_count; p += SNI_FLESH_GRAIN) {
        cut += run->cuts[p / SNI_FLESH_GRAIN];
    }
    return cut;
}

snResult sn_flesh_step(const snFleshJob* job, uint32_t* out_cut) {
    if (job == NULL || !job_is_whole(job)) return SN_RESULT_INVALID_ARGUMENT;
    const sniFleshKernels* kernels = sni_flesh_kernels(job->level);
    if (kernels == NULL) return SN_RESULT_UNSUPPORTED;
    if (out_cut != NULL) *out_cut = 0;
    if (job->state->particle_count == 0) return SN_RESULT_OK;
    sniFleshRun run = run_of(job);
    if (job->region_damping > 0.0f && !job->state->fresh) {
        sniFleshRun damping = run;
        damping.initial = false;
        run_pass(&damping, kernels->prepare_damping);
        run_pass(&damping, kernels->fit_velocity);
        run_pass(&damping, kernels->aim);
        run_pass(&damping, kernels->damp);
    }
    run_pass(&run, kernels->prepare);
    run_pass(&run, kernels->fit);
    run_pass(&run, kernels->aim);
    uint32_t cut = move_on(&run);
    if (out_cut != NULL) *out_cut = cut;
    return SN_RESULT_OK;
}

void sni_flesh_begin_step(const snFleshJob* job, sniFleshPlace* places) {
    sniFleshRun run = {.job = job, .origin = job->state->primaries[0], .places = places};
    run_pass(&run, sni_flesh_kernels(job->level)->prepare);
}

uint32_t sni_flesh_end_step(const snFleshJob* job, sniFleshPlace* places) {
    sniFleshRun run = run_of(job);
    run.places = places;
    return move_on(&run);
}

// A follower is displaced as its host is beside it.
static void show_followers(const snFleshShowJob* job) {
    const snFlesh* flesh = job->flesh;
    for (uint32_t i = 0; i < flesh->follower_count; i++) {
        const sniFollower* follower = &flesh->followers[i];
        snVec3 move = {0.0f, 0.0f, 0.0f};
        for (int k = 0; k < 8; k++) {
            snVec4 shown = job->out_points[follower->corners[k]], at = job->primary[follower->corners[k]];
            snVec3 corner = sn_vec3(shown.x - at.x, shown.y - at.y, shown.z - at.z);
            move = sn_add(move, sn_scale(corner, follower->shares[k]));
        }
        snVec4 at = job->primary[follower->particle];
        job->out_points[follower->particle] = (snVec4){at.x + move.x, at.y + move.y, at.z + move.z, 0.0f};
    }
}

snResult sn_flesh_show(const snFleshShowJob* job) {
    if (job == NULL || job->flesh == NULL || job->material == NULL || job->state == NULL ||
        job->primary == NULL || job->out_points == NULL || job->out_points == job->primary) {
        return SN_RESULT_INVALID_ARGUMENT;
    }
    const sniFleshKernels* kernels = sni_flesh_kernels(job->level);
    if (kernels == NULL) return SN_RESULT_UNSUPPORTED;
    kernels->show(job, 0, job->state->particle_count);
    show_followers(job);
    return SN_RESULT_OK;
}
