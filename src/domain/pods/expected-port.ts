/**
 * Should the logical switch port of a pod be there before its runtime asks for the attachment? OVN needs some time for it, in which the runtime does other work.
 */
import { POD_NETWORKS_ANNOTATION } from '../basics/conventions.ts';
import { activates } from '../selection/active-nodes.ts';
import type { NodeSettings } from '../snapshot/settings.ts';
import type { LogicalPort, PodSwitchPort } from './leftovers.ts';
import { annotatedAddresses } from './pod-annotation.ts';
import { attachmentsOf, type PodAttachment, type PodFacts } from './pod-attachment.ts';

/** The ports of a node, by the names of logical switch ports. */
export interface PortsByName {
  readonly logicalPorts: ReadonlyMap<string, Pick<LogicalPort, 'pod'>>;
  readonly switchPorts: ReadonlyMap<string, Pick<PodSwitchPort, 'pod'>>;
}

/**
 * Attachments of a pod that lack a logical switch port, which is to be made now.
 *
 * A pod whose annotation has addresses was attached already: its port was removed with its container, and the pod may be ending. A port of its name, in OVN or in
 * Open vSwitch, is its own, or that of a pod of the same name before it, which has to go first.
 *
 * @param uid of the pod
 */
export function expectedPorts(
  facts: PodFacts,
  uid: string,
  { logicalPorts, switchPorts }: PortsByName,
  settings: NodeSettings,
): readonly PodAttachment[] {
  const { pod } = facts;
  if (pod === undefined || !activates(pod) || pod.metadata.deletionTimestamp !== undefined) return [];
  const found = attachmentsOf(facts, uid, settings);
  if (found.kind === 'missing') return [];
  const text = pod.metadata.annotations?.[POD_NETWORKS_ANNOTATION];
  return found.attachments.filter(
    ({ portName, definition }) =>
      !logicalPorts.has(portName) && !switchPorts.has(portName) && annotatedAddresses(text, definition) === undefined,
  );
}
