/**
 * Measures what pods cost that an API server sends, as a cluster manager keeps them, in a process of its own with the heap of a cluster manager.
 */
import { setFlagsFromString } from 'node:v8';
import { cpuOf, peakMemory, report } from './figure.ts';

// As the program does (src/cmd/main.ts), before modules are loaded.
setFlagsFromString('--semi-space-growth-factor=1');
const { acceptedObject } = await import('../src/adapters/kubernetes/watch/accepted-object.ts');
const { ObservedObjects } = await import('../src/adapters/kubernetes/watch/observed-objects.ts');
const { watchEvent } = await import('../src/adapters/kubernetes/watch/watch-event.ts');
const { kinds } = await import('../src/domain/api/kinds.ts');

const [count = 1000] = process.argv.slice(2).map(Number);

const environment = Array.from({ length: 20 }, (_, index) => ({ name: `VARIABLE_${index}`, value: 'v'.repeat(40) }));
const managedFields = Array.from({ length: 4 }, () => ({ manager: 'kubelet', fieldsV1: { 'f:status': {} } }));

/** An event of a watch as it comes: 2 KiB, of which most is left out. */
function line(index: number): string {
  const app = `app-${index % 50}`;
  const metadata = {
    name: `${app}-7d9f8b6c5d-${String(index).padStart(6, '0')}`,
    namespace: `tenant-${index % 250}`,
    uid: `6f0c7f5e-0000-4000-8000-${String(index).padStart(12, '0')}`,
    resourceVersion: `${1000 + index}`,
    labels: { app, 'pod-template-hash': '7d9f8b6c5d' },
    annotations: { 'k8s.ovn.org/pod-networks': '{"default":{"ip_addresses":["10.244.0.5/24"]}}' },
    ownerReferences: [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${app}-7d9f8b6c5d`, uid: 'a', controller: true },
    ],
    managedFields,
  };
  const spec = { nodeName: `node-${index % 1000}`, containers: [{ name: app, image: app, env: environment }] };
  return JSON.stringify({
    type: 'ADDED',
    object: { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: { phase: 'Running' } },
  });
}

const pods = new ObservedObjects(acceptedObject(kinds.pods));
const cpu = cpuOf(() => {
  const list = pods.newList();
  for (let index = 0; index < count; index += 1) {
    const event = watchEvent(line(index));
    if (event.kind === 'put') list.add(event.object);
  }
  pods.replace(list, `${1000 + count}`);
});
const size = { pods: pods.objects.length };
report({ name: 'reading pods', size, value: cpu, unit: 'ms of CPU' });
report({ name: 'peak memory of a process with pods', size, value: peakMemory(), unit: 'MiB' });
