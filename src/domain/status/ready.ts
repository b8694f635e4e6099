import type { Condition } from '../api/condition.ts';
import type { Discovery, DiscoveryFailure, ReservedBridgeRole } from '../discovery/discovery.ts';
import { nameSample } from './node-sample.ts';
import type { ReadyReason } from './reasons.ts';

/** Condition Ready of an UplinkState. */
export type ReadyCondition = Condition<'Ready', ReadyReason>;

const roles: Readonly<Record<ReservedBridgeRole, string>> = {
  integration: "OVN's integration bridge",
  'default-gateway': 'the default gateway bridge',
  'egress-gateway': 'the legacy egress gateway bridge',
};

/** Says why discovery failed. */
export function discoverySentence(failure: DiscoveryFailure, hostInterfaceName: string): string {
  switch (failure.reason) {
    case 'HostInterfaceNotFound':
      return interfaceSentence(failure, hostInterfaceName);
    case 'GatewayInfoUnavailable':
      return gatewaySentence(failure, hostInterfaceName);
    case 'BridgeNotFound':
      return `interface ${hostInterfaceName} is not on an Open vSwitch bridge`;
    case 'BridgeInvalid':
      return bridgeSentence(failure, hostInterfaceName);
    case 'MTUInvalid':
      return `MTU ${failure.mtu} of ${failure.device} is below ${failure.required}, ${
        failure.network === undefined ? 'the MTU of the default network' : `the MTU of network ${failure.network}`
      }`;
  }
}

/** Says why an interface or a VRF of a name cannot be used. */
export function takenForNumberSentence(device: string): string {
  return `${device} cannot be used: without a device of that name, ip takes a name that begins with "if" and a number for an interface index`;
}

function interfaceSentence(
  failure: DiscoveryFailure & { readonly reason: 'HostInterfaceNotFound' },
  hostInterfaceName: string,
): string {
  switch (failure.cause) {
    case 'absent':
      return `interface ${hostInterfaceName} does not exist`;
    case 'impossible-name':
      return `interface ${JSON.stringify(hostInterfaceName)} cannot exist: a name has 1 to 15 bytes without "/", ":" or white space, and is not "." or ".."`;
    case 'taken-for-number':
      return takenForNumberSentence(`interface ${hostInterfaceName}`);
    case 'equals-sign':
      return `interface ${hostInterfaceName} cannot be used: sysctl takes what follows "=" for the value of a setting`;
  }
}

function gatewaySentence(
  failure: DiscoveryFailure & { readonly reason: 'GatewayInfoUnavailable' },
  hostInterfaceName: string,
): string {
  switch (failure.cause) {
    case 'no-mac-address':
      return `interface ${hostInterfaceName} has no unicast MAC address${failure.macAddress === undefined ? '' : `: ${failure.macAddress}`}`;
    case 'down':
      return `interface ${hostInterfaceName} is ${failure.state}`;
    case 'no-address':
      return `interface ${hostInterfaceName} has no global address that can be published`;
  }
}

/** Says why a port carries no untagged frames to the host, and what can be done. */
function hostVlanSentence(
  { port, bridge, mode }: Extract<DiscoveryFailure, { readonly cause: 'no-untagged-frames' }>,
  hostInterfaceName: string,
): string {
  const what = `port ${port} of bridge ${bridge}`;
  switch (mode) {
    case 'trunk':
      return `${what} is a trunk without VLAN 0, so interface ${hostInterfaceName} gets no untagged frames: add 0 to its trunks, or make it an access port`;
    case 'native-tagged':
      return `${what} sends frames of its native VLAN to interface ${hostInterfaceName} with a tag: set its vlan_mode to native-untagged or access`;
    default:
      return `${what} is in VLAN mode ${mode}: set its vlan_mode to access or trunk`;
  }
}

function notAddedSentence({
  port,
  bridge,
  error,
}: Extract<DiscoveryFailure, { readonly cause: 'port-not-added' }>): string {
  return error === undefined
    ? `Open vSwitch has not added port ${port} to bridge ${bridge}`
    : `Open vSwitch could not add port ${port} to bridge ${bridge}: ${error}`;
}

function noPortSentence({
  bridge,
  guests = [],
}: Extract<DiscoveryFailure, { readonly cause: 'no-physical-port' }>): string {
  const what = `bridge ${bridge} has no physical port`;
  if (guests.length === 0) return what;
  const ports = nameSample(guests.map(({ port, key }) => `${port} (${key})`));
  return `${what} except those that external_ids mark as ports of guests: ${ports}; if one leads to the wire, name it in external_ids:bridge-uplink of the bridge`;
}

function bridgeSentence(
  failure: DiscoveryFailure & { readonly reason: 'BridgeInvalid' },
  hostInterfaceName: string,
): string {
  switch (failure.cause) {
    case 'reserved':
      return `bridge ${failure.bridge} is ${roles[failure.role]}`;
    case 'unmappable-name':
      return `bridge ${failure.bridge} cannot be used in ovn-bridge-mappings: its name contains a comma or a colon`;
    case 'name-twice':
      return `Open vSwitch has more than one port for ${failure.name}, on ${nameSample(failure.bridges)}`;
    case 'several-representors':
      return `several representors on bridges have the MAC address of interface ${hostInterfaceName}: ${nameSample(failure.representors)}`;
    case 'host-interface-is-physical':
      return `interface ${hostInterfaceName} is itself the physical port of bridge ${failure.bridge}`;
    case 'no-untagged-frames':
      return hostVlanSentence(failure, hostInterfaceName);
    case 'vlan-not-carried':
      return `physical port ${failure.port} of bridge ${failure.bridge} does not carry ${
        failure.vlan === 0 ? 'untagged frames' : `tagged frames of VLAN ${failure.vlan}`
      }: make it a trunk that carries VLAN ${failure.vlan}`;
    case 'port-not-added':
      return notAddedSentence(failure);
    case 'no-physical-port':
      return noPortSentence(failure);
    case 'several-physical-ports':
      return `bridge ${failure.bridge} has several physical ports (${nameSample(failure.ports)}) and no external_ids:bridge-uplink`;
    case 'named-port-unusable':
      return failure.why === 'absent'
        ? `external_ids:bridge-uplink of bridge ${failure.bridge} names ${failure.port}, which is neither a port of the bridge nor the interface of one`
        : `external_ids:bridge-uplink of bridge ${failure.bridge} names ${failure.port}, which is not a physical port`;
    case 'switch-bond':
      return `physical port ${failure.port} of bridge ${failure.bridge} is an Open vSwitch bond; use a kernel bond instead`;
    case 'physical-port-down':
      return `physical port ${failure.port} of bridge ${failure.bridge} is ${failure.state}`;
  }
}

/** Condition Ready from what discovery found. */
export function readyCondition({ facts, failure }: Discovery, hostInterfaceName: string): ReadyCondition {
  if (failure !== undefined) {
    return {
      type: 'Ready',
      status: 'False',
      reason: failure.reason,
      message: discoverySentence(failure, hostInterfaceName),
    };
  }
  const message = `interface ${hostInterfaceName} on bridge ${facts.bridge}, physical port ${facts.physicalPort}`;
  return { type: 'Ready', status: 'True', reason: 'Ready', message };
}

/** Condition Ready where the Uplink selects several interfaces for the node. */
export function overlapCondition(hostInterfaceNames: readonly string[]): ReadyCondition {
  return {
    type: 'Ready',
    status: 'False',
    reason: 'NodeSelectorOverlap',
    message: overlapSentence(hostInterfaceNames),
  };
}

/** Says which interfaces the Uplink selects for one node. */
export function overlapSentence(hostInterfaceNames: readonly string[]): string {
  return `more than one item of nodeConfigs applies to this node: ${nameSample(hostInterfaceNames)}`;
}
