// Names for the parts of a body, by where they are: +Y is up, +Z forward, +X the body's own left.
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "segment/segment.h"
#include "segment/spread.h"

typedef enum Kind { TRUNK, HEAD, TAIL, LEG, ARM, CLAW, EAR, HORN, FINGER, TOE, PART } Kind;

// All chosen on the models of docs/handles.md and the scorpion of the tests.

// What stands on the ground, as a share of the height.
#define GROUND 0.06f
// A tail is at least this many radii long, or points backwards.
#define SLENDER 9.0f
// Ears are flat: their thickness against their width.
#define THICK 0.45f
// With so many legs on a side, arms are claws.
#define MANY_LEGS 3u

typedef struct Body {
    sniSegments* s;
    snBounds bounds;
    float forward; // 1: it looks along +Z; -1: along -Z, by where its head is
    uint32_t head; // handle; SN_NONE: none
    Kind* kinds;   // arc_count
} Body;

static snVec3 tip_of(const Body* b, uint32_t arc) { return sni_segment_place(b->s, b->s->arcs[arc].tip); }

// Anything but the trunk: with children it is a head with ears, a claw with fingers.
static bool is_limb(const Body* b, uint32_t arc) { return !b->s->arcs[arc].gone && arc != b->s->root; }

static snVec3 root_of(const Body* b, uint32_t arc) {
    return b->s->borders[b->s->arcs[arc].first_handle].center;
}

static bool is_left(const Body* b, uint32_t arc) {
    return (tip_of(b, arc).x - b->s->middle) * b->forward > 0.0f;
}

static bool is_paired(const Body* b, uint32_t arc) {
    return b->s->arcs[arc].twin != SN_NONE && b->s->arcs[arc].twin != arc;
}

static bool is_centered(const Body* b, uint32_t arc) {
    return fabsf(root_of(b, arc).x - b->s->middle) < 0.04f * b->s->size;
}

// --------------------------------------------------------------------------------------------------- kinds

static float slenderness(const sniArc* arc) { return arc->radius > 0.0f ? arc->length / arc->radius : 0.0f; }

// Of what hangs on the trunk in the middle, the thickest; nothing as slender as a tail.
static uint32_t find_head(const Body* b) {
    uint32_t head = SN_NONE;
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        const sniArc* arc = &b->s->arcs[a];
        if (!is_limb(b, a) || arc->parent != b->s->root || is_paired(b, a) || !is_centered(b, a)) continue;
        if (slenderness(arc) > SLENDER) continue;
        if (head == SN_NONE || arc->radius > b->s->arcs[head].radius) head = a;
    }
    return head;
}

// Whether a pair of this kind hangs on a piece of the trunk.
static bool carries(const Body* b, uint32_t piece, Kind kind) {
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        if (!is_limb(b, a) || b->kinds[a] != kind || !is_paired(b, a)) continue;
        if (b->s->draft.handles[b->s->arcs[a].first_handle].parent == piece) return true;
    }
    return false;
}

// The outer piece of the trunk is a head where arms hang on the one before it (what stands on it is a hat);
// or, with no head on the trunk, where a thin place sets it off and no leg hangs on it.
static uint32_t find_head_of_trunk(const Body* b, bool other) {
    const sniArc* trunk = &b->s->arcs[b->s->root];
    uint32_t last = trunk->first_handle + trunk->cut_count;
    if (trunk->cut_count == 0 || carries(b, last, LEG)) return SN_NONE;
    if (!carries(b, last, ARM) && carries(b, last - 1, ARM)) return last;
    return !other && trunk->evidence[trunk->cut_count - 1] >= 0.5f ? last : SN_NONE;
}

// Ears and horns: both come in pairs, from the head.
static Kind kind_on_head(const Body* b, uint32_t arc) {
    if (!is_paired(b, arc)) return PART;
    sniSpread spread = {.origin = tip_of(b, arc)};
    for (uint32_t p = 0; p < b->s->points.point_count; p++) {
        if (b->s->arc_of[p] == arc) sni_spread_add(&spread, sni_segment_place(b->s, p), b->s->areas[p]);
    }
    snVec3 axes[3];
    float variances[3];
    sni_spread_axes(&spread, axes, variances);
    return variances[2] < THICK * THICK * variances[1] ? EAR : HORN;
}

static Kind kind_on_trunk(const Body* b, uint32_t arc) {
    snVec3 tip = tip_of(b, arc);
    if (!is_paired(b, arc) && is_centered(b, arc)) {
        bool backwards = (tip.z - root_of(b, arc).z) * b->forward < 0.0f;
        return backwards || slenderness(&b->s->arcs[arc]) >= SLENDER ? TAIL : PART;
    }
    if (tip.y <= b->bounds.min.y + GROUND * (b->bounds.max.y - b->bounds.min.y)) return LEG;
    return is_paired(b, arc) ? ARM : PART;
}

// Arms of what has many legs, and what hangs on limbs.
static void find_outer_kinds(Body* b, uint32_t head) {
    const sniSegments* s = b->s;
    uint32_t legs = 0;
    for (uint32_t a = 0; a < s->arc_count; a++) legs += is_limb(b, a) && b->kinds[a] == LEG && is_left(b, a);
    for (uint32_t a = 0; a < s->arc_count; a++) {
        uint32_t parent = s->arcs[a].parent;
        if (!is_limb(b, a)) continue;
        if (b->kinds[a] == ARM && legs >= MANY_LEGS) b->kinds[a] = CLAW;
        if (parent != s->root && parent != head) b->kinds[a] = b->kinds[parent] == LEG ? TOE : FINGER;
        // What has joints is neither.
        bool jointed = s->arcs[a].cut_count > 1;
        if (b->head != SN_NONE && !jointed && s->draft.handles[s->arcs[a].first_handle].parent == b->head)
            b->kinds[a] = kind_on_head(b, a);
    }
}

static void find_kinds(Body* b) {
    const sniSegments* s = b->s;
    uint32_t head = find_head(b);
    for (int look = 0; look < 2; look++) { // which way it looks decides what is a tail
        for (uint32_t a = 0; a < s->arc_count; a++) {
            if (is_limb(b, a)) b->kinds[a] = a == head ? HEAD : kind_on_trunk(b, a);
        }
        b->head = find_head_of_trunk(b, head != SN_NONE);
        if (b->head != SN_NONE)
            head = SN_NONE;
        else if (head != SN_NONE)
            b->head = s->arcs[head].first_handle + s->arcs[head].cut_count;
        else
            break;
        snVec3 trunk = s->draft.handles[s->arcs[s->root].first_handle].center;
        b->forward = s->draft.handles[b->head].center.z - trunk.z < -0.12f * s->size ? -1.0f : 1.0f;
    }
    find_outer_kinds(b, head);
}

// --------------------------------------------------------------------------------------------------- names

// Among the pairs of one kind on one side, how many there are and which one this is, front to back.
static uint32_t rank_of(const Body* b, uint32_t arc, uint32_t* out_count) {
    uint32_t rank = 0;
    *out_count = 0;
    float own = tip_of(b, arc).z * b->forward;
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        if (!is_limb(b, a) || b->kinds[a] != b->kinds[arc]) continue;
        if (!is_paired(b, a) || is_left(b, a) != is_left(b, arc)) continue;
        float z = tip_of(b, a).z * b->forward;
        *out_count += 1;
        rank += z > own || (z == own && a < arc);
    }
    return rank;
}

// "left_front_leg" without its piece.
static void side_text(const Body* b, uint32_t arc, char out[32]) {
    out[0] = '\0';
    bool stands_beside = b->kinds[arc] == LEG && !is_centered(b, arc); // a leg needs no twin to have a side
    if (!is_paired(b, arc) && !stands_beside) return;
    const char* side = is_left(b, arc) ? "left" : "right";
    uint32_t count = 0, rank = rank_of(b, arc, &count);
    if (count == 2)
        snprintf(out, 32, "%s_%s_", side, rank == 0 ? "front" : "back");
    else if (count > 2)
        snprintf(out, 32, "%s_%u_", side, rank + 1);
    else
        snprintf(out, 32, "%s_", side);
}

// The piece `i` of `count`, from the inside outwards.
static void piece_text(Kind kind, uint32_t i, uint32_t count, char out[32]) {
    static const char* const arms[] = {"upper_arm", "lower_arm", "hand"};
    static const char* const legs[] = {"upper_leg", "lower_leg", "foot"};
    static const char* const words[] = {"body", "head", "tail",   "leg", "arm", "claw",
                                        "ear",  "horn", "finger", "toe", "part"};
    bool named = (kind == ARM || kind == LEG) && (count == 2 || count == 3);
    if (named)
        snprintf(out, 32, "%s", kind == ARM ? arms[i] : legs[i]);
    else if (kind == HEAD && count > 1 && i + 1 < count)
        snprintf(out, 32, i == 0 ? "neck" : "neck_%u", i + 1);
    else if (count > 1 && kind != HEAD)
        snprintf(out, 32, "%s_%u", words[kind], i + 1);
    else
        snprintf(out, 32, "%s", words[kind]);
}

static void name_limbs(const Body* b) {
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        const sniArc* arc = &b->s->arcs[a];
        if (!is_limb(b, a)) continue;
        char side[32], piece[32];
        side_text(b, a, side);
        for (uint32_t i = 0; i <= arc->cut_count; i++) {
            sniDraftHandle* handle = &b->s->draft.handles[arc->first_handle + i];
            piece_text(b->kinds[a], i, arc->cut_count + 1, piece);
            snprintf(handle->name, sizeof handle->name, "%s%s", side, piece);
        }
    }
}

// The piece of trunk that the head hangs on is the chest; the root is the hips where there is a chest beside.
static void name_trunk(const Body* b) {
    const sniArc* trunk = &b->s->arcs[b->s->root];
    uint32_t root = trunk->first_handle, last = root + trunk->cut_count;
    uint32_t chest = b->head != SN_NONE ? b->s->draft.handles[b->head].parent : SN_NONE;
    for (uint32_t h = root; h <= last; h++) {
        const char* name = "body";
        if (h == b->head) {
            name = "head";
        } else if (chest != SN_NONE && chest > root && chest <= last) {
            name = h == chest ? "chest" : h == root ? "hips" : "waist";
        }
        snprintf(b->s->draft.handles[h].name, SNI_DRAFT_NAME, "%s", name);
    }
}

// Two that agree are surer than one, on a body that is its own mirror image.
static void trust_twins(const Body* b) {
    for (uint32_t a = 0; a < b->s->arc_count && b->s->symmetric; a++) {
        const sniArc* arc = &b->s->arcs[a];
        uint32_t twin = b->s->arcs[a].twin;
        if (arc->gone || twin == SN_NONE || b->s->arcs[twin].cut_count != arc->cut_count) continue;
        for (uint32_t i = 0; i <= arc->cut_count; i++) {
            float* confidence = &b->s->draft.handles[arc->first_handle + i].confidence;
            *confidence += 0.2f * (1.0f - *confidence);
        }
    }
}

bool sni_segment_name(sniSegments* s) {
    Body b = {.s = s,
              .forward = 1.0f,
              .bounds = sn_bounds_of(s->mesh->positions, s->mesh->vertex_count),
              .kinds = SNI_NEW_ARRAY(s->memory, Kind, s->arc_count)};
    if (b.kinds == NULL) return false;
    find_kinds(&b);
    name_limbs(&b);
    name_trunk(&b);
    trust_twins(&b);
    sni_free(s->memory, b.kinds);
    return true;
}
