import { placeIn, thingKey, vrfTableOf } from '../ownership/displaced-things.ts';
import type { DisplacedThing, LedgerEntry } from '../ownership/ledger.ts';
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
  confirm: ({ device, thing }, { ledger, links }) => {
    const linkOf = (name: string) => links.find((link) => link.name === name);
    const vrfTable = vrfTableOf(linkOf(device), linkOf);
    const key = thingKey(thing);
    const entries = ledger.entries.map((entry): LedgerEntry => {
      if (entry.kind !== 'displaced' || thingKey(placeIn(entry.thing, device, vrfTable)) !== key) return entry;
      return { ...entry, state: 'awaiting' };
    });
    return { ...ledger, entries };
  },
  inverse: ({ networks, device, thing }) => [{ kind: 'put-back', networks, device, thing }],
  disruption: () => 'none',
  command: ({ thing }) => deleteThingCommand(thing),
  summary: ({ thing }) => thingText(thing),
};
