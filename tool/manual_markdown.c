/* Manual, part three: all of it as one Markdown page, docs/COMMANDS.md.
 *
 * The page is kept with the sources so that it can be read before anything is built;
 * tests/cli/documents.sh says when it is no longer what the program prints. */
#include <string.h>

#include "glimpse.h"
#include "manual.h"
#include "options.h"
#include "output.h"

/* Text outside of code.  In a cell of a table a bar would end the cell, and a line end
 * becomes a break. */
static void markdown(const char *text, bool cell) {
  for (const char *c = text; *c; c++) {
    if (*c == '|' && cell) output_print("\\|");
    else if (*c == '\n' && cell) output_print("<br>");
    else if (*c == '<') output_print("&lt;");
    else if (*c == '*' || *c == '_') output_print("\\%c", *c);
    else output_print("%c", *c);
  }
}

/* Code in a cell: bars are escaped there, too, and nothing else is. */
static void code(const char *text) {
  for (const char *c = text; *c; c++) output_print(*c == '|' ? "\\|" : "%c", *c);
}

static void put_option(const struct option *option) {
  char range[80];
  option_range(option, range);
  output_print("| `");
  if (option->letter) output_print("-%c, ", option->letter);
  output_print("--%s", option->name);
  if (option->argument) {
    output_print(" ");
    code(option->argument);
  }
  output_print("` | ");
  markdown(option->text, true);
  if (*range) output_print("<br>range: %s", range);
  output_print(" | ");
  markdown(option->preset ? option->preset : "", true);
  output_print(" |\n");
}

static void put_options(unsigned bit) {
  for (int group = 0; group < GROUP_COUNT; group++) {
    bool any = false;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
      const struct option *option = option_get(i);
      if (!(option->commands & bit) || option->group != (enum option_group)group) continue;
      if (!any)
        output_print("\n| %s | meaning | default |\n|---|---|---|\n", option_group_title((enum option_group)group));
      any = true;
      put_option(option);
    }
  }
}

static void put_examples(const struct example *example) {
  output_print("\nExamples:\n");
  for (; example->line; example++) {
    output_print("\n```sh\n%s\n```\n\n", example->line);
    markdown(example->text, false);
    output_print("\n");
  }
}

static void put_command(const struct command *command) {
  output_print("\n## glimpse %s\n\n", command->name);
  markdown(command->summary, false);
  output_print("\n\n```\nglimpse %s [OPTION ...]%s%s\n```\n\n", command->name, *command->operands ? " " : "",
               command->operands);
  markdown(command->text, false);
  output_print("\n");
  put_options(command_bit(command));
  put_examples(command->examples);
}

static void put_environments(void) {
  output_print("\n## Built-in environments\n");
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++) {
    output_print("\n### %s\n\n", environment->name);
    markdown(environment->text, false);
    output_print("\n");
    const glimpse_parameter *p = environment->parameters;
    if (p && p->key) output_print("\n| parameter | default | meaning |\n|---|---|---|\n");
    for (; p && p->key; p++) {
      output_print("| `%s` | %s | ", p->key, p->value);
      markdown(p->text, true);
      output_print(" |\n");
    }
  }
}

void manual_markdown(const struct commands *all) {
  output_print("# Commands and options\n\n"
               "This page is printed by `glimpse help --markdown` from the tables of the program; `make docs` writes "
               "it.\n\n```\nglimpse COMMAND [OPTION ...] [MODEL]\nglimpse --version\n```\n\n");
  markdown(manual_models, false);
  output_print(
      "\n\nOptions may stand anywhere, as `--name value` or `--name=value`; `--` ends them. Data goes to the "
      "standard output, messages to the standard error.\n"
      "Exit status: 0 success, 1 failure, 2 wrong usage, 130 ended early by Ctrl-C, 129 and 143 by a signal.\n\n"
      "| command | what it does |\n|---|---|\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    const struct command *command = all->at[i];
    output_print("| [`glimpse %s`](#glimpse-%s) | ", command->name, command->name);
    markdown(command->summary, true);
    output_print(" |\n");
  }
  for (size_t i = 0; i < COMMAND_COUNT; i++) put_command(all->at[i]);
  put_environments();
}
