#!/usr/bin/env python3
"""Power losses: power.py PROGRAM TRACER CLOCKS quick|full [SCENARIO...] (power.sh builds the latter two).

A scenario is a list of commands, its steps. They are carried out once, followed by the tracer (power_log.c), which logs what they
change in their folder. A step that has ended with exit code 0 is acknowledged. power_model.py then says what a disk may hold
after each record of the log. For each such state, the scenario is taken up again in a folder that holds just that:

- A file under its final name is whole, and what was acknowledged is there, with the same bytes and mode.
- What is there can be read.
- The step that had not ended is carried out again, and then those after it: the end is that of the undisturbed run.

States are drawn by seeded generators (SAHM_POWER_SEED); `quick` takes some of each scenario. States that are the same by their
bytes count once."""
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile
import threading

import power_model
import power_queue
import power_scenarios
import power_stores
from power_scenarios import Failure, Place

SCENARIOS = power_stores.SCENARIOS + power_queue.SCENARIOS + power_scenarios.SCENARIOS
NAMED = ("all", "none", "names", "sizes", "data")
RANDOM = {"quick": 3, "full": 6}
LIMIT = {"quick": 24, "full": 600}
MAX_FAILURES = 8
SEED = os.environ.get("SAHM_POWER_SEED", "1")


class Recording:
    """The steps, carried out: the disk at the beginning, records with the number of steps acknowledged before each, and a copy
    of the folder before the first and after each step."""

    def __init__(self, scenario, place, tracer, clocks, base, syncs=True):
        self.folder, self.records, self.copies = base / "live", [], []
        self.folder.mkdir(parents=True)
        scenario.prepare(place, self.folder)
        self.disk = power_model.Disk(self.folder)
        self._copy(base)
        for i, step in enumerate(scenario.steps(place)):
            log = base / f"log.{i}"
            command = [tracer, *scenario.tracing, self.folder, log]
            # A clock that jumps makes a sweep commit at every opportunity.
            command += ["env", f"LD_PRELOAD={clocks}", "JUMP=all"] if scenario.jumps else []
            with scenario.meanwhile(self.folder):
                place.run(command + step, self.folder)
            self.records += [(i, words, data) for words, data in power_model.records(log)
                             if syncs or words[0] not in ("fsync", "fdatasync")]
            self._copy(base)

    def _copy(self, base):
        self.copies.append(base / f"after.{len(self.copies)}")
        shutil.copytree(self.folder, self.copies[-1])


def crash_points(recording):
    """Numbers of records after which one crashes, with how many steps are acknowledged then; 0 is before the first."""
    nr = len(recording.records)
    for i in range(nr + 1):
        done = recording.records[i - 1][0] if i else 0
        yield i, done
        # A process that waits for the end of a step knows of it before anything else is written.
        if i and (i == nr or recording.records[i][0] != done):
            yield i, done + 1


def choose(points, limit, nr_random, rng):
    """{point: [how]}: at ends of steps all that has a name, and a sample of the rest."""
    chosen, rest = {}, []
    for nr, point in enumerate(points):
        ends = nr and points[nr - 1][0] == point[0]
        for how in NAMED + tuple(f"any {k}" for k in range(nr_random)):
            (chosen.setdefault(point, []).append(how) if ends and how in NAMED else rest.append((point, how)))
    # Many states turn out to be the same.
    for point, how in rng.sample(rest, min(len(rest), limit * 3)):
        chosen.setdefault(point, []).append(how)
    return chosen


def states(scenario, recording, extent):
    """Different states: (done, what is there, where it comes from in words)."""
    rng = power_model.generator(SEED, scenario.name)
    points = list(crash_points(recording))
    chosen = choose(points, LIMIT[extent], RANDOM[extent], rng)
    seen, carried_out = set(), 0
    for point in points:
        while carried_out < point[0]:
            _, words, data = recording.records[carried_out]
            recording.disk.apply(words, data)
            carried_out += 1
        for how in chosen.get(point, ()):
            drawn = recording.disk.state(how.split()[0], power_model.generator(SEED, scenario.name, *point, how))
            key = power_model.digest(drawn, point[1])
            if key not in seen and len(seen) < LIMIT[extent]:
                seen.add(key)
                after = "\t".join(recording.records[point[0] - 1][1]) if point[0] else "the beginning"
                yield point[1], drawn, f"{scenario.name}, record {point[0]} ({after}), {point[1]} steps done, on disk: {how}"


class Checking:
    def __init__(self, scenario, place, recording, base):
        self.scenario, self.place, self.recording, self.base = scenario, place, recording, base
        self.room = threading.Semaphore(16)
        self.failures, self.nr = [], 0

    def check(self, nr, done, drawn, words):
        folder = self.base / f"state.{nr}"
        try:
            power_model.restore(drawn, folder)
            self.scenario.check(self.place, folder, done, self.recording.copies)
            shutil.rmtree(folder)
        except Failure as failure:
            self.failures.append(f"{words}\n    {failure}")
            keep = os.environ.get("SAHM_POWER_KEEP")
            if keep:
                shutil.copytree(folder, pathlib.Path(keep) / f"{self.scenario.name}.{nr}", dirs_exist_ok=True)
        except Exception as e:  # of this program
            self.failures.append(f"{words}\n    {e!r}")
        finally:
            self.room.release()

    def run(self, extent):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for done, drawn, words in states(self.scenario, self.recording, extent):
                if len(self.failures) >= MAX_FAILURES:
                    break
                self.room.acquire()
                pool.submit(self.check, self.nr, done, drawn, words)
                self.nr += 1


class Work:
    """Where scenarios are carried out and states checked."""

    def __init__(self, argv, recorded, checked):
        program, self.tracer, self.clocks, self.extent = argv
        self.recorded, self.checked = pathlib.Path(recorded), pathlib.Path(checked)
        self.place = Place(program, pathlib.Path.cwd(), self.recorded / "inputs")

    def carry_out(self, scenario, syncs=True):
        """Numbers of steps, records and states, and failures."""
        if hasattr(scenario, "carry_out"):
            return 1, *scenario.carry_out(self, SEED)
        base = self.recorded / f"{scenario.name} {syncs}"
        recording = Recording(scenario, self.place, self.tracer, self.clocks, base, syncs)
        checked = self.checked / f"{scenario.name} {syncs}"
        checked.mkdir()
        checking = Checking(scenario, self.place, recording, checked)
        checking.run(self.extent)
        shutil.rmtree(checked)
        return len(recording.copies) - 1, len(recording.records), checking.nr, checking.failures


def try_all(work, only):
    total = failed = 0
    skipped = []
    print(f"{'scenario':<18} {'steps':>5} {'records':>8} {'crash states':>13}")
    for scenario in SCENARIOS:
        if only and scenario.name not in only or work.extent == "quick" and scenario.full_only and not only:
            continue
        why = scenario.missing(work.place)
        if why:
            skipped.append(f"{scenario.name} ({why})")
            continue
        nr_steps, nr_records, nr, failures = work.carry_out(scenario)
        print(f"{scenario.name:<18} {nr_steps:>5} {nr_records:>8} {nr:>13}", flush=True)
        for failure in failures[:MAX_FAILURES]:
            print("FAILED: " + failure, flush=True)
        total, failed = total + nr, failed + len(failures)
    if not work.carry_out(SCENARIOS[0], syncs=False)[-1]:
        print("FAILED: nothing is lost when nothing is synced")
        failed += 1
    print(f"{total} crash states, {failed} failures")
    if skipped:
        print("not tried: " + ", ".join(skipped))
    return 1 if failed or not total else 77 if skipped else 0


def main():
    only = sys.argv[5:]
    unknown = set(only) - {s.name for s in SCENARIOS}
    if unknown:
        sys.exit(f"no scenario is called {', '.join(sorted(unknown))}")
    # In memory if there is room, since a state is as good there as on a disk.
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) and shutil.disk_usage("/dev/shm").free > 1 << 28 else None
    with tempfile.TemporaryDirectory(prefix="sahm power.") as recorded, \
            tempfile.TemporaryDirectory(prefix="sahm power.", dir=memory) as checked:
        sys.exit(try_all(Work(sys.argv[1:5], recorded, checked), only))


main()
