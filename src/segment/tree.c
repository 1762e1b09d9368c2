// The tree of upper level sets of the field: arcs begin at tips and join where limbs meet.
#include "base/memory.h"
#include "base/sort.h"
#include "base/union_find.h"
#include "segment/segment.h"

// All chosen on the models of docs/handles.md.

// What a limb must stand out by, as a share of the field's range, for a detail of 0 and of 1.
#define FINEST 0.03f
#define COARSEST 0.21f
// An inner arc shorter than this only tells that several limbs meet in almost one place.
#define SHORT 0.06f

typedef struct Tree {
    sniSegments* s;
    float least;      // what a limb must stand out by
    uint32_t* sets;   // point_count; union-find over the points so far
    uint32_t* arcs;   // point_count; the arc of a set, by its lowest point
    uint64_t* order;  // point_count; highest first
    uint32_t ordered; // points of the body
} Tree;

static uint32_t find_arc(const sniSegments* s, uint32_t arc) {
    while (s->arcs[arc].gone && s->arcs[arc].parent != SN_NONE) arc = s->arcs[arc].parent;
    return arc;
}

// Highest first, then by index. The field is not negative, so the bits of a float rise with it.
static void sort_points(Tree* t) {
    const sniSegments* s = t->s;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->pieces[p] != s->body) continue;
        uint32_t bits = 0;
        memcpy(&bits, &s->field[p], sizeof bits);
        t->order[t->ordered++] = (uint64_t)~bits << 32 | p;
    }
    sni_sort_u64(t->order, t->ordered);
}

static uint32_t add_arc(sniSegments* s, uint32_t point) {
    if (!sni_grow(s->memory, &s->arcs, &s->arc_capacity, (size_t)s->arc_count + 1, sizeof *s->arcs))
        return SN_NONE;
    float value = s->field[point];
    s->arcs[s->arc_count] = (sniArc){
        .parent = SN_NONE, .twin = SN_NONE, .top = value, .bottom = value, .reach = value, .tip = point};
    return s->arc_count++;
}

static bool higher(const sniArc* a, const sniArc* b) {
    return a->reach > b->reach || (a->reach == b->reach && a->tip < b->tip);
}

// A limb that meets something this many times as large as itself ends there, even if the other does not stand
// out: a horn is not the beginning of a face.
#define LARGE 1.5

// What a point sees around itself among the points above it.
typedef struct View {
    uint32_t highest; // arc; SN_NONE: the point is a tip
    bool branch;      // two different arcs meet here, and neither is but a bump on the other
} View;

static bool ends_at(const sniSegments* s, uint32_t strong, uint32_t other) {
    return other != strong && s->arcs[other].area > LARGE * s->arcs[strong].area;
}

static View look_around(Tree* t, uint32_t p) {
    const sniSegments* s = t->s;
    View view = {SN_NONE, false};
    uint32_t strong = SN_NONE;
    for (int look = 0; look < 2; look++) { // who is there; then what meets whom
        for (uint32_t i = s->points.starts[p]; i < s->points.starts[p + 1]; i++) {
            uint32_t arc = t->arcs[sni_sets_find(t->sets, s->points.neighbours[i])];
            if (arc == SN_NONE) continue; // below: not there yet
            bool stands = s->arcs[arc].reach - s->field[p] >= t->least;
            if (look == 1) {
                bool other = strong != SN_NONE && strong != arc;
                view.branch = view.branch || (other && (stands || ends_at(s, strong, arc)));
                continue;
            }
            if (stands && strong == SN_NONE) strong = arc;
            if (view.highest == SN_NONE || higher(&s->arcs[arc], &s->arcs[view.highest])) view.highest = arc;
        }
    }
    return view;
}

// Ends every arc around p in `into`: strong ones as its children if `branch`, all others as a part of it.
static void join_neighbours(Tree* t, uint32_t p, uint32_t into, bool branch) {
    sniSegments* s = t->s;
    uint32_t root = p;
    for (uint32_t i = s->points.starts[p]; i < s->points.starts[p + 1]; i++) {
        uint32_t set = sni_sets_find(t->sets, s->points.neighbours[i]);
        uint32_t arc = t->arcs[set];
        if (arc == SN_NONE) continue;
        if (arc != into && s->arcs[arc].parent == SN_NONE) {
            sniArc *own = &s->arcs[arc], *end = &s->arcs[into];
            own->parent = into;
            end->area += own->area;
            own->bottom = s->field[p];
            own->gone = !(branch && own->reach - s->field[p] >= t->least);
            if (higher(own, end)) {
                end->reach = own->reach;
                end->tip = own->tip;
            }
        }
        root = sni_sets_join(t->sets, root, set);
    }
    t->arcs[root] = into;
    s->arcs[into].bottom = s->field[p];
    s->arcs[into].area += s->areas[p];
    s->arc_of[p] = into;
}

static bool add_point(Tree* t, uint32_t p) {
    View view = look_around(t, p);
    uint32_t into = view.highest;
    if (into == SN_NONE || view.branch) into = add_arc(t->s, p);
    if (into == SN_NONE) return false;
    join_neighbours(t, p, into, view.branch);
    return true;
}

// ------------------------------------------------------------------------------------------------ pruning

static void count_children(sniSegments* s) {
    for (uint32_t a = 0; a < s->arc_count; a++) s->arcs[a].child_count = 0;
    for (uint32_t a = 0; a < s->arc_count; a++) {
        if (s->arcs[a].gone || s->arcs[a].parent == SN_NONE) continue;
        s->arcs[a].parent = find_arc(s, s->arcs[a].parent);
        s->arcs[s->arcs[a].parent].child_count++;
    }
}

// Inner arcs of hardly any length are the place where their neighbours meet.
static void drop_short(sniSegments* s) {
    float least = SHORT * (s->high - s->low);
    for (uint32_t a = 0; a < s->arc_count; a++) {
        sniArc* arc = &s->arcs[a];
        if (arc->gone || arc->child_count == 0 || arc->parent == SN_NONE) continue;
        if (arc->top - arc->bottom < least) arc->gone = true;
    }
    count_children(s);
}

// The trunk is where most of the area is. Where the innermost arc is but a belt between two pieces of trunk,
// the larger of them takes it over and the other hangs on it.
static void choose_root(sniSegments* s, uint32_t innermost) {
    s->root = innermost;
    if (s->arcs[innermost].top - s->arcs[innermost].bottom >= SHORT * (s->high - s->low)) return;
    uint32_t best = SN_NONE;
    for (uint32_t a = 0; a < s->arc_count; a++) {
        const sniArc* arc = &s->arcs[a];
        if (arc->gone || arc->parent != innermost || arc->child_count == 0) continue;
        if (best == SN_NONE || arc->area > s->arcs[best].area) best = a;
    }
    if (best == SN_NONE) return;
    s->root = best;
    s->arcs[best].bottom = s->arcs[innermost].bottom;
    s->arcs[best].parent = SN_NONE;
    s->arcs[innermost].gone = true;
    s->arcs[innermost].parent = best;
}

static void measure_areas(sniSegments* s) {
    for (uint32_t a = 0; a < s->arc_count; a++) s->arcs[a].area = 0.0;
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->arc_of[p] == SN_NONE) continue;
        s->arc_of[p] = find_arc(s, s->arc_of[p]);
        s->arcs[s->arc_of[p]].area += s->areas[p];
    }
}

void sni_segment_settle(sniSegments* s) {
    count_children(s);
    measure_areas(s);
    for (uint32_t a = 0; a < s->arc_count; a++) { // what is no limb any more is nobody's twin
        uint32_t twin = s->arcs[a].twin;
        if (twin != SN_NONE && s->arcs[twin].gone) s->arcs[a].twin = SN_NONE;
    }
}

// Of the arc, what is not known to be connected with the tip.
#define PENDING (SN_NONE - 1)

// Gives what is connected with the tip above `bottom` back to the arc; returns its area.
static double flood_from_tip(sniSegments* s, uint32_t a, float bottom) {
    uint32_t count = 0;
    double area = 0.0;
    s->arc_of[s->arcs[a].tip] = a;
    s->queue[count++] = s->arcs[a].tip;
    while (count > 0) {
        uint32_t p = s->queue[--count];
        area += s->areas[p];
        for (uint32_t i = s->points.starts[p]; i < s->points.starts[p + 1]; i++) {
            uint32_t n = s->points.neighbours[i];
            if (s->arc_of[n] != PENDING || s->field[n] < bottom) continue;
            s->arc_of[n] = a;
            s->queue[count++] = n;
        }
    }
    return area;
}

static void rename_arc(sniSegments* s, uint32_t from, uint32_t to) {
    for (uint32_t p = 0; p < s->points.point_count; p++) {
        if (s->arc_of[p] == from) s->arc_of[p] = to;
    }
}

double sni_segment_area_above(sniSegments* s, uint32_t a, float bottom) {
    rename_arc(s, a, PENDING);
    double area = flood_from_tip(s, a, bottom);
    rename_arc(s, PENDING, a);
    return area;
}

void sni_segment_trim(sniSegments* s, uint32_t a, float bottom) {
    sniArc* arc = &s->arcs[a];
    if (arc->child_count == 0) {
        rename_arc(s, a, PENDING);
        flood_from_tip(s, a, bottom);
        rename_arc(s, PENDING, arc->parent);
    } else { // its tips are those of other arcs
        for (uint32_t p = 0; p < s->points.point_count; p++) {
            if (s->arc_of[p] == a && s->field[p] < bottom) s->arc_of[p] = arc->parent;
        }
    }
    arc->bottom = bottom;
}

static void prune(sniSegments* s, uint32_t innermost) {
    count_children(s);
    drop_short(s);
    measure_areas(s);
    choose_root(s, innermost);
    sni_segment_settle(s);
}

bool sni_segment_tree(sniSegments* s) {
    uint32_t count = s->points.point_count;
    float share = sn_lerpf(FINEST, COARSEST, s->def->detail);
    Tree t = {.s = s,
              .least = share * (s->high - s->low),
              .sets = SNI_NEW_ARRAY(s->memory, uint32_t, count),
              .arcs = SNI_NEW_ARRAY(s->memory, uint32_t, count),
              .order = SNI_NEW_ARRAY(s->memory, uint64_t, count)};
    s->arc_of = SNI_NEW_ARRAY(s->memory, uint32_t, count);
    s->queue = SNI_NEW_ARRAY(s->memory, uint32_t, count);
    bool enough =
        t.sets != NULL && t.arcs != NULL && t.order != NULL && s->arc_of != NULL && s->queue != NULL;
    if (enough) {
        sni_sets_reset(t.sets, count);
        for (uint32_t p = 0; p < count; p++) t.arcs[p] = s->arc_of[p] = SN_NONE;
        sort_points(&t);
        for (uint32_t i = 0; i < t.ordered && enough; i++) enough = add_point(&t, (uint32_t)t.order[i]);
    }
    // The last point joined everything.
    if (enough) prune(s, t.arcs[sni_sets_find(t.sets, (uint32_t)t.order[t.ordered - 1])]);
    sni_free(s->memory, t.sets);
    sni_free(s->memory, t.arcs);
    sni_free(s->memory, t.order);
    return enough;
}
