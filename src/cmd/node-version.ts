/** The oldest Node.js that has everything this project uses; package.json says the same to npm, which only warns. */
const LEAST = 24;

/**
 * Why nothing runs with a Node.js, in a sentence; undefined where it does. An old one would say instead which function it lacks, or which word of
 * a module it does not understand: so this stands in a file that the oldest understands, and is asked before any other is loaded.
 *
 * @param version as `20.11.1`
 */
export function tooOld(version: string): string | undefined {
  if (Number.parseInt(version, 10) >= LEAST) return undefined;
  return `this is Node.js ${version}, and ovn-uplinks needs ${LEAST} or newer: install it, and put it first in PATH`;
}
