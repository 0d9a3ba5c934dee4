#!/usr/bin/env python3
"""Sweeps through Redis servers that forget, lie, or are put off their clock: queue_servers.py PROGRAM SHIM quick|full [ROW...].

Each row has a server, workers and a submitter of its own. From its beginning to its end snapshots of the server are compared
with the store (queue_conserved.py), and at its end the exports and the manifest have to be those of a local sweep, byte by
byte, with nothing left in the queue. SHIM is tests/tools/faults_clock.c as a shared object."""
import collections
import concurrent.futures
import os
import random
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import threading
import time

import queue_conserved
from queue_proxy import KINDS, Proxy

HOUR, DAY = 3600, 86400

class Wrong(Exception):
    pass


def wait_for(what, condition, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise Wrong(f"{what} takes longer than {seconds} s")


class Plan:
    """What all rows have in common."""

    def __init__(self, program, shim, extent, folder):
        self.program, self.shim, self.full, self.folder = program, shim, extent == "full", folder
        self.runs = 1000 if self.full else 100
        self.sweep = ["configs/realistic-39.cfg", "--set", "workload.duration_ms=40000", "--set", "scheduler.policy=keen",
                      "--axis", f"migration.cost_ms=0..{(self.runs // 25 - 1) / 10:g}..0.1", "--axis",
                      "scheduler.inertia=0..24"]
        self.local = os.path.join(folder, "local.sqlite")
        subprocess.run([program, "sweep", *self.sweep, "-q", "-o", self.local], check=True)
        self.results = self.export(self.local)

    def export(self, store):
        """All that a store has of the sweep, and its manifest."""
        out = [subprocess.run([self.program, "export", store, *more], check=True, capture_output=True).stdout
               for more in ([], ["--threads"])]
        with open(store + ".manifest", "rb") as f:
            return out + [f.read()]


class Row:
    """A server, its workers, a submitter."""

    def __init__(self, plan, name):
        self.plan, self.name = plan, name
        self.folder = os.path.join(plan.folder, name)
        os.mkdir(self.folder)
        self.store = os.path.join(self.folder, "queue.sqlite")
        self.cache = os.path.join(self.folder, "cache")
        self.port, self.line = None, None  # of the server, and where the others find it
        self.server, self.submitter, self.workers = None, None, []
        self.lost = False  # the server has lost data
        self.may_fail = False  # workers may end with exit code 1
        self.faults = self.calls = self.snapshots = 0
        self.counts = collections.Counter()
        self.wrong, self.notes = [], []
        self.watching = threading.Event()

    def file(self, name):
        return os.path.join(self.folder, name)

    def start(self, log, *command, **more):
        with open(self.file(log), "ab") as out:
            return subprocess.Popen([str(c) for c in command], stdout=out, stderr=subprocess.STDOUT, **more)

    def ask(self, *words):
        with queue_conserved.Redis(self.port) as redis:
            return redis(*words)

    def answers(self):
        try:
            return self.ask("PING") == b"PONG"
        except (OSError, queue_conserved.Refused):
            return False

    def serve(self, *options, **more):
        """Starts the server; again at the same port."""
        for _ in range(5):
            port = self.port or random.SystemRandom().randrange(20000, 32000)
            self.server = self.start("redis.log", "redis-server", "--port", port, "--bind", "127.0.0.1", "--dir",
                                     self.folder, "--save", "", "--appendonly", "no", *options, **more)
            self.port = port
            wait_for("the server", lambda: self.server.poll() is not None or self.answers())
            if self.server.poll() is None:
                break
            self.port = None
        else:
            raise Wrong("the server does not start")
        self.line = self.line or self.port
        if not self.watching.is_set():
            self.watching.set()
            threading.Thread(target=self.watch, daemon=True).start()

    def kill_server(self):
        self.server.kill()
        self.server.wait()

    def work(self, nr=2, *more):
        for _ in range(nr):
            self.workers.append(self.start("worker.log", self.plan.program, "worker", "--redis",
                                           f"redis://127.0.0.1:{self.line}", "--queue", "rows", "-j", "1", "--claim", "1",
                                           "--cache", self.cache, *more))

    def kill_worker(self):
        worker = self.workers.pop(0)
        worker.kill()
        worker.wait()
        self.work(1)

    def call(self, *command):
        self.calls += 1
        return self.start("submitter.log", self.plan.program, *command, "--redis", f"redis://127.0.0.1:{self.line}",
                          "--queue", "rows")

    def sweep(self, *more):
        self.submitter = self.call("sweep", *self.plan.sweep, "--claim", "1", "-o", self.store, *more)

    def said(self):
        with open(self.file("submitter.log"), errors="replace") as f:
            return f.read()

    def refuses(self, words):
        """The submitter ends with exit code 1, and says why."""
        if self.submitter.wait(120) != 1 or words not in self.said():
            raise Wrong(f"does not say '{words}'")

    def left(self):
        """Runs that the server has, of which nobody has a result."""
        try:
            programs = self.ask("SMEMBERS", "sahm:{rows}:programs")
            return sum(self.ask("XLEN", b"sahm:{rows}:jobs:" + p) for p in programs) if programs else 0
        except (OSError, queue_conserved.Refused):
            return 0

    def until_left(self, share, detached=False):
        """Waits until no more than a share of the runs is left."""
        def is_over():
            return not detached and self.submitter.poll() is not None
        wait_for("work", lambda: 0 < self.left() <= share * self.plan.runs or is_over())
        if is_over():
            raise Wrong("the sweep was done before its fault")

    def evict(self):
        """Has the server remove some of its keys, any of them."""
        before = self.evicted()
        self.ask("CONFIG", "SET", "maxmemory-policy", "allkeys-random")
        self.ask("CONFIG", "SET", "maxmemory", "1mb")
        wait_for("eviction", lambda: self.evicted() > before)
        self.ask("CONFIG", "SET", "maxmemory", "0")
        self.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
        self.faults += self.evicted() - before

    def evicted(self):
        return int(re.search(rb"evicted_keys:(\d+)", self.ask("INFO", "stats")).group(1))

    # Snapshots

    def look(self):
        """Compares server and store."""
        lost = self.lost
        try:
            where, wrong = queue_conserved.check(self.port, "rows", self.store, lost)
        except (OSError, queue_conserved.Refused, sqlite3.OperationalError):
            return None
        # Between two looks the server may have lost what the first did not know of.
        if lost == self.lost:
            self.snapshots += 1
            self.wrong += wrong
        return where

    def watch(self):
        while self.watching.is_set():
            if os.path.exists(self.store):
                self.look()
            time.sleep(0.25)

    # The end

    def finish(self, retry=False, attempts=1):
        """Waits for the submitter; where it fails the same command goes on. What the queue gave up is tried again if
        that is expected (`retry`)."""
        for attempt in range(attempts):
            code = self.submitter.wait(300)
            if code == 0:
                break
            if code != 1 or attempt + 1 == attempts:
                raise Wrong(f"the submitter ends with exit code {code}")
            if retry:
                self.sweep("--retry-failed")
            else:
                self.sweep()
        self.watching.clear()
        where = wait_for("the last snapshot", self.look)
        if where["stored"] != self.plan.runs:
            raise Wrong(f"at the end runs are {queue_conserved.tell(where)}")
        for worker in self.workers:
            worker.send_signal(signal.SIGTERM)
        codes = {worker.wait(60) for worker in self.workers}
        if not codes <= ({0, 1} if self.may_fail else {0}):
            raise Wrong(f"workers end with exit codes {codes}")
        # Late files belong to nobody: the next worker removes them.
        self.line = self.port
        self.work(1, "--idle", "1")
        if self.workers.pop().wait(60) != 0:
            raise Wrong("a last worker does not end well")
        left = [k for k in self.ask("KEYS", "sahm:{rows}:*")
                if not re.search(rb":(meta|workers|worker:.*|jobs:.*|unable:.*|file:.*:.*)$", k)]
        if left or self.left():
            raise Wrong(f"the queue keeps {left}, and {self.left()} runs")
        if self.wrong:
            raise Wrong(f"runs are not conserved: {self.wrong[0]}")
        if self.plan.export(self.store) != self.plan.results:
            raise Wrong("the results are not those of a local sweep")
        for word, nr in re.findall(r"^(again|repeated|damaged) +([\d,]+) ", self.said(), re.M):
            self.counts[word] += int(nr.replace(",", ""))
        if "DIFFERING" in self.said():
            raise Wrong("second results differ")

    def stop(self):
        self.watching.clear()
        for process in [self.submitter, *self.workers, self.server]:
            if process and process.poll() is None:
                process.kill()
                process.wait()


# ---- The rows ----

def comes_back_empty(row):
    """no append-only file: SIGKILL, started empty"""
    row.serve()
    row.work()
    row.sweep()
    for share in (0.7, 0.4) if row.plan.full else (0.6,):
        row.until_left(share)
        row.lost = True
        row.kill_server()
        row.serve()
        row.faults += 1
        row.kill_worker()
    row.finish()


def comes_back_older(row):
    """no append-only file: SIGKILL, started from an older snapshot"""
    row.serve()
    row.work()
    row.sweep()
    row.until_left(0.8)
    row.ask("SAVE")
    row.until_left(0.4)
    row.lost = True
    row.kill_server()
    row.serve()
    row.faults += 1
    row.finish()


def loses_detached(row):
    """no append-only file: started empty while nobody waits"""
    row.serve()
    row.sweep("--detach")
    row.submitter.wait(60)
    row.work()
    row.until_left(0.7, detached=True)
    row.lost = True
    row.kill_server()
    row.serve()
    row.faults += 1
    row.submitter = row.call("collect", row.store)
    row.refuses("does not know this sweep")
    row.sweep()
    row.finish()


def is_flushed(row):
    """FLUSHALL"""
    row.serve()
    row.work()
    row.sweep()
    for share in (0.9, 0.7, 0.5, 0.3) if row.plan.full else (0.8, 0.4):
        row.until_left(share)
        row.lost = True
        row.ask("FLUSHALL")
        row.faults += 1
    row.finish()


def forgets_scripts(row):
    """SCRIPT FLUSH"""
    row.serve()
    row.work()
    row.sweep()
    while row.submitter.poll() is None:
        row.ask("SCRIPT", "FLUSH")
        row.faults += 1
        time.sleep(0.02)
    row.finish()


def would_evict(row):
    """allkeys-lru from the beginning: refused"""
    row.serve("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")
    row.work()
    row.sweep()
    row.refuses("noeviction")
    if row.left() or row.ask("EXISTS", "sahm:{rows}:submissions"):
        raise Wrong("something was submitted")
    row.faults += 1
    row.ask("CONFIG", "SET", "maxmemory-policy", "noeviction")
    row.sweep()
    row.finish()


def evicts(row):
    """allkeys-random in the middle: keys are removed"""
    row.serve()
    row.work()
    row.sweep()
    for share in (0.8, 0.6, 0.4) if row.plan.full else (0.6,):
        row.until_left(share)
        row.lost = True
        row.evict()
    row.finish(retry=True, attempts=5)


def steps_its_clock(row):
    """the clock is put forward and back"""
    clock = row.file("clock")

    def put(seconds):
        with open(clock, "r+b") as f:
            f.write(struct.pack("q", seconds))
        row.faults += 1

    with open(clock, "wb") as f:
        f.write(struct.pack("q", 0))
    row.serve(env={**os.environ, "LD_PRELOAD": row.plan.shim, "JUMP": clock})
    row.work()
    row.sweep()
    # Workers that die after the clock was put back are missed in the same time as ever.
    for share, seconds in ((0.8, HOUR), (0.6, 10 * DAY), (0.4, -DAY)):
        row.until_left(share)
        put(seconds)
        row.kill_worker()
    row.finish()


def is_tampered_with(row):
    """the check itself: a run is made to be twice, nowhere, and stored and waiting"""
    def breaches():
        return len(queue_conserved.check(row.port, "rows", row.store)[1])

    row.serve()
    row.sweep("--detach")
    row.submitter.wait(60)
    row.watching.clear()
    program, = row.ask("SMEMBERS", "sahm:{rows}:programs")
    jobs = b"sahm:{rows}:jobs:" + program
    (entry, words), = row.ask("XRANGE", jobs, "-", "+", "COUNT", "1")
    found = [breaches()]
    second = row.ask("XADD", jobs, "*", *words)
    found.append(breaches())
    row.ask("XDEL", jobs, second)
    found.append(breaches())
    row.ask("XDEL", jobs, entry)
    found.append(breaches())
    row.ask("XADD", jobs, "*", *words)
    row.faults += 2
    if found != [0, 1, 0, 1]:
        raise Wrong(f"the check finds {found} breaches")
    row.work()
    row.sweep()
    row.finish()
    found = [breaches()]
    row.ask("SADD", "sahm:{rows}:programs", program)
    row.ask("XADD", jobs, "*", *words)
    found.append(breaches())
    row.faults += 1
    if found != [0, 1]:
        raise Wrong(f"the check finds {found} breaches of a stored run")


def speaks_through_noise(seed):
    def scene(row):
        row.serve()
        # A reply of which a part is missing is waited for, for 10 s.
        proxy = Proxy(row.port, seed, KINDS if row.plan.full else KINDS[:-1], 0.04 if row.plan.full else 0.02)
        row.line, row.may_fail, row.lost = proxy.port, True, True
        row.work(3)
        row.sweep()
        try:
            row.finish(retry=True, attempts=50)
        finally:
            proxy.close()
            row.faults = sum(proxy.counts.values())
            row.notes.append(", ".join(f"{nr} {kind}" for kind, nr in sorted(proxy.counts.items())))

    scene.__name__ = f"speaks_through_noise_{seed}"
    scene.__doc__ = f"replies are spoilt, seed {seed}"
    return scene


SCENES = [comes_back_empty, comes_back_older, loses_detached, is_flushed, forgets_scripts, would_evict, evicts, steps_its_clock,
          is_tampered_with]
NOISE = {"quick": range(1, 2), "full": range(1, 9)}


def play(plan, scene, rows):
    row = Row(plan, scene.__name__)
    rows.append(row)
    start = time.monotonic()
    error = None
    try:
        scene(row)
    except (Wrong, OSError, subprocess.SubprocessError, queue_conserved.Refused) as e:
        error = f"{scene.__name__}: {type(e).__name__}: {e}\n" + "".join(
            f"--- {log}\n" + "".join(open(row.file(log), errors="replace").readlines()[-12:])
            for log in ("submitter.log", "worker.log", "redis.log") if os.path.exists(row.file(log)))
    finally:
        row.stop()
    return row, time.monotonic() - start, error


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__.split("\n", 1)[0])
    program, shim, extent, *names = sys.argv[1:]
    folder = tempfile.mkdtemp(prefix="sahm servers.")
    rows = []

    def end(*_):
        for row in rows:
            row.stop()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    try:
        plan = Plan(os.path.abspath(program), os.path.abspath(shim), extent, folder)
        scenes = [s for s in SCENES + [speaks_through_noise(seed) for seed in NOISE[extent]]
                  if not names or any(s.__name__.startswith(n) for n in names)]
        with concurrent.futures.ThreadPoolExecutor(3 if plan.full else len(scenes)) as pool:
            played = list(pool.map(lambda s: play(plan, s, rows), scenes))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    table = [("server", "faults", "calls", "put there again", "results again", "damaged", "snapshots", "seconds")]
    for scene, (row, seconds, _) in zip(scenes, played):
        text = scene.__doc__ + "".join(f" ({n})" for n in row.notes)
        table.append((text, row.faults, row.calls, row.counts["again"], row.counts["repeated"], row.counts["damaged"],
                      row.snapshots, f"{seconds:.1f}"))
    widths = [max(len(str(line[i])) for line in table) for i in range(len(table[0]))]
    for line in table:
        print("  ".join([line[0].ljust(widths[0])] + [str(c).rjust(w) for c, w in zip(line[1:], widths[1:])]))
    errors = [error for _, _, error in played if error]
    for error in errors:
        print(error, file=sys.stderr)
    if not errors:
        print(f"{sum(row.faults for row, _, _ in played)} faults, {sum(row.snapshots for row, _, _ in played)} snapshots")
        print(f"{len(scenes)} rows of {plan.runs} runs, each with one result; the same bytes as from the local sweep")
    return 1 if errors else 0


sys.exit(main())
