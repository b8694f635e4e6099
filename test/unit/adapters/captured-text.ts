import { readFileSync } from 'node:fs';

/** Text of a file of one of the real captures (fixtures/README.md). */
export function capturedText(capture: 'worker-a' | 'worker-a-blue-enslaved', file: string): string {
  return readFileSync(new URL(`../../../fixtures/captures/${capture}/${file}`, import.meta.url), 'utf8');
}
