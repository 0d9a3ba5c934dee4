/* Arrays whose length the compiler knows, and tables whose rows have names. */
#ifndef SAHM_SIM_BASE_ARRAY_H
#define SAHM_SIM_BASE_ARRAY_H

/* Number of elements of an array; not for pointers. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A list of rows is a macro, from which an enum and a table by its symbols are made:
 *	#define CPU_KEYS(KEY) KEY(CPU_NAME, "name", ...) KEY(CPU_SOURCE, "source", ...)
 *	enum cpu_key { CPU_KEYS(ROW_SYMBOL) NR_CPU_KEYS };
 *	static const struct cpu_row rows[] = {CPU_KEYS(ROW_ELEMENT)};
 * After its symbol a row has the members of the struct, in their order. */
#define ROW_SYMBOL(symbol, ...) symbol,
#define ROW_ELEMENT(symbol, ...) [symbol] = {__VA_ARGS__},

#endif
