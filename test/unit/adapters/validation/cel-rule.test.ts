import { expect } from 'chai';
import { compileRule } from '../../../../src/adapters/validation/cel-rule.ts';

const violation = (rule: string, self: unknown) => compileRule({ rule, message: 'is odd' }).violation({ self });

describe('a CEL rule of a definition', () => {
  // Examples of Kubernetes' documentation of its libraries, for which they exist.
  for (const rule of [
    ...[
      "isIP('::1')",
      "!isIP('127.0.0.256')",
      "!isIP('fe80::1%eth0')",
      "!isIP('::ffff:1.2.3.4')",
      "!isIP('10.0.0.01')",
    ],
    ...["ip('::1').family() == 6", "string(ip('0:0::1')) == '::1'", "!ip.isCanonical('2001:DB8::ABCD')"],
    ...["ip('::').isUnspecified()", "ip('127.9.9.9').isLoopback()", "ip('ff02::1').isLinkLocalMulticast()"],
    ...["ip('fe80::1').isLinkLocalUnicast()", "!ip('255.255.255.255').isGlobalUnicast()"],
    ...["isCIDR('192.168.0.1/24')", "!isCIDR('192.168.0.0/33')", "cidr('192.168.0.0/16').prefixLength() == 16"],
    ...[
      "cidr('192.168.0.1/24').ip() == ip('192.168.0.1')",
      "cidr('192.168.0.1/24') != cidr('192.168.0.1/24').masked()",
    ],
    ...["cidr('192.168.0.0/24').containsIP('192.168.0.1')", "!cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))"],
    ...[
      "cidr('192.168.0.0/16').containsCIDR(cidr('192.168.10.0/24'))",
      "!cidr('10.1.0.0/24').containsCIDR('10.1.0.0/16')",
    ],
    ...["['a', 'b', 'b', 'c'].isSorted()", '![2.0, 1.0].isSorted()', '[1, 3].sum() == 4', '[].sum() == 0'],
    ...[
      '[1, 3].min() == 1',
      "['a', 'c', 'b'].max() == 'c'",
      '[1, 2, 2, 3].indexOf(2) == 1',
      "['a'].indexOf('b') == -1",
    ],
    ...["[b'a', b'b'].isSorted()", "[b'a', b'\\xff', b'b'].max() == b'\\xff'", "[b'a', b'b'].indexOf(b'b') == 1"],
    ...["['a', 'b', 'b', 'c'].lastIndexOf('b') == 2", "[duration('1m'), duration('1s')].sum() == duration('61s')"],
    ...["'abc 123'.find('[0-9]+') == '123'", "'abc 123'.find('xyz') == ''", "'123 abc 456'.findAll('xyz') == []"],
    ...["'123 abc 456'.findAll('[0-9]+') == ['123', '456']", "'123 abc 456'.findAll('[0-9]+', 1) == ['123']"],
    ...[
      "isURL('/absolute-path')",
      "!isURL('../relative-path')",
      "!isURL('https://a:b:c/')",
      "url('/path').getHost() == ''",
    ],
    ...["url('https://example.com/').getScheme() == 'https'", "url('https://[::1]:80/').getHost() == '[::1]:80'"],
    ...["url('https://[::1]:80/').getHostname() == '::1'", "url('https://example.com:80/').getPort() == '80'"],
    ...[
      "url('https://example.com/with space/').getEscapedPath() == '/with%20space/'",
      "url('/a') == url('/%61') == false",
    ],
    ...["url('https://example.com/?k1=a&k2=b&k2=c').getQuery() == {'k1': ['a'], 'k2': ['b', 'c']}"],
    ...[
      "!format.dns1123Label().validate('my-label-name').hasValue()",
      "format.dns1035Label().validate('1a').hasValue()",
    ],
    ...["format.named('qualifiedName').value().validate('a/b/c').value().size() == 1", "!format.named('x').hasValue()"],
    ...["!format.dns1123SubdomainPrefix().validate('a.b-').hasValue()", "format.labelValue().validate('-').hasValue()"],
    ...["!format.byte().validate('aGVsbG8=').hasValue()", "format.date().validate('2021-02-29').hasValue()"],
    ...["format.datetime().validate('2021-01-01T24:00:00Z').hasValue()", "!format.uri().validate('/a').hasValue()"],
    "!format.uuid().validate('123E4567-e89b-12d3-a456-426614174000').hasValue()",
  ])
    it(`may use Kubernetes' libraries: ${rule}`, () => {
      expect(violation(rule, {})).to.equal(undefined);
      expect(violation(`!(${rule})`, {})).to.equal('is odd');
    });

  for (const [rule, problem] of [
    ["ip('10.0.0.256').family() == 4", '10.0.0.256 is not an address'],
    ["cidr('10.0.0.0/33').prefixLength() == 33", '10.0.0.0/33 is not a subnet'],
    ["url('a').getHost() == ''", 'a is not a URL'],
    ['[].min() == 0', 'min called on empty list'],
    // RE2 has no lookahead.
    ["'a'.find('(?=a)') == ''", 'invalid or unsupported Perl syntax'],
  ] as const)
    it(`is violated, and says why, where a function fails: ${rule}`, () => {
      expect(violation(rule, {})).to.include(problem);
    });

  it('that uses a function which is not there is violated by every value, and says so', () => {
    for (const value of ['1', 'https://example.org', '192.0.2.1'])
      expect(violation('quantity(self).isInteger()', value)).to.match(
        /^is odd \(the rule cannot be evaluated: .*quantity/,
      );
  });
});
