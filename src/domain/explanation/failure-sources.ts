/** The objects and files that show why a network failed. */
import type { NetworkFailure, Prerequisite } from '../network-readiness/network-check.ts';
import { routeText } from '../entities/route-words.ts';
import type { NetworkOnNode } from '../plan/node-plan.ts';
import { capturedFiles } from '../snapshot/captured-files.ts';
import type { NodeSnapshot } from '../snapshot/node-snapshot.ts';

/** Files of the routes of a family; of both families if it is unknown. */
function routeFiles(family: 4 | 6 | undefined): readonly string[] {
  const { routes4, routes6 } = capturedFiles;
  return family === undefined ? [routes4, routes6] : [family === 4 ? routes4 : routes6];
}

/** The file with the entity that a failure names. A route of the main table may be named by its future place: what is added comes last. */
function fileOfThing(text: string, { routes }: NodeSnapshot): readonly string[] {
  if (text.startsWith('next hop object')) return [capturedFiles.nextHopObjects];
  if (text.startsWith('neighbour')) return [capturedFiles.neighbours];
  const [, ruleFamily] = /^IPv([46]) rule/.exec(text) ?? [];
  if (ruleFamily !== undefined) return [ruleFamily === '4' ? capturedFiles.rules4 : capturedFiles.rules6];
  const route = routes.find((candidate) => text.startsWith(routeText(candidate)));
  return routeFiles(route?.family);
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
      return [
        `Node/${node.nodeName}`,
        ...('address' in by ? [capturedFiles.addresses] : routeFiles(by.lastDefaultRoute)),
      ];
    }
    case 'cannot-be-put-back':
      return fileOfThing(failure.thing, node);
    case 'in-the-way':
      return fileOfThing(failure.found, node);
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
      return [capturedFiles.addresses];
    case 'UplinkBridgeMappingFailed':
      return failure.cause === 'in-the-way' ? [capturedFiles.flows, capturedFiles.fdb] : [capturedFiles.switchDatabase];
    case 'GatewayRouterFailed':
      return [capturedFiles.northbound];
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
