import { expect } from 'chai';
import { RememberedLedger } from '../../../../src/control/node/remembered-ledger.ts';
import { emptyLedger, type Ledger } from '../../../../src/domain/snapshot/ledger.ts';
import { FakeLedgerStore } from '../../../fakes/ledger-store.ts';
import { valueOf } from '../../adapters/readings.ts';

const BOOT = '00000000-0000-0000-0000-000000000001';
const withVrf = (name: string): Ledger => ({
  ...emptyLedger,
  entries: [{ kind: 'unsigned-vrf', name, table: 1012, network: `cluster_udn_${name}` }],
});

describe('a ledger that cannot be written for a while', () => {
  let store: FakeLedgerStore;
  let ledger: RememberedLedger;
  beforeEach(async () => {
    store = new FakeLedgerStore();
    ledger = new RememberedLedger(store);
    await ledger.write(withVrf('before'), BOOT);
    store.failWrites('no space left');
  });

  const names = async (read: RememberedLedger | FakeLedgerStore) =>
    valueOf(await read.read(BOOT)).entries.map((entry) => entry.kind === 'unsigned-vrf' && entry.name);

  it('is returned by reads if it describes the node', async () => {
    expect(await ledger.keep(withVrf('true'), BOOT)).to.have.property('done', false);
    expect(await names(ledger)).to.deep.equal(['true']);
    expect(await names(store)).to.deep.equal(['before']);
  });

  it('is written with the first observation after that is possible', async () => {
    await ledger.keep(withVrf('true'), BOOT);
    store.recover();
    expect(await names(ledger)).to.deep.equal(['true']);
    expect(await names(store)).to.deep.equal(['true']);
  });

  it('is read as before if it announced an operation, which is then not applied', async () => {
    await ledger.keep(withVrf('true'), BOOT);
    expect(await ledger.write(withVrf('planned'), BOOT)).to.have.property('done', false);
    expect(await names(ledger)).to.deep.equal(['true']);
  });

  it('is read from the store again once a later ledger is written', async () => {
    await ledger.keep(withVrf('true'), BOOT);
    store.recover();
    await ledger.write(withVrf('later'), BOOT);
    expect(await names(ledger)).to.deep.equal(['later']);
  });
});
