// Numbers as text, the same in every locale.
#ifndef SNI_IO_NUMBER_H
#define SNI_IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Longest text the printers write, terminator included.
#define SNI_NUMBER_MAX 40

// Reads the decimal number at the start of [text, end): sign, digits, '.', exponent. Rounds to the nearest
// float, ties to even, as strtof does in the C locale; too large becomes infinity. Returns the first byte
// after the number, or NULL when there is none. "nan" and "inf" are no numbers here.
const char* sni_parse_float(const char* text, const char* end, float* out);

// Writes the shortest decimal that reads back as the same value. Returns its length.
size_t sni_print_float(float value, char out[SNI_NUMBER_MAX]);
size_t sni_print_double(double value, char out[SNI_NUMBER_MAX]);

// With at most `digits` significant digits.
size_t sni_print_digits(double value, int digits, char out[SNI_NUMBER_MAX]);
// The double nearest to the float's shortest decimal: 0.1 for 0.1f, where a cast gives 0.10000000149011612.
double sni_widen_decimal(float value);

// "512M", "2G", "1.5g", "1000": false when the text is none of these or does not fit.
bool sni_parse_bytes(const char* text, uint64_t* out);

#endif
