#!/usr/bin/env python3
"""Whether a queue conserves runs: queue_conserved.py PORT QUEUE STORE [--lost].

At any moment every run of a submission is exactly one of waiting, claimed, done or failed, or the server has lost it and
the store still has it planned. This compares one snapshot of the server, taken by one script, with the store, which is read
before and after it. A run that the store had before the snapshot neither waits nor is claimed; its result may be there until
it is acknowledged. Runs that the store does not have after it are where the server has them. Prints how many runs are where.
Exit code 1: a run is in two places, or the server's own records contradict each other.

--lost: the server has lost data before. A run that is done or stored may then wait or be claimed a second time."""
import collections
import socket
import sqlite3
import sys

PLANNED, DONE = 0, 1  # states of a run in the store

# One reply has all of a queue: {submissions, entries, results, groups, letters, marks, result_bytes}.
SNAPSHOT = b"""
local prefix, entries, groups, results = ARGV[1], {}, {}, {}
for _, program in ipairs(redis.call('SMEMBERS', prefix .. 'programs')) do
  local key, holder = prefix .. 'jobs:' .. program, {}
  if redis.call('EXISTS', key) == 1 then
    for _, p in ipairs(redis.pcall('XPENDING', key, 'workers', '-', '+', 1000000)) do holder[p[1]] = p[2] end
    for _, e in ipairs(redis.call('XRANGE', key, '-', '+')) do
      entries[#entries + 1] = {e[2], holder[e[1]] or ''}
      holder[e[1]] = nil
    end
    for id, worker in pairs(holder) do entries[#entries + 1] = {{}, worker, id} end
  end
end
if redis.call('EXISTS', prefix .. 'results') == 1 then
  results = redis.call('XRANGE', prefix .. 'results', '-', '+')
  for _, g in ipairs(redis.call('XINFO', 'GROUPS', prefix .. 'results')) do
    local row, unread = {}, {}
    for i = 1, #g, 2 do row[g[i]] = g[i + 1] end
    for _, p in ipairs(redis.call('XPENDING', prefix .. 'results', row['name'], '-', '+', 1000000)) do
      unread[#unread + 1] = p[1]
    end
    for _, e in ipairs(redis.call('XRANGE', prefix .. 'results', '(' .. row['last-delivered-id'], '+')) do
      unread[#unread + 1] = e[1]
    end
    groups[#groups + 1] = {row['name'], unread}
  end
end
return {redis.call('SMEMBERS', prefix .. 'submissions'), entries, results, groups,
  redis.call('XRANGE', prefix .. 'dead', '-', '+'), redis.call('HGETALL', prefix .. 'runs'),
  redis.call('HGET', prefix .. 'meta', 'result_bytes') or '0'}
"""


class Refused(Exception):
    pass


class Redis:
    """As much of a client as a test needs."""

    def __init__(self, port, timeout=30):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.file = self.socket.makefile("rb")

    def close(self):
        self.file.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __call__(self, *words):
        words = [w if isinstance(w, bytes) else str(w).encode() for w in words]
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(w), w) for w in words))
        return self.reply()

    def reply(self):
        line = self.file.readline()
        if not line:
            raise ConnectionError("the server has closed the connection")
        kind, rest = line[:1], line[1:-2]
        if kind == b"-":
            raise Refused(rest.decode(errors="replace"))
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if int(rest) < 0 else self.file.read(int(rest) + 2)[:-2]
        if kind == b"*":
            return None if int(rest) < 0 else [self.reply() for _ in range(int(rest))]
        return rest


def pairs(words):
    return dict(zip(words[0::2], words[1::2]))


def hashes(text):
    return [text[i:i + 32] for i in range(0, len(text), 32)]


def store_of(path):
    """States of all runs that sweeps of a store lead to, and the submissions that it waits for."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=30) as db:
        # One transaction: the submitter commits the last results and forgets the submission at the same time.
        db.execute("BEGIN")
        states = dict(db.execute("SELECT hash, state FROM run WHERE id IN (SELECT run FROM point)"))
        has = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'submission'").fetchone()
        return states, [row[0] for row in db.execute("SELECT id FROM submission")] if has else []


def check(port, queue, store, lost=False):
    """Returns how many runs are where, and what is wrong, as sentences."""
    prefix = b"sahm:{" + queue.encode() + b"}:"
    before, awaited_before = store_of(store)
    with Redis(port) as redis:
        submissions, entries, results, groups, letters, marks, result_bytes = redis("EVAL", SNAPSHOT, 0, prefix)
    states, awaited = store_of(store)
    wrong = []
    on_server = collections.defaultdict(list)
    for entry in entries:
        if len(entry) == 3:
            wrong.append(f"entry {entry[2].decode()} is claimed and is not there")
        else:
            on_server[pairs(entry[0])[b"r"]].append("claimed" if entry[1] else "waiting")
    unread = {i for name, ids in groups if name.decode() in awaited for i in ids}
    done, failed, size = set(), set(), 0
    for entry, words in results:
        row = pairs(words)
        size += len(row.get(b"z", b""))
        if entry in unread:
            (failed if b"x" in row else done).update(hashes(row[b"r"]))
    failed.update(pairs(words)[b"r"] for _, words in letters)
    for run in done:
        on_server[run].append("done")
    for run in failed - done:
        on_server[run].append("failed")
    where = collections.Counter()
    for run, state in states.items():
        places = on_server.get(run, [])
        # A run that has failed may have been asked for again.
        again = [p for p in places if p in ("waiting", "claimed")] if before.get(run) == DONE and not lost else []
        if again:
            wrong.append(f"run {run.hex()[:12]} is stored and {' and '.join(again)}")
        elif state != PLANNED:
            where["stored"] += 1
        elif lost and sorted(places) in (["claimed", "done"], ["done", "waiting"]):
            where["twice"] += 1
        elif len(places) > 1:
            wrong.append(f"run {run.hex()[:12]} is {' and '.join(places)}")
        else:
            where[places[0] if places else "planned"] += 1
            if not lost and not places and run in pairs(marks) and any(s.decode() in awaited for s in submissions):
                wrong.append(f"run {run.hex()[:12]} is in the queue by its mark, and nowhere")
    if size != int(result_bytes):
        wrong.append(f"results have {size} bytes, and are counted as {int(result_bytes)}")
    # Runs are planned before they are submitted, and stay so where the server refuses them.
    if where["planned"] and awaited_before and not awaited:
        wrong.append("runs are planned, and the store no longer waits for the submission")
    return where, wrong


def tell(where):
    return ", ".join(f"{where[name]} {name}" for name in
                     ("planned", "waiting", "claimed", "done", "failed", "twice", "stored") if where[name])


def main():
    arguments = [a for a in sys.argv[1:] if a != "--lost"]
    if len(arguments) != 3:
        sys.exit(__doc__.split("\n", 1)[0])
    where, wrong = check(int(arguments[0]), arguments[1], arguments[2], "--lost" in sys.argv)
    print(tell(where))
    for sentence in wrong[:10]:
        print(f"queue_conserved: {sentence}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
