/* Kinds: where each kind of bound applies, and how one is made with all that it needs.
 *
 * A kind is a row of GLIMPSE_BOUND_TABLE and a gli_bound_class in its own file.  Nothing here depends on a certain
 * kind. */
#include <assert.h>
#include <math.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/report.h"
#include "bounds/bound.h"
#include "model/layers.h"

static const gli_bound_class *const classes[] = {
#define X(name, key, side, text) &gli_bound_class_##name,
    GLIMPSE_BOUND_TABLE(X)
#undef X
};

const gli_bound_class *gli_bound_class_get(glimpse_bound_kind kind) {
  return (unsigned)kind < GLIMPSE_BOUND_KINDS ? classes[kind] : NULL;
}

bool glimpse_bound_applies(glimpse_bound_kind kind, const glimpse_model *model) {
  const gli_bound_class *class = gli_bound_class_get(kind);
  model = glimpse_model_planning(model);
  if (!class) return false;
  switch (class->where) {
    case GLI_BOUND_EVERYWHERE: return true;
    case GLI_BOUND_WITH_REQUESTS: return model->requests;
    case GLI_BOUND_WITH_QUESTIONS: return model->requests || (model->layers && model->layers->inquiries);
    case GLI_BOUND_WITHOUT_REQUESTS: return !model->requests;
  }
  return false;
}

static glimpse_status refuse(const glimpse_model *model, glimpse_bound_kind kind, glimpse_report *report) {
  const gli_bound_class *class = gli_bound_class_get(kind);
  if (!class) return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "there is no such bound");
  glimpse_status status = glimpse_model_plannable(model, report);
  if (status || glimpse_bound_applies(kind, model)) return status;
  bool other = class->instead != kind;
  return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE, "%s is %s%s%s", glimpse_bound_get(kind)->key,
                  class->where != GLI_BOUND_WITHOUT_REQUESTS
                      ? "for models with state requests, and this one has no request cost"
                      : "not a valid bound when the agent may ask for the state",
                  other ? "; use " : "", other ? glimpse_bound_get(class->instead)->key : "");
}

static void open_bound(const glimpse_model *model, glimpse_bound_kind kind, glimpse_bound *bound) {
  bound->class = classes[kind];
  bound->states = model->states;
  bound->result.kind = kind;
}

/* A bound that another one needs; it needs none itself. */
static bool make_need(const gli_bound_task *task, const gli_bound_given *given, gli_bound_need need,
                      glimpse_bound **made) {
  gli_bound_task share = gli_bound_share(task, need.part);
  *made = GLI_NEW(glimpse_bound, 1);
  if (!*made) return false;
  open_bound(task->model, need.kind, *made);
  assert(!(*made)->class->needs[0].part);
  bool done = (*made)->class->make(&share, given, *made);
  (*made)->result.kind = need.kind;
  return done;
}

/* A bound, and before it those that it needs and that are not given. */
static bool make_all(const gli_bound_task *task, const gli_bound_given *given, glimpse_bound *bound) {
  const gli_bound_class *class = bound->class;
  gli_bound_given all = *given;
  glimpse_bound *own[GLI_BOUND_NEEDS] = {NULL};
  bool done = true;
  for (size_t i = 0; done && class->needs[i].part > 0; i++) {
    gli_bound_need need = class->needs[i];
    if (all.bound[need.kind] || !glimpse_bound_applies(need.kind, task->model)) continue;
    done = make_need(task, &all, need, &own[i]);
    all.bound[need.kind] = own[i];
  }
  done = done && class->make(task, &all, bound);
  for (size_t i = 0; i < GLI_BOUND_NEEDS; i++) glimpse_bound_free(own[i]);
  return done;
}

glimpse_status gli_bound_make(const glimpse_model *model, glimpse_bound_kind kind, const glimpse_bound_options *options,
                              const gli_bound_given *given, glimpse_report *report, glimpse_bound **bound) {
  double begin = gli_clock_now();
  *bound = NULL;
  glimpse_status status = refuse(model, kind, report);
  if (status) return status;
  gli_bound_task task;
  if (!gli_bound_task_start(&task, model, options, begin))
    return GLI_FAIL(report, GLIMPSE_BAD_ARGUMENT, "tolerance, time and effort of a bound must not be negative");
  if (!(task.size <= GLI_LARGEST_SIZE))
    return GLI_FAIL(report, GLIMPSE_NOT_APPLICABLE,
                    "the rewards or the cost are so large that their discounted sum may overflow");
  unsigned threads = options ? options->threads : 0;
  bool alone = threads == 1 || task.block >= model->states;
  glimpse_bound *made = GLI_NEW(glimpse_bound, 1);
  if (!alone) task.pool = gli_parallel_new(threads);
  bool done = made && (alone || task.pool);
  if (done) {
    open_bound(model, kind, made);
    done = make_all(&task, given, made);
  }
  gli_parallel_free(task.pool);
  if (!done) {
    glimpse_bound_free(made);
    return GLI_FAIL(report, GLIMPSE_NO_MEMORY, "out of memory while computing a bound");
  }
  made->result.kind = kind;
  made->result.vectors = made->vectors;
  made->result.seconds = gli_clock_now() - begin;
  *bound = made;
  return GLIMPSE_OK;
}

glimpse_status glimpse_bound_new(const glimpse_model *model, glimpse_bound_kind kind,
                                 const glimpse_bound_options *options, glimpse_report *report, glimpse_bound **bound) {
  return gli_bound_make(glimpse_model_planning(model), kind, options, &(gli_bound_given){0}, report, bound);
}
