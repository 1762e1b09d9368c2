// What a job made: its files, taken from the folder it wrote them into to where they belong, and what it
// said.
#ifndef SINEW_BATCH_OUTCOME_H
#define SINEW_BATCH_OUTCOME_H

#include "plan.h"
#include "process.h"
#include "record.h"

// Where a job writes before its files get their names: a folder beside them, so that a rename is enough.
#define BATCH_PATH 4096
bool batch_draft_make(const char* out, uint64_t id, char folder[BATCH_PATH], char file[BATCH_PATH]);
// Removes the folder with what is in it.
void batch_draft_remove(const char* folder);

// Gives the files of the draft their names, lists them in "files" (the one that was asked for first), and
// removes the folder. SN_RESULT_BAD_DATA: there are none.
snResult batch_draft_keep(const char* folder, const char* out, batchInputs* inputs, sniJsonValue* record,
                          snError* error);

// The files that it says it read (a line each) and that its key does not know, as "reads": those that no word
// of its command line names, and `made`, what another job wrote for it, or NULL. What changed after `begin`
// (seconds of the calendar) may not be what it read, and is written as something else.
snResult batch_outcome_reads(const char* list, const sniBytes* words, const char* made, double begin,
                             batchInputs* inputs, sniJsonValue* record, const snAllocator* memory,
                             snError* error);
// Verdict and measures of a check, the confidence of a map: what a report shows of its JSON. True: it has a
// verdict.
bool batch_outcome_said(const sniBytes* json, sniJsonValue* record);
// Names the files of a draft as they would be called, in place.
void batch_outcome_final(char* text, const char* draft);
// The last lines of what went wrong, or a sentence for one that said nothing.
void batch_outcome_error(const batchEnd* end, const batchProcess* process, double limit,
                         const snAllocator* memory, char* out, size_t capacity);

#endif
