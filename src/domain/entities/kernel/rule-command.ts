/** Rules in the words of ip-rule(8). */
import { isInverted, selectedText, selectorsOf } from '../../node-model/rules/rule-match.ts';
import type { Rule, Table } from '../../snapshot/node-snapshot.ts';

/** Names of the kernel's own tables (rtnetlink.h). */
const TABLE_NAMES: ReadonlyMap<Table, string> = new Map([
  [255, 'local'],
  [254, 'main'],
  [253, 'default'],
]);

/** The mark of a rule, with its mask unless all bits count. */
export function markWord({ mark = 0, markMask }: Pick<Rule, 'mark' | 'markMask'>): string {
  const hexadecimal = `0x${mark.toString(16)}`;
  return markMask === undefined ? hexadecimal : `${hexadecimal}/0x${markMask.toString(16)}`;
}

/** A table: by its name if it is one of the kernel's own. */
export function tableWord(table: Table): string {
  return TABLE_NAMES.get(table) ?? String(table);
}

type Others = Rule['others'];

function subnetWord(base: string | undefined, length: string | undefined): string {
  return `${selectedText(base) ?? ''}${length === undefined ? '' : `/${length}`}`;
}

/** Words that ip prints under another name than it reads, or in parts; empty for a part that another one names. */
const words: Readonly<Record<string, (others: Others) => string>> = {
  not: () => '',
  src: ({ src, srclen }) => `from ${subnetWord(src, srclen)}`,
  dst: ({ dst, dstlen }) => `to ${subnetWord(dst, dstlen)}`,
  sport_start: ({ sport_start = '', sport_end = '' }) => `sport ${sport_start}-${sport_end}`,
  dport_start: ({ dport_start = '', dport_end = '' }) => `dport ${dport_start}-${dport_end}`,
  uid_start: ({ uid_start = '', uid_end = '' }) => `uidrange ${uid_start}-${uid_end}`,
  action: ({ action }) => selectedText(action) ?? '',
  suppress_prefixlen: ({ suppress_prefixlen = '' }) => `suppress_prefixlength ${suppress_prefixlen}`,
  ...Object.fromEntries(['srclen', 'dstlen', 'sport_end', 'dport_end', 'uid_end'].map((name) => [name, () => ''])),
};

function wordOf(name: string, others: Others): string {
  if (Object.hasOwn(words, name)) return words[name]?.(others) ?? '';
  const value = selectedText(others[name]);
  return value === undefined || value === 'null' ? name : `${name} ${value}`;
}

/** Selectors of a rule, apart from its mark. */
export function selectorWords({ others }: Rule): string {
  return selectorsOf({ others })
    .map((name) => wordOf(name, others))
    .filter((word) => word !== '')
    .join(' ');
}

/** Selectors of a rule, and its action. */
export function ruleWords(rule: Rule): string {
  const { mark, table, others } = rule;
  const names = Object.keys(others);
  const ofResult = names.filter((name) => name.startsWith('suppress_'));
  return [
    isInverted(rule) ? 'not' : '',
    mark === undefined ? '' : `fwmark ${markWord(rule)}`,
    ...names.filter((name) => !ofResult.includes(name)).map((name) => wordOf(name, others)),
    table === undefined ? '' : `lookup ${tableWord(table)}`,
    ...ofResult.map((name) => wordOf(name, others)),
  ]
    .filter((word) => word !== '')
    .join(' ');
}
