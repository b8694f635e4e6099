import { expect } from 'chai';
import { LATE, ServedProgress, type ServedState } from '../../../../src/control/services/served-progress.ts';

const [blue, red] = ['cluster_udn_blue', 'cluster_udn_red'];

/** Services that wait, by key, with the network of each. */
const waiting = (services: Readonly<Record<string, string>>) =>
  new Map(Object.entries(services).map(([key, network]) => [key, new Set([network])]));

const state = (pending: Readonly<Record<string, string>> = {}, rest: Partial<ServedState> = {}): ServedState => ({
  networks: [blue, red],
  pending: waiting(pending),
  refused: new Map(),
  ...rest,
});

describe('whether the Services of networks are served', () => {
  let progress: ServedProgress;
  beforeEach(() => (progress = new ServedProgress()));

  /** Networks with what fails there. */
  const served = () =>
    progress.served?.map(({ networkName, failure }) =>
      failure === undefined ? networkName : `${networkName} ${failure.reason}: ${failure.message}`,
    );

  it('is not known before anything was read', () => {
    progress.look(LATE);
    expect(served()).to.equal(undefined);
  });

  it('is so where nothing waits, also without Services', () => {
    progress.take(state(), 0);
    expect(served()).to.deep.equal([blue, red]);
    expect(progress.nextAt).to.equal(Number.POSITIVE_INFINITY);
  });

  it('is not said at first of a network in which a Service waits', () => {
    progress.take(state({ 'red/web': red }), 0);
    expect(served()).to.deep.equal([blue]);
    progress.take(state(), 1);
    expect(served()).to.deep.equal([blue, red]);
  });

  it('stays so, as the same list, while a change is under way', () => {
    progress.take(state(), 0);
    const before = progress.served;
    progress.take(state({ 'blue/web': blue }), 5);
    progress.changed(new Set(['blue/web']), new Set([blue]), 6);
    progress.take(state(), 7);
    progress.confirmed(1, 8);
    expect(progress.served).to.equal(before);
  });

  it('ends where a Service waits for 10 seconds, until it does not', () => {
    progress.take(state(), 0);
    progress.take(state({ 'blue/web': blue }), 5);
    expect(progress.nextAt).to.equal(5 + LATE);
    progress.look(4 + LATE);
    expect(served()).to.deep.equal([blue, red]);
    progress.look(5 + LATE);
    const late = `${blue} ServicesPending: blue/web: its load balancers are not in OVN yet`;
    expect(served()).to.deep.equal([late, red]);
    progress.take(state({ 'blue/web': blue }, { error: 'ovnnb_db.sock: cannot be reached' }), 6 + LATE);
    expect(served()?.[0]).to.equal(`${blue} ServicesPending: blue/web: ovnnb_db.sock: cannot be reached`);
    progress.take(state(), 7 + LATE);
    expect(served()).to.deep.equal([blue, red]);
  });

  it('lasts while a Service changes again and again, each time in time', () => {
    progress.take(state(), 0);
    for (let now = 1; now < 3 * LATE; now += LATE / 20) {
      const transaction = progress.changed(new Set(['blue/web']), new Set([blue]), now);
      progress.take(state({ 'blue/web': blue }), now);
      progress.confirmed(transaction, now + 1);
      expect(served()).to.deep.equal([blue, red]);
    }
  });

  it('ends where OVN confirms nothing for 10 seconds, until it does', () => {
    progress.take(state(), 0);
    progress.changed(new Set(['blue/web', 'blue/api']), new Set([blue]), 1);
    progress.changed(new Set(['red/web']), new Set([red]), 2);
    progress.look(1 + LATE);
    const late = `${blue} ServicesPending: blue/api: OVN has not confirmed its load balancers yet`;
    expect(served()).to.deep.equal([late, red]);
    progress.confirmed(1, 2 + LATE);
    expect(served()?.[0]).to.equal(blue);
    expect(served()?.[1]).to.match(/^cluster_udn_red ServicesPending: red\/web: /);
    progress.confirmed(2, 3 + LATE);
    expect(served()).to.deep.equal([blue, red]);
  });

  it('ends at once where a Service is refused, and lasts until it is served', () => {
    progress.take(state(), 0);
    const refused = new Map([
      ['red/web', 'constraint violation'],
      ['red/api', 'too long'],
    ]);
    const both = { 'red/web': red, 'red/api': red };
    progress.take(state(both, { refused }), 1);
    expect(served()).to.deep.equal([blue, `${red} ServiceProgrammingFailed: red/api: too long`]);
    // The next attempt is under way.
    progress.take(state(both), 2);
    expect(served()?.[1]).to.match(/^cluster_udn_red ServiceProgrammingFailed/);
    progress.take(state(), 3);
    expect(served()).to.deep.equal([blue, red]);
  });

  it('is said of networks alone that are on the node', () => {
    progress.take(state(), 0);
    progress.take(state({ 'red/web': red }, { networks: [blue] }), 1);
    progress.look(1 + LATE);
    expect(served()).to.deep.equal([blue]);
  });
});
