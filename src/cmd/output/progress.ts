import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.ts';

/** Milliseconds after which the bar is shown. */
const DELAY = 1000;

/** The progress of a task that takes longer than a second. */
export interface ProgressBar {
  readonly update: (done: number, total: number) => void;
  readonly end: () => void;
}

/** A bar on standard error that is shown after a second, and only on a terminal. */
export function progressBar(what: string, terminal: Terminal): ProgressBar {
  const started = performance.now();
  let bar: SingleBar | undefined;
  return {
    update: (done, total) => {
      if (!terminal.progress) return;
      if (bar === undefined && performance.now() - started > DELAY) {
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
