import {
  isSamePort,
  type ManagementPortEntity,
  managementPortsOn,
} from '../../src/domain/entities/switch/management-port.ts';
import { semanticsOf } from '../../src/domain/index.ts';
import { externalIdsChange } from '../../src/domain/entities/operations/switch-changes.ts';
import { completeNode } from '../../src/testing/index.ts';
import type { Bridge, SwitchPort } from '../../src/domain/snapshot/node-snapshot.ts';
import type { ApplyResult } from '../../src/ports/apply-result.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';
import type { SwitchDatabase, SwitchOperation, SwitchSnapshot } from '../../src/ports/node/switch-database.ts';

/** External_ids by key; undefined removes one. */
type Change = Readonly<Record<string, string | undefined>>;

/** Open vSwitch's database in memory, which can be made to fail, or to lose a race against another program. */
export class FakeSwitchDatabase implements SwitchDatabase {
  #snapshot: SwitchSnapshot;
  #failure: string | undefined;
  #changeBeforeWrite: Change | undefined;
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

  apply(operation: SwitchOperation): Promise<ApplyResult> {
    if (this.#failure !== undefined) return Promise.resolve({ done: false, error: `db.sock: ${this.#failure}` });
    const { verb, entity } = operation;
    if (entity.kind === 'management-port') return Promise.resolve(this.#changePort(verb, entity));
    for (;;) {
      const now = this.#snapshot.switchExternalIds;
      const wanted = externalIdsChange({ verb, entity }, now);
      if (wanted === undefined) return Promise.resolve({ done: true });
      this.#makeChangeBeforeWrite();
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

  /** Sets external_ids of the switch, as any program can. */
  setExternalIds(change: Change): void {
    const ids = Object.entries({ ...this.#snapshot.switchExternalIds, ...change });
    const present = ids.filter((entry): entry is [string, string] => entry[1] !== undefined);
    this.#become({ ...this.#snapshot, switchExternalIds: Object.fromEntries(present) });
  }

  /** Adds a port with an interface of the same name, and its bridge if there is none. */
  addPort(bridge: string, port: string): void {
    const found = this.#snapshot.bridges.find(({ name }) => name === bridge) ?? newBridge(bridge);
    const others = this.#snapshot.bridges.filter(({ name }) => name !== bridge);
    const bridges = [...others, { ...found, ports: [...found.ports, newPort(port)].sort(byName) }].sort(byName);
    this.#become({ ...this.#snapshot, bridges });
  }

  /** Sets external_ids after the next operation has read them, and before it writes them. */
  changeBeforeNextWrite(change: Change): void {
    this.#changeBeforeWrite = change;
  }

  /** Makes reads and operations fail until `recover`. */
  fail(reason: string): void {
    this.#failure = reason;
    this.#listener();
  }

  recover(): void {
    this.#failure = undefined;
    this.#listener();
  }

  #changePort(verb: SwitchOperation['verb'], entity: ManagementPortEntity): ApplyResult {
    const node = completeNode({ nodeName: 'a', ...this.#snapshot });
    const found = node.bridges.flatMap(managementPortsOn).find(({ device }) => device === entity.device);
    if (verb === 'remove' ? found === undefined : found !== undefined && isSamePort(found, entity))
      return { done: true };
    const change = semanticsOf({ verb, entity, networks: [] }).effect({ verb, entity, networks: [] }, node);
    const isTaken = verb === 'add' ? found !== undefined : found?.network !== entity.network;
    if (!change.done || isTaken) return { done: false, error: `db.sock: refused`, isRefused: true };
    const { bridges } = change.node;
    this.#become({ ...this.#snapshot, bridges });
    return { done: true };
  }

  #makeChangeBeforeWrite(): void {
    const change = this.#changeBeforeWrite;
    this.#changeBeforeWrite = undefined;
    if (change !== undefined) this.setExternalIds(change);
  }

  #become(snapshot: SwitchSnapshot): void {
    this.#snapshot = snapshot;
    this.#listener();
  }
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : 1;
}

function newPort(name: string, type = ''): SwitchPort {
  return { name, externalIds: {}, interfaces: [{ name, type, externalIds: {} }] };
}

function newBridge(name: string): Bridge {
  return { name, externalIds: {}, ports: [newPort(name, 'internal')] };
}
