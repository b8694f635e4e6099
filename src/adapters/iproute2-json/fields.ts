import { byName } from '../../domain/basics/names/ordering.ts';

/** An object without absent fields. */
type Present<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Removes absent fields. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;
}

/**
 * The unknown fields of an entry, in order.
 *
 * @param known fields that are read or ignored
 */
export function namesBeyond(entry: object, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(entry)
    .filter((name) => !known.has(name))
    .sort(byName);
}

/** The attribute `unknownAttributes`; absent if there are none. */
export function unknownAttributes(names: readonly string[]): { readonly unknownAttributes?: readonly string[] } {
  return names.length === 0 ? {} : { unknownAttributes: [...new Set(names)].sort(byName) };
}
