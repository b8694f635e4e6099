import { Readable } from 'node:stream';
import { expect } from 'chai';
import { kinds } from '../../../../src/domain/api/kinds.ts';
import { acceptedObject } from '../../../../src/adapters/kubernetes/watch/accepted-object.ts';
import type { ApiFailure, ApiRequest, ApiServer, ApiStream } from '../../../../src/adapters/kubernetes/api-server.ts';
import { Reachability } from '../../../../src/adapters/kubernetes/reachability.ts';
import { WatchedList } from '../../../../src/adapters/kubernetes/watch/watched-list.ts';
import { eventually } from '../processes.ts';

const endOfList = {
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: '5', annotations: { 'k8s.io/initial-events-end': 'true' } } },
};

async function* watching(lines: readonly object[], signal: AbortSignal): AsyncIterable<string> {
  yield* lines.map((line) => JSON.stringify(line));
  if (lines.some((line) => 'type' in line && line.type === 'ERROR')) return;
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  signal.addEventListener('abort', () => resolve(undefined));
  await promise;
}

/** How often a list is asked for in pages, where the API server first answers so to a streaming list, and whether it is known after the first attempt. */
async function pagesAfter(
  first: ApiFailure | { readonly event: object },
): Promise<{ readonly pages: number; readonly isKnownAtFirst: boolean }> {
  let pages = 0;
  let streams = 0;
  const server = {
    url: 'https://api.example.org',
    reachability: new Reachability(),
    send: () => {
      pages += 1;
      return Promise.resolve({ ok: true, value: { metadata: { resourceVersion: '5' }, items: [] } });
    },
    stream: (_request: ApiRequest, signal: AbortSignal): Promise<ApiStream> => {
      streams += 1;
      if (streams > 1) return Promise.resolve({ ok: true, lines: watching([endOfList], signal) });
      return Promise.resolve(
        'event' in first ? { ok: true, lines: watching([first.event], signal) } : { ok: false, failure: first },
      );
    },
  } as unknown as ApiServer;
  const list = new WatchedList(server, {
    path: '/api/v1/namespaces',
    accept: acceptedObject(kinds.namespaces),
    onChange: () => undefined,
  });
  await list.firstAttempt;
  const isKnownAtFirst = list.isKnown;
  await eventually('the list is read', () => list.isKnown);
  await list.close();
  return { pages, isKnownAtFirst };
}

describe('a list that the API server does not stream', () => {
  const inPages = { pages: 1, isKnownAtFirst: true };
  const later = { pages: 0, isKnownAtFirst: false };

  it('is read in pages if the API server does not support streams', async () => {
    expect(await pagesAfter({ status: 400, message: 'unknown parameter sendInitialEvents' })).to.deep.equal(inPages);
    expect(await pagesAfter({ status: 422, message: 'sendInitialEvents: Forbidden' })).to.deep.equal(inPages);
  });

  it('is read in pages if its etcd does not', async () => {
    const message =
      'Internal error occurred: a watch stream was requested by the client but the required storage feature RequestWatchProgress is disabled';
    expect(await pagesAfter({ event: { type: 'ERROR', object: { code: 500, message } } })).to.deep.equal(inPages);
  });

  it('is requested as a stream again after a transient error', async () => {
    expect(
      await pagesAfter({ status: 500, message: 'Internal error occurred: etcdserver: leader changed' }),
    ).to.deep.equal(later);
    expect(
      await pagesAfter({ status: 503, message: 'the server is currently unable to handle the request' }),
    ).to.deep.equal(later);
  });
});

describe('a watch that ends', () => {
  it('is resumed from the version of the last bookmark', async () => {
    const versions: (string | undefined)[] = [];
    const bookmark = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } };
    const stream = ({ query }: ApiRequest, signal: AbortSignal): Promise<ApiStream> => {
      versions.push(query?.['resourceVersion']);
      if (versions.length > 1) return Promise.resolve({ ok: true, lines: watching([], signal) });
      // Without an error, as where the API server ends a watch.
      const lines = [endOfList, bookmark].map((line) => JSON.stringify(line));
      return Promise.resolve({ ok: true, lines: Readable.from(lines) as AsyncIterable<string> });
    };
    const server = { url: 'https://api.example.org', reachability: new Reachability(), stream } as unknown as ApiServer;
    const list = new WatchedList(server, {
      path: '/api/v1/namespaces',
      accept: acceptedObject(kinds.namespaces),
      onChange: () => undefined,
    });
    await eventually('it is resumed', () => versions.length === 2);
    await list.close();
    expect(versions).to.deep.equal([undefined, '9']);
  });
});
