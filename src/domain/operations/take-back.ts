import { withAwaiting } from '../ownership/placed.ts';
import type { DisplacedThing } from '../ownership/ledger.ts';
import { deleteThing, deleteThingCommand, thingText } from './displaced-thing-change.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Takes away again what was put back: only ever the inverse of that. */
export interface TakeBack extends OperationBase {
  readonly kind: 'take-back';
  readonly device: string;
  readonly thing: DisplacedThing;
}

export const takeBack: OperationKind<TakeBack> = {
  mark: '-',
  dependencies: ({ device }) => ({ uses: [`uncycled ${device}`] }),
  effect: ({ thing }, node) => deleteThing(thing, node),
  confirm: ({ device, thing }, after) => withAwaiting(after, device, thing),
  inverse: ({ networks, device, thing }) => [{ kind: 'put-back', networks, device, thing }],
  disruption: () => 'none',
  command: ({ thing }) => deleteThingCommand(thing),
  summary: ({ thing }) => thingText(thing),
};
