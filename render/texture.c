#include "texture.h"

#include "base/memory.h"

static GLuint upload(const snImage* image) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glActiveTexture(GL_TEXTURE0 + SN_IMAGE_UNIT);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (GLsizei)image->width, (GLsizei)image->height, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, image->pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return texture;
}

GLuint sn_textures_get(snTextures* textures, const snImage* image) {
    for (size_t i = 0; i < textures->count; i++)
        if (textures->entries[i].image == image) return textures->entries[i].texture;
    void* entries = textures->entries;
    if (!sni_grow(&textures->allocator, &entries, &textures->capacity, textures->count + 1,
                  sizeof *textures->entries))
        return 0;
    textures->entries = entries;
    GLuint texture = upload(image);
    textures->bytes += (uint64_t)image->width * image->height * 4;
    textures->entries[textures->count].image = image;
    textures->entries[textures->count++].texture = texture;
    return texture;
}

void sn_textures_clear(snTextures* textures) {
    for (size_t i = 0; i < textures->count; i++) glDeleteTextures(1, &textures->entries[i].texture);
    sni_free(&textures->allocator, textures->entries);
    textures->entries = NULL;
    textures->count = textures->capacity = 0;
}
