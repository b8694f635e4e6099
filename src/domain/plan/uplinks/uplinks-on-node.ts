/** The uplinks of a node, and the networks on each of them. */
import { by, distinct } from '../../basics/names/ordering.ts';
import { nameOfNetwork } from '../../network/key.ts';
import type { NodeInput } from '../node-input.ts';
import type { UplinkOnNode } from '../node-plan.ts';
import type { PlannedNetwork } from '../parts/part.ts';
import { type Candidate, candidate, defaultDomainAddresses } from './network-candidate.ts';
import { uplinkOnNode } from './uplink-on-node.ts';

/** The uplinks of a node by name: those that Uplinks select there, and those that cannot be read. */
export type UplinksOnNode = ReadonlyMap<string, UplinkOnNode>;

/** Finds the uplinks of a node. */
export function uplinksOnNode(input: NodeInput): UplinksOnNode {
  const { view } = input;
  return new Map(
    distinct([...view.uplinkNames, ...view.unreadable('uplinks')]).flatMap((name) => {
      const uplink = uplinkOnNode(input, name);
      return uplink === undefined ? [] : [[name, uplink] as const];
    }),
  );
}

/**
 * Decides about the networks on each of the uplinks, before they are compared with each other.
 *
 * @param provided the networks that ovn-uplinks provides on the node
 */
export function candidatesOn(
  uplinks: UplinksOnNode,
  provided: readonly PlannedNetwork[],
  input: NodeInput,
): readonly Candidate[] {
  const { view, object } = input;
  const active = view.networks.filter((network) => view.isActive(network, object.metadata.name));
  const defaultAddresses = defaultDomainAddresses(input, active, uplinks);
  const logicalNetworkOf = new Map(provided.map(({ onNode }) => [onNode.object, onNode]));
  return active
    .flatMap((network) =>
      distinct(network.uplinks).map((name) =>
        candidate(input, network, name, uplinks.get(name), defaultAddresses, logicalNetworkOf.get(network.key)),
      ),
    )
    .sort(by(({ network, uplinkName }) => `${nameOfNetwork(network.key)} ${uplinkName}`));
}
