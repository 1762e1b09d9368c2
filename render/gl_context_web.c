// The seam to WebGL2.
#include <emscripten/html5_webgl.h>

#include "base/error.h"
#include "gl_context.h"

snResult sn_gl_context_open(snGlContext* out, snError* error) {
    (void)out;
    return sni_fail(error, SN_RESULT_UNSUPPORTED, "a page needs a canvas to draw on");
}

snResult sn_gl_context_open_canvas(const char* canvas, snGlContext* out, snError* error) {
    EmscriptenWebGLContextAttributes wanted;
    emscripten_webgl_init_context_attributes(&wanted);
    wanted.majorVersion = 2;
    wanted.alpha = false;
    wanted.depth = false; // pictures are drawn elsewhere and come here finished
    wanted.antialias = false;
    wanted.powerPreference = EM_WEBGL_POWER_PREFERENCE_HIGH_PERFORMANCE;
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE page = emscripten_webgl_create_context(canvas, &wanted);
    if (page <= 0) return sni_fail(error, SN_RESULT_UNSUPPORTED, "no WebGL2 for the canvas %s", canvas);
    snGlContext context = {.page = (intptr_t)page};
    if (!sn_gl_context_use(&context)) {
        sn_gl_context_close(&context);
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "WebGL2 for the canvas %s was lost at once", canvas);
    }
    *out = context;
    return SN_RESULT_OK;
}

void sn_gl_context_close(snGlContext* context) {
    if (context->page != 0) emscripten_webgl_destroy_context((EMSCRIPTEN_WEBGL_CONTEXT_HANDLE)context->page);
    context->page = 0;
}

bool sn_gl_context_use(const snGlContext* context) {
    EMSCRIPTEN_WEBGL_CONTEXT_HANDLE page = (EMSCRIPTEN_WEBGL_CONTEXT_HANDLE)context->page;
    if (emscripten_is_webgl_context_lost(page)) return false;
    return emscripten_webgl_get_current_context() == page ||
           emscripten_webgl_make_context_current(page) == EMSCRIPTEN_RESULT_SUCCESS;
}

// EXT_depth_clamp is rare; moving vertices to the near plane does the same for a light without perspective.
const char* sn_gl_prologue(void) {
    return "#version 300 es\n"
           "#define CLAMP_DEPTH\n"
           "precision highp float;\n"
           "precision highp int;\n"
           "precision highp sampler2DShadow;\n";
}

void sn_gl_encode_srgb(bool on) { (void)on; }

void sn_gl_clamp_depth(bool on) { (void)on; }

const char* sn_gl_renderer(void) { return (const char*)glGetString(GL_RENDERER); }
