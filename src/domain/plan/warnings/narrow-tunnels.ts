/** Warnings about networks whose packets do not fit through the tunnels of a node. */
import { by } from '../../basics/names/ordering.ts';
import type { NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { tunnelMtuOf } from '../../snapshot/tunnel-mtu.ts';
import { nameSample } from '../../status/node-sample.ts';
import type { Warning } from '../view/warning.ts';
import type { PlannedNetwork } from '../parts/part.ts';

/** At most one warning, about all networks that other nodes have too. */
export function narrowTunnelWarnings(provided: readonly PlannedNetwork[], node: NodeSnapshot): readonly Warning[] {
  const tunnels = tunnelMtuOf(node);
  if (tunnels === undefined) return [];
  const { bytes, device, deviceMtu } = tunnels;
  const affected = provided.filter(({ others, mtu }) => others.length > 0 && mtu > bytes);
  if (affected.length === 0) return [];
  const needed = Math.max(...affected.map(({ mtu }) => mtu)) + deviceMtu - bytes;
  const networks = affected
    .toSorted(by(({ onNode }) => onNode.object))
    .map(({ onNode, mtu }) => `${onNode.object} (MTU ${mtu})`);
  const message = `packets of pods do not fit through the tunnels to other nodes: ${device} has MTU ${deviceMtu}, which leaves ${bytes} bytes for those of ${nameSample(networks)}; recreate the networks with a smaller mtu, or raise that of ${device} to ${needed}`;
  return [{ object: `Node/${node.nodeName}`, message, seenOnNode: true }];
}
