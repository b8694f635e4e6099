import { foreignMappings } from '../dataplane/bridge-mappings.ts';
import type { NetworkCheck } from './network-check.ts';

/** Nobody else has mapped the network to another bridge. */
export const bridgeMapping: NetworkCheck = ({ dataplane, node }) => {
  if (dataplane === undefined) return undefined;
  const { networkName, bridge } = dataplane;
  const found = foreignMappings(node.snapshot.switchExternalIds).get(networkName);
  if (found === undefined || found === bridge) return undefined;
  return { reason: 'UplinkBridgeMappingFailed', networkName, wanted: bridge, found };
};
