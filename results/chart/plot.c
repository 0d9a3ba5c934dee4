/* Folders of figures, running gnuplot in them, and what scripts and data for it are made of. */
#include "results/chart/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/base/array.h"
#include "sim/base/clock.h"
#include "sim/base/file.h"
#include "sim/base/hold.h"
#include "sim/base/shell.h"
#include "sim/base/spawn.h"
#include "sim/base/units.h"
#include "sim/base/utf8.h"

#define PROGRAM "gnuplot"

/* A figure takes seconds; a program that does not end is stopped. */
#define GUARD_S 120

/* How often one looks whether a signal has come. */
#define LOOK_MS 20

/* Most that is kept of what gnuplot says. */
#define MAX_SAID_BYTES ((size_t)16 * 1024)

#define SUFFIX_BYTES 8u /* "/", ".svg", and the end of a string */

/* The pictures of a figure: how they are called in scripts and on disk, and how a complete one ends. */
static const struct picture {
	const char *suffix, *end;
	size_t end_bytes;
} pictures[] = {
	{"svg", "</svg>", 6},
	{"png", "IEND\xae\x42\x60\x82", 8},
};

#define NR_PICTURES ARRAY_SIZE(pictures)

/* folder/[inner/]name.suffix, malloc'ed; NULL when memory is short. */
static char *path_of(const char *folder, const char *inner, const char *name, const char *suffix)
{
	size_t room = strlen(folder) + strlen(inner) + strlen(name) + strlen(suffix) + 4;
	char *path = malloc(room);
	if (path)
		snprintf(path, room, "%s/%s%s%s.%s", folder, inner, *inner ? "/" : "", name, suffix);
	return path;
}

static enum sahm_status write_text(const char *folder, const char *name, const char *suffix, const struct textbuf *text,
				   struct sahm_err *err)
{
	char *path = path_of(folder, "", name, suffix);
	enum sahm_status status =
		path && !textbuf_failed(text) ? file_write(path, text->text, text->len, err) : sahm_fail_nomem(err);
	free(path);
	return status;
}

static enum sahm_status remove_file(const char *folder, const char *name, const char *suffix, struct sahm_err *err)
{
	char *path = path_of(folder, "", name, suffix);
	enum sahm_status status = path ? file_remove(path, err) : sahm_fail_nomem(err);
	free(path);
	return status;
}

static enum sahm_status remove_pictures(const char *folder, const char *name, struct sahm_err *err)
{
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < NR_PICTURES && status == SAHM_OK; i++)
		status = remove_file(folder, name, pictures[i].suffix, err);
	return status;
}

enum sahm_status plot_refuse_existing(const char *folder, const char *name, struct sahm_err *err)
{
	static const char *const suffixes[] = {"csv", "gp", "svg", "png"};
	enum sahm_status status = SAHM_OK;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes) && status == SAHM_OK; i++) {
		char *path = path_of(folder, "", name, suffixes[i]);
		status = path ? file_refuse_existing(path, err) : sahm_fail_nomem(err);
		free(path);
	}
	return status;
}

enum sahm_status plot_remove(const char *folder, const char *name, struct sahm_err *err)
{
	enum sahm_status status = remove_pictures(folder, name, err);
	if (status == SAHM_OK)
		status = remove_file(folder, name, "csv", err);
	return status == SAHM_OK ? remove_file(folder, name, "gp", err) : status;
}

enum sahm_status plot_write(const char *folder, const char *name, const struct textbuf *data,
			    const struct textbuf *script, struct sahm_err *err)
{
	/* A picture must not stand beside data that it does not show. */
	enum sahm_status status = remove_pictures(folder, name, err);
	if (status == SAHM_OK)
		status = write_text(folder, name, "csv", data, err);
	return status == SAHM_OK ? write_text(folder, name, "gp", script, err) : status;
}

/* Reads what gnuplot says until it has said it all; false when it does not end, or shall not be waited for. */
static bool listen_to(int fd, uint64_t end_ns, const struct signal_hold *hold, struct textbuf *said)
{
	char bytes[4096];
	for (;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		if (clock_ns(CLOCK_MONOTONIC) >= end_ns || signal_hold_has_caught(hold))
			return false;
		int ready = poll(&p, 1, LOOK_MS);
		if (ready == 0 || (ready < 0 && errno == EINTR))
			continue;
		ssize_t got = read(fd, bytes, sizeof(bytes));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return true;
		if (said->len < MAX_SAID_BYTES)
			textbuf_add(said, bytes, (size_t)got);
	}
}

/* Waits until the process has ended, and ends it when it does not; whether it succeeded. It stays to be reaped. */
static bool await_end(pid_t pid, uint64_t end_ns, const struct signal_hold *hold)
{
	const struct timespec interval = {.tv_nsec = 5 * NS_PER_MS};
	siginfo_t info = {0};
	bool ends_itself = true;
	while (ends_itself && waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | WNOHANG) == 0 && info.si_pid == 0) {
		ends_itself = clock_ns(CLOCK_MONOTONIC) < end_ns && !signal_hold_has_caught(hold);
		if (ends_itself)
			nanosleep(&interval, NULL);
	}
	if (!ends_itself)
		kill(pid, SIGKILL);
	return ends_itself;
}

static enum sahm_status fail_start(const char *folder, int cause, struct sahm_err *err)
{
	struct textbuf word;
	if (cause != ENOENT)
		return sahm_fail(err, SAHM_IO, "cannot run " PROGRAM ": %s", strerror(cause));
	textbuf_init(&word);
	/* A name that begins with a dash is no option of cd. */
	shell_write_word(&word, folder);
	sahm_fail(err, SAHM_TOOL,
		  PROGRAM " is not installed; data and scripts are in '%s', and once it is, this draws them: "
			  "cd -- %s && " PROGRAM " *.gp",
		  folder, word.text);
	textbuf_release(&word);
	return SAHM_TOOL;
}

bool plot_is_installed(void)
{
	struct stat st;
	/* Without PATH, posix_spawnp() looks in these two. */
	const char *path = getenv("PATH");
	bool found = false;
	if (!path)
		path = "/bin:/usr/bin";
	for (const char *end; !found && path; path = *end ? end + 1 : NULL) {
		struct textbuf file;
		end = path + strcspn(path, ":");
		textbuf_init(&file);
		textbuf_add(&file, path, (size_t)(end - path));
		textbuf_puts(&file, end == path ? "./" PROGRAM : "/" PROGRAM);
		/* Where nobody can look for it, it is for plot_draw() to fail. A folder of PATH that is closed to this
		 * user is as good as none. */
		errno = 0;
		found = textbuf_failed(&file) ||
			(stat(file.text, &st) == 0 && S_ISREG(st.st_mode) && access(file.text, X_OK) == 0) ||
			(errno && errno != EACCES && !file_is_absent(errno));
		textbuf_release(&file);
	}
	return found;
}

/* What gnuplot complains about: the line that names a place in the script, which the text of that place precedes; else
 * the first one that says something. */
static void complaint(const struct textbuf *said, char *line, size_t room)
{
	const char *place = strstr(said->text, "\n\"");
	const char *text = place ? place + 1 : said->text + strspn(said->text, " \t\r\n");
	snprintf(line, room, "%s%.*s", *text ? ": " : "", (int)strcspn(text, "\r\n"), text);
}

/* Runs gnuplot with `argv` in `folder` and waits for its end. A signal that `hold` keeps back ends it. */
static enum sahm_status run(const char *folder, const char *name, char *const *argv, const struct signal_hold *hold,
			    struct textbuf *said, struct sahm_err *err)
{
	int ends[2], how = 0;
	char line[256];
	pid_t pid;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return sahm_fail(err, SAHM_IO, "cannot run " PROGRAM ": %s", strerror(errno));
	const struct spawn spawn = {.argv = argv, .folder = folder, .mask = &hold->before, .output = ends[1]};
	int cause = spawn_start(&spawn, &pid);
	close(ends[1]);
	if (cause) {
		close(ends[0]);
		return fail_start(folder, cause, err);
	}
	uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + (uint64_t)GUARD_S * NS_PER_S;
	bool ends_itself = listen_to(ends[0], end_ns, hold, said);
	close(ends[0]);
	ends_itself &= await_end(pid, end_ns, hold);
	pid_t ended;
	do
		ended = waitpid(pid, &how, 0);
	while (ended < 0 && errno == EINTR);
	/* A parent that ignores SIGCHLD leaves us no status: then only the pictures tell. */
	if (ended < 0)
		how = 0;
	complaint(said, line, sizeof(line));
	if (!ends_itself && signal_hold_has_caught(hold))
		return sahm_fail(err, SAHM_TOOL, PROGRAM " was stopped on '%s/%s.gp' by a signal", folder, name);
	if (!ends_itself)
		return sahm_fail(err, SAHM_TOOL, PROGRAM " did not end within %d s on '%s/%s.gp'", GUARD_S, folder,
				 name);
	if (WIFSIGNALED(how))
		return sahm_fail(err, SAHM_TOOL, PROGRAM " was ended by signal %d on '%s/%s.gp'%s", WTERMSIG(how),
				 folder, name, line);
	if (WEXITSTATUS(how) != 0)
		return sahm_fail(err, SAHM_TOOL, PROGRAM " failed with exit status %d on '%s/%s.gp'%s",
				 WEXITSTATUS(how), folder, name, line);
	return SAHM_OK;
}

/* Reads up to `room` bytes from `from` on; -1 and errno. */
static ssize_t read_from(int fd, char *bytes, size_t room, off_t from)
{
	size_t len = 0;
	while (len < room) {
		ssize_t nr = pread(fd, bytes + len, room - len, from + (off_t)len);
		if (nr == 0)
			break;
		if (nr < 0 && errno != EINTR)
			return -1;
		len += nr > 0 ? (size_t)nr : 0;
	}
	return (ssize_t)len;
}

/* Whether the file `path` ends as a complete picture does (a line end may follow), and is on disk: *complete. An errno
 * where that cannot be found out, else 0. */
static int check_picture(const char *path, const struct picture *p, bool *complete)
{
	char end[32] = "";
	*complete = false;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return file_is_absent(errno) ? 0 : errno;
	off_t size = lseek(fd, 0, SEEK_END), from = size > (off_t)sizeof(end) ? size - (off_t)sizeof(end) : 0;
	ssize_t got = size < 0 ? -1 : read_from(fd, end, sizeof(end), from);
	int cause = got < 0 ? errno : 0;
	while (got > 0 && (end[got - 1] == '\n' || end[got - 1] == '\r'))
		got--;
	*complete = got >= (ssize_t)p->end_bytes && memcmp(end + got - p->end_bytes, p->end, p->end_bytes) == 0;
	if (*complete && fsync(fd) != 0)
		cause = errno;
	close(fd);
	return cause;
}

/* Moves a picture out of the folder `inner` to its place; without `move` it is only looked at whether it is complete.
 */
static enum sahm_status keep(const char *folder, const char *inner, const char *name, const struct picture *p,
			     bool move, const struct textbuf *said, struct sahm_err *err)
{
	char line[256];
	char *from = path_of(folder, inner, name, p->suffix), *to = path_of(folder, "", name, p->suffix);
	enum sahm_status status = from && to ? SAHM_OK : sahm_fail_nomem(err);
	bool complete = true;
	int cause = status == SAHM_OK && !move ? check_picture(from, p, &complete) : 0;
	if (cause) {
		status = sahm_fail(err, SAHM_IO, "cannot read '%s': %s", from, strerror(cause));
	} else if (status == SAHM_OK && !complete) {
		complaint(said, line, sizeof(line));
		status = sahm_fail(err, SAHM_TOOL, PROGRAM " did not finish '%s'%s", to, line);
	} else if (status == SAHM_OK && move && rename(from, to) != 0) {
		status = sahm_fail(err, SAHM_IO, "cannot write '%s': %s", to, strerror(errno));
	}
	free(from);
	free(to);
	return status;
}

/* Removes the folder that pictures were drawn in, and what was not moved out of it: `path`, which has `room` for their
 * names. It takes no memory, which may be short by now. */
static void clear(char *path, size_t room, const char *name)
{
	size_t len = strlen(path);
	for (size_t i = 0; i < NR_PICTURES; i++) {
		snprintf(path + len, room - len, "/%s.%s", name, pictures[i].suffix);
		unlink(path);
	}
	path[len] = '\0';
	rmdir(path);
}

static void add_notes(const struct textbuf *said, const char *name, struct textbuf *notes)
{
	for (const char *line = said->text; *line;) {
		size_t len = strcspn(line, "\n");
		if (strspn(line, " \t\r^") < len)
			textbuf_printf(notes, PROGRAM " on '%s.gp': %.*s\n", name, (int)len, line);
		line += len + (line[len] == '\n');
	}
}

/* gnuplot draws into a folder of its own inside `folder`, so that nobody takes what it has begun for a picture, and no
 * link that stands in its way is followed. */
enum sahm_status plot_draw(const char *folder, const char *name, struct textbuf *notes, struct sahm_err *err)
{
	static const char template[] = "/.sahm-XXXXXX";
	size_t room = strlen(folder) + sizeof(template) + strlen(name) + SUFFIX_BYTES;
	struct textbuf said;
	char *path = malloc(room), names[256], script[128];
	if (!path)
		return sahm_fail_nomem(err);
	snprintf(path, room, "%s%s", folder, template);
	/* A signal that asks this process to end ends gnuplot first: the folder must not remain. */
	struct signal_hold hold;
	signal_hold_begin(&hold);
	if (!mkdtemp(path)) {
		int cause = errno;
		signal_hold_end(&hold);
		sahm_fail(err, SAHM_IO, "cannot write into '%s': %s", folder, strerror(cause));
		free(path);
		return SAHM_IO;
	}
	const char *inner = path + strlen(folder) + 1;
	snprintf(names, sizeof(names), "svg = '%s/%s.svg'; png = '%s/%s.png'", inner, name, inner, name);
	snprintf(script, sizeof(script), "%s.gp", name);
	/* Without -d, somebody's ~/.gnuplot would have a say. */
	char *argv[] = {PROGRAM, "-d", "-e", names, script, NULL};
	textbuf_init(&said);
	enum sahm_status status = run(folder, name, argv, &hold, &said, err);
	/* None of them appears unless all are complete: gnuplot may have drawn one and lacked memory for the other. */
	for (size_t i = 0; i < 2 * NR_PICTURES && status == SAHM_OK; i++)
		status = keep(folder, inner, name, &pictures[i % NR_PICTURES], i >= NR_PICTURES, &said, err);
	if (status == SAHM_OK)
		add_notes(&said, name, notes);
	clear(path, room, name);
	signal_hold_end(&hold);
	textbuf_release(&said);
	free(path);
	return status;
}

void plot_string(struct textbuf *script, const char *text)
{
	textbuf_putc(script, '\'');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		/* Doubled, as gnuplot has it, one at the beginning would still end the string. */
		if (c == '\'')
			textbuf_puts(script, "\xe2\x80\x99");
		else
			textbuf_putc(script, c < 0x20 || c == 0x7f ? '?' : *text);
	}
	textbuf_putc(script, '\'');
}

/* A script can be run by hand, one or several at a time, and then writes beside itself. Startup files are not its
 * business: everything that it relies on is reset and set. */
void plot_begin_script(struct textbuf *script, const char *name, unsigned width_px, unsigned height_px)
{
	textbuf_printf(script, "# Draws %s.svg and %s.png from %s.csv: gnuplot %s.gp\n", name, name, name, name);
	textbuf_printf(script,
		       "reset\n"
		       "data = '%s.csv'\n"
		       "if (!exists('svg')) svg = '%s.svg'\n"
		       "if (!exists('png')) png = '%s.png'\n"
		       "width_px = %u\n"
		       "height_px = %u\n",
		       name, name, name, width_px, height_px);
	textbuf_puts(script, "set encoding utf8\n"
			     "set datafile separator comma\n"
			     "set terminal svg size width_px,height_px font 'sans-serif,14' noenhanced "
			     "background '#ffffff'\n"
			     "set output svg\n"
			     "set tics nomirror out\n"
			     "set border 3 lw 1 lc rgb '#404040'\n");
}

void plot_end_script(struct textbuf *script)
{
	textbuf_puts(
		script,
		"set terminal pngcairo size 2*width_px,2*height_px font 'Sans,14' fontscale 2 linewidth 2 pointscale 2 "
		"noenhanced background '#ffffff'\n"
		"set output png\n"
		"replot\n"
		"set output\n"
		"undefine svg png\n");
}

/* Bytes of the character at `p`, and what stands for it in a label. Brackets: gnuplot writes ]]> into an SVG as it is,
 * where XML does not allow it. */
static size_t label_char(const char *p, char shown[5])
{
	static const char acted_on[] = "\"\\%,[]";
	static const char harmless[] = "'/_ ()";
	unsigned len = utf8_len(p);
	const char *found = *p ? strchr(acted_on, *p) : NULL;
	memcpy(shown, "?", 2);
	if (found) {
		shown[0] = harmless[found - acted_on];
	} else if (len > 0 && (unsigned char)*p >= 0x20 && *p != 0x7f && !utf8_is_noncharacter(p)) {
		memcpy(shown, p, len);
		shown[len] = '\0';
	}
	return len ? len : 1;
}

void plot_label(struct textbuf *out, const char *text)
{
	char shown[5];
	size_t nr = 0, at = 0;
	for (const char *p = text; *p; p += label_char(p, shown))
		nr++;
	for (const char *p = text; *p; at++) {
		p += label_char(p, shown);
		if (nr <= MAX_LABEL || at < MAX_LABEL / 2 || at > nr - MAX_LABEL / 2)
			textbuf_puts(out, shown);
		else if (at == MAX_LABEL / 2)
			textbuf_puts(out, "\xe2\x80\xa6");
	}
}

void figure_init(struct figure *f, const char *name)
{
	*f = (struct figure){.name = name};
	textbuf_init(&f->data);
	textbuf_init(&f->script);
	textbuf_init(&f->alt);
}

void figure_release(struct figure *f)
{
	textbuf_release(&f->data);
	textbuf_release(&f->script);
	textbuf_release(&f->alt);
}

enum sahm_status figure_write(const struct figure *f, const char *folder, struct sahm_err *err)
{
	return plot_write(folder, f->name, &f->data, &f->script, err);
}
