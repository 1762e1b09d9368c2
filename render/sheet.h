// Labelled sheets: several pictures side by side with a title and names for columns and rows.
#ifndef SINEW_SHEET_H
#define SINEW_SHEET_H

#include "sinew/io.h"

typedef struct snSheetDef {
    const char* title;                // or NULL
    const char* subtitle;             // or NULL; one smaller line under the title
    uint32_t columns, rows;           // 1 or more each
    const snImage* const* cells;      // columns * rows, row by row; NULL entries stay empty
    const char* const* column_labels; // columns, or NULL
    const char* const* row_labels;    // rows, or NULL
    snVec3 paper;                     // linear RGB behind everything; default near white
} snSheetDef;
snSheetDef sn_sheet_def(void);

// Draws the sheet into a new image. Every cell is as large as the largest picture; text grows with the cells.
snResult sn_sheet_create(const snSheetDef* def, const snAllocator* allocator, snImage** out, snError* error);

#endif
