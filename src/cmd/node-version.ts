/** The oldest supported Node.js; npm only warns about the one in package.json. */
const MINIMUM = 24;

/**
 * Why a Node.js is too old; undefined if it is supported. Otherwise it would fail with a missing function or a syntax error, so this file avoids new
 * syntax, and is loaded before any other.
 *
 * @param version as `20.11.1`
 */
export function tooOld(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= MINIMUM) return undefined;
  return `this is Node.js ${version}, and ovn-uplinks needs ${MINIMUM} or newer: install it, and put it first in PATH`;
}
