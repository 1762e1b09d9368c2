// The correction of one joint on one shell: three steps, one along each axis of its frame (Rohmer et al.
// 2009, section 2.2). The volume is linear in the coordinates along one axis, so each step is exact.
//
// With weights w and slopes s = dV/dx, the step u = -c w s / sum(w s^2) takes the volume c away; the paper
// prints the other sign for the opposite change. Weights are divided by the area of each point, so that the
// move does not depend on how fine the mesh is.
#include "volume/run.h"

#include "base/memory.h"

// How far a surface faces an axis, as the sum of weight * slope^2; all of it would be 9. Below the first the
// axis takes nothing, above the second all that is asked. Judged on a nearly straight limb, along which
// points slid by metres (`volume.poses`); about 0.1 % and 2 % of the surface.
#define ASKEW 0.01
#define FACING 0.2
// No point moves further at once than this, in joint lengths. Judged on the same limb.
#define REACH 0.5f

typedef struct Patch {
    sniRun* run;
    const sniPatch* def;
    const sniProfile* profile;
    float* coordinates[3];
    float* pairs;
    float* weights;
    float* slopes;
    float* moves[3];
    sniSpan* spans;   // of places with weights
    float* gradients; // for one step
    uint32_t span_count;
    double steepest; // a ninth of the sum of weight * slope^2, if all of the surface faced one axis
    double furthest; // metres
} Patch;

static Patch patch_at(sniRun* run, uint32_t index) {
    const sniPatch* def = &run->volume->patches[index];
    uint32_t profile = run->volume->joints[def->joint].profile;
    Patch p = {.run = run, .def = def, .profile = &run->volume->profiles[profile]};
    float* memory = run->patch_memory + run->volume->places[index];
    size_t total = def->rings->total, inner = def->rings->inner;
    for (int a = 0; a < 3; a++, memory += total) p.coordinates[a] = memory;
    p.pairs = memory;
    memory += 2 * total;
    p.weights = memory;
    p.slopes = memory + inner;
    for (int a = 0; a < 3; a++) p.moves[a] = memory + (size_t)(2 + a) * inner;
    p.gradients = memory + 5 * inner;
    p.spans = (sniSpan*)(void*)(p.gradients + 4 * (total + inner));
    return p;
}

// The profile around the joint, in metres, with its folds grown as far as this change of volume makes them.
static void fill_weights(const Patch* p, const sniVolumeFrame* joint, float scale, double change) {
    const sniRings* rings = p->def->rings;
    if (p->def->weights != NULL) {
        memcpy(p->weights, p->def->weights, rings->inner * sizeof(float));
    } else {
        float growth =
            joint->largest > 0.0 ? sn_clampf((float)(fabs(change) / joint->largest), 0.0f, 1.0f) : 1.0f;
        float length = joint->length * scale;
        sniProfileTable tables[3];
        for (int a = 0; a < 3; a++) {
            const sniProfileTable *plain = &p->profile->plain[a], *folded = &p->profile->folded[a];
            tables[a].low = plain->low * length;
            tables[a].per_unit = plain->per_unit / length;
            const float *from = plain->at[0], *to = folded->at[0];
            float* out = tables[a].at[0];
            for (uint32_t i = 0; i < 2 * (SNI_PROFILE_SAMPLES + 1); i++)
                out[i] = from[i] + (to[i] - from[i]) * growth;
        }
        const float* const at[3] = {p->coordinates[0], p->coordinates[1], p->coordinates[2]};
        double sum = p->run->kernels->profile(tables, at, p->def->gates, rings->inner, p->weights);
        sni_top_up(p->def, sum, p->weights);
    }
    for (uint32_t i = 0; i < rings->inner && p->run->pinned != NULL; i++) {
        if (p->run->pinned[rings->ids[i]] != 0) p->weights[i] = 0.0f;
    }
}

// Where there are weights, in whole lanes: the rest of the patch does not move.
static void find_spans(Patch* p) {
    uint32_t inner = p->def->rings->inner;
    p->span_count = 0;
    for (uint32_t i = 0; i < inner; i += SNI_FACE_LANES) {
        float most = 0.0f;
        for (uint32_t k = i; k < i + SNI_FACE_LANES; k++) most = sn_maxf(most, p->weights[k]);
        if (!(most > 0.0f)) continue;
        if (p->span_count > 0 && p->spans[p->span_count - 1].end == i)
            p->spans[p->span_count - 1].end += SNI_FACE_LANES;
        else
            p->spans[p->span_count++] = (sniSpan){i, i + SNI_FACE_LANES};
    }
}

// A cap's middle moves with its loop: every member has a part of its slope.
static void add_cap_slopes(const Patch* p) {
    const sniRings* rings = p->def->rings;
    for (uint32_t c = 0; c < rings->cap_count; c++) {
        const sniRingCap* cap = &rings->caps[c];
        const uint32_t* members = rings->cap_members + cap->first;
        const float* center = p->pairs + 2 * (size_t)cap->center;
        double sum = 0.0;
        for (uint32_t i = 0; i < cap->count; i++) {
            const float* a = p->pairs + 2 * (size_t)members[i];
            const float* b = p->pairs + 2 * (size_t)members[i + 1 == cap->count ? 0 : i + 1];
            double a0 = (double)(a[0] - center[0]), a1 = (double)(a[1] - center[1]);
            double b0 = (double)(b[0] - center[0]), b1 = (double)(b[1] - center[1]);
            sum += b0 * a1 - b1 * a0; // the cap runs the other way than its loop
        }
        float each = (float)(2.0 * sum / (double)cap->count);
        for (uint32_t i = 0; i < cap->count; i++) {
            if (members[i] < rings->inner) p->slopes[members[i]] += each;
        }
    }
}

static void move_caps(const Patch* p, int axis) {
    const sniRings* rings = p->def->rings;
    float* x = p->coordinates[axis];
    for (uint32_t c = 0; c < rings->cap_count; c++) {
        const sniRingCap* cap = &rings->caps[c];
        double sum = 0.0;
        for (uint32_t i = 0; i < cap->count; i++) sum += (double)x[rings->cap_members[cap->first + i]];
        x[cap->center] = (float)(sum / (double)cap->count);
    }
}

// How much of what is asked of an axis it may take: all where the surface faces it, nothing where it hardly
// does. Points would have to slide far along the surface to change the volume that way.
static double facing(const Patch* p, double sum) {
    double t = (sum / p->steepest - ASKEW) / (FACING - ASKEW);
    return t <= 0.0 ? 0.0 : t >= 1.0 ? 1.0 : t * t * (3.0 - 2.0 * t);
}

// Takes `amount` (cubic metres) away along an axis by the slopes, or what it may of it; returns what it took.
static double take(const Patch* p, int axis, double amount, bool whole) {
    const sniVolumeKernels* k = p->run->kernels;
    double sum = 0.0;
    float most = 0.0f;
    for (uint32_t i = 0; i < p->span_count; i++) sum += k->weigh(p->weights, p->spans[i], p->slopes, &most);
    double taken = whole ? amount : amount * facing(p, sum);
    if (!(sum > 0.0) || taken == 0.0) return 0.0;
    // Slopes are twelve times dV/dx. No point goes further than the joint can reach.
    double scale = -12.0 * taken / sum, furthest = fabs(scale) * (double)most;
    if (furthest > p->furthest) {
        taken *= p->furthest / furthest;
        scale *= p->furthest / furthest;
    }
    for (uint32_t i = 0; i < p->span_count; i++) {
        k->move(p->coordinates[axis], p->slopes, (float)scale, p->spans[i]);
        k->move(p->moves[axis], p->slopes, (float)scale, p->spans[i]);
    }
    return taken;
}

// How an axis gets its slopes: from the surface as it is after the axes before it, or as it was.
typedef double StepFn(const Patch* p, const sniFrame* frame, int axis, double amount, bool whole);

static double step(const Patch* p, const sniFrame* frame, int axis, double amount, bool whole) {
    const sniRings* rings = p->def->rings;
    const sniVolumeKernels* k = p->run->kernels;
    (void)frame;
    k->pair(p->coordinates[(axis + 1) % 3], p->coordinates[(axis + 2) % 3], rings->total, p->pairs);
    for (uint32_t i = 0; i < p->span_count; i++) k->slopes(&rings->set, p->spans[i], p->pairs, p->slopes);
    if (rings->cap_count > 0) add_cap_slopes(p);
    double taken = take(p, axis, amount, whole);
    if (taken != 0.0 && rings->cap_count > 0) move_caps(p, axis);
    return taken;
}

static double step_by_gradient(const Patch* p, const sniFrame* frame, int axis, double amount, bool whole) {
    const sniRings* rings = p->def->rings;
    const snVec4* gradients = (const snVec4*)(const void*)p->gradients + rings->total;
    for (uint32_t i = 0; i < p->span_count; i++)
        p->run->kernels->along(gradients, frame->axes[axis], p->spans[i], p->slopes);
    for (uint32_t i = rings->set.block_count * SNI_RING_LANES; i < rings->inner; i++) p->slopes[i] = 0.0f;
    return take(p, axis, amount, whole);
}

// Approximate: one walk around the points instead of three.
static void fill_gradients(const Patch* p) {
    const sniRings* rings = p->def->rings;
    snVec4* places = (snVec4*)(void*)p->gradients;
    for (uint32_t i = 0; i < rings->total; i++) places[i] = p->run->points[rings->ids[i]];
    for (uint32_t i = 0; i < p->span_count; i++) {
        uint32_t end = p->spans[i].end / SNI_RING_LANES, last = rings->set.block_count;
        p->run->kernels->gradients(&rings->set, p->spans[i].begin / SNI_RING_LANES, end < last ? end : last,
                                   places, places + rings->total);
    }
}

// All three, largest share first. What an axis cannot take goes to those behind it, and in the end to the one
// that took most readily. Returns whether anything moved.
static bool step_all(const Patch* p, const sniFrame* frame, double amount) {
    // Caps move with their loops, which the gradient of the surface alone does not know.
    bool once = p->run->job->one_step && p->def->rings->cap_count == 0;
    StepFn* go = once ? step_by_gradient : step;
    if (once) fill_gradients(p);
    double left = amount, shares = 1.0, readiest = 0.0;
    int best = -1;
    for (int i = 0; i < 3; i++) {
        int axis = (int)p->profile->order[i];
        double share = (double)p->profile->shares[axis];
        if (!(share > 0.0)) break;
        double part = i == 2 || shares <= share ? left : left * share / shares;
        shares -= share;
        double taken = go(p, frame, axis, part, false), readiness = part != 0.0 ? taken / part : 0.0;
        left -= taken;
        if (readiness > readiest) best = axis, readiest = readiness;
    }
    if (best >= 0 && fabs(left) > 1e-9 * fabs(amount)) go(p, frame, best, left, true);
    // No axis that the profile likes faces the surface: those that do will have to.
    for (int axis = 0; axis < 3 && best < 0; axis++) {
        double taken = go(p, frame, axis, left, false);
        left -= taken;
        if (axis == 2 && left != amount && fabs(left) > 1e-9 * fabs(amount)) go(p, frame, axis, left, true);
    }
    return best >= 0 || left != amount;
}

// Back to the surface; returns the largest move.
static float apply(const Patch* p, const sniFrame* frame) {
    const sniRings* rings = p->def->rings;
    const float* const moves[3] = {p->moves[0], p->moves[1], p->moves[2]};
    float most = 0.0f;
    for (uint32_t i = 0; i < p->span_count; i++)
        most =
            sn_maxf(most, p->run->kernels->add_moves(rings->ids, p->spans[i], frame, moves, p->run->points));
    for (uint32_t c = 0; c < rings->cap_count; c++) {
        const sniRingCap* cap = &rings->caps[c];
        p->run->points[rings->ids[cap->center]] =
            sni_loop_middle(p->run->points, rings->ids, rings->cap_members + cap->first, cap->count);
    }
    return sqrtf(most);
}

// The largest move in metres; below 0 when nothing can move.
static float correct_in(Patch* p, const sniFrame* frame, float scale, double amount) {
    const sniRings* rings = p->def->rings;
    const sniVolumeFrame* joint = &p->run->volume->joints[p->def->joint];
    p->run->kernels->to_frame(p->run->points, rings->ids, rings->total, frame, p->coordinates[0],
                              p->coordinates[1], p->coordinates[2]);
    fill_weights(p, joint, scale, amount);
    find_spans(p);
    for (uint32_t i = 0; i < p->span_count; i++) {
        sniSpan span = p->spans[i];
        for (int a = 0; a < 3; a++)
            memset(p->moves[a] + span.begin, 0, (span.end - span.begin) * sizeof(float));
    }
    float squared = scale * scale;
    p->furthest = (double)(REACH * joint->length * scale);
    p->steepest = 0.0;
    for (uint32_t i = 0; i < p->span_count; i++)
        p->steepest += p->run->kernels->product(p->weights, p->def->steepest, p->spans[i]);
    p->steepest *= (double)squared * (double)squared;
    return step_all(p, frame, amount) ? apply(p, frame) : -1.0f;
}

static void correct_patches(sniRun* run, uint32_t begin, uint32_t end) {
    for (uint32_t i = begin; i < end; i++) {
        uint32_t index = run->volume->by_level[i];
        double amount = run->wanted[index];
        if (amount == 0.0) continue;
        Patch p = patch_at(run, index);
        sniPosedFrame frame = sni_posed_frame(run->volume, p.def->joint, run->job->matrices);
        float moved = -1.0f;
        if (p.profile->round) frame.bend = 0.0f;
        if (frame.bend > 0.0f) moved = correct_in(&p, &frame.bent, frame.scale, amount * (double)frame.bend);
        if (frame.bend < 1.0f)
            moved = sn_maxf(
                moved, correct_in(&p, &frame.straight, frame.scale, amount * (1.0 - (double)frame.bend)));
        run->stuck[index] = moved < 0.0f;
        run->moved[index] = sn_maxf(run->moved[index], moved);
    }
}

typedef struct Level {
    sniRun* run;
    uint32_t first;
} Level;

static void correct_level(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Level* level = context;
    correct_patches(level->run, level->first + begin, level->first + end);
}

void sni_run_correct(sniRun* run) {
    const snExactVolume* v = run->volume;
    for (uint32_t l = 0; l < v->level_count; l++) {
        Level level = {run, v->level_starts[l]};
        sn_tasks_run(run->job->tasks, correct_level, &level, v->level_starts[l + 1] - v->level_starts[l], 1);
    }
}
