// The figure: lofts through cross-sections for torso, head, limbs and feet, round cones for fingers and
// muscles, ellipsoids for the rest, joined by fillets. Lofts keep the outline of a person seen from the front
// and from the side as two columns of numbers; a figure of capsules alone always looks like a balloon.
#include "builtin/body_shape.h"

#include <stdbool.h>

#include "builtin/primitives.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

// -------------------------------------------------------------------------------------------------- lofts

// Along y; u is x, v is z. Hips, waist, rib cage, shoulders.
static const sniSection torso_sections[] = {
    {0.940, {0.0, 0.00, 0.159, 0.159, 0.101, 0.100}}, {1.020, {0.0, 0.00, 0.147, 0.147, 0.103, 0.085}},
    {1.090, {0.0, 0.00, 0.131, 0.131, 0.100, 0.072}}, {1.160, {0.0, 0.00, 0.135, 0.135, 0.103, 0.078}},
    {1.240, {0.0, 0.00, 0.151, 0.151, 0.110, 0.097}}, {1.310, {0.0, -0.01, 0.162, 0.162, 0.115, 0.101}},
};
static const sniLoft torso_loft = {torso_sections, COUNT(torso_sections), 0.110, 0.155, 0.22};

// Along y; u is x, v is z. Jaw, face and skull.
static const sniSection head_sections[] = {
    {1.556, {0.0, 0.020, 0.0440, 0.0440, 0.062, 0.060}},
    {1.582, {0.0, 0.008, 0.0560, 0.0560, 0.078, 0.069}},
    {1.612, {0.0, 0.000, 0.0645, 0.0645, 0.0865, 0.086}},
    {1.642, {0.0, 0.000, 0.0710, 0.0710, 0.0885, 0.099}},
    {1.668, {0.0, 0.000, 0.0750, 0.0750, 0.0890, 0.103}},
};
static const sniLoft head_loft = {head_sections, COUNT(head_sections), 0.028, 0.082, 0.14};

// Along x; u is y, v is z. Shoulder to wrist.
static const sniSection arm_sections[] = {
    {0.190, {1.411, -0.02, 0.054, 0.056, 0.056, 0.057}},
    {0.240, {1.411, -0.02, 0.049, 0.051, 0.052, 0.052}},
    {0.300, {1.409, -0.02, 0.043, 0.047, 0.048, 0.047}},
    {0.360, {1.408, -0.02, 0.042, 0.045, 0.048, 0.045}},
    {0.420, {1.408, -0.02, 0.037, 0.039, 0.041, 0.040}},
    {0.460, {1.408, -0.02, 0.034, 0.036, 0.038, 0.040}},
    {0.510, {1.408, -0.02, 0.036, 0.037, 0.043, 0.040}},
    {0.560, {1.408, -0.02, 0.034, 0.036, 0.042, 0.038}},
    {0.630, {1.408, -0.02, 0.028, 0.029, 0.035, 0.032}},
    {0.690, {1.408, -0.02, 0.021, 0.022, 0.029, 0.028}},
    {0.725, {1.408, -0.02, 0.0195, 0.0195, 0.028, 0.028}},
};
static const sniLoft arm_loft = {arm_sections, COUNT(arm_sections), 0.050, 0.020, 0.0};

// Along x; u is y, v is z. The palm faces down.
static const sniSection palm_sections[] = {
    {0.722, {1.408, -0.020, 0.0175, 0.0175, 0.025, 0.025}},
    {0.745, {1.407, -0.019, 0.0175, 0.0190, 0.033, 0.032}},
    {0.775, {1.407, -0.018, 0.0160, 0.0175, 0.039, 0.039}},
    {0.800, {1.407, -0.018, 0.0125, 0.0130, 0.041, 0.040}},
};
static const sniLoft palm_loft = {palm_sections, COUNT(palm_sections), 0.020, 0.012, 0.2};

const sniFinger sni_body_fingers[SNI_BODY_FINGERS] = {
    {{{0.752, 1.400, 0.010}, {0.786, 1.394, 0.040}, {0.816, 1.391, 0.056}}, {0.0155, 0.0115, 0.0085}},
    {{{0.797, 1.408, 0.0125}, {0.842, 1.406, 0.0195}, {0.876, 1.400, 0.0245}}, {0.0092, 0.0082, 0.0068}},
    {{{0.801, 1.409, -0.0085}, {0.849, 1.407, -0.0080}, {0.887, 1.401, -0.0075}}, {0.0094, 0.0084, 0.0070}},
    {{{0.797, 1.408, -0.0290}, {0.843, 1.406, -0.0355}, {0.878, 1.400, -0.0400}}, {0.0090, 0.0080, 0.0067}},
    {{{0.787, 1.406, -0.0480}, {0.822, 1.404, -0.0590}, {0.850, 1.399, -0.0675}}, {0.0082, 0.0070, 0.0060}},
};

// Along y; u is x, v is z. Thigh, knee, calf, ankle.
static const sniSection leg_sections[] = {
    {0.070, {0.102, -0.016, 0.033, 0.033, 0.034, 0.034}},
    {0.120, {0.102, -0.016, 0.031, 0.030, 0.034, 0.033}},
    {0.200, {0.102, -0.015, 0.036, 0.034, 0.036, 0.040}},
    {0.290, {0.101, -0.013, 0.047, 0.043, 0.041, 0.056}},
    {0.370, {0.100, -0.010, 0.053, 0.049, 0.044, 0.065}},
    {0.440, {0.098, -0.004, 0.049, 0.047, 0.047, 0.054}},
    {0.500, {0.097, 0.002, 0.050, 0.049, 0.053, 0.050}},
    {0.550, {0.097, 0.004, 0.053, 0.052, 0.057, 0.054}},
    {0.630, {0.098, 0.004, 0.062, 0.061, 0.069, 0.066}},
    {0.720, {0.099, 0.003, 0.072, 0.071, 0.080, 0.079}},
    {0.810, {0.095, 0.000, 0.079, 0.079, 0.086, 0.088}},
};
static const sniLoft leg_loft = {leg_sections, COUNT(leg_sections), 0.040, 0.170, 0.0};

// Along z; u is x, v is y. Heel to toes; the sole is cut flat afterwards.
static const sniSection foot_sections[] = {
    {-0.055, {0.102, 0.034, 0.029, 0.029, 0.040, 0.040}},
    {-0.010, {0.102, 0.036, 0.033, 0.032, 0.052, 0.044}},
    {0.040, {0.105, 0.032, 0.037, 0.033, 0.046, 0.040}},
    {0.090, {0.109, 0.022, 0.043, 0.039, 0.036, 0.032}},
    {0.125, {0.111, 0.012, 0.045, 0.043, 0.026, 0.026}},
};
static const sniLoft foot_loft = {foot_sections, COUNT(foot_sections), 0.024, 0.032, 0.2};

// ------------------------------------------------------------------------------------------------ features

// What is added to or cut from a part, with a fillet.
typedef enum FeatureKind { BLOB, STRAND, CUT_BLOB, CUT_STRAND } FeatureKind;
typedef struct Feature {
    FeatureKind kind;
    double fillet;
    sniPoint a, b; // a blob's center and radii; a strand's ends
    double ra, rb; // a strand's radii at its ends
} Feature;

static double add_features(double d, sniPoint p, const Feature* features, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        const Feature* f = &features[n];
        bool strand = f->kind == STRAND || f->kind == CUT_STRAND;
        double own = strand ? sni_round_cone(p, f->a, f->ra, f->b, f->rb) : sni_ellipsoid(p, f->a, f->b);
        bool cut = f->kind == CUT_BLOB || f->kind == CUT_STRAND;
        d = cut ? sni_blend_cut(d, own, f->fillet) : sni_blend_union(d, own, f->fillet);
    }
    return d;
}
#define ADD(d, p, list) add_features((d), (p), (list), (uint32_t)(sizeof(list) / sizeof(list)[0]))

static const Feature torso_features[] = {
    {BLOB, 0.045, {0.068, 1.330, 0.058}, {0.082, 0.060, 0.043}, 0, 0},                 // breast
    {BLOB, 0.045, {0.080, 1.345, -0.078}, {0.050, 0.064, 0.030}, 0, 0},                // shoulder blade
    {STRAND, 0.045, {0.118, 1.340, -0.045}, {0.080, 1.100, -0.012}, 0.050, 0.030},     // side of the back
    {STRAND, 0.040, {0.070, 1.395, 0.040}, {0.175, 1.408, 0.000}, 0.034, 0.044},       // breast to shoulder
    {STRAND, 0.040, {0.080, 1.385, -0.065}, {0.180, 1.408, -0.035}, 0.032, 0.042},     // blade to shoulder
    {STRAND, 0.040, {0.010, 1.490, -0.045}, {0.150, 1.432, -0.028}, 0.046, 0.036},     // neck to shoulder
    {STRAND, 0.022, {0.016, 1.446, 0.028}, {0.150, 1.456, -0.004}, 0.011, 0.011},      // collar bone
    {STRAND, 0.040, {0.000, 1.430, -0.036}, {0.000, 1.575, -0.012}, 0.058, 0.050},     // neck
    {STRAND, 0.020, {0.016, 1.450, 0.020}, {0.046, 1.575, -0.018}, 0.010, 0.014},      // collar bone to ear
    {CUT_STRAND, 0.030, {0.000, 1.360, -0.150}, {0.000, 1.030, -0.108}, 0.022, 0.020}, // furrow of the spine
    {CUT_STRAND, 0.024, {0.000, 1.330, 0.124}, {0.000, 1.070, 0.1165}, 0.010, 0.010},  // middle of the belly
};

static const Feature buttock[] = {{BLOB, 0.040, {0.074, 0.884, -0.050}, {0.075, 0.080, 0.068}, 0, 0}};

static const Feature leg_features[] = {
    {BLOB, 0.025, {0.096, 0.505, 0.036}, {0.026, 0.034, 0.021}, 0, 0},  // kneecap
    {BLOB, 0.030, {0.078, 0.585, 0.030}, {0.028, 0.050, 0.030}, 0, 0},  // inner thigh
    {BLOB, 0.030, {0.082, 0.375, -0.036}, {0.032, 0.070, 0.036}, 0, 0}, // calf
};

static const Feature ankle_bones[] = {{BLOB, 0.016, {0.102, 0.082, -0.012}, {0.037, 0.013, 0.013}, 0, 0}};
static const Feature all_toes[] = {{BLOB, 0.020, {0.108, 0.012, 0.140}, {0.042, 0.019, 0.050}, 0, 0}};
static const Feature toes[] = {
    {STRAND, 0.008, {0.0810, 0.014, 0.135}, {0.0850, 0.0105, 0.180}, 0.0130, 0.0130}, // big toe
    {STRAND, 0.008, {0.1000, 0.014, 0.135}, {0.1030, 0.0105, 0.178}, 0.0098, 0.0098},
    {STRAND, 0.008, {0.1165, 0.014, 0.135}, {0.1185, 0.0105, 0.171}, 0.0094, 0.0094},
    {STRAND, 0.008, {0.1315, 0.014, 0.135}, {0.1325, 0.0105, 0.161}, 0.0090, 0.0090},
    {STRAND, 0.008, {0.1440, 0.014, 0.135}, {0.1440, 0.0105, 0.149}, 0.0088, 0.0088},
};

static const Feature deltoid[] = {{BLOB, 0.030, {0.198, 1.422, -0.018}, {0.078, 0.056, 0.060}, 0, 0}};
static const Feature heel_of_hand[] = {{BLOB, 0.018, {0.752, 1.401, -0.044}, {0.028, 0.012, 0.014}, 0, 0}};

static const Feature head_features[] = {
    {BLOB, 0.024, {0.000, 1.548, 0.068}, {0.022, 0.017, 0.019}, 0, 0},           // chin
    {STRAND, 0.030, {0.047, 1.586, 0.000}, {0.020, 1.547, 0.058}, 0.012, 0.012}, // jaw
    {BLOB, 0.025, {0.000, 1.582, 0.058}, {0.038, 0.030, 0.030}, 0, 0},           // mouth
    {BLOB, 0.030, {0.040, 1.620, 0.044}, {0.022, 0.020, 0.030}, 0, 0},           // cheek
};
static const Feature face_features[] = {
    {STRAND, 0.020, {0.010, 1.666, 0.081}, {0.044, 1.664, 0.060}, 0.009, 0.009}, // brow
    {CUT_BLOB, 0.018, {0.031, 1.645, 0.097}, {0.019, 0.011, 0.019}, 0, 0},       // eye socket
    {STRAND, 0.014, {0.000, 1.658, 0.083}, {0.000, 1.615, 0.101}, 0.008, 0.010}, // nose
};
static const Feature small_features[] = {
    {BLOB, 0.009, {0.0310, 1.6430, 0.0665}, {0.0160, 0.0115, 0.0130}, 0, 0}, // eye
    {BLOB, 0.010, {0.0105, 1.6100, 0.0900}, {0.0080, 0.0070, 0.0105}, 0, 0}, // wing of the nose
    {BLOB, 0.009, {0.0000, 1.5855, 0.0830}, {0.0220, 0.0055, 0.0090}, 0, 0}, // upper lip
    {BLOB, 0.008, {0.0000, 1.5745, 0.0820}, {0.0190, 0.0060, 0.0090}, 0, 0}, // lower lip
};
static const Feature ear[] = {
    {STRAND, 0.001, {0.071, 1.627, -0.008}, {0.0765, 1.650, -0.014}, 0.0085, 0.0125},
    {CUT_BLOB, 0.006, {0.0905, 1.643, -0.005}, {0.011, 0.016, 0.009}, 0, 0},
};

// --------------------------------------------------------------------------------------------------- parts

// Larger than the field anywhere near the body; where a union starts from nothing.
#define FAR_AWAY 10.0
// The coarsest cells that can hold small details, and nose, brow and eye sockets.
#define DETAIL_CELL 0.007
#define FACE_CELL 0.010

static double foot_field(const sniBodyForm* form, sniPoint p, double d) {
    d = sni_blend_union(d, sni_loft(&foot_loft, p.z, p.x, p.y), 0.035);
    d = ADD(d, p, ankle_bones);
    d = form->smallest > DETAIL_CELL ? ADD(d, p, all_toes) : ADD(d, p, toes);
    return sni_blend_cut(d, p.y, 0.010); // the sole
}

static double leg_field(const sniBodyForm* form, sniPoint p) {
    double d = sni_loft(&leg_loft, p.y, p.x, p.z);
    if (p.y < 0.22) return foot_field(form, p, d);
    return p.y > 0.72 ? ADD(d, p, buttock) : ADD(d, p, leg_features);
}

// Fingers two to five as one: what a coarse mesh can show.
static double mitten_field(const sniBodyForm* form, sniPoint p, double d) {
    const sniFinger* thumb = &sni_body_fingers[0];
    double thick = sni_max(form->mitten, 0.011);
    double fingers = sni_ellipsoid(p, sni_point(0.822, 1.405, -0.020), sni_point(0.064, thick, 0.046));
    d = sni_blend_union(d, fingers, 0.020);
    return sni_blend_union(d, sni_round_cone(p, thumb->points[0], thick, thumb->points[2], thick), 0.030);
}

static double finger_field(const sniFinger* f, sniPoint p) {
    double near = sni_round_cone(p, f->points[0], f->radii[0], f->points[1], f->radii[1]);
    double far = sni_round_cone(p, f->points[1], f->radii[1], f->points[2], f->radii[2]);
    return sni_blend_union(near, far, 0.006);
}

// Fingers join the palm with a wide fillet but each other hardly at all, which keeps them apart.
static double hand_field(const sniBodyForm* form, sniPoint p, double d) {
    d = sni_blend_union(d, sni_loft(&palm_loft, p.x, p.y, p.z), 0.018);
    if (form->mitten > 0.0) return mitten_field(form, p, d);
    double fingers = FAR_AWAY;
    for (int f = 1; f < SNI_BODY_FINGERS; f++) {
        fingers = sni_blend_union(fingers, finger_field(&sni_body_fingers[f], p), 0.004);
    }
    d = sni_blend_union(d, fingers, 0.012);
    d = sni_blend_union(d, finger_field(&sni_body_fingers[0], p), 0.014);
    return ADD(d, p, heel_of_hand);
}

static double head_field(const sniBodyForm* form, sniPoint p) {
    double d = ADD(sni_loft(&head_loft, p.y, p.x, p.z), p, head_features);
    if (form->smallest > FACE_CELL) return d;
    d = ADD(d, p, face_features);
    if (form->smallest > DETAIL_CELL) return d;
    return sni_blend_union(ADD(d, p, small_features), ADD(FAR_AWAY, p, ear), 0.008);
}

static double arm_field(const sniBodyForm* form, sniPoint p) {
    double d = sni_loft(&arm_loft, p.x, p.y, p.z);
    return p.x > 0.65 ? hand_field(form, p, d) : ADD(d, p, deltoid);
}

// Parts are left out where their fillets do not reach; that changes nothing near the skin.
double sni_body_field(const sniBodyForm* form, sniPoint p) {
    // Paired parts see a rounded |x|, so that they meet without a crease in the plane of symmetry.
    sniPoint q = sni_point(sqrt(p.x * p.x + 1.6e-5), p.y, p.z);
    if (q.x > 0.40 && q.y > 1.1) return arm_field(form, q);
    if (q.y < 0.70) return leg_field(form, q);
    double d = ADD(sni_loft(&torso_loft, q.y, q.x, q.z), q, torso_features);
    if (q.y < 1.05) d = sni_blend_union(d, leg_field(form, q), 0.065);
    if (q.y > 1.20 && q.x > 0.05) d = sni_blend_union(d, arm_field(form, q), 0.045);
    if (q.y > 1.45) d = sni_blend_union(d, head_field(form, q), 0.030);
    return d;
}

double sni_body_gradient(const sniBodyForm* form, sniPoint p, sniPoint* out_gradient) {
    // Four corners of a tetrahedron: as exact as central differences to first order, and two calls cheaper.
    const double e = 2e-5;
    double a = sni_body_field(form, sni_point(p.x + e, p.y - e, p.z - e));
    double b = sni_body_field(form, sni_point(p.x - e, p.y - e, p.z + e));
    double c = sni_body_field(form, sni_point(p.x - e, p.y + e, p.z - e));
    double d = sni_body_field(form, sni_point(p.x + e, p.y + e, p.z + e));
    double scale = 0.25 / e;
    *out_gradient = sni_point((a - b - c + d) * scale, (c + d - a - b) * scale, (b + d - a - c) * scale);
    return 0.25 * (a + b + c + d);
}
