// Legs, trunk and neck, from level slices of a standing body. Levels are counted in parts of the height. All
// numbers were chosen on the four bodies of docs/fit.md, whose joints are known; how sure a mark is was
// judged.
#include "fit/limb.h"

// Half the width of the middle, in heights.
#define MIDDLE 0.012f
#define CORE 0.05f
// The pelvis is as deep as a body gets there; thighs meet where the middle has this much of it.
#define PELVIS_FROM 0.40f
#define PELVIS_TO 0.62f
#define THIGHS_MEET 0.6f
// Where the thighs of people meet, and how far above it their hip joints are.
#define CROTCH_USUAL 0.475f
#define CROTCH_LOW 0.33f
#define CROTCH_HIGH 0.56f
#define HIP_ABOVE 0.05f
#define KNEE_USUAL 0.51f // from hip to ankle
// The shin's thinnest slice is sought here; the ankle is the lowest slice hardly thicker.
#define SHIN_FROM 0.05f
#define SHIN_TO 0.20f
#define ANKLE_GROWTH 1.4f
#define ANKLE_USUAL 0.05f
#define ANKLE_HIGH 0.11f
#define BALL_USUAL 0.66f // from ankle to toe tip
#define NECK_BASE_GROWTH 3.0f
#define HEAD_GROWTH 1.25f

static uint32_t level_of(float part) {
    if (!(part > 0.0f)) return 0;
    uint32_t level = (uint32_t)(part * SNI_LEVELS);
    return level < SNI_LEVELS ? level : SNI_LEVELS - 1;
}

static float height_of(uint32_t level) { return ((float)level + 0.5f) / SNI_LEVELS; }

// ---------------------------------------------------------------------------------------------------- levels

// Sums of one level.
typedef struct Sums {
    double side[2][4]; // x, y, z, weight
    double middle;
    double core[2]; // z, weight
} Sums;

static void add_cell(Sums* sums, snVec3 p, double weight, float height) {
    double* side = sums->side[p.x < 0.0f];
    float beside = p.x < 0.0f ? -p.x : p.x;
    side[0] += weight * (double)p.x;
    side[1] += weight * (double)p.y;
    side[2] += weight * (double)p.z;
    side[3] += weight;
    if (beside < MIDDLE * height) sums->middle += weight;
    if (beside >= CORE * height) return;
    sums->core[0] += weight * (double)p.z;
    sums->core[1] += weight;
}

static void set_level(sniLevels* l, uint32_t i, const Sums* sums) {
    for (int s = 0; s < 2; s++) {
        const double* side = sums->side[s];
        double n = side[3] > 0.0 ? side[3] : 1.0;
        l->leg[s][i] = (float)side[3];
        l->center[s][i] = sn_vec3((float)(side[0] / n), (float)(side[1] / n), (float)(side[2] / n));
    }
    l->area[i] = l->leg[0][i] + l->leg[1][i];
    l->middle[i] = (float)sums->middle;
    if (sums->core[1] > 0.0) l->depth[i] = (float)(sums->core[0] / sums->core[1]);
}

// Between the legs there is no middle: it goes on straight from the trunk.
static void fill_depths(sniLevels* l, const Sums* sums) {
    for (uint32_t i = 1; i < SNI_LEVELS; i++) {
        if (sums[i].core[1] == 0.0) l->depth[i] = l->depth[i - 1];
    }
    for (uint32_t i = SNI_LEVELS - 1; i-- > 0;) {
        if (sums[i].core[1] == 0.0 && l->depth[i] == 0.0f) l->depth[i] = l->depth[i + 1];
    }
}

static void smooth(float values[SNI_LEVELS], int passes) {
    for (int p = 0; p < passes; p++) {
        float before = values[0];
        for (uint32_t i = 1; i + 1 < SNI_LEVELS; i++) {
            float now = values[i];
            values[i] = 0.25f * before + 0.5f * now + 0.25f * values[i + 1];
            before = now;
        }
    }
}

void sni_levels_measure(sniLevels* l, const sniFinder* f) {
    Sums sums[SNI_LEVELS] = {0};
    *l = (sniLevels){0};
    float to_level = SNI_LEVELS / f->height;
    for (uint32_t c = 0; c < f->solid->cell_count; c++) {
        if (f->arm[c]) continue;
        sniSpread over = sni_spread(f->points[c].y * to_level, f->solid->size * to_level, SNI_LEVELS);
        for (uint32_t i = over.first; i <= over.last; i++)
            add_cell(&sums[i], f->points[c], (double)sni_spread_share(&over, i), f->height);
    }
    for (uint32_t i = 0; i < SNI_LEVELS; i++) set_level(l, i, &sums[i]);
    fill_depths(l, sums);
    smooth(l->depth, 6);
}

// ------------------------------------------------------------------------------------------------------ legs

static float find_crotch(const sniLevels* l, bool* shown) {
    float deepest = 0.0f;
    for (uint32_t i = level_of(PELVIS_FROM); i <= level_of(PELVIS_TO); i++)
        deepest = sn_maxf(deepest, l->middle[i]);
    uint32_t i = level_of(PELVIS_TO);
    while (i > 0 && l->middle[i] >= THIGHS_MEET * deepest) i--;
    float crotch = height_of(i + 1);
    *shown = crotch > CROTCH_LOW && crotch < CROTCH_HIGH;
    return *shown ? crotch : CROTCH_USUAL;
}

static float find_ankle(const float area[SNI_LEVELS], bool* shown) {
    float thinnest = area[level_of(SHIN_FROM)];
    for (uint32_t i = level_of(SHIN_FROM); i <= level_of(SHIN_TO); i++) thinnest = sn_minf(thinnest, area[i]);
    uint32_t i = level_of(0.02f);
    while (i < level_of(SHIN_TO) && area[i] > ANKLE_GROWTH * thinnest) i++;
    float ankle = height_of(i);
    *shown = ankle < ANKLE_HIGH && ankle > 0.025f;
    return *shown ? ankle : ANKLE_USUAL;
}

// Mean of the cells of one side below the ankle whose z is in [from, to].
static bool foot_center(const sniFinder* f, int side, float top, float from, float to, snVec3* out) {
    double sum[3] = {0.0, 0.0, 0.0};
    uint32_t count = 0;
    for (uint32_t c = 0; c < f->solid->cell_count; c++) {
        snVec3 p = f->points[c];
        if (f->arm[c] || (p.x < 0.0f) != (side == 1) || p.y > top || p.z < from || p.z > to) continue;
        sum[0] += (double)p.x;
        sum[1] += (double)p.y;
        sum[2] += (double)p.z;
        count++;
    }
    if (count == 0) return false;
    *out = sn_vec3((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
    return true;
}

static void find_foot(const sniFinder* f, int side, sniMark out[SNI_LEG_POINTS]) {
    snVec3 ankle = out[SNI_ANKLE].point;
    float front = ankle.z;
    for (uint32_t c = 0; c < f->solid->cell_count; c++) {
        snVec3 p = f->points[c];
        if (!f->arm[c] && (p.x < 0.0f) == (side == 1) && p.y < ankle.y) front = sn_maxf(front, p.z);
    }
    float length = front - ankle.z;
    bool shown = length > 0.03f * f->height;
    if (!shown) length = 0.1f * f->height;
    snVec3 ball = sn_vec3(ankle.x, 0.3f * ankle.y, ankle.z + BALL_USUAL * length);
    snVec3 toe = sn_vec3(ankle.x, 0.25f * ankle.y, ankle.z + length);
    foot_center(f, side, ankle.y, ball.z - 0.1f * length, ball.z + 0.1f * length, &ball);
    if (foot_center(f, side, ankle.y, toe.z - 0.2f * length, toe.z, &toe)) toe.z = ankle.z + length;
    uint32_t doubts = shown ? 0 : SN_FIT_PROPORTION;
    out[SNI_BALL] = (sniMark){ball, shown ? 0.75f : 0.4f, doubts};
    out[SNI_TOE] = (sniMark){toe, shown ? 0.8f : 0.4f, doubts};
}

// A leg has something at every level up to the crotch, and nothing much between it and its twin.
static bool stands(const sniLevels* l, float crotch) {
    uint32_t parted = 0;
    uint32_t knee = level_of(0.55f * crotch);
    for (uint32_t i = 1; i < level_of(crotch); i++) {
        if (l->leg[0][i] == 0.0f || l->leg[1][i] == 0.0f) return false;
        if (i < knee && l->middle[i] < 0.2f * l->area[i]) parted++;
    }
    return parted > 0;
}

bool sni_limb_legs(const sniFinder* f, const sniLevels* l, sniMark out[2][SNI_LEG_POINTS], float* crotch) {
    bool crotch_shown;
    float fork = find_crotch(l, &crotch_shown);
    if (!stands(l, fork)) return false;
    for (int s = 0; s < 2; s++) {
        bool ankle_shown;
        float hip = fork + HIP_ABOVE;
        float ankle = find_ankle(l->leg[s], &ankle_shown);
        float knee = sn_lerpf(hip, ankle, KNEE_USUAL);
        snVec3 thigh = l->center[s][level_of(fork - 0.02f)];
        snVec3 hip_point = sn_vec3(thigh.x, hip * f->height, 0.5f * (thigh.z + l->depth[level_of(hip)]));
        snVec3 knee_point = l->center[s][level_of(knee)];
        snVec3 ankle_point = l->center[s][level_of(ankle)];
        knee_point.y = knee * f->height;
        ankle_point.y = ankle * f->height;
        uint32_t doubts = crotch_shown ? 0 : SN_FIT_PROPORTION;
        out[s][SNI_HIP] = (sniMark){hip_point, crotch_shown ? 0.85f : 0.45f, doubts};
        out[s][SNI_KNEE] = (sniMark){knee_point, crotch_shown ? 0.8f : 0.5f, doubts};
        out[s][SNI_ANKLE] =
            (sniMark){ankle_point, ankle_shown ? 0.9f : 0.5f, ankle_shown ? 0 : SN_FIT_PROPORTION};
        find_foot(f, s, out[s]);
    }
    *crotch = fork * f->height;
    return true;
}

// ------------------------------------------------------------------------------------------------------ neck

static sniMark on_axis(const sniFinder* f, const sniLevels* l, float part, float sure, uint32_t doubts) {
    sniMark m = {{0.0f, part * f->height, l->depth[level_of(part)]}, sure, doubts};
    return m;
}

void sni_limb_neck(const sniFinder* f, const sniLevels* l, float shoulder, sniMark* neck, sniMark* head) {
    float part = shoulder / f->height;
    float above = 1.0f - part;
    uint32_t from = level_of(part - 0.02f);
    uint32_t to = level_of(part + 0.55f * above);
    uint32_t thinnest = from;
    for (uint32_t i = from; i <= to; i++) {
        if (l->area[i] < l->area[thinnest]) thinnest = i;
    }
    float least = l->area[thinnest];
    // Hair and collars hide a neck; what is left then are proportions.
    if (thinnest == to || !(least < 0.5f * l->area[from])) {
        *neck = on_axis(f, l, part + 0.15f * above, 0.45f, SN_FIT_PROPORTION);
        *head = on_axis(f, l, part + 0.42f * above, 0.45f, SN_FIT_PROPORTION);
        return;
    }
    uint32_t base = thinnest;
    while (base > from && l->area[base - 1] <= NECK_BASE_GROWTH * least) base--;
    uint32_t top = thinnest;
    while (top < to && l->area[top + 1] <= HEAD_GROWTH * least) top++;
    *neck = on_axis(f, l, height_of(base), 0.85f, 0);
    *head = on_axis(f, l, height_of(top) + 0.006f, 0.8f, 0);
}
