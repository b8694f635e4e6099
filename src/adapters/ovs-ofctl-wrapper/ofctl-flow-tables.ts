import type { KindNameOfPort } from '../../domain/entities/entity-kinds.ts';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import { possibleUplinkBridges } from '../../domain/snapshot/integration-bridge.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import { groupBy } from '../../domain/basics/names/grouping.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { ApplyResult, LeftOut } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import type { ServiceFlows } from '../../ports/node/service-flows.ts';
import type { FlowOperation, FlowSnapshot, FlowTables } from '../../ports/node/flow-tables.ts';
import { describeProblem, inFile, type Reading } from '../../ports/input-problem.ts';
import type { SwitchDatabase, SwitchSnapshot } from '../../ports/node/switch-database.ts';
import type { Programs } from '../../ports/node/programs.ts';
import { allOf, mapReading } from '../../ports/readings.ts';
import { SwitchControl, USUAL_DEADLINE } from '../vswitchd-control/switch-control.ts';
import { BridgeSwitch, type SwitchAccess } from './bridge-switch.ts';
import { joined } from './joined.ts';
import { SwitchPrograms } from './switch-programs.ts';

/** Timeouts, in milliseconds. */
export interface FlowTimings {
  /** For an answer of a switch, and for a program. */
  readonly deadline: number;
  /** After which a bridge without changes is read again: static FDB entries change without notice. */
  readonly lifetime: number;
  /**
   * After which changes of learned flows are reported, all of them together: many come at once, and they forward packets without anybody knowing them.
   */
  readonly learnedDelay: number;
}

export const USUAL_TIMINGS: FlowTimings = { deadline: USUAL_DEADLINE, lifetime: 300_000, learnedDelay: 1000 };

const SHUTTING_DOWN = 'flows are not read any more: the agent is shutting down';

const closed: Reading<never> = { read: false, problems: [{ origin: inFile('ovs-ofctl'), message: SHUTTING_DOWN }] };

/** Bridges that are read at the same time. */
const AT_ONCE = 4;

/** The bridges of this machine, by ovs-ofctl(8), the control socket of ovs-vswitchd, and their management sockets. */
export class OfctlFlowTables implements FlowTables {
  readonly #access: SwitchAccess;
  /** By name. */
  readonly #switches = new Map<string, BridgeSwitch>();
  #last: { readonly parts: readonly FlowSnapshot[]; readonly whole: FlowSnapshot } | undefined;
  #listener = (): void => undefined;
  readonly #serviceChanges = new Changes();
  #isClosed = false;

  /**
   * @param programs which look for ovs-vswitchd in the same folder (ovs-ofctl(8), OVS_RUNDIR)
   * @param runDirectory usually /var/run/openvswitch
   * @param now milliseconds of a monotonic clock
   */
  constructor(
    programs: Programs,
    runDirectory: string,
    { deadline, ...timings }: FlowTimings = USUAL_TIMINGS,
    now: () => number = () => performance.now(),
  ) {
    const control = new SwitchControl(runDirectory, deadline);
    this.#access = {
      programs: new SwitchPrograms(programs, runDirectory, deadline),
      control,
      deadline,
      ...timings,
      now,
    };
  }

  async read(switches: SwitchSnapshot): Promise<Reading<FlowSnapshot>> {
    if (this.#hasEnded()) return closed;
    const bridges = possibleUplinkBridges(switches);
    this.#forgetOthers(bridges);
    const parts = await readEach(bridges, AT_ONCE, (bridge) => this.#switch(bridge).read(bridge));
    return this.#hasEnded() ? closed : mapReading(parts, (contents) => this.#whole(contents));
  }

  async apply(operation: FlowOperation, bridges: readonly Bridge[]): Promise<ApplyResult> {
    const changes = operation.verb === 'change' ? operation.changes : [operation];
    const [name = ''] = changes.map(bridgeOf);
    const bridge = bridges.find((found) => found.name === name);
    if (this.#hasEnded()) return { done: false, error: SHUTTING_DOWN, isRefused: true };
    if (bridge === undefined) return { done: false, error: `bridge ${name} does not exist`, isRefused: true };
    const result = await this.#change(changes, bridge);
    return operation.verb === 'change' ? result : wholly(result);
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  /** The flows of Services on the bridges. @param database where the bridges are */
  services(database: Pick<SwitchDatabase, 'read'>): ServiceFlows {
    return {
      read: async () => {
        if (this.#hasEnded()) return closed;
        return await this.#eachBridge(await database.read(), (bridge) => this.#switch(bridge).readServices(bridge));
      },
      apply: async (changes) => await this.#changeServices(changes, await database.read()),
      onChange: (listener) => this.#serviceChanges.listen(listener),
    };
  }

  async #eachBridge(
    switches: Reading<SwitchSnapshot>,
    read: (bridge: Bridge) => Promise<Reading<readonly BridgeFlow[]>>,
  ): Promise<Reading<readonly BridgeFlow[]>> {
    if (!switches.read) return switches;
    const parts = await readEach(possibleUplinkBridges(switches.value), AT_ONCE, read);
    return mapReading(parts, (flows) => flows.flat());
  }

  async #changeServices(
    changes: readonly EntityOperation<'flow'>[],
    switches: Reading<SwitchSnapshot>,
  ): Promise<ApplyResult> {
    if (!switches.read) return { done: false, error: switches.problems.map(describeProblem).join('; ') };
    const leftOut: LeftOut[] = [];
    for (const [name, ofBridge] of groupBy(changes, bridgeOf)) {
      const bridge = switches.value.bridges.find((found) => found.name === name);
      if (this.#hasEnded()) return { done: false, error: SHUTTING_DOWN, isRefused: true };
      if (bridge === undefined) {
        const error = `bridge ${name} does not exist`;
        leftOut.push(...ofBridge.map((change) => ({ change, error })));
        continue;
      }
      const result = await this.#switch(bridge).changeServices(ofBridge, bridge);
      if (!result.done) return result;
      leftOut.push(...(result.leftOut ?? []));
    }
    return { done: true, ...(leftOut.length > 0 && { leftOut }) };
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#listener = () => undefined;
    for (const bridge of this.#switches.values()) bridge.close();
    this.#switches.clear();
    return Promise.resolve();
  }

  /** Applies changes of one kind. */
  #change(changes: readonly FlowTablesChange[], bridge: Bridge): Promise<ApplyResult> {
    const ofBridge = this.#switch(bridge);
    const [first] = changes;
    switch (first?.entity.kind) {
      case 'flow':
        return ofBridge.changeFlows(changes.filter(isOf('flow')), bridge);
      case 'no-flood-port':
        return ofBridge.setNoFlood(changes.filter(isOf('no-flood-port')), bridge);
      case 'fdb-entry':
        return ofBridge.changeFdb({ ...first, entity: first.entity }, bridge);
      case undefined:
        return Promise.resolve({ done: true });
    }
  }

  /** A method, since it may change during an await. */
  #hasEnded(): boolean {
    return this.#isClosed;
  }

  #switch({ name }: Bridge): BridgeSwitch {
    const listeners = { changed: () => this.#listener(), servicesChanged: () => this.#serviceChanges.notify() };
    const found = this.#switches.get(name) ?? new BridgeSwitch(name, this.#access, listeners);
    this.#switches.set(name, found);
    return found;
  }

  /** Closes the connections to deleted bridges. */
  #forgetOthers(bridges: readonly Bridge[]): void {
    const names = new Set(bridges.map(({ name }) => name));
    for (const [name, bridge] of this.#switches) {
      if (names.has(name)) continue;
      this.#switches.delete(name);
      bridge.close();
    }
  }

  /** The readings of all bridges; the same object if none has changed. */
  #whole(parts: readonly FlowSnapshot[]): FlowSnapshot {
    const last = this.#last;
    if (last?.parts.length === parts.length && parts.every((part, index) => part === last.parts[index]))
      return last.whole;
    const whole = joined(parts);
    this.#last = { parts, whole };
    return whole;
  }
}

type FlowTablesKind = KindNameOfPort<'flowTables'>;

type FlowTablesChange = EntityOperation<FlowTablesKind>;

function isOf<Name extends FlowTablesKind>(kind: Name) {
  return (change: FlowTablesChange): change is EntityOperation<Name> => change.entity.kind === kind;
}

function bridgeOf({ entity }: FlowTablesChange): string {
  return entity.kind === 'flow' ? entity.flow.bridge : entity.bridge;
}

/** The result of a single change, which has failed if it was left out. */
function wholly(result: ApplyResult): ApplyResult {
  const [leftOut] = result.done ? (result.leftOut ?? []) : [];
  return leftOut === undefined ? result : { done: false, error: leftOut.error, isRefused: true };
}

/** Reads values in their order, some at a time. After a failure no more are started: if ovs-vswitchd hangs, each takes until its deadline. */
async function readEach<Value, Result>(
  values: readonly Value[],
  atOnce: number,
  read: (value: Value) => Promise<Reading<Result>>,
): Promise<Reading<readonly Result[]>> {
  const readings: Reading<Result>[] = [];
  const remaining = values.entries();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const [index, value] of remaining) {
      const reading = await read(value);
      readings[index] = reading;
      hasFailed ||= !reading.read;
      if (hasFailed) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  // Without those that were not started.
  return allOf(readings.flat());
}
