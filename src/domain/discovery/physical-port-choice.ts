/** Which port of a bridge leads to the wire? */
import { BRIDGE_UPLINK_KEY, LOGICAL_PORT_KEY } from '../basics/conventions.ts';
import { distinct } from '../basics/names/ordering.ts';
import type { Bridge, SwitchPort } from '../snapshot/node-snapshot.ts';
import type { DiscoveryFailure } from './discovery.ts';
import type { NodeView } from '../snapshot/node-view.ts';
import { notAdded } from './port-addition.ts';

/** Interface types that are not physical: OVN's patches, tunnels, and ports that Open vSwitch gives to the host. */
const virtualTypes: ReadonlySet<string> = new Set([
  'internal',
  'patch',
  'bareudp',
  'erspan',
  'geneve',
  'gre',
  'gtpu',
  'ip6erspan',
  'ip6gre',
  'lisp',
  'srv6',
  'stt',
  'vxlan',
]);

/** Keys of the ports that ovn-controller creates (ovn-controller(8)). */
const ovnPortKeys = [
  'ovn-localnet-port',
  'ovn-l2gateway-port',
  'ovn-l3gateway-port',
  'ovn-logical-patch-port',
  'ovn-chassis-id',
];

/**
 * Keys of the ports of guests: virtual machines (ovs-vswitchd.conf.db(5), Interface, Virtual Machine Identifiers; libvirt sets them), and
 * containers (ovs-cni, pkg/ovsdb; ovs-docker). On a port or its interface.
 */
const guestKeys = ['attached-mac', LOGICAL_PORT_KEY, 'vm-id', 'contIface', 'container_id'];

/** The type of an ordinary device, where it is written out, as NetworkManager and NMState do (ovs-vswitchd.conf.db(5), Interface, `type`). */
const ORDINARY = 'system';

/** The key by which a port or its interface is a guest's. */
function guestKeyOf({ externalIds, interfaces }: SwitchPort): string | undefined {
  return guestKeys.find((key) => [{ externalIds }, ...interfaces].some((each) => Object.hasOwn(each.externalIds, key)));
}

function isPhysical({ name: bridgeName }: Bridge, port: SwitchPort, node: NodeView): boolean {
  if (port.name === bridgeName) return false;
  if (ovnPortKeys.some((key) => Object.hasOwn(port.externalIds, key))) return false;
  return !port.interfaces.some(({ name, type }) => virtualTypes.has(type) || node.isRepresentor(name));
}

/** Whether a port leads to a guest: by its keys, or by a type of vhost-user, whose other end is a virtual machine. */
function isOfGuest(port: SwitchPort): boolean {
  return guestKeyOf(port) !== undefined || port.interfaces.some(({ type }) => type.includes('vhost'));
}

/** Whether a program is at the other end of a port, such as a virtual machine: that of a TAP device. */
function isTap({ interfaces }: SwitchPort, node: NodeView): boolean {
  return interfaces.some(({ name, type }) => type === 'tap' || node.link(name)?.kind === 'tun');
}

function isVeth({ interfaces }: SwitchPort, node: NodeView): boolean {
  return interfaces.some(({ name }) => node.link(name)?.kind === 'veth');
}

/** Whether the device of a port may be a network card, or a bond of some: it exists and is no end of a veth pair, or has a type, as those of DPDK. */
function mayBeNetworkCard(port: SwitchPort, node: NodeView): boolean {
  const isOrdinary = (type: string) => type === '' || type === ORDINARY;
  return (
    !isVeth(port, node) && port.interfaces.some(({ name, type }) => !isOrdinary(type) || node.link(name) !== undefined)
  );
}

/** The ports that are no TAP devices, if there are any. */
function withoutTaps(ports: readonly SwitchPort[], node: NodeView): readonly SwitchPort[] {
  const others = ports.filter((port) => !isTap(port, node));
  return others.length > 0 ? others : ports;
}

/**
 * The only port of type `system`, beside ends of veth pairs only. In Open vSwitch the type means the same as none (ovs-vswitchd.conf.db(5), Interface,
 * `type`), so it decides nothing between network cards, nor for an end of a veth pair.
 */
function onlyOfSystem(ports: readonly SwitchPort[], node: NodeView): readonly SwitchPort[] {
  const [written, ...more] = ports.filter(({ interfaces }) => interfaces.some(({ type }) => type === ORDINARY));
  if (written === undefined || more.length > 0 || isVeth(written, node)) return ports;
  const isOther = (port: SwitchPort) => port !== written && mayBeNetworkCard(port, node);
  return ports.some(isOther) ? ports : [written];
}

/**
 * The ports that Open vSwitch has added: no packet passes another, such as that of a virtual machine that was killed. A refused network card stays
 * beside ports that are none, which it does not make the way to the wire.
 */
function withoutRefused(bridge: Bridge, ports: readonly SwitchPort[], node: NodeView): readonly SwitchPort[] {
  const added = ports.filter((port) => port.interfaces.some((each) => notAdded(bridge, port, each) === undefined));
  const hasCard = (some: readonly SwitchPort[]) => some.some((port) => mayBeNetworkCard(port, node));
  return added.length === 0 || (hasCard(ports) && !hasCard(added)) ? ports : added;
}

/** The port of a bridge that leads to the wire, or why there is none. */
export type Choice = { readonly port: SwitchPort } | { readonly failure: DiscoveryFailure };

function namedPort(bridge: Bridge, named: string, physical: readonly SwitchPort[]): Choice {
  const bearer = (ports: readonly SwitchPort[]) =>
    ports.find(({ name }) => name === named) ??
    ports.find(({ interfaces }) => interfaces.some(({ name }) => name === named));
  const port = bearer(physical);
  if (port !== undefined) return { port };
  const why = bearer(bridge.ports) === undefined ? 'absent' : 'not-physical';
  const cause = 'named-port-unusable';
  return { failure: { reason: 'BridgeInvalid', bridge: bridge.name, cause, port: named, why } };
}

/**
 * Chooses the port that `external_ids:bridge-uplink` names, by its own name or that of its interface; without the key the only one that is not
 * a guest's. Of several the only one counts that is no TAP device, else the only one of type `system` beside ends of veth pairs, else the only one
 * that Open vSwitch has added.
 */
export function chosenPort(bridge: Bridge, node: NodeView): Choice {
  const physical = bridge.ports.filter((port) => isPhysical(bridge, port, node));
  const named = bridge.externalIds[BRIDGE_UPLINK_KEY];
  if (named !== undefined) return namedPort(bridge, named, physical);
  const toTheWire = physical.filter((port) => !isOfGuest(port));
  const left = withoutRefused(bridge, onlyOfSystem(withoutTaps(toTheWire, node), node), node);
  const [only, ...more] = left;
  if (only !== undefined && more.length === 0) return { port: only };
  const invalid = { reason: 'BridgeInvalid', bridge: bridge.name } as const;
  const ports = distinct(left.map(({ name }) => name));
  if (ports.length > 0) return { failure: { ...invalid, cause: 'several-physical-ports', ports } };
  const guests = physical.flatMap((port) => {
    const key = guestKeyOf(port);
    return key === undefined ? [] : [{ port: port.name, key }];
  });
  return { failure: { ...invalid, cause: 'no-physical-port', ...(guests.length > 0 && { guests }) } };
}
