import { expect } from 'chai';
import { readLedger } from '../../../../../src/domain/entities/ownership/ledger-text.ts';

const route = {
  family: 4,
  table: 254,
  destination: '0.0.0.0/0',
  type: 'unicast',
  protocol: 'static',
  metric: 0,
  nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }],
};

describe('a ledger of version 1', () => {
  it('is read: entities displaced by the former version are restored by this one', () => {
    const entries = [{ kind: 'displaced', device: 'br-blue', state: 'awaiting', thing: { type: 'route', route } }];
    const ledger = readLedger(JSON.stringify({ version: 1, entries }), undefined);
    expect(ledger.unknown).to.deep.equal([]);
    expect(ledger.entries).to.deep.equal([
      { kind: 'displaced', device: 'br-blue', state: 'awaiting', entity: { kind: 'route', route } },
    ]);
    expect(ledger.version).to.equal(2);
  });
});
