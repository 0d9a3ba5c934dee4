/* Texts of other tools: lines and names. */
#include <string.h>

#include "workloads/import/import_internal.h"

bool import_line_begins(const char *line, size_t len, const char *word)
{
	return len >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

bool import_line_holds(const char *line, size_t len, const char *word)
{
	return memmem(line, len, word, strlen(word)) != NULL;
}

uint32_t import_hash_name(const char *name, size_t len)
{
	uint32_t hash = UINT32_C(2166136261);
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)name[i]) * UINT32_C(16777619);
	return hash ^ hash >> 16;
}
