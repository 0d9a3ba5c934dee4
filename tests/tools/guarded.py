"""Runs a command under guard, for tests with hostile inputs: its exit code must be 0, 1 or 2, without a signal or a sanitizer's
report, within time and memory."""
import os
import re
import resource
import signal
import subprocess
import threading
import time

# Of a sanitized program, the largest resident size.
MOST_BYTES = 1 << 30
SANITIZER = re.compile(rb'runtime error:|(Address|Leak|Thread|UndefinedBehavior)Sanitizer')
# How long SIGTERM may take.
GRACE_S = 5


class Broken(Exception):
    """What a command did that it must not do."""


class Result:
    def __init__(self, code, out, err, stopped):
        self.code, self.out, self.err, self.stopped = code, out, err, stopped


def environment(scratch):
    """That of a sanitized program whose temporary files would go to `scratch`."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(('SAHM_', 'XDG_', 'SQLITE_'))}
    env.update(TMPDIR=scratch, SQLITE_TMPDIR=scratch, HOME=scratch, LC_ALL='C', NO_COLOR='1',
               ASAN_OPTIONS='detect_leaks=1:abort_on_error=1', UBSAN_OPTIONS='print_stacktrace=1:halt_on_error=1',
               LSAN_OPTIONS='print_suppressions=0')
    return env


def wait(child, seconds):
    """What a child used that has ended; None when it did not."""
    end, pause = time.monotonic() + seconds, 0.001
    while True:
        pid, status, usage = os.wait4(child.pid, os.WNOHANG)
        if pid:
            child.returncode = os.waitstatus_to_exitcode(status)
            return usage
        if time.monotonic() > end:
            return None
        time.sleep(pause)
        pause = min(2 * pause, 0.05)


def run(command, env, seconds, may_stop=False, cwd=None, most_file_bytes=None):
    """The result of `command`; raises Broken. After `seconds` it gets SIGTERM, which must end it; this is allowed if `may_stop`.
    With `most_file_bytes`, no file that it writes can be larger."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if most_file_bytes is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_file_bytes, most_file_bytes))

    child = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, preexec_fn=limit, start_new_session=True)
    said = [b'', b'']
    readers = [threading.Thread(target=lambda i=i, pipe=pipe: said.__setitem__(i, pipe.read()), daemon=True)
               for i, pipe in enumerate((child.stdout, child.stderr))]
    for reader in readers:
        reader.start()
    stopped = False
    usage = wait(child, seconds)
    if not usage:
        stopped = True
        child.send_signal(signal.SIGTERM)
        usage = wait(child, GRACE_S)
    if not usage:
        os.killpg(child.pid, signal.SIGKILL)
        wait(child, GRACE_S)
        raise Broken('did not end within %d s, nor within %d s of SIGTERM' % (seconds, GRACE_S))
    for reader in readers:
        reader.join(GRACE_S)
    (out, err), code = said, child.returncode
    if SANITIZER.search(err):
        raise Broken('a sanitizer reports: ' + err.decode(errors='replace'))
    if stopped and not may_stop:
        raise Broken('did not end within %d s' % seconds)
    if code not in (0, 1, 2) and not (stopped and code in (-signal.SIGTERM, 128 + signal.SIGTERM)):
        raise Broken('ended with %d: %s' % (code, err.decode(errors='replace')))
    if usage.ru_maxrss * 1024 > MOST_BYTES:
        raise Broken('took %d MiB' % (usage.ru_maxrss >> 10))
    return Result(code, out, err, stopped)
