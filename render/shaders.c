#include "shaders.h"

const char sn_glsl_surface_vertex[] =
    "layout(location = 0) in vec3 position;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec3 color;\n"
    "layout(location = 3) in vec2 uv;\n"
    "layout(location = 4) in float heat;\n"
    "uniform mat4 view_projection;\n"
    "out vec3 at;\n"
    "out vec3 facing;\n"
    "out vec3 tint;\n"
    "out vec3 uvh;\n"
    "void main() {\n"
    "    at = position; facing = normal; tint = color; uvh = vec3(uv, heat);\n"
    "    gl_Position = view_projection * vec4(position, 1.0);\n"
    "}\n";

// Three lights stand around the camera as in a studio: a soft warm key that casts the shadow, a cool fill and
// a rim from behind; the sky and the floor's bounce make the ambient part. The diffuse term wraps a little
// past the terminator, more in red than in blue, which reads as soft matter rather than plaster. The tone
// curve is the identity up to 0.6 and rolls off above, so base colors keep their value.
const char sn_glsl_surface_fragment[] =
    "in vec3 at;\n"
    "in vec3 facing;\n"
    "in vec3 tint;\n"
    "in vec3 uvh;\n"
    "uniform vec3 eye;\n"
    "uniform vec3 key, fill, rim;\n"
    "uniform mat4 light;\n"
    "uniform sampler2DShadow shadow_map;\n"
    "uniform sampler2D base_image;\n"
    "uniform sampler2D ramp;\n"
    "uniform vec3 base_color;\n"
    "uniform float floor_y;\n"
    "uniform bool flat_normals, use_image, use_heat, use_normals, unlit;\n"
    "out vec4 result;\n"
    "uniform vec2 disc[16];\n" // offsets of the taps
    "uniform int taps;\n"
    "float lit_by_key(vec3 n, float toward) {\n"
    // Steeper surfaces step further out, as far as the disc of taps reaches into them.
    "    float away = 0.004 + 0.015 * sqrt(max(1.0 - toward * toward, 0.0));\n"
    "    vec3 p = (light * vec4(at + n * away, 1.0)).xyz;\n"
    "    float sum = 0.0;\n"
    // Ground beyond the box of the light is lit: beside it the map ends, behind it depths are clamped.
    "    if (any(greaterThan(abs(p.xy - 0.5), vec2(0.5)))) return 1.0;\n"
    "    float depth = min(p.z - 0.0012, 0.999);\n"
    "    for (int i = 0; i < taps; i++)\n"
    "        sum += texture(shadow_map, vec3(p.xy + disc[i], depth));\n"
    "    return mix(0.18, 1.0, sum / float(taps));\n" // a wide light is never hidden wholly
    "}\n"
    "vec3 wrapped(float d) {\n"
    "    vec3 w = vec3(0.26, 0.16, 0.12);\n"
    "    return max((vec3(d) + w) / (1.0 + w), 0.0);\n"
    "}\n"
    "float glint(vec3 n, vec3 v, vec3 l, float sharpness) {\n"
    "    float d = max(dot(n, normalize(v + l)), 0.0);\n"
    "    return pow(d, sharpness) * max(dot(n, l), 0.0);\n"
    "}\n"
    "vec3 tone(vec3 x) {\n"
    "    const float knee = 0.6;\n"
    "    vec3 over = max(x - knee, 0.0) / (1.0 - knee);\n"
    "    return min(x, knee) + (1.0 - knee) * (1.0 - exp(-over));\n"
    "}\n"
    "void main() {\n"
    "    vec3 base = base_color * tint;\n"
    "    if (use_image) base *= texture(base_image, uvh.xy).rgb;\n"
    "    if (use_heat) base = texture(ramp, vec2(uvh.z * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;\n"
    "    if (unlit) { result = vec4(base, 1.0); return; }\n"
    "    vec3 v = normalize(eye - at);\n"
    "    vec3 n = flat_normals ? cross(dFdx(at), dFdy(at)) : facing;\n"
    "    n = dot(n, n) > 1e-20 ? normalize(n) : v;\n"
    "    if (flat_normals ? dot(n, v) < 0.0 : !gl_FrontFacing) n = -n;\n"
    "    if (use_normals) { result = vec4(pow(n * 0.5 + 0.5, vec3(2.2)), 1.0); return; }\n"
    "    float toward = dot(n, key);\n"
    "    float shade = toward > -0.15 ? lit_by_key(n, toward) : 1.0;\n"
    "    shade = mix(1.0, shade, smoothstep(-0.15, 0.2, toward));\n"
    "    float near_floor = 1.0 - 0.35 * exp(-6.0 * max(at.y - floor_y, 0.0)) * (0.5 - 0.5 * n.y);\n"
    "    vec3 ambient = mix(vec3(0.215, 0.175, 0.155), vec3(0.375, 0.385, 0.405), n.y * 0.5 + 0.5) * "
    "near_floor;\n"
    "    vec3 light_sum = ambient * mix(0.82, 1.0, shade)\n"
    "        + wrapped(toward) * shade * vec3(1.16, 1.10, 1.02)\n"
    "        + wrapped(dot(n, fill)) * vec3(0.13, 0.14, 0.155)\n"
    "        + max(dot(n, rim), 0.0) * vec3(0.30, 0.31, 0.34);\n"
    "    float edge = pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 4.0);\n"
    "    vec3 shine = glint(n, v, key, 28.0) * shade * vec3(0.10) + glint(n, v, rim, 18.0) * vec3(0.10)\n"
    "        + edge * 0.14 * ambient;\n"
    "    if (use_heat) { light_sum = mix(vec3(0.95), light_sum, 0.55); shine *= 0.3; }\n"
    "    result = vec4(tone(base * light_sum + shine), 1.0);\n"
    "}\n";

const char sn_glsl_depth_vertex[] = "layout(location = 0) in vec3 position;\n"
                                    "uniform mat4 light;\n"
                                    "void main() {\n"
                                    "    vec3 p = (light * vec4(position, 1.0)).xyz * 2.0 - 1.0;\n"
                                    "#ifdef CLAMP_DEPTH\n"
                                    "    p.z = clamp(p.z, -1.0, 1.0);\n"
                                    "#endif\n"
                                    "    gl_Position = vec4(p, 1.0);\n"
                                    "}\n";
const char sn_glsl_depth_fragment[] = "void main() {}\n";

// Slides every point along `direction` to the floor. Red: covered. Green: how near the floor the lowest cover
// is.
const char sn_glsl_footprint_vertex[] = "layout(location = 0) in vec3 position;\n"
                                        "uniform vec3 direction;\n"
                                        "uniform float floor_y, extent;\n"
                                        "out float height;\n"
                                        "void main() {\n"
                                        "    height = max(position.y - floor_y, 0.0);\n"
                                        "    vec2 p = position.xz - direction.xz * (height / direction.y);\n"
                                        "    gl_Position = vec4(p / extent, 0.0, 1.0);\n"
                                        "}\n";
const char sn_glsl_footprint_fragment[] =
    "in float height;\n"
    "out vec4 result;\n"
    "void main() { result = vec4(1.0, exp(-1.6 * height), exp(-9.0 * height), 1.0); }\n";

const char sn_glsl_screen_vertex[] =
    "out vec2 uv;\n"
    "void main() {\n"
    "    uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);\n"
    "    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);\n"
    "}\n";

// One direction of a Gaussian; `sigma` in steps.
const char sn_glsl_blur_fragment[] = "in vec2 uv;\n"
                                     "uniform sampler2D image;\n"
                                     "uniform vec2 stride;\n"
                                     "uniform float sigma;\n"
                                     "out vec4 result;\n"
                                     "void main() {\n"
                                     "    int reach = int(ceil(2.5 * sigma));\n"
                                     "    vec4 sum = vec4(0.0);\n"
                                     "    float total = 0.0;\n"
                                     "    for (int i = -reach; i <= reach; i++) {\n"
                                     "        float w = exp(-0.5 * float(i * i) / (sigma * sigma));\n"
                                     "        sum += w * texture(image, uv + float(i) * stride);\n"
                                     "        total += w;\n"
                                     "    }\n"
                                     "    result = sum / total;\n"
                                     "}\n";

// A paper sweep: a little darker towards the top and the corners.
#define BACKDROP                                                                                             \
    "uniform vec3 background;\n"                                                                             \
    "uniform float vignette;\n"                                                                              \
    "vec3 backdrop(vec2 uv) {\n"                                                                             \
    "    vec2 c = uv - vec2(0.5, 0.42);\n"                                                                   \
    "    float fall = 1.06 - vignette * dot(c, c) - 0.10 * smoothstep(0.3, 1.0, uv.y);\n"                    \
    "    return background * fall;\n"                                                                        \
    "}\n"

// The floor only darkens the backdrop, so it has no visible border. Near contacts take the sharp footprint,
// high parts the wide one: penumbras grow with the distance to the floor.
#define FLOOR                                                                                                \
    "uniform sampler2D sharp, wide;\n"                                                                       \
    "uniform float extent;\n"                                                                                \
    "float darkness(vec2 at) {\n"                                                                            \
    "    vec2 uv = at / extent * 0.5 + 0.5;\n"                                                               \
    "    vec4 s = texture(sharp, uv), w = texture(wide, uv);\n"                                              \
    "    float low = w.g / max(w.r, 1e-3);\n"                                                                \
    "    float thrown = mix(w.r, s.r, smoothstep(0.1, 0.95, low));\n"                                        \
    "    float contact = max(s.b * 0.75, min(w.b * 2.2, 0.9));\n"                                            \
    "    float dark = 1.0 - (1.0 - 0.44 * thrown) * (1.0 - 0.55 * contact);\n"                               \
    "    float fade = 1.0 - smoothstep(0.45, 0.98, length(at) / extent);\n"                                  \
    "    return dark * fade;\n"                                                                              \
    "}\n"

const char sn_glsl_backdrop_fragment[] = BACKDROP "in vec2 uv;\n"
                                                  "out vec4 result;\n"
                                                  "void main() { result = vec4(backdrop(uv), 1.0); }\n";

const char sn_glsl_floor_vertex[] =
    "uniform mat4 view_projection;\n"
    "uniform float floor_y, extent;\n"
    "out vec2 at;\n"
    "void main() {\n"
    "    at = vec2((gl_VertexID & 1) * 2 - 1, (gl_VertexID >> 1) * 2 - 1) * extent;\n"
    "    gl_Position = view_projection * vec4(at.x, floor_y, at.y, 1.0);\n"
    "}\n";

const char sn_glsl_floor_fragment[] = FLOOR "in vec2 at;\n"
                                            "uniform vec3 shade;\n"
                                            "out vec4 result;\n"
                                            "void main() { result = vec4(shade, darkness(at)); }\n";

// The floor under each pixel is found by a matrix, so that backdrop and floor are one pass over the finished
// picture: both are too smooth to gain from more samples.
const char sn_glsl_present_vertex[] =
    "uniform mat3 floor_at;\n"
    "out vec2 uv;\n"
    "out vec3 below;\n"
    "void main() {\n"
    "    uv = vec2(gl_VertexID == 1 ? 2.0 : 0.0, gl_VertexID == 2 ? 2.0 : 0.0);\n"
    "    below = floor_at * vec3(uv * 2.0 - 1.0, 1.0);\n"
    "    gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);\n"
    "}\n";
// Averages squares of `factor` pixels in linear light, lays them over the backdrop and encodes; the canvas
// does not. Above the horizon the floor is too far away to be dark.
const char sn_glsl_present_fragment[] = BACKDROP FLOOR
    "in vec2 uv;\n"
    "in vec3 below;\n"
    "uniform sampler2D image;\n"
    "uniform int factor;\n"
    "uniform vec3 shade;\n"
    "uniform bool ground, bare;\n"
    "uniform ivec4 boxes[2];\n" // that something was drawn into
    "out vec4 result;\n"
    "bool within(ivec2 p, ivec4 box) {\n"
    "    return all(greaterThanEqual(p, box.xy)) && all(lessThan(p, box.zw));\n"
    "}\n"
    "vec4 average(ivec2 first) {\n"
    "    vec4 sum = vec4(0.0);\n"
    "    for (int y = 0; y < factor; y++)\n"
    "        for (int x = 0; x < factor; x++)\n"
    "            sum += texelFetch(image, first + ivec2(x, y), 0);\n"
    "    return sum / float(factor * factor);\n"
    "}\n"
    "void main() {\n"
    "    ivec2 first = ivec2(gl_FragCoord.xy) * factor;\n"
    "    bool drawn = within(first, boxes[0]) || within(first, boxes[1]);\n"
    "    vec4 sum = drawn ? average(first) : vec4(0.0);\n"
    "    vec4 behind = bare ? vec4(0.0) : vec4(backdrop(uv), 1.0);\n"
    "    if (ground) behind = mix(behind, vec4(shade, 1.0), darkness(below.xy / max(below.z, 1e-4)));\n"
    "    sum += (1.0 - sum.a) * behind;\n"
    "    vec3 c = clamp(sum.rgb / max(sum.a, 1e-4), 0.0, 1.0);\n"
    "    result = vec4(mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055,\n"
    "                      step(0.0031308, c)), sum.a);\n"
    "}\n";

// Each edge is a screen-space quad of constant width with a soft border.
const char sn_glsl_wire_vertex[] =
    "layout(location = 0) in vec3 a;\n"
    "layout(location = 1) in vec3 b;\n"
    "uniform mat4 view_projection;\n"
    "uniform vec3 eye;\n"
    "uniform vec2 half_size;\n"
    "uniform float width, lift;\n"
    "out float across;\n"
    "out float strength;\n"
    "vec4 project(vec3 p) { return view_projection * vec4(p + normalize(eye - p) * lift, 1.0); }\n"
    "void main() {\n"
    "    vec4 pa = project(a), pb = project(b);\n"
    "    vec2 along = (pb.xy / pb.w - pa.xy / pa.w) * half_size;\n"
    "    float pixels = length(along);\n"
    "    vec2 dir = pixels > 1e-6 ? along / pixels : vec2(1.0, 0.0);\n"
    "    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;\n"
    "    float reach = 0.5 * width + 0.75;\n"
    "    vec4 p = (gl_VertexID >> 1) == 0 ? pa : pb;\n"
    "    p.xy += vec2(-dir.y, dir.x) * side * reach / half_size * p.w;\n"
    "    across = side * reach;\n"
    "    strength = clamp(pixels / (width * 5.0), 0.16, 1.0);\n"
    "    gl_Position = p;\n"
    "}\n";
const char sn_glsl_wire_fragment[] = "in float across;\n"
                                     "in float strength;\n"
                                     "uniform float width;\n"
                                     "out vec4 result;\n"
                                     "void main() {\n"
                                     "    float cover = clamp(0.5 * width + 0.5 - abs(across), 0.0, 1.0);\n"
                                     "    result = vec4(0.02, 0.03, 0.05, 0.72 * cover * strength);\n"
                                     "}\n";
