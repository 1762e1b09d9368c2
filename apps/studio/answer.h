// What a request asks for, and what is said back. Text in, text out; no socket here.
#ifndef SINEW_STUDIO_ANSWER_H
#define SINEW_STUDIO_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sniRequest {
    bool head;       // HEAD: all but the body
    char path[1024]; // decoded, without the first / and without what follows a ?; "" is the page itself
    int status;      // 200, or why it is refused: 400, 403, 405, 414
} sniRequest;

// Reads the head of a request (up to its empty line). One for another host than 127.0.0.1 or localhost at
// this port is refused: a page from elsewhere that has its name point to this machine.
void sni_request_read(const char* text, uint16_t port, sniRequest* out);

// The head of an answer. Returns its length.
size_t sni_answer_head(char* out, size_t capacity, int status, const char* type, uint64_t size);
const char* sni_answer_reason(int status);
// By the extension: "text/html; charset=utf-8".
const char* sni_answer_type(const char* path);

#endif
