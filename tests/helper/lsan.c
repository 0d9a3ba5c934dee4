/* libconfig 1.5 forgets the string that it holds when the syntax breaks off right after it. That is its leak, of a few
 * bytes per malformed file; everything else that leaks is ours. */
const char *__lsan_default_suppressions(void);

__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void)
{
	return "leak:strbuf_append\n"
	       "leak:libconfig_yylex\n"; /* the same for an empty string */
}
