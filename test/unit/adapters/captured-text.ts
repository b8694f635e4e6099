import { readFileSync } from 'node:fs';

/** The text of a file in a real capture (fixtures/README.md). */
export function capturedText(capture: 'worker-a' | 'worker-a-blue-enslaved', file: string): string {
  return readFileSync(new URL(`../../../fixtures/captures/${capture}/${file}`, import.meta.url), 'utf8');
}
