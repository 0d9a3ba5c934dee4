#include <stdlib.h>
#include <string.h>

#include "results/timeline/timeline.h"
#include "sim/base/file.h"
#include "sim/base/zstd_stream.h"

struct timeline_file {
	struct atomic_file file;
	struct zstd_writer *compressor; /* NULL: none */
	struct timeline *timeline;
};

static bool is_compressed(const char *path)
{
	size_t len = strlen(path), nr = strlen(COMPRESSED_SUFFIX);
	return len >= nr && strcmp(path + len - nr, COMPRESSED_SUFFIX) == 0;
}

enum sahm_status timeline_file_open(struct timeline_file **file, const char *path, enum timeline_form form,
				    const struct run_config *config, const char *title, struct sahm_err *err)
{
	struct timeline_file *f = calloc(1, sizeof(*f));
	if (!f)
		return sahm_fail_nomem(err);
	enum sahm_status status = atomic_file_open(&f->file, path, err);
	if (status != SAHM_OK) {
		free(f);
		return status;
	}
	FILE *out = f->file.stream;
	if (is_compressed(path)) {
		f->compressor = zstd_writer_new(out, UNKNOWN_LARGE_SIZE);
		out = f->compressor ? zstd_writer_stream(f->compressor) : NULL;
	}
	f->timeline = out ? timeline_new(config, title, form, out) : NULL;
	if (!f->timeline)
		return timeline_file_close(f, sahm_fail_nomem(err), err);
	*file = f;
	return SAHM_OK;
}

struct timeline_sink *timeline_file_listener(struct timeline_file *file)
{
	return timeline_listener(file->timeline);
}

enum sahm_status timeline_file_close(struct timeline_file *file, enum sahm_status status, struct sahm_err *err)
{
	if (file->timeline && status == SAHM_OK && timeline_failed(file->timeline))
		status = sahm_fail_nomem(err);
	if (file->timeline)
		timeline_free(file->timeline);
	if (file->compressor)
		status = zstd_writer_free(file->compressor, file->file.path, status, err);
	if (status == SAHM_OK)
		status = atomic_file_commit(&file->file, err);
	else
		atomic_file_abort(&file->file);
	free(file);
	return status;
}
