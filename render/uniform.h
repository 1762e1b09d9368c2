// Setting uniforms by name; names that a program does not use are ignored, as OpenGL does.
#ifndef SINEW_UNIFORM_H
#define SINEW_UNIFORM_H

#include "gl_context.h"
#include "sinew/math.h"

static inline void sn_uniform_int(GLuint program, const char* name, int value) {
    glUniform1i(glGetUniformLocation(program, name), value);
}
static inline void sn_uniform_float(GLuint program, const char* name, float value) {
    glUniform1f(glGetUniformLocation(program, name), value);
}
static inline void sn_uniform_vec2(GLuint program, const char* name, float x, float y) {
    glUniform2f(glGetUniformLocation(program, name), x, y);
}
static inline void sn_uniform_vec3(GLuint program, const char* name, snVec3 v) {
    glUniform3f(glGetUniformLocation(program, name), v.x, v.y, v.z);
}
static inline void sn_uniform_mat4(GLuint program, const char* name, const snMat4* m) {
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, m->m);
}
// Binds a texture to a unit and the unit to a sampler.
static inline void sn_uniform_texture(GLuint program, const char* name, int unit, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(GL_TEXTURE_2D, texture);
    sn_uniform_int(program, name, unit);
}

#endif
