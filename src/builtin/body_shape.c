// The figure: lofts through cross-sections for torso, head, limbs and feet, round cones for fingers and
// muscles, ellipsoids for the rest, joined by fillets. Lofts keep the outline of a person seen from the front
// and from the side as two columns of numbers; a figure of capsules alone always looks like a balloon.
#include "builtin/body_shape.h"

#include "builtin/primitives.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))

// Along y; u is x, v is z. Hips, waist, rib cage, shoulders.
static const sniSection torso_sections[] = {
    {0.855, {0.0, 0.0, 0.128, 0.128, 0.078, 0.082}},  {0.900, {0.0, 0.0, 0.158, 0.158, 0.094, 0.100}},
    {0.950, {0.0, 0.0, 0.164, 0.164, 0.101, 0.104}},  {1.020, {0.0, 0.0, 0.148, 0.148, 0.104, 0.086}},
    {1.090, {0.0, 0.0, 0.131, 0.131, 0.102, 0.070}},  {1.160, {0.0, 0.0, 0.136, 0.136, 0.105, 0.077}},
    {1.240, {0.0, 0.0, 0.151, 0.151, 0.112, 0.098}},  {1.310, {0.0, 0.0, 0.162, 0.162, 0.108, 0.114}},
    {1.370, {0.0, -0.01, 0.160, 0.160, 0.090, 0.108}}, {1.420, {0.0, -0.02, 0.130, 0.130, 0.068, 0.088}},
    {1.460, {0.0, -0.03, 0.080, 0.080, 0.050, 0.065}},
};
static const sniLoft torso_loft = {torso_sections, COUNT(torso_sections), 0.050, 0.030, 0.25};

// Along y; u is x, v is z. Skull, face and jaw.
static const sniSection head_sections[] = {
    {1.534, {0.0, 0.02, 0.030, 0.030, 0.048, 0.030}}, {1.552, {0.0, 0.01, 0.046, 0.046, 0.072, 0.050}},
    {1.580, {0.0, 0.00, 0.0565, 0.0565, 0.086, 0.066}}, {1.610, {0.0, 0.00, 0.064, 0.064, 0.0885, 0.082}},
    {1.645, {0.0, 0.00, 0.0705, 0.0705, 0.0885, 0.098}}, {1.680, {0.0, 0.00, 0.0745, 0.0745, 0.0895, 0.103}},
    {1.708, {0.0, 0.00, 0.0690, 0.0690, 0.078, 0.096}}, {1.728, {0.0, -0.005, 0.0550, 0.0550, 0.060, 0.077}},
};
static const sniLoft head_loft = {head_sections, COUNT(head_sections), 0.016, 0.022, 0.12};

// Along x; u is y, v is z. Shoulder to wrist.
static const sniSection arm_sections[] = {
    {0.140, {1.408, -0.02, 0.050, 0.052, 0.054, 0.056}}, {0.190, {1.411, -0.02, 0.057, 0.058, 0.058, 0.059}},
    {0.240, {1.411, -0.02, 0.052, 0.052, 0.053, 0.054}}, {0.300, {1.409, -0.02, 0.045, 0.047, 0.049, 0.048}},
    {0.360, {1.408, -0.02, 0.042, 0.045, 0.048, 0.045}}, {0.420, {1.408, -0.02, 0.037, 0.039, 0.041, 0.040}},
    {0.460, {1.408, -0.02, 0.034, 0.036, 0.038, 0.040}}, {0.510, {1.408, -0.02, 0.036, 0.037, 0.043, 0.040}},
    {0.560, {1.408, -0.02, 0.034, 0.036, 0.042, 0.038}}, {0.630, {1.408, -0.02, 0.028, 0.029, 0.035, 0.032}},
    {0.690, {1.408, -0.02, 0.021, 0.022, 0.029, 0.028}}, {0.725, {1.408, -0.02, 0.0195, 0.0195, 0.028, 0.028}},
};
static const sniLoft arm_loft = {arm_sections, COUNT(arm_sections), 0.050, 0.020, 0.0};

// Along x; u is y, v is z. The palm faces down.
static const sniSection palm_sections[] = {
    {0.722, {1.408, -0.020, 0.0175, 0.0175, 0.025, 0.025}}, {0.745, {1.407, -0.019, 0.0175, 0.0190, 0.033, 0.032}},
    {0.775, {1.407, -0.018, 0.0160, 0.0175, 0.039, 0.039}}, {0.800, {1.407, -0.018, 0.0125, 0.0130, 0.041, 0.040}},
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
    {0.070, {0.102, -0.016, 0.033, 0.033, 0.034, 0.034}}, {0.120, {0.102, -0.016, 0.031, 0.030, 0.034, 0.033}},
    {0.200, {0.102, -0.015, 0.036, 0.034, 0.036, 0.040}}, {0.290, {0.101, -0.013, 0.047, 0.043, 0.041, 0.056}},
    {0.370, {0.100, -0.010, 0.053, 0.049, 0.044, 0.065}}, {0.440, {0.098, -0.004, 0.049, 0.047, 0.047, 0.054}},
    {0.500, {0.097, 0.002, 0.050, 0.049, 0.053, 0.050}},  {0.550, {0.097, 0.004, 0.053, 0.052, 0.057, 0.054}},
    {0.630, {0.098, 0.004, 0.062, 0.061, 0.069, 0.066}},  {0.720, {0.099, 0.003, 0.072, 0.071, 0.080, 0.079}},
    {0.810, {0.097, 0.000, 0.079, 0.078, 0.086, 0.088}},  {0.890, {0.092, 0.000, 0.076, 0.078, 0.084, 0.088}},
};
static const sniLoft leg_loft = {leg_sections, COUNT(leg_sections), 0.040, 0.060, 0.0};

// Along z; u is x, v is y. Heel to toes; the sole is cut flat afterwards.
static const sniSection foot_sections[] = {
    {-0.055, {0.102, 0.034, 0.029, 0.029, 0.040, 0.040}}, {-0.010, {0.102, 0.036, 0.033, 0.032, 0.052, 0.044}},
    {0.040, {0.105, 0.032, 0.037, 0.033, 0.046, 0.040}},  {0.090, {0.109, 0.022, 0.043, 0.039, 0.038, 0.032}},
    {0.130, {0.111, 0.016, 0.045, 0.043, 0.028, 0.028}},  {0.160, {0.109, 0.013, 0.040, 0.040, 0.0205, 0.026}},
};
static const sniLoft foot_loft = {foot_sections, COUNT(foot_sections), 0.024, 0.030, 0.2};

static double blob(double d, sniPoint p, sniPoint center, sniPoint radii, double k) {
    return sni_blend_union(d, sni_ellipsoid(p, center, radii), k);
}

static double strand(double d, sniPoint p, sniPoint a, double ra, sniPoint b, double rb, double k) {
    return sni_blend_union(d, sni_round_cone(p, a, ra, b, rb), k);
}

static double torso_field(sniPoint p) {
    double d = sni_loft(&torso_loft, p.y, p.x, p.z);
    d = blob(d, p, sni_point(0.070, 1.305, 0.062), sni_point(0.074, 0.048, 0.046), 0.03);   // breast
    d = blob(d, p, sni_point(0.080, 1.345, -0.078), sni_point(0.060, 0.075, 0.038), 0.04);  // shoulder blade
    d = strand(d, p, sni_point(0.01, 1.500, -0.040), 0.042, sni_point(0.150, 1.436, -0.030), 0.032, 0.04);
    d = strand(d, p, sni_point(0.015, 1.448, 0.030), 0.011, sni_point(0.150, 1.452, 0.004), 0.011, 0.02);
    d = strand(d, p, sni_point(0.0, 1.430, -0.036), 0.060, sni_point(0.0, 1.575, -0.012), 0.051, 0.04); // neck
    return d;
}

static double leg_field(sniPoint p) {
    double d = sni_loft(&leg_loft, p.y, p.x, p.z);
    d = blob(d, p, sni_point(0.096, 0.505, 0.036), sni_point(0.026, 0.034, 0.022), 0.02);  // kneecap
    double foot = sni_loft(&foot_loft, p.z, p.x, p.y);
    d = sni_blend_union(d, foot, 0.035);
    d = blob(d, p, sni_point(0.102, 0.080, -0.014), sni_point(0.036, 0.014, 0.014), 0.014); // ankle bones
    return sni_blend_cut(d, p.y, 0.012);
}

static double hand_field(const sniBodyForm* form, sniPoint p, double d) {
    d = sni_blend_union(d, sni_loft(&palm_loft, p.x, p.y, p.z), 0.018);
    double fingers = 1.0;
    for (int f = 0; f < SNI_BODY_FINGERS; f++) {
        const sniFinger* finger = &sni_body_fingers[f];
        double near = sni_round_cone(p, finger->points[0], finger->radii[0], finger->points[1], finger->radii[1]);
        double far = sni_round_cone(p, finger->points[1], finger->radii[1], finger->points[2], finger->radii[2]);
        double whole = sni_blend_union(near, far, 0.006);
        fingers = f == 1 ? sni_min(fingers, whole) : sni_min(fingers, whole);
    }
    (void)form;
    return sni_blend_union(d, fingers, 0.012);
}

static double head_field(const sniBodyForm* form, sniPoint p) {
    double d = sni_loft(&head_loft, p.y, p.x, p.z);
    d = blob(d, p, sni_point(0.0, 1.546, 0.070), sni_point(0.020, 0.016, 0.018), 0.025);    // chin
    d = blob(d, p, sni_point(0.043, 1.618, 0.056), sni_point(0.022, 0.020, 0.024), 0.025);  // cheekbone
    d = strand(d, p, sni_point(0.008, 1.664, 0.083), 0.010, sni_point(0.046, 1.664, 0.066), 0.010, 0.015); // brow
    double socket = sni_ellipsoid(p, sni_point(0.031, 1.643, 0.098), sni_point(0.020, 0.013, 0.020));
    d = sni_blend_cut(d, socket, 0.016);
    d = blob(d, p, sni_point(0.031, 1.642, 0.0705), sni_point(0.0145, 0.0125, 0.0130), 0.006); // eye
    d = strand(d, p, sni_point(0.0, 1.656, 0.084), 0.0075, sni_point(0.0, 1.613, 0.1030), 0.0095, 0.012); // nose
    d = blob(d, p, sni_point(0.010, 1.608, 0.092), sni_point(0.009, 0.008, 0.010), 0.008);
    d = blob(d, p, sni_point(0.0, 1.583, 0.084), sni_point(0.024, 0.007, 0.011), 0.010);    // lips
    d = blob(d, p, sni_point(0.0, 1.572, 0.083), sni_point(0.019, 0.0065, 0.011), 0.008);
    d = strand(d, p, sni_point(0.073, 1.622, -0.008), 0.008, sni_point(0.079, 1.655, -0.020), 0.011, 0.008); // ear
    (void)form;
    return d;
}

double sni_body_field(const sniBodyForm* form, sniPoint p) {
    p.x = fabs(p.x);
    // Paired parts see a rounded |x|, so that they meet without a crease in the plane of symmetry.
    sniPoint q = sni_point(sqrt(p.x * p.x + 1.6e-5), p.y, p.z);
    double d = torso_field(q);
    if (p.y < 1.05) {
        double leg = blob(leg_field(q), q, sni_point(0.074, 0.882, -0.052), sni_point(0.076, 0.082, 0.068), 0.035);
        d = sni_blend_union(d, leg, 0.045);
    }
    if (p.y > 1.45 && p.x < 0.20) d = sni_blend_union(d, head_field(form, q), 0.030);
    if (p.x > 0.05 && p.y > 1.20) {
        double arm = sni_loft(&arm_loft, q.x, q.y, q.z);
        if (p.x > 0.65) arm = hand_field(form, q, arm);
        d = sni_blend_union(d, arm, 0.045);
    }
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
