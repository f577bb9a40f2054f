/* Protocol: what `glimpse agent` understands and answers; docs/AGENT.md describes it.
 *
 * A message is one JSON object in one line, and so is the reply.  A message that cannot
 * be carried out gets an error and leaves the session where it was. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/document.h"
#include "common/text.h"
#include "decide.h"
#include "json.h"
#include "output.h"

struct session {
  struct decide decide; /* the last decision, and what it was made with; borrowed from the command */
  glimpse_agent *agent;
  glimpse_belief *probe; /* scratch */
  bool ask_when_lost;
  bool over; /* it was told to quit */
  uint64_t episode, step;
  uint64_t refused;           /* by the system, of the planner's memory, as far as it was told */
  char error[600], hint[400]; /* why the last message was refused; "" for no hint */
};

/* Makes the reply to a line; it ends with a line end.  The text may be any bytes; NULL
 * is a line that was too long. */
void protocol_answer(struct session *session, const char *text, size_t length, struct text *reply);

/* protocol_read.c: parts of a message.  Each returns false after protocol_refuse. */

/* Notes an error; returns false. */
bool protocol_refuse(struct session *session, const char *format, ...) TOOL_PRINTF(2, 3);
/* Adds a hint to it; returns false. */
bool protocol_advise(struct session *session, const char *format, ...) TOOL_PRINTF(2, 3);
/* One JSON object in UTF-8; to be freed.  NULL: refused. */
document *protocol_read(struct session *session, const char *text, size_t length);
/* A state, action or observation, by name or number. */
bool protocol_index(struct session *session, const document *value, glimpse_kind kind, uint32_t *index);
/* A positive number. */
bool protocol_positive(struct session *session, const document *value, double *number);
/* One that is not negative. */
bool protocol_number(struct session *session, const document *value, double *number);
/* A whole number from 1 to `most`. */
bool protocol_count(struct session *session, const document *value, uint64_t most, uint64_t *count);
/* A belief: a state, an object of states and probabilities, or a list with a probability for
 * each state.  It is set in the probe. */
bool protocol_belief(struct session *session, const document *value);

#endif
