/**
 * Decides everything about one node: what each uplink is there, which networks it carries, and why some are not programmed.
 */
import { restored, restoredBeside, withSettledLedger } from '../entities/ownership/restored.ts';
import type { ClusterSnapshot } from '../snapshot/cluster-snapshot.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import { providedOnNode } from './networks/provided-on-node.ts';
import { nodeDataplane, stayingMembersOf } from './node-dataplane.ts';
import { type NodeInput, nodeInput } from './node-input.ts';
import type { NodePlan } from './node-plan.ts';
import type { Parts } from './parts/part.ts';
import { allParts } from './parts/parts.ts';
import { nodeRegistration } from './registration/node-registration.ts';
import { heldEntities } from './retained/held-entities.ts';
import { settledNetworks } from './settled-networks.ts';
import { candidatesOn, uplinksOnNode } from './uplinks/uplinks-on-node.ts';
import { warningsOfNode } from './warnings/warnings-of-node.ts';

const noAddresses: readonly string[] = [];

/** The plan of a node that the cluster does not have: the node as it is. */
function unknownNode({ nodeName }: NodeSnapshot): NodePlan {
  const message = 'the cluster has no such node; nothing is changed on it';
  const dataplane = { programmed: [], kept: [], desired: [], stays: [], isUnknown: true } as const;
  return { nodeName, uplinks: [], networks: [], dataplane, warnings: [{ object: `Node/${nodeName}`, message }] };
}

/**
 * Plans one node.
 *
 * @param input of the decisions, with the node as it will be once what awaits that is restored
 * @param node as it is
 */
function planned(input: NodeInput, node: NodeSnapshot): NodePlan {
  const { parts, settings, object } = input;
  const uplinks = uplinksOnNode(input);
  const provided = providedOnNode(input, (name) => uplinks.get(name)?.facts?.ipAddresses ?? noAddresses);
  const { networks, programmed, shared, held } = settledNetworks(
    provided,
    candidatesOn(uplinks, provided, input),
    input,
  );
  const settled = withSettledLedger(node);
  const isHeld = heldEntities(held, settled, object);
  const logicalNetworks = provided.filter(({ onNode }) => onNode.failure === undefined);
  const enslaved = new Set(programmed.filter(({ vrf }) => vrf.enslaves).map(({ device }) => device));
  const settledInput = { ...input, enslaved };
  const ofLogicalNetworks = parts.network.flatMap((part) => part.shared?.(logicalNetworks, settledInput, isHeld) ?? []);
  const dataplane = nodeDataplane(
    { logicalNetworks, programmed, shared: [...shared, ...ofLogicalNetworks] },
    { kept: held.onUplinks, isHeld },
    settled,
  );
  const registration = nodeRegistration(provided, input);
  return {
    nodeName: node.nodeName,
    uplinks: [...uplinks.values()],
    networks: networks.map(({ onNode }) => onNode),
    ...(settings.providedNetworks !== 'none' && { zones: provided.map(({ onNode }) => onNode) }),
    ...(registration && { registration }),
    dataplane,
    warnings: warningsOfNode({ provided, networks, dataplane, node }, input),
  };
}

/**
 * Plans one node.
 *
 * @param cluster objects of the cluster; pods and states of other nodes are not read
 * @param node the present node, whose name is that of its Node object
 * @param parts those that networks are made of: all of them, but for tests; reasons are those of all of them
 * @returns the plan; for a node that the cluster does not have, the node as it is. Never throws: an object that is not understood degrades only
 * itself.
 */
export function planNode(
  cluster: ClusterSnapshot,
  node: NodeSnapshot,
  settings: NodeSettings,
  parts: Parts = allParts,
): NodePlan {
  const planWith = (restoredNode: NodeSnapshot) => {
    const input = nodeInput(cluster, restoredNode, settings, parts);
    return input === undefined ? unknownNode(node) : planned(input, node);
  };
  const restoredNode = restored(node);
  const plan = planWith(restoredNode);
  // Which networks are held, so that default routes in the main table stay there, is known only now.
  const beside = restoredBeside(stayingMembersOf(plan.dataplane), node);
  return beside === restoredNode ? plan : planWith(beside);
}
