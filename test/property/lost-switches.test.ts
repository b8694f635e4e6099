import { expect } from 'chai';
import fc from 'fast-check';
import { failureKeys } from '../../src/control/node/failed-operation.ts';
import { changesOf, type SingleOperation } from '../../src/domain/entities/operations/operation.ts';
import { type Entity, entityKey, entityKinds, kindOf } from '../../src/domain/entities/entity-kinds.ts';
import {
  type ClusterSnapshot,
  diffNode,
  type NodeSettings,
  type NodeSnapshot,
  planNode,
  semanticsOf,
} from '../../src/domain/index.ts';
import { cases } from '../../src/testing/index.ts';
import { caseCount } from '../case-count.ts';
import { Coverage } from '../coverage.ts';
import { Simulation } from '../unit/control/node/simulation.ts';

/** Milliseconds within which the loop reacts to a change: it collects changes for 20. */
const REACTION = 50;

/** Milliseconds within which it tries again what has failed, once that may succeed. */
const RETRY = 500;

/** Milliseconds for which each state lasts: shorter and longer than the loop waits for a switch (5 s). */
const duration = fc.oneof(fc.nat(100), fc.integer({ min: 1000, max: 4000 }), fc.integer({ min: 6000, max: 90_000 }));

/** The states of switches, one after the other: numbers choose which are gone; and whether the node loses a rule meanwhile. */
const losses = fc.array(fc.record({ gone: fc.nat(), lasts: duration, losesRule: fc.boolean() }), {
  minLength: 1,
  maxLength: 4,
});

type Losses = typeof losses extends fc.Arbitrary<infer Value> ? Value : never;

const kindsOfSwitches = [entityKinds.flow, entityKinds['fdb-entry'], entityKinds['no-flood-port']] as const;

const bridgeOf = (entity: Entity) =>
  entity.kind === 'flow' ? entity.flow.bridge : 'bridge' in entity && entity.bridge;

const isElsewhere = ({ entity }: { readonly entity: { readonly kind: string } }) =>
  kindsOfSwitches.every(({ kind }) => kind !== entity.kind);

/** A loop on a node whose switches come and go. */
class LoopWithSwitches {
  readonly simulation: Simulation;
  readonly #settings: NodeSettings;
  #gone: ReadonlySet<string> = new Set();
  /** Entities of switches that are gone, without those that the agent restores. */
  readonly #others: readonly Entity[];

  constructor(cluster: ClusterSnapshot, node: NodeSnapshot, settings: NodeSettings) {
    this.#settings = settings;
    this.simulation = new Simulation({ cluster, node, settings });
    this.simulation.refuses = (operation) =>
      semanticsOf(operation).port === 'flowTables' && changesOf(operation).some((change) => this.#isGone(change))
        ? 'the switch closed the connection'
        : undefined;
    this.simulation.change('cluster');
    this.simulation.pass(200_000);
    const desired = new Set(this.desired.map(entityKey));
    this.#others = this.#ofSwitches().filter((entity) => !desired.has(entityKey(entity)));
  }

  get desired(): readonly Entity[] {
    const { nodePlan } = this.simulation.state.execution ?? {};
    return (nodePlan?.dataplane.desired ?? []).map(({ entity }) => entity);
  }

  /** Whether there is nothing to do, and would be nothing but on switches without what they have: no network is kept from its place by that. */
  get isSettled(): boolean {
    const { cluster, node, state } = this.simulation;
    const bare = changed(node, 'take', this.#ofSwitches());
    const others = diffNode(planNode(cluster, bare, this.#settings), bare)
      .flatMap(changesOf)
      .filter(isElsewhere);
    return this.left().length + state.failures.size + others.length === 0;
  }

  get bridges(): readonly string[] {
    return this.simulation.node.bridges.map(({ name }) => name);
  }

  /** Operations that are left to do, except on switches that are gone. */
  left(): readonly SingleOperation[] {
    const { cluster, node } = this.simulation;
    const operations = diffNode(planNode(cluster, node, this.#settings), node).flatMap(changesOf);
    return operations.filter((operation) => !this.#isGone(operation));
  }

  /** Operations that are left to do elsewhere than on switches, except for what has failed: that waits. */
  leftElsewhere(): readonly SingleOperation[] {
    const { failures } = this.simulation.state;
    const hasFailed = (operation: SingleOperation) => failureKeys(operation).some((key) => failures.has(key));
    return this.left().filter((operation) => isElsewhere(operation) && !hasFailed(operation));
  }

  /** Has some switches gone and the others there. */
  become(gone: ReadonlySet<string>): void {
    const isBack = (entity: Entity) => this.#gone.has(bridgeOf(entity) || '') && !gone.has(bridgeOf(entity) || '');
    const back = this.#others.filter(isBack);
    this.#gone = gone;
    const lost = this.#ofSwitches().filter((entity) => gone.has(bridgeOf(entity) || ''));
    const { bridgesWithoutSwitch: _, ...node } = changed(changed(this.simulation.node, 'take', lost), 'put', back);
    this.simulation.node = { ...node, ...(gone.size > 0 && { bridgesWithoutSwitch: [...gone] }) };
    this.simulation.change();
  }

  /** Removes a rule that the agent restores. @returns whether there was one, of a network that has not failed */
  loseRule(): boolean {
    const keys = new Set(this.desired.map(entityKey));
    const rules = entityKinds.rule.all(this.simulation.node).filter((rule) => keys.has(entityKey(rule)));
    this.simulation.node = changed(this.simulation.node, 'take', rules.slice(0, 1));
    const isMissed = this.leftElsewhere().some(({ entity }) => entity.kind === 'rule');
    this.simulation.change();
    return isMissed;
  }

  #ofSwitches(): readonly Entity[] {
    return kindsOfSwitches.flatMap((kind): readonly Entity[] => kind.all(this.simulation.node));
  }

  #isGone({ entity }: Pick<SingleOperation, 'entity'>): boolean {
    return !isElsewhere({ entity }) && this.#gone.has(bridgeOf(entity) || '');
  }
}

function changed(node: NodeSnapshot, how: 'put' | 'take', entities: readonly Entity[]): NodeSnapshot {
  return entities.reduce((before, entity) => kindOf<Entity>(entity)[how](before, [entity]), node);
}

/** @returns whether the loop had something to restore while a switch was gone, and on one */
function check(loop: LoopWithSwitches, states: Losses): Record<'rules' | 'flows', boolean> {
  const { simulation } = loop;
  const reached = { rules: false, flows: loop.desired.some(({ kind }) => kind === 'flow') };
  for (const { gone, lasts, losesRule } of states) {
    loop.become(new Set(loop.bridges.filter((_, index) => (gone >> index) % 2 === 1)));
    simulation.pass(lasts);
    if (lasts >= RETRY)
      expect(
        loop.left().filter((each) => !isElsewhere(each)),
        'left on switches',
      ).to.deep.equal([]);
    if (!losesRule || !loop.loseRule()) continue;
    reached.rules = true;
    simulation.pass(REACTION);
    expect(loop.leftElsewhere(), 'left while switches are gone').to.deep.equal([]);
  }
  loop.become(new Set());
  simulation.pass(REACTION);
  simulation.pass(130_000);
  expect(loop.left(), 'left once all are back').to.deep.equal([]);
  expect([...simulation.state.failures.values()]).to.deep.equal([]);
  return reached;
}

describe('the loop of a node whose switches come and go', function () {
  this.timeout(0);

  it('restores what is lost elsewhere at once, and everything once they are back', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, losses, ({ cluster, nodes, settings }, states) => {
        for (const node of nodes) {
          const loop = new LoopWithSwitches(cluster, node, settings);
          if (loop.isSettled) coverage.count(check(loop, states));
        }
      }),
      { endOnFailure: true, numRuns: caseCount(100) },
    );
    coverage.expect({ rules: 0.1, flows: 0.1 });
  });
});
