#include "gl_context.h"

#include <epoxy/egl.h>
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

static bool device_is_software(EGLDeviceEXT device) {
    const char* can = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
    return can != NULL && strstr(can, "EGL_MESA_device_software") != NULL;
}

static EGLDisplay surfaceless_display(void) {
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) return EGL_NO_DISPLAY;
    return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
}

// Drivers beside Mesa give their GPUs as devices.
static EGLDisplay gpu_display(void) {
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration"))
        return EGL_NO_DISPLAY;
    EGLDeviceEXT devices[MOST_DEVICES];
    EGLint count = 0;
    if (!eglQueryDevicesEXT(MOST_DEVICES, devices, &count)) return EGL_NO_DISPLAY;
    for (EGLint i = 0; i < count; i++) {
        if (device_is_software(devices[i])) continue;
        EGLDisplay display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL);
        if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL)) return display;
    }
    return EGL_NO_DISPLAY;
}

// Whether it draws without a GPU, as far as it says.
static bool is_software(EGLDisplay display) {
    EGLAttrib device = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_query") ||
        !eglQueryDisplayAttribEXT(display, EGL_DEVICE_EXT, &device))
        return false;
    return device_is_software((EGLDeviceEXT)device); // NOLINT(performance-no-int-to-ptr)
}

// ----------------------------------------------------------------------------------------------- contexts

static bool try_display(EGLDisplay display, EGLenum api, const EGLint* attributes, snGlContext* out) {
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) || !eglBindAPI(api)) return false;
    snGlContext context = {.display = display};
    context.context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
    if (context.context == EGL_NO_CONTEXT || !sn_gl_context_use(&context)) {
        sn_gl_context_close(&context);
        return false;
    }
    *out = context;
    return true;
}

// Mesa's way first, with whatever GPU it finds; a GPU of another driver where Mesa has none.
static snResult open_context(EGLenum api, const EGLint* attributes, const char* step, snGlContext* out,
                             snError* error) {
    if (!epoxy_has_egl()) return no_gl(error, "finding EGL");
    EGLDisplay surfaceless = surfaceless_display();
    bool mesa = surfaceless != EGL_NO_DISPLAY && eglInitialize(surfaceless, NULL, NULL);
    if (mesa && !is_software(surfaceless) && try_display(surfaceless, api, attributes, out))
        return SN_RESULT_OK;
    if (try_display(gpu_display(), api, attributes, out)) return SN_RESULT_OK;
    if (mesa && try_display(surfaceless, api, attributes, out)) return SN_RESULT_OK;
    return no_gl(error, step);
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
