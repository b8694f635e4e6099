import type { Environment } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import { lazyByText } from '../../../domain/basics/incremental/lazy.ts';

/** Rules have a handful of patterns. */
const CACHED_PATTERNS = 100;

/** A pattern of RE2, which the API server uses; @throws for a pattern that RE2 rejects, such as one with a lookahead */
const compiled = lazyByText((pattern) => RE2JS.compile(pattern), CACHED_PATTERNS);

/** The first match; empty if there is none. */
function find(text: string, pattern: string): string {
  const matcher = compiled(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/**
 * All matches that do not overlap, without empty ones that begin where the match before ended (Go, package regexp).
 *
 * @param limit maximum number of matches; all if it is negative
 */
function findAll(text: string, pattern: string, limit: number): readonly string[] {
  const matcher = compiled(pattern).matcher(text);
  const matches: string[] = [];
  let end = -1;
  while (matches.length !== limit && matcher.find()) {
    const isRepeated = matcher.start() === matcher.end() && matcher.start() === end;
    end = matcher.end();
    if (!isRepeated) matches.push(matcher.group() ?? '');
  }
  return matches;
}

/** Adds the functions of Kubernetes' regex library. */
export function withRegularExpressionFunctions(environment: Environment): Environment {
  return environment
    .registerFunction('string.find(string): string', find)
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) =>
      findAll(text, pattern, -1),
    )
    .registerFunction('string.findAll(string, int): list<string>', (text: string, pattern: string, limit: bigint) =>
      findAll(text, pattern, Number(limit)),
    );
}
