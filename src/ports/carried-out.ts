import type { NodeSnapshot } from '../domain/snapshot/node-snapshot.ts';

/** The parts of a node among which are things that the kernel drops with some operations. */
export type DroppableThings = Pick<
  NodeSnapshot,
  'links' | 'routes' | 'nextHopObjects' | 'neighbours' | 'neighbourProxies'
>;

/** What became of an operation. */
export type CarriedOut =
  | {
      readonly done: true;
      /** How things were right before; absent where the kernel drops none with the operation, and where they could not be read. */
      readonly before?: {
        readonly things: DroppableThings;
        /** Whether that is all there was. While things change all the time some may be missing. */
        readonly isWhole: boolean;
      };
    }
  | {
      readonly done: false;
      /** Why, in the words of whoever refused it: the program's, the kernel's or the database's. In one line. */
      readonly error: string;
      /** Whether it is certain that nothing was changed: whoever was asked has answered no. Otherwise it may have been done all the same. */
      readonly isRefused?: true;
    };
