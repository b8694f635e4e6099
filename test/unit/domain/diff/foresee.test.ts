import { expect } from 'chai';
import fc from 'fast-check';
import { foresee, foreseen } from '../../../../src/domain/diff/foresee.ts';
import {
  diffNode,
  type EntityOperation,
  type NodeSnapshot,
  type Operation,
  planNode,
} from '../../../../src/domain/index.ts';
import { isOn } from '../../../../src/domain/entities/operations/operation-semantics.ts';
import {
  type AwaitingEntity,
  awaitingEntities,
  withSettledLedger,
} from '../../../../src/domain/entities/ownership/restored.ts';
import { cases } from '../../../../src/testing/index.ts';
import { normalForm } from '../../../../src/testing/normal-form.ts';
import { domains } from '../dataplane/dataplane-input.ts';
import { samples } from '../entities/operations/samples.ts';
import { dataplane, nodeOf, planOf } from './plans.ts';
import { caseCount } from '../../../case-count.ts';
import { Coverage } from '../../../coverage.ts';

/** Operations on VRFs, memberships and settings: those that are foreseen. */
function isForeseen(operation: Operation): operation is EntityOperation {
  return isOn(operation, 'vrf') || isOn(operation, 'membership') || isOn(operation, 'sysctl');
}

/** The foreseen state, without the ledger, whose entries are what awaits being restored, and without the order. */
function content(after: NodeSnapshot, awaiting: readonly AwaitingEntity[]) {
  const { ledger: _, ...parts } = normalForm(after);
  return { ...parts, awaiting: awaiting.map((each) => JSON.stringify(each)).sort() };
}

function compare(operations: readonly EntityOperation[], node: NodeSnapshot): void {
  const whole = foreseen(operations, node);
  const { after, awaiting } = foresee(operations, node);
  expect(content(after, awaiting)).to.deep.equal(content(whole, awaitingEntities(whole)));
}

describe('the node foreseen after membership changes', () => {
  it('is the same object if there are none', () => {
    const node = nodeOf();
    expect(foresee([], node)).to.deep.equal({ after: node, awaiting: [] });
    expect(foresee([], node).after).to.equal(node);
  });

  it('is the result of applying them to the whole node', () => {
    const node = nodeOf({
      routes: [{ destination: '10.0.0.0/8', nextHops: [{ device: 'br-blue', gateway: '192.0.2.1' }] }],
    });
    compare(
      diffNode(planOf(node, [dataplane(node, { domain: domains['its own VRF'] })]), node).filter(isForeseen),
      node,
    );
  });

  it('is the result of applying them to the whole node, for generated ones', () => {
    const coverage = new Coverage();
    fc.assert(
      fc.property(cases, ({ cluster, nodes, settings }) => {
        for (const found of nodes) {
          const node = withSettledLedger(found);
          const foreseenOnes = diffNode(planNode(cluster, found, settings), found).filter(isForeseen);
          compare(foreseenOnes, node);
          coverage.count({ operations: foreseenOnes.length > 0 });
        }
      }),
      { numRuns: caseCount(100) },
    );
    coverage.expect({ operations: 0.05 });
  });

  it('is unchanged if no operation concerns memberships or displaced entities', () => {
    const node = nodeOf();
    const { after, awaiting } = foresee([samples.rule.add.operation], node);
    expect([normalForm(after), awaiting]).to.deep.equal([normalForm(node), []]);
  });

  it('is the node without a change that it refuses', () => {
    const node = nodeOf();
    const refused: EntityOperation = {
      verb: 'remove',
      networks: [],
      entity: { kind: 'membership', device: 'br-blue', vrf: 'blue', table: 1012, network: 'cluster_udn_blue' },
    };
    expect(foreseen([refused], node)).to.equal(node);
    expect(normalForm(foresee([refused], node).after)).to.deep.equal(normalForm(node));
  });
});
