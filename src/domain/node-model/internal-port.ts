/**
 * Internal ports of Open vSwitch, each of which is a device on the host (ovs-vswitchd.conf.db(5), Interface, type; tried on Open vSwitch 3.1 and Linux
 * 6.1): a new device is down, and goes with its port.
 */
import { withDeviceSettings } from '../snapshot/device-settings.ts';
import type { Link, NodeSnapshot, SwitchPort } from '../snapshot/node-snapshot.ts';
import { type Change, done, refused, refusedAsExisting } from './change.ts';
import { linkOf, withLink } from './device.ts';
import { withoutLink } from './link.ts';
import { rulesAfterDevice } from './rules/rule.ts';

/** An internal port whose interface has its name. */
export interface InternalPort {
  readonly bridge: string;
  readonly name: string;
  readonly macAddress: string;
  /** In bytes. */
  readonly mtu: number;
  /** Of the interface. */
  readonly externalIds: Readonly<Record<string, string>>;
}

function switchPort({ name, macAddress, mtu, externalIds }: InternalPort): SwitchPort {
  const port = { name, type: 'internal', mtu, macAddress, requestedMtu: mtu, externalIds };
  return { name, externalIds: {}, interfaces: [port] };
}

/** Adds a port: `ovs-vsctl add-port BRIDGE NAME -- set interface NAME type=internal …`. Refused if a device has its name. */
export function addInternalPort(node: NodeSnapshot, port: InternalPort): Change {
  const { bridge, name, macAddress, mtu } = port;
  if (node.bridges.every((each) => each.name !== bridge)) return refused('there is no bridge', bridge);
  if (node.links.some((link) => link.name === name || link.alternativeNames?.includes(name) === true)) {
    return refusedAsExisting(name);
  }
  const link: Link = {
    index: Math.max(0, ...node.links.map(({ index }) => index)) + 1,
    name,
    kind: 'openvswitch',
    up: false,
    operationalState: 'down',
    mtu,
    type: 'ether',
    macAddress,
    addressGeneration: 'eui64',
    addresses: [],
  };
  const links = [...node.links, link];
  return done({
    ...node,
    bridges: node.bridges.map((each) =>
      each.name === bridge ? { ...each, ports: [...each.ports, switchPort(port)] } : each,
    ),
    links,
    rules: rulesAfterDevice({ links, rules: node.rules }, name),
    sysctls: withDeviceSettings(node.sysctls, name),
  });
}

/** Sets MAC address, MTU and external_ids of a port, whatever bridge it is on: `ovs-vsctl set interface NAME …`. */
export function setInternalPort(node: NodeSnapshot, port: InternalPort): Change {
  const { name, macAddress, mtu } = port;
  const [wanted] = switchPort(port).interfaces;
  const bridges = node.bridges.map((bridge) => ({
    ...bridge,
    ports: bridge.ports.map((each) => ({
      ...each,
      interfaces: each.interfaces.map((found) => (found.name === name ? { ...found, ...wanted } : found)),
    })),
  }));
  return done(withLink({ ...node, bridges }, name, (link) => ({ ...link, macAddress, mtu })));
}

/** Deletes the ports that have an interface of a name, with the device: `ovs-vsctl del-port NAME`. */
export function deleteInternalPort(node: NodeSnapshot, name: string): NodeSnapshot {
  const bridges = node.bridges.map((bridge) => {
    const ports = bridge.ports.filter(({ interfaces }) => interfaces.every((each) => each.name !== name));
    return ports.length === bridge.ports.length ? bridge : { ...bridge, ports };
  });
  const link = linkOf(node, name);
  const left = { ...node, bridges };
  return link === undefined ? left : withoutLink(left, link);
}
