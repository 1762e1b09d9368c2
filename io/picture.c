// PNG pictures through libpng: any bit depth and color type in, 8-bit RGBA or plain grey out.
//
// libpng reports errors by a long jump. Each function that sets the jump keeps everything it must free in a
// Reader or Writer that lives outside of it.
#include <png.h>
#include <setjmp.h>

#include "base/progress.h"
#include "bytes.h"
#include "file.h"
#include "limit.h"
#include "picture.h"
#include "sinew/io.h"

snResult sn_image_create(uint32_t width, uint32_t height, const snAllocator* allocator, snImage** out) {
    size_t pixels = 0;
    if (out == NULL || width == 0 || height == 0) return SN_RESULT_INVALID_ARGUMENT;
    if (!sni_mul_size(width, height, &pixels)) return SN_RESULT_OUT_OF_MEMORY;
    snAllocator memory = sni_allocator(allocator);
    snImage* image = SNI_NEW(&memory, snImage);
    if (image == NULL) return SN_RESULT_OUT_OF_MEMORY;
    image->pixels = sni_alloc_array(&memory, pixels, 4);
    if (image->pixels == NULL) {
        sni_free(&memory, image);
        return SN_RESULT_OUT_OF_MEMORY;
    }
    image->width = width;
    image->height = height;
    image->allocator = memory;
    *out = image;
    return SN_RESULT_OK;
}

void sn_image_destroy(snImage* image) {
    if (image == NULL) return;
    snAllocator memory = image->allocator;
    sni_free(&memory, image->pixels);
    sni_free(&memory, image);
}

// ----------------------------------------------------------------------------------------------- libpng

typedef struct Session {
    snAllocator allocator;
    const char* name;
    snError* error;
    snResult result;
    jmp_buf jump;
    // Reading:
    const uint8_t* data;
    size_t size;
    size_t at;
    snProgress progress;
    int passes; // over all rows: interlaced pictures have seven
    snImage* image;
    png_bytep* rows;
    uint8_t* pixels;      // of a grey picture: RGBA
    uint32_t least, most; // its sides
    sniGrey grey;
    // Writing:
    sniBytes bytes;
} Session;

static void* png_alloc(png_structp png, png_alloc_size_t size) {
    Session* session = png_get_mem_ptr(png);
    void* memory = session->allocator.alloc(session->allocator.user, size > 0 ? size : 1, SNI_ALIGNMENT);
    if (memory == NULL) session->result = SN_RESULT_OUT_OF_MEMORY;
    return memory;
}

static void png_release(png_structp png, png_voidp pointer) {
    Session* session = png_get_mem_ptr(png);
    sni_free(&session->allocator, pointer);
}

static void on_error(png_structp png, png_const_charp text) {
    Session* session = png_get_error_ptr(png);
    if (session->result == SN_RESULT_OK) {
        session->result = sni_fail(session->error, SN_RESULT_BAD_DATA, "PNG: %s", text);
        if (session->error != NULL) session->error->offset = session->at;
    } else if (session->result != SN_RESULT_CANCELLED) {
        sni_fail_memory(session->error);
    }
    if (session->error != NULL && session->name != NULL) {
        snprintf(session->error->file, sizeof session->error->file, "%s", session->name);
    }
    longjmp(session->jump, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void on_read(png_structp png, png_bytep out, size_t size) {
    Session* session = png_get_io_ptr(png);
    if (size > session->size - session->at) png_error(png, "the file ends too early");
    memcpy(out, session->data + session->at, size);
    session->at += size;
}

// ---------------------------------------------------------------------------------------------- reading

#define TOLD_ROWS 64 // between two words with the listener

static void on_row(png_structp png, png_uint_32 row, int pass) {
    Session* session = png_get_io_ptr(png);
    if (row % TOLD_ROWS != 0) return;
    float height = (float)session->image->height;
    float share = ((float)pass * height + (float)row) / ((float)session->passes * height);
    session->result =
        sni_progress(&session->progress, "reading", share < 1.0f ? share : 1.0f, session->error);
    if (session->result != SN_RESULT_OK) png_error(png, "cancelled");
}

// Returns how often the rows come.
static int ask_for_rgba(png_structp png, png_infop info, bool keep_16) {
    png_set_expand(png); // palettes, low bit depths and transparency to full samples
    if (!keep_16) png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, keep_16 ? 0xffff : 0xff, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    return passes;
}

static snResult read_pixels(Session* session, png_structp png, png_infop info) {
    if (setjmp(session->jump) != 0) return session->result;
    png_set_read_fn(png, session, on_read);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff); // the allocator's limit decides
    png_read_info(png, info);
    session->passes = ask_for_rgba(png, info, false);
    uint32_t width = png_get_image_width(png, info);
    uint32_t height = png_get_image_height(png, info);
    if (png_get_rowbytes(png, info) != (size_t)width * 4) png_error(png, "an unknown pixel layout");
    session->result = sn_image_create(width, height, &session->allocator, &session->image);
    session->rows = SNI_NEW_ARRAY(&session->allocator, png_bytep, height);
    if (session->result == SN_RESULT_OK && session->rows == NULL) session->result = SN_RESULT_OUT_OF_MEMORY;
    if (session->result != SN_RESULT_OK) png_error(png, "out of memory");
    for (uint32_t y = 0; y < height; y++) session->rows[y] = session->image->pixels + (size_t)y * width * 4;
    if (session->progress.run != NULL) png_set_read_status_fn(png, on_row);
    png_read_image(png, session->rows);
    png_read_end(png, NULL);
    return SN_RESULT_OK;
}

static snResult decode(Session* session, snImage** out) {
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, session, on_error, on_warning, session,
                                               png_alloc, png_release);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    snResult result = info != NULL ? read_pixels(session, png, info) : sni_fail_memory(session->error);
    png_destroy_read_struct(&png, &info, NULL);
    sni_free(&session->allocator, session->rows);
    if (result != SN_RESULT_OK) {
        sn_image_destroy(session->image);
        return result;
    }
    *out = session->image;
    return SN_RESULT_OK;
}

snResult sn_png_read_memory(const char* name, const void* data, size_t size, const snReadDef* def,
                            snImage** out, snError* error) {
    if (name == NULL || data == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a name, data and an output are needed");
    }
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    sniLimit* limit = sni_limit_create(def->allocator, def->memory_limit);
    if (limit == NULL) return sni_fail_memory(error);
    Session session = {.allocator = sni_limit_allocator(limit),
                       .name = name,
                       .error = error,
                       .data = data,
                       .size = size,
                       .progress = def->progress};
    snResult result = sni_limit_explain(limit, decode(&session, out), name, error);
    sni_limit_close(limit);
    return result;
}

snResult sn_png_read(const char* path, const snReadDef* def, snImage** out, snError* error) {
    if (path == NULL || out == NULL) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a path and an output are needed");
    }
    snReadDef defaults = sn_read_def();
    if (def == NULL) def = &defaults;
    snAllocator memory = sni_allocator(def->allocator);
    uint8_t* data = NULL;
    size_t size = 0;
    snResult result = sni_file_read(path, def->memory_limit, &memory, &data, &size, error);
    if (result != SN_RESULT_OK) return result;
    result = sn_png_read_memory(path, data, size, def, out, error);
    sni_free(&memory, data);
    return result;
}

// ------------------------------------------------------------------------------------------ reading grey

static void read_rgba(Session* session, png_structp png, png_infop info) {
    sniGrey* grey = &session->grey;
    size_t bytes = (size_t)grey->width * 4 * (grey->depth / 8);
    if (png_get_rowbytes(png, info) != bytes) png_error(png, "an unknown pixel layout");
    session->pixels = sni_alloc_array(&session->allocator, grey->height, bytes);
    session->rows = SNI_NEW_ARRAY(&session->allocator, png_bytep, grey->height);
    grey->samples = SNI_NEW_ARRAY(&session->allocator, uint16_t, (size_t)grey->width * grey->height);
    if (session->pixels == NULL || session->rows == NULL || grey->samples == NULL) {
        session->result = SN_RESULT_OUT_OF_MEMORY;
        png_error(png, "out of memory");
    }
    for (uint32_t y = 0; y < grey->height; y++) session->rows[y] = session->pixels + y * bytes;
    png_read_image(png, session->rows);
    png_read_end(png, NULL);
}

// From RGBA in `depth` bits, most significant byte first.
static snResult take_grey(Session* session) {
    sniGrey* grey = &session->grey;
    size_t bytes = grey->depth / 8;
    uint32_t full = grey->depth == 16 ? 0xffff : 0xff;
    for (size_t i = 0; i < (size_t)grey->width * grey->height; i++) {
        const uint8_t* at = session->pixels + i * 4 * bytes;
        uint32_t rgba[4];
        for (size_t c = 0; c < 4; c++) {
            rgba[c] = bytes == 2 ? (uint32_t)at[2 * c] << 8 | at[2 * c + 1] : at[c];
        }
        const char* fault = rgba[3] != full                            ? "is not opaque"
                            : rgba[0] != rgba[1] || rgba[1] != rgba[2] ? "has a color"
                                                                       : NULL;
        if (fault != NULL) {
            return sni_fail(session->error, SN_RESULT_BAD_DATA, "pixel %u of row %u %s, expected grey",
                            (unsigned)(i % grey->width), (unsigned)(i / grey->width), fault);
        }
        grey->samples[i] = (uint16_t)rgba[0];
    }
    return SN_RESULT_OK;
}

static snResult read_grey(Session* session, png_structp png, png_infop info) {
    if (setjmp(session->jump) != 0) return session->result;
    png_set_read_fn(png, session, on_read);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_read_info(png, info);
    sniGrey* grey = &session->grey;
    grey->width = png_get_image_width(png, info);
    grey->height = png_get_image_height(png, info);
    grey->depth = png_get_bit_depth(png, info) == 16 ? 16 : 8;
    if (grey->width < session->least || grey->height < session->least || grey->width > session->most ||
        grey->height > session->most) {
        return sni_fail(session->error, SN_RESULT_BAD_DATA, "it has %u x %u pixels, expected %u to %u a side",
                        (unsigned)grey->width, (unsigned)grey->height, (unsigned)session->least,
                        (unsigned)session->most);
    }
    ask_for_rgba(png, info, grey->depth == 16);
    read_rgba(session, png, info);
    return take_grey(session);
}

snResult sni_grey_decode(const void* data, size_t size, uint32_t least, uint32_t most,
                         const snAllocator* allocator, sniGrey* out, snError* error) {
    Session session = {
        .allocator = *allocator, .error = error, .data = data, .size = size, .least = least, .most = most};
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &session, on_error, on_warning,
                                               &session, png_alloc, png_release);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    snResult result = info != NULL ? read_grey(&session, png, info) : sni_fail_memory(error);
    png_destroy_read_struct(&png, &info, NULL);
    sni_free(&session.allocator, session.rows);
    sni_free(&session.allocator, session.pixels);
    if (result == SN_RESULT_OK)
        *out = session.grey;
    else
        sni_free(&session.allocator, session.grey.samples);
    return result;
}

// ---------------------------------------------------------------------------------------------- writing

static void on_write(png_structp png, png_bytep data, size_t size) {
    Session* session = png_get_io_ptr(png);
    sni_bytes_add(&session->bytes, data, size);
    if (session->bytes.failed) {
        session->result = SN_RESULT_OUT_OF_MEMORY;
        png_error(png, "out of memory");
    }
}

static void on_flush(png_structp png) { (void)png; }

static snResult write_pixels(Session* session, const snImage* image, png_structp png, png_infop info) {
    if (setjmp(session->jump) != 0) return session->result;
    png_set_write_fn(png, session, on_write, on_flush);
    png_set_IHDR(png, info, image->width, image->height, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t y = 0; y < image->height; y++) {
        png_write_row(png, image->pixels + (size_t)y * image->width * 4);
    }
    png_write_end(png, info);
    return SN_RESULT_OK;
}

static snResult write_grey(Session* session, const sniGrey* grey, png_structp png, png_infop info) {
    if (setjmp(session->jump) != 0) return session->result;
    png_set_write_fn(png, session, on_write, on_flush);
    png_set_IHDR(png, info, grey->width, grey->height, (int)grey->depth, PNG_COLOR_TYPE_GRAY,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t y = 0; y < grey->height; y++) {
        for (uint32_t x = 0; x < grey->width; x++) {
            uint16_t sample = grey->samples[(size_t)y * grey->width + x];
            if (grey->depth == 16) {
                session->pixels[2 * x] = (uint8_t)(sample >> 8);
                session->pixels[2 * x + 1] = (uint8_t)sample;
            } else {
                session->pixels[x] = (uint8_t)sample;
            }
        }
        png_write_row(png, session->pixels);
    }
    png_write_end(png, info);
    return SN_RESULT_OK;
}

snResult sni_grey_encode(const sniGrey* grey, const char* name, sniBytes* out, snError* error) {
    Session session = {.allocator = out->allocator, .name = name, .error = error, .bytes = *out};
    session.pixels = sni_alloc_array(&session.allocator, grey->width, 2);
    if (session.pixels == NULL) return sni_fail_memory(error);
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &session, on_error, on_warning,
                                                &session, png_alloc, png_release);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    snResult result = info != NULL ? write_grey(&session, grey, png, info) : sni_fail_memory(error);
    png_destroy_write_struct(&png, &info);
    sni_free(&session.allocator, session.pixels);
    *out = session.bytes;
    return result;
}

snResult sni_png_encode(const snImage* image, const char* name, sniBytes* out, snError* error) {
    Session session = {.allocator = out->allocator, .name = name, .error = error, .bytes = *out};
    png_structp png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &session, on_error, on_warning,
                                                &session, png_alloc, png_release);
    png_infop info = png != NULL ? png_create_info_struct(png) : NULL;
    snResult result = info != NULL ? write_pixels(&session, image, png, info) : sni_fail_memory(error);
    png_destroy_write_struct(&png, &info);
    *out = session.bytes;
    return result;
}

snResult sn_png_write(const snImage* image, const char* path, snError* error) {
    if (image == NULL || path == NULL || image->width == 0 || image->height == 0) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an image with pixels and a path are needed");
    }
    snAllocator memory = sni_allocator_of(&image->allocator);
    sniBytes bytes = sni_bytes(&memory);
    return sni_bytes_save(&bytes, sni_png_encode(image, path, &bytes, error), path, error);
}

snResult sn_png_write_memory(const snImage* image, const snAllocator* allocator, snBytes* out,
                             snError* error) {
    if (image == NULL || out == NULL || image->width == 0 || image->height == 0) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an image with pixels and an output are needed");
    }
    snAllocator memory = sni_allocator(allocator);
    sniBytes bytes = sni_bytes(&memory);
    return sni_bytes_hand(&bytes, sni_png_encode(image, NULL, &bytes, error), out, error);
}
