import { expect } from 'chai';
import { LATE, ServedProgress, type ServedState } from '../../../../src/control/services/served-progress.ts';

const [blue, red] = ['cluster_udn_blue', 'cluster_udn_red'];

/** Services that wait, by key, with the network of each. */
const waiting = (services: Readonly<Record<string, string>>) =>
  new Map(Object.entries(services).map(([key, network]) => [key, new Set([network])]));

/** Services that are changed, by key, with the network of each. */
const changing = (services: Readonly<Record<string, string>>, wanted = '10.20.0.3:80') =>
  new Map(Object.entries(services).map(([key, network]) => [key, { networks: new Set([network]), wanted }]));

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
    progress.changed(changing({ 'blue/web': blue }), 6);
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

  /** Writes a Service in twentieths of the time after which it is late, before the former change is confirmed. */
  function writtenAgain(wanted: (turn: number) => string, turns: number): void {
    progress.take(state(), 0);
    for (let turn = 0; turn < turns; turn += 1) {
      const now = 1 + (turn * LATE) / 20;
      const transaction = progress.changed(changing({ 'blue/web': blue }, wanted(turn)), now);
      progress.take(state({ 'blue/web': blue }), now);
      progress.confirmed(transaction - 1, now + 1);
    }
  }

  it('lasts while a Service changes again and again, each time in time', () => {
    writtenAgain((turn) => `10.20.0.${String(turn)}:80`, 60);
    expect(served()).to.deep.equal([blue, red]);
  });

  it('ends where the same is written again and again for 10 seconds, as another program changes it, until that ends', () => {
    writtenAgain(() => '10.20.0.3:80', 20);
    expect(served()).to.deep.equal([blue, red]);
    expect(progress.nextAt).to.equal(1 + LATE);
    progress.look(1 + LATE);
    const late = `${blue} ServicesPending: blue/web: its load balancers do not stay as they are written to OVN; another program may change them`;
    expect(served()).to.deep.equal([late, red]);
    progress.take(state(), 2 + LATE);
    expect(served()).to.deep.equal([late, red]);
    progress.confirmed(20, 3 + LATE);
    expect(served()).to.deep.equal([blue, red]);
    expect(progress.nextAt).to.equal(Number.POSITIVE_INFINITY);
  });

  /** Writes the same at some times, of which OVN confirms each at once. @returns what is said then, and after the last one */
  function undoneAfter(...times: readonly number[]): readonly (string | undefined)[] {
    progress.take(state(), 0);
    return times.map((now) => {
      progress.take(state({ 'blue/web': blue }), now);
      const transaction = progress.changed(changing({ 'blue/web': blue }), now);
      progress.take(state(), now + 1);
      progress.confirmed(transaction, now + 2);
      return served()?.[0];
    });
  }

  it('ends where another program undoes for 10 seconds what OVN has confirmed, until it stays as it is as long', () => {
    const late = `${blue} ServicesPending: blue/web: its load balancers do not stay as they are written to OVN; another program may change them`;
    expect(undoneAfter(1, 4000, 8000, 12_000)).to.deep.equal([blue, blue, blue, late]);
    expect(progress.nextAt).to.equal(12_002 + LATE);
    progress.look(12_001 + LATE);
    expect(served()).to.deep.equal([late, red]);
    progress.look(12_002 + LATE);
    expect(served()).to.deep.equal([blue, red]);
    expect(progress.nextAt).to.equal(Number.POSITIVE_INFINITY);
  });

  it('lasts where the same is written again once it has stayed so for 10 seconds', () => {
    expect(undoneAfter(1, 3 + LATE, 5 + 2 * LATE, 7 + 3 * LATE)).to.deep.equal([blue, blue, blue, blue]);
  });

  it('lasts where something else is written in between', () => {
    progress.take(state(), 0);
    for (const [turn, now] of [1, 4000, 8000, 12_000, 16_000].entries()) {
      const transaction = progress.changed(changing({ 'blue/web': blue }, `10.20.0.${String(turn % 2)}:80`), now);
      progress.confirmed(transaction, now + 1);
      expect(served()).to.deep.equal([blue, red]);
    }
  });

  it('ends where OVN confirms nothing for 10 seconds, until it does', () => {
    progress.take(state(), 0);
    progress.changed(changing({ 'blue/web': blue, 'blue/api': blue }), 1);
    progress.changed(changing({ 'red/web': red }), 2);
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
