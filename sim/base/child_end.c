#include "sim/base/child_end.h"

#include <string.h>
#include <sys/wait.h>

#include "sim/base/clean.h"

void child_end_write(int status, struct textbuf *out)
{
	if (WIFSIGNALED(status))
		textbuf_printf(out, "its process was ended by signal %d (%s)", WTERMSIG(status),
			       strsignal(WTERMSIG(status)));
	else
		textbuf_printf(out, "its process ended with exit code %d", WEXITSTATUS(status));
}

const char *child_last_line(char *text)
{
	for (size_t end = strlen(text); end > 0 && text[end - 1] == '\n';)
		text[--end] = '\0';
	char *line = strrchr(text, '\n');
	line = line ? line + 1 : text;
	clean_text(line);
	return line;
}
