/**
 * How long does it take until a pod is attached? `npm run cni:latency -- COUNT` attaches COUNT pods one after the other, then as many at once, to a network of
 * a real OVN, and prints milliseconds from the start of cnitool to its end. The pods have appeared before, as with a kubelet that does other work first; with the
 * word `unprepared` the agent learns of each as its runtime calls. Run nothing else at the same time.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OvsdbSwitchPorts } from '../../../src/adapters/open-vswitch/ovsdb-switch-ports.ts';
import { OvnLogicalPorts } from '../../../src/adapters/ovn/ovn-logical-ports.ts';
import { unixServer } from '../../../src/adapters/ovsdb/server.ts';
import { configureNetwork, OvnOnHost } from './ovn.ts';
import { PodHost } from './pod-host.ts';
import { ServedPods } from './served-pods.ts';

type Environment = Readonly<Record<string, string>>;

const count = Number(process.argv[2] ?? 100);
const folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-test-'));
const socket = join(folder, 'cni.sock');
const host = await PodHost.start(socket);
const ovn = await OvnOnHost.start(host);
const logicalPorts = new OvnLogicalPorts(unixServer(ovn.northboundSocket, 'OVN'));
const switchPorts = new OvsdbSwitchPorts(ovn.switchSocket);
const served = new ServedPods(socket, { logicalPorts, switchPorts });
await served.start(host);
await configureNetwork(host, ovn);

async function attach(name: string, environment: Environment): Promise<number> {
  const start = performance.now();
  const { status, stderr } = await host.cnitool('add', 'cluster_udn_blue', name, environment);
  if (status !== 0) throw new Error(stderr);
  return performance.now() - start;
}

async function newPods(prefix: string): Promise<ReadonlyMap<string, Environment>> {
  const pods = new Map<string, Environment>();
  for (let number = 0; number < count; number++) {
    pods.set(`${prefix}-${number}`, await served.create(`${prefix}-${number}`));
  }
  if (process.argv[3] !== 'unprepared') await served.prepare();
  return pods;
}

function print(what: string, times: readonly number[]): void {
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  console.log(`${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`);
}

const alone: number[] = [];
for (const [name, environment] of await newPods('alone')) alone.push(await attach(name, environment));
print(`${count} pods one after the other`, alone);
const together = [...(await newPods('together'))].map(([name, environment]) => attach(name, environment));
print(`${count} pods at once`, await Promise.all(together));

await served.stop();
logicalPorts.close();
switchPorts.close();
await ovn.stop();
await host.stop();
rmSync(folder, { recursive: true, force: true });
