import { lazyByText } from '../lazy.ts';
import { type FieldName, fieldNames, fieldOf, isFieldName } from './fields.ts';
import type { Action, LearnedPart, Nat, Subfield } from './flow.ts';

/** Texts that are remembered: those of a bridge with 250 networks. */
const REMEMBERED = 20_000;

/** Divides a list at its commas, but for those in brackets. */
export function divided(text: string): readonly string[] {
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

/** The words of a list by their names; a word without a value has an empty one. */
function words(list: string): ReadonlyMap<string, string> {
  return new Map(
    divided(list).map((word): [string, string] => {
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

function learnedPart(word: string): LearnedPart | undefined {
  if (word.startsWith('output:')) {
    const output = subfield(word.slice('output:'.length));
    return output && { output };
  }
  if (word.startsWith('load:')) {
    const [from = '', target = ''] = word.slice('load:'.length).split('->');
    const to = subfield(target);
    const load = isNumber(from) ? from : subfield(from);
    return to === undefined || load === undefined ? undefined : { load, to };
  }
  const [left = '', right] = word.split('=');
  if (left === 'eth_type' || left === 'nw_proto' || left === 'icmpv6_type') {
    return right === undefined ? undefined : { field: left, equals: right };
  }
  const match = subfield(left) ?? (isFieldName(left) ? { field: left } : undefined);
  if (match === undefined) return undefined;
  if (right === undefined) return { match, equals: match };
  const equals = isNumber(right) ? right : subfield(right);
  return equals === undefined ? undefined : { match, equals };
}

function learn(list: string): Action | undefined {
  const settings = new Map<string, string>();
  const parts: LearnedPart[] = [];
  for (const word of divided(list)) {
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

function assignment(text: string): readonly [string, string] | undefined {
  const at = text.indexOf('->');
  return at === -1 ? undefined : [text.slice(0, at), text.slice(at + 2)];
}

function understood(text: string): Action | undefined {
  if (/^[A-Z_]+$/.test(text)) return { kind: 'output', port: text };
  const [, name = '', rest = ''] = /^(\w+)[:(]?(.*?)\)?$/.exec(text) ?? [];
  switch (name) {
    case 'output':
      return /^\w+$/.test(rest) ? { kind: 'output', port: rest } : undefined;
    case 'resubmit':
      return /^,\d+$/.test(rest) ? { kind: 'resubmit', table: Number(rest.slice(1)) } : undefined;
    case 'push_vlan':
      return rest === '0x8100' ? { kind: 'push-vlan' } : undefined;
    case 'pop_vlan':
    case 'strip_vlan':
      return { kind: 'pop-vlan' };
    case 'ct':
      return connectionTracking(text.slice('ct('.length, -1));
    case 'learn':
      return learn(text.slice('learn('.length, -1));
    case 'set_field': {
      const [value = '', target = ''] = assignment(rest) ?? [];
      const field = fieldOfOxm.get(target);
      return field && { kind: 'set', field, value };
    }
    case 'load': {
      const [value = '', target = ''] = assignment(rest) ?? [];
      const to = subfield(target);
      return to && { kind: 'load', value, to };
    }
    case 'move': {
      const [source = '', target = ''] = assignment(rest) ?? [];
      const [from, to] = [subfield(source), subfield(target)];
      return from && to && { kind: 'move', from, to };
    }
    default:
      return undefined;
  }
}

/** Actions from their text, as ovs-ofctl(8) prints them; what is not understood stays a text. */
export const parseActions: (text: string) => readonly Action[] = lazyByText(
  (text: string): readonly Action[] =>
    text === 'drop' ? [] : divided(text).map((each) => understood(each) ?? { kind: 'other', text: each }),
  REMEMBERED,
);
