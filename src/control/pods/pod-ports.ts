import type { InterfaceLocks } from '../../ports/node/interface-locks.ts';
import type { LockSurroundingsSource } from '../../ports/node/lock-surroundings.ts';
import type { LogicalPorts } from '../../ports/node/logical-ports.ts';
import type { PodCluster } from '../../ports/pods/pod-cluster.ts';
import type { PodReport } from '../../ports/pods/pod-report.ts';
import type { SwitchPorts } from '../../ports/node/switch-ports.ts';
import type { Queues } from './queues.ts';
import type { Semaphore } from './semaphore.ts';
import type { Settled } from './settled.ts';
import type { PodSwitchPort } from '../../domain/pods/leftovers.ts';
import type { NodeSettings } from '../../domain/snapshot/settings.ts';

/** The databases of a node with the ports of its pods, and what passes their other interfaces. */
export interface PodDatabases {
  readonly logicalPorts: LogicalPorts;
  readonly switchPorts: SwitchPorts;
  readonly locks: InterfaceLocks;
  close(): void;
}

/** Needs of attachments of pods from the outside. */
export interface PodPorts extends Omit<PodDatabases, 'close'> {
  readonly cluster: PodCluster;
  readonly surroundings: LockSurroundingsSource;
  /** Unix time in seconds. */
  readonly now: () => number;
  /** Takes reports for logs and metrics; must not throw. */
  readonly report: (report: PodReport) => void;
}

/** Times, in milliseconds. */
export interface PodTiming {
  /** For the objects of the pod and its network to be known, the network to be programmed, and other pods to be attached. Kubelet gives up after two minutes (KubeletConfiguration, runtimeRequestTimeout). */
  readonly objects: number;
  /** For OVN to install the flows of a port. */
  readonly flows: number;
  /** For the network's router to answer. */
  readonly gateway: number;
  /** For the API server to take the annotation: packets do not depend on it. */
  readonly annotation: number;
}

/** All of them end before the plugin's own limit of 110 s. */
export const USUAL_POD_TIMING: PodTiming = { objects: 60_000, flows: 30_000, gateway: 10_000, annotation: 1000 };

/**
 * Names of the queues of a port. A port of the same name may be that of another network, where the network of a namespace has been replaced by one with the
 * same NetworkAttachmentDefinition.
 */
export function queuesOf({
  networkName,
  portName,
}: Pick<PodSwitchPort, 'networkName' | 'portName'>): readonly string[] {
  return [`network ${networkName}`, `port ${portName}`];
}

/** State that all calls share. */
export interface PodContext extends PodPorts {
  /** Where addresses are allocated, and leftovers are found: one at a time for each network, and for each logical switch port (`queuesOf`). */
  readonly queues: Queues;
  /** Attaches several pods at a time. */
  readonly attaching: Semaphore;
  readonly settings: NodeSettings;
  readonly timing: PodTiming;
  /** The pods whose runtimes have asked for an attachment, as `textOfKey` names them: their ports are made and removed as they ask. */
  readonly asked: Set<string>;
  /** Locks and annotations that a repair need not look at again, by the names of ports in Open vSwitch. */
  readonly settled: { readonly locks: Settled; readonly annotations: Settled };
}
