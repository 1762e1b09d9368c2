#include "viewport.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "ramp.h"
#include "view_open.h"
#include "view_state.h"

// Of the driver's multisampling. Supersampling has four pixels for each already.
#define SAMPLES 4
#define SAMPLES_SUPER 2

snViewportDef sn_viewport_def(void) { return (snViewportDef){.supersample = 2}; }

snLook sn_look(void) {
    return (snLook){.materials = true, .ground = true, .selected_part = SN_NONE, .selected_joint = SN_NONE};
}

snMark sn_mark(void) {
    return (snMark){
        .size = 6.0f, .color = 0xFFFFFFFF, .on_top = true, .panes = (1u << SN_VIEWPORT_PANES) - 1};
}

snViewDef sn_view_def(void) {
    return (snViewDef){.width = 640,
                       .height = 640,
                       .orbit = sn_orbit(),
                       .split_at = 0.5f,
                       .looks = {sn_look(), sn_look()},
                       .floor = NAN,
                       .gizmo = {.axes = {0, 0, 0, 1}},
                       .axes_x = 56.0f,
                       .axes_y = 56.0f,
                       .pixel_ratio = 1.0f};
}

// --------------------------------------------------------------------------------------- create, destroy

static void* count_alloc(void* user, size_t size, size_t alignment) {
    snViewport* v = user;
    v->allocations++;
    return v->parent.alloc(v->parent.user, size, alignment);
}

static void hand_on_free(void* user, void* pointer) {
    snViewport* v = user;
    v->parent.free(v->parent.user, pointer);
}

static void fill_legend(snViewport* v) {
    for (uint32_t i = 0; i < SN_LEGEND_COLORS; i++) {
        snVec3 c = sn_fading_ramp_color((float)i / (SN_LEGEND_COLORS - 1));
        v->legend_colors[i] = (uint32_t)sn_srgb_byte(c.x) << 16 | (uint32_t)sn_srgb_byte(c.y) << 8 |
                              (uint32_t)sn_srgb_byte(c.z);
    }
}

static snResult open_all(snViewport* v, snError* error) {
    SNI_TRY(sn_painter_open(&v->painter, &v->allocator, error));
    SNI_TRY(sn_strokes_open(&v->strokes, &v->allocator, error));
    SNI_TRY(sn_outline_open(&v->outline, error));
    SNI_TRY(sn_view_present_open(v, error));
    GLint samples = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &samples);
    uint32_t wanted = v->def.samples;
    if (wanted == 0) wanted = v->def.supersample > 1 ? SAMPLES_SUPER : SAMPLES;
    v->samples = (uint32_t)samples < wanted ? (uint32_t)samples : wanted;
    for (uint32_t i = 0; i < SN_VIEWPORT_PANES; i++) {
        SNI_TRY(sn_shadow_open(&v->panes[i].shadow, i > 0 ? &v->panes[0].shadow : NULL, error));
        v->panes[i].painter = &v->painter;
        v->panes[i].bytes = &v->bytes;
        v->panes[i].allocator = v->allocator;
        v->panes[i].scene = (snBounds){{-0.58f, -0.58f, -0.58f}, {0.58f, 0.58f, 0.58f}};
        v->panes[i].bounds = sn_bounds_empty();
        v->panes[i].moved = true;
    }
    fill_legend(v);
    return SN_RESULT_OK;
}

snResult sn_view_open(const snViewportDef* def, snViewContextFn* open, const snAllocator* allocator,
                      snViewport** out, snError* error) {
    if (def == NULL || def->supersample == 0 || def->supersample > 4)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "supersample %u is not 1 .. 4",
                        def != NULL ? def->supersample : 0);
    snAllocator parent = sni_allocator(allocator);
    snViewport* v = SNI_NEW(&parent, snViewport);
    if (v == NULL) return sni_fail_memory(error);
    v->def = *def;
    v->def.canvas = NULL; // used up here
    v->parent = parent;
    v->allocator = (snAllocator){count_alloc, hand_on_free, v};
    snResult result = def->canvas != NULL ? sn_gl_context_open_canvas(def->canvas, &v->context, error)
                                          : open(&v->context, error);
    if (result != SN_RESULT_OK) {
        sni_free(&parent, v);
        return result;
    }
    v->on_canvas = def->canvas != NULL;
    result = open_all(v, error);
    if (result != SN_RESULT_OK) {
        sn_viewport_destroy(v);
        return result;
    }
    *out = v;
    return SN_RESULT_OK;
}

snResult sn_viewport_create(const snViewportDef* def, const snAllocator* allocator, snViewport** out,
                            snError* error) {
    return sn_view_open(def, sn_gl_context_open, allocator, out, error);
}

void sn_viewport_destroy(snViewport* viewport) {
    if (viewport == NULL) return;
    // Without its context nothing is left on the GPU; memory still is.
    sn_gl_context_use(&viewport->context);
    sn_viewport_forget(viewport);
    for (uint32_t i = SN_VIEWPORT_PANES; i-- > 0;) sn_shadow_close(&viewport->panes[i].shadow);
    sn_target_close(&viewport->picture);
    sn_target_close(&viewport->resolved);
    sn_target_close(&viewport->shown);
    sn_outline_close(&viewport->outline);
    sn_strokes_close(&viewport->strokes);
    sn_painter_close(&viewport->painter);
    sn_gl_context_close(&viewport->context);
    snAllocator parent = viewport->parent;
    sni_free(&parent, viewport);
}

// ------------------------------------------------------------------------------------------------- models

snResult sn_view_lost(snError* error) {
    return sni_fail(error, SN_RESULT_UNSUPPORTED, "the OpenGL context was lost");
}

static snResult check_pane(uint32_t pane, snError* error) {
    if (pane < SN_VIEWPORT_PANES) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "pane %u of %u", pane, SN_VIEWPORT_PANES);
}

static void drop(snViewModel* shared) {
    if (shared != NULL && --shared->uses == 0) sn_view_model_close(shared);
}

void sn_viewport_forget(snViewport* viewport) {
    sn_gl_context_use(&viewport->context);
    for (uint32_t i = 0; i < SN_VIEWPORT_PANES; i++) drop(sn_view_pane_clear(&viewport->panes[i]));
    sn_textures_clear(&viewport->painter.textures);
}

// What is there of the model already, or all of it anew; a use more.
static snResult share(snViewport* v, const snModel* model, const snCharacter* character, snViewModel** out,
                      snError* error) {
    for (uint32_t i = 0; i < SN_VIEWPORT_PANES; i++) {
        if (v->panes[i].model != model) continue;
        *out = v->panes[i].shared;
        (*out)->uses++;
        return SN_RESULT_OK;
    }
    SNI_TRY(sn_view_model_open(model, character, &v->allocator, out, error));
    (*out)->uses = 1;
    v->bytes.kept += sn_view_model_bytes(*out);
    return SN_RESULT_OK;
}

snResult sn_viewport_set_model(snViewport* viewport, uint32_t pane, const snModel* model,
                               const snCharacter* character, snError* error) {
    SNI_TRY(check_pane(pane, error));
    if (!sn_gl_context_use(&viewport->context)) return sn_view_lost(error);
    snViewPane* p = &viewport->panes[pane];
    snViewModel* shared = NULL;
    snCharacter* rest = NULL;
    snResult result = SN_RESULT_OK;
    if (model != NULL && character == NULL) result = sn_show_rest(model, &viewport->allocator, &rest, error);
    if (model != NULL && result == SN_RESULT_OK)
        result = share(viewport, model, character != NULL ? character : rest, &shared, error);
    if (result != SN_RESULT_OK) {
        sn_character_destroy(rest);
        return result;
    }
    drop(sn_view_pane_clear(p)); // after sharing, so that the same model stays
    if (model == NULL) return SN_RESULT_OK;
    result = sn_view_pane_set(p, shared, character, rest, error);
    if (result != SN_RESULT_OK) drop(sn_view_pane_clear(p));
    return result;
}

snResult sn_viewport_update(snViewport* viewport, uint32_t pane, snError* error) {
    SNI_TRY(check_pane(pane, error));
    if (!sn_gl_context_use(&viewport->context)) return sn_view_lost(error);
    snResult result = sn_view_pane_update(&viewport->panes[pane], error);
    glFlush(); // the GPU begins while the frame is planned
    return result;
}

void sn_viewport_touch(snViewport* viewport, uint32_t pane) {
    if (pane < SN_VIEWPORT_PANES) viewport->panes[pane].dressed = false;
}

snResult sn_viewport_set_heat(snViewport* viewport, uint32_t pane, const float* values, uint32_t count,
                              float min, float max, const char* title, const char* unit, snError* error) {
    SNI_TRY(check_pane(pane, error));
    snViewPane* p = &viewport->panes[pane];
    if (values != NULL && !(sn_finite(min) && sn_finite(max)))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "heat from %g to %g", (double)min, (double)max);
    p->given = values;
    p->given_count = count;
    p->given_heat = (snViewHeat){.min = min, .max = max};
    snprintf(p->given_heat.title, sizeof p->given_heat.title, "%s", title != NULL ? title : "");
    snprintf(p->given_heat.unit, sizeof p->given_heat.unit, "%s", unit != NULL ? unit : "");
    p->dressed = false;
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------- what is shown

void sn_viewport_legend(snViewport* viewport, uint32_t pane, snLegendInfo* out) {
    *out = (snLegendInfo){.unit = ""};
    if (pane >= SN_VIEWPORT_PANES) return;
    const snViewHeat* heat = &viewport->panes[pane].heat;
    if (heat->title[0] == '\0') return;
    *out = (snLegendInfo){.title = heat->title,
                          .unit = heat->unit,
                          .min = heat->min,
                          .max = heat->max,
                          .color_count = SN_LEGEND_COLORS,
                          .colors = viewport->legend_colors};
}

const char* sn_viewport_renderer(const snViewport* viewport) {
    const char* name = sn_gl_context_use(&viewport->context) ? sn_gl_renderer() : NULL;
    return name != NULL ? name : "";
}

void sn_viewport_stats(const snViewport* viewport, snViewportStats* out) {
    *out = (snViewportStats){.bytes_kept = viewport->bytes.kept + viewport->painter.textures.bytes,
                             .bytes_streamed = viewport->bytes.streamed,
                             .draw_calls = viewport->painter.draws,
                             .shadows = viewport->shadows,
                             .allocations = viewport->allocations};
}
