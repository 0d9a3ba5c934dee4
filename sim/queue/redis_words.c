/* Commands for Redis as lists of words, and those that carry out scripts. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/queue/redis_link_internal.h"

void redis_words_init(struct redis_words *w)
{
	*w = (struct redis_words){0};
	textbuf_init(&w->bytes);
}

void redis_words_release(struct redis_words *w)
{
	textbuf_release(&w->bytes);
	free(w->ends);
	redis_words_init(w);
}

void redis_words_begin(struct redis_words *w, const char *words)
{
	if (w->failed || textbuf_failed(&w->bytes))
		redis_words_release(w);
	w->bytes.len = 0;
	w->nr = 0;
	for (;;) {
		size_t len = strcspn(words, " ");
		redis_word_bytes(w, words, len);
		if (!words[len])
			return;
		words += len + 1;
	}
}

void redis_word_bytes(struct redis_words *w, const void *bytes, size_t len)
{
	if (w->nr == w->room) {
		size_t room = w->room ? 2 * w->room : 16;
		size_t *ends = realloc(w->ends, room * sizeof(*ends));
		if (!ends) {
			w->failed = true;
			return;
		}
		w->ends = ends;
		w->room = room;
	}
	textbuf_add(&w->bytes, bytes, len);
	w->ends[w->nr++] = w->bytes.len;
}

void redis_word(struct redis_words *w, const char *text)
{
	redis_word_bytes(w, text, strlen(text));
}

void redis_word_u64(struct redis_words *w, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "%" PRIu64, value);
	redis_word(w, text);
}

void redis_word_i64(struct redis_words *w, int64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "%" PRId64, value);
	redis_word(w, text);
}

bool redis_words_failed(const struct redis_words *w)
{
	return w->failed || textbuf_failed(&w->bytes);
}

/* A command is an array of strings: the protocol's only form in which any byte may stand anywhere. */
void redis_words_write(const struct redis_words *w, struct textbuf *out)
{
	size_t begin = 0;
	textbuf_printf(out, "*%zu\r\n", w->nr);
	for (size_t i = 0; i < w->nr; begin = w->ends[i++]) {
		textbuf_printf(out, "$%zu\r\n", w->ends[i] - begin);
		textbuf_add(out, w->bytes.text + begin, w->ends[i] - begin);
		textbuf_puts(out, "\r\n");
	}
}

/* The text goes along every time: the server keeps what it has compiled, and may forget it when it likes. */
void redis_script_begin(struct redis_words *words, const struct redis_script *script, unsigned nr_keys)
{
	redis_words_begin(words, "EVAL");
	if (script->library)
		textbuf_puts(&words->bytes, script->library);
	redis_word(words, script->text);
	redis_word_u64(words, nr_keys);
}
