/* Messages: errors, warnings, hints and progress, all to the standard error. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "command.h"
#include "glimpse.h"
#include "output.h"

struct complaint; /* common/complaint.h */

/* "glimpse: error: ..." */
void message_error(const char *format, ...) TOOL_PRINTF(1, 2);
/* "subject: error: ...", about a model.  Returns TOOL_FAILED. */
int message_error_in(const char *subject, const char *format, ...) TOOL_PRINTF(2, 3);
void message_warning(const char *format, ...) TOOL_PRINTF(1, 2);
void message_hint(const char *format, ...) TOOL_PRINTF(1, 2);
/* An error in the command line, and where to read on (command may be NULL).
 * Returns TOOL_USAGE. */
int message_usage(const struct command *command, const char *format, ...) TOOL_PRINTF(2, 3);
/* The findings of a report, one line each: "file:line:column: error: ...".  The
 * subject stands for the file where a finding has none. */
void message_report(const glimpse_report *report, const char *subject);
/* The report and, should it hold no error, what the status means.  Returns
 * TOOL_FAILED. */
int message_failure(const glimpse_report *report, const char *subject, glimpse_status status);

/* A complaint with its hint, or another one (NULL: its own).  Returns TOOL_FAILED. */
int message_complaint(const struct complaint *why, const char *hint);

/* "out of memory"; returns TOOL_FAILED. */
int message_no_memory(void);

/* "glimpse: ...": how far the work has come, where no terminal shows it live. */
void message_note(const char *format, ...) TOOL_PRINTF(1, 2);
/* Does message_progress show anything? */
bool message_live(void);
/* One line that tells what takes so long; only on a terminal. */
void message_progress(const char *format, ...) TOOL_PRINTF(1, 2);
/* Wipes it. */
void message_progress_end(void);

#endif
