import { OWN_ROUTE_PROTOCOL } from '../conventions.ts';
import { deleteNeighbour, putManagedNeighbour } from '../node-model/neighbour.ts';
import type { Neighbour } from '../snapshot/node-snapshot.ts';
import { ip } from './command.ts';
import { dependencies, dependency } from './dependencies.ts';
import type { EntityKind } from './entity-kind.ts';
import { isOwnNeighbour } from './neighbour.ts';
import { without } from './parts.ts';

/** A neighbour whose MAC address the kernel keeps resolved, whoever sends to it (ip-neighbour(8), `managed`; Linux 5.16). */
export interface ManagedNeighbourEntity {
  readonly kind: 'managed-neighbour';
  /** Without MAC address and states where it is only desired. */
  readonly neighbour: Neighbour;
}

/** Whether the kernel keeps a neighbour resolved. */
export function isManaged({ states }: Neighbour): boolean {
  return states.includes('managed');
}

/** The neighbour that is desired. */
export function managedNeighbour(device: string, address: string): ManagedNeighbourEntity {
  return {
    kind: 'managed-neighbour',
    neighbour: { device, address, states: ['managed'], protocol: OWN_ROUTE_PROTOCOL },
  };
}

function entityOf(neighbour: Neighbour): ManagedNeighbourEntity {
  return { kind: 'managed-neighbour', neighbour };
}

export const managedNeighbourKind: EntityKind<ManagedNeighbourEntity, 'hostNetwork'> = {
  kind: 'managed-neighbour',
  part: 'neighbours',
  identity: ({ neighbour: { device, address } }) => `${device} ${address}`,
  serves: ({ neighbour }) => isManaged(neighbour),
  all: ({ neighbours }) => neighbours.filter(isManaged).map(entityOf),
  put: (node, entities) => ({
    ...node,
    neighbours: [...node.neighbours, ...entities.map(({ neighbour }) => neighbour)],
  }),
  take: (node, entities) => ({ ...node, neighbours: without(node.neighbours, entities, ({ neighbour }) => neighbour) }),
  // The kernel changes the rest by itself.
  comparable: ({ neighbour: { device, address, protocol } }) => ({ device, address, protocol }),
  source: ({ neighbour }) => neighbour,
  isOurs: ({ neighbour }) => isOwnNeighbour(neighbour),
  anchor: ({ neighbour: { device } }) => ({ device }),
  port: 'hostNetwork',
  failureReason: 'UplinkVRFAttachmentFailed',
  text: ({ neighbour: { address, device } }) => `managed neighbour ${address} on ${device}`,
  add: {
    name: 'add-managed-neighbour',
    mark: '+',
    dependencies: ({ neighbour: { device } }, networks) => ({
      makes: dependencies('network', networks),
      needs: [dependency('after-cycle', device), dependency('restored', device)],
    }),
    effect: ({ neighbour }, node) => putManagedNeighbour(node, neighbour),
    command: ({ neighbour: { address, device } }) =>
      ip('neighbour', 'replace', address, 'dev', device, 'managed', 'protocol', OWN_ROUTE_PROTOCOL),
  },
  remove: {
    name: 'delete-managed-neighbour',
    mark: '-',
    dependencies: ({ neighbour: { device } }, networks) => ({
      uses: [dependency('before-cycle', device)],
      ends: dependencies('traffic', networks),
    }),
    refusal: (entity) =>
      isOwnNeighbour(entity.neighbour)
        ? undefined
        : `${managedNeighbourKind.text(entity)} is not managed by ovn-uplinks`,
    effect: ({ neighbour }, node) => deleteNeighbour(node, neighbour),
    command: ({ neighbour: { address, device } }) => ip('neighbour', 'delete', address, 'dev', device),
  },
};
