# A tour of glimpse from Python, in cells: editors such as VS Code, Spyder and PyCharm run them one by one like
# a notebook; `python3 examples/python/tour.py DIRECTORY` runs all of it and saves the pictures in DIRECTORY.
#
# It needs the package glimpse and matplotlib (Debian: python3-matplotlib).

# %% What we use
import sys
from pathlib import Path

import glimpse

import matplotlib

if not hasattr(sys, "ps1"):  # no interactive session: pictures go to files
    matplotlib.use("Agg")
import matplotlib.pyplot as plt

# The kernel of a notebook has arguments of its own, which are not ours.
arguments = sys.argv[1:] if Path(sys.argv[0]).name == "tour.py" else []
if arguments and arguments[0].startswith("-"):
    sys.exit("usage: python3 tour.py [DIRECTORY]")
directory = Path(arguments[0] if arguments else ".")
directory.mkdir(parents=True, exist_ok=True)
# Distinct also for those who are colour-blind, and in print.
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#888888"


def show(figure, name):
    figure.savefig(directory / name, dpi=120)
    print(f"saved {directory / name}")
    plt.show()
    plt.close(figure)


print(f"glimpse {glimpse.__version__}, library {glimpse.library_path()}")

# %% A model: a robot that fetches a package from one of three places, and cannot see where it is
model = glimpse.Model.environment("robot-delivery", n=3)
print(model)
print(model.draw())

# %% Bounds that need no search: the optimal value lies between the largest lower and the smallest upper one
for kind, bound in glimpse.bounds(model).items():
    print(f"{kind:11} {bound.side}  {bound():.4f}  {bound.text}")

# %% One decision: the longer it thinks, the closer the bounds
planner = glimpse.Planner(model)
planner.begin()
expansions, lower, upper = [0], [], []
while expansions[-1] < 20000:
    more = max(1, expansions[-1] // 4)
    decision = planner.plan(expansions=more)
    if not lower:
        lower.append(decision.offline_lower)
        upper.append(decision.offline_upper)
    expansions.append(expansions[-1] + decision.expansions)
    lower.append(decision.lower)
    upper.append(decision.upper)
    if decision.expansions < more:  # it is certain already
        break

figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
axes.fill_between(expansions, lower, upper, color=BLUE, alpha=0.15, linewidth=0)
axes.plot(expansions, upper, color=ORANGE, marker=".", label="upper bound")
axes.plot(expansions, lower, color=BLUE, marker=".", label="lower bound")
axes.set_xscale("symlog")
axes.set_xlim(0, expansions[-1])
axes.set_xlabel("expansions")
axes.set_ylabel("value of the start belief")
axes.set_title("The value lies between the bounds")
axes.grid(alpha=0.3)
axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
show(figure, "bounds.png")

# %% What it would do, and what everything else is worth
print("ask for the state" if decision.ask else f"do {decision.label}")
for choice in planner.choices():
    name = "ask" if choice.ask else choice.label
    print(f"  {name:6} {choice.lower:8.4f} to {choice.upper:8.4f}")
for step in planner.forecast(5):
    told = f"asks, is told {model.states[step.state]}, " if step.ask else ""
    act = "..." if step.action is None else f"does {model.actions[step.action]}"
    print(f"  {told}{act}")

# %% Episodes: a planner against baselines, on the same worlds
rows = []
for kind in ("aems-loop", "never-ask", "always-ask", "ask-entropy"):
    results = glimpse.run(model, kind, episodes=40, expansions=300, max_steps=200, jobs=2)
    rows.append((kind, results))
    print(f"{kind:12} return {results.total}   requests {results.requests.mean:5.1f}")

figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
means = [results.total.mean for _, results in rows]
spread = [results.total.high - results.total.mean for _, results in rows]
colours = [BLUE] + [GREY] * (len(rows) - 1)
axes.barh([kind for kind, _ in rows], means, xerr=spread, color=colours, capsize=4)
for i, (_, results) in enumerate(rows):
    axes.annotate(
        f"{results.requests.mean:.1f} requests",
        (max(0, results.total.high), i),
        xytext=(6, 0),
        textcoords="offset points",
        va="center",
    )
axes.axvline(0, color="black", linewidth=0.8)
axes.margins(x=0.25)
axes.invert_yaxis()
axes.set_xlabel("discounted return, mean of 40 episodes with 95 % interval")
axes.set_title("Knowing when to ask")
show(figure, "returns.png")

# %% One episode in the environment, step by step: the belief before each decision
env = glimpse.RequestEnv(model, max_steps=25)
agent = glimpse.Agent(model)
env.reset(seed=4)
agent.begin()
beliefs, entropies, widths, asked, captions = [], [], [], [], []
done = False
while not done:
    belief = agent.belief
    decision = agent.decide(expansions=1000)
    beliefs.append(belief)
    entropies.append(belief.entropy)
    widths.append((decision.lower, decision.upper))
    asked.append(decision.ask)
    if decision.ask:
        seen, *_ = env.step({"request": 1})
        decision = agent.reveal(seen["state"])
    seen, reward, terminated, truncated, info = env.step({"control": decision.action, "request": 0})
    agent.observe(decision.action, seen["observation"])
    captions.append(decision.label)
    done = terminated or truncated
print(f"{info['time']} steps, {info['requests']} requests, return {info['return']:.3f}")

figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
steps = range(len(entropies))
top.step(steps, entropies, where="mid", color=BLUE)
where = [i for i in steps if asked[i]]
top.plot(where, [entropies[i] for i in where], "o", color=ORANGE, label="asks for the state")
top.set_ylabel("belief, bits of entropy")
top.set_ylim(bottom=-0.05)
top.legend(loc="lower left", bbox_to_anchor=(0, 1), frameon=False)
bottom.fill_between(steps, [w[0] for w in widths], [w[1] for w in widths], step="mid", color=BLUE, alpha=0.25)
bottom.set_ylabel("value, bounds")
bottom.set_xlabel("step, and what was done")
bottom.set_xticks(list(steps))
bottom.set_xticklabels([f"{i}\n{caption}" for i, caption in enumerate(captions)], rotation=90, fontsize=8)
for axes in (top, bottom):
    axes.grid(alpha=0.3)
show(figure, "episode.png")

# %% Some of these beliefs as maps: where the robot may be, and where the package
scene = model.scene
walls = [[0.25 if cell == "#" else 0.0 for cell in line] for line in scene.background]
chosen = sorted({i + j for i in where for j in (0, 1) if i + j < len(beliefs)})[:4]
figure, grid = plt.subplots(
    len(scene.names), len(chosen), figsize=(2.4 * len(chosen), 4.2), squeeze=False, layout="constrained"
)
for row, name in zip(grid, scene.names):
    for axes, i in zip(row, chosen):
        axes.imshow(walls, cmap="Greys", vmin=0, vmax=1)
        chances = scene.chances(name, beliefs[i])
        shades = [[p if p > 0 else float("nan") for p in line] for line in chances]
        image = axes.imshow(shades, cmap="viridis_r", vmin=0, vmax=1)
        inside = sum(map(sum, chances))
        if inside < 0.995:
            off = f"off the map: {100 * (1 - inside):.0f} %"
            axes.text(0.5, 0.04, off, transform=axes.transAxes, ha="center", fontsize=8)
        axes.set_xticks([])
        axes.set_yticks([])
    row[0].set_ylabel(name)
for axes, i in zip(grid[0], chosen):
    axes.set_title(f"step {i}" + (": asks" if asked[i] else ""), fontsize=10)
figure.colorbar(image, ax=grid, shrink=0.6, label="probability")
show(figure, "belief.png")
