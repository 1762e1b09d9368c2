// One solid from several. Heads hover over collars and hands in front of sleeves by less than a cell or two;
// distances inside the solid must still reach them.
#include "base/memory.h"
#include "fit/cells.h"

// Pieces below this share of the largest are crumbs. Judged, not measured.
#define CRUMB 0.003f
// Bridges built at most; what then still floats is dropped.
enum { BRIDGES = 32 };

typedef struct Join {
    uint8_t* flags;
    size_t all;          // grid cells
    int64_t offsets[26]; // to the neighbours of a cell
    uint32_t* piece;     // per grid cell; 0: none
    uint32_t* queue;     // per grid cell
    uint32_t* from;      // per grid cell; where a search came from
} Join;

static void set_offsets(Join* join, const uint32_t grid[3]) {
    int count = 0;
    for (int64_t z = -1; z <= 1; z++) {
        for (int64_t y = -1; y <= 1; y++) {
            for (int64_t x = -1; x <= 1; x++) {
                if (x != 0 || y != 0 || z != 0)
                    join->offsets[count++] = (z * grid[1] + y) * (int64_t)grid[0] + x;
            }
        }
    }
}

// Numbers the piece of a cell and returns how many cells it has.
static uint32_t flood(Join* join, uint32_t start, uint32_t number) {
    uint32_t count = 0;
    join->piece[start] = number;
    join->queue[count++] = start;
    for (uint32_t i = 0; i < count; i++) {
        for (int d = 0; d < 26; d++) {
            uint32_t other = (uint32_t)((int64_t)join->queue[i] + join->offsets[d]);
            if (!join->flags[other] || join->piece[other] != 0) continue;
            join->piece[other] = number;
            join->queue[count++] = other;
        }
    }
    return count;
}

// Pieces 1 is the largest, 2 all others that are no crumbs; crumbs lose their flags. False when one is left.
static bool sort_pieces(Join* join) {
    uint32_t largest = 0;
    uint32_t most = 0;
    memset(join->piece, 0, join->all * sizeof *join->piece);
    for (uint32_t i = 0; i < join->all; i++) {
        if (!join->flags[i] || join->piece[i] != 0) continue;
        uint32_t count = flood(join, i, 1);
        if (count > most) {
            most = count;
            largest = i;
        }
    }
    memset(join->piece, 0, join->all * sizeof *join->piece);
    if (most > 0) flood(join, largest, 1);
    bool several = false;
    for (uint32_t i = 0; i < join->all; i++) {
        if (!join->flags[i] || join->piece[i] != 0) continue;
        uint32_t count = flood(join, i, 2);
        bool crumb = (float)count < CRUMB * (float)most;
        for (uint32_t k = 0; k < count && crumb; k++) join->flags[join->queue[k]] = 0;
        for (uint32_t k = 0; k < count && crumb; k++) join->piece[join->queue[k]] = 0;
        several = several || !crumb;
    }
    return several;
}

typedef struct Place {
    int64_t at[3];
} Place;

static Place place_of(const uint32_t grid[3], uint32_t index) {
    Place p = {{index % grid[0], index / grid[0] % grid[1], index / grid[0] / grid[1]}};
    return p;
}

// The grid's border cells are empty; searching them would leave the grid.
static bool on_border(const uint32_t grid[3], uint32_t index) {
    Place p = place_of(grid, index);
    for (int i = 0; i < 3; i++) {
        if (p.at[i] == 0 || p.at[i] + 1 == grid[i]) return true;
    }
    return false;
}

// Adds the neighbours of a cell that no search has reached to the queue.
static uint32_t reach_out(Join* join, uint32_t at, uint32_t count) {
    for (int d = 0; d < 26; d++) {
        uint32_t other = (uint32_t)((int64_t)at + join->offsets[d]);
        if (join->from[other] != SN_NONE) continue;
        join->from[other] = at;
        join->queue[count++] = other;
    }
    return count;
}

// Of queue[begin .. end] the cell of another piece that is nearest to the middle of all such; SN_NONE: none.
// Faces that lie opposite meet in many cells at once, and a bridge between corners would be a detour.
static uint32_t middle_contact(const Join* join, const uint32_t grid[3], uint32_t begin, uint32_t end) {
    int64_t sum[3] = {0, 0, 0};
    int64_t count = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (join->piece[join->queue[i]] != 2) continue;
        Place p = place_of(grid, join->queue[i]);
        for (int k = 0; k < 3; k++) sum[k] += p.at[k];
        count++;
    }
    uint32_t best = SN_NONE;
    int64_t least = 0;
    for (uint32_t i = begin; i < end; i++) {
        if (join->piece[join->queue[i]] != 2) continue;
        Place p = place_of(grid, join->queue[i]);
        int64_t off = 0;
        for (int k = 0; k < 3; k++) off += (p.at[k] - sum[k] / count) * (p.at[k] - sum[k] / count);
        if (best != SN_NONE && off >= least) continue;
        least = off;
        best = join->queue[i];
    }
    return best;
}

// Flags the shortest way from the largest piece to another.
static void bridge(Join* join, const uint32_t grid[3]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < join->all; i++) {
        join->from[i] = join->piece[i] == 1 ? i : SN_NONE;
        if (join->piece[i] == 1) join->queue[count++] = i;
    }
    for (uint32_t begin = 0; begin < count;) {
        uint32_t end = count;
        for (uint32_t i = begin; i < end; i++) {
            if (!on_border(grid, join->queue[i])) count = reach_out(join, join->queue[i], count);
        }
        uint32_t contact = middle_contact(join, grid, end, count);
        begin = end;
        if (contact == SN_NONE) continue;
        for (uint32_t b = join->from[contact]; join->from[b] != b; b = join->from[b]) join->flags[b] = 1;
        return;
    }
}

static void drop_others(Join* join) {
    for (size_t i = 0; i < join->all; i++) join->flags[i] = join->piece[i] == 1;
}

bool sni_cells_join(const sniSolid* solid, uint8_t* flags, const snAllocator* memory) {
    Join join = {.all = (size_t)solid->grid[0] * solid->grid[1] * solid->grid[2]};
    join.flags = flags;
    set_offsets(&join, solid->grid);
    join.piece = SNI_NEW_ARRAY(memory, uint32_t, join.all);
    join.queue = SNI_NEW_ARRAY(memory, uint32_t, join.all);
    join.from = SNI_NEW_ARRAY(memory, uint32_t, join.all);
    bool ok = join.piece != NULL && join.queue != NULL && join.from != NULL;
    if (ok) {
        for (int i = 0; i < BRIDGES && sort_pieces(&join); i++) bridge(&join, solid->grid);
        sort_pieces(&join);
        drop_others(&join);
    }
    sni_free(memory, join.piece);
    sni_free(memory, join.queue);
    sni_free(memory, join.from);
    return ok;
}
