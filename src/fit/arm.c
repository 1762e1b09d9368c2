// Arms. Slices of equal distance from the finger tips run across the arm whatever its pose, until they spill
// into the trunk: there is the shoulder. The wrist is the thinnest slice below it. Numbers were chosen on
// the four bodies of docs/fit.md, whose joints are known; its table shows how well they fit. How sure a mark
// is was judged.
#include "fit/limb.h"

// A slice is 1 / FINENESS of the height thick. An arm with more slices than that does not exist.
#define FINENESS 128
#define SLICES 160
// An arm is at least this many slices long.
#define SHORTEST 20
// The shoulder is where a slice has grown to twice the thickest of the upper arm.
#define SHOULDER_GROWTH 2.0f
// It is nearer the body's middle than this part of the hand's distance; coarse hands grow as fast.
#define SHOULDER_BESIDE 0.62f
// Hand tips are at least this far beside the body's middle and above the ground, in heights.
#define HAND_BESIDE 0.1f
#define HAND_ABOVE 0.3f
// From the finger tips, in parts of the way to the shoulder.
#define WRIST_FROM 0.22f
#define WRIST_TO 0.42f
#define WRIST_USUAL 0.26f
// From the shoulder to the wrist.
#define ELBOW_USUAL 0.52f
#define ELBOW_FROM 0.35f
#define ELBOW_TO 0.68f
// An arm is bent when its elbow is this far off the line from shoulder to wrist, in parts of it.
#define BENT 0.06f

typedef struct Arm {
    uint32_t count;
    float thickness;
    snVec3 centers[SLICES];
    float areas[SLICES];
} Arm;

static uint32_t find_tip(const sniFinder* f, int side) {
    uint32_t best = SN_NONE;
    uint32_t far = 0;
    for (uint32_t c = 0; c < f->solid->cell_count; c++) {
        float beside = side == 0 ? f->points[c].x : -f->points[c].x;
        if (beside < HAND_BESIDE * f->height || f->points[c].y < HAND_ABOVE * f->height) continue;
        if (best != SN_NONE && f->distances[c] <= far) continue;
        best = c;
        far = f->distances[c];
    }
    return best;
}

// A cell is spread over the slices it covers: counted whole, cells and slices of different thickness would
// beat against each other.
static void slice(Arm* arm, const sniFinder* f) {
    double sums[SLICES][4] = {{0.0}}; // x, y, z, weight
    *arm = (Arm){.thickness = f->height / FINENESS};
    float cell = f->solid->size / arm->thickness;
    for (uint32_t c = 0; c < f->solid->cell_count; c++) {
        float middle = (float)f->distances[c] * cell / SNI_STEP;
        if (!(middle < SLICES)) continue;
        sniSpread over = sni_spread(middle, cell, SLICES);
        for (uint32_t i = over.first; i <= over.last; i++) {
            double weight = (double)sni_spread_share(&over, i);
            sums[i][0] += weight * (double)f->points[c].x;
            sums[i][1] += weight * (double)f->points[c].y;
            sums[i][2] += weight * (double)f->points[c].z;
            sums[i][3] += weight;
        }
    }
    double area = (double)(f->solid->size * f->solid->size * cell);
    for (uint32_t i = 0; i < SLICES && sums[i][3] > 0.0; i++) {
        double n = sums[i][3];
        arm->centers[i] = sn_vec3((float)(sums[i][0] / n), (float)(sums[i][1] / n), (float)(sums[i][2] / n));
        arm->areas[i] = (float)(area * n);
        arm->count = i + 1;
    }
}

// The slice at the shoulder, or 0.
static uint32_t find_shoulder(const Arm* arm) {
    float reach = sn_maxf(arm->centers[0].x, -arm->centers[0].x);
    for (uint32_t k = SHORTEST; k < arm->count; k++) {
        float thickest = 0.0f;
        for (uint32_t i = k * 60 / 100; i <= k * 85 / 100; i++) thickest = sn_maxf(thickest, arm->areas[i]);
        bool near = sn_maxf(arm->centers[k].x, -arm->centers[k].x) < SHOULDER_BESIDE * reach;
        if (near && arm->areas[k] > SHOULDER_GROWTH * thickest) return k;
    }
    return 0;
}

// Slices near the trunk are drawn towards it, so the shoulder is where the axis of the upper arm leads.
static snVec3 shoulder_point(const Arm* arm, uint32_t shoulder) {
    uint32_t to = shoulder * 82 / 100;
    uint32_t from = shoulder * 62 / 100;
    snVec3 axis = sn_scale(sn_sub(arm->centers[to], arm->centers[from]), 1.0f / (float)(to - from));
    snVec3 straight = sn_add(arm->centers[to], sn_scale(axis, (float)(shoulder - to)));
    // Half way: a deltoid hangs below the line of a raised arm, a trunk pulls below that of a lowered one.
    return sn_lerp(straight, arm->centers[shoulder], 0.5f);
}

static uint32_t find_wrist(const Arm* arm, uint32_t shoulder, bool* shown) {
    uint32_t from = (uint32_t)(WRIST_FROM * (float)shoulder);
    uint32_t to = (uint32_t)(WRIST_TO * (float)shoulder);
    uint32_t best = from;
    for (uint32_t i = from; i <= to; i++) {
        if (arm->areas[i] < arm->areas[best]) best = i;
    }
    *shown = best > from && best < to;
    return *shown ? best : (uint32_t)(WRIST_USUAL * (float)shoulder);
}

// Where the arm leaves the line from shoulder to wrist most; a straight arm has its elbow where people do.
static uint32_t find_elbow(const Arm* arm, uint32_t wrist, uint32_t shoulder, snVec3 top, bool* shown) {
    snVec3 low = arm->centers[wrist];
    float length = sn_distance(top, low);
    snVec3 line = sn_scale(sn_sub(top, low), 1.0f / sn_maxf(length, 1e-30f));
    float span = (float)(shoulder - wrist);
    uint32_t best = shoulder - (uint32_t)(ELBOW_USUAL * span + 0.5f);
    float farthest = BENT * length;
    *shown = false;
    for (uint32_t i = shoulder - (uint32_t)(ELBOW_TO * span); i <= shoulder - (uint32_t)(ELBOW_FROM * span);
         i++) {
        snVec3 d = sn_sub(arm->centers[i], low);
        float off = sn_length(sn_sub(d, sn_scale(line, sn_dot(d, line))));
        if (!(off > farthest)) continue;
        farthest = off;
        best = i;
        *shown = true;
    }
    return best;
}

static sniMark mark(snVec3 point, bool shown, float sure) {
    sniMark m = {point, shown ? sure : 0.6f * sure, shown ? 0 : SN_FIT_PROPORTION};
    return m;
}

static void claim_cells(const sniFinder* f, const Arm* arm, uint32_t shoulder) {
    float to_slice = f->solid->size / (SNI_STEP * arm->thickness);
    for (uint32_t c = 0; c < f->solid->cell_count; c++) {
        if ((float)f->distances[c] * to_slice < (float)shoulder) f->arm[c] = 1;
    }
}

bool sni_limb_arm(const sniFinder* f, int side, sniMark out[SNI_ARM_POINTS], snVec3* palm) {
    uint32_t tip = find_tip(f, side);
    if (tip == SN_NONE) return false;
    sni_solid_walk(f->solid, tip, f->distances, f->links);
    Arm arm;
    slice(&arm, f);
    uint32_t shoulder = find_shoulder(&arm);
    if (shoulder == 0) return false;
    bool wrist_shown;
    bool elbow_shown;
    snVec3 top = shoulder_point(&arm, shoulder);
    uint32_t wrist = find_wrist(&arm, shoulder, &wrist_shown);
    uint32_t elbow = find_elbow(&arm, wrist, shoulder, top, &elbow_shown);
    snVec3 end = f->points[tip];
    out[SNI_SHOULDER] = mark(top, true, 0.85f);
    // Half a body's elbows are not seen and still within a few percent: unshown is not unsure here.
    out[SNI_ELBOW] = (sniMark){arm.centers[elbow], elbow_shown ? 0.9f : 0.75f, 0};
    out[SNI_WRIST] = mark(arm.centers[wrist], wrist_shown, 0.9f);
    out[SNI_KNUCKLE] = mark(sn_lerp(arm.centers[wrist], end, 0.5f), true, 0.6f);
    out[SNI_FINGERTIP] = mark(end, true, 0.8f);
    snVec3 along = sn_normalize_or(sn_sub(end, arm.centers[wrist]), sn_vec3(1.0f, 0.0f, 0.0f));
    float hand = (float)wrist * arm.thickness * SNI_STEP / f->solid->size;
    *palm = sni_limb_palm(f, hand, arm.centers[wrist], along);
    claim_cells(f, &arm, shoulder);
    return true;
}
