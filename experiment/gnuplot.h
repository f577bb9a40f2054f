/* Gnuplot: draws the figures of a report with the program of that name, which is looked for when it is needed. */
#ifndef EXPERIMENT_GNUPLOT_H
#define EXPERIMENT_GNUPLOT_H

#include "common/complaint.h"
#include "experiment/plot.h"

/* The numbers of a figure, one block per curve, and the commands that draw them: 'gnuplot NAME.gp' makes NAME.svg and
 * NAME.png in the current directory, which must have NAME.dat. */
void gnuplot_data(const struct plot *plot, struct text *out);
void gnuplot_script(const struct plot *plot, const char *heading, struct text *out);

/* Writes NAME.svg and NAME.png of each figure into a directory that exists, whole or not at all.  With `keep` the data
 * and the scripts stay there, and where there is no gnuplot they are all there is: *drawn is then false.  `shown`, if
 * not NULL, is called before each figure and returns false to stop.  False, with a complaint: cannot be written,
 * gnuplot failed or is not there. */
bool gnuplot_draw(const struct plots *plots, const struct tables *tables, const char *directory, bool keep,
                  bool (*shown)(const char *name), bool *drawn, complaint *why);

#endif
