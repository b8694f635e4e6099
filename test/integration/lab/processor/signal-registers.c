/*
 * Has a signal come while registers of the processor have a value that the handler replaces. Prints the ones that have another value afterwards, and
 * says whether the stack suffices that the kernel says a signal takes (getauxval(3), AT_MINSIGSTKSZ), and what becomes of a signal on a smaller one.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The smallest alternate stack that the kernel takes (MINSIGSTKSZ of Linux). */
#define MINIMUM 2048

struct registers {
	unsigned char xmm5[16], ymm3[32], zmm3[64], zmm17[64];
	unsigned long k3;
};

static char *stack_end;
static long stack_used;

static int has_avx, has_avx512;

static void clear(void)
{
	asm volatile("pxor %%xmm5, %%xmm5" ::: "xmm5");
	if (has_avx)
		asm volatile("vpxor %%ymm3, %%ymm3, %%ymm3" ::: "xmm3");
	if (has_avx512)
		asm volatile("vpxorq %%zmm3, %%zmm3, %%zmm3\n vpxorq %%zmm17, %%zmm17, %%zmm17\n kxorq %%k3, %%k3, %%k3" :::);
}

static void handle(int signal, siginfo_t *information, void *context)
{
	(void)signal, (void)information;
	stack_used = stack_end - ((char *)context - sizeof(void *));
	clear();
}

/* Loads registers, sends the signal to this process, and stores them: nothing of the compiler's lies in between. */
static void signalled(const struct registers *before, struct registers *after)
{
	long process = getpid(), result;

#define SIGNAL "a"(SYS_tgkill), "D"(process), "S"(process), "d"(SIGUSR1)
	if (has_avx512)
		asm volatile("vmovdqu64 %[z3], %%zmm3\n vmovdqu64 %[z17], %%zmm17\n kmovq %[k3], %%k3\n syscall\n"
			     "vmovdqu64 %%zmm3, %[y3]\n vmovdqu64 %%zmm17, %[y17]\n kmovq %%k3, %[l3]"
			     : "=a"(result), [y3] "=m"(after->zmm3), [y17] "=m"(after->zmm17), [l3] "=m"(after->k3)
			     : SIGNAL, [z3] "m"(before->zmm3), [z17] "m"(before->zmm17), [k3] "m"(before->k3)
			     : "rcx", "r11", "memory", "xmm3");
	if (has_avx)
		asm volatile("vmovdqu %[x], %%ymm3\n syscall\n vmovdqu %%ymm3, %[y]"
			     : "=a"(result), [y] "=m"(after->ymm3)
			     : SIGNAL, [x] "m"(before->ymm3)
			     : "rcx", "r11", "memory", "xmm3");
	asm volatile("movdqu %[x], %%xmm5\n syscall\n movdqu %%xmm5, %[y]"
		     : "=a"(result), [y] "=m"(after->xmm5)
		     : SIGNAL, [x] "m"(before->xmm5)
		     : "rcx", "r11", "memory", "xmm5");
}

#define COMPARE(name) \
	do { \
		if (memcmp(&before.name, &after.name, sizeof(before.name)) != 0) \
			printf("lost " #name "\n"); \
	} while (0)

static void use_stack(size_t size)
{
	stack_t stack = { .ss_sp = malloc(size), .ss_size = size };

	stack_end = (char *)stack.ss_sp + size;
	if (sigaltstack(&stack, NULL) < 0) {
		perror("sigaltstack");
		exit(1);
	}
}

static const char *outcome_on_smaller_stack(long allowed)
{
	int status;
	pid_t child;

	/* More than the alignments that are allowed for. */
	if (allowed < MINIMUM + 128)
		return "none is smaller";
	child = fork();
	if (child == 0) {
		use_stack(MINIMUM);
		raise(SIGUSR1);
		_exit(0);
	}
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? "a smaller one is refused" : "a smaller one is taken";
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	long allowed = getauxval(AT_MINSIGSTKSZ);
	struct registers before, after;

	has_avx = __builtin_cpu_supports("avx");
	has_avx512 = __builtin_cpu_supports("avx512bw");
	sigaction(SIGUSR1, &action, NULL);
	/* With room for the handler. */
	use_stack(allowed + 65536);
	for (size_t i = 0; i < sizeof(before); i++)
		((unsigned char *)&before)[i] = 3 * i + 1;
	memset(&after, 0, sizeof(after));
	signalled(&before, &after);
	COMPARE(xmm5);
	if (has_avx)
		COMPARE(ymm3);
	if (has_avx512) {
		COMPARE(zmm3);
		COMPARE(zmm17);
		COMPARE(k3);
	}
	printf("%s; %s; %s\n", has_avx512 ? "AVX-512" : has_avx ? "AVX" : "SSE",
	       stack_used > 0 && stack_used <= allowed ? "within its stack" : "beyond its stack", outcome_on_smaller_stack(allowed));
	return 0;
}
