import { expect } from 'chai';
import { emptyLedger, type Ledger } from '../../src/domain/snapshot/ledger.ts';
import { writeLedger } from '../../src/domain/ownership/ledger-text.ts';
import type { Reading } from '../../src/ports/input-problem.ts';
import type { LedgerStore } from '../../src/ports/ledger-store.ts';

/** A store, and the hands of others on what it keeps. */
export interface LedgerStoreUnderTest {
  readonly store: LedgerStore;
  /** Another store of the same place, as after a restart. */
  readonly restarted: () => LedgerStore;
  /** Puts a text in the ledger's place. */
  readonly put: (text: string) => void;
  /** What stands in the ledger's place. */
  readonly text: () => string | undefined;
  /** What is kept of a former text of which nothing could be made. */
  readonly aside: () => string | undefined;
  /** Makes it impossible to write, until the function that it returns is called. */
  readonly breakWriting: () => () => void;
}

const boot = '5a1ff1fe-7a3c-4c3f-8f0a-3c3c1f6f0b3e';
const nextBoot = '0d2f6f0e-0f52-4b43-9c9b-64a3a1f8a4c7';

/** A ledger with an entry of each sort of value, and with one of a newer version. */
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
  unknown: [{ kind: 'of-tomorrow', what: ['ever', null, { it: 'is' }] }],
};

const smaller: Ledger = { ...emptyLedger, unknown: ledger.unknown };

function ledgerIn(reading: Reading<Ledger>): Ledger {
  if (reading.read) return reading.value;
  throw new Error(JSON.stringify(reading.problems));
}

/**
 * What holds for whatever fulfils the port LedgerStore.
 *
 * @param make makes one in which nothing has been written
 */
export function describeLedgerStore(make: () => LedgerStoreUnderTest): void {
  it('is empty where none has been written', async () => {
    expect(ledgerIn(await make().store.read(boot))).to.deep.equal(emptyLedger);
  });

  for (const [what, bootId] of [
    ['a known boot', boot],
    ['a boot that is not known', undefined],
  ] as const) {
    it(`returns what was written last after a restart, in ${what}`, async () => {
      const { store, restarted, aside } = make();
      expect(await store.write(smaller, bootId)).to.deep.equal({ done: true });
      expect(await store.write(ledger, bootId)).to.deep.equal({ done: true });
      expect(ledgerIn(await restarted().read(boot))).to.deep.equal(ledger);
      expect(await restarted().write(smaller, bootId)).to.deep.equal({ done: true });
      expect(ledgerIn(await restarted().read(boot))).to.deep.equal(smaller);
      expect(aside()).to.equal(undefined);
    });
  }

  it('returns the last of several concurrent writes', async () => {
    const { store, text } = make();
    await Promise.all([store.write(smaller, boot), store.write(ledger, boot), store.write(smaller, boot)]);
    expect(text()).to.equal(writeLedger(smaller, boot));
  });

  it('is discarded without a copy after a reboot', async () => {
    const { store, restarted, aside } = make();
    await store.write(ledger, boot);
    const next = restarted();
    const found = ledgerIn(await next.read(nextBoot));
    expect(found).to.deep.include(emptyLedger).and.to.have.property('problem').which.includes(boot);
    await next.write(smaller, nextBoot);
    expect(ledgerIn(await next.read(nextBoot))).to.deep.equal(smaller);
    expect(aside()).to.equal(undefined);
  });

  for (const isRead of [true, false]) {
    it(`is kept aside where nothing can be made of it, ${isRead ? '' : 'not even '}read before`, async () => {
      const { store, put, text, aside } = make();
      put('{ "version": 1, "entr');
      if (isRead) {
        const found = ledgerIn(await store.read(boot));
        expect(found).to.deep.include(emptyLedger).and.to.have.property('problem').which.includes('truncated');
        expect(aside()).to.equal(undefined);
      }
      await store.write(ledger, boot);
      expect(aside()).to.equal('{ "version": 1, "entr');
      expect(text()).to.equal(writeLedger(ledger, boot));
      await store.write(smaller, boot);
      expect(aside()).to.equal('{ "version": 1, "entr');
    });
  }

  it('keeps a copy of one that another program corrupted while it was in use', async () => {
    const { store, put, aside } = make();
    await store.write(ledger, boot);
    put('{ "version": 1, "entr');
    await store.read(boot);
    await store.write(ledger, boot);
    expect(aside()).to.equal('{ "version": 1, "entr');
  });

  for (const [first, second, kept] of [
    ['{ "version": 1, "entr', '', '{ "version": 1, "entr'],
    ['{ "ver', '{ "version": 1, "entr', '{ "version": 1, "entr'],
    ['{ "a', '{ "b', '{ "b'],
  ] as const) {
    it(`of which nothing can be made is ${kept} of ${first} and then ${second === '' ? 'nothing' : second}`, async () => {
      const { store, restarted, put, aside } = make();
      put(first);
      await store.write(ledger, boot);
      put(second);
      await restarted().write(ledger, boot);
      expect(aside()).to.equal(kept);
    });
  }

  it('keeps the former one while writes fail, and is written again afterwards', async () => {
    const { store, text, breakWriting } = make();
    await store.write(ledger, boot);
    const repair = breakWriting();
    const refused = await store.write(smaller, boot);
    expect(refused).to.have.property('done', false);
    expect(refused)
      .to.have.property('error')
      .which.matches(/^the ledger .*ledger\.json cannot be written: .+; nothing is changed on the node without it$/);
    expect(text()).to.equal(writeLedger(ledger, boot));
    repair();
    expect(await store.write(smaller, boot)).to.deep.equal({ done: true });
    expect(text()).to.equal(writeLedger(smaller, boot));
  });
}
