import Type from 'typebox';
import { formattedString, partOf, type Shape } from '../../domain/api/schema.ts';
import { byName } from '../../domain/basics/names/ordering.ts';
import type { Rule } from '../../domain/snapshot/node-snapshot.ts';
import type { Reading } from '../../ports/input-problem.ts';
import { conforming, type Reader } from '../json/conforming.ts';
import { mapReading } from '../../ports/readings.ts';
import { present } from './fields.ts';
import { tableOf } from './output.ts';
import { routingTable } from './routing-tables.ts';
import { groupWord, protocolWord, transportWord, typeWord } from './words.ts';

/** 32 bits in C's format `%#x`: `0x1001`, or `0`. */
const bits = formattedString({
  pattern: '^(0|0x[0-9a-f]{1,8})$',
  expected: '32 bits as a hexadecimal number, such as "0x1001"',
});

const entrySchema = partOf({
  priority: Type.Integer(),
  table: Type.Optional(Type.String()),
  protocol: Type.Optional(Type.String()),
  fwmark: Type.Optional(bits),
  fwmask: Type.Optional(bits),
});

type RuleEntry = Shape<typeof entrySchema>;

/** The current state of a rule: a device of its selectors does not exist. */
const DETACHED = ['iif_detached', 'oif_detached'];

/** Names that are no selectors or actions; `unresolved` is the state of a goto without its target, which is known from the other rules. */
const KNOWN_NAMES: ReadonlySet<string> = new Set([...Object.keys(entrySchema.properties), ...DETACHED, 'unresolved']);

const conformingEntry = conforming(entrySchema);

function ruleOf(entry: RuleEntry, family: 4 | 6): Rule {
  return {
    family,
    priority: entry.priority,
    protocol: protocolWord(entry.protocol ?? 'unspec'),
    ...present({
      table: entry.table === undefined ? undefined : routingTable(entry.table),
      mark: entry.fwmark === undefined ? undefined : Number(entry.fwmark),
      markMask: entry.fwmask === undefined ? undefined : Number(entry.fwmask),
      detached: DETACHED.some((name) => Object.hasOwn(entry, name)) ? (true as const) : undefined,
    }),
    others: othersOf(entry),
  };
}

/** Names of fields that ip prints as numbers with -N. */
const NAMES: ReadonlyMap<string, (printed: string) => string> = new Map([
  ['action', typeWord],
  ['ipproto', transportWord],
  ['suppress_ifgroup', groupWord],
]);

function named(name: string, value: unknown): unknown {
  return typeof value === 'string' ? (NAMES.get(name)?.(value) ?? value) : value;
}

function othersOf(entry: object): Readonly<Record<string, string>> {
  const others = Object.entries(entry).filter(
    ([name, value]) => !KNOWN_NAMES.has(name) && !(name === 'src' && value === 'all'),
  );
  return Object.fromEntries(
    others
      .map(([name, value]) => [name, JSON.stringify(named(name, value))] as const)
      .sort(([left], [right]) => byName(left, right)),
  );
}

/**
 * Reads the output of `ip -json -details -N -4 rule show`, or of -6 (ip-rule(8)); also without -N, unless the machine has its own table names.
 *
 * @param file named in problems
 * @param family the requested family, which ip does not print
 */
export function readRules(text: string, file: string, family: 4 | 6): Reading<readonly Rule[]> {
  const rule: Reader<Rule> = (value, place) =>
    mapReading(conformingEntry(value, place), (entry) => ruleOf(entry, family));
  return tableOf(rule)(text, file);
}
