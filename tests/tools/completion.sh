#!/bin/bash
# Command lines are completed, in each shell that is installed: its script is sourced there, and asked as the shell would.
# completion.sh PROGRAM
set -u
program=$(realpath "${1:-build/release/sahm}")
export SAHM_DATA=$PWD PS1='> '
work=$(mktemp -d "${TMPDIR:-/tmp}/sahm completion.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/files" "$work/files/a folder"
ln -s "$program" "$work/bin/sahm"
PATH=$work/bin:$PATH
cd "$work/files" || exit 2
touch 'my file.cfg' 'my file.trc' plain.cfg
failed=0

fail() {
	echo "$1" >&2
	failed=1
}

# Offers of each shell for a line, whose end is the cursor: SHELL LINE answers on REPLY_TEXT, an offer a line.
ask_bash() {
	local raw=$1
	# As readline splits it: at blanks that are not quoted, and at = and :.
	mapfile -t COMP_WORDS < <(python3 - "$raw" <<'END'
import re, sys
line = sys.argv[1]
words = re.findall(r'''(?:\\.|'[^']*'?|"[^"]*"?|[^\s=:\\'"])+|[=:]+''', line)
if not line or line[-1].isspace() and not line.endswith('\\ '):
    words.append('')
print('\n'.join(words))
END
	)
	COMP_LINE=$raw COMP_POINT=${#raw} COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
	_sahm
	REPLY_TEXT=$(printf '%s\n' "${COMPREPLY[@]}")
}

ask_zsh() {
	REPLY_TEXT=$(zsh -f "$work/ask.zsh" "$1")
}

ask_fish() {
	REPLY_TEXT=$(HOME=$work XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data \
		fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$work/sahm.fish" "$1" | cut -f 1)
}

offers() { # LINE WORD...
	local line=$1 word
	shift
	"ask_$shell" "$line"
	for word in "$@"; do
		grep -qxF -- "$word" <<<"$REPLY_TEXT" || fail "$shell: '$line' does not offer '$word' but: $(tr '\n' '|' <<<"$REPLY_TEXT")"
	done
}

offers_not() { # LINE WORD
	"ask_$shell" "$1"
	! grep -qxF -- "$2" <<<"$REPLY_TEXT" || fail "$shell: '$1' offers '$2'"
}

# The part of a value after = that a shell shows: bash replaces only that part.
behind() {
	case $shell in
	bash) echo "${1#"$2"}" ;;
	*) echo "$1" ;;
	esac
}

# All commands and options, from the pages of help. Shells ask the program the same: of those that take long to begin, some.
every_option() {
	local command options every=1
	[ "$shell" = bash ] || every=12
	sahm help -a | sed -n '1,/^options/s/^  \([a-z][a-z -]*[a-z]\)\(  .*\|$\)/\1/p' >"$work/commands"
	[ "$(wc -l <"$work/commands")" -gt 40 ] || fail "help lists no commands"
	sed -n "1~${every}p" "$work/commands" >"$work/some"
	while read -r command; do
		options=$(sahm $command --help | sed -n 's/^  \(-., \|    \)--\([a-z-]*\).*/--\2/p; s/^  -h, --help .*/--help/p')
		[ -n "$options" ] || fail "no options of $command"
		offers "sahm $command --" $options
		case $command in
		*' '*) offers "sahm ${command% *} " "${command##* }"; offers 'sahm ' "${command%% *}" ;;
		*) offers 'sahm ' "$command" ;;
		esac
	done <"$work/some"
}

cases() {
	every_option
	offers 'sahm que' query queue
	offers 'sahm queue re' retry
	offers_not 'sahm queue re' status
	offers 'sahm help trace im' import
	offers 'sahm help stat' states
	offers 'sahm run --engine ' event plain
	offers_not 'sahm run --engine ' interp
	offers 'sahm run --engine=pl' "$(behind --engine=plain --engine=)"
	offers 'sahm ipu run --engine ' interp jit
	offers 'sahm ipu run --mode ' every window=
	offers 'sahm run -p sahm-l' sahm-listing
	offers 'sahm trace import -f perf' perf-csv perf-json perf-text
	offers 'sahm trace record --cpu ze' zen4
	offers 'sahm reproduce --suite ' synthetic open
	offers 'sahm reproduce bu' budget
	offers 'sahm query my.sqlite pa' pareto
	offers 'sahm characterize --cuts ' p25 p50 intuitive
	offers 'sahm ipu run cl' classify classify-ewma
	offers 'sahm run --set scheduler.in' scheduler.inertia=
	offers 'sahm run -s scheduler.or' scheduler.oracle=
	offers 'sahm run --set scheduler.oracle=' "$(behind scheduler.oracle=true scheduler.oracle=)"
	offers 'sahm run --set workload.mode=al' "$(behind workload.mode=alone workload.mode=)"
	offers 'sahm sweep x.cfg --axis scheduler.policy=static,fa' "$(behind scheduler.policy=static,fair scheduler.policy=)"
	offers 'sahm run --set introspection.image=pre' "$(behind introspection.image=predict introspection.image=)"
	# After a program's name all is the program's; after -- nothing is an option.
	offers_not 'sahm trace record ls --e' --epochs
	offers_not 'sahm run -- --en' --engine
	# A value may be only one of its option's.
	offers_not 'sahm run --output ' event
	offers 'sahm completion ' bash zsh fish
}

# Files, with what stands in their names as the shell writes it.
files() { # NAME-OF-A-FILE-WITH-A-SPACE NAME-OF-A-FOLDER
	offers 'sahm run my' "$1"
	offers 'sahm run pl' plain.cfg
	offers 'sahm run --output my' "$1"
	offers "sahm characterize --plot a" "$2"
	offers_not 'sahm characterize --plot p' plain.cfg
}

# The program's answers, for any shell: only the words.
answers() {
	sahm completion --words -- "$@" | cut -f 1,2
}

# Names of values that cannot be known beforehand, and why.
free_values() {
	cat <<-'END'
		N I J K X CYCLES SEED MS MM2 W PCT SECONDS MHZ SIZE BYTES BYTES_PER_S MS[,MS...]	a number
		ADDR ADDRESS	a number, or a symbol of a program that is not read for this
		PC[,PC] PC[,PC]:N[,N]	addresses in a program that is not read for this
		SYMBOL SYMBOL=VALUE FUNCTION	a symbol of a program that is not read for this
		NAME	a name to be chosen, or one inside a file that is not read for this
		ID	inside a store that is not read for this
		NAME[=VALUE] NAME=VALUE	a macro, or a variable of a plug-in that is not read for this
		COLUMN SEP KEY=VALUE	of a file of one's own
		URL	of a server of one's own
		I/N	two numbers
		VERSION DAY	to be chosen
	END
}

# Every option that takes a value, and every command's first operand: the program has an answer, or there is a reason why not.
every_value() {
	local command option value
	sahm help -a | sed -n '1,/^options/s/^  \([a-z][a-z -]*[a-z]\)\(  .*\|$\)/\1/p' | sed 's/  .*//' >"$work/commands"
	[ "$(wc -l <"$work/commands")" -gt 50 ] || fail "help lists no commands"
	free_values | cut -f 1 | tr ' ' '\n' | sort >"$work/free"
	: >"$work/unanswered"
	sahm --help | sed 's/^/before a command: /' >"$work/pages"
	while read -r command; do
		# shellcheck disable=SC2086
		sahm $command --help >"$work/page"
		sed "s/^/$command: /" "$work/page" >>"$work/pages"
		sed -n 's/^  \(-., \|    \)--\([a-z-]*\) \([^ ][^ ]*\).*/\2 \3/p' "$work/page" >"$work/options"
		while read -r option value; do
			# shellcheck disable=SC2086
			[ -z "$(answers $command "--$option" '')" ] || continue
			echo "$value" >>"$work/unanswered"
			grep -qxF -- "$value" "$work/free" || fail "sahm $command --$option: nothing is offered for $value, and no reason stated"
		done <"$work/options"
		value=$(sed -n '1s/.*\[OPTION\]\.\.\. *//p' "$work/page")
		# shellcheck disable=SC2086
		[ -z "$value" ] || [ -n "$(answers $command '')" ] || {
			echo "$value" >>"$work/unanswered"
			grep -qxF -- "$value" "$work/free" || fail "sahm $command: nothing is offered for $value, and no reason stated"
		}
	done <"$work/commands"
	sort -u "$work/unanswered" | comm -13 - "$work/free" | grep . && fail 'reasons for values that no option has'
	# Nothing is in the list for what there is no more.
	sed -n '/^} values\[\]/,/^};/s/^\t{"\([^"]*\)", "\([^"]*\)".*/\2\t\1/p' "$SAHM_DATA/sim/cli/complete_values.c" >"$work/rows"
	[ -s "$work/rows" ] || fail 'complete_values.c has no table of values'
	while IFS=$'\t' read -r value command; do
		grep "^${command:-[a-z]}" "$work/pages" | grep -qF -- "$value" || fail "complete_values.c: nothing has a value '$value' ${command:+in $command}"
	done <"$work/rows"
	# Each prefix of a word offers it; what does not begin so is not offered.
	for value in timeline-form engine; do
		answers run --$value '' | cut -f 2 | while read -r option; do
			for ((i = 0; i <= ${#option}; i++)); do
				answers run --$value "${option:0:i}" | cut -f 2 >"$work/said"
				grep -qxF -- "$option" "$work/said" && ! grep -qv "^${option:0:i}" "$work/said" || echo "$option:$i"
			done
		done | grep . && fail "prefixes of --$value"
	done
}
every_value

shell=bash
command -v python3 >/dev/null || { echo 'python3 is not installed'; exit 77; }
# shellcheck disable=SC1090
. <(sahm completion bash)
complete -p sahm >/dev/null || fail 'bash: nothing is registered'
cases
files 'my file.cfg' 'a folder'
offers 'sahm run --output=my' 'my file.cfg'
offers 'sahm run my\ f' 'my file.cfg' 'my file.trc'
offers 'sahm run "my f' 'my file.cfg'
offers 'sahm run -omy' '-omy file.cfg'

skipped=
shell=zsh
if command -v zsh >/dev/null 2>&1; then
	mkdir "$work/functions"
	sahm completion zsh >"$work/functions/_sahm"
	# A shell of its own on a terminal: what it would add to the line is printed instead, an offer a line.
	cat >"$work/start.zsh" <<END
fpath=("$work/functions" \$fpath)
autoload -U compinit && compinit -C -u -d "$work/dump"
PROMPT=; setopt no_beep
compadd () {
	local -a hits
	if [[ \${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "\$@"; return; fi
	builtin compadd -A hits "\$@"
	(( ! \$#hits )) || { print -rl -- "offer:"\${^hits}; builtin compadd "\$@" }
}
finish () { print -r -- "done" }
comppostfuncs=(finish)
bindkey '^I' complete-word
zstyle ':completion:*' menu no
zstyle ':completion:*' list-prompt ''
LISTMAX=100000
print ready
END
	cat >"$work/ask.zsh" <<END
zmodload zsh/zpty
zpty shell 'TERM=dumb COLUMNS=1000 zsh -f -i'
zpty -w shell 'source "$work/start.zsh"'
zpty -r -m shell _ '*ready*'
zpty -w -n shell "\$1"\$'\t'
zpty -r -m shell all '*done*'
zpty -d shell
print -r -- "\$all" | tr -d '\r' | sed -n 's/.*offer://p'
END
	cases
	files 'my\ file.cfg' 'a\ folder'
else
	skipped=' zsh'
fi

shell=fish
if command -v fish >/dev/null 2>&1; then
	sahm completion fish >"$work/sahm.fish"
	cases
	files 'my file.cfg' 'a folder/'
	offers 'sahm run --output=my' '--output=my file.cfg'
else
	skipped="$skipped fish"
fi

[ "$failed" = 0 ] || exit 1
[ -z "$skipped" ] || { echo "bash: tried; skipped, since not installed:$skipped"; exit 77; }
