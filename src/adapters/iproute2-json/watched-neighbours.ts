import { isManaged } from '../../domain/node-model/neighbours/lasting-neighbour.ts';
import type { Neighbour } from '../../domain/snapshot/node-snapshot.ts';
import type { MonitoredNeighbour } from './monitor.ts';

const TRANSIENT_STATES = new Set(['reachable', 'stale', 'delay', 'probe', 'incomplete', 'failed']);

/** A neighbour in `ip monitor`. */
function neighbourKey({ address, device }: MonitoredNeighbour): string {
  return `${address} ${device}`;
}

/** Neighbours that last, or that the kernel keeps resolved: decides which events of `ip monitor` about them matter. */
export class WatchedNeighbours {
  #known: ReadonlyMap<string, Neighbour> = new Map();
  /** MAC addresses in events since the current read has begun, which may have read the neighbours before these events. Absent between reads. */
  #reported: Map<string, string> | undefined;

  /** Begins a read. */
  beginRead(): void {
    this.#reported = new Map();
  }

  /**
   * Ends a read.
   *
   * @param neighbours all of them, as they were read
   * @returns whether one that the kernel keeps resolved may have got another MAC address since
   */
  endRead(neighbours: readonly Neighbour[]): boolean {
    const watched = neighbours.filter(({ states }) => !states.every((state) => TRANSIENT_STATES.has(state)));
    this.#known = new Map(watched.map((neighbour) => [neighbourKey(neighbour), neighbour]));
    const reported = [...(this.#reported ?? [])];
    this.#reported = undefined;
    return reported.some(([key, macAddress]) => {
      const known = this.#known.get(key);
      return known !== undefined && isManaged(known) && known.macAddress !== macAddress;
    });
  }

  /** Whether it matters that a neighbour has come into a transient state. One that is managed does all the time: what matters is its MAC address. */
  matters(neighbour: MonitoredNeighbour): boolean {
    const key = neighbourKey(neighbour);
    if (neighbour.macAddress !== undefined) this.#reported?.set(key, neighbour.macAddress);
    const known = this.#known.get(key);
    if (known === undefined || !isManaged(known)) return known !== undefined;
    return neighbour.macAddress !== undefined && neighbour.macAddress !== known.macAddress;
  }
}
