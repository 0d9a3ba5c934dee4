#!/bin/sh
# The case studies of the top-down paper (section V) on models of its cores: case_studies.sh SAHM [STREAM...]. Prints a table of the
# trends that the paper reports beside those of the programs of tests/data/cases. STREAM gets the rows of events, too.
set -eu
sahm=$1 cases=tests/data/cases
shift
seen=$(mktemp)
trap 'rm -f "$seen"' EXIT

# Adds lines NAME CORE KEY VALUE to what has been seen of a program.
see() { # NAME STREAM OPTION...
	see_on rocket "$@"
	see_on boom-large "$@" --approx lane,recovery,issue
	see_recoveries most "$@"
	see_recoveries ideal "$@" --set ideal=fetch
}

# The most frequent length of recoveries, its share, and the longest.
see_recoveries() { # KEY NAME STREAM OPTION...
	key=$1 name=$2 stream=$3
	shift 3
	"$sahm" core signals "$stream" -c boom-large --recoveries --csv "$@" | awk -F, -v name="$name" -v key="$key" '
		NR > 1 { of[$5] = $6; all += $6; longest = $5; if ($6 > of[most]) most = $5 }
		END {
			print name, "boom-large", key "_cycles", most
			print name, "boom-large", key "_share", (all > 0 ? of[most] / all : 0)
			print name, "boom-large", key "_longest", longest
		}' >>"$seen"
}

see_on() { # CORE NAME STREAM OPTION...
	core=$1 name=$2 stream=$3
	shift 3
	"$sahm" core tma "$stream" -c "$core" --level 3 --json "$@" | awk -v name="$name" '
		function pairs(of, line) {
			while (match(line, /"[A-Za-z0-9_\/-]+": [-0-9.e]+/)) {
				split(substr(line, RSTART, RLENGTH), pair, /": /)
				print name, core, of substr(pair[1], 2), pair[2]
				line = substr(line, RSTART + RLENGTH)
			}
		}
		/^      "core":/ { split($0, part, "\""); core = part[4] }
		/^      "cycles":/ { pairs("", $0) }
		/^      "counts":/ { pairs("", $0) }
		/^        "(fetch_bubbles|uops_issued)": \[/ {
			of = /bubbles/ ? "bubbles" : "issued"
			sub(/.*\[/, "")
			gsub(/[],]/, "")
			for (i = 1; i <= NF; i++)
				print name, core, of i, $i
		}
		/^      "(shares|gaps)":/ { shares = /shares/ }
		shares && /^        "[a-z-]*": {/ { split($0, part, "\""); pairs(part[2] ":", substr($0, index($0, "{"))) }' >>"$seen"
}

# Of a program of ours, the last instructions, after those that prepare.
study() { # NAME STREAM INSTRUCTIONS OPTION...
	name=$1 stream=$cases/$2.stream last=$3
	shift 3
	all=$("$sahm" stream info "$stream" --json | sed -n 's/.*"instructions": \([0-9]*\),.*/\1/p' | head -n 1)
	see "$name" "$stream" --every "$all" --take "$last" "$@"
}

study search-32 search 144000
study search-16 search 144000 --set l1d.size_kib=16
study taken chain-taken 1203
study not-taken chain-not-taken 2003
study taken-learnt chain-taken-warm 1206
study not-taken-learnt chain-not-taken-warm 2006
study unscheduled matrices 44000
study scheduled matrices-scheduled 44000
study copy copy 11270
study quicksort quicksort 65000
study gemm gemm 52000
see Lua tests/data/streams/sort.stream
programs="quicksort copy gemm Lua"
for stream; do
	program=$(basename "$stream" .stream)
	programs="$programs $program"
	see "$program" "$stream"
done

awk -v programs="$programs" '
	function row(study, core, figure, paper, formulas, exact, same, reason) {
		line = sprintf("%-17s  %-10s  %-25s  %-11s  %-23s  %-17s  %-4s  %s", study, core, figure, paper, formulas, exact, same, reason)
		sub(/ +$/, "", line)
		print line
	}
	function signed(d) {
		d = sprintf("%+.1f", d)
		return d + 0 == 0 ? "0.0" : d
	}
	function yes(is) {
		return is ? "yes" : "no"
	}
	function percent(kind, core, name, class) {
		return 100 * v[name, core, kind ":" class]
	}
	function last(class) {
		sub(/.*\//, "", class)
		return class
	}

	# From one program to another, cycles and a class of slots; `sign` is the direction in the paper.
	function cycles(study, core, from, to, paper, sign, reason,  d) {
		d = 100 * (v[to, core, "cycles"] / v[from, core, "cycles"] - 1)
		row(study, core, "cycles, %", paper, "", signed(d), yes(sign * d >= 0.05), reason)
	}
	function both(kind, core, from, to, class) {
		return sprintf("%.1f -> %.1f", percent(kind, core, from, class), percent(kind, core, to, class))
	}
	function slots(study, core, from, to, class, paper, sign, reason,  d) {
		d = percent("exact", core, to, class) - percent("exact", core, from, class)
		row(study, core, last(class) ", % of slots", paper, both("published", core, from, to, class),
			both("exact", core, from, to, class), yes(sign * d >= 0.05), reason)
	}

	# A class in % of another one, or of all lost slots.
	function part(kind, core, name, class, of) {
		of = of == "lost" ? 100 - percent(kind, core, name, "Retiring") : percent(kind, core, name, of)
		return 100 * percent(kind, core, name, class) / of
	}
	function most(study, core, name, class, of, paper, reason,  p) {
		p = part("exact", core, name, class, of)
		row(study, core, last(class) ", % of " of, paper, sprintf("%.0f", part("published", core, name, class, of)), sprintf("%.0f", p),
			yes(p >= 50), reason)
	}

	# Reasons: what else changes, from counts and exact slots.
	function counts(core, from, to, key, word) {
		return sprintf("%s %d -> %d", word, v[from, core, key], v[to, core, key])
	}
	function shares(core, from, to, class) {
		return last(class) " " both("exact", core, from, to, class)
	}

	# Events of one program on BOOM: of the released formulas, a class from all counts and from fewer.
	function count(key) {
		return v[name, "boom-large", key]
	}
	function near(value, expected) {
		return (value - expected) ^ 2 <= (expected / 10) ^ 2
	}
	function fewer(figure, class, value, paper, is_near, reason,  all, error) {
		all = percent("released", "boom-large", name, class)
		error = class == "Frontend" && all > 0 ? " (" signed(100 * (value / all - 1)) " %)" : ""
		row("", "boom-large", figure, paper, sprintf("%.1f -> %.1f%s", all, value, error),
			sprintf("%.1f", percent("exact", "boom-large", name, class)), yes(near(value, all) == is_near),
			near(value, all) == is_near ? "" : reason)
	}
	function events(  i, rising) {
		rising = count("bubbles1") < count("bubbles2") && count("bubbles2") < count("bubbles3")
		row(name, "boom-large", "bubbles of lanes, a cycle", "rising", "", sprintf("%.3f %.3f %.3f", count("bubbles1") / count("cycles"),
			count("bubbles2") / count("cycles"), count("bubbles3") / count("cycles")), yes(rising),
			rising ? "" : count("fetch_bubbles") " bubbles in all")
		for (i = 1; i <= 2; i++)
			fewer("Frontend by lane " i, "Frontend", 100 * count("bubbles" i) / count("cycles"), "within 10 %", 1,
				sprintf("%.0f %% of it FetchBandwidth: parts of cycles",
					part("exact", "boom-large", name, "Frontend/FetchBandwidth", "Frontend")))
		fewer("BadSpec by one port", "BadSpec", percent("approx-issue", "boom-large", name, "BadSpec"), "fails", 0,
			sprintf("port 0 issues %.1f %% of all uops", 100 * count("issued1") / count("uops_issued")))
		row("", "boom-large", "most frequent recovery", "4, most", "", sprintf("%d, %.1f %%", count("most_cycles"),
			100 * count("most_share")), yes(count("most_share") >= 0.9),
			sprintf("at most %d; %d if fetch is ideal", count("most_longest"), count("ideal_longest")))
		fewer("BadSpec by a constant", "BadSpec", percent("approx-recovery", "boom-large", name, "BadSpec"), "near", 1,
			sprintf("%.0f slots a misprediction, not 5",
				3 * (count("recovering") / count("mispredictions") + 2)))
	}

	{ v[$1, $2, $3] = $4 }
	END {
		row("case", "core", "figure", "paper", "formulas", "exact", "same", "reason")
		gsub(/./, "-", line)
		for (i = 0; i < 40; i++)
			line = line "-"
		print line
		cycles("L1D 32 -> 16 KiB", "rocket", "search-32", "search-16", "+7", 1, "a table of 24 KiB")
		slots("", "rocket", "search-32", "search-16", "Backend", "0 -> 12", 1,
			shares("rocket", "search-32", "search-16", "Backend/MemBound"))
		slots("branches inverted", "rocket", "taken", "not-taken", "Retiring", "20 -> 33", 1, "")
		slots("", "rocket", "taken", "not-taken", "BadSpec", "17 -> 6", -1,
			counts("rocket", "taken", "not-taken", "mispredictions", "mispredictions"))
		cycles("", "boom-large", "taken", "not-taken", "+3", 1,
			counts("boom-large", "taken", "not-taken", "mispredictions", "mispredictions"))
		cycles("the same, learnt", "boom-large", "taken-learnt", "not-taken-learnt", "+3", 1,
			counts("boom-large", "taken-learnt", "not-taken-learnt", "instructions_retired", "instructions"))
		slots("", "boom-large", "taken-learnt", "not-taken-learnt", "BadSpec", "0 -> more", 1,
			counts("boom-large", "taken-learnt", "not-taken-learnt", "mispredictions", "mispredictions"))
		cycles("scheduling", "rocket", "unscheduled", "scheduled", "-4", -1, "")
		slots("", "rocket", "unscheduled", "scheduled", "Backend/CoreBound", "-4 points", -1,
			shares("rocket", "unscheduled", "scheduled", "Backend/CoreBound/dependence"))
		cycles("", "boom-large", "unscheduled", "scheduled", "-0.3", -1,
			shares("boom-large", "unscheduled", "scheduled", "Retiring"))
		slots("", "boom-large", "unscheduled", "scheduled", "Backend/CoreBound", "lower", -1,
			shares("boom-large", "unscheduled", "scheduled", "BadSpec"))
		most("memcpy", "rocket", "copy", "Backend/MemBound", "Backend", "about 50",
			sprintf("CoreBound is %.1f %% of slots", percent("exact", "rocket", "copy", "Backend/CoreBound")))
		most("", "boom-large", "copy", "Backend/MemBound", "Backend", "most", "")
		most("qsort", "rocket", "quicksort", "BadSpec", "lost", "most", "")
		most("", "boom-large", "quicksort", "BadSpec", "lost", "most", "")
		nr = split(programs, names, " ")
		for (i = 1; i <= nr; i++) {
			name = names[i]
			if (count("cycles") > 0)
				events()
		}
	}' "$seen"
