#!/usr/bin/env python3
"""Opens hostile results databases with every command that opens one: hostile_stores.py PROGRAM quick|full [NAME...].

draw_stores.py makes them out of a store that the program has filled. quick: each but the large ones with one command, in turn; full: each
with all commands, then some that were changed several times; NAME: those whose names contain it, with all commands. A command must end with exit
code 0, 1 or 2, within time and memory; it must change no file but those that it is to write, and a command that reads writes nothing,
not even a temporary file. Foreign databases are refused. Prints counts by outcome, and what fails."""
import hashlib
import os
import random
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import draw_stores  # noqa: E402
import guarded  # noqa: E402

GUARD_S = 60
# Large ones take seconds to make.
LARGE = re.compile(' MB|beyond number')
NR_COMBINED = 150
# What sim/base/clean.h replaces in text for people; bytes that are no UTF-8 are decoded to U+DC80 to U+DCFF.
UNCLEAN = re.compile('[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\udc80-\udcff]')
# How a line begins after the new line of draw_stores.LINES.
STRAY = re.compile('^b[\r?]c', re.MULTILINE)
AXIS = ['-a', 'scheduler.inertia=0..3', '-a', 'scheduler.policy=sahm,fair', '-s', 'workload.duration_ms=50', '-j', '1']
QUESTIONS = [], ['best'], ['axes'], ['pareto'], ['point', '0'], ['failed'], ['missing'], ['threads'], ['config']
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
CONFIG = os.path.join(ROOT, 'configs', 'canonical.cfg')


class Scene:
    """The scratch folders: clean (stores that the program made), case (the hostile one), victims, out."""

    def __init__(self, program):
        self.program = program
        self.top = tempfile.mkdtemp(prefix='sahm stores.')
        for name in 'clean', 'case', 'victims', 'out', 'tmp':
            os.mkdir(self.path(name))
        self.env = guarded.environment(self.path('tmp'))
        self.env['SAHM_DATA'] = ROOT
        self.clean = self.path('clean', 's.sqlite')
        self.other = self.path('clean', 'other.sqlite')
        self.run([program, 'sweep', CONFIG, '-o', self.clean] + AXIS)
        self.run([program, 'sweep', CONFIG, '-o', self.other] + AXIS + ['-s', 'scheduler.timestep_ms=5'])
        with open(self.path('victims', 'key'), 'w') as f:
            f.write('secret')
        # What a journal of several databases names, in the form that SQLite would delete.
        with open(self.path('victims', 'super'), 'wb') as f:
            f.write(os.fsencode(self.path('case', 's.sqlite-journal')) + b'\0')
        self.redis = start_redis(self.path('tmp'))
        self.tmp = self.state('tmp')

    def path(self, *names):
        return os.path.join(self.top, *names)

    def run(self, command, **more):
        return guarded.run(command, self.env, GUARD_S, cwd=self.path('out'), **more)

    def state(self, name):
        """What there is in a folder, and its contents."""
        found = {}
        for folder, folders, files in os.walk(self.path(name)):
            for file in files + folders:
                path = os.path.join(folder, file)
                st = os.lstat(path)
                content = None
                if stat.S_ISREG(st.st_mode) and st.st_size < 1 << 28:
                    with open(path, 'rb') as f:
                        content = hashlib.sha256(f.read()).digest()
                elif stat.S_ISLNK(st.st_mode):
                    content = os.readlink(path)
                found[path] = (stat.S_IFMT(st.st_mode), st.st_size if not stat.S_ISDIR(st.st_mode) else 0, st.st_ino, st.st_uid, content)
        return found

    def make(self, changes, seed):
        """Makes the case again, the same each time."""
        for name in 'case', 'out':
            shutil.rmtree(self.path(name))
            os.mkdir(self.path(name))
        site = draw_stores.Site(self.path('case'), self.path('victims'), self.clean, random.Random(seed))
        for change in changes:
            change(site)
        return site.db

    def commands(self, db, turn):
        """(arguments, what it may write in the case: names, or None for a command that writes nothing at all); forms take turns"""
        out = self.path('out')
        for nr, question in enumerate(QUESTIONS):
            yield ['query', db] + question + ([], ['--json'], ['--csv'])[(nr + turn) % 3], None
        yield ['query', db, 'worst', '-w', 'scheduler.policy=fair'], None
        for options in [], ['--jsonl'], ['--threads'], ['--timings', '--jsonl']:
            yield ['export', db] + options, None
        for word in '', 'scheduler.policy=':
            yield ['completion', '--words', '--', 'query', db, '-w', word], None
        yield ['report', db, '--no-plots', '-o', os.path.join(out, 'report')], ()
        yield ['merge', os.path.join(out, 'merged.sqlite'), db], ()
        yield ['merge', os.path.join(out, 'merged.sqlite'), self.other, db], ()
        written = ('s.sqlite', 's.sqlite-wal', 's.sqlite-shm', 's.sqlite.manifest')
        yield ['merge', db, self.other], written
        yield ['sweep', CONFIG, '-o', db] + AXIS, written
        yield ['sweep', CONFIG, '-o', db, '--retry-failed', '--mix-versions'] + AXIS + ['-s', 'scheduler.timestep_ms=20'], written
        yield ['rerun', self.clean + '.manifest', '-j', '1', '-o', db], written
        if self.redis:
            yield ['collect', '--redis', self.redis[1], '--now', db], written

    def try_one(self, arguments, written, refuse):
        """Runs a command on the case; returns 'accepted' or 'refused', raises guarded.Broken."""
        before, victims, clean = self.state('case'), self.state('victims'), self.state('clean')
        result = self.run([self.program] + arguments, most_file_bytes=0 if written is None else 1 << 28)
        said = result.err.decode('utf-8', 'surrogateescape')
        # Data for other programs follows other rules.
        is_data = arguments[0] in ('export', 'completion') or arguments[-1] in ('--json', '--csv')
        shown = '' if is_data else result.out.decode('utf-8', 'surrogateescape')
        for name, text in ('error', said), ('output', shown):
            # A configuration has separate lines.
            found = UNCLEAN.search(text) or (arguments[-1] != 'config' and STRAY.search(text))
            if found:
                raise guarded.Broken('standard %s is not clean: %r' % (name, text[max(0, found.start() - 500):found.start() + 500]))
        if result.code and not said.startswith('sahm: '):
            raise guarded.Broken('exit code %d without a message: %r' % (result.code, said[:2000]))
        if self.state('victims') != victims or self.state('clean') != clean or self.state('tmp') != self.tmp:
            raise guarded.Broken('changes other files: %s' % difference(victims, self.state('victims')))
        changed = difference(before, self.state('case'))
        if [name for name in changed if refuse or name not in (written or ())]:
            raise guarded.Broken('changes %s (%s)' % (', '.join(changed), said.strip()))
        if refuse and result.code == 0 and arguments[0] != 'completion':
            raise guarded.Broken('is not refused: %s' % said)
        return 'refused' if result.code else 'accepted'


def difference(before, after):
    return sorted({os.path.basename(path) for path in set(before) | set(after) if before.get(path) != after.get(path)})


def start_redis(folder):
    """A server of our own and its address; None where there is none."""
    if not shutil.which('redis-server'):
        print('collect: not tried, redis-server is not installed')
        return None
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        port = s.getsockname()[1]
    server = subprocess.Popen(['redis-server', '--port', str(port), '--save', '', '--appendonly', 'no', '--dir', folder],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(200):
        with socket.socket() as s:
            if s.connect_ex(('127.0.0.1', port)) == 0:
                return server, 'redis://127.0.0.1:%d' % port
        time.sleep(0.05)
    server.kill()
    raise SystemExit('redis-server does not start')


def cases(extent, names):
    """(name, whether it must be refused, changes, seed)"""
    for nr, (name, refuse, change) in enumerate(draw_stores.MUTATIONS):
        if any(n in name for n in names) if names else extent == 'full' or not LARGE.search(name):
            yield name, refuse, [change], nr
    for nr in range(NR_COMBINED if extent == 'full' else 0):
        rng = random.Random(1000 + nr)
        chosen = rng.sample(draw_stores.COMBINED, rng.randrange(2, 5))
        name = ' and '.join(name for name, _ in chosen)
        # A change that finds its rows gone is none.
        if not names or any(n in name for n in names):
            yield name, False, [tolerant(change) for _, change in chosen], 1000 + nr


def tolerant(change):
    def changed(site):
        try:
            change(site)
        except (draw_stores.sqlite3.Error, TypeError):
            pass
    return changed


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in ('quick', 'full'):
        sys.exit(__doc__)
    extent, names = sys.argv[2], sys.argv[3:]
    # The server and the folders go whatever ends the test.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if os.geteuid() != 0:
        print("not tried: companions of another user (needs root)")
    scene = Scene(os.path.abspath(sys.argv[1]))
    counts, failures, nr_cases, slowest = {}, 0, 0, (0, '')
    try:
        for name, refuse, changes, seed in cases(extent, names):
            try:
                scene.make(changes, seed)
            except draw_stores.sqlite3.OperationalError as e:
                # Python's SQLite may lack virtual tables.
                if 'no such module' not in str(e):
                    raise
                print('not tried: %s: %s' % (name, e))
                continue
            nr_cases += 1
            commands = list(scene.commands(scene.path('case', 's.sqlite'), nr_cases))
            if extent == 'quick' and not names:
                commands = [commands[nr_cases % len(commands)]]
            for arguments, written in commands:
                if written:
                    scene.make(changes, seed)
                started = time.monotonic()
                try:
                    end = scene.try_one(arguments, written, refuse)
                except guarded.Broken as e:
                    end = 'FAILED'
                    failures += 1
                    print('%s: %s: %s' % (name, ' '.join(arguments).replace(scene.top, '$T'), str(e).replace(scene.top, '$T')), flush=True)
                    scene.make(changes, seed)
                slowest = max(slowest, (time.monotonic() - started, '%s: %s' % (name, ' '.join(arguments).replace(scene.top, '$T'))))
                counts[end] = counts.get(end, 0) + 1
    finally:
        if scene.redis:
            scene.redis[0].kill()
            scene.redis[0].wait()
        shutil.rmtree(scene.top)
    print('%d databases, %d commands: %s' % (nr_cases, sum(counts.values()), ', '.join(
        '%d %s' % (counts.get(end, 0), end) for end in ('accepted', 'refused', 'FAILED'))))
    print('slowest: %.1f s, %s' % slowest)
    return failures > 0


sys.exit(main())
