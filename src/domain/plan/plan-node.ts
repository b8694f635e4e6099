/**
 * Decides everything about one node: what each uplink is there, which networks it carries, and what stands in their way.
 */
import type { ClusterUserDefinedNetwork } from '../api/cluster-user-defined-network.ts';
import { internalIpsOf, type Node } from '../api/node.ts';
import { type Addressing, addressingOf } from '../dataplane/addressing.ts';
import { ownMappings } from '../dataplane/bridge-mappings.ts';
import { keptNetwork } from '../dataplane/kept-network.ts';
import { dataplaneOf, type NetworkDataplane } from '../dataplane/network-dataplane.ts';
import type { DiscoveryInput, ReservedBridgeRole } from '../discovery/discovery.ts';
import { type NodeView, viewNode } from '../discovery/node-view.ts';
import { discover } from '../discovery/ready-checks.ts';
import type { NetworkCheckInput } from '../network-readiness/network-check.ts';
import { networkFailure } from '../network-readiness/network-checks.ts';
import { by, distinct } from '../ordering.ts';
import { restored } from '../ownership/restored.ts';
import { effectiveOn } from '../routing-domain/advertisement.ts';
import { conflictsAmong } from '../routing-domain/conflict.ts';
import { isHeld } from '../routing-domain/held.ts';
import { type RoutingDomainDecision, routingDomain, vrfOf } from '../routing-domain/routing-domain.ts';
import { ownVrfName } from '../routing-domain/vrf-name.ts';
import { familiesOf, networkNameOf, ownMtuOf, unsupported, uplinksOf } from '../selection/network.ts';
import { selectOnNode } from '../selection/node-config.ts';
import { isKnownType } from '../selection/trusted-state.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import { type ClusterView, viewCluster } from './cluster-view.ts';
import type { NetworkOnNode, NodeDataplane, NodePlan, NotCarried, UplinkOnNode } from './node-plan.ts';
import { nodeWarnings } from './node-warnings.ts';
import { reservedBridges } from './reserved-bridges.ts';
import { sortedWarnings } from './warning.ts';

/** Everything that the decisions about one node are made from. */
interface Scene {
  readonly view: ClusterView;
  readonly object: Node;
  readonly node: NodeView;
  readonly reservedBridges: ReadonlyMap<string, ReservedBridgeRole>;
  readonly settings: NodeSettings;
  readonly addressing: Addressing;
}

function networksActiveOn({ view, object }: Scene, uplink: string): readonly ClusterUserDefinedNetwork[] {
  return view
    .networksOn(uplink)
    .filter(
      (network) => unsupported(network, view.settings) === undefined && view.isActive(network, object.metadata.name),
    );
}

/** The widest network decides, by name where several are as wide; with none on the uplink it is the default network's MTU. */
function requiredMtu(
  networks: readonly ClusterUserDefinedNetwork[],
  { settings }: Scene,
): DiscoveryInput['requiredMtu'] {
  const [widest] = networks
    .map((network) => ({ bytes: ownMtuOf(network) ?? settings.defaultNetworkMtu, network: network.metadata.name }))
    .sort((left, right) => right.bytes - left.bytes || by(({ network }: typeof left) => network)(left, right));
  return widest ?? { bytes: settings.defaultNetworkMtu };
}

function discoveryInput(scene: Scene, uplink: string, hostInterfaceName: string): DiscoveryInput {
  const { view, object, node, settings } = scene;
  return {
    node,
    hostInterfaceName,
    reservedBridges: scene.reservedBridges,
    masqueradeSubnets: settings.masqueradeSubnets,
    requiredMtu: requiredMtu(networksActiveOn(scene, uplink), scene),
    publishedAddresses: view.state(uplink, object.metadata.name)?.status?.ipAddresses ?? [],
  };
}

function uplinkOnNode(scene: Scene, name: string): UplinkOnNode | undefined {
  const table = scene.view.table(name);
  if (table === undefined) return undefined;
  const { uid } = table.uplink.metadata;
  const stateNameTaken = scene.view.isStateNameTaken(name, scene.object.metadata.name);
  const identity = { uplink: name, ...(uid !== undefined && { uid }), stateNameTaken };
  const selection = selectOnNode(table, scene.object);
  switch (selection.kind) {
    case 'none':
      return undefined;
    case 'overlap':
      return { ...identity, unusable: { cause: 'overlap', hostInterfaceNames: selection.hostInterfaceNames } };
    case 'unclear':
      return { ...identity, unusable: { cause: 'unclear-selector', problem: selection.problem } };
    case 'selected': {
      const { type, hostInterfaceName } = selection.config;
      if (!isKnownType(type)) return { ...identity, hostInterfaceName, unusable: { cause: 'unknown-type', type } };
      const { facts, failure } = discover(discoveryInput(scene, name, hostInterfaceName));
      return { ...identity, hostInterfaceName, facts, ...(failure && { unusable: { cause: 'discovery', failure } }) };
    }
  }
}

/** A network on one of its uplinks, with everything but the conflicts that it may be in. */
interface Candidate {
  readonly network: ClusterUserDefinedNetwork;
  readonly uplinkName: string;
  readonly uplink: UplinkOnNode | undefined;
  readonly notCarried: NotCarried | undefined;
  readonly networkId: number | undefined;
  readonly ownVrf: string | undefined;
  readonly bridge: string | undefined;
  readonly decision: RoutingDomainDecision;
  /** What the node must have for it; absent where that cannot be told, or where it is not carried. */
  readonly dataplane: NetworkDataplane | undefined;
}

function wantedDataplane(
  { node, settings, addressing }: Scene,
  network: ClusterUserDefinedNetwork,
  uplink: UplinkOnNode | undefined,
  { networkId, ownVrf, domain }: Pick<NetworkCheckInput, 'networkId' | 'ownVrf' | 'domain'>,
): NetworkDataplane | undefined {
  const device = uplink?.hostInterfaceName;
  if (networkId === undefined || ownVrf === undefined || device === undefined) return undefined;
  return dataplaneOf({
    network: network.metadata.name,
    networkName: networkNameOf(network),
    networkId,
    families: familiesOf(network),
    mtu: ownMtuOf(network) ?? settings.defaultNetworkMtu,
    domain,
    ownVrf,
    device,
    bridge: uplink?.facts?.bridge,
    defaultGateways: uplink?.facts?.defaultGateways ?? [],
    node,
    addressing,
  });
}

function candidate(
  scene: Scene,
  network: ClusterUserDefinedNetwork,
  uplinkName: string,
  uplink: UplinkOnNode | undefined,
): Candidate {
  const { view, object, node } = scene;
  const networkId = view.networkId(network);
  const ownVrf = ownVrfName(network.metadata.name, networkId);
  const absent = view.table(uplinkName) === undefined ? 'UplinkNotFound' : 'UplinkNotFoundForNode';
  const notCarried = unsupported(network, view.settings) ?? (uplink === undefined ? { reason: absent } : undefined);
  const bridge = uplink?.facts?.bridge ?? ownMappings(node.snapshot.switchExternalIds).get(networkNameOf(network));
  const decision = routingDomain(effectiveOn(object, view.advertisements(network)), ownVrf);
  return {
    network,
    uplinkName,
    uplink,
    notCarried,
    networkId,
    ownVrf,
    bridge: notCarried === undefined ? bridge : undefined,
    decision,
    dataplane:
      notCarried === undefined
        ? wantedDataplane(scene, network, uplink, { networkId, ownVrf, domain: decision.domain })
        : undefined,
  };
}

/** A candidate and what was decided of it. */
interface Judged extends Candidate {
  readonly onNode: NetworkOnNode;
}

function judged(candidates: readonly Candidate[], { node, object }: Scene): readonly Judged[] {
  const internalIps = internalIpsOf(object);
  const conflicts = conflictsAmong(
    candidates
      .filter(({ notCarried }) => notCarried === undefined)
      .map(({ network, bridge, ownVrf, decision: { domain } }) => ({
        network: network.metadata.name,
        domain,
        ...(ownVrf !== undefined && { ownVrf }),
        ...(bridge !== undefined && { bridge }),
      })),
  );
  return candidates.map((candidate) => {
    const { network, uplinkName, uplink, notCarried, networkId, ownVrf, bridge, decision, dataplane } = candidate;
    const name = network.metadata.name;
    const ofNetwork = notCarried === undefined ? (conflicts.get(name) ?? []) : [];
    const { vlan, ipAddresses = [] } = uplink?.facts ?? {};
    const vrf = vrfOf(decision.domain);
    const usability = uplink?.unusable === undefined ? 'ready' : 'not-ready';
    const failure =
      notCarried ??
      networkFailure({
        network,
        networkId,
        ownVrf,
        domain: decision.domain,
        conflicts: ofNetwork,
        uplinkUnusable: uplink?.unusable,
        ipAddresses,
        dataplane,
        internalIps,
        node,
      });
    const onNode: NetworkOnNode = {
      network: name,
      uplink: uplinkName,
      ...(bridge !== undefined && { bridge }),
      ...(notCarried === undefined && vlan !== undefined && { vlan }),
      routingDomain: decision,
      ...(vrf !== undefined && { vrf }),
      held: isHeld({
        uplink: notCarried === undefined ? usability : 'not-selected',
        inConflict: ofNetwork.length > 0,
        waiting: failure !== undefined,
      }),
      ...(failure && { failure }),
    };
    return { ...candidate, onNode };
  });
}

function nodeDataplane(networks: readonly Judged[], { node }: Scene): NodeDataplane {
  return {
    programmed: networks.flatMap(({ onNode, dataplane }) =>
      onNode.failure === undefined && dataplane !== undefined ? [dataplane] : [],
    ),
    kept: networks
      .filter(({ onNode }) => onNode.held)
      .map(({ network, ownVrf, decision, uplink }) =>
        keptNetwork({
          network: network.metadata.name,
          networkName: networkNameOf(network),
          ownVrf,
          vrf: vrfOf(decision.domain),
          device: uplink?.hostInterfaceName,
          node,
        }),
      ),
  };
}

/**
 * Plans one node.
 *
 * @param cluster objects of the cluster; of other nodes' pods and states nothing is read.
 * @param node what the node looks like now; its name says which Node object it is.
 * @returns the plan; empty for a node that the cluster does not have. Never throws: an object that is not understood degrades itself alone.
 */
export function planNode(cluster: ClusterSnapshot, node: NodeSnapshot, settings: NodeSettings): NodePlan {
  const view = viewCluster(cluster, settings);
  const object = view.nodes.byName.get(node.nodeName);
  if (object === undefined) {
    const warning = {
      object: `Node/${node.nodeName}`,
      message: 'the cluster has no such node, so nothing is planned for it',
    };
    const dataplane = { programmed: [], kept: [] };
    return { nodeName: node.nodeName, uplinks: [], networks: [], dataplane, warnings: [warning] };
  }
  const scene: Scene = {
    view,
    object,
    node: viewNode(restored(node)),
    reservedBridges: reservedBridges(object, settings),
    settings,
    addressing: addressingOf(settings),
  };
  const uplinks = new Map(
    view.uplinkNames.flatMap((name) => {
      const uplink = uplinkOnNode(scene, name);
      return uplink === undefined ? [] : [[name, uplink] as const];
    }),
  );
  const candidates = view.networks
    .filter((network) => view.isActive(network, node.nodeName))
    .flatMap((network) =>
      distinct(uplinksOf(network)).map((name) => candidate(scene, network, name, uplinks.get(name))),
    )
    .sort(by(({ network, uplinkName }) => `${network.metadata.name} ${uplinkName}`));
  const outcome = judged(candidates, scene);
  const networks = outcome.map(({ onNode }) => onNode);
  const dataplane = nodeDataplane(outcome, scene);
  return {
    nodeName: node.nodeName,
    uplinks: [...uplinks.values()],
    networks,
    dataplane,
    warnings: sortedWarnings(
      nodeWarnings(object, { view, networks, dataplane, node, restoredNode: scene.node, settings }),
    ),
  };
}
