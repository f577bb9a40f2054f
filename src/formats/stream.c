/* Stream: a buffer before a sink.  What the sink refuses once is refused for good. */
#include "formats/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

enum { BUFFER = 1 << 16 };

bool gli_stream_start(gli_stream *stream, glimpse_sink sink, void *context) {
  *stream = (gli_stream){.sink = sink, .context = context, .buffer = GLI_NEW(char, BUFFER)};
  return stream->buffer;
}

void gli_stream_flush(gli_stream *stream) {
  if (stream->used && !stream->refused) stream->refused = !stream->sink(stream->context, stream->buffer, stream->used);
  stream->used = 0;
}

void gli_stream_put(gli_stream *stream, const char *text, size_t length) {
  if (length > BUFFER - stream->used) gli_stream_flush(stream);
  if (length > BUFFER) { /* a name longer than the buffer */
    if (!stream->refused) stream->refused = !stream->sink(stream->context, text, length);
    return;
  }
  memcpy(stream->buffer + stream->used, text, length);
  stream->used += length;
}

void gli_stream_text(gli_stream *stream, const char *text) {
  gli_stream_put(stream, text, strlen(text));
}

void gli_stream_number(gli_stream *stream, double value) {
  char text[GLIMPSE_NUMBER_SIZE];
  size_t length = glimpse_number_write(value, text);
  gli_stream_put(stream, text, length);
}

void gli_stream_count(gli_stream *stream, uint64_t count) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, count);
  gli_stream_text(stream, text);
}

glimpse_status gli_stream_end(gli_stream *stream) {
  gli_stream_flush(stream);
  gli_memory_free(stream->buffer);
  stream->buffer = NULL;
  return stream->refused ? GLIMPSE_CANNOT_WRITE : GLIMPSE_OK;
}
