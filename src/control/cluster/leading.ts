/**
 * Runs a loop only while this process leads: others wait, with the objects of the cluster read, and follow at once.
 */
import type { ApplyResult } from '../../ports/apply-result.ts';
import type { ClusterReport } from '../../ports/cluster/cluster-report.ts';
import type { Leadership } from '../../ports/cluster/leadership.ts';
import type { ResourceStore } from '../../ports/cluster/resource-store.ts';

/** A loop that runs until it is stopped; resolves to whether everything was done. */
export interface Loop {
  run(): Promise<boolean>;
  stop(): void;
}

const refused: ApplyResult = { done: false, error: 'another process leads now', isRefused: true };

/** A store to which only the leader writes: one that was stopped for a while may not know yet that it does not lead any more. */
export function writtenByLeader(store: ResourceStore, leadership: Leadership): ResourceStore {
  return {
    read: () => store.read(),
    onChange: (listener) => {
      store.onChange(listener);
    },
    close: () => store.close(),
    write: (write) => (leadership.isLeader ? store.write(write) : Promise.resolve(refused)),
  };
}

/** A loop that begins once this process leads, and ends when it does not any more: then it has to be started again. */
export class LeadingLoop implements Loop {
  readonly #loop: Loop;
  readonly #leadership: Leadership;
  readonly #report: (report: ClusterReport) => void;
  #isLeading = false;
  #isLost = false;

  /** @param loop writes through `writtenByLeader` */
  constructor(loop: Loop, leadership: Leadership, report: (report: ClusterReport) => void) {
    this.#loop = loop;
    this.#leadership = leadership;
    this.#report = report;
  }

  /** Resolves to whether it ended as it was stopped, with everything written. */
  async run(): Promise<boolean> {
    this.#leadership.onLost((reason) => {
      this.#isLost = true;
      this.#report({ kind: 'leadership-lost', reason });
      this.#loop.stop();
    });
    this.#report({ kind: 'standing-by' });
    if (!(await this.#leadership.acquire())) return true;
    this.#isLeading = true;
    this.#report({ kind: 'leading' });
    const isDone = await this.#loop.run();
    await this.#leadership.release();
    return isDone && !this.#isLost;
  }

  stop(): void {
    if (this.#isLeading) this.#loop.stop();
    else void this.#leadership.release();
  }
}
