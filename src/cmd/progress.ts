import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.ts';

/** Milliseconds after which a person wants to see that something happens. */
const PATIENCE = 1000;

/** Progress of one task, told to a person who waits for longer than a second. */
export interface Progress {
  readonly update: (done: number, total: number) => void;
  readonly end: () => void;
}

/** A bar on standard error that shows up after a second, and never where nobody looks. */
export function progressBar(what: string, terminal: Terminal): Progress {
  const started = performance.now();
  let bar: SingleBar | undefined;
  return {
    update: (done, total) => {
      if (!terminal.progress) return;
      if (bar === undefined && performance.now() - started > PATIENCE) {
        bar = new SingleBar({
          format: `${what} {bar} {value}/{total}`,
          hideCursor: true,
          clearOnComplete: true,
          stream: process.stderr,
        });
        bar.start(total, done);
      }
      bar?.update(done);
    },
    end: () => bar?.stop(),
  };
}
