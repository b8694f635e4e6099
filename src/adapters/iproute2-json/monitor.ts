import type { LongLivedPrograms, RunningProgram } from '../../ports/long-lived-programs.ts';

/** What the kernel is asked to tell of: everything that a snapshot holds. `netconf` tells of settings such as rp_filter. */
const SUBJECTS = ['link', 'address', 'route', 'rule', 'neigh', 'nexthop', 'netconf'];

/** States that a neighbour goes through by itself, many times an hour (RFC 4861, 7.3.2). */
const OF_ITSELF = /\b(?:REACHABLE|STALE|DELAY|PROBE|INCOMPLETE)\s*$/;

/** Milliseconds until it is started again after it has ended, the first time and at most. */
const [FIRST_PAUSE, LONGEST_PAUSE] = [100, 5000];

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
  #pause = FIRST_PAUSE;
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
      this.#pause = FIRST_PAUSE;
      // What happened before it listened.
      this.#listener();
    }, BEGINNING);
  }

  #restart(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#start();
    }, this.#pause);
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
  }

  #isOfItself(line: string): boolean {
    const [, address, device] = /^\[NEIGH\](\S+) dev (\S+) /.exec(line) ?? [];
    return address !== undefined && device !== undefined && OF_ITSELF.test(line) && !this.#isLasting(address, device);
  }
}
