/**
 * The explanation of a network's state on a node: the facts that decided, in the order of the decisions, each with its object or file, and changes
 * that would change the verdict.
 */

import type { Disruption } from '../entities/entity-kind.ts';

/** Whether a network that ovn-uplinks provides is ready on a node. */
export interface ReadinessVerdict {
  /** A reason of condition NetworkReady, which is `NetworkReady` if it is. */
  readonly reason: string;
  readonly message: string;
}

/** The result of all decisions. */
export interface NetworkVerdict {
  readonly active: boolean;
  readonly bridge?: string;
  readonly vlan?: number;
  /** The routing domain, for people. */
  readonly routingDomain: string;
  /** Absent in the default routing domain, or if none can be named. */
  readonly vrf?: string;
  readonly held: boolean;
  /** `Ready`, or the reason why not. */
  readonly reason: string;
  readonly message: string;
}

/** One fact that decided. */
export interface Fact {
  /** Facts that explain this one. */
  readonly depth: number;
  readonly text: string;
  /** Objects as `Kind/name`, files of a capture by their name. */
  readonly sources: readonly string[];
}

/** A single change that would change the verdict. */
export interface CandidateVerdict {
  readonly change: string;
  readonly verdict: NetworkVerdict;
}

/** An operation for the network, as `plan` prints it. */
export interface ExplainedOperation {
  /** `+` adds an entity, `~` changes one, `-` removes one. */
  readonly mark: '+' | '~' | '-';
  readonly summary: string;
  readonly disruption: Disruption;
  /** Its disruption, for people; absent for none. */
  readonly disturbs?: string;
}

/** The explanation of one network on one node. */
export interface Explanation {
  readonly network: string;
  readonly node: string;
  /** The logical network, apart from its uplink; absent if another implementation provides it, or if it is not active. */
  readonly readiness?: ReadinessVerdict;
  /** The network on its uplink. */
  readonly verdict: NetworkVerdict;
  readonly facts: readonly Fact[];
  /** The operations for the network, in order; absent if the node was not observed. */
  readonly operations?: readonly ExplainedOperation[];
  /** At most three. */
  readonly changes: readonly CandidateVerdict[];
}
