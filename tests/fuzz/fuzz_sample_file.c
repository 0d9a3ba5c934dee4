/* Files of samples: what is read has a report in every form, whatever its samples are. */
#include <sys/mman.h>
#include <unistd.h>

#include "results/cores/sample_report.h"
#include "tests/fuzz/fuzz.h"

static void report(const struct sample_file *file, enum sample_key by)
{
	struct sample_report r;
	struct sahm_err err;
	struct textbuf out;
	uint64_t samples = 0;
	textbuf_init(&out);
	MUST(sample_report_init(&r, file, by, 0, NULL, &err) == SAHM_OK);
	for (unsigned i = 0; i < file->head.nr_events; i++)
		samples += r.histograms[i].samples;
	MUST(samples == file->head.samples);
	MUST(sample_report_text(&r, false, &out) && sample_report_csv(&r, &out) && sample_report_json(&r, &out));
	MUST(!textbuf_failed(&out));
	textbuf_release(&out);
	sample_report_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	struct sample_file file;
	struct sahm_err err;
	int fd = memfd_create("samples", MFD_CLOEXEC);
	MUST(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	enum sahm_status status = sample_file_read(path, &file, &err);
	if (status == SAHM_OK) {
		for (unsigned by = SAMPLES_BY_FUNCTION; by <= SAMPLES_BY_ADDRESS; by++)
			report(&file, (enum sample_key)by);
		sample_file_release(&file);
	} else {
		MUST(status == SAHM_FORMAT);
		must_explain(&err, status, path);
	}
	close(fd);
	return 0;
}
