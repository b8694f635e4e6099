import { bridgeMappingChange } from '../../src/domain/entities/bridge-mapping-change.ts';
import type { Bridge, SwitchPort } from '../../src/domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import type { SwitchDatabase, SwitchOperation, SwitchSnapshot } from '../../src/ports/switch-database.ts';

/** External_ids by their keys; one that is undefined is removed. */
type Change = Readonly<Record<string, string | undefined>>;

/** Open vSwitch's database in memory. It can be made to fail, and somebody else can be made to be quicker. */
export class FakeSwitchDatabase implements SwitchDatabase {
  #snapshot: SwitchSnapshot;
  #failure: string | undefined;
  #overtaking: Change | undefined;
  #listener = (): void => undefined;

  constructor(snapshot: SwitchSnapshot = { switchExternalIds: {}, bridges: [] }) {
    this.#snapshot = snapshot;
  }

  read(): Promise<Reading<SwitchSnapshot>> {
    if (this.#failure === undefined) return Promise.resolve({ read: true, value: this.#snapshot });
    return Promise.resolve({ read: false, problems: [{ origin: inFile('db.sock'), message: this.#failure }] });
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  apply({ verb, entity }: SwitchOperation): Promise<ApplyResult> {
    if (this.#failure !== undefined) return Promise.resolve({ done: false, error: `db.sock: ${this.#failure}` });
    for (;;) {
      const now = this.#snapshot.switchExternalIds;
      const wanted = bridgeMappingChange({ ...entity, verb: verb === 'remove' ? 'remove' : 'add' }, now);
      if (wanted === undefined) return Promise.resolve({ done: true });
      this.#overtake();
      if (this.#snapshot.switchExternalIds === now) {
        this.setExternalIds(wanted);
        return Promise.resolve({ done: true });
      }
    }
  }

  close(): Promise<void> {
    this.#listener = () => undefined;
    this.#failure = 'is not read any more';
    return Promise.resolve();
  }

  /** Sets external_ids of the switch, as anybody can. */
  setExternalIds(change: Change): void {
    const ids = Object.entries({ ...this.#snapshot.switchExternalIds, ...change });
    const present = ids.filter((entry): entry is [string, string] => entry[1] !== undefined);
    this.#become({ ...this.#snapshot, switchExternalIds: Object.fromEntries(present) });
  }

  /** Adds a port with an interface of the same name, and its bridge where there is none. */
  addPort(bridge: string, port: string): void {
    const found = this.#snapshot.bridges.find(({ name }) => name === bridge) ?? newBridge(bridge);
    const others = this.#snapshot.bridges.filter(({ name }) => name !== bridge);
    const bridges = [...others, { ...found, ports: [...found.ports, newPort(port)].sort(byItsName) }].sort(byItsName);
    this.#become({ ...this.#snapshot, bridges });
  }

  /** Has somebody else set external_ids between the look and the change of the next operation. */
  overtakeNext(change: Change): void {
    this.#overtaking = change;
  }

  /** Cannot be read from now on, and applies nothing. */
  fail(reason: string): void {
    this.#failure = reason;
    this.#listener();
  }

  /** Ends a failure. */
  heal(): void {
    this.#failure = undefined;
    this.#listener();
  }

  #overtake(): void {
    const change = this.#overtaking;
    this.#overtaking = undefined;
    if (change !== undefined) this.setExternalIds(change);
  }

  #become(snapshot: SwitchSnapshot): void {
    this.#snapshot = snapshot;
    this.#listener();
  }
}

function byItsName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : 1;
}

function newPort(name: string, type = ''): SwitchPort {
  return { name, externalIds: {}, interfaces: [{ name, type, externalIds: {} }] };
}

function newBridge(name: string): Bridge {
  return { name, externalIds: {}, ports: [newPort(name, 'internal')] };
}
