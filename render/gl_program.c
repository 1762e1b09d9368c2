#include "base/error.h"
#include "gl_context.h"

#define TEXTS 2 // of one shader, behind the prologue
#define CAPTURED 2

static uint32_t count_texts(const char* const* texts, uint32_t most) {
    uint32_t count = 0;
    while (count < most && texts[count] != NULL) count++;
    return count;
}

static GLuint compile(const char* name, GLenum stage, const char* const* texts, snError* error) {
    GLuint shader = glCreateShader(stage);
    const char* all[TEXTS + 1] = {sn_gl_prologue()};
    uint32_t count = count_texts(texts, TEXTS);
    for (uint32_t i = 0; i < count; i++) all[i + 1] = texts[i];
    glShaderSource(shader, (GLsizei)count + 1, all, NULL);
    glCompileShader(shader);
    GLint done = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (done) return shader;
    char log[256] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    sni_fail(error, SN_RESULT_UNSUPPORTED, "the %s shader does not compile: %s", name, log);
    glDeleteShader(shader);
    return 0;
}

static GLuint link(const snGlProgramDef* def, GLuint vertex, GLuint fragment, snError* error) {
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    uint32_t captured = count_texts(def->captured, CAPTURED);
    if (captured > 0)
        glTransformFeedbackVaryings(program, (GLsizei)captured, def->captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    GLint done = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (done) return program;
    char log[256] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    sni_fail(error, SN_RESULT_UNSUPPORTED, "the %s shader does not link: %s", def->name, log);
    glDeleteProgram(program);
    return 0;
}

GLuint sn_gl_program_of(const snGlProgramDef* def, snError* error) {
    GLuint vertex = compile(def->name, GL_VERTEX_SHADER, def->vertex, error);
    GLuint fragment = vertex != 0 ? compile(def->name, GL_FRAGMENT_SHADER, def->fragment, error) : 0;
    GLuint program = fragment != 0 ? link(def, vertex, fragment, error) : 0;
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return program;
}

GLuint sn_gl_program(const char* name, const char* vertex, const char* fragment, snError* error) {
    const snGlProgramDef def = {.name = name, .vertex = {vertex}, .fragment = {fragment}};
    return sn_gl_program_of(&def, error);
}
