/* Normal: masses of the normal distribution, the same bits on every machine. */
#ifndef GLI_BASE_NORMAL_H
#define GLI_BASE_NORMAL_H

/* exp(-x) for x >= 0, within two units in the last place; 0 beyond about 708. */
double gli_normal_decay(double x);
/* The tail beyond z >= 0 of exp(-t*t/2), divided by exp(-z*z/2): Mills' ratio. */
double gli_normal_mills(double z);
/* What part of a normal distribution with this mean and deviation sd > 0, cut to low..high (low < high), lies in
 * from..to; both ends are brought into low..high first.  Relative error below 1e-12, however far low..high is from the
 * mean. */
double gli_normal_share(double mean, double sd, double low, double high, double from, double to);

#endif
