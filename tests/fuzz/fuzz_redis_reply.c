/* Replies of a server: the first byte of the input says in pieces of how many bytes the others arrive. Replies read are
 * whole and within the limits, can be used as any type, and do not depend on the pieces. */
#include "sim/queue/redis_link_internal.h"

#include "tests/fuzz/fuzz.h"

/* Writes down what the reply is; counts its elements and bytes. */
static void use_reply(const struct reply *r, unsigned depth, struct textbuf *out, uint64_t *nr_elements,
		      uint64_t *nr_bytes)
{
	int64_t number = 0;
	MUST(r && r->bytes && r->bytes[r->len] == '\0' && depth < 9);
	MUST((r->kind == REPLY_ARRAY || r->nr == 0) && (r->nr == 0 || r->elements));
	++*nr_elements;
	*nr_bytes += r->len;
	textbuf_printf(out, "%d %lld %zu %zu ", (int)r->kind, (long long)r->integer, r->nr, r->len);
	textbuf_add(out, r->bytes, r->len);
	MUST(reply_is_array(r, r->nr, r->nr) == (r->kind == REPLY_ARRAY));
	MUST(!reply_is_array(r, r->nr + 1, SIZE_MAX));
	MUST(reply_is_bytes(r, r->len, r->len) == (r->kind == REPLY_STRING || r->kind == REPLY_STATUS));
	MUST(!reply_is_bytes(r, r->len + 1, SIZE_MAX));
	if (reply_number(r, -1000, 1000, &number))
		MUST((r->kind == REPLY_INTEGER || r->kind == REPLY_STRING) && number >= -1000 && number <= 1000);
	else
		MUST(number == 0);
	if (r->kind == REPLY_INTEGER)
		MUST(reply_number(r, INT64_MIN, INT64_MAX, &number) && number == r->integer);
	MUST(!reply_member(r, "name") || r->kind == REPLY_ARRAY);
	for (size_t i = 0; i < r->nr; i++) {
		const struct reply *e = r->elements[i];
		use_reply(e, depth + 1, out, nr_elements, nr_bytes);
		if (i % 2 == 0 && i + 1 < r->nr && (e->kind == REPLY_STRING || e->kind == REPLY_STATUS) &&
		    strlen(e->bytes) == e->len)
			MUST(reply_member(r, e->bytes));
	}
}

static enum reply_fault read_pieces(const uint8_t *data, size_t size, size_t piece, struct textbuf *out)
{
	struct reply_reader *r = reply_reader_new();
	enum reply_fault fault = REPLY_FINE;
	MUST(r);
	for (size_t at = 0; at < size && fault == REPLY_FINE; at += piece) {
		struct reply *reply = NULL;
		fault = reply_reader_feed(r, data + at, size - at < piece ? size - at : piece);
		MUST(fault == REPLY_FINE);
		while ((fault = reply_reader_next(r, &reply)) == REPLY_FINE && reply) {
			uint64_t nr_elements = 0, nr_bytes = 0;
			use_reply(reply, 0, out, &nr_elements, &nr_bytes);
			MUST(nr_elements <= MAX_REPLY_ELEMENTS && nr_bytes <= MAX_REPLY_BYTES);
			reply_free(reply);
		}
		MUST(fault == REPLY_FINE || !reply);
	}
	MUST(fault != REPLY_NO_MEMORY);
	reply_reader_free(r);
	return fault;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct textbuf whole, pieces;
	if (size < 2 || !redis_is_built_in())
		return 0;
	textbuf_init(&whole);
	textbuf_init(&pieces);
	enum reply_fault of_whole = read_pieces(data + 1, size - 1, REPLY_PIECE, &whole);
	enum reply_fault of_pieces = read_pieces(data + 1, size - 1, (size_t)data[0] + 1, &pieces);
	MUST(of_whole == of_pieces);
	MUST(whole.len == pieces.len && memcmp(whole.text, pieces.text, whole.len) == 0);
	textbuf_release(&whole);
	textbuf_release(&pieces);
	return 0;
}
