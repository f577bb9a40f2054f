/* Options: the parser that goes with the table in options.h.
 *
 * Options may stand anywhere, also before the command, since every name means
 * the same for all commands that know it.  `--name value`, `--name=value`,
 * `-o value` and `-ovalue` are understood; `--` ends the options. */
#include "options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/nearest.h"
#include "glimpse.h"
#include "message.h"

static const struct option table[] = {
#define X(kind, field, name, letter, argument, preset, low, high, commands, group, text)                               \
  {name, argument, preset, text, low, high, offsetof(struct options, field), commands, KIND_##kind, group, letter},
    OPTION_TABLE(X)
#undef X
};

static const char *const titles[] = {
#define X(id, title) title,
    OPTION_GROUP_TABLE(X)
#undef X
};

const struct option *option_get(size_t i) {
  return i < OPTION_COUNT ? &table[i] : NULL;
}

const char *option_group_title(enum option_group group) {
  return titles[group];
}

void option_range(const struct option *option, char text[80]) {
  char low[GLIMPSE_NUMBER_SIZE], high[GLIMPSE_NUMBER_SIZE];
  text[0] = 0;
  glimpse_number_write(option->low, low);
  glimpse_number_write(option->high, high);
  if (option->kind == KIND_POSITIVE) snprintf(text, 80, "above 0");
  if (option->kind == KIND_PRICE) snprintf(text, 80, "above 0, or off");
  if (option->kind == KIND_COUNT || option->kind == KIND_NUMBER) {
    if (option->high >= 1e15) snprintf(text, 80, "at least %s", low);
    else snprintf(text, 80, "%s to %s", low, high);
  }
  if (option->kind == KIND_SIZE) snprintf(text, 80, "at least %.0fK", option->low / 1024);
}

/* ------------------------------------------------------------------ values */

static bool read_number(const char *text, double *value) {
  size_t length = strlen(text);
  return length && glimpse_number_read(text, length, value) == length && isfinite(*value);
}

static bool read_count(const char *text, uint64_t *value) {
  *value = 0;
  if (!*text) return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9' || *value > (UINT64_MAX - 9) / 10) return false;
    *value = 10 * *value + (uint64_t)(*text - '0');
  }
  return true;
}

/* Bytes, with K, M or G for 2^10, 2^20, 2^30. */
static bool read_size(const char *text, uint64_t *value) {
  static const char units[] = "KMG";
  char digits[32];
  size_t length = strspn(text, "0123456789");
  const char *unit = text[length] ? strchr(units, text[length]) : NULL;
  if (text[length] && (!unit || text[length + 1])) return false;
  if (length >= sizeof digits) return false;
  snprintf(digits, sizeof digits, "%.*s", (int)length, text);
  if (!read_count(digits, value)) return false;
  unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
  if (*value > UINT64_MAX >> shift) return false;
  *value <<= shift;
  return true;
}

/* The place of the text among the words "a|b|c". */
static bool read_choice(const char *text, const char *words, unsigned *value) {
  size_t length = strlen(text);
  for (*value = 0;; ++*value) {
    size_t word = strcspn(words, "|");
    if (word == length && !strncmp(words, text, length)) return true;
    if (!words[word]) return false;
    words += word + 1;
  }
}

static bool in_range(const struct option *option, double value) {
  return value >= option->low && value <= option->high;
}

/* Stores the value of an option; false, with nothing stored, when it is not one. */
static bool store(const struct option *option, const char *text, struct options *options) {
  char *field = (char *)options + option->offset;
  double number = 0;
  uint64_t count = 0;
  unsigned choice = 0;
  bool flag = true;
  switch (option->kind) {
    case KIND_FLAG: memcpy(field, &flag, sizeof flag); return true;
    case KIND_TEXT:
      if (!*text) return false;
      memcpy(field, &text, sizeof text);
      return true;
    case KIND_COUNT:
      if (!read_count(text, &count) || !in_range(option, (double)count)) return false;
      memcpy(field, &count, sizeof count);
      return true;
    case KIND_SIZE:
      if (!read_size(text, &count) || !in_range(option, (double)count)) return false;
      memcpy(field, &count, sizeof count);
      return true;
    case KIND_CHOICE:
      if (!read_choice(text, option->argument, &choice)) return false;
      memcpy(field, &choice, sizeof choice);
      return true;
    case KIND_NUMBER:
      if (!read_number(text, &number) || !in_range(option, number)) return false;
      break;
    case KIND_PRICE:
      if (!strcmp(text, "off")) break;
      if (!read_number(text, &number) || number <= 0) return false;
      break;
    case KIND_POSITIVE:
      if (!read_number(text, &number) || number <= 0) return false;
      break;
  }
  memcpy(field, &number, sizeof number);
  return true;
}

static void set_defaults(struct options *options) {
  memset(options, 0, sizeof *options);
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (table[i].preset && table[i].kind != KIND_TEXT) store(&table[i], table[i].preset, options);
}

/* ------------------------------------------------------------------- words */

/* An argument that looks like an option, taken apart. */
struct word {
  const struct option *option; /* NULL: unknown */
  bool old;                    /* spelt as earlier versions did */
  const char *value;           /* what is attached to it, or NULL */
};

static bool is_for(const struct option *option, const struct command *command) {
  return !command || option->commands & command_bit(command);
}

static bool is_option(const char *text) {
  return text[0] == '-' && text[1];
}

/* A name may have a row for some commands and another for others; any row will do where the command is not known. */
static const struct option *find(const char *name, size_t length, const struct command *command) {
  const struct option *found = NULL;
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (strlen(table[i].name) == length && !strncmp(table[i].name, name, length) &&
        (!found || is_for(&table[i], command)))
      found = &table[i];
  return found;
}

static struct word take_apart(const char *text, const struct command *command) {
  struct word word = {NULL, false, NULL};
  if (text[1] != '-') {
    for (size_t i = 0; i < OPTION_COUNT; i++)
      if (table[i].letter == text[1]) word.option = &table[i];
    if (text[2]) word.value = text + 2;
    return word;
  }
  size_t length = strcspn(text + 2, "=");
  word.option = find(text + 2, length, command);
  if (!word.option) {
    char name[48];
    snprintf(name, sizeof name, "%.*s", (int)length, text + 2);
    const char *today = glimpse_word_today("", name);
    if (today) word.option = find(today, strlen(today), command), word.old = true;
  }
  if (text[2 + length]) word.value = text + 2 + length + 1;
  return word;
}

/* The first operand names the command; options before it are stepped over.
 * Where it stands in argv, 0 when there is none. */
static int find_command(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--")) return i + 1 < argc ? i + 1 : 0;
    if (!is_option(argv[i])) return i;
    struct word word = take_apart(argv[i], NULL);
    if (word.option && word.option->argument && !word.value) i++;
  }
  return 0;
}

/* -------------------------------------------------------------- complaints */

static int unknown_option(const struct command *command, const char *text) {
  char name[48];
  snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 2, "="), text + 2);
  struct nearest nearest = nearest_begin(name);
  if (text[1] == '-') {
    for (size_t i = 0; i < OPTION_COUNT; i++)
      if (is_for(&table[i], command)) nearest_offer(&nearest, table[i].name);
  }
  if (nearest.best) return message_usage(command, "there is no option '%s'; did you mean '--%s'?", text, nearest.best);
  return message_usage(command, "there is no option '%s'", text);
}

static int foreign_option(const struct command *command, const struct option *option) {
  char takers[200] = "";
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    if (!(option->commands & 1u << i)) continue;
    size_t used = strlen(takers);
    snprintf(takers + used, sizeof takers - used, "%s%s", used ? ", " : "", command_name(i));
  }
  return message_usage(command, "'%s' has no option '--%s', which belongs to: %s", command->name, option->name, takers);
}

static int bad_choice(const struct command *command, const struct option *option, const char *value) {
  char words[200];
  struct nearest nearest = nearest_begin(value);
  snprintf(words, sizeof words, "%s", option->argument);
  for (char *word = words, *end; word; word = end ? end + 1 : NULL) {
    end = strchr(word, '|');
    if (end) *end = 0;
    nearest_offer(&nearest, word);
  }
  if (nearest.best)
    return message_usage(command, "'%s' is not a value of '--%s'; did you mean '%s'? It is one of %s", value,
                         option->name, nearest.best, option->argument);
  return message_usage(command, "'%s' is not a value of '--%s'; expected one of %s", value, option->name,
                       option->argument);
}

static int bad_value(const struct command *command, const struct option *option, const char *value) {
  char range[80];
  option_range(option, range);
  if (option->kind == KIND_CHOICE) return bad_choice(command, option, value);
  const char *noun = option->kind == KIND_COUNT  ? "a whole number, "
                     : option->kind == KIND_SIZE ? "a whole number, also with K, M or G, "
                     : option->kind == KIND_TEXT ? "a text that is not empty"
                                                 : "a number, ";
  return message_usage(command, "'%s' is not a value of '--%s'; expected %s%s", value, option->name, noun, range);
}

/* ----------------------------------------------------------------- parsing */

/* Handles the option at argv[*i], and its value. */
static int parse_option(int argc, char **argv, int *i, struct options *options) {
  const char *text = argv[*i];
  const struct command *command = options->command;
  if (!command && !strcmp(text, "--version")) {
    options->version = true;
    return TOOL_OK;
  }
  struct word word = take_apart(text, command);
  const struct option *option = word.option;
  if (!option) return unknown_option(command, text);
  if (!is_for(option, command)) return foreign_option(command, option);
  if (!option->argument && word.value)
    return message_usage(command, "'--%s' takes no value, found '%s'", option->name, text);
  if (option->argument && !word.value) {
    if (*i + 1 == argc)
      return message_usage(command, "'--%s' needs a value: --%s %s", option->name, option->name, option->argument);
    word.value = argv[++*i];
  }
  if (word.old) message_hint("'%.*s' is now '--%s'", (int)strcspn(text, "="), text, option->name);
  const char *today = word.value ? glimpse_word_today(option->name, word.value) : NULL;
  if (today) {
    message_hint("'--%s %s' is now '--%s %s'", option->name, word.value, option->name, today);
    word.value = today;
  }
  if (!store(option, word.value, options)) return bad_value(command, option, word.value);
  options->given[option - table] = true;
  return TOOL_OK;
}

static int check_operands(const struct options *options) {
  const struct command *command = options->command;
  if (options->operands < command->least)
    return message_usage(command, "'%s' needs %s", command->name, command->operands);
  if (options->operands > command->most)
    return message_usage(command, "'%s' is one argument too many for '%s'", options->operand[command->most],
                         command->name);
  return TOOL_OK;
}

int options_parse(int argc, char **argv, const struct commands *commands, struct options *options) {
  set_defaults(options);
  options->commands = commands;
  int place = find_command(argc, argv);
  int status = place ? command_require(commands, argv[place], &options->command) : TOOL_OK;
  if (status) return status;
  int operands = 0;
  bool ended = false;
  for (int i = 1; i < argc; i++) {
    if (!ended && !strcmp(argv[i], "--")) {
      ended = true;
    } else if (!ended && is_option(argv[i])) {
      status = parse_option(argc, argv, &i, options);
      if (status) return status;
    } else {
      argv[1 + operands++] = argv[i];
    }
  }
  /* The first of them is the command. */
  options->operand = operands ? argv + 2 : argv;
  options->operands = operands ? (size_t)operands - 1 : 0;
  return options->command && !options->help ? check_operands(options) : TOOL_OK;
}
