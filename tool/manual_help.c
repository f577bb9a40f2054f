/* Manual, part one: the texts for a terminal, and the same as JSON. */
#include <stdio.h>
#include <string.h>

#include "glimpse.h"
#include "json.h"
#include "manual.h"
#include "options.h"
#include "output.h"
#include "table.h"

const char manual_models[] =
    "MODEL is a built-in environment, written name or name:key=value,key=value, or else a file in "
    "Cassandra's .pomdp format or in POMDPX, or a table of an MDP (.csv, .json); \"-\" is the standard input. "
    "Write ./name for a file that has the name of an environment, and file:inquiry=price,inquiry=price for other "
    "prices "
    "of its inquiries. 'glimpse info' lists the environments.";

const struct example manual_examples[] = {
    {"glimpse info", "lists the built-in environments"},
    {"glimpse info robot-delivery --draw", "what a model is, with a picture"},
    {"glimpse bounds tiger --cost 5", "bounds on the optimal value, at a price of 5"},
    {"glimpse plan robot-delivery:n=3", "whether to ask and what to do, after 0.1 s of search"},
    {"glimpse run tiger --episodes 10 --max-steps 50 --expansions 100", "how well that does"},
    {NULL, NULL}};

enum { TEXT_COLUMN = 28, WIDTH = 79 };

/* Prints an option and its argument.  Words of a choice that do not fit go on below
 * the first.  Returns where the cursor stands. */
static int put_head(const char *head, int words) {
  int indent = 0, length = (int)strlen(head);
  while (indent + length > WIDTH) {
    int fits = WIDTH - indent;
    while (fits > 0 && head[fits - 1] != '|') fits--;
    if (!fits) break; /* one long word */
    output_print("%.*s\n%*s", fits, head, words, "");
    head += fits;
    length -= fits;
    indent = words;
  }
  output_print("%s", head);
  return indent + length;
}

static void put_option(const struct option *option) {
  char range[80], line[1000];
  option_range(option, range);
  int at = snprintf(line, sizeof line, "  %c%c%s--%s%s%s", option->letter ? '-' : ' ',
                    option->letter ? option->letter : ' ', option->letter ? ", " : "  ", option->name,
                    option->argument ? " " : "", option->argument ? option->argument : "");
  at = put_head(line, at - (option->argument ? (int)strlen(option->argument) : 0));
  if (at + 2 > TEXT_COLUMN) {
    output_print("\n");
    at = 0;
  }
  bool extras = *range || option->preset;
  int head = (int)strcspn(option->text, "\n");
  snprintf(line, sizeof line, "%.*s%s%s%s%s%s%s%s", head, option->text, extras ? " (" : "", range,
           *range && option->preset ? "; " : "", option->preset ? "default: " : "",
           option->preset ? option->preset : "", extras ? ")" : "", option->text + head);
  table_wrap(line, (unsigned)at, TEXT_COLUMN);
}

static void put_options(unsigned bit) {
  for (int group = 0; group < GROUP_COUNT; group++) {
    bool any = false;
    for (size_t i = 0; i < OPTION_COUNT; i++) {
      const struct option *option = option_get(i);
      if (!(option->commands & bit) || option->group != (enum option_group)group) continue;
      if (!any) output_print("\n%s:\n", option_group_title((enum option_group)group));
      any = true;
      put_option(option);
    }
  }
}

static void put_examples(const struct example *example) {
  output_print("\nExamples:\n");
  for (; example->line; example++) {
    output_print("  %s\n", example->line);
    table_wrap(example->text, 0, 6);
  }
}

static void help_command(const struct command *command) {
  output_print("glimpse %s - %s\n\n", command->name, command->summary);
  output_print("Usage: glimpse %s [OPTION ...]%s%s\n\n", command->name, *command->operands ? " " : "",
               command->operands);
  table_wrap(command->text, 0, 0);
  if (strstr(command->operands, "MODEL")) {
    output_print("\n");
    table_wrap(manual_models, 0, 0);
  }
  put_options(command_bit(command));
  put_examples(command->examples);
}

static void help_program(const struct commands *all) {
  output_print("glimpse - planning under uncertainty when certainty has a price\n\n"
               "Usage: glimpse COMMAND [OPTION ...] [MODEL]\n"
               "       glimpse --version\n\n"
               "Commands:\n");
  struct table table = table_begin("ll");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    const struct command *command = all->at[i];
    table_cell(&table, "%s", command->name);
    table_cell(&table, "%s", command->summary);
  }
  table_end(&table, 2);
  output_print("\n");
  table_wrap(manual_models, 0, 0);
  output_print(
      "\n'glimpse COMMAND --help' explains a command and its options.\n"
      "Exit status: 0 success, 1 failure, 2 wrong usage, 130 ended early by Ctrl-C, 129 and 143 by a signal.\n");
  put_examples(manual_examples);
}

void manual_help(const struct commands *all, const struct command *command) {
  if (command) help_command(command);
  else help_program(all);
}

void manual_environments(void) {
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++) {
    output_print("%s%s\n", i ? "\n" : "", environment->name);
    table_wrap(environment->text, 0, 4);
    struct table table = table_begin("llw");
    for (const glimpse_parameter *p = environment->parameters; p && p->key; p++) {
      table_cell(&table, "%s", p->key);
      table_cell(&table, "%s", p->value);
      table_cell(&table, "%s", p->text);
    }
    table_end(&table, 8);
  }
}

/* -------------------------------------------------------------------- JSON */

static void json_option(struct json *json, const struct option *option) {
  static const char *const kinds[] = {"flag", "count", "number", "positive", "price", "size", "choice", "text"};
  char letter[2] = {option->letter, 0};
  bool ranged = option->kind == KIND_COUNT || option->kind == KIND_NUMBER || option->kind == KIND_SIZE;
  json_object(json, NULL);
  json_text(json, "name", option->name);
  json_text(json, "letter", option->letter ? letter : NULL);
  json_text(json, "kind", kinds[option->kind]);
  json_text(json, "argument", option->argument);
  json_text(json, "default", option->preset);
  if (ranged) json_number(json, "low", option->low);
  if (ranged) json_number(json, "high", option->high);
  json_text(json, "text", option->text);
  json_array_flat(json, "commands");
  for (size_t i = 0; i < COMMAND_COUNT; i++)
    if (option->commands & 1u << i) json_text(json, NULL, command_name(i));
  json_close(json);
  json_close(json);
}

void manual_json(const struct commands *all) {
  struct json json = json_begin();
  json_text(&json, "version", glimpse_version());
  json_array(&json, "commands");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    const struct command *command = all->at[i];
    json_object(&json, NULL);
    json_text(&json, "name", command->name);
    json_text(&json, "summary", command->summary);
    json_text(&json, "operands", command->operands);
    json_close(&json);
  }
  json_close(&json);
  json_array(&json, "options");
  for (size_t i = 0; i < OPTION_COUNT; i++) json_option(&json, option_get(i));
  json_close(&json);
  json_end(&json);
}
