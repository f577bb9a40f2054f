/* glimpse: the program.  Takes the command line apart and runs the command.
 *
 * Only this file knows all commands: they use the files beside it, none of which uses them. */
#include "command.h"
#include "glimpse.h"
#include "manual.h"
#include "message.h"
#include "options.h"
#include "output.h"

static const struct commands commands = {{
#define X(id, name) &command_##name,
    COMMAND_TABLE(X)
#undef X
}};

static int run(int argc, char **argv) {
  struct options options;
  int status = options_parse(argc, argv, &commands, &options);
  if (status) return status;
  if (options.version) {
    output_print("glimpse %s\n", glimpse_version());
    return TOOL_OK;
  }
  if (options.help) {
    manual_help(&commands, options.command);
    return TOOL_OK;
  }
  if (!options.command) return message_usage(NULL, "a command is missing");
  return options.command->run(&options);
}

int main(int argc, char **argv) {
  output_start();
  return output_finish(run(argc, argv));
}
