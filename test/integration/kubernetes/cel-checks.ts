/** Expressions that use every function of Kubernetes' CEL libraries, and values for them. */

/** The longest text that is no name: what a rule may cost is estimated from it. */
export const LONGEST_TEXT = 60;

/** The subject of an expression. */
export type Subject = 'text' | 'name' | 'texts' | 'integers' | 'numbers' | 'flags';

/** An expression of type string over `self.value`. */
export interface Check {
  readonly subject: Subject;
  readonly expression: string;
}

const formats = [
  ...['dns1123Label', 'dns1123Subdomain', 'dns1035Label', 'dns1123LabelPrefix', 'dns1123SubdomainPrefix'],
  ...['dns1035LabelPrefix', 'qualifiedName', 'labelValue', 'uri', 'uuid', 'byte', 'date', 'datetime'],
];

/** Patterns of RE2, some of which JavaScript does not take, or takes for something else. */
const patterns = [
  ...['[0-9]+', '[0-9]*', 'a*', '(?i)[A-F]+', '.', '\\s', '(?P<x>[a-z])(?:[0-9])', '\\bfe80\\b', '(a|ab)(c|bcd)'],
  ...['x{2,}', '\\x{1F600}', '[\\d.]+'],
];

/** Patterns of RE2 that match once at most, some of which JavaScript does not take, or takes for something else. */
const anchored = ['^\\pL+', '[[:alpha:]]+$', '[^/]+$', '(?s).$'];

/** Expressions of type bool. */
const questions = [
  ...[
    'isIP(self.value)',
    "ip(self.value) == ip('::1')",
    'ip.isCanonical(self.value)',
    'ip(self.value).isUnspecified()',
  ],
  ...['ip(self.value).isLoopback()', 'ip(self.value).isLinkLocalMulticast()', 'ip(self.value).isLinkLocalUnicast()'],
  ...['ip(self.value).isGlobalUnicast()', 'isCIDR(self.value)', 'cidr(self.value) == cidr(self.value).masked()'],
  ...["cidr(self.value).containsIP('10.0.0.1')", "cidr(self.value).containsIP(ip('fd00::1'))"],
  ...["cidr('10.0.0.0/8').containsIP(self.value)", "cidr('fd00::/16').containsIP(ip(self.value))"],
  ...["cidr(self.value).containsCIDR('10.0.0.0/24')", "cidr('10.0.0.1/16').containsCIDR(cidr(self.value))"],
  ...['isURL(self.value)', "url(self.value) == url('https://example.com/?')", "'a' in url(self.value).getQuery()"],
];

const ofText = [
  ...questions.map((question) => `string(${question})`),
  ...['string(ip(self.value))', 'string(ip(self.value).family())', 'string(cidr(self.value))'],
  ...['string(cidr(self.value).ip())', 'string(cidr(self.value).masked())', 'string(cidr(self.value).prefixLength())'],
  ...['Scheme', 'Host', 'Hostname', 'Port', 'EscapedPath'].map((part) => `url(self.value).get${part}()`),
  "('a' in url(self.value).getQuery() ? url(self.value).getQuery()['a'][0] : 'none')",
  "('a' in url(self.value).getQuery() ? string(url(self.value).getQuery()['a'].size()) : 'none')",
  'string(url(self.value).getQuery().size())',
  ...[...patterns, ...anchored].flatMap((pattern) => [
    `self.value.find(r'${pattern}')`,
    `string(self.value.findAll(r'${pattern}').size())`,
  ]),
  ...patterns.map(
    (pattern) => `(self.value.findAll(r'${pattern}').size() > 1 ? self.value.findAll(r'${pattern}', 2)[1] : 'none')`,
  ),
  "string(self.value.findAll('[0-9]', 0).size() + self.value.findAll('[0-9]', -1).size())",
];

const ofName = [
  'string(format.named(self.value).hasValue())',
  ...formats.flatMap((name) => [
    `string(format.${name}().validate(self.value).hasValue())`,
    `string(format.named('${name}').value().validate(self.value).orValue([]).size())`,
  ]),
];

/** Expressions for lists whose items are made of those of `self.value`. */
function ofList(list: string, item: string): readonly string[] {
  const [lowest, highest] = [`${list}.min()`, `${list}.max()`];
  return [
    `string(${list}.isSorted())`,
    `string(${lowest} == ${item})`,
    `string(${highest} == ${item})`,
    `string(${list}.indexOf(${item}))`,
    `string(${list}.lastIndexOf(${item}))`,
    `string(${list}.indexOf(${lowest}))`,
    `string(${list}.lastIndexOf(${highest}))`,
  ];
}

/** A list of what a function makes of the first three items: of a macro's the API server estimates no cost. */
const made = (name: string) => `[${[0, 1, 2].map((index) => `${name}(self.value[${index}])`).join(', ')}]`;

const ofLists: Readonly<Record<Exclude<Subject, 'text' | 'name'>, readonly string[]>> = {
  texts: [
    ...ofList('self.value', "'b'"),
    'self.value.min()',
    `string(${made('ip')}.indexOf(ip('::1')))`,
    `string(${made('cidr')}.lastIndexOf(cidr('::/0')))`,
    `string(${made('url')}.indexOf(url('/a')))`,
    ...ofList(made('duration'), "duration('90s')"),
    `string(${made('duration')}.sum() > duration('2m'))`,
    ...ofList(made('timestamp'), "timestamp('2021-01-01T00:00:00Z')"),
  ],
  integers: [
    ...ofList('self.value', '2'),
    'string(self.value.sum())',
    'string(self.value.max())',
    `string(${made('uint')}.sum())`,
    ...ofList(made('uint'), '2u'),
  ],
  numbers: [...ofList('self.value', '1.5'), 'string(self.value.sum() >= 4.0)', 'string(self.value.sum() == 4.0)'],
  flags: ofList('self.value', 'true'),
};

/** All expressions. Together they call every function of the libraries. */
export const checks: readonly Check[] = [
  ...ofText.map((expression): Check => ({ subject: 'text', expression })),
  ...ofName.map((expression): Check => ({ subject: 'name', expression })),
  ...Object.entries(ofLists).flatMap(([subject, expressions]) =>
    expressions.map((expression): Check => ({ subject: subject as Subject, expression })),
  ),
];

const addresses = [
  ...['0.0.0.0', '127.0.0.1', '127.255.0.1', '10.0.0.1', '169.254.0.9', '224.0.0.1', '224.0.1.1', '239.0.0.1'],
  ...['255.255.255.255', '010.0.0.1', '1.2.3', '1.2.3.4.5', '256.1.1.1', '::', '::1', '0:0:0:0:0:0:0:1', 'fe80::1'],
  ...['fe80::1%eth0', 'FE80::A', 'ff02::1', 'ff12::1', 'ff05::1', 'fd00::1', 'fd00:0::0:1', '2001:db8:0:1:1:1:1:1'],
  ...['2001:db8::1:0:0:1', '::ffff:10.0.0.1', '::ffff:a00:1', '64:ff9b::192.0.2.1', ':::1', '1::2::3', '[::1]'],
];

const subnets = [
  ...[
    '10.0.0.0/8',
    '10.0.0.1/8',
    '10.0.0.0/24',
    '10.0.0.0/25',
    '10.1.0.0/16',
    '0.0.0.0/0',
    '10.0.0.0/33',
    '/8',
    '::/0',
  ],
  ...['fd00::/8', 'fd00::5/64', 'FD00::/64', '10.0.0.0/08', '10.0.0.0/', '::ffff:10.0.0.0/104', 'fe80::%eth0/64'],
];

const urls = [
  ...['https://example.com/', 'https://example.com:80/path?query=val#fragment', 'https://user:pass@example.com/'],
  ...[
    '/absolute-path',
    '../relative',
    'https://a:b:c/',
    'HTTP://EXAMPLE.com',
    'https://[::1]:80/',
    'https://[::1]/%zz',
  ],
  ...['https://[fe80::1%25en0]/', 'mailto:a@b', '*', '//host/path', 'https://example.com/path with spaces/'],
  ...[
    '/p?a=1&a=2&b',
    '/p?a=1;b=2',
    '/p?a=%41+%2B',
    '/p?%zz=1&a',
    '/a%2fb',
    '/é/%c3%a9',
    'x:/y',
    'x:',
    '://x',
    '/?',
    '?a',
  ],
  ...['https://example.com/?', 'https://example.com:x/', 'https://ex ample.com/', 'postgres://a:1,b:2/', '/p#%zz'],
];

const names = [
  ...['a', 'a-', '-a', 'a-b', 'A', 'a.b', 'a..b', 'a_b', '1a', 'a1', '-', '--', 'é-', 'a'.repeat(63), 'a'.repeat(64)],
  ...['example.com/name', '/name', 'example.com/', 'a/b/c', 'Example.com/x', 'a\n', ' a', '.a', 'uuid', 'dns1123Label'],
  ...[`${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(61), `${'a'.repeat(63)}.`.repeat(3) + 'a'.repeat(62)],
];

const others = [
  ...['2021-01-01', '2021-02-29', '2020-02-29', '1900-02-29', '2000-02-29', '2021-1-1', '2021-13-01', '0000-01-01'],
  ...['2021-01-01T00:00:00Z', '2021-01-01t23:59:59.123+01:00', '2021-01-01T24:00:00Z', '2021-01-01T00:60:00Z'],
  ...['2021-01-01T00:00:00', '2021-01-01T00:00:00Ztail', '2021-01-01T00:00:60Z', '2021-01-01T00:00:00x5Z'],
  ...['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000', '123e4567-e89b'],
  ...['aGVsbG8=', 'aGVsbG8', 'aGVs', '====', 'a+/=', 'aGVsbG8=\n', ''],
  ...[
    'abcd ac fe80 xx xxx fe80',
    'abc 123',
    '123 abc 456',
    'xyz',
    '😀x😀',
    'abcd',
    'ab1cd2',
    'fe80',
    'line\nline',
    '日本 1',
    'xxX',
    '\ufeff\u00a0',
  ],
];

/** A text with one character removed, doubled or replaced, at a place and with a character that follow from the number. */
function changed(text: string, number: number): string {
  const characters = Array.from(text);
  const odd = Array.from('%/:.-_ é0A?#[]@&=;+');
  const at = (number * 7) % (characters.length + 1);
  const character = odd[(number * 5) % odd.length] ?? '';
  const replacements = [[], [characters[at] ?? '', character], [character]];
  return [...characters.slice(0, at), ...(replacements[number % 3] ?? []), ...characters.slice(at + 1)].join('');
}

const texts = [...addresses, ...subnets, ...urls, ...names, ...others];

/** Lists of up to four items in several orders, some of them repeated. */
function lists<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const at = (index: number) => items[index % items.length] as Item;
  return [
    [],
    ...items.map((item) => [item]),
    ...items.flatMap((item, index) => [
      [item, at(index + 1)],
      [at(index + 2), item, item],
      [item, at(index + 1), at(index + 3), item],
    ]),
  ];
}

const some = [...texts, ...texts.map(changed)];

/** Values for each subject. */
export const values: Readonly<Record<Subject, readonly unknown[]>> = {
  text: some.filter(({ length }) => length <= LONGEST_TEXT),
  name: some,
  texts: [
    ...lists(['a', 'b', 'c', 'B', '', 'é', '\uffff', '😀']),
    ...lists(['::1', '0::1', '10.0.0.1', '::']),
    ...lists(['::/0', '0::/0', '10.0.0.0/8']),
    ...lists(['/a', '/%61', '/b', 'https://a']),
    ...lists(['1s', '90s', '1m30s', '1h', '100ms']),
    ...lists(['2021-01-01T00:00:00Z', '2021-01-01T01:00:00+01:00', '2020-01-01T00:00:00Z']),
  ],
  integers: [...lists([1, 2, 3, 0, -5, 2_147_483_648]), [Number.MAX_SAFE_INTEGER, 1]],
  numbers: lists([1.5, 2.5, 0.25, -3]),
  flags: lists([true, false]),
};
