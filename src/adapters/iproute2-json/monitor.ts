import { backoffDelay, RECONNECT_BACKOFF } from '../../ports/backoff.ts';
import type { LongLivedPrograms, RunningProgram } from '../../ports/long-lived-programs.ts';

/** What the kernel is asked to tell of: everything that a snapshot holds. `netconf` tells of settings such as rp_filter. */
const SUBJECTS = ['link', 'address', 'route', 'rule', 'neigh', 'nexthop', 'netconf'];

/** States that a neighbour goes through by itself, many times an hour (RFC 4861, 7.3.2). */
const OF_ITSELF = /\b(?:REACHABLE|STALE|DELAY|PROBE|INCOMPLETE)\s*$/;

/** Milliseconds in which it has certainly begun to listen. It does not say when. */
const BEGINNING = 1000;

/**
 * `ip monitor`: tells that something of the network has changed, not what (ip-monitor(8)). Its text is not read any further than to tell
 * neighbours that come and go by themselves from others.
 */
export class IpMonitor {
  readonly #programs: LongLivedPrograms;
  readonly #listener: () => void;
  readonly #isLasting: (neighbour: string, device: string) => boolean;
  #program: RunningProgram | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** How often it has ended before it listened. */
  #failures = 0;
  #isClosed = false;

  /**
   * @param listener called for each change, and wherever one may have been missed
   * @param isLasting whether a neighbour on a device is one that does not come and go by itself
   */
  constructor(
    programs: LongLivedPrograms,
    listener: () => void,
    isLasting: (neighbour: string, device: string) => boolean,
  ) {
    this.#programs = programs;
    this.#listener = listener;
    this.#isLasting = isLasting;
    this.#start();
  }

  /** Ends it. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#program?.end();
  }

  #start(): void {
    this.#program = this.#programs.start('ip', ['monitor', 'label', ...SUBJECTS], {
      onOutput: (line) => {
        if (!this.#isOfItself(line)) this.#listener();
      },
      // That it could not keep up (ENOBUFS), for one: it goes on, and something is missing.
      onMessage: this.#listener,
      onEnd: () => {
        this.#restart();
      },
    });
    this.#timer = setTimeout(() => {
      this.#failures = 0;
      // What happened before it listened.
      this.#listener();
    }, BEGINNING);
  }

  #restart(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#failures += 1;
    this.#timer = setTimeout(
      () => {
        this.#start();
      },
      backoffDelay(RECONNECT_BACKOFF, this.#failures),
    );
  }

  #isOfItself(line: string): boolean {
    const [, address, device] = /^\[NEIGH\](\S+) dev (\S+) /.exec(line) ?? [];
    return address !== undefined && device !== undefined && OF_ITSELF.test(line) && !this.#isLasting(address, device);
  }
}
