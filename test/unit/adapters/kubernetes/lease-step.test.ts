import { expect } from 'chai';
import fc from 'fast-check';
import {
  initialLeaseState,
  isLeaderAt,
  type LeaseEffect,
  type LeaseEvent,
  type LeaseRecord,
  leaseStep,
  type LeaseTimes,
  type StoredLease,
} from '../../../../src/adapters/kubernetes/lease-step.ts';
import { Coverage } from '../../../coverage.ts';

const times: LeaseTimes = { lease: 15_000, renewDeadline: 10_000, retry: 2000 };

type Occurrence = LeaseEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'at' | 'time'> : never) : never;

/** An API server with one Lease, candidates for it, and a simulated clock. */
class Election {
  now = 0;
  lease: StoredLease | undefined;
  readonly candidates: Candidate[] = [];
  #versions = 0;
  #queue: { readonly at: number; readonly run: () => void }[] = [];

  candidate(name: string, clock = 0): Candidate {
    const candidate = new Candidate(this, name, clock);
    this.candidates.push(candidate);
    return candidate;
  }

  get leaders(): readonly string[] {
    return this.candidates.filter(({ isLeader }) => isLeader).map(({ name }) => name);
  }

  later(milliseconds: number, run: () => void): void {
    this.#queue.push({ at: this.now + milliseconds, run });
  }

  /** Lets time pass, and returns the leaders after each event. */
  pass(milliseconds: number): readonly (readonly string[])[] {
    const end = this.now + milliseconds;
    const seen: (readonly string[])[] = [];
    for (;;) {
      const next = this.#queue.reduce<{ at: number; run: () => void } | undefined>(
        (first, each) => (each.at <= end && (first === undefined || each.at < first.at) ? each : first),
        undefined,
      );
      if (next === undefined) break;
      this.#queue = this.#queue.filter((each) => each !== next);
      this.now = next.at;
      next.run();
      seen.push(this.leaders);
    }
    this.now = end;
    return [...seen, this.leaders];
  }

  write(record: LeaseRecord, version: string | undefined): StoredLease | undefined {
    if (version !== this.lease?.version) return undefined;
    this.#versions += 1;
    this.lease = { record, version: String(this.#versions) };
    return this.lease;
  }
}

class Candidate {
  readonly name: string;
  readonly events: string[] = [];
  /** The fate of its requests. */
  connection: 'works' | 'loses requests' | 'loses answers' = 'works';
  /** Milliseconds until the API server has a request, and until the answer is there. */
  delay = 5;
  isStopped = false;
  readonly #election: Election;
  /** Milliseconds that its clock is ahead. */
  readonly #clock: number;
  #state;
  #alarms = 0;

  constructor(election: Election, name: string, clock: number) {
    this.#election = election;
    this.name = name;
    this.#clock = clock;
    this.#state = initialLeaseState(name, times);
  }

  get isLeader(): boolean {
    return !this.isStopped && isLeaderAt(this.#state, this.#now);
  }

  get #now(): number {
    return this.#election.now + this.#clock;
  }

  dispatch(occurrence: Occurrence): void {
    if (this.isStopped) return;
    const time = new Date(this.#now).toISOString();
    const [state, effects] = leaseStep(this.#state, { ...occurrence, at: this.#now, time });
    this.#state = state;
    for (const effect of effects) this.#run(effect);
  }

  #run(effect: LeaseEffect): void {
    if (effect.do === 'set-alarm') {
      const number = (this.#alarms += 1);
      if (effect.at === Number.POSITIVE_INFINITY) return;
      this.#election.later(Math.max(0, effect.at - this.#now), () => {
        if (number === this.#alarms) this.dispatch({ kind: 'alarm' });
      });
    } else if (effect.do === 'read' || effect.do === 'write') this.#ask(effect);
    else this.events.push(effect.do === 'lost' ? `lost: ${effect.reason}` : effect.do);
  }

  #ask(effect: LeaseEffect & { readonly do: 'read' | 'write' }): void {
    const { connection, delay } = this;
    this.#election.later(delay, () => {
      const answer = connection === 'loses requests' ? undefined : this.#answerTo(effect);
      this.#election.later(delay, () => {
        this.dispatch(
          connection === 'works' && answer ? answer : { kind: 'failed', message: 'the connection was lost' },
        );
      });
    });
  }

  #answerTo(effect: LeaseEffect & { readonly do: 'read' | 'write' }): Occurrence {
    const { lease } = this.#election;
    if (effect.do === 'read') return { kind: 'read', ...(lease && { lease }) };
    const written = this.#election.write(effect.record, effect.version);
    return written === undefined ? { kind: 'failed', message: 'conflict' } : { kind: 'written', lease: written };
  }
}

/** Two candidates, of whom the first is the leader. */
function withLeader(clock = 0) {
  const election = new Election();
  const [first, second] = [election.candidate('first'), election.candidate('second', clock)];
  first.dispatch({ kind: 'acquire' });
  election.pass(100);
  second.dispatch({ kind: 'acquire' });
  election.pass(60_000);
  return { election, first, second };
}

describe('leader election on a Lease', () => {
  it('makes the first candidate the leader, as long as it renews the Lease', () => {
    const { election, first, second } = withLeader();
    expect(election.leaders).to.deep.equal(['first']);
    expect(first.events).to.deep.equal(['acquired']);
    expect(second.events).to.deep.equal([]);
    expect(election.lease?.record).to.deep.equal({
      holderIdentity: 'first',
      leaseDurationSeconds: 15,
      acquireTime: new Date(10).toISOString(),
      renewTime: election.lease?.record.renewTime,
      leaseTransitions: 0,
    });
    expect(Date.parse(election.lease?.record.renewTime ?? '')).to.be.greaterThan(57_000);
  });

  for (const clock of [0, 3_600_000, -3_600_000]) {
    it(`makes another the leader when it has not changed for 15 s, whose clock is ${clock / 1000} s ahead`, () => {
      const { election, first } = withLeader(clock);
      const { renewTime } = election.lease?.record ?? {};
      first.isStopped = true;
      election.pass(Date.parse(renewTime ?? '') + 14_900 - election.now);
      expect(election.leaders).to.deep.equal([]);
      election.pass(2200);
      expect(election.leaders).to.deep.equal(['second']);
      expect(election.lease?.record.leaseTransitions).to.equal(1);
    });
  }

  it('makes another the leader at once if the Lease was released', () => {
    const { election, first } = withLeader();
    first.dispatch({ kind: 'release' });
    expect(election.leaders).to.deep.equal([]);
    election.pass(2100);
    expect(first.events).to.deep.equal(['acquired', 'released']);
    expect(election.leaders).to.deep.equal(['second']);
  });

  it('ends the leadership before another can acquire it, if the Lease cannot be renewed', () => {
    const { election, first } = withLeader();
    first.connection = 'loses requests';
    const seen = election.pass(30_000);
    expect(seen.filter(({ length }) => length > 1)).to.deep.equal([]);
    expect(seen.some(({ length }) => length === 0)).to.equal(true);
    expect(election.leaders).to.deep.equal(['second']);
    expect(first.events).to.deep.equal(['acquired', 'lost: it was not renewed within 10 s: the connection was lost']);
  });

  it('continues if some renewals fail', () => {
    const { election, first } = withLeader();
    for (const connection of ['loses requests', 'loses answers'] as const) {
      first.connection = connection;
      election.pass(7000);
      first.connection = 'works';
      election.pass(7000);
    }
    expect(first.events).to.deep.equal(['acquired']);
    expect(election.leaders).to.deep.equal(['first']);
  });

  it('recognizes its own Lease if the response was lost', () => {
    const election = new Election();
    const first = election.candidate('first');
    first.dispatch({ kind: 'acquire' });
    // Of the write, which follows the first answer.
    first.connection = 'loses answers';
    election.pass(100);
    expect(election.lease?.record.holderIdentity).to.equal('first');
    expect(first.events).to.deep.equal([]);
    first.connection = 'works';
    election.pass(2100);
    expect(election.leaders).to.deep.equal(['first']);
  });

  it('ends the leadership if another candidate holds the Lease', () => {
    const { election, first } = withLeader();
    const { record, version } = election.lease ?? {};
    if (record === undefined) throw new Error('there is no lease');
    election.write({ ...record, holderIdentity: 'third' }, version);
    election.pass(4100);
    expect(first.events).to.deep.equal(['acquired', 'lost: third holds the Lease']);
  });

  it('may acquire it again', () => {
    const { election, first, second } = withLeader();
    first.connection = 'loses requests';
    election.pass(30_000);
    first.connection = 'works';
    first.dispatch({ kind: 'acquire' });
    election.pass(5000);
    second.dispatch({ kind: 'release' });
    election.pass(5000);
    expect(election.leaders).to.deep.equal(['first']);
  });

  it('stops waiting on request', () => {
    const { election, second } = withLeader();
    second.dispatch({ kind: 'release' });
    election.pass(100);
    expect(second.events).to.deep.equal(['released']);
  });

  it('never has two leaders, and has one again after any faults', () => {
    const fault = fc.record({
      who: fc.nat(2),
      connection: fc.constantFrom('works', 'works', 'loses requests', 'loses answers'),
      delay: fc.constantFrom(1, 300, 3000, 12_000),
      action: fc.constantFrom('none', 'none', 'none', 'release', 'acquire'),
      pass: fc.integer({ min: 0, max: 12_000 }),
    });
    const coverage = new Coverage();
    fc.assert(
      fc.property(fc.array(fault, { maxLength: 30 }), (faults) => {
        const election = new Election();
        const candidates = [0, 7_000_000, -50_000].map((clock, index) => election.candidate(`c${index}`, clock));
        for (const each of candidates) each.dispatch({ kind: 'acquire' });
        const seen = faults.flatMap(({ who, connection, delay, action, pass }) => {
          const candidate = candidates[who];
          if (candidate === undefined) return [];
          Object.assign(candidate, { connection, delay });
          const isOut = /^(lost|released)/.test(candidate.events.at(-1) ?? '');
          if (action === 'release' || (action === 'acquire' && isOut)) candidate.dispatch({ kind: action });
          return election.pass(pass);
        });
        for (const each of candidates) Object.assign(each, { connection: 'works', delay: 1 });
        const settling = election.pass(60_000);
        for (const each of candidates)
          if (/^(lost|released)/.test(each.events.at(-1) ?? '')) each.dispatch({ kind: 'acquire' });
        const after = election.pass(60_000);
        expect([...seen, ...settling, ...after].filter(({ length }) => length > 1)).to.deep.equal([]);
        expect(election.leaders).to.have.length(1);
        const terms = candidates.flatMap(({ events }) => events).filter((event) => event === 'acquired');
        coverage.count({ 'several terms': terms.length > 1 });
      }),
      { numRuns: 300 },
    );
    coverage.expect({ 'several terms': 0.2 });
  });
});
