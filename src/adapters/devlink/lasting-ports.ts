import type { DevlinkPort } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import type { Programs } from '../../ports/programs.ts';
import { readDevlinkPorts } from './ports.ts';

/** Milliseconds after which devlink is asked again where it has not answered, though no device has come or gone. */
const PAUSE = 60_000;

/** What tells a device from others. */
interface Device {
  readonly index: number;
  readonly name: string;
  /** What made it; absent for devices of a driver. */
  readonly kind?: string | undefined;
}

interface CachedPorts {
  readonly of: string;
  readonly ports: readonly DevlinkPort[];
  /** When it is asked for again in any case. */
  readonly until: number;
}

/**
 * The devlink ports of the machine. To ask for them takes a program, and they come and go with the devices of drivers: it is asked again when such
 * a device has come, gone or got another name.
 */
export class LastingDevlinkPorts {
  readonly #programs: Programs;
  readonly #deadline: number;
  readonly #now: () => number;
  #cached: CachedPorts | undefined;

  /**
   * @param deadline milliseconds after which devlink is ended
   * @param now milliseconds that only go forward
   */
  constructor(programs: Programs, deadline: number, now: () => number = () => performance.now()) {
    this.#programs = programs;
    this.#deadline = deadline;
    this.#now = now;
  }

  /**
   * The ports of a machine with these devices. Never rejects. A kernel without devlink has none of them, and neither has a machine without its
   * program; one that does not answer holds nobody up for longer than once in a minute.
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
