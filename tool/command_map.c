/* glimpse map: to come */
#include "options.h"
static int run(const struct options *options) { (void)options; return 0; }
static const struct example examples[] = {{NULL, NULL}};
const struct command command_map = {.name = "map", .summary = "x", .operands = "MODEL", .least = 1, .most = 1, .text = "x", .examples = examples, .run = run};
