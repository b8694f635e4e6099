import type { DevlinkPort } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { Programs } from '../../ports/programs.ts';
import { readDevlinkPorts } from './ports.ts';

/** Milliseconds until devlink is run again after it failed, if the devices do not change. */
const PAUSE = 60_000;

/** A device. */
interface Device {
  readonly index: number;
  readonly name: string;
  /** Its kind (ip-link(8)); absent for devices of a driver. */
  readonly kind?: string | undefined;
}

interface CachedPorts {
  readonly of: string;
  readonly ports: readonly DevlinkPort[];
  /** When they are read again even if the devices do not change. */
  readonly until: number;
}

/**
 * The devlink ports of the machine, cached: devlink is run again when a device of a driver is added, removed or renamed.
 */
export class CachedDevlinkPorts {
  readonly #programs: Programs;
  readonly #deadline: number;
  readonly #now: () => number;
  #cached: CachedPorts | undefined;

  /**
   * @param deadline milliseconds after which devlink is killed
   * @param now milliseconds of a monotonic clock
   */
  constructor(programs: Programs, deadline: number, now: () => number = () => performance.now()) {
    this.#programs = programs;
    this.#deadline = deadline;
    this.#now = now;
  }

  /**
   * The ports of a machine with these devices; none without devlink in the kernel or without its program. A devlink that hangs delays one read a
   * minute at most. Never rejects.
   */
  async read(devices: readonly Device[]): Promise<Reading<readonly DevlinkPort[]>> {
    const of = devices
      .filter(({ kind }) => kind === undefined)
      .map(({ index, name }) => `${index} ${name}`)
      .join('\n');
    if (this.#cached?.of === of && this.#now() < this.#cached.until) return { read: true, value: this.#cached.ports };
    const result = await this.#programs.run('devlink', ['port', 'show', '-j'], { deadline: this.#deadline });
    if (result.outcome !== 'finished') {
      this.#cached = { of, ports: [], until: this.#now() + PAUSE };
      return { read: true, value: [] };
    }
    const ports = readDevlinkPorts(new TextDecoder().decode(result.stdout), 'devlink port show');
    if (ports.read) this.#cached = { of, ports: ports.value, until: Number.POSITIVE_INFINITY };
    return ports;
  }
}
