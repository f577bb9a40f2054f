#include "policy/thin.h"

#include <math.h>
#include <string.h>

bool gli_thin(gli_slate *slate, uint32_t start, gli_ceiling *ceiling) {
  (void)start;
  memcpy(ceiling->corner, slate->corner, (size_t)slate->states * slate->actions * sizeof *slate->corner);
  ceiling->points = 0;
  for (size_t i = 0; i < slate->points; i++)
    if (!gli_ceiling_add(ceiling, gli_slate_belief(slate, slate->point[i]), slate->value + i * slate->actions)) return false;
  return true;
}
