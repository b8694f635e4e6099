import type { VrfDecision } from '../routing-domain/network-vrf.ts';
import { ownMappings } from '../snapshot/bridge-mappings.ts';
import { portWord } from '../openflow/port-word.ts';
import { patchPortName } from '../snapshot/patch-ports.ts';
import { gatewayRouterNames } from './gateway-router/names.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { distinct } from '../names/ordering.ts';
import { isManagementPortName } from '../snapshot/management-port-name.ts';
import { isOwnVrf } from '../entities/vrf.ts';
import { vrfSignature } from '../entities/vrf-signature.ts';

/** Names of the entities of a held network: managed ones with such a name are not changed. */
export interface KeptNetwork {
  /** Name of the ClusterUserDefinedNetwork. */
  readonly network: string;
  readonly networkName: string;
  /** VRFs that the network is in, may have been in, or should be in. */
  readonly vrfs: readonly string[];
  /** Tables of these VRFs. */
  readonly tables: readonly number[];
  /** Interfaces that carry it, or did. */
  readonly devices: readonly string[];
  /** The bridge that carries it, and the one that it is mapped to. */
  readonly bridges: readonly string[];
  /** Its ports on these bridges, as flows name them. */
  readonly patchPorts: readonly string[];
}

/** The input for `keptNetwork`. */
interface KeptInput {
  readonly network: string;
  readonly networkName: string;
  /** Name of the network's own VRF. */
  readonly ownVrf: string | undefined;
  /** The VRF that it uses, or would use. */
  readonly vrf: VrfDecision;
  /** The interface that carries it; undefined where that is not known: then it is any that its bridge is reached by. */
  readonly device: string | undefined;
  readonly bridge: string | undefined;
  readonly node: NodeView;
}

/** VRFs whose signature or ledger entry names the network: without the id of the network, the name of its VRF may be unknown. */
function vrfsMadeFor(networkName: string, { snapshot: { links, ledger } }: NodeView): readonly string[] {
  const signature = vrfSignature(networkName);
  const signed = links.filter((link) => link.alias === signature);
  return [
    ...signed.filter((link) => isOwnVrf(link, ledger)).map(({ name }) => name),
    ...ledger.entries.flatMap((entry) =>
      entry.kind === 'unsigned-vrf' && vrfSignature(entry.network) === signature ? [entry.name] : [],
    ),
  ];
}

/** The VRF that a device is in, whoever enslaved it; none if ovn-uplinks did so for another network. */
function vrfAround(device: string, networkName: string, node: NodeView): readonly string[] {
  const master = node.link(device)?.master;
  if (master === undefined || node.link(master)?.kind !== 'vrf') return [];
  const isForAnother = node.snapshot.ledger.entries.some(
    (entry) =>
      entry.kind === 'membership' && entry.device === device && entry.vrf === master && entry.network !== networkName,
  );
  return isForAnother ? [] : [master];
}

/** Interfaces by which bridges are reached: those that are on them, and functions whose representors are (SmartNIC). */
export function interfacesOn(bridges: readonly string[], node: NodeView): readonly string[] {
  const isOn = (name: string) => node.portsWith(name).some(({ bridge }) => bridges.includes(bridge.name));
  return node.snapshot.links
    .filter(({ name, macAddress = '' }) => isOn(name) || node.representorsOf(macAddress).some(isOn))
    .map(({ name }) => name);
}

/** Collects what belongs to a held network: according to the objects now, and to node and ledger before. */
export function keptNetwork({ network, networkName, ownVrf, vrf, device, bridge, node }: KeptInput): KeptNetwork {
  const done = node.snapshot.ledger.entries.flatMap((entry) =>
    // Its management port is of the network as a whole.
    entry.kind === 'membership' && entry.network === networkName && !isManagementPortName(entry.device) ? [entry] : [],
  );
  const mapped = ownMappings(node.snapshot.switchExternalIds).get(networkName);
  // Another program may have mapped it first.
  const places = bridge === undefined && mapped === undefined ? node.foreignMappings(networkName) : [bridge, mapped];
  const bridges = distinct(places.flatMap((name) => name ?? []));
  const interfaces = device === undefined ? interfacesOn(bridges, node) : [device];
  const names = distinct([
    ...(ownVrf === undefined ? [] : [ownVrf]),
    // A VRF that was made for another network is not kept for this one.
    ...(vrf.name === undefined || vrf.unusable === 'made-for-another' ? [] : [vrf.name]),
    ...done.map(({ vrf }) => vrf),
    ...vrfsMadeFor(networkName, node),
    ...interfaces.flatMap((name) => vrfAround(name, networkName, node)),
  ]);
  const tables = [...names.flatMap((vrf) => node.link(vrf)?.vrfTable ?? []), ...done.map(({ table }) => table)];
  return {
    network,
    networkName,
    vrfs: names,
    tables: [...new Set(tables)].sort((left, right) => left - right),
    devices: distinct([...interfaces, ...done.map((entry) => entry.device)]),
    bridges,
    patchPorts: distinct(
      bridges.map((name) =>
        portWord(patchPortName(gatewayRouterNames(networkName, node.snapshot.nodeName, name).localnetPort)),
      ),
    ),
  };
}
