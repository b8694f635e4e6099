/**
 * Decides everything about one node: what each uplink is there, which networks it carries, and why some are not programmed.
 */
import { restored, restoredBeside, withSettledLedger } from '../entities/ownership/restored.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import { tunnelsOnNode } from './networks/tunnels-on-node.ts';
import { zonesOnNode } from './networks/zones-on-node.ts';
import { nodeDataplane } from './node-dataplane.ts';
import { nodeInput } from './node-input.ts';
import type { NodePlan } from './node-plan.ts';
import { nodeRegistration } from './registration/node-registration.ts';
import { heldEntities } from './retained/held-entities.ts';
import { heldNetworks } from './retained/held-networks.ts';
import { stayingMembersOf } from './retained/staying-members.ts';
import { networksOnUplinks, uplinksOnNode } from './uplinks/uplinks-on-node.ts';
import { warningsOfNode } from './warnings/warnings-of-node.ts';

/** The plan of a node that the cluster does not have: the node as it is. */
function unknownNode({ nodeName }: NodeSnapshot): NodePlan {
  const message = 'the cluster has no such node; nothing is changed on it';
  const dataplane = { programmed: [], kept: [], desired: [], stays: [], isUnknown: true } as const;
  return { nodeName, uplinks: [], networks: [], dataplane, warnings: [{ object: `Node/${nodeName}`, message }] };
}

/** Plans one node, with the node as it will be once what awaits that is restored. */
function planned(
  cluster: ClusterSnapshot,
  node: NodeSnapshot,
  settings: NodeSettings,
  restoredNode: NodeSnapshot,
): NodePlan {
  const input = nodeInput(cluster, restoredNode, settings);
  if (input === undefined) return unknownNode(node);
  const uplinks = uplinksOnNode(input);
  const zones = zonesOnNode(input, (name) => uplinks.get(name)?.facts?.ipAddresses ?? []);
  const { networks, programmed, entities, kept } = networksOnUplinks(uplinks, zones, input);
  const settled = withSettledLedger(node);
  const isHeld = heldEntities(heldNetworks(zones, kept, input), settled, input.object);
  const dataplane = nodeDataplane(
    programmed,
    [...entities, ...tunnelsOnNode(zones, input, isHeld), ...zones.flatMap(({ desired }) => desired)],
    { kept, isHeld },
    settled,
  );
  const registration = nodeRegistration(zones, input);
  return {
    nodeName: node.nodeName,
    uplinks: [...uplinks.values()],
    networks: networks.map(({ onNode }) => onNode),
    ...(settings.providedNetworks !== 'none' && { zones: zones.map(({ onNode }) => onNode) }),
    ...(registration && { registration }),
    dataplane,
    warnings: warningsOfNode({ zones, networks, dataplane, node }, input),
  };
}

/**
 * Plans one node.
 *
 * @param cluster objects of the cluster; pods and states of other nodes are not read
 * @param node the present node, whose name is that of its Node object
 * @returns the plan; for a node that the cluster does not have, the node as it is. Never throws: an object that is not understood degrades only
 * itself.
 */
export function planNode(cluster: ClusterSnapshot, node: NodeSnapshot, settings: NodeSettings): NodePlan {
  const restoredNode = restored(node);
  const plan = planned(cluster, node, settings, restoredNode);
  // Which networks are held, so that default routes in the main table stay there, is known only now.
  const beside = restoredBeside(stayingMembersOf(plan.dataplane), node);
  return beside === restoredNode ? plan : planned(cluster, node, settings, beside);
}
