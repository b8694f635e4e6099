/** A change of the cluster costs a small part of what a whole plan does, and no more in a larger cluster. Ratios of one process: milliseconds differ between machines. */
import { expect } from 'chai';
import { largeCluster } from '../../bench/large-cluster.ts';
import { type ClusterSettings, type ClusterSnapshot, defaultSettings, planCluster } from '../../src/domain/index.ts';

const REPETITIONS = 200;

function cpuOf(call: () => void): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Clusters of which each differs from the one before by the condition of one state. */
function turningStates(cluster: ClusterSnapshot): readonly ClusterSnapshot[] {
  let last = cluster;
  return Array.from({ length: REPETITIONS }, (_, turn) => {
    const place = (turn * 47) % last.uplinkStates.length;
    const uplinkStates = last.uplinkStates.map((state, index) =>
      index === place && state.status !== undefined
        ? {
            ...state,
            status: {
              ...state.status,
              conditions: [{ type: 'Ready', status: 'False' as const, reason: `BridgeNotFound${turn}` }],
            },
          }
        : state,
    );
    last = { ...last, uplinkStates };
    return last;
  });
}

/** CPU of a whole plan, and of one after a state has turned, in microseconds. */
function costs(nodes: number, settings: ClusterSettings): { readonly whole: number; readonly change: number } {
  const cluster = largeCluster({ nodes, uplinks: 5, networks: 20, selectedPercent: 100 });
  const turning = turningStates(cluster);
  const own = { ...settings };
  const whole = cpuOf(() => planCluster(cluster, own));
  const change = cpuOf(() => {
    for (const each of turning) planCluster(each, own);
  });
  return { whole, change: change / REPETITIONS };
}

describe('the plan after a change of one state', function () {
  this.timeout(0);
  const settings = { ...defaultSettings, dynamicNetworks: true };
  // What is compiled first would count as the cost of a small cluster.
  before(() => costs(100, settings));

  it('costs less than a tenth of a whole plan', () => {
    const { whole, change } = costs(400, settings);
    expect(change / whole).to.be.below(0.1);
  });

  it('costs less than four times as much in a cluster with sixteen times as many nodes', () => {
    const [small, large] = [costs(50, settings), costs(800, settings)];
    expect(large.change / small.change).to.be.below(4);
  });
});
