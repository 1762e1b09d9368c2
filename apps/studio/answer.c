#include "answer.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *extension, *type;
} TYPES[] = {
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".svg", "image/svg+xml"},
    {".json", "application/json"},
    {".png", "image/png"},
    {".txt", "text/plain; charset=utf-8"},
    {".glb", "model/gltf-binary"},
};

const char* sni_answer_type(const char* path) {
    const char* end = strrchr(path, '.');
    for (size_t i = 0; end != NULL && i < sizeof TYPES / sizeof TYPES[0]; i++)
        if (strcasecmp(end, TYPES[i].extension) == 0) return TYPES[i].type;
    return "application/octet-stream";
}

const char* sni_answer_reason(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 408:
        return "Request Timeout";
    case 414:
        return "URI Too Long";
    default:
        return "Bad Request";
    }
}

size_t sni_answer_head(char* out, size_t capacity, int status, const char* type, uint64_t size) {
    int length = snprintf(out, capacity,
                          "HTTP/1.1 %d %s\r\n"
                          "Content-Type: %s\r\n"
                          "Content-Length: %llu\r\n"
                          "Cross-Origin-Opener-Policy: same-origin\r\n"
                          "Cross-Origin-Embedder-Policy: require-corp\r\n"
                          "Cross-Origin-Resource-Policy: same-origin\r\n"
                          "Content-Security-Policy: frame-ancestors 'none'\r\n"
                          "X-Content-Type-Options: nosniff\r\n"
                          "Referrer-Policy: no-referrer\r\n"
                          "Cache-Control: no-cache\r\n"
                          "%sConnection: close\r\n\r\n",
                          status, sni_answer_reason(status), type, (unsigned long long)size,
                          status == 405 ? "Allow: GET, HEAD\r\n" : "");
    return length < 0 ? 0 : (size_t)length < capacity ? (size_t)length : capacity - 1;
}

// ------------------------------------------------------------------------------------------------ requests

static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Up to a space or a ?; %20 is a space. Returns the status.
static int read_path(const char* text, char* out, size_t capacity) {
    size_t length = 0;
    if (*text++ != '/') return 400;
    for (; *text != ' ' && *text != '?' && *text != '\r' && *text != '\n' && *text != '\0'; text++) {
        int c = (unsigned char)*text;
        if (c == '%') {
            int high = hex(text[1]), low = high < 0 ? -1 : hex(text[2]);
            if (low < 0) return 400;
            c = 16 * high + low;
            text += 2;
        }
        if (c < 32 || c == 127) return 400;
        if (length + 1 >= capacity) return 414;
        out[length++] = (char)c;
    }
    out[length] = '\0';
    return 200;
}

// Is the line "Host: 127.0.0.1:PORT" or "Host: localhost:PORT" there, once?
static bool is_for_us(const char* text, uint16_t port) {
    char names[2][32];
    snprintf(names[0], sizeof names[0], "127.0.0.1:%u", port);
    snprintf(names[1], sizeof names[1], "localhost:%u", port);
    int hosts = 0, ours = 0;
    for (const char* line = strchr(text, '\n'); line != NULL; line = strchr(line, '\n')) {
        line++;
        if (strncasecmp(line, "Host:", 5) != 0) continue;
        const char* value = line + 5 + strspn(line + 5, " \t");
        size_t length = strcspn(value, "\r\n \t");
        hosts++;
        for (int i = 0; i < 2; i++)
            ours += length == strlen(names[i]) && strncasecmp(value, names[i], length) == 0;
    }
    return hosts == 1 && ours == 1;
}

void sni_request_read(const char* text, uint16_t port, sniRequest* out) {
    memset(out, 0, sizeof *out);
    out->head = strncmp(text, "HEAD ", 5) == 0;
    if (!out->head && strncmp(text, "GET ", 4) != 0)
        out->status = 405;
    else if (!is_for_us(text, port))
        out->status = 403;
    else
        out->status = read_path(text + (out->head ? 5 : 4), out->path, sizeof out->path);
    if (out->status != 200) out->path[0] = '\0';
}
