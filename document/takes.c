// Several takes of one document in one file.
#include "io/file.h"
#include "take.h"

// The file's own skin plays all clips; every take is posed, so that its report is whole.
static snResult write_skins(snTake* const* takes, uint32_t count, const char* path, const snTakeWriteDef* def,
                            snError* error) {
    for (uint32_t i = 0; i < count; i++) {
        if (takes[i]->document != takes[0]->document)
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "takes of one file are of one document");
        if (i > 0) SNI_TRY(sn_take_pose_all(takes[i], error));
    }
    return sn_take_write(takes[0], path, def, error);
}

snResult sn_takes_write(snTake* const* takes, uint32_t count, const char* path, const snTakeWriteDef* def,
                        snError* error) {
    if (count == 0) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "there is no take to write");
    if (count == 1) return sn_take_write(takes[0], path, def, error);
    const char* extension = sni_path_extension(path);
    if (!sni_extension_is(extension, ".glb") && !sni_extension_is(extension, ".gltf"))
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "%.200s: several clips go into a .glb or .gltf", path);
    if (def->morphs)
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "morph targets are made for one clip; several take the plain skin, or one file each");
    return write_skins(takes, count, path, def, error);
}
