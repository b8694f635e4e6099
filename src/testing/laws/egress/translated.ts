import {
  addressAt,
  isLinkLocal,
  subnetAt,
  subnetContains,
  withoutLength,
} from '../../../domain/basics/addresses/ip-address.ts';
import type { NodeSettings, NodeSnapshot } from '../../../domain/index.ts';
import { viewCluster } from '../../../domain/plan/view/cluster-view.ts';
import type { Case } from '../../case.ts';
import { converge } from '../../convergence.ts';
import type { Engine } from '../../engine.ts';
import { heldNames } from '../held-entities.ts';
import type { CaseLabels } from '../labels.ts';
import { assertLaw } from '../violation.ts';
import {
  isDroppedBy,
  type LeavingRouter,
  leavingRouters,
  type RoutedPacket,
  sourceBeyond,
  textIn,
} from './cluster-router.ts';
import { METADATA, outside } from './packet-filter.ts';

const law = 'translated';

/** A packet of a network that leaves as it must not, or does not although it must. */
interface Gap {
  readonly networkName: string;
  readonly what: string;
}

/** The number of a node that no generated cluster has so many of. */
const NOBODYS_NODE = 77;

/** An address of the subnets of a network that no pod has; undefined where routes lead to all of them. */
function unallocated({ own, rows, family }: LeavingRouter, subnets: readonly string[]): string | undefined {
  const routes = rows.flatMap(({ columns: { ip_prefix: prefix } }) =>
    typeof prefix === 'string' && !prefix.endsWith('/0') ? [prefix] : [],
  );
  return subnets
    .flatMap((cidr) => subnetAt(cidr, family === 4 ? 24 : 64, NOBODYS_NODE) ?? [])
    .flatMap((cidr) => addressAt(cidr, 7) ?? [])
    .find((address) => ![...own, ...routes].some((cidr) => subnetContains(cidr, address)));
}

/** Link-local addresses, by family: what is allowed among them is allowed by its own subnet. */
const linkLocal = { 4: [METADATA, '169.254.169.253'], 6: ['fe80::a9fe:a9fe'] } as const;

/** The packets of the network of a router for link-local addresses that leave as they must not, or do not although they must. */
function linkLocalGaps(
  router: LeavingRouter,
  leaving: RoutedPacket,
  { egressAllow }: Pick<NodeSettings, 'egressAllow'>,
): readonly string[] {
  const isOpened = (address: string) =>
    egressAllow.some((cidr) => isLinkLocal(withoutLength(cidr)) && subnetContains(cidr, address));
  return linkLocal[router.family].flatMap((destination) => {
    const packet = { ...leaving, destination };
    return [
      ...(isDroppedBy(router, packet) === isOpened(destination)
        ? [`${leaving.source} ${isOpened(destination) ? 'does not leave' : 'leaves'} for ${destination}`]
        : []),
      ...(isDroppedBy(router, { ...packet, inport: router.toOthers })
        ? []
        : [`a pod of another node leaves for ${destination}`]),
    ];
  });
}

/** The packets of the network of a router that leave as they must not, or do not although they must. */
function gapsOf(
  router: LeavingRouter,
  subnets: readonly string[],
  settings: Pick<NodeSettings, 'egressAllow' | 'masqueradeSubnets'>,
): string[] {
  const { family, own, toPods, toOthers } = router;
  const nobodys = unallocated(router, subnets);
  return own.flatMap((subnet) => {
    const pod = addressAt(subnet, 7) ?? '';
    const leaving = { inport: toPods, outport: toPods, source: pod, destination: outside[family] };
    const beyond = sourceBeyond(router, leaving);
    const ofOther = { ...leaving, inport: toOthers, source: nobodys ?? pod };
    const found: readonly (readonly [isFound: boolean, what: string])[] = [
      [isDroppedBy(router, leaving), `${pod} does not leave`],
      [!settings.masqueradeSubnets.some((cidr) => subnetContains(cidr, beyond)), `${pod} leaves as ${beyond}`],
      [!isDroppedBy(router, ofOther), `a pod of another node leaves from ${toOthers}`],
      [isDroppedBy(router, { ...ofOther, destination: pod }), `a pod of another node does not reach ${pod}`],
      [
        nobodys !== undefined && !isDroppedBy(router, { ...leaving, destination: nobodys }),
        `${pod} leaves for ${nobodys ?? ''}, which is no pod`,
      ],
    ];
    return [
      ...found.flatMap(([isFound, what]) => (isFound ? [what] : [])),
      ...linkLocalGaps(router, leaving, settings),
    ];
  });
}

/** Gaps between networks: two that have one address beyond their routers. */
function shared(routers: readonly LeavingRouter[]): readonly Gap[] {
  const addresses = routers.flatMap(({ networkName, rows }) =>
    rows.flatMap(({ table, columns }) =>
      table === 'NAT' ? [{ networkName, address: textIn(columns, 'external_ip') }] : [],
    ),
  );
  return addresses
    .filter(({ networkName, address }) =>
      addresses.some((other) => other.address === address && other.networkName !== networkName),
    )
    .map(({ networkName, address }) => ({ networkName, what: `another network leaves as ${address} too` }));
}

/**
 * In every state of a node, a router by which a network leaves it lets packets of its pods on the node out, with an address that no other network has; it drops those of pods on other nodes, and those for
 * addresses of the network that no pod has, and for link-local addresses that the settings do not allow (docs/design/node-egress.md, "Rows"). What another program has undone before is not counted, nor are held networks in the end.
 */
export function checkTranslated(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  const { networks } = viewCluster(cluster, settings);
  const subnetsOf = (name: string) =>
    networks.find(({ networkName }) => networkName === name)?.subnets.map(({ cidr }) => cidr) ?? [];
  const gapsIn = (state: NodeSnapshot): readonly Gap[] => {
    const routers = leavingRouters(state);
    const own = routers.flatMap((router) =>
      gapsOf(router, subnetsOf(router.networkName), settings).map((what) => ({
        networkName: router.networkName,
        what,
      })),
    );
    return [...own, ...shared(routers)];
  };
  return nodes.flatMap((found) => {
    const { states, plan, node } = converge(engine, law, { cluster, settings }, found);
    const gaps = states.map(gapsIn);
    const textOf = ({ networkName, what }: Gap) => `${networkName}: ${what}`;
    const before = new Set((gaps[0] ?? []).map(textOf));
    const [first] = gaps
      .flat()
      .map(textOf)
      .filter((text) => !before.has(text));
    assertLaw(law, first === undefined, () => first ?? '');
    const { logicalNetworks } = heldNames({ cluster, settings }, [[plan, node]]);
    const last = gaps.at(-1)?.find(({ networkName }) => !logicalNetworks.has(networkName));
    assertLaw(law, last === undefined, () => `in the end, ${last === undefined ? '' : textOf(last)}`);
    return leavingRouters(node).length > 0 ? ['leaves'] : [];
  });
}
