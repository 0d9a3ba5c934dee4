/* Asks for everything that the flat machine serves, and prints what it finds; ends with the number of its arguments.
 * Under qemu-riscv32 it prints the same. No C library. */
typedef unsigned int word;

__asm__(".globl _start\n_start: mv a0, sp\n call begin\n");
void begin(const word *sp);

static int call(int number, word a0, word a1, word a2)
{
	register word x10 __asm__("a0") = a0, x11 __asm__("a1") = a1, x12 __asm__("a2") = a2;
	register word x17 __asm__("a7") = (word)number;
	__asm__ volatile("ecall" : "+r"(x10) : "r"(x11), "r"(x12), "r"(x17) : "memory");
	return (int)x10;
}

static int print_to(int fd, const char *text)
{
	word len = 0;
	while (text[len])
		len++;
	return call(64, (word)fd, (word)text, len);
}

static void print(const char *text)
{
	print_to(1, text);
}

static void print_number(int n)
{
	char text[12], *p = text + sizeof(text);
	word rest = n < 0 ? 0 - (word)n : (word)n;
	*--p = '\0';
	do {
		*--p = (char)('0' + rest % 10);
		rest /= 10;
	} while (rest);
	if (n < 0)
		*--p = '-';
	print(p);
}

static void show(const char *what, int n)
{
	print(what);
	print(": ");
	print_number(n);
	print("\n");
}

static void use_heap(void)
{
	const word room = 100000;
	char *heap = (char *)call(214, 0, 0, 0);
	show("heap grows", (char *)call(214, (word)heap + room, 0, 0) == heap + room);
	word sum = 0;
	for (word i = 0; i < room; i++) {
		sum |= (word)heap[i];
		heap[i] = (char)i;
	}
	show("heap is empty", sum == 0);
	for (word i = 0; i < room; i++)
		sum += (word)(unsigned char)heap[i];
	show("heap holds", (int)sum);
	show("heap shrinks", (char *)call(214, (word)heap, 0, 0) == heap);
	show("heap stays", (char *)call(214, 16, 0, 0) == heap);
}

static void use_clock(void)
{
	word then[4], now[4];
	show("clock", call(403, 1, (word)then, 0));
	call(403, 1, (word)now, 0);
	show("clock goes on", now[0] != then[0] || now[2] > then[2]);
	show("no such clock", call(403, 999, (word)now, 0));
	show("clock nowhere", call(403, 1, 16, 0));
}

void begin(const word *sp)
{
	int argc = (int)sp[0];
	show("stack is aligned", (word)sp % 16 == 0);
	for (int i = 1; i < argc; i++) {
		print((const char *)sp[1 + i]);
		print("\n");
	}
	show("end of arguments", (int)sp[1 + argc]);
	show("written", print_to(1, "hello\n"));
	print_to(2, "to error\n");
	show("to no file", print_to(77, "lost\n"));
	show("from nowhere", call(64, 1, 16, 1));
	show("no such call", call(4000, 0, 0, 0));
	use_heap();
	use_clock();
	call(94, (word)argc, 0, 0);
}
