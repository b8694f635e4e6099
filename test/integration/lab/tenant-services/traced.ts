/** Where `trace` says that packets to ClusterIPs end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TraceVerdict } from '../../../../src/domain/explanation/trace/hop.ts';
import { capture, runOvnUplinks } from '../cluster/look-at-cluster.ts';
import { namespaceOf, type StartedPod } from '../whole-networks/lab-pod.ts';
import type { Destination } from './isolation.ts';
import { OPTIONS, type ServedCluster } from './served-cluster.ts';

/** The kind of verdict of a trace of a packet that packets of the pod of a tenant show to have a fate. */
export const verdictOf = (fate: string, tenant: string): string =>
  fate === tenant ? 'arrives' : fate === 'refused' ? 'dropped' : 'leaves';

/**
 * Traces a packet of TCP from each of some pods to each address of destinations, on captures of all nodes.
 *
 * @returns the kinds of their verdicts, by pod and destination; both where those of its addresses differ
 */
export async function tracedVerdicts(
  { cluster, nodes }: ServedCluster,
  pods: readonly StartedPod[],
  destinations: readonly Destination[],
): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  const folder = mkdtempSync(join(tmpdir(), 'ovn-uplinks-services-'));
  try {
    await Promise.all(nodes.map((node) => capture(node, folder)));
    const hosts = nodes.map(({ name }) => `${name}=${name}`);
    const verdicts: Record<string, Record<string, string>> = {};
    for (const { namespace, name, node } of pods)
      for (const { name: destination, addresses, port } of destinations) {
        const found = new Set<string>();
        for (const [family, to] of addresses.entries()) {
          const packet = `tcp pod/${namespace}/${name} > ${family === 0 ? to : `[${to}]`}:${String(port)}`;
          const words = ['trace', namespace, node.name, packet, '--host', ...hosts, '--networks=all', ...OPTIONS];
          const { out } = await runOvnUplinks([...words, '--output=json'], folder, cluster.lab.server.kubeconfig);
          const { verdict } = JSON.parse(out.join('\n')) as { readonly verdict: TraceVerdict };
          found.add(verdict.kind);
        }
        (verdicts[namespaceOf({ namespace, name })] ??= {})[destination] = [...found].join(' or ');
      }
    return verdicts;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
