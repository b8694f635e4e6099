import type { NetworkCheck } from './network-check.ts';

/** Nobody else has mapped the network to another bridge. */
export const bridgeMapping: NetworkCheck = ({ dataplane, node }) => {
  if (dataplane === undefined) return undefined;
  const { networkName, bridge } = dataplane;
  const found = node.foreignMapping(networkName);
  if (found === undefined || found === bridge) return undefined;
  return { reason: 'UplinkBridgeMappingFailed', networkName, wanted: bridge, found };
};
