import { bridge } from '../bridge.ts';
import { ip, ovsVsctl } from '../commands.ts';
import type { ArgumentVector } from '../node.ts';
import { bridgeOf, common, type LabUplink } from './tenant.ts';

/** The network namespace of an uplink's provider (ip-netns(8)). Its end of the wire is eth0. */
export const providerNamespace = ({ name }: LabUplink) => `${name}-provider`;

/** The physical port of an uplink's bridge: the node's end of the wire. */
export const wireOf = ({ name }: LabUplink) => `eth-${name}`;

/** The provider of an uplink: a router in a namespace, at the other end of the wire, with addresses behind it. It knows the MTU of pods. */
export function provider(uplink: LabUplink): readonly ArgumentVector[] {
  const [namespace, wire] = [providerNamespace(uplink), wireOf(uplink)];
  const { vlan } = uplink;
  const device = vlan === undefined ? 'eth0' : `eth0.${vlan}`;
  return [
    ip`netns add ${namespace}`,
    ip`link add ${wire} up type veth peer name eth0 netns ${namespace}`,
    ip`-n ${namespace} link set lo up`,
    ip`-n ${namespace} link set eth0 up`,
    ...(vlan === undefined ? [] : [ip`-n ${namespace} link add link eth0 name ${device} up type vlan id ${vlan}`]),
    ...common.gateways.map(
      (address, index) =>
        ip`-n ${namespace} address add ${address}/${common.linkPrefixLengths[index] ?? 0} dev ${device} nodad`,
    ),
    ...common.outside.map((address) => ip`-n ${namespace} address add ${address} dev lo nodad`),
    ...common.nodeSubnets.map(
      (subnet, index) => ip`-n ${namespace} route add ${subnet} via ${common.uplink[index] ?? ''} mtu ${common.mtu}`,
    ),
    // Pods of networks that are not advertised are behind the uplink's address.
    ...common.uplink.map((address) => ip`-n ${namespace} route add ${address} dev ${device} mtu ${common.mtu}`),
  ];
}

/**
 * The bridge of an uplink, with the wire to the provider, and the routes of an administrator.
 *
 * @param place among the uplinks of the node: the main table holds one default route of each metric
 */
export function uplinkBridge(uplink: LabUplink, place: number): readonly ArgumentVector[] {
  const addresses = common.uplink.map((address, index) => `${address}/${common.linkPrefixLengths[index] ?? 0}`);
  return [
    ...bridge(bridgeOf(uplink), { addresses, macAddress: uplink.macAddress }),
    ovsVsctl`add-port ${bridgeOf(uplink)} ${wireOf(uplink)}`,
    ...common.gateways.map(
      (gateway) => ip`route add default via ${gateway} dev ${bridgeOf(uplink)} metric ${101 + place}`,
    ),
  ];
}
