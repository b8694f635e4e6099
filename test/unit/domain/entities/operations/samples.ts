/**
 * One operation of each verb on each kind of entity, on a node on which it can be done. What every operation promises is tested over these.
 */
import { clusterNetworkKey } from '../../../../../src/domain/network/key.ts';
import { allKinds, type EntityKindName, type EntityOf } from '../../../../../src/domain/entities/entity-kinds.ts';
import type { EntityOperation, LedgerEntry, NodeSnapshot, Route } from '../../../../../src/domain/index.ts';
import type { FdbEntryEntity } from '../../../../../src/domain/entities/switch/fdb-entry.ts';
import { flowEntity } from '../../../../../src/domain/entities/switch/flow.ts';
import {
  managementPort as managementPortKind,
  type ManagementPortEntity,
} from '../../../../../src/domain/entities/switch/management-port.ts';
import type { NoFloodPortEntity } from '../../../../../src/domain/entities/switch/no-flood-port.ts';
import { remoteChassisEntity } from '../../../../../src/domain/entities/ovn/remote-chassis.ts';
import { enabledInterconnection } from '../../../../../src/domain/entities/switch/interconnection.ts';
import { northboundRowEntity } from '../../../../../src/domain/entities/ovn/northbound-row.ts';
import type { BridgeFlow, FdbEntry } from '../../../../../src/domain/snapshot/datapath.ts';
import type { Change } from '../../../../../src/domain/node-model/change.ts';
import { putAddress } from '../../../../../src/domain/node-model/address.ts';
import { deleteLink, setAlias, setUp } from '../../../../../src/domain/node-model/link.ts';
import { enslave, release } from '../../../../../src/domain/node-model/membership.ts';
import { addRoute } from '../../../../../src/domain/node-model/route.ts';
import { addVrf } from '../../../../../src/domain/node-model/vrf.ts';
import type { PutBack, SingleOperation, TakeBack } from '../../../../../src/domain/entities/operations/operation.ts';
import type { BriefNode } from '../../../../../src/testing/index.ts';
import {
  address,
  displaced,
  hostNextHopObject,
  hostProxy,
  hostRoute,
  membership,
  nodeWith,
  route,
} from '../host-entities.ts';
import {
  localnetRow,
  storedRow,
  otherChassis,
  otherPort,
  boundPort,
  managementPort,
  portUp,
  openPort,
  routerPort,
} from './sample-parts.ts';

const networks = [clusterNetworkKey('blue')];
const entry = 'cluster_udn_blue:br-blue';
const egress: BridgeFlow = {
  bridge: 'br-blue',
  cookie: '0x75706c6b',
  table: 0,
  priority: 9,
  match: 'in_port=patch-blue-to-br-int',
  actions: 'NORMAL',
};
const hostMac: FdbEntry = { bridge: 'br-blue', port: 'br-blue', vlan: 0, macAddress: '0a:00:00:00:00:06' };
const staticMac: FdbEntryEntity = { kind: 'fdb-entry', ...hostMac };
const filterTable: EntityOf<'filter-table'> = {
  kind: 'filter-table',
  table: { name: 'ovn-uplinks-egress', sets: { ways4: ['eth0'] }, isIntact: true },
};
const noFlooding: NoFloodPortEntity = { kind: 'no-flood-port', bridge: 'br-blue', port: 'patch-blue-to-br-int' };
/** A node with OVN's integration bridge, and a management port on it or none. */
function withIntegrationBridge(port?: ManagementPortEntity): NodeSnapshot {
  const bare = nodeBefore(undefined, { bridges: [{ name: 'br-int' }] });
  return port === undefined ? bare : managementPortKind.put(bare, [port]);
}

const setting = 'net.ipv4.conf.br-blue.rp_filter';

/** A node after changes that it does not refuse. */
export function after(node: NodeSnapshot, ...changes: readonly ((node: NodeSnapshot) => Change)[]): NodeSnapshot {
  return changes.reduce((before, change) => {
    const made = change(before);
    if (!made.done) throw new Error(made.refusal);
    return made.node;
  }, node);
}

/** A node with `br-blue` in a VRF or in none, made as the kernel makes it: an unmanaged VRF `corp`, a managed VRF `blue`. */
export function nodeBefore(
  master?: string,
  { routes = [], ...brief }: Omit<BriefNode, 'nodeName' | 'routes'> & { readonly routes?: readonly Route[] } = {},
): NodeSnapshot {
  const bare = nodeWith({
    links: [{ name: 'br-blue', addresses: [{ address: '192.0.2.6', prefixLength: 24, broadcast: '192.0.2.255' }] }],
  });
  const made = after(
    bare,
    (node) => addVrf(node, { name: 'corp', table: 500 }),
    (node) => addVrf(node, { name: 'blue', table: 1012 }),
    (node) => setAlias(node, 'blue', 'ovn-uplinks:cluster_udn_blue'),
    (node) => enslave(node, 'br-blue', 'corp'),
    (node) => (master === undefined ? release(node, 'br-blue') : enslave(node, 'br-blue', master)),
    ...routes.map((item) => (node: NodeSnapshot) => addRoute(node, item)),
  );
  const { links: _links, routes: _routes, sysctls, rules, nodeName: _name, ...others } = nodeWith(brief);
  return {
    ...made,
    ...others,
    sysctls: { ...made.sysctls, ...sysctls },
    rules: brief.rules === undefined ? made.rules : rules,
  };
}

/** An operation, and a node on which it can be done. */
export interface Sample<Some extends SingleOperation = SingleOperation> {
  readonly operation: Some;
  readonly node: NodeSnapshot;
}

/** For each verb that operations on a kind have. Without `replace`, what is there is changed as one is added. */
interface KindSamples<Name extends EntityKindName> {
  readonly add: Sample<EntityOperation<Name>>;
  readonly replace?: Sample<EntityOperation<Name>>;
  readonly remove: Sample<EntityOperation<Name>>;
}

const vrf = { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true } as const;
const inVrf = { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1012, network: 'cluster_udn_blue' } as const;
const ownRoute: EntityOf<'route'> = {
  kind: 'route',
  route: route('0.0.0.0/0', { table: 1012, protocol: '94', metrics: { mtu: 1400 } }),
};
const ownRule: EntityOf<'rule'> = {
  kind: 'rule',
  rule: { family: 4, priority: 1999, mark: 0x1007, table: 1012, protocol: '94', others: {} },
};
const ownNeighbour: EntityOf<'neighbour'> = {
  kind: 'neighbour',
  neighbour: {
    device: 'br-blue',
    address: '169.254.0.4',
    macAddress: '0a:58:a9:fe:00:04',
    states: ['permanent'],
    protocol: '94',
  },
};
const ownAddress: EntityOf<'address'> = { kind: 'address', device: 'blue', address: address('169.254.0.2/32') };
const addressEntry: LedgerEntry = { kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 };
const strict: EntityOf<'sysctl'> = { kind: 'sysctl', device: 'br-blue', name: setting, value: '1' };
const mapping: EntityOf<'bridge-mapping'> = {
  kind: 'bridge-mapping',
  networkName: 'cluster_udn_blue',
  bridge: 'br-blue',
};
const mapped = {
  switchExternalIds: { 'ovn-bridge-mappings': `physnet:br-ex,${entry}`, 'ovn-uplinks-bridge-mappings': entry },
};
const [object, proxy] = [hostNextHopObject(5), hostProxy('192.0.2.9')];

/** A node whose VRF `blue` is as it is said. */
function nodeWithVrf(
  change: Partial<NodeSnapshot['links'][number]>,
  ledger: readonly LedgerEntry[] = [],
): NodeSnapshot {
  const node = nodeBefore(undefined, { ledger });
  return { ...node, links: node.links.map((link) => (link.name === 'blue' ? { ...link, ...change } : link)) };
}

/** A kind that is missing does not compile. */
export const samples = {
  vrf: {
    add: {
      operation: { verb: 'add', networks, entity: vrf },
      node: after(nodeBefore(), (node) => deleteLink(node, 'blue')),
    },
    replace: {
      operation: { verb: 'replace', networks, entity: vrf },
      node: nodeWithVrf({ alias: '' }, [
        { kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' },
      ]),
    },
    remove: { operation: { verb: 'remove', networks, entity: vrf }, node: nodeBefore() },
  },
  address: {
    add: { operation: { verb: 'add', networks, entity: ownAddress }, node: nodeBefore() },
    remove: {
      operation: {
        verb: 'remove',
        networks,
        entity: { ...ownAddress, address: { ...ownAddress.address, label: 'blue' } },
      },
      node: after(nodeBefore(undefined, { ledger: [addressEntry] }), (node) =>
        putAddress(node, 'blue', ownAddress.address),
      ),
    },
  },
  sysctl: {
    add: {
      operation: { verb: 'add', networks, entity: { ...strict, value: '2' } },
      node: nodeBefore(undefined, { sysctls: { [setting]: '1' } }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: strict },
      node: nodeBefore(undefined, {
        sysctls: { [setting]: '2' },
        ledger: [{ kind: 'sysctl', device: 'br-blue', name: setting, before: '1', value: '2' }],
      }),
    },
  },
  membership: {
    add: {
      operation: { verb: 'add', networks, entity: inVrf },
      node: nodeBefore(undefined, { routes: [route('10.0.0.0/8')] }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: inVrf },
      node: nodeBefore('blue', {
        routes: [route('10.0.0.0/8', { table: 1012 })],
        ledger: [displaced(hostRoute('10.0.0.0/8'), 'placed'), membership()],
      }),
    },
  },
  'next-hop-object': {
    add: { operation: { verb: 'add', networks, entity: object }, node: nodeBefore() },
    remove: {
      operation: { verb: 'remove', networks, entity: object },
      node: nodeBefore(undefined, { nextHopObjects: [object.object] }),
    },
  },
  'neighbour-proxy': {
    add: { operation: { verb: 'add', networks, entity: proxy }, node: nodeBefore() },
    remove: {
      operation: { verb: 'remove', networks, entity: proxy },
      node: nodeBefore(undefined, { neighbourProxies: [proxy.proxy] }),
    },
  },
  route: {
    add: { operation: { verb: 'add', networks, entity: ownRoute }, node: nodeBefore() },
    replace: {
      operation: {
        verb: 'replace',
        networks,
        entity: { kind: 'route', route: { ...ownRoute.route, metrics: { mtu: 8900 } } },
      },
      node: nodeBefore(undefined, { routes: [ownRoute.route] }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: ownRoute },
      node: nodeBefore(undefined, { routes: [ownRoute.route] }),
    },
  },
  neighbour: {
    add: { operation: { verb: 'add', networks, entity: ownNeighbour }, node: nodeBefore() },
    remove: {
      operation: { verb: 'remove', networks, entity: ownNeighbour },
      node: nodeBefore(undefined, { neighbours: [ownNeighbour.neighbour] }),
    },
  },
  rule: {
    add: { operation: { verb: 'add', networks, entity: ownRule }, node: nodeBefore(undefined, { rules: [] }) },
    remove: {
      operation: { verb: 'remove', networks, entity: ownRule },
      node: nodeBefore(undefined, { rules: [ownRule.rule] }),
    },
  },
  'filter-table': {
    add: { operation: { verb: 'add', networks, entity: filterTable }, node: nodeBefore() },
    replace: {
      operation: { verb: 'replace', networks, entity: filterTable },
      node: nodeBefore(undefined, { filterTables: [{ ...filterTable.table, sets: { ways4: ['eth9'] } }] }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: filterTable },
      node: nodeBefore(undefined, { filterTables: [filterTable.table] }),
    },
  },
  'bridge-mapping': {
    add: {
      operation: { verb: 'add', networks, entity: mapping },
      node: nodeBefore(undefined, { switchExternalIds: { 'ovn-bridge-mappings': 'physnet:br-ex' } }),
    },
    remove: { operation: { verb: 'remove', networks, entity: mapping }, node: nodeBefore(undefined, mapped) },
  },
  'northbound-row': {
    add: { operation: { verb: 'add', networks, entity: northboundRowEntity(localnetRow) }, node: nodeBefore() },
    replace: {
      operation: { verb: 'replace', networks, entity: northboundRowEntity(localnetRow) },
      node: nodeBefore(undefined, {
        northbound: [{ ...storedRow, columns: { ...storedRow.columns, options: { network_name: 'other' } } }],
      }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: northboundRowEntity(storedRow) },
      node: nodeBefore(undefined, { northbound: [storedRow] }),
    },
  },
  'remote-chassis': {
    add: { operation: { verb: 'add', networks, entity: remoteChassisEntity(otherChassis) }, node: nodeBefore() },
    replace: {
      operation: { verb: 'replace', networks, entity: remoteChassisEntity(otherChassis) },
      node: nodeBefore(undefined, { chassis: [{ ...otherChassis, addresses: ['172.30.0.9'] }] }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: remoteChassisEntity(otherChassis) },
      node: nodeBefore(undefined, { chassis: [otherChassis] }),
    },
  },
  interconnection: {
    add: { operation: { verb: 'add', networks, entity: enabledInterconnection }, node: nodeBefore() },
    replace: {
      operation: { verb: 'replace', networks, entity: enabledInterconnection },
      node: nodeBefore(undefined, { switchExternalIds: { 'ovn-uplinks-is-interconn': 'true' } }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: enabledInterconnection },
      node: nodeBefore(undefined, {
        switchExternalIds: { 'ovn-is-interconn': 'true', 'ovn-uplinks-is-interconn': 'true' },
      }),
    },
  },
  'remote-port': {
    add: { operation: { verb: 'add', networks, entity: boundPort }, node: nodeBefore() },
    replace: {
      operation: { verb: 'replace', networks, entity: boundPort },
      node: nodeBefore(undefined, { remotePorts: [{ ...otherPort, chassis: 'former' }] }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: boundPort },
      node: nodeBefore(undefined, { remotePorts: [otherPort] }),
    },
  },
  'management-port': {
    add: { operation: { verb: 'add', networks, entity: managementPort }, node: withIntegrationBridge() },
    replace: {
      operation: { verb: 'replace', networks, entity: managementPort },
      node: withIntegrationBridge({ ...managementPort, mtu: 1500 }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: managementPort },
      node: withIntegrationBridge(managementPort),
    },
  },
  'link-up': {
    add: { operation: { verb: 'add', networks, entity: portUp }, node: withIntegrationBridge(managementPort) },
    remove: {
      operation: { verb: 'remove', networks, entity: portUp },
      node: after(withIntegrationBridge(managementPort), (node) => setUp(node, 'ovn-k8s-mp1')),
    },
  },
  'no-flood-port': {
    add: { operation: { verb: 'add', networks, entity: noFlooding }, node: nodeBefore() },
    remove: {
      operation: { verb: 'remove', networks, entity: noFlooding },
      node: nodeBefore(undefined, { noFloodPorts: [{ bridge: 'br-blue', port: 'patch-blue-to-br-int' }] }),
    },
  },
  'fdb-entry': {
    add: { operation: { verb: 'add', networks, entity: staticMac }, node: nodeBefore() },
    remove: {
      operation: { verb: 'remove', networks, entity: staticMac },
      node: nodeBefore(undefined, { fdbEntries: [hostMac], ledger: [staticMac] }),
    },
  },
  flow: {
    add: { operation: { verb: 'add', networks, entity: flowEntity(egress) }, node: nodeBefore() },
    replace: {
      operation: { verb: 'replace', networks, entity: flowEntity(egress) },
      node: nodeBefore(undefined, { flows: [{ ...egress, actions: 'drop' }] }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: flowEntity(egress) },
      node: nodeBefore(undefined, { flows: [egress] }),
    },
  },
  'open-router-port': {
    add: {
      operation: { verb: 'add', networks, entity: openPort },
      node: nodeBefore(undefined, { northbound: [routerPort(false)] }),
    },
    remove: {
      operation: { verb: 'remove', networks, entity: openPort },
      node: nodeBefore(undefined, { northbound: [routerPort(true)] }),
    },
  },
} satisfies { readonly [Name in EntityKindName]: KindSamples<Name> };

/** Restores the route that enslaving displaced into the VRF. */
export const putBackSample: Sample<PutBack> = {
  operation: {
    verb: 'put-back',
    networks,
    device: 'br-blue',
    entity: hostRoute('10.0.0.0/8', { table: 1012 }),
    origin: hostRoute('10.0.0.0/8'),
  },
  node: nodeBefore('blue', { ledger: [displaced(hostRoute('10.0.0.0/8')), membership()] }),
};

/** It is taken away from there again. */
export const takeBackSample: Sample<TakeBack> = {
  operation: { ...putBackSample.operation, verb: 'take-back' },
  node: nodeBefore('blue', {
    routes: [route('10.0.0.0/8', { table: 1012 })],
    ledger: [displaced(hostRoute('10.0.0.0/8'), 'placed'), membership()],
  }),
};

/** The VRF is ours and down. */
export const bringUpSample: Sample<EntityOperation<'vrf'>> = {
  operation: samples.vrf.replace.operation,
  node: nodeWithVrf({ up: false, operationalState: 'down' }),
};

/** The samples of one kind; none where they are missing. */
export function samplesOf(kind: string): readonly Sample[] {
  const { add, replace, remove }: Partial<KindSamples<EntityKindName>> =
    (samples as Readonly<Record<string, KindSamples<EntityKindName>>>)[kind] ?? {};
  return [add, replace, remove].flatMap((sample) => sample ?? []);
}

/** All of them, by what they are called in the names of tests. */
export const allSamples: ReadonlyMap<string, Sample> = new Map([
  ...allKinds
    .flatMap(({ kind }) => samplesOf(kind))
    .map((sample) => [`${sample.operation.verb} ${sample.operation.entity.kind}`, sample] as const),
  ['replace vrf, which is down', bringUpSample],
  ['put-back', putBackSample],
  ['take-back', takeBackSample],
]);
