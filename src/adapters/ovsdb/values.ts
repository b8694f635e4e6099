/**
 * OVSDB values in JSON (RFC 7047, section 5.1, Notation). A column holds a set or a map of atoms; a set of one may be written as the atom.
 */

/** A reference to a row. */
export interface Reference {
  readonly uuid: string;
}

/** An atomic value. */
export type Atom = string | number | boolean | Reference;

/** The value of a column in a row. */
export type OvsdbValue =
  | { readonly kind: 'set'; readonly atoms: readonly Atom[] }
  | { readonly kind: 'map'; readonly pairs: readonly (readonly [Atom, Atom])[] };

/** Reads a value; absent if it is not in the notation. */
export function readValue(notation: unknown): OvsdbValue | undefined {
  if (isTagged(notation, 'set')) {
    const atoms = eachOf(notation[1], readAtom);
    return atoms && { kind: 'set', atoms };
  }
  if (isTagged(notation, 'map')) {
    const pairs = eachOf(notation[1], readPair);
    return pairs && { kind: 'map', pairs };
  }
  const atom = readAtom(notation);
  return atom === undefined ? undefined : { kind: 'set', atoms: [atom] };
}

function readAtom(notation: unknown): Atom | undefined {
  if (typeof notation === 'string' || typeof notation === 'number' || typeof notation === 'boolean') return notation;
  if (isTagged(notation, 'uuid') && typeof notation[1] === 'string') return { uuid: notation[1] };
  return undefined;
}

function readPair(notation: unknown): readonly [Atom, Atom] | undefined {
  if (!Array.isArray(notation) || notation.length !== 2) return undefined;
  const [key, value] = notation.map(readAtom);
  return key === undefined || value === undefined ? undefined : [key, value];
}

function isTagged(notation: unknown, tag: string): notation is readonly [string, unknown] {
  return Array.isArray(notation) && notation.length === 2 && notation[0] === tag;
}

/** Reads all items; absent if this is not a list, or an item is invalid. */
function eachOf<Item>(list: unknown, read: (notation: unknown) => Item | undefined): readonly Item[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = list.map(read).filter((item) => item !== undefined);
  return items.length === list.length ? items : undefined;
}
