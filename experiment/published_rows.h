/* Published figures, as printed or as their authors' data files have them: facts to compare with.
 *
 * PAPER: the five tables of the paper that glimpse implements, one line for each planner, environment and time per
 * step, so that 0.97 stands for anything from 0.965 to 0.975.  Where the head of a column prints one standard error for
 * all of its entries ("+-0.00") it stands in each line here; NAN is what the paper does not give.  The caption of the
 * table for c = 0.25 says f = 0.2, but its numbers are those of f = 0.1, which is what stands here (see
 * docs/EXPERIMENTS.md).
 *
 * table, environment, cost, planner, upper bound ("": none), improves the bounds, seconds per step, return, s.e.,
 * expansions per step, s.e., error reduction in percent, s.e. */
PAPER(MAIN_1, "robot-delivery:n=3", 0.1, "pomcp", "", 0, 0.1, 0.97, 0.00, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "robot-delivery:n=3", 0.1, "aems", "fib-sr", 0, 0.1, 0.98, 0.00, 55, NAN, 3.8, 0.0)
PAPER(MAIN_1, "robot-delivery:n=3", 0.1, "aems-sr", "fib-sr", 0, 0.1, 1.38, 0.01, 2525, NAN, 24.1, 0.4)
PAPER(MAIN_1, "robot-delivery:n=3", 0.1, "pomcp", "", 0, 0.5, 0.97, 0.00, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "robot-delivery:n=3", 0.1, "aems", "fib-sr", 0, 0.5, 0.98, 0.00, 111, NAN, 4.4, 0.0)
PAPER(MAIN_1, "robot-delivery:n=3", 0.1, "aems-sr", "fib-sr", 0, 0.5, 2.49, 0.03, 11150, NAN, 42.4, 0.1)
PAPER(MAIN_1, "robot-delivery:n=3", 0.1, "pomcp", "", 0, 1.0, 0.97, 0.00, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "robot-delivery:n=3", 0.1, "aems", "fib-sr", 0, 1.0, 0.98, 0.00, 152, NAN, 4.6, 0.0)
PAPER(MAIN_1, "robot-delivery:n=3", 0.1, "aems-sr", "fib-sr", 0, 1.0, 2.50, 0.03, 20035, NAN, 43.7, 0.1)
PAPER(MAIN_1, "robot-delivery:n=5", 0.1, "pomcp", "", 0, 0.1, 0.95, 0.00, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "robot-delivery:n=5", 0.1, "aems", "fib-sr", 0, 0.1, 0.96, 0.00, 29, NAN, 3.2, 0.0)
PAPER(MAIN_1, "robot-delivery:n=5", 0.1, "aems-sr", "fib-sr", 0, 0.1, 1.00, 0.01, 1292, NAN, 7.6, 0.2)
PAPER(MAIN_1, "robot-delivery:n=5", 0.1, "pomcp", "", 0, 0.5, 0.95, 0.00, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "robot-delivery:n=5", 0.1, "aems", "fib-sr", 0, 0.5, 0.96, 0.00, 59, NAN, 3.7, 0.0)
PAPER(MAIN_1, "robot-delivery:n=5", 0.1, "aems-sr", "fib-sr", 0, 0.5, 1.01, 0.01, 6668, NAN, 8.6, 0.2)
PAPER(MAIN_1, "robot-delivery:n=5", 0.1, "pomcp", "", 0, 1.0, 0.95, 0.00, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "robot-delivery:n=5", 0.1, "aems", "fib-sr", 0, 1.0, 0.96, 0.00, 80, NAN, 4.0, 0.0)
PAPER(MAIN_1, "robot-delivery:n=5", 0.1, "aems-sr", "fib-sr", 0, 1.0, 1.45, 0.01, 13347, NAN, 32.3, 0.3)
PAPER(MAIN_1, "robot-delivery:n=7", 0.1, "pomcp", "", 0, 0.1, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "robot-delivery:n=7", 0.1, "aems", "fib-sr", 0, 0.1, 0.93, 0.00, 17, NAN, 2.5, 0.0)
PAPER(MAIN_1, "robot-delivery:n=7", 0.1, "aems-sr", "fib-sr", 0, 0.1, 0.93, 0.00, 696, NAN, 6.2, 0.0)
PAPER(MAIN_1, "robot-delivery:n=7", 0.1, "pomcp", "", 0, 0.5, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "robot-delivery:n=7", 0.1, "aems", "fib-sr", 0, 0.5, 0.94, 0.00, 37, NAN, 3.4, 0.0)
PAPER(MAIN_1, "robot-delivery:n=7", 0.1, "aems-sr", "fib-sr", 0, 0.5, 0.94, 0.00, 4024, NAN, 6.9, 0.0)
PAPER(MAIN_1, "robot-delivery:n=7", 0.1, "pomcp", "", 0, 1.0, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "robot-delivery:n=7", 0.1, "aems", "fib-sr", 0, 1.0, 0.94, 0.00, 51, NAN, 3.6, 0.0)
PAPER(MAIN_1, "robot-delivery:n=7", 0.1, "aems-sr", "fib-sr", 0, 1.0, 0.94, 0.00, 8071, NAN, 7.1, 0.0)
PAPER(MAIN_1, "tag", 1, "pomcp", "", 0, 0.1, -17.43, 0.06, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "tag", 1, "aems", "fib-sr", 0, 0.1, -6.30, 0.06, 20, NAN, 54.7, 0.1)
PAPER(MAIN_1, "tag", 1, "aems-sr", "fib-sr", 0, 0.1, -4.66, 0.06, 67, NAN, 58.8, 0.1)
PAPER(MAIN_1, "tag", 1, "pomcp", "", 0, 0.5, -17.45, 0.06, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "tag", 1, "aems", "fib-sr", 0, 0.5, -5.35, 0.08, 56, NAN, 67.8, 0.1)
PAPER(MAIN_1, "tag", 1, "aems-sr", "fib-sr", 0, 0.5, -4.56, 0.09, 566, NAN, 64.2, 0.1)
PAPER(MAIN_1, "tag", 1, "pomcp", "", 0, 1.0, -17.47, 0.06, NAN, NAN, NAN, NAN)
PAPER(MAIN_1, "tag", 1, "aems", "fib-sr", 0, 1.0, -5.35, 0.09, 79, NAN, 69.6, 0.1)
PAPER(MAIN_1, "tag", 1, "aems-sr", "fib-sr", 0, 1.0, -4.50, 0.09, 1124, NAN, 64.9, 0.1)
PAPER(MAIN_2, "robot-delivery:n=3", 0.1, "aems", "fib-sr", 1, 0.1, 0.98, 0.00, 54, NAN, 3.8, 0.0)
PAPER(MAIN_2, "robot-delivery:n=3", 0.1, "aems-sr", "fib-sr", 1, 0.1, 2.33, 0.02, 2170, NAN, 72.6, 0.5)
PAPER(MAIN_2, "robot-delivery:n=3", 0.1, "aems", "fib-sr", 1, 0.5, 0.98, 0.00, 111, NAN, 4.4, 0.0)
PAPER(MAIN_2, "robot-delivery:n=3", 0.1, "aems-sr", "fib-sr", 1, 0.5, 2.11, 0.01, 8106, NAN, 77.2, 0.5)
PAPER(MAIN_2, "robot-delivery:n=3", 0.1, "aems", "fib-sr", 1, 1.0, 0.98, 0.00, 151, NAN, 5.7, 0.2)
PAPER(MAIN_2, "robot-delivery:n=3", 0.1, "aems-sr", "fib-sr", 1, 1.0, 2.03, 0.01, 13279, NAN, 79.2, 0.5)
PAPER(MAIN_2, "robot-delivery:n=5", 0.1, "aems", "fib-sr", 1, 0.1, 0.96, 0.00, 29, NAN, 3.2, 0.0)
PAPER(MAIN_2, "robot-delivery:n=5", 0.1, "aems-sr", "fib-sr", 1, 0.1, 2.17, 0.02, 1252, NAN, 52.2, 0.4)
PAPER(MAIN_2, "robot-delivery:n=5", 0.1, "aems", "fib-sr", 1, 0.5, 0.96, 0.00, 59, NAN, 3.7, 0.0)
PAPER(MAIN_2, "robot-delivery:n=5", 0.1, "aems-sr", "fib-sr", 1, 0.5, 2.25, 0.02, 5853, NAN, 64.8, 0.6)
PAPER(MAIN_2, "robot-delivery:n=5", 0.1, "aems", "fib-sr", 1, 1.0, 0.96, 0.00, 80, NAN, 4.0, 0.0)
PAPER(MAIN_2, "robot-delivery:n=5", 0.1, "aems-sr", "fib-sr", 1, 1.0, 2.21, 0.02, 10581, NAN, 67.4, 0.6)
PAPER(MAIN_2, "robot-delivery:n=7", 0.1, "aems", "fib-sr", 1, 0.1, 0.94, 0.00, 17, NAN, 2.5, 0.0)
PAPER(MAIN_2, "robot-delivery:n=7", 0.1, "aems-sr", "fib-sr", 1, 0.1, 1.84, 0.02, 713, NAN, 41.1, 0.5)
PAPER(MAIN_2, "robot-delivery:n=7", 0.1, "aems", "fib-sr", 1, 0.5, 0.94, 0.00, 37, NAN, 3.4, 0.0)
PAPER(MAIN_2, "robot-delivery:n=7", 0.1, "aems-sr", "fib-sr", 1, 0.5, 2.14, 0.02, 3729, NAN, 53.2, 0.5)
PAPER(MAIN_2, "robot-delivery:n=7", 0.1, "aems", "fib-sr", 1, 1.0, 0.94, 0.00, 52, NAN, 3.6, 0.0)
PAPER(MAIN_2, "robot-delivery:n=7", 0.1, "aems-sr", "fib-sr", 1, 1.0, 2.16, 0.02, 7227, NAN, 56.5, 0.5)
PAPER(MAIN_2, "tag", 1, "aems", "fib-sr", 1, 0.1, -6.11, 0.06, 20, NAN, 60.8, 0.1)
PAPER(MAIN_2, "tag", 1, "aems-sr", "fib-sr", 1, 0.1, -4.83, 0.07, 68, NAN, 70.6, 0.1)
PAPER(MAIN_2, "tag", 1, "aems", "fib-sr", 1, 0.5, -5.41, 0.09, 55, NAN, 73.7, 0.1)
PAPER(MAIN_2, "tag", 1, "aems-sr", "fib-sr", 1, 0.5, -4.26, 0.09, 571, NAN, 80.8, 0.1)
PAPER(MAIN_2, "tag", 1, "aems", "fib-sr", 1, 1.0, -5.23, 0.09, 78, NAN, 74.6, 0.1)
PAPER(MAIN_2, "tag", 1, "aems-sr", "fib-sr", 1, 1.0, -4.53, 0.09, 1144, NAN, 82.2, 0.1)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "pomcp", "", 0, 0.1, 0.97, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems", "qmdp", 0, 0.1, 0.98, 0.00, 56, 0, 3.9, 0.0)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems-sr", "qmdp", 0, 0.1, 1.37, 0.01, 2473, 3, 22.6, 0.4)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems", "qmdp", 1, 0.1, 0.98, 0.00, 56, 0, 4.0, 0.0)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems-sr", "qmdp", 1, 0.1, 2.33, 0.02, 2209, 7, 71.6, 0.5)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "pomcp", "", 0, 0.5, 0.97, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems", "qmdp", 0, 0.5, 0.98, 0.00, 113, 0, 4.5, 0.0)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems-sr", "qmdp", 0, 0.5, 2.48, 0.03, 10624, 26, 42.1, 0.1)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems", "qmdp", 1, 0.5, 0.98, 0.00, 113, 0, 4.5, 0.0)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems-sr", "qmdp", 1, 0.5, 2.12, 0.02, 7994, 86, 78.1, 0.5)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "pomcp", "", 0, 1.0, 0.97, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems", "qmdp", 0, 1.0, 0.98, 0.00, 156, 0, 4.8, 0.0)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems-sr", "qmdp", 0, 1.0, 2.47, 0.03, 19142, 49, 41.7, 0.1)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems", "qmdp", 1, 1.0, 1.04, 0.01, 152, 0, 15.8, 0.7)
PAPER(QMDP, "robot-delivery:n=3", 0.1, "aems-sr", "qmdp", 1, 1.0, 2.00, 0.01, 13671, 188, 79.7, 0.5)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "pomcp", "", 0, 0.1, 0.95, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems", "qmdp", 0, 0.1, 0.96, 0.00, 28, 0, 3.2, 0.0)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems-sr", "qmdp", 0, 0.1, 1.00, 0.01, 1287, 2, 7.7, 0.2)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems", "qmdp", 1, 0.1, 0.96, 0.00, 29, 0, 3.3, 0.0)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems-sr", "qmdp", 1, 0.1, 2.21, 0.02, 1251, 4, 53.0, 0.4)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "pomcp", "", 0, 0.5, 0.95, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems", "qmdp", 0, 0.5, 0.96, 0.00, 58, 0, 3.8, 0.0)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems-sr", "qmdp", 0, 0.5, 1.01, 0.01, 6637, 8, 8.7, 0.2)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems", "qmdp", 1, 0.5, 0.96, 0.00, 59, 0, 3.8, 0.0)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems-sr", "qmdp", 1, 0.5, 2.26, 0.02, 5918, 28, 65.9, 0.6)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "pomcp", "", 0, 1.0, 0.95, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems", "qmdp", 0, 1.0, 0.96, 0.00, 79, 0, 4.0, 0.0)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems-sr", "qmdp", 0, 1.0, 1.54, 0.01, 13348, 14, 35.7, 0.2)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems", "qmdp", 1, 1.0, 0.96, 0.00, 80, 0, 4.1, 0.0)
PAPER(QMDP, "robot-delivery:n=5", 0.1, "aems-sr", "qmdp", 1, 1.0, 2.21, 0.02, 10652, 72, 67.4, 0.6)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "pomcp", "", 0, 0.1, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems", "qmdp", 0, 0.1, 0.94, 0.00, 17, 0, 2.5, 0.0)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems-sr", "qmdp", 0, 0.1, 0.94, 0.00, 704, 1, 6.3, 0.0)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems", "qmdp", 1, 0.1, 0.94, 0.00, 17, 0, 2.6, 0.0)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems-sr", "qmdp", 1, 0.1, 1.98, 0.02, 713, 2, 46.3, 0.4)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "pomcp", "", 0, 0.5, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems", "qmdp", 0, 0.5, 0.94, 0.00, 37, 0, 3.4, 0.0)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems-sr", "qmdp", 0, 0.5, 0.94, 0.00, 4029, 4, 7.0, 0.0)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems", "qmdp", 1, 0.5, 0.93, 0.00, 37, 0, 3.4, 0.0)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems-sr", "qmdp", 1, 0.5, 2.17, 0.02, 3785, 13, 53.9, 0.5)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "pomcp", "", 0, 1.0, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems", "qmdp", 0, 1.0, 0.94, 0.00, 51, 0, 3.7, 0.0)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems-sr", "qmdp", 0, 1.0, 0.94, 0.00, 8042, 8, 7.2, 0.0)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems", "qmdp", 1, 1.0, 0.94, 0.00, 51, 0, 3.7, 0.0)
PAPER(QMDP, "robot-delivery:n=7", 0.1, "aems-sr", "qmdp", 1, 1.0, 2.16, 0.02, 7313, 32, 57.2, 0.5)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "pomcp", "", 0, 0.1, 0.97, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems", "qmdp", 0, 0.1, 0.98, 0.00, 55, 0, 3.6, 0.0)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems-sr", "qmdp", 0, 0.1, 1.15, 0.01, 2289, 5, 13.6, 0.4)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems", "qmdp", 1, 0.1, 0.98, 0.00, 55, 0, 3.6, 0.0)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems-sr", "qmdp", 1, 0.1, 2.43, 0.03, 2240, 7, 59.6, 0.5)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "pomcp", "", 0, 0.5, 0.97, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems", "qmdp", 0, 0.5, 0.98, 0.00, 111, 0, 4.1, 0.0)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems-sr", "qmdp", 0, 0.5, 2.45, 0.03, 10410, 29, 39.5, 0.1)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems", "qmdp", 1, 0.5, 0.97, 0.00, 112, 0, 4.1, 0.0)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems-sr", "qmdp", 1, 0.5, 2.33, 0.02, 8627, 66, 70.4, 0.5)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "pomcp", "", 0, 1.0, 0.97, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems", "qmdp", 0, 1.0, 0.98, 0.00, 151, 0, 4.3, 0.0)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems-sr", "qmdp", 0, 1.0, 2.48, 0.03, 18972, 63, 41.8, 0.1)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems", "qmdp", 1, 1.0, 0.97, 0.00, 152, 0, 4.3, 0.0)
PAPER(QMDP_F, "robot-delivery:n=3,f=0.2", 0.1, "aems-sr", "qmdp", 1, 1.0, 2.23, 0.02, 14465, 149, 73.0, 0.5)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "pomcp", "", 0, 0.1, 0.94, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems", "qmdp", 0, 0.1, 0.95, 0.00, 28, 0, 3.0, 0.0)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems-sr", "qmdp", 0, 0.1, 0.95, 0.00, 1302, 2, 6.3, 0.0)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems", "qmdp", 1, 0.1, 0.95, 0.00, 28, 0, 3.1, 0.0)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems-sr", "qmdp", 1, 0.1, 0.99, 0.01, 1337, 2, 38.5, 0.7)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "pomcp", "", 0, 0.5, 0.95, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems", "qmdp", 0, 0.5, 0.95, 0.00, 57, 0, 3.6, 0.0)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems-sr", "qmdp", 0, 0.5, 0.97, 0.00, 6121, 8, 7.7, 0.1)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems", "qmdp", 1, 0.5, 0.95, 0.00, 58, 0, 3.7, 0.0)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems-sr", "qmdp", 1, 0.5, 2.10, 0.03, 6105, 22, 50.4, 0.6)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "pomcp", "", 0, 1.0, 0.95, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems", "qmdp", 0, 1.0, 0.95, 0.00, 78, 0, 3.8, 0.0)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems-sr", "qmdp", 0, 1.0, 1.04, 0.01, 11433, 27, 11.0, 0.3)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems", "qmdp", 1, 1.0, 0.95, 0.00, 79, 0, 3.9, 0.0)
PAPER(QMDP_F, "robot-delivery:n=5,f=0.2", 0.1, "aems-sr", "qmdp", 1, 1.0, 2.19, 0.02, 11608, 50, 58.9, 0.5)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "pomcp", "", 0, 0.1, 0.92, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems", "qmdp", 0, 0.1, 0.93, 0.00, 16, 0, 2.4, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems-sr", "qmdp", 0, 0.1, 0.93, 0.00, 725, 1, 6.0, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems", "qmdp", 1, 0.1, 0.93, 0.00, 16, 0, 2.5, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems-sr", "qmdp", 1, 0.1, 0.93, 0.00, 732, 1, 6.3, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "pomcp", "", 0, 0.5, 0.92, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems", "qmdp", 0, 0.5, 0.93, 0.00, 35, 0, 3.2, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems-sr", "qmdp", 0, 0.5, 0.93, 0.00, 4025, 4, 7.3, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems", "qmdp", 1, 0.5, 0.93, 0.00, 36, 0, 3.3, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems-sr", "qmdp", 1, 0.5, 1.55, 0.02, 4023, 11, 39.3, 0.7)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "pomcp", "", 0, 1.0, 0.92, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems", "qmdp", 0, 1.0, 0.93, 0.00, 49, 0, 3.4, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems-sr", "qmdp", 0, 1.0, 0.93, 0.00, 7711, 7, 7.7, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems", "qmdp", 1, 1.0, 0.93, 0.00, 50, 0, 3.5, 0.0)
PAPER(QMDP_F, "robot-delivery:n=7,f=0.2", 0.1, "aems-sr", "qmdp", 1, 1.0, 1.89, 0.02, 7553, 27, 43.4, 0.6)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "pomcp", "", 0, 0.1, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems", "qmdp", 0, 0.1, 0.98, 0.00, 54, 0, 3.9, 0.0)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems-sr", "qmdp", 0, 0.1, 0.98, 0.00, 2416, 3, 6.9, 0.0)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems", "qmdp", 1, 0.1, 0.98, 0.00, 55, 0, 3.9, 0.0)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems-sr", "qmdp", 1, 0.1, 2.38, 0.03, 2308, 5, 75.7, 0.2)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "pomcp", "", 0, 0.5, 0.94, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems", "qmdp", 0, 0.5, 0.98, 0.00, 110, 0, 4.5, 0.0)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems-sr", "qmdp", 0, 0.5, 0.98, 0.00, 12043, 14, 7.9, 0.0)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems", "qmdp", 1, 0.5, 0.98, 0.00, 111, 0, 4.5, 0.0)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems-sr", "qmdp", 1, 0.5, 2.31, 0.03, 11220, 29, 78.7, 0.2)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "pomcp", "", 0, 1.0, 0.94, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems", "qmdp", 0, 1.0, 0.98, 0.00, 150, 0, 4.8, 0.0)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems-sr", "qmdp", 0, 1.0, 1.65, 0.00, 24867, 27, 37.6, 0.1)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems", "qmdp", 1, 1.0, 0.98, 0.00, 151, 0, 4.8, 0.0)
PAPER(QMDP_C, "robot-delivery:n=3", 0.25, "aems-sr", "qmdp", 1, 1.0, 2.42, 0.03, 22689, 52, 80.8, 0.2)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "pomcp", "", 0, 0.1, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems", "qmdp", 0, 0.1, 0.96, 0.00, 28, 0, 3.2, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems-sr", "qmdp", 0, 0.1, 0.96, 0.00, 1317, 2, 6.7, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems", "qmdp", 1, 0.1, 0.96, 0.00, 28, 0, 3.2, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems-sr", "qmdp", 1, 0.1, 0.96, 0.00, 1331, 2, 6.7, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "pomcp", "", 0, 0.5, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems", "qmdp", 0, 0.5, 0.96, 0.00, 57, 0, 3.8, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems-sr", "qmdp", 0, 0.5, 0.96, 0.00, 6973, 8, 7.8, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems", "qmdp", 1, 0.5, 0.96, 0.00, 59, 0, 3.8, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems-sr", "qmdp", 1, 0.5, 0.96, 0.00, 7051, 7, 7.9, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "pomcp", "", 0, 1.0, 0.93, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems", "qmdp", 0, 1.0, 0.96, 0.00, 79, 0, 4.0, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems-sr", "qmdp", 0, 1.0, 0.96, 0.00, 14020, 15, 8.3, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems", "qmdp", 1, 1.0, 0.96, 0.00, 80, 0, 4.1, 0.0)
PAPER(QMDP_C, "robot-delivery:n=5", 0.25, "aems-sr", "qmdp", 1, 1.0, 0.96, 0.00, 14185, 13, 8.3, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "pomcp", "", 0, 0.1, 0.92, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems", "qmdp", 0, 0.1, 0.93, 0.00, 17, 0, 2.5, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems-sr", "qmdp", 0, 0.1, 0.93, 0.00, 721, 1, 6.3, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems", "qmdp", 1, 0.1, 0.94, 0.00, 17, 0, 2.6, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems-sr", "qmdp", 1, 0.1, 0.93, 0.00, 726, 1, 6.4, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "pomcp", "", 0, 0.5, 0.92, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems", "qmdp", 0, 0.5, 0.94, 0.00, 37, 0, 3.4, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems-sr", "qmdp", 0, 0.5, 0.93, 0.00, 4198, 4, 7.7, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems", "qmdp", 1, 0.5, 0.94, 0.00, 37, 0, 3.4, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems-sr", "qmdp", 1, 0.5, 0.94, 0.00, 4231, 4, 7.7, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "pomcp", "", 0, 1.0, 0.92, 0.00, NAN, NAN, NAN, NAN)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems", "qmdp", 0, 1.0, 0.94, 0.00, 50, 0, 3.7, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems-sr", "qmdp", 0, 1.0, 0.94, 0.00, 8567, 7, 8.2, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems", "qmdp", 1, 1.0, 0.94, 0.00, 51, 0, 3.7, 0.0)
PAPER(QMDP_C, "robot-delivery:n=7", 0.25, "aems-sr", "qmdp", 1, 1.0, 0.94, 0.00, 8638, 8, 8.2, 0.0)

/* OTHER: what other algorithms earn, computed from data files of their authors: the mean over the episodes of a window
 * and then over runs, and the standard deviation over runs (NAN: one run).  A parameter that is "any" was varied from
 * run to run.  Prices are those that are paid with the action, but where returns are discounted: there price /
 * discount, which is the same before the next action.  docs/SETTINGS.md says why, and what windows and returns are.
 *
 * source, file in its repository, environment, price, algorithm, window, episodes in it, runs, return, s.d. over runs,
 * steps and measurements per episode */
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Lake_standard4_det.json", "frozen-lake:size=4,kind=det", 0.05, "ACNO-OTP",
      "last50", 50, 5, 1.00000, 0.00000, 6.020, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_standard4_det.json", "frozen-lake:size=4,kind=det", 0.05, "AMRL-Q", "last50", 50,
      5, 1.00000, 0.00000, 6.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_standard4_det.json", "frozen-lake:size=4,kind=det", 0.05, "Dyna-ATMQ",
      "last50", 50, 5, 1.00000, 0.00000, 6.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_standard4_det.json", "frozen-lake:size=4,kind=det", 0.05, "ATM-Q", "last50",
      50, 5, 1.00000, 0.00000, 6.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Lake_standard4_semi-slippery.json", "frozen-lake:size=4,kind=semi", 0.05,
      "ACNO-OTP", "last50", 50, 5, 0.40000, 0.04899, 3.032, 0.0000)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_short_Lake_standard4_semi-slippery.json", "frozen-lake:size=4,kind=semi", 0.05,
      "ACNO-OTP, 300 episodes", "last50", 50, 5, 0.50800, 0.09445, 3.292, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_standard4_semi-slippery.json", "frozen-lake:size=4,kind=semi", 0.05, "AMRL-Q",
      "last50", 50, 5, 0.41200, 0.05762, 6.264, 0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_standard4_semi-slippery.json", "frozen-lake:size=4,kind=semi", 0.05,
      "Dyna-ATMQ", "last50", 50, 5, 0.65560, 0.19594, 5.640, 2.9680)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_standard4_semi-slippery.json", "frozen-lake:size=4,kind=semi", 0.05, "ATM-Q",
      "last50", 50, 5, 0.74760, 0.14762, 5.024, 2.6480)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Lake_standard4_slippery.json", "frozen-lake:size=4,kind=slippery", 0.05,
      "ACNO-OTP", "last50", 50, 5, 0.04000, 0.01414, 5.528, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_standard4_slippery.json", "frozen-lake:size=4,kind=slippery", 0.05, "AMRL-Q",
      "last50", 50, 5, 0.03200, 0.02280, 9.340, 0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_standard4_slippery.json", "frozen-lake:size=4,kind=slippery", 0.05,
      "Dyna-ATMQ", "last50", 50, 3, 0.03533, 0.01650, 6.160, 0.0933)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_standard4_slippery.json", "frozen-lake:size=4,kind=slippery", 0.05, "ATM-Q",
      "last50", 50, 5, 0.02020, 0.04268, 6.912, 0.0760)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Lake_standard8_semi-slippery.json", "frozen-lake:size=8,kind=semi", 0.05,
      "ACNO-OTP", "last50", 50, 1, 0.06800, NAN, 8.500, 4.6400)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_standard8_semi-slippery.json", "frozen-lake:size=8,kind=semi", 0.05, "AMRL-Q",
      "last50", 50, 5, 0.53100, 0.16922, 20.264, 1.0600)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_standard8_semi-slippery.json", "frozen-lake:size=8,kind=semi", 0.05,
      "Dyna-ATMQ", "last50", 50, 5, 0.62380, 0.09312, 12.920, 5.6840)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_standard8_semi-slippery.json", "frozen-lake:size=8,kind=semi", 0.05, "ATM-Q",
      "last50", 50, 5, 0.42500, 0.06058, 6.764, 0.9400)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random8_semi-slippery.json", "frozen-lake:size=8,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, 0.78160, 0.24850, 10.678, 0.0080)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random8_semi-slippery.json", "frozen-lake:size=8,kind=semi,seed=any", 0.05,
      "Dyna-ATMQ", "last10pct", 750, 5, 0.85955, 0.06707, 11.037, 2.2117)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random8_semi-slippery.json", "frozen-lake:size=8,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, 0.81351, 0.09525, 14.480, 3.1112)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random9_semi-slippery.json", "frozen-lake:size=9,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, 0.39950, 0.36778, 19.588, 0.0500)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random9_semi-slippery.json", "frozen-lake:size=9,kind=semi,seed=any", 0.05,
      "Dyna-ATMQ", "last10pct", 750, 1, 0.82740, NAN, 12.819, 3.1320)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random9_semi-slippery.json", "frozen-lake:size=9,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, 0.76327, 0.13238, 13.363, 2.7987)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random10_semi-slippery.json", "frozen-lake:size=10,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, 0.20430, 0.28597, 19.576, 0.1540)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random10_semi-slippery.json", "frozen-lake:size=10,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 1, 0.53360, NAN, 56.387, 8.0213)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random10_semi-slippery.json", "frozen-lake:size=10,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, 0.35524, 0.19906, 70.352, 11.2472)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random11_semi-slippery.json", "frozen-lake:size=11,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, 0.27800, 0.41144, 17.014, 0.3200)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random11_semi-slippery.json", "frozen-lake:size=11,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 1, 0.63173, NAN, 17.385, 6.4853)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random11_semi-slippery.json", "frozen-lake:size=11,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, 0.45267, 0.26096, 20.540, 4.9893)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random12_semi-slippery.json", "frozen-lake:size=12,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, -0.02090, 0.01457, 21.126, 0.4580)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random12_semi-slippery.json", "frozen-lake:size=12,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 3, 0.65536, 0.11720, 20.835, 6.5018)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random12_semi-slippery.json", "frozen-lake:size=12,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, 0.29177, 0.30779, 58.450, 6.2445)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random13_semi-slippery.json", "frozen-lake:size=13,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, -0.00800, 0.01087, 25.722, 0.2400)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random13_semi-slippery.json", "frozen-lake:size=13,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 1, 0.51527, NAN, 21.217, 9.1080)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random13_semi-slippery.json", "frozen-lake:size=13,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, 0.22947, 0.25985, 31.842, 4.1733)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random14_semi-slippery.json", "frozen-lake:size=14,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, -0.01630, 0.00881, 21.328, 0.3660)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random14_semi-slippery.json", "frozen-lake:size=14,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 3, 0.54911, 0.06709, 23.068, 5.1244)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random14_semi-slippery.json", "frozen-lake:size=14,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, -0.26308, 0.32970, 109.081, 9.7469)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random15_semi-slippery.json", "frozen-lake:size=15,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, -0.02540, 0.01823, 17.952, 0.5080)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random15_semi-slippery.json", "frozen-lake:size=15,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 1, 0.39960, NAN, 47.428, 9.1813)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random15_semi-slippery.json", "frozen-lake:size=15,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, -0.04709, 0.17128, 111.751, 8.7339)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random16_semi-slippery.json", "frozen-lake:size=16,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, -0.02350, 0.02318, 19.670, 0.4700)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random16_semi-slippery.json", "frozen-lake:size=16,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 1, 0.44473, NAN, 84.649, 6.4653)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random16_semi-slippery.json", "frozen-lake:size=16,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, -0.09672, 0.09820, 108.638, 7.6091)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random17_semi-slippery.json", "frozen-lake:size=17,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, -0.02770, 0.01279, 23.372, 0.5540)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random17_semi-slippery.json", "frozen-lake:size=17,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 1, 0.45687, NAN, 31.893, 9.6093)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random17_semi-slippery.json", "frozen-lake:size=17,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, -0.13956, 0.13979, 173.237, 11.1539)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random18_semi-slippery.json", "frozen-lake:size=18,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, -0.02170, 0.00865, 21.830, 0.4340)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random18_semi-slippery.json", "frozen-lake:size=18,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 2, 0.15093, 0.08834, 43.063, 6.9147)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random18_semi-slippery.json", "frozen-lake:size=18,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, -0.19567, 0.41937, 150.878, 11.5187)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random19_semi-slippery.json", "frozen-lake:size=19,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, -0.05970, 0.04534, 18.624, 1.1940)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random19_semi-slippery.json", "frozen-lake:size=19,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 1, 0.13813, NAN, 45.393, 2.9973)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random19_semi-slippery.json", "frozen-lake:size=19,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, -0.07424, 0.09259, 38.949, 1.5701)
OTHER(ATM, "Data/Run2/AMData_AMRL_Lake_random20_semi-slippery.json", "frozen-lake:size=20,kind=semi,seed=any", 0.05,
      "AMRL-Q", "last10pct", 100, 5, -0.03960, 0.02838, 19.858, 0.7920)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Lake_random20_semi-slippery.json", "frozen-lake:size=20,kind=semi,seed=any",
      0.05, "Dyna-ATMQ", "last10pct", 750, 2, 0.02903, 0.04983, 58.892, 2.7527)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Lake_random20_semi-slippery.json", "frozen-lake:size=20,kind=semi,seed=any", 0.05,
      "ATM-Q", "last10pct", 750, 5, -0.05195, 0.07212, 49.119, 1.0869)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_001.json", "loss", 0.01, "AMRL-Q", "last50", 50, 5, 0.76800, 0.05404, 2.316,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_002.json", "loss", 0.02, "AMRL-Q", "last50", 50, 5, 0.73600, 0.04336, 2.312,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_003.json", "loss", 0.03, "AMRL-Q", "last50", 50, 5, 0.76800, 0.05404, 2.316,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_004.json", "loss", 0.04, "AMRL-Q", "last50", 50, 5, 0.81600, 0.03286, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_005.json", "loss", 0.05, "ACNO-OTP", "last50", 50, 5, 0.93720, 0.01130,
      2.416, 1.1760)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_005.json", "loss", 0.05, "AMRL-Q", "last50", 50, 5, 0.81600, 0.03286, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_005.json", "loss", 0.05, "Dyna-ATMQ", "last50", 50, 5, 0.93320, 0.00526,
      2.576, 1.3360)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_005.json", "loss", 0.05, "ATM-Q", "last50", 50, 5, 0.93540, 0.00321, 2.480,
      1.2920)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_006.json", "loss", 0.06, "ACNO-OTP", "last50", 50, 5, 0.91264, 0.02108,
      2.392, 1.0560)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_006.json", "loss", 0.06, "AMRL-Q", "last50", 50, 5, 0.80800, 0.03033, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_006.json", "loss", 0.06, "Dyna-ATMQ", "last50", 50, 5, 0.91936, 0.00505,
      2.536, 1.3440)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_006.json", "loss", 0.06, "ATM-Q", "last50", 50, 5, 0.92296, 0.00460, 2.464,
      1.2840)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_007.json", "loss", 0.07, "ACNO-OTP", "last50", 50, 5, 0.80504, 0.04446,
      2.136, 0.3280)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_007.json", "loss", 0.07, "AMRL-Q", "last50", 50, 5, 0.82000, 0.03162, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_007.json", "loss", 0.07, "Dyna-ATMQ", "last50", 50, 5, 0.91040, 0.00569,
      2.456, 1.2800)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_007.json", "loss", 0.07, "ATM-Q", "last50", 50, 5, 0.90808, 0.01020, 2.456,
      1.2560)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_008.json", "loss", 0.08, "ACNO-OTP", "last50", 50, 5, 0.80688, 0.05399,
      2.032, 0.0640)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_008.json", "loss", 0.08, "AMRL-Q", "last50", 50, 5, 0.82000, 0.03162, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_008.json", "loss", 0.08, "Dyna-ATMQ", "last50", 50, 5, 0.89856, 0.00475,
      2.440, 1.2680)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_008.json", "loss", 0.08, "ATM-Q", "last50", 50, 5, 0.86192, 0.07102, 2.424,
      1.0760)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_009.json", "loss", 0.09, "ACNO-OTP", "last50", 50, 5, 0.79492, 0.09292,
      2.000, 0.0120)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_009.json", "loss", 0.09, "AMRL-Q", "last50", 50, 5, 0.82400, 0.03578, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_009.json", "loss", 0.09, "Dyna-ATMQ", "last50", 50, 5, 0.88444, 0.01700,
      2.560, 1.2840)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_009.json", "loss", 0.09, "ATM-Q", "last50", 50, 5, 0.86352, 0.03037, 2.448,
      1.0720)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_01.json", "loss", 0.1, "ACNO-OTP", "last50", 50, 5, 0.81200, 0.03033, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_01.json", "loss", 0.1, "AMRL-Q", "last50", 50, 5, 0.79600, 0.03578, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_01.json", "loss", 0.1, "Dyna-ATMQ", "last50", 50, 5, 0.86200, 0.01192,
      2.432, 1.1400)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_01.json", "loss", 0.1, "ATM-Q", "last50", 50, 5, 0.76160, 0.08805, 2.668,
      0.5040)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_011.json", "loss", 0.11, "ACNO-OTP", "last50", 50, 5, 0.77200, 0.08786,
      2.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_011.json", "loss", 0.11, "AMRL-Q", "last50", 50, 5, 0.79600, 0.03578, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_011.json", "loss", 0.11, "Dyna-ATMQ", "last50", 50, 5, 0.83088, 0.05641,
      2.392, 0.9920)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_011.json", "loss", 0.11, "ATM-Q", "last50", 50, 5, 0.76104, 0.08622, 2.700,
      0.1360)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_012.json", "loss", 0.12, "ACNO-OTP", "last50", 50, 5, 0.80400, 0.03286,
      2.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_012.json", "loss", 0.12, "AMRL-Q", "last50", 50, 5, 0.79600, 0.03578, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_012.json", "loss", 0.12, "Dyna-ATMQ", "last50", 50, 5, 0.85824, 0.03959,
      2.288, 0.9480)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_012.json", "loss", 0.12, "ATM-Q", "last50", 50, 5, 0.79440, 0.02254, 2.000,
      0.0800)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_013.json", "loss", 0.13, "ACNO-OTP", "last50", 50, 5, 0.81600, 0.04561,
      2.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_013.json", "loss", 0.13, "AMRL-Q", "last50", 50, 5, 0.82000, 0.06633, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_013.json", "loss", 0.13, "Dyna-ATMQ", "last50", 50, 5, 0.80944, 0.03296,
      2.288, 0.9120)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_013.json", "loss", 0.13, "ATM-Q", "last50", 50, 5, 0.75644, 0.06466, 2.524,
      0.2120)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_014.json", "loss", 0.14, "ACNO-OTP", "last50", 50, 5, 0.81200, 0.02280,
      2.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_014.json", "loss", 0.14, "AMRL-Q", "last50", 50, 5, 0.82000, 0.06633, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_014.json", "loss", 0.14, "Dyna-ATMQ", "last50", 50, 5, 0.82344, 0.02715,
      2.264, 0.8040)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_014.json", "loss", 0.14, "ATM-Q", "last50", 50, 5, 0.82664, 0.05897, 2.000,
      0.1240)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_015.json", "loss", 0.15, "ACNO-OTP", "last50", 50, 5, 0.81200, 0.03899,
      2.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_015.json", "loss", 0.15, "AMRL-Q", "last50", 50, 5, 0.82000, 0.06633, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_015.json", "loss", 0.15, "Dyna-ATMQ", "last50", 50, 5, 0.82160, 0.05260,
      2.464, 0.3360)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_015.json", "loss", 0.15, "ATM-Q", "last50", 50, 5, 0.76800, 0.05880, 2.000,
      0.0800)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_016.json", "loss", 0.16, "ACNO-OTP", "last50", 50, 5, 0.82800, 0.04147,
      2.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_016.json", "loss", 0.16, "AMRL-Q", "last50", 50, 5, 0.82000, 0.06633, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_016.json", "loss", 0.16, "Dyna-ATMQ", "last50", 50, 5, 0.76992, 0.05846,
      2.328, 0.3880)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_016.json", "loss", 0.16, "ATM-Q", "last50", 50, 5, 0.74240, 0.04346, 2.000,
      0.1600)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_017.json", "loss", 0.17, "ACNO-OTP", "last50", 50, 5, 0.73200, 0.02280,
      2.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_017.json", "loss", 0.17, "AMRL-Q", "last50", 50, 5, 0.77200, 0.03633, 2.388,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_017.json", "loss", 0.17, "Dyna-ATMQ", "last50", 50, 5, 0.79520, 0.07575,
      2.160, 0.2400)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_017.json", "loss", 0.17, "ATM-Q", "last50", 50, 5, 0.70852, 0.14849, 6.536,
      0.4440)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_018.json", "loss", 0.18, "ACNO-OTP", "last50", 50, 5, 0.84000, 0.03742,
      2.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_018.json", "loss", 0.18, "AMRL-Q", "last50", 50, 5, 0.78000, 0.05831, 2.388,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_018.json", "loss", 0.18, "Dyna-ATMQ", "last50", 50, 5, 0.78520, 0.05484,
      4.336, 0.2600)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_018.json", "loss", 0.18, "ATM-Q", "last50", 50, 5, 0.78312, 0.06085, 2.000,
      0.1160)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_019.json", "loss", 0.19, "ACNO-OTP", "last50", 50, 5, 0.80800, 0.04147,
      2.000, 0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_019.json", "loss", 0.19, "AMRL-Q", "last50", 50, 5, 0.78000, 0.05831, 2.388,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_019.json", "loss", 0.19, "Dyna-ATMQ", "last50", 50, 5, 0.78048, 0.02632,
      2.896, 0.2080)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_019.json", "loss", 0.19, "ATM-Q", "last50", 50, 5, 0.82540, 0.04892, 2.008,
      0.1400)
OTHER(ATM, "Data/Run2/AMData_ACNO_OTP_Loss_02.json", "loss", 0.2, "ACNO-OTP", "last50", 50, 5, 0.79200, 0.05404, 2.000,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_02.json", "loss", 0.2, "AMRL-Q", "last50", 50, 5, 0.78000, 0.05831, 2.388,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP+_Loss_02.json", "loss", 0.2, "Dyna-ATMQ", "last50", 50, 5, 0.81680, 0.04951,
      2.952, 0.1560)
OTHER(ATM, "Data/Run2/AMData_BAM_QMDP_Loss_02.json", "loss", 0.2, "ATM-Q", "last50", 50, 5, 0.78240, 0.04704, 2.000,
      0.1080)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_021.json", "loss", 0.21, "AMRL-Q", "last50", 50, 5, 0.78000, 0.05831, 2.388,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_022.json", "loss", 0.22, "AMRL-Q", "last50", 50, 5, 0.78000, 0.05831, 2.388,
      0.0000)
OTHER(ATM, "Data/Run2/AMData_AMRL_Loss_023.json", "loss", 0.23, "AMRL-Q", "last50", 50, 5, 0.78000, 0.05831, 2.388,
      0.0000)
OTHER(ACNO, "sepsis_res.zip:sepsis_res/acno_pomcp_{0,1,2}.npy", "sepsis", 0.1 / 0.7,
      "ACNO-POMCP (observe while planning)", "all", 2000, 3, 0.59839, 0.00656, NAN, NAN)
OTHER(ACNO, "sepsis_res.zip:sepsis_res/drqn_{0,1,2}.npy", "sepsis", 0.1 / 0.7, "DRQN", "all", 2000, 3, 0.55146, 0.03695,
      NAN, NAN)
OTHER(ACNO, "sepsis_res.zip:sepsis_res/otp_plan_{0,1,2}.npy", "sepsis", 0.1 / 0.7, "Observe-then-Plan (planning phase)",
      "all", 1000, 3, 0.74319, 0.00461, NAN, NAN)
OTHER(ACNO, "sepsis_res.zip:sepsis_res/plan_{0,1,2}.npy", "sepsis", 0.1 / 0.7, "POMCP with the true model", "all", 1000,
      3, 0.72979, 0.00515, NAN, NAN)
OTHER(ACNO, "sepsis_res.zip:sepsis_res/euler_vi_plan_{0,1,2}.npy", "sepsis", 0.1 / 0.7,
      "EULER-VI always observing (planning phase)", "all", 1000, 3, 0.49810, 0.01863, NAN, NAN)
OTHER(RAM, "Data/Robust_Results/SnakeMaze/AMData_ATM_Control_Robust_SnakeMazeV2_r1_p1_mc0001.json", "snake", 0.001,
      "ML-ATM", "all", 50, 1, 0.61658, NAN, 71.040, 28.2200)
OTHER(RAM, "Data/Robust_Results/SnakeMaze/AMData_ATM_RMDP_SnakeMazeV2_r1_p1_mc0001.json", "snake", 0.001, "ATM-RMDP",
      "all", 50, 1, 0.62436, NAN, 69.560, 27.8400)
OTHER(RAM, "Data/Robust_Results/SnakeMaze/AMData_ATM_Robust_SnakeMazeV2_r1_p1_mc0001.json", "snake", 0.001, "R-ATM",
      "all", 50, 1, 0.62436, NAN, 69.560, 27.8400)
OTHER(RAM, "Data/Robust_Results/SnakeMaze/AMData_ATM_SnakeMazeV2_r1_p1_mc0001.json", "snake", 0.001, "ATM", "all", 50,
      1, 0.62096, NAN, 69.820, 29.9400)
