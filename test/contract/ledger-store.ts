import { expect } from 'chai';
import { emptyLedger, type Ledger } from '../../src/domain/snapshot/ledger.ts';
import { writeLedger } from '../../src/domain/entities/ownership/ledger-text.ts';
import type { Reading } from '../../src/ports/input-problem.ts';
import type { LedgerStore } from '../../src/ports/node/ledger-store.ts';

/** A store, and the means to change the stored text as another program would. */
export interface LedgerStoreUnderTest {
  readonly store: LedgerStore;
  /** Opens the same ledger again, as after a restart. */
  readonly reopen: () => LedgerStore;
  /** Overwrites the stored text. */
  readonly overwrite: (text: string) => void;
  /** The stored text. */
  readonly text: () => string | undefined;
  /** The copy of an unusable ledger, if any. */
  readonly unusableCopy: () => string | undefined;
  /** Makes writes fail until the returned function is called. */
  readonly failWrites: () => () => void;
}

const boot = '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e';
const nextBoot = '0d2f6f0e-0f52-4b43-9c9b-64a3a1f8a4c7';

/** A ledger with several kinds of entries, and one of a newer version. */
export const ledger: Ledger = {
  ...emptyLedger,
  entries: [
    {
      kind: 'displaced',
      device: 'br-blü',
      entity: {
        kind: 'route',
        route: {
          family: 4,
          table: 254,
          destination: '10.9.0.0/16',
          metric: 100,
          type: 'unicast',
          protocol: 'static',
          nextHops: [{ device: 'br-blü', gateway: '192.0.2.1' }],
        },
      },
      state: 'awaiting',
      takenAt: 12,
    },
    { kind: 'membership', device: 'br-blü', vrf: 'blue', table: 1007, network: 'cluster_udn_blue' },
  ],
  unknown: [{ kind: 'of-a-newer-version', what: ['ever', null, { it: 'is' }] }],
};

const smaller: Ledger = { ...emptyLedger, unknown: ledger.unknown };

function ledgerIn(reading: Reading<Ledger>): Ledger {
  if (reading.read) return reading.value;
  throw new Error(JSON.stringify(reading.problems));
}

/**
 * Tests an implementation of LedgerStore.
 *
 * @param start returns an empty one
 */
export function describeLedgerStore(start: () => LedgerStoreUnderTest): void {
  it('is empty before the first write', async () => {
    expect(ledgerIn(await start().store.read(boot))).to.deep.equal(emptyLedger);
  });

  for (const [what, bootId] of [
    ['with the boot id', boot],
    ['without a boot id', undefined],
  ] as const) {
    it(`returns the last write after a restart, ${what}`, async () => {
      const { store, reopen, unusableCopy } = start();
      expect(await store.write(smaller, bootId)).to.deep.equal({ done: true });
      expect(await store.write(ledger, bootId)).to.deep.equal({ done: true });
      expect(ledgerIn(await reopen().read(boot))).to.deep.equal(ledger);
      expect(await reopen().write(smaller, bootId)).to.deep.equal({ done: true });
      expect(ledgerIn(await reopen().read(boot))).to.deep.equal(smaller);
      expect(unusableCopy()).to.equal(undefined);
    });
  }

  it('returns the last of several concurrent writes', async () => {
    const { store, text } = start();
    await Promise.all([store.write(smaller, boot), store.write(ledger, boot), store.write(smaller, boot)]);
    expect(text()).to.equal(writeLedger(smaller, boot));
  });

  it('is discarded after a reboot, without a copy', async () => {
    const { store, reopen, unusableCopy } = start();
    await store.write(ledger, boot);
    const next = reopen();
    const read = ledgerIn(await next.read(nextBoot));
    expect(read).to.deep.include(emptyLedger).and.to.have.property('problem').which.includes(boot);
    await next.write(smaller, nextBoot);
    expect(ledgerIn(await next.read(nextBoot))).to.deep.equal(smaller);
    expect(unusableCopy()).to.equal(undefined);
  });

  for (const isRead of [true, false]) {
    it(`is copied before it is overwritten if it is unusable, ${isRead ? 'after' : 'without'} a read`, async () => {
      const { store, overwrite, text, unusableCopy } = start();
      overwrite('{ "version": 1, "entr');
      if (isRead) {
        const read = ledgerIn(await store.read(boot));
        expect(read).to.deep.include(emptyLedger).and.to.have.property('problem').which.includes('truncated');
        expect(unusableCopy()).to.equal(undefined);
      }
      await store.write(ledger, boot);
      expect(unusableCopy()).to.equal('{ "version": 1, "entr');
      expect(text()).to.equal(writeLedger(ledger, boot));
      await store.write(smaller, boot);
      expect(unusableCopy()).to.equal('{ "version": 1, "entr');
    });
  }

  it('is copied if another program corrupted it while it was in use', async () => {
    const { store, overwrite, unusableCopy } = start();
    await store.write(ledger, boot);
    overwrite('{ "version": 1, "entr');
    await store.read(boot);
    await store.write(ledger, boot);
    expect(unusableCopy()).to.equal('{ "version": 1, "entr');
  });

  for (const [first, second, kept] of [
    ['{ "version": 1, "entr', '', '{ "version": 1, "entr'],
    ['{ "ver', '{ "version": 1, "entr', '{ "version": 1, "entr'],
    ['{ "a', '{ "b', '{ "b'],
  ] as const) {
    it(`keeps the copy ${kept} of the unusable ${first} and then ${second === '' ? 'an empty file' : second}`, async () => {
      const { store, reopen, overwrite, unusableCopy } = start();
      overwrite(first);
      await store.write(ledger, boot);
      overwrite(second);
      await reopen().write(ledger, boot);
      expect(unusableCopy()).to.equal(kept);
    });
  }

  it('keeps its content while writes fail, and can be written afterwards', async () => {
    const { store, text, failWrites } = start();
    await store.write(ledger, boot);
    const endFailure = failWrites();
    const outcome = await store.write(smaller, boot);
    expect(outcome).to.have.property('done', false);
    expect(outcome)
      .to.have.property('error')
      .which.matches(/^the ledger .*ledger\.json cannot be written: .+; nothing is changed on the node without it$/);
    expect(text()).to.equal(writeLedger(ledger, boot));
    endFailure();
    expect(await store.write(smaller, boot)).to.deep.equal({ done: true });
    expect(text()).to.equal(writeLedger(smaller, boot));
  });
}
