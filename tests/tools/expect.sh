# Sourced by tests of commands.

fail() {
	echo "$*" >&2
	exit 1
}

# expect CODE FILE COMMAND...: its exit code; both its streams go to FILE.
expect() {
	wanted=$1 said=$2
	shift 2
	"$@" >"$said" 2>&1
	code=$?
	[ $code -eq "$wanted" ] || { cat "$said" >&2; fail "exit code $code instead of $wanted: $*"; }
}
