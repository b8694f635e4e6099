/**
 * Generates the parts of a node that forward packets besides the kernel, before anything is done: the networks' own half of OVN, and what other programs have there and on
 * the bridges.
 */
import fc from 'fast-check';
import { INTERCONNECTION_KEY, LEARNED_FLOW_COOKIE } from '../../domain/basics/conventions.ts';
import { gatewayRouterNames, type Inside } from '../../domain/network/names/gateway-router.ts';
import { entityPrefix } from '../../domain/network/names/logical-network.ts';
import { tables } from '../../domain/dataplane/pipeline/tables.ts';
import { virtualMacOf } from '../../domain/dataplane/pipeline/virtual-mac.ts';
import type { Chassis, RemotePort } from '../../domain/snapshot/chassis.ts';
import type { DatapathSnapshot } from '../../domain/snapshot/datapath.ts';
import { nameOfUnnamed } from '../../domain/datapath/northbound/row-name.ts';
import { patchPortName } from '../../domain/snapshot/patch-ports.ts';
import type { NorthboundRow } from '../../domain/datapath/northbound/row.ts';
import { portWord } from '../../domain/datapath/openflow/port-word.ts';
import { networkNames } from './names.ts';

/** Entities of other programs there that a network needs for itself. */
const obstacleKinds = [
  'gateway router',
  'equal switch',
  'MAC binding',
  'flow',
  'equal flow',
  'FDB entry',
  'missing row',
] as const;

/** Whether OVN was read, and what is in the way there or on a bridge. */
export interface DatapathContent {
  readonly isNorthboundRead: boolean;
  /** Whether Layer2 networks have a transit router. */
  readonly hasTransitRouters: boolean;
  readonly obstacle: 'nothing' | (typeof obstacleKinds)[number];
  /** Whether other programs have flows and rows that concern no network. */
  readonly hasOthers: boolean;
  /** Whether flows have learned a neighbour on the usual bridge, and one in a VLAN of it. */
  readonly hasLearned: boolean;
}

/** Mostly nothing is in the way. */
export const datapathContents: fc.Arbitrary<DatapathContent> = fc.record({
  isNorthboundRead: fc.boolean(),
  hasTransitRouters: fc.boolean(),
  obstacle: fc.oneof(
    { withCrossShrink: true },
    { weight: 8, arbitrary: fc.constant('nothing' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...obstacleKinds) },
  ),
  hasOthers: fc.boolean(),
  hasLearned: fc.boolean(),
});

/** The network that something is in the way of, and the bridge that it is usually on. */
const [OBSTRUCTED, BRIDGE] = ['cluster_udn_blue', 'br-one'];

/** The rows that the provider of a network adds, as far as managed rows are parts of them. */
function ownHalf(networkName: string, nodeName: string, hasTransitRouter: boolean): readonly NorthboundRow[] {
  const names = (inside: Inside) => gatewayRouterNames(networkName, nodeName, BRIDGE, inside).inside;
  const { router = '', joinSwitch = '' } = names('join-switch');
  return [
    { table: 'Logical_Router', name: router, columns: { options: {} } },
    { table: 'Logical_Switch', name: joinSwitch, columns: {} },
    { table: 'Logical_Switch', name: names('switch').podSwitch, columns: {} },
    ...(hasTransitRouter
      ? [{ table: 'Logical_Router', name: names('transit-router').router ?? '', columns: { options: {} } } as const]
      : []),
  ];
}

/** A chassis of another program, by the name that a node may have published, and one that was added for a node that has left. */
const othersChassis: readonly Chassis[] = [
  { name: 'chassis-node-b', hostname: 'node-b', addresses: ['172.30.9.9'], isRemote: true },
  { name: 'chassis-former', hostname: 'former', addresses: ['172.30.9.8'], isRemote: true, node: 'former' },
];

/** A port of another program that is bound to the first of these. */
const othersPorts: readonly RemotePort[] = [{ port: 'tstor-other', chassis: 'chassis-node-b' }];

/** Neighbours that managed flows have learned: two, by their virtual MAC addresses. */
const learnedFlows = ['vlan_tci=0x0000/0x1fff', 'dl_vlan=100'].map((link, index) => ({
  bridge: BRIDGE,
  cookie: LEARNED_FLOW_COOKIE,
  table: tables.nextHop,
  priority: 90,
  match: `${link},dl_dst=${virtualMacOf(`192.0.2.${String(77 + index)}`)}`,
  actions: 'load:0x20000007777->NXM_OF_ETH_DST[],output:eth1',
}));

/** A MAC binding of the host's masquerade address that is not that of the network; of no network as long as the router port is not there. */
function macBinding(logical_port: string): NorthboundRow {
  const columns = { logical_port, ip: '169.254.0.2', mac: '02:00:00:00:00:99', override_dynamic_mac: true };
  return { table: 'Static_MAC_Binding', name: nameOfUnnamed('Static_MAC_Binding', columns), columns };
}

/** Settings of other programs about tunnels to other zones: nothing, that there are some, or that there are none. */
export function interconnectionOf({ hasOthers, hasTransitRouters, hasLearned, isNorthboundRead }: DatapathContent) {
  if (!hasOthers || (!hasTransitRouters && (hasLearned || isNorthboundRead))) return {};
  return { [INTERCONNECTION_KEY]: String(hasTransitRouters) };
}

/** The part of a node that the content is. */
export function datapathOf(
  { isNorthboundRead, hasTransitRouters, obstacle, hasOthers, hasLearned }: DatapathContent,
  nodeName: string,
): Partial<DatapathSnapshot> {
  const { gatewayRouter, externalRouterPort, externalSwitch, localnetPort } = gatewayRouterNames(
    OBSTRUCTED,
    nodeName,
    BRIDGE,
  );
  const half = networkNames.flatMap((name) => ownHalf(`cluster_udn_${name}`, nodeName, hasTransitRouters));
  const inTheWay: readonly NorthboundRow[] = [
    ...(obstacle === 'gateway router'
      ? [{ table: 'Logical_Router', name: gatewayRouter, columns: { options: { chassis: 'elsewhere' } } } as const]
      : []),
    ...(obstacle === 'equal switch' ? [{ table: 'Logical_Switch', name: externalSwitch, columns: {} } as const] : []),
    ...(obstacle === 'MAC binding' ? [macBinding(externalRouterPort)] : []),
  ];
  const others: readonly NorthboundRow[] = hasOthers
    ? [{ table: 'Logical_Switch', name: `${entityPrefix('default')}${nodeName}`, columns: {} }]
    : [];
  const patchPort = portWord(patchPortName(localnetPort));
  const flow = { bridge: BRIDGE, cookie: '0x0', table: 0 };
  return {
    ...(isNorthboundRead && {
      isNorthboundRead,
      northbound: [...(obstacle === 'missing row' ? half.slice(1) : half), ...inTheWay, ...others],
    }),
    flows: [
      ...(hasOthers ? [{ ...flow, priority: 0, match: '', actions: 'NORMAL' }] : []),
      ...(obstacle === 'flow' || obstacle === 'equal flow'
        ? [
            {
              ...flow,
              priority: 9,
              match: `in_port=${patchPort}`,
              actions: obstacle === 'flow' ? 'NORMAL' : 'drop',
            },
          ]
        : []),
      ...(hasLearned ? learnedFlows : []),
    ],
    chassis: hasOthers ? othersChassis : [],
    remotePorts: hasOthers ? othersPorts : [],
    fdbEntries:
      obstacle === 'FDB entry' ? [{ bridge: BRIDGE, port: 'eth1', vlan: 0, macAddress: '02:00:00:00:01:01' }] : [],
  };
}
