/*
 * give-back SIZE: asks for so many bytes of the extended state of a process, and gives back what it got. Prints the number of bytes, and the error if that
 * is refused. 2,696 bytes are what User Mode Linux 6.1 asks for.
 */
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	static char state[1 << 16];
	struct iovec given = { state, count > 1 ? strtoul(arguments[1], NULL, 10) : sizeof(state) };
	pid_t child = fork();

	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	if (ptrace(PTRACE_GETREGSET, child, (void *)NT_X86_XSTATE, &given) < 0)
		perror("PTRACE_GETREGSET");
	else if (ptrace(PTRACE_SETREGSET, child, (void *)NT_X86_XSTATE, &given) < 0)
		printf("%zu: %s\n", given.iov_len, strerror(errno));
	else
		printf("%zu\n", given.iov_len);
	kill(child, SIGKILL);
	return 0;
}
