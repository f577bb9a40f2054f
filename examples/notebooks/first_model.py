# %% [markdown]
# # A first model
#
# A machine runs or is worn. Running it earns 1 while it is good and loses 1 when it is worn; repairing costs 2. The
# sound it makes tells a little about its state. An inspection tells everything, for half a unit.

# %%
import glimpse

machine = glimpse.Model.from_functions(
    states=["good", "worn"],
    actions=["run", "repair"],
    transition=lambda state, action: (
        "good" if action == "repair" else "worn" if state == "worn" else {"good": 0.9, "worn": 0.1}
    ),
    observation=lambda next_state: {"fine": 0.8, "faulty": 0.2} if next_state == "good" else {"fine": 0.4, "faulty": 0.6},
    reward=lambda state, action: -2 if action == "repair" else 1 if state == "good" else -1,
    discount=0.95,
    cost=0.5,
    start="good",
)
machine

# %% [markdown]
# ## What to do now
#
# An agent keeps the belief and decides. It says how sure it is: the value lies between a lower and an upper bound.

# %%
agent = glimpse.Agent(machine)
agent.begin({"good": 0.6, "worn": 0.4})
decision = agent.decide(epsilon=0.01)
print(agent.explain())

# %% [markdown]
# It asks. We answer, and it says what to do then.

# %%
decision = agent.reveal("worn")
print(decision.label)
agent.observe(decision.action, "fine")
print(agent.belief)

# %% [markdown]
# ## When it pays to ask
#
# Over all beliefs: where the machine is nearly certain to be good one runs it, where it is nearly certain to be worn one
# repairs it, and in between one asks.

# %%
found = glimpse.BeliefMap(machine, points=41, expansions=200)
axes = found.plot()
asked = [belief[1] for belief, choice in zip(found.beliefs, found.choices) if choice is None]
print(f"it asks where the probability of worn is {asked[0]:.3f} to {asked[-1]:.3f}")

# %% [markdown]
# ## How it goes
#
# A hundred simulated episodes of a hundred steps.

# %%
results = glimpse.run(machine, episodes=100, max_steps=100, expansions=50, seed=1)
print(f"return {results.total}, requests {results.requests}")
never = glimpse.run(machine, "never-ask", episodes=100, max_steps=100, expansions=50, seed=1)
print(f"without asking {never.total}")
