import type { FoundLoadBalancer, LoadBalancerChange } from '../../domain/services/load-balancer-changes.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';
import type { NetworkSwitch } from './logical-ports.ts';

/** The gateway router of a network. */
export interface NetworkRouter {
  readonly name: string;
  /** Name of the network in OVN. */
  readonly networkName: string;
}

/** Load balancers of Services, and the switches and routers that have them. */
export interface LoadBalancersSnapshot {
  /** Those of the networks that are programmed on the node. */
  readonly switches: readonly NetworkSwitch[];
  /** The gateway routers that ovn-uplinks has made. */
  readonly routers: readonly NetworkRouter[];
  /** Those that ovn-uplinks has made; the same list as before if none has changed. */
  readonly loadBalancers: readonly FoundLoadBalancer[];
}

/** A change that was made, and its number, by which it is confirmed. */
export type MadeChange = ApplyResult & { readonly number?: number };

/** The load balancers of Services in OVN's Northbound database. */
export interface LoadBalancers {
  /** Reads all: one that did not change is the same object. Never rejects. */
  read(): Promise<Reading<LoadBalancersSnapshot>>;
  /** Makes changes in one transaction. Never rejects. */
  apply(changes: readonly LoadBalancerChange[]): Promise<MadeChange>;
  /** Waits until OVN has confirmed that a change is in force; fails after a while. Never rejects. */
  confirmed(number: number): Promise<ApplyResult>;
  /** Calls a listener whenever any of it may have changed, or may be readable again, until the function that is returned is called. */
  onChange(listener: () => void): () => void;
  /** Ends the connection to the database. */
  close(): void;
}
