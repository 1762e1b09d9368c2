// Contact inside of bends, made once: the points that planes hold, and the faces around them.
#include "volume/contact.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

// Which points are held or share a face with one that is; `marks` has one zero per point.
static void mark_places(const snContact* c, uint8_t* marks) {
    const sniClosed* closed = c->closed;
    for (size_t i = 0; i < c->pressed_count; i++) marks[c->pressed[i].place] = 2;
    for (uint32_t f = 0; f < closed->real_faces; f++) {
        const uint32_t* at = closed->faces[f].at;
        bool held = marks[at[0]] == 2 || marks[at[1]] == 2 || marks[at[2]] == 2 || marks[at[3]] == 2;
        for (int k = 0; k < 4 && held; k++) marks[at[k]] = marks[at[k]] != 0 ? marks[at[k]] : 1;
    }
}

static bool create_places(snContact* c, const uint8_t* marks, uint32_t* of_point) {
    const sniClosed* closed = c->closed;
    uint32_t vertices = closed->vertex_starts[closed->part_count];
    for (uint32_t i = 0; i < closed->point_count; i++) c->place_count += marks[i] != 0;
    c->ids = SNI_NEW_ARRAY(&c->allocator, uint32_t, c->place_count);
    c->places = SNI_NEW_ARRAY(&c->allocator, uint32_t, vertices);
    c->faces = (uint32_t(*)[4])sni_alloc_array(&c->allocator, closed->real_faces, 4 * sizeof(uint32_t));
    if (c->ids == NULL || c->places == NULL || c->faces == NULL) return false;
    uint32_t count = 0;
    for (uint32_t i = 0; i < closed->point_count; i++) {
        of_point[i] = marks[i] != 0 ? count : c->place_count;
        if (marks[i] != 0) c->ids[count++] = i;
    }
    for (uint32_t v = 0; v < vertices; v++) c->places[v] = of_point[closed->points[v]];
    for (size_t i = 0; i < c->pressed_count; i++) c->pressed[i].place = of_point[c->pressed[i].place];
    for (uint32_t f = 0; f < closed->real_faces; f++) {
        const uint32_t* at = closed->faces[f].at;
        bool held = marks[at[0]] == 2 || marks[at[1]] == 2 || marks[at[2]] == 2 || marks[at[3]] == 2;
        for (int k = 0; k < 4 && held; k++) c->faces[c->face_count][k] = of_point[at[k]];
        c->face_count += held;
    }
    return true;
}

static snResult number_places(snContact* c, snError* error) {
    uint8_t* marks = SNI_NEW_ARRAY(&c->allocator, uint8_t, c->closed->point_count);
    uint32_t* of_point = SNI_NEW_ARRAY(&c->allocator, uint32_t, c->closed->point_count);
    bool ready = marks != NULL && of_point != NULL;
    if (ready) {
        mark_places(c, marks);
        ready = create_places(c, marks, of_point);
    }
    sni_free(&c->allocator, marks);
    sni_free(&c->allocator, of_point);
    return ready ? SN_RESULT_OK : sni_fail_memory(error);
}

static snResult fill(const snExactVolumeDef* def, snContact* contact, snError* error) {
    SNI_TRY(sni_volume_def_check(def, &contact->allocator, error));
    SNI_TRY(sni_closed_create(def, &contact->allocator, &contact->closed, error));
    contact->joint_count = def->joint_count;
    snExactVolumeDef hung;
    if (!sni_hang_joints(def, contact->closed, &contact->allocator, &hung)) return sni_fail_memory(error);
    snResult result = sni_contact_divide(&hung, contact, error);
    sni_hung_free(&hung, &contact->allocator);
    return result == SN_RESULT_OK ? number_places(contact, error) : result;
}

snResult sn_contact_create(const snExactVolumeDef* def, const snAllocator* allocator, snContact** out,
                           snError* error) {
    snAllocator memory = sni_allocator(allocator);
    snContact* contact = SNI_NEW(&memory, snContact);
    if (contact == NULL) return sni_fail_memory(error);
    contact->allocator = memory;
    snResult result = fill(def, contact, error);
    if (result == SN_RESULT_OK)
        *out = contact;
    else
        sn_contact_destroy(contact);
    return result;
}

void sn_contact_destroy(snContact* contact) {
    if (contact == NULL) return;
    snAllocator memory = contact->allocator;
    sni_closed_destroy(contact->closed);
    void* arrays[] = {contact->divides, contact->pressed, contact->ids,     contact->places,
                      contact->faces,   contact->curves,  contact->weights, contact};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

sniHang sni_contact_hang(const snContact* c, const sniDivide* d, const snMat4* curves) {
    if (c->influences == 0) return (sniHang){0};
    size_t first = (size_t)d->first * c->influences;
    return (sniHang){curves, c->influences, c->curves + first, c->weights + first};
}

uint32_t sn_contact_joints(const snContact* contact, uint32_t* out_joints, uint32_t capacity) {
    for (uint32_t i = 0; i < contact->divide_count && i < capacity; i++)
        out_joints[i] = contact->divides[i].joint;
    return contact->divide_count;
}
