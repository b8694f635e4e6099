/**
 * The remains of attachments that were not completed or not deleted, as the agent or the node was restarted, or a database was lost.
 *
 * Container runtimes delete what they have added, but not after the node was restarted, and the plugin succeeds without an agent.
 */
import type { Attachment } from './cni/call.ts';
import type { PodRoute } from './cni/messages.ts';
import type { HostInterface } from './default-interfaces.ts';
import { type PodKey, textOfKey } from './pod-key.ts';

/** The logical switch port of a pod. */
export interface LogicalPort {
  readonly name: string;
  readonly switchName: string;
  readonly networkName: string;
  /** Namespace and name of the network's NetworkAttachmentDefinition. */
  readonly definition: string;
  readonly pod: PodKey;
  /** Without prefix length, IPv4 before IPv6. */
  readonly addresses: readonly string[];
  readonly mac: string;
}

/** The port of a pod in Open vSwitch. */
export interface PodSwitchPort {
  /** Name of the interface. */
  readonly name: string;
  /** Name of the logical switch port. */
  readonly portName: string;
  readonly networkName: string;
  /** Namespace and name of the network's NetworkAttachmentDefinition. */
  readonly definition: string;
  readonly pod: PodKey;
  readonly attachment: Attachment;
  /** CIDR, IPv4 before IPv6. */
  readonly addresses: readonly string[];
  readonly mac: string;
  /** The host’s ends of the pod’s interfaces in the default network. */
  readonly defaultInterfaces: readonly HostInterface[];
  /** Routes of answers by the default network that the plugin was asked for; none of pods that were attached by older agents. */
  readonly answers: readonly PodRoute[];
  /** Addresses of Services that the pod has routes to by the default network; absent for pods of older agents, which have routes to the subnets of all Services there. */
  readonly defaultServices?: readonly string[];
}

/** A port as Open vSwitch has it. */
export interface ObservedPodSwitchPort extends PodSwitchPort {
  /** Whether there is a device of its name. */
  readonly hasDevice: boolean;
  /** Whether ovn-controller has installed its flows (ovn-controller(8), ovn-installed). */
  readonly isInstalled: boolean;
}

/** The ports of attachments, as observed. */
export interface ObservedAttachments {
  readonly logicalPorts: readonly LogicalPort[];
  readonly switchPorts: readonly ObservedPodSwitchPort[];
}

/** The ports that have to be removed. */
export interface Leftovers {
  readonly switchPorts: readonly ObservedPodSwitchPort[];
  readonly logicalPorts: readonly LogicalPort[];
}

/**
 * Finds ports that nothing uses any more: those in Open vSwitch whose device is gone, and logical ones without a port in Open vSwitch whose pod is gone.
 * A pod that exists may be attached next, with the addresses that it has.
 *
 * @param pods those on this node that have not ended; undefined if they are not known
 * @param isBusy whether a container is being attached or detached
 */
export function leftovers(
  { logicalPorts, switchPorts }: ObservedAttachments,
  pods: readonly PodKey[] | undefined,
  isBusy: (containerId: string) => boolean,
): Leftovers {
  const isLeft = ({ hasDevice, attachment }: ObservedPodSwitchPort) => !hasDevice && !isBusy(attachment.containerId);
  const used = new Set(switchPorts.filter((port) => !isLeft(port)).map(({ portName }) => portName));
  const existing = pods && new Set(pods.map(textOfKey));
  return {
    switchPorts: switchPorts.filter(isLeft),
    logicalPorts: logicalPorts.filter(
      ({ name, pod }) => !used.has(name) && existing !== undefined && !existing.has(textOfKey(pod)),
    ),
  };
}
