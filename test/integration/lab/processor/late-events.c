/*
 * Preloaded into a kernel of lab machines: some events of files come after their signal, as on a host whose processor pauses between the two
 * (drivers/net/tun.c, tun_net_xmit). The kernel asks for events with the deadline 0 when it has got a signal; now and then it finds none.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <sys/epoll.h>

#define EVERY 7

int epoll_wait(int epoll, struct epoll_event *events, int most, int deadline)
{
	static int (*real)(int, struct epoll_event *, int, int);
	static unsigned int calls;

	if (real == NULL)
		real = dlsym(RTLD_NEXT, "epoll_wait");
	if (deadline == 0 && ++calls % EVERY == 0)
		return 0;
	return real(epoll, events, most, deadline);
}
