// Names with holes: * stands for any text, ? for any character.
#ifndef SNI_BASE_GLOB_H
#define SNI_BASE_GLOB_H

#include <stdbool.h>
#include <stddef.h>

// The last * is the only one that can still take more, so no recursion is needed.
static inline bool sni_glob_matches(const char* pattern, const char* text) {
    const char* star = NULL;
    const char* taken = text;
    while (*text != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            taken = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++, text++;
        } else if (star != NULL) {
            pattern = star + 1;
            text = ++taken;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

#endif
