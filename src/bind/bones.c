// Which joints deform, and the segments of flesh that belong to them.
#include <stdlib.h>

#include "base/error.h"
#include "base/geometry.h"
#include "base/memory.h"
#include "bind/bind.h"

// What counts as along an axis (a cosine, within 18 degrees), and the part of all bones that makes it a
// habit. Judged.
#define AXIS_ALONG SNI_TUNED(AXIS_ALONG, 0.95f)
#define AXIS_HABIT SNI_TUNED(AXIS_HABIT, 0.5f)
// Joints nearer than this part of the diagonal stand in one place.
#define ONE_PLACE 1e-5f

// ------------------------------------------------------------------------------------ who deforms

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// True when `name` contains `word` as a word of its own: "footIK.L", "ik_hand" and "LegPoleTarget" contain
// "ik", "ik" and "pole"; "spike" contains none.
static bool has_word(const char* name, const char* word) {
    size_t length = strlen(word);
    for (const char* at = name; *at != '\0'; at++) {
        size_t n = 0;
        while (n < length && lower(at[n]) == word[n]) n++;
        if (n < length) continue;
        bool begins = at == name || !is_letter(at[-1]) || (is_upper(at[0]) && !is_upper(at[-1]));
        bool ends = !is_letter(at[length]) || (is_upper(at[length]) && !is_upper(at[length - 1])) ||
                    (is_upper(at[length]) && at[length + 1] != '\0' && !is_upper(at[length + 1]));
        if (begins && ends) return true;
    }
    return false;
}

static bool ends_with(const char* name, const char* tail) {
    size_t length = strlen(name), size = strlen(tail);
    if (length < size) return false;
    for (size_t i = 0; i < size; i++) {
        if (lower(name[length - size + i]) != tail[i]) return false;
    }
    return true;
}

static bool is_control_name(const char* name) {
    static const char* const words[] = {"ik",     "pole", "ctrl", "ctl",    "control", "controls",
                                        "target", "mch",  "org",  "master", "armature"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (has_word(name, words[i])) return true;
    }
    return false;
}

static bool is_tip_name(const char* name) {
    return ends_with(name, "_end") || ends_with(name, "nub") || ends_with(name, "_tip") ||
           ends_with(name, "_leaf");
}

static bool has_deforming_prefix(const char* name) {
    return strncmp(name, "DEF-", 4) == 0 || strncmp(name, "DEF_", 4) == 0;
}

// The joints that carry weight; exporters list controls in skins too. A skin without weights counts whole.
static void take_skins(const snModel* model, uint8_t* deforming) {
    bool any = false;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        if (part->skin == SN_NONE) continue;
        const snSkin* skin = &model->skins[part->skin];
        for (size_t i = 0; i < (size_t)part->weights.vertex_count * part->weights.influences; i++) {
            if (!(part->weights.weights[i] > 0.0f)) continue;
            deforming[skin->joints[part->weights.joints[i]]] = 1;
            any = true;
        }
    }
    for (uint32_t s = 0; s < model->skin_count && !any; s++) {
        for (uint32_t i = 0; i < model->skins[s].joint_count; i++) deforming[model->skins[s].joints[i]] = 1;
    }
}

// A joint at the top that only holds the rest together: no flesh is meant to follow "root".
static bool is_holder(const snSkeleton* skeleton, uint32_t joint) {
    if (skeleton->parents[joint] != SN_NONE) return false;
    return has_word(skeleton->names[joint], "root") || has_word(skeleton->names[joint], "scene");
}

// Where all parts hang on one joint and nothing branches above it, that joint and what is above it hold the
// character: "Hero" with a skeleton and a mesh below. Elsewhere what hangs on a joint is meant to.
static void drop_holders(const snModel* model, uint8_t* deforming) {
    enum { ABOVE = 2 }; // a mark beside the joint's own bit
    const snSkeleton* skeleton = model->skeleton;
    uint32_t holder = SN_NONE;
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t joint = model->parts[p].joint;
        while (joint != SN_NONE && !deforming[joint]) joint = skeleton->parents[joint];
        if (joint == SN_NONE || (p > 0 && joint != holder)) return;
        holder = joint;
    }
    for (uint32_t j = holder; j != SN_NONE; j = skeleton->parents[j]) deforming[j] |= ABOVE;
    bool branches = false;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        uint32_t above = skeleton->parents[j];
        branches |=
            above != SN_NONE && above != holder && (deforming[above] & ABOVE) && !(deforming[j] & ABOVE);
    }
    for (uint32_t j = holder; j != SN_NONE; j = skeleton->parents[j]) {
        deforming[j] = branches ? (uint8_t)(deforming[j] & ~ABOVE) : 0;
    }
}

static void take_names(const snModel* model, uint8_t* deforming) {
    const snSkeleton* skeleton = model->skeleton;
    bool prefixed = false;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        deforming[j] = has_deforming_prefix(skeleton->names[j]);
        prefixed = prefixed || deforming[j];
    }
    if (prefixed) return;
    uint32_t left = 0;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) deforming[j] = 0;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->parents[j] != SN_NONE) deforming[skeleton->parents[j]] = 1; // has a child
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        bool tip = !deforming[j] && is_tip_name(skeleton->names[j]);
        deforming[j] = !tip && !is_control_name(skeleton->names[j]) && !is_holder(skeleton, j);
    }
    for (uint32_t p = 0; p < model->part_count; p++) deforming[model->parts[p].joint] = 0;
    drop_holders(model, deforming);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) left += deforming[j];
    // A skeleton of nothing but controls by name: then the names mean something else.
    for (uint32_t j = 0; j < skeleton->joint_count && left == 0; j++) deforming[j] = 1;
    for (uint32_t p = 0; p < model->part_count && left == 0; p++) deforming[model->parts[p].joint] = 0;
}

void sn_bind_deforming(const snModel* model, uint8_t* out_deforming) {
    memset(out_deforming, 0, model->skeleton->joint_count);
    if (model->skin_count > 0)
        take_skins(model, out_deforming);
    else
        take_names(model, out_deforming);
}

// ------------------------------------------------------------------------------------------ segments

float sni_bone_distance(const sniBone* bone, snVec3 p) {
    return sni_segment_distance(bone->head, bone->tail, p);
}

typedef struct Tree {
    const snSkeleton* skeleton;
    const sniSurface* surface;
    const sniBindPose* pose;
    uint32_t* owners; // per joint: nearest deforming joint at or above it, in the list of bones; or SN_NONE
    uint32_t* first;  // per joint: its first child or SN_NONE, and the next child of the same parent
    uint32_t* next;
    bool* leads;   // per joint: it, or a joint below it, deforms
    bool* carries; // per joint: a part hangs on it
    const uint8_t* deforming;
} Tree;

static snVec3 place(const Tree* tree, uint32_t joint) {
    return sn_mat4_translation(&tree->pose->worlds[joint]);
}

static snResult list_joints(Tree* tree, sniBones* bones, snError* error) {
    const snSkeleton* skeleton = tree->skeleton;
    bones->joints = SNI_NEW_ARRAY(&bones->allocator, uint32_t, skeleton->joint_count);
    bones->parents = SNI_NEW_ARRAY(&bones->allocator, uint32_t, skeleton->joint_count);
    bones->origins = SNI_NEW_ARRAY(&bones->allocator, snVec3, skeleton->joint_count);
    if (bones->joints == NULL || bones->parents == NULL || bones->origins == NULL)
        return sni_fail_memory(error);
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        uint32_t owner = above == SN_NONE ? SN_NONE : tree->owners[above];
        tree->owners[j] = owner;
        if (!tree->deforming[j]) continue;
        uint32_t i = bones->joint_count++;
        bones->joints[i] = j;
        bones->parents[i] = owner;
        bones->origins[i] = place(tree, j);
        tree->owners[j] = i;
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++) tree->first[j] = SN_NONE;
    for (uint32_t k = skeleton->joint_count; k-- > 0;) {
        uint32_t j = skeleton->order[k], above = skeleton->parents[j];
        if (above != SN_NONE) {
            tree->next[j] = tree->first[above];
            tree->first[above] = j;
        }
        tree->leads[j] = tree->leads[j] || tree->deforming[j];
        if (tree->leads[j] && above != SN_NONE) tree->leads[above] = true;
    }
    return SN_RESULT_OK;
}

// The axis of the joints' own frames along which most bones of the file lie, as index 0..5 (x, -x, y, ...),
// or 6 where there is no such habit. It tells where a last bone points.
static uint32_t bone_axis(const Tree* tree) {
    const snSkeleton* skeleton = tree->skeleton;
    uint32_t votes[7] = {0}, total = 0, best = 6;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        uint32_t above = skeleton->parents[j];
        if (above == SN_NONE) continue;
        snVec3 t = skeleton->rest[j].translation;
        float length = sn_length(t), parts[3] = {t.x, t.y, t.z};
        if (!(length > 0.0f)) continue;
        total++;
        for (uint32_t a = 0; a < 3; a++) {
            if (parts[a] > AXIS_ALONG * length) votes[a * 2]++;
            if (parts[a] < -AXIS_ALONG * length) votes[a * 2 + 1]++;
        }
    }
    for (uint32_t a = 0; a < 6; a++) {
        if ((float)votes[a] >= AXIS_HABIT * (float)total && votes[a] > votes[best]) best = a;
    }
    return best;
}

static snVec3 guess_tip(const Tree* tree, uint32_t joint, uint32_t axis) {
    snVec3 head = place(tree, joint), direction = sn_vec3(0.0f, 0.0f, 0.0f);
    uint32_t above = tree->skeleton->parents[joint];
    while (above != SN_NONE && sn_distance(head, place(tree, above)) <= ONE_PLACE * tree->surface->diagonal) {
        above = tree->skeleton->parents[above];
    }
    if (above == SN_NONE) return head;
    snVec3 parent = sn_sub(head, place(tree, above));
    direction = sn_normalize_or(parent, direction);
    if (axis < 6) {
        const float* column = &tree->pose->worlds[joint].m[(size_t)(axis / 2) * 4];
        snVec3 along = sn_vec3(column[0], column[1], column[2]);
        direction = sn_normalize_or(axis % 2 == 0 ? along : sn_neg(along), direction);
    }
    return sn_add(head, sn_scale(direction, sn_length(parent)));
}

static void add_bone(const Tree* tree, sniBones* bones, uint32_t start, uint32_t end, snVec3 tail) {
    bones->bones[bones->bone_count++] = (sniBone){.head = place(tree, start),
                                                  .tail = tail,
                                                  .joint = tree->owners[start],
                                                  .start = start,
                                                  .end = end,
                                                  .borrowed = !tree->deforming[start]};
}

// A joint that the file calls an end, with nothing on it: the crown of a head that has a jaw, too.
static bool is_named_tip(const Tree* tree, uint32_t joint) {
    return SNI_RULE(tips) && tree->first[joint] == SN_NONE && !tree->carries[joint] &&
           is_tip_name(tree->skeleton->names[joint]);
}

// Children that lead to deforming joints end a bone, and so do tips that are called so; where there are none,
// any child marks the tip, except one that merely carries a part: a helmet hangs somewhere on the head, not
// at its end.
static void add_bones_of(const Tree* tree, sniBones* bones, uint32_t joint, uint32_t axis) {
    const snSkeleton* skeleton = tree->skeleton;
    bool any_leads = false, any = false;
    for (uint32_t c = tree->first[joint]; c != SN_NONE; c = tree->next[c]) {
        if (tree->leads[c]) any_leads = true;
    }
    for (uint32_t c = tree->first[joint]; c != SN_NONE; c = tree->next[c]) {
        if (tree->leads[c] != any_leads && !is_named_tip(tree, c)) continue;
        if (!any_leads && (tree->carries[c] || is_control_name(skeleton->names[c]))) continue;
        add_bone(tree, bones, joint, c, place(tree, c));
        any = true;
    }
    if (!any && tree->deforming[joint]) add_bone(tree, bones, joint, SN_NONE, guess_tip(tree, joint, axis));
}

static int by_owner(const void* a, const void* b) {
    const sniBone *x = a, *y = b;
    if (x->joint != y->joint) return x->joint < y->joint ? -1 : 1;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->end < y->end ? -1 : x->end > y->end;
}

static snResult build(Tree* tree, sniBones* bones, snError* error) {
    const snSkeleton* skeleton = tree->skeleton;
    SNI_TRY(list_joints(tree, bones, error));
    if (bones->joint_count == 0) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "no joint deforms: the skeleton has %u joints",
                        skeleton->joint_count);
    }
    if (bones->joint_count > UINT16_MAX) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "%u joints deform, at most %u can", bones->joint_count,
                        UINT16_MAX);
    }
    bones->bones = SNI_NEW_ARRAY(&bones->allocator, sniBone, (size_t)skeleton->joint_count * 2);
    if (bones->bones == NULL) return sni_fail_memory(error);
    uint32_t axis = bone_axis(tree);
    for (uint32_t k = 0; k < skeleton->joint_count; k++) {
        uint32_t j = skeleton->order[k];
        if (tree->owners[j] != SN_NONE && tree->leads[j]) add_bones_of(tree, bones, j, axis);
    }
    SNI_TRY(sni_bones_share(bones, tree->leads, ONE_PLACE * tree->surface->diagonal, error));
    qsort(bones->bones, bones->bone_count, sizeof(sniBone), by_owner); // no two have the same ends
    return SN_RESULT_OK;
}

snResult sni_bones_create(const snModel* model, const sniSurface* surface, const sniBindPose* pose,
                          const uint8_t* deforming, const snAllocator* allocator, sniBones* out,
                          snError* error) {
    sniBones bones = {.allocator = sni_allocator(allocator)};
    uint32_t count = model->skeleton->joint_count;
    Tree tree = {.skeleton = model->skeleton, .surface = surface, .pose = pose, .deforming = deforming};
    tree.owners = SNI_NEW_ARRAY(&bones.allocator, uint32_t, count);
    tree.first = SNI_NEW_ARRAY(&bones.allocator, uint32_t, count);
    tree.next = SNI_NEW_ARRAY(&bones.allocator, uint32_t, count);
    tree.leads = SNI_NEW_ARRAY(&bones.allocator, bool, count);
    tree.carries = SNI_NEW_ARRAY(&bones.allocator, bool, count);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (tree.owners != NULL && tree.first != NULL && tree.next != NULL && tree.leads != NULL &&
        tree.carries != NULL) {
        for (uint32_t p = 0; p < model->part_count; p++) tree.carries[model->parts[p].joint] = true;
        result = build(&tree, &bones, error);
    } else {
        sni_fail_memory(error);
    }
    sni_free(&bones.allocator, tree.owners);
    sni_free(&bones.allocator, tree.first);
    sni_free(&bones.allocator, tree.next);
    sni_free(&bones.allocator, tree.leads);
    sni_free(&bones.allocator, tree.carries);
    if (result == SN_RESULT_OK)
        *out = bones;
    else
        sni_bones_free(&bones);
    return result;
}

void sni_bones_free(sniBones* bones) {
    if (bones == NULL || bones->allocator.free == NULL) return;
    sni_free(&bones->allocator, bones->joints);
    sni_free(&bones->allocator, bones->parents);
    sni_free(&bones->allocator, bones->origins);
    sni_free(&bones->allocator, bones->bones);
    *bones = (sniBones){0};
}
