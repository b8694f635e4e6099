import { internalIpsOf, type Node } from '../../domain/api/node.ts';
import { MAIN_TABLE } from '../../domain/basics/conventions.ts';
import { familyOf } from '../../domain/basics/addresses/ip-address.ts';
import type { NodeSnapshot } from '../../domain/index.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import type { CaseLabels } from './labels.ts';
import { assertLaw } from './violation.ts';

const law = 'reachable';

/** Whether a node has a default route or both halves of one, by a device that is not down and not in a VRF. */
function hasDefaultRoute({ routes, links }: NodeSnapshot, family: 4 | 6): boolean {
  const vrfs = new Set(links.filter(({ kind }) => kind === 'vrf').map(({ name }) => name));
  const elsewhere = new Set(links.flatMap(({ name, master }) => (vrfs.has(master ?? name) ? [name] : [])));
  const leadsOut = (wanted: string): boolean =>
    routes.some(
      ({ table, destination, type, source, typeOfService, nextHops }) =>
        table === MAIN_TABLE &&
        type === 'unicast' &&
        destination === wanted &&
        source === undefined &&
        typeOfService === undefined &&
        nextHops.some(({ device = '', down }) => down === undefined && !elsewhere.has(device)),
    );
  return family === 4
    ? leadsOut('0.0.0.0/0') || (leadsOut('0.0.0.0/1') && leadsOut('128.0.0.0/1'))
    : leadsOut('::/0') || (leadsOut('::/1') && leadsOut('8000::/1'));
}

/** The master of the interface that has an address, or `none`; absent where the node does not have the address. */
function masterOfBearer({ links }: NodeSnapshot, ip: string): string | undefined {
  const bearer = links.find(({ addresses }) => addresses.some(({ address }) => address === ip));
  return bearer && (bearer.master ?? 'none');
}

function checkNode(object: Node, before: NodeSnapshot, after: NodeSnapshot): CaseLabels {
  const internalIps = internalIpsOf(object);
  for (const ip of internalIps) {
    const [master, masterAfter] = [masterOfBearer(before, ip), masterOfBearer(after, ip)];
    assertLaw(
      law,
      master !== 'none' || masterAfter === 'none',
      () => `InternalIP ${ip} of ${before.nodeName} is in ${masterAfter ?? 'nothing'}`,
    );
  }
  const families = new Set(internalIps.flatMap((ip) => familyOf(ip) ?? []));
  for (const family of families) {
    assertLaw(
      law,
      !hasDefaultRoute(before, family) || hasDefaultRoute(after, family),
      () => `${before.nodeName} lost the last IPv${family} default route of its main table`,
    );
  }
  return [
    ...(internalIps.some((ip) => masterOfBearer(before, ip) === 'none') ? ['InternalIP'] : []),
    ...([...families].some((family) => hasDefaultRoute(before, family)) ? ['default route'] : []),
  ];
}

/**
 * No plan takes a node's InternalIP, or its last default route of the family of one, out of the default VRF (docs/design/enslaving.md,
 * "Never cut the node off").
 */
export function checkReachable(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  return nodes.flatMap((found) => {
    const object = cluster.nodes.find(({ metadata }) => metadata.name === found.nodeName);
    const { node, operations } = converge(engine, law, { cluster, settings }, found);
    if (object !== undefined) return checkNode(object, found, node);
    // Without its object the InternalIPs are not known.
    assertLaw(law, operations.length === 0, () => `${found.nodeName} is not in the cluster, and is changed`);
    return ['unknown node'];
  });
}
