/**
 * Requests to an API server (Kubernetes documentation, "Kubernetes API Concepts"), over HTTP/1.1 and TLS.
 */
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isJsonObject, type JsonObject } from '../json/json-object.ts';
import type { ClusterAccess } from './cluster-access.ts';
import { Credentials } from './credentials.ts';
import { Reachability } from './reachability.ts';

/** Milliseconds without an answer, and without data of it unless it has no end, after which a request counts as failed. */
const REQUEST_TIMEOUT = 30_000;

/** A request. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The part of objects that is asked for: all of them, unless it is given. */
  readonly accept?: string;
  /** Of the body; server-side apply for a PATCH, and JSON for others, unless it is given. */
  readonly contentType?: string;
}

/** Why a request failed. */
export interface ApiFailure {
  /** HTTP status; absent where there was no answer, or it was lost. */
  readonly status?: number;
  /** Whether there was no answer of an API server at all. */
  readonly isUnanswered?: true;
  /** In one line, for a person: the API server's own message, or why it cannot be reached. */
  readonly message: string;
  /** Milliseconds after which the API server wants to be asked again (RFC 9110, Retry-After). */
  readonly retryAfter?: number;
}

/** Message about credentials that are refused (HTTP 401), whatever was asked for. */
export function refusalOfCredentials({ message }: ApiFailure): string {
  return `refuses the credentials: ${message}; log in again, or choose another context or user`;
}

/** Message about a failure that other requests would have too: no answer of an API server, or credentials that are refused. It begins with the URL; absent for others. */
export function failureOfAll(url: string, failure: ApiFailure): string | undefined {
  const { status, message } = failure;
  if (status === 401) return `${url}: ${refusalOfCredentials(failure)}`;
  return status === undefined ? message.replace(`${url} `, `${url}: `) : undefined;
}

/** An answer, or why there is none. */
export type ApiResult =
  { readonly ok: true; readonly value: JsonObject } | { readonly ok: false; readonly failure: ApiFailure };

/** The lines of a response without an end, or why there is none. */
export type ApiStream =
  { readonly ok: true; readonly lines: AsyncIterable<string> } | { readonly ok: false; readonly failure: ApiFailure };

/** How a proxy or load balancer answers in the place of a server (RFC 9110, 15.6.3 to 15.6.5); an API server itself adds a Status object. */
const BY_GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Too Many Requests (RFC 6585): nothing has been done. */
const TOO_BUSY = 429;

/** Maximum milliseconds for which writes wait, even if the API server asks for more. */
const LONGEST_WAIT = 60_000;

/** Server-side apply takes JSON under this type too: JSON is YAML. */
const APPLY = 'application/apply-patch+yaml';

/** The address that a URL has in the place of a name, without the brackets of IPv6 (RFC 3986, 3.2.2). */
export function addressesIn(url: string): readonly string[] {
  const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : '';
  return isIP(host) === 0 ? [] : [host];
}

/** An API server, with the credentials of one user. */
export class ApiServer {
  /** Its URL. */
  readonly url: string;
  /** The address in its URL; none if that has a name. */
  readonly addresses: readonly string[];
  /** Who waits for it to answer. */
  readonly reachability = new Reachability();
  readonly #credentials: Credentials;
  readonly #closing = new AbortController();
  /** Until when it wants to be left alone, in milliseconds, and how it said so. */
  #busy: { readonly until: number; readonly failure: ApiFailure } | undefined;

  readonly #timeout: number;

  /** @param timeout milliseconds without an answer after which a request counts as failed */
  constructor(access: ClusterAccess, timeout = REQUEST_TIMEOUT) {
    this.url = access.cluster.server;
    this.addresses = addressesIn(this.url);
    this.#timeout = timeout;
    this.#credentials = new Credentials(access);
  }

  /** Sends a request. Never rejects. */
  async send(request: ApiRequest): Promise<ApiResult> {
    const first = await this.#send(request);
    if (first.ok || first.failure.status !== 401) return first;
    // Another credential may be there by now.
    this.#credentials.refuse();
    return await this.#send(request);
  }

  /**
   * Sends a request that changes something, unless the API server has been too busy for one and is not to be asked again yet: then its answer is the same.
   * It counts how busy it is for each user, whatever the request is about (Kubernetes, "API Priority and Fairness"). Never rejects.
   */
  async write(request: ApiRequest): Promise<ApiResult> {
    const busy = this.#busy;
    if (busy !== undefined && performance.now() < busy.until) return { ok: false, failure: busy.failure };
    const result = await this.send(request);
    if (!result.ok && result.failure.status === TOO_BUSY) {
      const { failure } = result;
      this.#busy = { until: performance.now() + Math.min(failure.retryAfter ?? 0, LONGEST_WAIT), failure };
    }
    return result;
  }

  /**
   * Sends a request whose response has no end, such as a watch. Never rejects; reading its lines does, where the connection is lost.
   *
   * @param signal ends it
   * @param timeout milliseconds without data, once it is answered, after which the connection counts as lost
   */
  async stream(request: ApiRequest, signal: AbortSignal, timeout: number): Promise<ApiStream> {
    const response = await this.#open(request, signal);
    if (!('headers' in response)) return { ok: false, failure: response };
    if (response.statusCode === 200) {
      response.setTimeout(timeout);
      return { ok: true, lines: linesOf(response) };
    }
    if (response.statusCode === 401) this.#credentials.refuse();
    return { ok: false, failure: await this.#failureIn(response) };
  }

  /** Ends all requests. */
  close(): void {
    this.#closing.abort();
    this.#credentials.close();
  }

  async #send(request: ApiRequest): Promise<ApiResult> {
    const response = await this.#open(request);
    if (!('headers' in response)) return { ok: false, failure: response };
    if (!isDone(response)) return { ok: false, failure: await this.#failureIn(response) };
    const text = await textOf(response);
    if (text === undefined) return { ok: false, failure: { message: `${this.url}: the connection was lost` } };
    const value = parsed(text);
    if (isJsonObject(value)) return { ok: true, value };
    return { ok: false, failure: { message: `${this.url} answered with something other than an object` } };
  }

  /** The failure that a response tells. A proxy or load balancer that has no API server to ask is no answer of one. */
  async #failureIn(response: IncomingMessage): Promise<ApiFailure> {
    const { statusCode: status = 0, headers } = response;
    const body = parsed((await textOf(response)) ?? '');
    const said = isJsonObject(body) && typeof body['message'] === 'string' ? body['message'] : response.statusMessage;
    const message = `${(said || 'no message').replaceAll(/\s*\n\s*/g, ' ')} (HTTP ${status})`;
    const retryAfter = headers['retry-after'];
    if (BY_GATEWAY.has(status) && !isJsonObject(body) && retryAfter === undefined)
      return { isUnanswered: true, message: `${this.url} cannot be reached: ${message}` };
    this.reachability.answered();
    const seconds = Number(retryAfter);
    return { status, message, ...(retryAfter !== undefined && seconds >= 0 && { retryAfter: seconds * 1000 }) };
  }

  async #open(apiRequest: ApiRequest, signal?: AbortSignal): Promise<IncomingMessage | ApiFailure> {
    const {
      method,
      path,
      query = {},
      body,
      accept = 'application/json',
      contentType = method === 'PATCH' ? APPLY : 'application/json',
    } = apiRequest;
    try {
      const { agent, headers } = await this.#credentials.current();
      const url = new URL(this.url + path);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const content = body === undefined ? undefined : JSON.stringify(body);
      const send = url.protocol === 'http:' ? plainRequest : tlsRequest;
      const request = send(url, {
        method,
        agent,
        timeout: this.#timeout,
        signal: signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]),
        headers: {
          accept,
          'user-agent': 'ovn-uplinks',
          ...headers,
          ...(content !== undefined && {
            'content-type': contentType,
            'content-length': Buffer.byteLength(content),
          }),
        },
      });
      request.on('timeout', () => request.destroy(new Error('it does not answer in time')));
      request.end(content);
      try {
        const response = await responseTo(request);
        if (isDone(response)) this.reachability.answered();
        return response;
      } catch (error) {
        // The API server may close a connection that was idle just when it is used again (Node.js, request.reusedSocket).
        if (!request.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
        return await this.#open(apiRequest, signal);
      }
    } catch (error) {
      return { isUnanswered: true, message: `${this.url} cannot be reached: ${errorText(error)}` };
    }
  }
}

function isDone({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 299;
}

async function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // An error after the response is one of reading it.
  request.on('error', () => undefined);
  return response;
}

/** In one line; connections to several addresses fail with several errors. */
function errorText(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(errorText).join(', ');
  const text = error instanceof Error ? error.message : String(error);
  return explanationOf(error) ?? text.replaceAll(/\s*\n\s*/g, ' ');
}

/** Meaning of an error of Node.js or OpenSSL whose own words do not tell it. */
function explanationOf(error: unknown): string | undefined {
  const { code, hostname, message } = error as NodeJS.ErrnoException & { readonly hostname?: string };
  if (code === 'ENOTFOUND') return `there is no host ${hostname ?? 'of this name'} (${code})`;
  if (code === 'EAI_AGAIN') return `the name server does not answer for ${hostname ?? 'its host'} (${code})`;
  // tlsany_meth.c in OpenSSL takes the first bytes of a plain answer for a version.
  if (code === 'EPROTO' && message.includes('wrong version number'))
    return 'it answers without TLS: expected http in its URL, or another port';
  return undefined;
}

async function* linesOf(response: IncomingMessage): AsyncIterable<string> {
  response.setEncoding('utf8');
  let rest = '';
  for await (const chunk of response as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
  // A last line without an end has been cut off.
}

/** The whole body; absent where the connection is lost meanwhile. */
async function textOf(response: IncomingMessage): Promise<string | undefined> {
  try {
    response.setEncoding('utf8');
    let text = '';
    for await (const chunk of response as AsyncIterable<string>) text += chunk;
    return text;
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
