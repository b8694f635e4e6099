import { managementPort } from '../routing-domain/network-vrf.ts';
import { managementPortName } from '../routing-domain/vrf-name.ts';
import type { NetworkCheck } from './network-check.ts';

/** What the node's own OVN-Kubernetes provides is there: the network's management port (docs/design/ownership.md, "What is whose"). */
export const prerequisites: NetworkCheck = ({ networkId, node }) => {
  if (networkId === undefined) return undefined;
  const isThere = managementPort(networkId, node) !== undefined;
  return isThere ? undefined : { reason: 'PrerequisiteMissing', device: managementPortName(networkId) };
};
