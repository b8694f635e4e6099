/**
 * One operation of each kind, on a node on which it can be done.
 */
import type { LedgerEntry, NodeSnapshot, Operation, Route } from '../../../../src/domain/index.ts';
import type { Change } from '../../../../src/domain/node-model/change.ts';
import { putAddress } from '../../../../src/domain/node-model/address.ts';
import { deleteLink, setAlias } from '../../../../src/domain/node-model/link.ts';
import { enslave, release } from '../../../../src/domain/node-model/membership.ts';
import { addRoute } from '../../../../src/domain/node-model/route.ts';
import { addVrf } from '../../../../src/domain/node-model/vrf.ts';
import type { BriefNode } from '../../../../src/testing/index.ts';
import { address, displaced, membership, nodeWith, route, routeThing } from '../ownership/things.ts';

const networks = ['blue'];
const entry = 'cluster_udn_blue:br-blue';
const setting = 'net.ipv4.conf.br-blue.rp_filter';

/** A node after changes that it does not refuse. */
export function after(node: NodeSnapshot, ...changes: readonly ((node: NodeSnapshot) => Change)[]): NodeSnapshot {
  return changes.reduce((before, change) => {
    const made = change(before);
    if (!made.done) throw new Error(made.refusal);
    return made.node;
  }, node);
}

/** A node with `br-blue` in a VRF or in none, made as the kernel makes it: VRF `corp` of somebody else's, VRF `blue` of ours. */
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

const ownRoute = route('0.0.0.0/0', { table: 1012, protocol: '94', metrics: { mtu: 1400 } });
const ownRule = { family: 4, priority: 1999, mark: 0x1007, table: 1012, protocol: '94', others: {} } as const;
const ownNeighbour = {
  device: 'br-blue',
  address: '169.254.0.4',
  macAddress: '0a:58:a9:fe:00:04',
  states: ['permanent'],
  protocol: '94',
};
const ownAddress = address('169.254.0.2/32');
const labelledAddress = { ...ownAddress, label: 'blue' };
const addressEntry: LedgerEntry = { kind: 'address', device: 'blue', address: '169.254.0.2', prefixLength: 32 };

/** An operation, and a node on which it can be done. */
export interface Sample<Kind extends Operation = Operation> {
  readonly operation: Kind;
  readonly node: NodeSnapshot;
}

const bearing = after(nodeBefore(undefined, { ledger: [addressEntry] }), (node) =>
  putAddress(node, 'blue', ownAddress),
);
const { alias: _alias, ...unsignedVrf } = nodeBefore().links.find(({ name }) => name === 'blue')!;
const unsignedNode = nodeBefore(undefined, {
  ledger: [{ kind: 'unsigned-vrf', name: 'blue', table: 1012, network: 'cluster_udn_blue' }],
});
const mapped = {
  switchExternalIds: { 'ovn-bridge-mappings': `physnet:br-ex,${entry}`, 'ovn-uplinks-bridge-mappings': entry },
};

/** By kind: a kind that is missing does not compile. */
export const samples: { readonly [Kind in Operation['kind']]: Sample<Extract<Operation, { kind: Kind }>> } = {
  'add-vrf': {
    operation: {
      verb: 'add',
      networks,
      entity: { kind: 'vrf', name: 'blue', table: 1012, alias: vrfSignature('cluster_udn_blue'), up: true },
    },
    node: after(nodeBefore(), (node) => deleteLink(node, 'blue')),
  },
  'sign-vrf': {
    operation: {
      verb: 'replace',
      networks,
      entity: { kind: 'vrf', name: 'blue', alias: 'ovn-uplinks:cluster_udn_blue', table: 1012, up: true },
    },
    node: { ...unsignedNode, links: unsignedNode.links.map((link) => (link.name === 'blue' ? unsignedVrf : link)) },
  },
  'bring-up-vrf': {
    operation: {
      verb: 'replace',
      networks,
      entity: { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
    },
    node: {
      ...nodeBefore(),
      links: nodeBefore().links.map((link) =>
        link.name === 'blue' ? { ...link, up: false, operationalState: 'down' } : link,
      ),
    },
  },
  'delete-vrf': {
    operation: {
      verb: 'remove',
      networks,
      entity: { kind: 'vrf', name: 'blue', table: 1012, alias: 'ovn-uplinks:cluster_udn_blue', up: true },
    },
    node: nodeBefore(),
  },
  enslave: {
    operation: {
      verb: 'add',
      networks,
      entity: { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1012, network: 'cluster_udn_blue' },
    },
    node: nodeBefore(undefined, { routes: [route('10.0.0.0/8')] }),
  },
  release: {
    operation: {
      verb: 'remove',
      networks,
      entity: { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1012, network: 'cluster_udn_blue' },
    },
    node: nodeBefore('blue', {
      routes: [route('10.0.0.0/8', { table: 1012 })],
      ledger: [displaced(routeThing('10.0.0.0/8'), 'placed'), membership()],
    }),
  },
  'put-back': {
    operation: {
      verb: 'put-back',
      networks,
      device: 'br-blue',
      entity: routeThing('10.0.0.0/8', { table: 1012 }),
      origin: routeThing('10.0.0.0/8'),
    },
    node: nodeBefore('blue', { ledger: [displaced(routeThing('10.0.0.0/8')), membership()] }),
  },
  'take-back': {
    operation: {
      verb: 'take-back',
      networks,
      device: 'br-blue',
      entity: routeThing('10.0.0.0/8', { table: 1012 }),
      origin: routeThing('10.0.0.0/8'),
    },
    node: nodeBefore('blue', {
      routes: [route('10.0.0.0/8', { table: 1012 })],
      ledger: [displaced(routeThing('10.0.0.0/8'), 'placed'), membership()],
    }),
  },
  'add-address': {
    operation: { verb: 'add', networks, entity: { kind: 'address', device: 'blue', address: ownAddress } },
    node: nodeBefore(),
  },
  'delete-address': {
    operation: { verb: 'remove', networks, entity: { kind: 'address', device: 'blue', address: labelledAddress } },
    node: bearing,
  },
  'add-route': { operation: { verb: 'add', networks, entity: { kind: 'route', route: ownRoute } }, node: nodeBefore() },
  'replace-route': {
    operation: { verb: 'replace', networks, entity: { kind: 'route', route: { ...ownRoute, metrics: { mtu: 8900 } } } },
    node: nodeBefore(undefined, { routes: [ownRoute] }),
  },
  'delete-route': {
    operation: { verb: 'remove', networks, entity: { kind: 'route', route: ownRoute } },
    node: nodeBefore(undefined, { routes: [ownRoute] }),
  },
  'add-rule': {
    operation: { verb: 'add', networks, entity: { kind: 'rule', rule: ownRule } },
    node: nodeBefore(undefined, { rules: [] }),
  },
  'delete-rule': {
    operation: { verb: 'remove', networks, entity: { kind: 'rule', rule: ownRule } },
    node: nodeBefore(undefined, { rules: [ownRule] }),
  },
  'set-sysctl': {
    operation: { verb: 'add', networks, entity: { kind: 'sysctl', device: 'br-blue', name: setting, value: '2' } },
    node: nodeBefore(undefined, { sysctls: { [setting]: '1' } }),
  },
  'add-neighbour': {
    operation: { verb: 'add', networks, entity: { kind: 'neighbour', neighbour: ownNeighbour } },
    node: nodeBefore(),
  },
  'delete-neighbour': {
    operation: { verb: 'remove', networks, entity: { kind: 'neighbour', neighbour: ownNeighbour } },
    node: nodeBefore(undefined, { neighbours: [ownNeighbour] }),
  },
  'add-bridge-mapping': {
    operation: {
      verb: 'add',
      networks,
      entity: { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' },
    },
    node: nodeBefore(undefined, { switchExternalIds: { 'ovn-bridge-mappings': 'physnet:br-ex' } }),
  },
  'remove-bridge-mapping': {
    operation: {
      verb: 'remove',
      networks,
      entity: { kind: 'bridge-mapping', networkName: 'cluster_udn_blue', bridge: 'br-blue' },
    },
    node: nodeBefore(undefined, mapped),
  },
};
