/* Model file: see model_file.h.
 *
 * Prices behind the name make a file a family of models, as parameters do with built-in environments. */
#include "xml/model_file.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "common/mdp.h"
#include "common/nearest.h"
#include "xml/pomdpx.h"
#include "xml/xml.h"

enum { LONGEST = 4096 }; /* bytes of a path that prices can stand behind */

static bool ends_in(const char *path, const char *ending) {
  size_t n = strlen(path), m = strlen(ending);
  return n >= m && !strcasecmp(path + n - m, ending);
}

/* ---- prices ---- */

/* A file of the whole name, and one that is not there, have no prices. */
size_t model_file_length(const char *path) {
  char file[LONGEST];
  size_t whole = strlen(path);
  const char *colon = strrchr(path, ':');
  size_t length = colon ? (size_t)(colon - path) : 0;
  if (!length || length >= sizeof file || !strchr(colon, '=') || strchr(colon, '/')) return whole;
  memcpy(file, path, length);
  file[length] = 0;
  return access(file, F_OK) == 0 && access(path, F_OK) != 0 ? length : whole;
}

static glimpse_status wrong(glimpse_report *report, const char *path, glimpse_status code, const char *text) {
  glimpse_report_add(report, &(glimpse_message){.severity = GLIMPSE_ERROR, .code = code, .source = path, .text = text});
  return code;
}

/* "there is no inquiry 'x'", and which there are. */
static glimpse_status no_inquiry(const glimpse_model *model, const char *path, const char *name,
                                 glimpse_report *report) {
  char text[400];
  struct nearest nearest = nearest_begin(name);
  uint32_t count = glimpse_model_inquiries(model);
  for (uint32_t i = 0; i < count; i++) nearest_offer(&nearest, glimpse_model_inquiry(model, i).name);
  if (nearest.best)
    snprintf(text, sizeof text, "there is no inquiry '%.80s'; did you mean '%.80s'?", name, nearest.best);
  else if (count)
    snprintf(text, sizeof text, "there is no inquiry '%.80s'; the first one is '%.80s'", name,
             glimpse_model_inquiry(model, 0).name);
  else
    snprintf(text, sizeof text,
             "there is no inquiry '%.80s': the model has none, and the price of asking for the state is its cost",
             name);
  return wrong(report, path, GLIMPSE_BAD_ARGUMENT, text);
}

/* One "NAME=PRICE". */
static glimpse_status set_price(glimpse_model *model, const char *path, char *pair, glimpse_report *report) {
  char *equals = strchr(pair, '='), text[200];
  double price = NAN;
  size_t length = equals ? strlen(equals + 1) : 0;
  bool number = length && glimpse_number_read(equals + 1, length, &price) == length && price >= 0 && isfinite(price);
  if (!number) {
    snprintf(text, sizeof text, "expected the name of an inquiry and its price, as in 'camera=0.1', found '%.80s'",
             pair);
    return wrong(report, path, GLIMPSE_BAD_ARGUMENT, text);
  }
  *equals = 0;
  uint32_t i = glimpse_model_inquiry_find(model, pair);
  if (i == GLIMPSE_ANY) return no_inquiry(model, path, pair, report);
  glimpse_status status = glimpse_model_inquiry_set_price(model, i, price);
  return status ? wrong(report, path, status, glimpse_status_text(status)) : GLIMPSE_OK;
}

static glimpse_status set_prices(glimpse_model *model, const char *path, char *prices, glimpse_report *report) {
  glimpse_status status = GLIMPSE_OK;
  for (char *next; prices && !status; prices = next) {
    next = strchr(prices, ',');
    if (next) *next++ = 0;
    status = set_price(model, path, prices, report);
  }
  return status;
}

/* ---- reading ---- */

static glimpse_status read_text(const char *path, const glimpse_pomdp_options *options, glimpse_report *report,
                                glimpse_model **model) {
  char *text;
  size_t length;
  glimpse_status status = glimpse_text_read(path, report, &text, &length);
  if (status) return status;
  const char *source = strcmp(path, "-") ? path : "standard input";
  if (ends_in(path, ".csv")) status = mdp_csv_read(text, length, source, report, model);
  else if (ends_in(path, ".json")) status = mdp_json_read(text, length, source, report, model);
  else if (ends_in(path, ".pomdpx") || xml_begins(text, length))
    status = pomdpx_read(text, length, source, options, report, model);
  else status = glimpse_pomdp_read(text, length, source, options, report, model);
  glimpse_text_free(text);
  return status;
}

glimpse_status model_file_read(const char *path, const glimpse_pomdp_options *options, glimpse_report *report,
                               glimpse_model **model) {
  *model = NULL;
  size_t length = model_file_length(path);
  if (!path[length]) return read_text(path, options, report, model);
  char *copy = malloc(strlen(path) + 1);
  if (!copy) return wrong(report, path, GLIMPSE_NO_MEMORY, glimpse_status_text(GLIMPSE_NO_MEMORY));
  memcpy(copy, path, strlen(path) + 1);
  copy[length] = 0;
  glimpse_status status = read_text(copy, options, report, model);
  if (!status) status = set_prices(*model, copy, copy + length + 1, report);
  if (status) {
    glimpse_model_free(*model);
    *model = NULL;
  }
  free(copy);
  return status;
}
