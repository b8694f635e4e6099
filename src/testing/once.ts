/** Says something of a thing once: nothing in a snapshot ever changes, and most is the same thing in the next one. */
export function once<Thing extends object, Said>(say: (thing: Thing) => Said): (thing: Thing) => Said {
  const known = new WeakMap<Thing, { readonly said: Said }>();
  return (thing) => {
    const before = known.get(thing) ?? { said: say(thing) };
    known.set(thing, before);
    return before.said;
  };
}
