/* Manual, part two: man pages, in the man macros. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "glimpse.h"
#include "manual.h"
#include "options.h"
#include "output.h"

/* Plain text as roff reads it: no accidental escapes, requests or hyphens.  An
 * empty line begins a paragraph. */
static void roff(const char *text) {
  for (const char *c = text; *c; c++) {
    bool line_start = c == text || c[-1] == '\n';
    if (line_start && (*c == '.' || *c == '\'')) output_print("\\&");
    if (*c == '\\') output_print("\\e");
    else if (*c == '-') output_print("\\-");
    else if (*c == '\'') output_print("\\(aq");
    else if (*c == '\n' && c[1] == '\n') {
      output_print("\n.PP\n");
      c++;
    } else output_print("%c", *c);
  }
}

static void line(const char *text) {
  roff(text);
  output_print("\n");
}

static void upper(const char *text) {
  for (; *text; text++) output_print("%c", toupper((unsigned char)*text));
}

static void header(const char *command, const char *summary) {
  output_print(".TH GLIMPSE");
  if (*command) {
    output_print("\\-");
    upper(command);
  }
  output_print(" 1 \"\" \"glimpse %s\" \"glimpse manual\"\n.SH NAME\nglimpse%s", glimpse_version(),
               *command ? "\\-" : "");
  roff(command);
  output_print(" \\- ");
  line(summary);
}

/* A sentence and, for a choice, what its words mean, one line each. */
static void put_option_text(const char *text) {
  for (bool first = true; *text; first = false) {
    size_t length = strcspn(text, "\n");
    char part[400];
    snprintf(part, sizeof part, "%.*s", (int)length, text);
    if (!first) output_print(".br\n");
    roff(part);
    output_print(".\n");
    text += length + (text[length] == '\n');
  }
}

static void put_options(unsigned bit) {
  output_print(".SH OPTIONS\n");
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const struct option *option = option_get(i);
    if (!(option->commands & bit)) continue;
    output_print(".TP\n");
    if (option->letter) output_print("\\fB\\-%c\\fR, ", option->letter);
    output_print("\\fB\\-\\-");
    roff(option->name);
    output_print("\\fR");
    if (option->argument) {
      output_print(" \\fI");
      roff(option->argument);
      output_print("\\fR");
    }
    output_print("\n");
    put_option_text(option->text);
    char range[80];
    option_range(option, range);
    if (*range) output_print("Range: %s.\n", range);
    if (option->preset) {
      output_print("Default: ");
      roff(option->preset);
      output_print(".\n");
    }
  }
}

static void put_examples(const struct example *example) {
  output_print(".SH EXAMPLES\n");
  for (; example->line; example++) {
    output_print(".TP\n\\fB");
    roff(example->line);
    output_print("\\fR\n");
    line(example->text);
  }
}

static void put_status(void) {
  output_print(".SH EXIT STATUS\n"
               ".TP\n0\nsuccess\n"
               ".TP\n1\nfailure: the model is not valid or the command does not apply to it, a file cannot "
               "be read or written, or memory or another resource is short\n"
               ".TP\n2\nwrong usage: an unknown command or option, or a value out of its range\n"
               ".TP\n129, 130, 143\na search or a run was ended early by the loss of its terminal, an interrupt "
               "(Ctrl\\-C) or a request to "
               "terminate; what it has printed is valid\n");
}

static void put_related(const struct commands *all, const struct command *self) {
  output_print(".SH SEE ALSO\n");
  if (self) output_print(".BR glimpse (1),\n");
  const struct command *last = NULL;
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (all->at[i] != self) last = all->at[i];
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (all->at[i] != self) output_print(".BR glimpse\\-%s (1)%s\n", command_name(i), all->at[i] == last ? "" : ",");
}

static void page_command(const struct commands *all, const struct command *command) {
  header(command->name, command->summary);
  output_print(".SH SYNOPSIS\n\\fBglimpse %s\\fR [\\fIOPTION\\fR ...] ", command->name);
  line(command->operands);
  output_print(".SH DESCRIPTION\n");
  line(command->text);
  if (strstr(command->operands, "MODEL")) {
    output_print(".PP\n");
    line(manual_models);
  }
  put_options(command_bit(command));
  put_examples(command->examples);
  put_status();
  put_related(all, command);
}

static void put_environments(void) {
  output_print(".SH BUILT\\-IN ENVIRONMENTS\n");
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++) {
    output_print(".TP\n\\fB");
    roff(environment->name);
    output_print("\\fR\n");
    line(environment->text);
    for (const glimpse_parameter *p = environment->parameters; p && p->key; p++) {
      output_print(".RS\n.TP\n\\fB");
      roff(p->key);
      output_print("\\fR=\\fI");
      roff(p->value);
      output_print("\\fR\n");
      line(p->text);
      output_print(".RE\n");
    }
  }
}

static void page_program(const struct commands *all) {
  header("", "planning under uncertainty when certainty has a price");
  output_print(".SH SYNOPSIS\n\\fBglimpse\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR ...] [\\fIMODEL\\fR]\n"
               ".br\n\\fBglimpse \\-\\-version\\fR\n.SH DESCRIPTION\n");
  line("A POMDP with state requests is a partially observable Markov decision process and a price: before "
       "every action the agent may pay it and be told the true state. glimpse reads, checks, converts and "
       "bounds such models, plans in them and plays episodes.");
  output_print(".PP\nData goes to the standard output, messages to the standard error.\n.SH COMMANDS\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    const struct command *command = all->at[i];
    output_print(".TP\n.BR glimpse\\-%s (1)\n", command->name);
    line(command->summary);
  }
  output_print(".SH MODELS\n");
  line(manual_models);
  put_environments();
  output_print(".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nwhen set and not empty, messages have no colour\n");
  put_status();
  put_examples(manual_examples);
  put_related(all, NULL);
}

void manual_page(const struct commands *all, const struct command *command) {
  if (command) page_command(all, command);
  else page_program(all);
}
