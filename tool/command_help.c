/* glimpse help: the manual. */
#include "manual.h"
#include "message.h"
#include "options.h"
#include "output.h"

static int run(const struct options *options) {
  const struct command *command = NULL;
  if (options->operands) {
    int status = command_require(options->commands, options->operand[0], &command);
    if (status) return status;
  }
  bool completion = options->given[OPTION_completion];
  if (options->list + options->man + options->json + options->markdown + completion > 1)
    return message_usage(&command_help,
                         "'--list', '--man', '--json', '--markdown' and '--completion' exclude each other");
  if (command && (options->list || options->json || options->markdown || completion))
    return message_usage(&command_help, "'--%s' is about all commands",
                         options->list       ? "list"
                         : options->json     ? "json"
                         : options->markdown ? "markdown"
                                             : "completion");
  if (options->json) manual_json(options->commands);
  else if (options->markdown) manual_markdown(options->commands);
  else if (completion) manual_completion(options->commands, (enum manual_shell)options->completion);
  else if (options->man) manual_page(options->commands, command);
  else if (options->list)
    for (size_t i = 0; i < COMMAND_COUNT; i++) output_print("%s\n", command_name(i));
  else manual_help(options->commands, command);
  return TOOL_OK;
}

static const struct example examples[] = {
    {"glimpse help bounds", "the same as 'glimpse bounds --help'"},
    {"glimpse help --man bounds > glimpse-bounds.1", "writes a man page; 'man -l glimpse-bounds.1' shows it"},
    {"glimpse help --completion bash > glimpse.bash",
     "writes a script for completion; 'make install' does this for bash and zsh"},
    {"glimpse help --json", "commands, options and their ranges, for other programs"},
    {NULL, NULL}};

const struct command command_help = {
    .name = "help",
    .summary = "explain the commands",
    .operands = "[COMMAND]",
    .least = 0,
    .most = 1,
    .text = "Explains COMMAND and its options, or lists the commands.",
    .examples = examples,
    .run = run,
};
