#!/usr/bin/env python3
"""What plans that are optimal with the discount earn without it.

    PYTHONPATH=python scripts/exact-return.py MODEL [DELTA]

Walks all beliefs that are met by plans whose every choice is worth, with the discount, within DELTA (1e-6) of the best one
there. What each choice is worth comes from proved bounds: those of a search at each belief that follows it. In the graph of
these beliefs and choices the least and the most that can be earned without the discount are found by value iteration, which
converges where such plans end. For models that end, with a price for the state or without requests.
"""
import os
import sys

import glimpse

EXPANSIONS, MOST = 20000, 20000


class Walk:
    def __init__(self, model, delta):
        self.model, self.delta = model, delta
        self.planner = glimpse.Planner(model)
        self.tables = model.tables()
        self.price = model.cost if isinstance(model.cost, (list, tuple)) else [model.cost or 0.0] * len(model.states)
        self.asks = model.requests
        self.over = [model.terminal(s) for s in model.states]
        self.known, self.widest = {}, 0.0

    def key(self, belief):
        return tuple(sorted((s, round(p, 9)) for s, p in belief.items()))

    def value(self, belief):
        """Between what the value of a belief lies, by a search there."""
        key = self.key(belief)
        if key not in self.known:
            self.planner.begin({self.model.states[s]: p for s, p in belief.items()})
            decision = self.planner.plan(expansions=EXPANSIONS)
            self.known[key] = decision.lower, decision.upper
            self.widest = max(self.widest, decision.upper - decision.lower)
        return self.known[key]

    def follow(self, belief, action):
        """What is earned, and the beliefs that may follow with their probabilities."""
        moved, earned = {}, 0.0
        for s, p in belief.items():
            earned += p * self.tables["rewards"][action][s]
            for t, q in enumerate(self.tables["transitions"][action][s]):
                if q > 0:
                    moved[t] = moved.get(t, 0.0) + p * q
        after = []
        for o in range(len(self.model.observations)):
            seen = {t: p * self.tables["observations"][action][t][o] for t, p in moved.items()}
            total = sum(seen.values())
            seen = {t: p / total for t, p in seen.items() if p > 0} if total > 0 else {}
            if any(not self.over[t] for t in seen):
                after.append((total, seen))
        return earned, after

    def choices(self, belief):
        """Each choice: what it earns, what follows, and the bounds on its value with the discount."""
        for action in range(len(self.model.actions)):
            earned, after = self.follow(belief, action)
            yield earned, after, self.model.discount
        if self.asks and len(belief) > 1:
            yield (-sum(p * self.price[s] for s, p in belief.items() if not self.over[s]),
                   [(p, {s: 1.0}) for s, p in belief.items() if not self.over[s]], 1.0)

    def good(self, belief):
        found = []
        for earned, after, discount in self.choices(belief):
            worth = [earned + discount * sum(p * self.value(b)[side] for p, b in after) for side in (0, 1)]
            found.append((worth, earned, after))
        least = max(worth[0] for worth, _, _ in found)
        return [(earned, after) for worth, earned, after in found if worth[1] >= least - self.delta]

    def graph(self):
        start = {s: p for s, p in enumerate(self.tables["start"]) if p > 0}
        nodes, todo = {}, [start]
        while todo:
            belief = todo.pop()
            key = self.key(belief)
            if key in nodes:
                continue
            if len(nodes) == MOST:
                sys.exit(f"more than {MOST} beliefs")
            good = self.good(belief)
            nodes[key] = [(earned, [(p, self.key(b)) for p, b in after]) for earned, after in good]
            todo += [b for _, after in good for _, b in after]
        return self.key(start), nodes


def earned(start, nodes, best):
    value = dict.fromkeys(nodes, 0.0)
    for _ in range(100000):
        change = 0.0
        for key, choices in nodes.items():
            new = best(r + sum(p * value[b] for p, b in after) for r, after in choices)
            change, value[key] = max(change, abs(new - value[key])), new
        if change < 1e-12 * max(1.0, abs(value[start])):
            return value[start]
    sys.exit("such plans do not end")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: exact-return.py MODEL [DELTA]")
    model = glimpse.load(sys.argv[1])
    if model.inquiries:
        sys.exit("for models with a price for the state, or without requests")
    walk = Walk(model, float(sys.argv[2]) if len(sys.argv) > 2 else 1e-6)
    start, nodes = walk.graph()
    tied = sum(len(choices) > 1 for choices in nodes.values())
    print(f"{os.path.basename(sys.argv[1])}: {earned(start, nodes, min):.6f} to {earned(start, nodes, max):.6f}, "
          f"{len(nodes)} beliefs, {tied} with several such choices, values known to {walk.widest:.1g}")


if __name__ == "__main__":
    main()
