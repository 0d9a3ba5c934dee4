#include "sim/base/suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/array.h"

#define MAX_WORD 64

void suggest_init(struct suggest *s, const char *word)
{
	*s = (struct suggest){.word = word, .best_distance = MAX_WORD};
}

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Optimal string alignment distance: edits and swaps of neighbours. Both words shorter than MAX_WORD. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t rows[3][MAX_WORD + 1];
	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		const size_t *above2 = rows[(i + 1) % 3], *above = rows[(i - 1) % 3];
		size_t *row = rows[i % 3];
		row[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
			row[j] = min(min(above[j], row[j - 1]) + 1, above[j - 1] + (ca != cb));
			if (i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
			    cb == tolower((unsigned char)a[i - 2]))
				row[j] = min(row[j], above2[j - 2] + 1);
		}
	}
	return rows[na % 3][nb];
}

/* Whether both are made of the same letters: "smah" and "sahm". */
static bool are_anagrams(const char *a, const char *b, size_t len)
{
	int counts[256] = {0};
	for (size_t i = 0; i < len; i++) {
		counts[tolower((unsigned char)a[i])]++;
		counts[tolower((unsigned char)b[i])]--;
	}
	for (size_t c = 0; c < ARRAY_SIZE(counts); c++)
		if (counts[c] != 0)
			return false;
	return true;
}

void suggest_offer(struct suggest *s, const char *candidate)
{
	size_t na = strlen(s->word), nb = strlen(candidate);
	if (na == 0 || na >= MAX_WORD || nb >= MAX_WORD)
		return;
	size_t d = distance(s->word, na, candidate, nb);
	size_t longer = na > nb ? na : nb;
	if (na >= 3 && na < nb && strncasecmp(s->word, candidate, na) == 0)
		d = 0;
	bool is_near = d * 3 <= longer || (d <= 2 && na == nb && are_anagrams(s->word, candidate, na));
	if (is_near && d < s->best_distance) {
		s->best = candidate;
		s->best_distance = d;
	}
}

const char *suggest_text(const struct suggest *s, char text[SUGGEST_BYTES])
{
	text[0] = '\0';
	if (s->best)
		snprintf(text, SUGGEST_BYTES, "; did you mean '%s'?", s->best);
	return text;
}

const char *suggest_or(const struct suggest *s, const char *otherwise, char text[SUGGEST_BYTES])
{
	if (!s->best)
		snprintf(text, SUGGEST_BYTES, " (%s)", otherwise);
	return s->best ? suggest_text(s, text) : text;
}
