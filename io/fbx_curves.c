// Curves of an FBX file between their keys: constant, straight or cubic with weighted tangents, angle by
// angle. assimp keeps the keys alone and goes straight from one rotation to the next.
#include <assimp/scene.h>
#include <stdlib.h>

#include "fbx.h"

#define SECOND 46186158000.0 // ticks of the file
#define MOST_KEYS (1u << 20)

enum {
    CONSTANT = 0x2,
    LINEAR = 0x4,
    CUBIC = 0x8,
    TENSION = 0x200,
    WEIGHTED_RIGHT = 0x1000000,
    WEIGHTED_LEFT = 0x2000000
};

typedef struct Curve {
    uint32_t count; // keys; 0: the value never changes
    double value;   // then
    const double* times;
    const double* values;
    uint32_t* attributes; // of each key, which of the lists below
    const double* flags;
    const double* data; // 4 each: slope to the right, slope of the next key to its left, weights, velocities
} Curve;

// Translation, rotation or scaling of a model.
typedef struct Curves {
    Curve axes[3];
    double first, last; // ticks; of the keys
} Curves;

// ------------------------------------------------------------------------------------------------- reading

static bool read_curve(const sniFbx* fbx, const sniFbxObject* object, Curve* out) {
    const sniFbxNode* node = &object->node;
    uint32_t times, values, flags, data, repeats;
    out->times = sni_fbx_numbers(fbx, node, "KeyTime", &times);
    out->values = sni_fbx_numbers(fbx, node, "KeyValueFloat", &values);
    out->flags = sni_fbx_numbers(fbx, node, "KeyAttrFlags", &flags);
    out->data = sni_fbx_numbers(fbx, node, "KeyAttrDataFloat", &data);
    const double* repeat = sni_fbx_numbers(fbx, node, "KeyAttrRefCount", &repeats);
    if (out->times == NULL || out->values == NULL || out->flags == NULL || out->data == NULL ||
        repeat == NULL || times != values || flags != repeats || data / 4 != flags)
        return false;
    out->attributes = SNI_ARENA_ARRAY(fbx->arena, uint32_t, times);
    if (out->attributes == NULL) return false;
    uint32_t key = 0;
    for (uint32_t a = 0; a < flags; a++)
        for (double n = 0.0; n < repeat[a] && key < times; n += 1.0) out->attributes[key++] = a;
    for (uint32_t k = 1; k < times; k++)
        if (!(out->times[k] > out->times[k - 1])) return false;
    out->count = times;
    return key == times;
}

static bool read_curves(const sniFbx* fbx, const sniFbxObject* node, Curves* out) {
    static const char* const names[3] = {"d|X", "d|Y", "d|Z"};
    *out = (Curves){.first = INFINITY, .last = -INFINITY};
    for (int i = 0; i < 3; i++) {
        Curve* curve = &out->axes[i];
        const sniFbxObject* object = sni_fbx_linked(fbx, node->id, "AnimationCurve", NULL, names[i]);
        if (object == NULL) {
            if (!sni_fbx_property(fbx, &node->node, names[i], 1, &curve->value)) return false;
            continue;
        }
        if (!read_curve(fbx, object, curve)) return false;
        out->first = curve->times[0] < out->first ? curve->times[0] : out->first;
        out->last = curve->times[curve->count - 1] > out->last ? curve->times[curve->count - 1] : out->last;
    }
    return out->first <= out->last;
}

// ------------------------------------------------------------------------------------------------- values

// The key at or before a time; the first where there is none.
static uint32_t key_at(const Curve* curve, double time) {
    uint32_t low = 0, high = curve->count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (curve->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double bezier(double a, double b, double c, double d, double u) {
    double v = 1.0 - u;
    return v * v * v * a + 3.0 * v * v * u * b + 3.0 * v * u * u * c + u * u * u * d;
}

// Two shorts in the bits of a float, in ten thousandths.
static void unpack_weights(double packed, double out[2]) {
    float single = (float)packed;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    out[0] = (double)(int16_t)(bits & 0xffff) * 1e-4;
    out[1] = (double)(int16_t)(bits >> 16) * 1e-4;
}

// Between two keys a Bezier in time and value. Its handles reach a third of the way unless they are weighted;
// then time is no multiple of the parameter, which is found by halving.
static double cubic(const Curve* curve, uint32_t k, double share) {
    const double* data = curve->data + 4 * (size_t)curve->attributes[k];
    uint32_t flags = (uint32_t)curve->flags[curve->attributes[k]];
    double span = (curve->times[k + 1] - curve->times[k]) / SECOND, weights[2];
    double from = curve->values[k], to = curve->values[k + 1];
    unpack_weights(data[2], weights);
    double right = flags & WEIGHTED_RIGHT ? weights[0] : 1.0 / 3.0;
    double left = flags & WEIGHTED_LEFT ? weights[1] : 1.0 / 3.0;
    right = right > 0.0 && right < 1.0 ? right : 1.0 / 3.0;
    left = left > 0.0 && left < 1.0 ? left : 1.0 / 3.0;
    double u = share;
    if (fabs(right - 1.0 / 3.0) > 1e-4 || fabs(left - 1.0 / 3.0) > 1e-4) {
        double low = 0.0, high = 1.0;
        for (int i = 0; i < 48; i++) {
            u = 0.5 * (low + high);
            if (bezier(0.0, right, 1.0 - left, 1.0, u) < share)
                low = u;
            else
                high = u;
        }
    }
    return bezier(from, from + data[0] * right * span, to - data[1] * left * span, to, u);
}

static double value_at(const Curve* curve, double time) {
    if (curve->count == 0) return curve->value;
    uint32_t k = key_at(curve, time);
    if (time <= curve->times[k] || k + 1 == curve->count) return curve->values[k];
    uint32_t flags = (uint32_t)curve->flags[curve->attributes[k]];
    double share = (time - curve->times[k]) / (curve->times[k + 1] - curve->times[k]);
    if (flags & CONSTANT) return curve->values[k];
    if (!(flags & CUBIC) || (flags & TENSION))
        return curve->values[k] + share * (curve->values[k + 1] - curve->values[k]);
    return cubic(curve, k, share);
}

static void values_at(const Curves* curves, double time, double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = value_at(&curves->axes[i], time);
}

// Angles in degrees, about x, y and z in the order of the model.
static snQuat turn_of(const double angles[3], uint32_t order) {
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    static const snVec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    snQuat turn = sn_quat_identity();
    for (int i = 0; i < 3; i++) {
        int axis = orders[order < 6 ? order : 0][i];
        // Whole turns are taken off in doubles, where they are exact enough.
        double degrees = angles[axis] - 360.0 * floor(angles[axis] / 360.0);
        turn = sn_quat_mul(
            sn_quat_axis_angle(axes[axis], (float)(degrees * (3.14159265358979323846 / 180.0))), turn);
    }
    return turn;
}

// -------------------------------------------------------------------------------------------------- times

static int compare_times(const void* a, const void* b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

// Times that follow the curves: their keys, right before a jump, and every `step` where they are not
// straight. Fills `out` where it is not NULL.
static uint32_t list_times(const Curves* curves, bool angles, double step, double* out) {
    uint32_t count = 0;
    for (int i = 0; i < 3; i++) {
        const Curve* curve = &curves->axes[i];
        for (uint32_t k = 0; k < curve->count && count < MOST_KEYS; k++) {
            if (out != NULL) out[count] = curve->times[k];
            count++;
            if (k + 1 == curve->count) break;
            uint32_t flags = (uint32_t)curve->flags[curve->attributes[k]];
            double begin = curve->times[k], end = curve->times[k + 1];
            bool jump = (flags & CONSTANT) != 0, still = curve->values[k] == curve->values[k + 1];
            if (jump && !still) {
                if (out != NULL) out[count] = end - 1e-3 * (step < end - begin ? step : end - begin);
                count++;
            }
            if (jump || end - begin < 1.5 * step || (!angles && !(flags & CUBIC)) ||
                (!(flags & CUBIC) && still))
                continue;
            for (double t = step * (floor(begin / step) + 1.0); t < end && count < MOST_KEYS; t += step) {
                if (out != NULL) out[count] = t;
                count++;
            }
        }
    }
    return count;
}

static double* times_of(const sniFbx* fbx, const Curves* curves, bool angles, double step,
                        uint32_t* out_count) {
    uint32_t count = list_times(curves, angles, step, NULL), kept = 0;
    if (count == 0 || count >= MOST_KEYS) return NULL;
    double* times = SNI_ARENA_ARRAY(fbx->arena, double, count);
    if (times == NULL) return NULL;
    list_times(curves, angles, step, times);
    qsort(times, count, sizeof *times, compare_times);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || times[i] > times[kept - 1] + 1.0) times[kept++] = times[i];
    *out_count = kept;
    return times;
}

// ----------------------------------------------------------------------------------------------- channels

typedef struct Stack {
    const sniFbx* fbx;
    const sniFbxObject* layer;
    double rate;        // assimp's ticks a second
    bool cut;           // the file says from where to where
    double start, stop; // its ticks
} Stack;

// Curves of a property of a model in the layer.
static bool find_curves(const Stack* stack, const sniFbxObject* model, const char* property, Curves* out) {
    const sniFbxLink *links, *layers;
    uint32_t count = sni_fbx_links(stack->fbx, model->id, &links);
    uint32_t nodes = sni_fbx_links(stack->fbx, stack->layer->id, &layers);
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(links[i].property, property) != 0) continue;
        const sniFbxObject* node = sni_fbx_find(stack->fbx, links[i].from);
        if (node == NULL || !sni_fbx_is(&node->node, "AnimationCurveNode")) continue;
        for (uint32_t n = 0; n < nodes; n++)
            if (layers[n].from == node->id) return read_curves(stack->fbx, node, out);
    }
    return false;
}

// Times of the file as assimp counts them; its first key is that of the curves unless the file cuts them.
static double tick_of(const Stack* stack, const Curves* curves, double time, double first) {
    if (stack->cut) return (time - stack->start) / SECOND * stack->rate;
    return first + (time - curves->first) / SECOND * stack->rate;
}

static double time_of(const Stack* stack, const Curves* curves, double tick, double first) {
    if (stack->cut) return stack->start + tick / stack->rate * SECOND;
    return curves->first + (tick - first) / stack->rate * SECOND;
}

// Leaves out what lies outside of the cut.
static uint32_t keep_within(const Stack* stack, double* times, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!stack->cut || (times[i] >= stack->start - 1e4 && times[i] <= stack->stop + 1e4))
            times[kept++] = times[i];
    return kept;
}

static void refine_vectors(const Stack* stack, const sniFbxObject* model, const char* property,
                           struct aiVectorKey** keys, unsigned* key_count) {
    Curves curves;
    if (*key_count == 0 || !find_curves(stack, model, property, &curves)) return;
    uint32_t count;
    double* times = times_of(stack->fbx, &curves, false, 0.5 * SECOND / stack->rate, &count);
    if (times == NULL || (count = keep_within(stack, times, count)) <= *key_count) return;
    double first = (*keys)[0].mTime, value[3];
    values_at(&curves, time_of(stack, &curves, first, first), value);
    struct aiVector3D old = (*keys)[0].mValue; // where assimp sees something else, it knows better
    double scale = 1e-3 * (1.0 + fabs(value[0]) + fabs(value[1]) + fabs(value[2]));
    if (!(fabs(value[0] - (double)old.x) + fabs(value[1] - (double)old.y) + fabs(value[2] - (double)old.z) <
          scale))
        return;
    struct aiVectorKey* out = SNI_ARENA_ARRAY(stack->fbx->arena, struct aiVectorKey, count);
    if (out == NULL) return;
    for (uint32_t i = 0; i < count; i++) {
        values_at(&curves, times[i], value);
        out[i].mTime = tick_of(stack, &curves, times[i], first);
        out[i].mValue = (struct aiVector3D){(float)value[0], (float)value[1], (float)value[2]};
    }
    *keys = out;
    *key_count = count;
}

// What stands before and after the angles of a node that assimp keeps whole.
typedef struct Around {
    uint32_t order;
    snQuat before, after;
} Around;

static Around around(const sniFbx* fbx, const sniFbxObject* model, bool whole) {
    Around out = {0, sn_quat_identity(), sn_quat_identity()};
    double order = 0.0, angles[3] = {0};
    sni_fbx_property(fbx, &model->node, "RotationOrder", 1, &order);
    out.order = order >= 0.0 && order < 6.0 ? (uint32_t)order : 0;
    if (whole && sni_fbx_property(fbx, &model->node, "PreRotation", 3, angles))
        out.before = turn_of(angles, 0);
    if (whole && sni_fbx_property(fbx, &model->node, "PostRotation", 3, angles))
        out.after = sn_quat_conjugate(turn_of(angles, 0));
    return out;
}

static snQuat whole_turn(const Around* a, const double angles[3]) {
    snQuat turn = sn_quat_mul(a->before, turn_of(angles, a->order));
    return sn_quat_normalize(sn_quat_mul(turn, a->after));
}

static void refine_turns(const Stack* stack, const sniFbxObject* model, bool whole, struct aiQuatKey** keys,
                         unsigned* key_count) {
    Curves curves;
    if (*key_count == 0 || !find_curves(stack, model, "Lcl Rotation", &curves)) return;
    uint32_t count;
    double* times = times_of(stack->fbx, &curves, true, 0.5 * SECOND / stack->rate, &count);
    if (times == NULL || (count = keep_within(stack, times, count)) <= *key_count) return;
    double first = (*keys)[0].mTime, value[3];
    Around a = around(stack->fbx, model, whole);
    values_at(&curves, time_of(stack, &curves, first, first), value);
    struct aiQuaternion old = (*keys)[0].mValue;
    snQuat begin = whole_turn(&a, value);
    if (!(fabsf(begin.x * old.x + begin.y * old.y + begin.z * old.z + begin.w * old.w) > 0.99999f)) return;
    struct aiQuatKey* out = SNI_ARENA_ARRAY(stack->fbx->arena, struct aiQuatKey, count);
    if (out == NULL) return;
    for (uint32_t i = 0; i < count; i++) {
        values_at(&curves, times[i], value);
        snQuat q = whole_turn(&a, value);
        out[i].mTime = tick_of(stack, &curves, times[i], first);
        out[i].mValue = (struct aiQuaternion){q.w, q.x, q.y, q.z};
    }
    *keys = out;
    *key_count = count;
}

static struct aiNodeAnim* refine_channel(const Stack* stack, const struct aiNodeAnim* from) {
    static const char mark[] = "_$AssimpFbx$_";
    struct aiNodeAnim* to = SNI_ARENA_ARRAY(stack->fbx->arena, struct aiNodeAnim, 1);
    if (to == NULL) return NULL;
    *to = *from;
    const char* link = strstr(from->mNodeName.data, mark);
    char name[sizeof from->mNodeName.data] = {0};
    memcpy(name, from->mNodeName.data,
           link != NULL ? (size_t)(link - from->mNodeName.data) : strlen(from->mNodeName.data));
    const char* what = link != NULL ? link + sizeof mark - 1 : "";
    const sniFbxObject* model = sni_fbx_model(stack->fbx, name);
    if (model == NULL) return to;
    if (link == NULL || strcmp(what, "Translation") == 0)
        refine_vectors(stack, model, "Lcl Translation", &to->mPositionKeys, &to->mNumPositionKeys);
    if (link == NULL || strcmp(what, "Rotation") == 0)
        refine_turns(stack, model, link == NULL, &to->mRotationKeys, &to->mNumRotationKeys);
    if (link == NULL || strcmp(what, "Scaling") == 0)
        refine_vectors(stack, model, "Lcl Scaling", &to->mScalingKeys, &to->mNumScalingKeys);
    return to;
}

// The stack of an animation with its one layer; curves of several layers add up, which is left alone.
static bool find_stack(const sniFbx* fbx, const struct aiAnimation* animation, Stack* out) {
    *out = (Stack){.fbx = fbx, .rate = animation->mTicksPerSecond};
    const sniFbxObject* stack = NULL;
    for (uint32_t i = 0; i < fbx->object_count && stack == NULL; i++)
        if (sni_fbx_is(&fbx->objects[i].node, "AnimationStack") &&
            strcmp(fbx->objects[i].name, animation->mName.data) == 0)
            stack = &fbx->objects[i];
    if (stack == NULL || !(out->rate > 0.0)) return false;
    const sniFbxLink* links;
    uint32_t count = sni_fbx_links(fbx, stack->id, &links), layers = 0;
    for (uint32_t i = 0; i < count; i++) {
        const sniFbxObject* layer = sni_fbx_find(fbx, links[i].from);
        if (layer == NULL || !sni_fbx_is(&layer->node, "AnimationLayer")) continue;
        out->layer = layer;
        layers++;
    }
    sni_fbx_property(fbx, &stack->node, "LocalStart", 1, &out->start);
    sni_fbx_property(fbx, &stack->node, "LocalStop", 1, &out->stop);
    out->cut = out->start != 0.0 || out->stop != 0.0;
    return layers == 1;
}

const struct aiAnimation* sni_fbx_refine(const sniFbx* fbx, const struct aiAnimation* animation) {
    Stack stack;
    if (!find_stack(fbx, animation, &stack)) return animation;
    struct aiAnimation* out = SNI_ARENA_ARRAY(fbx->arena, struct aiAnimation, 1);
    struct aiNodeAnim** channels = SNI_ARENA_ARRAY(fbx->arena, struct aiNodeAnim*, animation->mNumChannels);
    if (out == NULL || channels == NULL) return animation;
    *out = *animation;
    out->mChannels = channels;
    for (unsigned c = 0; c < animation->mNumChannels; c++) {
        channels[c] = refine_channel(&stack, animation->mChannels[c]);
        if (channels[c] == NULL) return animation;
    }
    return out;
}
