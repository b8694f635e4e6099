import { expect } from 'chai';
import { StandingWarnings } from '../../../src/control/standing-warnings.ts';
import type { ObjectWarning } from '../../../src/domain/api/object-warning.ts';

const about = (name: string, message: string, uid = '1'): ObjectWarning => ({
  kind: 'Pod',
  namespace: 'demo',
  name,
  uid,
  reason: 'OpenPortsRefused',
  message,
});

describe('warnings that stand', () => {
  const given: string[] = [];
  const warn = ({ name, message, uid }: ObjectWarning) => void given.push(`${name} ${uid}: ${message}`);
  let warnings: StandingWarnings;
  beforeEach(() => {
    given.length = 0;
    warnings = new StandingWarnings({ warn });
  });

  it('are given once, whatever others come and go', () => {
    warnings.take([about('web', 'a')]);
    warnings.take([about('db', 'a'), about('web', 'a')]);
    warnings.take([about('web', 'a'), about('web', 'a')]);
    expect(given).to.deep.equal(['web 1: a', 'db 1: a']);
  });

  it('are given again where they come back, say something else, or are about another object of the name', () => {
    warnings.take([about('web', 'a')]);
    warnings.take([]);
    warnings.take([about('web', 'a')]);
    warnings.take([about('web', 'b')]);
    warnings.take([about('web', 'b', '2')]);
    expect(given).to.deep.equal(['web 1: a', 'web 1: a', 'web 1: b', 'web 2: b']);
  });
});
