#!/usr/bin/env python3
"""What the faults of a soak came to: queue_soak.py AOF-FOLDER QUEUE STORE.

Redis' append-only file has everything that happened to the queue, in its order: each delivery, each result, and the
marks that queue_soak.sh sets in the stream `soak:faults`. From these follows what was in the hands of a victim at its
fault, what of that was handed out or answered again, and how soon work went on. What was lost is what the store
does not have. Exit code 1: something was lost, or given up."""
import glob
import os
import re
import sqlite3
import sys

DONE = 1  # the state of a run
SILENCE_MS = 500  # results come more often than that
OF_SUBMITTERS = ("kill-submitter", "collect", "kill-collect")
FAULTS = {
    "kill-worker": "SIGKILL of a worker",
    "kill-process": "SIGKILL of a worker's process",
    "stop-worker": "SIGSTOP of a worker past its claim",
    "end-worker": "SIGTERM of a worker",
    "restart-redis": "redis restarted (SHUTDOWN)",
    "kill-redis": "SIGKILL of redis, started again",
    "stop-redis": "SIGSTOP of redis for {seconds} s",
    "kill-submitter": "SIGKILL of the submitter, begun again",
    "collect": "SIGKILL of the submitter, then collect",
    "kill-collect": "SIGKILL of collect, then the sweep",
}


def commands(folder):
    """Commands of the append-only file, in order: lists of bytes."""
    names = glob.glob(os.path.join(folder, "*.incr.aof"))
    for name in sorted(names, key=lambda n: int(re.search(r"\.(\d+)\.incr", n).group(1))):
        with open(name, "rb") as f:
            while line := f.readline():
                if not line.startswith(b"*"):
                    continue
                words = []
                for _ in range(int(line[1:])):
                    length = int(f.readline()[1:])
                    words.append(f.read(length))
                    f.read(2)
                yield words


def pairs(words):
    return dict(zip(words[0::2], words[1::2]))


def ms_of(entry):
    return int(entry.split(b"-")[0])


class Fault:
    def __init__(self, mark, entry):
        self.kind = mark[b"kind"].decode()
        self.pid = mark[b"pid"]
        self.seconds = mark.get(b"seconds", b"").decode()
        self.at = ms_of(entry)
        self.hands = set()
        self.entries = {}
        self.is_open = True  # what comes to the victim is in its hands, too
        self.delivered = self.repeated = 0
        self.went_on = None
        self.left = set()
        self.done = None


class Queue:
    def __init__(self, name):
        prefix = b"sahm:{" + name.encode() + b"}:"
        self.prefix = prefix
        self.jobs, self.results, self.dead = prefix + b"jobs:", prefix + b"results", prefix + b"dead"
        self.handed_back = {}  # hash -> the fault for which a worker gave it back
        self.run_of = {}  # entry -> hash of its run
        self.holder = {}  # entry -> consumer, deliveries
        self.unread = {}  # entry of results -> hashes
        self.reading = {}  # the same, once the submitter has it
        self.answers = {}  # hash -> how many results
        self.deliveries = {}  # hash -> how many deliveries
        self.faults = []
        self.heard = None  # when the last result came
        self.silent = []  # stretches in which none did
        self.calm_delivered = self.calm_repeated = self.letters = 0
        self.begun = False

    def blame(self, run, what):
        """The latest fault that had the run in its hands; of one that was handed back, that for which it was."""
        back = self.handed_back.pop(run, None) if what == "delivered" else None
        if back:
            back.delivered += 1
            return
        for fault in reversed(self.faults):
            if run in fault.hands:
                setattr(fault, what, getattr(fault, what) + 1)
                return
        setattr(self, "calm_" + what, getattr(self, "calm_" + what) + 1)

    def mark(self, words):
        mark = pairs(words[3:])
        if mark[b"kind"] == b"begin":
            self.__init__(re.search(rb"{(.*)}", self.prefix).group(1).decode())
            self.begun = True
            return
        if mark[b"kind"] == b"over":
            self.faults[-1].is_open = False
            return
        fault = Fault(mark, words[2])
        if fault.kind in OF_SUBMITTERS:
            # What it had read and not acknowledged.
            fault.entries = dict(self.reading)
            for runs in self.reading.values():
                fault.hands.update(runs)
        else:
            of_all = fault.kind.endswith("-redis")
            for entry, (worker, _) in self.holder.items():
                if of_all or worker.split(b":")[-2] == fault.pid:
                    fault.hands.add(self.run_of[entry])
        fault.left = set(fault.hands)
        self.faults.append(fault)

    def hold(self, run, worker):
        """Until the victim is gone or back it may get more, of which it perhaps never hears."""
        fault = self.faults[-1] if self.faults else None
        is_victim = fault and fault.is_open and fault.kind not in OF_SUBMITTERS and (
            fault.kind.endswith("-redis") or worker.split(b":")[-2] == fault.pid)
        if is_victim and run not in fault.hands:
            fault.hands.add(run)
            fault.left.add(run)
        return fault if is_victim else None

    def claim(self, words):
        """Deliveries are written as claims, renewals, too."""
        worker, entry = words[3], words[5]
        options = pairs([w for w in words[6:] if w not in (b"FORCE", b"JUSTID")])
        count = int(options[b"RETRYCOUNT"])
        if entry not in self.run_of:
            return
        before = self.holder.get(entry)
        self.holder[entry] = (worker, count)
        run = self.run_of[entry]
        if before and before[0] == worker and count < before[1]:
            self.handed_back[run] = self.hold(run, worker)
        if before and before[0] == worker and count <= before[1]:
            return
        self.deliveries[run] = self.deliveries.get(run, 0) + 1
        if self.deliveries[run] > 1:
            self.blame(run, "delivered")
        self.hold(run, worker)

    def result(self, words):
        entry, fields = words[2], pairs(words[3:])
        at = ms_of(entry)
        if self.heard is not None and at - self.heard > SILENCE_MS:
            self.silent.append(at - self.heard)
        self.heard = at
        if b"x" in fields:
            return
        runs = [fields[b"r"][i:i + 32] for i in range(0, len(fields[b"r"]), 32)]
        self.unread[entry] = runs
        for run in runs:
            self.answers[run] = self.answers.get(run, 0) + 1
            if self.answers[run] > 1:
                self.blame(run, "repeated")
        for fault in self.faults:
            if fault.kind not in OF_SUBMITTERS:
                self.hear(fault, runs, at)

    @staticmethod
    def hear(fault, runs, at):
        # Results before the server is gone do not count as a restart.
        if fault.went_on is None and not (fault.is_open and fault.kind.endswith("-redis")):
            fault.went_on = at
        if fault.left:
            fault.left.difference_update(runs)
            fault.done = at if not fault.left else None

    def collected(self, words):
        """The submitter has read results: new ones are claims, with their time."""
        entry = words[5]
        at = int(pairs([w for w in words[6:] if w not in (b"FORCE", b"JUSTID")])[b"TIME"])
        if entry in self.unread:
            self.reading[entry] = self.unread.pop(entry)
        for fault in self.faults:
            if fault.kind in OF_SUBMITTERS and fault.went_on is None:
                fault.went_on = at

    def take(self, words):
        command, key = words[0].upper(), words[1] if len(words) > 1 else b""
        if command == b"XADD" and key == b"soak:faults":
            self.mark(words)
        elif command == b"XADD" and key.startswith(self.jobs):
            self.run_of[words[2]] = pairs(words[3:])[b"r"]
        elif command == b"XADD" and key == self.results:
            self.result(words)
        elif command == b"XADD" and key == self.dead:
            self.letters += 1
        elif command == b"XCLAIM" and key.startswith(self.jobs):
            self.claim(words)
        elif command == b"XCLAIM" and key == self.results:
            self.collected(words)
        elif command == b"XACK" and key.startswith(self.jobs):
            for entry in words[3:]:
                self.holder.pop(entry, None)
        elif command == b"XACK" and key == self.results:
            for entry in words[3:]:
                self.reading.pop(entry, None)
                # The process that acknowledges it has read it again.
                for fault in self.faults:
                    fault.delivered += len(fault.entries.pop(entry, []))


def longest(times):
    times = [t for t in times if t is not None]
    return f"{max(times) / 1000:.1f} s" if times else "-"


def main():
    folder, name, store = sys.argv[1:]
    queue = Queue(name)
    for words in commands(folder):
        queue.take(words)
    if not queue.begun:
        sys.exit("queue_soak: the append-only file has no beginning")
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as db:
        kept = {row[0] for row in db.execute("SELECT hash FROM run WHERE state = ?", (DONE,))}
    rows = [("fault", "times", "runs in hand", "lost", "handed out again", "results again",
             "work went on after", "all of them done after")]
    lost = 0
    for kind, text in FAULTS.items():
        faults = [f for f in queue.faults if f.kind == kind]
        if not faults:
            continue
        gone = sum(len(f.hands - kept) for f in faults)
        lost += gone
        by_submitter = kind in OF_SUBMITTERS
        rows.append((text.format(seconds=faults[0].seconds), len(faults), sum(len(f.hands) for f in faults), gone,
                     sum(f.delivered for f in faults), sum(f.repeated for f in faults),
                     longest([f.went_on - f.at if f.went_on is not None else None for f in faults]),
                     "-" if by_submitter else longest([f.done - f.at if f.done is not None else None for f in faults])))
    rows.append(("without a fault", "", "", "", queue.calm_delivered, queue.calm_repeated, "", ""))
    never = len(set(queue.run_of.values()) - kept)
    nr_deliveries, nr_answers = sum(queue.deliveries.values()), sum(queue.answers.values())
    rows.append(("altogether", len(queue.faults), "", max(lost, never), nr_deliveries - len(queue.deliveries),
                 nr_answers - len(queue.answers), "", ""))
    widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [str(cell).rjust(width) for cell, width in zip(row[1:], widths[1:])]
        print("  ".join([row[0].ljust(widths[0])] + cells))
    print(f"{len(queue.run_of)} entries of {len(queue.deliveries)} runs, {nr_deliveries} deliveries, {nr_answers} results, "
          f"{queue.letters} runs given up")
    print("what submitters had read and not acknowledged is read again, and counts as handed out again in their rows alone")
    print(f"stretches of {SILENCE_MS / 1000} s and more without a result: {len(queue.silent)}, "
          f"{sum(queue.silent) / 1000:.1f} s altogether")
    return 1 if lost or never or queue.letters else 0


sys.exit(main())
