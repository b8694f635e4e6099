import type { DiscoveryInput } from '../../../../src/domain/discovery/discovery.ts';
import { viewNode } from '../../../../src/domain/snapshot/node-view.ts';
import type { Link } from '../../../../src/domain/snapshot/node-snapshot.ts';
import { type BriefLink, type BriefNode, completeNode } from '../../../../src/testing/index.ts';

/** The input of the checks: a node called `a`, of which `br-blue` is the host interface. */
export function discoveryInput(node: Omit<BriefNode, 'nodeName'>, input: Partial<DiscoveryInput> = {}): DiscoveryInput {
  return {
    node: viewNode(completeNode({ nodeName: 'a', ...node })),
    hostInterfaceName: 'br-blue',
    reservedBridges: new Map(),
    masqueradeSubnets: [],
    requiredMtu: { bytes: 1400 },
    publishedAddresses: [],
    ...input,
  };
}

/** The host interface of an input, as the first check finds it. */
export function hostLink({ node, hostInterfaceName }: DiscoveryInput): Link {
  const link = node.link(hostInterfaceName);
  if (link === undefined) throw new Error(`the node has no ${hostInterfaceName}`);
  return link;
}

/** One device, whole. */
export function completeLink(brief: Omit<BriefLink, 'name'> = {}): Link {
  return hostLink(discoveryInput({ links: [{ name: 'br-blue', ...brief }] }));
}
