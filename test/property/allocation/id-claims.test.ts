/**
 * No packet of a network reaches another one by its id, regardless of what nodes and managers see late, and of which nodes are cut off; and each seeded
 * fault of the protocol is found.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { idsInUse } from '../../../src/domain/network/allocation/claim-ids.ts';
import { caseCount } from '../../case-count.ts';
import { Coverage } from '../../coverage.ts';
import { ClusterModel, type Mixing, type Protocol, protocol } from './cluster-model.ts';

const RUNS = 2000;

const NETWORKS = ['blue', 'red'];

const MACHINES = ['worker-a', 'worker-b', 'worker-c'];

/** The steps of a manager in one pass; interrupted anywhere by what else happens. */
const managerSteps = ['readClaims', 'readNetworks', 'storeClaims', 'publishIds'] as const;

const agentSteps = ['observeNetworks', 'observeNodes', 'remove', 'announce', 'report', 'program', 'connect'] as const;

/** One thing that happens. */
type Step =
  | readonly ['toggleNetwork' | 'toggleNode' | 'deleteReport', string]
  | readonly ['toggleConnection' | (typeof managerSteps)[number] | (typeof agentSteps)[number], number];

function take(model: ClusterModel, [method, on]: Step): void {
  // The compiler does not relate a method to the type of its argument.
  (model[method] as (argument: string | number) => void).call(model, on);
}

const managers = fc.nat({ max: 1 });

const machines = fc.nat({ max: MACHINES.length - 1 });

const passOfManager = (manager: number): readonly Step[] => managerSteps.map((step) => [step, manager]);

const passOfAgent = (machine: number): readonly Step[] => agentSteps.map((step) => [step, machine]);

/** Steps to a state in which everything that is created is used by all nodes. */
const everybody: readonly Step[] = [
  ...passOfManager(0),
  ...passOfManager(0),
  ...[0, 1, 2, 0, 1, 2].flatMap(passOfAgent),
];

/** Changes, and passes of managers and agents. */
const events: fc.Arbitrary<readonly Step[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NETWORKS).map((name) => [['toggleNetwork', name] as const]) },
  { weight: 1, arbitrary: fc.constantFrom(...MACHINES).map((name) => [['toggleNode', name] as const]) },
  { weight: 1, arbitrary: fc.constantFrom(...MACHINES).map((name) => [['deleteReport', name] as const]) },
  { weight: 1, arbitrary: machines.map((machine) => [['toggleConnection', machine] as const]) },
  { weight: 4, arbitrary: managers.map((manager) => [...passOfManager(manager), ...passOfManager(manager)]) },
  { weight: 4, arbitrary: machines.map(passOfAgent) },
  { weight: 1, arbitrary: fc.constant(everybody) },
);

const actorSteps: readonly Step[] = [...[0, 1].flatMap(passOfManager), ...[0, 1, 2].flatMap(passOfAgent)];

/** A time in which some steps of some managers and agents do not happen, so that what each knows and has done is old in its own way. */
const phases = fc
  .tuple(fc.subarray([...actorSteps], { maxLength: 8 }), fc.array(events, { minLength: 1, maxLength: 12, size: 'max' }))
  .map(([missing, happening]) => {
    const left = new Set(missing.map(String));
    return happening.flat().filter((step) => !left.has(String(step)));
  });

/** All nodes exist and have the networks, then anything happens. */
const schedules = fc.array(phases, { minLength: 2, maxLength: 8, size: 'max' }).map((all) => all.flat());

const beginning: readonly Step[] = [
  ...NETWORKS.map((name) => ['toggleNetwork', name] as const),
  ...MACHINES.map((name) => ['toggleNode', name] as const),
  ...everybody,
];

/** The first mixing of networks in a schedule. */
function firstMixing(rules: Protocol, schedule: readonly Step[], coverage?: Coverage): Mixing | undefined {
  const model = new ClusterModel(rules, MACHINES);
  for (const step of [...beginning, ...schedule]) {
    take(model, step);
    const mixing = model.mixing();
    if (mixing !== undefined) return mixing;
  }
  coverage?.count(
    Object.fromEntries(
      ['sender', 'stray sender', 'id is free again', 'lost race'].map((name) => [name, model.reached.has(name)]),
    ),
  );
  return undefined;
}

const faults: readonly { readonly fault: string; readonly rules: Protocol }[] = [
  {
    fault: 'An id is free as soon as its network is deleted',
    rules: { ...protocol, idsInUse: () => ({ network: () => false, node: () => false }) },
  },
  {
    fault: 'A node that was deleted counts as gone at once',
    rules: { ...protocol, idsInUse: (claims, nodes) => idsInUse({ ...claims, node: [] }, nodes) },
  },
  { fault: 'A node whose report was deleted has used nothing', rules: { ...protocol, unreported: undefined } },
  { fault: 'Agents do not read claims', rules: { ...protocol, readsClaims: false } },
  { fault: 'Agents report what they use afterwards', rules: { ...protocol, reportsFirst: false } },
  {
    fault: 'A network that is created again is taken for the former one',
    rules: {
      ...protocol,
      claimIds: (kind, stored, holders, isInUse) => {
        const withoutUid = <Some extends { readonly uid: string }>(all: readonly Some[]) =>
          all.map((each) => ({ ...each, uid: '' }));
        const { claims, decisions } = protocol.claimIds(kind, withoutUid(stored), withoutUid(holders), isInUse);
        const uidOf = new Map(holders.map(({ name, uid }) => [name, uid]));
        return { claims: claims.map((claim) => ({ ...claim, uid: uidOf.get(claim.name) ?? claim.uid })), decisions };
      },
    },
  },
];

describe('claims of ids', function () {
  this.timeout(0);

  it('never let packets of one network reach another', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(schedules, (schedule) => {
        expect(firstMixing(protocol, schedule, coverage)).to.equal(undefined);
      }),
      { numRuns: caseCount(RUNS) },
    );
    coverage.expect({ sender: 0.3, 'stray sender': 0.1, 'id is free again': 0.1, 'lost race': 0.1 });
  });

  for (const { fault, rules } of faults) {
    it(`do if there is a fault: ${fault}`, () => {
      const { failed } = fc.check(
        fc.property(schedules, (schedule) => firstMixing(rules, schedule) === undefined),
        // A fixed seed, so that the result is the same each time.
        { numRuns: RUNS, seed: 1, endOnFailure: true },
      );
      expect(failed).to.equal(true);
    });
  }
});
