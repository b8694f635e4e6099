/** Measurements of an agent on a large node, and of one in a storm of changes, for a test and for a campaign with figures. */
import type { ClusterSnapshot } from '../../../../src/domain/index.ts';
import { bridge } from '../bridge.ts';
import { clusterOf } from '../clusters.ts';
import { ip } from '../commands.ts';
import type { ArgumentVector, LabNode } from '../node.ts';
import { type NodeAgent } from './node-agent.ts';

/** Networks that each have their own VRF and bridge. */
export function manyNetworks(count: number): {
  readonly cluster: ClusterSnapshot;
  readonly commands: readonly ArgumentVector[];
} {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return {
    cluster: clusterOf(numbers.map((id) => ({ name: `net-${id}`, device: `br-${id}`, targetVRF: 'auto' }))),
    commands: [
      ...numbers.flatMap((id) => [
        // The first three exist.
        ...(id > 3 ? [ip`link add ovn-k8s-mp${id} up type dummy`] : []),
        ...bridge(`br-${id}`, { addresses: [`10.${id}.0.6/24`, `2001:db8:${id}::6/64`], physicalPort: `phys${id}` }),
        ip`route add default via ${`10.${id}.0.1`} dev br-${id} metric ${100 + id}`,
      ]),
    ],
  };
}

/** The metrics of the agent, by name with labels. */
export async function metricsOf(node: LabNode): Promise<ReadonlyMap<string, number>> {
  const { stdout } = await node.run(['/bin/busybox', 'wget', '-q', '-O', '-', 'http://127.0.0.1:9477/metrics']);
  const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

/** The number of processes that the machine has started since it booted (proc_stat(5), processes). */
export async function startedProcesses(node: LabNode): Promise<number> {
  return Number(/^processes (\d+)$/m.exec(await node.read('/proc/stat'))?.[1]);
}

/**
 * The programs that an agent on a node has started: its children, and the page faults of ended children, which increase with every program
 * (proc_pid_stat(5), cminflt). Process ids are less precise, as threads and other programs use them too.
 */
export async function startedPrograms(node: LabNode): Promise<{ readonly running: string; readonly ended: string }> {
  const { stdout } = await node.run([
    ...['/bin/busybox', 'ash', '-c'],
    "agent=$(pgrep -f '^[^ ]*node [^ ]* node --node ') && pgrep -d ' ' -P $agent && cat /proc/$agent/stat",
  ]);
  const [running = '', stat = ''] = stdout.split('\n');
  const [, ended = ''] = /\) \S(?: \S+){7} (\d+) /.exec(stat) ?? [];
  if (ended === '') throw new Error(`no agent runs on ${node.name}: ${stdout}`);
  return { running, ended };
}

/** The files of the agent, with the times of their last writes. */
export async function writings(node: LabNode): Promise<string> {
  const folders = ['/run/ovn-uplinks', '/run/manifests'];
  return (await node.run(['/usr/bin/find', ...folders, '-type', 'f', '-printf', '%p %T@\\n'])).stdout;
}

/** Waits until the agent has applied everything; returns the milliseconds that it took. */
export async function settled(agent: NodeAgent, deadline = 120_000): Promise<number> {
  await agent.untilLogged('settled', [], deadline);
  const [line] = (await agent.log()).split('\n').filter((text) => text.includes('settled'));
  return (JSON.parse(line ?? '{}') as { readonly milliseconds: number }).milliseconds;
}

/** Unrelated changes of links and routes for some seconds (ip(8), -batch). */
export function storm(perSecond: number, seconds: number): ArgumentVector {
  const script = `
import subprocess, time
subprocess.run(["ip", "link", "add", "storm", "up", "type", "dummy"], check=True)
subprocess.run(["ip", "address", "add", "10.250.0.1/24", "dev", "storm"], check=True)
batch = subprocess.Popen(["ip", "-force", "-batch", "-"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
beginning = time.monotonic()
for number in range(${perSecond * seconds}):
    host = number // 2 % 200
    verb = "add" if number % 2 == 0 else "delete"
    line = f"link set dev storm mtu {1400 + number % 50}" if number % 10 == 9 else f"route {verb} 10.251.{host}.0/24 via 10.250.0.9"
    batch.stdin.write((line + "\\n").encode())
    batch.stdin.flush()
    time.sleep(max(0, beginning + number / ${perSecond} - time.monotonic()))
batch.stdin.close()
batch.wait()
`;
  return ['/usr/bin/python3', '-c', script];
}
