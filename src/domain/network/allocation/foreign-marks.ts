/**
 * Packet marks that rules of other programs match on nodes: networks whose marks are among them get other ids, as far as there are some
 * (docs/design/networks.md, "Ids").
 */
import { PACKET_MARK_BASE } from '../../basics/conventions.ts';
import { lazyByText } from '../../basics/incremental/lazy.ts';
import { idRanges } from './id-range.ts';

const MARK = /^(0x[0-9a-f]{1,8})(?:\/(0x[0-9a-f]{1,8}))?$/;

const allIds = Array.from({ length: idRanges.network.last }, (_, index) => index + 1);

/**
 * Ids of the networks whose packet marks a mark matches under its mask, as ip-rule(8) has them: `0x200/0xf00`, or `0x1258` for all bits. None for a text
 * that is no mark, and for one that matches the marks of all networks: no other id would be better.
 */
export const idsWithMark = lazyByText((text: string): ReadonlySet<number> => {
  const [, mark, mask = '0xffffffff'] = MARK.exec(text) ?? [];
  if (mark === undefined) return new Set();
  const ids = allIds.filter((id) => (((PACKET_MARK_BASE + id) ^ Number(mark)) & Number(mask)) === 0);
  return new Set(ids.length === allIds.length ? [] : ids);
});
