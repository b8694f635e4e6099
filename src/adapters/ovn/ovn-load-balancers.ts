import Type from 'typebox';
import { partOf, stringMap } from '../../domain/api/schema.ts';
import { lastByObject, lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { sameIfSameItems } from '../../domain/basics/incremental/same-if-equal.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import { LOGICAL_NETWORK_ROW_OWNER_KEY } from '../../domain/datapath/northbound/row.ts';
import type { FoundLoadBalancer, LoadBalancerChange } from '../../domain/services/load-balancer-changes.ts';
import type { LoadBalancer } from '../../domain/services/load-balancers.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import { describeProblem, type Reading } from '../../ports/input-problem.ts';
import type { LoadBalancers, LoadBalancersSnapshot, MadeChange } from '../../ports/node/load-balancers.ts';
import type { NetworkSwitch } from '../../ports/node/logical-ports.ts';
import { allFields, allOf, mapReading, thenRead } from '../../ports/readings.ts';
import { applied, mapNotation, setNotation, withUuid } from '../ovsdb/applied.ts';
import { ReplicatedDatabase } from '../ovsdb/replicated-database.ts';
import type { Row, Tables } from '../ovsdb/row.ts';
import { rowReader } from '../ovsdb/rows.ts';
import { type DatabaseServer, serverText } from '../ovsdb/server.ts';
import { seconds } from '../ovsdb/timing.ts';
import { selectedRows, transactionResult } from '../ovsdb/transaction-result.ts';
import { COUNTER_COLUMNS, countersOf, missingConfirmation, requestOperations } from './confirmation.ts';
import { type NamedSwitch, namedSwitch, networkOfSwitch, networkSwitches, SWITCH_COLUMNS } from './network-switches.ts';
import { type NorthboundTiming, USUAL_NORTHBOUND_TIMING } from './ovn-northbound.ts';

const switchPartsSchema = partOf({ load_balancer: Type.Array(partOf({ uuid: Type.String() })) });
const balancerSchema = partOf({
  name: Type.String(),
  vips: Type.Optional(stringMap()),
  protocol: Type.Optional(Type.String()),
  options: Type.Optional(stringMap()),
  external_ids: Type.Optional(stringMap()),
});

const COLUMNS = {
  Logical_Switch: [...SWITCH_COLUMNS, ...Object.keys(switchPartsSchema.properties)],
  Load_Balancer: Object.keys(balancerSchema.properties),
  NB_Global: COUNTER_COLUMNS,
};

/** external_ids keys: that of the network is the signature, those of ovn.org are as OVN-Kubernetes has them (services/lb_config.go). */
const keys = {
  network: LOGICAL_NETWORK_ROW_OWNER_KEY,
  kind: 'k8s.ovn.org/kind',
  owner: 'k8s.ovn.org/owner',
  ended: 'ovn-uplinks-ended',
} as const;

const KIND = 'Service';

/** A condition of a transaction that the rows of a network have its signature (RFC 7047, section 5.1). */
const hasMark = [['external_ids', 'includes', mapNotation({ [keys.kind]: KIND })]];

const switchParts = rowReader(switchPartsSchema);
const balancerRow = rowReader(balancerSchema);

interface SwitchRow extends NamedSwitch {
  readonly balancers: readonly string[];
}

/** A load balancer that ovn-uplinks has made, apart from its switches. */
type OwnBalancer = Omit<FoundLoadBalancer, 'switches'>;

const switchOf = lazyByObject((row: Row): Reading<SwitchRow> =>
  mapReading(allFields({ named: namedSwitch(row), parts: switchParts(row) }), ({ named, parts }) => ({
    ...named,
    balancers: parts.load_balancer.map(({ uuid }) => uuid),
  })),
);

const protocolOf = (text: string): LoadBalancer['protocol'] => (text === 'udp' || text === 'sctp' ? text : 'tcp');

/** A load balancer; none if the row is another program's. */
const balancerOf = lazyByObject((row: Row): Reading<readonly OwnBalancer[]> =>
  mapReading(balancerRow(row), ({ name, vips = {}, protocol = 'tcp', options = {}, external_ids: ids = {} }) => {
    const networkName = ids[keys.network];
    if (networkName === undefined || ids[keys.kind] !== KIND) return [];
    const owner = ids[keys.owner] ?? '';
    const ended = (ids[keys.ended] ?? '').split(' ').filter((each) => each !== '');
    return [{ uuid: row.uuid, name, networkName, owner, protocol: protocolOf(protocol), vips, options, ended }];
  }),
);

/** A load balancer with its switches: the same object as long as neither changes. */
const placed = lastByObject<FoundLoadBalancer>();

interface Content {
  readonly switches: readonly SwitchRow[];
  readonly loadBalancers: readonly FoundLoadBalancer[];
}

/** Names of the switches of networks, by the UUIDs of the load balancers that they have. */
function switchesByBalancer(switches: readonly SwitchRow[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const each of switches) {
    if (networkOfSwitch(each) === undefined) continue;
    for (const uuid of each.balancers) found.set(uuid, [...(found.get(uuid) ?? []), each.name]);
  }
  return found;
}

function contentOf(tables: Tables): Reading<Content> {
  const switches = allOf((tables.get('Logical_Switch') ?? []).map(switchOf));
  const balancers = allOf((tables.get('Load_Balancer') ?? []).map(balancerOf));
  return mapReading(allFields({ switches, balancers }), (found) => {
    const having = switchesByBalancer(found.switches);
    const loadBalancers = found.balancers.flat().map((each) => {
      const names = (having.get(each.uuid) ?? []).toSorted(byName);
      return placed(each, names, () => ({ ...each, switches: names }));
    });
    return { switches: found.switches, loadBalancers };
  });
}

/** The columns of a load balancer (ovn-nb(5), Load_Balancer). */
function columnsOf({ name, networkName, owner, protocol, vips, options }: LoadBalancer, ended: readonly string[] = []) {
  return {
    name,
    protocol,
    vips: mapNotation(vips),
    options: mapNotation(options),
    external_ids: mapNotation({
      [keys.network]: networkName,
      [keys.kind]: KIND,
      [keys.owner]: owner,
      ...(ended.length > 0 && { [keys.ended]: ended.join(' ') }),
    }),
  };
}

/** Adds a load balancer to the switch of a network, or takes it from there. Names do not say whose a switch is: another program may have one of the same name. */
function onSwitch(
  { name, networkName }: Pick<NetworkSwitch, 'name' | 'networkName'>,
  mutator: 'insert' | 'delete',
  reference: readonly [string, string],
) {
  return {
    op: 'mutate',
    table: 'Logical_Switch',
    where: [
      ['name', '==', name],
      ['external_ids', 'includes', mapNotation({ [keys.network]: networkName })],
    ],
    mutations: [['load_balancer', mutator, setNotation([reference])]],
  };
}

/** The switches of networks with a name. */
function ofNetworks(name: string, switches: readonly SwitchRow[]) {
  return switches.flatMap((each) => {
    const networkName = networkOfSwitch(each);
    return each.name === name && networkName !== undefined ? [{ name, networkName }] : [];
  });
}

/**
 * The operations of a change (RFC 7047, section 5.2).
 *
 * @param place among the changes of its transaction
 * @param switches those from which load balancers are taken
 */
function operationsOf(change: LoadBalancerChange, place: number, switches: readonly SwitchRow[]): readonly unknown[] {
  switch (change.verb) {
    case 'add': {
      const id = `balancer${String(place)}`;
      const { desired, switchName: name } = change;
      return [
        { op: 'insert', table: 'Load_Balancer', 'uuid-name': id, row: columnsOf(desired) },
        onSwitch({ name, networkName: desired.networkName }, 'insert', ['named-uuid', id]),
      ];
    }
    case 'replace': {
      const { uuid, desired, switchName: name, otherSwitches, ended } = change;
      const { networkName } = desired;
      const where = [...withUuid(uuid), ...hasMark];
      const others = otherSwitches.flatMap((other) => ofNetworks(other, switches));
      return [
        { op: 'update', table: 'Load_Balancer', where, row: columnsOf(desired, ended) },
        ...(name === undefined ? [] : [onSwitch({ name, networkName }, 'insert', ['uuid', uuid])]),
        ...others.map((other) => onSwitch(other, 'delete', ['uuid', uuid])),
      ];
    }
    case 'remove':
      // Switches lose it with its row: they refer to it weakly.
      return [{ op: 'delete', table: 'Load_Balancer', where: [...withUuid(change.uuid), ...hasMark] }];
    case 'forget': {
      const stored = mapNotation({ [keys.ended]: change.ended.join(' ') });
      const where = [...withUuid(change.uuid), ...hasMark, ['external_ids', 'includes', stored]];
      const mutations = [['external_ids', 'delete', setNotation([keys.ended])]];
      return [{ op: 'mutate', table: 'Load_Balancer', where, mutations }];
    }
  }
}

/** The load balancers of Services, in OVN's Northbound database. */
export class OvnLoadBalancers implements LoadBalancers {
  readonly #file: string;
  readonly #timing: NorthboundTiming;
  readonly #database: ReplicatedDatabase;
  readonly #changes = new Changes();
  /** Reports that counters have changed. */
  readonly #counted = new Changes();
  #last: LoadBalancersSnapshot = { switches: [], loadBalancers: [] };
  /** The switches as they were read last. */
  #switches: readonly SwitchRow[] = [];
  #isClosed = false;

  constructor(server: DatabaseServer, timing: NorthboundTiming = USUAL_NORTHBOUND_TIMING) {
    this.#file = serverText(server);
    this.#timing = timing;
    this.#database = new ReplicatedDatabase('OVN_Northbound', COLUMNS, server, timing);
    this.#database.onChange((rows) => {
      this.#counted.notify();
      // Counters are not part of a snapshot.
      if (rows === undefined || rows.some(({ table }) => table !== 'NB_Global')) this.#changes.notify();
    });
  }

  async read(): Promise<Reading<LoadBalancersSnapshot>> {
    return mapReading(thenRead(await this.#database.content(), contentOf), ({ switches, loadBalancers }) => {
      this.#switches = switches;
      this.#last = {
        switches: networkSwitches(switches),
        loadBalancers: sameIfSameItems(this.#last.loadBalancers, loadBalancers),
      };
      return this.#last;
    });
  }

  async apply(changes: readonly LoadBalancerChange[]): Promise<MadeChange> {
    const operations = [
      ...changes.flatMap((change, place) => operationsOf(change, place, this.#switches)),
      ...requestOperations,
    ];
    const reply = await this.#database.transact(operations);
    const result = transactionResult(reply);
    if (result.outcome !== 'done') return applied(reply, this.#file);
    const [row] = selectedRows(result.results[operations.length - 1]);
    const number = row?.['nb_cfg'];
    return typeof number === 'number' ? { done: true, number } : { done: true };
  }

  async confirmed(number: number): Promise<ApplyResult> {
    const { confirmation } = this.#timing;
    const end = performance.now() + confirmation;
    for (;;) {
      const counters = mapReading(await this.#database.content(), countersOf);
      const found = counters.read ? counters.value : undefined;
      if (found !== undefined && found.done >= number) return { done: true };
      const left = end - performance.now();
      if (left <= 0 || this.#isClosed) {
        const error =
          found === undefined
            ? 'cannot be read, so that the change is not confirmed'
            : missingConfirmation(found, number, seconds(confirmation));
        return {
          done: false,
          error: describeProblem({ origin: { kind: 'file', file: this.#file }, message: error }),
          isUnavailable: true,
        };
      }
      await this.#counted.next(left);
    }
  }

  onChange(listener: () => void): () => void {
    return this.#changes.listen(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#database.close();
    this.#counted.notify();
  }
}
