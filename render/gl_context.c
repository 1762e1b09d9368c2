#include "gl_context.h"

#include <epoxy/egl.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define MOST_DEVICES 16

static snResult no_gl(snError* error, const char* step) {
    return sni_fail(error, SN_RESULT_UNSUPPORTED,
                    "no offscreen OpenGL: %s failed (EGL with Mesa's surfaceless platform or with devices "
                    "is needed)",
                    step);
}

// ----------------------------------------------------------------------------------------------- displays

static EGLDisplay start(EGLDisplay display) {
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) ? display : EGL_NO_DISPLAY;
}

static EGLDisplay surfaceless_display(void) {
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) return EGL_NO_DISPLAY;
    return start(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL));
}

// Drivers without Mesa give their GPUs as devices. Those of software are Mesa's, and come last.
static EGLDisplay device_display(void) {
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration"))
        return EGL_NO_DISPLAY;
    EGLDeviceEXT devices[MOST_DEVICES];
    EGLint count = 0;
    if (!eglQueryDevicesEXT(MOST_DEVICES, devices, &count)) return EGL_NO_DISPLAY;
    for (int software = 0; software < 2; software++) {
        for (EGLint i = 0; i < count; i++) {
            const char* can = eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS);
            if ((can != NULL && strstr(can, "EGL_MESA_device_software") != NULL) != (software == 1)) continue;
            EGLDisplay display = start(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL));
            if (display != EGL_NO_DISPLAY) return display;
        }
    }
    return EGL_NO_DISPLAY;
}

// Mesa's way first: it is the same everywhere. SINEW_EGL=device asks for a GPU beside it.
static EGLDisplay open_display(void) {
    const char* wish = getenv("SINEW_EGL");
    bool devices = wish != NULL && strcmp(wish, "device") == 0;
    EGLDisplay display = devices ? device_display() : surfaceless_display();
    if (display == EGL_NO_DISPLAY) display = devices ? surfaceless_display() : device_display();
    return display;
}

// ----------------------------------------------------------------------------------------------- contexts

static snResult open_context(EGLenum api, const EGLint* attributes, const char* step, snGlContext* out,
                             snError* error) {
    if (!epoxy_has_egl()) return no_gl(error, "finding EGL");
    EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY) return no_gl(error, "eglInitialize");
    snGlContext context = {.display = display, .context = EGL_NO_CONTEXT};
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

snResult sn_gl_context_open_canvas(const char* canvas, snGlContext* out, snError* error) {
    (void)out;
    return sni_fail(error, SN_RESULT_UNSUPPORTED, "the canvas %s: only pages have one", canvas);
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
    if (context->context != EGL_NO_CONTEXT && eglGetCurrentContext() == context->context) return true;
    return eglMakeCurrent(context->display, EGL_NO_SURFACE, EGL_NO_SURFACE, context->context);
}

// --------------------------------------------------------------------------------------------- differences

const char* sn_gl_prologue(void) {
    if (epoxy_is_desktop_gl()) return "#version 330 core\n";
    return "#version 300 es\n"
           "#define CLAMP_DEPTH\n"
           "precision highp float;\n"
           "precision highp int;\n"
           "precision highp sampler2DShadow;\n";
}

void sn_gl_encode_srgb(bool on) {
    if (!epoxy_is_desktop_gl()) return;
    if (on)
        glEnable(GL_FRAMEBUFFER_SRGB);
    else
        glDisable(GL_FRAMEBUFFER_SRGB);
}

void sn_gl_clamp_depth(bool on) {
    if (!epoxy_is_desktop_gl()) return;
    if (on)
        glEnable(GL_DEPTH_CLAMP);
    else
        glDisable(GL_DEPTH_CLAMP);
}

const char* sn_gl_renderer(void) { return (const char*)glGetString(GL_RENDERER); }
