import { partOf, stringEnum } from '../../api/schema.ts';
import { ADOPTED_NEIGHBOUR_PROTOCOL, OWN_ROUTE_PROTOCOL } from '../../basics/conventions.ts';
import {
  beforeManaged,
  isLasting,
  isManaged,
  isStatic,
  putState,
} from '../../node-model/neighbours/lasting-neighbour.ts';
import { deleteNeighbour, putNeighbour } from '../../node-model/neighbours/neighbour.ts';
import type { DisplacedEntity } from '../../snapshot/ledger.ts';
import type { Neighbour, NodeSnapshot } from '../../snapshot/node-snapshot.ts';
import { type Command, ip, option } from '../command.ts';
import { capturedFiles } from '../../snapshot/captured-files.ts';
import { dependencies, dependency } from '../dependencies.ts';
import type { Discrepancy, DisplaceableKind } from '../entity-kind.ts';
import { optionalText, text, texts, yes } from '../ledger-schema.ts';
import { without } from '../parts.ts';

/** A neighbour entry that does not expire, or that the kernel keeps resolved. */
export type NeighbourEntity = Extract<DisplacedEntity, { kind: 'neighbour' }> & {
  /** Whether the kernel has resolved it in another VLAN. It trusts that MAC address for up to a minute, and asks at once for a new entry only. */
  readonly isOutdated?: true;
};

/** A neighbour as an entity. */
export function neighbourEntity(neighbour: Neighbour): NeighbourEntity {
  return { kind: 'neighbour', neighbour };
}

/** Whether a neighbour is signed. */
export function isOwnNeighbour({ protocol }: Neighbour): boolean {
  return protocol === OWN_ROUTE_PROTOCOL || protocol === ADOPTED_NEIGHBOUR_PROTOCOL;
}

function replaceWords(neighbour: Neighbour): readonly (string | readonly string[])[] {
  const { address, device, macAddress = '', router, protocol } = neighbour;
  return [
    ['neighbour', 'replace', address],
    isManaged(neighbour)
      ? ['dev', device, 'managed']
      : ['lladdr', macAddress, 'dev', device, 'nud', putState(neighbour)],
    router === true ? ['router'] : [],
    option('protocol', protocol),
  ];
}

/** `ip neighbour replace`: adds the entry, or makes a learned one permanent or managed. One that is managed gets its MAC address, if it had one, before. */
function replaceCommand({ neighbour }: NeighbourEntity): Command {
  const first = beforeManaged(neighbour);
  return { ...ip(...replaceWords(neighbour)), ...(first && { first: replaceWords(first).flat() }) };
}

/** The consequence of a kernel before Linux 5.16, which adds an entry and ignores `managed` (net/core/neighbour.c, NDA_FLAGS_EXT). */
const IGNORED =
  'the kernel does not keep neighbours resolved, as Linux does since 5.16: packets of pods reach a gateway of their uplink only once the node itself has resolved it; have the node send to it, or boot a newer kernel';

/** The state that is found instead of an entry. */
function discrepancy(
  { neighbour: { address, device, ...wanted } }: NeighbourEntity,
  { neighbours }: NodeSnapshot,
): Discrepancy {
  const found = neighbours.some((each) => each.address === address && each.device === device);
  if (!found || !isManaged(wanted)) {
    return {
      path: neighbour.text({ kind: 'neighbour', neighbour: { address, device, ...wanted } }),
      found: 'absent',
      wanted: 'present',
    };
  }
  return {
    path: `neighbour ${address} on ${device}`,
    found: 'not managed by the kernel',
    wanted: 'managed',
    ignored: IGNORED,
  };
}

const schema = partOf({
  kind: stringEnum(['neighbour']),
  neighbour: partOf({
    device: text,
    address: text,
    macAddress: optionalText,
    states: texts,
    protocol: optionalText,
    router: yes,
  }),
});

export const neighbour: DisplaceableKind<NeighbourEntity> = {
  kind: 'neighbour',
  parts: ['neighbours', 'links'],
  identity: ({ neighbour: { device, address } }) => `${device} ${address}`,
  satisfies: ({ neighbour: found }, { neighbour: desired, isOutdated }) => {
    if (isOutdated === true && isManaged(found)) return false;
    const isUnmoved = isStatic(found);
    return isManaged(desired) ? isManaged(found) || isUnmoved : isUnmoved && found.macAddress === desired.macAddress;
  },
  all: ({ neighbours, links }) => {
    const linkByName = new Map(links.map((link) => [link.name, link]));
    return neighbours.filter((each) => isLasting(each, linkByName.get(each.device))).map(neighbourEntity);
  },
  put: (node, entities) => ({
    ...node,
    neighbours: [...node.neighbours, ...entities.map(({ neighbour }) => neighbour)],
  }),
  take: (node, entities) => ({ ...node, neighbours: without(node.neighbours, entities, ({ neighbour }) => neighbour) }),
  isReplaceable: (_, { isOutdated }) => isOutdated !== true,
  // The kernel changes the other properties of a managed entry.
  comparable: ({ neighbour }) => {
    const { device, address, protocol } = neighbour;
    return isManaged(neighbour) ? { device, address, protocol, managed: true } : neighbour;
  },
  source: ({ neighbour }) => neighbour,
  isOurs: ({ neighbour }) => isOwnNeighbour(neighbour),
  own: ({ neighbours }) => neighbours.filter(isOwnNeighbour).map(neighbourEntity),
  anchor: ({ neighbour: { device } }) => ({ device }),
  port: 'hostNetwork',
  capturedIn: () => [capturedFiles.neighbours],
  text: ({ neighbour: each }) => {
    const { address, device, macAddress } = each;
    if (isManaged(each)) return `managed neighbour ${address} on ${device}`;
    return `neighbour ${address}${macAddress === undefined ? '' : ` at ${macAddress}`} on ${device}`;
  },
  add: {
    name: 'add-neighbour',
    mark: '+',
    dependencies: ({ neighbour: { device } }, networks) => ({
      makes: dependencies('network', networks),
      needs: [dependency('after-cycle', device), dependency('restored', device)],
    }),
    effect: ({ neighbour }, node) => putNeighbour(node, neighbour),
    discrepancy,
    command: replaceCommand,
  },
  remove: {
    name: 'delete-neighbour',
    mark: '-',
    dependencies: ({ neighbour: { device } }, networks) => ({
      uses: [dependency('before-cycle', device)],
      ends: dependencies('traffic', networks),
    }),
    refusal: (entity) =>
      isOwnNeighbour(entity.neighbour) ? undefined : `${neighbour.text(entity)} is not managed by ovn-uplinks`,
    effect: ({ neighbour }, node) => deleteNeighbour(node, neighbour),
    command: ({ neighbour: { address, device } }) => ip('neighbour', 'delete', address, 'dev', device),
  },
  displaced: {
    schema,
    key: ({ neighbour: { device, address } }) => `neighbour ${device} ${address}`,
    name: ({ neighbour }) => neighbour.address,
    device: ({ neighbour }) => neighbour.device,
    // Daemons add learned entries again.
    isPutBack: ({ neighbour }) => !isOwnNeighbour(neighbour) && !neighbour.states.includes('extern_learn'),
    dependencies: () => ({}),
    restore: ({ neighbour }, node) => putNeighbour(node, neighbour),
    restoreCommand: replaceCommand,
  },
};
