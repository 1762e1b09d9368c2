// The range of motion: what the joints of a body can do, one after another, as a clip.
//
// Movements are turns in the world, from the rest pose, towards directions of the body (forward, up,
// outward), so they do not depend on the axes of the skeleton's joints nor on whether it stands with its arms
// out or down.
#include "check/range.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define DEGREES 0.01745329252f
// Degrees that one joint of a chain turns at most, however few there are.
#define CHAIN_MOST 75.0f

// Where the bone of a joint is turned to.
typedef enum Way {
    FORWARD,
    BACKWARD,
    UP,
    DOWN,
    OUTWARD, // away from the middle, on the joint's side
    TWIST,   // about the bone itself
    NOD,     // about the axis from right to left: forward and down
    TURN,    // about the axis that points up
    LEAN,    // about the axis that points forward
} Way;

typedef struct Movement {
    snRole role;
    Way way;
    const char* verb;
    float degrees;
    bool both;  // then as far the other way
    bool chain; // all joints of the role move together and share the angle
} Movement;

// About as far as people can; judged. The limits of the measures were set on these movements.
static const Movement movements[] = {
    {SN_ROLE_SPINE, NOD, "bend forward", 60.0f, false, true},
    {SN_ROLE_SPINE, NOD, "bend back", -25.0f, false, true},
    {SN_ROLE_SPINE, LEAN, "lean", 30.0f, true, true},
    {SN_ROLE_SPINE, TURN, "turn", 40.0f, true, true},
    {SN_ROLE_NECK, NOD, "nod", 35.0f, true, true},
    {SN_ROLE_HEAD, NOD, "nod", 20.0f, true, false},
    {SN_ROLE_HEAD, TURN, "turn", 60.0f, true, false},
    {SN_ROLE_SHOULDER, UP, "raise", 25.0f, false, false},
    {SN_ROLE_SHOULDER, FORWARD, "forward", 20.0f, false, false},
    {SN_ROLE_UPPER_ARM, UP, "raise", 150.0f, false, false},
    {SN_ROLE_UPPER_ARM, DOWN, "lower", 80.0f, false, false},
    {SN_ROLE_UPPER_ARM, FORWARD, "forward", 90.0f, false, false},
    {SN_ROLE_UPPER_ARM, TWIST, "twist", 60.0f, true, false},
    {SN_ROLE_LOWER_ARM, FORWARD, "bend", 140.0f, false, false},
    {SN_ROLE_HAND, DOWN, "bend", 70.0f, true, false},
    {SN_ROLE_HAND, TWIST, "twist", 90.0f, true, false},
    {SN_ROLE_THUMB, DOWN, "curl", 60.0f, false, true},
    {SN_ROLE_INDEX, DOWN, "curl", 220.0f, false, true},
    {SN_ROLE_MIDDLE, DOWN, "curl", 220.0f, false, true},
    {SN_ROLE_RING, DOWN, "curl", 220.0f, false, true},
    {SN_ROLE_LITTLE, DOWN, "curl", 220.0f, false, true},
    {SN_ROLE_UPPER_LEG, FORWARD, "raise", 110.0f, false, false},
    {SN_ROLE_UPPER_LEG, BACKWARD, "back", 20.0f, false, false},
    {SN_ROLE_UPPER_LEG, OUTWARD, "out", 45.0f, false, false},
    {SN_ROLE_UPPER_LEG, TWIST, "twist", 35.0f, true, false},
    {SN_ROLE_LOWER_LEG, BACKWARD, "bend", 135.0f, false, false},
    {SN_ROLE_FOOT, NOD, "point", 40.0f, false, false},
    {SN_ROLE_FOOT, NOD, "lift", -20.0f, false, false},
    {SN_ROLE_TOES, NOD, "lift", -45.0f, false, false},
    {SN_ROLE_TAIL, LEAN, "sway", 90.0f, true, true},
};
enum { MOVEMENTS = sizeof movements / sizeof movements[0] };

// Keys of a movement: rest, there, and back, by way of the other side where it goes both ways. At eight
// frames a second all of them are frames.
enum { MAX_KEYS = 5 };
static const float single_times[] = {0.0f, 0.5f, 1.0f};
static const float both_times[] = {0.0f, 0.25f, 0.5f, 0.75f, 1.0f};

// ------------------------------------------------------------------------------------------------- moves

static void sum_weights(sniRangeMaker* m) {
    const snSkeleton* skeleton = m->model->skeleton;
    for (uint32_t p = 0; p < m->model->part_count; p++) {
        const snPart* part = &m->model->parts[p];
        if (part->skin == SN_NONE) continue;
        const snSkin* skin = &m->model->skins[part->skin];
        size_t count = (size_t)part->weights.vertex_count * part->weights.influences;
        for (size_t i = 0; i < count; i++) {
            if (!(part->weights.weights[i] > 0.0f)) continue;
            m->below[skin->joints[part->weights.joints[i]]] += (double)part->weights.weights[i];
            m->weighted[skin->joints[part->weights.joints[i]]] = 1;
            m->total += (double)part->weights.weights[i];
        }
    }
    for (uint32_t k = skeleton->joint_count; k-- > 0;) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        if (above != SN_NONE) m->below[above] += m->below[j];
    }
}

// Does turning this joint bend skin? One that nothing is above turns all of it, one without weight below
// none.
static bool bends(const sniRangeMaker* m, uint32_t joint) {
    return m->below[joint] > 0.0 && m->below[joint] < (1.0 - 1e-6) * m->total && m->hosts[joint] == SN_NONE;
}

static void begin_move(sniRangeMaker* m, uint32_t joint, const char* verb, float degrees) {
    if (!sni_grow(m->memory, &m->moves, &m->move_capacity, m->move_count + 1, sizeof *m->moves)) {
        m->failed = true;
        return;
    }
    snRangeMove* move = &m->moves[m->move_count++];
    const char* name =
        m->names[joint].text[0] != '\0' ? m->names[joint].text : m->model->skeleton->names[joint];
    snprintf(move->name, sizeof move->name, "%.60s %s %.0f", name, verb, (double)fabsf(degrees));
    move->joint = joint;
    move->degrees = fabsf(degrees);
    move->from = SN_RANGE_SECONDS * (float)(m->move_count - 1);
    move->to = SN_RANGE_SECONDS * (float)m->move_count;
}

static void add_turn(sniRangeMaker* m, uint32_t joint, snVec3 axis, float degrees, bool both) {
    if (m->failed ||
        !sni_grow(m->memory, &m->turns, &m->turn_capacity, m->turn_count + 1, sizeof *m->turns)) {
        m->failed = true;
        return;
    }
    m->turns[m->turn_count++] = (sniTurn){(uint32_t)m->move_count - 1, joint, axis, degrees * DEGREES, both};
    m->moves[m->move_count - 1].both = both;
}

// The direction of a joint's bone; that which comes from its parent where none begins here.
static bool bone_direction(const sniRangeMaker* m, uint32_t joint, snVec3* out) {
    const snVec3* points = m->body.tree.points;
    uint32_t above = m->model->skeleton->parents[joint];
    snVec3 end;
    if (sni_body_bone_end(&m->body, joint, &end))
        *out = sn_sub(end, points[joint]);
    else if (above != SN_NONE)
        *out = sn_sub(points[joint], points[above]);
    else
        return false;
    float length = sn_length(*out);
    if (!(length > 1e-12f)) return false;
    *out = sn_scale(*out, 1.0f / length);
    return true;
}

// The axis of a movement, and how far it may go.
static bool find_axis(const sniRangeMaker* m, const Movement* movement, uint32_t joint, snVec3* axis,
                      float* degrees) {
    static const snVec3 targets[] = {[FORWARD] = {0, 0, 1},
                                     [BACKWARD] = {0, 0, -1},
                                     [UP] = {0, 1, 0},
                                     [DOWN] = {0, -1, 0},
                                     [OUTWARD] = {1, 0, 0}};
    static const snVec3 axes[] = {[NOD] = {1, 0, 0}, [TURN] = {0, 1, 0}, [LEAN] = {0, 0, 1}};
    snVec3 bone;
    if (!bone_direction(m, joint, &bone)) return false;
    *degrees = movement->degrees;
    if (movement->way == TWIST) {
        *axis = bone;
        return true;
    }
    if (movement->way > TWIST) {
        *axis = sn_quat_rotate(m->body.frame, axes[movement->way]);
        return true;
    }
    snVec3 target = targets[movement->way];
    if (movement->way == OUTWARD && m->body.labels[joint].side == SN_SIDE_RIGHT) target.x = -1.0f;
    target = sn_quat_rotate(m->body.frame, target);
    bool limb = movement->role == SN_ROLE_UPPER_ARM || movement->role == SN_ROLE_UPPER_LEG;
    // Hands and fingers that hang down bend forward.
    if (!limb && sn_dot(bone, target) > 0.95f) target = sn_quat_rotate(m->body.frame, targets[FORWARD]);
    *axis = sn_cross(bone, target);
    float room = sn_acos(sn_clampf(sn_dot(bone, target), -1.0f, 1.0f)) / DEGREES;
    bool ends = movement->way == UP || movement->way == DOWN; // arms end there, legs swing past
    if (limb && ends && *degrees > room - 10.0f) *degrees = room - 10.0f;
    return sn_length(*axis) > 0.1f && *degrees > 5.0f;
}

static void add_chain(sniRangeMaker* m, const Movement* movement, snSide side) {
    uint32_t joints[16], count = 0;
    for (; count < 16; count++) {
        joints[count] = sni_body_chain_joint(&m->body, movement->role, side, count);
        if (joints[count] == SN_NONE || !bends(m, joints[count])) break;
    }
    if (count == 0) return;
    snVec3 axis;
    float degrees = 0.0f;
    if (!find_axis(m, movement, joints[0], &axis, &degrees)) return;
    begin_move(m, joints[0], movement->verb, degrees);
    for (uint32_t i = 0; i < count; i++) add_turn(m, joints[i], axis, degrees / (float)count, movement->both);
}

static void add_movement(sniRangeMaker* m, const Movement* movement, snSide side) {
    if (movement->chain) {
        add_chain(m, movement, side);
        return;
    }
    uint32_t joint = m->body.first[movement->role][side];
    snVec3 axis;
    float degrees = 0.0f;
    if (joint == SN_NONE || !bends(m, joint) || !find_axis(m, movement, joint, &axis, &degrees)) return;
    begin_move(m, joint, movement->verb, degrees);
    add_turn(m, joint, axis, degrees, movement->both);
}

// Two axes across the bone, and the bone.
static void add_any(sniRangeMaker* m, uint32_t joint) {
    snVec3 bone, up = {0.0f, 1.0f, 0.0f};
    if (!bone_direction(m, joint, &bone)) return;
    if (fabsf(bone.y) > 0.9f) up = sn_vec3(0.0f, 0.0f, 1.0f);
    snVec3 side = sn_normalize_or(sn_cross(up, bone), sn_vec3(1.0f, 0.0f, 0.0f));
    begin_move(m, joint, "bend", 45.0f);
    add_turn(m, joint, side, 45.0f, true);
    begin_move(m, joint, "sway", 45.0f);
    add_turn(m, joint, sn_cross(bone, side), 45.0f, true);
    begin_move(m, joint, "twist", 60.0f);
    add_turn(m, joint, bone, 60.0f, true);
}

// Does it stand on two legs, with arms, and straight?
static bool is_person(const sniBody* body) {
    static const snRole wanted[] = {SN_ROLE_UPPER_ARM, SN_ROLE_LOWER_ARM, SN_ROLE_UPPER_LEG,
                                    SN_ROLE_LOWER_LEG};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        for (snSide side = SN_SIDE_LEFT; side <= SN_SIDE_RIGHT; side++)
            if (body->first[wanted[i]][side] == SN_NONE) return false;
    uint32_t top = body->first[SN_ROLE_HEAD][SN_SIDE_NONE], hips = body->first[SN_ROLE_HIPS][SN_SIDE_NONE];
    if (top == SN_NONE) top = body->first[SN_ROLE_NECK][SN_SIDE_NONE];
    if (top == SN_NONE || hips == SN_NONE) return false;
    snVec3 trunk = sn_sub(sni_body_point(body, top), sni_body_point(body, hips));
    return trunk.y > 0.7f * sn_length(trunk);
}

static void choose_moves(sniRangeMaker* m) {
    if (is_person(&m->body)) {
        for (int i = 0; i < MOVEMENTS; i++)
            for (snSide side = SN_SIDE_NONE; side <= SN_SIDE_RIGHT; side++)
                add_movement(m, &movements[i], side);
    }
    bool person = m->move_count > 0;
    const snSkeleton* skeleton = m->model->skeleton;
    for (uint32_t k = 0; !person && k < skeleton->joint_count; k++)
        if (m->weighted[skeleton->order[k]] && bends(m, skeleton->order[k])) add_any(m, skeleton->order[k]);
}

// -------------------------------------------------------------------------------------------------- clip

// What a joint's turn in the world is in its own rotation, its parents at rest.
static snQuat turned(const sniRangeMaker* m, const sniTurn* turn, float share) {
    const snSkeleton* skeleton = m->model->skeleton;
    uint32_t above = skeleton->parents[turn->joint];
    snQuat parent = above != SN_NONE ? m->body.rotations[above] : sn_quat_identity();
    snQuat world = sn_quat_axis_angle(turn->axis, turn->radians * share);
    snQuat local = sn_quat_mul(sn_quat_mul(sn_quat_conjugate(parent), world), parent);
    return sn_quat_normalize(sn_quat_mul(local, skeleton->rest[turn->joint].rotation));
}

typedef struct Keys {
    float* times;
    float* values;
    uint32_t count;
} Keys;

static void add_key(Keys* keys, float time, snQuat q) {
    if (keys->count > 0 && time <= keys->times[keys->count - 1])
        return; // the end of one move begins the next
    if (keys->count > 0 &&
        sn_quat_dot(q, sn_quat(keys->values[4 * keys->count - 4], keys->values[4 * keys->count - 3],
                               keys->values[4 * keys->count - 2], keys->values[4 * keys->count - 1])) < 0.0f)
        q = sn_quat(-q.x, -q.y, -q.z, -q.w);
    keys->times[keys->count] = time;
    memcpy(&keys->values[4 * (size_t)keys->count++], &q, sizeof q);
}

// All turns of a joint, in order. Between two keys a joint turns the shorter way, and no
// turn is as wide as a half.
static void fill_channel(const sniRangeMaker* m, uint32_t joint, Keys* keys) {
    for (size_t i = 0; i < m->turn_count; i++) {
        const sniTurn* turn = &m->turns[i];
        if (turn->joint != joint) continue;
        const float* times = turn->both ? both_times : single_times;
        uint32_t count = turn->both ? MAX_KEYS : 3;
        for (uint32_t k = 0; k < count; k++)
            add_key(keys, m->moves[turn->move].from + times[k] * SN_RANGE_SECONDS,
                    turned(m, turn, sni_turn_share(turn->both, times[k])));
    }
}

static uint32_t count_turns(const sniRangeMaker* m, uint32_t joint) {
    uint32_t count = 0;
    for (size_t i = 0; i < m->turn_count; i++) count += m->turns[i].joint == joint;
    return count;
}

// Channels of the joints that turn, and of those that follow.
typedef struct Channels {
    uint32_t count;
    snChannel* list; // two a joint at most
    float* room;
} Channels;

static void add_channel(Channels* c, uint32_t joint, snChannelPath path, Keys keys) {
    c->list[c->count++] = (snChannel){.joint = joint,
                                      .path = path,
                                      .interpolation = SN_INTERPOLATION_LINEAR,
                                      .key_count = keys.count,
                                      .width = path == SN_PATH_ROTATION ? 4 : 3,
                                      .times = keys.times,
                                      .values = keys.values};
}

static void fill_channels(const sniRangeMaker* m, Channels* c) {
    float* at = c->room;
    size_t loose = sni_range_loose_keys(m);
    for (uint32_t j = 0; j < m->model->skeleton->joint_count; j++) {
        uint32_t turns = count_turns(m, j);
        if (m->hosts[j] != SN_NONE) {
            float *translations = at + loose, *rotations = at + 4 * loose;
            sni_range_follow(m, j, at, translations, rotations);
            add_channel(c, j, SN_PATH_TRANSLATION, (Keys){at, translations, (uint32_t)loose});
            add_channel(c, j, SN_PATH_ROTATION, (Keys){at, rotations, (uint32_t)loose});
            at += 8 * loose;
        } else if (turns > 0) {
            Keys keys = {at, at + (size_t)turns * MAX_KEYS, 0};
            fill_channel(m, j, &keys);
            add_channel(c, j, SN_PATH_ROTATION, keys);
            at += (size_t)turns * MAX_KEYS * 5;
        }
    }
}

static snResult make_clip(const sniRangeMaker* m, snClip** out, snError* error) {
    uint32_t joints = m->model->skeleton->joint_count;
    size_t floats = m->turn_count * MAX_KEYS * 5;
    for (uint32_t j = 0; j < joints; j++)
        if (m->hosts[j] != SN_NONE) floats += 8 * (size_t)sni_range_loose_keys(m);
    Channels c = {0, SNI_NEW_ARRAY(m->memory, snChannel, 2 * (size_t)joints),
                  SNI_NEW_ARRAY(m->memory, float, floats)};
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (c.list != NULL && c.room != NULL) {
        fill_channels(m, &c);
        snClipDef def = {"range", SN_RANGE_SECONDS * (float)m->move_count, c.count, c.list};
        result = sn_clip_create(&def, joints, m->memory, out, error);
    } else {
        sni_fail_memory(error);
    }
    sni_free(m->memory, c.list);
    sni_free(m->memory, c.room);
    return result;
}

static snResult make_range(sniRangeMaker* m, snRange* range, snError* error) {
    const snSkeleton* skeleton = m->model->skeleton;
    m->names = SNI_NEW_ARRAY(m->memory, snJointName, skeleton->joint_count);
    m->below = SNI_NEW_ARRAY(m->memory, double, skeleton->joint_count);
    m->weighted = SNI_NEW_ARRAY(m->memory, uint8_t, skeleton->joint_count);
    m->hosts = SNI_NEW_ARRAY(m->memory, uint32_t, skeleton->joint_count);
    if (m->names == NULL || m->below == NULL || m->weighted == NULL || m->hosts == NULL)
        return sni_fail_memory(error);
    snResult result = sn_skeleton_anatomy(skeleton, m->memory, m->names);
    if (result != SN_RESULT_OK) return sni_fail_labels(error, result);
    sum_weights(m);
    if (!sni_range_hosts(m)) return sni_fail_memory(error);
    choose_moves(m);
    if (m->failed) return sni_fail_memory(error);
    if (m->move_count == 0)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "no joint of the skeleton bends skin");
    result = make_clip(m, &range->clip, error);
    if (result != SN_RESULT_OK) return result;
    range->moves = m->moves;
    range->move_count = (uint32_t)m->move_count;
    m->moves = NULL;
    return SN_RESULT_OK;
}

snResult sn_range_create(const snModel* model, const snAllocator* allocator, snRange** out, snError* error) {
    if (model == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a model and an output are needed");
    snAllocator memory = sni_allocator(allocator);
    sniRangeMaker m = {.model = model, .memory = &memory};
    snResult result = sni_body_create(&m.body, model->skeleton, &memory);
    if (result != SN_RESULT_OK) return sni_fail_labels(error, result);
    snRange* range = SNI_NEW(&memory, snRange);
    if (range != NULL) range->allocator = memory;
    result = range != NULL ? make_range(&m, range, error) : sni_fail_memory(error);
    sni_body_destroy(&m.body, &memory);
    sni_free(&memory, m.names);
    sni_free(&memory, m.below);
    sni_free(&memory, m.weighted);
    sni_free(&memory, m.hosts);
    sni_free(&memory, m.turns);
    sni_free(&memory, m.moves);
    if (result == SN_RESULT_OK)
        *out = range;
    else
        sn_range_destroy(range);
    return result;
}

void sn_range_destroy(snRange* range) {
    if (range == NULL) return;
    snAllocator memory = range->allocator;
    sn_clip_destroy(range->clip);
    sni_free(&memory, range->moves);
    sni_free(&memory, range);
}

uint32_t sn_range_at(const snRange* range, float time) {
    for (uint32_t i = range->move_count; i-- > 0;)
        if (time >= range->moves[i].from && time <= range->moves[i].to) return i;
    return SN_NONE;
}

// Joints that move have keys within a move; those at its ends are of the moves around it too.
bool sn_range_rotates(const snRange* range, uint32_t move, uint32_t joint) {
    if (move >= range->move_count) return false;
    const snRangeMove* m = &range->moves[move];
    for (uint32_t i = 0; i < range->clip->channel_count; i++) {
        const snChannel* channel = &range->clip->channels[i];
        for (uint32_t k = 0; k < channel->key_count && channel->joint == joint; k++)
            if (channel->times[k] > m->from + 0.01f && channel->times[k] < m->to - 0.01f) return true;
    }
    return false;
}

void sn_range_pose(const snRange* range, const snSkeleton* skeleton, uint32_t move, float share,
                   snTrs* out_locals) {
    memcpy(out_locals, skeleton->rest, skeleton->joint_count * sizeof *out_locals);
    if (move >= range->move_count) return;
    const snRangeMove* m = &range->moves[move];
    const float* times = m->both ? both_times : single_times;
    // There by the first stretch of the move; the other way by the last, which comes back from there.
    float far = sn_clampf(share, m->both ? -1.0f : 0.0f, 1.0f);
    float at = far >= 0.0f ? far * times[1] : 1.0f + far * times[1];
    sn_clip_sample(range->clip, m->from + at * (m->to - m->from), SN_WRAP_CLAMP, skeleton->joint_count,
                   out_locals);
}
