/* Dot: the graph of a search as a text that Graphviz draws. */
#ifndef DOT_H
#define DOT_H

#include "decide.h"
#include "options.h"

/* Refuses options of a graph that is not written.  TOOL_OK or TOOL_USAGE. */
int dot_check(const struct options *options);
/* Writes the graph of the decision to the file of --dot, as the other options filter it.
 * TOOL_OK, or an exit status after a message. */
int dot_write(const struct options *options, const struct decide *decide);

#endif
