import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import type { ClusterAccess } from '../../../src/adapters/kubernetes/cluster-access.ts';

/** A request on its way. */
export interface ProxiedRequest {
  readonly method: string;
  /** Its path and query, which may be changed. */
  readonly url: URL;
  readonly isWatch: boolean;
  /** The path of what it is about: of a creation the object's, not the list's. */
  readonly path: string;
}

/** An answer that is not the API server's. */
export interface FaultyAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The effect of a fault on requests and answers. */
export interface Fault {
  /**
   * Answers instead of the API server, closes the connection without an answer before the API server gets the request (`dropped`) or after it has answered
   * (`unanswered`), never answers (`ignored`), sends it twice and returns the second answer (`repeated`), or lets the request pass.
   */
  readonly answer?: (
    request: ProxiedRequest,
  ) => FaultyAnswer | 'dropped' | 'unanswered' | 'ignored' | 'repeated' | undefined;
  /**
   * Passes on the lines of an answer, with their ends. Where it throws, the connection is lost; where it returns early, the answer ends as if it were
   * complete.
   */
  readonly lines?: (lines: AsyncIterable<string>, request: ProxiedRequest) => AsyncIterable<string>;
}

/** An HTTP proxy in front of an API server that disturbs what it passes on. */
export class FaultProxy {
  /** The fault of requests from now on, and of lines of the answers to them. */
  fault: Fault = {};
  /** When requests arrived, in milliseconds, by path. */
  readonly requests = new Map<string, number[]>();
  /** Those of them that change something. */
  readonly changes = new Map<string, number[]>();
  /** The changes that requests make, by path, in the order of their arrival. */
  readonly writes: string[] = [];
  readonly #target: ClusterAccess;
  readonly #server: Server;

  private constructor(target: ClusterAccess) {
    this.#target = target;
    this.#server = createServer((asked, answer) => {
      void this.#pass(asked, answer);
    });
  }

  static async before(target: ClusterAccess): Promise<FaultProxy> {
    const self = new FaultProxy(target);
    await once(self.#server.listen(0, '127.0.0.1'), 'listening');
    return self;
  }

  /** The API server behind the proxy. */
  get access(): ClusterAccess {
    const { port } = this.#server.address() as { readonly port: number };
    return {
      ...this.#target,
      cluster: { name: 'proxy', server: `http://127.0.0.1:${port}`, skipTLSVerify: false },
    };
  }

  /** The number of requests with a path that ends so. */
  count(end: string): number {
    return [...this.requests].reduce((sum, [path, times]) => sum + (path.endsWith(end) ? times.length : 0), 0);
  }

  /** Drops the connections that there are. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.cut();
    await once(this.#server.close(), 'close');
  }

  async #pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(asked.url ?? '', this.#target.cluster.server);
    const { method = '' } = asked;
    const body = await textOf(asked);
    const path = method === 'POST' ? `${url.pathname}/${nameIn(body)}` : url.pathname;
    const proxied: ProxiedRequest = { method, url, isWatch: url.searchParams.get('watch') === 'true', path };
    if (method !== 'GET') this.writes.push(path);
    for (const arrivals of method === 'GET' ? [this.requests] : [this.requests, this.changes])
      arrivals.set(url.pathname, [...(arrivals.get(url.pathname) ?? []), performance.now()]);
    const { fault } = this;
    const instead = fault.answer?.(proxied);
    if (instead === 'dropped') asked.socket.destroy();
    else if (instead === 'ignored') return;
    else if (typeof instead === 'object') answer.writeHead(instead.status, instead.headers).end(instead.body);
    else {
      try {
        if (instead !== undefined) (await this.#send(asked, proxied, body)).response.resume();
        if (instead === 'unanswered') asked.socket.destroy();
        else await this.#forward(asked, answer, fault, proxied, body);
      } catch {
        asked.socket.destroy();
      }
    }
  }

  async #forward(
    asked: IncomingMessage,
    answer: ServerResponse,
    fault: Fault,
    proxied: ProxiedRequest,
    body: string,
  ): Promise<void> {
    const { upstream, response } = await this.#send(asked, proxied, body);
    answer.on('close', () => upstream.destroy());
    const { 'content-length': _, ...headers } = response.headers;
    answer.writeHead(response.statusCode ?? 0, headers).flushHeaders();
    for await (const line of fault.lines?.(linesOf(response), proxied) ?? linesOf(response)) answer.write(line);
    answer.end();
  }

  /** Sends a request to the API server, and waits for its answer to begin. */
  async #send(
    asked: IncomingMessage,
    { url }: ProxiedRequest,
    body: string,
  ): Promise<{ readonly upstream: ClientRequest; readonly response: IncomingMessage }> {
    const { host: _, ...headers } = asked.headers;
    const ca = readFileSync(this.#target.cluster.caFile ?? '');
    const upstream = request(url, { method: asked.method, headers, ca });
    const [response] = (await once(upstream.end(body), 'response')) as [IncomingMessage];
    return { upstream, response };
  }
}

async function textOf(message: IncomingMessage): Promise<string> {
  message.setEncoding('utf8');
  let text = '';
  for await (const chunk of message as AsyncIterable<string>) text += chunk;
  return text;
}

function nameIn(body: string): string {
  const { metadata } = JSON.parse(body) as { readonly metadata?: { readonly name?: string } };
  return metadata?.name ?? '';
}

async function* linesOf(response: IncomingMessage): AsyncIterable<string> {
  response.setEncoding('utf8').on('error', () => undefined);
  let rest = '';
  for await (const chunk of response as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield `${line}\n`;
  }
  if (rest !== '') yield rest;
}
