// Handles in the making, inside.
#ifndef SNI_DOCUMENT_DRAFT_H
#define SNI_DOCUMENT_DRAFT_H

#include "document.h"

typedef struct sniDraft {
    char* name;
    uint8_t* marks;   // vertex_count
    uint8_t* by_hand; // vertex_count; of these, which a selection, or growing it, put there in this draft
    float* weights;   // vertex_count, below 0: `weight`; NULL: `weight` everywhere
    float weight;     // the largest of its vertices
    snVec3 center;
    bool centered;       // somebody said where
    bool selected;       // changed by a selection
    bool fresh;          // made, or made anew, in this draft
    bool gone;           // removed, or merged into another
    uint32_t* followers; // SN_HANDLES_MAX of room; handles, of which some may be gone
    uint32_t follower_count;
    float confidence;
} sniDraft;

struct snHandleDraft {
    const snModel* model;
    const snMesh* mesh;
    snSelector* selector;
    uint32_t count;
    sniDraft* handles; // SN_HANDLES_MAX
    uint8_t* scratch;  // vertex_count
    snAllocator allocator;
};

// SN_RESULT_INVALID_ARGUMENT where there is no such handle.
snResult sni_draft_check(const snHandleDraft* draft, uint32_t handle, snError* error);
// Room for weights of its own; false when out of memory.
bool sni_draft_weights(const snHandleDraft* draft, sniDraft* handle);
bool sni_draft_follows(const sniDraft* parent, uint32_t handle);
// Without doubles; nothing follows itself.
void sni_draft_follow(snHandleDraft* draft, uint32_t parent, uint32_t handle);
void sni_draft_leave(snHandleDraft* draft, uint32_t handle);

// 1: left, -1: right, 0: neither. Of a side, `out` is what the other one is called.
int sni_side_of_name(const char* name, char* out, size_t capacity);

static inline float sni_draft_weight_at(const sniDraft* handle, uint32_t vertex) {
    float said = handle->weights != NULL ? handle->weights[vertex] : -1.0f;
    return said >= 0.0f ? said : handle->weight;
}

#endif
