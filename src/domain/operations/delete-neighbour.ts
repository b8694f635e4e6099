import { deleteNeighbour as deleteNeighbourFrom } from '../node-model/neighbour.ts';
import { isOurs } from '../ownership/is-ours.ts';
import type { Neighbour } from '../snapshot/node-snapshot.ts';
import { deleteNeighbourCommand, neighbourText } from './neighbour-words.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Withdraws a neighbour of ours. */
export interface DeleteNeighbour extends OperationBase {
  readonly kind: 'delete-neighbour';
  readonly neighbour: Neighbour;
}

export const deleteNeighbour: OperationKind<DeleteNeighbour> = {
  mark: '-',
  dependencies: ({ neighbour, networks }) => ({
    uses: [`uncycled ${neighbour.device}`],
    ends: networks.map((name) => `mapped ${name}`),
  }),
  obstacle: ({ neighbour }, { ledger }) =>
    isOurs({ kind: 'neighbour', neighbour }, ledger) ? undefined : `${neighbourText(neighbour)} is not ours`,
  effect: ({ neighbour }, node) => deleteNeighbourFrom(node, neighbour),
  inverse: ({ networks, neighbour }) => [{ kind: 'add-neighbour', networks, neighbour }],
  disruption: () => 'none',
  command: ({ neighbour }) => deleteNeighbourCommand(neighbour),
  summary: ({ neighbour }) => neighbourText(neighbour),
};
