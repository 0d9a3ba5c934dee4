# Completion of sahm for bash. The program itself lists the candidates; see `sahm help completion`.
_sahm()
{
	local rest=${COMP_LINE:0:COMP_POINT} words=() n=-1 i word bare program line kind text what current cut name
	# Bash splits words at = and :, the program does not.
	for ((i = 0; i <= COMP_CWORD; i++)); do
		bare=${rest#"${rest%%[![:space:]]*}"}
		word=${COMP_WORDS[i]}
		((i < COMP_CWORD)) || word=$bare
		if ((i == 0)) || [[ $bare != "$rest" ]]; then
			((++n))
			words[n]=
		fi
		words[n]+=$word
		rest=${bare#"$word"}
	done
	for i in "${!words[@]}"; do
		words[i]=${words[i]//[\\\"\']/}
	done
	program=${words[0]}
	[[ $program != "~/"* ]] || program=$HOME/${program#"~/"}
	current=${words[n]}
	# Only the text after the last = or : is replaced.
	cut=
	word=${word//[\\\"\']/}
	case $word in
	= | :) cut=$current ;;
	*) cut=${current%"$word"} ;;
	esac
	COMPREPLY=()
	while IFS= read -r line; do
		kind=${line%%$'\t'*}
		text=${line#*$'\t'}
		text=${text%%$'\t'*}
		case $kind in
		word | more)
			[[ $kind = word ]] || compopt -o nospace 2>/dev/null
			COMPREPLY+=("${text#"$cut"}")
			;;
		files | folders | programs)
			case $kind in
			files) what=-f ;;
			folders) what=-d ;;
			programs) what=-c ;;
			esac
			[[ $kind = programs ]] || compopt -o filenames 2>/dev/null
			while IFS= read -r name; do
				[[ $name ]] || continue
				name=$text$name
				COMPREPLY+=("${name#"$cut"}")
			done <<<"$(compgen "$what" -- "${current#"$text"}")"
			;;
		esac
	done <<<"$("$program" completion --words -- "${words[@]:1}" 2>/dev/null)"
}
complete -F _sahm sahm
