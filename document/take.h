// A take inside: where its frames come from, and the account of them.
#ifndef SNI_DOCUMENT_TAKE_H
#define SNI_DOCUMENT_TAKE_H

#include "document.h"

// The character of a take, or of several.
typedef struct sniTakePlayer {
    snCharacter* character;
    const snTake* last; // whose frame it is in
    uint32_t users;
} sniTakePlayer;

struct snTake {
    const snDocument* document;
    snTakeDef def;
    snTakeSource source;
    snCharacter* character; // of a clip, the player's; NULL: the source is the caller's
    sniTakePlayer* player;  // NULL: the same
    snSettings* settings;   // of the character: the document's, its step fitted to a cycle
    uint32_t counted;       // frames that the report has
    snTakeReport report;
    snPartVolumeAccount* volumes; // joint_count of the binding, or NULL
    snShellAccount* shells;       // of exact volume, or NULL
    uint32_t volume_count, shell_count;
    snMorphBake* morphs; // what was written into a glTF, or NULL
    snJointBake* joints; // the same
    snAllocator allocator;
};

// What became of the volumes in a frame.
void sni_take_note_volumes(snTake* take, uint32_t frame);
// Runs the cycle until it repeats (take_loop.c).
snResult sni_take_settle(snTake* take, snError* error);
// The time of frame i in the clip.
float sni_take_time(const snTake* take, uint32_t i);
// A take as frames for bakes, with the moments half way between them where it has them.
typedef struct sniTakeFrames {
    snTake* take;
    snError* error;
    snProgress progress; // of the take; the bake tells it meanwhile, how far all is
} sniTakeFrames;
snResult sni_take_moment(void* frames, uint32_t moment, snSurface* out);
// What no viewer's skin does of some takes as helper joints, into a glTF (take_joints.c). `clips`: one clip a
// take of the model, which has them.
snResult sni_takes_bake_joints(snTake* const* takes, uint32_t count, const snTakeWriteDef* def,
                               const snModel* model, const uint32_t* clips, snError* error);
// Poses half way between frame i and the next, after frame i; only of a clip.
snResult sni_take_pose_middle(snTake* take, uint32_t i, snError* error);
// Poses on to a time, in strides that the flesh takes without a jump.
snResult sni_take_run_to(snTake* take, float from, float to);

#endif
