#!/usr/bin/env python3
"""Runs configurations with several extreme values at once: extreme_configs.py PROGRAM DRAW_CONFIG CASES [SEED [FIRST]].

DRAW_CONFIG (tests/draw/draw_config.c) draws each from the program's tables of keys. Half of them are runs, half sweeps that are
planned only. Each must be carried out, or be refused by a message that names file and line. It must end in time, unless its work is
beyond what a guard allows: then SIGTERM must end it. Prints counts, and what fails with the index to repeat; with EXTREME_KINDS=1 also
the kinds of messages."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import guarded  # noqa: E402

# The guard of runs whose work is known to fit, and of all others, which SIGTERM may end.
GUARD_S, LARGE_GUARD_S = 20, 2
# Threads times timesteps that a sanitized program does within the guard, whatever else the machine does.
GUARANTEED_WORK = 200000
# Of runs, at least this share is carried out, or the generator is of no use.
LEAST_ACCEPTED = 0.1


def work_of(text):
    word = text.split(b'\n', 1)[0].split()[-1]
    return float('inf') if word == b'unknown' else float(word)


def check_refusal(result, path):
    """Returns the one message; it must name file and line."""
    lines = result.err.decode(errors='replace').splitlines()
    errors = [line for line in lines if line.startswith('sahm: error: ')]
    if len(errors) != 1:
        raise guarded.Broken('exit code %d with %d messages: %s' % (result.code, len(errors), lines))
    said = errors[0][len('sahm: error: '):]
    # A sweep names the point before; what is missing altogether has no line.
    if not re.match(r'(point \d+ \(.*\): )?' + re.escape(path) + r'(:\d+)?: .', said):
        raise guarded.Broken('the message does not name file and line: ' + said)
    return said


def main():
    if len(sys.argv) not in (4, 5, 6):
        sys.exit(__doc__)
    program, draw = (os.path.abspath(path) for path in sys.argv[1:3])
    cases = int(sys.argv[3])
    seed = sys.argv[4] if len(sys.argv) > 4 else '1'
    first = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    scratch = tempfile.mkdtemp(prefix='sahm extreme.')
    path = os.path.join(scratch, 'extreme.cfg')
    env = guarded.environment(scratch)
    env['SAHM_DATA'] = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..'))
    counts, failures, kinds = {}, 0, {}
    for index in range(first, first + cases):
        kind = 'sweep' if index % 2 else 'run'
        text = subprocess.run([draw, kind, seed, str(index)], check=True, stdout=subprocess.PIPE).stdout
        with open(path, 'wb') as out:
            out.write(text)
        command = [program, 'run', path] if kind == 'run' else [program, 'sweep', '--dry-run', '-j', '1', path]
        try:
            is_large = work_of(text) > GUARANTEED_WORK
            result = guarded.run(command, env, LARGE_GUARD_S if is_large else GUARD_S, is_large, scratch)
            end = 'stopped' if result.stopped else 'refused' if result.code else 'accepted'
            if end == 'refused':
                said = re.sub(r'\d+', 'N', check_refusal(result, path).replace(path, ''))
                kinds[said] = kinds.get(said, 0) + 1
            if os.listdir(scratch) != ['extreme.cfg']:
                raise guarded.Broken('leaves files: %s' % os.listdir(scratch))
        except guarded.Broken as e:
            end = 'FAILED'
            failures += 1
            print('%s %s %d: %s' % (kind, seed, index, e))
        counts[kind, end] = counts.get((kind, end), 0) + 1
    shutil.rmtree(scratch)
    if os.environ.get('EXTREME_KINDS'):
        for said, nr in sorted(kinds.items(), key=lambda item: -item[1]):
            print('%6d %s' % (nr, said[:200]))
    for kind in 'run', 'sweep':
        print('%-5s %s' % (kind, ', '.join('%d %s' % (counts.get((kind, end), 0), end)
                                           for end in ('accepted', 'refused', 'stopped', 'FAILED'))))
    runs = sum(nr for (kind, _), nr in counts.items() if kind == 'run')
    if counts.get(('run', 'accepted'), 0) < LEAST_ACCEPTED * runs:
        print('too few runs are accepted: the generator is out of date')
        failures += 1
    return failures > 0


sys.exit(main())
