// Reading follows Clinger's fast path (an exact integer times or divided by an exact power of ten is rounded
// once) and falls back to exact integer arithmetic where that path could be wrong. strtof is not used: it
// follows the locale.
#include "number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A float lies exactly between two neighbours only for numbers of at most 113 digits; digits beyond these
// can only say "a little more".
#define MAX_DIGITS 120
#define BIG_WORDS 48 // 1536 bits: 121 digits * 10^60, and shifts by up to 200 bits beside 10^181

typedef struct Big {
    uint32_t words[BIG_WORDS]; // least significant first
} Big;

typedef struct Decimal {
    bool negative;
    int digit_count;
    uint8_t digits[MAX_DIGITS + 1]; // no leading zeros
    long exponent;                  // value = digits as a whole number * 10^exponent
} Decimal;

static void big_mul_add(Big* big, uint32_t factor, uint32_t term) {
    uint64_t carry = term;
    for (int i = 0; i < BIG_WORDS; i++) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static void big_shift_left(Big* big, int bits) {
    int whole = bits / 32, part = bits % 32;
    for (int i = BIG_WORDS - 1; i >= 0; i--) {
        uint64_t pair = i - whole >= 0 ? (uint64_t)big->words[i - whole] << 32 : 0;
        if (i - whole - 1 >= 0) pair |= big->words[i - whole - 1];
        big->words[i] = (uint32_t)((pair << part) >> 32);
    }
}

static int big_compare(const Big* a, const Big* b) {
    for (int i = BIG_WORDS - 1; i >= 0; i--) {
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
    }
    return 0;
}

static void big_subtract(Big* a, const Big* b) {
    uint64_t borrow = 0;
    for (int i = 0; i < BIG_WORDS; i++) {
        uint64_t difference = (uint64_t)a->words[i] - b->words[i] - borrow;
        a->words[i] = (uint32_t)difference;
        borrow = difference >> 63;
    }
}

static int big_bits(const Big* big) {
    for (int i = BIG_WORDS - 1; i >= 0; i--) {
        for (int bit = 31; bit >= 0; bit--) {
            if (big->words[i] >> bit & 1) return i * 32 + bit + 1;
        }
    }
    return 0;
}

// Exact: scales the fraction numerator / denominator so that its whole part is the float's 24-bit mantissa,
// divides bit by bit and rounds on the remainder.
static float round_exactly(const Decimal* decimal) {
    Big numerator = {{0}}, denominator = {{1}};
    for (int i = 0; i < decimal->digit_count; i++) big_mul_add(&numerator, 10, decimal->digits[i]);
    for (long i = 0; i < decimal->exponent; i++) big_mul_add(&numerator, 10, 0);
    for (long i = decimal->exponent; i < 0; i++) big_mul_add(&denominator, 10, 0);

    // The bit counts say 2^power < value < 2^(power + 2); one comparison settles which power it is.
    int power = big_bits(&numerator) - big_bits(&denominator) - 1;
    Big probe = power >= 0 ? denominator : numerator;
    big_shift_left(&probe, power >= 0 ? power + 1 : -power - 1);
    bool reaches = power >= 0 ? big_compare(&numerator, &probe) >= 0 : big_compare(&probe, &denominator) >= 0;
    if (reaches) power++;
    int quantum = (power < -126 ? -126 : power) - 23;
    big_shift_left(quantum < 0 ? &numerator : &denominator, quantum < 0 ? -quantum : quantum);

    big_shift_left(&denominator, 24);
    uint32_t mantissa = 0;
    for (int bit = 24; bit >= 0; bit--) {
        mantissa <<= 1;
        if (big_compare(&numerator, &denominator) >= 0) {
            big_subtract(&numerator, &denominator);
            mantissa |= 1;
        }
        big_shift_left(&numerator, 1);
    }
    int half = big_compare(&numerator, &denominator);
    if (half > 0 || (half == 0 && (mantissa & 1))) mantissa++;
    return ldexpf((float)mantissa, quantum);
}

// True, with the result, when one rounding in double and one to float cannot differ from a single rounding.
static bool round_fast(const Decimal* decimal, float* out) {
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal->digit_count > 15 || decimal->exponent < -22 || decimal->exponent > 22) return false;
    uint64_t whole = 0;
    for (int i = 0; i < decimal->digit_count; i++) whole = whole * 10 + decimal->digits[i];
    double value = decimal->exponent < 0 ? (double)whole / powers[-decimal->exponent]
                                         : (double)whole * powers[decimal->exponent];
    if (value != 0.0 && !(value >= 1e-37 && value <= 1e38)) return false;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    // The double sits on (or within its own rounding of) the middle between two floats.
    uint64_t tail = bits & 0x1fffffff;
    if (tail >= 0x0fffffff && tail <= 0x10000001) return false;
    *out = (float)value;
    return true;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void add_digit(Decimal* decimal, char c, bool fraction) {
    uint8_t digit = (uint8_t)(c - '0');
    if (decimal->digit_count == 0 && digit == 0) {
        decimal->exponent -= fraction;
        return;
    }
    if (decimal->digit_count < MAX_DIGITS) {
        decimal->digits[decimal->digit_count++] = digit;
        decimal->exponent -= fraction;
        return;
    }
    // Beyond what can decide a tie: remember only that something is there.
    decimal->exponent += !fraction;
    if (digit != 0 && decimal->digits[MAX_DIGITS - 1] == 0) decimal->digits[MAX_DIGITS - 1] = 1;
}

static const char* parse_exponent(const char* text, const char* end, long* exponent) {
    const char* p = text + 1;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end || !is_digit(*p)) return text;
    long value = 0;
    for (; p < end && is_digit(*p); p++) {
        if (value < 100000000) value = value * 10 + (*p - '0');
    }
    *exponent += negative ? -value : value;
    return p;
}

const char* sni_parse_float(const char* text, const char* end, float* out) {
    Decimal decimal = {0};
    const char* p = text;
    if (p < end && (*p == '-' || *p == '+')) decimal.negative = *p++ == '-';
    bool any = false;
    for (; p < end && is_digit(*p); p++, any = true) add_digit(&decimal, *p, false);
    if (p < end && *p == '.') {
        for (p++; p < end && is_digit(*p); p++, any = true) add_digit(&decimal, *p, true);
    }
    if (!any) return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) p = parse_exponent(p, end, &decimal.exponent);

    float value = 0.0f;
    long magnitude = decimal.exponent + decimal.digit_count; // value < 10^magnitude
    if (decimal.digit_count == 0 || magnitude < -60)
        value = 0.0f;
    else if (magnitude > 40)
        value = HUGE_VALF;
    else if (!round_fast(&decimal, &value))
        value = round_exactly(&decimal);
    *out = decimal.negative ? -value : value;
    return p;
}

// snprintf follows the locale; whatever it wrote between digits that is no part of a number becomes a point.
static size_t use_point(char* text) {
    size_t to = 0;
    bool pointed = false;
    for (size_t from = 0; text[from] != '\0'; from++) {
        char c = text[from];
        if (is_digit(c) || c == '-' || c == '+' || c == 'e') {
            text[to++] = c;
        } else if (!pointed) {
            text[to++] = '.'; // a separator may take several bytes in UTF-8
            pointed = true;
        }
    }
    text[to] = '\0';
    return to;
}

// In the locale's own notation; `out` still has to go through use_point.
static void print_shortest(float value, char out[SNI_NUMBER_MAX]) {
    for (int digits = 6; digits <= 9; digits++) {
        snprintf(out, SNI_NUMBER_MAX, "%.*g", digits, (double)value);
        if (strtof(out, NULL) == value) return;
    }
}

size_t sni_print_float(float value, char out[SNI_NUMBER_MAX]) {
    print_shortest(value, out);
    return use_point(out);
}

size_t sni_print_digits(double value, int digits, char out[SNI_NUMBER_MAX]) {
    snprintf(out, SNI_NUMBER_MAX, "%.*g", digits, value);
    return use_point(out);
}

double sni_widen_decimal(float value) {
    char text[SNI_NUMBER_MAX];
    print_shortest(value, text);
    double wide = strtod(text, NULL);
    return (float)wide == value ? wide
                                : (double)value; // a decimal may lie too near to the middle of two floats
}

size_t sni_print_double(double value, char out[SNI_NUMBER_MAX]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, SNI_NUMBER_MAX, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    return use_point(out);
}

bool sni_parse_bytes(const char* text, uint64_t* out) {
    static const char suffixes[] = "kmgt";
    const char* at = text;
    double value = 0.0, unit = 1.0;
    for (; *at >= '0' && *at <= '9'; at++) value = 10.0 * value + (*at - '0');
    if (at == text) return false;
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9'; at++) value += (*at - '0') * (unit /= 10.0);
    if (*at != '\0') {
        const char* suffix = strchr(suffixes, *at | 0x20);
        if (suffix == NULL) return false;
        value *= (double)((uint64_t)1024 << (10 * (suffix - suffixes)));
        at++;
        if ((*at | 0x20) == 'b') at++;
        if (*at != '\0') return false;
    }
    if (!(value >= 1.0 && value < 9.0e18)) return false;
    *out = (uint64_t)value;
    return true;
}
