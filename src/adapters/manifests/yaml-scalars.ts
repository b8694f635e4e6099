/**
 * The value of a plain scalar in Kubernetes, which reads a subset of YAML 1.1 (sigs.k8s.io/yaml, on go-yaml v2: resolve.go). Unlike in YAML
 * 1.2, `yes`, `on` and `y` are booleans and `012` is octal. Unlike in YAML 1.1, `02:42:00` is not a base 60 number and `2024-01-02` is not
 * a date: both are strings.
 */

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ...['', '~', 'null', 'Null', 'NULL'].map((text) => [text, null] as const),
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((text) => [text, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((text) => [text, false] as const),
]);

/** The first characters of a number. */
const NUMBER_START = /^[-+.\d]/;

const INTEGER = /^[-+]?(?:0[xX][_\da-fA-F]*[\da-fA-F]_*|0[bB][_01]*[01]_*|0[oO]?[_0-7]*[0-7]_*|0_*|[1-9][\d_]*)$/;

const FLOAT = /^[-+]?(?:\.\d+|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?\d[\d_]*)?$/;

const NON_FINITE = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** The value of a scalar without quotes. A number that is too large for JavaScript stays text, so that the schema can report it. */
export function plainScalarValue(text: string): string | number | boolean | null {
  const constant = constants.get(text);
  if (constant !== undefined) return constant;
  if (!NUMBER_START.test(text)) return text;
  if (INTEGER.test(text)) return finite(integerOf(text), text);
  return FLOAT.test(text) ? finite(Number(text.replaceAll('_', '')), text) : text;
}

/** Whether a plain scalar is infinity or NaN, which JSON, and so an object of the API, cannot represent. */
export function isNonFinite(text: string): boolean {
  return NON_FINITE.test(text);
}

function integerOf(text: string): number {
  const digits = text.replace(/^[-+]/, '').replaceAll('_', '');
  const magnitude = /^0\d/.test(digits) ? Number.parseInt(digits, 8) : Number(digits);
  return text.startsWith('-') ? -magnitude : magnitude;
}

function finite(value: number, text: string): number | string {
  return Number.isFinite(value) ? value : text;
}
