/**
 * What pods do otherwise than the node's default routes say.
 */
import { unequalGatewaysOf } from '../discovery/default-gateways.ts';
import { distinct } from '../ordering.ts';
import { nameSample } from '../status/node-sample.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import type { NodeDataplane } from './node-dataplane.ts';

/** The warnings about the default routes of the uplinks that carry networks. */
export function gatewayMessages(node: NodeView, { programmed }: NodeDataplane): readonly string[] {
  return distinct(programmed.map(({ device }) => device)).flatMap((device) => {
    const link = node.link(device);
    if (link === undefined) return [];
    return unequalGatewaysOf(link, node).map((gateways) => {
      const weights = nameSample(gateways.map(({ address, weight }) => `${address} weight ${weight}`));
      return `the gateways of ${device} have different weights (${weights}), and routes of OVN have none: pods use each of them equally; give them equal weights, or make one a backup with a worse metric`;
    });
  });
}
