// A tree of boxes over items, made in memory that the caller gives: for what overlaps and for what is
// nearest.
#ifndef SNI_BASE_BOX_TREE_H
#define SNI_BASE_BOX_TREE_H

#include "sinew/math.h"

enum {
    SNI_BOXES = 4,      // in a group
    SNI_BOX_LEVELS = 16 // 4^16 items are more than there can be
};

typedef struct sniBox {
    float min[3], max[3];
    uint32_t mark; // whatever searches ask for at least so much of; that of a group is its largest
} sniBox;

// Four items or groups, side by side, so that all are tested at once; boxes that are not used are empty.
typedef struct sniBoxGroup {
    float min[3][SNI_BOXES], max[3][SNI_BOXES];
    uint32_t marks[SNI_BOXES];
} sniBoxGroup;

typedef struct sniBoxTree {
    uint32_t count; // items
    uint32_t level_count;
    uint32_t group_counts[SNI_BOX_LEVELS]; // of each level; level 0 holds items, the last level is one group
    sniBoxGroup* levels[SNI_BOX_LEVELS];
    uint64_t* keys;  // place on the curve and number of each item, sorted
    uint64_t* spare; // room to sort in
} sniBoxTree;

// Lays a tree of so many items, 1 or more, out over the memory (aligned to 16) and returns how many bytes
// that takes. Memory NULL only counts.
size_t sni_box_tree_place(sniBoxTree* tree, void* memory, uint32_t count);

// Fills in the box of an item.
typedef void sniBoxFn(const void* user, uint32_t item, sniBox* out);
// Makes a tree that has been laid out. `bounds` holds all items; finite. The same for any tasks.
void sni_box_tree_build(sniBoxTree* tree, snBounds bounds, sniBoxFn* box, const void* user,
                        const snTasks* tasks);

// Boxes of the same items in the same order, after these have moved: less tight than a tree made anew, and
// made in a fraction of the time.
void sni_box_tree_refit(sniBoxTree* tree, sniBoxFn* box, const void* user, const snTasks* tasks);

// The item at a place of level 0: group place / 4, box place % 4.
static inline uint32_t sni_box_tree_item(const sniBoxTree* tree, uint32_t place) {
    return (uint32_t)tree->keys[place];
}
// What all four of a group have together.
sniBox sni_box_group_whole(const sniBoxGroup* group);

// Looks at an item that may be near, and returns the square of the distance beyond which nothing matters any
// more.
typedef float sniBoxNearFn(void* user, uint32_t item);
// Shows every item whose box is not beyond what matters and whose mark is `least` or more, near ones first.
// `within` is the square of the distance that matters at the beginning.
void sni_box_tree_near(const sniBoxTree* tree, snVec3 p, uint32_t least, float within, sniBoxNearFn* look,
                       void* user);
// Shows every item whose box a ray meets no later than what matters, about the earlier ones first: `look`
// returns how many lengths of the direction, which is finite, matter from then on. A box that the ray misses
// by rounding alone is met.
void sni_box_tree_ray(const sniBoxTree* tree, snVec3 origin, snVec3 direction, float within,
                      sniBoxNearFn* look, void* user);

#endif
