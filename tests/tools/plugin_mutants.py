#!/usr/bin/env python3
"""Damages plug-ins where the dynamic linker and sahm read them, and loads each in commands. However a mutant behaves, a command ends
with exit code 0 or 1, and with 1 it says in a message which plug-in is to blame.

    plugin_mutants.py SAHM COUNT [SEED]     mutants of the plug-ins in the folder `examples` beside SAHM

Prints what happened, by the part of the file that was changed. The same seed makes the same mutants of the same plug-ins."""
import collections
import concurrent.futures
import os
import random
import re
import struct
import sys
import tempfile

import guarded

# No command takes a tenth of it.
LONGEST_S = 100
STALL = ["--stall-timeout", "3"]
# The table: headings and the outcomes that each column counts. The last column of a command counts all other outcomes.
COLUMNS = {
    "check": [("accepted", ["works"]), ("refused", ["refused"]), ("died", ["loading died", "run died"]), ("other", None)],
    "run": [("works", ["works"]), ("not loaded", ["refused", "loading died"]), ("broke a rule", ["broke a rule"]), ("hung", ["hung"]),
            ("died", ["run died"]), ("other", None)],
}
CONFIG = """chip : { cores = ( { type = "baseline"; }, { type = "branch"; speedup_pct = 30.0; } ); };
workload : { duration_ms = 300; traces = ( "gzip.csv", "sort.csv", "xz.csv" ); };
"""
PT_DYNAMIC, SHT_RELA, SHT_DYNSYM = 2, 4, 11
R_RELATIVE = 8  # of x86-64
DT_NULL = 0


class Elf:
    """Where the parts of a 64-bit little-endian shared object are: lists of (offset, bytes) of fields."""

    def __init__(self, data):
        self.data = data
        if data[:6] != b"\x7fELF\x02\x01":
            sys.exit("plug-ins of another form than 64-bit little-endian ELF")
        phoff, shoff = struct.unpack_from("<QQ", data, 32)
        phnum, _, shnum, shstrndx = struct.unpack_from("<4H", data, 56)
        headers = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i) for i in range(shnum)]
        names = headers[shstrndx][4]
        self.sections = {}
        for h in headers:
            name = data[names + h[0]:data.index(b"\0", names + h[0])].decode()
            if h[1] != 8:  # SHT_NOBITS
                self.sections[name] = (h[4], h[5], h[3])
        fields = collections.OrderedDict()
        fields["ELF header"] = [(4, 1), (5, 1), (16, 2), (18, 2), (24, 8), (32, 8), (40, 8), (52, 2), (54, 2), (56, 2), (58, 2), (60, 2), (62, 2)]
        fields["program headers"] = [(phoff + 56 * i + at, nr) for i in range(phnum)
                                     for at, nr in ((0, 4), (4, 4), (8, 8), (16, 8), (32, 8), (40, 8), (48, 8))]
        fields["dynamic section"] = self.table(".dynamic", 16, ((0, 8), (8, 8)))
        fields["relocations"] = [f for name, h in zip(self.sections, self.sections.values()) if name.startswith(".rela")
                                 for f in self.table(name, 24, ((0, 8), (8, 4), (12, 4), (16, 8)))]
        fields["symbol table"] = self.table(".dynsym", 24, ((0, 4), (4, 1), (6, 2), (8, 8), (16, 8)))
        fields["strings and hashes"] = [f for name in (".dynstr", ".gnu.hash", ".gnu.version", ".gnu.version_r") for f in self.table(name, 1, ((0, 1),))]
        fields["operations"] = self.operations()
        fields["initialisers"] = [f for name in (".init_array", ".fini_array") for f in self.table(name, 8, ((0, 8),))] + \
            [(at, 8) for at, place in self.relatives() if self.is_in(place, ".init_array") or self.is_in(place, ".fini_array")]
        fields["code"] = [f for name in (".text", ".plt", ".init", ".fini") for f in self.table(name, 1, ((0, 1),))]
        self.fields = fields
        for name, places in fields.items():
            if not places:
                sys.exit("no " + name + " in the plug-in")

    def table(self, name, size, parts):
        offset, nr, _ = self.sections.get(name, (0, 0, 0))
        return [(offset + i + at, width) for i in range(0, nr - size + 1, size) for at, width in parts]

    def is_in(self, address, name):
        _, nr, start = self.sections.get(name, (0, 0, 0))
        return start <= address < start + nr

    def relatives(self):
        """Addends of relative relocations, and the addresses that they fill."""
        offset, nr, _ = self.sections.get(".rela.dyn", (0, 0, 0))
        for at in range(offset, offset + nr - 23, 24):
            place, info, _ = struct.unpack_from("<QQq", self.data, at)
            if info & 0xffffffff == R_RELATIVE:
                yield at + 16, place

    def operations(self):
        """The table of operations and what points to it: data that is constant once it is relocated, and pointers into it."""
        places = [(at, 8) for at, place in self.relatives() if self.is_in(place, ".data.rel.ro")]
        return places + self.table(".data.rel.ro", 4, ((0, 4),)) + self.table(".rodata", 1, ((0, 1),))


def change(rng, data, at, width):
    old = int.from_bytes(data[at:at + width], "little")
    most = (1 << 8 * width) - 1
    new = rng.choice((0, 1, most, most >> 1, old ^ 1 << rng.randrange(8 * width), old + rng.choice((-8, -1, 1, 8, 4096)), rng.randrange(most + 1),
                      rng.randrange(min(most, len(data)) + 1)))
    data[at:at + width] = (new & most).to_bytes(width, "little")


def mutate(rng, elf, part):
    data = bytearray(elf.data)
    if part == "length":
        return data[:rng.randrange(len(data))]
    places = elf.fields[part] if part != "any bytes" else [(at, 1) for at in range(len(data))]
    for _ in range(rng.choice((1, 1, 2, 4))):
        change(rng, data, *rng.choice(places))
    return data


def outcome_of(code, said):
    if code == 0:
        return "works"
    if "cannot be loaded: its process" in said or "cannot be loaded: it took longer" in said:
        return "loading died"
    if re.search(r"' makes no progress: ", said):
        return "hung"
    if re.search(r"' (crashes|ends the program) in |(policy|plug-in) '.*': its process", said):
        return "run died"
    return "refused" if re.search(r"\.so: |cannot open policy", said) else "broke a rule"


def try_one(sahm, env, work, number, name, data):
    """Outcomes of the commands by their names, and what is wrong."""
    path = os.path.join(work, "%d-%s.so" % (number, name))
    with open(path, "wb") as f:
        f.write(data)
    config = os.path.join(work, "c.cfg")
    study = os.path.join(work, "%d.study" % number)
    with open(study, "w") as f:
        f.write('policies = ( { policy = "sahm"; }, { policy = "%s"; } );\nsuites = ( { name = "a"; config = "%s"; } );\n'
                'costs_ms = [ 1.0 ];\nsubject = "sahm";\n' % (path, config))
    commands = [["policy", "check", path], ["run", config, "--policy", path] + STALL]
    if number % 10 == 0:
        commands += [["compare", "-q", study] + STALL, ["optimize", "-q", config, "--policy", path, "--cores", "1", "-j1"] + STALL,
                     ["sweep", "-q", config, "--policy", path, "-o", path + ".sqlite"] + STALL, ["limit", config, "--set", 'scheduler.policy="%s"' % path]]
    outcomes, wrong = [], []
    for words in commands:
        command = "check" if words[0] == "policy" else words[0]
        try:
            done = guarded.run([sahm] + words, env, LONGEST_S)
        except guarded.Broken as broken:
            wrong.append("%s %s" % (" ".join(words), broken))
            outcomes.append((command, "failed"))
            continue
        code, said = done.code, done.err.decode("utf-8", "replace")
        errors = [line for line in said.splitlines() if line.startswith("sahm: error: ")]
        if code == 2 or code == 1 and not errors:
            wrong.append("%s ended with %s: %s" % (" ".join(words), code, said[-300:]))
        elif code == 1 and command != "sweep" and path not in errors[-1] and "policy '" not in errors[-1]:
            wrong.append("%s does not name the plug-in: %s" % (" ".join(words), errors[-1]))
        outcomes.append((command, outcome_of(code, errors[-1] if errors else "")))
    if not wrong:
        for end in ("", ".sqlite", ".sqlite.manifest"):
            if os.path.exists(path + end):
                os.remove(path + end)
        os.remove(study)
    return outcomes, wrong


def cells(command, c):
    """One row's counts for a command; every mutant is in one of them."""
    named = {outcome for _, outcomes in COLUMNS[command] for outcome in outcomes or ()}
    found = {key[1]: nr for key, nr in c.items() if key[0] == command}
    row = [sum(found.get(o, 0) for o in outcomes) if outcomes else sum(nr for o, nr in found.items() if o not in named)
           for _, outcomes in COLUMNS[command]]
    assert sum(row) == c["mutants"], (command, row, c)
    return row


def main():
    sahm, nr_mutants = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    folder = os.path.join(os.path.dirname(sahm), "examples")
    if not os.path.isdir(folder):
        sys.exit("no folder %s: make examples" % folder)
    bases = [(name[:-3], Elf(open(os.path.join(folder, name), "rb").read())) for name in sorted(os.listdir(folder)) if name.endswith(".so")]
    counts, failures = collections.defaultdict(collections.Counter), []
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        env = dict(guarded.environment(work), SAHM_DATA=os.getcwd())
        with open(os.path.join(work, "c.cfg"), "w") as f:
            f.write(CONFIG)
        jobs = []
        for number in range(nr_mutants):
            rng = random.Random("%d %d" % (seed, number))
            name, elf = bases[number % len(bases)]
            parts = list(elf.fields) + ["length", "any bytes"]
            part = parts[number // len(bases) % len(parts)]
            jobs.append((number, part, pool.submit(try_one, sahm, env, work, number, name, bytes(mutate(rng, elf, part)))))
        for number, part, job in jobs:
            outcomes, wrong = job.result()
            failures += ["mutant %d of seed %d, %s: %s" % (number, seed, part, w) for w in wrong]
            counts[part]["mutants"] += 1
            counts[part].update(outcomes)
    headings = ["%s%s" % ("" if i else command + ": ", heading) for command, columns in COLUMNS.items() for i, (heading, _) in enumerate(columns)]
    print("| changed part | mutants | %s |" % " | ".join(headings))
    print("| --- |" + " --- |" * (1 + len(headings)))
    for part, c in list(counts.items()) + [("all", sum(counts.values(), collections.Counter()))]:
        row = [c["mutants"]] + [nr for command in COLUMNS for nr in cells(command, c)]
        print("| %s | %s |" % (part, " | ".join("{:,}".format(nr) for nr in row)))
    nr_others = sum(nr for c in counts.values() for key, nr in c.items() if key[0] not in ("check", "run") and key != "mutants")
    print("%d mutants, seed %d; %d more calls of compare, optimize, sweep and limit; %d failed" % (nr_mutants, seed, nr_others, len(failures)))
    total = sum(counts.values(), collections.Counter())
    for column in (("check", "loading died"), ("run", "run died")):
        if total[column] == 0:
            failures.append("no mutant reached '%s: %s': the test shows nothing" % column)
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
