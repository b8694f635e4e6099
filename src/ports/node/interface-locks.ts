import type { LockedInterface } from '../../domain/pods/lock-chains.ts';
import type { ApplyResult } from '../apply-result.ts';
import type { Reading } from '../input-problem.ts';

/** How the locks of the node differ from those that are wanted. */
export interface LockDifferences {
  /** Wanted ones of interfaces that are there, and have none. */
  readonly missing: readonly LockedInterface[];
  /** Wanted ones of interfaces that have another one, or parts of it. */
  readonly different: readonly LockedInterface[];
  /** Wanted ones that are not as wanted, of interfaces that are not there. */
  readonly absent: readonly LockedInterface[];
  /** Indexes of interfaces that have locks, and are not there any more. Other locks are of pods whose ports were lost: they stay. */
  readonly gone: readonly number[];
}

/** Locks of the interfaces of pods in the default network, and what passes them. They last until they are removed, or their interfaces are. */
export interface InterfaceLocks {
  /** The locks that there are, of which nothing else is asked meanwhile. Never rejects. */
  read(): Promise<Reading<ReadLocks>>;
  /** The locks as they were read last, with what was put and removed since; reads them once another program may have changed them. Never rejects. */
  known(): Promise<Reading<ReadLocks>>;
  /** Locks interfaces, or replaces their locks, each as a whole. If one of the interfaces is not there, the kernel may refuse it. Never rejects. */
  put(locks: readonly LockedInterface[]): Promise<ApplyResult>;
  /** Removes the locks of interfaces, by their indexes. Succeeds if there are none. Never rejects. */
  remove(indexes: readonly number[]): Promise<ApplyResult>;
  /** Removes all. Succeeds where this node cannot have any. Never rejects. */
  clear(): Promise<ApplyResult>;
  /**
   * Calls a listener whenever another program may have changed locks, until the function that is returned is called; and another function, once for each
   * reason, with a text for the log, if changes may be noticed late.
   */
  onChange(listener: () => void, reportProblem?: (problem: string) => void): () => void;
}

/** Locks at one moment. */
export interface ReadLocks {
  /** Parts of the lock of an interface, by its index: the same objects as long as nothing changes it. */
  partsOf(index: number): readonly unknown[];
  /**
   * How they differ from those that are wanted. Never rejects.
   *
   * @param others indexes of further interfaces whose locks stay
   */
  differences(wanted: readonly LockedInterface[], others?: readonly number[]): Promise<LockDifferences>;
}
