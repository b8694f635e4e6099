import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, ProxiedRequest } from './fault-proxy.ts';

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

async function* cut(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) {
    yield line.slice(0, line.length / 2);
    throw new Error('cut');
  }
}

async function* ended(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) {
    yield line.slice(0, line.length / 2);
    return;
  }
}

async function* late(lines: AsyncIterable<string>): AsyncIterable<string> {
  await pause(500);
  yield* lines;
}

/** Seconds after which a write is to be sent again. */
export const RETRY_AFTER = 1;

/** Possible faults of a write, by the name of an object to which they happen. */
const writeFaults: Readonly<Record<string, Fault>> = {
  'write-dropped': { answer: () => 'dropped' },
  'answer-lost': { answer: () => 'unanswered' },
  'write-repeated': { answer: () => 'repeated' },
  'answer-late': { lines: late },
  'answer-cut': { lines: cut },
  'answer-ended': { lines: ended },
  'internal-error': { answer: () => ({ status: 500, body: 'Internal Server Error' }) },
  'page-for-people': { answer: () => ({ status: 200, body: '<html>Please log in</html>' }) },
  'other-was-first': {
    answer: () => ({ status: 409, body: '{"kind":"Status","message":"the object has been modified"}' }),
  },
  // The last one in each pass, as nothing else is written for a while.
  'write-too-soon': { answer: () => ({ status: 429, headers: { 'retry-after': String(RETRY_AFTER) } }) },
};

/** The names of objects to which something happens. */
export const disturbedNames: readonly string[] = Object.keys(writeFaults);

/** Has each kind of write of an object fail once, as the object's name says. */
export class DisturbedWrites implements Fault {
  /** The writes to which something has happened, as `METHOD /PATH`. */
  readonly seen = new Set<string>();
  readonly #chosen = new WeakMap<ProxiedRequest, Fault>();

  readonly answer = (request: ProxiedRequest) => {
    const name = disturbedNames.find((each) => request.path.includes(`/${each}`));
    const key = `${request.method} ${request.path}`;
    if (request.method === 'GET' || name === undefined || this.seen.has(key)) return undefined;
    this.seen.add(key);
    this.#chosen.set(request, writeFaults[name] ?? {});
    return writeFaults[name]?.answer?.(request);
  };

  readonly lines = (lines: AsyncIterable<string>, request: ProxiedRequest) =>
    this.#chosen.get(request)?.lines?.(lines, request) ?? lines;
}
