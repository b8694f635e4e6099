import type { DevlinkPort } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { describeFailure, type ProgramFailure, type Programs } from '../../ports/node/programs.ts';
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

/** Whether there are no devlink ports: without the program, or without devlink in the kernel. */
function hasNoDevlink(failure: ProgramFailure): boolean {
  return (
    failure.outcome === 'not-found' || (failure.outcome === 'failed' && failure.stderr.startsWith('Failed to connect'))
  );
}

/**
 * The devlink ports of the machine, cached: devlink is run again when a device of a driver is added, removed or renamed.
 */
export class CachedDevlinkPorts {
  readonly #programs: Programs;
  readonly #deadline: number;
  readonly #reportProblem: (problem: string) => void;
  readonly #now: () => number;
  /** Those that were reported. */
  readonly #problems = new Set<string>();
  #cached: CachedPorts | undefined;

  /**
   * @param deadline milliseconds after which devlink is killed
   * @param reportProblem takes why the ports are not known, once for each reason
   * @param now milliseconds of a monotonic clock
   */
  constructor(
    programs: Programs,
    deadline: number,
    reportProblem: (problem: string) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#programs = programs;
    this.#deadline = deadline;
    this.#reportProblem = reportProblem;
    this.#now = now;
  }

  /**
   * The ports of a machine with these devices; none without devlink in the kernel or without its program, or if it fails otherwise, which is reported. A devlink that hangs delays one read a
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
      this.#report(result);
      this.#cached = { of, ports: [], until: this.#now() + PAUSE };
      return { read: true, value: [] };
    }
    const ports = readDevlinkPorts(new TextDecoder().decode(result.stdout), 'devlink port show');
    if (ports.read) this.#cached = { of, ports: ports.value, until: Number.POSITIVE_INFINITY };
    return ports;
  }

  #report(failure: ProgramFailure): void {
    if (hasNoDevlink(failure)) return;
    const problem = `the program devlink port show -j ${describeFailure(failure)}: ports of SmartNICs are taken for absent; it is run again every minute`;
    if (this.#problems.has(problem)) return;
    this.#problems.add(problem);
    this.#reportProblem(problem);
  }
}
