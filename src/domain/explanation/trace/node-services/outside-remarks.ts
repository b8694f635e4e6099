/** Why does a packet from the wire go to no Service of a network? Each Service that has, or asks for, the address or the port says what it has of them. */
import { canonicalAddress, subnetContains } from '../../../basics/addresses/ip-address.ts';
import { distinct } from '../../../basics/names/ordering.ts';
import type { ExposedPort } from '../../../dataplane/pipeline/bridge-input.ts';
import type { UplinkWay } from '../../../dataplane/uplink-ways.ts';
import type { JudgedOutsideAddress } from '../../../services/exposed-addresses.ts';
import { isSamePort, type OutsidePort } from '../../../services/exposed-ports.ts';
import { balancedProtocol } from '../../../services/protocols.ts';
import type { ServedOutside } from '../../../services/served-outside.ts';
import { refusedOutsideSentence, scopeSentence } from '../../../status/sentences/service-sentence.ts';
import type { BalancedPacket } from './balancing.ts';
import { named, type NodeServices, type ServiceHere } from './node-services.ts';

/** A packet from the wire of an uplink, and the node that it comes to. */
export interface FromWire {
  readonly packet: BalancedPacket & { readonly source: string };
  /** Name in OVN of the network that is followed. */
  readonly networkName: string;
  readonly nodeName: string;
  /** Addresses of the uplink, at which node ports are. */
  readonly uplinkAddresses: readonly string[];
  readonly services: NodeServices;
}

const portText = ({ port, protocol }: { readonly port: number; readonly protocol: string }) =>
  `${String(port)}/${protocol.toUpperCase()}`;

const isFor =
  ({ protocol, destination, ports }: BalancedPacket) =>
  (port: ExposedPort) =>
    port.address === destination && port.protocol === protocol && port.port === ports?.destination;

/** The ports by which a Service is reached. */
const reachedPorts = ({ exposed }: ServiceHere) => (typeof exposed === 'object' ? exposed.ports : []);

const networkOf = ({ scope }: ServiceHere) => (scope.kind === 'served' ? scope.network.key : '');

const uplinkText = ({ scope: { uplink, bridge } }: UplinkWay) =>
  `uplink ${uplink.uplink} (${bridge.bridge}, ${uplink.vlan === undefined ? 'untagged' : `VLAN ${String(uplink.vlan)}`})`;

/** The remark about the Service that has the port. */
function remarkOnHolder(
  here: ServiceHere,
  way: UplinkWay,
  { sources }: ExposedPort,
  { packet, networkName }: FromWire,
): string {
  const name = named(here.key);
  if (sources !== undefined && !sources.some((subnet) => subnetContains(subnet, packet.source)))
    return `${name} is reached there from ${sources.join(', ')} alone (loadBalancerSourceRanges)`;
  return way.networkName === networkName
    ? `${name} has this port`
    : `${name} has this port, in ${networkOf(here)} on ${uplinkText(way)}`;
}

/** The remark about what is not decided, such as while a network is held. */
const staysUnknown = (nodeName: string) => `how it is reached on ${nodeName} stays as it is, which is not known here`;

/** Why a Service does not get a port that it asks for. */
function withoutPort(here: ServiceHere, { way, link }: ServedOutside, port: OutsidePort, from: FromWire): string {
  if (way === 'none') return `${networkOf(here)} has no uplink on ${from.nodeName}`;
  if (here.exposed === 'undecided') return staysUnknown(from.nodeName);
  const holder = from.services.all.find(
    (each) => each.outside?.link === link && reachedPorts(each).some((own) => isSamePort(own, port)),
  );
  return `${holder === undefined ? 'another Service' : named(holder.key)} is older and has it`;
}

/** The remark about a Service that asks for the port. */
function remarkOnClaim(here: ServiceHere, outside: ServedOutside, port: OutsidePort, from: FromWire): string {
  const { exposed, key } = here;
  const own = reachedPorts(here).find((each) => isSamePort(each, port));
  if (typeof exposed === 'object' && own !== undefined) return remarkOnHolder(here, exposed.way, own, from);
  return `${named(key)} asks for this port, but ${withoutPort(here, outside, port, from)}`;
}

/** Whether a packet is for a node port of a Service, by its number. */
function hasNodePort({ service: { spec } }: ServiceHere, { packet, uplinkAddresses }: FromWire): boolean {
  const { protocol, destination, ports } = packet;
  const hasSome = spec.type === 'NodePort' || spec.type === 'LoadBalancer';
  if (!hasSome || ports === undefined || !uplinkAddresses.includes(destination)) return false;
  return (spec.ports ?? []).some((port) => port.nodePort === ports.destination && balancedProtocol(port) === protocol);
}

/** The remark about a Service that has the node port at no such address. */
function remarkOnNodePort(here: ServiceHere, { nodeName }: FromWire): string {
  const { scope, key, exposed } = here;
  const name = `it is the node port of ${named(key)}`;
  if (scope.kind !== 'served') return `${name}: ${scopeSentence(scope)}`;
  if (exposed === 'undecided') return `${name}, but ${staysUnknown(nodeName)}`;
  const reached = reachedPorts(here).flatMap(({ isOfService, address }) => (isOfService ? [] : [address]));
  return reached.length === 0
    ? `${name}, whose network ${networkOf(here)} has no uplink with such an address on ${nodeName}`
    : `${name}, which is reached at ${distinct(reached).join(', ')}`;
}

/** The remark about a Service that is not served, and asks for the address; undefined for others. */
function remarkOnUnserved({ key, service, scope }: ServiceHere, { packet }: FromWire): string | undefined {
  const { spec, status } = service;
  const given = (status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ?? []);
  const asked = [...given, ...(spec.externalIPs ?? [])].map((text) => canonicalAddress(text));
  return asked.includes(packet.destination)
    ? `${named(key)} asks for ${packet.destination}: ${scopeSentence(scope)}`
    : undefined;
}

/** The remark about a Service that has the address, or asks for it, by other ports; undefined where it does not matter. */
function remarkOnAddress(
  here: ServiceHere,
  { address, refusal }: JudgedOutsideAddress,
  { packet: { protocol, ports }, uplinkAddresses }: FromWire,
): string | undefined {
  const { key, service } = here;
  if (refusal === undefined) {
    const own = reachedPorts(here).filter((port) => port.address === address);
    return own.length === 0 ? undefined : `${named(key)} has ${address} by ${own.map(portText).join(', ')} alone`;
  }
  const isAsked = (service.spec.ports ?? []).some(
    (port) => port.port === ports?.destination && balancedProtocol(port) === protocol,
  );
  // At the address of an uplink there is much else.
  if (uplinkAddresses.includes(address) && !isAsked) return undefined;
  return `${named(key)} is not reached at ${address}: ${refusedOutsideSentence(refusal)}`;
}

function remarkOn(here: ServiceHere, from: FromWire): string | undefined {
  const { outside } = here;
  const claimed = outside?.ports.find(isFor(from.packet));
  if (outside !== undefined && claimed !== undefined) return remarkOnClaim(here, outside, claimed, from);
  if (hasNodePort(here, from)) return remarkOnNodePort(here, from);
  if (outside === undefined) return remarkOnUnserved(here, from);
  const address = outside.addresses.find((each) => each.address === from.packet.destination);
  return address && remarkOnAddress(here, address, from);
}

/** Whether a port is one of those that node ports usually are (kube-apiserver, `--service-node-port-range`). */
const isUsual = (port: number) => port >= 30_000 && port <= 32_767;

/** The remarks of Services about a packet from the wire that reaches none of them in its network, for people. */
export function outsideRemarks(from: FromWire): readonly string[] {
  const { ports, protocol, destination } = from.packet;
  const remarks = from.services.all.flatMap((here) => remarkOn(here, from) ?? []);
  const isNodePort = ports !== undefined && isUsual(ports.destination) && from.uplinkAddresses.includes(destination);
  if (remarks.length > 0 || !isNodePort) return remarks;
  return [`no Service has node port ${portText({ port: ports.destination, protocol })}`];
}
