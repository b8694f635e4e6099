import { addressingOf } from '../../../../src/domain/dataplane/addressing.ts';
import type { DataplaneInput } from '../../../../src/domain/dataplane/dataplane-input.ts';
import type { NetworkDataplane } from '../../../../src/domain/dataplane/network-dataplane.ts';
import { type NodeView, viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import { networkVrf } from '../../../../src/domain/routing-domain/network-vrf.ts';
import type { RoutingDomain } from '../../../../src/domain/routing-domain/routing-domain.ts';
import {
  type Entity,
  type EntityKindName,
  type EntityOf,
  kindOf,
} from '../../../../src/domain/entities/entity-kinds.ts';
import type { Route } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { type BriefLink, type BriefNode, completeNode } from '../../../../src/testing/index.ts';

/** Management port of network 7: its number puts the network's VRF into table 1012. */
export const managementPort: BriefLink = { name: 'ovn-k8s-mp7', index: 12 };

/** The uplink's interface, with an address of each family. */
export const hostInterface: BriefLink = {
  name: 'br-blue',
  addresses: [
    { address: '192.0.2.6', prefixLength: 24 },
    { address: '2001:db8:b::6', prefixLength: 64 },
  ],
};

/** The default bridge with the host's masquerade addresses, as OVN-Kubernetes leaves it. */
export const defaultBridge: BriefLink = {
  name: 'br-ex',
  addresses: [
    { address: '169.254.0.2', prefixLength: 17 },
    { address: 'fd69::2', prefixLength: 112 },
  ],
};

/** An unmanaged VRF. */
export const corporateVrf: BriefLink = { name: 'corp', kind: 'vrf', vrfTable: 500 };

/** Parts of the input that may be unusual. */
export interface InputBrief extends Partial<Omit<DataplaneInput, 'node' | 'addressing' | 'vrf'>> {
  readonly domain?: RoutingDomain;
  readonly ownVrf?: string;
  readonly serviceCidrs?: readonly string[];
  readonly masqueradeSubnets?: readonly string[];
  readonly node?: Omit<BriefNode, 'nodeName'>;
}

/** The input for the desired state of network `blue`, of id 7, on interface `br-blue`. */
export function dataplaneInput({ node, ...brief }: InputBrief = {}): DataplaneInput {
  const links = [hostInterface, defaultBridge, managementPort, corporateVrf];
  return dataplaneInputOn(viewNode(completeNode({ nodeName: 'a', links, ...node })), brief);
}

/** The input for the desired state of that network on a node that is given whole. */
export function dataplaneInputOn(
  node: NodeView,
  {
    domain = domains['the default routing domain'],
    ownVrf = 'blue',
    networkId = 7,
    serviceCidrs = ['10.96.0.0/16', 'fd00:10:96::/112'],
    masqueradeSubnets = ['169.254.0.0/17', 'fd69::/112'],
    ...brief
  }: Omit<InputBrief, 'node'>,
): DataplaneInput {
  const vrf = networkVrf({ domain, ownVrf, networkId, node });
  if (vrf.unusable !== undefined) throw new Error(`the network has no VRF: ${vrf.unusable}`);
  return {
    network: 'ClusterUserDefinedNetwork/blue',
    networkName: 'cluster_udn_blue',
    networkId,
    uplink: 'blue',
    families: [4, 6],
    mtu: 1400,
    device: 'br-blue',
    bridge: 'br-blue',
    defaultGateways: [],
    addressing: addressingOf({ serviceCidrs, masqueradeSubnets }),
    node,
    vrf,
    ...brief,
  };
}

/** The three columns of the table in docs/design/dataplane.md, "Desired state". */
export const domains = {
  'the default routing domain': { kind: 'default' },
  'its own VRF': { kind: 'own-vrf', vrf: 'blue' },
  'another existing VRF': { kind: 'other-vrf', vrf: 'corp' },
} as const satisfies Readonly<Record<string, RoutingDomain>>;

/** A route in a line, with everything that it says. */
export function routeLine({ type, destination, table, nextHops, metric, ...rest }: Route): string {
  const { preferredSource, metrics, protocol } = rest;
  const hops = nextHops.map(({ gateway = '', device = '', onlink }) =>
    ['via', gateway, 'dev', device, ...(onlink ? ['onlink'] : [])].join(' '),
  );
  return [
    ...(type === 'unicast' ? [] : [type]),
    destination,
    hops.join(', '),
    preferredSource && `src ${preferredSource}`,
    metric !== 0 && `metric ${metric}`,
    metrics && JSON.stringify(metrics),
    `table ${table} proto ${protocol}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Kinds of which a line says more than the text for a person. */
const lines: { readonly [Name in EntityKindName]?: (entity: EntityOf<Name>) => string } = {
  vrf: ({ name, table, alias, up }) => `VRF ${name} table ${table} signed as ${alias}${up ? '' : ', down'}`,
  membership: ({ device, vrf, table, network }) => `${device} in VRF ${vrf} of table ${table}, for ${network}`,
  address: ({ device, address: { address, prefixLength, flags } }) =>
    `address ${address}/${prefixLength}${flags.map((flag) => ` ${flag}`).join('')} on ${device}`,
  route: ({ route }) => `route ${routeLine(route)}`,
  rule: ({ rule: { family, priority, mark, table, protocol } }) =>
    `rule IPv${family} ${priority} mark ${mark ?? 0} table ${table ?? ''} proto ${protocol}`,
  neighbour: ({ neighbour: { address, macAddress = '', device, states, protocol = '' } }) =>
    `neighbour ${address} ${macAddress} on ${device} ${states.join(' ')} proto ${protocol}`,
  sysctl: ({ name, value }) => `setting ${name} = ${value}`,
  'bridge-mapping': ({ networkName, bridge }) => `mapping ${networkName}:${bridge}`,
};

function entityLine(entity: Entity): string {
  // The compiler does not follow that the kind is that of the entity.
  const line = lines[entity.kind] as ((entity: Entity) => string) | undefined;
  return line?.(entity) ?? kindOf<Entity>(entity).text(entity);
}

/** Everything that a node must have for a network, a line an entity. */
export function dataplaneLines(dataplane: NetworkDataplane | undefined): readonly string[] {
  return dataplane?.entities.map(entityLine) ?? ['nothing'];
}
