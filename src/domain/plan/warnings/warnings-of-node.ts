/** All warnings about one node, in order. */
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import type { PlannedNetwork } from '../parts/part.ts';
import type { NodeInput } from '../node-input.ts';
import type { NodePlan } from '../node-plan.ts';
import type { SettledNetworks } from '../settled-networks.ts';
import { sortedWarnings, type Warning } from '../view/warning.ts';
import { egressWarnings } from './egress-warnings.ts';
import { hiddenBesideWaysWarnings } from './hidden-beside-ways.ts';
import { hiddenHostsWarnings } from './hidden-hosts.ts';
import { narrowTunnelWarnings } from './narrow-tunnels.ts';
import { nodeWarnings } from './node-warnings.ts';

/** The decisions about a node that people are warned of. */
interface Decided {
  readonly provided: readonly PlannedNetwork[];
  readonly networks: SettledNetworks['networks'];
  readonly dataplane: NodePlan['dataplane'];
  /** The node as it is, before anything that awaits that is restored. */
  readonly node: NodeSnapshot;
}

/** The warnings about a node. */
export function warningsOfNode({ provided, networks, dataplane, node }: Decided, input: NodeInput): readonly Warning[] {
  const { view, object, node: restoredNode, settings } = input;
  const onNode = networks.map((network) => network.onNode);
  return sortedWarnings([
    ...nodeWarnings(object, { view, networks: onNode, dataplane, node, restoredNode, settings }),
    ...narrowTunnelWarnings(provided, node),
    ...egressWarnings(provided, node, settings),
    ...hiddenBesideWaysWarnings(provided, node, settings),
    ...hiddenHostsWarnings(networks, node.nodeName),
  ]);
}
