/** `npm run bench`: measures the engine at the sizes it is written for, and prints one JSON document. */
import { execaNode } from 'execa';
import { type Figure, growthExponent } from './figure.ts';

async function measure(script: string, ...sizes: readonly number[]): Promise<readonly Figure[]> {
  const { stdout } = await execaNode(`${import.meta.dirname}/${script}`, sizes.map(String));
  return JSON.parse(stdout) as readonly Figure[];
}

const figures: Figure[] = [];
// The size at which the Go implementation's cluster controller was measured, then the sizes that this engine is written for.
figures.push(...(await measure('measure-cluster.ts', 1000, 10, 100, 100)));
for (const nodes of [100, 1000, 5000]) figures.push(...(await measure('measure-cluster.ts', nodes, 100, 1000, 16)));
figures.push(...(await measure('measure-pods.ts', 150_000)));
figures.push(...(await measure('measure-provision.ts', 5000, 1000)));
for (const networks of [1, 16, 250]) figures.push(...(await measure('measure-node.ts', networks)));
for (const further of [0, 250]) figures.push(...(await measure('measure-trace.ts', further)));
for (const further of [0, 98, 248]) figures.push(...(await measure('measure-flows.ts', further)));
figures.push(...(await measure('measure-flow-dump.ts', 420, 5000)));

for (const name of ['planCluster, cold', 'planCluster, warm, median of 5']) {
  const at = (nodes: number) =>
    figures.find((figure) => figure.name === name && figure.size['nodes'] === nodes && figure.size['uplinks'] === 100)
      ?.value ?? Number.NaN;
  figures.push({
    name: `${name}: growth from 1,000 to 5,000 nodes`,
    size: { from: 1000, to: 5000 },
    value: growthExponent([1000, at(1000)], [5000, at(5000)]),
    unit: 'exponent',
  });
}
process.stdout.write(`${JSON.stringify({ figures }, null, 2)}\n`);
