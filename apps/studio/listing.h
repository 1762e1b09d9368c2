// Every file of a folder and of the folders in it, under its path from there.
#ifndef SINEW_STUDIO_LISTING_H
#define SINEW_STUDIO_LISTING_H

#include "sinew/base.h"

typedef struct sniListed {
    char* name; // as it is asked for: "assets/index.js"
    char* path; // where it is
} sniListed;

typedef struct sniListing {
    uint32_t count;
    size_t room;
    sniListed* items;
    snAllocator allocator;
} sniListing;

// Adds one under a name. One that is there already stays as it is.
snResult sni_listing_add(sniListing* listing, const char* name, const char* path, snError* error);
// Adds all that lies below a folder; links are left out, which could lead elsewhere.
snResult sni_listing_add_folder(sniListing* listing, const char* folder, snError* error);
const sniListed* sni_listing_find(const sniListing* listing, const char* name); // NULL: none
void sni_listing_free(sniListing* listing);

#endif
