# Completion of sahm for fish. The program itself lists the candidates; see `sahm help completion`.
function __sahm_complete
	set -l words (commandline -opc)
	set -l current (commandline -ct)
	set -l plain (string unescape -- $current)
	or set plain $current
	set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
	$program completion --words -- $words[2..-1] "$plain" 2>/dev/null | while read -l line
		set -l columns (string split \t -- $line)
		set -l kind $columns[1]
		set -l begin $columns[2]
		set -l rest (string sub -s (math (string length -- "$begin") + 1) -- "$plain")
		switch $kind
			case word more
				printf '%s\t%s\n' $begin $columns[3]
			case files
				for name in (__fish_complete_path "$rest")
					printf '%s%s\n' "$begin" "$name"
				end
			case folders
				for name in (__fish_complete_directories "$rest")
					printf '%s%s\n' "$begin" "$name"
				end
			case programs
				__fish_complete_command
		end
	end
end
complete -c sahm -f -a '(__sahm_complete)'
