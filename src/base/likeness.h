// How like two words are, for those who misspell one.
#ifndef SNI_BASE_LIKENESS_H
#define SNI_BASE_LIKENESS_H

#include <stdint.h>
#include <string.h>

#define SNI_LIKENESS_MAX 64

// Letters to insert, delete or replace to turn one word into the other. Those beyond SNI_LIKENESS_MAX count
// as replaced.
static inline uint32_t sni_edit_distance(const char* a, const char* b) {
    size_t a_length = strlen(a), b_length = strlen(b);
    size_t rows = a_length < SNI_LIKENESS_MAX ? a_length : SNI_LIKENESS_MAX;
    size_t columns = b_length < SNI_LIKENESS_MAX ? b_length : SNI_LIKENESS_MAX;
    uint32_t row[SNI_LIKENESS_MAX + 1];
    for (uint32_t j = 0; j <= columns; j++) row[j] = j;
    for (uint32_t i = 1; i <= rows; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            uint32_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            uint32_t changed = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < changed ? replaced : changed;
        }
    }
    return row[columns] + (uint32_t)(a_length - rows + b_length - columns);
}

#endif
