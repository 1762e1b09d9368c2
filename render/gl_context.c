#include "gl_context.h"

#include "base/error.h"

static snResult no_gl(snError* error, const char* step) {
    return sni_fail(error, SN_RESULT_UNSUPPORTED,
                    "no offscreen OpenGL: %s failed (EGL with Mesa's surfaceless platform is needed)", step);
}

static snResult open_context(EGLenum api, const EGLint* attributes, const char* step, snGlContext* out,
                             snError* error) {
    if (!epoxy_has_egl() || !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        return no_gl(error, "finding EGL_MESA_platform_surfaceless");
    EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return no_gl(error, "eglInitialize");
    snGlContext context = {display, EGL_NO_CONTEXT};
    if (eglBindAPI(api))
        context.context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context.context == EGL_NO_CONTEXT || !sn_gl_context_use(&context)) {
        sn_gl_context_close(&context);
        return no_gl(error, step);
    }
    *out = context;
    return SN_RESULT_OK;
}

snResult sn_gl_context_open(snGlContext* out, snError* error) {
    static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                        3,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        3,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                        EGL_NONE};
    return open_context(EGL_OPENGL_API, attributes, "making an OpenGL 3.3 context", out, error);
}

snResult sn_gl_context_open_es(snGlContext* out, snError* error) {
    static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0, EGL_NONE};
    return open_context(EGL_OPENGL_ES_API, attributes, "making an OpenGL ES 3.0 context", out, error);
}

void sn_gl_context_close(snGlContext* context) {
    eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context->context != EGL_NO_CONTEXT) eglDestroyContext(context->display, context->context);
    // The display is shared by every renderer of the process and stays initialised: terminating it would pull
    // it away from the others.
    context->context = EGL_NO_CONTEXT;
}

bool sn_gl_context_use(const snGlContext* context) {
    return eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context);
}

#define TEXTS 3 // of one shader
#define CAPTURED 2

static uint32_t count_texts(const char* const* texts, uint32_t most) {
    uint32_t count = 0;
    while (count < most && texts[count] != NULL) count++;
    return count;
}

static GLuint compile(const char* name, GLenum stage, const char* const* texts, snError* error) {
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, (GLsizei)count_texts(texts, TEXTS), texts, NULL);
    glCompileShader(shader);
    GLint done = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done) return shader;
    char log[256] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    sni_fail(error, SN_RESULT_UNSUPPORTED, "the %s shader does not compile: %s", name, log);
    glDeleteShader(shader);
    return 0;
}

static GLuint link(const snGlProgramDef* def, GLuint vertex, GLuint fragment, snError* error) {
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    uint32_t captured = count_texts(def->captured, CAPTURED);
    if (captured > 0)
        glTransformFeedbackVaryings(program, (GLsizei)captured, def->captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    GLint done = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (done) return program;
    char log[256] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    sni_fail(error, SN_RESULT_UNSUPPORTED, "the %s shader does not link: %s", def->name, log);
    glDeleteProgram(program);
    return 0;
}

GLuint sn_gl_program_of(const snGlProgramDef* def, snError* error) {
    GLuint vertex = compile(def->name, GL_VERTEX_SHADER, def->vertex, error);
    GLuint fragment = vertex != 0 ? compile(def->name, GL_FRAGMENT_SHADER, def->fragment, error) : 0;
    GLuint program = fragment != 0 ? link(def, vertex, fragment, error) : 0;
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return program;
}

GLuint sn_gl_program(const char* name, const char* vertex, const char* fragment, snError* error) {
    const snGlProgramDef def = {.name = name, .vertex = {vertex}, .fragment = {fragment}};
    return sn_gl_program_of(&def, error);
}
