/* Cases: each command, each planner, each kind of output. */
#include "faults/cases.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#define SEARCH "--expansions 40 --json"
#define EPISODES "--episodes 2 --max-steps 6 --json"

static const char talk[] = "{\"do\":\"info\"}\n{\"do\":\"names\"}\n{\"do\":\"decide\",\"id\":7}\n{\"state\":0}\n"
                           "{\"observation\":0}\n{\"do\":\"belief\"}\n{\"do\":\"explain\"}\nnonsense\n"
                           "{\"do\":\"reset\",\"belief\":[0.25,0.75]}\n{\"do\":\"decide\"}\n{\"do\":\"quit\"}\n";

const struct fault_case fault_cases[] = {
    {"info", "info", NULL, NULL, 0},
    {"info-model", "info robot-delivery:n=3 --draw", NULL, NULL, CASE_LOOSE},
    {"info-file", "info model.pomdp --json", "model.pomdp", NULL, CASE_LOOSE | CASE_FILES},
    {"check", "check model.pomdp --json", "model.pomdp", NULL, CASE_FILES},
    {"check-bad", "check bad.pomdp --strict", "bad.pomdp", NULL, CASE_WRONG},
    {"check-input", "check -", NULL,
     "discount: 0.5\nvalues: reward\nstates: 2\nactions: 1\nobservations: 1\n"
     "T: 0 identity\nO: 0 uniform\nR: 0 : * : * : * 1\n",
     CASE_FILES},
#ifdef GLIMPSE_EXPAT
    {"check-pomdpx", "check model.pomdpx --json", "model.pomdpx", NULL, CASE_FILES},
    {"check-bad-pomdpx", "check bad.pomdpx --strict", "bad.pomdpx", NULL, CASE_WRONG},
#endif
    {"convert", "convert model.pomdp", "model.pomdp", NULL, CASE_FILES},
    {"convert-new", "convert tiger -o new.pomdp --json", NULL, NULL, CASE_FILES},
    {"convert-over", "convert toy --equivalent -o new.pomdp", "model.pomdp=new.pomdp", NULL, CASE_FILES},
    {"bounds", "bounds tiger", NULL, NULL, CASE_LOOSE},
    {"bounds-off", "bounds model.pomdp --cost off --json", "model.pomdp", NULL, CASE_LOOSE},
    {"plan", "plan robot-delivery:n=3 --expansions 60", NULL, NULL, CASE_LOOSE | CASE_BRIEF},
    {"plan-belief", "plan tiger --cost 30 --belief tiger-left=0.3,tiger-right=0.7 " SEARCH, NULL, NULL, CASE_BRIEF},
    {"plan-aems", "plan robot-delivery:n=3 --planner aems " SEARCH, NULL, NULL, CASE_BRIEF},
    {"plan-loop", "plan robot-delivery:n=3 --planner aems-loop " SEARCH, NULL, NULL, CASE_BRIEF},
    {"plan-plain", "plan tiger --cost 30 --plain " SEARCH, NULL, NULL, CASE_BRIEF},
    {"plan-paper", "plan tiger --cost 30 --paper --improve paper " SEARCH, NULL, NULL, CASE_BRIEF},
    {"plan-rule", "plan tiger --cost 30 --rule satia-lave " SEARCH, NULL, NULL, CASE_BRIEF},
    {"plan-memory", "plan robot-delivery:n=3 --max-memory 128K --expansions 2000 --json", NULL, NULL, CASE_BRIEF},
    {"plan-pomcp", "plan tiger --cost 30 --planner pomcp " SEARCH, NULL, NULL, CASE_BRIEF},
    {"plan-pomcp-qmdp", "plan tiger --cost 30 --planner pomcp --rollout qmdp --particles 20 " SEARCH, NULL, NULL,
     CASE_BRIEF},
    {"plan-pomcp-silent", "plan tiger --cost 30 --planner pomcp --rollout silent --exploration 5 " SEARCH, NULL, NULL,
     CASE_BRIEF},
    {"plan-never", "plan tiger --planner never-ask --json", NULL, NULL, 0},
    {"plan-always", "plan tiger --planner always-ask --json", NULL, NULL, 0},
    {"plan-every", "plan tiger --planner ask-every --every 3 --json", NULL, NULL, 0},
    {"plan-entropy", "plan tiger --planner ask-entropy --entropy 0.5 --act lower --json", NULL, NULL, 0},
    {"solve", "solve tiger --cost 8 --expansions 30 -o new.policy", "old.txt=new.policy", NULL,
     CASE_LOOSE | CASE_BRIEF | CASE_FILES},
    {"solve-out", "solve toy --expansions 30 -o -", NULL, NULL, CASE_BRIEF | CASE_FILES},
    {"solve-json", "solve model.pomdp --cost off --expansions 20 --json -o new.policy", "model.pomdp", NULL,
     CASE_LOOSE | CASE_BRIEF},
    {"verify", "verify tiger tiger.policy", "tiger.policy", NULL, CASE_FILES},
    {"verify-json", "verify model.pomdp tiger.policy --json", "model.pomdp tiger.policy", NULL, 0},
    {"verify-other", "verify toy tiger.policy", "tiger.policy", NULL, CASE_WRONG},
    {"policy", "policy tiger.policy", "tiger.policy", NULL, CASE_FILES},
    {"policy-c", "policy tiger.policy --format c -o new.c", "tiger.policy old.txt=new.c", NULL, CASE_FILES},
    {"policy-dot", "policy tiger.policy --format dot", "tiger.policy", NULL, CASE_FILES},
    {"policy-json", "policy tiger.policy --json", "tiger.policy", NULL, CASE_FILES},
    {"policy-alpha", "policy tiger.policy --format alpha --model tiger -o new.alpha", "tiger.policy", NULL, CASE_FILES},
    {"policy-appl", "policy tiger.alpha --format appl --model tiger --cost off", "tiger.alpha", NULL, CASE_FILES},
    {"plan-policy", "plan tiger --policy tiger.policy --json", "tiger.policy", NULL, 0},
    {"plan-off-plan", "plan tiger --policy tiger.policy --belief tiger-left --json", "tiger.policy", NULL, 0},
    {"plan-from-policy", "plan tiger --policy tiger.policy --expansions 3 --json", "tiger.policy", NULL, CASE_BRIEF},
    {"explain-policy", "explain tiger --policy tiger.policy", "tiger.policy", NULL, CASE_LOOSE},
    {"agent-policy", "agent tiger --policy tiger.policy", "tiger.policy", talk, CASE_LOOSE | CASE_BRIEF | CASE_FILES},
    {"run-policy-watch", "run tiger --policy tiger.policy --episodes 1 --max-steps 3 --watch --delay 0", "tiger.policy",
     NULL, CASE_TERMINAL | CASE_FILES},
    {"run-policy-record", "run tiger --policy tiger.policy --record new.jsonl --episodes 1 --max-steps 3 --json",
     "tiger.policy", NULL, CASE_RECORD},
    {"run-from-policy", "run tiger --policy tiger.policy --expansions 3 " EPISODES, "tiger.policy", NULL, CASE_BRIEF},
#ifdef GLIMPSE_EXPAT
    {"plan-appl", "plan tiger --cost off --policy tiger.xml --json", "tiger.xml", NULL, CASE_FILES},
    {"policy-bad-appl", "policy bad.xml --model tiger --cost off", "bad.xml", NULL, CASE_WRONG},
#endif
    {"run-policy", "run tiger --policy tiger.policy " EPISODES, "tiger.policy", NULL, 0},
    {"run-alpha", "run tiger --cost off --policy tiger.alpha " EPISODES, "tiger.alpha", NULL, 0},
    {"plan-dot", "plan tiger --cost 30 --expansions 20 --dot new.dot --json", "old.txt=new.dot", NULL,
     CASE_BRIEF | CASE_FILES},
    {"price", "price lemma2 --expansions 3 --points 3", NULL, NULL, CASE_BRIEF},
    {"price-json", "price lemma2 --expansions 3 --points 3 --json", NULL, NULL, CASE_BRIEF | CASE_FILES},
    {"price-csv", "price lemma2 --expansions 3 --points 3 --csv", NULL, NULL, CASE_BRIEF},
    {"price-plot", "price lemma2 --expansions 3 --points 3 --csv --plot new.svg", "old.txt=new.svg", NULL,
     CASE_BRIEF | CASE_GNUPLOT | CASE_FILES},
    {"map", "map lemma2 --expansions 3 --points 3 --csv", NULL, NULL, CASE_BRIEF},
    {"map-json", "map lemma2 --expansions 3 --points 3 --json", NULL, NULL, CASE_BRIEF | CASE_FILES},
    {"map-plot", "map lemma2 --expansions 3 --points 3 --plot new.svg", NULL, NULL,
     CASE_BRIEF | CASE_GNUPLOT | CASE_FILES},
    {"map-policy", "map tiger --policy tiger.policy --points 5", "tiger.policy", NULL, CASE_FILES},
    {"map-policy-json", "map tiger --policy tiger.policy --points 3 --json", "tiger.policy", NULL, 0},
    {"map-policy-plot", "map tiger --policy tiger.policy --points 3 --plot new.svg", "tiger.policy old.txt=new.svg",
     NULL, CASE_GNUPLOT | CASE_FILES},
    {"explain", "explain tiger --cost 30 --expansions 40", NULL, NULL, CASE_LOOSE | CASE_BRIEF},
    {"explain-json", "explain robot-delivery:n=3 " SEARCH, NULL, NULL, CASE_BRIEF},
    {"explain-rule", "explain tiger --cost 30 --planner ask-every", NULL, NULL, CASE_LOOSE},
    {"explain-pomcp", "explain tiger --cost 30 --planner pomcp --expansions 40", NULL, NULL, CASE_LOOSE | CASE_BRIEF},
    {"explain-inquiries", "explain maintenance --expansions 40", NULL, NULL, CASE_LOOSE | CASE_BRIEF},
    {"explain-inquiries-rule", "explain loss:timing=joint --planner ask-entropy", NULL, NULL, CASE_LOOSE | CASE_BRIEF},
    {"run", "run tiger --cost 30 --expansions 20 --episodes 2 --max-steps 6", NULL, NULL, CASE_LOOSE | CASE_BRIEF},
    {"run-keep", "run robot-delivery:n=3 --expansions 8 --keep-corners --graph keep " EPISODES, NULL, NULL, CASE_BRIEF},
    {"run-loop", "run tiger --cost 30 --planner aems-loop --expansions 10 " EPISODES, NULL, NULL, CASE_BRIEF},
    {"run-aems", "run tiger --planner aems --cost 30 --expansions 10 " EPISODES, NULL, NULL, CASE_BRIEF},
    {"run-paper", "run tiger --cost 30 --paper --expansions 10 " EPISODES, NULL, NULL, CASE_BRIEF},
    {"run-memory", "run robot-delivery:n=3 --max-memory 128K --expansions 400 " EPISODES, NULL, NULL, CASE_BRIEF},
    {"run-region", "run robot-delivery:n=3 --max-memory 1M --expansions 2500 --episodes 1 --max-steps 3 --json", NULL,
     NULL, CASE_BRIEF | CASE_FILES},
    {"run-pomcp", "run tiger --cost 30 --planner pomcp --expansions 20 " EPISODES, NULL, NULL, CASE_BRIEF},
    {"run-every", "run tiger --cost 30 --planner ask-every " EPISODES, NULL, NULL, 0},
    {"run-show", "run robot-delivery:n=3 --expansions 5 --episodes 1 --max-steps 3 --show", NULL, NULL,
     CASE_LOOSE | CASE_BRIEF | CASE_FILES},
    {"run-tell", "run robot-delivery:n=3 --expansions 5 --episodes 1 --max-steps 3 --watch", NULL, NULL,
     CASE_LOOSE | CASE_BRIEF},
    {"run-trace", "run tiger --cost 30 --expansions 10 --trace new.jsonl " EPISODES, NULL, NULL,
     CASE_STREAM | CASE_BRIEF | CASE_FILES},
    {"run-jobs", "run tiger --cost 30 --expansions 10 --jobs 2 --trace new.jsonl " EPISODES, NULL, NULL,
     CASE_STREAM | CASE_BRIEF | CASE_FILES},
    {"run-record", "run robot-delivery:n=3 --expansions 5 --record new.jsonl --episodes 1 --max-steps 3 --json", NULL,
     NULL, CASE_RECORD | CASE_BRIEF | CASE_FILES},
    {"run-inquiries-show", "run maintenance --expansions 8 --episodes 1 --max-steps 3 --show", NULL, NULL,
     CASE_LOOSE | CASE_BRIEF | CASE_FILES},
    {"run-inquiries-record",
     "run maintenance --planner always-ask --record new.jsonl --episodes 1 --max-steps 3 --json", NULL, NULL,
     CASE_RECORD | CASE_BRIEF | CASE_FILES},
    {"run-watch", "run robot-delivery:n=3 --expansions 5 --episodes 1 --max-steps 3 --watch --delay 0", NULL, NULL,
     CASE_TERMINAL | CASE_BRIEF | CASE_FILES},
    {"replay-watch", "replay record.jsonl --delay 0", "record.jsonl", NULL, CASE_TERMINAL | CASE_FILES},
    {"replay", "replay record.jsonl", "record.jsonl", NULL, CASE_LOOSE | CASE_FILES},
    {"replay-json", "replay record.jsonl --json", "record.jsonl", NULL, CASE_LOOSE},
    {"view", "view tiger --cost 5 -o new.html", "page.html", NULL, CASE_FILES},
    {"view-file", "view model.pomdp -o new.html --json", "page.html model.pomdp old.txt=new.html", NULL, CASE_FILES},
    {"view-record", "view --record record.jsonl -o new.html", "page.html record.jsonl", NULL, CASE_FILES},
    {"view-policy", "view tiger --policy tiger.policy -o new.html", "page.html tiger.policy old.txt=new.html", NULL,
     CASE_FILES},
    {"agent", "agent tiger --cost 30 --expansions 20", NULL, talk, CASE_LOOSE | CASE_BRIEF | CASE_FILES},
    {"agent-inquiries", "agent maintenance --expansions 20", NULL, talk, CASE_LOOSE | CASE_BRIEF},
    {"agent-lost", "agent model.pomdp --planner pomcp --expansions 20 --ask-when-lost", "model.pomdp", talk,
     CASE_LOOSE | CASE_BRIEF},
#ifdef GLIMPSE_EXPERIMENTS
    {"bench-list", "bench --list", NULL, NULL, 0},
    {"bench-dry", "bench paper --dry-run", NULL, NULL, 0},
    {"bench-dry-json", "bench spec.json --dry-run --json", "spec.json", NULL, 0},
    {"bench", "bench spec.json -o new.db --threads 1 --json", "spec.json", NULL,
     CASE_LOOSE | CASE_DATABASE | CASE_FILES},
    {"bench-resume", "bench spec.json -o new.db --threads 2 --resume", "spec.json part.db=new.db", NULL,
     CASE_LOOSE | CASE_DATABASE | CASE_FILES},
    {"bench-policy", "bench policy.json -o new.db --threads 1 --json", "policy.json tiger.policy", NULL,
     CASE_LOOSE | CASE_DATABASE | CASE_FILES},
    {"report", "report results.db", "results.db", NULL, CASE_FILES},
    {"report-policy", "report policy.db", "policy.db", NULL, 0},
    {"report-json", "report results.db --json", "results.db", NULL, 0},
    {"report-csv", "report results.db --format csv --table all", "results.db", NULL, 0},
    {"report-latex", "report results.db --format latex --against pomcp", "results.db", NULL, 0},
    {"report-plots", "report results.db --plots plots --keep-data --html new.html", "results.db old.txt=new.html", NULL,
     CASE_GNUPLOT | CASE_FILES},
    {"report-page", "report results.db --html new.html", "results.db", NULL, CASE_GNUPLOT | CASE_FILES},
#endif
    {"help", "help run", NULL, NULL, 0},
    {"help-man", "help plan --man", NULL, NULL, 0},
    {"help-json", "help --json", NULL, NULL, 0},
    {"help-markdown", "help --markdown", NULL, NULL, CASE_FILES},
    {"help-completion", "help --completion bash", NULL, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};

/* Two states, and an entry of their transitions. */
#define POMDPX(entry)                                                                                                  \
  "<pomdpx><!-- glimpse: cost 1 --><Discount>0.9</Discount><Variable><StateVar vnamePrev='x0' vnameCurr='x1' "         \
  "fullyObs='true'><ValueEnum>l r</ValueEnum></StateVar><ActionVar vname='a'><NumValues>1</NumValues></ActionVar>"     \
  "<RewardVar vname='g'/></Variable><InitialStateBelief><CondProb><Var>x0</Var><Parent>null</Parent><Parameter>"       \
  "<Entry><Instance>l</Instance><ProbTable>1</ProbTable></Entry></Parameter></CondProb></InitialStateBelief>"          \
  "<StateTransitionFunction><CondProb><Var>x1</Var><Parent>x0</Parent><Parameter><Entry>" entry                        \
  "</Entry></Parameter></CondProb></StateTransitionFunction><RewardFunction><Func><Var>g</Var><Parent>x0 x1</Parent>"  \
  "<Parameter><Entry><Instance>l *</Instance><ValueTable>1</ValueTable></Entry></Parameter></Func></RewardFunction>"   \
  "</pomdpx>\n"

#define APPL(action, numbers)                                                                                          \
  "<?xml version='1.0'?>\n<Policy type='value'><AlphaVector vectorLength='2' numObsValue='1'>\n"                       \
  "<Vector action='" action "' obsValue='0'>" numbers "</Vector>\n<Vector action='2'>28.4 -81.5</Vector>\n"            \
  "<Vector action='1'>-81.5 28.4</Vector></AlphaVector></Policy>\n"

static void put(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (!file || fputs(text, file) < 0 || fclose(file)) {
    perror(path);
    exit(1);
  }
}

void fault_fixtures(void (*play)(const char *line)) {
  put("old.txt", "what was there before\n");
  put("bad.pomdp", "discount: 0.9\nvalues: rewards\nstates: a b\nactions: 1\nobservations: 2\nT: 0 identity\n"
                   "O: 0 : a 0.5 0.2\nO: 0 : b uniform\nR: 0 : c : * : * 1\n");
  put("page.html", "<html><script type=\"application/json\" id=\"glimpse-data\">null</script></html>\n");
  put("spec.json", "{\"name\": \"spec\", \"environments\": [\"tiger\", \"toy\"], \"cost\": 2,\n"
                   " \"planners\": [\"aems-sr\", \"pomcp\", {\"planner\": \"ask-every\", \"every\": 2}],\n"
                   " \"expansions\": [5, 10], \"max_steps\": 5, \"episodes\": 3, \"seed\": 5, \"trace\": 4}\n");
  put("model.pomdpx", POMDPX("<Instance>- -</Instance><ProbTable>identity</ProbTable>"));
  put("bad.pomdpx", POMDPX("<Instance>q -</Instance><ProbTable>1 2 3</ProbTable>"));
  /* In the place of gnuplot, which takes a second. */
  if (mkdir("bin", 0777) && errno != EEXIST) perror("bin");
  put("bin/gnuplot", "#!/bin/sh\nset -e\nname=${1%.gp}\npicture='<svg width=\"9\"><g/></svg>'\n"
                     "if test -s $name.dat; then echo \"$picture\" >$name.svg; echo png >$name.png; exit; fi\n"
                     "while read -r set what file; do case $set/$what in set/output)\n"
                     "file=${file#?}; echo \"$picture\" >\"${file%?}\"; exit;; esac; done <$1\nexit 1\n");
  chmod("bin/gnuplot", 0755);
  play("convert tiger -o model.pomdp");
  play("solve tiger -o tiger.policy");
  put("tiger.alpha", "0\n19.3 19.3\n\n0\n24.6 3\n\n0\n3 24.6\n\n2\n28.4 -81.5\n\n1\n-81.5 28.4\n");
  play("run robot-delivery:n=3 --expansions 5 --record record.jsonl --episodes 1 --max-steps 4");
  put("tiger.xml", APPL("0", "19.3 19.3"));
  put("bad.xml", APPL("0", "19.3 x"));
#ifdef GLIMPSE_EXPERIMENTS
  put("policy.json",
      "{\"name\": \"policy\", \"environments\": \"tiger\", \"expansions\": 5, \"max-steps\": 5, \"episodes\": 2,\n"
      " \"planners\": [{\"planner\": \"policy\", \"relative\": 0.05}, {\"planner\": \"policy\", \"policy\": "
      "\"tiger.policy\"}]}\n");
  play("bench policy.json -o policy.db --threads 1");
  play("bench spec.json -o results.db --threads 1");
  play("bench spec.json -o part.db --threads 1 --episodes 1");
#endif
}
