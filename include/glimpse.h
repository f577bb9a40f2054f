/* glimpse - planning under uncertainty when certainty has a price.
 *
 * This header is the whole public interface of libglimpse, and its manual.
 *
 * A POMDP with state requests is a POMDP and a price: before every action the
 * agent may pay c(s) and be told the true state s.  In one recursion:
 *
 *   V(b) = max{ N(b), sum_s b(s) [N(s) - c(s)] }           ask or not
 *   N(b) = max_a [ R(b,a) + discount * sum_o P(o|b,a) V(tau(b,a,o)) ]
 *
 * Conventions, true for every function below unless it says otherwise:
 *  - `_new`, `_make` and `_read` give an object to the caller, who returns it
 *    with the matching `_free`; `_free(NULL)` is allowed.  An object passed as
 *    `const` is borrowed, never kept, except where a comment says "borrows".
 *  - Functions that can fail return a glimpse_status.  On failure output
 *    arguments are set to NULL or left alone and nothing leaks.  A function
 *    that takes a glimpse_report adds the details to it; the report may be NULL.
 *  - States, actions and observations are numbers counted from 0.
 *  - There is no global state but a count per thread of refused memory: distinct objects may
 *    be used from distinct threads at the same time, a const model by any number of them.
 *  - The library never prints, exits or aborts, and ignores the locale.
 */
#ifndef GLIMPSE_H
#define GLIMPSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GLIMPSE_VERSION_MAJOR 0
#define GLIMPSE_VERSION_MINOR 2
#define GLIMPSE_VERSION_PATCH 0
#define GLIMPSE_VERSION "0.2.0"

#if defined(__GNUC__)
#define GLIMPSE_API __attribute__((visibility("default")))
#else
#define GLIMPSE_API
#endif

/* The version of the library that runs, "major.minor.patch"; the macros above
 * are the version that was compiled against. */
GLIMPSE_API const char *glimpse_version(void);

/* ------------------------------------------------------------------ status */

/* name, what it means */
#define GLIMPSE_STATUS_TABLE(X)                                                                                        \
  X(OK, "success")                                                                                                     \
  X(NO_MEMORY, "out of memory")                                                                                        \
  X(BAD_ARGUMENT, "an argument is out of its range")                                                                   \
  X(BAD_SYNTAX, "the text does not follow the grammar")                                                                \
  X(BAD_MODEL, "the model is not valid")                                                                               \
  X(TOO_LARGE, "the model is larger than the limits allow")                                                            \
  X(NOT_APPLICABLE, "the operation does not apply to this model")                                                      \
  X(IMPOSSIBLE, "the observation has probability zero")                                                                \
  X(CANNOT_READ, "the file cannot be read")                                                                            \
  X(CANNOT_WRITE, "the file cannot be written")

typedef enum glimpse_status {
#define X(name, text) GLIMPSE_##name,
  GLIMPSE_STATUS_TABLE(X)
#undef X
} glimpse_status;

/* The sentence of the table above; never NULL. */
GLIMPSE_API const char *glimpse_status_text(glimpse_status status);

/* ------------------------------------------------------------------ report */

typedef enum glimpse_severity { GLIMPSE_WARNING, GLIMPSE_ERROR } glimpse_severity;

/* One finding.  Belongs to its report. */
typedef struct glimpse_message {
  glimpse_severity severity;
  glimpse_status code;
  const char *source; /* file or environment; "" when there is none */
  uint64_t line;      /* from 1; 0 when the finding has no place in a text */
  uint64_t column;    /* from 1, in bytes; 0 likewise */
  const char *text;   /* one sentence, no line end */
} glimpse_message;

/* A list of findings.  It keeps the first 20 errors and 20 warnings and counts
 * the rest. */
typedef struct glimpse_report glimpse_report;

GLIMPSE_API glimpse_report *glimpse_report_new(void); /* NULL: out of memory */
GLIMPSE_API void glimpse_report_free(glimpse_report *report);
/* Forgets all findings. */
GLIMPSE_API void glimpse_report_clear(glimpse_report *report);
/* Number of messages kept, in the order of their discovery. */
GLIMPSE_API size_t glimpse_report_kept(const glimpse_report *report);
/* NULL when i is out of range. */
GLIMPSE_API const glimpse_message *glimpse_report_get(const glimpse_report *report, size_t i);
/* Number of findings of a severity, kept or not. */
GLIMPSE_API size_t glimpse_report_count(const glimpse_report *report, glimpse_severity severity);
/* Adds a copy of a finding, for readers of other formats. */
GLIMPSE_API void glimpse_report_add(glimpse_report *report, const glimpse_message *finding);

/* ----------------------------------------------------------------- numbers */

/* Enough for any number written by glimpse_number_write. */
#define GLIMPSE_NUMBER_SIZE 32

/* Writes the number with the fewest digits that read back as exactly this
 * number: "0.1", "-0", "1500", from 1e16 on and below 1e-5 as "1.5e-300"; "inf",
 * "-inf", "nan".  The same in any locale.  The text ends with a 0; returns its
 * length without it. */
GLIMPSE_API size_t glimpse_number_write(double value, char text[GLIMPSE_NUMBER_SIZE]);

/* Reads the decimal number that text[0..length) starts with: [+-] digits [. digits]
 * [e [+-] digits], where one side of the point may be empty (".5", "5.") and E
 * may replace e; an e without digits behind it is not part of the number.
 * Correctly rounded for any number of digits, in any locale.  Too large gives an
 * infinity, too small a zero, both with their sign.  Returns the number of bytes
 * used; 0, with *value unchanged, when there is no number ("inf" and "nan" are
 * not numbers). */
GLIMPSE_API size_t glimpse_number_read(const char *text, size_t length, double *value);

/* ------------------------------------------------------------------- words */

#define GLIMPSE_WORD_MAX 40

/* How many letters have to be inserted, deleted, replaced or swapped with their
 * neighbour to make one word of the other, for "did you mean"; SIZE_MAX when one is
 * longer than GLIMPSE_WORD_MAX. */
GLIMPSE_API size_t glimpse_word_distance(const char *a, size_t n, const char *b, size_t m);

/* ------------------------------------------------------------------- model */

/* In the builder: "every one".  In rewards: "whatever it is". */
#define GLIMPSE_ANY UINT32_MAX

/* The largest model that is accepted. */
#define GLIMPSE_MAX_COUNT ((uint32_t)1 << 24) /* states, observations */
#define GLIMPSE_MAX_ACTIONS ((uint32_t)1 << 16)
#define GLIMPSE_MAX_ROWS ((uint64_t)1 << 27)    /* states times actions */
#define GLIMPSE_MAX_ENTRIES ((uint64_t)1 << 29) /* non-zeros of T, of O, of R */

typedef enum glimpse_kind { GLIMPSE_STATE, GLIMPSE_ACTION, GLIMPSE_OBSERVATION } glimpse_kind;

/* A view of a sparse vector: value[i] at index[i], indices ascending, values
 * not zero.  Valid as long as the object it came from is unchanged. */
typedef struct glimpse_row {
  size_t count;
  const uint32_t *index;
  const double *value;
} glimpse_row;

/* A model: sparse, validated.  Only _set_discount, _set_cost and _inquiry_set_price change it. */
typedef struct glimpse_model glimpse_model;

GLIMPSE_API void glimpse_model_free(glimpse_model *model);

/* How many states, actions or observations. */
GLIMPSE_API uint32_t glimpse_model_count(const glimpse_model *model, glimpse_kind kind);
/* The name, or the number as text where none was given; NULL out of range. */
GLIMPSE_API const char *glimpse_model_name(const glimpse_model *model, glimpse_kind kind, uint32_t i);
/* Were names given for this kind? */
GLIMPSE_API bool glimpse_model_named(const glimpse_model *model, glimpse_kind kind);
/* Index of a name (or of a number in text); GLIMPSE_ANY when there is none. */
GLIMPSE_API uint32_t glimpse_model_find(const glimpse_model *model, glimpse_kind kind, const char *name);

GLIMPSE_API double glimpse_model_discount(const glimpse_model *model);
/* In [0,1]; BAD_ARGUMENT otherwise, and for 0 where something can be asked before an action and there are inquiries.
 * 1 is stored but cannot be planned on without a horizon. */
GLIMPSE_API glimpse_status glimpse_model_set_discount(glimpse_model *model, double discount);

/* Was it read from a file that gives costs ("values: cost")?  Rewards, and so all
 * values, are then the negative of these costs. */
GLIMPSE_API bool glimpse_model_negated(const glimpse_model *model);

/* May the agent ask for the state? */
GLIMPSE_API bool glimpse_model_requests(const glimpse_model *model);
/* Price of asking in state s as it was given; 0 when asking there is free or
 * requests are off.  When the episode is over nobody is asked: planning counts a
 * price of 0 in terminal states, whatever was given for them. */
GLIMPSE_API double glimpse_model_cost(const glimpse_model *model, uint32_t s);
/* Is the price the same in every state? */
GLIMPSE_API bool glimpse_model_cost_uniform(const glimpse_model *model);
/* One price for all states, > 0 and finite; 0 switches requests off.  With one inquiry it is the price of that, with
 * several BAD_ARGUMENT. */
GLIMPSE_API glimpse_status glimpse_model_set_cost(glimpse_model *model, double cost);

/* The start belief. */
GLIMPSE_API glimpse_row glimpse_model_start(const glimpse_model *model);
/* T(.|s,a) over states and O(.|a,s2) over observations. */
GLIMPSE_API glimpse_row glimpse_model_transition(const glimpse_model *model, uint32_t a, uint32_t s);
GLIMPSE_API glimpse_row glimpse_model_observation(const glimpse_model *model, uint32_t a, uint32_t s2);
/* Expected reward of a in s: what planning uses. */
GLIMPSE_API double glimpse_model_reward(const glimpse_model *model, uint32_t a, uint32_t s);
/* Reward of one concrete step: what simulation uses.  Only for steps of positive
 * probability; for others the result means nothing. */
GLIMPSE_API double glimpse_model_reward_step(const glimpse_model *model, uint32_t a, uint32_t s, uint32_t s2,
                                             uint32_t o);
/* Which numbers of an action: T(.|s,a), O(.|a,s2), or rewards. */
typedef enum glimpse_table { GLIMPSE_TABLE_TRANSITION, GLIMPSE_TABLE_OBSERVATION, GLIMPSE_TABLE_REWARD } glimpse_table;

/* All rows of T or O of an action at once: row s is index and value [first[s] .. first[s + 1]).  Belongs to the model.
 */
typedef struct glimpse_rows {
  size_t count;
  const uint64_t *first;
  const uint32_t *index;
  const double *value;
} glimpse_rows;

/* Empty for REWARD, and for an action that is none. */
GLIMPSE_API glimpse_rows glimpse_model_rows(const glimpse_model *model, glimpse_table table, uint32_t a);
/* The expected rewards of a, one per state; NULL for an action that is none.  Belongs to the model. */
GLIMPSE_API const double *glimpse_model_rewards(const glimpse_model *model, uint32_t a);
/* Is s absorbing and without reward under every action? */
GLIMPSE_API bool glimpse_model_terminal(const glimpse_model *model, uint32_t s);

/* Sizes, for information. */
typedef struct glimpse_model_sizes {
  uint64_t transitions;  /* non-zeros of T */
  uint64_t observations; /* non-zeros of O */
  uint64_t rewards;      /* stored entries of R */
  uint32_t terminals;    /* terminal states */
  uint64_t bytes;        /* memory held by the model */
} glimpse_model_sizes;

GLIMPSE_API glimpse_model_sizes glimpse_model_measure(const glimpse_model *model);

/* OK when planning is possible; otherwise NOT_APPLICABLE and a sentence in the
 * report (discount 1). */
GLIMPSE_API glimpse_status glimpse_model_plannable(const glimpse_model *model, glimpse_report *report);

/* --------------------------------------------------------------- inquiries */

/* What else the agent may ask, and when.
 *
 * An inquiry has a price(s), answers z with probabilities A(z|s) and, if given, an effect D(s'|s) on the world.  The
 * request above, for the state, at a price, before an action, is the inquiry that planners know by themselves; a model
 * that has nothing else has no list of inquiries.  All others are planned on another model, which
 * glimpse_model_planning gives: an ordinary POMDP in which asking is an action.  name, key, text */
#define GLIMPSE_TIMING_TABLE(X)                                                                                        \
  X(BEFORE, "before", "before an action, in no time")                                                                  \
  X(STEP, "step", "instead of an action: it takes a step, in which the world waits")                                   \
  X(JOINT, "joint", "together with an action: the answer is about the state that follows")

typedef enum glimpse_timing {
#define X(name, key, text) GLIMPSE_TIMING_##name,
  GLIMPSE_TIMING_TABLE(X)
#undef X
      GLIMPSE_TIMINGS
} glimpse_timing;

/* The key of a timing ("before"), "?" out of range. */
GLIMPSE_API const char *glimpse_timing_key(glimpse_timing timing);

typedef struct glimpse_inquiry {
  const char *name; /* unique, also among the actions; formed like theirs */
  glimpse_timing timing;
  uint32_t answers; /* how many; for the builder 0: the state itself, which has as many answers as there are states */
  bool unpaid;      /* a failure costs nothing */
  /* The builder ignores what follows. */
  bool state;       /* the answer is the state, unless it fails */
  uint32_t nothing; /* the answer, the last one, that says that it failed; GLIMPSE_ANY: it never does */
  bool effect;      /* it changes the state */
} glimpse_inquiry;

/* Zero in a field: the default. */
typedef struct glimpse_limits {
  uint32_t per_step; /* inquiries BEFORE one action, at most; default 1 */
  uint32_t requests; /* answers in an episode, at most; default: no limit */
  uint32_t horizon;  /* steps of an episode; default: no limit.  With it a discount of 1 can be planned on */
} glimpse_limits;

/* How many inquiries; 0 where there is nothing but the request that planners know.  Otherwise that is one of them: the
 * first, called "state". */
GLIMPSE_API uint32_t glimpse_model_inquiries(const glimpse_model *model);
/* The i-th; its name is NULL out of range. */
GLIMPSE_API glimpse_inquiry glimpse_model_inquiry(const glimpse_model *model, uint32_t i);
/* Index of a name, or of a number in text; GLIMPSE_ANY when there is none. */
GLIMPSE_API uint32_t glimpse_model_inquiry_find(const glimpse_model *model, const char *name);
/* Its price in state s as it was given.  When the episode is over nobody is asked: planning counts 0 in terminal
 * states. */
GLIMPSE_API double glimpse_model_inquiry_price(const glimpse_model *model, uint32_t i, uint32_t s);
GLIMPSE_API bool glimpse_model_inquiry_price_uniform(const glimpse_model *model, uint32_t i);
/* One price for all states, from 0 on and finite. */
GLIMPSE_API glimpse_status glimpse_model_inquiry_set_price(glimpse_model *model, uint32_t i, double price);
/* A(.|s) over answers: about the state after the effect and, of a joint one, after the action. */
GLIMPSE_API glimpse_row glimpse_model_inquiry_answers(const glimpse_model *model, uint32_t i, uint32_t s);
/* D(.|s) over states; empty where it has no effect. */
GLIMPSE_API glimpse_row glimpse_model_inquiry_effect(const glimpse_model *model, uint32_t i, uint32_t s);
/* The name of an answer (of the state: its name), or its number as text where none was given, or "nothing"; NULL out of
 * range. */
GLIMPSE_API const char *glimpse_model_answer_name(const glimpse_model *model, uint32_t i, uint32_t z);
/* Index of the name of an answer, or of a number in text; GLIMPSE_ANY when there is none. */
GLIMPSE_API uint32_t glimpse_model_answer_find(const glimpse_model *model, uint32_t i, const char *name);
GLIMPSE_API glimpse_limits glimpse_model_limits(const glimpse_model *model);

/* The model on which planners plan: where there are inquiries or limits, one without any and without requests,
 * which belongs to the model; otherwise the model itself.  What makes plans (bounds, planners, policies) takes either
 * of the two and means this one.
 *
 * Its states are layer * S + s: a layer is how many steps and requests were made, how often the agent has asked in this
 * step, and whether it may ask again; a belief over the states of the model is, as it is, one of layer 0, the start.
 * Its actions are those of the model, then one for each inquiry, and for a joint one A actions, in the order of the
 * inquiries.
 * docs/ALGORITHM.md has the tables and the proof that the value at layer 0 is the same. */
GLIMPSE_API const glimpse_model *glimpse_model_planning(const glimpse_model *model);

/* Which of its choices does what: an action of the model, an inquiry, or both (GLIMPSE_ANY: none). */
typedef struct glimpse_move {
  uint32_t action, inquiry;
} glimpse_move;

/* What an action of the planning model does in a layer.  Both GLIMPSE_ANY: nothing, the agent goes on to the next
 * question without asking. */
GLIMPSE_API glimpse_move glimpse_planning_move(const glimpse_model *planning, uint32_t layer, uint32_t choice);
/* The same whatever the layer, which may forbid it. */
GLIMPSE_API glimpse_move glimpse_planning_meaning(const glimpse_model *planning, uint32_t choice);
/* The action of the planning model that does this; GLIMPSE_ANY: there is none. */
GLIMPSE_API uint32_t glimpse_planning_choice(const glimpse_model *planning, glimpse_move move);
/* The layer after that; GLIMPSE_ANY: the horizon is reached. */
GLIMPSE_API uint32_t glimpse_planning_next(const glimpse_model *planning, uint32_t layer, uint32_t choice);
/* The observation of the planning model for what is seen after a choice in a layer: observation and answer of the
 * model, GLIMPSE_ANY for what is not seen.  GLIMPSE_ANY: that cannot be. */
GLIMPSE_API uint32_t glimpse_planning_seen(const glimpse_model *planning, uint32_t layer, uint32_t choice,
                                           uint32_t observation, uint32_t answer);
/* A value in this layer of the planning model, times this, is one of the model; 1 at layer 0. */
GLIMPSE_API double glimpse_planning_scale(const glimpse_model *planning, uint32_t layer);
/* How many layers; 1 for a model that has none. */
GLIMPSE_API uint32_t glimpse_planning_layers(const glimpse_model *planning);

/* What an observation of a planning model means: an observation of the model, an answer, both, or nothing
 * (GLIMPSE_ANY). */
typedef struct glimpse_shown {
  uint32_t observation, answer;
} glimpse_shown;

GLIMPSE_API glimpse_shown glimpse_planning_shown(const glimpse_model *planning, uint32_t seen);

/* How far an episode has come in a layer. */
typedef struct glimpse_layer {
  uint32_t time;  /* steps made; 0 without a horizon */
  uint32_t used;  /* requests made; 0 without a limit */
  uint32_t phase; /* questions that were asked or passed in this step */
  bool acts;      /* the next choice is an action, or a question that takes a step or goes with one */
} glimpse_layer;

/* Out of range: all are 0. */
GLIMPSE_API glimpse_layer glimpse_planning_layer(const glimpse_model *planning, uint32_t layer);

/* ----------------------------------------------------------------- builder */

/* Collects a model piece by piece.  Assignments may come in any order; a later
 * one overwrites an earlier one.  GLIMPSE_ANY stands for every index.  Errors
 * in arguments are returned at once and also remembered, so that it is enough
 * to look at the status of glimpse_builder_finish. */
typedef struct glimpse_builder glimpse_builder;

/* All three counts at least 1.  NULL when out of memory or a limit is passed. */
GLIMPSE_API glimpse_builder *glimpse_builder_new(uint32_t states, uint32_t actions, uint32_t observations);
GLIMPSE_API void glimpse_builder_free(glimpse_builder *builder);

/* Names are unique within a kind and have the form [A-Za-z][A-Za-z0-9_-]*;
 * either all or none of a kind are given. */
GLIMPSE_API glimpse_status glimpse_builder_name(glimpse_builder *builder, glimpse_kind kind, uint32_t i,
                                                const char *name);
/* Default 1. */
GLIMPSE_API glimpse_status glimpse_builder_discount(glimpse_builder *builder, double discount);
/* Price of asking in state s or, with GLIMPSE_ANY, in all states; not negative.
 * Default 0.  Requests are off when all prices are 0; otherwise asking in a state
 * of price 0 is free. */
GLIMPSE_API glimpse_status glimpse_builder_cost(glimpse_builder *builder, uint32_t s, double cost);
/* Probability of starting in s.  When never called the start is uniform. */
GLIMPSE_API glimpse_status glimpse_builder_start(glimpse_builder *builder, uint32_t s, double p);
GLIMPSE_API glimpse_status glimpse_builder_transition(glimpse_builder *builder, uint32_t a, uint32_t s, uint32_t s2,
                                                      double p);
GLIMPSE_API glimpse_status glimpse_builder_observation(glimpse_builder *builder, uint32_t a, uint32_t s2, uint32_t o,
                                                       double p);
GLIMPSE_API glimpse_status glimpse_builder_reward(glimpse_builder *builder, uint32_t a, uint32_t s, uint32_t s2,
                                                  uint32_t o, double r);

/* Many entries of an action at once, as the three functions above make them one by one: row and column are s and s2 of
 * a transition, s2 and o of an observation, s and s2 of a reward (column NULL: whatever follows).  Ends at the first
 * entry that is refused, whose place is told in *refused (may be NULL). */
GLIMPSE_API glimpse_status glimpse_builder_entries(glimpse_builder *builder, glimpse_table table, uint32_t a,
                                                   size_t count, const uint32_t *row, const uint32_t *column,
                                                   const double *value, size_t *refused);

/* Adds an inquiry and tells its index.  Its price is 0 and, but for the state, it has no answers yet. */
GLIMPSE_API glimpse_status glimpse_builder_inquiry(glimpse_builder *builder, const glimpse_inquiry *inquiry,
                                                   uint32_t *index);
GLIMPSE_API glimpse_status glimpse_builder_inquiry_price(glimpse_builder *builder, uint32_t i, uint32_t s,
                                                         double price);
/* A(z|s); z = answers is "nothing", that it failed.  Where a failure is given too, it is A for when it does not fail.
 */
GLIMPSE_API glimpse_status glimpse_builder_inquiry_answer(glimpse_builder *builder, uint32_t i, uint32_t s, uint32_t z,
                                                          double p);
/* A part of the state: in s the answer is answer[s] for certain (an array with one for each state), whatever was given
 * before.  A factor of the state, such as its room or its row, is declared so. */
GLIMPSE_API glimpse_status glimpse_builder_inquiry_tells(glimpse_builder *builder, uint32_t i, const uint32_t *answer);
/* With probability p, in state s, there is no answer. */
GLIMPSE_API glimpse_status glimpse_builder_inquiry_failure(glimpse_builder *builder, uint32_t i, uint32_t s, double p);
/* D(s2|s), not for joint ones.  Where it was given for no state, asking changes nothing. */
GLIMPSE_API glimpse_status glimpse_builder_inquiry_effect(glimpse_builder *builder, uint32_t i, uint32_t s, uint32_t s2,
                                                          double p);
/* Names of answers, all or none; not "nothing".  Answers that are states have the names of these. */
GLIMPSE_API glimpse_status glimpse_builder_answer_name(glimpse_builder *builder, uint32_t i, uint32_t z,
                                                       const char *name);
GLIMPSE_API glimpse_status glimpse_builder_limits(glimpse_builder *builder, const glimpse_limits *limits);

/* How the states of a model look: a background of rows x columns characters ('#':
 * wall, ' ': floor) and some layers (the robot, the package, ...), each a mark in
 * one cell that depends on the state.  Places stand for what is not on the grid
 * ("carried").  Layers of the same name are drawn into one picture. */
typedef struct glimpse_scene {
  uint32_t rows, columns;
  const char *background; /* rows * columns characters, no line ends */
  const char *legend;     /* what the letters of the background mean, in one line */
  uint32_t layers;
  const char *marks;        /* one character per layer */
  const char *const *names; /* one name per layer */
  uint32_t places;
  const char *const *place_names;
  /* cells[layer * states + s]: row * columns + column, or rows * columns + i for
   * place i, or GLIMPSE_ANY: not there */
  const uint32_t *cells;
} glimpse_scene;

/* Gives the model a scene, for pictures of its states and beliefs; copied, and the last one counts.  Texts are ASCII;
 * names of places are unique, have no colon and begin with no digit; at most 256 layers and 256 places. */
GLIMPSE_API glimpse_status glimpse_builder_scene(glimpse_builder *builder, const glimpse_scene *scene);

/* Makes the model; the builder can then only be freed.  This is the one gate
 * through which every model passes: indices, finite numbers, rows that sum to 1
 * (off by up to 1e-5: renormalised; up to 1e-3: with a warning; more: an error
 * that names the row), discount in [0,1].  That prices are given for some states only is a
 * warning.  An only inquiry that tells the state before an action, without failure, effect or limits, becomes the
 * request of glimpse_builder_cost, unless it is free.  TOO_LARGE also when the planning model would be. */
GLIMPSE_API glimpse_status glimpse_builder_finish(glimpse_builder *builder, glimpse_report *report,
                                                  glimpse_model **model);

/* ------------------------------------------------------------------- files */

/* Reads a whole file of at most 1 GiB, for readers of other formats; "-" is the standard input.
 * Reading ends behind a zero byte, which is in no text.  Findings added later without a source
 * of their own belong to this file. */
GLIMPSE_API glimpse_status glimpse_text_read(const char *path, glimpse_report *report, char **text, size_t *length);
GLIMPSE_API void glimpse_text_free(char *text);

/* Receives a piece of text; returns false to stop the writing. */
typedef bool (*glimpse_sink)(void *context, const char *text, size_t length);

typedef struct glimpse_pomdp_options {
  bool strict; /* what the grammar does not allow is an error, not a warning */
} glimpse_pomdp_options;

/* Reads a model in Cassandra's .pomdp format from memory.  `source` names it in
 * messages.  options may be NULL.  Several errors are reported in one go.
 * A short text cannot make a large model by wildcards: at most 2^22 pairs of
 * state and action and 2^24 non-zeros in each of T, O and R, or 64 of each for
 * every byte of the text. */
GLIMPSE_API glimpse_status glimpse_pomdp_read(const char *text, size_t length, const char *source,
                                              const glimpse_pomdp_options *options, glimpse_report *report,
                                              glimpse_model **model);
/* The same from a file of at most 1 GiB; "-" is the standard input. */
GLIMPSE_API glimpse_status glimpse_pomdp_read_file(const char *path, const glimpse_pomdp_options *options,
                                                   glimpse_report *report, glimpse_model **model);
/* Writes the model; read again it is the same model, bit for bit (unless the text is beyond
 * the limits of the reader: 1 GiB, or a short text for a very large model).
 * CANNOT_WRITE when the sink refused. */
GLIMPSE_API glimpse_status glimpse_pomdp_write(const glimpse_model *model, glimpse_sink sink, void *context);
/* The same to a file, whole or not at all (written beside it, then renamed). */
GLIMPSE_API glimpse_status glimpse_pomdp_write_file(const glimpse_model *model, const char *path,
                                                    glimpse_report *report);

/* -------------------------------------------------------------- transforms */

/* The equivalent POMDP without requests: every step becomes a request phase and
 * an action phase, the discount its square root, and V'(b) = sqrt(discount) V(b).
 * What the model has keeps its number; s in the action phase is S + s, asking is
 * the last action.  NOT_APPLICABLE when requests are off or the discount is 0. */
GLIMPSE_API glimpse_status glimpse_model_equivalent(const glimpse_model *model, glimpse_report *report,
                                                    glimpse_model **equivalent);

/* ------------------------------------------------------------ environments */

/* A parameter of a built-in environment. */
typedef struct glimpse_parameter {
  const char *key;
  const char *value; /* the default, as text */
  const char *text;  /* what it is and its range */
} glimpse_parameter;

typedef struct glimpse_environment {
  const char *name;
  const char *text;
  const glimpse_parameter *parameters; /* ends with a NULL key */
} glimpse_environment;

/* The i-th built-in environment, NULL past the last. */
GLIMPSE_API const glimpse_environment *glimpse_environment_get(size_t i);
/* The one that "name" or "name:key=value,key=value" names; NULL: none. */
GLIMPSE_API const glimpse_environment *glimpse_environment_find(const char *spec);
/* Makes one from "name" or "name:key=value,key=value". */
GLIMPSE_API glimpse_status glimpse_environment_make(const char *spec, glimpse_report *report, glimpse_model **model);

/* ------------------------------------------------------------------- scene */

/* NULL when the model has none.  Belongs to the model. */
GLIMPSE_API const glimpse_scene *glimpse_model_scene(const glimpse_model *model);
/* Slots of a scene: the cells row by row, then the places, then nowhere. */
GLIMPSE_API uint32_t glimpse_scene_slots(const glimpse_scene *scene);
/* The slot of a layer in state s; GLIMPSE_ANY: there is no such layer or state. */
GLIMPSE_API uint32_t glimpse_model_slot(const glimpse_model *model, uint32_t layer, uint32_t s);
/* The probability of each slot of a layer; `weights` has room for all.  NOT_APPLICABLE without a
 * scene, BAD_ARGUMENT for a layer or a state that is not there. */
GLIMPSE_API glimpse_status glimpse_model_weigh(const glimpse_model *model, uint32_t layer, glimpse_row belief,
                                               double *weights);
/* Draws a belief (a state is a belief with one entry): one picture for all
 * layers when every layer is certain, with '*' where two marks meet; else one
 * per layer, in which a mark is a certainty and the shade of a cell, one of
 * ".:-=+*%&@", shows its probability by the scale below the pictures.  Up to 80
 * columns wide where the grid is.  The sink gets it in one piece of ASCII text.
 * NOT_APPLICABLE without a scene, BAD_ARGUMENT when the row is not a belief. */
GLIMPSE_API glimpse_status glimpse_model_draw(const glimpse_model *model, glimpse_row belief, glimpse_sink sink,
                                              void *context);

/* ------------------------------------------------------------------ belief */

/* An exact, sparse belief over the states of one model (borrows the model). */
typedef struct glimpse_belief glimpse_belief;

/* The model's start belief; NULL: out of memory. */
GLIMPSE_API glimpse_belief *glimpse_belief_new(const glimpse_model *model);
GLIMPSE_API void glimpse_belief_free(glimpse_belief *belief);
GLIMPSE_API glimpse_row glimpse_belief_row(const glimpse_belief *belief);
/* Sets any distribution (indices in any order; normalised here).  BAD_ARGUMENT,
 * belief unchanged, if an index is out of range or repeated, or the values are not a
 * distribution. */
GLIMPSE_API glimpse_status glimpse_belief_set(glimpse_belief *belief, glimpse_row row);
/* The state is known. */
GLIMPSE_API glimpse_status glimpse_belief_reveal(glimpse_belief *belief, uint32_t s);
/* After action a and observation o.  *probability (may be NULL) is P(o|b,a).
 * IMPOSSIBLE, belief unchanged, when the model excludes o; what is merely unlikely
 * is never rounded to impossible. */
GLIMPSE_API glimpse_status glimpse_belief_update(glimpse_belief *belief, uint32_t a, uint32_t o, double *probability);
GLIMPSE_API double glimpse_belief_probability(const glimpse_belief *belief, uint32_t s);
/* In bits. */
GLIMPSE_API double glimpse_belief_entropy(const glimpse_belief *belief);

/* ------------------------------------------------------------------ bounds */

/* name, key, side (-1 lower, +1 upper), text */
#define GLIMPSE_BOUND_TABLE(X)                                                                                         \
  X(BLIND, "blind", -1, "always the same action, never ask")                                                           \
  X(ALWAYS_ASK, "always-ask", -1, "ask before every action")                                                           \
  X(QMDP, "qmdp", +1, "the state is known for free after one step")                                                    \
  X(FIB, "fib", +1, "fast informed bound; valid without requests only")                                                \
  X(FIB_SR, "fib-sr", +1, "fast informed bound with state requests")                                                   \
  X(TIB, "tib", +1, "tighter informed bound; valid without requests only")                                             \
  X(TIB_SR, "tib-sr", +1, "tighter informed bound with state requests")                                                \
  X(SEQUENCE, "sequence", -1, "a string of actions, then ask or stay blind")

typedef enum glimpse_bound_kind {
#define X(name, key, side, text) GLIMPSE_BOUND_##name,
  GLIMPSE_BOUND_TABLE(X)
#undef X
      GLIMPSE_BOUND_KINDS
} glimpse_bound_kind;

/* Key, side and text of a kind, from the table. */
typedef struct glimpse_bound_info {
  const char *key;
  int side;
  const char *text;
} glimpse_bound_info;

GLIMPSE_API const glimpse_bound_info *glimpse_bound_get(glimpse_bound_kind kind);
/* Does it apply to the model?  (FIB and TIB without requests, FIB_SR and TIB_SR with, ALWAYS_ASK with requests or
 * inquiries.) */
GLIMPSE_API bool glimpse_bound_applies(glimpse_bound_kind kind, const glimpse_model *model);

/* Zero in a field: the default. */
typedef struct glimpse_bound_options {
  double tolerance;        /* stop when the residual is not above it; default 1e-9.
                              Rounding may end the iteration a little earlier. */
  uint64_t max_iterations; /* default: a million */
  double max_time;         /* in seconds; default: no limit */
  unsigned threads;        /* default: the cores; results do not depend on it */
  double effort;           /* TIB, SEQUENCE: work, in multiples of the work of the bounds that they start
                              from; counted, so the same on every machine; default 20 */
} glimpse_bound_options;

/* A set of vectors over states whose largest product with a belief bounds the
 * value there.  Valid at whatever moment its iteration was stopped. */
typedef struct glimpse_bound glimpse_bound;

typedef struct glimpse_bound_result {
  glimpse_bound_kind kind;
  bool converged;      /* the tolerance was reached; SEQUENCE: no string helps, or the effort was used up */
  uint64_t iterations; /* sweeps; 0: TIB would have been too large, and is FIB's vectors */
  double residual;     /* largest minus smallest change of an entry in the last
                          sweep (0 counts as one of them if the model has an end) */
  double error;        /* how far the vectors may be from their fixed point:
                          residual * discount / (1 - discount), and rounding;
                          SEQUENCE: below the value of its plan, or below QMDP when stopped */
  double seconds;
  uint32_t vectors;
} glimpse_bound_result;

/* NOT_APPLICABLE where the bound would not be valid or does not exist. */
GLIMPSE_API glimpse_status glimpse_bound_new(const glimpse_model *model, glimpse_bound_kind kind,
                                             const glimpse_bound_options *options, glimpse_report *report,
                                             glimpse_bound **bound);
GLIMPSE_API void glimpse_bound_free(glimpse_bound *bound);
GLIMPSE_API glimpse_bound_result glimpse_bound_measure(const glimpse_bound *bound);
/* The bound at a belief. */
GLIMPSE_API double glimpse_bound_value(const glimpse_bound *bound, glimpse_row belief);
/* Entry s of vector k: one vector per action and, for FIB_SR, TIB_SR and for QMDP on a model
 * with requests, one more for asking; ALWAYS_ASK has one, and with inquiries some for each; SEQUENCE up to 128.  NaN
 * out of range. TIB, TIB_SR and SEQUENCE are at a belief at least as good as their vectors. */
GLIMPSE_API double glimpse_bound_entry(const glimpse_bound *bound, uint32_t k, uint32_t s);

/* ------------------------------------------------------------------ budget */

/* name, key, text */
#define GLIMPSE_STOP_TABLE(X)                                                                                          \
  X(NONE, "none", "the search has not ended")                                                                          \
  X(TIME, "time", "the time was used up")                                                                              \
  X(EXPANSIONS, "expansions", "the expansions were used up")                                                           \
  X(MEMORY, "memory", "the memory limit was reached")                                                                  \
  X(EPSILON, "epsilon", "the bounds at the root are within epsilon")                                                   \
  X(DECIDED, "decided", "no other choice can be better")                                                               \
  X(SOLVED, "solved", "nothing is left to expand: the bounds are exact up to rounding")                                \
  X(INTERRUPTED, "interrupted", "the search was interrupted")                                                          \
  X(RULE, "rule", "the planner follows a rule and does not search")                                                    \
  X(ROUNDING, "rounding", "nothing is left to expand, but rounding keeps the bounds apart")                            \
  X(OFF_PLAN, "off-plan", "the policy knows nothing of what was seen: the decision was made without it")

typedef enum glimpse_stop {
#define X(name, key, text) GLIMPSE_STOP_##name,
  GLIMPSE_STOP_TABLE(X)
#undef X
} glimpse_stop;

/* The key of a reason ("time"). */
GLIMPSE_API const char *glimpse_stop_key(glimpse_stop stop);

/* When a search ends: at the first limit that is met.  Zero in a field: no such
 * limit.  With neither time nor expansions it goes on until the bounds meet, the
 * choice is decided or memory is used up (POMCP: for 100,000 simulations). */
typedef struct glimpse_budget {
  double time;                   /* in seconds; kept within 1 ms and the cost of one expansion */
  uint64_t expansions;           /* POMCP: simulations; baselines search nothing */
  double epsilon;                /* upper - lower at the root */
  bool decided;                  /* the best choice is certain */
  const volatile int *interrupt; /* ends the search when it becomes non-zero; may be NULL */
} glimpse_budget;

/* Seconds for a decision in the program and in Python when no limit is given. */
#define GLIMPSE_DEFAULT_TIME 0.1

/* ----------------------------------------------------------------- offline */

/* The bounds of a model that planners start from, computed once and shared: an upper bound,
 * TIB_SR (or TIB), BLIND, SEQUENCE and, with requests or inquiries, ALWAYS_ASK.  Borrows the model. */
typedef struct glimpse_offline glimpse_offline;

/* upper: FIB_SR (or FIB without requests) or QMDP.  NOT_APPLICABLE as for
 * glimpse_bound_new.  max_time is for all bounds together; where the effort is not given, TIB
 * and SEQUENCE take less time than the others. */
GLIMPSE_API glimpse_status glimpse_offline_new(const glimpse_model *model, glimpse_bound_kind upper,
                                               const glimpse_bound_options *options, glimpse_report *report,
                                               glimpse_offline **offline);
GLIMPSE_API void glimpse_offline_free(glimpse_offline *offline);
/* The best of all bounds at a belief. */
GLIMPSE_API void glimpse_offline_value(const glimpse_offline *offline, glimpse_row belief, double *lower,
                                       double *upper);
/* The tightest bound that applies to the model and may be the `upper` above: FIB_SR or FIB. */
GLIMPSE_API glimpse_bound_kind glimpse_offline_upper(const glimpse_model *model);

/* ---------------------------------------------------------------- planners */

/* What planners have in common.  GLIMPSE_TRAIT_IS(POMCP) is a trait that this planner alone has. */
enum {
  GLIMPSE_TRAIT_SEARCHES = 1, /* looks ahead, within a budget */
  GLIMPSE_TRAIT_RULE = 2,     /* follows a rule when to ask instead */
  GLIMPSE_TRAIT_BOUNDS = 4,   /* knows bounds on the value, and needs offline bounds for it */
  GLIMPSE_TRAIT_GRAPH = 8,    /* has a graph, which glimpse_planner_visit shows */
  GLIMPSE_TRAIT_RANDOM = 16,  /* simulates: results depend on the seed, and its expansions are simulations */
  GLIMPSE_TRAIT_ASKS = 32,    /* makes sense only where the agent may ask */
  GLIMPSE_TRAIT_FOLLOWS = 64, /* follows a policy, and searches only where that does not know what to do */
  GLIMPSE_TRAIT_ACTS = 128,   /* its rule is when to ask alone: it acts as the option `act` says */
  GLIMPSE_TRAIT_ALL = GLIMPSE_TRAIT_SEARCHES | GLIMPSE_TRAIT_RULE | GLIMPSE_TRAIT_FOLLOWS,
};
#define GLIMPSE_TRAIT_IS(name) (256u << GLIMPSE_PLANNER_##name)

#define GLIMPSE_GRAPH_SEARCH (GLIMPSE_TRAIT_SEARCHES | GLIMPSE_TRAIT_BOUNDS | GLIMPSE_TRAIT_GRAPH)
#define GLIMPSE_SIMULATION (GLIMPSE_TRAIT_SEARCHES | GLIMPSE_TRAIT_RANDOM)
#define GLIMPSE_BASELINE (GLIMPSE_TRAIT_RULE | GLIMPSE_TRAIT_BOUNDS)
#define GLIMPSE_ASKING_RULE (GLIMPSE_BASELINE | GLIMPSE_TRAIT_ACTS)

/* name, key, text, traits */
#define GLIMPSE_PLANNER_TABLE(X)                                                                                       \
  X(AEMS_LOOP, "aems-loop", "search in a graph in which equal beliefs are one node; the default",                      \
    GLIMPSE_GRAPH_SEARCH)                                                                                              \
  X(AEMS_SR, "aems-sr", "the same, but only corners (known states) are shared", GLIMPSE_GRAPH_SEARCH)                  \
  X(AEMS, "aems", "the same without sharing: a tree", GLIMPSE_GRAPH_SEARCH)                                            \
  X(POMCP, "pomcp", "Monte-Carlo tree search with particles", GLIMPSE_SIMULATION)                                      \
  X(NEVER_ASK, "never-ask", "baseline without search: never ask", GLIMPSE_ASKING_RULE)                                 \
  X(ALWAYS_ASK, "always-ask", "baseline without search: ask before every action",                                      \
    GLIMPSE_ASKING_RULE | GLIMPSE_TRAIT_ASKS)                                                                          \
  X(ASK_EVERY, "ask-every", "baseline without search: ask at the first step and then every N steps",                   \
    GLIMPSE_ASKING_RULE | GLIMPSE_TRAIT_ASKS)                                                                          \
  X(ASK_ENTROPY, "ask-entropy", "baseline without search: ask when the belief has more bits than a limit",             \
    GLIMPSE_ASKING_RULE | GLIMPSE_TRAIT_ASKS)                                                                          \
  X(ACT_THEN_MEASURE, "act-then-measure",                                                                              \
    "baseline without search: ask when knowing the state gains more than its price, if all were known afterwards",     \
    GLIMPSE_BASELINE | GLIMPSE_TRAIT_ASKS)                                                                             \
  X(SPI, "spi", "baseline without search: do what the best known plan promises that acts blindly and then asks",       \
    GLIMPSE_BASELINE)                                                                                                  \
  X(POLICY, "policy", "follow a policy that was made before, without search", GLIMPSE_TRAIT_FOLLOWS)

typedef enum glimpse_planner_kind {
#define X(name, key, text, traits) GLIMPSE_PLANNER_##name,
  GLIMPSE_PLANNER_TABLE(X)
#undef X
      GLIMPSE_PLANNER_KINDS
} glimpse_planner_kind;

/* Which fringe belief is expanded next. */
#define GLIMPSE_RULE_TABLE(X)                                                                                          \
  X(AEMS, "aems", "largest gap, weighted by its discounted probability")                                               \
  X(BI_POMDP, "bi-pomdp", "largest gap that the greedy policy can meet")                                               \
  X(SATIA_LAVE, "satia-lave", "as aems, but all actions that are not dominated count")

typedef enum glimpse_rule {
#define X(name, key, text) GLIMPSE_RULE_##name,
  GLIMPSE_RULE_TABLE(X)
#undef X
      GLIMPSE_RULES
} glimpse_rule;

/* How search results tighten bounds at later beliefs. */
#define GLIMPSE_IMPROVE_TABLE(X)                                                                                       \
  X(SOUND, "sound", "by known states, points and vectors; bounds stay valid")                                          \
  X(NONE, "none", "not at all")                                                                                        \
  X(PAPER, "paper", "as the paper prints it: the lower bound is NOT valid")

typedef enum glimpse_improve {
#define X(name, key, text) GLIMPSE_IMPROVE_##name,
  GLIMPSE_IMPROVE_TABLE(X)
#undef X
      GLIMPSE_IMPROVES
} glimpse_improve;

/* POMCP: what a belief that is new to the tree is worth, judged by one state of it. */
#define GLIMPSE_ROLLOUT_TABLE(X)                                                                                       \
  X(RANDOM, "random", "the return of random choices, asking among them")                                               \
  X(SILENT, "silent", "the return of random actions, never asking")                                                    \
  X(UPPER, "upper", "the offline upper bound, as if the state were known")

typedef enum glimpse_rollout {
#define X(name, key, text) GLIMPSE_ROLLOUT_##name,
  GLIMPSE_ROLLOUT_TABLE(X)
#undef X
      GLIMPSE_ROLLOUTS
} glimpse_rollout;

/* Baselines: which action, once it is settled whether to ask (docs/PLANNERS.md). */
#define GLIMPSE_ACT_TABLE(X)                                                                                           \
  X(QMDP, "qmdp", "the best if the state were known for free from the next step on")                                   \
  X(LOWER, "lower", "the action with the largest lower bound")

typedef enum glimpse_act {
#define X(name, key, text) GLIMPSE_ACT_##name,
  GLIMPSE_ACT_TABLE(X)
#undef X
      GLIMPSE_ACTS
} glimpse_act;

/* What becomes of the graph (POMCP: of the tree) after a step. */
#define GLIMPSE_GRAPH_TABLE(X)                                                                                         \
  X(KEEP, "keep", "what was searched serves the next step")                                                            \
  X(RESET, "reset", "forget it")

typedef enum glimpse_graph {
#define X(name, key, text) GLIMPSE_GRAPH_##name,
  GLIMPSE_GRAPH_TABLE(X)
#undef X
      GLIMPSE_GRAPHS
} glimpse_graph;

/* Keys of the tables above, "?" out of range. */
GLIMPSE_API const char *glimpse_planner_key(glimpse_planner_kind kind);
GLIMPSE_API const char *glimpse_rule_key(glimpse_rule rule);
GLIMPSE_API const char *glimpse_improve_key(glimpse_improve improve);
GLIMPSE_API const char *glimpse_rollout_key(glimpse_rollout rollout);
GLIMPSE_API const char *glimpse_act_key(glimpse_act act);
GLIMPSE_API const char *glimpse_graph_key(glimpse_graph graph);
/* The traits of a planner, its own included; 0 out of range. */
GLIMPSE_API unsigned glimpse_planner_traits(glimpse_planner_kind kind);

/* "a|b|c" and "\na: what it means\nb: ..." from a table of name, key and text. */
#define GLIMPSE_WORD(name, key, text) "|" key
#define GLIMPSE_WORDS(TABLE) (&(TABLE(GLIMPSE_WORD))[1])
#define GLIMPSE_MEANING(name, key, text) "\n" key ": " text

/* The options of planners.  This table is the only place that knows them all: the struct below, its defaults and
 * refusals, the options of the program, the fields of specifications and the arguments in Python come from it.
 *
 * Kinds of values: FLAG; CHOICE, one of the words "a|b|c", the first of which is the default; COUNT, a whole number;
 * SIZE, a count of bytes; NUMBER, from low to high; POSITIVE, a number above 0.  A default that is no value is only
 * told; the field is 0 then.  A number with another default than 0 has a range without 0.  NULL: nothing to tell.  An
 * option is taken by planners that have one of the traits.  Scopes tell over what an option acts: each SEARCH, also
 * those of solving and pricing, one DECISION, the STEPS of an episode, several EPISODES.
 *
 * kind, type, field, key, argument, default, low, high, traits, scope, text */
#define GLIMPSE_PLANNER_OPTION_TABLE(X)                                                                                \
  X(CHOICE, glimpse_improve, improve, "improve", GLIMPSE_WORDS(GLIMPSE_IMPROVE_TABLE), "sound, or none with paper", 0, \
    0, GLIMPSE_TRAIT_GRAPH, DECISION,                                                                                  \
    "how search results tighten bounds at later beliefs" GLIMPSE_IMPROVE_TABLE(GLIMPSE_MEANING))                       \
  X(CHOICE, glimpse_rule, rule, "rule", GLIMPSE_WORDS(GLIMPSE_RULE_TABLE), "aems", 0, 0, GLIMPSE_TRAIT_GRAPH,          \
    DECISION, "which belief is expanded next" GLIMPSE_RULE_TABLE(GLIMPSE_MEANING))                                     \
  X(CHOICE, glimpse_graph, graph, "graph", GLIMPSE_WORDS(GLIMPSE_GRAPH_TABLE), "keep, or reset with paper or plain",   \
    0, 0, GLIMPSE_TRAIT_SEARCHES, STEPS, "keep or reset the graph (pomcp: the tree) after a step")                     \
  X(FLAG, bool, paper, "paper", NULL, NULL, 0, 0, GLIMPSE_TRAIT_GRAPH, DECISION,                                       \
    "the paper's algorithm: one expansion at a time, the graph is reset after each step, corners are expanded at "     \
    "once, the lower bound is blind; the default planner is then aems-sr")                                             \
  X(FLAG, bool, plain, "plain", NULL, NULL, 0, 0, GLIMPSE_TRAIT_GRAPH, DECISION,                                       \
    "a slow reference form of the search, for comparison; the graph is reset after each step")                         \
  X(FLAG, bool, keep_corners, "keep-corners", NULL, NULL, 0, 0, GLIMPSE_TRAIT_GRAPH, EPISODES,                         \
    "keep what was learnt about known states after an episode; results then depend on earlier episodes")               \
  X(SIZE, uint64_t, max_memory, "max-memory", "SIZE", "1G", 65536, 1e15, GLIMPSE_TRAIT_ALL, SEARCH,                    \
    "hard limit for the memory of each search, in bytes or with K, M or G")                                            \
  X(COUNT, uint64_t, seed, "seed", "N", "1", 1, 1e18, GLIMPSE_TRAIT_ALL, DECISION,                                     \
    "random seed; the same seed gives the same random numbers")                                                        \
  X(CHOICE, glimpse_rollout, rollout, "rollout", GLIMPSE_WORDS(GLIMPSE_ROLLOUT_TABLE), "random", 0, 0,                 \
    GLIMPSE_TRAIT_IS(POMCP), DECISION, "pomcp: what a new belief is worth" GLIMPSE_ROLLOUT_TABLE(GLIMPSE_MEANING))     \
  X(POSITIVE, double, exploration, "exploration", "NUMBER", "range of the returns seen", 0, 0,                         \
    GLIMPSE_TRAIT_IS(POMCP), DECISION,                                                                                 \
    "pomcp: how much a simulation favours choices that were rarely tried (the constant of UCB1)")                      \
  X(COUNT, uint64_t, particles, "particles", "N", "1000", 1, GLIMPSE_MAX_COUNT, GLIMPSE_TRAIT_IS(POMCP), DECISION,     \
    "pomcp: number of particles, the states that stand for a belief")                                                  \
  X(CHOICE, glimpse_act, act, "act", GLIMPSE_WORDS(GLIMPSE_ACT_TABLE), "qmdp", 0, 0, GLIMPSE_TRAIT_ACTS, DECISION,     \
    "baselines: which action" GLIMPSE_ACT_TABLE(GLIMPSE_MEANING))                                                      \
  X(COUNT, uint64_t, every, "every", "N", "5", 1, 1e9, GLIMPSE_TRAIT_IS(ASK_EVERY), DECISION,                          \
    "ask-every: number of steps from one request to the next")                                                         \
  X(NUMBER, double, entropy, "entropy", "BITS", "0", 0, 24, GLIMPSE_TRAIT_IS(ASK_ENTROPY), DECISION,                   \
    "ask-entropy: ask when the belief has more bits than this; two states of the same probability have one bit; 0: "   \
    "whenever the state is not certain")

/* A policy, see below. */
typedef struct glimpse_policy glimpse_policy;

/* Zero in a field: its default.  What a planner does not take is ignored, so that planners may share options. */
typedef struct glimpse_planner_options {
  glimpse_planner_kind kind;
#define X(kind, type, field, ...) type field;
  GLIMPSE_PLANNER_OPTION_TABLE(X)
#undef X
  const glimpse_policy *policy; /* POLICY: this one, which is borrowed.  When something is seen that it has no edge for,
                                   or the belief at `begin` is not its start, the decision has stop OFF_PLAN: with
                                   offline bounds and a budget of time or expansions a search makes it and those that
                                   follow; otherwise it goes on at the node that is worth most at the belief.
                                   GLIMPSE_TRAIT_GRAPH: the search starts from its bounds; NULL: from the offline
                                   bounds alone */
} glimpse_planner_options;

typedef enum glimpse_value {
  GLIMPSE_VALUE_FLAG,     /* a bool */
  GLIMPSE_VALUE_CHOICE,   /* an unsigned: the place of the word */
  GLIMPSE_VALUE_COUNT,    /* a uint64_t */
  GLIMPSE_VALUE_SIZE,     /* a uint64_t */
  GLIMPSE_VALUE_NUMBER,   /* a double */
  GLIMPSE_VALUE_POSITIVE, /* a double */
} glimpse_value;

typedef enum glimpse_scope {
  GLIMPSE_SCOPE_SEARCH,
  GLIMPSE_SCOPE_DECISION,
  GLIMPSE_SCOPE_STEPS,
  GLIMPSE_SCOPE_EPISODES
} glimpse_scope;

/* A row of the table of options. */
typedef struct glimpse_planner_option {
  glimpse_value kind;
  const char *field, *key; /* the same but for the hyphens of the key */
  size_t offset;           /* of the field in glimpse_planner_options */
  const char *argument;    /* CHOICE: the words, "a|b|c"; FLAG: NULL; otherwise the name of the value */
  const char *preset;      /* the default */
  double low, high;        /* COUNT, SIZE and NUMBER */
  unsigned traits;
  glimpse_scope scope;
  const char *text;
} glimpse_planner_option;

/* The i-th option, NULL past the last. */
GLIMPSE_API const glimpse_planner_option *glimpse_planner_option_get(size_t i);
/* Writes the value of an option as it would be typed ("true", "1000", "bi-pomdp").  Returns whether it is another
 * than the default. */
GLIMPSE_API bool glimpse_planner_option_write(const glimpse_planner_option *option,
                                              const glimpse_planner_options *options, char text[GLIMPSE_NUMBER_SIZE]);
/* Does the planner need offline bounds?  (All but POMCP, and POMCP with the rollout UPPER.) */
GLIMPSE_API bool glimpse_planner_needs_offline(const glimpse_planner_options *options);

/* The spelling today of a word that earlier versions knew; NULL: it is none.  `of` is the key of the option of which it
 * is a value, "" for the key itself, and "bound" for the key of a bound.  Old spellings go with the next version. */
GLIMPSE_API const char *glimpse_word_today(const char *of, const char *word);

/* A planner follows one agent.  Borrows model and offline bounds, both const, so
 * that many planners may share them in many threads.  After NO_MEMORY from reveal or
 * observe it must begin again (an agent does so). */
typedef struct glimpse_planner glimpse_planner;

/* What to do now, and how sure that is. */
typedef struct glimpse_decision {
  bool ask;                            /* ask first: for the state, or what `inquiry` says */
  uint32_t action;                     /* otherwise: do this */
  uint32_t inquiry;                    /* of an agent whose model has inquiries: ask this, or with the action do this;
                                          GLIMPSE_ANY: none */
  double lower, upper;                 /* bounds on the value here; NaN where the planner has none */
  double offline_lower, offline_upper; /* without any search; NaN likewise */
  double value;                        /* what the planner expects (POMCP), NaN where it has bounds */
  uint64_t expansions;                 /* of this decision */
  uint64_t nodes;                      /* beliefs held */
  uint64_t corners;                    /* known states that were expanded */
  uint64_t bytes;                      /* memory of the graph or tree */
  uint64_t dropped;                    /* beliefs forgotten for lack of memory, since `begin` */
  uint64_t refused;                    /* allocations that the system refused, since the planner was made:
                                          it used less, and may have decided differently; 0 for
                                          an agent that is lost, which does not plan */
  double seconds;
  glimpse_stop stop;
} glimpse_decision;

/* Percent of the offline gap that the search has closed: 100 where none was open but for rounding, NaN without bounds
 * and where nothing is searched. */
GLIMPSE_API double glimpse_decision_reduction(const glimpse_decision *decision);

/* One choice at the current belief. */
typedef struct glimpse_choice {
  double lower, upper; /* NaN where the planner has none */
  double value;        /* likewise */
  uint64_t visits;     /* POMCP: simulations through it */
} glimpse_choice;

/* offline may be NULL where glimpse_planner_needs_offline says so.  BAD_ARGUMENT, with the reason in the report, for
 * options that are out of range. */
GLIMPSE_API glimpse_status glimpse_planner_new(const glimpse_model *model, const glimpse_offline *offline,
                                               const glimpse_planner_options *options, glimpse_report *report,
                                               glimpse_planner **planner);
GLIMPSE_API void glimpse_planner_free(glimpse_planner *planner);
/* A new episode at this belief; `episode` numbers the planner's random stream. */
GLIMPSE_API glimpse_status glimpse_planner_begin(glimpse_planner *planner, glimpse_row belief, uint64_t episode);
/* Searches from the current belief. */
GLIMPSE_API glimpse_status glimpse_planner_plan(glimpse_planner *planner, const glimpse_budget *budget,
                                                glimpse_decision *decision);
/* Bounds of an action, or of asking (GLIMPSE_ANY), after glimpse_planner_plan. */
GLIMPSE_API glimpse_choice glimpse_planner_choice(const glimpse_planner *planner, uint32_t action);
/* The state was told: from here on no asking before the next observation. */
GLIMPSE_API glimpse_status glimpse_planner_reveal(glimpse_planner *planner, uint32_t s);
/* Action a was done and o observed; `belief` is the one that follows. */
GLIMPSE_API glimpse_status glimpse_planner_observe(glimpse_planner *planner, uint32_t a, uint32_t o,
                                                   glimpse_row belief);

/* The most likely course of a plan: what follows the current belief when the best
 * choices are made and the most probable things happen. */
typedef struct glimpse_forecast {
  bool ask;             /* it asks here ... */
  uint32_t state;       /* ... and is told this, most probably */
  uint32_t action;      /* then it does this; GLIMPSE_ANY: not searched that far */
  uint32_t observation; /* and sees this, most probably; GLIMPSE_ANY: not searched that far, the last step */
  double probability;   /* of all this, from the start of the forecast */
  double lower, upper;  /* at the belief before it */
} glimpse_forecast;

/* Fills up to `count` steps; returns how many, or SIZE_MAX when out of memory. */
GLIMPSE_API size_t glimpse_planner_forecast(const glimpse_planner *planner, glimpse_forecast *steps, size_t count);

/* ------------------------------------------------------------------- graph */

/* A belief in the graph of a search.  Valid during the call. */
typedef struct glimpse_node {
  uint32_t id;         /* from 0, in the order of the visit; 0 is the current belief */
  uint32_t state;      /* of a belief that is certain of it; GLIMPSE_ANY otherwise */
  bool corner;         /* one node for this state, shared by all that lead to it */
  bool expanded;       /* its choices were looked at ... */
  bool ask;            /* ... and the plan asks here ... */
  uint32_t action;     /* ... or does this; GLIMPSE_ANY: it asks, or is not expanded */
  double lower, upper; /* of its value */
  uint32_t depth;      /* least number of steps from the current belief */
  double probability;  /* of the most probable path to it, if its choices are made */
  size_t hidden;       /* children in the graph that are not visited from here */
  glimpse_row belief;
} glimpse_node;

/* What a choice leads to.  In a model with inquiries or limits states, actions and observations of nodes and edges, and
 * the values, are those of its planning model. */
typedef struct glimpse_edge {
  uint32_t from, to;    /* ids of nodes */
  bool ask;             /* the choice: to ask for the state ... */
  uint32_t action;      /* ... or this action; GLIMPSE_ANY when it asks */
  uint32_t observation; /* what is observed; GLIMPSE_ANY when it asks ... */
  uint32_t state;       /* ... and then is told this; GLIMPSE_ANY otherwise */
  double probability;   /* of this, after the choice */
  double lower, upper;  /* of the choice */
  bool plan;            /* the plan makes this choice */
} glimpse_edge;

/* Which part of the graph is visited, and by whom.  Zero in a field: no limit. */
typedef struct glimpse_visit {
  uint32_t depth;     /* at most this many steps; asking is not a step */
  double probability; /* of a path from the current belief, at least */
  double max_gap;     /* upper - lower of a belief, at most; the current one is visited in any case */
  double min_gap;     /* what follows beliefs whose gap is smaller is left out */
  bool plan;          /* only choices that the plan makes; what is known of one without its children has no edges */
  bool (*node)(void *context, const glimpse_node *node); /* first for all nodes; false: enough */
  bool (*edge)(void *context, const glimpse_edge *edge); /* then for all edges between them */
  void *context;
} glimpse_visit;

/* Shows the graph after glimpse_planner_plan.  NOT_APPLICABLE for planners that have
 * none; OK also where a function ended the visit. */
GLIMPSE_API glimpse_status glimpse_planner_visit(const glimpse_planner *planner, const glimpse_visit *visit);

/* ------------------------------------------------------------------ policy */

/* A policy: a finite controller that needs no belief, and a certificate.
 *
 * A node of the controller makes a choice, an action or asking, and has an edge for
 * each thing that may be seen then: an observation, or the state that is told.  After
 * asking comes an action.  Node 0 is where it starts.
 *
 * The certificate has a lower bound, which is what the controller earns from the
 * start, and an upper bound, which an upper function proves: numbers for known states
 * and for some beliefs that are nowhere below what one look ahead makes of them. */

GLIMPSE_API void glimpse_policy_free(glimpse_policy *policy);

/* What there is to know of a policy.  Texts belong to it. */
typedef struct glimpse_policy_info {
  const char *model;   /* what its model was called; "": nothing */
  const char *version; /* of the library that made it */
  uint64_t digest;     /* of its model, see glimpse_model_digest */
  uint32_t states, actions, observations;
  uint32_t nodes;
  uint64_t edges;
  uint32_t depth;      /* choices from the start to the node that is farthest away */
  uint64_t points;     /* of the upper function, besides the known states */
  double lower, upper; /* of the value at the start; what the certificate says */
  double requests;     /* expected, discounted */
  glimpse_row start;   /* the belief it starts from */
} glimpse_policy_info;

GLIMPSE_API glimpse_policy_info glimpse_policy_measure(const glimpse_policy *policy);
/* The name, or the number as text where none was given; NULL out of range. */
GLIMPSE_API const char *glimpse_policy_name(const glimpse_policy *policy, glimpse_kind kind, uint32_t i);

/* Following it, without belief and without memory: a place in the controller is a
 * number, which the caller keeps.  It begins at 0. */

/* What to do at a node: an action; GLIMPSE_ANY: ask. */
GLIMPSE_API uint32_t glimpse_policy_choice(const glimpse_policy *policy, uint32_t node);
/* The node after an observation or, where it asked, after the state that was told;
 * GLIMPSE_ANY: the plan knows nothing of that. */
GLIMPSE_API uint32_t glimpse_policy_step(const glimpse_policy *policy, uint32_t node, uint32_t seen);

/* The edges of a node, labels (observations or states) ascending. */
typedef struct glimpse_policy_edges {
  size_t count;
  const uint32_t *seen, *to;
} glimpse_policy_edges;

GLIMPSE_API glimpse_policy_edges glimpse_policy_get(const glimpse_policy *policy, uint32_t node);

/* The upper function: a number per action for each known state, and for some beliefs;
 * infinite where it has none.  NULL, and an empty row, out of range.  They belong to the
 * policy. */
GLIMPSE_API const double *glimpse_policy_corner(const glimpse_policy *policy, uint32_t s);
GLIMPSE_API const double *glimpse_policy_point(const glimpse_policy *policy, uint64_t i, glimpse_row *belief);

/* What each node is worth in each state: values[node * states + s], which has room for
 * all.  Rounded down, so that they are lower bounds.  Where something is seen for which a
 * node has no edge, also in states that it never meets, this goes on: with requests the
 * agent asks and then acts at the node that is best in the state that it is told; without
 * at the node that is best when all states are equally likely.  BAD_MODEL: the policy is not
 * of this model. */
GLIMPSE_API glimpse_status glimpse_policy_values(const glimpse_policy *policy, const glimpse_model *model,
                                                 glimpse_report *report, double *values);

/* The same policy for the equivalent POMDP of its model, which glimpse_model_equivalent
 * makes.  Bounds are those of the policy times the discount of `equivalent`; it has no upper
 * function. */
GLIMPSE_API glimpse_status glimpse_policy_equivalent(const glimpse_policy *policy, const glimpse_model *equivalent,
                                                     glimpse_report *report, glimpse_policy **result);

/* A number for all that matters to the value of a model: sizes, discount, prices, T, O
 * and expected rewards, bit by bit.  Names and the start do not count. */
GLIMPSE_API uint64_t glimpse_model_digest(const glimpse_model *model);

/* How far solving has come. */
typedef struct glimpse_solve_progress {
  double seconds;
  uint64_t expansions, nodes, bytes; /* of the search */
  double lower, upper;               /* of the search, at the start */
  bool proving;                      /* the search is over, the certificate is being made */
  double proved;                     /* upper bound of the certificate so far; infinite: none */
} glimpse_solve_progress;

/* Zero in a field: the default. */
typedef struct glimpse_solve_options {
  double epsilon;                /* upper - lower, absolute; default: see the next */
  double relative;               /* the same as a share of the value; default 0.01 if neither is given */
  double time;                   /* for all of it, in seconds; default: no limit */
  uint64_t expansions;           /* default: no limit */
  uint64_t max_memory;           /* in bytes; default 1 GiB.  Without `time` and `expansions` solving ends where it is
                                    full and doing as much again closes less than a tenth of the gap */
  unsigned jobs;                 /* threads of offline bounds and certificate; default 1; without `time` the policy
                                    does not depend on it */
  const volatile int *interrupt; /* ends the search when it becomes non-zero; may be NULL */
  void (*progress)(void *context, const glimpse_solve_progress *progress); /* about four times a second; may be NULL */
  void *context;
} glimpse_solve_options;

/* Why solving ended, and what it took. */
typedef struct glimpse_solve_result {
  glimpse_stop stop; /* of the search, or of the certificate where memory or time kept that from coming as near */
  glimpse_solve_progress progress;
  double residual;  /* largest error of an equation behind the controller's value */
  uint64_t refused; /* allocations that the system refused: with more memory it may be better */
} glimpse_solve_result;

/* Searches from the model's start until the bounds of the certificate are within
 * epsilon, or the budget ends.  `name`, which may be NULL, is noted in the policy. */
GLIMPSE_API glimpse_status glimpse_policy_solve(const glimpse_model *model, const char *name,
                                                const glimpse_solve_options *options, glimpse_report *report,
                                                glimpse_solve_result *result, glimpse_policy **policy);

/* What a check of a certificate has proved. */
typedef struct glimpse_proof {
  double lower;     /* what the controller earns from the start, at least; rounding is allowed for */
  double upper;     /* what no policy exceeds there */
  double value;     /* what the controller earns, up to rounding */
  double requests;  /* expected, discounted */
  double residual;  /* largest error of an equation behind `value` */
  double excess;    /* by how much a number of the upper function is below its look ahead, at most */
  uint64_t pairs;   /* of node and state that were evaluated */
  uint64_t numbers; /* of the upper function that were checked */
} glimpse_proof;

/* Checks the certificate with code that has nothing in common with the search.
 * BAD_MODEL: the policy is not of this model.  NOT_APPLICABLE, with the reason in the
 * report: the certificate claims more than is proved.  *proof is filled in either case. */
GLIMPSE_API glimpse_status glimpse_policy_verify(const glimpse_policy *policy, const glimpse_model *model,
                                                 glimpse_report *report, glimpse_proof *proof);

/* Reads a policy from memory, as glimpse_policy_write wrote it: a text, with a checksum.
 * `source` names it in messages. */
GLIMPSE_API glimpse_status glimpse_policy_read(const char *text, size_t length, const char *source,
                                               glimpse_report *report, glimpse_policy **policy);
/* The same from a file of at most 1 GiB; "-" is the standard input. */
GLIMPSE_API glimpse_status glimpse_policy_read_file(const char *path, glimpse_report *report, glimpse_policy **policy);
/* A policy of vectors over the states as other solvers make them: an action for each, and the values of one vector
 * after the other, `count` times as many as there are states.  Both are copied.  Such a policy is followed by its
 * belief: it acts by the vector that is worth most there.  What the vectors say is not proved, so there is no
 * certificate.  Edges are those of one belief per vector, found from the start on; what the controller with these edges
 * earns (glimpse_policy_values) is sure, and a search may start from it.  A policy of the equivalent POMDP goes with
 * that model. */
GLIMPSE_API glimpse_status glimpse_policy_from_vectors(const glimpse_model *model, size_t count, const uint32_t *action,
                                                       const double *value, glimpse_report *report,
                                                       glimpse_policy **policy);
/* As glimpse_policy_read, or vectors as pomdp-solve writes them (.alpha), which are for the model; it may be NULL
 * otherwise. */
GLIMPSE_API glimpse_status glimpse_policy_import(const char *text, size_t length, const char *source,
                                                 const glimpse_model *model, glimpse_report *report,
                                                 glimpse_policy **policy);
GLIMPSE_API glimpse_status glimpse_policy_import_file(const char *path, const glimpse_model *model,
                                                      glimpse_report *report, glimpse_policy **policy);
GLIMPSE_API glimpse_status glimpse_policy_write(const glimpse_policy *policy, glimpse_sink sink, void *context);
/* The same to a file, whole or not at all. */
GLIMPSE_API glimpse_status glimpse_policy_write_file(const glimpse_policy *policy, const char *path,
                                                     glimpse_report *report);

/* ------------------------------------------------------------------- price */

/* What asking is worth: the value V(c) at the start belief over the price c of a request.
 *
 * V is convex in c and does not rise, because it is the largest of straight lines: a plan whose expected discounted
 * return is r before it pays for n expected discounted requests is worth r - c n.  So -n is the slope of V at c for the
 * plan that is best at c.  Where V has a kink several plans are best, and n is an interval.  These facts turn bounds on
 * V at some prices into bounds on V, n and r at all of them; they are chosen one by one, where least is known.
 *
 * The axis.  Where the price is the same in all states (or requests are off, then 1 is a unit), c is that price.  Where
 * it depends on the state, c is a factor by which all prices of the model are multiplied, and n is what is paid for
 * requests at the factor 1 rather than their number.  c = 0: asking is free.  A request in a terminal state is free and
 * does not count.
 *
 * In a model with inquiries c is the price of one of them, and all other prices stay as they are: r then is what a plan
 * earns after it has paid for the others.  A failure that costs nothing does not count. */

/* Some number in [low, high]; the ends may be infinite. */
typedef struct glimpse_interval {
  double low, high;
} glimpse_interval;

/* A price, and what is known there. */
typedef struct glimpse_price_point {
  double price;
  glimpse_interval value;    /* V */
  glimpse_interval requests; /* n, for every plan that is best at this price */
  glimpse_interval gross;    /* r, likewise: what it earns before it pays for requests */
  glimpse_interval
      always;       /* the best plan among those that ask whenever the state is not certain; NaN with inquiries */
  bool ask;         /* what the search does first: it asks ... */
  uint32_t action;  /* ... or does this; GLIMPSE_ANY when it asks */
  uint32_t inquiry; /* what it asks, or asks with the action; GLIMPSE_ANY: nothing, or for the state at a cost */
  bool certain;     /* no other choice can be better */
  bool searched;    /* false: V is that without requests, by proof */
  uint64_t expansions;
  double seconds; /* of search and bounds */
} glimpse_price_point;

typedef struct glimpse_price_worth {
  glimpse_interval value, requests, gross;
} glimpse_price_worth;

/* Zero in a field: the default. */
typedef struct glimpse_price_options {
  glimpse_budget budget; /* of the search at each price, four times of that without requests; default 0.1 s.
                            `decided` is ignored */
  uint32_t points;       /* prices that are searched at most, 0 among them; default 16, from 2 to 500 */
  double max_price;      /* end of the axis; default: where asking never pays */
  double negligible; /* a gain up to this does not count as one; default: twice the widest interval of V at prices where
                        requests are not proved to gain, but from 1e-6 to 0.01 of what free requests gain */
  uint64_t max_memory; /* limit of the memory of each search; default 1 GiB */
  bool (*done)(void *context, const glimpse_price_point *point, size_t count, size_t most);
  /* may be NULL; called after each search with its price, before its intervals are tightened by others;
     false ends the work with what there is */
  void *context;
  const char *inquiry; /* name of the inquiry whose price it is; NULL: the only one, or the request of a model with a
                          cost.  It is read before the function returns */
} glimpse_price_options;

/* What holds of the whole curve. */
typedef struct glimpse_price_summary {
  size_t points;
  bool factor;           /* prices are factors of the model's own */
  double own;            /* the price of the model; NaN: its requests are off */
  double negligible;     /* that was used */
  glimpse_interval off;  /* V without requests */
  glimpse_interval free; /* V where asking is free: the state is always known */
  glimpse_interval even; /* break-even price, the smallest at which requests gain at most `negligible` over having none:
                            below the low end they are proved to gain more, from the high end on not to */
  glimpse_interval always; /* up to the low end, a plan that asks whenever the state is not certain is proved to be
                              within `negligible` of the best at all prices; at the high end it is proved not to be.
                              NaN with inquiries, which need not tell the state */
  double never;            /* from this price on asking pays at no belief whatsoever; infinite: it is free somewhere */
  uint64_t refused;        /* allocations that the system refused to searches: with more memory it may be narrower */
  bool complete;           /* no further price was worth a search; false: points were used up, or it was ended */
  uint32_t inquiry;        /* whose price it is; GLIMPSE_ANY: that of a request at a cost */
} glimpse_price_summary;

/* Bounds V over the price.  Borrows nothing.  The offline bounds at each price may take as long as its search, but at
 * least 1 s where it is limited in time.  With a budget of expansions the same bits on every machine.  An interrupt
 * ends the work with what there is; NOT_APPLICABLE as for glimpse_offline_new and where nothing can be asked in a model
 * with a horizon, BAD_ARGUMENT for numbers out of range and where it is not clear which inquiry is meant. */
typedef struct glimpse_price_curve glimpse_price_curve;

GLIMPSE_API glimpse_status glimpse_price_curve_new(const glimpse_model *model, const glimpse_price_options *options,
                                                   glimpse_report *report, glimpse_price_curve **curve);
GLIMPSE_API void glimpse_price_curve_free(glimpse_price_curve *curve);
GLIMPSE_API glimpse_price_summary glimpse_price_curve_measure(const glimpse_price_curve *curve);
/* The i-th point, by ascending price; NULL out of range. */
GLIMPSE_API const glimpse_price_point *glimpse_price_curve_point(const glimpse_price_curve *curve, size_t i);
/* Value, requests and gross as in a point, at any price from 0 on; NaN where the price is none. */
GLIMPSE_API glimpse_price_worth glimpse_price_curve_at(const glimpse_price_curve *curve, double price);

/* ------------------------------------------------------------------- agent */

/* Keeps the belief and drives a planner through the two phases of a step:
 *
 *   decide -> act                     -> observe
 *   decide -> ask -> reveal    -> act -> observe
 *   decide -> ask -> no answer -> act -> observe
 *
 * With inquiries:
 *
 *   decide -> ask -> answer [-> ask -> answer ...] -> act -> observe      asking before an action
 *   decide -> ask -> answer                                               asking as a step, which is then over
 *   decide -> act -> observe with an answer                               asking together with an action
 *
 * A call that fails for lack of memory changes nothing and may be repeated.
 * Borrows the planner. */
typedef struct glimpse_agent glimpse_agent;

typedef struct glimpse_agent_options {
  bool ask_when_lost; /* an impossible observation makes the agent ask for the state
                         at its next decision, instead of being an error; with inquiries
                         it then believes anything, and asks what there is to ask */
} glimpse_agent_options;

GLIMPSE_API glimpse_agent *glimpse_agent_new(const glimpse_model *model, glimpse_planner *planner,
                                             const glimpse_agent_options *options); /* NULL: out of memory */
GLIMPSE_API void glimpse_agent_free(glimpse_agent *agent);
/* A new episode, at the model's start belief. */
GLIMPSE_API glimpse_status glimpse_agent_begin(glimpse_agent *agent, uint64_t episode);
/* A new episode, at any belief; it is taken as by glimpse_belief_set, and one that is
 * refused leaves the agent where it was. */
GLIMPSE_API glimpse_status glimpse_agent_begin_at(glimpse_agent *agent, glimpse_row belief, uint64_t episode);
GLIMPSE_API glimpse_status glimpse_agent_decide(glimpse_agent *agent, const glimpse_budget *budget,
                                                glimpse_decision *decision);
/* The same without a decision, for those who search in slices or make the choice themselves: *decision is what is best
 * as far as it is known.  It may be called again, which goes on with the search.  Then whatever was chosen is told: an
 * answer, the state, or what was done and seen; any of the agent's choices will do (glimpse_agent_prospects).
 * NOT_APPLICABLE: the agent is lost, or the horizon is reached. */
GLIMPSE_API glimpse_status glimpse_agent_search(glimpse_agent *agent, const glimpse_budget *budget,
                                                glimpse_decision *decision);
/* The answer to a request, and then what to do.  What is left of the last budget
 * is used for it.  Without `decision` nothing is planned, and the next call decides or searches. */
GLIMPSE_API glimpse_status glimpse_agent_reveal(glimpse_agent *agent, uint32_t s, glimpse_decision *decision);
/* The answer to an inquiry, and then what to do, which may be to ask again.  What is left of the last budget is used
 * for it.  It may be another inquiry than the decision named, if limits allow it.  Where the inquiry was a step, that
 * is over: *decision then says nothing, and the next call is glimpse_agent_decide.  Without `decision` nothing is
 * planned, and the next call decides or searches.  IMPOSSIBLE: the model excludes this answer, and nothing has changed.
 */
GLIMPSE_API glimpse_status glimpse_agent_answer(glimpse_agent *agent, uint32_t inquiry, uint32_t answer,
                                                glimpse_decision *decision);
/* Nobody answers: what to do at the belief as it is, without asking again in this step.
 * What is left of the last budget is used for it.  Where the inquiry may fail by the model, this is its answer
 * `nothing`, as glimpse_agent_answer takes it. */
GLIMPSE_API glimpse_status glimpse_agent_no_answer(glimpse_agent *agent, glimpse_decision *decision);
/* What was done and seen.  IMPOSSIBLE: nothing has changed; observe something else,
 * or reveal the state. */
GLIMPSE_API glimpse_status glimpse_agent_observe(glimpse_agent *agent, uint32_t a, uint32_t o);

/* The same together with the answer to a joint inquiry. */
GLIMPSE_API glimpse_status glimpse_agent_observe_answer(glimpse_agent *agent, uint32_t a, uint32_t o, uint32_t inquiry,
                                                        uint32_t answer);

/* What an agent waits for: name, key, text */
#define GLIMPSE_PHASE_TABLE(X)                                                                                         \
  X(DECIDE, "decide", "a decision, which is the next call")                                                            \
  X(STATE, "state", "the state, or the answer, for which it has asked, or that nobody answers")                        \
  X(OBSERVATION, "observation", "what was done and seen")

typedef enum glimpse_phase {
#define X(name, key, text) GLIMPSE_PHASE_##name,
  GLIMPSE_PHASE_TABLE(X)
#undef X
} glimpse_phase;

/* The key of a phase ("decide"). */
GLIMPSE_API const char *glimpse_phase_key(glimpse_phase phase);

/* Where an agent stands. */
typedef struct glimpse_stand {
  glimpse_phase phase;
  bool lost;          /* an impossible observation was accepted: it asks at its next decision */
  bool surprised;     /* the last observation was refused as impossible: the state may be told in its place */
  double probability; /* of the last observation, 0 if it was impossible; NaN: none in this episode */
  uint32_t layer;     /* of the planning model, where the planner stands; GLIMPSE_ANY: the horizon is reached */
} glimpse_stand;

GLIMPSE_API glimpse_stand glimpse_agent_stand(const glimpse_agent *agent);
GLIMPSE_API const glimpse_belief *glimpse_agent_belief(const glimpse_agent *agent);
GLIMPSE_API const glimpse_planner *glimpse_agent_planner(const glimpse_agent *agent);

/* One of the choices that an agent has: an action, something to ask (`ask`), or both together; for the request of a
 * model with a cost both are GLIMPSE_ANY. */
typedef struct glimpse_prospect {
  glimpse_move move;
  bool ask;             /* it asks, and acts later */
  glimpse_choice worth; /* in units of the model; what is not known is NaN */
} glimpse_prospect;

/* How many there may be at most: actions, what can be asked, and pairs of both. */
GLIMPSE_API uint32_t glimpse_agent_prospects_most(const glimpse_model *model);
/* All choices that the agent had at its last decision, actions first, into `list`, which has room for them.  Each is
 * worth what it brings if the best is done afterwards.  Returns how many; 0: there was no decision; UINT32_MAX: out of
 * memory. */
GLIMPSE_API uint32_t glimpse_agent_prospects(const glimpse_agent *agent, glimpse_prospect *list);

/* A step of what will happen most probably. */
typedef struct glimpse_event {
  glimpse_move move;    /* GLIMPSE_ANY: none, or not searched that far */
  bool ask;             /* it asks first; a model with a cost then acts in the same step */
  uint32_t answer;      /* or the state that is told; GLIMPSE_ANY: none, or not searched that far */
  uint32_t observation; /* likewise */
  double probability;   /* of all this, from the start */
  double lower, upper;  /* at the belief before it */
} glimpse_event;

/* Fills up to `count` steps from the last decision on; returns how many, or SIZE_MAX when out of memory. */
GLIMPSE_API size_t glimpse_agent_forecast(const glimpse_agent *agent, glimpse_event *events, size_t count);

/* ------------------------------------------------------------------- world */

/* A simulated world: a true state, which actions change by chance.  glimpse_run_episodes plays in the
 * same ones: of the same seed and number they go the same way if the same is done. */
typedef struct glimpse_world glimpse_world; /* borrows the model */

/* An inquiry that was answered. */
typedef struct glimpse_answer {
  uint32_t inquiry, answer;
  double price; /* that was paid */
} glimpse_answer;

/* What an action has brought about. */
typedef struct glimpse_outcome {
  uint32_t state, observation; /* that follow it */
  double reward;
} glimpse_outcome;

/* In a state drawn from the model's start.  `seed` 0 is 1.  NULL: out of memory. */
GLIMPSE_API glimpse_world *glimpse_world_new(const glimpse_model *model, uint64_t seed, uint64_t episode);
GLIMPSE_API void glimpse_world_free(glimpse_world *world);
GLIMPSE_API uint32_t glimpse_world_state(const glimpse_world *world);
/* BAD_ARGUMENT, and nothing has happened, for an action that is none. */
GLIMPSE_API glimpse_status glimpse_world_act(glimpse_world *world, uint32_t action, glimpse_outcome *outcome);
/* Asks something: what that does to the world, then the answer.  Before an action or instead of one it is about the
 * state; one that goes together with an action comes after it, is about the state that follows, and costs what it does
 * in the state before.  BAD_ARGUMENT, and nothing has happened, for an inquiry that is none. */
GLIMPSE_API glimpse_status glimpse_world_ask(glimpse_world *world, uint32_t inquiry, glimpse_answer *answer);

/* ---------------------------------------------------------------- episodes */

/* One step of an episode, for traces and live views.  Valid during the call. */
typedef struct glimpse_step {
  uint64_t episode;
  uint32_t step;              /* from 0 */
  uint32_t state;             /* the true one in which it began */
  const glimpse_agent *agent; /* still at the belief of the decision */
  glimpse_row belief;         /* before asking */
  glimpse_decision decision;  /* the first one: ask or act */
  glimpse_decision after;     /* when it asked: the last one */
  bool asked;
  uint32_t answers;                         /* inquiries that were answered in this step ... */
  const glimpse_answer *answer;             /* ... in their order */
  uint32_t action, next_state, observation; /* GLIMPSE_ANY for action and observation: nobody acted */
  double reward;                            /* of the action, without the price of asking */
  double cost;                              /* paid for asking */
  double total;                             /* discounted return so far, this step included */
  double undiscounted;                      /* the same without the discount: rewards less prices */
  bool last;
} glimpse_step;

/* Returns false to end all episodes. */
typedef bool (*glimpse_step_function)(void *context, const glimpse_step *step);

typedef struct glimpse_episode {
  glimpse_status status;
  double total;        /* discounted return */
  double undiscounted; /* rewards less prices, each at its full value */
  uint32_t steps, requests;
  bool finished;          /* a terminal state was reached before the step cap */
  double expansions;      /* mean per step */
  double error_reduction; /* mean over steps, in percent; NaN for planners that do not search for bounds */
  double seconds;         /* of planning, in all */
  double lower, upper;    /* bounds at the first decision */
  uint64_t refused;       /* allocations that the system refused to the planner, in this episode or
                             one that it played before: with more memory it may go otherwise */
} glimpse_episode;

typedef struct glimpse_run {
  uint64_t episodes;
  uint64_t first;        /* number of the first episode */
  uint64_t seed;         /* of the worlds, default 1; planners use their own */
  uint32_t max_steps;    /* default 1000 */
  unsigned jobs;         /* threads; default 1.  Results do not depend on it when the
                            budget is one of expansions */
  glimpse_budget budget; /* per step */
  glimpse_planner_options planner;
  glimpse_agent_options agent;
  glimpse_step_function step; /* may be NULL; called from the worker threads, for one
                                 episode in the order of its steps */
  void (*done)(void *context, uint64_t episode, const glimpse_episode *result);
  /* may be NULL; called from the worker threads, one at a time */
  uint32_t *asked; /* may be NULL; asked[i * inquiries + k]: how often inquiry k was made in results[i] */
  void *context;
} glimpse_run;

/* Plays the episodes and fills results[0..episodes).  The status is that of the
 * first episode that failed; episodes that an interrupt prevented have 0 steps. */
GLIMPSE_API glimpse_status glimpse_run_episodes(const glimpse_model *model, const glimpse_offline *offline,
                                                const glimpse_run *run, glimpse_report *report,
                                                glimpse_episode *results);

/* Mean, standard error and 95 % interval (Student's t) of n numbers; se and interval
 * are NaN for n < 2. */
typedef struct glimpse_statistic {
  double mean, se, low, high;
} glimpse_statistic;

GLIMPSE_API glimpse_statistic glimpse_statistic_of(const double *values, size_t n);

#ifdef __cplusplus
}
#endif

#endif
