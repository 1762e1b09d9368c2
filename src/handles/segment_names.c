// Names for the parts of a body, by where they are: +Y is up, +Z forward, +X the body's own left.
#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "handles/segment.h"

typedef enum Kind { TRUNK, HEAD, TAIL, LEG, ARM, EAR, LIMB } Kind;

typedef struct Limb {
    Kind kind;
    uint32_t twin; // the arc on the other side; itself: in the middle; SN_NONE: neither
} Limb;

typedef struct Body {
    sniSegments* s;
    snBounds bounds;
    float middle; // x of the plane of symmetry
    Limb* limbs;  // arc_count
} Body;

static snVec3 tip_of(const Body* b, uint32_t arc) { return sni_segment_place(b->s, b->s->arcs[arc].tip); }

static bool is_limb(const Body* b, uint32_t arc) {
    return !b->s->arcs[arc].gone && b->s->arcs[arc].child_count == 0 && arc != b->s->root;
}

// ------------------------------------------------------------------------------------------------ symmetry

// The arc whose tip is nearest to the mirror image of this one's; itself for those in the middle.
static uint32_t find_twin(const Body* b, uint32_t arc) {
    snVec3 mirrored = tip_of(b, arc);
    mirrored.x = 2.0f * b->middle - mirrored.x;
    uint32_t best = SN_NONE;
    float least = 0.06f * b->s->size;
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        if (!is_limb(b, a)) continue;
        float distance = sn_distance(tip_of(b, a), mirrored);
        if (distance >= least) continue;
        least = distance;
        best = a;
    }
    return best;
}

static void find_twins(Body* b) {
    for (uint32_t a = 0; a < b->s->arc_count; a++)
        b->limbs[a].twin = is_limb(b, a) ? find_twin(b, a) : SN_NONE;
    for (uint32_t a = 0; a < b->s->arc_count; a++) { // both must agree
        uint32_t twin = b->limbs[a].twin;
        if (twin != SN_NONE && b->limbs[twin].twin != a) b->limbs[a].twin = SN_NONE;
    }
}

// --------------------------------------------------------------------------------------------------- kinds

static void find_kinds(Body* b) {
    const sniSegments* s = b->s;
    float height = b->bounds.max.y - b->bounds.min.y;
    float ground = b->bounds.min.y + 0.15f * height;
    snVec3 centre = sn_scale(sn_add(b->bounds.min, b->bounds.max), 0.5f);
    uint32_t head = SN_NONE;
    for (uint32_t a = 0; a < s->arc_count; a++) {
        if (!is_limb(b, a)) continue;
        snVec3 tip = tip_of(b, a);
        bool centred = b->limbs[a].twin == a;
        b->limbs[a].kind = centred || b->limbs[a].twin == SN_NONE ? LIMB : ARM;
        if (!centred && tip.y <= ground) b->limbs[a].kind = LEG;
        if (!centred) continue;
        if (tip.z < centre.z && tip.y < b->bounds.max.y - 0.1f * height) b->limbs[a].kind = TAIL;
        // Up or ahead: people's heads are above, animals' before.
        if (b->limbs[a].kind != TAIL &&
            (head == SN_NONE || tip.y + tip.z > tip_of(b, head).y + tip_of(b, head).z))
            head = a;
    }
    if (head != SN_NONE) b->limbs[head].kind = HEAD;
}

// A piece of trunk with ears or horns, but neither arms nor legs, is a head.
static void find_crowned_head(Body* b) {
    const sniSegments* s = b->s;
    uint32_t best = SN_NONE;
    for (uint32_t t = 0; t < s->arc_count; t++) {
        if (s->arcs[t].gone || s->arcs[t].child_count == 0 || t == s->root) continue;
        bool small = true;
        for (uint32_t a = 0; a < s->arc_count && small; a++) {
            if (s->arcs[a].gone || s->arcs[a].parent != t) continue;
            small = s->arcs[a].child_count == 0 && s->arcs[a].area < 0.5 * s->arcs[t].area &&
                    b->limbs[a].kind != LEG;
        }
        if (small && (best == SN_NONE || s->arcs[t].area > s->arcs[best].area)) best = t;
    }
    if (best == SN_NONE) return;
    b->limbs[best].kind = HEAD;
    for (uint32_t a = 0; a < s->arc_count; a++) {
        if (is_limb(b, a) && s->arcs[a].parent == best)
            b->limbs[a].kind = b->limbs[a].twin != a && b->limbs[a].twin != SN_NONE ? EAR : LIMB;
    }
}

// --------------------------------------------------------------------------------------------------- names

// Among the pairs of one kind on one side, how many there are and which one this is, front to back.
static uint32_t rank_of(const Body* b, uint32_t arc, uint32_t* out_count) {
    uint32_t rank = 0;
    *out_count = 0;
    float own = tip_of(b, arc).z;
    bool left = tip_of(b, arc).x > b->middle;
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        if (!is_limb(b, a) || b->limbs[a].kind != b->limbs[arc].kind) continue;
        bool paired = b->limbs[a].twin != SN_NONE && b->limbs[a].twin != a;
        if (!paired || (tip_of(b, a).x > b->middle) != left) continue;
        float z = tip_of(b, a).z;
        *out_count += 1;
        rank += z > own || (z == own && a < arc);
    }
    return rank;
}

// "left_front_leg" without its piece.
static void side_text(const Body* b, uint32_t arc, char out[32]) {
    uint32_t twin = b->limbs[arc].twin;
    out[0] = '\0';
    if (twin == SN_NONE || twin == arc) return;
    const char* side = tip_of(b, arc).x > b->middle ? "left" : "right";
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
    static const char* const words[] = {"body", "head", "tail", "leg", "arm", "ear", "limb"};
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
        if (arc->gone || b->limbs[a].kind == TRUNK) continue;
        char side[32], piece[32];
        side_text(b, a, side);
        for (uint32_t i = 0; i <= arc->cut_count; i++) {
            sniDraftHandle* handle = &b->s->draft.handles[arc->first_handle + i];
            piece_text(b->limbs[a].kind, i, arc->cut_count + 1, piece);
            snprintf(handle->name, sizeof handle->name, "%s%s", side, piece);
        }
    }
}

// The piece of trunk that the head hangs on is the chest; the root is the hips where there is a chest beside.
static void name_trunk(const Body* b) {
    sniSegments* s = b->s;
    uint32_t chest = SN_NONE, root = s->arcs[s->root].first_handle, pieces = 0;
    for (uint32_t a = 0; a < s->arc_count; a++) {
        if (s->arcs[a].gone) continue;
        if (b->limbs[a].kind == HEAD) chest = s->draft.handles[s->arcs[a].first_handle].parent;
        if (b->limbs[a].kind == TRUNK) pieces += s->arcs[a].cut_count + 1;
    }
    for (uint32_t a = 0; a < s->arc_count; a++) {
        if (s->arcs[a].gone || b->limbs[a].kind != TRUNK) continue;
        for (uint32_t i = 0; i <= s->arcs[a].cut_count; i++) {
            uint32_t h = s->arcs[a].first_handle + i;
            const char* name = pieces == 1 ? "body" : h == chest ? "chest" : h == root ? "hips" : "waist";
            snprintf(s->draft.handles[h].name, SNI_DRAFT_NAME, "%s", name);
        }
    }
}

// Two that agree are surer than one.
static void trust_twins(const Body* b) {
    for (uint32_t a = 0; a < b->s->arc_count; a++) {
        const sniArc* arc = &b->s->arcs[a];
        uint32_t twin = b->limbs[a].twin;
        if (arc->gone || twin == SN_NONE || b->s->arcs[twin].cut_count != arc->cut_count) continue;
        for (uint32_t i = 0; i <= arc->cut_count; i++) {
            float* sureness = &b->s->draft.handles[arc->first_handle + i].sureness;
            *sureness += 0.3f * (1.0f - *sureness);
        }
    }
}

bool sni_segment_name(sniSegments* s) {
    Body b = {.s = s,
              .bounds = sn_bounds_of(s->mesh->positions, s->mesh->vertex_count),
              .limbs = SNI_NEW_ARRAY(s->memory, Limb, s->arc_count)};
    if (b.limbs == NULL) return false;
    b.middle = 0.5f * (b.bounds.min.x + b.bounds.max.x);
    find_twins(&b);
    find_kinds(&b);
    find_crowned_head(&b);
    name_limbs(&b);
    name_trunk(&b);
    trust_twins(&b);
    sni_free(s->memory, b.limbs);
    return true;
}
