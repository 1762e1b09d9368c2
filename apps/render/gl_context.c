#include "gl_context.h"

#include "base/error.h"

static snResult no_gl(snError* error, const char* step) {
    return sni_fail(error, SN_RESULT_UNSUPPORTED,
                    "no offscreen OpenGL: %s failed (EGL with Mesa's surfaceless platform is needed)", step);
}

snResult sn_gl_context_open(snGlContext* out, snError* error) {
    if (!epoxy_has_egl() || !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
        return no_gl(error, "finding EGL_MESA_platform_surfaceless");
    EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL))
        return no_gl(error, "eglInitialize");

    static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                        3,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        3,
                                        EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                        EGL_NONE};
    snGlContext context = {display, EGL_NO_CONTEXT};
    if (eglBindAPI(EGL_OPENGL_API))
        context.context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context.context == EGL_NO_CONTEXT || !sn_gl_context_use(&context)) {
        sn_gl_context_close(&context);
        return no_gl(error, "making an OpenGL 3.3 context");
    }
    *out = context;
    return SN_RESULT_OK;
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

static GLuint compile(const char* name, GLenum stage, const char* source, snError* error) {
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, 1, &source, NULL);
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

GLuint sn_gl_program(const char* name, const char* vertex, const char* fragment, snError* error) {
    GLuint v = compile(name, GL_VERTEX_SHADER, vertex, error);
    GLuint f = v != 0 ? compile(name, GL_FRAGMENT_SHADER, fragment, error) : 0;
    GLuint program = 0;
    if (f != 0) {
        program = glCreateProgram();
        glAttachShader(program, v);
        glAttachShader(program, f);
        glLinkProgram(program);
        GLint done = 0;
        glGetProgramiv(program, GL_LINK_STATUS, &done);
        if (!done) {
            char log[256] = "";
            glGetProgramInfoLog(program, sizeof log, NULL, log);
            sni_fail(error, SN_RESULT_UNSUPPORTED, "the %s shader does not link: %s", name, log);
            glDeleteProgram(program);
            program = 0;
        }
    }
    glDeleteShader(v);
    glDeleteShader(f);
    return program;
}
