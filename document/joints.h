// What edits of joints share: how the body follows when the tree of its joints changes.
#ifndef SNI_DOCUMENT_JOINTS_H
#define SNI_DOCUMENT_JOINTS_H

#include "document.h"

// The inverse; identity where there is none.
snMat4 sni_inverse_of(const snMat4* m);
// What was bound to a joint stays where it is, though the joint at rest is now elsewhere.
void sni_follow_bind(snModel* model, uint32_t joint, const snMat4* old, const snMat4* now);
// What the joints are may be another thing, and the file's document no longer says how they stand.
void sni_joints_changed(sniBody* body);

// Gives the model other joints, with these rests to the last bit. The old skeleton is the caller's then.
snResult sni_exchange_skeleton(snModel* model, const snSkeletonDef* def, snSkeleton** old, snError* error);
// Hangs a joint on another (SN_NONE: on none) where it is, at rest and in every clip.
snResult sni_hang(snModel* model, uint32_t joint, uint32_t parent, snError* error);
// The clips of a model that hung a joint otherwise before (`from`): it goes its old ways in the world.
snResult sni_clips_hang(snModel* model, const snSkeleton* from, uint32_t joint, snError* error);
// SN_RESULT_BAD_DATA where the settings name joints that are gone, unless they did so before.
snResult sni_check_named(const snDocument* document, bool before, snError* error);

#endif
