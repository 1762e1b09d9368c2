// What assimp loses of a binary FBX file: how skins were bound, blends of linear and dual skin, and curves
// that are not straight between their keys. Only the program sinew-import uses these files; everything here
// is beside what assimp read, and where the file is not as expected assimp's answer stays.
#ifndef SNI_IO_FBX_H
#define SNI_IO_FBX_H

#include "arena.h"
#include "sinew/math.h"

// A record of the file: name, properties, records below it. Nothing is copied.
typedef struct sniFbxNode {
    const char* name;
    uint8_t name_length;
    uint64_t property_count;
    size_t properties; // offset; they end where the children begin
    size_t children;   // offset
    size_t end;        // offset
} sniFbxNode;

typedef struct sniFbxObject {
    int64_t id;
    sniFbxNode node;
    const char* name; // "" where it has none
    const char* kind; // "Mesh", "Skin", "Cluster" ...
} sniFbxObject;

typedef struct sniFbxLink {
    int64_t from, to;
    const char* property; // of `to`, or ""
} sniFbxLink;

typedef struct sniFbx {
    const uint8_t* data;
    size_t size;
    bool wide; // offsets of 64 bits
    sniArena* arena;
    uint32_t object_count;
    sniFbxObject* objects; // by id
    uint32_t link_count;
    sniFbxLink* links; // by `to`, those of one object in the file's order
} sniFbx;

// ------------------------------------------------------------------------------------------- fbx_file.c

// False: not a binary FBX of version 7, damaged, or out of memory; then there is nothing to ask.
bool sni_fbx_open(const uint8_t* data, size_t size, sniArena* arena, sniFbx* out);
// The first record of that name below another; false: there is none.
bool sni_fbx_child(const sniFbx* fbx, const sniFbxNode* node, const char* name, sniFbxNode* out);
// Numbers of the first property, a list of any type, in the arena; NULL where there are none.
double* sni_fbx_numbers(const sniFbx* fbx, const sniFbxNode* node, const char* child, uint32_t* out_count);
// The text of the first property of a record below; "" where there is none.
const char* sni_fbx_text(const sniFbx* fbx, const sniFbxNode* node, const char* child);
// `count` numbers of a line of Properties70; false, and `out` untouched: it has no such line.
bool sni_fbx_property(const sniFbx* fbx, const sniFbxNode* node, const char* name, uint32_t count,
                      double* out);
bool sni_fbx_is(const sniFbxNode* node, const char* name);

const sniFbxObject* sni_fbx_find(const sniFbx* fbx, int64_t id);
// The model of that name; NULL where there is none or several.
const sniFbxObject* sni_fbx_model(const sniFbx* fbx, const char* name);
// Links to an object: *first and as many as are returned.
uint32_t sni_fbx_links(const sniFbx* fbx, int64_t to, const sniFbxLink** first);
// The first object of a record name and kind (NULL: any) that is linked to another (by a property; NULL:
// any).
const sniFbxObject* sni_fbx_linked(const sniFbx* fbx, int64_t to, const char* record, const char* kind,
                                   const char* property);

// ------------------------------------------------------------------------------------------- fbx_skin.c

// The inverse bind of a bone in the skin of a mesh, both named by their models: the file keeps it, whereas
// assimp takes the mesh from where it stands now. False: the file does not say.
bool sni_fbx_inverse_bind(const sniFbx* fbx, const char* mesh, const char* bone, snMat4* out);

// How much of dual skin the vertices of a mesh have, by position; assimp splits vertices and forgets numbers.
typedef struct sniFbxShares {
    uint32_t count; // 0: it is linear
    struct sniFbxShare* points;
} sniFbxShares;
sniFbxShares sni_fbx_shares(const sniFbx* fbx, const char* mesh);
float sni_fbx_share(const sniFbxShares* shares, snVec3 position);

// ----------------------------------------------------------------------------------------- fbx_curves.c

struct aiAnimation;
// The animation with keys enough to follow its curves: at every half frame where they are not straight.
// `animation` itself where there is nothing to add.
const struct aiAnimation* sni_fbx_refine(const sniFbx* fbx, const struct aiAnimation* animation);

#endif
