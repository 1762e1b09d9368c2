// PLY: a header that describes elements and their properties, then the rows.
#ifndef SNI_IO_PLY_H
#define SNI_IO_PLY_H

#include "text.h"

typedef enum sniPlyType {
    SNI_PLY_NONE,
    SNI_PLY_INT8,
    SNI_PLY_UINT8,
    SNI_PLY_INT16,
    SNI_PLY_UINT16,
    SNI_PLY_INT32,
    SNI_PLY_UINT32,
    SNI_PLY_FLOAT,
    SNI_PLY_DOUBLE
} sniPlyType;

// What a property means to us; the first twelve are columns of a vertex.
enum {
    SNI_PLY_X,
    SNI_PLY_NX = 3,
    SNI_PLY_RED = 6,
    SNI_PLY_ALPHA = 9,
    SNI_PLY_U = 10,
    SNI_PLY_COLUMNS = 12,
    SNI_PLY_INDICES, // the list of a face's corners
    SNI_PLY_OTHER
};

typedef struct sniPlyProperty {
    sniPlyType type;
    sniPlyType count_type; // SNI_PLY_NONE: one value; else a list with such a count before it
    int role;
} sniPlyProperty;

typedef struct sniPlyElement {
    bool vertex, face;
    uint64_t count;
    size_t first_property; // into the header's properties
    size_t property_count;
} sniPlyElement;

typedef struct sniPlyHeader {
    bool binary, big;
    sniList elements;   // sniPlyElement
    sniList properties; // sniPlyProperty
    uint64_t vertex_count;
    uint64_t vertex_line; // of the vertex element; 0: there is none
    bool columns[SNI_PLY_COLUMNS];
    bool strips; // triangle strips or texture coordinates of corners, which are not read
} sniPlyHeader;

int sni_ply_type_size(sniPlyType type);
// Reads up to and with the line break of "end_header". `out` is freed by the caller also after a failure.
snResult sni_ply_header(sniText* text, const snAllocator* allocator, sniPlyHeader* out);
void sni_ply_header_free(sniPlyHeader* header, const snAllocator* allocator);

#endif
