#include "listing.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"

#define DEPTH 8

static char* copy(const sniListing* listing, const char* text) {
    size_t size = strlen(text) + 1;
    char* made = SNI_NEW_ARRAY(&listing->allocator, char, size);
    if (made != NULL) memcpy(made, text, size);
    return made;
}

const sniListed* sni_listing_find(const sniListing* listing, const char* name) {
    for (uint32_t i = 0; i < listing->count; i++)
        if (strcmp(listing->items[i].name, name) == 0) return &listing->items[i];
    return NULL;
}

snResult sni_listing_add(sniListing* listing, const char* name, const char* path, snError* error) {
    if (sni_listing_find(listing, name) != NULL) return SN_RESULT_OK;
    if (!sni_grow(&listing->allocator, &listing->items, &listing->room, (size_t)listing->count + 1,
                  sizeof(sniListed)))
        return sni_fail_memory(error);
    sniListed item = {copy(listing, name), copy(listing, path)};
    if (item.name == NULL || item.path == NULL) {
        sni_free(&listing->allocator, item.name);
        sni_free(&listing->allocator, item.path);
        return sni_fail_memory(error);
    }
    listing->items[listing->count++] = item;
    return SN_RESULT_OK;
}

static snResult walk(sniListing* listing, const char* folder, const char* prefix, int depth, snError* error) {
    DIR* open = opendir(folder);
    if (open == NULL) return SN_RESULT_OK;
    snResult result = SN_RESULT_OK;
    for (struct dirent* entry; result == SN_RESULT_OK && (entry = readdir(open)) != NULL;) {
        char path[2048], name[1024];
        struct stat about;
        if (entry->d_name[0] == '.') continue;
        if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= sizeof path) continue;
        if ((size_t)snprintf(name, sizeof name, "%s%s", prefix, entry->d_name) >= sizeof name - 1) continue;
        if (lstat(path, &about) != 0) continue;
        if (S_ISREG(about.st_mode)) result = sni_listing_add(listing, name, path, error);
        if (S_ISDIR(about.st_mode) && depth < DEPTH) {
            strcat(name, "/"); // NOLINT(clang-analyzer-security.insecureAPI.strcpy): room was left for it
            result = walk(listing, path, name, depth + 1, error);
        }
    }
    closedir(open);
    return result;
}

snResult sni_listing_add_folder(sniListing* listing, const char* folder, snError* error) {
    return walk(listing, folder, "", 0, error);
}

void sni_listing_free(sniListing* listing) {
    for (uint32_t i = 0; i < listing->count; i++) {
        sni_free(&listing->allocator, listing->items[i].name);
        sni_free(&listing->allocator, listing->items[i].path);
    }
    sni_free(&listing->allocator, listing->items);
    listing->items = NULL;
    listing->count = 0;
    listing->room = 0;
}
