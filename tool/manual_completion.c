/* Manual, part four: completion for bash and zsh.
 *
 * The scripts hold all names, words and texts of the tables, so completing runs no
 * program, with one exception: the built-in specifications of bench are asked for.
 * What is offered for a value follows from the option's kind and from how its argument
 * is called: FILE and DIRECTORY are paths, PLANNER is a planner, "off" is a word. */
#include <string.h>

#include "glimpse.h"
#include "manual.h"
#include "options.h"
#include "output.h"

/* Words that a value can be, "a|b"; "" where it can be anything. */
static const char *words_of(const struct option *option) {
  if (option->kind == KIND_CHOICE) return option->argument;
  if (option->kind == KIND_PRICE) return "off";
  if (option->argument && !strcmp(option->argument, "PLANNER")) return &(GLIMPSE_PLANNER_TABLE(PLANNER_WORD))[1];
  return "";
}

static bool is_file(const struct option *option) {
  return option->argument && !strcmp(option->argument, "FILE");
}

static bool is_directory(const struct option *option) {
  return option->argument && !strcmp(option->argument, "DIRECTORY");
}

/* "a|b" with something else than bars between the words. */
static void put_words(const char *words, const char *between) {
  for (; *words; words++)
    output_print("%.*s", *words == '|' ? (int)strlen(between) : 1, *words == '|' ? between : words);
}

static void put_environments(void) {
  const glimpse_environment *environment;
  for (size_t i = 0; (environment = glimpse_environment_get(i)); i++)
    output_print("%s%s", i ? " " : "", environment->name);
}

static void put_commands(void) {
  for (size_t i = 0; i < COMMAND_COUNT; i++) output_print("%s%s", i ? " " : "", command_name(i));
}

/* -------------------------------------------------------------------- bash */

/* The pattern of a case: "--output | -o". */
static void bash_pattern(const struct option *option) {
  output_print("--%s", option->name);
  if (option->letter) output_print(" | -%c", option->letter);
}

/* Is this the first row of its name? */
static bool first_of_name(size_t i) {
  for (size_t k = 0; k < i; k++)
    if (!strcmp(option_get(k)->name, option_get(i)->name)) return false;
  return true;
}

static void bash_valued(void) {
  bool first = true;
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const struct option *option = option_get(i);
    if (!option->argument || !first_of_name(i)) continue;
    output_print("%s", first ? "" : " | ");
    bash_pattern(option);
    first = false;
  }
}

/* The words of all rows of one name. */
static void bash_words(size_t i) {
  bool first = true;
  for (size_t k = i; k < OPTION_COUNT; k++) {
    if (strcmp(option_get(k)->name, option_get(i)->name) != 0) continue;
    if (!first) output_print(" ");
    put_words(words_of(option_get(k)), " ");
    first = false;
  }
}

static void bash_values(void) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const struct option *option = option_get(i);
    if (!option->argument || !first_of_name(i)) continue;
    output_print("  ");
    bash_pattern(option);
    output_print(") ");
    if (*words_of(option)) {
      output_print("_glimpse_offer -W '");
      bash_words(i);
      output_print("' -- \"$word\"; ");
    } else if (is_file(option) || is_directory(option)) {
      output_print("_glimpse_paths %s \"$word\"; ", is_file(option) ? "-f" : "-d");
    }
    output_print("return ;;\n");
  }
}

static void bash_options(unsigned bit) {
  bool first = true;
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const struct option *option = option_get(i);
    if (!(option->commands & bit)) continue;
    output_print("%s--%s", first ? "" : " ", option->name);
    first = false;
  }
}

static void bash_operands(const char *operands) {
  if (strstr(operands, "MODEL")) {
    output_print("      _glimpse_paths -f \"$word\"\n      _glimpse_offer -W '");
    put_environments();
    output_print("' -- \"$word\"\n");
  } else if (strstr(operands, "SPEC")) {
    output_print(
        "      _glimpse_paths -f \"$word\"\n"
        "      _glimpse_offer -W \"$(\"${COMP_WORDS[0]}\" bench --list 2>/dev/null | cut -d' ' -f1)\" -- \"$word\"\n");
  } else if (strstr(operands, "COMMAND")) {
    output_print("      _glimpse_offer -W '");
    put_commands();
    output_print("' -- \"$word\"\n");
  } else if (*operands) {
    output_print("      _glimpse_paths -f \"$word\"\n");
  }
}

static void bash(const struct commands *all) {
  output_print("# bash completion for glimpse %s; written by 'glimpse help --completion bash'.\n\n", glimpse_version());
  output_print("_glimpse_offer() {\n"
               "  local found\n"
               "  mapfile -t found < <(compgen \"$@\")\n"
               "  COMPREPLY+=(\"${found[@]}\")\n"
               "}\n\n"
               "_glimpse_paths() { # -f or -d, and how the path begins\n"
               "  compopt -o filenames 2>/dev/null || :\n"
               "  _glimpse_offer \"$1\" -- \"$2\"\n"
               "}\n\n"
               "_glimpse() {\n"
               "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= operands=0 i\n"
               "  COMPREPLY=()\n"
               "  # --name=value arrives in three words.\n"
               "  if [[ $word == = ]]; then\n"
               "    word=\n"
               "  elif [[ $before == = ]]; then\n"
               "    before=${COMP_WORDS[COMP_CWORD - 2]}\n"
               "  fi\n"
               "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
               "    case ${COMP_WORDS[i]} in\n"
               "    ");
  bash_valued();
  output_print(")\n"
               "      i=$((i + 1))\n"
               "      if [[ ${COMP_WORDS[i]-} == = ]]; then i=$((i + 1)); fi\n"
               "      ;;\n"
               "    -* | =) ;;\n"
               "    *) if [[ -z $command ]]; then command=${COMP_WORDS[i]}; else operands=$((operands + 1)); fi ;;\n"
               "    esac\n"
               "  done\n\n"
               "  case $before in\n");
  bash_values();
  output_print("  esac\n\n"
               "  case $command in\n"
               "  '')\n"
               "    if [[ $word == -* ]]; then\n"
               "      _glimpse_offer -W '--help --version' -- \"$word\"\n"
               "    else\n"
               "      _glimpse_offer -W '");
  put_commands();
  output_print("' -- \"$word\"\n    fi\n    ;;\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    const struct command *command = all->at[i];
    output_print("  %s)\n    if [[ $word == -* ]]; then\n      _glimpse_offer -W '", command->name);
    bash_options(1u << i);
    output_print("' -- \"$word\"\n");
    if (command->most) {
      output_print("    elif ((operands < %u)); then\n", command->most);
      bash_operands(command->operands);
    }
    output_print("    fi\n    ;;\n");
  }
  output_print("  esac\n}\n\ncomplete -F _glimpse glimpse\n");
}

/* --------------------------------------------------------------------- zsh */

/* The first line of a text, inside of '[...]' or ':...:' of _arguments. */
static void zsh_text(const char *text) {
  for (; *text && *text != '\n'; text++) {
    if (*text == '\'') output_print("'\\''");
    else if (strchr("[]:\\", *text)) output_print("\\%c", *text);
    else output_print("%c", *text);
  }
}

static void zsh_option(const struct option *option) {
  output_print("      ");
  if (option->letter) {
    output_print("'(-%c --%s)'{-%c%s,--%s%s}'[", option->letter, option->name, option->letter,
                 option->argument ? "+" : "", option->name, option->argument ? "=" : "");
  } else {
    output_print("'--%s%s[", option->name, option->argument ? "=" : "");
  }
  zsh_text(option->text);
  output_print("]");
  if (option->argument) {
    output_print(":");
    zsh_text(option->kind == KIND_CHOICE ? option->name : option->argument);
    output_print(":");
    if (*words_of(option)) {
      output_print("(");
      put_words(words_of(option), " ");
      output_print(")");
    } else if (is_file(option)) {
      output_print("_files");
    } else if (is_directory(option)) {
      output_print("_files -/");
    }
  }
  output_print("' \\\n");
}

static void zsh_operands(const struct command *command) {
  const char *operands = command->operands;
  const char *action = strstr(operands, "MODEL")     ? "_glimpse_models"
                       : strstr(operands, "SPEC")    ? "_glimpse_specs"
                       : strstr(operands, "COMMAND") ? "_glimpse_commands"
                                                     : "_files";
  if (command->most) output_print("      '1:%s:%s'\n", operands, action);
  else output_print("      ''\n");
}

static void zsh(const struct commands *all) {
  output_print("#compdef glimpse\n# zsh completion for glimpse %s; written by 'glimpse help --completion zsh'.\n\n",
               glimpse_version());
  output_print("_glimpse_commands() {\n  local -a commands\n  commands=(\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    output_print("    '%s:", command_name(i));
    zsh_text(all->at[i]->summary);
    output_print("'\n");
  }
  output_print("  )\n  _describe -t commands command commands\n}\n\n"
               "_glimpse_models() {\n  _alternative 'environments:environment:(");
  put_environments();
  output_print(")' 'files:model file:_files'\n}\n\n"
               "_glimpse_specs() {\n"
               "  local -a specs\n"
               "  specs=(${${(f)\"$(_call_program specs glimpse bench --list 2>/dev/null)\"}%%%% *})\n"
               "  _alternative \"specs:built-in specification:($specs)\" 'files:specification file:_files'\n}\n\n"
               "_glimpse() {\n"
               "  local curcontext=$curcontext state line\n"
               "  typeset -A opt_args\n"
               "  _arguments -C '(- *)'{-h,--help}'[explain the program]' '(- *)--version[show the version]' \\\n"
               "    '1:command:_glimpse_commands' '*::argument:->rest' && return\n"
               "  case $words[1] in\n");
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    output_print("  %s)\n    _arguments \\\n", command_name(i));
    for (size_t k = 0; k < OPTION_COUNT; k++)
      if (option_get(k)->commands & 1u << i) zsh_option(option_get(k));
    zsh_operands(all->at[i]);
    output_print("    ;;\n");
  }
  output_print("  esac\n}\n\n_glimpse \"$@\"\n");
}

void manual_completion(const struct commands *all, enum manual_shell shell) {
  if (shell == SHELL_BASH) bash(all);
  else zsh(all);
}
