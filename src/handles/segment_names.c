// Names for the parts of a body, by where they are: +Y is up, +Z forward, +X the body's own left.
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "handles/segment.h"

typedef enum Kind { TRUNK, HEAD, TAIL, LEG, ARM, EAR, FINGER, TOE, LIMB } Kind;

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
    return b->s->borders[b->s->arcs[arc].first_handle].centre;
}

static bool is_left(const Body* b, uint32_t arc) {
    return (tip_of(b, arc).x - b->s->middle) * b->forward > 0.0f;
}

static bool is_paired(const Body* b, uint32_t arc) {
    return b->s->arcs[arc].twin != SN_NONE && b->s->arcs[arc].twin != arc;
}

static bool is_centred(const Body* b, uint32_t arc) {
    return fabsf(root_of(b, arc).x - b->s->middle) < 0.04f * b->s->size;
}

// --------------------------------------------------------------------------------------------------- kinds

static float slenderness(const sniArc* arc) { return arc->radius > 0.0f ? arc->length / arc->radius : 0.0f; }

// Of what hangs on the trunk in the middle, the thickest; nothing as slender as a tail.
static uint32_t find_head(const Body* b) {
    uint32_t head = SN_NONE;
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        const sniArc* arc = &b->s->arcs[a];
        if (!is_limb(b, a) || arc->parent != b->s->root || is_paired(b, a) || !is_centred(b, a)) continue;
        if (slenderness(arc) > 9.0f) continue;
        if (head == SN_NONE || arc->radius > b->s->arcs[head].radius) head = a;
    }
    return head;
}

// Where no head hangs on the trunk, its outer piece is one if a neck sets it off and no leg hangs on it.
static uint32_t find_head_of_trunk(const Body* b) {
    const sniArc* trunk = &b->s->arcs[b->s->root];
    if (trunk->cut_count == 0 || trunk->evidence[trunk->cut_count - 1] < 0.5f) return SN_NONE;
    uint32_t last = trunk->first_handle + trunk->cut_count;
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        if (!is_limb(b, a) || b->s->draft.handles[b->s->arcs[a].first_handle].parent != last) continue;
        if (b->kinds[a] == LEG) return SN_NONE;
    }
    return last;
}

static void find_kinds(Body* b) {
    const sniSegments* s = b->s;
    float ground = b->bounds.min.y + 0.15f * (b->bounds.max.y - b->bounds.min.y);
    uint32_t head = find_head(b);
    for (uint32_t a = 0; a < s->arc_count; a++) {
        if (!is_limb(b, a)) continue;
        Kind kind = is_paired(b, a) ? ARM : is_centred(b, a) ? TAIL : LIMB;
        if (kind != TAIL && tip_of(b, a).y <= ground) kind = LEG;
        b->kinds[a] = a == head ? HEAD : kind;
    }
    b->head = head != SN_NONE ? s->arcs[head].first_handle + s->arcs[head].cut_count : find_head_of_trunk(b);
    for (uint32_t a = 0; a < s->arc_count; a++) { // what hangs on limbs
        uint32_t parent = s->arcs[a].parent;
        if (!is_limb(b, a) || parent == s->root || parent == head) continue;
        b->kinds[a] = b->kinds[parent] == LEG ? TOE : FINGER;
    }
    b->forward = 1.0f;
    if (b->head == SN_NONE) return;
    for (uint32_t a = 0; a < s->arc_count; a++) {
        if (!is_limb(b, a) || s->draft.handles[s->arcs[a].first_handle].parent != b->head) continue;
        b->kinds[a] = is_paired(b, a) ? EAR : LIMB;
    }
    snVec3 trunk = s->draft.handles[s->arcs[s->root].first_handle].centre;
    if (s->draft.handles[b->head].centre.z - trunk.z < -0.12f * s->size) b->forward = -1.0f;
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
    if (!is_paired(b, arc)) return;
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
    static const char* const words[] = {"body", "head", "tail", "leg", "arm", "ear", "finger", "toe", "limb"};
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

// Two that agree are surer than one.
static void trust_twins(const Body* b) {
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        const sniArc* arc = &b->s->arcs[a];
        uint32_t twin = b->s->arcs[a].twin;
        if (arc->gone || twin == SN_NONE || b->s->arcs[twin].cut_count != arc->cut_count) continue;
        for (uint32_t i = 0; i <= arc->cut_count; i++) {
            float* sureness = &b->s->draft.handles[arc->first_handle + i].sureness;
            *sureness += 0.2f * (1.0f - *sureness);
        }
    }
}

bool sni_segment_name(sniSegments* s) {
    Body b = {.s = s,
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
