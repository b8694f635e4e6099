import { isDeepStrictEqual } from 'node:util';
import type { EntityOperation } from '../../domain/entities/operations/operation.ts';
import type { NoFloodPort } from '../../domain/snapshot/datapath.ts';
import type { Bridge } from '../../domain/snapshot/node-snapshot.ts';
import type { ApplyResult, LeftOut } from '../../ports/apply-result.ts';
import type { FlowSnapshot } from '../../ports/node/flow-tables.ts';
import { describeProblem, inFile, type Reading } from '../../ports/input-problem.ts';
import { allFields, mapReading, thenRead } from '../../ports/readings.ts';
import type { SwitchControl } from '../vswitchd-control/switch-control.ts';
import { connectionsTranslatedTo, type TranslatedSource } from '../vswitchd-control/tracked-connections.ts';
import { BridgeConnection } from './bridge-connection.ts';
import { endTrackedConnections } from './tracked-by-bridge.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import type { Selection } from './flow-selection.ts';
import {
  BridgeFlows,
  type OwnChange,
  isForeign,
  isLearned,
  isOfService,
  ofNetworks,
  ofServices,
} from './bridge-flows.ts';
import { Cached } from './cached.ts';
import { readFdb } from './fdb.ts';
import { changeFlows } from './flow-bundle.ts';
import type { ManagementConnection } from './management-connection.ts';
import type { FlowUpdate } from './openflow-messages.ts';
import { portNumbers, portSignature } from './port-numbers.ts';
import type { SwitchPrograms } from './switch-programs.ts';
import { TranslatedSources } from './translated-sources.ts';

/** The connections that all bridges share. */
export interface SwitchAccess {
  readonly programs: SwitchPrograms;
  readonly control: SwitchControl;
  /** Milliseconds for each answer of a switch. */
  readonly deadline: number;
  /** Milliseconds after which everything is read again without a change. */
  readonly lifetime: number;
  /** Milliseconds after which changes of learned flows are reported. */
  readonly learnedDelay: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

const nothing: FlowSnapshot = { flows: [], fdbEntries: [], noFloodPorts: [] };

/** Listeners to changes of a bridge, except by this agent. */
export interface SwitchListeners {
  /** Called whenever something may have changed that `read` returns. */
  readonly changed: () => void;
  /** Called whenever flows of Services may have changed. */
  readonly servicesChanged: () => void;
}

/** The switch of one bridge. */
export class BridgeSwitch {
  readonly #name: string;
  readonly #socket: string;
  readonly #programs: SwitchPrograms;
  readonly #control: SwitchControl;
  readonly #listeners: SwitchListeners;
  readonly #connection: BridgeConnection;
  readonly #flows: BridgeFlows;
  readonly #serviceFlows: BridgeFlows;
  readonly #fdb: Cached<string>;
  readonly #sources = new TranslatedSources();
  #ports: string | undefined;
  #last = nothing;
  readonly #withoutSwitch: FlowSnapshot;
  /** Reports of flows since a bundle was begun, of those of networks and of Services; absent while none is applied. */
  #reported: FlowUpdate[] | undefined;
  #reportedOfServices: FlowUpdate[] | undefined;
  readonly #learnedDelay: number;
  /** Changes of learned flows that are not reported yet; absent while there are none. */
  #learned: { readonly changes: FlowUpdate[]; readonly timer: NodeJS.Timeout } | undefined;

  constructor(name: string, access: SwitchAccess, listeners: SwitchListeners) {
    const { programs, control, deadline, lifetime, learnedDelay, now } = access;
    this.#name = name;
    this.#learnedDelay = learnedDelay;
    this.#withoutSwitch = { ...nothing, bridgesWithoutSwitch: [name] };
    this.#socket = programs.managementSocket(name);
    this.#programs = programs;
    this.#control = control;
    this.#listeners = listeners;
    this.#fdb = new Cached(lifetime, now);
    const dump = (...selections: readonly Selection[]) => programs.dumpFlows(name, selections);
    const reading = { lifetime, now };
    this.#flows = new BridgeFlows(ofNetworks, this.#socket, (...tables) => dump(...tables), reading);
    const withCookie = `cookie=${ofServices.cookie}/-1` as const;
    this.#serviceFlows = new BridgeFlows(ofServices, this.#socket, (...tables) => dump(withCookie, ...tables), reading);
    const user = {
      stateChanged: () => this.#outdate(),
      flowsChanged: (changes: readonly FlowUpdate[] | 'unknown') => this.#flowsChanged(changes),
      floodingChanged: () => listeners.changed(),
    };
    this.#connection = new BridgeConnection(this.#socket, user, deadline);
  }

  /** Reads the bridge; empty while it has no switch. Never rejects. */
  async read(bridge: Bridge): Promise<Reading<FlowSnapshot>> {
    const state = await this.#connection.state();
    if (state.kind === 'gone') return { read: true, value: this.#withoutSwitch };
    if (state.kind === 'unknown') return this.#problem(state.reason);
    const content = await this.#read(bridge, state.connection);
    if (content.read) return content;
    // The switch may have ended meanwhile.
    await state.connection.barrier();
    const isGone = (await this.#connection.state()).kind === 'gone';
    return isGone ? { read: true, value: this.#withoutSwitch } : content;
  }

  /** Reads the flows of Services; empty while the bridge has no switch. Never rejects. */
  async readServices(bridge: Bridge): Promise<Reading<readonly BridgeFlow[]>> {
    const state = await this.#connection.state();
    if (state.kind === 'gone') return { read: true, value: [] };
    if (state.kind === 'unknown') return this.#problem(state.reason);
    await state.connection.reportsResumed();
    const flows = await this.#serviceFlows.read(bridge);
    if (flows.read) return flows;
    await state.connection.barrier();
    const isGone = (await this.#connection.state()).kind === 'gone';
    return isGone ? { read: true, value: [] } : flows;
  }

  /** Changes flows of Services, without those that are refused. Never rejects. */
  async changeServices(changes: readonly EntityOperation<'flow'>[], bridge: Bridge): Promise<ApplyResult> {
    return await this.#change(async (connection) => {
      await connection.reportsResumed();
      const foreign = await this.#flows.foreign(bridge);
      if (!foreign.read) return { done: false, error: foreign.problems.map(describeProblem).join('; ') };
      this.#reportedOfServices = [];
      const result = await changeFlows(changes, bridge, foreign.value, (lines) =>
        this.#programs.changeFlows(this.#name, lines),
      );
      await connection.barrier();
      await connection.reportsResumed();
      this.#serviceFlows.changedBy(ownChange(changes, result), this.#reportedOfServices);
      this.#reportedOfServices = undefined;
      return result;
    });
  }

  /** Changes flows, without those that are refused. Never rejects. */
  async changeFlows(changes: readonly EntityOperation<'flow'>[], bridge: Bridge): Promise<ApplyResult> {
    return await this.#change(async (connection) => {
      await connection.reportsResumed();
      const foreign = await this.#flows.foreign(bridge);
      if (!foreign.read) return { done: false, error: foreign.problems.map(describeProblem).join('; ') };
      this.#reported = [];
      const result = await this.#withoutFormerConnections(changes, (some) =>
        changeFlows(some, bridge, foreign.value, (lines) => this.#programs.changeFlows(this.#name, lines)),
      );
      // The switch reports our changes too; it has done so once it answers.
      await connection.barrier();
      await connection.reportsResumed();
      this.#flows.changedBy(ownChange(changes, result), this.#reported);
      this.#reported = undefined;
      return result;
    });
  }

  /**
   * Changes flows, and deletes connections with sources that no flow has any more: they would keep the source as long as they have packets. Flows from which a
   * source is known are removed last: if the agent is killed before, the next one deletes the connections.
   */
  async #withoutFormerConnections(
    changes: readonly EntityOperation<'flow'>[],
    change: (some: readonly EntityOperation<'flow'>[]) => Promise<ApplyResult>,
  ): Promise<ApplyResult> {
    const last = this.#sources.lastOf(changes);
    const isLast = new Set(last);
    const first = changes.filter((each) => !isLast.has(each));
    const result: ApplyResult = first.length === 0 ? { done: true } : await change(first);
    if (!result.done) return result;
    const leftOut = new Set<unknown>(result.leftOut?.map((each) => each.change));
    const applied = first.filter((each) => !leftOut.has(each));
    for (const source of this.#sources.endedBy([...applied, ...last])) {
      const ended = await this.#endConnections(source);
      if (!ended.done) return { done: false, error: `connections from ${source.address} go on: ${ended.error}` };
    }
    this.#sources.changed(applied);
    if (last.length === 0) return result;
    const removed = await change(last);
    if (!removed.done) return removed;
    this.#sources.changed(last);
    return result;
  }

  async #endConnections(source: TranslatedSource): Promise<ApplyResult> {
    // Until then the datapath uses the former flows, and would create such connections again (ovs-vswitchd(8)).
    const settled = await this.#control.settled();
    if (!settled.done) return settled;
    const access = { programs: this.#programs, control: this.#control };
    return await endTrackedConnections(this.#name, access, connectionsTranslatedTo(source));
  }

  /** Sets or clears no-flood of ports. Never rejects. */
  async setNoFlood(changes: readonly EntityOperation<'no-flood-port'>[], bridge: Bridge): Promise<ApplyResult> {
    return await this.#change((connection) => this.#applyNoFlood(changes, bridge, connection));
  }

  async #applyNoFlood(
    changes: readonly EntityOperation<'no-flood-port'>[],
    bridge: Bridge,
    connection: ManagementConnection,
  ): Promise<ApplyResult> {
    const { numbers } = portNumbers(bridge);
    const leftOut: LeftOut[] = [];
    const settings = changes.flatMap((change) => {
      const number = numbers.get(change.entity.port);
      if (number !== undefined) return [{ change, number, isNoFlood: change.verb !== 'remove' }];
      leftOut.push({ change, error: withoutNumber(change.entity), isAwaited: true });
      return [];
    });
    const answers = await connection.setNoFlood(settings);
    for (const [index, { change }] of settings.entries()) {
      const answer = answers[index];
      if (answer?.outcome === 'none') return { done: false, error: `${this.#socket}: the switch ${answer.reason}` };
      if (answer?.outcome === 'refused') leftOut.push({ change, error: `the switch refuses it: ${answer.error}` });
    }
    return { done: true, ...(leftOut.length > 0 && { leftOut }) };
  }

  /** Adds or removes a static entry of the MAC learning table; succeeds if it is done already. Never rejects. */
  async changeFdb({ verb, entity }: EntityOperation<'fdb-entry'>, bridge: Bridge): Promise<ApplyResult> {
    const { port, vlan, macAddress } = entity;
    if (verb !== 'remove' && !portNumbers(bridge).numbers.has(port))
      return { done: false, error: withoutNumber(entity), isRefused: true };
    const result = await this.#change(() =>
      verb === 'remove'
        ? this.#control.deleteFdbEntry(this.#name, vlan, macAddress)
        : this.#control.addFdbEntry(this.#name, port, vlan, macAddress),
    );
    this.#fdb.outdate();
    return result;
  }

  /** Releases all resources. */
  close(): void {
    clearTimeout(this.#learned?.timer);
    this.#connection.close();
  }

  async #read(bridge: Bridge, connection: ManagementConnection): Promise<Reading<FlowSnapshot>> {
    // Entries are lost with their port or its VLAN.
    await connection.reportsResumed();
    const ports = portSignature(bridge);
    if (this.#ports !== ports) this.#fdb.outdate();
    this.#ports = ports;
    const fdb = this.#fdb.get(() => this.#control.showFdb(this.#name));
    const parts = allFields({
      flows: await this.#flows.read(bridge),
      fdbEntries: thenRead(await fdb, (text) => readFdb(text, `fdb/show ${this.#name}`, bridge)),
    });
    return mapReading(parts, ({ flows, fdbEntries }) => {
      this.#sources.read(flows);
      const { names } = portNumbers(bridge);
      const noFloodPorts = connection.noFloodPorts.flatMap((number): readonly NoFloodPort[] => {
        const port = names.get(number);
        return port === undefined ? [] : [{ bridge: this.#name, port }];
      });
      const isSame =
        flows === this.#last.flows &&
        isDeepStrictEqual([fdbEntries, noFloodPorts], [this.#last.fdbEntries, this.#last.noFloodPorts]);
      if (!isSame) this.#last = { flows, fdbEntries, noFloodPorts };
      return this.#last;
    });
  }

  #flowsChanged(all: readonly FlowUpdate[] | 'unknown'): void {
    if (all === 'unknown') {
      for (const part of [this.#flows, this.#serviceFlows]) part.outdate();
      this.#listeners.changed();
      this.#listeners.servicesChanged();
      return;
    }
    this.#servicesChanged(all.filter(isOfService));
    const changes = all.filter((change) => !isOfService(change));
    this.#collectLearned(changes.filter(isLearned));
    const others = changes.filter((change) => !isLearned(change));
    if (this.#reported === undefined) {
      if (this.#flows.changed(others)) this.#listeners.changed();
      return;
    }
    this.#reported.push(...others);
    // After a bundle they are compared with its flows.
    if (others.some(isForeign)) this.#listeners.changed();
  }

  #servicesChanged(changes: readonly FlowUpdate[]): void {
    // After a bundle they are compared with its flows.
    if (this.#reportedOfServices !== undefined) this.#reportedOfServices.push(...changes);
    else if (this.#serviceFlows.changed(changes)) this.#listeners.servicesChanged();
  }

  #collectLearned(changes: readonly FlowUpdate[]): void {
    if (changes.length === 0) return;
    this.#learned ??= { changes: [], timer: setTimeout(() => this.#reportLearned(), this.#learnedDelay) };
    this.#learned.changes.push(...changes);
  }

  #reportLearned(): void {
    const { changes = [] } = this.#learned ?? {};
    this.#learned = undefined;
    if (this.#flows.changed(changes)) this.#listeners.changed();
  }

  #outdate(): void {
    for (const each of [this.#flows, this.#serviceFlows, this.#fdb]) each.outdate();
    this.#listeners.changed();
    this.#listeners.servicesChanged();
  }

  /** Changes something while the switch is there; a failure says whether it has ended meanwhile. */
  async #change(change: (connection: ManagementConnection) => Promise<ApplyResult>): Promise<ApplyResult> {
    const state = await this.#connection.state();
    if (state.kind !== 'connected') {
      const error = `${this.#socket}: ${state.reason}`;
      return { done: false, error, ...(state.kind === 'gone' && { isUnavailable: true as const }) };
    }
    const result = await change(state.connection);
    if (result.done) return result;
    await state.connection.barrier();
    const now = await this.#connection.state();
    const isSame = now.kind === 'connected' && now.connection === state.connection;
    return isSame || now.kind === 'unknown' ? result : { ...result, isUnavailable: true };
  }

  #problem(message: string): Reading<never> {
    return { read: false, problems: [{ origin: inFile(this.#socket), message }] };
  }
}

/** The changes that were made, of those that were to be. */
function ownChange(changes: readonly EntityOperation<'flow'>[], result: ApplyResult): OwnChange {
  const leftOut = new Set<unknown>(result.done ? result.leftOut?.map((each) => each.change) : []);
  const made = changes.filter((each) => !leftOut.has(each));
  const flows = made.map(({ verb, entity: { flow } }) => ({ flow, isDeletion: verb === 'remove' }));
  return { flows, isDone: result.done };
}

function withoutNumber({ bridge, port }: NoFloodPort): string {
  return `port ${port} of ${bridge} has no OpenFlow number yet`;
}
