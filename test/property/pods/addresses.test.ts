/**
 * Addresses of pods over generated sequences: pods come and go, the agent restarts, the Northbound database or annotations are lost, time passes.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type AnnotatedPod,
  type AddressRecord,
  knownAddresses,
  podMac,
} from '../../../src/domain/pods/address-records.ts';
import { podAddresses, type ReleasedAddress, RESTING_SECONDS } from '../../../src/domain/pods/pod-addresses.ts';
import { isReservedAddress } from '../../../src/domain/network/allocation/reserved-addresses.ts';
import { familyOf, subnetContains } from '../../../src/domain/basics/addresses/ip-address.ts';
import { Coverage } from '../../coverage.ts';
import { caseCount } from '../../case-count.ts';

/** The rules that a seeded fault replaces. */
const rules = { knownAddresses, podAddresses };

type Rules = typeof rules;

const events = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), pod: fc.nat(7) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('delete' as const), pod: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 70 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose-ports' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose-annotation' as const), pod: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('forge' as const), pod: fc.nat(7), address: fc.nat(15) }) },
);

type Event = typeof events extends fc.Arbitrary<infer Value> ? Value : never;

const stories = fc.record({
  subnets: fc.constantFrom(
    ['10.20.1.0/28'],
    ['10.20.1.0/28', 'fd20::/124'],
    ['10.20.1.0/29'],
    ['fd20::/125'],
    ['10.20.1.0/29', '10.20.1.8/29'],
  ),
  events: fc.array(events, { maxLength: 40, size: 'max' }),
});

interface Running {
  readonly record: AddressRecord;
  readonly annotated: AnnotatedPod;
}

/** Runs a story. @returns what was reached; throws what is violated */
function run(tested: Rules, subnets: readonly string[], story: readonly Event[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const running = new Map<number, Running>();
  const annotations = new Map<number, AnnotatedPod>();
  let ports: readonly AddressRecord[] = [];
  let released: readonly ReleasedAddress[] = [];
  let now = 1_000_000;
  let created = 0;
  const known = () => tested.knownAddresses(subnets, ports, [...annotations.values()]).records;
  // An agent that finds the ports lost creates them again.
  const restore = () => (ports = known());

  const add = (index: number) => {
    if (running.has(index)) return;
    const pod = { namespace: 'demo', name: `pod-${index}`, uid: String((created += 1)) };
    const chosen = tested.podAddresses({ pod, subnets, records: known(), released, now });
    if (chosen.kind === 'exhausted') {
      reached.add('exhausted');
      const unavailable = running.size + released.filter(({ releasedAt }) => now - releasedAt < RESTING_SECONDS).length;
      expect(unavailable, 'exhausted with addresses left').to.be.greaterThan(3);
      return;
    }
    const { addresses, mac } = chosen;
    expect(addresses.map(familyOf)).to.deep.equal([...new Set(subnets.map(familyOf))]);
    for (const address of addresses) {
      const subnet = subnets.find((each) => subnetContains(each, address)) ?? '';
      expect(subnet, `${address} is elsewhere`).not.to.equal('');
      expect(isReservedAddress(subnet, address), `${address} is reserved`).to.equal(false);
      const last = released.filter((each) => each.address === address).at(-1);
      const isRested = last === undefined || now - last.releasedAt >= RESTING_SECONDS;
      if (last !== undefined && isRested) reached.add('given again');
      expect(isRested, `${address} has not rested`).to.equal(true);
    }
    for (const { record } of running.values()) {
      for (const address of addresses) expect(record.addresses, 'an address twice').not.to.include(address);
      expect(podMac(record.addresses), 'a MAC address twice').not.to.equal(mac);
    }
    const record = { pod, addresses };
    const annotated = { ...record, createdAt: String(now) };
    running.set(index, { record, annotated });
    annotations.set(index, annotated);
    ports = [...ports, record];
  };

  const remove = (index: number) => {
    const found = running.get(index);
    if (found === undefined) return;
    running.delete(index);
    annotations.delete(index);
    ports = ports.filter(({ pod }) => pod.uid !== found.record.pod.uid);
    released = [...released, ...found.record.addresses.map((address) => ({ address, releasedAt: now }))];
  };

  for (const event of story) {
    switch (event.kind) {
      case 'add':
        add(event.pod);
        break;
      case 'delete':
        remove(event.pod);
        break;
      case 'pass':
        now += event.seconds;
        break;
      case 'lose-ports':
        // One of both is lost at a time.
        if ([...running].every(([index, { annotated }]) => annotations.get(index) === annotated)) {
          if (running.size > 2) reached.add('ports lost');
          ports = [];
          restore();
        }
        break;
      case 'lose-annotation':
        annotations.delete(event.pod);
        break;
      case 'forge': {
        const found = running.get(event.pod);
        if (found === undefined) break;
        reached.add('forged');
        annotations.set(event.pod, { ...found.annotated, addresses: [`10.20.1.${event.address}`] });
        break;
      }
    }
    // What a pod has stays, whatever is lost.
    for (const { record } of running.values()) {
      const again = tested.podAddresses({ pod: record.pod, subnets, records: known(), released, now });
      expect(again).to.deep.include({ kind: 'given', addresses: record.addresses, isKnown: true });
    }
  }
  return reached;
}

const property = (tested: Rules, coverage = new Coverage()) =>
  fc.property(stories, ({ subnets, events: story }) => {
    const reached = run(tested, subnets, story);
    coverage.count(
      Object.fromEntries(
        ['exhausted', 'given again', 'ports lost', 'forged'].map((label) => [label, reached.has(label)]),
      ),
    );
  });

/** Rules with one fault. */
const faults: Readonly<Record<string, Rules>> = {
  'annotations are not read': { ...rules, knownAddresses: (subnets, ports) => knownAddresses(subnets, ports, []) },
  'ports are not read': { ...rules, knownAddresses: (subnets, _, annotated) => knownAddresses(subnets, [], annotated) },
  'an annotation counts before the port': {
    ...rules,
    knownAddresses: (subnets, ports, annotated) =>
      knownAddresses(
        subnets,
        annotated.concat(
          ports
            .filter(({ pod }) => !annotated.some((each) => each.pod.uid === pod.uid))
            .map((port) => ({ ...port, createdAt: '' })),
        ),
        [],
      ),
  },
  'addresses do not rest': { ...rules, podAddresses: (input) => podAddresses({ ...input, released: [] }) },
  'addresses rest for ever': { ...rules, podAddresses: (input) => podAddresses({ ...input, now: 1_000_000 }) },
  'the first subnet only is looked at': {
    ...rules,
    podAddresses: (input) =>
      podAddresses({
        ...input,
        records: input.records.map((each) => ({ ...each, addresses: each.addresses.slice(0, 1) })),
      }),
  },
  'a pod is told by its name': {
    ...rules,
    podAddresses: (input) =>
      podAddresses({ ...input, records: input.records.filter(({ pod }) => pod.name !== input.pod.name) }),
  },
};

describe('the addresses of pods, in any sequence', () => {
  it('are no other pod’s, stay, and rest; ports or annotations are enough', () => {
    const coverage = new Coverage();
    fc.assert(property(rules, coverage), { numRuns: caseCount(400) });
    coverage.expect({ exhausted: 0.02, 'given again': 0.05, 'ports lost': 0.1, forged: 0.2 });
  });

  for (const [fault, faulty] of Object.entries(faults)) {
    it(`are refuted where ${fault}`, () => {
      expect(fc.check(property(faulty), { numRuns: 1000 }).failed).to.equal(true);
    });
  }
});
