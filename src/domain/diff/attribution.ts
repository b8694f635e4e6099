/**
 * For whom is something done? A thing of ours that no plan wants any more still tells whose it was.
 */
import { CLUSTER_NETWORK_NAME_PREFIX } from '../conventions.ts';
import { distinct } from '../ordering.ts';
import { isOurs } from '../ownership/is-ours.ts';
import { isShortened, signedName } from '../ownership/vrf-signature.ts';
import type { NodeDataplane } from '../plan/node-plan.ts';
import type { NodeSnapshot, Table } from '../snapshot/node-snapshot.ts';

/** Names of the ClusterUserDefinedNetworks behind a thing, sorted; empty where nobody is known. */
export interface Attribution {
  ofNetworkName(networkName: string): readonly string[];
  ofVrf(vrf: string): readonly string[];
  ofTable(table: Table | undefined): readonly string[];
  ofDevice(device: string): readonly string[];
}

function cudnName(networkName: string): readonly string[] {
  return networkName.startsWith(CLUSTER_NETWORK_NAME_PREFIX) && !isShortened(networkName)
    ? [networkName.slice(CLUSTER_NETWORK_NAME_PREFIX.length)]
    : [];
}

class Names {
  readonly #networks = new Map<string, Set<string>>();

  add(key: string | number, networks: readonly string[]): void {
    const known = this.#networks.get(`${key}`) ?? new Set();
    for (const network of networks) known.add(network);
    this.#networks.set(`${key}`, known);
  }

  of(key: string | number): readonly string[] {
    return distinct(this.#networks.get(`${key}`) ?? []);
  }
}

/** Whose is what on a node: by the plan where it says so, else by the signatures on VRFs and by the ledger. */
export function attribution({ programmed, kept }: NodeDataplane, node: NodeSnapshot): Attribution {
  const keptNetworks = new Set(kept.map(({ network }) => network));
  const vrfs = new Names();
  const tables = new Names();
  const devices = new Names();
  const addVrf = (vrf: string, table: number | undefined, networks: readonly string[]) => {
    vrfs.add(vrf, networks);
    if (table !== undefined) tables.add(table, networks);
  };
  for (const { network, vrf, device } of programmed) {
    addVrf(vrf.name, vrf.table, [network]);
    devices.add(device, [network]);
  }
  for (const link of node.links) {
    if (!isOurs({ kind: 'link', link }, node.ledger)) continue;
    addVrf(link.name, link.vrfTable, cudnName(signedName(link.alias ?? '')));
  }
  for (const entry of node.ledger.entries) {
    if (entry.kind === 'unsigned-vrf') vrfs.add(entry.name, cudnName(entry.network));
    if (entry.kind !== 'membership') continue;
    addVrf(entry.vrf, entry.table, cudnName(entry.network));
    devices.add(entry.device, cudnName(entry.network));
  }
  for (const route of node.routes) {
    if (!isOurs({ kind: 'route', route }, node.ledger)) continue;
    for (const { device } of route.nextHops) if (device !== undefined) devices.add(device, tables.of(route.table));
  }
  return {
    ofNetworkName: cudnName,
    ofVrf: (vrf) => vrfs.of(vrf),
    ofTable: (table) => (table === undefined ? [] : tables.of(table)),
    // A device may be a kept network's too; nothing is ever done for that one.
    ofDevice: (device) => devices.of(device).filter((network) => !keptNetworks.has(network)),
  };
}
