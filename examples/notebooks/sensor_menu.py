# %% [markdown]
# # A menu of sensors
#
# A robot stands somewhere in six cells in a row, three in the kitchen and three in the hall, and must dock in the middle
# of the hall. Docking elsewhere costs 5. It may look through a camera, which tells the room, or be told its cell. Which
# of the two pays, and when?

# %%
import glimpse

CELLS = [(room, place) for room in ("kitchen", "hall") for place in range(3)]


def transition(state, action):
    if action == "dock":
        return "docked" if state == ("hall", 1) else state
    there = min(max(CELLS.index(state) + (1 if action == "right" else -1), 0), 5)
    return [(CELLS[there], 0.8), (state, 0.2)]


def reward(state, action):
    if action == "dock":
        return 10 if state == ("hall", 1) else -5
    return -0.1


def sensors(camera, localisation):
    return glimpse.Model.from_functions(
        states=CELLS + ["docked"],
        actions=["left", "right", "dock"],
        transition=transition,
        observation=lambda next_state: "done" if next_state == "docked" else "running",
        reward=reward,
        terminal=lambda state: state == "docked",
        discount=0.95,
        start=[(cell, 1 / 6) for cell in CELLS],
        inquiries=[
            glimpse.Inquiry("camera", camera, tells=lambda state: "out" if state == "docked" else state[0]),
            glimpse.Inquiry("localisation", localisation, failure=0.1),
        ],
    )


model = sensors(camera=0.3, localisation=1)
model

# %% [markdown]
# ## What each is worth at the start

# %%
agent = glimpse.Agent(model)
decision = agent.decide(expansions=3000)
for choice in agent.choices():
    print(f"{choice.inquiry or choice.label:13}{choice.lower:8.4f} to {choice.upper:.4f}")
print(agent.explain())

# %% [markdown]
# ## Over the prices
#
# The same question at other prices of localisation: the cheaper one sensor is, the more it is used.

# %%
used = {}
for price in (0.2, 0.6, 1.0, 1.4, 2.0):
    results = glimpse.run(sensors(0.3, price), episodes=40, expansions=150, seed=2)
    used[price] = (results.asked("camera").mean, results.asked("localisation").mean, results.total.mean)
    print(f"price {price}: camera {used[price][0]:.2f}, localisation {used[price][1]:.2f}, return {used[price][2]:.2f}")

# %%
import matplotlib.pyplot as plt

figure, axes = plt.subplots(layout="constrained")
axes.plot(list(used), [camera for camera, _, _ in used.values()], "o-", color="#0072B2", label="camera")
axes.plot(list(used), [told for _, told, _ in used.values()], "s--", color="#D55E00", label="localisation")
axes.set_xlabel("price of localisation")
axes.set_ylabel("uses in an episode")
axes.legend(frameon=False)
