import type { Chassis, RemotePort } from '../../src/domain/snapshot/chassis.ts';
import type { NorthboundRow } from '../../src/domain/datapath/northbound/row.ts';
import { by } from '../../src/domain/basics/names/ordering.ts';
import type { EntityOperation } from '../../src/domain/entities/operations/operation.ts';
import type { ApplyResult, LeftOut } from '../../src/ports/apply-result.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import type {
  Southbound,
  SouthboundChange,
  SouthboundOperation,
  SouthboundSnapshot,
} from '../../src/ports/node/southbound.ts';

const FILE = 'ovnsb_db.sock';

function isOfPort(change: SouthboundChange): change is EntityOperation<'remote-port'> {
  return change.entity.kind === 'remote-port';
}

/** OVN's Southbound database in memory, which can be made to fail. */
export class FakeSouthbound implements Southbound {
  #chassis: readonly Chassis[] = [];
  /** Ports of other nodes; those without a chassis are not bound. */
  #ports: readonly (Omit<RemotePort, 'chassis'> & Partial<RemotePort>)[] = [];
  #failure: string | undefined;
  #listener = (): void => undefined;

  read(): Promise<Reading<SouthboundSnapshot>> {
    if (this.#failure === undefined) {
      const remotePorts = this.#ports.flatMap(({ chassis, ...port }) =>
        chassis === undefined ? [] : [{ ...port, chassis }],
      );
      return Promise.resolve({ read: true, value: { chassis: this.#chassis, remotePorts } });
    }
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
    if (changes.some(isOfPort)) return Promise.resolve(this.#bind(changes.filter(isOfPort)));
    const leftOut: LeftOut[] = [];
    for (const change of changes.toSorted(by(({ verb }) => (verb === 'remove' ? '' : verb)))) {
      const error =
        change.entity.kind === 'remote-chassis' ? this.#change(change.verb, change.entity.chassis) : undefined;
      if (error !== undefined) leftOut.push({ change, error: `${FILE}: ${error}` });
    }
    const [refused] = leftOut;
    if (changes.length === 1 && refused !== undefined) {
      return Promise.resolve({ done: false, error: refused.error, isRefused: true });
    }
    return Promise.resolve({ done: true, ...(leftOut.length > 0 && { leftOut }) });
  }

  /** Changes a chassis; says why not if it is refused. */
  #change(verb: SouthboundChange['verb'], desired: Chassis): string | undefined {
    const found = this.#chassis.find(({ name }) => name === desired.name);
    const others = this.#chassis.filter((each) => each !== found);
    const isOurs = found !== undefined && found.node === desired.node;
    if (verb === 'remove') {
      if (isOurs) this.#become(others);
      return undefined;
    }
    if (verb === 'add' ? found !== undefined : !isOurs) return `another program has ${desired.name}`;
    const taken = desired.addresses.find((address) => others.some(({ addresses }) => addresses.includes(address)));
    if (taken !== undefined) return `another chassis has ${taken}`;
    this.#become([...others, desired]);
    return undefined;
  }

  /** Binds ports, and leaves those out that cannot be bound. */
  #bind(changes: readonly EntityOperation<'remote-port'>[]): ApplyResult {
    const leftOut: LeftOut[] = [];
    for (const change of changes) {
      const { verb, entity } = change;
      const found = this.#ports.find(({ port, network }) => port === entity.port && network === entity.network);
      if (verb !== 'remove' && (found === undefined || !this.#chassis.some(({ name }) => name === entity.chassis))) {
        leftOut.push({ change, error: `${FILE}: port ${entity.port} or its chassis is not there` });
      } else if (found !== undefined) {
        const { chassis: _, ...port } = found;
        const bound = verb === 'remove' ? port : { ...port, chassis: entity.chassis };
        this.#ports = this.#ports.map((each) => (each === found ? bound : each));
      }
    }
    this.#become(this.#chassis);
    return { done: true, ...(leftOut.length > 0 && { leftOut }) };
  }

  /** Has the ports of other nodes that are in the Northbound database, as ovn-northd does. */
  takePorts(rows: readonly NorthboundRow[]): void {
    const known = new Map(this.#ports.map((each) => [each.port, each]));
    const wanted = rows
      .filter(({ columns }) => columns['type'] === 'remote')
      .map(({ name, network }) => ({ name, network }));
    if (wanted.length === known.size && wanted.every(({ name }) => known.has(name))) return;
    this.#ports = [];
    for (const { name, network } of wanted) {
      const found = known.get(name);
      if (found === undefined) this.addPort(name, network);
      else this.#ports = [...this.#ports, found].sort(by((each) => each.port));
    }
    this.#listener();
  }

  /** Adds a port of another node that is not bound, as ovn-northd does. */
  addPort(port: string, network: string | undefined): void {
    this.#ports = [...this.#ports, { port, ...(network !== undefined && { network }) }].sort(by((each) => each.port));
    this.#listener();
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
    const isThere = (bound: string) => chassis.some(({ name }) => name === bound);
    // References to what is deleted are deleted (ovsdb(7), weak references).
    this.#ports = this.#ports.map(({ chassis: bound, ...port }) =>
      bound === undefined || !isThere(bound) ? port : { ...port, chassis: bound },
    );
    this.#listener();
  }
}
