// A vertex that hangs on splines, and the style of one of them.
//
// For vertex shaders of GLSL 3.30 and of GLSL ES 3.00; the dialect's prologue comes before it. Textures are 1024
// texels wide, item i at (i & 1023, i >> 10). What the numbers mean is said in sinew/spline.h: snStyledPoint,
// snStylePose and snStyledSpline, in the order of their members.
uniform highp sampler2D spline_matrices; // RGBA32F; three texels a matrix: its rows
uniform highp sampler2D spline_texels;   // RGBA32F; two texels a texel of a style: frontal, lateral
uniform highp sampler2D spline_styles;   // RGBA32F; three texels a style in its pose: bend, twist, strength, lateral
                                         // scale; direction, turn, hollow, its first texel; fold (2), rows, has any

vec4 spline_texel(highp sampler2D from, uint i) {
    return texelFetch(from, ivec2(int(i & 1023u), int(i >> 10)), 0);
}

const float SPLINE_TURN = 6.28318530718;

// Scales less 1: value, d/dx, d/dalpha. Frontal and lateral texture at a vertex.
void spline_sample(vec4 third, float first_texel, float column, float along, float turns, out vec3 frontal,
                   out vec3 lateral) {
    frontal = vec3(0.0);
    lateral = vec3(0.0);
    if (third.w == 0.0) return;
    float rows = third.z;
    float place = clamp((turns - floor(turns)) * rows, 0.0, rows);
    float row = min(floor(place), rows - 1.0), up = place - row;
    uint at = uint(first_texel) + 2u * uint(column + row), next = at + 2u * uint(rows + 1.0);
    frontal = mix(mix(spline_texel(spline_texels, at).xyz, spline_texel(spline_texels, at + 2u).xyz, up),
                  mix(spline_texel(spline_texels, next).xyz, spline_texel(spline_texels, next + 2u).xyz, up), along);
    lateral = mix(mix(spline_texel(spline_texels, at + 1u).xyz, spline_texel(spline_texels, at + 3u).xyz, up),
                  mix(spline_texel(spline_texels, next + 1u).xyz, spline_texel(spline_texels, next + 3u).xyz, up),
                  along);
}

// The slope of sum / max(1, weight) has a second part where the weight is above 1.
float spline_slope(float slope, float value, float weight, float weight_slope) {
    return weight > 1.0 ? slope - value * (weight_slope / weight) : slope;
}

// One envelope after the other, weighted; a scale stays above 0.
vec3 spline_both(vec3 e, vec3 f, float weight) {
    vec3 g = vec3(e.x + f.x + e.x * f.x, e.yz * (1.0 + f.x) + f.yz * (1.0 + e.x)) * weight;
    return vec3(max(g.x, -0.95), g.yz);
}

// Moves a vertex in the bind pose as its style says. `s` is an snStyledPoint.
void spline_style(uint style, vec4 s[7], inout vec3 point, inout vec3 normal) {
    vec4 first = spline_texel(spline_styles, 3u * style), second = spline_texel(spline_styles, 3u * style + 1u);
    vec4 third = spline_texel(spline_styles, 3u * style + 2u);
    float bend = first.x, twist = first.y, strength = first.z;
    float turns = s[0].z - second.x + s[0].w * second.y;
    float radius = s[1].x, rate = s[1].y, weight = s[1].z;
    vec3 away = vec3(s[1].w, s[2].xy), side = vec3(s[2].zw, s[3].x), local = s[3].yzw;

    // Around the spline, and around the origin of the scales.
    vec2 turned = vec2(cos(turns * SPLINE_TURN), sin(turns * SPLINE_TURN));
    vec2 u = radius * turned - vec2(second.z, 0.0), a = turned;
    float reach = radius;
    if (second.z != 0.0) {
        reach = length(u);
        a = u / max(reach, 1e-20);
        turns = reach > 1e-20 ? atan(a.y, a.x) / SPLINE_TURN : 0.0;
    }

    // The textures.
    vec3 frontal, lateral;
    spline_sample(third, second.w, s[0].x, s[0].y, turns, frontal, lateral);
    vec2 w = vec2(max(-a.x, 0.0), abs(a.y)) * bend;
    vec2 w_slope = vec2(a.x < 0.0 ? a.y : 0.0, a.y > 0.0 ? a.x : -a.x) * bend;
    float sum = w.x + w.y + twist, scale = strength / max(1.0, sum);
    vec3 radial = vec3(s[4].x, s[4].y - s[4].w * SPLINE_TURN * second.y, s[4].z);
    vec3 e = (w.x * frontal + w.y * lateral + twist * radial) * scale;
    e.z += (w_slope.x * frontal.x + w_slope.y * lateral.x) * scale;
    e.z = spline_slope(e.z, e.x, sum, w_slope.x + w_slope.y);

    // The curves.
    sum = w.x + twist;
    scale = strength / max(1.0, sum);
    vec3 f = vec3((w.x * s[5].xy + twist * s[6].xy) * scale, w_slope.x * s[5].x * scale);
    f.z = spline_slope(f.z, f.x, sum, w_slope.x);
    vec3 l = vec3((bend * s[5].zw + twist * s[6].xy) * first.w, 0.0);

    // d: along the outside of the bend; n: across it.
    vec3 d = spline_both(e, f, weight), n = spline_both(e, l, weight);
    vec2 move = reach * a * vec2(d.x, n.x);
    point += (turned.x * move.x + turned.y * move.y) * away + (turned.x * move.y - turned.y * move.x) * side;

    // How fast x grows along the posed limb, and the cofactors of the map's derivative.
    float left = max(1.0 - s[6].z * third.x, 1e-3);
    float outside = radius * turned.x + move.x;
    float longer = max(left * sqrt(left) + s[6].w * third.y * outside, left * 0.1);
    rate *= left / longer;
    vec3 bent = vec3(turned.x * local.x - turned.y * local.y, turned.y * local.x + turned.x * local.y, local.z);
    float sc = a.x * a.y;
    float dd = 1.0 + d.x - sc * d.z, dn = a.x * a.x * d.z;
    float nd = -(a.y * a.y * n.z), nn = 1.0 + n.x + sc * n.z;
    vec2 slant = reach * a * vec2(d.y, n.y) * rate;
    float across = nn * bent.x - nd * bent.y, other = dd * bent.y - dn * bent.x;
    vec3 change = vec3(across, other, (dd * nn - dn * nd) * bent.z - slant.x * across - slant.y * other) - bent;
    normal += (turned.x * change.x + turned.y * change.y) * away + (turned.x * change.y - turned.y * change.x) * side
        + change.z * cross(away, side);
}

// Adds a weighted matrix to the rows of a sum.
void spline_add(uint matrix, float weight, inout vec4 x, inout vec4 y, inout vec4 z) {
    if (weight == 0.0) return;
    x += weight * spline_texel(spline_matrices, 3u * matrix);
    y += weight * spline_texel(spline_matrices, 3u * matrix + 1u);
    z += weight * spline_texel(spline_matrices, 3u * matrix + 2u);
}

// A vertex by up to twelve matrices, those beyond the last of weight 0. Normals go by the cofactors; where they
// vanish the rest normal stays.
void spline_skin(uvec4 matrices[3], vec4 weights[3], vec3 point, vec3 rest_normal, out vec3 place, out vec3 normal) {
    vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
    for (int i = 0; i < 3; i++) {
        spline_add(matrices[i].x, weights[i].x, x, y, z);
        spline_add(matrices[i].y, weights[i].y, x, y, z);
        spline_add(matrices[i].z, weights[i].z, x, y, z);
        spline_add(matrices[i].w, weights[i].w, x, y, z);
    }
    vec4 at = vec4(point, 1.0);
    place = vec3(dot(x, at), dot(y, at), dot(z, at));
    // The rows' cross products are those of the cofactors.
    normal = vec3(dot(cross(y.xyz, z.xyz), rest_normal), dot(cross(z.xyz, x.xyz), rest_normal),
                  dot(cross(x.xyz, y.xyz), rest_normal));
    float length2 = dot(normal, normal);
    normal = length2 > 1e-30 ? normal * inversesqrt(length2) : rest_normal;
}
