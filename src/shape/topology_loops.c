// Boundary loops: open sides chained end to start.
//
// Where several loops meet in one point, a loop goes on within the same fan of faces, so that two holes that
// touch stay two loops. On a surface with inconsistent winding a side may have to be walked backwards.
#include "shape/topology_loops.h"
#include "base/memory.h"

typedef struct Tracer {
    const sniSides* sides;
    const uint32_t* boundary;
    uint32_t count;
    uint32_t* starts; // per point: where its list of boundary sides begins
    uint32_t* lists;  // 2 * count; positions in `boundary`, each side once at either end
    uint32_t* used;   // per boundary side
} Tracer;

static void list_sides(Tracer* tracer, uint32_t point_count) {
    const sniSides* sides = tracer->sides;
    memset(tracer->starts, 0, ((size_t)point_count + 2) * sizeof *tracer->starts);
    uint32_t* counts = tracer->starts + 2; // shifted, so that filling the lists leaves the starts in place
    for (uint32_t i = 0; i < tracer->count; i++) {
        uint32_t s = tracer->boundary[i];
        counts[sides->from[s]]++;
        counts[sides->to[s]]++;
    }
    for (uint32_t p = 1; p < point_count; p++) counts[p] += counts[p - 1];
    uint32_t* cursor = tracer->starts + 1;
    for (uint32_t i = 0; i < tracer->count; i++) {
        uint32_t s = tracer->boundary[i];
        tracer->lists[cursor[sides->from[s]]++] = i;
        tracer->lists[cursor[sides->to[s]]++] = i;
    }
}

// The fan of a side's face at one of the side's ends.
static uint32_t fan_at(const sniSides* sides, uint32_t s, uint32_t point) {
    return sides->fan[sides->from[s] == point ? s : sides->next[s]];
}

// An unused boundary side at `point`, best one first: same fan and same direction, same fan, any.
static uint32_t choose_next(const Tracer* tracer, uint32_t point, uint32_t fan) {
    uint32_t best = SN_NONE;
    int best_score = -1;
    for (uint32_t k = tracer->starts[point]; k < tracer->starts[point + 1]; k++) {
        uint32_t i = tracer->lists[k];
        if (tracer->used[i]) continue;
        uint32_t s = tracer->boundary[i];
        int score = 2 * (fan_at(tracer->sides, s, point) == fan) + (tracer->sides->from[s] == point);
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

static void trace(Tracer* tracer, snTopology* topology) {
    const sniSides* sides = tracer->sides;
    uint32_t written = 0;
    for (uint32_t first = 0; first < tracer->count; first++) {
        if (tracer->used[first]) continue;
        topology->loop_starts[topology->loop_count++] = written;
        uint32_t start = sides->from[tracer->boundary[first]];
        uint32_t point = start;
        for (uint32_t i = first; i != SN_NONE;) {
            uint32_t s = tracer->boundary[i];
            tracer->used[i] = 1;
            topology->loop_points[written++] = point;
            point = sides->from[s] == point ? sides->to[s] : sides->from[s];
            if (point == start) break;
            i = choose_next(tracer, point, fan_at(sides, s, point));
        }
    }
    topology->loop_starts[topology->loop_count] = written;
}

bool sni_trace_loops(snTopology* topology, sniSides* sides) {
    const snAllocator* memory = &topology->allocator;
    uint32_t count = topology->boundary_edge_count;
    Tracer tracer = {.sides = sides,
                     .boundary = sides->boundary,
                     .count = count,
                     .starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)topology->point_count + 2),
                     .lists = SNI_NEW_ARRAY(memory, uint32_t, 2 * (size_t)count),
                     .used = SNI_NEW_ARRAY(memory, uint32_t, count)};
    topology->loop_starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)count + 1);
    topology->loop_points = SNI_NEW_ARRAY(memory, uint32_t, count);
    bool ready = tracer.starts != NULL && tracer.lists != NULL && tracer.used != NULL &&
                 topology->loop_starts != NULL && topology->loop_points != NULL;
    if (ready && count > 0) {
        list_sides(&tracer, topology->point_count);
        trace(&tracer, topology);
    }
    sni_free(memory, tracer.starts);
    sni_free(memory, tracer.lists);
    sni_free(memory, tracer.used);
    return ready;
}
