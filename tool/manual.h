/* Manual: what --help shows and the man pages say, made from the tables. */
#ifndef MANUAL_H
#define MANUAL_H

#include "command.h"

/* A command of NULL stands for the program as a whole. */
void manual_help(const struct commands *all, const struct command *command);
void manual_page(const struct commands *all, const struct command *command);
/* Commands and options as one JSON object. */
void manual_json(const struct commands *all);
/* Commands, options and environments as one page of Markdown. */
void manual_markdown(const struct commands *all);

/* In the order of the words of --completion. */
enum manual_shell { SHELL_BASH, SHELL_ZSH };
/* A script that completes command lines of glimpse. */
void manual_completion(const struct commands *all, enum manual_shell shell);

/* What a MODEL on the command line can be; paragraphs as in struct command. */
extern const char manual_models[];
/* For the program as a whole. */
extern const struct example manual_examples[];

/* The built-in environments with their parameters and defaults. */
void manual_environments(void);

#endif
