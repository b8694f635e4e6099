import type { Chassis } from '../../src/domain/snapshot/chassis.ts';
import { by } from '../../src/domain/ordering.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import type { Southbound, SouthboundOperation, SouthboundSnapshot } from '../../src/ports/southbound.ts';

const FILE = 'ovnsb_db.sock';

/** OVN's Southbound database in memory, which can be made to fail. */
export class FakeSouthbound implements Southbound {
  #chassis: readonly Chassis[] = [];
  #failure: string | undefined;
  #listener = (): void => undefined;

  read(): Promise<Reading<SouthboundSnapshot>> {
    if (this.#failure === undefined) return Promise.resolve({ read: true, value: { chassis: this.#chassis } });
    return Promise.resolve({ read: false, problems: [{ origin: inFile(FILE), message: this.#failure }] });
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  apply(operation: SouthboundOperation): Promise<ApplyResult> {
    if (this.#failure !== undefined) {
      return Promise.resolve({ done: false, error: `${FILE}: ${this.#failure}`, isUnavailable: true });
    }
    const changes = operation.verb === 'change' ? operation.changes : [operation];
    let chassis = this.#chassis;
    for (const { verb, entity } of changes) {
      const { chassis: desired } = entity;
      const found = chassis.find(({ name }) => name === desired.name);
      const isOurs = found !== undefined && found.node === desired.node;
      if (verb === 'add' ? found !== undefined : verb === 'replace' && !isOurs) {
        return Promise.resolve({ done: false, error: `${FILE}: another program has ${desired.name}`, isRefused: true });
      }
      if (verb === 'remove' && !isOurs) continue;
      chassis = [...chassis.filter(({ name }) => name !== desired.name), ...(verb === 'remove' ? [] : [desired])];
    }
    this.#become(chassis);
    return Promise.resolve({ done: true });
  }

  close(): Promise<void> {
    this.#listener = () => undefined;
    this.#failure = 'is not read any more';
    return Promise.resolve();
  }

  /** Adds a chassis as another program does. */
  insert(chassis: Chassis): void {
    this.#become([...this.#chassis, chassis]);
  }

  /** Makes it unreachable, or reachable again. */
  setFailure(failure: string | undefined): void {
    this.#failure = failure;
    this.#listener();
  }

  #become(chassis: readonly Chassis[]): void {
    this.#chassis = chassis.toSorted(by(({ name }) => name));
    this.#listener();
  }
}
