import type { PodIdentity } from '../../domain/pods/cni/environment.ts';
import type { CniError } from '../../domain/pods/cni/error.ts';
import type { PodKey } from '../../domain/pods/pod-key.ts';

/** A call of a container runtime that was answered. */
export interface AnsweredCall {
  readonly kind: 'answered';
  /** As CNI_COMMAND; `invalid` for a call that cannot be read. */
  readonly command: 'ADD' | 'DEL' | 'CHECK' | 'STATUS' | 'GC' | 'invalid';
  /** As `Pod/demo/web`; absent where the call does not name one. */
  readonly pod?: string;
  /** Name of the network in OVN; absent where the call does not name one. */
  readonly network?: string;
  readonly containerId?: string;
  readonly milliseconds: number;
  /** Absent after a success. */
  readonly error?: CniError;
}

/**
 * A step of attaching a pod, in their order: waiting for objects of the pod and its network, and for other pods to be attached; reading the namespace; storing
 * addresses in OVN; creating the interface; adding it to Open vSwitch; locking the interface in the default network while OVN installs flows; asking the
 * network’s router; annotating the pod.
 */
export type AttachStep =
  'objects' | 'turn' | 'namespace' | 'addresses' | 'interface' | 'port' | 'lock' | 'flows' | 'answer' | 'annotation';

/** A step of attaching a pod that has ended, whether it succeeded or not. */
export interface AttachStepReport {
  readonly kind: 'attach-step';
  readonly step: AttachStep;
  readonly pod: PodIdentity;
  readonly milliseconds: number;
}

/** A report on attachments of pods, for logs and metrics. */
export type PodReport =
  | AnsweredCall
  | AttachStepReport
  /** The container runtimes are served from now on. */
  | { readonly kind: 'serving'; readonly socket: string }
  /** A port in Open vSwitch whose device is gone, or a logical switch port whose pod is gone, was removed. */
  | { readonly kind: 'leftover-removed'; readonly port: string; readonly pod: PodKey }
  /** The logical switch port of a running pod was restored. */
  | { readonly kind: 'port-restored'; readonly port: string; readonly pod: PodKey }
  /** An interface of an attached pod in the default network was locked again, or has another lock since what it follows from has changed. */
  | {
      readonly kind: 'lock-repaired';
      /** Name of the host’s end. */
      readonly interface: string;
      readonly pod: PodKey;
      readonly wasMissing: boolean;
    }
  /** A pod was detached as everything is removed from the node: its interface stays until it is deleted, and leads nowhere. */
  | { readonly kind: 'detached'; readonly port: string; readonly pod: PodKey }
  | { readonly kind: 'detach-failed'; readonly error: string }
  | { readonly kind: 'warning'; readonly text: string }
  /** The number of pods that are attached. */
  | { readonly kind: 'attached'; readonly pods: number }
  | {
      readonly kind: 'repair-failed';
      readonly error: string;
      /** Milliseconds until the next attempt, unless something changes before. */
      readonly retryIn: number;
    };
