/**
 * Warnings about a node on which networks are programmed.
 */
import { nameOfNetwork } from '../../network/key.ts';
import { addressingOf } from '../../dataplane/addressing.ts';
import { missingServiceSource } from '../../dataplane/routes.ts';
import { forwardsNoIpv6 } from '../../dataplane/sysctls.ts';
import { type NodeView, viewNode } from '../../snapshot/node-view.ts';
import { lastByReadParts } from '../../snapshot/read-parts.ts';
import { displacedText } from '../../entities/displaceable.ts';
import { kindOf } from '../../entities/entity-kinds.ts';
import { groupBy } from '../../basics/names/grouping.ts';
import { familyOf } from '../../basics/addresses/ip-address.ts';
import { routeText } from '../../entities/kernel/route-command.ts';
import { by, distinct } from '../../basics/names/ordering.ts';
import { isOwnMembership, membership } from '../../entities/kernel/membership.ts';
import { isOwnRoute } from '../../entities/kernel/route.ts';
import { isOwnRule } from '../../entities/kernel/rule.ts';
import {
  awaitingEntities,
  blockedEntities,
  replacementsIn,
  withSettledLedger,
} from '../../entities/ownership/restored.ts';
import type { NodeSnapshot, Table } from '../../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../../snapshot/settings.ts';
import { tunnelEndOn } from '../../snapshot/tunnel-addresses.ts';
import { networkSentence } from '../../status/network-entry.ts';
import { nameSample } from '../../status/node-sample.ts';
import type { ClusterView } from '../view/cluster-view.ts';
import { cutOffMessages } from './cut-off-peers.ts';
import { gatewayMessages } from './gateway-warnings.ts';
import { desiredOf } from '../desired-entities.ts';
import type { NodeDataplane } from '../node-dataplane.ts';
import type { NetworkOnNode } from '../node-plan.ts';
import { leadsToVrfTables, ruledEntities, ruleMessages } from './rule-warnings.ts';
import { strayMessages } from './stray-warnings.ts';
import type { Warning } from '../view/warning.ts';

/** The input for the warnings. */
export interface ProgrammingInput {
  readonly view: ClusterView;
  readonly networks: readonly NetworkOnNode[];
  readonly dataplane: NodeDataplane;
  readonly node: NodeSnapshot;
  /** The node with everything displaced restored. */
  readonly restoredNode: NodeView;
  readonly settings: NodeSettings;
}

/** Consequences of an unusable ledger. */
function ledgerMessages({ node: { ledger } }: ProgrammingInput): readonly string[] {
  if (ledger.unknown.length > 0) {
    return [
      `${ledger.unknown.length} entries of the ledger are not supported by this version, the first is ${JSON.stringify(ledger.unknown[0]).slice(0, 200)}; they are kept, and what they describe is treated as not managed`,
    ];
  }
  if (ledger.problem === undefined) return [];
  return [
    `the ledger ${ledger.problem}; it is ignored, and unsigned changes made before are treated as not managed: VRF memberships, addresses on VRFs, settings, and displaced routes`,
  ];
}

/** Each next hop of a multipath route is in the routing domain of its device. The kernel keeps such a route, so it is not restored. */
function splitRouteMessages({ node, dataplane }: ProgrammingInput): readonly string[] {
  const moving = new Map(
    dataplane.programmed.filter(({ vrf }) => vrf.enslaves).map(({ device, vrf }) => [device, vrf.name]),
  );
  const masters = new Map(node.links.map(({ name, master }) => [name, moving.get(name) ?? master]));
  return node.routes
    .filter(({ nextHops, nextHopObject }) => nextHopObject === undefined && nextHops.length > 1)
    .flatMap((route) => {
      const devices = distinct(route.nextHops.flatMap(({ device }) => device ?? []));
      const [own] = devices.filter((device) => moving.has(device));
      const isParted = new Set(devices.map((device) => masters.get(device))).size > 1;
      if (own === undefined || !isParted) return [];
      const nextHops = [...route.nextHops].sort(by(({ device = '', gateway = '' }) => `${device} ${gateway}`));
      return [
        `${routeText({ ...route, nextHops })} is not moved: it has a next hop in VRF ${moving.get(own) ?? ''} (${own}) and one outside of it`,
      ];
    });
}

/** VRFs have table numbers, and a table name cannot be resolved without rt_tables. */
function namedTableMessages({ node }: ProgrammingInput): readonly string[] {
  const vrfs = new Set(node.links.flatMap(({ name, kind }) => (kind === 'vrf' ? [name] : [])));
  const slaves = new Set(
    node.links.flatMap(({ name, master }) => (master !== undefined && vrfs.has(master) ? [name] : [])),
  );
  const isOfVrf = ({ protocol, nextHops }: NodeSnapshot['routes'][number]) =>
    protocol === 'kernel' && nextHops.some(({ device }) => device !== undefined && slaves.has(device));
  const tables: readonly (Table | undefined)[] = [
    ...node.routes.filter((route) => isOwnRoute(route) || isOfVrf(route)).map(({ table }) => table),
    ...node.rules.filter((rule) => isOwnRule(rule)).map(({ table }) => table),
  ];
  return distinct(tables.filter((table) => typeof table === 'string')).map(
    (table) =>
      `table ${table} of a VRF was printed by its name in rt_tables instead of its number: its routes count as absent and are never removed; capture the node again`,
  );
}

/** Obsolete entities that stay because removing them would lose something. */
function stayingMessages({ dataplane: { desired, stays } }: ProgrammingInput): readonly string[] {
  return stays.flatMap(({ entity, why }) => {
    if (desiredOf(kindOf(entity), desired).like(entity) !== undefined) return [];
    if (entity.kind === 'membership' && why.reason === 'irreplaceable') {
      const { device, vrf } = entity;
      return [
        `${device} is not released from VRF ${vrf}, which no network needs: ${networkSentence(why.failure, '', device)}`,
      ];
    }
    if (entity.kind !== 'vrf' || why.reason !== 'occupied') return [];
    return [`obsolete VRF ${entity.name} is not deleted: ${why.occupant} and is not managed by ovn-uplinks`];
  });
}

/** Displaced entities that cannot be restored: they stay in the ledger until the kernel accepts them or their place is free. */
function displacedMessages({ node: found, dataplane: { desired } }: ProgrammingInput): readonly string[] {
  const node = withSettledLedger(found);
  const entering = new Set(desiredOf(membership, desired).list.map(({ entity }) => entity.device));
  const replacementOf = replacementsIn(node);
  return [
    ...blockedEntities(node).map(
      ({ entity, refusal }) => `${displacedText(entity)} stays in the ledger until it can be restored: ${refusal}`,
    ),
    ...awaitingEntities(node).flatMap((awaiting) => {
      const found = entering.has(awaiting.device) ? undefined : replacementOf(awaiting);
      if (found === undefined) return [];
      return [
        `${displacedText(awaiting.entity)} is not restored: ${routeText(found)} has its place; delete that route to have it restored, or the ledger after --cleanup to give it up`,
      ];
    }),
  ];
}

/** Tunnels end at an interface that another program has put into the VRF: a network is not refused for what is so already (docs/design/enslaving.md). */
function tunnelEndMessages({ restoredNode: node, dataplane }: ProgrammingInput): readonly string[] {
  const vrfs = new Map(dataplane.programmed.map(({ device, vrf }) => [device, vrf.name]));
  return [...vrfs].flatMap(([device, vrf]) => {
    const link = node.link(device);
    if (link?.master !== vrf || isOwnMembership(device, vrf, node.snapshot.ledger)) return [];
    const address = tunnelEndOn(link, node.snapshot);
    if (address === undefined) return [];
    return `tunnels of the node end at ${address} of ${device}, external_ids:ovn-encap-ip of Open vSwitch: in VRF ${vrf}, which ${device} was not enslaved to by ovn-uplinks, they carry nothing; let them end at another interface, or release ${device}`;
  });
}

/**
 * In the default routing domain the source for services is an address that OVN-Kubernetes adds. Networks that ovn-uplinks provides have no services, and
 * where OVN-Kubernetes does not run, it is not added.
 */
function waitingServiceMessages(input: ProgrammingInput): readonly string[] {
  const { view, dataplane, restoredNode: node, settings } = input;
  // All of these networks have uplinks.
  if (settings.providedNetworks !== 'none') return [];
  const objects = new Map(view.networks.map((network) => [network.key, network]));
  const served = new Set(settings.serviceCidrs.map(familyOf));
  const addressing = addressingOf(settings);
  const waiting = dataplane.programmed.flatMap(({ network, vrf }) => {
    const object = objects.get(network);
    if (object === undefined) return [];
    const families = object.families.filter((family) => served.has(family));
    const address = missingServiceSource({ families, vrf, node, addressing });
    return address === undefined ? [] : [{ network, address }];
  });
  return [...groupBy(waiting, ({ address }) => address)].map(([address, ofAddress]) => {
    const names = distinct(ofAddress.map(({ network }) => nameOfNetwork(network)));
    return `no device has ${address}, which OVN-Kubernetes adds to the default bridge: there are no service routes until then for ${nameSample(names)}`;
  });
}

/** The kernel adds the rules of VRFs with the first one only (drivers/net/vrf.c, vrf_add_fib_rules). */
function missingRuleMessages({ node: { links, rules }, dataplane }: ProgrammingInput): readonly string[] {
  if (dataplane.programmed.length === 0 || !links.some(({ kind }) => kind === 'vrf')) return [];
  return (
    ([4, 6] as const)
      .map((family) => ({ family, ofFamily: rules.filter((rule) => rule.family === family) }))
      // Without any rule, the address family is not enabled.
      .filter(({ ofFamily }) => ofFamily.length > 0 && !ofFamily.some(leadsToVrfTables))
      .map(
        ({ family }) =>
          `no IPv${family} l3mdev rule exists, so VRFs do not use their tables; the kernel adds it with the first VRF only: ip -${family} rule add pref 1000 l3mdev protocol kernel`,
      )
  );
}

/** Packets of a network are forwarded between its uplink and the node's other devices. */
function forwardingMessages({ node, dataplane }: ProgrammingInput): readonly string[] {
  const affected = dataplane.programmed.filter(
    ({ device, entities }) =>
      forwardsNoIpv6(device, node) && entities.some((entity) => entity.kind === 'rule' && entity.rule.family === 6),
  );
  return [...groupBy(affected, ({ device }) => device)].map(([device, ofDevice]) => {
    const networks = nameSample(distinct(ofDevice.map(({ network }) => nameOfNetwork(network))));
    return `net.ipv6.conf.all.forwarding is 0, and this kernel has no force_forwarding: IPv6 packets that come in by ${device} are not forwarded for ${networks}; it is not changed, since the node would ignore router advertisements then`;
  });
}

type Messages = readonly string[];

const [lastAboutNode, lastAboutRules, lastAboutRestored] = [
  lastByReadParts<Messages>(),
  lastByReadParts<Messages>(),
  lastByReadParts<Messages>(),
];

/** The warnings about a node on which networks are programmed. */
export function programmingWarnings(input: ProgrammingInput): readonly Warning[] {
  const { view, settings, node: found, restoredNode, dataplane } = input;
  const { programmed } = dataplane;
  const messages = [
    ...ledgerMessages(input),
    ...lastAboutNode(settings, programmed, viewNode(found), ({ snapshot: node }) => [
      ...splitRouteMessages({ ...input, node }),
      ...namedTableMessages({ ...input, node }),
      ...missingRuleMessages({ ...input, node }),
      ...forwardingMessages({ ...input, node }),
    ]),
    ...cutOffMessages(input.dataplane.programmed, view.snapshot, restoredNode),
    ...lastAboutRules(
      settings,
      [view.networks, ...programmed, ...ruledEntities(dataplane)],
      viewNode(found),
      ({ snapshot: node }) => ruleMessages({ ...input, node }),
    ),
    ...stayingMessages(input),
    ...displacedMessages(input),
    ...strayMessages(found, dataplane),
    ...tunnelEndMessages(input),
    ...lastAboutRestored(settings, [view.networks, ...programmed], restoredNode, (node) => [
      ...gatewayMessages(node, input),
      ...waitingServiceMessages({ ...input, restoredNode: node }),
    ]),
  ];
  return messages.map((message) => ({ object: `Node/${input.node.nodeName}`, message, seenOnNode: true }));
}
