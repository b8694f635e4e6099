/**
 * For which networks is something done? A managed entity that no plan desires any more still says for whom it was made.
 */
import { CLUSTER_NETWORK_NAME_PREFIX } from '../conventions.ts';
import type { Anchor } from '../entities/entity-kind.ts';
import { entityKinds, ownOf } from '../entities/entity-kinds.ts';
import { isOwnRoute } from '../entities/route.ts';
import { isOwnVrf } from '../entities/vrf.ts';
import { isShortened, signedName } from '../entities/vrf-signature.ts';
import { distinct } from '../names/ordering.ts';
import type { NodeDataplane } from '../plan/node-dataplane.ts';
import { localnetNetwork } from '../node-model/patch-ports.ts';
import { portWord } from '../openflow/port-word.ts';
import { patchPortName } from '../snapshot/patch-ports.ts';
import { ownMappings } from '../snapshot/bridge-mappings.ts';
import { isManagementPortName } from '../snapshot/management-port-name.ts';
import type { NextHop, NodeSnapshot } from '../snapshot/node-snapshot.ts';

/**
 * Names of the ClusterUserDefinedNetworks that an entity is there for, by its anchor, or the name in OVN of a network as a whole; sorted, and empty where
 * none is known.
 */
export type Attribution = (anchor: Anchor) => readonly string[];

function cudnName(networkName: string): readonly string[] {
  return networkName.startsWith(CLUSTER_NETWORK_NAME_PREFIX) && !isShortened(networkName)
    ? [networkName.slice(CLUSTER_NETWORK_NAME_PREFIX.length)]
    : [];
}

/** The network that a VRF is signed for: by its name in OVN if there is no ClusterUserDefinedNetwork. */
function nameOfSigned(networkName: string): readonly string[] {
  if (networkName === '') return [];
  const isCluster = isShortened(networkName) || networkName.startsWith(CLUSTER_NETWORK_NAME_PREFIX);
  return isCluster ? cudnName(networkName) : [networkName];
}

class NetworkNames {
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

/** The networks of patch ports, by the words that flows have for them: those of the plan, and those of localnet ports that are ours. */
function patchPortNames(programmed: NodeDataplane['programmed'], { northbound }: NodeSnapshot): NetworkNames {
  const names = new NetworkNames();
  for (const { network, datapath } of programmed) {
    if (datapath !== undefined) names.add(datapath.network.patchPort, [network]);
  }
  for (const row of northbound) {
    if (row.network === undefined || localnetNetwork(row) === undefined) continue;
    names.add(portWord(patchPortName(row.name)), cudnName(row.network));
  }
  return names;
}

/** The devices of next hops, apart from management ports: these are of networks as a whole. */
function uplinkDevicesOf(nextHops: readonly NextHop[]): readonly string[] {
  return nextHops.flatMap(({ device }) => (device === undefined || isManagementPortName(device) ? [] : [device]));
}

/** The networks of entities: by the plan if it has them, otherwise by the signatures of VRFs and by the ledger. */
export function attribution({ programmed, kept }: NodeDataplane, node: NodeSnapshot): Attribution {
  const keptNetworks = new Set(kept.map(({ network }) => network));
  const vrfs = new NetworkNames();
  const tables = new NetworkNames();
  const devices = new NetworkNames();
  const bridges = new NetworkNames();
  const patchPorts = patchPortNames(programmed, node);
  const addVrf = (vrf: string, table: number | undefined, networks: readonly string[]) => {
    vrfs.add(vrf, networks);
    if (table !== undefined) tables.add(table, networks);
  };
  for (const { network, vrf, device, bridge } of programmed) {
    addVrf(vrf.name, vrf.table, [network]);
    devices.add(device, [network]);
    bridges.add(bridge, [network]);
  }
  for (const link of node.links) {
    if (isOwnVrf(link, node.ledger)) addVrf(link.name, link.vrfTable, nameOfSigned(signedName(link.alias ?? '')));
  }
  for (const { device, network } of ownOf(entityKinds['management-port'], node)) devices.add(device, [network ?? '']);
  for (const entry of node.ledger.entries) {
    if (entry.kind === 'unsigned-vrf') vrfs.add(entry.name, nameOfSigned(entry.network));
    if (entry.kind !== 'membership' || isManagementPortName(entry.device)) continue;
    addVrf(entry.vrf, entry.table, cudnName(entry.network));
    devices.add(entry.device, cudnName(entry.network));
  }
  for (const [networkName, bridge] of ownMappings(node.switchExternalIds)) bridges.add(bridge, cudnName(networkName));
  for (const { nextHops, table } of node.routes.filter(isOwnRoute)) {
    for (const device of uplinkDevicesOf(nextHops)) devices.add(device, tables.of(table));
  }
  return (anchor) => {
    if ('vrf' in anchor) return vrfs.of(anchor.vrf);
    if ('table' in anchor) return anchor.table === undefined ? [] : tables.of(anchor.table);
    // A device or a bridge may be a kept network's too; nothing is ever done for that one.
    if ('device' in anchor) return devices.of(anchor.device).filter((network) => !keptNetworks.has(network));
    if ('bridge' in anchor) {
      const names = anchor.patchPort === undefined ? bridges.of(anchor.bridge) : patchPorts.of(anchor.patchPort);
      return names.filter((network) => !keptNetworks.has(network));
    }
    if ('node' in anchor) return [];
    if ('zone' in anchor) return anchor.zone === '' ? [] : [anchor.zone];
    return cudnName(anchor.networkName);
  };
}
