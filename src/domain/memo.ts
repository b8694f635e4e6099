/** A function of objects that never change, which is carried out once for each of them, as long as somebody holds it. */
export function memo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/**
 * A function of texts that remembers its last answers.
 *
 * @param most how many are remembered; then it begins anew
 */
export function memoOfTexts<Value>(make: (text: string) => Value, most: number): (text: string) => Value {
  const made = new Map<string, { readonly value: Value }>();
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known.value;
    const value = make(text);
    if (made.size >= most) made.clear();
    made.set(text, { value });
    return value;
  };
}
