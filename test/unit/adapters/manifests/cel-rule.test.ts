import { expect } from 'chai';
import { compileRule } from '../../../../src/adapters/manifests/cel-rule.ts';

const violation = (rule: string, self: unknown) => compileRule({ rule, message: 'is odd' }).violation({ self });

describe('a CEL rule of a definition', () => {
  it('may use the functions for subnets and addresses that the definitions of ovn-uplinks need', () => {
    const rule = 'isCIDR(self) && cidr(self).ip().family() == 4 && cidr(self).prefixLength() == 16';
    expect(violation(rule, '10.20.0.0/16')).to.equal(undefined);
    expect(violation(rule, 'fd20::/16')).to.equal('is odd');
  });

  for (const rule of ['isURL(self)', 'quantity(self).isInteger()', 'self.find("[0-9]+") == "1"', 'isIP(self)'])
    it(`that uses a function which is not there is violated by every value, and says so: ${rule}`, () => {
      for (const value of ['1', 'https://example.org', '192.0.2.1'])
        expect(violation(rule, value)).to.match(/^is odd \(the rule cannot be evaluated: .*(isURL|quantity|find|isIP)/);
    });
});
