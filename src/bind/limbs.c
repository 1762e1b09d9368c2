// Bones as the flesh sees them.
//
// A skeleton says where joints are; which of its lines are bones is for us to find out:
// - A foot that an animator plants hangs on the root, not on the leg. A last bone that points at such a joint
//   through the flesh ends there, and the line from the root to it is none.
// - A last bone ends where the flesh ends.
// - A bone that starts outside the flesh is more of a handle than a bone.
// - A joint from which no child leads on still has flesh ahead of it.
// On the nine characters of `make quality` these rules brought more than anything that was tried with
// distances and diffusion; the numbers below were chosen on them.
#include "base/error.h"
#include "base/memory.h"
#include "bind/auto.h"

// A last bone meets a joint in a cone around its direction, between these multiples of its own length: the
// length is often a guess.
#define CONE SNI_TUNED(CONE, 0.25f)
#define NEAREST_MEETING SNI_TUNED(NEAREST_MEETING, 0.1f)
#define FARTHEST_MEETING SNI_TUNED(FARTHEST_MEETING, 4.0f)
// The last bone of a chain is shorter than the one before it, by which its length is guessed.
#define LAST_LENGTH SNI_TUNED(LAST_LENGTH, 0.5f)
// How much more of the line to the joint must be inside than of the line that the skeleton draws.
#define INSIDE_GAIN SNI_TUNED(INSIDE_GAIN, 0.25f)
// Distances to a bone that starts outside grow by this factor, times the share of it before the flesh begins.
// Chosen by every family's absence (docs/bind-quality.md).
#define HANDLE_FACTOR SNI_TUNED(HANDLE_FACTOR, 1.5f)
// Farther than any bone: the line of a root owns a point only where it is alone.
#define ROOT_FACTOR SNI_TUNED(ROOT_FACTOR, 100.0f)
// The line from a root on the ground up into the hips is one when this much of it lies before the flesh.
// Judged.
#define ROOT_OUTSIDE SNI_TUNED(ROOT_OUTSIDE, 0.25f)
// A line within 60 degrees of the way to the center of what its joint owns leads there.
#define LEADS_ON SNI_TUNED(LEADS_ON, 0.5f)
// A last bone whose joint owns what lies behind it, at more than 105 degrees and farther than it reaches, was
// drawn the wrong way. Judged.
#define AWAY SNI_TUNED(AWAY, -0.25f)
// How much of the line to the center of the flesh must be inside.
#define CENTER_INSIDE SNI_TUNED(CENTER_INSIDE, 0.75f)
#define SAMPLES 64

typedef struct Make {
    const sniBind* bind;
    const sniInside* flesh;
    sniLimbs* limbs;
    bool* leads;     // per joint of the skeleton: it, or a joint below it, deforms
    bool* rooted;    // per joint: it, or a joint above it, deforms
    bool* adopted;   // per joint: a last bone ends in it
    bool* above;     // per joint: the last bone in hand hangs on it, or starts there
    uint32_t* below; // per joint: joints below it, itself included
    float* best;     // per joint: how well the best of its lines carries it on
    float shortest;  // anything shorter has no direction
} Make;

static snVec3 place(const Make* make, uint32_t joint) {
    return sn_mat4_translation(&make->bind->pose->worlds[joint]);
}

static float length_of(const sniLimb* limb) { return sn_distance(limb->head, limb->tail); }

static void mark_joints(Make* make) {
    const snSkeleton* skeleton = make->bind->model->skeleton;
    const sniBones* bones = make->bind->bones;
    for (uint32_t i = 0; i < bones->joint_count; i++) {
        make->leads[bones->joints[i]] = make->rooted[bones->joints[i]] = true;
    }
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        if (above != SN_NONE) make->rooted[j] = make->rooted[j] || make->rooted[above];
    }
    for (uint32_t k = skeleton->joint_count; k-- > 0;) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        make->below[j]++;
        if (above == SN_NONE) continue;
        make->below[above] += make->below[j];
        make->leads[above] = make->leads[above] || make->leads[j];
    }
}

// The joint above, where it or a joint above it deforms. A skeleton often hangs on a joint at the origin, and
// the line from there says nothing about the body.
static uint32_t joint_above(const Make* make, uint32_t joint) {
    uint32_t above = make->bind->model->skeleton->parents[joint];
    return above != SN_NONE && make->rooted[above] ? above : SN_NONE;
}

// Marks a joint and all above it.
static void mark_above(const Make* make, uint32_t joint, bool marked) {
    const uint32_t* parents = make->bind->model->skeleton->parents;
    for (; joint != SN_NONE; joint = parents[joint]) make->above[joint] = marked;
}

// -------------------------------------------------------------------------------------------- last bones

// How far along the last bone the joint lies, or 0 when they do not meet. What is above the bone is marked.
static float meets(const Make* make, const sniLimb* limb, uint32_t joint) {
    const snSkeleton* skeleton = make->bind->model->skeleton;
    uint32_t above = skeleton->parents[joint];
    if (above == SN_NONE || above == limb->start || above == skeleton->parents[limb->start]) return 0.0f;
    if (!make->leads[joint] || make->above[joint] || !make->above[above]) return 0.0f;
    float length = length_of(limb);
    snVec3 along = sn_scale(sn_sub(limb->tail, limb->head), 1.0f / length);
    snVec3 way = sn_sub(place(make, joint), limb->head);
    float ahead = sn_dot(way, along);
    if (!(ahead >= NEAREST_MEETING * length && ahead <= FARTHEST_MEETING * length)) return 0.0f;
    if (sn_length(sn_sub(way, sn_scale(along, ahead))) > CONE * ahead) return 0.0f;
    float drawn = sni_inside_share(make->flesh, place(make, above), place(make, joint), SAMPLES);
    float found = sni_inside_share(make->flesh, limb->head, place(make, joint), SAMPLES);
    return found >= drawn + INSIDE_GAIN ? ahead : 0.0f;
}

static uint32_t find_meeting(const Make* make, const sniLimb* limb) {
    uint32_t best = SN_NONE;
    float nearest = 0.0f;
    mark_above(make, limb->start, true);
    for (uint32_t j = 0; j < make->bind->model->skeleton->joint_count; j++) {
        float ahead = meets(make, limb, j);
        if (!(ahead > 0.0f) || (best != SN_NONE && !(ahead < nearest))) continue;
        best = j;
        nearest = ahead;
    }
    mark_above(make, limb->start, false);
    return best;
}

// Where the limb, having entered the flesh, leaves it; its tail when it does not.
static snVec3 clip(const sniInside* flesh, const sniLimb* limb) {
    if (!SNI_RULE(clip)) return limb->tail;
    uint32_t steps = 3 * SAMPLES;
    bool entered = false;
    snVec3 last = limb->tail;
    for (uint32_t i = 0; i < steps; i++) {
        snVec3 p = sn_lerp(limb->head, limb->tail, ((float)i + 0.5f) / (float)steps);
        bool inside = sni_inside_holds(flesh, p);
        if (entered && !inside) return last;
        entered = entered || inside;
        last = p;
    }
    return limb->tail;
}

static void end_last_bones(Make* make) {
    for (uint32_t i = 0; i < make->limbs->count; i++) {
        sniLimb* limb = &make->limbs->limbs[i];
        if (!limb->last || !(length_of(limb) > make->shortest)) continue;
        uint32_t joint = find_meeting(make, limb);
        if (joint == SN_NONE) {
            bool guessed = make->bind->bones->bones[i].end == SN_NONE;
            if (guessed) limb->tail = sn_lerp(limb->head, limb->tail, LAST_LENGTH);
            limb->tail = clip(make->flesh, limb);
            continue;
        }
        limb->tail = place(make, joint);
        limb->adopts = true;
        make->adopted[joint] = true;
    }
}

// A limb that another one meets goes on from there.
static void mark_met(Make* make) {
    for (uint32_t i = 0; i < make->limbs->count; i++) {
        make->limbs->limbs[i].met = make->adopted[make->limbs->limbs[i].start];
    }
}

// ------------------------------------------------------------------------------------------------ limbs

static sniLimb limb_of(const Make* make, const sniBone* bone) {
    return (sniLimb){.head = bone->head,
                     .tail = bone->tail,
                     .joint = bone->joint,
                     .start = bone->start,
                     .factor = 1.0f,
                     .borrowed = bone->borrowed,
                     .last = bone->end == SN_NONE || !make->leads[bone->end]};
}

// Lines to adopted joints are none, and a line without length says nothing beside another of its joint.
static void drop_lines(Make* make) {
    const sniBones* bones = make->bind->bones;
    sniLimbs* limbs = make->limbs;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < limbs->count; i++) {
        sniLimb limb = limbs->limbs[i];
        uint32_t end = bones->bones[i].end;
        bool drop = end != SN_NONE && !limb.last && make->adopted[end];
        if (drop || !(length_of(&limb) > make->shortest)) {
            bool alone = !limb.borrowed && (kept == 0 || limbs->limbs[kept - 1].start != limb.start);
            bool more = i + 1 < limbs->count && limbs->limbs[i + 1].start == limb.start;
            if (!alone || more) continue;
            limb.tail = limb.head;
        }
        limbs->limbs[kept++] = limb;
    }
    limbs->count = kept;
}

// How well a limb carries on the bone above its joint: the cosine between them, or without a bone above the
// number of joints that hang on it.
static float carries_on(const Make* make, const sniLimb* limb, uint32_t end) {
    uint32_t above = joint_above(make, limb->start);
    snVec3 before = above == SN_NONE ? sn_vec3(0.0f, 0.0f, 0.0f) : sn_sub(limb->head, place(make, above));
    if (!(sn_length(before) > make->shortest)) return end == SN_NONE ? 0.0f : (float)make->below[end];
    snVec3 along = sn_sub(limb->tail, limb->head);
    return sn_dot(before, along) / sn_maxf(sn_length(before) * sn_length(along), 1e-30f);
}

// Among the lines of one joint, those that carry it on less well than another. Equals stay equal, so that a
// symmetric skeleton is treated symmetrically.
static void mark_sides(Make* make) {
    const sniBones* bones = make->bind->bones;
    sniLimbs* limbs = make->limbs;
    for (uint32_t i = 0; i < limbs->count; i++) make->best[limbs->limbs[i].start] = -INFINITY;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < limbs->count; i++) {
            sniLimb* limb = &limbs->limbs[i];
            if (!(length_of(limb) > make->shortest)) continue;
            float own = carries_on(make, limb, bones->bones[i].end), *best = &make->best[limb->start];
            if (pass == 0)
                *best = sn_maxf(*best, own);
            else
                limb->side = own < *best - 1e-3f;
        }
    }
}

static void mark_handles(Make* make) {
    for (uint32_t i = 0; i < make->limbs->count; i++) {
        sniLimb* limb = &make->limbs->limbs[i];
        uint32_t steps = SAMPLES / 2, first = 0;
        while (first < steps &&
               !sni_inside_holds(make->flesh,
                                 sn_lerp(limb->head, limb->tail, ((float)first + 0.5f) / (float)steps))) {
            first++;
        }
        // Wholly outside is another matter: a bone in thin air still moves what is nearest to it.
        if (first == steps) continue;
        limb->factor = 1.0f + HANDLE_FACTOR * (float)first / (float)steps;
        // The line from a root on the ground up into the hips holds no flesh, not even where it pierces the
        // skin.
        bool topmost = joint_above(make, limb->start) == SN_NONE;
        if (topmost && !limb->last && (float)first >= ROOT_OUTSIDE * (float)steps) {
            limb->tail = limb->head;
            limb->factor = ROOT_FACTOR;
        }
    }
}

static snResult build(Make* make, snError* error) {
    const sniBones* bones = make->bind->bones;
    sniLimbs* limbs = make->limbs;
    if (!sni_grow(&limbs->allocator, &limbs->limbs, &limbs->capacity, bones->bone_count, sizeof(sniLimb))) {
        return sni_fail_memory(error);
    }
    mark_joints(make);
    for (uint32_t b = 0; b < bones->bone_count; b++) limbs->limbs[b] = limb_of(make, &bones->bones[b]);
    limbs->count = bones->bone_count;
    mark_sides(make);
    end_last_bones(make);
    mark_met(make);
    drop_lines(make);
    mark_handles(make);
    return SN_RESULT_OK;
}

snResult sni_limbs_create(const sniBind* bind, const sniInside* flesh, sniLimbs* out, snError* error) {
    uint32_t joints = bind->model->skeleton->joint_count;
    sniLimbs limbs = {.allocator = bind->allocator};
    Make make = {.bind = bind,
                 .flesh = flesh,
                 .limbs = &limbs,
                 .leads = SNI_NEW_ARRAY(&limbs.allocator, bool, joints),
                 .rooted = SNI_NEW_ARRAY(&limbs.allocator, bool, joints),
                 .adopted = SNI_NEW_ARRAY(&limbs.allocator, bool, joints),
                 .above = SNI_NEW_ARRAY(&limbs.allocator, bool, joints),
                 .below = SNI_NEW_ARRAY(&limbs.allocator, uint32_t, joints),
                 .best = SNI_NEW_ARRAY(&limbs.allocator, float, joints),
                 .shortest = 1e-5f * bind->surface->diagonal};
    bool enough = make.leads != NULL && make.rooted != NULL && make.adopted != NULL && make.above != NULL &&
                  make.below != NULL && make.best != NULL;
    snResult result = enough ? build(&make, error) : sni_fail_memory(error);
    sni_free(&limbs.allocator, make.leads);
    sni_free(&limbs.allocator, make.rooted);
    sni_free(&limbs.allocator, make.adopted);
    sni_free(&limbs.allocator, make.above);
    sni_free(&limbs.allocator, make.below);
    sni_free(&limbs.allocator, make.best);
    if (result == SN_RESULT_OK)
        *out = limbs;
    else
        sni_limbs_free(&limbs);
    return result;
}

void sni_limbs_free(sniLimbs* limbs) {
    if (limbs == NULL || limbs->allocator.free == NULL) return;
    sni_free(&limbs->allocator, limbs->limbs);
    *limbs = (sniLimbs){0};
}

// --------------------------------------------------------------------------------- what a joint owns

typedef struct Center {
    double sum[3];
    double area;
} Center;

static void add_to_center(Center* center, snVec3 p, double area) {
    center->sum[0] += area * (double)p.x;
    center->sum[1] += area * (double)p.y;
    center->sum[2] += area * (double)p.z;
    center->area += area;
}

static snVec3 center_of(const Center* center) {
    return sn_vec3((float)(center->sum[0] / center->area), (float)(center->sum[1] / center->area),
                   (float)(center->sum[2] / center->area));
}

// --------------------------------------------------------------------------------------------- settling

static bool is_settled(const sniLimb* limb) { return !limb->last || limb->adopts; }

void sni_limbs_shrink(sniLimbs* limbs, snVec3* tails) {
    for (uint32_t i = 0; i < limbs->count; i++) {
        sniLimb* limb = &limbs->limbs[i];
        tails[i] = limb->tail;
        if (!is_settled(limb)) limb->tail = limb->head;
    }
}

// Whether a joint goes on from the one above it alone. Of several (ears, fingers) each owns what is nearest,
// and what the joint above them has no line to besides.
static bool is_only_child(const sniBones* bones, uint32_t joint) {
    uint32_t children = 0;
    for (uint32_t j = 0; j < bones->joint_count; j++) children += bones->parents[j] == bones->parents[joint];
    return children == 1;
}

// Where the limb ends that was drawn to `tail` and whose joint owns what lies around `center`.
static snVec3 settle(const sniBind* bind, const sniInside* flesh, const sniLimb* limb, snVec3 tail,
                     snVec3 center) {
    sniLimb settled = *limb;
    snVec3 drawn = sn_sub(tail, limb->head), way = sn_sub(center, limb->head);
    float length = sn_length(drawn), ahead = sn_dot(drawn, way);
    bool alone = !limb->met && bind->bones->parents[limb->joint] == SN_NONE;
    bool away = ahead < AWAY * length * sn_length(way) && sn_length(way) > length;
    away = away && (!SNI_RULE(siblings) || is_only_child(bind->bones, limb->joint));
    if (SNI_RULE(turn) && (alone ? ahead < 0.0f : away)) {
        // What was drawn leads away from the flesh: where a bone above agrees with it, only beyond doubt.
        settled.tail = center;
        return clip(flesh, &settled);
    }
    if (!(length > 0.0f) || !(ahead > length * length)) return tail;
    settled.tail = sn_add(limb->head, sn_scale(drawn, ahead / (length * length)));
    return clip(flesh, &settled);
}

snResult sni_limbs_settle(sniLimbs* limbs, const snVec3* tails, const sniBind* bind, const sniInside* flesh,
                          const sniFineSurface* fine, const uint32_t* owners, const double* areas,
                          snError* error) {
    Center* centers = SNI_NEW_ARRAY(&limbs->allocator, Center, limbs->count);
    if (centers == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < fine->point_count; i++) {
        add_to_center(&centers[owners[i]], fine->points[i], areas[i]);
    }
    for (uint32_t i = 0; i < limbs->count; i++) {
        sniLimb* limb = &limbs->limbs[i];
        if (is_settled(limb)) continue;
        limb->tail =
            centers[i].area > 0.0 ? settle(bind, flesh, limb, tails[i], center_of(&centers[i])) : tails[i];
    }
    sni_free(&limbs->allocator, centers);
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------- centers

// True when flesh lies ahead of the joint and no limb leads into it; then `out` is the limb that does.
static bool find_center(const sniLimbs* limbs, const sniBind* bind, const sniInside* flesh, uint32_t joint,
                        const Center* center, sniLimb* out) {
    uint32_t start = bind->bones->joints[joint], above = bind->model->skeleton->parents[start];
    // A skeleton often hangs on a joint at the origin; the line from there says nothing about the body.
    if (bind->bones->parents[joint] == SN_NONE || !(center->area > 0.0)) return false;
    snVec3 head = bind->bones->origins[joint], tail = center_of(center), way = sn_sub(tail, head);
    snVec3 before = sn_sub(head, sn_mat4_translation(&bind->pose->worlds[above]));
    if (!(sn_length(before) > 1e-6f * bind->surface->diagonal) || !(sn_dot(way, before) > 0.0f)) return false;
    for (uint32_t i = 0; i < limbs->count; i++) {
        const sniLimb* limb = &limbs->limbs[i];
        if (limb->start != start) continue;
        snVec3 along = sn_sub(limb->tail, limb->head);
        // A center beside a bone, or short of its end, is only where its flesh happens to lie.
        bool leads = sn_dot(along, way) >= LEADS_ON * sn_length(along) * sn_length(way);
        if (limb->last || leads || !(sn_length(way) >= sn_length(along))) return false;
    }
    if (sni_inside_share(flesh, head, tail, SAMPLES) < CENTER_INSIDE) return false;
    *out =
        (sniLimb){.head = head, .tail = tail, .joint = joint, .start = start, .factor = 1.0f, .last = true};
    return true;
}

snResult sni_limbs_add_centers(sniLimbs* limbs, const sniBind* bind, const sniInside* flesh,
                               const sniFineSurface* fine, const uint32_t* owners, const double* areas,
                               snError* error) {
    uint32_t joints = bind->bones->joint_count, count = limbs->count;
    Center* centers = SNI_NEW_ARRAY(&limbs->allocator, Center, joints);
    bool enough = centers != NULL && sni_grow(&limbs->allocator, &limbs->limbs, &limbs->capacity,
                                              (size_t)limbs->count + joints, sizeof(sniLimb));
    for (uint32_t i = 0; i < fine->point_count && enough; i++) {
        add_to_center(&centers[limbs->limbs[owners[i]].joint], fine->points[i], areas[i]);
    }
    for (uint32_t j = 0; j < joints && enough; j++) {
        sniLimb limb;
        if (find_center(limbs, bind, flesh, j, &centers[j], &limb)) limbs->limbs[count++] = limb;
    }
    if (enough) limbs->count = count;
    sni_free(&limbs->allocator, centers);
    return enough ? SN_RESULT_OK : sni_fail_memory(error);
}
