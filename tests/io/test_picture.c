// PNG in every color type, JPEG, and broken ones.
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "base64.h"
#include "io_support.h"
#include "picture.h"

typedef struct Sink {
    uint8_t data[8192];
    size_t size;
} Sink;

static void sink_write(png_structp png, png_bytep data, size_t size) {
    Sink* sink = png_get_io_ptr(png);
    assert_true(sink->size + size <= sizeof sink->data);
    memcpy(sink->data + sink->size, data, size);
    sink->size += size;
}

static void sink_flush(png_structp png) { (void)png; }

// A 5 x 4 picture; sample values rise from 0 in steps of `step`.
static void encode(int color_type, int depth, int interlace, unsigned step, Sink* sink) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    sink->size = 0;
    png_set_write_fn(png, sink, sink_write, sink_flush);
    png_set_IHDR(png, info, 5, 4, depth, color_type, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_color palette[4] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {9, 9, 9}};
    png_byte alpha[2] = {128, 255};
    if (color_type == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, palette, 4);
        png_set_tRNS(png, info, alpha, 2, NULL);
    }
    png_write_info(png, info);
    uint8_t rows[4][64] = {{0}};
    size_t bytes = png_get_rowbytes(png, info);
    for (size_t y = 0; y < 4; y++) {
        for (size_t i = 0; i < bytes; i++) rows[y][i] = (uint8_t)((y * bytes + i) * step);
    }
    png_bytep pointers[4] = {rows[0], rows[1], rows[2], rows[3]};
    png_write_image(png, pointers);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
}

static snImage* decode(const Sink* sink) {
    snImage* image = NULL;
    snError error = sn_error_none();
    if (sn_png_read_memory("a.png", sink->data, sink->size, NULL, &image, &error) != SN_RESULT_OK) {
        fail_msg("%s", error.text);
    }
    assert_int_equal(image->width, 5);
    assert_int_equal(image->height, 4);
    return image;
}

static void assert_pixel(const snImage* image, uint32_t x, uint32_t y, int r, int g, int b, int a) {
    const uint8_t* p = image->pixels + ((size_t)y * image->width + x) * 4;
    uint8_t expected[4] = {(uint8_t)r, (uint8_t)g, (uint8_t)b, (uint8_t)a};
    assert_memory_equal(p, expected, 4);
}

static void reads_every_kind(void** state) {
    (void)state;
    Sink sink;
    for (int interlace = 0; interlace < 2; interlace++) {
        encode(PNG_COLOR_TYPE_RGBA, 8, interlace, 1, &sink);
        snImage* image = decode(&sink);
        assert_pixel(image, 1, 2, 44, 45, 46, 47);
        sn_image_destroy(image);
        encode(PNG_COLOR_TYPE_RGB, 8, interlace, 1, &sink);
        image = decode(&sink);
        assert_pixel(image, 1, 2, 33, 34, 35, 255);
        sn_image_destroy(image);
        encode(PNG_COLOR_TYPE_GRAY, 8, interlace, 3, &sink);
        image = decode(&sink);
        assert_pixel(image, 4, 3, 57, 57, 57, 255);
        sn_image_destroy(image);
    }
    encode(PNG_COLOR_TYPE_GRAY_ALPHA, 8, 0, 2, &sink);
    snImage* image = decode(&sink);
    assert_pixel(image, 1, 0, 4, 4, 4, 6);
    sn_image_destroy(image);
    encode(PNG_COLOR_TYPE_RGB, 16, 0, 1, &sink); // bytes 0 1, 2 3, 4 5: scaled to 8 bits
    image = decode(&sink);
    assert_pixel(image, 0, 0, 0, 2, 4, 255);
    sn_image_destroy(image);
    encode(PNG_COLOR_TYPE_GRAY, 1, 0, 0x55, &sink); // rows of one byte: 0, 0x55, 0xaa, 0xff
    image = decode(&sink);
    assert_pixel(image, 1, 1, 255, 255, 255, 255);
    assert_pixel(image, 0, 1, 0, 0, 0, 255);
    sn_image_destroy(image);
    encode(PNG_COLOR_TYPE_PALETTE, 2, 1, 0x1b, &sink); // first row: 0x00, 0x1b
    image = decode(&sink);
    assert_pixel(image, 0, 0, 255, 0, 0, 128);
    sn_image_destroy(image);
}

static void writes_and_reads_back(void** state) {
    (void)state;
    snImage* image = NULL;
    assert_ok(sn_image_create(33, 17, NULL, &image));
    for (size_t i = 0; i < 33 * 17 * 4; i++) image->pixels[i] = (uint8_t)(i * 7);
    assert_ok(sn_png_write(image, test_out_path("picture.png"), NULL));
    snImage* again = NULL;
    assert_ok(sn_png_read(test_out_path("picture.png"), NULL, &again, NULL));
    assert_memory_equal(image->pixels, again->pixels, 33 * 17 * 4);
    sn_image_destroy(image);
    sn_image_destroy(again);
}

static void refuses_bad_files(void** state) {
    (void)state;
    Sink sink;
    encode(PNG_COLOR_TYPE_RGBA, 8, 1, 1, &sink);
    snImage* image = NULL;
    for (size_t size = 0; size < sink.size; size++) {
        snError error = sn_error_none();
        assert_int_equal(sn_png_read_memory("a.png", sink.data, size, NULL, &image, &error),
                         SN_RESULT_BAD_DATA);
        assert_string_equal(error.file, "a.png");
        assert_null(image);
    }
    for (size_t i = 0; i < sink.size; i++) {
        sink.data[i] ^= 0x20;
        if (sn_png_read_memory("a.png", sink.data, sink.size, NULL, &image, NULL) == SN_RESULT_OK) {
            sn_image_destroy(image);
        }
        image = NULL;
        sink.data[i] ^= 0x20;
    }
    assert_int_equal(sn_png_read("none.png", NULL, &image, NULL), SN_RESULT_IO);
    assert_int_equal(sn_png_read(NULL, NULL, &image, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_png_write(NULL, "x.png", NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_image_create(0, 5, NULL, &image), SN_RESULT_INVALID_ARGUMENT);
}

// 65535 x 65535 pixels in a few bytes: refused before the pixels are allocated.
static void keeps_the_memory_limit(void** state) {
    (void)state;
    static const uint8_t header[] = {0x89, 'P',  'N', 'G', '\r', '\n', 0x1a, '\n', 0,    0, 0,
                                     13,   'I',  'H', 'D', 'R',  0,    0,    0xff, 0xff, 0, 0,
                                     0xff, 0xff, 8,   6,   0,    0,    0,    0,    0,    0, 0};
    uint8_t file[sizeof header + 24];
    memcpy(file, header, sizeof header);
    // CRC of IHDR, then an IDAT with nothing in it.
    uint32_t crc = 0xffffffff;
    for (size_t i = 12; i < 29; i++) {
        crc ^= file[i];
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    crc = ~crc;
    for (int i = 0; i < 4; i++) file[29 + i] = (uint8_t)(crc >> (24 - 8 * i));
    memcpy(file + 33, (uint8_t[]){0, 0, 0, 0, 'I', 'D', 'A', 'T', 0x35, 0xaf, 0x06, 0x1e}, 12);
    memcpy(file + 45, (uint8_t[]){0, 0, 0, 0, 'I', 'E', 'N', 'D', 0xae, 0x42, 0x60, 0x82}, 12);
    snImage* image = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_png_read_memory("big.png", file, sizeof file, NULL, &image, &error), SN_RESULT_LIMIT);
    assert_non_null(strstr(error.text, "2147483648"));
    assert_null(image);
}

static snResult build_picture(const snAllocator* allocator, void* context) {
    const Sink* sink = context;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snImage* image = NULL;
    snResult result = sn_png_read_memory("a.png", sink->data, sink->size, &def, &image, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_png_write(image, test_out_path("memory.png"), NULL);
    sn_image_destroy(image);
    return result;
}

static void survives_failing_allocations(void** state) {
    (void)state;
    Sink sink;
    encode(PNG_COLOR_TYPE_RGBA, 8, 1, 1, &sink);
    test_every_allocation(build_picture, &sink);
}

// ---------------------------------------------------------------------------------------------------- JPEG

// 32 by 16 pixels, red to the left and blue to the right.
static const char jpeg_text[] =
    "/9j/4AAQSkZJRgABAgAAAQABAAD//gAQTGF2YzU5LjM3LjEwMAD/2wBDAAgKCgsKCw0NDQ0NDRAPEBAQEBAQEBAQEBASEhIV"
    "FRUSEhIQEBISFBQVFRcXFxUVFRUXFxkZGR4eHBwjIyQrKzP/xABNAAEBAAAAAAAAAAAAAAAAAAAABgEBAQEAAAAAAAAAAAAA"
    "AAAACAYHEAEAAAAAAAAAAAAAAAAAAAAAEQEAAAAAAAAAAAAAAAAAAAAA/8AAEQgAEAAgAwEiAAIRAAMRAP/aAAwDAQACEQMR"
    "AD8AiwEo39IAFUNj/9k=";

static size_t make_jpeg(uint8_t out[1024]) {
    assert_true(sni_base64_bound(strlen(jpeg_text)) <= 1024);
    return sni_base64_decode(jpeg_text, strlen(jpeg_text), out, &(size_t){0});
}

static snResult decode_jpeg(const uint8_t* data, size_t size, snImage** out, snError* error) {
    snProgress nobody = {0};
    snAllocator memory = sn_allocator_default();
    return sni_jpeg_decode(data, size, &nobody, &memory, out, error);
}

static void reads_jpeg(void** state) {
    (void)state;
    uint8_t data[1024];
    size_t size = make_jpeg(data);
    snImage* image = NULL;
    snError error = sn_error_none();
    snResult result = decode_jpeg(data, size, &image, &error);
    if (result == SN_RESULT_UNSUPPORTED) {
        assert_non_null(strstr(error.text, "libjpeg62-turbo-dev"));
        test_skip("no libjpeg");
    }
    assert_ok(result);
    assert_int_equal(image->width, 32);
    assert_int_equal(image->height, 16);
    const uint8_t *left = image->pixels + 4 * (8 * 32 + 4), *right = image->pixels + 4 * (8 * 32 + 28);
    assert_true(left[0] > 200 && left[1] < 60 && left[2] < 60 && left[3] == 255);
    assert_true(right[0] < 60 && right[1] < 60 && right[2] > 200 && right[3] == 255);
    sn_image_destroy(image);
    // Whatever is missing or wrong, the answer is a picture or a sentence.
    for (size_t cut = 0; cut < size; cut++) {
        uint8_t broken[1024];
        memcpy(broken, data, size);
        broken[cut] ^= 0x55;
        for (int whole = 0; whole < 2; whole++) {
            image = NULL;
            error = sn_error_none();
            result = decode_jpeg(whole ? broken : data, whole ? size : cut, &image, &error);
            assert_true((result == SN_RESULT_OK) == (image != NULL));
            assert_true(result == SN_RESULT_OK || error.text[0] != '\0');
            sn_image_destroy(image);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind),
        cmocka_unit_test(writes_and_reads_back),
        cmocka_unit_test(refuses_bad_files),
        cmocka_unit_test(keeps_the_memory_limit),
        cmocka_unit_test(survives_failing_allocations),
        cmocka_unit_test(reads_jpeg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
