/** The objects and files that show why a network failed. */
import type { EgressFailure } from '../dataplane/egress/egress-failure.ts';
import type { LogicalNetworkFailure } from '../dataplane/logical-network/logical-network-failure.ts';
import { type Entity, kindOf } from '../entities/entity-kinds.ts';
import type { NetworkFailure, Prerequisite } from '../network-readiness/network-check.ts';
import { distinct } from '../basics/names/ordering.ts';
import type { NetworkOnNode } from '../plan/node-plan.ts';
import type { UsedSubnet } from '../network/provision/used-subnets.ts';
import { capturedFiles } from '../snapshot/captured-files.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

function filesOf(entity: Entity): readonly string[] {
  return kindOf<Entity>(entity).capturedIn(entity);
}

/** The object or the file with a subnet in use; none for one of the network itself, of settings or of a convention. */
function sourcesOf({ use, of = '' }: UsedSubnet): readonly string[] {
  switch (use) {
    case 'node':
    case 'default-network':
      return [`Node/${of}`];
    case 'uplink':
      return [capturedFiles.addresses];
    case 'pods':
    case 'join':
    case 'transit':
    case 'masquerade':
    case 'services':
    case 'cluster':
    case 'default-network-join':
      return [];
  }
}

/** Objects and files that show why a network that ovn-uplinks provides is not programmed. */
export function logicalNetworkSources(failure: LogicalNetworkFailure): readonly string[] {
  switch (failure.cause) {
    case 'unsupported':
    case 'no-network-id':
      return [];
    case 'subnets-overlap':
      return sourcesOf(failure.usedTwice.other);
    case 'not-reported':
      return [failure.report];
    case 'no-node-id':
    case 'exhausted':
      return [`Node/${failure.node}`];
    case 'equal-names':
    case 'equal-vrfs':
      return failure.networks;
    case 'no-bridge':
      return [capturedFiles.switchDatabase];
    case 'no-ipv6':
      return [capturedFiles.sysctls];
    case 'vrf':
      return [capturedFiles.links];
    case 'in-the-way':
      return filesOf(failure.conflict.found);
  }
}

/** Objects and files that show why a network does not get out by a node. */
export function egressSources(failure: EgressFailure, node: string): readonly string[] {
  switch (failure.cause) {
    case 'cluster-subnets-unknown':
      return [`Node/${node}`];
    case 'no-chassis':
      return [capturedFiles.switchDatabase];
    case 'forwarding-disabled':
      return [capturedFiles.sysctls];
    case 'no-default-route':
      return [failure.family === 4 ? capturedFiles.routes4 : capturedFiles.routes6];
  }
}

function prerequisiteSources(missing: Prerequisite): readonly string[] {
  switch (missing.kind) {
    case 'device':
      return [capturedFiles.links];
    case 'node-id':
    case 'pod-subnets':
      return [`Node/${missing.node}`];
    case 'row':
      return [capturedFiles.northbound];
    case 'logical-network':
      return logicalNetworkSources(missing.failure);
    case 'unreadable':
      return [missing.object];
  }
}

function vrfSources(
  failure: NetworkFailure & { readonly reason: 'UplinkVRFAttachmentFailed' },
  node: NodeSnapshot,
): readonly string[] {
  switch (failure.cause) {
    case 'name-refused':
      return [];
    case 'missing':
    case 'other-device':
    case 'other-table':
    case 'table-taken':
    case 'takes-up':
      return [capturedFiles.links];
    // Only the ledger records who changed it.
    case 'occupied':
    case 'other-master':
      return [capturedFiles.links, capturedFiles.ledger];
    case 'cuts-node-off': {
      const { by } = failure;
      const routes = { 4: capturedFiles.routes4, 6: capturedFiles.routes6 };
      return [`Node/${node.nodeName}`, 'address' in by ? capturedFiles.addresses : routes[by.lastDefaultRoute]];
    }
    case 'cuts-tunnels':
      return [capturedFiles.addresses, capturedFiles.switchDatabase];
    case 'cannot-be-put-back':
      return filesOf(failure.entity);
    case 'in-the-way':
      return filesOf(failure.found);
  }
}

function overlapSources(
  failure: NetworkFailure & { readonly reason: 'SubnetsOverlap' },
  { nodeName }: NodeSnapshot,
): readonly string[] {
  switch (failure.cause) {
    case 'used-twice':
      return sourcesOf(failure.usedTwice.other);
    case 'advertised': {
      const others = failure.overlaps.map(({ other }) => other.network);
      return [`Node/${nodeName}`, ...distinct(others)];
    }
  }
}

/** Objects and files that show why a network is not ready; none if earlier facts do. */
export function failureSources(failure: NonNullable<NetworkOnNode['failure']>, node: NodeSnapshot): readonly string[] {
  switch (failure.reason) {
    case 'PrerequisiteMissing':
      return prerequisiteSources(failure.missing);
    case 'UplinkVRFAttachmentFailed':
      return vrfSources(failure, node);
    case 'AddressFamilyMissing':
      return [capturedFiles.addresses, ...(failure.noIpv6 === true ? [capturedFiles.sysctls] : [])];
    case 'SubnetsOverlap':
      return overlapSources(failure, node);
    case 'UplinkBridgeMappingFailed':
    case 'GatewayRouterFailed':
      return filesOf(failure.found);
    case 'NetworkNotAllocated':
    case 'UplinkConfigurationConflict':
    case 'UplinkNotFound':
    case 'UplinkNotFoundForNode':
    case 'UplinkNotReadyForNode':
    case 'UplinkOverlapOnNode':
    case 'UplinkUnsupportedGatewayMode':
    case 'UplinkUnsupportedTransport':
      return [];
  }
}
