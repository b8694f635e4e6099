/**
 * Why is a network where it is on a node? The facts that decided, in the order of the decision, each with the object or file that it comes
 * from; and what would change the verdict.
 */

import type { Disruption } from '../entities/entity-kind.ts';

/** What it all comes to. */
export interface Verdict {
  readonly active: boolean;
  readonly bridge?: string;
  readonly vlan?: number;
  /** The routing domain as people call it. */
  readonly routingDomain: string;
  /** Absent in the default routing domain, and where none can be named. */
  readonly vrf?: string;
  readonly held: boolean;
  /** `Ready`, or what stands in the way. */
  readonly reason: string;
  readonly message: string;
}

/** One fact that decided. */
export interface Fact {
  /** Facts under another one say why it is so. */
  readonly depth: number;
  readonly text: string;
  /** Objects as `Kind/name`, files of a capture by their name. */
  readonly sources: readonly string[];
}

/** A single change that would change the verdict. */
export interface CandidateVerdict {
  readonly change: string;
  readonly verdict: Verdict;
}

/** One operation that would be done for the network, as `plan` shows it. */
export interface ExplainedOperation {
  /** `+` makes a thing, `~` changes one, `-` removes one. */
  readonly mark: '+' | '~' | '-';
  readonly summary: string;
  readonly disruption: Disruption;
  /** What it disturbs, for a person; absent where it disturbs nothing. */
  readonly disturbs?: string;
}

/** The explanation of one network on one node. */
export interface Explanation {
  readonly network: string;
  readonly node: string;
  readonly verdict: Verdict;
  readonly facts: readonly Fact[];
  /** What would be done for the network, in order; absent where the node was not observed. */
  readonly operations?: readonly ExplainedOperation[];
  /** At most three. */
  readonly changes: readonly CandidateVerdict[];
}
