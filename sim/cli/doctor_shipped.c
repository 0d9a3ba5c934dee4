/* sahm doctor: the files that came with the program. Their digests are those of when it was built. */
#include <sodium/crypto_hash_sha256.h>
#include <sodium/utils.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/base/array.h"
#include "sim/base/file.h"
#include "sim/cli/doctor.h"
#include "sim/cli/output.h"

#define MAX_SHIPPED_BYTES ((size_t)64 << 20)

static const struct shipped_file {
	const char *path, *sha256;
} rows[] = {
#define SHIPPED_FILE(path, sha256) {path, sha256},
#include "shipped_file_list.h"
#undef SHIPPED_FILE
};

#define NR_ROWS ARRAY_SIZE(rows)

/* Whether the file is there, and as it was. */
static bool is_whole(struct doctor_finding *f, const char *folder, const struct shipped_file *row, bool *is_there)
{
	unsigned char sum[crypto_hash_sha256_BYTES];
	char hex[2 * sizeof(sum) + 1], *text = NULL;
	struct textbuf path;
	struct sahm_err err;
	size_t len = 0;
	textbuf_init(&path);
	textbuf_printf(&path, "%s/%s", folder, row->path);
	enum sahm_status status =
		textbuf_failed(&path) ? SAHM_NOMEM : file_read_regular(path.text, MAX_SHIPPED_BYTES, &text, &len, &err);
	doctor_note(f, status);
	*is_there = status == SAHM_OK;
	if (*is_there) {
		crypto_hash_sha256(sum, (const unsigned char *)text, len);
		sodium_bin2hex(hex, sizeof(hex), sum, sizeof(sum));
	}
	bool whole = *is_there && strcmp(hex, row->sha256) == 0;
	free(text);
	textbuf_release(&path);
	return whole;
}

void doctor_shipped(struct doctor_finding *f)
{
	const char *folder = data_folder(), *first_missing = NULL, *first_changed = NULL;
	const char *from = getenv("SAHM_DATA") && *getenv("SAHM_DATA") ? " (SAHM_DATA)" : "";
	size_t nr_missing = 0, nr_changed = 0;
	struct stat st;
	if (stat(folder, &st) != 0 || !S_ISDIR(st.st_mode)) {
		doctor_say(f, DOCTOR_MISSING, "no folder '%s'%s", folder, from);
		return;
	}
	for (size_t i = 0; i < NR_ROWS; i++) {
		bool is_there;
		if (is_whole(f, folder, &rows[i], &is_there))
			continue;
		const char **first = is_there ? &first_changed : &first_missing;
		*first = *first ? *first : rows[i].path;
		nr_changed += is_there;
		nr_missing += !is_there;
	}
	if (nr_missing == NR_ROWS) {
		doctor_say(f, DOCTOR_MISSING, "nothing of sahm is in '%s'%s", folder, from);
		return;
	}
	doctor_say(f, nr_missing || nr_changed ? DOCTOR_BROKEN : DOCTOR_OK, "%s%s: ", folder, from);
	if (nr_missing)
		textbuf_printf(&f->text, "%zu of %zu cannot be read (%s%s)%s", nr_missing, NR_ROWS, first_missing,
			       nr_missing > 1 ? ", ..." : "", nr_changed ? ", " : "");
	if (nr_changed)
		textbuf_printf(&f->text, "%zu of %zu are not as this program was built with (%s%s)", nr_changed,
			       NR_ROWS, first_changed, nr_changed > 1 ? ", ..." : "");
	if (f->state == DOCTOR_OK)
		textbuf_printf(&f->text, "%zu files, all whole", NR_ROWS);
}
