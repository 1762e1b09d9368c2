// From a pose to surfaces: matrices, skin and volume of the lattice, flesh that moves on in steps, and the
// parts that hang in it.
//
// States of the flesh lie at multiples of the step, with the pose at those times; what is shown between two
// states is the primary at that very time, moved by the blend of what the two states add. So a state does
// not depend on the frame rate, and delta = 0 shows exactly the primary.
#include <string.h>

#include "base/error.h"
#include "character/character.h"
#include "flesh/surface_kernels.h"
#include "flesh/together.h"
#include "rig/range.h"

// A time within this share of a step from a state is that state's.
#define SAME_TIME 1e-3
// Steps from time 0 beyond which no float tells one state from the next.
#define MOST_STEPS 1e12
// A body does not move further at once than its own scale and this many times that in a second, nor one joint
// this many times as far: it was put there. Judged, not measured.
#define FASTEST 15.0f
#define TELEPORT_JOINT 8.0f

// ----------------------------------------------------------------------------------------------- primary

// Rest positions and normals with the morphs' offsets added in order.
static void apply_morphs(const snPart* part, const sniPartTables* tables, sniPartState* state) {
    const snMesh* mesh = part->mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t source = tables->sources[v];
        snVec3 p = mesh->positions[source];
        for (uint32_t m = 0; m < part->morph_count; m++) {
            if (part->morphs[m].positions == NULL || state->morph_weights[m] == 0.0f) continue;
            p = sn_add(p, sn_scale(part->morphs[m].positions[source], state->morph_weights[m]));
        }
        state->rest[v] = p;
    }
    if (mesh->normals == NULL || mesh->corner_normals != NULL) {
        snNormalsJob job = {
            .mesh = mesh, .weld = tables->weld, .positions = state->rest, .out_normals = state->rest_normals};
        sn_normals_run(&job);
        return;
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 n = mesh->normals[v];
        for (uint32_t m = 0; m < part->morph_count; m++) {
            if (part->morphs[m].normals == NULL || state->morph_weights[m] == 0.0f) continue;
            n = sn_add(n, sn_scale(part->morphs[m].normals[v], state->morph_weights[m]));
        }
        state->rest_normals[v] = sn_normalize_or(n, mesh->normals[v]);
    }
}

static void fill_lattice_matrices(snCharacter* character) {
    const sniTables* tables = character->tables;
    for (uint32_t j = 0; j < tables->binding->joint_count; j++) {
        character->work->lattice_matrices[j] =
            sn_mat4_mul(&character->world[tables->binding->joints[j]], &tables->inverse_binds[j]);
    }
}

// Where the plain skins put the particles, so that vertices skinned the same way can be moved on from there.
static snResult skin_plainly(snCharacter* character) {
    const sniTables* tables = character->tables;
    const snBinding* binding = tables->binding;
    sniWorkspace* work = character->work;
    uint32_t count = binding->lattice->particle_count;
    bool dual = tables->settings->skin == SN_SKIN_DUAL;
    snDualSigns turns = dual ? sni_turns_of(character, tables->model->skin_count) : (snDualSigns){0};
    snSkinPlanJob job = {.plan = tables->particle_plan,
                         .turns = dual ? &turns : NULL,
                         .matrices = work->lattice_matrices,
                         .out_points = work->plain,
                         .tasks = &character->def.tasks,
                         .level = character->def.level,
                         .scratch = work->skin_scratch};
    snResult result;
    if (tables->settings->skin == SN_SKIN_SPLINE)
        result = sni_splines_skin_particles(character);
    else
        result = dual ? sn_skin_plan_dual_run(&job) : sn_skin_plan_run(&job);
    // One by one: put together in memory first, they stall.
    for (uint32_t p = 0; p < count; p++) {
        work->skin[p].x = work->plain[p].x;
        work->skin[p].y = work->plain[p].y;
        work->skin[p].z = work->plain[p].z;
        work->skin[p].w = 0.0f;
    }
    memcpy(work->primary, work->skin, count * sizeof *work->skin);
    return result;
}

// A joint that scales takes the volume of its part along.
static void fill_targets(const snCharacter* character) {
    for (uint32_t j = 0; j < character->tables->binding->joint_count; j++) {
        const float* m = character->work->lattice_matrices[j].m;
        snVec3 x = {m[0], m[1], m[2]}, y = {m[4], m[5], m[6]}, z = {m[8], m[9], m[10]};
        float det = sn_dot(x, sn_cross(y, z));
        // A joint that flattens or mirrors its part leaves nothing to keep.
        character->work->targets[j] = det > 0.0f ? det : 0.0f;
    }
}

static void note_volumes(snCharacter* character) {
    snCharacterReport* report = &character->report;
    const snBinding* binding = character->tables->binding;
    bool both = character->tables->settings->volume_both_ways;
    for (uint32_t j = 0; j < binding->joint_count; j++) {
        const snPartVolumeState* part = &character->volumes[j];
        float error = 1.0f - part->after, before = 1.0f - part->before;
        if (both) error = error < 0.0f ? -error : error;
        if (both) before = before < 0.0f ? -before : before;
        report->volume_before_max = sn_maxf(report->volume_before_max, before);
        if (!(error > report->volume_error_max)) continue;
        report->volume_error_max = error;
        report->volume_joint = binding->joints[j];
        report->volume_clamped = part->clamped;
    }
}

// Gives `points` back what their parts lost; `out` says what became of them, or is NULL.
// `whole` says what the surface has of its volume; NULL: as much beyond its parts as in the pose.
static snResult correct_volume(snCharacter* character, snVec4* points, const float* whole,
                               snPartVolumeState* out) {
    const sniTables* tables = character->tables;
    snPartVolumeJob job = {.volume = tables->volume,
                           .sweeps = tables->settings->volume_sweeps,
                           .both_ways = tables->settings->volume_both_ways,
                           .targets = character->work->targets,
                           .pushes = character->work->pushes,
                           .points = points,
                           .whole = whole,
                           .beyond = character->beyond,
                           .out_beyond = &character->beyond,
                           .scratch = character->work->lattice_scratch,
                           .out_parts = out,
                           .level = character->def.level};
    return sn_part_volume_run(&job);
}

// Skin and volume of the particles in the pose of `world`.
static snResult pose_lattice(snCharacter* character) {
    const sniTables* tables = character->tables;
    const snSettings* settings = tables->settings;
    sniWorkspace* work = character->work;
    fill_lattice_matrices(character);
    snLatticeSkinJob skin = {.skin = tables->skin,
                             .matrices = work->lattice_matrices,
                             .out_points = work->primary,
                             .out_pushes = tables->volume != NULL ? work->pushes : NULL,
                             .out_rotations = tables->flesh != NULL ? work->rotations : NULL,
                             .scratch = work->lattice_scratch,
                             .tasks = &character->def.tasks,
                             .level = character->def.level};
    snResult result = sn_lattice_skin_run(&skin);
    if (result == SN_RESULT_OK && settings->skin != SN_SKIN_LATTICE) result = skin_plainly(character);
    if (result != SN_RESULT_OK || tables->volume == NULL) return result;
    fill_targets(character);
    float whole = 1.0f;
    character->beyond = 0.0f;
    if (tables->whole != NULL) {
        bool dual = settings->skin == SN_SKIN_DUAL;
        snDualSigns turns = dual ? sni_turns_of(character, tables->model->skin_count) : (snDualSigns){0};
        SNI_TRY(sni_whole_volume(character, dual ? &turns : NULL, &whole));
    }
    result =
        correct_volume(character, work->primary, tables->whole != NULL ? &whole : NULL, character->volumes);
    if (result == SN_RESULT_OK) note_volumes(character);
    return result;
}

// ------------------------------------------------------------------------------------------------- flesh

static float profile_at(const snCharacter* character, double time) {
    const snSettings* s = character->tables->settings;
    float scale = 1.0f, t = (float)time;
    if (s->profile_count > 0) {
        uint32_t i = 0;
        while (i < s->profile_count && s->profile[i].time <= t) i++;
        const snProfileKey* from = &s->profile[i > 0 ? i - 1 : 0];
        const snProfileKey* to = &s->profile[i < s->profile_count ? i : s->profile_count - 1];
        float share = to->time > from->time ? (t - from->time) / (to->time - from->time) : 0.0f;
        scale = sn_lerpf(from->delta, to->delta, share);
    }
    if (character->def.profile != NULL) scale *= character->def.profile(character->def.profile_user, time);
    return sn_clampf(scale, 0.0f, 1.0f);
}

// Comes and goes with two beats that never quite meet.
static snVec3 wind_at(const snSettings* s, double time) {
    float t = (float)time;
    float beat = 0.5f * (sn_sin(1.7f * t) + sn_sin(4.3f * t + 1.0f));
    return sn_scale(s->wind, sn_maxf(0.0f, 1.0f + s->gust * beat));
}

// Colliders where the pose has them now. What was now is before; at the start there is no before.
static void move_colliders(snCharacter* character, bool start) {
    const sniTables* tables = character->tables;
    const snSettings* s = tables->settings;
    start = start || character->colliders_fresh;
    character->colliders_fresh = false;
    for (uint32_t c = 0; c < character->collider_count; c++) {
        snCollider* collider = &character->colliders[c];
        snVec3 from, to;
        if (c < s->collider_count) {
            const snColliderDef* def = &s->colliders[c];
            uint32_t joint = tables->collider_joints[c];
            from = joint != SN_NONE ? sn_mat4_point(&character->world[joint], def->from) : def->from;
            to = joint != SN_NONE ? sn_mat4_point(&character->world[joint], def->to) : def->to;
            collider->radius = def->radius;
        } else {
            const sniBoneCapsule* bone = &tables->capsules[c - s->collider_count];
            from = sn_mat4_point(&character->work->lattice_matrices[bone->joint], bone->from);
            to = sn_mat4_point(&character->work->lattice_matrices[bone->joint], bone->to);
            collider->radius = bone->radius;
            collider->owner = bone->joint;
            collider->from_rest = bone->from;
            collider->to_rest = bone->to;
        }
        collider->from_before = start ? from : collider->from;
        collider->to_before = start ? to : collider->to;
        collider->from = from;
        collider->to = to;
    }
}

static void note_places(const snCharacter* character, snVec3* out) {
    const snBinding* binding = character->tables->binding;
    for (uint32_t j = 0; j < binding->joint_count; j++)
        out[j] = sn_mat4_translation(&character->world[binding->joints[j]]);
}

// Whether the body was put where `world` has it, from `before`: no body is that fast.
static bool teleported(const snCharacter* character, const snVec3* before, float seconds) {
    const sniTables* tables = character->tables;
    float least = INFINITY, most = 0.0f;
    for (uint32_t j = 0; j < tables->binding->joint_count; j++) {
        snVec3 place = sn_mat4_translation(&character->world[tables->binding->joints[j]]);
        float way = sn_distance(place, before[j]);
        least = sn_minf(least, way);
        most = sn_maxf(most, way);
    }
    float reach = tables->scale * (1.0f + FASTEST * seconds);
    return !(least <= reach && most <= TELEPORT_JOINT * reach);
}

// At rest in the pose that the workspace holds.
static void start_flesh(snCharacter* character) {
    note_places(character, character->joint_places);
    character->places_fresh = false;
    sn_flesh_reset(character->state, character->work->primary);
    move_colliders(character, true);
}

// What the step to the state at `time` needs to know before its pose is there.
static snFleshJob job_at(const snCharacter* character, double time) {
    const sniTables* tables = character->tables;
    const snSettings* s = tables->settings;
    return (snFleshJob){.flesh = tables->flesh,
                        .material = &character->material,
                        .rest = s->rest,
                        .step = s->step,
                        .delta_scale = profile_at(character, time - (double)s->step),
                        .region_damping = s->region_damping,
                        .limit = s->limit * tables->scale,
                        .state = character->state,
                        .tasks = &character->def.tasks,
                        .level = character->def.level};
}

// The step to the pose that the workspace holds; `time` is that of the pose. False where it starts anew
// there.
static bool prepare_step(snCharacter* character, double time, snFleshJob* out) {
    const sniTables* tables = character->tables;
    const snSettings* s = tables->settings;
    sniWorkspace* work = character->work;
    character->report.steps++;
    if (!character->places_fresh && teleported(character, character->joint_places, s->step)) {
        character->report.resets++;
        start_flesh(character);
        return false;
    }
    note_places(character, character->joint_places);
    character->places_fresh = false;
    move_colliders(character, false);
    double begin = time - (double)s->step;
    bool pulled = character->pull.strength > 0.0f, forced = character->def.force != NULL;
    bool pushed = sni_pushes_at(character, begin);
    uint32_t count = character->state->particle_count;
    if (forced || pulled || pushed) memset(work->accelerations, 0, count * sizeof(snVec4));
    if (forced)
        character->def.force(character->def.force_user, begin, count, work->primary, work->accelerations);
    *out = job_at(character, time);
    if (pulled) sni_pull_add(character, out->delta_scale, work->accelerations);
    if (pushed) sni_pushes_add(character, begin, out->delta_scale, work->accelerations);
    out->gravity = s->gravity;
    out->wind = s->drag > 0.0f ? wind_at(s, time) : s->wind;
    out->drag = s->drag;
    out->primary = work->primary;
    out->rotations = work->rotations;
    out->accelerations = forced || pulled || pushed ? work->accelerations : NULL;
    out->collider_count = character->collider_count;
    out->colliders = character->colliders;
    out->ground = s->ground;
    out->ground_height = s->ground_height;
    out->friction = s->friction;
    out->scratch = work->lattice_scratch;
    return true;
}

static snResult step_flesh(snCharacter* character, double time) {
    snFleshJob job;
    if (!prepare_step(character, time, &job)) return SN_RESULT_OK;
    uint32_t cut = 0;
    snResult result = sn_flesh_step(&job, &cut);
    character->report.cuts += cut;
    return result;
}

// ----------------------------------------------------------------------------------------------- surfaces

static void fill_matrices(snCharacter* character, const snPart* part) {
    if (part->skin == SN_NONE) {
        character->work->matrices[0] = character->world[part->joint];
        return;
    }
    const snSkin* skin = &character->tables->model->skins[part->skin];
    for (uint32_t j = 0; j < skin->joint_count; j++) {
        character->work->matrices[j] =
            sn_mat4_mul(&character->world[skin->joints[j]], &skin->inverse_binds[j]);
    }
}

static snSkinPlanJob plan_job(snCharacter* character, uint32_t index, const snDualSigns* turns,
                              snVec3* points, snVec3* normals) {
    return (snSkinPlanJob){.plan = character->tables->parts[index].plan,
                           .turns = turns,
                           .matrices = character->work->matrices,
                           .out_points = points,
                           .out_normals = normals,
                           .tasks = &character->def.tasks,
                           .level = character->def.level,
                           .scratch = character->work->skin_scratch};
}

static snResult skin_by(snCharacter* character, uint32_t index, bool dual, snVec3* points, snVec3* normals) {
    const snPart* part = &character->tables->model->parts[index];
    const sniPartTables* tables = &character->tables->parts[index];
    const sniPartState* state = &character->parts[index];
    snDualSigns turns = dual ? sni_turns_of(character, part->skin) : (snDualSigns){0};
    if (tables->plan != NULL) {
        snSkinPlanJob job = plan_job(character, index, dual ? &turns : NULL, points, normals);
        return dual ? sn_skin_plan_dual_run(&job) : sn_skin_plan_run(&job);
    }
    bool morphed = part->morph_count > 0;
    snSkinJob job = {.point_count = part->mesh->vertex_count,
                     .points = morphed ? state->rest : tables->rest,
                     .normals = morphed ? state->rest_normals : tables->rest_normals,
                     .influences = tables->influences,
                     .joints = tables->joints,
                     .weights = tables->weights,
                     .matrix_count = tables->matrix_count,
                     .turns = dual ? &turns : NULL,
                     .matrices = character->work->matrices,
                     .out_points = points,
                     .out_normals = normals,
                     .scratch = character->work->skin_scratch,
                     .tasks = &character->def.tasks,
                     .level = character->def.level};
    return dual ? sn_skin_dual_run(&job) : sn_skin_linear_run(&job);
}

// Between linear and dual skin, as each vertex asks.
static snResult blend_skins(snCharacter* character, uint32_t index) {
    const snPart* part = &character->tables->model->parts[index];
    const uint32_t* sources = character->tables->parts[index].sources;
    sniPartState* state = &character->parts[index];
    uint32_t count = part->mesh->vertex_count;
    snVec3* normals = state->linear + count;
    SNI_TRY(skin_by(character, index, false, state->linear, normals));
    for (uint32_t v = 0; v < count; v++) {
        float share = part->dual_shares[sources[v]];
        if (share >= 1.0f) continue;
        state->positions[v] = sn_lerp(state->linear[v], state->positions[v], share);
        state->normals[v] = sn_normalize_or(sn_lerp(normals[v], state->normals[v], share), normals[v]);
    }
    return SN_RESULT_OK;
}

static snResult skin_part(snCharacter* character, uint32_t index) {
    const snPart* part = &character->tables->model->parts[index];
    sniPartState* state = &character->parts[index];
    if (character->tables->parts[index].splines != NULL) return sni_splines_skin_part(character, index);
    fill_matrices(character, part);
    // A rigid part has nothing to blend; its one matrix may shear, which dual quaternions would only
    // approximate.
    bool dual = character->tables->settings->skin == SN_SKIN_DUAL && part->skin != SN_NONE;
    SNI_TRY(skin_by(character, index, dual, state->positions, state->normals));
    return dual && part->dual_shares != NULL ? blend_skins(character, index) : SN_RESULT_OK;
}

// Morphs move vertices within their cells.
static void fill_offsets(const snPart* part, const sniPartTables* tables, sniPartState* state) {
    for (uint32_t v = 0; v < part->mesh->vertex_count; v++) {
        state->offsets[v] = sn_mat4_vector(&tables->to_lattice, sn_sub(state->rest[v], tables->rest[v]));
        state->lattice_normals[v] = sni_turned_normal(&tables->to_lattice, state->rest_normals[v]);
    }
}

// Whether a part is skinned on the way into the lattice: where nobody asks where the skin alone puts it.
static bool skins_on_the_way(const snCharacter* character, uint32_t index) {
    const sniPartTables* tables = &character->tables->parts[index];
    return tables->surface != NULL && tables->plan != NULL && tables->plan->given &&
           (tables->hard == NULL || tables->hard->plan != NULL);
}

static snResult skin_and_hang(snCharacter* character, uint32_t index, const snSurfaceJob* job) {
    bool dual = character->tables->settings->skin == SN_SKIN_DUAL;
    uint32_t list = character->tables->model->parts[index].skin;
    snDualSigns turns = dual ? sni_turns_of(character, list) : (snDualSigns){0};
    fill_matrices(character, &character->tables->model->parts[index]);
    snSkinPlanJob skin = plan_job(character, index, dual ? &turns : NULL, job->points, job->out_normals);
    SNI_TRY(sni_hard_skin(character, index, &skin, dual));
    return sni_surface_run_skinned(job, &skin, dual);
}

static snResult hang_part(snCharacter* character, uint32_t index) {
    const snPart* part = &character->tables->model->parts[index];
    const sniPartTables* tables = &character->tables->parts[index];
    sniPartState* state = &character->parts[index];
    bool hangs = character->tables->settings->skin == SN_SKIN_LATTICE, morphed = part->morph_count > 0;
    if (morphed && hangs) fill_offsets(part, tables, state);
    bool later = skins_on_the_way(character, index);
    if (hangs && tables->hard != NULL) fill_matrices(character, part);
    if (!later) sni_hard_keep(character, index, hangs);
    snSurfaceJob job = {.plan = tables->surface,
                        .particles = character->shown,
                        .skin = hangs ? NULL : character->work->skin,
                        .maps = character->tables->maps != NULL ? character->work->lattice_scratch : NULL,
                        .offsets = morphed && hangs ? state->offsets : NULL,
                        .normals = morphed && hangs ? state->lattice_normals : NULL,
                        .points = state->positions,
                        .out_normals = state->normals,
                        .cold = character->cold,
                        .tasks = &character->def.tasks,
                        .level = character->def.level};
    SNI_TRY(later ? skin_and_hang(character, index, &job) : sn_surface_run(&job));
    sni_hard_move(character, index);
    return SN_RESULT_OK;
}

// Left in the scratch of the lattice, which no stage needs any more.
static snResult map_particles(snCharacter* character) {
    const sniTables* tables = character->tables;
    snParticleMapsJob job = {.maps = tables->maps,
                             .particles = character->shown,
                             .skin = tables->settings->skin == SN_SKIN_LATTICE ? NULL : character->work->skin,
                             .out = character->work->lattice_scratch,
                             .tasks = &character->def.tasks,
                             .level = character->def.level};
    return tables->maps != NULL ? sn_particle_maps_run(&job) : SN_RESULT_OK;
}

static snResult deform_part(snCharacter* character, uint32_t index) {
    const sniPartTables* tables = &character->tables->parts[index];
    const snPart* part = &character->tables->model->parts[index];
    if (part->morph_count > 0) apply_morphs(part, tables, &character->parts[index]);
    bool hangs = tables->surface != NULL && character->tables->settings->skin == SN_SKIN_LATTICE;
    bool later = hangs || skins_on_the_way(character, index);
    snResult result = later ? SN_RESULT_OK : skin_part(character, index);
    if (result == SN_RESULT_OK && tables->surface != NULL) result = hang_part(character, index);
    return result;
}

// Shows the pose that the workspace holds with the flesh at `blend` between its last two states.
static snResult show(snCharacter* character, float blend, double time) {
    const sniTables* tables = character->tables;
    snResult result = SN_RESULT_OK;
    if (tables->flesh != NULL) {
        snFleshShowJob job = {.flesh = tables->flesh,
                              .material = &character->material,
                              .delta_scale = profile_at(character, time),
                              .limit = tables->settings->limit * tables->scale,
                              .state = character->state,
                              .blend = blend,
                              .primary = character->work->primary,
                              .out_points = character->shown,
                              .level = character->def.level};
        result = sn_flesh_show(&job);
        if (result == SN_RESULT_OK && tables->settings->volume_of_flesh && tables->volume != NULL)
            result = correct_volume(character, character->shown, NULL, NULL); // the state is not touched
    } else if (tables->binding != NULL) {
        memcpy(character->shown, character->work->primary,
               tables->binding->lattice->particle_count * sizeof(snVec4));
    }
    if (result == SN_RESULT_OK) result = map_particles(character);
    for (uint32_t p = 0; p < tables->part_count && result == SN_RESULT_OK; p++) {
        result = deform_part(character, p);
    }
    return result == SN_RESULT_OK ? sni_exact_run(character, time) : result;
}

// ------------------------------------------------------------------------------------------------ driving

static void default_morph_weights(snCharacter* character) {
    for (uint32_t p = 0; p < character->tables->part_count; p++) {
        const snPart* part = &character->tables->model->parts[p];
        for (uint32_t m = 0; m < part->morph_count; m++) {
            character->parts[p].morph_weights[m] = part->morph_weights[m];
        }
    }
}

// Joints, and skin and volume of the lattice, in a pose.
static snResult take_pose(snCharacter* character, const snTrs* locals) {
    const snSkeleton* skeleton = character->tables->model->skeleton;
    sn_skeleton_world(skeleton, locals, character->world);
    if (!sni_pose_reaches(character->world, character->tables->reaches, skeleton->joint_count))
        return SN_RESULT_BAD_DATA;
    snResult result = character->tables->splines != NULL ? sni_splines_pose(character) : SN_RESULT_OK;
    return result == SN_RESULT_OK && character->tables->binding != NULL ? pose_lattice(character) : result;
}

static snResult take_clip(snCharacter* character, uint32_t clip, float time, snWrap wrap) {
    const snModel* model = character->tables->model;
    const snSkeleton* skeleton = model->skeleton;
    snTrs* locals = character->work->locals;
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof(snTrs));
    if (clip != SN_CLIP_REST) sn_clip_sample(model->clips[clip], time, wrap, skeleton->joint_count, locals);
    return take_pose(character, locals);
}

// Turns of more than half a round are known only from where they were a moment ago.
static void forget_twists(snCharacter* character) {
    const sniTables* tables = character->tables;
    if (character->twists != NULL)
        memset(character->twists, 0, sn_splines_count(tables->splines) * sizeof(float));
    if (character->turns != NULL) memset(character->turns, 0, tables->turns.count * sizeof(snQuat));
    character->twist_clock.running = false;
}

// Forgets them where a clip does not go on from the last pose.
static void follow_twists(snCharacter* character, uint32_t clip, float time, snWrap wrap) {
    if (character->twists == NULL && character->turns == NULL) return;
    const snSettings* s = character->tables->settings;
    const sniClock* last = &character->twist_clock;
    double since = (double)time - last->time;
    bool flows = last->running && last->clip == clip && last->wrap == wrap && since >= 0.0 &&
                 since <= (double)s->step * (double)s->max_steps;
    if (!flows) forget_twists(character);
    character->twist_clock = (sniClock){.running = true, .clip = clip, .wrap = wrap, .time = (double)time};
}

// Poses given go on from the last one, but not over a jump in time; a clip does not go on from them.
static void follow_poses(snCharacter* character, float seconds) {
    const snSettings* s = character->tables->settings;
    if (seconds > s->step * (float)s->max_steps) forget_twists(character);
    character->twist_clock.running = false;
}

// A pose without a past.
static snResult show_still(snCharacter* character, double time) {
    if (character->state != NULL) start_flesh(character);
    character->clock.running = false;
    return show(character, 1.0f, time);
}

static double state_time(const snCharacter* character, int64_t index) {
    return (double)index * (double)character->tables->settings->step;
}

static int64_t floor_index(double steps) {
    int64_t index = (int64_t)steps;
    return (double)index > steps ? index - 1 : index;
}

// Starts at the state before `steps` unless time flows on from where the flesh is.
static snResult flow_on(snCharacter* character, uint32_t clip, snWrap wrap, double steps) {
    sniClock* clock = &character->clock;
    const snSettings* s = character->tables->settings;
    bool flows = clock->running && clock->clip == clip && clock->wrap == wrap &&
                 steps >= (double)clock->index - 1.0 - SAME_TIME &&
                 steps <= (double)clock->index + (double)s->max_steps + SAME_TIME;
    if (flows) return SN_RESULT_OK;
    if (clock->running) character->report.resets++;
    *clock = (sniClock){.running = true, .clip = clip, .wrap = wrap, .index = floor_index(steps + SAME_TIME)};
    snResult result = take_clip(character, clip, (float)state_time(character, clock->index), wrap);
    if (result == SN_RESULT_OK) start_flesh(character);
    return result;
}

// Where the flesh has to be for a moment, in steps.
static double steps_to(const snCharacter* character, float time) {
    double steps = (double)time / (double)character->tables->settings->step;
    return steps < -MOST_STEPS ? -MOST_STEPS : steps > MOST_STEPS ? MOST_STEPS : steps;
}

// Whether the next state is still to come.
static bool has_next_state(const snCharacter* character, double steps) {
    return steps > (double)character->clock.index + SAME_TIME;
}

// Shows the moment; `current`: the workspace holds the pose of the last state.
static snResult show_flesh(snCharacter* character, uint32_t clip, float time, snWrap wrap, bool current) {
    const sniClock* clock = &character->clock;
    double blend = steps_to(character, time) - (double)(clock->index - 1);
    bool exact = blend > 1.0 - SAME_TIME;
    snResult result = SN_RESULT_OK;
    if (exact) blend = 1.0;
    if (exact && !current)
        result = take_clip(character, clip, (float)state_time(character, clock->index), wrap);
    else if (!exact)
        result = take_clip(character, clip, time, wrap);
    return result == SN_RESULT_OK ? show(character, (float)(blend > 0.0 ? blend : 0.0), (double)time)
                                  : result;
}

static snResult pose_with_flesh(snCharacter* character, uint32_t clip, float time, snWrap wrap) {
    double steps = steps_to(character, time);
    SNI_TRY(flow_on(character, clip, wrap, steps));
    bool current = false;
    while (has_next_state(character, steps)) {
        double at = state_time(character, ++character->clock.index);
        SNI_TRY(take_clip(character, clip, (float)at, wrap));
        SNI_TRY(step_flesh(character, at));
        current = true;
    }
    return show_flesh(character, clip, time, wrap, current);
}

// A scene lends its characters a workspace only while it poses them.
static bool can_pose(const snCharacter* character) { return character != NULL && character->work != NULL; }

static snResult begin_clip(snCharacter* character, uint32_t clip, float time, snWrap wrap) {
    if (!can_pose(character)) return SN_RESULT_INVALID_ARGUMENT;
    const snModel* model = character->tables->model;
    if (clip != SN_CLIP_REST && clip >= model->clip_count) return SN_RESULT_NOT_FOUND;
    if (!sn_finite(time)) return SN_RESULT_INVALID_ARGUMENT;
    follow_twists(character, clip, time, wrap);
    default_morph_weights(character);
    for (uint32_t p = 0; p < character->tables->part_count && clip != SN_CLIP_REST; p++) {
        const snPart* part = &model->parts[p];
        sn_clip_sample_morph(model->clips[clip], time, wrap, part->joint, part->morph_count,
                             character->parts[p].morph_weights);
    }
    return SN_RESULT_OK;
}

snResult sn_character_pose_clip(snCharacter* character, uint32_t clip, float time, snWrap wrap) {
    SNI_TRY(begin_clip(character, clip, time, wrap));
    if (character->state != NULL && clip != SN_CLIP_REST) return pose_with_flesh(character, clip, time, wrap);
    snResult result = take_clip(character, clip, time, wrap);
    return result == SN_RESULT_OK ? show_still(character, (double)time) : result;
}

snResult sni_walk_begin(sniWalk* walk) {
    walk->steps = steps_to(walk->character, walk->time);
    walk->current = false;
    SNI_TRY(begin_clip(walk->character, walk->clip, walk->time, walk->wrap));
    return flow_on(walk->character, walk->clip, walk->wrap, walk->steps);
}

bool sni_walk_steps(const sniWalk* walk) { return has_next_state(walk->character, walk->steps); }

snFleshJob sni_walk_job(const sniWalk* walk) {
    return job_at(walk->character, state_time(walk->character, walk->character->clock.index + 1));
}

snResult sni_walk_step(sniWalk* walk, uint32_t index, void* goals) {
    snCharacter* character = walk->character;
    double at = state_time(character, ++character->clock.index);
    walk->current = true;
    SNI_TRY(take_clip(character, walk->clip, (float)at, walk->wrap));
    if (goals == NULL) return step_flesh(character, at);
    snFleshJob job;
    if (prepare_step(character, at, &job)) character->report.cuts += sni_flesh_move_on(&job, index, goals);
    return SN_RESULT_OK;
}

snResult sni_walk_end(const sniWalk* walk) {
    return show_flesh(walk->character, walk->clip, walk->time, walk->wrap, walk->current);
}

static void keep_pose(snCharacter* character, const snTrs* locals) {
    memcpy(character->pose, locals, character->tables->model->skeleton->joint_count * sizeof(snTrs));
}

snResult sn_character_pose_locals(snCharacter* character, const snTrs* locals) {
    if (!can_pose(character) || locals == NULL) return SN_RESULT_INVALID_ARGUMENT;
    forget_twists(character);
    default_morph_weights(character);
    snResult result = take_pose(character, locals);
    if (result == SN_RESULT_OK) result = show_still(character, 0.0);
    // Poses given later move on from here.
    keep_pose(character, locals);
    character->clock = (sniClock){.running = result == SN_RESULT_OK, .clip = SN_NONE};
    return result;
}

// The pose `share` of the way from the last one given to this.
static void blend_locals(const snCharacter* character, const snTrs* locals, float share) {
    for (uint32_t j = 0; j < character->tables->model->skeleton->joint_count; j++) {
        const snTrs* a = &character->pose[j];
        const snTrs* b = &locals[j];
        character->work->locals[j] =
            (snTrs){sn_lerp(a->translation, b->translation, share),
                    sn_quat_slerp(a->rotation, b->rotation, share), sn_lerp(a->scale, b->scale, share)};
    }
}

// Starts, or starts anew after a jump in time, at the pose given. Poses have no time but what has passed
// between them, so it flows on over the jump.
static snResult begin_poses(snCharacter* character, const snTrs* locals, float seconds) {
    sniClock* clock = &character->clock;
    SNI_TRY(take_pose(character, locals));
    if (clock->running) character->report.resets++;
    double time = clock->running && clock->clip == SN_NONE ? clock->time + (double)seconds : 0.0;
    double steps = time / (double)character->tables->settings->step;
    if (!(steps < MOST_STEPS)) time = steps = 0.0;
    *clock = (sniClock){.running = true, .clip = SN_NONE, .time = time, .index = floor_index(steps)};
    start_flesh(character);
    return SN_RESULT_OK;
}

static snResult advance_flesh(snCharacter* character, const snTrs* locals, float seconds) {
    sniClock* clock = &character->clock;
    const snSettings* s = character->tables->settings;
    bool flows = clock->running && clock->clip == SN_NONE && seconds <= s->step * (float)s->max_steps;
    if (flows) {
        // A jump must not be blended into a fast move.
        note_places(character, character->pose_places);
        sn_skeleton_world(character->tables->model->skeleton, locals, character->world);
        flows = !teleported(character, character->pose_places, seconds);
    }
    if (!flows) {
        snResult result = begin_poses(character, locals, seconds);
        return result == SN_RESULT_OK ? show(character, 1.0f, clock->time) : result;
    }
    double from = clock->time, to = from + (double)seconds;
    snResult result = SN_RESULT_OK;
    while (result == SN_RESULT_OK && state_time(character, clock->index + 1) <= to) {
        double at = state_time(character, ++clock->index);
        blend_locals(character, locals, (float)((at - from) / (to - from)));
        result = take_pose(character, character->work->locals);
        if (result == SN_RESULT_OK) result = step_flesh(character, at);
    }
    clock->time = to;
    if (result == SN_RESULT_OK) result = take_pose(character, locals);
    // The state after this time is not known yet: what is shown lags behind by a step.
    double blend = (to - state_time(character, clock->index)) / (double)s->step;
    return result == SN_RESULT_OK ? show(character, (float)blend, to) : result;
}

snResult sn_character_advance(snCharacter* character, const snTrs* locals, float seconds) {
    if (!can_pose(character) || locals == NULL || !(seconds >= 0.0f && sn_finite(seconds))) {
        return SN_RESULT_INVALID_ARGUMENT;
    }
    follow_poses(character, seconds);
    default_morph_weights(character);
    snResult result;
    if (character->state != NULL) {
        result = advance_flesh(character, locals, seconds);
    } else {
        character->clock.time += (double)seconds;
        result = take_pose(character, locals);
        if (result == SN_RESULT_OK) result = show(character, 1.0f, character->clock.time);
    }
    keep_pose(character, locals);
    return result;
}

void sn_character_reset(snCharacter* character) {
    character->clock = (sniClock){.clip = SN_NONE};
    forget_twists(character);
}
