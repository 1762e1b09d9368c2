#include "target.h"

static bool finish(snTarget* target) {
    bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    complete = glGetError() == GL_NO_ERROR && complete;
    if (!complete) sn_target_close(target);
    return complete;
}

static void begin(snTarget* target, uint32_t width, uint32_t height) {
    while (glGetError() != GL_NO_ERROR) {
    }
    *target = (snTarget){.width = width, .height = height};
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
}

static GLuint open_texture(GLint format, uint32_t width, uint32_t height, GLenum layout, GLenum type) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, (GLsizei)width, (GLsizei)height, 0, layout, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

static bool open_color(snTarget* target, GLint format, uint32_t width, uint32_t height) {
    begin(target, width, height);
    target->color = open_texture(format, width, height, GL_RGBA, GL_UNSIGNED_BYTE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->color, 0);
    return finish(target);
}

bool sn_target_open_texture(snTarget* target, uint32_t width, uint32_t height) {
    return open_color(target, GL_RGBA8, width, height);
}

void sn_target_open_pixel(snTarget* target) {
    *target = (snTarget){.width = 1, .height = 1};
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    target->color = open_texture(GL_RGBA8, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->color, 0);
}

bool sn_target_open_srgb(snTarget* target, uint32_t width, uint32_t height) {
    return open_color(target, GL_SRGB8_ALPHA8, width, height);
}

bool sn_target_open_depth(snTarget* target, uint32_t size) {
    begin(target, size, size);
    target->depth = open_texture(GL_DEPTH_COMPONENT24, size, size, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth, 0);
    const GLenum none = GL_NONE;
    glDrawBuffers(1, &none);
    glReadBuffer(GL_NONE);
    return finish(target);
}

static GLuint open_buffer(GLenum format, GLenum attachment, const snTarget* target, uint32_t samples) {
    GLuint buffer = 0;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, (GLsizei)samples, format, (GLsizei)target->width,
                                     (GLsizei)target->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
    return buffer;
}

bool sn_target_open_picture(snTarget* target, uint32_t width, uint32_t height, uint32_t samples) {
    begin(target, width, height);
    target->buffers = true;
    target->color = open_buffer(GL_SRGB8_ALPHA8, GL_COLOR_ATTACHMENT0, target, samples);
    target->depth = open_buffer(GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT, target, samples);
    return finish(target);
}

void sn_target_close(snTarget* target) {
    if (target->framebuffer != 0) glDeleteFramebuffers(1, &target->framebuffer);
    if (target->buffers) {
        glDeleteRenderbuffers(1, &target->color);
        glDeleteRenderbuffers(1, &target->depth);
    } else {
        glDeleteTextures(1, &target->color);
        glDeleteTextures(1, &target->depth);
    }
    *target = (snTarget){0};
}

void sn_target_use(const snTarget* target) {
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, (GLsizei)target->width, (GLsizei)target->height);
}

void sn_target_resolve_box(const snTarget* from, const snTarget* to, GLint left, GLint bottom, GLint right,
                           GLint top) {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from->framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
    glBlitFramebuffer(left, bottom, right, top, left, bottom, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void sn_target_resolve(const snTarget* from, const snTarget* to) {
    sn_target_resolve_box(from, to, 0, 0, (GLint)to->width, (GLint)to->height);
}
