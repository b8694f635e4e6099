import { CapturedNode } from '../../../src/adapters/capture/captured-node.ts';
import { ManifestFiles } from '../../../src/adapters/manifests/manifest-files.ts';
import type { Situation } from './run-in-process.ts';

const fixtures = `${import.meta.dirname}/../../../fixtures`;

/** The captured node worker-a and the objects that go with it; `capture` is the folder. */
export async function capturedSituation(capture = 'worker-a'): Promise<Situation> {
  const cluster = await new ManifestFiles([`${fixtures}/cluster.yaml`]).read();
  const node = await new CapturedNode('worker-a', `${fixtures}/captures/${capture}`).read();
  if (!cluster.read || !node.read) throw new Error('the fixtures cannot be read');
  return { cluster: cluster.value.snapshot, nodes: [node.value] };
}
