/**
 * One object for equal values, so that what is cached by identity stays where a value is computed again and is the same as before.
 *
 * Values are equal if their JSON text is: they are plain data, with keys in one order.
 */
import { lazyByObjectAndKey } from './by-identity.ts';
import { lazyByText } from './lazy.ts';

/**
 * Makes equal values one object.
 *
 * @param most number of values up to which all are cached; of more, those that were asked for last are
 */
export function interned<Value extends object>(most?: number): (value: Value) => Value {
  return lazyByContent((value: Value) => value, most);
}

/**
 * Computes a result once for all inputs that are equal.
 *
 * @param compute is given a copy of the input
 * @param most number of results up to which all are cached; of more, those that were asked for last are
 */
export function lazyByContent<Input extends object, Result>(
  compute: (input: Input) => Result,
  most?: number,
): (input: Input) => Result {
  const ofText = lazyByText((text) => compute(JSON.parse(text) as Input), most);
  return (input) => ofText(JSON.stringify(input));
}

/** Makes one object for each pair of an object and a name, by which values of the pair can be cached. */
export function pairKeys(): (first: object, name: string) => object {
  return lazyByObjectAndKey((_: object, name: string) => ({ name }));
}
