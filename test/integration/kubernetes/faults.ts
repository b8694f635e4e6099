import { setTimeout as pause } from 'node:timers/promises';
import type { Fault } from './fault-proxy.ts';

/** A fault until it has happened so often, of requests for Uplinks. */
export function times(limit: number, fault: (happen: () => boolean) => Fault): Fault {
  let count = 0;
  const isOfUplinks = (url: URL) => url.pathname.endsWith('/uplinks');
  const { answer, lines } = fault(() => (count += 1) <= limit);
  return {
    ...(answer && { answer: (request) => (isOfUplinks(request.url) ? answer(request) : undefined) }),
    ...(lines && { lines: (all, request) => (isOfUplinks(request.url) ? lines(all, request) : all) }),
  };
}

async function* withFormer(lines: AsyncIterable<string>): AsyncIterable<string> {
  const former: string[] = [];
  for await (const line of lines) {
    yield line;
    yield* former;
    if (!/"type":"(BOOKMARK|DELETED)"/.test(line)) former.push(line);
    if (former.length > 8) former.shift();
  }
}

/** Faults that pass, each with the requests that a list may need at most. */
export const passingFaults: Readonly<Record<string, { readonly fault: Fault; readonly most: number }>> = {
  'drops requests': {
    fault: times(4, (happen) => ({ answer: () => (happen() ? 'dropped' : undefined) })),
    most: 8,
  },
  'drops connections after two events': {
    fault: times(4, (happen) => ({
      async *lines(lines) {
        let count = 0;
        for await (const line of lines) {
          if ((count += 1) > 2 && happen()) throw new Error('dropped');
          yield line;
        }
      },
    })),
    most: 12,
  },
  'delays events': {
    fault: times(0, () => ({
      async *lines(lines) {
        for await (const line of lines) {
          await pause(30);
          yield line;
        }
      },
    })),
    most: 2,
  },
  'sends each event twice': {
    fault: times(0, () => ({
      async *lines(lines) {
        for await (const line of lines) yield line + line;
      },
    })),
    most: 2,
  },
  'sends former events again': { fault: times(0, () => ({ lines: withFormer })), most: 2 },
  'loses the connection in the middle of an object': {
    fault: times(4, (happen) => ({
      async *lines(lines) {
        for await (const line of lines) {
          if (happen()) {
            yield line.slice(0, line.length / 2);
            throw new Error('cut');
          }
          yield line;
        }
      },
    })),
    most: 8,
  },
  'ends an answer in the middle of an object': {
    fault: times(4, (happen) => ({
      async *lines(lines) {
        for await (const line of lines) {
          if (happen()) {
            yield line.slice(0, line.length / 2);
            return;
          }
          yield line;
        }
      },
    })),
    most: 12,
  },
  'answers 500': {
    fault: times(4, (happen) => ({
      answer: () => (happen() ? { status: 500, body: 'Internal Server Error' } : undefined),
    })),
    most: 8,
  },
  'answers with a page for people': {
    fault: times(3, (happen) => ({
      answer: () => (happen() ? { status: 200, body: '<html>\n<p>Please log in</p>\n</html>\n' } : undefined),
    })),
    most: 8,
  },
  'does not know streaming lists, and lists come in pages': {
    fault: times(0, () => ({
      answer({ url: { searchParams } }) {
        if (searchParams.has('sendInitialEvents')) return { status: 422 };
        if (searchParams.has('limit')) searchParams.set('limit', '2');
        return undefined;
      },
    })),
    most: 12,
  },
  'lets a list expire while it is read in pages': {
    fault: times(0, () => ({
      answer({ url: { searchParams } }) {
        if (searchParams.has('sendInitialEvents')) return { status: 422 };
        if (searchParams.has('continue')) return { status: 410 };
        if (searchParams.has('limit')) searchParams.set('limit', '2');
        return undefined;
      },
    })),
    most: 8,
  },
  'cuts a page of a list': {
    fault: times(3, (happen) => ({
      answer: ({ url: { searchParams } }) => (searchParams.has('sendInitialEvents') ? { status: 422 } : undefined),
      async *lines(lines, { isWatch }) {
        for await (const line of lines) {
          if (!isWatch && happen()) {
            yield line.slice(0, line.length / 2);
            throw new Error('cut');
          }
          yield line;
        }
      },
    })),
    most: 12,
  },
  'says that versions have expired': {
    fault: times(4, (happen) => ({
      answer: ({ url: { searchParams } }) =>
        searchParams.has('resourceVersion') && happen() ? { status: 410 } : undefined,
    })),
    most: 16,
  },
};

/** Faults that stay. */
export const lastingFaults: Readonly<Record<string, Fault>> = {
  'ends each watch at once': times(0, () => ({
    async *lines(lines, { url }) {
      if (url.searchParams.has('sendInitialEvents')) yield* lines;
    },
  })),
  'closes each connection after the objects': times(0, () => ({
    async *lines(lines) {
      for await (const line of lines) {
        yield line;
        if (!line.includes('initial-events-end')) continue;
        await pause(20);
        throw new Error('closed');
      }
    },
  })),
  'always says that versions have expired': times(0, () => ({
    answer: ({ url: { searchParams } }) =>
      searchParams.get('sendInitialEvents') === null ? { status: 410 } : undefined,
  })),
  'knows neither streaming lists nor versions': times(0, () => ({
    answer({ url: { searchParams } }) {
      if (searchParams.has('sendInitialEvents')) return { status: 422 };
      return searchParams.has('resourceVersion') ? { status: 410 } : undefined;
    },
  })),
};
