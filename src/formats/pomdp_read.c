/* Reader of Cassandra's .pomdp format: recursive descent over the scanner's
 * tokens, straight into the builder.
 *
 * The grammar and common deviations from it are in docs/YOUR-MODEL.md.
 * An error is reported with its place, then reading goes on at the next keyword, so
 * that one reading finds them all; a part that could only repeat an earlier
 * complaint (entries when the states are not known) is passed over in silence.
 * The model is made only from a text without errors.
 *
 * No globals, no recursion that depends on the text, linear in the file; memory
 * is that of the builder plus the structured comments. */
#include <string.h>

#include "base/memory.h"
#include "formats/pomdp.h"
#include "formats/pomdp_scene.h"
#include "model/model.h"

/* At the top: neither a keyword with its colon nor the end. */
static void read_stray(gli_pomdp *pomdp) {
  const gli_token *token = &pomdp->scanner.token;
  gli_section section = token->kind == GLI_TOKEN_WORD ? gli_section_find(token->text, token->length) : GLI_SECTION_NONE;
  if (section != GLI_SECTION_NONE) {
    gli_scanner_next(&pomdp->scanner);
    gli_pomdp_expected(pomdp, "':' after '%s'", gli_section_text(section));
  } else if (token->kind == GLI_TOKEN_WORD) {
    gli_pomdp_no_keyword(pomdp, token);
  } else {
    gli_pomdp_expected(pomdp, "an entry (T:, O:, R:) or an item such as 'states:'");
  }
  gli_pomdp_recover(pomdp);
}

static void read_sections(gli_pomdp *pomdp) {
  const gli_token *token = &pomdp->scanner.token;
  while (token->kind != GLI_TOKEN_END && !pomdp->stopped) {
    if (token->kind != GLI_TOKEN_SECTION) {
      read_stray(pomdp);
    } else if (token->section < GLI_SECTION_T) {
      gli_pomdp_item_read(pomdp);
    } else {
      if (!pomdp->prepared) gli_pomdp_prepare(pomdp);
      gli_pomdp_entry_read(pomdp);
    }
  }
  if (!pomdp->prepared && !pomdp->stopped) gli_pomdp_prepare(pomdp);
}

/* What a file should have, but can do without. */
static void check_items(gli_pomdp *pomdp) {
  if (!pomdp->builder || pomdp->stopped) return;
  if (!pomdp->items[GLI_SECTION_DISCOUNT].given)
    gli_pomdp_loose(pomdp, &pomdp->first,
                    "expected 'discount:', found none; it is taken as 1, and planning needs one below 1");
  if (!pomdp->items[GLI_SECTION_VALUES].given)
    gli_pomdp_loose(pomdp, &pomdp->first, "expected 'values:', found none; it is taken as 'reward'");
}

/* Reads the file again; only good files come here, so nothing is reported. */
static gli_pomdp_places *collect(const gli_pomdp *pomdp) {
  gli_pomdp again = *pomdp;
  again.report = NULL;
  again.places = gli_pomdp_places_new(pomdp->counts[GLIMPSE_STATE], pomdp->counts[GLIMPSE_ACTION]);
  if (!again.places) return NULL;
  gli_scanner_start(&again.scanner, again.text, again.length, NULL);
  while (again.scanner.token.kind == GLI_TOKEN_SECTION && !again.stopped) {
    if (again.scanner.token.section >= GLI_SECTION_T) {
      gli_pomdp_entry_read(&again);
    } else {
      gli_scanner_next(&again.scanner);
      gli_pomdp_recover(&again);
    }
  }
  return again.places;
}

/* Where a finding of the builder comes from: the end of the file for what is missing. */
static void find(void *context, gli_builder_part part, uint32_t a, uint32_t s, uint64_t *line, uint64_t *column) {
  gli_pomdp *pomdp = context;
  const gli_token *token = &pomdp->scanner.token;
  if (part == GLI_PART_START && pomdp->items[GLI_SECTION_START].given) token = &pomdp->items[GLI_SECTION_START].token;
  *line = token->line;
  *column = token->column;
  if (part == GLI_PART_INQUIRY && a < pomdp->inquiry_count) {
    *line = pomdp->inquiries[a].line;
    *column = pomdp->inquiries[a].column;
  } else if (part == GLI_PART_COST && pomdp->notes.count) {
    const gli_note *note = &pomdp->notes.item[pomdp->notes.count - 1];
    *line = note->line;
    *column = note->column;
  } else if (part == GLI_PART_TRANSITION || part == GLI_PART_OBSERVATION) {
    if (!pomdp->places) pomdp->places = collect(pomdp);
    gli_builder_table table = part == GLI_PART_TRANSITION ? GLI_TRANSITION : GLI_OBSERVATION;
    if (pomdp->places) gli_pomdp_places_find(pomdp->places, table, a, s, line, column);
  }
}

static glimpse_status finish(gli_pomdp *pomdp, glimpse_model **model) {
  if (pomdp->errors) return pomdp->status;
  glimpse_status status = glimpse_builder_discount(pomdp->builder, pomdp->discount);
  if (status) return status;
  gli_builder_places(pomdp->builder, find, pomdp);
  status = glimpse_builder_finish(pomdp->builder, pomdp->report, model);
  if (!status) (*model)->negated = pomdp->sign < 0;
  return status;
}

glimpse_status glimpse_pomdp_read(const char *text, size_t length, const char *source,
                                  const glimpse_pomdp_options *options, glimpse_report *report, glimpse_model **model) {
  *model = NULL;
  gli_report_source(report, source ? source : "");
  gli_pomdp pomdp = {.text = length ? text : "",
                     .length = length,
                     .strict = options && options->strict,
                     .report = report,
                     .sign = 1,
                     .discount = 1};
  gli_scanner_start(&pomdp.scanner, pomdp.text, pomdp.length, &pomdp.notes);
  if (pomdp.scanner.token.kind == GLI_TOKEN_END) {
    gli_pomdp_expected(&pomdp, "a model");
  } else {
    read_sections(&pomdp);
    gli_pomdp_notes_read(&pomdp);
    check_items(&pomdp);
  }
  glimpse_status status = finish(&pomdp, model);
  glimpse_builder_free(pomdp.builder);
  gli_pomdp_places_free(pomdp.places);
  gli_memory_free(pomdp.notes.item);
  gli_memory_free(pomdp.inquiries);
  gli_pomdp_scene_free(pomdp.scene);
  return status;
}

glimpse_status glimpse_pomdp_read_file(const char *path, const glimpse_pomdp_options *options, glimpse_report *report,
                                       glimpse_model **model) {
  *model = NULL;
  char *text;
  size_t length;
  glimpse_status status = glimpse_text_read(path, report, &text, &length);
  if (status) return status;
  status = glimpse_pomdp_read(text, length, strcmp(path, "-") == 0 ? "standard input" : path, options, report, model);
  glimpse_text_free(text);
  return status;
}
