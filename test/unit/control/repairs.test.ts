import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { type RepairOutcome, Repairs, type RepairScope } from '../../../src/control/repairs.ts';

const succeeded: RepairOutcome = { ok: true };
const failed: RepairOutcome = { ok: false, error: { message: 'a database cannot be read', details: 'it is away' } };

describe('repairs', () => {
  let reports: { readonly error: string; readonly retryIn: number }[];
  /** Attempts that have begun, and what ends them. */
  let attempts: ((result: RepairOutcome) => void)[];
  let scopes: (RepairScope | undefined)[];
  let begun: PromiseWithResolvers<undefined>;
  /** Resolves once no call is being answered. */
  let idle: () => Promise<void>;
  let repairs: Repairs;
  beforeEach(() => {
    [reports, attempts, scopes, begun] = [[], [], [], Promise.withResolvers()];
    idle = () => Promise.resolve();
    repairs = new Repairs(
      {
        idle: () => idle(),
        repair: (scope) => {
          scopes.push(scope);
          const { promise, resolve } = Promise.withResolvers<RepairOutcome>();
          attempts.push(resolve);
          begun.resolve(undefined);
          begun = Promise.withResolvers();
          return promise;
        },
      },
      (error, retryIn) => reports.push({ error, retryIn }),
      { backoff: { first: 100, longest: 100 }, resync: 300 },
    );
  });

  it('are made once for several changes, and again for those meanwhile', async () => {
    const first = begun.promise;
    for (let time = 0; time < 3; time++) repairs.changed();
    await first;
    const second = begun.promise;
    repairs.changed();
    expect(attempts).to.have.length(1);
    attempts[0]?.(succeeded);
    await second;
    attempts[1]?.(succeeded);
    await repairs.stop();
    expect(attempts).to.have.length(2);
    expect(reports).to.deep.equal([]);
  });

  it('are made the later after a long one, as each looks at all pods', async () => {
    const first = begun.promise;
    repairs.changed();
    await first;
    await setTimeout(50);
    const second = begun.promise;
    const end = performance.now();
    attempts[0]?.(succeeded);
    repairs.changed();
    await second;
    const waited = performance.now() - end;
    attempts[1]?.(succeeded);
    await repairs.stop();
    expect(waited).to.be.at.least(190);
  });

  it('are made once for all that changes while calls are being answered', async () => {
    const [asked, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    idle = async () => {
      asked.resolve(undefined);
      await answered.promise;
    };
    const first = begun.promise;
    repairs.changed();
    await asked.promise;
    repairs.changed();
    expect(attempts).to.have.length(0);
    answered.resolve(undefined);
    await first;
    attempts[0]?.(succeeded);
    // Longer than changes are collected.
    await setTimeout(100);
    await repairs.stop();
    expect(attempts).to.have.length(1);
  });

  it('are tried again after a failure, which is reported once, and sooner after a change', async () => {
    const first = begun.promise;
    repairs.changed();
    await first;
    const second = begun.promise;
    attempts[0]?.(failed);
    repairs.changed();
    await second;
    const third = begun.promise;
    attempts[1]?.(failed);
    expect(reports).to.deep.equal([{ error: 'a database cannot be read: it is away', retryIn: 100 }]);
    // Without any change.
    await third;
    attempts[2]?.(succeeded);
    await repairs.stop();
    expect(reports).to.have.length(1);
  });

  it('are made again without a reported change: one may have been missed', async () => {
    const first = begun.promise;
    repairs.changed();
    await first;
    const second = begun.promise;
    const succeededAt = performance.now();
    attempts[0]?.(succeeded);
    await second;
    // A timer may fire a millisecond early.
    expect(performance.now() - succeededAt).to.be.above(298);
    attempts[1]?.(succeeded);
    await repairs.stop();
    expect(attempts).to.have.length(2);
  });

  it('are of everything at the start, after a failure and once in a while, and of what has changed otherwise', async () => {
    const results = [failed, succeeded, succeeded, failed, succeeded];
    for (const result of results) {
      const next = begun.promise;
      repairs.changed();
      await next;
      attempts.at(-1)?.(result);
    }
    const [whole, changed] = ['everything', 'changed'] as const;
    expect(scopes).to.deep.equal([whole, whole, changed, changed, whole]);
    // Changes do not put it off.
    const succeededAt = performance.now();
    while (scopes.length === results.length || scopes.at(-1) === changed) {
      const next = begun.promise;
      repairs.changed();
      await next;
      attempts.at(-1)?.(succeeded);
    }
    expect(performance.now() - succeededAt).to.be.above(298);
    await repairs.stop();
    expect(new Set(scopes.slice(results.length, -1))).to.deep.equal(new Set([changed]));
  });

  it('end with the one that is under way', async () => {
    const first = begun.promise;
    repairs.changed();
    await first;
    let isStopped = false;
    const stopped = repairs.stop().then(() => (isStopped = true));
    expect(isStopped).to.equal(false);
    attempts[0]?.(failed);
    await stopped;
    repairs.changed();
    expect(attempts).to.have.length(1);
  });
});
