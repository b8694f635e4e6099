/** Measures the trace of a packet on a captured node, in a process of its own so that the first one is cold. */
import { defaultSettings } from '../src/domain/index.ts';
import { parsePacket } from '../src/domain/explanation/trace/packet-text/parse-packet.ts';
import { trace } from '../src/domain/explanation/trace/trace.ts';
import { cpuOf, median, report } from './figure.ts';
import { populatedNode } from './populated-node.ts';

const [further = 0] = process.argv.slice(2).map(Number);
const { cluster, node } = await populatedNode(further);
const reading = parsePacket('tcp 10.30.1.5:40000 > 172.20.0.9:443');
if ('problem' in reading) throw new Error(reading.problem);
const { packet } = reading;

/** Follows a packet on snapshots that nothing is remembered of. */
function measure(): number {
  const [objects, snapshot] = [structuredClone(cluster), structuredClone(node)];
  return cpuOf(() => {
    const outcome = trace(objects, { from: snapshot, others: [] }, defaultSettings, { network: 'red', packet });
    if (!outcome.traced || outcome.trace.verdict.kind !== 'leaves') throw new Error('the packet does not leave');
  });
}

const size = { networks: 2 + further };
report({ name: 'trace, cold', size, value: measure(), unit: 'ms of CPU' });
report({ name: 'trace, warm, median of 5', size, value: median([1, 2, 3, 4, 5].map(measure)), unit: 'ms of CPU' });
