/* Page: the tables and figures of a report in HTML.
 *
 * The page loads nothing: styles and pictures stand in it, and there is no script.  It follows the reader's wish for
 * light or dark colours; gnuplot's black is an attribute that a style may replace.  Wide tables and figures scroll
 * on their own, so that the page itself fits a phone; in print they are shown whole.
 *
 * Names in a picture (id, and # that refers to it) must be unique in the page, but gnuplot uses the same in all
 * of its pictures: they get the number of the picture. */
#include "experiment/page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1a1a1a;--soft:#595959;--paper:#fff;--line:#d8d8d8;--band:#0000800b;--link:#0a5cad}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e8e8e8;--soft:#a8a8a8;--paper:#16181b;--line:#3a3e44;"
    "--band:#ffffff0e;--link:#7db8ff}figure svg{filter:brightness(1.3)}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}\n"
    "main{max-width:76rem;margin:0 auto;padding:1rem}\n"
    "h1{font-size:1.6rem;line-height:1.25}\n"
    "h1,h2,p,li{overflow-wrap:anywhere}\n"
    "h2{font-size:1.25rem;margin:2.5rem 0 .5rem;border-bottom:1px solid var(--line)}\n"
    "h3{font-size:1rem;margin:1.5rem 0 .5rem}\n"
    "p,li{max-width:46rem}\n"
    "a{color:var(--link)}\n"
    ".note{color:var(--soft);font-size:.9rem}\n"
    ".warn{border-left:4px solid #d55e00;padding-left:.75rem}\n"
    /* Shadows tell that there is more to the side, where a phone shows no bar to scroll with. */
    ".wide{overflow-x:auto;max-width:100%;margin:.5rem 0;-webkit-overflow-scrolling:touch;"
    "background:linear-gradient(to right,var(--paper) 30%,transparent) 0 0/2.5rem 100% no-repeat local,"
    "linear-gradient(to left,var(--paper) 30%,transparent) 100% 0/2.5rem 100% no-repeat local,"
    "linear-gradient(to right,#0004,transparent) 0 0/.8rem 100% no-repeat scroll,"
    "linear-gradient(to left,#0004,transparent) 100% 0/.8rem 100% no-repeat scroll}\n"
    "table{border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "th,td{padding:.2rem .6rem;text-align:left;border-bottom:1px solid var(--line)}\n"
    "th{border-bottom:2px solid var(--soft)}\n"
    ".n{text-align:right}\n"
    "tbody tr:nth-child(even){background:var(--band)}\n"
    "figure{margin:1rem 0}\n"
    "figure svg{display:block;width:100%;min-width:42rem;max-width:60rem;height:auto}\n"
    "svg [color=black]{color:var(--ink)}\n"
    "svg [stroke=black]{stroke:var(--ink)}\n"
    "svg [fill=black]{fill:var(--ink)}\n"
    "svg [stroke=\"rgb(216, 216, 216)\"]{stroke:var(--line)}\n"
    "@media print{:root{--ink:#000;--soft:#444;--paper:#fff;--line:#ccc;--band:#fff;--link:#000}\n"
    "body{font-size:10pt}main{max-width:none;padding:0}table{font-size:6.5pt}th,td{padding:.1rem .3rem}\n"
    ".wide{overflow:visible;background:none}figure "
    "svg{min-width:0}figure,tr{break-inside:avoid}h2,h3{break-after:avoid}nav{display:none}}\n";

/* ------------------------------------------------------------------ pictures */

/* What gnuplot's names start with, each with what stands in front of it. */
static const char *const names[] = {"id='gp", "id='textbox'",  "id='greybox'", "id=\"gnuplot_",
                                    "'#gp",   "url(#textbox)", "url(#greybox)"};
static const size_t fronts[] = {4, 4, 4, 4, 2, 5, 5};

bool page_picture(const char *svg, size_t number, const char *label, struct text *out) {
  const char *at = strstr(svg, "<svg"), *end = strstr(svg, "</svg>");
  if (!at || !end) return false;
  text_put(out, "<svg role=\"img\" aria-label=\"");
  text_escape_xml(out, label);
  text_put(out, "\"");
  at += strlen("<svg");
  while (at < end) {
    size_t i = 0, count = sizeof names / sizeof *names;
    if (!strncmp(at, "<title>Gnuplot</title>", 22)) { /* would be shown as a hint by the mouse */
      at += 22;
      continue;
    }
    while (i < count && strncmp(at, names[i], strlen(names[i])) != 0) i++;
    if (i == count) {
      text_add(out, at++, 1);
      continue;
    }
    text_add(out, at, fronts[i]);
    text_print(out, "g%zu-", number);
    at += fronts[i];
  }
  text_put(out, "</svg>\n");
  return true;
}

static bool read_file(const char *path, struct text *out, complaint *why) {
  FILE *file = fopen(path, "r");
  if (!file) return complain(why, path, "cannot be read: %s", strerror(errno));
  char piece[8192];
  size_t length;
  while ((length = fread(piece, 1, sizeof piece, file)) > 0) text_add(out, piece, length);
  bool good = !ferror(file) || complain(why, path, "cannot be read: %s", strerror(errno));
  fclose(file);
  return good;
}

static bool put_figure(struct text *out, const struct plot *plot, size_t number, const char *directory,
                       complaint *why) {
  struct text path = {0}, svg = {0};
  text_print(&path, "%s/%s.svg", directory, text_string(&plot->name));
  bool good = path.failed || read_file(text_string(&path), &svg, why);
  out->failed |= path.failed || svg.failed;
  if (good && !out->failed) {
    text_put(out, "<figure class=\"wide\" tabindex=\"0\">\n");
    good = page_picture(text_string(&svg), number, text_string(&plot->title), out) ||
           complain(why, text_string(&path), "is not a picture that gnuplot has drawn");
    text_put(out, "</figure>\n");
  }
  text_free(&path);
  text_free(&svg);
  return good;
}

/* ---------------------------------------------------------------------- page */

static void put_element(struct text *out, const char *open, const char *text, const char *close) {
  text_put(out, open);
  text_escape_xml(out, text);
  text_put(out, close);
}

static const char *title_of(const struct tables_section *section) {
  return *section->experiment->title ? section->experiment->title : section->experiment->name;
}

static bool put_section(struct text *out, const struct tables *tables, size_t i, const struct plots *plots,
                        const char *directory, complaint *why) {
  bool good = true;
  const struct tables_section *section = &tables->sections[i];
  text_print(out, "<section id=\"e%zu\">\n", i + 1);
  put_element(out, "<h2>", title_of(section), "</h2>\n");
  if (section->progress.length) put_element(out, "<p class=\"warn\">", text_string(&section->progress), "</p>\n");
  for (size_t k = 0; good && directory && k < plots->count; k++)
    if (plots->plots[k].section == i) good = put_figure(out, &plots->plots[k], k + 1, directory, why);
  if (beside_any(&section->beside)) sheet_write(&section->beside, SHEET_HTML, true, out);
  sheet_write(&section->returns, SHEET_HTML, true, out);
  sheet_write(&section->search, SHEET_HTML, true, out);
  if (section->solved) sheet_write(&section->policies, SHEET_HTML, true, out);
  if (section->comparison_count) sheet_write(&section->comparison, SHEET_HTML, true, out);
  text_put(out, "</section>\n");
  return good;
}

bool page_write(const struct tables *tables, const struct plots *plots, const char *directory, const char *without,
                const char *heading, struct text *out, complaint *why) {
  text_put(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
  put_element(out, "<title>", heading, "</title>\n");
  text_print(out, "<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
  put_element(out, "<h1>", heading, "</h1>\n");
  for (size_t i = 0; i < tables->line_count; i++) put_element(out, "<p>", text_string(&tables->lines[i]), "</p>\n");
  if (!directory && *without) put_element(out, "<p class=\"warn\">", without, "</p>\n");
  text_put(out, "<nav><ul>\n");
  for (size_t i = 0; i < tables->count; i++) {
    text_print(out, "<li><a href=\"#e%zu\">", i + 1);
    put_element(out, "", title_of(&tables->sections[i]), "</a></li>\n");
  }
  text_put(out, "</ul></nav>\n");
  for (size_t i = 0; i < tables->count; i++)
    if (!put_section(out, tables, i, plots, directory, why)) return false;
  text_put(out, "<section>\n");
  sheet_write(&tables->runs, SHEET_HTML, true, out);
  text_print(out, "</section>\n<footer><p class=\"note\">Made by glimpse %s.</p></footer>\n</main>\n</body>\n</html>\n",
             glimpse_version());
  return !out->failed || complain(why, "", "out of memory");
}
