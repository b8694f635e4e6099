/**
 * Facts of a captured node: interface, bridge, addresses, and why a network is not programmed.
 */
import type { NetworkOnNode, NodePlan, UplinkOnNode } from '../plan/node-plan.ts';
import { networkMessage } from '../plan/node-status.ts';
import { capturedFiles } from '../snapshot/captured-files.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import { nameSample } from '../status/node-sample.ts';
import { discoverySentence } from '../status/ready.ts';
import type { Fact } from './explanation.ts';
import { failureSources } from './failure-sources.ts';

/** How the interface is connected to the bridge. */
function bridgeText(hostInterfaceName: string, bridge: string, node: NodeSnapshot): string {
  if (hostInterfaceName === bridge) return `${hostInterfaceName} is LOCAL of bridge ${bridge}`;
  const port = node.bridges
    .find(({ name }) => name === bridge)
    ?.ports.find(({ interfaces }) => interfaces.some(({ name }) => name === hostInterfaceName));
  if (port === undefined) return `a representor of ${hostInterfaceName} is a port of bridge ${bridge}`;
  const { tag, vlanMode, trunks } = port;
  const settings = [
    ...(vlanMode === undefined ? [] : [`vlan_mode ${vlanMode}`]),
    ...(tag === undefined ? [] : [`VLAN ${tag}`]),
    ...(trunks === undefined ? [] : [`trunks ${trunks.join(' ')}`]),
  ];
  return [`${hostInterfaceName} is a port of bridge ${bridge}`, ...settings].join(', ');
}

/** Facts of discovery about an uplink on the node, up to the check that failed. */
export function discoveryFacts(
  { hostInterfaceName = '', facts, unusable }: UplinkOnNode,
  node: NodeSnapshot,
): readonly Fact[] {
  if (facts === undefined) return [];
  const { bridge, physicalPort, ipAddresses, defaultGateways = [] } = facts;
  const found: Fact[] = [];
  if (ipAddresses !== undefined) {
    const via = defaultGateways.length === 0 ? 'no default gateway' : `gateways ${defaultGateways.join(', ')}`;
    found.push({
      depth: 1,
      text: `addresses ${ipAddresses.join(', ')}; ${via}`,
      sources: [capturedFiles.addresses, capturedFiles.routes4, capturedFiles.routes6],
    });
  }
  if (bridge !== undefined) {
    const out = physicalPort === undefined ? '' : `, physical port ${physicalPort}`;
    found.push({
      depth: 1,
      text: bridgeText(hostInterfaceName, bridge, node) + out,
      sources: [capturedFiles.links, capturedFiles.switchDatabase],
    });
  }
  if (unusable?.cause === 'discovery') {
    const { failure } = unusable;
    const text = `${failure.reason}: ${discoverySentence(failure, hostInterfaceName)}`;
    found.push({ depth: 1, text, sources: sourcesOf[failure.reason] });
  }
  return found;
}

const sourcesOf = {
  HostInterfaceNotFound: [capturedFiles.links],
  GatewayInfoUnavailable: [capturedFiles.links, capturedFiles.addresses],
  BridgeNotFound: [capturedFiles.switchDatabase],
  BridgeInvalid: [capturedFiles.switchDatabase, capturedFiles.links],
  MTUInvalid: [capturedFiles.links],
} as const;

/** Other networks on the network's bridge. */
export function neighbourFacts({ key, bridge }: NetworkOnNode, { networks }: NodePlan): readonly Fact[] {
  if (bridge === undefined) return [];
  const others = networks.filter((other) => other.bridge === bridge && other.key !== key);
  if (others.length === 0) return [{ depth: 0, text: `alone on bridge ${bridge}`, sources: [] }];
  const names = others.map((other) => `${other.network} (${other.vrf === undefined ? 'default' : `VRF ${other.vrf}`})`);
  return [
    {
      depth: 0,
      text: `shares bridge ${bridge} with ${nameSample(names)}`,
      sources: others.slice(0, 3).map((other) => other.key),
    },
  ];
}

/** Why the network is not programmed. */
export function failureFacts(row: NetworkOnNode, plan: NodePlan, node: NodeSnapshot): readonly Fact[] {
  const { failure, held } = row;
  if (failure === undefined) return [];
  return [
    { depth: 0, text: `${failure.reason}: ${networkMessage(row, plan)}`, sources: failureSources(failure, node) },
    ...(held ? [{ depth: 1, text: 'held: what is programmed stays as it is', sources: [] }] : []),
  ];
}
