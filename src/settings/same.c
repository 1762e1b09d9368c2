// What differs between two settings, for those who make anew only what depends on it.
#include <string.h>

#include "settings/settings.h"
#include "volume/exact.h"

static bool same_text(const char* a, const char* b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

// An array that is not there differs from one that is, and is the same as none.
static bool same_items(const void* a, const void* b, size_t count, size_t size) {
    if (a == NULL || b == NULL) return a == b || count == 0;
    return count == 0 || memcmp(a, b, count * size) == 0;
}

static bool same_place(snVec3 a, snVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

bool sni_same_setting(const snSettings* a, const snSettings* b, const snSetting* setting) {
    static const size_t sizes[] = {[SN_SETTING_BOOL] = sizeof(bool),
                                   [SN_SETTING_COUNT] = sizeof(uint32_t),
                                   [SN_SETTING_FLOAT] = sizeof(float),
                                   [SN_SETTING_VEC3] = sizeof(snVec3),
                                   [SN_SETTING_CHOICE] = sizeof(snSkinMethod)};
    return memcmp((const char*)a + setting->offset, (const char*)b + setting->offset, sizes[setting->type]) ==
           0;
}

bool sni_same_layers(const snSettings* a, const snSettings* b) {
    return a->layer_count == b->layer_count &&
           same_items(a->layers, b->layers, a->layer_count, sizeof *a->layers);
}

static bool same_rule(const snFleshRule* a, const snFleshRule* b) {
    return same_text(a->bone, b->bone) && same_text(a->part, b->part) && a->vertex_count == b->vertex_count &&
           (a->vertices == NULL) == (b->vertices == NULL) &&
           same_items(a->vertices, b->vertices, a->vertex_count, sizeof *a->vertices) &&
           (a->amounts == NULL) == (b->amounts == NULL) &&
           same_items(a->amounts, b->amounts, a->vertex_count, sizeof *a->amounts) &&
           same_place(a->center, b->center) && a->radius == b->radius && a->color == b->color &&
           a->softness == b->softness && a->alpha == b->alpha && a->damping == b->damping &&
           a->force == b->force && a->width == b->width && a->bends == b->bends;
}

bool sni_same_rules(const snSettings* a, const snSettings* b) {
    bool same = a->rule_count == b->rule_count;
    for (uint32_t i = 0; i < a->rule_count && same; i++) same = same_rule(&a->rules[i], &b->rules[i]);
    return same;
}

bool sni_same_profile(const snSettings* a, const snSettings* b) {
    return a->profile_count == b->profile_count &&
           same_items(a->profile, b->profile, a->profile_count, sizeof *a->profile);
}

bool sni_same_colliders(const snSettings* a, const snSettings* b) {
    bool same = a->collider_count == b->collider_count;
    for (uint32_t i = 0; i < a->collider_count && same; i++) {
        const snColliderDef *c = &a->colliders[i], *d = &b->colliders[i];
        same = same_text(c->joint, d->joint) && same_place(c->from, d->from) && same_place(c->to, d->to) &&
               c->radius == d->radius;
    }
    return same;
}

bool sni_same_pushes(const snSettings* a, const snSettings* b) {
    bool same = a->push_count == b->push_count;
    for (uint32_t i = 0; i < a->push_count && same; i++) {
        const snPush *p = &a->pushes[i], *q = &b->pushes[i];
        same = same_text(p->joint, q->joint) && same_place(p->place, q->place) && p->radius == q->radius &&
               same_place(p->move, q->move) && p->from == q->from && p->to == q->to;
    }
    return same;
}

bool sni_same_volume_rules(const snSettings* a, const snSettings* b) {
    bool same = a->volume_rule_count == b->volume_rule_count;
    for (uint32_t i = 0; i < a->volume_rule_count && same; i++) {
        const snVolumeRule *r = &a->volume_rules[i], *s = &b->volume_rules[i];
        same = same_text(r->joint, s->joint) && r->amount == s->amount &&
               sni_same_volume_profile(&r->profile, &s->profile);
    }
    return same;
}

bool sni_same_volume_targets(const snSettings* a, const snSettings* b) {
    bool same = a->volume_target_count == b->volume_target_count;
    for (uint32_t i = 0; i < a->volume_target_count && same; i++) {
        const snVolumeTarget *t = &a->volume_targets[i], *u = &b->volume_targets[i];
        same = same_text(t->joint, u->joint) && t->loop == u->loop && t->key_count == u->key_count &&
               same_items(t->keys, u->keys, t->key_count, sizeof *t->keys);
    }
    return same;
}

bool sni_same_spline_rules(const snSettings* a, const snSettings* b) {
    bool same = a->spline_rule_count == b->spline_rule_count;
    for (uint32_t i = 0; i < a->spline_rule_count && same; i++)
        same = same_text(a->spline_rules[i].joint, b->spline_rules[i].joint) &&
               a->spline_rules[i].stiffness == b->spline_rules[i].stiffness;
    return same;
}

static bool same_style(const snStyle* a, const snStyle* b) {
    bool same = same_text(a->name, b->name) && a->bend_angle == b->bend_angle &&
                a->twist_angle == b->twist_angle && a->strength == b->strength && a->hollow == b->hollow &&
                a->fade == b->fade && a->sides == b->sides;
    for (uint32_t d = 0; d < SN_STYLE_DIRECTIONS && same; d++) {
        const snStyleTexture *t = &a->textures[d], *u = &b->textures[d];
        const snStyleCurve *c = &a->curves[d], *e = &b->curves[d];
        same = t->width == u->width && t->height == u->height && t->one == u->one &&
               (t->texels == NULL) == (u->texels == NULL) &&
               same_items(t->texels, u->texels, (size_t)t->width * t->height, sizeof *t->texels) &&
               c->count == e->count && same_items(c->keys, e->keys, c->count, sizeof *c->keys);
    }
    return same;
}

bool sni_same_styles(const snSettings* a, const snSettings* b) {
    bool same = a->style_count == b->style_count;
    for (uint32_t i = 0; i < a->style_count && same; i++) same = same_style(a->styles[i], b->styles[i]);
    return same;
}

bool sni_same_style_rules(const snSettings* a, const snSettings* b) {
    bool same = a->style_rule_count == b->style_rule_count;
    for (uint32_t i = 0; i < a->style_rule_count && same; i++) {
        const snStyleRule *r = &a->style_rules[i], *s = &b->style_rules[i];
        same = same_text(r->joint, s->joint) && same_text(r->style, s->style) && r->strength == s->strength;
    }
    return same;
}
