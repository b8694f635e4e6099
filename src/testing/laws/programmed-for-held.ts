/**
 * Entities of held networks on a node: the managed entities of all kinds that belong to them and to no other network.
 */
import { isManagementPortIn } from '../../domain/network/names/numbers.ts';
import { gatewayRouterNames } from '../../domain/network/names/gateway-router.ts';
import type { Anchor } from '../../domain/entities/entity-kind.ts';
import { allKinds, entityKey, isOurs, ownOf } from '../../domain/entities/entity-kinds.ts';
import { isOwnRoute } from '../../domain/entities/kernel/route.ts';
import { vrfSignature } from '../../domain/network/names/vrf-signature.ts';
import type { NodePlan, NodeSnapshot } from '../../domain/index.ts';
import { portWord } from '../../domain/datapath/openflow/port-word.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import {
  flowsOfNetworks,
  isOfUplink,
  portFlows,
  serving,
  uplinkMarks,
} from '../../domain/plan/retained/uplink-flows.ts';
import { addressInRule, isOwnRule } from '../../domain/entities/kernel/rule.ts';
import { entriesOf, type Membership } from '../../domain/snapshot/ledger.ts';
import type { BridgeFlow } from '../../domain/snapshot/datapath.ts';
import { patchPortName, patchPortsIn } from '../../domain/snapshot/patch-ports.ts';
import { entityText } from '../normal-form.ts';
import type { HeldNames } from './held-entities.ts';

/** The VRFs, tables, interfaces, bridges and ports where held networks are. */
interface Places {
  readonly vrfs: ReadonlySet<string>;
  /** Tables of networks whose uplinks are held. */
  readonly tables: ReadonlySet<unknown>;
  /** Tables of networks that are held apart from their uplinks. */
  readonly tablesOfLogicalNetworks: ReadonlySet<unknown>;
  /** Addresses of these, by which they leave the node: rules lead answers to them to their tables. */
  readonly networkAddresses: ReadonlySet<string>;
  readonly devices: ReadonlySet<string>;
  readonly bridges: ReadonlySet<string>;
  /** As flows name them. */
  readonly ports: ReadonlySet<string>;
}

/** The interfaces and bridges of the networks of a plan that are held, or are not. */
function whereNetworksAre({ networks, uplinks }: NodePlan, isHeld: boolean) {
  const rows = networks.filter(({ held }) => held === isHeld);
  return {
    devices: rows.flatMap((row) => uplinks.find(({ uplink }) => uplink === row.uplink)?.hostInterfaceName ?? []),
    bridges: rows.flatMap(({ bridge }) => bridge ?? []),
  };
}

/** The VRFs, their tables and the interfaces that some networks have by signatures and by the ledger. */
function shownFor(
  names: ReadonlySet<string>,
  isTheirs: (membership: Membership) => boolean,
  { links, ledger }: NodeSnapshot,
) {
  const signatures = new Set([...names].map(vrfSignature));
  const signed = links.filter(({ alias = '' }) => signatures.has(alias));
  const unsigned = entriesOf(ledger, 'unsigned-vrf').filter(({ network }) => names.has(network));
  const memberships = entriesOf(ledger, 'membership').filter((entry) => names.has(entry.network) && isTheirs(entry));
  return {
    vrfs: [...signed, ...unsigned].map(({ name }) => name).concat(memberships.map(({ vrf }) => vrf)),
    tables: new Set<unknown>([
      ...signed.map(({ vrfTable }) => vrfTable),
      ...[...unsigned, ...memberships].map(({ table }) => table),
    ]),
    devices: memberships.map(({ device }) => device),
  };
}

/** The places of held networks: interfaces and bridges only where no other network is, or was. */
function placesOfHeld(names: HeldNames, plan: NodePlan, node: NodeSnapshot): Places {
  const { networkNames, logicalNetworks, bridges, ports: managementPorts } = names;
  const { nodeName, routes, rules, ledger } = node;
  const ofUplinks = shownFor(networkNames, ({ table, device }) => !isManagementPortIn(table, device), node);
  const ofLogicalNetworks = shownFor(logicalNetworks, ({ table, device }) => isManagementPortIn(table, device), node);
  const { tables } = ofUplinks;
  const behind = routes.filter((route) => tables.has(route.table) && isOwnRoute(route));
  const [held, others] = [whereNetworksAre(plan, true), whereNetworksAre(plan, false)];
  const devices = [
    ...held.devices,
    ...ofUplinks.devices,
    // Addresses on them are for the uplink.
    ...ofUplinks.vrfs,
    ...behind.flatMap(({ table, nextHops }) =>
      nextHops.flatMap(({ device }) => (device === undefined || isManagementPortIn(table, device) ? [] : [device])),
    ),
  ];
  const ofOthers = entriesOf(ledger, 'membership').filter(({ network }) => !networkNames.has(network));
  const shared = new Set([...others.devices, ...ofOthers.map(({ device }) => device)]);
  const ports = [...networkNames].flatMap((networkName) =>
    [...bridges].map((bridge) => patchPortName(gatewayRouterNames(networkName, nodeName, bridge).localnetPort)),
  );
  return {
    vrfs: new Set([...ofUplinks.vrfs, ...ofLogicalNetworks.vrfs]),
    tables,
    tablesOfLogicalNetworks: ofLogicalNetworks.tables,
    networkAddresses: new Set(
      rules
        .filter((rule) => isOwnRule(rule) && ofLogicalNetworks.tables.has(rule.table))
        .flatMap((rule) => addressInRule(rule) ?? []),
    ),
    devices: new Set([...devices.filter((device) => !shared.has(device)), ...managementPorts]),
    bridges: new Set([...bridges].filter((bridge) => !others.bridges.includes(bridge))),
    ports: new Set(ports.map(portWord)),
  };
}

function isAt(
  anchor: Anchor,
  { vrfs, tables, tablesOfLogicalNetworks, networkAddresses, devices, bridges, ports }: Places,
  { networkNames, logicalNetworks }: HeldNames,
): boolean {
  if ('vrf' in anchor) return vrfs.has(anchor.vrf) || devices.has(anchor.vrf);
  if ('table' in anchor) {
    const isOf = { network: tablesOfLogicalNetworks.has(anchor.table), uplink: tables.has(anchor.table) };
    return anchor.part === undefined ? isOf.network || isOf.uplink : isOf[anchor.part];
  }
  if ('device' in anchor) return devices.has(anchor.device);
  if ('networkName' in anchor)
    return (anchor.part === 'network' ? logicalNetworks : networkNames).has(anchor.networkName);
  // The chassis of another node is for all networks.
  // The filter is for all networks that leave by the node.
  if ('node' in anchor || 'way' in anchor) return false;
  if ('networkAddress' in anchor) return networkAddresses.has(anchor.networkAddress);
  return anchor.patchPort === undefined ? bridges.has(anchor.bridge) : ports.has(anchor.patchPort);
}

/**
 * Returns whether a flow that names no patch port is one of the uplink of other networks alone, and so stays or goes with these: the flows of their ports
 * tell that it is, and those of the ports of held networks, all of which tell their uplinks, that it is not one of theirs.
 */
function isOfOtherUplinks({ dataplane: { kept } }: NodePlan, node: NodeSnapshot): (found: BridgeFlow) => boolean {
  const keptPorts = new Set(kept.flatMap(({ patchPorts }) => patchPorts));
  const atPorts = portFlows(node);
  const flowsOf = flowsOfNetworks(kept, node);
  return (found) => {
    const ofOthers = [...(atPorts.get(found.bridge) ?? [])].filter(([port]) => !keptPorts.has(port));
    const marks = ofOthers.flatMap(([, flows]) => uplinkMarks(flows) ?? []);
    return !serving(flowsOf(found.bridge))(found) && marks.some((each) => isOfUplink(each, found));
  };
}

/** The names of the chassis that stay on a node: a port of another node is there as long as its chassis. */
function stayingChassis({ desired, stays }: NodePlan['dataplane'], { chassis }: NodeSnapshot): ReadonlySet<string> {
  const entities = [...desired, ...stays].map(({ entity }) => entity);
  return new Set([
    ...entities.flatMap((entity) => (entity.kind === 'remote-chassis' ? [entity.chassis.name] : [])),
    ...chassis.flatMap(({ name, node }) => (node === undefined ? [name] : [])),
  ]);
}

/**
 * Returns what held networks have on a node, as sorted lines by kind of entity.
 *
 * @param before the node that the plan was made for: where they are follows from it
 */
export function programmedForHeld(
  names: HeldNames,
  plan: NodePlan,
  before: NodeSnapshot,
): (node: NodeSnapshot) => Readonly<Record<string, readonly string[]>> {
  const places = placesOfHeld(names, plan, before);
  const isOfOthers = isOfOtherUplinks(plan, before);
  // The uplink of a network may be held, and not the network itself.
  const ofProvidedNetworks = new Set(
    plan.dataplane.desired
      .filter(({ owners }) => owners.some((owner) => owner.kind === 'network' && owner.part === 'network'))
      .map(({ entity }) => entityKey(entity)),
  );
  // Before a node says that it reports, it has nothing of other nodes.
  const isRegistering = plan.registration?.report === undefined;
  const chassis = stayingChassis(plan.dataplane, before);
  return (node) =>
    Object.fromEntries(
      allKinds.map((kind) => {
        // A setting of a port has no owner; on their ports it is theirs.
        const ofPorts = kind.all(node).filter((entity) => !isOurs(entity, node) && 'patchPort' in kind.anchor(entity));
        const found = [...ownOf(kind, node), ...ofPorts].filter(
          (entity) =>
            !ofProvidedNetworks.has(entityKey(entity)) &&
            !(entity.kind === 'remote-port' && (isRegistering || !chassis.has(entity.chassis))) &&
            isAt(kind.anchor(entity), places, names) &&
            !(entity.kind === 'flow' && patchPortsIn(entity.flow).length === 0 && isOfOthers(entity.flow)),
        );
        return [kind.kind, found.map((entity) => entityText(kind, entity, node)).sort(byName)] as const;
      }),
    );
}
