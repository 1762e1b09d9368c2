// Records, objects and links of a binary FBX file. Every offset and count is checked against the bytes there
// are.
#include "fbx.h"

#include <stdlib.h>
#include <zlib.h>

#define HEAD 27         // bytes before the first record
#define MOST (1u << 26) // numbers of one list

// ------------------------------------------------------------------------------------------------ records

static uint64_t number_at(const sniFbx* fbx, size_t at, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) value |= (uint64_t)fbx->data[at + i] << (8 * i);
    return value;
}

// The record at an offset; false at the end of a list and where the bytes make none.
static bool record_at(const sniFbx* fbx, size_t at, size_t limit, sniFbxNode* out) {
    size_t word = fbx->wide ? 8 : 4, head = 3 * word + 1;
    if (at > limit || limit - at < head) return false;
    uint64_t end = number_at(fbx, at, word), count = number_at(fbx, at + word, word);
    uint64_t bytes = number_at(fbx, at + 2 * word, word);
    uint8_t length = fbx->data[at + 3 * word];
    size_t begin = at + head + length;
    if (end == 0 || end > limit || begin > end || bytes > end - begin) return false;
    *out = (sniFbxNode){
        (const char*)fbx->data + at + head, length, count, begin, begin + (size_t)bytes, (size_t)end};
    return true;
}

bool sni_fbx_is(const sniFbxNode* node, const char* name) {
    return strlen(name) == node->name_length && memcmp(node->name, name, node->name_length) == 0;
}

bool sni_fbx_child(const sniFbx* fbx, const sniFbxNode* node, const char* name, sniFbxNode* out) {
    sniFbxNode child;
    for (size_t at = node->children; record_at(fbx, at, node->end, &child); at = child.end) {
        if (!sni_fbx_is(&child, name)) continue;
        *out = child;
        return true;
    }
    return false;
}

// --------------------------------------------------------------------------------------------- properties

typedef struct Property {
    char type;
    size_t at;    // its value, or the bytes of its list
    size_t bytes; // of them
    uint32_t count;
    bool packed;
} Property;

static size_t size_of_type(char type) {
    switch (type) {
    case 'C':
    case 'B':
    case 'b':
    case 'c':
        return 1;
    case 'Y':
        return 2;
    case 'I':
    case 'F':
    case 'i':
    case 'f':
        return 4;
    case 'D':
    case 'L':
    case 'd':
    case 'l':
        return 8;
    default:
        return 0;
    }
}

// Reads the property at an offset and moves behind it.
static bool next_property(const sniFbx* fbx, const sniFbxNode* node, size_t* at, Property* out) {
    size_t left = node->children - *at;
    if (*at >= node->children) return false;
    *out =
        (Property){.type = (char)fbx->data[*at], .at = *at + 1, .bytes = size_of_type((char)fbx->data[*at])};
    size_t head = 0;
    if (out->type == 'S' || out->type == 'R') {
        head = 4;
        if (left < 1 + head) return false;
        out->bytes = (size_t)number_at(fbx, out->at, 4);
    } else if (out->bytes > 0 && out->type >= 'a') {
        head = 12;
        if (left < 1 + head) return false;
        out->count = (uint32_t)number_at(fbx, out->at, 4);
        out->packed = number_at(fbx, out->at + 4, 4) != 0;
        out->bytes = (size_t)number_at(fbx, out->at + 8, 4);
    } else if (out->bytes == 0) {
        return false;
    }
    out->at += head;
    if (out->bytes > left - 1 - head) return false;
    *at = out->at + out->bytes;
    return true;
}

static bool property_at(const sniFbx* fbx, const sniFbxNode* node, uint32_t index, Property* out) {
    size_t at = node->properties;
    for (uint32_t i = 0; i <= index; i++)
        if (!next_property(fbx, node, &at, out)) return false;
    return true;
}

static double number_of(char type, const uint8_t* from) {
    uint64_t bits = 0;
    size_t size = size_of_type(type);
    for (size_t i = 0; i < size; i++) bits |= (uint64_t)from[i] << (8 * i);
    uint32_t low = (uint32_t)bits;
    float single;
    double wide;
    switch (type) {
    case 'Y':
        return (double)(int16_t)bits;
    case 'I':
    case 'i':
        return (double)(int32_t)low;
    case 'L':
    case 'l':
        return (double)(int64_t)bits;
    case 'F':
    case 'f':
        memcpy(&single, &low, sizeof single);
        return (double)single;
    case 'D':
    case 'd':
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    default:
        return (double)(uint8_t)bits;
    }
}

static const char* text_of(const sniFbx* fbx, const Property* property) {
    if (property->type != 'S') return "";
    char* text = SNI_ARENA_ARRAY(fbx->arena, char, property->bytes + 1);
    if (text == NULL) return "";
    memcpy(text, fbx->data + property->at, property->bytes); // a name ends where its class begins: at a zero
    return text;
}

// The bytes of a list, unpacked where they are packed; NULL where they are not as many as it says.
static const uint8_t* list_bytes(const sniFbx* fbx, const Property* list) {
    size_t bytes = (size_t)list->count * size_of_type(list->type);
    if (!list->packed) return list->bytes == bytes ? fbx->data + list->at : NULL;
    if (bytes / 1100 > list->bytes) return NULL; // zlib packs nothing tighter
    uint8_t* out = SNI_ARENA_ARRAY(fbx->arena, uint8_t, bytes);
    uLongf size = (uLongf)bytes;
    if (out == NULL || uncompress(out, &size, fbx->data + list->at, (uLong)list->bytes) != Z_OK) return NULL;
    return size == bytes ? out : NULL;
}

double* sni_fbx_numbers(const sniFbx* fbx, const sniFbxNode* node, const char* name, uint32_t* out_count) {
    sniFbxNode child;
    Property list;
    *out_count = 0;
    if (!sni_fbx_child(fbx, node, name, &child) || !property_at(fbx, &child, 0, &list)) return NULL;
    if (list.type < 'a' || list.count == 0 || list.count > MOST) return NULL;
    const uint8_t* bytes = list_bytes(fbx, &list);
    double* out = bytes != NULL ? SNI_ARENA_ARRAY(fbx->arena, double, list.count) : NULL;
    if (out == NULL) return NULL;
    size_t size = size_of_type(list.type);
    for (uint32_t i = 0; i < list.count; i++) out[i] = number_of(list.type, bytes + i * size);
    *out_count = list.count;
    return out;
}

const char* sni_fbx_text(const sniFbx* fbx, const sniFbxNode* node, const char* name) {
    sniFbxNode child;
    Property property;
    if (!sni_fbx_child(fbx, node, name, &child) || !property_at(fbx, &child, 0, &property)) return "";
    return text_of(fbx, &property);
}

bool sni_fbx_property(const sniFbx* fbx, const sniFbxNode* node, const char* name, uint32_t count,
                      double* out) {
    sniFbxNode list, line;
    if (!sni_fbx_child(fbx, node, "Properties70", &list)) return false;
    for (size_t at = list.children; record_at(fbx, at, list.end, &line); at = line.end) {
        Property property;
        if (!property_at(fbx, &line, 0, &property) || property.type != 'S' ||
            strlen(name) != property.bytes || memcmp(fbx->data + property.at, name, property.bytes) != 0)
            continue;
        enum { NUMBERS = 4 };
        double values[NUMBERS] = {0};
        for (uint32_t i = 0; i < count && i < NUMBERS; i++) { // name, type, type, flags
            if (!property_at(fbx, &line, 4 + i, &property) || property.type >= 'a' || property.type == 'S' ||
                property.type == 'R')
                return false;
            values[i] = number_of(property.type, fbx->data + property.at);
            if (!(values[i] - values[i] == 0.0)) return false;
        }
        memcpy(out, values, (count < NUMBERS ? count : NUMBERS) * sizeof *out);
        return true;
    }
    return false;
}

// ------------------------------------------------------------------------------------- objects and links

static int compare_objects(const void* a, const void* b) {
    const sniFbxObject *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

static int compare_links(const void* a, const void* b) {
    const sniFbxLink *x = a, *y = b;
    if (x->to != y->to) return x->to > y->to ? 1 : -1;
    return (x->property > y->property) - (x->property < y->property); // set to the file's order
}

static uint32_t count_children(const sniFbx* fbx, const sniFbxNode* list) {
    uint32_t count = 0;
    sniFbxNode child;
    for (size_t at = list->children; record_at(fbx, at, list->end, &child); at = child.end) count++;
    return count;
}

static bool identity(const sniFbx* fbx, const sniFbxNode* node, uint32_t index, int64_t* out) {
    Property property;
    if (!property_at(fbx, node, index, &property) || property.type != 'L') return false;
    *out = (int64_t)number_at(fbx, property.at, 8);
    return true;
}

static bool list_objects(sniFbx* fbx, const sniFbxNode* list) {
    fbx->objects = SNI_ARENA_ARRAY(fbx->arena, sniFbxObject, count_children(fbx, list));
    if (fbx->objects == NULL) return false;
    sniFbxNode node;
    for (size_t at = list->children; record_at(fbx, at, list->end, &node); at = node.end) {
        Property name, kind;
        sniFbxObject* object = &fbx->objects[fbx->object_count];
        if (!identity(fbx, &node, 0, &object->id) || !property_at(fbx, &node, 1, &name) ||
            !property_at(fbx, &node, 2, &kind))
            continue;
        object->node = node;
        object->name = text_of(fbx, &name);
        object->kind = text_of(fbx, &kind);
        fbx->object_count++;
    }
    qsort(fbx->objects, fbx->object_count, sizeof *fbx->objects, compare_objects);
    return true;
}

static bool list_links(sniFbx* fbx, const sniFbxNode* list) {
    fbx->links = SNI_ARENA_ARRAY(fbx->arena, sniFbxLink, count_children(fbx, list));
    if (fbx->links == NULL) return false;
    sniFbxNode node;
    for (size_t at = list->children; record_at(fbx, at, list->end, &node); at = node.end) {
        sniFbxLink* link = &fbx->links[fbx->link_count];
        if (!identity(fbx, &node, 1, &link->from) || !identity(fbx, &node, 2, &link->to)) continue;
        link->property = (const char*)fbx->data + node.properties; // only to keep the order
        fbx->link_count++;
    }
    qsort(fbx->links, fbx->link_count, sizeof *fbx->links, compare_links);
    for (uint32_t i = 0; i < fbx->link_count; i++) {
        sniFbxNode link = {.properties = (size_t)((const uint8_t*)fbx->links[i].property - fbx->data)};
        link.children = list->end;
        Property property;
        Property type;
        bool by_property = property_at(fbx, &link, 0, &type) && type.bytes == 2 &&
                           fbx->data[type.at + 1] == 'P' && property_at(fbx, &link, 3, &property);
        fbx->links[i].property = by_property ? text_of(fbx, &property) : "";
    }
    return true;
}

bool sni_fbx_open(const uint8_t* data, size_t size, sniArena* arena, sniFbx* out) {
    static const char magic[] = "Kaydara FBX Binary  ";
    *out = (sniFbx){.data = data, .size = size, .arena = arena};
    if (size < HEAD || memcmp(data, magic, sizeof magic) != 0) return false;
    uint64_t version = number_at(out, 23, 4);
    if (version < 7000 || version >= 8000) return false;
    out->wide = version >= 7500;
    sniFbxNode top = {.children = HEAD, .end = size}, objects, links;
    return sni_fbx_child(out, &top, "Objects", &objects) && sni_fbx_child(out, &top, "Connections", &links) &&
           list_objects(out, &objects) && list_links(out, &links) && !arena->failed;
}

const sniFbxObject* sni_fbx_find(const sniFbx* fbx, int64_t id) {
    sniFbxObject key = {.id = id};
    return bsearch(&key, fbx->objects, fbx->object_count, sizeof key, compare_objects);
}

const sniFbxObject* sni_fbx_model(const sniFbx* fbx, const char* name) {
    const sniFbxObject* found = NULL;
    for (uint32_t i = 0; i < fbx->object_count; i++) {
        const sniFbxObject* object = &fbx->objects[i];
        if (!sni_fbx_is(&object->node, "Model") || strcmp(object->name, name) != 0) continue;
        if (found != NULL) return NULL;
        found = object;
    }
    return found;
}

uint32_t sni_fbx_links(const sniFbx* fbx, int64_t to, const sniFbxLink** first) {
    uint32_t low = 0, high = fbx->link_count, end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fbx->links[middle].to < to)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; end < fbx->link_count && fbx->links[end].to == to; end++) {
    }
    *first = fbx->links + low;
    return end - low;
}

const sniFbxObject* sni_fbx_linked(const sniFbx* fbx, int64_t to, const char* record, const char* kind,
                                   const char* property) {
    const sniFbxLink* links;
    uint32_t count = sni_fbx_links(fbx, to, &links);
    for (uint32_t i = 0; i < count; i++) {
        if (property != NULL && strcmp(links[i].property, property) != 0) continue;
        const sniFbxObject* object = sni_fbx_find(fbx, links[i].from);
        if (object != NULL && sni_fbx_is(&object->node, record) &&
            (kind == NULL || strcmp(object->kind, kind) == 0))
            return object;
    }
    return NULL;
}
