#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "answer.h"
#include "base/error.h"
#include "base/memory.h"
#include "listing.h"

// Browsers open six connections at a time; a few more may be slow.
#define CONNECTIONS 32
#define HEAD_ROOM 8192
#define PATIENCE 30 // seconds without a byte either way
#define TICK 200    // milliseconds between two questions whether to stop

typedef struct Connection {
    int socket; // -1: free
    int file;   // -1: none
    size_t got, sent, length;
    uint64_t left; // bytes of the file
    double since;  // the last byte
    char in[HEAD_ROOM + 1];
    char out[1 << 16];
} Connection;

struct snServer {
    int socket;
    uint16_t port;
    uint32_t first_open; // of the listing: files that were named come last
    sniListing listing;
    snAllocator allocator;
    Connection connections[CONNECTIONS];
};

// ------------------------------------------------------------------------------------------------- making

static snResult listen_on(snServer* server, uint16_t port, snError* error) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    int on = 1;
    server->socket = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (server->socket < 0) return sni_fail(error, SN_RESULT_IO, "no socket: %s", strerror(errno));
    setsockopt(server->socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(server->socket, (struct sockaddr*)&address, sizeof address) != 0 ||
        listen(server->socket, 64) != 0)
        return sni_fail(error, SN_RESULT_IO, "cannot listen on 127.0.0.1:%u: %s; --port 0 takes a free one",
                        port, strerror(errno));
    if (getsockname(server->socket, (struct sockaddr*)&address, &size) != 0)
        return sni_fail(error, SN_RESULT_IO, "no port: %s", strerror(errno));
    server->port = ntohs(address.sin_port);
    return SN_RESULT_OK;
}

static const char* bare(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static snResult add_open(snServer* server, const char* path, snError* error) {
    struct stat about;
    char name[512];
    const char* reason = stat(path, &about) != 0   ? strerror(errno)
                         : !S_ISREG(about.st_mode) ? "it is no file"
                                                   : NULL;
    snprintf(name, sizeof name, "open/%.500s", bare(path));
    if (reason == NULL && sni_listing_find(&server->listing, name) != NULL)
        reason = "another one of the same name is opened, too";
    if (reason == NULL) return sni_listing_add(&server->listing, name, path, error);
    snResult result = sni_fail(error, SN_RESULT_IO, "cannot open this file: %s", reason);
    if (error != NULL) snprintf(error->file, sizeof error->file, "%.255s", path);
    return result;
}

static snResult fill(snServer* server, const char* folder, const char* const* open, uint32_t count,
                     uint16_t port, snError* error) {
    SNI_TRY(sni_listing_add_folder(&server->listing, folder, error));
    if (sni_listing_find(&server->listing, "index.html") == NULL) {
        snResult result =
            sni_fail(error, SN_RESULT_NOT_FOUND, "the studio is not built here; make studio builds it");
        if (error != NULL) snprintf(error->file, sizeof error->file, "%.255s", folder);
        return result;
    }
    server->first_open = server->listing.count;
    for (uint32_t i = 0; i < count; i++) SNI_TRY(add_open(server, open[i], error));
    return listen_on(server, port, error);
}

snResult sn_server_create(const char* folder, const char* const* open, uint32_t count, uint16_t port,
                          const snAllocator* allocator, snServer** out, snError* error) {
    snAllocator memory = sni_allocator(allocator);
    snServer* server = SNI_NEW(&memory, snServer);
    if (server == NULL) return sni_fail_memory(error);
    server->allocator = memory;
    server->listing.allocator = memory;
    server->socket = -1;
    for (int i = 0; i < CONNECTIONS; i++) server->connections[i].socket = server->connections[i].file = -1;
    snResult result = fill(server, folder, open, count, port, error);
    if (result == SN_RESULT_OK)
        *out = server;
    else
        sn_server_destroy(server);
    return result;
}

static void hang_up(Connection* connection) {
    if (connection->socket >= 0) close(connection->socket);
    if (connection->file >= 0) close(connection->file);
    connection->socket = connection->file = -1;
}

void sn_server_destroy(snServer* server) {
    if (server == NULL) return;
    for (int i = 0; i < CONNECTIONS; i++) hang_up(&server->connections[i]);
    if (server->socket >= 0) close(server->socket);
    sni_listing_free(&server->listing);
    snAllocator memory = server->allocator;
    sni_free(&memory, server);
}

uint16_t sn_server_port(const snServer* server) { return server->port; }

// What is no letter, digit or -._~/ is written as %XX.
static size_t encode(const char* text, char* out, size_t capacity) {
    size_t length = 0;
    for (; *text != '\0' && length + 4 < capacity; text++) {
        unsigned char c = (unsigned char)*text;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-._~/", c) != NULL;
        length += (size_t)snprintf(out + length, capacity - length, plain ? "%c" : "%%%02X", c);
    }
    return length;
}

snResult sn_server_address(const snServer* server, char* out, size_t capacity) {
    size_t length = (size_t)snprintf(out, capacity, "http://127.0.0.1:%u/", server->port);
    for (uint32_t i = server->first_open; i < server->listing.count; i++) {
        char name[2048];
        name[encode(server->listing.items[i].name, name, sizeof name)] = '\0';
        if (length < capacity)
            length += (size_t)snprintf(out + length, capacity - length, "%sopen=%s",
                                       i == server->first_open ? "?" : "&", name);
    }
    return length < capacity ? SN_RESULT_OK : SN_RESULT_LIMIT;
}

// ---------------------------------------------------------------------------------------------- answering

static void say(Connection* c, int status) {
    char body[64];
    size_t size = (size_t)snprintf(body, sizeof body, "%d %s\n", status, sni_answer_reason(status));
    c->length = sni_answer_head(c->out, sizeof c->out, status, "text/plain; charset=utf-8", size);
    memcpy(c->out + c->length, body, size);
    c->length += size;
}

static void answer(const snServer* server, Connection* c) {
    sniRequest request;
    struct stat about;
    sni_request_read(c->in, server->port, &request);
    if (request.status != 200) {
        say(c, request.status);
        return;
    }
    const char* name = request.path[0] == '\0' ? "index.html" : request.path;
    const sniListed* item = sni_listing_find(&server->listing, name);
    if (item != NULL) c->file = open(item->path, O_RDONLY | O_CLOEXEC);
    if (c->file < 0 || fstat(c->file, &about) != 0 || !S_ISREG(about.st_mode)) {
        say(c, 404);
        return;
    }
    c->length = sni_answer_head(c->out, sizeof c->out, 200, sni_answer_type(name), (uint64_t)about.st_size);
    c->left = request.head ? 0 : (uint64_t)about.st_size;
}

// False: the connection has ended.
static bool hear(const snServer* server, Connection* c) {
    ssize_t got = recv(c->socket, c->in + c->got, HEAD_ROOM - c->got, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return false;
    if (got < 0) return true;
    c->got += (size_t)got;
    c->in[c->got] = '\0';
    if (strlen(c->in) < c->got) // a zero byte is no part of a request
        say(c, 400);
    else if (strstr(c->in, "\r\n\r\n") != NULL)
        answer(server, c);
    else if (c->got == HEAD_ROOM)
        say(c, 414);
    return true;
}

static bool refill(Connection* c) {
    size_t wanted = c->left < sizeof c->out ? (size_t)c->left : sizeof c->out;
    ssize_t got = read(c->file, c->out, wanted);
    if (got <= 0) return false; // it became shorter: the browser sees that bytes are missing
    c->left -= (uint64_t)got;
    c->length = (size_t)got;
    c->sent = 0;
    return true;
}

static bool speak(Connection* c) {
    if (c->sent == c->length && (c->left == 0 || !refill(c))) return false;
    ssize_t sent = send(c->socket, c->out + c->sent, c->length - c->sent, MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN || errno == EINTR;
    c->sent += (size_t)sent;
    return c->sent < c->length || c->left > 0;
}

static void take(snServer* server, double now) {
    int socket = accept4(server->socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    for (int i = 0; i < CONNECTIONS; i++) {
        Connection* c = &server->connections[i];
        if (c->socket >= 0) continue;
        c->socket = socket;
        c->got = c->sent = c->length = 0;
        c->left = 0;
        c->since = now;
        return;
    }
    close(socket);
}

static void serve(const snServer* server, Connection* c, short events, double now) {
    bool on = true;
    if ((events & (POLLERR | POLLNVAL)) != 0) on = false;
    if (on && c->length == 0 && (events & (POLLIN | POLLHUP)) != 0)
        on = hear(server, c);
    else if (on && c->length > 0 && (events & POLLOUT) != 0)
        on = speak(c);
    if ((events & (POLLIN | POLLOUT)) != 0) c->since = now;
    if (!on || now - c->since > PATIENCE) hang_up(c);
}

static double clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

snResult sn_server_run(snServer* server, snServerStopFn* stop, void* user, snError* error) {
    while (!stop(user)) {
        struct pollfd wait[CONNECTIONS + 1] = {{server->socket, POLLIN, 0}};
        Connection* who[CONNECTIONS + 1] = {NULL};
        nfds_t count = 1;
        for (int i = 0; i < CONNECTIONS; i++) {
            Connection* c = &server->connections[i];
            if (c->socket < 0) continue;
            who[count] = c;
            wait[count++] = (struct pollfd){c->socket, c->length > 0 ? POLLOUT : POLLIN, 0};
        }
        if (poll(wait, count, TICK) < 0 && errno != EINTR)
            return sni_fail(error, SN_RESULT_IO, "waiting for browsers failed: %s", strerror(errno));
        double now = clock_now();
        for (nfds_t i = 1; i < count; i++) serve(server, who[i], wait[i].revents, now);
        if ((wait[0].revents & POLLIN) != 0) take(server, now);
    }
    return SN_RESULT_OK;
}
