"""Scenarios of power.py with results databases."""
import contextlib
import fcntl
import os
import sqlite3
import struct

from power_scenarios import Failure, Scenario


class StoreScenario(Scenario):
    stores = ()
    jumps = True

    def rows(self, place, folder, store):
        """Lines of the export; None where nothing is planned yet."""
        try:
            return place.run(place.sahm("export", store), folder)[1].splitlines()
        except Failure as failure:
            # An empty file has the writer's lock until there is a store to put in its place.
            if "has no sweep" in str(failure) or (folder / store).stat().st_size == 0:
                return None
            raise

    def check_acknowledged(self, place, folder, copy):
        for store in self.stores:
            if not (copy / store).exists():
                continue
            if not (folder / store).exists():
                raise Failure(f"store '{store}' is lost")
            right = [row for row in self.rows(place, copy, store) or () if b",planned," not in row]
            missing = set(right) - set(self.rows(place, folder, store) or ())
            if missing:
                raise Failure(f"of '{store}' {len(missing)} of {len(right)} rows are lost: {sorted(missing)[0][:80]!r}")

    def check(self, place, folder, done, copies):
        self.check_plain(folder, done, copies)
        for store in self.stores:
            if (folder / store).exists():
                rows, manifest = self.rows(place, folder, store), store + ".manifest"
                # It stands for results that are there.
                if (folder / manifest).exists() and not (copies[done] / manifest).exists() and \
                        rows != self.rows(place, copies[done + 1], store):
                    raise Failure(f"'{manifest}' is there, and its results are not")
        self.check_acknowledged(place, folder, copies[done])
        self.go_on(place, folder, done)
        self.check_end(folder, copies)
        for store in self.stores:
            for how in ([], ["--threads"]):
                command = place.sahm("export", store, *how)
                if place.run(command, folder) != place.run(command, copies[-1]):
                    raise Failure(f"at the end '{store}' has other results")
            with sqlite3.connect(folder / store) as db:
                said = db.execute("PRAGMA integrity_check").fetchall()
            db.close()
            if said != [("ok",)]:
                raise Failure(f"at the end '{store}' is damaged: {said[0][0]}")


class Sweep(StoreScenario):
    name = "sweep"
    stores = ("s.sqlite",)

    def command(self, place, *more):
        return place.sahm("sweep", place.tree / "configs/canonical.cfg", "--axis", "scheduler.inertia=0..7", "-q", "-j", "2",
                          "-o", "s.sqlite", *more)

    def steps(self, place):
        return [self.command(place)]


class Resume(Sweep):
    """Parts of a sweep one after the other into one store, then all of it."""
    name = "resume"

    def steps(self, place):
        return [self.command(place, "--shard", "1/3"), self.command(place, "--shard", "2/3"), self.command(place)]


class Read(Sweep):
    """The same while somebody reads the store: the log stays beside it."""
    name = "read"
    readers_byte = 2**63 - 2  # results/store/store_lock.c

    def prepare(self, place, folder):
        place.run(self.command(place, "--shard", "1/3"), folder)

    def steps(self, place):
        return [self.command(place, "--shard", "2/3"), self.command(place)]

    @contextlib.contextmanager
    def meanwhile(self, folder):
        with open(folder / "s.sqlite", "rb") as store:
            fcntl.fcntl(store, fcntl.F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_RDLCK, os.SEEK_SET, self.readers_byte, 1, 0))
            yield
        if not (folder / "s.sqlite-wal").stat().st_size:
            raise Failure("no log is left")


class Merge(StoreScenario):
    """Three stores into a new one, then a fourth into that."""
    name = "merge"
    stores = ("all.sqlite",)

    def prepare(self, place, folder):
        for i in range(1, 5):
            place.run(place.sahm("sweep", place.tree / "configs/canonical.cfg", "--axis", "scheduler.inertia=0..7", "-q", "--shard",
                                 f"{i}/4", "-o", f"{i}.sqlite"), folder)

    def steps(self, place):
        return [place.sahm("merge", "all.sqlite", "1.sqlite", "2.sqlite", "3.sqlite"),
                place.sahm("merge", "all.sqlite", "4.sqlite")]

    def check(self, place, folder, done, copies):
        super().check(place, folder, done, copies)
        for i in range(1, 5):
            if (folder / f"{i}.sqlite").read_bytes() != (copies[0] / f"{i}.sqlite").read_bytes():
                raise Failure(f"'{i}.sqlite', which was only read, has changed")


class Rerun(StoreScenario):
    name = "rerun"
    stores = ("again.sqlite",)

    def prepare(self, place, folder):
        place.run(place.sahm("sweep", place.tree / "configs/canonical.cfg", "--axis", "scheduler.inertia=0..7", "-q", "-o",
                             "s.sqlite"), folder)

    def steps(self, place):
        return [place.sahm("rerun", "-q", "-o", "again.sqlite", "s.sqlite.manifest")]

    def go_on(self, place, folder, first):
        """It needs a new results file; the one begun is a sweep that can be continued."""
        if first == 0 and (folder / "again.sqlite").exists():
            place.run(place.sahm("sweep", "s.sqlite.manifest", "-q", "-o", "again.sqlite"), folder)
            (folder / "again.sqlite.manifest").unlink()
        else:
            super().go_on(place, folder, first)


SCENARIOS = [Sweep(), Resume(), Read(), Merge(), Rerun()]
