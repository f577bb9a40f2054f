/* Pomdp: what the tests of the readers of models, and of the writer, share. */
#ifndef SUPPORT_POMDP_H
#define SUPPORT_POMDP_H

#include "glimpse.h"

/* Reads a text that must be read without any finding. */
glimpse_model *pomdp_read(const char *text);

/* A message that must come, word for word. */
typedef struct pomdp_finding {
  glimpse_severity severity;
  glimpse_status code;
  uint64_t line, column;
  const char *text;
} pomdp_finding;

/* A reader of texts, and of files. */
typedef glimpse_status pomdp_reader(const char *text, size_t length, const char *source,
                                    const glimpse_pomdp_options *options, glimpse_report *report,
                                    glimpse_model **model);
typedef glimpse_status pomdp_file_reader(const char *path, const glimpse_pomdp_options *options, glimpse_report *report,
                                         glimpse_model **model);

/* A file that is wrong, DIRECTORY/bad-NAME.ENDING, and its only error. */
typedef struct pomdp_wrong {
  const char *name;
  glimpse_status code;
  uint64_t line, column;
  const char *text;
} pomdp_wrong;

/* Each of them gives its error, and the directory has no other bad-... */
void pomdp_check_wrong(pomdp_file_reader *read, const char *directory, const char *ending, const pomdp_wrong *wrong,
                       size_t count);

/* Reads a text that must give exactly these findings, in this order, and must end
 * in the code of the first error among them, or in OK.  The model, if any, goes to
 * the caller. */
glimpse_model *pomdp_read_findings_by(pomdp_reader *read, const char *text, size_t length, bool strict,
                                      const pomdp_finding *findings, size_t count);
/* The same with the reader of .pomdp texts. */
glimpse_model *pomdp_read_findings(const char *text, size_t length, bool strict, const pomdp_finding *findings,
                                   size_t count);
/* The same for a text that ends with its zero byte and gives one error. */
void pomdp_read_error(const char *text, glimpse_status code, uint64_t line, uint64_t column, const char *message);
/* One warning; with strict it is an error.  The model goes to the caller. */
glimpse_model *pomdp_read_loose(const char *text, uint64_t line, uint64_t column, const char *message);

/* The model as text, which must be freed. */
char *pomdp_write(const glimpse_model *model, size_t *length);
/* Writes the model and reads it again, which must give the same model. */
void pomdp_check_round_trip(const glimpse_model *model);

/* Single probabilities. */
double pomdp_t(const glimpse_model *model, uint32_t a, uint32_t s, uint32_t s2);
double pomdp_o(const glimpse_model *model, uint32_t a, uint32_t s2, uint32_t o);
double pomdp_start(const glimpse_model *model, uint32_t s);

#endif
