import Type from 'typebox';
import { partOf, stringMap } from '../../domain/api/schema.ts';
import { lastByObject, lazyByObject } from '../../domain/basics/incremental/by-identity.ts';
import { sameIfSameItems } from '../../domain/basics/incremental/same-if-equal.ts';
import { by } from '../../domain/basics/names/ordering.ts';
import { GATEWAY_ROW_OWNER_KEY, LOGICAL_NETWORK_ROW_OWNER_KEY } from '../../domain/datapath/northbound/row.ts';
import type {
  BalancerParent,
  FoundLoadBalancer,
  LoadBalancerChange,
} from '../../domain/services/load-balancer-changes.ts';
import type { BalancerPlace, LoadBalancer } from '../../domain/services/load-balancers.ts';
import type { ApplyResult } from '../../ports/apply-result.ts';
import { Changes } from '../../ports/changes.ts';
import { describeProblem, type Reading } from '../../ports/input-problem.ts';
import type {
  LoadBalancers,
  LoadBalancersSnapshot,
  MadeChange,
  NetworkRouter,
} from '../../ports/node/load-balancers.ts';
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

const partsSchema = partOf({ load_balancer: Type.Array(partOf({ uuid: Type.String() })) });
const routerSchema = partOf({ name: Type.String(), external_ids: Type.Optional(stringMap()) });
const balancerSchema = partOf({
  name: Type.String(),
  vips: Type.Optional(stringMap()),
  protocol: Type.Optional(Type.String()),
  options: Type.Optional(stringMap()),
  external_ids: Type.Optional(stringMap()),
});

const COLUMNS = {
  Logical_Switch: [...SWITCH_COLUMNS, ...Object.keys(partsSchema.properties)],
  Logical_Router: Object.keys({ ...routerSchema.properties, ...partsSchema.properties }),
  Load_Balancer: Object.keys(balancerSchema.properties),
  NB_Global: COUNTER_COLUMNS,
};

/** external_ids keys: that of the network is the signature, those of ovn.org are as OVN-Kubernetes has them (services/lb_config.go). */
const keys = {
  network: LOGICAL_NETWORK_ROW_OWNER_KEY,
  kind: 'k8s.ovn.org/kind',
  owner: 'k8s.ovn.org/owner',
  ended: 'ovn-uplinks-ended',
  place: 'ovn-uplinks-place',
} as const;

const KIND = 'Service';

/** A condition of a transaction that the rows of a network have its signature (RFC 7047, section 5.1). */
const hasMark = [['external_ids', 'includes', mapNotation({ [keys.kind]: KIND })]];

/** The tables of what has load balancers, and the key of external_ids with which networks sign its rows. */
const parentTables = {
  switch: { table: 'Logical_Switch', signature: LOGICAL_NETWORK_ROW_OWNER_KEY },
  router: { table: 'Logical_Router', signature: GATEWAY_ROW_OWNER_KEY },
} as const satisfies Readonly<Record<BalancerPlace, { readonly table: string; readonly signature: string }>>;

const partsOfRow = rowReader(partsSchema);
const routerRow = rowReader(routerSchema);
const balancerRow = rowReader(balancerSchema);

/** A switch or router of a network, with the UUIDs of its load balancers. */
interface ParentRow extends BalancerParent {
  readonly networkName: string;
  readonly balancers: readonly string[];
}

/** A load balancer that ovn-uplinks has made, apart from its switches and routers. */
type OwnBalancer = Omit<FoundLoadBalancer, 'parents'>;

const balancersOf = (row: Row): Reading<readonly string[]> =>
  mapReading(partsOfRow(row), ({ load_balancer: references }) => references.map(({ uuid }) => uuid));

/** A switch, and what it is as one that has load balancers; without that if it is another program's. */
interface SwitchRow {
  readonly named: NamedSwitch;
  readonly parent?: ParentRow;
}

const switchOf = lazyByObject((row: Row): Reading<SwitchRow> =>
  mapReading(allFields({ named: namedSwitch(row), balancers: balancersOf(row) }), ({ named, balancers }) => {
    const networkName = networkOfSwitch(named);
    if (networkName === undefined) return { named };
    return { named, parent: { place: 'switch', name: named.name, networkName, balancers } };
  }),
);

/** A gateway router; none if it is another program's. */
const routerOf = lazyByObject((row: Row): Reading<readonly ParentRow[]> =>
  mapReading(allFields({ router: routerRow(row), balancers: balancersOf(row) }), ({ router, balancers }) => {
    const networkName = router.external_ids?.[GATEWAY_ROW_OWNER_KEY];
    return networkName === undefined ? [] : [{ place: 'router', name: router.name, networkName, balancers }];
  }),
);

const protocolOf = (text: string): LoadBalancer['protocol'] => (text === 'udp' || text === 'sctp' ? text : 'tcp');

/** A load balancer; none if the row is another program's. */
const balancerOf = lazyByObject((row: Row): Reading<readonly OwnBalancer[]> =>
  mapReading(balancerRow(row), ({ name, vips = {}, protocol = 'tcp', options = {}, external_ids: ids = {} }) => {
    const networkName = ids[keys.network];
    if (networkName === undefined || ids[keys.kind] !== KIND) return [];
    const owner = ids[keys.owner] ?? '';
    const ended = (ids[keys.ended] ?? '').split(' ').filter((each) => each !== '');
    // Versions before had none on routers.
    const place: BalancerPlace = ids[keys.place] === 'router' ? 'router' : 'switch';
    return [{ uuid: row.uuid, name, networkName, place, owner, protocol: protocolOf(protocol), vips, options, ended }];
  }),
);

/** A load balancer with its switches and routers: the same object as long as neither changes. */
const placed = lastByObject<FoundLoadBalancer>();

interface Content {
  readonly switches: readonly NamedSwitch[];
  readonly parents: readonly ParentRow[];
  readonly loadBalancers: readonly FoundLoadBalancer[];
}

const parentKey = ({ place, name }: BalancerParent) => `${place} ${name}`;

/** Switches and routers of networks, by the UUIDs of the load balancers that they have. */
function parentsByBalancer(parents: readonly ParentRow[]): ReadonlyMap<string, readonly ParentRow[]> {
  const found = new Map<string, ParentRow[]>();
  for (const each of parents) for (const uuid of each.balancers) found.set(uuid, [...(found.get(uuid) ?? []), each]);
  return found;
}

function contentOf(tables: Tables): Reading<Content> {
  const switches = allOf((tables.get('Logical_Switch') ?? []).map(switchOf));
  const routers = allOf((tables.get('Logical_Router') ?? []).map(routerOf));
  const balancers = allOf((tables.get('Load_Balancer') ?? []).map(balancerOf));
  return mapReading(allFields({ switches, routers, balancers }), (found) => {
    const parents = [...found.switches.flatMap(({ parent }) => parent ?? []), ...found.routers.flat()];
    const having = parentsByBalancer(parents);
    const loadBalancers = found.balancers.flat().map((each) => {
      const all = (having.get(each.uuid) ?? []).toSorted(by(parentKey));
      return placed(each, all.map(parentKey), () => ({
        ...each,
        parents: all.map(({ place, name }) => ({ place, name })),
      }));
    });
    return { switches: found.switches.map(({ named }) => named), parents, loadBalancers };
  });
}

/** The columns of a load balancer (ovn-nb(5), Load_Balancer). */
function columnsOf(
  { name, networkName, place, owner, protocol, vips, options }: LoadBalancer,
  ended: readonly string[] = [],
) {
  return {
    name,
    protocol,
    vips: mapNotation(vips),
    options: mapNotation(options),
    external_ids: mapNotation({
      [keys.network]: networkName,
      [keys.kind]: KIND,
      [keys.owner]: owner,
      ...(place === 'router' && { [keys.place]: place }),
      ...(ended.length > 0 && { [keys.ended]: ended.join(' ') }),
    }),
  };
}

/** Adds a load balancer to a switch or router of a network, or takes it from there. Names do not say whose it is: another program may have one of the same name. */
function onParent(
  { place, name, networkName }: Pick<ParentRow, 'place' | 'name' | 'networkName'>,
  mutator: 'insert' | 'delete',
  reference: readonly [string, string],
) {
  const { table, signature } = parentTables[place];
  return {
    op: 'mutate',
    table,
    where: [
      ['name', '==', name],
      ['external_ids', 'includes', mapNotation({ [signature]: networkName })],
    ],
    mutations: [['load_balancer', mutator, setNotation([reference])]],
  };
}

/**
 * The operations of a change (RFC 7047, section 5.2).
 *
 * @param index its place among the changes of its transaction
 * @param parents those from which load balancers are taken
 */
function operationsOf(change: LoadBalancerChange, index: number, parents: readonly ParentRow[]): readonly unknown[] {
  switch (change.verb) {
    case 'add': {
      const id = `balancer${String(index)}`;
      const { desired, parentName: name } = change;
      const { place, networkName } = desired;
      return [
        { op: 'insert', table: 'Load_Balancer', 'uuid-name': id, row: columnsOf(desired) },
        onParent({ place, name, networkName }, 'insert', ['named-uuid', id]),
      ];
    }
    case 'replace': {
      const { uuid, desired, parentName: name, otherParents, ended } = change;
      const { place, networkName } = desired;
      const where = [...withUuid(uuid), ...hasMark];
      const keys = new Set(otherParents.map(parentKey));
      const others = parents.filter((parent) => keys.has(parentKey(parent)));
      return [
        { op: 'update', table: 'Load_Balancer', where, row: columnsOf(desired, ended) },
        ...(name === undefined ? [] : [onParent({ place, name, networkName }, 'insert', ['uuid', uuid])]),
        ...others.map((other) => onParent(other, 'delete', ['uuid', uuid])),
      ];
    }
    case 'remove':
      // Switches and routers lose it with its row: they refer to it weakly.
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
  #last: LoadBalancersSnapshot = { switches: [], routers: [], loadBalancers: [] };
  /** Switches and routers as they were read last. */
  #parents: readonly ParentRow[] = [];
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
    return mapReading(thenRead(await this.#database.content(), contentOf), ({ switches, parents, loadBalancers }) => {
      this.#parents = parents;
      this.#last = {
        switches: networkSwitches(switches),
        routers: parents.flatMap(({ place, name, networkName }): readonly NetworkRouter[] =>
          place === 'router' ? [{ name, networkName }] : [],
        ),
        loadBalancers: sameIfSameItems(this.#last.loadBalancers, loadBalancers),
      };
      return this.#last;
    });
  }

  async apply(changes: readonly LoadBalancerChange[]): Promise<MadeChange> {
    const operations = [
      ...changes.flatMap((change, place) => operationsOf(change, place, this.#parents)),
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
