import type { Environment } from '@marcbachmann/cel-js';
import { isRequestUri, type ParsedUrl, parseUrl, queryOf } from './parsed-url.ts';

/** A URL in CEL (type `kubernetes.URL`). */
class Url {
  readonly parsed: ParsedUrl;

  constructor(parsed: ParsedUrl) {
    this.parsed = parsed;
  }
}

function urlOf(text: string): Url {
  const parsed = isRequestUri(text) ? parseUrl(text) : undefined;
  if (parsed === undefined) throw new Error(`${text} is not a URL`);
  return new Url(parsed);
}

/** Adds the functions of Kubernetes' URL library. */
export function withUrlFunctions(environment: Environment): Environment {
  return environment
    .registerType('kubernetes.URL', Url)
    .registerOperator(
      'kubernetes.URL == kubernetes.URL',
      (left: Url, right: Url) => left.parsed.text === right.parsed.text,
    )
    .registerFunction('isURL(string): bool', isRequestUri)
    .registerFunction('url(string): kubernetes.URL', urlOf)
    .registerFunction('kubernetes.URL.getScheme(): string', ({ parsed }: Url) => parsed.scheme)
    .registerFunction('kubernetes.URL.getHost(): string', ({ parsed }: Url) => parsed.host)
    .registerFunction('kubernetes.URL.getHostname(): string', ({ parsed }: Url) => parsed.hostname)
    .registerFunction('kubernetes.URL.getPort(): string', ({ parsed }: Url) => parsed.port)
    .registerFunction('kubernetes.URL.getEscapedPath(): string', ({ parsed }: Url) => parsed.escapedPath)
    .registerFunction('kubernetes.URL.getQuery(): map<string, list<string>>', ({ parsed }: Url) =>
      queryOf(parsed.query),
    );
}
