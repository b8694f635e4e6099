/*
 * A library that pretends a processor with AMX (ld.so(8), LD_PRELOAD): the extended state of a process has 11,008 bytes, the real ones and then zeros.
 * ptrace(2) gives them, and takes nothing shorter, as Linux does (arch/x86/kernel/fpu/regset.c, xstateregs_set).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/uio.h>

#define SIZE 11008

static size_t real_size;

static long give(long (*ptrace)(int, pid_t, void *, void *), pid_t pid, struct iovec *room)
{
	/* The stacks of kernels are small. */
	static char state[SIZE];
	struct iovec whole = { state, SIZE };

	memset(state, 0, SIZE);
	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_X86_XSTATE, &whole) < 0)
		return -1;
	real_size = whole.iov_len;
	if (room->iov_len > SIZE)
		room->iov_len = SIZE;
	memcpy(room->iov_base, state, room->iov_len);
	return 0;
}

static long take(long (*ptrace)(int, pid_t, void *, void *), pid_t pid, const struct iovec *given)
{
	struct iovec real = { given->iov_base, real_size };

	if (given->iov_len < SIZE) {
		errno = EFAULT;
		return -1;
	}
	return ptrace(PTRACE_SETREGSET, pid, (void *)NT_X86_XSTATE, &real);
}

long ptrace(enum __ptrace_request request, ...)
{
	static long (*next)(int, pid_t, void *, void *);
	va_list list;
	pid_t pid;
	void *address, *data;

	va_start(list, request);
	pid = va_arg(list, pid_t);
	address = va_arg(list, void *);
	data = va_arg(list, void *);
	va_end(list);
	if (next == NULL)
		next = (long (*)(int, pid_t, void *, void *))dlsym(RTLD_NEXT, "ptrace");
	if (address == (void *)NT_X86_XSTATE && request == PTRACE_GETREGSET)
		return give(next, pid, data);
	if (address == (void *)NT_X86_XSTATE && request == PTRACE_SETREGSET)
		return take(next, pid, data);
	return next(request, pid, address, data);
}
