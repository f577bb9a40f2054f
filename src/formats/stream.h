/* Stream: text on its way to a sink, collected in pieces because many are small. */
#ifndef GLI_FORMATS_STREAM_H
#define GLI_FORMATS_STREAM_H

#include <stddef.h>

#include "glimpse.h"

typedef struct gli_stream {
  glimpse_sink sink;
  void *context;
  bool refused; /* by the sink: nothing more is written */
  size_t used;
  char *buffer;
} gli_stream;

/* False: out of memory. */
bool gli_stream_start(gli_stream *stream, glimpse_sink sink, void *context);
void gli_stream_put(gli_stream *stream, const char *text, size_t length);
void gli_stream_text(gli_stream *stream, const char *text);
void gli_stream_number(gli_stream *stream, double value);
void gli_stream_count(gli_stream *stream, uint64_t count);
/* Hands over what waits. */
void gli_stream_flush(gli_stream *stream);
/* The same, and releases the stream.  CANNOT_WRITE: the sink refused something. */
glimpse_status gli_stream_end(gli_stream *stream);

#endif
