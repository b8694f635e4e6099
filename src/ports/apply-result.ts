import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';

/** The parts of a node that hold what the kernel drops with some operations. */
export type DroppableThings = Pick<
  NodeSnapshot,
  'links' | 'routes' | 'nextHopObjects' | 'neighbours' | 'neighbourProxies'
>;

/** The result of an operation. */
export type ApplyResult =
  | {
      readonly done: true;
      /** The node right before; absent where the kernel drops nothing with the operation, and where it could not be read. */
      readonly before?: {
        readonly things: DroppableThings;
        /** Whether that is complete: while the node changes all the time, something may be missing. */
        readonly isWhole: boolean;
      };
    }
  | {
      readonly done: false;
      /** The error of the program, the kernel or the database, in one line. */
      readonly error: string;
      /** Whether it was refused, so that certainly nothing has changed. Otherwise it may have been done all the same. */
      readonly isRefused?: true;
    };
