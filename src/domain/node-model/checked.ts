/** A checked part of a change, such as a next hop with the device that the kernel found; or why the kernel refuses it. */
export type Checked<Value> =
  | { readonly valid: true; readonly value: Value }
  | { readonly valid: false; readonly refusal: string; readonly exists?: true };

export function valid<Value>(value: Value): Checked<Value> {
  return { valid: true, value };
}

export function invalid(refusal: string): Checked<never> {
  return { valid: false, refusal };
}

/** The kernel's reason is that it has the part already. */
export function invalidAsExisting(refusal: string): Checked<never> {
  return { valid: false, refusal, exists: true };
}

/** All values, or the first refusal. */
export function allValid<Value>(checks: readonly Checked<Value>[]): Checked<readonly Value[]> {
  const refused = checks.find((check) => !check.valid);
  return refused ?? valid(checks.flatMap((check) => (check.valid ? [check.value] : [])));
}
