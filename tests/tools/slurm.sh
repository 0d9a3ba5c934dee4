#!/bin/bash
# The examples for Slurm, submitted to one of this machine's own: slurm.sh PROGRAM. An array and what merges it come to what
# one sweep comes to; so does an array whose tasks are cancelled, killed or told to stop, requeued or submitted again. Runs
# that were brought back by then are not done twice.
set -u
PATH=$PATH:/usr/sbin
for daemon in munged slurmctld slurmd sbatch scontrol squeue scancel; do
	command -v $daemon >/dev/null || { echo "$daemon is not installed (slurmctld, slurmd, slurm-client, munge)"; exit 77; }
done
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "slurmd wants to be root"; exit 77; }
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tree=$PWD
T=$(mktemp -d "${TMPDIR:-/tmp}/sahm slurm.XXXXXX") || exit 2
daemons=()
# The jobs' processes are slurmd's; they end with their jobs.
stop_all() {
	[ "${#daemons[@]}" -lt 3 ] || scancel --full --signal=KILL --state=RUNNING 2>/dev/null
	for ((d = ${#daemons[@]} - 1; d >= 0; d--)); do
		kill "${daemons[$d]}" 2>/dev/null
		for _ in $(seq 50); do kill -0 "${daemons[$d]}" 2>/dev/null || break; sleep 0.1; done
		kill -KILL "${daemons[$d]}" 2>/dev/null
	done
	wait 2>/dev/null
	rm -rf "$T"
}
trap stop_all EXIT
trap 'exit 1' INT TERM HUP
fail() {
	echo "slurm: $*" >&2
	tail -n 30 "$T"/place/slurm-*.out >&2
	tail -n 20 "$T"/*.log >&2
	exit 1
}

# A cluster of one machine, with ports of its own and no cgroups.
host=$(hostname -s)
mkdir "$T/state" "$T/spool" "$T/bin" "$T/place" "$T/scratch"
chmod 755 "$T"
head -c 1024 /dev/urandom >"$T/key"
chmod 400 "$T/key"
read -r port_slurmctld port_slurmd < <(python3 -c '
import socket
ends = [socket.socket(), socket.socket()]
for end in ends:
    end.bind(("127.0.0.1", 0))
print(*[end.getsockname()[1] for end in ends])')
export SLURM_CONF="$T/slurm.conf"
cat >"$SLURM_CONF" <<END
ClusterName=sahm
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port_slurmctld
SlurmdPort=$port_slurmd
SlurmUser=root
AuthType=auth/munge
# A task that is requeued waits for what let the last one in to expire.
AuthInfo="socket=$T/munge.socket,cred_expire=5"
CredType=cred/munge
StateSaveLocation="$T/state"
SlurmdSpoolDir="$T/spool"
SlurmctldPidFile="$T/slurmctld.pid"
SlurmdPidFile="$T/slurmd.pid"
SlurmctldLogFile="$T/slurmctld.log"
SlurmdLogFile="$T/slurmd.log"
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
KillWait=5
MailProg=/bin/true
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=3 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
munged --foreground --force --socket="$T/munge.socket" --key-file="$T/key" --pid-file="$T/munged.pid" \
	--seed-file="$T/munged.seed" --log-file="$T/munged.log" >"$T/munged.out" 2>&1 &
daemons+=($!)
for _ in $(seq 100); do [ -S "$T/munge.socket" ] && break; sleep 0.1; done
slurmctld -D >/dev/null 2>&1 &
daemons+=($!)
slurmd -D >/dev/null 2>&1 &
daemons+=($!)
for _ in $(seq 150); do
	sinfo --noheader --format=%T 2>/dev/null | grep -q '^idle$' && break
	sleep 0.2
done
sinfo --noheader --format=%T 2>/dev/null | grep -q '^idle$' || fail "the cluster does not get ready"
slurmctld -V

ln -s "$program" "$T/bin/sahm"
export PATH="$T/bin:$PATH" TMPDIR="$T/scratch"
cd "$T/place" || exit 2
examples=$tree/docs/examples/slurm

job() { sbatch --parsable --time=5 "$@" || fail "sbatch $*"; }
states() { scontrol --oneliner show job "$1" 2>/dev/null | grep -o 'JobState=[A-Z_]*' | sort -u; }
ended() { # JOB: waits for it to end, however it does
	for _ in $(seq 600); do
		states "$1" | grep -q 'PENDING\|RUNNING\|COMPLETING\|CONFIGURING\|REQUEUE\|SUSPENDED' || return 0
		sleep 0.1
	done
	fail "job $1 does not end: $(squeue --noheader)"
}
same() { # FOLDER: its store is that of the local sweep
	for what in "" --threads; do
		sahm export local.sqlite $what >local.csv || fail "no export"
		sahm export "$1/all.sqlite" $what >merged.csv || fail "$1: no export"
		cmp local.csv merged.csv || fail "$1: other results $what"
	done
	cmp local.sqlite.manifest "$1/all.sqlite.manifest" || fail "$1: another manifest"
	[ -z "$(find "$1" -name '.*.sqlite*')" ] || fail "$1: something is left"
}
has_done() { sahm query "$1" 2>/dev/null | awk '/done  failed  planned/ { getline; getline; print $5 }'; }

# 1. Eight tasks, and what waits for them.
axes=(--axis scheduler.inertia=0..10 --axis migration.cost_ms=0..9 --set workload.duration_ms=300000)
config=$tree/configs/realistic-39.cfg
sahm sweep "$config" "${axes[@]}" -q -o local.sqlite || fail "the local sweep fails"
array=$(job --array=1-8 --cpus-per-task=1 "$examples/sweep.sbatch" "$config" "eight parts" "${axes[@]}") || exit 1
merging=$(job --dependency="afterok:$array" --kill-on-invalid-dep=yes "$examples/merge.sbatch" "$config" "eight parts" "${axes[@]}") || exit 1
ended "$array"
ended "$merging"
[ "$(states "$array")" = JobState=COMPLETED ] || fail "the array ends with $(states "$array")"
[ "$(states "$merging")" = JobState=COMPLETED ] || fail "the merging ends with $(states "$merging")"
[ "$(find "eight parts" -name 'part-*-of-8.sqlite' | wc -l)" -eq 8 ] || fail "not eight parts"
grep -q '110 different, of which 110 the results file has already' "slurm-$merging.out" || fail "the parts are not all"
same "eight parts"
echo "array of 8 tasks, merged: the same as one sweep"

# 2. Runs of a tenth of a second. One task is cancelled, one is killed without a word, as when the machine fails, and one gets
# what the limit of time sends.
axes=(--axis scheduler.inertia=0..10 --axis migration.cost_ms=0..8 --set workload.duration_ms=30000000)
rm local.*
sahm sweep "$config" "${axes[@]}" -q -o local.sqlite || fail "the local sweep fails"
export SAHM_SAVE_S=1
array=$(job --array=1-3 --cpus-per-task=1 "$examples/sweep.sbatch" "$config" parts "${axes[@]}") || exit 1
for i in 1 2 3; do
	for _ in $(seq 300); do
		case $(has_done parts/part-$i-of-3.sqlite) in "" | 0) sleep 0.1 ;; *) break ;; esac
	done
done
scancel --full --signal=KILL "${array}_1"
# shellcheck disable=SC2046
kill -KILL $(scontrol listpids "$(squeue --noheader --jobs="${array}_2" --format=%A)" | awk 'NR > 1 && $1 > 0 { print $1 }') || fail "nothing to kill"
scancel --batch --signal=TERM "${array}_3"
ended "$array"
grep -q "interrupted: " "slurm-${array}_3.out" || fail "the third task was not interrupted"
had=()
for i in 1 2 3; do
	had[i]=$(has_done parts/part-$i-of-3.sqlite)
	[ "${had[i]}" -gt 0 ] && [ "${had[i]}" -lt 33 ] || fail "task $i has left ${had[i]} of 33 runs"
done
echo "cancelled after ${had[1]} ($(states "${array}_1")), killed after ${had[2]} ($(states "${array}_2"))," \
	"stopped after ${had[3]} ($(states "${array}_3")) of 33 runs"

# Two are requeued; one is submitted again, which needs the number of parts there are.
scontrol requeue "${array}_1,${array}_2" || fail "the tasks cannot be requeued"
refused=$(job --array=3 --cpus-per-task=1 "$examples/sweep.sbatch" "$config" parts "${axes[@]}") || exit 1
again=$(SAHM_SHARDS=3 job --array=3 --cpus-per-task=1 "$examples/sweep.sbatch" "$config" parts "${axes[@]}") || exit 1
ended "$refused"
grep -q 'set SAHM_SHARDS' "slurm-${refused}_3.out" || fail "a part of an array takes itself for the whole"
ended "$array"
ended "$again"
for said in 1:$array 2:$array 3:$again; do
	i=${said%:*}
	grep -q "33 different, of which ${had[i]} the results file has already" "slurm-${said#*:}_$i.out" || fail "task $i does not go on"
done
merging=$(job "$examples/merge.sbatch" "$config" parts "${axes[@]}") || exit 1
ended "$merging"
grep -q '99 different, of which 99 the results file has already' "slurm-$merging.out" || fail "the parts are not all"
same parts
echo "requeued and submitted again: the same as one sweep, and nothing was done twice"
! pgrep -f "$T/scratch" >/dev/null || fail "processes are left"
