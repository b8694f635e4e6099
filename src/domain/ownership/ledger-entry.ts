/**
 * What an entry of the ledger must look like for this program to understand it (ledger.ts has what it means). Fields beyond those are
 * none of this version's business, and stay.
 */
import Type, { type TSchema } from 'typebox';
import { conformanceTo } from '../api/conformance.ts';
import { partOf, stringEnum } from '../api/schema.ts';
import type { LedgerEntry } from './ledger.ts';
import { ownSettingOf } from './own-settings.ts';

const text = Type.String();
const whole = Type.Integer();
const texts = Type.Array(text);
const family = Type.Union([Type.Literal(4), Type.Literal(6)]);
const yes = Type.Optional(Type.Literal(true));
const optionalText = Type.Optional(text);
const optionalWhole = Type.Optional(whole);
const optionalTexts = Type.Optional(texts);

const address = partOf({
  address: text,
  prefixLength: whole,
  scope: text,
  label: optionalText,
  flags: texts,
  peer: optionalText,
  broadcast: optionalText,
  metric: optionalWhole,
  protocol: optionalText,
  validSeconds: optionalWhole,
  preferredSeconds: optionalWhole,
});

const nextHopObject = partOf({
  id: whole,
  family: Type.Optional(family),
  device: optionalText,
  gateway: optionalText,
  onlink: yes,
  blackhole: yes,
  protocol: text,
  group: Type.Optional(Type.Array(partOf({ id: whole, weight: whole }))),
  unknownAttributes: optionalTexts,
});

const route = partOf({
  family,
  table: Type.Union([whole, text]),
  destination: text,
  metric: whole,
  source: optionalText,
  typeOfService: optionalText,
  type: text,
  protocol: text,
  nextHops: Type.Array(partOf({ device: optionalText, gateway: optionalText, weight: optionalWhole, onlink: yes })),
  nextHopObject: optionalWhole,
  scope: optionalText,
  preferredSource: optionalText,
  preference: optionalText,
  metrics: Type.Optional(Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]))),
  expiresSeconds: optionalWhole,
  unknownAttributes: optionalTexts,
});

const neighbour = partOf({
  device: text,
  address: text,
  macAddress: optionalText,
  states: texts,
  protocol: optionalText,
  router: yes,
});

const proxy = partOf({ device: text, address: text, protocol: optionalText, router: yes });

const thing = Type.Union([
  partOf({ type: stringEnum(['address']), device: text, address }),
  partOf({ type: stringEnum(['next-hop-object']), object: nextHopObject }),
  partOf({ type: stringEnum(['route']), route }),
  partOf({ type: stringEnum(['neighbour']), neighbour }),
  partOf({ type: stringEnum(['neighbour-proxy']), proxy }),
]);

/** A schema for each kind, so that no kind can be forgotten. */
const schemas = {
  'unsigned-vrf': partOf({ kind: stringEnum(['unsigned-vrf']), name: text, table: whole, network: text }),
  membership: partOf({ kind: stringEnum(['membership']), device: text, vrf: text, table: whole, network: text }),
  sysctl: partOf({ kind: stringEnum(['sysctl']), device: text, name: text, before: text, value: text }),
  address: partOf({ kind: stringEnum(['address']), device: text, address: text, prefixLength: whole }),
  displaced: partOf({
    kind: stringEnum(['displaced']),
    device: text,
    thing,
    state: stringEnum(['awaiting', 'placed']),
    takenAt: Type.Optional(Type.Number()),
  }),
} as const satisfies Readonly<Record<LedgerEntry['kind'], TSchema>>;

const conform = conformanceTo(Type.Union(Object.values(schemas)));

function conformingEntry(value: unknown): LedgerEntry | undefined {
  const entry = conform(value);
  return entry.conforms ? entry.value : undefined;
}

/** The entry that a value is; absent where this version does not understand it. */
export function readLedgerEntry(value: unknown): LedgerEntry | undefined {
  const entry = conformingEntry(value);
  return entry?.kind === 'sysctl' && ownSettingOf(entry) === undefined ? undefined : entry;
}
