/**
 * Whose is a thing on the node? (Node design, Ownership)
 *
 * What neither bears our signature nor stands in the ledger is not ours, and is never changed or deleted.
 */
import { OWN_ROUTE_PROTOCOL, VRF_ALIAS_PREFIX } from '../conventions.ts';
import { groupBy } from '../grouping.ts';
import { lazyByObject } from '../lazy.ts';
import type {
  Address,
  Bridge,
  DevlinkPort,
  Link,
  Neighbour,
  NeighbourProxy,
  NextHopObject,
  NodeSnapshot,
  Route,
  Rule,
} from '../snapshot/node-snapshot.ts';
import { deviceOfEntry, type Ledger, type LedgerEntry } from './ledger.ts';
import { isStillUnsigned } from './settle.ts';

/** A thing that a snapshot of a node holds. */
export type Thing =
  | { readonly kind: 'link'; readonly link: Link }
  | { readonly kind: 'membership'; readonly device: string; readonly master: string }
  | { readonly kind: 'address'; readonly device: string; readonly address: Address }
  | { readonly kind: 'route'; readonly route: Route }
  | { readonly kind: 'next-hop-object'; readonly object: NextHopObject }
  | { readonly kind: 'rule'; readonly rule: Rule }
  | { readonly kind: 'neighbour'; readonly neighbour: Neighbour }
  | { readonly kind: 'neighbour-proxy'; readonly proxy: NeighbourProxy }
  | { readonly kind: 'sysctl'; readonly name: string }
  /** `signed`: the entry stands under our own key too, with the same bridge. */
  | { readonly kind: 'bridge-mapping'; readonly network: string; readonly bridge: string; readonly signed: boolean }
  | { readonly kind: 'bridge'; readonly bridge: Bridge }
  | { readonly kind: 'devlink-port'; readonly port: DevlinkPort };

/**
 * The kinds of thing in each part of a snapshot. A new part does not compile until somebody says what is in it, and a new kind not until
 * `isOurs` knows how a restarted agent recognises it.
 */
export const thingsInSnapshot = {
  nodeName: [],
  links: ['link', 'membership', 'address'],
  routes: ['route'],
  nextHopObjects: ['next-hop-object'],
  rules: ['rule'],
  neighbours: ['neighbour'],
  neighbourProxies: ['neighbour-proxy'],
  switchExternalIds: ['bridge-mapping'],
  bridges: ['bridge'],
  devlinkPorts: ['devlink-port'],
  sysctls: ['sysctl'],
  ledger: [],
  bootId: [],
  uptimeSeconds: [],
} as const satisfies { readonly [Part in keyof Required<NodeSnapshot>]: readonly Thing['kind'][] };

/** What most entries of a kind differ in: the setting, or the device. */
function nameOf(entry: LedgerEntry): string {
  return entry.kind === 'sysctl' ? entry.name : deviceOfEntry(entry);
}

const entriesByName = lazyByObject(({ entries }: Ledger) =>
  groupBy(entries, (entry) => `${entry.kind} ${nameOf(entry)}`),
);

/**
 * The ledger's entry of a kind and a name for which something holds, at the same cost however much is in the ledger.
 *
 * @param name of a sysctl the setting's, of everything else the device's
 */
export function entryOf<Kind extends LedgerEntry['kind']>(
  ledger: Ledger,
  kind: Kind,
  name: string,
  matches: (entry: Extract<LedgerEntry, { kind: Kind }>) => boolean = () => true,
): Extract<LedgerEntry, { kind: Kind }> | undefined {
  return entriesByName(ledger)
    .get(`${kind} ${name}`)
    ?.find(
      (entry): entry is Extract<LedgerEntry, { kind: Kind }> =>
        entry.kind === kind && matches(entry as Extract<LedgerEntry, { kind: Kind }>),
    );
}

/** Whether a thing was made, or changed to what it is, by this project. */
export function isOurs(thing: Thing, ledger: Ledger): boolean {
  switch (thing.kind) {
    case 'link':
      return isOwnVrf(thing.link, ledger);
    case 'membership':
      return entryOf(ledger, 'membership', thing.device, ({ vrf }) => vrf === thing.master) !== undefined;
    case 'address':
      return (
        entryOf(
          ledger,
          'address',
          thing.device,
          ({ address, prefixLength }) =>
            address === thing.address.address && prefixLength === thing.address.prefixLength,
        ) !== undefined
      );
    case 'route':
      return thing.route.protocol === OWN_ROUTE_PROTOCOL;
    case 'next-hop-object':
      return thing.object.protocol === OWN_ROUTE_PROTOCOL;
    case 'rule':
      return thing.rule.protocol === OWN_ROUTE_PROTOCOL;
    case 'neighbour':
      return thing.neighbour.protocol === OWN_ROUTE_PROTOCOL;
    case 'sysctl':
      return entryOf(ledger, 'sysctl', thing.name) !== undefined;
    case 'bridge-mapping':
      return thing.signed;
    case 'bridge':
    case 'devlink-port':
    case 'neighbour-proxy':
      // The administrator prepares bridges and proxy entries, the machine has the others; none is ever made here.
      return false;
    default:
      return thing satisfies never;
  }
}

function isOwnVrf(link: Link, ledger: Ledger): boolean {
  const { kind, alias, name } = link;
  if (kind !== 'vrf') return false;
  if (alias !== undefined && alias !== '') return alias.startsWith(VRF_ALIAS_PREFIX);
  return entryOf(ledger, 'unsigned-vrf', name, (entry) => isStillUnsigned(entry, link)) !== undefined;
}
