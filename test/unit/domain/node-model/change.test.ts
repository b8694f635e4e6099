import { expect } from 'chai';
import { refused, refusedAsExisting } from '../../../../src/domain/node-model/change.ts';

describe('a change that is refused', () => {
  it('has a reason, and one with its subject, whatever the two consist of', () => {
    expect(refused('next hop fd00:: eth0: No route to host', 'route default: all')).to.deep.equal({
      done: false,
      reason: 'next hop fd00:: eth0: No route to host',
      refusal: 'route default: all: next hop fd00:: eth0: No route to host',
    });
  });

  it('has a reason with its subject', () => {
    const reason = 'blue is no VRF device';
    expect(refused(reason)).to.deep.equal({ done: false, reason, refusal: reason });
  });

  it('has the reason that the entity exists already', () => {
    expect(refusedAsExisting('blue')).to.deep.equal({
      done: false,
      reason: 'File exists',
      refusal: 'blue: File exists',
      exists: true,
    });
  });
});
