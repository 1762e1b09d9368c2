// An OpenGL context that needs no window, display server or GPU.
#ifndef SINEW_GL_CONTEXT_H
#define SINEW_GL_CONTEXT_H

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include "sinew/base.h"

typedef struct snGlContext {
    EGLDisplay display;
    EGLContext context;
} snGlContext;

// Makes an OpenGL 3.3 core context and makes it current. SN_RESULT_UNSUPPORTED where there is none.
snResult sn_gl_context_open(snGlContext* out, snError* error);
// The same with OpenGL ES 3.0, which is what browsers have: shaders that both are to run are tried on it.
snResult sn_gl_context_open_es(snGlContext* out, snError* error);
void sn_gl_context_close(snGlContext* context);
bool sn_gl_context_use(const snGlContext* context);

// A program of shaders that are put together from up to three texts each; NULL ones are left out.
typedef struct snGlProgramDef {
    const char* name; // appears in errors
    const char* vertex[3];
    const char* fragment[3];
    const char* captured[2]; // outputs of the vertex shader for transform feedback, interleaved; or NULL
} snGlProgramDef;
// Compiles and links. Returns 0 on failure.
GLuint sn_gl_program_of(const snGlProgramDef* def, snError* error);
GLuint sn_gl_program(const char* name, const char* vertex, const char* fragment, snError* error);

#endif
