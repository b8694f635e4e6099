import { internalIpsOf, type Node } from '../../domain/api/node.ts';
import { MAIN_TABLE } from '../../domain/conventions.ts';
import { familyOf } from '../../domain/ip-address.ts';
import type { NodeSnapshot } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import { demand } from './violation.ts';

const law = 'reachable: a node keeps its addresses and a way out';

function hasDefaultRoute({ routes }: NodeSnapshot, family: 4 | 6): boolean {
  return routes.some(
    ({ table, destination, type, source, typeOfService }) =>
      table === MAIN_TABLE &&
      type === 'unicast' &&
      destination === (family === 4 ? '0.0.0.0/0' : '::/0') &&
      source === undefined &&
      typeOfService === undefined,
  );
}

/** What the interface that bears an address is a slave of; nothing where the node does not have the address. */
function masterOfBearer({ links }: NodeSnapshot, ip: string): string | undefined {
  const bearer = links.find(({ addresses }) => addresses.some(({ address }) => address === ip));
  return bearer && (bearer.master ?? 'none');
}

function checkNode(object: Node, before: NodeSnapshot, after: NodeSnapshot): void {
  const internalIps = internalIpsOf(object);
  for (const ip of internalIps) {
    const [master, masterAfter] = [masterOfBearer(before, ip), masterOfBearer(after, ip)];
    demand(
      law,
      master !== 'none' || masterAfter === 'none',
      () => `InternalIP ${ip} of ${before.nodeName} went into ${masterAfter ?? 'nothing'}`,
    );
  }
  for (const family of new Set(internalIps.flatMap((ip) => familyOf(ip) ?? []))) {
    demand(
      law,
      !hasDefaultRoute(before, family) || hasDefaultRoute(after, family),
      () => `${before.nodeName} lost the last IPv${family} default route of its main table`,
    );
  }
}

/**
 * No plan takes a node's InternalIP, or its last default route of the family of one, out of the default VRF. (docs/design/enslaving.md,
 * "Never cut the node off")
 */
export function checkReachable({ cluster, nodes, settings }: Case): void {
  for (const found of nodes) {
    const object = cluster.nodes.find(({ metadata }) => metadata.name === found.nodeName);
    if (object !== undefined) checkNode(object, found, converge(law, cluster, found, settings).node);
  }
}
