#!/bin/sh
# Records the open suite again: every program of programs.tsv, or those that are named.
#   sh workloads/suites/open/record.sh [-f] [-l] [-q] [-o FOLDER] [-s SAHM] [-j N] [--streams DIR | -i DIR] [NAME]...
# -f records finished ones too; -l only lists the programs; -q leaves out the table at the end; FOLDER is where the traces and logs go (default
# /tmp/sahm-open/traces); SAHM is the program that records (default build/release/sahm); N programs run at a time.
# With --streams DIR (or -i DIR) it makes DIR/NAME.stream for models of cores, too: 20 epochs of each program, evenly spaced, each after 5
# million instructions that only warm caches. A program whose stream is there is left alone.
#
# What a program does depends on its environment and, through its stack, on the length of the paths that it is given. So
# inputs and output always lie in /tmp/sahm-open, the environment is empty but for what is set below, and addresses are not
# randomised where setarch can say so.
set -u
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
root=/tmp/sahm-open
table=$here/programs.tsv
folder=$root/traces sahm=$here/../../../build/release/sahm jobs=1 force=0
tab=$(printf '\t')

usage() {
	echo "usage: record.sh [-f] [-l] [-q] [-o FOLDER] [-s SAHM] [-j N] [--streams DIR | -i DIR] [NAME]..." >&2
	exit 2
}

rows() { # of the table, without comments
	grep -v '^#' "$table"
}

field() { # NAME COLUMN
	rows | awk -F "$tab" -v name="$1" -v column="$2" '$1 == name { print $column }'
}

record_one() { # NAME: records it, unless it is there; a line of progress at the end
	name=$1
	trace=$folder/$name.csv.zst
	stream=${streams:+$streams/$name.stream}
	part=${stream:+$streams/$name.part.stream}
	if [ "$force" = 0 ] && [ -s "$trace" ] && [ -s "${stream:-$trace}" ]; then
		echo "$name: already there"
		return 0
	fi
	epochs=$(field "$name" 3)
	stdin=$(field "$name" 5 | sed "s|{in}|$root/in|g")
	[ "$stdin" != - ] || stdin=/dev/null
	out=$root/out/$name
	command=$(field "$name" 7 | sed "s|{in}|$root/in|g; s|{out}|$out|g")
	versions=$(for package in $(field "$name" 2); do dpkg-query -W -f='${Package} ${Version}, ' "$package"; done)
	kin=$(field "$name" 4)
	[ "$kin" != - ] || kin="none"
	every=$((epochs / sample))
	set --
	[ -z "$stream" ] || set -- --instructions "$part" --every-epochs "$every" --warm 5000000
	rm -rf "$out"
	mkdir -p "$out" || return 1
	began=$(date +%s)
	(
		cd "$out" || exit 1
		# shellcheck disable=SC2086  # the command is a list of words, $still a program with its option or nothing
		exec env -i PATH=/usr/bin:/bin HOME="$out" TMPDIR="$out" LC_ALL=C TZ=UTC OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \
			PERL_HASH_SEED=0 PYTHONHASHSEED=0 QEMU_RAND_SEED=1 \
			$still "$sahm" trace record --via qemu --threads main --name "$name" --epochs "$epochs" --force -o "$folder/$name.part.csv.zst" "$@" \
			-p program="$(basename "${command%% *}") (${versions%, }): $(field "$name" 6)" \
			-p licence="MIT, as the rest of sahm" \
			-p note="open suite; kin in SPEC CPU 2017: $kin" \
			-- $command <"$stdin" >/dev/null 2>"$folder/$name.log"
	)
	status=$?
	rm -rf "$out"
	took=$(($(date +%s) - began))
	if [ $status -ne 0 ] || [ ! -s "$folder/$name.part.csv.zst" ] || { [ -n "$part" ] && [ ! -s "$part" ]; }; then
		rm -f ${part:+"$part"}
		echo "$name: not recorded (status $status after $took s), see $folder/$name.log" >&2
		return 1
	fi
	[ -z "$part" ] || mv "$part" "$stream" || return 1
	mv "$folder/$name.part.csv.zst" "$trace"
	echo "$name: recorded in $took s"
}

list=0 quiet=0 streams='' sample=20
while getopts flqo:s:j:i:-: option; do
	if [ "$option" = - ]; then
		case $OPTARG in
		streams) option=i OPTARG=${1+$(eval "printf %s \"\${$OPTIND-}\"")} OPTIND=$((OPTIND + 1)) ;;
		streams=*) option=i OPTARG=${OPTARG#*=} ;;
		*) usage ;;
		esac
	fi
	case $option in
	f) force=1 ;;
	l) list=1 ;;
	q) quiet=1 ;;
	o) folder=$OPTARG ;;
	s) sahm=$OPTARG ;;
	j) jobs=$OPTARG ;;
	i) streams=$OPTARG && [ -n "$streams" ] || usage ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
if [ $list = 1 ]; then
	rows | awk -F "$tab" '{ printf "%-10s %5d epochs  %-16s %s\n", $1, $3, $4, $6 }'
	exit 0
fi
case $jobs in '' | *[!0-9]* | 0) usage ;; esac
[ $# -gt 0 ] || set -- $(rows | cut -f 1)
for name; do
	[ -n "$(field "$name" 1)" ] || { echo "no program '$name' in $table" >&2; exit 2; }
done

missing=
for package in $(cat "$here/packages"); do
	dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q ' installed$' || missing="$missing $package"
done
if [ -n "$missing" ]; then
	echo "missing packages: apt-get install --no-install-recommends$missing" >&2
	[ "$(id -u)" = 0 ] || exit 1
	# shellcheck disable=SC2086  # a list of words
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing || exit 1
fi
sahm=$(command -v "$sahm") || { echo "no program to record with: give -s SAHM" >&2; exit 1; }
case $sahm in /*) ;; *) sahm=$(pwd)/$sahm ;; esac
mkdir -p "$folder" "$root" || exit 1
folder=$(cd "$folder" && pwd)
if [ -n "$streams" ]; then
	mkdir -p "$streams" && streams=$(cd "$streams" && pwd) || exit 1
	# As measured: less than 0.1 bytes an instruction, 100 million instructions a second.
	[ $quiet = 1 ] || for name; do field "$name" 3; done | awk -v sample=$sample -v jobs="$jobs" -v streams="$streams" '
		{ run += $1; taken += sample * 1.5 }
		END { printf "streams in %s: about %.1f GB of disk space; %.0f billion instructions are run, about %.0f minutes\n", streams, taken * 1e7 * 0.1 / 1e9, run / 100, run * 1e7 / 1e8 / jobs / 60 }'
fi
still=
setarch -R true 2>/dev/null && still="setarch -R"

if [ ! -e "$root/in/complete" ]; then
	echo "making inputs in $root/in"
	sh "$here/make_inputs.sh" "$root/in" || exit 1
	: >"$root/in/complete"
fi

failed=0
if [ "$jobs" = 1 ]; then
	for name; do
		record_one "$name" || failed=1
	done
else
	force_option=
	[ $force = 0 ] || force_option=-f
	printf '%s\n' "$@" | xargs -P "$jobs" -I NAME sh "$here/record.sh" -q $force_option ${streams:+-i "$streams"} -o "$folder" -s "$sahm" NAME || failed=1
fi

[ $quiet = 0 ] || exit $failed
printf '\n%-10s %7s %s\n' program epochs "content, compared with the shipped trace"
for name; do
	trace=$folder/$name.csv.zst
	[ -s "$trace" ] || { printf '%-10s %7s %s\n' "$name" - "not recorded"; continue; }
	epochs=$("$sahm" trace info "$trace" | sed -n 's/^  epochs: \([0-9]*\).*/\1/p')
	hash=$("$sahm" trace info "$trace" | sed -n 's/^  content hash: //p')
	verdict="no shipped trace"
	file=$here/$name.csv.zst
	if [ -s "$file" ]; then
		verdict=different
		[ "$("$sahm" trace info "$file" | sed -n 's/^  content hash: //p')" != "$hash" ] || verdict=same
	fi
	printf '%-10s %7s %s\n' "$name" "$epochs" "$verdict"
done
exit $failed
