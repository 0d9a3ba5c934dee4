# Reads a web log three times over: fields, associative arrays, substitutions, formatting, a heap sort and a sieve.
function down(a, i, n,   c, t) {
	while ((c = 2 * i) <= n) {
		if (c < n && a[c + 1] > a[c]) c++
		if (a[i] >= a[c]) return
		t = a[i]; a[i] = a[c]; a[c] = t
		i = c
	}
}
{
	host[$1]++
	bytes[$1] += $(NF - 2)
	split($6, part, /[\/?&=.]/)
	for (k in part) word[part[k]]++
	line = $0
	n += gsub(/[aeiou]+/, "<&>", line)
	if (match(line, /<a>[^<]*<e>/)) at[RLENGTH]++
	size[NR] = $(NF - 2)
	out = out sprintf("%-15s %8d %s\n", $1, $(NF - 2), toupper(substr($6, 2, 12)))
	if (length(out) > 20000) { total += length(out); out = "" }
}
END {
	for (i = int(NR / 2); i > 0; i--) down(size, i, NR)
	for (i = NR; i > 1; i--) { t = size[1]; size[1] = size[i]; size[i] = t; down(size, 1, i - 1) }
	limit = 300000
	for (i = 2; i <= limit; i++) if (!(i in composite)) { primes++; for (j = i * i; j <= limit; j += i) composite[j] }
	count = asorti(word, sorted)
	print length(host), length(word), n, total, size[1], size[int(NR / 2)], primes, sorted[1], sorted[count]
}
