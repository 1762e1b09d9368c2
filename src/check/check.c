// The check: every frame through every measure, and the worst of it all.
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/progress.h"
#include "check/probe.h"
#include "rig/stretch.h"

#define MAX_FRAMES 1000000u
// Measures with a value for every frame come first.
#define POSED SN_MEASURE_BLEED

typedef struct Check {
    snCheck seen; // first: what the caller holds
    snTasks tasks;
    sniProbe* probe;
    sniFinding* findings; // joint_count + 1; of one measure
    float* values;        // frame_count * POSED * (joint_count + 1)
    float* changes;       // frame_count * (joint_count + 1); of volumes, with their signs
} Check;

snCheckDef sn_check_def(void) {
    return (snCheckDef){.clip = SN_NONE, .to = SN_CLIP_END, .fps = 8.0f, .limits = sn_limits()};
}

// ------------------------------------------------------------------------------------------------- frames

static void clear(Check* check) {
    for (uint32_t j = 0; j <= check->seen.joint_count; j++)
        check->findings[j] = (sniFinding){.vertex = SN_NONE, .triangle = SN_NONE};
}

static void set_place(const Check* check, const sniFinding* finding, snViolation* violation) {
    const sniProbe* probe = check->probe;
    uint32_t vertex = finding->triangle != SN_NONE ? probe->triangles[finding->triangle][0] : finding->vertex;
    if (vertex == SN_NONE) return;
    violation->part = sni_probe_part(probe, vertex);
    violation->vertex = vertex - probe->part_starts[violation->part];
    if (finding->triangle != SN_NONE) violation->face = probe->faces[finding->triangle];
}

// Keeps what is worse than before, joint by joint; places in `violations` are those of the joints until the
// end.
static void note(Check* check, snMeasure measure, uint32_t frame) {
    snCheckMeasure* m = &check->seen.measures[measure];
    uint32_t joints = check->seen.joint_count;
    float worst = 0.0f;
    for (uint32_t j = 0; j <= joints; j++) {
        const sniFinding* finding = &check->findings[j];
        if (frame != SN_NONE)
            check->values[((size_t)frame * POSED + measure) * (joints + 1) + j] = finding->value;
        if (measure == (j < joints ? SN_MEASURE_JOINT_VOLUME : SN_MEASURE_VOLUME))
            check->changes[(size_t)frame * (joints + 1) + j] = finding->change;
        worst = sn_maxf(worst, finding->value);
        if (finding->value <= m->violations[j].value) continue;
        m->violations[j] = (snViolation){.value = finding->value,
                                         .verdict = sn_check_judge(&check->seen, measure, finding->value),
                                         .joint = j < joints ? j : SN_NONE,
                                         .frame = frame,
                                         .time = frame != SN_NONE ? check->seen.times[frame] : 0.0f,
                                         .part = SN_NONE,
                                         .vertex = SN_NONE,
                                         .face = SN_NONE};
        set_place(check, finding, &m->violations[j]);
    }
    if (frame != SN_NONE) m->series[frame] = worst;
}

static snResult measure(Check* check, snMeasure which, const snMat4* world, snError* error) {
    sniProbe* probe = check->probe;
    clear(check);
    switch (which) {
    case SN_MEASURE_VOLUME:
        sni_probe_volume(probe, check->findings);
        break;
    case SN_MEASURE_JOINT_VOLUME:
        sni_probe_joint_volume(probe, world, check->findings);
        break;
    case SN_MEASURE_SECTION:
        sni_probe_section(probe, check->findings);
        break;
    case SN_MEASURE_STRETCH:
        sni_probe_stretch(probe, check->findings);
        break;
    case SN_MEASURE_FLIP:
        sni_probe_flip(probe, check->findings);
        break;
    case SN_MEASURE_CROSSING:
        return sni_probe_crossing(probe, check->findings, error);
    case SN_MEASURE_SEAM:
        sni_probe_seam(probe, check->findings);
        break;
    case SN_MEASURE_DROPPED:
        sni_probe_dropped(probe, check->findings);
        break;
    default:
        break;
    }
    return SN_RESULT_OK;
}

// How far a check is when it has done so much of its frames.
static float share_of(const Check* check, float frames) {
    return SNI_BLED + (1.0f - SNI_BLED) * frames / (float)check->seen.frame_count;
}

// What exact volume held back in the pose of a frame, if that is the most so far.
static void note_held(snCheck* seen, const snCharacter* character, uint32_t frame) {
    const snExactVolume* exact = sn_character_exact(character);
    if (exact == NULL) return;
    const snShellState* shells = sn_character_shells(character);
    const snVolumeJointState* joints = sn_character_volume_joints(character);
    for (uint32_t s = 0; s < sn_exact_volume_shell_count(exact); s++) {
        double share = fabs(shells[s].held / shells[s].target);
        if (sn_exact_volume_shells(exact)[s].kind != SN_SHELL_KEPT || !(share > (double)seen->held.value))
            continue;
        seen->held.value = (float)share;
        seen->held.frame = frame;
        seen->held.time = seen->times[frame];
        seen->held.joint = 0;
        for (uint32_t j = 1; j < seen->joint_count; j++)
            if (fabs(joints[j].held) > fabs(joints[seen->held.joint].held)) seen->held.joint = j;
    }
}

static snResult run_frame(Check* check, snCharacter* character, uint32_t frame, snError* error) {
    float time = check->seen.times[frame];
    snResult result = sn_character_pose_clip(character, check->seen.clip, time, SN_WRAP_CLAMP);
    if (result != SN_RESULT_OK)
        return sni_fail(error, result, "the character cannot be posed at %g s", (double)time);
    note_held(&check->seen, character, frame);
    if (!sni_probe_pose(check->probe, character))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the pose at %g s has positions that are not finite",
                        (double)time);
    for (int m = 0; m < POSED && result == SN_RESULT_OK; m++) {
        check->probe->share = share_of(check, (float)frame + 0.5f);
        result = measure(check, (snMeasure)m, sn_character_world(character), error);
        if (result == SN_RESULT_OK) note(check, (snMeasure)m, frame);
    }
    return result;
}

static snResult run_frames(Check* check, const snCheckDef* def, snCharacter* character, snError* error) {
    snResult result = SN_RESULT_OK;
    for (uint32_t f = 0; f < check->seen.frame_count && result == SN_RESULT_OK; f++) {
        SNI_TRY(sni_progress(&def->progress, "checking", share_of(check, (float)f), error));
        result = run_frame(check, character, f, error);
    }
    return result;
}

static snResult run_weights(Check* check, snError* error) {
    clear(check);
    snResult result = sni_probe_bleed(check->probe, check->findings, error);
    if (result != SN_RESULT_OK) return result;
    note(check, SN_MEASURE_BLEED, SN_NONE);
    result = measure(check, SN_MEASURE_DROPPED, NULL, error);
    note(check, SN_MEASURE_DROPPED, SN_NONE);
    return result;
}

// ------------------------------------------------------------------------------------------------- verdict

static bool worse(const snViolation* a, const snViolation* b) {
    return a->value != b->value ? a->value > b->value : a->joint < b->joint;
}

// Worst first. Joints are few, and most have nothing.
static void sort_violations(snCheckMeasure* m, uint32_t joints) {
    for (uint32_t j = 0; j <= joints; j++) {
        snViolation item = m->violations[j];
        if (!(item.value > 0.0f)) continue;
        uint32_t i = m->violation_count++;
        for (; i > 0 && worse(&item, &m->violations[i - 1]); i--) m->violations[i] = m->violations[i - 1];
        m->violations[i] = item;
    }
}

static void conclude(Check* check) {
    snCheck* seen = &check->seen;
    for (int i = 0; i < SN_MEASURE_COUNT; i++) {
        snCheckMeasure* m = &seen->measures[i];
        sort_violations(m, seen->joint_count);
        m->worst = (snViolation){
            .joint = SN_NONE, .frame = SN_NONE, .part = SN_NONE, .vertex = SN_NONE, .face = SN_NONE};
        if (m->violation_count > 0) m->worst = m->violations[0];
        if (m->worst.verdict > seen->verdict) seen->verdict = m->worst.verdict;
    }
    const sniProbe* probe = check->probe;
    seen->triangle_count = probe->triangle_count;
    seen->piece_count = probe->piece_count;
    seen->rest_crossings = probe->rest_crossings;
    for (uint32_t i = 0; i < probe->piece_count; i++) seen->closed_pieces += probe->pieces[i].volume != 0.0;
}

// --------------------------------------------------------------------------------------------------- build

static snResult make_room(Check* check, snError* error) {
    snCheck* seen = &check->seen;
    const snAllocator* memory = &seen->allocator;
    size_t row = (size_t)seen->joint_count + 1, all = 0;
    if (!sni_mul_size(row * POSED, seen->frame_count, &all)) return sni_fail_memory(error);
    seen->times = SNI_NEW_ARRAY(memory, float, seen->frame_count);
    check->findings = SNI_NEW_ARRAY(memory, sniFinding, row);
    check->values = SNI_NEW_ARRAY(memory, float, all);
    check->changes = SNI_NEW_ARRAY(memory, float, all / POSED);
    bool enough =
        seen->times != NULL && check->findings != NULL && check->values != NULL && check->changes != NULL;
    for (int i = 0; i < SN_MEASURE_COUNT && enough; i++) {
        seen->measures[i].violations = SNI_NEW_ARRAY(memory, snViolation, row);
        if (i < (int)POSED) seen->measures[i].series = SNI_NEW_ARRAY(memory, float, seen->frame_count);
        enough =
            seen->measures[i].violations != NULL && (i >= (int)POSED || seen->measures[i].series != NULL);
    }
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult plan(Check* check, const snCheckDef* def, snError* error) {
    bool rests = def->clip == SN_CLIP_REST;
    float from = rests ? 0.0f : def->from, to = 0.0f;
    if (!rests) SNI_TRY(sni_stretch_end(def->model->clips[def->clip], from, def->to, &to, error));
    snResult result = SN_RESULT_OK;
    double frames = (double)(to - from) * (double)def->fps;
    if (!(frames < (double)MAX_FRAMES))
        return sni_fail(error, SN_RESULT_LIMIT, "%g s at %g frames a second are too many to check",
                        (double)(to - from), (double)def->fps);
    check->seen.clip = def->clip;
    check->seen.joint_count = def->model->skeleton->joint_count;
    check->seen.frame_count = (uint32_t)(frames + 1e-3) + 1;
    result = make_room(check, error);
    for (uint32_t f = 0; result == SN_RESULT_OK && f < check->seen.frame_count; f++)
        check->seen.times[f] = from + (float)f / def->fps;
    return result;
}

static snResult run(Check* check, const snCheckDef* def, snError* error) {
    snResult result = plan(check, def, error);
    if (result == SN_RESULT_OK) result = sni_progress(&def->progress, "checking", 0.0f, error);
    if (result != SN_RESULT_OK) return result;
    snCharacterDef character_def = sn_character_def();
    character_def.model = def->model;
    character_def.settings = def->settings;
    character_def.tasks = def->tasks;
    character_def.level = def->level;
    snCharacter* character = NULL;
    result = sn_character_create(&character_def, &check->seen.allocator, &character, error);
    if (result == SN_RESULT_OK)
        result = sni_probe_create(def->model, character, &check->tasks, &def->progress,
                                  &check->seen.allocator, &check->probe, error);
    if (result == SN_RESULT_OK) check->probe->near_only = def->near_only;
    if (result == SN_RESULT_OK) result = run_weights(check, error);
    if (result == SN_RESULT_OK) result = run_frames(check, def, character, error);
    if (result == SN_RESULT_OK) conclude(check);
    if (check->probe != NULL) check->probe->progress = (snProgress){0}; // whoever listened is gone afterwards
    sn_character_destroy(character);
    return result;
}

static snResult validate(const snCheckDef* def, snError* error) {
    if (def->clip >= def->model->clip_count && def->clip != SN_CLIP_REST)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no clip %u, the model has %u", def->clip,
                        def->model->clip_count);
    if (!(def->fps >= 0.1f && def->fps <= 1000.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "0.1 to 1000 frames a second are expected, not %g",
                        (double)def->fps);
    for (int i = 0; i < SN_MEASURE_COUNT; i++) {
        if (def->limits.warn[i] >= 0.0f && def->limits.warn[i] <= def->limits.fail[i]) continue;
        return sni_fail(
            error, SN_RESULT_INVALID_ARGUMENT, "the limits of %s are %g and %g: they must rise from 0",
            sn_measure_info((snMeasure)i)->name, (double)def->limits.warn[i], (double)def->limits.fail[i]);
    }
    return SN_RESULT_OK;
}

snResult sn_check_create(const snCheckDef* def, const snAllocator* allocator, snCheck** out, snError* error) {
    if (def == NULL || def->model == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and an output are needed");
    snResult result = validate(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    Check* check = SNI_NEW(&memory, Check);
    if (check == NULL) return sni_fail_memory(error);
    check->seen.allocator = memory;
    check->seen.limits = def->limits;
    check->seen.fps = def->fps;
    check->tasks = def->tasks;
    check->seen.held = (snViolation){
        .joint = SN_NONE, .frame = SN_NONE, .part = SN_NONE, .vertex = SN_NONE, .face = SN_NONE};
    result = run(check, def, error);
    if (result == SN_RESULT_OK)
        *out = &check->seen;
    else
        sn_check_destroy(&check->seen);
    return result;
}

void sn_check_destroy(snCheck* seen) {
    if (seen == NULL) return;
    Check* check = (Check*)seen;
    snAllocator memory = seen->allocator;
    for (int i = 0; i < SN_MEASURE_COUNT; i++) {
        sni_free(&memory, seen->measures[i].violations);
        sni_free(&memory, seen->measures[i].series);
    }
    sni_free(&memory, seen->times);
    sni_free(&memory, check->findings);
    sni_free(&memory, check->values);
    sni_free(&memory, check->changes);
    sni_probe_destroy(check->probe);
    sni_free(&memory, check);
}

float sn_check_value(const snCheck* seen, snMeasure measure, uint32_t frame, uint32_t joint) {
    const Check* check = (const Check*)seen;
    if ((unsigned)measure >= POSED || frame >= seen->frame_count) return NAN;
    if (measure == SN_MEASURE_VOLUME)
        joint = seen->joint_count;
    else if (joint >= seen->joint_count)
        return NAN;
    return check->values[((size_t)frame * POSED + measure) * (seen->joint_count + 1) + joint];
}

float sn_check_volume_change(const snCheck* seen, uint32_t frame, uint32_t joint) {
    const Check* check = (const Check*)seen;
    if (frame >= seen->frame_count || (joint >= seen->joint_count && joint != SN_CHECK_WHOLE)) return NAN;
    if (joint == SN_CHECK_WHOLE) joint = seen->joint_count;
    return check->changes[(size_t)frame * (seen->joint_count + 1) + joint];
}

double sn_check_rest_volume(const snCheck* seen, uint32_t joint) {
    const sniProbe* probe = ((const Check*)seen)->probe;
    if (joint < probe->joint_count) return probe->zones[joint].ring_size;
    if (joint != SN_CHECK_WHOLE) return (double)NAN;
    double sum = 0.0;
    for (uint32_t i = 0; i < probe->piece_count; i++) {
        double volume = probe->pieces[i].volume;
        sum += volume < 0.0 ? -volume : volume; // turned inside out it holds as much
    }
    return sum;
}

// --------------------------------------------------------------------------------------------------- heat

static void heat_up(float* heat, float value) {
    if (value > *heat) *heat = value;
}

static void heat_faces(Check* check, snMeasure which, float* const* out) {
    const sniProbe* probe = check->probe;
    for (uint32_t t = 0; t < probe->triangle_count; t++) {
        float value = 0.0f;
        if (which == SN_MEASURE_STRETCH) value = sni_probe_stretch_of(probe, t) - 1.0f;
        if (which == SN_MEASURE_FLIP && sni_probe_flipped(probe, t)) value = 1.0f;
        if (which == SN_MEASURE_CROSSING && probe->crossed[t]) value = 1.0f;
        if (!(value > 0.0f)) continue;
        uint32_t part = sni_probe_part(probe, probe->triangles[t][0]);
        for (int k = 0; k < 3; k++)
            heat_up(&out[part][probe->triangles[t][k] - probe->part_starts[part]], value);
    }
}

static void heat_sections(Check* check, float* const* out) {
    const sniProbe* probe = check->probe;
    for (uint32_t i = 0; i < probe->section_count; i++) {
        const sniProbeSection* s = &probe->sections[i];
        double area = sn_section_area(s->section, probe->model->parts[s->part].mesh,
                                      probe->now + probe->part_starts[s->part]);
        float lost = (float)(1.0 - area / s->area) / check->seen.limits.fail[SN_MEASURE_SECTION];
        for (uint32_t k = 0; k < 2 * s->section->segment_count; k++) {
            heat_up(&out[s->part][s->section->segments[k / 2][k % 2].a], lost);
            heat_up(&out[s->part][s->section->segments[k / 2][k % 2].b], lost);
        }
    }
}

static void heat_rings(Check* check, float* const* out) {
    const sniProbe* probe = check->probe;
    for (uint32_t j = 0; j < probe->joint_count; j++) {
        float value = check->findings[j].value / check->seen.limits.fail[SN_MEASURE_JOINT_VOLUME];
        for (uint32_t i = probe->zones[j].ring_start; i < probe->zones[j].ring_end; i++) {
            const uint32_t* v = probe->triangles[probe->rings[i]];
            uint32_t part = sni_probe_part(probe, v[0]);
            for (int k = 0; k < 3; k++) heat_up(&out[part][v[k] - probe->part_starts[part]], value);
        }
    }
}

static void heat_seams(Check* check, float* const* out) {
    const sniProbe* probe = check->probe;
    float size = sn_bounds_diagonal(sn_bounds_of(probe->rest, probe->vertex_count));
    for (uint32_t i = 0; i < probe->seam_count && size > 0.0f; i++) {
        uint32_t ends[2] = {probe->seams[i].a, probe->seams[i].b};
        float gap = sn_distance(probe->now[ends[0]], probe->now[ends[1]]) / size;
        for (int k = 0; k < 2; k++) {
            uint32_t part = sni_probe_part(probe, ends[k]);
            heat_up(&out[part][ends[k] - probe->part_starts[part]],
                    gap / check->seen.limits.fail[SN_MEASURE_SEAM]);
        }
    }
}

// The weights of the joint that bleeds most.
static void heat_weights(Check* check, float* const* out) {
    const sniProbe* probe = check->probe;
    uint32_t joint = check->seen.measures[SN_MEASURE_BLEED].worst.joint;
    for (uint32_t v = 0; v < probe->vertex_count && joint != SN_NONE; v++) {
        uint32_t part = sni_probe_part(probe, v);
        for (uint32_t i = probe->influence_start[v]; i < probe->influence_start[v + 1]; i++)
            if (probe->influence_joints[i] == joint)
                heat_up(&out[part][v - probe->part_starts[part]], probe->influence_weights[i]);
    }
}

snResult sn_check_heat(snCheck* seen, snMeasure which, const snCharacter* character, float* const* out) {
    Check* check = (Check*)seen;
    if (check == NULL || (unsigned)which >= SN_MEASURE_COUNT || character == NULL || out == NULL)
        return SN_RESULT_INVALID_ARGUMENT;
    const snModel* model = check->probe->model;
    for (uint32_t p = 0; p < model->part_count; p++)
        memset(out[p], 0, model->parts[p].mesh->vertex_count * sizeof *out[p]);
    if (!sni_probe_pose(check->probe, character)) return SN_RESULT_BAD_DATA;
    SNI_TRY(measure(check, which, sn_character_world(character), NULL));
    if (which == SN_MEASURE_STRETCH || which == SN_MEASURE_FLIP || which == SN_MEASURE_CROSSING)
        heat_faces(check, which, out);
    if (which == SN_MEASURE_SECTION) heat_sections(check, out);
    if (which == SN_MEASURE_JOINT_VOLUME) heat_rings(check, out);
    if (which == SN_MEASURE_SEAM) heat_seams(check, out);
    if (which == SN_MEASURE_BLEED) heat_weights(check, out);
    return SN_RESULT_OK;
}
