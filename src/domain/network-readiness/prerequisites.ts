import type { NetworkDataplane } from '../dataplane/network-dataplane.ts';
import { rowsByKey } from '../datapath/ovsdb/row-transaction.ts';
import { rowKey } from '../datapath/northbound/row.ts';
import { managementPort } from '../routing-domain/network-vrf.ts';
import { managementPortName } from '../network/names/management-port.ts';
import type { NetworkCheck, NetworkCheckInput, Prerequisite } from './network-check.ts';

/** The first missing row of OVN-Kubernetes that a row of the network would be part of. */
function missingRow({ entities }: NetworkDataplane, { node }: NetworkCheckInput): Prerequisite | undefined {
  const found = rowsByKey(node.snapshot.northbound);
  const rows = entities.flatMap((entity) => (entity.kind === 'northbound-row' ? [entity.row] : []));
  const own = new Set(rows.map(rowKey));
  const missing = rows
    .flatMap(({ parents = [] }) => parents)
    .find((parent) => !own.has(rowKey(parent)) && !found.has(rowKey(parent)));
  return missing && { kind: 'row', table: missing.table, name: missing.name };
}

/** Rows that OVN lacks for the network. If its Northbound database was not read, nothing counts as missing. */
function missingInOvn(input: NetworkCheckInput): Prerequisite | undefined {
  const { network, unknownDatapath, dataplane, node } = input;
  const { isNorthboundRead, nodeName } = node.snapshot;
  if (isNorthboundRead !== true) return undefined;
  const annotation =
    unknownDatapath !== undefined && 'annotation' in unknownDatapath ? unknownDatapath.annotation : undefined;
  switch (annotation) {
    case 'node-id':
      return { kind: 'node-id', node: nodeName };
    case 'node-subnets':
      return { kind: 'pod-subnets', node: nodeName, networkName: network.networkName };
    case undefined:
      return dataplane?.datapath && missingRow(dataplane, input);
  }
}

/** Checks that what decides its routing domain can be read, and that the network itself is there: OVN-Kubernetes has created it, or ovn-uplinks provides it (docs/design/ownership.md, "What is whose"). */
export const prerequisites: NetworkCheck = (input) => {
  const { networkId, logicalNetwork, node, unreadable } = input;
  if (unreadable !== undefined) {
    return { reason: 'PrerequisiteMissing', missing: { kind: 'unreadable', object: unreadable } };
  }
  if (logicalNetwork !== undefined) {
    return (
      logicalNetwork.failure && {
        reason: 'PrerequisiteMissing',
        missing: { kind: 'logical-network', failure: logicalNetwork.failure },
      }
    );
  }
  if (networkId === undefined) return undefined;
  const device: Prerequisite = { kind: 'device', device: managementPortName(networkId) };
  const missing = managementPort(networkId, node) === undefined ? device : missingInOvn(input);
  return missing && { reason: 'PrerequisiteMissing', missing };
};
