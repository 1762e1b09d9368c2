// The floor. With points of the surface the body is set on it by what they reach: soles and hands by the ends
// of their limbs, all else by lifting the whole. Without them ankles and toes stand as high as they rest.
#include "retarget/retarget.h"

#include "base/memory.h"

// A surface that rests so near to height zero stands on it; part of the height. Judged.
#define NEAR_ZERO 0.03f
// What of a foot lies further ahead than this part of the way from ankle to toe is its front.
#define FRONT_PART 0.35f
// What of a forearm or a shin lies further along it than this goes where hand or foot goes. Judged.
#define NEAR_END 0.7f
// How fast a body that was lifted is let down, heights a second squared: three times as fast as people fall,
// who are 1.7 m tall. Cartwheels bring a large head to the floor within a third of a second; slower, and the
// body hangs in the air before. Judged.
#define FALL 17.4f
// Seconds of a parabola, 35 heights deep: no clip takes longer than its length times this.
#define LONGEST_FALL 2.0f

// -------------------------------------------------------------------------------------------------- points

// The end of a limb with all that hangs from it or is another piece of it, as palms beside each other are,
// and what of the segment above lies so near that it goes where the end goes.
static bool is_of_limb(const sniRetarget* r, const sniLimb* limb, uint32_t joint, snVec3 rest) {
    const snLabel* end = &r->target.labels[limb->end];
    uint32_t owner = joint; // of hooves that hang from a control
    while (r->target.labels[owner].role == SN_ROLE_NONE && r->attach[owner] != SN_NONE)
        owner = r->attach[owner];
    const snLabel* label = &r->target.labels[owner];
    if (owner == limb->end || sni_tree_above(&r->target.tree, limb->end, owner) ||
        (label->role == end->role && label->side == end->side))
        return true;
    snVec3 from = sni_body_point(&r->target, limb->lower);
    snVec3 bone = sn_sub(sni_body_point(&r->target, limb->end), from);
    return label->role == r->target.labels[limb->lower].role && label->side == end->side &&
           sn_dot(sn_sub(rest, from), bone) > NEAR_END * sn_dot(bone, bone);
}

static int limb_of(const sniRetarget* r, uint32_t joint, snVec3 rest) {
    for (int s = 0; s < SNI_LIMBS; s++)
        if (r->limbs[s].exists && is_of_limb(r, &r->limbs[s], joint, rest)) return s;
    return -1;
}

static bool is_front(const sniRetarget* r, const sniLimb* limb, snVec3 rest) {
    snVec3 ahead = sn_vec3(limb->tip.x, 0.0f, limb->tip.z);
    snVec3 from = sn_sub(rest, sni_body_point(&r->target, limb->end));
    return limb->hand || sn_dot(from, ahead) > FRONT_PART * sn_dot(ahead, ahead);
}

static void take_point(const sniRetarget* r, const snBodyPoint* from, sniGroundPoint* to) {
    *to = (sniGroundPoint){.rest = sn_quat_rotate(sn_quat_conjugate(r->target.frame), from->place),
                           .prop = from->prop};
    uint32_t main = 0;
    for (uint32_t i = 0; i < SN_BODY_POINT_JOINTS; i++) {
        bool used = from->weights[i] > 0.0f && from->joints[i] < r->target.skeleton->joint_count;
        to->joints[i] = used ? from->joints[i] : 0;
        to->weights[i] = used ? from->weights[i] : 0.0f;
        if (to->weights[i] > to->weights[main]) main = i;
    }
    to->main = to->joints[main];
    to->limb = limb_of(r, to->main, to->rest);
    if (to->limb >= 0) to->front = is_front(r, &r->limbs[to->limb], to->rest);
}

// Where the lowest of the feet is at rest, or of everything where there are none.
static float lowest_at_rest(const sniRetarget* r) {
    float low[2] = {INFINITY, INFINITY};
    for (uint32_t p = 0; p < r->ground_count; p++) {
        const sniGroundPoint* point = &r->ground[p];
        bool foot = point->limb >= 0 && !r->limbs[point->limb].hand;
        if (foot) low[0] = sn_minf(low[0], point->rest.y);
        low[1] = sn_minf(low[1], point->rest.y);
    }
    return low[0] < INFINITY ? low[0] : low[1];
}

float sni_ground_rise(const sniRetarget* r) {
    float low = lowest_at_rest(r);
    return low < INFINITY ? r->level - low : 0.0f;
}

static float rest_level(const sniRetarget* r) {
    float level = lowest_at_rest(r);
    float near = NEAR_ZERO * r->target.height;
    return level < near && level > -near ? 0.0f : level;
}

// How far feet go on ahead of their balls.
static void find_overhangs(sniRetarget* r) {
    for (uint32_t p = 0; p < r->ground_count; p++) {
        const sniGroundPoint* point = &r->ground[p];
        if (point->limb < 0 || r->limbs[point->limb].hand) continue;
        sniLimb* limb = &r->limbs[point->limb];
        snVec3 ahead = sn_vec3(limb->tip.x, 0.0f, limb->tip.z);
        float length = sn_dot(ahead, ahead);
        float along = sn_dot(sn_sub(point->rest, sni_body_point(&r->target, limb->end)), ahead);
        if (length > 0.0f) limb->overhang = sn_maxf(limb->overhang, sn_minf(along / length - 1.0f, 1.0f));
    }
}

bool sni_ground_create(sniRetarget* r) {
    const snRetargetDef* def = r->def;
    if (!def->ground || def->points == NULL || def->points->count == 0 || r->hips == SN_NONE) return true;
    r->ground = SNI_NEW_ARRAY(&r->memory, sniGroundPoint, def->points->count);
    r->radius = SNI_NEW_ARRAY(&r->memory, float, r->target.skeleton->joint_count);
    if (r->ground == NULL || r->radius == NULL) return false;
    // Limb by limb, then the others.
    for (int s = 0; s <= SNI_LIMBS; s++) {
        r->limb_points[s] = r->ground_count;
        for (uint32_t p = 0; p < def->points->count; p++) {
            sniGroundPoint point;
            take_point(r, &def->points->items[p], &point);
            if (point.limb != (s < SNI_LIMBS ? s : -1)) continue;
            float far = sn_distance(point.rest, sni_body_point(&r->target, point.main));
            r->radius[point.main] = sn_maxf(r->radius[point.main], far);
            r->ground[r->ground_count++] = point;
        }
    }
    if (!sni_branches_create(r)) return false;
    find_overhangs(r);
    r->level = def->floor == SN_FLOOR_AUTO ? rest_level(r) : def->floor;
    return true;
}

snVec3 sni_ground_now(const sniRetarget* r, uint32_t frame, const sniGroundPoint* point) {
    const snQuat* turns = r->turns + (size_t)frame * r->target.skeleton->joint_count;
    snVec3 place = sn_vec3(0.0f, 0.0f, 0.0f);
    for (uint32_t i = 0; i < SN_BODY_POINT_JOINTS; i++) {
        uint32_t j = point->joints[i];
        if (!(point->weights[i] > 0.0f)) continue;
        snVec3 from = sn_sub(point->rest, sni_body_point(&r->target, j));
        snVec3 now = sn_add(r->points[j], sn_quat_rotate(turns[j], from));
        place = sn_add(place, sn_scale(now, point->weights[i]));
    }
    return place;
}

// Height of the lowest point from `first` on, of tails and wings only where they are asked for.
static float lowest_from(const sniRetarget* r, uint32_t frame, uint32_t first, bool free) {
    float low = INFINITY;
    for (uint32_t p = first; p < r->ground_count; p++) {
        const sniGroundPoint* point = &r->ground[p];
        if (point->prop || (point->free && !free) || r->points[point->main].y - r->radius[point->main] > low)
            continue;
        low = sn_minf(low, sni_ground_now(r, frame, point).y);
    }
    return low;
}

// Of what a body lies on.
static float lowest_of_trunk(const sniRetarget* r, uint32_t frame) {
    float low = INFINITY;
    for (uint32_t p = 0; p < r->ground_count; p++) {
        const sniGroundPoint* point = &r->ground[p];
        if (point->prop || point->branch != SN_NONE) continue;
        low = sn_minf(low, sni_ground_now(r, frame, point).y);
    }
    return low;
}

// What a body that stands or lies needs, by how much it lies; `trunk` need not be finite where it stands.
static float need_of(const sniRetarget* r, uint32_t frame, float stands, float trunk) {
    float lying = r->lying[frame];
    return lying > 0.0f && trunk < INFINITY ? stands + lying * (trunk - stands) : stands;
}

float sni_ground_lowest(const sniRetarget* r, uint32_t frame) { return lowest_from(r, frame, 0, false); }

// --------------------------------------------------------------------------------------------------- soles

// By the joints alone: toes and ankle as high as they rest.
static void sole_of_joints(const sniRetarget* r, sniLimb* limb, uint32_t f) {
    const snQuat* turns = r->turns + (size_t)f * r->target.skeleton->joint_count;
    float rest = sni_body_point(&r->target, limb->end).y + r->floor;
    limb->back[f] = rest;
    limb->front[f] = rest + limb->tip.y - sn_quat_rotate(turns[limb->end], limb->tip).y;
}

void sni_ground_soles(const sniRetarget* r, sniLimb* limb, uint32_t f) {
    if (r->ground_count == 0) {
        sole_of_joints(r, limb, f);
        return;
    }
    float low[2] = {INFINITY, INFINITY};
    size_t s = (size_t)(limb - r->limbs);
    for (uint32_t p = r->limb_points[s]; p < r->limb_points[s + 1]; p++) {
        const sniGroundPoint* point = &r->ground[p];
        low[point->front] = sn_minf(low[point->front], sni_ground_now(r, f, point).y);
    }
    float end = r->points[limb->end].y;
    // A foot of one piece has no other end to fall back on than all of it.
    float any = sn_minf(low[0], low[1]);
    if (!(any < INFINITY)) any = end;
    limb->front[f] = r->level + end - (low[1] < INFINITY ? low[1] : any);
    limb->back[f] = r->level + end - (low[0] < INFINITY ? low[0] : any);
    if (limb->hand) limb->back[f] = limb->front[f];
}

// ---------------------------------------------------------------------------------------------------- stand

// Mean height of what stands above where it should, and of the source above where it rests; where nothing
// ever stands, the lowest.
typedef struct Clearance {
    float source, target;
    float raised; // the source's point, scaled, above the target's at rest
    uint32_t count;
} Clearance;

static void add_clearance(const sniRetarget* r, sniLimb* limb, uint32_t f, bool planted, Clearance* sum) {
    bool tip = planted && limb->planted[f] == SNI_PLANT_TIP;
    sni_ground_soles(r, limb, f);
    float wanted = tip ? limb->front[f] : sn_maxf(limb->front[f], limb->back[f]);
    if (r->ground_count == 0 && !tip) wanted = limb->back[f];
    float target = r->points[limb->end].y - wanted;
    float height = (tip ? limb->source_tips[f] : limb->source_ends[f]).y;
    float source = height - sni_body_point(&r->source, tip ? limb->source_tip : limb->source_end).y;
    float rest = sni_body_point(&r->target, limb->end).y + r->floor + (tip ? limb->tip.y : 0.0f);
    float raised = r->scale * height - rest;
    bool replace = !planted && (sum->count == 0 || target < sum->target);
    if (planted || sum->count == 0) sum->count++;
    sum->source = planted ? sum->source + source : (replace ? source : sum->source);
    sum->target = planted ? sum->target + target : (replace ? target : sum->target);
    sum->raised = planted ? sum->raised + raised : (replace ? raised : sum->raised);
}

static Clearance measure_clearance(sniRetarget* r, bool planted) {
    Clearance sum = {0};
    for (uint32_t f = 0; f < r->frames; f++) {
        sni_retarget_place(r, f);
        for (int s = 0; s < SNI_FEET; s++) {
            sniLimb* limb = &r->limbs[s];
            if (limb->exists && (!planted || limb->planted[f] != SNI_PLANT_NONE))
                add_clearance(r, limb, f, planted, &sum);
        }
    }
    if (sum.count > 0) {
        sum.source /= (float)sum.count;
        sum.target /= (float)sum.count;
        sum.raised /= (float)sum.count;
    }
    return sum;
}

// Motion files rest with their hips at the origin and their feet a leg below it: that is no ground.
static bool hangs_from_hips(const sniBody* body) { return body->ground < -0.5f * body->leg; }

// The value that `part` of all are below. By halving, which needs no order.
float sni_quantile(const float* values, uint32_t count, float part) {
    float low = INFINITY, high = -INFINITY;
    for (uint32_t f = 0; f < count; f++) {
        low = sn_minf(low, values[f]);
        high = sn_maxf(high, values[f]);
    }
    for (int step = 0; step < 24; step++) {
        float middle = 0.5f * (low + high);
        uint32_t below = 0;
        for (uint32_t f = 0; f < count; f++) below += values[f] < middle ? 1 : 0;
        if ((float)below > part * (float)count)
            high = middle;
        else
            low = middle;
    }
    return low;
}

static float median_of(const float* values, uint32_t count) { return sni_quantile(values, count, 0.5f); }

// Raises or lowers the whole motion. By joints alone, where the source's rest stands on the source's ground
// its own clearance is kept, so a character driven by itself stays where it is; and a target that rests
// nowhere in particular stands where the source does.
void sni_ground_stand(sniRetarget* r) {
    if (sni_legs_stand(r)) return;
    Clearance clearance = measure_clearance(r, true);
    if (clearance.count == 0) clearance = measure_clearance(r, false);
    if (clearance.count == 0) {
        if (r->ground_count > 0) sni_supports_stand(r);
        return;
    }
    float lift = 0.0f;
    if (r->ground_count == 0) {
        float off = clearance.source / r->source.leg;
        lift = off < 0.1f && off > -0.1f ? r->scale * clearance.source : 0.0f;
        if (hangs_from_hips(&r->target)) lift = r->floor = clearance.raised;
    }
    for (uint32_t f = 0; f < r->frames; f++) r->hips_path[f].y += lift - clearance.target;
}

// ----------------------------------------------------------------------------------------------------- drop

// Where the source kneels, sits or lies, the body comes down to the floor, one that lies with its trunk; a
// mean over a while lets it down softly, and what then sinks is lifted again.
void sni_ground_drop(sniRetarget* r, float* drops) {
    int window = (int)(SNI_BLEND_SECONDS * r->rate) + 1;
    int count = (int)r->frames;
    for (int f = 0; f < count; f++) {
        uint32_t frame = (uint32_t)f;
        drops[f] = 0.0f;
        if (!r->down[f] && !(r->lying[f] > 0.0f)) continue;
        sni_retarget_place(r, frame);
        float low = lowest_from(r, frame, r->limb_points[SNI_LIMBS], false) - r->level;
        float drop = r->down[f] && low < INFINITY ? sn_maxf(low, 0.0f) : 0.0f;
        drops[f] = need_of(r, frame, drop, sn_maxf(lowest_of_trunk(r, frame) - r->level, 0.0f));
    }
    for (int f = 0; f < count; f++) {
        float sum = 0.0f;
        for (int k = f - window; k <= f + window; k++) sum += drops[k < 0 ? 0 : (k >= count ? count - 1 : k)];
        r->hips_path[f].y -= sum / (float)(2 * window + 1);
    }
}

// ----------------------------------------------------------------------------------------------------- lift

// The lowest curve above all needs that nowhere bends down faster than things fall: of each need a parabola
// hangs on both sides. Windows would lift a fast body long before its time, and take its feet off the floor.
static void hang_parabolas(const float* needs, int count, float rate, float fall, float* out) {
    float step = 0.5f * fall / (rate * rate), most = LONGEST_FALL * rate;
    for (int f = 0; f < count; f++) out[f] = needs[f];
    for (int f = 0; f < count && step > 0.0f; f++) {
        int wide = (int)sn_minf(sqrtf(needs[f] / step), most);
        for (int k = f - wide < 0 ? 0 : f - wide; k <= f + wide && k < count; k++) {
            float away = (float)(k - f);
            out[k] = sn_maxf(out[k], needs[f] - step * away * away);
        }
    }
}

// Lifts the hips by what sinks; it comes and goes as a body that jumps and falls, its beginning and its end
// softened. What sinks by less than `least` is left to sink, with `only_trunk` also what leaves the trunk of
// a body that lies. Returns the most that the hips were lifted.
float sni_ground_lift(sniRetarget* r, float least, bool only_trunk, float* needs, float* most) {
    int window = (int)(SNI_SOFT_SECONDS * r->rate) + 1;
    int count = (int)r->frames;
    float asked = 0.0f;
    for (int f = 0; f < count; f++) {
        sni_retarget_place(r, (uint32_t)f);
        float trunk = only_trunk && r->lying[f] > 0.0f ? lowest_of_trunk(r, (uint32_t)f) : INFINITY;
        needs[f] = sn_maxf(r->level - least - lowest_from(r, (uint32_t)f, 0, false), 0.0f);
        if (trunk < INFINITY)
            needs[f] = need_of(r, (uint32_t)f, needs[f], sn_maxf(r->level - least - trunk, 0.0f));
        asked = sn_maxf(asked, needs[f]);
    }
    if (!(asked > 0.0f)) return 0.0f;
    hang_parabolas(needs, count, r->rate, FALL * r->target.height, most);
    for (int f = 0; f < count; f++) {
        float sum = 0.0f;
        for (int k = f - window; k <= f + window; k++) sum += most[k < 0 ? 0 : (k >= count ? count - 1 : k)];
        r->hips_path[f].y += sum / (float)(2 * window + 1);
    }
    return asked;
}

void sni_ground_measure(sniRetarget* r, float* lows, snRetargetReport* report) {
    if (r->ground_count == 0) return;
    report->lowest = INFINITY;
    uint32_t count = 0;
    for (uint32_t f = sni_first_shown(r); f <= sni_last_shown(r); f++) {
        sni_retarget_place(r, f);
        lows[count] = lowest_from(r, f, 0, true) - r->level;
        report->lowest = sn_minf(report->lowest, lows[count]);
        report->clearance_max = sn_maxf(report->clearance_max, lows[count++]);
    }
    report->lowest_median = median_of(lows, count);
    if (!(report->lowest < INFINITY))
        report->lowest = report->lowest_median = report->clearance_max = 0.0f; // nothing but what is held
}
