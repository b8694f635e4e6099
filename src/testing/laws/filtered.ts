import { internalIpsOf } from '../../domain/api/node.ts';
import {
  addressAt,
  LINK_LOCAL_SUBNETS,
  subnetContains,
  withoutLength,
} from '../../domain/basics/addresses/ip-address.ts';
import { MAIN_TABLE, NETWORK_MASQUERADE_BASE } from '../../domain/basics/conventions.ts';
import { egressFilter } from '../../domain/datapath/nftables/egress-filter.ts';
import { addressInRule, isOwnRule } from '../../domain/entities/kernel/rule.ts';
import type { NodeSnapshot } from '../../domain/index.ts';
import { managementPortName } from '../../domain/network/names/management-port.ts';
import type { Case } from '../case.ts';
import { converge } from '../convergence.ts';
import type { Engine } from '../engine.ts';
import type { CaseLabels } from './labels.ts';
import { assertLaw } from './violation.ts';

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

/** Why an address is not filtered; undefined where it is. */
function gap(
  address: string,
  { filterTables }: NodeSnapshot,
  { cluster, settings }: Pick<Case, 'cluster' | 'settings'>,
): string | undefined {
  const table = filterTables.find(({ name }) => name === egressFilter.table.name);
  if (table?.isIntact !== true) return 'there is no filter';
  const family = address.includes(':') ? 6 : 4;
  const elementsOf = (name: string) => table.sets[`${name}${family}`] ?? [];
  if (!elementsOf('sources').includes(address)) return 'it is not among the sources';
  const owner = `${portOf(address, settings.masqueradeSubnets)} . ${address}`;
  if (!elementsOf('owners').includes(owner)) return `${owner} is not among the owners`;
  const denied = [
    ...cluster.nodes.flatMap(internalIpsOf),
    ...[...settings.serviceCidrs, ...settings.clusterCidrs, ...LINK_LOCAL_SUBNETS].map(withoutLength),
  ].filter((destination) => destination.includes(':') === (family === 6));
  const isDenied = (destination: string) =>
    elementsOf('denied').some((each) =>
      each.includes('/') ? subnetContains(each, destination) : each === destination,
    );
  const reached = denied.find((destination) => !isDenied(destination));
  return reached === undefined ? undefined : `it reaches ${reached}`;
}

/**
 * In every state of a node, packets that leave a network by the main table pass a filter that knows the network and its port, and denies what belongs to the cluster
 * (docs/design/node-egress.md, "The filter"). What another program has undone before is not counted.
 */
export function checkFiltered(engine: Engine, { cluster, nodes, settings }: Case): CaseLabels {
  return nodes.flatMap((found) => {
    const { states } = converge(engine, law, { cluster, settings }, found);
    const gaps = states.map((state) =>
      letOut(state).flatMap((address) => {
        const why = gap(address, state, { cluster, settings });
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
