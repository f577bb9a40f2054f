/* Page: a report as one HTML file that needs nothing else. */
#ifndef EXPERIMENT_PAGE_H
#define EXPERIMENT_PAGE_H

#include "common/complaint.h"
#include "experiment/plot.h"

/* `directory` has NAME.svg of each figure; NULL: there are no figures, for the reason in `without` (may be "").
 * False, with a complaint: a figure cannot be read, or there is no memory. */
bool page_write(const struct tables *tables, const struct plots *plots, const char *directory, const char *without,
                const char *heading, struct text *out, complaint *why);

/* The picture in an SVG file by gnuplot as a part of a page: without what stands in front of it, and with names
 * that no other picture of the page has.  False: that is no such picture. */
bool page_picture(const char *svg, size_t number, const char *label, struct text *out);

#endif
