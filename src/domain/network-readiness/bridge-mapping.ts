import type { NetworkCheck } from './network-check.ts';

/** No other program has mapped the network to another bridge, not even beside the right one: which of two mappings counts is undefined. */
export const bridgeMapping: NetworkCheck = ({ dataplane, node }) => {
  if (dataplane === undefined) return undefined;
  const { networkName, bridge } = dataplane;
  const found = node.foreignMappings(networkName).find((other) => other !== bridge);
  if (found === undefined) return undefined;
  return { reason: 'UplinkBridgeMappingFailed', cause: 'mapped-elsewhere', networkName, wanted: bridge, found };
};
