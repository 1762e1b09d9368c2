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
void sn_gl_context_close(snGlContext* context);
bool sn_gl_context_use(const snGlContext* context);

// Compiles and links; `name` appears in errors. Returns 0 on failure.
GLuint sn_gl_program(const char* name, const char* vertex, const char* fragment, snError* error);

#endif
