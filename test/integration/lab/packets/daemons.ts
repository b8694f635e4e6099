import type { LabNode } from '../node.ts';

/** Pid files of the daemons of a node that forward packets or compute how. */
const pidFiles: Readonly<Record<string, string>> = {
  'ovs-vswitchd': '/run/openvswitch/ovs-vswitchd.pid',
  'ovn-controller': '/run/ovn/ovn-controller.pid',
  'ovn-northd': '/run/ovn/ovn-northd.pid',
  'ovnsb-server': '/run/ovn/ovnsb_db.pid',
  'ovnnb-server': '/run/ovn/ovnnb_db.pid',
};

/** Clock ticks a second in statistics of processes (proc_pid_stat(5)). */
const TICKS = 100;

/** Seconds of processor time by process id, for each daemon. */
async function usedSoFar(
  node: LabNode,
): Promise<ReadonlyMap<string, { readonly pid: string; readonly ticks: number }>> {
  const script = Object.values(pidFiles)
    .map((file) => `cat "/proc/$(cat ${file})/stat"`)
    .join('; ');
  const lines = (await node.does(['/bin/bash', '-c', script])).trim().split('\n');
  return new Map(
    Object.keys(pidFiles).map((name, index) => {
      const line = lines[index] ?? '';
      const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
      // utime and stime.
      return [name, { pid: line.split(' ')[0] ?? '', ticks: Number(fields[11]) + Number(fields[12]) }];
    }),
  );
}

/** Does something, and gives the seconds of processor time that each daemon of the node has used meanwhile. */
export async function processorTime<Result>(
  node: LabNode,
  measured: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly seconds: Readonly<Record<string, number>> }> {
  const before = await usedSoFar(node);
  const result = await measured();
  const after = await usedSoFar(node);
  const seconds = [...after].map(([name, { pid, ticks }]) => {
    const earlier = before.get(name);
    return [name, (earlier?.pid === pid ? ticks - earlier.ticks : ticks) / TICKS] as const;
  });
  return { result, seconds: Object.fromEntries(seconds) };
}

/** MiB of memory that each daemon of the node holds (proc_pid_status(5), VmRSS). */
export async function memoryOfDaemons(node: LabNode): Promise<Readonly<Record<string, number>>> {
  const script = Object.values(pidFiles)
    .map((file) => `sed -n 's/^VmRSS:[^0-9]*\\([0-9]*\\) kB$/\\1/p' "/proc/$(cat ${file})/status"`)
    .join('; ');
  const lines = (await node.does(['/bin/bash', '-c', script])).trim().split('\n');
  return Object.fromEntries(
    Object.keys(pidFiles).map((name, index) => [name, Math.round(Number(lines[index]) / 1024)]),
  );
}
