/**
 * The patch ports that ovn-controller adds for localnet ports and deletes with them (ovn-controller(8), ovn-bridge-mappings; tried on OVN 23.03).
 */
import { mappingsInForce } from '../../snapshot/bridge-mappings.ts';
import type { NorthboundRow } from '../../datapath/northbound/row.ts';
import type { Bridge, NodeSnapshot, SwitchPort } from '../../snapshot/node-snapshot.ts';
import { patchPortName } from '../../snapshot/patch-ports.ts';

/** Numbers from this one on are not those of ports (OpenFlow 1.4, OFPP_MAX). */
const RESERVED_PORT_NUMBERS = 0xff00;

function freePortNumber({ ports }: Bridge): number {
  const numbers = ports.flatMap(({ interfaces }) => interfaces.flatMap(({ openFlowPort }) => openFlowPort ?? []));
  return Math.max(0, ...numbers.filter((number) => number < RESERVED_PORT_NUMBERS)) + 1;
}

function patchPort(name: string, localnetPort: string, openFlowPort: number): SwitchPort {
  const externalIds = { 'ovn-localnet-port': localnetPort };
  return { name, externalIds, interfaces: [{ name, type: 'patch', openFlowPort, externalIds: {} }] };
}

/** The node with the patch port of a localnet port on one bridge, and on no other. */
function withPatchPort(node: NodeSnapshot, localnetPort: string, on: string | undefined): NodeSnapshot {
  const name = patchPortName(localnetPort);
  const hasPortOn = (bridge: Bridge) => bridge.ports.some((port) => port.name === name);
  const isRight = (bridge: Bridge) => hasPortOn(bridge) === (bridge.name === on);
  if (node.bridges.every(isRight)) return node;
  const bridges = node.bridges.map((bridge) => {
    if (isRight(bridge)) return bridge;
    const hasPort = hasPortOn(bridge);
    const ports = hasPort
      ? bridge.ports.filter((port) => port.name !== name)
      : [...bridge.ports, patchPort(name, localnetPort, freePortNumber(bridge))];
    return { ...bridge, ports };
  });
  // A setting goes with its port.
  const noFloodPorts = node.noFloodPorts.filter(({ bridge, port }) => port !== name || bridge === on);
  return { ...node, bridges, noFloodPorts };
}

/** Name of the network whose packets a localnet port carries; absent for other rows. */
export function localnetNetwork({ table, columns }: NorthboundRow): string | undefined {
  const { type, options } = columns;
  if (table !== 'Logical_Switch_Port' || type !== 'localnet') return undefined;
  if (typeof options !== 'object' || Array.isArray(options)) return undefined;
  return (options as Readonly<Record<string, string>>)['network_name'];
}

/** The node with the patch ports that the localnet ports of a network have by its bridge mapping. */
export function withPatchPortsOf(node: NodeSnapshot, networkName: string): NodeSnapshot {
  const mapped = mappingsInForce(node.switchExternalIds).find(([network]) => network === networkName)?.[1];
  return node.northbound
    .filter((row) => localnetNetwork(row) === networkName)
    .reduce((before, { name }) => withPatchPort(before, name, mapped), node);
}

/** The node without the patch port of a localnet port that is gone. */
export function withoutPatchPort(node: NodeSnapshot, localnetPort: string): NodeSnapshot {
  return withPatchPort(node, localnetPort, undefined);
}
