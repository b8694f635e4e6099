import { bridge } from '../bridge.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { ArgumentVector } from '../node.ts';
import { addressesOf, bridgeOf, common, gatewaysOf, hostInterfaceOf, type LabUplink, nodeSubnetsOf } from './tenant.ts';

/** The network namespace of an uplink's provider (ip-netns(8)). Its end of the wire is eth0. */
export const providerNamespace = ({ name }: Pick<LabUplink, 'name'>) => `${name}-provider`;

/** The physical port of an uplink's bridge: the node's end of the wire. */
export const wireOf = (uplink: LabUplink) => bridgeOf(uplink).replace('br-', 'eth-');

/** A wire without provider: its other end is eth0 of a namespace. */
function wire(uplink: LabUplink, namespace: string): readonly ArgumentVector[] {
  return [
    ip`netns add ${namespace}`,
    ip`link add ${wireOf(uplink)} up type veth peer name eth0 netns ${namespace}`,
    ip`-n ${namespace} link set eth0 up`,
  ];
}

/** The end of a VLAN of a wire, which becomes eth0 of the provider. Its MAC address is the VLAN's own: gateways of one address differ in it. */
function vlanEnd({ name, access }: LabUplink, wireNamespace: string, namespace: string): readonly ArgumentVector[] {
  if (access === undefined) return [];
  return [
    ip`netns add ${namespace}`,
    ip`-n ${wireNamespace} link add link eth0 name ${name} address 02:00:00:00:${access.vlan}:01 type vlan id ${access.vlan}`,
    ip`-n ${wireNamespace} link set ${name} netns ${namespace} name eth0`,
    ip`-n ${namespace} link set eth0 up`,
  ];
}

/** The provider of an uplink: a router in a namespace, at the other end of the wire, with addresses behind it. It knows the MTU of pods. */
function provider(uplink: LabUplink): readonly ArgumentVector[] {
  const namespace = providerNamespace(uplink);
  return [
    ip`-n ${namespace} link set lo up`,
    ...gatewaysOf(uplink).map(
      (address, index) =>
        ip`-n ${namespace} address add ${address}/${common.linkPrefixLengths[index] ?? 0} dev eth0 nodad`,
    ),
    ...[...common.outside, ...common.otherNode].map(
      (address) => ip`-n ${namespace} address add ${address} dev lo nodad`,
    ),
    ...nodeSubnetsOf(uplink).map(
      (subnet, index) =>
        ip`-n ${namespace} route add ${subnet} via ${addressesOf(uplink)[index] ?? ''} mtu ${common.mtu}`,
    ),
    // Pods of networks that are not advertised have the uplink's address.
    ...addressesOf(uplink).map((address) => ip`-n ${namespace} route add ${address} dev eth0 mtu ${common.mtu}`),
  ];
}

/** A host behind a narrow link of an uplink's provider, in a network namespace. */
export const farNamespace = ({ name }: LabUplink) => `${name}-far`;

/** Its addresses. */
export const farAddresses = ['203.0.113.200', '2001:db8:fe::200'];

const narrowLink = ['203.0.113.1', '2001:db8:fe::1'];

/**
 * Commands that add a host behind an uplink's provider, by a link with a small MTU. The host does not know that MTU and offers longer segments (RFC
 * 9293, section 3.7.1).
 */
export function behindNarrowLink(uplink: LabUplink, mtu: number): readonly ArgumentVector[] {
  const [namespace, far] = [providerNamespace(uplink), farNamespace(uplink)];
  const forwarding = ['net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1'];
  const ends = [
    [namespace, 'far', narrowLink],
    [far, 'eth0', farAddresses],
  ] as const;
  return [
    ip`netns add ${far}`,
    ip`-n ${far} link add eth0 up type veth peer name far netns ${namespace}`,
    ip`-n ${namespace} link set far mtu ${mtu} up`,
    ...ends.flatMap(([of, device, addresses]) =>
      addresses.map(
        (address, index) =>
          ip`-n ${of} address add ${address}/${common.linkPrefixLengths[index] ?? 0} dev ${device} nodad`,
      ),
    ),
    ...narrowLink.map((router) => ip`-n ${far} route add default via ${router}`),
    ['ip', 'netns', 'exec', namespace, 'sysctl', '--quiet', ...forwarding],
  ];
}

/** Commands that add a provider to a wire with VLANs, also for an uplink that the node does not have. */
export function providerInVlan(uplink: LabUplink): readonly ArgumentVector[] {
  const { name, macAddress, beside } = uplink;
  // The MAC address of the gateway is the one of the uplink, but for a byte.
  if (beside !== undefined)
    return secondGateway(beside.uplink, { name, macAddress: macAddress.replace(/^02/, '06') }, beside.gateways);
  return [...vlanEnd(uplink, wireNamespaceOf(uplink), providerNamespace(uplink)), ...provider(uplink)];
}

/**
 * Commands that add another router to the link of an uplink's provider, with the same addresses behind it.
 *
 * @param router its name and MAC address
 * @param addresses on the link
 */
export function secondGateway(
  uplink: LabUplink,
  router: Pick<LabUplink, 'name' | 'macAddress'>,
  addresses: readonly string[],
): readonly ArgumentVector[] {
  const [first, second] = [providerNamespace(uplink), providerNamespace(router)];
  return [
    ip`netns add ${second}`,
    ip`-n ${first} link add link eth0 name second address ${router.macAddress} type macvlan mode bridge`,
    ip`-n ${first} link set second netns ${second} name eth0`,
    ip`-n ${second} link set lo up`,
    ip`-n ${second} link set eth0 up`,
    ...addresses.map(
      (address, index) =>
        ip`-n ${second} address add ${address}/${common.linkPrefixLengths[index] ?? 0} dev eth0 nodad`,
    ),
    ...common.outside.map((address) => ip`-n ${second} address add ${address} dev lo nodad`),
  ];
}

/** The bridge of an uplink, with the wire to its provider. */
function bridgeWithWire(uplink: LabUplink): readonly ArgumentVector[] {
  const [name, wireNamespace] = [bridgeOf(uplink), wireNamespaceOf(uplink)];
  return [
    ...wire(uplink, wireNamespace),
    ...bridge(name, uplink.access === undefined ? { macAddress: uplink.macAddress } : {}),
    ovsVsctl`add-port ${name} ${wireOf(uplink)}`,
  ];
}

/** The access port of a VLAN of a bridge. */
function accessPort(uplink: LabUplink): readonly ArgumentVector[] {
  const [name, { access, macAddress }] = [hostInterfaceOf(uplink), uplink];
  if (access === undefined) return [];
  return [
    [
      ...ovsVsctl`add-port ${access.bridge} ${name} tag=${access.vlan} -- set Interface ${name} type=internal`,
      `mac="${macAddress}"`,
    ],
    ip`link set ${name} up`,
  ];
}

/** The namespace of the other end of an uplink's wire. Without VLANs the provider itself is there. */
function wireNamespaceOf(uplink: LabUplink): string {
  return uplink.access === undefined ? providerNamespace(uplink) : `${uplink.access.bridge}-wire`;
}

/** The addresses of an uplink and the routes of an administrator, which differ in their metric: the main table holds one of each. */
function hostConfiguration(uplink: LabUplink, place: number): readonly ArgumentVector[] {
  const device = hostInterfaceOf(uplink);
  return [
    ...addressesOf(uplink).map(
      (address, index) => ip`address add ${address}/${common.linkPrefixLengths[index] ?? 0} dev ${device}`,
    ),
    ...gatewaysOf(uplink).map((gateway) => ip`route add default via ${gateway} dev ${device} metric ${101 + place}`),
  ];
}

/** Numbers of ports (ofport_request) that no port has which Open vSwitch numbers itself. */
const OTHER_NUMBERS = 1000;

/**
 * Commands of an administrator who deletes the bridge of an uplink and makes it again, with another number of its physical port. It is complete with
 * the last one: until then it is no uplink.
 *
 * @param place of the uplink on its node
 */
export function bridgeMadeAgain(uplink: LabUplink, place: number): readonly ArgumentVector[] {
  const [name, port] = [bridgeOf(uplink), wireOf(uplink)];
  return [
    ovsVsctl`del-br ${name}`,
    ...bridge(name, { macAddress: uplink.macAddress }),
    ...hostConfiguration(uplink, place),
    ovsVsctl`add-port ${name} ${port} -- set Interface ${port} ofport_request=${OTHER_NUMBERS + place}`,
  ];
}

/** The uplinks of a node, each with a provider: bridges, wires, host interfaces with addresses and default routes. */
export function uplinksWithProviders(uplinks: readonly LabUplink[]): readonly ArgumentVector[] {
  const firstOfEach = uplinks.filter(
    (uplink, place) => uplinks.findIndex((other) => bridgeOf(other) === bridgeOf(uplink)) === place,
  );
  return [
    ...firstOfEach.flatMap(bridgeWithWire),
    ...uplinks.flatMap((uplink, place) => [
      ...providerInVlan(uplink),
      ...accessPort(uplink),
      ...hostConfiguration(uplink, place),
    ]),
  ];
}
