import { internalIpsOf } from '../../../domain/api/node.ts';
import {
  addressAt,
  LINK_LOCAL_SUBNETS,
  type AddressFamily,
  subnetContains,
  withoutLength,
} from '../../../domain/basics/addresses/ip-address.ts';
import { MAIN_TABLE, NETWORK_MASQUERADE_BASE } from '../../../domain/basics/conventions.ts';
import type { NftFilter } from '../../../domain/datapath/nftables/table.ts';
import { addressInRule, isOwnRule } from '../../../domain/entities/kernel/rule.ts';
import type { NodeSnapshot } from '../../../domain/index.ts';
import { managementPortName } from '../../../domain/network/names/management-port.ts';
import type { Case } from '../../case.ts';
import { converge } from '../../convergence.ts';
import type { Engine } from '../../engine.ts';
import type { CaseLabels } from '../labels.ts';
import { assertLaw } from '../violation.ts';
import { fateOf, type FilteredPacket, type FilterVerdict, METADATA, outside } from './packet-filter.ts';

const law = 'filtered';

/** The addresses of networks from which the kernel lets packets out by the main table. */
function letOut({ rules }: NodeSnapshot): readonly string[] {
  return rules
    .filter((rule) => isOwnRule(rule) && rule.table === MAIN_TABLE)
    .flatMap((rule) => addressInRule(rule) ?? []);
}

/** The management port that has an address, by the id of its network. */
function portOf(address: string, masqueradeSubnets: readonly string[]): string {
  const subnet = masqueradeSubnets.find((cidr) => subnetContains(cidr, address)) ?? '';
  const ids = Array.from({ length: 64 }, (_, id) => id);
  const id = ids.find((each) => addressAt(subnet, NETWORK_MASQUERADE_BASE + 2 * each) === address);
  return id === undefined ? '' : managementPortName(id);
}

/** Names of devices: of another network, of the default network, and of others beyond the node. */
const [OTHERS_PORT, POD_DEVICE, OUTER_DEVICE] = ['ovn-k8s-mp4095', 'veth-of-pod', 'eth-beyond'] as const;

/** A pod address that no rule lets out, and an address of the node itself, by family. */
const podAddress = { 4: '10.20.0.7', 6: 'fd20::7' } as const;
const ownAddress = { 4: '198.18.0.1', 6: '2001:2::1' } as const;

/** Addresses by which clouds tell a node its identity. */
const metadata = [METADATA, '168.63.129.16', 'fd00:ec2::254'] as const;

/** Destinations of a family that packets of networks reach only if the settings allow it: nodes, Services, pods of the default network, link-local addresses, and metadata of clouds. */
function deniedIn(family: AddressFamily, { cluster, settings }: Pick<Case, 'cluster' | 'settings'>): readonly string[] {
  return [
    ...cluster.nodes.flatMap(internalIpsOf),
    ...metadata,
    ...[...settings.serviceCidrs, ...settings.clusterCidrs, ...LINK_LOCAL_SUBNETS].map(withoutLength),
  ].filter((destination) => destination.includes(':') === (family === 6));
}

/** A packet, and what must become of it. */
interface Expected {
  readonly what: string;
  readonly packet: FilteredPacket;
  readonly fate: FilterVerdict;
}

/** Destinations of packets from a network, by whether they reach them by the node. */
interface Destinations {
  readonly denied: readonly string[];
  readonly allowed: readonly string[];
}

/** The packets from and to a network that a filter is judged by. @param way a device that networks leave by; absent where there is none */
function expectedOf(
  address: string,
  port: string,
  way: string | undefined,
  { denied, allowed }: Destinations,
): readonly Expected[] {
  const family = address.includes(':') ? 6 : 4;
  const leaving = {
    family,
    source: address,
    destination: outside[family],
    from: port,
    to: way ?? OUTER_DEVICE,
  } as const;
  const dropped = (what: string, change: Partial<FilteredPacket>): Expected => ({
    what,
    packet: { ...leaving, ...change },
    fate: 'dropped',
  });
  return [
    ...(way === undefined
      ? []
      : [outside[family], ...allowed].map((destination): Expected => ({
          what: `not with the address of the node for ${destination}`,
          packet: { ...leaving, destination },
          fate: 'masqueraded',
        }))),
    ...denied.flatMap((destination) => [
      dropped(`for ${destination}`, { destination }),
      dropped(`for ${destination}, an address of the node`, { destination, isForNode: true }),
      dropped(`for ${destination}, which kube-proxy translates`, { destination, translated: outside[family] }),
    ]),
    dropped('for an address of the node', { destination: ownAddress[family], isForNode: true }),
    dropped('for a node port', { destination: ownAddress[family], isForNode: true, translated: outside[family] }),
    dropped('by a device that is no way out', { to: POD_DEVICE }),
    dropped('from another network', { from: OTHERS_PORT }),
    dropped('with the address of a pod', { source: podAddress[family] }),
    dropped('from outside', { source: outside[family], destination: address, from: leaving.to, to: port }),
  ];
}

/** Why an address is not filtered; undefined where it is. */
function gap(
  address: string,
  { filterTables }: NodeSnapshot,
  filter: NftFilter,
  subject: Pick<Case, 'cluster' | 'settings'>,
): string | undefined {
  const table = filterTables.find(({ name }) => name === filter.table.name);
  if (table?.isIntact !== true) return 'there is no filter';
  const family = address.includes(':') ? 6 : 4;
  const port = portOf(address, subject.settings.masqueradeSubnets);
  const [way] = table.sets[`ways${family}`] ?? [];
  const isAllowed = (destination: string) =>
    subject.settings.egressAllow.some((cidr) => subnetContains(cidr, destination));
  const destinations = deniedIn(family, subject);
  const { allowed = [], denied = [] } = Object.groupBy(destinations, (each) =>
    isAllowed(each) ? 'allowed' : 'denied',
  );
  return expectedOf(address, port, way, { denied, allowed }).find(
    ({ packet, fate }) => fateOf(filter, table.sets, packet) !== fate,
  )?.what;
}

/**
 * In every state of a node, packets that leave a network by the main table pass a filter: those for what belongs to the cluster or the node are dropped, also where kube-proxy would translate them, and others leave
 * with the address of the node (docs/design/node-egress.md, "The filter"). What another program has undone before is not counted.
 */
export function checkFiltered(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  return nodes.flatMap((found) => {
    const { states } = converge(engine, law, { cluster, settings }, found);
    const gaps = states.map((state) =>
      letOut(state).flatMap((address) => {
        const why = gap(address, state, engine.egressFilter, { cluster, settings });
        return why === undefined ? [] : [{ address, why }];
      }),
    );
    const before = new Set((gaps[0] ?? []).map(({ address }) => address));
    const [first] = gaps.flat().filter(({ address }) => !before.has(address));
    assertLaw(law, first === undefined, () => `packets from ${first?.address} leave unfiltered: ${first?.why}`);
    const [last] = gaps.at(-1) ?? [];
    assertLaw(law, last === undefined, () => `packets from ${last?.address} leave unfiltered in the end: ${last?.why}`);
    return states.some((state) => letOut(state).length > 0) ? ['let out'] : [];
  });
}
