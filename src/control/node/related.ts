/**
 * What is related to a network: once any of it changes, a failed operation may succeed.
 */
import type { NodePlan } from '../../domain/plan/node-plan.ts';
import { canonical } from '../../domain/ordering.ts';
import type { Address, NodeSnapshot } from '../../domain/snapshot/node-snapshot.ts';

/** Neighbour states that the kernel does not change by itself (ip-neighbour(8)). */
const STATIC_STATES = ['permanent', 'noarp'];

/** An address without what the kernel changes by itself. */
function stablePart({ validSeconds: _, preferredSeconds: __, flags, ...address }: Address) {
  return { ...address, flags: flags.filter((flag) => flag !== 'tentative') };
}

/** The external_ids, with only the bridge mappings of some bridges: our own operations on other networks change the others. */
function externalIdsOf({ switchExternalIds }: NodeSnapshot, bridges: ReadonlySet<string>) {
  const isRelated = (entry: string) => bridges.has(entry.slice(entry.indexOf(':') + 1));
  return Object.entries(switchExternalIds).flatMap(([key, text]) =>
    (key.endsWith('bridge-mappings') ? text.split(',').filter(isRelated) : [text]).map((part) => [key, part]),
  );
}

/** Everything related to a network as text, without what the kernel changes by itself. */
export function related(network: string, { networks, uplinks, dataplane }: NodePlan, node: NodeSnapshot): string {
  const rows = networks.filter((row) => row.network === network);
  const programmed = dataplane.programmed.find((each) => each.network === network);
  const interfaces = uplinks
    .filter(({ uplink }) => rows.some((row) => row.uplink === uplink))
    .flatMap(({ hostInterfaceName }) => hostInterfaceName ?? []);
  const names = new Set([...interfaces, ...(programmed === undefined ? [] : [programmed.vrf.name])]);
  const links = node.links.filter(
    ({ name, master = '', lowerDevice = '' }) => names.has(name) || names.has(master) || names.has(lowerDevice),
  );
  const devices = new Set([...names, ...links.map(({ name }) => name)]);
  const tables = new Set(links.flatMap(({ vrfTable }) => vrfTable ?? []));
  const bridges = new Set(rows.flatMap(({ bridge }) => bridge ?? []));
  return JSON.stringify(
    canonical({
      rows,
      programmed,
      links: links.map(({ operationalState: _, addresses, ...link }) => ({
        ...link,
        addresses: addresses.map(stablePart),
      })),
      routes: node.routes
        .filter(
          ({ table, nextHops, protocol }) =>
            // The kernel adds routes for addresses, some of them a second after the interface is up.
            protocol !== 'kernel' &&
            ((typeof table === 'number' && tables.has(table)) ||
              nextHops.some(({ device = '' }) => devices.has(device))),
        )
        .map(({ expiresSeconds: _, ...route }) => route),
      rules: node.rules.filter(({ table }) => typeof table === 'number' && tables.has(table)),
      neighbours: node.neighbours.filter(
        ({ device, states }) => devices.has(device) && states.some((state) => STATIC_STATES.includes(state)),
      ),
      bridges: node.bridges.filter(({ name }) => bridges.has(name)),
      withoutSwitch: node.bridgesWithoutSwitch?.filter((name) => bridges.has(name)),
      isNorthboundOutdated: node.isNorthboundOutdated,
      externalIds: externalIdsOf(node, bridges),
      sysctls: Object.entries(node.sysctls).filter(([name]) => [...devices].some((device) => name.includes(device))),
    }),
  );
}
