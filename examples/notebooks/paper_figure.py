# %% [markdown]
# # A figure of the paper
#
# The appendix of the paper has an environment in which an agent that knows the state and one that never does prefer the
# same first action, and one that may ask prefers the other, for prices from 1 to 4. Its tree is the model `toy`. What the
# two actions are worth at a price c is known exactly: max(5, 10 - 2c) and max(4.5, 9 - c).

# %%
import glimpse

toy = glimpse.load("toy")
toy

# %% [markdown]
# A search from the start looks closely only at the better action. So we search from each belief that follows an action,
# and add up what they are worth. The price is a parameter of the environment, which undoes the discount in it.

# %%
def worth(model, action):
    """The value of an action at the start: its reward, and what follows each observation."""
    planner = glimpse.Planner(model)
    total = sum(p * model.reward(state, action) for state, p in model.start.items())
    for observation in model.observations:
        belief = model.belief()
        try:
            probability = belief.update(action, observation)
        except glimpse.errors.Impossible:
            continue
        planner.begin(belief)
        total += model.discount * probability * planner.plan(epsilon=1e-9).lower
    return total


prices = [0.05 + 0.25 * i for i in range(24)]
first = [worth(glimpse.load("toy", c=price), toy.actions[0]) for price in prices]
second = [worth(glimpse.load("toy", c=price), toy.actions[1]) for price in prices]

# %% [markdown]
# The figure: lines are the formulas, dots are what the search proves.

# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(layout="constrained")
axes.plot(prices, [max(5, 10 - 2 * c) for c in prices], color="#0072B2", label="action 1: max(5, 10 - 2c)")
axes.plot(prices, [max(4.5, 9 - c) for c in prices], color="#D55E00", label="action 2: max(4.5, 9 - c)")
axes.plot(prices, first, "o", color="#0072B2", markersize=4)
axes.plot(prices, second, "o", color="#D55E00", markersize=4)
axes.axvspan(1, 4, color="0.93", label="action 2 is better")
axes.set_xlabel("price of a request")
axes.set_ylabel("value of the first action")
axes.legend(frameon=False)

# %%
worst = max(
    max(abs(a - max(5, 10 - 2 * c)), abs(b - max(4.5, 9 - c))) for c, a, b in zip(prices, first, second)
)
print(f"largest difference from the formulas: {worst:.1e}")
print("action 2 is better at", [c for c, a, b in zip(prices, first, second) if b > a + 1e-6])
