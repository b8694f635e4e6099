import type { SingleOperation } from '../domain/entities/operations/operation.ts';
import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';

/** The parts of a node from which the kernel drops entities with some operations. */
export type DroppableEntities = Pick<
  NodeSnapshot,
  'links' | 'routes' | 'nextHopObjects' | 'neighbours' | 'neighbourProxies'
>;

/** A change of a set that was not made, and why. */
export interface LeftOut {
  readonly change: SingleOperation;
  /** In one line. */
  readonly error: string;
  /** Whether it only waits for a port, which another program adds. */
  readonly isAwaited?: true;
}

/** The result of an operation or a write. */
export type ApplyResult =
  | {
      readonly done: true;
      /** The node right before; absent if the kernel drops nothing with the operation, or if it could not be read. */
      readonly before?: {
        readonly entities: DroppableEntities;
        /** Whether the lists are complete: while the node keeps changing, entities may be missing. */
        readonly isComplete: boolean;
      };
      /** Changes of a set that were left out; absent where all were made. */
      readonly leftOut?: readonly LeftOut[];
    }
  | {
      readonly done: false;
      /** The error of the program, the kernel or the database, in one line. */
      readonly error: string;
      /** Whether it was refused, so that nothing has changed. Otherwise it may have taken effect. */
      readonly isRefused?: true;
      /** Whether what carries it out ended meanwhile or was not there, as while it is restarted: it may be carried out in a moment. */
      readonly isUnavailable?: true;
    };
