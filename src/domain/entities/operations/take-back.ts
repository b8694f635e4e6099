import { dependency } from '../dependencies.ts';
import { displaceableKindOf, displacedText } from '../displaceable.ts';
import { done } from '../../node-model/change.ts';
import { withAwaiting } from '../ownership/placed.ts';
import { ownersIn, type TakeBack } from './operation.ts';
import type { OperationSemantics } from './semantics.ts';

function summary({ entity, leaving, moves }: TakeBack): string {
  if (moves) return `${displacedText(entity)}, which is in the table of its VRF`;
  return leaving === undefined ? displacedText(entity) : `${displacedText(entity)}, back to ${displacedText(leaving)}`;
}

/** The meaning of undoing the restoration of an entity. */
export function takeBack({ entity }: TakeBack): OperationSemantics<TakeBack> {
  return { ...semantics, port: displaceableKindOf(entity).port };
}

const semantics: Omit<OperationSemantics<TakeBack>, 'port'> = {
  name: 'take-back',
  mark: '-',
  displaces: false,
  dependencies: ({ device }) => ({ uses: [dependency('before-cycle', device)] }),
  refusal: () => undefined,
  announced: (_operation, { ledger }) => ledger,
  effect: ({ entity, leaving }, node) => {
    if (leaving !== undefined) return displaceableKindOf(leaving).displaced.restore(leaving, node);
    const { remove, take } = displaceableKindOf(entity);
    return remove.effect?.(entity, node) ?? done(take(node, [entity]));
  },
  confirmed: ({ device, entity, origin = entity, moves }, after) =>
    moves ? after.ledger : withAwaiting(after, device, entity, origin),
  inverse: ({ device, entity, origin, ...owners }) => [
    { ...ownersIn(owners), verb: 'put-back', device, entity, ...(origin && { origin }) },
  ],
  disruption: () => 'none',
  command: ({ entity, leaving }, before) =>
    leaving === undefined
      ? displaceableKindOf(entity).remove.command(entity, before)
      : displaceableKindOf(leaving).displaced.restoreCommand(leaving),
  summary,
  discrepancy: (operation) => ({ path: summary(operation), found: 'present', wanted: 'absent' }),
};
