import { backoffDelay, RECONNECT_BACKOFF } from '../../ports/backoff.ts';
import type { Neighbour } from '../../domain/snapshot/node-snapshot.ts';
import type { HostChange } from '../../ports/host-network.ts';
import type { LongLivedPrograms, RunningProgram } from '../../ports/long-lived-programs.ts';

/** The monitored objects: everything in a snapshot. `netconf` reports settings such as rp_filter. */
const SUBJECTS = ['link', 'address', 'route', 'rule', 'neigh', 'nexthop', 'netconf'];

/** Transient states of a neighbour (RFC 4861, 7.3.2), after which only its protocol is printed (iproute2, ip/ipneigh.c, print_neigh). */
const TRANSIENT_STATE = /\b(?:REACHABLE|STALE|DELAY|PROBE|INCOMPLETE|FAILED)\s*(?:proto \S+\s*)?$/;

/** How it begins a line about a neighbour. */
const NEIGHBOUR = '[NEIGH]';

/** Milliseconds until it certainly listens; it does not report when. */
const STARTUP_TIME = 1000;

/** A neighbour of which the kernel has reported something. */
export type MonitoredNeighbour = Pick<Neighbour, 'address' | 'device' | 'macAddress'>;

/**
 * Reports that the network has changed, through `ip monitor` (ip-monitor(8)), except for transient neighbours.
 */
export class IpMonitor {
  readonly #programs: LongLivedPrograms;
  readonly #listener: (change: HostChange) => void;
  readonly #matters: (neighbour: MonitoredNeighbour) => boolean;
  #program: RunningProgram | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Consecutive exits before it listened. */
  #failures = 0;
  #isClosed = false;

  /**
   * @param listener called for each change, and if one may have been missed
   * @param matters whether it matters that a neighbour has come into a transient state
   */
  constructor(
    programs: LongLivedPrograms,
    listener: (change: HostChange) => void,
    matters: (neighbour: MonitoredNeighbour) => boolean,
  ) {
    this.#programs = programs;
    this.#listener = listener;
    this.#matters = matters;
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
        if (!this.#isTransient(line)) this.#listener(line.startsWith(NEIGHBOUR) ? 'neighbours' : 'hostNetwork');
      },
      // Such as ENOBUFS: it continues, but has missed changes.
      onMessage: () => {
        this.#listener('hostNetwork');
      },
      onEnd: () => {
        this.#restart();
      },
    });
    this.#timer = setTimeout(() => {
      this.#failures = 0;
      // For changes before it listened.
      this.#listener('hostNetwork');
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
    if (address === undefined || device === undefined || !TRANSIENT_STATE.test(line)) return false;
    const [, macAddress] = / lladdr (\S+) /.exec(line) ?? [];
    return !this.#matters({ address, device, ...(macAddress !== undefined && { macAddress }) });
  }
}
