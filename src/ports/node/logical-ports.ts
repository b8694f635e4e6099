import type { LogicalPort } from '../../domain/pods/leftovers.ts';
import type { ReleasedAddress } from '../../domain/pods/pod-addresses.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';

/** An address of a network whose pod has gone. */
export interface ReleasedByNetwork extends ReleasedAddress {
  readonly networkName: string;
}

/** The switch of a network that ovn-uplinks provides, for the pods of this node. */
export interface NetworkSwitch {
  readonly name: string;
  readonly networkName: string;
  /** The id of the network that it was programmed for: one that is created again has another one. Absent as long as its transit switch is missing. */
  readonly networkId?: number;
}

/** Logical switch ports of pods, and addresses that have not rested yet. */
export interface LogicalPortsSnapshot {
  /** Those of the networks that are programmed on the node. */
  readonly switches: readonly NetworkSwitch[];
  readonly ports: readonly LogicalPort[];
  readonly released: readonly ReleasedByNetwork[];
}

/** The logical switch ports of pods in OVN's Northbound database. */
export interface LogicalPorts {
  /** Reads all: a port that did not change is the same object. Never rejects. */
  read(): Promise<Reading<LogicalPortsSnapshot>>;
  /** Creates a port, or replaces the one of its name. Fails if its network has no such switch. Never rejects. */
  put(port: LogicalPort): Promise<ApplyResult>;
  /**
   * Deletes the port of a pod, whose addresses rest from then on; a port of its name of another pod stays. Succeeds if there is none. Never rejects.
   *
   * @param now Unix time in seconds
   */
  remove(port: LogicalPort, now: number): Promise<ApplyResult>;
  /** Calls a listener whenever any of it may have changed, or may be readable again, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
}
