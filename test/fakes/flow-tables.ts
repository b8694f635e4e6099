import { joined } from '../../src/adapters/ovs-ofctl-wrapper/joined.ts';
import { nameOfPort, portNumbers, withNames, withNumbers } from '../../src/adapters/ovs-ofctl-wrapper/port-numbers.ts';
import { FLOW_COOKIE } from '../../src/domain/basics/conventions.ts';
import { flowKey } from '../../src/domain/datapath/openflow/flow-entry.ts';
import type { BridgeFlow, FdbEntry } from '../../src/domain/snapshot/datapath.ts';
import { possibleUplinkBridges } from '../../src/domain/snapshot/integration-bridge.ts';
import type { Bridge } from '../../src/domain/snapshot/node-snapshot.ts';
import type { ApplyResult, LeftOut } from '../../src/ports/apply-result.ts';
import type { FlowOperation, FlowSnapshot, FlowTables } from '../../src/ports/node/flow-tables.ts';
import type { SwitchSnapshot } from '../../src/ports/node/switch-database.ts';
import { inFile, type Reading } from '../../src/ports/input-problem.ts';

/** A flow with numbers of ports, of whatever bridge. */
type NumberedFlow = Omit<BridgeFlow, 'bridge'>;

/** The switch of one bridge, as ovs-vswitchd makes it: with numbers of ports. */
class FakeSwitch {
  readonly flows = new Map<string, NumberedFlow>();
  /** By VLAN and MAC address, with the number of the port. */
  readonly fdb = new Map<string, Omit<FdbEntry, 'bridge' | 'port'> & { readonly port: number }>();
  readonly noFlood = new Set<number>();

  constructor() {
    this.put({ cookie: '0x0', table: 0, priority: 0, match: '', actions: 'NORMAL' });
  }

  put(flow: NumberedFlow): void {
    this.flows.set(flowKey(flow), flow);
  }
}

type Change = Extract<FlowOperation, { readonly verb: 'add' | 'replace' | 'remove' }>;

/** Why a change is not made. */
type Refusal = Pick<LeftOut, 'error' | 'isAwaited'>;

/** Switches in memory: one for each bridge that was read or changed, as long as ovs-vswitchd runs. */
export class FakeFlowTables implements FlowTables {
  readonly #switches = new Map<string, FakeSwitch>();
  #isRunning = true;
  #failure: string | undefined;
  #listener = (): void => undefined;

  read(switches: SwitchSnapshot): Promise<Reading<FlowSnapshot>> {
    if (this.#failure !== undefined)
      return Promise.resolve({ read: false, problems: [{ origin: inFile('ovs-ofctl'), message: this.#failure }] });
    const parts = possibleUplinkBridges(switches).map((bridge) =>
      this.#isRunning
        ? this.#content(bridge)
        : { flows: [], fdbEntries: [], noFloodPorts: [], bridgesWithoutSwitch: [bridge.name] },
    );
    return Promise.resolve({ read: true, value: joined(parts) });
  }

  apply(operation: FlowOperation, bridges: readonly Bridge[]): Promise<ApplyResult> {
    const changes: readonly Change[] = operation.verb === 'change' ? operation.changes : [operation];
    if (this.#failure !== undefined) return Promise.resolve({ done: false, error: this.#failure });
    if (!this.#isRunning)
      return Promise.resolve({ done: false, error: 'ovs-vswitchd does not run', isUnavailable: true });
    const [name = ''] = changes.map(bridgeOf);
    const bridge = bridges.find((each) => each.name === name);
    if (bridge === undefined)
      return Promise.resolve({ done: false, error: `bridge ${name} does not exist`, isRefused: true });
    const leftOut: LeftOut[] = [];
    for (const change of changes) {
      const refusal = this.#apply(change, bridge);
      if (refusal !== undefined) leftOut.push({ change, ...refusal });
    }
    const [first] = leftOut;
    if (operation.verb !== 'change' && first !== undefined)
      return Promise.resolve({ done: false, error: first.error, isRefused: true });
    return Promise.resolve({ done: true, ...(leftOut.length > 0 && { leftOut }) });
  }

  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  close(): Promise<void> {
    this.#listener = () => undefined;
    this.#failure = 'flows are not read any more';
    return Promise.resolve();
  }

  /** Adds a flow as another program, with numbers of ports. */
  addFlow(bridge: string, flow: NumberedFlow): void {
    this.#switch(bridge).put(flow);
    this.#listener();
  }

  /** Deletes a flow as another program, by its table, priority and match with numbers of ports. */
  deleteFlow(bridge: string, flow: Pick<NumberedFlow, 'table' | 'priority' | 'match'>): void {
    this.#switch(bridge).flows.delete(flowKey(flow));
    this.#listener();
  }

  /** The flows of a bridge, with numbers of ports. */
  flowsOf(bridge: string): readonly NumberedFlow[] {
    return [...this.#switch(bridge).flows.values()];
  }

  /** Has a port flooded or not as another program, by its number. */
  setNoFlood(bridge: string, port: number, isNoFlood: boolean): void {
    const { noFlood } = this.#switch(bridge);
    if (isNoFlood) noFlood.add(port);
    else noFlood.delete(port);
    this.#listener();
  }

  /** Deletes the switch of a bridge. */
  deleteBridge(bridge: string): void {
    this.#switches.delete(bridge);
    this.#listener();
  }

  /** Kills ovs-vswitchd: its switches have nothing when it is started again. */
  kill(): void {
    this.#isRunning = false;
    this.#switches.clear();
    this.#listener();
  }

  start(): void {
    this.#isRunning = true;
    this.#listener();
  }

  #switch(bridge: string): FakeSwitch {
    const found = this.#switches.get(bridge) ?? new FakeSwitch();
    this.#switches.set(bridge, found);
    return found;
  }

  #content(bridge: Bridge): FlowSnapshot {
    const { flows, fdb, noFlood } = this.#switch(bridge.name);
    const ports = portNumbers(bridge);
    return {
      flows: [...flows.values()].map((flow) => ({
        ...flow,
        bridge: bridge.name,
        match: withNames(flow.match, ports),
        actions: withNames(flow.actions, ports),
      })),
      fdbEntries: [...fdb.values()].map(({ vlan, macAddress, port }) => ({
        bridge: bridge.name,
        port: nameOfPort(String(port), bridge),
        vlan,
        macAddress,
      })),
      noFloodPorts: [...noFlood].flatMap((number) => {
        const port = ports.names.get(number);
        return port === undefined ? [] : [{ bridge: bridge.name, port }];
      }),
    };
  }

  /** Makes a change; or says why not. */
  #apply({ verb, entity }: Change, bridge: Bridge): Refusal | undefined {
    if (entity.kind === 'flow') return this.#applyFlow(verb, entity.flow, bridge);
    const { fdb, noFlood } = this.#switch(bridge.name);
    const number = portNumbers(bridge).numbers.get(entity.port);
    if (entity.kind === 'fdb-entry') {
      const key = `${String(entity.vlan)} ${entity.macAddress}`;
      if (verb === 'remove') fdb.delete(key);
      else if (number === undefined) return awaiting(entity.port);
      else fdb.set(key, { vlan: entity.vlan, macAddress: entity.macAddress, port: number });
      return undefined;
    }
    if (number === undefined) return awaiting(entity.port);
    if (verb === 'remove') noFlood.delete(number);
    else noFlood.add(number);
    return undefined;
  }

  #applyFlow(verb: Change['verb'], flow: BridgeFlow, bridge: Bridge): Refusal | undefined {
    const { flows } = this.#switch(bridge.name);
    const ports = portNumbers(bridge);
    const match = withNumbers(flow.match, ports);
    if ('missing' in match) return awaiting(match.missing);
    const key = flowKey({ ...flow, match: match.text });
    const found = flows.get(key);
    if (verb === 'remove') {
      if (found?.cookie === flow.cookie) flows.delete(key);
      return undefined;
    }
    const actions = withNumbers(flow.actions, ports);
    if ('missing' in actions) return awaiting(actions.missing);
    if (actions.text.includes('group:')) return { error: 'the switch refuses it: OFPBAC_BAD_OUT_GROUP' };
    const isForeign = found !== undefined && found.cookie !== FLOW_COOKIE && found.cookie !== flow.cookie;
    // It serves as well.
    if (isForeign && found.actions === actions.text) return undefined;
    if (isForeign) return { error: `would replace a flow of another program, with cookie ${found.cookie}` };
    const { cookie, table, priority } = flow;
    flows.set(key, { cookie, table, priority, match: match.text, actions: actions.text });
    return undefined;
  }
}

function bridgeOf({ entity }: Change): string {
  return entity.kind === 'flow' ? entity.flow.bridge : entity.bridge;
}

function awaiting(port: string): Refusal {
  return { error: `port ${port} has no OpenFlow number yet`, isAwaited: true };
}
