import type { NetworkCheck } from './network-check.ts';

/** Nobody else has mapped the network to another bridge, not even beside the right one: which of two counts nobody knows. */
export const bridgeMapping: NetworkCheck = ({ dataplane, node }) => {
  if (dataplane === undefined) return undefined;
  const { networkName, bridge } = dataplane;
  const found = node.foreignMappings(networkName).find((other) => other !== bridge);
  if (found === undefined) return undefined;
  return { reason: 'UplinkBridgeMappingFailed', networkName, wanted: bridge, found };
};
