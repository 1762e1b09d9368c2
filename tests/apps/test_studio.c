// The studio's server: what it gives, and what it refuses.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answer.h"
#include "server.h"
#include "support.h"

static int status_of(const char* text) {
    sniRequest request;
    sni_request_read(text, 8080, &request);
    return request.status;
}

static void requests_are_read(void** state) {
    (void)state;
    sniRequest request;
    sni_request_read("GET /assets/a%20b.js?v=1 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n", 8080, &request);
    assert_int_equal(request.status, 200);
    assert_string_equal(request.path, "assets/a b.js");
    assert_false(request.head);
    sni_request_read("HEAD / HTTP/1.1\r\nX: y\r\nhost: localhost:8080\r\n\r\n", 8080, &request);
    assert_int_equal(request.status, 200);
    assert_string_equal(request.path, "");
    assert_true(request.head);
}

// Of other hosts, of two hosts, by other methods, and nonsense.
static void others_are_refused(void** state) {
    (void)state;
    assert_int_equal(status_of("POST / HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n"), 405);
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"), 403);
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: 127.0.0.1:8081\r\n\r\n"), 403);
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: 127.0.0.1:80800\r\n\r\n"), 403);
    assert_int_equal(status_of("GET / HTTP/1.1\r\n\r\n"), 403);
    assert_int_equal(status_of("GET / HTTP/1.1\r\nHost: localhost:8080\r\nHost: example.com\r\n\r\n"), 403);
    assert_int_equal(status_of("GET x HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"), 400);
    assert_int_equal(status_of("GET /%zz HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"), 400);
    assert_int_equal(status_of("GET /%0a HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"), 400);
    assert_int_equal(status_of("GET /%4"), 403);
    assert_int_equal(status_of(""), 405);
    char long_one[4096];
    int length = snprintf(long_one, sizeof long_one, "GET /");
    memset(long_one + length, 'a', 2000);
    snprintf(long_one + length + 2000, 100, " HTTP/1.1\r\nHost: localhost:8080\r\n\r\n");
    assert_int_equal(status_of(long_one), 414);
}

static void types_are_known(void** state) {
    (void)state;
    assert_string_equal(sni_answer_type("a/b.wasm"), "application/wasm");
    assert_string_equal(sni_answer_type("index.HTML"), "text/html; charset=utf-8");
    assert_string_equal(sni_answer_type("hero"), "application/octet-stream");
}

// ---------------------------------------------------------------------------------------------- over sockets

typedef struct Place {
    char folder[256], outside[300], hero[300];
    uint32_t size; // of hero.bin: more than one buffer
    snServer* server;
    pid_t child;
} Place;

static void put(const char* folder, const char* name, const void* data, size_t size) {
    char path[600];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static bool never(void* user) {
    (void)user;
    return false;
}

static int open_place(void** state) {
    static Place place;
    place = (Place){.size = 300000};
    snprintf(place.folder, sizeof place.folder, "%s/studio.XXXXXX",
             getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    assert_non_null(mkdtemp(place.folder));
    char site[300], assets[400], link[400];
    snprintf(site, sizeof site, "%s/site", place.folder);
    snprintf(assets, sizeof assets, "%s/assets", site);
    snprintf(link, sizeof link, "%s/link.txt", site);
    assert_int_equal(mkdir(site, 0700), 0);
    assert_int_equal(mkdir(assets, 0700), 0);
    put(site, "index.html", "<p>page</p>", 11);
    put(site, ".secret", "hidden", 6);
    put(assets, "app.js", "let x;", 6);
    put(place.folder, "outside.txt", "outside", 7);
    snprintf(place.outside, sizeof place.outside, "%s/outside.txt", place.folder);
    assert_int_equal(symlink(place.outside, link), 0);
    char* bytes = malloc(place.size);
    for (uint32_t i = 0; i < place.size; i++) bytes[i] = (char)(i * 31 >> 3);
    put(place.folder, "my hero.bin", bytes, place.size);
    free(bytes);
    snprintf(place.hero, sizeof place.hero, "%s/my hero.bin", place.folder);
    const char* open[] = {place.hero};
    snError error = sn_error_none();
    if (sn_server_create(site, open, 1, 0, NULL, &place.server, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    place.child = fork();
    if (place.child == 0) {
        sn_server_run(place.server, never, NULL, NULL);
        _exit(0);
    }
    *state = &place;
    return 0;
}

static int close_place(void** state) {
    Place* place = *state;
    char command[400];
    kill(place->child, SIGKILL);
    waitpid(place->child, NULL, 0);
    sn_server_destroy(place->server);
    snprintf(command, sizeof command, "rm -r '%s'", place->folder);
    return system(command); // NOLINT(cert-env33-c): a name that this test made
}

static int dial(const Place* place) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(sn_server_port(place->server))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int line = socket(AF_INET, SOCK_STREAM, 0);
    struct timeval patience = {10, 0};
    setsockopt(line, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    assert_int_equal(connect(line, (struct sockaddr*)&address, sizeof address), 0);
    return line;
}

// All that comes until the other side hangs up.
static size_t hear_all(int line, char* out, size_t capacity) {
    size_t length = 0;
    for (ssize_t got; length < capacity && (got = recv(line, out + length, capacity - length, 0)) > 0;)
        length += (size_t)got;
    return length;
}

// The status; the body begins at `*body`, which has `*size` bytes.
static int get(const Place* place, const char* path, char** body, size_t* size) {
    static char answer[400000];
    char request[1400];
    int line = dial(place), status = 0;
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n\r\n", path,
                          sn_server_port(place->server));
    assert_int_equal(send(line, request, (size_t)length, 0), length);
    size_t got = hear_all(line, answer, sizeof answer - 1);
    answer[got] = '\0';
    close(line);
    assert_int_equal(sscanf(answer, "HTTP/1.1 %d", &status), 1);
    assert_non_null(strstr(answer, "Cross-Origin-Embedder-Policy: require-corp\r\n"));
    assert_non_null(strstr(answer, "Cross-Origin-Opener-Policy: same-origin\r\n"));
    char* end = strstr(answer, "\r\n\r\n");
    assert_non_null(end);
    if (body != NULL) *body = end + 4;
    if (size != NULL) *size = got - (size_t)(end + 4 - answer);
    return status;
}

static void gives_what_is_listed(void** state) {
    const Place* place = *state;
    char* body = NULL;
    size_t size = 0;
    assert_int_equal(get(place, "/", &body, &size), 200);
    assert_string_equal(body, "<p>page</p>");
    assert_int_equal(get(place, "/assets/app.js", &body, &size), 200);
    assert_string_equal(body, "let x;");
    assert_int_equal(get(place, "/open/my%20hero.bin", &body, &size), 200);
    assert_int_equal(size, place->size);
    for (uint32_t i = 0; i < place->size; i += 997) assert_int_equal(body[i], (char)(i * 31 >> 3));
    char address[512];
    assert_ok(sn_server_address(place->server, address, sizeof address));
    assert_non_null(strstr(address, "/?open=open/my%20hero.bin"));
}

static void gives_nothing_else(void** state) {
    const Place* place = *state;
    static const char* const wrong[] = {"/.secret",          "/link.txt",
                                        "/../outside.txt",   "/assets/../../outside.txt",
                                        "/outside.txt",      "/%2e%2e/outside.txt",
                                        "//etc/passwd",      "/assets",
                                        "/assets/",          "/open/",
                                        "/open/outside.txt", "/open/../site/index.html"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (get(place, wrong[i], NULL, NULL) != 404) fail_msg("%s was given", wrong[i]);
}

// Callers that say nothing, too much, or hang up do not keep others out.
static void stands_bad_callers(void** state) {
    const Place* place = *state;
    int silent[40];
    for (int i = 0; i < 20; i++) silent[i] = dial(place);
    static char flood[20000];
    memset(flood, 'x', sizeof flood);
    int line = dial(place);
    assert_true(send(line, flood, sizeof flood, MSG_NOSIGNAL) > 0);
    close(line);
    line = dial(place);
    assert_int_equal(send(line, "GET /\0 HTTP", 11, 0), 11);
    char answer[600] = "";
    hear_all(line, answer, sizeof answer - 1);
    assert_non_null(strstr(answer, "400"));
    close(line);
    assert_int_equal(get(place, "/", NULL, NULL), 200);
    for (int i = 0; i < 20; i++) close(silent[i]);
    assert_int_equal(get(place, "/", NULL, NULL), 200);
}

static void says_what_is_missing(void** state) {
    snServer* server = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_server_create("/nonexistent", NULL, 0, 0, NULL, &server, &error),
                     SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "make studio"));
    assert_null(server);
    const Place* place = *state;
    char site[300];
    snprintf(site, sizeof site, "%s/site", place->folder);
    const char* open[] = {"/nonexistent/hero.glb"};
    assert_int_equal(sn_server_create(site, open, 1, 0, NULL, &server, &error), SN_RESULT_IO);
    assert_string_equal(error.file, "/nonexistent/hero.glb");
    const char* twice[] = {place->hero, place->hero};
    assert_int_equal(sn_server_create(site, twice, 2, 0, NULL, &server, &error), SN_RESULT_IO);
    assert_non_null(strstr(error.text, "same name"));
    const char* directory[] = {place->folder};
    assert_int_equal(sn_server_create(site, directory, 1, 0, NULL, &server, &error), SN_RESULT_IO);
    assert_non_null(strstr(error.text, "no file"));
    assert_int_equal(sn_server_create(site, NULL, 0, sn_server_port(place->server), NULL, &server, &error),
                     SN_RESULT_IO);
    assert_non_null(strstr(error.text, "--port 0"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_read),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(types_are_known),
        cmocka_unit_test_setup_teardown(gives_what_is_listed, open_place, close_place),
        cmocka_unit_test_setup_teardown(gives_nothing_else, open_place, close_place),
        cmocka_unit_test_setup_teardown(stands_bad_callers, open_place, close_place),
        cmocka_unit_test_setup_teardown(says_what_is_missing, open_place, close_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
