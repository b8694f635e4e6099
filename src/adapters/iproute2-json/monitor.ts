import { backoffDelay, RECONNECT_BACKOFF } from '../../ports/backoff.ts';
import type { LongLivedPrograms, RunningProgram } from '../../ports/long-lived-programs.ts';

/** The monitored objects: everything in a snapshot. `netconf` reports settings such as rp_filter. */
const SUBJECTS = ['link', 'address', 'route', 'rule', 'neigh', 'nexthop', 'netconf'];

/** Transient states of a neighbour (RFC 4861, 7.3.2). */
const TRANSIENT_STATE = /\b(?:REACHABLE|STALE|DELAY|PROBE|INCOMPLETE)\s*$/;

/** Milliseconds until it certainly listens; it does not report when. */
const STARTUP_TIME = 1000;

/**
 * Reports that the network has changed, through `ip monitor` (ip-monitor(8)), except for transient neighbours.
 */
export class IpMonitor {
  readonly #programs: LongLivedPrograms;
  readonly #listener: () => void;
  readonly #isStatic: (neighbour: string, device: string) => boolean;
  #program: RunningProgram | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Consecutive exits before it listened. */
  #failures = 0;
  #isClosed = false;

  /**
   * @param listener called for each change, and if one may have been missed
   * @param isStatic whether a neighbour on a device is static
   */
  constructor(
    programs: LongLivedPrograms,
    listener: () => void,
    isStatic: (neighbour: string, device: string) => boolean,
  ) {
    this.#programs = programs;
    this.#listener = listener;
    this.#isStatic = isStatic;
    this.#start();
  }

  /** Stops it. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#program?.end();
  }

  #start(): void {
    this.#program = this.#programs.start('ip', ['monitor', 'label', ...SUBJECTS], {
      onOutput: (line) => {
        if (!this.#isTransient(line)) this.#listener();
      },
      // Such as ENOBUFS: it continues, but has missed changes.
      onMessage: this.#listener,
      onEnd: () => {
        this.#restart();
      },
    });
    this.#timer = setTimeout(() => {
      this.#failures = 0;
      // For changes before it listened.
      this.#listener();
    }, STARTUP_TIME);
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

  #isTransient(line: string): boolean {
    const [, address, device] = /^\[NEIGH\](\S+) dev (\S+) /.exec(line) ?? [];
    return (
      address !== undefined && device !== undefined && TRANSIENT_STATE.test(line) && !this.#isStatic(address, device)
    );
  }
}
