// What a joint's name says. A name is cut into words (at signs, digits and capitals); side, numbers and words
// that mean nothing are taken out, and what is left is looked up as one compact word. That one rule covers
// "mixamorig:LeftUpLeg", "Bip001 L Thigh", "DEF-upper_arm.L.001", "upperleg01.L", "J_Bip_L_UpperArm" and
// "lfemur" without a table per convention.
#include <string.h>

#include "retarget/label.h"

enum { MAX_WORDS = 12, MAX_WORD = 24 };

typedef struct Words {
    uint32_t count;
    char text[MAX_WORDS][MAX_WORD];
} Words;

typedef struct Entry {
    const char* word;
    uint32_t role;
    float confidence;
} Entry;

static const Entry entries[] = {
    {"root", SN_ROLE_ROOT, 1.0f},
    {"armature", SN_ROLE_ROOT, 1.0f},
    {"reference", SN_ROLE_ROOT, 1.0f},
    {"hips", SN_ROLE_HIPS, 1.0f},
    {"hip", SN_ROLE_HIPS, 0.9f},
    {"pelvis", SN_ROLE_HIPS, 1.0f},
    {"spine", SN_ROLE_SPINE, 1.0f},
    {"lowerback", SN_ROLE_SPINE, 1.0f},
    {"upperback", SN_ROLE_SPINE, 1.0f},
    {"thorax", SN_ROLE_SPINE, 1.0f},
    {"abdomen", SN_ROLE_SPINE, 1.0f},
    {"belly", SN_ROLE_SPINE, 0.8f},
    {"waist", SN_ROLE_SPINE, 0.9f},
    {"tummy", SN_ROLE_SPINE, 0.8f},
    {"stomach", SN_ROLE_SPINE, 0.8f},
    {"lumbar", SN_ROLE_SPINE, 0.9f},
    {"torso", SN_ROLE_SPINE, 0.9f},
    {"chest", SN_ROLE_SPINE, 1.0f},
    {"upperchest", SN_ROLE_SPINE, 1.0f},
    {"ribcage", SN_ROLE_SPINE, 0.9f},
    {"neck", SN_ROLE_NECK, 1.0f},
    {"lowerneck", SN_ROLE_NECK, 1.0f},
    {"upperneck", SN_ROLE_NECK, 1.0f},
    {"head", SN_ROLE_HEAD, 1.0f},
    {"skull", SN_ROLE_HEAD, 0.9f},
    {"shoulder", SN_ROLE_SHOULDER, 0.95f},
    {"clavicle", SN_ROLE_SHOULDER, 1.0f},
    {"clav", SN_ROLE_SHOULDER, 1.0f},
    {"scapula", SN_ROLE_SHOULDER, 0.8f},
    {"collar", SN_ROLE_SHOULDER, 1.0f},
    {"collarbone", SN_ROLE_SHOULDER, 1.0f},
    {"upperarm", SN_ROLE_UPPER_ARM, 1.0f},
    {"uparm", SN_ROLE_UPPER_ARM, 1.0f},
    {"humerus", SN_ROLE_UPPER_ARM, 1.0f},
    {"shldr", SN_ROLE_UPPER_ARM, 0.9f},
    {"lowerarm", SN_ROLE_LOWER_ARM, 1.0f},
    {"lowarm", SN_ROLE_LOWER_ARM, 1.0f},
    {"forearm", SN_ROLE_LOWER_ARM, 1.0f},
    {"ulna", SN_ROLE_LOWER_ARM, 0.9f},
    {"radius", SN_ROLE_LOWER_ARM, 1.0f},
    {"elbow", SN_ROLE_LOWER_ARM, 0.9f},
    {"arm", SNI_ROLE_ANY_ARM, 0.9f},
    {"hand", SN_ROLE_HAND, 1.0f},
    {"wrist", SN_ROLE_HAND, 0.95f},
    {"fingerbase", SN_ROLE_HAND, 0.8f},
    {"palm", SN_ROLE_HAND, 0.6f},
    {"thumb", SN_ROLE_THUMB, 1.0f},
    {"handthumb", SN_ROLE_THUMB, 1.0f},
    {"index", SN_ROLE_INDEX, 1.0f},
    {"handindex", SN_ROLE_INDEX, 1.0f},
    {"indexfinger", SN_ROLE_INDEX, 1.0f},
    {"fingers", SN_ROLE_INDEX, 0.7f},
    {"middle", SN_ROLE_MIDDLE, 1.0f},
    {"mid", SN_ROLE_MIDDLE, 0.8f},
    {"handmiddle", SN_ROLE_MIDDLE, 1.0f},
    {"middlefinger", SN_ROLE_MIDDLE, 1.0f},
    {"ring", SN_ROLE_RING, 1.0f},
    {"handring", SN_ROLE_RING, 1.0f},
    {"ringfinger", SN_ROLE_RING, 1.0f},
    {"little", SN_ROLE_LITTLE, 1.0f},
    {"pinky", SN_ROLE_LITTLE, 1.0f},
    {"pinkie", SN_ROLE_LITTLE, 1.0f},
    {"handpinky", SN_ROLE_LITTLE, 1.0f},
    {"pinkyfinger", SN_ROLE_LITTLE, 1.0f},
    {"littlefinger", SN_ROLE_LITTLE, 1.0f},
    {"upperleg", SN_ROLE_UPPER_LEG, 1.0f},
    {"upleg", SN_ROLE_UPPER_LEG, 1.0f},
    {"thigh", SN_ROLE_UPPER_LEG, 1.0f},
    {"femur", SN_ROLE_UPPER_LEG, 1.0f},
    {"lowerleg", SN_ROLE_LOWER_LEG, 1.0f},
    {"lowleg", SN_ROLE_LOWER_LEG, 1.0f},
    {"calf", SN_ROLE_LOWER_LEG, 1.0f},
    {"shank", SN_ROLE_LOWER_LEG, 1.0f},
    {"crus", SN_ROLE_LOWER_LEG, 1.0f},
    {"shin", SN_ROLE_LOWER_LEG, 1.0f},
    {"tibia", SN_ROLE_LOWER_LEG, 1.0f},
    {"knee", SN_ROLE_LOWER_LEG, 0.9f},
    {"leg", SNI_ROLE_ANY_LEG, 0.9f},
    {"foot", SN_ROLE_FOOT, 1.0f},
    {"ankle", SN_ROLE_FOOT, 0.95f},
    {"toe", SN_ROLE_TOES, 1.0f},
    {"toes", SN_ROLE_TOES, 1.0f},
    {"toebase", SN_ROLE_TOES, 1.0f},
    {"ball", SN_ROLE_TOES, 0.95f},
    {"tail", SN_ROLE_TAIL, 1.0f},
};

// A name with one of these is a control, a mechanism or an end, not a part of the body.
static const char* const outsiders[] = {
    "ik",     "fk",      "pole", "target", "control", "ctrl",     "ctl",
    "mch",    "end",     "nub",  "site",   "slot",    "effector", "socket",
    "helper", "locator", "sec",  "prop",   "weapon",  "attach",   "corrective",
};

// "LoArm", "lwr_leg", "UprArm": one spelling for the halves of limbs.
static void spell_out(Words* words) {
    static const struct {
        const char *short_form, *word;
    } halves[] = {{"lo", "lower"}, {"lw", "lower"},  {"lwr", "lower"}, {"low", "lower"},
                  {"up", "upper"}, {"upr", "upper"}, {"upp", "upper"}};
    for (uint32_t w = 0; w < words->count && words->count > 1; w++) {
        for (size_t i = 0; i < sizeof halves / sizeof halves[0]; i++)
            if (strcmp(words->text[w], halves[i].short_form) == 0)
                memcpy(words->text[w], halves[i].word, strlen(halves[i].word) + 1);
    }
}

// Words that every convention adds somewhere and that say nothing.
static const char* const fillers[] = {
    "mixamorig", "bip",  "biped",  "valve",    "def",          "org",    "j",
    "b",         "f",    "c",      "bone",     "jnt",          "joint",  "bn",
    "skel",      "skin", "deform", "proximal", "intermediate", "distal",
};

// The rig as a whole: a root where it stands alone, nothing behind or before the name of a joint.
static const char* const wholes[] = {"armature", "rig", "metarig", "skeleton"};

static bool is_one_of(const char* word, const char* const* list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, list[i]) == 0) return true;
    }
    return false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_letter(char c) { return is_upper(c) || is_lower(c); }
static bool is_number(const char* word) { return is_digit(word[0]); }

// Does a new word begin at `at`? At every change of kind, and at capitals as in "LeftArm" and "LHip".
static bool word_begins(const char* name, size_t at) {
    if (at == 0) return true;
    char before = name[at - 1];
    char here = name[at];
    if (is_letter(before) != is_letter(here) || is_digit(before) != is_digit(here)) return true;
    if (is_lower(before) && is_upper(here)) return true;
    return is_upper(before) && is_upper(here) && is_lower(name[at + 1]);
}

static Words split_words(const char* name) {
    Words words = {0};
    size_t length = 0;
    for (size_t i = 0; name[i] != '\0'; i++) {
        if (!is_letter(name[i]) && !is_digit(name[i])) continue;
        if (word_begins(name, i)) {
            if (words.count == MAX_WORDS) break;
            words.count++;
            length = 0;
        }
        // Overlong words cannot be known ones: their tail is dropped.
        if (length + 1 < MAX_WORD) {
            words.text[words.count - 1][length++] = is_upper(name[i]) ? (char)(name[i] - 'A' + 'a') : name[i];
        }
    }
    return words;
}

static void drop_word(Words* words, uint32_t at) {
    words->count--;
    memmove(words->text[at], words->text[at + 1], (words->count - at) * sizeof words->text[0]);
}

static snSide word_side(const char* word) {
    if (strcmp(word, "l") == 0 || strcmp(word, "left") == 0) return SN_SIDE_LEFT;
    if (strcmp(word, "r") == 0 || strcmp(word, "right") == 0) return SN_SIDE_RIGHT;
    return SN_SIDE_NONE;
}

static const Entry* find_entry(const char* word) {
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (strcmp(entries[i].word, word) == 0) return &entries[i];
    }
    return NULL;
}

// All words that are no numbers, from `first` on, as one.
static void join_words(const Words* words, uint32_t first, char* out, size_t capacity) {
    size_t length = 0;
    for (uint32_t w = first; w < words->count; w++) {
        size_t size = strlen(words->text[w]);
        if (is_number(words->text[w]) || length + size + 1 > capacity) continue;
        memcpy(out + length, words->text[w], size);
        length += size;
    }
    out[length] = '\0';
}

// "arm_lower", "leg_upper": the half behind the limb.
static const Entry* find_swapped(const Words* words, uint32_t first) {
    Words swapped = {.count = 2};
    uint32_t found = 0;
    for (uint32_t w = first; w < words->count; w++) {
        if (is_number(words->text[w])) continue;
        if (found == 2) return NULL;
        memcpy(swapped.text[1 - found++], words->text[w], MAX_WORD);
    }
    if (found != 2) return NULL;
    char core[2 * MAX_WORD];
    join_words(&swapped, 0, core, sizeof core);
    const Entry* entry = find_entry(core);
    bool half = strcmp(swapped.text[0], "upper") == 0 || strcmp(swapped.text[0], "lower") == 0;
    return half ? entry : NULL;
}

// "lfemur", "lefthand", "handright": sides written without a seam.
static const Entry* find_seamless(const char* core, snSide* side) {
    static const struct {
        const char* text;
        snSide side;
    } marks[] = {{"left", SN_SIDE_LEFT}, {"right", SN_SIDE_RIGHT}, {"l", SN_SIDE_LEFT}, {"r", SN_SIDE_RIGHT}};
    size_t length = strlen(core);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        size_t size = strlen(marks[i].text);
        if (length <= size) continue;
        const Entry* entry = strncmp(core, marks[i].text, size) == 0 ? find_entry(core + size) : NULL;
        char head[MAX_WORD * MAX_WORDS];
        if (entry == NULL && size > 1 && strcmp(core + length - size, marks[i].text) == 0) {
            memcpy(head, core, length - size);
            head[length - size] = '\0';
            entry = find_entry(head);
        }
        if (entry == NULL) continue;
        *side = marks[i].side;
        return entry;
    }
    return NULL;
}

// "finger2-1.L" counts fingers from the thumb as 1; 3ds Max's "Finger0", "Finger01" from 0, the next digit
// being the phalanx.
static sniName numbered_finger(const Words* words, bool biped, sniName name) {
    static const uint32_t fingers[] = {SN_ROLE_THUMB, SN_ROLE_INDEX, SN_ROLE_MIDDLE, SN_ROLE_RING,
                                       SN_ROLE_LITTLE};
    for (uint32_t w = 0; w + 1 < words->count; w++) {
        if (strcmp(words->text[w], "finger") != 0 || !is_number(words->text[w + 1])) continue;
        int which = words->text[w + 1][0] - '0' - (biped ? 0 : 1);
        if (which < 0 || which > 4) continue;
        name.role = fingers[which];
        name.confidence = 0.95f;
    }
    return name;
}

static void take_out_sides_and_fillers(Words* words, sniName* name, bool* biped) {
    for (uint32_t w = 0; w < words->count;) {
        const char* word = words->text[w];
        snSide side = word_side(word);
        if (side != SN_SIDE_NONE && name->side == SN_SIDE_NONE) name->side = side;
        if (strcmp(word, "bip") == 0) *biped = true;
        bool twist = strcmp(word, "twist") == 0 || strcmp(word, "roll") == 0;
        if (twist) name->twist = true;
        bool filler = is_one_of(word, fillers, sizeof fillers / sizeof fillers[0]) ||
                      (words->count > 1 && is_one_of(word, wholes, sizeof wholes / sizeof wholes[0]));
        if (side != SN_SIDE_NONE || twist || filler)
            drop_word(words, w);
        else
            w++;
    }
}

// Which legs of an animal a name speaks of.
typedef enum Pair { PAIR_NONE = 0, PAIR_FRONT, PAIR_HIND } Pair;

// "FrontLeg.L", "hind_foot_r", "ForeLeg": takes the word out. "LowerBack" is a spine, "ForeArm" an arm.
static Pair take_out_pair(Words* words) {
    for (uint32_t w = 0; w < words->count; w++) {
        const char* word = words->text[w];
        bool fore =
            strcmp(word, "fore") == 0 && w + 1 < words->count && strcmp(words->text[w + 1], "arm") != 0;
        bool back = strcmp(word, "back") == 0 && w == 0;
        Pair pair = strcmp(word, "front") == 0 || fore                               ? PAIR_FRONT
                    : strcmp(word, "hind") == 0 || strcmp(word, "rear") == 0 || back ? PAIR_HIND
                                                                                     : PAIR_NONE;
        if (pair == PAIR_NONE) continue;
        drop_word(words, w);
        return pair;
    }
    return PAIR_NONE;
}

// Front legs are what arms are to people: they leave the trunk where arms do and bend as arms do.
static uint32_t role_in_pair(uint32_t role, Pair pair) {
    if (pair == PAIR_NONE) return role;
    bool leg = (role >= SN_ROLE_UPPER_LEG && role <= SN_ROLE_TOES) || role == SNI_ROLE_ANY_LEG;
    if (pair == PAIR_HIND) return leg ? role : SN_ROLE_NONE;
    switch (role) {
    case SN_ROLE_UPPER_LEG:
        return SN_ROLE_UPPER_ARM;
    case SN_ROLE_LOWER_LEG:
        return SN_ROLE_LOWER_ARM;
    case SN_ROLE_FOOT:
        return SN_ROLE_HAND;
    case SNI_ROLE_ANY_LEG:
        return SNI_ROLE_ANY_ARM;
    case SN_ROLE_SHOULDER:
    case SN_ROLE_HAND:
        return role;
    default:
        return SN_ROLE_NONE;
    }
}

sniName sni_name_parse(const char* text) {
    sniName name = {SN_ROLE_NONE, SN_SIDE_NONE, false, 0.0f};
    const char* colon = strrchr(text, ':');
    Words words = split_words(colon != NULL ? colon + 1 : text);
    for (uint32_t w = 0; w < words.count; w++) {
        if (is_one_of(words.text[w], outsiders, sizeof outsiders / sizeof outsiders[0])) return name;
    }
    Pair pair = take_out_pair(&words);
    bool biped = false;
    take_out_sides_and_fillers(&words, &name, &biped);
    spell_out(&words);
    // A prefix such as the character's own name may stand before the known word: it costs some certainty.
    for (uint32_t first = 0; first < words.count; first++) {
        char core[MAX_WORD * MAX_WORDS];
        join_words(&words, first, core, sizeof core);
        const Entry* entry = find_entry(core);
        if (entry == NULL) entry = find_swapped(&words, first);
        if (entry == NULL && name.side == SN_SIDE_NONE) entry = find_seamless(core, &name.side);
        if (entry == NULL) continue;
        name.role = role_in_pair(entry->role, pair);
        if (name.role == SN_ROLE_NONE) return name;
        name.confidence = first == 0 ? entry->confidence : 0.8f * entry->confidence;
        return name;
    }
    return pair == PAIR_NONE ? numbered_finger(&words, biped, name) : name;
}
