# Sourced by faults.sh: the commands that write files, by name, and what they need.

tree=$(pwd)

# Everything that does not need more than what came with the program; `record` is added where QEMU is there.
commands="run timeline timeline-zst characterize import import-csv resample trace-export slice synth bursts sweep export
	report merge rerun reproduce limit optimize compare ipu-run ipu-signals ipu-session policy-new ipu-new keygen sign"

# Makes what commands read, in $inputs.
make_inputs() {
	mkdir "$inputs" || return 1
	"$program" trace import -o "$inputs/gzip.trc" "$tree/workloads/suites/small/gzip.csv" &&
		"$program" sweep "$tree/configs/canonical.cfg" --axis scheduler.inertia=0..3 -q -o "$inputs/store.sqlite" &&
		"$program" ipu keygen "$inputs/lab" >/dev/null || return 1
	cp "$tree/ipu/programs/prebuilt/watch.elf" "$tree/tests/data/sched/synthetic-perf.txt" "$inputs" || return 1
	printf 'address,is_write\n1,0\n2,1\n3,0\n' >"$inputs/signals.csv"
	grep -v '^idle\|^video\|^game' "$tree/workloads/suites/synthetic/phone.profile" >"$inputs/two.profile"
	cat >"$inputs/study.cfg" <<'CFG'
costs_ms = [0.0, 1.0];
suites = ( { name = "one"; config = "canonical.cfg"; } );
policies = ( { policy = "static"; }, { policy = "sahm"; } );
subject = "sahm";
reference = "static";
CFG
	sed "s@\.\./workloads@$tree/workloads@" "$tree/configs/canonical.cfg" >"$inputs/canonical.cfg"
}

# make_place NAME FOLDER: the folder again, with the neighbours of an output.
make_place() {
	rm -rf "$2" && mkdir -p "$2" && { [ "$1" != sign ] || cp "$inputs/watch.elf" "$2"; }
}

# command_of NAME: sets `command`, which writes into the folder it is called in.
command_of() {
	command=("$program")
	case $1 in
	run) command+=(run "$inputs/canonical.cfg" --json -o run.json) ;;
	timeline) command+=(run "$inputs/canonical.cfg" --timeline timeline.json -o run.txt) ;;
	timeline-zst) command+=(run "$inputs/canonical.cfg" --timeline timeline.ftrace.zst -o run.txt) ;;
	characterize) command+=(characterize --plot plot "$inputs/gzip.trc" "$tree/workloads/suites/small/cc1.csv") ;;
	import) command+=(trace import -o import.trc "$tree/workloads/suites/small/gzip.csv") ;;
	import-csv) command+=(trace import -o import.csv.zst "$tree/workloads/suites/small/gzip.csv") ;;
	resample) command+=(trace resample --epoch-ms 7 -o resample.trc "$inputs/gzip.trc") ;;
	trace-export) command+=(trace export -o export.csv "$inputs/gzip.trc") ;;
	slice) command+=(trace slice --to-epoch 50 -o slice.trc.zst "$inputs/gzip.trc") ;;
	synth) command+=(trace synth -o synth "$inputs/two.profile") ;;
	bursts) command+=(trace bursts -o bursts.csv --tid 101 -p source=synthetic "$inputs/synthetic-perf.txt") ;;
	record) command+=(trace record --via qemu -p date=2026-01-01 --epoch-instructions 10000 -o record.trc -- /bin/true) ;;
	sweep) command+=(sweep "$inputs/canonical.cfg" --axis scheduler.inertia=0..19 -q -j 2 -o sweep.sqlite) ;;
	export) command+=(export --threads -o export.csv "$inputs/store.sqlite") ;;
	report) command+=(report -o report "$inputs/store.sqlite") ;;
	merge) command+=(merge merged.sqlite "$inputs/store.sqlite") ;;
	rerun) command+=(rerun -q -o rerun.sqlite "$inputs/store.sqlite.manifest") ;;
	reproduce) command+=(reproduce -o reproduced 4.3) ;;
	limit) command+=(limit --json -o limit.json "$inputs/gzip.trc") ;;
	optimize) command+=(optimize --cores 3 --json -o best.json "$inputs/canonical.cfg") ;;
	compare) command+=(compare --csv -o compare.csv "$inputs/study.cfg") ;;
	ipu-run) command+=(ipu run watch --abi memory_access --signals "$inputs/signals.csv" --packets packets.csv) ;;
	ipu-signals) command+=(ipu signals --abi memory_access "$inputs/signals.csv" signals.bin) ;;
	ipu-session) command+=(ipu attach session --abi memory_access) ;;
	policy-new) command+=(policy new mine) ;;
	ipu-new) command+=(ipu new mine) ;;
	keygen) command+=(ipu keygen mine) ;;
	sign) command+=(ipu sign watch.elf --abi memory_access -k "$inputs/lab.key") ;;
	esac
}
