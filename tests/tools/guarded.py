"""Runs a command under guard, for tests with hostile inputs: its exit code must be 0, 1 or 2, without a signal or a sanitizer's
report, within time and memory."""
import os
import re
import resource
import signal
import subprocess

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


def run(command, env, seconds, may_stop=False, cwd=None, most_file_bytes=None):
    """The result of `command`; raises Broken. After `seconds` it gets SIGTERM, which must end it; this is allowed if `may_stop`.
    With `most_file_bytes`, no file that it writes can be larger."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if most_file_bytes is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_file_bytes, most_file_bytes))

    stopped = False
    child = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, preexec_fn=limit, start_new_session=True)
    try:
        out, err = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        stopped = True
        child.send_signal(signal.SIGTERM)
        try:
            out, err = child.communicate(timeout=GRACE_S)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            raise Broken('did not end within %d s, nor within %d s of SIGTERM' % (seconds, GRACE_S)) from None
    code = child.returncode
    if SANITIZER.search(err):
        raise Broken('a sanitizer reports: ' + err.decode(errors='replace'))
    if stopped and not may_stop:
        raise Broken('did not end within %d s' % seconds)
    if code not in (0, 1, 2) and not (stopped and code in (-signal.SIGTERM, 128 + signal.SIGTERM)):
        raise Broken('ended with %d: %s' % (code, err.decode(errors='replace')))
    if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 > MOST_BYTES:
        raise Broken('took more than %d MiB' % (MOST_BYTES >> 20))
    return Result(code, out, err, stopped)
