/** A model of what a table of nftables does to packets that pass a node (nft(8)), beside kube-proxy. It knows what `egressFilter` consists of, and refuses anything else. */
import { type AddressFamily, subnetContains } from '../../../domain/basics/addresses/ip-address.ts';
import type { NftChain, NftFilter } from '../../../domain/datapath/nftables/table.ts';
import type { FilterTable } from '../../../domain/snapshot/datapath.ts';

/** A packet that begins a connection. */
export interface FilteredPacket {
  readonly family: AddressFamily;
  readonly source: string;
  readonly destination: string;
  /** The device that it comes by. */
  readonly from: string;
  /** The device that the kernel sends it by. */
  readonly to: string;
  /** Present if the destination is an address of the node itself. */
  readonly isForNode?: boolean;
  /** Where kube-proxy translates the destination to, an address beyond the node; absent if it does not. */
  readonly translated?: string;
}

/** An address beyond the node, by family. */
export const outside: Readonly<Record<AddressFamily, string>> = { 4: '192.88.99.1', 6: '2620:0:860::1' };

/** An address by which clouds tell a node its identity. */
export const METADATA = '169.254.169.254';

/** The fate of a packet. */
export type FilterVerdict = 'dropped' | 'on the node' | 'forwarded' | 'masqueraded';

/** The priority at which kube-proxy translates destinations (nft(8), PRIORITY, dstnat). */
const DESTINATION_TRANSLATION = -100;

/** The source of a packet that is masqueraded. */
const OF_NODE = 'the address of the node';

type Sets = FilterTable['sets'];
type Expression = Readonly<Record<string, unknown>>;

function contains(elements: readonly string[], value: string): boolean {
  return elements.some((each) => each === value || subnetContains(each, value));
}

/** The values of the fields that rules match, but for those of addresses, by how they name them. */
const fields: Readonly<Record<string, (packet: FilteredPacket) => string>> = {
  'meta iifname': ({ from }) => from,
  'meta oifname': ({ to }) => to,
  'fib type': ({ isForNode }) => (isForNode === true ? 'local' : 'unicast'),
  'ct state': () => 'new',
  'ct direction': () => 'original',
};

/** The value of an expression (libnftables-json(5), EXPRESSIONS); undefined where the packet has no such field, as it is of another family. */
function valueOf(expression: Expression, packet: FilteredPacket): string | undefined {
  const [kind = '', detail] = Object.entries(expression)[0] ?? [];
  if (kind === 'concat') {
    const parts = (detail as readonly Expression[]).map((part) => valueOf(part, packet));
    return parts.includes(undefined) ? undefined : parts.join(' . ');
  }
  const { key, protocol, field, result } = detail as Readonly<Record<string, string>>;
  if (kind === 'payload') {
    if (protocol !== (packet.family === 4 ? 'ip' : 'ip6')) return undefined;
    return field === 'saddr' ? packet.source : packet.destination;
  }
  const known = fields[`${kind} ${key ?? result ?? ''}`];
  if (known === undefined) throw new Error(`the model does not know ${JSON.stringify(expression)}`);
  return known(packet);
}

interface Match {
  readonly op: '==' | '!=' | 'in';
  readonly left: Expression;
  readonly right: string | readonly string[];
}

/** Whether a packet matches. One without the field, as it is of another family, does not. */
function isMatch({ op, left, right }: Match, sets: Sets, packet: FilteredPacket): boolean {
  const value = valueOf(left, packet);
  if (value === undefined) return false;
  const isIn =
    typeof right === 'string' && right.startsWith('@')
      ? contains(sets[right.slice(1)] ?? [], value)
      : [right].flat().includes(value);
  return isIn === (op !== '!=');
}

/** The verdict of a chain: that of the first rule that matches and has one. */
function verdictOf({ rules }: NftChain, sets: Sets, packet: FilteredPacket): 'accept' | 'drop' | 'masquerade' {
  for (const { expr } of rules) {
    const statements = expr as readonly Expression[];
    const matches = statements.flatMap(({ match }) => (match === undefined ? [] : [match as Match]));
    if (!matches.every((each) => isMatch(each, sets, packet))) continue;
    const verdict = (['accept', 'drop', 'masquerade'] as const).find((name) =>
      statements.some((statement) => name in statement),
    );
    if (verdict !== undefined) return verdict;
  }
  return 'accept';
}

/** The fate of a packet on a node with a filter. @param sets their elements */
export function fateOf({ chains }: NftFilter, sets: Sets, packet: FilteredPacket): FilterVerdict {
  const chainsAt = (hook: string) =>
    chains.filter(({ base }) => base.hook === hook).toSorted((one, other) => one.base.prio - other.base.prio);
  const { translated } = packet;
  const later: FilteredPacket =
    translated === undefined ? packet : { ...packet, destination: translated, isForNode: false };
  const isDropped = chainsAt('prerouting').some(
    (chain) => verdictOf(chain, sets, chain.base.prio < DESTINATION_TRANSLATION ? packet : later) === 'drop',
  );
  if (isDropped) return 'dropped';
  if (later.isForNode === true) return 'on the node';
  let leaving = later;
  for (const chain of [...chainsAt('forward'), ...chainsAt('postrouting')]) {
    const verdict = verdictOf(chain, sets, leaving);
    if (verdict === 'drop') return 'dropped';
    if (verdict === 'masquerade') leaving = { ...leaving, source: OF_NODE };
  }
  return leaving.source === OF_NODE ? 'masqueraded' : 'forwarded';
}
