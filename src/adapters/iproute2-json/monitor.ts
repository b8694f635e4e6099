import type { Neighbour } from '../../domain/snapshot/node-snapshot.ts';
import { isHostInterfaceName } from '../../domain/pods/pod-key.ts';
import type { HostChange } from '../../ports/node/host-network.ts';
import type { LongLivedPrograms } from '../../ports/node/long-lived-programs.ts';
import { MonitoringProgram } from '../execa/monitoring-program.ts';

/** The monitored objects: everything in a snapshot. `netconf` reports settings such as rp_filter. */
const SUBJECTS = ['link', 'address', 'route', 'rule', 'neigh', 'nexthop', 'netconf'];

/** Transient states of a neighbour (RFC 4861, 7.3.2), after which only its protocol is printed (iproute2, ip/ipneigh.c, print_neigh). */
const TRANSIENT_STATE = /\b(?:REACHABLE|STALE|DELAY|PROBE|INCOMPLETE|FAILED)\s*(?:proto \S+\s*)?$/;

/** The device of an event, wherever it is the only one: of a link, an address, a setting, a route with one next hop. */
const DEVICE = /^\[[A-Z]+\](?:Deleted )?(?:\d+: (?<link>[^\s@:]+)|(?:inet6? |.* dev )(?<other>\S+)(?: |$))/;

/** How a line begins that belongs to the event in the line before. */
const CONTINUATION = /^\s/;

/** How it begins a line about a neighbour. */
const NEIGHBOUR = '[NEIGH]';

/** A neighbour of which the kernel has reported something. */
export type MonitoredNeighbour = Pick<Neighbour, 'address' | 'device' | 'macAddress'>;

/**
 * Reports that the network has changed, through `ip monitor` (ip-monitor(8)), except for transient neighbours, and for the host's ends of interfaces that pods
 * have in networks of their own: each is some twenty events, which decide nothing about the rest of the node.
 */
export class IpMonitor {
  readonly #matters: (neighbour: MonitoredNeighbour) => boolean;
  readonly #program: MonitoringProgram;
  #isOfPod = false;

  /**
   * @param listener called for each change, and if one may have been missed
   * @param reportProblem takes why changes may be noticed late, once for each reason
   * @param matters whether it matters that a neighbour has come into a transient state
   */
  constructor(
    programs: LongLivedPrograms,
    listener: (change: HostChange) => void,
    reportProblem: (problem: string) => void,
    matters: (neighbour: MonitoredNeighbour) => boolean,
  ) {
    this.#matters = matters;
    this.#program = new MonitoringProgram(programs, ['ip', 'monitor', 'label', ...SUBJECTS], {
      onLine: (line) => {
        if (!CONTINUATION.test(line)) this.#isOfPod = isOfPod(line);
        if (!this.#isOfPod && !this.#isTransient(line))
          listener(line.startsWith(NEIGHBOUR) ? 'neighbours' : 'hostNetwork');
      },
      onMissed: () => {
        listener('hostNetwork');
      },
      onProblem: reportProblem,
    });
  }

  /** Stops it. */
  close(): void {
    this.#program.close();
  }

  #isTransient(line: string): boolean {
    const [, address, device] = /^\[NEIGH\](\S+) dev (\S+) /.exec(line) ?? [];
    if (address === undefined || device === undefined || !TRANSIENT_STATE.test(line)) return false;
    const [, macAddress] = / lladdr (\S+) /.exec(line) ?? [];
    return !this.#matters({ address, device, ...(macAddress !== undefined && { macAddress }) });
  }
}

function isOfPod(line: string): boolean {
  const { link, other } = DEVICE.exec(line)?.groups ?? {};
  return isHostInterfaceName(link ?? other ?? '');
}
