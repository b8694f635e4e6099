import type { NetworkKey } from '../../network/key.ts';
import type { VrfDecision } from '../../routing-domain/network-vrf.ts';
import { portWord } from '../../datapath/openflow/port-word.ts';
import { patchPortName } from '../../snapshot/patch-ports.ts';
import { gatewayRouterNames } from '../../network/names/gateway-router.ts';
import type { NodeView } from '../../snapshot/node-view.ts';
import { distinct } from '../../basics/names/ordering.ts';
import { foundPlacesOf } from '../../entities/owners/found-places.ts';
import type { Places } from '../../entities/owners/places.ts';

/**
 * The places of a network whose uplink is held: managed entities there are not changed. VRFs are those that it is in, may have been in or should be in; devices, the
 * interfaces that carry it or did; bridges, that which carries it and the one that it is mapped to.
 */
export interface HeldNetwork extends Places {
  readonly network: NetworkKey;
  /** Its name in OVN. */
  readonly networkName: string;
}

/** The input for `heldNetwork`. */
interface HeldInput {
  readonly network: NetworkKey;
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

/** The VRF that a device is in, also if another program enslaved it; none if ovn-uplinks did so for another network. */
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
export function heldNetwork({ network, networkName, ownVrf, vrf, device, bridge, node }: HeldInput): HeldNetwork {
  const found = foundPlacesOf(networkName, 'uplink', node.snapshot);
  const mapped = found.flatMap((places) => places.bridges);
  // Another program may have mapped it first.
  const places = bridge === undefined && mapped.length === 0 ? node.foreignMappings(networkName) : [bridge, ...mapped];
  const bridges = distinct(places.flatMap((name) => name ?? []));
  const interfaces = device === undefined ? interfacesOn(bridges, node) : [device];
  const names = distinct([
    ...(ownVrf === undefined ? [] : [ownVrf]),
    // A VRF that was made for another network is not kept for this one.
    ...(vrf.name === undefined || vrf.unusable === 'made-for-another' ? [] : [vrf.name]),
    ...found.flatMap(({ vrfs }) => vrfs),
    ...interfaces.flatMap((name) => vrfAround(name, networkName, node)),
  ]);
  const tables = [...names.flatMap((vrf) => node.link(vrf)?.vrfTable ?? []), ...found.flatMap((each) => each.tables)];
  return {
    network,
    networkName,
    vrfs: names,
    tables: [...new Set(tables)].sort((left, right) => left - right),
    devices: distinct([...interfaces, ...found.flatMap(({ devices }) => devices)]),
    bridges,
    patchPorts: distinct(
      bridges.map((name) =>
        portWord(patchPortName(gatewayRouterNames(networkName, node.snapshot.nodeName, name).localnetPort)),
      ),
    ),
  };
}
