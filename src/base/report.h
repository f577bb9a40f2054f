/* Report: the findings of a reader, of the model gate, of a refused operation. */
#ifndef GLI_BASE_REPORT_H
#define GLI_BASE_REPORT_H

#include "glimpse.h"

#if defined(__GNUC__)
#define GLI_PRINTF(text, rest) __attribute__((format(printf, text, rest)))
#else
#define GLI_PRINTF(text, rest)
#endif

/* Adds a finding.  A NULL report swallows it.  Numbers go in as text made by
 * glimpse_number_write, never with %g (the locale). */
void gli_report_add(glimpse_report *report, glimpse_severity severity, glimpse_status code, uint64_t line,
                    uint64_t column, const char *format, ...) GLI_PRINTF(6, 7);
/* Are further findings of this severity only counted?  Then their text, and what
 * it takes to make it, can be spared. */
bool gli_report_full(const glimpse_report *report, glimpse_severity severity);
/* Names the source of the findings that follow; copied. */
void gli_report_source(glimpse_report *report, const char *source);

/* Adds an error without a place and returns its code. */
#define GLI_FAIL(report, code, ...) (gli_report_add((report), GLIMPSE_ERROR, (code), 0, 0, __VA_ARGS__), (code))

#endif
