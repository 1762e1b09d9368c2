// What each joint adds to the field of a shell: its profile, with the axes as the pose turned them, and what
// its target asks for.
#include <math.h>
#include <string.h>

#include "volume/run.h"

// Of the surface around a joint, at rest, what may face along its field at least: where less does, the field
// does not grow further, and the rest is left to the wider one.
#define FACING 0.2

// A profile with its folds grown as far as a change of volume makes them.
static void grow_folds(const sniProfile* profile, float growth, sniProfileTable out[3]) {
    for (int a = 0; a < 3; a++) {
        const sniProfileTable *plain = &profile->plain[a], *folded = &profile->folded[a];
        out[a].low = plain->low;
        out[a].per_unit = plain->per_unit;
        const float *from = plain->at[0], *to = folded->at[0];
        float* at = out[a].at[0];
        for (uint32_t i = 0; i < 2 * (SNI_PROFILE_SAMPLES + 1); i++)
            at[i] = from[i] + (to[i] - from[i]) * growth;
    }
}

// Weights with y along an axis that is turned about x, times `part`.
static double add_turned(const sniRun* run, const sniPatch* patch, const sniProfileTable tables[3],
                         float cosine, float sine, float part, float* weights) {
    size_t count = patch->count;
    float *y = run->patch_memory + count, *z = y + count, *own = z + count;
    const float *rest_y = patch->coordinates + count, *rest_z = rest_y + count;
    for (size_t i = 0; i < count; i++) {
        y[i] = cosine * rest_y[i] + sine * rest_z[i];
        z[i] = cosine * rest_z[i] - sine * rest_y[i];
    }
    const float* const at[3] = {patch->coordinates, y, z};
    double sum = run->kernels->profile(tables, at, patch->gates, patch->count, own);
    run->kernels->add(weights, own, part, patch->count);
    return sum * (double)part;
}

// The profile on the surface at rest; its axes follow the bend.
static const float* weights_of(const sniRun* run, const sniPatch* patch, const sniPosedFrame* frame,
                               double change) {
    const sniVolumeFrame* joint = &run->volume->joints[patch->joint];
    if (patch->weights != NULL) return patch->weights;
    sniProfileTable tables[3];
    float growth =
        joint->largest > 0.0 ? sn_clampf((float)(fabs(change) / joint->largest), 0.0f, 1.0f) : 1.0f;
    grow_folds(&run->volume->profiles[joint->profile], growth, tables);
    float* weights = run->patch_memory;
    memset(weights, 0, patch->count * sizeof(float));
    const snVec3 *straight = frame->straight.axes, *bent = frame->bent.axes;
    double sum = 0.0;
    if (frame->bend < 1.0f) sum += add_turned(run, patch, tables, 1.0f, 0.0f, 1.0f - frame->bend, weights);
    if (frame->bend > 0.0f)
        sum += add_turned(run, patch, tables, sn_dot(bent[1], straight[1]), sn_dot(bent[1], straight[2]),
                          frame->bend, weights);
    sni_top_up(patch, sum, weights);
    return weights;
}

static void add_axes(const snVec3 axes[3], const float shares[3], float part, float out[6]) {
    for (int a = 0; a < 3; a++) {
        snVec3 e = axes[a];
        float s = 3.0f * shares[a] * part;
        const float products[6] = {e.x * e.x, e.y * e.y, e.z * e.z, e.x * e.y, e.x * e.z, e.y * e.z};
        for (int i = 0; i < 6; i++) out[i] += s * products[i];
    }
}

static double facing_of(const sniShellRun* shell, const sniSpan* spans, uint32_t span_count,
                        const float* weights, const float* values) {
    double sum = 0.0;
    for (uint32_t s = 0; s < span_count; s++) {
        sum += shell->run->kernels->product(weights, values + spans[s].begin, spans[s].end - spans[s].begin);
        weights += spans[s].end - spans[s].begin;
    }
    return sum;
}

static void add_spans(const sniShellRun* shell, const sniSpan* spans, uint32_t span_count,
                      const float* weights, float scale, float* values) {
    for (uint32_t s = 0; s < span_count; s++) {
        uint32_t count = spans[s].end - spans[s].begin;
        shell->run->kernels->add(values + spans[s].begin, weights, scale, count);
        weights += count;
    }
}

// Where all shares are the same, points go along their normals.
static float add_even(const sniShellRun* shell, const sniSpan* spans, uint32_t span_count,
                      const float* weights, double amount, double least) {
    double facing = facing_of(shell, spans, span_count, weights, shell->field.facing);
    double size = 0.5 * (facing + sqrt(facing * facing + least * least));
    float scale = (float)(-amount / size);
    add_spans(shell, spans, span_count, weights, scale, shell->field.along);
    return scale;
}

static snVec3 turned_by(const float by[6], snVec3 n) {
    return sn_vec3(by[0] * n.x + by[3] * n.y + by[4] * n.z, by[3] * n.x + by[1] * n.y + by[5] * n.z,
                   by[4] * n.x + by[5] * n.y + by[2] * n.z);
}

// How far a profile would move its points at a scale of 1, in rooms: the root of the mean square.
static double strain_of(const sniShellRun* shell, const sniPatch* patch, const float* weights,
                        const float by[6]) {
    const sniField* f = &shell->field;
    double sum = 0.0, all = 0.0;
    for (uint32_t s = 0; s < patch->span_count; s++) {
        for (uint32_t i = patch->spans[s].begin; i < patch->spans[s].end; i++, weights++) {
            if (!(*weights > 0.0f) || !(f->room[i] > 0.0f)) continue;
            snVec3 n = sn_vec3(f->normals[0][i], f->normals[1][i], f->normals[2][i]);
            double far = (double)(*weights * sn_length(turned_by(by, n)) / f->room[i]);
            sum += (double)*weights * far * far;
            all += (double)*weights;
        }
    }
    return all > 0.0 ? sqrt(sum / all) : 0.0;
}

// Along axes that hardly face the surface points would have to slide far to change its volume: there the
// normals take over.
static float add_shared(const sniShellRun* shell, const sniPatch* patch, const float* weights,
                        const sniPosedFrame* frame, double amount, double least) {
    const float* shares =
        shell->run->volume->profiles[shell->run->volume->joints[patch->joint].profile].shares;
    float by[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    add_axes(frame->bent.axes, shares, frame->bend, by);
    add_axes(frame->straight.axes, shares, 1.0f - frame->bend, by);
    double even = facing_of(shell, patch->spans, patch->span_count, weights, shell->field.facing);
    double facing = 0.0;
    const float* at = weights;
    for (uint32_t s = 0; s < patch->span_count; s++) {
        facing += shell->run->kernels->facing_by(at, by, &shell->field, patch->spans[s]);
        at += patch->spans[s].end - patch->spans[s].begin;
    }
    double lacking = even > 0.0 ? FACING - facing / even : 0.0;
    if (lacking > 0.0) {
        for (int i = 0; i < 3; i++) by[i] += (float)lacking;
        facing += lacking * even;
    }
    double size = 0.5 * (facing + sqrt(facing * facing + least * least));
    float scale = (float)(-amount / size);
    // Held within its room point by point a bulge would become a plateau with a rim. So all of it is lowered,
    // and what it has no room for goes evenly around the joint.
    double strain = fabs((double)scale) * strain_of(shell, patch, weights, by);
    double fits = 1.0 / sqrt(1.0 + strain * strain);
    scale = (float)((double)scale * fits);
    add_even(shell, patch->spans, patch->span_count, patch->gates, amount * (1.0 - fits),
             least * patch->reach / patch->mass);
    at = weights;
    for (uint32_t s = 0; s < patch->span_count; s++) {
        shell->run->kernels->add_by(at, by, scale, &shell->field, patch->spans[s]);
        at += patch->spans[s].end - patch->spans[s].begin;
    }
    return scale;
}

static void add_profile(const sniShellRun* shell, uint32_t index) {
    sniRun* run = shell->run;
    const sniPatch* patch = &run->volume->patches[index];
    const sniProfile* profile = &run->volume->profiles[run->volume->joints[patch->joint].profile];
    double amount = run->wanted[index];
    if (amount == 0.0) return;
    sniPosedFrame frame = sni_posed_frame(run->volume, patch->joint, run->job->matrices);
    if (run->volume->rest_profiles) frame.bend = 0.0f;
    const float* weights = weights_of(run, patch, &frame, amount);
    double least = FACING * patch->mass * (double)frame.scale * (double)frame.scale;
    float scale = profile->even ? add_even(shell, patch->spans, patch->span_count, weights, amount, least)
                                : add_shared(shell, patch, weights, &frame, amount, least);
    run->moved[index] = fabsf(scale) * patch->largest;
    add_spans(shell, patch->spans, patch->span_count, patch->gates, (float)(fabs(amount) / patch->reach),
              shell->field.wide);
}

// A target goes to what the bone carries, evenly: the profile is for what the bend did.
static void add_breath(const sniShellRun* shell, uint32_t index) {
    sniRun* run = shell->run;
    const sniPatch* patch = &run->volume->patches[index];
    const sniCarried* carried = &patch->carried;
    double gain = run->breaths[index];
    if (gain == 0.0) return;
    double scale = (double)sni_posed_frame(run->volume, patch->joint, run->job->matrices).scale;
    float step = add_even(shell, carried->spans, carried->span_count, carried->weights, -gain,
                          FACING * carried->mass * scale * scale);
    run->moved[index] = sn_maxf(run->moved[index], fabsf(step) * carried->largest);
    add_spans(shell, carried->spans, carried->span_count, carried->weights,
              (float)(fabs(gain) / carried->mass), shell->field.wide);
}

void sni_run_add(const sniShellRun* shell, uint32_t patch) {
    add_profile(shell, patch);
    add_breath(shell, patch);
}
