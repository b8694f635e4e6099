/** Measures reading a dump of the flows of a bridge with many networks, in a process of its own so that the first one is cold. */
import { type FlowsByLine, readFlows } from '../src/adapters/ovs-ofctl-wrapper/flow-dump.ts';
import { portNumbers, withKnownNumbers } from '../src/adapters/ovs-ofctl-wrapper/port-numbers.ts';
import { defaultSettings, diffNode, type NodeSnapshot, planNode } from '../src/domain/index.ts';
import { foreseen } from '../src/domain/diff/foresee.ts';
import type { Bridge } from '../src/domain/snapshot/node-snapshot.ts';
import { cpuOf, median, report } from './figure.ts';
import { populatedNode } from './populated-node.ts';

const BRIDGE = 'br-red';

const [further = 0] = process.argv.slice(2).map(Number);
const { cluster, node } = await populatedNode(further);

function converged(found: NodeSnapshot): NodeSnapshot {
  const operations = diffNode(planNode(cluster, found, defaultSettings), found);
  return operations.length === 0 ? found : converged(foreseen(operations, found));
}

function bridgeOf(snapshot: NodeSnapshot): Bridge {
  const found = snapshot.bridges.find(({ name }) => name === BRIDGE);
  if (found === undefined) throw new Error(`the node has no bridge ${BRIDGE}`);
  return found;
}

const done = converged(node);
const bridge = bridgeOf(done);
const numbered = (text: string) => withKnownNumbers(text, portNumbers(bridge));
const lines = done.flows
  .filter((flow) => flow.bridge === BRIDGE)
  .map(({ cookie, table, priority, match, actions }) => {
    const place = [`table=${table}`, `priority=${priority}`, ...(match === '' ? [] : [numbered(match)])];
    return ` cookie=${cookie}, ${place.join(',')} actions=${numbered(actions)}\n`;
  });
const dump = lines.join('');

/** Reads the dump; `known` is what was read before. */
function read(known?: FlowsByLine): FlowsByLine {
  const reading = readFlows(dump, BRIDGE, bridge, known);
  if (!reading.read || reading.value.size !== lines.length)
    throw new Error(`expected to read the ${lines.length} flows of the dump`);
  return reading.value;
}

const measure = (known?: FlowsByLine): number => cpuOf(() => read(known));

const size = { networks: 2 + further, flows: lines.length };
const runs = [1, 2, 3, 4, 5];
report({ name: 'flow dump, cold', size, value: measure(), unit: 'ms of CPU' });
report({ name: 'flow dump, warm, median of 5', size, value: median(runs.map(() => measure())), unit: 'ms of CPU' });
report({
  name: 'flow dump, nothing changed, median of 5',
  size,
  value: median(runs.map(() => measure(read()))),
  unit: 'ms of CPU',
});
