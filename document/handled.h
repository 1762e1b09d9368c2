// Handles of a document: the structure, poses for it, and the path that leads it. They belong together: poses
// name handles, paths name both.
#ifndef SNI_DOCUMENT_HANDLED_H
#define SNI_DOCUMENT_HANDLED_H

#include "sinew/io.h"
#include "store.h"

// Bytes that someone else owns.
typedef struct sniSlice {
    const uint8_t* data;
    size_t size;
} sniSlice;

typedef struct sniPoses {
    uint32_t count;
    snHandlePose** poses;
    char** files; // where each was read; "": nowhere
} sniPoses;

// A path file as it came, and what it means for the rig and the poses.
typedef struct sniPath {
    char* name;
    uint8_t* data;
    size_t size;
    uint32_t file_count;
    snFile* files; // that it names: pictures of terrains
    float ground;  // height that the model stands on
    snPathFile* made;
} sniPath;

// Edits replace it as a whole, so that parking it is a matter of pointers.
typedef struct sniHandled {
    snHandles* rig; // NULL: there is none, nor anything else
    sniPoses poses;
    sniPath* path; // NULL: none
} sniHandled;

// Files beside a file, copied as a reader opens them. False when out of memory.
bool sni_files_keep(const snAllocator* memory, snFile** files, uint32_t* count, size_t* room,
                    const char* name, const void* data, size_t size);
void sni_files_free(const snAllocator* memory, snFile* files, uint32_t count);

void sni_handled_free(sniHandled* handled, const snAllocator* memory);

// --------------------------------------------------------------------------------------------------- items

void sni_rig_put(const snHandles* rig, sniBytes* out);
void sni_poses_put(const sniPoses* poses, sniBytes* out);
void sni_path_put(const sniPath* path, sniBytes* out);

// The other way; every claim is checked. Without bytes there is none. `vertices`: of the model's mesh.
snResult sni_rig_get(sniSlice bytes, uint64_t vertices, const snAllocator* memory, snHandles** out,
                     snError* error);
snResult sni_poses_get(sniSlice bytes, const snHandles* rig, const snAllocator* memory, sniPoses* out,
                       snError* error);
snResult sni_path_get(sniSlice bytes, const sniHandled* with, const snAllocator* memory, sniPath** out,
                      snError* error);

// ---------------------------------------------------------------------------------------------------- parts

snResult sni_rig_copy(const snHandles* from, const snAllocator* memory, snHandles** out, snError* error);
// A pose for the same handles, bit by bit.
snResult sni_pose_copy(const snHandlePose* from, const snHandles* rig, const snAllocator* memory,
                       snHandlePose** out, snError* error);
// Takes the pose over where it succeeds. `file` NULL: "".
bool sni_poses_add(sniPoses* poses, snHandlePose* pose, const char* file, const snAllocator* memory);
void sni_poses_free(sniPoses* poses, const snAllocator* memory);
void sni_path_free(sniPath* path, const snAllocator* memory);
// The same file, read for these handles and poses.
snResult sni_path_read_for(const sniPath* from, const sniHandled* with, size_t limit,
                           const snAllocator* memory, sniPath** out, snError* error);

#endif
