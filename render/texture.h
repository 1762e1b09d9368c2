// Material images in OpenGL, uploaded once.
#ifndef SINEW_TEXTURE_H
#define SINEW_TEXTURE_H

#include "gl_context.h"
#include "sinew/rig.h"

// The texture unit that belongs to material images. Uploading binds there, so it disturbs no other binding.
#define SN_IMAGE_UNIT 1

typedef struct snTextures {
    struct {
        const snImage* image;
        GLuint texture;
    } * entries;
    size_t count, capacity;
    uint64_t bytes; // uploaded so far
    snAllocator allocator;
} snTextures;

// The texture of an sRGB image with mipmaps; 0 when out of memory.
GLuint sn_textures_get(snTextures* textures, const snImage* image);
// Drops all of them.
void sn_textures_clear(snTextures* textures);

#endif
