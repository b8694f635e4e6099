import { type AddressRecord, knownAddresses } from '../../domain/pods/address-records.ts';
import { withoutLength } from '../../domain/basics/addresses/ip-address.ts';
import type { LogicalPort, PodSwitchPort } from '../../domain/pods/leftovers.ts';
import { podAddresses } from '../../domain/pods/pod-addresses.ts';
import type { PodAttachment } from '../../domain/pods/pod-attachment.ts';
import { exhaustedSentence } from '../../domain/status/pod-attachment.ts';
import type { LogicalPortsSnapshot } from '../../ports/node/logical-ports.ts';
import { type Attempt, notAttached, succeeded, unread, written } from './failure.ts';
import type { PodContext } from './pod-ports.ts';

/** The addresses of a network's pods on this node. */
function recordsOf(
  { cluster }: PodContext,
  { networkName, subnets }: PodAttachment,
  { ports }: LogicalPortsSnapshot,
  switchPorts: readonly PodSwitchPort[],
): readonly AddressRecord[] {
  const ofNetwork = ports.filter((port) => port.networkName === networkName);
  const names = new Set(ofNetwork.map(({ name }) => name));
  // The Northbound database may have been lost, and pods may run whose namespaces do not have the network any more.
  const running = switchPorts
    .filter((port) => port.networkName === networkName && !names.has(port.portName))
    .map(({ pod, addresses }) => ({ pod, addresses: addresses.map(withoutLength) }));
  return knownAddresses(subnets, [...ofNetwork, ...running], cluster.annotated(networkName)).records;
}

/** A port with addresses, and whether it was there before. */
export interface AllocatedPort {
  readonly port: LogicalPort;
  readonly isNew: boolean;
}

/** Whether two ports of a pod and a name are equal. */
function isSamePort(left: LogicalPort, right: LogicalPort): boolean {
  const textOf = ({ switchName, networkName, definition, addresses, mac, pod }: LogicalPort) =>
    JSON.stringify([switchName, networkName, definition, addresses, mac, pod.namespace, pod.name]);
  return textOf(left) === textOf(right);
}

/** Allocates the addresses of a pod, and stores them as its logical switch port. Not more than one at a time: two pods would get the same. */
export async function allocatedPort(context: PodContext, attachment: PodAttachment): Promise<Attempt<AllocatedPort>> {
  const { logicalPorts, switchPorts, now } = context;
  const { pod, networkName, definition, portName, switchName, subnets } = attachment;
  const [reading, switchReading] = await Promise.all([logicalPorts.read(), switchPorts.read()]);
  if (!reading.read) return unread('OVN’s Northbound database cannot be read', reading.problems);
  if (!switchReading.read) return unread('Open vSwitch’s database cannot be read', switchReading.problems);
  const { ports, released } = reading.value;
  const chosen = podAddresses({
    pod,
    subnets,
    records: recordsOf(context, attachment, reading.value, switchReading.value),
    released: released.filter((each) => each.networkName === networkName),
    now: now(),
  });
  if (chosen.kind === 'exhausted') {
    return notAttached('the pod cannot be attached', exhaustedSentence(chosen, networkName));
  }
  const { addresses, mac } = chosen;
  const port = { name: portName, switchName, networkName, definition, pod, addresses, mac };
  const existing = ports.find((each) => each.name === portName && each.pod.uid === pod.uid);
  if (existing !== undefined && isSamePort(existing, port)) return succeeded({ port, isNew: false });
  const put = written('the logical switch port of the pod cannot be created', await logicalPorts.put(port));
  return put.ok ? succeeded({ port, isNew: existing === undefined }) : put;
}
