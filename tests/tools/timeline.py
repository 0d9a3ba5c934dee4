#!/usr/bin/env python3
"""Reads a timeline in ftrace's text and plays it again: timeline.py FILE [RESULT.json [dispatches]].

Knows nothing of the program that wrote it, but the layout of the kernel's file `trace`, its print formats of sched_switch,
sched_wakeup and sched_migrate_task, and what an observer of a scheduler may take for granted: time does not go back; on a CPU
runs what was switched to last, and that is who is switched away from; nobody runs on two CPUs, or where he has not woken or
moved to. With a result of `sahm run --json` of the same run, times on CPU and moves must be those of the result.
`dispatches`: the policy of the result does, which is known of the built-in ones.
Prints events by kind, time on CPU, and time in which a CPU was idle while a thread waited, as it may where not every thread may
run everywhere."""
import json
import re
import sys

LINE = re.compile(r'^\s*(?P<task>\S+)-(?P<pid>\d+)\s+\[(?P<cpu>\d{3,})\]\s+(?P<flags>[a-zA-Z.]\S{3})\s+'
                  r'(?P<s>\d+)\.(?P<ns>\d{9}): (?P<event>\w+): (?P<args>.*)$')
ARGS = {
    'sched_switch': re.compile(r'^prev_comm=(\S+) prev_pid=(\d+) prev_prio=(\d+) prev_state=([RSDTtXZPI][+]?) ==> '
                               r'next_comm=(\S+) next_pid=(\d+) next_prio=(\d+)$'),
    'sched_wakeup': re.compile(r'^comm=(\S+) pid=(\d+) prio=(\d+) target_cpu=(\d{3,})$'),
    'sched_migrate_task': re.compile(r'^comm=(\S+) pid=(\d+) prio=(\d+) orig_cpu=(\d+) dest_cpu=(\d+)$'),
}


def play(lines, dispatches):
    running, place, ran, moves, names, kinds = {}, {}, {}, {}, {}, {}
    asleep, home, last, idle_ns = set(), {}, 0, 0
    nr_cpus = 0

    def fail(why):
        sys.exit('line %d: %s: %s' % (number, why, line))

    def named(pid, comm):
        if names.setdefault(pid, comm) != comm:
            fail('pid %d was called %s' % (pid, names[pid]))

    for number, line in enumerate(lines, 1):
        line = line.rstrip('\n')
        if line.startswith('#'):
            continue
        m = LINE.match(line)
        if not m:
            fail('no line of a trace')
        cpu, now, event = int(m['cpu']), int(m['s']) * 10**9 + int(m['ns']), m['event']
        args = ARGS[event].match(m['args']) if event in ARGS else None
        if not args:
            fail('no such event')
        if now < last:
            fail('time goes back')
        # Before all CPUs have been seen, nobody knows of those that are idle.
        busy = {who for who, _ in running.values() if who}
        if now > last and len(busy) < nr_cpus and len(place) - len(asleep) > len(busy):
            idle_ns += now - last
        last = now
        nr_cpus = max(nr_cpus, cpu + 1)
        kinds[event] = kinds.get(event, 0) + 1
        pid, since = running.get(cpu, (0, 0))
        if int(m['pid']) != pid or (m['task'] == '<idle>') != (pid == 0):
            fail('CPU %d runs pid %d' % (cpu, pid))
        if event == 'sched_switch':
            prev_comm, prev, _, state, next_comm, next_, _ = args.groups()
            prev, next_ = int(prev), int(next_)
            for comm, who in ((prev_comm, prev), (next_comm, next_)):
                if who == 0 and comm != 'swapper/%d' % cpu:
                    fail('an idle CPU is called swapper/%d' % cpu)
                if who:
                    named(who, comm)
            if prev != pid or prev == next_:
                fail('CPU %d runs pid %d' % (cpu, pid))
            if prev:
                ran[prev] = ran.get(prev, 0) + now - since
                if state in 'SX':
                    asleep.add(prev)
            if next_:
                # Where the policy dispatches, a thread may wake on one core and run on another; a move is to another core
                # than it ran on before.
                if dispatches and home.get(next_, cpu) != cpu:
                    moves[next_] = moves.get(next_, 0) + 1
                home[next_] = cpu
                if any(who == next_ for who, _ in running.values()):
                    fail('pid %d runs on two CPUs' % next_)
                if place.get(next_) != cpu or next_ in asleep:
                    fail('pid %d is not there' % next_)
            running[cpu] = (next_, now)
        elif event == 'sched_wakeup':
            comm, who, _, target = args.groups()
            named(int(who), comm)
            if int(who) in place and int(who) not in asleep:
                fail('it is awake')
            asleep.discard(int(who))
            place[int(who)] = int(target)
        else:
            comm, who, _, orig, dest = args.groups()
            named(int(who), comm)
            if place.get(int(who)) != int(orig) or any(p == int(who) for p, _ in running.values()):
                fail('it is not there, or runs')
            place[int(who)] = int(dest)
            if not dispatches:
                moves[int(who)] = moves.get(int(who), 0) + 1
    if any(pid for pid, _ in running.values()):
        sys.exit('somebody runs on when time is up')
    return ran, moves, names, kinds, idle_ns


def main():
    result = {'policy': ''}
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding='utf-8') as text:
            result = json.load(text)
    with open(sys.argv[1], encoding='utf-8') as trace:
        ran, moves, names, kinds, idle_ns = play(trace, result['policy'] in ('eas', 'fair') or 'dispatches' in sys.argv)
    for kind in sorted(kinds):
        print('%-20s %d' % (kind, kinds[kind]))
    print('%-20s %.9f s' % ('time on CPU', sum(ran.values()) / 1e9))
    print('%-20s %.9f s' % ('idle beside waiting', idle_ns / 1e9))
    if len(sys.argv) < 3:
        return
    if sum(moves.values()) != result['migrations']:
        sys.exit('%d moves, %d in the result' % (sum(moves.values()), result['migrations']))
    for pid, thread in enumerate(result['threads'], 1):
        if moves.get(pid, 0) != thread['migrations']:
            sys.exit('%s: %d moves, %d in the result' % (thread['name'], moves.get(pid, 0), thread['migrations']))
        if thread['present_ns'] and names.get(pid) != thread['name']:
            sys.exit('pid %d is %s, not %s' % (pid, names.get(pid), thread['name']))
    print('as in the result')


main()
