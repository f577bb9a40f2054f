/* Report as JSON: see report_json.h.  The keys are part of the interface. */
#ifdef GLIMPSE_EXPERIMENTS

#include "report_json.h"

#include "json.h"

static void put_statistic(struct json *json, const char *key, glimpse_statistic value) {
  json_object(json, key);
  json_number(json, "mean", value.mean);
  json_number(json, "se", value.se);
  json_number(json, "low", value.low);
  json_number(json, "high", value.high);
  json_close(json);
}

static void put_paper(struct json *json, const struct summary *summary) {
  const struct published_row *row = summary->paper;
  if (!row) {
    json_null(json, "paper");
    return;
  }
  json_object(json, "paper");
  json_text(json, "table", published_source_name(row->source));
  json_number(json, "seconds", row->seconds);
  json_number(json, "return", row->total.mean);
  json_number(json, "return_se", row->total.se);
  json_text(json, "return_verdict", published_verdict_text(summary->total_verdict));
  json_number(json, "expansions", row->expansions.mean);
  json_number(json, "error_reduction", row->error_reduction.mean);
  json_number(json, "error_reduction_se", row->error_reduction.se);
  json_text(json, "error_reduction_verdict", published_verdict_text(summary->reduction_verdict));
  json_close(json);
}

static void put_policy(struct json *json, const struct results_setting *setting) {
  const struct results_policy *policy = &setting->policy;
  if (!(policy->nodes > 0)) {
    json_null(json, "policy");
    return;
  }
  json_object(json, "policy");
  json_number(json, "lower", policy->lower);
  json_number(json, "upper", policy->upper);
  json_bool(json, "proved", policy->verified);
  json_number(json, "requests", policy->requests);
  json_number(json, "nodes", policy->nodes);
  json_number(json, "edges", policy->edges);
  json_number(json, "expansions", policy->expansions);
  json_number(json, "seconds", policy->seconds);
  json_close(json);
}

/* How often each inquiry was asked, on average; as run --json has it. */
static void put_inquiries(struct json *json, const struct results_setting *setting) {
  if (!setting->asked_count) return;
  json_object(json, "inquiries");
  for (size_t i = 0; i < setting->asked_count; i++)
    json_number(json, setting->asked[i].name, setting->asked[i].total / (double)setting->asked[i].episodes);
  json_close(json);
}

static void put_result(struct json *json, const struct results_setting *setting, const struct summary *summary) {
  json_object(json, NULL);
  json_text(json, "environment", setting->environment);
  json_number(json, "cost", setting->cost);
  json_number(json, "discount", setting->discount);
  json_text(json, "planner", setting->planner);
  json_text(json, "upper_bound", setting->upper);
  json_text(json, "lower_bound", setting->lower);
  json_text(json, "improve", setting->improve);
  json_text(json, "options", setting->options);
  json_text(json, "budget_kind", setting->timed ? "seconds" : "expansions");
  json_number(json, "budget", setting->budget);
  json_count(json, "max_steps", setting->max_steps);
  json_count(json, "episodes", summary->episodes);
  json_count(json, "wanted", summary->wanted);
  json_count(json, "cut_off", summary->cut);
  put_statistic(json, "return", summary->total);
  put_statistic(json, "return_undiscounted", summary->undiscounted);
  put_statistic(json, "requests", summary->requests);
  put_inquiries(json, setting);
  put_statistic(json, "steps", summary->steps);
  put_statistic(json, "expansions", summary->expansions);
  put_statistic(json, "error_reduction", summary->error_reduction);
  put_statistic(json, "seconds_per_step", summary->seconds);
  put_statistic(json, "expansions_per_second", summary->rate);
  put_statistic(json, "lower_at_start", summary->lower);
  put_statistic(json, "upper_at_start", summary->upper);
  json_number(json, "load", summary->load);
  put_paper(json, summary);
  put_policy(json, setting);
  json_close(json);
}

/* False: out of memory. */
static bool put_name(struct json *json, const char *key, const struct tables_section *section,
                     const struct results_setting *setting) {
  struct text name = {0};
  variety_name(&section->variety, setting, &name);
  bool good = !name.failed;
  json_text(json, key, good ? text_string(&name) : NULL);
  text_free(&name);
  return good;
}

static bool put_comparison(struct json *json, const struct tables_section *section,
                           const struct comparison *comparison) {
  json_object(json, NULL);
  json_text(json, "environment", comparison->a->environment);
  json_number(json, "cost", comparison->a->cost);
  bool good = put_name(json, "planner", section, comparison->a);
  json_number(json, "budget", comparison->a->budget);
  good = put_name(json, "against", section, comparison->b) && good;
  json_number(json, "against_budget", comparison->b->budget);
  json_count(json, "pairs", comparison->pairs);
  put_statistic(json, "difference", comparison->difference);
  json_text(json, "verdict", compare_text(comparison));
  json_close(json);
  return good;
}

/* A row of a table as an object: NULL and NaN are null. */
static void put_row(struct json *json, const struct sheet *sheet, const struct sheet_cell *cells) {
  json_object(json, NULL);
  for (size_t i = 0; i < sheet->column_count; i++) {
    const struct sheet_column *column = &sheet->columns[i];
    if (!column->key) continue;
    if (column->kind == COLUMN_TEXT) json_text(json, column->key, cells[i].text);
    else if (column->kind == COLUMN_NUMBER) json_number(json, column->key, cells[i].value.mean);
    else put_statistic(json, column->key, cells[i].value);
  }
  json_close(json);
}

static bool put_section(struct json *json, const struct tables *tables, const struct tables_section *section) {
  const struct results_experiment *experiment = section->experiment;
  json_object(json, NULL);
  json_text(json, "name", experiment->name);
  json_text(json, "title", experiment->title);
  json_text(json, "axis", experiment->axis);
  json_array(json, "results");
  for (size_t i = 0; i < experiment->count; i++)
    put_result(json, &tables->results->settings[experiment->parts[i].setting], &section->summaries[i]);
  json_close(json);
  json_array(json, "published");
  for (size_t i = 0; i + section->beside.column_count <= section->beside.count; i += section->beside.column_count)
    put_row(json, &section->beside, &section->beside.cells[i]);
  json_close(json);
  json_array(json, "comparisons");
  bool good = true;
  for (size_t i = 0; i < section->comparison_count; i++)
    good = put_comparison(json, section, &section->comparisons[i]) && good;
  json_close(json);
  json_close(json);
  return good;
}

static void put_run(struct json *json, const struct results_run *run) {
  json_object(json, NULL);
  json_text(json, "started", run->started);
  json_text(json, "finished", run->finished);
  json_text(json, "outcome", run->outcome);
  json_text(json, "specification", run->name);
  json_text(json, "scale", run->scale);
  json_text(json, "command", run->command);
  json_text(json, "version", run->version);
  json_text(json, "compiler", run->compiler);
  json_text(json, "system", run->system);
  json_text(json, "cpu", run->cpu);
  json_number(json, "cores", run->cores);
  json_number(json, "memory", run->memory);
  json_number(json, "workers", run->workers);
  json_number(json, "ranks", run->ranks);
  json_bool(json, "timed", run->timed);
  json_close(json);
}

bool report_json(const struct tables *tables, const char *path) {
  struct json json = json_begin();
  uint64_t stored, wanted;
  results_progress(tables->results, &stored, &wanted);
  json_text(&json, "file", path);
  json_count(&json, "episodes", stored);
  json_count(&json, "wanted", wanted);
  json_count(&json, "agree", tables->agree);
  json_count(&json, "unsure", tables->unsure);
  json_count(&json, "higher", tables->higher);
  json_count(&json, "lower", tables->lower);
  json_array(&json, "experiments");
  bool good = true;
  for (size_t i = 0; i < tables->count; i++) good = put_section(&json, tables, &tables->sections[i]) && good;
  json_close(&json);
  json_array(&json, "runs");
  for (size_t i = 0; i < tables->results->run_count; i++) put_run(&json, &tables->results->runs[i]);
  json_close(&json);
  json_end(&json);
  return good;
}

#else

/* A file without a declaration is none. */
typedef int report_json_is_not_built;

#endif
