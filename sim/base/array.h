/* Arrays whose length the compiler knows. */
#ifndef SAHM_BASE_ARRAY_H
#define SAHM_BASE_ARRAY_H

/* Number of elements of an array; not for pointers. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
