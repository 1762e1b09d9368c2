// Zip archives, after the application note that every zip program follows (APPNOTE 6.3.3): headers before the
// data of each entry, a directory of them all behind, and a record at the very end that says where it is.
#include "zip_archive.h"

#include <stdlib.h>
#include <zlib.h>

#include "base/error.h"
#include "byte_order.h"

// Signatures, and the sizes of what they begin without names, extras and comments.
#define LOCAL_MARK 0x04034b50u
#define DIRECTORY_MARK 0x02014b50u
#define END_MARK 0x06054b50u
#define END64_MARK 0x07064b50u // of the locator of zip64, which lies right before the end
#define LOCAL_SIZE 30u
#define DIRECTORY_SIZE 46u
#define END_SIZE 22u
#define END64_SIZE 20u

#define ENCRYPTED 0x2041u // flags: encrypted, strongly encrypted, directory masked
#define UTF8 0x0800u
#define STORED 0u
#define DEFLATED 8u
#define DEFLATE_GAIN 1032u // no deflated byte becomes more

typedef struct Item {
    const char* name;
    const uint8_t* packed;
    uint32_t begin, end; // with its header
    uint32_t packed_size, size, sum;
    uint32_t method;
} Item;

struct sniZip {
    Item* items;      // in the archive's order
    uint32_t* sorted; // items by name
    char* names;      // zero-terminated, one after another
    uint32_t count;
    snAllocator allocator;
};

static uint32_t load16(const uint8_t* from) { return (uint32_t)sni_load_whole(from, 2, false); }
static uint32_t load32(const uint8_t* from) { return sni_load_u32(from, false); }

bool sni_zip_is_name(const char* name, size_t length) {
    if (length == 0 || length > UINT16_MAX || name[0] == '/') return false;
    if (length > 1 && name[1] == ':') return false; // a drive
    size_t part = 0;                                // where it begins
    for (size_t i = 0; i <= length; i++) {
        if (i < length && ((unsigned char)name[i] < 0x20 || name[i] == '\\')) return false;
        if (i < length && name[i] != '/') continue;
        bool empty = i == part && i < length; // the slash behind a folder ends an empty part
        if (empty || (i - part == 2 && memcmp(name + part, "..", 2) == 0)) return false;
        part = i + 1;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------- opening

typedef struct Directory {
    const uint8_t* data; // the archive
    size_t begin, end;   // of the directory
    uint32_t count;
} Directory;

static snResult fail_zip64(snError* error) {
    return sni_fail(error, SN_RESULT_UNSUPPORTED,
                    "zip: it is a zip64 archive, of more than 4 GiB or 65534 files");
}

// The record at the end is found from behind: only a comment may follow it.
static snResult find_directory(const uint8_t* data, size_t size, Directory* out, snError* error) {
    size_t back = END_SIZE;
    while (back <= size && back <= END_SIZE + UINT16_MAX &&
           !(load32(data + size - back) == END_MARK && load16(data + size - back + 20) == back - END_SIZE)) {
        back++;
    }
    if (back > size || back > END_SIZE + UINT16_MAX) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "zip: its end is missing");
    }
    size_t end = size - back;
    const uint8_t* record = data + end;
    uint32_t count = load16(record + 10), length = load32(record + 12), begin = load32(record + 16);
    if (count == UINT16_MAX || length == UINT32_MAX || begin == UINT32_MAX ||
        (end >= END64_SIZE && load32(record - END64_SIZE) == END64_MARK)) {
        return fail_zip64(error);
    }
    if (load16(record + 4) != 0 || load16(record + 6) != 0 || load16(record + 8) != count) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "zip: it is one of several files of one archive");
    }
    if (begin > end || length > end - begin) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "zip: its directory is declared to be after its end");
    }
    *out = (Directory){data, begin, (size_t)begin + length, count};
    return SN_RESULT_OK;
}

// Where the entry's bytes lie, by the header before them: sizes there may be missing, so those of the
// directory count. Names that differ would be two answers to what the entry is.
static snResult find_packed(const Directory* directory, const uint8_t* name, size_t length, Item* item,
                            snError* error) {
    size_t room = directory->begin;
    if (item->begin > room || room - item->begin < LOCAL_SIZE) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "zip: %.100s is declared to be after the others",
                        item->name);
    }
    const uint8_t* header = directory->data + item->begin;
    size_t before = (size_t)LOCAL_SIZE + load16(header + 26) + load16(header + 28);
    if (load32(header) != LOCAL_MARK || load16(header + 26) != length || load16(header + 8) != item->method ||
        room - item->begin < before || memcmp(header + LOCAL_SIZE, name, length) != 0) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "zip: the position of %.100s contains something else",
                        item->name);
    }
    if (room - item->begin - before < item->packed_size) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "zip: %.100s has fewer bytes than it declares",
                        item->name);
    }
    item->packed = header + before;
    item->end = item->begin + (uint32_t)before + item->packed_size;
    return SN_RESULT_OK;
}

static snResult fail_name(snResult code, const void* bytes, size_t length, snError* error) {
    const uint8_t* name = bytes;
    char shown[101];
    if (length > sizeof shown - 1) length = sizeof shown - 1;
    for (size_t i = 0; i < length; i++) shown[i] = name[i] >= 0x20 ? (char)name[i] : '?';
    shown[length] = '\0';
    return sni_fail(error, code, "zip: \"%s\" is not the name of a file inside a folder", shown);
}

// One record of the directory at `*at`, which moves behind it; the name goes to `*names`.
static snResult read_item(const Directory* directory, size_t* at, char** names, Item* item, snError* error) {
    const uint8_t* record = directory->data + *at;
    size_t room = directory->end - *at;
    size_t length = room >= DIRECTORY_SIZE ? load16(record + 28) : 0;
    size_t whole = room >= DIRECTORY_SIZE
                       ? DIRECTORY_SIZE + length + load16(record + 30) + load16(record + 32)
                       : DIRECTORY_SIZE;
    if (room < whole || load32(record) != DIRECTORY_MARK) {
        return sni_fail(error, SN_RESULT_BAD_DATA, "zip: its directory is damaged");
    }
    const uint8_t* name = record + DIRECTORY_SIZE;
    if (!sni_zip_is_name((const char*)name, length))
        return fail_name(SN_RESULT_BAD_DATA, name, length, error);
    *item = (Item){*names,
                   NULL,
                   load32(record + 42),
                   0,
                   load32(record + 20),
                   load32(record + 24),
                   load32(record + 16),
                   load16(record + 10)};
    memcpy(*names, name, length);
    *names += length + 1;
    *at += whole;
    if (item->begin == UINT32_MAX || item->packed_size == UINT32_MAX || item->size == UINT32_MAX) {
        return fail_zip64(error);
    }
    if ((load16(record + 8) & ENCRYPTED) != 0) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "zip: %.100s is encrypted", item->name);
    }
    return find_packed(directory, name, length, item, error);
}

static int compare_names(const void* a, const void* b) {
    return strcmp((*(const Item* const*)a)->name, (*(const Item* const*)b)->name);
}

static int compare_places(const void* a, const void* b) {
    const Item *x = *(const Item*const*)a, *y = *(const Item*const*)b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

// The places of items by name go to `sorted` (NULL: nowhere). No two may have one name.
static snResult sort_names(const Item* items, uint32_t count, const snAllocator* memory, snResult code,
                           uint32_t* sorted, snError* error) {
    const Item** order = SNI_NEW_ARRAY(memory, const Item*, count);
    if (order == NULL) return sni_fail_memory(error);
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < count; i++) order[i] = &items[i];
    qsort(order, count, sizeof(const Item*), compare_names);
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        if (sorted != NULL) sorted[i] = (uint32_t)(order[i] - items);
        if (i == 0 || strcmp(order[i - 1]->name, order[i]->name) != 0) continue;
        result = sni_fail(error, code, "zip: it has two entries with the name %.100s", order[i]->name);
    }
    sni_free(memory, order);
    return result;
}

// No entry lies on the bytes of another: that is how small archives become endless ones.
static snResult check_places(const sniZip* zip, snError* error) {
    const Item** order = SNI_NEW_ARRAY(&zip->allocator, const Item*, zip->count);
    if (order == NULL) return sni_fail_memory(error);
    snResult result = SN_RESULT_OK;
    for (uint32_t i = 0; i < zip->count; i++) order[i] = &zip->items[i];
    qsort(order, zip->count, sizeof(const Item*), compare_places);
    for (uint32_t i = 1; i < zip->count && result == SN_RESULT_OK; i++) {
        if (order[i - 1]->end <= order[i]->begin) continue;
        result = sni_fail(error, SN_RESULT_BAD_DATA, "zip: %.100s and %.100s overlap", order[i - 1]->name,
                          order[i]->name);
    }
    sni_free(&zip->allocator, order);
    return result;
}

static snResult fill_items(sniZip* zip, const Directory* directory, snError* error) {
    zip->items = SNI_NEW_ARRAY(&zip->allocator, Item, zip->count);
    zip->sorted = SNI_NEW_ARRAY(&zip->allocator, uint32_t, zip->count);
    zip->names = SNI_NEW_ARRAY(&zip->allocator, char, directory->end - directory->begin);
    if (zip->items == NULL || zip->sorted == NULL || zip->names == NULL) return sni_fail_memory(error);
    size_t at = directory->begin;
    char* names = zip->names; // shorter than the records they come from
    for (uint32_t i = 0; i < zip->count; i++) {
        SNI_TRY(read_item(directory, &at, &names, &zip->items[i], error));
    }
    SNI_TRY(sort_names(zip->items, zip->count, &zip->allocator, SN_RESULT_BAD_DATA, zip->sorted, error));
    return check_places(zip, error);
}

snResult sni_zip_open(const void* data, size_t size, uint32_t max_entries, const snAllocator* memory,
                      sniZip** out, snError* error) {
    Directory directory = {0};
    SNI_TRY(find_directory(data, size, &directory, error));
    if (directory.count > max_entries) {
        return sni_fail(error, SN_RESULT_LIMIT, "zip: it has %u entries, more than %u", directory.count,
                        max_entries);
    }
    sniZip* zip = SNI_NEW(memory, sniZip);
    if (zip == NULL) return sni_fail_memory(error);
    zip->count = directory.count;
    zip->allocator = *memory;
    snResult result = fill_items(zip, &directory, error);
    if (result != SN_RESULT_OK) {
        sni_zip_close(zip);
        return result;
    }
    *out = zip;
    return SN_RESULT_OK;
}

void sni_zip_close(sniZip* zip) {
    if (zip == NULL) return;
    snAllocator memory = zip->allocator;
    sni_free(&memory, zip->items);
    sni_free(&memory, zip->sorted);
    sni_free(&memory, zip->names);
    sni_free(&memory, zip);
}

uint32_t sni_zip_count(const sniZip* zip) { return zip->count; }
const char* sni_zip_name(const sniZip* zip, uint32_t index) { return zip->items[index].name; }
size_t sni_zip_size(const sniZip* zip, uint32_t index) { return zip->items[index].size; }

// -------------------------------------------------------------------------------------------------- reading

static void* zlib_alloc(void* user, unsigned count, unsigned size) {
    return sni_alloc_array(user, count, size);
}
static void zlib_free(void* user, void* pointer) { sni_free(user, pointer); }

static z_stream stream_of(const snAllocator* memory) {
    // zlib wants the allocator writable, and only hands it back.
    return (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free, .opaque = (void*)memory};
}

// Fills `size` bytes; there must be neither fewer nor more, on either side.
static snResult inflate_item(const Item* item, const snAllocator* memory, uint8_t* data, snError* error) {
    z_stream stream = stream_of(memory);
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return sni_fail_memory(error);
    stream.next_in = (uint8_t*)item->packed; // const in all but zlib's type
    stream.avail_in = item->packed_size;
    stream.next_out = data;
    stream.avail_out = item->size;
    int state = inflate(&stream, Z_FINISH);
    bool whole = state == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
    snResult result = SN_RESULT_OK;
    if (state == Z_MEM_ERROR) {
        result = sni_fail_memory(error);
    } else if (state == Z_DATA_ERROR || state == Z_NEED_DICT) {
        result = sni_fail(error, SN_RESULT_BAD_DATA, "zip: its packed bytes are damaged: %s",
                          stream.msg != NULL ? stream.msg : "no dictionary");
    } else if (!whole) {
        result = sni_fail(error, SN_RESULT_BAD_DATA, "zip: its size differs from the declared size");
    }
    inflateEnd(&stream);
    return result;
}

static snResult unpack(const Item* item, const snAllocator* memory, uint8_t* data, snError* error) {
    if (item->method == DEFLATED)
        SNI_TRY(inflate_item(item, memory, data, error));
    else if (item->size > 0)
        memcpy(data, item->packed, item->size);
    if (crc32(0, data, item->size) == item->sum) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "zip: CRC error: its bytes are not those that were packed");
}

static const Item* find_item(const sniZip* zip, const char* name) {
    uint32_t low = 0, high = zip->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const Item* item = &zip->items[zip->sorted[middle]];
        int order = strcmp(name, item->name);
        if (order == 0) return item;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

// What an entry claims, against what its bytes can give.
static snResult check_claim(const Item* item, size_t limit, snError* error) {
    if (item->size > limit) {
        return sni_fail(error, SN_RESULT_LIMIT, "zip: it has %u bytes, more than %zu", item->size, limit);
    }
    if (item->method != STORED && item->method != DEFLATED) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED,
                        "zip: it is packed by method %u, expected 0 (stored) or 8 (deflated)", item->method);
    }
    bool possible = item->method == STORED ? item->size == item->packed_size
                                           : item->size / DEFLATE_GAIN <= item->packed_size;
    if (possible) return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_BAD_DATA, "zip: it declares %u bytes, but has %u", item->size,
                    item->packed_size);
}

snResult sni_zip_read(const sniZip* zip, const char* name, size_t limit, const snAllocator* memory,
                      uint8_t** out, size_t* out_size, snError* error) {
    const Item* item = find_item(zip, name);
    if (item == NULL) return sni_fail(error, SN_RESULT_NOT_FOUND, "zip: the file is missing");
    SNI_TRY(check_claim(item, limit, error));
    uint8_t* data = SNI_NEW_ARRAY(memory, uint8_t, (size_t)item->size + 1);
    if (data == NULL) return sni_fail_memory(error);
    snResult result = unpack(item, memory, data, error);
    if (result != SN_RESULT_OK) {
        sni_free(memory, data);
        return result;
    }
    *out = data;
    *out_size = item->size;
    return SN_RESULT_OK;
}

// -------------------------------------------------------------------------------------------------- writing

#define MADE_BY 0x033fu         // version 6.3 of the note, on Unix
#define DOS_DATE (1u << 5 | 1u) // 1 January 1980, the beginning of MS-DOS's time
#define RIGHTS (0100666u << 16) // a plain file that all may read and write, as Unix says it

static void store16(uint8_t* to, uint32_t value) {
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}
static void store32(uint8_t* to, uint32_t value) { sni_store_u32(to, value, false); }

static bool is_ascii(const char* name) {
    while (*name > 0) name++;
    return *name == '\0';
}

// What both headers of an entry have alike, 26 bytes.
static void store_common(uint8_t* to, const Item* item) {
    store16(to, item->method == DEFLATED ? 20 : 10); // version that can unpack it
    store16(to + 2, is_ascii(item->name) ? 0 : UTF8);
    store16(to + 4, item->method);
    store16(to + 8, DOS_DATE);
    store32(to + 10, item->sum);
    store32(to + 14, item->packed_size);
    store32(to + 18, item->size);
    store16(to + 22, (uint32_t)strlen(item->name));
}

// Appends the deflated bytes where they are fewer; else `out` stays as it is, and false.
static bool add_deflated(const sniZipEntry* entry, sniBytes* out, uint32_t* packed_size, bool* enough) {
    size_t before = out->size, most = entry->size - 1;
    z_stream stream = stream_of(&out->allocator);
    uint8_t* to = sni_bytes_extend(out, most);
    *enough = to != NULL && deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8,
                                         Z_DEFAULT_STRATEGY) == Z_OK;
    if (!*enough) return false;
    stream.next_in = (uint8_t*)entry->data;
    stream.avail_in = (uInt)entry->size;
    stream.next_out = to;
    stream.avail_out = (uInt)most;
    bool shorter = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    size_t size = shorter ? most - stream.avail_out : 0;
    deflateEnd(&stream);
    memset(to + size, 0, most - size); // as sni_bytes_extend hands it out
    out->size = before + size;
    *packed_size = (uint32_t)size;
    return shorter;
}

static snResult add_entry(const sniZipEntry* entry, size_t start, sniBytes* out, Item* item, snError* error) {
    size_t length = strlen(entry->name), begin = out->size - start;
    if (!sni_zip_is_name(entry->name, length)) {
        return fail_name(SN_RESULT_INVALID_ARGUMENT, entry->name, length, error);
    }
    if (entry->size >= UINT32_MAX || begin >= UINT32_MAX) {
        return sni_fail(error, SN_RESULT_LIMIT, "zip: with %.100s it is longer than 4 GiB", entry->name);
    }
    *item = (Item){.name = entry->name,
                   .begin = (uint32_t)begin,
                   .packed_size = (uint32_t)entry->size,
                   .size = (uint32_t)entry->size,
                   .sum = (uint32_t)crc32(0, entry->data, (uInt)entry->size),
                   .method = STORED};
    uint8_t* header = sni_bytes_extend(out, LOCAL_SIZE);
    size_t place = out->size - LOCAL_SIZE;
    sni_bytes_add(out, entry->name, length);
    bool enough = header != NULL && !out->failed;
    if (enough && entry->deflate && entry->size > 1 && add_deflated(entry, out, &item->packed_size, &enough))
        item->method = DEFLATED;
    else
        item->packed_size = item->size, sni_bytes_add(out, entry->data, entry->size);
    if (!enough || out->failed) return sni_fail_memory(error);
    store32(out->data + place, LOCAL_MARK);
    store_common(out->data + place + 4, item);
    return SN_RESULT_OK;
}

static void add_record(const Item* item, sniBytes* out) {
    uint8_t* record = sni_bytes_extend(out, DIRECTORY_SIZE);
    if (record == NULL) return;
    store32(record, DIRECTORY_MARK);
    store16(record + 4, MADE_BY);
    store_common(record + 6, item);
    store32(record + 38, RIGHTS);
    store32(record + 42, item->begin);
    sni_bytes_text(out, item->name);
}

static snResult add_directory(const Item* items, uint32_t count, size_t start, sniBytes* out,
                              snError* error) {
    size_t begin = out->size - start;
    for (uint32_t i = 0; i < count; i++) add_record(&items[i], out);
    size_t size = out->size - start - begin;
    uint8_t* end = sni_bytes_extend(out, END_SIZE);
    if (end == NULL) return sni_fail_memory(error);
    if (begin >= UINT32_MAX || size >= UINT32_MAX) {
        return sni_fail(error, SN_RESULT_LIMIT, "zip: it is longer than 4 GiB");
    }
    store32(end, END_MARK);
    store16(end + 8, count);
    store16(end + 10, count);
    store32(end + 12, (uint32_t)size);
    store32(end + 16, (uint32_t)begin);
    return SN_RESULT_OK;
}

snResult sni_zip_write(const sniZipEntry* entries, uint32_t count, sniBytes* out, snError* error) {
    if (count >= UINT16_MAX) {
        return sni_fail(error, SN_RESULT_LIMIT, "zip: it would have %u entries, more than 65534", count);
    }
    Item* items = SNI_NEW_ARRAY(&out->allocator, Item, count);
    if (items == NULL) return sni_fail_memory(error);
    snResult result = SN_RESULT_OK;
    size_t start = out->size;
    for (uint32_t i = 0; i < count && result == SN_RESULT_OK; i++) {
        result = add_entry(&entries[i], start, out, &items[i], error);
    }
    if (result == SN_RESULT_OK) {
        result = sort_names(items, count, &out->allocator, SN_RESULT_INVALID_ARGUMENT, NULL, error);
    }
    if (result == SN_RESULT_OK) result = add_directory(items, count, start, out, error);
    sni_free(&out->allocator, items);
    return result;
}
