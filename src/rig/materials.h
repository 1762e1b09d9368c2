// The materials of a model for another one with the same parts. Inline, as all that is shared with the
// library.
#ifndef SNI_RIG_MATERIALS_H
#define SNI_RIG_MATERIALS_H

#include "base/memory.h"
#include "sinew/rig.h"

static inline bool sni_image_copy(const snImage* from, const snAllocator* memory, snImage** out) {
    *out = NULL;
    if (from == NULL) return true;
    snImage* image = SNI_NEW(memory, snImage);
    if (image == NULL) return false;
    *image = (snImage){.width = from->width, .height = from->height, .allocator = *memory};
    image->pixels = sni_copy_array(memory, from->pixels, (size_t)from->width * from->height, 4);
    *out = image;
    return image->pixels != NULL;
}

// `to` has none yet. False: out of memory; what is there goes with the model.
static inline bool sni_materials_copy(const snModel* from, snModel* to) {
    const snAllocator* memory = &to->allocator;
    to->materials = SNI_NEW_ARRAY(memory, snMaterial, from->material_count);
    if (to->materials == NULL) return false;
    for (uint32_t m = 0; m < from->material_count; m++) {
        snMaterial* material = &to->materials[to->material_count++];
        *material = from->materials[m];
        material->name = sni_copy_text(memory, from->materials[m].name);
        bool copied = sni_image_copy(from->materials[m].image, memory, &material->image);
        if (material->name == NULL || !copied) return false;
    }
    for (uint32_t p = 0; p < from->part_count; p++) {
        const snPart* part = &from->parts[p];
        if (part->group_materials == NULL) continue;
        to->parts[p].group_materials =
            sni_copy_array(memory, part->group_materials, part->mesh->group_count, sizeof(uint32_t));
        if (to->parts[p].group_materials == NULL) return false;
    }
    return true;
}

#endif
