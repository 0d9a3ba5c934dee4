#include "sim/base/textbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/arena.h"
#include "sim/base/clean.h"

static char empty_text[1];

void textbuf_init(struct textbuf *b)
{
	*b = (struct textbuf){.text = empty_text};
}

void textbuf_release(struct textbuf *b)
{
	if (b->room)
		free(b->text);
	textbuf_init(b);
}

void textbuf_release_part(struct textbuf *b, struct textbuf *whole)
{
	bool failed = b->failed;
	textbuf_release(b);
	if (failed) {
		textbuf_release(whole);
		whole->failed = true;
	}
}

char *textbuf_detach(struct textbuf *b)
{
	char *text = b->room ? b->text : NULL;
	textbuf_init(b);
	return text;
}

char *textbuf_keep(struct textbuf *b, struct arena *a)
{
	char *text = textbuf_failed(b) ? NULL : arena_strndup(a, b->text, b->len);
	textbuf_release(b);
	return text;
}

bool textbuf_failed(const struct textbuf *b)
{
	return b->failed;
}

static bool make_room(struct textbuf *b, size_t more)
{
	if (b->failed)
		return false;
	size_t need = b->len + more + 1;
	if (need > b->len && need <= b->room)
		return true;
	size_t room = b->room ? b->room : 128;
	while (room < need && room <= SIZE_MAX / 2)
		room *= 2;
	char *text = need > b->len && room >= need ? realloc(b->room ? b->text : NULL, room) : NULL;
	if (!text) {
		textbuf_release(b);
		b->failed = true;
		return false;
	}
	b->text = text;
	b->room = room;
	return true;
}

char *textbuf_extend(struct textbuf *b, size_t len)
{
	if (!make_room(b, len))
		return NULL;
	char *added = b->text + b->len;
	b->len += len;
	b->text[b->len] = '\0';
	return added;
}

void textbuf_add(struct textbuf *b, const char *bytes, size_t len)
{
	char *added = textbuf_extend(b, len);
	if (added && len)
		memcpy(added, bytes, len);
}

void textbuf_puts(struct textbuf *b, const char *text)
{
	textbuf_add(b, text, strlen(text));
}

void textbuf_label(struct textbuf *b, const char *text)
{
	size_t from = b->len;
	textbuf_puts(b, text);
	if (!b->failed)
		clean_text(b->text + from);
}

void textbuf_putc(struct textbuf *b, char c)
{
	textbuf_add(b, &c, 1);
}

void textbuf_printf(struct textbuf *b, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (len >= 0 && make_room(b, (size_t)len)) {
		vsnprintf(b->text + b->len, (size_t)len + 1, fmt, again);
		b->len += (size_t)len;
	}
	va_end(again);
}
