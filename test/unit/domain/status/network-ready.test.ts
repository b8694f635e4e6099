import { expect } from 'chai';
import { readinessData, readinessIn } from '../../../../src/domain/allocation/node-report.ts';
import { type NetworkReadyInput, networkReadyCondition } from '../../../../src/domain/status/network-ready.ts';

interface Case extends Partial<Omit<NetworkReadyInput, 'notReady'>> {
  /** By name. */
  readonly notReady?: NetworkReadyInput['notReady']['first'];
}

const conditionOf = ({ notReady: nodes = [], ...input }: Case) => {
  const usual = { unsupported: undefined, isAllocated: true, activeNodes: 2 };
  const notReady = { count: nodes.length, reasons: nodes.map(({ reason }) => reason), first: nodes.slice(0, 4) };
  const { status, reason, message } = networkReadyCondition({ ...usual, ...input, notReady });
  return `${status} ${reason}: ${message}`;
};

const on = (node: string, reason: string) => ({ node, reason });

describe('condition NetworkReady', () => {
  for (const [what, input, expected] of [
    ['all nodes are ready', {}, 'True NetworkReady: ready on 2 of 2 active nodes'],
    ['it is active nowhere', { activeNodes: 0 }, 'True NetworkReady: not active on any node'],
    ['it has no id', { isAllocated: false }, 'False NetworkNotAllocated: the network has no id yet'],
    [
      'a node is not ready',
      { notReady: [on('b', 'NetworkPending')] },
      'False NetworkPending: 1 of 2 active nodes not ready: b (NetworkPending)',
    ],
    [
      'nodes have several reasons, of which the first counts',
      {
        activeNodes: 9,
        notReady: [
          on('a', 'NetworkPending'),
          on('b', 'ForeignEntity'),
          on('c', 'NodeNotReporting'),
          on('d', 'NetworkPending'),
        ],
      },
      'False ForeignEntity: 4 of 9 active nodes not ready: a (NetworkPending), b (ForeignEntity), c (NodeNotReporting), …',
    ],
    [
      'a node of a newer version has another reason',
      { notReady: [on('b', 'SomethingNew')] },
      'False SomethingNew: 1 of 2 active nodes not ready: b (SomethingNew)',
    ],
  ] as const) {
    it(`says so if ${what}`, () => {
      expect(conditionOf(input)).to.equal(expected);
    });
  }
});

describe('the readiness in a report', () => {
  it('is what was reported', () => {
    const readiness = { ready: new Set([1, 2, 7]), notReady: new Map([[3, 'ProgrammingFailed']]) };
    const data = readinessData(readiness);
    expect(data).to.deep.equal({ ready: '1-2,7', 'not-ready-3': 'ProgrammingFailed' });
    expect(readinessIn(data)).to.deep.equal(readiness);
  });

  it('is nothing that is malformed: the API server would refuse a status with such a reason', () => {
    const data = { ready: 'all', 'not-ready-1': 'no reason', 'not-ready-x': 'A', 'not-ready-99999': 'A' };
    expect(readinessIn(data)).to.deep.equal({ ready: new Set(), notReady: new Map() });
  });
});
