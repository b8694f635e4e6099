import { putNeighbour } from '../node-model/neighbour.ts';
import type { Neighbour } from '../snapshot/node-snapshot.ts';
import { neighbourText, putNeighbourCommand } from './neighbour-words.ts';
import type { OperationBase, OperationKind } from './operation.ts';

/** Adds a permanent neighbour of ours, signed by its protocol. */
export interface AddNeighbour extends OperationBase {
  readonly kind: 'add-neighbour';
  readonly neighbour: Neighbour;
}

export const addNeighbour: OperationKind<AddNeighbour> = {
  mark: '+',
  dependencies: ({ neighbour, networks }) => ({
    makes: networks.map((name) => `network ${name}`),
    needs: [`cycled ${neighbour.device}`, `put back ${neighbour.device}`],
  }),
  effect: ({ neighbour }, node) => putNeighbour(node, neighbour),
  inverse: ({ networks, neighbour }) => [{ kind: 'delete-neighbour', networks, neighbour }],
  disruption: () => 'none',
  command: ({ neighbour }) => putNeighbourCommand(neighbour),
  summary: ({ neighbour }) => neighbourText(neighbour),
};
