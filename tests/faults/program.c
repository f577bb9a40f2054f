/* The program, whose main becomes program_main. */
#include "faults/faults.h"

#define main program_main
#include "main.c" /* NOLINT(bugprone-suspicious-include): tool/main.c */
