import { MANAGEMENT_PORT_KEY, LOGICAL_PORT_KEY } from '../../basics/conventions.ts';
import { lazyByObject } from '../../basics/incremental/by-identity.ts';
import { linkOf } from '../../node-model/device.ts';
import {
  addInternalPort,
  deleteInternalPort,
  type InternalPort,
  setInternalPort,
} from '../../node-model/internal-port.ts';
import { isManagementPortName } from '../../network/names/management-port.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import type { Bridge, NodeSnapshot, SwitchInterface } from '../../snapshot/node-snapshot.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { EntityChange, EntityKind } from '../entity-kind.ts';
import { type ManagementPort, managementPortCommand } from './management-port-command.ts';

/**
 * The management port of a network on the node: an internal port of OVN's integration bridge, and the device on the host that it is. By it the host and
 * the pods of the network reach each other (OKEP-5193, "Local Gateway Mode").
 */
export interface ManagementPortEntity extends ManagementPort {
  readonly kind: 'management-port';
}

function portOn(bridge: string, found: SwitchInterface): ManagementPortEntity {
  const { name: device, type, macAddress = '', requestedMtu: mtu = 0, externalIds } = found;
  const network = externalIds[MANAGEMENT_PORT_KEY];
  return {
    kind: 'management-port',
    device,
    bridge,
    type,
    logicalPort: externalIds[LOGICAL_PORT_KEY] ?? '',
    macAddress,
    mtu,
    ...(network !== undefined && { network }),
  };
}

const isConcerned = ({ name, externalIds }: SwitchInterface): boolean =>
  isManagementPortName(name) || externalIds[MANAGEMENT_PORT_KEY] !== undefined;

/** The ports of a bridge. */
export const managementPortsOn = lazyByObject(({ name, ports }: Bridge): readonly ManagementPortEntity[] =>
  ports.flatMap(({ interfaces }) => interfaces.filter(isConcerned).map((found) => portOn(name, found))),
);

/** Ports, and other devices of such names: Open vSwitch cannot add a port with the name of a device. */
function portsIn({ bridges, links }: NodeSnapshot): readonly ManagementPortEntity[] {
  const ports = bridges.flatMap(managementPortsOn);
  const names = new Set(ports.map(({ device }) => device));
  const others = links.filter(({ name }) => isManagementPortName(name) && !names.has(name));
  return [
    ...ports,
    ...others.map(({ name, kind = '' }): ManagementPortEntity => ({
      kind: 'management-port',
      device: name,
      bridge: '',
      type: kind,
      logicalPort: '',
      macAddress: '',
      mtu: 0,
    })),
  ];
}

/** Whether a port that is found is as desired. */
export function isSamePort(found: ManagementPort, desired: ManagementPort): boolean {
  return (
    found.bridge === desired.bridge &&
    found.type === desired.type &&
    found.network === desired.network &&
    found.logicalPort === desired.logicalPort &&
    found.macAddress === desired.macAddress &&
    found.mtu === desired.mtu
  );
}

function internalPort(entity: ManagementPortEntity): InternalPort {
  const { device, bridge, logicalPort, macAddress, mtu, network = '' } = entity;
  const externalIds = { [LOGICAL_PORT_KEY]: logicalPort, [MANAGEMENT_PORT_KEY]: network };
  return { bridge, name: device, macAddress, mtu, externalIds };
}

/** A port that the entity has been read from is again as it was, also that of another program. */
function added(node: NodeSnapshot, entity: ManagementPortEntity): NodeSnapshot {
  const change = addInternalPort(node, internalPort(entity));
  return change.done ? change.node : node;
}

function portText({ device, bridge }: ManagementPortEntity): string {
  return bridge === '' ? `device ${device}` : `management port ${device} on ${bridge}`;
}

/** Describes a port, for people. */
function contentText({ bridge, type, logicalPort, macAddress, mtu, network }: ManagementPortEntity): string {
  const ids = [logicalPort, ...(network === undefined ? [] : [`signed as ${network}`])];
  return [type, `on ${bridge}`, `MAC ${macAddress}`, `MTU ${mtu}`, ...ids].join(', ');
}

const addition: Pick<EntityChange<ManagementPortEntity>, 'dependencies'> = {
  dependencies: ({ device }, networks) => ({
    makes: [dependency('link', device), ...dependencies('network', networks)],
  }),
};

export const managementPort: EntityKind<ManagementPortEntity, 'switchDatabase'> = {
  kind: 'management-port',
  parts: ['bridges', 'links'],
  identity: ({ device }) => device,
  satisfies: isSamePort,
  all: portsIn,
  put: (node, entities) => entities.reduce(added, node),
  take: (node, entities) => entities.reduce((before, { device }) => deleteInternalPort(before, device), node),
  comparable: (entity, node) => {
    const {
      index: _,
      addresses: __,
      master: ___,
      up: ____,
      operationalState: _____,
      ...link
    } = linkOf(node, entity.device) ?? {};
    return { ...entity, link };
  },
  isOurs: ({ network }) => network !== undefined,
  conflictText: ({ device, bridge, type }, desired) =>
    bridge === ''
      ? `device ${device}${type === '' ? '' : ` of kind ${type}`} is not managed by ovn-uplinks; Open vSwitch cannot add a port with its name to ${desired.bridge}`
      : `port ${device} of bridge ${bridge} is not managed by ovn-uplinks`,
  anchor: ({ network = '' }) => ({ networkName: network, part: 'network' }),
  // A port cannot be moved to another bridge, and one of another network goes with what is on it. The kernel makes the link-local address of a device
  // when that comes up (net/ipv6/addrconf.c), and keeps it when the MAC address is changed.
  isReplaceable: (found, desired) =>
    found.bridge === desired.bridge && found.network === desired.network && found.macAddress === desired.macAddress,
  linkCycleDevices: ({ device }) => [device],
  port: 'switchDatabase',
  capturedIn: ({ bridge }) => [bridge === '' ? capturedFiles.links : capturedFiles.switchDatabase],
  text: portText,
  add: {
    ...addition,
    name: 'add-management-port',
    mark: '+',
    effect: (entity, node) => addInternalPort(node, internalPort(entity)),
    command: (entity) => managementPortCommand('add', entity),
  },
  replace: {
    ...addition,
    name: 'set-management-port',
    mark: '~',
    effect: (entity, node) => setInternalPort(node, internalPort(entity)),
    inverse: ({ device }, node) => {
      const found = portsIn(node).find((each) => each.device === device);
      return found === undefined ? [] : [{ verb: 'replace', entity: found }];
    },
    command: (entity) => managementPortCommand('replace', entity),
    discrepancy: (entity, node) => {
      const found = portsIn(node).find(({ device }) => device === entity.device);
      return {
        path: `management port ${entity.device}`,
        found: found === undefined ? 'none' : contentText(found),
        wanted: contentText(entity),
      };
    },
  },
  remove: {
    name: 'delete-management-port',
    mark: '-',
    dependencies: ({ device }, networks) => ({
      ends: [dependency('link', device), ...dependencies('traffic', networks)],
    }),
    refusal: ({ device }, node) =>
      portsIn(node).some((found) => found.device === device && found.network !== undefined)
        ? undefined
        : `management port ${device} is not managed by ovn-uplinks`,
    effect: ({ device }, node) => ({ done: true, node: deleteInternalPort(node, device) }),
    command: (entity) => managementPortCommand('remove', entity),
  },
};
