import { byName } from '../../domain/ordering.ts';

/** Fields of an object, each of which may be missing. */
type Present<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Those of the fields that are there, so that one which is not has no name in the object either. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>;
}

/**
 * Names of what an entry says and this project has no word for, in their order.
 *
 * @param known names that are read, or mean nothing
 */
export function namesBeyond(entry: object, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(entry)
    .filter((name) => !known.has(name))
    .sort(byName);
}

/** A list of names as an attribute of its own, which is absent where there are none. */
export function unknownAttributes(names: readonly string[]): { readonly unknownAttributes?: readonly string[] } {
  return names.length === 0 ? {} : { unknownAttributes: [...new Set(names)].sort(byName) };
}
