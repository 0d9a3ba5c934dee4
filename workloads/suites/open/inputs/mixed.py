# Pure Python, one after the other and again: n-body, breadth-first search, n-queens, JSON, big numbers, a class-heavy event
# simulation, dictionary work, a tiny compiler and machine. usage: mixed.py ROUNDS
import heapq
import json
import re
import sys


def draws(seed):
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        yield seed >> 33


def bodies(steps):
    b = [[k * 1.5, k * k * 0.3 - 1, 0.2 * k, 0.01 * k, -0.02, 0.03 / (k + 1), 1.0 / (k + 1)] for k in range(5)]
    for _ in range(steps):
        for i, p in enumerate(b):
            for q in b[i + 1:]:
                dx, dy, dz = p[0] - q[0], p[1] - q[1], p[2] - q[2]
                pull = 0.001 * ((dx * dx + dy * dy + dz * dz) ** -1.5)
                for axis, d in ((3, dx), (4, dy), (5, dz)):
                    p[axis] -= d * q[6] * pull
                    q[axis] += d * p[6] * pull
        for p in b:
            p[0] += 0.001 * p[3]
            p[1] += 0.001 * p[4]
            p[2] += 0.001 * p[5]
    return b[0][0]


def reach(n):
    r = draws(7)
    edges = {k: [next(r) % n for _ in range(5)] for k in range(n)}
    total = 0
    for start in range(3):
        seen = {start: 0}
        front = [start]
        while front:
            front = [t for s in front for t in edges[s] if seen.setdefault(t, seen[s] + 1) == seen[s] + 1 and t not in front[:1]]
            if len(front) > n:
                front = list(dict.fromkeys(front))
        total += max(seen.values())
    return total


def queens(n, row=0, columns=0, down=0, up=0):
    if row == n:
        return 1
    free = ((1 << n) - 1) & ~(columns | down | up)
    count = 0
    while free:
        bit = free & -free
        free ^= bit
        count += queens(n, row + 1, columns | bit, (down | bit) << 1, (up | bit) >> 1)
    return count


def documents(n):
    r = draws(3)
    data = [{"id": k, "name": "n%d" % (next(r) % 1000), "tags": ["t%d" % (next(r) % 50) for _ in range(5)],
             "at": {"x": next(r) / 7, "y": [next(r) % 9, None, True]}} for k in range(n)]
    text = json.dumps(data, sort_keys=True)
    again = json.loads(text)
    by_tag = {}
    for item in again:
        for tag in item["tags"]:
            by_tag.setdefault(tag, []).append(item["at"]["x"])
    return sum(sorted(v)[len(v) // 2] for v in by_tag.values()) + len(re.findall(r'"n(\d)\1\d*"', text))


def big(n):
    a, b = 1, 1
    for k in range(1, n):
        a, b = b * k + 1, a + b
        if k % 50 == 0:
            a %= 10 ** 900 + 7
    return a % 1000003


class Server:
    def __init__(self, name):
        self.name, self.queue, self.busy, self.served = name, [], False, 0

    def arrive(self, world, job):
        self.queue.append(job)
        if not self.busy:
            self.start(world)

    def start(self, world):
        self.busy = True
        world.after(1 + world.draw() % 20, self.finish, self.queue.pop(0))

    def finish(self, world, job):
        self.served += 1
        self.busy = False
        world.servers[(world.draw() + job) % len(world.servers)].arrive(world, job)
        if self.queue:
            self.start(world)


class World:
    def __init__(self):
        self.now, self.events, self.count, self.random = 0, [], 0, draws(5)
        self.servers = [Server(k) for k in range(40)]

    def draw(self):
        return next(self.random)

    def after(self, delay, what, job):
        self.count += 1
        heapq.heappush(self.events, (self.now + delay, self.count, what, job))

    def run(self, n):
        for job in range(200):
            self.servers[job % 40].arrive(self, job)
        while self.count < n:
            self.now, _, what, job = heapq.heappop(self.events)
            what(self, job)
        return self.now + self.servers[3].served


def machine(n):
    source = "s = 0\ni = 0\nloop:\ns = s + i * 3\ns = s %% 9973\ni = i + 1\nif i < %d goto loop\n" % n
    code, labels = [], {}
    for line in source.splitlines():
        if line.endswith(":"):
            labels[line[:-1]] = len(code)
        elif line.startswith("if"):
            code.append(("jump", line.split()[1], int(line.split()[3]), line.split()[5]))
        else:
            target, expression = line.split(" = ")
            code.append(("set", target, re.findall(r"\w+|[-+*%]", expression)))
    variables, at = {}, 0
    while at < len(code):
        op = code[at]
        at += 1
        if op[0] == "jump":
            if variables[op[1]] < op[2]:
                at = labels[op[3]]
            continue
        stack = [int(t) if t.isdigit() else variables[t] if t.isalpha() else t for t in op[2]]
        while len(stack) > 1:
            k = next((k for k, t in enumerate(stack) if t in ("*", "%")), 1)
            a, o, b = stack[k - 1:k + 2]
            stack[k - 1:k + 2] = [a + b if o == "+" else a * b if o == "*" else a % b]
        variables[op[1]] = stack[0]
    return variables["s"]


for turn in range(int(sys.argv[1])):
    print(turn, bodies(4000 + 1000 * turn), reach(15000 + 9000 * turn), queens(8), documents(4000 + 3000 * turn),
          big(3000 + 400 * turn), World().run(60000 - 5000 * turn), machine(9000))
