/* Pages on disk. */
#include <unistd.h>

#include "results/page/page.h"
#include "sim/base/file.h"

static enum sahm_status name_file(const char *folder, struct textbuf *path, struct sahm_err *err)
{
	textbuf_init(path);
	textbuf_printf(path, "%s/" PAGE_FILE, folder);
	if (!textbuf_failed(path))
		return SAHM_OK;
	textbuf_release(path);
	return sahm_fail_nomem(err);
}

enum sahm_status page_begin_folder(const char *folder, bool *had_page, struct sahm_err *err)
{
	struct textbuf path;
	enum sahm_status status = name_file(folder, &path, err);
	if (status != SAHM_OK)
		return status;
	status = file_make_folder(folder, err);
	*had_page = access(path.text, F_OK) == 0;
	if (status == SAHM_OK)
		status = file_remove(path.text, err);
	textbuf_release(&path);
	return status;
}

enum sahm_status page_save(const struct page *p, const char *folder, struct sahm_err *err)
{
	struct textbuf path, out;
	enum sahm_status status = name_file(folder, &path, err);
	if (status != SAHM_OK)
		return status;
	textbuf_init(&out);
	status = page_write(p, &out) ? file_write(path.text, out.text, out.len, err) : sahm_fail_nomem(err);
	textbuf_release(&out);
	textbuf_release(&path);
	return status;
}
