/* Did-you-mean: the candidate nearest to a word that nothing is called. */
#ifndef SAHM_SIM_BASE_SUGGEST_H
#define SAHM_SIM_BASE_SUGGEST_H

#include <stddef.h>

/* Offers candidates one by one and keeps the nearest; the first wins a tie. */
struct suggest {
	const char *word;
	const char *best; /* NULL while nothing is near enough */
	size_t best_distance;
};

/* Begins a search for `word`. `word` and the candidates stay the caller's and must outlive the search. */
void suggest_init(struct suggest *s, const char *word);

/* Offers `candidate`: kept when it is nearer than all before it and near enough to be meant (edit distance with
 * neighbours swapped, letter case ignored, at most a third of the longer word, or 2 where both have the same letters;
 * or the word is its beginning). */
void suggest_offer(struct suggest *s, const char *candidate);

/* Room for what suggest_text() writes. */
#define SUGGEST_BYTES 128

/* Writes "; did you mean 'x'?" into `text`, or "" when nothing was near; returns `text`. */
const char *suggest_text(const struct suggest *s, char text[SUGGEST_BYTES]);

/* The same, but writes " (`otherwise`)" when nothing was near: where the names that there are can be looked up. */
const char *suggest_or(const struct suggest *s, const char *otherwise, char text[SUGGEST_BYTES]);

#endif
