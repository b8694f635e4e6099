import { expect } from 'chai';
import { type NotReady, readinessData, readinessIn } from '../../../../src/domain/network/allocation/node-report.ts';
import { type NetworkReadyInput, networkReadyCondition } from '../../../../src/domain/status/network-ready.ts';

interface Case extends Partial<Omit<NetworkReadyInput, 'notReady'>> {
  /** By name. */
  readonly notReady?: readonly (NotReady & { readonly node: string })[];
}

const conditionOf = ({ notReady: nodes = [], ...input }: Case) => {
  const usual = {
    unsupported: undefined,
    usedTwice: undefined,
    isAllocated: true,
    activeNodes: 2,
    unlocked: [],
    mtu: 1400,
    narrow: [],
    exit: 'uplink' as const,
  };
  const notReady = {
    count: nodes.length,
    reasons: nodes.map(({ reason }) => reason),
    first: nodes.slice(0, 4),
    explained: nodes.flatMap(({ message, ...each }) => (message === undefined ? [] : [{ ...each, message }])),
  };
  const { status, reason, message } = networkReadyCondition({ ...usual, ...input, notReady });
  return `${status} ${reason}: ${message}`;
};

const on = (node: string, reason: string, message?: string) => ({
  node,
  reason,
  ...(message !== undefined && { message }),
});

describe('condition NetworkReady', () => {
  for (const [what, input, expected] of [
    ['all nodes are ready', {}, 'True NetworkReady: ready on 2 of 2 active nodes'],
    [
      'tunnels of a node are too narrow',
      { narrow: [on('b', '1392')] },
      "True NetworkReady: ready on 2 of 2 active nodes; packets of 1400 bytes, the network's MTU, do not fit through the tunnels of b (1392)",
    ],
    [
      'it has no uplink',
      { exit: 'none' },
      'True NetworkReady: ready on 2 of 2 active nodes; pods have no way out of the cluster: no uplink',
    ],
    ['it is active nowhere', { activeNodes: 0 }, 'True NetworkReady: not active on any node'],
    [
      'a subnet of it is used twice',
      {
        usedTwice: {
          own: { use: 'pods', subnet: '10.96.0.0/16' },
          other: { use: 'services', subnet: '10.96.0.0/16' },
        },
      },
      'False SubnetsOverlap: subnet 10.96.0.0/16 of its pods overlaps with 10.96.0.0/16 of services',
    ],
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
      'nodes tell what has failed: the first one with the reason of the condition',
      {
        activeNodes: 9,
        notReady: [
          on('a', 'RemotePortFailed', 'failed: port x'),
          on('b', 'LogicalNetworkFailed'),
          on('c', 'LogicalNetworkFailed', 'failed: 7 rows'),
          on('d', 'LogicalNetworkFailed', 'failed: 8 rows'),
        ],
      },
      'False LogicalNetworkFailed: 4 of 9 active nodes not ready: a (RemotePortFailed), b (LogicalNetworkFailed), c (LogicalNetworkFailed), …; c: failed: 7 rows',
    ],
    [
      'packets of pods bypass their locks on nodes',
      { unlocked: [on('a', 'Cilium'), on('b', 'Calico with eBPF')] },
      'True NetworkReady: ready on 2 of 2 active nodes; in the default network, packets of pods bypass their locks on a (Cilium), b (Calico with eBPF): isolate pods there by its own policies',
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
  const roundTrip = (message: string) => {
    const data = readinessData({ ready: new Set(), notReady: new Map([[3, { reason: 'ForeignEntity', message }]]) });
    const [text] = Object.values(data);
    const read = readinessIn(data);
    expect(readinessData(read)).to.deep.equal(data);
    return { text, message: read.notReady.get(3)?.message };
  };

  it('is what was reported', () => {
    const readiness = {
      ready: new Set([1, 2, 7]),
      notReady: new Map([
        [3, { reason: 'NetworkPending' }],
        [5, { reason: 'ForeignEntity', message: 'Logical_Switch x: it is another program’s' }],
      ]),
    };
    const data = readinessData(readiness);
    expect(data).to.deep.equal({
      ready: '1-2,7',
      'not-ready-3': 'NetworkPending',
      'not-ready-5': 'ForeignEntity: Logical_Switch x: it is another program’s',
    });
    expect(readinessIn(data)).to.deep.equal(readiness);
  });

  it('is nothing that is malformed: the API server would refuse a status with such a reason', () => {
    const data = { ready: 'all', 'not-ready-1': 'no reason', 'not-ready-x': 'A', 'not-ready-99999': 'A' };
    expect(readinessIn(data)).to.deep.equal({ ready: new Set(), notReady: new Map() });
  });

  it('has messages in one line, cut to 256 characters, and the same ones once they are read again', () => {
    expect(roundTrip('  two\nlines\u0000  ')).to.deep.equal({ text: 'ForeignEntity: two lines', message: 'two lines' });
    expect(roundTrip(' \n ')).to.deep.equal({ text: 'ForeignEntity', message: undefined });
    // A character of two code units must not be cut in half: the API server would store another one.
    const { message = '' } = roundTrip('\u{1f310}'.repeat(300));
    expect(message).to.equal(`${'\u{1f310}'.repeat(255)}…`);
    expect(roundTrip('\ud83c lone').message).to.equal('\ufffd lone');
  });

  it('has messages for the first hundred networks only, and stays far below the size that the API server accepts', () => {
    const ids = Array.from({ length: 4095 }, (_, index) => index + 1);
    const failure = { reason: 'LogicalNetworkFailed', message: '\u{1f310}'.repeat(300) };
    const data = readinessData({ ready: new Set(), notReady: new Map(ids.map((id) => [id, failure])) });
    expect(readinessIn(data).notReady.get(100)?.message).to.be.a('string');
    expect(readinessIn(data).notReady.get(101)).to.deep.equal({ reason: 'LogicalNetworkFailed' });
    expect(Buffer.byteLength(JSON.stringify(data))).to.be.below(512 * 1024);
  });
});
