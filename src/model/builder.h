/* Builder: more than the public interface offers, for the readers of files. */
#ifndef GLI_MODEL_BUILDER_H
#define GLI_MODEL_BUILDER_H

#include "base/report.h"
#include "glimpse.h"
#include "model/inquiry.h"
#include "model/names.h"

typedef enum gli_builder_table { GLI_TRANSITION, GLI_OBSERVATION } gli_builder_table;

/* Whole rows of T or O; a and s may be GLIMPSE_ANY.  Each replaces the row. */
glimpse_status gli_builder_row_clear(glimpse_builder *builder, gli_builder_table table, uint32_t a, uint32_t s);
glimpse_status gli_builder_row_uniform(glimpse_builder *builder, gli_builder_table table, uint32_t a, uint32_t s);
/* The row of s is certain of column s; O needs as many observations as states. */
glimpse_status gli_builder_row_identity(glimpse_builder *builder, gli_builder_table table, uint32_t a, uint32_t s);
/* T only: the row is the start belief. */
glimpse_status gli_builder_row_reset(glimpse_builder *builder, uint32_t a, uint32_t s);

/* The names given so far, for look-up while reading. */
gli_names *gli_builder_names(glimpse_builder *builder, glimpse_kind kind);
/* Forgets the start given so far. */
void gli_builder_start_clear(glimpse_builder *builder);

/* From now on T, O and R may have only so many non-zeros each, and only so many questions may be
 * asked to find rewards that depend on the observation. */
void gli_builder_limit(glimpse_builder *builder, uint64_t most, uint64_t questions);

/* The inquiries given so far; counts, 0 once it is finished. */
gli_drafts *gli_builder_drafts(glimpse_builder *builder);
uint32_t gli_builder_count(const glimpse_builder *builder, glimpse_kind kind);
/* Remembers the first failure; returns its status. */
glimpse_status gli_builder_fail(glimpse_builder *builder, glimpse_status status, const char *format, ...)
    GLI_PRINTF(3, 4);

/* What the first failure was, "" when there was none. */
const char *gli_builder_failure(const glimpse_builder *builder);

/* glimpse_builder_finish without the planning model. */
glimpse_status gli_builder_pass(glimpse_builder *builder, glimpse_report *report, glimpse_model **model);

/* What a finding of the gate is about. */
typedef enum gli_builder_part {
  GLI_PART_TRANSITION,
  GLI_PART_OBSERVATION,
  GLI_PART_START,
  GLI_PART_COST,
  GLI_PART_INQUIRY, /* number a */
  GLI_PART_WHOLE
} gli_builder_part;
/* Tells where in a text the part stands; a and s matter for rows and inquiries only. */
typedef void (*gli_builder_finder)(void *context, gli_builder_part part, uint32_t a, uint32_t s, uint64_t *line,
                                   uint64_t *column);
/* From now on the findings of the gate carry the places that `find` tells. */
void gli_builder_places(glimpse_builder *builder, gli_builder_finder find, void *context);

#endif
