# Every command of the program, as something that can be tried again and again: scenario NAME [WORD=VALUE]... -- COMMAND... (see
# scenarios.sh). Sourced by the tests that disturb commands, one after the other, and look at what comes of it. A command without
# a scenario fails them.

# ---- Material ----

data=$tree/tests/data/import
canonical=$tree/configs/canonical.cfg
short=(--set workload.duration_ms=500)
space=("$canonical" "${short[@]}" --axis scheduler.inertia=0..1 --axis migration.cost_ms=0,1 -j 1)
image=$tree/ipu/programs/prebuilt
mkdir "$T/in"
quietly() { "$@" >"$T/said" 2>&1 || { cat "$T/said" >&2; fail "exit code $?: $*"; }; }
quietly sahm sweep "${space[@]}" --set workload.samples=2 -o "$T/in/s.sqlite"
quietly sahm sweep "${space[@]}" --shard 1/2 -o "$T/in/1.sqlite"
quietly sahm sweep "${space[@]}" --shard 2/2 -o "$T/in/2.sqlite"
quietly sahm sweep "${space[@]}" -o "$T/in/all.sqlite"
quietly sahm export "$T/in/all.sqlite" -o "$T/in/all.csv"
quietly sahm trace import "$tree/workloads/suites/small/gzip.csv" -o "$T/in/gzip.trc"
head -n 60 "$tree/workloads/suites/small/gzip.csv" >"$T/in/short.csv"
gzip -c "$tree/tests/data/streams/champsim-synthetic.trace" >"$T/in/champsim.gz"
gzip -c "$tree/tests/data/graph/dot-product.trace" >"$T/in/graph.gz"
quietly sahm ipu keygen "$T/in/somebody"
cp "$image/watch.elf" "$T/in/watch.elf"
quietly sahm ipu sign --key "$T/in/somebody.key" --abi memory_access "$T/in/watch.elf"
printf 'cycle,address,is_write\n0,0x1000,0\n50,0xfff,1\n100,0x2000,1\n150,0x1fff,0\n200,4096,1\n' >"$T/in/accesses.csv"
printf 'cycle,simt_active,tensor_active,memory_active\n0,1,0,1\n100,0,1,1\n599,,,\n' >"$T/in/units.csv"
printf 'time_ns,instructions,cycles,branches,branch_misses,l1i_misses,l1d_accesses,l1d_misses,l2_accesses,l2_misses\n' >"$T/in/table.csv"
printf '%d,1000000,900000,1000,10,20,3000,40,50,6\n' 100000000 200000000 300000000 >>"$T/in/table.csv"
printf 'costs_ms = [0.0, 1.0];\nsuites = ( { name = "one"; config = "%s"; } );\npolicies = ( { policy = "sahm"; }, { policy = "fair"; } );\nsubject = "sahm";\n' \
	"$T/in/two.cfg" >"$T/in/study.cfg"
quietly sahm core specialize -j 1 --baseline rocket -c u74 --resamples 100 "$tree/tests/data/streams/rv64.stream" \
	"$tree/tests/data/streams/x86-64.stream" -o "$T/in/o"
sahm run "$canonical" "${short[@]}" --print-config >"$T/in/two.cfg" || exit 1
cat >"$T/in/levels.cfg" <<'END'
chip :
{
	cores = ( { type = "baseline"; count = 2; levels = ( { mhz = 500; }, { mhz = 1000; } ); transition_us = 300; } );
	shared = ( { cores = "0,1"; l2_misses_per_s = 1000000; } );
	costs = "cores";
};
workload : { traces = [ "gzip", "sqlite", "xz" ]; duration_ms = 500; };
END
# A gnuplot that is done at once.
mkdir "$T/bin"
cat >"$T/bin/gnuplot" <<'END'
#!/bin/sh
[ "$1" != --version ] || exec echo gnuplot 0
svg=${3#*\'} && svg=${svg%%\'*} && echo '</svg>' >"$svg" && printf 'IEND\256B`\202' >"${svg%svg}png"
END
chmod +x "$T/bin/gnuplot"
PATH=$T/bin:$PATH

store_here() { cp "$T/in/s.sqlite" "$T/in/s.sqlite.manifest" .; }
session_here() {
	cp "$T/in/accesses.csv" .
	sahm ipu attach s --abi memory_access && sahm ipu config-image s watch --set watch_first=0x1000 --set watch_end=0x2000 &&
		sahm ipu resume s && sahm ipu feed s accesses.csv
}
elf_here() { cp "$T/in/watch.elf" .; }
# The same command again, with memory: the result of a sweep of four points.
goes_on() {
	(cd "$T/try" && "$program" "${words[@]}") >"$T/said" 2>&1 && (cd "$T/try" && sahm export "$store") >"$T/exported" 2>>"$T/said" &&
		cmp "$T/exported" "$T/in/all.csv" >>"$T/said" 2>&1 && cmp "$T/try/$store.manifest" "$T/in/all.sqlite.manifest" >>"$T/said" 2>&1
}
merges_again() {
	(cd "$T/try" && "$program" "${words[@]}" && sahm export s.sqlite) >"$T/exported" 2>"$T/said" && grep -v '^s.sqlite' "$T/exported" |
		cmp - "$T/in/all.csv" >>"$T/said" 2>&1
}
whole_store() { # of rerun -o
	[ ! -e "$T/try/r.sqlite.manifest" ] || (cd "$T/try" && sahm export r.sqlite | cmp - "$T/in/all.csv") >"$T/said" 2>&1
}
pair_or_none() {
	if [ -e "$T/try/new.key" ] || [ -e "$T/try/new.pub" ]; then
		(cd "$T/try" && cp "$T/in/watch.elf" . && sahm ipu sign --key new.key --abi core watch.elf && sahm ipu verify --pub new.pub watch.elf) \
			>"$T/said" 2>&1 || complaint="half a pair of keys"
	fi
	[ -z "$complaint" ]
}
measures_on() {
	(cd "$T/try" && "$program" "${words[@]}" && cmp o/epochs.csv "$T/in/o/epochs.csv") >"$T/said" 2>&1
}
store=s.sqlite

# ---- Every command ----

scenario run -- run "$canonical" "${short[@]}"
scenario run-json -- run "$canonical" "${short[@]}" --json --force -o out.json
scenario run-csv -- run "$canonical" "${short[@]}" --csv --details --force -o out.csv
scenario run-samples -- run "$tree/configs/desktop-8.cfg" "${short[@]}" --set workload.samples=3
scenario run-timeline -- run "$canonical" "${short[@]}" --force --timeline t.json
scenario run-ftrace -- run "$tree/configs/desktop-8.cfg" "${short[@]}" --force --timeline t.txt.zst
scenario run-ipu -- run "$canonical" "${short[@]}" --set introspection.image=classify --ipu-engine jit
scenario run-interp -- run "$canonical" "${short[@]}" --set introspection.image=predict --ipu-engine interp
scenario run-levels -- run "$T/in/levels.cfg"
scenario run-plain -- run "$canonical" "${short[@]}" --engine plain
scenario run-plugin -- run "$canonical" "${short[@]}" --policy "$build/examples/specialist.so"
for policy in random rotate affinity fair keen assign sahm-listing; do
	scenario run-$policy -- run "$canonical" "${short[@]}" --policy $policy
done
scenario run-config -- run "$canonical" --print-config
scenario run-stdin input="$T/in/two.cfg" -- run -
scenario run-misspelt code=2 -- run "$canonical" --set scheduler.polcy=x
scenario sweep open='s.sqlite*' after=goes_on forked=1 printed=any -- sweep "${space[@]}" -o s.sqlite
scenario sweep-dry printed=any -- sweep "${space[@]}" -n
scenario sweep-again open='s.sqlite*' begin=store_here printed=any -- sweep "${space[@]}" -s workload.samples=2 -o s.sqlite
for question in "" best worst axes pareto "point 2" failed missing threads config; do
	# shellcheck disable=SC2086 # two words
	scenario "query${question:+ $question}" -- query "$T/in/s.sqlite" $question
done
scenario query-json -- query "$T/in/s.sqlite" best --json --force -o out.json
scenario report -- report "$T/in/s.sqlite" --no-plots -o page
scenario report-plots -- report "$T/in/s.sqlite" -o page
scenario export -- export "$T/in/s.sqlite" --force -o out.csv
scenario export-jsonl -- export "$T/in/s.sqlite" --threads --jsonl
scenario merge open='s.sqlite*' after=merges_again -- merge s.sqlite "$T/in/1.sqlite" "$T/in/2.sqlite"
scenario rerun forked=1 printed=any -- rerun "$T/in/all.sqlite.manifest" -j 1
scenario rerun-store open='r.sqlite*' after=whole_store printed=any -- rerun "$T/in/all.sqlite.manifest" -j 1 -o r.sqlite
scenario optimize -- optimize "$canonical" --cores 2 --types baseline,l2:30 "${short[@]}" -j 1
scenario optimize-anneal -- optimize "$canonical" --cores 3 --types baseline,l2:30 --evaluator limit --method anneal --restarts 1 --steps 1 \
	--json --force -o out.json
scenario compare -- compare "$T/in/study.cfg"
scenario compare-json -- compare "$T/in/study.cfg" --json --force -o out.json
scenario characterize -- characterize "$T/in/short.csv" "$T/in/gzip.trc" --details
scenario characterize-json -- characterize "$T/in/short.csv" --cuts percentile:37.5 --json --force -o out.json
scenario characterize-plot -- characterize "$T/in/short.csv" --force --plot figures
scenario limit -- limit "$T/in/short.csv" "$T/in/gzip.trc"
scenario limit-simulate -- limit "$canonical" --simulate 100 "${short[@]}" --csv
scenario reproduce -- reproduce t4.3 4.2 --suite small --no-plots -o page
scenario trace-import -- trace import "$T/in/short.csv" --force -o out.trc
scenario trace-import-zst -- trace import "$T/in/short.csv" --force -o out.csv.zst
map=(-m 'instructions=1000000*task-clock' -m branches=page-faults -m 'branch_misses=zero(context-switches)' -a l1i_misses=0
	-a l1d_accesses=0 -a l1d_misses=0 -a l2_accesses=0 -a l2_misses=0)
for file in perf_I100_x_comma.csv perf_I100_j.json perf_I100_human.txt; do
	scenario "trace-import-$file" -- trace import "$data/$file" "${map[@]}" --force -o out.trc
done
scenario trace-import-each -- trace import "$data/perf_I100_percpu_A.csv" -m 'instructions=1000000*task-clock' -m 'branches=1000*task-clock' \
	-m branch_misses=task-clock "${map[@]:6}" --each --force -o folder
scenario trace-import-time -- trace import "$data/perf_I100_j.json" "${map[@]}" --by-time --epoch-ms 40 --force -o out.csv
scenario trace-import-callgrind -- trace import "$data"/callgrind-parts/* --force -o out.trc
opteron=("$data/opteron-6140-web_search.csv" "$data/opteron-6140-web_search.csv" -m l2_accesses=REQUESTS_TO_L2 -m l2_misses=L2_CACHE_MISS)
scenario trace-import-likwid code=1 -- trace import "$data/opteron-6140-web_search.csv" -f likwid --force -o out.trc
scenario trace-import-join -- trace import --join "${opteron[@]}" -m time_s=timestamp --force -o out.trc
scenario trace-import-table -- trace import "$T/in/table.csv" -m time_s=time_ns --force -o out.trc
if qemu-x86_64 -h 2>/dev/null | grep -q plugin; then
	scenario trace-record printed=any open='*.csv' -- trace record --via qemu --epoch-instructions 20000 --force -o out.csv -- /bin/true
else
	missing="$missing qemu-x86_64"
	tried_commands="$tried_commands|trace record|"
fi
scenario trace-events -- trace events --list
scenario trace-events-json -- trace events --json --pmu skl
scenario trace-events-here reports=1 -- trace events
scenario trace-export -- trace export "$T/in/gzip.trc" --force -o out.csv.zst
scenario trace-info -- trace info --json "$T/in/gzip.trc" "$T/in/short.csv"
scenario trace-list -- trace list --details "$tree/workloads/suites/small"
scenario trace-synth -- trace synth "$tree/workloads/suites/synthetic/phone.profile" --only app_launch --only mail_sync --force -o traces
scenario trace-resample -- trace resample "$T/in/short.csv" --epoch-ms 40 --force -o out.trc
scenario trace-resample-insns -- trace resample "$T/in/short.csv" --epoch-instructions 50000000 --force -o out.csv
scenario trace-slice -- trace slice "$T/in/gzip.trc" --to-epoch 5 --force -o out.trc
scenario trace-concat -- trace concat "$T/in/gzip.trc" "$T/in/short.csv" --force -o out.trc
scenario trace-offset -- trace offset "$T/in/gzip.trc" --epochs 3 --force -o out.csv
scenario trace-bursts -- trace bursts "$tree/tests/data/sched/synthetic-perf.txt"
scenario stream-info -- stream info "$tree/tests/data/streams/rv64.stream" --json
scenario stream-head -- stream head "$tree/tests/data/streams/x86-64.stream"
scenario stream-slice open='*.part' -- stream slice "$tree/tests/data/streams/x86-64.stream" --from-epoch 1 --force -o out.stream
scenario core-list -- core list
scenario core-show -- core show boom-small -s rob=16
scenario stream-slice-sampled open='*.part' -- stream slice "$tree/tests/data/streams/x86-64.stream" --skip 5 --every 60 --warm 20 --force -o out.stream
scenario core-time -- core time -j 1 -c rocket -c tea --per-epoch --force --json "$tree/tests/data/streams/rv64.stream"
scenario core-time-logged -- core time -c u74 --force --stamps out.csv --uops out.json "$tree/tests/data/streams/rv64.stream"
scenario core-epochs -- core epochs "$tree/tests/data/streams/rv64.stream" --force -o out.trc
scenario policy-list -- policy list
scenario policy-new folder=whole -- policy new mine
scenario policy-check -- policy check --json "$build/examples/specialist.so"
scenario policy-check-ports -- policy check "$build/tests/plugins/not_portable.so"
scenario ipu-new folder=whole -- ipu new mine
# Actions of the guest after a failed write are in its trace.
scenario ipu-exec open=log code=3 printed=any -- ipu exec --flat --ram 1M --force --trace log "$tree/tests/fuzz/corpus/ipu_elf/hello" -- an argument
scenario ipu-exec-histogram code=3 printed=any -- ipu exec --flat --ram 1M --histogram "$tree/tests/fuzz/corpus/ipu_elf/hello"
scenario ipu-disasm -- ipu disasm "$image/watch.elf"
scenario ipu-run -- ipu run watch --abi memory_access --signals "$T/in/accesses.csv" --set watch_end=0x2000 --force --packets out.csv
scenario ipu-run-window -- ipu run overlap --abi gpu_activity --signals "$T/in/units.csv" --mode window=4 --json
scenario ipu-run-trust code=1 -- ipu run "$T/in/watch.elf" --abi memory_access --signals "$T/in/accesses.csv" --trust demonstration
scenario ipu-signals -- ipu signals --force "$T/in/accesses.csv" out.sig.zst
scenario ipu-study-overlap -- ipu study overlap --windows 4 --json
scenario ipu-study-values -- ipu study values --tensors 1 --lines 16
scenario ipu-compare -- ipu compare "$canonical" classify "${short[@]}" --format csv --force -o out.csv
scenario ipu-keygen printed=any open='new.*' after=pair_or_none -- ipu keygen new
scenario ipu-sign begin=elf_here -- ipu sign --key "$T/in/somebody.key" --abi core watch.elf
scenario ipu-verify -- ipu verify --pub "$T/in/somebody.pub" "$T/in/watch.elf"
scenario ipu-verify-trust -- ipu verify --trust demonstration classify
scenario ipu-attach -- ipu attach s --abi memory_access --units 2
for call in 'config-image s watch' 'config-start s 16' 'config-stop s 32' 'pause s' 'resume s' 'finalize s' 'feed s accesses.csv' 'wait s' \
	'drain s' 'status s'; do
	# shellcheck disable=SC2086 # words
	scenario "ipu ${call%% *}" begin=session_here -- ipu $call
done
scenario doctor reports=1 -- doctor
scenario doctor-json reports=1 -- doctor --json files gnuplot
scenario completion -- completion zsh
scenario completion-words -- completion --words -- run "$canonical" --set scheduler.
scenario help -- help
scenario help-topic -- help config
scenario help-command code=2 -- help swep
scenario wrong-option code=2 -- run --jsn "$canonical"
scenario wrong-command code=2 -- trace imprt

# ---- Through Redis ----

serve() {
	local i
	for i in 1 2 3 4 5 6 7 8; do
		port=$((20000 + RANDOM % 40000))
		redis-server --port $port --bind 127.0.0.1 --dir "$T" --save '' >"$T/redis.log" 2>&1 &
		server=$!
		for _ in $(seq 100); do
			kill -0 $server 2>/dev/null || break
			! grep -q 'Ready to accept' "$T/redis.log" || return 0
			sleep 0.05
		done
	done
	fail "no server starts"
}
keys() { redis-cli -p "$port" "$@"; }
# The contents of database 0 are kept in 1, and put back before each try.
keep() { keys eval 'redis.call("SELECT", 0) for _, k in ipairs(redis.call("KEYS", "*")) do redis.call("COPY", k, k, "DB", 1) end' 0; }
put_back() {
	keys flushdb >/dev/null
	keys -n 1 eval 'for _, k in ipairs(redis.call("KEYS", "*")) do redis.call("COPY", k, k, "DB", 0) end' 0 >/dev/null
}
nothing_there() { keys flushall; }
submitted() {
	keys flushall && sahm sweep "${space[@]}" "${queue[@]}" --detach -o s.sqlite && keep
}
carried_out() {
	submitted && sahm worker -j 1 --idle 1 --claim 1 --cache "$T/in/cache" && keys -n 1 flushdb && keep
}
# The next process with memory gets the same results, whatever the one before has left in the queue and in the store.
ends_well() {
	local worker code
	(cd "$T/try" && { [ ! -e s.sqlite ] || "$program" collect --now -q s.sqlite || true; } &&
		"$program" sweep "${space[@]}" "${queue[@]}" --detach -o s.sqlite) >"$T/said" 2>&1
	(cd "$T/try" && exec "$program" worker -j 1 --claim 1 --cache "$T/in/cache") >"$T/worked" 2>&1 &
	worker=$!
	(cd "$T/try" && timeout -k 5 60 "$program" sweep "${space[@]}" "${queue[@]}" -o s.sqlite) >>"$T/said" 2>&1
	code=$?
	kill $worker
	wait $worker
	[ $code -eq 0 ] && cmp "$T/try/s.sqlite.manifest" "$T/in/all.sqlite.manifest" >>"$T/said" 2>&1 &&
		(cd "$T/try" && sahm export s.sqlite) 2>>"$T/said" | cmp - "$T/in/all.csv" >>"$T/said" 2>&1
}
if sahm queue status --redis redis://127.0.0.1:1 2>&1 | grep -q 'without hiredis'; then
	missing="$missing hiredis"
elif ! command -v redis-server >/dev/null 2>&1 || ! command -v redis-cli >/dev/null 2>&1; then
	missing="$missing redis-server"
else
	serve
	export SAHM_REDIS=redis://127.0.0.1:$port
	# A claim is short: runs of a dead worker soon return to the queue.
	queue=(--redis "$SAHM_REDIS" --claim 1)
	scenario queue-status begin=submitted reset=put_back printed=any -- queue status --json
	scenario queue-drain begin=submitted reset=put_back printed=any -- queue drain --no-wait
	scenario queue-retry begin=submitted reset=put_back printed=any -- queue retry
	scenario queue-purge begin=submitted reset=put_back printed=any -- queue purge --all --yes
	scenario sweep-redis open='s.sqlite*' begin=nothing_there reset=put_back after=ends_well printed=any most=60 -- sweep "${space[@]}" \
		"${queue[@]}" --detach -o s.sqlite
	scenario collect begin=carried_out reset=put_back open='s.sqlite*' after=ends_well printed=any -- collect s.sqlite
	scenario worker begin=submitted reset=put_back open='*' after=ends_well printed=any most=16 forked=1 -- worker -j 1 --idle 1 \
		--claim 1 --cache cache
fi
[ -n "$server" ] || tried_commands="$tried_commands|worker|collect|queue status|queue drain|queue retry|queue purge|"

scenario core-time-axes -- core time -j 1 -c u74 -a mshrs=1..3 -a l1d.ways=4,8 --csv "$tree/tests/data/streams/rv64.stream"
scenario core-path -- core path -j 1 -c rocket -c tea --per-epoch --json "$tree/tests/data/streams/rv64.stream"
scenario core-path-plot -- core path --force -j 1 -c u74 --plot p "$tree/tests/data/streams/rv64.stream" "$tree/tests/data/streams/x86-64.stream"
scenario core-whatif -- core whatif -j 1 -c rocket --shapley --ideal fetch,branch,l1d --json "$tree/tests/data/streams/rv64.stream"
scenario core-whatif-plot -- core whatif --force -j 1 -c tea --ideal fetch,tlb --shapley --plot p "$tree/tests/data/streams/rv64.stream"
scenario core-study -- core study bottlenecks -j 1 --json "$tree/tests/data/streams/rv64.stream"
scenario core-study-plot -- core study frontend --force -j 1 --in-order u74 --plot p "$tree/tests/data/streams/rv64.stream"
scenario core-study-edge -- core study edge --force -j 1 --hammocks --plot p "$tree/tests/data/streams/rv64.stream" "$tree/tests/data/streams/x86-64.stream"
scenario core-study-value-prediction -- core study value-prediction --force -j 1 --accuracy 0.9 --plot p "$tree/tests/data/streams/rv64.stream"
scenario core-specialize -- core specialize --from "$tree/tests/data/epochs-synthetic.csv" -c both --force --resamples 100 -o o
scenario core-specialize-measured open=epochs.csv after=measures_on forked=1 -- core specialize -j 1 --baseline rocket -c u74 --resamples 100 \
	"$tree/tests/data/streams/rv64.stream" "$tree/tests/data/streams/x86-64.stream" -o o
scenario core-specialize-plot -- core specialize --from "$tree/tests/data/epochs-synthetic.csv" -c both --force --resamples 100 --plot --json -o o
scenario core-signals -- core signals --force -j 1 -c rocket --cycles 2000 --events all -o w.vcd "$tree/tests/data/streams/rv64.stream"
scenario core-signals-abi -- core signals --force -j 1 -c tea --abi pics --cycles 2000 -o w.sig "$tree/tests/data/streams/rv64.stream"
scenario core-signals-recoveries -- core signals --force -j 1 -c boom-small --overlap 50 --recoveries --plot p "$tree/tests/data/streams/rv64.stream"
scenario core-sample -- core sample --force --core rocket -e FP_ADD -e ARITHMETIC -c 3 -o s.pes "$tree/tests/data/samples/fadd15.stream"
"$program" core sample --core rocket -e FP_ADD -c 3 -o "$T/in/s.pes" "$tree/tests/data/samples/fadd15.stream" 2>/dev/null
scenario core-sample-report -- core sample --report "$T/in/s.pes" --json
scenario core-tma -- core tma -j 1 -c rocket -c boom-small --level 3 --per-epoch --json "$tree/tests/data/streams/rv64.stream"
scenario core-pics -- core pics -j 1 -c rocket --scheme tea,nci,ibs,spe,ris --period 3 --jitter 1 --json "$tree/tests/data/streams/rv64.stream"
scenario core-pics-text -- core pics -j 1 --scheme tea,spe --period 3 --top 2 "$tree/tests/data/streams/rv64.stream"
scenario core-pics-compare -- core pics -j 1 --compare -c tea -c u74 "$tree/tests/data/streams/rv64.stream"
scenario core-pics-folded -- core pics --folded "$tree/tests/data/streams/rv64.stream"
scenario core-pics-remedies -- core pics --force -j 1 --soft-prefetch 0x101a2:1,2 --plot p "$tree/tests/data/streams/rv64.stream"
scenario core-pics-ipu -- core pics --force -j 1 --ipu pics --ipu-set period=100 --mode window=4 --packets p.csv "$tree/tests/data/streams/rv64.stream"
scenario core-pics-ipu-json -- core pics -j 1 --ipu pics --ipu-set period=100 --start 0x10148 --json "$tree/tests/data/streams/rv64.stream"
scenario core-events -- core events -c u74
scenario core-stat -- core stat -j 1 -c u74 --multiplex --slice 20 --truth -I 1 --mhz 1 -e PAPI_BR_PRC,PAPI_L1_DCM "$tree/tests/data/streams/rv64.stream"
scenario core-stat-json -- core stat -j 1 -c u74 --multiplex --slice 20 --truth --per-epoch --json -e PAPI_BR_PRC,PAPI_L1_DCM "$tree/tests/data/streams/rv64.stream"

scenario run-rtapp -- run "$tree/configs/rtapp-video.cfg" --set workload.duration_ms=100
scenario run-tenants -- run "$tree/configs/weights-4.cfg" --set workload.duration_ms=100
zeros=(-a branches=0 -a branch_misses=0 -a l1i_misses=0 -a l1d_accesses=0 -a l1d_misses=0)
scenario trace-import-gem5 -- trace import "$data/gem5/v24-o3.txt" --force -o out.trc
scenario trace-import-champsim -- trace import "$data/champsim/synthetic-2017.txt" --force -o out.trc
scenario trace-import-sniper -- trace import "$data/sniper/synthetic.through-time" --force -o out.trc
scenario trace-import-samples -- trace import "$data/perf/script-ns.txt" -m instructions=cpu-clock "${zeros[@]}" -a l2_accesses=0 -a l2_misses=0 --force -o out.trc
scenario trace-import-whole -- trace import "$data/perf/stat-hardware-synthetic.txt" "${zeros[@]:4}" -a l2_accesses=0 -a l2_misses=0 --force -o out.trc
scenario trace-import-rotate -- trace import --rotate "$data/likwid/groups-synthetic.txt" "${zeros[@]:6}" --force -o out.trc
scenario trace-import-toplev -- trace import "$data/toplev/toplev-I1000-synthetic.csv" -a l1i_misses=0 --force -o out.trc
scenario trace-import-pcm -- trace import "$data/pcm/pcm-202405-synthetic.csv" "${zeros[@]}" --force -o out.trc
scenario trace-import-emon -- trace import --rotate "$data/emon/emon-synthetic.dat" "${zeros[@]:4}" --force -o out.trc
scenario stream-import open='*.part' -- stream import "$tree/tests/data/streams/champsim-synthetic.trace" --epoch-instructions 1000 --force -o out.stream
scenario stream-import-gz open='*.part' -- stream import "$T/in/champsim.gz" --force -o out.stream
scenario core-graph -- core graph --force -c "$tree/tests/data/graph/in-order.cfg" --result r.txt "$tree/tests/data/graph/dot-product.trace"
scenario core-graph-two-pass -- core graph -c "$tree/tests/data/graph/statistical.cfg" --algorithm two_pass --json "$tree/tests/data/graph/dot-product.trace"
scenario core-graph-stream -- core graph --core tea --csv "$tree/tests/data/streams/rv64.stream"
scenario core-graph-config -- core graph --core u74 --print-config
scenario core-graph-gz -- core graph -c "$tree/tests/data/graph/out-of-order.cfg" "$T/in/graph.gz"

# ---- None is missing ----

while IFS= read -r command; do
	case $tried_commands in
	*"|$command|"*) ;;
	*) nr_bad=$((nr_bad + 1)) && echo "FAILED no scenario tries sahm $command" ;;
	esac
done < <("$program" help | sed -n '1,/^options/s/^  \([a-z-]\+\( [a-z-]\+\)\?\)\(  .*\)\?$/\1/p')
