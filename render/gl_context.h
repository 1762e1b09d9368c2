// The seam to OpenGL: 3.3 core through EGL, without a window, a display server or a GPU; or, compiled by
// Emscripten, WebGL2 in a canvas of a page. Whatever differs between the two is behind these functions.
#ifndef SINEW_GL_CONTEXT_H
#define SINEW_GL_CONTEXT_H

#ifdef __EMSCRIPTEN__
#include <GLES3/gl3.h>
#else
#include <epoxy/gl.h>
#endif

#include "sinew/base.h"

typedef struct snGlContext {
    void* display; // of EGL
    void* context; // of EGL
    intptr_t page; // handle of WebGL
} snGlContext;

// Makes a context for offscreen pictures, or for a canvas of the page, and makes it current.
// SN_RESULT_UNSUPPORTED where there is none: a page has no offscreen one, and nothing else has canvases.
snResult sn_gl_context_open(snGlContext* out, snError* error);
snResult sn_gl_context_open_canvas(const char* canvas, snGlContext* out, snError* error);
void sn_gl_context_close(snGlContext* context);
bool sn_gl_context_use(const snGlContext* context);

#ifndef __EMSCRIPTEN__
// Offscreen OpenGL ES 3.0, which is what browsers have: what both are to run is tried on it.
snResult sn_gl_context_open_es(snGlContext* out, snError* error);
#endif

// All of these mean the current context.

// Version and precisions in the GLSL it speaks; defines CLAMP_DEPTH where shaders have to do it.
const char* sn_gl_prologue(void);
// Whether drawing into sRGB targets encodes: always in OpenGL ES, as asked for in OpenGL.
void sn_gl_encode_srgb(bool on);
// Whether what lies before the near plane is kept; nothing where the prologue defines CLAMP_DEPTH.
void sn_gl_clamp_depth(bool on);
// Colors go over what is there, by their alpha. What is there keeps colors times alpha, so that all of it
// can be laid over something in turn.
static inline void sn_gl_blend(void) {
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}
// The name of what draws.
const char* sn_gl_renderer(void);

// A program of shaders that are put together from up to two texts each, behind the prologue; NULL ones are
// left out.
typedef struct snGlProgramDef {
    const char* name; // appears in errors
    const char* vertex[2];
    const char* fragment[2];
    const char* captured[2]; // outputs of the vertex shader for transform feedback, interleaved; or NULL
} snGlProgramDef;
// Compiles and links. Returns 0 on failure.
GLuint sn_gl_program_of(const snGlProgramDef* def, snError* error);
GLuint sn_gl_program(const char* name, const char* vertex, const char* fragment, snError* error);

#endif
