import { Optional, type Environment } from '@marcbachmann/cel-js';
import { isRequestUri } from './parsed-url.ts';

/** A named format in CEL (type `kubernetes.NamedFormat`). */
class Format {
  readonly problemsOf: FormatCheck;

  constructor(problemsOf: FormatCheck) {
    this.problemsOf = problemsOf;
  }
}

/** Faults of a text; none if it has the format. */
type FormatCheck = (text: string) => readonly string[];

/** The receiver of functions such as `format.named`. */
class FormatNamespace {
  readonly name = 'format';
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

/** A pattern, and the maximum number of bytes. */
function pattern(source: string, expected: string, most?: number): FormatCheck {
  const expression = new RegExp(`^${source}$`);
  return (text) => [
    ...(most !== undefined && Buffer.byteLength(text) > most ? [`must be at most ${most} bytes`] : []),
    ...(expression.test(text) ? [] : [`must be ${expected}`]),
  ];
}

const dns1123Label = pattern(label, 'a label of lower-case letters, digits and hyphens (RFC 1123)', 63);
const dns1123Subdomain = pattern(`${label}(\\.${label})*`, 'labels of RFC 1123, separated by dots', 253);
const dns1035Label = pattern('[a-z]([-a-z0-9]*[a-z0-9])?', 'a label that begins with a letter (RFC 1035)', 63);
const namePart = pattern(qualifiedName, "letters, digits, '-', '_' and '.', with a letter or digit at both ends", 63);

/** The beginning of a name may end in a hyphen. As in Kubernetes, the byte before it is not checked. */
function prefixOf(problemsOf: FormatCheck): FormatCheck {
  return (text) => problemsOf(text.replace(/[\0-\x7f]-$/, 'a'));
}

/** The key of a label: a name with an optional subdomain as its prefix. */
function qualifiedNameProblems(text: string): readonly string[] {
  const [last = '', ...before] = text.split('/').reverse();
  if (before.length > 1) return ["must have at most one '/'"];
  const ofPrefix = before.flatMap((prefix) => (prefix === '' ? ['must have a prefix'] : dns1123Subdomain(prefix)));
  return [...ofPrefix, ...(last === '' ? ['must have a name'] : []), ...namePart(last)];
}

/** A check that reports one problem. */
function check(holds: (text: string) => boolean, problem: string): FormatCheck {
  return (text) => (holds(text) ? [] : [problem]);
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** As in Kubernetes' OpenAPI library (strfmt, IsDateTime): what follows another `t` is ignored. */
function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hour, minute, second] = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/u.exec(time) ?? [];
  return isDate(date) && [hour, minute, second].every((part, index) => Number(part) <= (index === 0 ? 23 : 59));
}

const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

const formats = {
  dns1123Label,
  dns1123Subdomain,
  dns1035Label,
  dns1123LabelPrefix: prefixOf(dns1123Label),
  dns1123SubdomainPrefix: prefixOf(dns1123Subdomain),
  dns1035LabelPrefix: prefixOf(dns1035Label),
  qualifiedName: qualifiedNameProblems,
  labelValue: pattern(`(${qualifiedName})?`, 'the value of a label', 63),
  uri: check(isRequestUri, 'must be an absolute URL or an absolute path'),
  uuid: check((text) => uuid.test(text), 'must be a UUID'),
  byte: check((text) => base64.test(text), 'must be base64'),
  date: check(isDate, 'must be a date such as 2021-01-01'),
  datetime: check(isDateTime, 'must be a time such as 2021-01-01T00:00:00Z'),
} as const satisfies Readonly<Record<string, FormatCheck>>;

const named = new Map(Object.entries(formats).map(([name, problemsOf]) => [name, new Format(problemsOf)]));

/** Faults of a text; empty if it is valid. */
function validate({ problemsOf }: Format, text: string): Optional {
  const problems = problemsOf(text);
  return problems.length === 0 ? Optional.none() : Optional.of(problems);
}

/** Adds the functions of Kubernetes' format library. */
export function withFormatFunctions(environment: Environment): Environment {
  const extended = environment
    .registerType('kubernetes.NamedFormat', Format)
    .registerType('FormatNamespace', FormatNamespace)
    .registerConstant('format', 'FormatNamespace', new FormatNamespace())
    .registerFunction('kubernetes.NamedFormat.validate(string): optional<list<string>>', validate)
    .registerFunction(
      'FormatNamespace.named(string): optional<kubernetes.NamedFormat>',
      (_: FormatNamespace, name: string) => Optional.of(named.get(name)),
    );
  return [...named].reduce(
    (with_, [name, format]) =>
      with_.registerFunction(`FormatNamespace.${name}(): kubernetes.NamedFormat`, () => format),
    extended,
  );
}
