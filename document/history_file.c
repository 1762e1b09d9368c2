// The history as a file beside the project, so that undo survives a reload.
#include <stdio.h>

#include "history.h"
#include "io/file.h"

#define MAGIC UINT64_C(0x31595254534948) // "HISTRY1"

// --------------------------------------------------------------------------------------------------- write

static void put_delta(const sniDelta* delta, sniBytes* out) {
    sni_put_u64(out, delta->size);
    sni_put_u64(out, delta->data_size);
    sni_put_u32(out, delta->hunk_count);
    for (uint32_t h = 0; h < delta->hunk_count; h++) {
        const sniHunk* hunk = &delta->hunks[h];
        const uint64_t row[4] = {hunk->at, hunk->length, hunk->other, hunk->data};
        sni_put_array(out, row, 4, sizeof *row);
    }
    sni_put_array(out, delta->data, delta->data_size, 1);
}

static void put_entries(const sniEntry* entry, uint32_t count, sniBytes* out) {
    sni_put_u32(out, count);
    for (; entry != NULL; entry = entry->next) {
        sni_put_text(out, entry->name);
        sni_put_u32(out, entry->bits);
        for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++)
            if ((entry->bits & SNI_BIT(item)) != 0) put_delta(&entry->deltas[item], out);
    }
}

static void put_source(const snSource* source, sniBytes* out) {
    sni_put_text(out, sni_base_name(source->name));
    sni_put_float(out, source->unit);
    sni_put_u32(out, (uint32_t)source->images);
    sni_put_u32(out, source->data != NULL);
    sni_put_u64(out, source->size);
    sni_put_array(out, source->data, source->data != NULL ? source->size : 0, 1);
    sni_put_u32(out, source->file_count);
    for (uint32_t i = 0; i < source->file_count; i++) {
        sni_put_text(out, source->files[i].name);
        sni_put_u64(out, source->files[i].size);
        sni_put_array(out, source->files[i].data, source->files[i].size, 1);
    }
}

snResult sn_document_history_write_memory(const snDocument* document, snBytes* out, snError* error) {
    if (document->edit != NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "\"%s\" is still running", document->edit->name);
    for (uint32_t i = 0; i < document->source_count; i++)
        if (!sni_source_is_whole(document->sources[i]))
            return sni_fail(error, SN_RESULT_UNSUPPORTED, "the bytes of %.200s were not stored",
                            document->sources[i]->name);
    sniBytes bytes = sni_bytes(&document->allocator);
    sni_put_u64(&bytes, MAGIC);
    sni_put_u64(&bytes, sn_document_hash(document));
    // Sources that only older versions of the document name are in no project.
    sni_put_u32(&bytes, document->source_count);
    for (uint32_t i = 0; i < document->source_count; i++) put_source(document->sources[i], &bytes);
    put_entries(document->undo, document->undo_count, &bytes);
    put_entries(document->redo, document->redo_count, &bytes);
    if (bytes.failed) {
        sni_bytes_free(&bytes);
        return sni_fail_memory(error);
    }
    *out = (snBytes){bytes.data, bytes.size, document->allocator};
    return SN_RESULT_OK;
}

snResult sn_document_history_write(const snDocument* document, const char* path, snError* error) {
    snBytes bytes = {0};
    SNI_TRY(sn_document_history_write_memory(document, &bytes, error));
    snResult result = sn_file_write(path, bytes.data, bytes.size, error);
    sn_bytes_free(&bytes);
    return result;
}

// ---------------------------------------------------------------------------------------------------- read

typedef struct Reader {
    sniReader reader;
    snDocument* document;
    snError* error;
} Reader;

static snResult damaged(snError* error) {
    return sni_fail(error, SN_RESULT_BAD_DATA, "the history is damaged");
}

static bool take_size(sniReader* reader, size_t* out) {
    uint64_t size = sni_take_u64(reader);
    *out = (size_t)size;
    if (size > SIZE_MAX / 2) reader->failed = true;
    return !reader->failed;
}

static snResult get_delta(Reader* r, sniDelta* out) {
    *out = (sniDelta){.allocator = r->document->allocator};
    sniReader* in = &r->reader;
    if (!take_size(in, &out->size) || !take_size(in, &out->data_size)) return damaged(r->error);
    uint32_t hunks = sni_take_u32(in);
    const uint8_t* rows = sni_take_array(in, hunks, 4 * sizeof(uint64_t));
    const uint8_t* data = sni_take_array(in, out->data_size, 1);
    if (in->failed) return damaged(r->error);
    out->hunks = SNI_NEW_ARRAY(&out->allocator, sniHunk, hunks);
    out->data = sni_copy_array(&out->allocator, data, out->data_size, 1);
    if (out->hunks == NULL || out->data == NULL) return sni_fail_memory(r->error);
    out->hunk_count = hunks;
    for (uint32_t h = 0; h < hunks; h++) {
        uint64_t row[4];
        memcpy(row, rows + h * sizeof row, sizeof row);
        out->hunks[h] = (sniHunk){(size_t)row[0], (size_t)row[1], (size_t)row[2], (size_t)row[3]};
    }
    return SN_RESULT_OK;
}

static snResult get_entry(Reader* r, sniEntry* entry) {
    const char* name = sni_take_text(&r->reader);
    entry->bits = sni_take_below(&r->reader, 1u << SNI_ITEM_COUNT);
    if (name == NULL || r->reader.failed) return damaged(r->error);
    snprintf(entry->name, sizeof entry->name, "%s", name);
    for (uint32_t item = 0; item < SNI_ITEM_COUNT; item++)
        if ((entry->bits & SNI_BIT(item)) != 0) SNI_TRY(get_delta(r, &entry->deltas[item]));
    return SN_RESULT_OK;
}

static snResult get_entries(Reader* r, sniEntry** list, uint32_t* count) {
    uint32_t total = sni_take_u32(&r->reader);
    sniEntry** last = list;
    for (uint32_t i = 0; i < total && !r->reader.failed; i++) {
        *last = SNI_NEW(&r->document->allocator, sniEntry);
        if (*last == NULL) return sni_fail_memory(r->error);
        (*count)++;
        SNI_TRY(get_entry(r, *last));
        last = &(*last)->next;
    }
    return r->reader.failed ? damaged(r->error) : SN_RESULT_OK;
}

static snResult get_files(Reader* r, snFile* files, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        files[i].name = sni_take_text(&r->reader);
        if (!take_size(&r->reader, &files[i].size)) return damaged(r->error);
        files[i].data = sni_take_array(&r->reader, files[i].size, 1);
        if (files[i].name == NULL || files[i].data == NULL) return damaged(r->error);
    }
    return SN_RESULT_OK;
}

static snResult open_source(Reader* r, const char* name, const void* data, size_t size,
                            const snOpenDef* def) {
    snSource* source = NULL;
    SNI_TRY(data != NULL ? sn_source_open_memory(r->document, name, data, size, def, &source, r->error)
                         : sn_source_open(r->document, name, def, &source, r->error));
    bool kept = sni_source_keep(r->document, source);
    sn_source_close(source);
    return kept ? SN_RESULT_OK : sni_fail_memory(r->error);
}

static snResult get_source(Reader* r) {
    snOpenDef def = sn_open_def();
    size_t size = 0;
    const char* name = sni_take_text(&r->reader);
    def.unit = sni_take_float(&r->reader);
    def.images = (snReadImages)sni_take_below(&r->reader, SN_IMAGES_BARE + 1);
    def.new_weights = true; // the states have their own
    bool has = sni_take_below(&r->reader, 2) == 1;
    if (!take_size(&r->reader, &size)) return damaged(r->error);
    const void* data = sni_take_array(&r->reader, has ? size : 0, 1);
    uint32_t count = sni_take_u32(&r->reader);
    if (name == NULL || r->reader.failed || count > r->reader.size) return damaged(r->error);
    // Only a character that is made in code has no bytes; nothing here may reach for the disk.
    if (!has && strncmp(name, "builtin:", 8) != 0) return damaged(r->error);
    snFile* files = SNI_NEW_ARRAY(&r->document->allocator, snFile, count);
    if (files == NULL) return sni_fail_memory(r->error);
    snFiles beside = {count, files};
    def.files = &beside;
    snResult result = get_files(r, files, count);
    if (result == SN_RESULT_OK) result = open_source(r, name, has ? data : NULL, size, &def);
    sni_free(&r->document->allocator, files);
    return result;
}

static snResult get_all(Reader* r, snDocument* into) {
    if (sni_take_u64(&r->reader) != MAGIC)
        return sni_fail(r->error, SN_RESULT_BAD_DATA, "is not a history of a project");
    if (sni_take_u64(&r->reader) != sn_document_hash(r->document))
        return sni_fail(r->error, SN_RESULT_BAD_DATA, "the history is of another version of the document");
    uint32_t sources = sni_take_u32(&r->reader);
    for (uint32_t i = 0; i < sources && !r->reader.failed; i++) SNI_TRY(get_source(r));
    SNI_TRY(get_entries(r, &into->undo, &into->undo_count));
    SNI_TRY(get_entries(r, &into->redo, &into->redo_count));
    return sni_reader_done(&r->reader) ? SN_RESULT_OK : damaged(r->error);
}

snResult sn_document_history_read_memory(snDocument* document, const char* name, const void* data,
                                         size_t size, snError* error) {
    if (document->edit != NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "\"%s\" is still running", document->edit->name);
    const snAllocator* memory = &document->allocator;
    uint8_t* aligned = sni_copy_array(memory, data, size, 1);
    if (aligned == NULL) return sni_fail_memory(error);
    Reader r = {{aligned, size, 0, false}, document, error};
    snDocument read = {.allocator = document->allocator};
    snResult result = get_all(&r, &read);
    sni_free(memory, aligned);
    if (result != SN_RESULT_OK) {
        if (error != NULL && error->file[0] == '\0') snprintf(error->file, sizeof error->file, "%s", name);
        sni_history_clear(&read);
        return result;
    }
    sni_history_clear(document);
    sni_history_take(document, &read);
    return SN_RESULT_OK;
}

snResult sn_document_history_read(snDocument* document, const char* path, snError* error) {
    size_t limit = sni_read_def(document).memory_limit, size = 0;
    uint8_t* data = NULL;
    SNI_TRY(sni_file_read(path, limit, &document->allocator, &data, &size, error));
    snResult result = sn_document_history_read_memory(document, path, data, size, error);
    sni_free(&document->allocator, data);
    return result;
}
