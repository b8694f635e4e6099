import { withAwaiting } from '../ownership/placed.ts';
import type { DisplacedThing } from '../ownership/ledger.ts';
import { addThing, addThingCommand, deleteThing, deleteThingCommand, thingText } from './displaced-thing-change.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Takes away again what was put back: only ever the inverse of that. */
export interface TakeBack extends OperationBase {
  readonly kind: 'take-back';
  readonly device: string;
  readonly thing: DisplacedThing;
  /** As of the put-back that it takes back. */
  readonly origin?: DisplacedThing;
  /** What the thing took the place of, and what is there again afterwards: a group of next hops that had lost members. */
  readonly leaving?: DisplacedThing;
}

export const takeBack: OperationKind<TakeBack> = {
  mark: '-',
  dependencies: ({ device }) => ({ uses: [`uncycled ${device}`] }),
  effect: ({ thing, leaving }, node) => (leaving === undefined ? deleteThing(thing, node) : addThing(leaving, node)),
  confirm: ({ device, thing, origin = thing }, after) => withAwaiting(after, device, thing, origin),
  inverse: ({ networks, device, thing, origin }) => [
    { kind: 'put-back', networks, device, thing, ...(origin && { origin }) },
  ],
  disruption: () => 'none',
  command: ({ thing, leaving }) => (leaving === undefined ? deleteThingCommand(thing) : addThingCommand(leaving)),
  summary: ({ thing, leaving }) =>
    leaving === undefined ? thingText(thing) : `${thingText(thing)}, back to ${thingText(leaving)}`,
};
