import type { NetworkCheck } from './network-check.ts';

/** This version makes gateway routers of the network's topology. */
export const gatewayRouter: NetworkCheck = ({ unknownDatapath, node: { snapshot } }) =>
  snapshot.isNorthboundRead === true && unknownDatapath !== undefined && 'topology' in unknownDatapath
    ? { reason: 'GatewayRouterFailed', cause: 'unsupported-topology', topology: unknownDatapath.topology }
    : undefined;
