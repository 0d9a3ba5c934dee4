"""Power failures of a machine that collects results from a queue: the server, which forgets results once they are acknowledged, goes on."""
import shutil
import socket
import subprocess
import time

import power_model
from power_scenarios import Failure
from power_stores import StoreScenario

NR_DATABASES = 8
DISTURBED, TEMPLATE, CALM = 0, 1, 2  # the others are for states


class Server:
    """A separate Redis server."""

    def __init__(self, folder):
        folder.mkdir()
        for _ in range(8):
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", 0))
                self.port = probe.getsockname()[1]
            self.process = subprocess.Popen(
                ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--databases",
                 str(NR_DATABASES)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(200):
                if self.process.poll() is not None:
                    break
                if self.ask(0, "PING") == "PONG":
                    return
                time.sleep(0.02)
        raise Failure("no redis-server answers")

    def ask(self, database, *words):
        return subprocess.run(["redis-cli", "-p", str(self.port), "-n", str(database), "--raw", *words], capture_output=True,
                              text=True, check=False).stdout.strip()

    def copy(self, source, target):
        self.ask(target, "FLUSHDB")
        for key in self.ask(source, "KEYS", "*").splitlines():
            if self.ask(source, "COPY", key, key, "DB", str(target)) != "1":
                raise Failure(f"the key '{key}' cannot be copied")

    def url(self, database):
        return f"redis://127.0.0.1:{self.port}/{database}"

    def end(self):
        self.process.kill()
        self.process.wait()


class Collect(StoreScenario):
    """Results are collected that workers have left in a queue."""
    name = "collect"
    stores = ("s.sqlite",)

    def missing(self, place):
        for tool in ("redis-server", "redis-cli"):
            if not shutil.which(tool):
                return f"{tool} is not installed"
        said = subprocess.run([str(word) for word in place.sahm("collect", "none", "--redis", "redis://127.0.0.1:1")],
                              capture_output=True, check=False).stderr
        return "built without hiredis" if b"without hiredis" in said else None

    def sweep(self, place, *more):
        return place.sahm("sweep", place.tree / "configs/canonical.cfg", "--axis", "scheduler.inertia=0..19", "-q", "-o", "s.sqlite",
                          *more)

    def collect(self, place, server, database):
        return place.sahm("collect", "s.sqlite", "-q", "--redis", server.url(database))

    def prepare_queue(self, place, server, base):
        """The folder of who submits, and the database TEMPLATE: all runs have been carried out, and none collected."""
        (base / "calm").mkdir()
        place.run(self.sweep(place), base / "calm")
        (base / "before").mkdir()
        place.run(self.sweep(place, "--redis", server.url(TEMPLATE), "--detach"), base / "before")
        place.run(place.sahm("worker", "-q", "-j", "2", "--idle", "1", "--redis", server.url(TEMPLATE), "--cache", base / "cache"),
                  base)

    def record(self, place, tracer, server, base, nr):
        """Collects, until the call that would be record `nr` + 1. The disk then, and all of its records."""
        folder, log = base / "live", base / "log"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(base / "before", folder)
        disk = power_model.Disk(folder)
        server.copy(TEMPLATE, DISTURBED)
        limit = () if nr is None else ("-k", str(nr))
        place.run([tracer, *limit, folder, log, *self.collect(place, server, DISTURBED)], folder, (0,) if nr is None else (137,))
        records = list(power_model.records(log))
        for words, data in records:
            disk.apply(words, data)
        return disk, records

    def check_state(self, place, server, database, drawn, base):
        folder = base / f"state.{database}"
        shutil.rmtree(folder, ignore_errors=True)
        power_model.restore(drawn, folder)
        server.copy(DISTURBED, database)
        place.run(self.collect(place, server, database), folder)
        for how in ([], ["--threads"]):
            command = place.sahm("export", "s.sqlite", *how)
            if place.run(command, folder) != place.run(command, base / "calm"):
                raise Failure("results are lost, of the store and of the queue")

    def moments(self, records, extent, rng):
        """Where to stop: before each sync, when the server may know more than the disk has, and at a sample of the rest."""
        syncs = [i for i, (words, _) in enumerate(records) if words[0] in ("fsync", "fdatasync")]
        rest = sorted(set(range(len(records))) - set(syncs))
        return sorted(syncs + (rest if extent == "full" else rng.sample(rest, min(4, len(rest)))))

    def carry_out(self, work, seed):
        """Number of records, of states, and failures."""
        base = work.recorded / self.name
        base.mkdir()
        server = Server(base / "redis")
        failures, nr_states = [], 0
        try:
            self.prepare_queue(work.place, server, base)
            _, records = self.record(work.place, work.tracer, server, base, None)
            for moment in self.moments(records, work.extent, power_model.generator(seed, self.name)):
                disk, _ = self.record(work.place, work.tracer, server, base, moment)
                seen = set()
                for how in ("none", "all", "any 0", "any 1"):
                    drawn = disk.state(how.split()[0], power_model.generator(seed, self.name, moment, how))
                    key = power_model.digest(drawn)
                    if key in seen:
                        continue
                    seen.add(key)
                    nr_states += 1
                    try:
                        self.check_state(work.place, server, CALM + 1, drawn, base)
                    except Failure as failure:
                        failures.append(f"{self.name}, before record {moment + 1}, on disk: {how}\n    {failure}")
        finally:
            server.end()
        return len(records), nr_states, failures


SCENARIOS = [Collect()]
