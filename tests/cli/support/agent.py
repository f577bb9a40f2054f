"""Drives `glimpse agent` from Python, as a robot would: python3 agent.py PROGRAM DIRECTORY.

The worlds are random models that this script makes, writes as .pomdp files and simulates
itself.  It keeps its own belief by Bayes' rule, so the agent's belief, the probabilities it
reports and, over many episodes, its bounds are compared with something independent of it.
"""

import json
import os
import pty
import random
import select
import signal
import subprocess
import sys
import threading
import time

PROGRAM, DIRECTORY = sys.argv[1:3]
SEED = int(os.environ.get("SEED", "20261116"))
LIMIT = 600  # seconds; only a program that hangs needs them


class Agent:
    """The whole client: one line out, one line in."""

    def __init__(self, *arguments, **options):
        self.process = subprocess.Popen([PROGRAM, "agent", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, **options)
        self.timer = threading.Timer(LIMIT, self.process.kill)
        self.timer.start()

    def raw(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        reply = self.process.stdout.readline()
        assert reply.endswith(b"\n"), f"no reply to {line[:200]!r}"
        return json.loads(reply)

    def send(self, **message):
        return self.raw(json.dumps(message).encode())

    def ok(self, **message):
        reply = self.send(**message)
        assert "error" not in reply, f"{message}: {reply}"
        return reply

    def close(self):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        assert rest == b"", f"unasked for: {rest[:200]!r}"
        status = self.process.wait()
        self.timer.cancel()
        return status


class World:
    """A random model and its simulation."""

    def __init__(self, rng, states, actions, observations, cost, discount=0.9):
        def row(n, zeros):
            p = [0 if rng.random() < zeros else rng.randrange(1, 10) for _ in range(n)]
            p[rng.randrange(n)] += 1
            return [x / sum(p) for x in p]

        self.rng, self.cost, self.discount = rng, cost, discount
        self.states, self.actions, self.observations = range(states), range(actions), range(observations)
        self.start = row(states, 0.3)
        self.t = [[row(states, 0.5) for _ in self.states] for _ in self.actions]
        self.o = [[row(observations, 0.4) for _ in self.states] for _ in self.actions]
        self.r = [[rng.randrange(-10, 11) for _ in self.states] for _ in self.actions]

    def write(self, path):
        with open(path, "w", encoding="ascii") as file:
            print(f"discount: {self.discount}\nvalues: reward\nstates: {' '.join(f's{i}' for i in self.states)}", file=file)
            print(f"actions: {' '.join(f'a{i}' for i in self.actions)}", file=file)
            print(f"observations: {' '.join(f'o{i}' for i in self.observations)}", file=file)
            print("start:", *map(repr, self.start), file=file)
            if self.cost:
                print(f"# glimpse: cost {self.cost}", file=file)
            for a in self.actions:
                for s in self.states:
                    print(f"T: a{a} : s{s}\n", *map(repr, self.t[a][s]), file=file)
                    print(f"O: a{a} : s{s}\n", *map(repr, self.o[a][s]), file=file)
                    print(f"R: a{a} : s{s} : * : * {self.r[a][s]}", file=file)

    def draw(self, row):
        return self.rng.choices(range(len(row)), row)[0]

    def update(self, belief, a, o):
        joint = [self.o[a][s2][o] * sum(belief[s] * self.t[a][s][s2] for s in self.states) for s2 in self.states]
        return [p / sum(joint) for p in joint], sum(joint)


def near(a, b, tolerance=1e-9):
    return abs(a - b) <= tolerance * (1 + abs(b))


def check_belief(agent, belief):
    reply = agent.ok(do="belief")
    told = reply["belief"]
    assert near(sum(told.values()), 1)
    assert reply["states"] == sum(p > 0 for p in belief) == len(told)
    for s, p in enumerate(belief):
        assert near(told.get(f"s{s}", 0), p), (told, belief)


def play(agent, world, steps, stray):
    """One episode; with `stray` the robot now and then does something else, or is told where to begin."""
    belief = world.start
    if stray and world.rng.random() < 0.5:
        belief = [(world.start[s] + 1) / (len(world.states) + 1) for s in world.states]
        form = world.rng.choice([belief, {f"s{s}": p for s, p in enumerate(belief)}])
        agent.ok(do="reset", belief=form)
    else:
        agent.ok(do="reset")
    state, total, weight, first = world.draw(belief), 0.0, 1.0, None
    for step in range(steps):
        if stray:
            check_belief(agent, belief)
        reply = agent.ok(do="decide", id=step, **world.rng.choice(({}, {"expansions": 30}) if stray else ({},)))
        assert reply["id"] == step and reply["lower"] <= reply["upper"] + 1e-9
        assert not first or not reply["ask"] or world.cost
        first = first or reply
        if reply["ask"]:
            assert reply["next"] == "state" and "act" not in reply
            total -= weight * world.cost
            believed = belief[state]
            reply = agent.ok(state=world.rng.choice((state, f"s{state}")))
            assert not reply["ask"] and near(reply["believed"], believed)
            belief = [float(s == state) for s in world.states]
        assert reply["next"] == "observation" and reply["act"] == f"a{reply['index']}"
        a, extra = reply["index"], {}
        if stray and world.rng.random() < 0.3:
            a = world.rng.choice(world.actions)
            extra = {"action": world.rng.choice((a, f"a{a}"))}
        total += weight * world.r[a][state]
        weight *= world.discount
        state = world.draw(world.t[a][state])
        o = world.draw(world.o[a][state])
        belief, probability = world.update(belief, a, o)
        reply = agent.ok(observation=world.rng.choice((o, f"o{o}")), **extra)
        assert near(reply["probability"], probability) and reply["action"] == f"a{a}" and reply["next"] == "decide"
    return total, first


def episodes():
    rng = random.Random(SEED)
    for number, cost in enumerate((0.5, 4, 0, 1)):
        world = World(rng, rng.randrange(2, 7), rng.randrange(2, 4), rng.randrange(2, 4), cost)
        path = os.path.join(DIRECTORY, f"world{number}.pomdp")
        world.write(path)
        agent = Agent(path, "--expansions", "20")
        for _ in range(6):
            play(agent, world, 10, stray=True)
        assert agent.close() == 0

    # A plan is a promise: the mean return is within the bounds of the first decision.  After 25
    # steps at most 10 * 0.8^25 / 0.2 < 0.2 is left, up or down.
    world = World(rng, 4, 3, 3, 1.0, discount=0.8)
    path = os.path.join(DIRECTORY, "promise.pomdp")
    world.write(path)
    agent = Agent(path, "--expansions", "30")
    returns = []
    for _ in range(40):
        total, first = play(agent, world, 25, stray=False)
        returns.append(total)
    mean = sum(returns) / len(returns)
    error = (sum((x - mean) ** 2 for x in returns) / (len(returns) - 1) / len(returns)) ** 0.5
    assert first["lower"] - 0.2 - 4 * error <= mean <= first["upper"] + 0.2 + 4 * error, (first, mean, error)
    assert agent.close() == 0


def malformed():
    """Whatever comes, there is one reply, an error, and the agent stays where it was."""
    rng = random.Random(SEED)
    agent = Agent("tiger", "--expansions", "20")
    good = [b'{"do":"decide"}', b'{"do":"reset","belief":{"tiger-left":0.5,"tiger-right":0.5}}',
            b'{"observation":"tiger-left","action":0}', b'{"state":"tiger-left"}', b'{"do":"belief","most":1}']
    bytes_ = b'"\\[]{},:0-e#\x00\xff\xc3 u1'
    refused = 0
    for phase in ("decide", "state", "observation"):
        agent.ok(do="reset")
        if phase != "decide":
            assert agent.ok(do="decide")["ask"]
        if phase == "observation":
            agent.ok(state=0)
        for _ in range(300):
            line = bytearray(rng.choice(good))
            for _ in range(rng.randrange(1, 4)):
                line[rng.randrange(len(line))] = rng.choice(bytes_)
            before = agent.ok(do="info"), agent.ok(do="belief")
            reply = agent.raw(bytes(line))
            if "error" in reply:
                refused += 1
                assert reply["next"] == phase
                assert (agent.ok(do="info"), agent.ok(do="belief")) == before, line
            elif agent.ok(do="info")["next"] != phase:
                break  # it is still a message, after all
    assert refused > 200, refused
    assert agent.close() == 0


def wait(process, seconds=LIMIT):
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        raise


def unread():
    """Replies that nobody reads: the agent gives up after its patience, be it a pipe or a terminal."""
    asks = os.path.join(DIRECTORY, "asks")
    with open(asks, "wb") as file:
        file.write(b'{"do":"names"}\n' * 100)
    channels = [os.pipe, pty.openpty]
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        print("this machine has no pseudo-terminals (is /dev/pts mounted?): the agent is not tried on one")
        channels.remove(pty.openpty)
    for channel in channels:
        reader, writer = channel()
        with open(asks, "rb") as lines:
            process = subprocess.Popen([PROGRAM, "agent", "robot-delivery", "--patience", "0.3"], stdin=lines, stdout=writer,
                                       stderr=subprocess.PIPE)
            assert wait(process) == 1
            assert b"error: nobody read the reply for 0.3 s" in process.stderr.read()
            process.stderr.close()
        os.close(writer)
        os.close(reader)

        # A signal ends the wait, however patient the agent is.
        reader, writer = channel()
        with open(asks, "rb") as lines:
            process = subprocess.Popen([PROGRAM, "agent", "robot-delivery", "--patience", "3600"], stdin=lines, stdout=writer)
            assert select.select([reader], [], [], LIMIT)[0]  # it has begun to write
            time.sleep(0.3)
            process.send_signal(signal.SIGTERM)
            assert wait(process) == 143
        os.close(writer)
        os.close(reader)

    # A reader that goes away in the middle.
    reader, writer = os.pipe()
    with open(asks, "rb") as lines:
        process = subprocess.Popen([PROGRAM, "agent", "robot-delivery", "--patience", "3600"], stdin=lines, stdout=writer)
        os.close(writer)
        os.read(reader, 10)
        os.close(reader)
        assert wait(process) == 1

    # A slow one gets everything.
    with open(asks, "rb") as lines:
        process = subprocess.Popen([PROGRAM, "agent", "robot-delivery", "--patience", "50"], stdin=lines, stdout=subprocess.PIPE)
        time.sleep(0.3)
        replies = 0
        for line in process.stdout:
            replies += 1
            assert len(json.loads(line)["states"]) == 133
        assert replies == 100 and wait(process) == 0
        process.stdout.close()


def signals():
    """At rest and in a search: the reply of what was under way comes still."""
    for number in (signal.SIGINT, signal.SIGTERM):
        agent = Agent("tiger")
        agent.ok(do="info")
        agent.process.send_signal(number)
        assert wait(agent.process) == 128 + number
        assert agent.process.stdout.read() == b""
        agent.timer.cancel()
        for pause in (0.2, 2, 8):  # the search has to have begun, which nobody tells
            agent = Agent("robot-delivery:n=3", "--planner", "aems")
            agent.ok(do="info")
            agent.process.stdin.write(b'{"do":"decide","time":1000}\n{"do":"info"}\n')
            agent.process.stdin.flush()
            time.sleep(pause)
            agent.process.send_signal(number)
            line = agent.process.stdout.readline()
            assert wait(agent.process) == 128 + number
            assert agent.process.stdout.read() == b""
            agent.timer.cancel()
            if line:
                break
        reply = json.loads(line)
        assert reply["stop"] == "interrupted" and reply["lower"] < reply["upper"], reply


for part in (episodes, malformed, unread, signals):
    try:
        began = time.monotonic()
        part()
        print(f"{part.__name__}: {time.monotonic() - began:.1f} s")
    except BaseException:
        print(f"{part.__name__} failed; SEED={SEED}")
        raise
