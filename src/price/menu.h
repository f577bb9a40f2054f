/* Menu: the price of one inquiry as a factor, everything else of the model as it is. */
#ifndef GLI_PRICE_MENU_H
#define GLI_PRICE_MENU_H

#include "model/inquiry.h"
#include "price/interval.h"

typedef struct gli_menu {
  const glimpse_model *model;
  uint32_t inquiry;

  gli_inquiry *inquiries; /* those of the model, changed for a copy */
  glimpse_model *free;    /* the planning model where it costs nothing */
  double *paid;           /* per choice and state of that: what it pays at the factor 1, at least 0 */
  double *reward;         /* room for the rewards of a copy */
  glimpse_model planning; /* the copy */
  glimpse_model *without; /* the planning model without the inquiry; NULL: that is an ordinary model */
} gli_menu;

/* `menu` may be freed after a failure, too. */
glimpse_status gli_menu_new(const glimpse_model *model, uint32_t inquiry, glimpse_report *report, gli_menu *menu);
void gli_menu_free(gli_menu *menu);
/* A copy of the model whose planning model has these prices; valid until the next, for planning alone. */
glimpse_model gli_menu_at(gli_menu *menu, double factor);
/* A copy without the inquiry. */
glimpse_model gli_menu_off(const gli_menu *menu);
/* At most so much is paid at the factor 1, discounted. */
double gli_menu_steepest(const gli_menu *menu);
/* How far the value at a factor may be off because rewards are rounded. */
double gli_menu_slack(const gli_menu *menu, double factor);
/* See gli_always_never. */
glimpse_status gli_menu_never(const gli_menu *menu, const glimpse_bound_options *options, glimpse_report *report,
                              double *never, double *scale);

#endif
