// A cast of figures whose weights everybody agrees about: what riggers meet every week, made in code, each in
// several proportions.
//
// A figure is right when hardly any weight lies on a joint that has no business there, and hard pieces move
// as one. `test_bind_figures --table` prints how much of each is misplaced, for `make quality`; `--write
// FOLDER` writes the first build of each as files, for scripts/bind_figures.sh.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure.h"

// How the bodies of one kind differ.
typedef struct Build {
    float head;  // size of heads
    float thick; // of limbs and torso
    float tall;
} Build;

static const Build builds[] = {{1.0f, 1.0f, 1.0f}, {1.6f, 1.2f, 0.8f}, {0.7f, 0.8f, 1.2f}};
#define BUILDS (sizeof builds / sizeof builds[0])

// ------------------------------------------------------------------------------------------------- shapes

// An ellipsoid.
static void add_ball(Figure* f, snVec3 center, snVec3 radii) {
    uint32_t first = f->solid.point_count;
    solid_add_sphere(&f->solid, center, 1.0f, 12);
    place_points(&f->solid, first, center, radii, sn_quat_identity());
}

// A tube with round ends from a to b.
static void add_tube(Figure* f, snVec3 a, snVec3 b, float radius) {
    uint32_t first = f->solid.point_count;
    float length = sn_distance(a, b);
    snVec2 profile[15];
    for (uint32_t i = 0; i < 15; i++) {
        float t = (float)i / 14.0f;
        bool round = i == 0 || i == 14;
        profile[i] = (snVec2){
            round ? 0.0f : radius * sqrtf(1.0f - 0.3f * (2.0f * t - 1.0f) * (2.0f * t - 1.0f)), length * t};
    }
    add_lathe(&f->solid, a, profile, 15);
    place_points(
        &f->solid, first, a, sn_vec3(1.0f, 1.0f, 1.0f),
        sn_quat_between(sn_vec3(0.0f, 1.0f, 0.0f), sn_normalize_or(sn_sub(b, a), sn_vec3(0.0f, 1.0f, 0.0f))));
}

// Part of a hollow ball: from `low` to `high` (cosines from the lower pole, -1 to 1), with walls of a
// thickness or, where it is 0, of none.
static void add_shell(Figure* f, snVec3 center, float radius, float low, float high, float wall) {
    snVec2 profile[40];
    uint32_t count = 0, steps = 12;
    for (uint32_t pass = 0; pass < (wall > 0.0f ? 2u : 1u); pass++) {
        float r = radius - (pass == 0 ? 0.0f : wall);
        for (uint32_t i = 0; i <= steps; i++) {
            float t = (float)(pass == 0 ? i : steps - i) / (float)steps, y = low + (high - low) * t;
            float across = 1.0f - y * y;
            profile[count++] = (snVec2){across > 1e-4f ? r * sqrtf(across) : 0.0f, r * y};
        }
    }
    if (wall > 0.0f && profile[0].x > 0.0f) profile[count++] = profile[0]; // the rim
    add_lathe(&f->solid, center, profile, count);
}

// ------------------------------------------------------------------------------------------------ bodies

typedef struct Person {
    uint32_t hips, spine, chest, neck, head;
    uint32_t shoulder[2], arm[2], forearm[2], thigh[2], shin[2], foot[2];
    float top; // of the neck
} Person;

static uint32_t torso_bits(const Person* p) { return bit(p->hips) | bit(p->spine) | bit(p->chest); }

static const char* const sided[6][2] = {{"shoulder.l", "shoulder.r"}, {"arm.l", "arm.r"},
                                        {"forearm.l", "forearm.r"},   {"thigh.l", "thigh.r"},
                                        {"shin.l", "shin.r"},         {"foot.l", "foot.r"}};

// The skeleton of a person; the head has no tip yet.
static Person add_person(Figure* f, const Build* b) {
    Person p = {0};
    float t = b->tall;
    p.hips = add_joint(f, "hips", 0, sn_vec3(0.0f, 1.0f * t, 0.0f));
    p.spine = add_joint(f, "spine", p.hips, sn_vec3(0.0f, 1.15f * t, 0.0f));
    p.chest = add_joint(f, "chest", p.spine, sn_vec3(0.0f, 1.3f * t, 0.0f));
    p.neck = add_joint(f, "neck", p.chest, sn_vec3(0.0f, 1.5f * t, 0.0f));
    p.top = 1.6f * t;
    p.head = add_joint(f, "head", p.neck, sn_vec3(0.0f, p.top, 0.0f));
    for (uint32_t side = 0; side < 2; side++) {
        float x = side == 0 ? 1.0f : -1.0f;
        p.shoulder[side] = add_joint(f, sided[0][side], p.chest, sn_vec3(0.05f * x, 1.42f * t, 0.0f));
        p.arm[side] = add_joint(f, sided[1][side], p.shoulder[side], sn_vec3(0.2f * x, 1.42f * t, 0.0f));
        p.forearm[side] = add_joint(f, sided[2][side], p.arm[side], sn_vec3(0.48f * x, 1.42f * t, 0.0f));
        add_tip(f, p.forearm[side], sn_vec3(0.75f * x, 1.42f * t, 0.0f));
        p.thigh[side] = add_joint(f, sided[3][side], p.hips, sn_vec3(0.1f * x, 0.92f * t, 0.0f));
        p.shin[side] = add_joint(f, sided[4][side], p.thigh[side], sn_vec3(0.1f * x, 0.5f * t, 0.0f));
        p.foot[side] = add_joint(f, sided[5][side], p.shin[side], sn_vec3(0.1f * x, 0.08f * t, 0.0f));
        add_tip(f, p.foot[side], sn_vec3(0.1f * x, 0.03f * t, 0.15f));
    }
    return p;
}

// Torso, limbs and neck as pieces that reach into each other; everything but the head.
static void add_body(Figure* f, const Person* p, const Build* b) {
    float t = b->tall, w = b->thick;
    uint32_t torso = torso_bits(p) | bit(p->shoulder[0]) | bit(p->shoulder[1]);
    add_tube(f, sn_vec3(0.0f, 0.88f * t, 0.0f), sn_vec3(0.0f, 1.52f * t, 0.0f), 0.16f * w);
    add_answer(f, "torso", SN_NONE,
               torso | bit(p->thigh[0]) | bit(p->thigh[1]) | bit(p->arm[0]) | bit(p->arm[1]) | bit(p->neck),
               false);
    add_tube(f, sn_vec3(0.0f, 1.45f * t, 0.0f), sn_vec3(0.0f, p->top + 0.02f, 0.0f), 0.06f * w);
    add_answer(f, "neck", SN_NONE, bit(p->neck) | bit(p->chest) | bit(p->head), false);
    for (uint32_t side = 0; side < 2; side++) {
        float x = side == 0 ? 1.0f : -1.0f;
        add_tube(f, sn_vec3(0.13f * x, 1.42f * t, 0.0f), sn_vec3(0.8f * x, 1.42f * t, 0.0f), 0.06f * w);
        add_answer(f, "arm", SN_NONE, bit(p->shoulder[side]) | bit(p->arm[side]) | bit(p->forearm[side]),
                   false);
        add_tube(f, sn_vec3(0.1f * x, 0.02f * t, 0.0f), sn_vec3(0.1f * x, 0.98f * t, 0.0f), 0.075f * w);
        add_answer(f, "leg", SN_NONE,
                   bit(p->thigh[side]) | bit(p->shin[side]) | bit(p->foot[side]) | bit(p->hips), false);
    }
}

// ------------------------------------------------------------------------------------------------- heads

static void add_eyes(Figure* f, const Person* p, snVec3 middle, float size) {
    for (int side = -1; side <= 1; side += 2) {
        snVec3 at = sn_add(middle, sn_vec3(0.4f * size * (float)side, 0.1f * size, 0.85f * size));
        add_ball(f, at, sn_vec3(0.15f * size, 0.15f * size, 0.15f * size));
        add_answer(f, "eye", p->head, 0, true);
    }
}

static void make_hair(Figure* f, const Build* b) {
    Person p = add_person(f, b);
    float size = 0.13f * b->head;
    snVec3 middle = sn_vec3(0.0f, p.top + 0.9f * size, 0.0f);
    add_tip(f, p.head, sn_add(middle, sn_vec3(0.0f, 0.9f * size, 0.0f)));
    add_body(f, &p, b);
    add_shell(f, middle, size, -1.0f, 0.5f, 0.0f); // an open skull
    add_answer(f, "skull", p.head, bit(p.neck), false);
    add_shell(f, middle, 1.12f * size, 0.1f, 1.0f, 0.08f * size);
    add_answer(f, "hair", p.head, 0, false);
    add_eyes(f, &p, middle, size);
    for (int side = -1; side <= 1; side += 2) { // glasses, apart from the skin
        snVec3 at = sn_add(middle, sn_vec3(0.4f * size * (float)side, 0.1f * size, 1.15f * size));
        add_ball(f, at, sn_vec3(0.3f * size, 0.25f * size, 0.03f * size));
        add_answer(f, "glass", p.head, 0, true);
    }
}

static void make_helmet(Figure* f, const Build* b) {
    Person p = add_person(f, b);
    float size = 0.13f * b->head;
    snVec3 middle = sn_vec3(0.0f, p.top + 0.9f * size, 0.0f);
    add_tip(f, p.head, sn_add(middle, sn_vec3(0.0f, 0.9f * size, 0.0f)));
    add_body(f, &p, b);
    add_ball(f, middle, sn_vec3(size, size, size));
    add_answer(f, "face", p.head, bit(p.neck), false);
    add_shell(f, middle, 1.25f * size, -0.5f, 1.0f, 0.1f * size);
    add_answer(f, "helmet", p.head, 0, false);
    add_eyes(f, &p, middle, size);
}

static void make_antlers(Figure* f, const Build* b) {
    Person p = add_person(f, b);
    float size = 0.13f * b->head;
    snVec3 middle = sn_vec3(0.0f, p.top + 0.9f * size, 0.0f);
    add_tip(f, p.head, sn_add(middle, sn_vec3(0.0f, 0.5f * size, 0.0f)));
    add_body(f, &p, b);
    add_ball(f, middle, sn_vec3(size, size, size));
    add_answer(f, "face", p.head, bit(p.neck), false);
    for (int side = -1; side <= 1; side += 2) { // back and down, along the neck and over the shoulders
        snVec3 from = sn_add(middle, sn_vec3(0.4f * size * (float)side, 0.8f * size, 0.0f));
        snVec3 to = sn_add(from, sn_vec3(1.8f * size * (float)side, -1.2f * size, -2.2f * size));
        add_tube(f, from, to, 0.12f * size);
        add_answer(f, "antler", p.head, 0, false);
    }
}

static void make_jaw(Figure* f, const Build* b) {
    Person p = add_person(f, b);
    float size = 0.16f * b->head;
    snVec3 middle = sn_vec3(0.0f, p.top + 0.9f * size, 0.0f);
    uint32_t jaw = add_joint(f, "jaw", p.head, sn_add(middle, sn_vec3(0.0f, -0.2f * size, 0.1f * size)));
    add_tip(f, jaw, sn_add(middle, sn_vec3(0.0f, -0.75f * size, 0.75f * size)));
    add_tip(f, p.head, sn_add(middle, sn_vec3(0.0f, 0.9f * size, 0.0f)));
    add_body(f, &p, b);
    add_ball(f, middle, sn_vec3(size, size, size));
    add_answer(f, "face", p.head, bit(p.neck) | bit(jaw), false);
    add_ball(f, sn_add(middle, sn_vec3(0.0f, -0.55f * size, 0.55f * size)),
             sn_vec3(0.3f * size, 0.05f * size, 0.3f * size));
    add_answer(f, "lower teeth", jaw, 0, true);
    add_ball(f, sn_add(middle, sn_vec3(0.0f, -0.42f * size, 0.4f * size)),
             sn_vec3(0.2f * size, 0.06f * size, 0.4f * size));
    add_answer(f, "tongue", jaw, bit(p.head), false);
    add_eyes(f, &p, middle, size);
}

static void make_short_last_bone(Figure* f, const Build* b) {
    Person p = add_person(f, b);
    float size = 0.3f * b->head; // an elf's
    snVec3 middle = sn_vec3(0.0f, p.top + 0.9f * size, 0.0f);
    add_tip(f, p.head, sn_vec3(0.0f, p.top + 0.06f * size, 0.0f));
    add_body(f, &p, b);
    add_ball(f, middle, sn_vec3(1.2f * size, size, size));
    add_answer(f, "head", p.head, bit(p.neck), false);
    for (int side = -1; side <= 1; side += 2) { // ears that hang over the shoulders
        snVec3 from = sn_add(middle, sn_vec3(1.1f * size * (float)side, 0.0f, 0.0f));
        add_tube(f, from, sn_add(from, sn_vec3(0.7f * size * (float)side, -0.5f * size, 0.0f)), 0.1f * size);
        add_answer(f, "ear", p.head, 0, false);
    }
}

static void make_wrong_way(Figure* f, const Build* b) {
    Person p = add_person(f, b);
    float size = 0.15f * b->head;
    snVec3 middle = sn_vec3(0.0f, p.top + 0.9f * size, 0.0f);
    add_tip(f, p.head, sn_vec3(0.0f, p.top - 0.4f * size, 0.4f * size)); // forward and down
    add_body(f, &p, b);
    add_ball(f, middle, sn_vec3(size, size, size));
    add_answer(f, "head", p.head, bit(p.neck), false);
}

// -------------------------------------------------------------------------------------------- machines

// Two rods and the ball between them; riggers give it to either.
static void make_joint_ball(Figure* f, const Build* b) {
    float r = 0.08f * b->thick, t = b->tall;
    uint32_t upper = add_joint(f, "upper", 0, sn_vec3(0.0f, 1.9f * t, 0.0f));
    uint32_t lower = add_joint(f, "lower", upper, sn_vec3(0.0f, 1.0f * t, 0.0f));
    add_tip(f, lower, sn_vec3(0.0f, 0.1f * t, 0.0f));
    add_tube(f, sn_vec3(0.0f, 1.06f * t, 0.0f), sn_vec3(0.0f, 2.0f * t, 0.0f), r);
    add_answer(f, "upper rod", upper, 0, true);
    add_tube(f, sn_vec3(0.0f, 0.0f, 0.0f), sn_vec3(0.0f, 0.94f * t, 0.0f), r);
    add_answer(f, "lower rod", lower, 0, true);
    add_ball(f, sn_vec3(0.0f, t, 0.0f), sn_vec3(1.1f * r, 1.1f * r, 1.1f * r));
    add_answer(f, "ball", SN_NONE, bit(upper) | bit(lower), true);
}

// A toy: every part hangs on a root that moves nothing, and its bones point anywhere but into their parts.
static void make_toy(Figure* f, const Build* b) {
    float t = b->tall, w = b->thick, size = 0.3f * b->head;
    uint32_t root = add_joint(f, "root", 0, sn_vec3(0.0f, 0.0f, 0.0f));
    f->deforming[root] = 0;
    uint32_t torso = add_joint(f, "torso", root, sn_vec3(0.0f, 0.4f * t, 0.0f));
    add_tip(f, torso, sn_vec3(0.0f, 0.8f * t, 0.0f));
    uint32_t head = add_joint(f, "head", root, sn_vec3(0.0f, 1.05f * t, 0.0f));
    add_tip(f, head, sn_vec3(0.0f, 0.7f * t, 0.0f));
    add_tube(f, sn_vec3(0.0f, 0.3f * t, 0.0f), sn_vec3(0.0f, t, 0.0f), 0.18f * w);
    add_answer(f, "torso", torso, 0, false);
    add_ball(f, sn_vec3(0.0f, 0.98f * t + size, 0.0f), sn_vec3(size, size, size));
    add_answer(f, "head", head, 0, false);
    for (uint32_t side = 0; side < 2; side++) {
        float x = side == 0 ? 1.0f : -1.0f;
        uint32_t arm = add_joint(f, sided[1][side], root, sn_vec3(0.24f * w * x, 0.85f * t, 0.0f));
        add_tip(f, arm, sn_vec3(0.05f * w * x, 0.85f * t, 0.0f));
        add_tube(f, sn_vec3(0.2f * w * x, 0.85f * t, 0.0f), sn_vec3((0.2f * w + 0.4f) * x, 0.85f * t, 0.0f),
                 0.06f * w);
        add_answer(f, "arm", arm, 0, false);
    }
}

// An arm of three shells, each on one joint, with gaps between them.
static void make_shells(Figure* f, const Build* b) {
    float r = 0.1f * b->thick, t = b->tall;
    uint32_t above = 0, joints[3];
    static const char* const names[3] = {"base", "middle", "end"};
    for (uint32_t i = 0; i < 3; i++) {
        above = joints[i] = add_joint(f, names[i], above, sn_vec3(0.6f * t * (float)i, 1.0f, 0.0f));
    }
    add_tip(f, above, sn_vec3(1.75f * t, 1.0f, 0.0f));
    for (uint32_t i = 0; i < 3; i++) {
        float x = 0.6f * t * (float)i;
        add_tube(f, sn_vec3(x + 0.03f * t, 1.0f, 0.0f), sn_vec3(x + 0.57f * t, 1.0f, 0.0f), r);
        add_answer(f, "shell", joints[i], 0, true);
    }
}

// A mannequin in many soft pieces: a limb in four rings that overlap.
static void make_mannequin(Figure* f, const Build* b) {
    float r = 0.1f * b->thick, t = b->tall;
    uint32_t upper = add_joint(f, "upper", 0, sn_vec3(0.0f, 1.6f * t, 0.0f));
    uint32_t lower = add_joint(f, "lower", upper, sn_vec3(0.0f, 0.8f * t, 0.0f));
    add_tip(f, lower, sn_vec3(0.0f, 0.05f * t, 0.0f));
    static const float ends[4][2] = {{1.15f, 1.65f}, {0.5f, 1.2f}, {0.3f, 0.55f}, {0.0f, 0.35f}};
    for (uint32_t i = 0; i < 4; i++) {
        add_tube(f, sn_vec3(0.0f, ends[i][0] * t, 0.0f), sn_vec3(0.0f, ends[i][1] * t, 0.0f), r);
        add_answer(f, "sleeve", SN_NONE, (i < 2 ? bit(upper) : 0) | (i > 0 ? bit(lower) : 0), false);
    }
}

// ------------------------------------------------------------------------------------------------ clothes

static Person add_whole_person(Figure* f, const Build* b) {
    Person p = add_person(f, b);
    float size = 0.13f * b->head;
    snVec3 middle = sn_vec3(0.0f, p.top + 0.9f * size, 0.0f);
    add_tip(f, p.head, sn_add(middle, sn_vec3(0.0f, 0.9f * size, 0.0f)));
    add_body(f, &p, b);
    add_ball(f, middle, sn_vec3(size, size, size));
    add_answer(f, "head", p.head, bit(p.neck), false);
    return p;
}

// An open sheet hanging from the waist, in front of both legs.
static void make_loincloth(Figure* f, const Build* b) {
    Person p = add_whole_person(f, b);
    float t = b->tall;
    uint32_t first = f->solid.point_count;
    for (uint32_t y = 0; y <= 12; y++) {
        for (uint32_t x = 0; x <= 8; x++) {
            solid_add_point(&f->solid, sn_vec3(0.02f * ((float)x - 4.0f), (1.0f - 0.03f * (float)y) * t,
                                               0.17f * b->thick + 0.002f * (float)y));
        }
    }
    for (uint32_t i = 0; i < 12 * 9; i++) {
        if (i % 9 == 8) continue;
        solid_add_triangle(&f->solid, first + i, first + i + 9, first + i + 1);
        solid_add_triangle(&f->solid, first + i + 1, first + i + 9, first + i + 10);
    }
    add_answer(f, "cloth", SN_NONE, torso_bits(&p) | bit(p.thigh[0]) | bit(p.thigh[1]), false);
    snVec2 skirt[8];
    for (uint32_t i = 0; i < 8; i++) {
        skirt[i] = (snVec2){(0.17f + 0.012f * (float)i) * b->thick, -0.035f * t * (float)i};
    }
    add_lathe(&f->solid, sn_vec3(0.0f, 1.02f * t, 0.0f), skirt, 8);
    add_answer(f, "skirt", SN_NONE, torso_bits(&p) | bit(p.thigh[0]) | bit(p.thigh[1]), false);
}

// A shoe around the foot with a sole in two pieces.
static void make_shoe(Figure* f, const Build* b) {
    Person p = add_whole_person(f, b);
    float t = b->tall;
    for (uint32_t side = 0; side < 2; side++) {
        float x = side == 0 ? 0.1f : -0.1f;
        add_ball(f, sn_vec3(x, 0.05f * t, 0.06f), sn_vec3(0.06f * b->thick, 0.06f * t, 0.14f));
        add_answer(f, "shoe", p.foot[side], bit(p.shin[side]), false);
        for (uint32_t half = 0; half < 2; half++) {
            float z = half == 0 ? -0.02f : 0.13f;
            add_ball(f, sn_vec3(x, -0.02f * t, z), sn_vec3(0.055f * b->thick, 0.015f, 0.07f));
            add_answer(f, "sole", p.foot[side], 0, true);
        }
    }
}

// A chest in one block with three bones of the spine in it, which share it.
static void make_torso_block(Figure* f, const Build* b) {
    float t = b->tall;
    uint32_t low = add_joint(f, "spine1", 0, sn_vec3(0.0f, 0.2f * t, 0.0f));
    uint32_t mid = add_joint(f, "spine2", low, sn_vec3(0.0f, 0.5f * t, 0.0f));
    uint32_t high = add_joint(f, "spine3", mid, sn_vec3(0.0f, 0.8f * t, 0.0f));
    add_tip(f, high, sn_vec3(0.0f, 1.1f * t, 0.0f));
    add_tube(f, sn_vec3(0.0f, 0.0f, 0.0f), sn_vec3(0.0f, 1.2f * t, 0.0f), 0.3f * b->thick);
    add_answer(f, "block", SN_NONE, bit(low) | bit(mid) | bit(high), false);
}

// A foot planted by a joint on the root.
static void make_ik_foot(Figure* f, const Build* b) {
    float r = 0.12f * b->thick, t = b->tall;
    uint32_t root = add_joint(f, "root", 0, sn_vec3(0.0f, 0.0f, -1.0f));
    uint32_t foot = add_joint(f, "foot", root, sn_vec3(0.0f, 0.12f * t, 0.0f));
    add_tip(f, foot, sn_vec3(0.0f, 0.05f * t, 0.3f));
    uint32_t hip = add_joint(f, "hip", root, sn_vec3(0.0f, 1.9f * t, 0.0f));
    uint32_t shin = add_joint(f, "shin", hip, sn_vec3(0.0f, 1.0f * t, 0.0f));
    add_tip(f, shin, sn_vec3(0.0f, 0.6f * t, 0.0f));
    add_tube(f, sn_vec3(0.0f, 0.06f * t, 0.0f), sn_vec3(0.0f, 2.0f * t, 0.0f), r);
    add_answer(f, "leg", SN_NONE, bit(hip) | bit(shin) | bit(foot), false);
    add_ball(f, sn_vec3(0.0f, 0.06f * t, 0.12f), sn_vec3(0.9f * r, 0.08f * t, 0.28f));
    add_answer(f, "foot", foot, bit(shin), false);
}

static void make_backpack(Figure* f, const Build* b) {
    Person p = add_whole_person(f, b);
    float t = b->tall, w = b->thick;
    uint32_t torso = torso_bits(&p) | bit(p.shoulder[0]) | bit(p.shoulder[1]);
    add_ball(f, sn_vec3(0.0f, 1.25f * t, -0.26f * w), sn_vec3(0.14f * w, 0.2f * t, 0.12f * w));
    add_answer(f, "pack", SN_NONE, torso, false);
    for (int side = -1; side <= 1; side += 2) {
        float x = 0.09f * w * (float)side;
        add_tube(f, sn_vec3(x, 1.4f * t, -0.17f * w), sn_vec3(x, 1.4f * t, 0.17f * w), 0.015f * w);
        add_answer(f, "strap", SN_NONE, torso | bit(p.arm[side < 0]) | bit(p.neck), false);
    }
}

// A coat around a torso, whose collar reaches into the head. It goes with what wears it.
static void make_coat(Figure* f, const Build* b) {
    float t = b->tall, w = b->thick, size = 0.35f * b->head;
    uint32_t low = add_joint(f, "spine1", 0, sn_vec3(0.0f, 0.2f * t, 0.0f));
    uint32_t mid = add_joint(f, "spine2", low, sn_vec3(0.0f, 0.5f * t, 0.0f));
    uint32_t high = add_joint(f, "spine3", mid, sn_vec3(0.0f, 0.8f * t, 0.0f));
    uint32_t head = add_joint(f, "head", high, sn_vec3(0.0f, 1.2f * t, 0.0f));
    add_tip(f, head, sn_vec3(0.0f, 1.2f * t + 1.5f * size, 0.0f));
    add_tube(f, sn_vec3(0.0f, 0.0f, 0.0f), sn_vec3(0.0f, 1.25f * t, 0.0f), 0.3f * w);
    add_answer(f, "torso", SN_NONE, bit(low) | bit(mid) | bit(high) | bit(head), false);
    add_ball(f, sn_vec3(0.0f, 1.15f * t + size, 0.0f), sn_vec3(size, size, size));
    add_answer(f, "head", head, bit(high), false);
    snVec2 coat[15];
    for (uint32_t i = 0; i < 15; i++) {
        float s = (float)i / 14.0f, narrow = s > 0.7f ? 4.0f * (s - 0.7f) * (s - 0.7f) : 0.0f;
        coat[i] = (snVec2){0.33f * w * (1.0f - 2.0f * narrow), (0.1f + 1.1f * s) * t + 0.3f * size * s};
    }
    uint32_t first = add_lathe(&f->solid, sn_vec3(0.0f, 0.0f, 0.0f), coat, 15);
    add_answer(f, "coat", SN_NONE, bit(low) | bit(mid) | bit(high), false);
    f->pieces[f->piece_count - 1].end = first + 11 * 2 * SIDES;
    add_answer(f, "collar", SN_NONE, bit(mid) | bit(high) | bit(head), false);
}

// A sword in one hand: it goes with the hand, whatever it passes.
static void make_sword(Figure* f, const Build* b) {
    Person p = add_whole_person(f, b);
    snVec3 hand = sn_vec3(-0.76f, 1.42f * b->tall, 0.0f);
    add_tube(f, sn_add(hand, sn_vec3(0.0f, -0.1f, 0.0f)), sn_add(hand, sn_vec3(0.6f, 0.35f, 0.1f)), 0.02f);
    add_answer(f, "sword", p.forearm[1], 0, false);
}

// A beetle: jaws are rooted in the head and lie along the front legs, which are nearer than the head's skin.
static void make_jaws(Figure* f, const Build* b) {
    float size = 0.5f * b->head, thick = 0.07f * b->thick;
    uint32_t rump = add_joint(f, "rump", 0, sn_vec3(0.0f, 0.5f, -1.6f * size));
    uint32_t head = add_joint(f, "head", rump, sn_vec3(0.0f, 0.5f, -0.6f * size));
    add_tip(f, head, sn_vec3(0.0f, 0.5f, 0.9f * size));
    uint32_t legs[2];
    for (uint32_t side = 0; side < 2; side++) {
        float x = side == 0 ? 1.0f : -1.0f;
        legs[side] =
            add_joint(f, side == 0 ? "leg.l" : "leg.r", head, sn_vec3(0.5f * size * x, 0.5f, 0.5f * size));
        add_tip(f, legs[side], sn_vec3((0.5f * size + 0.9f) * x, 0.5f, 0.5f * size + 0.9f * b->tall));
    }
    add_ball(f, sn_vec3(0.0f, 0.5f, 0.0f), sn_vec3(0.8f * size, 0.8f * size, size));
    add_answer(f, "head", head, bit(rump) | bit(legs[0]) | bit(legs[1]), false);
    add_ball(f, sn_vec3(0.0f, 0.5f, -1.6f * size), sn_vec3(size, size, size));
    add_answer(f, "rump", rump, bit(head), false);
    for (uint32_t side = 0; side < 2; side++) {
        float x = side == 0 ? 1.0f : -1.0f;
        snVec3 from = sn_vec3(0.4f * size * x, 0.5f, 0.4f * size);
        add_tube(f, from, sn_vec3((0.5f * size + 0.95f) * x, 0.5f, 0.5f * size + 0.95f * b->tall), thick);
        add_answer(f, "leg", SN_NONE, bit(legs[side]) | bit(head), false);
        snVec3 root = sn_vec3(0.4f * size * x, 0.5f - 1.95f * thick, 0.5f * size);
        add_tube(f, root, sn_add(root, sn_vec3(0.5f * x, 0.0f, 0.5f * b->tall)), thick);
        add_answer(f, "jaw", head, bit(legs[side]), false);
    }
}

// -------------------------------------------------------------------------------------------------- cast

typedef struct Role {
    const char* name;
    void (*make)(Figure* figure, const Build* build);
} Role;

static const Role cast[] = {{"hair, skull, eyes, glasses", make_hair},
                            {"helmet", make_helmet},
                            {"antlers", make_antlers},
                            {"jaw, teeth, tongue", make_jaw},
                            {"short last bone", make_short_last_bone},
                            {"last bone the wrong way", make_wrong_way},
                            {"joint ball", make_joint_ball},
                            {"toy", make_toy},
                            {"shells", make_shells},
                            {"mannequin", make_mannequin},
                            {"loincloth, skirt", make_loincloth},
                            {"shoe, sole", make_shoe},
                            {"torso block", make_torso_block},
                            {"IK foot", make_ik_foot},
                            {"backpack, straps", make_backpack},
                            {"coat", make_coat},
                            {"jaws beside legs", make_jaws},
                            {"sword", make_sword}};
#define CAST (sizeof cast / sizeof cast[0])

// Share of a piece that its main joint must have.
#define MAIN 0.6f

typedef struct Verdict {
    float misplaced; // of all pieces together: weight on joints that have no business there, 0 to 1
    float worst;     // of one piece
    const char* worst_piece;
    float bent; // largest difference of a weight within a hard piece
} Verdict;

static float misplaced_at(const snModel* model, const FigurePiece* piece, uint32_t v) {
    float wrong = 1.0f;
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        if (piece->joints & bit(j)) wrong -= joint_weight(model, v, j);
    }
    return sn_maxf(wrong, 0.0f);
}

static Verdict judge(const Figure* figure, const snModel* model) {
    Verdict verdict = {.worst_piece = "-"};
    float sum = 0.0f;
    for (uint32_t p = 0; p < figure->piece_count; p++) {
        const FigurePiece* piece = &figure->pieces[p];
        float wrong = 0.0f, main = 0.0f;
        for (uint32_t v = piece->first; v < piece->end; v++) {
            wrong += misplaced_at(model, piece, v);
            if (piece->main != SN_NONE) main += joint_weight(model, v, piece->main);
            for (uint32_t j = 0; piece->hard && j < model->skeleton->joint_count; j++) {
                float apart = fabsf(joint_weight(model, v, j) - joint_weight(model, piece->first, j));
                verdict.bent = sn_maxf(verdict.bent, apart);
            }
        }
        float points = (float)(piece->end - piece->first);
        if (piece->main != SN_NONE) wrong = sn_maxf(wrong, MAIN * points - main);
        sum += wrong;
        wrong /= points;
        if (wrong > verdict.worst) {
            verdict.worst = wrong;
            verdict.worst_piece = piece->name;
        }
    }
    verdict.misplaced = sum / (float)figure->solid.point_count;
    return verdict;
}

static Verdict play(const Role* role, const Build* build) {
    static Figure figure;
    figure_begin(&figure);
    role->make(&figure, build);
    snModel* model = bind_figure(&figure);
    Verdict verdict = judge(&figure, model);
    sn_model_destroy(model);
    solid_free(&figure.solid);
    return verdict;
}

#define MOST_MISPLACED 0.03f
#define MOST_OF_A_PIECE 0.25f
#define MOST_BENT 0.02f

static bool is_right(const Verdict* v) {
    return v->misplaced <= MOST_MISPLACED && v->worst <= MOST_OF_A_PIECE && v->bent <= MOST_BENT;
}

static void test_cast(void** state) {
    (void)state;
    bool all = true;
    for (size_t r = 0; r < CAST; r++) {
        for (size_t b = 0; b < BUILDS; b++) {
            Verdict v = play(&cast[r], &builds[b]);
            if (is_right(&v)) continue;
            print_error("%s, build %zu: %.3f misplaced, %.3f of %s, bent by %.3f\n", cast[r].name, b,
                        (double)v.misplaced, (double)v.worst, v.worst_piece, (double)v.bent);
            all = false;
        }
    }
    assert_true(all);
}

// How many lines of a file begin with a word.
static uint32_t count_lines(const char* path, const char* ending, const char* word) {
    char name[1024], line[4096];
    uint32_t count = 0;
    snprintf(name, sizeof name, "%s.%s", path, ending);
    FILE* file = fopen(name, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) count += strncmp(line, word, strlen(word)) == 0;
    fclose(file);
    return count;
}

static void test_files(void** state) {
    (void)state;
    static Figure figure;
    figure_begin(&figure);
    make_jaw(&figure, &builds[0]);
    const char* path = test_out_path("figure");
    uint32_t tips = 0, deforming = 0;
    for (uint32_t j = 0; j < figure.joint_count; j++) {
        deforming += figure.deforming[j];
        tips += strcmp(figure.names[j], "tip_end") == 0;
    }
    assert_true(figure_write(&figure, path));
    assert_int_equal(count_lines(path, "obj", "v "), figure.solid.point_count);
    assert_int_equal(count_lines(path, "obj", "f "), figure.solid.triangle_count);
    assert_int_equal(count_lines(path, "bvh", "End Site"), tips);
    assert_int_equal(count_lines(path, "bvh", "ROOT scene") + count_lines(path, "bvh", "JOINT "),
                     figure.joint_count - tips);
    assert_int_equal(count_lines(path, "txt", ""), deforming);
    assert_false(figure_write(&figure, "/no/such/folder/figure"));
    solid_free(&figure.solid);
}

static int print_table(void) {
    printf(
        "| figure | misplaced weight | worst piece | hard pieces bent by | right |\n|---|---|---|---|---|\n");
    for (size_t r = 0; r < CAST; r++) {
        for (size_t b = 0; b < BUILDS; b++) {
            Verdict v = play(&cast[r], &builds[b]);
            printf("| %s, build %zu | %.1f %% | %s %.1f %% | %.3f | %s |\n", cast[r].name, b + 1,
                   (double)v.misplaced * 100.0, v.worst_piece, (double)v.worst * 100.0, (double)v.bent,
                   is_right(&v) ? "yes" : "no");
        }
    }
    return 0;
}

// 01.obj, 01.bvh and 01.txt and so on, and names.txt with a line for each.
static int write_cast(const char* folder) {
    static Figure figure;
    char path[1024];
    snprintf(path, sizeof path, "%s/names.txt", folder);
    FILE* names = fopen(path, "w");
    bool written = names != NULL;
    for (size_t r = 0; r < CAST && written; r++) {
        figure_begin(&figure);
        cast[r].make(&figure, &builds[0]);
        snprintf(path, sizeof path, "%s/%02zu", folder, r + 1);
        written = figure_write(&figure, path) && fprintf(names, "%s\n", cast[r].name) > 0;
        solid_free(&figure.solid);
    }
    if (names != NULL && fclose(names) != 0) written = false;
    if (!written) fprintf(stderr, "%s cannot be written\n", path);
    return written ? 0 : 1;
}

int main(int count, char** arguments) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cast), cmocka_unit_test(test_files)};
    if (count > 2 && strcmp(arguments[1], "--write") == 0) return write_cast(arguments[2]);
    if (count > 1 && strcmp(arguments[1], "--table") == 0) return print_table();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
