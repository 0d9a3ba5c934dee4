#include "sim/base/zstd_block.h"

#include <stdlib.h>
#include <zstd.h>

#define LEVEL 1

bool zstd_pack(const void *bytes, size_t len, struct textbuf *out)
{
	size_t room = ZSTD_compressBound(len), nr = 0;
	char *packed = malloc(room);
	ZSTD_CCtx *context = ZSTD_createCCtx();
	bool ok = packed && context;
	if (ok) {
		ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
		nr = ZSTD_compress2(context, packed, room, bytes, len);
		ok = !ZSTD_isError(nr);
	}
	if (ok)
		textbuf_add(out, packed, nr);
	ZSTD_freeCCtx(context);
	free(packed);
	return ok && !textbuf_failed(out);
}

enum sahm_status zstd_unpack(const void *bytes, size_t len, size_t most, char **out, size_t *out_len,
			     struct sahm_err *err)
{
	unsigned long long size = ZSTD_getFrameContentSize(bytes, len);
	if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
		return sahm_fail(err, SAHM_FORMAT, "%zu bytes that should be compressed are not", len);
	if (size > most)
		return sahm_fail(err, SAHM_FORMAT, "%zu compressed bytes would become %llu: more than %zu", len, size,
				 most);
	char *text = malloc((size_t)size + 1);
	if (!text)
		return sahm_fail_nomem(err);
	size_t nr = ZSTD_decompress(text, (size_t)size, bytes, len);
	if (ZSTD_isError(nr) || nr != size) {
		free(text);
		return sahm_fail(err, SAHM_FORMAT, "%zu compressed bytes are damaged", len);
	}
	text[nr] = '\0';
	*out = text;
	*out_len = nr;
	return SAHM_OK;
}
