import { lazyByText } from '../../basics/incremental/lazy.ts';
import { type FieldName, fieldNames, fieldOf, isFieldName } from './fields.ts';
import type { Action, LearnedPart, Nat, Subfield } from './flow.ts';

/** Number of cached texts: those of a bridge with 250 networks. */
const CACHED_TEXTS = 20_000;

/** Splits a list at commas outside brackets. */
export function splitList(text: string): readonly string[] {
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return text === '' ? [] : [...parts, text.slice(from)];
}

const fieldOfNxm: ReadonlyMap<string, FieldName> = new Map(
  fieldNames.flatMap((name) => {
    const { nxm } = fieldOf(name);
    return nxm === undefined ? [] : [[nxm, name] as const];
  }),
);

const fieldOfOxm: ReadonlyMap<string, FieldName> = new Map(
  fieldNames.map((name) => [fieldOf(name).oxm ?? name, name] as const),
);

function subfield(text: string): Subfield | undefined {
  const [, nxm = '', from, to] = /^(\w+)\[(?:(\d+)(?:\.\.(\d+))?)?\]$/.exec(text) ?? [];
  const field = fieldOfNxm.get(nxm);
  if (field === undefined) return undefined;
  return from === undefined ? { field } : { field, bits: [Number(from), Number(to ?? from)] };
}

const isNumber = (text: string) => /^(0x[0-9a-f]+|\d+)$/i.test(text);

/** The items of a list by name; an item without a value has an empty one. */
function words(list: string): ReadonlyMap<string, string> {
  return new Map(
    splitList(list).map((word): [string, string] => {
      const open = word.indexOf('(');
      const equals = word.indexOf('=');
      if (open !== -1 && (equals === -1 || open < equals)) return [word.slice(0, open), word.slice(open + 1, -1)];
      return equals === -1 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)];
    }),
  );
}

function natOf(text: string): Nat | undefined {
  if (text === '') return 'as-committed';
  const [, side, address] = /^(src|dst)=([^,]+)$/.exec(text) ?? [];
  if (address === undefined) return undefined;
  return side === 'src' ? { source: address } : { destination: address };
}

function connectionTracking(list: string): Action | undefined {
  const said = words(list);
  const known = ['commit', 'table', 'zone', 'nat', 'exec'];
  if ([...said.keys()].some((name) => !known.includes(name))) return undefined;
  const [table, zone = '0', nat, exec] = ['table', 'zone', 'nat', 'exec'].map((name) => said.get(name));
  if (!isNumber(zone)) return undefined;
  const translation = nat === undefined ? undefined : natOf(nat);
  if (nat !== undefined && translation === undefined) return undefined;
  return {
    kind: 'ct',
    ...(said.has('commit') && { commit: true as const }),
    ...(table !== undefined && { table: Number(table) }),
    zone: Number(zone),
    ...(translation !== undefined && { nat: translation }),
    ...(exec !== undefined && { exec: parseActions(exec) }),
  };
}

function learnedLoad(word: string): LearnedPart | undefined {
  const [from = '', target = ''] = word.split('->');
  const to = subfield(target);
  const load = isNumber(from) ? from : subfield(from);
  return to === undefined || load === undefined ? undefined : { load, to };
}

const isPlainField = (name: string) => name === 'eth_type' || name === 'nw_proto' || name === 'icmpv6_type';

function learnedMatch(word: string): LearnedPart | undefined {
  const [left = '', right] = word.split('=');
  if (isPlainField(left)) return right === undefined ? undefined : { field: left, equals: right };
  const match = subfield(left) ?? (isFieldName(left) ? { field: left } : undefined);
  if (match === undefined) return undefined;
  if (right === undefined) return { match, equals: match };
  const equals = isNumber(right) ? right : subfield(right);
  return equals === undefined ? undefined : { match, equals };
}

function learnedPart(word: string): LearnedPart | undefined {
  if (word.startsWith('load:')) return learnedLoad(word.slice('load:'.length));
  if (!word.startsWith('output:')) return learnedMatch(word);
  const output = subfield(word.slice('output:'.length));
  return output && { output };
}

function learn(list: string): Action | undefined {
  const settings = new Map<string, string>();
  const parts: LearnedPart[] = [];
  for (const word of splitList(list)) {
    const [name = '', value = ''] = word.split('=');
    if (['table', 'idle_timeout', 'hard_timeout', 'priority', 'cookie', 'limit'].includes(name)) {
      settings.set(name, value);
      continue;
    }
    const part = learnedPart(word);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const number = (name: string) => {
    const text = settings.get(name);
    return text === undefined ? undefined : Number(text);
  };
  const [idleTimeout, hardTimeout, limit] = [number('idle_timeout'), number('hard_timeout'), number('limit')];
  return {
    kind: 'learn',
    table: number('table') ?? 0,
    ...(idleTimeout !== undefined && { idleTimeout }),
    ...(hardTimeout !== undefined && { hardTimeout }),
    priority: number('priority') ?? 32_768,
    cookie: settings.get('cookie') ?? '0x0',
    ...(limit !== undefined && { limit }),
    parts,
  };
}

/** Splits `VALUE->TARGET`. */
function assignment(text: string): readonly [value: string, target: string] {
  const at = text.indexOf('->');
  return at === -1 ? ['', ''] : [text.slice(0, at), text.slice(at + 2)];
}

/** A port: a number, a reserved word, or a name as `portWord` writes it. */
const PORT = /^[\w.:@%-]+$/;

/** The parser of each action, by name; its argument is the text after the colon or in brackets. */
const readers: Readonly<Record<string, (words: string) => Action | undefined>> = {
  output: (words) => (PORT.test(words) ? { kind: 'output', port: words } : undefined),
  resubmit: (words) => (/^,\d+$/.test(words) ? { kind: 'resubmit', table: Number(words.slice(1)) } : undefined),
  push_vlan: (words) => (words === '0x8100' ? { kind: 'push-vlan' } : undefined),
  pop_vlan: () => ({ kind: 'pop-vlan' }),
  strip_vlan: () => ({ kind: 'pop-vlan' }),
  ct: connectionTracking,
  learn,
  set_field: (words) => {
    const [value, target] = assignment(words);
    const field = fieldOfOxm.get(target);
    return field && { kind: 'set', field, value };
  },
  load: (words) => {
    const [value, target] = assignment(words);
    const to = subfield(target);
    return to && { kind: 'load', value, to };
  },
  move: (words) => {
    const [from, to] = assignment(words).map(subfield);
    return from && to && { kind: 'move', from, to };
  },
};

function understood(text: string): Action | undefined {
  if (/^[A-Z_]+$/.test(text)) return { kind: 'output', port: text };
  const [, name = '', words = ''] = /^(\w+)(.*)$/.exec(text) ?? [];
  const inner = words.startsWith('(') ? words.slice(1, -1) : words.slice(1);
  return readers[name]?.(inner);
}

/** Parses actions as ovs-ofctl(8) prints them; an unknown one stays text. */
export const parseActions: (text: string) => readonly Action[] = lazyByText(
  (text: string): readonly Action[] =>
    text === 'drop' ? [] : splitList(text).map((each) => understood(each) ?? { kind: 'other', text: each }),
  CACHED_TEXTS,
);
