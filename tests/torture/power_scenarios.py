"""What is under way when the power is lost, and what has to hold afterwards: the scenarios of power.py."""
import contextlib
import os
import re
import shutil
import subprocess

GUARD_S = 120


class Failure(Exception):
    """A promise that is not kept."""


class Place:
    """The program, and files that no scenario changes."""

    def __init__(self, program, tree, inputs):
        self.program, self.tree, self.inputs = program, tree, inputs
        inputs.mkdir(parents=True)

    def run(self, command, folder, codes=(0,)):
        """What a command prints; a Failure for other exit codes."""
        done = subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=GUARD_S, check=False)
        if done.returncode not in codes:
            said = done.stderr.decode(errors="replace").strip()
            raise Failure(f"exit code {done.returncode} of {' '.join(str(w) for w in command[1:])}: {said}")
        return done.returncode, done.stdout

    def sahm(self, *args):
        return [self.program, *args]


def is_plain(path):
    """Whether a file has to be whole: not a store, which has a log beside it, nor what is never called by this name."""
    return not re.search(r"\.sqlite$|\.sqlite-|\.part$|(^|/)\.sahm-", path)


def plain_files(folder):
    found = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            short = os.path.relpath(path, folder)
            if is_plain(short):
                with open(path, "rb") as f:
                    found[short] = f.read(), os.stat(path).st_mode & 0o7777
    return found


class Scenario:
    name = None
    tracing = ()
    jumps = False
    full_only = False
    once = False  # a step that has done all is not carried out again: it adds something, or refuses what is there already
    may_be_empty = ()  # files that are made before there is something to write
    unfinished = {}  # by its path, what a file says that a step has only begun

    def missing(self, place):
        """Why it cannot be tried here, or None."""

    def prepare(self, place, folder):
        """Makes what is in the folder at the beginning."""

    def steps(self, place):
        raise NotImplementedError

    def meanwhile(self, folder):
        """A context in which the steps are carried out when they are recorded."""
        return contextlib.nullcontext()

    def check_plain(self, folder, done, copies):
        """What is there under its name is what an acknowledged step left, or the one under way."""
        found, before = plain_files(folder), plain_files(copies[done])
        after = plain_files(copies[min(done + 1, len(copies) - 1)])
        for path, what in found.items():
            if what[0] == b"" and path in self.may_be_empty and path not in before:
                continue
            if path in self.unfinished and path not in before and self.unfinished[path] in what[0]:
                continue
            if what not in (before.get(path), after.get(path)):
                raise Failure(f"'{path}' is not whole: {len(what[0])} bytes, mode {what[1]:o}")
        for path in before:
            if path in after and path not in found:
                raise Failure(f"'{path}' is lost")

    def check_end(self, folder, copies):
        found, right = plain_files(folder), plain_files(copies[-1])
        for path, what in right.items():
            if found.get(path) != what:
                raise Failure(f"at the end '{path}' is {'other' if path in found else 'missing'}")
        if set(found) - set(right):
            raise Failure(f"at the end there are others: {sorted(set(found) - set(right))}")

    def first_left(self, folder, done, copies):
        """The step with which to go on. The end of one that nobody has seen may have come all the same."""
        return done + (self.once and done < len(copies) - 1 and plain_files(folder) == plain_files(copies[done + 1]))

    def go_on(self, place, folder, first):
        for step in self.steps(place)[first:]:
            place.run(step, folder)

    def check(self, place, folder, done, copies):
        self.check_plain(folder, done, copies)
        self.go_on(place, folder, self.first_left(folder, done, copies))
        self.check_end(folder, copies)


class Outputs(Scenario):
    """Files that are new, and files that are replaced, one of them private."""
    name = "outputs"

    def prepare(self, place, folder):
        place.run(place.sahm("sweep", place.tree / "configs/canonical.cfg", "--axis", "scheduler.inertia=0..3", "-q", "-o",
                             place.inputs / f"{self.name}.sqlite"), folder)
        (folder / "old.csv").write_bytes(b"what was there before\n" * 300)
        (folder / "run.json").write_bytes(b"{}\n")
        (folder / "run.json").chmod(0o600)

    def steps(self, place):
        gzip = place.tree / "workloads/suites/small/gzip.csv"
        return [place.sahm("export", place.inputs / f"{self.name}.sqlite", "--force", "-o", "new.csv"),
                place.sahm("export", place.inputs / f"{self.name}.sqlite", "--threads", "--force", "-o", "old.csv"),
                place.sahm("run", place.tree / "configs/canonical.cfg", "--json", "--force", "-o", "run.json",
                           "--timeline", "time.json"),
                place.sahm("trace", "import", "--force", "-o", "gzip.trc.zst", gzip),
                place.sahm("trace", "resample", "--epoch-ms", "7", "--force", "-o", "gzip.trc.zst", gzip)]


class NamedOutputs(Outputs):
    """The same where the file system has no files without names."""
    name = "outputs, named"
    tracing = ("-n",)


class Folders(Scenario):
    """Files in new folders."""
    name = "folders"
    once = True

    def steps(self, place):
        # Counts of a machine without a PMU; what stands for what is of no matter here.
        words = "-m instructions=1000000*task-clock -m branches=page-faults -m branch_misses=context-switches -a l1i_misses=0 " \
                "-m l1d_accesses=page-faults -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0"
        return [place.sahm("policy", "new", "mine"), place.sahm("ipu", "new", "probe"),
                place.sahm("trace", "import", "--each", "--force", "-o", "imported/", "-p", "source=synthetic", *words.split(),
                           place.tree / "tests/data/import/perf-modes/A.txt")]


class Report(Scenario):
    """A page, its figures by gnuplot, and their data."""
    name = "report"
    full_only = True
    unfinished = {"report/index.html": b"<title>Not finished</title>"}

    def missing(self, place):
        return None if shutil.which("gnuplot") else "gnuplot is not installed"

    def prepare(self, place, folder):
        place.run(place.sahm("sweep", place.tree / "configs/canonical.cfg", "--axis", "scheduler.inertia=0..3", "-q", "-o",
                             "report.sqlite"), folder)

    def steps(self, place):
        return [place.sahm("report", "-o", "report", "report.sqlite")]


class Record(Scenario):
    """A program recorded in an emulator, with its stream of instructions."""
    name = "record"

    def missing(self, place):
        try:
            self.prepare(place, place.inputs)
            place.run(self.command(place, "try"), place.inputs)
        except Failure as e:
            return str(e)
        return None

    def prepare(self, place, folder):
        (folder / "streams").mkdir()

    def command(self, place, name):
        return place.sahm("trace", "record", "--via", "qemu", "-p", "date=2026-01-01", "--epoch-instructions", "10000",
                          "--instructions", f"streams/{name}.stream", "--force", "-o", f"{name}.trc", "--", "/bin/true")

    def steps(self, place):
        return [self.command(place, "true")]


class Session(Scenario):
    """The calls of an IPU's session."""
    name = "session"
    once = True
    may_be_empty = ("session",)

    def prepare(self, place, folder):
        (folder / "accesses.csv").write_text("cycle,address,is_write\n0,0x400000,0\n100,0x1000,0\n200,0x1008,1\n300,0x5000,0\n"
                                             "400,0x400100,0\n500,0x1000,1\n")

    def steps(self, place):
        def ipu(call, *more):
            return place.sahm("ipu", call, "session", *more)
        return [ipu("attach", "--abi", "memory_access", "--units", "2"),
                ipu("config-image", "watch", "--set", "watch_first=0x1000", "--set", "watch_end=0x2000"),
                ipu("config-start", "0x400000"), ipu("config-stop", "0x400100"), ipu("feed", "accesses.csv"), ipu("finalize"),
                ipu("wait"), ipu("drain")]

    def check(self, place, folder, done, copies):
        self.check_plain(folder, done, copies)
        now = self.first_left(folder, done, copies)
        if now:
            status = place.sahm("ipu", "status", "session")
            if place.run(status, folder) != place.run(status, copies[now]):
                raise Failure("another status")
        self.go_on(place, folder, now)
        self.check_end(folder, copies)


class NamedSession(Session):
    name = "session, named"
    tracing = ("-n",)


class Keys(Scenario):
    """A pair of keys, and a signature."""
    name = "keys"
    once = True

    def prepare(self, place, folder):
        shutil.copy(place.tree / "ipu/programs/prebuilt/watch.elf", folder)

    def steps(self, place):
        return [place.sahm("ipu", "keygen", "mine"),
                place.sahm("ipu", "sign", "watch.elf", "--abi", "memory_access", "-k", "mine.key")]

    def check(self, place, folder, done, copies):
        self.check_plain(folder, done, copies)
        self.go_on(place, folder, self.first_left(folder, done, copies))
        # Keys differ each time. What one has signed the other verifies.
        if plain_files(folder).keys() != plain_files(copies[-1]).keys():
            raise Failure(f"at the end there are {sorted(plain_files(folder))}")
        place.run(place.sahm("ipu", "sign", "watch.elf", "--abi", "memory_access", "-k", "mine.key"), folder)
        public = (folder / "mine.pub").read_text()
        if not re.fullmatch(r".*\npublic: [0-9a-f]{64}\nid: [0-9a-f]+\n", public, re.S):
            raise Failure("at the end the public key is not whole")


class NamedKeys(Keys):
    name = "keys, named"
    tracing = ("-n",)


SCENARIOS = [Outputs(), NamedOutputs(), Folders(), Report(), Record(), Session(), NamedSession(), Keys(), NamedKeys()]
